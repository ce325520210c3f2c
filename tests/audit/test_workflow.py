"""The reusable workflow and the action are as their documentation says."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from audit.actions import read
from dp_audit.command import audit
from structure.tree import ROOT

FILE = ROOT / ".github" / "workflows" / "audit.yml"
ACTION = ROOT / "action.yml"
GUIDE = ROOT / "docs" / "guide" / "audit-ci.md"


@cache
def workflow() -> dict[str, Any]:
    return dict(read(FILE))


def steps() -> list[dict[str, Any]]:
    return list(workflow()["jobs"]["audit"]["steps"])


def test_inputs_are_declared_used_and_documented() -> None:
    declared = set(workflow()["on"]["workflow_call"]["inputs"])
    used = set(re.findall(r"inputs\.([a-z-]+)", FILE.read_text(encoding="utf-8")))
    assert used == declared
    example = re.search(r"```yaml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    yaml = pytest.importorskip("yaml")
    (job,) = yaml.safe_load(example.group(1))["jobs"].values()
    given = workflow()["on"]["workflow_call"]["inputs"]
    assert set(job["with"]) <= declared
    assert {name for name, about in given.items() if about.get("required")} <= set(job["with"])
    assert job["permissions"] == workflow()["jobs"]["audit"]["permissions"]
    assert f"/.github/workflows/{FILE.name}@" in job["uses"]


def test_reports_are_published_even_if_the_audit_fails() -> None:
    uploads = [
        step for file in (steps(), read(ACTION)["runs"]["steps"]) for step in file if "upload" in step.get("uses", "")
    ]
    assert len(uploads) == 2
    assert all("always()" in step["if"] for step in uploads)
    assert any(step["with"].get("sarif_file") == "audit/audit.sarif" for step in uploads)


@pytest.mark.parametrize("file", [ACTION, GUIDE], ids=["action", "guide"])
def test_the_commands_and_options_named_exist(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    named = set(re.findall(r"dp-refimpl audit ([a-z]+)", text))
    assert named
    assert named <= set(audit.commands)
    known = {o for c in audit.commands.values() for p in c.params for o in p.opts} | {
        *(f"--dp-{form}" for form in ("json", "junit", "sarif", "html")),
        *("--quiet", "-r"),
    }
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)) <= known


def test_every_method_of_the_workflow_is_a_command() -> None:
    about = workflow()["on"]["workflow_call"]["inputs"]["method"]["description"]
    methods = re.findall(r"\(([^)]*)\)", about)[0].split(", ")
    assert set(methods) == set(audit.commands) - {"oracles", "environment"}
