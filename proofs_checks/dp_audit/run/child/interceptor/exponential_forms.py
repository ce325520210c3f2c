"""What a lazy number is on the reals: a monotone function of an exponential variable; and how far doubles are from it.

E = -log R is exponential with rate 1 for a uniform R, and so is -log(1 - R). A number that is made of a uniform double
by the usual steps is one of three monotone functions of Y = E / rate, so that two numbers with the same function are in
the order of their Y, which has a closed form.
"""

from __future__ import annotations

import decimal
import functools
import math
import operator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Dict, Optional

UNIT = Fraction(1, 1 << 53)
"""The largest relative error of an operation on doubles that is rounded correctly."""
ULPS = {"math": 2 * UNIT, "numpy": 8 * UNIT}
"""Taken of logarithms, exponentials and powers: one unit in the last place, with vector instructions four."""
MEAN = Fraction(51, 50)
"""More than the expectation of |log E|, which is gamma + 2 E_1(1) = 1.0160."""
LARGEST = Fraction(38)
"""More than |log E| on the grid of doubles, but for E = 0 and E = infinity, each with a probability of 2^-53."""
SLOWEST = Fraction(1, 16)
"""The least rate of a power: exp(-E / rate) is then a normal double, since E < 37."""
WIDEST = 1 << 60
STEEPEST = 1 << 300
DIGITS = 60
REMEMBERED = 4096


class Affine:
    """A number on the reals, of which a double is made in steps: what steps make of it is found once."""

    _known: Dict[Any, Any]

    @property
    def function(self) -> Any:
        """What has to be the same of two numbers that are compared; None: nothing."""
        raise NotImplementedError

    def after(self, step: str, *given: Any) -> Any:
        """What the method `step` says of it."""
        key = (step, *given)
        if key not in self._known:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[key] = getattr(self, step)(*given)
        return self._known[key]

    def affine(self, function: Any, constant: Any, reflected: bool) -> Any:
        """After + - * / with a constant (`reflected`: constant - number); None if it is then none of its kind."""
        given = Fraction(constant)
        if function is operator.add:
            return self.moved(1, given)
        if function is operator.sub:
            return self.moved(-1, given) if reflected else self.moved(1, -given)
        if function in (operator.mul, operator.truediv) and given and not (function is operator.truediv and reflected):
            return self.moved(given if function is operator.mul else 1 / given, Fraction(0))
        return None

    def moved(self, factor: Any, added: Fraction) -> Any:
        """factor * number + added, where one of them is trivial; None if that is none of its kind."""
        raise NotImplementedError


def is_usual(factor: Any, added: Fraction) -> bool:
    """Whether doubles neither overflow nor lose digits by such a step."""
    return bool(1 <= abs(factor) * WIDEST <= WIDEST * WIDEST and abs(added) <= WIDEST)


