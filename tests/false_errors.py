"""False certificates about errors of mechanisms: relations, orders, communication costs, equal laws."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from certificates import Json, certified
from dp_spec.frequency import surap, totals
from dp_spec.frequency.claims.comparison import SMALL, data
from dp_spec.vocabulary.error_statements import Errors, Order, Total, Value
from dp_spec.vocabulary.law import USERS, Estimator, F, G, K, M, N
from dp_spec.vocabulary.statement import Domain, Mse, Range, Relation
from dp_spec.vocabulary.term import Term, exp, term, var
from planted import planted

T, E0, W, EPS, A, B, L, Y = (var(x) for x in ("t", "e0", "w", "eps", "a", "b", "L", "y"))
ABOVE, SIZE, COUNT, ANY = Range(1, strict=True), Range(1, integer=True), Range(integer=True), Range()
SENSITIVE, OTHER = totals.SURAP.part("sensitive"), totals.SURAP.part("nonsensitive")
"""t / (n (t - 1)^2) and f / (n (t - 1))."""
ITEM = Domain({"t": ABOVE, "n": SIZE, "f": ANY}, (1 - F,))
ROOT = {"t": ABOVE, "n": SIZE}
SETS = {"m": SIZE, "K": SIZE, "N": COUNT}
PLAIN: Json = {"steps": [{}]}
DROP = {"ends": "f", "high": 1, "steps": [{}, {}]}


def errors(
    domain: Domain | Mapping[str, Range], values: Mapping[str, Value], *relations: Relation, budget: Term | None = None
) -> Errors:
    return Errors(domain if isinstance(domain, Domain) else Domain(domain), values, relations, budget)


def proved(statement: Errors, *steps: Any) -> Json:
    return certified(statement, "proved", {"steps": list(steps) or [{}]})


def refuted(statement: Errors, values: Mapping[str, str], **more: Any) -> Json:
    return certified(statement, "refuted", {"relation": 0, "values": dict(values), **more})


AT = {"t": "2", "n": "1"}
SELF: Relation = ("eq", A, A)


# --- what an error is ---------------------------------------------------------------------------------------------


@planted("the formula is not the MSE")
def an_error_halved() -> Json:
    wrong = replace(SENSITIVE, formula=T / (2 * USERS * (T - 1) ** 2))
    return proved(errors(ITEM, {"a": Value(wrong, T)}, SELF))


@planted("the formula is not the MSE")
def a_total_without_its_bias() -> Json:
    """Counts of m separate vectors with the offset of one."""
    law = totals.URAP_SPLIT_LAW
    part = Mse(law, "sen", "sensitive", Estimator(law.p - law.q, law.q), formula=M * T / (USERS * (T - 1) ** 2))
    return proved(errors(ITEM, {"a": Value(part, T)}, SELF))


@planted("parameters of a law have no range here")
def a_probability_above_one() -> Json:
    """theta >= 2: "the error is negative"."""
    law = replace(surap.SURAP, r=var("theta"), parameters=("theta",))
    estimator = Estimator(var("theta"), term(0))
    part = Mse(law, "sen", "nonsensitive", estimator, formula=F * (1 - var("theta")) / (USERS * var("theta")))
    domain = Domain({**ITEM.variables, "theta": Range(2)}, ITEM.constraints)
    return proved(errors(domain, {"a": Value(part, T)}, ("le", A, term(0))))


@planted("the parts are of one mechanism")
def parts_that_are_seen_differently() -> Json:
    """Sensitive items counted in a multiset, the others in another report."""
    parts = Total(totals.SUGRR.sensitive, replace(totals.SUGRR.part("nonsensitive"), view="set"))
    return proved(errors(data(e0=ABOVE), {"a": Value(parts, E0)}, SELF))


@planted("the parts are of one mechanism")
def parts_of_two_mechanisms() -> Json:
    parts = Total(totals.SURAP.sensitive, totals.URAP_SPLIT.nonsensitive)
    return proved(errors(data(t=ABOVE), {"a": Value(parts, T)}, SELF))


@planted("the law has no non-sensitive items")
def grr_beside_other_items() -> Json:
    """GRR on X_sen alone, while sets hold items of X_non."""
    return proved(errors(data(e0=ABOVE), {"a": Value(totals.GRR, E0)}, SELF))


@planted("the law has no non-sensitive items")
def rappor_of_some_other_items() -> Json:
    domain = Domain({**SMALL, **SETS, "n": SIZE, "g": ANY}, (1 - EPS, M - G, N - G, K - M + G))
    statement = Order(domain, totals.RAPPOR, M**2 * K / (USERS * EPS**2), "upper")
    return certified(statement, "proved", {"constants": ["16"], "steps": [{}]})


@planted("a parameter has no value")
def an_error_of_no_size() -> Json:
    """K, m and g are not bound."""
    return proved(errors(ROOT, {"a": Value(totals.SURAP, T)}, SELF))


@planted("the name of an error means something else")
def an_error_called_n() -> Json:
    """The second error would be taken at as many users as the first error is large."""
    values = {"n": Value(SENSITIVE, T), "b": Value(SENSITIVE, T)}
    return proved(errors(ITEM, values, ("lt", term(0), B)))


@planted("the name of an error means something else")
def an_error_called_eps() -> Json:
    domain = Domain({**SMALL, "n": SIZE}, (1 - EPS,))
    return proved(errors(domain, {"eps": Value(SENSITIVE, exp(EPS))}, ("lt", term(0), EPS)))


# --- sizes and frequencies ----------------------------------------------------------------------------------------


@planted("sizes are integers >= 1 and frequencies >= 0")
def half_a_user() -> Json:
    return proved(errors({"t": ABOVE, "n": Range(1)}, {"a": Value(SENSITIVE, T)}, SELF))


@planted("sizes are integers >= 1 and frequencies >= 0")
def no_user() -> Json:
    return proved(errors({"t": ABOVE, "n": COUNT}, {"a": Value(SENSITIVE, T)}, SELF))


@planted("sizes are integers >= 1 and frequencies >= 0")
def frequencies_below_zero() -> Json:
    return proved(errors({**ROOT, "f": Range(-1)}, {"a": Value(OTHER, T)}, SELF))


@planted("n is not an integer")
def as_many_users_as_e() -> Json:
    """n = t + n."""
    return proved(errors(ROOT, {"a": Value(SENSITIVE, T, {"n": T + USERS})}, SELF))


@planted("m is not an integer")
def sets_of_half_an_item_more() -> Json:
    values = {"a": Value(totals.URAP_SPLIT.part("sensitive"), T, {"m": M + term(1) / 2})}
    return proved(errors({**ROOT, "m": SIZE}, values, SELF))


@planted("positivity is not shown")
def sets_without_items() -> Json:
    """m - 1, m >= 1."""
    values = {"a": Value(totals.URAP_SPLIT.part("sensitive"), T, {"m": M - 1})}
    return proved(errors({**ROOT, "m": SIZE}, values, SELF))


@planted("positivity is not shown")
def a_frequency_that_may_be_negative() -> Json:
    """f - 1/2 for 0 <= f <= 1."""
    values = {"a": Value(OTHER, T, {"f": F - term(1) / 2})}
    return proved(errors(ITEM, values, SELF))


@planted("no point of the domain was found")
def a_negative_frequency() -> Json:
    return proved(errors(ROOT, {"a": Value(OTHER, T, {"f": term(-1)})}, ("lt", A, term(0))))


@planted("no point of the domain was found")
def a_witness_of_negative_frequency() -> Json:
    return refuted(errors(ROOT, {"a": Value(OTHER, T, {"f": term(-1)})}, ("le", term(0), A)), AT)


@planted("no point of the domain was found")
def more_other_items_than_items() -> Json:
    """g > m + |X_sen|: a total of negative frequencies."""
    domain = Domain({"e0": ABOVE, "m": SIZE, "K": SIZE, "n": SIZE, "g": ANY}, (G - M - K,))
    return proved(errors(domain, {"a": Value(Total(totals.SUGRR.sensitive), E0)}, SELF))


@planted("no point of the domain was found")
def other_items_without_any() -> Json:
    """An item of an empty class."""
    return proved(errors({**ROOT, "N": COUNT}, {"a": Value(OTHER, T, {"N": term(0), "f": term(0)})}, SELF))


@planted("no data set has these frequencies")
def one_of_no_other_items() -> Json:
    """X_non is empty, and one of its items is held by everybody."""
    domain = data(t=ABOVE, f=ANY)
    values = {"a": Value(OTHER, T), "b": Value(totals.SURAP, T)}
    at = {**AT, "m": "1", "K": "1", "N": "0", "g": "0", "f": "1"}
    return refuted(errors(domain, values, ("eq", A, B)), at)


@planted("no data set has these frequencies")
def half_of_one_user() -> Json:
    return refuted(errors(ITEM, {"a": Value(OTHER, T)}, ("eq", A, term(0))), {**AT, "f": "1/2"})


@planted("no data set has these frequencies")
def half_of_one_user_by_substitution() -> Json:
    """Enclosures do not change whose data a witness is about."""
    domain = Domain({**ITEM.variables, "y": ANY}, (1 - F - Y,))
    statement = errors(domain, {"a": Value(OTHER, T, {"f": F + Y})}, ("eq", A, term(0)))
    return refuted(statement, {**AT, "f": "0", "y": "1/2"}, bits=64)


@planted("no data set has these frequencies")
def a_sensitive_item_that_is_held_too_often() -> Json:
    """Every set holds one item only, of X_non."""
    domain = data(t=ABOVE, f=ANY)
    at = {**AT, "m": "1", "K": "1", "N": "1", "g": "1", "f": "1"}
    return refuted(errors(domain, {"a": Value(SENSITIVE, T), "b": Value(totals.SURAP, T)}, ("lt", B, A)), at)


@planted("N = 1/2 lies outside the domain")
def half_an_item() -> Json:
    at = {**AT, "m": "1", "K": "1", "N": "1/2", "g": "0"}
    return refuted(errors(data(t=ABOVE), {"a": Value(totals.SURAP, T)}, ("eq", A, term(0))), at)


@planted("N = 1/2 is no size")
def half_an_item_in_a_wider_domain() -> Json:
    domain = Domain({**data(t=ABOVE).variables, "N": ANY}, (1 - G,))
    at = {**AT, "m": "1", "K": "1", "N": "1/2", "g": "0"}
    return refuted(errors(domain, {"a": Value(totals.SURAP, T)}, ("eq", A, term(0))), at)


# --- roots and budgets --------------------------------------------------------------------------------------------


@planted("positivity is not shown")
def epsilon_may_be_zero() -> Json:
    return proved(errors({"t": Range(1), "n": SIZE}, {"a": Value(SENSITIVE, T)}, SELF))


@planted("the root of e^eps is not shown to exceed 1")
def a_witness_at_epsilon_zero() -> Json:
    statement = errors({"t": Range(1), "n": SIZE}, {"a": Value(SENSITIVE, T)}, ("lt", A, term(1)))
    return refuted(statement, {"t": "1", "n": "1"})


@planted("another budget is spent")
def a_root_of_twice_the_budget() -> Json:
    statement = errors({**ITEM.variables, "m": SIZE}, {"a": Value(SENSITIVE, T**2)}, SELF, budget=T ** (2 * M))
    return proved(statement)


@planted("another budget is spent")
def a_budget_split_among_half_the_items() -> Json:
    domain = Domain({**SMALL, "m": SIZE, "n": SIZE}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(EPS / M))}, SELF, budget=exp(EPS)))


@planted("another budget is spent")
def a_budget_at_another_size() -> Json:
    """The root is that of sets of m items, the error that of sets of m + 1."""
    values = {"a": Value(SENSITIVE, T, {"m": M + 1})}
    return proved(errors({**ROOT, "m": SIZE}, values, SELF, budget=T ** (2 * M)))


@planted("a root is e^(...)")
def a_rational_root_of_a_real_budget() -> Json:
    domain = Domain({**ROOT, **SMALL, "m": SIZE}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, T)}, SELF, budget=exp(EPS)))


@planted("N is not shown to differ from 0")
def a_budget_with_a_pole() -> Json:
    statement = errors({**ROOT, **SETS}, {"a": Value(SENSITIVE, T)}, SELF, budget=T ** (2 * M) * N / N)
    return proved(statement)


@planted("N is not shown to differ from 0")
def a_root_with_a_pole() -> Json:
    """N t / N at N = 0; the quotient that remains has none."""
    return proved(errors({**ROOT, "N": COUNT}, {"a": Value(SENSITIVE, N * T / N)}, SELF))


@planted("N is not shown to differ from 0")
def an_exponent_with_a_pole() -> Json:
    domain = Domain({**SMALL, "n": SIZE, "N": COUNT}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(N * EPS / N))}, ("lt", term(0), A)))


@planted("eps <= 1 is not stated")
def every_epsilon() -> Json:
    return proved(errors({**SMALL, "n": SIZE}, {"a": Value(SENSITIVE, exp(EPS))}, ("lt", term(0), A)))


@planted("eps > 0")
def epsilon_from_zero_on() -> Json:
    domain = Domain({"eps": ANY, "n": SIZE}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(EPS + 1))}, ("lt", term(0), A)))


@planted("positivity is not shown")
def an_exponent_above_one() -> Json:
    """e^(2 eps) at eps = 1: outside of the lemma."""
    domain = Domain({**SMALL, "n": SIZE}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(2 * EPS))}, ("lt", term(0), A)))


@planted("positivity is not shown")
def epsilon_below_one() -> Json:
    """eps = 1 belongs to the domain: 1 - eps is not positive there."""
    domain = Domain({**SMALL, "n": SIZE}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(EPS))}, ("lt", EPS, term(1))))


@planted("is not shown to differ from 0")
def a_pole_at_one() -> Json:
    domain = Domain({**SMALL, "n": SIZE}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(EPS))}, ("le", term(0), 1 / (1 - EPS))))


@planted("too many terms")
def a_table_of_degree_300() -> Json:
    """e^x would be raised to the power 600."""
    big = (T**30) ** 10
    law = replace(surap.SURAP, p=big / (big + 1), q=1 / (big + 1), r=term(1) / 2)
    estimator = Estimator((big - 1) / (big + 1), 1 / (big + 1))
    part = Mse(law, "sen", "sensitive", estimator, formula=big / (USERS * (big - 1) ** 2))
    domain = Domain({**SMALL, "n": SIZE}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(part, exp(EPS))}, ("lt", term(0), A)))
