"""False certificates about formulas: names, numbers, poles, signs, domains, compounds."""

from dataclasses import replace
from typing import Any

from dp_spec.frequency import grr, rappor, sugrr, surap
from dp_spec.vocabulary.error_statements import Formula, vanishing
from dp_spec.vocabulary.law import Estimator, F, K, Law, M, each, item
from dp_spec.vocabulary.statement import (
    All,
    Domain,
    Instances,
    Mse,
    Not,
    Range,
    Ratio,
    Smallest,
    Unbiased,
)
from dp_spec.vocabulary.term import Term, exp, term, truncated_exponential, var
from planted.register import CONTRIBUTIONS, IDENTITY, SLOTS, T, X, changed, planted
from tampered.certificates import Json, certified

# --- names and numbers ------------------------------------------------------------------------------------------------


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
    law = Law("grr-split", "m", M, each("held", item(grr.own(M), grr.other(M))))
    return certified(Ratio(law, "multiset", "ldp"), "proved", SLOTS)


@planted("5/2 is not a natural number")
def truncation_at_a_fraction() -> Json:
    """1 + 1/2 x^... is not defined for half a term: sum up to 5/2 read as 2."""
    left = truncated_exponential(term(5) / 2, term(1))
    return certified(
        Formula(Domain({"x": Range()}), (("lt", left, X + 2),)), "refuted", {"relation": 0, "values": {"x": "0"}}
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


# --- undefined expressions --------------------------------------------------------------------------------------------


@planted("x is not shown to differ from 0")
def identity_with_a_pole() -> Json:
    """x / x = 1 on x >= 0: undefined at 0."""
    return certified(Formula(Domain({"x": Range()}), (("eq", X / X, term(1)),)), "proved", IDENTITY)


@planted("['sub', 'x', 1] is not shown to differ from 0")
def inequality_with_a_canceled_pole() -> Json:
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


# --- signs ------------------------------------------------------------------------------------------------------------


def about(domain: Domain, op: Any, left: Term | int, right: Term | int, step: Json) -> Json:
    return certified(Formula(domain, ((op, term(left), term(right)),)), "proved", {"steps": [step]})


FROM_ONE = Domain({"x": Range(1)})


@planted("positivity is not shown")
def strict_at_a_closed_bound() -> Json:
    """1 < x on x >= 1."""
    return about(FROM_ONE, "lt", 1, X, {})


@planted("positivity is not shown")
def negative_near_the_bound() -> Json:
    """0 <= x^2 - 2 on x >= 1."""
    return about(FROM_ONE, "le", 0, X**2 - 2, {})


@planted("unknown step")
def no_root_on_the_ray() -> Json:
    """0 < x - 1 on x >= 1, by a count of roots that nobody makes."""
    return about(FROM_ONE, "lt", 0, X - 1, {"roots": "x"})


@planted("a multiplier is not shown")
def negative_multiplier() -> Json:
    """x <= 0 on 0 <= x <= 1, by -1 times 1 - x >= 0."""
    return about(Domain({"x": Range()}, (1 - X,)), "le", X, 0, {"multipliers": {"0": -1}})


@planted("the scale is not shown")
def negative_scale() -> Json:
    """x <= 0 on x >= 0, times -1."""
    return about(Domain({"x": Range()}), "le", X, 0, {"scale": -1})


@planted("not an identity")
def almost_an_identity() -> Json:
    """t^(m - 1) = t^m: they are 1 / t apart."""
    return about(Domain({"t": Range(2), "m": Range(1, integer=True)}), "eq", T ** (M - 1), T**M, {})


@planted("m is an integer >= 1")
def half_an_item_of_a_formula() -> Json:
    """m (m - 1) >= 0 for natural m "fails" at m = 1/2."""
    statement = Formula(Domain({"m": Range(integer=True)}), (("le", term(0), M * (M - 1)),))
    return certified(statement, "refuted", {"relation": 0, "values": {"m": "1/2"}})


@planted("a size or a number of holders is not an integer")
def half_a_natural_number() -> Json:
    """The same for a name that is no size."""
    statement = Formula(Domain({"x": Range(integer=True)}), (("le", term(0), X * (X - 1)),))
    return certified(statement, "refuted", {"relation": 0, "values": {"x": "1/2"}})


# --- domains ----------------------------------------------------------------------------------------------------------


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


@planted("a variable that grows is tied")
def vanishing_on_a_bounded_domain() -> Json:
    """1 / K tends to 0 for 1 <= K <= 5."""
    domain = Domain({"K": Range(1, integer=True)}, (5 - K,))
    return certified(vanishing(domain, (1 / K,), "K"), "proved", {"constants": [1, 1], "steps": [{}, {}]})


@planted("a variable that grows is tied")
def constant_tied_to_the_growing_variable() -> Json:
    """x / K tends to 0 for all x <= K."""
    domain = Domain({"K": Range(1, integer=True), "x": Range()}, (K - X,))
    return certified(vanishing(domain, (X / K,), "K"), "proved", {"constants": ["x", "x"], "steps": [{}, {}]})


@planted("nothing is listed")
def nothing_vanishes() -> Json:
    """All of no terms."""
    return certified(
        vanishing(Domain({"K": Range(1, integer=True)}), (), "K"), "proved", {"constants": [], "steps": []}
    )


@planted("'ge' is none of ('eq', 'le', 'lt')")
def unknown_relation_of_reals() -> Json:
    """e >= 3, "verified" by enclosures."""
    body = Formula(Domain({"x": Range()}), (("lt", exp(term(1)), term(3)),)).json()
    body["relations"][0][0] = "ge"
    return certified(body, "verified", {"points": [{"x": "0"}], "bits": 64})


# --- compounds --------------------------------------------------------------------------------------------------------


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


@planted("no evidence makes this type of statement 'proved'")
def instances_that_prove_what_they_are_instances_of() -> Json:
    """x = x for some x."""
    return certified(Instances((true_part(),)), "proved", {"parts": [["proved", IDENTITY]]})


@planted("no evidence makes this type of statement 'proved'")
def part_that_is_proved_by_instances() -> Json:
    """The same, within a statement with another part."""
    proof = ["proved", {"parts": [["proved", IDENTITY]]}]
    return certified(All((true_part(), Instances((true_part(),)))), "proved", {"parts": [["proved", IDENTITY], proof]})


@planted("the weakest part decides")
def whole_that_is_proved_where_a_part_is_verified_by_instances() -> Json:
    proof = ["verified", {"parts": [["proved", IDENTITY]]}]
    return certified(All((true_part(), Instances((true_part(),)))), "proved", {"parts": [["proved", IDENTITY], proof]})


@planted("no evidence makes this type of statement 'proved'")
def negation_refuted_by_instances() -> Json:
    """That something of all sizes is false, because it holds at one."""
    proof = {"evidence": {"parts": [["proved", IDENTITY]]}}
    return certified(Not(Instances((true_part(),))), "refuted", proof)


@planted("one proof for every part")
def instance_that_is_left_out() -> Json:
    return certified(Instances((true_part(), true_part())), "verified", {"parts": [["proved", IDENTITY]]})


@planted("positivity is not shown")
def instance_that_fails() -> Json:
    """x <= x/2 among the instances."""
    wrong = Formula(Domain({"x": Range()}), (("le", X, X / 2),))
    return certified(
        Instances((true_part(), wrong)), "verified", {"parts": [["proved", IDENTITY], ["proved", IDENTITY]]}
    )


@planted("the id is no identifier")
def identifier_that_prints_a_second_line() -> Json:
    """Acceptance prints the id."""
    return certified(true_part(), "proved", IDENTITY, "x: proved\naccepted another.id")
