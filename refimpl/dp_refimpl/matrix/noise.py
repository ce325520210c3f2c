"""Noise: the only source of randomness of a matrix mechanism.

A program asks its noise for independent centered variables of given scales; everything else it does is linear. Formal
noise shows the matrices of the program, listed noise replays a run, sampling noise makes it the mechanism itself.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.matrix.geometric import DiscreteLaplace, discrete_laplace
from dp_refimpl.matrix.laplace import as_float
from dp_refimpl.matrix.linear_forms import LinearForm
from dp_refimpl.matrix.parameters import Scale, require_scale
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.budget import Epsilon, read_epsilon
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import is_zero

N = TypeVar("N", covariant=True)
V = TypeVar("V")


class Noise(Protocol[N]):
    """A source of independent centered variables."""

    def draw(self, scale: Scale) -> N:
        """A variable of this scale in units of 1 / epsilon; scale 0 is no noise. Raises `DomainError` below 0."""
        ...

    def lift(self, value: Any) -> N:
        """A strategy's exact answer as a value that this noise is added to; raises `DomainError` for others."""
        ...


class Symbols:
    """Formal noise: the k-th draw is the symbol z_k; `scales` lists what was asked for, in order."""

    def __init__(self) -> None:
        self.scales: list[Scale] = []

    def draw(self, scale: Scale) -> LinearForm:
        """The next symbol."""
        self.scales.append(require_scale(scale))
        return LinearForm.of("z", len(self.scales))

    def lift(self, value: Any) -> LinearForm:
        """A linear form as it is."""
        if not isinstance(value, LinearForm):
            raise DomainError("data", value, "linear forms: formal noise is added to forms")
        return value


class NoNoise(Generic[V]):
    """No noise at all; `zero` is the 0 of the values."""

    def __init__(self, zero: V) -> None:
        self._zero = zero

    def draw(self, scale: Scale) -> V:
        """Zero."""
        require_scale(scale)
        return self._zero

    def lift(self, value: Any) -> V:
        """The value as it is."""
        return value  # type: ignore[no-any-return]


class Listed(Generic[V]):
    """Noise that replays a list; raises `DomainError` when the list does not fit the program."""

    def __init__(self, values: Sequence[V]) -> None:
        self._values = tuple(values)
        self._position = 0

    def draw(self, scale: Scale) -> V:
        """The next value, whatever the scale."""
        require_scale(scale)
        if self._position == len(self._values):
            raise DomainError("values", self._values, "one value for every draw (the list is too short)")
        self._position += 1
        return self._values[self._position - 1]

    def lift(self, value: Any) -> V:
        """The value as it is."""
        return value  # type: ignore[no-any-return]

    def require_finished(self) -> None:
        """Raise `DomainError` if the program did not use the whole list."""
        if self._position != len(self._values):
            raise DomainError("values", self._values, f"{self._position} draws (the list is too long)")


class LaplaceNoise:
    """Laplace(scale / epsilon) in floats, for measuring errors at real data sizes.

    The last bits of a float show where it comes from: only discrete noise is private exactly. Raises `DomainError`
    unless epsilon > 0 is a float.
    """

    def __init__(self, generator: np.random.Generator, epsilon: Epsilon) -> None:
        self._generator, self._epsilon = require_generator(generator), require_epsilon(epsilon)

    def draw(self, scale: Scale) -> float:
        """A float, as exact as floats are; 0 for scale 0."""
        number = as_float(require_scale(scale)) / self._epsilon
        return float(self._generator.laplace(0.0, number)) if number else 0.0

    def lift(self, value: Any) -> float:
        """The number as the nearest float. Raises `DomainError` unless it is a finite one."""
        if isinstance(value, bool) or not isinstance(value, int | float | fmpq | Fraction):
            raise DomainError("data", value, "numbers")
        try:
            number = as_float(value) if isinstance(value, fmpq) else float(value)
        except OverflowError:
            number = float("inf")
        if not isfinite(number):
            raise DomainError("data", value, "numbers with finite sums")
        return number


class DiscreteLaplaceNoise:
    """Discrete Laplace with alpha = e^(-epsilon / scale), exact: drawn by coins, added to integers alone.

    A rational epsilon takes rational coins only; epsilon = k ln(a/b) takes coins of probability alpha (`Real`). Raises
    `DomainError` for epsilon <= 0 and, when drawn, for irrational scales.
    """

    def __init__(self, coins: Coins, epsilon: Epsilon) -> None:
        require_epsilon(epsilon)
        self._coins, (self._base, self._exponent) = coins, read_epsilon(epsilon)

    def draw(self, scale: Scale) -> int:
        """An integer."""
        exact = rational_scale(scale)
        if not exact:
            return 0
        rate = self._exponent / exact
        if self._base is None:
            return discrete_laplace(rate, self._coins)
        return DiscreteLaplace(Real.power(self._base, -rate)).sample(self._coins)

    def lift(self, value: Any) -> int:
        """An int as it is. Raises `DomainError` for all else: a program that divides counts has no integer answers."""
        return require_integer("data", value, note=": discrete noise protects nothing else")


def rational_scale(scale: Scale) -> Fraction:
    """A rational scale >= 0 as a fraction. Raises `DomainError` for others."""
    number = require_scale(scale)
    exact = number.rational() if isinstance(number, Real) else number
    if exact is None:
        raise DomainError("scale", scale, "a rational scale")
    return Fraction(int(exact.p), int(exact.q))


def require_epsilon(epsilon: Epsilon) -> float:
    """An epsilon > 0 as a float. Raises `DomainError` for others."""
    base, exponent = read_epsilon(epsilon)
    if exponent == 0 or (base is not None and is_zero(base - 1)):
        raise DomainError("epsilon", epsilon, "epsilon > 0: at epsilon = 0 no scale is finite")
    number = float(exponent) if base is None else float(exponent) * float(np.log(as_float(base)))
    if not (isfinite(number) and number > 0):
        raise DomainError("epsilon", epsilon, "an epsilon that a float can hold")
    return number


def require_generator(generator: object) -> np.random.Generator:
    """The generator; raises `DomainError` for anything else."""
    if not isinstance(generator, np.random.Generator):
        raise DomainError("generator", generator, "a numpy.random.Generator")
    return generator
