"""How far a simulated sum of squared errors can be from its expectation: rigorous, from the laws of single counts.

S is the sum of X_x = D_x^2, D_x = F_x - E F_x, over the items x of one kind (X_sen or X_non) and over independent runs,
for a fixed data set. F_x is a sum of independent bits: Binomial(c, held) + Binomial(trials - c, other) with c = n f_x.

1. Dependence. For functions g_x >= 0 of F_x that are all non-decreasing, or all non-increasing, the expectation of the
product of the g_x(F_x) is at most the product of their expectations. F is the sum of the vectors of bits of independent
users (suGRR: of results), so it is enough to show this for one user's vector b: replace users one by one by vectors of
independent bits with the same probabilities; with the others given, g_x(others_x + b_x) is again such a function. Up to
a factor g_x = 1 + a_x b_x (g_x(0) = 0 is a limit), with a_x >= 0 for all x, or -1 <= a_x <= 0 for all x. One user:

* independent bits (suRAP; items that a suWheel user does not hold): equality.
* at most one bit is 1, with probabilities v_x (suGRR, suGRR-Sample): 1 + sum a_x v_x <= prod (1 + a_x v_x).
* suRAP-Sample: given the drawn item the bits are independent, and E[g_x | x drawn] - E[g_x | x not drawn] has the sign
  of a_x because p >= q and r >= 0: the case before, with these two values of g_x.
* suWheel with ideal hashing, held items: P(b) = c prod p^b_x (1-p)^(1-b_x) for b != 0, with c = e^eps / Omega >= 1 and
  c p <= 1. So E prod g_x = c prod (1 + a_x p) - (c - 1), to be compared with prod (1 + a_x c p). For a >= 0 expand:
  products of j factors come c times on the left and c^j times on the right. For a <= 0 the right side is convex in c
  (all factors are >= 0), the left side is linear, and they are equal at c = 0 and at c = 1: right >= left for c >= 1.
  A non-sensitive item is sent when its bit is 0; this exchanges the two directions for all items of the kind at once.

2. Exponential moments. X is the sum of X+ (where D > 0) and X- (where D < 0); X+ is non-decreasing, X- non-increasing
in F_x, also after truncation at B. By 1 for X+ and for X-, and Cauchy-Schwarz, because one of X+ and X- is X and the
other 0, the premise of `dp_studies.reproduce.squared_errors` holds with h = 2 (h = 1 for independent counts, where
none of this is needed).

3. Moments. Even central moments grow when independent bits are added (Jensen), so items with c between c1 and c2 have
moments between those of Binomial(c1, held) + Binomial(trials - c2, other) and those of Binomial(c2, held) +
Binomial(trials - c1, other), which are read off the power series of the moment generating function.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import arb, fmpq

from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.comparisons.budget.equal_privacy import Kind
from dp_studies.reproduce.intervals import centered
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.s002.formulas import Mechanism, evaluate
from dp_studies.reproduce.s002.settings import Setting
from dp_studies.reproduce.squared_errors import PRECISION, Group, Spread, Sums, bit_cumulants, even_moments

GROUPS = 6
"""Groups of items with similar counts."""


@dataclass(frozen=True)
class Count:
    """The law of F_x: Binomial(n f_x, held) + Binomial(trials - n f_x, other), and whether items are independent."""

    trials: int
    held: arb
    other: arb
    independent: bool

    def variance(self, counts: Sequence[int]) -> arb:
        """The sum of Var F_x over items with n f_x = counts: what S is in expectation in one run."""
        with precision(BITS):
            held, everything = sum(counts), len(counts) * self.trials
            return held * self.held * (1 - self.held) + (everything - held) * self.other * (1 - self.other)


def count_law(mechanism: Mechanism, kind: Kind, setting: Setting, budget: Budget[arb]) -> Count:
    """The law of F_x for the items of a kind, from the table that the source prints."""
    law, values = mechanism.law, mechanism.values(setting, budget)
    assert law.r is not None
    p, q, r = (evaluate(t, values) for t in (law.p, law.q, law.r))
    independent = law.draw == "all" and (law.unit == "bits" or (law.unit == "items" and kind == "nonsensitive"))
    trials = setting.n * (setting.m if law.unit == "items" and law.draw == "all" else 1)
    with precision(BITS):
        drawn = fmpq(1, setting.m) if law.draw == "one" else fmpq(1)
        if kind == "nonsensitive":
            return Count(trials, r * drawn, arb(0), independent)
        return Count(trials, p * drawn + q * (1 - drawn), q, independent)


def spread(law: Count, counts: Sequence[int], runs: int, level: fmpq) -> Spread:
    """The bounds for items with n f_x = counts (at least one) and so many runs, each tail at the given level."""
    if not counts or runs < 1:
        raise DomainError("counts, runs", (len(counts), runs), "at least one item and one run")
    if compare(level, 0) is not Ordering.GREATER or compare(level, 1) is not Ordering.LESS:
        raise DomainError("level", level, "a probability strictly between 0 and 1")
    with precision(PRECISION):
        unit = law.variance(counts) / len(counts)
        groups = list(_groups(law, sorted(counts), unit))
        return Sums(groups, 1 if law.independent else 2, runs, arb(runs * len(counts)), arb(level)).spread()


def _groups(law: Count, counts: list[int], unit: arb) -> Iterator[Group]:
    one, other = (centered(bit_cumulants(p), p) for p in (law.held, law.other))
    step = -(-len(counts) // GROUPS)
    for start in range(0, len(counts), step):
        part = counts[start : start + step]
        low = even_moments(part[0] * one + (law.trials - part[-1]) * other, unit)
        high = even_moments(part[-1] * one + (law.trials - part[0]) * other, unit)
        yield Group(len(part), low, high)
