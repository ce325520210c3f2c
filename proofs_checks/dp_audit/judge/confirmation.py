"""Laws that code has only where its draws are replaced: they say nothing about it, so that samples decide.

Two things are looked at, in reports of the code as it is: exceptions that should come, and a law that is not the
oracle's. The law that was found is what is tested, at `LEVEL`; that the code has it after all cannot be proven so.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, log

import numpy as np
from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS, short
from dp_audit.judge.events import Observation
from dp_audit.judge.examination import LEVEL
from dp_audit.judge.rare_counts import Counts, Surprise
from dp_audit.observation.findings import UnmodeledRandomness
from dp_audit.observation.jobs import ReportsRequest, some_inputs
from dp_audit.observation.target_laws import Law, TargetLaws
from dp_audit.observation.unmodified_run import UnmodifiedRun, raised
from dp_audit.observation.values import show
from dp_audit.oracles.base import Number, Oracle
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision

LEAST = Fraction(1, 1024)
"""A rarer exception is believed: it takes too many reports to see that it never comes."""
NATS = 21
"""An exception of probability p is missed by NATS / p reports with probability < e^-NATS."""
FEWEST, MOST = 512, 32_768
"""Reports on an input, at least, and on all inputs together, to see whether they have the law that was found."""
SURE = 80.0
"""So many nats are expected against the law that was found, if the code has the oracle's: far more than are needed."""
LIKELY = 32
"""Of so many reports of an input, the likeliest ones, each is looked at."""


def exceptions_asked(laws: TargetLaws) -> ReportsRequest | None:
    """Return what shows whether the exceptions of the laws come; None where there are hardly any."""
    chances = _likely_exceptions(laws)
    if not chances:
        return None
    inputs = some_inputs(tuple(chances))
    return ReportsRequest(inputs, ceil(NATS / min(chances[x] for x in inputs)))


def without_doubted(laws: TargetLaws, run: UnmodifiedRun) -> TargetLaws:
    """Return the laws without those whose exceptions did not come in the reports that were asked for, where they
    should."""
    if not run.complete or any(raised(run.reports[code]) for draws in run.draws for code in draws.codes):
        return laws
    chances = _likely_exceptions(laws)
    doubted = tuple(_refused_law(law) if law.inputs[0] in chances else law for law in laws.laws)
    return replace(laws, laws=doubted, reuse=())


def _likely_exceptions(laws: TargetLaws) -> dict[Item, Fraction]:
    return {law.inputs[0]: chance for law in laws.laws if (chance := _chance(law)) > LEAST}


def _chance(law: Law) -> Fraction:
    """Return the probability of an exception."""
    return sum((Fraction(int(e.probability.p), int(e.probability.q)) for e in law.entries if e.raised), Fraction(0))


def _refused_law(law: Law) -> Law:
    text = next(entry.raised for entry in law.entries if entry.raised)
    return replace(law, entries=(), refused=UnmodeledRandomness(f"{text}, raised only where draws are replaced"))


def law_asked(laws: TargetLaws, oracle: Oracle) -> ReportsRequest | None:
    """Return what shows whether code has the laws that were found, which would be called wrong; None where there are
    none."""
    events = _watched_on(laws, oracle)
    if not events:
        return None
    needed = max(some[0].needed for some in events.values())
    return ReportsRequest(tuple(events), max(FEWEST, min(needed, MOST // len(events))))


def confirmed(laws: TargetLaws, oracle: Oracle, run: UnmodifiedRun) -> tuple[TargetLaws, tuple[Row, ...]]:
    """Return the laws of code that would be called wrong: refused, if the reports that were asked for refute them, else
    as they are, with the row that says so."""
    if not run.complete or any(raised(report).startswith("no canonical form") for report in run.reports):
        return laws, ()
    reports = [_outcome(report) for report in run.reports]
    counts, (items, codes) = Counts(LEVEL), Observation(run, oracle).flat("fresh")
    for item, (name, events) in enumerate(_watched_on(laws, oracle).items()):
        here = codes[items == item]
        for event in events:
            held = np.array([report in event.outcomes for report in reports], bool)[here]
            names = [f"{event.name} on input {show(name)}"]
            counts.add(names.__getitem__, np.zeros_like(here), held, np.zeros_like(here), [event.chance])
    surprise = counts.worst()
    if surprise is None:
        number = f"{len(codes)} reports on {len(run.inputs)} inputs"
        detail = f"{number}, with nothing replaced, do not contradict the law found"
        return laws, (Row("unintercepted run", Verdict.INFO, detail, {"reports": str(len(codes))}),)
    refused = UnmodeledRandomness(_contradicted(surprise))
    return replace(laws, laws=tuple(replace(law, entries=(), refused=refused) for law in laws.laws), reuse=()), ()


def _watched_on(laws: TargetLaws, oracle: Oracle) -> dict[Item, list["_WatchedEvent"]]:
    """Return what is looked at on some of the inputs of the laws."""
    by_input = {law.inputs[0]: law for law in reversed(laws.laws) if law.refused is None}
    with precision(PRECISIONS[0]):
        return {x: _watched_events(by_input[x], oracle.law(x)) for x in some_inputs(tuple(by_input))}


@dataclass(frozen=True)
class _WatchedEvent:
    """A set of outcomes, its probability in the law that was found, and how many reports tell it from the oracle's."""

    name: str
    outcomes: frozenset[Hashable]
    chance: Number
    needed: int = 0


def _watched_events(law: Law, expected: Mapping[Hashable, Number]) -> list[_WatchedEvent]:
    """Return what is looked at in the reports on an input: first all together that is too likely."""
    probabilities: dict[Hashable, fmpq] = {}
    for entry in law.entries:
        outcome = ("raised",) if entry.raised is not None else entry.output
        probabilities[outcome] = probabilities.get(outcome, fmpq(0)) + entry.probability

    def chance(p: fmpq) -> Number:
        return arb(p).union(arb(p + law.unexplored)) if law.unexplored else p

    likely = sorted(probabilities, key=lambda outcome: -float(arb(probabilities[outcome])))[:LIKELY]
    events = [_WatchedEvent(f"the report {show(y)}", frozenset([y]), chance(probabilities[y])) for y in likely]
    more = frozenset(y for y, p in probabilities.items() if float(arb(p)) > float(arb(expected.get(y, fmpq(0)))))
    ours = sum((probabilities[y] for y in more), fmpq(0))
    theirs = float(sum((arb(expected.get(y, fmpq(0))) for y in more), arb(0)))
    needed = ceil(SURE / max(_divergence(theirs, float(arb(ours))), SURE / MOST))
    return [_WatchedEvent("the reports that are too likely", more, chance(ours), needed), *events]


def _divergence(p: float, q: float) -> float:
    """Return how many nats each report tells against q where p holds; infinitely many are 1e300."""
    terms = [(a, b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0]
    return sum(a * log(a / b) if b > 0 else 1e300 for a, b in terms)


def _outcome(report: Hashable) -> Hashable:
    return ("raised",) if raised(report) else report


def _contradicted(surprise: Surprise) -> str:
    observation = f"{surprise.count} in {surprise.number} with nothing replaced, expected {short(surprise.expected)}"
    return f"the law that was found where draws are replaced is not that of the code: {surprise.name}: {observation}"
