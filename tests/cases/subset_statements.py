"""Statements about PrivSet: parts of claims, and false ones that are refuted."""

from dataclasses import replace

from dp_spec.frequency import grr
from dp_spec.frequency.claims.privset import FORMAL
from dp_spec.frequency.privset import D_PADDED, D_PLAIN, PADDED, PLAIN, estimator, held, other
from dp_spec.vocabulary.law import Estimator
from dp_spec.vocabulary.statement import All, Chance, Mse, Ratio, Smallest, Statement, Unbiased

W = grr.W


def parts(name: str) -> tuple[Statement, ...]:
    statement = FORMAL[f"002.base.privset.{name}"]
    assert isinstance(statement, All)
    return statement.parts


MSE = parts("better.corrected2")[2]
assert isinstance(MSE, Mse)
assert MSE.formula is not None

STATEMENTS: dict[str, Statement] = {
    "test.privset.chance": Chance(PADDED, "vector", "sensitive", "held", held(D_PADDED), "atmost"),
    "test.privset.ratio": Ratio(PADDED, "vector", "ldp", sizes="atmost"),
    "test.privset.smallest": Smallest(PLAIN, "vector", "ldp", constant=W),
    "test.privset.unbiased": Unbiased(PADDED, "vector", "sensitive", estimator(D_PADDED), "atmost"),
    "test.privset.mse": MSE,
    "test.privset.other-chance": Chance(PLAIN, "vector", "sensitive", "other", held(D_PLAIN)),
    "test.privset.other-constant": Smallest(PLAIN, "vector", "ldp", constant=W**2),
    "test.privset.biased": Unbiased(PLAIN, "vector", "sensitive", Estimator(held(D_PLAIN), other(D_PLAIN))),
    "test.privset.other-mse": replace(MSE, formula=2 * MSE.formula),
}
"""By an id of their own."""
