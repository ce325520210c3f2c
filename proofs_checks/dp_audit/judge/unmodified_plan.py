"""How much of everything an unmodified run does: enough to see, at the error level, what happens every time."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from flint import arb, ctx

from dp_audit.exact_numbers import PRECISIONS
from dp_audit.judge.assessment import finding_rows
from dp_audit.judge.by_hash_function import OracleOf, Placed, UnequalLawsError, hash_rows, placed
from dp_audit.judge.client_reuse import REPORTS
from dp_audit.judge.estimates_over_hashes import mixed_rows
from dp_audit.judge.estimator import Unit
from dp_audit.judge.examination import Examination
from dp_audit.judge.hash_collisions import draw_rows
from dp_audit.judge.law import OTHER_FORM
from dp_audit.judge.long_lists import SIZES
from dp_audit.judge.question import questions
from dp_audit.judge.representation import RAW
from dp_audit.judge.side_channels import beside_rows
from dp_audit.observation.findings import TargetHung, TargetReadsClock, TargetSeeds
from dp_audit.observation.jobs import some_inputs
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.oracles.base import Oracle
from dp_audit.oracles.memoization import Memoized
from dp_audit.oracles.post_processing import specified
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.items import Item

FIRST, FRESH, DRAWN, TYPED = 64, 2048, 4096, 400
"""Reports: before anything is seeded, of fresh clients on all inputs together (where they draw a hash function), on
each input of another type."""
BESIDE = 50_000
"""More reports, if something is left beside any."""
CLIENTS = (16, 96)
"""Clients that are used again, at least and at most."""
EXITS, EXIT_SECONDS = 128, 40.0
"""Processes on each of two inputs that report and exit, where something is written at exit."""
EARLY, EARLY_SECONDS = 64, 3.0
"""Calls of processes that just begin."""
RAW_REPORTS, RAW_KNOWN = 8192, 1024
"""Reports whose types are looked at; where the law says what they are."""
SECONDS = 8.0
FEW, GIVEN_SIZES = (2, 3, 6, 12), (130, 300, 3000, 70_000)
"""Where reports have hash functions that are drawn: the time for 3000 says whether there is time for more."""
TYPES = ("numpy.int64", "bool", "str")
HOUR = 3600.0
DAYS = (1, 2, 3, 4, 5, 6, 100, 366, 3660)
OFFSETS = tuple(HOUR * hours for hours in (*range(1, 24), *(24 * days for days in DAYS)))
PERIODS = (60.0, HOUR, 24 * HOUR)
"""Of clocks: also the beginning of the next minute, hour and day is looked at."""
NATS = 38.0
"""About ln(2 T / level): what the surprises of all reports at one place must sum to."""

SEEDED = "a generator has the same seed in every process, and reports draw from it"


@dataclass(frozen=True)
class Plan:
    """What is asked of an unmodified run of a target, and the rows that its answers give.

    `earlier` are rows about it: a law or an estimator that is known to be wrong is not looked at again. `reuse`:
    clients are used again and their reports are to be independent; `estimates`: the server is asked, too; `afresh`: the
    beginning is run in a second process. `oracle_of`: where the law is one given draws that select a hash function, the
    oracle given other facts about it.
    """

    oracle: Oracle
    earlier: tuple[Row, ...] = ()
    input_type: str = "int"
    unit: Unit = "frequencies"
    reuse: bool = True
    estimates: bool = True
    afresh: bool = True
    oracle_of: OracleOf | None = None

    @property
    def right(self) -> bool:
        """Whether the law is not known to be wrong, and is compared with the oracle's."""
        laws = [row for row in self.earlier if row.check == "law"]
        return not any(row.verdict is Verdict.FAULT or row.detail.startswith(OTHER_FORM) for row in laws)

    @cached_property
    def inputs(self) -> tuple[Item, ...]:
        """Return those that are used."""
        return some_inputs(self.oracle.inputs)

    @property
    def _keeps(self) -> bool:
        return isinstance(specified(self.oracle), Memoized)

    @property
    def _served(self) -> bool:
        wrong = {row.check for row in self.earlier if row.verdict is Verdict.FAULT}
        return self.estimates and not wrong & {"estimator", "estimates"}

    @property
    def _exact(self) -> Row | None:
        """Return the row `raw output` of the law, if there is one."""
        return next((row for row in self.earlier if row.check == RAW), None)

    @property
    def phases(self) -> dict[str, object]:
        """Return how much of each phase the run has."""
        inputs, oracle_of, right = self.inputs, self.oracle_of, self.right
        independent = self.reuse and not self._keeps
        phases: dict[str, object] = {"input_type": self.input_type, "first": FIRST, "streams": self.afresh}
        fresh = FRESH if oracle_of is None else DRAWN
        phases["fresh"] = {"count": max(64, fresh // len(inputs)), "seconds": SECONDS}
        if right and self.input_type == "int" and all(type(x) is int for x in inputs):
            phases["typed"] = {"types": TYPES, "count": TYPED, "seconds": SECONDS}
        if right and independent:
            phases["client"] = {"clients": _clients(self.oracle, inputs), "reports": REPORTS, "seconds": SECONDS}
        if right and self.reuse and self._keeps and oracle_of is None:
            phases["memory"] = {"clients": CLIENTS[1], "reports": REPORTS, "seconds": SECONDS}
        if right:
            phases["beside_reports"] = {"count": BESIDE, "seconds": SECONDS, "reuse": independent}
        if oracle_of is not None:
            phases["conditioned"] = True
        if self._served:
            sizes = {"sizes": SIZES} if oracle_of is None else {"sizes": GIVEN_SIZES, "few": FEW}
            phases["many"] = {**sizes, "seconds": SECONDS}
        if right:
            phases["updated"] = max(64, FRESH // len(inputs))
        if right and any(row.check == TargetReadsClock.__name__ for row in self.earlier):
            count = max(16, 400 // len(inputs))
            phases["clock"] = {"offsets": OFFSETS, "periods": PERIODS, "count": count, "rounds": 4, "seconds": SECONDS}
        if oracle_of is None:
            phases["raw"] = {"count": RAW_REPORTS if self._exact is None else RAW_KNOWN, "seconds": SECONDS}
        return phases

    def beginning(self, run: UnmodifiedRun) -> dict[str, object] | None:
        """Return the phases that a second process begins with; None where it is not asked."""
        phases = self.phases
        names = ("input_type", "first", "streams", "conditioned")
        return {n: phases[n] for n in names if n in phases} if self.afresh and run.complete else None

    def leaving(self, run: UnmodifiedRun) -> dict[str, object] | None:
        """Return the phases of processes that report and exit; None where nothing was written at exit."""
        exits = {"count": EXITS, "seconds": EXIT_SECONDS}
        return {"input_type": self.input_type, "exit": exits} if self.right and any(run.exits) else None

    def starting(self, run: UnmodifiedRun) -> dict[str, object] | None:
        """Return the phases of processes that report some times; None where that would tell nothing."""
        asked = "client" in self.phases and self.afresh and self.oracle_of is None and run.complete
        processes = _clients(self.oracle, self.inputs)
        if not asked or processes == CLIENTS[1]:
            return None
        early = {"processes": processes, "calls": EARLY, "seconds": EARLY_SECONDS}
        return {"input_type": self.input_type, "early": early}

    def run(self, observe: Callable[..., UnmodifiedRun]) -> tuple[Row, ...]:
        """Return the rows of all runs, each made by `observe(inputs, phases)`; `process=1` is another process."""
        first = observe(self.inputs, self.phases)
        beginning, leaving, starting = self.beginning(first), self.leaving(first), self.starting(first)
        again = None if beginning is None else observe(self.inputs, beginning, process=1)
        exits = None if leaving is None else observe(self.inputs, leaving)
        early = None if starting is None else observe(self.inputs, starting, process=2)
        return self.rows(first, again, exits, early)

    def rows(
        self,
        run: UnmodifiedRun,
        again: UnmodifiedRun | None = None,
        exits: UnmodifiedRun | None = None,
        early: UnmodifiedRun | None = None,
    ) -> tuple[Row, ...]:
        """Return the rows of a run, of the beginning of a second one, of processes that exit, and of those that just
        begin."""
        oracle_of = self.oracle_of
        if not self._served:
            run = replace(run, updated=tuple(each for each in run.updated if each.item >= 0))
        examination = Examination(run, self.oracle, self.unit, self.right, again, exits, early, self._exact)
        rows = [
            *(rows_of_run(examination) if oracle_of is None else _given_rows(examination, oracle_of)),
            *_failures(run),
        ]
        slow = [finding for finding in run.findings if isinstance(finding, TargetHung)]  # how slow it is, is no fault
        rows += [Row("unintercepted run", Verdict.INFO, f"not finished: {finding.message}") for finding in slow]
        others = [finding for finding in run.findings if finding not in slow]
        if oracle_of is None and again is not None and same_streams(run, again):
            others.append(TargetSeeds(SEEDED))
        checks = {row.check for row in self.earlier}
        return (*rows, *(row for row in finding_rows(others) if row.check not in checks))


def _given_rows(examination: Examination, oracle_of: OracleOf) -> Iterator[Row]:
    """Give the rows of reports given the hash functions that they show, and of how these are drawn."""
    if examination.run.complete and not examination.run.draws:
        detail = "not run: an adapter whose `conditions(report)` are the draws that a report shows could be"
        yield Row("unintercepted run", Verdict.INFO, detail)
        return
    try:
        first, again = (
            None if run is None else placed(run, examination.oracle, oracle_of)
            for run in (examination.run, examination.again)
        )
    except UnequalLawsError:
        yield Row("unintercepted run", Verdict.INFO, "not compared: the law is another one for every hash function")
        return
    assert first is not None
    yield from rows_of_run(replace(examination, run=first, oracle=Placed(examination.oracle), again=again))
    yield from beside_rows(examination, listed=False)
    yield from hash_rows(examination.run, examination.oracle)
    yield from draw_rows(examination, oracle_of)
    yield from mixed_rows(examination, oracle_of)


def _failures(run: UnmodifiedRun) -> list[Row]:
    """Return a row for the first phase that raised outside a report, if any did."""
    if not run.raised:
        return []
    where, text = run.raised[0]
    return [Row("unintercepted run", Verdict.UNDECIDED, f"{text}, during {where}, with nothing replaced")]


def same_streams(one: UnmodifiedRun, again: UnmodifiedRun) -> bool:
    """Return whether the first reports of two processes draw from generators that one seed made."""
    first, second = ({seed for seeds in run.streams for seed in seeds} for run in (one, again))
    return bool(first & second)


def _clients(oracle: Oracle, inputs: Sequence[Item]) -> int:
    """Return as many clients as make it surprising that one of their reports always tells the item, a multiple of 4."""
    with ctx.workprec(PRECISIONS[0]):
        chances = [max((float(arb(event.probability)) for event in oracle.events(x)), default=1.0) for x in inputs]
    mean = sum(chances) / len(chances)
    needed = NATS / -math.log(mean) if mean < 1 else CLIENTS[1]
    return min(max(CLIENTS[0], 4 * math.ceil(needed / 4)), CLIENTS[1])


def rows_of_run(examination: Examination) -> tuple[Row, ...]:
    """Return the rows of all questions that are asked of a run."""
    asked = sorted((question for question in questions() if question.of_run), key=lambda question: question.order)
    return tuple(row for question in asked if question.of_run for row in question.of_run(examination))
