"""The report of an audit: one row per check, each with a verdict, the exact figures and a witness."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from flint import fmpq

TOLERANCE = fmpq(1, 2**40)
"""Deviations up to this are the rounding of double arithmetic (2^13 units of 2^-53), far below any real fault."""


class Verdict(StrEnum):
    """Of a row; `undecided` is a row that could not be computed, for the reason it states."""

    CONFORMS = "conforms"
    ROUNDING = "rounding"
    UNDECIDED = "undecided"
    FAULT = "fault"


@dataclass(frozen=True)
class Row:
    """One check. `figures` are exact rationals, or enclosures "[a, b]" of irrational numbers by rationals, as text."""

    check: str
    verdict: Verdict
    detail: str
    figures: Mapping[str, str] = field(default_factory=dict)
    witness: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class AuditReport:
    """What was audited, under which versions and idealisations, and the rows."""

    library: str
    protocol: str
    d: int
    epsilon: str
    rows: tuple[Row, ...]
    versions: Mapping[str, str]
    models: tuple[str, ...]
    notes: tuple[str, ...]
    tolerance: str = str(TOLERANCE)

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of all rows."""
        return max((row.verdict for row in self.rows), key=list(Verdict).index)

    @property
    def faults(self) -> tuple[Row, ...]:
        """The rows whose verdict is `fault`."""
        return tuple(row for row in self.rows if row.verdict is Verdict.FAULT)

    def row(self, check: str) -> Row:
        """The row of a check. Raises `KeyError` if there is none."""
        for row in self.rows:
            if row.check == check:
                return row
        raise KeyError(check)

    def as_json(self) -> dict[str, Any]:
        """The report as JSON-able values."""
        return {**asdict(self), "verdict": str(self.verdict)}

    def text(self) -> str:
        """The report as a readable table."""
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        lines = [
            f"{self.library} {self.protocol}, d = {self.d}, epsilon = {self.epsilon}: {self.verdict}",
            f"  {versions}",
        ]
        width = max(len(row.check) for row in self.rows)
        for row in self.rows:
            lines.append(f"  {row.verdict:9}  {row.check:{width}}  {row.detail}")
            if row.verdict in (Verdict.FAULT, Verdict.UNDECIDED) and row.witness:
                witness = ", ".join(f"{name}: {value}" for name, value in row.witness.items())
                lines.append(f"  {'':9}  {'':{width}}  witness: {witness}")
        lines += [f"  model: {model}" for model in self.models] + [f"  note: {note}" for note in self.notes]
        return "\n".join(lines)
