"""False certificates about errors of mechanisms: relations, orders, communication costs, equal laws."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from certificates import Json, certified
from dp_spec.frequency import rappor, sugrr, surap, totals
from dp_spec.frequency.claims.comparison import SMALL, data
from dp_spec.vocabulary.error_statements import Cost, Errors, Order, SameLaw, Total, Value
from dp_spec.vocabulary.law import USERS, Estimator, F, G, K, Law, M, N
from dp_spec.vocabulary.statement import Domain, Mse, Range, Relation
from dp_spec.vocabulary.term import Term, exp, sqrt, term, var
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


# --- relations ----------------------------------------------------------------------------------------------------


@planted("positivity is not shown")
def the_larger_error_is_smaller() -> Json:
    values = {"a": Value(SENSITIVE, T), "b": Value(SENSITIVE, T, {"n": USERS + 1})}
    return proved(errors(ROOT, values, ("lt", A, B)))


@planted("positivity is not shown")
def strictly_smaller_at_the_edge() -> Json:
    """f = 0: both errors are 0."""
    values = {"a": Value(OTHER, T), "b": Value(OTHER, T, {"f": 2 * F})}
    return proved(errors(Domain(ITEM.variables, (1 - 2 * F,)), values, ("lt", A, B)))


@planted("not an identity")
def equal_to_a_half() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("eq", A, A / 2)))


@planted("one proof step for every relation")
def a_relation_without_a_step() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, SELF, ("lt", A, term(0))), {})


@planted("f is not shown to differ from 0")
def a_quotient_of_nothing() -> Json:
    return proved(errors(ITEM, {"a": Value(OTHER, T)}, ("eq", A / F, 1 / (USERS * (T - 1)))))


@planted("the relation is not shown to fail at the witness")
def a_relation_that_holds() -> Json:
    return refuted(errors(ROOT, {"a": Value(SENSITIVE, T)}, ("le", A, term(2))), AT)


@planted("the relation is not shown to fail at the witness")
def undecided_enclosures() -> Json:
    """e / (e - 1)^2 against itself."""
    root = exp(term(1))
    statement = errors({"n": SIZE}, {"a": Value(SENSITIVE, root), "b": Value(SENSITIVE, root)}, ("eq", A, B))
    return refuted(statement, {"n": "1"}, bits=8)


# --- ends of a variable -------------------------------------------------------------------------------------------


@planted("not affine in f")
def ends_of_a_parabola() -> Json:
    """f (f - 1) is 0 at both ends and negative between."""
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", term(0), F * (F - 1))), DROP)


@planted("not affine in f")
def ends_of_a_hyperbola() -> Json:
    """1 / (1 + f) is at most 1 - f / 2 at both ends."""
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", 1 / (1 + F), 1 - F / 2)), DROP)


@planted("the end is not stated")
def an_end_that_is_nowhere_stated() -> Json:
    statement = errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", F, term(1) / 2))
    return proved(statement, {"ends": "f", "high": ["div", 1, 2], "steps": [{}, {}]})


@planted("the end is not stated")
def an_end_of_another_variable() -> Json:
    domain = Domain({**ITEM.variables, "y": ANY}, (1 - F,))
    return proved(errors(domain, {"a": Value(SENSITIVE, T)}, ("le", Y, term(1))), {**DROP, "ends": "y"})


@planted("from 0 on")
def ends_of_the_users() -> Json:
    """n >= 1 is an integer: 0 is none of its values."""
    domain = Domain(ROOT, (5 - USERS,))
    return proved(errors(domain, {"a": Value(SENSITIVE, T)}, ("le", term(1), USERS)), {**DROP, "ends": "n", "high": 5})


@planted("a step at either end")
def one_end_only() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", F, term(0))), {**DROP, "steps": [{}]})


@planted("positivity is not shown")
def false_at_one_end() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", F, term(1) / 2)), DROP)


@planted("malformed: KeyError")
def ends_of_a_variable_that_is_gone() -> Json:
    return proved(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("le", F, term(1))), {**DROP, "steps": [DROP, {}]})


# --- covers -------------------------------------------------------------------------------------------------------

BETWEEN = Domain(SMALL, (EPS - 1, 5 - EPS))
LARGE = errors(BETWEEN, {"a": Value(SENSITIVE, exp(EPS), {"n": term(1)})}, ("lt", A, term(1)))
"""e / (e - 1)^2 < 1 for e^1 and more."""


def covered(statement: Errors, *ends: str, bits: int = 64) -> Json:
    return certified(statement, "proved", {"cover": list(ends), "bits": bits})


@planted("the pieces do not cover the domain")
def a_cover_that_begins_late() -> Json:
    return covered(LARGE, "3/2", "2", "5")


@planted("the pieces do not cover the domain")
def a_cover_that_ends_early() -> Json:
    return covered(LARGE, "1", "2", "4")


@planted("the pieces are in order")
def a_cover_with_a_step_back() -> Json:
    return covered(LARGE, "1", "3", "2", "5")


@planted("too few or too many pieces")
def no_cover() -> Json:
    return covered(LARGE)


@planted("too few or too many pieces")
def a_cover_of_too_many_bits() -> Json:
    return covered(LARGE, *[str(1 + i) for i in range(2000)], bits=4096)


@planted("the pieces do not cover the domain")
def an_unbounded_domain() -> Json:
    return covered(replace(LARGE, domain=Domain(SMALL, (EPS - 1,))), "1", "5")


@planted("constraints that bound the variable are affine")
def a_domain_bounded_by_a_parabola() -> Json:
    """(eps - 1)(eps - 9) >= 0 also leaves all eps >= 9."""
    domain = Domain(SMALL, (EPS - 1, 9 - EPS, EPS**2 - 9 * EPS + 20))
    return covered(replace(LARGE, domain=domain), "1", "9")


@planted("not shown on")
def a_piece_on_which_it_fails() -> Json:
    return covered(replace(LARGE, relations=(("lt", A, term(1) / 2),)), "1", "2", "5")


@planted("not shown on")
def a_piece_that_is_too_wide() -> Json:
    return covered(replace(LARGE, relations=(("le", A, A),)), "1", "5")


@planted("enclosures cover one variable at most")
def a_cover_of_two_variables() -> Json:
    return covered(errors(Domain({**BETWEEN.variables, "n": SIZE}, BETWEEN.constraints), LARGE.values, SELF), "1", "5")


@planted("a parameter has no value")
def a_cover_of_the_users() -> Json:
    """The error is not one of an interval of users."""
    domain = Domain({"n": SIZE}, (USERS - 1, 5 - USERS))
    return covered(errors(domain, {"a": Value(SENSITIVE, sqrt(term(2)))}, ("lt", term(0), A)), "1", "5")


@planted("nothing to cover")
def a_cover_of_numbers() -> Json:
    return covered(replace(LARGE, domain=Domain({}), values={"a": Value(SENSITIVE, sqrt(term(2)), {"n": term(9)})}), "1", "5")


# --- orders -------------------------------------------------------------------------------------------------------

ORDER = Domain({**SMALL, "m": SIZE, "n": SIZE, "f": ANY}, (1 - EPS, 1 - F))
UPPER = Order(ORDER, SENSITIVE, M**2 / (USERS * EPS**2), "upper")
FAMILY: Json = {"eps": 1, "m": "L", "n": 1, "f": 1}


def bounded(statement: Order, *constants: str) -> Json:
    return certified(statement, "proved", {"constants": list(constants), "steps": [{}] * len(constants)})


def family(statement: Order, side: str = "upper", constant: str = "1/100", **changes: Any) -> Json:
    evidence = {"side": side, "family": {**FAMILY, **changes}, "constant": constant}
    return certified(statement, "refuted", evidence)


@planted("positivity is not shown")
def a_bound_with_one_m_less() -> Json:
    return bounded(replace(UPPER, entry=M / (USERS * EPS**2)), "4096")


@planted("positivity is not shown")
def a_bound_without_epsilon() -> Json:
    return bounded(replace(UPPER, entry=M**2 / USERS), "4096")


@planted("constants are positive")
def a_lower_bound_by_zero() -> Json:
    """error >= 0 * entry."""
    return bounded(Order(ORDER, SENSITIVE, M**9 / (USERS * EPS**9), "theta"), "4096", "0")


@planted("constants are positive")
def a_lower_bound_below_zero() -> Json:
    return bounded(replace(UPPER, bound="theta"), "16", "-1")


@planted("a constant for every side")
def a_theta_without_its_lower_bound() -> Json:
    return bounded(Order(ORDER, OTHER, M / (USERS * EPS), "theta"), "16")


@planted("positivity is not shown")
def an_entry_that_may_be_zero() -> Json:
    """Of two functions that are 0 somewhere."""
    return bounded(Order(ORDER, OTHER, M * F / (USERS * EPS), "upper"), "16")


@planted("is not shown to differ from 0")
def an_entry_with_a_pole() -> Json:
    return bounded(replace(UPPER, entry=M**2 / (USERS * EPS**2 * (1 - EPS))), "16")


@planted("eps <= 1 is not stated")
def an_order_for_every_epsilon() -> Json:
    return bounded(replace(UPPER, domain=Domain(ORDER.variables, (1 - F,))), "16")


@planted("eps <= 1 is not stated")
def a_family_of_large_epsilons() -> Json:
    """eps = m = L: the lemma about e^(eps / 2m) applies, the statement does not."""
    statement = Order(Domain(ORDER.variables, (1 - F,)), SENSITIVE, M / (USERS * EPS**2), "upper")
    return family(statement, eps="L")


@planted("positivity is not shown")
def a_family_above_one() -> Json:
    return family(replace(UPPER, entry=M / (USERS * EPS**2)), eps=2)


@planted("positivity is not shown")
def a_family_with_frequencies_above_one() -> Json:
    """The statement does not say f <= 1; no data set has more."""
    statement = Order(Domain(ORDER.variables, (1 - EPS,)), OTHER, M / (USERS * EPS), "upper")
    return family(statement, m=1, f="L")


@planted("positivity is not shown")
def a_family_with_more_other_items_than_items() -> Json:
    variables = {**SMALL, **SETS, "n": SIZE, "g": ANY}
    statement = Order(Domain(variables, (1 - EPS,)), totals.SURAP, M**2 * K / (USERS * EPS**2), "upper")
    chosen = {"eps": 1, "m": 1, "K": 1, "N": 1, "n": 1, "g": "L"}
    return certified(statement, "refuted", {"side": "upper", "family": chosen, "constant": "1/100"})


@planted("is not an integer")
def a_family_of_half_items() -> Json:
    return family(replace(UPPER, entry=M / (USERS * EPS**2)), m=["div", ["add", "L", 1], 2])


@planted("is not an integer")
def a_family_of_fractions_of_users() -> Json:
    """f = 1/2: nobody says that there is more than one user."""
    return family(Order(ORDER, OTHER, 1 / (USERS * EPS), "upper"), f=["div", 1, 2])


@planted("positivity is not shown")
def a_family_that_does_not_grow() -> Json:
    return family(UPPER)


@planted("constants are positive")
def a_family_with_constant_zero() -> Json:
    return family(UPPER, constant="0")


@planted("constants are positive")
def a_family_with_a_negative_constant() -> Json:
    return family(UPPER, constant="-1")


@planted("positivity is not shown")
def a_family_without_error() -> Json:
    """f = 0: 0 >= L 0."""
    return family(Order(ORDER, OTHER, M * F / (USERS * EPS), "upper"), f=0)


@planted("the statement has no such side")
def a_lower_side_of_an_upper_bound() -> Json:
    return family(replace(UPPER, entry=M**3 / (USERS * EPS**2)), side="lower")


@planted("a family gives every variable a value")
def a_family_without_users() -> Json:
    return certified(UPPER, "refuted", {"side": "upper", "family": {"eps": 1, "m": "L", "f": 1}, "constant": "1"})


@planted("L is the parameter of families")
def a_domain_with_l() -> Json:
    """L would stand for two things."""
    domain = Domain({**ORDER.variables, "L": SIZE}, ORDER.constraints)
    return family(replace(UPPER, domain=domain, entry=M / (USERS * EPS**2)), L=1)


@planted("the root of e^eps is no variable")
def a_domain_with_the_root() -> Json:
    domain = Domain({**ORDER.variables, "t": ABOVE}, ORDER.constraints)
    return bounded(replace(UPPER, domain=domain), "16")


@planted("sizes >= 1")
def an_order_of_sets_without_items() -> Json:
    return bounded(replace(UPPER, domain=Domain({**ORDER.variables, "m": COUNT}, ORDER.constraints)), "16")


# --- costs --------------------------------------------------------------------------------------------------------

REPORTS = Domain(SETS, (K + N - M,))
GRID = {"m": SIZE, "more": COUNT, "hashes": SIZE}
CELLS = 3 * M + var("more")
"""1 / p = 2m - 1 + m w, m w = m + 1 + more."""
POINT: list[tuple[Term, Term]] = [(CELLS, term(1)), (var("hashes"), term(1))]


def cost(law: Law, view: Any, symbols: list[tuple[Term, Term]], entry: list[tuple[Term, Term]], *powers: int) -> Json:
    domain = Domain(GRID) if law.unit == "arcs" else REPORTS
    return certified(Cost(domain, law, view, tuple(symbols), tuple(entry)), "proved", {"powers": list(powers)})  # type: ignore[arg-type]


@planted("not as many symbols as a report needs")
def one_bit_for_a_vector() -> Json:
    return cost(surap.SURAP, "sen", [(term(2), term(1))], [(term(2), term(1))], 1)


@planted("not as many symbols as a report needs")
def one_item_for_m_results() -> Json:
    return cost(sugrr.SUGRR, "multiset", [(K + N, term(1))], [(K + N, term(1))], 1)


@planted("not as many symbols as a report needs")
def sensitive_items_only() -> Json:
    """What is emitted of X_non does not fit into the symbols."""
    return cost(sugrr.SUGRR_SAMPLE, "one", [(K, term(1))], [(K, term(1))], 1)


@planted("not as many symbols as a report needs")
def one_vector_for_m() -> Json:
    return cost(totals.URAP_SPLIT_LAW, "sen", [(term(2), K + N)], [(term(2), K + N)], 1)


@planted("padded reports have more than m items")
def padding_for_nothing() -> Json:
    return cost(sugrr.SUGRR, "padded", [(K + N, M)], [(K + N, M)], 1)


@planted("positivity is not shown")
def too_few_cells() -> Json:
    """m + 2 cells: e^eps would be at most 1."""
    few = [(M + 2, term(1)), POINT[1]]
    return cost(totals.WHEEL.law, "ideal", few, few, 1, 1)


@planted("a cell, a hash function, and z1")
def a_point_without_its_hash_function() -> Json:
    return cost(totals.WHEEL.law, "ideal", POINT[:1], POINT[:1], 1)


@planted("a cell, a hash function, and z1")
def a_point_without_the_emitted_items() -> Json:
    return cost(totals.SUWHEEL.law, "ideal", POINT, POINT, 1, 1)


@planted("z1 is a set of items")
def emitted_items_as_bits() -> Json:
    domain = Domain({**GRID, "emitted": COUNT, "K": SIZE, "N": COUNT}, (M - var("emitted"),))
    symbols = (POINT[0], (term(2), var("emitted")), POINT[1])
    return certified(Cost(domain, totals.SUWHEEL.law, "ideal", symbols, symbols), "proved", {"powers": [1, 1, 1]})


@planted("not the number of cells of the circle")
def no_cell() -> Json:
    """The cell is one symbol, not none."""
    none = [(CELLS, term(0)), POINT[1]]
    return cost(totals.WHEEL.law, "ideal", none, none, 1, 1)


@planted("one hash function is sent")
def no_hash_function() -> Json:
    none = [POINT[0], (var("hashes"), term(0))]
    return cost(totals.WHEEL.law, "ideal", none, none, 1, 1)


@planted("positivity is not shown")
def fewer_values_than_there_are() -> Json:
    """d <= |X_sen|^8 for |X_sen| >= 1."""
    return cost(sugrr.SUGRR, "multiset", [(K + N, M)], [(K + 1, M)], 8)


@planted("positivity is not shown")
def bits_of_one_value() -> Json:
    """log 1 = 0 bits are not enough for 2 values."""
    return cost(rappor.RAPPOR_SET, "sen", [(term(2), K)], [(term(1), K)], 1)


@planted("the symbols occur another number of times")
def symbols_that_occur_less_often() -> Json:
    return cost(sugrr.SUGRR, "multiset", [(K + N, M)], [(K + N, term(1))], 1)


@planted("not an integer")
def a_power_that_is_none() -> Json:
    evidence = {"powers": ["1"]}
    symbols = ((K + N, M),)
    return certified(Cost(REPORTS, sugrr.SUGRR, "multiset", symbols, ((K + N + 1, M),)), "proved", evidence)


@planted("no evidence makes this type of statement 'refuted'")
def a_continuum_of_bits() -> Json:
    bits = ((term(2), K + N),)
    statement = Cost(REPORTS, surap.SURAP, "sen", bits, bits, "real")
    return certified(statement, "refuted", {"lemma": "continuum"})


@planted("unknown evidence")
def a_continuum_of_cells() -> Json:
    statement = Cost(Domain(GRID), totals.WHEEL.law, "ideal", tuple(POINT), tuple(POINT))
    return certified(statement, "refuted", {"lemma": "continuum"})


# --- equal laws ---------------------------------------------------------------------------------------------------

EQUAL = {"lemma": "equal tables"}


def same(left: Law, right: Law, of: Any, view: Any, without_others: bool = False) -> Json:
    return certified(SameLaw(left, right, of, view, without_others), "proved", EQUAL)


@planted("the tables differ")
def another_chance_of_being_kept() -> Json:
    return same(surap.SURAP, replace(surap.SURAP, r=1 - 1 / T**2), "item", "sen")


@planted("the tables differ")
def no_other_items_beside_some() -> Json:
    """suRAP and RAPPOR are the same only if X_non is empty."""
    return same(surap.SURAP, rappor.RAPPOR_SET, "report", "sen")


@planted("the tables differ")
def another_table() -> Json:
    return same(rappor.RAPPOR_SET, replace(rappor.RAPPOR_SET, p=1 - 1 / (T**2 + 1)), "item", "sen", True)


@planted("different numbers of items are reported")
def m_vectors_and_one() -> Json:
    return same(replace(surap.SURAP, draw="each"), surap.SURAP, "report", "sen")


@planted("another budget is spent")
def the_same_table_for_another_budget() -> Json:
    return same(surap.SURAP, replace(surap.SURAP, power=4 * M), "item", "sen")


@planted("tables of different things")
def roots_of_different_names() -> Json:
    return same(surap.SURAP, surap.SURAP_SAMPLE, "item", "sen", True)


@planted("a view that the law does not have")
def a_view_of_one_of_them() -> Json:
    return same(sugrr.SUGRR, replace(sugrr.SUGRR, draw="one"), "item", "multiset")


@planted("tables with parameters")
def equal_up_to_a_parameter() -> Json:
    law = replace(surap.SURAP, r=var("theta"), parameters=("theta",))
    return same(law, law, "item", "sen")
