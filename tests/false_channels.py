"""False certificates about explicit channels."""

from typing import Any

from certificates import Json, certified
from dp_spec.vocabulary.statement import (
    Definition,
    Implies,
    NoChannel,
)
from planted import planted

# --- channels ---------------------------------------------------------------------------------------------------------


def channel(k: int, n: int, inputs: Any, outputs: Any, rows: Any, e_eps: str = "2") -> Json:
    return {"K": k, "N": n, "e_eps": e_eps, "inputs": inputs, "outputs": outputs, "rows": rows}


@planted("uldp-inversion rejects the first channel")
def sensitive_item_as_invertible_datum() -> Json:
    """(2) and (3) are about x in X_non: a channel that shows its sensitive item does not satisfy Definition 2."""
    shown = channel(1, 1, [[0], [1]], [[0, [0]], [0, [1]]], [["1", "0"], ["0", "1"]])
    mixed = channel(1, 1, [[0], [1]], [[0, [1]]], [["1"], ["1"]])
    return certified(Definition(("uldp-inversion",)), "verified", {"satisfied": shown, "violated": mixed})


@planted("two inputs to compare, at most 64 outputs")
def channel_without_inputs() -> Json:
    """The channel on no inputs has every property."""
    nothing = channel(1, 1, [], [], [])
    return certified(NoChannel(("uldp-inversion", "uldp-protection")), "refuted", {"channel": nothing})


@planted("inputs are sets, listed in order")
def one_set_in_two_orders() -> Json:
    """{0, 1} and {1, 0} are one input, with one law."""
    c = channel(2, 0, [[0, 1], [1, 0]], [[0, []], [1, []]], [["1", "0"], ["0", "1"]])
    good = channel(2, 0, [[0], [1]], [[0, []]], [["1"], ["1"]])
    return certified(Definition(("ldp",)), "verified", {"satisfied": good, "violated": c})


@planted("two inputs to compare, at most 64 outputs")
def definition_satisfied_by_one_row() -> Json:
    """A definition that compares two inputs, satisfied by a channel with one."""
    good = channel(1, 0, [[0]], [[0, []]], [["1"]])
    bad = channel(2, 0, [[0], [1]], [[0, []], [1, []]], [["1", "0"], ["0", "1"]])
    return certified(Definition(("ldp",)), "verified", {"satisfied": good, "violated": bad})


@planted("outputs are disjoint cells of [0, 1)")
def cells_turned_around() -> Json:
    """A law with bounded densities, "violating" the bound because its cells have negative lengths."""
    outputs = [[["1/2", "0"], []], [["1", "1/2"], []]]
    good = [[["0", "1/2"], []], [["1/2", "1"], []]]
    rows = [["1/2", "1/2"], ["1/3", "2/3"]]
    evidence = {
        "satisfied": channel(2, 0, [[0], [1]], good, rows),
        "violated": channel(2, 0, [[0], [1]], outputs, rows, "1"),
    }
    return certified(Definition(("ldp-density",)), "verified", evidence)


@planted("outputs are disjoint cells of [0, 1)")
def overlapping_cells() -> Json:
    """Densities on cells that overlap are not densities."""
    good = [[["0", "1/2"], []], [["1/2", "1"], []]]
    twice = [[["0", "1"], []], [["0", "1/2"], []]]
    evidence = {
        "satisfied": channel(2, 0, [[0], [1]], good, [["1/2", "1/2"], ["1/3", "2/3"]]),
        "violated": channel(2, 0, [[0], [1]], twice, [["1", "0"], ["0", "1"]]),
    }
    return certified(Definition(("ldp-density",)), "verified", evidence)


@planted("'eq12-samenon' is none of ('eq10-coordinate', 'eq10-membership',")
def unknown_predicate_proved() -> Json:
    """A conclusion that no definition of ours states, read as the joint reading by its last syllable."""
    body = Implies(("eq10-membership", "eq11-joint"), ("eq12-samenon",)).json()
    return certified(body, "proved", {"lemma": "containment"})


@planted("a list of at least 1 is missing")
def no_conclusion() -> Json:
    """All of no conclusions."""
    return certified(Implies(("eq10-membership",), ()), "proved", {"lemma": "containment"})


@planted("is not among the premises'")
def implication_that_does_not_hold() -> Json:
    """samenon does not imply the joint reading."""
    statement = Implies(("eq10-membership", "eq11-samenon"), ("eq11-joint",))
    return certified(statement, "proved", {"lemma": "containment"})


@planted("Definition 2 is about items")
def definition_of_items_on_sets() -> Json:
    """Definition 2 is about items: on sets of two its part 1 never holds, so it cannot be a premise."""
    statement = Implies(("uldp-protection",), ("eq11-joint",), "m-sets")
    identical = channel(
        2, 1, [[0, 1], [0, 2], [1, 2]], [[0, []], [0, [2]]], [["1", "0"], ["1/2", "1/2"], ["7/8", "1/8"]]
    )
    return certified(statement, "refuted", {"channel": identical})
