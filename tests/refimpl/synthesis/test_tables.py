"""Count tables are multisets: marginals, all data sets and neighbors against lists of records."""

from collections import Counter
from itertools import product
from math import comb, prod
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.synthesis.tables import CountTable, domain_records, neighbor_pairs, neighbors, tables

SIZES = [(2,), (1,), (3, 2), (2, 2, 2), ()]


def multisets(sizes: tuple[int, ...], n: int) -> set[tuple[tuple[int, ...], ...]]:
    """All data sets as sorted tuples of records, from all sequences of n records."""
    return {tuple(sorted(chosen)) for chosen in product(list(product(*map(range, sizes))), repeat=n)}


def test_all_data_sets_once_each() -> None:
    for sizes in SIZES:
        for n in range(4):
            records = [table.records for table in tables(sizes, n)]
            assert len(records) == len(set(records)) == comb(n + prod(sizes) - 1, n)
            assert set(records) == multisets(sizes, n)


def test_neighbors_differ_by_one_record() -> None:
    for sizes in SIZES:
        domain = list(product(*map(range, sizes)))
        for n in range(4):
            for table in tables(sizes, n):
                held = table.records
                fewer = {tuple(sorted(held[:i] + held[i + 1 :])) for i in range(n)}
                more = {tuple(sorted((*held, x))) for x in domain}
                replaced = {tuple(sorted((*less, x))) for less in fewer for x in domain} - {held}
                assert sorted(other.records for other in neighbors(table, "ar")) == sorted(fewer | more)
                assert sorted(other.records for other in neighbors(table, "ro")) == sorted(replaced)


@given(st.data())
def test_marginals_are_those_of_the_list(data: st.DataObject) -> None:
    sizes = tuple(data.draw(st.lists(st.integers(1, 3), max_size=4)))
    records = data.draw(st.lists(st.tuples(*(st.integers(0, size - 1) for size in sizes)), max_size=6))
    table = CountTable.of_records(sizes, records)
    assert table.n == len(records)
    assert sorted(records) == list(table.records)
    chosen = data.draw(st.permutations(range(len(sizes))))[: data.draw(st.integers(0, len(sizes)))]
    marginal = table.marginal(chosen)
    assert marginal.sizes == tuple(sizes[a] for a in chosen)
    assert dict(marginal.counts) == Counter(tuple(record[a] for a in chosen) for record in records)
    assert CountTable.of_vector(sizes, table.vector) == table
    assert sum(table.vector) == table.n
    for record in domain_records(sizes):
        assert table.plus(record).minus(record) == table
        assert table.count(record) == records.count(record)


def test_pairs_are_ordered_neighbors() -> None:
    pairs = list(neighbor_pairs((2, 2), 2, "ro"))
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == {(b, a) for a, b in pairs}
    assert list(neighbor_pairs((2, 2), 0, "ro")) == list(neighbor_pairs((1,), 3, "ro")) == []


def test_many_attributes_cost_nothing() -> None:
    table = CountTable.of_records((2,) * 175, [(0, 1) * 87 + (1,)] * 3)
    assert table.n == 3
    assert table.marginal((174, 0)).counts == (((1, 0), 3),)


def of_records(records: Any) -> object:
    return CountTable.of_records((2, 3), records)


HELD = CountTable.of_records((2, 3), [(0, 1)])
test_refusals = refusal_test(
    refuses("sizes", lambda sizes: CountTable.of_records(sizes, []), (0,), (-1,), (True,), (2.0,), 2, ("2",)),
    refuses("sizes", lambda sizes: tables(sizes, 1), (0,)),
    refuses("sizes", domain_records, (2**20, 2**20), (2,) * 25),
    refuses("n", lambda n: tables((2,), n), -1, True, 1.0, 2**24),
    refuses("record", of_records, [(0,)], [(0, 3)], [(-1, 0)], [(0.0, 0)], [(True, 0)], [0]),
    refuses("counts", lambda counts: CountTable((2,), counts), [((0,), 1)], (((0,), 0),), (((0,), 1.0),), ((0,),)),
    refuses("counts", lambda counts: CountTable((2,), counts), (((1,), 1), ((0,), 1)), (((0,), 1), ((0,), 1))),
    refuses("record", lambda counts: CountTable((2,), counts), (((2,), 1),), (((0, 0), 1),)),
    refuses("records", lambda records: CountTable.of_records((2,), records), None, 3),
    refuses("vector", lambda vector: CountTable.of_vector((2,), vector), (1,), (1, -1), (1, 1.0), (1, 2, 3), None),
    refuses("attributes", HELD.marginal, (2,), (-1,), (0, 0), (True,), 0),
    refuses("record", HELD.minus, (0, 0), (2, 0)),
    refuses("record", HELD.plus, (2, 0), (0,)),
    refuses("record", HELD.count, (2, 0), (0,)),
    refuses_each("relation", neighbors, (HELD, "replace"), (HELD, "")),
)
