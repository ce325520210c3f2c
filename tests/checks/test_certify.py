"""The main job: determinism, the journal, locking, drift and exit codes, as a user sees them."""

import json
import shutil
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import filelock
import pytest
from click.testing import CliRunner

from dp_checks import certify as job
from dp_checks import ledger as ledgers
from dp_checks.check.proposals import Candidate
from dp_checks.ledger import drift, load_ledger
from dp_checks.runtime.parallel import Workers
from dp_checks.status import status
from dp_checks.verdict import InternalDisagreementError
from dp_command import main
from dp_kernel import verify
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.source import papers, sources

decision = import_module("dp_checks.check.decision")  # the package has a function of this name
FAST = "002.base.grr*"
"""Rows that take no time."""


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, list(arguments))


@pytest.mark.slow
def test_a_partial_run_agrees_with_the_committed_ledger(tmp_path: Path) -> None:
    result = run("certify", FAST, "--out", str(tmp_path), "--json", str(tmp_path / "fresh.json"))
    assert result.exit_code == 0, result.output
    fresh = load_ledger(tmp_path / "fresh.json")
    assert set(fresh) == {i for i in load_ledger() if i.startswith("002.base.grr")}
    assert not drift(load_ledger(), fresh)
    for path in (tmp_path / "certificates").iterdir():
        verify(json.loads(path.read_text(encoding="utf-8")))
    again = run("certify", FAST, "--out", str(tmp_path))
    statements = len(list((tmp_path / "certificates").iterdir()))
    assert f"{statements} statements were decided before" in again.output
    assert "decided before" not in run("certify", FAST, "--fresh", "--out", str(tmp_path)).output


@pytest.mark.slow
def test_processes_do_not_change_the_result(tmp_path: Path) -> None:
    one, two = (job.certify(FAST, tmp_path / str(jobs), Workers(jobs)) for jobs in (1, 2))
    assert one.ledger.text() == two.ledger.text()
    for path in one.certificates.iterdir():
        assert path.read_bytes() == (two.certificates / path.name).read_bytes()


@pytest.mark.slow
def test_an_interrupted_run_goes_on_without_repeating_or_losing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = job.certify(FAST, tmp_path / "whole")
    decided: list[str] = []
    decide_statement = job.decide_statement

    def counted(claim: str) -> Any:
        decided.append(claim)
        return decide_statement(claim)

    monkeypatch.setattr(job, "decide_statement", counted)

    def interrupt(done: int, total: int, row: str) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        job.certify(FAST, tmp_path / "cut", progress=interrupt)
    assert len(decided) == 3
    journal = tmp_path / "cut" / "journal.jsonl"
    lines = journal.read_bytes().split(b"\n")
    journal.write_bytes(b"\n".join([lines[0], lines[1].replace(b'"', b"'", 1), lines[2], lines[0][:50]]))
    resumed = job.certify(FAST, tmp_path / "cut")
    assert (resumed.taken, resumed.damaged) == (2, (2, 4))
    wanted = [path.stem for path in whole.certificates.iterdir()]
    assert sorted(set(decided)) == sorted(wanted)
    assert len(decided) == len(wanted) + 1
    assert resumed.ledger.text() == whole.ledger.text()
    assert job.certify(FAST, tmp_path / "cut").damaged == ()


