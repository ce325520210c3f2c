"""Lazy integers: a uniform integer that is undetermined until something depends on it, and then only as far as it does.

Comparisons with constants split what is left of the draw in two; remainders, bits and shifts split it into residue
classes; whatever else is done with it asks for its value, which enumerates all that is left.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any, Callable

import numpy as np

from .comparisons import Compared
from .integer_intervals import residue_cell
from .lazy_float import LazyUniform
from .lazy_integer_state import UndeterminedInteger

FEW = 32
"""So many values are told apart at once; of more an injective function stays undetermined."""


class LazyInteger(Compared, UndeterminedInteger):
    """An undetermined integer with the operators of an integer."""

    __slots__ = ()

    # --- what splits it -----------------------------------------------------------------------------------------------

    def _decide(self, value: Callable[[Any], Any]) -> Any:
        self._cell.fresh = False
        decide = self._cell.split if self._is_unordered() else self._cell.decide
        return decide(lambda k: value(self._number(k)))

    def _compare(self, function: Any, other: Any) -> Any:
        if not _is_constant(other):
            return function(self.resolve(), other)
        if type(other) is int and self._is_shifted():  # nearly always
            self._cell.fresh = False
            end = other - self._value(0) + (function in (operator.le, operator.gt))
            return self._as_bool(self._cell.below(end) == (function in (operator.lt, operator.le)))
        outcome = self._decide(lambda number: bool(function(number, other)))
        return type(function(self._number(self._cell.low), other))(outcome)

    def _equal(self, other: Any) -> Any:
        if not _is_constant(other):
            return self.resolve() == other
        if type(other) is int and self._is_shifted():
            self._cell.fresh = False
            return self._as_bool(self._cell.only(other - self._value(0)))
        if self._is_unordered():
            differs = self._decide(lambda number: bool(number != other))
        else:
            differs = self._decide(lambda number: int(number > other) - int(number < other))
        return type(self._number(self._cell.low) == other)(not differs)

    def _as_bool(self, outcome: bool) -> Any:
        return outcome if self._cast is None else np.bool_(outcome)

    def _affine(self, function: Any, other: Any, factor: int, shift: int) -> Any:
        """A multiple of it plus a constant, where that is what the real type computes."""
        if type(other) not in (int, bool) or not factor or self._members is not None:
            return self._converted(function, other)
        made = LazyInteger(self._cell, self._cast, self._divisor, self._factor * factor, self._shift * factor + shift)
        ends = [abs(made._value(k)) for k in (self._cell.low, self._cell.high - 1)]
        return made if self._cast is None or max(ends) < 1 << 31 else function(self.resolve(), other)

    def _is_number(self) -> bool:
        """Whether it is used as a number by what has many values: few are better told apart at once."""
        cell = self._cell
        return self._is_free() or (self._members is None and cell.high - cell.low > cell.coins.limits.paths)

    def _is_shifted(self) -> bool:
        """Whether it is k and a constant."""
        cell = self._cell
        return self._is_free() and self._divisor == self._factor == cell.grain == cell.scale == 1

    def _converted(self, function: Any, other: Any) -> Any:
        """Arithmetic with a float constant: a function of the draw; with anything else: of the value."""
        self._cell.fresh = False
        if type(other) in (float, np.float64) and self._is_number():
            return function(LazyUniform(self._cell, self._number, numpy=self._cast is not None), other)
        return function(self.resolve(), other)

    def _moved(self, function: Callable[[int], int]) -> Any:
        """An injective function of it, where there are many values; None for other functions, and for few values."""
        cell = self._cell
        if not (self._members is None or self._is_unordered()) or self._divisor != 1:
            return None
        if not FEW < cell.high - cell.low <= (math.inf if cell.ends else cell.coins.limits.paths):
            return None
        cell.fresh = False
        values = [(self._place(k), self._value(k)) for k in cell.values()[:-1]]
        moved = {place: function(value) for place, value in values}
        if len(set(moved.values())) < len(moved):
            return None
        return LazyInteger(cell, self._cast, 1, self._factor, self._shift, moved)

    def _remainder(self, modulus: Any) -> Any:
        if type(modulus) is not int or modulus <= 0:
            return self.resolve() % modulus
        if self._members is not None:
            turned = self._moved(lambda value: value % modulus) if self._is_unordered() else None
            return self.resolve() % modulus if turned is None else turned
        if all(0 <= self._value(k) < modulus for k in (self._cell.low, self._cell.high - 1)):
            return self
        cell, width = self._cell, self._width
        cell.fresh = False
        turned = self._moved(lambda value: value % modulus) if cell.high - cell.low <= modulus or cell.ends else None
        if turned is not None:
            return turned
        period = modulus // math.gcd(modulus, self._factor)
        if width and (cell.high - 1) // width - cell.low // width < period:
            cell.block(width)
        elif width == 1 and cell.grain == 1 and cell.table is None:
            step = cell.scale // self._divisor
            residues = period // math.gcd(period, step)
            if residues > cell.coins.limits.paths and self._is_shifted() and self._value(0) == 0 == cell.low:
                return LazyInteger(residue_cell(cell, modulus), self._cast)
            cell.residue(residues)
        elif period > 1 and not (width and cell.bits(width, period)):
            self.resolve()
        return self._number(cell.low) % modulus

    def _quotient(self, divisor: Any) -> Any:
        if type(divisor) is not int or divisor <= 0 or self._members is not None:
            return self.resolve() // divisor
        if self._factor == 1 and self._shift == 0:
            return LazyInteger(self._cell, self._cast, self._divisor * divisor)
        if self._factor % divisor == 0 and self._shift % divisor == 0:
            factor, shift = self._factor // divisor, self._shift // divisor
            return LazyInteger(self._cell, self._cast, self._divisor, factor, shift)
        return self.resolve() // divisor

    def _masked(self, mask: Any) -> Any:
        if type(mask) is not int or mask <= 0 or min(self._value(k) for k in (self._cell.low, self._cell.high - 1)) < 0:
            return self.resolve() & mask
        low = mask & -mask
        if (mask + low) & mask:  # the bits of the mask are not next to each other
            return self.resolve() & mask
        return self._quotient(low) % (mask // low + 1) * low

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __add__(self, other: Any) -> Any:
        return self._affine(operator.add, other, 1, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._affine(operator.sub, other, 1, -other if type(other) is int else 0)

    def __rsub__(self, other: Any) -> Any:
        return self._affine(lambda a, b: b - a, other, -1, other)

    def __mul__(self, other: Any) -> Any:
        return self._affine(operator.mul, other, other if type(other) is int else 0, 0)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return self._affine(lambda a, _: -a, 0, -1, 0)

    def __truediv__(self, other: Any) -> Any:
        if type(other) is int and other and self._is_number():
            return LazyUniform(self._cell, self._number, lambda x: x / other, numpy=self._cast is not None)
        return self._converted(operator.truediv, other)

    def __mod__(self, other: Any) -> Any:
        return self._remainder(other)

    def __floordiv__(self, other: Any) -> Any:
        return self._quotient(other)

    def __divmod__(self, other: Any) -> Any:
        return divmod(self.resolve(), other)

    def __rshift__(self, other: Any) -> Any:
        return self._quotient(1 << other) if type(other) is int and other >= 0 else self.resolve() >> other

    def __lshift__(self, other: Any) -> Any:
        return self * (1 << other) if type(other) is int and 0 <= other < 1 << 16 else self.resolve() << other

    def __and__(self, other: Any) -> Any:
        return self._masked(other)

    __rand__ = __and__

    def __xor__(self, other: Any) -> Any:
        flipped = self._moved(lambda value: value ^ other) if type(other) is int and other >= 0 else None
        return self.resolve() ^ other if flipped is None else flipped

    __rxor__ = __xor__

    # --- what asks for its value --------------------------------------------------------------------------------------

    def __index__(self) -> int:
        return int(self.resolve())

    __int__ = __trunc__ = __floor__ = __ceil__ = __index__

    def __float__(self) -> float:
        return float(self.resolve())

    def __hash__(self) -> int:
        return hash(self.resolve())

    def __abs__(self) -> Any:
        return abs(self.resolve())

    def __repr__(self) -> str:
        return repr(self.resolve())

    def __str__(self) -> str:
        return str(self.resolve())

    def __format__(self, specification: str) -> str:
        return format(self.resolve(), specification)

    def __round__(self, *digits: Any) -> Any:
        return round(self.resolve(), *digits)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.resolve().__reduce_ex__(protocol)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array_"):
            raise AttributeError(name)
        if name in ("item", "tolist") and self._cast is not None:
            return self.plain
        return getattr(self.resolve(), name)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self.resolve(), dtype=dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        given = [x.resolve() if type(x) is LazyInteger else x for x in inputs]
        return getattr(ufunc, method)(*given, **options)


def _asking(name: str, reflected: str) -> None:
    """Operators that have no use of their own for an undetermined integer."""
    function = getattr(operator, name) if hasattr(operator, name) else getattr(operator, name + "_")
    if not hasattr(LazyInteger, f"__{name}__"):
        setattr(LazyInteger, f"__{name}__", lambda self, other: function(self.resolve(), other))
    if not hasattr(LazyInteger, reflected):
        setattr(LazyInteger, reflected, lambda self, other: function(other, self.resolve()))


for _name in ("pow", "xor", "or", "mod", "floordiv", "truediv", "lshift", "rshift"):
    _asking(_name, f"__r{_name}__")


def _is_constant(value: Any) -> bool:
    return type(value) in (int, bool, float, Fraction) or isinstance(value, (np.integer, np.float64))
