"""Matrices of additive laws on trees: a quantity of a law, as what it is for two counts. This translation is trusted.

The counts are the leaves 0, 1, ... of a tree of branching b and height h; x lies under the node x / b^s, rounded down,
of height s. A row of the law is a query for every node of some heights, so that the entry of a product of two matrices
for the counts x and y is a sum over rows and heights of a product of weights, where x and y lie under one node. Where a
row is one of differences, a count has the sign + or - by which child of the node it lies under. A statement about a
quantity is one for all counts that the quantity is about: two that first meet at height k, or one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dp_coq.expressions import Outside, put, require_fields

NATURAL: dict[str, Any] = {"min": 0, "strict": False, "integer": True, "unit": False}
LAW = {"mechanism", "noise", "branching", "rows"}


def node(b: Any, s: Any, x: Any) -> Any:
    return ["floor", ["div", x, ["pow", b, s]]]


def gap(b: Any, s: Any, x: Any, y: Any) -> Any:
    """0 where two counts lie under one node, else at least 1."""
    return ["pow", ["sub", node(b, s, x), node(b, s, y)], 2]


def shared(differ: bool, b: Any, x: Any, y: Any) -> Any:
    """1 where two counts lie under one node of height s, else 0; with the signs of both, if the row has some."""
    alike = ["pow", 0, gap(b, "s", x, y)]
    signs = [["pow", -1, node(b, ["sub", "s", 1], count)] for count in (x, y)]
    return ["mul", alike, ["mul", *signs]] if differ else alike


@dataclass(frozen=True)
class Row:
    """A row of a quantity: whether it has signs, the branching, the counts, where they meet, heights, and what two
    counts under one node contribute."""

    differ: bool
    branching: Any
    counts: tuple[str, str]
    meet: Any
    first: Any
    last: Any
    each: Any

    @property
    def sum(self) -> Any:
        return [
            "sum",
            "s",
            self.first,
            self.last,
            ["mul", shared(self.differ, self.branching, *self.counts), self.each],
        ]


def contribution(law: Any, what: str, row: Any, v: Any) -> Any:
    """What a node of a row adds to the product of two matrices: of queries, of their restoration, of variances."""
    *_, weight, scale = row
    match what:
        case "gram":
            return ["mul", weight, weight]
        case "returned":
            return ["mul", v, weight]
        case "coefficient":
            return ["mul", v, v]
        case "covariance" if law["noise"] == "laplace":
            return ["mul", ["mul", v, v], ["mul", 2, ["pow", scale, 2]]]
    raise Outside(f"quantities: {what}")


def counts(name: str, which: str) -> tuple[str, str]:
    """The names of the counts that a quantity is about; no identifier is one of them."""
    return (f"~{name}", f"~{name}~") if which == "pair" else (f"~{name}", f"~{name}")


def rows(name: str, quantity: Any) -> Iterator[Row]:
    """The rows of a quantity, with the trees that its law is taken at."""
    law, (what, which), at = quantity["law"], quantity["of"], quantity["at"]
    require_fields(law, LAW | ({"restored"} & law.keys()))
    if which not in ("pair", "diagonal") or (what != "gram" and "restored" not in law):
        raise Outside(f"quantities: {what} {which}")
    for row, v in zip(law["rows"], law.get("restored", law["rows"]), strict=True):
        kind, first, last, *_ = row
        if kind == "differences" and law["branching"] != 2:
            raise Outside("differences of many children")
        trees = [law["branching"], "k" if which == "pair" else 1, first, last, contribution(law, what, row, v)]
        b, meet, low, high, each = (put(tree, at) for tree in trees)
        yield Row(kind == "differences", b, counts(name, which), meet, low, high, each)


FARTHEST, OTHERS = ("~~far", "~~far~"), ("~~near", "~~near~")
"""Two counts that meet at the root, and any two, which meet at some height; no name of a quantity begins like these."""
HEIGHT = "~~height"


def apart(quantity: Any, pair: tuple[str, str], meet: Any) -> tuple[Any, list[Row]]:
    """How far apart data sets are that differ in two counts, one up and one down: the weights of the nodes over both,
    less twice those of nodes over both on the same side; and the rows of what is shared."""
    law, (what, _), at = quantity["law"], quantity["of"], quantity["at"]
    require_fields(law, LAW | ({"restored"} & law.keys()))
    if what not in ("sensitivity", "loss"):
        raise Outside(f"quantities: {what} replace")
    total: Any = 0
    listed = []
    for kind, *ends, weight, scale in law["rows"]:
        if kind == "differences" and law["branching"] != 2:
            raise Outside("differences of many children")
        each = ["div", weight, scale] if what == "loss" else weight
        b, first, last, each = (put(tree, at) for tree in (law["branching"], *ends, each))
        signs = [Row(signed, b, pair, meet, first, last, each) for signed in (False, kind == "differences")]
        both = ["mul", 2, ["sum", "s", first, last, each]]
        total = ["add", total, ["sub", ["sub", both, signs[0].sum], signs[1].sum]]
        listed += signs
    return total, listed


def replaced_counts(quantities: Any) -> Any:
    """The only quantity about two counts that are exchanged, or None."""
    exchanged = [quantity for quantity in quantities.values() if quantity["of"][1] == "replace"]
    if exchanged and len(quantities) > 1:
        raise Outside("quantities beside one of exchanged counts")
    return exchanged[0] if exchanged else None


def value(name: str, quantity: Any) -> Any:
    """The tree of a quantity: what it is for its counts. Of one count more or less: the sum of the weights of the nodes
    over it, of which every height has one; for the loss each is divided by its scale (`theorems/Laplace.v`)."""
    law, (what, which) = quantity["law"], quantity["of"]
    if which == "replace":
        return apart(quantity, FARTHEST, put("h", quantity["at"]))[0]
    if which != "addremove":
        return added([row.sum for row in rows(name, quantity)])
    require_fields(law, LAW | ({"restored"} & law.keys()))
    sums = [
        ["sum", "s", first, last, ["div", weight, scale] if what == "loss" else weight]
        for _, first, last, weight, scale in law["rows"]
    ]
    return added([put(tree, quantity["at"]) for tree in sums])


def rows_of(name: str, quantity: Any) -> list[Row]:
    """The rows that are sums over what counts share."""
    if quantity["of"][1] == "replace":
        return [*apart(quantity, FARTHEST, put("h", quantity["at"]))[1], *apart(quantity, OTHERS, HEIGHT)[1]]
    return [] if quantity["of"][1] == "addremove" else [*rows(name, quantity)]


def added(trees: list[Any]) -> Any:
    total: Any = 0
    for tree in trees:
        total = ["add", total, tree]
    return total


def stated(name: str, quantity: Any) -> list[Any]:
    """What is stated of the counts of a quantity: they are leaves of its tree; two meet at height k, and not below."""
    if quantity["of"][1] == "addremove":
        return []
    b, h = (put(tree, quantity["at"]) for tree in (quantity["law"]["branching"], "h"))
    if quantity["of"][1] == "replace":
        return [["sub", h, HEIGHT], *meeting_at(b, h, FARTHEST, h), *meeting_at(b, h, OTHERS, HEIGHT)]
    x, y = counts(name, quantity["of"][1])
    return leaves(b, h, (x,)) if x == y else meeting_at(b, h, (x, y), put("k", quantity["at"]))


def leaves(b: Any, h: Any, of: tuple[str, ...]) -> list[Any]:
    return [["sub", ["sub", ["pow", b, h], 1], count] for count in of]


def meeting_at(b: Any, h: Any, pair: tuple[str, str], k: Any) -> list[Any]:
    """Two leaves are under one node of height k, and not of k - 1."""
    return [*leaves(b, h, pair), ["neg", gap(b, k, *pair)], ["sub", gap(b, ["sub", k, 1], *pair), 1]]


def names_of(name: str, quantity: Any) -> list[str]:
    """The names that a statement about a quantity has more."""
    which = quantity["of"][1]
    if which == "replace":
        return [*FARTHEST, *OTHERS, HEIGHT]
    return [] if which == "addremove" else [*dict.fromkeys(counts(name, which))]


def farther(statement: Any) -> list[Any]:
    """That no two counts are farther apart than two that meet at the root."""
    exchanged = replaced_counts(statement["quantities"])
    if exchanged is None:
        return []
    far = apart(exchanged, FARTHEST, put("h", exchanged["at"]))[0]
    return [["le", apart(exchanged, OTHERS, HEIGHT)[0], far]]


def about_counts(statement: Any) -> Any:
    """The statement about all counts that its quantities are about, without quantities."""
    quantities, domain = statement["quantities"], statement["domain"]
    values = {name: value(name, quantity) for name, quantity in quantities.items()}
    names = {count: NATURAL for name, quantity in quantities.items() for count in names_of(name, quantity)}
    if HEIGHT in names:
        names[HEIGHT] = {**NATURAL, "min": 1}
    more = [tree for name, quantity in quantities.items() for tree in stated(name, quantity)]
    return {
        **{field: content for field, content in statement.items() if field != "quantities"},
        "domain": {"variables": domain["variables"] | names, "constraints": [*domain["constraints"], *more]},
        "relations": [
            *([op, *(put(side, values) for side in sides)] for op, *sides in statement["relations"]),
            *farther(statement),
        ],
    }
