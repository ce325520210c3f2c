"""What is committed about Coq is about the statements that the ledger pins, today's theory and translation."""

import json
import re
from typing import Any

import pytest

from dp_coq.compiler import HERE, theory
from dp_coq.record import COMMITTED, PENDING, drift, pending, text_of
from structure.tree import ROOT

RECORD: Any = json.loads(COMMITTED.read_text(encoding="utf-8"))
LEDGER: Any = json.loads((ROOT / "proofs_checks" / "ledger.json").read_text(encoding="utf-8"))
STATEMENTS: Any = json.loads((ROOT / "proofs_checks" / "statements.json").read_text(encoding="utf-8"))
AXIOMS = ["ClassicalDedekindReals.sig_forall_dec", "FunctionalExtensionality.functional_extensionality_dep"]
"""Those of Coq's real numbers."""
FORBIDDEN = re.compile(r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Unset|bypass_check|Declare ML)\b")


def test_the_record_is_of_the_ledger() -> None:
    assert drift(RECORD, LEDGER, STATEMENTS) == []
    assert COMMITTED.read_text(encoding="utf-8") == text_of(RECORD)


def test_nothing_is_assumed_but_real_numbers() -> None:
    assert RECORD["axioms"] == AXIOMS


def a_claim() -> str:
    return next(str(name) for name, entry in RECORD["claims"].items() if "all" in entry["theorems"])


@pytest.mark.parametrize("changed", ["digest", "claim", "theory", "statement"])
def test_a_drift_is_named(changed: str) -> None:
    record, statements, name = json.loads(json.dumps(RECORD)), dict(STATEMENTS), a_claim()
    if changed == "digest":
        record["claims"][name]["digest"] = "0" * 64
    elif changed == "claim":
        del record["claims"][name]
    elif changed == "theory":
        record["theory"] = "0" * 64
    else:
        statements[name] = {**statements[name], "relations": [["le", 0, 1]]}
    complaints = drift(record, LEDGER, statements)
    assert len(complaints) == 1
    assert name in complaints[0] or changed == "theory"


def test_without_coq_what_is_new_waits_for_it() -> None:
    ledger, name = json.loads(json.dumps(LEDGER)), a_claim()
    assert pending(RECORD, ledger) == RECORD
    ledger["claims"][name]["digest"] = "0" * 64
    record = pending(RECORD, ledger)
    assert record["claims"][name] == {"digest": "0" * 64, "theorems": {}, "kernel only": {"all": PENDING}}
    assert drift(record, ledger, STATEMENTS) == []


def test_the_theory_is_all_there_is_and_admits_nothing() -> None:
    files = {path.relative_to(HERE).as_posix(): path.read_text(encoding="utf-8") for path in HERE.rglob("*.v")}
    assert files.keys() == set(theory())
    assert [(name, word) for name, text in files.items() for word in FORBIDDEN.findall(text)] == []


def test_what_is_trusted_is_short() -> None:
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (HERE / "meaning").glob("*.v")) <= 600
