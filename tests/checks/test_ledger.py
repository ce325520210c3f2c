"""The ledger: computed rows, the committed file, drift, malformed files."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from dp_checks.certify import all_claims
from dp_checks.ledger import (
    FAILED,
    HELD,
    LINKS,
    Entry,
    Ledger,
    LedgerError,
    UnknownClaimError,
    VerdictError,
    build,
    default_path,
    drift,
    linked,
    load_ledger,
)
from dp_checks.lock_files import BLOCK, PAGES, refreshed
from dp_checks.verdict import VERDICTS, Evidence, Outcome, Verdict, combined
from dp_spec.vocabulary.exceptions import DomainError

ROOT = Path(__file__).parents[2]


def test_rows_are_computed_from_readings() -> None:
    """The two rules of the vocabulary, stated by quantifiers instead of cases."""
    words: tuple[Verdict, ...] = ("proved", "verified", "refuted", "ill_posed", "unchecked")
    for verdicts in product(words, repeat=3):
        readings = dict(zip("abc", verdicts, strict=True))
        parts = combined(readings, "parts")
        assert (parts == "refuted") == ("refuted" in verdicts)
        assert (parts == "proved") == all(v == "proved" for v in verdicts)
        assert parts in verdicts
        alternatives = combined(readings, "alternatives")
        conditional = any(v in HELD for v in verdicts) and any(v in FAILED for v in verdicts)
        assert (alternatives == "conditional") == conditional
        if len(set(verdicts)) == 1:
            assert alternatives == verdicts[0]
        if set(verdicts) == set(HELD):
            assert alternatives == "verified"
        if "unchecked" in verdicts and not conditional:
            assert alternatives == "unchecked"


def test_committed_ids_are_the_declared_ones() -> None:
    declared = [i for c in all_claims() for i in dict.fromkeys([c.id, *(i for i, _ in c.formals())])]
    assert len(declared) == len(set(declared))
    assert list(load_ledger()) == declared
    assert (ROOT / "proofs_checks" / "ids.txt").read_text().split() == declared


NOT_CERTIFIED = {"003.prose.randomroot@l1"}
"""Of all data it is a theorem that it fails, which no rule has: it is unchecked, and its correction holds at listed
sizes."""


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
            assert ledger[entry.data["corrects"]].verdict in FAILED or entry.data["corrects"] in NOT_CERTIFIED
            assert entry.verdict in HELD
        if entry.verdict in ("refuted", "ill_posed") and "readings" not in entry.data:
            assert entry.evidence["witness"]


def unanswered(ledger: Ledger) -> dict[str, tuple[str, ...]]:
    """Entries that fail and point to nothing, or to something that is neither proved nor verified."""
    failed = {i: entry.instead for i, entry in ledger.items() if entry.verdict in FAILED}
    return {i: to for i, to in failed.items() if not to or any(ledger[j].verdict not in HELD for j in to)}


def test_what_fails_has_a_correction_or_says_what_is_true() -> None:
    assert unanswered(load_ledger()) == {}
    assert all(entry.instead == () for entry in load_ledger().values() if entry.verdict in HELD)


def test_links_follow_from_claims_and_verdicts() -> None:
    bare = {
        i: Entry(i, e.verdict, {k: v for k, v in e.data.items() if k not in LINKS}) for i, e in load_ledger().items()
    }
    assert linked(bare, all_claims()).text() == load_ledger().text() == default_path().read_text(encoding="utf-8")


def test_every_pointer_of_a_claim_is_used() -> None:
    """A pointer from what holds, or from what has a correction, would be read by nobody."""
    ledger = load_ledger()
    for claim in all_claims():
        for i, to in claim.see.items():
            assert ledger[i].data.get("see") == list(to)


@pytest.mark.parametrize(
    ("claim", "see"),
    [
        ("002.prose.uldp.scope", []),  # a pointer forgotten
        ("002.thm4.surap.eq11@whole-marginal", ["002.thm1.sugrr.eq11@set-marginal"]),  # to what is refuted
        ("002.thm4.surap.eq11@whole-marginal", ["002.thm4.surap.eq11@whole-marginal"]),  # to itself
        ("002.thm4.surap.eq11@whole-marginal", ["002.thm4.surap.eq11@joint", "002.base.wheel.bound"]),  # to unchecked
        ("002.thm4.surap.eq11@whole-marginal", ["002.thm4.surap.eq11"]),  # to a row that holds in some readings only
    ],
)
def test_a_bad_pointer_is_caught(claim: str, see: list[str]) -> None:
    ledger = load_ledger()
    spoilt = Entry(claim, ledger[claim].verdict, {**ledger[claim].data, "see": see})
    assert claim in unanswered(Ledger({**ledger, claim: spoilt}))


def test_a_pointer_names_a_statement_of_its_row() -> None:
    claim = next(c for c in all_claims() if c.id == "002.thm4.surap.eq11")
    with pytest.raises(DomainError, match=r"002\.thm4\.surap\.eq11: see"):
        replace(claim, see={"002.thm4.surap.eq11": ("002.eq12",)})


def test_links_of_a_row_are_those_of_its_failing_readings() -> None:
    claim = next(c for c in all_claims() if c.id == "002.alg.sugrr.output")
    holds = Outcome("verified", Evidence("instances", "m = 1", {}))
    fails = Outcome("refuted", Evidence("witness", "m = 1", {"instance": {"m": 1}}))
    some = {name: fails if name.endswith("@set") else holds for name, _ in claim.formals()}
    ledger = build((claim,), some)
    assert ledger[f"{claim.id}@set"].instead == tuple(name for name, _ in claim.formals() if name != f"{claim.id}@set")
    assert ledger[claim.id].instead == ()  # conditional: it does not fail
    assert build((replace(claim, combine="parts"),), some)[claim.id].instead == ()
    pointed = replace(claim, combine="parts", see={f"{claim.id}@set": ("002.eq12",)})
    assert build((pointed,), some)[claim.id].instead == ("002.eq12",)


@pytest.mark.parametrize(("page", "blocks"), [(PAGES[0], ["verdicts", "sources"]), (PAGES[1], ["mechanisms"])])
def test_blocks_of_pages_are_those_of_the_committed_ledger(page: str, blocks: list[str]) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [name for _, name, _ in BLOCK.findall(text)] == blocks
    assert refreshed(text, load_ledger()) == text
    damaged = text.replace("proved", "refuted").replace("GRR", "RRG")
    assert refreshed(damaged, load_ledger()) != damaged


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


@pytest.mark.parametrize("claim", ["nope", "", 3, None, ("002.eq12",)])
def test_an_id_that_the_ledger_does_not_have(claim: Any) -> None:
    ledger = load_ledger()
    assert claim not in ledger
    assert ledger.get(claim) is None
    with pytest.raises(UnknownClaimError, match="no claim") as error:
        _ = ledger[claim]
    assert isinstance(error.value, KeyError)


def test_the_gate_names_every_claim_with_another_verdict() -> None:
    ledger = load_ledger()
    held, failed = (next(i for i, e in ledger.items() if e.verdict == v) for v in ("proved", "refuted"))
    ledger.require(held)
    ledger.require(failed, verdict="refuted")
    with pytest.raises(VerdictError, match=failed):
        ledger.require(held, failed)
