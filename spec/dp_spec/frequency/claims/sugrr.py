"""Formal statements: suGRR and suGRR-Sample (source 002, section 4.1)."""

from dataclasses import replace

from dp_spec.frequency import grr, sugrr, total_errors
from dp_spec.frequency.inversion import emission
from dp_spec.frequency.sugrr import SAMPLING, SUGRR, SUGRR_SAMPLE
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Bounded, Formula, Value, closed_form, formula
from dp_spec.vocabulary.law import USERS, F, K, M, N
from dp_spec.vocabulary.ranges import ANY_SIZE, FROM_ONE, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import (
    BernoulliSum,
    Compared,
    Computable,
    Domain,
    Mse,
    ProductForm,
    Ratio,
    Smallest,
    Unbiased,
    View,
    conjunction,
)
from dp_spec.vocabulary.term import Term, exp, term, truncated_exponential, var

VIEWS: tuple[View, ...] = ("set", "multiset", "position", "padded")
CONDITIONAL: tuple[Compared, ...] = ("joint", "deniability", "samenon")
E0, W, EPS = grr.E0, grr.W, var("eps")
P, Q, R = sugrr.own(E0), sugrr.other(E0), sugrr.kept(E0)


def _normalized(x: Term) -> Formula:
    """(13) with x for e^(epsilon/m) or e^epsilon: both rows sum to 1, all entries are >= 0."""
    p, q, r = sugrr.own(x), sugrr.other(x), sugrr.kept(x)
    return formula(
        {str(x.head): FROM_ONE, "K": SOME},
        ("eq", p + (K - 1) * q, term(1)),
        ("eq", K * q + r, term(1)),
        ("le", term(0), p),
        ("le", term(0), q),
        ("le", term(0), r),
    )


def _privacy(view: View, relation: Compared, counted: str = "all") -> Ratio:
    ratio = Ratio(SUGRR, view, relation, "nonempty" if counted == "nonempty" else "all", any_order=view == "position")
    return replace(ratio, cases=(view, counted) == ("set", "nonempty"))


def error_readings(row: str, error: Mse, printed: Term) -> dict[str, Formal]:
    """The readings of an error formula; what they add or replace where it is not the printed one."""
    formula = closed_form(error)
    forms: dict[str, Formal] = {
        f"{row}@fixed-data": replace(error, formula=printed),
        f"{row}@iid": replace(error, data="iid", formula=printed),
        f"{row}@iid.corrected": replace(error, data="iid", formula=formula + SAMPLING),
    }
    return forms if formula is printed else forms | {f"{row}@fixed-data.corrected": error}


def _of_views(row: str, error: Mse, **others: Term) -> dict[str, Formal]:
    """An error of suGRR for fixed data in every view, some of them with other formulas; and for drawn data."""
    readings = error_readings(row, error, closed_form(error))
    return {
        **{f"{row}@{view}": replace(error, view=view) for view in VIEWS},
        **{f"{row}@{view}.corrected": replace(error, view=view, formula=of) for view, of in others.items()},  # type: ignore[arg-type]
        **{i: form for i, form in readings.items() if "@iid" in i},
    }


_SPLIT, _SAMPLE = (
    (total.part("sensitive"), total.part("nonsensitive")) for total in (total_errors.SUGRR, total_errors.SUGRR_SAMPLE)
)
_GROWING = Domain(
    {
        "eps": POSITIVE,
        "m": SOME,
        "K": SOME,
        "n": SOME,
        "f": ANY_SIZE,
    },
    (1 - F,),
)


def _smaller_order(domain: Domain) -> Bounded:
    """m (error of suGRR-Sample) <= C (error of suGRR), C free of m: the order in m is smaller by one at least."""
    values = {"sample": Value(_SAMPLE[0], exp(EPS)), "split": Value(_SPLIT[0], exp(EPS / M))}
    return Bounded(domain, ((M * var("sample"), var("split")),), ("eps", "K", "n", "f"), ("m",), values, exp(EPS))


