"""One synthetic table of a method at a point: from the binary attributes of a table, as many rows as it has records.

HMPrivBayes is printed with weights of the data; at a certified epsilon it has equal public weights, and so little
nominal budget that the whole transcript loses no more. With the filter (9) the first conditional distributions cannot
be derived from the joint table that the print derives them from (003.alg5.step3@filter): then all joint tables get
noise.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from flint import fmpq

from dp_refimpl.fast.array_coins import Bits
from dp_refimpl.fast.synthesis.clustering import ArrayDPSC
from dp_refimpl.fast.synthesis.joint_tables import ArrayJointNoise, NoJointNoise, WeightedNoise
from dp_refimpl.fast.synthesis.network import ArrayGreedyBayes, ArrayIBayes
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable, Floats
from dp_refimpl.fast.synthesis.releases import ArrayPrivBayes
from dp_refimpl.fast.synthesis.row_laws import conditionals, draw_records
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
from dp_refimpl.synthesis.maximal_information import GridSizes
from dp_refimpl.synthesis.network import Network, attribute_filter
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_studies.reproduce.s003.settings import NO_FILTER, Point
from dp_studies.reproduce.s003.small_releases import jtree, reconstructed_scbn

GRIDS = GridSizes("mine", Fraction(3, 5))


class Release(NamedTuple):
    """A synthetic table's binary attributes, the clusters, and for each of these the network and the noisy counts of
    its last pairs (none of exact programs)."""

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
    """A synthetic table, and what it is made of."""
    table, method = ArrayTable((2,) * point.table.d, point.table.bits), point.method
    whole = (tuple(range(len(table.sizes))),)
    if method.segmentation is not None:
        return _segmented(point, table, generator)
    nominal = nominal_epsilon(point)
    if method.name == "Jtree":
        return Release(jtree(point.table.bits, _fraction(nominal), method.calibration == "printed", generator), whole)
    if method.name == "PrivSCBN (reconstruction)":
        return Release(reconstructed_scbn(point.table.bits, _fraction(nominal), generator), whole)
    made = _privbayes(point, nominal).run(table, generator)
    return Release(_bits(made.data), whole, made.networks, made.joints)


def _privbayes(point: Point, epsilon: fmpq) -> ArrayPrivBayes:
    degree, first = point.degree, budgets_of(point).budgets(epsilon)[0]
    assert degree is not None
    # a network of degree 0 is drawn without looking at the data
    network = ArrayGreedyBayes(ExponentialArray(first) if degree else MaximumArray(), degree, "I")
    return ArrayPrivBayes(network, noise_of(point))


def _segmented(point: Point, table: ArrayTable, generator: np.random.Generator) -> Release:
    """HMPrivBayes and NoPrivacy."""
    method, segmentation = point.method, point.method.segmentation
    assert segmentation is not None
    assert method.degree is not None
    noise, selection = noise_of(point), _selection(point)
    budget = None if method.name == "NoPrivacy" else budgets_of(point).budgets(nominal_epsilon(point))[0]
    step = ArrayDPSC(GRIDS, budget, Reduction(_exact(segmentation.sigma), segmentation.kept), method.k)
    matrix = step.noisy_matrix(table, generator)
    partition = step.partition(matrix, generator)
    kept = None
    if segmentation.eta != NO_FILTER:
        exact = [[_exact(float(entry)) for entry in row] for row in matrix]
        kept = attribute_filter(exact, _exact(segmentation.eta))
    program = ArrayIBayes(selection, method.degree, kept=kept)
    networks = [program.build(table, cluster, generator) for cluster in partition]
    derived = [0 if kept is not None else min(len(network) - 1, method.degree) for network in networks]
    joints = [noise.noisy(table, network[first:], generator) for network, first in zip(networks, derived, strict=True)]
    made = [conditionals(network, noisy) for network, noisy in zip(networks, joints, strict=True)]
    data = draw_records(made, table.sizes, table.n, generator)
    return Release(_bits(data), partition, tuple(networks), tuple(joints))


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


def _exact(number: str | float) -> fmpq:
    fraction = Fraction(number)
    return fmpq(fraction.numerator, fraction.denominator)


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))
