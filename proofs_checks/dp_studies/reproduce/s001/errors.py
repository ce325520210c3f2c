"""Errors of all answers to ranges, from the noise of a release alone: restoring is linear, so data do not matter.

The error P_j of the estimated sum of the leaves 1..j is 0 for j = 0, the noise of the total for j = N, and in the
middle of a node the mean of its values at the node's ends plus half of the node's noise: a node's left leaves sum up to
half of (their own and the right ones' sum + the difference of the two). N P_j is an integer in units of the noise.
"""

import numpy as np

from dp_refimpl.fast.array_coins import Indices
from dp_studies.reproduce.s001.noise import Noise
from dp_studies.reproduce.s001.settings import Range
from dp_studies.reproduce.streams import generator, number_of


def prefix_errors(noise: Indices) -> Indices:
    """N P_0..N P_N of releases with this noise on c_0..c_(N-1), shape (runs, N), as shape (runs, N + 1)."""
    runs, size = noise.shape
    # the largest value has less than h + 2 parts
    assert int(np.abs(noise).max()) < 2**62 // (size * (size.bit_length() + 1))
    found = np.zeros((runs, size + 1), np.int64)
    found[:, size] = size * noise[:, 0]
    nodes, width = 1, size
    while width > 1:
        ends = found[:, :-1:width] + found[:, width::width]
        found[:, width // 2 :: width] = (ends + size * noise[:, nodes : 2 * nodes]) // 2
        nodes, width = 2 * nodes, width // 2
    return found


def range_errors(noise: Indices, asked: Range) -> list[int]:
    """N times the error of a range in every release."""
    found = prefix_errors(noise)
    return [int(e) for e in found[:, asked.last] - found[:, asked.first - 1]]


def sums_of_squares(noise: Indices) -> list[int]:
    """The sum of N^2 times the squared errors of all ranges, in every release.

    The sum of (P_b - P_a)^2 over 0 <= a < b <= N is (N + 1) sum P_j^2 - (sum P_j)^2.
    """
    rows: list[list[int]] = prefix_errors(noise).tolist()
    return [len(row) * sum(p * p for p in row) - sum(row) ** 2 for row in rows]


def simulate(noise: Noise, runs: int, seed: int) -> list[int]:
    """What the releases of a point show: `range_errors`, or `sums_of_squares`.

    The random numbers depend on the seed and the point, on nothing else.
    """
    point = noise.point
    drawn = noise.draws(runs, generator(seed, number_of(point.key)))
    return sums_of_squares(drawn) if point.range is None else range_errors(drawn, point.range)
