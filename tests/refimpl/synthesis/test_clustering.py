"""Spectral clustering: distances of rows of U in any basis, exact k-means with its ties, k-means++ by enumeration."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from math import isclose, prod
from typing import Any

import pytest
from flint import arb, arb_mat, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.faults import fault_test, nothing_wrong_test
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis import spectral_embedding
from dp_refimpl.synthesis.clustering import Partition, exact_k_means, k_means_plus_plus, lloyd, partitions
from dp_refimpl.synthesis.diagonalization import Diagonalization
from dp_refimpl.synthesis.distances import Distances, RationalPoints, distance_to_mean
from dp_refimpl.synthesis.log_quotients import log_quotient
from dp_refimpl.synthesis.spectral_embedding import Reduction, SpectralEmbedding
from dp_spec.vocabulary.exceptions import UndecidedError
from independent.brute_force_clusters import best_labels, lloyd_labels, rows_of_u
from independent.numbers import exact

Entries = list[Fraction]


def symmetric(size: int, entries: Entries) -> tuple[tuple[fmpq, ...], ...]:
    """The matrix whose entries above the diagonal are these, row by row."""
    listed = dict(zip(combinations(range(size), 2), entries, strict=True))
    return tuple(
        tuple(fmpq(0) if i == j else exact(listed[min(i, j), max(i, j)]) for j in range(size)) for i in range(size)
    )


def embedding(size: int, entries: Entries, kept: int, weights: Any = "printed") -> SpectralEmbedding:
    return SpectralEmbedding(symmetric(size, entries), Reduction(fmpq(1, 2), kept, weights))


def squared(rows: Distances, i: int, j: int, bits: int = 128) -> arb:
    """The squared distance of two rows, known or computed."""
    key = rows.key(i, j)
    if isinstance(key, fmpq):
        return arb(key)
    ball = rows.enclosure(key, bits)
    assert ball is not None
    return ball


def embeddings(values: st.SearchStrategy[Fraction], sizes: tuple[int, int] = (2, 4)) -> st.SearchStrategy[Any]:
    """(size, entries, kept, weights)."""
    return st.integers(*sizes).flatmap(
        lambda d: st.tuples(
            st.just(d),
            st.lists(values, min_size=d * (d - 1) // 2, max_size=d * (d - 1) // 2),
            st.integers(1, d),
            st.sampled_from(("printed", "njw")),
        )
    )


GENERAL = st.fractions(Fraction(-1), Fraction(2), max_denominator=97)
FEW = st.sampled_from((Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)))
POINTS = st.integers(1, 2).flatmap(
    lambda dim: st.lists(st.tuples(*[st.integers(0, 4).map(Fraction)] * dim), min_size=1, max_size=5)
)


def rational(points: list[tuple[Fraction, ...]]) -> RationalPoints:
    return RationalPoints(tuple(tuple(exact(x) for x in point) for point in points))


# --- the rows of U ----------------------------------------------------------------------------------------------------


@given(embeddings(GENERAL))
def test_distances_are_those_of_the_printed_steps(case: Any) -> None:
    """Where the kept space is unique; that of floats is not where eigenvalues are nearly equal."""
    size, _, kept, weights = case
    points = embedding(*case)
    u, gap = rows_of_u([[float(x) for x in row] for row in symmetric(size, case[1])], 0.5, kept, weights == "njw")
    if gap > 1e-6:
        for i, j in combinations(range(size), 2):
            wanted = float(((u[i] - u[j]) ** 2).sum())
            assert isclose(float(squared(points, i, j).mid()), wanted, abs_tol=1e-6)


@given(embeddings(FEW))
def test_known_distances_lie_in_the_balls(case: Any) -> None:
    """A distance that a symmetry knows is the one that is computed."""
    size, _, kept, _ = case
    points = embedding(*case)
    for i, j in combinations(range(size), 2):
        ball = points.enclosure((i, j), 256)
        assert ball is not None
        assert ball.overlaps(squared(points, i, j, 256))
        assert ball.rad() < 1e-20
        assert kept == 1 or ball.overlaps(squared(embedding(*case), j, i, 256))


@settings(max_examples=25)
@given(embeddings(FEW), st.randoms())
def test_distances_do_not_depend_on_the_order_of_attributes(case: Any, random: Any) -> None:
    """Unless a part of an eigenspace is kept, whose choice is by the first attributes."""
    size, _, kept, weights = case
    order = list(range(size))
    random.shuffle(order)
    points = embedding(*case)
    matrix = tuple(tuple(points.matrix[i][j] for j in order) for i in order)
    moved = SpectralEmbedding(matrix, Reduction(fmpq(1, 2), kept, weights))
    rows = points._rows(256)
    if rows is not None and not rows.frame.pivots:
        for i, j in combinations(range(size), 2):
            assert squared(moved, i, j, 256).overlaps(squared(points, order[i], order[j], 256))


@given(embeddings(FEW))
def test_the_laplacian_annihilates_the_root_of_the_degrees(case: Any) -> None:
    points = embedding(*case)
    with ctx.workprec(128):
        w = points.weight_matrix(128)
        roots = arb_mat([[sum((w[i, j] for j in range(points.size)), arb(0)).sqrt()] for i in range(points.size)])
        assert (points.laplacian(128) * roots).contains(arb_mat(points.size, 1))


def test_a_part_of_an_eigenspace_is_kept_by_its_first_attributes() -> None:
    """All entries equal: the kept space is that of 1 and e_0, so that all rows but the first are equal."""
    points = embedding(4, [Fraction(1)] * 6, 2)
    assert [points.key(0, j) for j in (1, 2, 3)] == [(0, 1)] * 3
    assert [points.key(i, j) for i, j in ((1, 2), (1, 3), (2, 3))] == [0] * 3
    assert exact_k_means(points, 2) == ((0,), (1, 2, 3))
    assert exact_k_means(points, 3) == ((0,), (1, 2), (3,)) or exact_k_means(points, 3) == ((0,), (1,), (2, 3))


def test_two_blocks_are_found() -> None:
    """Small s (in print: distance) joins: attributes 0, 2 and 1, 3."""
    points = embedding(4, [Fraction(x) for x in (1, 0, 1, 1, 0, 1)], 2)
    assert exact_k_means(points, 2) == ((0, 2), (1, 3))
    assert [points.key(0, 2), points.key(1, 3)] == [0, 0]


def test_irrational_entries() -> None:
    """Entries of MIC: irrational ones, equal ones known to be equal, 0 and 1."""
    a, b = log_quotient(fmpq(32, 27), fmpq(2), 3), log_quotient(fmpq(27, 16), fmpq(2), 3)
    zero = fmpq(0)
    matrix = ((zero, a, b, b), (a, zero, b, b), (b, b, zero, fmpq(1)), (b, b, fmpq(1), zero))
    points = SpectralEmbedding(matrix, Reduction(fmpq(1, 2), 2))
    assert points.key(0, 1) == 0
    assert exact_k_means(points, 2) == ((0, 1, 2), (3,))  # 2 and 3 are farthest from each other: s_23 is largest


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("noise", [10**3, 10**6, 10**30, -(10**6), -(10**100)])
@pytest.mark.parametrize("weights", ["printed", "njw"])
def test_huge_noise_gives_numbers_or_says_that_it_is_undecided(size: int, noise: int, weights: Any) -> None:
    """No weight is infinite and no entry undefined; k = 1 and k = d need no comparison."""
    pairs = size * (size - 1) // 2
    entries = [Fraction(noise * (i + 1) * (-1) ** i, 7) for i in range(pairs)]
    points = embedding(size, entries, 2, weights)
    assert all(ball.is_finite() for ball in points.laplacian(1024).entries())
    assert exact_k_means(points, 1) == (tuple(range(size)),)
    assert exact_k_means(points, size) == tuple((i,) for i in range(size))
    try:
        blocks = exact_k_means(points, 2)
    except UndecidedError:
        return
    assert len(blocks) == 2


def test_huge_equal_noise_is_decided() -> None:
    """e^(2 * 10^9) twice, and e^0: the two pairs are joined."""
    entries = [Fraction(x) for x in (-(10**9), 0, 0, 0, 0, -(10**9))]
    assert exact_k_means(embedding(4, entries, 2), 2) == ((0, 1), (2, 3))


def test_one_attribute() -> None:
    assert exact_k_means(SpectralEmbedding(((fmpq(0),),), Reduction(fmpq(1), 1)), 1) == ((0,),)


@pytest.mark.parametrize(
    ("size", "quarters", "kept", "clusters", "blocks"),
    [
        (4, [1, 0, 0, 1, 0, 1], 2, 3, ((0, 2), (1,), (3,))),
        (4, [0, 1, 1, 1, 1, 0], 2, 3, ((0, 1), (2,), (3,))),
        (5, [0, 0, 0, 0, 0, 0, 0, 1, 1, 2], 2, 4, ((0, 1), (2,), (3,), (4,))),
    ],
)
def test_ties_of_symmetries_are_decided(
    size: int, quarters: list[int], kept: int, clusters: int, blocks: Partition
) -> None:
    """The first of the best; in the third the kept vectors are B^(1/2) 1 and e_3 - e_4: three rows are equal."""
    assert exact_k_means(embedding(size, [Fraction(q, 4) for q in quarters], kept), clusters) == blocks


@settings(max_examples=60, deadline=None)
@given(embeddings(FEW, (2, 4)), st.integers(1, 4))
def test_ties_of_few_values_are_decided(case: Any, k: int) -> None:
    """All ties among matrices of a few values and at most four rows come from symmetries, and are known."""
    partition = exact_k_means(embedding(*case), min(k, case[0]))
    assert sorted(i for block in partition for i in block) == list(range(case[0]))


# --- planted faults of the embedding ----------------------------------------------------------------------------------

GIVEN: list[tuple[int, list[int], int]] = [
    (3, [1, 4, 2], 2),
    (4, [1, 4, 2, 3, 5, 1], 2),
    (4, [1, 4, 2, 3, 5, 1], 3),
    (4, [0, 3, 3, 3, 3, 0], 2),
    (5, [1, 4, 2, 3, 5, 1, 2, 6, 3, 1], 3),
]
"""Sizes, entries in quarters, kept eigenvectors: kept and other eigenvalues differ."""


def wrong_distances() -> Iterator[object]:
    for size, quarters, kept in GIVEN:
        for weights in ("printed", "njw"):
            points = embedding(size, [Fraction(q, 4) for q in quarters], kept, weights)
            s = [[float(x) for x in row] for row in symmetric(size, [Fraction(q, 4) for q in quarters])]
            u, gap = rows_of_u(s, 0.5, kept, weights == "njw")
            assert gap > 1e-6
            for i, j in combinations(range(size), 2):
                wanted, ball = float(((u[i] - u[j]) ** 2).sum()), squared(points, i, j)
                if not isclose(float(ball.mid()), wanted, abs_tol=1e-6):
                    yield size, quarters, kept, weights, i, j


test_no_distance_is_wrong = nothing_wrong_test(wrong_distances)


def raw_distance(self: SpectralEmbedding, pair: tuple[int, int], bits: int) -> arb | None:
    """Of rows that are not scaled to length 1."""
    rows = self._rows(bits)
    if rows is None:
        return None
    i, j = pair
    p = rows.projection
    return p[i, i] + p[j, j] - 2 * p[i, j]


def unnormalized(self: SpectralEmbedding, bits: int) -> arb_mat:
    """B - W."""
    with ctx.workprec(bits):
        w, n = self.weight_matrix(bits), range(self.size)
        return arb_mat([[(sum((w[i, k] for k in n), arb(0)) if i == j else 0) - w[i, j] for j in n] for i in n])


LAPLACIAN, PROJECTION = SpectralEmbedding.laplacian, Diagonalization.projection

test_planted_faults_of_the_embedding = fault_test(
    wrong_distances,
    {
        "twice the exponent": (spectral_embedding, "_power", lambda exponent: (2 * arb(exponent)).exp()),
        "the other sign": (spectral_embedding, "_power", lambda exponent: (-arb(exponent)).exp()),
        "not normalized": (SpectralEmbedding, "laplacian", unnormalized),
        "the largest eigenvalues": (SpectralEmbedding, "laplacian", lambda self, bits: -LAPLACIAN(self, bits)),
        "rows of any length": (SpectralEmbedding, "enclosure", raw_distance),
        "one eigenvector more": (
            Diagonalization,
            "projection",
            lambda self, first, last: PROJECTION(self, first, min(last + 1, self.laplacian.nrows())),
        ),
        "all pairs alike": (SpectralEmbedding, "_are_alike", lambda self, pair, other: True),
        "rows that are swapped are equal": (SpectralEmbedding, "_trace_is", lambda self, swap, highest: True),
    },
    (UndecidedError,),
)


# --- k-means ----------------------------------------------------------------------------------------------------------


def labels(partition: Partition) -> tuple[int, ...]:
    return tuple(c for _, c in sorted((i, c) for c, block in enumerate(partition) for i in block))


@pytest.mark.parametrize("size", range(1, 7))
def test_partitions_are_all_in_order(size: int) -> None:
    """Stirling numbers, in lexicographic order of their strings."""
    for k in range(1, size + 1):
        strings = [labels(partition) for partition in partitions(size, k)]
        assert strings == sorted(set(strings))
        stirling = sum(
            (-1) ** (k - j) * prod(range(k - j + 1, k + 1)) // prod(range(1, j + 1)) * j**size for j in range(k + 1)
        ) // prod(range(1, k + 1))
        assert len(strings) == stirling


@given(POINTS, st.integers(1, 4))
def test_exact_k_means_is_the_first_best_string(points: Any, k: int) -> None:
    k = min(k, len(points))
    assert labels(exact_k_means(rational(points), k)) == best_labels(points, k)


@given(POINTS, st.data())
def test_lloyd_is_that_of_coordinates(points: Any, data: Any) -> None:
    k = data.draw(st.integers(1, len(points)))
    seeds = tuple(data.draw(st.permutations(range(len(points))))[:k])
    wanted = sorted(tuple(sorted(block)) for block in lloyd_labels(points, seeds))
    assert list(lloyd(rational(points), seeds)) == wanted


@given(POINTS, st.data())
def test_distance_to_a_mean_is_that_of_coordinates(points: Any, data: Any) -> None:
    block = data.draw(st.lists(st.integers(0, len(points) - 1), min_size=1, unique=True))
    i = data.draw(st.integers(0, len(points) - 1))
    mean = [sum(x) / Fraction(len(block)) for x in zip(*(points[b] for b in block), strict=True)]
    wanted = sum((x - m) ** 2 for x, m in zip(points[i], mean, strict=True))
    assert distance_to_mean(rational(points), i, block).constant == exact(wanted)


def plain_law(points: Any, k: int, farthest: bool) -> dict[Partition, Fraction]:
    """All seedings in order with their probabilities, then Lloyd with coordinates."""
    law: dict[Partition, Fraction] = {}
    for seeds in permutations(range(len(points)), k):
        chance = Fraction(1, len(points))
        for step in range(1, k):
            left = [i for i in range(len(points)) if i not in seeds[:step]]
            near = [
                min(sum((x - y) ** 2 for x, y in zip(points[i], points[s], strict=True)) for s in seeds[:step])
                for i in left
            ]
            if farthest:
                chance *= left[near.index(max(near))] == seeds[step]
            else:
                total = sum(near)
                at = near[left.index(seeds[step])]
                chance *= Fraction(at) / total if total else Fraction(1, len(left))
        partition = tuple(sorted(tuple(sorted(block)) for block in lloyd_labels(points, seeds)))
        law[partition] = law.get(partition, Fraction(0)) + chance
    return {partition: chance for partition, chance in law.items() if chance}


SQUARE: Any = [(Fraction(x), Fraction(y)) for x, y in ((0, 0), (0, 1), (3, 0), (3, 2))]
LONG: Any = [(Fraction(x),) for x in (0, 2, 0, 2, 0, 2, 5)]
LINE: Any = [(Fraction(x),) for x in (0, 1, 1, 4, 6)]
SAME: Any = [(Fraction(1),)] * 3
SEEDED = [(points, k) for points in (SQUARE, LINE, SAME) for k in range(1, len(points) + 1)] + [(LONG, 2)]


def seeded_law(points: Any, k: int, seeding: Any) -> dict[Partition, fmpq]:
    return output_law(lambda coins: k_means_plus_plus(rational(points), k, seeding, coins), fmpq(1))


@pytest.mark.parametrize("seeding", ["d2", "farthest"])
@pytest.mark.parametrize(("points", "k"), SEEDED)
def test_seedings_have_their_laws(points: Any, k: int, seeding: Any) -> None:
    law = plain_law(points, k, seeding == "farthest")
    assert seeded_law(points, k, seeding) == {partition: exact(chance) for partition, chance in law.items()}


def test_the_law_of_irrational_distances_is_in_balls() -> None:
    """d2 on rows of U: the balls sum to 1, and all blocks are there."""
    points = embedding(4, [Fraction(x) for x in (1, 0, 2, 1, 1, 3)], 3)
    law = output_law(lambda coins: k_means_plus_plus(points, 2, "d2", coins), fmpq(1))
    total: Any = sum(law.values())
    assert total.contains(1)
    assert total.rad() < 1e-14
    assert all(sorted(i for block in partition for i in block) == [0, 1, 2, 3] for partition in law)


ZERO, ONE = fmpq(0), fmpq(1)
PAIR = ((ZERO, ONE), (ONE, ZERO))
test_bad_input = refusal_test(
    refuses("sigma", lambda sigma: Reduction(sigma, 1), 0, 1.0, fmpq(0), fmpq(-1)),
    refuses("kept", lambda kept: Reduction(fmpq(1), kept), 0, True, "1"),
    refuses("kept", lambda kept: SpectralEmbedding(PAIR, Reduction(fmpq(1), kept)), 3),
    refuses("weights", lambda weights: Reduction(fmpq(1), 1, weights), "gauss", None),
    refuses(
        "matrix",
        lambda matrix: SpectralEmbedding(matrix, Reduction(fmpq(1), 1)),
        (),
        [[ZERO]],
        ((ZERO, ONE),),
        ((ONE,),),
        ((0.0,),),
        ((ZERO, ONE), (ZERO, ZERO)),
    ),
    refuses("matrix", lambda matrix: SpectralEmbedding(matrix, Reduction(fmpq(1), 1, "njw")), ((ZERO,),)),
    refuses("k", lambda k: exact_k_means(RationalPoints(((ZERO,),)), k), 0, 2, True),
    refuses("seeding", lambda seeding: seeded_law(LINE, 2, seeding), "random", None),
    refuses("seeds", lambda seeds: lloyd(rational(LINE), seeds), (), (0, 0), (5,)),
    refuses_each("points", RationalPoints, ((),), (((ZERO,), (ZERO, ONE)),)),
)
