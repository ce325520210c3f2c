"""Noise that is compared with noise: the order of Laplace and of shifted exponential variables, in closed form.

On the pieces between their shifts, densities and distribution functions of such variables are sums of c t^k e^(a t),
and so are products of them and integrals of products. That is enough for every order in which each but the largest has
one that is next above it (a rooted tree): with

    G_v(x) = P(v <= x, and what is below v is in order) = integral of f_v G_c1 G_c2 ... up to x, for the c next below v,

the probability is that of the root, at infinity. It is computed to some digits, twice. That the order of the doubles is
another one has a probability that is bounded here.
"""

from __future__ import annotations

import decimal
import functools
import math
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .exponential_forms import ULPS, UNIT, Affine, Form, is_usual
from .partial_order import Order, bits, ordered, reversed_order, whole

DIGITS = (60, 90)
AGREE = Decimal(10) ** -36
"""Nearer than this, far below `orders.APPROXIMATE`, both computations have to be."""
MOST, TERMS = 16, 4096
"""So many draws are compared at most, and so many terms a piece has."""
NEAR_ONE = 64
"""In units: the error of log(2 - u - u) in numpy's formula, on average, by the rounding of 2 - u (half a unit, of an
argument of more than 2^-53: at most log(2^53) units, with some to spare)."""
Terms = Dict[Tuple[int, int], Decimal]
"""c by (k, a): the sum of c t^k e^(a t)."""


@dataclass(frozen=True)
class Noise(Affine):
    """shift + sign * scale * E for an exponential variable E; sign 0: Laplace noise, shift + scale * (E - E').

    The double that stands for it differs from it by `error` on average, at most.
    """

    sign: int
    scale: Fraction
    shift: Fraction = Fraction(0)
    error: Fraction = Fraction(0)
    _known: Dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def function(self) -> None:
        """Noise of any shift, scale and kind is compared."""

    @property
    def density(self) -> Fraction:
        """The largest value of its density."""
        return 1 / self.scale if self.sign else 1 / (2 * self.scale)

    def mirrored(self) -> "Noise":
        """The noise of the contrary sign."""
        return self._changed(sign=-self.sign, shift=-self.shift)

    def applied(self, name: str) -> None:
        """After a function of `math` or `numpy`: no noise of this kind."""

    def powered(self, exponent: Any) -> None:
        """After ** with a constant: no noise of this kind."""

    def moved(self, factor: Any, added: Fraction) -> Optional["Noise"]:
        if not is_usual(factor, added):
            return None
        scale, shift = self.scale * abs(factor), self.shift * factor + added
        sign = self.sign if factor > 0 else -self.sign
        exact = not added and abs(factor) == 1
        rounded = Fraction(0) if exact else UNIT * (abs(shift) + scale)
        return self._changed(sign=sign, scale=scale, shift=shift, error=self.error * abs(factor) + rounded)

    def _changed(self, **changes: Any) -> "Noise":
        return replace(self, _known={}, **changes)


@functools.lru_cache(maxsize=4096)
def laplace(loc: float, scale: float) -> Optional[Noise]:
    """Of numpy's formula: loc + scale * log(u + u), or loc - scale * log(2 - u - u)."""
    if not (math.isfinite(loc) and scale > 0):
        return None
    standard = Noise(0, Fraction(1), error=NEAR_ONE * UNIT + ULPS["math"])
    scaled = standard.moved(Fraction(scale), Fraction(0))
    return scaled and scaled.moved(1, Fraction(loc))


def noise_of(form: Optional[Affine]) -> Optional[Noise]:
    """The noise that a number is: shift + Y or shift - Y of an exponential Y, or noise already; else None."""
    if isinstance(form, Noise):
        return form
    if not isinstance(form, Form) or form.kind != "linear" or form.exponent or not is_usual(form.rate, form.shift):
        return None
    error = form.relative / form.rate + form.absolute
    return Noise(int(form.scale), 1 / form.rate, form.shift, error)


class Noises(Order[Noise]):
    """Draws of noise, each with a shift and a scale of its own."""

    name = "draws of noise compared with each other: order of Laplace or exponential variables; log taken good to 1 ulp"

    def take(self, race: Order[Form]) -> None:
        """The draws of a race of exponential variables are draws of noise, too: what is known of them is kept."""
        cells, forms, before = race.handed_over()
        base = len(self._cells)
        for cell, form in zip(cells, forms):
            self._join(cell, noise_of(form) or self._refuse("a draw is compared with others in different ways"))
        self._before[base:] = [known << base for known in before]

    def extreme(self, places: List[int], last: bool) -> int:
        """Chosen at once, if nothing is known of any."""
        if not self._are_new(places) or len(places) > MOST:
            return super().extreme(places, last)
        for k, i in enumerate(places):
            for j in places[:k]:
                self.differ(i, j)
        known = [self._with_extreme(places, i, last) for i in places]
        first = self._coins.choose(whole([self._chance(places, before) for before in known]))
        self._before = known[first]
        return first

    def _with_extreme(self, places: List[int], extreme: int, last: bool) -> List[int]:
        """What is known when this is the last (or the first) of these, of which nothing is known."""
        before = list(self._before)
        for i in places:
            if i != extreme:
                before = ordered(before, *((i, extreme) if last else (extreme, i)))
        return before

    def _odds(self, i: int, j: int) -> Tuple[Fraction, Fraction]:
        places = bits(self._part(i) | self._part(j))
        if len(places) > MOST:
            self._refuse(f"more than {MOST} draws of noise are compared")
        odds = tuple(self._chance(places, ordered(self._before, *pair)) for pair in ((i, j), (j, i)))
        return odds if any(odds) else self._refuse("draws of noise are in a very improbable order")  # type: ignore[return-value]

    def _chance(self, places: List[int], before: List[int]) -> Fraction:
        """The probability that these are in such an order."""
        noises, above = tuple(self._forms[i] for i in places), _next_above(places, before)
        if above is None:
            noises, above = tuple(noise.mirrored() for noise in noises), _next_above(places, reversed_order(before))
        chance = None if above is None else in_order(noises, above)
        return self._refuse("draws of noise are sorted") if chance is None else chance

    def _blur(self, form: Noise, other: Noise) -> Fraction:
        """Errors change the order where |X - X'| <= e + e': one half of that is then at least half of |X - X'|."""
        return super()._blur(form, other) + 4 * (form.error * other.density + other.error * form.density)


