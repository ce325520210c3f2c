"""Definitions and statements as sentences of a first-order language, which certificates carry and the kernel evaluates.

Variables run over sets of items, items, reports (y0, I) and outcomes. An invertible datum is called by the item it is
the image of, and I lists y_1, y_2, ... (9) speaks of "x with image y_i": it quantifies over the items that some report
emits.
"""

from collections.abc import Mapping
from typing import Any

from dp_spec.vocabulary.exceptions import DomainError

Tree = Any

S, OTHER, Y = "s", "other", "output"
INPUTS: Tree = ["sets", "m", "m"]
ALONE: Tree = ["sets", 1, 1]
SENSITIVE: Tree = ["from", 0, "K"]
ITEMS: Tree = ["from", 0, ["add", "K", "N"]]
Y0: Tree = ["at", Y, 0]
SHOWN: Tree = ["at", Y, 1]


def each(body: Tree, **domains: Tree) -> Tree:
    """For all values of the variables, in this order."""
    for name, things in reversed(domains.items()):
        body = ["all", name, things, body]
    return body


def support(s: Tree, law: str = "law") -> Tree:
    """The reports that are possible for a set."""
    return ["support", law, s]


def chance(y: Tree, s: Tree, law: str = "law") -> Tree:
    """P(y | s)."""
    return ["chance", law, s, y]


def subset(one: Tree, other: Tree) -> Tree:
    """All elements of one are elements of the other."""
    return ["all", "element", one, ["in", "element", other]]


def same(one: Tree, other: Tree) -> Tree:
    """They have the same elements."""
    return ["and", subset(one, other), subset(other, one)]


def nonsensitive(things: Tree) -> Tree:
    """The non-sensitive ones of some items."""
    return ["those", "kept", things, ["le", "K", "kept"]]


def without(one: Tree, other: Tree) -> Tree:
    """The elements of one that are not elements of the other."""
    return ["those", "lost", one, ["not", ["in", "lost", other]]]


def none(things: Tree) -> Tree:
    """There are none."""
    return ["eq", ["size", things], 0]


def emitted(s: Tree) -> Tree:
    """What the reports of a set show."""
    return ["union", "report", support(s), ["at", "report", 1]]


IMAGES: Tree = ["union", "any", INPUTS, emitted("any")]
LOSS, GAIN = without(S, OTHER), without(OTHER, S)
_DIFFERENT = ["not", ["eq", S, OTHER]]
RELATED: Mapping[str, Tree] = {
    "deniability": [
        "and",
        ["and", ["eq", ["size", LOSS], 1], ["eq", ["size", GAIN], 1]],
        subset(LOSS, SENSITIVE),
    ],
    "samenon": ["and", _DIFFERENT, ["eq", nonsensitive(S), nonsensitive(OTHER)]],
}
"""The pairs of sets that a reading of (11) compares; the others compare any two."""


def _pairs(relation: str, body: Tree, quantifier: str = "all") -> Tree:
    others = ["those", OTHER, INPUTS, RELATED.get(relation, _DIFFERENT)]
    return [quantifier, S, INPUTS, [quantifier, OTHER, others, body]]


def _subject(relation: str, counted: str) -> Tree:
    """The reports of s that a reading speaks of."""
    reports = support(S)
    if counted == "nonempty":
        reports = ["those", Y, reports, ["not", ["empty", Y0]]]
    if relation == "joint":
        reports = [
            "those",
            Y,
            reports,
            ["all", "element", SHOWN, ["and", ["in", "element", S], ["in", "element", OTHER]]],
        ]
    if relation == "protected":
        reports = ["those", Y, reports, none(SHOWN)]
    return reports


def _compared(relation: str, s: Tree) -> Tree:
    """The probability that a reading looks at: of the report, or of what has its y0."""
    if relation == "marginal":
        alike = ["those", "report", support(s), ["eq", ["at", "report", 0], Y0]]
        return ["total", "alike", alike, chance("alike", s)]
    return chance(Y, s)


