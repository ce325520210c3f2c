"""What an integer draw, or a function of it, can still be: undetermined until something depends on it."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from .integer_intervals import IntegerCell, are_ordered
from .intervals import Drawn

SEED_OUTCOMES = 1 << 32
"""A draw with at least so many outcomes that seeds a generator stands for the entropy of an unseeded one."""


class UndeterminedInteger(Drawn):
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
        if cell.ends is not None or width == 1:
            return cell.values()
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
        return type(self)(self._cell, None, self._divisor, self._factor, self._shift, self._members)

    def member(self, members: Sequence[int], cast: Optional[type] = None) -> Any:
        """The one at this place, where its integers rise or fall; else, and beside them, that of the value."""
        ends = [self._value(k) for k in (self._cell.low, self._cell.high - 1)]
        if self._members is None and min(ends) >= 0 and max(ends) < len(members) and are_ordered(members):
            return type(self)(self._cell, cast, self._divisor, self._factor, self._shift, tuple(members))
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

    def _is_unordered(self) -> bool:
        """Whether it need not rise or fall with the draw."""
        return type(self._members) is dict

    def _is_free(self) -> bool:
        """Whether it is no member of a table."""
        return self._cell.table is None and self._members is None


def joint_outcomes(integers: Sequence[UndeterminedInteger], whole: bool = True) -> List[Tuple[Tuple[Any, ...], int]]:
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
