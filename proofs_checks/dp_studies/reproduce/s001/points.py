"""A point of a table: its exact mean squared error, its simulated releases, and whether the two agree.

Y, the squared error of a range, or the mean of those of all ranges, of one release. Bets on the values of Y give
the lower end of the interval for E Y; the upper end is their mean divided by a ratio to E Y that the mean reaches,
which E Y^2 / (E Y)^2 gives. The error of a range with Laplace noise is normal with a random variance W: Laplace(b) is,
with variance 2 b^2 times an exponential variable, so that E W^2 / (E W)^2 = 1 + sum f^4 / (sum f^2)^2. See
`dp_studies.reproduce.intervals`.

Where Laplace noise is drawn on a grid, every z is off by half a unit at most: the errors of all ranges by (h + 1) / 2
units, as a range has the total and two nodes of every height, with factors of at most 1 and 1/2; so is the root of the
sum of their squares, times the root of their number (Minkowski). The ends are moved outwards by that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import Any

from flint import arb, fmpq

from dp_refimpl.matrix.fixed_range import algorithm3
from dp_spec.matrix import privelet
from dp_spec.vocabulary.precision import precision
from dp_studies.reproduce import intervals
from dp_studies.reproduce.numbers import BITS, beside, contains, decimal, signed
from dp_studies.reproduce.s001.error_laws import AverageForm, RangeForm, average_form
from dp_studies.reproduce.s001.noise import Noise, simulate
from dp_studies.reproduce.s001.settings import Point, Range


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A point and what its releases show (`noise.simulate`), with the level of a bound."""

    point: Point
    runs: Sequence[int]
    level: Fraction

    @cached_property
    def noise(self) -> Noise:
        """The law of the noise."""
        return Noise(self.point)

    @cached_property
    def form(self) -> RangeForm | AverageForm:
        """What the squared error is of the noise. All ranges of one value are one range."""
        asked, size = self.point.range, self.point.size
        if asked is None and size > 1:
            return average_form(size)
        return RangeForm(size, asked or Range(1, 1, 1))

    @property
    def coefficient(self) -> fmpq:
        """R_err of Algorithm 3, or the average coefficient (16)."""
        asked, height = self.point.range, self.point.height
        if asked is not None:
            return algorithm3(height, asked.first, asked.last)
        return fmpq(privelet.average().evaluate({"h": height}))

    @property
    def approximate(self) -> fmpq:
        """(17)."""
        return fmpq(privelet.approximate().evaluate({"h": self.point.height}))

    def error(self, coefficient: fmpq) -> arb | fmpq:
        """The mean squared error that belongs to a coefficient: for Laplace noise 2 (Delta / epsilon)^2 times it."""
        if self.noise.laplace:
            scale = privelet.SCALE.evaluate({"h": self.point.height, "eps": self.noise.epsilon})
            return 2 * fmpq(scale) ** 2 * coefficient
        with precision(BITS):
            return self.noise.variance * coefficient

    @property
    def relative_variance(self) -> arb | fmpq:
        """Var Y / (E Y)^2."""
        with precision(BITS):
            return self.form.relative_variance(self.noise.excess)

    @property
    def squares(self) -> list[int]:
        """Y of every release, in units of `unit`."""
        return list(self.runs) if self.point.range is None else [e * e for e in self.runs]

    @property
    def unit(self) -> fmpq:
        """(unit of the noise / N)^2, for all ranges divided by their number."""
        return (self.noise.unit / self.point.size) ** 2 / self._ranges

    @property
    def simulated(self) -> fmpq:
        """The mean of Y."""
        return self.unit * sum(self.squares) / len(self.runs)

    @cached_property
    def interval(self) -> tuple[arb, arb | None]:
        """Where E Y is; each end but for a probability <= level."""
        runs, ends = len(self.runs), [self._outwards(y) for y in self.squares]
        low = intervals.lower_mean([Fraction(y) for y, _ in ends], self.level)
        ratio = intervals.least_ratio(self._transform(), runs, self.level)
        with precision(BITS):
            high = None if ratio is None else self.unit * sum(y for _, y in ends) / runs / ratio
            return arb(self.unit * fmpq(low.numerator, low.denominator)), high

    def _transform(self) -> intervals.Transform:
        with precision(BITS):
            if isinstance(self.form, RangeForm) and self.noise.laplace:
                return intervals.mixed_normal(arb(1 + self.form.concentration))
            return intervals.two_moments(arb(1 + self.relative_variance))

    @property
    def _ranges(self) -> int:
        return 1 if self.point.range is not None else self.point.size * (self.point.size + 1) // 2

    def _outwards(self, square: int) -> tuple[int, int]:
        """Below and above what the square is of the noise that the draws stand for."""
        if not self._off:
            return square, square
        root = isqrt(square)
        return max(0, root - self._off) ** 2, (root + 1 + self._off) ** 2

    @cached_property
    def _off(self) -> int:
        """How far the root of a square can be off."""
        off = self.noise.off * self.point.size * (self.point.height + 1)
        return isqrt(int(off**2 * self._ranges)) + 1 if off else 0

    def exact(self, runs: int) -> dict[str, Any]:
        """The JSON of what is exact about the mean of so many releases."""
        point = self.point
        entry: dict[str, Any] = {"noise": point.kind, "epsilon": point.epsilon, "size": point.size}
        if point.range is not None:
            entry |= {name: getattr(point.range, name) for name in ("number", "first", "last")}
        else:
            difference = self.approximate / self.coefficient - 1
            value = signed(self.error(self.approximate))
            entry["approximate"] = {"value": value, "relative_difference": signed(difference)}
        with precision(BITS):
            deviation = arb(self.relative_variance / runs).sqrt()
        return entry | {
            "error": {"exact": signed(self.error(self.coefficient))},
            "relative_standard_error": decimal(deviation),
        }

    def result(self) -> dict[str, Any]:
        """The JSON of the point."""
        entry = self.exact(len(self.runs))
        entry["error"] = beside(self.error(self.coefficient), self.simulated, self.interval)
        entry["runs"] = [str(x) for x in self.runs]
        if self.point.range is None:
            entry["approximate"]["inside"] = contains(self.interval, self.error(self.approximate))
        return entry


def result(point: Point, runs: int, seed: int, level: Fraction) -> dict[str, Any]:
    """The point's releases and their comparison with the exact error, as JSON."""
    return Evaluation(point, simulate(Noise(point), runs, seed), level).result()
