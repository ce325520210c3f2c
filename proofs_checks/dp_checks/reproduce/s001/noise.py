"""The noise of a release, drawn exactly: integers in a known unit, and the cumulants of its law.

Discrete noise is what the program draws. Laplace noise X of scale b is drawn on a grid of width w = 2^-30 b, as
discrete Laplace numbers K. The number K' nearest to X / w has P(K' = 0) = 1 - e^-x and P(K' = k) = sinh(x) e^(-2 x |k|)
for x = 1/2 2^-30; K has P(K = 0) = tanh(x), and the same ratios. As x - x^2/2 <= 1 - e^-x and tanh(x) <= x, and both
laws decrease by the same ratio from k = 1 on, they differ by at most x^2 / 2 < 2^-63 in total variation: but for that
probability a Laplace variable is within w / 2 of the K that is drawn. No float is used.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from flint import arb, arb_series, ctx, fmpq

from dp_checks.reproduce.s001.settings import Point
from dp_checks.reproduce.squares import PRECISION, to_all_moments
from dp_refimpl.array_coins import ArrayCoins, Indices
from dp_refimpl.matrix.parameters import Neighbors
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.samplers import DiscreteLaplaceArray
from dp_spec.vocabulary.budget import read_epsilon

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
    def scale(self) -> fmpq:
        """b = Delta / epsilon, Delta the program's."""
        exponent = read_epsilon(self.point.epsilon)[1]
        delta = Privelet(self.point.size).scale(Neighbors.ADD_REMOVE)
        return delta / fmpq(exponent.numerator, exponent.denominator)

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
            found = DiscreteLaplaceArray(coins, self.point.epsilon).draws(self.scale * self._epsilon, runs * size)
        return found.reshape(runs, size)

    @property
    def _epsilon(self) -> fmpq:
        exponent = read_epsilon(self.point.epsilon)[1]
        return fmpq(exponent.numerator, exponent.denominator)

    @cached_property
    def cumulants(self) -> arb_series:
        """log E e^(t X), X in units of b (Laplace: -log(1 - t^2)) or of 1."""
        length = to_all_moments()
        with ctx.workprec(PRECISION):
            if self.laplace:
                return -_log(arb_series([1, 0, -1], prec=length))
            alpha = (-1 / arb(self.scale)).exp()
            step = arb_series([0, 1], prec=length).exp()
            back = arb_series([0, -1], prec=length).exp()
            both = (1 - alpha * step) * (1 - alpha * back) / (1 - alpha) ** 2
            return -_log(both)

    @property
    def variance(self) -> arb | fmpq:
        """2 b^2, or 2 alpha / (1 - alpha)^2."""
        if self.laplace:
            return 2 * self.scale**2
        with ctx.workprec(PRECISION):
            alpha = (-1 / arb(self.scale)).exp()
            return 2 * alpha / (1 - alpha) ** 2

    @property
    def excess(self) -> arb | fmpq:
        """The fourth cumulant divided by the squared variance: 3 for Laplace noise."""
        if self.laplace:
            return fmpq(3)
        with ctx.workprec(PRECISION):
            return 24 * self.cumulants[4] / (2 * self.cumulants[2]) ** 2


def _log(series: arb_series) -> arb_series:
    return series.log()
