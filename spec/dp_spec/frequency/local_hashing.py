"""Local hashing, as Wang, Blocki, Li, Jha (2017) state it: generalized randomized response on b labels (their g).

The terms are about a function drawn anew for every report, from a family with collision chance 1/b. In fast local
hashing (Cormode, Maddock, Maple 2021) it is one of k public ones: `fixed_mean` and `fixed_variance` are given those,
`drawn_variance` averages over how they were drawn. There `p` and `q` are the chances of the own and of another label,
and `chance` what the estimator subtracts.
"""

from collections.abc import Sequence

from dp_spec.frequency.collisions import Records, Shared, kappa_variance, summed, users
from dp_spec.vocabulary.law import KAPPA1, KAPPA2, SQUARED, USERS, Estimator, F, K, Law, item, mix
from dp_spec.vocabulary.scalar import S
from dp_spec.vocabulary.term import term, var

W, B = var("w"), var("b")
P = W / (W + B - 1)
"""The chance of the item's own label."""

_LABEL = mix("hash", B, item(W / (W + K - 1), 1 / (W + K - 1)))
OLH = Law("local_hashing-olh", "w", term(1), _LABEL, (), {"hash": 1 / B}, {"b": 2})
"""Any number of labels (K in the world of the labels); BLH is b = 2, OLH the integer at e^epsilon + 1."""

ESTIMATOR = Estimator(P - 1 / B, 1 / B)
"""Of the share of the reports that support an item: whose function maps it to the reported label."""
VARIANCE = (F * P * (1 - P) + (1 - F) * (1 / B) * (1 - 1 / B)) / (USERS * (P - 1 / B) ** 2)
"""Of the estimated frequency, exact, for a family with collision chance 1/b; every user draws a function."""

Q = 1 / (W + B - 1)
"""The chance of another label."""
MEAN = (F * P + (1 - F) * Q + (P - Q) * KAPPA1 - 1 / B) / (P - 1 / B)
"""Of the estimated frequency, for fixed functions."""
FIXED_VARIANCE = (F * P * (1 - P) + (1 - F) * Q * (1 - Q) + (P - Q) * (1 - 2 * Q) * KAPPA1 - (P - Q) ** 2 * KAPPA2) / (
    USERS * (P - 1 / B) ** 2
)
"""The same."""
_SHARES = (1 / B) * (1 - 1 / B) / var("k")
"""The variance of kappa under k functions."""
DRAWN_VARIANCE = (
    (F * P * (1 - P) + (1 - F) * ((1 / B) * (1 - 1 / B) - (P - Q) ** 2 * _SHARES)) / USERS
    + (P - Q) ** 2 * _SHARES * SQUARED
) / (P - 1 / B) ** 2
"""Where all users share k independent functions, values at any three items independent and uniform."""


def support(p: S, q: S, kappa: S) -> S:
    """The chance that a report supports an item with this kappa."""
    return q + (p - q) * kappa


def fixed_mean(p: S, q: S, chance: S, records: Records[S]) -> S:
    """Of the estimated frequency, given the functions."""
    found = [(number, support(p, q, kappa) - chance) for number, kappa in records]
    return summed(found, p * 0) / (users(records) * (p - chance))


def fixed_variance(p: S, q: S, chance: S, records: Records[S]) -> S:
    """Of the estimated frequency, given the functions."""
    supports = [(number, support(p, q, kappa)) for number, kappa in records]
    between = [(number, s * (1 - s)) for number, s in supports]
    return summed(between, p * 0) / (users(records) * (p - chance)) ** 2


def drawn_variance(p: S, q: S, g: int, k: int, held: int, others: Sequence[int]) -> S:
    """Of the estimated frequency of an item with `held` records, over the draw of the k functions and the reports.

    `others` are the numbers of records of the other items. The functions are the same for all users, so that
    collisions do not average out as the numbers grow (`chance` is 1/g, which makes the estimator unbiased).
    """
    one = p * 0 + 1
    n, shared = held + sum(others), (p - q) ** 2 * kappa_variance(g, k, one)
    reports = held * p * (1 - p) + sum(others) * (one * (g - 1) / g**2 - shared)
    return (reports + sum(number**2 for number in others) * shared) / (n * (p - one / g)) ** 2


def family_mean(p: S, q: S, chance: S, numbers: Sequence[int], shared: Shared[S]) -> S:
    """Over the draw of functions of any family; `numbers` are the records of all items."""
    return fixed_mean(p, q, chance, list(zip(numbers, shared.pairs, strict=True)))


def family_variance(p: S, q: S, chance: S, numbers: Sequence[int], shared: Shared[S]) -> S:
    """Over the reports and the draw of functions, which all users share, of any family."""
    supports = [support(p, q, kappa) for kappa in shared.pairs]
    between = [
        (number, supports[i] * (1 - supports[i]) - (p - q) ** 2 * shared.covariance(i, i))
        for i, number in enumerate(numbers)
    ]
    spread = summed(between, p * 0) + (p - q) ** 2 * shared.variance(numbers)
    return spread / (sum(numbers) * (p - chance)) ** 2
