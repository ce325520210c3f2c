"""Formal statements of source 001, Sections 4 and 5: orders, the accuracy index, experiments."""

from itertools import product

from dp_spec.matrix import accuracy_index, mechanisms, privelet
from dp_spec.matrix.accuracy_index import B, with_delta
from dp_spec.matrix.claims.trees import sensitivity, trees
from dp_spec.matrix.privelet import H, N, ranges, two
from dp_spec.vocabulary.additive import Additive, Quantity
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Bounded, Formula, Limit, formula
from dp_spec.vocabulary.ranges import ANY_SIZE, MANY, NATURAL, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain, Range, Relation, conjunction, instances
from dp_spec.vocabulary.term import Term, summed, term, var

V, U, X, TOTAL, DELTA = (var(name) for name in ("v", "u", "x", "total", "delta"))
TREES, LARGER = Domain({"h": SOME}), Domain({"h": MANY})
PRIVELET_ERROR, NAIVE_ERROR, IDENTITY_ERROR = (
    accuracy_index.PRIVELET_ERROR,
    accuracy_index.NAIVE_ERROR,
    accuracy_index.IDENTITY_ERROR,
)
_BINARY = {"b": term(2), "eps": term(1)}


def _boost(law: Additive, **at: Term) -> Quantity:
    """I^T (A^T A)^-1 I, summed over all ranges."""
    return Quantity(law, ("least squares", "ranges"), {**_BINARY, **at})


BOOST_ERROR = with_delta(H + 1, TOTAL / ranges(N))
BOOST_NOROOT_ERROR = with_delta(H, TOTAL / ranges(N))
"""Of Boost, b = 2, where `total` is its sum over all ranges."""
BARY_AVERAGE = TOTAL / ranges(B**H)
BARY_TREES = Domain({"b": SEVERAL, "h": SOME})
_BARY = {"total": Quantity(mechanisms.BOOST_ROOT, ("least squares", "ranges"), {"eps": term(1)})}


def _tends(error: Term, value: Term | None, boost: Additive | None = None) -> Limit:
    """The index of a strategy (for a limit small trees do not matter)."""
    total = None if boost is None else {"total": _boost(boost)}
    return Limit(LARGER, "h", accuracy_index.index_of(error), value, quantities=total)


def _at_most(left: Term, right: Term) -> Bounded:
    """left = O(right) as the tree grows."""
    return Bounded(LARGER, ((left, right),), (), ("h",))


_LEFT, _RIGHT = 2 * X * two(V) + 1, two(V + U + 1) - (2 * X + 2) * two(V) + 1
_NODES_USED = formula(
    {"v": NATURAL, "u": NATURAL},
    ("eq", summed("x", 0, two(U) - 1, (_LEFT + _RIGHT) * two(V)), accuracy_index.used(two(V), two(V + U + 1))),
)


def binary_delta(law: Additive, value: Term) -> Formula:
    """The sensitivity of a binary tree, of which the index has the square."""
    return trees(("eq", DELTA, value), domain=TREES, delta=Quantity(law, ("sensitivity", "addremove"), _BINARY))


_NAIVE = _tends(NAIVE_ERROR, term(1))
_PRIVELET = _tends(PRIVELET_ERROR, term(6))
_BOOST = _tends(BOOST_ERROR, term(6), mechanisms.BOOST_ROOT)


_EVERY_TREE = Domain({"b": SEVERAL, "h": NATURAL, "eps": POSITIVE})
FULL_RANK = trees(
    ("lt", term(0), var("own")),
    domain=_EVERY_TREE,
    own=Quantity(mechanisms.BOOST_ROOT, ("least squares", "diagonal")),
)
"""(A^T A)^-1 exists, and has a positive diagonal: A^+ A v = v."""
_FULL_RANK_NOROOT = trees(
    ("lt", term(0), var("own")),
    domain=Domain({"b": SEVERAL, "h": SOME, "eps": POSITIVE}),
    own=Quantity(mechanisms.BOOST_NOROOT, ("least squares", "diagonal")),
)


