"""Runs that campaigns disturb, and what they write when nobody does."""

import itertools
import time
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from torture.findings import Finding, shortened
from torture.processes import Ended, Job

GLOB = "002.thm[45]*"
TRANSIENT = ("lock", "journal.jsonl", ".png", ".svg", ".part")
"""Endings of files that are not compared: an empty file, what was decided when, pictures of `reproduce.json`, and what
a worker that outlived its killed run for a moment had begun: the next writer of that file removes it."""


class Case(NamedTuple):
    """A command that writes into a folder."""

    words: tuple[str, ...]

    @property
    def writes(self) -> bool:
        """Whether there is anything to go on with."""
        return self.words[0] != "audit"

    def arguments(self, out: Path) -> list[str]:
        """With its outputs in the folder (`certify` also the fresh ledger)."""
        if not self.writes:
            return [*self.words]
        ledger = ["--json", str(out / "ledger.json")] if self.words[0] == "certify" else []
        return [*self.words, "--out", str(out), *ledger]

    def __str__(self) -> str:
        return " ".join(self.words if self.writes else self.words[:2])


CERTIFY = tuple(Case(("certify", GLOB, "--jobs", jobs)) for jobs in "12")
REPRODUCE = tuple(
    Case(("reproduce", "002", "--figures", "1", "--runs", "1", "--calibration", "paper", "--jobs", jobs))
    for jobs in "12"
)
OWN = ("Error: ", "interrupted; ")
"""How a line of the command's own begins."""
Files = dict[str, bytes]


def files(out: Path) -> Files:
    """All files below a folder that are compared, by their paths."""
    paths = sorted(path for path in out.rglob("*") if path.is_file() and not path.name.endswith(TRANSIENT))
    return {str(path.relative_to(out)): path.read_bytes() for path in paths}


class Whole(NamedTuple):
    """An undisturbed run: its files, and the seconds it took."""

    files: Files
    seconds: float


class Workshop:
    """A folder for runs; undisturbed ones are made once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = itertools.count()
        self._whole: dict[Case, Whole] = {}

    def fresh(self) -> Path:
        """A new folder."""
        path = self.folder / str(next(self._numbers))
        path.mkdir()
        return path

    @cached_property
    def starting(self) -> float:
        """The seconds that the command takes to start here, in which an end by SIGTERM or SIGHUP may be silent."""
        start = time.monotonic()
        Job(["--help"]).ended()
        return time.monotonic() - start

    def whole(self, case: Case) -> Whole:
        """The undisturbed run of a command. Raises `ValueError` if that fails by itself."""
        if case not in self._whole:
            out, start = self.fresh(), time.monotonic()
            ended = Job(case.arguments(out)).ended()
            if ended.code != 0:
                raise ValueError(f"{case} undisturbed: exit {ended.code}\n{ended.errors}")
            self._whole[case] = Whole(files(out), time.monotonic() - start)
        return self._whole[case]

    def compared(self, case: Case, out: Path, ended: Ended, done: str) -> Iterator[Finding]:
        """A run that went to its end: exit code 0, no complaints, and the files of an undisturbed one."""
        if ended.code != 0 or ended.complaints:
            said = shortened(" | ".join(ended.complaints))
            yield Finding(done, "exit code 0 and an empty standard error", f"exit code {ended.code}: {said}")
        outputs, expected = files(out), self.whole(case).files
        other = [name for name in sorted(outputs.keys() | expected) if outputs.get(name) != expected.get(name)]
        if other and ended.code == 0:
            states = (
                f"{n} {'missing' if n not in outputs else 'too many' if n not in expected else 'differs'}"
                for n in other
            )
            yield Finding(done, "the files of an undisturbed run", f"{len(other)} other: {', '.join([*states][:5])}")


def orphans(ended: Ended, done: str) -> Iterator[Finding]:
    """Nothing outlives a command."""
    if ended.orphans:
        yield Finding(done, "no process left after 2 s", f"{len(ended.orphans)} left: {'; '.join(ended.orphans[:3])}")


def one_line(ended: Ended, done: str, codes: tuple[int, ...]) -> Iterator[Finding]:
    """The exit code is one of these; other than 0, with one line on the standard error that is the command's own."""
    complaints = ended.complaints
    if ended.code not in codes:
        said = shortened(" | ".join(complaints[-3:]))
        yield Finding(done, f"exit code {' or '.join(map(str, codes))}", f"exit code {ended.code}: {said}")
    elif ended.code not in (0, 1, 3) and (len(complaints) != 1 or not complaints[0].startswith(OWN)):
        said = shortened(" | ".join(complaints))
        yield Finding(done, "one line on the standard error", f"{len(complaints)} lines: {said}")
