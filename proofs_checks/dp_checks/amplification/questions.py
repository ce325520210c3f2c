"""Questions about shuffled reports, answered from both sides: epsilon, delta, the budget of the randomizer, dummies."""

from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import partial
from math import isfinite
from typing import NamedTuple

from dp_checks.amplification import tuning
from dp_checks.amplification.constructions import Construction, lowers, uppers
from dp_checks.amplification.ends import Bound, End, UncertifiedError
from dp_checks.amplification.search import Near, change, crossing
from dp_checks.amplification.setting import MAX_EPSILON, MAX_USERS, MIN_EPSILON, Setting
from dp_checks.kernel.cards.blanket import Shuffled
from dp_spec.vocabulary.exceptions import RefusedError

TRIES = 12
"""Decimals that are tried, each twice as far from what was found as the one before."""
EDGE = Fraction(1, 10**12)
"""Beyond the budget of the randomizer, where delta is 0."""
NOTHING = "nothing is smaller"
MIN_EPSILON0 = 1e-4
"""From there on a budget is sought."""


class Enclosure(NamedTuple):
    """Two numbers with the true one between them, and what shows each; what was left out, and why."""

    lower: End
    upper: End
    left_out: tuple[str, ...] = ()


Search = Callable[[Construction, Decimal | None], End | None]
"""The end that a construction gives, if it shows the second number, which is better than what others gave."""


class UnreachableError(RefusedError):
    """No setting of the kind that was asked for has the wanted privacy."""


def epsilon(setting: Setting, delta: Fraction, digits: int, work: int) -> Enclosure:
    """The smallest epsilon with delta(epsilon) <= delta for all neighboring data sets, between decimals of so many
    significant digits. Raises `UncertifiedError` if checking an end takes more than `work` units."""

    near: Near | None = None  # what the construction before shows: an epsilon above 0, so that 0 is none of this one's

    def end(construction: Construction, rival: Decimal | None) -> End | None:
        nonlocal near
        high, bound = construction.high, Bound(setting, construction, delta, work)
        if rival is not None and not _shows(bound, Fraction(rival)):
            return None
        coarse, fine = (partial(bound.excess, pieces=pieces) for pieces in (tuning.COARSE, bound.fine))
        if near is None and tuning.hidden(bound.shuffled(0), delta) and coarse(0) <= 0:
            at_0 = bound.accepted(Fraction(0), delta, Decimal(0), bound.told(0)) if high else End(Decimal(0), NOTHING)
            if at_0 is not None:  # a float may have decided wrongly
                return at_0
        if setting.epsilon0 is None and coarse(setting.most) > 0:
            raise UnreachableError(f"no epsilon up to {setting.most:g} is enough for delta: add dummies")
        if near is None:
            near = crossing(coarse, _start(bound.shuffled(0), delta, setting.most), setting.most, 1e-5)
        near = crossing(fine, near, setting.most, 10.0 ** -(digits + 1))
        tried = _outwards(Fraction(near.root), digits, up=high)
        if high:  # at once where delta is reached at 0, or at the budget of the randomizer
            edges = (Fraction(MIN_EPSILON), Fraction(setting.most) * (1 + EDGE))
            tried += [_outwards(edge, digits, up=True)[0] for edge in edges if near.root < edge]
        for value in tried:
            if found := bound.accepted(Fraction(value), delta, value, bound.told(Fraction(value))):
                return found
        return None if high or near.root > MIN_EPSILON else End(Decimal(0), NOTHING)

    return _enclosure(setting, end, work, digits)


def delta(setting: Setting, eps: Fraction, digits: int, work: int) -> Enclosure:
    """The largest delta(eps) of neighboring data sets, between decimals. Raises as `epsilon`."""

    def end(construction: Construction, rival: Decimal | None) -> End | None:
        bound = Bound(setting, construction, Fraction(1, 10**6), work)
        bound = replace(bound, delta=tuning.expected(bound.shuffled(0), eps))
        value = bound.at(eps, bound.fine)
        if rival is not None and (value < Fraction(rival)) is not construction.high:
            return None
        if value <= 0 and not construction.high:
            return End(Decimal(0), NOTHING)
        for near in _outwards(value, digits, up=construction.high) if value else [Decimal(0)]:
            if found := bound.accepted(eps, Fraction(near), near, bound.told(eps)):
                return found
        return None

    return _enclosure(setting, end, work, digits)


def epsilon0(setting: Setting, eps: Fraction, delta: Fraction, digits: int, work: int) -> Enclosure:
    """How large the budget of the randomizer may be: with the lower one every data set has delta(eps) <= delta, with
    the upper one some data set has more. Raises as `epsilon`, and `UnreachableError`."""

    def asked(construction: Construction, budget: Fraction) -> Bound:
        return Bound(replace(setting, epsilon0=str(budget)), construction, delta, work)

    def end(construction: Construction, rival: Decimal | None) -> End | None:
        if rival is not None and not _shows(asked(construction, Fraction(rival)), eps):
            return None

        def excess(budget: float, pieces: int = tuning.COARSE) -> float:
            return asked(construction, Fraction(budget)).excess(eps, pieces)

        safe, broken = change(excess, MIN_EPSILON0, MAX_EPSILON, 1e-4)
        if safe == broken:
            which = f"even {MAX_EPSILON:g} has" if excess(MAX_EPSILON) <= 0 else f"not even {MIN_EPSILON0:g} has"
            raise UnreachableError(f"no epsilon0 is the largest one: {which} the wanted epsilon and delta")
        fine = partial(excess, pieces=tuning.pieces(setting.users))
        safe, broken = change(fine, safe * 0.999, broken * 1.001, 10.0 ** -(digits + 1))
        for value in _outwards(Fraction(safe if construction.high else broken), digits, up=not construction.high):
            bound = asked(construction, Fraction(value))
            if found := bound.accepted(eps, delta, value, bound.told(eps)):
                return found
        return None

    return _enclosure(setting, end, work, digits, inverse=True)


