"""Eigenvalues of a symmetric matrix of balls, and projections on eigenspaces, with error bounds."""

from dataclasses import dataclass
from functools import cmp_to_key, reduce

import mpmath
from flint import arb, arb_mat, arf

from dp_spec.vocabulary.precision import current_bits
from dp_spec.vocabulary.scalar import Ordering, compare


@dataclass(frozen=True)
class Diagonalization:
    """Approximate eigenvectors as columns, and disjoint balls, ascending, around all eigenvalues.

    Each is (ball, first, last + 1): it contains the eigenvalues of these numbers, as connected discs of Gershgorin of
    V^-1 L V do for the eigenvectors V. (flint's own eigenvalues are not found where several are equal.)
    """

    laplacian: arb_mat
    vectors: arb_mat
    balls: tuple[tuple[arb, int, int], ...]

    def projection(self, first: int, last: int) -> arb_mat | None:
        """The projection on the eigenvectors first..last-1, which are those of some balls; None if no bound is found.

        For the projection Q on the approximate ones, |P - Q| <= sqrt(2) |(1 - Q) L Q| / gap in the Frobenius norm:
        X = (1 - P) Q solves L X - X (Q L Q) = (1 - P) (1 - Q) L Q, which divides by differences of eigenvalues.
        """
        n = self.laplacian.nrows()
        columns = arb_mat([[self.vectors[i, j] for j in range(first, last)] for i in range(n)])
        try:
            inverse = (columns.transpose() * columns).inv()
        except ZeroDivisionError:
            return None
        small = inverse * (columns.transpose() * self.laplacian * columns)
        near = columns * inverse * columns.transpose()
        defect = self.laplacian * near - near * self.laplacian * near
        inside = [disc for disc, _ in _discs(small)]
        outside = [ball for ball, low, high in self.balls if high <= first or low >= last]
        norm = sum((entry * entry for entry in defect.entries()), arb(0)).abs_upper().sqrt()
        gaps = [abs(a - b).abs_lower() for a in inside for b in outside]
        if any(compare(gap, 0) is not Ordering.GREATER for gap in gaps):
            return None
        gap = reduce(lambda a, b: a.min(b), gaps, arb(1)) if gaps else None
        bound = (arb(2).sqrt() * norm / gap).abs_upper() if gap is not None else arb(0)
        return arb_mat([[near[i, j] + arb(0, bound) for j in range(n)] for i in range(n)])


def diagonalization(laplacian: arb_mat) -> Diagonalization | None:
    """Eigenvectors and eigenvalues; None if so many bits are not enough for any."""
    n = laplacian.nrows()
    if not all(entry.is_finite() for entry in laplacian.entries()):
        return None
    try:
        vectors = _approximate_eigenvectors(laplacian)
        discs = _discs(vectors.solve(laplacian * vectors))
    except (ZeroDivisionError, RuntimeError):  # no inverse is found, or mpmath's iteration does not converge
        return None
    if not all(disc.is_finite() for disc, _ in discs):
        return None
    discs.sort(key=cmp_to_key(_middle_order))
    balls: list[tuple[arb, int, int]] = []
    for place, (disc, _) in enumerate(discs):
        joined, first = disc, place
        while balls and balls[-1][0].overlaps(joined):
            last, first, _ = balls.pop()
            joined = last.union(joined)
        balls.append((joined, first, place + 1))
    ordered = arb_mat([[vectors[i, column] for _, column in discs] for i in range(n)])
    return Diagonalization(laplacian, ordered, tuple(balls))


def _discs(matrix: arb_mat) -> list[tuple[arb, int]]:
    """The discs of Gershgorin on the real axis, each with its row."""
    n = range(matrix.nrows())
    radii = [sum((abs(matrix[i, j]) for j in n if j != i), arb(0)).abs_upper() for i in n]
    return [(matrix[i, i] + arb(0, radii[i]), i) for i in n]


def _middle_order(a: tuple[arb, int], b: tuple[arb, int]) -> int:
    return compare(a[0].mid(), b[0].mid()).value


def _approximate_eigenvectors(laplacian: arb_mat) -> arb_mat:
    """Eigenvectors of the midpoints as columns, without error bounds."""
    n = range(laplacian.nrows())
    middles = [[laplacian[i, j].mid().man_exp() for j in n] for i in n]
    numbers = mpmath.MPContext()
    numbers.prec = current_bits()
    rows = [[numbers.ldexp(numbers.mpf(int(m)), int(e)) for m, e in row] for row in middles]
    vectors = numbers.eigsy(numbers.matrix(rows))[1]
    return arb_mat([[arb(arf(vectors[i, j].man_exp)) * int(numbers.sign(vectors[i, j])) for j in n] for i in n])
