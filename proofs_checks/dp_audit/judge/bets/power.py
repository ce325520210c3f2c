"""What a sequential audit is sure to find: rigorous lower bounds of the probability of an alarm.

For one event that holds with probability p under the oracle's law the wealth after n reports is a function of the
number K of reports for which it holds: a sum of positive weights times a^K b^(n-K), so its logarithm is convex in K. If
the wealth is below the threshold at k0 and at least the threshold at k > k0, it therefore is at least the threshold at
every K >= k (likewise below k0): the alarm contains a tail of K. The probability of an upper tail rises with the
probability of the event (a Bernoulli(p) coin can be coupled below a Bernoulli(p') coin, p < p'), that of a lower tail
falls. So what is found at the relative fault r is found at every larger one, too, and one computation proves the
statement "a relative fault of at least r, in either direction, is found". Binomial tails are incomplete beta functions
in balls: P(K >= k) = I_p(k, n - k + 1).
"""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS, ends
from dp_audit.judge.bets.martingale import Bets, center, ladder, logarithm, wealth
from dp_audit.oracles.base import Number
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import require_integer
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

MISS = fmpq(1, 20)
"""Default for the probability that a fault of the stated size is missed."""
MOST_REPORTS = 1 << 40
STEPS = 16
"""Relative faults are searched among s 2^-e, s = 16..31: short numbers, at most 1/16 apart."""
SMALLEST_EXPONENT = 40
ROUGH = 2.0**-40


def tail(p: Number, n: int, k: int) -> arb:
    """Return P(K >= k) for K ~ Binomial(n, p), as a ball."""
    if k <= 0 or n < k:
        return arb(int(k <= 0))
    if float(arb(p)) > 1 / 2:  # next to 1 much is lost, and it takes long
        return 1 - (1 - arb(p)).beta_lower(n - k + 1, k, regularized=True)
    return arb(p).beta_lower(k, n - k + 1, regularized=True)


def alarm_tails(bets: Bets, p: Number, n: int, threshold: fmpq) -> tuple[int, int]:
    """Return (a, b): after n reports the wealth is proved to reach the threshold for every K <= a and for every K >= b.

    a = -1, b = n + 1 where nothing is proved.
    """

    def order(k: int) -> Ordering:
        return compare(wealth(bets, [((n - k, k), arb(p))]), threshold)

    quiet = round(n * float(arb(p)))
    if order(quiet) is not Ordering.LESS:
        return -1, n + 1
    seems = _in_floats(bets, float(arb(p)), n, threshold)
    return _last_alarm(order, seems, quiet, 0, -1), _last_alarm(order, seems, quiet, n, n + 1)


def _in_floats(bets: Bets, p: float, n: int, threshold: fmpq) -> Callable[[int], bool]:
    """Return whether the wealth seems to reach the threshold, as floats see it: they say where to look."""
    sizes = np.array([int(b.p) / int(b.q) for b in bets.sizes])
    start = np.array([logarithm(w) for w in bets.weights])
    with np.errstate(divide="ignore", invalid="ignore"):
        lost, won = np.log1p(-p * sizes), np.log1p((1 - p) * sizes)
    enough = logarithm(threshold)

    def seems(k: int) -> bool:
        with np.errstate(invalid="ignore"):
            logs = start + (n - k) * lost + k * won
        return bool(np.logaddexp.reduce(logs[np.isfinite(logs)], initial=-math.inf) >= enough)

    return seems


def _last_alarm(order: Callable[[int], Ordering], seems: Callable[[int], bool], quiet: int, end: int, none: int) -> int:
    """Return an alarm near the quiet middle, found by bisection; `none` if the end itself is not proved to be one."""
    if order(end) not in (Ordering.GREATER, Ordering.EQUAL):
        return none
    inside, guess = quiet, end
    while abs(guess - inside) > 1:
        middle = (guess + inside) // 2
        inside, guess = (inside, middle) if seems(middle) else (middle, guess)
    near = [guess, inside]
    while abs(end - quiet) > 1:
        middle = near.pop(0) if near else (end + quiet) // 2
        if not min(quiet, end) < middle < max(quiet, end):
            continue
        if order(middle) in (Ordering.GREATER, Ordering.EQUAL):
            end = middle
        else:
            quiet = middle
    return end


@lru_cache(maxsize=4096)
def _tails(bets: Bets, p: tuple[fmpq, fmpq], n: int, threshold: fmpq) -> tuple[int, int]:
    return alarm_tails(bets, _ball(p), n, threshold)


def power(bets: Bets, p: Number, n: int, threshold: fmpq, fault: fmpq) -> fmpq | None:
    """Return a lower bound of the probability that n reports make the wealth reach the threshold, for every relative
    fault >= `fault` of p in either direction: every true probability >= p (1 + fault) or <= p (1 - fault).

    None if there is no such probability at all. Raises `DomainError` for n < 1 or fault <= 0.
    """
    require_integer("n", n, 1)
    if compare(fault, 0) is not Ordering.GREATER:
        raise DomainError("fault", fault, "a rational number > 0")
    return _power(bets, ends(p), n, threshold, fault)


