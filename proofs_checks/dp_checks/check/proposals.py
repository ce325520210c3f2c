"""Proposals of a checker, and the grids it searches."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks.registry import Key, keyed
from dp_checks.verdict import Verdict
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.term import Term

ROOTS = (fmpq(2), fmpq(3, 2), fmpq(5), fmpq(11, 10))
"""Values of the root of e^epsilon at which counterexamples are sought, in this order."""

THETAS = (fmpq(1, 2), fmpq(2, 3))
"""Values of a parameter strictly between 0 and 1 at which they are sought."""

EVERY = "every epsilon > 0"


@dataclass(frozen=True)
class Candidate:
    """A proposed verdict with its evidence; `kind` and `scope` say in words what it is."""

    verdict: Verdict
    kind: str
    scope: str
    data: Mapping[str, Any]
    negated: bool = field(default=False, repr=False)

    @property
    def is_found(self) -> bool:
        """Whether it is a counterexample that was found (to what the statement denies, if `negated`): no mere try."""
        return self.verdict == ("proved" if self.negated else "refuted")


@dataclass(frozen=True, order=True)
class Sizes:
    """Sizes of an instance: d items, K of them sensitive, sets of m."""

    d: int
    m: int
    k: int

    @property
    def n(self) -> int:
        """|X_non|."""
        return self.d - self.k

    def json(self) -> dict[str, int]:
        """As certificates name them."""
        return {"m": self.m, "K": self.k, "N": self.n}

    def satisfies(self, where: tuple[Term, ...]) -> bool:
        """Whether all size constraints (terms >= 0) hold."""
        values = {"m": self.m, "K": self.k, "N": self.n}
        return all(constraint.evaluate(values) >= 0 for constraint in where)


def sizes_of(law: Law, where: tuple[Term, ...], d_max: int = 4, m_max: int = 3) -> Iterator[Sizes]:
    """Admissible sizes in the declared order (by d, then m, then K)."""
    for d, m, k in product(range(1, d_max + 1), range(1, m_max + 1), range(1, d_max + 1)):
        sizes = Sizes(d, m, k)
        if m <= d and k <= d and (not law.all_sensitive or k == d) and sizes.satisfies(where):
            yield sizes


def at_sizes(law: Law, where: tuple[Term, ...], d_max: int = 4) -> Candidate:
    """The proposal that a statement holds at all small sizes, for every epsilon."""
    listed = [sizes.json() for sizes in sizes_of(law, where, d_max)]
    names = ", ".join(f"({at['m']},{at['K']},{at['N']})" for at in listed)
    return Candidate("verified", "exhausted scope", f"{EVERY} at (m,K,N) in {names}", {"instances": listed})


def text(number: Any) -> str:
    """An exact number as certificates write it."""
    return str(number)


Finder = Callable[[Any, str], Iterator[Candidate]]
"""Proposes evidence on a statement; the second argument is the id under which proof hints are filed."""


def finders(table: Mapping[type, Callable[[Any], Iterator[Candidate]]]) -> dict[Key, Finder]:
    """Finders that need no hints."""

    def without(find: Callable[[Any], Iterator[Candidate]]) -> Finder:
        return lambda statement, _: find(statement)

    return keyed({kind: without(find) for kind, find in table.items()})
