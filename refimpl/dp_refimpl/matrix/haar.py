"""The Haar tree: left sums minus right sums, and their restoration; one program for every normalization.

Nodes are numbered as in source 001: 1 is the root, 2x and 2x + 1 are the children of x, c_0 is the total. Noise scales
that differ by height are given as spreads: the square of a node's scale relative to the mechanism's scale.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import fmpq

from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.parameters import Neighbors, Scale, T, divisible, require_kind, tree_height
from dp_refimpl.matrix.ranges import coefficient
from dp_spec.vocabulary.real import Real


def differences(data: Sequence[T]) -> list[T]:
    """c_0, ..., c_(N-1) of N = 2^h values (3): the total, and every node's sum of left leaves minus its right ones'."""
    sums, levels = list(data), []
    while len(sums) > 1:
        pairs = list(zip(sums[::2], sums[1::2], strict=True))
        levels.append([left - right for left, right in pairs])
        sums = [left + right for left, right in pairs]
    return sums + [c for level in reversed(levels) for c in level]


def leaves(coefficients: Sequence[T]) -> list[T]:
    """The restoration (4): 2^-h c_0 plus or minus 2^-t c_x over the ancestors x, of heights t, of every leaf."""
    size = len(coefficients)
    level, width = [coefficients[0] / size], size
    while len(level) < size:
        parts = [c / width for c in coefficients[len(level) : 2 * len(level)]]
        level = [child for mean, part in zip(level, parts, strict=True) for child in (mean + part, mean - part)]
        width //= 2
    return level


class Normalization(Enum):
    """The factor of a node's left-minus-right sum, t its height; of the total with t = h in the same way.

    `DIFFERENCES` 1 (source 001 (3)), `AVERAGED` 2^-t (half the difference of the averages; the mean), `ORTHONORMAL`
    2^(-t/2), rows of length 1.
    """

    DIFFERENCES = "differences"
    AVERAGED = "averaged"
    ORTHONORMAL = "orthonormal"


@dataclass(frozen=True)
class HaarTree(Mechanism):
    """What the mechanisms on c_0..c_(N-1) share; N = `size` = 2^h. Raises `DomainError` for other sizes."""

    size: int

    def __post_init__(self) -> None:
        tree_height(self.size)

    @cached_property
    def height(self) -> int:
        """h."""
        return tree_height(self.size)

    @property
    def answers(self) -> int:
        """N."""
        return self.size

    @property
    def height_runs(self) -> list[tuple[int, int]]:
        """The heights of the coefficients' nodes as (how many, height): h for c_0 and c_1, then twice h - 1, ..."""
        return [(1, self.height), *((2 ** (self.height - t), t) for t in range(self.height, 0, -1))]

    @property
    def heights(self) -> list[int]:
        """The height of every coefficient's node."""
        return [height for count, height in self.height_runs for _ in range(count)]

    @property
    def divided(self) -> bool:
        """Whether coefficients are released divided by 2^t, t the height of their node."""
        return False

    def compress(self, data: Sequence[T]) -> list[T]:
        """c_0..c_(N-1); where they are divided, integers become fractions."""
        if not self.divided:
            return differences(data)
        return [c / 2**t for c, t in zip(differences(divisible(data)), self.heights, strict=True)]

    def estimates(self, noisy: Sequence[T]) -> list[T]:
        """The inverse transform (4)."""
        if not self.divided:
            return leaves(noisy)
        return leaves([g * 2**t for g, t in zip(noisy, self.heights, strict=True)])

    @abstractmethod
    def height_spread(self, height: int) -> fmpq:
        """The spread of the noise of a node of this height, as noise on its left-minus-right sum (h for the total)."""

    def eigenvalues(self) -> list[fmpq]:
        """Of A^T D^-1 A, on the mean and on the nodes of heights 1..h: squared lengths of rows divided by spreads."""
        return [2**t / self.height_spread(t) for t in (self.height, *range(1, self.height + 1))]

    def range_coefficient(self, first: int, last: int) -> fmpq:
        """Sum over the coefficients of (their factor in the range's answer)^2 times their spread, in O(h)."""
        return coefficient(self.size, first, last, self.eigenvalues())


@dataclass(frozen=True)
class Haar(HaarTree):
    """The Haar transform in a normalization, with one common noise scale.

    `ORTHONORMAL` coefficients are irrational. They are released times 2^(t/2), as left-minus-right sums with noise of
    the scale times 2^(t/2): the same mechanism, since everybody can multiply by a known number.
    """

    normalization: Normalization = Normalization.DIFFERENCES

    def __post_init__(self) -> None:
        super().__post_init__()
        require_kind("normalization", self.normalization, Normalization)

    @property
    def divided(self) -> bool:
        """For `AVERAGED`."""
        return self.normalization is Normalization.AVERAGED

    def _factor(self, height: int) -> Scale:
        """The factor of a node's left-minus-right sum."""
        if self.normalization is Normalization.DIFFERENCES:
            return fmpq(1)
        if self.normalization is Normalization.AVERAGED:
            return fmpq(1, 2**height)
        return Real.power(fmpq(2), Fraction(-height, 2))

    def scale(self, neighbors: Neighbors) -> Scale:
        """The L1 sensitivity: the factors of the total and of heights 1..h (`addremove`).

        `replace`, two leaves of opposite halves: twice the factors of heights 1..h; 0 for N = 1.
        """
        require_kind("neighbors", neighbors, Neighbors)
        factors: list[Any] = [self._factor(t) for t in range(1, self.height + 1)]
        if neighbors is Neighbors.ADD_REMOVE:
            factors.append(self._factor(self.height))
        sensitivity: Scale = sum(factors, fmpq(0))
        return sensitivity if neighbors is Neighbors.ADD_REMOVE else 2 * sensitivity

    def height_spread(self, height: int) -> fmpq:
        """1 / factor^2: 1, 4^t or 2^t."""
        base = {Normalization.DIFFERENCES: 1, Normalization.AVERAGED: 4, Normalization.ORTHONORMAL: 2}
        return fmpq(base[self.normalization] ** height)

    def spreads(self) -> list[fmpq]:
        """1 for all that is released with the common scale, 2^t for `ORTHONORMAL`."""
        if self.normalization is not Normalization.ORTHONORMAL:
            return [fmpq(1)] * self.size
        return [self.height_spread(t) for t in self.heights]

    def scale_runs(self, neighbors: Neighbors) -> list[tuple[int, Scale]]:
        """The common scale; times 2^(t/2) for `ORTHONORMAL`."""
        common: Any = self.scale(neighbors)
        if self.normalization is not Normalization.ORTHONORMAL:
            return [(self.size, common)]
        return [(count, common / self._factor(t)) for count, t in self.height_runs]
