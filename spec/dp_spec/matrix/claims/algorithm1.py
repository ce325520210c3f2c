"""Formal statements of source 001, Section 3.1: Algorithm 1, and the original Privelet."""

from dataclasses import replace

from dp_spec.matrix import mechanisms, privelet
from dp_spec.matrix.claims.trees import (
    DELTA,
    LOSS,
    ONE_TREE,
    RETURNED,
    TWO_LEAVES,
    loss,
    matrix,
    same_matrix,
    sensitivity,
    trees,
)
from dp_spec.matrix.mechanisms import PRIVELET
from dp_spec.matrix.privelet import EPS, H, S, two
from dp_spec.vocabulary.additive import Quantity
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Bounded, formula
from dp_spec.vocabulary.ranges import NATURAL, POSITIVE, SOME
from dp_spec.vocabulary.statement import Domain, conjunction
from dp_spec.vocabulary.term import summed, var

X, Y = var("x"), var("y")
_TWO_COUNTS = Domain(dict.fromkeys("vwxy", NATURAL), ((var("v") - var("w")) - (X - Y), (X - Y) - (var("v") - var("w"))))
_UNWEIGHTED = replace(
    mechanisms.WEIGHTED,
    mechanism="privelet",
    rows=tuple(
        replace(row, weight=weight * row.weight, scale=weight * row.scale)
        for row, weight in zip(mechanisms.WEIGHTED.rows, (two(H), two(S)), strict=True)
    ),
    restored=(1 / two(H), 1 / two(S)),
)
"""The weighted Haar coefficients W(g) g, with W(g) times their noise: a law of the program of Algorithm 1."""

_PART = Domain({"p": NATURAL, "rest": NATURAL, "q": NATURAL}, (var("p") + var("rest") - var("q"),))
_FROM_BELOW = formula(_PART, ("le", (var("p") - var("q")) ** 2, (var("p") + var("rest")) ** 2))
"""A node with 2 M leaves, p <= M of them in the left half of a range, q <= M in the right one (M = p + rest). Nodes
that lie inside the range add nothing, at most two others at every height (`001.sec3.border`) at most M^2 4^-t = 1/4
each to I^T B B^T I; the total adds at most (N 2^-h)^2 = 1."""
T = var("t")
WORST = 1 + summed("t", 1, H, 2 * two(T - 1) ** 2 / two(T) ** 2)
"""What no coefficient of a range exceeds."""

