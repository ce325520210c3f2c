"""The messages of one user in the shuffle model, as source 000 and its references state them, and what is estimated.

A user sends a report and `c` uniform dummies. Reports are those of randomized response, on K items or on the b labels
of a public function; w is e^epsilon_l, n the number of users, f the frequency of the item. The source writes h for K
and for b. Estimates are made of the number of messages that support an item.
"""

from dataclasses import replace
from typing import Any

from dp_spec.frequency import grr
from dp_spec.frequency.local_hashing import ANY, B, P, Q, W
from dp_spec.vocabulary.law import USERS, Estimator, F, K, Law, LawTerm, bits, copies, item, mix, pair, push, row
from dp_spec.vocabulary.term import Term, term, var

DUMMIES = var("c")


def uniform(number: Term) -> LawTerm:
    """So many uniform messages."""
    return copies(number, row({"*": {"any": 1 / K}}))


OWN, OTHER = grr.own(W), grr.other(W)
"""Of randomized response: p and q of (3)."""

_COUNT = {"c": 0}
_LABEL = item(OWN, OTHER)


def _with_dummies(report: LawTerm, dummies: Term = DUMMIES) -> LawTerm:
    return push("sorted", pair(report, uniform(dummies)))


def _shared(dummies: str = "c") -> Law:
    term_of = mix("hash", B, _with_dummies(_LABEL, var(dummies)))
    return Law("messages-shared", "w", term(1), term_of, (), {"hash": 1 / B}, {"b": 2, dummies: 0})


GRR = Law("messages-grr", "w", term(1), _with_dummies(_LABEL), integers=_COUNT)
"""The model `grr`, and mixDUMP: randomized response and dummies, without order."""
PLAIN = Law("messages-plain", "w", term(1), _with_dummies(row({"sen": {"own": term(1)}})), integers=_COUNT)
"""pureDUMP: the item itself and dummies."""
SHARED, SHARED_OTHERS = _shared(), _shared("d")
"""OD-HP as printed: the dummies carry the function of the report; any two items share a label with chance 1/b. With c
dummies, and (to be compared with it) with d."""
HASHED = ANY
"""Local hashing, functions of which nothing is assumed."""
BUNDLE = replace(SHARED, families={})
"""A report and dummies that carry its function: all that is seen of a user whose function nobody else has."""
FRESH = Law(
    "messages-fresh",
    "w",
    term(1),
    pair(mix("hash", B, _LABEL), copies(DUMMIES, mix("dummies", B, row({"*": {"any": 1 / K}})))),
    (),
    {"hash": 1 / B, "dummies": 1 / B},
    {"b": 2, **_COUNT},
)
"""Every message carries a function of its own."""
REVEALED = Law(
    "messages-revealed",
    "w",
    term(1),
    pair(
        mix("hash", B, row({"sen": {"own": term(1)}})),
        copies(DUMMIES, mix("dummies", B, row({"*": {"any": 1 / K}}))),
    ),
    (),
    {"hash": 1 / B, "dummies": 1 / B},
    {"b": 2, **_COUNT},
)
"""The same, where the report is the label itself."""
RHO = var("rho")
AUE = Law("messages-aue", "w", term(1), pair(row({"sen": {"own": term(1)}}), bits(RHO, RHO)), ("rho",))
"""The item, and for every item one more message with chance rho."""

# --- moments --------------------------------------------------------------------------------------------------------


COIN = 1 / B * (1 - 1 / B)
"""The variance of whether a uniform label of b is a given one."""


def counted(p: Any, other: Any, chance: Any, dummies: Any, f: Any) -> Any:
    """The mean number of a user's messages that support an item: p if it is the user's, else `other`; and dummies."""
    return f * p + (1 - f) * other + dummies * chance


def spread(p: Any, other: Any, chance: Any, dummies: Any, f: Any) -> Any:
    """Its variance, averaged over users: all messages are independent."""
    return f * p * (1 - p) + (1 - f) * other * (1 - other) + dummies * chance * (1 - chance)


MEAN_GRR: Term = counted(OWN, OTHER, 1 / K, DUMMIES, F)
MEAN_OLH: Term = counted(P, 1 / B, 1 / B, DUMMIES, F)
SPREAD_GRR: Term = spread(OWN, OTHER, 1 / K, DUMMIES, F)
SPREAD_OLH: Term = spread(P, 1 / B, 1 / B, DUMMIES, F)

COUNT = Estimator(term(1), term(0))
"""What is counted, by n."""
T3_GRR = Estimator(OWN - OTHER, OTHER + DUMMIES / K)
"""The proof of Theorem 3, and mixDUMP's."""
T3_OLH = Estimator(P - Q, Q + DUMMIES / B)
T2_GRR = Estimator(1 - 2 * OTHER, OTHER + DUMMIES / K)
"""The proof of Theorem 2, simplified."""
T2_OLH = Estimator(1 - 2 * Q, Q + DUMMIES / B)
S2 = Estimator(P - 1 / B, (1 + DUMMIES) / B)
"""Section 2, over all messages, 1/h less for each."""

VARIANCE_GRR = SPREAD_GRR / (USERS * (OWN - OTHER) ** 2)
"""Of `T3_GRR`."""
VARIANCE_OLH = SPREAD_OLH / (USERS * (P - 1 / B) ** 2)
"""Of `S2`."""
