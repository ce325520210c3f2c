"""Draws that are compared with each other: the order of independent exponential variables, in closed form.

Of independent exponential variables each is the least with a probability in proportion to its rate, whatever the least
is, and what the others exceed it by has the law that they had (Luce 1959, Plackett 1975). That the order of the doubles
is another one has a probability that is bounded here.
"""

from __future__ import annotations

import functools
import operator
from fractions import Fraction
from typing import Any, Dict, List

from .cells import GRID, Cell
from .coins import Coins
from .forms import Form, power
from .refusals import UnmodeledRandomness

RULED_OUT = 1 << 20
"""So many of the 2^53 values of a draw may be known not to be it (0, or what a target clips)."""
APPROXIMATE = Fraction(1, 1 << 100)
"""More than what the digits of powers of e that are left out do to a probability."""
SQUARES, ENDS = 9, 2
"""Probabilities in steps of the grid: what three curves meet, and where variables are 0 or infinite (`blur`)."""
SORTED = 12
"""Of so many draws any order may be asked for; of more, the least of the least, as in a loop that keeps the best."""
NAME = "draws compared with each other: order of exponential variables; log, exp and ** taken to be good to 1 or 4 ulp"


class Race:
    """The draws of a path that are the same function of exponential variables, and what is known of their order.

    `_before` has, for each of them, those that are known to be less, as the bits of an integer.
    """

    def __init__(self, coins: Coins) -> None:
        self._coins = coins
        self._forms: List[Form] = []
        self._cells: List[Cell] = []
        self._rates: List[Fraction] = []
        self._before: List[int] = []

    def place(self, cell: Cell, form: Form) -> int:
        """Of a draw in this race, which it joins if it is new."""
        if cell not in self._cells:
            self._join(cell, form)
        place = self._cells.index(cell)
        if not self._forms[place].is_like(form):
            self._refuse("a draw is compared with others in different ways")
        return place

    def _join(self, cell: Cell, form: Form) -> None:
        cell.require_current()
        ruled_out = GRID - (cell.high - cell.low)
        if cell.raced or ruled_out > RULED_OUT:
            self._refuse("a draw is compared with a number, and then with another draw")
        rate = form.after(Form.rate_beside, self._forms[0] if self._forms else form)
        if rate is None:
            self._refuse("a draw is scaled by a very large or small number, and then compared with another draw")
        cell.raced = True
        if ruled_out:
            self._coins.blurs[cell.ordinal] = Fraction(ruled_out, GRID)
        self._cells.append(cell)
        self._forms.append(form)
        self._rates.append(rate)
        self._before.append(0)
        self._coins.note(NAME)

    def _refuse(self, message: str) -> Any:
        return self._coins.refuse(UnmodeledRandomness(message))

    def precedes(self, i: int, j: int) -> bool:
        """Whether the i-th variable is less than the j-th: chosen, where that is not known."""
        if not (self._before[j] >> i | self._before[i] >> j) & 1:
            self.differ(i, j)
            odds = self._odds(i, j)
            first = self._coins.choose([odds.numerator, odds.denominator]) == 0
            self._before = _ordered(self._before, *((i, j) if first else (j, i)))
        return bool(self._before[j] >> i & 1)

    def least(self, places: List[int]) -> int:
        """Which of these is the least: chosen at once, if nothing is known of any."""
        later = functools.reduce(operator.or_, self._before)
        if any(self._before[i] or later >> i & 1 for i in places):
            best = 0
            for i in range(1, len(places)):
                best = i if self.precedes(places[i], places[best]) else best
            return best
        self._blur(places)
        first = self._coins.choose(_whole([self._rates[i] for i in places]))
        for i in places[:first] + places[first + 1 :]:
            self._before[i] = 1 << places[first]
        return first

    def differ(self, i: int, j: int) -> None:
        """Two draws are not the same number, and in the order of their variables: nearly so."""
        key = self._cells[i].ordinal, self._cells[j].ordinal, self._forms[i], self._forms[j]
        self._coins.blurs[key] = blur(self._forms[i], self._forms[j])

    def _odds(self, i: int, j: int) -> Fraction:
        """The probability that i is less than j by that of the contrary, given what is known."""
        first, second = self._part(i), self._part(j)
        if first != second and self._minimal(first) == [i] and self._minimal(second) == [j]:
            return self._rate(first) / self._rate(second)  # each is the least of its part, independently of the rest
        if bin(first | second).count("1") > SORTED:
            self._refuse(f"more than {SORTED} draws are sorted")
        chances = [self._chance(first | second, _ordered(self._before, *pair)) for pair in ((i, j), (j, i))]
        return chances[0] / chances[1]

    def _chance(self, part: int, before: List[int]) -> Fraction:
        """The probability that these variables are in such an order."""
        known: Dict[int, Fraction] = {0: Fraction(1)}

        def chance(left: int) -> Fraction:
            if left not in known:
                firsts = [i for i in _bits(left) if not before[i] & left]
                ways = sum((self._rates[i] * chance(left ^ 1 << i) for i in firsts), Fraction(0))
                known[left] = ways / self._rate(left)
            return known[left]

        return chance(part)

    def _rate(self, part: int) -> Fraction:
        """Of the least of these."""
        return sum((self._rates[i] for i in _bits(part)), Fraction(0))

    def _minimal(self, part: int) -> List[int]:
        return [i for i in _bits(part) if not self._before[i]]

    def _part(self, place: int) -> int:
        """All variables whose order is connected with this one's."""
        part, more = 0, 1 << place
        while part != more:
            part = more
            for linked in (before | 1 << i for i, before in enumerate(self._before)):
                more |= linked if linked & part else 0
        return part

    def _blur(self, places: List[int]) -> None:
        """Of the least of these: what another exceeds it by is exponential with the rate of that."""
        forms = {self._forms[i] for i in places}
        rate = sum((self._rates[i] for i in places), Fraction(0)) * power(self._forms[0].exponent)
        errors = max(form.extreme for form in forms) + rate * max(form.absolute for form in forms)
        key = tuple((self._cells[i].ordinal, self._forms[i]) for i in places)
        pairs = len(places) * (len(places) - 1) // 2
        self._coins.blurs[key] = Fraction(SQUARES * pairs + ENDS * len(places), GRID) + 4 * errors + APPROXIMATE


