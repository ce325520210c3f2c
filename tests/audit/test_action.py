"""The action, the reusable workflow and the pre-commit hook: what they run is what was given, as their pages say; no
input becomes program text."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from audit.actions import Runner, called, read, stubs
from audit.targets import clients
from dp_command import main
from structure.tree import ROOT

GUIDE = ROOT / "docs" / "guide" / "audit-ci.md"
ACTION, HOOKS = ROOT / "action.yml", ROOT / ".pre-commit-hooks.yaml"
WORKFLOW, RELEASE = (ROOT / ".github" / "workflows" / name for name in ("audit.yml", "release.yml"))


def audit_commands() -> dict[str, click.Command]:
    """Those of `dp-refimpl audit`."""
    audit = main.get_command(click.Context(main), "audit")
    assert isinstance(audit, click.Group)
    return dict(audit.commands)


def environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def steps(place: str) -> list[Any]:
    """Of the action and of the job of the workflow."""
    return list(read(ACTION)["runs"]["steps"] if place == "action" else read(WORKFLOW)["jobs"]["audit"]["steps"])


def declared(place: str) -> dict[str, Any]:
    inputs: dict[str, Any] = (
        read(ACTION)["inputs"] if place == "action" else read(WORKFLOW)["on"]["workflow_call"]["inputs"]
    )
    return inputs


def test_inputs_are_the_same_declared_used_and_no_program_text() -> None:
    """The workflow also has to find this repository; it chooses a Python, and publishes: its job is its own."""
    for place, file in (("action", ACTION), ("workflow", WORKFLOW)):
        assert set(re.findall(r"inputs\.([a-z-]+)", file.read_text(encoding="utf-8"))) == set(declared(place))
        assert [step for step in steps(place) if "${{" in step.get("run", "")] == []
    own, others = declared("action"), declared("workflow")
    assert set(others) - set(own) == {"repository", "ref"}
    assert set(own) <= set(others)
    assert [name for name in own if own[name]["description"] != others[name]["description"]] == []
    defaults = {
        name: str(others[name].get("default", "")).replace("True", "true").replace("False", "false") for name in own
    }
    different = {name for name in own if own[name].get("default", "") != defaults[name]}
    assert different == {"python-version", "upload-sarif"}


def test_the_example_of_the_guide_has_the_inputs_and_permissions_of_the_workflow() -> None:
    example = re.search(r"```yaml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    yaml = pytest.importorskip("yaml")
    (job,) = yaml.safe_load(example.group(1))["jobs"].values()
    inputs = declared("workflow")
    assert set(job["with"]) <= set(inputs)
    assert {name for name, about in inputs.items() if about.get("required")} <= set(job["with"])
    assert job["permissions"] == read(WORKFLOW)["jobs"]["audit"]["permissions"]
    assert f"/.github/workflows/{WORKFLOW.name}@" in job["uses"]


def test_reports_are_published_even_if_the_audit_fails() -> None:
    uploads = [step for place in ("workflow", "action") for step in steps(place) if "upload" in step.get("uses", "")]
    assert len(uploads) == 2
    assert all("always()" in step["if"] for step in uploads)
    assert any(step["with"].get("sarif_file") == "audit/audit.sarif" for step in uploads)


@pytest.mark.parametrize("file", [ACTION, GUIDE], ids=["action", "guide"])
def test_the_commands_and_options_named_exist(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    named = set(re.findall(r"dp-refimpl audit ([a-z]+)", text))
    assert named
    assert named <= set(audit_commands())
    options = {o for c in audit_commands().values() for p in c.params for o in p.opts} | {
        *(f"--dp-{form}" for form in ("json", "junit", "sarif", "html")),
        *("--quiet", "-r"),
    }
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)) <= options


def test_every_method_of_the_workflow_is_a_command() -> None:
    about = declared("workflow")["method"]["description"]
    methods = re.findall(r"\(([^)]*)\)", about)[0].split(", ")
    assert set(methods) == set(audit_commands()) - {"oracles", "environment"}


FILES = {"--json": "audit.json", "--junit": "audit.xml", "--sarif": "audit.sarif", "--html": "audit.html"}
REPORTS = [part for option, name in FILES.items() for part in (option, f"audit/{name}")]
NAMED = ["--oracle", "GRR", "--param", "d=3", "--param", "epsilon=ln(3)"]
GIVEN = {"target": "client.py:f", "oracle": "GRR"}
ASKED = [*REPORTS, "--oracle", "GRR", "--", "client.py:f"]
PIP = ["python", "-m", "pip", "install", "--quiet"]


@dataclass(frozen=True)
class Case:
    """The inputs of the step, what dp-refimpl is called with after `audit`, and how it and the step end."""

    inputs: dict[str, str]
    calls: list[list[str]]
    ends: tuple[int, int] = (0, 0)
    sarif: bool = False


CASES = {
    "plain": Case(GIVEN, [["python", *ASKED]]),
    "block scalars": Case(
        {"method": "python\n", "target": "a client.py:f\n", "oracle": "GRR\n", "parameters": "d=3\n\nepsilon=ln(3)\n"}
        | {"options": "--users\n1\n"},
        [["python", *REPORTS, *NAMED, "--users", "1", "--", "a client.py:f"]],
    ),
    "a program": Case(
        {"method": "process", "target": "node\nmy client.js\n--d\n4\n", "oracle": "GRR"},
        [["process", *REPORTS, "--oracle", "GRR", "--", "node", "my client.js", "--d", "4"]],
    ),
    "a library": Case(
        {"method": "library\n", "target": "pure-ldp\nGRR\n", "upload-sarif": "true"},
        [["environment"], ["library", *REPORTS, "--", "pure-ldp", "GRR"]],
    ),
    "strict": Case({**GIVEN, "strict": "true"}, [["python", *ASKED[:10], "--strict", *ASKED[10:]]]),
    "a fault": Case({**GIVEN, "upload-sarif": "true"}, [["python", *ASKED]], (1, 1), sarif=True),
    "undecided": Case(GIVEN, [["python", *ASKED]], (3, 3)),
    "undecided, allowed": Case({**GIVEN, "allow-undecided": "true"}, [["python", *ASKED]], (3, 0)),
    "a fault, undecided allowed": Case({**GIVEN, "allow-undecided": "true"}, [["python", *ASKED]], (1, 1)),
    "requirements": Case({**GIVEN, "requirements": "more requirements.txt\n"}, [["python", *ASKED]]),
    "program text": Case(
        {"target": "$(touch x);`touch y`", "oracle": "GRR; touch z"},
        [["python", *REPORTS, "--oracle", "GRR; touch z", "--", "$(touch x);`touch y`"]],
    ),
}


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("place", ["action", "workflow"])
@pytest.mark.parametrize("name", CASES)
def test_what_is_given_is_what_is_run(place: str, name: str, tmp_path: Path) -> None:
    case = CASES[name]
    variables, log = stubs(tmp_path, "python", "dp-refimpl", ends=case.ends[0])
    runner = Runner(tmp_path, variables, {"./.dp-refimpl": ACTION})
    inputs = {"repository": "o/dp-refimpl", "ref": "v1"} if place == "workflow" else {}
    inputs |= {
        key: str(about.get("default", "")).lower() for key, about in declared(place).items() if key not in inputs
    }
    inputs |= {"upload-sarif": "false", **case.inputs}
    assert runner.job(steps(place), inputs) == case.ends[1]
    commands = called(log)
    assert [command[2:] for command in commands if command[:2] == ["dp-refimpl", "audit"]] == case.calls
    installed = [[*PIP, "the-action"]]
    installed += [[*PIP, "-r", case.inputs["requirements"].strip()]] if "requirements" in case.inputs else []
    assert [command for command in commands if command[0] == "python"] == installed
    used = dict(runner.used)
    assert ("github/codeql-action/upload-sarif" in used) is case.sarif
    if place == "workflow":
        assert used["actions/setup-python"] == {"python-version": "3.12"}
        assert used["actions/upload-artifact"]["path"] == "audit/"
        assert ("actions/checkout", {"repository": "o/dp-refimpl", "ref": "v1", "path": ".dp-refimpl"}) in runner.used
    assert not {path.name for path in tmp_path.iterdir()} & {"x", "y", "z"}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_action_audits(tmp_path: Path) -> None:
    (tmp_path / "a client.py").write_text(Path(clients.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    own, _ = stubs(tmp_path, "python")
    path = os.pathsep.join([own["PATH"].partition(os.pathsep)[0], environment()["PATH"]])
    inputs = {name: str(about.get("default", "")).lower() for name, about in declared("action").items()}
    inputs |= {"target": "a client.py:too_little_noise\n", "oracle": "GRR\n", "upload-sarif": "true"}
    inputs |= {"parameters": "d=3\nepsilon=ln(3)\n", "options": "--users\n1\n", "allow-undecided": "true"}
    runner = Runner(tmp_path, {"PATH": path}, {})
    assert runner.job(steps("action"), inputs) == 1
    reports = json.loads((tmp_path / "audit" / "audit.json").read_text())["audits"]
    assert reports[0]["parameters"] == {"d": "3", "epsilon": "ln(3)"}
    assert {p.suffix for p in (tmp_path / "audit").iterdir()} == {".json", ".xml", ".sarif", ".html"}
    assert [name for name, _ in runner.used] == ["github/codeql-action/upload-sarif"]


@pytest.mark.slow
def test_the_hook_audits(tmp_path: Path) -> None:
    [hook] = read(HOOKS)
    assert {"id", "name", "entry", "language"} <= set(hook)
    arguments = [f"{clients.__file__}:too_little_noise", "--oracle", "GRR", "--param", "d=3", "--param", "epsilon=1"]
    command = [*hook["entry"].split(), *arguments, "--users", "1"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True)
    assert done.returncode == 1, done.stderr


def test_a_release_runs_all_checks_before_it_builds_and_publishes_what_it_built() -> None:
    jobs = read(RELEASE)["jobs"]
    run = [step.get("run", "") for step in jobs["build"]["steps"]]
    assert run.index(".ci/run") < next(i for i, text in enumerate(run) if "hatchling build" in text)
    assert jobs["publish"]["needs"] == "build"
    assert [step["name"] for step in jobs["build"]["steps"] if "${{" in step.get("run", "")] == []
