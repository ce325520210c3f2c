"""Discrete Laplace noise at real data sizes: many draws at once, exact."""

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.matrix.noise import rational_scale, require_epsilon
from dp_refimpl.matrix.parameters import Scale
from dp_spec.vocabulary.budget import Epsilon, read_epsilon
from dp_spec.vocabulary.exceptions import DomainError

LARGEST = 2**31
"""Numerators and denominators of a rate epsilon / scale are below this, so that 63 bits suffice."""
_BLOCK = 1 << 18


class DiscreteLaplaceArray:
    """Discrete Laplace with alpha = e^(-epsilon / scale), exact as far as the coins are: integers alone decide.

    `geometric.discrete_laplace` on arrays. Raises `DomainError` unless epsilon > 0 is rational, and where the
    numerator or the denominator of epsilon / scale is 2^31 or more.
    """

    def __init__(self, coins: ArrayCoins, epsilon: Epsilon) -> None:
        require_epsilon(epsilon)
        if not isinstance(coins, ArrayCoins):
            raise DomainError("coins", coins, "ArrayCoins")
        base, self._exponent = read_epsilon(epsilon)
        if base is not None:
            raise DomainError("epsilon", epsilon, "a rational epsilon")
        self._coins = coins

    def draws(self, scale: Scale, count: int) -> Indices:
        """Integers."""
        exact = rational_scale(scale)
        if not exact:
            return np.zeros(count, np.int64)
        rate = self._exponent / exact
        if max(rate.numerator, rate.denominator) >= LARGEST:
            raise DomainError("epsilon / scale", rate, "a fraction of numbers below 2^31")
        noise = np.empty(count, np.int64)
        for start in range(0, count, _BLOCK):
            missing = np.arange(start, min(start + _BLOCK, count))
            while missing.size:
                drawn, kept = self._attempt(rate.numerator, rate.denominator, missing.size)
                noise[missing[kept]] = drawn[kept]
                missing = missing[~kept]
        return noise

    def _attempt(self, s: int, t: int, count: int) -> tuple[Indices, NDArray[np.bool_]]:
        """Draws, and which of them are kept."""
        below = self._coins.below(t, count)
        kept = self._exp_coins(below, t)
        magnitude = (below + t * self._successes(count)) // s
        negative = self._coins.below(2, count) == 1
        return np.where(negative, -magnitude, magnitude), kept & ~(negative & (magnitude == 0))

    def _successes(self, count: int) -> Indices:
        """How many coins of probability 1 / e succeed before the first that fails."""
        successes = np.zeros(count, np.int64)
        running = np.arange(count)
        while running.size:
            running = running[self._exp_coins(np.ones(running.size, np.int64), 1)]
            successes[running] += 1
        return successes

    def _exp_coins(self, top: Indices, bottom: int) -> NDArray[np.bool_]:
        """True with probability e^(-top / bottom), 0 <= top <= bottom (`geometric.bernoulli_exp`)."""
        flips = np.zeros(top.size, np.bool_)
        running, k = np.arange(top.size), 1
        while running.size:
            succeeds = self._coins.below(bottom * k, running.size) < top[running]
            flips[running[~succeeds]] = k % 2 == 1
            running, k = running[succeeds], k + 1
        return flips
