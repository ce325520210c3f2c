"""The environments of the audited libraries: venvs of their own, made from pinned and hashed locks by one command.

    dp-refimpl audit environment [NAME ...] [--directory DIR]

`local` holds pure-ldp, multi-freq-ldpy and ldp-toolbox, `central` trasgodp, diffprivlib and opendp, `further` those
audited since, `synthesis` dpmm and synthcity, `tumult` tmlt-core, which need other versions of numpy;
`accountants` dp-accounting and prv-accountant, `opendp-0.15.1` and `opendp-0.16.0` a release of opendp each.
Uses uv where it is installed, venv and pip otherwise. `javascript` holds libraries of the npm registry, and needs node
and npm. Running it again is free when the lock of an environment has not changed.
"""

import compileall
import hashlib
import os
import re
import shutil
import sys
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired

from filelock import FileLock

from dp_audit.run.process_guard import run
from dp_spec.vocabulary.exceptions import DomainError, RefusedError

VARIABLE = "DP_REFIMPL_AUDIT_ENV"
"""Names the directory of the environments when it is not `.audit-env` under the current directory."""
COMMAND = "dp-refimpl audit environment"
AUDITED = ("local", "central")
"""Those that are made without a name."""
JAVASCRIPT = "javascript"
DECLARING = ("opendp-0.15.1", "opendp-0.16.0")
"""Releases whose declared numbers are audited (`dp_studies.libraries.maps`)."""
NAMES = (*AUDITED, "further", "synthesis", JAVASCRIPT, "tumult", "accountants", *DECLARING)
"""All; `tumult` is asked for declared numbers only."""
_NEWEST = {
    "central": ((3, 12), "trasgodp 2.1.0 wants exactly numpy 2.0.2, which has no wheels for a newer one"),
    "further": ((3, 12), "nprr 0.1.4 wants numpy 1, which has no wheels for a newer one"),
    "synthesis": ((3, 11), "dpmm 0.1.9 wants Python 3.10 or 3.11"),
}
_SOURCE_ONLY = {
    "local": ("multi-freq-ldpy",),
    "further": ("antlr4-python3-runtime", "progress"),
    "tumult": ("pyspark",),
}
_OWN_TESTS = re.compile(r"[/\\]tests?[/\\]")
_STAMP = "dp-refimpl-audit.sha256"
ASKED = 60.0
"""Seconds in which an interpreter answers whether it has numpy."""
_LOCKS = Path(__file__).parent / "locks"


class AuditEnvironmentError(RefusedError):
    """An environment of audited libraries is missing or cannot be made; the message says what to do."""


@dataclass(frozen=True)
class Environment:
    """A Python interpreter that can import the audited libraries; or node, and the folder of its modules."""

    python: Path
    modules: Path | None = None


def require_interpreter(python: str | os.PathLike[str]) -> None:
    """Raise `DomainError` for what is no Python interpreter that has numpy, as far as one can see in some seconds."""
    path = Path(python)
    if not path.is_file():
        raise DomainError("python", str(python), "an existing Python interpreter")
    if path != Path(sys.executable):
        _require_numpy(str(path))


@cache
def _require_numpy(python: str) -> None:
    try:
        done = run([python, "-I", "-c", "import numpy; print('numpy', numpy.__version__)"], timeout=ASKED)
    except (OSError, TimeoutExpired) as error:
        raise DomainError("python", python, f"a Python interpreter that can be started ({error})") from None
    if done.returncode or not done.stdout.startswith("numpy "):
        said = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}, and nothing is said"])[-1]
        raise DomainError("python", python, f"a Python interpreter that has numpy ({said})")


