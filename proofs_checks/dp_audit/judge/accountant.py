"""Is the number of an accountant right? Beside an enclosure of the true one: too small, too large by which factor, or
off by rounding."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, fmpq

from dp_audit.exact_numbers import figure, short
from dp_audit.judge.declared_map import INFINITE, ULPS
from dp_audit.judge.plan import ACCOUNTANT
from dp_audit.judge.question import Question
from dp_audit.observation.declared_map import DeclaredMap, Member, Raised
from dp_audit.observation.values import show
from dp_audit.oracles.accounted_mechanisms import Value, curve_of, renyi_of, settled
from dp_audit.oracles.privacy_curves import Curve
from dp_audit.oracles.values import rows_of
from dp_audit.outcome import TOLERANCE, Row, Verdict
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision

CHECK = "accountant"
HALVINGS = 60
"""Of an interval in which the true epsilon lies."""
LARGEST = fmpq(1 << 14)
"""No larger epsilon is looked for."""
SHOWN = 16
"""Calls whose numbers are figures of the row."""
NEAR = fmpq(1, 2**30)
"""A difference that is smaller, relatively, is told in units of the last place."""


@dataclass(frozen=True)
class Answer:
    """What an accountant answers beside both ends of the true number (None: it is infinite).

    `kind` is `right` (not too small), `rounding` (too small by rounding at most), `fault`, or `undecided`: between both
    ends.
    """

    call: Member
    declared: fmpq | None
    low: fmpq
    high: fmpq | None
    kind: str

    @property
    def factor(self) -> fmpq | None:
        """Return by which factor it is too large, at least; None where that is infinite."""
        if self.high == 0:
            return fmpq(1) if self.declared == 0 else None
        return None if self.declared is None or self.high is None else self.declared / self.high

    @property
    def ulps(self) -> fmpq | None:
        """Return the difference from the true number in units of the last place of a double, if it is so small."""
        if self.declared is None or self.high is None or self.declared == 0:
            return None
        if max(abs(self.declared - self.low), abs(self.declared - self.high)) > NEAR * self.declared:
            return None
        exponent = 0
        while self.declared >= fmpq(2) ** (exponent + 1):
            exponent += 1
        while self.declared < fmpq(2) ** exponent:
            exponent -= 1
        return (self.declared - (self.low + self.high) / 2) / fmpq(2) ** (exponent - 52)


def answer(mechanism: str, number: str, call: Member) -> Answer | Row:
    """Return an answer beside the true number; a row where it is no number.

    Raises `DomainError` for parameters that the mechanism has not.
    """
    parameters, at = settled(mechanism, number, _parameters(call))
    declared = call.output
    if declared != INFINITE and not (isinstance(declared, int | fmpq) and fmpq(declared) >= 0):
        detail = f"of {call.written} the accountant says {show(declared)}: no number >= 0"
        return Row(CHECK, Verdict.FAULT, detail, {}, {"arguments": call.written, "declared": show(declared)})
    said = fmpq(declared) if isinstance(declared, int | fmpq) else None
    if number == "epsilon":
        return _epsilon(call, curve_of(mechanism, parameters), said, at)
    low, high = curve_of(mechanism, parameters).delta(at) if number == "delta" else renyi_of(mechanism, parameters, at)
    if said is None or said >= high:
        kind = "right"
    elif said >= low:
        kind = "undecided"
    else:
        rounded = _rounded_up(said, number)
        kind = "fault" if rounded < low else "rounding" if rounded >= high else "undecided"
    return Answer(call, said, low, high, kind)


def _epsilon(call: Member, curve: Curve, said: fmpq | None, delta: fmpq) -> Answer:
    low, high = true_epsilon(curve, delta)
    if said is None:
        return Answer(call, said, low, high, "right")
    least, most = curve.delta(said)
    if most <= delta:
        kind = "right"
    elif least <= delta:
        kind = "undecided"
    else:
        least, most = curve.delta(_rounded_up(said, "epsilon"))
        kind = "fault" if least > delta else "rounding" if most <= delta else "undecided"
    return Answer(call, said, low, high, kind)


def true_epsilon(curve: Curve, delta: fmpq) -> tuple[fmpq, fmpq | None]:
    """Return an interval that has the smallest epsilon with this delta; None: there is none up to `LARGEST`."""
    if curve.delta(fmpq(0))[1] <= delta:
        return fmpq(0), fmpq(0)
    end = fmpq(1, 16)
    while curve.delta(end)[1] > delta:
        if end >= LARGEST:
            return _first(curve, 0, delta, end)[0], None
        end *= 2
    return _first(curve, 0, delta, end)[0], _first(curve, 1, delta, end)[1]


def _first(curve: Curve, side: int, delta: fmpq, end: fmpq) -> tuple[fmpq, fmpq]:
    """Return a small interval in which one end of the curve's enclosure falls to delta."""
    low, high = fmpq(0), end
    if curve.delta(low)[side] <= delta:
        return low, low
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if curve.delta(middle)[side] > delta else (low, middle)
    return low, high


def _rounded_up(said: fmpq, number: str) -> fmpq:
    """Return the largest number of which this one may be a rounding: as of laws, but of a delta only relatively, which
    may be far below the last place of 1; the others are logarithms of doubles near 1."""
    return said * (1 + TOLERANCE) + (0 if number == "delta" else ULPS)


