"""Formal statements: PrivSet (source 002, section 1, and its reference [23])."""

from dp_spec.frequency import grr, privset, rappor
from dp_spec.frequency.privset import PADDED, PLAIN, READINGS, SET_WEIGHTS, SINGLE_WEIGHTS
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.law import USERS, M
from dp_spec.vocabulary.statement import All, Domain, Mse, Range
from dp_spec.vocabulary.subset_statements import (
    SubsetBest,
    SubsetBetter,
    SubsetConvex,
    SubsetErrorAbove,
    SubsetLaw,
    SubsetNoFormula,
    SubsetRatio,
    SubsetSameChoice,
    SubsetSmallest,
    SubsetTable,
    SubsetUnbiased,
)
from dp_spec.vocabulary.term import var

D, T = var("d"), rappor.T
ONE_ITEM = (1 - M,)
"""m = 1."""
BOTH: tuple[SubsetTable, ...] = (PLAIN, PADDED)

_PER_ITEM = T / (USERS * (T - 1) ** 2)
_RAPPOR = Mse(rappor.RAPPOR_SET, "sen", "sensitive", rappor.SET_ESTIMATOR, formula=_PER_ITEM)
RIVAL = D * T / (T - 1) ** 2
"""n times the sum of the MSEs of RAPPOR for sets over the d items."""
LIMIT = M * (M - 1)
_MORE_ITEMS = {"d": Range(1, integer=True), "m": Range(2, integer=True), "t": Range(1, strict=True)}
_LARGE = Domain(_MORE_ITEMS, (LIMIT * (T - 1) ** 2 - D * T,))
"""d t <= m (m - 1) (t - 1)^2."""

FORMAL: dict[str, Formal] = {
    **{
        f"002.base.privset.norm@{name}": SubsetLaw(table, privset.HELD, privset.OTHER)
        for name, table in READINGS.items()
    },
    "002.base.privset.privacy": All(tuple(SubsetRatio(table) for table in BOTH)),
    "002.base.privset.tight": All(tuple(SubsetSmallest(table, grr.W) for table in BOTH)),
    "002.base.privset.unbiased": All(tuple(SubsetUnbiased(table, privset.ESTIMATOR) for table in BOTH)),
    "002.base.privset.ksearch": SubsetNoFormula(PADDED, SET_WEIGHTS),
    "002.base.privset.ksearch.corrected": All(
        tuple(SubsetBest(table, SET_WEIGHTS, privset.RADICAND, privset.SHIFT, privset.SCALE) for table in BOTH)
    ),
    "002.base.privset.ksearch.corrected2": All(tuple(SubsetConvex(table, SET_WEIGHTS) for table in BOTH)),
    "002.base.privset.objective": SubsetSameChoice(PADDED, (SET_WEIGHTS, SINGLE_WEIGHTS)),
    "002.base.privset.objective.corrected": SubsetSameChoice(PADDED, (SET_WEIGHTS, SINGLE_WEIGHTS), ONE_ITEM),
    "002.base.privset.better": All((_RAPPOR, SubsetBetter(PLAIN, RIVAL))),
    "002.base.privset.better.corrected": All((_RAPPOR, SubsetBetter(PLAIN, RIVAL, ONE_ITEM))),
    "002.base.privset.better.corrected2": All(
        (
            _RAPPOR,
            *(SubsetErrorAbove(table, LIMIT, Domain(_MORE_ITEMS)) for table in BOTH),
            *(SubsetErrorAbove(table, RIVAL, _LARGE) for table in BOTH),
        )
    ),
}
"""Every id of PrivSet with its formal statement."""
