"""Formal statements of source 001, Sections 3.2 and 3.3: covariances of Privelet, fixed ranges, all ranges."""

from itertools import product

from dp_spec.matrix import laws, privelet
from dp_spec.matrix.claims.basics import (
    ABOVE,
    NATURAL,
    PAIRS,
    POSITIVE,
    RETURNED,
    WHOLE,
    U,
    entry,
    matrix,
    own,
    pairs,
    same_matrix,
    trees,
)
from dp_spec.matrix.laws import PRIVELET
from dp_spec.matrix.privelet import EPS, SCALE, H, K, L, N, R, T, largest, two
from dp_spec.vocabulary.additive import Quantity
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Bounded, Formula, Limit
from dp_spec.vocabulary.statement import All, Domain, Range, Relation
from dp_spec.vocabulary.term import Term, floor, minimum, modulo, same, summed, term, var

HEIGHTS = Domain({"h": NATURAL})
OWN, PAIR, OTHER, TOTAL = (var(name) for name in ("own", "pair", "other", "total"))
A, C, LEAF, M, P, Q, V, X, Y = (var(name) for name in ("a", "c", "i", "half", "p", "q", "v", "x", "y"))


def _numbers(*relations: Relation) -> Formula:
    """Relations between numbers."""
    return Formula(Domain({}), relations)


# --- matrices -----------------------------------------------------------------------------------------------------

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
    return Formula(
        Domain({}),
        (*returned, *gram),
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
    return _numbers(("eq", wrong, term(0)))


def _every_ancestor(height: int, first_label: int) -> Formula:
    """Of every pair of leaves x < y, which are variables."""
    common, length = _ancestors(height, first_label)
    return Formula(Domain({"x": NATURAL, "y": NATURAL}, (Y - X - 1, 2**height - 1 - Y)), (("eq", common, length),))


_LOWER = Domain({"u": NATURAL, "z": NATURAL}, (two(U) - 1 - var("z"),))
_COMMON = Formula(
    _LOWER,
    (
        ("eq", summed("s", 1, U, two(var("s") - 1)), two(U) - 1),
        ("le", two(U), two(U) + var("z")),
        ("lt", two(U) + var("z"), two(U + 1)),
    ),
)
"""Leaves from 0, with lowest common ancestor at height u + 1: equal bits from u + 1 on, which cancel; bit u differs;
z of the bits below is at most their sum, so that 2^u <= i xor j < 2^(u + 1)."""

MATRICES: dict[str, Formal] = {
    "001.sec3.a4b4": _displayed(),
    "001.alg2.inverse": RETURNED,
    # the squares of the entries; B has them where A^T has 1 or -1: in c_0, and in one node of every height
    "001.alg2.rows": All(
        (
            trees(("eq", OWN, privelet.diagonal()), own=own(PRIVELET, "coefficient")),
            trees(("eq", OWN, 1 + summed("t", 1, H, term(1))), ("eq", OWN, H + 1), own=own(PRIVELET, "gram")),
        )
    ),
    # a function of B and the noise; other queries, with noise that is restored to the same
    "001.sec3.onlyb": All(
        (
            same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * SCALE**2),
            same_matrix(laws.WEIGHTED, "covariance", PRIVELET, "covariance"),
        )
    ),
    "001.eq5": same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * SCALE**2),
    "001.thm2.lca": matrix(PRIVELET, "coefficient", privelet.diagonal_closed(), privelet.phi()),
    "001.thm2.eq6.diag": trees(("eq", OWN, privelet.diagonal()), own=own(PRIVELET, "coefficient")),
    "001.thm2.eq6.off": pairs(
        ("eq", PAIR, privelet.off_diagonal().substitute(ABOVE)), pair=entry(PRIVELET, "coefficient")
    ),
    "001.thm2.k@labels1": All(tuple(_every_ancestor(h, 1) for h in (1, 2, 3))),
    "001.thm2.k@labels0": All((_COMMON, *(_all_ancestors(h) for h in (1, 2, 3)))),
    "001.eq7": All(
        (
            Formula(HEIGHTS, (("eq", privelet.diagonal(), privelet.diagonal_closed()),)),
            Formula(PAIRS, (("eq", privelet.off_diagonal().substitute(ABOVE), privelet.phi().substitute(ABOVE)),)),
        )
    ),
    "001.eq8": All(
        (
            pairs(("eq", PAIR, privelet.phi().substitute(ABOVE)), pair=entry(PRIVELET, "coefficient")),
            Formula(
                Domain({"h": WHOLE, "k": WHOLE}),
                (
                    ("eq", privelet.phi(H, H), term(0)),
                    ("eq", privelet.phi(K, H), privelet.phi(K + 1, H) - 2 / two(K + 1) ** 2),
                ),
            ),
        )
    ),
    # the variance of the answer to a range with p counts is p times the diagonal and twice the pairs
    "001.eq9": All(
        (
            same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * SCALE**2),
            trees(
                ("eq", TOTAL, 2 * SCALE**2 * OTHER),
                total=Quantity(PRIVELET, ("covariance", "ranges")),
                other=Quantity(PRIVELET, ("coefficient", "ranges")),
            ),
        )
    ),
}

