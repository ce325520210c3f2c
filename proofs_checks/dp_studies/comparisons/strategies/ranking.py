"""Strategies ranked by exact expected squared error: coefficients are rational, noise is an exact number.

The error of a query is its coefficient times the variance of the noise of scale `scale / epsilon`. A total adds up over
the queries of the workload; a worst query has the largest error. No float decides anything.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cmp_to_key
from itertools import accumulate

from flint import arb, fmpq, fmpq_mat

from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.geometric import DiscreteLaplace
from dp_refimpl.matrix.haar import HaarTree
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.mechanism import MatrixMechanism, covariance, query_errors
from dp_refimpl.matrix.noise import rational_scale, require_epsilon
from dp_refimpl.matrix.parameters import Scale, largest
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.workload_totals import (
    Workload,
    block_squares,
    cover_total,
    energy_totals,
    queries,
    vector_cover,
    vector_energies,
)
from dp_refimpl.matrix.worst_queries import worst_cover, worst_prefix, worst_prefix_cover, worst_range
from dp_spec.vocabulary.budget import Epsilon, epsilon_ball, read_epsilon
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.comparisons.strategies.candidates import Candidate, NoiseLaw, Setting

MAX_LEAVES, MAX_WORK = 1 << 20, 1 << 25
"""Worst ranges and prefixes are sought where each tree, and all together, have at most so many leaves."""
_BITS = 192


class By(Enum):
    """What is smallest for the best strategy: the error of all queries in all, or that of the worst one."""

    TOTAL = "total"
    WORST = "worst"


@dataclass(frozen=True)
class Coefficients:
    """Sums of squared factors of unit noise: of all queries, and of the worst one (None: not sought)."""

    total: fmpq
    worst: fmpq | None


@dataclass(frozen=True)
class Ranked:
    """A strategy with its noise scale (in units of 1 / epsilon), coefficients, and the variance of its noise.

    For Laplace noise `unit` is scale^2, the variance in units of 2 / epsilon^2; for discrete noise the variance itself.
    """

    candidate: Candidate
    scale: Scale
    coefficients: Coefficients
    unit: Real

    def key(self, by: By) -> Real:
        """What is compared."""
        number = self.coefficients.total if by is By.TOTAL else self.coefficients.worst
        if number is None:
            raise DomainError("by", by.value, "total: the worst query is sought for fewer counts or strategies alone")
        return self.unit * number


def number_of_queries(setting: Setting) -> int:
    """How many queries the workload has."""
    if isinstance(setting.workload, fmpq_mat):
        return int(setting.workload.nrows())
    return queries(setting.workload, setting.size)


def ranking(
    setting: Setting, epsilon: Epsilon, listed: Iterable[Candidate], by: By = By.TOTAL, seek: bool = True
) -> tuple[Ranked, ...]:
    """The strategies, the smallest error first; equal ones in the given order. Decided exactly.

    Worst queries are left out unless they are to be sought, and where trees are too large (`MAX_LEAVES`,
    `MAX_WORK`). Raises `DomainError` for epsilon = 0, and where `by` needs what is left out.
    """
    require_epsilon(epsilon)
    candidates = list(listed)
    sizes = [c.mechanism.size for c in candidates]
    seek = seek and max(sizes, default=0) <= MAX_LEAVES and sum(sizes) <= MAX_WORK
    rows = []
    for candidate in candidates:
        scale = candidate.mechanism.scale(setting.neighbors)
        errors = coefficients(candidate, setting, seek)
        rows.append(Ranked(candidate, scale, errors, unit(scale, setting.noise, epsilon)))
    numbers = {row.candidate: (row.key(by), row.key(by).enclosure(_BITS)) for row in rows}

    def order(one: Ranked, other: Ranked) -> int:
        return _order(numbers[one.candidate], numbers[other.candidate])

    return tuple(sorted(rows, key=cmp_to_key(order)))


def unit(scale: Scale, noise: NoiseLaw, epsilon: Epsilon) -> Real:
    """The variance of noise of this scale; of Laplace noise in units of 2 / epsilon^2.

    Raises `DomainError` for an epsilon with which e^(-epsilon / scale) is no number that `Real` takes.
    """
    if noise is NoiseLaw.LAPLACE:
        return Real.lift(scale) ** 2
    exact, (base, exponent) = rational_scale(scale), read_epsilon(epsilon)
    if not exact:
        return Real.lift(0)
    try:
        return DiscreteLaplace(Real.power(base, -Fraction(exponent) / exact)).variance
    except DomainError as error:
        raise DomainError("epsilon", epsilon, f"one whose e^(-epsilon/{exact}) is short: {error.allowed}") from None


def factor(noise: NoiseLaw, epsilon: Epsilon) -> arb:
    """What `unit` is multiplied by, as a ball of the present precision: 2 / epsilon^2 for Laplace noise, else 1."""
    if noise is NoiseLaw.DISCRETE:
        return arb(1)
    return 2 / epsilon_ball(epsilon) ** 2


def decimal(number: Real, noise: NoiseLaw, epsilon: Epsilon, digits: int) -> str:
    """A number times `factor`, as decimals that are right to one unit of the last."""
    if number.sign() == 0:
        return "0"
    return _certain(lambda bits: number.enclosure(bits) * factor(noise, epsilon), digits)


def ratio(number: Real, least: Real, digits: int) -> str | None:
    """How many times as large a number is as the least one, in the same way: 1 where they are equal, None for 0."""
    if _order((number, number.enclosure(_BITS)), (least, least.enclosure(_BITS))) == 0:
        return "1"
    if least.sign() == 0:
        return None
    return _certain(lambda bits: number.enclosure(bits) / least.enclosure(bits), digits)


def _certain(ball: Callable[[int], arb], digits: int) -> str:
    """The digits of what is in the ball of so many bits, with as many as are needed."""
    bits = 4 * digits + 64
    while True:
        with precision(bits):
            number = ball(bits)
            if number.rel_accuracy_bits() > 4 * digits + 8:
                return str(number.str(digits, radius=False))
        bits *= 2


def coefficients(candidate: Candidate, setting: Setting, seek: bool = True) -> Coefficients:
    """Of a strategy on a workload, from the structure of trees; of matrices by exact linear algebra."""
    mechanism, workload = candidate.mechanism, setting.workload
    if isinstance(mechanism, MatrixMechanism):
        return _of_matrix(mechanism, workload)
    if isinstance(workload, fmpq_mat):
        errors = [_of_query(candidate, row) for row in _rows(workload)]
        return Coefficients(sum(errors, fmpq(0)), largest(errors))
    n = setting.size
    if isinstance(mechanism, Identity):
        return Coefficients(fmpq(block_squares(workload, n, 1)), fmpq(1 if workload is Workload.IDENTITY else n))
    if isinstance(mechanism, Tree) and not isinstance(mechanism, Boost):
        return Coefficients(fmpq(cover_total(workload, n, mechanism)), fmpq(_worst_cover(workload, n, mechanism)))
    values, b = _eigenvalues(candidate)
    energies = energy_totals(workload, n, mechanism.size, b)
    total = sum((e / value for e, value in zip(energies, values, strict=True)), fmpq(0))
    if workload is Workload.IDENTITY:
        return Coefficients(total, total / n)
    if not seek:
        return Coefficients(total, None)
    worst_of = worst_range if workload is Workload.RANGES else worst_prefix
    return Coefficients(total, worst_of(n, mechanism.size, values, b)[0])


def _worst_cover(workload: Workload, n: int, tree: Tree) -> int:
    if workload is Workload.IDENTITY:
        return 1
    return worst_cover(n, tree) if workload is Workload.RANGES else worst_prefix_cover(n, tree)


def _of_query(candidate: Candidate, query: list[fmpq]) -> fmpq:
    mechanism = candidate.mechanism
    if isinstance(mechanism, Identity):
        return sum((x * x for x in query), fmpq(0))
    if isinstance(mechanism, Tree) and not isinstance(mechanism, Boost):
        return vector_cover(query, mechanism)
    values, b = _eigenvalues(candidate)
    energies = vector_energies(query, mechanism.size, b)
    return sum((e / value for e, value in zip(energies, values, strict=True)), fmpq(0))


def _of_matrix(mechanism: MatrixMechanism, workload: Workload | fmpq_mat) -> Coefficients:
    sigma = covariance(mechanism.inverse)
    if isinstance(workload, fmpq_mat):
        errors = query_errors(workload, sigma)
    elif workload is Workload.IDENTITY:
        errors = [sigma[i, i] for i in range(mechanism.size)]
    else:
        errors = list(_range_errors(sigma, workload))
    return Coefficients(sum(errors, fmpq(0)), largest(errors))


def _range_errors(sigma: fmpq_mat, workload: Workload) -> Iterator[fmpq]:
    """Of all ranges, or of those that begin with the first count, each from the one that is a count shorter."""
    size = sigma.nrows()
    sums = [[fmpq(0), *accumulate(sigma[i, j] for j in range(i))] for i in range(size)]
    for first in range(size if workload is Workload.RANGES else 1):
        error = fmpq(0)
        for last in range(first, size):
            error += sigma[last, last] + 2 * (sums[last][last] - sums[last][first])
            yield error


def _eigenvalues(candidate: Candidate) -> tuple[list[fmpq], int]:
    mechanism = candidate.mechanism
    if isinstance(mechanism, Boost):
        return mechanism.eigenvalues(), mechanism.branching
    if isinstance(mechanism, HaarTree):
        return mechanism.eigenvalues(), 2
    raise DomainError("strategy", candidate.label, "a strategy that treats the nodes of one height alike, or a matrix")


def _rows(matrix: fmpq_mat) -> list[list[fmpq]]:
    return [[matrix[i, j] for j in range(matrix.ncols())] for i in range(matrix.nrows())]


def _order(one: tuple[Real, arb], other: tuple[Real, arb]) -> int:
    """The order of two numbers with balls around them: by these, and exactly where they do not tell."""
    order = compare(one[1], other[1])
    return int((compare(one[0], other[0]) if order is Ordering.UNDECIDED else order).value)
