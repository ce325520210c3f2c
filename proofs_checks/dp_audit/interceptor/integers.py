"""Lazy integers: a uniform integer that is undetermined until something depends on it, and then only as far as it does.

Comparisons with constants split what is left of the draw in two; remainders, bits and shifts split it into residue
classes; whatever else is done with it asks for its value, which enumerates all that is left.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from .cells import Drawn
from .compared import Compared
from .integer_cells import IntegerCell, are_ordered, residue_cell
from .lazy import LazyUniform

SEED_OUTCOMES = 1 << 32
"""A draw with at least so many outcomes that seeds a generator stands for the entropy of an unseeded one."""


FEW = 32
"""So many values are told apart at once; of more an injective function stays undetermined."""


class LazyInteger(Compared, Drawn):
    """(draw // divisor) factor + shift, for what is still undetermined of an integer draw.

    `cast` is the type of the integer that the real function returns, if that is not `int`. With `members` it is the one
    at that place: they rise or fall, or are a dictionary of different ones in any order.
    """

    __slots__ = ("_cast", "_cell", "_divisor", "_factor", "_members", "_shift")

    def __init__(
        self,
        cell: IntegerCell,
        cast: Optional[type] = None,
        divisor: int = 1,
        factor: int = 1,
        shift: int = 0,
        members: Union[Sequence[int], Dict[int, int], None] = None,
    ) -> None:
        self._cell, self._cast = cell, cast
        self._divisor, self._factor, self._shift = divisor, factor, shift
        self._members = members

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # what `isinstance` asks for
        return self._cast or int

    @property
    def draw(self) -> IntegerCell:
        """What it is made of."""
        return self._cell

    def _place(self, k: int) -> int:
        return self._cell.number(k) // self._divisor * self._factor + self._shift

    def _value(self, k: int) -> int:
        return self._place(k) if self._members is None else self._members[self._place(k)]

    def _number(self, k: int) -> Any:
        value = self._value(k)
        return value if self._cast is None else self._cast(value)

    @property
    def _width(self) -> int:
        """How many successive k have one value; 0 if that cannot be said."""
        cell = self._cell
        if cell.table is not None:
            return int(self._divisor == 1 and cell.ends is None)
        if self._divisor == 1 or (cell.grain == 1 and cell.scale % self._divisor == 0):
            return 1
        return cell.grain * (self._divisor // cell.scale) if self._divisor % cell.scale == 0 else 0

    def resolve(self) -> Any:
        """The value, as the type it has."""
        cell = self._cell
        cell.fresh = False
        if self._value(cell.low) != self._value(cell.high - 1):
            cell.block(self._width or 1)  # one k after the other, where nothing better is known
        return self._number(cell.low)

    def edges(self) -> Sequence[int]:
        """The ends of pieces of the k that are left, from the lowest on: all k of a piece have one value."""
        cell, width = self._cell, self._width or 1
        cell.require_current()
        if cell.ends is not None:
            return cell.pieces()
        if width == 1:
            cell.require_few(cell.high - cell.low)
            return range(cell.low, cell.high + 1)
        inside = range((cell.low // width + 1) * width, cell.high, width)
        cell.require_few(len(inside) + 1)
        return [cell.low, *inside, cell.high]

    def runs(self, whole: bool = True) -> List[Tuple[Any, int, int]]:
        """All that it can be (or not `whole`: one of them) as runs of successive integers: the first one, how many, and
        the draws that lead to each."""
        cell = self._cell
        cell.require_current()
        least = min(self._number(cell.low), self._number(cell.high - 1))
        if not whole:
            return [(least, 1, 1)]
        if self._is_free() and self._divisor == abs(self._factor) == cell.grain == cell.scale == 1:
            cell.require_few(cell.high - cell.low)
            return [(least, cell.high - cell.low, 1)]
        found: List[Tuple[Any, int, int]] = []
        for (value,), draws in sorted(joint_outcomes([self])):
            first, count, each = found[-1] if found else (value, 0, draws)
            if value == first + count and draws == each:
                found[-1:] = [(first, count + 1, draws)]
            else:
                found.append((value, 1, draws))
        return found

    def plain(self) -> Any:
        """What `int` makes of it."""
        return LazyInteger(self._cell, None, self._divisor, self._factor, self._shift, self._members)

    def member(self, members: Sequence[int], cast: Optional[type] = None) -> Any:
        """The one at this place, where its integers rise or fall; else, and beside them, that of the value."""
        ends = [self._value(k) for k in (self._cell.low, self._cell.high - 1)]
        if self._members is None and min(ends) >= 0 and max(ends) < len(members) and are_ordered(members):
            return LazyInteger(self._cell, cast, self._divisor, self._factor, self._shift, tuple(members))
        return members[self.resolve()]

    def spent(self) -> bool:
        """As all that is drawn; of a draw as it is."""
        cell = self._cell
        whole = cell.fresh and cell.high - cell.low >= SEED_OUTCOMES and self._divisor == abs(self._factor) == 1
        whole = whole and cell.table is None and self._members is None
        cell.fresh = False
        if whole:
            cell.coins = cell.source.outside  # nothing can be asked of it any more
        return whole

    # --- what splits it -----------------------------------------------------------------------------------------------

    def _decide(self, value: Callable[[Any], Any]) -> Any:
        self._cell.fresh = False
        decide = self._cell.split if type(self._members) is dict else self._cell.decide
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
        unordered = type(self._members) is dict
        sign = self._decide(lambda number: number != other if unordered else int(number > other) - int(number < other))
        return type(self._number(self._cell.low) == other)(not sign)

    def _as_bool(self, outcome: bool) -> Any:
        return outcome if self._cast is None else np.bool_(outcome)

    def _affine(self, function: Any, other: Any, factor: int, shift: int) -> Any:
        """A multiple of it plus a constant, where that is what the real type computes."""
        if type(other) not in (int, bool) or not factor or self._members is not None:
            return self._converted(function, other)
        made = LazyInteger(self._cell, self._cast, self._divisor, self._factor * factor, self._shift * factor + shift)
        ends = [abs(made._value(k)) for k in (self._cell.low, self._cell.high - 1)]
        return made if self._cast is None or max(ends) < 1 << 31 else function(self.resolve(), other)

    def _is_free(self) -> bool:
        """Whether it is no member of a table."""
        return self._cell.table is None and self._members is None

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
        if (self._members is not None and type(self._members) is not dict) or self._divisor != 1:
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
        if type(self._members) is dict and type(modulus) is int and modulus > 0:
            turned = self._moved(lambda value: value % modulus)
            return self.resolve() % modulus if turned is None else turned
        if type(modulus) is not int or modulus <= 0 or self._members is not None:
            return self.resolve() % modulus
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


def joint_outcomes(integers: Sequence[LazyInteger], whole: bool = True) -> List[Tuple[Tuple[Any, ...], int]]:
    """All that integers made of one draw can be together (or not `whole`: one of them), with the numbers of draws."""
    cell, edges = integers[0].draw, [integer.edges() for integer in integers]
    every = max(edges, key=len)
    cell.require_few(len(every) - 1)
    if len(every) <= cell.high - cell.low and len(edges) > 1:
        every = sorted(set().union(*edges))
        cell.require_few(len(every) - 1)
    chosen = every if whole else every[:2]
    pieces = zip(chosen, chosen[1:])  # noqa: RUF007 - Python 3.8
    return [(tuple([x._number(a) for x in integers]), b - a) for a, b in pieces]


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
