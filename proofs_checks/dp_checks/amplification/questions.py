"""Questions about shuffled reports, answered from both sides: epsilon, delta, the budget of the randomizer, dummies."""

from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from dp_checks.amplification import tuning
from dp_checks.amplification.constructions import Construction, lowers, uppers
from dp_checks.amplification.ends import Bound, End, UncertifiedError
from dp_checks.amplification.search import change, crossing
from dp_checks.amplification.setting import MAX_USERS, Setting
from dp_spec.vocabulary.exceptions import RefusedError

TRIES = 12
"""Decimals that are tried, each twice as far from what was found as the one before."""
NOTHING = "nothing is smaller"
MIN_EPSILON0, MAX_EPSILON0 = 1e-4, 64.0
"""Between these a budget is sought."""


class Enclosure(NamedTuple):
    """Two numbers with the true one between them, and what shows each."""

    lower: End
    upper: End


class UnreachableError(RefusedError):
    """No setting of the kind that was asked for has the wanted privacy."""


def epsilon(setting: Setting, delta: Fraction, digits: int, work: int) -> Enclosure:
    """The smallest epsilon with delta(epsilon) <= delta for all neighboring data sets, between decimals of so many
    significant digits. Raises `UncertifiedError` if checking an end takes more than `work` units."""

    def end(construction: Construction) -> End | None:
        high, bound = construction.high, Bound(setting, construction, delta, work)
        if bound.excess(0, tuning.COARSE) <= 0:
            return bound.accepted(Fraction(0), delta, Decimal(0), bound.told(0)) if high else End(Decimal(0), NOTHING)
        guess, at_zero = tuning.guess(bound.shuffled(0), delta), -tuning.logarithm(delta)
        for pieces, precision in ((tuning.COARSE, 1e-5), (tuning.KNOTS, 10.0 ** -(digits + 1))):
            guess = crossing(partial(bound.excess, pieces=pieces), guess, at_zero, precision)
        for value in _outwards(Fraction(guess), digits, up=high):
            if found := bound.accepted(Fraction(value), delta, value, bound.told(Fraction(value))):
                return found
        return None

    return _enclosure(setting, end)


def delta(setting: Setting, eps: Fraction, digits: int, work: int) -> Enclosure:
    """The largest delta(eps) of neighboring data sets, between decimals. Raises as `epsilon`."""

    def end(construction: Construction) -> End | None:
        bound = Bound(setting, construction, Fraction(1, 10**6), work)
        bound = replace(bound, delta=tuning.expected(bound.shuffled(0), eps))
        value = bound.at(eps)
        if value <= 0 and not construction.high:
            return End(Decimal(0), NOTHING)
        for near in _outwards(value, digits, up=construction.high) if value else [Decimal(0)]:
            if found := bound.accepted(eps, Fraction(near), near, bound.told(eps)):
                return found
        return None

    return _enclosure(setting, end)


def epsilon0(setting: Setting, eps: Fraction, delta: Fraction, digits: int, work: int) -> Enclosure:
    """How large the budget of the randomizer may be: with the lower one every data set has delta(eps) <= delta, with
    the upper one some data set has more. Raises as `epsilon`, and `UnreachableError`."""

    def asked(construction: Construction, budget: Fraction) -> Bound:
        return Bound(replace(setting, epsilon0=str(budget)), construction, delta, work)

    def end(construction: Construction) -> End | None:
        def excess(budget: float, pieces: int = tuning.COARSE) -> float:
            return asked(construction, Fraction(budget)).excess(eps, pieces)

        safe, broken = change(excess, MIN_EPSILON0, MAX_EPSILON0, 1e-4)
        if safe == broken:
            raise UnreachableError(f"no budget between {MIN_EPSILON0} and {MAX_EPSILON0} changes the answer")
        fine = partial(excess, pieces=tuning.KNOTS)
        safe, broken = change(fine, safe * 0.999, broken * 1.001, 10.0 ** -(digits + 1))
        for value in _outwards(Fraction(safe if construction.high else broken), digits, up=not construction.high):
            bound = asked(construction, Fraction(value))
            if found := bound.accepted(eps, delta, value, bound.told(eps)):
                return found
        return None

    found = _ends(setting, end)
    return Enclosure(_best(found[1], largest=True), _best(found[0], largest=False))


def dummies(setting: Setting, eps: Fraction, delta: Fraction, work: int) -> Enclosure:
    """How many uniform messages are needed for delta(eps) <= delta: with the lower number some data set has more, with
    the upper one none has. Raises as `epsilon0`."""

    def asked(construction: Construction, number: int) -> Bound:
        return Bound(replace(setting, dummies=number), construction, delta, work)

    def end(construction: Construction) -> End | None:
        def shortage(number: float) -> float:
            return -asked(construction, int(number)).excess(eps, tuning.KNOTS)

        if setting.mechanism != "dump" and shortage(0) >= 0:
            bound = asked(construction, 0)
            if not construction.high:
                return End(Decimal(0), NOTHING)
            return bound.accepted(eps, delta, Decimal(0), bound.told(eps))
        few, enough = 1.0, 4.0 * setting.labels
        while enough < MAX_USERS and shortage(enough) < 0:
            few, enough = enough, 4 * enough
        few, enough = change(lambda number: shortage(number) or 1.0, few, enough, 1 / (4 * enough))
        if few == enough == 1:
            few = 0.0
        elif few == enough:
            raise UnreachableError(f"not even {MAX_USERS} uniform messages are enough")
        for step in range(TRIES):
            number = int(enough) + (1 << step) - 1 if construction.high else max(0, int(few) + 1 - (1 << step))
            bound = asked(construction, number)
            if found := bound.accepted(eps, delta, Decimal(number), bound.told(eps)):
                return found
        return None

    return _enclosure(setting, end)


def _outwards(number: Fraction, digits: int, *, up: bool) -> list[Decimal]:
    """Decimals above (below) a number, each twice as far as the one before."""
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    nearest = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    unit = Decimal((0, (1,), nearest.adjusted() - digits + 1))
    steps = [((1 << i) - 1) * unit for i in range(TRIES)]
    return [nearest + step if up else max(Decimal(0), nearest - step) for step in steps]


def _ends(setting: Setting, end: Callable[[Construction], End | None]) -> tuple[list[End], list[End]]:
    """What the constructions of lower bounds, and those of upper bounds, give. Raises `UncertifiedError` if one side
    has none."""
    found = tuple([one for one in map(end, listed) if one is not None] for listed in (lowers(setting), uppers(setting)))
    for side in found:
        if not side:
            raise UncertifiedError("the kernel accepts no bound that was tried: allow more work (--work)")
    return found[0], found[1]


def _enclosure(setting: Setting, end: Callable[[Construction], End | None]) -> Enclosure:
    low, high = _ends(setting, end)
    return Enclosure(_best(low, largest=True), _best(high, largest=False))


def _best(ends: list[End], *, largest: bool) -> End:
    return (max if largest else min)(ends, key=lambda end: end.value)
