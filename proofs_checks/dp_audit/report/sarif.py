"""Audits as SARIF 2.1.0: a result for each row that deviates, at the audited file where that is known."""

import hashlib
import json
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from dp_audit.observation.values import text
from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.report.kinds import kind_of, question
from dp_audit.report.text import readable, shortened, unlinked
from dp_audit.report.words import conclusion, hint, sentence
from dp_checks.runtime.escapes import json_unobeyed

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Verdict.FAULT: "error", Verdict.WARNING: "warning", Verdict.UNDECIDED: "note"}
FINGERPRINT = "dpRefimplAudit/v1"


def sarif_text(audits: Sequence[Audit], strict: bool = False) -> str:
    """Return a log with one run; a rule is a kind of check, and a result is a fault, warning or undecided row of an
    audit.

    `strict`: warnings have the level of faults.
    """
    levels = LEVELS | ({Verdict.WARNING: "error"} if strict else {})
    rows = [(audit, row) for audit in audits for row in audit.rows if row.verdict in levels]
    kinds = list(dict.fromkeys(kind_of(row.check) for audit in audits for row in audit.rows))
    results = [_result(audit, row, kinds, levels[row.verdict]) for audit, row in rows]
    driver = {"name": "dp-refimpl", "version": version("dp-refimpl"), "rules": [_rule(kind) for kind in kinds]}
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": "dp-refimpl/audit/"},
        "columnKind": "unicodeCodePoints",
        "properties": {"conclusion": conclusion(audits), "sentences": [unlinked(sentence(r)) for r in audits]}
        if audits
        else {},
        "results": results,
    }
    return json_unobeyed(json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)) + "\n"


def fingerprint(audit: Audit, row: Row) -> str:
    """Return a text that is the same for the same check of the same code and parameters, whatever its figures are."""
    asked = [audit.target, audit.mechanism, audit.oracle, sorted(audit.parameters.items()), row.check]
    return hashlib.sha256(text(asked).encode()).hexdigest()


def _rule(kind: str) -> dict[str, Any]:
    asked = question(kind)
    return {
        "id": f"dp/{kind}",
        "name": "".join(part.capitalize() for part in kind.split("-")),
        "shortDescription": {"text": asked.partition(": ")[0]},
        "fullDescription": {"text": asked},
        "help": {"text": f"{asked} An audit compares the code with the exact oracle of its mechanism."},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["privacy", "differential-privacy"], "precision": "very-high"},
    }


def _result(audit: Audit, row: Row, kinds: list[str], level: str) -> dict[str, Any]:
    kind = kind_of(row.check)
    lines = [f"{audit.title}: {row.check}: {row.headed}"]
    lines += [f"hint: {hint(row)}"] if hint(row) else []
    lines += [f"{name}: {shortened(readable(value))}" for name, value in row.witness.items()]
    lines += [*row.reproduction, audit.certification]
    return {
        "ruleId": f"dp/{kind}",
        "ruleIndex": kinds.index(kind),
        "level": level,
        "message": {"text": "\n".join(map(unlinked, lines))},
        "locations": [_location(audit)],
        "partialFingerprints": {FINGERPRINT: fingerprint(audit, row)},
        "properties": {"verdict": str(row.verdict), "figures": dict(row.figures), "witness": dict(row.witness)}
        | {"certified": list(audit.certified)},
    }


def _location(audit: Audit) -> dict[str, Any]:
    name = {"name": audit.mechanism, "fullyQualifiedName": f"{audit.target}.{audit.mechanism}", "kind": "function"}
    location: dict[str, Any] = {"logicalLocations": [name]}
    if audit.location:
        file, _, line = audit.location.rpartition(":")
        if not file or not line.isdecimal():
            file, line = audit.location, ""
        path = PurePath(file)
        artifact = {"uri": path.as_uri()} if path.is_absolute() else {"uri": quote(os.fsencode(path.as_posix()))}
        physical: dict[str, Any] = {"artifactLocation": artifact}
        # Viewers place a result on a line: the first one where none is known.
        physical["region"] = {"startLine": max(int(line or 1), 1)}
        location["physicalLocation"] = physical
    return location
