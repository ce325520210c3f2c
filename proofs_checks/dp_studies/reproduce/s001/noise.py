"""The noise of a release, drawn exactly: integers in a known unit, the moments of its law, and the errors it makes.

Discrete noise is what the program draws. Laplace noise X of scale b is drawn on a grid of width w = 2^-30 b, as
discrete Laplace numbers K. With x = 2^-31, the integer K' nearest to X / w has P(K' = 0) = 1 - e^-x, and K has
P(K = 0) = tanh(x); given that they are not 0 their laws are the same, P(k) falling by e^(-2 x) from |k| = 1 on. As
x - x^2 / 2 <= 1 - e^-x <= x and x - x^3 / 3 <= tanh(x) <= x, the laws differ by at most x^2 / 2 = 2^-63 in total
variation: but for that probability a Laplace variable is within w / 2 of w K. No float is used.

Restoring is linear: the errors of all answers come from the noise alone, and data do not matter. The error P_j of the
estimated sum of the leaves 1..j is 0 for j = 0, the noise of the total for j = N, and in the middle of a node the mean
of its values at the node's ends plus half of the node's noise: a node's left leaves sum up to half of (their own and
the right ones' sum + the difference of the two). N P_j is an integer in units of the noise.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from flint import arb, fmpq

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.matrix.noise import DiscreteLaplaceArray
from dp_refimpl.matrix.parameters import Neighbors
from dp_refimpl.matrix.privelet import Privelet
from dp_spec.vocabulary.budget import read_epsilon
from dp_spec.vocabulary.precision import precision
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.s001.settings import Point, Range
from dp_studies.reproduce.streams import generator, number_of

GRID = 2**30
"""Steps of the grid in one scale of Laplace noise."""
MISSED = Fraction(1, 2**63)
"""How far a draw's law is from that of a rounded Laplace variable."""


@dataclass(frozen=True)
class Noise:
    """The noise of Privelet at a point."""

    point: Point

    @property
    def laplace(self) -> bool:
        """Whether noise is continuous."""
        return self.point.kind == "laplace"

    @cached_property
    def delta(self) -> fmpq:
        """The program's scale in units of 1 / epsilon."""
        return Privelet(self.point.size).scale(Neighbors.ADD_REMOVE)

    @cached_property
    def epsilon(self) -> fmpq:
        """The budget."""
        _, epsilon = read_epsilon(self.point.epsilon)
        return fmpq(epsilon.numerator, epsilon.denominator)

    @property
    def scale(self) -> fmpq:
        """b = Delta / epsilon."""
        return self.delta / self.epsilon

    @property
    def unit(self) -> fmpq:
        """What a drawn 1 stands for."""
        return self.scale / GRID if self.laplace else fmpq(1)

    @property
    def missed(self) -> Fraction:
        """The probability that a draw is not within `off` of a variable of the law, at most."""
        return MISSED if self.laplace else Fraction(0)

    @property
    def off(self) -> Fraction:
        """How far a variable of the law is from what is drawn, in units."""
        return Fraction(1, 2) if self.laplace else Fraction(0)

    def draws(self, runs: int, source: np.random.Generator) -> Indices:
        """All coefficients' noise of several releases in units, shape (runs, N)."""
        coins, size = ArrayCoins(source), self.point.size
        if self.laplace:
            noise = DiscreteLaplaceArray(coins, "1").draws(fmpq(GRID), runs * size)
        else:
            noise = DiscreteLaplaceArray(coins, self.point.epsilon).draws(self.delta, runs * size)
        return noise.reshape(runs, size)

    @property
    def variance(self) -> arb | fmpq:
        """2 b^2, or 2 alpha / (1 - alpha)^2."""
        if self.laplace:
            return 2 * self.scale**2
        with precision(BITS):
            return 2 * self._alpha / (1 - self._alpha) ** 2

    @property
    def excess(self) -> arb | fmpq:
        """The fourth cumulant over the squared variance: 24 b^4 / (2 b^2)^2 - 3 = 3, or (1 / alpha + 4 + alpha) / 2."""
        if self.laplace:
            return fmpq(3)
        with precision(BITS):
            return (1 / self._alpha + 4 + self._alpha) / 2

    @property
    def _alpha(self) -> arb:
        return (-1 / arb(self.scale)).exp()


def prefix_errors(noise: Indices) -> Indices:
    """N P_0..N P_N of releases with this noise on c_0..c_(N-1), shape (runs, N), as shape (runs, N + 1)."""
    runs, size = noise.shape
    # the largest value has less than h + 2 parts
    assert int(np.abs(noise).max()) < 2**62 // (size * (size.bit_length() + 1))
    errors = np.zeros((runs, size + 1), np.int64)
    errors[:, size] = size * noise[:, 0]
    nodes, width = 1, size
    while width > 1:
        ends = errors[:, :-1:width] + errors[:, width::width]
        errors[:, width // 2 :: width] = (ends + size * noise[:, nodes : 2 * nodes]) // 2
        nodes, width = 2 * nodes, width // 2
    return errors


def range_errors(noise: Indices, asked: Range) -> list[int]:
    """N times the error of a range in every release."""
    prefixes = prefix_errors(noise)
    return [int(e) for e in prefixes[:, asked.last] - prefixes[:, asked.first - 1]]


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
