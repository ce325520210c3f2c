"""Rows of source 003 about noise and privacy decided again: tables record by record, laws in fractions, floats where
shares of a budget or informations are irrational."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from math import exp, isclose, log, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independent.brute_force_synthesis import (
    Network,
    Record,
    binary,
    clamped,
    dependence,
    entropy_power,
    neighbors,
    network_law,
    tables,
)
from independent.verdicts import verdict

Table = tuple[Record, ...]
ALPHAS = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


# --- Laplace noise ----------------------------------------------------------------------------------------------------


def similarities(table: Table) -> list[float]:
    """In bits."""
    pairs = combinations(range(len(table[0])), 2)
    return [log2(dependence(table, i, (j,))) / len(table) for i, j in pairs]


def similarity_scale(n: int, d: int) -> float:
    return (log2(n) / n + (n - 1) / n * log2(n / (n - 1))) * d * (d - 1) / (2 * (d // 2))


def matrix_loss(one: Table, other: Table) -> float:
    """With epsilon_1 = 1, one draw for every pair."""
    pairs = zip(similarities(one), similarities(other), strict=True)
    return sum(abs(x - y) for x, y in pairs) / similarity_scale(len(one), len(one[0]))


@pytest.mark.parametrize(("d", "n"), [(2, 2), (2, 3), (2, 5), (3, 2), (3, 3), (4, 2)])
def test_the_matrix_loses_half_of_the_attributes(d: int, n: int) -> None:
    losses = [matrix_loss(*pair) for pair in neighbors(binary(d), n)]
    assert isclose(max(losses), d // 2)
    assert verdict("alg3.dp@matrix.once.ro") == verdict("alg3.tight") == verdict("alg3.round") == "refuted"
    assert verdict("alg3.dp@matrix.once.ro.corrected") == verdict("alg3.tight.corrected") == "verified"
    assert verdict("alg3.dp@matrix.twice.ro") == "refuted"


@pytest.mark.parametrize(("d", "n"), [(2, 2), (3, 2), (4, 2)])
def test_an_access_loses_half_of_the_attributes(d: int, n: int) -> None:
    """The values of the pairs (0, 1), (2, 3), ... alone."""
    loss, accesses = 0.0, d * (d - 1) / (2 * (d // 2))
    for one, other in neighbors(binary(d), n):
        moved = [
            abs(log2(dependence(one, i, (i + 1,))) - log2(dependence(other, i, (i + 1,)))) / n
            for i in range(0, d - 1, 2)
        ]
        loss = max(loss, sum(moved) / similarity_scale(n, d))
    assert isclose(loss, d // 2 / accesses)
    assert verdict("alg3.round.corrected") == "verified"


def test_scales_depend_on_the_number_of_records() -> None:
    assert similarity_scale(2, 2) > similarity_scale(3, 2) > similarity_scale(4, 2)
    assert verdict("alg3.dp@matrix.once.ar") == verdict("thm1.dp@transcript.ar") == "refuted"
    assert verdict("def1.adj@ar") == verdict("def1.adj@both") == "refuted"


def joint_loss(one: Table, other: Table, tables: Sequence[Sequence[int]], shares: Sequence[float]) -> float:
    """With epsilon_3 = 1: scale 2 / (n omega) on every frequency."""
    total = 0.0
    for attributes, share in zip(tables, shares, strict=True):
        a, b = (Counter(tuple(record[i] for i in attributes) for record in table) for table in (one, other))
        total += sum(abs(a[cell] - b[cell]) for cell in {*a, *b}) * share / 2
    return total


def test_noise_between_neighbors_of_one_size_is_finite() -> None:
    losses = [
        matrix_loss(*pair) + joint_loss(*pair, [(0, 1)], [1]) for n in (2, 3, 4) for pair in neighbors(binary(2), n)
    ]
    assert max(losses) <= 2 + 1e-9
    assert verdict("def1.adj@ro") == "verified"


@pytest.mark.parametrize("parent", [0, 1])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_joint_tables_lose_their_budget(n: int, parent: int) -> None:
    tables, shares = [(0, 1), (parent, 2)], [0.25, 0.75]
    assert isclose(max(joint_loss(*pair, tables, shares) for pair in neighbors(binary(3), n)), 1)
    assert verdict("alg5.dp@fixed") == "proved"
    assert verdict("alg5.tight") == "verified"


@pytest.mark.parametrize("k", [1, 2, 3])
def test_clusters_add_up_what_they_lose(k: int) -> None:
    pairs = neighbors(binary(k), 2)
    assert isclose(max(joint_loss(*pair, [(i,) for i in range(k)], [1] * k) for pair in pairs), k)
    assert verdict("sec34.allclusters") == "refuted"
    assert verdict("sec34.allclusters.corrected") == "proved"


def test_an_attribute_with_children_loses_more() -> None:
    """Weights 1/3 and 2/3: attribute 1 has the larger entropy, and is the parent of 2."""
    shares = [1 / 3, 2 / 3]
    for parent, less in ((0, True), (1, False)):
        tables = [(0, 1), (parent, 2)]
        first, second = (joint_loss(((0, 0, 0),), (x,), tables, shares) for x in ((0, 1, 0), (0, 0, 1)))
        assert (first <= second) == less
    assert verdict("prose.attrprotect@attrloss") == "refuted"
    assert verdict("prose.attrprotect@share") == "proved"


@given(st.integers(1, 4), st.data())
def test_noise_has_to_be_calibrated_to_the_sum_of_changes(q: int, data: st.DataObject) -> None:
    one, other = (data.draw(st.lists(st.integers(-5, 5), min_size=q, max_size=q)) for _ in range(2))
    apart = [abs(x - y) for x, y in zip(one, other, strict=True)]
    if sum(apart):
        assert sum(Fraction(x, sum(apart)) for x in apart) == 1
        assert sum(Fraction(x, max(apart)) for x in apart) >= 1
    assert verdict("def2.norm@l1") == verdict("def3.dp@iid") == verdict("def3.tight") == "verified"


def test_other_norms_are_too_small() -> None:
    assert sum((1, 1)) > max(1, 1)
    assert sum((1, 1, 1)) > 2 >= (1 + 1 + 1) ** 0.5
    assert verdict("def2.norm@l2") == verdict("def2.norm@linf") == "refuted"


# --- composition, exact releases --------------------------------------------------------------------------------------


@given(st.integers(1, 6), ALPHAS)
def test_geometric_noise_is_a_law_and_private(n: int, alpha: Fraction) -> None:
    laws = [clamped(c, n, alpha) for c in range(n + 1)]
    assert all(sum(law) == 1 for law in laws)
    ratios = [p / q for one, two in pairwise(laws) for p, q in zip(one, two, strict=True)]
    assert min(ratios) == alpha
    assert max(ratios) == 1 / alpha
    assert verdict("alg5.geometric") == "verified"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_two_parts_lose_twice_as_much(n: int) -> None:
    alpha = Fraction(1, 3)

    def largest(counts: Callable[[Table], tuple[int, int]], records: Sequence[Record]) -> Fraction:
        def ratio(a: int, b: int) -> Fraction:
            return max(p / q for p, q in zip(clamped(a, n, alpha), clamped(b, n, alpha), strict=True))

        pairs = [(counts(one), counts(other)) for one, other in neighbors(records, n)]
        return max(ratio(a, b) * ratio(c, d) for (a, c), (b, d) in pairs)

    assert largest(lambda table: (table.count((0,)), table.count((1,))), binary(1)) == alpha**-2
    assert largest(lambda table: (sum(x for x, _ in table), sum(y for _, y in table)), binary(2)) == alpha**-2
    assert verdict("prop2.par@ro.parts-ar") == verdict("prop2.par@vertical") == "refuted"
    assert verdict("prop2.par@ro.parts-ro") == "refuted"
    assert verdict("prop2.par@ar") == verdict("prop2.par@ro.parts-ar.corrected") == "proved"


@given(st.lists(st.integers(0, 9), min_size=2, max_size=4), st.data())
def test_single_outputs_stand_for_sets_of_finitely_many(weights: list[int], data: st.DataObject) -> None:
    other = data.draw(st.lists(st.integers(1, 9), min_size=len(weights), max_size=len(weights)))
    events = [e for size in range(1, len(other) + 1) for e in combinations(range(len(other)), size)]
    of_sets = max(Fraction(sum(weights[i] for i in e), sum(other[i] for i in e)) for e in events)
    assert of_sets == max(Fraction(p, q) for p, q in zip(weights, other, strict=True))
    assert verdict("def1.dp@point.corrected") == "verified"
    assert verdict("def1.dp@subset") == "proved"
    assert verdict("def1.dp@point") == "refuted"


def conditionals(table: Table) -> tuple[Fraction, ...]:
    ones = sum(x for x, _ in table)
    rows = [[y for x, y in table if x == value] for value in (0, 1)]
    return (Fraction(ones, len(table)), *(Fraction(sum(row), len(row)) if row else Fraction(1, 2) for row in rows))


def test_exact_releases_tell_neighbors_apart() -> None:
    for n in (1, 2, 3, 4):
        assert any(conditionals(one) != conditionals(other) for one, other in neighbors(binary(2), n))
    assert verdict("sec34.needed") == verdict("sec1.kanonymity") == "verified"
    assert verdict("def3.dp@shared") == "refuted"


def test_bins_of_the_observed_range_move_other_records() -> None:
    def binned(column: Sequence[int], bins: int) -> Counter[int]:
        low, high = min(column), max(column)
        return Counter(min(bins - 1, (x - low) * bins // (high - low)) if high > low else 0 for x in column)

    def moved(codes: Callable[[Sequence[int]], Counter[int]], n: int) -> int:
        tables = neighbors([(x,) for x in range(4)], n)
        pairs = (([x for (x,) in one], [x for (x,) in other]) for one, other in tables)
        return max((codes(one) - codes(other)).total() for one, other in pairs)

    assert moved(lambda column: binned(column, 2), 3) == 2
    assert moved(lambda column: Counter(x // 2 for x in column), 3) == 1
    assert verdict("sec31.binarise@observed-range") == "refuted"
    assert verdict("sec31.binarise@public-domain") == "verified"


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=5))
def test_clamped_cells_have_a_law_unless_all_are_empty(cells: list[int]) -> None:
    kept = [max(x, 0) for x in cells]
    law = [Fraction(x, sum(kept)) for x in kept] if sum(kept) else [Fraction(1, len(cells))] * len(cells)
    assert sum(law) == 1
    assert (sum(kept) == 0) == all(x <= 0 for x in cells)
    assert verdict("alg5.normalise@undefined") == "refuted"
    assert verdict("alg5.normalise@uniform") == "proved"


# --- weights of the data, and Theorem 1 -------------------------------------------------------------------------------


def shares(table: Table) -> tuple[float, float]:
    """Of attributes 1 and 2, with the exact weights e^(-OE)."""
    first, second = (exp(-log2(entropy_power([record[i] for record in table])) / len(table)) for i in (1, 2))
    return first / (first + second), second / (first + second)


def pattern_loss(one: Table, other: Table, tables: Sequence[Sequence[int]], epsilon: float) -> float:
    """The largest log ratio of chances of which cells are above 0: n Lap(2 / (n epsilon omega)) on every count."""
    total = 0.0
    for attributes, a, b in zip(tables, shares(one), shares(other), strict=True):
        for cell in product((0, 1), repeat=2):
            chances = []
            for table, share in ((one, a), (other, b)):
                count = sum(tuple(record[i] for i in attributes) == cell for record in table)
                chances.append(exp(-count * share * epsilon / 2) / 2)
            p, q = chances
            total += max(log(p / q), log((1 - p) / (1 - q)))
    return total


def test_weights_of_the_data_lose_more_than_their_budget() -> None:
    """The cells that are above 0 are seen in the conditional distributions."""
    tables = ((0, 0, 0), (1, 0, 1)), ((0, 0, 0), (0, 1, 0))
    assert shares(tables[0]) == shares(tables[1])[::-1]
    assert pattern_loss(*tables, [(0, 1), (0, 2)], 1) > 1.05
    assert pattern_loss(((0, 0, 1), (0, 1, 1)), ((0, 0, 1), (1, 0, 0)), [(0, 1), (1, 2)], 1) > 1.26
    for reading in ("raw", "clamped"):
        assert verdict(f"alg5.dp@data.values.{reading}") == "refuted"
    for n in (2, 3, 4):
        assert any(abs(shares(one)[0] - shares(other)[0]) > 1e-9 for one, other in neighbors(binary(3), n))
    assert verdict("alg5.dp@data.values.raw.corrected") == "verified"
    assert verdict("alg5.dp@data.records.clamped") == verdict("thm1.dp@transcript.data.ro") == "refuted"


@pytest.mark.parametrize("d", [2, 3, 4])
def test_a_transcript_of_single_attributes(d: int) -> None:
    """k = d clusters, epsilon = 1: epsilon_1 = (d - 1) / (d + 3), epsilon_3 = 2 / (d + 3)."""
    first, third = Fraction(d - 1, d + 3), Fraction(2, d + 3)
    extreme = ((0,) * d, (0,) * d), ((0,) * d, (1,) * d)
    loss = float(first) * matrix_loss(*extreme) + float(third) * joint_loss(*extreme, [(i,) for i in range(d)], [1] * d)
    assert isclose(loss, d // 2 * first + d * third)
    assert (loss > 1 + 1e-9) == (d > 2)
    assert verdict("thm1.dp@transcript.fixed.ro") == "refuted"


def chosen(table: Table, cluster: Record, share: float) -> dict[Network, float]:
    """The law of the network of one parent of a cluster with this budget."""
    n = len(table)
    bits = share / (2 * len(cluster)) / log(n**n / (n - 1) ** (n - 1))
    law = network_law(table, cluster, 1, "min-l", None, lambda power: Fraction(exp(bits * log(power))))
    assert law is not None
    return {network: float(p) for network, p in law.items()}


@cache
def laws(table: Table, clusters: tuple[Record, ...], share: float) -> list[dict[Network, float]]:
    return [chosen(table, cluster, share) for cluster in clusters]


def networks_loss(one: Table, other: Table, clusters: tuple[Record, ...], share: float) -> float:
    pairs = zip(laws(tuple(sorted(one)), clusters, share), laws(tuple(sorted(other)), clusters, share), strict=True)
    return sum(max(log(p[network] / q[network]) for network in p) for p, q in pairs)


@pytest.mark.parametrize(
    ("clusters", "n"),
    [
        (((0, 1),), 2),
        (((0, 1),), 4),
        (((0,), (1,)), 3),
        (((0, 1), (2,)), 2),
        (((0, 1, 2),), 2),
        (((0,), (1,), (2,)), 3),
    ],
)
def test_a_transcript_loses_at_most_what_is_added_up(clusters: tuple[Record, ...], n: int) -> None:
    """Matrix, networks and all noised joint tables, epsilon = 1 as in Section 4.1, equal weights."""
    d, k = sum(map(len, clusters)), len(clusters)
    parts = [(d - 1), 2 * d / k, 2 * d / k]
    first, second, third = (part / sum(parts) for part in parts)
    bound, loss = d // 2 * first + k * second + k * third, 0.0
    for one, other in neighbors(binary(d), n):
        joints = sum(
            joint_loss(
                one,
                other,
                [(c[j - 1], c[j]) for j in range(1, len(c))] or [c],
                [1 / max(len(c) - 1, 1)] * len(c[:-1] or c),
            )
            for c in clusters
        )
        loss = max(loss, first * matrix_loss(one, other) + networks_loss(one, other, clusters, second) + third * joints)
    assert loss <= bound + 1e-9
    assert d // 2 * first + k * third - 1e-9 <= loss
    for name in ("transcript.fixed.ro", "transcript.data.ro", "synth.geometric.ro"):
        assert verdict(f"thm1.dp@{name}.corrected") == "verified"


@pytest.mark.parametrize("clusters", [((0, 1),), ((0,), (1,)), ((0,), (0,), (0,))])
def test_networks_of_tables_with_a_record_more(clusters: tuple[Record, ...]) -> None:
    k, losses = len(clusters), [0.0]
    for n in (3, 4):
        for rest, new in product(tables(binary(2), n - 1), binary(2)):
            more = (*rest, new)
            losses += [networks_loss(more, rest, clusters, 1.0), networks_loss(rest, more, clusters, 1.0)]
    assert max(losses) <= k
    assert verdict("thm1.dp@transcript.ar.corrected") == "verified"


def test_conditional_distributions_of_four_attributes() -> None:
    """e^(-epsilon_3 / 2) = 3 / 4, one record of zeros and one of ones, or two of zeros."""
    root = Fraction(3, 4)

    def only_ones(zeros: int, ones: int) -> Fraction:
        return root**zeros / 2 * (1 - root**ones / 2)

    ratio = only_ones(1, 1) / only_ones(2, 0)
    assert ratio == (2 - root) / root
    assert ratio**4 > root**-7
    assert ratio**3 < root**-6
    assert verdict("thm1.dp@pstar.ro") == "refuted"


@cache
def all_ones(ones: int, n: int, alpha: Fraction) -> Fraction:
    """The chance that all of n rows of an attribute are 1, geometric noise on both counts."""
    total = Fraction(0)
    for (x, p), (y, q) in product(enumerate(clamped(n - ones, n, alpha)), enumerate(clamped(ones, n, alpha))):
        share = Fraction(y, x + y) if x + y else Fraction(1, 2)
        total += p * q * share**n
    return total


def test_rows_with_geometric_noise() -> None:
    alpha = Fraction(3, 4)
    ratio = all_ones(1, 4, alpha) / all_ones(0, 4, alpha)
    assert ratio == Fraction(368217701306032, 220548355532355)
    assert ratio**4 > alpha**-7
    assert verdict("thm1.dp@synth.geometric.ro") == "refuted"


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


def test_nothing_is_said_of_the_partition() -> None:
    assert verdict("alg3.dp@partition.ro") == verdict("thm1.threesteps") == "unchecked"
    assert verdict("def3.scale") == "proved"
