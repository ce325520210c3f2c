"""False certificates about orders of errors, communication costs and equal laws."""

from dataclasses import replace
from typing import Any

from certificates import Json, certified
from dp_spec.frequency import rappor, sugrr, surap, totals
from dp_spec.frequency.claims.comparison import SMALL
from dp_spec.vocabulary.error_statements import Cost, Order, SameLaw
from dp_spec.vocabulary.law import USERS, F, K, Law, M, N
from dp_spec.vocabulary.statement import Domain
from dp_spec.vocabulary.term import Term, term, var
from false_errors import ABOVE, ANY, COUNT, EPS, OTHER, SENSITIVE, SETS, SIZE, T
from planted import planted

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
    """f / f at f = 0."""
    return bounded(replace(UPPER, entry=M**2 * F / (F * USERS * EPS**2)), "16")


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
    return certified(Cost(domain, law, view, tuple(symbols), tuple(entry)), "proved", {"powers": list(powers)})


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
