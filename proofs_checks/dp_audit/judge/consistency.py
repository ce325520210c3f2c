"""The rows of one audit, read together once before they are shown: what one of them says may settle another."""

from collections.abc import Sequence
from dataclasses import replace

from dp_audit.judge.plan import RAW
from dp_audit.judge.representation import CONTRADICTED
from dp_audit.observation.findings import TargetReadsClock
from dp_audit.outcome import Row, Verdict


def with_clocks(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows with one `clock` for all reads of clocks: a warning, if the law is the same at other times."""
    reads = [row for row in rows if row.check == TargetReadsClock.__name__]
    moved = [row for row in rows if row.check == "clock"]
    law = [row.verdict for row in rows if row.check.startswith("law")]
    if not reads or not moved or Verdict.UNDECIDED in law:
        return tuple(rows)
    return tuple(row for row in rows if row not in reads)


def with_raw(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows with one `raw output`: that of the law, unless real reports say something else."""
    mine = [row for row in rows if row.check == RAW]
    if len(mine) < 2:
        return tuple(rows)
    law, real = mine[0], mine[-1]
    worse = law.verdict is not Verdict.FAULT and real.verdict in (Verdict.FAULT, Verdict.WARNING)
    kept = real if worse or CONTRADICTED in real.detail else law
    return tuple(kept if row is law else row for row in rows if row is law or row.check != RAW)


def with_estimates(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows, in which estimates that are not computed where draws are replaced (a server starts threads) are
    those of the code as it is, where these are known to be right."""
    verdicts = {row.check: row.verdict for row in rows}
    if verdicts.get("many reports") not in (Verdict.CONFORMS, Verdict.ROUNDING):
        return tuple(rows)
    sentence = "with nothing replaced they are those of the estimator (`many reports`)"
    return tuple(
        replace(row, verdict=Verdict.INFO, detail=f"{row.detail}; {sentence}")
        if row.check == "estimates" and row.verdict is Verdict.UNDECIDED
        else row
        for row in rows
    )


COMPARED = ("independence", "unintercepted run", "input type", "later reports", "clock")
"""What rows begin with that compare reports with the oracle's law."""


def without_comparisons(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows without those that compare reports with the oracle's law, if samples show that the code has
    another one: they would say that again, and nothing else."""
    if not any(row.check == "law" and row.verdict is Verdict.FAULT for row in rows):
        return tuple(rows)
    return tuple(row for row in rows if row.verdict is Verdict.UNDECIDED or not row.check.startswith(COMPARED))


def read_together(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows with one for each question that two of them answer, the law's or that of the code as it is."""
    return with_estimates(with_raw(with_clocks(rows)))
