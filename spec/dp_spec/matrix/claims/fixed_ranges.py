"""Formal statements of source 001, Section 3.3.1: the error of one range, Algorithm 3."""

from itertools import product

from dp_spec.matrix import privelet
from dp_spec.matrix.claims.trees import OTHER, OWN, U, has, over_ranges, own, same_matrix, trees
from dp_spec.matrix.mechanisms import PRIVELET
from dp_spec.matrix.privelet import EPS, SCALE, H, L, R, largest, two
from dp_spec.vocabulary.additive import Quantity
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Bounded, Formula, formula
from dp_spec.vocabulary.ranges import NATURAL, POSITIVE, SOME
from dp_spec.vocabulary.statement import All, Domain, Relation, conjunction, instances
from dp_spec.vocabulary.term import Term, floor, minimum, summed, term, var

A, M, P, Q, V = (var(name) for name in ("a", "half", "p", "q", "v"))


def _first(node: int, height: int) -> Term:
    """The first leaf under a node, by its number x = 2^depth + position: position 2^(h - depth) + 1."""
    depth = node.bit_length() - 1
    position: Term = term(node) - 2**depth
    return position * two(height - depth) + 1


def _last(node: int, height: int) -> Term:
    depth = node.bit_length() - 1
    position: Term = term(node) - 2**depth
    return (position + 1) * two(height - depth)


def _every_range(height: int, *relations: Relation) -> Formula:
    """For all ranges, whose ends are variables."""
    return formula({"first": SOME, "last": SOME}, *relations, where=(R - L, 2**height - R))


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
    return formula({}, ("eq", over_ranges(wrong, height), term(0)))


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
    borders = [_border(height, k, False) for k in range(1, height + 1)]
    wrong = sum(((number - listed) ** 2 for number, listed in borders), term(0))
    above = sum((largest(0, number - 2) for number, _ in borders), term(0))
    return formula({}, ("eq", over_ranges(wrong, height), term(0)), ("eq", over_ranges(above, height), term(0)))


_CUT, _WHOLE = var("cut"), var("whole")
_AT_MOST_TWO = formula(
    {"more": NATURAL, "cut": NATURAL, "whole": NATURAL},
    ("le", (var("more") + 1) - (var("more") + _WHOLE - _CUT), term(2)),
    where=(1 - _CUT,),
)
"""l in node a of a height and r in node a + more meet more + 1 nodes; inside are at least more + whole - cut, where cut
is 1 if the first one begins before l, and whole is 1 if the last one ends with r."""


def _ends(height: int) -> Formula:
    """For every range."""
    relations: list[Relation] = [("eq", *_border(height, k, True)) for k in range(1, height + 1)]
    return _every_range(height, *relations)


# l - 1 = 2 a M + (leaves before the range in the first node), r = 2 c M + (leaves of it in the last node), 2 M = 2^k
_SMALL = {"half": SOME, "u": NATURAL, "v": NATURAL}
_ENDS = (M - 1 - U, M - 1 - V)


def _pairs_of_height() -> tuple[tuple[Domain, Term, Term], ...]:
    """Cases of a range at one height k: (where, ordered pairs of its leaves with lowest common ancestor at this height,
    |P| |R| summed over the nodes).

    u leaves of the first node precede the range, v leaves of the last one belong to it; `half` more in the right half.
    The first case is a range in several nodes (`full` nodes between), the other one a range in one. Pairs under one
    node of height k less those under one node of height k - 1: squares of numbers of leaves.
    """
    cases = []
    for first, last in product((0, 1), repeat=2):
        left = (M - U, M) if first == 0 else (term(0), M - U)
        right = (V, term(0)) if last == 0 else (M, V)
        halves = [*left, *right]
        whole = (left[0] + left[1]) ** 2 + (right[0] + right[1]) ** 2 - sum((x**2 for x in halves), term(0))
        full = var("full")
        several = Domain({**_SMALL, "full": NATURAL}, _ENDS)
        nodes = left[0] * left[1] + full * M**2 + right[0] * right[1]
        cases.append((several, whole + full * (4 * M**2 - 2 * M**2), nodes))
        if first < last:
            cases.append((Domain(_SMALL, _ENDS), (M - U + V) ** 2 - (M - U) ** 2 - V**2, (M - U) * V))
        elif first == last:
            one = Domain(_SMALL, (*_ENDS, V - U - 1))
            cases.append((one, (V - U) ** 2 - (V - U) ** 2, term(0) * (V - U)))
    return tuple(cases)


def _algorithm3() -> All:
    """At one height, of every range; the whole on every range of small trees, against the squares of B^T I."""
    general = tuple(formula(at, ("eq", counted, 2 * nodes)) for at, counted, nodes in _pairs_of_height())
    small = tuple(
        formula(
            {}, ("eq", over_ranges((privelet.algorithm3(h, "double") - privelet.quadratic_form(h)) ** 2, h), term(0))
        )
        for h in (0, 1, 2, 3)
    )
    return conjunction(instances(*small), *general)


