"""Oracles of integers with symmetric noise: geometric (discrete Laplace), Laplace seen on integers, discrete Gaussian.

A kind of noise is told by its tail; a view makes the law finite. Through a window what is outside is merged into two
reports; bounded mechanisms map what falls outside their range back into it: post-processing both, so that a bound
stays. The inputs are true values of a query on data sets, every two of them neighbors.

Ghosh, Roughgarden, Sundararajan 2009 (geometric noise); Dwork, McSherry, Nissim, Smith 2006 (Laplace noise, of which a
number is seen as the nearest integer); Canonne, Kamath, Steinke 2020 (discrete Gaussian noise).
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import ceil, floor
from typing import Any, ClassVar

from flint import arb, fmpq

from dp_audit.oracles.base import (
    MAX_SIZE,
    DataSets,
    Number,
    Oracle,
    OracleKind,
    Product,
    epsilon,
    exponential,
    integer,
    part,
)
from dp_audit.oracles.readers import as_fraction, rational, several, signed
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import is_integer
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import current_bits, kept_by_precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare

MAX_OUTPUTS = 1 << 16
"""Laws on several numbers are listed: an oracle with more outputs is refused."""


class Noise(ABC):
    """Symmetric noise, seen as an integer. `real`: it is a real number, and seen as the nearest one."""

    real = False

    @abstractmethod
    def tail(self, distance: int) -> Number:
        """Return the probability that the noise is >= distance > 0, which is that of <= -distance."""

    def chance(self, noise: int) -> Number:
        """Return the probability of this noise."""
        return self.tail(abs(noise)) - self.tail(abs(noise) + 1) if noise else 1 - 2 * self.tail(1)

    def through(self, value: int, low: int, high: int) -> dict[Hashable, Number]:
        """Return the law of the noisy value, of which what is outside low .. high is merged."""
        inner: dict[Hashable, Number] = {y: self.chance(y - value) for y in range(low, high + 1)}
        return {"below": self.tail(value - low + 1), **inner, "above": self.tail(high + 1 - value)}


@dataclass(frozen=True)
class Exponentials(Noise):
    """Noise whose tails fall by a = e^(-epsilon / sensitivity) for every step."""

    epsilon: Budget[Real]
    sensitivity: Fraction

    def power(self, exponent: Fraction | int) -> Number:
        """Return a^exponent."""
        return exponential(self.epsilon, -Fraction(exponent) / self.sensitivity)


class GeometricNoise(Exponentials):
    """z with probability (1 - a) / (1 + a) a^|z|."""

    def tail(self, distance: int) -> Number:
        """Return a^distance / (1 + a)."""
        return self.power(distance) / (1 + self.power(1))


class LaplaceNoise(Exponentials):
    """Laplace noise of scale sensitivity / epsilon."""

    real = True

    def tail(self, distance: int) -> Number:
        """Return the probability that the noise is above distance - 1/2."""
        return self.power(Fraction(2 * distance - 1, 2)) / 2


@dataclass(frozen=True)
class GaussianNoise(Noise):
    """z with probability proportional to e^(-z^2 / (2 sigma^2)); balls of the current precision."""

    sigma: fmpq

    def tail(self, distance: int) -> arb:
        """Return the sum of the weights from `distance` on, divided by the sum of all."""
        return self.beyond(distance) / self._total()

    def chance(self, noise: int) -> arb:
        """Return the weight of this noise, divided by the sum of all."""
        return self._weight(noise) / self._total()

    @kept_by_precision(64)
    def _total(self) -> arb:
        """Return the sum of all weights."""
        return 2 * self.beyond(1) + 1

    def _weight(self, noise: int) -> arb:
        return arb(-fmpq(noise**2) / (2 * self.sigma**2)).exp()

    def beyond(self, distance: int) -> arb:
        """Return the sum of the weights from `distance` > 0 on.

        From z on they fall faster than geometrically, by the ratio of the weights of z + 1 and z.
        """
        total, z, small = arb(0), distance, arb(2) ** -(current_bits() + 8)
        while compare(self._weight(z), small * self._weight(distance)) is not Ordering.LESS:
            total, z = total + self._weight(z), z + 1
        rest = self._weight(z) / (1 - self._weight(z + 1) / self._weight(z))
        return total + arb(0).union(rest)


@dataclass(frozen=True)
class Windowed(Oracle):
    """Noisy values seen through a window: those outside low .. high are "below" or "above".

    Raises `DomainError` unless low < high, and there are two or more different true values between them.
    """

    values: tuple[int, ...]
    noise: Noise
    low: int | fmpq
    high: int | fmpq
    ends: ClassVar[str] = "low, high"

    def __post_init__(self) -> None:
        low, high = (as_fraction(fmpq(bound)) for bound in (self.low, self.high))
        if not low < high or high - low > MAX_SIZE:
            raise DomainError(self.ends, (self.low, self.high), f"numbers, the second larger by at most {MAX_SIZE}")
        if len(self.values) < 2 or len(set(self.values)) < len(self.values):
            raise DomainError("values", self.values, "two or more different integers")
        if not all(low <= value <= high for value in self.values):
            raise DomainError("values", self.values, f"integers in {low}..{high}")

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The true values."""
        return self.values

    def privacy(self) -> Number:
        """Return e^epsilon; for Gaussian noise, which has no epsilon, the largest ratio on the window.

        Gaussian tails being log-concave, that is the ratio of a tail on the extreme values.
        """
        if isinstance(self.noise, Exponentials):
            return exponential(self.noise.epsilon)
        least, largest = (self.law(value) for value in (min(self.values), max(self.values)))
        above, below = largest["above"] / least["above"], least["below"] / largest["below"]
        return below if compare(above, below) is Ordering.LESS else above

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the noisy value."""
        return self.viewed(self.require_input(item))

    def viewed(self, value: int) -> dict[Hashable, Number]:
        """Return the law of what is reported on a value."""
        return self.noise.through(value, int(self.low), int(self.high))

    @property
    def window(self) -> tuple[int, int] | None:
        """(low, high) if the noise is a real number: noisy numbers need not be rounded yet."""
        return (int(self.low), int(self.high)) if self.noise.real else None

    def view_of(self, output: Hashable) -> Hashable:
        """Return the nearest integer, if the noise is a real number; "below" or "above" outside the window."""
        return through_window(nearest(output) if self.noise.real else output, int(self.low), int(self.high))


@dataclass(frozen=True)
class Clipped(Windowed):
    """Noisy values outside low .. high are replaced by the nearest bound."""

    ends: ClassVar[str] = "lower, upper"

    def viewed(self, value: int) -> dict[Hashable, Number]:
        """Return the law with each tail added to the probability of its bound."""
        law, low, high = super().viewed(value), int(self.low), int(self.high)
        below, above = law.pop("below"), law.pop("above")
        return {**law, low: law[low] + below, high: law[high] + above}

    window: ClassVar[None] = None

    def view_of(self, output: Hashable) -> Hashable:
        """Return the output as it is."""
        return output


@dataclass(frozen=True)
class Folded(Clipped):
    """Geometric noise; noisy values outside low .. high are reflected at the bounds until they are inside.

    The bounds are integers or half-integers. The values that reach y are y and 2 low - y, plus multiples of
    p = 2 (high - low) (one class if they differ by such a multiple), and the sum of a^|r + k p| over all integers k,
    0 <= r < p, is (a^r + a^(p - r)) / (1 - a^p). Raises `DomainError` for other bounds.
    """

    noise: GeometricNoise

    def __post_init__(self) -> None:
        super().__post_init__()
        if any((2 * fmpq(bound)).q != 1 for bound in (self.low, self.high)):
            raise DomainError(self.ends, (self.low, self.high), "integers or half-integers")

    def viewed(self, value: int) -> dict[Hashable, Number]:
        """Return the law of the reflected value: for every integer the sum over the two classes of values that reach
        it."""
        low, high = ceil(as_fraction(fmpq(self.low))), floor(as_fraction(fmpq(self.high)))
        return {y: self.noise.chance(0) * self._classes(y, value) for y in range(low, high + 1)}

    def _classes(self, y: int, value: int) -> Number:
        period, mirrored = self._twice(self.high - self.low), self._twice(self.low) - y
        own = self._series((y - value) % period, period)
        return own if (mirrored - y) % period == 0 else own + self._series((mirrored - value) % period, period)

    def _series(self, remainder: int, period: int) -> Number:
        power = self.noise.power
        return (power(remainder) + power(period - remainder)) / (1 - power(period))

    @staticmethod
    def _twice(number: Any) -> int:
        return int((2 * fmpq(number)).p)


@dataclass(frozen=True)
class Counts(Product, DataSets):
    """Several counts, each with independent noise as `single` has it. An input is the number of a row of `counts`.

    Raises `DomainError` unless every two rows are neighbors, at most the sensitivity of the noise apart in the sum of
    absolute differences, and the law has at most `MAX_OUTPUTS` outputs.
    """

    counts: tuple[tuple[int, ...], ...]
    single: Windowed

    def __post_init__(self) -> None:
        assert isinstance(self.single.noise, Exponentials)
        if len({len(row) for row in self.counts}) != 1 or not self.counts[0]:
            raise DomainError("counts", self.counts, "two or more rows of equally many integers")
        for one, other in combinations(self.counts, 2):
            distance = sum(abs(a - b) for a, b in zip(one, other, strict=True))
            if not 0 < distance <= self.single.noise.sensitivity:
                raise DomainError("counts", self.counts, "different rows at most the sensitivity apart, in sum")
        if (int(self.single.high) - int(self.single.low) + 3) ** len(self.counts[0]) > MAX_OUTPUTS:
            raise DomainError("high", self.single.high, f"a window with at most {MAX_OUTPUTS} outputs")

    @property
    def number(self) -> int:
        """The number of rows."""
        return len(self.counts)

    def row(self, item: Any) -> tuple[Item, ...]:
        """Return the counts of a data set."""
        return self.counts[item]

    window: ClassVar[Any] = part("single", "window")

    def view_of(self, output: Hashable) -> Hashable:
        """Return the tuple with every number as one count is seen."""
        return tuple(map(self.single.view_of, output)) if isinstance(output, tuple) else output


def nearest(output: Hashable) -> Hashable:
    """Return the nearest integer of a rational number (halves, of probability 0, upwards); anything else as it is."""
    return int((output + fmpq(1, 2)).floor()) if isinstance(output, fmpq) else output


def through_window(output: Hashable, low: int, high: int) -> Hashable:
    """Return "below" or "above" for an integer beside the window low .. high; anything else as it is."""
    if not is_integer(output) or low <= output <= high:
        return output
    return "below" if output < low else "above"


# --- from parameters --------------------------------------------------------------------------------------------------


def _near(view: type[Windowed], noise: type[Exponentials], values: tuple[int, ...], **parameters: Any) -> Windowed:
    """Return a view of noisy values. Raises `DomainError` unless they are at most the sensitivity apart."""
    sensitivity, epsilon, low, high = parameters.values()
    if max(values, default=0) - min(values, default=0) > sensitivity:
        raise DomainError("values", values, f"integers at most the sensitivity {sensitivity} apart")
    return view(values, noise(epsilon, Fraction(sensitivity)), low, high)


def _gaussian(values: tuple[int, ...], sigma: fmpq, low: int, high: int) -> Windowed:
    if compare(sigma, 0) is not Ordering.GREATER:
        raise DomainError("sigma", sigma, "a number > 0")
    return Windowed(values, GaussianNoise(sigma), low, high)


def _discrete_laplace(values: tuple[int, ...], scale: fmpq, low: int, high: int) -> Windowed:
    """Return a window on values with two-sided geometric noise: epsilon = (largest - least value) / scale."""
    if compare(scale, 0) is not Ordering.GREATER:
        raise DomainError("scale", scale, "a number > 0")
    span = max(values, default=0) - min(values, default=0)
    if not span:
        raise DomainError("values", values, "two or more different integers")
    budget = Budget(as_fraction(span / scale))
    return Windowed(values, GeometricNoise(budget, Fraction(span)), low, high)


def _rounded(lower: int, upper: int, epsilon: Budget[Real]) -> Clipped:
    """Return the local Laplace mechanism of bounded integers: all of them are inputs, and the sensitivity is their
    range."""
    if not 0 < upper - lower <= MAX_SIZE:
        raise DomainError("upper", upper, f"an integer above lower = {lower} by at most {MAX_SIZE}")
    noise = LaplaceNoise(epsilon, Fraction(upper - lower))
    return Clipped(tuple(range(lower, upper + 1)), noise, lower, upper)


def _counts(
    counts: tuple[tuple[int, ...], ...], sensitivity: fmpq, epsilon: Budget[Real], low: int, high: int
) -> Counts:
    values = tuple(dict.fromkeys(x for row in counts for x in row))
    if compare(sensitivity, 0) is not Ordering.GREATER:
        raise DomainError("sensitivity", sensitivity, "a number > 0")
    return Counts(counts, Windowed(values, LaplaceNoise(epsilon, as_fraction(sensitivity)), low, high))


_VALUES = several(signed)
_WINDOW = {"low": signed, "high": signed}
_NEAR = {"values": _VALUES, "sensitivity": integer(1, 2**63), "epsilon": epsilon}
_NOISY = "an integer, an input one of the true values; all that is below low is one report, all above high another"
_LAW = "the true value + z, P(z) proportional to e^(-epsilon |z| / sensitivity)"
_BOUNDED = "an integer lower .. upper; an input is one of the true values"
KINDS = {
    "Geometric": OracleKind(partial(_near, Windowed, GeometricNoise), {**_NEAR, **_WINDOW}, _LAW, _NOISY),
    "GeometricTruncated": OracleKind(
        partial(_near, Clipped, GeometricNoise),
        {**_NEAR, "lower": signed, "upper": signed},
        f"{_LAW}, replaced by the nearest bound where it is outside",
        _BOUNDED,
    ),
    "GeometricFolded": OracleKind(
        partial(_near, Folded, GeometricNoise),
        {**_NEAR, "lower": rational, "upper": rational},
        f"{_LAW}, mirrored at the bounds (y becomes 2 upper - y, or 2 lower - y) until it is inside",
        _BOUNDED,
    ),
    "RoundedLaplace": OracleKind(
        _rounded,
        {"lower": signed, "upper": signed, "epsilon": epsilon},
        "the input + Laplace noise of scale (upper - lower) / epsilon, rounded, then clipped",
        "an integer lower .. upper, as the input is",
    ),
    "Laplace": OracleKind(
        partial(_near, Windowed, LaplaceNoise),
        {**_NEAR, **_WINDOW},
        "the true value + Laplace noise of scale sensitivity / epsilon",
        "a number, seen as the nearest integer, an input one of the true values; all that is below low is one report, "
        "all above high another",
    ),
    "LaplaceCounts": OracleKind(
        _counts,
        {"counts": several(_VALUES, 2), "sensitivity": rational, "epsilon": epsilon, **_WINDOW},
        "every count + independent Laplace noise of scale sensitivity / epsilon",
        "a list of numbers, each seen as by Laplace; an input is the number of a row of counts",
        words={"sensitivity": ("by how much one user changes the counts, in the sum of absolute values", "2")},
    ),
    "DiscreteGaussian": OracleKind(
        _gaussian,
        {"values": _VALUES, "sigma": rational, **_WINDOW},
        "the true value + z, P(z) proportional to e^(-z^2 / (2 sigma^2))",
        _NOISY,
    ),
    "DiscreteLaplace": OracleKind(
        _discrete_laplace,
        {"values": _VALUES, "scale": rational, **_WINDOW},
        "the true value + z, P(z) proportional to e^(-|z| / scale)",
        _NOISY,
    ),
}
