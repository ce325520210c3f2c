"""The ledger: computed rows, the committed file, drift, malformed files."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from dp_checks.certify import all_claims
from dp_checks.ledger import Entry, LedgerError, build, default_path, drift, load_ledger
from dp_checks.status import BEGIN, END, status, status_table
from dp_checks.verdict import VERDICTS, Evidence, Outcome, Verdict, combined

ROOT = Path(__file__).parents[2]
HOLDS: tuple[Verdict, ...] = ("proved", "verified")


@pytest.mark.parametrize(
    "verdicts", list(product(("proved", "verified", "refuted", "ill_posed", "unchecked"), repeat=3))
)
def test_rows_are_computed_from_readings(verdicts: tuple[Verdict, ...]) -> None:
    """The two rules of the vocabulary, stated by quantifiers instead of cases."""
    readings = dict(zip("abc", verdicts, strict=True))
    parts = combined(readings, "parts")
    assert (parts == "refuted") == ("refuted" in verdicts)
    assert (parts == "proved") == all(v == "proved" for v in verdicts)
    assert parts in verdicts
    alternatives = combined(readings, "alternatives")
    assert (alternatives == "conditional") == (
        "unchecked" not in verdicts and any(v in HOLDS for v in verdicts) and any(v not in HOLDS for v in verdicts)
    )
    if len(set(verdicts)) == 1:
        assert alternatives == verdicts[0]
    if set(verdicts) == set(HOLDS):
        assert alternatives == "verified"
    if "unchecked" in verdicts and set(verdicts) != {"unchecked"}:
        assert alternatives == "unchecked"


def test_committed_ids_are_the_declared_ones() -> None:
    declared = [i for c in all_claims() for i in dict.fromkeys([c.id, *(i for i, _ in c.formals())])]
    assert len(declared) == len(set(declared))
    assert list(load_ledger()) == declared
    assert (ROOT / "proofs_checks" / "ids.txt").read_text().split() == declared


def test_every_entry_is_complete_and_linked() -> None:
    ledger = load_ledger()
    for i, entry in ledger.items():
        assert entry.verdict in VERDICTS
        assert entry.evidence["kind"]
        assert entry.evidence["scope"]
        for other in (*entry.data.get("readings", ()), *entry.data.get("corrected_by", ())):
            assert other in ledger
        if "readings" in entry.data:
            readings = {j: ledger[j].verdict for j in entry.data["readings"]}
            assert entry.verdict == combined(readings, entry.data["combine"])
            assert all(ledger[j].data["row"] == i for j in readings)
        else:
            assert entry.verdict != "conditional"
        if "corrects" in entry.data:
            assert i in ledger[entry.data["corrects"]].data["corrected_by"]
            assert ledger[entry.data["corrects"]].verdict in ("refuted", "ill_posed")
            assert entry.verdict in HOLDS
        if entry.verdict in ("refuted", "ill_posed") and "readings" not in entry.data:
            assert entry.evidence["witness"]


def test_readme_carries_the_status_of_the_committed_ledger() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count(BEGIN) == text.count(END) == 1
    shown = text.split(BEGIN)[1].split(END)[0].strip()
    assert shown.startswith(status_table(load_ledger()))
    assert status(load_ledger()).startswith(shown)


def test_readme_shows_what_certify_prints() -> None:
    text, ledger = (ROOT / "README.md").read_text(encoding="utf-8"), load_ledger()
    for verdict in VERDICTS:
        of_rows, of_readings = (
            sum(e.verdict == verdict for e in ledger.values() if ("row" in e.data) == reading)
            for reading in (False, True)
        )
        assert f"│ {verdict:11} │ {of_rows:<4} │ {of_readings:<8} │" in text
    assert f"{len(ledger)} entries agree with ledger.json, 0 differ" in text


def test_drift_names_what_changed() -> None:
    ledger = load_ledger()
    assert drift(ledger, ledger) == []
    i, entry = next(iter(ledger.items()))
    flipped = Entry(i, "refuted", {**entry.data, "verdict": "refuted"})
    assert drift(ledger, {i: flipped}) == [f"{i}: committed {entry.verdict}, now refuted"]
    reworded = Entry(i, entry.verdict, {**entry.data, "statement": "something else"})
    assert drift(ledger, {i: reworded}) == [f"{i}: {entry.verdict} as before, but statement changed"]
    assert drift({}, {i: entry}) == [f"{i}: not in the committed ledger (now {entry.verdict})"]


def test_build_computes_rows_and_keeps_witnesses() -> None:
    claim = next(c for c in all_claims() if c.id == "002.pad.unbiased")
    outcomes = {
        "002.pad.unbiased@short": Outcome("proved", Evidence("lemma", "all", {"lemma": "x"})),
        "002.pad.unbiased@long": Outcome("refuted", Evidence("witness", "m = 1", {"instance": {"m": 1}})),
    }
    ledger = build((claim,), outcomes)
    assert [e.verdict for e in ledger.values()] == ["refuted", "proved", "refuted"]
    assert ledger["002.pad.unbiased@long"].evidence["witness"] == {"instance": {"m": 1}}
    assert "witness" not in ledger["002.pad.unbiased@short"].evidence
    assert build((replace(claim, combine="alternatives"),), outcomes)["002.pad.unbiased"].verdict == "conditional"


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda d: d.pop("claims"), "claims"),
        (lambda d: d.update(format="another"), "format"),
        (lambda d: next(iter(d["claims"].values())).update(verdict="true"), "verdict"),
        (lambda d: next(iter(d["claims"].values())).pop("evidence"), "evidence"),
        (lambda d: next(iter(d["claims"].values())).update(evidence={"kind": 1, "scope": "x"}), "evidence/kind"),
        (lambda d: next(iter(d["claims"].values())).update(mood="good"), "mood"),
    ],
)
def test_malformed_ledgers_are_refused(tmp_path: Path, spoil: Any, complaint: str) -> None:
    data = json.loads(default_path().read_text(encoding="utf-8"))
    spoil(data)
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(LedgerError, match=complaint):
        load_ledger(path)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[1, 2]"])
def test_files_that_are_no_ledgers_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ledger.json"
    path.write_bytes(content)
    with pytest.raises(LedgerError, match=r"ledger\.json"):
        load_ledger(path)
    with pytest.raises(LedgerError, match=r"missing\.json"):
        load_ledger(tmp_path / "missing.json")
