"""One synthetic table of a method at a point: from the binary attributes of a table, as many rows as it has records.

HMPrivBayes is printed with weights of the data; at a certified epsilon it has equal public weights, and so little
nominal budget that the whole transcript loses no more. With the filter (9) the first conditional distributions cannot
be derived from the joint table that the print derives them from (003.alg5.step3@filter): then all joint tables get
noise.

What the sources leave open of the two others is chosen here. Jtree: CV = 1/5, the sampling rate of least noise for
e^(epsilon / 2) rounded down to 2^-40, uniform rows where its tables leave no record possible; a graph with a clique of
more than 16 attributes is refused. PrivSCBN is a reconstruction of which nothing is claimed: two clusters, in-degree 2,
sigma = 1, k_1 = 2, the farthest seeding; noise of scale d (d - 1) / (2 n epsilon_1) on Jaccard distances and
2 d / (n epsilon_3) on conditional probabilities, as if a record changed these no more than frequencies.
"""

from fractions import Fraction
from functools import lru_cache
from math import exp
from typing import NamedTuple

import numpy as np
from flint import fmpq

from dp_refimpl.fast.array_coins import Bits
from dp_refimpl.fast.synthesis.clustering import ArrayDPSC
from dp_refimpl.fast.synthesis.joint_tables import ArrayJointNoise, NoJointNoise, WeightedNoise
from dp_refimpl.fast.synthesis.jtree import WHOLE, ArrayJtree, NoRecordError
from dp_refimpl.fast.synthesis.network import ArrayGreedyBayes, ArrayIBayes
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable, Floats
from dp_refimpl.fast.synthesis.releases import ArrayHMPrivBayes, ArrayPrivBayes
from dp_refimpl.fast.synthesis.scbn import ArrayReconstructedSCBN
from dp_refimpl.fast.synthesis.segmentation import ArraySegmentation
from dp_refimpl.fast.synthesis.selection import ArraySelection, ExponentialArray, MaximumArray
from dp_refimpl.synthesis.accountant import Plan as Budgets
from dp_refimpl.synthesis.accountant import (
    hmprivbayes_plan,
    jtree_plan,
    no_privacy_plan,
    privbayes_plan,
    scbn_plan,
)
from dp_refimpl.synthesis.clustering import Partition
from dp_refimpl.synthesis.jtree import best_rate
from dp_refimpl.synthesis.junction_trees import junction_tree
from dp_refimpl.synthesis.maximal_information import GridSizes
from dp_refimpl.synthesis.network import Network
from dp_refimpl.synthesis.privbayes import FixedDegree
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_spec.vocabulary.exceptions import RefusedError
from dp_studies.reproduce.s003.settings import NO_FILTER, Point

GRIDS = GridSizes("mine", Fraction(3, 5))
WIDEST = 16
"""Attributes of a clique of Jtree at most: of 2^16 cells, more than the source's data has records."""
CLUSTERS, DEGREE, REDUCTION = 2, 2, Reduction(fmpq(1), 2)
"""Of the reconstruction of PrivSCBN."""


class WideCliqueError(RefusedError):
    """The graph of a run of Jtree has a clique that is too large for a table of its own."""

    def __init__(self) -> None:
        super().__init__(f"a clique of its graph has more than {WIDEST} attributes")


class Release(NamedTuple):
    """A synthetic table's binary attributes, the clusters, and for each of these the network and the noisy counts of
    its last pairs (none of Jtree and the reconstruction of PrivSCBN)."""

    data: Bits
    partition: Partition
    networks: tuple[Network, ...] = ()
    joints: tuple[tuple[Floats, ...], ...] = ()


def budgets_of(point: Point) -> Budgets:
    """How a method divides its nominal epsilon, and what is certified of it."""
    method, d = point.method, point.table.d
    if method.name == "HMPrivBayes":
        return hmprivbayes_plan(d, method.k, "data" if method.calibration == "printed" else "fixed")
    if method.name == "Jtree":
        return jtree_plan(d)
    if point.degree is not None and method.name != "NoPrivacy":
        return privbayes_plan(d, point.degree)
    return no_privacy_plan() if method.name == "NoPrivacy" else scbn_plan()


def nominal_epsilon(point: Point) -> fmpq:
    """The epsilon that a method divides: the point's, or the one at which the point's is certified."""
    whole = _exact(point.epsilon or "0")
    return whole if point.method.calibration == "printed" else budgets_of(point).calibrated(whole)


def certified_epsilon(point: Point) -> fmpq | None:
    """What its transcript is certified to lose where a record is replaced; nothing if no constant is (of a sample)."""
    if point.method.name == "Jtree" and point.method.calibration == "printed":
        return None
    return budgets_of(point).account(nominal_epsilon(point)).transcript.certified


