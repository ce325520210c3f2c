"""The scores F and R of PrivBayes, in sentences. A record is the list of the values of an attribute X and of its set of
parents Pi: in F two values and `cells` of them, in R any numbers.
"""

from dp_spec.synthesis.tables import column, pair, values
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Tree,
    added,
    both,
    distance,
    largest,
    less,
    listed,
    number_of,
    those,
    total,
)

OWNERS, AMOUNTS = "owners", "amounts"


def half(n: Tree) -> Tree:
    """The cap n / 2 of the paper."""
    return ["div", n, 2]


def half_rounded_up(n: Tree) -> Tree:
    """The cap of the public code: how many numbers are below n / 2."""
    return number_of("below", values(n), less(["mul", 2, "below"], n))


def owners(cells: Tree) -> Tree:
    """All ways to assign the cells of the parents to the values of X."""
    return ["lists", BOTH, cells]


def _kept(data: Tree, cells: Tree, value: Tree, cap: Tree) -> Tree:
    """min(n K_value, cap): the records with this value of X, in the cells that are assigned to it."""
    own = those("cell", values(cells), ["eq", ["at", OWNERS, "cell"], value])
    return ["min", total("cell", own, ["count", data, pair(value, "cell")]), cap]


def f_score(data: Tree, cells: Tree, cap: Tree) -> Tree:
    """n F(X, Pi) in its closed form."""
    kept = [_kept(data, cells, value, cap) for value in (0, 1)]
    return ["sub", largest(["union", OWNERS, owners(cells), ["only", added(*kept)]]), ["size", data]]


def _away(data: Tree, cells: Tree) -> Tree:
    """2 n times the L1 distance to the law with so many 2n-ths in every cell, at the value of X that owns it."""
    distances = []
    for value in (0, 1):
        there = ["mul", ["number", ["eq", ["at", OWNERS, "cell"], value]], ["at", AMOUNTS, "cell"]]
        distances.append(distance(["mul", 2, ["count", data, pair(value, "cell")]], there))
    return total("cell", values(cells), added(*distances))


def _laws(cells: Tree, n: Tree) -> Tree:
    """What the cells may have: n in all where X has the one value, and where it has the other one."""
    owned = []
    for value in (0, 1):
        own = those("cell", values(cells), ["eq", ["at", OWNERS, "cell"], value])
        owned.append(["eq", total("cell", own, ["at", AMOUNTS, "cell"]), n])
    return those(AMOUNTS, ["lists", ["from", 0, ["add", n, 1]], cells], both(*owned))


def f_distance(data: Tree, cells: Tree, n: Tree) -> Tree:
    """n F(X, Pi) by its definition, minus n / 2 times the least L1 distance to a law in which X is uniform and Pi tells
    X; of the laws whose chances are multiples of 1 / (2 n)."""
    away = listed(AMOUNTS, _laws(cells, n), ["neg", _away(data, cells)])
    return ["div", largest(["union", OWNERS, owners(cells), away]), 4]


def r_score(data: Tree, values_of_one: Tree, values_of_other: Tree) -> Tree:
    """2 n^2 R(X, Pi): over all cells, how far n times their records are from the product of the two marginal counts."""
    marginal = ["mul", ["count", column(data, 0), "x"], ["count", column(data, 1), "y"]]
    joint = ["mul", ["size", data], ["count", data, pair("x", "y")]]
    return total("x", values_of_one, total("y", values_of_other, distance(joint, marginal)))
