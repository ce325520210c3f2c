"""Coq, run on the theory and on generated files. What it says of a file is kept by the content of the file and of all
that the file rests on, in a folder of the build."""

import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
MISSING = (
    "Coq is missing. Install it with your system's packages (Debian, Ubuntu: apt-get install coq): "
    "nothing is downloaded here."
)


class ProofError(Exception):
    """What Coq, or a comparison with what is committed, does not accept: a sentence."""


def theory() -> tuple[str, ...]:
    """The files of the theory, each after those it rests on, as `_CoqProject` lists them."""
    lines = (HERE / "_CoqProject").read_text(encoding="utf-8").split()
    return tuple(line for line in lines if line.endswith(".v"))


def theory_digest() -> str:
    """SHA-256 of the texts of the theory."""
    total = hashlib.sha256()
    for name in theory():
        total.update(hashlib.sha256((HERE / name).read_bytes()).digest())
    return total.hexdigest()


@dataclass(frozen=True)
class Compiler:
    """A program `coqc` and a folder for what it makes."""

    program: str
    folder: Path
    jobs: int = 2

    @classmethod
    def of(cls, folder: Path, jobs: int = 2) -> "Compiler":
        """The program that is installed. Raises `ProofError` where none is."""
        program = shutil.which("coqc")
        if program is None:
            raise ProofError(MISSING)
        return cls(program, folder, jobs)

    def version(self) -> str:
        return subprocess.run([self.program, "--version"], check=True, capture_output=True, text=True).stdout

    def compile_theory(self) -> None:
        """Compile what has changed, and what rests on it."""
        chain = self.version()
        for name in theory():
            text = (HERE / name).read_text(encoding="utf-8")
            chain = hashlib.sha256((chain + text).encode()).hexdigest()
            source = self.folder / "theory" / name
            stamp = source.with_suffix(".stamp")
            if stamp.is_file() and stamp.read_text(encoding="utf-8") == chain:
                continue
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(text, encoding="utf-8")
            self._run(source)
            stamp.write_text(chain, encoding="utf-8")

    def answers(self, texts: Sequence[str]) -> list[str]:
        """What Coq prints of each text, in their order. Raises `ProofError` for a text that it rejects."""
        with ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(self._answer, texts))

    def _answer(self, text: str) -> str:
        key = hashlib.sha256((self.version() + theory_digest() + text).encode()).hexdigest()
        kept = self.folder / "answers" / f"{key}.txt"
        if not kept.is_file():
            source = self.folder / "generated" / f"file_{key[:16]}.v"
            source.parent.mkdir(parents=True, exist_ok=True)
            kept.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(text, encoding="utf-8")
            answer = self._run(source)
            kept.write_text(answer, encoding="utf-8")
        return kept.read_text(encoding="utf-8")

    def _run(self, source: Path) -> str:
        command = [self.program, "-q", "-Q", str(self.folder / "theory"), "DP", str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ProofError(f"Coq rejects {source}:\n{done.stderr.strip()[:2000]}")
        return done.stdout
