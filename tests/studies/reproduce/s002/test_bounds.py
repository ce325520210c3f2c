"""Bounds on sums of squared errors: the inequality behind them, their coverage computed exactly, and planted faults."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses_each
from dp_refimpl.coins import bernoulli, uniform
from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.array_counts import Draws
from dp_refimpl.frequency.hashing import RandomFunctions
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_refimpl.frequency.surap import SuRAP, SuRAPSample
from dp_refimpl.frequency.suwheel import SuWheel
from dp_spec.vocabulary.budget import Budget, real_budget
from dp_spec.vocabulary.items import ItemDomain
from dp_studies.reproduce.s002 import counts
from dp_studies.reproduce.s002.bounds import Count, count_law, spread
from dp_studies.reproduce.s002.counts import (
    DataSet,
    arc_results,
    bit_results,
    data_set,
    drawn_items,
    item_results,
    uniform_sets,
)
from dp_studies.reproduce.s002.formulas import KINDS, MECHANISMS, evaluate, items, total
from dp_studies.reproduce.s002.settings import Setting
from dp_studies.reproduce.squared_errors import Spread, Sums
from independent.brute_force import added, binomial, collected
from independent.enumerated_arrays import ONE, EnumeratedArrayCoins, law_of, with_words
from independent.numbers import ball
from independent.server_counts import (
    Vector,
    Vectors,
    bit,
    item,
    multiset,
    one_user,
    programs,
    together,
    user_counts,
    users,
    wheel_user,
    wheel_user_on,
)

DOMAIN, HELD, SENSITIVE = ItemDomain.of_sizes(2, 2), frozenset([0, 2]), 2


@cache
def user_law(name: str) -> Vectors:
    """What one user with items 0 (sensitive) and 2 adds to the counts of 4 items, of which 2 are sensitive."""
    two = fmpq(2)
    if name == "SuWheel":
        return wheel_user(SuWheel(ItemDomain.of_sizes(2, 1), Budget.of_root(two), 2), HELD, 3)
    if name == "suwheel, sensitive items held":
        return wheel_user(SuWheel(ItemDomain.of_sizes(2, 0), Budget.of_root(two), 2), frozenset([0, 1]), 2)
    if name == "suwheel, others held":
        return wheel_user(SuWheel(ItemDomain.of_sizes(1, 2), Budget.of_root(two), 2), frozenset([1, 2]), 3)
    targets: dict[str, tuple[Any, Any]] = {
        "SuGRR": (SuGRR(DOMAIN, Budget.of_root(two, 2), 2), multiset),
        "SuGRRSample": (SuGRRSample(DOMAIN, Budget.of_root(two), 2), item),
        "SuRAP": (SuRAP(DOMAIN, Budget.of_root(two, 4), 2), bit),
        "SuRAPSample": (SuRAPSample(DOMAIN, Budget.of_root(two, 2), 2), bit),
    }
    target, protected = targets[name]
    return one_user(lambda coins: user_counts(target, HELD, protected, 4, coins))


USERS = (*MECHANISMS, "suwheel, sensitive items held", "suwheel, others held")


def kinds(name: str) -> tuple[range, range]:
    sensitive = {"suwheel, others held": 1}.get(name, 2)
    return range(sensitive), range(sensitive, len(next(iter(user_law(name)))))


Rising = list[list[Fraction]]
rising = st.lists(
    st.lists(st.fractions(0, 5, max_denominator=7), min_size=5, max_size=5).map(sorted), min_size=4, max_size=4
)


@pytest.mark.slow
@pytest.mark.parametrize("name", USERS)
@given(values=rising, falling=st.booleans(), number=st.integers(1, 2))
def test_products_of_monotone_functions(name: str, values: Rising, falling: bool, number: int) -> None:
    """The first step of the proof, for one user and for two."""
    law = together([user_law(name)] * number)
    g = [row[::-1] for row in values] if falling else values
    for kind in kinds(name):
        joint = sum(p * prod(g[x][y[x]] for x in kind) for y, p in law.items())
        apart = prod(sum(p * g[x][y[x]] for y, p in law.items()) for x in kind)
        assert joint <= apart


def test_the_inequality_can_fail() -> None:
    """Hits of a suWheel user's items, if the first hit were followed by certain ones."""
    law = {(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 2)}
    assert sum(p * y[0] * y[1] for y, p in law.items()) > Fraction(1, 4)


