"""suGRR and suGRR-Sample: tables, estimators and error formulas as printed in source 002, section 4.1."""

from dp_spec.frequency.grr import E0, W, other, own
from dp_spec.vocabulary.law import USERS, Estimator, F, G, K, Law, M, drawn, each, item
from dp_spec.vocabulary.term import Term, term

__all__ = ["kept", "other", "own"]


def kept(x: Term) -> Term:
    """(13), non-sensitive item reported as itself."""
    return (x - 1) / (x + K - 1)


SUGRR = Law("sugrr", "e0", M, each("held", item(own(E0), other(E0), kept(E0))))
SUGRR_SAMPLE = Law("sugrr-sample", "w", term(1), drawn(item(own(W), other(W), kept(W))))

SUGRR_SENSITIVE = Estimator(own(E0) - other(E0), M * other(E0))
SUGRR_NONSENSITIVE = Estimator(kept(E0), term(0))
"""(14)."""

SAMPLE_SENSITIVE = Estimator((own(W) - other(W)) / M, other(W))
SAMPLE_NONSENSITIVE = Estimator(kept(W) / M, term(0))
"""(15)."""

EQ16_SENSITIVE = M * (E0 + K - 2) / (USERS * (E0 - 1) ** 2) + (K - 2) / (USERS * (E0 - 1)) * F
EQ16_NONSENSITIVE = K / (USERS * (E0 - 1)) * F
EQ17_SENSITIVE = M**2 * (W + K - 2) / (USERS * (W - 1) ** 2) + M**2 * (K - 2) / (USERS * (W - 1)) * F
EQ17_NONSENSITIVE = M**2 * K / (USERS * (W - 1)) * F

SAMPLING = F * (1 - F) / USERS
"""What drawing the users adds: the variance of the empirical frequency."""

# --- corrections --------------------------------------------------------------------------------------------------

EQ17_SENSITIVE_CORRECTED = (
    M**2 * (W + K - 2) / (USERS * (W - 1) ** 2) + (M * (W + K - 3) - (W - 1)) / (USERS * (W - 1)) * F
)
EQ17_NONSENSITIVE_CORRECTED = (M * (W + K - 1) - (W - 1)) / (USERS * (W - 1)) * F

MISSED = 1 - other(E0)
"""One result avoids a sensitive item that is not its source."""

IN_SET_HELD = 1 - (1 - own(E0)) * MISSED ** (M - 1)
IN_SET_NOT_HELD = 1 - MISSED**M
"""Probabilities that x is in the set y0."""

SET_ESTIMATOR = Estimator((own(E0) - other(E0)) * MISSED ** (M - 1), IN_SET_NOT_HELD)
PADDED_ESTIMATOR = Estimator(own(E0) - other(E0), M * other(E0), 1 / K)

_P, _Q = own(E0), other(E0)
EQ16_SENSITIVE_SET = (F * IN_SET_HELD * (1 - IN_SET_HELD) + (1 - F) * IN_SET_NOT_HELD * (1 - IN_SET_NOT_HELD)) / (
    USERS * (_P - _Q) ** 2
) + ((F * IN_SET_HELD + (1 - F) * IN_SET_NOT_HELD - M * _Q) / (_P - _Q) - F) ** 2
EQ16_SENSITIVE_PADDED = (F * _P * (1 - _P) + (M - F - G) * _Q * (1 - _Q) + G * (1 / K) * (1 - 1 / K)) / (
    USERS * (_P - _Q) ** 2
) + (G / K) ** 2