def _next_above(places: List[int], before: List[int]) -> Optional[Tuple[int, ...]]:
    """For each of these (by its index) the one that is next above it, the largest itself; None, if it is no tree."""
    above = [[w for w, other in enumerate(places) if before[other] >> place & 1] for place in places]
    if sum(not each for each in above) != 1:
        return None
    following = [max(each, key=lambda w: len(above[w]), default=v) for v, each in enumerate(above)]
    tree = all(set(above[v]) == {w, *above[w]} for v, w in enumerate(following) if v != w)
    return tuple(following) if tree else None


@functools.lru_cache(maxsize=1 << 14)
def in_order(noises: Tuple[Noise, ...], above: Tuple[int, ...]) -> Optional[Fraction]:
    """The probability that each is less than the one that is next above it (the largest: itself), nearly; None, if that
    has too many terms, or cannot be computed so exactly."""
    try:
        rough, exact = (_OfDigits(noises, above, digits).probability() for digits in DIGITS)
    except _TooManyTerms:
        return None
    return max(Fraction(exact), Fraction(0)) if abs(exact - rough) < AGREE else None


class _TooManyTerms(Exception):
    """More than `TERMS`."""


class _OfDigits:
    """One computation. Numbers are measured in a unit in which all rates are integers."""

    def __init__(self, noises: Sequence[Noise], above: Sequence[int], digits: int) -> None:
        self._context = decimal.Context(prec=digits, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
        self._noises, self._above = noises, above
        bottom = functools.reduce(lambda a, b: a * b // math.gcd(a, b), (n.scale.numerator for n in noises))
        rates = [int(bottom / noise.scale) for noise in noises]
        common = functools.reduce(math.gcd, rates)
        self._rates, self._unit = [rate // common for rate in rates], Fraction(common, bottom)
        self._ends = sorted({noise.shift for noise in noises})
        self._starts = [self._ends[0], *self._ends]  # where t = 0: the left end of a piece, of the first the right one

    def probability(self) -> Decimal:
        """That of the order."""
        with decimal.localcontext(self._context):
            root = next(v for v, w in enumerate(self._above) if v == w)
            return self._below(root)[-1].get((0, 0), Decimal(0))

    def _below(self, v: int) -> List[Terms]:
        """P(v <= t, and what is below v is in order), on every piece."""
        pieces = self._density(v)
        for other, w in enumerate(self._above):
            if w == v != other:
                pieces = [_product(f, g) for f, g in zip(pieces, self._below(other))]
        total, found = Decimal(0), []
        for n, piece in enumerate(pieces):
            terms = _primitive(piece)
            if n:
                terms[0, 0] = total - _at_zero(terms)
            total = self._at(terms, self._ends[n] - self._starts[n]) if n < len(self._ends) else total
            found.append(terms)
        return found

    def _density(self, v: int) -> List[Terms]:
        noise, rate = self._noises[v], self._rates[v]
        height = Decimal(rate) if noise.sign else Decimal(rate) / 2
        found: List[Terms] = []
        for n, start in enumerate(self._starts):
            side = -1 if n <= self._ends.index(noise.shift) else 1
            near = self._exp(-abs(start - noise.shift) * rate)
            found.append({(0, -side * rate): height * near} if noise.sign * side >= 0 else {})
        return found

    def _at(self, terms: Terms, place: Fraction) -> Decimal:
        t = _decimal(place * self._unit)
        return sum((c * (t**k if k else 1) * self._exp(a * place) for (k, a), c in terms.items()), Decimal(0))

    def _exp(self, rates: Fraction) -> Decimal:
        return _decimal(rates * self._unit).exp()


def _decimal(x: Fraction) -> Decimal:
    return Decimal(x.numerator) / Decimal(x.denominator)


def _product(f: Terms, g: Terms) -> Terms:
    found: Terms = {}
    for (k, a), c in f.items():
        for (n, b), d in g.items():
            found[k + n, a + b] = found.get((k + n, a + b), Decimal(0)) + c * d
    if len(found) > TERMS:
        raise _TooManyTerms
    return found


def _primitive(terms: Terms) -> Terms:
    """Of t^k e^(a t): e^(a t) times the sum of (-1)^j k! / (k - j)! t^(k - j) / a^(j + 1)."""
    found: Terms = {}
    for (k, a), c in terms.items():
        if not a:
            found[k + 1, 0] = found.get((k + 1, 0), Decimal(0)) + c / (k + 1)
            continue
        for j in range(k + 1):
            c = c / a if j == 0 else -c * (k - j + 1) / a
            found[k - j, a] = found.get((k - j, a), Decimal(0)) + c
    return found


def _at_zero(terms: Terms) -> Decimal:
    return sum((c for (k, _), c in terms.items() if not k), Decimal(0))
