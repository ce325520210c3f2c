"""Moments of the count-mean sketch's estimates f'(d), numbers of records, in any field (source 004, M5 and M8).

c is the server's constant (s + 1) / (s - 1), s = e^(eps/2); there are k functions to m >= 2 columns and n records,
`own` of them with d. kappa is the fraction of the functions under which another item d' shares d's column.
"""

from typing import Any


def noise(c: Any, m: Any, n: Any) -> Any:
    """The variance that the flips alone give to f'(d): (m/(m-1))^2 n (c^2 - 1)/4."""
    return m * m * n * (c * c - 1) / (4 * (m - 1) * (m - 1))


def mean_fixed(m: Any, own: Any, others: Any) -> Any:
    """E f'(d) for fixed functions; others is the sum of f(d') (m kappa - 1) over d' != d."""
    return own + others / (m - 1)


def variance_fixed(c: Any, m: Any, n: Any, others: Any) -> Any:
    """Var f'(d) for fixed functions; others is the sum of f(d') kappa (1 - kappa) over d' != d (004.supp.var.fixed)."""
    return noise(c, m, n) + m * m * others / ((m - 1) * (m - 1))


def variance_random(c: Any, k: Any, m: Any, n: Any, own: Any, others_squared: Any) -> Any:
    """Var f'(d) over client and functions (004.supp.var.random); others_squared is the sum of f(d')^2 over d' != d.

    The functions are independent, with independent and uniform values at any three items.
    """
    return noise(c, m, n) + ((n - own) * (k - 1) + others_squared) / (k * (m - 1))


def mean_squared_error(variance: Any, mean: Any, own: Any) -> Any:
    """E D(d) = Var f'(d) + (E f'(d) - f(d))^2."""
    return variance + (mean - own) * (mean - own)