@dataclass(frozen=True, eq=False)
class Form(Affine):
    """A number on the reals. With Y = E / (rate e^exponent) it is

    * "power": scale exp(sign Y),
    * "linear": shift + scale Y, scale = 1 or -1,
    * "log": scale log Y.

    `reflected`: E is -log(1 - R). The double that stands for it is the function of a Y' with |Y' - Y| at most
    Y `relative` + `absolute`; of what `relative` is in proportion to |log Y|, the expectation is counted. `extreme` is
    an upper bound of what `relative` is an expectation of, E = 0 and E = infinity left out.
    """

    kind: str
    reflected: bool = False
    rate: Fraction = Fraction(1)
    exponent: Fraction = Fraction(0)
    scale: Fraction = Fraction(1)
    shift: Fraction = Fraction(0)
    sign: int = -1
    relative: Fraction = Fraction(0)
    extreme: Fraction = Fraction(0)
    absolute: Fraction = Fraction(0)
    _known: Dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def function(self) -> Any:
        """What has to be the same of two numbers that are compared."""
        return self.kind, self.scale, self.shift, self.sign if self.kind == "power" else 1

    @property
    def rises(self) -> bool:
        """Whether it is the larger the larger Y is."""
        return (self.scale > 0) == (self.kind != "power" or self.sign > 0)

    def is_like(self, other: "Form") -> bool:
        """Whether it is the same function of the same variable."""
        variables = [(form.reflected, form.rate, form.exponent) for form in (self, other)]
        return self is other or (self.function == other.function and variables[0] == variables[1])

    def rate_beside(self, first: "Form") -> Optional[Fraction]:
        """Its rate where that of another one is `first.rate`; None if that is very large or small."""
        usual = 1 <= self.rate * STEEPEST <= STEEPEST * STEEPEST
        return self.rate * power(self.exponent - first.exponent) if usual else None

    def true_rate(self) -> Fraction:
        """About rate e^exponent, to `DIGITS` digits."""
        return self.rate * power(self.exponent)

    def moved(self, factor: Any, added: Fraction) -> Optional["Form"]:
        if not is_usual(factor, added):
            return None
        exact = not added and abs(factor) == 1
        if self.kind == "power":
            if not added:
                error = self.absolute + (0 if exact else UNIT)
                return self._with(scale=self.scale * factor, absolute=error)._usual()
            mirrored = self._is_uniform(-factor * added) and abs(added) == 1  # 1 - u and u - 1 are not rounded
            return self._with(scale=added, reflected=not self.reflected) if mirrored else None
        if self.kind == "linear":
            shift, size = self.shift * factor + added, abs(factor)
            error = Fraction(0) if exact else UNIT
            return self._with(
                shift=shift,
                scale=self.scale * (1 if factor > 0 else -1),
                rate=self.rate / size,
                absolute=self.absolute * size + error * abs(shift),
            )._less_exact(error, Fraction(0))
        scale = self.scale * factor
        moved = self._with(scale=scale, exponent=self.exponent - added / scale)
        return moved._less_exact(Fraction(0), Fraction(0) if exact else UNIT)

    def applied(self, name: str) -> Optional["Form"]:
        """After a function of `math` or `numpy`."""
        library, _, function = name.partition(".")
        error = ULPS.get(library, ULPS["numpy"])
        if function == "log" and self.kind == "power" and self.scale == 1:
            return self._with(kind="linear", scale=Fraction(self.sign))._less_exact(error, Fraction(0))
        if function == "log1p" and self.kind == "power" and self._is_uniform(Fraction(-1)):
            return Form("linear", not self.reflected, scale=Fraction(-1))._less_exact(error, Fraction(0))
        if function == "log" and self.kind == "linear" and not self.shift and self.scale == 1 and not self.absolute:
            return self._with(kind="log")._less_exact(Fraction(0), error)
        if function == "exp" and self.kind == "linear" and not self.shift:
            sign = 1 if self.scale > 0 else -1
            powered = self._with(kind="power", scale=Fraction(1), sign=sign, absolute=self.absolute + error)
            return powered._usual()
        return self.powered(0.5) if function == "sqrt" else None

    def powered(self, exponent: Any) -> Optional["Form"]:
        """After ** with a constant."""
        given = Fraction(exponent)
        if self.kind != "power" or self.scale != 1 or not 1 <= abs(given) * WIDEST <= WIDEST * WIDEST:
            return None
        sign, size = self.sign * (1 if given > 0 else -1), abs(given)
        error = self.absolute * size + ULPS["numpy"]
        return self._with(rate=self.rate / size, sign=sign, absolute=error)._usual()

    def _with(self, **changes: Any) -> "Form":
        return replace(self, _known={}, **changes)

    def _is_uniform(self, scale: Fraction) -> bool:
        """Whether it is `scale` times a uniform double that nothing was done to."""
        return not self.absolute and self.is_like(Form("power", self.reflected, scale=scale))

    def _usual(self) -> Optional["Form"]:
        """Itself, if it is a normal double whatever the draw."""
        small = self.kind == "power" and self.rate >= SLOWEST and self.exponent == 0
        return self if small and 1 <= abs(self.scale) * WIDEST <= WIDEST * WIDEST else None

    def _less_exact(self, plain: Fraction, logarithmic: Fraction) -> "Form":
        """With these errors of Y more: in proportion to Y, and to Y |log Y|."""
        size = _size_of_log(self.rate) + abs(self.exponent)
        return self._with(
            relative=self.relative + plain + logarithmic * (MEAN + size),
            extreme=self.extreme + plain + logarithmic * (LARGEST + size),
        )


def _size_of_log(x: Fraction) -> Fraction:
    """At least |log x|."""
    return Fraction(abs(x.numerator.bit_length() - x.denominator.bit_length()) + 1) if x != 1 else Fraction(0)


@functools.lru_cache(maxsize=REMEMBERED)
def power(exponent: Fraction) -> Fraction:
    """About e^exponent, to `DIGITS` digits."""
    if not exponent:
        return Fraction(1)
    with decimal.localcontext() as context:
        context.prec = DIGITS
        return Fraction((decimal.Decimal(exponent.numerator) / decimal.Decimal(exponent.denominator)).exp())


UNIFORM = Form("power")
"""A uniform double."""


@functools.lru_cache(maxsize=REMEMBERED)
def uniform(low: float, high: float) -> Optional[Form]:
    """Of low + (high - low) * u."""
    return None if low else _after(UNIFORM, high - low, 0.0)


@functools.lru_cache(maxsize=REMEMBERED)
def exponential(scale: float) -> Optional[Form]:
    """Of scale * -log(1 - u)."""
    return _after(Form("linear", True, scale=Fraction(-1), relative=ULPS["math"], extreme=ULPS["math"]), -scale, 0.0)


@functools.lru_cache(maxsize=REMEMBERED)
def gumbel(loc: float, scale: float) -> Optional[Form]:
    """Of loc - scale * log(-log(1 - u))."""
    single = exponential(1.0)
    return _after(single and single.applied("math.log"), -scale, loc)


def _after(form: Optional[Form], factor: float, added: float) -> Optional[Form]:
    scaled = form and math.isfinite(factor) and form.affine(operator.mul, factor, False)
    return (scaled and math.isfinite(added) and scaled.affine(operator.add, added, False)) or None
