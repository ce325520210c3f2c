"""Formal statements of source 003, Sections 1 and 2.1: differential privacy, the exponential mechanism, composition."""

from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, Limit
from dp_spec.vocabulary.statement import All, Domain, Range, Relation
from dp_spec.vocabulary.term import Term, exp, term, var

POSITIVE, ANY, ABOVE_ONE = Range(strict=True), Range(), Range(1, strict=True)
A, B, C, P, Q, S, T, U, V, W, X, Y, Z = (var(name) for name in "abcpqstuvwxyz")


def within(factor: Term, *pairs: tuple[Term, Term]) -> tuple[Term, ...]:
    """In every pair each number is at most the factor times the other one."""
    return tuple(gap for p, q in pairs for gap in (factor * q - p, factor * p - q))


def merged(factor: Term) -> Formula:
    """What holds of two outputs, or of two sets of them, holds of both together: hence of every set."""
    names = {**dict.fromkeys("abpq", ANY), **{name: Range(1) for name in factor.variables()}}
    return Formula(Domain(names, (factor * B - A, factor * Q - P)), (("le", A + P, factor * (B + Q)),))


def chance(weight: Term, others: Term) -> Term:
    """(4): the chance of a candidate of this weight, where the other ones have these weights in all."""
    return weight / (weight + others)


SHARES = Formula(
    Domain({"x": POSITIVE, "y": ANY}),
    (("eq", chance(X, Y) + Y / (X + Y), X / X),),
)
"""One candidate and all others: their chances add up to 1, and so, candidate by candidate, do those of all."""
_ADDED = Formula(
    Domain({"x": ANY, "y": ANY, "z": POSITIVE}), (("eq", X / (X + Y + Z) + Y / (X + Y + Z), (X + Y) / (X + Y + Z)),)
)
"""The chances of two candidates, or of two sets of them, add up to that of both."""
NORMALIZED = All((SHARES, _ADDED))

_SCORES = Domain({**dict.fromkeys("xuyv", POSITIVE), "t": Range(1)}, within(T, (X, Y), (U, V)))
"""e^(eps score / (2 sensitivity)) of a candidate is x, of all others u in all; y and v for the neighbor. A score moves
by the sensitivity at most, a weight by a factor t = e^(eps/2), and so does a sum of weights."""
EXPONENTIAL = All(
    (merged(T), Formula(_SCORES, (("le", chance(X, U), T**2 * chance(Y, V)),))),
)

ADAPTIVE = Formula(
    Domain(
        {**dict.fromkeys("pqcsabxy", ANY), "v": Range(1), "w": Range(1)},
        (V * Q - P, V * S - C, W * B - A, W * Y - X),
    ),
    (("le", P * A + C * X, V * W * (Q * B + S * Y)),),
)
"""Two mechanisms, of which the second is another one, a and b or x and y, after every output of the first."""

_ODDS: tuple[Relation, ...] = (("le", P * A / (Q * B), W * (A / B)), ("le", A / B, W * (P * A / (Q * B))))

FORMAL: dict[str, Formal] = {
    # the data sets have the chances a and b beforehand, the output p and q
    "003.sec1.odds": Formula(
        Domain({**dict.fromkeys("abpq", POSITIVE), "w": Range(1)}, within(W, (P, Q))),
        _ODDS,
    ),
    "003.def1.monotone": Formula(
        Domain({"p": ANY, "q": ANY, "w": Range(1), "more": ANY}, (W * Q - P,)),
        (("le", P, (W + var("more")) * Q),),
    ),
    "003.def4.dp": EXPONENTIAL,
    "003.def4.norm": NORMALIZED,
    # a score that is larger by s > 0 multiplies the weight by e^s
    "003.def4.order": Formula(
        Domain({"x": POSITIVE, "s": POSITIVE, "u": ANY}),
        (("lt", X / (X + X * exp(S) + U), X * exp(S) / (X + X * exp(S) + U)),),
    ),
    # one score falls by the sensitivity, those of n other candidates rise by it
    "003.def4.tight": All(
        (
            EXPONENTIAL,
            Formula(
                Domain({"t": ABOVE_ONE, "n": Range(1, integer=True)}),
                (("lt", chance(T, var("n")) / chance(term(1), var("n") * T), T**2),),
            ),
            Limit(
                Domain({"t": ABOVE_ONE, "n": Range(1, integer=True)}),
                "n",
                chance(T, var("n")) / chance(term(1), var("n") * T),
                T**2,
            ),
        )
    ),
    "003.prop1.seq@independent": All(
        (
            Formula(
                Domain({**dict.fromkeys("pqab", ANY), "v": Range(1), "w": Range(1)}, (V * Q - P, W * B - A)),
                (("le", P * A, V * W * (Q * B)),),
            ),
            merged(V * W),
        )
    ),
    "003.prop1.seq@adaptive": ADAPTIVE,
    # m queries of sensitivity x, each with its share
    "003.prop1.linear": Formula(
        Domain({"m": Range(1, integer=True), "x": POSITIVE, "eps": POSITIVE}),
        (
            ("eq", var("m") * (var("eps") / var("m")), var("eps")),
            ("eq", X / (var("eps") / var("m")), var("m") * X / var("eps")),
        ),
    ),
}