def default_directory() -> Path:
    """Return the directory named by DP_REFIMPL_AUDIT_ENV, else `.audit-env` under the current directory."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else Path.cwd() / ".audit-env"


def locate(name: str, directory: Path | None = None) -> Environment:
    """Return the environment `name` (one of `NAMES`) made earlier in `directory`, by default `default_directory()`.

    Raises `DomainError` for another name, `AuditEnvironmentError` if there is none or it is of another lock.
    """
    directory = (directory or default_directory()).absolute()
    home = _home(name, directory)
    if not _is_current(name, home):
        raise AuditEnvironmentError(
            f"{home} holds no environment of audited libraries made from the present lock.\n"
            f"Make it with:  {COMMAND} {name} --directory {directory}"
        )
    return Environment(_program(name, home), home / "node_modules" if name == JAVASCRIPT else None)


def create(name: str, directory: Path | None = None) -> Environment:
    """Make the environment `name` unless it is there; a second process that wants it at the same time waits.

    Raises `DomainError` for a name that is not in `NAMES`, `AuditEnvironmentError` saying in plain words what is
    missing.
    """
    directory = (directory or default_directory()).absolute()
    home = _home(name, directory)
    if not _is_current(name, home):
        directory.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{home}.lock"):
            if not _is_current(name, home):
                _make(name, home)
    return locate(name, directory)


def _home(name: str, directory: Path) -> Path:
    if name not in NAMES:
        raise DomainError("name", name, f"one of {', '.join(NAMES)}")
    return directory / name


def _make(name: str, home: Path) -> None:
    newest, reason = _NEWEST.get(name, (None, ""))
    if newest is not None and sys.version_info[:2] > newest:
        raise AuditEnvironmentError(
            f"environment {name}: not with Python {sys.version_info[0]}.{sys.version_info[1]}: {reason}.\n"
            f"Run the command with Python {newest[0]}.{newest[1]} or 3.11."
        )
    if home.exists() and not (home / _STAMP).is_file() and any(home.iterdir()):
        raise AuditEnvironmentError(
            f"{home} is not empty and was not made by this command: give another directory or delete it"
        )
    if home.exists():
        shutil.rmtree(home)
    # First of all, so that what is left of an interrupted run is known as ours, and made anew.
    home.mkdir()
    (home / _STAMP).write_text("unfinished", encoding="utf-8")
    if name == JAVASCRIPT:
        _install_modules(home)
    else:
        _install(name, home)
    (home / _STAMP).write_text(_digest(name), encoding="utf-8")


def _install_modules(home: Path) -> None:
    """Install what the lock of npm names, without running anything of it."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise AuditEnvironmentError("the libraries of the npm registry need node and npm, which are not on the PATH.")
    for file in _locks(JAVASCRIPT):
        shutil.copy(file, home)
    _run([npm, "ci", "--prefix", str(home), "--ignore-scripts", "--no-audit", "--no-fund", "--silent"])


def _install(name: str, home: Path) -> None:
    """Make a virtual environment with what the locks name."""
    uv = shutil.which("uv")
    if uv is not None:
        _run([uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, str(home)])
        install = [uv, "pip", "install", "--quiet", "--python", str(_python(home))]
    else:
        made = run([sys.executable, "-I", "-m", "venv", "--copies", str(home)])
        if made.returncode:
            raise AuditEnvironmentError(
                f"cannot make a virtual environment in {home} ({_end_of(made)}).\n"
                "Missing: uv, or the venv module with ensurepip (on Debian the package python3-venv)."
            )
        install = [str(_python(home)), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        install.append("--no-compile")
    # The locks are complete, and lack on purpose what ldp-toolbox declares for its dashboard.
    install += ["--require-hashes", "--no-deps"]
    for lock in _locks(name):
        # Wheels only, so that a missing one fails at once; source archives are built with the pinned build tool
        # instead of an unpinned one.
        sources = [part for package in _SOURCE_ONLY.get(name, ()) for part in ("--no-binary", package)]
        _run([*install, "--only-binary", ":all:", *sources, "--no-build-isolation", "-r", str(lock)])
    _compile(home)


def _compile(home: Path) -> None:
    """Compile what is installed, once, as audited code runs in children that write no files.

    All but the libraries' own tests, which are two fifths; a file that is not of this version of Python stays as it is.
    """
    with warnings.catch_warnings(action="ignore"):
        compileall.compile_dir(home, quiet=2, rx=_OWN_TESTS)


def _program(name: str, home: Path) -> Path:
    return Path(shutil.which("node") or "node") if name == JAVASCRIPT else _python(home)


def _python(home: Path) -> Path:
    # Not resolved: the link inside the environment is what makes it one.
    return home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _locks(name: str) -> tuple[Path, ...]:
    """Return the locks in the order of their installation."""
    if name == JAVASCRIPT:
        return (_LOCKS / JAVASCRIPT / "package.json", _LOCKS / JAVASCRIPT / "package-lock.json")
    return tuple(_LOCKS / f"{lock}.lock" for lock in (("build", name) if name in _SOURCE_ONLY else (name,)))


def _is_current(name: str, home: Path) -> bool:
    stamp = home / _STAMP
    program = home / "node_modules" if name == JAVASCRIPT else _python(home)
    return program.exists() and stamp.is_file() and stamp.read_text(encoding="utf-8") == _digest(name)


def _digest(name: str) -> str:
    return hashlib.sha256(b"".join(lock.read_bytes() for lock in _locks(name))).hexdigest()


def _run(command: list[str]) -> None:
    try:
        done = run(command)
    except OSError as error:
        raise AuditEnvironmentError(f"cannot run {command[0]}: {error}") from error
    if done.returncode:
        raise AuditEnvironmentError(
            f"installing the audited libraries failed; a package index must be reachable, and every pinned package "
            f"must have a wheel for Python {sys.version_info[0]}.{sys.version_info[1]} on this platform.\n"
            f"command: {' '.join(command)}\n{_end_of(done)}"
        )


def _end_of(done: CompletedProcess[str]) -> str:
    return "\n".join((done.stderr or done.stdout).strip().splitlines()[-8:])
