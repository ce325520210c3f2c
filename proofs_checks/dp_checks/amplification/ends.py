"""Bounds of delta by a construction, and the ends that the kernel accepts."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf
from typing import Any

from dp_checks.amplification import tuning
from dp_checks.amplification.constructions import Construction
from dp_checks.amplification.setting import Setting, fraction
from dp_checks.certificate import certificate, plain
from dp_checks.check.ties import records
from dp_checks.kernel import shuffle as kernel
from dp_checks.kernel.cards.blanket import Shuffled
from dp_checks.kernel.check import check
from dp_checks.kernel.terms import exp
from dp_checks.kernel.work import OutOfWorkError, Rejected, limited
from dp_checks.verdict import Evidence, Outcome
from dp_spec.vocabulary.exceptions import RefusedError
from dp_spec.vocabulary.statement import Not, Statement
from dp_spec.vocabulary.term import Term, term
from dp_spec.vocabulary.term import exp as e_to

SEARCH_BITS = 96
"""Precision of e^epsilon in a search."""
ANY = Fraction(1, 2)
"""A delta for statements of which only the numbers are wanted."""


class UncertifiedError(RefusedError):
    """No bound was found that the kernel accepts within the allowed work."""


@dataclass(frozen=True)
class End:
    """An end of an enclosure: a number, what shows it, its statement and evidence (none: where there is nothing to
    show), and the units of work of checking it."""

    value: Decimal
    shown_by: str
    statement: Statement | None = None
    outcome: Outcome | None = None
    work: int = 0

    def certificate(self, name: str) -> dict[str, Any] | None:
        """What `python -m dp_checks.kernel` checks, under an id; None where there is nothing to show."""
        if self.statement is None or self.outcome is None:
            return None
        return certificate(name, self.statement, self.outcome) | {"work": self.work}


@dataclass(frozen=True)
class Bound:
    """A construction's bound of delta in a setting, tuned for values of about `delta`."""

    setting: Setting
    construction: Construction
    delta: Fraction
    work: int

    def shuffled(self, eps: float | Fraction) -> Shuffled:
        """The numbers of the card at an epsilon."""
        high, body = self.construction.high, self._body()
        a = exp(Fraction(eps), SEARCH_BITS)
        at, end = kernel.point(body, {}), a.low if high else a.high
        return kernel.randomized_response(body, at, end, high=high, labels=self.construction.labels)

    def told(self, eps: float | Fraction, pieces: int = tuning.KNOTS) -> dict[str, Any]:
        """The evidence for an epsilon."""
        return self.construction.evidence(self.shuffled(eps), self.delta, pieces)

    def at(self, eps: float | Fraction, pieces: int = tuning.KNOTS) -> Fraction:
        """The bound. Raises `UncertifiedError` if it takes more work than is allowed."""
        s, body = self.shuffled(eps), self._body()
        judged = kernel.every if self.construction.high else kernel.shown
        try:
            with limited(self.work):
                return judged(body, kernel.point(body, {}), s.a, self.construction.evidence(s, self.delta, pieces))
        except OutOfWorkError:
            raise UncertifiedError(
                f"one check takes more than {self.work} units of work: allow more (--work)"
            ) from None

    def excess(self, eps: float | Fraction, pieces: int) -> float:
        """ln(bound / delta)."""
        value = self.at(eps, pieces)
        return tuning.logarithm(value) - tuning.logarithm(self.delta) if value > 0 else -inf

    def accepted(self, eps: Fraction, delta: Fraction, value: Decimal, told: Mapping[str, Any]) -> End | None:
        """The end at this number, if the kernel accepts that delta(eps) is at most (more than) delta."""
        high = self.construction.high
        claim = self.setting.divergence(e_to(fraction(eps)) if eps else term(1), delta)
        statement: Statement = claim if high else Not(claim)
        body = plain(statement.json())
        data: dict[str, Any] = {"values": {}, **told}
        data = {"instances": [data]} if high else {"evidence": data}
        try:
            with limited(self.work) as meter:
                check(body, "proved", plain(data))
        except Rejected:
            return None
        found = Evidence("enclosed divergence", self.construction.words, data)
        outcome = Outcome("proved", found, ties=records(body), cards=tuple(sorted(meter.cards)))
        return End(value, self.construction.words, statement, outcome, 2 * meter.spent + 100_000)

    def _body(self) -> Any:
        one: Term = term(1)
        return self.setting.divergence(one, ANY).json()
