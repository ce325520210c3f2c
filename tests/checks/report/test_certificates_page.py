"""The page on certificates covers what the kernel knows; the page on audits what was published."""

import json
from dataclasses import fields

from dp_checks.audit import AuditReport, Row, Verdict
from dp_checks.audit.library import LIBRARIES
from dp_checks.kernel.check import CHECKS, FORMAT
from dp_checks.report import audits, certificates
from dp_checks.report.explained import EVIDENCE, explained
from dp_checks.report.reference import reference_pages
from dp_spec.vocabulary.term import OPERATORS
from structure.tree import PACKAGES, ROOT, modules


def test_every_type_of_statement_and_kind_of_evidence_is_described() -> None:
    text = "\n".join(certificates.page())
    assert [name for name in CHECKS if f"\n`{name}`\n: " not in text] == []
    assert [kind for kind in EVIDENCE if f"({explained(kind)})=\n{kind}\n: " not in text] == []
    assert FORMAT in text


def test_every_field_of_a_certificate_is_described() -> None:
    assert [name for name, _ in certificates.FIELDS] == ["format", "id", "statement", "verdict", "evidence"]


def test_every_operator_of_an_expression_tree_is_described() -> None:
    text = " ".join(f"{json} {meaning}" for json, meaning in certificates.TREES)
    assert [operator for operator in OPERATORS if f'["{operator}"' not in text and f"`{operator}`" not in text] == []


def test_the_published_audits_cover_every_library_and_protocol() -> None:
    published = audits.published(ROOT)
    assert {(r["library"], r["protocol"], r["d"]) for r in published} == {
        (library, protocol, d)
        for library, known in LIBRARIES.items()
        for protocol in known.protocols
        for d in audits.SIZES[protocol]
    }
    names = {f.name for f in fields(AuditReport)} | {"verdict"}
    assert all(set(r) == names for r in published)


def test_every_row_of_an_audit_is_on_the_page() -> None:
    published = audits.published(ROOT)
    text = "\n".join(audits.page(published))
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    for report in published:
        assert f"### {report['library']} {report['protocol']}, d = {report['d']}" in text
        for row in report["rows"]:
            assert any(line.startswith(f"| {row['check']} |") for line in rows), row["check"]
    assert set(audits.WORDS) == {str(v) for v in Verdict} == set(audits.COLOURS)


def test_text_of_a_target_cannot_break_the_page() -> None:
    row = Row("law", Verdict.FAULT, "a | b <script> `c` $x$ *d*", {}, {"output": "x`|`y"})
    report = AuditReport("pure-ldp", "GRR", 3, "ln(3)", (row,), {"pure-ldp": "1"}, (), ())
    text = "\n".join(audits.page([json.loads(json.dumps(report.as_json()))]))
    assert "<script>" not in text
    [line] = [line for line in text.splitlines() if line.startswith("| law |")]
    assert r"a \\| b" in line or r"a \| b" in line
    assert r"\$x\$" in line


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