# --- coverage, exactly ------------------------------------------------------------------------------------------------


def count_probabilities(law: Count, c: int) -> dict[int, Fraction]:
    """Binomial(c, held) + Binomial(trials - c, other), for rational probabilities."""
    return added(binomial(c, as_fraction(law.held)), binomial(law.trials - c, as_fraction(law.other)))


def as_fraction(number: arb) -> Fraction:
    assert number.is_exact()
    mantissa, exponent = number.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def mean_of(law: Count, c: int) -> Fraction:
    return c * as_fraction(law.held) + (law.trials - c) * as_fraction(law.other)


@cache
def sums_of_squares(number: int) -> dict[Fraction, Fraction]:
    """The law of S for an instance, counts independent."""
    law, counts, runs = INSTANCES[number]
    squares = [
        collected(((k - mean_of(law, c)) ** 2, p) for k, p in count_probabilities(law, c).items())
        for c in counts * runs
    ]
    return reduce(added, squares)


def misses(number: int, ends: Spread) -> tuple[Fraction, Fraction]:
    """Exact probabilities that S is below low E S, above high E S."""
    sums = sums_of_squares(number)
    expected = sum((s * p for s, p in sums.items()), Fraction(0))
    low, high = (None if end is None else end * ball(expected) for end in (ends.low, ends.high))
    below = sum((p for s, p in sums.items() if low is not None and ball(s) < low), Fraction(0))
    above = sum((p for s, p in sums.items() if high is not None and ball(s) > high), Fraction(0))
    return below, above


def instances() -> Iterator[tuple[Count, list[int], int]]:
    """Laws of a count, counts n f_x, runs."""
    for held, other, trials in ((arb(0.5), arb(0.25), 6), (arb(0.125), arb(0), 8), (arb(0.75), arb(0.0625), 10)):
        for independent in (True, False):
            yield Count(trials, held, other, independent), [2, 3], 2
            yield Count(trials, held, other, independent), [1, 2, 2, 5], 1
    yield Count(24, arb(0.5), arb(0.25), True), [3, 9], 3
    yield Count(40, arb(0.5), arb(0), True), [30], 2
    yield Count(2, arb(0.5), arb(0), True), [2], 16


INSTANCES = tuple(instances())
LEVELS = (Fraction(1, 4), Fraction(1, 20), Fraction(1, 100))


@pytest.mark.parametrize("level", LEVELS)
def test_both_tails_are_at_most_the_level(level: Fraction) -> None:
    for number, instance in enumerate(INSTANCES):
        assert max(misses(number, spread(*instance, fmpq(level.numerator, level.denominator)))) <= level


def halved(group: Any) -> Any:
    low, high = (tuple([m / 4**j for j, m in enumerate(ms)]) for ms in (group.low, group.high))
    return replace(group, low=low, high=high)


own_low, own_high = Sums.low, Sums.high


def shifted(change: Callable[[Any], Any]) -> dict[str, Any]:
    """Both ends of changed sums."""
    return {"low": lambda self: own_low(change(self)), "high": lambda self: own_high(change(self))}


BOUND_FAULTS: dict[str, dict[str, Any]] = {
    "level forgotten": shifted(lambda s: replace(s, level=arb(0.999))),
    "runs forgotten in E S": shifted(lambda s: replace(s, expected=s.expected * 2)),
    "moments of half the items": shifted(lambda s: replace(s, groups=s.groups[:1], runs=s.runs)),
    "one run only": shifted(lambda s: replace(s, runs=1)),
    "standard deviations halved": shifted(lambda s: replace(s, groups=[halved(g) for g in s.groups])),
    "ends exchanged": {"low": own_high, "high": own_low},
}
"""Attributes of `Sums` that are replaced."""


