"""Laws of the matrix mechanisms on N = b^h counts (source 001): strategies, noise and restorations, heights from the
leaves (0) to the root (h). Noise is calibrated to neighbors that add or remove a record, unless a name says otherwise.
"""

from dataclasses import replace

from dp_spec.vocabulary.additive import Additive, Row
from dp_spec.vocabulary.term import Term, term, var

H, S, EPS, BRANCHING = (var(name) for name in ("h", "s", "eps", "b"))
_ONE, _LEAVES = term(1), term(0)


def sums(first: Term, last: Term, scale: Term, weight: Term = _ONE) -> Row:
    """The sums under all nodes of some heights."""
    return Row("sums", first, last, weight, scale)


def differences(scale: Term, weight: Term = _ONE) -> Row:
    """Left minus right under all nodes that are no leaf."""
    return Row("differences", _ONE, H, weight, scale)


IDENTITY = Additive("identity", (sums(_LEAVES, _LEAVES, 1 / EPS),), (_ONE,))
"""Every count with noise (flat Laplace)."""

PRIVELET_SCALE = (H + 1) / EPS
PRIVELET = Additive(
    "privelet",
    (sums(H, H, PRIVELET_SCALE), differences(PRIVELET_SCALE)),
    (1 / term(2) ** H, 1 / term(2) ** S),
)
"""Algorithm 1: the total, left minus right at every other node (3); restored by (4)."""

PRIVELET_REPLACE = replace(
    PRIVELET, mechanism="privelet-replace", rows=tuple(replace(row, scale=2 * H / EPS) for row in PRIVELET.rows)
)
"""The same, calibrated to neighbors that exchange a record (h >= 1)."""

DISCRETE = replace(PRIVELET, mechanism="privelet-discrete", noise="discrete")
DISCRETE_REPLACE = replace(PRIVELET_REPLACE, mechanism="privelet-discrete-replace", noise="discrete")
"""Algorithm 1 with noise on the integers, for counts."""

WEIGHTED = Additive(
    "weighted",
    (
        sums(H, H, PRIVELET_SCALE / term(2) ** H, 1 / term(2) ** H),
        differences(PRIVELET_SCALE / term(2) ** S, 1 / term(2) ** S),
    ),
    (_ONE, _ONE),
)
"""The original Privelet: Haar coefficients g (means, halved differences of means), noise of scale lambda / W(g)."""
WEIGHTED_REPLACE = Additive(
    "weighted-replace",
    tuple(replace(row, scale=2 * row.scale) for row in WEIGHTED.rows),
    WEIGHTED.restored,
)
"""The same with lambda = 2 rho / epsilon."""

AVERAGED_SENSITIVITY = 1 / term(2) ** H + 1 - 1 / term(2) ** H
"""The weight of the mean and those of the heights 1..h: 2^-h + sum of 2^-t."""
AVERAGED = Additive(
    "haar-averaged",
    (
        sums(H, H, AVERAGED_SENSITIVITY / EPS, 1 / term(2) ** H),
        differences(AVERAGED_SENSITIVITY / EPS, 1 / term(2) ** S),
    ),
    (_ONE, _ONE),
)
"""Haar coefficients without weights, one common noise scale."""


def tree(name: str, root: bool, branching: Term = BRANCHING) -> Additive:
    """The sums under all nodes, with the root's or without it: the naive tree; Boost before its consistency step."""
    last, levels = (H, H + 1) if root else (H - 1, H)
    return Additive(name, (sums(_LEAVES, last, levels / EPS),), branching=branching)


NAIVE_ROOT, NAIVE_NOROOT = tree("tree-root", True), tree("tree-noroot", False)
BOOST_ROOT, BOOST_NOROOT = tree("consistency-root", True), tree("consistency-noroot", False)
