"""Formal statements of source 001, Sections 4 and 5: orders, the accuracy index, experiments."""

from dp_spec.matrix import index, laws, privelet
from dp_spec.matrix.claims.basics import ANY, NATURAL, WHOLE, sensitivity, trees
from dp_spec.matrix.index import B, with_delta
from dp_spec.matrix.privelet import H, N, ranges, two
from dp_spec.vocabulary.additive import Additive, Quantity
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Bounded, Formula, Limit
from dp_spec.vocabulary.statement import All, Domain, Range
from dp_spec.vocabulary.term import Term, summed, term, var

V, U, X, TOTAL, DELTA = (var(name) for name in ("v", "u", "x", "total", "delta"))
TREES, LARGER = Domain({"h": WHOLE}), Domain({"h": Range(3, integer=True)})
PRIVELET_ERROR, NAIVE_ERROR, IDENTITY_ERROR = index.PRIVELET_ERROR, index.NAIVE_ERROR, index.IDENTITY_ERROR
_BINARY = {"b": term(2), "eps": term(1)}


def _boost(law: Additive, **at: Term) -> Quantity:
    """I^T (A^T A)^-1 I, summed over all ranges."""
    return Quantity(law, ("least squares", "ranges"), {**_BINARY, **at})


BOOST_ERROR = with_delta(H + 1, TOTAL / ranges(N))
BOOST_NOROOT_ERROR = with_delta(H, TOTAL / ranges(N))
"""Of Boost, b = 2, where `total` is its sum over all ranges."""
BARY_AVERAGE = TOTAL / ranges(B**H)
BARY_TREES = Domain({"b": Range(2, integer=True), "h": WHOLE})
_BARY = {"total": Quantity(laws.BOOST_ROOT, ("least squares", "ranges"), {"eps": term(1)})}


def _tends(error: Term, value: Term | None, boost: Additive | None = None) -> Limit:
    """The index of a strategy (for a limit small trees do not matter)."""
    total = None if boost is None else {"total": _boost(boost)}
    return Limit(LARGER, "h", index.index_of(error), value, quantities=total)


def _at_most(left: Term, right: Term) -> Bounded:
    """left = O(right) as the tree grows."""
    return Bounded(LARGER, ((left, right),), (), ("h",))


_LEFT, _RIGHT = 2 * X * two(V) + 1, two(V + U + 1) - (2 * X + 2) * two(V) + 1
_NODES_USED = Formula(
    Domain({"v": NATURAL, "u": NATURAL}),
    (("eq", summed("x", 0, two(U) - 1, (_LEFT + _RIGHT) * two(V)), index.used(two(V), two(V + U + 1))),),
)
_NAIVE = _tends(NAIVE_ERROR, term(1))
_PRIVELET = _tends(PRIVELET_ERROR, term(6))
_BOOST = _tends(BOOST_ERROR, term(6), laws.BOOST_ROOT)


_EVERY_TREE = Domain({"b": Range(2, integer=True), "h": NATURAL, "eps": Range(strict=True)})
_FULL_RANK = trees(
    ("lt", term(0), var("own")),
    domain=_EVERY_TREE,
    own=Quantity(laws.BOOST_ROOT, ("least squares", "diagonal")),
)
"""(A^T A)^-1 exists, and has a positive diagonal: A^+ A v = v."""


def _of_node(levels: Term) -> Term:
    """The variance of the estimate z of a node from the answers of its `levels` levels, unit noise."""
    return (B**levels - B ** (levels - 1)) / (B**levels - 1)


_CHILDREN = B * _of_node(V)
"""Of the sum of its children's, which have v levels."""
_UPWARDS = Formula(
    Domain({"b": Range(2, integer=True), "v": WHOLE, "x": ANY, "y": ANY}),
    (
        ("eq", (B ** (V + 1) - B**V) / (B ** (V + 1) - 1), _CHILDREN / (1 + _CHILDREN)),
        ("eq", (B**V - 1) / (B ** (V + 1) - 1), 1 / (1 + _CHILDREN)),
        ("eq", _of_node(V + 1), _CHILDREN / (1 + _CHILDREN)),
        ("eq", _of_node(term(1)), term(1)),
        ("eq", X + B * ((var("y") - X) / B), var("y")),
    ),
)
"""The printed weights are those by inverse variances, of a node's own answer (variance 1) and of its children's sum;
what the parent has more than its children is shared equally, as their variances are equal, and the sums agree."""


