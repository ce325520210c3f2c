"""Operator norms: how far apart a matrix can bring two vectors at distance 1, of all vectors at once.

A norm is exact, in the scale of the metric of outputs: of the Euclidean one its square. A root that is irrational is a
ball.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import product
from math import isqrt
from typing import Any

from flint import arb, fmpq, fmpq_mat, fmpq_poly

from dp_audit.oracles.distances import BITS, root
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

Vector = Sequence[fmpq]
NORMS: Mapping[str, Callable[[Vector], fmpq]] = {
    "absolute": lambda vector: sum(map(abs, vector), fmpq(0)),
    "L1": lambda vector: sum(map(abs, vector), fmpq(0)),
    "L2": lambda vector: sum((number**2 for number in vector), fmpq(0)),
    "Linf": lambda vector: max(map(abs, vector), default=fmpq(0)),
}
"""By the name of a metric of outputs (absolute: of one number), in its scale."""
SIGNED = 16
"""Numbers whose signs are enumerated at most: that takes seconds."""


def signs(columns: Sequence[Vector], d_in: str, d_out: str) -> int:
    """Return of how many numbers `operator_norm` of a matrix, given by its columns, enumerates the signs."""
    enumerated = {("Linf", "L1"): len(columns), ("Linf", "L2"): len(columns), ("L2", "L1"): max(map(len, columns))}
    return enumerated.get((d_in, d_out), 0)


def operator_norm(columns: Sequence[Vector], d_in: str, d_out: str) -> fmpq | arb:
    """Return that of a matrix, given by its columns, for two metrics of `NORMS`.

    A norm is convex, and so largest at an extreme point of the ball of inputs: of L1 a vector with one place, of Linf
    one of signs. Of one row the largest value on the Euclidean ball is the Euclidean norm of the row; an L1 norm is
    the largest sum of rows with signs, and the Euclidean one is the largest eigenvalue of the products of columns.
    """
    rows = list(zip(*columns, strict=True))
    if d_in in ("L1", "absolute"):
        return max((NORMS[d_out](column) for column in columns), default=fmpq(0))
    if d_in == "Linf":
        if d_out in ("L1", "L2"):
            return max(NORMS[d_out](vector) for vector in _signed_sums(columns))
        return max((NORMS["L1"](row) for row in rows), default=fmpq(0))
    if d_out == "L2":
        products = [[sum((a * b for a, b in zip(x, y, strict=True)), fmpq(0)) for y in columns] for x in columns]
        return largest_eigenvalue(fmpq_mat(products))
    return _root(max((NORMS["L2"](row) for row in (_signed_sums(rows) if d_out == "L1" else rows)), default=fmpq(0)))


def _signed_sums(vectors: Sequence[Vector]) -> list[Vector]:
    """Return the sums of vectors with every sign; with that of the first changed all change, and no norm does."""
    places = list(zip(*vectors, strict=True))
    return [
        [sum((sign * x for sign, x in zip(chosen, place, strict=True)), fmpq(0)) for place in places]
        for chosen in product((1,), *[(1, -1)] * (len(vectors) - 1))
    ]


def _root(square: fmpq) -> fmpq | arb:
    number = fmpq(isqrt(int(square.p)), isqrt(int(square.q)))
    return number if number**2 == square else root(square)


def largest_eigenvalue(symmetric: fmpq_mat) -> fmpq | arb:
    """Return that of a symmetric matrix of at least one row: exactly if it is rational, else a ball of `BITS` bits.

    A polynomial all of whose roots are real has none above x if, and only if, no coefficient of it is negative when it
    is developed about x (Descartes' rule of signs).
    """
    characteristic = symmetric.charpoly()
    rational = max((root for root, _ in characteristic.roots()), default=None)
    if rational is not None:
        developed = characteristic(fmpq_poly([rational, 1])).coeffs()
        if all(compare(coefficient, 0) is not Ordering.LESS for coefficient in developed):
            return rational
    with precision(BITS):
        roots: Any = characteristic.numer().complex_roots()  # enclosures and multiplicities
        largest: arb = reduce(arb.max, (root.real for root, _ in roots))
        return largest
