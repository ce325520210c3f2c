"""The checker, run by Coq where it is installed: it accepts what is true of the corpus and refuses every forgery."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from coq.forgeries import CHANGES, forged
from coq.test_record import AXIOMS
from corpus.certificates import accepted, small
from dp_coq.compiler import MISSING, Compiler, ProofError
from dp_coq.theorems import Goal, assumed, decided, goals

INSTALLED = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")


def certificates() -> list[Any]:
    """The right ones of the corpus, by their own names."""
    return [{**small(name), "id": name} for name in accepted()]


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    made = Compiler.of(tmp_path_factory.mktemp("coq"))
    made.compile_theory()
    return made


def test_the_corpus_has_every_forgery() -> None:
    assert {name for name, _ in forged(certificates())} == {*CHANGES, "a bound that moves"}


@pytest.mark.slow
@INSTALLED
def test_the_corpus_is_proved_and_no_forgery_is(compiler: Compiler) -> None:
    asked = [goal for certificate in certificates() for _, goal in goals(certificate) if isinstance(goal, Goal)]
    answers = decided(compiler, asked)
    proved = [goal for goal, yes in zip(asked, answers, strict=True) if yes]
    assert len(proved) >= 10
    assert assumed(compiler, proved) == set(AXIOMS)
    false = [goal for _, goal in forged(certificates())]
    assert not any(decided(compiler, false))


@pytest.mark.slow
@INSTALLED
def test_a_false_theorem_is_rejected_by_coq_itself(compiler: Compiler) -> None:
    _, false = next(forged(certificates()))
    with pytest.raises(ProofError, match="rejects"):
        assumed(compiler, [false])


def test_without_coq_it_is_said_what_to_install(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dp_coq", "--certificates", str(tmp_path)]
    path = str(Path(__file__).resolve().parents[2] / "proofs_checks")
    done = subprocess.run(command, env={"PATH": "", "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (2, "", MISSING)
