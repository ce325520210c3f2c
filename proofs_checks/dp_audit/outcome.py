"""The outcome of an audit: one row per check, each with a verdict, the exact figures, a witness and how to see it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal

from flint import fmpq

TOLERANCE = fmpq(1, 2**40)
"""Deviations up to this are the rounding of double arithmetic (2^13 units of 2^-53), far below any real fault."""

UNCERTIFIED = "oracle: uncertified (stated from the literature)"

SUPREMUM = "oracle: the largest distance of outputs, computed here from the values, exactly"

ENCLOSURE = "oracle: enclosures of the true numbers, computed here by rigorous balls"
COMPUTED = {"map": SUPREMUM, "accountant": ENCLOSURE}

BY_DESIGN = "neither does the mechanism itself keep e^epsilon there"
"""Said of privacy, where code that does what its mechanism says exceeds epsilon."""

Method = Literal["exact", "map", "accountant", "table", "process", "reports"]
"""How the evidence was obtained: enumeration of draws, or of members of a domain; calls of an accountant; a printed
table; two kinds of samples."""


EVIDENCE = "log10 of the evidence, at least"
"""The figure of a row about samples: the odds that they give against the mechanism."""
CERTAIN = "certain: "
"""The beginning of what is said of samples that the mechanism cannot give."""


class Verdict(StrEnum):
    """Of a row, from best to worst; an audit's verdict is its worst row's.

    `info`: said beside the verdict: a figure, or a run in which nothing was found. `consistent`: samples only; nothing
    was found, and the row states what would have been. `warning`: outside what the mechanism promises, but a surprise.
    `undecided`: not computed, for the reason the row states.
    """

    INFO = "info"
    CONFORMS = "conforms"
    ROUNDING = "rounding"
    CONSISTENT = "consistent"
    WARNING = "warning"
    UNDECIDED = "undecided"
    FAULT = "fault"


@dataclass(frozen=True)
class Row:
    """One check. `figures` are exact rationals, or enclosures "[a, b]" of irrational numbers by rationals, as text.

    `reproduction`: three lines of code or shell that show a deviation to somebody without this project's context.
    """

    check: str
    verdict: Verdict
    detail: str
    figures: Mapping[str, str] = field(default_factory=dict)
    witness: Mapping[str, str] = field(default_factory=dict)
    reproduction: tuple[str, ...] = ()

    @property
    def headed(self) -> str:
        """Return the detail; of a fault that was found in samples after its odds, unless it is certain."""
        evidence, level = self.figures.get(EVIDENCE), self.figures.get("error level")
        certain = self.witness.get("oracle") == "0" or "raised" in self.witness or self.detail.startswith(CERTAIN)
        if self.verdict is not Verdict.FAULT or certain or (evidence is None and level is None):
            return self.detail
        odds = int(Fraction(evidence)) if evidence is not None else len(str(int(1 / Fraction(str(level))))) - 1
        return f"odds 10^{odds} to 1: {self.detail}"


@dataclass(frozen=True)
class Audit:
    """What was audited against which oracle, by which method, under which versions and idealizations; and the rows.

    `target` names the implementation (a library, a file, a command) and `mechanism` the part of it that was run.
    `laws` (for pictures; may be empty): of "target" and "oracle" for every input the probability of every output, as
    the figures of a row. `location` (may be empty): the audited file, followed by ":" and a line where one is known.
    `certified`: the ids of the ledger that the oracle rests on; none, if it is stated from the literature.
    """

    target: str
    mechanism: str
    oracle: str
    parameters: Mapping[str, str]
    method: Method
    rows: tuple[Row, ...]
    versions: Mapping[str, str] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    tolerance: str = str(TOLERANCE)
    laws: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    location: str = ""
    certified: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Return the worst verdict of all rows."""
        return max((row.verdict for row in self.rows), key=list(Verdict).index)

    @property
    def faults(self) -> tuple[Row, ...]:
        """Return the rows whose verdict is `fault`."""
        return tuple(row for row in self.rows if row.verdict is Verdict.FAULT)

    @property
    def title(self) -> str:
        """One line: what was audited, against what."""
        parameters = ", ".join(f"{name} = {value}" for name, value in self.parameters.items())
        against = "" if self.oracle == self.mechanism else f" as {self.oracle}"
        return f"{self.target} {self.mechanism}{against}, {parameters}"

    @property
    def certification(self) -> str:
        """One line: what the oracle rests on."""
        return COMPUTED.get(self.method) or certification(self.certified)

    def row(self, check: str) -> Row:
        """Return the row of a check. Raises `KeyError` if there is none."""
        for row in self.rows:
            if row.check == check:
                return row
        raise KeyError(check)

    def as_json(self) -> dict[str, Any]:
        """Return the audit as JSON-able values (schema: `audits.schema.json` beside this module, `$defs/audit`)."""
        content = {**asdict(self), "verdict": str(self.verdict)}
        return {name: value for name, value in content.items() if value or name not in ("laws", "location")}

    def text(self) -> str:
        """Return the audit as a readable table."""
        from dp_audit.report.text import readable  # which is above this module

        lines = [f"{self.title}: {self.verdict}", f"  {self.certification}"]
        if self.versions:
            lines.append("  " + ", ".join(f"{name} {version}" for name, version in self.versions.items()))
        width = max(len(row.check) for row in self.rows)
        for row in self.rows:
            lines.append(f"  {row.verdict:10}  {row.check:{width}}  {row.headed}")
            if row.verdict in (Verdict.FAULT, Verdict.WARNING, Verdict.UNDECIDED):
                witness = ", ".join(f"{name}: {readable(value)}" for name, value in row.witness.items())
                lines += [f"  {'':10}  {'':{width}}  witness: {witness}"] if witness else []
                lines += [f"  {'':10}  {'':{width}}  | {line}" for line in row.reproduction]
        lines += [f"  model: {model}" for model in self.models] + [f"  note: {note}" for note in self.notes]
        return "\n".join(lines)


def accepted(audit: Audit, checks: Collection[str]) -> Audit:
    """Return the audit with the deviations of these checks, which are known, as information."""
    verdicts = (Verdict.WARNING, Verdict.UNDECIDED, Verdict.FAULT)
    rows = tuple(
        replace(row, verdict=Verdict.INFO, detail=f"accepted ({row.verdict}): {row.detail}")
        if row.check in checks and row.verdict in verdicts
        else row
        for row in audit.rows
    )
    return replace(audit, rows=rows)


def certification(certified: Sequence[str]) -> str:
    """Return what an oracle with these ids of the ledger rests on, in one line."""
    return f"oracle: certified by {', '.join(certified)}" if certified else UNCERTIFIED


def worst(audits: Sequence[Audit]) -> Verdict:
    """Return the worst verdict of some audits. Raises `ValueError` for none."""
    return max((audit.verdict for audit in audits), key=list(Verdict).index)
