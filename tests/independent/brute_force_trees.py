"""Noise on the nodes of complete trees, with explicit matrices of fractions: every query written out, every pair of
counts and every range looked at."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from independent import brute_force_matrices as plain
from independent.brute_force_matrices import Matrix, Row

Of = Callable[[int, int], Fraction]


class Level(NamedTuple):
    """Queries of one kind at the heights first..last: weight, scale of the noise and factor of the restoration, by the
    height of the node and of the tree."""

    kind: str
    first: int
    last: int
    weight: Of
    scale: Of
    back: Of


class Query(NamedTuple):
    """The weights of all counts, the scale of the noise, and the weights of the noisy answer in all estimates."""

    weights: Row
    scale: Fraction
    back: Row


def tree(b: int, h: int, levels: list[Level]) -> list[Query]:
    """The queries: level by level, from the lowest height up, from the left to the right."""
    queries = []
    for level in levels:
        signs_of = plain.halves if level.kind == "differences" else plain.ones
        for s in range(level.first, level.last + 1):
            for first in range(1, b**h + 1, b**s):
                signs = signs_of(b**h, first, first + b**s - 1)
                weight, back = level.weight(s, h), level.back(s, h)
                queries.append(Query([weight * x for x in signs], level.scale(s, h), [back * x for x in signs]))
    return queries


def common(i: int, j: int, b: int) -> int:
    """The height of the lowest common ancestor."""
    height = 0
    while i != j:
        i, j, height = i // b, j // b, height + 1
    return height


def distances(queries: list[Query], neighbors: str, scaled: bool) -> Iterator[Fraction]:
    """The L1 distances of the answers to two neighbors, for all of them."""
    for change in plain.changes([q.weights for q in queries], neighbors == "replace"):
        gaps = (abs(x) / (q.scale if scaled else 1) for x, q in zip(change, queries, strict=True))
        yield sum(gaps, Fraction(0))


def product(what: str, queries: list[Query]) -> Matrix:
    """A^T A, B A, B B^T, or B D B^T with the variances 2 scale^2 of Laplace noise on its diagonal."""
    a, b = [q.weights for q in queries], [q.back for q in queries]
    noisy = [[2 * q.scale * q.scale * x for x in q.back] for q in queries]
    left, right = {"gram": (a, a), "returned": (b, a), "coefficient": (b, b), "covariance": (b, noisy)}[what]
    return plain.product(plain.transposed(left), right)


def together(b: int, h: int, s: int) -> Matrix:
    """1 for two leaves that are under one node of height s."""
    return [[Fraction(int(i // b**s == j // b**s)) for j in range(b**h)] for i in range(b**h)]
