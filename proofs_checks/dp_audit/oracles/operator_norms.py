"""Operator norms: how far apart a matrix can bring two vectors at distance 1, of all vectors at once.

A norm is exact, in the scale of the metric of outputs: of the Euclidean one its square.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from flint import arb, fmpq, fmpq_mat, fmpq_poly

from dp_audit.oracles.distances import BITS
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
PAIRS = (*(("L1", name) for name in NORMS), *(("absolute", name) for name in NORMS), ("L2", "L2"))
"""Metrics of inputs and outputs whose operator norm is known here."""


def operator_norm(columns: Sequence[Vector], d_in: str, d_out: str) -> fmpq | arb:
    """Return that of a matrix, given by its columns, for one of `PAIRS`.

    At L1 distance 1 the farthest vectors differ in one place, since a norm is convex: it is the largest norm of a
    column. Of Euclidean distances it is the largest eigenvalue of the products of columns.
    """
    if d_in == "L2":
        products = [[sum((a * b for a, b in zip(x, y, strict=True)), fmpq(0)) for y in columns] for x in columns]
        return largest_eigenvalue(fmpq_mat(products))
    return max((NORMS[d_out](column) for column in columns), default=fmpq(0))


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
