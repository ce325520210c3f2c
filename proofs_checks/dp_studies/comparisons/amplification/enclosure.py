"""Bounds of delta by a construction, and the ends that the kernel accepts."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Any

from dp_checks.certificate import certificate, json_value
from dp_checks.check import divergence_windows
from dp_checks.check.ties import records
from dp_checks.verdict import Evidence, Outcome
from dp_kernel.cards.blanket import Shuffled
from dp_kernel.certificate.check import check
from dp_kernel.formulas.terms import exp
from dp_kernel.meter import OutOfWorkError, Rejected, limited
from dp_kernel.shuffle import divergences as kernel
from dp_spec.vocabulary.exceptions import RefusedError
from dp_spec.vocabulary.statement import Not, Statement
from dp_spec.vocabulary.term import Term, term
from dp_spec.vocabulary.term import exp as e_to
from dp_studies.comparisons.amplification.constructions import Construction
from dp_studies.comparisons.amplification.query import Setting, fraction

SEARCH_BITS = 96
"""Precision of e^epsilon in a search."""
OVERHEAD = 100_000
"""Units beside those of the evidence."""
ANY = Fraction(1, 2)
"""A delta for statements of which only the numbers are wanted."""


EASED_BITS = 64
"""Precision of a smaller e^epsilon of which an upper bound is taken."""
MANY = 10**6
"""Users, or uniform messages, from which on the work of a bound is told before it is tried."""


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
    show), the units of work of checking it, and whether more of them would bring it closer."""

    value: Decimal
    shown_by: str
    statement: Statement | None = None
    outcome: Outcome | None = None
    work: int = 0
    cheaper: bool = False

    def certificate(self, name: str) -> dict[str, Any] | None:
        """What `python -m dp_kernel` checks, under an id; None where there is nothing to show."""
        if self.statement is None or self.outcome is None:
            return None
        return certificate(name, self.statement, self.outcome) | {"work": self.work}


@dataclass(frozen=True)
class DeltaEvidence:
    """What a construction shows of delta, the evidence for it, and whether less of it was computed than there is."""

    value: Fraction
    instance: Mapping[str, Any]
    cheaper: bool = False


