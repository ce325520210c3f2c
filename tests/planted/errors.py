"""False certificates about errors of mechanisms: relations, orders, communication costs, equal laws."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dp_spec.frequency import rappor, surap, totals
from dp_spec.frequency.claims.comparison import SMALL, data
from dp_spec.vocabulary.error_statements import Formula, Total, Value
from dp_spec.vocabulary.error_statements import errors as about
from dp_spec.vocabulary.law import USERS, Estimator, F, G, K, M, N, bits
from dp_spec.vocabulary.statement import Domain, Mse, Range, Relation
from dp_spec.vocabulary.term import Term, exp, term, var
from planted.register import planted
from tampered.certificates import Json, certified

T, E0, W, EPS, A, B, L, Y = (var(x) for x in ("t", "e0", "w", "eps", "a", "b", "L", "y"))
ABOVE, SIZE, COUNT, ANY = Range(1, strict=True), Range(1, integer=True), Range(integer=True), Range()
SENSITIVE, OTHER = totals.SURAP.part("sensitive"), totals.SURAP.part("nonsensitive")
"""t / (n (t - 1)^2) and f / (n (t - 1))."""
OF_ITEM = {"n": SIZE, "m": SIZE, "f": ANY}
ROOT = {"t": ABOVE, **OF_ITEM}
ITEM = Domain(ROOT, (1 - F,))
SETS = {"m": SIZE, "K": SIZE, "N": COUNT}
PLAIN: Json = {"steps": [{}]}
DROP: Json = {"ends": ["f", 1]}


def errors(
    domain: Domain | Mapping[str, Range], values: Mapping[str, Value], *relations: Relation, budget: Term | None = None
) -> Formula:
    return about(domain if isinstance(domain, Domain) else Domain(domain), values, relations, budget)


def proved(statement: Formula, *steps: Any) -> Json:
    return certified(statement, "proved", {"steps": list(steps) or [{}]})


def refuted(statement: Formula, values: Mapping[str, str], **more: Any) -> Json:
    return certified(statement, "refuted", {"relation": 0, "values": dict(values), **more})


AT = {"t": "2", "n": "1", "m": "1", "f": "0"}
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


@planted("unbound symbol theta")
def a_probability_above_one() -> Json:
    """theta >= 2: "the error is negative"."""
    term_of = bits(rappor.stays(T), rappor.appears(T), var("theta"))
    law = replace(surap.SURAP, term=term_of, parameters=("theta",))
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


@planted("no data set has these")
def grr_beside_other_items() -> Json:
    """GRR on X_sen alone, while sets hold items of X_non: "the total is negative"."""
    at = {"e0": "2", "n": "1", "m": "2", "K": "9", "N": "2", "g": "2"}
    return refuted(errors(data(e0=ABOVE), {"a": Value(totals.GRR, E0)}, ("lt", A, term(1))), at)


@planted("unbound symbol K")
def an_error_of_no_size() -> Json:
    """K and g are not bound."""
    return proved(errors(ROOT, {"a": Value(totals.SURAP, T)}, SELF))


@planted("the sizes or the frequency of an error have no value")
def an_error_of_sets_of_no_size() -> Json:
    """m is not bound."""
    return proved(errors({"t": ABOVE, "n": SIZE, "f": ANY}, {"a": Value(SENSITIVE, T)}, SELF))


@planted("the sizes or the frequency of an error have no value")
def an_error_of_no_frequency() -> Json:
    return proved(errors({"t": ABOVE, "n": SIZE, "m": SIZE}, {"a": Value(SENSITIVE, T)}, SELF))


@planted("the sizes or the frequency of an error have no value")
def data_of_no_users() -> Json:
    """The statement says that its points are those of data sets, and not of how many users."""
    statement = replace(errors({"m": SIZE}, {}, ("le", term(1), M)), of_data=True)
    return proved(statement)


@planted("the name of an error means something else")
def an_error_called_n() -> Json:
    """The second error would be taken at as many users as the first error is large."""
    values = {"n": Value(SENSITIVE, T), "b": Value(SENSITIVE, T)}
    return proved(errors(ITEM, values, ("lt", term(0), B)))


@planted("the name of an error means something else")
def an_error_called_eps() -> Json:
    domain = Domain({**SMALL, **OF_ITEM}, (1 - EPS,))
    return proved(errors(domain, {"eps": Value(SENSITIVE, exp(EPS))}, ("lt", term(0), EPS)))


# --- sizes and frequencies ----------------------------------------------------------------------------------------


@planted("n is an integer >= 1")
def half_a_user() -> Json:
    """The domain lets n be 1/2; there the error is 4."""
    return refuted(errors({**ROOT, "n": ANY}, {"a": Value(SENSITIVE, T)}, ("le", A, term(2))), {**AT, "n": "1/2"})


@planted("n is an integer >= 1")
def no_user() -> Json:
    return refuted(errors({**ROOT, "n": COUNT}, {"a": Value(SENSITIVE, T)}, ("le", A, term(2))), {**AT, "n": "0"})


@planted("no data set has these")
def frequencies_below_zero() -> Json:
    at = {**AT, "f": "-1"}
    return refuted(errors({**ROOT, "f": Range(-1)}, {"a": Value(OTHER, T)}, ("le", term(0), A)), at)


@planted("no data set has these")
def as_many_users_as_e() -> Json:
    """n = t - 1."""
    values = {"a": Value(SENSITIVE, T, {"n": T - 1, "m": term(1), "f": term(0)})}
    return refuted(errors({"t": ABOVE}, values, ("le", A, term(2))), {"t": "3/2"})


@planted("no point of the domain was found")
def sets_of_half_an_item_more() -> Json:
    values = {"a": Value(totals.URAP_SPLIT.part("sensitive"), T, {"m": M + term(1) / 2})}
    return proved(errors({**ROOT, "m": SIZE}, values, ("lt", A, term(0))))


@planted("no data set has these")
def sets_without_items() -> Json:
    """m - 1, m >= 1."""
    values = {"a": Value(totals.URAP_SPLIT.part("sensitive"), T, {"m": M - 1})}
    return refuted(errors({**ROOT, "m": SIZE}, values, ("lt", term(0), A)), {**AT, "m": "1"})


@planted("no data set has these")
def a_frequency_that_may_be_negative() -> Json:
    """f - 1/2 for 0 <= f <= 1."""
    values = {"a": Value(OTHER, T, {"f": F - term(1) / 2})}
    return refuted(errors(ITEM, values, ("le", term(0), A)), {**AT, "n": "2"})


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


@planted("no data set has these")
def one_of_no_other_items() -> Json:
    """X_non is empty, and one of its items is held by everybody."""
    domain = data(t=ABOVE, f=ANY)
    values = {"a": Value(OTHER, T), "b": Value(totals.SURAP, T)}
    at = {**AT, "m": "1", "K": "1", "N": "0", "g": "0", "f": "1"}
    return refuted(errors(domain, values, ("eq", A, B)), at)


@planted("a number of holders is not an integer")
def half_of_one_user() -> Json:
    return refuted(errors(ITEM, {"a": Value(OTHER, T)}, ("eq", A, term(0))), {**AT, "f": "1/2"})


@planted("a number of holders is not an integer")
def half_of_one_user_by_substitution() -> Json:
    """Enclosures do not change whose data a witness is about."""
    domain = Domain({**ITEM.variables, "y": ANY}, (1 - F - Y,))
    statement = errors(domain, {"a": Value(OTHER, T, {"f": F + Y})}, ("eq", A, term(0)))
    return refuted(statement, {**AT, "f": "0", "y": "1/2"})


@planted("no data set has these")
def a_sensitive_item_that_is_held_too_often() -> Json:
    """Every set holds one item only, of X_non."""
    domain = data(t=ABOVE, f=ANY)
    at = {**AT, "m": "1", "K": "1", "N": "1", "g": "1", "f": "1"}
    return refuted(errors(domain, {"a": Value(SENSITIVE, T), "b": Value(totals.SURAP, T)}, ("lt", B, A)), at)


@planted("a size or a number of holders is not an integer")
def half_an_item() -> Json:
    at = {"t": "2", "n": "1", "m": "1", "K": "1", "N": "1/2", "g": "0"}
    return refuted(errors(data(t=ABOVE), {"a": Value(totals.SURAP, T)}, ("eq", A, term(0))), at)


@planted("N is an integer >= 0")
def half_an_item_in_a_wider_domain() -> Json:
    domain = Domain({**data(t=ABOVE).variables, "N": ANY}, (1 - G,))
    at = {"t": "2", "n": "1", "m": "1", "K": "1", "N": "1/2", "g": "0"}
    return refuted(errors(domain, {"a": Value(totals.SURAP, T)}, ("eq", A, term(0))), at)


# --- roots and budgets --------------------------------------------------------------------------------------------


@planted("the root of e^eps is not shown to exceed 1")
def epsilon_may_be_zero() -> Json:
    return proved(errors({**ROOT, "t": Range(1)}, {"a": Value(SENSITIVE, T)}, SELF))


@planted("the root of e^eps is not shown to exceed 1")
def a_witness_at_epsilon_zero() -> Json:
    statement = errors({**ROOT, "t": Range(1)}, {"a": Value(SENSITIVE, T)}, ("lt", A, term(1)))
    return refuted(statement, {**AT, "t": "1"})


@planted("another budget is spent")
def a_root_of_twice_the_budget() -> Json:
    statement = errors({**ITEM.variables, "m": SIZE}, {"a": Value(SENSITIVE, T**2)}, SELF, budget=T ** (2 * M))
    return proved(statement)


@planted("another budget is spent")
def a_budget_split_among_half_the_items() -> Json:
    domain = Domain({**SMALL, **OF_ITEM}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(EPS / M))}, SELF, budget=exp(EPS)))


@planted("another budget is spent")
def a_budget_at_another_size() -> Json:
    """The root is that of sets of m items, the error that of sets of m + 1."""
    values = {"a": Value(SENSITIVE, T, {"m": M + 1})}
    return proved(errors({**ROOT, "m": SIZE}, values, SELF, budget=T ** (2 * M)))


@planted("unbound symbol [e^")
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
    domain = Domain({**SMALL, **OF_ITEM, "N": COUNT}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(N * EPS / N))}, ("lt", term(0), A)))


@planted("positivity is not shown")
def epsilon_from_zero_on() -> Json:
    domain = Domain({"eps": ANY, **OF_ITEM}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(EPS))}, ("lt", term(0), A)))


@planted("positivity is not shown")
def an_exponent_above_one() -> Json:
    """e^(2 eps) <= 1 + 2 eps + 3 eps^2 fails at eps = 1, where 1 + x + 3/4 x^2 is no bound any more."""
    domain = Domain({**SMALL, **OF_ITEM}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(EPS))}, ("le", exp(2 * EPS), 1 + 2 * EPS + 3 * EPS**2)))


@planted("positivity is not shown")
def epsilon_below_one() -> Json:
    """eps = 1 belongs to the domain: 1 - eps is not positive there."""
    domain = Domain({**SMALL, **OF_ITEM}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(EPS))}, ("lt", EPS, term(1))))


@planted("is not shown to differ from 0")
def a_pole_at_one() -> Json:
    domain = Domain({**SMALL, **OF_ITEM}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, exp(EPS))}, ("le", term(0), 1 / (1 - EPS))))


@planted("units of work")
def a_table_of_degree_300() -> Json:
    """e^x would be raised to the power 600."""
    big = (T**30) ** 10
    law = replace(surap.SURAP, term=bits(big / (big + 1), 1 / (big + 1), term(1) / 2))
    estimator = Estimator((big - 1) / (big + 1), 1 / (big + 1))
    part = Mse(law, "sen", "sensitive", estimator, formula=big / (USERS * (big - 1) ** 2))
    domain = Domain({**SMALL, **OF_ITEM}, (1 - EPS,))
    return proved(errors(domain, {"a": Value(part, exp(EPS))}, ("lt", term(0), A)))
