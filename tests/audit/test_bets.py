"""The martingale: mean 1 under the oracle's law, exactly; rarely large, exactly; planted faults break a law."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise, product
from math import prod

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_audit.judge.bets.martingale import (
    NATURAL,
    SMALLER,
    STEP,
    TOLD,
    Bets,
    center,
    factors,
    ladder,
    spread,
    telescope,
    wealth,
)
from independent.wealth_laws import (
    Wealth,
    ever_alarms,
    exact,
    expectation,
    finds_both_directions,
    is_martingale,
    reaches,
    split,
)
from mutants.rewriting import planted_test, read_faults

LEVEL = fmpq(1, 20)
P, FAULT = fmpq(3, 10), fmpq(1, 2)

probabilities = st.integers(1, 39).map(lambda i: fmpq(i, 40))
faults = st.sampled_from([fmpq(1, 100), fmpq(1, 20), fmpq(1, 3), fmpq(1)])


def of_one_event(p: fmpq, fault: fmpq) -> Wealth:
    bets = ladder(p, fault)
    return lambda k, n: exact(bets, ((n - k, k), p))


@given(probabilities, faults, st.integers(0, 5))
def test_mean_one_under_the_oracles_law(p: fmpq, fault: fmpq, n: int) -> None:
    assert expectation(p, n, of_one_event(p, fault)) == 1


@given(probabilities, faults)
def test_martingale(p: fmpq, fault: fmpq) -> None:
    assert is_martingale(p, 3, of_one_event(p, fault))


@given(st.lists(st.integers(0, 5), min_size=3, max_size=4).filter(lambda w: sum(w[1:]) > 0 and sum(w) > w[-1]), faults)
def test_events_may_depend_on_each_other(weights: list[int], fault: fmpq) -> None:
    law = [fmpq(w, sum(weights)) for w in weights]
    most = len(law) - 1
    mean = sum((s * p for s, p in enumerate(law)), fmpq(0))
    bets = ladder(mean / most, fault, most)
    total = fmpq(0)
    for outcome in product(range(most + 1), repeat=2):
        counts = [outcome.count(s) for s in range(most + 1)]
        total += prod((law[s] for s in outcome), start=fmpq(1)) * exact(bets, (counts, mean))
    assert total == 1


@given(probabilities, probabilities, faults)
def test_inputs_may_be_taken_together(p: fmpq, q: fmpq, fault: fmpq) -> None:
    """Two inputs with one bettor: the product of two martingales (bets that would be ruinous at q are skipped)."""
    bets = ladder(p, fault)
    total = fmpq(0)
    for a, b in product((0, 1), repeat=2):
        chance = (p if a else 1 - p) * (q if b else 1 - q)
        total += chance * exact(bets, ((1 - a, a), p), ((1 - b, b), q))
    kept = [w for b, w in zip(bets.sizes, bets.weights, strict=True) if 1 - b * q > 0 and 1 + b * (1 - q) > 0]
    assert total == sum(kept, fmpq(0)) <= 1


@given(probabilities, faults, st.integers(0, 30), st.integers(0, 30))
def test_an_event_and_its_complement_are_one_test(p: fmpq, fault: fmpq, k: int, rest: int) -> None:
    assert of_one_event(p, fault)(k, k + rest) == of_one_event(1 - p, fault)(rest, k + rest)


@given(probabilities, faults, st.integers(1, 4))
def test_ladder(p: fmpq, fault: fmpq, events: int) -> None:
    bets = ladder(p, fault, events)
    assert sum(bets.weights, fmpq(0)) == 1
    assert min(bets.weights) > 0
    for size in bets.sizes:
        assert min(1 + size * (0 - events * p), 1 + size * (events - events * p)) >= fmpq(1, 8)
    for sign in (1, -1):
        mine = [sign * b for b in bets.sizes if sign * b > 0]
        climb, small = mine[:-SMALLER], mine[-SMALLER:]
        assert climb == sorted(climb)
        assert all(b <= 2 * a for a, b in pairwise(climb))
        assert small == [mine[0] / 2**j for j in range(1, SMALLER + 1)]


@given(probabilities, faults, st.integers(1, 4), st.sampled_from([None, fmpq(0), fmpq(1, 9), fmpq(1), fmpq(40)]))
def test_spread(p: fmpq, fault: fmpq, events: int, slope: fmpq | None) -> None:
    bets = spread(p, fault, events, slope)
    assert sum(bets.weights, fmpq(0)) == 1
    assert min(bets.weights) > 0
    for size in bets.sizes:
        assert min(1 + size * (0 - events * p), 1 + size * (events - events * p)) >= fmpq(1, 8)
    half = len(bets.sizes) - next(i for i, b in enumerate(bets.sizes[::-1]) if b > 0)
    for mine, shares in ((bets.sizes[:half], bets.weights[:half]), (bets.sizes[half:], bets.weights[half:])):
        assert sum(shares, fmpq(0)) == fmpq(1, 2)
        assert shares[0] == TOLD / 2
        assert abs(mine[0]) == min(fault / max(p, 1 - p), max(abs(b) for b in mine))
    total = expectation(p, 3, lambda k, n: exact(spread(p, fault, 1, slope), ((n - k, k), p)))
    assert total == 1


def test_natural_sizes_have_even_weights() -> None:
    bets = spread(fmpq(1, 10), fmpq(1, 100), 1, fmpq(1))
    even = [b for b, w in zip(bets.sizes, bets.weights, strict=True) if b > 0 and w == bets.weights[1]]
    assert even[0] == NATURAL[0]
    assert even[-1] * STEP >= NATURAL[1] > even[-1]
    assert all(b == a * STEP for a, b in pairwise(even))
    assert len(even) == 11  # ln(2 * 11 / (1 - TOLD)) - ln(1.3): the price of not knowing sign and size is 3 nats


def test_the_first_bet_is_the_likelihood_ratio_of_the_fault() -> None:
    bets = ladder(fmpq(1, 5), fmpq(1, 10))
    assert 1 + bets.sizes[0] * (1 - fmpq(1, 5)) == fmpq(11, 10)
    assert 1 + bets.sizes[0] * (0 - fmpq(1, 5)) == (1 - fmpq(11, 50)) / (1 - fmpq(1, 5))


def test_weights() -> None:
    assert telescope(4) == [fmpq(1, 2), fmpq(1, 6), fmpq(1, 12), fmpq(1, 4)]


def alarm_of(value: Callable[[int, int], object], threshold: fmpq) -> Callable[[int, int], bool]:
    cache: dict[tuple[int, int], bool] = {}

    def alarm(k: int, n: int) -> bool:
        if (k, n) not in cache:
            cache[k, n] = reaches(value(k, n), threshold)
        return cache[k, n]

    return alarm


def in_balls(bets: Bets, p: fmpq) -> Callable[[int, int], object]:
    return lambda k, n: wealth(bets, split(k, n, p))


@pytest.mark.parametrize("p", [fmpq(1, 2), fmpq(3, 10), fmpq(1, 40)])
def test_false_alarms_at_any_time_are_rare(p: fmpq) -> None:
    """The exact probability of an alarm after any of 200 reports, with a look after each."""
    probability = ever_alarms(p, 200, alarm_of(in_balls(ladder(p, FAULT), p), 1 / LEVEL))
    assert fmpq(1, 400) < probability <= LEVEL


def _side(bets: Bets, truth: fmpq, side: int, k: int, n: int) -> object:
    return wealth(bets, split(k, n, truth), side)


@pytest.mark.parametrize("truth", [fmpq(1, 2), fmpq(1, 10), fmpq(9, 10)])
def test_intervals_miss_rarely_whatever_the_truth(truth: fmpq) -> None:
    """The bets are chosen for p = 3/10; that the interval ever misses another truth is as rare as a false alarm."""
    bets = ladder(P, FAULT)
    above, below = (alarm_of(partial(_side, bets, truth, side), 1 / LEVEL) for side in (1, -1))
    probability = ever_alarms(truth, 100, lambda k, n: above(k, n) or below(k, n))
    assert fmpq(0) < probability <= LEVEL


@given(st.integers(0, 200), st.integers(0, 200), st.integers(1, 40))
def test_interval_is_what_is_not_refuted(k: int, rest: int, at: int) -> None:
    bets, threshold, factor = ladder(P, FAULT), 1 / LEVEL, fmpq(at, 12)
    sample = split(k, k + rest, P)
    low, high = factors(bets, sample, threshold)
    assert 0 <= low <= high
    moved = split(k, k + rest, P * factor)
    if factor < low:
        assert reaches(wealth(bets, moved, 1), threshold)
    elif high < factor <= 1 / P:
        assert reaches(wealth(bets, moved, -1), threshold)
    if k + rest:
        frequency = fmpq(k, k + rest) / P
        assert low <= frequency <= high


def test_interval_shrinks_to_the_truth() -> None:
    low, high = factors(ladder(P, fmpq(1, 100)), split(36_000, 100_000, P), fmpq(10**6))
    assert fmpq(115, 100) < low < fmpq(12, 10) < high < fmpq(125, 100)
    whole = factors(ladder(P, fmpq(1, 100)), split(0, 0, P), fmpq(10**6), fmpq(1))
    assert whole == (fmpq(0), fmpq(1))


test_bad_parameters = refusal_test(
    refuses("p", lambda p: ladder(p, FAULT), fmpq(0), fmpq(1), fmpq(-1, 2)),
    refuses("fault", lambda: ladder(P, fmpq(0))),
    refuses("events", lambda events: ladder(P, FAULT, events), 0, True),
    refuses("slope", lambda: spread(P, FAULT, 1, fmpq(-1))),
)


def test_center() -> None:
    assert center(P) == P
    with ctx.workprec(200):
        ball = arb(2).sqrt() / 2
    assert abs(center(ball) ** 2 - fmpq(1, 2)) < fmpq(1, 2**50)


# --- planted faults ---------------------------------------------------------------------------------------------------


def bets_now() -> Bets:
    """Without what is remembered."""
    bets: Bets = ladder.__wrapped__(P, FAULT)
    return bets


def wrong_means() -> Iterator[str]:
    bets = bets_now()
    if not is_martingale(P, 3, lambda k, n: exact(bets, ((n - k, k), P))):
        yield "no martingale"


def wrong_alarms() -> Iterator[str]:
    if ever_alarms(P, 60, alarm_of(in_balls(bets_now(), P), 1 / LEVEL)) > LEVEL:
        yield "false alarms"


def missed_directions() -> Iterator[str]:
    if not finds_both_directions(P, fmpq(3, 4), 80, alarm_of(in_balls(bets_now(), P), 1 / LEVEL)):
        yield "faults in a direction are not found"


test_planted_faults_are_found = planted_test(
    read_faults("martingale.toml"),
    {"mean": wrong_means, "alarms": wrong_alarms, "both directions": missed_directions},
)
