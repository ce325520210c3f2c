"""The examples of the guide run as they stand."""

import contextlib
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dp_audit.oracles import KINDS
from dp_checks.ledger import load_ledger
from dp_command import main
from structure.tree import ROOT

GUIDE = ROOT / "docs" / "guide"


def code(name: str, language: str) -> list[str]:
    text = (GUIDE / name).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.slow
def test_the_typed_api_examples_print_what_they_say() -> None:
    names: dict[str, Any] = {}
    said = iter(code("api.md", "text"))
    mechanism, epsilon, sampling, tables, spending, gate, audit = code("api.md", "python")

    def without_order(text: str) -> list[str]:  # of the items of a frozenset
        return sorted(re.findall(r"[\w.]+", text))

    for block in (mechanism, epsilon):
        assert without_order(printed(block, names)) == without_order(next(said))
    assert set(names["mechanism"].domain.items) == set(eval(printed(sampling, names)))
    for block in (tables, spending):
        assert printed(block, names) == next(said)
    printed(gate, names)
    names["test_what_we_rely_on_is_proved"]()
    assert printed(audit, names).startswith("fault")


def printed(block: str, names: dict[str, Any]) -> str:
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(block, names)
    return stream.getvalue()


def test_every_claim_that_the_pages_name_exists() -> None:
    ledger = load_ledger()
    for path in (*GUIDE.glob("*.md"), ROOT / "docs" / "index.md"):
        for name in re.findall(r"\b00\d\.[a-z][\w.@-]*", path.read_text(encoding="utf-8")):
            stem = name.removesuffix(".json").rstrip(".")
            assert any(i.startswith(stem) for i in ledger), f"{path.name}: {name}"


@pytest.mark.slow
def test_the_example_on_sets_has_one_fault_and_conforms_without_it(tmp_path: Path) -> None:
    [written] = [block for block in code("audit.md", "python") if block.startswith("# sugrr.py")]
    [command] = re.findall(r"^\$ dp-refimpl (audit python sugrr.*)$", (GUIDE / "audit.md").read_text(), re.MULTILINE)
    for text, status in ((written, 1), (written.replace("math.exp(epsilon)", "math.exp(epsilon / m)"), 0)):
        (tmp_path / "sugrr.py").write_text(text, encoding="utf-8")
        arguments = command.replace("sugrr.py", str(tmp_path / "sugrr.py"), 1).split()
        done = CliRunner().invoke(main, [*arguments, "--json", "-"])
        assert done.exit_code == status, done.output
        [report] = json.loads(done.output)["audits"]
        wrong = {row["check"] for row in report["rows"] if row["verdict"] == "fault"}
        assert wrong == ({"law"} if status else set())
        assert report["certified"] == list(KINDS["SuGRR"].certified({}))


def test_the_commands_of_the_first_page_work() -> None:
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ dp-refimpl (.*)$", text, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        done = CliRunner().invoke(main, command.replace("'", "").split())
        assert done.exit_code == 0, f"{command}: {done.output}"
