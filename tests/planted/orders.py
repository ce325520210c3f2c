"""False certificates about bounds up to a constant, steps, communication costs and equal laws."""

from dataclasses import replace
from typing import Any

from dp_spec.frequency import grr, rappor, sugrr, surap, totals, wheel
from dp_spec.frequency.claims.comparison import SMALL, of_order
from dp_spec.frequency.claims.wheel import FORMAL as wheel_claims
from dp_spec.vocabulary.error_statements import Bounded, Cost, Formula, SameLaw, Value
from dp_spec.vocabulary.law import USERS, F, K, Law, M, N, bits, each, interval
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.term import Term, exp, term, var
from planted.errors import ABOVE, ANY, COUNT, EPS, OTHER, SENSITIVE, SETS, SIZE, T, Y
from planted.register import W, X, planted
from tampered.certificates import Json, certified

# --- orders -------------------------------------------------------------------------------------------------------

ORDER = Domain({**SMALL, "m": SIZE, "n": SIZE, "f": ANY}, (1 - EPS, 1 - F))
BUDGET = exp(EPS)
ERROR = Value(SENSITIVE, exp(EPS / (2 * M)))
REST = Value(OTHER, exp(EPS / (2 * M)))
FAMILY: Json = {"eps": 1, "m": "L", "n": 1, "f": 1}


def order(entry: Term, error: Value = ERROR, bound: str = "upper", domain: Domain = ORDER) -> Bounded:
    return of_order(domain, error, entry, bound)


UPPER = order(M**2 / (USERS * EPS**2))


def bounded(statement: Bounded, *constants: Any) -> Json:
    return certified(statement, "proved", {"constants": list(constants), "steps": [{}] * len(constants)})


def family(statement: Bounded, relation: int = 0, constant: Any = ("div", 1, 100), **changes: Any) -> Json:
    chosen = constant if isinstance(constant, int) else list(constant)
    return certified(statement, "refuted", {"relation": relation, "family": {**FAMILY, **changes}, "constant": chosen})


@planted("positivity is not shown")
def a_bound_with_one_m_less() -> Json:
    return bounded(order(M / (USERS * EPS**2)), 4096)


@planted("positivity is not shown")
def a_bound_without_epsilon() -> Json:
    return bounded(order(M**2 / USERS), 4096)


@planted("positivity is not shown")
def a_lower_bound_by_zero() -> Json:
    """entry <= C error with a constant that is 0."""
    return bounded(order(M**9 / (USERS * EPS**9), bound="theta"), 4096, 0)


@planted("positivity is not shown")
def a_lower_bound_below_zero() -> Json:
    return bounded(order(M**2 / (USERS * EPS**2), bound="theta"), 16, -1)


@planted("positivity is not shown")
def a_theta_without_its_lower_bound() -> Json:
    return bounded(order(M / (USERS * EPS), REST, "theta"), 16)


@planted("is not shown to differ from 0")
def an_entry_with_a_pole() -> Json:
    """f / f at f = 0."""
    return bounded(order(M**2 * F / (F * USERS * EPS**2)), 16)


@planted("is not shown to differ from 0")
def a_constant_with_a_pole() -> Json:
    """f / f, which may depend on f."""
    return bounded(replace(moving(), relations=((M / M, M),)), (F / F).json())


@planted("positivity is not shown")
def an_order_for_every_epsilon() -> Json:
    """error <= C m^2 / n at any epsilon."""
    return bounded(order(M**2 / USERS, domain=Domain(ORDER.variables, (1 - F,))), 4096)


@planted("the constraint ['sub', 1, 'eps'] is violated")
def a_family_outside_of_the_domain() -> Json:
    return family(order(M / (USERS * EPS**2)), eps=2)


@planted("no data set has these sizes and frequencies")
def a_family_with_frequencies_above_one() -> Json:
    """The statement does not say f <= 1; no data set has more."""
    statement = order(M / (USERS * EPS), REST, domain=Domain(ORDER.variables, (1 - EPS,)))
    return family(statement, m=1, f="L")