def _parameters(call: Member) -> dict[str, Value]:
    """Return the arguments of a call by name."""
    parameters: dict[str, Value] = {}
    for pair in rows_of(call.value):
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[1], int | fmpq | str):
            raise DomainError("arguments", call.written, "a dictionary of exact numbers and names")
        parameters[str(pair[0])] = pair[1]
    return parameters


# --- rows -------------------------------------------------------------------------------------------------------------


def accountant_rows(observation: DeclaredMap, mechanism: str, number: str) -> list[Row]:
    """Return the row about the numbers, before it one about calls that raise."""
    calls = list(observation.members.values())
    raised = [call for call in calls if isinstance(call.output, Raised)]
    rows: list[Row] = []
    if raised:
        first = raised[0]
        assert isinstance(first.output, Raised)
        detail = f"{len(raised)} of {len(calls)} calls raise: {first.output.message} on {first.written}"
        rows.append(Row("calls", Verdict.WARNING, detail, {}, {"arguments": first.written}))
    answers: list[Answer] = []
    for call in calls:
        if not isinstance(call.output, Raised):
            said = answer(mechanism, number, call)
            if isinstance(said, Row):
                return [*rows, said]
            answers.append(said)
    if not answers:
        return [*rows, Row(CHECK, Verdict.UNDECIDED, "the accountant gives no number")]
    return [*rows, _row(answers, number)]


def _row(answers: Sequence[Answer], number: str) -> Row:
    figures = {}
    for one in answers[:SHOWN]:
        figures[f"true {number}, {one.call.written}"] = _interval(one)
        figures[f"declared {number}, {one.call.written}"] = _text(one.declared)
    fault = next((one for one in answers if one.kind == "fault"), None)
    if fault is not None:
        assert fault.declared is not None
        near = fault.low - fault.declared < fault.low / 1000
        said = f"only 1 - {short(1 - fault.declared / fault.low)} of it" if near else short(fault.declared)
        detail = f"too small: of {fault.call.written} the {number} is at least {short(fault.low)}, and {said} is said"
        witness = {"arguments": fault.call.written, "true": _interval(fault), "declared": _text(fault.declared)}
        return Row(CHECK, Verdict.FAULT, detail, figures, witness)
    scope = f"{len(answers)} calls"
    rounded = [said for said in answers if said.kind == "rounding"]
    if rounded:
        missing = short(max(1 - (said.declared or fmpq(0)) / said.low for said in rounded))
        verdict, words = Verdict.ROUNDING, f"too small, by {missing} of it at most: the rounding of doubles ({scope})"
    elif all(said.kind == "undecided" for said in answers):
        verdict, words = Verdict.UNDECIDED, f"nearer to the true {number} than that is known ({scope})"
    else:
        verdict, words = Verdict.CONSISTENT, f"never too small in {scope}"
    return Row(CHECK, verdict, words + _loose(answers, number) + _last_place(answers), figures)


def _loose(answers: Sequence[Answer], number: str) -> str:
    """Return how far too large numbers are, and of how many it is open whether they are too small."""
    decided = [said for said in answers if said.kind != "undecided"]
    beyond = next((said for said in decided if said.factor is None), None)
    words = ""
    if beyond is not None:
        words = f"; infinitely too large of {beyond.call.written}"
    elif decided:
        loosest = max(decided, key=lambda said: said.factor or fmpq(0))
        factor = loosest.factor or fmpq(1)
        words = f"; too large by a factor of at most {_factor(factor)}, of {loosest.call.written}" if factor > 1 else ""
    within = len(answers) - len(decided)
    is_open = 0 < within < len(answers)
    return words + (f"; {within} are nearer to the true {number} than that is known" if is_open else "")


def _factor(factor: fmpq) -> str:
    return f"1 + {short(factor - 1)}" if factor < 1 + fmpq(1, 1000) else short(factor)


def _last_place(answers: Sequence[Answer]) -> str:
    """Return the largest error in units of the last place, where all are so small."""
    errors = [said.ulps for said in answers if said.ulps is not None]
    if len(errors) < len(answers):
        return ""
    return f"; at most {short(max(abs(error) for error in errors))} units of the last place from it"


def _interval(said: Answer) -> str:
    if said.high is None:
        return "infinite"
    with precision(128):
        return figure(arb(said.low).union(arb(said.high)))


def _text(number: fmpq | None) -> str:
    return "infinite" if number is None else str(number)


QUESTIONS = (
    Question(
        "accountant",
        "is what an accountant says of a mechanism at least the true number?",
        needs=(ACCOUNTANT,),
        meaning="Of every call the number is compared with a rigorous enclosure of the true one: `fault` where it is "
        "smaller than that, `rounding` where by 2^-40 of it at most (and 2^-50, but of a delta); `consistent` else, "
        "with the factor by which it is too large",
        hint="round up, or use a bound that holds for all parameters",
    ),
    Question(
        "calls",
        "has the accountant a number for all parameters?",
        needs=(ACCOUNTANT,),
        unasked="left out where no call raises",
        hint="say which parameters are allowed",
    ),
)
