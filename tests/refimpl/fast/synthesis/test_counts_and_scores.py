"""Tables as arrays, counts of all sets of attributes, scores and distances are those of the exact programs."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.faults import fault_test
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.fast.synthesis import marginal_distances, score_arrays
from dp_refimpl.fast.synthesis.marginal_distances import _distance, average_variation_distance
from dp_refimpl.fast.synthesis.record_arrays import MOST_CELLS, ArrayTable
from dp_refimpl.fast.synthesis.score_arrays import as_float, entropies, f_scores, score_function, sensitivity
from dp_refimpl.fast.synthesis.subset_counts import SubsetCounts
from dp_refimpl.synthesis.information import entropy
from dp_refimpl.synthesis.privbayes import SCORES
from dp_refimpl.synthesis.tables import CountTable, domain_records

ROUNDING = 2.0**-40
"""In nats: sums of at most 40 terms below 40 ln 40, each rounded to 53 bits."""


def tables_of(sizes: tuple[int, ...]) -> st.SearchStrategy[CountTable]:
    rows = st.lists(st.sampled_from(list(domain_records(sizes))), min_size=1, max_size=9)
    return rows.map(lambda records: CountTable.of_records(sizes, records))


TABLES = st.sampled_from([(2, 2, 2, 2), (2, 3, 1, 2), (4,)]).flatmap(tables_of)


@given(TABLES)
def test_counts_of_every_list_of_attributes(table: CountTable) -> None:
    array = ArrayTable.of_counts(table)
    assert array.counts == table
    for k in range(len(table.sizes) + 1):
        for chosen in permutations(range(len(table.sizes)), k):
            exact = table.marginal(chosen)
            assert array.joint(chosen).ravel().tolist() == list(exact.vector)
            assert array.marginal(chosen).counts == exact


@pytest.mark.parametrize("n", [1, 63, 64, 65, 33_000])
def test_bits_are_counted_in_every_word(n: int) -> None:
    """Also where columns end within a word, and where several blocks of words are needed."""
    table = ArrayTable((2,) * 6, np.random.default_rng(n).integers(0, 2, (n, 6)))
    counts = SubsetCounts(table, 5)
    for k in range(6):
        sets = list(combinations(range(6), k))
        assert [int(c) for c in counts.ones[k]] == [
            int(table.records[:, list(chosen)].all(axis=1).sum()) for chosen in sorted(sets, key=lambda s: s[::-1])
        ]
        lists = np.array([list(chosen[::-1]) for chosen in sets], np.int64).reshape(len(sets), k)
        assert counts.joints(lists).tolist() == [table.joint(chosen[::-1]).tolist() for chosen in sets]


@given(TABLES, st.sampled_from(sorted(SCORES)), st.integers(0, 3))
def test_scores_are_the_exact_ones(table: CountTable, name: Any, k: int) -> None:
    """F and R as the nearest floats, I but for rounding."""
    d = len(table.sizes)
    xs = [x for x in range(d) if name != "F" or table.sizes[x] == 2]
    score_of = score_function(ArrayTable.of_counts(table), name, 3)
    for parents in combinations(range(d), k):
        left = [x for x in xs if x not in parents]
        scores = score_of(np.array(left, np.int64), np.array([parents], np.int64).reshape(1, k))
        exact = [SCORES[name].value(table, x, parents) for x in left]
        assert scores.shape == (len(left), 1)
        for score, right in zip(scores[:, 0].tolist(), exact, strict=True):
            assert abs(score - as_float(right)) <= (ROUNDING if name.startswith("I") else 0)


@given(TABLES)
def test_entropies_and_sensitivities(table: CountTable) -> None:
    for x in range(len(table.sizes)):
        nats = float(entropies(ArrayTable.of_counts(table).joint((x,))))
        assert abs(nats - float(entropy(table, (x,)).nats())) <= ROUNDING
        assert nats >= 0
    assert sensitivity("R", table.n) == 3 / table.n + 2 / table.n**2 or table.n > 2
    assert all(sensitivity(name, table.n) == as_float(SCORES[name].sensitivity(table.n)) for name in SCORES)


def wrong_ways(one: CountTable, other: CountTable) -> Iterator[int]:
    """Where AVD is not half the L1 distance of frequencies, averaged over all marginals, in fractions."""
    d = len(one.sizes)
    for way in range(1, d + 1):
        distances: list[Any] = [
            sum(
                abs(Fraction(p, one.n) - Fraction(q, other.n))
                for p, q in zip(one.marginal(a).vector, other.marginal(a).vector, strict=True)
            )
            / 2
            for a in combinations(range(d), way)
        ]
        mean: Fraction = sum(distances, Fraction(0)) / len(distances)
        distance = average_variation_distance(ArrayTable.of_counts(one), ArrayTable.of_counts(other), way)
        if distance != fmpq(mean.numerator, mean.denominator):
            yield way


@given(st.sampled_from([(2, 2, 2), (2, 3, 1)]).flatmap(lambda s: st.tuples(tables_of(s), tables_of(s))))
def test_distances_by_their_definition(pair: tuple[CountTable, CountTable]) -> None:
    assert list(wrong_ways(*pair)) == []


test_a_fault_of_the_distances_is_caught = fault_test(
    lambda: wrong_ways(CountTable.of_vector((2, 2), (2, 1, 0, 0)), CountTable.of_vector((2, 2), (1, 0, 2, 0))),
    {"the whole distance": (marginal_distances, "_distance", lambda *counts: 2 * _distance(*counts))},
)


# --- refusals ---------------------------------------------------------------------------------------------------------

TWO = ArrayTable((2, 2), np.array([[0, 1], [1, 1]]))
THREE = ArrayTable((3,), np.array([[2]]))
NONE = ArrayTable((2, 2), np.zeros((0, 2), np.int64))
WIDE = ArrayTable((2,) * 175, np.zeros((1, 175), np.uint8))
HUGE = np.broadcast_to(np.zeros((1, 1), np.uint8), (MOST_CELLS + 1, 1))


def of(*sizes: int) -> Callable[[Any], ArrayTable]:
    return lambda records: ArrayTable(sizes, records)


test_what_is_no_table_is_refused = refusal_test(
    refuses("records", of(2), [[0]], np.array([0]), np.array([[0.0]]), np.array([[np.nan]]), np.array([[True]])),
    refuses("records", of(2), np.array([["a"]]), np.array([[0, 1]]), np.array([[2]]), np.array([[-1]]), HUGE),
    refuses("records", of(2), np.ma.masked_array([[0], [1]], [[False], [True]])),
    refuses("sizes", lambda sizes: ArrayTable(sizes, np.zeros((1, 1), np.int64)), (0,), (2.0,), 2),
    refuses("attributes", TWO.joint, (0, 0), (2,), (-1,)),
    refuses("attributes", TWO.marginal, (0, 0), (2,)),
    refuses("attributes", ArrayTable((2**16,) * 2, np.zeros((1, 2), np.int64)).joint, (0, 1)),
    refuses("sizes", lambda: SubsetCounts(THREE, 1)),
    refuses("most", lambda most: SubsetCounts(TWO, most), -1, True, 1.0),
    refuses("most", lambda most: SubsetCounts(WIDE, most), 7),
    refuses("score", lambda name: score_function(TWO, name, 1), "H", ""),
    refuses("joint", f_scores, np.ones((3, 2), np.int64), np.ones((2, 17), np.int64)),
    refuses("n", lambda: sensitivity("I", 0)),
    refuses_each("way", average_variation_distance, (TWO, TWO, 0), (TWO, TWO, 3), (TWO, TWO, True)),
    refuses_each("other", average_variation_distance, (TWO, THREE, 1)),
    refuses_each("n", average_variation_distance, (TWO, NONE, 1), (NONE, TWO, 1)),
)


def test_the_records_are_a_copy() -> None:
    given_records = np.array([[0, 1], [1, 1]])
    table = ArrayTable((2, 2), given_records)
    given_records[0, 0] = 1
    assert table.records.tolist() == [[0, 1], [1, 1]]
    with pytest.raises(ValueError, match="read-only"):
        table.records[0, 0] = 1


def test_blocks_of_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores computed in many blocks are the same."""
    score_of = score_function(TWO, "R", 1)
    whole = score_of(np.array([0, 1]), np.zeros((1, 0), np.int64))
    monkeypatch.setattr(score_arrays, "_BLOCK", 1)
    assert score_of(np.array([0, 1]), np.zeros((1, 0), np.int64)).tolist() == whole.tolist()
