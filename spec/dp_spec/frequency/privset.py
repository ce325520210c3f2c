"""PrivSet as source 002 quotes it from its reference [23]: a random subset of k of D outputs."""

from dp_spec.frequency.grr import W
from dp_spec.vocabulary.law import Estimator, M
from dp_spec.vocabulary.subset_statements import SubsetTable
from dp_spec.vocabulary.term import Term, binomial, var

OUTPUTS, CHOSEN = var("D"), var("k")
P, Q = var("P"), var("Q")
"""D, k; in objectives P_k and Q_k."""

OMEGA = binomial(OUTPUTS - M, CHOSEN) + W * (binomial(OUTPUTS, CHOSEN) - binomial(OUTPUTS - M, CHOSEN))
"""Omega_k."""

PLAIN = SubsetTable("plain", W / OMEGA, 1 / OMEGA)
PADDED = SubsetTable("padded", W / OMEGA, 1 / OMEGA)
READINGS = {"plain": PLAIN, "padded": PADDED}

_WITH_X = binomial(OUTPUTS - 1, CHOSEN - 1)
_WITH_X_ALONE = binomial(OUTPUTS - M - 1, CHOSEN - 1)
"""Subsets with x; those that miss the set although they have x."""

HELD = W * _WITH_X / OMEGA
"""P_k: an item of the set lies in the report."""
OTHER = (_WITH_X_ALONE + W * (_WITH_X - _WITH_X_ALONE)) / OMEGA
"""Q_k: an item outside the set lies in the report."""

ESTIMATOR = Estimator(HELD - OTHER, OTHER)


def weighted(held: Term, others: Term) -> Term:
    """The variance (times n) of a held item's estimate, weighted, and `others` times that of another item."""
    return (held + others * Q * (1 - Q)) / (P - Q) ** 2


SET_WEIGHTS = weighted(M * P * (1 - P), OUTPUTS - M)
"""m and d on the padded domain (D - m = d): every item of a set, every other output."""
SINGLE_WEIGHTS = weighted(P * (1 - P), OUTPUTS - 1)
"""1 and d + m - 1 on the padded domain: one held item, every other output."""

RADICAND = (W**2 - 1) ** 2 + 4 * W**2 * OUTPUTS**2
SHIFT = W**2 + 2 * OUTPUTS - 1
SCALE = 2 * (W**2 - 1)
"""m = 1: the smallest best k is (sqrt(RADICAND) - SHIFT) / SCALE rounded up (a correction, not in the source)."""
