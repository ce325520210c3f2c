"""`dp-refimpl certify`: every verdict derived again, and compared with the committed ledger."""

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from dp_checks import ledger as ledgers
from dp_checks import lock_files
from dp_checks.certify import all_claims, chosen
from dp_checks.certify import certify as run_certify
from dp_checks.ledger import load_ledger
from dp_checks.runtime.boundary import EXAMPLES, OutputFile, OutputFolder
from dp_checks.runtime.escapes import printable
from dp_checks.runtime.outputs import write_file
from dp_checks.runtime.parallel import Workers, spreading
from dp_checks.runtime.processes import resumable
from dp_checks.runtime.terminal import Bar, print_table
from dp_checks.statements import both, formal_statements, load_statements
from dp_checks.status import agreement, certificate_line, verdict_grid
from dp_checks.theorems import checkers, coverage

OUT = Path("build/certify")


@click.command(
    epilog=EXAMPLES
    + "  dp-refimpl certify\n  dp-refimpl certify '002.thm3*' --jobs 2\n  dp-refimpl certify --json run.json"
)
@click.argument("glob", default="*", metavar="[GLOB]")
@spreading
@click.option("--out", type=OutputFolder(), default=OUT, show_default=True, help="Certificates and journal.")
@click.option("--json", "json_file", type=OutputFile(), help="Write the fresh ledger of this run here.")
@click.option("--fresh", is_flag=True, help="Decide everything again, whatever was decided before.")
@click.option("--write", is_flag=True, help="Replace the committed ledger and what is made of it (whole runs only).")
def certify(
    glob: str, jobs: int, scheduler: str | None, out: Path, json_file: Path | None, fresh: bool, write: bool
) -> None:
    """Re-derive the verdicts of the claims that match GLOB, write certificates, compare with the committed ledger.

    Exit 1 when a verdict or its evidence differs from the committed ledger, 4 when two derivations of ours disagree.
    What was decided before is not decided again unless something that it depends on has changed: a statement, a
    checker, a program, the kernel. So the same command goes on after an interruption.
    """
    path = ledgers.default_path()
    if write and glob != "*":
        raise click.UsageError("--write needs all claims: leave GLOB away")
    if write and path.parent.name == "data":
        raise click.UsageError(f"--write replaces the ledger of a source tree; {path} is an installed package's")
    chosen(glob)
    with _progress() as bar:
        task = bar.add_task("certify", total=None)

        def step(done: int, total: int, claim: str) -> None:
            bar.update(task, completed=done, total=total, description=claim)
            if not bar.console.is_terminal and (done % 50 == 0 or done == total):
                bar.console.print(f"{done}/{total} statements", highlight=False)

        again = "the same command" + (" without --fresh" if fresh else "")
        with resumable(f"what is decided is kept in {out}: run {again} again to go on"):
            run = run_certify(glob, out, Workers(jobs, scheduler), step, fresh)
    if run.taken:
        before = f"{run.taken} statements were decided before, by the same code"
        click.echo(printable(f"{before}: taken from {out} (--fresh: again)"))
    if run.damaged:
        damaged = ", ".join(map(str, run.damaged))
        click.echo(printable(f"journal in {out}: damaged lines {damaged} ignored, decided again"))
    if json_file is not None:
        if str(json_file) == "-":
            click.echo(run.ledger.text(), nl=False)
        else:
            write_file(json_file, run.ledger.text())
    print_table(Console(), verdict_grid(run.ledger))
    if by := checkers(run.ledger, path.parents[1]):
        click.echo(coverage(by.values()))
    click.echo(printable(certificate_line(run.certificates)))
    if write:
        for file, text in lock_files.texts(path, all_claims(), run.ledger).items():
            write_file(file, text)
        click.echo(printable(f"wrote {path}"))
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
    click.echo(printable(agreement(len(run.ledger), path.name, len(lines))))
    sys.exit(1 if lines else 0)


def _progress() -> Bar:
    return Bar(TextColumn("{task.description:44}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