def blur(first: Form, second: Form) -> Fraction:
    """At least the probability that the doubles of two such draws are not in the order of their variables.

    * On the unit square of the two uniform variables the order changes along a monotone curve. It passes through less
      than 2^54 of the 2^106 squares of the grid of doubles, and touches the corner that stands for a square of at most
      2^53 others; in what is left, this corner is in the order of all points. So it is with the two curves within which
      errors can change the order: `SQUARES` in all. Two values of each draw make its variable 0 or infinite: `ENDS`.
    * Errors change it where |Y - Y'| <= a Y + a' Y' + b + b': one half of that is then at least half of |Y - Y'|. The
      density of Y - Y' is at most the smaller rate; that of log Y, given Y', is less than 2/5.
    """
    rate: Fraction = min(form.after(Form.true_rate) for form in (first, second))
    errors = first.relative + second.relative + rate * (first.absolute + second.absolute)
    return Fraction(SQUARES + 2 * ENDS, GRID) + 4 * errors + APPROXIMATE


def _ordered(before: List[int], i: int, j: int) -> List[int]:
    """What is known when the i-th is less than the j-th, too."""
    less = before[i] | 1 << i
    return [known | less if k == j or known >> j & 1 else known for k, known in enumerate(before)]


def _whole(rates: List[Fraction]) -> List[int]:
    """Integers in the same proportions."""
    bottom = 1
    for rate in rates:
        bottom *= (bottom * rate).denominator
    return [int(rate * bottom) for rate in rates]


def _bits(part: int) -> List[int]:
    return [i for i in range(part.bit_length()) if part >> i & 1]
