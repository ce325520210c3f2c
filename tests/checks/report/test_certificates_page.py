"""The page on certificates covers what the kernel knows; the page on audits what was published."""

import json
from dataclasses import fields

from certificates import real
from dp_checks.audit import AuditReport, Row, Verdict
from dp_checks.audit.libraries import LIBRARIES
from dp_checks.kernel.check import FORMAT, KINDS
from dp_checks.report import audits, certificates
from dp_checks.report.explained import EVIDENCE, explained
from dp_checks.report.reference import reference_pages
from dp_spec.vocabulary.term import OPERATORS
from structure.tree import PACKAGES, ROOT, modules


def test_every_type_of_statement_and_kind_of_evidence_is_described() -> None:
    text = "\n".join(certificates.page())
    assert [name for name in KINDS if f"\n`{name}`\n: " not in text] == []
    assert [kind for kind in EVIDENCE if f"({explained(kind)})=\n{kind}\n: " not in text] == []
    assert FORMAT in text


def test_every_field_of_a_certificate_is_described() -> None:
    optional = {"work"}
    assert {name for name, _ in certificates.FIELDS} - optional == real("formula proved").keys() - optional


def test_every_operator_of_an_expression_tree_is_described() -> None:
    text = " ".join(f"{json} {meaning}" for json, meaning in certificates.TREES)
    assert [operator for operator in OPERATORS if f'["{operator}"' not in text and f"`{operator}`" not in text] == []


def test_the_published_audits_cover_every_library_and_mechanism() -> None:
    published = audits.published(ROOT)
    given = {(r["target"], r["mechanism"]): 0 for r in published}
    for report in published:
        given[report["target"], report["mechanism"]] += 1
    assert given == {
        (library, mechanism): len(audited.parameters)
        for library, known in LIBRARIES.items()
        for mechanism, audited in known.protocols.items()
    }
    names = {f.name for f in fields(AuditReport)} - {"laws", "location"} | {"verdict"}
    assert all(set(r) == names for r in published)


def test_everything_that_deviates_is_on_its_librarys_page() -> None:
    published = audits.published(ROOT)
    pages = {name: "\n".join(lines) for name, lines in audits.pages(published).items()}
    assert set(audits.WORDS) == {str(v) for v in Verdict} == set(audits.COLOURS)
    for library in LIBRARIES:
        text, rows = pages[f"audits/{library}.md"], [r for r in published if r["target"] == library]
        assert text.count("\n## ") == len(rows)
        for row in (row for report in rows for row in report["rows"]):
            assert audits.plain(row["check"]) in text
            assert row["verdict"] not in audits.SHOWN or audits.plain(row["detail"]) in text
    assert pages["audits.md"].count("\n| **") == len(published)


def test_text_of_a_target_cannot_break_the_page() -> None:
    row = Row("law", Verdict.FAULT, "a | b <script> `c` $x$ *d* [e](f)", {}, {"output": "x`|`y"}, ("print(`1`)",))
    report = AuditReport("pure-ldp", "GRR", "GRR", {"d": "3|`4`"}, "exact", (row,), {"pure-ldp": "1"})
    pages = audits.pages([json.loads(json.dumps(report.as_json()))])
    text = "\n".join(pages["audits/pure-ldp.md"])
    assert "<script>" not in text
    assert r"\$x\$" in text
    assert r"\[e\](f)" in text
    assert text.count("`") % 2 == 0
    assert "```python\n  print('1')\n" in text


def test_the_reference_has_every_module_once() -> None:
    documented = [
        line.removeprefix(".. automodule:: ")
        for text in reference_pages().values()
        for line in text.splitlines()
        if line.startswith(".. automodule:: ")
    ]
    assert len(documented) == len(set(documented))
    left_out = {"dp_checks.report.extension"}
    expected = {
        name
        for package in PACKAGES
        for name, _ in modules(package)
        if not name.endswith("__main__") and ".adapters" not in name
    }
    assert set(documented) == expected - left_out
