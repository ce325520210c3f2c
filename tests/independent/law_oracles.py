"""An oracle made of laws, for tests."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from flint import fmpq

from dp_audit.oracles.base import Number, Oracle
from dp_spec.vocabulary.items import Item


@dataclass(frozen=True)
class TableOracle(Oracle):
    """An oracle with these laws."""

    laws: Mapping[Item, Mapping[Hashable, Number]]

    @property
    def inputs(self) -> tuple[Item, ...]:
        return tuple(self.laws)

    def privacy(self) -> Number:
        return fmpq(3)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        return self.laws[item]
