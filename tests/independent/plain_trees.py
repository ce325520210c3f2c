"""Noise on the nodes of complete trees, with explicit matrices of fractions: every query written out, every pair of
counts and every range looked at."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

Matrix = list[list[Fraction]]
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

    weights: list[Fraction]
    scale: Fraction
    back: list[Fraction]


def tree(b: int, h: int, levels: list[Level]) -> list[Query]:
    """The queries: level by level, from the lowest height up, from the left to the right."""
    found = []
    for level in levels:
        for s in range(level.first, level.last + 1):
            for node in range(b ** (h - s)):
                signs = [_sign(level.kind, leaf, node, b, s) for leaf in range(b**h)]
                weight, back = level.weight(s, h), level.back(s, h)
                found.append(Query([weight * x for x in signs], level.scale(s, h), [back * x for x in signs]))
    return found


def _sign(kind: str, leaf: int, node: int, b: int, s: int) -> Fraction:
    if leaf // b**s != node:
        return Fraction(0)
    on_the_right = kind == "differences" and (leaf // b ** (s - 1)) % b == 1
    return Fraction(-1 if on_the_right else 1)


def common(i: int, j: int, b: int) -> int:
    """The height of the lowest common ancestor."""
    height = 0
    while i != j:
        i, j, height = i // b, j // b, height + 1
    return height


def distances(queries: list[Query], neighbors: str, scaled: bool) -> Iterator[Fraction]:
    """The L1 distances of the answers to two neighbors, for all of them."""
    n = len(queries[0].weights)
    pairs: Any = combinations(range(n), 2) if neighbors == "replace" else [(i, None) for i in range(n)]
    for i, j in pairs:
        gaps = (abs(q.weights[i] - (0 if j is None else q.weights[j])) / (q.scale if scaled else 1) for q in queries)
        yield sum(gaps, Fraction(0))


def product(what: str, queries: list[Query]) -> Matrix:
    """A^T A, B A, B B^T, or B D B^T with the variances 2 scale^2 of Laplace noise on its diagonal."""
    n = len(queries[0].weights)

    def entry(i: int, j: int) -> Fraction:
        total = Fraction(0)
        for q in queries:
            left = q.weights[i] if what == "gram" else q.back[i]
            right = q.weights[j] if what in ("gram", "returned") else q.back[j]
            total += left * right * (2 * q.scale * q.scale if what == "covariance" else 1)
        return total

    return [[entry(i, j) for j in range(n)] for i in range(n)]


def inverse(matrix: Matrix) -> Matrix:
    """By elimination. Raises `ZeroDivisionError` for a singular matrix."""
    n = len(matrix)
    rows = [[*row, *(Fraction(int(i == j)) for j in range(n))] for i, row in enumerate(matrix)]
    for c in range(n):
        pivot = next((r for r in range(c, n) if rows[r][c] != 0), None)
        if pivot is None:
            raise ZeroDivisionError("a singular matrix")
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [x / rows[c][c] for x in rows[c]]
        for r in range(n):
            if r != c:
                rows[r] = [x - rows[r][c] * y for x, y in zip(rows[r], rows[c], strict=True)]
    return [row[n:] for row in rows]


def over_ranges(matrix: Matrix) -> Fraction:
    """The sum of the entries of the pairs in a range, summed over all ranges."""
    n, total = len(matrix), Fraction(0)
    for first in range(n):
        for last in range(first, n):
            total += sum((matrix[i][j] for i in range(first, last + 1) for j in range(first, last + 1)), Fraction(0))
    return total


def together(b: int, h: int, s: int) -> Matrix:
    """1 for two leaves that are under one node of height s."""
    return [[Fraction(int(i // b**s == j // b**s)) for j in range(b**h)] for i in range(b**h)]
