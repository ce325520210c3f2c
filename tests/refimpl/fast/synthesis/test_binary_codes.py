"""Codes of whole tables are those of their records; rows of no value are drawn again, as one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import ScriptedCoins
from dp_refimpl.fast.synthesis.binary_codes import ArrayBinaryCode
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable

SIZES = st.lists(st.integers(2, 9), max_size=4).map(tuple)


def rows(table: ArrayTable) -> list[tuple[int, ...]]:
    return [tuple(row) for row in table.records.tolist()]


def some_table(sizes: tuple[int, ...], seed: int) -> ArrayTable:
    return ArrayTable(sizes, np.random.default_rng(seed).integers(0, sizes, (7, len(sizes))))


@given(SIZES, st.integers(0, 99))
def test_codes_are_those_of_the_records(sizes: tuple[int, ...], seed: int) -> None:
    code, table = ArrayBinaryCode(sizes), some_table(sizes, seed)
    bits = code.encoded_array(table)
    assert rows(bits) == [code.encoded(record) for record in rows(table)]
    assert rows(code.patterns(bits)) == rows(code.decoded_array(bits)) == rows(table)
    assert bits.counts == code.encoded_table(table.counts)


@given(SIZES, st.integers(0, 99))
def test_patterns_of_no_value_are_left_out(sizes: tuple[int, ...], seed: int) -> None:
    code = ArrayBinaryCode(sizes)
    bits = some_table(code.binary, seed)
    assert rows(code.decoded_array(bits)) == [record for record in map(code.decoded, rows(bits)) if record is not None]
    words = [["".join(map(str, (row[place] for place in places))) for places in code.places] for row in rows(bits)]
    assert rows(code.patterns(bits)) == [tuple(int(word, 2) for word in word_row) for word_row in words]


@pytest.mark.parametrize("wanted", [0, 1, 40])
def test_rows_are_those_that_are_drawn_one_by_one(wanted: int) -> None:
    """From the same stream of patterns, three quarters of which are codes."""
    code = ArrayBinaryCode((3, 2))
    stream = np.random.default_rng(1).integers(0, 2, (200, 3))
    one_by_one, blocks = iter(stream.tolist()), iter(stream)
    table = code.draw_array(
        lambda count: ArrayTable(code.binary, np.array([next(blocks) for _ in range(count)])), wanted
    )
    assert (table.sizes, table.n) == ((3, 2), wanted)
    assert rows(table) == [code.draw(lambda _: next(one_by_one), ScriptedCoins([])) for _ in range(wanted)]


CODE = ArrayBinaryCode((3, 2))
BITS = ArrayTable((2, 2, 2), np.zeros((1, 3), np.int64))
OTHER = ArrayTable((2, 2), np.zeros((1, 2), np.int64))

test_bad_input_is_refused = refusal_test(
    refuses("sizes", ArrayBinaryCode, (1, 2), 3),
    refuses("table", CODE.encoded_array, BITS, OTHER),
    refuses("table", CODE.patterns, OTHER),
    refuses("table", CODE.decoded_array, OTHER),
    refuses("rows", lambda count: CODE.draw_array(lambda _: BITS, count), -1, True, 1.0),
)
