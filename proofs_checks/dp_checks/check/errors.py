"""Checkers for statements about errors, bounds and costs of mechanisms, and about mechanisms with the same law."""

from collections.abc import Iterator

from dp_checks.check import bounds, formulas
from dp_checks.check.proposals import ROOTS, Candidate, Finder, at_sizes, finders, sizes_of, text
from dp_checks.registry import Key
from dp_spec.vocabulary.error_statements import Bounded, Cost, Formula, Limit, SameLaw


def cost(statement: Cost) -> Iterator[Candidate]:
    """No number of bits for a point of a continuum; the reports at listed sizes."""
    if statement.law.unit == "arcs":
        at = {**next(sizes_of(statement.law, statement.where)).json(), statement.law.base: text(ROOTS[0])}
        shown = ", ".join(f"{name} = {value}" for name, value in at.items())
        yield Candidate("refuted", "continuum", shown, {"instance": at})
    else:
        yield at_sizes(statement.law, statement.where)


def same_law(statement: SameLaw) -> Iterator[Candidate]:
    """The two laws at listed sizes."""
    yield at_sizes(statement.law, statement.where)


FINDERS: dict[Key, Finder] = {
    (Formula, ""): formulas.formula,
    (Bounded, ""): bounds.bounded,
    (Limit, ""): bounds.limit,
    **finders({Cost: cost, SameLaw: same_law}),
}
