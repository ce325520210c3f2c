"""Spectral embedding in floats and k-means in fractions or floats, written from the print of source 003 alone."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = Sequence[Sequence[Any]]
Labels = tuple[int, ...]


def rows_of_u(s: list[list[float]], sigma: float, kept: int, njw: bool = False) -> tuple[NDArray[Any], float]:
    """Steps 2 to 6 of Algorithm 1, and the gap between the kept eigenvalues and the others."""
    w = np.exp(-(np.array(s) ** (2 if njw else 1)) / (2 * sigma**2))
    return rows_of_weights(w - np.diag(np.diag(w)) if njw else w, kept)


def laplacian(w: NDArray[Any]) -> NDArray[Any]:
    """B^(-1/2) (B - W) B^(-1/2), where B has the sums of the rows of W on its diagonal."""
    degrees = w.sum(axis=1)
    root = np.diag(degrees**-0.5)
    scaled: NDArray[Any] = root @ (np.diag(degrees) - w) @ root
    return scaled


def rows_of_weights(w: NDArray[Any], kept: int) -> tuple[NDArray[Any], float]:
    """Steps 3 to 6, for given weights."""
    values, vectors = np.linalg.eigh(laplacian(w))
    u = vectors[:, :kept]
    rows: NDArray[Any] = u / np.linalg.norm(u, axis=1, keepdims=True)
    return rows, float(values[kept] - values[kept - 1]) if kept < len(w) else 1.0


def within(points: Points, labels: Labels) -> Any:
    """The sum of squared distances to the block means."""
    total: Any = Fraction(0)
    for label in set(labels):
        block = [p for p, of in zip(points, labels, strict=True) if of == label]
        mean = [sum(c) / Fraction(len(block)) for c in zip(*block, strict=True)]
        total += sum(((x - m) ** 2 for p in block for x, m in zip(p, mean, strict=True)), Fraction(0))
    return total


def best_labels(points: Points, k: int) -> Labels:
    """The first of all strings of k labels with the least sum: one of restricted growth, as no renaming is smaller."""
    strings = [s for s in product(range(k), repeat=len(points)) if len(set(s)) == k]
    return min(strings, key=lambda s: (within(points, s), s))


def lloyd_labels(points: Points, seeds: tuple[int, ...]) -> list[set[int]]:
    """Lloyd's iterations with means as coordinates; ties as the program's documentation says. No cluster is empty."""
    means: Any = [points[s] for s in seeds]
    owner = [-1] * len(points)
    while True:
        new = []
        for i, p in enumerate(points):
            far = [sum((x - m) ** 2 for x, m in zip(p, mean, strict=True)) for mean in means]
            old = seeds.index(i) if owner[i] < 0 and i in seeds else owner[i]
            new.append(old if old >= 0 and far[old] == min(far) else far.index(min(far)))
        if new == owner:
            return [block for c in range(len(seeds)) if (block := {i for i, o in enumerate(owner) if o == c})]
        owner = new
        for c in range(len(seeds)):
            mine = [points[i] for i, o in enumerate(owner) if o == c]
            if mine:
                means[c] = tuple(sum(x) / Fraction(len(mine)) for x in zip(*mine, strict=True))
