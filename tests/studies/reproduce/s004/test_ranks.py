"""Ranks and their deviations under the rules for ties, compared with sorting; data sets are rounded to their sizes."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.faults import fault_test
from cases.refusals import refusal_test, refuses, refuses_each
from dp_studies.reproduce.s004 import data, ranks
from dp_studies.reproduce.s004.data import WEIGHTS, counts, largest_remainder
from dp_studies.reproduce.s004.ranks import TIES, Place, Ties, places, rank_deviation

numbers = st.lists(st.integers(0, 4), min_size=1, max_size=9)


def by_sorting(values: list[int], ties: Ties) -> list[Fraction]:
    order = sorted(range(len(values)), key=lambda x: (-values[x], x))
    ordinal = {x: position for position, x in enumerate(order, start=1)}
    positions = []
    for x, value in enumerate(values):
        alike = [ordinal[y] for y in range(len(values)) if values[y] == value]
        positions.append(
            {
                "ordinal": Fraction(ordinal[x]),
                "competition": Fraction(min(alike)),
                "average": Fraction(sum(alike), len(alike)),
            }[ties]
        )
    return positions


def check(values: list[int], other: list[int]) -> None:
    every = range(len(values))
    one, two = (places(np.array(v), every) for v in (values, other))
    for ties in TIES:
        sorted_one, sorted_two = by_sorting(values, ties), by_sorting(other, ties)
        assert [place.rank(ties) for place in one] == sorted_one
        for x in every:
            deviation = rank_deviation(one[x], two[x], ties)
            assert deviation == abs(sorted_two[x] - sorted_one[x])
            # 004.eval.dr.range
            assert 0 <= deviation <= len(values) - 1


@given(numbers, st.randoms(use_true_random=False))
def test_ranks_are_those_of_sorting(values: list[int], random: Any) -> None:
    check(values, random.sample(values, len(values)))


@given(numbers)
def test_ordinal_and_average_ranks_add_up(values: list[int]) -> None:
    n = len(values)
    positions = places(np.array(values), range(n))
    assert (
        sum(p.rank("ordinal") for p in positions)
        == sum(p.rank("average") for p in positions)
        == Fraction(n * (n + 1), 2)
    )
    assert all(p.rank("competition") <= p.rank("average") for p in positions)


FAULTS = {
    "from 0": lambda self, ties: Fraction(self.above + (self.before if ties == "ordinal" else 0)),
    "smallest first": lambda self, ties: Fraction(1 + self.equal + self.before - self.above),
    "all equal ones before": lambda self, ties: Fraction(1 + self.above + self.equal),
    "the word itself among its equals": lambda self, ties: 1 + self.above + Fraction(self.equal + 1, 2),
    "one rule for all": lambda self, ties: Fraction(1 + self.above),
    "halves rounded": lambda self, ties: Fraction(1 + self.above + self.equal // 2),
}


test_a_fault_of_the_ranks_is_caught = fault_test(
    lambda: check([3, 1, 3, 2, 1, 1], [1, 1, 2, 3, 3, 3]),
    {fault: (ranks.Place, "rank", rank) for fault, rank in FAULTS.items()},
    (AssertionError,),
)


# --- data sets --------------------------------------------------------------------------------------------------------

weights = st.lists(st.fractions(0, 10, max_denominator=30), min_size=1, max_size=8).filter(any)


@given(weights, st.integers(0, 500))
def test_largest_remainders(given_weights: list[Fraction], total: int) -> None:
    seats = largest_remainder(given_weights, total)
    whole = sum(given_weights, Fraction(0))
    exact = [total * w / whole for w in given_weights]
    assert sum(seats) == total
    assert all(x // 1 <= c <= x // 1 + 1 for c, x in zip(seats, exact, strict=True))
    up = [x % 1 for c, x in zip(seats, exact, strict=True) if c > x // 1]
    down = [x % 1 for c, x in zip(seats, exact, strict=True) if c == x // 1]
    assert not up or not down or min(up) >= max(down) or min(up) == max(down)


@given(st.sampled_from(list(WEIGHTS)), st.integers(1, 60), st.integers(1, 10**6))
def test_the_earlier_word_is_not_less_frequent(name: str, words: int, records: int) -> None:
    frequencies = counts(name, words, records)
    assert (len(frequencies), sum(frequencies)) == (words, records)
    assert list(frequencies) == sorted(frequencies, reverse=True)


def test_equal_remainders_go_to_the_earlier_words() -> None:
    assert largest_remainder([Fraction(1)] * 4, 6) == (2, 2, 1, 1)
    assert largest_remainder([Fraction(1), Fraction(2)], 1) == (0, 1)


@pytest.mark.slow
def test_the_sizes_of_the_source() -> None:
    harmonic, exponential, even = (counts(name, 2000, 10**6) for name in WEIGHTS)
    assert sum(harmonic) == sum(exponential) == sum(even) == 10**6
    assert set(even) == {500}
    assert exponential[:2] == (230769, 177515)
    assert sum(c > 0 for c in exponential) == 50
    assert len(set(harmonic[:20])) == len(set(exponential[:20])) == 20


def check_small_data() -> None:
    for name, words, records in (("harmonic", 100, 1000), ("even", 4, 6), ("exponential", 7, 100)):
        frequencies = counts(name, words, records)
        assert sum(frequencies) == records
        assert list(frequencies) == sorted(frequencies, reverse=True)
        assert frequencies[0] < records


def rounded(shares: Any, total: int) -> tuple[int, ...]:
    whole = sum(shares, Fraction(0))
    return tuple(round(total * w / whole) for w in shares)


DATA_FAULTS = {
    "nearest integers": rounded,
    "rounded down": lambda w, total: tuple(int(total * x / sum(w)) for x in w),
    "all to the first": lambda w, total: (total, *[0] * (len(w) - 1)),
    "smallest remainders": lambda w, total: largest_remainder(w[::-1], total)[::-1],
}


@pytest.mark.parametrize("fault", DATA_FAULTS)
def test_a_fault_of_the_rounding_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "largest_remainder", DATA_FAULTS[fault])
    counts.cache_clear()
    with pytest.raises(AssertionError):
        check_small_data()
    counts.cache_clear()


ONE, TWO = Fraction(1), Fraction(2)
test_refusals = refusal_test(
    refuses("ties", Place(0, 0, 0).rank, "dense"),
    refuses_each("", counts, ("zipf", 5, 5), ("harmonic", 0, 5), ("harmonic", 5, 0), (None, 5, 5)),
    refuses_each("", counts, ("harmonic", True, 5), ("harmonic", 5, 1.5)),
    refuses_each("", largest_remainder, ([], 1), ([Fraction(0)], 1), ([-ONE, TWO], 1), ([ONE], -1)),
)
