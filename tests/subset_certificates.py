"""Certificates about PrivSet: claims of the project, their parts, and false statements that are refuted."""

from typing import Any

from dp_spec.frequency import grr, privset, rappor
from dp_spec.frequency.claims.privset import LIMIT, RIVAL
from dp_spec.frequency.privset import ESTIMATOR, HELD, OTHER, PADDED, PLAIN, SET_WEIGHTS
from dp_spec.vocabulary.law import Estimator, M
from dp_spec.vocabulary.statement import Domain, Range, Statement
from dp_spec.vocabulary.subset_statements import (
    SubsetBest,
    SubsetBetter,
    SubsetConvex,
    SubsetErrorAbove,
    SubsetLaw,
    SubsetRatio,
    SubsetSmallest,
    SubsetTable,
    SubsetUnbiased,
)
from dp_spec.vocabulary.term import var

D, W, T = var("d"), grr.W, rappor.T
ROOT = (privset.RADICAND, privset.SHIFT, privset.SCALE)
MORE = Domain({"d": Range(1, integer=True), "m": Range(2, integer=True), "t": Range(1, strict=True)})
LARGE = Domain(MORE.variables, (LIMIT * (T - 1) ** 2 - D * T,))

STATEMENTS: dict[str, Statement] = {
    "test.privset.ratio": SubsetRatio(PADDED),
    "test.privset.smallest": SubsetSmallest(PADDED, W),
    "test.privset.unbiased": SubsetUnbiased(PADDED, ESTIMATOR),
    "test.privset.best": SubsetBest(PADDED, SET_WEIGHTS, *ROOT),
    "test.privset.convex": SubsetConvex(PADDED, SET_WEIGHTS),
    "test.privset.better": SubsetBetter(PLAIN, RIVAL, (1 - M,)),
    "test.privset.above": SubsetErrorAbove(PLAIN, RIVAL, LARGE),
    "test.privset.other-law": SubsetLaw(PLAIN, HELD, HELD),
    "test.privset.other-constant": SubsetSmallest(PLAIN, W**2),
    "test.privset.biased": SubsetUnbiased(PLAIN, Estimator(HELD, OTHER)),
    "test.privset.other-root": SubsetBest(PLAIN, SET_WEIGHTS, privset.RADICAND, privset.SHIFT + 2 * W, privset.SCALE),
    "test.privset.concave": SubsetConvex(PLAIN, -SET_WEIGHTS),
    "test.privset.not-better": SubsetBetter(PLAIN, RIVAL),
    "test.privset.not-above": SubsetErrorAbove(PLAIN, 3 * LIMIT, MORE),
}
"""By an id of their own."""

REPRESENTATIVE: dict[str, str] = {
    "subsets-law proved": "002.base.privset.norm@padded",
    "subsets-law refuted": "test.privset.other-law",
    "subsets-ratio proved": "test.privset.ratio",
    "subsets-smallest proved": "test.privset.smallest",
    "subsets-smallest refuted": "test.privset.other-constant",
    "subsets-unbiased proved": "test.privset.unbiased",
    "subsets-unbiased refuted": "test.privset.biased",
    "subsets-same-choice proved": "002.base.privset.objective.corrected",
    "subsets-same-choice refuted": "002.base.privset.objective",
    "subsets-best proved": "test.privset.best",
    "subsets-best refuted": "test.privset.other-root",
    "subsets-no-formula refuted": "002.base.privset.ksearch",
    "subsets-convex proved": "test.privset.convex",
    "subsets-convex refuted": "test.privset.concave",
    "subsets-better proved": "test.privset.better",
    "subsets-better refuted": "test.privset.not-better",
    "subsets-error-above proved": "test.privset.above",
    "subsets-error-above refuted": "test.privset.not-above",
}

_DOUBLED = SubsetTable("plain", *(entry.substitute({"w": W**2}) for entry in (PLAIN.hit, PLAIN.miss)))
OTHERS_ON_SUBSETS: list[tuple[Statement, str, Any]] = [
    (SubsetRatio(_DOUBLED), "refuted", {"instance": {"d": 2, "m": 1, "k": 1, "w": "2"}}),
]
"""Evidence that no statement about the program needs: a table with e^(2 epsilon)."""
