"""Formal statements of source 000: EM, line 14 of Algorithm 1.

A message is t, an item v: L_t(v) is the chance of the message if v is held, and a step replaces f_v by the mean over
messages of f_v L_t(v) / M_t, where M_t is the sum of f_u L_t(u). With likelihood `mix` the messages of randomized
response and of c dummies are those of a randomized response: each has the chance (p + c/K) / (c + 1) for the item, and
(q + c/K) / (c + 1) for another one.
"""

from dp_spec.frequency.local_hashing import W
from dp_spec.shuffle import laws
from dp_spec.shuffle.claims.tables import ABOVE_ONE, ANY_SIZE, NATURAL, POSITIVE, UNIT, WHOLE, formula
from dp_spec.shuffle.laws import DUMMIES
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.statement import All
from dp_spec.vocabulary.term import Term, binomial, exp, term, var

F, G, U, V, X, Y, Z, J, A = (var(name) for name in ("f", "g", "u", "v", "x", "y", "z", "j", "a"))
ONE = term(1)

# --- a step ---------------------------------------------------------------------------------------------------------

_P, _Q = W / (W + 1), 1 / (W + 1)
"""Two items."""


def _mixed(p: Term, dummies: Term, items: Term | int) -> Term:
    """A chance of a message that may be a dummy."""
    return (p + dummies / items) / (dummies + 1)


LOGARITHM = All(
    (
        formula({"y": UNIT}, ("lt", 1 + Y, exp(Y)), ("lt", (1 - Y) * exp(Y), ONE)),
        formula({"y": UNIT, "j": NATURAL, "a": ANY_SIZE}, ("le", 1 + (J + 1) * Y, (1 + J * Y + A) * (1 + Y))),
    )
)
"""1 + z <= e^z for every z, hence ln x <= x - 1 for every x > 0: z = j y with 0 < y < 1, by induction on j from
e^y > 1 + y; z = -y likewise, and 1 + z <= 0 where z <= -1."""


STEP: dict[str, Formal] = {
    # one message that supports the first of two items, one step from the uniform start: with `reports`, with `mix`
    "000.alg1.em.defined": formula(
        {"w": ABOVE_ONE, "c": WHOLE},
        ("eq", _P / (_P + _Q), _mixed(_P, DUMMIES, 2) / (_mixed(_P, DUMMIES, 2) + _mixed(_Q, DUMMIES, 2))),
    ),
    # two items (of more, the others are one of them by induction), with weights f and g and likelihoods u and v
    "000.alg1.em.mono": All(
        (
            # the shares of a message sum to 1, and so do their means over messages
            formula(dict.fromkeys("fguv", POSITIVE), ("eq", F * U / (F * U + G * V) + G * V / (F * U + G * V), ONE)),
            formula(dict.fromkeys("fguv", POSITIVE), ("le", term(0), F * U / (F * U + G * V))),
            LOGARITHM,
            # y and z are the factors of f and g: ln(M'/M) = ln(x y + u z) for shares x and u is at least
            # x ln y + u ln z, as ln t <= t - 1 for t = y / (x y + u z) and z / (x y + u z)
            formula(
                {"x": POSITIVE, "u": POSITIVE, "y": POSITIVE, "z": POSITIVE},
                ("eq", X * (Y / (X * Y + U * Z) - 1) + U * (Z / (X * Y + U * Z) - 1), 1 - X - U),
            ),
            # the sum of these over messages is their number times f y ln y + g z ln z, as the mean of x is f y; here
            # -ln y <= 1/y - 1
            formula(
                {"f": POSITIVE, "g": POSITIVE, "y": POSITIVE, "z": POSITIVE},
                ("eq", F * Y * (1 - 1 / Y) + G * Z * (1 - 1 / Z), (F * Y + G * Z) - (F + G)),
            ),
        )
    ),
}

# --- one user with one dummy, two items -----------------------------------------------------------------------------

_ODDS = (_mixed(_P, ONE, 2) / _mixed(_Q, ONE, 2)) ** J
"""After j steps from the uniform start, where both messages support the item."""
_SHARE, _OTHER = _ODDS / (_ODDS + 1), 1 / (_ODDS + 1)
_HALF = ONE / 2


def _mean(both: Term, one: Term, none: Term) -> Term:
    """Of what is made of the messages, by how many support the user's item."""
    return _P * _HALF * both + (_P * _HALF + _Q * _HALF) * one + _Q * _HALF * none


_UNREFINED = laws.VARIANCE_GRR.substitute({"K": 2, "n": 1, "c": 1, "f": 0})
_STEPS = {"w": ABOVE_ONE, "j": WHOLE}

# --- five users with one item of 100, a dummy each ------------------------------------------------------------------

_N, _K, _LARGE = 5, term(100), 10**6
_AT = {"w": term(_LARGE), "K": _K}
_OWN, _ELSE = (_mixed(chance.substitute(_AT), ONE, _K) for chance in (laws.OWN, laws.OTHER))
_CERTAIN = laws.OWN.substitute(_AT) ** _N * (binomial(_K - 1, _N) * 120) / _K**_N
"""The chance that all reports are the item, and the dummies five others."""
_LEVEL = ((_N + 1) * _ELSE + (_OWN - _ELSE)) / (2 * _N)
_FOUND = (_LEVEL - _ELSE) / (_OWN - _ELSE)
"""The limit for each of the other five items, 1 - 5 times as much for the item: the chance of every message that was
seen, by how often it was, is `_LEVEL`, and smaller for no item: the likelihood, which is concave, is largest there."""
_ITEM, _NONE = (laws.VARIANCE_GRR.substitute({**_AT, "n": _N, "c": 1, "f": f}) for f in (1, 0))


def _kept(share: Term) -> Term:
    """A step from f, where this share of the messages supports the first of two items: with chance x its own do."""
    first, second = F * X + (1 - F) * (1 - X), F * (1 - X) + (1 - F) * X
    return share * (F * X / first) + (1 - share) * (F * (1 - X) / second)


HISTOGRAMS: dict[str, Formal] = {
    "000.alg1.em.unbiased": formula(_STEPS, ("eq", _mean(_SHARE, _HALF, _OTHER), ONE)),
    # the sum of squared errors is that of this case at least
    "000.alg1.em.mse": formula({}, ("le", _CERTAIN * (_N * (_N + 1) * _FOUND**2), _ITEM + (_K - 1) * _NONE)),
    # where the share of the first of two items is what f makes it, a step leaves f. An estimate below 0, or above 1, is
    # farther from every frequency than the end, to which EM then tends
    "000.alg1.em.mse.corrected": All(
        (
            formula({"f": UNIT, "x": UNIT}, ("eq", _kept(F * X + (1 - F) * (1 - X)), F)),
            formula({"f": ANY_SIZE, "y": ANY_SIZE}, ("le", F**2, (F + Y) ** 2)),
            formula({"f": ANY_SIZE, "y": ANY_SIZE}, ("le", (1 - F) ** 2, (1 + Y - F) ** 2), where=(1 - F,)),
        )
    ),
    # the square of the error of the item that nobody has
    "000.alg1.em.var": formula(_STEPS, ("eq", _mean(_OTHER**2, _HALF**2, _SHARE**2), _UNREFINED)),
}

FORMAL: dict[str, Formal] = STEP | HISTOGRAMS
"""Every id with its formal statement."""
