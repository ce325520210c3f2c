"""Delta of noise at every epsilon, enclosed: what the numbers of accountants are compared with.

The privacy loss of one answer has a closed form. The losses of many answers are summed on a grid, twice, with two pairs
of laws that have their losses there: one that is at least as easy to tell apart (its curve of delta is interpolated by
lines in e^epsilon, above a convex one), and one that is at most as easy (outcomes are merged, and their losses rounded
down). Both differ from the true one by the square of the step.

Dwork, Rothblum 2016 (privacy loss); Balle, Wang 2018 (Gaussian noise); Doroshenko, Ghazi, Kamath, Kumar, Manurangsi
2022 (the interpolation).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from flint import arb, fmpq, fmpz_poly

from dp_audit.oracles.laws import Chances
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

BITS = 192
CELLS = 2048
"""Of the losses of one answer, if many are summed."""
NEGLIGIBLE = fmpq(1, 2**80)
"""Beyond the grid a loss has no more than this probability."""
UNIT = 1 << 160
"""Masses on a grid are integers, of which so many are 1."""
TINY = fmpq(1, 2**2000)
"""Nearer to 0 no probability is told from it: it would have too many digits."""
CENTRAL = fmpq(1, 2**56)
"""Cells with more than this are not rounded down by a whole step."""


def normal_tail(x: arb) -> arb:
    """Return the probability that a normal number is above x."""
    return (x / arb(2).sqrt()).erfc() / 2


class Loss(ABC):
    """The privacy loss log P / Q of one answer, in one direction."""

    @property
    def largest(self) -> fmpq | None:
        """Return a bound of its modulus; None: there is none."""
        return None

    @abstractmethod
    def above(self, epsilon: arb) -> tuple[arb, arb]:
        """Return the probabilities under P and Q that the loss is above epsilon."""

    def delta(self, epsilon: arb) -> arb:
        """Return what P exceeds e^epsilon times Q by."""
        p, q = self.above(epsilon)
        return p - epsilon.exp() * q


@dataclass(frozen=True)
class GaussianLoss(Loss):
    """Normal noise: the quotient of sensitivity and standard deviation."""

    shift: arb

    def above(self, epsilon: arb) -> tuple[arb, arb]:
        """Return the tails beyond where the ratio of two normal densities is e^epsilon."""
        place = epsilon / self.shift
        return normal_tail(place - self.shift / 2), normal_tail(place + self.shift / 2)


@dataclass(frozen=True)
class LaplaceLoss(Loss):
    """Laplace noise: the quotient of sensitivity and scale, which is the largest loss."""

    epsilon: fmpq

    @property
    def largest(self) -> fmpq | None:
        """Return the bound."""
        return self.epsilon

    def above(self, epsilon: arb) -> tuple[arb, arb]:
        """Return the probabilities of the half line where the ratio is larger."""
        if compare(epsilon, self.epsilon) is not Ordering.LESS:
            return arb(0), arb(0)
        if compare(epsilon, -self.epsilon) is Ordering.LESS:
            return arb(1), arb(1)
        near, far = (self.epsilon - epsilon) / 2, (self.epsilon + epsilon) / 2
        return 1 - (-near).exp() / 2, (-far).exp() / 2


@dataclass(frozen=True)
class SampledGaussianLoss(Loss):
    """Normal noise on the records that are drawn, each with the probability `rate`, 0 < rate < 1; sensitivity 1.

    `removed`: P is the law with the record, else the one without.
    """

    sigma: fmpq
    rate: fmpq
    removed: bool

    def above(self, epsilon: arb) -> tuple[arb, arb]:
        """Return the probabilities of the half line where the ratio is larger: the ratio grows with the answer."""
        excess = (epsilon if self.removed else -epsilon).exp() - (1 - self.rate)
        if compare(excess, 0) is not Ordering.GREATER:
            return (arb(1), arb(1)) if self.removed else (arb(0), arb(0))
        place = self.sigma**2 * (excess / self.rate).log() + arb(1) / 2
        side = 1 if self.removed else -1
        without = normal_tail(side * place / self.sigma)
        mixed = (1 - self.rate) * without + self.rate * normal_tail(side * (place - 1) / self.sigma)
        return (mixed, without) if self.removed else (without, mixed)


# --- curves -----------------------------------------------------------------------------------------------------------


class Curve(ABC):
    """A privacy curve: delta at every epsilon >= 0."""

    @abstractmethod
    def delta(self, epsilon: fmpq) -> tuple[fmpq, fmpq]:
        """Return a lower and an upper bound of delta."""


@dataclass(frozen=True)
class OneAnswer(Curve):
    """The curve of one answer, or of many that are as hard to tell apart as one."""

    loss: Loss

    def delta(self, epsilon: fmpq) -> tuple[fmpq, fmpq]:
        """Return the ends of a ball."""
        with precision(BITS):
            return ends_of(self.loss.delta(arb(epsilon)))


@dataclass(frozen=True)
class Largest(Curve):
    """The larger one of several curves: of both directions."""

    curves: tuple[Curve, ...]

    def delta(self, epsilon: fmpq) -> tuple[fmpq, fmpq]:
        """Return the largest ends."""
        ends = [curve.delta(epsilon) for curve in self.curves]
        return max(low for low, _ in ends), max(high for _, high in ends)


@dataclass(frozen=True)
class Discrete(Curve):
    """The curve of two finite laws, by what they show."""

    chances: Chances

    def delta(self, epsilon: fmpq) -> tuple[fmpq, fmpq]:
        """Return the ends of a ball, of both directions."""
        with precision(BITS):
            factor = arb(epsilon).exp()
            added = sum(((p - factor * q).max(0) for p, q in self.chances), arb(0))
            removed = sum(((q - factor * p).max(0) for p, q in self.chances), arb(0))
            return ends_of(added.max(removed))


def ends_of(ball: arb) -> tuple[fmpq, fmpq]:
    """Return the ends of a probability, within 0 ... 1; what is next to nothing is between 0 and `TINY`, and of a ball
    that has no bounds nothing is known."""
    if not ball.is_finite():
        return fmpq(0), fmpq(1)
    if compare(ball, 1) is Ordering.GREATER:
        return fmpq(1), fmpq(1)
    if compare(ball, TINY) is Ordering.LESS:
        return fmpq(0), TINY if compare(ball, 0) is not Ordering.EQUAL else fmpq(0)
    high = fmpq(1) if compare(ball.upper(), 1) is Ordering.GREATER else ball.upper().fmpq()
    return (ball.lower().fmpq() if compare(ball.lower(), TINY) is Ordering.GREATER else fmpq(0)), high


class Summed(Curve):
    """The curve of `times` independent answers of one loss."""

    def __init__(self, loss: Loss, times: int, cells: int = CELLS) -> None:
        self._loss, self._times, self._cells = loss, times, cells

    def delta(self, epsilon: fmpq) -> tuple[fmpq, fmpq]:
        """Return bounds by the two grids."""
        with precision(BITS):
            return ends_of(self._harder.delta(epsilon))[0], ends_of(self._easier.delta(epsilon))[1]

    @cached_property
    def _grid(self) -> tuple[fmpq, fmpq]:
        """Return where the losses begin, and their step: beyond both ends there is nothing, or next to nothing."""
        if self._loss.largest is not None:
            return -self._loss.largest, 2 * self._loss.largest / self._cells
        low, high = fmpq(-1, 64), fmpq(1, 64)
        while compare(self._loss.above(arb(high))[0], NEGLIGIBLE) is not Ordering.LESS and high < 4096:
            high *= fmpq(5, 4)
        while compare(1 - self._loss.above(arb(low))[0], NEGLIGIBLE) is not Ordering.LESS and low > -4096:
            low *= fmpq(5, 4)
        step = (high - low) / self._cells
        return low, _dyadic(step)

    def _losses(self) -> list[fmpq]:
        low, step = self._grid
        return [low + k * step for k in range(self._cells + 1)]

    @cached_property
    def _easier(self) -> "_Sum":
        """Return the sum of losses on the grid whose curve of delta goes through the true one there, and is a line in
        e^epsilon between."""
        losses = self._losses()
        at = [arb(loss).exp() for loss in losses]
        deltas = [self._loss.delta(arb(loss)) for loss in losses]
        slopes = [(deltas[0] - 1) / at[0]]
        slopes += [(deltas[k + 1] - deltas[k]) / (at[k + 1] - at[k]) for k in range(len(at) - 1)]
        masses = [t * (b - a) for t, a, b in zip(at, slopes, [*slopes[1:], arb(0)], strict=True)]
        top = _units(deltas[-1], up=True)
        return _Sum.of(_Masses(losses[0], self._grid[1], [_units(mass, up=True) for mass in masses], top), self._times)

    @cached_property
    def _harder(self) -> "_Sum":
        """Return the sum of losses of merged outcomes, each rounded down to the grid, which is moved a little, so that
        few are rounded by a whole step; what is below the grid is left out."""
        losses, step = self._losses(), self._grid[1]
        above = [self._loss.above(arb(loss - step / 2)) for loss in losses]
        above.append((arb(0), arb(0)))
        merged = []
        for k in range(len(losses)):
            p, q = above[k][0] - above[k + 1][0], above[k][1] - above[k + 1][1]
            if compare(p, 0) is Ordering.GREATER and compare(q, 0) is Ordering.GREATER:
                merged.append((k, _units(p), (p / q).log().lower().fmpq()))
        central = [losses[k] - loss for k, mass, loss in merged if mass > CENTRAL * UNIT]
        low = losses[0] - _dyadic(max([fmpq(0), *central]))
        masses = [0] * len(losses)
        for _, mass, loss in merged:
            place = int(((loss - low) / step).floor())
            if place >= 0:
                masses[min(place, len(masses) - 1)] += mass
        return _Sum.of(_Masses(low, step, masses), self._times)


def _units(ball: arb, *, up: bool = False) -> int:
    """Return a probability in units, rounded down or up."""
    low, high = ends_of(ball)
    return int((high * UNIT).ceil()) if up else int((low * UNIT).floor())


def _dyadic(number: fmpq) -> fmpq:
    """Return a short number that is a little larger."""
    scale = 2**60
    return fmpq(int((number * scale).ceil()), scale)


@dataclass(frozen=True)
class _Masses:
    """Losses at low, low + step, ..., and at infinity, with masses in units: all of them rounded down where nothing is
    at infinity (None), else up."""

    low: fmpq
    step: fmpq
    masses: list[int]
    infinite: int | None = None

    def plus(self, other: "_Masses") -> "_Masses":
        """Return the sum of two independent losses on grids of one step."""
        product = [int(c) for c in (fmpz_poly(self.masses) * fmpz_poly(other.masses)).coeffs()]
        if self.infinite is None or other.infinite is None:
            return _Masses(self.low + other.low, self.step, [c // UNIT for c in product])._trimmed()
        infinite = self.infinite + other.infinite
        return _Masses(self.low + other.low, self.step, [-(-c // UNIT) for c in product], infinite)._trimmed()

    def _trimmed(self) -> "_Masses":
        """Return the same without ends that have next to no mass: rounded up to the next loss, or left out."""
        most = int(NEGLIGIBLE * UNIT)
        first, below = 0, 0
        while first < len(self.masses) - 1 and below + self.masses[first] <= most:
            below += self.masses[first]
            first += 1
        last, beyond = len(self.masses), 0
        while last > first + 1 and beyond + self.masses[last - 1] <= most:
            last -= 1
            beyond += self.masses[last]
        kept = self.masses[first:last]
        if self.infinite is None:
            return _Masses(self.low + first * self.step, self.step, kept)
        kept[0] += below
        return _Masses(self.low + first * self.step, self.step, kept, self.infinite + beyond)


class _Sum:
    """The curve of losses on a grid."""

    def __init__(self, sums: _Masses) -> None:
        self._low, self._step = sums.low, sums.step
        self._infinite = arb(sums.infinite or 0) / UNIT
        falling, factor = (-arb(sums.step)).exp(), (-arb(sums.low)).exp() / UNIT
        scaled: list[arb] = []
        for mass in sums.masses:
            scaled.append(mass * factor)
            factor = factor * falling
        self._above = list(accumulate(reversed(sums.masses)))[::-1]
        self._beside = list(accumulate(reversed(scaled)))[::-1]

    @classmethod
    def of(cls, one: _Masses, times: int) -> "_Sum":
        """Return the curve of so many independent ones, by squares."""
        total: _Masses | None = None
        power = one
        while times:
            if times % 2:
                total = power if total is None else total.plus(power)
            times //= 2
            power = power.plus(power) if times else power
        assert total is not None
        return cls(total)

    def delta(self, epsilon: fmpq) -> arb:
        """Return the sum of mass (1 - e^(epsilon - loss)) over losses above epsilon."""
        first = max(int(((epsilon - self._low) / self._step).ceil()), 0)
        if first >= len(self._above):
            return self._infinite
        return self._infinite + arb(self._above[first]) / UNIT - arb(epsilon).exp() * self._beside[first]
