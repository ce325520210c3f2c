"""False certificates about shuffled reports."""

from typing import Any

from dp_spec.frequency.grr import GRR_SAMPLE
from planted.register import planted
from tampered.certificates import Json, certified
from tampered.shuffle_certificates import ANY_FAMILY

DEN: Any = ["sub", ["add", "x", "K"], 1]
POSITIVE: Json = {"min": 1, "strict": False, "integer": True, "unit": False}
THIRD: Json = {"by": "third", "data": [], "line": [0, 1, 2], "width": 9, "bits": 40, "knots": [0]}
BLANKET: Json = {"by": "blanket", "width": 9, "bits": 40, "knots": [0, 2, 4]}
ONE_BY_ONE: Json = {"by": "ones", "width": 9, "bits": 40, "knots": [0, 1, 2]}
"""The data sets of three users with two labels."""
ALL: Json = {"by": "all data sets"}
TENTH: Any = ["div", 1, 10]


def row(own: Any, other: Any, **more: Any) -> Any:
    return ["row", {"sen": {"own": own, "other": other, **more}}]


RESPONSE: Any = row(["div", "x", DEN], ["div", 1, DEN])


def law(term: Any = RESPONSE, **more: Any) -> Json:
    return {"mechanism": "planted", "base": "x", "power": 1, "parameters": [], "term": term, **more}


def mixed(term: Any = RESPONSE, labels: Any = "b", **more: Any) -> Json:
    return law(["mix", "hash", labels, term], integers={"b": 1}, **more)


def stated(of: Json | None = None, delta: Any = 0, users: Any = 3, e_eps: Any = 2, **more: Any) -> Json:
    body: Json = {"type": "divergence", "domain": {"variables": {}, "constraints": []}, "at": {"x": 3, "K": 3}}
    body |= {"users": users, "dummies": 0, "e_eps": e_eps, "relation": "le", "delta": delta}
    return body | {"law": of or law()} | more


def anything(**more: Any) -> Json:
    """About every randomizer."""
    found = stated(**{"at": {"x": 3}, **more})
    return {name: part for name, part in found.items() if name != "law"}


def shown(statement: Json, by: Json = BLANKET, verdict: str = "proved", **values: Any) -> Json:
    return carded(certified(statement, verdict, {"instances": [{"values": values, **by}]}), by)


def refuted(statement: Json, by: Json = THIRD, **values: Any) -> Json:
    return carded(certified(statement, "refuted", {"values": values, **by}), by)


def carded(certificate: Json, by: Json) -> Json:
    """With the card that is applied: none by enumeration."""
    return certificate | {"cards": [] if by["by"] == "all data sets" else ["blanket"]}


def of_data(*data: int) -> Json:
    return {**ALL, "data": list(data)}


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
    return shown(stated(delta=1, domain=domain), verdict="verified", m=2)


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


@planted("every variable has a value")
def verified_for_some_users() -> Json:
    return shown(stated(users="n", domain=MANY), verdict="verified")


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
def all_functions_of_a_family() -> Json:
    of = mixed(families={"hash": ["div", ["add", "b", 1], ["mul", 2, "b"]]})
    return refuted(stated(of, ["div", 1, 100], 1, at={"x": 3, "K": 3, "b": 3}), {**THIRD, "by": "fresh"})


@planted("another family of functions")
def three_of_two_values() -> Json:
    """0.144 is the most for two values and three labels; of a third value, 0.164."""
    body = stated(mixed(), ["div", 15, 100], 3, ["div", 3, 2], at={"x": 3, "K": 2, "b": 3})
    return refuted(body, {**THIRD, "line": [0, 3, 4]})


@planted("no functions are drawn")
def functions_of_randomized_response() -> Json:
    return refuted(stated(), {**THIRD, "by": "fresh"})


@planted("a third value")
def a_third_of_two_labels() -> Json:
    return refuted(stated(mixed(), 0, 9, at={"x": 3, "K": 3, "b": 2}))


@planted("two labels")
def ones_of_three_labels() -> Json:
    return refuted(stated(delta=0), {**THIRD, "by": "ones", "data": [0]})


@planted("two labels")
def all_data_sets_of_three_labels() -> Json:
    return shown(stated(delta=["div", 1, 4]), ONE_BY_ONE)


@planted("not all data sets of two labels")
def all_data_sets_of_one_function() -> Json:
    """Other functions, and values that no function keeps apart from both."""
    return shown(stated(mixed(), ["div", 1, 4], at={"x": 3, "K": 3, "b": 2}), ONE_BY_ONE)


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


@planted("two labels, and the other users")
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
