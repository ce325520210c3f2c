"""Bounds of delta by a construction, and the ends that the kernel accepts."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
OVERHEAD = 100_000
"""Units beside those of the evidence."""
ANY = Fraction(1, 2)
"""A delta for statements of which only the numbers are wanted."""


SMALL = 4_096
"""Users of the small setting from which the work of a large one is told: units grow like the square root."""


class UncertifiedError(RefusedError):
    """No bound was found that the kernel accepts within the allowed work, of which about so many units are needed (0:
    that is not the reason)."""

    def __init__(self, message: str, units: int = 0) -> None:
        super().__init__(message)
        self.units = units

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.units)


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

    @property
    def fine(self) -> int:
        """The number of pieces of a final bound."""
        return tuning.pieces(self.setting.users)

    def told(self, eps: float | Fraction) -> dict[str, Any]:
        """The evidence for an epsilon."""
        return self.construction.evidence(self.shuffled(eps), self.delta, self.fine)

    def at(self, eps: float | Fraction, pieces: int) -> Fraction:
        """The bound, or what is compared in its place. Raises `UncertifiedError` if it takes more work than allowed."""
        try:
            with limited(self.work):
                return self._value(self.shuffled(eps), pieces)
        except OutOfWorkError:
            raise self._too_much() from None

    def units(self) -> int:
        """About how much work a check takes, said by one of fewer users."""
        fourths = max(0, (self.setting.users.bit_length() - SMALL.bit_length() + 1) // 2)
        few, extra = max(1, self.setting.users >> 2 * fourths), self.setting.dummies >> 2 * fourths
        small = replace(self, setting=replace(self.setting, users=few, dummies=extra))
        with limited(sys.maxsize) as meter:
            small._value(small.shuffled(tuning.guess(small.shuffled(0), self.delta)), self.fine)
        units = 2 * (meter.spent << fourths) + OVERHEAD
        return units if self.construction.probe is None else max(units, self.work)

    def _value(self, s: Shuffled, pieces: int) -> Fraction:
        told, body = self.construction.evidence(s, self.delta, pieces), self._body()
        if self.construction.probe is not None:
            return self.construction.probe(s, told)
        judged = kernel.every if self.construction.high else kernel.shown
        return judged(body, kernel.point(body, {}), s.a, told)

    def _too_much(self) -> "UncertifiedError":
        units = self.units()
        return UncertifiedError(
            f"{self.construction.words}: {self.work} units of work are not enough for a check, about {units} are "
            "(--work)",
            units,
        )

    def excess(self, eps: float | Fraction, pieces: int) -> float:
        """ln(bound / delta)."""
        value = self.at(eps, pieces)
        return tuning.logarithm(value) - tuning.logarithm(self.delta) if value > 0 else -inf

    def accepted(self, eps: Fraction, delta: Fraction, value: Decimal, told: Mapping[str, Any]) -> End | None:
        """The end at this number, if the kernel accepts that delta(eps) is at most (more than) delta. Raises
        `UncertifiedError` if that takes more work than is allowed."""
        high = self.construction.high
        claim = self.setting.divergence(e_to(fraction(eps)) if eps else term(1), delta)
        statement: Statement = claim if high else Not(claim)
        body = plain(statement.json())
        data: dict[str, Any] = {"values": {}, **told}
        data = {"instances": [data]} if high else {"evidence": data}
        try:
            with limited(self.work) as meter:
                check(body, "proved", plain(data))
        except OutOfWorkError:
            raise self._too_much() from None
        except Rejected:
            return None
        found = Evidence("enclosed divergence", self.construction.words, data)
        outcome = Outcome("proved", found, ties=records(body), cards=tuple(sorted(meter.cards)))
        return End(value, self.construction.words, statement, outcome, 2 * meter.spent + OVERHEAD)

    def _body(self) -> Any:
        one: Term = term(1)
        return self.setting.divergence(one, ANY).json()
