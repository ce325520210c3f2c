"""Draws that are compared with each other: the order of independent exponential variables, in closed form.

Of independent exponential variables each is the least with a probability in proportion to its rate, whatever the least
is, and what the others exceed it by has the law that they had (Luce 1959, Plackett 1975). That the order of the doubles
is another one has a probability that is bounded here.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Dict, List, Tuple

from .coins import Coins
from .exponential_forms import Form, power
from .intervals import GRID, Cell
from .partial_order import APPROXIMATE, ENDS, SQUARES, Order, bits, ordered, whole

SORTED = 12
"""Of so many draws any order may be asked for; of more, the least of the least, as in a loop that keeps the best."""


class Race(Order[Form]):
    """Draws that are the same function of exponential variables, whose order it is."""

    name = "draws compared with each other: order of exponential variables; log, exp, ** taken to be good to 1 or 4 ulp"

    def __init__(self, coins: Coins) -> None:
        super().__init__(coins)
        self._rates: List[Fraction] = []

    @property
    def rises(self) -> bool:
        """As the function of all of them does."""
        return self._forms[0].rises

    def _alike(self, form: Form, other: Form) -> bool:
        return form.is_like(other)

    def _join(self, cell: Cell, form: Form) -> None:
        rate = form.after("rate_beside", self._forms[0] if self._forms else form)
        if rate is None:
            self._refuse("a draw is scaled by a very large or small number, and then compared with another draw")
        self._rates.append(rate)
        super()._join(cell, form)

    def extreme(self, places: List[int], last: bool) -> int:
        """The first of them is chosen at once, if nothing is known of any."""
        if last or not self._are_new(places):
            return super().extreme(places, last)
        self._blur_first(places)
        first = self._coins.choose(whole([self._rates[i] for i in places]))
        for i in places[:first] + places[first + 1 :]:
            self._before[i] = 1 << places[first]
        return first

    def _odds(self, i: int, j: int) -> Tuple[Fraction, Fraction]:
        first, second = self._part(i), self._part(j)
        if first != second and self._minimal(first) == [i] and self._minimal(second) == [j]:
            return self._rate(first), self._rate(second)  # each is the least of its part, independently of the rest
        if bin(first | second).count("1") > SORTED:
            self._refuse(f"more than {SORTED} draws are sorted")
        part = first | second
        return self._chance(part, ordered(self._before, i, j)), self._chance(part, ordered(self._before, j, i))

    def _chance(self, part: int, before: List[int]) -> Fraction:
        """The probability that these variables are in such an order."""
        known: Dict[int, Fraction] = {0: Fraction(1)}

        def chance(left: int) -> Fraction:
            if left not in known:
                firsts = [i for i in bits(left) if not before[i] & left]
                ways = sum((self._rates[i] * chance(left ^ 1 << i) for i in firsts), Fraction(0))
                known[left] = ways / self._rate(left)
            return known[left]

        return chance(part)

    def _rate(self, part: int) -> Fraction:
        """Of the least of these."""
        return sum((self._rates[i] for i in bits(part)), Fraction(0))

    def _minimal(self, part: int) -> List[int]:
        return [i for i in bits(part) if not self._before[i]]

    def _blur(self, form: Form, other: Form) -> Fraction:
        """Errors change the order where |Y - Y'| <= a Y + a' Y' + b + b': one half of that is then at least half of
        |Y - Y'|. The density of Y - Y' is at most the smaller rate; that of log Y, given Y', is less than 2/5."""
        rate: Fraction = min(each.after("true_rate") for each in (form, other))
        errors = form.relative + other.relative + rate * (form.absolute + other.absolute)
        return super()._blur(form, other) + 4 * errors

    def _blur_first(self, places: List[int]) -> None:
        """Of the least of these: what another exceeds it by is exponential with the rate of that."""
        forms = {self._forms[i] for i in places}
        rate = sum((self._rates[i] for i in places), Fraction(0)) * power(self._forms[0].exponent)
        errors = max(form.extreme for form in forms) + rate * max(form.absolute for form in forms)
        key = tuple((self._cells[i].ordinal, self._forms[i]) for i in places)
        pairs = len(places) * (len(places) - 1) // 2
        self._coins.blurs[key] = Fraction(SQUARES * pairs + ENDS * len(places), GRID) + 4 * errors + APPROXIMATE
