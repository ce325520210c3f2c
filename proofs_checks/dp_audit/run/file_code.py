"""A function or class of a Python file, run by an interpreter of its own: enumerated, and as it is."""

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

_WRAPPED = f"""from {CHILD_NAME}.wrappers import hashed, load_file
MODULE = load_file({{path!r}}, globals().get("LOADER"))
Target = hashed(MODULE.{{protocol}}, MODULE.{{hash}})
"""
"""An adapter file of local hashing that is made of another file, as the child finds it."""


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
        """Return the laws of the job, as `run_target`."""
        with self._hashing(job.protocol) as file:
            if file is not None:
                job = replace(job, adapter=file, protocol="Target")
            return run_target(job, self.environment, self.timeout, self.start)

    def unmodified(self, job: UnmodifiedJob) -> UnmodifiedRun:
        """Return the unmodified run of the job, as `run_unmodified`."""
        with self._hashing(job.protocol) as file:
            if file is not None:
                job = replace(job, adapter=file, protocol="Target")
            return run_unmodified(job, self.environment, min(self.timeout, self.unmodified_seconds), self.start)

    @contextmanager
    def _hashing(self, protocol: str) -> Iterator[Path | None]:
        """Yield an adapter file of local hashing; None where it is none."""
        if self.hash is None:
            yield None
            return
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "wrapped_target.py")
            names = {"path": str(self.path.absolute()), "protocol": protocol, "hash": self.hash}
            file.write_text(_WRAPPED.format(**names), encoding="utf-8")
            yield file
