"""Formal statements `for all x in a domain`: relations between terms and exact errors of mechanisms, bounds up to a
constant; communication costs; equal laws."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal

from dp_spec.vocabulary.additive import Quantity
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Domain, Item, Mse, Range, Relation, Statement, View
from dp_spec.vocabulary.term import Term, term

Independence = Literal["pairwise", "threewise", "distinct"]
"""Of k functions that are drawn once: rows are independent, the values of a function at any two (three) items
independent and uniform; or different rows, drawn without replacement from all functions."""


@dataclass(frozen=True)
class Mean(Mse):
    """The mean of the estimate is `formula`."""

    type: ClassVar[str] = "mean"


@dataclass(frozen=True)
class Variance(Mse):
    """The variance of the estimate is `formula`, whether or not the estimate is unbiased.

    Of a law with a public choice of which nothing is assumed: a function of `kappa1` and `kappa2`, sums over the users
    without the item, by n, of the share kappa of the choices under which their item shares its label, and of kappa^2.
    """

    type: ClassVar[str] = "variance"


@dataclass(frozen=True)
class SharedVariance(Variance):
    """The variance where one draw of `rows` functions to `labels` labels serves all users; `squared` is the sum over
    items y other than the counted one of f_y^2."""

    type: ClassVar[str] = "shared"
    rows: Term = field(kw_only=True)
    labels: Term = field(kw_only=True)
    independence: Independence = field(kw_only=True)


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
        error = self.sensitive if item == "sensitive" else self.nonsensitive
        if error is None:
            raise DomainError("item", item, "a class whose errors the total has")
        return error


@dataclass(frozen=True)
class Value:
    """An exact error at parameters: `root` is put for the law's root of e^epsilon, `at` for other variables."""

    error: Mse | Total
    root: Term
    at: Mapping[str, Term] = field(default_factory=dict)


@dataclass(frozen=True)
class Formula(Statement):
    """All relations hold everywhere on the domain, between terms in its variables, named exact errors, and named
    quantities of additive laws.

    A statement with errors is about the points of the domain at which every error is that of some data set, and one
    `of_data` about those at which some data set has m, K, N, n and g. All errors spend `budget` = e^epsilon, if given.
    Variables of the domain that nothing reads are left out: the statement is about the others.
    """

    type: ClassVar[str] = "formula"
    domain: Domain
    relations: tuple[Relation, ...]
    values: Mapping[str, Value] = field(default_factory=dict)
    budget: Term | None = None
    of_data: bool = False
    quantities: Mapping[str, Quantity] | None = None

    def __post_init__(self) -> None:
        terms = [*(side for _, *sides in self.relations for side in sides), *self.domain.constraints]
        terms += [] if self.budget is None else [self.budget]
        places: list[tuple[Mapping[str, Term], set[str]]] = [({}, {*_SIZES})] if self.of_data else []
        for value in self.values.values():
            places.append((value.at, {*_SIZES, "f"}))
            terms.append(value.root)
        places += [(of.at, {*of.law.variables(), "h", "k"}) for of in (self.quantities or {}).values()]
        terms += [tree for at, _ in places for tree in at.values()]
        read = {name for at, names in places for name in names - at.keys()}
        read |= {name for tree in terms for name in tree.variables()}
        object.__setattr__(self, "domain", self.domain.restricted(read))


_SIZES = ("m", "K", "N", "n", "g")


