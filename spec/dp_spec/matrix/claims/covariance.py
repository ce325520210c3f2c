"""Formal statements of source 001, Section 3.2: covariances of Privelet."""

from itertools import product

from dp_spec.matrix import mechanisms, privelet
from dp_spec.matrix.claims.basics import THEOREM1
from dp_spec.matrix.claims.trees import (
    ABOVE,
    HEIGHTS,
    OTHER,
    OWN,
    PAIR,
    PAIRS,
    RETURNED,
    TOTAL,
    U,
    entry,
    matrix,
    own,
    pairs,
    same_matrix,
    trees,
)
from dp_spec.matrix.mechanisms import PRIVELET
from dp_spec.matrix.privelet import SCALE, H, K, two
from dp_spec.vocabulary.additive import Quantity
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.ranges import NATURAL, SOME
from dp_spec.vocabulary.statement import Domain, Relation, conjunction, instances
from dp_spec.vocabulary.term import Term, floor, modulo, same, summed, term, var

X, Y = var("x"), var("y")

A4 = ((1, 1, 1, 1), (1, 1, -1, -1), (1, -1, 0, 0), (0, 0, 1, -1))
B4 = ((1, 1, 2, 0), (1, 1, -2, 0), (1, -1, 0, 2), (1, -1, 0, -2))
"""The displayed matrices of 4 data; of B four times its entries."""


def _displayed() -> Formula:
    """B4 A4 is the identity; the entries of A4^T A4 are those of the law (h = 2)."""
    every = list(product(range(4), repeat=2))
    returned: tuple[Relation, ...] = tuple(
        ("eq", sum((term(B4[i][k]) * A4[k][j] for k in range(4)), term(0)) / 4, term(int(i == j))) for i, j in every
    )
    gram: tuple[Relation, ...] = tuple(
        ("eq", sum((term(A4[k][i]) * A4[k][j] for k in range(4)), term(0)), _of_four(i, j)) for i, j in every
    )
    at = {"h": term(2), "eps": term(1)}
    return formula(
        {},
        *returned,
        *gram,
        quantities={
            "own": Quantity(PRIVELET, ("gram", "diagonal"), at),
            "near": Quantity(PRIVELET, ("gram", "pair"), {**at, "k": term(1)}),
            "far": Quantity(PRIVELET, ("gram", "pair"), {**at, "k": term(2)}),
        },
    )


def _of_four(i: int, j: int) -> Term:
    return var("own" if i == j else "near" if i // 2 == j // 2 else "far")


def _bits(x: Term, height: int) -> list[Term]:
    return [modulo(floor(x / 2**s), 2) for s in range(height + 1)]


def _ancestors(height: int, first_label: int) -> tuple[Term, Term]:
    """The height k of the lowest common ancestor of leaves x and y, and floor(log2(i xor j)) + 1 of their labels, which
    are from 0 or from 1 on.

    k is the number of heights s < h at which x and y (from 0) lie under different nodes; floor(log2 z) + 1 that of
    powers 2^s <= z.
    """
    one, two_ = X + first_label, Y + first_label
    exclusive = sum(
        (
            (a + b - 2 * a * b) * 2**s
            for s, (a, b) in enumerate(zip(_bits(one, height), _bits(two_, height), strict=True))
        ),
        term(0),
    )
    common = sum((1 - same(floor(X / 2**s), floor(Y / 2**s)) for s in range(height)), term(0))
    length = sum((1 - same(floor(exclusive / 2**s), term(0)) for s in range(height + 1)), term(0))
    return common, length


def _all_ancestors(height: int) -> Formula:
    """Of all pairs of leaves, labeled from 0 on: the sum of squared differences."""
    common, length = _ancestors(height, 0)
    wrong = summed("x", 0, 2**height - 1, summed("y", X + 1, 2**height - 1, (common - length) ** 2))
    return formula({}, ("eq", wrong, term(0)))


def _every_ancestor(height: int, first_label: int) -> Formula:
    """Of every pair of leaves x < y, which are variables."""
    common, length = _ancestors(height, first_label)
    return formula({"x": NATURAL, "y": NATURAL}, ("eq", common, length), where=(Y - X - 1, 2**height - 1 - Y))


_LOWER = Domain({"u": NATURAL, "z": NATURAL}, (two(U) - 1 - var("z"),))
_COMMON = formula(
    _LOWER,
    ("eq", summed("s", 1, U, two(var("s") - 1)), two(U) - 1),
    ("le", two(U), two(U) + var("z")),
    ("lt", two(U) + var("z"), two(U + 1)),
)
"""Leaves from 0, with lowest common ancestor at height u + 1: equal bits from u + 1 on, which cancel; bit u differs;
z of the bits below is at most their sum, so that 2^u <= i xor j < 2^(u + 1)."""

FORMAL: dict[str, Formal] = {
    "001.sec3.a4b4": _displayed(),
    "001.alg2.inverse": RETURNED,
    # the squares of the entries; B has them where A^T has 1 or -1: in c_0, and in one node of every height
    "001.alg2.rows": conjunction(
        trees(("eq", OWN, privelet.diagonal()), own=own(PRIVELET, "coefficient")),
        trees(("eq", OWN, 1 + summed("t", 1, H, term(1))), ("eq", OWN, H + 1), own=own(PRIVELET, "gram")),
    ),
    # a function of B and the noise; other queries, with noise that is restored to the same
    "001.sec3.onlyb": conjunction(
        same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * SCALE**2),
        same_matrix(mechanisms.WEIGHTED, "covariance", PRIVELET, "covariance"),
    ),
    "001.eq5": same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * SCALE**2),
    "001.thm2.lca": matrix(PRIVELET, "coefficient", privelet.diagonal_closed(), privelet.phi()),
    "001.thm2.eq6.diag": trees(("eq", OWN, privelet.diagonal()), own=own(PRIVELET, "coefficient")),
    "001.thm2.eq6.off": pairs(
        ("eq", PAIR, privelet.off_diagonal().substitute(ABOVE)), pair=entry(PRIVELET, "coefficient")
    ),
    "001.thm2.k@labels1": conjunction(*(_every_ancestor(h, 1) for h in (1, 2, 3))),
    "001.thm2.k@labels0": conjunction(_COMMON, instances(*(_all_ancestors(h) for h in (1, 2, 3)))),
    "001.eq7": conjunction(
        formula(HEIGHTS, ("eq", privelet.diagonal(), privelet.diagonal_closed())),
        formula(PAIRS, ("eq", privelet.off_diagonal().substitute(ABOVE), privelet.phi().substitute(ABOVE))),
    ),
    "001.eq8": conjunction(
        pairs(("eq", PAIR, privelet.phi().substitute(ABOVE)), pair=entry(PRIVELET, "coefficient")),
        formula(
            {"h": SOME, "k": SOME},
            ("eq", privelet.phi(H, H), term(0)),
            ("eq", privelet.phi(K, H), privelet.phi(K + 1, H) - 2 / two(K + 1) ** 2),
        ),
    ),
    # Theorem 1 for one row, the indicator of the range; the diagonal and the pairs of the range add up
    "001.eq9": conjunction(
        *THEOREM1,
        same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * SCALE**2),
        trees(
            ("eq", TOTAL, 2 * SCALE**2 * OTHER),
            total=Quantity(PRIVELET, ("covariance", "ranges")),
            other=Quantity(PRIVELET, ("coefficient", "ranges")),
        ),
    ),
}
