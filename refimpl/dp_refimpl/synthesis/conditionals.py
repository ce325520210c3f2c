"""Conditional distributions of a network: from a noisy joint table, and rows drawn from them (source 003, 3.1, 3.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.requirements import require_word
from dp_refimpl.synthesis.tables import Record, domain_records, require_sizes
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import at_most, is_zero

EmptyMass = Literal["uniform", "undefined"]
"""A conditional distribution whose condition has noisy mass 0: it is uniform, or there is none."""


class UndefinedConditionalError(DomainError):
    """A row needs a conditional distribution whose condition has noisy mass 0, in the reading `undefined`."""


class UnderivableError(DomainError):
    """A conditional distribution has to be derived from a joint table that does not have all of its attributes."""


@dataclass(frozen=True)
class JointTable:
    """Noisy numbers of records for all combinations of values of some attributes, in lexicographic order, of any sign.

    Raises `DomainError` for repeated attributes, for sizes that are none, and unless there is a rational number (fmpq)
    for every combination.
    """

    attributes: tuple[int, ...]
    sizes: tuple[int, ...]
    cells: tuple[fmpq, ...]

    def __post_init__(self) -> None:
        if len(set(self.attributes)) != len(self.attributes) or len(self.attributes) != len(self.sizes):
            raise DomainError("attributes", self.attributes, "different attributes, as many as sizes")
        count = sum(1 for _ in domain_records(require_sizes(self.sizes)))
        if len(self.cells) != count or not all(isinstance(cell, fmpq) for cell in self.cells):
            raise DomainError("cells", self.cells, f"{count} rational numbers (fmpq)")

    def __str__(self) -> str:
        return f"{self.attributes}: {' '.join(map(str, self.cells))}"

    def frequencies(self, empty: EmptyMass = "uniform") -> "JointTable | None":
        """Negative cells set to 0, then divided by their sum; if it is 0, uniform frequencies or None."""
        clamped = [fmpq(0) if at_most(cell, 0) else cell for cell in self.cells]
        total = sum(clamped, fmpq(0))
        if not is_zero(total):
            return JointTable(self.attributes, self.sizes, tuple(cell / total for cell in clamped))
        if require_word("empty", empty, EmptyMass) == "undefined":
            return None
        return JointTable(self.attributes, self.sizes, (fmpq(1, len(clamped)),) * len(clamped))

    def marginal(self, attributes: Sequence[int]) -> "JointTable":
        """The sums over all other attributes. Raises `UnderivableError` for attributes that the table does not have."""
        if not set(attributes) <= set(self.attributes):
            raise UnderivableError("attributes", tuple(attributes), f"attributes among {self.attributes}")
        places = [self.attributes.index(a) for a in attributes]
        sizes = tuple(self.sizes[i] for i in places)
        sums = dict.fromkeys(domain_records(sizes), fmpq(0))
        for record, cell in zip(domain_records(self.sizes), self.cells, strict=True):
            sums[tuple(record[i] for i in places)] += cell
        return JointTable(tuple(attributes), sizes, tuple(sums.values()))


@dataclass(frozen=True)
class Conditional:
    """Pr*(X | Pi): for all values of the parents, in lexicographic order, the law of X, or None where there is none."""

    attribute: int
    parents: tuple[int, ...]
    rows: tuple[tuple[Record, tuple[fmpq, ...] | None], ...]

    @classmethod
    def of_joint(
        cls, joint: JointTable, attribute: int, parents: Sequence[int], empty: EmptyMass = "uniform"
    ) -> "Conditional":
        """The conditional distribution of an attribute given others that a noisy joint table implies.

        The table is clamped and normalized first. Raises `UnderivableError` for attributes that it does not have.
        """
        size, marginal = joint.marginal((attribute,)).sizes[0], joint.marginal(parents)
        frequencies = joint.frequencies(empty)
        if frequencies is None:
            return cls(attribute, tuple(parents), tuple((values, None) for values in domain_records(marginal.sizes)))
        both = frequencies.marginal((*parents, attribute)).cells
        rows: list[tuple[Record, tuple[fmpq, ...] | None]] = []
        for i, values in enumerate(domain_records(marginal.sizes)):
            masses = both[i * size : (i + 1) * size]
            mass = sum(masses, fmpq(0))
            if not is_zero(mass):
                rows.append((values, tuple(part / mass for part in masses)))
            else:
                uniform = require_word("empty", empty, EmptyMass) == "uniform"
                rows.append((values, (fmpq(1, size),) * size if uniform else None))
        return cls(attribute, tuple(parents), tuple(rows))

    def __str__(self) -> str:
        laws = ("none" if law is None else " ".join(map(str, law)) for _, law in self.rows)
        return f"{self.attribute} | {self.parents}: {'; '.join(laws)}"

    @property
    def is_defined(self) -> bool:
        """Whether there is a law for all values of the parents."""
        return all(law is not None for _, law in self.rows)

    def law(self, row: Mapping[int, int]) -> tuple[fmpq, ...]:
        """The law of X for a row that holds the values of the parents. Raises `UndefinedConditionalError`."""
        values = tuple(row[parent] for parent in self.parents)
        law = self._laws[values]
        if law is None:
            raise UndefinedConditionalError("parents", values, f"values of {self.parents} with noisy mass above 0")
        return law

    @cached_property
    def _laws(self) -> dict[Record, tuple[fmpq, ...] | None]:
        return dict(self.rows)


Conditionals = tuple[Conditional, ...]
"""P* of one cluster, in the order of its network."""


def draw_row(conditionals: Conditionals, coins: Coins) -> Record:
    """One synthetic row, attribute after attribute in the order of the network; its values in order of attribute.

    Raises `UndefinedConditionalError` when a law is needed that there is not.
    """
    row: dict[int, int] = {}
    for conditional in conditionals:
        row[conditional.attribute] = coins.choose(conditional.law(row))
    return tuple(row[a] for a in sorted(row))


def row_probability(conditionals: Conditionals, record: Record) -> fmpq:
    """prod Pr*(x_j | pi_j) for a row, its values in order of attribute; laws after a factor 0 are not asked for.

    Raises `DomainError` for another number of values, `UndefinedConditionalError` when a law is needed.
    """
    attributes = sorted(conditional.attribute for conditional in conditionals)
    if len(record) != len(attributes):
        raise DomainError("record", record, f"{len(attributes)} values")
    row, product = dict(zip(attributes, record, strict=True)), fmpq(1)
    for conditional in conditionals:
        if is_zero(product):
            return product
        product *= conditional.law(row)[row[conditional.attribute]]
    return product
