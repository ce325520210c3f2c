"""Formal statements of the literature on frequency oracles: unary and histogram encoding, local hashing, Hadamard
response."""

from dataclasses import replace
from typing import Literal

from dp_spec.frequency import count_sketch, grr, hadamard, histogram, local_hashing, subset_selection, unary
from dp_spec.frequency.claims.one_item import ONE_ITEM, exactly, mean, mse, private, unbiased, variance
from dp_spec.frequency.local_hashing import B, W
from dp_spec.frequency.single_item import DIFFERENCES
from dp_spec.frequency.sugrr import EQ17_SENSITIVE_CORRECTED
from dp_spec.frequency.surap import EQ22_SENSITIVE_CORRECTED
from dp_spec.vocabulary.additive import Quantity
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, SharedVariance, Value, errors, formula
from dp_spec.vocabulary.law import USERS, Estimator, F, K
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, POSITIVE, SEVERAL, SOME, UNIT
from dp_spec.vocabulary.statement import Domain, Mse, Relation, conjunction
from dp_spec.vocabulary.term import Term, term, var


def _nobody(variance: Term) -> Term:
    """n times the variance of an item that nobody holds."""
    return variance.substitute({"f": term(0), "n": term(1)})


def _at_power(power: Term) -> Term:
    """The same of THE where e^(epsilon theta / 2) is the power, t = e^(epsilon/4)."""
    return _nobody(histogram.PRINTED).substitute({"a": power / var("t") ** 2, "h": var("t") ** 2})


def _at_one_budget(formula: Term, first: Value, second: Value) -> Formula:
    """(e^epsilon - 1)^2 n times the first error less the second is the formula, for an item that nobody holds."""
    domain = Domain({"w": ABOVE_ONE, "K": SEVERAL, "n": SOME})
    scaled = (W - 1) ** 2 * USERS * (var("first") - var("second"))
    return errors(domain, {"first": first, "second": second}, (("eq", scaled, formula),), W)


_AT = {"m": term(1), "K": K, "n": USERS, "f": term(0)}
_OUE = Value(Mse(unary.OUE, "sen", "sensitive", unary.ESTIMATOR, formula=unary.VARIANCE), W, _AT)
_GRR = Value(Mse(grr.GRR_SAMPLE, "one", "sensitive", grr.SAMPLE_ESTIMATOR, formula=EQ17_SENSITIVE_CORRECTED), W, _AT)

_EPS, _ONE_HOT = var("eps"), Domain({"d": SEVERAL, "eps": POSITIVE})
_SHE_LOSS = Quantity(histogram.SHE, ("loss", "replace"), {"h": term(1)})


def _of_entries(what: Literal["returned", "covariance"], value: Term) -> Formula:
    """A matrix of the estimates from one report: a value on the diagonal, 0 beside it."""
    at = {"h": term(1)}
    return formula(
        _ONE_HOT,
        ("eq", var("own"), value),
        ("eq", var("pair"), term(0)),
        quantities={
            "own": Quantity(histogram.SHE, (what, "diagonal"), at),
            "pair": Quantity(histogram.SHE, (what, "pair"), {**at, "k": term(1)}),
        },
    )


_THE_ESTIMATOR = Estimator(*(x.substitute(histogram.AT_SHARE) for x in (histogram.P - histogram.Q, histogram.Q)))
_THE_VARIANCE, _THE_PRINTED, _ATTAINED = (
    x.substitute(histogram.AT_SHARE) for x in (histogram.VARIANCE, histogram.PRINTED, histogram.ATTAINED)
)
_THRESHOLDS = Domain({"h": ABOVE_ONE, "z": UNIT})
"""Every epsilon > 0 and every threshold strictly between 0 and 1."""

_T = var("t")
_ONE = {"m": term(1), "D": K, "w": _T**2, "h": _T}
_VARIANCES: dict[str, Term] = {
    "GRR": EQ17_SENSITIVE_CORRECTED,
    "RAPPOR": EQ22_SENSITIVE_CORRECTED,
    "OUE": unary.VARIANCE,
    "OLH": local_hashing.VARIANCE,
    "SubsetSelection": subset_selection.VARIANCE,
    "HadamardResponse": hadamard.RESPONSE_VARIANCE,
    "BLH": local_hashing.VARIANCE.substitute({"b": term(2)}),
    "ClientCMS": count_sketch.VARIANCE,
    "HCMS": hadamard.HCMS_VARIANCE,
}
"""Every mechanism's exact variance for one item per user, each proved of its law by a claim of its own."""
_NEVER_BETTER = {("ClientCMS", "RAPPOR"), ("HCMS", "HadamardResponse")}
"""Pairs of which the first has at least the error of the second, for all data."""


