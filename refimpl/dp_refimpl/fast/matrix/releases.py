"""Releases and restorations at real data sizes: the mechanisms' programs on arrays, O(N), with noise for arrays."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.matrix.transforms import (
    Values,
    by_height,
    consistent_leaves,
    haar_forward,
    haar_inverse,
    require_vector,
    tree_sums,
)
from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.haar import HaarTree
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.laplace import laplace_draws
from dp_refimpl.matrix.noise import rational_scale, require_epsilon, require_generator
from dp_refimpl.matrix.parameters import Neighbors, Scale, require_kind, require_scale
from dp_refimpl.matrix.tree import Tree
from dp_spec.vocabulary.budget import Epsilon, read_epsilon
from dp_spec.vocabulary.exceptions import DomainError

LARGEST = 2**31
"""Numerators and denominators of a rate epsilon / scale are below this, so that 63 bits suffice."""
_BLOCK = 1 << 18


class ArrayNoise(Protocol):
    """Independent centered variables, many at once."""

    def draws(self, scale: Scale, count: int) -> Values:
        """`count` variables of this scale in units of 1 / epsilon; zeros for scale 0."""
        ...

    def lift(self, values: Values) -> Values:
        """Exact answers as values that this noise is added to; raises `DomainError` for others."""
        ...


class LaplaceArray:
    """`noise.LaplaceNoise` for arrays: floats, private but for their last bits. Raises `DomainError` as it."""

    def __init__(self, generator: np.random.Generator, epsilon: Epsilon) -> None:
        self._generator, self._epsilon = require_generator(generator), require_epsilon(epsilon)

    def draws(self, scale: Scale, count: int) -> NDArray[np.float64]:
        """Floats."""
        return laplace_draws(require_scale(scale), self._epsilon, self._generator, count)

    def lift(self, values: Values) -> Values:
        """Integers and floats as floats."""
        if values.dtype.kind not in "if":
            raise DomainError("data", values, "integers or floats")
        return values.astype(np.float64, copy=False)


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

    def lift(self, values: Values) -> Values:
        """Integers as they are."""
        if values.dtype.kind != "i":
            raise DomainError("data", values, "integers: discrete noise protects nothing else")
        return values

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


def compress_array(mechanism: Mechanism, data: Values) -> Values:
    """`Mechanism.compress` on an array. Raises `DomainError` for wrong sizes, values, or a mechanism without one."""
    values = require_vector("data", data)
    if values.size != mechanism.size:
        raise DomainError("data", f"{values.size} values", f"{mechanism.size} values")
    if isinstance(mechanism, Identity):
        return values
    if isinstance(mechanism, Tree):
        return tree_sums(values, mechanism.branching, mechanism.top)
    if isinstance(mechanism, HaarTree):
        coefficients = haar_forward(values)
        return by_height(coefficients, -1) if mechanism.divided else coefficients
    raise DomainError("mechanism", mechanism, "one with a program for arrays")


def release_array(
    mechanism: Mechanism, data: Values, noise: ArrayNoise, neighbors: Neighbors = Neighbors.ADD_REMOVE
) -> Values:
    """The noisy answers: `Mechanism.release` on an array. Raises as `compress_array`, and for data noise refuses."""
    require_kind("neighbors", neighbors, Neighbors)
    answers = noise.lift(compress_array(mechanism, data))
    runs = [noise.draws(scale, count) for count, scale in mechanism.scale_runs(neighbors)]
    drawn: Any = runs[0] if len(runs) == 1 else np.concatenate(runs)
    return answers + drawn  # type: ignore[no-any-return]


def restore_array(mechanism: Mechanism, noisy: Values) -> Values:
    """Estimates of all leaves: `Mechanism.restore` on an array; integers become floats. Raises `DomainError` as it."""
    values = require_vector("noisy", noisy)
    if values.size != mechanism.answers:
        raise DomainError("noisy", f"{values.size} values", f"{mechanism.answers} values")
    if isinstance(mechanism, Identity):
        return values
    if isinstance(mechanism, Boost):
        return consistent_leaves(values, mechanism.branching, mechanism.top)
    if isinstance(mechanism, Tree):
        return values[-mechanism.size :]
    if isinstance(mechanism, HaarTree):
        return haar_inverse(by_height(values, 1) if mechanism.divided else values)
    raise DomainError("mechanism", mechanism, "one with a program for arrays")
