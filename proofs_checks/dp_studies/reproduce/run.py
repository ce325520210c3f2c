"""What reproductions share: points with a journal, one JSON document, nothing lost by an interruption."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import filelock
import jsonschema

from dp_checks.certify import DirectoryInUseError
from dp_checks.runtime.journal import Journal
from dp_checks.runtime.outputs import make_folder, write_file
from dp_checks.runtime.parallel import HERE, Workers, spread
from dp_spec.vocabulary.exceptions import DomainError

T = TypeVar("T")

Progress = Callable[[int, int, str], None]
"""Called with (points finished, points in all, key of the point)."""
Document = dict[str, Any]
Finish = Callable[[Document], object]


@dataclass(frozen=True)
class Work(Generic[T]):
    """What a source computes: tasks by key, the JSON of a task's result, and the document of all results.

    `owner` is whose lines in the journal they are; `stamp` is everything else that a result depends on: a journaled
    result counts for no other stamp. `compute` and the tasks are pickled.
    """

    owner: str
    stamp: str
    tasks: Mapping[str, T]
    compute: Callable[[T], Any]
    document: Callable[[Mapping[str, Any]], Document]
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """A finished reproduction: the document, how many points were taken from an interrupted run, and the numbers of
    the damaged lines of its journal."""

    document: Document
    taken: int
    damaged: tuple[int, ...]


def nothing(document: Document) -> None:
    """What is done with a document if nothing is."""


def reproduce(
    work: Work[T], out: Path, by: Workers = HERE, progress: Progress | None = None, finish: Finish = nothing
) -> Run:
    """Compute everything, write `reproduce.json`; results are journaled in `out` as they are finished.

    `finish` is called with the document before the journal is cleared, so that whatever it draws can be drawn again.
    Raises `DirectoryInUseError` when another run uses `out`, `OSError` where nothing can be written.
    """
    make_folder(out)
    try:
        with filelock.FileLock(out / "lock", timeout=0):
            return _run(work, out, by, progress, finish)
    except filelock.Timeout:
        raise DirectoryInUseError(
            f"another run uses {out}: wait for it, or choose another directory with --out"
        ) from None


def _run(work: Work[T], out: Path, by: Workers, progress: Progress | None, finish: Finish) -> Run:
    journal = Journal(out / "journal.jsonl", work.owner)
    known, damaged = journal.read()
    results = {key: known[work.stamp + key] for key in work.tasks if work.stamp + key in known}
    taken = len(results)
    missing = [(key, task) for key, task in work.tasks.items() if key not in results]
    for key, found in spread(partial(_result, work.compute), missing, by):
        journal.add({work.stamp + key: found})
        results[key] = found
        if progress is not None:
            progress(len(results), len(work.tasks), key)
    document = work.document({key: results[key] for key in work.tasks})
    jsonschema.validate(document, work.schema)
    write_file(out / "reproduce.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    finish(document)
    journal.clear()
    return Run(document, taken, damaged)


def _result(compute: Callable[[T], Any], task: tuple[str, T]) -> tuple[str, Any]:
    return task[0], compute(task[1])


def require_some(name: str, values: object) -> None:
    """Raise `DomainError` unless this is a tuple of one or more different values."""
    if not isinstance(values, tuple) or not values or any(values.count(value) != 1 for value in values):
        raise DomainError(name, values, "one or more values, each once")


def require_integers(least: Mapping[str, int], values: object) -> None:
    """Raise `DomainError` unless these attributes are integers of at least so much."""
    for name, smallest in least.items():
        value = getattr(values, name)
        if isinstance(value, bool) or not isinstance(value, int) or value < smallest:
            raise DomainError(name, value, f"an integer >= {smallest}")
