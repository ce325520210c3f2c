"""False certificates about explicit channels."""

from typing import Any

from dp_spec.vocabulary.statement import (
    Completions,
    Definition,
    Frequencies,
    Implies,
)
from planted.register import planted
from tampered.certificates import Json, certified

# --- channels ---------------------------------------------------------------------------------------------------------


def channel(k: int, n: int, m: int, outputs: Any, rows: Any, e_eps: str = "2") -> Json:
    return {"K": k, "N": n, "m": m, "e_eps": e_eps, "outputs": outputs, "rows": rows}


def family(outputs: Any, parts: int = 3, k: int = 1, n: int = 1, m: int = 1, **other: Any) -> Json:
    return {"K": k, "N": n, "m": m, "outputs": outputs, "parts": parts, "e_eps": "2", **other}


ALIKE = channel(1, 1, 1, [[0, []]], [["1"], ["1"]])
APART = channel(1, 1, 1, [[0, []], [1, []]], [["1", "0"], ["0", "1"]])
SHOWS = channel(1, 1, 1, [[0, []], [0, [1]]], [["1", "0"], ["1/2", "1/2"]])
COINS = family([[0, []], [1, []]])
LDP: tuple[str, ...] = ("ldp", "ldp-events")
DATUM = family([[0, []], [0, [1]]])


def defined(forms: tuple[str, ...], *families: Json) -> Json:
    return certified(Definition(forms), "verified", {"families": list(families)})


def refuted(premises: tuple[str, ...], conclusions: tuple[str, ...], shown: Json, inputs: Any = "m-sets") -> Json:
    return certified(Implies(premises, conclusions, inputs), "refuted", {"channel": shown})


@planted("the channel is no counterexample")
def sensitive_item_as_invertible_datum() -> Json:
    """(2) and (3) are about x in X_non: a channel that shows its sensitive item does not satisfy Definition 2."""
    shown = channel(1, 1, 1, [[0, [0]], [0, [1]]], [["1", "0"], ["0", "1"]])
    return refuted(("uldp-inversion",), ("eq10-membership",), shown, "singletons")


@planted("the channel is no counterexample")
def counterexample_with_the_conclusion() -> Json:
    return refuted(("eq9-membership", "eq10-membership"), ("eq11-marginal",), SHOWS)


@planted("two inputs to compare")
def channel_on_one_set() -> Json:
    """The channel on one input has every property that compares inputs."""
    alone = channel(1, 1, 2, [[0, [1]]], [["1"]])
    return refuted(("eq10-membership",), ("eq11-marginal",), alone)


@planted("zip() argument")
def channel_without_rows() -> Json:
    return refuted(("ldp",), ("fixed-t",), channel(1, 1, 1, [[0, []]], []))


@planted("a row is not a probability law")
def channel_of_no_laws() -> Json:
    return refuted(("ldp",), ("fixed-t",), channel(1, 1, 1, [[0, []], [0, [1]]], [["1", "0"], ["3/2", "-1/2"]]))


@planted("other fields than a channel")
def channel_with_inputs_of_its_own() -> Json:
    """The inputs are all m-sets in their order."""
    return refuted(("ldp",), ("fixed-t",), {**SHOWS, "inputs": [[1], [0]]})


@planted("the channel is no counterexample")
def family_with_one_counterexample() -> Json:
    return refuted(("ldp",), ("fixed-t",), DATUM)


@planted("'eq12-samenon' is none of ('eq10-coordinate', 'eq10-membership', 'eq10-sets'")
def unknown_predicate() -> Json:
    """A conclusion that no definition of ours states, read as the joint reading by its last syllable."""
    body = Implies(("eq10-membership", "eq11-joint"), ("eq12-samenon",)).json()
    return certified(body, "verified", {"families": [COINS]})


@planted("nothing is listed")
def no_conclusion() -> Json:
    """All of no conclusions."""
    return certified(Implies(("eq10-membership",), ()), "verified", {"families": [COINS]})


@planted("a channel without the conclusion")
def implication_that_does_not_hold() -> Json:
    """samenon does not imply the joint reading."""
    statement = Implies(("eq10-membership", "eq11-samenon"), ("eq11-joint",))
    return certified(statement, "verified", {"families": [DATUM]})


@planted("Definition 2 is about items")
def definition_of_items_on_sets() -> Json:
    """Definition 2 is about items: on sets of two its part 1 never holds, so it cannot be a premise."""
    statement = Implies(("uldp-protection",), ("eq11-joint",), "m-sets")
    identical = channel(2, 1, 2, [[0, []], [0, [2]]], [["1", "0"], ["1/2", "1/2"], ["7/8", "1/8"]])
    return certified(statement, "refuted", {"channel": identical})


