"""Exact errors of the mechanisms of source 002, per item and summed over X, in the forms that the claims prove."""

from dp_spec.frequency import grr, rappor, sugrr, surap, uldp, wheel
from dp_spec.frequency.rappor import T
from dp_spec.vocabulary.error_statements import Total
from dp_spec.vocabulary.law import USERS, Estimator, Law, M, bits, each
from dp_spec.vocabulary.statement import Mse, View
from dp_spec.vocabulary.term import Term, term


def _total(law: Law, view: View, sensitive: tuple[Estimator, Term], other: tuple[Estimator, Term] | None) -> Total:
    """The estimator and the error of a sensitive item, and of another one."""
    parts = Mse(law, view, "sensitive", sensitive[0], formula=sensitive[1])
    return Total(parts, None if other is None else Mse(law, view, "nonsensitive", other[0], formula=other[1]))


SUGRR = _total(
    sugrr.SUGRR,
    "multiset",
    (sugrr.SUGRR_SENSITIVE, sugrr.EQ16_SENSITIVE),
    (sugrr.SUGRR_NONSENSITIVE, sugrr.EQ16_NONSENSITIVE),
)
SUGRR_SAMPLE = _total(
    sugrr.SUGRR_SAMPLE,
    "one",
    (sugrr.SAMPLE_SENSITIVE, sugrr.EQ17_SENSITIVE_CORRECTED),
    (sugrr.SAMPLE_NONSENSITIVE, sugrr.EQ17_NONSENSITIVE_CORRECTED),
)
SURAP = _total(
    surap.SURAP,
    "sen",
    (surap.SURAP_SENSITIVE, surap.EQ21_SENSITIVE),
    (surap.SURAP_NONSENSITIVE, surap.EQ21_NONSENSITIVE),
)
SURAP_SAMPLE = _total(
    surap.SURAP_SAMPLE,
    "sen",
    (surap.SAMPLE_SENSITIVE, surap.EQ22_SENSITIVE_CORRECTED),
    (surap.SAMPLE_NONSENSITIVE, surap.EQ22_NONSENSITIVE_CORRECTED),
)
SUWHEEL = _total(
    wheel.SUWHEEL, "ideal", (wheel.SENSITIVE, wheel.MSE_SENSITIVE), (wheel.NONSENSITIVE, wheel.EQ25_NONSENSITIVE)
)
GRR = _total(grr.GRR_SPLIT, "multiset", (grr.SPLIT_ESTIMATOR, sugrr.EQ16_SENSITIVE), None)
GRR_SAMPLE = _total(grr.GRR_SAMPLE, "one", (grr.SAMPLE_ESTIMATOR, sugrr.EQ17_SENSITIVE_CORRECTED), None)
RAPPOR = _total(rappor.RAPPOR_SET, "sen", (rappor.SET_ESTIMATOR, surap.EQ21_SENSITIVE), None)
RAPPOR_SAMPLE = _total(rappor.RAPPOR_SAMPLE, "sen", (rappor.SAMPLE_ESTIMATOR, surap.EQ22_SENSITIVE_CORRECTED), None)
WHEEL = _total(wheel.WHEEL, "ideal", (wheel.SENSITIVE, wheel.MSE_SENSITIVE), None)

URR_SPLIT_LAW = Law("urr-split", "e0", M, sugrr.SUGRR.term)
"""uRR run on each item with epsilon/m, the results of all reports together."""
URR_SPLIT = _total(
    URR_SPLIT_LAW,
    "multiset",
    (sugrr.SUGRR_SENSITIVE, sugrr.EQ16_SENSITIVE),
    (sugrr.SUGRR_NONSENSITIVE, sugrr.EQ16_NONSENSITIVE),
)
URAP_SPLIT_LAW = Law(
    "urap-split",
    "t",
    2 * M,
    each("held", bits(rappor.stays(T), uldp.d1(rappor.stays(T), T**2), 1 - uldp.d2(rappor.stays(T), T**2))),
)
"""uRAP (default theta) run on each item with epsilon/m: m vectors."""
URAP_SPLIT = _total(
    URAP_SPLIT_LAW,
    "sen",
    (Estimator(URAP_SPLIT_LAW.p - URAP_SPLIT_LAW.q, M * URAP_SPLIT_LAW.q), M * T / (USERS * (T - 1) ** 2)),
    (Estimator(surap.kept(T), term(0)), surap.EQ21_NONSENSITIVE),
)
"""In the estimator every one of the m vectors may hold a false count."""

FIVE = {
    "sugrr": SUGRR,
    "sugrrsample": SUGRR_SAMPLE,
    "surap": SURAP,
    "surapsample": SURAP_SAMPLE,
    "suwheel": SUWHEEL,
}
EXISTING = {"grr": GRR, "grrsample": GRR_SAMPLE, "rappor": RAPPOR, "rapporsample": RAPPOR_SAMPLE, "wheel": WHEEL}
BUILT_ON = dict(zip(FIVE, EXISTING, strict=True))
"""The existing mechanism that each of the five is built on."""
