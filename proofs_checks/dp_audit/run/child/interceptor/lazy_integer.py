"""Lazy integers: a uniform integer that is undetermined until something depends on it, and then only as far as it does.

Comparisons with constants split what is left of the draw in two; remainders, bits and shifts split it into residue
classes; whatever else is done with it asks for its value, which enumerates all that is left.
"""

from __future__ import annotations

import itertools
import math
import operator
from fractions import Fraction
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from .coins import Coins, Source
from .comparisons import Compared
from .integer_intervals import IntegerCell, are_ordered, residue_cell
from .intervals import LazyDraw
from .lazy_float import LazyUniform

FEW = 32
"""Up to this many values are enumerated at once; an injective function of more values stays undetermined."""
SEED_OUTCOMES = 1 << 32
"""A generator seeded by a draw with at least this many outcomes counts as unseeded."""


class LazyInteger(Compared, LazyDraw):
    """The integer (draw // divisor) * factor + shift, or `members` at that place, of an undetermined draw.

    `cast` is the type that the real function returns, if that is not `int`. A sequence of `members` rises or falls; a
    dictionary has different values, in any order.
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
        """The draw that this integer is a function of."""
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
        """The number of consecutive k with the same value; 0 if it varies or is not known."""
        cell = self._cell
        if cell.table is not None:
            return int(self._divisor == 1 and cell.ends is None)
        if self._divisor == 1 or (cell.grain == 1 and cell.scale % self._divisor == 0):
            return 1
        return cell.grain * (self._divisor // cell.scale) if self._divisor % cell.scale == 0 else 0

    def resolve(self) -> Any:
        """Determine the value, by enumeration, and return it as the real function would."""
        cell = self._cell
        cell.fresh = False
        if self._value(cell.low) != self._value(cell.high - 1):
            cell.block(self._width or 1)  # one k after the other, where nothing better is known
        return self._number(cell.low)

    def edges(self) -> Sequence[int]:
        """Return rising k that split what is left of the draw into pieces; within a piece the value is constant."""
        cell, width = self._cell, self._width or 1
        cell.require_current()
        if cell.ends is not None or width == 1:
            return cell.values()
        inside = range((cell.low // width + 1) * width, cell.high, width)
        cell.require_few(len(inside) + 1)
        return [cell.low, *inside, cell.high]

    def runs(self, whole: bool = True) -> List[Tuple[Any, int, int]]:
        """Return the possible values as runs (first value, number of consecutive values, draws for each value).

        If not `whole`, return a run of one possible value only.
        """
        cell = self._cell
        cell.require_current()
        least = min(self._number(cell.low), self._number(cell.high - 1))
        if not whole:
            return [(least, 1, 1)]
        if self._is_free() and self._divisor == abs(self._factor) == cell.grain == cell.scale == 1:
            cell.require_few(cell.high - cell.low)
            return [(least, cell.high - cell.low, 1)]
        runs: List[Tuple[Any, int, int]] = []
        for (value,), draws in sorted(joint_outcomes([self])):
            first, count, each = runs[-1] if runs else (value, 0, draws)
            if value == first + count and draws == each:
                runs[-1:] = [(first, count + 1, draws)]
            else:
                runs.append((value, 1, draws))
        return runs

    def as_int(self) -> Any:
        """Return the same integer as an `int`."""
        return LazyInteger(self._cell, None, self._divisor, self._factor, self._shift, self._members)

    def member(self, members: Sequence[int], cast: Optional[type] = None) -> Any:
        """Return `members[self]`: undetermined if the members rise or fall and all places exist, else determined."""
        ends = [self._value(k) for k in (self._cell.low, self._cell.high - 1)]
        if self._members is None and min(ends) >= 0 and max(ends) < len(members) and are_ordered(members):
            return LazyInteger(self._cell, cast, self._divisor, self._factor, self._shift, tuple(members))
        return members[self.resolve()]

    def spent(self) -> bool:
        """Return whether nothing depends on the draw yet, as of `Drawn`: only a draw as it stands qualifies, no
        function of one."""
        cell = self._cell
        whole = cell.fresh and cell.high - cell.low >= SEED_OUTCOMES and self._divisor == abs(self._factor) == 1
        whole = whole and cell.table is None and self._members is None
        cell.fresh = False
        if whole:
            cell.coins = cell.source.outside  # nothing can be asked of it any more
        return whole

    def _is_unordered(self) -> bool:
        """Return whether the value need not be monotone in the draw."""
        return type(self._members) is dict

    def _is_free(self) -> bool:
        """Return whether neither the draw nor the integer is looked up in a table."""
        return self._cell.table is None and self._members is None

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
        """Return factor * self + shift, undetermined unless fixed-width arithmetic could overflow."""
        if type(other) not in (int, bool) or not factor or self._members is not None:
            return self._converted(function, other)
        made = LazyInteger(self._cell, self._cast, self._divisor, self._factor * factor, self._shift * factor + shift)
        ends = [abs(made._value(k)) for k in (self._cell.low, self._cell.high - 1)]
        return made if self._cast is None or max(ends) < 1 << 31 else function(self.resolve(), other)

    def _is_number(self) -> bool:
        """Return whether float arithmetic should treat the integer as a lazy number rather than enumerate its
        values."""
        cell = self._cell
        return self._is_free() or (self._members is None and cell.high - cell.low > cell.coins.limits.paths)

    def _is_shifted(self) -> bool:
        """Return whether the integer is k plus a constant."""
        cell = self._cell
        return self._is_free() and self._divisor == self._factor == cell.grain == cell.scale == 1

    def _converted(self, function: Any, other: Any) -> Any:
        """Apply arithmetic: with a float constant the result is lazy, with anything else the value is determined."""
        self._cell.fresh = False
        if type(other) in (float, np.float64) and self._is_number():
            return function(LazyUniform(self._cell, self._number, numpy=self._cast is not None), other)
        return function(self.resolve(), other)

    def _moved(self, function: Callable[[int], int]) -> Any:
        """Return an injective function of the integer, undetermined; None if it is not injective or values are few."""
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
        if (mask + low) & mask:
            return self._scattered(mask)
        return self._quotient(low) % (mask // low + 1) * low

    def _scattered(self, mask: int) -> Any:
        """Return bits that are not next to each other. Those of a draw that is too wide to be enumerated are drawn each
        on its own, and nothing else can be asked of it then."""
        cell = self._cell
        whole = self._is_shifted() and self._value(0) == 0 == cell.low and not cell.high & (cell.high - 1)
        if not whole or not max(mask, cell.coins.limits.paths) < cell.high:
            return self.resolve() & mask
        places = [i for i in range(mask.bit_length()) if mask >> i & 1]
        cell.require_current()
        cell.require_few(1 << len(places))
        chosen = cell.coins.uniform(1 << len(places))
        cell.coins = cell.source.outside
        value = sum((chosen >> i & 1) << place for i, place in enumerate(places))
        return value if self._cast is None else self._cast(value)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __add__(self, other: Any) -> Any:
        return self._affine(operator.add, other, 1, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._affine(operator.sub, other, 1, -other if type(other) in (int, bool) else 0)

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
            return self.as_int
        return getattr(self.resolve(), name)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self.resolve(), dtype=dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        arguments = [x.resolve() if type(x) is LazyInteger else x for x in inputs]
        return getattr(ufunc, method)(*arguments, **options)


def _asking(name: str, reflected: str) -> None:
    """Add an operator that has no use of its own for an undetermined integer: it asks for the value."""
    function = getattr(operator, name) if hasattr(operator, name) else getattr(operator, name + "_")
    if not hasattr(LazyInteger, f"__{name}__"):
        setattr(LazyInteger, f"__{name}__", lambda self, other: function(self.resolve(), other))
    if not hasattr(LazyInteger, reflected):
        setattr(LazyInteger, reflected, lambda self, other: function(other, self.resolve()))


for _name in ("pow", "xor", "or", "mod", "floordiv", "truediv", "lshift", "rshift"):
    _asking(_name, f"__r{_name}__")


def _is_constant(value: Any) -> bool:
    return type(value) in (int, bool, float, Fraction) or isinstance(value, (np.integer, np.float64))


def joint_outcomes(integers: Sequence[LazyInteger], whole: bool = True) -> List[Tuple[Tuple[Any, ...], int]]:
    """Return the joint values of integers that are functions of one draw, each with the number of draws that lead to
    it. If not `whole`, return one of them only."""
    cell, edges = integers[0].draw, [integer.edges() for integer in integers]
    every = max(edges, key=len)
    cell.require_few(len(every) - 1)
    if len(every) <= cell.high - cell.low and len(edges) > 1:
        every = sorted(set().union(*edges))
        cell.require_few(len(every) - 1)
    chosen = every if whole else every[:2]
    pieces = zip(chosen, chosen[1:])  # noqa: RUF007 - Python 3.8
    return [(tuple([x._number(a) for x in integers]), b - a) for a, b in pieces]


def lazy_integer(source: Source, coins: Coins, size: int, cast: Optional[type] = None, low: int = 0) -> Any:
    """Return a uniform integer in low .. low + size - 1: undetermined, or the outcome that the job conditions on."""
    outcome = coins.given(size)
    if outcome is None and (size == 1 or not coins.limits.lazy):
        outcome = coins.uniform(size)
    if outcome is not None:
        value = low + outcome
        return value if cast is None else cast(value)
    return LazyInteger(IntegerCell(source, coins, size), cast, shift=low)


def lazy_member(source: Source, coins: Coins, members: Sequence[Any], cast: Optional[type] = None) -> Any:
    """Return a uniform member. If all members are integers it is undetermined, of type `cast`."""
    if _may_be_lazy(coins, members):
        return LazyInteger(IntegerCell(source, coins, len(members), sorted(members)), cast)
    member = members[coins.integer(len(members))]
    return member if cast is None else cast(member)


def weighted_member(
    source: Source, coins: Coins, members: Sequence[Any], weights: Sequence[int], cast: Optional[type] = None
) -> Any:
    """Return a member with probability weight / sum of weights, otherwise as `lazy_member`."""
    if _may_be_lazy(coins, members) and sum(map(bool, weights)) > 1:
        pairs = sorted((member, weight) for member, weight in zip(members, weights) if weight)
        ends = list(itertools.accumulate(weight for _, weight in pairs))
        return LazyInteger(IntegerCell(source, coins, ends[-1], [member for member, _ in pairs], ends), cast)
    member = members[coins.choose(weights)]
    return member if cast is None else cast(member)


def _may_be_lazy(coins: Coins, members: Sequence[Any]) -> bool:
    """Return whether there are several members, all integers, and the limits allow an undetermined draw."""
    return coins.limits.lazy and len(members) > 1 and not coins.limits.conditioned and set(map(type, members)) == {int}


def is_entropy(source: Source, seed: Any) -> bool:
    """Return whether a seed is a wide draw that nothing else depends on, so that its generator counts as unseeded."""
    if not isinstance(seed, LazyDraw) or not seed.spent():
        return False
    source.coins.note(
        f"a generator seeded with a draw among at least 2^{SEED_OUTCOMES.bit_length() - 1}: as an unseeded one"
    )
    return True
