"""Formal statements of source 000: EM, line 14 of Algorithm 1.

A message is t, an item v: L_t(v) is the chance of the message if v is held, and a step replaces f_v by the mean over
messages of f_v L_t(v) / M_t, where M_t is the sum of f_u L_t(u). With likelihood `mix` the messages of randomized
response and of c dummies are those of a randomized response: each has the chance (p + c/K) / (c + 1) for the item, and
(q + c/K) / (c + 1) for another one.
"""

from functools import reduce
from operator import add

from dp_spec.frequency.local_hashing import W
from dp_spec.shuffle import em, messages
from dp_spec.shuffle.messages import DUMMIES
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Limit, formula
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, NATURAL, POSITIVE, SOME, UNIT
from dp_spec.vocabulary.statement import All, Domain, Range, conjunction, instances
from dp_spec.vocabulary.term import Term, binomial, exp, term, var

F, S, Y, Z, J, A = (var(name) for name in ("f", "s", "y", "z", "j", "a"))
ONE = term(1)

# --- a step ---------------------------------------------------------------------------------------------------------

_P, _Q = W / (W + 1), 1 / (W + 1)
"""Two items."""


def _mixed(p: Term, dummies: Term, items: Term | int) -> Term:
    """A chance of a message that may be a dummy."""
    return (p + dummies / items) / (dummies + 1)


LOGARITHM = conjunction(
    formula({"y": UNIT}, ("lt", 1 + Y, exp(Y)), ("lt", (1 - Y) * exp(Y), ONE)),
    formula({"y": UNIT, "j": NATURAL, "a": ANY_SIZE}, ("le", 1 + (J + 1) * Y, (1 + J * Y + A) * (1 + Y))),
)
"""1 + z <= e^z for every z, hence ln x <= x - 1 for every x > 0: z = j y with 0 < y < 1, by induction on j from
e^y > 1 + y; z = -y likewise, and 1 + z <= 0 where z <= -1."""


def _named(letter: str, items: int) -> list[Term]:
    return [var(f"{letter}{i}") for i in range(items)]


def _sum(terms: list[Term]) -> Term:
    return reduce(add, terms)


def _step(items: int) -> All:
    """Of so many items: weights f, the likelihoods u of a message; the shares x that it gives them, and the factors y
    by which a step multiplies the weights."""
    f, u, x, y = (_named(letter, items) for letter in "fuxy")
    parts = [a * b for a, b in zip(f, u, strict=True)]
    factor = _sum([a * b for a, b in zip(x, y, strict=True)])
    after = [a * b for a, b in zip(f, y, strict=True)]

    def over(*letters: str) -> dict[str, Range]:
        return {f"{letter}{i}": POSITIVE for letter in letters for i in range(items)}

    return conjunction(
        # the shares of a message sum to 1, and so do their means over messages
        formula(over("f", "u"), ("eq", _sum([part / _sum(parts) for part in parts]), ONE)),
        formula(over("f", "u"), *(("le", term(0), part / _sum(parts)) for part in parts)),
        LOGARITHM,
        # ln(M'/M) = ln(sum of x y) is at least the sum of x ln y, as ln t <= t - 1 for t = y / sum of x y
        formula(over("x", "y"), ("eq", _sum([a * (b / factor - 1) for a, b in zip(x, y, strict=True)]), 1 - _sum(x))),
        # the sum of these over messages is their number times that of f y ln y, as the mean of x is f y; here
        # -ln y <= 1/y - 1
        formula(
            over("f", "y"),
            ("eq", _sum([a * (1 - 1 / b) for a, b in zip(after, y, strict=True)]), _sum(after) - _sum(f)),
        ),
    )


STEP: dict[str, Formal] = {
    # one message that supports the first of two items, one step from the uniform start: with `reports`, with `mix`
    "000.alg1.em.defined": formula(
        {"w": ABOVE_ONE, "c": SOME},
        ("eq", _P / (_P + _Q), _mixed(_P, DUMMIES, 2) / (_mixed(_P, DUMMIES, 2) + _mixed(_Q, DUMMIES, 2))),
    ),
    "000.alg1.em.mono": instances(_step(2), _step(3), _step(4)),
}

# --- one user with one dummy, two items -----------------------------------------------------------------------------

_ODDS = (_mixed(_P, ONE, 2) / _mixed(_Q, ONE, 2)) ** J
"""After j steps from the uniform start, where both messages support the item."""
_SHARE, _OTHER = _ODDS / (_ODDS + 1), 1 / (_ODDS + 1)
_HALF = ONE / 2


