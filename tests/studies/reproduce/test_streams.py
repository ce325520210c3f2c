"""Standard streams that are closed, and those whose encoding lacks what is to be said: never a traceback."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from dp_checks.runtime.boundary import FINE, FOUND, WRONG_INPUT
from running.process_marks import command

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams are closed by a shell, file names are bytes")

FAST = "002.base.grr*"
"""Rows that take no time."""
NAME = os.fsdecode(b"h\xff\n::error::x")
STRICT = (
    {"LC_ALL": "C.UTF-8"},
    {"PYTHONIOENCODING": "ascii:strict"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
)
CLIENT = "def f(item):\n    return item\n"
FORMS = ("html", "junit", "sarif")
GRR = ("--oracle", "GRR", "--param", "d=2", "--param", "epsilon=1")


def run(
    arguments: Sequence[str], folder: Path, variables: dict[str, str] | None = None, closed: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """A command in a folder, some of whose streams (as a shell writes it) are closed."""
    program = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-P", "-m", "dp_command", *arguments]
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHON"))}
    path = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(program, cwd=folder, env=clean | path | (variables or {}), capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    return done


@pytest.mark.parametrize(
    ("arguments", "closed", "code"),
    [
        (("list",), ">&-", WRONG_INPUT),
        pytest.param(("list",), "2>&-", FINE, marks=pytest.mark.slow),
        pytest.param(("list",), "<&-", FINE, marks=pytest.mark.slow),
        pytest.param(("list", "nothing"), "2>&-", WRONG_INPUT, marks=pytest.mark.slow),
        pytest.param(("audit", "oracles"), ">&-", WRONG_INPUT, marks=pytest.mark.slow),
        pytest.param(("audit", "oracles"), "<&- 2>&-", FINE, marks=pytest.mark.slow),
        pytest.param(("list",), "<&- >&- 2>&-", WRONG_INPUT, marks=pytest.mark.slow),
        pytest.param(("list",), "> /dev/full", WRONG_INPUT, marks=pytest.mark.slow),
    ],
)
def test_a_closed_stream_is_no_traceback(arguments: tuple[str, ...], closed: str, code: int, tmp_path: Path) -> None:
    done = run(arguments, tmp_path, closed=closed)
    assert done.returncode == code
    said = done.stderr.decode().splitlines()
    assert len(said) == (code == WRONG_INPUT and "2>&-" not in closed)
    assert all(line.startswith("Error: ") for line in said)


@pytest.mark.slow
def test_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """Otherwise what is said would be in the journal."""
    done = run(("certify", FAST, "--out", "out"), tmp_path, closed="<&- 2>&-")
    assert done.returncode == FINE
    assert b"agree with ledger.json" in done.stdout
    assert b"statements" not in (tmp_path / "out" / "journal.jsonl").read_bytes()


def outputs(folder: Path) -> dict[tuple[str, ...], int]:
    """Commands that say the name of a file, and their exit codes."""
    (folder / f"{NAME}.py").write_text(CLIENT, encoding="utf-8")
    (folder / f"{NAME}.json").write_text("{}", encoding="utf-8")
    files = [f"--{form}={NAME}.{form}" for form in FORMS]
    return {
        ("audit", "python", f"{NAME}.py:f", *GRR, "--json", "-", *files): FOUND,
        ("certify", FAST, "--jobs", "2", "--out", NAME): FINE,
        ("audit", "reports", f"{NAME}.csv", *GRR): WRONG_INPUT,
        ("audit", "table", f"{NAME}.json", *GRR): WRONG_INPUT,
    }


@pytest.mark.slow
@pytest.mark.parametrize("variables", STRICT, ids=lambda variables: " ".join(variables.values()))
def test_a_name_that_is_no_text_is_said_with_escapes(variables: dict[str, str], tmp_path: Path) -> None:
    for arguments, code in outputs(tmp_path).items():
        done = run(arguments, tmp_path, variables)
        assert done.returncode == code, (arguments, done.stderr)
        assert b"nothing was decided" not in done.stderr
        assert not any(line.lstrip().startswith(b"::") for line in (done.stdout + done.stderr).splitlines())
    for form in FORMS:
        assert (tmp_path / f"{NAME}.{form}").stat().st_size


def test_a_journal_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "journal.jsonl")
    with command("certify", FAST, "--out", tmp_path) as running:
        code, errors, left = running.end()
    assert (code, left) == (WRONG_INPUT, [])
    assert f"{tmp_path / 'journal.jsonl'} is no regular file" in errors
