"""Rows of source 003 decided again in plain fractions: tables record by record, mechanisms by their laws."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_spec.synthesis.claims.evaluation import VALUES
from independent.brute_force_synthesis import Record, Records, binary, frequencies, neighbors
from independent.verdicts import verdict

POSITIVE = st.fractions(Fraction(1, 50), 50, max_denominator=50)
FACTOR = st.fractions(1, 9, max_denominator=20)
CHANCE = st.fractions(Fraction(1, 20), 1, max_denominator=20)


def distance(one: Mapping[Record, Fraction], two: Mapping[Record, Fraction]) -> Fraction:
    return sum((abs(one.get(x, Fraction(0)) - two.get(x, Fraction(0))) for x in {*one, *two}), Fraction(0))


@pytest.mark.parametrize(("d", "n"), [(1, 1), (1, 3), (2, 2), (2, 3), (3, 2)])
def test_frequencies_of_all_cells_have_one_sensitivity(d: int, n: int) -> None:
    changes = (distance(frequencies(one), frequencies(other)) for one, other in neighbors(binary(d), n))
    assert max(changes) == Fraction(2, n)
    assert verdict("sec1.direct@sensitivity") == "refuted"
    assert verdict("sec34.jointsens@ro") == "proved"


@pytest.mark.parametrize("n", [2, 3, 4])
def test_frequencies_move_as_little_if_a_record_goes(n: int) -> None:
    tables = map(list, product([(0,), (1,), (2,)], repeat=n))
    changes = {distance(frequencies(t), frequencies(t[:i] + t[i + 1 :])) for t in tables for i in range(n)}
    assert max(changes) == Fraction(2, n)
    assert verdict("sec34.jointsens@ar") == "proved"


def test_noise_on_all_cells_is_more_than_that_of_a_network_from_seven_joint_tables_on() -> None:
    holds = {(d, i): 2**d >= (d - i) * 2 ** (i + 1) * (d - i) for d in range(2, 16) for i in range(1, d)}
    assert not holds[3, 1]
    assert {d - i for (d, i), held in holds.items() if not held} == {2, 3, 4, 5, 6}
    assert verdict("sec1.direct@noise") == "refuted"
    assert verdict("sec1.direct@noise.corrected") == "proved"


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


def test_no_smaller_constant_bounds_all_selections() -> None:
    t = Fraction(3, 2)
    ratios = [t / (t + n) * (1 + n * t) for n in (1, 10, 100, 1000)]
    assert all(x < y < t**2 for x, y in pairwise(ratios))
    assert t**2 - ratios[-1] < Fraction(1, 300)
    assert verdict("def4.tight") == "proved"


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


def test_the_parts_of_a_budget_are_counted() -> None:
    def parts(c: int, degree: int) -> int:
        return len(range(min(c - 1, degree) + 1, c + 1))

    alike = [(c, d, i) for d in range(2, 8) for c in range(1, d) for i in range(1, 7) if parts(c, i) >= parts(d, i)]
    assert alike[0] == (1, 2, 1)
    assert all(d <= i + 1 for _, d, i in alike)
    assert verdict("prose.splits@per-cluster") == "refuted"
    assert verdict("prose.splits@per-cluster.corrected") == "proved"


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=4))
def test_half_the_distance_is_that_of_the_best_event(cells: list[tuple[int, int]]) -> None:
    p, q = ([Fraction(1 + cell[i], sum(1 + c[i] for c in cells)) for cell in cells] for i in (0, 1))
    events = [e for size in range(len(cells) + 1) for e in combinations(range(len(cells)), size)]
    best = max(abs(sum((p[i] - q[i] for i in e), Fraction(0))) for e in events)
    assert best == sum(abs(x - y) for x, y in zip(p, q, strict=True)) / 2 <= 1
    assert verdict("sec42.avd@single") == "proved"


def test_the_jaccard_distance_changes_by_one() -> None:
    def jaccard(records: Records) -> Fraction:
        both, one = (sum(sum(x) == ones for x in records) for ones in (2, 1))
        return 1 - Fraction(both, both + one) if both + one else Fraction(0)

    assert max(abs(jaccard(t) - jaccard(u)) for n in (1, 2, 3) for t, u in neighbors(binary(2), n)) == 1
    assert verdict("base.scbn.jaccard") == "proved"


def test_the_attributes_of_adult_have_52_bits() -> None:
    bits = [(v - 1).bit_length() for v in VALUES.values()]
    assert all(log2(v) <= b < log2(v) + 1 for v, b in zip(VALUES.values(), bits, strict=True))
    assert (len(bits), sum(bits)) == (15, 52)
    assert verdict("sec41.adult52") == "proved"
