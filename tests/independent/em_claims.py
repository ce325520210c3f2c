"""Source 000 on expectation maximization decided again: steps in fractions over all outcomes of few users."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from independent.message_outcomes import ONE, plain, response, seen, steps

HALF, TWO, THREE = Fraction(1, 2), Fraction(2), Fraction(3)


def _mix(w: Any, labels: int, dummies: int) -> Callable[[int, int], Any]:
    def likelihood(t: int, v: int) -> Any:
        chance = (w if t == v else 1) / (w + labels - 1)
        return (chance + type(chance)(dummies) / labels) / (dummies + 1)

    return likelihood


def _defined() -> bool:
    return steps(seen([0]), _mix(TWO, 2, 0), 2, 1) == steps(seen([0]), _mix(TWO, 2, 1), 2, 1)


def _monotone() -> bool:
    for counts, number in product(((3, 1, 0), (2, 2, 1), (1, 4, 2)), range(6)):
        for chance in (_mix(THREE, 3, 0), _mix(THREE, 3, 2)):
            iterates = [steps(dict(enumerate(counts)), chance, 3, k) for k in (number, number + 1)]
            likelihoods = [ONE, ONE]
            for i, f in enumerate(iterates):
                assert sum(f) == 1
                assert min(f) >= 0
                for t, times in enumerate(counts):
                    likelihoods[i] *= sum(x * chance(t, v) for v, x in enumerate(f)) ** times
            if likelihoods[1] < likelihoods[0]:
                return False
    return True


def _refined(power: int, number: int) -> Fraction:
    """The mean of a power of the estimate of item 1, where one user holds item 0 and sends one dummy."""
    sent = plain(response(TWO, 2, 0), 2, 1)
    return sum((p * steps(seen(t), _mix(TWO, 2, 1), 2, number)[1] ** power for t, p in sent.items()), Fraction(0))


def _unrefined(users: int, items: int, w: float, dummies: int, held: int) -> float:
    """The variance of T3 for the item of all users, and of the others."""
    p, q = (x / (w + items - 1) for x in (w, 1.0))
    own = p * (1 - p) + dummies * (items - 1) / items**2
    other = q * (1 - q) + dummies * (items - 1) / items**2
    return (own if held else other) / (users * (p - q) ** 2)


def _error_of_em() -> bool:
    """Five users with item 0 of 100: EM run on the case in which their dummies are five other items."""
    n, items, w = 5, 100, 1e6
    histogram = [float(x) for x in steps({0: n, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1}, _mix(w, items, 1), items, 400)]
    error = (histogram[0] - 1) ** 2 + sum(x**2 for x in histogram[1:])
    chance = (w / (w + items - 1)) ** n
    for j in range(n):
        chance *= (items - 1 - j) / items
    return chance * error <= _unrefined(n, items, w, 1, 1) + (items - 1) * _unrefined(n, items, w, 1, 0)


def _nearer(k: int, total: int, dummies: int, t3: Fraction) -> bool:
    """Of two items: what four steps leave of the distance to T3, each its stated part."""
    chance, f = _mix(THREE, 2, dummies), HALF
    for number in range(4):
        after = steps({0: k, 1: total - k}, chance, 2, number + 1)[0]
        first, spread = f * chance(0, 0) + (1 - f) * chance(0, 1), chance(0, 0) * chance(0, 1)
        part = spread / (first * (1 - first))
        if after - t3 != part * (f - t3) or not 0 < part < 1:
            return False
        f = after
    return True


def _cut() -> bool:
    """Of two items: steps go towards T3, the limit of EM is T3 cut off, and no farther from the truth."""
    for n, m, ones in ((2, 0, 1), (3, 0, 1), (2, 1, 1), (3, 1, 0)):
        total, chance = n * (m + 1), _mix(3.0, 2, m)
        for k in range(total + 1):
            t3 = (k - n / 4 - n * m / 2) / (n / 2)
            if not _nearer(k, total, m, (k - Fraction(n, 4) - Fraction(n * m, 2)) / Fraction(n, 2)):
                return False
            limit, clipped, f = steps({0: k, 1: total - k}, chance, 2, 4000)[0], min(1.0, max(0.0, t3)), ones / n
            if abs(limit - clipped) > 1e-2 or (clipped - f) ** 2 > (t3 - f) ** 2 + 1e-12:
                return False
    return True


DECIDED: dict[str, Callable[[], bool]] = {
    "000.alg1.em.defined": _defined,
    "000.alg1.em.mono": _monotone,
    "000.alg1.em.unbiased": lambda: all(_refined(1, j) == 0 for j in (1, 2, 5)),
    "000.alg1.em.mse": _error_of_em,
    "000.alg1.em.mse.corrected": _cut,
    "000.alg1.em.var": lambda: all(float(_refined(2, j)) == _unrefined(1, 2, 2.0, 1, 0) for j in (1, 2, 5)),
}
"""By claim, whether it holds there."""
