"""A function or class of a Python file, run by an interpreter of its own: enumerated, as it is, at other budgets."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from dp_audit.environment import Environment
from dp_audit.observation.jobs import Job, PlainJob
from dp_audit.observation.target_laws import TargetLaws
from dp_audit.observation.unmodified_run import Plain
from dp_audit.run.adapter_wrappers import AT_BUDGETS, adapter_text, budgets_text
from dp_audit.run.child_program import Start, run_copied
from dp_audit.run.enumeration import run_target
from dp_audit.run.unmodified import PLAIN_SECONDS, run_plain


@dataclass(frozen=True)
class FileCode:
    """What a job names in a file, run in the environment, for at most `timeout` seconds, by what starts children.

    `unmodified_seconds`: of a run as it is, at most. `hash` (None: it is no local hashing): the function of the file
    that is the hash function of what the jobs name.
    """

    path: Path
    environment: Environment
    timeout: float = 120.0
    start: Start = run_copied
    hash: str | None = None
    unmodified_seconds: float = PLAIN_SECONDS

    def laws(self, job: Job) -> TargetLaws:
        """As `run_target`."""
        with self._hashing(job.protocol) as file:
            if file is not None:
                job = replace(job, adapter=file, protocol="Target")
            return run_target(job, self.environment, self.timeout, self.start)

    def plain(self, job: PlainJob) -> Plain:
        """As `run_plain`."""
        with self._hashing(job.protocol) as file:
            if file is not None:
                job = replace(job, adapter=file, protocol="Target")
            return run_plain(job, self.environment, min(self.timeout, self.unmodified_seconds), self.start)

    def at_budgets(self, job: Job) -> TargetLaws:
        """As `laws`, at several budgets: the inputs of the job are pairs (budget, item)."""
        path = str(self.path.absolute())
        with _written(budgets_text(path)) as file:
            there = replace(job, adapter=file, protocol=AT_BUDGETS + job.protocol, shares=f"{path}, at budgets")
            return run_target(there, self.environment, self.timeout, self.start)

    @contextmanager
    def _hashing(self, protocol: str) -> Iterator[Path | None]:
        """An adapter file of local hashing; None where it is none."""
        if self.hash is None:
            yield None
            return
        loaded = f"(module := load({str(self.path.absolute())!r}))"
        with _written(adapter_text(f"Target = hashed({loaded}.{protocol}, module.{self.hash})")) as file:
            yield file


@contextmanager
def _written(text: str) -> Iterator[Path]:
    """An adapter file with this text, for as long as the context lasts."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "wrapped_target.py")
        file.write_text(text, encoding="utf-8")
        yield file