@pytest.mark.parametrize("fault", BOUND_FAULTS)
def test_a_fault_of_the_bounds_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, function in BOUND_FAULTS[fault].items():
        monkeypatch.setattr(Sums, name, function)
    spreads = (spread(*instance, fmpq(1, 100)) for instance in INSTANCES)
    assert max(max(misses(number, ends)) for number, ends in enumerate(spreads)) > Fraction(1, 100)


def test_more_runs_and_weaker_levels_give_narrower_bounds() -> None:
    law = Count(1000, arb(0.5), arb(0.25), True)
    few, many = (spread(law, [100] * 20, runs, fmpq(1, 10**9)) for runs in (10, 40))
    weak = spread(law, [100] * 20, 10, fmpq(1, 10))
    assert few.low is not None
    assert many.low is not None
    assert weak.low is not None
    assert few.low < many.low < 1 < many.high < few.high
    assert few.low < weak.low < 1 < weak.high < few.high


COUNT = Count(5, arb(0.5), arb(0.25), True)
test_refusals = refusal_test(
    refuses_each(
        "",
        lambda *arguments: spread(COUNT, *arguments),
        *(([], 1, fmpq(1, 2)), ([1], 0, fmpq(1, 2)), ([1], 1, fmpq(0)), ([1], 1, fmpq(1))),
    )
)


# --- two derivations --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MECHANISMS)
@given(m=st.integers(1, 9), k=st.integers(1, 30), n=st.integers(0, 30), data=st.data())
def test_the_law_of_a_count_has_the_variance_of_the_formula(
    name: str, m: int, k: int, n: int, data: st.DataObject
) -> None:
    setting = Setting(data.draw(st.integers(1, 50)), max(k + n, m), k, m, "1.7")
    mechanism, budget = MECHANISMS[name], real_budget(setting.epsilon, 600)
    values = mechanism.values(setting, budget)
    for kind in KINDS:
        if size := items(setting, kind):
            counts = data.draw(st.lists(st.integers(0, setting.n), min_size=size, max_size=size))
            slope = evaluate(mechanism.errors[kind].estimator.slope, values)
            stated = total(mechanism.errors[kind].formula, kind, setting, values, sum(counts))
            variance = count_law(mechanism, kind, setting, budget).variance(counts)
            # the difference of two balls of 256 bits
            difference = variance - stated * (setting.n * slope) ** 2
            assert difference.contains(0)
            assert difference.rad() < arb(2) ** -20 * (1 + variance.abs_upper())


# --- counts -----------------------------------------------------------------------------------------------------------


class ExactDraws(EnumeratedArrayCoins, Draws):
    """Counts by exact choices: what `Draws` makes of its words is the subject of test_draws.py."""

    def indices(self, probabilities: Sequence[Any], count: int) -> Indices:
        masses = list(probabilities[:-1])
        law = [*masses, 1 - sum(masses, ONE * 0)]
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


def sampled_items(data: DataSet, sensitive: int, t: Any, coins: Any) -> Indices:
    return item_results(drawn_items(data, coins), sensitive, t.item_randomizer.c3, coins)


def sampled_bits(data: DataSet, sensitive: int, t: Any, coins: Any) -> Indices:
    return bit_results(drawn_items(data, coins), data.n, sensitive, t, coins)


def all_items(data: DataSet, sensitive: int, t: Any, coins: Any) -> Indices:
    return item_results(data.counts, sensitive, t.r, coins)


def all_bits(data: DataSet, sensitive: int, t: Any, coins: Any) -> Indices:
    return bit_results(data.counts, data.n, sensitive, t, coins)


STATISTICS: tuple[tuple[Any, Callable[[int], int], Callable[..., Indices], Any], ...] = (
    (SuGRR, lambda m: m, all_items, multiset),
    (SuGRRSample, lambda m: 1, sampled_items, item),
    (SuRAP, lambda m: 2 * m, all_bits, bit),
    (SuRAPSample, lambda m: 2, sampled_bits, bit),
)
"""A mechanism, which root of e^epsilon is rational, what is drawn of its counts, and how its reports are counted."""