_FINITE = Formula(
    Domain({"h": Range(4, integer=True)}, (12 - H,)),
    (("le", 10 * TOTAL, 11 * privelet.in_ranges()), ("le", 9 * privelet.in_ranges(), 10 * TOTAL)),
    quantities={"total": _boost(laws.BOOST_ROOT)},
)
"""Of Boost with root and Privelet: the sums over all ranges differ by at most a tenth."""


INDEX: dict[str, Formal] = {
    "001.sec4.bestorder@pure": All(
        (
            _at_most(H**3, PRIVELET_ERROR),
            _at_most(H**3, NAIVE_ERROR),
            _at_most(H**3, IDENTITY_ERROR),
            Bounded(LARGER, ((H**3, BOOST_ERROR),), (), ("h",), quantities={"total": _boost(laws.BOOST_ROOT)}),
        )
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
    "001.def3.naive@root": All((_NODES_USED, _NAIVE)),
    "001.def3.naive@noroot": All((_NODES_USED, _tends(index.NAIVE_NOROOT_ERROR, term(1)))),
    "001.def3.boost@root": _BOOST,
    "001.def3.boost@noroot": _tends(BOOST_NOROOT_ERROR, term(6), laws.BOOST_NOROOT),
    "001.base.naive.sens@root": trees(
        ("eq", DELTA, H + 1),
        domain=_EVERY_TREE,
        delta=sensitivity(laws.NAIVE_ROOT),
    ),
    "001.base.naive.sens@noroot": trees(
        ("eq", DELTA, H),
        domain=Domain({"b": Range(2, integer=True), "h": WHOLE, "eps": Range(strict=True)}),
        delta=sensitivity(laws.NAIVE_NOROOT),
    ),
    "001.base.boost.ols": All((_UPWARDS, _FULL_RANK)),
    "001.base.boost.unbiased": _FULL_RANK,
    "001.sec4.same@limit": Limit(
        TREES, "h", TOTAL / privelet.in_ranges(), term(1), quantities={"total": _boost(laws.BOOST_ROOT)}
    ),
    "001.sec4.same@finite": _FINITE,
    "001.sec4.lower@limit": All(
        (
            Formula(Domain({"h": Range(3, integer=True)}), (("lt", PRIVELET_ERROR, NAIVE_ERROR),)),
            Formula(Domain({"h": Range(16, integer=True)}), (("lt", NAIVE_ERROR, IDENTITY_ERROR),)),
        )
    ),
    "001.sec4.lower@finite": Formula(
        Domain({"h": Range(4, integer=True)}, (12 - H,)),
        (("lt", PRIVELET_ERROR, NAIVE_ERROR), ("lt", PRIVELET_ERROR, IDENTITY_ERROR)),
    ),
    "001.sec4.reflects": All(
        (
            Limit(TREES, "h", NAIVE_ERROR / PRIVELET_ERROR, term(6)),
            Limit(TREES, "h", TOTAL / privelet.in_ranges(), term(1), quantities={"total": _boost(laws.BOOST_ROOT)}),
        )
    ),
    "001.sec4.positive@listed": All((_NAIVE, _BOOST, _PRIVELET)),
    # an index above 0 makes err = O(h^3)
    "001.sec4.positive@identity": _at_most(IDENTITY_ERROR, H**3),
    "001.sec4.positive@bary": Limit(
        BARY_TREES, "h", H**3 / with_delta(H + 1, BARY_AVERAGE), index.bary_slope(), quantities=_BARY
    ),
    "001.sec4.max@listed": All((_NAIVE, _BOOST, _PRIVELET)),
    "001.sec4.max@bary": All(
        (
            Limit(BARY_TREES, "h", H**3 / with_delta(H + 1, BARY_AVERAGE), index.bary_slope(), quantities=_BARY),
            Formula(Domain({"b": Range(2, integer=True)}), (("le", index.bary_index(), term(6)),)),
        )
    ),
}

_TAIL = Domain({"k": Range(7, integer=True)})
_TWO_K = two(var("k"))
SUPPLEMENT: dict[str, Formal] = {
    # up to 127 one by one; from 2^k to 2^(k + 1), k >= 7, it is at most 3 2^k (k + 1)^3 / (2^k - 1)^2 < 13
    "001.supp.bary.best": All(
        (
            Formula(
                Domain({}),
                (
                    *(("lt", index.bary_index(term(b)), index.bary_index(term(13))) for b in range(2, 128) if b != 13),
                    ("lt", term(13), index.bary_index(term(13))),
                ),
            ),
            Formula(
                Domain({"x": Range(2, integer=True), "more": NATURAL}),
                (("le", (X + var("more")) / (X + var("more") - 1) ** 2, X / (X - 1) ** 2),),
            ),
            Formula(_TAIL, (("lt", 3 * _TWO_K * (var("k") + 1) ** 3, 13 * (_TWO_K - 1) ** 2),)),
        )
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


def _relative_error_at_most(percent: int) -> Formula:
    """Of the range [1, N]."""
    value = SQUARED_RELATIVE.substitute(_ONE_COEFFICIENT)
    return Formula(Domain({}), (("le", value, (term(percent) / 100) ** 2),))


def _relative(h: Term) -> Term:
    """The difference of (16) and (17) relative to (16)."""
    return (privelet.average(h) - privelet.approximate(h)) / privelet.average(h)


_NOT_PRINTED = "the numbers of Tables 1 and 2 and the curves of Figures 4 and 5 are not in our text"

EXPERIMENTS: dict[str, Formal] = {
    "001.exp.table1.close": Unchecked(
        f"{_NOT_PRINTED}; `dp-refimpl reproduce 001` simulates it beside the exact values and their deviations"
    ),
    "001.exp.table1.power@pct1": _relative_error_at_most(1),
    "001.exp.table1.power@pct5": _relative_error_at_most(5),
    # of every answer: q4 <= q2^2
    "001.exp.table1.power@pct25": Formula(
        Domain({"q2": Range(strict=True), "q4": ANY}, (Q2**2 - Q4,)),
        (("le", SQUARED_RELATIVE.substitute({"repetitions": term(100)}), (term(1) / 4) ** 2),),
    ),
    # [1, N], and [1, 1] for h = 1: two weights 1/2
    "001.exp.table1.reps": All(
        (
            Formula(
                Domain({}),
                (
                    (
                        "lt",
                        SQUARED_RELATIVE.substitute({"q2": term(1) / 2, "q4": term(1) / 8, "repetitions": term(100)}),
                        SQUARED_RELATIVE.substitute(_ONE_COEFFICIENT),
                    ),
                ),
            ),
            Limit(
                Domain({"q2": Range(strict=True), "q4": ANY, "repetitions": WHOLE}),
                "repetitions",
                SQUARED_RELATIVE,
                term(0),
            ),
        )
    ),
    "001.exp.table2.groups": Formula(Domain({}), (("eq", summed("x", 0, 10, term(1)), term(10)),)),
    "001.exp.table2.groups.corrected": Formula(Domain({}), (("eq", summed("x", 0, 10, term(1)), term(11)),)),
    "001.exp.table2.eq17@all": Formula(Domain({"h": NATURAL}, (10 - H,)), (("le", _relative(H), term(1) / 100),)),
    "001.exp.table2.eq17@top": Formula(Domain({}), (("le", _relative(term(10)), term(1) / 100),)),
    "001.exp.table2.validates": Unchecked(
        f"{_NOT_PRINTED}; how far (17) is from the exact averages says 001.exp.table2.eq17"
    ),
}

FORMAL: dict[str, Formal] = INDEX | EXPERIMENTS | SUPPLEMENT
