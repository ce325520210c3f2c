"""DPSC: the noisy matrix and its exact law, the partition as what is computed from it, scales, huge noise."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import log2
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.faults import mutant_test
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.clustering import exact_k_means
from dp_refimpl.synthesis.dpsc import (
    DPSC,
    LaplaceEntries,
    LatticeNoise,
    NoEntryNoise,
    access_count,
    coefficient_sensitivity,
    coefficients,
    lattice_alpha,
    noise_scale,
)
from dp_refimpl.synthesis.log_quotients import enclosed, log_quotient
from dp_refimpl.synthesis.maximal_information import GridSizes, UndefinedError
from dp_refimpl.synthesis.noisy_tables import RangeGeometric
from dp_refimpl.synthesis.spectral_embedding import Reduction, SpectralEmbedding
from dp_refimpl.synthesis.tables import CountTable, neighbor_pairs
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON
from dp_spec.vocabulary.real import Real

MINE = GridSizes()
HALF, THIRD = fmpq(1, 2), fmpq(1, 3)
NOISE = LatticeNoise(HALF, THIRD, -1, 3)
"""In steps of 1/2, from -1/2 to 3/2."""
PLANE = Reduction(fmpq(1, 2), 2)


def dpsc(noise: Any = NOISE, **options: Any) -> DPSC:
    return DPSC(MINE, noise, PLANE, 2, **options)


def table(*records: str) -> CountTable:
    return CountTable.of_records((2,) * len(records[0]), [[int(x) for x in record] for record in records])


# --- noise on a lattice -----------------------------------------------------------------------------------------------

COEFFICIENTS = st.one_of(
    st.fractions(Fraction(-2), Fraction(3), max_denominator=12).map(lambda x: fmpq(x.numerator, x.denominator)),
    st.builds(lambda a, b: log_quotient(fmpq(a, b), fmpq(2), 3), st.integers(1, 30), st.integers(1, 30)),
)


@given(COEFFICIENTS, st.integers(-3, 1), st.integers(1, 4), st.fractions(Fraction(1, 9), Fraction(8, 9)))
def test_the_law_of_an_entry(coefficient: Any, low: int, width: int, alpha: Fraction) -> None:
    """It sums to 1, the next lattice point changes it by a factor from alpha to 1 / alpha, and ends take the tails."""
    a = fmpq(alpha.numerator, alpha.denominator)
    noise = LatticeNoise(HALF, a, low, low + width)
    law, moved = noise.law(coefficient), noise.law(coefficient + HALF if isinstance(coefficient, fmpq) else fmpq(0))
    assert sum(law) == 1
    assert len(law) == width + 1
    if isinstance(coefficient, fmpq):
        assert all(a * p <= q <= p / a for p, q in zip(law, moved, strict=True))
    center = round(float(enclosed(coefficient, 80).mid()) * 2 + 1e-12)
    if not isinstance(coefficient, fmpq) or (4 * coefficient).q != 1:
        wanted = [fmpq(0)] * (width + 1)
        for z in range(center - 60, center + 61):
            at = min(max(z, low), low + width) - low
            wanted[at] += (1 - a) / (1 + a) * a ** abs(z - center)
        assert all(p - q <= 2 * a**59 and q <= p for p, q in zip(law, wanted, strict=True))


@pytest.mark.parametrize("n", [1, 2, 5])
def test_it_is_the_law_of_counts(n: int) -> None:
    """With step 1 and the range 0..n it is the law that noisy counts have."""
    cells = RangeGeometric((THIRD,))
    for count in range(n + 1):
        assert LatticeNoise(fmpq(1), THIRD, 0, n).law(fmpq(count)) == cells.law(0, count, n)


def test_the_law_for_every_alpha() -> None:
    """In rational functions of t = 1 / alpha."""
    t = EVERY_EPSILON.variable("t")
    law = LatticeNoise(HALF, 1 / t, 0, 2).law(fmpq(1, 2))
    assert law == (1 / (t + 1), (t - 1) / (t + 1), 1 / (t + 1))


# --- the noisy matrix -------------------------------------------------------------------------------------------------


def plain_matrix_law(data: CountTable, twice: bool) -> dict[Any, fmpq]:
    """The product of the laws of all entries, in fractions; for binary data and n = 2 a coefficient is 0 or 1."""
    d = len(data.sizes)
    points = [fmpq(z, 2) for z in range(-1, 4)]

    def entry(i: int, j: int) -> list[fmpq]:
        xs, ys = ([record[a] for record in data.records] for a in (i, j))
        center = 2 if len(set(xs)) == 2 == len(set(ys)) else 0
        a = THIRD
        inside = [(1 - a) / (1 + a) * a ** abs(z - center) for z in range(3)]
        return [a ** (center + 1) / (1 + a), *inside, a ** (3 - center) / (1 + a)]

    pairs = [(i, j) for i in range(d) for j in range(d) if (i != j if twice else i < j)]
    law: dict[Any, fmpq] = {}
    for drawn in product(range(5), repeat=len(pairs)):
        chance = fmpq(1)
        matrix = [[fmpq(0)] * d for _ in range(d)]
        for (i, j), z in zip(pairs, drawn, strict=True):
            chance *= entry(i, j)[z]
            matrix[i][j] = points[z]
            if not twice:
                matrix[j][i] = points[z]
        law[tuple(map(tuple, matrix))] = chance
    return law


DATA = [table("01", "10"), table("000", "111"), table("000", "011"), table("00", "00")]


def wrong_matrix(program: Callable[[CountTable, Any, Any], Any]) -> bool:
    return any(
        output_law(partial(program, data, draws), fmpq(1)) != plain_matrix_law(data, draws == "twice")
        for data in DATA
        for draws in ("once", "twice")
        if len(data.sizes) == 2 or draws == "once"
    )


def test_matrices_have_their_law() -> None:
    assert not wrong_matrix(lambda data, draws, coins: dpsc(draws=draws).noisy_matrix(data, coins))


def with_noise(noise: Any) -> Any:
    return lambda data, draws, coins: dpsc(noise, draws=draws).noisy_matrix(data, coins)


def noisy_diagonal(data: CountTable, draws: Any, coins: Any) -> Any:
    matrix = dpsc(draws=draws).noisy_matrix(data, coins)
    return tuple(
        tuple(NOISE.entry(fmpq(0), coins) if i == j else x for j, x in enumerate(row)) for i, row in enumerate(matrix)
    )


test_planted_faults = mutant_test(
    wrong_matrix,
    {
        "another alpha": with_noise(LatticeNoise(HALF, HALF, -1, 3)),
        "another step": with_noise(LatticeNoise(fmpq(1), THIRD, -1, 3)),
        "another range": with_noise(LatticeNoise(HALF, THIRD, 0, 3)),
        "no noise": with_noise(NoEntryNoise()),
        "twice for once": lambda data, draws, coins: dpsc(draws="once" if draws == "twice" else "twice").noisy_matrix(
            data, coins
        ),
        "noise on the diagonal": noisy_diagonal,
        "one draw for all": lambda data, draws, coins: tuple(
            tuple(NOISE.entry(x, ScriptedCoins([2])) for x in row) for row in coefficients(data, MINE)
        ),
    },
)


# --- scales -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(1, 9))
def test_the_sensitivity_is_the_printed_one(n: int) -> None:
    wanted = log2(n) / n + ((n - 1) / n * log2(n / (n - 1)) if n > 1 else 0)
    assert abs(float(enclosed(coefficient_sensitivity(n), 80).mid()) - wanted) < 1e-12


@pytest.mark.parametrize(("n", "d"), [(2, 2), (3, 3), (10, 4), (45222, 52)])
def test_the_scale_is_the_printed_one(n: int, d: int) -> None:
    delta = log2(n) / n + (n - 1) / n * log2(n / (n - 1))
    wanted = delta * d * (d - 1) / (0.2 * 2 * (d // 2))
    scale = noise_scale(n, d, fmpq(1, 5))
    assert abs(float(enclosed(scale, 80).mid()) / wanted - 1) < 1e-9


def test_alpha_of_a_scale() -> None:
    """At n = 2 it is a power of e, else a ball."""
    assert lattice_alpha(HALF, noise_scale(2, 2, fmpq(1))) == Real.power(None, Fraction(-1, 2))
    rate = lattice_alpha(HALF, noise_scale(3, 2, fmpq(1)))
    assert isinstance(rate, arb)
    assert abs(float(rate.mid()) - np.exp(-0.5 / 0.9182958340544896)) < 1e-12


def test_the_printed_sensitivity_bounds_small_binary_data() -> None:
    """All neighbors of up to 4 records of two binary attributes; it is attained for each n."""
    for n in (2, 3, 4):
        changes = [
            abs(float(enclosed(a, 80).mid()) - float(enclosed(b, 80).mid()))
            for x, y in neighbor_pairs((2, 2), n, "ro")
            for a, b in [(coefficients(x, MINE)[0][1], coefficients(y, MINE)[0][1])]
        ]
        assert abs(max(changes) - float(enclosed(coefficient_sensitivity(n), 80).mid())) < 1e-12


# --- the partition ----------------------------------------------------------------------------------------------------


def test_the_partition_is_computed_from_the_matrix_alone() -> None:
    """Its law is that of S, pushed forward."""
    data, program = table("000", "011"), dpsc(LatticeNoise(HALF, THIRD, 0, 2))
    pushed: dict[Any, fmpq] = {}
    for matrix, chance in output_law(lambda coins: program.noisy_matrix(data, coins), fmpq(1)).items():
        image = exact_k_means(SpectralEmbedding(matrix, PLANE), 2)
        pushed[image] = pushed.get(image, fmpq(0)) + chance
    assert output_law(lambda coins: program.publish(data, coins), fmpq(1)) == pushed
    assert len(pushed) == 3


def test_associated_attributes_are_separated_as_printed() -> None:
    """0 = 1 and 2 = 3, otherwise independent: S = MIC is large for a pair, its weight exp(-s / (2 sigma^2)) small."""
    data = table("0000", "0011", "1100", "1111")
    assert [str(x) for x in coefficients(data, MINE)[0]] == ["0", "1", "0", "0"]
    partition = DPSC(MINE, NoEntryNoise(), Reduction(HALF, 3), 2).publish(data, ScriptedCoins([]))
    assert partition == ((0, 2), (1, 3))


def test_one_attribute_and_as_many_clusters_as_attributes() -> None:
    assert DPSC(MINE, NOISE, Reduction(HALF, 1), 1).publish(table("0", "1"), ScriptedCoins([])) == ((0,),)
    for k, blocks in ((1, ((0, 1, 2),)), (3, ((0,), (1,), (2,)))):
        law = output_law(partial(DPSC(MINE, NOISE, PLANE, k).publish, table("001")), fmpq(1))
        assert law == {blocks: 1}


def test_independent_draws_have_no_eigenvectors() -> None:
    """With `twice` S is not symmetric, and there are no orthonormal eigenvectors to keep."""
    matrix = dpsc(draws="twice").noisy_matrix(table("00", "11"), ScriptedCoins([0, 1]))
    with pytest.raises(DomainError, match="symmetric"):
        dpsc(draws="twice").partition(matrix, ScriptedCoins([]))


@pytest.mark.parametrize("scale", [0.0, 1.0, 1e6, 1e300])
def test_huge_laplace_noise(scale: float) -> None:
    """A partition, or undecided; no overflow, no NaN."""
    generator = np.random.default_rng(3)
    program = DPSC(MINE, LaplaceEntries(scale, generator), PLANE, 2)
    for data in (table("001", "010"), table("0011", "0101", "1111"), table("000")):
        try:
            partition = program.publish(data, SamplingCoins(generator))
        except UndecidedError:
            continue
        assert sorted(i for block in partition for i in block) == list(range(len(data.sizes)))


test_bad_input = refusal_test(
    refuses("draws", lambda draws: dpsc(draws=draws), "thrice", None),
    refuses("method", lambda method: dpsc(method=method), "kmeans", None),
    refuses("alpha", lambda alpha: LatticeNoise(HALF, alpha, 0, 1), fmpq(0), fmpq(1), fmpq(-1)),
    refuses("step", lambda step: LatticeNoise(step, THIRD, 0, 1), fmpq(0), 1, 0.5),
    refuses_each("low", lambda low, high: LatticeNoise(HALF, THIRD, low, high), (0, 0), (1, 0), (0.0, 1), (True, 2)),
    refuses(
        "scale", lambda scale: LaplaceEntries(scale, np.random.default_rng(0)), -1.0, 1, float("inf"), float("nan")
    ),
    refuses("d", access_count, 0, 1, 2.0, True),
    refuses("n", coefficient_sensitivity, 0, -1, 1.0, True),
    refuses_each("n|d|epsilon", noise_scale, (1, 2, fmpq(1)), (2, 1, fmpq(1)), (2, 2, fmpq(0)), (2, 2, 0.2)),
    refuses("table", lambda sizes: coefficients(CountTable(sizes, (((), 1),)), MINE), ()),
    refuses("k", lambda k: DPSC(MINE, NOISE, PLANE, k).publish(table("00"), ScriptedCoins([0])), 3),
    refuses("k", lambda k: DPSC(MINE, NOISE, PLANE, k), 0, -1, True, 1.0, None),
    refuses("generator", lambda g: LaplaceEntries(1.0, g), None, 3),
    refuses("points", lambda n: coefficients(table(*["01"] * n), GridSizes("strict.a2")), 1, 10, kind=UndefinedError),
)
