"""The lines that a child answers, checked one by one: what is not as agreed is a finding."""

import json
from typing import Any

from dp_audit.observation.findings import Finding, MalformedAnswer


class Lines:
    """Reads the JSON lines of a child. `where` it was last; whether it has `ended` of its own accord."""

    def __init__(self) -> None:
        self.where = "the start"
        self.ended = False
        self.findings: list[Finding] = []

    def take(self, line: bytes) -> None:
        """Read one line; what is not as agreed becomes a `MalformedAnswer`."""
        try:
            answer = json.loads(line)
            self.take_part(answer["part"], answer)
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
            self.findings.append(MalformedAnswer(f"{type(error).__name__}: {error}, in {line[:200]!r}"))

    def take_part(self, part: str, answer: dict[str, Any]) -> None:
        """One part of the answer. Raises `ValueError` and the like for what is not as agreed."""
        raise NotImplementedError
