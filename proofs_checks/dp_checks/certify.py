"""The main job: decide the claims, write certificates, build the ledger."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import filelock
import joblib

from dp_checks.certificate import certificate, plain, write
from dp_checks.check import decide
from dp_checks.journal import Journal, fingerprint
from dp_checks.kernel import verify
from dp_checks.ledger import Ledger, build
from dp_checks.outputs import make_folder
from dp_checks.verdict import Outcome
from dp_spec.frequency.claims import source_002
from dp_spec.vocabulary.claim import Claim
from dp_spec.vocabulary.exceptions import DomainError, RefusedError
from dp_spec.vocabulary.statement import Statement

Progress = Callable[[int, int, str], None]
"""Called with (rows finished, rows in all, id of the row)."""


class DirectoryInUseError(RefusedError):
    """Another run writes to the same directory."""


@dataclass(frozen=True)
class Run:
    """A finished run: the ledger of the chosen rows, the certificates' folder, rows taken from an earlier run's
    journal."""

    ledger: Ledger
    certificates: Path
    resumed: int
    unusable_lines: int


@cache
def all_claims() -> tuple[Claim, ...]:
    """Every claim of every source."""
    return source_002()


def chosen(glob: str) -> tuple[Claim, ...]:
    """The rows whose id, or a reading's id, matches. Raises `DomainError` when none does."""
    rows = tuple(c for c in all_claims() if any(fnmatchcase(i, glob) for i in (c.id, *(i for i, _ in c.formals()))))
    if not rows:
        raise DomainError(
            "GLOB", glob, "a pattern that matches some claim id, for example '002.thm1*' (see dp-refimpl list)"
        )
    return rows


def certify(glob: str, out: Path, jobs: int = 1, progress: Progress | None = None) -> Run:
    """Decide every formal statement of the chosen rows, with a certificate for each that the kernel accepts.

    Finished rows are journalled in `out`; the same call after an interruption goes on where it stopped. Raises
    `DirectoryInUseError` when another run uses `out`, `InternalDisagreementError` when two derivations of ours differ.
    """
    if jobs < 1:
        raise DomainError("jobs", jobs, "an integer >= 1")
    rows = chosen(glob)
    make_folder(out)
    try:
        with filelock.FileLock(out / "lock", timeout=0):
            return _run(rows, out, jobs, progress)
    except filelock.Timeout:
        raise DirectoryInUseError(
            f"another run uses {out}: wait for it, or choose another directory with --out"
        ) from None


def _run(rows: tuple[Claim, ...], out: Path, jobs: int, progress: Progress | None) -> Run:
    journal = Journal(out / "journal.jsonl", fingerprint())
    outcomes, unusable = journal.read()
    missing = [row for row in rows if any(i not in outcomes for i, _ in row.formals())]
    resumed = len(rows) - len(missing)
    taken = set(outcomes)
    for done, (name, decided) in enumerate(_decided(missing, jobs), start=resumed + 1):
        journal.add(decided)
        outcomes |= decided
        if progress is not None:
            progress(done, len(rows), name)
    folder = out / "certificates"
    for row in rows:
        for i, formal in row.formals():
            if isinstance(formal, Statement) and outcomes[i].verdict != "unchecked":
                content = certificate(i, formal, outcomes[i])
                if i in taken:  # from a journal; fresh ones were verified where they were decided
                    verify(content)
                write(folder, content)
    run = Run(build(rows, outcomes, all_claims()), folder, resumed, unusable)
    journal.clear()
    return run


def _decided(rows: list[Claim], jobs: int) -> Iterator[tuple[str, Mapping[str, Outcome]]]:
    """Rows with their outcomes, in the order in which they are finished."""
    if jobs == 1:
        yield from map(decide_row, (row.id for row in rows))
        return
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    yield from parallel(joblib.delayed(decide_row)(row.id) for row in rows)


def decide_row(row: str) -> tuple[str, dict[str, Outcome]]:
    """The outcomes of all formal statements of a row (by id, so that a worker process can look it up)."""
    claim = next(c for c in all_claims() if c.id == row)
    outcomes = {}
    for i, formal in claim.formals():
        outcome = decide(formal, i)
        # as it will be read back, so that a resumed run and a fresh one give the same bytes
        evidence = outcome.evidence
        outcomes[i] = replace(outcome, evidence=replace(evidence, data=plain(dict(evidence.data))))
        if isinstance(formal, Statement) and outcome.verdict != "unchecked":
            verify(certificate(i, formal, outcomes[i]))
    return row, outcomes
