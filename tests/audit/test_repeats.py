"""Stretches of calls that repeat, by brute force: never of independent calls, always of a pool that returns."""

import random
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_audit.judge.events import Observation
from dp_audit.judge.repetition import LONGEST, needed, repeated
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.oracles import oracle

LEVEL = fmpq(1, 10**10)


def observation(d: int, epsilon: float) -> Observation:
    return Observation(UnmodifiedRun(tuple(range(d)), tuple(range(d))), oracle("GRR", {"d": d, "epsilon": epsilon}))


def reports(d: int, epsilon: float, coins: Any, calls: int) -> tuple[Any, Any]:
    """Of GRR on random items, each made of one number of `coins`."""
    items, codes = [], []
    order = random.Random(7)
    keep = float(np.exp(epsilon) / (np.exp(epsilon) + d - 1))
    for _ in range(calls):
        item, u = order.randrange(d), coins()
        lie = int((u - keep) / (1 - keep) * (d - 1)) if u >= keep else 0
        items.append(item)
        codes.append(item if u < keep else lie + (lie >= item))
    return np.array(items, np.int64), np.array(codes, np.int64)


def first_pair(tells: list[bool], length: int) -> tuple[int, int] | None:
    """By brute force: the earliest second stretch that is alike to one that ends before it begins."""
    for j in range(len(tells) - length + 1):
        for i in range(j - length + 1):
            if tells[i : i + length] == tells[j : j + length]:
                return i + 1, j + 1
    return None


@pytest.mark.parametrize(("d", "epsilon"), [(2, 0.5), (4, 1.0), (16, 2.0), (3, 3.0)])
def test_independent_calls_do_not_repeat(d: int, epsilon: float) -> None:
    drawn, watched = random.Random(5), observation(d, epsilon)
    assert needed(watched, 40_000, LEVEL) > 0
    assert repeated(watched, *reports(d, epsilon, drawn.random, 40_000), LEVEL) is None


@given(st.integers(300, 900), st.integers(0, 40), st.sampled_from([(2, 0.5), (4, 1.0)]))
def test_a_pool_that_comes_back_is_seen(period: int, begin: int, parameters: tuple[int, float]) -> None:
    drawn = random.Random(period)
    pool = [drawn.random() for _ in range(period)]
    stream = iter([*(drawn.random() for _ in range(begin)), *pool, *pool])
    repeat = repeated(
        observation(*parameters), *reports(*parameters, lambda: next(stream), begin + 2 * period), fmpq(1, 10**10)
    )
    assert repeat is not None
    place, later, length = repeat
    assert later - place == period
    assert length <= period


@given(st.lists(st.booleans(), min_size=8, max_size=60), st.data())
def test_what_is_found_is_what_brute_force_finds(tells: list[bool], data: st.DataObject) -> None:
    """With any level: of two items that tell or do not."""
    watched = observation(2, 0.5)
    level = data.draw(st.sampled_from([fmpq(20), fmpq(4), fmpq(1, 2)]))
    length = needed(watched, len(tells), level)
    codes = np.array([0 if tell else 1 for tell in tells], np.int64)
    repeat = repeated(watched, np.zeros(len(tells), np.int64), codes, level)
    expected = first_pair(tells, length) if length else None
    assert (None if repeat is None else repeat[:2]) == expected


@given(st.integers(2, 9), st.floats(0.2, 5), st.integers(10, 10**6))
def test_the_length_is_the_least_that_suffices(d: int, epsilon: float, calls: int) -> None:
    watched = observation(d, epsilon)
    length = needed(watched, calls, LEVEL)
    p = watched.told[0]
    chance = arb(p) ** 2 + (1 - arb(p)) ** 2
    union = arb(calls) ** 2 / 2
    if length:
        assert bool(union * chance**length < LEVEL * arb("1.000001"))
        assert bool(union * chance ** (length - 1) > LEVEL)
    else:
        most = min(LONGEST, calls // 2)
        assert bool(union * chance**most > LEVEL)