@planted("a channel without the conclusion")
def support_by_an_inequality() -> Json:
    """(4) compares outputs that are possible under both inputs, and does not forbid them."""
    statement = Implies(("uldp-protection", "eq11-joint"), ("eq10-membership",), "singletons")
    return certified(statement, "verified", {"families": [DATUM]})


@planted("a channel without the conclusion")
def joint_by_marginals() -> Json:
    """Equal marginal laws may be divided in another way."""
    statement = Implies(("eq10-membership", "eq11-marginal"), ("eq11-joint",), "singletons")
    return certified(statement, "verified", {"families": [DATUM]})


@planted("a channel without the conclusion")
def emission_by_definitions() -> Json:
    """On single items (10) implies (9); but who emits nothing satisfies (10), and hides what other sets emit."""
    two = family([[0, []], [0, [1]]], 3, 1, 2, 2)
    return certified(Implies(("eq10-membership",), ("eq9-membership",)), "verified", {"families": [two]})


@planted("a family without items that the predicates name")
def samenon_by_channels_of_one_kind() -> Json:
    """Without non-sensitive items any two sets have the same of them."""
    alike = family([[0, []], [1, []], [0, [1]]], 3, 2, 0)
    return certified(Implies(("eq11-samenon",), ("ldp",)), "verified", {"families": [alike]})


@planted("a family without items that the predicates name")
def deniability_without_emitted_items() -> Json:
    """(11) is about what a report says beside the items that it emits: here it emits none."""
    return defined(("eq11-joint", "ldp"), COINS)


@planted("the same is listed twice")
def families_that_are_one() -> Json:
    """2 and 4/2 are one budget."""
    return defined(LDP, COINS, {**COINS, "e_eps": "4/2"})


@planted("a definition is verified in several forms")
def definition_in_one_form() -> Json:
    return defined(("ldp",), COINS)


@planted("a definition is verified in several forms")
def definition_in_the_same_form_twice() -> Json:
    return defined(("ldp", "ldp"), COINS)


@planted("the forms disagree on a channel of the family")
def definitions_that_agree_on_two_channels() -> Json:
    """(1) and (4) differ where a report shows an item."""
    return defined(("ldp", "uldp-protection"), family([[0, []], [0, [1]]], 2))


@planted("the forms disagree on a channel of the family")
def every_coordinate_as_membership() -> Json:
    """They agree where at most one item is shown."""
    two = family([[0, []], [0, [1]], [0, [1, 2]]], 3, 1, 2, 2)
    return defined(("eq9-sets", "eq9-coordinate-every"), two)


@planted("a family that all forms accept, or reject")
def definition_on_a_family_without_difference() -> Json:
    return defined(LDP, family([[0, []]]))


@planted("an empty scope")
def definition_without_a_family() -> Json:
    return defined(LDP)


@planted("units of work")
def definition_on_endless_channels() -> Json:
    return defined(LDP, family([[0, []], [1, []], [2, []]], 8, 2, 1))


@planted("two inputs to compare")
def definition_on_a_single_set() -> Json:
    return defined(LDP, family([[0, []], [1, []]], 3, 1, 1, 2))


@planted("0 is not in 1..16")
def channel_without_sensitive_items() -> Json:
    """The source has at least one."""
    nothing = channel(0, 2, 1, [[0, []], [0, [0]]], [["1", "0"], ["1/2", "1/2"]])
    return certified(Implies(("uldp-protection",), ("fixed-t",), "singletons"), "refuted", {"channel": nothing})


@planted("zip() argument")
def channel_on_some_sets() -> Json:
    some = channel(2, 1, 2, [[0, []], [0, [2]]], [["1", "0"], ["1/2", "1/2"]])
    statement = Implies(("eq9-membership", "eq10-membership"), ("fixed-t",))
    return certified(statement, "refuted", {"channel": some})


@planted("eps > 0")
def channel_without_a_budget() -> Json:
    free = {**SHOWS, "e_eps": "1"}
    return certified(Implies(("eq9-membership", "eq10-membership"), ("fixed-t",)), "refuted", {"channel": free})


# --- implications on exhausted families -------------------------------------------------------------------------------


@planted("a channel without the conclusion")
def split_of_a_mechanism_without_privacy() -> Json:
    """(4) says nothing about reports that show an item: run on two items, they may tell them apart."""
    statement = Implies(("uldp-protection",), ("split-2",), "singletons")
    shown = family([[0, []], [0, [2]]], 2, 2, 1)
    return certified(statement, "verified", {"families": [shown]})


@planted("no channel of the family has the premises")
def implication_of_what_never_is() -> Json:
    statement = Implies(("eq10-membership",), ("eq9-membership",), "singletons")
    return certified(statement, "verified", {"families": [family([[0, [0]]])]})


