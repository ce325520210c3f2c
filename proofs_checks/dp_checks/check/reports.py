"""Checkers for what reports show: invertible data, counts, products, padding, costs, equal laws.

One search: over instances in the declared order and the cases that the kernel lists there.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from dp_checks.certificate import plain
from dp_checks.check.places import Place, enumerated, places, witness
from dp_checks.check.proposals import EVERY, ROOTS, Candidate, at_sizes, finders, sizes_of, text
from dp_kernel.finite import instances
from dp_kernel.laws.grammar import Items
from dp_kernel.laws.sizes import point_values
from dp_spec.vocabulary.error_statements import Cost, SameLaw
from dp_spec.vocabulary.statement import BernoulliSum, Computable, Invertible, Padding, ProductForm
from dp_spec.vocabulary.term import Term, var

Cases = Callable[[Any, Any, Mapping[str, Any]], instances.Cases]
Listed = BernoulliSum | Computable | Padding | ProductForm
SEARCHED: Mapping[type, Cases] = {
    BernoulliSum: instances.bernoulli_sum,
    Computable: instances.computable,
    Padding: instances.padding,
    ProductForm: instances.product_form,
}
"""The cases of a statement at an instance."""
_MORE: tuple[Term, ...] = (var("K") + var("N") - 1 - var("m"),)
"""More items than a set has."""


def by_cases(statement: Listed) -> Iterator[Candidate]:
    """A first case in which the statement fails, in the declared order; all cases at listed sizes."""
    cases, body = SEARCHED[type(statement)], plain(statement.json())
    for place in places(statement, body):
        for case, holds in cases(body, place.at, point_values(body["law"], place.at)):
            if not holds:
                yield witness(statement, place, {name: _listed(name, x) for name, x in case.items()})
                return
    yield at_sizes(statement.law, *_scope(statement))


def _listed(name: str, shown: Any) -> Any:
    if name == "users":
        return [[*s] for s in shown]
    return [*shown] if isinstance(shown, tuple) else shown


def _scope(statement: Listed) -> tuple[tuple[Term, ...], int]:
    """Constraints on the sizes at which all cases are shown, and how many items there are at most."""
    match statement:
        case ProductForm():
            return _MORE, 3
        case Padding():
            return _MORE if statement.law.brought == ("sampled",) else (), 4
    return statement.where, 4


def invertible(statement: Invertible) -> Iterator[Candidate]:
    """The support of the law, unless a non-sensitive item of some set is never shown, or one that is not held is."""
    body = plain(statement.json())
    for place in places(statement, body):
        for s, row in enumerated(body, place).rows.items():
            if {x for (_, shown), p in row.items() if p != 0 for x in shown} != _nonsensitive(s, place.at["K"]):
                return
    scope = "all sizes, every hash function" if statement.law.unit == "arcs" else "all sizes"
    yield Candidate("proved", "support", f"{EVERY}, {scope}", {"rule": "support"})


def cost(statement: Cost) -> Iterator[Candidate]:
    """No number of bits for a point of a continuum; the reports at listed sizes."""
    if statement.law.unit == "arcs":
        at = {**next(sizes_of(statement.law, statement.where)).json(), statement.law.base: text(ROOTS[0])}
        yield replace(witness(statement, Place(at), {}), kind="continuum")
    else:
        yield at_sizes(statement.law, statement.where)


def same_law(statement: SameLaw) -> Iterator[Candidate]:
    """The two laws at listed sizes."""
    yield at_sizes(statement.law, statement.where)


def _nonsensitive(s: Items, k: int) -> set[int]:
    return {x for x in s if x >= k}


FINDERS = finders({Cost: cost, Invertible: invertible, SameLaw: same_law, **dict.fromkeys(SEARCHED, by_cases)})
