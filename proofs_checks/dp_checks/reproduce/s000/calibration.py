"""The largest local budget, and the fewest dummies, for which the kernel accepts that (epsilon, delta) is kept.

Only the safe ends of the enclosures of `dp_checks.amplification` are needed: the privacy blanket, for every data set
and any hash functions. It is tuned for values near delta, and far below them costly or loose. There a bound of
something larger is used: delta(epsilon) falls when epsilon grows, and grows with the local budget, as randomized
response with a smaller one is that with a larger one, its results replaced by uniform labels now and then.
"""

from dataclasses import replace
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from dp_checks.amplification import tuning
from dp_checks.amplification.constructions import uppers
from dp_checks.amplification.ends import Bound, UncertifiedError
from dp_checks.amplification.questions import TRIES, UnreachableError
from dp_checks.amplification.search import change
from dp_checks.amplification.setting import MAX_USERS, Setting
from dp_checks.kernel.work import DEFAULT

PRECISION = 1e-3
"""Of what is found, relative: how far it is from the last number that the bound allows, before it is rounded."""
DIGITS = 6
LARGER = ((1, 1), (2, 1), (4, 1), (1, 2), (1, 4), (1, 8), (1, 16))
"""Where a bound without dummies is looked for: the local budget multiplied, epsilon divided."""
LARGEST = 24.0
"""A search for a local budget begins here, or above its guess, and goes down in such steps:"""
STEP = 0.85
LEAST = 1e-3
FIRST = 64
"""A search for dummies begins with so small a part of its guess."""


class Target(NamedTuple):
    """The central budget: epsilon, delta."""

    epsilon: Fraction
    delta: Fraction


def local_budget(setting: Setting, target: Target) -> Decimal:
    """The largest epsilon_0 that is found to keep the target. Raises `UnreachableError` where there is none,
    `UncertifiedError` where the kernel accepts none."""

    def excess(budget: float) -> float:
        return _bound(replace(setting, epsilon0=str(Fraction(budget))), target).excess(target.epsilon, tuning.COARSE)

    high = LARGEST
    while excess(high * STEP) > 0:
        high *= STEP
        if high < LEAST:
            raise UnreachableError(f"no local budget from {LEAST} to {LARGEST} is found to keep the central one")
    safe, _ = change(excess, high * STEP, high, PRECISION)
    nearest = Context(prec=DIGITS, rounding=ROUND_FLOOR).create_decimal_from_float(safe)
    unit = Decimal((0, (1,), nearest.adjusted() - DIGITS + 1))
    for step in range(TRIES):
        value = nearest - ((1 << step) - 1) * unit
        if _accepted(replace(setting, epsilon0=str(Fraction(value))), target):
            return value
    raise UncertifiedError("the kernel accepts no local budget that was tried")


def dummies(setting: Setting, target: Target, guess: int) -> int:
    """How many uniform messages are found to be enough; the search begins far below a guess.

    Raises as `local_budget`.
    """

    def excess(number: float) -> float:
        return _bound(replace(setting, dummies=int(number)), target).excess(target.epsilon, tuning.COARSE)

    if enough_alone(setting, target):
        return 0
    # from below: bounds of numbers that are much too large are loose
    few, enough = 1.0, max(float(guess // FIRST), 1.0)
    while excess(enough) > 0:
        few, enough = enough, 4 * enough
        if enough > MAX_USERS:
            raise UnreachableError(f"not even {MAX_USERS} uniform messages are found to be enough")
    _, enough = change(lambda number: -excess(number) or 1.0, few, enough, PRECISION)
    for step in range(TRIES):
        number = int(enough * (1 + PRECISION * ((1 << step) - 1))) + 1
        if _accepted(replace(setting, dummies=number), target):
            return number
    raise UncertifiedError("the kernel accepts no number of dummies that was tried")


def enough_alone(setting: Setting, target: Target) -> bool:
    """Whether the randomizers are found to keep the target without dummies."""
    assert setting.epsilon0 is not None
    for times, parts in LARGER:
        harder = replace(setting, epsilon0=str(times * Fraction(setting.epsilon0)))
        try:
            if _accepted(harder, Target(target.epsilon / parts, target.delta)):
                return True
        except UncertifiedError:  # too far below delta
            continue
    return False


def _accepted(setting: Setting, target: Target) -> bool:
    """Whether the kernel accepts that delta(epsilon) <= delta."""
    bound = _bound(setting, target)
    if bound.excess(target.epsilon, tuning.COARSE) > 0:
        return False
    told = bound.construction.evidence(bound.shuffled(target.epsilon), bound.delta, tuning.COARSE)
    return bound.accepted(target.epsilon, target.delta, Decimal(0), told) is not None


def _bound(setting: Setting, target: Target) -> Bound:
    blanket, *_ = uppers(setting)
    return Bound(setting, blanket, target.delta, DEFAULT)
