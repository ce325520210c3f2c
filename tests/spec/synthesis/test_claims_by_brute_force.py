"""Rows of source 003 decided again in plain fractions and in floats: what the brute force of the attack does not know
(see `tests/checks/test_second_opinions.py`), and the integrals and spectra that formal statements are bounds of."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, exp, factorial, log, prod, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from independent.brute_force_clusters import Labels, laplacian, rows_of_weights
from independent.brute_force_clusters import within as scatter
from independent.brute_force_synthesis import (
    Network,
    Record,
    Records,
    binary,
    by_information,
    clamped,
    dependence,
    neighbors,
    network_law,
    parent_sets,
    tables,
)
from independent.verdicts import verdict

# --- networks ---------------------------------------------------------------------------------------------------------


ABOVE_ONE = st.fractions(Fraction(11, 10), 9, max_denominator=20)


def totals(table: Records, degree: int, root: int) -> set[Fraction]:
    """e to the n times the totals of all greedy runs from a root."""
    sums, d = set[Fraction](), len(table[0])

    def grow(placed: tuple[int, ...], total: Fraction) -> None:
        best = {
            x: max(dependence(table, x, p) for p in parent_sets("min-l", sorted(placed), degree))
            for x in range(d)
            if x not in placed
        }
        if not best:
            sums.add(total)
        for x, value in best.items():
            if value == max(best.values()):
                grow((*placed, x), total * value)

    grow((root,), Fraction(1))
    return sums


@pytest.mark.parametrize(("d", "n"), [(2, 3), (3, 2), (3, 3), (3, 4), (4, 2)])
def test_with_one_parent_all_roots_are_alike(d: int, n: int) -> None:
    assert all(len(set.union(*(totals(t, 1, root) for root in range(d)))) == 1 for t in tables(binary(d), n))
    assert verdict("prose.randomroot@l1") == "unchecked"
    assert verdict("prose.randomroot@l1.corrected") == "verified"
    assert verdict("prose.maxroot@l1") == "verified"


def test_with_two_parents_roots_matter_for_five_records() -> None:
    def apart(t: Records) -> bool:
        sums = [totals(t, 2, root) for root in range(len(t[0]))]
        return any(not one & other for one, other in combinations(sums, 2))

    assert not any(apart(t) for t in tables(binary(3), 4))
    assert not any(apart(t) for n in (1, 2, 3) for t in tables(binary(4), n))
    assert apart([(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 1, 1)])
    assert verdict("prose.randomroot@l2") == "proved"


def selected(table: Records, degree: int, t: Fraction | None = None) -> dict[Network, Fraction]:
    """IBayes with weights t^(bits) of two records, or with s = 1."""

    def weight(power: Fraction) -> Fraction:
        if t is None:
            return power
        return t if power > 1 else Fraction(1)

    law = network_law(table, range(len(table[0])), degree, "min-l", None, by_information(weight))
    assert law is not None
    return law


def loss(c: int, n: int, degree: int, t: Fraction | None = None) -> Fraction:
    """The largest ratio of two chances."""
    laws = {table: selected(table, degree, t) for table in tables(binary(c), n)}
    pairs = ((laws[tuple(sorted(one))], laws[tuple(sorted(two))]) for one, two in neighbors(binary(c), n))
    return max(p / two[network] for one, two in pairs for network, p in one.items())


@pytest.mark.parametrize(("c", "degree"), [(1, 1), (2, 1), (3, 1), (3, 2), (4, 2)])
def test_the_law_of_networks_is_a_table(c: int, degree: int) -> None:
    number = factorial(c) * prod(comb(v, min(degree, v)) for v in range(1, c))
    for table in ([(0,) * c, (1,) * c], [(0,) * c, (0,) * (c - 1) + (1,), (1,) * c]):
        law = selected(table, degree)
        assert len(law) == number
        assert sum(law.values()) == 1
        assert min(law.values()) > 0
    assert verdict("alg4.law") == "verified"


@given(ABOVE_ONE)
def test_two_attributes_lose_a_quarter_of_the_budget(t: Fraction) -> None:
    assert loss(2, 2, 1, t) == t < t**4
    assert t**5 > t**4
    assert loss(3, 2, 1, Fraction(2)) == 4  # which is more than t
    assert verdict("alg4.tight") == "refuted"
    assert verdict("alg4.tight.corrected") == "verified"
    assert verdict("sec33.allclusters") == "refuted"
    assert verdict("sec33.allclusters.corrected") == "verified"


@pytest.mark.parametrize(("c", "n", "degree"), [(2, 3, 1), (2, 4, 1), (3, 2, 1), (3, 2, 2)])
def test_a_network_loses_less_than_its_budget(c: int, n: int, degree: int) -> None:
    base = Fraction(n**n, (n - 1) ** (n - 1))
    assert 1 < loss(c, n, degree) < base ** (2 * c)
    assert verdict("alg4.dp@ro") == "verified"
    assert verdict("eq10.dp") == "verified"


def test_comparisons_with_one_threshold_lose_more_than_their_budget() -> None:
    """Chances of graphs by the midpoint rule; every value of the threshold is one of three kinds."""

    def tail(x: float) -> float:
        return exp(-x) / 2 if x > 0 else 1 - exp(x) / 2

    def chance(edges: Sequence[int], none: Sequence[int], w: float, v: float) -> float:
        """Of pairs with information Delta (1) or 0; in units of the scale of the noise."""
        steps, total = 20_000, 0.0
        for i in range(steps):
            z = -25 + 50 * (i + 0.5) / steps
            u = z + log(v)
            here = prod(tail(u - x * log(w)) for x in edges) * prod(1 - tail(u - x * log(w)) for x in none)
            total += here * exp(-abs(z)) / 2 * 50 / steps
        return total

    for g, h, w, v, more in ((2, 3, 2.0, 1.25, 1.25), (2, 3, 4.0, 1.5, 1.5), (3, 3, 2.0, 1.25, 2)):
        falling, rising = comb(g, 2), comb(h, 2)
        one, other = chance([1] * falling, [0] * rising, w, v), chance([0] * falling, [1] * rising, w, v)
        assert w**2 * other * more < one < w ** (falling + rising) * other
    assert dependence([(0, 0, 0, 0, 0), (1, 1, 0, 0, 0)], 0, [1]) == 4  # n Delta = log 4
    assert verdict("base.jtree.graph") == verdict("base.jtree.dp@ro") == "refuted"
    assert verdict("base.jtree.graph.corrected") == "proved"
    # both records of the other group beside the first: all informations are those of an attribute that is 1 once in 3
    one, other = chance([1] * 6, [0] * 6, 2.0, 1.25), chance([1] * 6, [1] * 6, 2.0, 1.25)
    assert other < 4.0**-6 < one / 5
    assert verdict("base.jtree.dp@ar") == "refuted"


@pytest.mark.parametrize(("w", "v"), [(1.5, 1.1), (4.0, 1.9)])
def test_all_comparisons_lose_at_most_half_of_their_budget_each(w: float, v: float) -> None:
    """Three attributes, two records: informations are Delta or 0; graphs, by the midpoint rule."""

    def tail(x: float) -> float:
        return exp(-x) / 2 if x > 0 else 1 - exp(x) / 2

    @cache
    def chance(edges: Record, bits: Record) -> float:
        total = 0.0
        for z in ((i + 0.5) / 50 - 20 for i in range(2000)):
            chances = [tail(z + log(v) - bit * log(w)) for bit in bits]
            total += exp(-abs(z)) / 100 * prod(p if e else 1 - p for e, p in zip(edges, chances, strict=True))
        return total

    def bits(table: Records) -> Record:
        return tuple(int(dependence(table, i, [j]) > 1) for i, j in combinations(range(3), 2))

    moved = {(bits(one), bits(other)) for one, other in neighbors(binary(3), 2)}
    ratios = [chance(edges, one) / chance(edges, other) for one, other in moved for edges in binary(3)]
    assert w < max(ratios) <= w**3
    assert verdict("base.jtree.dp@ro.corrected") == "verified"


# --- selections and samples -------------------------------------------------------------------------------------------


POSITIVE = st.fractions(Fraction(1, 50), 50, max_denominator=50)
FACTOR = st.fractions(1, 9, max_denominator=20)
CHANCE = st.fractions(Fraction(1, 20), 1, max_denominator=20)


@given(st.lists(st.tuples(POSITIVE, CHANCE), min_size=1, max_size=5), FACTOR)
def test_a_selection_moves_by_twice_what_weights_do(candidates: list[tuple[Fraction, Fraction]], t: Fraction) -> None:
    """A weight w becomes one between w / t and w t."""
    one = [w for w, _ in candidates]
    two = [w / t + (w * t - w / t) * x for w, x in candidates]
    for x, y in zip(one, two, strict=True):
        p, q = x / sum(one), y / sum(two)
        assert p <= t**2 * q
        assert q <= t**2 * p
    assert verdict("def4.dp") == "proved"


@given(st.integers(2, 5), st.data())
def test_a_sample_of_fixed_size_amplifies(n: int, data: st.DataObject) -> None:
    """A procedure on samples of m of n records: neighbors' samples have chances within a factor."""
    m, w = data.draw(st.integers(1, n)), 1 + data.draw(POSITIVE)
    beta = Fraction(m, n)
    inner = 1 + (w - 1) / beta
    low = data.draw(POSITIVE)

    def chance() -> Fraction:
        return low * (1 + (inner - 1) * data.draw(CHANCE))

    others = {s: chance() for s in combinations(range(1, n), m)}
    one, two = ({s: chance() for s in combinations(range(1, n), m - 1)} for _ in range(2))
    p, q = (sum([*law.values(), *others.values()]) / comb(n, m) for law in (one, two))
    assert p <= w * q
    assert q <= w * p
    assert verdict("base.jtree.amplify@wor.ro") == "proved"


