"""DPSC on arrays: coefficients, rows, seeds and iterations are those of the exact programs; noise has its scale."""

from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl.fast.synthesis import clustering
from dp_refimpl.fast.synthesis.clustering import ArrayDPSC, k_means_plus_plus, lloyd, spectral_rows
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.synthesis import clustering as exact_clustering
from dp_refimpl.synthesis import dpsc
from dp_refimpl.synthesis.distances import RationalPoints
from dp_refimpl.synthesis.log_quotients import enclosed
from dp_refimpl.synthesis.maximal_information import GridSizes, UndefinedError
from dp_refimpl.synthesis.spectral_embedding import Reduction, SpectralEmbedding
from dp_refimpl.synthesis.tables import CountTable, domain_records
from dp_spec.vocabulary.exceptions import DomainError

ROUNDING = 2.0**-36
"""Of coefficients, and of rows whose eigenvalues are apart: a few hundred operations on 53 bits."""
MINE = GridSizes()
REDUCTION = Reduction(fmpq(1, 2), 2)


@settings(max_examples=30)
@given(
    st.sampled_from([(2, 2, 2), (3, 2, 4)]).flatmap(
        lambda s: st.lists(st.sampled_from(list(domain_records(s))), min_size=1, max_size=12).map(
            lambda rows: CountTable.of_records(s, rows)
        )
    )
)
def test_coefficients_are_the_exact_ones(table: CountTable) -> None:
    coefficients = clustering.coefficients(ArrayTable.of_counts(table), MINE)
    exact = dpsc.coefficients(table, MINE)
    assert all(
        abs(coefficients[i, j] - float(enclosed(entry, 64))) <= ROUNDING
        for i, row in enumerate(exact)
        for j, entry in enumerate(row)
    )


ENTRIES = [3, 7, 1, 9, 4, 12, 5, 2, 8, 11]
"""Tenths, above the diagonal of a 5 x 5 matrix: without symmetries."""


def matrices(size: int) -> tuple[Any, Any]:
    """The same matrix in floats and in rationals."""
    entries = dict(zip(combinations(range(size), 2), ENTRIES, strict=False))
    exact = tuple(
        tuple(fmpq(0) if i == j else fmpq(entries[min(i, j), max(i, j)], 8) for j in range(size)) for i in range(size)
    )
    return np.array([[float(entry) for entry in row] for row in exact]), exact


@pytest.mark.parametrize("weights", ["printed", "njw"])
@pytest.mark.parametrize("kept", [1, 2, 3, 4])
def test_rows_have_the_exact_distances(weights: Any, kept: int) -> None:
    matrix, exact = matrices(4)
    reduction = Reduction(fmpq(1, 2), kept, weights)
    rows, embedding = spectral_rows(matrix, reduction), SpectralEmbedding(exact, reduction)
    for i, j in combinations(range(4), 2):
        key = embedding.key(i, j)
        right = key if isinstance(key, fmpq) else embedding.enclosure(key, 128)
        assert abs(float(((rows[i] - rows[j]) ** 2).sum()) - float(right)) <= ROUNDING  # type: ignore[arg-type]


POINTS = [(0, 0), (1, 5), (7, 2), (7, 3), (3, 3), (0, 0), (2, 6)]
"""Whole numbers, so that all means that can be equal are told apart by floats."""


def test_iterations_are_the_exact_ones() -> None:
    exact = RationalPoints(tuple((fmpq(x), fmpq(y)) for x, y in POINTS))
    points = np.array(POINTS, np.float64)
    for k in (1, 2, 3):
        for seeds in permutations(range(len(POINTS)), k):
            assert lloyd(points, seeds) == exact_clustering.lloyd(exact, seeds)


class Numbers:
    """Uniform numbers that decide where weights have their edges, for the array program and for coins."""

    def __init__(self, numbers: list[float]) -> None:
        self.numbers = iter(numbers)

    def integers(self, bound: int) -> int:
        return int(next(self.numbers) * bound)

    def random(self) -> float:
        return next(self.numbers)

    def choose(self, probabilities: Any) -> int:
        edges = np.cumsum([float(p) for p in probabilities])
        return int(np.searchsorted(edges, next(self.numbers), side="right"))


@pytest.mark.parametrize("seeding", ["d2", "farthest"])
def test_seeds_follow_the_same_decisions(seeding: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clustering, "require_generator", lambda generator: generator)
    exact = RationalPoints(tuple((fmpq(x), fmpq(y)) for x, y in POINTS))
    for seed in range(40):
        numbers = np.random.default_rng(seed).random(4).tolist()
        generator: Any = Numbers(numbers)
        coins: Any = Numbers(numbers)
        seeds = k_means_plus_plus(np.array(POINTS, np.float64), 4, seeding, generator)
        assert seeds == exact_clustering.k_means_plus_plus(exact, 4, seeding, coins)


