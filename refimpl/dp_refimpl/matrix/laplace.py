"""The Laplace law of scale b: exact facts as real numbers, and enclosures."""

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq, fmpz

from dp_refimpl.matrix.parameters import Scale
from dp_refimpl.requirements import require_above
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import at_most

Rational = int | fmpz | fmpq | Fraction


@dataclass(frozen=True)
class Laplace:
    """Density e^(-|x| / b) / (2 b), b > 0 rational; numbers are exact (`Real`). Raises `DomainError` for other b.

    Adding it to a query of L1 sensitivity Delta is epsilon-differentially private for b = Delta / epsilon.
    """

    scale: fmpq

    def __post_init__(self) -> None:
        require_above("scale", self.scale, 0)

    @property
    def variance(self) -> fmpq:
        """2 b^2; the mean is 0."""
        return 2 * self.scale**2

    def density(self, x: Rational) -> Real:
        """The density at a rational point."""
        return self._decay(x) / (2 * self.scale)

    def density_ratio(self, shift: Rational) -> Real:
        """The largest ratio of the densities at x and at x + shift, e^(|shift| / b), which x = 0 attains."""
        return 1 / self._decay(shift)

    def at_most(self, x: Rational) -> Real:
        """P[X <= x] at a rational point: e^(x / b) / 2 for x <= 0, otherwise 1 - e^(-x / b) / 2."""
        half = self._decay(x) / 2
        return half if at_most(x, 0) else 1 - half

    def cdf(self, x: Rational, bits: int = 128) -> arb:
        """A ball around P[X <= x]."""
        return self.at_most(x).enclosure(bits)

    def tail(self, x: Rational) -> Real:
        """P[|X| >= x] for x >= 0: e^(-x / b); 1 for x < 0."""
        return Real.lift(1) if at_most(x, 0) else self._decay(x)

    def _decay(self, x: Rational) -> Real:
        """e^(-|x| / b)."""
        if isinstance(x, bool) or not isinstance(x, Rational):
            raise DomainError("x", x, "a rational number")
        exact = fmpq(x.numerator, x.denominator) if isinstance(x, Fraction) else fmpq(x)
        ratio = abs(exact) / self.scale
        return Real.power(None, -Fraction(int(ratio.p), int(ratio.q)))


def as_float(number: Scale | int) -> float:
    """The nearest float (of a `Real`: next to it)."""
    return int(number.p) / int(number.q) if isinstance(number, fmpq) else float(number)