@planted("no data set has these sizes and frequencies")
def a_family_with_more_other_items_than_items() -> Json:
    variables = {**SMALL, **SETS, "n": SIZE, "g": ANY}
    total = Value(totals.SURAP, exp(EPS / (2 * M)))
    statement = order(M**2 * K / (USERS * EPS**2), total, domain=Domain(variables, (1 - EPS,)))
    chosen = {"eps": 1, "m": 1, "K": 1, "N": 1, "n": 1, "g": "L"}
    return certified(statement, "refuted", {"relation": 0, "family": chosen, "constant": ["div", 1, 100]})


@planted("is not an integer")
def a_family_of_half_items() -> Json:
    return family(order(M / (USERS * EPS**2)), m=["div", ["add", "L", 1], 2])


@planted("is not an integer")
def a_family_of_fractions_of_users() -> Json:
    """f = 1/2: nobody says that there is more than one user."""
    return family(order(1 / (USERS * EPS), REST), f=["div", 1, 2])


@planted("positivity is not shown")
def a_family_that_does_not_grow() -> Json:
    return family(UPPER)


@planted("positivity is not shown")
def a_family_with_constant_zero() -> Json:
    return family(UPPER, constant=0)


@planted("positivity is not shown")
def a_family_with_a_negative_constant() -> Json:
    return family(UPPER, constant=-1)


@planted("positivity is not shown")
def a_family_without_error() -> Json:
    """f = 0: 0 >= L 0."""
    return family(order(M * F / (USERS * EPS), REST), f=0)


@planted("1 is not in 0..0")
def a_lower_side_of_an_upper_bound() -> Json:
    return family(order(M**3 / (USERS * EPS**2)), relation=1)


@planted("a family gives every variable a value")
def a_family_without_users() -> Json:
    evidence = {"relation": 0, "family": {"eps": 1, "m": "L", "f": 1}, "constant": 1}
    return certified(UPPER, "refuted", evidence)


@planted("L is none")
def a_domain_with_l() -> Json:
    """L would stand for two things."""
    domain = Domain({**ORDER.variables, "L": SIZE}, ORDER.constraints)
    return family(order(M / (USERS * EPS**2), domain=domain), L=1)


# --- constants that may depend on what is fixed -------------------------------------------------------------------

E = exp(EPS)
HALF = Value(SENSITIVE, exp(EPS / (2 * M)))
FREE = {**SMALL, "m": SIZE, "n": SIZE}


def moving(*constraints: Term, **more: Range) -> Bounded:
    """m <= C (error of suRAP) at fixed epsilon and n: true, where nothing ties m."""
    domain = Domain({**FREE, "f": ANY, **more}, (1 - F, *constraints))
    return Bounded(domain, ((M, var("error")),), ("eps", "n", "f"), ("m",), {"error": HALF}, BUDGET)


SMALLER = (M * (M**2 * E / (USERS * (E - 1) ** 2)), term(2) / USERS)
"""m times an error of order m^2, and one that does not vary with m."""


def smaller(*constraints: Term, fixed: tuple[str, ...] = ("eps", "n"), **more: Range) -> Bounded:
    return Bounded(Domain({**FREE, **more}, constraints), (SMALLER,), fixed, ("m",))


@planted("a variable that grows is tied")
def smaller_where_epsilon_bounds_m() -> Json:
    """m^2 w / (n (w - 1)^2) "is of smaller order in m than 2 / n": at fixed epsilon m is at most epsilon."""
    bound = (E / (E - 1) ** 2 * EPS**3).json()
    return bounded(smaller(EPS - M), bound)


@planted("a variable that grows is tied")
def smaller_where_a_number_bounds_m() -> Json:
    return bounded(smaller(9 - M), (729 * E / (E - 1) ** 2).json())


@planted("a variable that grows is tied")
def smaller_where_another_moving_variable_bounds_m() -> Json:
    """m <= y <= epsilon."""
    return bounded(smaller(var("y") - M, EPS - var("y"), y=ANY), (E / (E - 1) ** 2 * EPS**3).json())


@planted("no data set has these sizes and frequencies")
def smaller_where_sets_are_bounded_by_the_items() -> Json:
    """m of K + N items at fixed K and N: no m grows for ever."""
    error = Value(totals.SURAP.part("sensitive"), exp(EPS / (2 * M)))
    domain = Domain({**FREE, "K": SIZE, "N": COUNT, "f": ANY}, (1 - F,))
    statement = Bounded(domain, ((M, K + N),), ("eps", "n", "K", "N", "f"), ("m",), {"error": error}, BUDGET)
    return bounded(statement, 1)


