"""Formal statements of source 000, Section 2.4: messages, time, space, how many dummies there are, how large errors
are.

Logarithms and roots are variables: l2 = ln(2/delta), l4 = ln(4/delta), l = ln(1/delta), a = ln 2, s and z square roots.
"""

from dp_spec.frequency.claims.one_item import ONE_ITEM
from dp_spec.frequency.grr import GRR_SAMPLE
from dp_spec.frequency.local_hashing import B, P, Q, W
from dp_spec.shuffle import messages
from dp_spec.shuffle.claims.estimators import SENT
from dp_spec.shuffle.claims.tables import LABELS
from dp_spec.shuffle.claims.variances import mse, nobody
from dp_spec.shuffle.dummies import needed
from dp_spec.shuffle.messages import DUMMIES
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Bounded, Cost, formula
from dp_spec.vocabulary.law import USERS, K
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, NATURAL, POSITIVE, SEVERAL, SOME, UNIT
from dp_spec.vocabulary.statement import All, Domain, conjunction
from dp_spec.vocabulary.term import Term, term, var

EPS, GAMMA, A, D, L, L2, L4, S, U, X, Y, Z = (
    var(name) for name in ("eps", "gamma", "a", "d", "l", "l2", "l4", "s", "u", "x", "y", "z")
)
FUNCTIONS = var("N")
ONE, TWO = term(1), term(2)

# --- messages, time, space ------------------------------------------------------------------------------------------

_CODES = {"b": SEVERAL, "z": NATURAL, "N": SEVERAL}
"""b labels, N functions; z = ceil(log2 b) bits."""
_ENOUGH = TWO**Z - B

COSTS: dict[str, Formal] = {
    "000.sec24.messages@count": SENT,
    # a report has h values at most, as a dummy has, and each of them with a positive chance
    "000.sec24.messages@bits-y": conjunction(
        Cost(GRR_SAMPLE, "one", K, where=ONE_ITEM),
        formula(LABELS, ("lt", term(0), P), ("lt", term(0), Q)),
    ),
    "000.sec24.messages@bits-pair": formula(_CODES, ("le", FUNCTIONS * B, TWO**Z), where=(_ENOUGH, 2 * B - 1 - TWO**Z)),
    # u = ceil(log2 N)
    "000.sec24.messages@bits-pair.corrected": formula(
        {**_CODES, "u": NATURAL}, ("le", FUNCTIONS * B, TWO**U * TWO**Z), where=(_ENOUGH, TWO**U - FUNCTIONS)
    ),
    # a function, its value and the draw of a label; for a dummy a draw, and the value of a drawn item at most
    "000.sec24.usertime": Bounded(Domain({"c": NATURAL}), ((3 + 2 * DUMMIES, DUMMIES + 1),), (), ("c",)),
    # z = floor(log2(n (m + 1))) >= 1: a counter of up to n (m + 1) messages has z + 1 bits
    "000.sec24.space@nohash": conjunction(
        SENT, Bounded(Domain({"b": SOME, "z": SOME}), ((B * (Z + 1), B * Z),), (), ("b", "z"))
    ),
    # of all functions to two or more labels a message may support any set of the d items: its counts take d bits
    "000.sec24.space@olh": Bounded(
        Domain({"d": SOME, "b": SEVERAL, "z": SOME}), ((D, B * (Z + 1)),), ("b", "z"), ("d",)
    ),
}

# --- the number of dummies ------------------------------------------------------------------------------------------

_BLANKET = GAMMA * (USERS - 1)
NEEDED = needed(B, EPS, L4, S, _BLANKET)
"""n m by (7)."""


def _is_root(root: Term, square: Term) -> tuple[Term, Term]:
    return square - root**2, root**2 - square


_FIXED = {"b": SOME, "n": SOME, "gamma": POSITIVE, "l2": POSITIVE, "l4": POSITIVE, "eps": POSITIVE, "s": ANY_SIZE}
_POSITIVE = (1 - GAMMA, *_is_root(S, 2 * _BLANKET * L2), NEEDED)


def _beyond(rho: Term) -> Term:
    """m less what bounds it up to O(1/n)."""
    return NEEDED / USERS - (14 * B * L4 / (USERS * EPS**2) - GAMMA * (1 - rho))


DUMMY_NUMBERS: dict[str, Formal] = {
    # one constant for all epsilon and n, so that there are such n at all
    "000.sec24.mmax@root": Bounded(
        Domain({**_FIXED, "z": POSITIVE}, (*_POSITIVE, *_is_root(Z, 2 * GAMMA * USERS * L2))),
        ((_beyond(Z / (GAMMA * USERS)), 1 / USERS),),
        ("b", "gamma", "l2", "l4"),
    ),
    "000.sec24.mmax@noroot": Bounded(
        Domain(_FIXED, _POSITIVE),
        ((_beyond(2 * L2 / (GAMMA * USERS)), 1 / USERS),),
        ("b", "gamma", "l2", "l4"),
    ),
    "000.sec24.mlimit": Bounded(
        Domain(_FIXED, (1 - GAMMA, 1 - EPS)).restricted(_FIXED.keys() - {"l2"}),
        ((NEEDED / USERS, 14 * B * L4 / (USERS * EPS**2)),),
        ("b", "n", "gamma", "l4", "s"),
    ),
}

