"""What audits are written as: a terminal table, JSON, JUnit XML, SARIF, an HTML page."""

from collections.abc import Sequence
from pathlib import Path

from dp_audit.outcome import Audit
from dp_audit.report.document import json_text
from dp_audit.report.junit import junit_text
from dp_audit.report.sarif import sarif_text
from dp_checks.runtime.outputs import write_file

FORMATS = ("json", "junit", "sarif", "html")


def formatted(form: str, audits: Sequence[Audit], strict: bool = False) -> str:
    """Return all audits as text in one of `FORMATS`. `strict`: warnings count as faults."""
    if form == "json":
        return json_text(audits)
    if form == "junit":
        return junit_text(audits, strict)
    if form == "sarif":
        return sarif_text(audits, strict)
    from dp_audit.report.page import html_text  # draws: the slowest import, and seldom wanted

    return html_text(audits)


def write(form: str, audits: Sequence[Audit], path: Path, strict: bool = False) -> None:
    """Write all audits to a file of a folder that there is. Raises `LinkedOutputError`, `OSError`."""
    write_file(path, formatted(form, audits, strict))
