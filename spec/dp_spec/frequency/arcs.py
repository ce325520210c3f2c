"""Which points belong to an arc (source 002, (8); Algorithm 1, line 2; Algorithm 2, line 5), on a circle of n points.

The point tau / n, the hash value v / n in [0, 1] and the length p / n < 1/2 of an arc: for m = 1 that is every rational
length, at e^epsilon = n / p - 1. What a reading says depends on the order of tau, v, v + p and their multiples of n
alone, so that few points show all there is to see.
"""

from typing import Literal

from dp_spec.vocabulary.arithmetic import Arithmetic, Tree, added, both, every, implies, less, number_of, some
from dp_spec.vocabulary.ranges import MANY
from dp_spec.vocabulary.statement import Domain

Membership = Literal["mod1", "printed-open", "printed-closed", "server"]
"""Readings of the print, and the server's test (Algorithm 2, line 5)."""
VALUES: Tree = ["from", 0, ["add", "n", 1]]
"""The hash values in [0, 1]."""
HALF_OPEN: Tree = ["from", 0, "n"]
"""Those in [0, 1), and the points of the circle."""


def in_arc(tau: Tree, v: Tree, p: Tree, n: Tree) -> Tree:
    """The point is reached from the beginning v of the arc by a step shorter than its length, around the circle."""
    point = ["sub", ["add", v, "step"], ["mul", "turn", n]]
    return some(["eq", tau, point], step=["from", 0, p], turn=["from", 0, 2])


def is_member(reading: Membership, tau: Tree, v: Tree, p: Tree, n: Tree) -> Tree:
    """The point is in the arc by a reading: [v, v + p) or what of it lies beyond 1, turned back; the remainder of
    tau - v is below p; the beginning of the arc is one of the values before tau."""
    beyond = ["sub", ["add", v, p], n]
    straight = both(["le", v, tau], less(tau, ["add", v, p]))
    match reading:
        case "mod1":
            rest = ["add", ["sub", tau, v], ["mul", "turn", n]]
            return some(both(["le", 0, rest], less(rest, n), less(rest, p)), turn=["from", 0, 2])
        case "printed-open":
            return ["or", straight, less(tau, beyond)]
        case "printed-closed":
            return ["or", straight, ["le", tau, beyond]]
        case "server":
            before = both(less(["sub", tau, p], v), ["le", v, tau])
            return ["or", before, both(less(["add", ["sub", tau, p], n], v), ["le", v, n])]


def _agree(reading: Membership, *at: Tree) -> Tree:
    return ["eq", ["number", is_member(reading, *at)], ["number", in_arc(*at)]]


def _of_arcs(said: Tree, values: Tree) -> Arithmetic:
    short = implies(less(["mul", 2, "p"], "n"), said)
    return Arithmetic(Domain({"n": MANY}), every(short, v=values, p=["from", 1, "n"]))


def everywhere(reading: Membership, values: Tree = VALUES) -> Arithmetic:
    """A reading gives the half-open arc, at every point of the circle."""
    return _of_arcs(every(_agree(reading, "tau", "v", "p", "n"), tau=HALF_OPEN), values)


def almost(reading: Membership) -> Arithmetic:
    """A reading gives the arc up to its ends: it agrees in the middle between any two neighboring points, and has p of
    these middles, so that its length is p / n."""
    at: list[Tree] = [added(["mul", 2, "tau"], 1), *(["mul", 2, name] for name in ("v", "p", "n"))]
    agree = every(_agree(reading, *at), tau=HALF_OPEN)
    return _of_arcs(both(agree, ["eq", number_of("tau", HALF_OPEN, is_member(reading, *at)), "p"]), VALUES)