def _residual(levels: Term) -> Term:
    """The residuals y - h of the answers of a node with `levels` levels and of all nodes on the way to a leaf under it
    add up to this times z - h of the node, for every leaf."""
    return (B**levels - 1) / (B ** (levels - 1) * (B - 1))


_OWN, _SUM, _DOWN = var("y"), var("x"), var("w")
_ESTIMATE = (B ** (V + 1) - B**V) / (B ** (V + 1) - 1) * _OWN + (B**V - 1) / (B ** (V + 1) - 1) * _SUM
_PASSES = formula(
    {"b": SEVERAL, "v": SOME, "x": ANY_SIZE, "y": ANY_SIZE, "w": ANY_SIZE},
    ("eq", _residual(term(1)), term(1)),
    ("eq", (_OWN - _DOWN) + _residual(V) * (-(_DOWN - _SUM) / B), _residual(V + 1) * (_ESTIMATE - _DOWN)),
    ("eq", _SUM + B * ((_DOWN - _SUM) / B), _DOWN),
)
"""A node with v + 1 levels, its answer y, the sum x of z and its estimate w; of a child z - h = -(w - x) / b:
by induction over levels, from z = y at leaves. At the root z = h, so that the residuals above every leaf add up to 0,
which are the normal equations H^T (y - H v) = 0; the estimates of children add up to their parent's."""


def both_passes(branching: int, height: int) -> Formula:
    """On a tree, from any answers: the estimate of every node is the sum of its children's, and the residuals of all
    nodes above a leaf add up to 0.

    A node is the way to it from the root.
    """
    every = [node for depth in range(height + 1) for node in product(range(branching), repeat=depth)]
    answers = {node: var("y_" + "".join(map(str, node))) for node in every}

    def children(node: tuple[int, ...]) -> Term:
        return sum((up((*node, x)) for x in range(branching)), term(0))

    def up(node: tuple[int, ...]) -> Term:
        levels = height + 1 - len(node)
        if levels == 1:
            return answers[node]
        whole, below = int(branching**levels), int(branching ** (levels - 1))
        own, sums = term(whole - below) / (whole - 1), term(below - 1) / (whole - 1)
        return own * answers[node] + sums * children(node)

    def down(node: tuple[int, ...]) -> Term:
        return up(node) + (down(node[:-1]) - children(node[:-1])) / branching if node else up(node)

    relations: list[Relation] = []
    for node in every:
        if len(node) < height:
            relations.append(("eq", sum((down((*node, x)) for x in range(branching)), term(0)), down(node)))
        else:
            above = [node[:depth] for depth in range(height + 1)]
            relations.append(("eq", sum((answers[v] - down(v) for v in above), term(0)), term(0)))
    return formula({y.head: ANY_SIZE for y in answers.values()}, *relations)  # type: ignore[misc]


_FINITE = formula(
    {"h": Range(4, integer=True)},
    ("le", 10 * TOTAL, 11 * privelet.in_ranges()),
    ("le", 9 * privelet.in_ranges(), 10 * TOTAL),
    where=(12 - H,),
    quantities={"total": _boost(mechanisms.BOOST_ROOT)},
)
"""Of Boost with root and Privelet: the sums over all ranges differ by at most a tenth."""


_NORMALIZED = (
    Quantity(mechanisms.AVERAGED, ("covariance", "ranges"), {"eps": term(1)}),
    Quantity(mechanisms.PRIVELET, ("returned", "ranges"), {"eps": term(1)}),
)
"""Of the other normalizations of the Haar transform, at least (orthonormal: B B^T = B A, and 2 Delta^2 >= 1)."""


