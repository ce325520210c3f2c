"""Formal statements: PrivSet (source 002, section 1, and its reference [23])."""

from collections.abc import Callable

from dp_spec.frequency import grr, privset, rappor, total_errors
from dp_spec.frequency.privset import (
    CHOSEN,
    D_PADDED,
    D_PLAIN,
    ONE_HELD,
    ONE_OTHER,
    OUTPUTS,
    PADDED,
    PLAIN,
    RADICAND,
    SCALE,
    SET_WEIGHTS,
    SHIFT,
    SINGLE_WEIGHTS,
    SQUARE,
    objective,
    one_item,
)
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.law import USERS, F, Law, M
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, POSITIVE
from dp_spec.vocabulary.statement import (
    All,
    Chance,
    Domain,
    Mse,
    Not,
    Range,
    Ratio,
    Relation,
    Smallest,
    Statement,
    Unbiased,
    conjunction,
)
from dp_spec.vocabulary.term import Term, term, var

D, T, W = var("d"), rappor.T, grr.W
R, X = var("r"), var("x")
"""D - m - k; d - m, or another number."""

_RAPPOR = total_errors.RAPPOR.part("sensitive")
RIVAL = D * T / (T - 1) ** 2
"""n times the sum of the MSEs of RAPPOR for sets over the d items."""
LIMIT = M * (M - 1)


def _integer(least: int) -> Range:
    return Range(least, integer=True)


_ONE_ITEM = Domain({"k": _integer(1), "r": _integer(0), "w": ABOVE_ONE})
"""m = 1 and all 1 <= k <= D - 1, as D = k + r + 1."""
_SETS = {"m": _integer(1), "k": _integer(1), "r": _integer(0), "w": ABOVE_ONE}
"""All m and 1 <= k <= D - m, as D = m + k + r."""
_ALL_OUTPUTS, _TWO_OUTPUTS = M + CHOSEN + R, CHOSEN + R + 1


def _of(law: Law) -> tuple[Term, str]:
    return (D_PADDED, "atmost") if law is PADDED else (D_PLAIN, "exactm")


def _mse(law: Law) -> Mse:
    """n MSE = f P (1 - P) + (1 - f) Q (1 - Q) over (P - Q)^2."""
    outputs, sizes = _of(law)
    p, q = privset.held(outputs), privset.other(outputs)
    formula = (F * (p * (1 - p)) + (1 - F) * (q * (1 - q))) / (USERS * (p - q) ** 2)
    return Mse(law, "vector", "sensitive", privset.estimator(outputs), sizes, formula=formula)  # type: ignore[arg-type]


def _chances(law: Law) -> All:
    outputs, sizes = _of(law)
    stated = {"held": privset.held(outputs), "other": privset.other(outputs)}
    return conjunction(*(Chance(law, "vector", "sensitive", event, p, sizes) for event, p in stated.items()))  # type: ignore[arg-type]


def _privacy(law: Law) -> Ratio:
    return Ratio(law, "vector", "ldp", sizes=_of(law)[1])  # type: ignore[arg-type]


def _tight(law: Law) -> Smallest:
    return Smallest(law, "vector", "ldp", sizes=_of(law)[1], constant=W)  # type: ignore[arg-type]


def _unbiased(law: Law) -> Unbiased:
    outputs, sizes = _of(law)
    return Unbiased(law, "vector", "sensitive", privset.estimator(outputs), sizes)  # type: ignore[arg-type]


def _both(made: Callable[[Law], Statement]) -> tuple[Statement, ...]:
    return made(PLAIN), made(PADDED)


_ONE_CHANCES = formula(
    _ONE_ITEM,
    *(
        ("eq", printed(_TWO_OUTPUTS).substitute({"m": 1}), stated.substitute({"D": _TWO_OUTPUTS}))
        for printed, stated in ((privset.held, ONE_HELD), (privset.other, ONE_OTHER))
    ),
)
"""P_k and Q_k for m = 1, without binomial coefficients."""

_SIDE = (SCALE * CHOSEN + SHIFT) ** 2
_THREE_OUTPUTS = CHOSEN + R + 2
_FIRST_DIFFERENCE = formula(
    _ONE_ITEM,
    (
        "eq",
        one_item(CHOSEN + 1, _THREE_OUTPUTS) - one_item(CHOSEN, _THREE_OUTPUTS),
        (privset.STEP * ((_SIDE - RADICAND) / (2 * SCALE))).substitute({"D": _THREE_OUTPUTS}),
    ),
    ("lt", term(0), privset.STEP.substitute({"D": _THREE_OUTPUTS})),
)
"""For D >= 3 and 1 <= k <= D - 2 the objective at k + 1 minus that at k is positive exactly where SCALE k + SHIFT is
larger than the square root of RADICAND."""
_AROUND: tuple[Relation, ...] = (
    ("lt", term(0), SCALE),
    ("lt", term(0), SHIFT),
    ("lt", SHIFT**2, RADICAND),
    ("le", RADICAND, _SIDE.substitute({"k": OUTPUTS - 1})),
    ("le", RADICAND, _SIDE.substitute({"k": OUTPUTS / (1 + W)})),
    ("lt", _SIDE.substitute({"k": OUTPUTS / (1 + W) - 1}), RADICAND),
)
_ROOT = formula({"D": _integer(2), "w": ABOVE_ONE}, *_AROUND)
"""(sqrt(RADICAND) - SHIFT) / SCALE is positive, at most D - 1, at most D / (1 + w), and more than D / (1 + w) - 1."""
_BEST = conjunction(_ONE_CHANCES, _FIRST_DIFFERENCE, _ROOT)

