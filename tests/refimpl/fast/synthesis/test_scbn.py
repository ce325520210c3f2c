"""The reconstruction of PrivSCBN on arrays: its steps are those of the exact program, but for rounding."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from cases.branches import ROUNDING, Branches, unequal
from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import ScriptedCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.fast.synthesis.scbn import ArrayReconstructedSCBN
from dp_refimpl.fast.synthesis.selection import ExponentialArray
from dp_refimpl.synthesis.dpsc import NoEntryNoise
from dp_refimpl.synthesis.network import Network
from dp_refimpl.synthesis.scbn import (
    ReconstructedNetwork,
    ReconstructedSegmentation,
    reconstructed_conditionals,
)
from dp_refimpl.synthesis.selection import ExponentialMechanism
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.budget import real_budget

REDUCTION = Reduction(fmpq(1), 2)
PROGRAM = ArrayReconstructedSCBN((0.0, 0.0), ExponentialArray("3"), REDUCTION, 2, 2)
RECORDS = [(0, 0, 0, 1), (0, 1, 1, 1), (1, 1, 0, 0), (1, 1, 0, 1), (1, 0, 0, 1)]
TABLE = CountTable.of_records((2,) * 4, RECORDS)
ARRAY = ArrayTable.of_counts(TABLE)
APART = ArrayTable((2,) * 4, np.random.default_rng(3).integers(0, 2, (23, 4)))
"""A table in which no two sets of parents have the same information on an attribute: rounding decides nothing."""


@pytest.mark.parametrize("degree", [0, 1, 2])
@pytest.mark.parametrize("cluster", [(0, 1, 2, 3), (1, 3, 2), (2,)])
def test_networks_have_the_exact_law(degree: int, cluster: tuple[int, ...]) -> None:
    def on_arrays(coins: Any) -> Network:
        branches: Any = Branches(coins, ExponentialArray("3"))
        return replace(PROGRAM, selection=branches, degree=degree).build(APART, cluster, branches)

    exact = ReconstructedNetwork(ExponentialMechanism(real_budget(3)), degree, arb(1))
    wanted = output_law(lambda coins: exact.build(APART.counts, cluster, coins), arb(1))
    assert unequal(output_law(on_arrays, arb(1)), wanted) == []


def test_distances_and_conditionals_are_the_exact_ones() -> None:
    """Also of columns without ones, and where no record has the values of the parents."""
    for records in (RECORDS, [(0, 0, 1, 1), (0, 1, 1, 1)]):
        table = CountTable.of_records((2,) * 4, records)
        array, rng = ArrayTable.of_counts(table), np.random.default_rng(1)
        matrix = ReconstructedSegmentation(NoEntryNoise(), REDUCTION, 2).noisy_matrix(table, ScriptedCoins([]))
        wanted = np.array([[int(x.p) / int(x.q) for x in row] for row in matrix])  # type: ignore[union-attr]
        assert np.allclose(PROGRAM.noisy_matrix(array, rng), wanted, rtol=0, atol=ROUNDING)
        network: Network = ((2, ()), (0, (2,)), (3, (0, 2)))
        exact = reconstructed_conditionals(table, network, NoEntryNoise(), ScriptedCoins([]))
        for one, other in zip(PROGRAM.conditionals(array, network, rng), exact, strict=True):
            laws = [[int(p.p) / int(p.q) for p in row] for _, row in other.rows if row]
            assert (one.attribute, one.parents) == (other.attribute, other.parents)
            assert np.allclose(one.laws, laws, rtol=0, atol=ROUNDING)


def test_noise_has_its_scales_and_chances_stay_chances() -> None:
    table = ArrayTable((2,) * 40, np.random.default_rng(1).integers(0, 2, (200, 40)))
    noisy = replace(PROGRAM, scales=(3.0, 100.0))
    matrices = [p.noisy_matrix(table, np.random.default_rng(2)) for p in (noisy, PROGRAM)]
    noise = (matrices[0] - matrices[1])[np.triu_indices(40, 1)]
    assert abs(abs(noise).mean() - 3) < 15 / len(noise) ** 0.5
    assert (matrices[0] == matrices[0].T).all()
    laws = [one.laws for one in noisy.conditionals(table, ((0, ()), (1, (0,))), np.random.default_rng(3))]
    assert all(((law >= 0) & (law <= 1)).all() and (law.sum(axis=1) == 1).all() for law in laws)


def test_releases_run() -> None:
    """Also at huge noise, and the same for the same seed."""
    for scale in (0.0, 1.0, 1e300):
        program = replace(PROGRAM, scales=(scale, scale))
        release, again = (program.run(ARRAY, np.random.default_rng(4), 9) for _ in range(2))
        assert (release.data.records == again.data.records).all()
        assert release.data.records.shape == (9, 4)
        assert sorted(x for network in release.networks for x, _ in network) == [0, 1, 2, 3]


RNG = np.random.default_rng(1)
test_bad_input_is_refused = refusal_test(
    refuses("scales", lambda scale: replace(PROGRAM, scales=(scale, 1.0)), -1.0, float("inf"), float("nan")),
    refuses("scales", lambda scales: replace(PROGRAM, scales=scales), (1.0,), None, ("1", 1.0)),
    refuses("k", lambda k: replace(PROGRAM, k=k), 0, -1, True, 1.0),
    refuses("degree", lambda degree: replace(PROGRAM, degree=degree), -1, True, 1.0),
    refuses("degree", lambda degree: replace(PROGRAM, degree=degree).run(ARRAY, RNG), 9, len(ARRAY.sizes)),
    refuses("seeding", lambda seeding: replace(PROGRAM, seeding=seeding), "exact"),
    refuses("generator", lambda g: PROGRAM.run(ARRAY, g), None, 3),
    refuses("cluster", lambda cluster: PROGRAM.build(ARRAY, cluster, RNG), ()),
    refuses("sizes", lambda: PROGRAM.run(ArrayTable((3, 2, 2), np.zeros((2, 3), np.int64)), RNG)),
    refuses("sizes", lambda: replace(PROGRAM, degree=0).run(ArrayTable((), np.zeros((2, 0), np.int64)), RNG)),
    refuses("n", lambda: PROGRAM.run(ArrayTable((2, 2), np.zeros((0, 2), np.int64)), RNG)),
)


@pytest.mark.parametrize("degree", [0, 1])
def test_of_one_attribute_the_shares_are_published(degree: int) -> None:
    table = ArrayTable((2,), np.array([[0], [1], [1], [1]]))
    release = replace(PROGRAM, reduction=Reduction(fmpq(1), 1), k=1, degree=degree).run(table, np.random.default_rng(1))
    assert release.partition == ((0,),)
    assert release.networks == (((0, ()),),)
    assert release.conditionals[0][0].laws.tolist() == [[0.25, 0.75]]
    assert release.data.n == 4
