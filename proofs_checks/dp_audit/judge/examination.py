"""An unmodified run and how it is judged: the error level, its shares, the rows of what is impossible or too rare."""

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from flint import fmpq

from dp_audit.exact_numbers import absolute, ends, figure, short
from dp_audit.judge.estimator import Unit
from dp_audit.judge.events import Observation
from dp_audit.judge.rare_counts import Surprise
from dp_audit.observation.unmodified_run import NO_FORM, UnmodifiedRun, raised
from dp_audit.observation.values import show
from dp_audit.oracles.base import Oracle
from dp_audit.outcome import Row, Verdict

LEVEL = fmpq(1, 10**9)
_CHECKS = (
    "law",
    "state",
    "repeats",
    "early",
    "beside",
    "typed",
    "updated",
    "clock",
    "again",
    "hash",
    "functions",
    "exit",
    "raw",
)
SHARES = dict.fromkeys(_CHECKS, LEVEL / len(_CHECKS))
"""Of the error level, by check."""


@dataclass(frozen=True)
class Examination:
    """An unmodified run and how it is judged. `right`: its law is not known to be wrong, and is compared with the
    oracle's.

    `again` is the beginning of a second run in a fresh process, if there was one; `exits` a run of processes that exit;
    `early` one of processes that report some times; `raw` the row `raw output` of the law, if there is one.
    """

    run: UnmodifiedRun
    oracle: Oracle
    unit: Unit = "frequencies"
    right: bool = True
    again: UnmodifiedRun | None = None
    exits: UnmodifiedRun | None = None
    early: UnmodifiedRun | None = None
    raw: Row | None = None

    @cached_property
    def alone(self) -> Callable[[Hashable], fmpq]:
        """The function that returns the largest estimate of a report alone, at least 1; it computes each once."""

        @cache
        def largest(report: Hashable) -> fmpq:
            return max([fmpq(1), *(ends(absolute(value))[1] for value in self.oracle.estimate([report]) or ())])

        return largest

    @cached_property
    def comparable(self) -> bool:
        """Whether every report has a canonical form: what some have not says nothing of their law."""
        return not any(raised(report).startswith(NO_FORM) for report in self.run.reports)

    @cached_property
    def observation(self) -> Observation:
        """Its reports beside the oracle."""
        return Observation(self.run, self.oracle)


def wrong_row(name: str, observation: Observation, items: Any, codes: Any) -> Row | None:
    """Return the row of reports that are impossible on an input, or of exceptions, if there are any."""
    pairs = Counter(zip(items.tolist(), codes.tolist(), strict=True))
    wrong = {pair: times for pair, times in pairs.items() if observation.impossible(*pair)}
    if not wrong:
        return None
    (item, code), times = max(wrong.items(), key=lambda pair: pair[1])
    total = sum(n for (x, _), n in pairs.items() if x == item)
    report, text = observation.run.reports[code], raised(observation.run.reports[code])
    witness = {"input": show(observation.inputs[item]), "observed": f"{times} in {total} reports"}
    if text.startswith(NO_FORM):
        return Row(name, Verdict.UNDECIDED, f"not compared: {text}", {}, {**witness, "raised": text})
    if text:
        return Row(
            name,
            Verdict.FAULT,
            f"raises {text.split(':')[0]} on input {show(observation.inputs[item])}",
            {},
            {**witness, "raised": text},
        )
    detail = "a report that this input cannot lead to"
    return Row(name, Verdict.FAULT, detail, {}, {**witness, "output": show(report)[:200], "oracle": "0"})


def surprised(name: str, surprise: Surprise, verdict: Verdict = Verdict.FAULT) -> Row:
    """Return the row of a refuted count."""
    witness = {
        "event": surprise.name,
        "observed": f"{surprise.count} in {surprise.number}",
        "expected": short(surprise.expected),
    }
    detail = f"{surprise.name}: {surprise.count} in {surprise.number}, expected {short(surprise.expected)}"
    figures = {"error level": str(LEVEL), "expected": figure(surprise.expected)}
    return Row(name, verdict, detail, figures, witness)
