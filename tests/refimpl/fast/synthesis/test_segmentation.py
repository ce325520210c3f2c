"""All of Algorithm 2 on arrays has the law of the exact program, given the same noise, with the filter or without."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from cases.branches import ROUNDING, Branches, noise, unequal
from cases.faults import fault_test, nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_refimpl.enumeration import output_law
from dp_refimpl.fast.synthesis import clustering, releases, segmentation
from dp_refimpl.fast.synthesis.clustering import ArrayDPSC
from dp_refimpl.fast.synthesis.joint_tables import WeightedNoise
from dp_refimpl.fast.synthesis.network import ArrayIBayes
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.fast.synthesis.releases import ArrayHMPrivBayes, ArrayTranscript
from dp_refimpl.fast.synthesis.segmentation import ArraySegmentation
from dp_refimpl.fast.synthesis.selection import ExponentialArray
from dp_refimpl.synthesis.conditionals import UnderivableError
from dp_refimpl.synthesis.dpsc import DPSC, LaplaceEntries, noise_scale
from dp_refimpl.synthesis.hmprivbayes import HMPrivBayes, Readings, Transcript
from dp_refimpl.synthesis.log_quotients import enclosed
from dp_refimpl.synthesis.maximal_information import GridSizes
from dp_refimpl.synthesis.network import IBayes, attribute_filter
from dp_refimpl.synthesis.noisy_tables import HnoisyConditionals, LaplaceCells, entropy_weights, noise_scales
from dp_refimpl.synthesis.segmentation import Segmentation
from dp_refimpl.synthesis.selection import ExponentialMechanism
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.budget import real_budget
from dp_spec.vocabulary.real import Real

FIRST, SECOND, THIRD = fmpq(40), 3, "2"
REDUCTION = Reduction(fmpq(1, 2), 2)
FOUR = ((0, 0, 0, 1), (0, 1, 1, 1), (1, 1, 0, 0), (1, 1, 0, 1), (1, 0, 0, 1), (0, 0, 1, 0), (0, 0, 1, 1))
THREE = ((0, 0, 0), (0, 1, 1), (1, 2, 0), (1, 1, 1), (0, 2, 0), (1, 0, 0))
CASES: list[tuple[tuple[int, ...], tuple[tuple[int, ...], ...], int, int, tuple[Any, Any], Any]] = [
    ((2, 3, 2), THREE, 1, 1, (None, "or"), "d-degree"),
    ((2, 3, 2), THREE, 2, 1, (None, "or"), "none"),
    ((2, 3, 2), THREE, 1, 2, (fmpq(1, 2), "or"), "none"),
    ((2, 3, 2), THREE, 1, 1, (fmpq(1, 2), "or"), "d-degree"),
    ((2, 3, 2), THREE, 1, 1, (fmpq(3, 4), "and"), "none"),
    ((2, 2, 2, 2), FOUR, 2, 1, (None, "or"), "d-degree"),
    ((2, 2, 2, 2), FOUR, 2, 1, (fmpq(3, 4), "or"), "d-attrs"),
]
"""Sizes, records, k, degree, eta with its reading, prefix; the epsilons are those above."""


class Draws:
    """A generator of the same noise for the exact program, which asks for one entry of the matrix after the other."""

    def __init__(self, d: int) -> None:
        whole = noise(1.0, (d, d))
        self.entries = iter([float(whole[i, j]) for i, j in combinations(range(d), 2)])

    def laplace(self, center: float, scale: float, shape: int | None = None) -> Any:
        return center + (scale * next(self.entries) if shape is None else noise(scale, (shape,)))


Runs = dict[Any, Any]
"""What is made after each choice, by partition and networks."""


def on_arrays(case: Any) -> tuple[dict[Any, Any], Runs]:
    made: Runs = {}
    sizes, records, k, degree, (eta, join), prefix = case
    array, dpsc = ArrayTable(sizes, np.array(records)), ArrayDPSC(GridSizes(), FIRST, REDUCTION, k, "farthest")

    def run(coins: Any) -> Any:
        branches: Any = Branches(coins, ExponentialArray(SECOND))
        program = ArrayHMPrivBayes(ArrayIBayes(branches, degree), WeightedNoise(THIRD), prefix)
        return seen(lambda: program.publish(array, ArraySegmentation(dpsc, eta, join), branches, 0), made)

    return output_law(run, arb(1)), made


@cache
def exactly(case: Any) -> tuple[dict[Any, Any], Runs]:
    made: Runs = {}
    sizes, records, k, degree, (eta, join), prefix = case
    table, scale = CountTable.of_records(sizes, records), noise_scale(len(records), len(sizes), FIRST)

    def run(coins: Any) -> Any:
        draws: Any = Draws(len(sizes))

        def cells(table: CountTable, pairs: Any) -> LaplaceCells:
            exact = entropy_weights(table, [x for x, _ in pairs])
            weights = [w.enclosure(128) if isinstance(w, Real) else w for w in exact]
            return LaplaceCells(tuple(float(b) for b in noise_scales(table.n, arb(THIRD), weights)), draws)

        dpsc = DPSC(GridSizes(), LaplaceEntries(float(enclosed(scale, 64)), draws), REDUCTION, k, method="farthest")
        networks = IBayes(ExponentialMechanism(real_budget(SECOND)), degree)
        program = HMPrivBayes(networks, cells, Readings(prefix))
        return seen(lambda: program.publish(table, Segmentation(dpsc, eta, join), coins, 0), made)

    return output_law(run, arb(1)), made


def seen(publish: Any, made: Runs) -> Any:
    """The partition and the networks, of which all else is computed; one word where the print has no P*."""
    try:
        run = publish()
    except UnderivableError:
        return "underivable"
    key = run.partition, run.release.networks
    made[key] = run
    return key


def same(run: ArrayTranscript, exact: Transcript) -> bool:
    """Whether matrices, noisy joint tables and conditional distributions are the same to rounding."""
    matrix = [[float(enclosed(entry, 64)) for entry in row] for row in exact.matrix]
    if not np.allclose(run.matrix, matrix, rtol=0, atol=ROUNDING):
        return False
    for joints, others in zip(run.release.joints, exact.release.joints, strict=True):
        for cells, joint in zip(joints, others, strict=True):
            if not np.allclose(cells.ravel(), [int(c.p) / int(c.q) for c in joint.cells], rtol=0, atol=ROUNDING):
                return False
    for laws, rows in zip(run.release.conditionals, exact.release.conditionals, strict=True):
        for one, other in zip(laws, rows, strict=True):
            wanted = [[int(p.p) / int(p.q) for p in law or ()] for _, law in other.rows]
            if (one.attribute, one.parents) != (other.attribute, other.parents):
                return False
            if not np.allclose(one.laws, wanted, rtol=0, atol=ROUNDING):
                return False
    return True


def wrong() -> Iterator[str]:
    """Cases whose laws or whose tables are not those of the exact program."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (clustering, releases):
            patch.setattr(module, "require_generator", lambda generator: generator)
        for case in CASES:
            (law, made), (wanted, exact) = on_arrays(case), exactly(case)
            if unequal(law, wanted):
                yield f"{case}: law"
            elif not all(same(made[key], exact[key]) for key in exact):
                yield f"{case}: tables"


