"""Coins for arrays: many exact random choices at once, from the uniform words of a `numpy.random.Generator`.

The law of every choice is exactly the rational law that is asked for, provided that the generator's words are
independent and uniform: integer thresholds decide, and the rare word that cannot decide asks again.
"""

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.coins import as_fraction
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S

Indices = NDArray[np.int64]
Bits = NDArray[np.uint8]
Words = NDArray[np.unsignedinteger]
Shape = int | tuple[int, ...]

_BLOCK = 1 << 17
"""Words handled at once: small enough for a processor's cache, whatever the size of the result."""


class ArrayCoins:
    """Vectorized exact choices. Raises `DomainError` for anything but a `numpy.random.Generator`.

    `words`, `tie` and `redraw` are where randomness enters; an audit that replaces them by enumeration reads off the
    exact law of everything built on top (with words of few bits: `bit_word`, `index_word`).
    """

    bit_word = 8
    index_word = 64

    def __init__(self, generator: np.random.Generator) -> None:
        if not isinstance(generator, np.random.Generator):
            raise DomainError("generator", generator, "a numpy.random.Generator")
        self._generator = generator

    def words(self, count: int, bits: int) -> Words:
        """`count` independent words, uniform on 0 .. 2^bits - 1 (bits: 8, 16, 32 or 64)."""
        whole = self._generator.integers(0, 2**64 - 1, size=-(-count * bits // 64), dtype=np.uint64, endpoint=True)
        return whole.view(f"u{bits // 8}")[:count]

    def bernoulli(self, p: S, shape: Shape) -> Bits:
        """Independent bits, each 1 with probability exactly p (rational, in [0, 1]; raises `DomainError` otherwise).

        With k-bit words w and T = floor(p 2^k): 1 if w < T, 0 if w > T. The tie w = T, of probability 2^-k, is
        decided by a fresh bit of probability p 2^k - T.
        """
        exact = as_fraction(p)
        if not 0 <= exact <= 1:
            raise DomainError("p", p, "a probability in [0, 1]")
        if exact.denominator == 1:
            return np.full(shape, int(exact), np.uint8)
        threshold, rest = divmod(exact * 2**self.bit_word, 1)
        bits = np.empty(shape, np.uint8)
        flat = bits.reshape(-1)
        undecided: list[Indices] = []
        for start in range(0, flat.size, _BLOCK):
            block = flat[start : start + _BLOCK]
            words = self.words(block.size, self.bit_word)
            np.less(words, threshold, out=block.view(np.bool_))
            if rest:
                undecided.append(start + np.flatnonzero(words == threshold))
        if undecided and (ties := np.concatenate(undecided)).size:
            flat[ties] = self.tie(rest, ties.size)
        return bits

    def tie(self, rest: S, count: int) -> Bits:
        """What decides a tie: `count` fresh bits of probability `rest`."""
        return self.bernoulli(rest, count)

    def below(self, bounds: "int | Indices", shape: Shape) -> Indices:
        """Independent integers, uniform on 0 .. bound - 1; `bounds` is one number or an array of the given shape.

        A word beyond the largest multiple of its bound is drawn again. Raises `DomainError` unless all bounds are in
        1 .. 2^index_word - 1.
        """
        top: int = 2**self.index_word - 1
        if np.size(bounds) and not (int(np.min(bounds)) >= 1 and int(np.max(bounds)) <= top):
            raise DomainError("bounds", bounds, f"integers in 1..{top}")
        wide = np.broadcast_to(np.asarray(bounds, np.uint64), shape).reshape(-1)
        words = self.words(wide.size, self.index_word).astype(np.uint64, copy=False)
        last: Words = top - (top % wide + np.uint64(1)) % wide
        indices = (words % wide).astype(np.int64)
        if (again := np.flatnonzero(words > last)).size:
            indices[again] = self.redraw(wide[again].astype(np.int64))
        return indices.reshape(shape)

    def redraw(self, bounds: Indices) -> Indices:
        """What replaces words beyond the largest multiple of their bound: fresh integers below the bounds."""
        return self.below(bounds, bounds.shape)
