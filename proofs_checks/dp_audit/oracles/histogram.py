"""Oracles of bit vectors with other probabilities than SUE and OUE: THE and unary encoding with given p and q.

THE, thresholded histogram encoding (Wang, Blocki, Li, Jha 2017), has the chances of `dp_refimpl.frequency.histogram`.
Without the threshold (SHE) there are infinitely many reports: no oracle.
"""

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from dp_audit.oracles.additive import BitOracle, as_fraction, rational
from dp_audit.oracles.base import Epsilon, Number, OracleKind, epsilon, integer
from dp_refimpl.frequency.histogram import above, best_power, threshold_chances
from dp_refimpl.mechanisms import RECORDS
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare


@dataclass(frozen=True)
class ThresholdedHistogram(BitOracle):
    """THE with threshold theta, any rational number; None is the best one, of `best_power`.

    The bound e^epsilon is that of the noisy vector (two entries change by 1); after the threshold it is not attained.
    """

    epsilon: Epsilon
    theta: fmpq | None = None

    @property
    def p(self) -> Number:
        """Probability that the item held is above the threshold: 1 + noise > theta."""
        return self._best()[0] if self.theta is None else above(as_fraction(self.theta - 1), self.epsilon)

    @property
    def q(self) -> Number:
        """Probability that another item is: noise > theta."""
        return self._best()[1] if self.theta is None else above(as_fraction(self.theta), self.epsilon)

    def _best(self) -> tuple[arb, arb]:
        half = arb(self.epsilon.exp(Fraction(1, 2)))
        return threshold_chances(half, best_power(half))


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
    "THE": OracleKind.of(
        RECORDS["THE"],
        ThresholdedHistogram,
        {"d": integer(2), "epsilon": epsilon, "theta": rational},
        optional=frozenset({"theta"}),
    ),
    "UE": OracleKind(
        lambda d, p, q: UnaryEncoding(d, p, q),
        {"d": integer(2), "p": rational, "q": rational},
        "every bit of the item's indicator on its own: 1 stays 1 with probability p, 0 becomes 1 with probability q",
        "d bits",
    ),
}
