"""The main job: decide the claims, write certificates, build the ledger."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import filelock

from dp_checks.certificate import certificate, write
from dp_checks.check import decide
from dp_checks.dependencies import key
from dp_checks.ledger import Ledger, build, matching
from dp_checks.runtime.journal import Journal
from dp_checks.runtime.outputs import make_folder
from dp_checks.runtime.parallel import HERE, Workers, spread
from dp_checks.verdict import Evidence, Outcome
from dp_kernel.certificate.check import require_form
from dp_kernel.certificate.digest import require_ties
from dp_kernel.schema import canonical
from dp_spec.claims import all_sources
from dp_spec.vocabulary.claim import Claim
from dp_spec.vocabulary.exceptions import RefusedError
from dp_spec.vocabulary.statement import Statement

Progress = Callable[[int, int, str], None]
"""Called with (statements decided, statements in all, id of the statement)."""


class DirectoryInUseError(RefusedError):
    """Another run writes to the same directory."""


@dataclass(frozen=True)
class Run:
    """A finished run: the ledger of the chosen rows, the certificates' folder, how many statements were taken from the
    journal, and the numbers of its damaged lines."""

    ledger: Ledger
    certificates: Path
    taken: int
    damaged: tuple[int, ...]


@cache
def all_claims() -> tuple[Claim, ...]:
    """Every claim of every source."""
    return all_sources()


def chosen(glob: str) -> tuple[Claim, ...]:
    """The rows whose id, or a reading's id, matches. Raises `DomainError` when none does."""
    by_id = {i: row for row in all_claims() for i in (row.id, *(reading for reading, _ in row.formals()))}
    ids = {by_id[i].id for i in matching(glob, by_id)}
    return tuple(row for row in all_claims() if row.id in ids)


def certify(glob: str, out: Path, by: Workers = HERE, progress: Progress | None = None, fresh: bool = False) -> Run:
    """Decide every formal statement of the chosen rows, with a certificate for each that the kernel accepts.

    What is decided is kept in the journal in `out`, by the content of all that it depends on (see `dependencies`): the
    same call after an interruption goes on where it stopped, and a later one decides again what has changed. `fresh`
    forgets the journal first. Raises `DirectoryInUseError` when another run uses `out`, `InternalDisagreementError`
    when two derivations of ours differ, `WorkerLostError` and `ClusterError` of `spread`, `OSError` where nothing can
    be written.
    """
    rows = chosen(glob)
    make_folder(out)
    try:
        with filelock.FileLock(out / "lock", timeout=0):
            return _run(rows, out, by, progress, fresh)
    except filelock.Timeout:
        raise DirectoryInUseError(
            f"another run uses {out}: wait for it, or choose another directory with --out"
        ) from None


def _run(rows: tuple[Claim, ...], out: Path, by: Workers, progress: Progress | None, fresh: bool) -> Run:
    journal = Journal(out / "journal.jsonl", "certify")
    if fresh:
        journal.clear()
    entries, damaged = journal.read()
    wanted = _statements(rows)
    keys = {i: key(i, formal) for i, formal in wanted.items()}
    outcomes = {i: _read(entries[keys[i]]) for i in wanted if keys[i] in entries}
    taken = len(outcomes)
    seconds = {str(value["id"]): float(value["seconds"]) for value in entries.values()}
    missing = sorted((i for i in wanted if i not in outcomes), key=lambda i: -seconds.get(i, _guess(wanted[i])))
    for i, value in spread(decided, missing, by):
        journal.add({keys[i]: value})
        outcomes[i] = _read(value)
        if progress is not None:
            progress(len(outcomes), len(wanted), i)
    folder = out / "certificates"
    for i, formal in wanted.items():
        if outcomes[i].verdict != "unchecked":
            write(folder, certificate(i, formal, outcomes[i]))
    ledger = build(rows, outcomes | _unchecked(rows), all_claims())
    kept = set(keys.values())
    if entries.keys() - kept:  # of other rows, or out of date
        kept |= {key(i, formal) for i, formal in all_statements().items() if i not in wanted}
    journal.keep(kept)
    return Run(ledger, folder, taken, damaged)


def decided(claim: str) -> tuple[str, dict[str, Any]]:
    """A formal statement by its id (which a worker process can look up), and its outcome as the journal keeps it."""
    start = time.process_time()
    outcome = decide_statement(claim)
    evidence = outcome.evidence
    value: dict[str, Any] = {"id": claim, "verdict": outcome.verdict, "kind": evidence.kind, "scope": evidence.scope}
    value |= {"data": evidence.data, "ties": outcome.ties, "cards": outcome.cards}
    return claim, value | {"seconds": time.process_time() - start}


def decide_statement(claim: str) -> Outcome:
    """The outcome of a formal statement by its id; its certificate is one that the kernel accepts."""
    formal = all_statements()[claim]
    outcome = decide(formal, claim)
    if outcome.verdict != "unchecked":  # `decide` had the kernel check the evidence; this is the rest of `verify`
        content = certificate(claim, formal, outcome)
        require_form(content)
        require_ties(content["statement"], content["ties"])
    return outcome


def all_statements() -> Mapping[str, Statement]:
    """Every formal statement of every source, by the id of its row or reading."""
    return _statements(all_claims())


def _statements(rows: Iterable[Claim]) -> dict[str, Statement]:
    return {i: formal for row in rows for i, formal in row.formals() if isinstance(formal, Statement)}


def _unchecked(rows: tuple[Claim, ...]) -> dict[str, Outcome]:
    """What nothing here can decide, with the reasons."""
    return {i: decide(formal, i) for row in rows for i, formal in row.formals() if not isinstance(formal, Statement)}


def _read(value: Mapping[str, Any]) -> Outcome:
    evidence = Evidence(value["kind"], value["scope"], value["data"])
    return Outcome(value["verdict"], evidence, tuple(value["ties"]), tuple(value["cards"]))


def _guess(statement: Statement) -> float:
    """Which statements take long, before any of them has been decided: those that say much."""
    return len(canonical(statement.json())) * 1e-4
