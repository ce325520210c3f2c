"""Formal statements about shuffled reports."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Domain, Statement
from dp_spec.vocabulary.term import Term, term

NONE = term(0)


@dataclass(frozen=True)
class Shuffled:
    """What is shuffled beside the users of another law: what they send, and uniform messages."""

    law: Law
    dummies: Term = NONE


@dataclass(frozen=True)
class Divergence(Statement):
    """Everywhere on the domain, for all neighboring data sets of `users` users, delta(epsilon) <= `delta`: the sum over
    multisets t of (P[M(D) = t] - e^epsilon P[M(D') = t])_+.

    M shuffles what the users send, which is `law` of the one sensitive item that each of them holds (None: every
    randomizer whose ratios are at most x, the same for all users), and `dummies` uniform messages; under every family
    of functions that the law may have, or (`functions`) under all functions, uniformly. `at` gives names that are no
    variables of the domain (K labels or items, the law's base) their values; exp and log may occur. `relation`: `lt`
    less than, `eq` the largest one is `delta`. `than`: at most (less than) what is shuffled there has for the same data
    sets; `delta` is 0 then.
    """

    type: ClassVar[str] = "divergence"
    law: Law | None
    domain: Domain
    users: Term
    e_eps: Term
    delta: Term = NONE
    relation: Literal["le", "lt", "eq"] = "le"
    dummies: Term = NONE
    at: Mapping[str, Term] = field(default_factory=dict)
    than: Shuffled | None = None
    functions: Literal["all"] | None = None
