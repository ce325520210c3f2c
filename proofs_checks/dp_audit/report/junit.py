"""Audits as JUnit XML: a test suite for each, a test case for each row."""

from collections.abc import Sequence
from xml.etree import ElementTree

from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.report.text import readable
from dp_audit.report.words import conclusion, sentence
from dp_checks.runtime.escapes import printable


def junit_text(audits: Sequence[Audit], strict: bool = False) -> str:
    """Return the XML: a fault (`strict`: or a warning) is a failure, an undecided row is skipped."""
    root = ElementTree.Element("testsuites", name="dp-refimpl audit")
    totals = [_suite(ElementTree.SubElement(root, "testsuite"), audit, strict) for audit in audits]
    for name, number in zip(("tests", "failures", "skipped"), map(sum, zip(*totals, strict=True)), strict=True):
        root.set(name, str(number))
    root.set("errors", "0")
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _suite(suite: ElementTree.Element, audit: Audit, strict: bool) -> tuple[int, int, int]:
    """Add the cases of an audit; return the numbers of tests, failures and skipped ones."""
    failing = (Verdict.FAULT, Verdict.WARNING) if strict else (Verdict.FAULT,)
    failures = sum(row.verdict in failing for row in audit.rows)
    skipped = sum(row.verdict is Verdict.UNDECIDED for row in audit.rows)
    numbers = {"tests": len(audit.rows), "failures": failures, "errors": 0, "skipped": skipped}
    suite.attrib.update({"name": printable(audit.title)} | {name: str(number) for name, number in numbers.items()})
    properties = ElementTree.SubElement(suite, "properties")
    facts = {
        "conclusion": conclusion([audit]),
        "sentence": sentence(audit),
        "oracle": audit.oracle,
        "certification": audit.certification,
        "method": audit.method,
        "tolerance": audit.tolerance,
    }
    for name, value in {**facts, **audit.parameters, **audit.versions}.items():
        ElementTree.SubElement(properties, "property", name=printable(name), value=printable(value))
    for row in audit.rows:
        case = ElementTree.SubElement(
            suite, "testcase", classname=printable(f"{audit.target}.{audit.mechanism}"), name=printable(row.check)
        )
        if row.verdict in failing:
            failure = ElementTree.SubElement(case, "failure", message=printable(row.headed), type=str(row.verdict))
            failure.text = _text(row)
        elif row.verdict is Verdict.UNDECIDED:
            ElementTree.SubElement(case, "skipped", message=printable(row.detail))
        else:
            ElementTree.SubElement(case, "system-out").text = f"{row.verdict}: {printable(row.detail)}"
    return len(audit.rows), failures, skipped


def _text(row: Row) -> str:
    lines = [row.headed, *(f"{name}: {readable(value)}" for name, value in row.witness.items())]
    lines += [f"{name}: {value}" for name, value in row.figures.items()]
    return "\n".join(map(printable, [*lines, *row.reproduction]))