# --- fixed ranges -------------------------------------------------------------------------------------------------


def _first(node: int, height: int) -> Term:
    """The first leaf under a node, by its number x = 2^depth + position: position 2^(h - depth) + 1."""
    depth = node.bit_length() - 1
    position: Term = term(node) - 2**depth
    return position * two(height - depth) + 1


def _last(node: int, height: int) -> Term:
    depth = node.bit_length() - 1
    position: Term = term(node) - 2**depth
    return (position + 1) * two(height - depth)


def _over_ranges(of: Term, height: int) -> Term:
    """The sum over all ranges l..r."""
    return summed("first", 1, 2**height, summed("last", L, 2**height, of))


def _every_range(height: int, *relations: Relation) -> Formula:
    """For all ranges, whose ends are variables."""
    return Formula(Domain({"first": WHOLE, "last": WHOLE}, (R - L, 2**height - R)), relations)


def _nodes(height: int, k: int) -> list[tuple[Term, Term]]:
    """The first and the last leaf of every node of height k."""
    return [(term(x * 2**k + 1), term((x + 1) * 2**k)) for x in range(2 ** (height - k))]


def _inside(first: Term, last: Term) -> Term:
    """1 if [l, r] contains the node, else 0."""
    return floor(privelet.common_leaves(first, last) / (last - first + 1))


def _met(first: Term, last: Term) -> Term:
    """1 if [l, r] has a leaf of the node, else 0."""
    return minimum(1, privelet.common_leaves(first, last))


def _number_inside(height: int, k: int) -> Term:
    return sum((_inside(*node) for node in _nodes(height, k)), term(0))


def _clamped(height: int) -> Formula:
    """The sum over ranges and heights of the square of S_k, clamped, less the number of nodes in the range."""
    heights = range(1, height + 1)
    wrong = sum(((privelet.covered(k, True) - _number_inside(height, k)) ** 2 for k in heights), term(0))
    return _numbers(("eq", _over_ranges(wrong, height), term(0)))


def _unclamped(height: int) -> Formula:
    """S_k without the clamp, for every range."""
    relations = [("eq", privelet.covered(k, False), _number_inside(height, k)) for k in range(1, height + 1)]
    return _every_range(height, *relations)  # type: ignore[arg-type]


def _border(height: int, k: int, ends: bool) -> tuple[Term, Term]:
    """How many nodes of height k are met but not covered, and how many are enumerated: those that contain l or r, or
    one for l and one for r, and are not covered."""
    number, listed = term(0), term(0)
    for first, last in _nodes(height, k):
        has_l = minimum(1, largest(0, minimum(L - first, last - L) + 1))
        has_r = minimum(1, largest(0, minimum(R - first, last - R) + 1))
        outside = 1 - _inside(first, last)
        number = number + _met(first, last) - _inside(first, last)
        listed = listed + outside * (has_l + has_r if ends else largest(has_l, has_r))
    return number, listed


def _distinct(height: int) -> Formula:
    """Over all ranges and heights: squared differences, and what there are more than two."""
    found = [_border(height, k, False) for k in range(1, height + 1)]
    wrong = sum(((number - listed) ** 2 for number, listed in found), term(0))
    above = sum((largest(0, number - 2) for number, _ in found), term(0))
    return _numbers(("eq", _over_ranges(wrong, height), term(0)), ("eq", _over_ranges(above, height), term(0)))


_CUT, _WHOLE = var("cut"), var("whole")
_AT_MOST_TWO = Formula(
    Domain({"more": NATURAL, "cut": NATURAL, "whole": NATURAL}, (1 - _CUT,)),
    (("le", (var("more") + 1) - (var("more") + _WHOLE - _CUT), term(2)),),
)
"""l in node a of a height and r in node a + more meet more + 1 nodes; inside are at least more + whole - cut, where cut
is 1 if the first one begins before l, and whole is 1 if the last one ends with r."""


