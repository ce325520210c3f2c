"""Card *projection*. No unbiased linear estimate has less variance than one whose weights lie in the row space of the
queries; the least variances of two strategies are ordered as their matrices A^T A are, the other way round.

**Premises.** Answers A v + noise, independent, of mean 0 and variance 1. An estimate with weights r of the answers is
an unbiased one of the query w of all data v if r A = w; its variance is r r^T. M = A^T A.

**Proof.** If r A = w, r r^T - (2 w x - x^T M x) = |r^T - A x|^2 >= 0 for every x; it is 0 if and only if r = x^T A^T.
So an r that has such an x has the least variance, e(w) = max 2 w x - x^T M x over all x. If w is in the row space of
A, which is that of M, w = y M, r = y A^T is one; if not, there is no r, and no maximum: M x = 0 and w x > 0 for some x.
For c > 0 the maximum of 2 w x - c x^T M x is e(w) / c. Let M' and e' be those of another strategy. If c M - M' is
positive semidefinite, then e(w) / c <= e'(w) for every w. If c x^T M x < x^T M' x, then not for w = x^T M': e'(w) is
x^T M' x, and e(w) / c is at least 2 w x - c x^T M x, which is more. L D L^T, D >= 0, is semidefinite: a sum of squares.

**Source.** Theorem of Gauss and Markov; Boyd, Vandenberghe 2004, Section 3.3 (conjugate quadratic forms). **Refuter.**
`tests/checks/kernel/test_matrices.py` inverts matrices, and looks at all principal minors.
"""

from typing import Any

from dp_checks.kernel.exact import dot, products
from dp_checks.kernel.work import require


def require_semidefinite(matrix: Any, lower: Any, pivots: Any) -> None:
    """Raise `Rejected` unless a symmetric matrix is L D L^T: D the pivots, L with `lower` below a diagonal of ones."""
    require([*map(len, lower)] == [*range(len(matrix))] and len(pivots) == len(matrix), "rows of other lengths")
    require(all(d >= 0 for d in pivots), "a negative pivot")
    for i, row in enumerate(lower):
        scaled = [*products(row, pivots[:i]), pivots[i]]
        require(all(dot(scaled[: j + 1], [*lower[j], 1]) == matrix[i][j] for j in range(i + 1)), "not the matrix")
