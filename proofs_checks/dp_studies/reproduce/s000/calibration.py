"""The largest local budget, and the fewest dummies, for which the kernel accepts that (epsilon, delta) is kept.

Only the safe ends of the enclosures of `dp_studies.comparisons.amplification` are needed, roughly: the privacy blanket,
for every data set and any hash functions.
"""

from dataclasses import replace
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from dp_checks.check import divergence_windows
from dp_kernel.meter import DEFAULT
from dp_studies.comparisons.amplification.constructions import uppers
from dp_studies.comparisons.amplification.enclosure import Bound, UncertifiedError
from dp_studies.comparisons.amplification.query import MAX_USERS, Setting
from dp_studies.comparisons.amplification.roots import bracket, narrowed
from dp_studies.comparisons.amplification.solve import TRIES, UnreachableError

PRECISION = 1e-3
"""Of what is found, relative: how far it is from the last number that the bound allows, before it is rounded."""
DIGITS = 6
LARGEST = 24.0
"""A search for a local budget begins here, and goes down in such steps (of its logarithm):"""
STEP = 0.16
LEAST = 1e-3
FIRST, LONGER = 64, 1.4
"""A search for dummies begins with so small a part of its guess, and goes up in such steps (of their logarithm)."""


class Target(NamedTuple):
    """The central budget: epsilon, delta."""

    epsilon: Fraction
    delta: Fraction


def local_budget(setting: Setting, target: Target) -> Decimal:
    """The largest epsilon_0 that is found to keep the target. Raises `UnreachableError` where there is none,
    `UncertifiedError` where the kernel accepts none."""

    def excess(budget: float) -> float:
        return _bound(replace(setting, epsilon0=str(Fraction(budget))), target).excess(
            target.epsilon, divergence_windows.COARSE
        )

    places = bracket(excess, LARGEST, LARGEST, LEAST, STEP, STEP)
    if excess(places[1]) > 0:
        raise UnreachableError(f"no local budget from {LEAST} to {LARGEST} is found to keep the central one")
    _, safe = narrowed(excess, *places, lambda budget: PRECISION * budget)
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
        return _bound(replace(setting, dummies=int(number)), target).excess(target.epsilon, divergence_windows.COARSE)

    if enough_alone(setting, target):
        return 0
    start = min(max(float(guess // FIRST), 1.0), float(MAX_USERS))
    places = bracket(excess, start, 1.0, float(MAX_USERS), LONGER, LONGER)
    if excess(places[1]) > 0:
        raise UnreachableError(f"not even {MAX_USERS} uniform messages are found to be enough")
    _, enough = narrowed(excess, *places, lambda number: max(PRECISION * number, 0.5))
    for step in range(TRIES):
        number = int(enough * (1 + PRECISION * ((1 << step) - 1))) + 1
        if _accepted(replace(setting, dummies=number), target):
            return number
    raise UncertifiedError("the kernel accepts no number of dummies that was tried")


def enough_alone(setting: Setting, target: Target) -> bool:
    """Whether the randomizers are found to keep the target without dummies."""
    return _accepted(setting, target)


def _accepted(setting: Setting, target: Target) -> bool:
    """Whether the kernel accepts that delta(epsilon) <= delta."""
    bound = _bound(setting, target)
    shown = bound.eased(target.epsilon, divergence_windows.COARSE)
    return shown.value <= target.delta and bound.accepted(target.epsilon, target.delta, Decimal(0), shown) is not None


def _bound(setting: Setting, target: Target) -> Bound:
    blanket, *_ = uppers(setting)
    return Bound(setting, blanket, target.delta, DEFAULT)
