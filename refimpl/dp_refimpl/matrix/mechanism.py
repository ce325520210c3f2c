"""The general matrix mechanism, and the matrices of any mechanism, read off its own program.

Errors are in units of 2 (scale / epsilon)^2: with B the restoration and D the diagonal of the squared relative scales
the estimates have covariance Sigma = B D B^T, and a workload W has total squared error tr(W Sigma W^T).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from flint import fmpq, fmpq_mat

from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.linear_forms import data_symbols, noise_symbols
from dp_refimpl.matrix.noise import Symbols
from dp_refimpl.matrix.parameters import Neighbors, T, divisible, largest, require_kind, require_range, total
from dp_refimpl.matrix.ranges import range_variance
from dp_spec.vocabulary.exceptions import DomainError


def strategy(mechanism: Mechanism) -> fmpq_mat:
    """A, shape (answers, N): `release` run on x_1..x_N with formal noise.

    Raises `DomainError` unless the k-th answer has the k-th noise variable, once, and no other.
    """
    noise = Symbols()
    answers = mechanism.release(data_symbols(mechanism.size), noise)
    rows = []
    for k, answer in enumerate(answers, 1):
        if answer.row("z", len(noise.scales)) != [fmpq(int(i == k)) for i in range(1, len(answers) + 1)]:
            raise DomainError("answer", answer, f"a form with one noise variable, z_{k}")
        rows.append(answer.row("x", mechanism.size))
    return fmpq_mat(len(rows), mechanism.size, [entry for row in rows for entry in row])


def restoration(mechanism: Mechanism) -> fmpq_mat:
    """B, shape (N, answers): `restore` run on the symbols z_1..z_answers."""
    rows = [form.row("z", mechanism.answers) for form in mechanism.restore(noise_symbols(mechanism.answers))]
    return fmpq_mat(len(rows), mechanism.answers, [entry for row in rows for entry in row])


def sensitivity(matrix: fmpq_mat, neighbors: Neighbors) -> fmpq:
    """The L1 sensitivity of A v: the largest |A e_j| (`addremove`) or |A e_i - A e_j| (`replace`; 0 for one column)."""
    require_kind("neighbors", neighbors, Neighbors)
    columns = [_column(matrix, j) for j in range(matrix.ncols())]
    if neighbors is Neighbors.ADD_REMOVE:
        return largest([_length(column) for column in columns])
    pairs = [(i, j) for j in range(len(columns)) for i in range(j)]
    return largest([_length([a - b for a, b in zip(columns[i], columns[j], strict=True)]) for i, j in pairs])


def pseudoinverse(matrix: fmpq_mat) -> fmpq_mat:
    """A^+ = (A^T A)^-1 A^T, exact. Raises `DomainError` unless A has full column rank."""
    transposed = matrix.transpose()
    gram = transposed * matrix
    if gram.det() == 0:
        raise DomainError("strategy", matrix, "a matrix of full column rank: others leave counts undetermined")
    return gram.solve(transposed)


def covariance(restored: fmpq_mat, spreads: Sequence[fmpq] | None = None) -> fmpq_mat:
    """Sigma = B D B^T (D = 1 without spreads). Raises `DomainError` unless there is a spread for every answer."""
    if spreads is None:
        return restored * restored.transpose()
    rows, columns = restored.nrows(), restored.ncols()
    if len(spreads) != columns:
        raise DomainError("spreads", spreads, f"{columns} numbers, one for each answer")
    weighted = fmpq_mat(rows, columns, [restored[i, k] * spreads[k] for i in range(rows) for k in range(columns)])
    return weighted * restored.transpose()


def coefficients(mechanism: Mechanism) -> fmpq_mat:
    """Sigma of a mechanism's restored leaves, from its own program."""
    return covariance(restoration(mechanism), mechanism.spreads())


def query_errors(workload: fmpq_mat, sigma: fmpq_mat) -> list[fmpq]:
    """The squared error of every query of a workload. Raises `DomainError` for a workload of another width."""
    if workload.ncols() != sigma.nrows():
        raise DomainError("workload", f"{workload.ncols()} columns", f"{sigma.nrows()} columns, one for each count")
    product = workload * sigma
    columns = range(workload.ncols())
    return [sum((product[i, j] * workload[i, j] for j in columns), fmpq(0)) for i in range(workload.nrows())]


@dataclass(frozen=True, eq=False)
class MatrixMechanism(Mechanism):
    """Release A v + noise, estimate A^+ of it: least squares. `matrix` is A, shape (answers, N), not changed later.

    Raises `DomainError` for what is no exact matrix of full column rank.
    """

    matrix: fmpq_mat
    size: int = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.matrix, fmpq_mat) or not self.matrix.ncols():
            raise DomainError("strategy", self.matrix, "an fmpq_mat with one or more columns")
        object.__setattr__(self, "matrix", fmpq_mat(self.matrix))
        object.__setattr__(self, "size", self.matrix.ncols())
        pseudoinverse(self.matrix)

    @property
    def answers(self) -> int:
        """The number of rows of A."""
        return self.matrix.nrows()

    @cached_property
    def inverse(self) -> fmpq_mat:
        """A^+."""
        return pseudoinverse(self.matrix)

    def compress(self, data: Sequence[T]) -> list[T]:
        """A v; rows with fractions make fractions of integers."""
        return _product(self.matrix, data)

    def estimates(self, noisy: Sequence[T]) -> list[T]:
        """A^+ times the noisy answers."""
        return _product(self.inverse, noisy)

    def scale(self, neighbors: Neighbors) -> fmpq:
        """The L1 sensitivity of A."""
        return sensitivity(self.matrix, neighbors)

    def range_coefficient(self, first: int, last: int) -> fmpq:
        """I^T (A^T A)^-1 I."""
        require_range(first, last, self.size)
        return range_variance(covariance(self.inverse), first, last)


def _product(matrix: fmpq_mat, values: Sequence[T]) -> list[T]:
    """The matrix times a vector; integers stay integers where the matrix has no fractions."""
    vector = list(values) if matrix.numer_denom()[1] == 1 else divisible(values)
    return [_combination(_row(matrix, i), vector) for i in range(matrix.nrows())]


def _combination(row: list[fmpq], vector: list[T]) -> T:
    terms = [_times(value, number) for value, number in zip(vector, row, strict=True) if number != 0]
    return total(terms) if terms else vector[0] - vector[0]


def _times(value: T, number: fmpq) -> T:
    product = value * int(number.p)
    return product if number.q == 1 else product / int(number.q)


def _row(matrix: fmpq_mat, i: int) -> list[fmpq]:
    return [matrix[i, j] for j in range(matrix.ncols())]


def _column(matrix: fmpq_mat, j: int) -> list[fmpq]:
    return [matrix[i, j] for i in range(matrix.nrows())]


def _length(vector: Sequence[fmpq]) -> fmpq:
    return sum((abs(entry) for entry in vector), fmpq(0))