def _compared(first: str, second: str) -> Formula:
    """(e^epsilon - 1)^2 n times the first variance less the second is the stated difference, for every f; subsets have
    k of k + u items."""
    of_subsets = {"D": var("k") + var("u"), "K": var("k") + var("u")} if "SubsetSelection" in (first, second) else {}
    put = {**_ONE, **of_subsets}
    variances = [_VARIANCES[name].substitute(put) for name in (first, second)]
    difference = DIFFERENCES[first, second].substitute(put)
    used = {*difference.variables(), *variances[0].variables(), *variances[1].variables()}
    ranges = {"K": SEVERAL, "b": SEVERAL, "k": SOME, "u": SOME, "n": SOME, "f": ANY_SIZE}
    domain = {"t": ABOVE_ONE, **{name: spec for name, spec in ranges.items() if name in used}}
    relations: list[Relation] = [("eq", (_T**2 - 1) ** 2 * USERS * (variances[0] - variances[1]), difference)]
    relations += [("le", term(0), difference)] * ((first, second) in _NEVER_BETTER)
    return formula(domain, *relations, where=(1 - F,) if "f" in used else ())


COMPARED: dict[str, Formal] = {
    f"lit.compared.{first.lower()}-{second.lower()}": _compared(first, second) for first, second in DIFFERENCES
}

FORMAL: dict[str, Formal] = COMPARED | {
    "lit.wang2017.oue.privacy": conjunction(private(unary.OUE, "sen"), exactly(unary.OUE, "sen")),
    "lit.wang2017.oue.unbiased": unbiased(unary.OUE, unary.ESTIMATOR, "sen"),
    "lit.wang2017.oue.var": mse(unary.OUE, unary.ESTIMATOR, unary.VARIANCE, "sen"),
    "lit.wang2017.she.privacy": formula(_ONE_HOT, ("le", var("loss"), _EPS), quantities={"loss": _SHE_LOSS}),
    "lit.wang2017.she.tight": formula(_ONE_HOT, ("eq", var("loss"), _EPS), quantities={"loss": _SHE_LOSS}),
    "lit.wang2017.she.unbiased": _of_entries("returned", term(1)),
    "lit.wang2017.she.var": _of_entries("covariance", histogram.SHE_VARIANCE.substitute({"n": 1})),
    "lit.wang2017.the.privacy": private(histogram.THE, "sen"),
    "lit.wang2017.the.tight": exactly(histogram.THE, "sen", histogram.H**2),
    "lit.wang2017.the.attained": replace(exactly(histogram.THE, "sen", _ATTAINED), cases=True),
    "lit.wang2017.the.loss": formula(_THRESHOLDS, ("lt", term(1), _ATTAINED), ("lt", _ATTAINED, histogram.H**2)),
    "lit.wang2017.the.unbiased": unbiased(histogram.THE, _THE_ESTIMATOR, "sen"),
    "lit.wang2017.the.var": mse(histogram.THE, _THE_ESTIMATOR, _THE_VARIANCE, "sen"),
    "lit.wang2017.the.printed": formula(_THRESHOLDS, ("eq", _nobody(_THE_VARIANCE), _nobody(_THE_PRINTED))),
    "lit.wang2017.the.half": formula(
        {"t": ABOVE_ONE, "z": UNIT}, ("lt", _at_power(var("t")), _at_power(1 + (var("t") - 1) * histogram.SHARE))
    ),
    "lit.wang2017.olh.privacy": private(local_hashing.ANY),
    "lit.wang2017.olh.tight": exactly(local_hashing.SEPARATED),
    "lit.wang2017.olh.unbiased": unbiased(local_hashing.OLH, local_hashing.ESTIMATOR),
    "lit.wang2017.olh.var": mse(local_hashing.OLH, local_hashing.ESTIMATOR, local_hashing.VARIANCE),
    "lit.wang2017.olh.range": formula(
        {"w": ABOVE_ONE, "b": ABOVE_ONE},
        ("le", _nobody(local_hashing.VARIANCE).substitute({"b": W + 1}), _nobody(local_hashing.VARIANCE)),
    ),
    "lit.wang2017.olh.oue": formula(
        {"w": ABOVE_ONE}, ("eq", _nobody(local_hashing.VARIANCE).substitute({"b": W + 1}), _nobody(unary.VARIANCE))
    ),
    "lit.wang2017.grr": _at_one_budget(3 * W + 2 - K, _OUE, _GRR),
    "lit.cormode2021.flh.unbiased": unbiased(local_hashing.ANY, local_hashing.ESTIMATOR),
    "lit.cormode2021.flh.mean": mean(local_hashing.ANY, local_hashing.ESTIMATOR, local_hashing.MEAN),
    "lit.cormode2021.flh.var@fixed": variance(local_hashing.ANY, local_hashing.ESTIMATOR, local_hashing.FIXED_VARIANCE),
    "lit.cormode2021.flh.var@drawn": SharedVariance(
        replace(local_hashing.ANY, integers={"b": 2, "k": 1}),
        "vector",
        "sensitive",
        local_hashing.ESTIMATOR,
        where=ONE_ITEM,
        formula=local_hashing.DRAWN_VARIANCE,
        rows=var("k"),
        labels=B,
        independence="threewise",
    ),
    "lit.bassily2017.hr.privacy": conjunction(private(hadamard.RESPONSE), exactly(hadamard.RESPONSE)),
    "lit.bassily2017.hr.unbiased": unbiased(hadamard.RESPONSE, hadamard.RESPONSE_ESTIMATOR),
    "lit.bassily2017.hr.var": mse(hadamard.RESPONSE, hadamard.RESPONSE_ESTIMATOR, hadamard.RESPONSE_VARIANCE),
}
"""Every id with its formal statement."""
