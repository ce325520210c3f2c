"""The wheel, and an interpreter that has it and does not see our tree: fixtures of tests as outsiders."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from filelock import FileLock

from structure.tree import ROOT


def clean_environment() -> dict[str, str]:
    """The environment without this process's Python settings."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "MYPY", "VIRTUAL_ENV", "COV"))}


def run(*command: str | Path, cwd: Path, expect: int = 0) -> str:
    """What a command prints; nothing of this process's Python settings reaches it."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=clean_environment(),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=300,
        check=False,
    )
    assert done.returncode == expect, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this run of the tests, which its processes share."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "wheel"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def wheel(shared: Path) -> Path:
    out = shared / "dist"
    with FileLock(shared / "dist.lock"):
        if not out.is_dir():
            run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=ROOT)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def python(wheel: Path, shared: Path) -> Path:
    """The interpreter of an environment that has the wheel, and sees our dependencies but not our tree."""
    home = shared / "elsewhere" / "venv"
    python = Path(_paths(home)["scripts"]) / Path("python" if os.name != "nt" else "python.exe")
    with FileLock(shared / "elsewhere.lock"):
        if not home.is_dir():
            _install(wheel, home, python)
    return python


def _paths(home: Path) -> dict[str, str]:
    return sysconfig.get_paths(vars={"base": str(home), "platbase": str(home)})


def _install(wheel: Path, home: Path, python: Path) -> None:
    """Make the environment."""
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    # A folder named in a .pth file is put on the path, but the .pth files in it are not read: our tree stays invisible.
    Path(_paths(home)["purelib"], "dependencies.pth").write_text(
        sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8"
    )
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=home)
