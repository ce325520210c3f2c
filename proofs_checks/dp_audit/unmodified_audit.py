"""How much of everything a plain run does: enough to see, at the error level, what happens every time."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from flint import arb, ctx

from dp_audit.exact_numbers import PRECISIONS
from dp_audit.judge.assessment import finding_rows
from dp_audit.judge.by_hash_function import Given, Placed, UnequalLawsError, hash_rows, placed
from dp_audit.judge.client_reuse import REPORTS
from dp_audit.judge.estimates_over_hashes import mixed_rows
from dp_audit.judge.estimator import Unit
from dp_audit.judge.hash_collisions import draw_rows
from dp_audit.judge.long_lists import SIZES
from dp_audit.judge.representation import RAW
from dp_audit.judge.side_channels import beside_rows
from dp_audit.judge.unmodified import Ran
from dp_audit.judge.unmodified_rows import plain_rows
from dp_audit.observation.findings import TargetHung, TargetReadsClock, TargetSeeds
from dp_audit.observation.jobs import PlainJob, some_inputs
from dp_audit.observation.unmodified_run import Plain
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

Observe = Callable[[PlainJob], Plain]


def observed(
    observe: Observe,
    adapter: Path,
    protocol: str,
    handed: Mapping[str, Any],
    oracle: Oracle,
    rows: Sequence[Row],
    *,
    input_type: str = "int",
    unit: Unit = "frequencies",
    reuse: bool = True,
    estimates: bool = True,
    afresh: bool = True,
    given: Given | None = None,
) -> tuple[Row, ...]:
    """The rows of a plain run of a target, and if `afresh` of the beginning of a second one.

    `rows` are what is known of it: a law or an estimator that is known to be wrong is not looked at again. `reuse`:
    clients are used again and their reports are to be independent; `estimates`: the server is asked, too. `given`:
    where the law is one given draws that select a hash function, the oracle given other facts about it.
    """
    faults = {row.check for row in rows if row.verdict is Verdict.FAULT}
    right = "law" not in faults
    inputs = some_inputs(oracle.inputs)
    keeps = isinstance(specified(oracle), Memoized)
    independent = reuse and not keeps
    phases: dict[str, object] = {"input_type": input_type, "first": FIRST, "streams": afresh}
    fresh = FRESH if given is None else DRAWN
    phases["fresh"] = {"count": max(64, fresh // len(inputs)), "seconds": SECONDS}
    if right and input_type == "int" and all(type(x) is int for x in inputs):
        phases["typed"] = {"types": TYPES, "count": TYPED, "seconds": SECONDS}
    if right and independent:
        phases["client"] = {"clients": _clients(oracle, inputs), "reports": REPORTS, "seconds": SECONDS}
    if right and reuse and keeps and given is None:
        phases["memory"] = {"clients": CLIENTS[1], "reports": REPORTS, "seconds": SECONDS}
    if right:
        phases["beside_reports"] = {"count": BESIDE, "seconds": SECONDS, "reuse": independent}
    served = estimates and not faults & {"estimator", "estimates"}
    if given is not None:
        phases["conditioned"] = True
    if served:
        sizes = {"sizes": SIZES} if given is None else {"sizes": GIVEN_SIZES, "few": FEW}
        phases["many"] = {**sizes, "seconds": SECONDS}
    if right:
        phases["updated"] = max(64, FRESH // len(inputs))
    checks = {row.check for row in rows}
    if right and TargetReadsClock.__name__ in checks:
        count = max(16, 400 // len(inputs))
        phases["clock"] = {"offsets": OFFSETS, "periods": PERIODS, "count": count, "rounds": 4, "seconds": SECONDS}
    exact = next((row for row in rows if row.check == RAW), None)
    if given is None:
        reports = RAW_REPORTS if exact is None else RAW_KNOWN
        phases["raw"] = {"count": reports, "seconds": SECONDS}
    job = PlainJob(adapter, protocol, handed, inputs, phases, oracle.inputs)
    plain = observe(job)
    if not served:
        plain = replace(plain, updated=tuple(each for each in plain.updated if each.item >= 0))
    beginning: dict[str, object] = {
        name: phases[name] for name in ("input_type", "first", "streams", "conditioned") if name in phases
    }
    again = observe(replace(job, phases=beginning, process=1)) if afresh and plain.complete else None
    leaving = {"input_type": input_type, "exit": {"count": EXITS, "seconds": EXIT_SECONDS}}
    exits = observe(replace(job, phases=leaving)) if right and any(plain.exits) else None
    ran = Ran(plain, oracle, unit, right, again, exits, exact)
    found = [*(plain_rows(ran) if given is None else _given_rows(ran, given)), *_failures(plain)]
    slow = [finding for finding in plain.findings if isinstance(finding, TargetHung)]  # how slow it is, is no fault
    found += [Row("unintercepted run", Verdict.INFO, f"not finished: {finding.message}") for finding in slow]
    others = [finding for finding in plain.findings if finding not in slow]
    others += [TargetSeeds(SEEDED)] if given is None and again is not None and same_streams(plain, again) else []
    return (*found, *(row for row in finding_rows(others) if row.check not in checks))


def _given_rows(ran: Ran, given: Given) -> Iterator[Row]:
    """The rows of reports given the hash functions that they show, and of how these are drawn."""
    if ran.plain.complete and not ran.plain.draws:
        detail = "not run: an adapter whose `conditions(report)` are the draws that a report shows could be"
        yield Row("unintercepted run", Verdict.INFO, detail)
        return
    try:
        plain, again = (None if run is None else placed(run, ran.oracle, given) for run in (ran.plain, ran.again))
    except UnequalLawsError:
        yield Row("unintercepted run", Verdict.INFO, "not compared: the law is another one for every hash function")
        return
    assert plain is not None
    yield from plain_rows(replace(ran, plain=plain, oracle=Placed(ran.oracle), again=again))
    yield from beside_rows(ran, listed=False)
    yield from hash_rows(ran.plain, ran.oracle)
    yield from draw_rows(ran, given)
    yield from mixed_rows(ran, given)


def _failures(plain: Plain) -> list[Row]:
    """Phases that raised where no report was asked for."""
    if not plain.raised:
        return []
    where, text = plain.raised[0]
    return [Row("unintercepted run", Verdict.UNDECIDED, f"{text}, during {where}, with nothing replaced")]


def same_streams(plain: Plain, again: Plain) -> bool:
    """Whether the first reports of two processes draw from generators that one seed made."""
    first, second = ({seed for seeds in run.streams for seed in seeds} for run in (plain, again))
    return bool(first & second)


def _clients(oracle: Oracle, inputs: Sequence[Item]) -> int:
    """As many clients as make it surprising that one of their reports always tells the item, a multiple of 4."""
    with ctx.workprec(PRECISIONS[0]):
        chances = [max((float(arb(event.probability)) for event in oracle.events(x)), default=1.0) for x in inputs]
    mean = sum(chances) / len(chances)
    needed = NATS / -math.log(mean) if mean < 1 else CLIENTS[1]
    return min(max(CLIENTS[0], 4 * math.ceil(needed / 4)), CLIENTS[1])
