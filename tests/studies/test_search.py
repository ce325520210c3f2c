"""`dp-refimpl search`: its lines and its JSON are of statements, mechanisms, oracles, commands and the guide."""

import json

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from dp_command import main
from dp_studies import search as command


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["search", *arguments])


def test_statements_mechanisms_oracles_and_commands_are_found() -> None:
    results = json.loads(run("randomized", "response", "--json").output)
    assert {thing["kind"] for thing in results} == {"claim", "mechanism", "oracle"}
    assert all(("verdict" in thing) == (thing["kind"] == "claim") for thing in results)
    rows = [line.split("\t") for line in run("amplification").stdout.splitlines()]
    assert rows[0][:2] == ["command", "dp-refimpl amplify"]


def test_a_terminal_has_the_first_lines_cut_to_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dp_checks.commands.ledger.columns", lambda: 70)
    monkeypatch.setattr(command, "columns", lambda: 70)
    *lines, last = run("suGRR").output.splitlines()
    assert len(lines) == command.SHOWN
    assert all(cell_len(line) <= 70 for line in lines)
    assert any(line.endswith("…") for line in lines)
    assert "more: --limit" in last


def test_the_limit_holds_and_nothing_found_is_bad_input() -> None:
    assert len(json.loads(run("suGRR", "--limit", "3", "--json").output)) == 3
    done = run("xqzw")
    assert (done.exit_code, "try a mechanism" in done.output) == (2, True)


@pytest.mark.parametrize(
    ("asked", "page", "start"),
    [
        ("pytest", "guide/audit-ci", "Audits in five minutes. Three ways in"),
        ("cite", "guide/cite", "Cite a verdict. A verdict is cited"),
        ("BibTeX", "guide/cite", "Cite a verdict. A verdict is cited"),
        ("synthetic table", "guide/synthetic-tables", "What does my synthetic table really spend? HMPrivBayes"),
        ("shuffling guide", "guide/amplification", "Amplification by shuffling. n users send"),
    ],
)
def test_the_guide_is_found_by_titles_first_sentences_and_keywords(asked: str, page: str, start: str) -> None:
    [kind, name, sentence] = run(*asked.split()).stdout.splitlines()[0].split("\t")
    assert (kind, name) == ("guide", f"docs/{page}.md")
    assert sentence.startswith(start)