@lru_cache(maxsize=1 << 14)
def _power(bets: Bets, limits: tuple[fmpq, fmpq], n: int, threshold: fmpq, fault: fmpq) -> fmpq | None:
    with precision(PRECISIONS[0]):
        below, above = _tails(bets, limits, n, threshold)
    bounds = []
    if limits[0] * (1 + fault) <= 1:
        bounds.append(_tail(limits[0] * (1 + fault), n, above))
    if fault <= 1:
        bounds.append(1 - _tail(limits[1] * (1 - fault), n, below + 1))
    return min((max(ends(bound)[0], fmpq(0)) for bound in bounds), default=None)


def _tail(p: fmpq, n: int, k: int) -> arb:
    """Return `tail` at the least precision that tells a probability well."""
    for bits in (PRECISIONS[0] // 2, *PRECISIONS):
        with precision(bits):
            probability = tail(p, n, k)
        if float(probability.rad()) < ROUGH:
            break
    return probability


def _ball(limits: tuple[fmpq, fmpq]) -> arb:
    low, high = limits
    return arb(low).union(arb(high))


def finds(bets: Bets, p: Number, n: int, threshold: fmpq, fault: fmpq, miss: fmpq) -> bool:
    """Return whether such faults are proved to be found with probability >= 1 - miss. False if there are none."""
    bound = power(bets, p, n, threshold, fault)
    return bound is not None and bound >= 1 - miss


def reports_needed(
    p: Number, fault: fmpq, share: fmpq, miss: fmpq = MISS, bets: Bets | None = None, most: int = MOST_REPORTS
) -> int | None:
    """Return a number n of reports by which an event of probability p that is off by a relative fault >= `fault` alarms
    with probability >= 1 - miss, if its wealth must reach 1 / share. None if no n <= `most` is proved to suffice.

    The n is proved to suffice, not to be the smallest: doubling, then bisection. With the same bets it never rises
    with the fault: `power` does not fall, so the search for the larger fault turns down where the other one does.
    """
    require_chance("share", share)
    require_chance("miss", miss)
    chosen = bets or ladder(center(p), fault)
    too_few, enough = 0, 1
    while not finds(chosen, p, enough, 1 / share, fault, miss):
        if enough == most:
            return None
        too_few, enough = enough, min(2 * enough, most)
    while enough - too_few > max(1, enough >> 10):
        middle = (enough + too_few) // 2
        if finds(chosen, p, middle, 1 / share, fault, miss):
            enough = middle
        else:
            too_few = middle
    return enough


def detectable(bets: Bets, p: Number, n: int, share: fmpq, miss: fmpq = MISS) -> fmpq | None:
    """Return a relative fault r such that every fault >= r of p is found by n reports with probability >= 1 - miss.

    Near the smallest such r; None if n reports can promise nothing.
    """
    require_chance("share", share)
    require_chance("miss", miss)
    too_small, enough = 0, 2 * SMALLEST_EXPONENT * STEPS
    limit = max(1 / center(p) - 1, fmpq(1))
    while compare(_grid(enough), limit) is Ordering.GREATER:
        enough -= 1
    if n < 1 or not finds(bets, p, n, 1 / share, _grid(enough), miss):
        return None
    guess = min(max(_guess(bets, p, n, 1 / share, miss), too_small + 1), enough - 1)
    near = [guess, guess + 1, guess - 1]
    while enough - too_small > 1:
        middle = near.pop(0) if near else (enough + too_small) // 2
        if not too_small < middle < enough:
            continue
        if finds(bets, p, n, 1 / share, _grid(middle), miss):
            enough = middle
        else:
            too_small = middle
    return _grid(enough)


def _guess(bets: Bets, p: Number, n: int, threshold: fmpq, miss: fmpq) -> int:
    """Return about the index of what is found, as if counts were normal: where the search begins."""
    below, above = _tails(bets, ends(p), n, threshold)
    mean = n * float(arb(p))
    spread = NormalDist().inv_cdf(1 - float(arb(miss))) * math.sqrt(mean * (1 - float(arb(p))))
    fault = max(above + spread - mean, mean + spread - below) / mean
    part, octave = math.frexp(max(fault, 2.0**-SMALLEST_EXPONENT))  # fault = part 2^octave, 1/2 <= part < 1
    return (octave - 1 + SMALLEST_EXPONENT) * STEPS + math.ceil((2 * part - 1) * STEPS)


def _grid(index: int) -> fmpq:
    octave, step = divmod(index, STEPS)
    return fmpq(STEPS + step, STEPS) * fmpq(2) ** (octave - SMALLEST_EXPONENT)


def require_chance(name: str, value: object) -> None:
    """Raise `DomainError` unless the value is a rational number in (0, 1)."""
    if not isinstance(value, fmpq) or not 0 < value < 1:
        raise DomainError(name, value, "a rational number (fmpq) in (0, 1)")
