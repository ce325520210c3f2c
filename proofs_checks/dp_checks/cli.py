"""The command line `dp-refimpl`."""

import json
import sys
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from dp_checks import ledger as ledgers
from dp_checks import statements
from dp_checks.audit.command import audit
from dp_checks.boundary import INTERRUPTED, Commands, Name, OutputFile, OutputFolder
from dp_checks.budget_command import budget
from dp_checks.cards import cards, described
from dp_checks.certificate import certificate
from dp_checks.certify import all_claims, chosen, decide_row
from dp_checks.certify import certify as run_certify
from dp_checks.kernel import Rejected, verify
from dp_checks.kernel.__main__ import printable, read
from dp_checks.kernel.work import DEFAULT
from dp_checks.ledger import Entry, Ledger, load_ledger
from dp_checks.replay import ReplayError, replay
from dp_checks.reproduce.command import reproduce
from dp_checks.statements import both, disagreement, formal_statements, load_statements
from dp_checks.status import status as status_text
from dp_checks.status import status_json
from dp_checks.tables import mechanism_table
from dp_checks.vectors.command import vectors
from dp_checks.verdict import VERDICTS, InternalDisagreementError
from dp_refimpl.mechanisms import MECHANISMS
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.source import sources
from dp_spec.vocabulary.statement import Statement

COLOURS = {"proved": "green", "verified": "cyan", "conditional": "yellow", "refuted": "red", "ill_posed": "magenta"}
OUT = Path("build/certify")
_EXAMPLES = "\b\nExamples:\n"


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dp-refimpl")
def main() -> None:
    """Executable, machine-checked specification of differential-privacy mechanisms.

    Start with `dp-refimpl list`, then `dp-refimpl explain` with an id.
    """


@main.command(
    epilog=_EXAMPLES
    + "  dp-refimpl certify\n  dp-refimpl certify '002.thm3*' --jobs 2\n  dp-refimpl certify --json run.json"
)
@click.argument("glob", default="*", metavar="[GLOB]")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--out", type=OutputFolder(), default=OUT, show_default=True, help="Certificates and journal.")
@click.option("--json", "json_file", type=OutputFile(), help="Write the fresh ledger of this run here.")
@click.option("--write", is_flag=True, help="Replace the committed ledger (whole runs only).")
def certify(glob: str, jobs: int, out: Path, json_file: Path | None, write: bool) -> None:
    """Re-derive the verdicts of the claims that match GLOB, write certificates, compare with the committed ledger.

    Exit 1 when a verdict or its evidence differs from the committed ledger, 4 when two derivations of ours disagree.
    After an interruption the same command goes on where it stopped.
    """
    path = ledgers.default_path()
    if write and glob != "*":
        raise click.UsageError("--write needs all claims: leave GLOB away")
    if write and path.parent.name == "data":
        raise click.UsageError(f"--write replaces the ledger of a source tree; {path} is an installed package's")
    rows = len(chosen(glob))
    with _progress() as bar:
        task = bar.add_task("certify", total=rows)

        def step(done: int, total: int, row: str) -> None:
            bar.update(task, completed=done, description=row)
            if not bar.console.is_terminal and (done % 20 == 0 or done == total):
                bar.console.print(f"{done}/{total} rows", highlight=False)

        try:
            run = run_certify(glob, out, jobs, step)
        except KeyboardInterrupt:
            click.echo(f"interrupted; finished rows are kept in {out}: run the same command again to go on", err=True)
            sys.exit(INTERRUPTED)
    if run.resumed:
        click.echo(f"{run.resumed} rows were taken from the interrupted run in {out}")
    if run.unusable_lines:
        click.echo(f"{run.unusable_lines} damaged journal lines were ignored and their rows decided again")
    if json_file is not None:
        json_file.write_text(run.ledger.text(), encoding="utf-8")
    _summary(run.ledger)
    click.echo(f"certificates: {run.certificates} (re-check one with: python -m dp_checks.kernel FILE)")
    if write:
        path.write_text(run.ledger.text(), encoding="utf-8")
        statements.path_beside(path).write_text(statements.text(formal_statements(all_claims())), encoding="utf-8")
        (path.parent / "ids.txt").write_text("".join(f"{i}\n" for i in run.ledger), encoding="utf-8")
        click.echo(f"wrote {path}")
        return
    committed = load_ledger()
    lines = ledgers.drift(committed, run.ledger)
    if glob == "*":
        lines += [f"{i}: committed, but no longer derived" for i in committed if i not in run.ledger]
    for line in lines:
        click.echo(f"DRIFT {line}")
    pinned, now = load_statements(committed), formal_statements(chosen(glob))
    for i in (i for i in now if i in pinned and now[i] != pinned[i]):
        click.echo("\n".join((f"STATEMENT {i}", *both(pinned[i], now[i]))))
    click.echo(f"{len(run.ledger) - len(lines)} entries agree with {path.name}, {len(lines)} differ")
    sys.exit(1 if lines else 0)