FORMAL: dict[str, Formal] = {
    "002.eq13.norm@split": _normalized(E0),
    "002.eq13.norm@sample": _normalized(W),
    **{f"002.alg.sugrr.output@{view}": Computable(SUGRR, view) for view in VIEWS},
    "002.thm1.sugrr.inv": conjunction(*emission(SUGRR, "multiset", R)),
    **{f"002.thm1.sugrr.eq11@{view}-marginal": _privacy(view, "marginal") for view in VIEWS},
    **{f"002.thm1.sugrr.eq11@{view}-marginal-nonempty": _privacy(view, "marginal", "nonempty") for view in VIEWS[:3]},
    **{f"002.thm1.sugrr.eq11@{view}-{r}": _privacy(view, r) for view in VIEWS for r in CONDITIONAL},
    "002.thm1.sugrr.eq11@position-samenon.corrected": Ratio(SUGRR, "position", "samenon"),
    "002.thm1.sugrr.proof.product@ordered": ProductForm(SUGRR, "position"),
    "002.thm1.sugrr.proof.product@set": ProductForm(SUGRR, "set"),
    "002.thm1.sugrr.proof.product@multiset": ProductForm(SUGRR, "multiset"),
    **{
        f"002.thm1.sugrr.tight@{view}{suffix}": Smallest(
            SUGRR, view, "joint", where=(K - M, K + N - 2 * M), constant=constant
        )
        for view in VIEWS[:2]
        for suffix, constant in {"": SUGRR.e_eps, ".corrected": truncated_exponential(M, E0 - 1)}.items()
    },
    "002.thm1.sugrrsample.inv": conjunction(*emission(SUGRR_SAMPLE, "one", sugrr.kept(W) / M)),
    "002.thm1.sugrrsample.eq11@bot-in-marginal": Ratio(SUGRR_SAMPLE, "one", "marginal"),
    "002.thm1.sugrrsample.eq11@bot-out-marginal": Ratio(SUGRR_SAMPLE, "one", "marginal", "nonempty"),
    **{f"002.thm1.sugrrsample.eq11@{r}": Ratio(SUGRR_SAMPLE, "one", r) for r in CONDITIONAL},
    "002.thm1.sugrrsample.tight": Smallest(
        SUGRR_SAMPLE, "one", "joint", where=(K + N - M - 1,), constant=SUGRR_SAMPLE.e_eps
    ),
    "002.thm1.sugrrsample.tight.corrected": Smallest(
        SUGRR_SAMPLE, "one", "joint", where=(K + N - M - 1,), constant=(W + M - 1) / M
    ),
    **{f"002.thm2.sugrr.sens@{view}": Unbiased(SUGRR, view, "sensitive", sugrr.SUGRR_SENSITIVE) for view in VIEWS},
    "002.thm2.sugrr.sens@set.corrected": Unbiased(SUGRR, "set", "sensitive", sugrr.SET_ESTIMATOR),
    "002.thm2.sugrr.sens@padded.corrected": Unbiased(SUGRR, "padded", "sensitive", sugrr.PADDED_ESTIMATOR),
    **{f"002.thm2.sugrr.non@{view}": Unbiased(SUGRR, view, "nonsensitive", sugrr.SUGRR_NONSENSITIVE) for view in VIEWS},
    **{f"002.thm2.sugrr.proof@{view}": BernoulliSum(SUGRR, view) for view in VIEWS},
    "002.thm2.sugrrsample.sens": Unbiased(SUGRR_SAMPLE, "one", "sensitive", sugrr.SAMPLE_SENSITIVE),
    "002.thm2.sugrrsample.non": Unbiased(SUGRR_SAMPLE, "one", "nonsensitive", sugrr.SAMPLE_NONSENSITIVE),
    **_of_views("002.thm3.eq16.sens", _SPLIT[0], set=sugrr.EQ16_SENSITIVE_SET, padded=sugrr.EQ16_SENSITIVE_PADDED),
    **_of_views("002.thm3.eq16.non", _SPLIT[1]),
    **error_readings("002.thm3.eq17.sens", _SAMPLE[0], sugrr.EQ17_SENSITIVE),
    **error_readings("002.thm3.eq17.non", _SAMPLE[1], sugrr.EQ17_NONSENSITIVE),
    "002.thm3.proof.sens": replace(
        _SPLIT[0], formula=(USERS * P * (1 - P) * F + USERS * (M - F) * Q * (1 - Q)) / (USERS**2 * (P - Q) ** 2)
    ),
    "002.thm3.proof.non": replace(_SPLIT[1], formula=USERS * R * (1 - R) * F / (USERS * R) ** 2),
    "002.thm3.proof.likewise": replace(_SAMPLE[0], formula=sugrr.EQ17_SENSITIVE),
    "002.thm3.proof.likewise.corrected": _SAMPLE[0],
    "002.prose.splitgrows": _smaller_order(_GROWING),
    "002.prose.splitgrows.corrected": _smaller_order(
        Domain({**_GROWING.variables, "K": SEVERAL}, (1 - EPS, *_GROWING.constraints))
    ),
}
"""Every id of the section with its formal statement."""
