"""Wheel and suWheel: densities, estimators and error formulas as printed in source 002, sections 2.3.3 and 4.3."""

from dp_spec.frequency.grr import W
from dp_spec.vocabulary.law import USERS, Estimator, F, Law, M, interval, push
from dp_spec.vocabulary.term import Term, term

ARC = 1 / (2 * M - 1 + M * W)
"""p: the length of an item's arc, and P_false."""


def normalizer(arc: Term) -> Term:
    """Omega for arcs of the given length: m p e^epsilon + 1 - m p."""
    return M * arc * W + 1 - M * arc


def hit(arc: Term) -> Term:
    """P_true for arcs of the given length: the point lies in a held item's arc."""
    return arc * W / normalizer(arc)


OMEGA, HIT = normalizer(ARC), hit(ARC)
KEPT = 1 - W * ARC / OMEGA
"""r: a held non-sensitive item is emitted (Algorithm 1, line 7)."""

WHEEL = Law("wheel", "w", term(1), interval("ideal", ARC, W))
SUWHEEL = Law("suwheel", "w", term(1), push("emit", interval("ideal", ARC, W)))

SENSITIVE = Estimator(HIT - ARC, ARC)
"""(Wheel: every item) Algorithm 2, line 9."""
NONSENSITIVE = Estimator(KEPT, term(0))
"""Algorithm 2, line 17."""

VARIANCE = (HIT * (1 - HIT) * F + (1 - F) * ARC * (1 - ARC)) / (USERS * (HIT - ARC) ** 2)
"""Proof of Thm 9: the variance of a sensitive item's estimate."""

EQ25_SENSITIVE = (3 * M - 1) ** 2 * (3 * M - 2) / (USERS * (W - 1) ** 2 * (M * W + M - 1) ** 2)
"""The expression inside O(.)."""
EQ25_NONSENSITIVE = W / ((2 * M * W + M - W - 1) * USERS) * F

# --- closed forms -------------------------------------------------------------------------------------------------

ABSENT = (2 * M - 2 + M * W) * (2 * M * W + M - 1) ** 2 / ((W - 1) ** 2 * (M * W + M - 1) ** 2)
"""n times the variance of a sensitive item's estimate if nobody holds the item, under ideal hashing."""
PRESENT = W * (2 * M * W + M - 1 - W) * (2 * M - 1 + M * W) ** 2 / ((W - 1) ** 2 * (M * W + M - 1) ** 2)
"""The same if everybody holds it."""
MSE_SENSITIVE = ((1 - F) * ABSENT + F * PRESENT) / USERS
