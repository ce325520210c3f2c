"""Rows of source 003 about clustering decided again: spectra in floats, everything else in integers."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from itertools import combinations_with_replacement as multisets
from math import exp, log2, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from independent.brute_force_clusters import Labels, laplacian, rows_of_weights
from independent.brute_force_clusters import within as scatter
from independent.brute_force_synthesis import dependence
from independent.verdicts import verdict

WEIGHT = st.floats(0.01, 1)


# Algorithm 1 in floats, for weights with gaps between eigenvalues and between sums of squares


def splits(n: int) -> list[Labels]:
    return [(0, *rest) for rest in product((0, 1), repeat=n - 1) if any(rest)]


def returned(weights: np.ndarray, kept: int) -> list[Labels]:
    """The partitions that exact k-means may return, k = 2."""
    points, gap = rows_of_weights(weights, kept)
    assert gap > 1e-6, "no basis convention is needed"
    sums = {labels: scatter(points.tolist(), labels) for labels in splits(len(weights))}
    return [labels for labels, x in sums.items() if x < min(sums.values()) + 1e-9]


def cut(weights: np.ndarray, labels: Labels) -> float:
    inside = np.array(labels)
    return float(sum(weights[inside == c][:, inside != c].sum() / weights[inside == c].sum() for c in (0, 1)))


def within(weights: np.ndarray, labels: Labels) -> float:
    side = np.array(labels)
    return float(sum(weights[side == c][:, side == c].sum() for c in (0, 1)))


def test_the_weights_of_four_points_in_space() -> None:
    weights = np.array([[28, 4, 8, 8], [4, 28, 8, 8], [8, 8, 28, 7], [8, 8, 7, 28]]) / 28
    lengths = -np.log(weights)
    half, height = lengths[0, 1] / 2, sqrt(lengths[0, 2] ** 2 - (lengths[0, 1] / 2) ** 2)
    angle = np.arcsin(lengths[2, 3] / 2 / height)
    points = [(-half, 0, 0), (half, 0, 0)]
    points += [(0, height * np.cos(x), height * np.sin(x)) for x in (angle, -angle)]
    made = np.array([[np.linalg.norm(np.subtract(x, y)) for y in points] for x in points])
    assert np.allclose(made, lengths)
    partitions = returned(weights, 2)
    assert partitions == [(0, 0 + 1, 0, 0), (0, 1, 1, 1)]
    best = min(splits(4), key=lambda labels: cut(weights, labels))
    assert all(cut(weights, labels) > cut(weights, best) + 1e-3 for labels in partitions)
    assert verdict("alg1.cut@ncut") == "refuted"


@pytest.mark.parametrize("t", [0.62, 0.75, 0.9])
def test_the_corners_of_a_rectangle(t: float) -> None:
    lengths = np.array([[0, 3, 4, 5], [3, 0, 5, 4], [4, 5, 0, 3], [5, 4, 3, 0]])
    weights = t**lengths
    assert returned(weights, 2) == [(0, 0, 1, 1)]
    assert (within(weights, (0, 1, 1, 1)) > within(weights, (0, 0, 1, 1))) == (t + t**2 > 1)
    assert verdict("alg1.cut@within") == "refuted"


@given(st.lists(WEIGHT, min_size=10, max_size=10))
def test_cuts_are_quotients_and_at_least_the_second_eigenvalue(drawn: list[float]) -> None:
    weights = np.zeros((4, 4))
    weights[np.triu_indices(4)] = drawn
    weights = np.maximum(weights, weights.T)
    values = np.linalg.eigvalsh(laplacian(weights))
    assert -1e-9 < values[0] < 1e-9 < values[1]
    assert values[-1] < 2 + 1e-9
    assert np.allclose(laplacian(weights) @ weights.sum(axis=1) ** 0.5, 0)
    assert all(cut(weights, labels) >= values[1] - 1e-9 for labels in splits(4))
    assert verdict("alg1.cut@ncut.corrected") == "proved"
    assert verdict("alg1.laplacian@upto-n") == "proved"
    assert verdict("alg1.welldef@printed") == verdict("alg3.welldef") == "proved"


def test_degrees_over_some_columns_are_no_degrees() -> None:
    weights = np.array([[1, 0.5], [0.5, 1]])
    printed = np.diag(weights[:, :1].sum(axis=1)) - weights
    assert not np.allclose(printed.sum(axis=1), 0)
    assert np.linalg.eigvalsh(printed)[0] < 0
    assert verdict("alg1.laplacian@upto-d") == "refuted"


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=1, max_size=5), st.floats(0.5, 3))
def test_weights_fall_with_distance(points: list[tuple[int, int]], sigma: float) -> None:
    for power, name in ((1, "printed"), (2, "njw")):
        lengths = [[sqrt((a - c) ** 2 + (b - d) ** 2) for c, d in points] for a, b in points]
        weights = [[exp(-(s**power) / (2 * sigma**2)) for s in row] for row in lengths]
        places = [*product(range(len(points)), repeat=2)]
        assert all(weights[i][j] == weights[j][i] and 0 <= weights[i][j] <= 1 for i, j in places)
        assert all(
            weights[i][j] >= weights[g][h] for i, j in places for g, h in places if lengths[i][j] <= lengths[g][h]
        )
        degrees = [sum(x for j, x in enumerate(row) if power == 1 or j != i) for i, row in enumerate(weights)]
        assert all(x > 0 for x in degrees) == (power == 1 or len(points) > 1)
        assert verdict(f"alg1.w@{name}") == "proved"
    assert verdict("alg1.welldef@njw") == "refuted"
    assert verdict("alg1.welldef@njw.corrected") == "proved"


# Algorithm 3


@pytest.mark.parametrize("sigma", [0.5, 1, 2])
def test_associated_attributes_are_put_into_different_clusters(sigma: float) -> None:
    table = [(0, 0, 0, 0), (0, 0, 1, 1), (1, 1, 0, 0), (1, 1, 1, 1)]
    similar = np.array([[log2(dependence(table, i, (j,))) / 4 if i != j else 0 for j in range(4)] for i in range(4)])
    assert np.allclose(similar, [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    assert returned(np.exp(-similar / (2 * sigma**2)), 3) == [(0, 1, 0, 1), (0, 1, 1, 0)]
    distances = 1 - np.eye(4) - similar
    assert returned(np.exp(-distances / (2 * sigma**2)), 2) == [(0, 0, 1, 1)]
    assert verdict("alg3.grouping") == "refuted"
    assert verdict("alg3.grouping.corrected") == "verified"


@pytest.mark.parametrize("d", range(2, 10))
def test_rounds_of_disjoint_pairs(d: int) -> None:
    """The circle method: a fixed player for even d, the others turn."""
    players = [*range(d)] if d % 2 == 0 else [*range(d), -1]
    pairs: list[frozenset[int]] = []
    for _ in range(len(players) - 1):
        table = [{x, y} for x, y in zip(players, reversed(players), strict=True) if x != y and -1 not in (x, y)]
        access = {frozenset(pair) for pair in table}
        assert len(access) == d // 2
        assert len({x for pair in access for x in pair}) == 2 * len(access)
        pairs += access
        players = [players[0], players[-1], *players[1:-1]]
    assert Counter(pairs) == Counter(map(frozenset, combinations(range(d), 2)))
    assert len(pairs) == (len(players) - 1) * (d // 2) == d * (d - 1) // 2
    assert verdict("sec32.rounds") == "verified"


def test_draws_for_ordered_pairs_make_no_symmetric_matrix() -> None:
    exact = {frozenset(p): x for p, x in zip(combinations(range(3), 2), (1, 2, 5), strict=True)}
    once = {p: x + z for (p, x), z in zip(exact.items(), (7, 1, 4), strict=True)}
    twice = {p: exact[frozenset(p)] + z for z, p in enumerate(permutations(range(3), 2))}
    assert len(once) == 3
    assert any(twice[i, j] != twice[j, i] for i, j in twice)
    assert verdict("sec32.pairs@once") == "verified"
    assert verdict("sec32.pairs@twice") == "refuted"


def test_columns_are_other_points_than_attributes() -> None:
    u = np.zeros((4, 2))
    assert len(u) == 4
    assert len(u.T) == 2
    assert verdict("alg3.rows@rows") == "verified"
    assert verdict("alg3.rows@columns") == "refuted"


def seeds(places: Sequence[int], k: int, *, farthest: bool) -> Iterator[tuple[int, ...]]:
    """All lists of k centers that a rule allows."""
    lists: list[tuple[int, ...]] = [(i,) for i in range(len(places))]
    for _ in range(k - 1):
        grown = []
        for chosen in lists:
            near = [min(abs(x - places[c]) for c in chosen) for x in places]
            allowed = [x == max(near) for x in near] if farthest else [x > 0 or not any(near) for x in near]
            grown += [(*chosen, i) for i, ok in enumerate(allowed) if ok]
        lists = grown
    yield from lists


def spread(places: Sequence[int], chosen: Sequence[int]) -> int:
    return min(abs(places[i] - places[j]) for i, j in combinations(chosen, 2))


def test_centers_are_not_as_far_apart_as_possible() -> None:
    for n, k in ((2, 2), (3, 2), (4, 2), (4, 3), (5, 3)):
        for places in multisets(range(n), n):
            best = max(spread(places, c) for c in combinations(range(n), k))
            assert all(2 * spread(places, c) >= best for c in seeds(places, k, farthest=True))
    for farthest in (False, True):
        assert {spread((0, 1, 2), c) for c in seeds((0, 1, 2), 2, farthest=farthest)} == {1, 2}
    assert verdict("sec32.kmeanspp@d2") == verdict("sec32.kmeanspp@farthest") == "refuted"
    assert verdict("sec32.kmeanspp@farthest.corrected") == "verified"
