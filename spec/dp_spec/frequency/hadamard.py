"""One perturbed coordinate of a Hadamard transform: Hadamard response, and the Hadamard count-mean sketch (source 004,
reference [1]).

A drawn and published coordinate is a function of two labels, the sign of the matrix there. Two different columns differ
at half of the coordinates. The mean of the sketch is that of `count_sketch`; `fixed_variance` is that of f'(d) / n
given the functions, `drawn_variance` averages over how they were drawn.
"""

from collections.abc import Sequence
from typing import Any

from dp_spec.frequency.collisions import Records, Shared, kappa_variance, shares, summed
from dp_spec.vocabulary.law import KAPPA2, SEPARATING, USERS, Estimator, F, Law, item, mix
from dp_spec.vocabulary.scalar import S
from dp_spec.vocabulary.term import Term, term, var

W, B = var("w"), var("b")
C = (W + 1) / (W - 1)
"""What makes a sign unbiased."""
_SIGN = mix("hash", term(2), item(W / (W + 1), 1 / (W + 1)))

RESPONSE = Law("hadamard-response", "w", term(1), _SIGN, (), {"hash": term(1) / 2})
"""Every item has a column of its own; the family is that of the coordinates. A response (coordinate, sign) drawn from
those that agree with the item is the same law."""

_KEPT = mix("coordinates", term(2), item(W / (W + 1), 1 / (W + 1)))
_ANY = mix("rows", B, _KEPT)
"""A row, and a coordinate of the label's column: its sign, kept or not. Two labels differ at half of them."""


def _hcms(**families: Term) -> Law:
    return Law("hadamard-hcms", "w", term(1), _ANY, (), {"coordinates": term(1) / 2, **families}, {"b": 2})


FIXED, HCMS, SEPARATED = _hcms(), _hcms(rows=1 / B), _hcms(rows=SEPARATING)
"""With any public functions; with those of which any two items share a label with chance 1/b; or one separates two."""
ALIKE = Law("hadamard-hcms", "w", term(1), mix("rows", term(1), _KEPT), (), {"coordinates": term(1) / 2})
"""With one label: no function separates any."""

RESPONSE_ESTIMATOR = Estimator(1 / (2 * C), term(1) / 2)
"""c (2 F_x / n - 1), F_x the number of reports that agree with the item's column."""
RESPONSE_VARIANCE = (C**2 - F) / USERS

HCMS_ESTIMATOR = Estimator((B - 1) / (2 * B * C), (1 + 1 / (B * C)) / 2)
"""f'(d) / n: m/(m-1) (c (2 F_x / n - 1) - 1/m)."""
HCMS_VARIANCE = (B / (B - 1)) ** 2 * (C**2 - F - (1 - F) / B**2) / USERS
"""Var f'(d) / n^2 for functions of which any two items share a label with 1/b."""


def variance(c: Any, m: Any, n: Any, f: Any, kappa2: Any) -> Any:
    """Var f'(d) / n^2 for fixed functions to m labels: (m/(m-1))^2 [c^2 - f - kappa2] / n (004.base.hcms.var); the mean
    is that of the count-mean sketch."""
    return m**2 * (c**2 - f - kappa2) / ((m - 1) ** 2 * n)


FIXED_VARIANCE: Term = variance(C, B, USERS, F, KAPPA2)


def fixed_variance(c: S, m: int, records: Records[S]) -> S:
    """`variance` for records."""
    n, _, kappa2 = shares(records, c * 0)
    moment: S = variance(c, m, n, 0, kappa2)
    return moment


def drawn_variance(c: S, m: int, k: int, held: int, others: Sequence[int]) -> S:
    """Of an item with `held` records, over the draw of the k functions and the reports; `others` are those of the other
    items: (m/(m-1))^2 [n c^2 - held - (n - held) (1/m^2 + v) + v sum of others^2] / n^2, v the variance of kappa.
    """
    one = c * 0 + 1
    n, spread, squares = held + sum(others), kappa_variance(m, k, one), sum(number**2 for number in others)
    numerator = n * c**2 - held - sum(others) * (one / m**2 + spread) + spread * squares
    return m**2 * numerator / ((m - 1) * n) ** 2


def family_variance(c: S, m: int, numbers: Sequence[int], shared: Shared[S]) -> S:
    """Over the reports and the draw of functions of any family; `numbers` are the records of all items."""
    n, squares = sum(numbers), summed([(number, shared.square(i)) for i, number in enumerate(numbers)], c * 0)
    return m**2 * (n * c**2 - squares + shared.variance(numbers)) / ((m - 1) * n) ** 2
