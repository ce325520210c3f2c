"""Coq, run on the theory and on generated files. What it says of a file is kept by the content of the file and of all
that the file rests on, in a folder of the build."""

import hashlib
import re
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

HERE = Path(__file__).resolve().parent
REQUIRED = re.compile(r"^From DP Require (?:Import )?(.*?)\.$", re.MULTILINE | re.DOTALL)
"""How a file of the theory names those that it rests on."""
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


def required(text: str) -> list[str]:
    """The files of the theory that one with this text rests on."""
    return [f"{name.replace('.', '/')}.v" for names in REQUIRED.findall(text) for name in names.split()]


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
        """Compile what has changed, and what is listed after it: each file when those that it rests on are compiled."""
        texts = {name: (HERE / name).read_text(encoding="utf-8") for name in theory()}
        chains, chain = dict[str, str](), self.version()
        for name, text in texts.items():
            chains[name] = chain = hashlib.sha256((chain + text).encode()).hexdigest()
        order = TopologicalSorter({name: required(text) for name, text in texts.items()})
        order.prepare()
        running = dict[Future[None], str]()
        with ThreadPoolExecutor(self.jobs) as pool:
            while order.is_active():
                for name in order.get_ready():
                    running[pool.submit(self._compile, name, texts[name], chains[name])] = name
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    done.result()
                    order.done(running.pop(done))

    def _compile(self, name: str, text: str, chain: str) -> None:
        source = self.folder / "theory" / name
        stamp = source.with_suffix(".stamp")
        if stamp.is_file() and stamp.read_text(encoding="utf-8") == chain:
            return
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text, encoding="utf-8")
        self._run(source)
        stamp.write_text(chain, encoding="utf-8")

    def answers(self, texts: Sequence[str]) -> list[str]:
        """What Coq prints of each text, in their order. The last ones are begun first: those of the ledger take
        longest. Raises `ProofError` for a text that it rejects."""
        with ThreadPoolExecutor(self.jobs) as pool:
            return [*pool.map(self._answer, texts[::-1])][::-1]

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