@planted("x lies outside the domain")
def a_share_that_moves() -> Json:
    """What lies between 0 and 1 does not grow."""
    domain = Domain({"x": Range(unit=True), "y": ANY})
    return bounded(Bounded(domain, ((var("x"), 1 + var("y")),), ("y",), ("x",)), 1)


@planted("positivity is not shown")
def smaller_as_it_stands() -> Json:
    return bounded(smaller(), (4096 * E).json())


@planted("a constant depends on what moves")
def a_constant_that_grows() -> Json:
    return bounded(smaller(), (M**3 * E / (E - 1) ** 2).json())


@planted("a constant depends on what moves")
def a_constant_that_grows_in_an_exponent() -> Json:
    return bounded(smaller(), exp(M).json())


@planted("what is fixed depends on L")
def a_family_that_moves_what_is_fixed() -> Json:
    """1 / epsilon <= C m holds with C = 1 / epsilon."""
    statement = Bounded(Domain(FREE), ((1 / EPS, M),), ("eps", "n"))
    chosen = {"eps": ["div", 1, "L"], "m": 1, "n": 1}
    return certified(statement, "refuted", {"relation": 0, "family": chosen, "constant": 1})


@planted("what is fixed depends on L")
def a_family_with_a_constant_that_shrinks() -> Json:
    """1 <= C m, "refuted" by 1 >= (1 / L^2) L m."""
    statement = Bounded(Domain(FREE), ((term(1), M),), ("eps", "n"))
    shrinking = ["div", 1, ["pow", "L", 2]]
    evidence = {"relation": 0, "family": {"eps": 1, "m": "L", "n": 1}, "constant": shrinking}
    return certified(statement, "refuted", evidence)


@planted("variables are fixed or grow, L is none")
def a_variable_that_grows_and_is_fixed() -> Json:
    return bounded(smaller(fixed=("eps", "n", "m")), (M**3 * E / (E - 1) ** 2).json())


@planted("variables are fixed")
def something_unknown_is_fixed() -> Json:
    return bounded(smaller(fixed=("eps", "n", "x")), 1)


# --- e^x ----------------------------------------------------------------------------------------------------------


def relation(domain: Domain, op: Any, left: Term, right: Term, *steps: Any) -> Json:
    return certified(Formula(domain, ((op, left, right),)), "proved", {"steps": list(steps) or [{}]})


@planted("positivity is not shown")
def e_to_a_negative_number() -> Json:
    """e^-x > 1."""
    return relation(Domain(SMALL), "lt", term(1), exp(-EPS))


@planted("positivity is not shown")
def bernoulli_the_wrong_way() -> Json:
    """e^(m x) - 1 <= m (e^x - 1)."""
    domain = Domain({**SMALL, "m": SIZE})
    return relation(domain, "le", exp(M * EPS) - 1, M * (exp(EPS) - 1))


@planted("positivity is not shown")
def bernoulli_below_one() -> Json:
    """e^(y x) >= 1 + y (e^x - 1) for y > 0: false for y < 1."""
    domain = Domain({**SMALL, "y": Range(strict=True)})
    return relation(domain, "le", 1 + Y * (exp(EPS) - 1), exp(Y * EPS))


@planted("positivity is not shown")
def the_quadratic_polynomial_above_one() -> Json:
    """e^x <= 1 + x + 3/4 x^2 fails at x = 2."""
    return relation(Domain(SMALL), "le", exp(EPS), 1 + EPS + 3 * EPS**2 / 4)


@planted("positivity is not shown")
def a_taylor_polynomial_as_a_bound() -> Json:
    """e^x <= 1 + x + x^2 / 2."""
    return relation(Domain(SMALL, (1 - EPS,)), "le", exp(EPS), 1 + EPS + EPS**2 / 2)


@planted("is not shown to differ from 0")
def a_pole_in_a_step() -> Json:
    """A multiplier (x - 1) / (x - 1)."""
    domain = Domain({"x": ANY, "y": ANY}, (Y - X,))
    step = {"multipliers": {"0": ((X - 1) / (X - 1)).json()}}
    return relation(domain, "le", X, Y, step)


# --- squares ------------------------------------------------------------------------------------------------------

