"""Audits of accountants: functions of numbers, against enclosures of the true ones computed here.

A target says `function`, `calls` (dictionaries of its arguments, which are parameters of the mechanism and where the
number is asked: at a delta, an epsilon, an order), the `mechanism` and the `number` by name
(`dp_audit.oracles.accounted_mechanisms`); if it likes, `lines` of Python that make `function`, to repeat a fault.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from dp_audit.declared_maps import LIMIT, SECONDS, UNREPEATED, audit_of, doubted, open_rows
from dp_audit.judge.accountant import accountant_rows
from dp_audit.observation.declared_map import DeclaredMap
from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.run.declared_maps import DeclaredTarget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import require_integer

NEEDED = ("function", "calls", "mechanism", "number")
"""What a target says."""
MODELS = ("what is said is compared at the calls that the target names, and only at these",)


def audit_accountant_file(
    path: Path | str, name: str, *, limit: int = LIMIT, python: Path | str = sys.executable, timeout: float = SECONDS
) -> Audit:
    """Audit the accountant `name` of a Python file, run by an interpreter of its own, which needs numpy.

    At most `limit` calls are made, and no process takes more than `timeout` seconds. Raises `DomainError` for a file,
    interpreter, limit or timeout that cannot be used, and for parameters that the mechanism has not.
    """
    return _audit(DeclaredTarget.of_file(path, name, python, timeout, accountant=True), limit)


def audit_accountant(target: Any, *, limit: int = LIMIT) -> Audit:
    """Audit an accountant at hand, an object or a class, in this process: nothing bounds its time.

    Raises `DomainError` for a target without what is needed, for a limit that is no integer >= 1, and as
    `audit_accountant_file`.
    """
    missing = [attribute for attribute in NEEDED if not hasattr(target, attribute)]
    if missing:
        raise DomainError("target", target, f"one with {', '.join(NEEDED)}; it lacks {', '.join(missing)}")
    return _audit(DeclaredTarget.at_hand(target, accountant=True), limit)


def _audit(target: DeclaredTarget, limit: int) -> Audit:
    require_integer("limit", limit, 1)
    observation = target.code.evaluate(limit, None, ())
    rows = open_rows(observation)
    if observation.members:
        judged = accountant_rows(observation, observation.d_in, observation.d_out)
        rows = [*(_confirmed(target, observation, row, limit) for row in judged), *rows]
    rows = rows or [Row("calls", Verdict.UNDECIDED, "the target names no call")]
    parameters = {"mechanism": observation.d_in, "number": observation.d_out}
    return audit_of(target, "accountant", parameters, rows, MODELS)


def _confirmed(target: DeclaredTarget, observation: DeclaredMap, row: Row, limit: int) -> Row:
    """Return the row; a fault only if another process repeats it, with lines that do so."""
    if row.verdict is not Verdict.FAULT:
        return row
    number = next(n for n, call in observation.members.items() if call.written == row.witness["arguments"])
    again = target.code.alone.evaluate(limit, (number,), ())
    if again.members.get(number) != observation.members[number]:
        return doubted(row, UNREPEATED)

    def call(prefix: str) -> str:
        return f"{prefix}function(**{row.witness['arguments']})"

    return replace(row, reproduction=target.reproduction(observation, call))
