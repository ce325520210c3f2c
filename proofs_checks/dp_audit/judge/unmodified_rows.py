"""The rows of unmodified runs: what the questions need is asked for, and they are answered."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from dp_audit.judge.assessment import finding_rows
from dp_audit.judge.by_hash_function import PlaceOracle, UnequalLawsError, hash_rows, run_of_places
from dp_audit.judge.estimates_over_hashes import mixed_rows
from dp_audit.judge.estimator import Unit
from dp_audit.judge.examination import Examination
from dp_audit.judge.hash_collisions import draw_rows
from dp_audit.judge.plan import OracleOf, Plan
from dp_audit.judge.question import needed, questions
from dp_audit.judge.side_channels import beside_rows
from dp_audit.observation.findings import TargetHung, TargetSeeds
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.outcome import Row, Verdict

Runs = dict[str, UnmodifiedRun | None]
"""The first run, and those after it, by kind."""
AFTER = {"again": 1, "exits": 0, "early": 2}
"""The kinds of runs after the first one, each with the number of its process."""
SEEDED = "a generator has the same seed in every process, and reports draw from it"


def unmodified_runs(plan: Plan, observe: Callable[..., UnmodifiedRun]) -> Runs:
    """Return all runs that the plan asks for, each made by `observe(inputs, phases, process)`."""

    def run(plan: Plan, kind: str, process: int) -> UnmodifiedRun | None:
        phases = plan.amounts(needed(), kind)
        return observe(plan.inputs, {"input_type": plan.input_type, **phases}, process) if phases else None

    first = run(plan, "run", 0)
    after = replace(plan, first=first)
    return {"run": first, **{kind: run(after, kind, process) for kind, process in AFTER.items()}}


def unmodified_rows(plan: Plan, runs: Runs, unit: Unit = "frequencies") -> tuple[Row, ...]:
    """Return the rows of all runs."""
    run, again, oracle_of = runs["run"], runs["again"], plan.oracle_of
    if run is None:
        return ()
    if not plan.served:
        run = replace(run, updated=tuple(each for each in run.updated if each.item >= 0))
    examination = Examination(run, plan.oracle, unit, plan.right, again, runs["exits"], runs["early"], plan.raw)
    rows = [
        *(rows_of_run(examination) if oracle_of is None else _given_rows(examination, oracle_of)),
        *_failures(run),
    ]
    slow = [finding for finding in run.findings if isinstance(finding, TargetHung)]  # how slow it is, is no fault
    rows += [Row("unintercepted run", Verdict.INFO, f"not finished: {finding.message}") for finding in slow]
    others = [finding for finding in run.findings if finding not in slow]
    if oracle_of is None and again is not None and same_streams(run, again):
        others.append(TargetSeeds(SEEDED))
    checks = {row.check for row in plan.earlier}
    return (*rows, *(row for row in finding_rows(others) if row.check not in checks))


def _given_rows(examination: Examination, oracle_of: OracleOf) -> Iterator[Row]:
    """Give the rows of reports given the hash functions that they show, and of how these are drawn."""
    if examination.run.complete and not examination.run.draws:
        detail = "not run: an adapter whose `conditions(report)` are the draws that a report shows could be"
        yield Row("unintercepted run", Verdict.INFO, detail)
        return
    try:
        first, again = (
            None if run is None else run_of_places(run, examination.oracle, oracle_of)
            for run in (examination.run, examination.again)
        )
    except UnequalLawsError:
        yield Row("unintercepted run", Verdict.INFO, "not compared: the law is another one for every hash function")
        return
    assert first is not None
    yield from rows_of_run(replace(examination, run=first, oracle=PlaceOracle(examination.oracle), again=again))
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


def rows_of_run(examination: Examination) -> tuple[Row, ...]:
    """Return the rows of all questions that are asked of a run."""
    asked = sorted((question for question in questions() if question.of_run), key=lambda question: question.order)
    return tuple(row for question in asked if question.of_run for row in question.of_run(examination))
