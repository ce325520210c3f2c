"""Runs an audited target in a child process and reads its exact laws; what else it does becomes a typed finding."""

import json
import os
from collections.abc import Callable
from typing import Any

from dp_audit.environment import Environment
from dp_audit.observation.jobs import Job
from dp_audit.observation.target_laws import TargetLaws
from dp_audit.run.answers import LawAnswers
from dp_audit.run.child.interceptor import session
from dp_audit.run.child.jobs import ENUMERATE
from dp_audit.run.child_program import ChildAnswer, Program, Start, run_copied
from dp_spec.vocabulary.exceptions import DomainError


def run_target(job: Job, environment: Environment, timeout: float = 120.0, start: Start = run_copied) -> TargetLaws:
    """Run a job in the environment's interpreter, for at most `timeout` seconds and 64 MiB of answers.

    Never raises for what the target does: that is in the findings, and parts answered before are kept. Raises
    `DomainError` for a timeout that is not a positive number.
    """
    timeout = require_seconds(timeout)
    shares = f"{job.adapter.absolute()}, {'' if job.conditioned else 'not '}conditioned, {job.megabytes} MB"
    program = Program(ENUMERATE, environment.python, _variables(job.salt), shares=shares)
    return laws_of(start(program, job.as_json(), timeout), timeout)


def require_seconds(seconds: float, name: str = "timeout") -> float:
    """Return a positive number of seconds. Raises `DomainError`, which names the parameter, for anything else."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < float("inf"):
        raise DomainError(name, seconds, "a finite number of seconds > 0")
    return seconds


def laws_of(answer: ChildAnswer, timeout: float) -> TargetLaws:
    """Return what a child has answered that was given so many seconds; how it failed is a finding."""
    collected = LawAnswers()
    collected.read(answer, timeout)
    return collected.laws()


def run_here(job: Job, made: Callable[..., Any]) -> TargetLaws:
    """Run a job in this process, for a class or function that is at hand instead of `job.adapter` and `job.protocol`.

    Nothing bounds time and memory but `job.limits`: for code that is trusted, such as the caller's own.
    """
    collected = LawAnswers()
    session.run_here(json.loads(job.as_json()), made, collected.emit)
    return collected.laws()


def _variables(salt: int) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NUMBA", "VIRTUAL_ENV"))}
    fixed = {"NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": str(salt), "MPLBACKEND": "Agg"}
    return {**kept, **fixed, **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")}
