"""False certificates about reports and estimators."""

from dataclasses import replace

from certificates import Json, certified
from dp_checks import hints
from dp_checks.check.moments import step_json
from dp_spec.frequency import rappor, sugrr, surap
from dp_spec.frequency.claims import sugrr as sugrr_claims
from dp_spec.vocabulary.law import Estimator, F, M
from dp_spec.vocabulary.statement import (
    Compare,
    Computable,
    Domain,
    Mse,
    Padding,
    ProductForm,
    Range,
    SmallerOrder,
    Unbiased,
)
from dp_spec.vocabulary.term import term, var
from planted import CONTRIBUTIONS, T, W, changed, planted

# --- reports ----------------------------------------------------------------------------------------------------------


@planted("the probability of one drawn item is an average")
def product_form_of_an_average() -> Json:
    """With one drawn item the probability is an average, not a product."""
    evidence = {"lemma": "results in place", "factor": "h"}
    return certified(ProductForm(surap.SURAP_SAMPLE, "whole"), "proved", evidence)


@planted("-1 is not in 0")
def results_that_are_no_items() -> Json:
    """F_x cannot be computed, by results -1 of items -1."""
    evidence = {"K": 1, "N": 1, "item": 0, "results": [[-1, 0, 0], [-1, -1, 0]], "sets": [[-3, -2, -1], [-3, -2, -1]]}
    return certified(Computable(sugrr.SUGRR, "set"), "refuted", evidence)


@planted("a view that the law does not have")
def counts_of_bits_as_items() -> Json:
    """F_x from bits cannot be computed, by slots of items."""
    evidence = {"K": 2, "N": 1, "item": 0, "results": [[0, 0, 1], [0, 1, 1]], "sets": [[0, 1, 2], [0, 1, 2]]}
    return certified(changed(Computable(surap.SURAP, "sen"), view="set"), "refuted", evidence)


@planted("no cases for this estimator")
def correction_ignored_by_padding() -> Json:
    """An estimator with a correction by invertible data, judged without it."""
    estimators = (
        replace(surap.SURAP_SENSITIVE, per_invertible=term(1)),
        surap.SURAP_NONSENSITIVE,
    )
    statement = Padding(surap.SURAP, "sen", "long", estimators, (M / var("size")) * var("held"))
    case = {"m": 1, "K": 1, "N": 1, "s": [0, 1], "item": 0}
    return certified(statement, "verified", {"instances": [case]})


# --- estimators -------------------------------------------------------------------------------------------------------


@planted("a population for i.i.d. users, and only for them")
def sampled_data_judged_as_fixed() -> Json:
    """The i.i.d. error of (21), which is right, refuted by a fixed data set."""
    formula = surap.EQ21_SENSITIVE + sugrr.SAMPLING
    statement = Mse(surap.SURAP, "sen", "sensitive", surap.SURAP_SENSITIVE, data="iid", formula=formula)
    at = {"m": 1, "K": 2, "N": 0, "n": 2, "t": "2"}
    # users {0} and {1}: variance (2/9 + 2/9)/4 / (1/3)^2 = 1; the formula adds 1/8
    evidence = {"instance": at, "users": [[0], [1]], "item": 0, "exact": "1", "stated": "9/8"}
    return certified(statement, "refuted", evidence)


@planted("not a law on sets")
def negative_weights() -> Json:
    """A population in which a set has probability -1, against an error formula that is right."""
    formula = surap.EQ21_SENSITIVE + sugrr.SAMPLING
    statement = Mse(surap.SURAP, "sen", "sensitive", surap.SURAP_SENSITIVE, data="iid", formula=formula + F * (1 - F))
    at = {"m": 1, "K": 2, "N": 0, "n": 1, "t": "2"}
    evidence = {"instance": at, "population": [[[0], "2"], [[1], "-1"]], "item": 0, "exact": "0", "stated": "-2"}
    return certified(statement, "refuted", evidence)


@planted("the mean varies with |s_non|")
def sampling_error_of_padded_reports() -> Json:
    """Users drawn at random vary in |s_non|, too: the printed gain counts [x in s] only."""
    law, estimator = sugrr.SUGRR, sugrr.SUGRR_SENSITIVE
    formula = sugrr.EQ16_SENSITIVE_PADDED + sugrr.SAMPLING
    return certified(Mse(law, "padded", "sensitive", estimator, data="iid", formula=formula), "proved", CONTRIBUTIONS)


@planted("unbound symbol g")
def correction_of_one_draw() -> Json:
    """Correcting for invertible data, of which one drawn item gives r g / m, not r g."""
    law, p, q = sugrr.SUGRR_SAMPLE, sugrr.own(W), sugrr.other(W)
    r = sugrr.kept(W)
    slope = (p - q) / M
    # E[F_x/n] = q + f (p - q)/m; adding and subtracting a correction with mean g r only in the kernel's mind
    estimator = Estimator(slope, q - var("g") * r, term(1))
    return certified(Unbiased(law, "one", "sensitive", estimator), "proved", CONTRIBUTIONS)


