"""What reports are written as: a terminal table, JSON, JUnit XML, SARIF, an HTML page."""

from collections.abc import Sequence
from pathlib import Path

from dp_audit.formats.document import json_text
from dp_audit.formats.junit import junit_text
from dp_audit.formats.sarif import sarif_text
from dp_audit.report import AuditReport

FORMATS = ("json", "junit", "sarif", "html")


def formatted(form: str, reports: Sequence[AuditReport], strict: bool = False) -> str:
    """All reports as text in one of `FORMATS`. `strict`: warnings count as faults."""
    if form == "json":
        return json_text(reports)
    if form == "junit":
        return junit_text(reports, strict)
    if form == "sarif":
        return sarif_text(reports, strict)
    from dp_audit.formats.page import html_text  # draws: the slowest import, and seldom wanted

    return html_text(reports)


def write(form: str, reports: Sequence[AuditReport], path: Path, strict: bool = False) -> None:
    """Write all reports to a file, whose folder is made if it is missing. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(formatted(form, reports, strict), encoding="utf-8")