ALGORITHM1: dict[str, Formal] = {
    # (3) is what a row of differences is, and the tie compares all entries; for every leaf one node at each height, the
    # signs of two leaves differ at their lowest common ancestor alone
    "001.alg1.tree": conjunction(
        matrix(PRIVELET, "gram", H + 1, H - var("k")),
        formula({"h": NATURAL}, ("eq", summed("t", 1, H, two(H) / two(T)), two(H) - 1)),
    ),
    "001.alg1.coeffs@with-total": RETURNED,
    # two counts each of two data sets, with the same difference
    "001.alg1.coeffs@internal-only": formula(_TWO_COUNTS, ("eq", var("v"), X)),
    "001.alg1.eq4": RETURNED,
    # the noise has mean 0: E B (A v + noise) = B A v
    "001.alg1.unbiased": RETURNED,
    "001.alg1.sens@addremove": trees(("eq", DELTA, H + 1), delta=sensitivity(PRIVELET)),
    "001.alg1.sens@replace": trees(("eq", DELTA, H + 1), domain=TWO_LEAVES, delta=sensitivity(PRIVELET, "replace")),
    "001.alg1.sens@replace.corrected": trees(
        ("eq", DELTA, 2 * H), domain=TWO_LEAVES, delta=sensitivity(PRIVELET, "replace")
    ),
    # what is computed from the noisy coefficients is a function of them
    "001.alg1.privacy@addremove": trees(("le", LOSS, EPS), loss=loss(PRIVELET)),
    "001.alg1.privacy@replace": trees(("le", LOSS, EPS), domain=TWO_LEAVES, loss=loss(PRIVELET, "replace")),
    "001.alg1.privacy@replace.corrected": conjunction(
        trees(("eq", LOSS, 2 * H / (H + 1) * EPS), domain=TWO_LEAVES, loss=loss(PRIVELET, "replace")),
        trees(("eq", LOSS, EPS), domain=TWO_LEAVES, loss=loss(mechanisms.PRIVELET_REPLACE, "replace")),
    ),
    "001.alg1.order@average": Bounded(
        TWO_LEAVES,
        ((var("total") / privelet.ranges(two(H)), H**3),),
        ("eps",),
        ("h",),
        quantities={"total": Quantity(PRIVELET, ("covariance", "ranges"))},
    ),
    "001.alg1.order@worst": conjunction(
        _FROM_BELOW, Bounded(TWO_LEAVES, ((2 * privelet.SCALE**2 * WORST, H**3),), ("eps",), ("h",))
    ),
    "001.alg1.order.norm@averaged": Bounded(
        TWO_LEAVES,
        ((var("total") / privelet.ranges(two(H)), H**3),),
        ("eps",),
        ("h",),
        quantities={"total": Quantity(mechanisms.AVERAGED, ("covariance", "ranges"))},
    ),
    # B = A^T has orthonormal rows: B B^T = B A; its sensitivity is at least the weight 2^(-1/2) of height 1
    "001.alg1.order.norm@orthonormal": Bounded(
        Domain({"h": SOME, "eps": POSITIVE, "delta": POSITIVE}, (2 * DELTA**2 - 1,)),
        ((2 * (DELTA / EPS) ** 2 * var("total") / privelet.ranges(two(H)), H**3),),
        ("eps", "delta"),
        ("h",),
        quantities={"total": Quantity(PRIVELET, ("returned", "ranges"))},
    ),
    "001.alg1.equiv@coefficients": same_matrix(_UNWEIGHTED, "gram", PRIVELET, "gram"),
    "001.alg1.equiv@covariance": same_matrix(mechanisms.WEIGHTED, "covariance", PRIVELET, "covariance"),
    # the scales of W(g) g
    "001.alg1.equiv@scale": formula(ONE_TREE, ("eq", 2 * (H + 1) / EPS, privelet.SCALE)),
    "001.base.weighted.rho": trees(("eq", DELTA, H + 1), delta=sensitivity(_UNWEIGHTED)),
    "001.base.weighted.privacy@addremove": trees(("le", LOSS, EPS), loss=loss(mechanisms.WEIGHTED)),
    "001.base.weighted.privacy@replace": trees(
        ("le", LOSS, EPS), domain=TWO_LEAVES, loss=loss(mechanisms.WEIGHTED_REPLACE, "replace")
    ),
    "001.base.weighted.bound": conjunction(
        same_matrix(mechanisms.WEIGHTED_REPLACE, "covariance", PRIVELET, "coefficient", 2 * (2 * privelet.SCALE) ** 2),
        _FROM_BELOW,
        formula(ONE_TREE, ("le", 2 * (2 * privelet.SCALE) ** 2 * WORST, (2 + H) * (2 + 2 * H) ** 2 / EPS**2)),
    ),
    # as many coefficients as counts, so that B A = 1 makes A B = 1
    "001.alg1.consistent@consistency": conjunction(
        RETURNED,
        formula({"h": NATURAL}, ("eq", 1 + summed("t", 1, H, two(H) / two(T)), two(H))),
    ),
    # L L^T = (A^T A)^-1 for the least squares L, L A = B A = 1: (B - L)(B - L)^T = B B^T - (A^T A)^-1
    "001.alg1.consistent@leastsquares": conjunction(
        same_matrix(PRIVELET, "least squares", PRIVELET, "coefficient"), RETURNED
    ),
}

SUPPLEMENT: dict[str, Formal] = {
    "001.supp.discrete@addremove": trees(("eq", LOSS, EPS), loss=loss(mechanisms.DISCRETE)),
    "001.supp.discrete@replace": trees(
        ("eq", LOSS, EPS), domain=TWO_LEAVES, loss=loss(mechanisms.DISCRETE_REPLACE, "replace")
    ),
}

FORMAL: dict[str, Formal] = ALGORITHM1 | SUPPLEMENT
