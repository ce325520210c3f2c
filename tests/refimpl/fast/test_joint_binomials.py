"""Joint counts: their words are enumerated, and every column has the law of its table."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl.fast import joint_binomials
from dp_refimpl.fast.array_counts import Cells
from dp_refimpl.fast.joint_binomials import BinomialCoins, BinomialTables, JointCells
from independent.brute_force import added, binomial, collected
from independent.enumerated_arrays import EnumeratedArrayCoins, law_of


class EnumeratedCoins(EnumeratedArrayCoins, BinomialCoins):
    """Joint binomials on enumerated words of one bit, and then of two."""

    short_word = 1


def rows(array: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(x) for x in row) for row in array)


def outcome(edges: list[int], word: int) -> int:
    return sum(edge <= word for edge in edges)


edges_of_a_law = st.lists(st.integers(0, 16), max_size=3).map(sorted)


@given(edges_of_a_law, edges_of_a_law, st.integers(-2, 2))
def test_a_word_decides_all_columns(one: list[int], two: list[int], first: int) -> None:
    table = JointCells((Cells(first, tuple(one), half=2), Cells(0, tuple(two), half=2)), 1)
    law = law_of(lambda coins: rows(coins.jointly(table, 1)), EnumeratedCoins)
    drawn = (((first + outcome(one, word), outcome(two, word)),) for word in range(16))
    assert law == collected((y, Fraction(1, 16)) for y in drawn)


@given(edges_of_a_law)
def test_rows_are_independent(edges: list[int]) -> None:
    table = JointCells((Cells(0, tuple(edges), half=2),), 1)
    one = {j: Fraction(high - low, 16) for j, (low, high) in enumerate(pairwise([0, *edges, 16])) if high > low}
    law = law_of(lambda coins: rows(coins.jointly(table, 2)), EnumeratedCoins)
    assert law == {((a,), (b,)): one[a] * one[b] for a in one for b in one}


@given(st.integers(0, 70), st.lists(st.fractions(0, 1, max_denominator=99), min_size=1, max_size=2), st.integers(2, 9))
def test_tables_of_the_digits_add_up_to_the_binomial_law(trials: int, chances: list[Fraction], base: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint_binomials, "_BASE", base)
        parts = list(BinomialTables(chances).parts(trials))
    for column, p in enumerate(chances):
        law = {0: Fraction(1)}
        for part in parts:
            cells = part.laws[column]
            edges = [Fraction(0), *(Fraction(e, 4**64) for e in cells.edges), Fraction(1)]
            law = added(law, {j: b - a for j, (a, b) in enumerate(pairwise(edges), start=cells.first)})
        for y, exact in binomial(trials, p).items():
            assert abs(law.get(y, Fraction(0)) - exact) < Fraction(1, 2**110)


def test_counts_of_several_numbers_of_trials() -> None:
    """Every entry gets the counts of its own number of trials, whatever their order, small or large."""
    coins, tables = BinomialCoins(np.random.default_rng(3)), BinomialTables([0, 1, Fraction(1, 2)])
    for trials in ([5, 0, 70, 5, 4096], [40_000, 3], [0], [100_000]):
        numbers = np.array(trials, np.int64)
        counts = coins.binomials(tables, numbers, 4)
        assert counts.shape == (len(trials), 4, 3)
        assert not counts[:, :, 0].any()
        assert (counts[:, :, 1] == numbers[:, None]).all()
        # more than 40 standard deviations
        assert (abs(2 * counts[:, :, 2].astype(np.int64) - numbers[:, None]) <= 40 * numbers[:, None] ** 0.5).all()
    assert coins.binomials(tables, np.zeros(0, np.int64)).shape == (0, 1, 3)


def test_what_short_words_leave_open_is_decided() -> None:
    """With an edge inside every short word all draws are decided by long words."""
    edges = tuple((2 * word + 1) << 125 for word in range(4))
    table = JointCells((Cells(0, edges),), 2)
    assert table.undecided.all()

    class TwoBits(BinomialCoins):
        def words(self, count: int, bits: int) -> Any:
            return super().words(count, 8) >> np.uint8(6) if bits == 2 else super().words(count, bits)

        short_word = 2

    counts = np.bincount(TwoBits(np.random.default_rng(4)).jointly(table, 80_000)[:, 0], minlength=5)
    # 1/8, 1/4, 1/4, 1/4, 1/8; more than 20 standard deviations
    assert (abs(counts - np.array([10_000, 20_000, 20_000, 20_000, 10_000])) < 2_500).all()


TRIALS = BinomialCoins(np.random.default_rng(0)).binomials
test_refusals = refusal_test(
    refuses("chances|probability", BinomialTables, [], [Fraction(3, 2)], [Fraction(-1)], [0.5], [None]),
    refuses("trials", lambda trials: TRIALS(BinomialTables([1]), trials), np.array([2, -1])),
)