@planted("a side is the MSE of a plain estimator")
def comparison_without_the_noise_of_a_correction() -> Json:
    """A shift by r and a correction by invertible data with mean r (g = 1) have one bias; only the correction is
    noisy.
    """
    p, q, r = rappor.stays(T), rappor.appears(T), surap.kept(T)
    shifted, corrected = Estimator(p - q, q + r), Estimator(p - q, q, term(1))
    left, right = (Mse(surap.SURAP, "sen", "sensitive", estimator) for estimator in (shifted, corrected))
    ranges = {"t": Range(1, strict=True), "n": Range(1, integer=True), "f": Range(), "g": Range(1)}
    at = {"t": "2", "n": "1", "f": "0", "g": "1"}
    return certified(Compare(left, right, Domain(ranges, (1 - F,))), "refuted", {"values": at})


@planted("the sides spend different budgets")
def comparison_at_two_budgets() -> Json:
    """One side spends e^eps = t^(2m), the other t^(4m)."""
    left = Mse(replace(rappor.RAPPOR_SET, power=4 * M), "sen", "sensitive", rappor.SET_ESTIMATOR)
    right = Mse(rappor.RAPPOR_SPLIT, "sen", "sensitive", rappor.SPLIT_ESTIMATOR)
    ranges = {"t": Range(1, strict=True), "m": Range(2, integer=True), "n": Range(1, integer=True), "f": Range()}
    return certified(Compare(left, right, Domain(ranges, (1 - F,))), "proved", {"step": {}})


@planted("no data set has these frequencies")
def comparison_at_a_frequency_of_two() -> Json:
    """A domain that lets f_x be 2, and a witness that uses it."""
    left = Mse(rappor.RAPPOR_SET, "sen", "sensitive", rappor.SET_ESTIMATOR)
    right = Mse(rappor.RAPPOR_SPLIT, "sen", "sensitive", rappor.SPLIT_ESTIMATOR)
    ranges = {"t": Range(1, strict=True), "m": Range(1, integer=True), "n": Range(1, integer=True), "f": Range()}
    at = {"t": "2", "m": "1", "n": "1", "f": "2"}
    return certified(Compare(left, right, Domain(ranges)), "refuted", {"values": at})


def growing() -> SmallerOrder:
    statement = sugrr_claims.FORMAL["002.prose.splitgrows.corrected"]
    assert isinstance(statement, SmallerOrder)
    return statement


@planted("the constant depends on m")
def order_with_a_constant_that_shrinks() -> Json:
    """The true comparison of orders "refuted" with c = v / w^3, which tends to 0 as m grows."""
    constant = var("v") / W**3
    step = {"scale": (var("n") * var("v") * (W - 1) ** 2 * W**3).json(), "multipliers": {"2": (M * (W - 1)).json()}}
    evidence = {"constant": constant.json(), "values": {"K": "2", "f": "0"}, "step": step}
    return certified(growing(), "refuted", evidence)


@planted("the lemma does not tie the roots")
def order_with_roots_that_are_not_tied() -> Json:
    """The lemma ties w to (1 + v)^K: at fixed m nothing is said about e^eps."""
    body = growing().json()
    body["domain"]["lemmas"][0]["m"] = "n"
    evidence = {"constant": hints.SMALLER_ORDER_CONSTANT.json(), "step": step_json(*hints.SMALLER_ORDER_STEP)}
    return certified(body, "proved", evidence)


@planted("K and f are fixed, nothing else")
def order_at_a_frequency_outside_the_domain() -> Json:
    """A family along which g = -5."""
    statement = sugrr_claims.FORMAL["002.prose.splitgrows"]
    assert isinstance(statement, SmallerOrder)
    evidence = {
        "constant": hints.SAME_ORDER_CONSTANT.json(),
        "values": {"K": "1", "f": "0", "g": "-5"},
        "step": step_json(*hints.SAME_ORDER_STEP),
    }
    return certified(statement, "refuted", evidence)


@planted("the witness shows other numbers")
def mean_that_is_not_the_mean() -> Json:
    """A biased estimator with a witness that tells its readers another mean."""
    at = {"m": 2, "K": 1, "N": 1, "n": 1, "e0": "2"}
    evidence = {"instance": at, "users": [[0, 1]], "item": 0, "exact": "1/2", "stated": "1"}
    return certified(Unbiased(sugrr.SUGRR, "set", "sensitive", sugrr.SUGRR_SENSITIVE), "refuted", evidence)