WIDTHS = Domain({"x": Range(strict=True), "w": ABOVE})
MIXED = (X - W) ** 2 + W - X
"""Negative between w and w + 1."""


def squared(root: Term, multiplier: Any = 1) -> Json:
    return {"squares": [[multiplier, root.json()]]}


@planted("positivity is not shown")
def a_square_of_another_root() -> Json:
    """(x - w)^2 + w - x >= 0, by the square of x - 1."""
    return relation(WIDTHS, "le", term(0), MIXED, squared(X - 1))


@planted("positivity is not shown")
def a_square_that_is_not_all() -> Json:
    """The same, by the square of x - w: w - x remains."""
    return relation(WIDTHS, "le", term(0), MIXED, squared(X - W))


@planted("positivity is not shown")
def a_square_that_is_zero_somewhere() -> Json:
    """0 < (x - w)^2 fails at x = w."""
    return relation(WIDTHS, "lt", term(0), (X - W) ** 2, squared(X - W))


@planted("a multiplier is not shown")
def a_square_taken_away() -> Json:
    """(x - w)^2 <= 0."""
    return relation(WIDTHS, "le", (X - W) ** 2, term(0), squared(X - W, -1))


@planted("a multiplier is not shown")
def a_square_times_what_changes_sign() -> Json:
    """(1 - x) (x - w)^2 >= 0 fails for x > 1."""
    return relation(WIDTHS, "le", term(0), (1 - X) * (X - W) ** 2, squared(X - W, (1 - X).json()))


@planted("is not shown to differ from 0")
def a_square_with_a_pole() -> Json:
    """1 / (x - w)^2 is not defined at x = w, nor is what it is taken from."""
    return relation(WIDTHS, "le", term(0), MIXED, squared(1 / (X - W)))


@planted("positivity is not shown")
def a_constraint_taken_twice() -> Json:
    """2 w < 2 x from x >= w (constraint 0), which leaves w = x."""
    domain = Domain(WIDTHS.variables, (X - W,))
    return relation(domain, "lt", 2 * W, 2 * X, {"multipliers": {"0": 2}})


@planted("no range strictly between 0 and 1")
def a_family_beside_a_unit_range() -> Json:
    """1 / (1 + x) <= C for 0 < x < 1, where the unread bound -5 of the range lets x = 1 / L - 1 in."""
    statement = Bounded(Domain({"x": Range(unit=True)}), ((1 / (1 + X), term(1)),), ())
    evidence = {"relation": 0, "family": {"x": (1 / var("L") - 1).json()}, "constant": 1}
    certificate = certified(statement, "refuted", evidence)
    certificate["statement"]["domain"]["variables"]["x"]["min"] = -5
    return certificate


@planted("positivity is not shown")
def the_printed_arc_is_the_best() -> Json:
    """Only for m = 1."""
    statement = wheel_claims["002.alg1.popt@f0"]
    assert isinstance(statement, Formula)
    return certified(statement, "proved", {"steps": [squared(X - (M - 1 + M * W))]})


@planted("the relation is not shown to fail")
def an_arc_as_good_as_the_best() -> Json:
    """1/p = 1 + x is that of the printed arc itself at x = w."""
    statement = wheel_claims["002.alg1.popt@f0.corrected2"]
    assert isinstance(statement, Formula)
    return certified(statement, "refuted", {"relation": 0, "values": {"w": "2", "x": "2"}})


@planted("x lies outside the domain")
def an_arc_that_does_not_fit() -> Json:
    """p < 1 / m is stated."""
    statement = wheel_claims["002.alg1.popt@f0"]
    assert isinstance(statement, Formula)
    return certified(statement, "refuted", {"relation": 0, "values": {"m": "2", "w": "2", "x": "0"}})


# --- costs --------------------------------------------------------------------------------------------------------

FAILS = "a case without what is stated"
THREE: Json = {"m": 2, "K": 2, "N": 1}


def cost(law: Law, view: Any, most: Term, at: Json = THREE) -> Json:
    return certified(Cost(law, view, most), "verified", {"instances": [at]})


@planted(FAILS)
def one_bit_for_a_vector() -> Json:
    return cost(surap.SURAP, "sen", term(2))


@planted(FAILS)
def one_item_for_m_results() -> Json:
    return cost(sugrr.SUGRR, "multiset", K + N)


