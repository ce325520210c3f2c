"""A printed table of probabilities, as it stands."""

from collections.abc import Hashable
from dataclasses import dataclass

from flint import fmpq

from dp_spec.vocabulary.items import Item


@dataclass(frozen=True)
class Entry:
    """One printed probability."""

    input: Item
    output: Hashable
    probability: fmpq


@dataclass(frozen=True)
class PrintedTable:
    """All entries in their order, also those that stand twice; the inputs that have a row, or (`repeated`) several."""

    inputs: tuple[Item, ...]
    entries: tuple[Entry, ...]
    repeated: tuple[Item, ...] = ()

    @property
    def laws(self) -> dict[Item, dict[Hashable, fmpq]]:
        """Return the entries by input and output; of those that stand twice the last one."""
        laws: dict[Item, dict[Hashable, fmpq]] = {x: {} for x in self.inputs}
        for entry in self.entries:
            laws[entry.input][entry.output] = entry.probability
        return laws
