"""Formal statements about shuffled reports."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Domain, Statement
from dp_spec.vocabulary.term import Term, term


@dataclass(frozen=True)
class Divergence(Statement):
    """Everywhere on the domain, for all neighboring data sets of `users` users, delta(epsilon) <= `delta`: the largest
    sum over multisets t of (P[M(D) = t] - e^epsilon P[M(D') = t])_+.

    M shuffles what the users send, which is `law` of what each of them holds (None: every randomizer whose ratios are
    at most x), and `dummies` uniform messages. `at` gives names that are no variables of the domain (K labels or items,
    the law's base) their values; exp and log may occur.
    """

    type: ClassVar[str] = "divergence"
    law: Law | None
    domain: Domain
    users: Term
    e_eps: Term
    delta: Term
    dummies: Term = term(0)
    at: Mapping[str, Term] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """The statement as plain data, without a law that is none."""
        return {"at": {}, **super().json()}
