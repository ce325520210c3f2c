"""Vectorized choices are exact: their laws are read off by enumerating words of few bits."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses
from dp_refimpl.fast import array_coins
from dp_refimpl.fast.array_coins import ArrayCoins, Bits, Indices, Words
from independent import brute_force as plain
from independent.enumerated_arrays import EnumeratedArrayCoins, law_of, with_words


def bernoulli_law(p: Fraction) -> plain.Law:
    return plain.collected([(1, p), (0, 1 - p)])


PROBABILITIES = st.fractions(0, 1, max_denominator=40)


@given(PROBABILITIES, st.integers(1, 4))
def test_bits_have_exactly_their_probability(p: Fraction, bits: int) -> None:
    assert law_of(
        lambda c: int(c.bernoulli(fmpq(p.numerator, p.denominator), 1)[0]), with_words(bits, 2)
    ) == bernoulli_law(p)


@given(st.integers(1, 12), st.integers(4, 5))
def test_indices_are_exactly_uniform(bound: int, bits: int) -> None:
    law = law_of(lambda c: int(c.below(bound, 1)[0]), with_words(1, bits))
    assert law == dict.fromkeys(range(bound), Fraction(1, bound))


@given(st.lists(st.integers(1, 3), min_size=2, max_size=2))
def test_every_index_has_its_own_bound(bounds: list[int]) -> None:
    law = law_of(lambda c: tuple(int(i) for i in c.below(np.array(bounds, np.int64), 2)))
    assert law == dict.fromkeys(product(*map(range, bounds)), Fraction(1, bounds[0] * bounds[1]))


class Shallow(EnumeratedArrayCoins):
    """The recursion of the real `tie` and `redraw`, cut off at a depth; what is undecided there is marked."""

    depth = 3
    undecided = 9

    def tie(self, rest: Any, count: int) -> Bits:
        self.depth -= 1
        return ArrayCoins.tie(self, rest, count) if self.depth else np.full(count, self.undecided, np.uint8)

    def redraw(self, bounds: Indices) -> Indices:
        self.depth -= 1
        return ArrayCoins.redraw(self, bounds) if self.depth else np.full(bounds.shape, self.undecided, np.int64)


@given(PROBABILITIES.filter(lambda p: 0 < p < 1), st.integers(1, 2))
def test_the_recursion_of_ties_closes_in_on_the_probability(p: Fraction, bits: int) -> None:
    """After R rounds of k-bit words the mass of 1 is at most p, and less by no more than the undecided 2^-kR."""
    law = law_of(lambda c: int(c.bernoulli(fmpq(p.numerator, p.denominator), 1)[0]), with_words(bits, 2, Shallow))
    undecided = law.get(Shallow.undecided, Fraction(0))
    assert undecided in (0, Fraction(1, 2 ** (bits * Shallow.depth)))
    assert law.get(1, Fraction(0)) <= p <= law.get(1, Fraction(0)) + undecided
    if (p * 2 ** (bits * Shallow.depth)).denominator == 1:
        assert law == bernoulli_law(p)


@given(st.integers(1, 3))
def test_the_recursion_of_redraws_stays_uniform(bound: int) -> None:
    law = law_of(lambda c: int(c.below(bound, 1)[0]), with_words(1, 2, Shallow))
    undecided = law.pop(Shallow.undecided, Fraction(0))
    assert undecided == Fraction(4 % bound, 4) ** Shallow.depth
    assert set(law.values()) == {(1 - undecided) / bound}


def test_words_are_the_generators() -> None:
    whole = default_rng(5).integers(0, 2**64 - 1, size=4, dtype=np.uint64, endpoint=True)
    for bits in (8, 16, 32, 64):
        words = ArrayCoins(default_rng(5)).words(256 // bits, bits)
        assert words.dtype.itemsize * 8 == bits
        assert words.tobytes() == whole.tobytes()


def test_blocks_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_coins, "_BLOCK", 7)
    given_words = (
        default_rng(3).integers(0, 256, size=5 * 9, dtype=np.uint8) % 5 + 84
    )  # around the threshold 85 = 256 // 3
    left = given_words

    class FixedWords(ArrayCoins):
        def words(self, count: int, bits: int) -> Words:
            nonlocal left
            taken, left = left[:count], left[count:]
            assert bits == 8
            return taken

        def tie(self, rest: Any, count: int) -> Bits:
            assert rest == Fraction(1, 3)
            return np.full(count, 7, np.uint8)

    draws = FixedWords(default_rng(0)).bernoulli(fmpq(1, 3), (5, 9))
    assert left.size == 0
    assert draws.reshape(-1).tolist() == [1 if w < 85 else 7 if w == 85 else 0 for w in given_words.tolist()]


COINS = ArrayCoins(default_rng(0))
test_refusals = refusal_test(
    refuses("generator", ArrayCoins, None, 0, np.random.RandomState(0), np.random.PCG64(0)),
    refuses("p", lambda p: COINS.bernoulli(p, 3), fmpq(-1, 2), fmpq(3, 2), Fraction(2)),
    refuses("probability", lambda p: COINS.bernoulli(p, 3), 0.5, float("nan"), arb(1) / 3, True, "1/2"),
    refuses("bounds", lambda bounds: COINS.below(bounds, 3), 0, -1, 2**64, np.array([1, 0, 2])),
)
