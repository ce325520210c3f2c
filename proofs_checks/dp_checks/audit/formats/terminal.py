"""Reports in a terminal: a table for each, and under it the witness and the reproduction of all that deviates."""

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from dp_checks.audit.formats.text import printable, readable, shortened
from dp_checks.audit.report import AuditReport, Row, Verdict

COLOURS = {
    Verdict.CONFORMS: "green",
    Verdict.ROUNDING: "green",
    Verdict.CONSISTENT: "cyan",
    Verdict.WARNING: "yellow",
    Verdict.UNDECIDED: "magenta",
    Verdict.FAULT: "bold red",
}
DEVIATES = (Verdict.FAULT, Verdict.WARNING, Verdict.UNDECIDED)


def show_report(report: AuditReport, console: Console) -> None:
    """Print a report."""
    console.print(Text.assemble((printable(report.title), "bold"), ": ", _verdict(report.verdict)))
    console.print(Text(printable(report.certification), "dim"))
    if report.versions:
        console.print(Text(printable(", ".join(f"{n} {v}" for n, v in report.versions.items())), "dim"))
    grid = Grid("verdict", "check", "detail", expand=False)
    for row in report.rows:
        grid.add_row(_verdict(row.verdict), Text(printable(row.check)), Text(shortened(row.detail)))
    console.print(grid)
    for row in report.rows:
        if row.verdict in DEVIATES and (row.witness or row.reproduction):
            _show_witness(row, console)
    for name, lines in (("model", report.models), ("note", report.notes)):
        for line in lines:
            console.print(Text(f"{name}: {printable(line)}", "dim"))


def _show_witness(row: Row, console: Console) -> None:
    console.print(Text.assemble(_verdict(row.verdict), " ", (printable(row.check), "bold")))
    for name, value in row.witness.items():
        console.print(Padding(Text(f"{printable(name)}: {shortened(readable(value))}"), (0, 0, 0, 2)))
    for line in row.reproduction:  # soft_wrap: to be copied
        console.print(Text(f"  | {printable(line)}", "cyan"), soft_wrap=True)


def _verdict(verdict: Verdict) -> Text:
    return Text(str(verdict), COLOURS[verdict])
