"""The reusable workflow: as its documentation says, no input becomes program text, and its script works."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from audit.targets import clients
from dp_audit.command import audit
from structure.tree import ROOT

FILE = ROOT / ".github" / "workflows" / "audit.yml"
GUIDE = ROOT / "docs" / "guide" / "audit-ci.md"


@cache
def workflow() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")  # not one of our dependencies: the documentation's tools bring it
    content: dict[Any, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return {"on": content.pop(True), **content}  # YAML 1.1 reads `on` as a truth value


def steps() -> list[dict[str, Any]]:
    return list(workflow()["jobs"]["audit"]["steps"])


def script(name: str) -> str:
    (step,) = [step for step in steps() if step.get("name") == name]
    return str(step["run"])


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


def test_no_input_becomes_program_text() -> None:
    assert [step["name"] for step in steps() if "${{" in step.get("run", "")] == []


def test_reports_are_published_even_if_the_audit_fails() -> None:
    uploads = [step for step in steps() if "upload" in step.get("uses", "")]
    assert len(uploads) == 2
    assert all("always()" in step["if"] for step in uploads)
    assert any(step["with"].get("sarif_file") == "audit/audit.sarif" for step in uploads)


@pytest.mark.parametrize("file", [FILE, GUIDE], ids=["workflow", "guide"])
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


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("function", "allow", "status"),
    [("grr", "false", 0), ("too_little_noise", "true", 1), ("hangs", "false", 3), ("hangs", "true", 0)],
)
def test_the_script_runs_the_audit(tmp_path: Path, function: str, allow: str, status: int) -> None:
    source = Path(clients.__file__).read_text(encoding="utf-8")
    extra = "\ndef hangs(item):\n    while True:\n        pass\n"
    (tmp_path / "a client.py").write_text(source + extra, encoding="utf-8")
    given = {
        "METHOD": "python",
        "TARGET": f"a client.py:{function}\n",
        "ORACLE": "GRR",
        "PARAMETERS": "d=3\nepsilon=ln(3)\n",
        "OPTIONS": "--users\n1\n" + ("--timeout\n2\n" if function == "hangs" else ""),
        "STRICT": "false",
        "ALLOW_UNDECIDED": allow,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script("audit")],
        cwd=tmp_path,
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    reports = json.loads((tmp_path / "audit" / "audit.json").read_text())["audits"]
    assert reports[0]["parameters"] == {"d": "3", "epsilon": "ln(3)"}
    assert {p.suffix for p in (tmp_path / "audit").iterdir()} == {".json", ".xml", ".sarif", ".html"}