def bounded(relation: str, counted: str = "all", e_eps: Tree = "e_eps") -> Tree:
    """P(y | s) <= e^eps P(y | s') for all inputs and outputs that the relation compares."""
    ratio = ["le", _compared(relation, S), ["mul", e_eps, _compared(relation, OTHER)]]
    return _pairs(relation, ["all", Y, _subject(relation, counted), ratio])


def exceeded(relation: str, counted: str, e_eps: Tree) -> Tree:
    """P(y | s) > e^eps P(y | s') for some inputs and outputs that the relation compares."""
    larger = ["not", ["le", _compared(relation, S), ["mul", e_eps, _compared(relation, OTHER)]]]
    return _pairs(relation, ["some", Y, _subject(relation, counted), larger], "some")


def unbounded(relation: str, counted: str) -> Tree:
    """P(y | s) > 0 = P(y | s') for some inputs and outputs that the relation compares."""
    alone = ["and", ["eq", _compared(relation, OTHER), 0], ["not", ["le", _compared(relation, S), 0]]]
    return _pairs(relation, ["some", Y, _subject(relation, counted), alone], "some")


def attained(relation: str, counted: str, constant: Tree) -> Tree:
    """P(y | s) <= c P(y | s') for all inputs and outputs that the relation compares, and for some both are equal."""
    equal = ["eq", _compared(relation, S), ["mul", constant, _compared(relation, OTHER)]]
    reached = _pairs(relation, ["some", Y, _subject(relation, counted), equal], "some")
    return ["and", bounded(relation, counted, constant), reached]


def bounded_events(relation: str) -> Tree:
    """P(Y | s) <= e^eps P(Y | s') for all sets Y of outputs, or of values of y0."""
    sides = []
    for s in (S, OTHER):
        event: Tree = "event"
        if relation == "marginal":
            event = ["those", "report", support(s), ["some", Y, "event", ["eq", ["at", "report", 0], Y0]]]
        sides.append(["total", "one", event, chance("one", s)])
    ratio = ["le", sides[0], ["mul", "e_eps", sides[1]]]
    return _pairs(relation, ["all", "event", ["events", _subject(relation, "all")], ratio])


def split(number: int) -> Tree:
    """The channel on items, run on every item of a set of so many, in their order, has that many times the budget."""
    held, others, reports = ([f"{x}{i}" for i in range(number)] for x in ("x", "z", "y"))

    def product(items: list[str]) -> Tree:
        first, *rest = (chance(y, x) for x, y in zip(items, reports, strict=True))
        for factor in rest:
            first = ["mul", first, factor]
        return first

    body: Tree = ["le", product(held), ["mul", ["pow", "e_eps", number], product(others)]]
    for x, y in zip(reversed(held), reversed(reports), strict=True):
        body = ["all", y, support(x), body]
    for items in (others, held):
        for i in range(number - 1, -1, -1):
            number_of = [["total", "item", x, "item"] for x in (items[i], items[i - 1])]
            later = ["not", ["le", *number_of]]
            body = ["all", items[i], ["those", items[i], ALONE, later] if i else ALONE, body]
    return body


def _row(body: Tree) -> Tree:
    """For every input s and every report of it."""
    return each(body, s=INPUTS, output=support(S))


def _held(test: Tree) -> Tree:
    """For every input s and every non-sensitive item of it that some report emits."""
    kept = ["those", "kept", S, ["and", ["le", "K", "kept"], ["in", "kept", IMAGES]]]
    return each(test, s=INPUTS, item=kept)


