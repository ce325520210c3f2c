"""Card *projection*. No unbiased linear estimate has less variance than one whose weights lie in the row space of the
queries; the least variances of two strategies are ordered as their matrices A^T A are, the other way round.

**Premises.** Answers A v + noise, independent, of mean 0 and variance 1. An estimate with weights r of the answers is
an unbiased one of the query w of all data v if r A = w; its variance is r r^T. M = A^T A.

**Proof.** `docs/cards/projection.txt`, SHA-256 bdb40a6535b3caa6769df93b00eb57b01b4017888a28391bda986b7e22c6d0a5.

**Source.** Theorem of Gauss and Markov; Boyd, Vandenberghe 2004, Section 3.3 (conjugate quadratic forms). **Refuter.**
`tests/kernel/test_matrices.py` inverts matrices, and looks at all principal minors.
"""

from typing import Any

from dp_kernel.meter import require
from dp_kernel.numbers.json_numbers import dot, products


def require_semidefinite(matrix: Any, lower: Any, pivots: Any) -> None:
    """Raise `Rejected` unless a symmetric matrix is L D L^T: D the pivots, L with `lower` below a diagonal of ones."""
    require([*map(len, lower)] == [*range(len(matrix))] and len(pivots) == len(matrix), "rows of other lengths")
    require(all(d >= 0 for d in pivots), "a negative pivot")
    for i, row in enumerate(lower):
        scaled = [*products(row, pivots[:i]), pivots[i]]
        require(all(dot(scaled[: j + 1], [*lower[j], 1]) == matrix[i][j] for j in range(i + 1)), "not the matrix")