def test_equal_points_are_drawn_uniformly() -> None:
    points = np.zeros((3, 1))
    drawn = {k_means_plus_plus(points, 2, "d2", np.random.default_rng(seed)) for seed in range(40)}
    assert drawn == {((0, 1), (2,)), ((0, 2), (1,)), ((0,), (1, 2))}


def test_noise_is_laplace_of_the_printed_scale_once_for_each_pair() -> None:
    table = ArrayTable((2,) * 40, np.random.default_rng(1).integers(0, 2, (500, 40)))
    program = ArrayDPSC(MINE, fmpq(1, 10), REDUCTION, 3)
    noise = program.noisy_matrix(table, np.random.default_rng(2)) - clustering.coefficients(table, MINE)
    assert (abs(noise - noise.T) < ROUNDING).all()
    assert not noise.diagonal().any()
    scale = float(enclosed(dpsc.noise_scale(500, 40, fmpq(1, 10)), 64))
    upper = noise[np.triu_indices(40, 1)]
    assert abs(abs(upper).mean() - scale) < 5 * scale / len(upper) ** 0.5
    assert len(np.unique(upper)) == len(upper)


def test_two_draws_for_a_pair_leave_no_symmetric_matrix() -> None:
    """The reading `twice`: S is published; the steps after it have no meaning, as in the exact program."""
    program = ArrayDPSC(MINE, fmpq(1, 10), REDUCTION, 1, draws="twice")
    noisy = program.noisy_matrix(LINE, np.random.default_rng(2))
    assert noisy[0, 1] != noisy[1, 0]
    assert noisy[0, 0] == noisy[1, 1] == 0
    with pytest.raises(DomainError, match="symmetric"):
        program.partition(noisy, np.random.default_rng(2))


@pytest.mark.parametrize("weights", ["printed", "njw"])
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3, 1e9])
def test_huge_noise_neither_overflows_nor_is_undefined(weights: Any, size: float) -> None:
    noise = np.random.default_rng(3).laplace(0.0, size, (6, 6))
    matrix = np.triu(noise, 1) + np.triu(noise, 1).T
    rows = spectral_rows(matrix, Reduction(fmpq(1, 2), 3, weights))
    lengths = np.linalg.norm(rows, axis=1)
    assert all(length < 1e-9 or abs(length - 1) < 1e-9 for length in lengths.tolist())
    program = ArrayDPSC(MINE, None, Reduction(fmpq(1, 2), 3, weights), 3)
    partition = program.partition(matrix, np.random.default_rng(4))
    assert sorted(a for block in partition for a in block) == list(range(6))


RNG = np.random.default_rng(1)
TWO = np.zeros((2, 2))
MANY = ArrayTable((11, 2), np.array([[10, 1]]))
LINE = ArrayTable((2, 2), np.array([[0, 1], [1, 1]]))

test_bad_input_is_refused = refusal_test(
    refuses("k", lambda k: k_means_plus_plus(TWO, k, "d2", RNG), 0, 3, True, 1.0),
    refuses("generator", lambda g: k_means_plus_plus(TWO, 1, "d2", g), None, 3),
    refuses("seeding", lambda seeding: ArrayDPSC(MINE, None, REDUCTION, 1, seeding), "exact"),
    refuses("draws", lambda draws: ArrayDPSC(MINE, None, REDUCTION, 1, draws=draws), "thrice"),
    refuses("k", lambda k: ArrayDPSC(MINE, None, REDUCTION, k), 0, -1, True, 1.0),
    refuses("matrix", lambda m: spectral_rows(m, REDUCTION), None, [[0.0]], TWO[:0, :0], TWO[0]),
    refuses("epsilon", lambda epsilon: ArrayDPSC(MINE, epsilon, REDUCTION, 1), fmpq(0), 0.5, fmpq(-1)),
    refuses("sizes", lambda: clustering.coefficients(MANY, MINE)),
    refuses("sizes", lambda: clustering.coefficients(ArrayTable((), np.zeros((1, 0), np.int64)), MINE)),
    refuses("n", lambda: clustering.coefficients(ArrayTable((2, 2), np.zeros((0, 2), np.int64)), MINE)),
    refuses("grid", lambda: clustering.coefficients(LINE, GridSizes("strict.a1")), kind=UndefinedError),
    refuses("points", lambda: clustering.coefficients(LINE, GridSizes("strict.a2")), kind=UndefinedError),
    refuses("matrix", lambda m: spectral_rows(m, REDUCTION), np.array([[0.0, 1], [2, 0]]), TWO[:1], TWO + np.nan),
    refuses("kept", lambda kept: spectral_rows(TWO, Reduction(fmpq(1), kept)), 3),
    refuses("sigma", lambda s: spectral_rows(TWO, Reduction(s, 1)), fmpq(10) ** 101, fmpq(10) ** -101),
    refuses("kept", lambda: spectral_rows(TWO[:1, :1], Reduction(fmpq(1), 1, "njw"))),
)
