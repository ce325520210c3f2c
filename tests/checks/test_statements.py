"""Formal statements are pinned: a row whose statement is replaced fails `certify` and `verify`, and both are shown."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from corpus.certificates import real
from dp_checks import certify as job
from dp_checks import ledger as ledgers
from dp_checks import statements
from dp_checks.commands import certify as certify_command
from dp_checks.commands import verify as verify_command
from dp_checks.ledger import LedgerError, load_ledger
from dp_checks.statements import both, formal_statements, load_statements
from dp_command import main
from dp_kernel.certificate.digest import digest
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.term import term

ROW = "002.base.grr.eq5.norm"
TRIVIAL = Formula(Domain({"w": Range(1, strict=True)}), (("eq", term(1), term(1)),))


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The formal statement of one row says 1 = 1."""
    claims = tuple(replace(c, formal=TRIVIAL) if c.id == ROW else c for c in job.all_claims())
    monkeypatch.setattr(job, "all_claims", lambda: claims)


@pytest.mark.slow
@pytest.mark.usefixtures("replaced")
def test_a_replaced_statement_fails_the_run_and_its_certificate(tmp_path: Path) -> None:
    result = run("certify", ROW, "--out", str(tmp_path))
    assert result.exit_code == 1, result.output
    pinned = load_ledger()[ROW].digest
    assert f"DRIFT {ROW}: another statement (digest {pinned}, now {digest(TRIVIAL.json())};" in result.output
    text = result.output.split(f"STATEMENT {ROW}")[1]
    for said in ('+relations.0 = ["eq", 1, 1]', *(f"-relations.{i}" for i in range(2))):
        assert said in text
    path = str(tmp_path / "certificates" / f"{ROW}.json")
    verified = run("verify", path)
    assert verified.exit_code == 1
    assert "pins another statement" in verified.output
    assert '+relations.0 = ["eq", 1, 1]' in verified.output
    assert "-relations.0" in verified.output


@pytest.mark.slow
def test_a_certificate_under_another_id_or_verdict_is_rejected(tmp_path: Path) -> None:
    run("certify", ROW, "--out", str(tmp_path))
    path = tmp_path / "certificates" / f"{ROW}.json"
    assert "(as in the ledger)" in run("verify", str(path)).output
    content = json.loads(path.read_text(encoding="utf-8"))
    for claim, code, said in (
        ("002.def1.order", 1, "pins another statement"),
        ("002.def1.eq1", 1, "pins no statement"),  # a row with readings
        ("somebody.elses", 0, "an id that the ledger does not have"),
    ):
        path.write_text(json.dumps({**content, "id": claim}), encoding="utf-8")
        result = run("verify", str(path))
        assert (result.exit_code, said in result.output) == (code, True), result.output


def test_another_verdict_than_the_ledgers_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("certify", ROW, "--out", str(tmp_path))
    data = json.loads(ledgers.default_path().read_text(encoding="utf-8"))
    data["claims"][ROW]["verdict"] = "verified"
    (tmp_path / "ledger.json").write_text(json.dumps(data), encoding="utf-8")
    monkeypatch.setattr(verify_command, "load_ledger", lambda: load_ledger(tmp_path / "ledger.json"))
    result = run("verify", str(tmp_path / "certificates" / f"{ROW}.json"))
    assert result.exit_code == 1
    assert "the ledger's verdict is verified, here proved" in result.output


def test_a_law_that_no_program_is_known_for_is_no_traceback(tmp_path: Path) -> None:
    path, content = tmp_path / "mine.json", real("ratio proved")
    content["id"], content["statement"]["law"]["mechanism"] = "mine", "mine-own"
    content["ties"][0]["law"] = digest(content["statement"]["law"])
    path.write_text(json.dumps(content), encoding="utf-8")
    assert run("verify", str(path)).exit_code == 0
    result = run("verify", str(path), "--replay")
    assert result.exit_code == 1
    assert "NOT REPLAYED" in result.output
    assert "mine-own" in result.output
    assert isinstance(result.exception, SystemExit)


@pytest.mark.slow
def test_the_committed_statements_are_the_pinned_and_the_present_ones() -> None:
    ledger = load_ledger()
    assert load_statements(ledger) == formal_statements(job.all_claims())
    path = statements.path_beside(ledgers.default_path())
    assert path.read_text(encoding="utf-8") == statements.text(formal_statements(job.all_claims()))
    for entry in ledger.values():
        assert (entry.digest is None) == (entry.verdict == "unchecked" or "readings" in entry.data)


@pytest.mark.parametrize("content", ["", "[]", "{}", "null", '{"002.def2.eq4": {}}'])
def test_other_statements_than_the_pinned_ones_are_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "statements.json").write_text(content, encoding="utf-8")
    with pytest.raises(LedgerError, match=r"statements\.json"):
        load_statements(load_ledger(), tmp_path / "statements.json")
    with pytest.raises(LedgerError, match="missing"):
        load_statements(load_ledger(), tmp_path / "missing")


def test_a_ledger_without_digests_is_refused(tmp_path: Path) -> None:
    data = json.loads(ledgers.default_path().read_text(encoding="utf-8"))
    del data["claims"][ROW]["digest"]
    (tmp_path / "ledger.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(LedgerError, match=ROW):
        load_ledger(tmp_path / "ledger.json")
    data["format"] = "dp-refimpl ledger 1"
    (tmp_path / "ledger.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(LedgerError, match="format"):
        load_ledger(tmp_path / "ledger.json")


def test_what_changed_is_shown_from_both_sides() -> None:
    statement = TRIVIAL.json()
    assert both(statement, statement) == []
    other = {**statement, "domain": {**statement["domain"], "constraints": [["sub", 1, "w"]]}}
    lines = both(statement, other)
    assert "-domain.constraints = []" in lines
    assert '+domain.constraints.0 = ["sub", 1, "w"]' in lines


def test_write_makes_a_ledger_and_statements_that_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = job.chosen("002.base.grr.*")[:2]
    for module in (job, certify_command):
        monkeypatch.setattr(module, "all_claims", lambda: rows)
    monkeypatch.setattr(ledgers, "default_path", lambda: tmp_path / "ledger.json")
    monkeypatch.setattr(statements, "default_path", lambda: tmp_path / "ledger.json")
    assert run("certify", "--write", "--out", str(tmp_path / "out")).exit_code == 0
    assert load_statements(load_ledger()) == formal_statements(rows)
    assert (tmp_path / "ids.txt").read_text(encoding="utf-8").split() == list(load_ledger())
    assert run("certify", "--out", str(tmp_path / "out")).exit_code == 0
    changed = replace(rows[-1], formal=TRIVIAL)
    rows = (*rows[:-1], changed)
    assert run("certify", "--out", str(tmp_path / "out")).exit_code == 1
    assert run("certify", "--write", "--out", str(tmp_path / "out")).exit_code == 0
    assert load_statements(load_ledger())[changed.id] == TRIVIAL.json()
    (tmp_path / "statements.json").write_text("{}", encoding="utf-8")
    assert run("certify", "--out", str(tmp_path / "out")).exit_code == 2
