"""False certificates about shuffled reports: what their laws, values and domains are."""

from typing import Any

from planted.register import planted
from planted.shuffle_statements import (
    ALL,
    DEN,
    ONE_BY_ONE,
    POSITIVE,
    RESPONSE,
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
from tampered.certificates import Json, certified

# --- laws that are read as others -------------------------------------------------------------------------------------


@planted("not randomized response")
def a_uniform_part_beside_own_and_other() -> Json:
    """Randomized response, read as a report that never errs: delta = 0 at e^eps = 3, said to be more than 9/10."""
    of = law(row(["div", ["sub", "x", 1], DEN], 0, any=["div", 1, DEN]))
    return refuted(stated(of, ["div", 9, 10], 30, 3))


@planted("not randomized response")
def a_uniform_part_of_hashed_labels() -> Json:
    of = mixed(row(["div", ["sub", "x", 1], DEN], 0, any=["div", 1, DEN]))
    return refuted(stated(of, ["div", 1, 2], 30, 3, at={"x": 3, "K": 3, "b": 3}))


@planted("not randomized response")
def bits_as_labels() -> Json:
    bits: Any = [
        "each",
        "items",
        ["row", {"sen1": {"1": ["div", "x", ["add", "x", 1]], "0": ["div", 1, ["add", "x", 1]]}}],
    ]
    bits[2][1]["sen0"] = {"1": ["div", 1, ["add", "x", 1]], "0": ["div", "x", ["add", "x", 1]]}
    return shown(stated(law(bits), 1))


@planted("not randomized response")
def two_reports_as_one() -> Json:
    return shown(stated(law(["copies", 2, RESPONSE]), ["div", 1, 4]))


@planted("not randomized response")
def a_thinned_report_as_one() -> Json:
    """Fewer messages than users hide less."""
    return shown(stated(law(["thinned", ["div", 1, 2], RESPONSE]), ["div", 1, 4]))


@planted("no randomized response")
def lies_rather_than_truths() -> Json:
    """The own label is the rarest one: delta is not 0."""
    den = ["add", 1, ["mul", ["sub", "K", 1], "x"]]
    return shown(stated(law(row(["div", 1, den], ["div", "x", den]))))


@planted("nothing hides a report")
def reports_that_never_err() -> Json:
    return shown(stated(law(row(1, 0)), ["div", 1, 2]))


@planted("one sensitive item")
def items_that_are_not_sensitive() -> Json:
    """Users who hold them show them."""
    return shown(stated(law(["row", SHOWN_ITEMS]), ["div", 1, 4]), ALL)


SHOWN_ITEMS: Any = {**RESPONSE[1], "non": {"own": ["sub", 1, ["div", "K", DEN]], "other": ["div", 1, DEN]}}


@planted("one sensitive item")
def compared_with_items_that_are_not_sensitive() -> Json:
    than = {"law": law(["row", SHOWN_ITEMS]), "dummies": 0}
    return shown(stated(than=than, users=1), ALL)


@planted("not randomized response")
def items_that_are_shown_as_labels() -> Json:
    """Were they items of the statement."""
    return shown(stated(law(["copies", 1, ["row", RESPONSE[1]]]), ["div", 1, 4]))


@planted("one sensitive item")
def a_number_of_items_in_the_law() -> Json:
    """Read as m = 100 by one rule, as m = 1 by another."""
    other = ["div", 1, ["mul", ["mul", "x", "m"], "K"]]
    of = law(row(["sub", 1, ["mul", ["sub", "K", 1], other]], other))
    return refuted(stated(of, ["div", 1, 2], 1, 1, at={"x": 3, "K": 3, "m": 100}))


@planted("one sensitive item")
def items_that_are_not_sensitive_in_the_law() -> Json:
    other = ["div", 1, ["add", ["add", "x", "K"], "N"]]
    of = law(row(["sub", 1, ["mul", ["sub", "K", 1], other]], other))
    return shown(stated(of, ["div", 1, 100], 5, at={"x": 3, "K": 3, "N": 10**6}))


@planted("one sensitive item")
def a_variable_that_is_the_number_of_items() -> Json:
    domain = {"variables": {"m": POSITIVE}, "constraints": []}
    return shown(stated(delta=["div", "m", "m"], domain=domain), verdict="verified", m=2)


@planted("the row of sen does not sum to 1")
def compared_with_no_law() -> Json:
    than = {"law": law(row(["div", ["mul", 2, "x"], DEN], ["div", 1, DEN])), "dummies": 0}
    return shown(stated(users=1, than=than), ALL)


@planted("sends no messages")
def what_is_shown_of_a_set() -> Json:
    return shown(stated(law(["push", "one", ["drawn", RESPONSE]]), 1), ALL)


@planted("no uniform message")
def uniform_messages_of_bits() -> Json:
    return shown(stated(law(["copies", 2, RESPONSE]), 1, dummies=1), ALL)


# --- values of names --------------------------------------------------------------------------------------------------


@planted("b lies outside its range")
def half_a_label() -> Json:
    """Two labels and a half, cut to two."""
    return shown(stated(mixed(), ["div", 1, 2], at={"x": 3, "K": 3, "b": ["div", 5, 2]}))


@planted("b lies outside its range")
def half_a_label_of_listed_functions() -> Json:
    evidence = {**of_data(0, 1, 2, 2), "hashes": {"hash": [[1, [0, 1, 1]]]}}
    return refuted(stated(mixed(), at={"x": 3, "K": 3, "b": ["div", 5, 2]}), evidence)


@planted("x lies outside its range")
def budgets_below_0() -> Json:
    """The law exists for x > 1 alone."""
    other = ["div", ["sub", "x", 1], ["mul", ["mul", 2, "x"], "K"]]
    of = law(row(["sub", 1, ["mul", ["sub", "K", 1], other]], other))
    return shown(stated(of, ["div", 1, 2], at={"x": -1, "K": 3}))


@planted("x lies outside its range")
def budget_that_may_be_0() -> Json:
    """An interval around 1."""
    return shown(stated(delta=1, at={"x": ["exp", ["sub", ["log", 3], ["log", 3]]], "K": 3}))


@planted("p lies outside its range")
def a_share_of_all() -> Json:
    of = {**law(row(["sub", 1, ["mul", ["sub", "K", 1], ["div", "p", "K"]]], ["div", "p", "K"])), "parameters": ["p"]}
    return shown(stated(of, 0, at={"x": 3, "K": 3, "p": 1}))


@planted("two labels, a user")
def nobody() -> Json:
    return shown(stated(users=0))


@planted("no fewer messages than users")
def fewer_messages_than_users() -> Json:
    return shown(stated(delta=1, dummies=-1), ALL)


@planted("two values")
def one_value() -> Json:
    """No two data sets are neighbors."""
    return shown(stated(mixed(), 1, at={"x": 3, "K": 1, "b": 3}))


@planted("no integer")
def half_a_sender() -> Json:
    return shown(stated(users=["div", 5, 2]))


@planted("no integer")
def half_a_value() -> Json:
    return shown(stated(delta=1, at={"x": 3, "K": ["div", 5, 2]}))


@planted("no integer")
def users_about() -> Json:
    return shown(stated(delta=1, users=["exp", ["log", 3]]))


@planted("eps >= 0")
def epsilon_below_0() -> Json:
    return shown(stated(delta=1, e_eps=["div", 1, 2]), ALL)


@planted("eps >= 0")
def delta_below_0() -> Json:
    return refuted(stated(delta=-1), of_data(0, 1, 2, 2))


@planted("a variable that has a value")
def users_that_are_given_twice() -> Json:
    domain = {"variables": {"K": POSITIVE}, "constraints": []}
    return shown(stated(delta=1, domain=domain), verdict="verified", K=9)


@planted("KeyError: 'x'")
def a_law_without_a_budget() -> Json:
    return shown(stated(delta=1, at={"K": 3}))


# --- domains and verdicts ---------------------------------------------------------------------------------------------

MANY: Json = {"variables": {"n": POSITIVE}, "constraints": [["sub", 5, "n"]]}


@planted("proved, if the domain is one point")
def proved_at_a_point_of_many() -> Json:
    return shown(stated(delta=["div", 1, 4], users="n", domain=MANY), n=5)


@planted("is violated")
def verified_outside() -> Json:
    return shown(stated(delta=TENTH, users="n", domain=MANY), verdict="verified", n=60)


@planted("is violated")
def a_domain_without_points() -> Json:
    return shown(stated(domain={"variables": {}, "constraints": [-1]}))


@planted("is violated")
def refuted_outside() -> Json:
    """Of at most five users: of 1000."""
    domain = {**MANY, "constraints": [["sub", "n", 1000]]}
    return refuted(stated(delta=TENTH, users="n", domain=domain), of_data(0, 1), n=1)


@planted("an empty scope")
def verified_nowhere() -> Json:
    return certified(stated(users="n", domain=MANY), "verified", {"instances": []})


@planted("an empty scope")
def proved_nowhere() -> Json:
    return certified(stated(), "proved", {"instances": []})


@planted("every variable has a value")
def verified_for_some_users() -> Json:
    return shown(stated(users="n", domain=MANY), verdict="verified")


# --- every randomizer -------------------------------------------------------------------------------------------------


@planted("not all data sets of two labels")
def every_randomizer_as_two_labels() -> Json:
    return shown(anything(delta=["div", 1, 4]), ONE_BY_ONE)


@planted("no uniform messages")
def uniform_messages_of_every_randomizer() -> Json:
    return shown(anything(delta=["div", 1, 4], dummies=5))


@planted("no randomized response")
def ratios_below_1() -> Json:
    return shown(anything(at={"x": ["div", 1, 2]}))


@planted("a third value")
def a_randomizer_without_a_third_label() -> Json:
    return refuted(anything(), {**THIRD, "data": [2]})


@planted("two labels, a user")
def a_randomizer_of_no_labels() -> Json:
    return refuted(anything(), {**THIRD, "data": [1]})


@planted("law")
def every_randomizer_by_enumeration() -> Json:
    return shown(anything(at={"x": 3, "K": 2}), ALL)
