"""Environments of their own: of a reader, who has the wheel, and of this tree with the oldest allowed dependencies.

`python -m first_contact.environments FOLDER` makes the second one. Both need a package index.
"""

import re
import sys
import tomllib
import venv
from pathlib import Path

from consumer.wheel_environment import run
from structure.tree import ROOT

PINNED = re.compile(r"^([\w.-]+)==(\S+)(?: ; [^\\]+)?", re.MULTILINE)
"""A requirement in the lock file, with what it is pinned for."""


def requirements(lowest: bool, extra: str = "pytest") -> list[str]:
    """What the wheel and one of its extras need, at the oldest allowed release or any."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = [*declared["dependencies"], *declared["optional-dependencies"][extra]]
    return [re.sub(r">=", "==", text) if lowest else text for text in listed]


def name_of(requirement: str) -> str:
    return re.split(r"[<>=~!; ]", requirement, maxsplit=1)[0]


def tools() -> list[str]:
    """The tools of a contributor and what everything else needs, as they are locked: all but `oldest` requirements."""
    oldest = set(map(name_of, requirements(lowest=True, extra="parquet")))
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return [match.group().strip() for match in PINNED.finditer(lock) if match[1] not in oldest]


def with_wheel(folder: Path, lowest: bool) -> Path:
    """The interpreter of a new environment with the wheel."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "dist", cwd=ROOT)
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    (wheel,) = (folder / "dist").glob("*.whl")
    run(python, "-m", "pip", "install", "--quiet", *requirements(lowest), wheel, cwd=folder)
    return python


def with_tree(folder: Path) -> None:
    """A new environment with this tree (editable), the oldest allowed dependencies, and the tools as locked."""
    venv.create(folder, clear=True, with_pip=True)
    pip = (folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    locked = folder / "tools.txt"
    locked.write_text("\n".join(tools()) + "\n", encoding="utf-8")
    run(*pip, "--requirement", locked, *requirements(lowest=True, extra="parquet"), cwd=folder)
    run(*pip, "--no-deps", "--no-build-isolation", "--no-index", "--editable", ROOT, cwd=folder)


if __name__ == "__main__":
    with_tree(Path(sys.argv[1]).absolute())
