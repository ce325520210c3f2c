"""Formal statements about the privacy of PrivBayes, reference [13] of source 003.

Scores are times n, or more, so that they are integers: 2 n F + 2 n, and 2 n^2 R; a constant changes no chance.
"""

from dp_spec.synthesis.claims.definitions import ADAPTIVE, EXPONENTIAL
from dp_spec.synthesis.networks import attributes, ordered_parents
from dp_spec.synthesis.tables import ONE, OTHER, column, columns, information, neighbors, pair, records, sensitivity
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Arithmetic,
    Tree,
    both,
    distance,
    every,
    listed,
    number_of,
    only,
    those,
    total,
)
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.ranges import NATURAL, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain, conjunction
from dp_spec.vocabulary.term import var

_W: Tree = ["from", 0, "w"]
_CELLS = ["union", "x", BOTH, listed("y", _W, pair("x", "y"))]
"""The values of X and of its parents."""


def _moves(one: Tree, other: Tree, bound: Tree) -> Arithmetic:
    """The score of a replaced record's table changes by the bound at most (`one` and `other` are any two records)."""
    return Arithmetic(Domain({"n": SOME, "w": SEVERAL}), neighbors(["le", ["sub", one, other], bound], _CELLS, "n"))


def _twice_f(data: Tree) -> Tree:
    """2 n (F + 1): the largest min(2 n K_0, n) + min(2 n K_1, n) over the sets of values of the parents that are
    assigned to 0."""
    zeros, ones = (
        number_of("row", data, both(["eq", ["at", "row", 0], value], test))
        for value, test in (
            (0, ["in", ["at", "row", 1], "zeros"]),
            (1, ["not", ["in", ["at", "row", 1], "zeros"]]),
        )
    )
    n = ["size", data]
    scores = listed("zeros", ["events", _W], ["add", *(["min", ["mul", 2, k], n] for k in (zeros, ones))])
    return total("scores", only(scores), ["at", those("best", "scores", _is_largest()), 0])


def _is_largest() -> Tree:
    return every(["le", "rival", "best"], rival="scores")


def _r(data: Tree) -> Tree:
    """2 n^2 R: the sum of |n c(x, pi) - c(x) c(pi)|."""
    alone = (["count", column(data, i), ["at", "cell", i]] for i in (0, 1))
    return total("cell", _CELLS, distance(["mul", ["size", data], ["count", data, "cell"]], ["mul", *alone]))


def _noised() -> Tree:
    """The noisy joint tables of the pairs l + 1, ..., d of a network of degree l have a loss of epsilon_2 at most."""
    own = ["at", "parents", "place"]
    cells = listed("value", records(["add", ["size", own], 1]), pair("place", "value"))
    all_cells = ["union", "place", ["from", "l", "d"], cells]

    def frequencies(data: Tree) -> Tree:
        place, value = (["at", "cell", i] for i in (0, 1))
        chosen = columns(data, ["joined", ["at", "parents", place], only(place)])
        return listed("cell", all_cells, ["div", ["count", chosen, value], "n"])

    scale = ["div", ["mul", 2, ["sub", "d", "l"]], ["mul", "n", "eps"]]
    loss = ["laplace", frequencies(ONE), frequencies(OTHER), listed("cell", all_cells, scale)]
    of_degree = every(["eq", ["size", ["at", "parents", "x"]], ["min", "l", "x"]], x=attributes("d"))
    networks = those("parents", ordered_parents("d"), of_degree)
    return every(neighbors(["le", loss, "eps"], records("d"), "n"), parents=networks)


FORMAL: dict[str, Formal] = {
    # each score by its sensitivity; a selection; one after the other; the joint tables
    "003.base.privbayes.dp": conjunction(
        _moves(information(ONE, 0, 1, BOTH, _W), information(OTHER, 0, 1, BOTH, _W), sensitivity("n")),
        _moves(_twice_f(ONE), _twice_f(OTHER), 2),
        _moves(_r(ONE), _r(OTHER), ["add", ["mul", 6, "n"], 4]),
        EXPONENTIAL,
        ADAPTIVE,
        Arithmetic(
            Domain(
                {"n": SOME, "d": SOME, "l": NATURAL, "eps": POSITIVE},
                (var("d") - var("l") - 1,),
            ),
            _noised(),
        ),
    ),
}
