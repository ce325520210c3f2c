"""Formal statements: baselines (source 002, section 2.3, and its reference [21])."""

from dp_spec.frequency import grr, rappor, sugrr, total_errors, uldp
from dp_spec.frequency.claims.one_item import ONE_ITEM
from dp_spec.frequency.inversion import emission
from dp_spec.frequency.surap import EQ21_SENSITIVE
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, Value, errors, formula, ordered
from dp_spec.vocabulary.law import USERS, Estimator, F, K, Law, M, N
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain, Item, Mse, Ratio, Smallest, Unbiased, View, conjunction
from dp_spec.vocabulary.term import Term, minimum, term, truncated_exponential

CLASSES: tuple[Item, Item] = ("sensitive", "nonsensitive")

_ITEMS = Domain({"w": ABOVE_ONE, "K": SOME})
_SPLIT = grr.GRR_SPLIT.rebased({"e0": rappor.T**2}, "t", 2 * M)
"""GRR with budget split in the root t = e^(epsilon/2m) that RAPPOR for sets uses."""

EXCHANGED = minimum(M, K, K + N - M)
"""The largest number of sensitive items that two m-sets can exchange."""


def _bound(law: Law, view: View, where: tuple[Term, ...] = ()) -> Ratio:
    return Ratio(law, view, "ldp", where=where)


def _tight(law: Law, view: View, where: tuple[Term, ...], constant: Term | None = None) -> Smallest:
    return Smallest(law, view, "ldp", where=where, constant=law.e_eps if constant is None else constant)


T = rappor.T
_GRR_ERROR = M * (T**2 + K - 2) / (USERS * (T**2 - 1) ** 2) + (K - 2) / (USERS * (T**2 - 1)) * F
_RAPPOR_MSE = total_errors.RAPPOR.part("sensitive")
_RAPPOR_SPLIT_MSE = Mse(
    rappor.RAPPOR_SPLIT, "sen", "sensitive", rappor.SPLIT_ESTIMATOR, formula=M * T / (USERS * (T - 1) ** 2)
)
_GRR_MSE = Mse(_SPLIT, "multiset", "sensitive", Estimator(_SPLIT.p - _SPLIT.q, M * _SPLIT.q), formula=_GRR_ERROR)
_SETS = {"t": ABOVE_ONE, "m": SOME, "n": SOME, "f": ANY_SIZE}
_WIDE_ONE = (K - 2 * M,)
_URAPS = {
    "default": (uldp.URAP, 1 - uldp.d2(rappor.stays(rappor.H), rappor.H**2)),
    "theta": (uldp.URAP_THETA, 1 - uldp.d2(uldp.THETA, grr.W)),
}
"""uRAP with the chance that a held non-sensitive item is shown."""


def _smaller(other: Mse, domain: Domain) -> Formula:
    """The error of RAPPOR for sets is smaller than another one at the same t = e^(epsilon/2m)."""
    values = {"rappor": Value(_RAPPOR_MSE, T), "other": Value(other, T)}
    return errors(domain, values, ordered("lt", "rappor", "other"), T ** (2 * M))


