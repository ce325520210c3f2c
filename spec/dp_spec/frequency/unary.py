"""Optimized unary encoding, as Wang, Blocki, Li, Jha (2017) state it. Symmetric unary encoding is `rappor`."""

from dp_spec.vocabulary.law import USERS, Estimator, F, Law, bits
from dp_spec.vocabulary.term import term, var

W = var("w")
P, Q = term(1) / 2, 1 / (W + 1)
"""The chance that the item's own bit is 1, and that another one is."""

OUE = Law("unary-oue", "w", term(1), bits(P, Q))
"""One bit per item; stated for one item per user (m = 1)."""

ESTIMATOR = Estimator(P - Q, Q)
VARIANCE = (4 * W / (W - 1) ** 2 + F) / USERS
"""Of the estimated frequency, exact: the paper prints the first summand, which is that of an item nobody holds."""