@main.command("list", epilog=_EXAMPLES + "  dp-refimpl list '002.thm*'\n  dp-refimpl list --verdict refuted --json")
@click.argument("glob", default="*", metavar="[GLOB]")
@click.option("--verdict", type=Name(VERDICTS), help="Only entries with this verdict.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
@click.option("--status", is_flag=True, help="Counts by source and verdict, and the sources (Markdown).")
def list_command(glob: str, verdict: str | None, as_json: bool, status: bool) -> None:
    """List the ledger's entries, and the mechanisms `table` knows."""
    if status:
        counted = {i: e for i, e in load_ledger().items() if fnmatchcase(i, glob)}
        shown = json.dumps(status_json(counted), indent=1, ensure_ascii=False) if as_json else status_text(counted)
        click.echo(shown)
        return
    chosen(glob)
    entries = [e for i, e in load_ledger().items() if fnmatchcase(i, glob) and verdict in (None, e.verdict)]
    if as_json:
        click.echo(json.dumps({e.id: dict(e.data) for e in entries}, indent=1, ensure_ascii=False))
        return
    for entry in entries:
        click.echo(f"{click.style(f'{entry.verdict:12}', COLOURS.get(entry.verdict))}{entry.id}")
    click.echo(f"{len(entries)} entries; mechanisms: {', '.join(MECHANISMS)}")


@main.command(
    epilog=_EXAMPLES + "  dp-refimpl explain 002.thm6.eq22.sens@fixed-data\n  dp-refimpl explain 002.thm1.sugrr.eq11"
)
@click.argument("claim")
def explain(claim: str) -> None:
    """Show a claim: statement, source, verdict, evidence; decide it afresh and replay its witness in the program."""
    entry = load_ledger()[claim]
    _describe(entry, load_ledger())
    row = next(c for c in all_claims() if claim == c.id or claim in dict(c.formals()))
    for i, formal in row.formals():
        if claim in (i, row.id) and isinstance(formal, Statement):
            _, outcomes = decide_row(row.id)
            outcome = outcomes[i]
            click.echo(f"\nfresh   {i}: {outcome.verdict} ({outcome.evidence.kind}; {outcome.evidence.scope})")
            data = outcome.evidence.data
            if "exact" in data:
                click.echo(f"replay  exact value {data['exact']}, stated {data['stated']}")
            if outcome.verdict != "unchecked":
                content = certificate(i, formal, outcome)
                verify(content)
                click.echo("kernel  accepts the certificate")
                for line in replay(content):
                    click.echo(f"replay  {line}")


@main.command("verify", epilog=_EXAMPLES + "  dp-refimpl verify build/certify/certificates/002.eq12.json --replay")
@click.argument("file", metavar="CERTIFICATE", type=click.Path(path_type=Path))
@click.option("--replay", "again", is_flag=True, help="Also enumerate the program again.")
@click.option("--work", type=click.IntRange(0), default=DEFAULT, show_default=True, help="Units of work allowed.")
def verify_command(file: Path, again: bool, work: int) -> None:
    """Re-check a certificate with the kernel; that the committed ledger has this verdict on this statement; and, with
    --replay, its laws with the programs. Exit 1 if it is rejected or cannot be replayed."""
    ledger = load_ledger()
    try:
        content = read(file, work)
        verify(content, work)
    except (OSError, Rejected) as error:
        click.echo(printable(f"REJECTED {file}: {error}"), err=True)
        sys.exit(1)
    if lines := disagreement(content, ledger):
        click.echo("\n".join((f"REJECTED {file}: {lines[0]}", *lines[1:])), err=True)
        sys.exit(1)
    known = "as in the ledger" if content["id"] in ledger else "an id that the ledger does not have"
    click.echo(f"accepted {content['id']}: {content['verdict']} ({known})")
    try:
        for line in replay(content) if again else ():
            click.echo(f"replayed {line}")
    except (InternalDisagreementError, ReplayError) as error:
        click.echo(f"NOT REPLAYED {file}: {error}", err=True)
        sys.exit(1)


@main.command(
    epilog=_EXAMPLES
    + "  dp-refimpl table grr --param d=3 --param epsilon='ln(3)'\n"
    + "  dp-refimpl table sugrr --param K=2 --param N=1 --param m=2 --param epsilon='2*ln(2)' --param view=set\n"
    + "  dp-refimpl table suwheel --param K=1 --param N=1 --param m=1 --param epsilon='ln(2)' --param hash=0,1/2\n"
    + "  dp-refimpl table rappor --param d=2 --param epsilon=1 --digits 20"
)
@click.argument("mechanism", metavar="MECHANISM")
@click.option("--param", "parameters", multiple=True, metavar="NAME=VALUE", help="epsilon, K (or d), N, m, ...")
@click.option("--digits", type=click.IntRange(1, 10000), help="Decimals instead of exact numbers.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def table(mechanism: str, parameters: tuple[str, ...], digits: int | None, as_json: bool) -> None:
    """Print the exact output law of a mechanism for every input."""
    values: dict[str, str] = {}
    for parameter in parameters:
        name, separator, value = parameter.partition("=")
        if not separator or name in values:
            raise click.UsageError(f"--param {parameter!r}: give NAME=VALUE, each name once")
        values[name] = value
    channel = mechanism_table(mechanism, values)
    rows = {
        _set(s): {_report(y): _number(p, digits, as_json) for y, p in row.items()} for s, row in channel.rows.items()
    }
    if as_json:
        click.echo(
            json.dumps({"mechanism": mechanism, "parameters": values, "rows": rows}, indent=1, ensure_ascii=False)
        )
        return
    for s, row in rows.items():
        click.echo(s)
        for y, p in row.items():
            click.echo(f"  {y:40} {p}")


@main.command("cards", epilog=_EXAMPLES + "  dp-refimpl cards\n  dp-refimpl cards --json")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def cards_command(as_json: bool) -> None:
    """List the theorems that the kernel takes on trust, with the number of claims that rest on each."""
    found = cards(load_ledger())
    if as_json:
        shown = {c.name: {"sentence": c.sentence, "source": c.source, "claims": list(c.claims)} for c in found}
        click.echo(json.dumps(shown, indent=1, ensure_ascii=False))
        return
    for card in found:
        click.echo(described(card))


main.add_command(audit)
main.add_command(budget)
main.add_command(reproduce)
main.add_command(vectors)


def _set(items: Any) -> str:
    if not isinstance(items, frozenset):
        return str(items)
    return "{" + ", ".join(str(x) for x in sorted(items, key=str)) + "}"


def _report(report: Any) -> str:
    shown = report.protected if isinstance(report.protected, tuple) else (report.protected,)
    y0 = " ".join("-" if z is None else str(z) for z in shown)
    return f"y0 = ({y0})" + (f", I = {_set(report.invertible)}" if report.invertible else "")


def _number(number: Any, digits: int | None, as_json: bool) -> str:
    exact = Real.lift(number)
    return exact.decimal(digits) if digits is not None else exact.exact() if as_json else str(exact)


def _describe(entry: Entry, ledger: Ledger) -> None:
    data = entry.data
    click.echo(
        f"{entry.id}\nsource  {data['source']}, {data['place']} ({data['kind']}, asserted by: {data['asserted_by']})"
    )
    click.echo(f"cited   {sources()[data['source']].line}")
    click.echo(f"states  {entry.statement}")
    click.echo(f"verdict {click.style(entry.verdict, COLOURS.get(entry.verdict))}")
    click.echo(f"because {entry.evidence['kind']}: {entry.evidence['scope']}")
    for key in ("readings", "corrects", "corrected_by", "see"):
        if key in data:
            value = data[key]
            click.echo(f"{key:13}{value if isinstance(value, str) else ', '.join(value)}")
    for i in entry.instead:
        click.echo(f"instead {i} is {ledger[i].verdict}: {ledger[i].statement}")


def _summary(ledger: Ledger) -> None:
    rows = Counter(e.verdict for e in ledger.values() if "row" not in e.data)
    readings = Counter(e.verdict for e in ledger.values() if "row" in e.data)
    grid = Grid("verdict", "rows", "readings")
    for verdict in VERDICTS:
        grid.add_row(verdict, str(rows[verdict]), str(readings[verdict]))
    Console().print(grid)


def _progress() -> Progress:
    columns = (TextColumn("{task.description:44}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


if __name__ == "__main__":
    main()
