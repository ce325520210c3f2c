"""Audits in a terminal: the sentence, a table, and under it every deviation in words, with a hint; how to see it."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.report.text import readable, shortened
from dp_audit.report.words import (
    CONFORMS,
    CONSISTENT,
    UNDECIDED,
    conclusion,
    hint,
    is_validation,
    row_sentence,
    sentence,
)
from dp_audit.report.words import DEVIATES as FOUND
from dp_checks.runtime.escapes import printable
from dp_checks.runtime.terminal import print_table, print_text

COLORS = {
    Verdict.INFO: "dim",
    Verdict.CONFORMS: "green",
    Verdict.ROUNDING: "green",
    Verdict.CONSISTENT: "cyan",
    Verdict.WARNING: "yellow",
    Verdict.UNDECIDED: "magenta",
    Verdict.FAULT: "bold red",
}
RESULTS = {CONFORMS: "bold green", CONSISTENT: "bold cyan", UNDECIDED: "bold magenta", FOUND: "bold red"}
DEVIATES = (Verdict.FAULT, Verdict.WARNING, Verdict.UNDECIDED)


def show_audit(audit: Audit, console: Console) -> None:
    """Print an audit."""
    verdict = conclusion([audit])
    print_text(console, Text.assemble((verdict, RESULTS[verdict]), ": ", (printable(sentence(audit)), "bold")))
    print_text(console, Text(printable(audit.title)))
    print_text(console, Text(printable(audit.certification), "dim"))
    if audit.versions:
        print_text(console, Text(printable(", ".join(f"{n} {v}" for n, v in audit.versions.items())), "dim"))
    for title, rows in parts(audit.rows).items():
        grid = Grid("verdict", "check", "detail", title=title, title_justify="left")
        for row in rows:
            grid.add_row(_verdict(row.verdict), Text(printable(row.check)), Text(shortened(row.headed)))
        print_table(console, grid)
    wrong = [row for row in audit.rows if row.verdict in DEVIATES]
    for row in wrong:
        _show_deviation(row, console)
    lines = next((row.reproduction for row in wrong if row.reproduction), ())
    if lines:
        console.print("to see it:")
    for line in lines:  # soft_wrap: to be copied
        console.print(Text(f"  | {printable(line)}", "cyan"), soft_wrap=True)
    for name, lines in (("model", audit.models), ("note", audit.notes)):
        for line in lines:
            print_text(console, Text(f"{name}: {printable(line)}", "dim"))


def parts(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows about laws, privacy and estimates, and apart from them those about what is accepted."""
    sections = {"Privacy, law and estimates": [row for row in rows if not is_validation(row)]}
    sections["Input validation"] = [row for row in rows if is_validation(row)]
    return {title: listed for title, listed in sections.items() if listed}


def _show_deviation(row: Row, console: Console) -> None:
    said = f": {shortened(row_sentence(row))}"
    print_text(console, Text.assemble(_verdict(row.verdict), " ", (printable(row.check), "bold"), said))
    for name, value in row.witness.items():
        print_text(console, Text(f"{printable(name)}: {shortened(readable(value))}"), 2)
    if hint(row):
        print_text(console, Text(f"hint: {hint(row)}"), 2)


def _verdict(verdict: Verdict) -> Text:
    return Text(str(verdict), COLORS[verdict])
