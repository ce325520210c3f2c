"""Attributes as bits and back, against a written list; rows of no value are drawn again."""

from itertools import product

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import Coins, ScriptedCoins
from dp_refimpl.synthesis.binary_codes import BinaryCode, equal_width_bin
from dp_refimpl.synthesis.tables import domain_records

CODE = BinaryCode((3, 2))
BITS = {
    (0, 0): (0, 0, 0),
    (0, 1): (0, 0, 1),
    (1, 0): (0, 1, 0),
    (1, 1): (0, 1, 1),
    (2, 0): (1, 0, 0),
    (2, 1): (1, 0, 1),
}


def test_codes() -> None:
    assert {record: CODE.encoded(record) for record in domain_records(CODE.sizes)} == BITS
    back: dict[tuple[int, ...], tuple[int, ...]] = {bits: record for record, bits in BITS.items()}
    assert all(CODE.decoded(bits) == back.get(bits) for bits in product((0, 1), repeat=3))


@given(st.lists(st.integers(2, 20), min_size=1, max_size=3), st.data())
def test_there_and_back(sizes: list[int], data: st.DataObject) -> None:
    code = BinaryCode(tuple(sizes))
    record = tuple(data.draw(st.integers(0, size - 1)) for size in sizes)
    assert code.decoded(code.encoded(record)) == record
    assert all(2 ** (bits - 1) < size <= 2**bits for size, bits in zip(sizes, code.bits, strict=True))


def test_a_pattern_of_no_value_is_drawn_again() -> None:
    def pattern(coins: Coins) -> tuple[int, ...]:
        return tuple(coins.choose((fmpq(1, 4), fmpq(3, 4))) for _ in range(3))

    assert CODE.draw(pattern, ScriptedCoins([1, 1, 0, 1, 1, 1, 1, 0, 1])) == (2, 1)


@pytest.mark.parametrize(
    ("value", "bins", "wanted"),
    [(0, 16, 0), (fmpq(5, 8), 16, 1), (fmpq(1, 2), 16, 0), (10, 16, 15), (fmpq(99, 10), 16, 15), (5, 2, 1), (3, 1, 0)],
)
def test_bins_of_the_range_0_to_10(value: fmpq | int, bins: int, wanted: int) -> None:
    assert equal_width_bin(fmpq(value), fmpq(0), fmpq(10), bins) == wanted


ONE, TWO = fmpq(1), fmpq(2)
test_refusals = refusal_test(
    refuses_each(
        "value|low|high|bins",
        equal_width_bin,
        (fmpq(0), ONE, TWO),
        (fmpq(3), ONE, TWO),
        (ONE, ONE, ONE),
        (1.0, ONE, TWO),
        (ONE, ONE, TWO, 0),
        (ONE, float("nan"), TWO),
    ),
    refuses("sizes", BinaryCode, (1, 2), (0,), 3),
    refuses("record", CODE.encoded, (3, 0), (0,), (0, 2), (0, 0.5)),
    refuses("record", CODE.decoded, (0, 0), (0, 0, 2)),
)
