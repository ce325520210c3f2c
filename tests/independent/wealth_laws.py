"""Laws of a bettor's wealth and of alarms, as exact computations; the tests feed them mutants, too."""

from collections.abc import Callable, Sequence
from math import comb

from flint import arb, fmpq

from dp_audit.judge.bets.martingale import Bets, Sample, wealth
from dp_spec.vocabulary.scalar import Ordering, compare

Wealth = Callable[[int, int], fmpq]
"""(occurrences, reports) -> wealth, for one event."""
Alarm = Callable[[int, int], bool]


def expectation(p: fmpq, n: int, wealth: Wealth) -> fmpq:
    """Of the wealth after n reports, over all numbers of occurrences."""
    return sum((comb(n, k) * p**k * (1 - p) ** (n - k) * wealth(k, n) for k in range(n + 1)), fmpq(0))


def is_martingale(p: fmpq, n: int, wealth: Wealth) -> bool:
    """Whether what one has is what one will have on average, after 0..n reports, starting with 1."""
    return wealth(0, 0) == 1 and all(
        wealth(k, m) == p * wealth(k + 1, m + 1) + (1 - p) * wealth(k, m + 1) for m in range(n) for k in range(m + 1)
    )


def ever_alarms(p: fmpq, n: int, alarm: Alarm) -> fmpq:
    """The exact probability of an alarm after any of 1..n reports, however often one looks."""
    quiet, alarmed = {0: fmpq(1)}, fmpq(0)
    for m in range(1, n + 1):
        following: dict[int, fmpq] = {}
        for k, chance in quiet.items():
            for step, probability in ((1, p), (0, 1 - p)):
                following[k + step] = following.get(k + step, fmpq(0)) + chance * probability
        alarmed += sum((chance for k, chance in following.items() if alarm(k, m)), fmpq(0))
        quiet = {k: chance for k, chance in following.items() if not alarm(k, m)}
    assert alarmed + sum(quiet.values(), fmpq(0)) == 1
    return alarmed


def finds_both_directions(p: fmpq, fault: fmpq, n: int, alarm: Alarm) -> bool:
    """Whether faults in both directions are found more often than not."""
    return all(ever_alarms(p * factor, n, alarm) > fmpq(1, 2) for factor in (1 - fault, 1 + fault))


def reaches(value: object, threshold: fmpq) -> bool:
    """Whether a number is at least the threshold; it must be decided."""
    order = compare(value, threshold)
    assert order is not Ordering.UNDECIDED
    return order is not Ordering.LESS


def rational(number: object) -> fmpq:
    """An exact number, which must be one."""
    assert isinstance(number, fmpq)
    return number


def exact(bets: Bets, *samples: Sample) -> fmpq:
    """The wealth of samples with rational means."""
    return rational(wealth(bets, samples) + fmpq(0))


def split(k: int, n: int, mean: fmpq) -> list[tuple[Sequence[int], arb]]:
    """The sample of one event, with its mean as a ball."""
    return [((n - k, k), arb(mean))]
