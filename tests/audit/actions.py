"""A small interpreter of workflows: the steps of a job or of an action, run by bash, with stubs for what they start."""

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
"""What `shell: bash` is."""
STUB = """#!/usr/bin/env bash
printf '%s\\0' {name} "$@" >> {log}
printf '\\1' >> {log}
while (($#)); do if [[ $1 == --sarif ]]; then touch "$2"; ends={ends}; fi; shift; done
exit "${{ends:-0}}"
"""
"""Writes its arguments; one that is asked for a file of SARIF ends as it is told."""
_EXPRESSION = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")


def read(path: Path) -> Any:
    """A file of YAML, which reads `on` as a truth value."""
    yaml = pytest.importorskip("yaml")  # not one of our dependencies: the documentation's tools bring it
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        return content
    return {"on" if name is True else name: value for name, value in content.items()}


@dataclass
class Runner:
    """Runs steps in a folder. `used` are the actions of others, with what they get."""

    folder: Path
    variables: Mapping[str, str]
    own: Mapping[str, Path]
    """The actions that are run here, by name."""
    used: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)

    def job(self, steps: list[Any], inputs: Mapping[str, str]) -> int:
        """The exit status of some steps: that of the first one that fails."""
        status, outputs = 0, dict[str, Mapping[str, str]]()
        for step in steps:
            contexts = {f"inputs.{name}": value for name, value in inputs.items()}
            contexts |= {
                f"steps.{i}.outputs.{name}": value for i, own in outputs.items() for name, value in own.items()
            }
            contexts |= {"github.action_path": "the-action"}
            if not self._wanted(str(step.get("if", "success()")), contexts, status == 0):
                continue
            arguments = {name: _filled(str(value), contexts) for name, value in step.get("with", {}).items()}
            if step.get("uses", "") in self.own:
                action = read(self.own[step["uses"]])
                declared = {name: str(about.get("default", "")) for name, about in action["inputs"].items()}
                assert set(arguments) <= set(declared)
                done = self.job(action["runs"]["steps"], declared | arguments)
            elif "uses" in step:
                self.used.append((step["uses"].partition("@")[0], arguments))
                continue
            else:
                done, outputs[step.get("id", "")] = self._run(step, contexts)
            status = status or done
        return status

    def _wanted(self, condition: str, contexts: Mapping[str, str], fine: bool) -> bool:
        always = "always()" in condition
        text = condition.replace("always()", "True").replace("success()", "True").replace("&&", "and")
        text = re.sub(r"(?:inputs|steps)\.[\w.-]+", lambda match: repr(contexts.get(match[0], "")), text)
        return (fine or always) and bool(eval(text, {}))

    def _run(self, step: Any, contexts: Mapping[str, str]) -> tuple[int, Mapping[str, str]]:
        written = self.folder / "github-output"
        written.write_text("", encoding="utf-8")
        own = {name: _filled(str(value), contexts) for name, value in step.get("env", {}).items()}
        variables = {**os.environ, **self.variables, **own, "GITHUB_OUTPUT": str(written)}
        done = subprocess.run([*SHELL, step["run"]], cwd=self.folder, env=variables, timeout=120, check=False)
        lines = written.read_text(encoding="utf-8").splitlines()
        return done.returncode, {line.partition("=")[0]: line.partition("=")[2] for line in lines}


def _filled(text: str, contexts: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda match: contexts[match[1]], text)


def stubs(folder: Path, *names: str, ends: int = 0) -> tuple[dict[str, str], Path]:
    """Programs that write what they are called with: the variables under which they are found, and the file.

    An audit ends with the status `ends`.
    """
    (folder / "stubs").mkdir()
    log = folder / "called"
    for name in names:
        file = folder / "stubs" / name
        file.write_text(STUB.format(log=shlex.quote(str(log)), name=name, ends=ends), encoding="utf-8")
        file.chmod(0o755)
    return {"PATH": f"{folder / 'stubs'}{os.pathsep}{os.environ['PATH']}"}, log


def called(log: Path) -> list[list[str]]:
    """The commands of the stubs, in turn."""
    return [call.split("\0")[:-1] for call in log.read_text(encoding="utf-8").split("\1")[:-1]]
