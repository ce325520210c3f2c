"""Attempts in batches, with a report of what was accepted."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from attack import command, generate, mutate, prover, rules, sentences
from attack.referee import contradiction
from dp_checks.runtime.parallel import HERE, Workers, spread
from dp_checks.verdict import VERDICTS
from dp_kernel.certificate.check import KINDS

BATCH = 100
"""Attempts that are one task."""
LOOKED_AT = 0.1
"""The share of rejected attempts whose truth is looked at, too."""
OUTCOMES = ("tried", "true", "undecided", "FALSE", "rejected", "were true", "were false")
Kind = tuple[str, str]


class Report(NamedTuple):
    """By kind and verdict what became of attempts (`OUTCOMES`; `were true`, `were false`: of the rejected ones those
    whose truth was looked at); accepted ones that are false; the rules that accepted ones have used."""

    counts: Counter[tuple[Kind, str]]
    false: list[dict[str, Any]]
    used: frozenset[str]

    def number(self, outcome: str, kind: Kind | None = None) -> int:
        """How many attempts (of a kind) had the outcome."""
        return sum(n for (of, what), n in self.counts.items() if what == outcome and kind in (None, of))

    @property
    def kinds(self) -> list[Kind]:
        """All kinds of which there was an attempt."""
        return sorted({kind for kind, _ in self.counts})

    @property
    def unused(self) -> list[str]:
        """The rules that no accepted statement has used."""
        return sorted(rules.known() - self.used)


NOTHING = Report(Counter(), [], frozenset())


class Batch(NamedTuple):
    """One of the tasks of a campaign, with changes of the certificates in a folder."""

    number: int
    seed: str
    certificates: Path


def batch(task: Batch) -> Report:
    """The attempts of a task."""
    return attack(task.number, task.seed, generate.certificates(task.certificates))


def attack(number: int, seed: object, real: Sequence[dict[str, Any]]) -> Report:
    """Make so many attempts, some of them with changed certificates."""
    with attempts() as made:
        index = 0
        while made.report().number("tried") < number:
            rng = Random(f"{seed}/{index}")
            index += 1
            if real and rng.random() < CHANGED:
                original = rng.choice(real)
                made.bound(original, mutate.unbound(original, rng))
            else:
                for attempt in generate.attempts(rng, real):
                    made.one(*attempt, rng)
        return made.report()


@contextmanager
def attempts() -> Iterator["Attempts"]:
    """Attempts with a folder for their files, which is removed."""
    with TemporaryDirectory() as folder:
        yield Attempts(Path(folder))


CHANGED = 0.05
"""The share of attempts that are a certificate of the project with another scope or other ties, under its own id."""


class Attempts:
    """Attempts whose files are written into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts: Counter[tuple[Kind, str]] = Counter()
        self.false: list[dict[str, Any]] = []
        self.used: set[str] = set()

    def report(self) -> Report:
        return Report(self.counts, self.false, frozenset(self.used))

    def one(self, statement: Any, verdict: Any, evidence: Any, rng: Random) -> None:
        """A statement: through the command, and to the brute force if it was accepted."""
        statement, evidence = json.loads(json.dumps([statement, evidence]))
        name = statement.get("type") if isinstance(statement, dict) else None
        formed = name in {*KINDS, *sentences.NAMED} and verdict in VERDICTS
        kind = (str(name), str(verdict)) if formed else ("(malformed)", "")
        self._count(kind, "tried")
        spoken = sentences.said(statement, verdict, evidence)
        certificate = command.certificate(*spoken)
        if not command.accepts(certificate, command.entry(certificate), self.folder):
            self._count(kind, "rejected")
            if formed and rng.random() < LOOKED_AT:
                self._count(kind, _rejected(statement, verdict, evidence, rng))
            return
        reason, is_known = contradiction(statement, verdict, evidence, rng.randrange)
        self._count(kind, "FALSE" if reason else "true" if is_known else "undecided")
        self.used.update(rules.told(*spoken), (f"card {card}" for card in certificate["cards"]))
        with rules.watched(self.used):
            command.accepts(certificate, command.entry(certificate), self.folder)
        if reason:
            self._found(reason, certificate)

    def bound(self, original: dict[str, Any], changed: dict[str, Any]) -> None:
        """A certificate of the project with something else in the place of its scope or its ties."""
        kind = (changed["statement"]["type"], changed["verdict"])
        self._count(kind, "tried")
        if not command.accepts(changed, command.entry(original), self.folder):
            self._count(kind, "rejected")
            return
        reason = mutate.difference(original, changed)
        self._count(kind, "FALSE" if reason else "true")
        if reason:
            self._found(reason, {name: changed[name] for name in ("id", "statement", "verdict", "evidence", "ties")})

    def _count(self, kind: Kind, outcome: str) -> None:
        self.counts[kind, outcome] += 1

    def _found(self, why: str, record: dict[str, Any]) -> None:
        self.false.append({"why": why, **record})


def _rejected(statement: Any, verdict: str, evidence: Any, rng: Random) -> str:
    """Whether what was rejected is false, as far as the brute force can read it."""
    try:
        reason, is_known = contradiction(statement, verdict, evidence, rng.randrange)
    except (*prover.ERRORS, AssertionError):
        return "were unread"
    return "were false" if reason else "were true" if is_known else "were unread"


def campaign(number: int, seed: int, certificates: Path, by: Workers = HERE) -> Report:
    """So many attempts, by one process or several: the same ones."""
    sizes = [min(BATCH, number - first) for first in range(0, number, BATCH)]
    tasks = [Batch(size, f"{seed}/{i}", certificates) for i, size in enumerate(sizes)]
    return reduce(_both, spread(batch, tasks, by), NOTHING)


def _both(one: Report, other: Report) -> Report:
    false = sorted(one.false + other.false, key=json.dumps)
    return Report(one.counts + other.counts, false, one.used | other.used)


def printed(report: Report) -> str:
    """A line for every kind, the rules that nothing accepted has used, and the accepted false statements."""
    lines = [f"{'statement':15}{'verdict':11}" + "".join(f"{outcome:>11}" for outcome in OUTCOMES)]
    for name, kind in (*((" ".join((f"{x:15}", f"{y:10}")), (x, y)) for x, y in report.kinds), (f"{'all':26}", None)):
        lines.append(name + "".join(f"{report.number(outcome, kind):>11}" for outcome in OUTCOMES))
    lines.append(f"of one rejected attempt in {1 / LOOKED_AT:.0f} the truth was looked at (`were true`, `were false`)")
    lines.append("what is `proved` about all sizes is true at the sizes that were enumerated")
    lines.append(f"{len(rules.known()) - len(report.unused)} of {len(rules.known())} rules and cards were used; not by")
    lines += [f"  {name}" + (f"  ({why})" if (why := rules.reason(name)) else "") for name in report.unused]
    classes = Counter(re.split(r" at \{|: ", record["why"])[0] for record in report.false)
    lines += [f"ACCEPTED AND FALSE, {number} times: {why}" for why, number in sorted(classes.items())]
    lines += [f"\nACCEPTED AND FALSE: {json.dumps(record)}" for record in report.false]
    return "\n".join(lines)
