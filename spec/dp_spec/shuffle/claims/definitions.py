"""Formal statements of source 000: Definitions 1 to 4, the example of Figure 1.

An event is a set of outputs, and of two laws it counts by what every output adds: u - e^epsilon x, where the outputs
have the chances u under D, x under D'. delta(epsilon) is the sum of the positive ones. w is e^epsilon.
"""

from dp_spec.frequency.claims.one_item import private
from dp_spec.shuffle.claims.amplification import FORMAL as BOUNDS
from dp_spec.shuffle.claims.estimators import SENT
from dp_spec.shuffle.messages import DUMMIES, HASHED
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.law import USERS, F
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, NATURAL, POSITIVE, SOME, UNIT
from dp_spec.vocabulary.statement import Definition, Relation, conjunction, instances
from dp_spec.vocabulary.term import Term, same, summed, term, var

W, DELTA, U, V, X, Y, Z = (var(name) for name in ("w", "delta", "u", "v", "x", "y", "z"))
ONE = term(1)

# --- Definitions 1 and 2 --------------------------------------------------------------------------------------------

# by sign: u = w x + y adds y, x = (u + y) / w adds -y. An event has its share f of an output (0 or 1), and the sum of
# the positive ones is the largest: that of the event of all outputs with a positive one, f = 1 and f = 0
SUMS = conjunction(
    formula({"y": ANY_SIZE, "f": ANY_SIZE}, ("le", F * Y, Y), where=(1 - F,)),
    formula({"y": ANY_SIZE, "f": ANY_SIZE}, ("le", F * -Y, term(0)), where=(1 - F,)),
    formula({"w": ABOVE_ONE, "u": ANY_SIZE, "x": ANY_SIZE, "y": ANY_SIZE}, ("eq", W * X + Y - W * X, Y)),
    formula({"w": ABOVE_ONE, "u": ANY_SIZE, "y": ANY_SIZE}, ("eq", U - W * ((U + Y) / W), -Y)),
)
"""For every event, also one that an analyzer decides by coins: what it adds is at most the sum of the positive ones."""

_TWO = {"w": ABOVE_ONE, "delta": UNIT, "u": ANY_SIZE, "x": ANY_SIZE}
"""Two outputs with the chances u, 1 - u and x, 1 - x."""
_LAWS = (1 - U, 1 - X)
_SINGLE = (
    W * X + DELTA - U,
    W * (1 - X) + DELTA - (1 - U),
    W * U + DELTA - X,
    W * (1 - U) + DELTA - (1 - X),
)
"""(1) for single outputs of two: of these every event other than all outputs is one."""
_THREE = {"w": ABOVE_ONE, "delta": UNIT, **dict.fromkeys("uvxy", ANY_SIZE)}
_OF_THREE = (
    1 - U - V,
    1 - X - Y,
    W * X + DELTA - U,
    W * Y + DELTA - V,
    W * (1 - X - Y) + DELTA - (1 - U - V),
)
# the set of the first two
SINGLETONS = formula(_THREE, ("le", U + V, W * (X + Y) + DELTA), where=_OF_THREE)
"""(1) for single outputs of three is (1) for sets of them."""

PRIVACY: dict[str, Formal] = {
    "000.def1.eq1@event": SUMS,
    "000.def1.eq1@singleton": SINGLETONS,
    # the set of all outputs: 1 <= e^epsilon + delta. Of two outputs, that with the chances u and x
    "000.def1.eq1@range": formula(_TWO, ("le", U, W * X + DELTA), where=(*_LAWS, W + DELTA - 1)),
    "000.def1.leak@additive": SUMS,
    # u = w x + y, y > 0: the ratio of the first output is too large
    "000.def1.leak@probabilistic": formula(
        {"w": ABOVE_ONE, "delta": UNIT, "x": UNIT, "y": UNIT},
        ("le", W * X + Y, DELTA),
        where=tuple(tree.substitute({"u": W * X + Y}) for tree in (*_LAWS, *_SINGLE)),
    ),
    # sum over the outputs with w x + y > w x: of y <= delta
    "000.def1.leak@probabilistic.corrected": formula(
        {"w": ABOVE_ONE, "delta": UNIT, "x": ANY_SIZE, "y": POSITIVE},
        ("le", (W * X + Y) - W * X, W * X + Y),
    ),
    # no event adds more than 1; the largest delta(epsilon) is that of laws without a common output
    "000.def1.range": conjunction(
        formula({"w": ABOVE_ONE, "u": ANY_SIZE, "x": ANY_SIZE}, ("le", U - W * X, ONE), where=_LAWS),
        formula({"w": ABOVE_ONE, "delta": POSITIVE}, ("lt", DELTA, 1 - W * 0), where=(1 - DELTA,)),
    ),
    "000.def1.range.corrected": formula({"w": ABOVE_ONE, "delta": UNIT}, ("lt", DELTA, 1 - W * 0)),
    "000.def2.eq2": Definition(("ldp", "ldp-events")),
    # any functions
    "000.def3.universal@privacy": conjunction(
        private(HASHED),
        BOUNDS["000.base.murs.privacy@range"],  # type: ignore[arg-type]
    ),
}

# --- Definition 4, Figure 1 -----------------------------------------------------------------------------------------

_SIZES = {"n": SOME, "c": NATURAL}
_SENT = USERS * (DUMMIES + 1)
"""Messages <H, y> of all users."""


def _composed(received: Term, *sent: Term) -> tuple[Relation, ...]:
    return tuple(("eq", number, received) for number in sent)


def _known(others: int) -> Formula:
    """Of x = 0, 1 for the last user exactly one goes with the count, of which the others, all known, are so many."""
    left = summed("y", 0, 1, same(Y + others, X + others))
    return formula({}, ("eq", summed("x", 0, 1, (left - 1) ** 2), term(0)))


MODEL: dict[str, Formal] = {
    # the users send n times n elements of Y, and S takes n
    "000.def4.type@printed": formula(_SIZES, *_composed(USERS, USERS * USERS)),
    # S takes one element of Y for each user: of OD-HP, whose elements are messages <H, y>, a user sends more
    "000.def4.type@single": formula(_SIZES, *_composed(USERS, _SENT)),
    "000.def4.type@multi": SENT,
    # the chance f that the analyzer's result lies in a set, given the output
    "000.def4.post": SUMS,
    # x, y and z are 1 for those of Luka, Alice and Tina who have the disease
    "000.fig1.example@alone": formula(
        {"x": NATURAL, "y": NATURAL, "z": NATURAL}, ("le", ONE, X), where=(1 - Y, 1 - Z, X + Y + Z - 3)
    ),
    # and u of the users whom nobody names
    "000.fig1.example@others": formula(
        {"x": NATURAL, "y": NATURAL, "z": NATURAL, "u": NATURAL},
        ("le", ONE, X),
        where=(1 - Y, 1 - Z, X + Y + Z + U - 3, 3 - X - Y - Z - U),
    ),
    "000.fig1.example.corrected": instances(*(_known(z) for z in range(9))),
}

FORMAL: dict[str, Formal] = PRIVACY | MODEL
"""Every id with its formal statement."""
