"""Runs a target with nothing replaced, in a supervised child or in this process, and reads what it did."""

import json
import os
from collections.abc import Callable
from typing import Any

from dp_audit.environment import Environment
from dp_audit.observation.jobs import MEGABYTES, UnmodifiedJob
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.run.answers import RunAnswers
from dp_audit.run.child.jobs import OBSERVE
from dp_audit.run.child.unmodified import process
from dp_audit.run.child_program import ChildAnswer, Program, Start, run_copied

UNMODIFIED_SECONDS = 60.0
"""Of an unmodified run, at most."""


def run_unmodified(
    job: UnmodifiedJob, environment: Environment, timeout: float = UNMODIFIED_SECONDS, start: Start = run_copied
) -> UnmodifiedRun:
    """Run a job in the environment's interpreter for at most `timeout` seconds. What was answered before is kept."""
    shares = f"{job.adapter.absolute()}, process {job.process}"
    program = Program(OBSERVE, environment.python, _variables(), MEGABYTES, shares)
    alone = run_copied if "exit" in job.phases else start  # where nothing of the target is loaded
    return unmodified_of(alone(program, json.dumps(job.content()), timeout), job, timeout)


def unmodified_of(answer: ChildAnswer, job: UnmodifiedJob, timeout: float) -> UnmodifiedRun:
    """Return what a child has answered that was given so many seconds; how it failed is a finding."""
    collected = RunAnswers(job.inputs)
    collected.read(answer, timeout, ", unintercepted")
    return collected.unmodified()


def run_unmodified_here(job: UnmodifiedJob, made: Callable[..., Any]) -> UnmodifiedRun:
    """Run a job in this process, for a class or function at hand. Nothing bounds its time."""
    collected = RunAnswers(job.inputs)
    process.run_here(json.loads(json.dumps(job.content())), made, collected.emit)
    return collected.unmodified()


def _variables() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NUMBA", "VIRTUAL_ENV"))}
