"""EM for two items, line 14 of Algorithm 1 of source 000: a step, and what it leaves of the distance to the estimate.

y is the difference of the chances with which a message supports its item and the other one, f the weight of the first
item, s the share of the messages that support it, z <= 4 f (1 - f).
"""

from dp_spec.vocabulary.term import Term, var

F, S, Y, Z = (var(name) for name in ("f", "s", "y", "z"))
OWN, OTHER = (1 + Y) / 2, (1 - Y) / 2
FIRST: Term = F * OWN + (1 - F) * OTHER
"""The chance of a message for the first item."""
AFTER: Term = S * (F * OWN / FIRST) + (1 - S) * (F * OTHER / (1 - FIRST))
"""The weight after a step."""
ESTIMATE: Term = (S - OTHER) / Y
"""The unbiased estimate of the weight: `T3_GRR`."""
SPREAD: Term = OWN * OTHER
LEAST: Term = SPREAD + Z * Y**2 / 4
"""FIRST (1 - FIRST) is no smaller."""
