"""Attempts in batches, with a report of what was accepted."""

import json
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from attack import generate, prover
from attack.referee import contradiction
from dp_checks.kernel.check import KINDS, check
from dp_checks.kernel.work import limited
from dp_checks.parallel import HERE, Workers, spread
from dp_checks.verdict import VERDICTS

BATCH = 50
"""Attempts that are one task."""


class Report(NamedTuple):
    """By kind and verdict: attempts, accepted ones, those whose truth is known; accepted ones that are false."""

    tried: Counter[tuple[str, str]]
    accepted: Counter[tuple[str, str]]
    known: Counter[tuple[str, str]]
    false: list[dict[str, Any]]


def attack(number: int, seed: object, real: Sequence[dict[str, Any]]) -> Report:
    """Make so many attempts, some of them with changed certificates."""
    report = Report(Counter(), Counter(), Counter(), [])
    index = 0
    while report.tried.total() < number:
        rng = Random(f"{seed}/{index}")
        index += 1
        for statement, verdict, evidence in generate.attempts(rng, real):
            one(report, statement, verdict, evidence, rng)
    return report


def one(report: Report, statement: Any, verdict: str, evidence: Any, rng: Random) -> None:
    """One attempt: through JSON, to the kernel, and to the brute force if it was accepted."""
    statement, evidence = json.loads(json.dumps([statement, evidence]))
    kind = (str(statement.get("type")), str(verdict))
    kind = kind if kind[0] in KINDS and kind[1] in VERDICTS else ("(malformed)", "")
    report.tried[kind] += 1
    try:
        with limited(generate.WORK):
            check(statement, verdict, evidence)
    except prover.ERRORS:
        return
    report.accepted[kind] += 1
    reason, known = contradiction(statement, verdict, evidence, rng.randrange)
    report.known[kind] += known
    if reason:
        report.false.append({"why": reason, "statement": statement, "verdict": verdict, "evidence": evidence})


class Batch(NamedTuple):
    """One of the tasks of a campaign, with changes of the certificates in a folder."""

    number: int
    seed: str
    certificates: Path


def batch(task: Batch) -> Report:
    """The attempts of a task."""
    return attack(task.number, task.seed, generate.certificates(task.certificates))


def campaign(number: int, seed: int, certificates: Path, by: Workers = HERE) -> Report:
    """So many attempts, by one process or several: the same ones."""
    sizes = [min(BATCH, number - first) for first in range(0, number, BATCH)]
    tasks = [Batch(size, f"{seed}/{i}", certificates) for i, size in enumerate(sizes)]
    return reduce(_both, spread(batch, tasks, by), Report(Counter(), Counter(), Counter(), []))


def _both(one: Report, other: Report) -> Report:
    false = sorted(one.false + other.false, key=json.dumps)
    return Report(one.tried + other.tried, one.accepted + other.accepted, one.known + other.known, false)


def printed(report: Report) -> str:
    """A line for every kind, and the accepted false statements."""
    lines = [f"{'statement':20}{'verdict':10}{'tried':>8}{'accepted':>10}{'truth known':>13}"]
    for kind, verdict in sorted(report.tried):
        key = (kind, verdict)
        numbers = (report.tried[key], report.accepted[key], report.known[key])
        lines.append(f"{kind:20}{verdict:10}" + "".join(f"{x:>{w}}" for x, w in zip(numbers, (8, 10, 13), strict=True)))
    totals = (report.tried.total(), report.accepted.total(), report.known.total())
    lines.append(f"{'all':30}{totals[0]:>8}{totals[1]:>10}{totals[2]:>13}")
    lines.append("of verdicts `proved` (about all sizes) the truth is known at the sizes that were enumerated")
    lines += [f"\nACCEPTED AND FALSE: {json.dumps(found)}" for found in report.false]
    return "\n".join(lines)
