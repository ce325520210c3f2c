"""Runs an audited target in a child process and reads its exact laws; what else it does becomes a typed finding."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dp_audit.environment import Environment
from dp_audit.observation.findings import MalformedAnswer, TargetDied, TargetHung
from dp_audit.observation.target_laws import Collected, TargetLaws
from dp_audit.observation.values import text
from dp_audit.run.bounded_child import MEGABYTES
from dp_audit.run.child_program import MAX_ANSWER_BYTES, Program, Ran, Start, run_copied
from dp_audit.run.interceptor import child as intercepted
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item

INTERCEPTOR = Path(intercepted.__file__).parent


@dataclass(frozen=True)
class Job:
    """What to run: a protocol of an adapter file (a class, or a function of the item), on all inputs.

    Inputs are integers, floats, text, None, or tuples or sets of them. `input_types` are the types they come in: `int`
    (as they stand: tuples as lists, sets as frozensets), `list`, `tuple`, `bool`, `str`, `float`, or `numpy.` with the
    name of a scalar type. `outside` are inputs outside the domain; `reuse` lists of inputs given to one client in turn;
    `users` the sizes of the data sets whose estimates are computed for every list of reports; `limits` as
    `dp_audit.run.interceptor.coins.Limits`.

    `conditioned`: outcomes, counted from 0, of integer draws with more than `limits.paths` outcomes (at least
    `condition_from`, if given), in turn: they select a hash function, and the laws are those given these outcomes.

    `seconds`: of enumeration (None: any), shared among the laws; one that takes longer is refused.

    `megabytes`: of data that the child may have, where the platform can bound it; a file it writes has at most 16.
    `salt`: of Python's own hash function, in the child. `shares`: which file the adapter is, if it is not told by its
    path; jobs on the same one may be answered by copies of one child.
    """

    adapter: Path
    protocol: str
    parameters: Mapping[str, object]
    inputs: tuple[Item, ...]
    input_types: tuple[str, ...] = ("int",)
    outside: tuple[Item, ...] = ()
    reuse: tuple[tuple[Item, ...], ...] = ()
    users: tuple[int, ...] = ()
    distributions: tuple[str, ...] = ()
    limits: Mapping[str, object] = field(default_factory=dict)
    megabytes: int = MEGABYTES
    salt: int = 0
    conditioned: tuple[int, ...] = ()
    condition_from: int | None = None
    seconds: float | None = None
    shares: str = ""

    def as_json(self) -> str:
        """The line the child reads."""
        content = {name: value for name, value in vars(self).items() if name not in ("adapter", "shares")}
        inputs = {name: encoded(content[name]) for name in ("inputs", "outside", "reuse")}
        parameters = {"parameters": dict(self.parameters)}
        return json.dumps({"adapter": str(self.adapter.absolute()), **content, **inputs, **parameters})


def encoded(item: Any) -> Any:
    """An input as JSON: a float as text, which also writes NaN and infinities."""
    if isinstance(item, tuple | list):
        return [encoded(part) for part in item]
    if isinstance(item, frozenset):
        return {"set": sorted((encoded(part) for part in item), key=text)}
    return {"float": repr(item)} if isinstance(item, float) else item


TURNS = 16
"""Up to so many inputs all are given twice to one client."""


def turns(inputs: Sequence[Item], keeps: bool = False) -> tuple[tuple[Item, ...], ...]:
    """What one client is used for in turn: an input twice (every one, if they are few), and the first and the last one
    after each other; of a mechanism that `keeps` something for every value also the first one again, and both of them
    three times."""
    both = ((inputs[0], inputs[-1]), (inputs[-1], inputs[0])) if len(inputs) > 1 else ()
    twice = inputs if len(inputs) <= TURNS else (inputs[0], inputs[len(inputs) // 2], inputs[-1])
    ends = (inputs[0], inputs[-1])
    again = (*((x,) * 3 for x in ends), (*ends, inputs[0])) if keeps and both else ()
    return (*((x, x) for x in twice), *both, *again)


def run_target(job: Job, environment: Environment, timeout: float = 120.0, start: Start = run_copied) -> TargetLaws:
    """Run a job in the environment's interpreter, for at most `timeout` seconds and 64 MiB of answers.

    Never raises for what the target does: that is in the findings, and parts answered before are kept. Raises
    `DomainError` for a timeout that is not a positive number.
    """
    timeout = require_seconds(timeout)
    shares = (
        f"{job.shares or job.adapter.absolute()}, {'' if job.conditioned else 'not '}conditioned, {job.megabytes} MB"
    )
    program = Program(INTERCEPTOR, environment.python, _variables(job.salt), shares=shares)
    return laws_of(start(program, job.as_json(), timeout), timeout)


def require_seconds(timeout: float) -> float:
    """The timeout. Raises `DomainError` if it is not a positive number of seconds."""
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout < float("inf"):
        raise DomainError("timeout", timeout, "a finite number of seconds > 0")
    return timeout


def laws_of(ran: Ran, timeout: float) -> TargetLaws:
    """What a child has answered that was given so many seconds; how it failed is a finding."""
    collected = Collected()
    for line in ran.lines:
        collected.take(line)
    if ran.flooded:
        said = f"more than {MAX_ANSWER_BYTES} bytes of output, during {collected.where}"
        collected.findings.append(MalformedAnswer(said))
    elif ran.hung:
        collected.findings.append(TargetHung(f"killed after {timeout:g} s, during {collected.where}"))
    elif not collected.ended:
        said = f"exit status {ran.status}, during {collected.where}: {ran.complaint}"
        collected.findings.append(TargetDied(said))
    return collected.laws()


def run_here(job: Job, made: Callable[..., Any]) -> TargetLaws:
    """A job in this process, for a class or function that is at hand instead of `job.adapter` and `job.protocol`.

    Nothing bounds time and memory but `job.limits`: for code that is trusted, such as the caller's own.
    """
    collected = Collected()

    def emit(part: str, **content: Any) -> None:
        collected.take(json.dumps({"part": part, **content}).encode())

    intercepted.run_here(json.loads(job.as_json()), made, emit)
    return collected.laws()


def _variables(salt: int) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NUMBA", "VIRTUAL_ENV"))}
    fixed = {"NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": str(salt), "MPLBACKEND": "Agg"}
    return {**kept, **fixed, **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")}
