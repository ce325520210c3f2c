"""Oracles of integers with discrete Gaussian or discrete Laplace noise of a given scale.

Canonne, Kamath and Steinke 2020: the noise is z with probability proportional to e^(-z^2 / (2 sigma^2)), or to
e^(-|z| / scale). Noisy values outside a window are merged, which is post-processing. The inputs are true values of a
query on data sets, every two of them neighbors.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from dp_audit.oracles.additive import rational
from dp_audit.oracles.base import Epsilon, Number, Oracle, OracleKind
from dp_audit.oracles.geometric import NOISY, Geometric, require_few, require_range, signed, signed_list, windowed
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare


@dataclass(frozen=True)
class DiscreteGaussian(Oracle):
    """Discrete Gaussian noise; noisy values outside low .. high are "below" or "above".

    It is rho-zCDP with rho = (x - x')^2 / (2 sigma^2), and epsilon-DP for no epsilon: the bound compared with is the
    one that it keeps on this window. Raises `DomainError` unless sigma > 0, low < high, and there are two or more
    different true values between them.
    """

    values: tuple[int, ...]
    sigma: fmpq
    low: int
    high: int

    def __post_init__(self) -> None:
        if len(self.values) < 2 or len(set(self.values)) < len(self.values):
            raise DomainError("values", self.values, "two or more different integers")
        if compare(self.sigma, 0) is not Ordering.GREATER:
            raise DomainError("sigma", self.sigma, "a number > 0")
        require_range("high", self.values, fmpq(self.low), fmpq(self.high))
        require_few(self.low, self.high)

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The true values."""
        return self.values

    def privacy(self) -> Number:
        """The largest ratio on the window. Gaussian tails being log-concave, that of a tail on the extreme values."""
        least, largest = (self.law(value) for value in (min(self.values), max(self.values)))
        above, below = largest["above"] / least["above"], least["below"] / largest["below"]
        return below if compare(above, below) is Ordering.LESS else above

    def seen(self, output: Hashable) -> Hashable:
        """An integer outside the window is "below" or "above"."""
        return windowed(output, self.low, self.high)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the noisy value, balls of the current precision."""
        value, total = self.require_input(item), 2 * self._beyond(1) + 1
        inner: dict[Hashable, Number] = {y: self._weight(y - value) / total for y in range(self.low, self.high + 1)}
        below, above = self._beyond(value - self.low + 1) / total, self._beyond(self.high + 1 - value) / total
        return {"below": below, **inner, "above": above}

    def _weight(self, noise: int) -> arb:
        return arb(-fmpq(noise**2) / (2 * self.sigma**2)).exp()

    def _beyond(self, distance: int) -> arb:
        """Sum of the weights from `distance` > 0 on.

        From z on they fall faster than geometrically, by the ratio of the weights of z + 1 and z.
        """
        found, z, small = arb(0), distance, arb(2) ** -(ctx.prec + 8)
        while compare(self._weight(z), small * self._weight(distance)) is not Ordering.LESS:
            found, z = found + self._weight(z), z + 1
        rest = self._weight(z) / (1 - self._weight(z + 1) / self._weight(z))
        return found + arb(0).union(rest)


def _discrete_laplace(values: tuple[int, ...], scale: fmpq, low: int, high: int) -> Geometric:
    """Two-sided geometric noise: epsilon = (largest - least value) / scale."""
    if compare(scale, 0) is not Ordering.GREATER:
        raise DomainError("scale", scale, "a number > 0")
    span = max(values, default=0) - min(values, default=0)
    budget = fmpq(span) / scale
    if not budget:
        raise DomainError("values", values, "two or more different integers")
    return Geometric(values, span, Epsilon.of(f"{budget.p}/{budget.q}"), low, high)


_WINDOW = {"low": signed, "high": signed}
KINDS = {
    "DiscreteGaussian": OracleKind(
        DiscreteGaussian,
        {"values": signed_list, "sigma": rational, **_WINDOW},
        "the true value + z, P(z) proportional to e^(-z^2 / (2 sigma^2))",
        NOISY,
    ),
    "DiscreteLaplace": OracleKind(
        _discrete_laplace,
        {"values": signed_list, "scale": rational, **_WINDOW},
        "the true value + z, P(z) proportional to e^(-|z| / scale)",
        NOISY,
    ),
}
