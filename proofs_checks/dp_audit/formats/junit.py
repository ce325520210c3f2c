"""Reports as JUnit XML: a test suite for each, a test case for each row."""

from collections.abc import Sequence
from xml.etree import ElementTree

from dp_audit.formats.text import printable
from dp_audit.formats.words import conclusion, sentence
from dp_audit.report import AuditReport, Row, Verdict


def junit_text(reports: Sequence[AuditReport], strict: bool = False) -> str:
    """A failure is a fault (`strict`: or a warning), what is undecided was skipped."""
    root = ElementTree.Element("testsuites", name="dp-refimpl audit")
    totals = [_suite(ElementTree.SubElement(root, "testsuite"), report, strict) for report in reports]
    for name, number in zip(("tests", "failures", "skipped"), map(sum, zip(*totals, strict=True)), strict=True):
        root.set(name, str(number))
    root.set("errors", "0")
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _suite(suite: ElementTree.Element, report: AuditReport, strict: bool) -> tuple[int, int, int]:
    """(tests, failures, skipped)."""
    failing = (Verdict.FAULT, Verdict.WARNING) if strict else (Verdict.FAULT,)
    failures = sum(row.verdict in failing for row in report.rows)
    skipped = sum(row.verdict is Verdict.UNDECIDED for row in report.rows)
    numbers = {"tests": len(report.rows), "failures": failures, "errors": 0, "skipped": skipped}
    suite.attrib.update({"name": printable(report.title)} | {name: str(number) for name, number in numbers.items()})
    properties = ElementTree.SubElement(suite, "properties")
    known = {
        "conclusion": conclusion([report]),
        "sentence": sentence(report),
        "oracle": report.oracle,
        "certification": report.certification,
        "method": report.method,
        "tolerance": report.tolerance,
    }
    for name, value in {**known, **report.parameters, **report.versions}.items():
        ElementTree.SubElement(properties, "property", name=printable(name), value=printable(value))
    for row in report.rows:
        case = ElementTree.SubElement(
            suite, "testcase", classname=printable(f"{report.target}.{report.mechanism}"), name=printable(row.check)
        )
        if row.verdict in failing:
            found = ElementTree.SubElement(case, "failure", message=printable(row.detail), type=str(row.verdict))
            found.text = _text(row)
        elif row.verdict is Verdict.UNDECIDED:
            ElementTree.SubElement(case, "skipped", message=printable(row.detail))
        else:
            ElementTree.SubElement(case, "system-out").text = f"{row.verdict}: {printable(row.detail)}"
    return len(report.rows), failures, skipped


def _text(row: Row) -> str:
    lines = [row.detail, *(f"{name}: {value}" for name, value in (*row.witness.items(), *row.figures.items()))]
    return printable("\n".join([*lines, *row.reproduction]))
