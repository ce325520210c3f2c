"""Formal statements about Jtree, reference [14] of source 003: the clique tables and the distribution they imply.

The cliques are {X_1, X_2} and {X_2, X_3}, or {X_3, X_4} as well; a table of two attributes is the list of its cells
00, 01, 10, 11.
"""

from collections.abc import Sequence

from dp_spec.synthesis.networks import called
from dp_spec.synthesis.tables import records
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Arithmetic,
    Tree,
    added,
    both,
    distance,
    every,
    less,
    listed,
    some,
    those,
    total,
)
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.ranges import SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain, conjunction

PLACES: Tree = ["from", 0, 4]


def _cell(table: Tree, first: Tree, second: Tree) -> Tree:
    return ["at", table, ["add", ["mul", 2, first], second]]


def _sum(table: Tree) -> Tree:
    return total("place", PLACES, ["at", table, "place"])


def _before(table: Tree, value: Tree) -> Tree:
    """How much the second attribute has a value."""
    return added(_cell(table, 0, value), _cell(table, 1, value))


def _after(table: Tree, value: Tree) -> Tree:
    """How much the first attribute has a value."""
    return added(_cell(table, value, 0), _cell(table, value, 1))


def _quotient(a: Tree, b: Tree) -> Tree:
    """a / b, 0 / 0 = 0."""
    return ["div", a, ["add", b, ["number", ["eq", b, 0]]]]


def chance(tables: Sequence[Tree]) -> Tree:
    """The product of Pr(Q_c) over that of the separators; that of a separator is its chance in the later table."""
    product: Tree = ["div", _cell(tables[0], ["at", "record", 0], ["at", "record", 1]), _sum(tables[0])]
    for place, table in enumerate(tables[1:], start=1):
        value = ["at", "record", place]
        own = _cell(table, value, ["at", "record", place + 1])
        product = ["mul", product, _quotient(own, _after(table, value))]
    return product


def _implied(tables: Sequence[Tree]) -> Tree:
    """It sums to 1 and has the tables as marginals."""
    all_records = records(len(tables) + 1)
    parts = [["eq", total("record", all_records, chance(tables)), 1]]
    for place, table in enumerate(tables):
        here = both(["eq", ["at", "row", place], "a"], ["eq", ["at", "row", place + 1], "b"])
        own = total("record", those("row", all_records, here), chance(tables))
        parts.append(every(["eq", own, ["div", _cell(table, "a", "b"), _sum(table)]], a=BOTH, b=BOTH))
    return both(parts[0], *parts[1:])


def _agree(one: Tree, other: Tree) -> Tree:
    """Two tables say the same of the attribute that they share."""
    return every(["eq", _before(one, "b"), _after(other, "b")], b=BOTH)


def _consistent(number: int, n: str) -> Arithmetic:
    """All tables of n counts of so many cliques, each of which agrees with the one before."""
    names = [f"table{i}" for i in range(number)]
    body = _implied(names)
    counts = those("cells", ["lists", ["from", 0, ["add", n, 1]], 4], ["eq", _sum("cells"), n])
    for i in range(number - 1, -1, -1):
        admitted = those("next", counts, _agree(names[i - 1], "next")) if i else counts
        body = ["all", names[i], admitted, body]
    return Arithmetic(Domain({n: SOME}), body)


# --- step 5 -----------------------------------------------------------------------------------------------------------


def scaled(table: Tree) -> Tree:
    """With total n."""
    return listed("place", PLACES, ["div", ["mul", "n", ["at", table, "place"]], _sum_of(table)])


def _sum_of(table: Tree) -> Tree:
    return total("summed", PLACES, ["at", table, "summed"])


def averaged(first: Tree, second: Tree) -> tuple[Tree, Tree]:
    """Both get half of (average - own) to every cell of a value of the shared attribute, on which they then agree."""

    def moved(cell: Tree, own: Tree, its: Tree) -> Tree:
        return ["add", cell, ["div", ["sub", its, own], 4]]

    pairs = records(2)
    a, b = (["at", "pair", i] for i in (0, 1))
    one = listed("pair", pairs, moved(_cell(first, a, b), _before(first, b), _after(second, b)))
    two = listed("pair", pairs, moved(_cell(second, a, b), _after(second, a), _before(first, a)))
    return one, two


def clamped(table: Tree) -> Tree:
    """Where a cell is negative: the largest positive cells, until their sum is nearest to n, and 0 for the others;
    equal cells stand in their order."""
    cell, rival = ["at", table, "place"], ["at", table, "rival"]
    earlier = ["or", less(cell, rival), both(["eq", cell, rival], less("rival", "place"))]
    larger = total("rival", those("rival", PLACES, earlier), rival)
    nearer = less(distance(["add", larger, cell], "n"), distance(larger, "n"))
    stays = both(less(0, cell), ["or", ["eq", larger, 0], nearer])
    negative = some(less(["at", table, "any"], 0), any=PLACES)
    return listed("place", PLACES, ["mul", cell, ["number", ["or", ["not", negative], stays]]])


def _sums_to_one() -> Tree:
    """What step 6 makes of tables with noise, each of positive total, sums to 1."""
    entries = listed("e", ["from", 0, "h"], ["sub", "e", 1])
    noisy = those("cells", ["lists", entries, 4], less(0, _sum("cells")))
    one, two = averaged("first_scaled", "second_scaled")
    summed: Tree = total("record", records(3), chance(["first_clamped", "second_clamped"]))
    for name, made in (
        ("second_clamped", clamped("second_averaged")),
        ("first_clamped", clamped("first_averaged")),
        ("second_averaged", two),
        ("first_averaged", one),
        ("second_scaled", scaled("second")),
        ("first_scaled", scaled("first")),
    ):
        summed = called(name, made, summed)
    return every(["eq", summed, 1], first=noisy, second=noisy)


FORMAL: dict[str, Formal] = {
    "003.base.jtree.junction@consistent": conjunction(_consistent(2, "n"), _consistent(3, "m")),
    # noisy counts from -1 to h - 2
    "003.base.jtree.junction@clamped": Arithmetic(Domain({"n": SOME, "h": SEVERAL}), _sums_to_one()),
}