def _close(ratio: Term, to: int, part: Term) -> tuple[Relation, ...]:
    """A ratio is a number up to this part of it."""
    return ("le", ratio, (1 + part) * to), ("le", (1 - part) * to, ratio)


def _far(h: int) -> Formula:
    """The naive tree has 3.2 to 5 times the error of Privelet, Boost 1.1 to 1.3 times."""
    naive, others = ((NAIVE_ERROR / PRIVELET_ERROR), TOTAL / privelet.in_ranges())
    between: list[Relation] = []
    for ratio, low, high in ((naive, term(16) / 5, term(5)), (others, term(11) / 10, term(13) / 10)):
        between += [("lt", low, ratio.substitute({"h": h})), ("lt", ratio.substitute({"h": h}), high)]
    return formula({}, *between, quantities={"total": _boost(mechanisms.BOOST_ROOT, h=term(h))})


INDEX: dict[str, Formal] = {
    "001.sec4.bestorder@pure": conjunction(
        # it is reached; none of the eight goes below
        _at_most(PRIVELET_ERROR, H**3),
        _at_most(H**3, PRIVELET_ERROR),
        _at_most(H**3, NAIVE_ERROR),
        _at_most(H**3, accuracy_index.NAIVE_NOROOT_ERROR),
        _at_most(H**3, IDENTITY_ERROR),
        Bounded(
            LARGER, ((H**3, BOOST_NOROOT_ERROR),), (), ("h",), quantities={"total": _boost(mechanisms.BOOST_NOROOT)}
        ),
        Bounded(BARY_TREES, ((H**3, with_delta(H + 1, BARY_AVERAGE)),), ("b",), ("h",), quantities=_BARY),
        *(Bounded(TREES, ((H**3, TOTAL / ranges(N)),), (), ("h",), quantities={"total": x}) for x in _NORMALIZED),
    ),
    # Gaussian noise is calibrated to the Euclidean sensitivity, whose square is h + 1 (the diagonal of A^T A)
    "001.sec4.bestorder@approx": _at_most(H**3, (H + 1) * privelet.average()),
    "001.def3@with-delta": _PRIVELET,
    "001.def3@full": _tends(2 * PRIVELET_ERROR, term(3)),
    # a limit is a number: what tends to one is bounded
    "001.def3@coef-only": _at_most(H**3, privelet.average()),
    "001.def3@replace-delta": _tends(with_delta(2 * H, privelet.average()), term(3) / 2),
    "001.def3.privelet@with-delta": _PRIVELET,
    "001.def3.privelet@full": _tends(2 * PRIVELET_ERROR, term(6)),
    "001.def3.privelet@coef-only": _tends(privelet.average(), term(6)),
    "001.def3.privelet@replace-delta": _tends(with_delta(2 * H, privelet.average()), term(6)),
    "001.def3.naive@root": conjunction(_NODES_USED, binary_delta(mechanisms.NAIVE_ROOT, H + 1), _NAIVE),
    "001.def3.naive@noroot": conjunction(
        _NODES_USED, binary_delta(mechanisms.NAIVE_NOROOT, H), _tends(accuracy_index.NAIVE_NOROOT_ERROR, term(1))
    ),
    "001.def3.boost@root": _BOOST,
    "001.def3.boost@noroot": _tends(BOOST_NOROOT_ERROR, term(6), mechanisms.BOOST_NOROOT),
    "001.base.naive.sens@root": trees(
        ("eq", DELTA, H + 1),
        domain=_EVERY_TREE,
        delta=sensitivity(mechanisms.NAIVE_ROOT),
    ),
    "001.base.naive.sens@noroot": trees(
        ("eq", DELTA, H),
        domain=Domain({"b": SEVERAL, "h": SOME, "eps": POSITIVE}),
        delta=sensitivity(mechanisms.NAIVE_NOROOT),
    ),
    "001.base.boost.ols": conjunction(
        _PASSES,
        FULL_RANK,
        instances(*(both_passes(b, h) for b, h in ((2, 1), (2, 2), (3, 1)))),
    ),
    "001.base.boost.unbiased": conjunction(FULL_RANK, _FULL_RANK_NOROOT),
    "001.sec4.same@limit": Limit(
        TREES, "h", TOTAL / privelet.in_ranges(), term(1), quantities={"total": _boost(mechanisms.BOOST_ROOT)}
    ),
    "001.sec4.same@finite": _FINITE,
    # Boost below the naive tree: h^3 / err tends to 6 and to 1
    "001.sec4.lower@limit": conjunction(
        formula({"h": MANY}, ("lt", PRIVELET_ERROR, NAIVE_ERROR)),
        formula({"h": Range(13, integer=True)}, ("lt", NAIVE_ERROR, IDENTITY_ERROR)),
        _NAIVE,
        _BOOST,
    ),
    "001.sec4.lower@finite": formula(
        {"h": Range(4, integer=True)},
        ("lt", PRIVELET_ERROR, NAIVE_ERROR),
        ("lt", PRIVELET_ERROR, IDENTITY_ERROR),
        where=(12 - H,),
    ),
    # indices 1, 6 and 6; the ratios of errors are the inverse ones
    "001.sec4.reflects@limit": conjunction(
        _NAIVE,
        _BOOST,
        _PRIVELET,
        Limit(TREES, "h", NAIVE_ERROR / PRIVELET_ERROR, term(6)),
        Limit(TREES, "h", TOTAL / privelet.in_ranges(), term(1), quantities={"total": _boost(mechanisms.BOOST_ROOT)}),
    ),
    "001.sec4.reflects@finite": conjunction(
        formula({"h": Range(4, integer=True)}, *_close(NAIVE_ERROR / PRIVELET_ERROR, 6, term(1) / 10), where=(12 - H,)),
        _FINITE,
    ),
    "001.sec4.reflects@finite.corrected": conjunction(*(_far(h) for h in range(4, 13))),
    "001.sec4.positive@listed": conjunction(_NAIVE, _BOOST, _PRIVELET),
    # an index above 0 makes err = O(h^3)
    "001.sec4.positive@identity": _at_most(IDENTITY_ERROR, H**3),
    "001.sec4.positive@bary": conjunction(
        Limit(BARY_TREES, "h", H**3 / with_delta(H + 1, BARY_AVERAGE), accuracy_index.bary_slope(), quantities=_BARY),
        formula({"b": SEVERAL}, ("lt", term(0), accuracy_index.bary_slope())),
    ),
    "001.sec4.max@listed": conjunction(_NAIVE, _BOOST, _PRIVELET),
    "001.sec4.max@bary": conjunction(
        Limit(BARY_TREES, "h", H**3 / with_delta(H + 1, BARY_AVERAGE), accuracy_index.bary_slope(), quantities=_BARY),
        formula({"b": SEVERAL}, ("le", accuracy_index.bary_index(), term(6))),
    ),
}

