"""suRAP and suRAP-Sample: tables, estimators and error formulas as printed in source 002, section 4.2."""

from dp_spec.frequency.rappor import H, T, appears, stays
from dp_spec.vocabulary.law import USERS, Estimator, F, Law, M, bits, drawn
from dp_spec.vocabulary.term import Term, term


def kept(x: Term) -> Term:
    """(18), non-sensitive 1 stays 1."""
    return (x - 1) / x


SURAP = Law("surap", "t", 2 * M, bits(stays(T), appears(T), kept(T)))
SURAP_SAMPLE = Law("surap-sample", "h", term(2), drawn(bits(stays(H), appears(H), kept(H))))

SURAP_SENSITIVE = Estimator(stays(T) - appears(T), appears(T))
SURAP_NONSENSITIVE = Estimator(kept(T), term(0))
"""(19)."""

SAMPLE_SENSITIVE = Estimator((stays(H) - appears(H)) / M, appears(H))
SAMPLE_NONSENSITIVE = Estimator(kept(H) / M, term(0))
"""(20)."""

EQ21_SENSITIVE = T / (USERS * (T - 1) ** 2)
EQ21_NONSENSITIVE = 1 / (USERS * (T - 1)) * F
EQ22_SENSITIVE = M**2 * H / (USERS * (H - 1) ** 2)
EQ22_NONSENSITIVE = M**2 / (USERS * (H - 1)) * F

EQ22_SENSITIVE_CORRECTED = M**2 * H / (USERS * (H - 1) ** 2) + (M - 1) / USERS * F
EQ22_NONSENSITIVE_CORRECTED = (M * H - H + 1) / (USERS * (H - 1)) * F