def _ends(height: int) -> Formula:
    """For every range."""
    relations: list[Relation] = [("eq", *_border(height, k, True)) for k in range(1, height + 1)]
    return _every_range(height, *relations)


# l - 1 = 2 a M + (leaves before the range in the first node), r = 2 c M + (leaves of it in the last node), 2 M = 2^k
_SMALL = {"half": WHOLE, "u": NATURAL, "v": NATURAL}
_ENDS = (M - 1 - U, M - 1 - V)


def _pairs_of_height() -> tuple[tuple[Domain, Term, Term], ...]:
    """Cases of a range at one height k: (where, ordered pairs of its leaves with lowest common ancestor at this height,
    |P| |R| summed over the nodes).

    u leaves of the first node precede the range, v leaves of the last one belong to it; `half` more in the right half.
    The first case is a range in several nodes (`full` nodes between), the other one a range in one. Pairs under one
    node of height k less those under one node of height k - 1: squares of numbers of leaves.
    """
    found = []
    for first, last in product((0, 1), repeat=2):
        left = (M - U, M) if first == 0 else (term(0), M - U)
        right = (V, term(0)) if last == 0 else (M, V)
        halves = [*left, *right]
        whole = (left[0] + left[1]) ** 2 + (right[0] + right[1]) ** 2 - sum((x**2 for x in halves), term(0))
        full = var("full")
        several = Domain({**_SMALL, "full": NATURAL}, _ENDS)
        nodes = left[0] * left[1] + full * M**2 + right[0] * right[1]
        found.append((several, whole + full * (4 * M**2 - 2 * M**2), nodes))
        if first < last:
            found.append((Domain(_SMALL, _ENDS), (M - U + V) ** 2 - (M - U) ** 2 - V**2, (M - U) * V))
        elif first == last:
            one = Domain(_SMALL, (*_ENDS, V - U - 1))
            found.append((one, (V - U) ** 2 - (V - U) ** 2, term(0) * (V - U)))
    return tuple(found)


def _algorithm3() -> All:
    """At one height, of every range; the whole on every range of small trees, against the squares of B^T I."""
    general = tuple(Formula(at, (("eq", counted, 2 * nodes),)) for at, counted, nodes in _pairs_of_height())
    small = tuple(
        _numbers(("eq", _over_ranges((privelet.algorithm3(h, "double") - privelet.quadratic_form(h)) ** 2, h), term(0)))
        for h in (0, 1, 2, 3)
    )
    return All((*small, *general))


def _once(height: int) -> Formula:
    """Every pair counted once, for every range."""
    return _every_range(height, ("eq", privelet.algorithm3(height, "single"), privelet.quadratic_form(height)))


def _has(leaf: Term | int) -> Term:
    """1 if [l, r] has the leaf, else 0."""
    return privelet.common_leaves(term(leaf), term(leaf))


def _under_node(height: int) -> Formula:
    """The sum over ranges and nodes of the square of |P| |R|, less the pairs of leaves of the range, one each on the
    left and on the right under the node."""
    wrong = term(0)
    for x in range(1, 2**height):
        depth = x.bit_length() - 1
        half = 2 ** (height - depth - 1)
        first = (x - 2**depth) * 2 * half + 1
        p = privelet.common_leaves(term(first), term(first + half - 1))
        r = privelet.common_leaves(term(first + half), term(first + 2 * half - 1))
        both = sum((_has(first + i) * _has(first + half + j) for i, j in product(range(half), repeat=2)), term(0))
        wrong = wrong + (p * r - both) ** 2
    return _numbers(("eq", _over_ranges(wrong, height), term(0)))


_OPERATIONS = 56
"""Arithmetic operations of Algorithm 3 at one height, at most, written out step by step: 18 for S_k, Phi_k and the sum,
19 for |P|, |R| and their product at each of two nodes."""

