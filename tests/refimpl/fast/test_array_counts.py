"""Exact counts: the words behind them are enumerated, and tables of binomial laws are compared with fractions."""

from fractions import Fraction
from itertools import accumulate, pairwise, product
from math import prod
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl.fast.array_counts import RESOLUTION, Cells, Draws, binomial_cells, cells, rational
from dp_spec.vocabulary.exceptions import UndecidedError
from independent.brute_force import binomial, collected
from independent.enumerated_arrays import ChosenDraws, EnumeratedDraws, law_of
from independent.numbers import fraction


def numbers(array: Any) -> tuple[int, ...]:
    return tuple(int(x) for x in array)


@given(st.lists(st.integers(0, 16), max_size=3).map(sorted), st.integers(-2, 2), st.integers(1, 2))
def test_categories_have_the_law_of_their_edges(edges: list[int], first: int, count: int) -> None:
    law = Cells(first, tuple(edges), half=2)
    one = {first + j: Fraction(high - low, 16) for j, (low, high) in enumerate(pairwise([0, *edges, 16])) if high > low}
    array_law = law_of(lambda coins: numbers(coins.categories(law, count)), EnumeratedDraws)
    assert array_law == {y: prod(one[j] for j in y) for y in product(one, repeat=count)}


@given(st.integers(0, 300), st.fractions(0, 1, max_denominator=10**6))
def test_tables_of_binomial_laws_are_right_to_2_to_the_minus_120(trials: int, p: Fraction) -> None:
    law = binomial_cells(trials, p)
    unit = Fraction(1, 2**RESOLUTION)
    edges = [Fraction(0), *(e * unit for e in law.edges), Fraction(1)]
    table = {law.first + j: high - low for j, (low, high) in enumerate(pairwise(edges))}
    exact = binomial(trials, p)
    assert set(table) <= set(exact)
    assert all(abs(table.get(k, Fraction(0)) - q) <= Fraction(1, 2**120) for k, q in exact.items())


@pytest.mark.parametrize("shape", [(0, 3, 2), (1, 1), (2,), ()])
def test_binomials_that_share_nothing_are_exact(shape: tuple[int, ...]) -> None:
    trials = np.array(shape, np.int64)
    array_law = law_of(lambda coins: numbers(coins.binomials(trials, fmpq(1, 3))), EnumeratedDraws)
    laws = [binomial(n, Fraction(1, 3)) for n in shape]
    assert array_law == {y: prod(law[j] for law, j in zip(laws, y, strict=True)) for y in product(*laws)}


def exact_cells(trials: int, p: Fraction) -> Cells:
    """The table without rounding, for a dyadic p."""
    total = accumulate([*binomial(trials, p).values()][:-1])
    return Cells(0, tuple(int(edge * 4**64) for edge in total))


def test_binomials_add_what_is_shared_and_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dp_refimpl.fast.array_counts._STEP", 2)
    monkeypatch.setattr("dp_refimpl.fast.array_counts.binomial_cells", exact_cells)
    law = law_of(lambda coins: numbers(coins.binomials(np.array([3, 2], np.int64), fmpq(1, 4))), ChosenDraws)
    three, two = (binomial(n, Fraction(1, 4)) for n in (3, 2))
    assert law == {(a, b): three[a] * two[b] for a in three for b in two}


@pytest.mark.parametrize(("items", "into"), [(0, 3), (1, 1), (2, 2), (2, 3), (3, 2), (2, 4)])
def test_thrown_items_fall_uniformly(items: int, into: int) -> None:
    law = law_of(lambda coins: numbers(coins.thrown(items, into)), EnumeratedDraws)
    wanted: dict[tuple[int, ...], Fraction] = {(0,) * into: Fraction(1)}
    for _ in range(items):
        thrown = (((*y[:j], y[j] + 1, *y[j + 1 :]), p / into) for y, p in wanted.items() for j in range(into))
        wanted = collected(thrown)
    assert law == wanted


def test_large_numbers_of_draws() -> None:
    coins = Draws(np.random.default_rng(5))
    trials = np.array([100_000, 70_001, 64, 0], np.int64)
    assert (coins.binomials(trials, Fraction(1)) == trials).all()
    assert not coins.binomials(trials, 0).any()
    successes = coins.binomials(trials, fmpq(1, 2))
    # more than 40 standard deviations
    assert all(abs(2 * int(x) - int(n)) <= 40 * int(n) ** 0.5 for x, n in zip(successes, trials, strict=True))
    thrown = coins.thrown(600_000, 7)
    assert thrown.sum() == 600_000
    assert all(abs(int(x) - 600_000 // 7) <= 12_000 for x in thrown)


def test_real_probabilities_are_rounded_by_less_than_one_unit() -> None:
    with ctx.workprec(300):
        p = arb(1).exp() / 3
        assert compare_within(p - arb(fmpq(rational(p).numerator, rational(p).denominator)), fmpq(1, 2**RESOLUTION))
    assert rational(fmpq(1, 3)) == Fraction(1, 3)
    with pytest.raises(UndecidedError):
        rational(arb(1) / 3)


def compare_within(ball: arb, bound: fmpq) -> bool:
    return bool(ball.abs_upper() < arb(bound))


def test_cells_of_probabilities() -> None:
    law = cells([fmpq(1, 4), fmpq(1, 2), None])
    assert [fraction(fmpq(e, 4**law.half)) for e in law.edges] == [Fraction(1, 4), Fraction(3, 4)]
    assert cells([fmpq(1, 3), None]).edges == (4**64 // 3,)


COINS, TRIALS = Draws(np.random.default_rng(0)), np.array([3, 4], np.int64)
test_refusals = refusal_test(
    refuses("edges", lambda edges: Cells(0, edges, half=2), (3, 2), (-1,), (17,), (0, 16, 15)),
    refuses("edges", lambda: cells([fmpq(2, 3), fmpq(2, 3), None])),
    refuses("probability", rational, 0.5),
    refuses(
        "p|probability", lambda p: COINS.binomials(np.array([3, 4], np.int64), p), fmpq(3, 2), fmpq(-1, 2), 0.5, None
    ),
    refuses("trials", lambda: COINS.binomials(np.array([3, -1], np.int64), fmpq(1, 2))),
    refuses("into", lambda into: COINS.thrown(5, into), 0, 2**16 + 1),
)


def test_no_trials() -> None:
    assert COINS.binomials(np.zeros(0, np.int64), fmpq(1, 2)).size == 0
