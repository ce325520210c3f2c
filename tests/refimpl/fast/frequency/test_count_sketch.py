"""The sampler of the count-mean sketch has exactly the law of the program, for all words together."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.faults import fault_test, in_module
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import SamplingCoins, bernoulli, uniform
from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.frequency import count_sketch as sampler
from dp_refimpl.fast.frequency.count_sketch import Labels, Signs, estimates, random_labels, sample_ones
from dp_refimpl.fast.joint_binomials import BinomialCoins, BinomialTables
from dp_refimpl.frequency.count_sketch import ClientCMS, aggregate, server_cms, server_constant
from dp_refimpl.frequency.hash_families import LabelFunction
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from independent.enumerated_arrays import ONE, EnumeratedArrayCoins, law_of
from independent.server_counts import Vector, Vectors
from independent.sketch_programs import BUDGET, Data, functions, ones, program, program_on_random_functions

SIGNS = Signs([BUDGET])


def listed_labels(functions: Sequence[LabelFunction]) -> Labels:
    """The labels of functions that are written out."""
    table = np.array([h.values for h in functions], np.int64)
    return lambda start, stop: table[start:stop]


class ExactCoins(EnumeratedArrayCoins, BinomialCoins):
    """Counts by exact choices: what coins make of their words is the subject of other tests."""

    short_word = 1

    def below(self, bounds: Any, shape: Any) -> Indices:
        count = int(np.prod(shape))
        return np.array([uniform(self.coins, range(bounds), ONE) for _ in range(count)], np.int64).reshape(shape)

    def binomials(self, tables: BinomialTables, trials: Indices, each: int = 1) -> Any:
        chances = [fmpq(p.numerator, p.denominator) for p in tables.chances]
        counts = [
            sum(bernoulli(self.coins, p) for _ in range(int(n))) for n in trials for _ in range(each) for p in chances
        ]
        return np.array(counts, np.int64).reshape(len(trials), each, len(chances))


def sampled(data: Sequence[Data], k: int, m: int, which: int, rows: Any, kind: Any = ExactCoins) -> Vectors:
    """The law of the sampler's F_d for one of some data sets, with these functions or (None) random ones."""

    def run(coins: Any) -> Vector:
        labels = random_labels(len(data[0]), m, coins) if rows is None else listed_labels(rows)
        samples = sample_ones([np.array(counts) for counts in data], k, m, SIGNS, labels, coins)
        return tuple(int(x) for x in samples[which, 0])

    return {y: p for y, p in law_of(run, kind).items() if isinstance(y, tuple)}


LISTED = [
    (((2, 0),), functions(2, 2, (0, 1), (0, 0))),
    (((1, 1),), functions(2, 2, (0, 1), (0, 0))),
    (((1, 1),), functions(2, 3, (2, 1), (1, 1))),
    (((1, 0, 1),), functions(3, 2, (0, 1, 0), (1, 1, 0))),
    (((0, 1, 0),), functions(3, 3, (0, 1, 2), (1, 1, 0), (2, 2, 2))),
    (((2, 0), (1, 1)), functions(2, 2, (0, 1))),
    (((1, 1),), functions(2, 1, (0, 0), (0, 0))),
]


@pytest.mark.parametrize(("data", "rows"), LISTED)
def test_with_given_functions(data: tuple[Data, ...], rows: tuple[LabelFunction, ...]) -> None:
    for which, one in enumerate(data):
        assert sampled(data, len(rows), rows[0].labels, which, rows) == program(one, rows)


@pytest.mark.parametrize(
    ("data", "k", "m"), [((1, 1), 1, 2), ((2, 0), 1, 2), ((1, 1), 2, 2), ((1, 0), 2, 3), ((1, 0, 1), 1, 2)]
)
def test_with_random_functions(data: Data, k: int, m: int) -> None:
    assert sampled((data,), k, m, 0, None) == program_on_random_functions(data, k, m)


def test_blocks_of_rows_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = functions(2, 2, (0, 1), (1, 1), (0, 0))
    monkeypatch.setattr(sampler, "_BLOCK", 4)
    assert sampled(((1, 1),), 3, 2, 0, rows) == program((1, 1), rows)


# --- planted faults ---------------------------------------------------------------------------------------------------

with_own, gather = sampler._with_own, sampler._gather


def exchanged(signs: Any) -> Any:
    other = object.__new__(Signs)
    other.own, other.other = signs.other, signs.own
    return other


def added(others: Any, *rest: Any) -> Any:
    zero = np.zeros_like(others)
    return others + with_own(zero, *rest)


