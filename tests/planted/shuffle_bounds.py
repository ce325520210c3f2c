"""False certificates about shuffled reports: relations, functions of them, and hints."""

from typing import Any

from dp_spec.frequency.grr import GRR_SAMPLE
from planted.register import planted
from planted.shuffle_statements import (
    ALL,
    BLANKET,
    ONE_BY_ONE,
    TENTH,
    THIRD,
    anything,
    law,
    mixed,
    of_data,
    refuted,
    row,
    shown,
    stated,
)
from tampered.certificates import Json
from tampered.shuffle_certificates import ANY_FAMILY

# --- relations --------------------------------------------------------------------------------------------------------


@planted("not shown for all data sets")
def less_than_it_is() -> Json:
    """1/5 (3 - 2) for one user."""
    return shown(stated(delta=["div", 199, 1000], users=1), ALL)


@planted("not shown for all data sets")
def less_than_it_is_by_a_blanket() -> Json:
    return shown(stated(delta=["div", 199, 1000], users=1))


@planted("not shown for all data sets")
def strictly_less_than_itself() -> Json:
    return shown(stated(delta=["div", 1, 5], users=1, relation="lt"), ALL)


@planted("not shown for all data sets")
def exactly_more() -> Json:
    return shown(stated(delta=["div", 1, 4], users=1, relation="eq"), ALL)


@planted("not shown for all data sets")
def exactly_what_it_is_at_an_end() -> Json:
    """e^eps is a little more than 1, where its enclosure begins and delta is 2/5."""
    tiny = ["exp", ["div", 1, 10**100]]
    return shown(stated(delta=["div", 2, 5], users=1, relation="eq", e_eps=tiny), ALL)


@planted("a bound shows no other relation")
def exactly_its_bound() -> Json:
    return shown(stated(delta=["div", 1, 4], relation="eq"))


@planted("a bound shows no other relation")
def less_than_a_law_of_which_nothing_is_known() -> Json:
    return shown(stated(than={"law": law(), "dummies": 0}))


@planted("not refuted by these data sets")
def more_than_it_is() -> Json:
    return refuted(stated(delta=["div", 1, 5], users=1), of_data(0, 1))


@planted("not refuted by these data sets")
def exactly_what_it_is() -> Json:
    return refuted(stated(delta=["div", 1, 5], users=1, relation="eq"), of_data(0, 1))


@planted("not refuted by these data sets")
def no_event() -> Json:
    return refuted(stated(delta=0, users=1), {**THIRD, "line": [5, 1, 2]})


@planted("not refuted by these data sets")
def the_same_law() -> Json:
    return refuted(stated(users=2, than={"law": law(), "dummies": 0}), of_data(0, 1, 2))


@planted("no neighboring data sets")
def neighbors_that_hold_the_same() -> Json:
    """0 is not less than 0, but the law is more private for all neighbors."""
    than = {"law": law(row(1, 0)), "dummies": 0}
    return refuted(stated(users=1, e_eps=1, relation="lt", than=than), of_data(0, 0))


@planted("no neighboring data sets")
def data_of_fewer_users() -> Json:
    return refuted(stated(delta=["div", 1, 6], users=3), of_data(0, 1))


@planted("is not in 0..2")
def data_of_other_values() -> Json:
    return refuted(stated(delta=["div", 1, 6], users=2), of_data(0, 1, 3))


@planted("numbers that are no fractions")
def not_exactly_a_number_with_exponentials() -> Json:
    """delta is 1/5, which is exp(log(1/5))."""
    delta = ["exp", ["log", ["div", 1, 5]]]
    return refuted(stated(delta=delta, users=1, relation="eq"), of_data(0, 1))


@planted("two bounds show no relation")
def a_lower_bound_beside_a_lower_bound() -> Json:
    """An event that never shows what everybody can see, reports without errors."""
    than = {"law": law(row(1, 0)), "dummies": 0}
    return refuted(stated(users=9, than=than, e_eps=1), {**THIRD, "line": [2, 1, 2]})


@planted("a law is compared with another one alone")
def more_than_the_law_and_a_number() -> Json:
    than = {"law": law(row(1, 0)), "dummies": 0}
    return shown(stated(delta=1, users=1, than=than), ALL)


