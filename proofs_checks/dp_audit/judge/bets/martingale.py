"""Bets on a bounded count: the martingale behind every statistical statement of an audit.

One report gives a count S in 0..m (how many of m watched events hold; m = 1: one event). If its mean is mu, a bet of
size b multiplies one's wealth by 1 + b (S - mu), whose mean is 1; after n reports the wealth is the product. A mixture
of bets with weights of sum 1 is a martingale again, starts at 1 and is never negative, so that (Ville's inequality)

    P(the wealth ever reaches 1/a) <= a,    at any number of reports, however often one looks.

For m = 1, b = r / (1 - p) the factor is the likelihood ratio of the probability p (1 + r) to p, so that no test of
these two laws is faster; for sums of independent events it is one to first order in r; and it is a martingale however
the m events depend on each other.

That is all that validity needs: a factor depends on its report and on numbers fixed before; its mean given the past is
1 under the law of any table of probabilities, and so is that of a mixture with weights fixed before. Where a mean is
not exactly that for which the bets were chosen, ruinous factors count as 0: the wealth is a supermartingale.

The sizes of the bets are a declared choice: any choice is valid, a good one is fast. That is why a ball's midpoint
may choose them, while the wealth itself is computed from the exact mean, in rationals or in balls.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from flint import arb, fmpq

from dp_audit.exact_numbers import ends
from dp_audit.oracles.base import Number
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import require_integer
from dp_spec.vocabulary.scalar import Ordering, compare

Sample = tuple[Sequence[int], Number]
"""How often each count 0..m was seen among the reports, and the mean of the count."""

_Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
RESERVE = fmpq(1, 8)
"""A bet never risks more than the rest."""
HALVINGS = 24
FAR, CLOSE = 2.0, 2.0**-32
"""Where floats begin to look for the end of an interval, about in standard deviations; when they have found it."""
SMALLER = 6
"""Bets below the first one: faults smaller than those asked for are found, too, only later."""
NATURAL = fmpq(1, 125), fmpq(1, 4)
"""Privacy budgets that are off by 0.8 % to 25 %: the faults for which `spread` is fastest."""
STEP = fmpq(7, 5)
"""Two neighbors of the evenly weighted bets: a fault between them is met at 97 % of the best rate or more."""
TOLD = fmpq(1, 16)
"""Weight of the bets of the fault that is asked for."""


@dataclass(frozen=True)
class Bets:
    """A mixture of bets: sizes of both signs and their weights, which sum to 1."""

    sizes: tuple[fmpq, ...]
    weights: tuple[fmpq, ...]

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.sizes, self.weights))  # once: that of a rational number takes long


@lru_cache(maxsize=4096)
def ladder(p: fmpq, fault: fmpq, events: int = 1) -> Bets:
    """Return bets of both signs for m events of probability (about) p that are off by a factor 1 + r or 1 - r, r >=
    fault.

    The first bet is the best one for r = fault, relative to p or to 1 - p, whichever is smaller; each next one is twice
    as large, up to the largest that cannot ruin the bettor; then come some smaller ones. A fault between two of them is
    met by a bet between 2/3 and 4/3 of its best, which grows at 8/9 of the best rate or more. The weights are
    1/2, 1/6, 1/12, ... 1/(j (j+1)), and the last one what is missing. Raises `DomainError` for p outside (0, 1), a
    fault <= 0 or events < 1.
    """
    if compare(p, 0) is not Ordering.GREATER or compare(p, 1) is not Ordering.LESS:
        raise DomainError("p", p, "a probability inside (0, 1)")
    if compare(fault, 0) is not Ordering.GREATER:
        raise DomainError("fault", fault, "a rational number > 0")
    require_integer("events", events, 1)
    first = fault / max(p, 1 - p)
    sizes: list[fmpq] = []
    weights: list[fmpq] = []
    for sign, most in ((1, (1 - RESERVE) / (events * p)), (-1, (1 - RESERVE) / (events * (1 - p)))):
        rungs = []
        size = first
        while size < most:
            rungs.append(size)
            size *= 2
        rungs.append(most)
        rungs += [rungs[0] / 2**j for j in range(1, SMALLER + 1)]
        sizes += [sign * rung for rung in rungs]
        weights += [fmpq(1, 2) * weight for weight in telescope(len(rungs))]
    return Bets(tuple(sizes), tuple(weights))


@lru_cache(maxsize=4096)
def spread(p: fmpq, fault: fmpq, events: int = 1, slope: fmpq | None = None) -> Bets:
    """Return bets of both signs for m events of probability (about) p, for faults of an unknown size that inputs share.

    A budget that is off by the part t shifts ln(p / (1 - p)) by about `slope` t, and the bet of size `slope` t is the
    best one to first order. The sizes for t in `NATURAL` have even weights on a logarithmic scale; larger and smaller
    ones, twice as large or half as large each, have 1/4, 1/16, ... of such a weight; and the bet for a relative fault
    of `fault` (as the first one of `ladder`) has `TOLD` of the whole. Without a slope (None, or 0) the sizes around
    that bet take the place of the natural ones. For W even weights the price of not knowing sign and size is about
    ln(2 W / (1 - TOLD)) - ln(1.3) in the logarithm of the wealth, when 1 / level is some 10^6: the 1.3 are the
    neighbors of the best bet, which grow nearly as fast. Raises `DomainError` as `ladder`, or for a slope < 0.
    """
    ladder(p, fault, events)  # refuses what is outside the domain
    best = fault / max(p, 1 - p)
    if slope is not None and compare(slope, 0) is Ordering.LESS:
        raise DomainError("slope", slope, "a rational number >= 0")
    low, high = (best * t / NATURAL[0] / 2 if not slope else slope * t for t in NATURAL)
    sizes: list[fmpq] = []
    weights: list[fmpq] = []
    for sign, most in ((1, (1 - RESERVE) / (events * p)), (-1, (1 - RESERVE) / (events * (1 - p)))):
        rungs = _rungs(min(low, most), min(high, most), most)
        total = sum((weight for _, weight in rungs), fmpq(0))
        sizes += [sign * min(best, most), *(sign * rung for rung, _ in rungs)]
        weights += [fmpq(1, 2) * TOLD, *(fmpq(1, 2) * (1 - TOLD) * weight / total for _, weight in rungs)]
    return Bets(tuple(sizes), tuple(weights))


def _rungs(low: fmpq, high: fmpq, most: fmpq) -> list[tuple[fmpq, fmpq]]:
    """Return sizes and weights (of any sum): 1 from low to high, below and above them falling by quarters."""
    rungs = []
    size = low
    while size < high:
        rungs.append((size, fmpq(1)))
        size *= STEP
    rungs += [(low / 2**j, fmpq(1, 4**j)) for j in range(1, SMALLER + 1)]
    weight, size = fmpq(1, 4), min(size, most)
    while size < most:
        rungs.append((size, weight))
        weight, size = weight / 4, size * 2
    return [*rungs, (most, weight)]


def telescope(length: int) -> list[fmpq]:
    """Return 1/2, 1/6, 1/12, ..., and the rest 1/length: positive, with sum 1."""
    return [fmpq(1, j * (j + 1)) for j in range(1, length)] + [fmpq(1, length)]


def center(p: Number) -> fmpq:
    """Return a number near p that has a short denominator (p itself if it is rational), to choose bets with."""
    return p if isinstance(p, fmpq) else fmpq(*float(p).as_integer_ratio())


def wealth(bets: Bets, samples: Sequence[Sample], side: int = 0) -> Number:
    """Return the wealth after these reports; for several samples the same bets were made on all their reports.

    side +1 or -1: the part that bet on larger or smaller counts. Rational means give the exact number, balls a ball;
    balls must be clear of the ruin 1 + b (S - mu) <= 0, which is counted as 0 (so that the value is a lower bound).
    """
    total: Number = fmpq(0)
    for size, weight in zip(bets.sizes, bets.weights, strict=True):
        if size * side < 0:
            continue
        product: Number = weight
        for counts, mean in samples:
            least = 1 + size * ((0 if size > 0 else len(counts) - 1) - mean)
            if compare(least, 0) is not Ordering.GREATER:
                product = fmpq(0)
                break
            for value, times in enumerate(counts):
                if times:
                    product = product * (1 + size * (value - mean)) ** times
        total = total + product
    return total


def factors(bets: Bets, samples: Sequence[Sample], threshold: fmpq, limit: fmpq | None = None) -> tuple[fmpq, fmpq]:
    """Return the factors f for which means of f mu are not refuted: the wealth at f mu is at most the threshold.

    The means mu must be > 0. Between 0 and `limit` (None: the largest that counts 0..m allow at all the means). Both
    ends are proved, rounded outwards: wealth that bets on larger counts falls as f grows (each factor 1 + b (S - f mu)
    does, and one that is ruined stays so), wealth that bets on smaller ones rises: bisection finds half-lines of f.
    """
    if limit is None:
        largest = min((len(counts) - 1) / ends(mean)[0] for counts, mean in samples)
        limit = fmpq(int(largest * 2**20) + 1, 2**20)

    def refuted(factor: fmpq, side: int) -> bool:
        moved = [(counts, arb(factor) * mean) for counts, mean in samples]
        return compare(wealth(bets, moved, side), threshold) is Ordering.GREATER

    def last(inside: fmpq, outside: fmpq, side: int) -> fmpq:
        """Return a refuted factor near the last one, going from a refuted end towards the middle."""
        near = floats.crossing(inside, outside, side)
        if refuted(near, side):  # then so is what is farther
            return near
        if not refuted(outside, side):
            return outside
        for _ in range(HALVINGS):
            between = (inside + outside) / 2
            inside, outside = (inside, between) if refuted(between, side) else (between, outside)
        return outside

    middle, floats = min(limit, _observed_factor(samples)), _InFloats(bets, samples, threshold)
    return last(middle, fmpq(0), 1), last(middle, limit, -1)


def _observed_factor(samples: Sequence[Sample]) -> fmpq:
    """Return about the factor that the counts show, as a short fraction."""
    total = sum(value * times for counts, _ in samples for value, times in enumerate(counts))
    expected = sum((arb(mean) * sum(counts) for counts, mean in samples), arb(0))
    return center(arb(total) / expected) if total else fmpq(0)


@lru_cache(maxsize=4096)
def _in_floats(bets: Bets) -> tuple[_Floats, _Floats]:
    """Return the sizes of bets and the logarithms of their weights."""
    return np.array([int(b.p) / int(b.q) for b in bets.sizes]), np.array([logarithm(w) for w in bets.weights])


class _InFloats:
    """The wealth as floats see it: they say where to look, balls decide there."""

    def __init__(self, bets: Bets, samples: Sequence[Sample], threshold: fmpq) -> None:
        self._sizes, self._logs = _in_floats(bets)
        rows = [(v, float(mean), k) for counts, mean in samples for v, k in enumerate(counts) if k]
        self._values, self._means, self._times = np.array(rows, dtype=float).reshape(-1, 3).T
        self._enough = logarithm(threshold)

    def crossing(self, inside: fmpq, outside: fmpq, side: int) -> fmpq:
        """Return a factor a little beyond the one at which the wealth passes the threshold.

        Regula falsi (Illinois), which begins some standard deviations away.
        """
        mine = self._sizes * side > 0
        sizes, logs = self._sizes[mine], self._logs[mine]
        quiet, alarm = float(center(arb(inside))), float(center(arb(outside)))
        end, least, most = alarm, -math.inf, math.inf
        total = max(float(self._values @ self._times), 1.0)
        factor = quiet + math.copysign(
            min(abs(end - quiet), FAR * quiet * math.sqrt(self._enough / total)), end - quiet
        )
        last = 0
        for _ in range(2 * HALVINGS):
            if not min(quiet, alarm) < factor < max(quiet, alarm):
                factor = (quiet + alarm) / 2
            excess = self._excess(factor, sizes, logs)
            turn = 1 if excess > 0 else -1
            if turn > 0:
                alarm, most, least = factor, excess, least / 2 if last == turn else least
            else:
                quiet, least, most = factor, excess, most / 2 if last == turn else most
            last = turn
            if abs(alarm - quiet) <= CLOSE * alarm:
                break
            exact = math.isfinite(most) and math.isfinite(least)
            factor = alarm - most * (alarm - quiet) / (most - least) if exact else (quiet + alarm) / 2
        near = alarm + (end - alarm) * 2.0**-HALVINGS
        return max(min(inside, outside), min(max(inside, outside), fmpq(*near.as_integer_ratio())))

    def _excess(self, factor: float, sizes: _Floats, logs: _Floats) -> float:
        """Return the logarithm of the ratio of the wealth to the threshold."""
        with np.errstate(divide="ignore", invalid="ignore"):
            log_wealth = logs + np.log1p(sizes[:, None] * (self._values - factor * self._means)) @ self._times
        log_wealth = log_wealth[np.isfinite(log_wealth)]  # the others are ruined
        top = float(log_wealth.max(initial=-math.inf))
        return top + math.log(np.exp(log_wealth - top).sum()) - self._enough if top > -math.inf else top


def logarithm(number: fmpq) -> float:
    """Return about the natural logarithm of a number that may be too small, or too large, for a double."""
    return math.log(int(number.p)) - math.log(int(number.q))
