"""Best linear estimates and ordered forms a second time: null spaces, elimination, all principal minors."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

Row = Sequence[Fraction]


def null_space(rows: Sequence[Row], columns: int) -> list[list[Fraction]]:
    """A basis of the vectors x with rows x = 0."""
    matrix, pivots = [list(row) for row in rows], list[int]()
    for c in range(columns):
        place = next((r for r in range(len(pivots), len(matrix)) if matrix[r][c] != 0), None)
        if place is None:
            continue
        here = len(pivots)
        matrix[here], matrix[place] = matrix[place], matrix[here]
        matrix[here] = [x / matrix[here][c] for x in matrix[here]]
        for r in range(len(matrix)):
            if r != here:
                matrix[r] = [x - matrix[r][c] * y for x, y in zip(matrix[r], matrix[here], strict=True)]
        pivots.append(c)
    basis = []
    for free in sorted(set(range(columns)) - set(pivots)):
        vector = [Fraction(int(c == free)) for c in range(columns)]
        for row, pivot in zip(matrix, pivots, strict=False):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis


def is_best(queries: Sequence[Row], variances: Row, asked: Row, weights: Row) -> bool:
    """Whether an estimate is unbiased, and no change that keeps it so, along the answers that say nothing of the
    counts, has less variance: the derivative is 0 along all of them."""
    expected = [sum((w * q[j] for w, q in zip(weights, queries, strict=True)), Fraction(0)) for j in range(len(asked))]
    silent = null_space([list(column) for column in zip(*queries, strict=True)], len(queries))
    slopes = [sum((w * d * y for w, d, y in zip(weights, variances, z, strict=True)), Fraction(0)) for z in silent]
    return expected == list(asked) and not any(slopes)


def minors(matrix: Sequence[Row]) -> Iterator[Fraction]:
    """All principal minors of a matrix."""
    n = len(matrix)
    for size in range(1, n + 1):
        for of in combinations(range(n), size):
            yield determinant([[matrix[i][j] for j in of] for i in of])


def determinant(matrix: Sequence[Row]) -> Fraction:
    """By the first row."""
    if not matrix:
        return Fraction(1)
    rest = [[row[:j] + row[j + 1 :] for row in map(list, matrix[1:])] for j in range(len(matrix))]
    signed = ((-1) ** j * x * determinant(of) for j, (x, of) in enumerate(zip(matrix[0], rest, strict=True)) if x)
    return sum(signed, Fraction(0))


def is_semidefinite(matrix: Sequence[Row]) -> bool:
    """By Sylvester's criterion for semidefinite forms: no principal minor is negative."""
    return all(x >= 0 for x in minors(matrix))


def information(queries: Sequence[Row], variances: Row) -> list[list[Fraction]]:
    """The sum of q^T q over the variance, over all answers."""
    n = len(queries[0])
    return [
        [sum((q[i] * q[j] / d for q, d in zip(queries, variances, strict=True)), Fraction(0)) for j in range(n)]
        for i in range(n)
    ]
