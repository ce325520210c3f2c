"""Oracles of bit vectors with other probabilities than SUE and OUE: THE and unary encoding with given p and q.

THE, thresholded histogram encoding (Wang, Blocki, Li, Jha 2017): Laplace noise of scale 2 / epsilon on every entry of a
one-hot vector, then 1 where the noisy entry is above theta. Without the threshold
(SHE) the law is continuous: no oracle.
"""

from dataclasses import dataclass

from flint import arb, fmpq

from dp_audit.oracles.additive import BitOracle, as_fraction, rational
from dp_audit.oracles.base import Epsilon, Kind, Number, epsilon, integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare


@dataclass(frozen=True)
class ThresholdedHistogram(BitOracle):
    """THE with threshold theta, any rational number; None is the best one, `best_threshold`.

    The bound e^epsilon is that of the noisy vector (two entries change by 1); after the threshold it is not attained.
    """

    epsilon: Epsilon
    theta: fmpq | None = None

    @property
    def p(self) -> Number:
        """Probability that the item held is above the threshold: 1 + noise > theta."""
        if self.theta is None:
            half = self.epsilon.exp(as_fraction(fmpq(1, 2)))
            return 1 - _best_exp(self.epsilon) / half / 2
        return self._above(self.theta - 1)

    @property
    def q(self) -> Number:
        """Probability that another item is: noise > theta."""
        return 1 / (2 * _best_exp(self.epsilon)) if self.theta is None else self._above(self.theta)

    def privacy(self) -> Number:
        """The nominal bound e^epsilon."""
        return self.epsilon.exp()

    def _above(self, level: fmpq) -> Number:
        """P(noise > level): e^(-epsilon level / 2) / 2 for level >= 0, else 1 - e^(epsilon level / 2) / 2."""
        if compare(level, 0) is Ordering.LESS:
            return 1 - self._above(-level)
        return 1 / (2 * self.epsilon.exp(as_fraction(level / 2)))


def best_threshold(epsilon: Epsilon) -> arb:
    """The theta with the smallest variance q(1-q) / (n (p-q)^2) of an item nobody holds, over all real theta.

    Let u = e^(epsilon theta / 2), a = e^(-epsilon / 2) < 1. For 0 <= theta <= 1, q = 1/(2u), p = 1 - au/2, the variance
    is (2u-1) / (n (2u-1-au^2)^2), and its derivative has the sign of 3au^2 - 2(1+a)u + 1: negative at u = 1 (a - 1),
    positive at u = 1/a (1/a - 1). So the larger root u* = (1 + a + sqrt(1-a+a^2)) / (3a) is inside and the minimum
    there. For theta < 0 the variance is (2-u) / (n u (1-a)^2), which falls, for theta > 1 (2u-1) a^2 / (n (1-a)^2),
    which rises. Hence theta* = 2 ln(u*) / epsilon, at the current precision.
    """
    return _best_exp(epsilon).log() / epsilon.exp(as_fraction(fmpq(1, 2))).log()  # type: ignore[union-attr]


def _best_exp(epsilon: Epsilon) -> arb:
    """u* of `best_threshold`."""
    a = 1 / arb(epsilon.exp(as_fraction(fmpq(1, 2))))
    return (1 + a + (1 - a + a * a).sqrt()) / (3 * a)


@dataclass(frozen=True)
class UnaryEncoding(BitOracle):
    """Unary encoding with rational 0 < q < p < 1; its bound p(1-q) / (q(1-p)) is attained. Raises `DomainError`."""

    kept: fmpq
    flipped: fmpq

    def __post_init__(self) -> None:
        for name, number, low, high in (("q", self.flipped, fmpq(0), self.kept), ("p", self.kept, fmpq(0), fmpq(1))):
            if compare(low, number) is not Ordering.LESS or compare(number, high) is not Ordering.LESS:
                raise DomainError(name, number, "probabilities with 0 < q < p < 1")

    @property
    def p(self) -> Number:
        """Probability that the 1 stays 1."""
        return self.kept

    @property
    def q(self) -> Number:
        """Probability that a 0 becomes 1."""
        return self.flipped

    def privacy(self) -> Number:
        """p(1-q) / (q(1-p))."""
        return self.kept * (1 - self.flipped) / (self.flipped * (1 - self.kept))


KINDS = {
    "THE": Kind(ThresholdedHistogram, {"d": integer(2), "epsilon": epsilon, "theta": rational}, frozenset({"theta"})),
    "UE": Kind(lambda d, p, q: UnaryEncoding(d, p, q), {"d": integer(2), "p": rational, "q": rational}),
}
