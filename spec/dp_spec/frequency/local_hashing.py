"""Local hashing, as Wang, Blocki, Li, Jha (2017) state it: generalized randomized response on b labels (their g)."""

from dp_spec.vocabulary.law import USERS, Estimator, F, K, Law, item, mix
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