FIXED: dict[str, Formal] = {
    "001.fig3.c3.interval": _numbers(("eq", _first(3, 3), term(4)), ("eq", _last(3, 3), term(8))),
    "001.fig3.c3.interval.corrected": _numbers(("eq", _first(3, 3), term(5)), ("eq", _last(3, 3), term(8))),
    "001.fig3.c3.partial": _numbers(
        ("le", term(3), _first(3, 3)), ("le", _first(3, 3), term(7)), ("lt", term(7), _last(3, 3))
    ),
    "001.fig3.c5.full": _numbers(("le", term(3), _first(5, 3)), ("le", _last(5, 3), term(7))),
    "001.sec3.fullpairs@unordered": Formula(
        Domain({"v": NATURAL}),
        (
            ("eq", summed("x", 1, two(V), summed("y", 1, two(V), term(1))), two(V) ** 2),
            ("eq", summed("x", 1, two(V), term(2)), two(V + 1)),
        ),
    ),
    "001.sec3.fullpairs@ordered": Formula(
        Domain({"v": NATURAL}), (("eq", 2 * summed("x", 1, two(V), summed("y", 1, two(V), term(1))), two(V) ** 2),)
    ),
    "001.eq10.sk@floor": All(tuple(_unclamped(h) for h in (1, 2, 3))),
    # l - 1 = a 2^k + u, r = c 2^k + v: the nodes inside are a + 1 .. c - 1, and a if u = 0; none where c <= a
    "001.eq10.sk@floorclamp": All(
        (
            *(_clamped(h) for h in (1, 2, 3)),
            Formula(
                Domain({"a": NATURAL, "more": NATURAL}),
                (
                    ("eq", summed("x", A + 1, A + var("more"), term(1)), (A + var("more") + 1) - A - 1),
                    ("eq", summed("x", A, A + var("more"), term(1)), (A + var("more") + 1) - A),
                ),
            ),
        )
    ),
    "001.sec3.border@distinct": All((*(_distinct(h) for h in (1, 2, 3)), _AT_MOST_TWO)),
    "001.sec3.border@ends": All(tuple(_ends(h) for h in (1, 2, 3))),
    "001.sec3.borderpairs": All(
        (
            *(_under_node(h) for h in (1, 2, 3)),
            Formula(
                Domain({"p": NATURAL, "q": NATURAL}), (("eq", summed("x", 1, P, summed("y", 1, Q, term(1))), P * Q),)
            ),
        )
    ),
    "001.sec3.diagpart": trees(
        ("eq", summed("i", A + 1, A + P, privelet.diagonal_closed()), P * OWN),
        domain=Domain({"h": NATURAL, "eps": POSITIVE, "a": NATURAL, "p": WHOLE}),
        own=own(PRIVELET, "coefficient"),
    ),
    "001.alg3.value@double": _algorithm3(),
    "001.alg3.value@single": All(tuple(_once(h) for h in (0, 1, 2, 3))),
    "001.eq11.mse": All((_algorithm3(), same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * SCALE**2))),
    "001.alg3.complexity@operations": Bounded(
        Domain({"h": WHOLE}), ((summed("t", 1, H, term(_OPERATIONS)) + 3, H),), (), ("h",)
    ),
    # at every height a fraction with denominator 4^h is added: h numbers of 2 h bits
    "001.alg3.complexity@bits": Bounded(Domain({"h": WHOLE}), ((summed("t", 1, H, 2 * H), H),), (), ("h",)),
    "001.sec3.coefonly": All(
        (
            same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * SCALE**2),
            trees(
                ("eq", var("one") * EPS**2, OTHER * var("more") ** 2),
                domain=Domain({"h": NATURAL, "eps": POSITIVE, "more": POSITIVE}),
                one=Quantity(PRIVELET, ("covariance", "ranges")),
                other=Quantity(PRIVELET, ("covariance", "ranges"), {"eps": var("more")}),
            ),
        )
    ),
}

# --- all ranges ---------------------------------------------------------------------------------------------------


def _example() -> Formula:
    """8 leaves, [3, 7]: the squares of B^T I; the entries of Sigma, by lowest common ancestors."""
    leaves = range(2, 7)
    ancestors = [(i ^ j).bit_length() for i in leaves for j in leaves]
    entries = sum(
        (privelet.phi(term(k), term(3)) if k else privelet.diagonal_closed(term(3)) for k in ancestors), term(0)
    )
    return _numbers(("eq", privelet.quadratic_form(3).substitute({"first": term(3), "last": term(7)}), entries))


def _small_submatrix(height: int) -> Formula:
    """The sum over ranges of the square of I^T B B^T I, less the entries of Sigma whose two leaves the range has."""
    entries = term(0)
    for i, j in product(range(2**height), repeat=2):
        ancestor = (i ^ j).bit_length()
        entry_ = privelet.phi(term(ancestor), term(height)) if ancestor else privelet.diagonal_closed(term(height))
        entries = entries + _has(i + 1) * _has(j + 1) * entry_
    return _numbers(("eq", _over_ranges((privelet.quadratic_form(height) - entries) ** 2, height), term(0)))