@planted("KeyError: 'law'")
def nothing_compared_with_a_law() -> Json:
    return shown(anything(than={"law": law(), "dummies": 0}, at={"x": 3, "K": 3}), ALL)


@planted("a law that is no fraction")
def a_law_with_an_exponential() -> Json:
    return shown(stated(delta=1, users=1, at={"x": ["exp", 1], "K": 3}), ALL)


@planted("e^eps is no fraction")
def compared_at_an_exponential() -> Json:
    return shown(stated(users=1, e_eps=["exp", 1], than={"law": law(), "dummies": 0}), ALL)


ROUNDED: Any = ["exp", ["log", 3]]
"""3, in an enclosure: its floor is 2 or 3."""


@planted("not shown for all data sets")
def the_smaller_of_two_budgets() -> Json:
    """1/5 with e^eps0 = 3, 0 with 2."""
    return shown(stated(delta=TENTH, users=1, at={"x": ["floor", ROUNDED], "K": 3}))


@planted("not refuted by these data sets")
def the_larger_of_two_budgets() -> Json:
    """It is 2."""
    less = ["floor", ["sub", ROUNDED, ["div", 1, 10**100]]]
    return refuted(stated(delta=TENTH, users=1, at={"x": less, "K": 3}))


@planted("not shown for all data sets")
def less_than_another_law_for_some() -> Json:
    """5/49 is more than the 8/81 of bits with chances 2/3, for other data sets 2/49 is less than 2/27."""
    half = {"1": ["div", "t", ["add", "t", 1]], "0": ["div", 1, ["add", "t", 1]]}
    bits = ["each", "items", ["row", {"sen1": half, "sen0": {"1": half["0"], "0": half["1"]}}]]
    than = {"law": {**law(bits), "base": "t"}, "dummies": 0}
    return shown(stated(users=2, at={"x": BETWEEN, "t": 2, "K": 2}, than=than), ALL)


BETWEEN: Any = ["div", 5, 2]


# --- functions --------------------------------------------------------------------------------------------------------


@planted("field not known: hashes")
def one_family_for_all() -> Json:
    """All items have one label: delta = 0, whatever the family."""
    evidence = {**ALL, "hashes": {"hash": [[1, [0, 0, 0]]]}}
    return shown(stated(mixed(), users=2, at={"x": 3, "K": 3, "b": 2}), evidence)


@planted("other families than the law has")
def functions_of_no_law() -> Json:
    return refuted(stated(delta=TENTH, users=1), {**of_data(0, 1), "hashes": {"hash": [[1, [0, 1, 2]]]}})


@planted("two items share a label with another chance")
def functions_without_the_premise() -> Json:
    of = mixed(families={"hash": ["div", ["add", "b", 1], ["mul", 2, "b"]]})
    evidence = {**of_data(0, 1), "hashes": {"hash": [[1, [0, 1, 2]]]}}
    return refuted(stated(of, TENTH, 1, at={"x": 3, "K": 3, "b": 3}), evidence)


@planted("another family of functions")
def public_functions_of_a_family() -> Json:
    """All functions of the family are constant."""
    return refuted(stated(mixed(families={"hash": 1}), TENTH, 1, at={"x": 3, "K": 3, "b": 3}))


@planted("another family of functions")
def one_function_of_all() -> Json:
    """0.4 under a function that keeps the values apart; on average over all functions 0.267."""
    body = stated(mixed(), ["div", 3, 10], 1, 1, at={"x": 3, "K": 3, "b": 3}, functions="all")
    return refuted(body, {**THIRD, "line": [0, 1, 2]})


@planted("another family of functions")
def three_of_two_values() -> Json:
    """0.144 is the most for two values and three labels; of a third value, 0.164."""
    body = stated(mixed(), ["div", 15, 100], 3, ["div", 3, 2], at={"x": 3, "K": 2, "b": 3})
    return refuted(body, {**THIRD, "line": [0, 3, 4]})


@planted("a third value")
def a_third_of_two_labels() -> Json:
    return refuted(stated(mixed(), 0, 9, at={"x": 3, "K": 3, "b": 2}))


