"""Formal statements about errors of mechanisms: relations between exact totals, orders, communication costs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar, Literal

from dp_spec.vocabulary.errors import DomainError
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Domain, Item, Mse, Relation, Statement, View
from dp_spec.vocabulary.term import Term, term


@dataclass(frozen=True)
class Total:
    """The sum over X of the exact MSE for fixed data, or one of its two parts: a function of the root of e^epsilon, m,
    K, N, n and g = f(X_non), where f(X_sen) = m - g."""

    sensitive: Mse | None = None
    nonsensitive: Mse | None = None

    @property
    def law(self) -> Law:
        """The law of the mechanism. Raises `DomainError` for a total without parts."""
        for part in (self.sensitive, self.nonsensitive):
            if part is not None:
                return part.law
        raise DomainError("total", self, "a sensitive or a non-sensitive part")

    def part(self, item: Item) -> Mse:
        """The error of one item of a class. Raises `DomainError` where there is none."""
        found = self.sensitive if item == "sensitive" else self.nonsensitive
        if found is None:
            raise DomainError("item", item, "a class whose errors the total has")
        return found


@dataclass(frozen=True)
class Value:
    """An exact error at parameters: `root` is put for the law's root of e^epsilon, `at` for other variables."""

    error: Mse | Total
    root: Term
    at: Mapping[str, Term] = field(default_factory=dict)


@dataclass(frozen=True)
class Errors(Statement):
    """Relations between named exact errors hold everywhere on the domain; all of them spend `budget` = e^epsilon, if
    given."""

    type: ClassVar[str] = "errors"
    domain: Domain
    values: Mapping[str, Value]
    relations: tuple[Relation, ...]
    budget: Term | None = None


@dataclass(frozen=True)
class Order(Statement):
    """For 0 < epsilon <= 1 on the whole domain: error <= C entry for a constant C ("upper"), and also error >= c entry
    for a constant c > 0 ("theta"). The entry may name the law's root of e^epsilon.
    """

    type: ClassVar[str] = "order"
    domain: Domain
    error: Mse | Total
    entry: Term
    bound: Literal["upper", "theta"]
    at: Mapping[str, Term] = field(default_factory=dict)


def closed_form(error: Mse) -> Term:
    """The formula of an error. Raises `DomainError` where none is stated."""
    if error.formula is None:
        raise DomainError("error", error, "an error with a formula")
    return error.formula


Count = tuple[Term, Term]
"""(number of values v, how often k): k v-valued symbols, k log2 v bits."""


@dataclass(frozen=True)
class Cost(Statement):
    """A report can be written as symbols (v, k), one after the other, each in ceil(log2 v) bits, and their sum is at
    most C times the sum of k log2 v over `entry`.

    `output` "real": a point of [0, 1) is sent as it is.
    """

    type: ClassVar[str] = "cost"
    domain: Domain
    law: Law
    view: View
    symbols: tuple[Count, ...]
    entry: tuple[Count, ...]
    output: Literal["finite", "real"] = "finite"


@dataclass(frozen=True)
class SameLaw(Statement):
    """Two mechanisms have the same law, of the table of one item or bit, or of the whole report in a view.

    `without_others`: X_non is empty.
    """

    type: ClassVar[str] = "same-law"
    left: Law
    right: Law
    of: Literal["item", "report"]
    view: View
    without_others: bool = False


def ordered(op: Literal["eq", "le", "lt"], *names: str | Term) -> tuple[Relation, ...]:
    """The chain names[0] op names[1] op ..."""
    terms = [Term(x) if isinstance(x, str) else term(x) for x in names]
    return tuple((op, a, b) for a, b in pairwise(terms))
