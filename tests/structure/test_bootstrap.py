"""Setting up on a machine that lacks something: the script says in plain words what, and exits with 1."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from structure.tree import ROOT

TOOLS = ("sh", "dirname", "cmp", "printf", "grep", "tail", "cp", "touch", "rm", "mkdir", "cat")

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="needs a POSIX shell")

OLD = 'case "$1" in -c) exit 1;; *) echo "Python 3.8.18";; esac'
NO_VENV = 'case "$*" in *ensurepip*) exit 1;; *sys.executable*) echo "$0";; --version) echo "Python 3.12.1";; esac'
WORKING = """case "$*" in
    "-m venv"*) mkdir -p .venv/bin; printf '#!/bin/sh\\n%s\\nexit 1\\n' 'echo "{complaint}" >&2' >.venv/bin/python
                chmod +x .venv/bin/python;;
    *sys.executable*) echo "$0";;
    --version) echo "Python 3.12.1";;
esac"""


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A checkout with a space in its path, on a machine that has the usual tools and no Python."""
    checkout, tools = tmp_path / "a checkout", tmp_path / "bin"
    (checkout / ".ci").mkdir(parents=True)
    tools.mkdir()
    shutil.copy(ROOT / ".ci" / "bootstrap", checkout / ".ci")
    (checkout / "requirements.lock").write_text("# nothing\n", encoding="utf-8")
    for tool in (*TOOLS, "chmod"):
        if program := shutil.which(tool):
            (tools / tool).symlink_to(program)
    return checkout


def give_python(checkout: Path, script: str, name: str = "python3") -> None:
    python = checkout.parent / "bin" / name
    python.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    python.chmod(0o755)


def bootstrap(checkout: Path, **environment: str) -> str:
    """What the script says on standard error; it must fail with status 1."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "DP_", "VIRTUAL_ENV"))}
    done = subprocess.run(
        ["sh", ".ci/bootstrap"],
        cwd=checkout,
        env=clean | {"PATH": str(checkout.parent / "bin")} | environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert not (checkout / ".venv" / ".installed").exists()
    return done.stderr


def test_no_python_at_all(machine: Path) -> None:
    assert "no Python was found on the PATH" in bootstrap(machine)


def test_python_is_too_old(machine: Path) -> None:
    give_python(machine, OLD)
    assert "Python 3.8.18 is too old; Python 3.11 or newer is needed" in bootstrap(machine)


def test_a_named_python_that_does_not_work(machine: Path) -> None:
    assert "PYTHON=python9 is not a working Python" in bootstrap(machine, PYTHON="python9")


def test_a_newer_python_under_another_name_is_found(machine: Path) -> None:
    give_python(machine, OLD)
    give_python(machine, NO_VENV, "python3.12")
    assert "Python 3.12.1 comes without its venv module" in bootstrap(machine)


@pytest.mark.parametrize(
    ("complaint", "said"),
    [
        ("NewConnectionError: Temporary failure in name resolution", "the package index could not be reached"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "is not the one that requirements.lock pins"),
        ("ERROR: No matching distribution found for numpy==2", "not available for this Python or machine"),
        ("OSError: No space left on device", "the disk is full"),
        ("something nobody foresaw", "the whole log is in .venv/install.log"),
    ],
)
def test_the_install_fails(machine: Path, complaint: str, said: str) -> None:
    give_python(machine, WORKING.format(complaint=complaint))
    answer = bootstrap(machine)
    assert complaint in answer
    assert said in answer


def test_the_lock_is_missing(machine: Path) -> None:
    (machine / "requirements.lock").unlink()
    assert "requirements.lock is missing" in bootstrap(machine)
