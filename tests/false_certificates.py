"""Certificates of statements that are false, undefined, about nothing, or misread: each found by attacking the
kernel's rules.

Every function returns a certificate that `verify` has to reject; its docstring says what is wrong.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from certificates import Json, certified
from dp_checks import hints
from dp_checks.check.moments import step_json
from dp_spec.frequency import grr, rappor, sugrr, surap
from dp_spec.frequency.claims import sugrr as sugrr_claims
from dp_spec.vocabulary.law import Estimator, F, K, Law, M
from dp_spec.vocabulary.statement import (
    All,
    BernoulliSum,
    Compare,
    Computable,
    Definition,
    Domain,
    Exceeds,
    Formula,
    Implies,
    Invertible,
    Mse,
    NoChannel,
    Padding,
    ProductForm,
    Range,
    Ratio,
    SmallerOrder,
    Smallest,
    Statement,
    Unbiased,
    Vanishing,
)
from dp_spec.vocabulary.term import sqrt, term, truncated_exponential, var

FALSE: dict[str, tuple[Callable[[], Json], str]] = {}
"""By name, with what the kernel has to find wrong."""


def planted(reason: str) -> Callable[[Callable[[], Json]], Callable[[], Json]]:
    def listed(build: Callable[[], Json]) -> Callable[[], Json]:
        FALSE[build.__name__] = build, reason
        return build

    return listed


def changed(statement: Statement, **fields: Any) -> Json:
    """A statement with fields of its JSON replaced or added."""
    return {**statement.json(), **fields}


X, Y, T, W = var("x"), var("y"), rappor.T, grr.W
SLOTS = {"lemma": "slotwise", "low": sugrr.other(grr.E0).json(), "factor": "e0"}
BITS = {"lemma": "slotwise", "up": "t", "down": "t"}
KEPT, CONTRIBUTIONS = {"lemma": "kept"}, {"lemma": "contributions"}
IDENTITY: Json = {"steps": [{}]}


# --- names and numbers --------------------------------------------------------------------------------------------


@planted("'(t)^m' is no name")
def atom_captured_by_a_variable() -> Json:
    """t^m = u for every t, m and u, where the variable u is called as the kernel calls t^m."""
    ranges = {"t": Range(1), "m": Range(1, integer=True), "(t)^m": Range(1)}
    return certified(Formula(Domain(ranges), (("eq", T**M, var("(t)^m")),)), "proved", IDENTITY)


@planted("the names ['t', 'f'] mean something else")
def parameter_called_as_the_frequency() -> Json:
    """An "estimator" that ignores the reports and returns its parameter f, "unbiased" because f_x is called f, too."""
    law = replace(surap.SURAP, parameters=("f",))
    estimator = Estimator(surap.SURAP_SENSITIVE.slope, rappor.appears(T))
    forged = Estimator(term(1), F * surap.SURAP_SENSITIVE.slope + estimator.offset - F)
    return certified(Unbiased(law, "sen", "sensitive", forged), "proved", CONTRIBUTIONS)


@planted("unbound symbol f")
def estimator_that_knows_the_frequency() -> Json:
    """The same without a parameter: the offset contains f_x itself."""
    forged = Estimator(term(1), F * surap.SURAP_SENSITIVE.slope + rappor.appears(T) - F)
    return certified(Unbiased(surap.SURAP, "sen", "sensitive", forged), "proved", CONTRIBUTIONS)


@planted("the names ['m'] mean something else")
def base_called_as_the_set_size() -> Json:
    """e^eps = m^m: the root of e^eps is the set size."""
    law = Law("grr-split", "items", "all", "m", M, grr.own(M), grr.other(M))
    slots = {"lemma": "slotwise", "low": grr.other(M).json(), "factor": "m"}
    return certified(Ratio(law, "multiset", "ldp"), "proved", slots)


@planted("5/2 is not in 0..256")
def truncation_at_a_fraction() -> Json:
    """1 + 1/2 x^... is not defined for half a term: sum up to 5/2 read as 2."""
    left = truncated_exponential(term(5) / 2, term(1))
    return certified(
        Formula(Domain({"x": Range()}), (("lt", left, term(2)),)), "refuted", {"relation": 0, "values": {"x": "0"}}
    )


@planted("a float in a certificate")
def floats_as_values() -> Json:
    """0.1 is not a tenth: a witness with floats."""
    statement = Formula(Domain({"x": Range()}), (("eq", 10 * X, term(1)),))
    return certified(statement, "refuted", {"relation": 0, "values": {"x": 0.1}})


@planted("not an integer: 'True'")
def booleans_as_sizes() -> Json:
    """K = true."""
    at = {"m": True, "K": True, "N": 0, "t": "2"}
    statement = Smallest(rappor.RAPPOR_SET, "sen", "ldp", constant=term(5))
    return certified(statement, "refuted", {"instance": at, "exact": "0", "stated": "5"})


# --- undefined expressions ----------------------------------------------------------------------------------------


@planted("x is not shown to differ from 0")
def identity_with_a_pole() -> Json:
    """x / x = 1 on x >= 0: undefined at 0."""
    return certified(Formula(Domain({"x": Range()}), (("eq", X / X, term(1)),)), "proved", IDENTITY)


@planted("['sub', 'x', 1] is not shown to differ from 0")
def inequality_with_a_cancelled_pole() -> Json:
    """(1 / (x - 1)) / (1 / (x - 1)) <= 1 on x >= 0: undefined at 1."""
    pole = 1 / (X - 1)
    return certified(Formula(Domain({"x": Range()}), (("le", pole / pole, term(1)),)), "proved", IDENTITY)


@planted("['sub', 'K', 1] is not shown to differ from 0")
def estimator_undefined_for_one_sensitive_item() -> Json:
    """A slope (p - q)(K - 1)/(K - 1), "for every size"."""
    slope = (surap.SURAP_SENSITIVE.slope * (K - 1)) / (K - 1)
    statement = Unbiased(surap.SURAP, "sen", "sensitive", Estimator(slope, rappor.appears(T)))
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("f is not shown to differ from 0")
def error_formula_with_a_pole() -> Json:
    """(21) times f / f: undefined for an item that nobody holds."""
    statement = Mse(surap.SURAP, "sen", "sensitive", surap.SURAP_SENSITIVE, formula=surap.EQ21_SENSITIVE * (F / F))
    return certified(statement, "proved", CONTRIBUTIONS)


# --- domains ------------------------------------------------------------------------------------------------------


@planted("m >= 1 is an integer")
def bernoulli_below_one() -> Json:
    """(1 + v)^m >= 1 + m v for real m >= 0: false at m = 1/2, v = 3."""
    ranges = {"v": Range(), "m": Range(), "w": Range(1)}
    domain = Domain(ranges, (), ({"name": "bernoulli", "v": "v", "m": "m", "w": "w"},))
    return certified(Formula(domain, (("le", 1 + M * var("v"), W),)), "proved", {"steps": [{"multipliers": {"0": 1}}]})


@planted("v >= 0")
def bernoulli_of_negative_numbers() -> Json:
    """w m v >= (w - 1)(1 + v) for v >= -3: false at v = -3, m = 3, w = -8 (and Bernoulli's inequality with it)."""
    ranges = {"v": Range(-3), "m": Range(1, integer=True), "w": Range(-8)}
    domain = Domain(ranges, (), ({"name": "bernoulli", "v": "v", "m": "m", "w": "w"},))
    return certified(Formula(domain, (("le", 1 + M * var("v"), W),)), "proved", {"steps": [{"multipliers": {"0": 1}}]})


@planted("a statement about nothing")
def empty_domain() -> Json:
    """2 < 1 for all x with 0 <= x <= -1."""
    statement = Formula(Domain({"x": Range()}, (-1 - X,)), (("lt", term(2), term(1)),))
    return certified(statement, "proved", {"steps": [{"multipliers": {"0": 3}}]})


@planted("a statement about no sizes at all")
def empty_sizes() -> Json:
    """Privacy for all sizes with m <= 0."""
    return certified(Ratio(sugrr.SUGRR, "multiset", "joint", where=(-1 * M,)), "proved", SLOTS)


@planted("not known")
def unread_maximum() -> Json:
    """x + 1 <= 3 on 0 <= x <= 1 "refuted" at x = 3: the range has a field that nobody reads."""
    body = Formula(Domain({"x": Range()}), (("le", X + 1, term(3)),)).json()
    body["domain"]["variables"]["x"]["max"] = 1
    return certified(body, "refuted", {"relation": 0, "values": {"x": "3"}})


@planted("not known")
def unread_condition() -> Json:
    """A ratio refuted although the statement (in a misspelt field) excludes the witness."""
    law = surap.SURAP
    at = {"m": 1, "K": 1, "N": 1, "t": "2"}
    evidence = {"instance": at, "exact": "4", "stated": "5"}
    return certified(
        changed(Smallest(law, "sen", "joint", constant=term(5)), conditions=[["sub", 0, "m"]]), "refuted", evidence
    )


@planted("the variable is tied to others")
def vanishing_on_a_bounded_domain() -> Json:
    """1 / K tends to 0 for 1 <= K <= 5."""
    domain = Domain({"K": Range(1, integer=True)}, (5 - K,))
    return certified(Vanishing(domain, (1 / K,), "K"), "proved", {"constants": [1]})


@planted("the variable is tied to others")
def constant_tied_to_the_growing_variable() -> Json:
    """x / K tends to 0 for all x <= K."""
    domain = Domain({"K": Range(1, integer=True), "x": Range()}, (K - X,))
    return certified(Vanishing(domain, (X / K,), "K"), "proved", {"constants": ["x"]})


@planted("a list of at least 1 is missing")
def nothing_vanishes() -> Json:
    """All of no terms."""
    return certified(Vanishing(Domain({"K": Range(1, integer=True)}), (), "K"), "proved", {"constants": []})


@planted("'ge' is none of ('eq', 'le', 'lt')")
def unknown_relation_of_reals() -> Json:
    """sqrt(2) ge 2, "verified" by enclosures."""
    body = Formula(Domain({"x": Range()}), (("lt", sqrt(term(2)), term(2)),)).json()
    body["relations"][0][0] = "ge"
    return certified(body, "verified", {"points": [{"x": "0"}], "bits": 64})


# --- compounds ----------------------------------------------------------------------------------------------------


def true_part() -> Formula:
    return Formula(Domain({"x": Range()}), (("eq", X, X),))


@planted("no evidence makes this type of statement 'conditional'")
def all_with_an_unknown_verdict() -> Json:
    """Parts that are proved, a verdict that is not one."""
    return certified(All((true_part(),)), "conditional", {"parts": [["proved", IDENTITY]]})


@planted("the weakest part decides")
def all_proved_called_verified() -> Json:
    """The weakest part decides, and it is proved."""
    return certified(All((true_part(),)), "verified", {"parts": [["proved", IDENTITY]]})


@planted("the id is no identifier")
def identifier_that_prints_a_second_line() -> Json:
    """Acceptance prints the id."""
    return certified(true_part(), "proved", IDENTITY, "x: proved\naccepted another.id")


# --- laws ---------------------------------------------------------------------------------------------------------


@planted("the row of a sensitive item does not sum to 1")
def table_that_is_no_law() -> Json:
    """Rows of (13) with half of q do not sum to 1: "contributions" do not add up."""
    q = sugrr.other(grr.E0) / 2
    law = replace(sugrr.SUGRR, q=q)
    estimator = Estimator(law.p - q, M * q)
    return certified(Unbiased(law, "multiset", "sensitive", estimator), "proved", CONTRIBUTIONS)


@planted("the row of a sensitive item does not sum to 1")
def counts_of_a_table_that_is_no_law() -> Json:
    """The same for the law of a count."""
    law = replace(sugrr.SUGRR, q=sugrr.other(grr.E0) / 2)
    return certified(BernoulliSum(law, "multiset"), "proved", {"lemma": "slotwise count"})


@planted("the row of a non-sensitive item does not sum to 1")
def emission_from_a_table_that_is_no_law() -> Json:
    """r = 1 next to K q > 0: x is not emitted with probability 1."""
    law = replace(sugrr.SUGRR, r=term(1))
    return certified(Invertible(law, "multiset", probability=term(1)), "proved", KEPT)


@planted("e^eps is not shown to exceed 1")
def negative_budget() -> Json:
    """The uniform law violates e^eps = w^(-1) at eps = ln 2: the statement's eps is -ln 2."""
    law = Law("grr-sample", "items", "one", "w", term(-1), 1 / K, 1 / K)
    evidence = {"instance": {"m": 1, "K": 2, "N": 0, "w": "2"}, "s": [0], "other": [1], "output": [0, []]}
    evidence |= {"probability": "1/2", "other_probability": "1/2"}
    return certified(Ratio(law, "one", "ldp"), "refuted", evidence)


@planted("no lemma about separate reports")
def separate_reports_as_one_draw() -> Json:
    """m unary encodings with epsilon each satisfy epsilon-LDP together."""
    law = replace(rappor.RAPPOR_SPLIT, power=term(2))
    evidence = {"lemma": "slotwise", "low": ((1 - law.p) / (1 - law.q)).json(), "factor": law.e_eps.json()}
    return certified(Ratio(law, "sen", "ldp"), "proved", evidence)


@planted("a view that the law does not have")
def view_that_does_not_exist() -> Json:
    """A bit law seen through something undefined."""
    return certified(changed(Ratio(surap.SURAP, "sen", "joint"), view="sideways"), "proved", BITS)


# --- ratios -------------------------------------------------------------------------------------------------------


@planted("the instance lies outside the domain")
def scope_at_epsilon_zero() -> Json:
    """Ratios (e^eps)^(3/2) are at most e^eps "for every eps", checked where eps = 0."""
    law = Law("grr-sample", "items", "one", "w", term(2), grr.own(W**3), grr.other(W**3))
    evidence = {"instances": [{"m": 1, "K": 2, "N": 0, "w": 1}]}
    return certified(Ratio(law, "one", "ldp"), "verified", evidence)


@planted("a scope in which nothing is compared")
def scope_without_a_comparison() -> Json:
    """e^eps > 1, but only one set exists: nothing is compared."""
    law = Law("grr-sample", "items", "one", "w", term(2), grr.own(W**3), grr.other(W**3))
    return certified(Ratio(law, "one", "ldp"), "verified", {"instances": [{"m": 1, "K": 1, "N": 0}]})


@planted("may exceed the bound")
def scope_in_one_order_only() -> Json:
    """Results in their places, for every order of processing, checked in the natural one."""
    statement = Ratio(sugrr.SUGRR, "position", "samenon", any_order=True)
    return certified(statement, "verified", {"instances": [{"m": 2, "K": 2, "N": 1}]})


@planted("the constant is not attained")
def attained_where_nothing_happens() -> Json:
    """The constant 5 of a law whose ratios are all 1, "attained" by an output of probability 0."""
    law = Law("grr-sample", "items", "one", "w", term(1), 1 / K, 1 / K, 0 * W)
    statement = Smallest(law, "one", "joint", constant=term(5))
    return certified(statement, "verified", {"instances": [{"m": 2, "K": 1, "N": 2}]})


@planted("no non-sensitive items")
def own_entry_with_invertible_data() -> Json:
    """epsilon-LDP of reports with invertible data: no constant bounds them."""
    statement = Smallest(sugrr.SUGRR_SAMPLE, "one", "ldp", where=(K + var("N") - M - 1,), constant=(W + M - 1) / M)
    return certified(statement, "proved", {"lemma": "own entry"})


@planted("no non-sensitive items")
def matched_results_with_invertible_data() -> Json:
    """The same for unordered reports of m results."""
    statement = Smallest(
        sugrr.SUGRR,
        "multiset",
        "ldp",
        where=(K - M, K + var("N") - 2 * M),
        constant=truncated_exponential(M, grr.E0 - 1),
    )
    return certified(statement, "proved", {"lemma": "matched results"})


@planted("d > m is not stated")
def constant_of_a_single_set() -> Json:
    """For m = d there is one set: no ratio is compared, so 1 = t^0 is not the smallest constant of anything."""
    from dp_spec.frequency.claims.baselines import EXCHANGED

    statement = Smallest(rappor.RAPPOR_SET, "sen", "ldp", constant=T ** (2 * EXCHANGED))
    return certified(statement, "proved", {"lemma": "exchanged items"})


@planted("nothing is compared there")
def refuted_by_a_single_set() -> Json:
    """The same instance as a witness against the statement: together they would contradict each other."""
    from dp_spec.frequency.claims.baselines import EXCHANGED

    statement = Smallest(rappor.RAPPOR_SET, "sen", "ldp", constant=T ** (2 * EXCHANGED))
    at = {"m": 1, "K": 1, "N": 0, "t": "2"}
    return certified(statement, "refuted", {"instance": at, "exact": "0", "stated": "1"})


@planted("nonempty: of")
def empties_left_out_of_a_conditional_law() -> Json:
    """`nonempty` is about the marginal and the joint reading; elsewhere nobody reads it."""
    at = {"m": 1, "K": 1, "N": 1, "w": "2"}
    law = replace(sugrr.SUGRR_SAMPLE, power=term(1))
    statement = Exceeds(law, "one", "deniability", "nonempty")
    return certified(statement, "refuted", {"instance": at})


# --- reports ------------------------------------------------------------------------------------------------------


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


# --- estimators ---------------------------------------------------------------------------------------------------


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


# --- channels -----------------------------------------------------------------------------------------------------


def channel(k: int, n: int, inputs: Any, outputs: Any, rows: Any, e_eps: str = "2") -> Json:
    return {"K": k, "N": n, "e_eps": e_eps, "inputs": inputs, "outputs": outputs, "rows": rows}


@planted("uldp-inversion rejects the first channel")
def sensitive_item_as_invertible_datum() -> Json:
    """(2) and (3) are about x in X_non: a channel that shows its sensitive item does not satisfy Definition 2."""
    shown = channel(1, 1, [[0], [1]], [[0, [0]], [0, [1]]], [["1", "0"], ["0", "1"]])
    mixed = channel(1, 1, [[0], [1]], [[0, [1]]], [["1"], ["1"]])
    return certified(Definition(("uldp-inversion",)), "verified", {"satisfied": shown, "violated": mixed})


@planted("two inputs to compare, at most 64 outputs")
def channel_without_inputs() -> Json:
    """The channel on no inputs has every property."""
    nothing = channel(1, 1, [], [], [])
    return certified(NoChannel(("uldp-inversion", "uldp-protection")), "refuted", {"channel": nothing})


@planted("inputs are sets, listed in order")
def one_set_in_two_orders() -> Json:
    """{0, 1} and {1, 0} are one input, with one law."""
    c = channel(2, 0, [[0, 1], [1, 0]], [[0, []], [1, []]], [["1", "0"], ["0", "1"]])
    good = channel(2, 0, [[0], [1]], [[0, []]], [["1"], ["1"]])
    return certified(Definition(("ldp",)), "verified", {"satisfied": good, "violated": c})


@planted("two inputs to compare, at most 64 outputs")
def definition_satisfied_by_one_row() -> Json:
    """A definition that compares two inputs, satisfied by a channel with one."""
    good = channel(1, 0, [[0]], [[0, []]], [["1"]])
    bad = channel(2, 0, [[0], [1]], [[0, []], [1, []]], [["1", "0"], ["0", "1"]])
    return certified(Definition(("ldp",)), "verified", {"satisfied": good, "violated": bad})


@planted("outputs are disjoint cells of [0, 1)")
def cells_turned_around() -> Json:
    """A law with bounded densities, "violating" the bound because its cells have negative lengths."""
    outputs = [[["1/2", "0"], []], [["1", "1/2"], []]]
    good = [[["0", "1/2"], []], [["1/2", "1"], []]]
    rows = [["1/2", "1/2"], ["1/3", "2/3"]]
    evidence = {
        "satisfied": channel(2, 0, [[0], [1]], good, rows),
        "violated": channel(2, 0, [[0], [1]], outputs, rows, "1"),
    }
    return certified(Definition(("ldp-density",)), "verified", evidence)


@planted("outputs are disjoint cells of [0, 1)")
def overlapping_cells() -> Json:
    """Densities on cells that overlap are not densities."""
    good = [[["0", "1/2"], []], [["1/2", "1"], []]]
    twice = [[["0", "1"], []], [["0", "1/2"], []]]
    evidence = {
        "satisfied": channel(2, 0, [[0], [1]], good, [["1/2", "1/2"], ["1/3", "2/3"]]),
        "violated": channel(2, 0, [[0], [1]], twice, [["1", "0"], ["0", "1"]]),
    }
    return certified(Definition(("ldp-density",)), "verified", evidence)


@planted("'eq12-samenon' is none of ('eq10-coordinate', 'eq10-membership',")
def unknown_predicate_proved() -> Json:
    """A conclusion that no definition of ours states, read as the joint reading by its last syllable."""
    body = Implies(("eq10-membership", "eq11-joint"), ("eq12-samenon",)).json()
    return certified(body, "proved", {"lemma": "containment"})


@planted("a list of at least 1 is missing")
def no_conclusion() -> Json:
    """All of no conclusions."""
    return certified(Implies(("eq10-membership",), ()), "proved", {"lemma": "containment"})


@planted("Definition 2 is about items")
def definition_of_items_on_sets() -> Json:
    """Definition 2 is about items: on sets of two its part 1 never holds, so it cannot be a premise."""
    statement = Implies(("uldp-protection",), ("eq11-joint",), "m-sets")
    identical = channel(
        2, 1, [[0, 1], [0, 2], [1, 2]], [[0, []], [0, [2]]], [["1", "0"], ["1/2", "1/2"], ["7/8", "1/8"]]
    )
    return certified(statement, "refuted", {"channel": identical})
