"""Declared maps and accountants as targets: evaluated in the interpreter of a file, or in this process at hand."""

import json
import os
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from flint import fmpq

from dp_audit.environment import Environment, require_interpreter
from dp_audit.observation.declared_map import DeclaredMap, Member, Raised
from dp_audit.observation.values import freeze, rational
from dp_audit.run.answers import Lines, finding
from dp_audit.run.child import maps
from dp_audit.run.child.jobs import EVALUATE
from dp_audit.run.child_program import Program, Start, run_copied
from dp_audit.run.enumeration import require_seconds
from dp_audit.run.live_objects import relative
from dp_spec.vocabulary.exceptions import DomainError

MEGABYTES = 4096
Place = tuple[fmpq, fmpq | None]


class Evaluation(Protocol):
    """A declared map that can be evaluated."""

    def evaluate(self, limit: int, only: Sequence[int] | None, places: Sequence[Place], /) -> DeclaredMap:
        """Return what at most `limit` members show, those whose number is in `only` (None: all), and what is
        declared at the places: a distance, and of a curve a parameter (else None)."""

    @property
    def alone(self) -> "Evaluation":
        """Return the same, evaluated where no other evaluation has been, if it is of a file."""


@dataclass(frozen=True)
class MapFile:
    """A map of a Python file, evaluated by the interpreter of an environment.

    No process takes more than `timeout` seconds; what it had told before is kept. `start` may keep the process for
    other maps of the file, which is executed for each. Of an accountant the members are its calls, and the metrics the
    mechanism and the number.
    """

    path: Path
    name: str
    environment: Environment
    timeout: float
    accountant: bool = False
    start: Start = run_copied

    def evaluate(self, limit: int, only: Sequence[int] | None, places: Sequence[Place], /) -> DeclaredMap:
        """Return the observation, as `Evaluation`; how the process failed is a finding."""
        program = Program(EVALUATE, self.environment.python, _variables(), MEGABYTES, str(self.path.absolute()))
        job = {
            **_job(limit, only, places),
            "accountant": self.accountant,
            "file": str(self.path.absolute()),
            "name": self.name,
        }
        answers = MapAnswers()
        answers.read(self.start(program, json.dumps(job), self.timeout), self.timeout)
        return answers.observation()

    @property
    def alone(self) -> "MapFile":
        """Return the same, in a new process every time."""
        return replace(self, start=run_copied)


@dataclass(frozen=True)
class MapHere:
    """A map at hand, evaluated in this process: nothing bounds its time."""

    target: Any
    accountant: bool = False

    def evaluate(self, limit: int, only: Sequence[int] | None, places: Sequence[Place], /) -> DeclaredMap:
        """Return the observation, as `Evaluation`. Raises what the target raises outside its function and its map."""
        answers = MapAnswers()
        maps.run_here({**_job(limit, only, places), "accountant": self.accountant}, self.target, answers.emit)
        return answers.observation()

    @property
    def alone(self) -> "MapHere":
        """Return itself."""
        return self


@dataclass(frozen=True)
class DeclaredTarget:
    """What declares numbers and can be evaluated, and what it is called: `location` is its file, "" where it is at
    hand."""

    code: Evaluation
    title: str
    name: str
    location: str

    @classmethod
    def of_file(
        cls,
        path: Path | str,
        name: str,
        python: Path | str,
        timeout: float,
        *,
        accountant: bool = False,
        start: Start = run_copied,
    ) -> "DeclaredTarget":
        """Return the target `name` of a Python file.

        Raises `DomainError` for a file, interpreter or timeout that cannot be used.
        """
        path = Path(path)
        if not path.is_file() or path.suffix != ".py":
            raise DomainError("file", str(path), "an existing Python file *.py")
        require_interpreter(python)
        code = MapFile(path, name, Environment(Path(python)), require_seconds(timeout), accountant, start)
        return cls(code, relative(path), name, relative(path))

    @classmethod
    def at_hand(cls, target: Any, *, accountant: bool = False) -> "DeclaredTarget":
        """Return an object, or a class."""
        title = "an accountant at hand" if accountant else "a map at hand"
        return cls(MapHere(target, accountant), title, getattr(target, "__name__", type(target).__name__), "")

    def reproduction(self, observation: DeclaredMap, printed: Callable[[str], str]) -> tuple[str, ...]:
        """Return Python that prints what `printed` says, which is given what stands before a name of the target; none
        for a target at hand without `lines`."""
        if observation.lines:
            return (*observation.lines, f"print({printed('')})")
        if not self.location:
            return ()
        made = f"target = run_path({self.location!r})[{self.name!r}]" + ("()" if observation.is_class else "")
        return "from runpy import run_path", made, f"print({printed('target.')})"


def _job(limit: int, only: Sequence[int] | None, places: Sequence[Place]) -> dict[str, Any]:
    return {
        "limit": limit,
        "only": only,
        "places": [[str(part) for part in place if part is not None] for place in places],
    }


def _variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}


class MapAnswers(Lines):
    """What the lines of the child say."""

    def __init__(self) -> None:
        super().__init__()
        self._target: dict[str, Any] = {"d_in": "", "d_out": ""}
        self._members: dict[int, Member] = {}
        self._declared: dict[Place, Hashable | Raised] = {}
        self._more = False

    def take_part(self, part: str, answer: dict[str, Any]) -> None:
        """Take one part of the answer, as `Lines`."""
        if part == "begin":
            self.where: str = str(answer["where"])
        elif part == "target":
            self._target = {"d_in": str(answer["d_in"]), "d_out": str(answer["d_out"])}
            self._target |= {name: answer[name] is True for name in ("exhaustive", "linear", "assumed", "is_class")}
            self._target["lines"] = tuple(map(str, answer["lines"]))
        elif part == "member":
            self._members[int(answer["number"])] = _member(answer)
        elif part == "more":
            self._more = True
        elif part == "declared":
            distance, *point = map(rational, answer["place"])
            self._declared[distance, point[0] if point else None] = _value(answer)
        elif part == "done":
            self.ended: bool = True
        elif part == "failed":
            self.findings.append(finding({**answer, "message": f"during {self.where}: {answer['message']}"}))
            self.ended = True
        else:
            raise ValueError(f"unknown part {part!r}")

    def observation(self) -> DeclaredMap:
        """Return everything collected."""
        return DeclaredMap(
            **self._target,
            more=self._more,
            members=self._members,
            declared=self._declared,
            findings=tuple(self.findings),
        )


def _member(answer: dict[str, Any]) -> Member:
    inside = _value(answer["inside"]) if answer["inside"] else None
    if not isinstance(inside, bool | Raised | None):
        raise ValueError(f"inside: {inside!r}")
    return Member(
        freeze(answer["member"]),
        str(answer["written"]),
        _value(answer["output"]),
        answer["rounded"] is True,
        answer["again"] is True,
        answer["changed"] is True,
        inside,
    )


def _value(outcome: dict[str, Any]) -> Any:
    return freeze(outcome["value"]) if "value" in outcome else Raised(str(outcome["raised"]))
