"""Grids on the points of two attributes, and the maximal information coefficient of source 003, in sentences.

A grid of a columns and b rows cuts the ordered values of either attribute into so many contiguous groups of at least
one value. It is written as two lists that have the number of its group for every value: lists that never fall.
"""

from dp_spec.synthesis.tables import information, pair, values
from dp_spec.vocabulary.arithmetic import Tree, every, largest, less, listed, those

WHOLE: Tree = 20
"""Exponents of N are twentieths, so that a b and N^0.6 or N^0.55 are compared as integers."""
EXPONENTS: Tree = ["from", 11, 13]
"""0.55 and 0.6 in twentieths."""
DEFAULT: Tree = 12


def _cells(columns: Tree, rows: Tree) -> tuple[Tree, Tree]:
    power: Tree = ["mul", ["pow", columns, WHOLE], ["pow", rows, WHOLE]]
    return ["mul", columns, rows], power


def is_fewer(columns: Tree, rows: Tree, n: Tree, exponent: Tree) -> Tree:
    """a b < N^alpha."""
    return less(_cells(columns, rows)[1], ["pow", n, exponent])


def is_allowed(columns: Tree, rows: Tree, n: Tree, exponent: Tree) -> Tree:
    """a b <= max(N^alpha, 4)."""
    cells, power = _cells(columns, rows)
    return ["or", ["le", cells, 4], ["le", power, ["pow", n, exponent]]]


def is_within(columns: Tree, rows: Tree, cells: Tree) -> Tree:
    """a b <= m."""
    return ["le", ["mul", columns, rows], cells]


def sizes(number: Tree, least: Tree = 2) -> Tree:
    """Into how many groups so many values may be cut."""
    return ["from", least, ["add", number, 1]]


def cuts(number: Tree, groups: Tree) -> Tree:
    """All ways to cut so many ordered values into so many groups, none of them empty."""
    return those("cut", ["multisets", values(groups), number], every(["in", "group", "cut"], group=values(groups)))


GRID = "grid"
COLUMNS, ROWS, ACROSS, ALONG = (["at", GRID, place] for place in range(4))


def grids(columns: Tree, rows: Tree, allowed: Tree) -> Tree:
    """The grids of a columns and b rows that are `allowed` for attributes with so many values: a, b and both cuts."""
    one = ["joined", pair("a", "b"), pair("across", "along")]
    placed = ["union", "across", cuts(columns, "a"), listed("along", cuts(rows, "b"), one)]
    return ["union", "a", sizes(columns), ["union", "b", those("b", sizes(rows), allowed), placed]]


def cut(data: Tree) -> Tree:
    """The column and the row of every point in a grid."""
    return listed("point", data, pair(["at", ACROSS, ["at", "point", 0]], ["at", ALONG, ["at", "point", 1]]))


def quotient(data: Tree) -> Tree:
    """n I / log min(a, b) on a grid."""
    on_grid = information(cut(data), 0, 1, values(COLUMNS), values(ROWS))
    return ["div", on_grid, ["log", ["min", COLUMNS, ROWS]]]


def coefficient(data: Tree, columns: Tree, rows: Tree, allowed: Tree) -> Tree:
    """n MIC of two attributes with so many values: the largest quotient."""
    return largest(listed(GRID, grids(columns, rows, allowed), quotient(data)))
