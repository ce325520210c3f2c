"""Grids on the points of two attributes, and the maximal information coefficient of source 003, in sentences.

A grid of a columns and b rows cuts the ordered values of either attribute into so many contiguous groups of at least
one value. A cut is written as the list that has the number of its group for every value: a list that never falls.
"""

from dp_spec.synthesis.tables import information, pair, values
from dp_spec.vocabulary.arithmetic import Tree, both, every, largest, less, listed, those

WHOLE: Tree = 20
"""Exponents of N are twentieths, so that a b and N^0.6 or N^0.55 are compared as integers."""
EXPONENTS: Tree = ["from", 1, 3]
"""How many twentieths 0.55 and 0.6 are above 10."""
DEFAULT: Tree = 2


def _power(n: Tree, exponent: Tree) -> Tree:
    """N^alpha, to the power of 20."""
    return ["pow", n, ["add", 10, exponent]]


def _cells(columns: Tree, rows: Tree) -> Tree:
    """a b, to the power of 20."""
    return ["mul", ["pow", columns, WHOLE], ["pow", rows, WHOLE]]


def is_fewer(columns: Tree, rows: Tree, n: Tree, exponent: Tree) -> Tree:
    """a b < N^alpha."""
    return less(_cells(columns, rows), _power(n, exponent))


def is_allowed(columns: Tree, rows: Tree, n: Tree, exponent: Tree) -> Tree:
    """a b <= max(N^alpha, 4)."""
    return ["or", is_within(columns, rows, 4), ["le", _cells(columns, rows), _power(n, exponent)]]


def is_within(columns: Tree, rows: Tree, cells: Tree) -> Tree:
    """a b <= m."""
    return ["le", ["mul", columns, rows], cells]


def sizes(number: Tree, least: Tree = 2) -> Tree:
    """Into how many groups so many values may be cut."""
    return ["from", least, ["add", number, 1]]


def groups(cut: Tree) -> Tree:
    """How many groups a cut has: the last value is in the last one."""
    return ["add", ["at", cut, ["sub", ["size", cut], 1]], 1]


GRID = "grid"
ACROSS: Tree = ["at", GRID, 0]
ALONG: Tree = ["at", GRID, 1]
COLUMNS, ROWS = groups(ACROSS), groups(ALONG)
"""The numbers of columns and rows of a grid, which is the list of both cuts."""


def cuts(number: Tree) -> Tree:
    """All ways to cut so many ordered values into two groups or more, none of them empty."""
    whole = every(["in", "group", "cut"], group=values(groups("cut")))
    return those("cut", ["multisets", values(number), number], both(["le", 2, groups("cut")], whole))


def grids(columns: Tree, rows: Tree, allowed: Tree) -> Tree:
    """The grids that are `allowed` for attributes with so many values."""
    pairs = ["union", "across", cuts(columns), listed("along", cuts(rows), pair("across", "along"))]
    return those(GRID, pairs, allowed)


def on_grid(data: Tree) -> Tree:
    """The column and the row of every point in a grid."""
    return listed("point", data, pair(["at", ACROSS, ["at", "point", 0]], ["at", ALONG, ["at", "point", 1]]))


def quotient(data: Tree) -> Tree:
    """n I / log min(a, b) on a grid."""
    measure = information(on_grid(data), 0, 1, values(COLUMNS), values(ROWS))
    return ["div", measure, ["log", ["min", COLUMNS, ROWS]]]


def coefficient(data: Tree, columns: Tree, rows: Tree, allowed: Tree) -> Tree:
    """n MIC of two attributes with so many values: the largest quotient."""
    return largest(listed(GRID, grids(columns, rows, allowed), quotient(data)))
