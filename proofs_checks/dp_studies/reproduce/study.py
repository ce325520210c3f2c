"""What reproductions share: a study of points with a journal, one JSON document, nothing lost by an interruption."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import filelock
import jsonschema

from dp_checks.certify import DirectoryInUseError
from dp_checks.dependencies import code
from dp_checks.runtime.journal import Journal
from dp_checks.runtime.outputs import make_folder, write_file
from dp_checks.runtime.parallel import HERE, Workers, spread
from dp_refimpl.fast.array_counts import ROUNDING
from dp_refimpl.requirements import is_integer, require_integer
from dp_spec.vocabulary.budget import read_epsilon
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.schemas import document_of

Progress = Callable[[int, int, str], None]
"""Called with (points finished, points in all, key of the point)."""
Document = dict[str, Any]
Finish = Callable[[Document], object]


class Plan(Protocol):
    """What every plan has: its points, the number of runs, and the random state."""

    @property
    def runs(self) -> int:
        """Runs of every point."""

    @property
    def seed(self) -> int:
        """The random state."""

    def points(self) -> Iterable[Any]:
        """What is simulated."""


P = TypeVar("P", bound=Plan)
T = TypeVar("T")


@dataclass(frozen=True)
class Family:
    """Bounds that all hold but for a probability `chance`, of which `lost` is spent elsewhere."""

    bounds: int
    lost: Fraction = ROUNDING
    chance: Fraction = Fraction(1, 10**6)

    @property
    def level(self) -> Fraction:
        """Of each bound."""
        return (self.chance - self.lost) / self.bounds

    @property
    def json(self) -> dict[str, Any]:
        """As in documents."""
        return {"family_level": str(self.chance), "bounds": self.bounds, "level": str(self.level)}


def no_fields(plan: Plan) -> Mapping[str, Any]:
    """Of a plan that adds none."""
    return {}


@dataclass(frozen=True)
class Study(Generic[P, T]):
    """What a source computes: tasks by key, the JSON of a task's result, and the document of all results.

    `form` is the document's name with a version; `generator`, `statement` and `notes` are its words. `tasks` and
    `compute` of a plan are what is done, and are pickled; `stamp` is what a result depends on, beside the code and the
    seed: a journaled result counts for no other. `confidence` and `content` are the document's fields, `sizes` those
    that come first, and `fields` their schema. `inside` says of every exact value whether it is in its interval, and
    `lines` what was found.
    """

    source: str
    form: str
    generator: str
    statement: str
    notes: tuple[str, ...]
    fields: Mapping[str, Any] = field(repr=False)
    tasks: Callable[[P], Mapping[str, T]]
    stamp: Callable[[P], str]
    compute: Callable[[P], Callable[[T], Any]]
    confidence: Callable[[P], Mapping[str, Any]]
    content: Callable[[P, Mapping[str, Any], Workers], Mapping[str, Any]]
    inside: Callable[[Mapping[str, Any]], Mapping[str, bool]]
    lines: Callable[[Mapping[str, Any]], Iterable[str]]
    sizes: Callable[[P], Mapping[str, Any]] = no_fields

    @property
    def schema(self) -> dict[str, Any]:
        """Of the document. Numbers are decimals correctly rounded, the ends of intervals rounded outwards."""
        return document_of(self.source, self.form, self.fields)

    def document(self, plan: P, results: Mapping[str, Any], by: Workers = HERE) -> Document:
        """The document of all results by key."""
        return {
            "format": self.form,
            "source": self.source,
            "seed": plan.seed,
            "generator": self.generator,
            "runs": plan.runs,
            **self.sizes(plan),
            "confidence": {**self.confidence(plan), "statement": self.statement},
            "notes": list(self.notes),
            **self.content(plan, results, by),
        }

    def misses(self, document: Mapping[str, Any]) -> list[str]:
        """Exact values outside their intervals: with the exact laws there are hardly ever any."""
        return [name for name, inside in self.inside(document).items() if not inside]

    def summary(self, document: Mapping[str, Any]) -> Iterator[str]:
        """Lines for a terminal."""
        yield from self.lines(document)
        yield from (f"OUTSIDE {miss}" for miss in self.misses(document))


def agreement(what: str, inside: Collection[bool], family: Mapping[str, Any]) -> str:
    """How many of some exact values are inside their intervals, as a line of a summary."""
    return (
        f"{what} inside their intervals: {sum(inside)} of {len(inside)} "
        f"(all, with probability 1 - {family['family_level']}; {family['bounds']} bounds)"
    )


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
    study: Study[P, T],
    plan: P,
    out: Path,
    by: Workers = HERE,
    progress: Progress | None = None,
    finish: Finish = nothing,
) -> Run:
    """Compute everything, write `reproduce.json`; results are journaled in `out` as they are finished.

    `finish` is called with the document before the journal is cleared, so that whatever it draws can be drawn again.
    Raises `DirectoryInUseError` when another run uses `out`, `OSError` where nothing can be written.
    """
    study.confidence(plan)  # a plan is refused before anything is written
    make_folder(out)
    try:
        with filelock.FileLock(out / "lock", timeout=0):
            return _run(study, plan, out, by, progress, finish)
    except filelock.Timeout:
        raise DirectoryInUseError(
            f"another run uses {out}: wait for it, or choose another directory with --out"
        ) from None


def _run(study: Study[P, T], plan: P, out: Path, by: Workers, progress: Progress | None, finish: Finish) -> Run:
    journal = Journal(out / "journal.jsonl", f"reproduce {study.source}")
    kept, damaged = journal.read()
    stamp = f"{code([f'dp_studies.reproduce.s{study.source}.points'])} seed={plan.seed} {study.stamp(plan)} "
    tasks = study.tasks(plan)
    results = {key: kept[stamp + key] for key in tasks if stamp + key in kept}
    taken = len(results)
    missing = [(key, task) for key, task in tasks.items() if key not in results]
    for key, result in spread(partial(_result, study.compute(plan)), missing, by):
        journal.add({stamp + key: result})
        results[key] = result
        if progress is not None:
            progress(len(results), len(tasks), key)
    document = study.document(plan, {key: results[key] for key in tasks}, by)
    jsonschema.validate(document, study.schema)
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


def require_known(name: str, values: Iterable[object], allowed: Sequence[str]) -> None:
    """Raise `DomainError` unless all values are known."""
    if any(value not in allowed for value in values):
        raise DomainError(name, values, f"some of {', '.join(allowed)}, each once")


def require_each(name: str, values: Iterable[object], allowed: Callable[[Any], bool], words: str) -> None:
    """Raise `DomainError` with a value that is not allowed."""
    for value in values:
        if not allowed(value):
            raise DomainError(name, value, words)


def require_integers(least: Mapping[str, int], values: object) -> None:
    """Raise `DomainError` unless these attributes are integers of at least so much."""
    for name, smallest in least.items():
        require_integer(name, getattr(values, name), smallest)


def at_least(least: int) -> Callable[[object], bool]:
    """Whether a value is an integer, and no bool, of at least so much."""
    return lambda value: is_integer(value, least)


def rational(epsilon: object) -> bool:
    """Whether a budget is the text of a rational number > 0. Raises `DomainError` for the text of no budget."""
    if not isinstance(epsilon, str):
        return False
    base, exponent = read_epsilon(epsilon)
    return base is None and exponent > 0
