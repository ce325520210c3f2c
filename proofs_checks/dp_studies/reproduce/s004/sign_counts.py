"""The law of F_d, the number of signs +1 in the cells of a word: moments from power series, without variance formulas.

Given the functions, the records are independent, and one with the word e gives +1 with probability p for e = d, else
pi_e = q + (p - q) kappa_e: its row is uniform and kappa_e is the fraction of rows in which e shares d's column. So

    E (1 + x)^F_d = (1 + p x)^f(d) prod_e (1 + pi_e x)^f(e).

Functions drawn independently and uniformly make k kappa_e independent Binomial(k, 1/m), and the factor of e the series
of C(f(e), r) E[pi_e^r]. The logarithm of the product at x = e^u - 1 has the cumulants of F_d.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial

from flint import arb, arb_series

from dp_refimpl.frequency.count_sketch import flip_probability, server_constant
from dp_spec.vocabulary.budget import real_budget
from dp_spec.vocabulary.precision import precision
from dp_studies.reproduce.squared_errors import to_all_moments

BITS = 1600
"""Precision of the series: the logarithms of large factors lose many."""


@dataclass(frozen=True)
class Signs:
    """Probabilities of a sign +1, in a record's own column and in another, and the server's c_eps."""

    own: arb
    other: arb
    constant: arb


def signs(epsilon: str) -> Signs:
    """The signs at a budget."""
    with precision(BITS):
        budget = real_budget(epsilon, 2 * BITS)
        flip = flip_probability(budget)
        return Signs(1 - flip, flip, server_constant(1 / flip - 1))


@dataclass(frozen=True, eq=False)
class Records:
    """Numbers of records by word, k, m, epsilon."""

    counts: tuple[int, ...]
    k: int
    m: int
    epsilon: str

    @cached_property
    def signs(self) -> Signs:
        """Probabilities and c_eps."""
        return signs(self.epsilon)

    @property
    def n(self) -> int:
        """Records."""
        return sum(self.counts)


class Law(Records):
    """The laws of F_d for random functions."""

    @cached_property
    def _powers(self) -> list[arb]:
        """E[pi^r]."""
        one, other = self.signs.own, self.signs.other
        u = arb_series([0, 1], prec=to_all_moments())
        row = 1 - arb(1) / self.m + (u * (one - other) / self.k).exp() / self.m
        moments = (row.log() * self.k + u * other).exp()
        return [moments[r] * factorial(r) for r in range(to_all_moments())]

    def _factor(self, records: int) -> arb_series:
        """The logarithm of the factor of a word with so many records."""
        coefficients, binomial = [], arb(1)
        for r, power in enumerate(self._powers):
            coefficients.append(binomial * power)
            binomial = binomial * (records - r) / (r + 1)
        return arb_series(coefficients, prec=to_all_moments()).log()

    @cached_property
    def _factors(self) -> Mapping[int, arb_series]:
        with precision(BITS):
            return {records: self._factor(records) for records in set(self.counts)}

    @cached_property
    def _all(self) -> arb_series:
        with precision(BITS):
            nothing = arb_series([0], prec=to_all_moments())
            return sum((self._factors[f] * times for f, times in Counter(self.counts).items()), nothing)

    def cumulants(self, word: int) -> arb_series:
        """The power series of log E exp(u F_d) for a word (position)."""
        with precision(BITS):
            records = self.counts[word]
            return _at_exponential(self._all - self._factors[records] + _bits(self.signs.own, records))


@dataclass(frozen=True, eq=False)
class FixedLaw(Records):
    """The same for fixed functions: collisions[d][e] is the number of rows in which e shares the column of the word d.

    Only for the first words d; collisions of a word with itself do not count.
    """

    collisions: Sequence[Sequence[int]]

    def cumulants(self, word: int) -> arb_series:
        """The power series of log E exp(u F_d) for a word (position)."""
        with precision(BITS):
            records: Counter[int] = Counter()
            for other, (f, shared) in enumerate(zip(self.counts, self.collisions[word], strict=True)):
                if other != word:
                    records[shared] += f
            series = _bits(self.signs.own, self.counts[word])
            for shared, f in records.items():
                series += _bits(self.signs.other + (self.signs.own - self.signs.other) * shared / self.k, f)
            return _at_exponential(series)


def _bits(p: arb, number: int) -> arb_series:
    """log (1 + p x)^number."""
    return arb_series([1, p], prec=to_all_moments()).log() * number


def _at_exponential(series: arb_series) -> arb_series:
    """The series at x = e^u - 1."""
    return series(arb_series([0, 1], prec=to_all_moments()).exp() - 1)