PLACES: Tree = ["from", 0, ["size", SHOWN]]
_OTHER_SHOWN = ["at", "report", 1]
_HAS_VALUE = [
    "some",
    "report",
    support(S),
    ["and", ["not", ["le", ["size", _OTHER_SHOWN], "place"]], ["eq", ["at", _OTHER_SHOWN, "place"], "item"]],
]
_ONE_IMAGE = [
    "eq",
    ["number", ["all", S, INPUTS, ["eq", ["number", ["in", "item", S]], ["number", ["in", "image", emitted(S)]]]]],
    ["number", ["eq", "item", "image"]],
]
_OWN = ["eq", ["number", ["in", Y, support("owner")]], ["number", same("owner", SHOWN)]]

RELATIONS = ("marginal", "joint", "deniability", "samenon")
PREDICATES: Mapping[str, Tree] = {
    "ldp": bounded("ldp"),
    "ldp-events": bounded_events("ldp"),
    "split-2": split(2),
    "split-3": split(3),
    # output by output, its one input is the item it shows; input by input, what it shows is itself, not sensitive
    "uldp-inversion": _row(
        ["or", none(SHOWN), ["and", subset(SHOWN, nonsensitive(ITEMS)), ["all", "owner", INPUTS, _OWN]]]
    ),
    "uldp-inversion-rows": _row(["and", subset(SHOWN, nonsensitive(S)), ["or", none(SHOWN), same(SHOWN, S)]]),
    "uldp-protection": bounded("protected"),
    "uldp-protection-events": bounded_events("protected"),
    "eq9-membership": _held(["some", Y, support(S), ["in", "item", SHOWN]]),
    "eq9-sets": each(
        subset(["those", "item", nonsensitive(S), ["in", "item", emitted(OTHER)]], emitted(S)), s=INPUTS, other=INPUTS
    ),
    "eq9-coordinate-some": _held(["some", Y, support(S), ["some", "place", PLACES, _HAS_VALUE]]),
    "eq9-coordinate-every": _held(["all", Y, support(S), ["all", "place", PLACES, _HAS_VALUE]]),
    "eq10-membership": _row(["all", "item", SHOWN, ["and", ["in", "item", S], ["le", "K", "item"]]]),
    "eq10-sets": each(subset(emitted(S), nonsensitive(S)), s=INPUTS),
    "eq10-coordinate": _row(["all", "place", PLACES, ["in", ["at", SHOWN, "place"], nonsensitive(S)]]),
    **{f"eq11-{relation}": bounded(relation) for relation in RELATIONS},
    **{f"eq11-{relation}-events": bounded_events(relation) for relation in RELATIONS},
    "eq11-marginal-nonempty": bounded("marginal", "nonempty"),
    "one-image": each(_ONE_IMAGE, image=IMAGES, item=ITEMS),
    "unmixed-inputs": each(["or", none(nonsensitive(S)), subset(S, nonsensitive(S))], s=INPUTS),
    "no-sensitive-element-beside-invertible-data": _row(["or", none(SHOWN), ["empty", Y0]]),
    "fixed-t": _row(["all", "report", support(S), ["eq", ["size", SHOWN], ["size", _OTHER_SHOWN]]]),
    "random-t": _row(["le", ["size", SHOWN], ["size", nonsensitive(S)]]),
    "singletons": each(["eq", ["size", S], 1], s=INPUTS),
}
"""Properties of channels, by the name that claims use."""


# --- statements about a law ------------------------------------------------------------------------------------------


def computable(of: Tree) -> Tree:
    """Two outcomes behind one report have the same number of results that are x, for all x in X_sen."""
    _require_results(of["law"]["term"])
    alike = ["eq", ["count", "first", "item"], ["count", "second", "item"]]
    behind = {"first": ["behind", S, Y], "other": INPUTS, "second": ["behind", OTHER, Y]}
    return each(alike, s=INPUTS, output=support(S), **behind, item=SENSITIVE)


