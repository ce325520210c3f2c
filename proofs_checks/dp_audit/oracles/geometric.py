"""Oracles of integers with additive noise: two-sided geometric (discrete Laplace) noise, and rounded Laplace noise.

Ghosh, Roughgarden and Sundararajan 2009. With a = e^(-epsilon / sensitivity) the noise is z with probability
(1 - a) / (1 + a) a^|z|. An infinite support is made finite by merging the tails, and bounded mechanisms map what falls
outside their range back into it: post-processing both, so that the bound e^epsilon stays. The inputs are true values of
a query on data sets, every two of them neighbors.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from flint import fmpq

from dp_audit.oracles.additive import as_fraction, listed, rational
from dp_audit.oracles.base import MAX_SIZE, Epsilon, Number, Oracle, OracleKind, epsilon, integer
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item


@dataclass(frozen=True)
class IntegerNoise(Oracle):
    """True values, the sensitivity of the query, and the budget.

    Raises `DomainError` unless there are two or more different values, every two at most `sensitivity` apart.
    """

    values: tuple[int, ...]
    sensitivity: int
    epsilon: Epsilon

    def __post_init__(self) -> None:
        if len(self.values) < 2 or len(set(self.values)) < len(self.values):
            raise DomainError("values", self.values, "two or more different integers")
        if max(self.values) - min(self.values) > self.sensitivity:
            raise DomainError("values", self.values, f"integers at most the sensitivity {self.sensitivity} apart")

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The true values."""
        return self.values

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the noisy value."""
        return self._law(self.require_input(item))

    @abstractmethod
    def _law(self, value: int) -> Mapping[Hashable, Number]:
        """Law of the noisy value."""

    def power(self, exponent: int) -> Number:
        """a^exponent."""
        return self.epsilon.exp(Fraction(-exponent, self.sensitivity))

    def chance(self, noise: int) -> Number:
        """Probability of this noise."""
        return (1 - self.power(1)) / (1 + self.power(1)) * self.power(abs(noise))

    def beyond(self, distance: int) -> Number:
        """Probability that the noise is >= distance > 0; and so of <= -distance."""
        return self.power(distance) / (1 + self.power(1))

    def seen_in(self, value: int, low: int, high: int) -> dict[Hashable, Number]:
        """Law of the noisy value, of which what is outside low .. high is merged."""
        inner: dict[Hashable, Number] = {y: self.chance(y - value) for y in range(low, high + 1)}
        return {"below": self.beyond(value - low + 1), **inner, "above": self.beyond(high + 1 - value)}


@dataclass(frozen=True)
class Windowed(IntegerNoise):
    """Noise without bounds; what is outside a window low .. high is merged into "below" and "above".

    Raises `DomainError` unless low < high and the true values are between them.
    """

    low: int
    high: int

    def __post_init__(self) -> None:
        super().__post_init__()
        require_range("high", self.values, fmpq(self.low), fmpq(self.high))
        require_few(self.low, self.high)


@dataclass(frozen=True)
class Geometric(Windowed):
    """The unbounded mechanism, seen through a window."""

    def seen(self, output: Hashable) -> Hashable:
        """An integer outside the window is "below" or "above"."""
        return windowed(output, self.low, self.high)

    def _law(self, value: int) -> Mapping[Hashable, Number]:
        return self.seen_in(value, self.low, self.high)


@dataclass(frozen=True)
class GeometricTruncated(IntegerNoise):
    """Noisy values outside lower .. upper are replaced by the nearest bound.

    Raises `DomainError` unless lower < upper and the true values are between them.
    """

    lower: int
    upper: int

    def __post_init__(self) -> None:
        super().__post_init__()
        require_range("upper", self.values, fmpq(self.lower), fmpq(self.upper))
        require_few(self.lower, self.upper)

    def _law(self, value: int) -> Mapping[Hashable, Number]:
        return clipped(self.seen_in(value, self.lower, self.upper), self.lower, self.upper)


@dataclass(frozen=True)
class GeometricFolded(IntegerNoise):
    """Noisy values outside lower .. upper are reflected at the bounds until they are inside.

    The bounds are integers or half-integers. The values that reach y are y and 2 lower - y, plus multiples of
    p = 2 (upper - lower) (one class if they differ by such a multiple), and the sum of a^|r + k p| over all integers k,
    0 <= r < p, is (a^r + a^(p - r)) / (1 - a^p). Raises `DomainError` as `GeometricTruncated`.
    """

    lower: fmpq
    upper: fmpq

    def __post_init__(self) -> None:
        super().__post_init__()
        require_range("upper", self.values, self.lower, self.upper)
        if (2 * self.lower).q != 1 or (2 * self.upper).q != 1:
            raise DomainError("lower, upper", (self.lower, self.upper), "integers or half-integers")

    def _law(self, value: int) -> Mapping[Hashable, Number]:
        factor = (1 - self.power(1)) / (1 + self.power(1))
        low, high = ceil(as_fraction(self.lower)), floor(as_fraction(self.upper))
        return {y: factor * self._classes(y, value) for y in range(low, high + 1)}

    def _classes(self, y: int, value: int) -> Number:
        period, mirrored = self._twice(self.upper - self.lower), self._twice(self.lower) - y
        own = self._series((y - value) % period, period)
        return own if (mirrored - y) % period == 0 else own + self._series((mirrored - value) % period, period)

    def _series(self, remainder: int, period: int) -> Number:
        return (self.power(remainder) + self.power(period - remainder)) / (1 - self.power(period))

    @staticmethod
    def _twice(number: fmpq) -> int:
        return int((2 * number).p)


@dataclass(frozen=True)
class RoundedLaplace(Oracle):
    """x + Laplace((upper - lower) / epsilon), rounded to an integer, then clipped to lower .. upper: the local Laplace
    mechanism of bounded integers. All integers lower .. upper are inputs. Raises `DomainError` unless lower < upper."""

    lower: int
    upper: int
    epsilon: Epsilon

    def __post_init__(self) -> None:
        require_range("upper", (), fmpq(self.lower), fmpq(self.upper))
        require_few(self.lower, self.upper)

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The integers of the range."""
        return tuple(range(self.lower, self.upper + 1))

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """That of the rounded number, clipped."""
        if isinstance(item, bool) or not isinstance(item, int) or not self.lower <= item <= self.upper:
            raise DomainError("item", item, f"one of {self.lower}..{self.upper}")
        law = rounded(item, self.lower, self.upper, self.epsilon, Fraction(self.upper - self.lower))
        return clipped(law, self.lower, self.upper)


