"""Closed forms for whole workloads, and the worst query by search, against every query one by one; planted faults."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.mechanism import coefficients
from dp_refimpl.matrix.parameters import Root
from dp_refimpl.matrix.ranges import coefficient, energies
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.workload_totals import (
    Workload,
    block_squares,
    cover_total,
    energy_totals,
    queries,
    vector_cover,
    vector_energies,
)
from dp_refimpl.matrix.workloads import all_ranges
from dp_refimpl.matrix.worst_queries import worst_cover, worst_prefix, worst_prefix_cover, worst_range
from mutants.rewriting import planted_test, read_faults

SIZES = [(b, b**h) for b, most in ((2, 5), (3, 3), (4, 2), (5, 2)) for h in range(most + 1)]
Range = tuple[int, int]


def listed(workload: Workload, used: int) -> list[Range]:
    """The queries as ranges."""
    if workload is Workload.RANGES:
        return list(all_ranges(used))
    return [(1 if workload is Workload.PREFIX else i, i) for i in range(1, used + 1)]


def used_of(size: int) -> list[int]:
    return sorted({1, size // 3 + 1, size // 2 + 1, max(1, size - 1), size})


def eigenvalues(height: int) -> Iterator[list[fmpq]]:
    """A strategy's, and others in no order."""
    yield Boost(2**height).eigenvalues()
    for step in (1, 3, 7):
        yield [fmpq(1 + (step * t * t + 2 * t) % 11, 1 + (5 * t + step) % 7) for t in range(height + 1)]
    yield [fmpq(1), *(fmpq(1, 9**t) for t in range(height))]


def wrong() -> Iterator[str]:
    """Where a closed form, or a search, is not what all queries say one by one."""
    for (b, size), workload in product(SIZES, Workload):
        for used in used_of(size):
            own = {query: energies(size, *query, b) for query in listed(workload, used)}
            height = len(energies(size, 1, 1, b)) - 1
            place = f"{workload.value} on {used} of {b}^{height}"
            if energy_totals(workload, used, size, b) != [sum(e, fmpq(0)) for e in zip(*own.values(), strict=True)]:
                yield f"energies: {place}"
            for values in eigenvalues(height) if workload is not Workload.IDENTITY else ():
                errors = {query: coefficient(size, *query, values, b) for query in own}
                maximum = (worst_range if workload is Workload.RANGES else worst_prefix)(used, size, values, b)
                if maximum[0] != max(errors.values()) or errors.get(maximum[1:]) != maximum[0]:
                    yield f"worst: {place}"
            for root in Root if size > 1 else (Root.RELEASED,):
                tree = Tree(size, b, root)
                nodes = [len(tree.cover(*query)) for query in own]
                if cover_total(workload, used, tree) != sum(nodes):
                    yield f"nodes: {place}, {root.value}"
                worst = {Workload.RANGES: worst_cover, Workload.PREFIX: worst_prefix_cover}
                if workload in worst and worst[workload](used, tree) != max(nodes):
                    yield f"worst cover: {place}, {root.value}"


def test_closed_forms_and_searches_are_brute_force() -> None:
    assert list(wrong()) == []


test_planted_faults_are_found = planted_test(read_faults("workloads.toml"), {"workloads": wrong})


@given(st.integers(1, 2**60), st.sampled_from(Workload))
def test_blocks_of_one_leaf_and_of_all(used: int, workload: Workload) -> None:
    lengths = {
        Workload.RANGES: used * (used + 1) * (used + 2) // 6,
        Workload.PREFIX: used * (used + 1) // 2,
        Workload.IDENTITY: used,
    }
    squares = {
        Workload.RANGES: used * (used + 1) ** 2 * (used + 2) // 12,
        Workload.PREFIX: used * (used + 1) * (2 * used + 1) // 6,
        Workload.IDENTITY: used,
    }
    assert block_squares(workload, used, 1) == lengths[workload]
    assert block_squares(workload, used, used) == block_squares(workload, used, 2 * used) == squares[workload]