@dataclass(frozen=True)
class Bound:
    """A construction's bound of delta in a setting, tuned for values of about `delta`.

    An upper bound at a harder point is one here: at a smaller epsilon, where this one is far beyond where `delta` is
    reached; with fewer users and dummies, where all of them take more work than is allowed.
    """

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
        return divergence_windows.pieces(self.setting.users)

    def affordable(self) -> Shuffled:
        """The numbers of the card at epsilon = 0, of as many users and dummies as the allowed work is enough for."""
        _, fourths = next(self._efforts(self.fine), (1, 0))
        return divergence_windows.fewer(self.shuffled(0), fourths)

    def at(self, eps: float | Fraction, pieces: int) -> DeltaEvidence:
        """The evidence in as many pieces as the allowed work is enough for, of as many users (nothing, where the kernel
        rejects it). Raises `UncertifiedError` if it always takes more work."""
        s = self.shuffled(eps)
        for few, fourths in self._efforts(pieces):
            try:
                with limited(self.work * 2 // 3):  # of a check, numbers are longer
                    evidence = self.of(s, few, _harder(s, fourths))
                    return replace(evidence, cheaper=bool(fourths) or few < min(pieces, divergence_windows.COARSE))
            except OutOfWorkError:
                continue
            except Rejected:
                return DeltaEvidence(Fraction(self.construction.high), {})
        raise self._too_much()

    def eased(self, eps: float | Fraction, pieces: int) -> DeltaEvidence:
        """The smallest of the bounds at this epsilon and, unless that is at most `delta`, of smaller ones."""
        places = divergence_windows.eased(self.affordable(), self.delta, float(eps)) if self.construction.high else []
        best = None
        for place in (*places, eps):
            point = {} if place is eps else {"e_eps": str(_floor(self.shuffled(place).a))}
            evidence = self.at(place, pieces)
            if best is None or evidence.value < best.value:
                best = DeltaEvidence(evidence.value, {**evidence.instance, **point}, evidence.cheaper)
            if best.value <= self.delta:
                break
        assert best is not None
        return best

    def evidence(self, eps: float | Fraction, pieces: int) -> DeltaEvidence:
        """The evidence for the bound at an epsilon, of all users, that is not computed: less than 1 is shown by it."""
        return DeltaEvidence(Fraction(1), self.construction.evidence(self.shuffled(eps), self.delta, pieces))

    def units(self) -> int:
        """About how much work a certificate declares for a check, twice what it takes, no more than is allowed: said by
        one of fewer users."""
        return self.work if self.construction.probe is not None else min(self.work, 2 * _units(self, self.fine))

    def excess(self, eps: float | Fraction, pieces: int) -> float:
        """At most 0 where the bound shows on which side of the wanted delta the true one is: ln(bound / delta), or the
        negative of a lower bound's."""
        return self.excess_of(self.eased(eps, pieces))

    def excess_of(self, evidence: DeltaEvidence) -> float:
        """The same of what was computed."""
        if evidence.value <= 0:
            return -inf if self.construction.high else inf
        over = divergence_windows.logarithm(evidence.value) - divergence_windows.logarithm(self.delta)
        return over if self.construction.high else -over

    def accepted(self, eps: Fraction, delta: Fraction, value: Decimal, divergence: DeltaEvidence) -> End | None:
        """The end at this number, if the kernel accepts that delta(eps) is at most (more than) delta. Raises
        `UncertifiedError` if that takes more work than is allowed."""
        high = self.construction.high
        claim = self.setting.divergence(e_to(fraction(eps)) if eps else term(1), delta)
        statement: Statement = claim if high else Not(claim)
        body = json_value(statement.json())
        data: dict[str, Any] = {"values": {}, **divergence.instance}
        data = {"instances": [data]} if high else {"evidence": data}
        try:
            with limited(self.work) as meter:
                check(body, "proved", json_value(data))
        except OutOfWorkError:
            raise self._too_much() from None
        except Rejected:
            return None
        evidence = Evidence("enclosed divergence", self.construction.words, data)
        outcome = Outcome("proved", evidence, ties=records(body), cards=tuple(sorted(meter.cards)))
        return End(value, self.construction.words, statement, outcome, 2 * meter.spent + OVERHEAD, divergence.cheaper)

    def _efforts(self, pieces: int) -> Iterator[tuple[int, int]]:
        """Numbers of pieces, and how often users are divided by four: the last are the cheapest; what is known to take
        too much is left out."""
        steps = [(few, 0) for few in dict.fromkeys((pieces, min(pieces, divergence_windows.COARSE), 1))]
        if self.construction.high:
            most = max(self.setting.users, self.setting.dummies).bit_length() // 2
            steps += [(1, fourths) for fourths in range(1, most)]
        many = max(self.setting.users, self.setting.dummies) > MANY
        units = {few: _units(self, few) if many else 0 for few, _ in steps}
        return ((few, fourths) for few, fourths in steps if units[few] >> fourths <= self.work)

    def of(self, s: Shuffled, pieces: int, harder: Mapping[str, Any]) -> DeltaEvidence:
        """The bound in so many pieces, at a harder point. Raises `Rejected`."""
        hard = s._replace(users=harder.get("users", s.users), extra=harder.get("dummies", s.extra))
        instance, body = {**self.construction.evidence(hard, self.delta, pieces), **harder}, self._body()
        if self.construction.probe is not None:
            return DeltaEvidence(self.construction.probe(hard, instance), instance)
        judged = kernel.every if self.construction.high else kernel.shown
        return DeltaEvidence(judged(body, kernel.point(body, {}), s.a, instance), instance)

    def _too_much(self) -> UncertifiedError:
        units = max(2 * _units(self, 1), 2 * self.work)
        words = f"{self.construction.words}: {self.work} units of work are not enough for a check, try --work {units}"
        return UncertifiedError(words, units)

    def _body(self) -> Any:
        one: Term = term(1)
        return self.setting.divergence(one, ANY).json()


@lru_cache(256)
def _units(bound: Bound, pieces: int) -> int:
    """About how many units of work so many pieces take, said by one of fewer users: they grow like the square root of
    how many messages hide the others."""
    whole = bound.shuffled(0)
    fourths = divergence_windows.fourths(int(divergence_windows.hiding(whole)))
    few = divergence_windows.fewer(whole, fourths)
    small = replace(bound, setting=replace(bound.setting, users=few.users, dummies=few.extra))
    s = small.shuffled(min(divergence_windows.guess(small.shuffled(0), bound.delta), small.setting.most))
    with limited(sys.maxsize) as meter:
        try:
            small.of(s, pieces, {})
        except Rejected:
            return OVERHEAD
    return (meter.spent << fourths) + OVERHEAD


def _harder(s: Shuffled, fourths: int) -> dict[str, Any]:
    """A fourth, a sixteenth ... of the users and uniform messages: evidence for fewer of them is evidence here."""
    if not fourths:
        return {}
    few = divergence_windows.fewer(s, fourths)
    return {"users": few.users} | ({"dummies": few.extra} if s.extra else {})


def _floor(a: Fraction) -> Fraction:
    """A number of few digits below this one, at least 1."""
    return Fraction(max(1 << EASED_BITS, (a.numerator << EASED_BITS) // a.denominator), 1 << EASED_BITS)
