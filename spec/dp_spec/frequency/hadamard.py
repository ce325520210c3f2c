"""One perturbed coordinate of a Hadamard transform: Hadamard response, and the Hadamard count-mean sketch (source 004,
reference [1]).

A drawn and published coordinate is a function of two labels, the sign of the matrix there. Two different columns differ
at half of the coordinates. The mean of the sketch is that of `count_sketch`; `FIXED_VARIANCE` is that of f'(d) / n
given the functions.
"""

from typing import Any

from dp_spec.vocabulary.law import KAPPA2, SEPARATING, USERS, Estimator, F, Law, item, mix
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
