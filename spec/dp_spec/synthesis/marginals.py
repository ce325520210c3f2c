"""Marginals of two binary attributes in sentences: their distances, noisy ones, and what predicts one attribute.

Cells are 00, 01, 10, 11 in this order; a marginal is the list of its counts.
"""

from dp_spec.synthesis.tables import column, records, values
from dp_spec.vocabulary.arithmetic import Tree, added, distance, less, listed, product, those, total

CELLS: Tree = values(4)


def counts(data: Tree) -> Tree:
    """How many records are in each of the four cells."""
    return listed("kind", records(2), ["count", data, "kind"])


def half_distance(each: Tree) -> Tree:
    """(13): half of the sum over the cells."""
    return ["div", total("cell", CELLS, each), 2]


def table_distance(one: Tree, other: Tree, n: Tree) -> Tree:
    """(13) of the marginals of two tables of n records."""
    gap = distance(["count", one, "cell"], ["count", other, "cell"])
    return ["div", total("cell", records(2), gap), ["mul", 2, n]]


def product_distance(data: Tree, n: Tree) -> Tree:
    """(13) of the marginal of n records and the product of its attributes' own frequencies."""
    alone = [["count", column(data, a), ["at", "cell", a]] for a in (0, 1)]
    gap = distance(["div", ["count", data, "cell"], n], ["div", ["mul", *alone], ["mul", n, n]])
    return ["div", total("cell", records(2), gap), 2]


def geometric(x: Tree, count: Tree, n: Tree, alpha: Tree) -> Tree:
    """1 + alpha times the chance of x: the two-sided geometric law about a count, clamped to 0..n, n >= 1."""
    inside = ["mul", ["sub", 1, alpha], ["pow", alpha, distance(x, count)]]
    ends = [["mul", ["number", ["eq", x, end]], ["pow", alpha, distance(end, count)]] for end in (0, n)]
    within = ["mul", ["number", ["not", ["in", x, ["joined", ["only", 0], ["only", n]]]]], inside]
    return added(*ends, within)


def expected_distance(marginal: Tree, n: Tree, alpha: Tree) -> Tree:
    """(1 + alpha)^4 times the mean of (13) of the counts and the noisy counts divided by their sum; of the uniform
    distribution if all are 0."""
    law = listed("x", values(["add", n, 1]), geometric("x", ["at", marginal, "c"], n, alpha))
    chance = product("c", CELLS, ["at", law, ["at", "noisy", "c"]])
    mass = total("c", CELLS, ["at", "noisy", "c"])
    empty = ["number", ["eq", mass, 0]]
    share = ["div", ["add", ["at", "noisy", "cell"], empty], ["add", mass, ["mul", 4, empty]]]
    gap = distance(share, ["div", ["at", marginal, "cell"], n])
    return total("noisy", ["lists", values(["add", n, 1]), 4], ["mul", chance, half_distance(gap)])


def _predicted(training: Tree, value: Tree) -> Tree:
    """Whether more of the training records with this first value have 1 than 0 as the second."""
    same = ["eq", ["at", "t", 0], value]
    return ["number", less(0, total("t", training, ["mul", ["number", same], ["sub", ["mul", 2, ["at", "t", 1]], 1]]))]


def errors(training: Tree, tested: Tree) -> Tree:
    """How many of the tested records have another second value than the one that is predicted."""
    wrong = ["not", ["eq", ["at", "e", 1], _predicted(training, ["at", "e", 0])]]
    return total("e", tested, ["number", wrong])


def split_errors(data: Tree, n: Tree) -> Tree:
    """The errors over all splits of n records: each is tested once, the others train."""
    others = listed("o", those("p", values(n), ["not", ["eq", "p", "r"]]), ["at", data, "o"])
    return total("r", values(n), errors(others, ["only", ["at", data, "r"]]))
