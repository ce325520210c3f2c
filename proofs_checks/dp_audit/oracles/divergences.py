"""Divergences of two finite laws, always the larger one of both directions: of every notion of privacy its number.

The largest ratio and the moments of integer order are rational; delta is rational in e^epsilon; the others are balls.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb, fmpq

from dp_audit.oracles import concentration
from dp_audit.oracles.distances import BITS, Metric, Scaled, farther
from dp_audit.oracles.laws import Chances, chances, total_of
from dp_audit.oracles.readers import as_fraction, rational
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare

Pair = tuple[Hashable, Hashable]
"""Two laws."""
DIGITS = 10**6
"""A parameter with a larger denominator is written with decimals."""
LARGEST_POWER = 1024
"""Of an order that is larger the moment is no longer a number to write exactly."""
LARGEST_ORDER = 10**9
"""Of a larger one nothing is left of the digits of a ball."""


def _swapped(outcomes: Chances) -> Chances:
    return tuple((q, p) for p, q in outcomes)


def _either_way(of: Callable[[Chances], Scaled | None]) -> Callable[[Hashable, Hashable], Scaled | None]:
    """Return the larger one of both directions."""

    def scaled(x: Hashable, y: Hashable) -> Scaled | None:
        outcomes = chances(x, y)
        one, other = of(outcomes), of(_swapped(outcomes))
        return one if farther(one, other) else other

    return scaled


def _totals(law: Hashable) -> list[fmpq]:
    return [total_of(law)]


def _written(parameter: Fraction) -> str:
    """Return a parameter as it is, a double as decimals."""
    return str(parameter) if parameter.denominator < DIGITS else repr(float(parameter))


def exponential(exponent: fmpq) -> Real:
    """Return e to a rational number."""
    return Real.power(None, Fraction(int(exponent.p), int(exponent.q)))


def _logarithm(ratio: fmpq) -> fmpq | arb:
    if ratio == 1:
        return fmpq(0)
    with precision(BITS):
        return arb(ratio).log()


# --- pure and approximate privacy -------------------------------------------------------------------------------------


def _excess(outcomes: Chances, factor: Real | fmpq) -> Scaled:
    """Return the sum of what probabilities exceed `factor` times the other ones by."""
    surplus = [p - factor * q for p, q in outcomes]
    return sum((part for part in surplus if compare(part, 0) is Ordering.GREATER), Real.lift(0))


def _ratio_beyond(outcomes: Chances, delta: fmpq) -> fmpq | None:
    """Return the smallest factor c >= 1 such that probabilities exceed c times the other ones by delta at most.

    What they exceed it by is linear in c between the ratios. It is followed from the largest ratio down.
    """
    above = sum((p for p, q in outcomes if q == 0), fmpq(0))
    if compare(above, delta) is Ordering.GREATER:
        return None
    beside = fmpq(0)
    ordered = sorted(((p / q, p, q) for p, q in outcomes if q != 0), reverse=True)
    for k, (ratio, p, q) in enumerate(ordered):
        if ratio <= 1:
            break
        above, beside = above + p, beside + q
        following = max(ordered[k + 1][0], fmpq(1)) if k + 1 < len(ordered) else fmpq(1)
        if above - following * beside > delta:
            return (above - delta) / beside
    return fmpq(1)


def hockey_stick(epsilon: Fraction) -> Metric:
    """Return the delta of two laws at an epsilon >= 0."""
    exact = _exact(epsilon)
    factor = exponential(exact)
    return Metric(
        f"hockey-stick {_written(epsilon)}",
        f"the delta of two laws at epsilon = {_written(epsilon)}, either way",
        _either_way(lambda outcomes: _excess(outcomes, factor)),
        lowered=lambda delta: delta.enclosure(BITS),
        totals=_totals,
        of_laws=True,
    )


def max_divergence(delta: Fraction) -> Metric:
    """Return the smallest epsilon of two laws at a delta in 0 ... 1."""
    words = "the logarithm of the largest ratio of probabilities of an output, either way: the epsilon of pure privacy"
    return Metric(
        "max-divergence" if delta == 0 else f"max-divergence {_written(delta)}",
        words if delta == 0 else f"the smallest epsilon of two laws at delta = {_written(delta)}, either way",
        _either_way(lambda outcomes: _ratio_beyond(outcomes, _exact(delta))),
        raised=exponential,
        lowered=_logarithm,
        totals=_totals,
        of_laws=True,
    )


# --- Renyi divergences ------------------------------------------------------------------------------------------------


def _moment(outcomes: Chances, order: int) -> fmpq | None:
    """Return sum p^a q^(1 - a)."""
    if any(q == 0 for _, q in outcomes):
        return None
    return sum((q * (p / q) ** order for p, q in outcomes), fmpq(0))


def _renyi_ball(outcomes: Chances, order: fmpq) -> fmpq | arb | None:
    """Return the Renyi divergence of an order >= 1, that of order 1 by Kullback and Leibler."""
    if any(q == 0 for _, q in outcomes):
        return None
    if all(p == q for p, q in outcomes):
        return fmpq(0)
    with precision(BITS):
        positive = [(p, (arb(p) / arb(q)).log()) for p, q in outcomes if p != 0]
        if order == 1:
            return sum((arb(p) * loss for p, loss in positive), arb(0))
        total: arb = sum((arb(p) * (arb(order - 1) * loss).exp() for p, loss in positive), arb(0))
        return total.log() / (order - 1)


def renyi(order: Fraction) -> Metric:
    """Return the Renyi divergence of an order in 1 ... `LARGEST_ORDER`: of integers 2 ... `LARGEST_POWER` exact in the
    scale of moments."""
    exact = _exact(order)
    words = f"the Renyi divergence of order {_written(order)}, either way"
    if order.denominator != 1 or not 1 < order <= LARGEST_POWER:
        scaled = _either_way(lambda outcomes: _renyi_ball(outcomes, exact))
        return Metric(f"Renyi {_written(order)}", words, scaled, totals=_totals, of_laws=True)
    return Metric(
        f"Renyi {_written(order)}",
        words,
        _either_way(lambda outcomes: _moment(outcomes, int(order))),
        raised=lambda distance: exponential((exact - 1) * distance),
        lowered=lambda moment: _logarithm(moment) / (exact - 1),
        totals=_totals,
        of_laws=True,
    )


ZERO_CONCENTRATED = Metric(
    "zero-concentrated",
    "the rho of zero-concentrated privacy: the largest quotient of a Renyi divergence and its order, either way",
    lambda x, y: concentration.rho(chances(x, y)),
    totals=_totals,
    of_laws=True,
)
GAUSSIAN = Metric(
    "Gaussian",
    "the mu of Gaussian privacy: two normal laws with variance 1 and means 0 and mu are as easy to tell apart",
    lambda x, y: concentration.mu(chances(x, y)),
    totals=_totals,
    of_laws=True,
)


# --- families ---------------------------------------------------------------------------------------------------------

POINTS = 24
"""Of a curve, where what is declared is compared."""
DELTAS = (Fraction(0), Fraction(1, 2**30), Fraction(1, 2**20), Fraction(1, 2**10), Fraction(1, 2**4), Fraction(1, 2))
ORDERS = tuple(map(Fraction, (2, 3, 4, 5, 6, 8, 10, 16, 32, 64)))


@dataclass(frozen=True)
class Family:
    """Metrics that have a parameter: a curve, where it is left open.

    `at` is the metric at a parameter for which `allowed` holds, `domain` says this in words; `points` are parameters
    that tell the curves of some pairs of laws; `falls`: a distance is the smaller, the larger the parameter is.
    """

    name: str
    parameter: str
    domain: str
    allowed: Callable[[Fraction], bool]
    at: Callable[[Fraction], Metric]
    points: Callable[[Iterable[Pair]], list[Fraction]]
    falls: bool = True

    @property
    def curve(self) -> str:
        """Return the name with its parameter open."""
        return f"{self.name} {self.parameter}"


def _losses(pairs: Iterable[Pair]) -> list[Fraction]:
    """Return epsilons: 0, those where a delta bends, and one between each two and beyond the last, as doubles."""
    ratios = {max(p / q, q / p) for x, y in pairs for p, q in chances(x, y) if p != 0 and q != 0}
    knots = sorted({Fraction(float(_logarithm(ratio))) for ratio in ratios if ratio != 1})
    ends = [Fraction(0), *knots, 2 * knots[-1] if knots else Fraction(1)]
    between = [(a + b) / 2 for a, b in pairwise(ends)]
    return _some(sorted({Fraction(float(point)) for point in (*ends, *between)}))


def _some(points: list[Fraction]) -> list[Fraction]:
    """Return as many as are compared, the ends among them."""
    if len(points) <= POINTS:
        return points
    return [points[k * (len(points) - 1) // (POINTS - 1)] for k in range(POINTS)]


FAMILIES = (
    Family("hockey-stick", "EPSILON", "a rational epsilon >= 0", lambda e: e >= 0, hockey_stick, _losses),
    Family(
        "max-divergence",
        "DELTA",
        "a rational delta in 0 ... 1",
        lambda d: 0 <= d <= 1,
        max_divergence,
        lambda pairs: list(DELTAS),
    ),
    Family(
        "Renyi",
        "ORDER",
        "a rational order in 1 ... 10^9",
        lambda a: 1 <= a <= LARGEST_ORDER,
        renyi,
        lambda pairs: list(ORDERS),
        falls=False,
    ),
)


def _exact(number: Fraction) -> fmpq:
    return fmpq(number.numerator, number.denominator)


def require_parameter(parameter: str, name: str, family: Family, number: str) -> Fraction:
    """Return the parameter of a family, of its text. Raises `DomainError`, which names the parameter of the caller."""
    try:
        value = as_fraction(rational(parameter, number))
    except DomainError:
        value = None
    if value is None or not family.allowed(value):
        raise DomainError(parameter, name, f"{family.name} and {family.domain}, or {family.curve} for a curve")
    return value
