"""The action and the pre-commit hook: what they run is a command that works; no input becomes program text."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from audit.targets import clients
from structure.tree import ROOT

ACTION, HOOKS, RELEASE = (
    ROOT / name for name in ("action.yml", ".pre-commit-hooks.yaml", ".github/workflows/release.yml")
)


def read(path: Path) -> Any:
    yaml = pytest.importorskip("yaml")  # not one of our dependencies: the documentation's tools bring it
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def test_inputs_of_the_action_are_declared_used_and_no_program_text() -> None:
    action = read(ACTION)
    steps = action["runs"]["steps"]
    assert set(re.findall(r"inputs\.([a-z-]+)", ACTION.read_text(encoding="utf-8"))) == set(action["inputs"])
    assert [step for step in steps if "${{" in step["run"]] == []


@pytest.mark.slow
@pytest.mark.parametrize(("client", "code"), [("grr", 0), ("too_little_noise", 1)])
def test_the_action_audits(client: str, code: int, tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("needs bash")
    step = read(ACTION)["runs"]["steps"][-1]
    given = {"METHOD": "python", "TARGET": f"{clients.__file__}:{client}", "ORACLE": "GRR"}
    given |= {"PARAMETERS": "d=3\nepsilon=1\n", "OPTIONS": "--quiet\n--json\naudit.json\n"}
    assert set(given) == set(step["env"])
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]], cwd=tmp_path, env={**environment(), **given}, capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr
    assert (tmp_path / "audit.json").is_file()


@pytest.mark.slow
@pytest.mark.parametrize(("client", "code"), [("grr", 0), ("too_little_noise", 1)])
def test_the_hook_audits(client: str, code: int, tmp_path: Path) -> None:
    [hook] = read(HOOKS)
    assert {"id", "name", "entry", "language"} <= set(hook)
    given = [f"{clients.__file__}:{client}", "--oracle", "GRR", "--param", "d=3", "--param", "epsilon=1"]
    done = subprocess.run([*hook["entry"].split(), *given], cwd=tmp_path, env=environment(), capture_output=True)
    assert done.returncode == code, done.stderr


def test_a_release_runs_all_checks_before_it_builds_and_publishes_what_it_built() -> None:
    jobs = read(RELEASE)["jobs"]
    run = [step.get("run", "") for step in jobs["build"]["steps"]]
    assert run.index(".ci/run") < next(i for i, text in enumerate(run) if "hatchling build" in text)
    assert jobs["publish"]["needs"] == "build"
    assert [step["name"] for step in jobs["build"]["steps"] if "${{" in step.get("run", "")] == []