def test_two_runs_do_not_share_a_directory(tmp_path: Path) -> None:
    with filelock.FileLock(tmp_path / "lock"):
        result = run("certify", FAST, "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "another run uses" in result.output


@pytest.mark.slow
def test_drift_fails_the_run_and_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ledger.json"
    data = json.loads(ledgers.default_path().read_text(encoding="utf-8"))
    data["claims"]["002.base.grr.eq5.norm"]["verdict"] = "refuted"
    path.write_text(json.dumps(data), encoding="utf-8")
    monkeypatch.setattr(ledgers, "default_path", lambda: path)
    result = run("certify", FAST, "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert "DRIFT 002.base.grr.eq5.norm: committed refuted, now proved" in result.output


def test_an_internal_disagreement_has_its_own_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def disagree(claim: str) -> Any:
        raise InternalDisagreementError("planted")

    monkeypatch.setattr(job, "decide_statement", disagree)
    result = run("certify", FAST, "--out", str(tmp_path))
    assert result.exit_code == 4
    assert "planted" in result.output


def test_what_a_lying_checker_says_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a checker proposes, the kernel has to accept it; a counterexample that it rejects stops the run."""
    ledger = load_ledger()

    def lie(verdict: Any) -> None:
        proposed = Candidate(verdict, "lie", "everywhere", {})
        monkeypatch.setattr(decision, "candidates", lambda statement, hint="": iter([proposed]))

    lie("proved" if ledger["002.def3.eq10@membership"].verdict != "proved" else "verified")
    assert {e.verdict for e in job.certify("002.def3.eq10", tmp_path / "proof").ledger.values()} == {"unchecked"}
    lie("refuted")
    with pytest.raises(InternalDisagreementError, match="the kernel rejects"):
        job.certify("002.def3.eq10", tmp_path / "counterexample")


def test_a_certificate_has_the_form_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = ({"law": "x"},)
    monkeypatch.setattr(job, "decide", lambda formal, hint: replace(decision.decide(formal, hint), ties=planted))
    with pytest.raises(ValueError, match="fields missing"):
        job.certify("002.def3.eq10", tmp_path)


def test_unknown_globs_and_options_are_explained(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="GLOB"):
        job.chosen("999.*")
    assert run("certify", "nothing*", "--out", str(tmp_path)).exit_code == 2
    assert "leave GLOB away" in run("certify", FAST, "--write").output
    assert run("certify", "--jobs", "0").exit_code == 2


def test_explain_replays_the_witness() -> None:
    result = run("explain", "002.thm1.sugrr.eq11@set-marginal")
    assert result.exit_code == 0, result.output
    assert "replay  P([] | [1]) = 1/2" in result.output
    assert "replay  P([] | [0]) = 0" in result.output
    assert "did you mean" in run("explain", "002.thm1.sugrr.eq1").output


@pytest.mark.slow
def test_verify_accepts_replays_and_rejects(tmp_path: Path) -> None:
    run("certify", "002.thm4.surap.eq11", "--out", str(tmp_path))
    good = tmp_path / "certificates" / "002.thm4.surap.eq11@whole-marginal.json"
    result = run("verify", str(good), "--replay")
    assert result.exit_code == 0, result.output
    assert "table = enumerated program" in result.output
    tampered = tmp_path / "tampered.json"
    content = json.loads(good.read_text(encoding="utf-8"))
    content["verdict"] = "proved"
    tampered.write_text(json.dumps(content), encoding="utf-8")
    assert run("verify", str(tampered)).exit_code == 1
    shutil.copy(good, tmp_path / "cut.json")
    (tmp_path / "cut.json").write_text(good.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    assert run("verify", str(tmp_path / "cut.json")).exit_code == 1
    assert run("verify", str(tmp_path / "none.json")).exit_code == 2  # a file that cannot be read is no certificate


def test_explain_and_status_say_which_paper_a_source_is() -> None:
    for claim in ("002.eq12", "002.thm4.surap.eq11@joint"):
        assert f"cited   {sources()['002'].line}\n" in run("explain", claim).output
    assert f"cited   {papers()['lit.wang2017'].line}\n" in run("explain", "lit.wang2017.oue.privacy").output
    assert run("list", "--status").output == status(load_ledger()) + "\n"
    counted = json.loads(run("list", "--status", "--json").output)
    assert {name: about["record"] for name, about in counted.items()} == {n: s.json() for n, s in sources().items()}
    assert sum(n for about in counted.values() for group in about["counts"].values() for n in group.values()) == len(
        load_ledger()
    )


def test_list_has_a_line_for_every_entry_of_a_source_kind_and_mechanism() -> None:
    chosen = ("002.thm*", "--source", "002", "--kind", "tightness", "--mechanism", "suRAP", "--verdict", "refuted")
    ledger, rows = load_ledger(), [line.split("\t") for line in run("list", *chosen).stdout.splitlines()]
    assert [row[1] for row in rows] == [*json.loads(run("list", *chosen, "--json").output)]
    assert {(row[0], row[2]) for row in rows} == {("refuted", ledger[row[1]].sentence) for row in rows}
    assert "did you mean tightness" in run("list", "--kind", "tightnes").output
    assert "'2' is not known" in run("list", "--source", "2").output


def test_a_terminal_has_the_mechanisms_below_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "entries; mechanisms: GRR, " not in run("list", "002.base.grr*").output
    monkeypatch.setattr("dp_checks.commands.ledger.columns", lambda: 60)
    *rows, last = run("list", "002.base.grr*").output.splitlines()
    assert last.startswith(f"{len(rows)} entries; mechanisms: GRR, ")
    assert all(len(row) <= 60 for row in rows)


def test_explain_lists_what_begins_with_the_first_parts_of_an_id() -> None:
    assert run("explain", "002.thm1").stdout == run("list", "002.thm1.*").stdout
    assert "no claim '002.thm'" in run("explain", "002.thm").output


def test_explain_says_where_it_fails_and_what_the_names_are_and_has_no_tex() -> None:
    said = run("explain", "002.thm1.sugrr.tight@set").output
    assert "fails   m = 2, K = 2, N = 2, e^(ε/m) = 2 (e^ε = 4): the smallest constant is 5/2, not 4\n" in said
    assert "where   e0 = e^(ε/m); m items of a user" in said
    assert "python  from dp_refimpl import SuGRR, exact_channel, smallest_constant\n" in said
    assert not {"$", "\\"} & {*said}


def test_list_and_table_show_exact_numbers() -> None:
    listed = json.loads(run("list", "002.base.grr*", "--verdict", "proved", "--json").output)
    assert all(entry["verdict"] == "proved" for entry in listed.values())
    exact = json.loads(run("table", "grr", "--param", "d=3", "--param", "epsilon=ln(3)", "--json").output)
    assert exact["rows"]["0"]["y0 = (0)"] == "3/5"
    digits = run("table", "grr", "--param", "d=3", "--param", "epsilon=0.5", "--digits", "30")
    assert "0.451862761877606043814185154403" in digits.output
    sizes = ("--param", "K=1", "--param", "N=1", "--param", "m=1", "--param", "epsilon=ln(2)")
    point = json.loads(run("table", "suwheel", *sizes, "--param", "hash=0,1/2", "--json").output)
    assert point["rows"]["{0}"]["y0 = (0 1/3)"] == "1/2"  # the arc of item 0, twice as dense
    assert point["rows"]["{1}"]["y0 = (0 1/3), I = {1}"] == "1/4"
    subset = ("--param", "d=3", "--param", "m=1", "--param", "k=2", "--param", "epsilon=ln(3)", "--json")
    assert json.loads(run("table", "privset", *subset).output)["rows"]["{0}"]["y0 = (1 2)"] == "1/7"


def test_a_row_without_its_corrections_agrees_too(tmp_path: Path) -> None:
    """Links to corrections do not depend on which rows are chosen."""
    result = run("certify", "002.thm3.eq17.sens", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
