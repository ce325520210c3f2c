"""Two numbers of two finite laws that no rational computation gives, enclosed: rho of zero-concentrated privacy, and mu
of Gaussian privacy.

Bun, Steinke 2016 (rho: the largest Renyi divergence by its order); Dong, Roth, Su 2022 (mu: of the Gaussian laws that
are as hard to tell apart).
"""

import heapq
from fractions import Fraction
from functools import lru_cache

from flint import arb, arb_series, fmpq

from dp_audit.oracles.laws import Chances
from dp_spec.vocabulary.precision import allow_series, precision
from dp_spec.vocabulary.scalar import Ordering, compare

BITS = 192
TERMS = 8
"""Of a Taylor polynomial on a piece, beside its remainder."""
MOST_PIECES = 4000
FINE = fmpq(1, 2**48)
"""A piece that is not wider is divided no further."""
NEAR = fmpq(1, 2**72)
"""Laws that are nearer have rates that the balls here do not tell from 0."""
NEWTON = 8
"""Steps to where a concave piece has its maximum."""


# --- rho --------------------------------------------------------------------------------------------------------------


def rho(chances: Chances) -> fmpq | arb | None:
    """Return a ball around sup over orders a > 1 of D_a / a, of both directions; 0 for equal laws, None: infinite.

    Laws that do not sum to 1, as those of doubles, are scaled so that they do. Of laws whose ratios are all within
    `NEAR` of 1 it is at most half of the square of the largest privacy loss (Bun, Steinke 2016, proposition 3.3).
    """
    if any(p == 0 or q == 0 for p, q in chances):
        return None
    if all(p == q for p, q in chances):
        return fmpq(0)
    total, other = (sum((pair[k] for pair in chances), fmpq(0)) for k in (0, 1))
    scaled = [(p / total, q / other) for p, q in chances]
    if all(p == q for p, q in scaled):
        return fmpq(0)
    excess = max(max(p / q, q / p) for p, q in scaled) - 1
    if excess < NEAR:
        with precision(BITS):
            return arb(0).union(arb(excess**2) / 2)
    return _rho(tuple(sorted((_fraction(p), _fraction(q)) for p, q in scaled)))


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


@lru_cache(maxsize=4096)
def _rho(chances: tuple[tuple[Fraction, Fraction], ...]) -> arb:
    exact = [(fmpq(p.numerator, p.denominator), fmpq(q.numerator, q.denominator)) for p, q in chances]
    with precision(BITS):
        allow_series(TERMS + 4)
        one, other = _Rate(exact).enclosure(), _Rate([(q, p) for p, q in exact]).enclosure()
        low, high = (max(ends, key=lambda end: end.fmpq()) for ends in zip(one, other, strict=True))
        return low.union(high)


