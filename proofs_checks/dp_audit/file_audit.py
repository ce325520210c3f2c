"""Statistical audits of files: (input, report) pairs as CSV or Parquet, read in their order and in bounded memory."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from flint import fmpq

from dp_audit.judge.bets.power import MISS
from dp_audit.judge.bets.sequential import StreamMonitor
from dp_audit.judge.bets.watches import FAULT, LEVEL
from dp_audit.oracles.base import Oracle
from dp_audit.oracles.reference import reference
from dp_audit.outcome import Audit
from dp_audit.run.report_codes import read_chunks
from dp_audit.run.report_files import COLUMNS, Format
from dp_spec.vocabulary.exceptions import FormatError
from dp_spec.vocabulary.items import Item


def audit_reports(
    path: Path | str,
    oracle: Oracle | str,
    parameters: Mapping[str, object] | None = None,
    *,
    columns: tuple[str, str] = COLUMNS,
    level: fmpq = LEVEL,
    fault: fmpq = FAULT,
    miss: fmpq = MISS,
    promised: bool = False,
    inputs: Sequence[Item] | None = None,
    form: Format | None = None,
) -> Audit:
    """Test a file of reports against an oracle, or one by name. Reading stops at the first alarm.

    `columns` name the input and the report of a row, `inputs` those that occur (None: all of the oracle), `form` the
    format (None: as the suffix says); `level`, `fault`, `miss` and `promised` as in `audit_samples`. The order of rows
    must be that in which reports were made, or any other that was not chosen by looking at them. A report that the
    mechanism cannot make is a fault. Raises `FormatError` that names file, line (or row) and column for what cannot be
    read, `MissingExtraError` without pyarrow for Parquet, `OSError` for a file that cannot be opened.
    """
    known = reference(oracle, parameters)
    watched = tuple(known.oracle.inputs if inputs is None else inputs)
    monitor = StreamMonitor(known.oracle, level=level, fault=fault, miss=miss, promised=promised, inputs=watched)
    seen = None if known.oracle.window is None else known.oracle.seen
    monitor.add_chunks(read_chunks(Path(path), watched, columns, form, monitor.row_width, seen))
    if not monitor.reports:
        raise FormatError(str(path), "no rows", "at least one row below the header")
    return Audit(
        target=str(path),
        mechanism=known.name,
        oracle=known.name,
        certified=known.certified,
        parameters=known.parameters,
        method="reports",
        rows=monitor.rows(),
        notes=(f"read up to report {monitor.reports}, where the alarm was raised",) if monitor.alarmed else (),
        location=str(path),
    )
