"""Coverage areas in their three readings, and piecewise constant densities."""

from fractions import Fraction
from itertools import pairwise
from typing import Any, get_args

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.frequency.arcs import Coverage, Membership, PiecewiseDensity, in_order, refinement
from dp_spec.vocabulary.exceptions import NotStochasticError
from independent.numbers import exact, fraction

READINGS: tuple[Membership, ...] = get_args(Membership)
PARTS = st.integers(1, 6)


@st.composite
def arcs(draw: st.DrawFn) -> tuple[list[Fraction], Fraction, int]:
    """Starts and a length on a grid of the circle, and the grid."""
    grid = draw(st.integers(1, 12))
    starts = draw(st.lists(st.integers(0, grid).map(lambda j: Fraction(j, grid)), max_size=4))
    return starts, Fraction(draw(st.integers(1, grid)), grid), grid


def coverage(starts: list[Fraction], length: Fraction, reading: Membership = "mod1") -> Coverage[fmpq]:
    return Coverage(tuple([exact(v) for v in starts]), exact(length), reading)


@given(arcs(), st.sampled_from(READINGS))
def test_membership_is_as_stated(drawn: tuple[list[Fraction], Fraction, int], reading: Membership) -> None:
    """On all ends and between them. The closed reading adds v + p - 1 and nothing else."""
    starts, p, grid = drawn
    cover = coverage(starts, p, reading)
    for z in (Fraction(j, 2 * grid) for j in range(2 * grid)):
        on_circle = any((z - v) % 1 < p for v in starts)
        closed = reading == "printed-closed" and any(z == v + p - 1 for v in starts)
        assert cover.covers(exact(z)) == (on_circle or closed)


@given(arcs(), st.sampled_from(READINGS))
def test_length_counts_overlaps_once(drawn: tuple[list[Fraction], Fraction, int], reading: Membership) -> None:
    starts, p, grid = drawn
    cover = coverage(starts, p, reading)
    cells = sum(any((Fraction(j, grid) - v) % 1 < p for v in starts) for j in range(grid))
    assert cover.measure == fmpq(cells, grid)
    assert fraction(cover.measure) <= len(starts) * p
    assert cover.breakpoints == in_order(cover.breakpoints)
    assert all(not any(low < exact(v) < high for v in starts) for low, high in cover.cells)


@given(arcs(), arcs())
def test_refinement_is_a_partition_that_no_arc_cuts(first: Any, second: Any) -> None:
    covers = [coverage(*first[:2]), coverage(*second[:2])]
    cells = refinement(covers)
    assert cells[0][0] == 0
    assert cells[-1][1] == 1
    assert all(left[1] == right[0] for left, right in pairwise(cells))
    for cover in covers:
        assert sum((high - low for low, high in cells if cover.covers(low)), fmpq(0)) == cover.measure


@given(st.lists(st.tuples(PARTS, PARTS), min_size=1, max_size=5), st.data())
def test_mass_is_the_integral(parts: list[tuple[int, int]], data: st.DataObject) -> None:
    """Widths and weights of the pieces; the mass of any interval is by summation over a fine grid."""
    width, weight = sum(a for a, _ in parts), sum(b for _, b in parts)
    ends = [Fraction(sum(a for a, _ in parts[:i]), width) for i in range(len(parts) + 1)]
    heights = [Fraction(b, weight) / Fraction(a, width) for a, b in parts]
    density = PiecewiseDensity(tuple([exact(e) for e in ends]), tuple([exact(q) for q in heights]))
    low, high = sorted(data.draw(st.tuples(st.integers(0, width), st.integers(0, width))))
    cells = [max(i for i, e in enumerate(ends) if e <= Fraction(j, width)) for j in range(low, high)]
    expected = sum((heights[i] / width for i in cells), Fraction(0))
    assert density.mass([(fmpq(low, width), fmpq(high, width))] if low < high else []) == exact(expected)
    assert [density.at(fmpq(j, width)) for j in range(low, high)] == [exact(heights[i]) for i in cells]
    assert density.mass(density.cells) == 1


HALF = fmpq(1, 2)
HALVES = (fmpq(0), HALF, fmpq(1))


ONE_AND_ONE = PiecewiseDensity(HALVES, (fmpq(1), fmpq(1)))
test_refusals = refusal_test(
    refuses(
        "densities",
        lambda densities: PiecewiseDensity(HALVES, densities),
        *((fmpq(1), fmpq(2)), (fmpq(3), fmpq(-1)), (fmpq(1), fmpq(1) - fmpq(1, 10**30)), (fmpq(0), fmpq(0))),
        kind=NotStochasticError,
    ),
    refuses_each("breakpoints", PiecewiseDensity, ((), ()), ((fmpq(0),), ())),
    refuses("breakpoints", lambda ends: PiecewiseDensity(ends, (fmpq(2),)), HALVES[:2], HALVES[1:]),
    refuses(
        "breakpoints",
        lambda ends: PiecewiseDensity(ends, (fmpq(1),) * 3),
        *((fmpq(0), fmpq(1, 2), fmpq(1, 2), fmpq(1)), (fmpq(0), fmpq(2, 3), fmpq(1, 3), fmpq(1))),
    ),
    refuses("densities", lambda densities: PiecewiseDensity(HALVES, densities), (fmpq(1),), (fmpq(1),) * 3),
    refuses_each("number", PiecewiseDensity, (HALVES, (1.0, 1.0)), ((0.0, 1.0), (fmpq(1),))),
    refuses_each(
        "breakpoints, densities", PiecewiseDensity, ([fmpq(0), fmpq(1)], (fmpq(1),)), ((fmpq(0), fmpq(1)), [fmpq(1)])
    ),
    refuses("starts", lambda starts: Coverage(starts, HALF), (fmpq(-1, 2),), (fmpq(3, 2),), [fmpq(0)]),
    refuses("length", lambda length: Coverage((fmpq(0),), length), fmpq(0), fmpq(3, 2)),
    refuses("membership", lambda reading: Coverage((fmpq(0),), HALF, reading), "open"),
    refuses_each("number", Coverage, ((0.5,), HALF), ((fmpq(0),), float("nan")), ((fmpq(0),), True)),
    refuses("point", coverage([Fraction(0)], Fraction(1, 2)).covers, fmpq(1), fmpq(-1, 3)),
    refuses("number", coverage([Fraction(0)], Fraction(1, 2)).covers, 0.5, float("inf"), None),
    refuses("point", ONE_AND_ONE.at, fmpq(1), fmpq(-1, 3)),
    refuses("number", ONE_AND_ONE.at, 0.5, float("inf"), None),
    refuses("coverages", refinement, []),
)
