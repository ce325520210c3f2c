"""Audits as JSON, and its published schema."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dp_audit.outcome import Audit, Row, Verdict, worst
from dp_audit.report.words import conclusion, sentence
from dp_checks.runtime.escapes import json_unobeyed

FORMAT = "dp-refimpl audit 2"
SCHEMA = Path(__file__).parents[1] / "audits.schema.json"


def json_text(audits: Sequence[Audit]) -> str:
    """Return all audits as a JSON document that `audits.schema.json` describes."""
    listed = [{**r.as_json(), "conclusion": conclusion([r]), "sentence": sentence(r)} for r in audits]
    said = {"format": FORMAT, "verdict": str(worst(audits)), "conclusion": conclusion(audits)}
    return json_unobeyed(json.dumps({**said, "audits": listed}, indent=1, ensure_ascii=True)) + "\n"


def read_audit(content: Mapping[str, Any]) -> Audit:
    """Return the audit that `Audit.as_json` wrote, after JSON.

    Raises `KeyError`, `TypeError`, `ValueError` for anything else.
    """
    rows = tuple(
        Row(**{**row, "verdict": Verdict(row["verdict"]), "reproduction": tuple(row["reproduction"])})
        for row in content["rows"]
    )
    lines = {name: tuple(content[name]) for name in ("models", "notes", "certified")}
    rest = {name: value for name, value in content.items() if name not in ("verdict", "conclusion", "sentence")}
    return Audit(**{**rest, **lines, "rows": rows})


@cache
def schema() -> dict[str, Any]:
    """Return the JSON schema (2020-12) of documents; a single audit is `$defs/audit`."""
    document: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return document