FORMAL: dict[str, Formal] = {
    "002.base.grr.eq5.norm": formula(
        _ITEMS,
        ("eq", grr.own(grr.W) + (K - 1) * grr.other(grr.W), term(1)),
        ("le", term(0), grr.own(grr.W)),
        ("le", term(0), grr.other(grr.W)),
    ),
    "002.base.grr.eq5.privacy": _bound(grr.GRR_SAMPLE, "one", ONE_ITEM),
    "002.base.grr.eq5.tight": _tight(grr.GRR_SAMPLE, "one", (*ONE_ITEM, K - 2)),
    "002.base.grr.unbiased": Unbiased(grr.GRR_SAMPLE, "one", "sensitive", grr.SAMPLE_ESTIMATOR, where=ONE_ITEM),
    "002.base.grrsplit.privacy@vector": _bound(grr.GRR_SPLIT, "vector"),
    "002.base.grrsplit.privacy@multiset": _bound(grr.GRR_SPLIT, "multiset"),
    "002.base.grrsplit.tight@vector": _tight(grr.GRR_SPLIT, "vector", (K - M - 1,)),
    "002.base.grrsplit.tight@multiset": _tight(grr.GRR_SPLIT, "multiset", (K - M - 1,)),
    "002.base.grrsplit.tight@multiset.corrected": _tight(
        grr.GRR_SPLIT, "multiset", _WIDE_ONE, truncated_exponential(M, grr.E0 - 1)
    ),
    "002.base.grrsplit.unbiased": Unbiased(grr.GRR_SPLIT, "multiset", "sensitive", grr.SPLIT_ESTIMATOR),
    "002.base.grrsample.privacy": _bound(grr.GRR_SAMPLE, "one"),
    "002.base.grrsample.tight": _tight(grr.GRR_SAMPLE, "one", _WIDE_ONE),
    "002.base.grrsample.tight.corrected": _tight(grr.GRR_SAMPLE, "one", (K - M - 1,), (grr.W + M - 1) / M),
    "002.base.grrsample.unbiased": Unbiased(grr.GRR_SAMPLE, "one", "sensitive", grr.SAMPLE_ESTIMATOR),
    "002.base.rappor.one.privacy": _bound(rappor.RAPPOR_SAMPLE, "sen", ONE_ITEM),
    "002.base.rappor.one.tight": _tight(rappor.RAPPOR_SAMPLE, "sen", (*ONE_ITEM, K - 2)),
    "002.base.rappor.eq6-7.privacy@exactm": _bound(rappor.RAPPOR_SET, "sen"),
    "002.base.rappor.eq6-7.privacy@atmost": Ratio(rappor.RAPPOR_SET, "sen", "ldp", sizes="atmost"),
    "002.base.rappor.eq6-7.tight@wide": _tight(rappor.RAPPOR_SET, "sen", _WIDE_ONE),
    "002.base.rappor.eq6-7.tight@narrow": _tight(rappor.RAPPOR_SET, "sen", (K - M - 1, 2 * M - 1 - K)),
    "002.base.rappor.eq6-7.tight@narrow.corrected": _tight(
        rappor.RAPPOR_SET, "sen", (K - M - 1,), rappor.T ** (2 * EXCHANGED)
    ),
    "002.base.rappor.unbiased": Unbiased(rappor.RAPPOR_SET, "sen", "sensitive", rappor.SET_ESTIMATOR),
    "002.base.rapporsample.privacy": _bound(rappor.RAPPOR_SAMPLE, "sen"),
    "002.base.rapporsample.tight@wide": _tight(rappor.RAPPOR_SAMPLE, "sen", _WIDE_ONE),
    "002.base.rapporsample.tight@narrow": _tight(rappor.RAPPOR_SAMPLE, "sen", (K - M - 1, 2 * M - 1 - K)),
    "002.base.rapporsample.tight@narrow.corrected": _tight(
        rappor.RAPPOR_SAMPLE, "sen", (K - M - 1,), (M + EXCHANGED * (rappor.H**2 - 1)) / M
    ),
    "002.base.rapporsample.unbiased": Unbiased(rappor.RAPPOR_SAMPLE, "sen", "sensitive", rappor.SAMPLE_ESTIMATOR),
    "002.base.rappor.bettersplit@rappor": _smaller(_RAPPOR_SPLIT_MSE, Domain(_SETS, (1 - F,))),
    "002.base.rappor.bettersplit@rappor.corrected": _smaller(
        _RAPPOR_SPLIT_MSE, Domain(_SETS | {"m": SEVERAL}, (1 - F,))
    ),
    "002.base.rappor.bettersplit@grr": _smaller(_GRR_MSE, Domain(_SETS | {"K": SOME}, (1 - F, K - M))),
    "002.base.rappor.bettersplit@grr.corrected": conjunction(
        _RAPPOR_MSE,
        _GRR_MSE,
        formula(
            _SETS | {"K": SOME},
            (
                "eq",
                _GRR_ERROR - EQ21_SENSITIVE,
                (M * (T**2 + K - 2) + F * (K - 2) * (T**2 - 1) - T * (T + 1) ** 2) / (USERS * (T**2 - 1) ** 2),
            ),
        ),
    ),
    "002.base.urr.norm": formula(
        _ITEMS,
        ("eq", grr.own(grr.W) + (K - 1) * grr.other(grr.W), term(1)),
        ("eq", K * grr.other(grr.W) + (grr.own(grr.W) - grr.other(grr.W)), term(1)),
        ("le", term(0), grr.other(grr.W)),
        ("le", grr.other(grr.W), grr.own(grr.W)),
    ),
    "002.base.urr.uldp": conjunction(
        *emission(uldp.URR, "one", sugrr.kept(grr.W), ONE_ITEM),
        Ratio(uldp.URR, "one", "joint", where=ONE_ITEM),
    ),
    "002.base.urr.tight": Smallest(uldp.URR, "one", "joint", where=(*ONE_ITEM, K + N - 2), constant=uldp.URR.e_eps),
    "002.base.urr.unbiased": conjunction(
        *(
            Unbiased(uldp.URR, "one", item, estimator, where=ONE_ITEM)
            for item, estimator in zip(CLASSES, uldp.URR_ESTIMATORS, strict=True)
        )
    ),
    **{
        f"002.base.urap.uldp@{name}": conjunction(
            *emission(law, "sen", shown, ONE_ITEM), Ratio(law, "sen", "joint", where=ONE_ITEM)
        )
        for name, (law, shown) in _URAPS.items()
    },
    "002.base.urap.tight": Smallest(
        uldp.URAP_THETA, "sen", "joint", where=(*ONE_ITEM, K - 2), constant=uldp.URAP_THETA.e_eps
    ),
    "002.base.urap.unbiased": conjunction(
        *(
            Unbiased(uldp.URAP_THETA, "sen", item, estimator, where=ONE_ITEM)
            for item, estimator in zip(CLASSES, uldp.URAP_ESTIMATORS, strict=True)
        )
    ),
}
"""Every id of the section with its formal statement."""
