"""Lazy numbers: monotone functions of a uniform double that is undetermined until something depends on it."""

from __future__ import annotations

import contextlib
import math
import operator
from fractions import Fraction
from typing import Any, Callable, Iterator

import numpy as np

from .comparisons import Compared
from .intervals import SINGLES, Cell, first_not, uniform_double
from .ufuncs import MONOTONE, REFLECTED, ROUNDINGS, UFUNCS


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silence numpy's warnings about numbers that a draw could be but is not.

    The addition of zeros clears the floating-point flags that a numpy loop around this one would warn about.
    """
    with np.errstate(all="ignore"):
        try:
            yield
        finally:
            np.add(0.0, 0.0)


class LazyUniform(Compared):
    """A monotone function of a uniform draw, undetermined until it is compared with a constant or rounded.

    Every step is the very float operation that the target (or the C code of numpy) applies, so that a comparison is
    decided on the very doubles: by bisection for the k at which its outcome changes. `numpy`: it stands for a
    `numpy.float64`, whose comparisons are `numpy.bool`, and not for a `float`.
    """

    __slots__ = ("_cell", "_steps", "numpy")
    __array_priority__ = 1000.0
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, cell: Cell, *steps: Callable[[Any], Any], numpy: bool = False) -> None:
        self._cell, self._steps, self.numpy = cell, steps, numpy

    def typed(self, numpy: bool) -> LazyUniform:
        """Return the same draw as a `float`, or as a `numpy.float64`."""
        return self if self.numpy == numpy else LazyUniform(self._cell, *self._steps, numpy=numpy)

    def _outcome(self, outcome: bool, other: Any = None) -> Any:
        """Return the outcome of a comparison, as `bool` or as `numpy.bool`."""
        numpy = self.numpy or _is_numpy(other)
        return np.bool_(outcome) if numpy and not isinstance(other, Fraction) else outcome

    def _value(self, k: int) -> float:
        value: Any = k
        for step in self._steps:
            value = step(value)
        return float(value)

    def _refuse(self, use: str) -> Any:
        return self._cell.source.refuse("a lazy draw is used as a number: " + use)

    def _constant(self, other: Any, use: str) -> Any:
        if isinstance(other, LazyUniform):
            return self._refuse(use + " with another draw")
        if isinstance(other, np.floating) and not isinstance(other, np.float64):
            return self._refuse(use + " with a " + type(other).__name__)
        if isinstance(other, np.ndarray) and other.ndim == 0:
            other = other.item()
        if isinstance(other, (np.integer, np.bool_)):
            other = int(other)
        if isinstance(other, (int, float, Fraction)):
            return float(other) if isinstance(other, np.float64) else other
        return self._refuse(use + " with a " + type(other).__name__)

    def _affine(self, function: Any, other: Any, reflected: bool = False) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return _elementwise(lambda x: self._affine(function, x, reflected), other)
        constant = self._constant(other, function.__name__)
        if isinstance(constant, Fraction) or not math.isfinite(constant):
            return self._refuse(function.__name__ + " with " + repr(constant))
        if function in (operator.truediv, operator.floordiv) and constant == 0:
            return self._refuse("division by zero")
        step = (lambda x: function(constant, x)) if reflected else (lambda x: function(x, constant))
        return LazyUniform(self._cell, *self._steps, step, numpy=self.numpy or _is_numpy(other))

    def apply(self, name: str, function: Callable[[Any], Any], numpy: bool = False) -> Any:
        """Return a monotone function of the draw. Branch on whether it fails (raises, or is not a number)."""

        def fails(k: int) -> bool:
            try:
                return math.isnan(function(self._value(k)))
            except (ValueError, ArithmeticError):
                return True

        self._cell.coins.note(name + " of a lazy draw: this machine's own, taken to be monotone on the doubles")
        with _quiet():
            failed = self._decide(fails)
        if failed:
            return function(self._value(self._cell.low))
        return LazyUniform(self._cell, *self._steps, function, numpy=numpy)

    def _compare(self, function: Any, other: Any) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return _elementwise(lambda x: self._compare(function, x), other).astype(bool)
        if other is self:
            return self._outcome(bool(function(0, 0)))
        if type(other) is float and 0 < other < 1 and self._steps == _BARE:  # nearly always
            negated = _NEGATED.get(function)
            outcome = self._cell.below(first_not(negated or function, other)) == (negated is None)
            return np.bool_(outcome) if self.numpy else outcome
        constant = self._constant(other, "comparison")
        return self._outcome(bool(self._decide(lambda k: function(self._value(k), constant))), other)

    def _equal(self, other: Any) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return _elementwise(self._equal, other).astype(bool)
        if other is self:
            return self._outcome(True)
        constant = self._constant(other, "test for equality")
        decided = self._decide(lambda k: (self._value(k) > constant) - (self._value(k) < constant))
        return self._outcome(decided == 0, other)

    def _decide(self, value: Callable[[int], Any]) -> Any:
        if len(self._steps) == 1:
            return self._cell.decide(value)
        with _quiet():
            return self._cell.decide(value)

    def _round(self, function: Any) -> int:
        """Return Python's rounding to an integer; infinity raises, as it does there."""

        def rounded(k: int) -> Any:
            value = self._value(k)
            return function(value) if math.isfinite(value) else value

        return int(function(self._decide(rounded)))

    def _rounded(self, function: Any) -> Any:
        """Return numpy's rounding, to a float: zero keeps its sign."""
        return np.float64(self._decide(lambda k: repr(float(function(self._value(k))))))

    def __add__(self, other: Any) -> Any:
        return self._affine(operator.add, other)

    def __radd__(self, other: Any) -> Any:
        return self._affine(operator.add, other, True)

    def __sub__(self, other: Any) -> Any:
        return self._affine(operator.sub, other)

    def __rsub__(self, other: Any) -> Any:
        return self._affine(operator.sub, other, True)

    def __mul__(self, other: Any) -> Any:
        return self._affine(operator.mul, other)

    def __rmul__(self, other: Any) -> Any:
        return self._affine(operator.mul, other, True)

    def __truediv__(self, other: Any) -> Any:
        return self._affine(operator.truediv, other)

    def __floordiv__(self, other: Any) -> Any:
        return self._affine(operator.floordiv, other)

    def __neg__(self) -> Any:
        return self._affine(operator.mul, -1)

    def __pos__(self) -> Any:
        return self

    def __int__(self) -> int:
        return self._round(int)

    __trunc__ = __int__

    def __floor__(self) -> int:
        return self._round(math.floor)

    def __ceil__(self) -> int:
        return self._round(math.ceil)

    def __round__(self, digits: Any = None) -> Any:
        return self._refuse("round to digits") if digits is not None else self._round(round)

    def round(self, decimals: int = 0, out: Any = None) -> Any:
        """Round to an integer, as `numpy.round` asks; other digits are refused."""
        return self._refuse("round to digits") if decimals or out is not None else self.rint()

    def rounded_within(self, low: int, high: int) -> int:
        """Return the nearest integer, or low - 1 or high + 1 for numbers beyond the window."""
        return int(self._decide(lambda k: math.floor(min(max(self._value(k), low - 1), high + 1) + 0.5)))

    def __float__(self) -> float:
        return float(self._refuse("conversion to float"))

    def __bool__(self) -> bool:
        return bool(self._refuse("truth value"))

    def __index__(self) -> int:
        return int(self._refuse("index"))

    def __repr__(self) -> str:
        return str(self._refuse("text"))

    def __format__(self, specification: str) -> str:
        return str(self._refuse("text"))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._refuse("copy")

    def __rtruediv__(self, other: Any) -> Any:
        return self._refuse("division by it")

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return _elementwise(lambda x: self**x, other)
        exponent = self._constant(other, "power")
        if self < 0 or isinstance(exponent, Fraction):
            return self._refuse("power")
        return self.apply("power", lambda x: x**exponent, self.numpy or _is_numpy(other))

    def __rpow__(self, other: Any) -> Any:
        return self._refuse("power")

    def __mod__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return _elementwise(lambda x: self % x, other)
        constant = self._constant(other, "remainder")
        if isinstance(constant, Fraction) or not math.isfinite(constant) or constant == 0:
            return self._refuse("remainder by " + repr(constant))
        self._decide(lambda k: self._value(k) // constant)  # the remainder rises wherever this is the same
        numpy = self.numpy or _is_numpy(other)
        return LazyUniform(self._cell, *self._steps, lambda x: x % constant, numpy=numpy)

    def __rmod__(self, other: Any) -> Any:
        return self._refuse("remainder")

    def __rfloordiv__(self, other: Any) -> Any:
        return self._refuse("division by it")

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __getattr__(self, name: str) -> Any:
        """Return the function of this name: numpy calls the method `log` of every element for the logarithm of an array
        of draws, and so on."""
        if name.startswith("__"):
            raise AttributeError(name)
        if name in ROUNDINGS:
            return lambda: self._rounded(getattr(np, name))
        if name in MONOTONE:
            return lambda: self.apply("numpy." + name, getattr(np, name), numpy=True)
        if name in ("item", "tolist") and self.numpy:
            return lambda: self.typed(False)
        return self._refuse("." + name)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        name = ufunc.__name__
        if method != "__call__" or options:
            return self._refuse("numpy." + name)
        if name in ROUNDINGS + MONOTONE:
            return getattr(self, name)()
        function = UFUNCS.get(name)
        if function is None:
            return self._refuse("numpy." + name)
        if len(inputs) == 2 and isinstance(inputs[0], (np.generic, np.ndarray)):
            return getattr(self, REFLECTED[name])(inputs[0])
        return function(*(x.typed(True) if isinstance(x, LazyUniform) else x for x in inputs))


class LazySingle(LazyUniform):
    """A uniform `numpy.float32` k / 2^24, which is compared with numbers as that type is, and nothing else."""

    __slots__ = ()

    def _compare(self, function: Any, other: Any) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return super()._compare(function, other)
        if isinstance(other, LazyUniform):
            return self._refuse("comparison with another draw")
        return np.bool_(self._cell.decide(lambda k: bool(function(single(k), other))))

    def _other(self, *_: Any, **__: Any) -> Any:
        return self._refuse("more than a comparison of a numpy.float32")

    _equal = _affine = apply = _rounded = __mod__ = _other

    def typed(self, numpy: bool) -> LazyUniform:
        """Return the double that is equal to it."""
        return LazyUniform(self._cell, single, float, numpy=numpy)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options or ufunc.__name__ not in REFLECTED or inputs[0] is not self:
            return super().__array_ufunc__(ufunc, method, *inputs, **options)
        return UFUNCS[ufunc.__name__](*inputs)


def single(k: int) -> Any:
    """Return the only step of a uniform `numpy.float32`."""
    return np.float32(k / SINGLES)


def _is_numpy(other: Any) -> bool:
    """Return whether an operation with this on numbers gives a scalar of numpy."""
    return isinstance(other, (np.generic, np.ndarray))


_BARE = (uniform_double,)
_NEGATED = {operator.ge: operator.lt, operator.gt: operator.le}


def _elementwise(function: Callable[[Any], Any], array: Any) -> Any:
    result = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        result[index] = function(array[index])
    return result
