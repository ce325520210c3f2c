"""The noise of a release, drawn exactly: integers in a known unit, and the moments of its law.

Discrete noise is what the program draws. Laplace noise X of scale b is drawn on a grid of width w = 2^-30 b, as
discrete Laplace numbers K. With x = 2^-31, the integer K' nearest to X / w has P(K' = 0) = 1 - e^-x, and K has
P(K = 0) = tanh(x); given that they are not 0 their laws are the same, P(k) falling by e^(-2 x) from |k| = 1 on. As
x - x^2 / 2 <= 1 - e^-x <= x and x - x^3 / 3 <= tanh(x) <= x, the laws differ by at most x^2 / 2 = 2^-63 in total
variation: but for that probability a Laplace variable is within w / 2 of w K. No float is used.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from flint import arb, ctx, fmpq

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.matrix.releases import DiscreteLaplaceArray
from dp_refimpl.matrix.parameters import Neighbors
from dp_refimpl.matrix.privelet import Privelet
from dp_spec.vocabulary.budget import read_epsilon
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.s001.settings import Point

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

    def draws(self, runs: int, generator: np.random.Generator) -> Indices:
        """All coefficients' noise of several releases in units, shape (runs, N)."""
        coins, size = ArrayCoins(generator), self.point.size
        if self.laplace:
            found = DiscreteLaplaceArray(coins, "1").draws(fmpq(GRID), runs * size)
        else:
            found = DiscreteLaplaceArray(coins, self.point.epsilon).draws(self.delta, runs * size)
        return found.reshape(runs, size)

    @property
    def variance(self) -> arb | fmpq:
        """2 b^2, or 2 alpha / (1 - alpha)^2."""
        if self.laplace:
            return 2 * self.scale**2
        with ctx.workprec(BITS):
            return 2 * self._alpha / (1 - self._alpha) ** 2

    @property
    def excess(self) -> arb | fmpq:
        """The fourth cumulant over the squared variance: 24 b^4 / (2 b^2)^2 - 3 = 3, or (1 / alpha + 4 + alpha) / 2."""
        if self.laplace:
            return fmpq(3)
        with ctx.workprec(BITS):
            return (1 / self._alpha + 4 + self._alpha) / 2

    @property
    def _alpha(self) -> arb:
        return (-1 / arb(self.scale)).exp()