class _Rate:
    """The rate D_a / a of a law beside another one, as a function of the order a >= 1 (at 1: Kullback-Leibler).

    With K(s) = log sum p e^(s log(p / q)) the divergence of order a = 1 + s is K(s) / s.
    """

    def __init__(self, chances: list[tuple[fmpq, fmpq]]) -> None:
        self._weights = [(arb(p), arb(p / q).log()) for p, q in chances]
        self._largest = arb(max(p / q for p, q in chances)).log()

    def enclosure(self) -> tuple[arb, arb]:
        """Return a lower and an upper bound of the largest rate.

        Pieces of the orders are divided until the rate is monotone or concave on each, by Taylor polynomials with
        enclosed remainders; a piece on which the divergence at its end, divided by its beginning, is below a rate that
        is attained has no maximum. Beyond the last piece no rate is as large, since no divergence exceeds the largest
        privacy loss.
        """
        self.best = self.at(fmpq(1)).lower()
        self.highest = self.at(fmpq(1)).upper()
        order, pieces = fmpq(1), []
        while not _is_below(self._largest, self.best * order):
            pieces.append((order, 2 * order))
            order *= 2
            self._attained(self.at(order))
        waiting = [(float(self._crude(piece).mid()) * -1, piece) for piece in pieces]
        heapq.heapify(waiting)
        steps = 0
        while waiting:
            _, piece = heapq.heappop(waiting)
            steps += 1
            if _is_below(self._crude(piece), self.best) or self._settled(piece):
                continue
            if piece[1] - piece[0] <= FINE or steps > MOST_PIECES:
                self._at_most(self._crude(piece).upper())
                continue
            middle = (piece[0] + piece[1]) / 2
            self._attained(self.at(middle))
            for half in ((piece[0], middle), (middle, piece[1])):
                heapq.heappush(waiting, (-float(self._crude(half).mid()), half))
        return self.best, self.highest

    def at(self, order: fmpq) -> arb:
        """Return the rate at an order."""
        if order == 1:
            return sum((weight * loss for weight, loss in self._weights), arb(0))
        return self._moments(arb(order - 1), 1)[0].log() / (order - 1) / order

    def _attained(self, rate: arb) -> None:
        """Keep a rate that there is."""
        if _is_below(self.best, rate.lower()):
            self.best = rate.lower()
        self._at_most(rate.upper())

    def _at_most(self, rate: arb) -> None:
        """Keep an upper bound of the rate on a piece, or at a place that a piece ends in."""
        if _is_below(self.highest, rate):
            self.highest = rate

    def _crude(self, piece: tuple[fmpq, fmpq]) -> arb:
        """Return an upper bound: divergences grow with the order."""
        return self.at(piece[1]) * piece[1] / piece[0]

    def _settled(self, piece: tuple[fmpq, fmpq]) -> bool:
        """Return whether the rate is monotone on the piece, so that its ends bound it, or concave, so that a tangent
        does, which is kept then."""
        middle, half = (piece[0] + piece[1]) / 2, arb((piece[1] - piece[0]) / 2)
        exact = self._rates(middle, fmpq(0))
        remainders = self._rates(middle, (piece[1] - piece[0]) / 2)
        if _has_sign(_derivative(exact, 1), _derivative(remainders, 1), half) != 0:
            return True
        if _has_sign(_derivative(exact, 2), _derivative(remainders, 2), half) >= 0:
            return False
        self._bound_by_tangent(piece)
        return True

    def _bound_by_tangent(self, piece: tuple[fmpq, fmpq]) -> None:
        """Keep the tangent's bound of a concave piece, close to its maximum."""
        place = (piece[0] + piece[1]) / 2
        for _ in range(NEWTON):
            rates = self._rates(place, fmpq(0))
            step = rates[1] / (2 * rates[2])
            if not step.is_finite():
                break
            moved = (arb(place) - step).mid().fmpq()
            place = min(max(moved, piece[0]), piece[1])
        rates = self._rates(place, fmpq(0))
        self._attained(rates[0])
        for end in piece:
            self._at_most((rates[0] + rates[1] * arb(end - place)).upper())

    def _rates(self, middle: fmpq, radius: fmpq) -> list[arb]:
        """Return the Taylor coefficients of the rate at every order within the radius."""
        s, order = arb(middle - 1, arb(radius)), arb(middle, arb(radius))
        if middle - 1 > 2 * radius:
            divergences = arb_series(self._moments(s, TERMS + 3), TERMS + 3).log() / arb_series([s, 1], TERMS + 3)
        else:  # with K(0) = 0, the n-th coefficient of K(s) / s is one of K, the (n + 1)-st, at some place up to s
            end = (middle - 1 + radius) / 2
            series = arb_series(self._moments(arb(end, arb(end)), TERMS + 4), TERMS + 4).log()
            divergences = arb_series([series[k + 1] for k in range(TERMS + 3)], TERMS + 3)
        rates = divergences / arb_series([order, 1], TERMS + 3)
        return [rates[k] for k in range(TERMS + 3)]

    def _moments(self, s: arb, terms: int) -> list[arb]:
        """Return the Taylor coefficients of sum p e^(s log(p / q)) at s."""
        sums = [arb(0)] * terms
        for weight, loss in self._weights:
            term = weight * (s * loss).exp()
            for k in range(terms):
                sums[k] += term
                term = term * loss / (k + 1)
        return sums


def _is_below(left: arb, right: arb) -> bool:
    """Return whether all of a ball is below another one."""
    return compare(left, right) is Ordering.LESS


def _derivative(coefficients: list[arb], times: int) -> list[arb]:
    for _ in range(times):
        coefficients = [k * c for k, c in enumerate(coefficients)][1:]
    return coefficients[: TERMS + 1]


def _has_sign(exact: list[arb], remainders: list[arb], half: arb) -> int:
    """Return the sign that a function has within `half` of the place of its Taylor coefficients; 0 if it may change.

    The last one is taken from all places.
    """
    coefficients = [*exact[:TERMS], remainders[TERMS]]
    change = sum((abs(c) * half ** (k + 1) for k, c in enumerate(coefficients[1:])), arb(0))
    if _is_below(change, coefficients[0]):
        return 1
    return -1 if _is_below(coefficients[0], -change) else 0


# --- mu ---------------------------------------------------------------------------------------------------------------


def mu(chances: Chances) -> fmpq | arb | None:
    """Return a ball around the smallest mu whose Gaussian laws are at least as easy to tell apart; None: infinite.

    The trade-off of two finite laws is a convex broken line, that of the Gaussian laws is convex: it is below wherever
    it is below at the corners. It is its own inverse, so one direction of the laws is enough.
    """
    if any(p == 0 or q == 0 for p, q in chances):
        return None
    ordered = sorted(chances, key=lambda pair: pair[0] / pair[1])
    p, q = (sum((pair[k] for pair in ordered), fmpq(0)) for k in (0, 1))
    at_corners: list[arb] = []
    left, right = fmpq(0), fmpq(0)
    with precision(BITS):
        for a, b in ordered[:-1]:
            left, right = left + a, right + b
            at_corners.append(normal_quantile(right / q) - normal_quantile(left / p))
        if not at_corners:
            return fmpq(0)
        low, high = max(x.lower().fmpq() for x in at_corners), max(x.upper().fmpq() for x in at_corners)
        return arb(low).union(arb(high))


def normal_quantile(probability: fmpq) -> arb:
    """Return where the normal distribution has this probability below it, 0 < probability < 1."""
    if 2 * probability > 1:
        return -normal_quantile(1 - probability)
    return -arb(2).sqrt() * arb(2 * probability).erfcinv()
