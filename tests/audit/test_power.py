"""The power statement is a theorem: its numbers against full enumeration, and its laws."""

from math import comb

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_audit.judge.bets.martingale import Bets, ladder, wealth
from dp_audit.judge.bets.power import alarm_tails, detectable, finds, power, reports_needed, tail
from dp_spec.vocabulary.scalar import Ordering, compare
from independent.wealth_laws import split
from running.optional_values import known

P, SHARE, MISS = fmpq(3, 10), fmpq(1, 100), fmpq(1, 20)
BETS = ladder(P, fmpq(1, 4))

probabilities = st.integers(1, 19).map(lambda i: fmpq(i, 20))


def binomial(p: fmpq, n: int, k: int) -> fmpq:
    return comb(n, k) * p**k * (1 - p) ** (n - k)


@given(probabilities, st.integers(0, 30), st.integers(-1, 32))
def test_tail(p: fmpq, n: int, k: int) -> None:
    exact = sum((binomial(p, n, i) for i in range(max(k, 0), n + 1)), fmpq(0))
    probability = tail(p, n, k)
    assert compare(probability, exact) in (Ordering.UNDECIDED, Ordering.EQUAL)
    assert probability.rad() < 1e-10


def alarms(bets: Bets, p: fmpq, n: int, threshold: fmpq) -> list[bool]:
    return [
        compare(wealth(bets, split(k, n, p)), threshold) in (Ordering.GREATER, Ordering.EQUAL) for k in range(n + 1)
    ]


@given(probabilities, st.integers(1, 150))
def test_the_alarm_is_two_tails(p: fmpq, n: int) -> None:
    bets = ladder(p, fmpq(1, 4))
    a, b = alarm_tails(bets, p, n, 1 / SHARE)
    assert alarms(bets, p, n, 1 / SHARE) == [k <= a or k >= b for k in range(n + 1)]


@pytest.mark.parametrize("fault", [fmpq(1, 4), fmpq(1, 2), fmpq(1)])
def test_power_is_the_smaller_of_two_exact_probabilities(fault: fmpq) -> None:
    n = 120
    alarm = alarms(BETS, P, n, 1 / SHARE)
    chances = [
        sum((binomial(P * (1 + sign * fault), n, k) for k in range(n + 1) if alarm[k]), fmpq(0)) for sign in (1, -1)
    ]
    bound = known(power(BETS, P, n, 1 / SHARE, fault))
    assert 0 <= min(chances) - bound < fmpq(1, 10**3)  # the other tail hardly counts


@given(st.integers(20, 400), st.integers(1, 60), st.integers(1, 60))
def test_power_rises_with_the_fault(n: int, a: int, b: int) -> None:
    small, large = sorted((fmpq(a, 60), fmpq(b, 60)))
    less, more = (known(power(BETS, P, n, 1 / SHARE, fault)) for fault in (small, large))
    assert less <= more + fmpq(1, 10**20)


def test_no_such_fault() -> None:
    assert power(ladder(fmpq(1, 2), fmpq(1, 4)), fmpq(1, 2), 50, fmpq(100), fmpq(3, 2)) is None
    bets = ladder(fmpq(1, 10), fmpq(1, 4))
    assert known(power(bets, fmpq(1, 10), 50, fmpq(100), fmpq(4))) > fmpq(9, 10)  # 1/10 -> 1/2 upwards only


def test_reports_needed_suffice_and_are_near_the_smallest() -> None:
    n = known(reports_needed(P, fmpq(1, 4), SHARE, MISS))
    assert finds(BETS, P, n, 1 / SHARE, fmpq(1, 4), MISS)
    assert not finds(BETS, P, n * 9 // 10, 1 / SHARE, fmpq(1, 4), MISS)
    assert reports_needed(P, fmpq(1, 4), SHARE, MISS, most=n // 2) is None
    assert reports_needed(P, fmpq(1, 4), SHARE, MISS, most=n) is not None  # the limit itself is tried, too


@settings(max_examples=20)
@given(st.integers(5, 60), st.integers(5, 60), probabilities)
def test_reports_needed_fall_with_the_fault(a: int, b: int, p: fmpq) -> None:
    small, large = sorted((fmpq(a, 60), fmpq(b, 60)))
    bets = ladder(p, fmpq(1, 10))
    more, fewer = (known(reports_needed(p, fault, SHARE, MISS, bets)) for fault in (small, large))
    assert fewer <= more


def test_reports_needed_rise_with_what_is_promised() -> None:
    base = known(reports_needed(P, fmpq(1, 4), SHARE, MISS))
    surer = known(reports_needed(P, fmpq(1, 4), SHARE, MISS / 100))
    stricter = known(reports_needed(P, fmpq(1, 4), SHARE / 1000, MISS))
    assert base < min(surer, stricter)


@pytest.mark.parametrize("n", [60, 200, 1000, 20_000])
def test_detectable_is_what_the_reports_find(n: int) -> None:
    fault = known(detectable(BETS, P, n, SHARE, MISS))
    assert finds(BETS, P, n, 1 / SHARE, fault, MISS)
    assert not finds(BETS, P, n, 1 / SHARE, fault * fmpq(9, 10), MISS)


def test_too_few_reports_promise_nothing() -> None:
    assert detectable(BETS, P, 3, SHARE, MISS) is None
    assert detectable(BETS, P, 0, SHARE, MISS) is None


def test_a_large_audit_in_balls() -> None:
    """p = e / (e + 3), a fault of 0.1%: the exact statement at tens of millions of reports."""
    p = arb(1).exp() / (arb(1).exp() + 3)
    assert 3 * 10**7 < known(reports_needed(p, fmpq(1, 1000), fmpq(1, 10**6), MISS)) < 10**8


def test_no_quiet_middle_no_statement() -> None:
    assert alarm_tails(BETS, P, 40, fmpq(1, 10**9)) == (-1, 41)


test_bad_parameters = refusal_test(
    refuses("n", lambda n: power(BETS, P, n, fmpq(100), fmpq(1, 2)), 0, True),
    refuses("fault", lambda: power(BETS, P, 10, fmpq(100), fmpq(0))),
    refuses("share", lambda share: reports_needed(P, fmpq(1, 4), share), fmpq(0), fmpq(1), 0.5),
    refuses("miss", lambda miss: detectable(BETS, P, 100, SHARE, miss), fmpq(0), fmpq(1), 0.5),
)


@pytest.mark.parametrize("p", [fmpq(1, 2) + fmpq(1, 2**60), 1 - fmpq(1, 2**40), 1 - fmpq(1, 2**130), fmpq(1)])
def test_tails_next_to_1_are_told_at_the_first_precision(p: fmpq) -> None:
    """As what they leave of 1: there the other form takes minutes, and tells nothing."""
    n, k = 80_000, 20_994
    with ctx.workprec(64):
        probability = tail(p, n, k)
    assert float(probability.rad()) < 2.0**-40
    assert probability.overlaps(arb(1))
