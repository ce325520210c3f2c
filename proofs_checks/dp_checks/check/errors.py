"""Checkers for statements about errors, bounds and costs of mechanisms, and about mechanisms with the same law."""

from collections.abc import Iterator

from dp_checks.check import formulas
from dp_checks.check.candidate import Candidate, Finder, finders
from dp_checks.registry import Key
from dp_spec.vocabulary.error_statements import Bounded, Cost, Formula, SameLaw


def cost(statement: Cost) -> Iterator[Candidate]:
    """No number of bits for a point of a continuum; small powers for every symbol."""
    if statement.output == "real":
        yield Candidate("refuted", "continuum", "every epsilon > 0, all sizes", {"lemma": "continuum"})
        return
    for power in (1, 2, 3, 4):
        data = {"powers": [power] * len(statement.symbols)}
        yield Candidate("proved", "constant for a bound", f"the whole domain: C = {power + 1}", data)


def same_law(statement: SameLaw) -> Iterator[Candidate]:
    """The comparison of the two tables."""
    yield Candidate("proved", "equal tables", "every epsilon > 0, all sizes", {})


FINDERS: dict[Key, Finder] = {
    (Formula, ""): formulas.formula,
    (Bounded, ""): formulas.bounded,
    **finders({Cost: cost, SameLaw: same_law}),
}