@planted(FAILS)
def sensitive_items_only() -> Json:
    """What is emitted of X_non does not fit into the number."""
    return cost(sugrr.SUGRR_SAMPLE, "one", K)


@planted(FAILS)
def one_vector_for_m() -> Json:
    return cost(totals.URAP_SPLIT_LAW, "sen", term(2) ** (K + N))


@planted(FAILS)
def as_many_bits_as_items() -> Json:
    """Two ordered results of three items take more than three bits; two of two and one of one do not."""
    return cost(grr.GRR_SPLIT, "vector", term(2) ** K, {"m": 2, "K": 3, "N": 0})


@planted(FAILS)
def as_many_cells_as_there_are() -> Json:
    """A point is sent as it is."""
    return cost(totals.WHEEL.law, "ideal", 1 / wheel.ARC, {"m": 1, "K": 2, "N": 0})


@planted("malformed")
def as_many_reports_as_a_large_budget_allows() -> Json:
    """For every eps > 0 is not for a large one."""
    return cost(grr.GRR_SAMPLE, "vector", W, {"m": 1, "K": 2, "N": 0})


@planted("the statement holds in this case")
def enough_bits_that_are_refuted() -> Json:
    at = {"m": 1, "K": 2, "N": 1, "t": "2"}
    return certified(Cost(surap.SURAP, "sen", term(2) ** (K + N)), "refuted", {"instance": at})


# --- equal laws ---------------------------------------------------------------------------------------------------


def same(left: Law, right: Law, *where: Term, at: Json = THREE) -> Json:
    return certified(SameLaw(left, right, "sen", where=where), "verified", {"instances": [at]})


@planted(FAILS)
def another_chance_of_being_kept() -> Json:
    return same(surap.SURAP, replace(surap.SURAP, term=bits(rappor.stays(T), rappor.appears(T), 1 - 1 / T**2)))


@planted("the other law has no such sizes")
def no_other_items_beside_some() -> Json:
    """suRAP and RAPPOR are the same only if X_non is empty."""
    return same(surap.SURAP, rappor.RAPPOR_SET)


@planted("the other law has no such sizes")
def nothing_is_emitted() -> Json:
    """Wheel and suWheel are the same only if X_non is empty."""
    statement = SameLaw(wheel.SUWHEEL, wheel.WHEEL, "ideal")
    return certified(statement, "verified", {"instances": [THREE]})


@planted(FAILS)
def arcs_of_another_length() -> Json:
    law = replace(wheel.WHEEL, term=interval("ideal", wheel.ARC / 2, grr.W))
    statement = SameLaw(wheel.WHEEL, law, "ideal")
    return certified(statement, "verified", {"instances": [{**THREE, "N": 0}]})


@planted(FAILS)
def another_table() -> Json:
    other = replace(rappor.RAPPOR_SET, term=bits(1 - 1 / (T**2 + 1), rappor.appears(T)))
    return same(rappor.RAPPOR_SET, other, at={**THREE, "N": 0})


@planted(FAILS)
def m_vectors_and_one() -> Json:
    return same(replace(surap.SURAP, term=each("held", surap.SURAP.term)), surap.SURAP)


@planted(FAILS)
def the_same_table_for_another_budget() -> Json:
    return same(surap.SURAP, replace(surap.SURAP, power=4 * M))


@planted("other variables")
def roots_of_different_names() -> Json:
    return same(surap.SURAP, surap.SURAP_SAMPLE, -N, at={**THREE, "N": 0})


@planted("other variables")
def equal_up_to_a_parameter() -> Json:
    law = replace(surap.SURAP, term=bits(rappor.stays(T), rappor.appears(T), var("theta")), parameters=("theta",))
    return same(surap.SURAP, law)


@planted("is not shown to differ from 0")
def the_same_as_a_table_with_a_pole() -> Json:
    """(t - 3) / (t - 3) at t = 3."""
    other = replace(rappor.RAPPOR_SET, term=bits(rappor.stays(T) * (T - 3) / (T - 3), rappor.appears(T)))
    return same(rappor.RAPPOR_SET, other, at={**THREE, "N": 0})


@planted("the instance lies outside the domain")
def equal_where_others_are() -> Json:
    return same(surap.SURAP, surap.SURAP, -N)
