"""Two-sided enclosures of epsilon(delta) and delta(epsilon), every end with what the kernel checks.

The search is untrusted: it looks for ends that the kernel accepts. An upper end holds for every data set; a lower end
is shown by a data set that is named.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import partial
from math import inf, isfinite, sqrt
from typing import Any

from dp_checks.amplification import tuning
from dp_checks.amplification.constructions import Construction, lowers, uppers
from dp_checks.amplification.setting import Setting, fraction
from dp_checks.certificate import certificate, plain
from dp_checks.check.ties import records
from dp_checks.kernel import shuffle as kernel
from dp_checks.kernel.check import check
from dp_checks.kernel.terms import exp
from dp_checks.kernel.work import Rejected, limited
from dp_checks.verdict import Evidence, Outcome
from dp_spec.vocabulary.exceptions import RefusedError
from dp_spec.vocabulary.statement import Not, Statement
from dp_spec.vocabulary.term import exp as e_to
from dp_spec.vocabulary.term import term

STEPS = 60
"""Evaluations after which a search ends; about ten are enough."""
TRIES = 12
"""Decimals that are tried, each twice as far from the crossing."""
SEARCH_BITS = 96
"""Precision of e^epsilon in the search."""


class UncertifiedError(RefusedError):
    """No bound was found that the kernel accepts within the allowed work."""


@dataclass(frozen=True)
class End:
    """An end of an enclosure: a decimal, what shows it, its statement and evidence (none: 0 is below everything)."""

    value: Decimal
    shown_by: str
    statement: Statement | None = None
    outcome: Outcome | None = None
    work: int = 0

    def certificate(self, name: str) -> dict[str, Any] | None:
        """What `python -m dp_checks.kernel` checks, under an id; None for the end 0."""
        if self.statement is None or self.outcome is None:
            return None
        return certificate(name, self.statement, self.outcome) | {"work": self.work}


def epsilon(setting: Setting, delta: Fraction, digits: int, work: int) -> tuple[End, End]:
    """Lower and upper end of the smallest epsilon at which delta(epsilon) <= delta for all neighboring data sets, as
    decimals of so many significant digits. Raises `UncertifiedError` if that takes more than `work` units to check."""
    found = []
    for listed, best in ((lowers(setting), max), (uppers(setting), min)):
        ends = [_end(setting, delta, one, digits, work) for one in listed]
        found.append(best((end for end in ends if end is not None), key=lambda end: end.value, default=None))
    lower, upper = found
    if upper is None or lower is None:
        raise UncertifiedError(f"no bound is checked within {work} units of work: allow more (--work)")
    return lower, upper


def _end(setting: Setting, delta: Fraction, construction: Construction, digits: int, work: int) -> End | None:
    """The end that a construction gives: where its bound crosses delta, rounded outwards until the kernel accepts."""
    high = construction.high
    body = setting.divergence(term(1), delta).json()
    at = kernel.point(body, {})

    def evidence(eps: float | Fraction, pieces: int) -> tuple[Fraction, dict[str, Any]]:
        a = exp(Fraction(eps), SEARCH_BITS)
        a_end = a.low if high else a.high
        s = kernel.randomized_response(body, at, a_end, high=high, labels=construction.labels)
        return a_end, construction.evidence(s, delta, pieces)

    def excess(eps: float, pieces: int) -> float:
        a, told = evidence(eps, pieces)
        value = (kernel.every if high else kernel.shown)(body, at, a, told)
        return tuning.logarithm(value) - tuning.logarithm(delta) if value > 0 else -inf

    if excess(0.0, tuning.COARSE) <= 0:
        if not high:
            return End(Decimal(0), "nothing is below 0")
        return _accepted(setting, delta, construction, Decimal(0), evidence(0, tuning.KNOTS)[1], work)
    s = kernel.randomized_response(body, at, Fraction(1), high=high, labels=construction.labels)
    rough = crossing(partial(excess, pieces=tuning.COARSE), tuning.guess(s, delta), delta, 1e-5)
    guess = crossing(partial(excess, pieces=tuning.KNOTS), rough, delta, 10.0 ** -(digits + 1))
    context = Context(prec=digits, rounding=ROUND_CEILING if high else ROUND_FLOOR)
    unit = 0
    for _ in range(TRIES):
        value = context.create_decimal(Decimal(guess))
        value = max(Decimal(0), value + (unit if high else -unit) * Decimal((0, (1,), value.adjusted() - digits + 1)))
        end = _accepted(setting, delta, construction, value, evidence(Fraction(value), tuning.KNOTS)[1], work)
        if end is not None:
            return end
        unit = 2 * unit + 1
    return None


def crossing(excess: Callable[[float], float], guess: float, delta: Fraction, precision: float) -> float:
    """Where a decreasing function is 0 that is about ln(1 / delta) (1 - square): by secants in the square, between the
    last two points, or by halving where these leave the interval in which it changes sign."""
    low, high, x, before = 0.0, inf, guess, (0.0, -tuning.logarithm(delta))
    for _ in range(STEPS):
        y = excess(x)
        low, high = (x, high) if y > 0 else (low, x)
        (a, f), before = before, (x, y)
        root = x * x - y * (x * x - a * a) / (y - f) if isfinite(y) and y != f else -1.0
        new = sqrt(root) if root > 0 else -1.0
        if not low < new < high:
            new = 2 * low if high == inf else (low + high) / 2
        if abs(new - x) <= precision * x:
            return new
        x = new
    return high if high < inf else low


def _accepted(
    setting: Setting, delta: Fraction, construction: Construction, value: Decimal, told: Mapping[str, Any], work: int
) -> End | None:
    """The end, if the kernel accepts it."""
    exponent = Fraction(value)
    claim = setting.divergence(e_to(fraction(exponent)) if exponent else term(1), delta)
    data: dict[str, Any] = {"values": {}, **told}
    statement: Statement = claim if construction.high else Not(claim)
    data = {"instances": [data]} if construction.high else {"evidence": data}
    try:
        with limited(work) as meter:
            check(plain(statement.json()), "proved", plain(data))
    except Rejected:
        return None
    outcome = Outcome(
        "proved",
        Evidence("enclosed divergence", construction.words, data),
        ties=records(plain(statement.json())),
        cards=tuple(sorted(meter.cards)),
    )
    return End(value, construction.words, statement, outcome, 2 * meter.spent + 100_000)