def rounded(value: int, low: int, high: int, epsilon: Epsilon, sensitivity: Fraction) -> dict[Hashable, Number]:
    """Law of value + Laplace noise of scale sensitivity / epsilon, rounded to an integer and merged outside
    low .. high."""

    def above(halves: int) -> Number:
        """Probability that the noise is above halves / 2, an odd number of halves."""
        far = epsilon.exp(Fraction(-abs(halves), 2) / sensitivity) / 2
        return far if halves > 0 else 1 - far

    inner: dict[Hashable, Number] = {
        y: above(2 * (y - value) - 1) - above(2 * (y - value) + 1) for y in range(low, high + 1)
    }
    return {"below": above(2 * (value - low) + 1), **inner, "above": above(2 * (high - value) + 1)}


def clipped(law: Mapping[Hashable, Number], low: int, high: int) -> dict[Hashable, Number]:
    """The law where what is outside low .. high is replaced by the nearest bound."""
    inner = {y: p for y, p in law.items() if not isinstance(y, str)}
    return {**inner, low: inner[low] + law["below"], high: inner[high] + law["above"]}


def require_range(name: str, values: tuple[int, ...], lower: fmpq, upper: fmpq) -> None:
    low, high = as_fraction(lower), as_fraction(upper)
    if not low < high:
        raise DomainError(name, upper, f"a number > {lower}, the other bound")
    if any(not low <= value <= high for value in values):
        raise DomainError("values", values, f"integers in {lower}..{upper}")


def windowed(output: Hashable, low: int, high: int) -> Hashable:
    """An integer below or above a window by that name; anything else as it is."""
    if isinstance(output, bool) or not isinstance(output, int) or low <= output <= high:
        return output
    return "below" if output < low else "above"


def require_few(lower: int, upper: int) -> None:
    """Laws on lower .. upper are listed."""
    if upper - lower > MAX_SIZE:
        raise DomainError("bounds", (lower, upper), f"two integers at most {MAX_SIZE} apart")


# --- parameters -------------------------------------------------------------------------------------------------------


def signed(name: str, value: object) -> int:
    """The reader of integers of either sign, also as text. Raises `DomainError`."""
    return integer(-(2**63), 2**63)(name, value)


def signed_list(name: str, value: object) -> tuple[int, ...]:
    """The reader of a list of integers of either sign, or text as "[-1, 0]". Raises `DomainError`."""
    return tuple(signed(name, x) for x in listed(name, value, 'integers, or text as "[-1, 0, 1]"'))


def _kind(
    make: Callable[..., IntegerNoise], law: str, report: str, **more: Callable[[str, object], object]
) -> OracleKind:
    readers = {"values": signed_list, "sensitivity": integer(1, 2**63), "epsilon": epsilon, **more}
    return OracleKind(make, readers, law, report)


NOISY = "an integer, an input one of the true values; all that is below low is one report, all above high another"
_LAW = "the true value + z, P(z) proportional to e^(-epsilon |z| / sensitivity)"
_BOUNDED = "an integer lower .. upper; an input is one of the true values"
KINDS = {
    "Geometric": _kind(Geometric, _LAW, NOISY, low=signed, high=signed),
    "GeometricTruncated": _kind(
        GeometricTruncated,
        f"{_LAW}, replaced by the nearest bound where it is outside",
        _BOUNDED,
        lower=signed,
        upper=signed,
    ),
    "GeometricFolded": _kind(
        GeometricFolded,
        f"{_LAW}, mirrored at the bounds (y becomes 2 upper - y, or 2 lower - y) until it is inside",
        _BOUNDED,
        lower=rational,
        upper=rational,
    ),
    "RoundedLaplace": OracleKind(
        RoundedLaplace,
        {"lower": signed, "upper": signed, "epsilon": epsilon},
        "the input + Laplace noise of scale (upper - lower) / epsilon, rounded, then clipped",
        "an integer lower .. upper, as the input is",
    ),
}
