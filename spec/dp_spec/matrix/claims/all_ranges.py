"""Formal statements of source 001, Section 3.3.2: all ranges."""

from itertools import product

from dp_spec.matrix import privelet
from dp_spec.matrix.claims.trees import HEIGHTS, TOTAL, U, has, over_ranges, trees
from dp_spec.matrix.mechanisms import PRIVELET
from dp_spec.matrix.privelet import SCALE, H, N, T, largest, two
from dp_spec.vocabulary.additive import Quantity
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, Limit, formula
from dp_spec.vocabulary.ranges import ANY_SIZE, NATURAL, SOME
from dp_spec.vocabulary.statement import Domain, Range, conjunction, instances
from dp_spec.vocabulary.term import Term, minimum, summed, term, var

A, C, LEAF, P, Q, V, X = (var(name) for name in ("a", "c", "i", "p", "q", "v", "x"))


def _example() -> Formula:
    """8 leaves, [3, 7]: the squares of B^T I; the entries of Sigma, by lowest common ancestors."""
    leaves = range(2, 7)
    ancestors = [(i ^ j).bit_length() for i in leaves for j in leaves]
    entries = sum(
        (privelet.phi(term(k), term(3)) if k else privelet.diagonal_closed(term(3)) for k in ancestors), term(0)
    )
    return formula({}, ("eq", privelet.quadratic_form(3).substitute({"first": term(3), "last": term(7)}), entries))


def _small_submatrix(height: int) -> Formula:
    """The sum over ranges of the square of I^T B B^T I, less the entries of Sigma whose two leaves the range has."""
    entries = term(0)
    for i, j in product(range(2**height), repeat=2):
        ancestor = (i ^ j).bit_length()
        entry_ = privelet.phi(term(ancestor), term(height)) if ancestor else privelet.diagonal_closed(term(height))
        entries = entries + has(i + 1) * has(j + 1) * entry_
    return formula({}, ("eq", over_ranges((privelet.quadratic_form(height) - entries) ** 2, height), term(0)))


def _symbolic_submatrix() -> Formula:
    """Three rows of B with two entries: I^T B B^T I, and the sum of all entries of B B^T."""
    b = [[var(f"b{i}{k}") for k in range(2)] for i in range(3)]
    squares = sum(((b[0][k] + b[1][k] + b[2][k]) ** 2 for k in range(2)), term(0))
    entries = sum((b[i][k] * b[j][k] for i in range(3) for j in range(3) for k in range(2)), term(0))
    return formula({x.head: ANY_SIZE for row in b for x in row}, ("eq", squares, entries))  # type: ignore[misc]


def _using(i: Term, j: Term, n: Term) -> Term:
    """The number of ranges that contain i <= j, of 1..n, counted."""
    return summed("s", 1, i, summed("t", j, n, term(1)))


def _all_counted(height: int) -> Formula:
    """The sum over i and j of the square of the number of ranges that have both leaves, less cnt."""
    i, j, n = var("i"), var("j"), 2**height
    wrong = (over_ranges(has(i) * has(j), height) - minimum(i, j) * (n - largest(i, j) + 1)) ** 2
    return formula({}, ("eq", summed("i", 1, n, summed("j", 1, n, wrong)), term(0)))


_COUNTS = Domain({"i": SOME, "p": NATURAL, "q": NATURAL})
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


FORMAL: dict[str, Formal] = {
    "001.sec3.submatrix": conjunction(
        _symbolic_submatrix(), _example(), instances(*(_small_submatrix(h) for h in (0, 1, 2)))
    ),
    # i <= j, from the ends of the ranges; every i and j of small trees, for i > j the two are exchanged
    "001.eq12.cnt": (
        _COUNTED := conjunction(
            *(_all_counted(h) for h in (0, 1, 2, 3)),
            formula(_COUNTS, ("eq", _using(LEAF, _J, _SIZE), LEAF * (_SIZE - _J + 1))),
        )
    ),
    "001.eq12.upper": _COUNTED,
    "001.eq13@ordered": formula(_LEVELS, ("eq", 2 * _PHI * _SUMMED, _EQ13)),
    "001.eq13@unordered": formula(_LEVELS, ("eq", _PHI * _SUMMED, _EQ13)),
    "001.eq14": formula(
        HEIGHTS,
        ("eq", privelet.diagonal_closed() * summed("i", 1, N, LEAF * (N - LEAF + 1)), privelet.diagonal_in_ranges(N)),
    ),
    "001.eq15": conjunction(
        _total("coefficient", privelet.in_ranges()),
        formula(
            HEIGHTS,
            (
                "eq",
                privelet.diagonal_in_ranges(N) + summed("t", 1, H, privelet.phi_in_ranges(two(T), N)),
                privelet.in_ranges(),
            ),
        ),
    ),
    "001.eq16": conjunction(
        _total("coefficient", privelet.average() * privelet.ranges(N)),
        formula(HEIGHTS, ("eq", AVERAGE, privelet.average())),
    ),
    "001.eq17@difference": Limit(HEIGHTS, "h", privelet.average() - privelet.approximate(), term(0)),
    "001.eq17@ratio": Limit(HEIGHTS, "h", privelet.average() / privelet.approximate(), term(1)),
    "001.eq17.h10": formula(
        {"h": Range(11, integer=True)},
        ("le", term(0), privelet.average() - privelet.approximate()),
        ("lt", 1000 * (privelet.average() - privelet.approximate()), privelet.average()),
    ),
    "001.eq18": _total("covariance", 2 * SCALE**2 * privelet.average() * privelet.ranges(N)),
}
