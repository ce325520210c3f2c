"""Jtree and the reconstruction of PrivSCBN on small tables: their exact programs, with Laplace noise in floats.

What the sources leave open is chosen here. Jtree: both budgets epsilon / 2, CV = 1/5, e^(epsilon / 2) rounded down to
2^-40, noise of the graph on a lattice with alpha = 7/8, uniform rows where no record is left possible. PrivSCBN is a
reconstruction of which nothing is claimed: three budgets epsilon / 3, two clusters, in-degree 2, sigma = 1, k_1 = 2,
the farthest seeding; noise of scale d (d - 1) / (2 n epsilon_1) on Jaccard distances and 2 c / (n epsilon_3) on
conditional probabilities, as if a record changed these no more than frequencies.
"""

from fractions import Fraction
from math import exp, log

import numpy as np
from flint import fmpq

from dp_refimpl.coins import SamplingCoins
from dp_refimpl.fast.array_coins import Bits
from dp_refimpl.fast.array_counts import Draws
from dp_refimpl.synthesis.dpsc import LaplaceEntries
from dp_refimpl.synthesis.jtree import (
    DependencyGraph,
    Jtree,
    best_rate,
    clique_tables,
    consistent,
    junction_weights,
    noise_scale,
)
from dp_refimpl.synthesis.noisy_tables import LaplaceCells
from dp_refimpl.synthesis.scbn import (
    ReconstructedNetwork,
    ReconstructedSegmentation,
    reconstructed_conditionals,
    reconstructed_rows,
)
from dp_refimpl.synthesis.selection import RealExponentialMechanism
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_refimpl.synthesis.tables import CountTable

ALPHA, REACH, CV = fmpq(7, 8), 200, fmpq(1, 5)
CLUSTERS, DEGREE, REDUCTION = 2, 2, Reduction(fmpq(1), 2)


def count_table(bits: Bits) -> CountTable:
    """The records of binary attributes, shape (n, d)."""
    return CountTable.of_records((2,) * bits.shape[1], [tuple(map(int, row)) for row in bits])


def jtree(bits: Bits, epsilon: Fraction, sampled: bool, generator: np.random.Generator) -> Bits:
    """A synthetic table of as many records; the graph is that of a sample at the best rate, or of all records."""
    table, half = count_table(bits), epsilon / 2
    power = fmpq(int(exp(half) * 2**40), 2**40)
    rate = best_rate(table.n, power) if sampled else fmpq(1)
    step = Fraction(float(noise_scale(table.n, rate, power, True).mid()) * log(8 / 7))
    graph = DependencyGraph(CV, fmpq(step.numerator, step.denominator), ALPHA, REACH)
    coins = SamplingCoins(generator)
    tree = Jtree(rate, graph).tree(table, coins)
    scale = 2 * len(tree.cliques) / (float(half) * table.n)
    noise = LaplaceCells((scale,) * len(tree.cliques), generator)
    tables = consistent(clique_tables(table, tree, noise, coins), tree, table.n)
    weights = junction_weights(tables, tree, table.sizes)
    total = sum(weights.values(), fmpq(0))
    law = [weight / total if total else fmpq(1, len(weights)) for weight in weights.values()]
    drawn = Draws(generator).indices(law, table.n)
    return np.array(list(weights), np.uint8)[drawn]


def reconstructed_scbn(bits: Bits, epsilon: Fraction, generator: np.random.Generator) -> Bits:
    """A synthetic table of as many records, by the reconstruction of PrivSCBN."""
    table, third, coins = count_table(bits), epsilon / 3, SamplingCoins(generator)
    d = bits.shape[1]
    noise = LaplaceEntries(d * (d - 1) / (2 * table.n * float(third)), generator)
    segments = ReconstructedSegmentation(noise, REDUCTION, CLUSTERS, "farthest")
    partition = segments.partition(segments.noisy_matrix(table, coins), coins)
    networks = ReconstructedNetwork(RealExponentialMechanism(str(third)), DEGREE, fmpq(1))
    parts = []
    for cluster in partition:
        cells = LaplaceEntries(2 * len(cluster) / (table.n * float(third)), generator)
        parts.append(reconstructed_conditionals(table, networks.build(table, cluster, coins), cells, coins))
    return np.array(reconstructed_rows(parts, table.sizes, table.n, coins).records, np.uint8)
