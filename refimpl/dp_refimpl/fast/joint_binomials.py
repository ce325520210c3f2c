"""Binomial counts at several probabilities at once: one word decides them all, and short words nearly always suffice.

What a short word leaves open (an edge of a table begins with it) is decided by a long one, and the rest by a third. The
laws are those of `array_counts`, rounded as there; counts at different probabilities are as alike as they can be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import ArrayCoins, Indices, Words
from dp_refimpl.fast.array_counts import Cells, binomial_cells, rational
from dp_spec.vocabulary.exceptions import DomainError

Counts = NDArray[np.signedinteger]
_BASE = 64
"""A number of trials is written in this base: tables are for one digit each, so that few are needed."""
SMALL = np.iinfo(np.int16).max


@dataclass(frozen=True, eq=False)
class JointCells:
    """Several laws as tables of the same words, of which the first `short` bits are looked up at once."""

    laws: tuple[Cells, ...]
    short: int

    @cached_property
    def _tops(self) -> list[Words]:
        return [_tops(law, law.half) for law in self.laws]

    @cached_property
    def outcomes(self) -> Counts:
        """The outcomes of every short word, shape (2^short, laws), right where nothing is undecided."""
        words = np.arange(2**self.short, dtype=np.uint64)
        columns = [law.first + np.searchsorted(_tops(law, self.short), words, side="right") for law in self.laws]
        rows = np.stack(columns, axis=1)
        return np.ascontiguousarray(rows.astype(kind_for(int(rows.max()))))

    @cached_property
    def undecided(self) -> NDArray[np.bool_]:
        """Whether an edge begins with a short word and does not end there."""
        mask = np.zeros(2**self.short, np.bool_)
        for law in self.laws:
            below = 2 * law.half - self.short
            mask[[edge >> below for edge in law.edges if edge % 2**below]] = True
        return mask

    def decide(self, short: Words, coins: "BinomialCoins") -> Indices:
        """The outcomes of words of which only the short beginnings are known, shape (words, laws)."""
        half = self.laws[0].half
        long = coins.words(short.size, half).astype(np.uint64, copy=False)
        wide = (short.astype(np.uint64) << np.uint64(half - self.short)) | (long >> np.uint64(self.short))
        outcomes = np.empty((short.size, len(self.laws)), np.int64)
        tied = np.zeros(short.size, np.bool_)
        for column, (law, tops) in enumerate(zip(self.laws, self._tops, strict=True)):
            index = np.searchsorted(tops, wide, side="right")
            tied |= np.searchsorted(tops, wide, side="left") != index
            outcomes[:, column] = law.first + index
        open_ = np.flatnonzero(tied)
        for i, more in zip(open_, coins.words(open_.size, half), strict=True):
            word = (((int(short[i]) << half) + int(long[i])) << half) + int(more) >> self.short
            outcomes[i] = [law.first + sum(edge <= word for edge in law.edges) for law in self.laws]
        return outcomes


class BinomialTables:
    """Tables of Binomial(trials, p) for some probabilities p, exact or as balls, by numbers of trials.

    Raises as `array_counts.rational`, and `DomainError` for no probabilities or numbers outside [0, 1].
    """

    def __init__(self, chances: Sequence[Any], short: int = 16) -> None:
        self.chances: tuple[Fraction, ...] = tuple([rational(p) for p in chances])
        if not self.chances or any(not 0 <= p <= 1 for p in self.chances):
            raise DomainError("chances", tuple(chances), "one or more probabilities in [0, 1]")
        self._short = short
        self._tables: dict[int, JointCells] = {}

    def parts(self, trials: int) -> Iterator[JointCells]:
        """Tables of independent counts that add up to the one of so many trials."""
        unit = 1
        while trials:
            trials, digit = divmod(trials, _BASE)
            if digit:
                yield self._table(digit * unit)
            unit *= _BASE

    def _table(self, trials: int) -> JointCells:
        if trials not in self._tables:
            self._tables[trials] = JointCells(tuple([binomial_cells(trials, p) for p in self.chances]), self._short)
        return self._tables[trials]


class BinomialCoins(ArrayCoins):
    """Array coins with joint binomial counts. `short_word` is what is looked up; see `ArrayCoins` about auditing."""

    short_word = 16

    def jointly(self, table: JointCells, count: int) -> Counts:
        """Independent rows of outcomes, shape (count, laws): every column has its law."""
        words = self.words(count, self.short_word)
        outcomes: Counts = table.outcomes.take(words, axis=0)
        open_ = np.flatnonzero(table.undecided.take(words))
        if open_.size:
            outcomes[open_] = table.decide(words[open_], self)
        return outcomes

    def binomials(self, tables: BinomialTables, trials: Indices, each: int = 1) -> Counts:
        """`each` independent rows of Binomial(trials, p) for every entry, shape (trials, each, probabilities).

        Raises `DomainError` for negative numbers of trials.
        """
        if not trials.size:
            return np.zeros((0, each, len(tables.chances)), np.int16)
        if int(trials.min()) < 0:
            raise DomainError("trials", int(trials.min()), "integers >= 0")
        counts = np.zeros((trials.size, each, len(tables.chances)), kind_for(int(trials.max())))
        order = np.argsort(trials, kind="stable")
        numbers, starts = np.unique(trials[order], return_index=True)
        for number, entries in zip(numbers, np.split(order, starts[1:]), strict=True):
            shape = (entries.size, each, len(tables.chances))
            parts = [self.jointly(table, entries.size * each).reshape(shape) for table in tables.parts(int(number))]
            if parts:
                counts[entries] = sum(parts[1:], parts[0].astype(counts.dtype, copy=False))
        return counts


def kind_for(most: int) -> type[np.signedinteger]:
    """The type of counts up to a number."""
    return np.int16 if most <= SMALL else np.int64


def _tops(law: Cells, bits: int) -> Words:
    """The first bits of the edges that a word can reach."""
    return np.array([edge >> (2 * law.half - bits) for edge in law.reached], np.uint64)
