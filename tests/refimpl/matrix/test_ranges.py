"""Algorithm 3 with its readings, evaluation in O(h), all ranges at once, workloads; planted faults."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.fast.matrix.range_arrays import range_ends
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.fixed_range import Border, Covered, Pairs, Reading, algorithm3, border_nodes, covered_nodes, phi
from dp_refimpl.matrix.haar import Haar, Normalization
from dp_refimpl.matrix.mechanism import (
    MatrixMechanism,
    coefficients,
    covariance,
    pseudoinverse,
    query_errors,
    restoration,
    sensitivity,
)
from dp_refimpl.matrix.parameters import Neighbors, Root
from dp_refimpl.matrix.privelet import Privelet, algorithm2, algorithm2_row
from dp_refimpl.matrix.ranges import coefficient, energies, indicator, range_variance
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.workloads import all_ranges, identity_workload, parse_workload, prefix_workload, range_workload
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from independent import brute_force_matrices as plain
from independent.numbers import fraction
from independent.range_arrays import privelet_coefficients, scaled, submatrix_sums
from mutants.rewriting import planted_test, read_faults

READINGS = [Reading(p, c, b) for p in Pairs for c in Covered for b in Border]
LARGE = 60


def by_brute_force(h: int) -> list[fmpq]:
    """I^T B B^T I for all ranges, B as the program has it, from prefix sums of 4^h Sigma."""
    matrix = scaled(restoration(Privelet(2**h)), 2**h)
    return [fmpq(int(s), 4**h) for s in submatrix_sums(matrix @ matrix.T, 2**h)]


def wrong_algorithm3(reading: Reading, most: int = 4) -> Iterator[str]:
    for h in range(most + 1):
        for (first, last), right in zip(all_ranges(2**h), by_brute_force(h), strict=True):
            if algorithm3(h, first, last, reading) != right:
                yield f"h = {h}: {first}..{last}"


def test_algorithm_3_and_the_other_way_are_brute_force_on_every_range() -> None:
    for h in range(7):
        mechanism = Privelet(2**h)
        for (first, last), right in zip(all_ranges(2**h), by_brute_force(h), strict=True):
            assert algorithm3(h, first, last) == mechanism.range_coefficient(first, last) == right


@pytest.mark.parametrize("reading", READINGS, ids=lambda r: f"{r.pairs.value}-{r.covered.value}-{r.border.value}")
def test_one_reading_is_right(reading: Reading) -> None:
    assert (not any(wrong_algorithm3(reading))) == (reading == Reading())


test_planted_faults_are_found = planted_test(
    read_faults("algorithm3.toml"), {"algorithm 3": lambda: wrong_algorithm3(Reading())}
)


@pytest.mark.parametrize("h", range(6))
def test_nodes_are_counted(h: int) -> None:
    nodes = {k: [(a, b) for a, b in plain.intervals(2**h, 2) if b - a + 1 == 2**k] for k in range(h + 1)}
    for first, last in all_ranges(2**h):
        for k in range(1, h + 1):
            inside = [n for n in nodes[k] if first <= n[0] and n[1] <= last]
            met = [n for n in nodes[k] if n not in inside and n[0] <= last and first <= n[1]]
            assert covered_nodes(k, first, last) == len(inside)
            assert sorted((n[0], n[-1]) for n in border_nodes(k, first, last)) == met
            assert len(met) <= 2


@given(st.integers(1, 2**LARGE), st.integers(1, 2**LARGE))
def test_two_ways_agree_for_huge_trees(a: int, b: int) -> None:
    first, last = sorted((a, b))
    assert Privelet(2**LARGE).range_coefficient(first, last) == algorithm3(LARGE, first, last)


@given(st.integers(0, 40), st.integers(2, 5), st.data())
def test_energies_add_up_to_the_length(h: int, b: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, b**h))
    last = data.draw(st.integers(first, b**h))
    levels = energies(b**h, first, last, b)
    assert len(levels) == h + 1
    assert sum(levels, fmpq(0)) == last - first + 1


@pytest.mark.parametrize(("size", "b"), [(2, 2), (64, 2), (81, 3), (64, 4)])
@pytest.mark.parametrize("root", Root)
def test_least_squares_by_eigenvalues(size: int, b: int, root: Root) -> None:
    mechanism = Boost(size, b, root)
    sigma = scaled(coefficients(mechanism), denominator := common(coefficients(mechanism)))
    sums = submatrix_sums(sigma, size)
    for (first, last), right in zip(all_ranges(size), sums, strict=True):
        assert mechanism.range_coefficient(first, last) == fmpq(int(right), denominator)


def common(matrix: fmpq_mat) -> int:
    return int(matrix.numer_denom()[1])


@pytest.mark.parametrize("kind", Normalization)
def test_haar_by_eigenvalues(kind: Normalization) -> None:
    mechanism = Haar(32, kind)
    sigma = coefficients(mechanism)
    for first, last in all_ranges(32):
        assert mechanism.range_coefficient(first, last) == range_variance(sigma, first, last)


@given(st.integers(1, 2**LARGE), st.integers(1, 2**LARGE))
def test_huge_naive_trees_use_few_nodes(a: int, b: int) -> None:
    first, last = sorted((a, b))
    factor = Tree(2**LARGE).range_coefficient(first, last)
    assert factor.q == 1
    assert int(factor.p) in range(1, 2 * LARGE)


# --- all ranges at once -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("h", range(9))
def test_every_range(h: int) -> None:
    """Brute force with the matrix of Algorithm 2, on every range of 2^h leaves."""
    matrix = scaled(algorithm2(h), 2**h)
    assert (privelet_coefficients(h) == submatrix_sums(matrix @ matrix.T, 2**h)).all()


@pytest.mark.parametrize("h", range(6))
def test_arrays_are_the_programs(h: int) -> None:
    ranges = list(all_ranges(2**h))
    assert list(zip(*map(np.ndarray.tolist, range_ends(2**h)), strict=True)) == ranges
    whole = [fmpq(int(c), 4**h) for c in privelet_coefficients(h)]
    assert whole == [Privelet(2**h).range_coefficient(first, last) for first, last in ranges]


# --- workloads and the general mechanism ------------------------------------------------------------------------------


def test_workloads() -> None:
    assert range_workload(3) == fmpq_mat([[1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 0], [0, 1, 1], [0, 0, 1]])
    assert prefix_workload(3) == fmpq_mat([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert identity_workload(2) == fmpq_mat([[1, 0], [0, 1]])
    assert range_workload(4, [(2, 3)]) == indicator(4, 2, 3).transpose()
    assert parse_workload(["# two queries", "1, 1/2, -0.25", "", "0 0 1  # the last"], 3) == fmpq_mat(
        [[fmpq(1), fmpq(1, 2), fmpq(-1, 4)], [fmpq(0), fmpq(0), fmpq(1)]]
    )


MATRICES = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.fractions(-3, 3, max_denominator=3), min_size=n, max_size=n), min_size=n, max_size=n + 2
    )
)


def matrix_of(rows: list[list[Fraction]]) -> fmpq_mat:
    return fmpq_mat([[fmpq(e.numerator, e.denominator) for e in row] for row in rows])


@given(MATRICES)
def test_pseudoinverses(rows: list[list[Fraction]]) -> None:
    matrix = matrix_of(rows)
    if matrix.rank() < matrix.ncols():
        for call in (pseudoinverse, MatrixMechanism):
            with pytest.raises(DomainError, match="full column rank"):
                call(matrix)
        return
    inverse = pseudoinverse(matrix)
    assert inverse * matrix == identity_workload(matrix.ncols())
    projection = matrix * inverse
    assert projection == projection.transpose()


@given(MATRICES)
def test_sensitivities(rows: list[list[Fraction]]) -> None:
    for neighbors in Neighbors:
        lengths = [sum(map(abs, change)) for change in plain.changes(rows, neighbors is Neighbors.REPLACE)]
        length = sensitivity(matrix_of(rows), neighbors)
        assert fraction(length) == max(lengths, default=Fraction(0))


def test_the_matrix_of_a_mechanism_is_its_own() -> None:
    given_matrix = identity_workload(2)
    mechanism = MatrixMechanism(given_matrix)
    given_matrix[0, 1] = fmpq(5)
    assert mechanism.release([1, 2], _Nothing()) == [1, 2]


class _Nothing:
    def draw(self, scale: Any) -> int:
        return 0

    def lift(self, value: Any) -> int:
        return int(value)


NO_RANGES: list[Any] = [(0, 1), (1, 9), (5, 4), (-1, 2), (1.0, 2), (True, 2), (1, None), ("1", 2)]
IDENTITY, EYE = identity_workload(8), identity_workload(2)
OF_RANGE: tuple[Any, ...] = (
    lambda first, last: algorithm3(3, first, last),
    lambda first, last: energies(8, first, last),
    lambda first, last: indicator(8, first, last),
    lambda first, last: range_variance(IDENTITY, first, last),
    *(mechanism.range_coefficient for mechanism in (Privelet(8), Boost(8), Tree(8), Haar(8))),
    lambda first, last: Tree(8).answer([0] * 15, first, last),
    MatrixMechanism(IDENTITY).range_coefficient,
)
test_refusals = refusal_test(
    *(refuses_each("first|last", call, *NO_RANGES) for call in OF_RANGE),
    refuses_each("k|h", phi, (3, 0), (3, 4), (0, 1), (2.0, 1), (2, True)),
    refuses("reading", lambda reading: algorithm3(2, 1, 2, reading), None, "double", (Pairs.DOUBLE,)),
    refuses("pairs", Reading, "double"),
    refuses(
        "workload",
        lambda lines: parse_workload(lines, 3),
        *(["1 2"], ["1 2 x"], ["1 2 nan"], ["1 2 inf"], ["1 2 1/0"], [], ["", "# no"]),
        says="workload",
        kind=FormatError,
    ),
    refuses("workload|ranges", lambda ranges: range_workload(3, ranges), [], [(0, 1)], [(2, 1)], [(1, 4)]),
    refuses_each("i|h", algorithm2_row, (2, 0), (2, 5), (-1, 1), (2.0, 1), (2, None)),
    refuses("eigenvalues", lambda: coefficient(8, 1, 2, [fmpq(1)] * 3)),
    refuses("workload", lambda: query_errors(identity_workload(3), EYE)),
    refuses("spreads", lambda: covariance(EYE, [fmpq(1)])),
    refuses("strategy", MatrixMechanism, None, [[1]], np.eye(2), fmpq_mat(2, 0)),
)