@pytest.mark.parametrize(("mechanism", "power", "statistic", "protected"), STATISTICS)
def test_counts_are_drawn_by_the_law_of_the_program(
    mechanism: Any, power: Callable[[int], int], statistic: Callable[..., Indices], protected: Any
) -> None:
    for data, k, domain, root in cases():
        t = mechanism(domain, Budget.of_root(root, power(data.m)), data.m)
        assert drawn(statistic, data, k, t) == programs(t, data, protected)


WHEELS = [(1, 1, 1, 2), (2, 1, 1, 3), (1, 1, 2, 2), (2, 1, 2, 1), (1, 2, 2, 2)]


@pytest.mark.parametrize(("k", "n", "m", "w"), WHEELS)
def test_suwheel_with_ideal_hashing(k: int, n: int, m: int, w: int) -> None:
    t = SuWheel(ItemDomain.of_sizes(k, n), Budget.of_root(fmpq(w)), m)
    for data in data_sets(k + n, m):
        law = drawn(arc_results, data, k, t.p_true, t.p_false)
        assert law == together([wheel_user(t, s, data.d) for s in users(data)])


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


WHEEL_FAULTS: dict[str, Callable[[DataSet, Any, Any], Any]] = {
    "hits of held items independent": lambda data, t, c: np.concatenate(
        [c.binomials(data.counts[:1], t.p_true), c.binomials(data.counts[1:], t.r)]
    ),
    "sent when hit": lambda data, t, c: counts.own_hits(data, t.p_true, t.p_false, c),
    "later hits with P_true": lambda data, t, c: arc_results(data, 1, t.p_true, t.p_true, c),
    "at most one hit": lambda data, t, c: arc_results(data, 1, t.p_true, t.p_false * 0, c),
    "first hit with P_false": lambda data, t, c: arc_results(data, 1, t.p_false, t.p_false, c),
}


@pytest.mark.parametrize("fault", [*FAULTS, *WHEEL_FAULTS])
def test_a_wrong_statistic_is_caught(fault: str) -> None:
    """Of one user of suGRR, or of suWheel."""
    if fault in FAULTS:
        data = DataSet(np.array([[0, 2]], np.uint16), 3)
        t: Any = SuGRR(ItemDomain.of_sizes(2, 1), Budget.of_root(fmpq(2), 2), 2)
        assert drawn(FAULTS[fault], data, t) != programs(t, data, multiset)
    else:
        data = DataSet(np.array([[0, 1]], np.uint16), 2)
        t = SuWheel(ItemDomain.of_sizes(1, 1), Budget.of_root(fmpq(2)), 2)
        assert drawn(WHEEL_FAULTS[fault], data, t) != wheel_user(t, frozenset([0, 1]), 2)


# --- data -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d", "m"), [(1, 1, 1), (1, 3, 1), (1, 3, 2), (1, 4, 2), (1, 4, 3), (2, 2, 1), (2, 3, 1)])
def test_sets_are_uniform_and_independent(n: int, d: int, m: int) -> None:
    subsets = ItemDomain.of_sizes(d).subsets([m])
    wanted = {sets: Fraction(1, len(subsets) ** n) for sets in product(subsets, repeat=n)}
    law = law_of(lambda c: tuple(frozenset(int(x) for x in row) for row in uniform_sets(n, d, m, c)), with_words(1, 3))
    assert law == wanted


def test_a_data_set_depends_on_its_shape_and_seed_only() -> None:
    first = data_set(2000, 30, 5, 1)
    assert (first.n, first.m, first.d) == (2000, 5, 30)
    assert all(len(set(row)) == 5 for row in first.sets.tolist())
    assert first.counts.sum() == 10_000
    other = data_set(2000, 30, 5, 2)
    assert (data_set(2000, 30, 5, 1).sets == first.sets).all()
    assert (other.sets != first.sets).any()
