"""Reports in a terminal: the sentence, a table, and under it every deviation in words, with a hint; how to see it."""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from dp_audit.formats.text import printable, readable, shortened
from dp_audit.formats.words import CONFORMS, UNDECIDED, conclusion, hint, is_validation, plain, sentence
from dp_audit.formats.words import DEVIATES as FOUND
from dp_audit.report import AuditReport, Row, Verdict

COLOURS = {
    Verdict.CONFORMS: "green",
    Verdict.ROUNDING: "green",
    Verdict.CONSISTENT: "cyan",
    Verdict.WARNING: "yellow",
    Verdict.UNDECIDED: "magenta",
    Verdict.FAULT: "bold red",
}
RESULTS = {CONFORMS: "bold green", UNDECIDED: "bold magenta", FOUND: "bold red"}
DEVIATES = (Verdict.FAULT, Verdict.WARNING, Verdict.UNDECIDED)


def show_report(report: AuditReport, console: Console) -> None:
    """Print a report."""
    found = conclusion([report])
    console.print(Text.assemble((found, RESULTS[found]), ": ", (printable(sentence(report)), "bold")), soft_wrap=True)
    console.print(Text(printable(report.title)))
    console.print(Text(printable(report.certification), "dim"))
    if report.versions:
        console.print(Text(printable(", ".join(f"{n} {v}" for n, v in report.versions.items())), "dim"))
    for title, rows in parts(report.rows).items():
        grid = Grid("verdict", "check", "detail", title=title, title_justify="left")
        for row in rows:
            grid.add_row(_verdict(row.verdict), Text(printable(row.check)), Text(shortened(row.detail)))
        console.print(grid)
    wrong = [row for row in report.rows if row.verdict in DEVIATES]
    for row in wrong:
        _show_deviation(row, console)
    lines = next((row.reproduction for row in wrong if row.reproduction), ())
    if lines:
        console.print("to see it:")
    for line in lines:  # soft_wrap: to be copied
        console.print(Text(f"  | {printable(line)}", "cyan"), soft_wrap=True)
    for name, lines in (("model", report.models), ("note", report.notes)):
        for line in lines:
            console.print(Text(f"{name}: {printable(line)}", "dim"))


def parts(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows about laws, privacy and estimates, and apart from them those about what is accepted."""
    found = {"Privacy, law and estimates": [row for row in rows if not is_validation(row)]}
    found["Input validation"] = [row for row in rows if is_validation(row)]
    return {title: listed for title, listed in found.items() if listed}


def _show_deviation(row: Row, console: Console) -> None:
    console.print(
        Text.assemble(_verdict(row.verdict), " ", (printable(row.check), "bold"), f": {shortened(plain(row))}")
    )
    for name, value in row.witness.items():
        console.print(Padding(Text(f"{printable(name)}: {shortened(readable(value))}"), (0, 0, 0, 2)))
    if hint(row):
        console.print(Padding(Text(f"hint: {hint(row)}"), (0, 0, 0, 2)))


def _verdict(verdict: Verdict) -> Text:
    return Text(str(verdict), COLOURS[verdict])