_TAIL = Domain({"k": Range(7, integer=True)})
_TWO_K = two(var("k"))
SUPPLEMENT: dict[str, Formal] = {
    # up to 127 one by one; from 2^k to 2^(k + 1), k >= 7, it is at most 3 2^k (k + 1)^3 / (2^k - 1)^2 < 13
    "001.supp.bary.best": conjunction(
        formula(
            {},
            *(
                ("lt", accuracy_index.bary_index(term(b)), accuracy_index.bary_index(term(13)))
                for b in range(2, 128)
                if b != 13
            ),
            ("lt", term(13), accuracy_index.bary_index(term(13))),
        ),
        formula(
            {"x": SEVERAL, "more": NATURAL},
            ("le", (X + var("more")) / (X + var("more") - 1) ** 2, X / (X - 1) ** 2),
        ),
        formula(_TAIL, ("lt", 3 * _TWO_K * (var("k") + 1) ** 3, 13 * (_TWO_K - 1) ** 2)),
    ),
}

# --- experiments --------------------------------------------------------------------------------------------------

Q2, Q4, REPETITIONS = var("q2"), var("q4"), var("repetitions")
"""Of the weights w of independent Lap(1) in an answer: the sums of w^2 and of w^4."""
SQUARED_RELATIVE = (2 + 3 * Q4 / Q2**2) / REPETITIONS
"""Relative variance of a mean of squared errors: E X^2 = 2 q2, and E X^4 = 3 (2 q2)^2 + 12 q4, as E Lap(1)^4 = 24 =
3 2^2 + 12 and cumulants of independent variables add up."""
_ONE_COEFFICIENT = {"q2": term(1), "q4": term(1), "repetitions": term(100)}
"""The whole range [1, N]: c_0 with weight 1."""