def _symbolic_submatrix() -> Formula:
    """Three rows of B with two entries: I^T B B^T I, and the sum of all entries of B B^T."""
    b = [[var(f"b{i}{k}") for k in range(2)] for i in range(3)]
    squares = sum(((b[0][k] + b[1][k] + b[2][k]) ** 2 for k in range(2)), term(0))
    entries = sum((b[i][k] * b[j][k] for i in range(3) for j in range(3) for k in range(2)), term(0))
    return Formula(Domain({x.head: Range() for row in b for x in row}), (("eq", squares, entries),))  # type: ignore[misc]


def _using(i: Term, j: Term, n: Term) -> Term:
    """The number of ranges that contain i <= j, of 1..n, counted."""
    return summed("s", 1, i, summed("t", j, n, term(1)))


def _all_counted(height: int) -> Formula:
    """The sum over i and j of the square of the number of ranges that have both leaves, less cnt."""
    i, j, n = var("i"), var("j"), 2**height
    wrong = (_over_ranges(_has(i) * _has(j), height) - minimum(i, j) * (n - largest(i, j) + 1)) ** 2
    return _numbers(("eq", summed("i", 1, n, summed("j", 1, n, wrong)), term(0)))


_COUNTS = Domain({"i": WHOLE, "p": NATURAL, "q": NATURAL})
_J = LEAF + P
_SIZE = LEAF + P + Q
_NODE = X * two(V + 1)
"""The leaves before the x-th node of height v + 1, counted from 0."""
_CNT = (_NODE + A) * (two(V + 1 + U) - (_NODE + two(V) + C) + 1)
"""cnt of the a-th leaf of its left subtree and the c-th leaf of its right subtree."""
_SUMMED = summed("x", 0, two(U) - 1, summed("a", 1, two(V), summed("c", 1, two(V), _CNT)))
_EQ13 = privelet.phi_in_ranges(two(V + 1), two(V + 1 + U))
_PHI = privelet.phi(V + 1, V + 1 + U)
_LEVELS = Domain({"v": NATURAL, "u": NATURAL})
AVERAGE = 2 * privelet.in_ranges() / (N * (N + 1))


def _total(what: str, value: Term) -> Formula:
    return trees(("eq", TOTAL, value), total=Quantity(PRIVELET, (what, "ranges")))  # type: ignore[arg-type]


ALL_RANGES: dict[str, Formal] = {
    "001.sec3.submatrix": All((_symbolic_submatrix(), _example(), *(_small_submatrix(h) for h in (0, 1, 2)))),
    # i <= j, from the ends of the ranges; every i and j of small trees, for i > j the two are exchanged
    "001.eq12.cnt": (
        _COUNTED := All(
            (
                *(_all_counted(h) for h in (0, 1, 2, 3)),
                Formula(_COUNTS, (("eq", _using(LEAF, _J, _SIZE), LEAF * (_SIZE - _J + 1)),)),
            )
        )
    ),
    "001.eq12.upper": _COUNTED,
    "001.eq13@ordered": Formula(_LEVELS, (("eq", 2 * _PHI * _SUMMED, _EQ13),)),
    "001.eq13@unordered": Formula(_LEVELS, (("eq", _PHI * _SUMMED, _EQ13),)),
    "001.eq14": Formula(
        HEIGHTS,
        (
            (
                "eq",
                privelet.diagonal_closed() * summed("i", 1, N, LEAF * (N - LEAF + 1)),
                privelet.diagonal_in_ranges(N),
            ),
        ),
    ),
    "001.eq15": All(
        (
            _total("coefficient", privelet.in_ranges()),
            Formula(
                HEIGHTS,
                (
                    (
                        "eq",
                        privelet.diagonal_in_ranges(N) + summed("t", 1, H, privelet.phi_in_ranges(two(T), N)),
                        privelet.in_ranges(),
                    ),
                ),
            ),
        )
    ),
    "001.eq16": All(
        (
            _total("coefficient", privelet.average() * privelet.ranges(N)),
            Formula(HEIGHTS, (("eq", AVERAGE, privelet.average()),)),
        )
    ),
    "001.eq17@difference": Limit(HEIGHTS, "h", privelet.average() - privelet.approximate(), term(0)),
    "001.eq17@ratio": Limit(HEIGHTS, "h", privelet.average() / privelet.approximate(), term(1)),
    "001.eq17.h10": Formula(
        Domain({"h": Range(11, integer=True)}),
        (
            ("le", term(0), privelet.average() - privelet.approximate()),
            ("lt", 1000 * (privelet.average() - privelet.approximate()), privelet.average()),
        ),
    ),
    "001.eq18": _total("covariance", 2 * SCALE**2 * privelet.average() * privelet.ranges(N)),
}

FORMAL: dict[str, Formal] = MATRICES | FIXED | ALL_RANGES