def bernoulli_sum(of: Tree) -> Tree:
    """The generating function of what a user adds to F_x, x in X_sen, is (1 - p + p z)^[x in s]
    (1 - q + q z)^(m - [x in s]) for z = 0, ..., m: a law on 0, ..., m is determined by that."""
    _require_results(of["law"]["term"])
    cells = of["law"]["term"][2][2][1]["sen"]
    if set(cells) != {"own", "other"}:
        raise DomainError("term", of["law"]["term"], "a row whose sensitive results are own and other")
    held = ["number", ["in", "item", S]]
    own, other = (["add", ["sub", 1, cells[x]], ["mul", cells[x], "z"]] for x in ("own", "other"))
    stated = ["mul", ["pow", own, held], ["pow", other, ["sub", "m", held]]]
    expectation = ["total", Y, support(S), ["mul", chance(Y, S), ["pow", "z", ["count", Y0, "item"]]]]
    return each(["eq", expectation, stated], s=INPUTS, item=SENSITIVE, z=["from", 0, ["add", "m", 1]])


def product_form(of: Tree) -> Tree:
    """P(y | s) / P(y | s') is the quotient of the chances of two outcomes, which are products of entries: for reports
    without invertible data with a result for every item, or of a bit for every item."""
    _require_results(of["law"]["term"], whole=True)
    both: Tree = ["in", Y, support(OTHER)]
    if of["law"]["term"][1] != "whole":
        both = ["and", both, ["and", none(SHOWN), ["eq", ["size", Y0], "m"]]]
    top, bottom = ["chance", "outcomes", S, "first"], ["chance", "outcomes", OTHER, "second"]
    matched = ["eq", ["mul", chance(Y, S), bottom], ["mul", chance(Y, OTHER), top]]
    matched = ["some", "first", ["behind", S, Y], ["some", "second", ["behind", OTHER, Y], matched]]
    others = ["those", OTHER, INPUTS, _DIFFERENT]
    return each(matched, s=INPUTS, other=others, output=["those", Y, support(S), both])


def _require_results(term: Tree, whole: bool = False) -> None:
    """Raise `DomainError` unless a report is a function of one result for every held item (`whole`: or of all bits)."""
    match term:
        case ["push", _, ["each", "held", ["row", _]]]:
            return
        case ["push", "whole", ["each", "items", _]] if whole:
            return
    raise DomainError("term", term, "a push of each held item's row" + whole * ", or of all bits")


COUNTED = ("bits", "one", "set", "multiset", "position", "padded")
"""The functions of an outcome whose reports say how often an item is counted."""


def _added(term: Tree) -> Tree:
    """What a report adds to F_x. Raises `DomainError` for a law whose reports do not say so."""
    if term[0] != "push" or term[1] not in COUNTED:
        raise DomainError("term", term, f"a push by {', '.join(COUNTED)}")
    kept, sensitive = ["count", SHOWN, "item"], ["not", ["le", "K", "item"]]
    hit = {"bits": ["eq", ["at", Y0, "item"], 1], "one": ["eq", Y0, "item"]}.get(term[1], ["in", "item", Y0])
    many = term[1] in ("multiset", "position", "padded")
    return ["add", ["count", Y0, "item"] if many else ["number", ["and", sensitive, hit]], kept]


def padding(of: Tree) -> Tree:
    """E[what a user adds to F_x] is slope mean + offset, and no slope is 0, for all sets that are sampled or filled."""
    kind, inner = of["law"]["term"]
    sets = ["sets", ["add", "m", 1], ["add", "K", "N"]] if kind == "sampled" else ["sets", 0, ["sub", "m", 1]]
    mean = _put(of["mean"], {"size": ["size", S], "held": ["number", ["in", "item", S]]})
    expectation = ["total", Y, support(S), ["mul", chance(Y, S), _added(inner)]]
    parts = []
    for estimator, ruled in zip(of["estimator"], (["le", "K", "item"], ["not", ["le", "K", "item"]]), strict=True):
        stated = ["add", ["mul", estimator["slope"], mean], estimator["offset"]]
        parts.append(["or", ruled, ["and", ["not", ["eq", estimator["slope"], 0]], ["eq", expectation, stated]]])
    return each(["and", *parts], s=sets, item=ITEMS)


