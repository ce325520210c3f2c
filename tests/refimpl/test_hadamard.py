"""The Hadamard matrix, its transform, and Hadamard response."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl.frequency.hadamard import hadamard_entry, server_hcms, walsh_hadamard
from independent import brute_force_oracles as plain
from independent.item_mechanisms import HADAMARD_COUNT_MEAN, RESPONSE, RESPONSE_SIZES
from independent.numbers import exact

# --- the matrix -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
def test_the_matrix_is_sylvesters(size: int) -> None:
    assert [[hadamard_entry(i, j) for j in range(size)] for i in range(size)] == plain.sylvester(size)


@given(st.integers(0, 5).flatmap(lambda n: st.lists(st.fractions(max_denominator=9), min_size=2**n, max_size=2**n)))
def test_the_transform_is_the_product_with_the_matrix(values: list[Fraction]) -> None:
    matrix = plain.sylvester(len(values))
    spectrum = walsh_hadamard([exact(v) for v in values])
    assert list(spectrum) == [
        exact(sum((h * v for h, v in zip(row, values, strict=True)), Fraction(0))) for row in matrix
    ]
    assert list(walsh_hadamard(spectrum)) == [len(values) * exact(v) for v in values]


# --- Hadamard response ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "first"), RESPONSE_SIZES)
def test_any_two_items_agree_in_half_of_the_coordinates(d: int, first: int) -> None:
    rows = [row[first : first + d] for row in plain.sylvester(RESPONSE.built(d, first).size)]
    assert all(sum(row[x] == row[y] for row in rows) * 2 == len(rows) for x in range(d) for y in range(x))


# --- refusals ---------------------------------------------------------------------------------------------------------

SKETCH = HADAMARD_COUNT_MEAN.built
test_refusals = refusal_test(
    refuses("values", walsh_hadamard, [], [1, 2, 3], [1] * 12, says="power of two"),
    refuses("first", lambda first: RESPONSE.built(3, first), 2, -1, True, 0.0, None),
    refuses("m", lambda m: SKETCH(m, ((0, 1),)), 3, 6),
    refuses("m", lambda: SKETCH(1, ((0, 0),)).estimate([(1, 0, 0)])),
    refuses("values", lambda: server_hcms([(1, 0, 2)], 1, 3, SKETCH(2, ((0, 1),)).budget), says="power of two"),
)