def not_reduced(others: Any, size: Any, columns: Any, held: Any, signs: Any, coins: Any) -> Any:
    cells = others.copy()
    row = np.repeat(np.arange(len(size)), size)
    cell, own = np.unique(row * others.shape[1] + columns[row, held], return_counts=True)
    drawn = coins.binomials(signs.own, own) + coins.binomials(signs.other, size[cell // others.shape[1]])
    cells.reshape(-1, others.shape[2])[cell] = drawn[:, 0]
    return cells


def once(others: Any, size: Any, columns: Any, held: Any, signs: Any, coins: Any) -> Any:
    cells = others.copy()
    row = np.repeat(np.arange(len(size)), size)
    cell = np.unique(row * others.shape[1] + columns[row, held])
    one = np.ones_like(cell)
    drawn = coins.binomials(signs.own, one) + coins.binomials(signs.other, size[cell // others.shape[1]] - one)
    cells.reshape(-1, others.shape[2])[cell] = drawn[:, 0]
    return cells


FAULTS: dict[str, tuple[str, Callable[..., Any]]] = {
    "own cells left as noise": ("_with_own", lambda others, *rest: others.copy()),
    "own cells added to the noise": ("_with_own", added),
    "a row's noise also of its own records": ("_with_own", not_reduced),
    "records of one cell counted once": ("_with_own", once),
    "signs exchanged": ("_with_own", lambda o, s, c, h, signs, coins: with_own(o, s, c, h, exchanged(signs), coins)),
    "records in the columns of another word": (
        "_with_own",
        lambda o, s, c, h, signs, coins: with_own(o, s, c, (h + 1) % c.shape[1], signs, coins),
    ),
    "columns of another row": (
        "_gather",
        lambda cells, columns, most, total: gather(cells, np.roll(columns, 1, axis=0), most, total),
    ),
    "words in the order of their columns": (
        "_gather",
        lambda cells, columns, most, total: gather(cells, columns[:, ::-1], most, total),
    ),
    "the last row lost": (
        "_gather",
        lambda cells, columns, most, total: gather(cells[:-1], columns[:-1], most, total),
    ),
}


def wrong_samples() -> Iterator[str]:
    for data, rows in LISTED:
        for which, one in enumerate(data):
            if sampled(data, len(rows), rows[0].labels, which, rows) != program(one, rows):
                yield f"{data}, {rows}: {which}"


test_a_fault_of_the_sampler_is_caught = fault_test(wrong_samples, in_module(sampler, FAULTS))


def test_sums_that_would_overflow_are_moved_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small counts are added in 16 bits: not more of them than fit."""
    monkeypatch.setattr(sampler, "_BLOCK", 1 << 10)
    coins = BinomialCoins(np.random.default_rng(1))
    rows = functions(2, 2, *[(0, 1)] * 40)
    always = object.__new__(Signs)
    always.own = always.other = BinomialTables([1])
    samples = sample_ones([np.array([90_000, 10_000])], 40, 2, always, listed_labels(rows), coins)
    assert samples.tolist() == [[[100_000, 100_000]]]


# --- estimates --------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 2), min_size=1, max_size=8), st.integers(0, 10**6), st.integers(2, 3))
def test_estimates_are_those_of_the_server(items: list[int], seed: int, m: int) -> None:
    rows = functions(3, m, (0, 1, 0), (1, 1, 0))
    client = ClientCMS(ItemDomain.of_sizes(3), BUDGET, rows)
    coins = SamplingCoins(np.random.default_rng(seed))
    reports = [client.randomize(x, coins) for x in items]
    counted = np.array([ones(report, rows) for report in reports]).sum(axis=0)
    matrix = server_cms(reports, 2, m, BUDGET)
    frequencies = estimates(counted, len(items), m, server_constant(fmpq(3)))
    assert frequencies == [aggregate(matrix, len(items), rows, x) for x in range(3)]


# --- large sizes, bad input -------------------------------------------------------------------------------------------


def test_large_data_and_several_budgets() -> None:
    coins = BinomialCoins(np.random.default_rng(2))
    data = [np.array([60_000, 30_000, 10_000]), np.array([0, 0, 100_000])]
    signs = Signs([Budget.of_root(fmpq(3), 2), Budget.of_root(fmpq(2), 2)])
    samples = sample_ones(data, 300, 64, signs, random_labels(3, 64, coins), coins)
    assert samples.shape == (2, 2, 3)
    for i, counts in enumerate(data):
        for j, s in enumerate((3, 2)):
            estimated = estimates(samples[i, j], 100_000, 64, server_constant(fmpq(s)))
            # more than 20 standard deviations
            assert all(abs(float(x.p) / float(x.q) - c) < 12_000 for x, c in zip(estimated, counts, strict=True))


def test_the_same_generator_gives_the_same_counts() -> None:
    def run(seed: int) -> Any:
        coins = BinomialCoins(np.random.default_rng(seed))
        return sample_ones([np.array([50, 40])], 7, 8, SIGNS, random_labels(2, 8, coins), coins).tolist()

    assert run(1) == run(1) != run(2)


COINS = BinomialCoins(np.random.default_rng(0))


def drawn(data: Any, k: Any = 2, m: Any = 2, labels: Any = None) -> Any:
    return sample_ones(data, k, m, SIGNS, labels or random_labels(2, 2, COINS), COINS)


def constant(words: int) -> Any:
    return listed_labels(functions(words, 2, *[(0,) * words] * 2))


TWO = [np.array([1, 2])]
test_refusals = refusal_test(
    refuses(
        "data",
        drawn,
        *([], [[1, 2]], [np.array([], np.int64)], [*TWO, np.array([1, 1])], [*TWO, np.array([1, 1, 1])]),
        *([np.array(counts)] for counts in ([-1, 2], [0, 0], [0.5, 1.0], [[1, 2]])),
    ),
    refuses("k", lambda k: drawn(TWO, k), 0, True),
    refuses("m", lambda m: drawn(TWO, 2, m), 0, 1.5),
    refuses_each("labels", lambda words, k: drawn(TWO, k, 2, constant(words)), (3, 2), (2, 3)),
    refuses("m", lambda: estimates(np.array([1]), 2, 1, fmpq(2))),
    refuses("chances", Signs, []),
)