@planted("every channel of the family has the conclusion")
def implication_of_what_always_is() -> Json:
    """Every report of the family shows one item."""
    shown = family([[0, [1]], [1, [1]]])
    return certified(Implies(("ldp",), ("fixed-t",), "singletons"), "verified", {"families": [shown]})


@planted("an empty scope")
def implication_without_channels() -> Json:
    return certified(Implies(("ldp",), ("split-2",), "singletons"), "verified", {"families": []})


@planted("the inputs are singletons")
def implication_on_other_inputs() -> Json:
    pairs = family([[0, []], [0, [2]]], 3, 2, 1, 2)
    statement = Implies(("uldp-protection",), ("ldp",), "singletons")
    return certified(statement, "verified", {"families": [pairs]})


@planted("a channel on items")
def split_of_sets() -> Json:
    pairs = family([[0, []], [1, []]], 3, 2, 1, 2)
    return certified(Implies(("ldp",), ("split-2",)), "verified", {"families": [pairs]})


@planted("no evidence makes this type of statement 'proved'")
def composition_for_every_number_of_items() -> Json:
    """Products at m = 2 and 3 are no proof."""
    return certified(Implies(("ldp",), ("split-2",), "singletons"), "proved", {"lemma": "induction"})


# --- data sets, supports ----------------------------------------------------------------------------------------------


@planted("no evidence makes this type of statement 'proved'")
def frequencies_of_all_data_sets() -> Json:
    return certified(Frequencies(), "proved", {"users": 3, "items": 4})


@planted("0 is not in 1..3")
def frequencies_of_no_users() -> Json:
    return certified(Frequencies(), "verified", {"users": 0, "items": 4})


@planted("two inputs to compare")
def an_image_on_one_input() -> Json:
    """With m = d every input holds all items: whose image a datum is cannot be seen."""
    statement = Implies(("eq9-membership", "eq10-membership"), ("one-image",))
    return certified(statement, "verified", {"families": [family([[0, []], [0, [1]]], 3, 1, 1, 2)]})


@planted("a channel without the conclusion")
def an_image_without_inversion() -> Json:
    """(9) alone lets a report show what is not held."""
    statement = Implies(("eq9-membership",), ("one-image",))
    return certified(statement, "verified", {"families": [family([[0, []], [0, [1]]])]})


# --- completions ------------------------------------------------------------------------------------------------------

SOME, EVERY = "eq9-coordinate-some", "eq9-coordinate-every"
LISTED = channel(
    1,
    2,
    2,
    [[0, []], [0, [1]], [0, [2]], [0, [1, 2]]],
    [["1/2", "1/2", "0", "0"], ["1/2", "0", "1/2", "0"], ["1/4", "1/4", "1/4", "1/4"]],
)


def completed(one: str, other: str, shown: Json, *premises: str, inputs: Any = "m-sets") -> Json:
    readings = {"one": one, "other": other}
    return certified(Completions(readings, premises, inputs), "ill_posed", {"channel": shown})


@planted("not two readings of an equation")
def completions_by_two_predicates() -> Json:
    """No print leaves it open whether a report is secret or whether its length varies."""
    return completed("unmixed-inputs", "random-t", LISTED)


@planted("not two readings of an equation")
def completions_of_two_equations() -> Json:
    return completed("eq10-membership", "eq11-samenon", APART)


@planted("the readings agree on the channel")
def completions_with_one_reading() -> Json:
    return completed(EVERY, EVERY, LISTED)


@planted("not two readings of an equation")
def completions_by_two_definitions() -> Json:
    """(2), (3) and (4) are two conditions, not two readings of one."""
    return completed("uldp-inversion", "uldp-protection", SHOWS, inputs="singletons")


@planted("the readings agree on the channel")
def completions_that_agree() -> Json:
    return completed(SOME, EVERY, SHOWS)


@planted("zip() argument")
def completions_that_differ_on_some_sets() -> Json:
    return completed(SOME, EVERY, {**LISTED, "rows": LISTED["rows"][1:]})


@planted("not enough values")
def completions_that_differ_on_no_channel() -> Json:
    return completed(SOME, EVERY, family([]))


@planted("the channel violates a premise")
def completions_that_differ_elsewhere() -> Json:
    """Where every item that is shown is shown in every report, the two readings are one."""
    return completed(SOME, EVERY, LISTED, "random-t", "ldp")


@planted("the inputs are singletons")
def completions_that_differ_on_sets() -> Json:
    return completed(SOME, EVERY, LISTED, inputs="singletons")


@planted("Definition 2 is about items")
def completions_of_a_definition_about_items() -> Json:
    return completed(SOME, EVERY, LISTED, "uldp-protection")
