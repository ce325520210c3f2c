"""Formal statements of source 003, Sections 1 and 2.1: differential privacy, the exponential mechanism, composition."""

from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, Limit, formula
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, FROM_ONE, POSITIVE, SOME
from dp_spec.vocabulary.statement import Domain, Relation, conjunction
from dp_spec.vocabulary.term import Term, exp, term, var

A, B, C, P, Q, S, T, U, V, W, X, Y, Z = (var(name) for name in "abcpqstuvwxyz")


def within(factor: Term, *pairs: tuple[Term, Term]) -> tuple[Term, ...]:
    """In every pair each number is at most the factor times the other one."""
    return tuple(gap for p, q in pairs for gap in (factor * q - p, factor * p - q))


def merged(factor: Term) -> Formula:
    """What holds of two outputs, or of two sets of them, holds of both together: hence of every set."""
    names = {**dict.fromkeys("abpq", ANY_SIZE), **dict.fromkeys(factor.variables(), FROM_ONE)}
    return formula(names, ("le", A + P, factor * (B + Q)), where=(factor * B - A, factor * Q - P))


def chance(weight: Term, others: Term) -> Term:
    """(4): the chance of a candidate of this weight, where the other ones have these weights in all."""
    return weight / (weight + others)


SHARES = formula({"x": POSITIVE, "y": ANY_SIZE}, ("eq", chance(X, Y) + Y / (X + Y), X / X))
"""One candidate and all others: their chances add up to 1, and so, candidate by candidate, do those of all."""
_ADDED = formula(
    {"x": ANY_SIZE, "y": ANY_SIZE, "z": POSITIVE}, ("eq", X / (X + Y + Z) + Y / (X + Y + Z), (X + Y) / (X + Y + Z))
)
"""The chances of two candidates, or of two sets of them, add up to that of both."""
NORMALIZED = conjunction(SHARES, _ADDED)

_SCORES = Domain({**dict.fromkeys("xuyv", POSITIVE), "t": FROM_ONE}, within(T, (X, Y), (U, V)))
"""e^(eps score / (2 sensitivity)) of a candidate is x, of all others u in all; y and v for the neighbor. A score moves
by the sensitivity at most, a weight by a factor t = e^(eps/2), and so does a sum of weights."""
EXPONENTIAL = conjunction(
    merged(T),
    formula(_SCORES, ("le", chance(X, U), T**2 * chance(Y, V))),
)

ADAPTIVE = formula(
    {**dict.fromkeys("pqcsabxy", ANY_SIZE), "v": FROM_ONE, "w": FROM_ONE},
    ("le", P * A + C * X, V * W * (Q * B + S * Y)),
    where=(V * Q - P, V * S - C, W * B - A, W * Y - X),
)
"""Two mechanisms, of which the second is another one, a and b or x and y, after every output of the first."""

IMAGES = conjunction(
    merged(W),
    formula(
        {**dict.fromkeys("pqab", ANY_SIZE), "w": FROM_ONE, "x": ANY_SIZE, "y": ANY_SIZE},
        ("le", X * P + Y * A, W * (X * Q + Y * B)),
        where=(W * Q - P, W * B - A),
    ),
)
"""Sets of outputs that do not meet have the chances p and a, in the neighbor q and b; what is computed from the output
is a value with the chances x and y for them."""

_ODDS: tuple[Relation, ...] = (("le", P * A / (Q * B), W * (A / B)), ("le", A / B, W * (P * A / (Q * B))))

FORMAL: dict[str, Formal] = {
    # the data sets have the chances a and b beforehand, the output p and q
    "003.sec1.odds": formula({**dict.fromkeys("abpq", POSITIVE), "w": FROM_ONE}, *_ODDS, where=within(W, (P, Q))),
    "003.def1.monotone": formula(
        {"p": ANY_SIZE, "q": ANY_SIZE, "w": FROM_ONE, "more": ANY_SIZE},
        ("le", P, (W + var("more")) * Q),
        where=(W * Q - P,),
    ),
    "003.def4.dp": EXPONENTIAL,
    "003.def4.norm": NORMALIZED,
    # a score that is larger by s > 0 multiplies the weight by e^s
    "003.def4.order": formula(
        {"x": POSITIVE, "s": POSITIVE, "u": ANY_SIZE},
        ("lt", X / (X + X * exp(S) + U), X * exp(S) / (X + X * exp(S) + U)),
    ),
    # one score falls by the sensitivity, those of n other candidates rise by it
    "003.def4.tight": conjunction(
        EXPONENTIAL,
        formula({"t": ABOVE_ONE, "n": SOME}, ("lt", chance(T, var("n")) / chance(term(1), var("n") * T), T**2)),
        Limit(
            Domain({"t": ABOVE_ONE, "n": SOME}),
            "n",
            chance(T, var("n")) / chance(term(1), var("n") * T),
            T**2,
        ),
    ),
    "003.prop1.seq@independent": conjunction(
        formula(
            {**dict.fromkeys("pqab", ANY_SIZE), "v": FROM_ONE, "w": FROM_ONE},
            ("le", P * A, V * W * (Q * B)),
            where=(V * Q - P, W * B - A),
        ),
        merged(V * W),
    ),
    "003.prop1.seq@adaptive": ADAPTIVE,
    # m queries of sensitivity x, each with its share
    "003.prop1.linear": formula(
        {"m": SOME, "x": POSITIVE, "eps": POSITIVE},
        ("eq", var("m") * (var("eps") / var("m")), var("eps")),
        ("eq", X / (var("eps") / var("m")), var("m") * X / var("eps")),
    ),
}
