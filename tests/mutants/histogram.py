"""Plausible faults in histogram encoding with summation and with a threshold, and in their estimators."""

from fractions import Fraction
from typing import Any

from flint import fmpq

from dp_refimpl.coins import bernoulli
from dp_refimpl.frequency.histogram import above
from mutants.mechanisms import Members, values

HALF = Fraction(1, 2)


def noisy(entries: Any) -> Members:
    """The client with other entries: a function of the mechanism, the item and the coins."""
    return {"randomize": lambda s, item, coins: tuple(entries(s, item, coins))}


def one_sided(s: Any, coins: Any) -> Any:
    return abs(s.noise(coins))


def bounded(s: Any, coins: Any) -> Any:
    """Noise that never passes a unit."""
    negative = bernoulli(coins, s.one / 2)
    midpoint = fmpq(2 * coins.choose(s.places) + 1, 2 * s.steps)
    return -midpoint if negative else midpoint


def hot(s: Any, item: Any, noise: Any) -> Any:
    return [int(x == item) + noise(x) for x in s.domain.items]


def alike(s: Any, item: Any, coins: Any) -> Any:
    """One noise for all entries."""
    drawn = s.noise(coins)
    return hot(s, item, lambda x: drawn)


SUMMED: dict[str, Members] = {
    "scale 1/eps": values(unit=lambda s: 1 / s.budget.exp(), ratio=lambda s: 1 / s.budget.exp(Fraction(1, s.steps))),
    "scale 4/eps": noisy(lambda s, item, coins: hot(s, item, lambda x: 2 * s.noise(coins))),
    "one-sided noise": noisy(lambda s, item, coins: hot(s, item, lambda x: one_sided(s, coins))),
    "noise of at most a unit": noisy(lambda s, item, coins: hot(s, item, lambda x: bounded(s, coins))),
    "one noise for all entries": noisy(alike),
    "noise on the own entry alone": noisy(
        lambda s, item, coins: hot(s, item, lambda x: s.noise(coins) if x == item else fmpq(1, 2 * s.steps))
    ),
    "the entry of the next item": noisy(
        lambda s, item, coins: hot(s, (item + 1) % len(s.domain.items), lambda x: s.noise(coins))
    ),
    "no entry is hot": noisy(lambda s, item, coins: [s.noise(coins) for _ in s.domain.items]),
    "ends of cells for midpoints": noisy(
        lambda s, item, coins: hot(s, item, lambda x: s.noise(coins) - fmpq(1, 2 * s.steps))
    ),
    "the place in the unit is uniform": values(places=lambda s: tuple(s.one / s.steps for _ in range(s.steps))),
}


def means(of: Any) -> Members:
    """An estimate of every item from the list of its entries."""

    def run(s: Any, reports: Any) -> Any:
        return {x: of(s, [report[j] for report in reports]) for j, x in enumerate(s.domain.items)}

    return {"estimate": run}


def mean(s: Any, entries: Any) -> Any:
    return s.one * sum(entries, fmpq(0)) / len(entries)


SUMMED_ESTIMATORS: dict[str, Members] = {
    "the sum": means(lambda s, entries: s.one * sum(entries, fmpq(0))),
    "entries above 1/2 are counted": means(lambda s, entries: mean(s, [fmpq(e > fmpq(1, 2)) for e in entries])),
    "entries are clamped": means(lambda s, entries: mean(s, [min(max(e, fmpq(0)), fmpq(1)) for e in entries])),
    "the estimate is clamped": means(lambda s, entries: min(max(mean(s, entries), s.one * 0), s.one)),
    "the median": means(lambda s, entries: s.one * sorted(entries)[len(entries) // 2]),
    "divided by n - 1": means(lambda s, entries: s.one * sum(entries, fmpq(0)) / max(len(entries) - 1, 1)),
    "entries are rounded": means(lambda s, entries: mean(s, [e.floor() for e in entries])),
    "debiased as unary encoding": means(lambda s, entries: (mean(s, entries) - s.unit / 2) / (1 - s.unit)),
}


def chances(p: Any, q: Any) -> Members:
    return values(p=p, q=q)


THRESHOLDED: dict[str, Members] = {
    "p and q swapped": chances(lambda s: above(s.theta, s.budget), lambda s: above(s.theta - 1, s.budget)),
    "scale 1/eps": chances(lambda s: above(2 * (s.theta - 1), s.budget), lambda s: above(2 * s.theta, s.budget)),
    "scale 4/eps": chances(lambda s: above((s.theta - 1) / 2, s.budget), lambda s: above(s.theta / 2, s.budget)),
    "1 where it is below": chances(lambda s: 1 - above(s.theta - 1, s.budget), lambda s: 1 - above(s.theta, s.budget)),
    "the tail has no 1/2": chances(lambda s: above(s.theta - 1, s.budget), lambda s: 2 * above(s.theta, s.budget) / 3),
    "theta for both": chances(lambda s: above(s.theta, s.budget), lambda s: above(s.theta, s.budget)),
    "theta + 1": chances(lambda s: above(s.theta, s.budget), lambda s: above(s.theta + 1, s.budget)),
    "symmetric encoding": chances(lambda s: 1 - 1 / (s.budget.exp(HALF) + 1), lambda s: 1 / (s.budget.exp(HALF) + 1)),
}
