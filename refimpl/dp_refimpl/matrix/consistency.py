"""Boost: the naive tree's noisy nodes made consistent by least squares (source 001, [15]; Hay et al. 2010)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.mechanism import pseudoinverse, strategy
from dp_refimpl.matrix.parameters import T, divisible, require_values, total
from dp_refimpl.matrix.ranges import coefficient
from dp_refimpl.matrix.tree import Tree


@dataclass(frozen=True)
class Boost(Tree):
    """Released as `Tree`; the leaves are estimated in two passes, up and down. No value is made non-negative.

    Where the root is omitted, its children are the roots of a forest, and nothing is passed down to them.
    """

    def estimates(self, noisy: Sequence[T]) -> list[T]:
        """The leaves of the consistent tree."""
        return self.downwards(self.upwards(self.levels(noisy)))[-1]

    def upwards(self, levels: Sequence[Sequence[T]]) -> list[list[T]]:
        """z: at the leaves the noisy values, above a mean of the own value and of the sum of the children's z.

        With l the height of a node, leaves having 1: (b^l - b^(l - 1)) / (b^l - 1) of the node's own value and
        (b^(l - 1) - 1) / (b^l - 1) of the children's sum.
        """
        b, below = self.branching, list(levels[-1])
        means = [below]
        for height, level in enumerate(reversed(levels[:-1]), 2):
            own, others, whole = b**height - b ** (height - 1), b ** (height - 1) - 1, b**height - 1
            sums = self._family_sums(below)
            below = [(y * own + z * others) / whole for y, z in zip(level, sums, strict=True)]
            means.append(below)
        return means[::-1]

    def downwards(self, levels: Sequence[Sequence[T]]) -> list[list[T]]:
        """The consistent values: a node gets an equal share of what its parent has beyond the sum of its children."""
        b, values = self.branching, [list(levels[0])]
        for level in levels[1:]:
            missing = [parent - z for parent, z in zip(values[-1], self._family_sums(level), strict=True)]
            values.append([z + missing[i // b] / b for i, z in enumerate(level)])
        return values

    def _family_sums(self, level: Sequence[T]) -> list[T]:
        return [total(level[i : i + self.branching]) for i in range(0, len(level), self.branching)]

    def answer(self, noisy: Sequence[Any], first: int, last: int) -> Any:
        """The sum of the consistent leaves."""
        return Mechanism.answer(self, noisy, first, last)

    def eigenvalues(self) -> list[fmpq]:
        """Of A^T A, on the mean and on the nodes of heights 1..h: how many leaves the nodes above a leaf have in all.

        A vector that is constant on the children of a node of height t, with sum 0, is seen by the levels below it:
        1 + b + ... + b^(t - 1). The mean is seen by all released levels.
        """
        b, levels = self.branching, self.height + 1 - self.top
        return [fmpq(b**t - 1, b - 1) for t in (levels, *range(1, self.height + 1))]

    def range_coefficient(self, first: int, last: int) -> fmpq:
        """I^T (A^T A)^-1 I, by the eigenvalues."""
        return coefficient(self.size, first, last, self.eigenvalues(), self.branching)


def least_squares(tree: Tree, noisy: Sequence[T]) -> list[T]:
    """The leaves that minimize the squared distance to the noisy nodes: (H^T H)^-1 H^T y by exact linear algebra.

    H is the matrix of the released nodes. Raises `DomainError` unless there is a value for each of them.
    """
    inverse = pseudoinverse(strategy(tree))
    values = divisible(require_values("noisy", noisy, tree.answers))
    rows = [[inverse[i, k] for k in range(tree.answers)] for i in range(tree.size)]
    return [total([value * int(c.p) / int(c.q) for value, c in zip(values, row, strict=True)]) for row in rows]