def _powers(h: Term, power: int) -> Term:
    """Of one count."""
    return 1 / two(h) ** power + summed("t", 1, h, 1 / two(var("t")) ** power)


def _relative_error_at_most(percent: int) -> Formula:
    """Of the range [1, N]."""
    value = SQUARED_RELATIVE.substitute(_ONE_COEFFICIENT)
    return formula({}, ("le", value, (term(percent) / 100) ** 2))


def _relative(h: Term) -> Term:
    """The difference of (16) and (17) relative to (16)."""
    return (privelet.average(h) - privelet.approximate(h)) / privelet.average(h)


def _below(share: Term, h: Term) -> tuple[Relation, ...]:
    return ("le", term(0), _relative(h)), ("lt", _relative(h), share)


_PERCENT, _TESTED = term(1) / 100, Domain({"h": NATURAL}, (10 - H,))


_NOT_PRINTED = "the numbers of Tables 1 and 2 and the curves of Figures 4 and 5 are not in our text"

EXPERIMENTS: dict[str, Formal] = {
    "001.exp.table1.close": Unchecked(
        f"{_NOT_PRINTED}; `dp-refimpl reproduce 001` simulates it beside the exact values and their deviations"
    ),
    "001.exp.table1.power@pct1": _relative_error_at_most(1),
    "001.exp.table1.power@pct5": _relative_error_at_most(5),
    # of every answer: q4 <= q2^2
    "001.exp.table1.power@pct25": formula(
        {"q2": POSITIVE, "q4": ANY_SIZE},
        ("le", SQUARED_RELATIVE.substitute({"repetitions": term(100)}), (term(1) / 4) ** 2),
        where=(Q2**2 - Q4,),
    ),
    # [1, 1], with the weight 2^-t for every coefficient above it, and [1, N]; N = 1024
    "001.exp.table1.reps": conjunction(
        formula(
            {},
            (
                "lt",
                SQUARED_RELATIVE.substitute(
                    {"q2": _powers(term(10), 2), "q4": _powers(term(10), 4), "repetitions": term(100)}
                ),
                SQUARED_RELATIVE.substitute(_ONE_COEFFICIENT),
            ),
        ),
        Limit(
            Domain({"q2": POSITIVE, "q4": ANY_SIZE, "repetitions": SOME}),
            "repetitions",
            SQUARED_RELATIVE,
            term(0),
        ),
    ),
    "001.exp.table2.groups": formula({}, ("eq", summed("x", 0, 10, term(1)), term(10))),
    "001.exp.table2.groups.corrected": formula({}, ("eq", summed("x", 0, 10, term(1)), term(11))),
    "001.exp.table2.eq17@all": formula(_TESTED, *_below(_PERCENT, H)),
    "001.exp.table2.eq17@top": formula({}, *_below(_PERCENT, term(10))),
    "001.exp.table2.validates": formula(_TESTED, *_below(term(1) / 2, H)),
}

FORMAL: dict[str, Formal] = INDEX | EXPERIMENTS | SUPPLEMENT
