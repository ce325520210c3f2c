"""Matrix mechanisms a second time: rows written down from the definitions, plain fractions, Gaussian elimination; sums
over all ranges."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

Row = list[Fraction]
Matrix = list[Row]


def intervals(size: int, branching: int) -> list[tuple[int, int]]:
    """(first, last) of every node of a complete tree, from 1, level by level from the root."""
    nodes, width = [], size
    while width >= 1:
        nodes += [(start + 1, start + width) for start in range(0, size, width)]
        width //= branching
    return nodes


def ones(size: int, first: int, last: int) -> Row:
    return [Fraction(int(first <= i <= last)) for i in range(1, size + 1)]


def halves(size: int, first: int, last: int) -> Row:
    """+1 on the left half of a node, -1 on the right half."""
    middle = (first + last) // 2
    return [a - b for a, b in zip(ones(size, first, middle), ones(size, middle + 1, last), strict=True)]


def identity(size: int) -> Matrix:
    return [ones(size, i, i) for i in range(1, size + 1)]


def tree(size: int, branching: int, root: bool) -> Matrix:
    return [ones(size, *node) for node in intervals(size, branching)][0 if root else 1 :]


def haar(size: int) -> Matrix:
    """All ones, and the halves of every node with children."""
    return [ones(size, 1, size), *(halves(size, *node) for node in intervals(size, 2) if node[0] < node[1])]


def leaves_met(matrix: Matrix) -> list[int]:
    """How many entries of every row are not 0."""
    return [sum(entry != 0 for entry in row) for row in matrix]


def product(left: Sequence[Row], right: Sequence[Row]) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in columns] for row in left]


def transposed(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def inverse(matrix: Matrix) -> Matrix:
    """By Gaussian elimination. Raises `ZeroDivisionError` for a singular matrix."""
    n = len(matrix)
    rows = [[*row, *unit] for row, unit in zip(matrix, identity(n), strict=True)]
    for i in range(n):
        pivot = next((k for k in range(i, n) if rows[k][i] != 0), None)
        if pivot is None:
            raise ZeroDivisionError("a singular matrix")
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for k in range(n):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[n:] for row in rows]


def least_squares(matrix: Matrix) -> Matrix:
    """(A^T A)^-1 A^T."""
    return product(inverse(product(transposed(matrix), matrix)), transposed(matrix))


def ranges(size: int) -> Iterator[tuple[int, int]]:
    return ((first, last) for first in range(1, size + 1) for last in range(first, size + 1))


def submatrix(matrix: Matrix, first: int, last: int) -> Fraction:
    """The sum of the entries of all pairs in a range."""
    return sum((x for row in matrix[first - 1 : last] for x in row[first - 1 : last]), Fraction(0))


def over_ranges(matrix: Matrix) -> Fraction:
    """The sums of the entries of all pairs in a range, summed over all ranges."""
    return sum((submatrix(matrix, *ends) for ends in ranges(len(matrix))), Fraction(0))


def changes(matrix: Matrix, replace: bool) -> Iterator[Row]:
    """How the answers change for all neighboring data sets."""
    columns = transposed(matrix)
    if not replace:
        yield from columns
    else:
        yield from ([a - b for a, b in zip(one, other, strict=True)] for one, other in combinations(columns, 2))


def fewest_nodes(size: int, branching: int, root: bool, first: int, last: int) -> int:
    """The smallest number of nodes that make up a range, by trying all of them at every start."""
    nodes = intervals(size, branching)[0 if root else 1 :]
    best = {last + 1: 0}
    for start in range(last, first - 1, -1):
        best[start] = min(1 + best[end + 1] for begin, end in nodes if begin == start and end <= last)
    return best[first]