def _once(height: int) -> Formula:
    """Every pair counted once, for every range."""
    return _every_range(height, ("eq", privelet.algorithm3(height, "single"), privelet.quadratic_form(height)))


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
        both = sum((has(first + i) * has(first + half + j) for i, j in product(range(half), repeat=2)), term(0))
        wrong = wrong + (p * r - both) ** 2
    return formula({}, ("eq", over_ranges(wrong, height), term(0)))


_OPERATIONS = 56
"""Arithmetic operations of Algorithm 3 at one height, at most, written out step by step: 18 for S_k, Phi_k and the sum,
19 for |P|, |R| and their product at each of two nodes."""

FORMAL: dict[str, Formal] = {
    "001.fig3.c3.interval": formula({}, ("eq", _first(3, 3), term(4)), ("eq", _last(3, 3), term(8))),
    "001.fig3.c3.interval.corrected": formula({}, ("eq", _first(3, 3), term(5)), ("eq", _last(3, 3), term(8))),
    "001.fig3.c3.partial": formula(
        {}, ("le", term(3), _first(3, 3)), ("le", _first(3, 3), term(7)), ("lt", term(7), _last(3, 3))
    ),
    "001.fig3.c5.full": formula({}, ("le", term(3), _first(5, 3)), ("le", _last(5, 3), term(7))),
    "001.sec3.fullpairs@unordered": formula(
        {"v": NATURAL},
        ("eq", summed("x", 1, two(V), summed("y", 1, two(V), term(1))), two(V) ** 2),
        ("eq", summed("x", 1, two(V), term(2)), two(V + 1)),
    ),
    "001.sec3.fullpairs@ordered": formula(
        {"v": NATURAL}, ("eq", 2 * summed("x", 1, two(V), summed("y", 1, two(V), term(1))), two(V) ** 2)
    ),
    "001.eq10.sk@floor": conjunction(*(_unclamped(h) for h in (1, 2, 3))),
    # l - 1 = a 2^k + u, r = c 2^k + v: the nodes inside are a + 1 .. c - 1, and a if u = 0; none where c <= a
    "001.eq10.sk@floorclamp": conjunction(
        instances(*(_clamped(h) for h in (1, 2, 3))),
        formula(
            {"a": NATURAL, "more": NATURAL},
            ("eq", summed("x", A + 1, A + var("more"), term(1)), (A + var("more") + 1) - A - 1),
            ("eq", summed("x", A, A + var("more"), term(1)), (A + var("more") + 1) - A),
        ),
    ),
    "001.sec3.border@distinct": conjunction(instances(*(_distinct(h) for h in (1, 2, 3))), _AT_MOST_TWO),
    "001.sec3.border@ends": conjunction(*(_ends(h) for h in (1, 2, 3))),
    "001.sec3.borderpairs": conjunction(
        instances(*(_under_node(h) for h in (1, 2, 3))),
        formula({"p": NATURAL, "q": NATURAL}, ("eq", summed("x", 1, P, summed("y", 1, Q, term(1))), P * Q)),
    ),
    "001.sec3.diagpart": trees(
        ("eq", summed("i", A + 1, A + P, privelet.diagonal_closed()), P * OWN),
        domain=Domain({"h": NATURAL, "eps": POSITIVE, "a": NATURAL, "p": SOME}),
        own=own(PRIVELET, "coefficient"),
    ),
    "001.alg3.value@double": _algorithm3(),
    "001.alg3.value@single": conjunction(*(_once(h) for h in (0, 1, 2, 3))),
    "001.eq11.mse": conjunction(
        _algorithm3(), same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * SCALE**2)
    ),
    "001.alg3.complexity@operations": Bounded(
        Domain({"h": SOME}), ((summed("t", 1, H, term(_OPERATIONS)) + 3, H),), (), ("h",)
    ),
    # as it is written, at every height a fraction with denominator 4^h is added: the bits of h numbers of 2 h bits
    "001.alg3.complexity@bits": Bounded(Domain({"h": SOME}), ((summed("t", 1, H, 2 * H), H),), (), ("h",)),
    "001.sec3.coefonly": conjunction(
        same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * SCALE**2),
        trees(
            ("eq", var("one") * EPS**2, OTHER * var("more") ** 2),
            domain=Domain({"h": NATURAL, "eps": POSITIVE, "more": POSITIVE}),
            one=Quantity(PRIVELET, ("covariance", "ranges")),
            other=Quantity(PRIVELET, ("covariance", "ranges"), {"eps": var("more")}),
        ),
    ),
}
