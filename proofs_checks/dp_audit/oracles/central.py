"""Oracles of randomized response to one question, and of the column of answers of several users.

Warner 1965. Selection and noise, the other mechanisms of libraries for a trusted curator, are in `selection` and
`noise`. There the inputs are data sets, every two of them neighbors, so that the bound holds for all pairs.
"""

from dataclasses import dataclass
from itertools import combinations

from dp_audit.oracles import noise, selection
from dp_audit.oracles.base import Oracle, OracleKind, Product, epsilon
from dp_audit.oracles.frequency import KINDS as FREQUENCY
from dp_audit.oracles.readers import tables
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.real import Real


@dataclass(frozen=True)
class Column(Product):
    """Every user's item goes through the same mechanism on its own, and all reports are published in order.

    An input is a whole column, a tuple of items. Raises `DomainError` unless there are two or more columns of items,
    every two of the same length and different for exactly one user: then the bound of one report holds for all pairs.
    """

    single: Oracle
    columns: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if len(self.columns) < 2 or any(x not in self.single.inputs for column in self.columns for x in column):
            raise DomainError("columns", self.columns, f"two or more columns of items {self.single.inputs}")
        for one, other in combinations(self.columns, 2):
            if len(one) != len(other) or sum(a != b for a, b in zip(one, other, strict=True)) != 1:
                raise DomainError("columns", self.columns, "columns that differ for exactly one user")

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The columns."""
        return self.columns

    def row(self, item: Item) -> tuple[Item, ...]:
        """Return the column itself."""
        assert isinstance(item, tuple)
        return item


def _randomized_response(d: int, epsilon: Budget[Real]) -> Oracle:
    """Return GRR; with two items it is Warner's randomized response."""
    return FREQUENCY["GRR"].make(d=d, epsilon=epsilon)


def _column(single: OracleKind, law: str, **words: tuple[str, str]) -> OracleKind:
    def make(columns: tuple[tuple[int, ...], ...], **parameters: object) -> Column:
        return Column(single.make(**parameters), columns)

    return OracleKind(
        make,
        {**single.parameters, "columns": tables},
        law,
        "the list of the reports of all users; an input is the list of their items",
        single.optional,
        words=words,
    )


KINDS = {
    "RR": OracleKind(
        lambda epsilon: _randomized_response(2, epsilon),
        {"epsilon": epsilon},
        FREQUENCY["GRR"].law.replace("d - 1", "1"),
        "a bit, as the input is",
        certified=FREQUENCY["GRR"].certified,
    ),
    "GRR-column": _column(FREQUENCY["GRR"], "GRR of every user's item on its own", d=("number of items", "2")),
    "Exponential-column": _column(
        selection.KINDS["Exponential"], "the exponential mechanism for every user on its own"
    ),
    **selection.KINDS,
    **noise.KINDS,
}