_BETWEEN = 2 * objective(SET_WEIGHTS, _ALL_OUTPUTS)
_BESIDE = objective(SET_WEIGHTS, _ALL_OUTPUTS, CHOSEN - 1) + objective(SET_WEIGHTS, _ALL_OUTPUTS, CHOSEN + 1)
_CONVEX = conjunction(
    *(
        formula(
            {"k": _integer(2), "r": _integer(1), "w": ABOVE_ONE},
            ("lt", _BETWEEN.substitute({"m": m}), _BESIDE.substitute({"m": m})),
        )
        for m in (1, 2, 3)
    )
)


def _at_eight(weights: Term, chosen: int) -> Term:
    """An objective on the padded domain (D = d + m) at d = 8 and m = 2."""
    return objective(weights, term(10), term(chosen)).substitute({"m": 2})


_SAME_CHOICE = formula(
    {"w": ABOVE_ONE},
    ("le", _at_eight(SINGLE_WEIGHTS, 2), _at_eight(SINGLE_WEIGHTS, 1)),
    where=tuple(_at_eight(SET_WEIGHTS, k) - _at_eight(SET_WEIGHTS, 2) for k in range(1, 9) if k != 2),
)
"""At d = 8, m = 2, 1 <= k <= d: where set-weights selects k = 2, single-weights does not prefer k = 1."""
_APART: dict[str, Term | int] = {"m": 1, "P": var("Q") + X}
_SAME_OBJECTIVE = formula(
    {"Q": ANY_SIZE, "D": _integer(2), "x": POSITIVE},
    ("eq", SET_WEIGHTS.substitute(_APART), SINGLE_WEIGHTS.substitute(_APART)),
)
"""For m = 1, as functions of P = Q + x, Q and D."""


def _summed(p: Term, q: Term, others: Term) -> Term:
    return (M * (p * (1 - p)) + others * (q * (1 - q))) / (p - q) ** 2


_AT_T = {"w": T ** (2 * M)}
_ONLY_CHOICE: dict[str, Term | int] = {"k": 1, "d": M + 1}
_ONLY_BETTER = formula(
    {"m": _integer(1), "t": ABOVE_ONE},
    (
        "lt",
        _summed(privset.held(D), privset.other(D), D - M).substitute(_AT_T).substitute(_ONLY_CHOICE),
        RIVAL.substitute(_ONLY_CHOICE),
    ),
)
"""Plain: D = d, every user holds m < d items, 1 <= k <= d - m; where d = m + 1 the best k is 1."""
_SLOPE = (D - 1) ** 2 * (T**4 - 1) - SQUARE * D
_MIDDLE = -_SLOPE / (2 * SQUARE)
"""m = 1: a multiple of the error minus RAPPOR's is SQUARE k^2 + SLOPE k + (D - 1)^2 D, smallest in the middle."""
_NEAREST = formula({"d": _integer(2), "t": ABOVE_ONE}, ("lt", term(1), 2 * _MIDDLE), ("lt", 2 * _MIDDLE, 2 * D - 1))
"""Some integer 1 <= k <= d - 1 is at a distance of at most 1/2 from the middle."""
_ANY_D: dict[str, Term | int] = {"d": CHOSEN + R}
_NEAREST_BETTER = formula(
    {"k": _integer(1), "r": _integer(1), "t": ABOVE_ONE},
    ("lt", one_item(outputs=CHOSEN + R).substitute({"w": T**2}), RIVAL.substitute(_ANY_D)),
    where=(1 - (2 * (CHOSEN - _MIDDLE.substitute(_ANY_D))) ** 2,),
)
"""Every such k is better, for all d = k + r."""
_ABOVE_LIMIT = formula(
    _SETS | {"m": _integer(2), "x": ANY_SIZE},
    ("lt", LIMIT, _summed(privset.held(_ALL_OUTPUTS), privset.other(_ALL_OUTPUTS), X)),
)
"""Both readings, with x = d - m: plain D = d, padded D = d + m."""
_LARGE = formula(
    {"d": _integer(1), "m": _integer(2), "t": ABOVE_ONE}, ("le", RIVAL, LIMIT), where=(LIMIT * (T - 1) ** 2 - D * T,)
)
"""d t <= m (m - 1) (t - 1)^2."""

FORMAL: dict[str, Formal] = {
    "002.base.privset.norm@plain": _chances(PLAIN),
    "002.base.privset.norm@padded": _chances(PADDED),
    "002.base.privset.privacy": conjunction(*_both(_privacy)),
    "002.base.privset.tight": conjunction(*_both(_tight)),
    "002.base.privset.unbiased": conjunction(*_both(_unbiased)),
    "002.base.privset.ksearch": Not(_BEST),
    "002.base.privset.ksearch.corrected": _BEST,
    "002.base.privset.ksearch.corrected2": _CONVEX,
    "002.base.privset.objective": _SAME_CHOICE,
    "002.base.privset.objective.corrected": _SAME_OBJECTIVE,
    "002.base.privset.better": conjunction(_RAPPOR, _mse(PLAIN), _ONLY_BETTER),
    "002.base.privset.better.corrected": conjunction(_RAPPOR, _mse(PLAIN), _ONE_CHANCES, _NEAREST, _NEAREST_BETTER),
    "002.base.privset.better.corrected2": conjunction(_RAPPOR, *_both(_mse), _ABOVE_LIMIT, _LARGE),
}
"""Every id of PrivSet with its formal statement."""