# --- errors ---------------------------------------------------------------------------------------------------------

_AT_NOBODY = nobody(messages.VARIANCE_OLH)
_SHORT = (DUMMIES + 1) / (USERS * (B - 1) * (1 - GAMMA) ** 2)
_VARIANCE = conjunction(
    mse(messages.SHARED, messages.S2, messages.VARIANCE_OLH),
    formula(
        {**LABELS, "n": SOME, "c": NATURAL},
        ("eq", _AT_NOBODY, _SHORT.substitute({"gamma": B / (W + B - 1)})),
    ),
)
"""The variance at f = 0 is (m + 1) / (n (h - 1) (1 - gamma)^2)."""
_ERRORS = {"b": SEVERAL, "n": SOME, "gamma": UNIT, "eps": POSITIVE}
_SHARE = 1 / (USERS * (B - 1) * (1 - GAMMA) ** 2)
_STATED = 1 / (USERS**2 * EPS**2 * (1 - GAMMA) ** 2)
"""The square of what is stated, without the square of Lambda."""


def _reports(square: Term) -> All:
    """The variance without the dummies' part is at most C times the square of what is stated."""
    domain = Domain({**_ERRORS, "l": POSITIVE}, (1 - EPS,))
    return conjunction(_VARIANCE, Bounded(domain, ((_SHARE, square * _STATED),), ("b", "gamma", "eps", "l"), ("n",)))


def _of_dummies(square: Term, log: Term, *where: Term) -> All:
    """The dummies' part is, with one constant for all parameters."""
    more = needed(B, EPS, log + 2 * A, S, _BLANKET) / USERS * _SHARE
    domain = Domain(
        {**_ERRORS, "a": POSITIVE, "y": ANY_SIZE, "s": ANY_SIZE},
        (1 - EPS, *where, *_is_root(S, 2 * _BLANKET * (log + A))),
    )
    return conjunction(_VARIANCE, Bounded(domain, ((more, square * _STATED),)))


_LARGER = {**LABELS, "y": POSITIVE, "n": SOME, "c": NATURAL}
_NEEDED_AT = {
    "x": ANY_SIZE,
    "gamma": POSITIVE,
    "d": POSITIVE,
    "l2": POSITIVE,
    "n": SOME,
    "s": ANY_SIZE,
    "z": ANY_SIZE,
}
_BOTH = {"u": POSITIVE, "d": POSITIVE, "x": ANY_SIZE, "y": ANY_SIZE}

ERRORS: dict[str, Formal] = {
    "000.sec24.error@sd-noroot": _reports(L**2),
    "000.sec24.error@sd-root": _reports(L),
    # l = 1 + y >= 1 >= a; l = a + y >= a >= 2/3
    "000.sec24.error@dummies-noroot": _of_dummies((1 + Y) ** 2, 1 + Y, 1 - A),
    "000.sec24.error@dummies-root": _of_dummies(A + Y, A + Y, 3 * A - 2),
    "000.sec24.accuracy@fixedm": conjunction(
        mse(messages.SHARED, messages.S2, messages.VARIANCE_OLH),
        formula(_LARGER, ("lt", _AT_NOBODY.substitute({"w": W + Y}), _AT_NOBODY)),
    ),
    # gamma falls as epsilon_l grows: from gamma + d to gamma. n m of (7) grows by n d at most, and so does the larger
    # of it and 0; x is the part without gamma. Then, with u = 1 - gamma - d, m is x before and y after
    "000.sec24.accuracy@fixedcentral": conjunction(
        _VARIANCE,
        formula({"b": SEVERAL, "w": ABOVE_ONE, "y": POSITIVE}, ("lt", B / (W + Y + B - 1), B / (W + B - 1))),
        formula(
            _NEEDED_AT,
            ("le", X + S - _BLANKET, X + Z - (GAMMA + D) * (USERS - 1) + USERS * D),
            where=(*_is_root(S, 2 * _BLANKET * L2), *_is_root(Z, 2 * (GAMMA + D) * (USERS - 1) * L2)),
        ),
        formula(
            _BOTH,
            ("lt", term(0), U**2 * (U + D) ** 2),
            ("lt", (1 + Y) / (U + D) ** 2, (1 + X) / U**2),
            where=(1 - U - D, X + D - Y),
        ),
    ),
}

FORMAL: dict[str, Formal] = COSTS | DUMMY_NUMBERS | ERRORS
"""Every id with its formal statement."""
