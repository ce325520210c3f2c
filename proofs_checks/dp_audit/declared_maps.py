"""Audits of declared maps: a number that bounds how far apart outputs are, against the largest distance there is.

A target says `function`, `declared` (the number at a distance of inputs), `members` of its domain, and the metrics
`d_in` and `d_out` by name (`dp_audit.oracles.metrics`). In place of members, or beside them, it says `search`, plain
data from which members are proposed (`dp_audit.run.child.members`). If it likes: `exhaustive` (its members are the
whole domain), `linear` (so is its function), `accepts` (a member: of the domain?), `contains` (the output domain),
`assumed` (its function is stated: nothing is a fault then), and `lines` (of Python
that make `function` and `declared`, to repeat a fault). Nothing is intercepted.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from dp_audit.judge.assessment import finding_rows
from dp_audit.judge.declared_map import MapJudgment, Place, curves, map_judgment, member_rows, places
from dp_audit.judge.linear_map import linear_rows
from dp_audit.judge.suprema import Pair, neighbors
from dp_audit.observation.declared_map import DeclaredMap
from dp_audit.oracles.input_metrics import input_metric
from dp_audit.oracles.metrics import CURVES, metric
from dp_audit.outcome import Audit, Method, Row, Verdict
from dp_audit.run.child.members import Domain
from dp_audit.run.child_program import Start, run_copied
from dp_audit.run.declared_maps import DeclaredTarget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import require_integer

LIMIT = 1000
"""Members that are read, if nothing else is said: half a million pairs."""
SECONDS = 60.0
ANY = Fraction(1)
"""A parameter of every family of metrics."""
NEEDED = ("function", "declared", "d_in", "d_out")
"""What a target says, beside members."""
UNREPEATED = "another process does not repeat it"
ASSUMED = "the function is stated, not observed"
MODELS = ("what is declared is compared with pairs of the members that the target names, and only with these",)


def audit_map_file(
    path: Path | str,
    name: str,
    *,
    limit: int = LIMIT,
    python: Path | str = sys.executable,
    timeout: float = SECONDS,
    start: Start = run_copied,
) -> Audit:
    """Audit the declared map `name` of a Python file, run by an interpreter of its own, which needs numpy.

    At most `limit` members are read, and no process takes more than `timeout` seconds. `start` runs the processes
    but those that repeat a fault: `dp_audit.run.child_program.Children.run` of several audits of one file. Raises
    `DomainError` for a file, interpreter, limit or timeout that cannot be used, and for metrics that do not exist or
    are not for the values.
    """
    return _audit(DeclaredTarget.of_file(path, name, python, timeout, start=start), limit)


def audit_map(target: Any, *, limit: int = LIMIT) -> Audit:
    """Audit a declared map at hand, an object or a class, in this process: nothing bounds its time.

    Raises `DomainError` for a target without what is needed, for a limit that is no integer >= 2, and as
    `audit_map_file`.
    """
    missing = [attribute for attribute in NEEDED if not hasattr(target, attribute)]
    missing += [] if hasattr(target, "members") or hasattr(target, "search") else ["members or search"]
    if missing:
        allowed = f"one with {', '.join(NEEDED)}, and members or search; it lacks {', '.join(missing)}"
        raise DomainError("target", target, allowed)
    if hasattr(target, "search"):
        try:
            Domain(target.search)
        except ValueError as error:
            raise DomainError("search", target.search, str(error)) from None
    return _audit(DeclaredTarget.at_hand(target), limit)


def _audit(target: DeclaredTarget, limit: int) -> Audit:
    require_integer("limit", limit, 2)
    observation = target.code.evaluate(limit, None, ())
    models = (*MODELS, ASSUMED) if observation.assumed else MODELS
    parameters = {"d_in": observation.d_in, "d_out": observation.d_out}
    return audit_of(target, "map", parameters, _rows(target, observation, limit), models)


def _rows(target: DeclaredTarget, observation: DeclaredMap, limit: int) -> list[Row]:
    if not observation.members:
        none = Row("members", Verdict.UNDECIDED, "the target names no member of its domain")
        return open_rows(observation) or [none]
    d_in, family = input_metric("d_in", observation.d_in), CURVES.get(observation.d_out)
    d_out = metric("d_out", observation.d_out) if family is None else family.at(ANY)
    rows = member_rows(observation, d_in, d_out)
    if any(row.verdict is Verdict.UNDECIDED for row in rows):
        return [*rows, *open_rows(observation)]
    compared = curves(neighbors(observation, d_in, d_out), family or d_out)
    numbers = target.code.evaluate(limit, (), [(place.distance, place.point) for place in places(compared)])
    observation = replace(observation, declared=numbers.declared, findings=(*observation.findings, *numbers.findings))
    row = _confirmed(target, observation, map_judgment(observation, d_in, compared), limit)
    return [*rows, row, *linear_rows(observation, d_in.name, d_out), *open_rows(observation)]


def _confirmed(target: DeclaredTarget, observation: DeclaredMap, judgment: MapJudgment, limit: int) -> Row:
    """Return the row; one about two members only if another process repeats it, with lines that do so."""
    if judgment.fault is None:
        return judgment.row
    pair, place = judgment.fault
    at = place.distance, place.point
    again = target.code.alone.evaluate(limit, pair.members, (at,))
    same = all(again.members.get(number) == observation.members[number] for number in pair.members)
    if not same or again.declared.get(at) != observation.declared[at]:
        return doubted(judgment.row, UNREPEATED)
    if observation.assumed:
        return doubted(judgment.row, ASSUMED)
    return replace(judgment.row, reproduction=_lines(target, observation, pair, place))


def doubted(row: Row, why: str) -> Row:
    """Return the row, undecided."""
    return replace(row, verdict=Verdict.UNDECIDED, detail=f"{why}: {row.detail}")


def _lines(target: DeclaredTarget, observation: DeclaredMap, pair: Pair, place: Place) -> tuple[str, ...]:
    """Return Python that prints what comes of both members and what is declared; none for a target at hand."""
    members = [observation.members[number].written for number in pair.members]
    distance, point = place.distance, place.point
    at = str(distance) if distance.q == 1 else f"__import__('fractions').Fraction('{distance}')"
    at += "" if point is None else f", {point if point.q == 1 else int(point.p) / int(point.q)}"

    def calls(prefix: str) -> str:
        return ", ".join([*(f"{prefix}function({member})" for member in members), f"{prefix}declared({at})"])

    return target.reproduction(observation, calls)


def audit_of(
    target: DeclaredTarget, method: Method, parameters: Mapping[str, str], rows: Sequence[Row], models: tuple[str, ...]
) -> Audit:
    """Return the audit of a target, with these rows."""
    name, title = target.name, target.title
    return Audit(title, name, name, parameters, method, tuple(rows), models=models, location=target.location)


def open_rows(observation: DeclaredMap) -> list[Row]:
    """Return a row for each thing that ended a process early: no number was refuted by that."""
    return [replace(row, verdict=Verdict.UNDECIDED) for row in finding_rows(observation.findings)]
