"""Local hashing, as Wang, Blocki, Li, Jha (2017) state it: generalized randomized response on b labels (their g).

The terms are about a function drawn anew for every report, from a family with collision chance 1/b. In fast local
hashing (Cormode, Maddock, Maple 2021) it is one of k public ones: `FIXED_VARIANCE` is given those, `DRAWN_VARIANCE`
averages over how they were drawn.
"""

from dataclasses import dataclass, replace
from typing import Any

from dp_spec.vocabulary.law import KAPPA1, KAPPA2, SEPARATING, SQUARED, USERS, Estimator, F, K, Law, item, mix
from dp_spec.vocabulary.scalar import S
from dp_spec.vocabulary.term import Term, term, var

W, B = var("w"), var("b")
P = W / (W + B - 1)
"""The chance of the item's own label."""

_LABEL = mix("hash", B, item(W / (W + K - 1), 1 / (W + K - 1)))
OLH = Law("local_hashing-olh", "w", term(1), _LABEL, (), {"hash": 1 / B}, {"b": 2})
"""Any number of labels (K in the world of the labels); BLH is b = 2, OLH the integer at e^epsilon + 1."""

ANY, SEPARATED = (replace(OLH, families=families) for families in ({}, {"hash": SEPARATING}))
"""Under any functions; under functions of which one separates two items."""

ESTIMATOR = Estimator(P - 1 / B, 1 / B)
"""Of the share of the reports that support an item: whose function maps it to the reported label."""
VARIANCE = (F * P * (1 - P) + (1 - F) * (1 / B) * (1 - 1 / B)) / (USERS * (P - 1 / B) ** 2)
"""Of the estimated frequency, exact, for a family with collision chance 1/b; every user draws a function."""

Q = 1 / (W + B - 1)
"""The chance of another label."""


@dataclass(frozen=True)
class Labels:
    """The chances `p` of the own and `q` of another label, and `chance`, what the estimator subtracts."""

    p: Any
    q: Any
    chance: Any

    def mean(self, f: Any, kappa1: Any) -> Any:
        """Of the estimated frequency, for fixed functions; f is the frequency of the item."""
        p, q = self.p, self.q
        return (f * p + (1 - f) * q + (p - q) * kappa1 - self.chance) / (p - self.chance)

    def variance(self, n: Any, f: Any, kappa1: Any, kappa2: Any) -> Any:
        """Of the estimated frequency, for fixed functions and n users."""
        p, q = self.p, self.q
        supports = f * p * (1 - p) + (1 - f) * q * (1 - q) + (p - q) * (1 - 2 * q) * kappa1 - (p - q) ** 2 * kappa2
        return supports / (n * (p - self.chance) ** 2)

    def shared_variance(self, k: Any, n: Any, f: Any, squared: Any) -> Any:
        """The same where all users share k independent functions, values at any three items independent and uniform;
        `chance` is 1/b, `squared` the sum of the squared frequencies of the other items.

        Collisions do not average out as the numbers grow.
        """
        p, chance = self.p, self.chance
        collided = (p - self.q) ** 2 * chance * (1 - chance) / k
        reports = f * p * (1 - p) + (1 - f) * (chance * (1 - chance) - collided)
        return (reports / n + collided * squared) / (p - chance) ** 2


_OF_B = Labels(P, Q, 1 / B)
MEAN: Term = _OF_B.mean(F, KAPPA1)
FIXED_VARIANCE: Term = _OF_B.variance(USERS, F, KAPPA1, KAPPA2)
DRAWN_VARIANCE: Term = _OF_B.shared_variance(var("k"), USERS, F, SQUARED)


def support(p: S, q: S, kappa: S) -> S:
    """The chance that a report supports an item with this kappa."""
    return q + (p - q) * kappa
