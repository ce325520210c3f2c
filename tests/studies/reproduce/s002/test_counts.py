"""Sufficient statistics: drawn counts have exactly the law of the counts of the programs' reports."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from dp_refimpl.coins import bernoulli, uniform
from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.array_counts import Draws
from dp_refimpl.frequency.hashing import RandomFunctions
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_refimpl.frequency.surap import SuRAP, SuRAPSample
from dp_refimpl.frequency.suwheel import SuWheel
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from dp_studies.reproduce.s002 import counts
from dp_studies.reproduce.s002.counts import arc_results, bit_results, drawn_items, item_results
from dp_studies.reproduce.s002.data import DataSet, data_set, uniform_sets
from independent.counted_programs import (
    Vector,
    Vectors,
    bit,
    item,
    multiset,
    programs,
    together,
    users,
    wheel_user,
    wheel_user_on,
)
from independent.enumerated_arrays import ONE, EnumeratedArrayCoins, law_of, with_words


class ExactDraws(EnumeratedArrayCoins, Draws):
    """Counts by exact choices: what `Draws` makes of its words is the subject of test_draws.py."""

    def indices(self, probabilities: Sequence[Any], count: int) -> Indices:
        known = list(probabilities[:-1])
        law = [*known, 1 - sum(known, ONE * 0)]
        return np.array([self.coins.choose(law) for _ in range(count)], np.int64)

    def binomials(self, trials: Indices, p: Any) -> Indices:
        return np.array([sum(bernoulli(self.coins, p) for _ in range(int(n))) for n in trials], np.int64)

    def bernoulli(self, p: Any, shape: Any) -> Any:
        exact = fmpq(p.numerator, p.denominator)
        return np.array([bernoulli(self.coins, exact) for _ in range(int(shape))], np.uint8)

    def thrown(self, items: int, into: int) -> Indices:
        return np.bincount([uniform(self.coins, range(into), ONE) for _ in range(items)], minlength=into)


DOMAINS = ((1, 1), (2, 1), (1, 2), (2, 0))
ROOTS = (fmpq(3, 2), fmpq(2))


def data_sets(d: int, m: int) -> Iterator[DataSet]:
    """Two users with the same set, and with different ones."""
    sets = list(ItemDomain.of_sizes(d).subsets([m]))
    for second in {0, len(sets) - 1}:
        rows = [sorted(int(str(x)) for x in sets[i]) for i in (0, second)]
        yield DataSet(np.array(rows, np.uint16), d)


def cases() -> Iterator[tuple[DataSet, int, ItemDomain, fmpq]]:
    for (k, n), m, root in product(DOMAINS, (1, 2), ROOTS):
        for data in data_sets(k + n, m) if m <= k + n else ():
            yield data, k, ItemDomain.of_sizes(k, n), root


def vector(array: Any) -> Vector:
    return tuple([int(x) for x in array])


def drawn(statistic: Callable[..., Indices], *arguments: Any) -> Vectors:
    """The law of a statistic, its coins the last argument."""
    law = law_of(lambda coins: vector(statistic(*arguments, coins)), ExactDraws)
    return {y: p for y, p in law.items() if isinstance(y, tuple)}


def sampled_items(data: DataSet, sensitive: int, r: Any, coins: Any) -> Indices:
    return item_results(drawn_items(data, coins), sensitive, r, coins)


def sampled_bits(data: DataSet, sensitive: int, t: Any, coins: Any) -> Indices:
    return bit_results(drawn_items(data, coins), data.n, sensitive, t.p, t.q, t.r, coins)


def test_sugrr() -> None:
    for data, k, domain, root in cases():
        t = SuGRR(domain, Budget.of_root(root, data.m), data.m)
        assert drawn(item_results, data.counts, k, t.r) == programs(t, data, multiset)


def test_sugrr_sample() -> None:
    for data, k, domain, root in cases():
        t = SuGRRSample(domain, Budget.of_root(root), data.m)
        assert drawn(sampled_items, data, k, t.item_randomizer.c3) == programs(t, data, item)


def test_surap() -> None:
    for data, k, domain, root in cases():
        t = SuRAP(domain, Budget.of_root(root, 2 * data.m), data.m)
        assert drawn(bit_results, data.counts, data.n, k, t.p, t.q, t.r) == programs(t, data, bit)


def test_surap_sample() -> None:
    for data, k, domain, root in cases():
        t = SuRAPSample(domain, Budget.of_root(root, 2), data.m)
        assert drawn(sampled_bits, data, k, t) == programs(t, data, bit)


WHEELS = [(1, 1, 1, 2), (2, 1, 1, 3), (1, 1, 2, 2), (2, 1, 2, 1), (1, 2, 2, 2)]


@pytest.mark.parametrize(("k", "n", "m", "w"), WHEELS)
def test_suwheel_with_ideal_hashing(k: int, n: int, m: int, w: int) -> None:
    t = SuWheel(ItemDomain.of_sizes(k, n), Budget.of_root(fmpq(w)), m)
    for data in data_sets(k + n, m):
        found = drawn(arc_results, data, k, t.p_true, t.p_false)
        assert found == together([wheel_user(t, s, data.d) for s in users(data)])


def test_suwheel_on_a_finer_grid_of_hash_values() -> None:
    """Arcs that overlap in part: hash values are multiples of p / 2."""
    t = SuWheel(ItemDomain.of_sizes(1, 1), Budget.of_root(fmpq(2)), 2)
    right = wheel_user_on(RandomFunctions((0, 1), 14), t, frozenset([0, 1]), 2)
    data = DataSet(np.array([[0, 1]], np.uint16), 2)
    assert drawn(arc_results, data, 1, t.p_true, t.p_false) == right


FAULTS: dict[str, Callable[[DataSet, Any, Any], Any]] = {
    "others thrown among all items": lambda data, t, c: item_results(data.counts, data.d, t.r, c),
    "kept with probability p": lambda data, t, c: item_results(data.counts, 2, t.p, c),
    "others thrown among too few": lambda data, t, c: item_results(data.counts, 1, t.r, c),
    "one drawn item only": lambda data, t, c: item_results(drawn_items(data, c), 2, t.r, c),
    "nothing thrown": lambda data, t, c: c.binomials(data.counts, t.r),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_statistic_of_sugrr_is_caught(fault: str) -> None:
    data = DataSet(np.array([[0, 2]], np.uint16), 3)
    t = SuGRR(ItemDomain.of_sizes(2, 1), Budget.of_root(fmpq(2), 2), 2)
    right = programs(t, data, multiset)
    assert drawn(item_results, data.counts, 2, t.r) == right
    assert drawn(FAULTS[fault], data, t) != right


WHEEL_FAULTS: dict[str, Callable[[DataSet, Any, Any], Any]] = {
    "hits of held items independent": lambda data, t, c: np.concatenate(
        [c.binomials(data.counts[:1], t.p_true), c.binomials(data.counts[1:], t.r)]
    ),
    "sent when hit": lambda data, t, c: counts.own_hits(data, t.p_true, t.p_false, c),
    "later hits with P_true": lambda data, t, c: arc_results(data, 1, t.p_true, t.p_true, c),
    "at most one hit": lambda data, t, c: arc_results(data, 1, t.p_true, t.p_false * 0, c),
    "first hit with P_false": lambda data, t, c: arc_results(data, 1, t.p_false, t.p_false, c),
}


@pytest.mark.parametrize("fault", WHEEL_FAULTS)
def test_a_wrong_statistic_of_suwheel_is_caught(fault: str) -> None:
    data = DataSet(np.array([[0, 1]], np.uint16), 2)
    t = SuWheel(ItemDomain.of_sizes(1, 1), Budget.of_root(fmpq(2)), 2)
    right = wheel_user(t, frozenset([0, 1]), 2)
    assert drawn(arc_results, data, 1, t.p_true, t.p_false) == right
    assert drawn(WHEEL_FAULTS[fault], data, t) != right


# --- data -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d", "m"), [(1, 1, 1), (1, 3, 1), (1, 3, 2), (1, 4, 2), (1, 4, 3), (2, 2, 1), (2, 3, 1)])
def test_sets_are_uniform_and_independent(n: int, d: int, m: int) -> None:
    subsets = ItemDomain.of_sizes(d).subsets([m])
    wanted = {sets: Fraction(1, len(subsets) ** n) for sets in product(subsets, repeat=n)}
    found = law_of(
        lambda c: tuple(frozenset(int(x) for x in row) for row in uniform_sets(n, d, m, c)), with_words(1, 3)
    )
    assert found == wanted


def test_a_data_set_depends_on_its_shape_and_seed_only() -> None:
    first = data_set(2000, 30, 5, 1)
    assert (first.n, first.m, first.d) == (2000, 5, 30)
    assert all(len(set(row)) == 5 for row in first.sets.tolist())
    assert first.counts.sum() == 10_000
    other = data_set(2000, 30, 5, 2)
    assert (data_set(2000, 30, 5, 1).sets == first.sets).all()
    assert (other.sets != first.sets).any()
