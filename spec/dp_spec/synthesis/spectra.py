"""Spectral clustering in sentences: weights between points, given eigenvectors, the rows they make, and partitions.

The scaled rows of the kept eigenvectors of L are, up to their lengths, those of generalized eigenvectors v of W v =
mu B v: the inner product of rows i and j is the sum of v_i v_j / (v^T B v) over the kept v. That vectors are
eigenvectors, and that the kept ones have the smallest eigenvalues, is part of every sentence.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dp_spec.synthesis.tables import values
from dp_spec.vocabulary.arithmetic import BOTH, Tree, both, every, implies, less, only, some, those, total


def sequence(*things: Tree) -> Tree:
    """A list of things, whole numbers and lists of them as data."""
    lists = [["from", x, x + 1] if isinstance(x, int) and x >= 0 else only(x) for x in things]
    joined = lists[0]
    for part in lists[1:]:
        joined = ["joined", joined, part]
    return joined


def numbers(*integers: int) -> Tree:
    """A list of integers."""
    return sequence(*(x if x >= 0 else ["neg", -x] for x in integers))


def entry(matrix: Tree, i: Tree, j: Tree) -> Tree:
    """An entry of a list of rows."""
    return ["at", ["at", matrix, i], j]


def square(x: Tree) -> Tree:
    """x^2."""
    return ["pow", x, 2]


@dataclass(frozen=True)
class Embedding:
    """Four points with these weights, the eigenvectors that are kept and those that are left, the lengths of rows.

    Lengths are those of the rows before they are scaled, up to a common factor. Partitions are into two clusters.
    """

    weight: Callable[[Tree, Tree], Tree]
    kept: Tree
    left: Tree
    lengths: Tree

    @property
    def points(self) -> Tree:
        """0, ..., 3."""
        return values(4)

    def degree(self, i: Tree) -> Tree:
        """b_ii."""
        return total("k", self.points, self.weight(i, "k"))

    def similar(self, v: Tree) -> Tree:
        """v^T W v."""
        inner = total("h", self.points, ["mul", self.weight("g", "h"), ["at", v, "h"]])
        return total("g", self.points, ["mul", ["at", v, "g"], inner])

    def volume(self, v: Tree) -> Tree:
        """v^T B v."""
        return total("g", self.points, ["mul", self.degree("g"), square(["at", v, "g"])])

    def inner(self, i: Tree, j: Tree) -> Tree:
        """The inner product of two rows."""
        return total("u", self.kept, ["div", ["mul", ["at", "u", i], ["at", "u", j]], self.volume("u")])

    def squared_distance(self, i: Tree, j: Tree) -> Tree:
        """Of two rows that are scaled to length 1."""
        scale = ["div", ["mul", ["at", self.lengths, i], ["at", self.lengths, j]], square(["at", self.lengths, 0])]
        return ["mul", 2, ["sub", 1, ["div", self.inner(i, j), ["mul", self.inner(0, 0), scale]]]]

    def is_spectral(self) -> Tree:
        """The vectors are a basis of eigenvectors, the kept ones have smaller eigenvalues than those that are left."""
        vectors = ["joined", self.kept, self.left]
        image = total("j", self.points, ["mul", self.weight("i", "j"), ["at", "v", "j"]])
        own = ["mul", self.similar("v"), ["mul", self.degree("i"), ["at", "v", "i"]]]
        eigen = every(["eq", ["mul", image, self.volume("v")], own], v=vectors, i=self.points)
        product = total("i", self.points, ["mul", self.degree("i"), ["mul", ["at", "v", "i"], ["at", "w", "i"]]])
        apart = every(["or", ["eq", "v", "w"], ["eq", product, 0]], v=vectors, w=vectors)
        falls = less(["mul", self.similar("w"), self.volume("v")], ["mul", self.similar("v"), self.volume("w")])
        return both(
            ["eq", ["size", ["union", "v", vectors, only("v")]], 4],
            every(less(0, self.volume("v")), v=vectors),
            eigen,
            apart,
            every(falls, v=self.kept, w=self.left),
        )

    def has_lengths(self) -> Tree:
        """The lengths are those of the rows."""
        length = ["at", self.lengths, "i"]
        scaled = ["mul", square(length), self.inner(0, 0)]
        same = ["eq", scaled, ["mul", square(["at", self.lengths, 0]), self.inner("i", "i")]]
        return every(both(less(0, length), same), i=self.points)

    def scatter(self, labels: Tree) -> Tree:
        """The sum of squared distances to the means of clusters: of all pairs in a cluster, by twice its size."""
        joined = ["number", ["eq", ["at", labels, "i"], ["at", labels, "j"]]]
        pair = ["mul", joined, self.squared_distance("i", "j")]
        size = ["mul", 2, ["count", labels, ["at", labels, "i"]]]
        return total("i", self.points, ["div", total("j", self.points, pair), size])

    def is_best(self, labels: Tree) -> Tree:
        """No partition into two clusters has a smaller scatter."""
        return every(["le", self.scatter(labels), self.scatter("others")], others=partitions(4))

    def cut(self, labels: Tree) -> Tree:
        """Ncut: the sum over both clusters of the weights to the other one, by the sum of degrees."""
        within = ["number", ["eq", ["at", labels, "i"], "side"]]
        beyond = ["number", ["not", ["eq", ["at", labels, "j"], "side"]]]
        leaving = total("j", self.points, ["mul", beyond, self.weight("i", "j")])
        crossing = total("i", self.points, ["mul", within, leaving])
        degrees = total("i", self.points, ["mul", within, self.degree("i")])
        return total("side", BOTH, ["div", crossing, degrees])

    def inside(self, labels: Tree) -> Tree:
        """The sum of the weights within clusters."""
        joined = ["number", ["eq", ["at", labels, "i"], ["at", labels, "j"]]]
        return total("i", self.points, total("j", self.points, ["mul", joined, self.weight("i", "j")]))

    def returned(self, said: Tree) -> Tree:
        """What is said of `labels` if k-means may return them."""
        return implies(both(self.is_spectral(), self.has_lengths(), self.is_best("labels")), said)


def partitions(size: Tree) -> Tree:
    """All partitions of so many points into two clusters, as labels, the first point in cluster 0."""
    return those("split", ["lists", BOTH, size], both(["eq", ["at", "split", 0], 0], ["in", 1, "split"]))


def bound(body: Tree, **things: Tree) -> Tree:
    """The body, with names for what is computed once."""
    return some(body, **{name: only(thing) for name, thing in things.items()})


ALL_ONES = numbers(1, 1, 1, 1)
FIRST_TWO, LAST_TWO, TWO_AND_TWO = numbers(1, -1, 0, 0), numbers(0, 0, 1, -1), numbers(1, 1, -1, -1)
"""Vectors that are eigenvectors where points 0 and 1, and 2 and 3, are alike."""