@given(CHANCE, POSITIVE, POSITIVE, CHANCE)
def test_a_sample_of_independent_records_amplifies(beta: Fraction, more: Fraction, r: Fraction, x: Fraction) -> None:
    w = 1 + more
    inner = 1 + more / beta
    p = r / inner + (r * inner - r / inner) * x
    mean = beta * p + (1 - beta) * r
    assert mean <= w * r
    assert r <= w * mean
    assert verdict("base.jtree.amplify@poisson.ar") == "proved"


# --- noise ------------------------------------------------------------------------------------------------------------


def test_rows_with_laplace_noise() -> None:
    """The integral over both counts, by midpoints; what lies beyond 24 is less than a millionth."""
    n, d, decay, steps = 4, 40, -5 * log(3 / 4), 24

    def chance(ones: int) -> float:
        def masses(count: int) -> list[tuple[float, float]]:
            law = [(0.0, exp(-decay * count) / 2)]
            middles = [(i + 0.5) / steps for i in range(24 * steps)]
            return law + [(x, decay / 2 * exp(-decay * abs(x - count)) / steps) for x in middles]

        pairs = product(masses(n - ones), masses(ones))
        return sum(p * q * (y / (x + y) if x + y else 0.5) ** n for (x, p), (y, q) in pairs)

    ratio = chance(1) / chance(0)
    assert d * log(ratio) > decay * (d + 3) * 1.05
    assert verdict("thm1.dp@synth.ro") == "refuted"


# --- distances --------------------------------------------------------------------------------------------------------


def mean_distance(counts: Sequence[int], alpha: Fraction) -> Fraction:
    n, laws = sum(counts), [clamped(c, sum(counts), alpha) for c in counts]
    mean = Fraction(0)
    for noisy in product(range(n + 1), repeat=4):
        chance = laws[0][noisy[0]] * laws[1][noisy[1]] * laws[2][noisy[2]] * laws[3][noisy[3]]
        shares = [Fraction(x, sum(noisy)) if sum(noisy) else Fraction(1, 4) for x in noisy]
        mean += chance * sum(abs(x - Fraction(c, n)) for x, c in zip(shares, counts, strict=True)) / 2
    return mean


def test_more_noise_can_be_nearer() -> None:
    assert mean_distance((1, 1, 1, 1), Fraction(9, 10)) > mean_distance((1, 1, 1, 1), Fraction(99, 100))
    assert verdict("fig5.monotone") == "refuted"


# --- clusters: spectra in floats, with gaps between eigenvalues and between sums of squares ---------------------------


WEIGHT = st.floats(0.01, 1)


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