test_whole_runs_have_the_exact_law = nothing_wrong_test(wrong)

test_planted_faults_are_caught = fault_test(
    wrong,
    {
        "no filter": (ArraySegmentation, "filtered", lambda self, networks, matrix: networks),
        "the other reading": (
            segmentation,
            "attribute_filter",
            lambda matrix, eta, join: attribute_filter(matrix, eta),
        ),
        "eta": (segmentation, "attribute_filter", lambda matrix, eta, join: attribute_filter(matrix, fmpq(0), join)),
        "the whole budget for each choice": (ExponentialArray, "split", lambda self, parts: self),
        "derived all the same": (
            releases,
            "HnoisyConditionals",
            lambda noise, most, *_: HnoisyConditionals(noise, most),
        ),
        "noise of frequencies": (WeightedNoise, "scales", lambda self, table, pairs: np.ones(len(pairs))),
        "no noise of the matrix": (clustering, "entry_noise", lambda d, *_: np.zeros((d, d))),
    },
    (ValueError,),
)

STEP = ArrayDPSC(GridSizes(), None, REDUCTION, 1)
PROGRAM = ArrayHMPrivBayes(ArrayIBayes(ExponentialArray(1), 1), WeightedNoise(1))
TABLE = ArrayTable((2, 3, 2), np.array(THREE))

test_bad_input_is_refused = refusal_test(
    refuses("eta", lambda eta: ArraySegmentation(STEP, eta), fmpq(-1), fmpq(2), 0.5, "1/2"),
    refuses("join", lambda join: ArraySegmentation(STEP, fmpq(1), join), "xor"),
    refuses("generator", lambda g: PROGRAM.publish(TABLE, ArraySegmentation(STEP), g), None, 1),
)
