"""False certificates about reports and estimators."""

from dataclasses import replace

from dp_spec.frequency import grr, rappor, sugrr, surap
from dp_spec.frequency.claims import sugrr as sugrr_claims
from dp_spec.vocabulary.error_statements import Bounded, Formula, Value, errors, ordered
from dp_spec.vocabulary.law import USERS, Estimator, F, K, M, push
from dp_spec.vocabulary.statement import (
    Computable,
    Domain,
    Mse,
    ProductForm,
    Range,
    Unbiased,
)
from dp_spec.vocabulary.term import term, var
from planted.register import CONTRIBUTIONS, T, W, planted
from tampered.certificates import Json, certified

AT = {"m": 1, "K": 1, "N": 1}

# --- reports ----------------------------------------------------------------------------------------------------------


@planted("a result for every item")
def product_form_of_an_average() -> Json:
    """With one drawn item the probability is an average, not a product."""
    return certified(ProductForm(surap.SURAP_SAMPLE, "whole"), "verified", {"instances": [AT]})


@planted("the statement holds in this case")
def results_that_are_no_items() -> Json:
    """F_x cannot be computed, by results -1 of items -1."""
    at = {"m": 3, "K": 1, "N": 2, "e0": "2"}
    evidence = {"instance": at, "item": 0, "outcomes": [[-1, 0, 0], [-1, -1, 0]], "sets": [[-3, -2, -1]] * 2}
    return certified(Computable(sugrr.SUGRR, "set"), "refuted", evidence)


@planted("set of such outcomes")
def counts_of_bits_as_items() -> Json:
    """F_x from bits cannot be computed, by slots of items."""
    at = {"m": 3, "K": 2, "N": 1, "t": "2"}
    evidence = {"instance": at, "item": 0, "outcomes": [[0, 0, 1], [0, 1, 1]], "sets": [[0, 1, 2]] * 2}
    law = replace(surap.SURAP, term=push("set", surap.SURAP.term))
    return certified(Computable(law, "set"), "refuted", evidence)


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


@planted("varies with g")
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


@planted("field not known: per_invertible")
def comparison_without_the_noise_of_a_correction() -> Json:
    """A shift by r and a correction by invertible data with mean r (g = 1) have one bias; only the correction is
    noisy.
    """
    p, q, r = rappor.stays(T), rappor.appears(T), surap.kept(T)
    shifted, corrected = Estimator(p - q, q + r), Estimator(p - q, q, term(1))
    left, right = (
        Mse(surap.SURAP, "sen", "sensitive", estimator, formula=T / (USERS * (T - 1) ** 2))
        for estimator in (shifted, corrected)
    )
    ranges = {"t": Range(1, strict=True), "n": Range(1, integer=True), "f": Range(), "g": Range(1)}
    at = {"t": "2", "n": "1", "f": "0", "g": "1"}
    return certified(compared(left, right, Domain(ranges, (1 - F,))), "refuted", {"relation": 0, "values": at})


def compared(left: Mse, right: Mse, domain: Domain) -> Formula:
    values = {"left": Value(left, T), "right": Value(right, T)}
    return errors(domain, values, ordered("lt", "left", "right"), T ** (2 * M))


RIGHT = Mse(rappor.RAPPOR_SPLIT, "sen", "sensitive", rappor.SPLIT_ESTIMATOR, formula=M * T / (USERS * (T - 1) ** 2))
LEFT = Mse(rappor.RAPPOR_SET, "sen", "sensitive", rappor.SET_ESTIMATOR, formula=T / (USERS * (T - 1) ** 2))
RANGES = {"t": Range(1, strict=True), "m": Range(1, integer=True), "n": Range(1, integer=True), "f": Range()}


@planted("another budget is spent")
def comparison_at_two_budgets() -> Json:
    """One side spends e^eps = t^(2m), the other t^(4m)."""
    left = replace(LEFT, law=replace(rappor.RAPPOR_SET, power=4 * M))
    domain = Domain({**RANGES, "m": Range(2, integer=True)}, (1 - F,))
    return certified(compared(left, RIGHT, domain), "proved", {"steps": [{}]})


@planted("no data set has these")
def comparison_at_a_frequency_of_two() -> Json:
    """A domain that lets f_x be 2, and a witness that uses it."""
    at = {"t": "2", "m": "1", "n": "1", "f": "2"}
    return certified(compared(LEFT, RIGHT, Domain(RANGES)), "refuted", {"relation": 0, "values": at})


@planted("no data set has these")
def comparison_of_sets_that_cannot_exist() -> Json:
    """RAPPOR has no non-sensitive items: with |X_sen| = 1 there are no sets of two items."""
    domain = Domain({**RANGES, "K": Range(1, integer=True)}, (1 - F,))
    law = grr.GRR_SPLIT.rebased({"e0": T**2}, "t", 2 * M)
    error = M * (T**2 + K - 2) / (USERS * (T**2 - 1) ** 2) + (K - 2) / (USERS * (T**2 - 1)) * F
    other = Mse(law, "multiset", "sensitive", Estimator(law.p - law.q, M * law.q), formula=error)
    at = {"t": "2", "m": "2", "K": "1", "n": "1", "f": "0"}
    return certified(compared(LEFT, other, domain), "refuted", {"relation": 0, "values": at})


@planted("a statement about nothing")
def comparison_of_no_sets_at_all() -> Json:
    """RAPPOR is "worse" where m = K + 1."""
    domain = Domain({**RANGES, "K": Range(1, integer=True)}, (1 - F, M - K - 1))
    return certified(compared(RIGHT, LEFT, domain), "proved", {"steps": [{}]})


def growing() -> Bounded:
    statement = sugrr_claims.FORMAL["002.prose.splitgrows.corrected"]
    assert isinstance(statement, Bounded)
    return statement


@planted("what is fixed depends on L")
def order_with_a_constant_that_shrinks() -> Json:
    """The true comparison of orders "refuted" with a constant that tends to 0 as m grows."""
    chosen = {"eps": 1, "m": "L", "K": 2, "n": 1, "f": 0}
    evidence = {"relation": 0, "family": chosen, "constant": ["div", 1, ["mul", 16, "L"]]}
    return certified(growing(), "refuted", evidence)


@planted("K lies outside the domain")
def order_along_a_family_of_one_sensitive_item() -> Json:
    """The correction is about K >= 2."""
    chosen = {"eps": 1, "m": "L", "K": 1, "n": 1, "f": 0}
    evidence = {"relation": 0, "family": chosen, "constant": ["div", 1, 16]}
    return certified(growing(), "refuted", evidence)


@planted("positivity is not shown")
def order_for_one_sensitive_item() -> Json:
    """The proof for K >= 2 used for K >= 1."""
    statement = growing()
    domain = Domain({**statement.domain.variables, "K": Range(1, integer=True)}, statement.domain.constraints)
    evidence = {"constants": [4], "steps": [{"ends": ["f", 1]}]}
    return certified(replace(statement, domain=domain), "proved", evidence)


@planted("other numbers are shown")
def mean_that_is_not_the_mean() -> Json:
    """A biased estimator with a witness that tells its readers another mean."""
    at = {"m": 2, "K": 1, "N": 1, "n": 1, "e0": "2"}
    evidence = {"instance": at, "users": [[0, 1]], "item": 0, "exact": "1/2", "stated": "1"}
    return certified(Unbiased(sugrr.SUGRR, "set", "sensitive", sugrr.SUGRR_SENSITIVE), "refuted", evidence)
