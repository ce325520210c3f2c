"""MIC is the maximum over all grids, decided exactly: against the definition, point by point, in 50 digits."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.faults import fault_test, nothing_wrong_test
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.synthesis.log_quotients import (
    LogQuotient,
    compare_quotients,
    enclosed,
    log_quotient,
    nearest_multiple,
)
from dp_refimpl.synthesis.maximal_information import GridSizes, UndefinedError, information_power, maximal_information
from dp_spec.vocabulary.scalar import Ordering, compare
from independent.brute_force_grids import coefficient

Table = Sequence[Sequence[int]]
MINE, STRICT = GridSizes(), GridSizes("strict.a2")
WIDE = Fraction(1)

TABLES = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 4), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    ).filter(lambda rows: any(map(any, rows)))
)
SIZES = st.builds(
    GridSizes, st.sampled_from(("strict.a2", "mine")), st.sampled_from((Fraction(3, 5), Fraction(11, 20), WIDE))
)


def points_of(table: Table) -> list[tuple[int, int]]:
    return [(x, y) for x, row in enumerate(table) for y, count in enumerate(row) for _ in range(count)]


def brute(table: Table, sizes: GridSizes, observed: bool = False) -> mpmath.mpf | None:
    """The coefficient by definition; a float power is far enough from an integer here."""
    points = points_of(table)
    xs, ys = list(range(len(table))), list(range(len(table[0])))
    if observed:
        xs, ys = sorted({x for x, _ in points}), sorted({y for _, y in points})
    bound = len(points) ** float(sizes.alpha)
    within: Callable[[int], bool] = (
        (lambda ab: ab <= max(bound + 1e-9, 4)) if sizes.reading == "mine" else (lambda ab: ab < bound - 1e-9)
    )
    grids = {(a, b) for a in range(2, len(xs) + 1) for b in range(2, len(ys) + 1) if within(a * b)}
    return coefficient(points, xs, ys, grids)


def differs(information: Any, wanted: mpmath.mpf | None) -> bool:
    if wanted is None or information is None:
        return (wanted is None) != (information is None)
    with mpmath.workdps(50):
        return bool(
            abs(mpmath.mpf(enclosed(information, 200).mid().str(45, radius=False)) - wanted) > mpmath.mpf(10) ** -40
        )


def value(table: Table, sizes: GridSizes) -> Any:
    """The coefficient, None where it is undefined."""
    try:
        return maximal_information(table, sizes)
    except UndefinedError:
        return None


@given(TABLES, SIZES)
def test_the_coefficient_is_the_largest_of_all_grids(table: Table, sizes: GridSizes) -> None:
    assert not differs(value(table, sizes), brute(table, sizes))


@given(TABLES, SIZES)
def test_only_tables_without_such_a_grid_need_groups_without_points(table: Table, sizes: GridSizes) -> None:
    """With groups of observed values alone the coefficient is the same, or there is none and it is 0 here."""
    information, wanted = value(table, sizes), brute(table, sizes, observed=True)
    assert information in (None, 0) if wanted is None else not differs(information, wanted)


@given(TABLES, SIZES)
def test_it_is_symmetric_and_lies_in_0_1(table: Table, sizes: GridSizes) -> None:
    information = value(table, sizes)
    assert information == value([list(column) for column in zip(*table, strict=True)], sizes)
    if information is not None:
        assert compare_quotients(fmpq(0), information) in (Ordering.LESS, Ordering.EQUAL)
        assert compare_quotients(information, fmpq(1)) in (Ordering.LESS, Ordering.EQUAL)


@pytest.mark.parametrize(
    ("table", "sizes", "wanted"),
    [
        ([[1, 0], [0, 1]], MINE, fmpq(1)),
        ([[5, 0], [0, 1]], MINE, log_quotient(fmpq(6**6, 5**5), fmpq(2), 6)),  # Y = X, yet less than 1
        ([[2, 2], [1, 1]], MINE, fmpq(0)),
        ([[3, 0], [0, 0]], MINE, fmpq(0)),  # a constant column
        ([[1, 0], [0, 0]], MINE, fmpq(0)),  # one point
        ([[2, 1], [1, 2]], MINE, LogQuotient(fmpq(1, 3), fmpq(32, 27), fmpq(2))),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], GridSizes("mine", WIDE), LogQuotient(fmpq(1, 3), fmpq(27, 4), fmpq(2))),
        ([[6, 0, 0], [0, 6, 0], [0, 0, 6]], GridSizes("mine", WIDE), fmpq(1)),
        ([[40, 0], [0, 40]], STRICT, fmpq(1)),
    ],
)
def test_small_tables(table: Table, sizes: GridSizes, wanted: Any) -> None:
    assert maximal_information(table, sizes) == wanted


@pytest.mark.parametrize(
    ("reading", "alpha", "first"),
    [("strict.a2", Fraction(3, 5), 11), ("strict.a2", Fraction(11, 20), 13), ("mine", Fraction(3, 5), 1)],
)
def test_first_number_of_points_with_a_grid(reading: Any, alpha: Fraction, first: int) -> None:
    """4 < N^0.6 from N = 11 on, 4 < N^0.55 from N = 13 on."""
    allowed = [n for n in range(1, 40) if GridSizes(reading, alpha).allows(2, 2, n)]
    assert allowed == list(range(first, 40))


def wrong_sizes() -> list[tuple[Any, int]]:
    """32^0.6 = 8 is not above 8, and a float says 7.999...98."""
    wanted: dict[tuple[Any, int], bool] = {
        ("strict.a2", 32): False,
        ("strict.a2", 33): True,
        ("mine", 32): True,
        ("mine", 31): False,
    }
    return [case for case in wanted if GridSizes(case[0]).allows(2, 4, case[1]) is not wanted[case]]


def at_most_the_bound(sizes: GridSizes, a: int, b: int, points: int) -> bool:
    return min(a, b) >= 2 and (a * b) ** sizes.alpha.denominator <= points**sizes.alpha.numerator


test_a_power_that_is_an_integer_is_met_exactly = nothing_wrong_test(wrong_sizes)
test_planted_fault_is_caught = fault_test(wrong_sizes, {"a b <= B": (GridSizes, "allows", at_most_the_bound)})


@pytest.mark.parametrize("points", range(2, 40))
def test_grids_of_one_column_leave_it_undefined(points: int) -> None:
    """1 x 1 is a grid of `strict.a1` for every N >= 2: its quotient is 0 / 0."""
    with pytest.raises(UndefinedError, match="0 / 0"):
        maximal_information([[points, 0], [0, 0]], GridSizes("strict.a1"))


# --- quotients of logarithms ------------------------------------------------------------------------------------------

RATIONALS = st.builds(fmpq, st.integers(1, 40), st.integers(1, 40))
BASES = st.integers(2, 9).map(fmpq)
QUOTIENTS = st.builds(log_quotient, RATIONALS, BASES, st.integers(1, 4))


@given(RATIONALS, BASES, st.integers(1, 4), st.integers(1, 4))
def test_equal_expressions_are_equal(argument: fmpq, base: fmpq, divisor: int, times: int) -> None:
    number = log_quotient(argument, base, divisor)
    assert number == log_quotient(argument**times, base**times, divisor)
    assert number == log_quotient(argument**times, base, divisor * times)
    assert enclosed(number, 128).overlaps(arb(argument).log() / arb(base).log() / divisor)


@given(QUOTIENTS, QUOTIENTS)
def test_order_is_that_of_floats_where_those_differ(left: Any, right: Any) -> None:
    a, b = (float(enclosed(number, 80).mid()) for number in (left, right))
    if abs(a - b) > 1e-9:
        assert compare_quotients(left, right) is (Ordering.LESS if a < b else Ordering.GREATER)
    else:
        assert compare_quotients(left, right) is Ordering.EQUAL


@given(st.one_of(QUOTIENTS, RATIONALS), st.fractions(Fraction(1, 20), Fraction(2), max_denominator=20))
def test_the_nearest_multiple_is_half_a_step_away(number: Any, step: Fraction) -> None:
    gamma = fmpq(step.numerator, step.denominator)
    k = nearest_multiple(number, gamma)
    assert compare_quotients((k - fmpq(1, 2)) * gamma, number) in (Ordering.LESS, Ordering.EQUAL)
    assert compare_quotients(number, (k + fmpq(1, 2)) * gamma) is Ordering.LESS


test_bad_input = refusal_test(
    refuses("reading", GridSizes, "strict", "", None, 1),
    refuses("alpha", lambda alpha: GridSizes("mine", alpha), 0.6, Fraction(0), Fraction(6, 5), 1, "0.6"),
    refuses("counts", maximal_information, [], [[]], [[1], [1, 2]], [[0, 0]], [[-1, 2]], [[1.0]], [[True]]),
    refuses("points", lambda n: maximal_information([[n]]), 1, 100, kind=UndefinedError),
    refuses("points", lambda n: maximal_information([[n, 0], [0, 0]], STRICT), 1, 10, kind=UndefinedError),
    refuses("points", lambda n: maximal_information([[n, 0]], GridSizes("strict.a1")), 1, kind=UndefinedError),
    refuses_each("argument", log_quotient, (fmpq(0), fmpq(2)), (fmpq(-1), fmpq(2)), (0.5, fmpq(2))),
    refuses_each("base", log_quotient, (fmpq(2), fmpq(1)), (fmpq(2), 2)),
    refuses_each("divisor", log_quotient, (fmpq(2), fmpq(3), 0), (fmpq(2), fmpq(3), True)),
    refuses_each("step", nearest_multiple, (fmpq(2), fmpq(0)), (fmpq(2), 1)),
)

# --- given tables ---------------------------------------------------------------------------------------------------


def test_powers_of_counts_are_those_of_the_binary_table() -> None:
    """2^2 1^1 1^1 2^2 6^6 / (3^3)^4 = 2^10 / 3^6 by hand."""
    assert compare(information_power([[2, 1], [1, 2]]), fmpq(2**10, 3**6)) is Ordering.EQUAL
