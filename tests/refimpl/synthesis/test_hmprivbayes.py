"""Whole runs for a given partition against plain sums over networks, tables and rows; planted faults are caught."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from flint import fmpq
from numpy.random import default_rng

from cases.faults import fault_test, mutant_test, nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import Coins, SamplingCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis import hmprivbayes
from dp_refimpl.synthesis.hmprivbayes import (
    DEFAULT,
    HMPrivBayes,
    NoPrivacy,
    NotComputedError,
    Readings,
    budget_shares,
    data_weights,
    fixed_weights,
    require_partition,
    row_join,
    set_union,
)
from dp_refimpl.synthesis.network import IBayes
from dp_refimpl.synthesis.noisy_tables import LaplaceCells, NoCellNoise, RangeGeometric
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum, RealExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable, neighbors
from dp_spec.vocabulary.budget import Budget, rational_budget, real_budget
from independent.brute_force_synthesis import Record, network_law, rows_law
from independent.numbers import fraction, plain_law

CASES: list[tuple[tuple[Record, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]] = [
    (((1,), (1,)), (2,), ((0,),)),
    (((0, 0), (0, 1)), (2, 2), ((0, 1),)),
    (((0, 1), (1, 1)), (2, 2), ((1,), (0,))),
]
LAST = Fraction(1, 3)
NINE = rational_budget("2*ln(3)")
Run = Callable[[CountTable, Any, Coins], Any]


def program(clusters: int, readings: Readings = DEFAULT, noise: Any = None) -> HMPrivBayes[fmpq]:
    """Two attributes at which budgets make all laws rational: e^epsilon_2 = 4^(2c) for B_2 = 4, alpha = 1/3."""
    networks = IBayes(ExponentialMechanism(Budget.of_root(fmpq(4), 4 // clusters)), 1)
    return HMPrivBayes(networks, noise or data_weights(NINE), readings)


def number(table: CountTable, partition: Any) -> int:
    return 2 if len(table.sizes) == 1 else len(partition)


def seen(release: Any) -> Any:
    """The networks and the data."""
    return release.networks, release.data.records


def run(table: CountTable, partition: Any, coins: Coins) -> Any:
    return seen(program(number(table, partition)).run(table, partition, coins))


@cache
def naive(records: tuple[Record, ...], sizes: tuple[int, ...], partition: Any) -> dict[Any, Fraction]:
    """The law of the networks and the sorted joined rows: independent clusters, r-th rows side by side."""
    law: dict[Any, Fraction] = {}
    networks = [network_law(records, cluster, 1, "min-l", None) for cluster in partition]
    laws = [rows_law(records, sizes, made, [LAST], len(records)) for made in networks]
    for drawn in product(*laws):
        probability, rows = Fraction(1), []
        for part, one in zip(laws, drawn, strict=True):
            probability *= part[one]
        for parts in zip(*(lines for _, lines in drawn), strict=True):
            held = {a: v for c, part in zip(partition, parts, strict=True) for a, v in zip(c, part, strict=True)}
            rows.append(tuple(held[a] for a in range(len(sizes))))
        key = tuple(network for network, _ in drawn), tuple(sorted(rows))
        law[key] = law.get(key, Fraction(0)) + probability
    return law


def wrong_runs(of: Run) -> Iterator[str]:
    for records, sizes, partition in CASES:
        table = CountTable.of_records(sizes, records)
        if plain_law(of, table, partition) != naive(records, sizes, partition):
            yield f"{records} {partition}"


def test_the_networks_and_the_data_have_the_law_of_the_print() -> None:
    assert list(wrong_runs(run)) == []


def with_noise(noise: Any) -> Run:
    return lambda t, p, coins: seen(program(number(t, p), noise=noise).run(t, p, coins))


def with_networks(networks: Any) -> Run:
    def noise(table: CountTable, pairs: Any) -> Any:
        return RangeGeometric((fmpq(1, 3),) * len(pairs))

    return lambda t, p, coins: seen(HMPrivBayes(networks(number(t, p)), noise).run(t, p, coins))


def exponential(power: int) -> Any:
    return ExponentialMechanism(Budget.of_root(fmpq(4), power))


def reversed_rows(table: CountTable, partition: Any, coins: Coins) -> Any:
    networks, records = run(table, partition, coins)
    return networks, tuple(sorted(record[::-1] for record in records))


def repeated(table: CountTable, partition: Any, coins: Coins) -> Any:
    release: Any = program(number(table, partition)).run(table, partition, coins, 1)
    return release.networks, release.data.records * table.n


def one_cluster(table: CountTable, partition: Any, coins: Coins) -> Any:
    return seen(program(1).run(table, (tuple(range(len(table.sizes))),), coins))


test_planted_fault_is_caught = mutant_test(
    lambda of: any(wrong_runs(of)),
    {
        "no noise": with_noise(lambda table, pairs: NoCellNoise()),
        "a part of the noise": with_noise(lambda table, pairs: RangeGeometric((fmpq(1, 9),) * len(pairs))),
        "twice the budget": with_networks(lambda c: IBayes(exponential(8 // c), 1)),
        "no parents": with_networks(lambda c: IBayes(exponential(4 // c), 0)),
        "largest score": with_networks(lambda c: IBayes(Maximum(), 1)),
        "columns exchanged": reversed_rows,
        "one row, repeated": repeated,
        "one cluster": one_cluster,
    },
)


def test_a_set_union_is_no_data_set() -> None:
    """Rows that are drawn twice are one element, and rows of different clusters have different attributes."""
    table = CountTable.of_records((2, 2), [(0, 0), (0, 0)])
    union = program(2, Readings(joining="setunion"))
    law = output_law(lambda coins: union.run(table, ((0,), (1,)), coins).data, fmpq(1))
    assert sum(law.values(), fmpq(0)) == 1
    assert law[frozenset({((0, 0),), ((1, 0),)})] == max(law.values(), key=lambda p: fraction(p))
    assert {len(data) for data in law if isinstance(data, frozenset)} == {2, 3, 4}


def wrong_rows() -> Iterator[tuple[Record, ...]]:
    """The r-th rows of both clusters side by side, the values in the order of the attributes."""
    table, clusters = CountTable.of_records((2, 3, 2), [(0, 0, 0)]), ((0, 2), (1,))
    joined = hmprivbayes.row_join(table, clusters, [[(1, 0), (0, 1)], [(2,), (1,)]]).records
    if joined != ((0, 1, 1), (1, 2, 0)):
        yield joined


test_rows_are_joined_in_the_order_of_the_attributes = nothing_wrong_test(wrong_rows)
test_rows_out_of_step_are_caught = fault_test(
    wrong_rows,
    {
        "the last cluster is a row ahead": (
            hmprivbayes,
            "row_join",
            lambda table, clusters, drawn: row_join(table, clusters, [*drawn[:-1], [*drawn[-1][1:], drawn[-1][0]]]),
        )
    },
)


def test_the_rows_of_a_union_are_of_one_cluster_each() -> None:
    union = set_union(((0, 2), (1,)), [[(1, 0), (1, 0)], [(2,), (1,)]])
    assert union == {((0, 1), (2, 0)), ((1, 2),), ((1, 1),)}


def test_the_order_of_the_listing_cannot_be_run() -> None:
    table = CountTable.of_records((2, 2), [(0, 0), (1, 1)])
    listing = program(1, Readings(order="listing"))
    with pytest.raises(NotComputedError, match="P\\*"):
        listing.run(table, ((0, 1),), SamplingCoins(default_rng(0)))


def test_weights_of_the_data_and_fixed_ones() -> None:
    table = CountTable.of_records((2, 2), [(0, 0), (0, 1)])  # H = 0 and 1 bit: OE = 0 and 1
    pairs = ((0, ()), (1, ()))
    fixed: Any = fixed_weights(rational_budget("8*ln(3)"), {0: fmpq(1), 1: fmpq(3)})(table, pairs)
    assert fixed.alphas == (fmpq(1, 3), fmpq(1, 27))
    balls: Any = data_weights(real_budget(1))(table, pairs)
    assert balls.alphas[0] < balls.alphas[1]
    even: Any = [other for other in neighbors(table, "ro") if other.records == ((0, 0), (1, 1))]
    equal = data_weights(rational_budget("4*ln(3)"))(even[0], pairs)
    assert equal == RangeGeometric((fmpq(1, 3), fmpq(1, 3)))


@pytest.mark.parametrize("epsilon", ["0.01", "1", "100"])
def test_real_epsilons_run_on_larger_tables(epsilon: str) -> None:
    coins, generator = SamplingCoins(default_rng(4)), default_rng(8)
    table = CountTable.of_records((2,) * 6, [tuple(generator.integers(0, 2, 6).tolist()) for _ in range(300)])
    networks = IBayes(RealExponentialMechanism(epsilon), 2)
    synthesis = HMPrivBayes(networks, lambda t, pairs: LaplaceCells((0.01 / float(epsilon),) * len(pairs), generator))
    release = synthesis.run(table, ((0, 3, 5), (1, 2), (4,)), coins)
    assert isinstance(release.data, CountTable)
    assert (release.data.n, release.data.sizes) == (300, table.sizes)
    assert [len(joints) for joints in release.joints] == [1, 1, 1]
    assert synthesis.run(table, ((0, 3, 5), (1, 2), (4,)), coins, 0).data == CountTable(table.sizes, ())


HELD = CountTable.of_records((2, 2), [(0, 0), (1, 1)])
COINS = SamplingCoins(default_rng(0))
test_refusals = refusal_test(
    refuses("partition", lambda p: require_partition(HELD, p), (), ((0,),), ((0,), (0, 1)), ((0, 1), ()), 3, (0, 1)),
    refuses("attributes", lambda p: require_partition(HELD, p), ((0,), (2,)), ((0, 0), (1,))),
    refuses("rows", lambda rows: program(1).run(HELD, ((0, 1),), COINS, rows), -1, True, 1.0),
    refuses("joining", lambda joining: Readings(joining=joining), "union", None),
    refuses("order", lambda order: Readings(order=order), "text", None),
    refuses("prefix", lambda prefix: Readings(prefix=prefix), "d"),
    refuses("empty", lambda empty: Readings(empty=empty), "zero"),
    refuses("epsilon_2", lambda epsilon: HMPrivBayes.of_budgets(epsilon, 1), 0, "ln(1)", Budget.of_root(fmpq(1))),
    refuses("epsilon_3", lambda epsilon: HMPrivBayes.of_budgets(1, epsilon), 0),
    refuses("degree", lambda degree: HMPrivBayes.of_budgets(1, 1, degree).on_tables((2, 2), 2, ((0, 1),)), 2, 9),
    refuses("degree", lambda degree: HMPrivBayes.of_budgets(1, 1, degree).run(HELD, ((0, 1),), COINS), 2),
    refuses("degree", lambda degree: NoPrivacy(degree).run(HELD, ((0, 1),), COINS), 2),
    refuses("d", lambda d: budget_shares(d), 0, True, 1.5),
    refuses("k", lambda k: budget_shares(2, k), 0, 3, True, 1.5),
    refuses(
        "weights",
        lambda weights: HMPrivBayes.of_budgets(1, 1, weights=weights),
        *("data", 3, {0: fmpq(0)}, {0: fmpq(-1)}, {"a": fmpq(1)}, {-1: fmpq(1)}),
    ),
    refuses("weights", lambda: fixed_weights(Budget(1), {0: fmpq(1)})(HELD, ((0, ()), (1, ())))),
)
