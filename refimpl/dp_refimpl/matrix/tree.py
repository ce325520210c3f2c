"""The naive tree: every node of a complete b-ary tree gets the sum of its leaves plus noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from flint import fmpq

from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.parameters import (
    Neighbors,
    Root,
    T,
    divisible,
    require_kind,
    require_range,
    require_values,
    total,
    tree_height,
)
from dp_spec.vocabulary.exceptions import DomainError


class Node(NamedTuple):
    """A node: its depth (the root has 0) and its position among the nodes of its depth, from 0."""

    depth: int
    position: int


@dataclass(frozen=True)
class Tree(Mechanism):
    """The naive tree over size = branching^h leaves; nodes are released level by level from the root, left to right.

    The root is `RELEASED` (h + 1 levels) or `OMITTED` (h levels, h >= 1). Raises `DomainError` for other sizes.
    """

    size: int
    branching: int = 2
    root: Root = Root.RELEASED

    def __post_init__(self) -> None:
        require_kind("root", self.root, Root)
        if tree_height(self.size, self.branching) == 0 and self.root is Root.OMITTED:
            raise DomainError("size", self.size, f"at least {self.branching} leaves where the root is omitted")

    @cached_property
    def height(self) -> int:
        """h."""
        return tree_height(self.size, self.branching)

    @property
    def top(self) -> int:
        """The depth of the first released level."""
        return 0 if self.root is Root.RELEASED else 1

    @property
    def answers(self) -> int:
        """The number of released nodes."""
        return self._offset(self.height + 1)

    def _offset(self, depth: int) -> int:
        """How many nodes are released before the first of a depth."""
        b = self.branching
        return int(b**depth - b**self.top) // (b - 1)

    def index(self, node: Node) -> int:
        """Where the release has a node."""
        return self._offset(node.depth) + node.position

    def levels(self, nodes: Sequence[T]) -> list[list[T]]:
        """The released nodes by depth, the first released level first."""
        ends = [self._offset(depth) for depth in range(self.top, self.height + 2)]
        return [list(nodes[start:end]) for start, end in pairwise(ends)]

    def compress(self, data: Sequence[T]) -> list[T]:
        """The sums of all released nodes."""
        b, level = self.branching, list(data)
        levels, width = [level], b if self.top else 1
        while len(level) > width:
            level = [total(level[i : i + b]) for i in range(0, len(level), b)]
            levels.append(level)
        return [value for level in reversed(levels) for value in level]

    def estimates(self, noisy: Sequence[T]) -> list[T]:
        """The noisy leaves; `answer` uses larger nodes for a range."""
        return list(noisy[self._offset(self.height) :])

    def scale(self, neighbors: Neighbors) -> fmpq:
        """The number of released levels (`addremove`), or twice those below the root (`replace`: the total stays)."""
        require_kind("neighbors", neighbors, Neighbors)
        if neighbors is Neighbors.ADD_REMOVE:
            return fmpq(self.height + 1 - self.top)
        return fmpq(2 * self.height)

    def cover(self, first: int, last: int) -> list[Node]:
        """The smallest set of disjoint released nodes whose union is the range first..last of leaves, left to right.

        Raises `DomainError` for no range.
        """
        require_range(first, last, self.size)
        nodes: list[Node] = []
        self._descend(Node(0, 0), first - 1, last, nodes)
        return nodes

    def _descend(self, node: Node, start: int, stop: int, nodes: list[Node]) -> None:
        """Nodes inside the leaves start..stop - 1 (from 0) below a node that meets them."""
        width = int(self.branching ** (self.height - node.depth))
        left = node.position * width
        if start <= left and left + width <= stop and node.depth >= self.top:
            nodes.append(node)
            return
        below = width // self.branching
        low, high = max(start - left, 0) // below, -(-min(stop - left, width) // below)
        for child in range(low, high):
            self._descend(Node(node.depth + 1, node.position * self.branching + child), start, stop, nodes)

    def answer(self, noisy: Sequence[Any], first: int, last: int) -> Any:
        """The sum of the noisy nodes of `cover`."""
        values = divisible(require_values("noisy", noisy, self.answers))
        return total([values[self.index(node)] for node in self.cover(first, last)])

    def range_coefficient(self, first: int, last: int) -> fmpq:
        """The number of nodes used."""
        return fmpq(len(self.cover(first, last)))
