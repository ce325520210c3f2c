"""A function or class of a Python file, run by an interpreter of its own: enumerated, as it is, at other budgets."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from dp_audit.environment import Environment
from dp_audit.observation.jobs import Job, UnmodifiedJob
from dp_audit.observation.target_laws import TargetLaws
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.run.child_program import CHILD_NAME, Start, run_copied
from dp_audit.run.enumeration import run_target
from dp_audit.run.unmodified_runs import UNMODIFIED_SECONDS, run_unmodified

AT_BUDGETS = "at_budgets_of_"
"""What the name of a target begins with that is at several budgets."""
_WRAPPED = f"""from {CHILD_NAME}.wrappers import at_budgets, hashed, load_file
MODULE = load_file({{path!r}}, globals().get("LOADER"))
"""
"""The beginning of an adapter file that wraps what another file has, as the child finds it."""
_BUDGETS = f"__getattr__ = lambda name: at_budgets(getattr(MODULE, name[{len(AT_BUDGETS)}:]))\n"
"""Its end, for all of that file at several budgets: of one child for all of it."""


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
    unmodified_seconds: float = UNMODIFIED_SECONDS

    def laws(self, job: Job) -> TargetLaws:
        """As `run_target`."""
        with self._hashing(job.protocol) as file:
            if file is not None:
                job = replace(job, adapter=file, protocol="Target")
            return run_target(job, self.environment, self.timeout, self.start)

    def unmodified(self, job: UnmodifiedJob) -> UnmodifiedRun:
        """As `run_unmodified`."""
        with self._hashing(job.protocol) as file:
            if file is not None:
                job = replace(job, adapter=file, protocol="Target")
            return run_unmodified(job, self.environment, min(self.timeout, self.unmodified_seconds), self.start)

    def at_budgets(self, job: Job) -> TargetLaws:
        """As `laws`, at several budgets: the inputs of the job are pairs (budget, item)."""
        with self._wrapped(_BUDGETS) as file:
            shares = f"{self.path.absolute()}, at budgets"
            there = replace(job, adapter=file, protocol=AT_BUDGETS + job.protocol, shares=shares)
            return run_target(there, self.environment, self.timeout, self.start)

    @contextmanager
    def _hashing(self, protocol: str) -> Iterator[Path | None]:
        """An adapter file of local hashing; None where it is none."""
        if self.hash is None:
            yield None
            return
        with self._wrapped(f"Target = hashed(MODULE.{protocol}, MODULE.{self.hash})\n") as file:
            yield file

    @contextmanager
    def _wrapped(self, end: str) -> Iterator[Path]:
        """An adapter file that wraps this one and ends so, for as long as the context lasts."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "wrapped_target.py")
            file.write_text(_WRAPPED.format(path=str(self.path.absolute())) + end, encoding="utf-8")
            yield file
