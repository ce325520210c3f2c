"""The exact law of a vectorized program: the words that it is given are enumerated."""

from collections.abc import Callable, Hashable
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from dp_refimpl.coins import Coins, bernoulli, uniform
from dp_refimpl.enumeration import output_law
from dp_refimpl.fast.array_coins import ArrayCoins, Bits, Indices, Words
from dp_refimpl.fast.array_counts import Cells, Draws
from independent import brute_force as plain
from independent.numbers import fraction

ONE = fmpq(1)


class EnumeratedArrayCoins(ArrayCoins):
    """The same program on words of very few bits, all of which are enumerated; ties and redraws are exact choices.

    That a tie may be replaced by an exact choice is the induction step of the proof that `bernoulli` is exact; the
    recursion itself is examined by the tests of `ArrayCoins`.
    """

    bit_word = 1
    index_word = 2

    def __init__(self, coins: Coins) -> None:
        self.coins = coins

    def words(self, count: int, bits: int) -> Words:
        return np.array([uniform(self.coins, range(2**bits), ONE) for _ in range(count)], np.uint64)

    def tie(self, rest: Any, count: int) -> Bits:
        exact = fmpq(rest.numerator, rest.denominator)
        return np.array([bernoulli(self.coins, exact) for _ in range(count)], np.uint8)

    def redraw(self, bounds: Indices) -> Indices:
        return np.array([uniform(self.coins, range(int(b)), ONE) for b in bounds], np.int64)


class ExactArrayCoins(EnumeratedArrayCoins):
    """Integers below a bound are one exact choice each (that `below` is exact is a test of `ArrayCoins`)."""

    def below(self, bounds: Any, shape: Any) -> Indices:
        wide = np.broadcast_to(np.asarray(bounds), shape)
        flat = [uniform(self.coins, range(int(b)), ONE) for b in wide.reshape(-1)]
        return np.array(flat, np.int64).reshape(wide.shape)


class EnumeratedDraws(EnumeratedArrayCoins, Draws):
    """Draws on enumerated words; items whose word was beyond the last multiple are thrown again by exact choices."""

    below_word = 2

    def rethrown(self, items: int, into: int) -> Indices:
        return np.bincount([uniform(self.coins, range(into), ONE) for _ in range(items)], minlength=into)


class ChosenDraws(EnumeratedDraws):
    """Categories of dyadic laws are drawn by exact choices."""

    def categories(self, law: Cells, count: int) -> Indices:
        edges = [0, *law.edges, 4**law.half]
        chances = [fmpq(high - low, 4**law.half) for low, high in pairwise(edges)]
        return np.array([law.first + self.coins.choose(chances) for _ in range(count)], np.int64)


class ExactDraws(ExactArrayCoins, ChosenDraws):
    """Items are also thrown by exact choices: all of them have tests of their own."""

    def thrown(self, items: int, into: int) -> Indices:
        return self.rethrown(items, into)


def with_words(bit_word: int, index_word: int, base: type[EnumeratedArrayCoins] = EnumeratedArrayCoins) -> Any:
    return type("Words", (base,), {"bit_word": bit_word, "index_word": index_word})


def law_of(program: Callable[[Any], Hashable], kind: Any = EnumeratedArrayCoins) -> plain.Law:
    return {y: fraction(p) for y, p in output_law(lambda coins: program(kind(coins)), ONE).items()}