def _mean(both: Term, one: Term, none: Term) -> Term:
    """Of what is made of the messages, by how many support the user's item."""
    return _P * _HALF * both + (_P * _HALF + _Q * _HALF) * one + _Q * _HALF * none


_UNREFINED = messages.VARIANCE_GRR.substitute({"K": 2, "n": 1, "c": 1, "f": 0})
_STEPS = {"w": ABOVE_ONE, "j": SOME}

# --- five users with one item of 100, a dummy each ------------------------------------------------------------------

_N, _K, _LARGE = 5, term(100), 10**6
_AT = {"w": term(_LARGE), "K": _K}
_OWN, _ELSE = (_mixed(chance.substitute(_AT), ONE, _K) for chance in (messages.OWN, messages.OTHER))
_CERTAIN = messages.OWN.substitute(_AT) ** _N * (binomial(_K - 1, _N) * 120) / _K**_N
"""The chance that all reports are the item, and the dummies five others."""
_LEVEL = ((_N + 1) * _ELSE + (_OWN - _ELSE)) / (2 * _N)
_FOUND = (_LEVEL - _ELSE) / (_OWN - _ELSE)
"""The limit for each of the other five items, 1 - 5 times as much for the item: the chance of every message that was
seen, by how often it was, is `_LEVEL`, and smaller for no item: the likelihood, which is concave, is largest there."""
_ITEM, _NONE = (messages.VARIANCE_GRR.substitute({**_AT, "n": _N, "c": 1, "f": f}) for f in (1, 0))


# --- two items ------------------------------------------------------------------------------------------------------

_TWO = {"K": 2}
_T3 = (S * (DUMMIES + 1) - messages.T3_GRR.offset.substitute(_TWO)) / messages.T3_GRR.slope.substitute(_TWO)
_DIFFERENCE = _mixed(_P, DUMMIES, 2) - _mixed(_Q, DUMMIES, 2)

CLOSER = conjunction(
    # T3 of all messages of users with c dummies each
    formula(
        {"w": ABOVE_ONE, "c": NATURAL, "s": ANY_SIZE},
        ("eq", _T3, em.ESTIMATE.substitute({"y": _DIFFERENCE})),
        ("lt", term(0), _DIFFERENCE),
        ("lt", _DIFFERENCE, ONE),
    ),
    formula(
        {"f": UNIT, "y": UNIT, "s": ANY_SIZE},
        ("eq", em.AFTER - em.ESTIMATE, em.SPREAD / (em.FIRST * (1 - em.FIRST)) * (F - em.ESTIMATE)),
    ),
    formula({"f": UNIT, "y": UNIT}, ("eq", em.FIRST * (1 - em.FIRST), em.SPREAD + F * (1 - F) * Y**2)),
    formula(
        {"f": UNIT, "y": UNIT, "z": UNIT},
        ("le", em.SPREAD / (em.FIRST * (1 - em.FIRST)), em.SPREAD / em.LEAST),
        ("lt", em.SPREAD / em.LEAST, ONE),
        where=(4 * F * (1 - F) - Z,),
    ),
    Limit(Domain({"y": ABOVE_ONE, "z": SOME}), "z", 1 / Y**Z, term(0)),
)
"""What a step leaves of the distance to the estimate; as a power of a number below 1 it tends to 0."""

HISTOGRAMS: dict[str, Formal] = {
    "000.alg1.em.unbiased": formula(_STEPS, ("eq", _mean(_SHARE, _HALF, _OTHER), ONE)),
    # the sum of squared errors is that of this case at least
    "000.alg1.em.mse": formula({}, ("le", _CERTAIN * (_N * (_N + 1) * _FOUND**2), _ITEM + (_K - 1) * _NONE)),
    # an estimate below 0, or above 1, is farther from every frequency than the end
    "000.alg1.em.mse.corrected": conjunction(
        CLOSER,
        formula({"f": ANY_SIZE, "y": ANY_SIZE}, ("le", F**2, (F + Y) ** 2)),
        formula({"f": ANY_SIZE, "y": ANY_SIZE}, ("le", (1 - F) ** 2, (1 + Y - F) ** 2), where=(1 - F,)),
    ),
    # the square of the error of the item that nobody has
    "000.alg1.em.var": formula(_STEPS, ("eq", _mean(_OTHER**2, _HALF**2, _SHARE**2), _UNREFINED)),
}

FORMAL: dict[str, Formal] = STEP | HISTOGRAMS
"""Every id with its formal statement."""
