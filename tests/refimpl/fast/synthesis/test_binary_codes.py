"""Codes of whole tables are those of their records."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
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
    assert rows(code.patterns(bits)) == rows(table)


@given(SIZES, st.integers(0, 99))
def test_patterns_of_no_value_are_numbers_too(sizes: tuple[int, ...], seed: int) -> None:
    code = ArrayBinaryCode(sizes)
    bits = some_table(code.binary, seed)
    words = [["".join(map(str, (row[place] for place in places))) for places in code.places] for row in rows(bits)]
    assert rows(code.patterns(bits)) == [tuple(int(word, 2) for word in word_row) for word_row in words]


CODE = ArrayBinaryCode((3, 2))
BITS = ArrayTable((2, 2, 2), np.zeros((1, 3), np.int64))
OTHER = ArrayTable((2, 2), np.zeros((1, 2), np.int64))

test_bad_input_is_refused = refusal_test(
    refuses("sizes", ArrayBinaryCode, (1, 2), 3),
    refuses("table", CODE.encoded_array, BITS, OTHER),
    refuses("table", CODE.patterns, OTHER),
)
