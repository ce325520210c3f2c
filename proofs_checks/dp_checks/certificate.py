"""Certificates: a statement, its verdict, the evidence and the ties of its laws, as JSON the kernel reads."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dp_checks.runtime.outputs import make_folder, write_file
from dp_checks.verdict import Outcome
from dp_kernel.certificate.check import FORMAT
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.statement import Statement


def certificate(claim: str, statement: Statement, outcome: Outcome) -> dict[str, Any]:
    """The certificate of a verdict other than `unchecked`. Raises `DomainError` for that one: it has nothing to
    certify."""
    if outcome.verdict == "unchecked":
        raise DomainError("verdict", outcome.verdict, "a verdict with evidence")
    return json_value(
        {
            "format": FORMAT,
            "id": claim,
            "statement": statement.json(),
            "verdict": outcome.verdict,
            "evidence": dict(outcome.evidence.data),
            "cards": outcome.cards,
            "ties": outcome.ties,
        }
    )


def write(directory: Path, content: dict[str, Any]) -> Path:
    """Write a certificate as `<id>.json` (characters a file name cannot carry are not used by ids)."""
    make_folder(directory)
    path = directory / f"{content['id']}.json"
    text = json.dumps(content, indent=1, sort_keys=True) + "\n"
    if not path.is_file() or path.read_bytes() != text.encode():
        write_file(path, text)
    return path


def json_value(value: Mapping[str, Any]) -> dict[str, Any]:
    """The value as it is read back from JSON: tuples become lists."""
    result: dict[str, Any] = json.loads(json.dumps(dict(value)))
    return result
