"""The pages on audits show what was published, all of it and nothing else."""

import json
from dataclasses import fields

from dp_audit import Audit, Row, Verdict
from dp_audit.report.markdown import escape
from dp_studies.libraries import LIBRARIES, deviations, published_audits
from structure.tree import ROOT


def test_the_published_audits_cover_every_library_and_mechanism() -> None:
    audits = published_audits.published(ROOT)
    counts = {(r["target"], r["mechanism"]): 0 for r in audits}
    for report in audits:
        counts[report["target"], report["mechanism"]] += 1
    assert counts == {
        (library, mechanism): len(audited.parameters)
        for library, entry in LIBRARIES.items()
        for mechanism, audited in entry.protocols.items()
    }
    names = {f.name for f in fields(Audit)} - {"laws", "location"} | {"verdict"}
    assert all(set(r) == names for r in audits)


def test_everything_that_deviates_is_on_its_librarys_page() -> None:
    audits = published_audits.published(ROOT)
    pages = published_audits.pages(audits)
    assert set(published_audits.WORDS) == {str(v) for v in Verdict} == set(published_audits.COLORS)
    for library in LIBRARIES:
        text, rows = pages[f"audits/{library}.md"], [r for r in audits if r["target"] == library]
        assert text.count("\n## ") == len(rows)
        assert all(line in text for code in LIBRARIES[library].exceeded.values() for line in code)
        for row in (row for report in rows for row in report["rows"]):
            assert escape(row["check"]) in text
            assert row["verdict"] not in published_audits.SHOWN or escape(row["detail"]) in text
    assert pages["audits.md"].count("\n| **") == len(audits)


def test_every_mechanism_that_deviates_has_a_page_that_shows_and_checks_it() -> None:
    audits, repaired = published_audits.published(ROOT), published_audits.repaired(ROOT)
    pages = published_audits.pages(audits, repaired)
    deviating = {(r["target"], r["mechanism"]) for r in audits if r["verdict"] == "fault"}
    assert {deviations.address(*each) for each in deviating} == {name for name in pages if name.count("/") == 2}
    for library, mechanism in deviating:
        text = pages[deviations.address(library, mechanism)]
        own = [r for r in audits if (r["target"], r["mechanism"], r["verdict"]) == (library, mechanism, "fault")]
        for row in (row for report in own for row in report["rows"] if row["verdict"] == "fault"):
            assert escape(row["detail"]).replace("|", "\\|") in text
        for after in (repaired.get((library, mechanism, deviations.parameters_key(report))) for report in own):
            assert after is None or f"| fault | {after['verdict']} |" in text
        assert f"dp-refimpl audit library {library} " in text
        repair = LIBRARIES[library].protocols[mechanism].repair
        assert repair is None or f"Proposed: {repair.says}" in text


def test_every_repair_that_can_be_run_was_run_and_ends_some_of_what_deviates() -> None:
    repaired = published_audits.repaired(ROOT)
    repairs = {
        (library, mechanism)
        for library, entry in LIBRARIES.items()
        for mechanism, audited in entry.protocols.items()
        if audited.repaired is not None
    }
    assert {(library, mechanism) for library, mechanism, _ in repaired} == repairs
    faults = {
        (r["target"], r["mechanism"], deviations.parameters_key(r)): {
            row["check"] for row in r["rows"] if row["verdict"] == "fault"
        }
        for r in published_audits.published(ROOT)
    }
    left = {key: {row["check"] for row in r["rows"] if row["verdict"] == "fault"} for key, r in repaired.items()}
    deeper = ("update, ", "later reports")  # looked at only where the law is right
    for key, checks in left.items():
        more = checks - faults[key]
        assert all(check.startswith(deeper) and "law" in faults[key] - checks for check in more)
        left[key] = checks - more
    assert all(any(left[key] < faults[key] for key in left if key[:2] == each) for each in repairs)


def test_text_of_a_target_cannot_break_the_page() -> None:
    row = Row("law", Verdict.FAULT, "a | b <script> `c` $x$ *d* [e](f)", {}, {"output": "x`|`y"}, ("print(`1`)",))
    report = Audit("pure-ldp", "GRR", "GRR", {"d": "3|`4`"}, "exact", (row,), {"pure-ldp": "1"})
    pages = published_audits.pages([json.loads(json.dumps(report.as_json()))])
    text = pages["audits/pure-ldp.md"]
    assert "<script>" not in text
    assert r"\$x\$" in text
    assert r"\[e\](f)" in text
    assert text.count("`") % 2 == 0
    assert "```python\n  print('1')\n" in text


def test_what_was_not_looked_at_stands_on_the_line_of_what_was() -> None:
    audits = published_audits.published(ROOT)
    table = published_audits.pages(audits)["audit-scope.txt"].splitlines()[2:]
    for line, library in zip(table, LIBRARIES, strict=True):
        looked, bad, left = published_audits.scope(library, audits)
        assert line.endswith(f"audits/{library}.md) | {looked} | {bad} | {escape(left)} |")
        assert all(name in left for name in LIBRARIES[library].without_oracle)
    looked, bad, left = published_audits.scope("opendp", audits)
    (line,) = (line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if line.startswith("| OpenDP |"))
    assert line.endswith(f"| {looked}, of which {bad} deviate; not looked at: {left} |")
