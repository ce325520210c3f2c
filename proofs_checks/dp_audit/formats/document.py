"""Reports as JSON, and its published schema."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dp_audit.formats.words import conclusion, sentence
from dp_audit.report import AuditReport, Row, Verdict, worst

FORMAT = "dp-refimpl audit 1"
SCHEMA = Path(__file__).parents[1] / "report.schema.json"


def json_text(reports: Sequence[AuditReport]) -> str:
    """All reports as a JSON document that `report.schema.json` describes."""
    listed = [{**r.as_json(), "conclusion": conclusion([r]), "sentence": sentence(r)} for r in reports]
    said = {"format": FORMAT, "verdict": str(worst(reports)), "conclusion": conclusion(reports)}
    return json.dumps({**said, "reports": listed}, indent=1, ensure_ascii=True) + "\n"


def read_report(content: Mapping[str, Any]) -> AuditReport:
    """The report that `AuditReport.as_json` wrote, after JSON. Raises `KeyError`, `TypeError` for anything else."""
    rows = tuple(
        Row(**{**row, "verdict": Verdict(row["verdict"]), "reproduction": tuple(row["reproduction"])})
        for row in content["rows"]
    )
    lines = {name: tuple(content[name]) for name in ("models", "notes", "certified")}
    rest = {name: value for name, value in content.items() if name not in ("verdict", "conclusion", "sentence")}
    return AuditReport(**{**rest, **lines, "rows": rows})


@cache
def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of documents; a single report is `$defs/report`."""
    found: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return found