def same_law(of: Tree) -> Tree:
    """The reports have the same chances in both laws, and e^eps is the same."""
    equal = ["eq", chance(Y, S), chance(Y, S, "other")]
    both = ["and", ["all", Y, support(S), equal], ["all", Y, support(S, "other"), equal]]
    return each(["and", ["eq", *(["pow", of[x]["base"], of[x]["power"]] for x in ("law", "other"))], both], s=INPUTS)


def cost(of: Tree) -> Tree:
    """There are at most so many reports."""
    return ["le", ["size", ["union", S, INPUTS, support(S)]], of["most"]]


def _put(tree: Tree, values: Mapping[str, Tree]) -> Tree:
    if isinstance(tree, list):
        return [tree[0], *(_put(part, values) for part in tree[1:])]
    return values.get(tree, tree) if isinstance(tree, str) else tree


def _e_eps(of: Tree) -> Tree:
    return ["pow", of["law"]["base"], of["law"]["power"]]


def frequencies(of: Tree) -> Tree:
    """For one, two and three users the numbers of those who hold an item, by that of all users, sum to m."""
    parts: list[Tree] = []
    for users in (["s"], ["s", "other"], ["s", "other", "third"]):
        held: Tree = 0
        for s in users:
            held = ["add", held, ["number", ["in", "item", s]]]
        total = ["total", "item", ITEMS, ["div", held, len(users)]]
        parts.append(each(["eq", total, "m"], **dict.fromkeys(users, INPUTS)))
    return ["and", parts[0], ["and", *parts[1:]]]


WRITTEN: Mapping[str, Any] = {
    "bernoulli-sum": bernoulli_sum,
    "computable": computable,
    "cost": cost,
    "exceeds": lambda of: exceeded(of["relation"], of["counted"], _e_eps(of)),
    "frequencies": frequencies,
    "padding": padding,
    "product-form": product_form,
    "ratio-cases": lambda of: bounded(of["relation"], of["counted"], _e_eps(of)),
    "same-law": same_law,
    "smallest-cases": lambda of: attained(of["relation"], of["counted"], of["constant"]),
    "unbounded": lambda of: unbounded(of["relation"], of["counted"]),
}
"""The sentences that statements of these types are, at the sizes of their laws."""


def written(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The statement as it stands in certificates, from its fields.

    Raises `DomainError` for a law, or for sets, of which no sentence says what the statement does.
    """
    of: dict[str, Any] = dict(fields)
    if of.pop("cases", False):
        of["type"] += "-cases"
    match of["type"]:
        case "definition":
            one, other = ([PREDICATES[name]] for name in of["forms"])
            return {"type": of["type"], "premises": one, "conclusions": other}
        case "implies":
            alone = ["singletons"] * (of["inputs"] == "singletons")
            sides = {"premises": [*of["premises"], *alone], "conclusions": of["conclusions"]}
            return {"type": of["type"], **{side: [PREDICATES[name] for name in names] for side, names in sides.items()}}
        case "completions":
            readings = [["number", PREDICATES[name]] for name in of["readings"].values()]
            alone = ["singletons"] * (of["inputs"] == "singletons")
            premises = [PREDICATES[name] for name in (*of["premises"], *alone)]
            return {"type": of["type"], "premises": premises, "conclusions": [["eq", *readings]]}
    if of["type"] not in WRITTEN or (of["type"] == "unbounded" and "hashed" in str(of["law"]["term"])):
        return of
    if of["sizes"] != "exactm" or of.get("any_order"):
        raise DomainError("sizes", of["sizes"], f"exactm, in one order: {of['type']} is about sets of m items")
    kept: dict[str, Any] = {name: of[name] for name in ("law", "other", "where") if name in of}
    return {"type": "sentence", **kept, "sizes": of["sizes"], "sentence": WRITTEN[of["type"]](of)}
