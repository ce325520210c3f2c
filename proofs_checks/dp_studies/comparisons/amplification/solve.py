"""Questions about shuffled reports, answered from both sides: epsilon, delta, the budget of the randomizer, dummies.

True deltas are monotone in all of them; bounds need not be, and no search takes them for it: the end that holds for
every data set is sought from where nothing holds, the other end away from there.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cache, partial
from math import inf
from typing import NamedTuple

from dp_checks.check import divergence_windows
from dp_spec.vocabulary.exceptions import RefusedError
from dp_studies.comparisons.amplification.constructions import Construction, lowers, uppers
from dp_studies.comparisons.amplification.enclosure import Bound, DeltaEvidence, End, UncertifiedError
from dp_studies.comparisons.amplification.query import MAX_EPSILON, MAX_USERS, MIN_EPSILON, Setting
from dp_studies.comparisons.amplification.roots import FIRST, LONGER, Excess, bracket, narrowed

Refused = dict[str, UncertifiedError]
"""Constructions in words that would take more work than is allowed."""
TRIES = 12
"""Decimals that are tried, each twice as far from what was found as the one before."""
DOUBLE = 15
"""Digits that a search in doubles has: decimals beyond them do not lie farther out."""
EDGE = 1e-12
"""Relative distance from the budget of the randomizer, beyond which delta is 0."""
NOTHING, EVERYTHING, LARGEST = "nothing is smaller", "no chance is larger", "no larger epsilon0 is looked at"
MIN_EPSILON0 = 1e-4
"""From there on a budget is sought."""
ROUGH = 1e-3
"""How far apart two places are, relatively, from which on bounds are as fine as they can be."""
BUDGET, NUMBER = 0.35, 0.7
"""Steps between budgets, and numbers of dummies, at which a first bound is looked for (of their logarithms)."""
BEGIN = 2
"""A search for dummies begins at such a part of its guess."""
OVER, STEEP = 1.1, 0.1
"""How much farther than a slope tells a first step goes, and how far at most."""
LONGEST = 0.2
"""Of the steps (of logarithms) from where nothing is known to hold."""
WINDOWS = 6
"""How often windows are widened for a delta that is smaller than the one they are for."""
LOOSE = 100
"""How many times as large as what normal laws tell a bound is, where it is tried whether delta is practically 0."""
GOALS = tuple(Fraction(1, 10**i) for i in (150, 100, 60, 30, 15))
"""Deltas that are practically 0: one of them is shown at a smaller epsilon."""


class Enclosure(NamedTuple):
    """Two numbers with the true one between them, and what shows each; what was left out, and why."""

    lower: End
    upper: End
    left_out: tuple[str, ...] = ()


class UnreachableError(RefusedError):
    """No setting of the kind that was asked for has the wanted privacy."""


@dataclass(frozen=True)
class Sought:
    """A number that is asked for.

    `bound` is what a construction gives at a number, with the epsilon; from some number on (above it, if `up`, else
    below) the wanted privacy holds. A search begins at `start`, a good guess or, where there is a `step`, any number:
    it goes by such steps (of logarithms) towards `safe`, or away from it as far as `unsafe`. `digits`: of decimals
    (None: integers are sought). `zero`: 0 is tried, too. `reach` says what it means if the wanted privacy holds at no
    number that is tried, or at all of them (None: that says nothing). `slope`: about how fast bounds change, for the
    first step from a good guess.
    """

    bound: Callable[[Construction, Fraction], tuple[Bound, Fraction]]
    up: bool
    start: float
    step: float | None
    unsafe: float
    safe: float
    digits: int | None
    zero: bool
    reach: tuple[str | None, str | None]
    slope: float | None = None

    def of(self, construction: Construction, refused: Refused) -> "Curve":
        """What the construction shows; where it takes too much work that is nothing."""

        cheap = set[float]()

        def value(number: float, *, fine: bool) -> float:
            bound, eps = self.bound(construction, self.exact(number))
            try:
                evidence = bound.eased(eps, self._fine(bound) if fine else divergence_windows.COARSE)
            except UncertifiedError as error:
                refused[construction.words] = error
                return inf
            if fine and evidence.cheaper:
                cheap.add(number)
            return bound.excess_of(evidence)

        return Curve(construction, cache(partial(value, fine=False)), cache(partial(value, fine=True)), cheap)

    def exact(self, number: float) -> Fraction:
        """The number, an integer where integers are sought."""
        return Fraction(number) if self.digits else Fraction(int(number))

    def apart(self, number: float) -> float:
        """How far apart two places may be at last."""
        return number * 10.0 ** -(self.digits + 1) if self.digits else 0.5

    def outwards(self, number: float, *, up: bool) -> list[Decimal]:
        """Numbers on one side of this one, each twice as far as the one before."""
        if self.digits:
            return outwards(Fraction(number), self.digits, up=up)
        steps = [(1 << i) - 1 for i in range(TRIES)]
        return [Decimal(int(number) + step if up else max(0, int(number) - step)) for step in steps]

    def beside(self, value: Decimal, *, up: bool) -> float:
        """The next number of so many digits, or integer."""
        unit = Decimal((0, (1,), value.adjusted() - self.digits + 1)) if self.digits else Decimal(1)
        return float(value + unit if up else value - unit)

    def end(self, construction: Construction, value: Decimal) -> End | None:
        """The end at this number, if the kernel accepts it. Raises `UncertifiedError`."""
        bound, eps = self.bound(construction, Fraction(value))
        pieces = self._fine(bound)
        try:  # mostly the bound at the place itself is enough
            end = bound.accepted(eps, bound.delta, value, bound.evidence(eps, pieces))
        except UncertifiedError:
            end = None
        return end or bound.accepted(eps, bound.delta, value, bound.eased(eps, pieces))

    def _fine(self, bound: Bound) -> int:
        return bound.fine if self.digits else min(bound.fine, divergence_windows.KNOTS)


class Curve(NamedTuple):
    """A construction, and two functions that are at most 0 where it shows what is wanted: a rough one, and a fine one
    that takes more work; numbers at which that was computed less finely than it could be."""

    construction: Construction
    rough: Excess
    fine: Excess
    cheap: set[float]


def epsilon(setting: Setting, delta: Fraction, digits: int, work: int) -> Enclosure:
    """The smallest epsilon with delta(epsilon) <= delta for all neighboring data sets, between decimals of so many
    significant digits. Raises `UnreachableError` where there is none, `UncertifiedError` where checking an end takes
    more than `work` units."""

    def bound(construction: Construction, eps: Fraction) -> tuple[Bound, Fraction]:
        return Bound(setting, construction, delta, work), eps

    s = bound(uppers(setting)[0], Fraction(0))[0].affordable()
    most = setting.most if setting.epsilon0 is None else setting.most * (1 + EDGE)
    start = min(max(divergence_windows.reached(s, delta, most), MIN_EPSILON), most)
    none = f"no epsilon up to {most:g} is enough for delta: add dummies" if setting.epsilon0 is None else None
    zero = divergence_windows.hidden(s, delta)
    sought = Sought(
        bound, True, start, None, MIN_EPSILON, most, digits, zero, (none, None), divergence_windows.slope(s, start)
    )
    return _enclosure(setting, sought, work)


def epsilon0(setting: Setting, eps: Fraction, delta: Fraction, digits: int, work: int) -> Enclosure:
    """How large the budget of the randomizer may be: with the lower one every data set has delta(eps) <= delta, with
    the upper one some data set has more. Raises as `epsilon`."""

    def bound(construction: Construction, budget: Fraction) -> tuple[Bound, Fraction]:
        return Bound(replace(setting, epsilon0=str(budget)), construction, delta, work), eps

    safe = min(max(MIN_EPSILON0, float(eps) * (1 - EDGE)), MAX_EPSILON)
    no = "no epsilon0 is the largest one: {} has the wanted epsilon and delta"
    reach = no.format(f"not even {safe:g}"), no.format(f"even {MAX_EPSILON:g}")
    sought = Sought(bound, False, MAX_EPSILON, BUDGET, MAX_EPSILON, safe, digits, False, reach)
    return _enclosure(setting, sought, work)


def dummies(setting: Setting, eps: Fraction, delta: Fraction, work: int) -> Enclosure:
    """How many uniform messages are needed for delta(eps) <= delta: with the lower number some data set has more, with
    the upper one none has. Raises as `epsilon`."""

    def bound(construction: Construction, number: Fraction) -> tuple[Bound, Fraction]:
        return Bound(replace(setting, dummies=int(number)), construction, delta, work), eps

    s = Bound(replace(setting, dummies=1), uppers(setting)[0], delta, work).shuffled(eps)
    start = min(max(1.0, divergence_windows.uniform(s, eps, delta) / BEGIN), float(MAX_USERS))
    none = f"not even {MAX_USERS} uniform messages are enough"
    zero = setting.mechanism != "dump"
    sought = Sought(bound, True, start, NUMBER, 1.0, float(MAX_USERS), None, zero, (none, None))
    return _enclosure(setting, sought, work)


def delta(setting: Setting, eps: Fraction, digits: int, work: int) -> Enclosure:
    """The largest delta(eps) of neighboring data sets, between decimals."""
    refused: Refused = {}

    def end(construction: Construction) -> End:
        try:
            return _of_delta(Bound(setting, construction, divergence_windows.SMALLEST, work), eps, digits)
        except UncertifiedError as error:
            refused[construction.words] = error
            return _extreme(high=construction.high)

    upper = min(map(end, uppers(setting, work)), key=lambda one: one.value)
    lower = max(map(end, lowers(setting)), key=lambda one: one.value)
    return Enclosure(lower, upper, tuple(map(str, refused.values())))


def _of_delta(bound: Bound, eps: Fraction, digits: int) -> End:
    """The end that a construction gives of delta at an epsilon."""
    high = bound.construction.high
    evidence = _widened(bound, eps)
    loose = high and evidence.value > LOOSE * divergence_windows.likely(bound.shuffled(0), eps)
    for goal in GOALS if loose else ():
        if goal >= evidence.value:
            break
        eased = replace(bound, delta=goal).eased(eps, divergence_windows.COARSE)
        if eased.value <= goal:
            evidence = replace(eased, value=goal)
            break
    if evidence.value < divergence_windows.SMALLEST and not high:
        return _extreme(high=False)
    value = max(evidence.value, divergence_windows.SMALLEST) if evidence.value else evidence.value
    for near in outwards(value, digits, up=high) if value else [Decimal(0)]:
        if near < 1 and (end := bound.accepted(eps, Fraction(near), near, evidence)):
            return end
    return _extreme(high=high)


def _widened(bound: Bound, eps: Fraction) -> DeltaEvidence:
    """The bound in windows for a delta that is the smaller, the less is shown in those before."""
    high, best = bound.construction.high, DeltaEvidence(Fraction(bound.construction.high), {})
    guess = divergence_windows.likely(bound.shuffled(0), eps)
    for _ in range(WINDOWS):
        tried = replace(bound, delta=guess).at(eps, bound.fine)
        better = tried.value < best.value if high else tried.value > best.value
        much = better and abs(tried.value - best.value) > ROUGH * min(tried.value, best.value)
        best = tried if better else best
        if not much or guess == divergence_windows.SMALLEST:
            break
        guess = max(divergence_windows.SMALLEST, min(guess, best.value) * guess)
    return best


def _extreme(*, high: bool) -> End:
    """What is known of delta without a bound."""
    return End(Decimal(1), EVERYTHING) if high else End(Decimal(0), NOTHING)


def _enclosure(setting: Setting, sought: Sought, work: int) -> Enclosure:
    """Both ends. Upper bounds of delta give that one from which on all is safe."""
    refused: Refused = {}
    held = _held(sought, uppers(setting, work), refused)
    limit = _shown(sought, lowers(setting), held, refused)
    ends = (limit, held) if sought.up else (held, limit)
    return Enclosure(*ends, tuple(map(str, refused.values())))


def _held(sought: Sought, listed: list[Construction], refused: Refused) -> End:
    """The best end that holds for every data set. Raises `UnreachableError` or `UncertifiedError`."""
    best: End | None = None
    for curve in (sought.of(construction, refused) for construction in listed):
        if sought.zero and curve.fine(0.0) <= 0 and (end := sought.end(curve.construction, Decimal(0))):
            return end
        start = sought.start if best is None else sought.beside(best.value, up=not sought.up)
        if best is None or curve.fine(start) <= 0:
            best = _sharpened(sought, curve, start, refused, rough=best is None) or best
    if best is not None:
        return best
    if refused:
        raise max(refused.values(), key=lambda error: error.units)
    if sought.reach[0]:
        raise UnreachableError(sought.reach[0])
    raise UncertifiedError("the kernel accepts no bound that was tried")


def _shown(sought: Sought, listed: list[Construction], held: End, refused: Refused) -> End:
    """The best end that some data set shows."""
    best: End | None = None
    start = float(held.value)
    for curve in (sought.of(construction, refused) for construction in listed if start):
        near = start if best is None else sought.beside(best.value, up=sought.up)
        if best is None or (near != start and curve.fine(near) <= 0):
            best = _sharpened(sought, curve, near, refused, outermost=start) or best
    if best is None:
        return End(Decimal(0), NOTHING) if sought.up else End(Decimal(MAX_EPSILON), LARGEST)
    return best


def _sharpened(
    sought: Sought,
    curve: Curve,
    start: float,
    refused: Refused,
    *,
    rough: bool = False,
    outermost: float | None = None,
) -> End | None:
    """The end that a construction gives, sought from `start`. Raises `UnreachableError` where all numbers are good."""
    construction = curve.construction
    ends = (sought.unsafe, sought.safe) if construction.high else (outermost or sought.unsafe, sought.unsafe)
    if rough and sought.step:
        places = bracket(curve.rough, start, *ends, sought.step, sought.step)
        if curve.rough(places[1]) > 0:
            return None
        if places[0] == places[1] and sought.reach[1]:
            raise UnreachableError(sought.reach[1])
        _, start = narrowed(curve.rough, *places, lambda x: max(ROUGH * x, sought.apart(x)))
    first = OVER * abs(curve.fine(start)) / sought.slope if sought.slope else FIRST
    places = bracket(
        curve.fine, start, *ends, min(max(first, FIRST / LONGER), STEEP), LONGEST if construction.high else inf
    )
    bad, good = narrowed(curve.fine, *places, sought.apart)
    if curve.fine(good) > 0:
        return None
    for value in sought.outwards(good, up=sought.up if construction.high else not sought.up):
        try:
            if end := sought.end(construction, value):
                return replace(end, cheaper=end.cheaper or not curve.cheap.isdisjoint({bad, good}))
        except UncertifiedError as error:
            refused[construction.words] = error
            return None
    return None


def outwards(number: Fraction, digits: int, *, up: bool) -> list[Decimal]:
    """Decimals above (below) a number, each twice as far as the one before."""
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    nearest = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    unit = Decimal((0, (1,), nearest.adjusted() - min(digits, DOUBLE) + 1))
    steps = [((1 << i) - 1) * unit for i in range(TRIES)]
    return [nearest + step if up else max(Decimal(0), nearest - step) for step in steps]
