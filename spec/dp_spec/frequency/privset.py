"""PrivSet as source 002 quotes it from its reference [23]: a random subset of k of D outputs."""

from dp_spec.frequency.grr import W
from dp_spec.vocabulary.law import Estimator, K, Law, M, dummies, subset
from dp_spec.vocabulary.term import Term, binomial, term, var

OUTPUTS, CHOSEN = var("D"), var("k")
P, Q = var("P"), var("Q")
"""D, k; in objectives P_k and Q_k."""


def omega(outputs: Term) -> Term:
    """Omega_k."""
    missing = binomial(outputs - M, CHOSEN)
    return missing + W * (binomial(outputs, CHOSEN) - missing)


def held(outputs: Term) -> Term:
    """P_k: an item of the set lies in the report."""
    return W * binomial(outputs - 1, CHOSEN - 1) / omega(outputs)


def other(outputs: Term) -> Term:
    """Q_k: an item outside the set lies in the report; first the subsets that miss the set although they have it."""
    alone, all_with = binomial(outputs - M - 1, CHOSEN - 1), binomial(outputs - 1, CHOSEN - 1)
    return (alone + W * (all_with - alone)) / omega(outputs)


_D, _T = var("d"), var("t")
SQUARE = (_D - 1) * (_T**2 - 1) ** 2 + _D * _T * (_T + 1) ** 2
"""m = 1: the coefficient of k^2 in a multiple of the error minus RAPPOR's."""
_REPORT = subset(CHOSEN, W / omega(K), 1 / omega(K))
PLAIN = Law("privset", "w", term(1), _REPORT, integers={"k": 1})
"""D = d outputs, the items; every user holds exactly m < d of them. 1 <= k <= D - m."""
PADDED = Law("privset", "w", term(1), dummies("sen", _REPORT), integers={"k": 1})
"""D = d + m outputs; a user holds at most m items, completed to m by the first of m dummies. 1 <= k <= D - m = d."""
D_PLAIN, D_PADDED = K, K + M
"""D, where K stands for d."""


def estimator(outputs: Term) -> Estimator:
    """(F_x / n - Q_k) / (P_k - Q_k)."""
    return Estimator(held(outputs) - other(outputs), other(outputs))


def weighted(held: Term, others: Term) -> Term:
    """The variance (times n) of a held item's estimate, weighted, and `others` times that of another item."""
    return (held + others * Q * (1 - Q)) / (P - Q) ** 2


SET_WEIGHTS = weighted(M * P * (1 - P), OUTPUTS - M)
"""m and d on the padded domain (D - m = d): every item of a set, every other output."""
SINGLE_WEIGHTS = weighted(P * (1 - P), OUTPUTS - 1)
"""1 and d + m - 1 on the padded domain: one held item, every other output."""

ONE_HELD = W * CHOSEN / (OUTPUTS - CHOSEN + W * CHOSEN)
ONE_OTHER = (CHOSEN * (W * (CHOSEN - 1) + OUTPUTS - CHOSEN)) / ((OUTPUTS - 1) * (OUTPUTS - CHOSEN + W * CHOSEN))
"""P_k and Q_k for m = 1 (not in the source)."""

RADICAND = (W**2 - 1) ** 2 + 4 * W**2 * OUTPUTS**2
SHIFT = W**2 + 2 * OUTPUTS - 1
SCALE = 2 * (W**2 - 1)
"""m = 1: the smallest best k is (sqrt(RADICAND) - SHIFT) / SCALE rounded up (a correction, not in the source)."""
STEP = (OUTPUTS - 1) ** 2 / ((W - 1) ** 2 * CHOSEN * (CHOSEN + 1) * (OUTPUTS - CHOSEN) * (OUTPUTS - CHOSEN - 1))
"""m = 1: the objective at k + 1 minus that at k is this times ((SCALE k + SHIFT)^2 - RADICAND) / (2 SCALE)."""


def objective(weights: Term, outputs: Term, chosen: Term = CHOSEN) -> Term:
    """An objective at some D and k, with the printed P_k and Q_k."""
    chances = {"P": held(OUTPUTS), "Q": other(OUTPUTS)}
    return weights.substitute(chances).substitute({"D": outputs, "k": chosen})


def one_item(chosen: Term = CHOSEN, outputs: Term = OUTPUTS) -> Term:
    """The objectives for m = 1, with the P_k and Q_k of that case."""
    chances: dict[str, Term | int] = {"P": ONE_HELD, "Q": ONE_OTHER, "m": 1}
    return SET_WEIGHTS.substitute(chances).substitute({"D": outputs, "k": chosen})
