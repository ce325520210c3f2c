"""One of our folders that is a program, copied and run by another interpreter: a job goes in, lines come out."""

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dp_audit.samples.child import Reader
from dp_audit.supervised import Supervised

MAX_ANSWER_BYTES = 64 << 20
_COMPILED = shutil.ignore_patterns("__pycache__")


@dataclass(frozen=True)
class Ran:
    """What a child said, and how it ended: `hung`, it was killed after its time; `flooded`, after too many bytes.

    `lines` are the finished ones of stdout, `complaint` the end of stderr.
    """

    lines: tuple[bytes, ...]
    status: int
    complaint: str
    hung: bool
    flooded: bool


def run_copied(
    folder: Path,
    job: str,
    python: Path,
    timeout: float,
    *,
    variables: Mapping[str, str],
    beside: tuple[Path, ...] = (),
    megabytes: int | None = None,
) -> Ran:
    """Run a copy of `folder`, with the files `beside` in it, on one line of input, for at most `timeout` seconds.

    It is a copy because nothing that the child does can then change ours. `megabytes` as in `Supervised`. Raises
    `OSError` if the interpreter cannot be started.
    """
    with tempfile.TemporaryDirectory() as directory:
        program = shutil.copytree(folder, Path(directory, folder.name), ignore=_COMPILED)
        for file in beside:
            shutil.copy(file, program)
        given = Path(directory, "job.json")
        given.write_text(job + "\n", encoding="utf-8")
        command = [str(python), "-s", "-B", str(program)]
        with given.open("rb") as stdin:
            child = Supervised(command, stdin=stdin, variables=variables, folder=directory, megabytes=megabytes)
        with child:
            process = child.process
            assert process.stdout is not None
            assert process.stderr is not None
            answers = Reader(process.stdout, MAX_ANSWER_BYTES, MAX_ANSWER_BYTES, child.kill)
            errors = Reader(process.stderr, 500, MAX_ANSWER_BYTES, child.kill, keep_end=True)
            hung = False
            try:
                process.wait(timeout)
            except subprocess.TimeoutExpired:
                hung = True
        lines, complaint = answers.finish(), errors.finish()
    return Ran(
        tuple(lines.split(b"\n")[:-1]),
        process.returncode,
        complaint.decode("utf-8", "replace").strip(),
        hung,
        answers.overflow or errors.overflow,
    )
