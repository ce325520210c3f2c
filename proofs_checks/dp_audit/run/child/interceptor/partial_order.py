"""What is known of the order of draws that are compared with each other, on one path."""

from __future__ import annotations

import functools
import operator
from fractions import Fraction
from typing import Any, Generic, List, Sequence, Tuple, TypeVar

from ..refusals import UnmodeledRandomness
from .coins import Coins
from .intervals import GRID, Cell

RULED_OUT = 1 << 20
"""So many of the 2^53 values of a draw may be known not to be it (0, or what a target clips)."""
SQUARES, ENDS = 9, 2
"""Probabilities in steps of the grid: what three curves meet, and where variables are 0 or infinite (`blur`)."""
APPROXIMATE = Fraction(1, 1 << 100)
"""More than what the digits that are left out, of powers of e, do to a probability."""
F = TypeVar("F")


class Order(Generic[F]):
    """The draws that are compared with each other, what each is on the reals, and what is known of their order.

    `_before` has, for each of them, those that are known to be less, as the bits of an integer.
    """

    name = ""

    def __init__(self, coins: Coins) -> None:
        self._coins = coins
        self._forms: List[F] = []
        self._cells: List[Cell] = []
        self._before: List[int] = []

    @property
    def rises(self) -> bool:
        """Whether the order is that of the numbers, and not that of variables of which they are falling functions."""
        return True

    def place(self, cell: Cell, form: F) -> int:
        """Of a draw in this order, which it joins if it is new."""
        if cell not in self._cells:
            self._require_open(cell)
            self._join(cell, form)
        place = self._cells.index(cell)
        if not self._alike(self._forms[place], form):
            self._refuse("a draw is compared with others in different ways")
        return place

    def _require_open(self, cell: Cell) -> None:
        cell.require_current()
        ruled_out = GRID - (cell.high - cell.low)
        if cell.order is not None or ruled_out > RULED_OUT:
            self._refuse("a draw is compared with a number, and then with another draw")
        if ruled_out:
            self._coins.blurs[cell.ordinal] = Fraction(ruled_out, GRID)

    def _join(self, cell: Cell, form: F) -> None:
        cell.order = self
        self._cells.append(cell)
        self._forms.append(form)
        self._before.append(0)
        self._coins.note(self.name)

    def handed_over(self) -> Tuple[List[Cell], List[F], List[int]]:
        """The draws, and what is known of the order of the numbers."""
        return self._cells, self._forms, self._before if self.rises else reversed_order(self._before)

    def _refuse(self, message: str) -> Any:
        return self._coins.refuse(UnmodeledRandomness(message))

    def _alike(self, form: F, other: F) -> bool:
        return form == other

    def _blur(self, form: F, other: F) -> Fraction:
        """At least the probability that the doubles of two such draws are in another order.

        On the unit square of the two uniform variables the order changes along a monotone curve. It passes through less
        than 2^54 of the 2^106 squares of the grid of doubles, and touches the corner that stands for a square of at
        most 2^53 others; in what is left, this corner is in the order of all points. So it is with the two curves
        within which errors can change the order: `SQUARES` in all. Two values of each draw make it 0 or infinite:
        `ENDS`. What errors change is added to that.
        """
        return Fraction(SQUARES + 2 * ENDS, GRID) + APPROXIMATE

    def _odds(self, i: int, j: int) -> Tuple[Fraction, Fraction]:
        """In proportion to the probabilities that i is less than j, and of the contrary, given what is known."""
        raise NotImplementedError

    def precedes(self, i: int, j: int) -> bool:
        """Whether the i-th is less than the j-th: chosen, where that is not known."""
        if not (self._before[j] >> i | self._before[i] >> j) & 1:
            self.differ(i, j)
            first = self._coins.choose(whole(self._odds(i, j))) == 0
            self._before = ordered(self._before, *((i, j) if first else (j, i)))
        return bool(self._before[j] >> i & 1)

    def extreme(self, places: List[int], last: bool) -> int:
        """Which of these is the last (or the first) of them, one comparison after the other."""
        best = 0
        for i in range(1, len(places)):
            best = best if self.precedes(places[i], places[best]) == last else i
        return best

    def _are_new(self, places: List[int]) -> bool:
        """Whether nothing is known of any of these."""
        later = functools.reduce(operator.or_, self._before)
        return not any(self._before[i] or later >> i & 1 for i in places)

    def differ(self, i: int, j: int) -> None:
        """Two draws are not the same number, and in the order of the real numbers: nearly so."""
        key = self._cells[i].ordinal, self._cells[j].ordinal, self._forms[i], self._forms[j]
        self._coins.blurs[key] = self._blur(self._forms[i], self._forms[j])

    def _part(self, place: int) -> int:
        """All whose order is connected with this one's."""
        part, more = 0, 1 << place
        while part != more:
            part = more
            for linked in (before | 1 << i for i, before in enumerate(self._before)):
                more |= linked if linked & part else 0
        return part


def ordered(before: List[int], i: int, j: int) -> List[int]:
    """What is known when the i-th is less than the j-th, too."""
    less = before[i] | 1 << i
    return [known | less if k == j or known >> j & 1 else known for k, known in enumerate(before)]


def reversed_order(before: List[int]) -> List[int]:
    """What is known of the contrary order."""
    return [sum((before[j] >> i & 1) << j for j in range(len(before))) for i in range(len(before))]


def whole(chances: Sequence[Fraction]) -> List[int]:
    """Integers in the same proportions."""
    bottom = 1
    for chance in chances:
        bottom *= (bottom * chance).denominator
    return [int(chance * bottom) for chance in chances]


def bits(part: int) -> List[int]:
    """The places in it."""
    return [i for i in range(part.bit_length()) if part >> i & 1]