@planted("not refuted by these data sets")
def ones_of_three_labels() -> Json:
    """With two labels as much is shown."""
    return refuted(stated(delta=["div", 1, 4]), {**THIRD, "by": "ones", "data": [0]})


@planted("an easier point")
def a_bound_of_more_users() -> Json:
    return shown(stated(delta=["div", 1, 10]), {**BLANKET, "users": 30})


@planted("an easier point")
def a_bound_of_more_messages() -> Json:
    return shown(stated(delta=["div", 1, 10]), {**BLANKET, "dummies": 30})


@planted("an easier point")
def a_bound_at_a_larger_epsilon() -> Json:
    return shown(stated(delta=["div", 1, 10]), {**BLANKET, "e_eps": "5/2"})


@planted("two labels, a user, eps >= 0")
def a_bound_of_no_users() -> Json:
    return shown(stated(delta=["div", 1, 10]), {**BLANKET, "users": 0})


@planted("two labels, a user, eps >= 0")
def a_bound_below_epsilon_0() -> Json:
    return shown(stated(delta=["div", 1, 10], e_eps=1), {**BLANKET, "e_eps": "1/2"})


@planted("two labels, and knots")
def all_data_sets_of_three_labels() -> Json:
    return shown(stated(delta=["div", 1, 4]), ONE_BY_ONE)


@planted("not all data sets of two labels")
def all_data_sets_of_one_function() -> Json:
    """Other functions, and values that no function keeps apart from both."""
    return shown(stated(mixed(), ["div", 1, 4], at={"x": 3, "K": 3, "b": 2}), ONE_BY_ONE)


# --- hints ------------------------------------------------------------------------------------------------------------


@planted("another window")
def wider_than_any() -> Json:
    return shown(stated(), {**BLANKET, "width": 65})


@planted("another window")
def no_bits() -> Json:
    return shown(stated(), {**BLANKET, "bits": 0})


@planted("knots begin at 0 and increase")
def a_line_that_begins_late() -> Json:
    """Constant after its only knot."""
    return shown(stated(delta=["div", 1, 50], users=30), {**BLANKET, "knots": [9]})


@planted("knots begin at 0 and increase")
def a_line_that_goes_back() -> Json:
    return shown(stated(delta=["div", 1, 50], users=30), {**BLANKET, "knots": [0, 9, 4]})


@planted("not a line whose thresholds fall")
def thresholds_that_jump() -> Json:
    return refuted(stated(users=30), {**THIRD, "line": [0, 5, 2]})


@planted("not a line whose thresholds fall")
def thresholds_of_no_size() -> Json:
    return refuted(stated(users=30), {**THIRD, "line": [0, 0, 0]})


@planted("a threshold below 1")
def thresholds_below_0() -> Json:
    return refuted(stated(users=30), {**THIRD, "line": [-9, 1, 2]})


@planted("no more than the other users")
def more_ones_than_users() -> Json:
    return refuted(anything(users=5), {**THIRD, "by": "ones", "data": [5]})


@planted("too large to be enumerated")
def too_many_values() -> Json:
    return shown(stated(delta=1, users=1, at={"x": 3, "K": 9}), ALL)


@planted("the cards that are applied: ['blanket']")
def without_its_card() -> Json:
    return shown(stated(delta=1)) | {"cards": []}


@planted("no rule of this name")
def a_lower_bound_for_all() -> Json:
    return refuted(stated(delta=["div", 1, 100]), {**THIRD, "by": "blanket"})


@planted("not one tie for every law")
def untied_law_beside() -> Json:
    found = shown(stated(users=1, than={"law": law(row(1, 0)), "dummies": 0}), ALL)
    return found | {"ties": found["ties"][:1]}


@planted("field not known: by_heart")
def more_than_is_read() -> Json:
    return shown(stated(GRR_SAMPLE.json(), at={"w": 3, "K": 3}), {**BLANKET, "by_heart": 1})


@planted("ValueError")
def labels_that_are_not_known() -> Json:
    found = ANY_FAMILY.json()
    return shown(stated(found, 1, at={"w": 3, "K": 3, "b": "c"}))