@given(st.integers(2, 7), st.integers(0, 20), st.integers(0, 20))
def test_the_formula_for_ranges(b: int, s: int, more: int) -> None:
    n, width = b ** (s + more), b**s
    formula = n * (width**3 - 2 * (n + 1) * width**2 + (2 * n * n + 6 * n + 3) * width + 2 * n + 2)
    assert 12 * block_squares(Workload.RANGES, n, width) == formula


@given(st.integers(2, 5), st.integers(0, 30), st.data(), st.sampled_from(Workload))
def test_energies_add_up_to_the_lengths(b: int, h: int, data: st.DataObject, workload: Workload) -> None:
    used = data.draw(st.integers(1, b**h))
    parts = energy_totals(workload, used, b**h, b)
    assert all(part >= 0 for part in parts)
    assert sum(parts, fmpq(0)) == block_squares(workload, used, 1)


@given(st.sampled_from([(2, 16), (3, 9), (4, 16)]), st.sampled_from(Root), st.data())
def test_queries_that_are_no_ranges(size: tuple[int, int], root: Root, data: st.DataObject) -> None:
    b, n = size
    query = data.draw(st.lists(st.fractions(-2, 2, max_denominator=3), min_size=1, max_size=n))
    exact = [fmpq(x.numerator, x.denominator) for x in query]
    padded = [*query, *[Fraction(0)] * (n - len(query))]
    sigma = coefficients(mechanism := Boost(n, b, root))
    parts = vector_energies(exact, n, b)
    total = sum((e / value for e, value in zip(parts, mechanism.eigenvalues(), strict=True)), fmpq(0))
    whole = sum(
        (sigma[i, j] * fmpq(*(padded[i] * padded[j]).as_integer_ratio()) for i in range(n) for j in range(n)), fmpq(0)
    )
    assert total == whole
    assert sum(parts, fmpq(0)) == sum((x * x for x in exact), fmpq(0))


@given(st.sampled_from([(2, 16), (3, 27), (4, 16)]), st.sampled_from(Root), st.data())
def test_the_nodes_of_a_range_are_those_on_which_it_is_constant(
    size: tuple[int, int], root: Root, data: st.DataObject
) -> None:
    tree = Tree(size[1], size[0], root)
    first = data.draw(st.integers(1, tree.size))
    last = data.draw(st.integers(first, tree.size))
    query = [fmpq(int(first <= i <= last)) for i in range(1, tree.size + 1)]
    assert vector_cover(query, tree) == len(tree.cover(first, last)) == tree.range_coefficient(first, last)
    assert vector_cover([3 * x for x in query], tree) == 9 * vector_cover(query, tree)


VALUES = Boost(16).eigenvalues()
OF_USED: tuple[Any, ...] = (
    lambda used: energy_totals(Workload.RANGES, used, 16),
    lambda used: cover_total(Workload.RANGES, used, Tree(16)),
    lambda used: worst_range(used, 16, VALUES),
    lambda used: worst_prefix(used, 16, VALUES),
    lambda used: worst_cover(used, Tree(16)),
    lambda used: worst_prefix_cover(used, Tree(16)),
)
test_refusals = refusal_test(
    *(refuses("used", call, 0, -1, 17, True, 2.0) for call in OF_USED),
    refuses("workload", lambda workload: queries(workload, 4), "ranges"),
    refuses("width", lambda: block_squares(Workload.RANGES, 4, 0)),
    refuses("eigenvalues", lambda: worst_range(4, 4, [fmpq(1)])),
    refuses("size", lambda: energy_totals(Workload.RANGES, 4, 6)),
    refuses("query", lambda: vector_energies([], 4)),
    refuses("query", lambda: vector_cover([fmpq(1)] * 5, Tree(4))),
)
