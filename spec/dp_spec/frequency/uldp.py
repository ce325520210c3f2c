"""uRR and uRAP on one item, as source 002 quotes them from its reference [21]."""

from dp_spec.frequency.grr import W
from dp_spec.frequency.rappor import H, stays
from dp_spec.frequency.sugrr import kept, other, own
from dp_spec.vocabulary.law import Estimator, Law, bits, drawn, item
from dp_spec.vocabulary.term import Term, term, var

THETA = var("theta")


def d1(theta: Term, w: Term) -> Term:
    """Probability that another sensitive bit becomes 1."""
    return theta / ((1 - theta) * w + theta)


def d2(theta: Term, w: Term) -> Term:
    """Probability that a non-sensitive item's own bit becomes 0."""
    return ((1 - theta) * w + theta) / w


URR = Law("urr", "w", term(1), drawn(item(own(W), other(W), kept(W))))
"""c1, c2 and c3 = c1 - c2; the set holds one item."""

URAP = Law("urap", "h", term(2), drawn(bits(stays(H), d1(stays(H), H**2), 1 - d2(stays(H), H**2))))
"""Default theta = e^(epsilon/2) / (e^(epsilon/2) + 1)."""

URAP_THETA = Law("urap", "w", term(1), drawn(bits(THETA, d1(THETA, W), 1 - d2(THETA, W))), ("theta",))
"""Every theta strictly between 0 and 1 (theta > d1 is then automatic for epsilon > 0)."""

URR_ESTIMATORS = (Estimator(own(W) - other(W), other(W)), Estimator(kept(W), term(0)))
URAP_ESTIMATORS = (
    Estimator(THETA - d1(THETA, W), d1(THETA, W)),
    Estimator(1 - d2(THETA, W), term(0)),
)
