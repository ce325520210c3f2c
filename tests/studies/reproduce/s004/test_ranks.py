"""Ranks and their deviations under the rules for ties, compared with sorting."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.s004 import ranks
from dp_studies.reproduce.s004.ranks import TIES, Place, Ties, places, rank_deviation

numbers = st.lists(st.integers(0, 4), min_size=1, max_size=9)


def by_sorting(values: list[int], ties: Ties) -> list[Fraction]:
    order = sorted(range(len(values)), key=lambda x: (-values[x], x))
    ordinal = {x: position for position, x in enumerate(order, start=1)}
    found = []
    for x, value in enumerate(values):
        alike = [ordinal[y] for y in range(len(values)) if values[y] == value]
        found.append(
            {
                "ordinal": Fraction(ordinal[x]),
                "competition": Fraction(min(alike)),
                "average": Fraction(sum(alike), len(alike)),
            }[ties]
        )
    return found


def check(values: list[int], other: list[int]) -> None:
    every = range(len(values))
    one, two = (places(np.array(v), every) for v in (values, other))
    for ties in TIES:
        sorted_one, sorted_two = by_sorting(values, ties), by_sorting(other, ties)
        assert [place.rank(ties) for place in one] == sorted_one
        for x in every:
            found = rank_deviation(one[x], two[x], ties)
            assert found == abs(sorted_two[x] - sorted_one[x])
            # 004.eval.dr.range
            assert 0 <= found <= len(values) - 1


@given(numbers, st.randoms(use_true_random=False))
def test_ranks_are_those_of_sorting(values: list[int], random: Any) -> None:
    check(values, random.sample(values, len(values)))


@given(numbers)
def test_ordinal_and_average_ranks_add_up(values: list[int]) -> None:
    n = len(values)
    found = places(np.array(values), range(n))
    assert sum(p.rank("ordinal") for p in found) == sum(p.rank("average") for p in found) == Fraction(n * (n + 1), 2)
    assert all(p.rank("competition") <= p.rank("average") for p in found)


FAULTS = {
    "from 0": lambda self, ties: Fraction(self.above + (self.before if ties == "ordinal" else 0)),
    "smallest first": lambda self, ties: Fraction(1 + self.equal + self.before - self.above),
    "all equal ones before": lambda self, ties: Fraction(1 + self.above + self.equal),
    "the word itself among its equals": lambda self, ties: 1 + self.above + Fraction(self.equal + 1, 2),
    "one rule for all": lambda self, ties: Fraction(1 + self.above),
    "halves rounded": lambda self, ties: Fraction(1 + self.above + self.equal // 2),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_ranks_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks.Place, "rank", FAULTS[fault])
    with pytest.raises(AssertionError):
        check([3, 1, 3, 2, 1, 1], [1, 1, 2, 3, 3, 3])


def test_another_rule() -> None:
    rule: Any = "dense"
    with pytest.raises(DomainError, match="ties"):
        Place(0, 0, 0).rank(rule)
