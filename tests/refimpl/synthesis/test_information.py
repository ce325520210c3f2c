"""Entropy and mutual information are products over the records; ratios, orders and sensitivities are exact."""

from collections.abc import Callable
from fractions import Fraction

import mpmath
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.synthesis.information import (
    Information,
    LogarithmRatio,
    entropy,
    entropy_sensitivity,
    information_sensitivity,
    mutual_information,
)
from dp_refimpl.synthesis.tables import CountTable, neighbor_pairs
from dp_spec.vocabulary.scalar import Ordering
from independent.brute_force_synthesis import surprise
from independent.numbers import fraction


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=6))
def test_laws_of_information(records: list[tuple[int, int, int]]) -> None:
    table = CountTable.of_records((3, 3, 3), records)
    zero = Information(fmpq(1), table.n)
    assert fraction(entropy(table, (0, 2)).power) == surprise(table.records, (0, 2))
    assert mutual_information(table, 0, (1, 2)) == mutual_information(table, 0, (2, 1))
    assert mutual_information(table, 0, (1,)) == mutual_information(table, 1, (0,))
    assert mutual_information(table, 0, ()) == entropy(table, ()) == zero
    information = mutual_information(table, 0, (1, 2))
    assert zero.compare(information) is not Ordering.GREATER
    assert mutual_information(table, 0, (1,)).compare(information) is not Ordering.GREATER
    assert information.compare(entropy(table, (0,))) is not Ordering.GREATER
    doubled = CountTable.of_records((3, 3, 3), records * 2)
    assert information.compare(mutual_information(doubled, 0, (1, 2))) is Ordering.EQUAL


QUANTITIES = st.tuples(st.integers(1, 40), st.integers(1, 40), st.integers(1, 6))


@given(QUANTITIES, QUANTITIES)
def test_orders_agree_with_fifty_digits(one: tuple[int, int, int], another: tuple[int, int, int]) -> None:
    (a, b, n), (c, d, m) = one, another
    left, right = Information(fmpq(a, b), n), Information(fmpq(c, d), m)
    with mpmath.workdps(50):
        difference = mpmath.log(mpmath.mpf(a) / b) / n - mpmath.log(mpmath.mpf(c) / d) / m
        sign = 0 if abs(difference) < mpmath.mpf(10) ** -40 else int(mpmath.sign(difference))
    assert left.compare(right).value == sign
    assert left.compare(left.magnitude()).value == min(0, (a > b) - (a < b))


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 60), st.integers(1, 60))
def test_a_ratio_is_rational_exactly_for_powers_of_one_number(a: int, b: int, c: int, d: int) -> None:
    if c == d:
        return
    left, right = fmpq(a, b), fmpq(c, d)
    ratios = [Fraction(i, j) for j in range(1, 7) for i in range(-7, 8) if left**j == right**i]
    exact = LogarithmRatio(left, right).exact()
    assert exact == (ratios[0] if ratios else None)
    ball = LogarithmRatio(left, right).enclosure(80)
    if exact is not None:
        assert (exact.denominator * ball).contains(arb(exact.numerator))  # a fraction itself would be a ball


def test_numbers_where_a_number_is_wanted() -> None:
    even = CountTable.of_records((2, 2), [(0, 0), (1, 1)])
    assert entropy(even, (0,)).nats(100).overlaps(arb(2).log())
    assert entropy(even, (0,)).bits(100).overlaps(arb(1))
    assert LogarithmRatio(entropy(even, (0,)).power, entropy_sensitivity(2).power).exact() == 1


def largest_change(sizes: tuple[int, ...], n: int, score: Callable[[CountTable], Information]) -> Information:
    largest = Information(fmpq(1), n)
    for table, other in neighbor_pairs(sizes, n, "ro"):
        change = (score(table) - score(other)).magnitude()
        largest = change if change.compare(largest) is Ordering.GREATER else largest
    return largest


def test_the_printed_sensitivities_are_the_largest_changes() -> None:
    for n in range(1, 5):
        assert largest_change((2, 2), n, lambda t: mutual_information(t, 0, (1,))) == entropy_sensitivity(n)
        assert largest_change((3,), n, lambda t: entropy(t, (0,))) == entropy_sensitivity(n)
    assert largest_change((2, 2, 2), 3, lambda t: mutual_information(t, 0, (1, 2))) == entropy_sensitivity(3)
    for n in (2, 3):
        largest = largest_change((3, 3), n, lambda t: mutual_information(t, 0, (1,)))
        assert entropy_sensitivity(n).compare(largest) is (Ordering.EQUAL if n == 2 else Ordering.LESS)
        assert largest.compare(information_sensitivity(n)) is (Ordering.EQUAL if n % 2 else Ordering.LESS)


def test_a_table_of_real_size_is_compared() -> None:
    large = CountTable.of_vector((2, 2), (30000, 5222, 4000, 6000))
    ratio = LogarithmRatio(mutual_information(large, 0, (1,)).power, entropy_sensitivity(45222).power)
    assert ratio.exact() is None
    assert ratio.enclosure(64) > 100


EMPTY, HELD = CountTable((2, 2), ()), CountTable.of_records((2, 2), [(0, 1)])
test_refusals = refusal_test(
    refuses("power", lambda power: Information(power, 1), fmpq(0), fmpq(-1), 1, 2.0),
    refuses("n", lambda n: Information(fmpq(2), n), 0, -1, True, 1.0),
    refuses("n", lambda n: entropy_sensitivity(n), 0, -1, True, 1.0),
    refuses("n", lambda n: information_sensitivity(n), 0, -1, True, 1.0),
    refuses_each("n", entropy, (EMPTY, (0,)), (EMPTY, ())),
    refuses("n", lambda: Information(fmpq(2), 1) + Information(fmpq(2), 2)),
    refuses("n", lambda: Information(fmpq(2), 1) - Information(fmpq(2), 2)),
    refuses("denominator", lambda: LogarithmRatio(fmpq(2), fmpq(1))),
    refuses_each("attributes", mutual_information, (HELD, 0, (0,)), (HELD, 2, ()), (HELD, 0, (1, 1)), (HELD, True, ())),
)
