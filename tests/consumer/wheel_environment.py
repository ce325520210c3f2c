"""The wheel, and an interpreter that has it and does not see our tree: fixtures of tests as outsiders."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

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
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=ROOT)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has the wheel, and sees our dependencies but not our tree."""
    home = tmp_path_factory.mktemp("elsewhere") / "venv"
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    paths = sysconfig.get_paths(vars={"base": str(home), "platbase": str(home)})
    python = Path(paths["scripts"]) / Path("python" if os.name != "nt" else "python.exe")
    # A folder named in a .pth file is put on the path, but the .pth files in it are not read: our tree stays invisible.
    Path(paths["purelib"], "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=home)
    return python