def dummies(setting: Setting, eps: Fraction, delta: Fraction, work: int) -> Enclosure:
    """How many uniform messages are needed for delta(eps) <= delta: with the lower number some data set has more, with
    the upper one none has. Raises as `epsilon0`."""

    def asked(construction: Construction, number: int) -> Bound:
        return Bound(replace(setting, dummies=number), construction, delta, work)

    def end(construction: Construction, rival: Decimal | None) -> End | None:
        if rival is not None and not _shows(asked(construction, int(rival)), eps):
            return None

        def shortage(number: float, pieces: int = tuning.COARSE) -> float:
            return -asked(construction, int(number)).excess(eps, pieces)

        fine = partial(shortage, pieces=tuning.KNOTS)
        if setting.mechanism != "dump" and fine(0) >= 0:
            bound = asked(construction, 0)
            if not construction.high:
                return End(Decimal(0), NOTHING)
            return bound.accepted(eps, delta, Decimal(0), bound.told(eps))
        few, enough = 1.0, 4.0 * setting.labels
        while enough < MAX_USERS and shortage(enough) < 0:
            few, enough = enough, min(4 * enough, float(MAX_USERS))
        few, enough = change(shortage, few, enough, 1e-3)
        while few > 1 and fine(few) >= 0:
            few = max(1.0, few * 0.99 - 1)
        while enough < MAX_USERS and fine(enough) < 0:
            enough = min(enough * 1.01 + 1, float(MAX_USERS))
        few, enough = change(lambda number: fine(number) or 1.0, few, enough, 1 / (4 * enough))
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

    return _enclosure(setting, end, work, None)


def _start(s: Shuffled, delta: Fraction, most: float) -> Near:
    """About where delta is reached, and another point of the curve, by normal laws."""
    goal = tuning.logarithm(delta)
    start = Near(tuning.guess(s, delta), (0.0, -goal), of_another=False)
    if not isfinite(tuning.gaussian(s, min(start.root, most))):
        return start
    return crossing(lambda eps: tuning.gaussian(s, eps) - goal, start, most, 1e-3)


def _outwards(number: Fraction, digits: int, *, up: bool) -> list[Decimal]:
    """Decimals above (below) a number, each twice as far as the one before."""
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    nearest = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    unit = Decimal((0, (1,), nearest.adjusted() - digits + 1))
    steps = [((1 << i) - 1) * unit for i in range(TRIES)]
    return [nearest + step if up else max(Decimal(0), nearest - step) for step in steps]


def _shows(bound: Bound, eps: Fraction) -> bool:
    """Whether a bound is on its side of the wanted delta."""
    return (bound.excess(eps, bound.fine) <= 0) is bound.construction.high


def _enclosure(setting: Setting, end: Search, work: int, digits: int | None, *, inverse: bool = False) -> Enclosure:
    """The best ends; upper bounds of delta give the lower end of an inverse question. Raises `UncertifiedError` or
    `UnreachableError` if one side has none."""
    refused: list[RefusedError] = []
    shown = _best(lowers(setting), end, digits, refused, larger=not inverse)
    held = _best(uppers(setting, work), end, digits, refused, larger=inverse)
    limits = [error for error in refused if isinstance(error, UncertifiedError)]
    if shown is None or held is None:
        if limits:
            raise max(limits, key=lambda error: error.units)
        raise refused[0] if refused else UncertifiedError("the kernel accepts no bound that was tried")
    left_out = tuple(dict.fromkeys(map(str, limits)))
    return Enclosure(held, shown, left_out) if inverse else Enclosure(shown, held, left_out)


def _best(
    listed: list[Construction], end: Search, digits: int | None, refused: list[RefusedError], *, larger: bool
) -> End | None:
    """The largest or smallest end that the constructions give; why some give none is added to a list."""
    best: End | None = None
    for construction in listed:
        rival = None if best is None else _better(best.value, digits, larger=larger)
        try:
            found = end(construction, rival)
        except (UncertifiedError, UnreachableError) as error:
            refused.append(error)
            continue
        if found is not None and (best is None or (found.value > best.value if larger else found.value < best.value)):
            best = found
    return best


def _better(value: Decimal, digits: int | None, *, larger: bool) -> Decimal | None:
    """The next number of so many digits, or integer; None beside 0."""
    if digits is None:
        return value + 1 if larger else value - 1 if value else None
    unit = Decimal((0, (1,), value.adjusted() - digits + 1))
    return (value + unit if larger else value - unit) if value else None
