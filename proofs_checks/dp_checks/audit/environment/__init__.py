"""The environment of the audited libraries: a venv of its own, made from a pinned and hashed lock by one command.

    python -m dp_checks.audit.environment [DIR]

Uses uv where it is installed, venv and pip otherwise. Running it again is free when the lock has not changed.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

VARIABLE = "DP_REFIMPL_AUDIT_ENV"
"""Names the directory of the environment when it is not `.audit-env` under the current directory."""
COMMAND = "python -m dp_checks.audit.environment"
_STAMP = "dp-refimpl-audit.sha256"
_LOCKS = Path(__file__).parent


class AuditEnvironmentError(RuntimeError):
    """The environment of the audited libraries is missing or cannot be made; the message says what to do."""


@dataclass(frozen=True)
class Environment:
    """A Python interpreter that can import the audited libraries."""

    python: Path


def default_directory() -> Path:
    """The directory named by DP_REFIMPL_AUDIT_ENV, else `.audit-env` under the current directory."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else Path.cwd() / ".audit-env"


def locate(directory: Path | None = None) -> Environment:
    """The environment made earlier. Raises `AuditEnvironmentError` if there is none or it is of another lock."""
    directory = directory or default_directory()
    if not _is_current(directory):
        raise AuditEnvironmentError(
            f"{directory} holds no environment of the audited libraries made from the present lock.\n"
            f"Make it with:  {COMMAND} {directory}"
        )
    return Environment(_python(directory))


def create(directory: Path | None = None) -> Environment:
    """Make the environment unless it is there; a second process that wants it at the same time waits.

    Raises `AuditEnvironmentError` saying in plain words what is missing.
    """
    directory = (directory or default_directory()).absolute()
    if not _is_current(directory):
        directory.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{directory}.lock"):
            if not _is_current(directory):
                _make(directory)
    return locate(directory)


def _make(directory: Path) -> None:
    if directory.exists() and not (directory / _STAMP).is_file() and any(directory.iterdir()):
        raise AuditEnvironmentError(
            f"{directory} is not empty and was not made by this command: give another directory or delete it"
        )
    if directory.exists():
        shutil.rmtree(directory)
    uv = shutil.which("uv")
    if uv is not None:
        _run([uv, "venv", "--quiet", "--python", sys.executable, str(directory)])
        install = [uv, "pip", "install", "--quiet", "--python", str(_python(directory))]
    else:
        try:
            venv.create(directory, with_pip=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise AuditEnvironmentError(
                f"cannot make a virtual environment in {directory} ({error}).\n"
                "Missing: uv, or the venv module with ensurepip (on Debian the package python3-venv)."
            ) from error
        install = [str(_python(directory)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    (directory / _STAMP).write_text("unfinished", encoding="utf-8")
    # Two steps: the source archive of one library is built with the pinned build tool instead of an unpinned one.
    _run([*install, "--require-hashes", "-r", str(_LOCKS / "build.lock")])
    _run([*install, "--require-hashes", "--no-build-isolation", "-r", str(_LOCKS / "requirements.lock")])
    (directory / _STAMP).write_text(_digest(), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Exit status 1, and what is missing on stderr, when the environment cannot be made."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Make the environment of the audited libraries.")
    parser.add_argument(
        "directory", nargs="?", type=Path, default=None, metavar="DIR", help=f"default: ${VARIABLE} or .audit-env"
    )
    directory = parser.parse_args(arguments).directory or default_directory()
    try:
        environment = create(directory)
    except AuditEnvironmentError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"audited libraries ready: {environment.python}")
    if directory.absolute() != (Path.cwd() / ".audit-env").absolute():
        print(f"to use it:  export {VARIABLE}={directory.absolute()}")
    return 0


def _python(directory: Path) -> Path:
    # Absolute but not resolved: the link inside the environment is what makes it one.
    return directory.absolute() / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _is_current(directory: Path) -> bool:
    stamp = directory / _STAMP
    return _python(directory).exists() and stamp.is_file() and stamp.read_text(encoding="utf-8") == _digest()


def _digest() -> str:
    return hashlib.sha256(
        (_LOCKS / "build.lock").read_bytes() + (_LOCKS / "requirements.lock").read_bytes()
    ).hexdigest()


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise AuditEnvironmentError(f"cannot run {command[0]}: {error}") from error
    if done.returncode:
        reason = "\n".join((done.stderr or done.stdout).strip().splitlines()[-8:])
        raise AuditEnvironmentError(
            f"installing the audited libraries failed; a package index must be reachable, and every pinned package "
            f"must have a wheel for Python {sys.version_info[0]}.{sys.version_info[1]} on this platform.\n"
            f"command: {' '.join(command)}\n{reason}"
        )
