"""Unmodified runs of code at hand in this process, or of a file in a child process."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dp_audit import Environment
from dp_audit.judge.estimator import Unit
from dp_audit.judge.plan import Plan
from dp_audit.judge.unmodified_rows import unmodified_rows, unmodified_runs
from dp_audit.observation.jobs import UnmodifiedJob
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.oracles import Oracle
from dp_audit.outcome import Row
from dp_audit.run.unmodified_runs import run_unmodified, run_unmodified_here
from dp_audit.terms import Terms
from running.child_processes import run_shared

HERE = Environment(Path(sys.executable))


def observer(
    module: Any, name: str, parameters: Mapping[str, Any], reference: Oracle, here: bool = True
) -> Callable[..., UnmodifiedRun]:
    """What runs a client of a module (`here`: in this process) with some phases, in the terms of the oracle."""
    terms, file = Terms(reference), Path(module.__file__)

    def observe(inputs: Any, phases: Mapping[str, object], process: int = 0) -> UnmodifiedRun:
        job = UnmodifiedJob(file, name, parameters, inputs, phases, reference.inputs, process)
        asked = terms.unmodified_job(job)
        made = getattr(module, name) if here else None
        run = run_unmodified_here(asked, made) if made else run_unmodified(asked, HERE, start=run_shared)
        return terms.unmodified(run, job)

    return observe


def observed_rows(
    module: Any, name: str, parameters: Mapping[str, Any], reference: Oracle, **options: Any
) -> dict[str, Row]:
    """The rows about a client of a module, by what they check; the options are those of a `Plan`."""
    unit = options.pop("unit", "frequencies")
    plan = Plan(reference, afresh=False, **options)
    rows = rows_of_runs(plan, observer(module, name, parameters, reference), unit)
    return {row.check: row for row in rows}


def rows_of_runs(plan: Plan, observe: Callable[..., UnmodifiedRun], unit: Unit = "frequencies") -> tuple[Row, ...]:
    """The rows of all runs of a plan."""
    return unmodified_rows(plan, unmodified_runs(plan, observe), unit)