@dataclass(frozen=True)
class Bounded(Statement):
    """For every relation (left, right) there is a constant C > 0 with left <= C right everywhere on the domain.

    C may depend on the `fixed` variables, on nothing else. Where a variable `grows`, nothing bounds it: no constraint
    of the domain, no data set.
    """

    type: ClassVar[str] = "bounded"
    domain: Domain
    relations: tuple[tuple[Term, Term], ...]
    fixed: tuple[str, ...] = ()
    grows: tuple[str, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    budget: Term | None = None
    of_data: bool = False
    quantities: Mapping[str, Quantity] | None = None


@dataclass(frozen=True)
class Limit(Statement):
    """At fixed values of all others `term` tends to `value` (None: to infinity) as the integer that `grows` does.

    It says that some constants bound terms: for every R > 0 there is C with grows (R |term - value| - 1) <= C (to
    infinity: grows (R - term) <= C). Then R |term - value| <= 1 + C / grows, so that no R allows a distance of more
    than 1 / R for ever. And if it tends to the value, the left side is positive at finitely many integers alone.
    """

    type: ClassVar[str] = "bounded"
    domain: Domain
    grows: str
    term: Term
    value: Term | None
    values: Mapping[str, Value] = field(default_factory=dict)
    of_data: bool = False
    quantities: Mapping[str, Quantity] | None = None

    def bounded(self) -> Bounded:
        """What it says. Raises `DomainError` for a limit that moves or is not along integers, and where R is something
        else."""
        if not self.domain.variables[self.grows].integer:
            raise DomainError("grows", self.grows, "an integer")
        if NEAR in self.domain.variables:
            raise DomainError("domain", self.domain, f"one without {NEAR}, which says how near the limit is")
        if self.value is not None and self.grows in self.value.variables():
            raise DomainError("value", self.value, f"a limit that stays as it is while {self.grows} grows")
        near, grows = Term(NEAR), Term(self.grows)
        if self.value is None:
            sides = [near - self.term]
        else:
            sides = [near * gap - 1 for gap in (self.term - self.value, self.value - self.term)]
        domain = replace(self.domain, variables={**self.domain.variables, NEAR: Range(strict=True)})
        return Bounded(
            domain=domain,
            relations=tuple((grows * side, term(1)) for side in sides),
            fixed=tuple(name for name in domain.variables if name != self.grows),
            grows=(self.grows,),
            values=self.values,
            of_data=self.of_data,
            quantities=self.quantities,
        )

    def json(self) -> dict[str, Any]:
        """What it says as plain data."""
        return self.bounded().json()


NEAR = "R"
"""What a distance from a limit is multiplied by."""


def formula(
    over: Mapping[str, Range] | Domain,
    *relations: Relation,
    where: tuple[Term, ...] = (),
    quantities: Mapping[str, Quantity] | None = None,
) -> Formula:
    """Relations between terms and quantities of laws: for all values of variables, where certain terms are >= 0."""
    domain = over if isinstance(over, Domain) else Domain(over)
    return Formula(replace(domain, constraints=(*domain.constraints, *where)), relations, quantities=quantities)


def errors(
    domain: Domain, values: Mapping[str, Value], relations: tuple[Relation, ...], budget: Term | None = None
) -> Formula:
    """Relations between exact errors of mechanisms, at one budget if it is given."""
    return Formula(domain, relations, values, budget)


def vanishing(domain: Domain, terms: tuple[Term, ...], variable: str) -> Bounded:
    """Every term tends to 0 as an integer >= 1 grows: 0 <= term <= C / variable, at fixed values of all others."""
    fixed = tuple(name for name in domain.variables if name != variable)
    pairs = tuple(pair for t in terms for pair in ((term(0), t), (t, 1 / Term(variable))))
    return Bounded(domain, pairs, fixed, (variable,))


def closed_form(error: Mse) -> Term:
    """The formula of an error. Raises `DomainError` where none is stated."""
    if error.formula is None:
        raise DomainError("error", error, "an error with a formula")
    return error.formula


@dataclass(frozen=True)
class Cost(Statement):
    """There are at most `most` reports of sets of m items: ceil(log2 most) bits are enough for one. (Of a point of a
    continuum no number of bits is.)"""

    type: ClassVar[str] = "cost"
    law: Law
    view: View
    most: Term
    sizes: Literal["exactm"] = "exactm"
    where: tuple[Term, ...] = ()


@dataclass(frozen=True)
class SameLaw(Statement):
    """Two mechanisms have the same budget and the same law of the report in a view, for every set of m items."""

    type: ClassVar[str] = "same-law"
    law: Law
    other: Law
    view: View
    sizes: Literal["exactm"] = "exactm"
    where: tuple[Term, ...] = ()


def ordered(op: Literal["eq", "le", "lt"], *names: str | Term) -> tuple[Relation, ...]:
    """The chain names[0] op names[1] op ..."""
    terms = [Term(x) if isinstance(x, str) else term(x) for x in names]
    return tuple((op, a, b) for a, b in pairwise(terms))