def release(point: Point, generator: np.random.Generator) -> Release:
    """A synthetic table, and what it is made of. Raises `WideCliqueError` for such a graph of Jtree."""
    table, method = ArrayTable((2,) * point.table.d, point.table.bits), point.method
    whole = (tuple(range(len(table.sizes))),)
    if method.segmentation is not None:
        return _segmented(point, table, generator)
    if method.name == "Jtree":
        return Release(_bits(_jtree(point, table, generator)), whole)
    if method.name == "PrivSCBN (reconstruction)":
        drawn = _reconstructed_scbn(point).run(table, generator)
        return Release(_bits(drawn.data), drawn.partition)
    made = _privbayes(point, nominal_epsilon(point)).run(table, generator)
    return Release(_bits(made.data), whole, made.networks, made.joints)


def _privbayes(point: Point, epsilon: fmpq) -> ArrayPrivBayes:
    degree, first = point.degree, budgets_of(point).budgets(epsilon)[0]
    assert degree is not None
    # a network of degree 0 is drawn without looking at the data
    network = ArrayGreedyBayes(ExponentialArray(first) if degree else MaximumArray(), FixedDegree(degree), "I")
    return ArrayPrivBayes(network, noise_of(point))


def _jtree(point: Point, table: ArrayTable, generator: np.random.Generator) -> ArrayTable:
    graph, tables = budgets_of(point).budgets(nominal_epsilon(point))
    rate = _best_rate(table.n, graph) if point.method.calibration == "printed" else WHOLE
    program = ArrayJtree((graph, tables), rate=rate)
    edges = program.edges(table, generator)
    if len(edges) > most_edges(len(table.sizes)):
        raise WideCliqueError
    tree = junction_tree(len(table.sizes), edges)
    if max(map(len, tree.cliques)) > WIDEST:
        raise WideCliqueError
    try:
        return program.publish(table, tree, generator).data
    except NoRecordError:
        return ArrayTable(table.sizes, generator.integers(2, size=table.records.shape))


def most_edges(d: int) -> int:
    """A triangulated graph of d nodes without a larger clique than `WIDEST` has no more edges.

    Its nodes can be eliminated so that each has at most `WIDEST` - 1 neighbors left, and the last ones fewer.
    """
    width = min(WIDEST, d)
    return (width - 1) * d - width * (width - 1) // 2


@lru_cache(maxsize=64)
def _best_rate(n: int, epsilon: fmpq) -> fmpq:
    return best_rate(n, fmpq(int(exp(int(epsilon.p) / int(epsilon.q)) * 2**40), 2**40))


def _reconstructed_scbn(point: Point) -> ArrayReconstructedSCBN:
    n, d = point.table.n, point.table.d
    distances, selection, cells = budgets_of(point).budgets(nominal_epsilon(point))
    scales = float(fmpq(d * (d - 1), 2 * n) / distances), float(fmpq(2 * d, n) / cells)
    return ArrayReconstructedSCBN(scales, ExponentialArray(selection), REDUCTION, CLUSTERS, DEGREE, "farthest")


def _segmented(point: Point, table: ArrayTable, generator: np.random.Generator) -> Release:
    """HMPrivBayes and NoPrivacy."""
    method, segmentation = point.method, point.method.segmentation
    assert segmentation is not None
    assert method.degree is not None
    budget = None if method.name == "NoPrivacy" else budgets_of(point).budgets(nominal_epsilon(point))[0]
    dpsc = ArrayDPSC(GRIDS, budget, Reduction(_exact(segmentation.sigma), segmentation.kept), method.k)
    eta = None if segmentation.eta == NO_FILTER else _exact(segmentation.eta)
    networks = ArrayIBayes(_selection(point), method.degree)
    program = ArrayHMPrivBayes(networks, noise_of(point), "d-degree" if eta is None else "none")
    run = program.publish(table, ArraySegmentation(dpsc, eta), generator)
    return Release(_bits(run.release.data), run.partition, run.release.networks, run.release.joints)


def noise_of(point: Point) -> ArrayJointNoise:
    """Of the joint tables of HMPrivBayes, PrivBayes and NoPrivacy."""
    if point.method.name == "NoPrivacy":
        return NoJointNoise()
    printed = point.method.name == "HMPrivBayes" and point.method.calibration == "printed"
    return WeightedNoise(budgets_of(point).budgets(nominal_epsilon(point))[-1], "values" if printed else "equal")


def _selection(point: Point) -> ArraySelection:
    """Of the networks of HMPrivBayes and NoPrivacy."""
    if point.method.name == "NoPrivacy":
        return MaximumArray()
    return ExponentialArray(budgets_of(point).budgets(nominal_epsilon(point))[1])


def _bits(table: ArrayTable) -> Bits:
    return table.records.astype(np.uint8)


def _exact(number: str) -> fmpq:
    fraction = Fraction(number)
    return fmpq(fraction.numerator, fraction.denominator)
