"""The command `dp-refimpl audit`: does the code of others, or one's own, do what its mechanism says?"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from flint import fmpq
from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid
from rich.text import Text

from dp_audit import command_options as options
from dp_audit.audit import audit_adapter, audit_process, audit_reports, audit_table
from dp_audit.environment import AUDITED, NAMES, VARIABLE, create
from dp_audit.judge.bets.sequential import Sampling
from dp_audit.judge.question import questions
from dp_audit.judge.sampling_fallback import SECONDS
from dp_audit.options import Options
from dp_audit.oracles import GROUPS, KINDS, OracleKind
from dp_audit.oracles.descriptions import example, explained
from dp_audit.outcome import TOLERANCE, Audit, certification
from dp_audit.report.cli_output import PartialAuditsError, shown
from dp_audit.run.process_sampler import Bounds
from dp_audit.run.report_files import COLUMNS
from dp_audit.run.unmodified_runs import UNMODIFIED_SECONDS
from dp_checks.runtime.boundary import EXAMPLES, Commands, Name
from dp_checks.runtime.escapes import printable
from dp_checks.runtime.processes import WorkerLostError
from dp_checks.runtime.terminal import Bar, print_table, print_text
from dp_spec.vocabulary.names import require_name

_EXITS = "Exit status: 0 no fault, 1 a fault, 2 bad usage or input, 3 no fault found but not all could be decided, "
_EXITS += "4 an error of this program."
Step = Callable[[int, int], None]
FAULT = fmpq(1, 20)
SEED = (3,)
"""Of the hash function, if nothing else is said."""


def _explain(ctx: click.Context, option: click.Parameter, kind: str | None) -> None:
    """Print what a row means, and leave."""
    if kind is not None:
        by_kind = {question.kind: question for question in questions()}
        name = require_name("explain", kind.strip().replace(" ", "-"), by_kind)
        click.echo(by_kind[name].text)
        ctx.exit()


@click.group(cls=Commands, epilog=_EXITS)
@click.option(
    "--explain", metavar="QUESTION", expose_value=False, is_eager=True, callback=_explain, help="What a row means."
)
def audit() -> None:
    """Compare an implementation with the exact law of its mechanism.

    `python`, `library` and `table` are exact; `process` and `reports` are statistical, at a stated error level.
    """


@contextmanager
def progress(what: str, total: int | None = None, plan: str = "") -> Iterator[Step]:
    """Show the plan, then progress, on the standard error, as `step(done, total)`; nothing where that is no
    terminal."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Bar(*columns) as bar:
        if plan and bar.console.is_terminal:
            print_text(bar.console, Text(printable(plan), "dim"))
        task = bar.add_task(printable(what), total=total)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def in_order(what: str, total: int, audits: Iterable[tuple[int, Audit]]) -> list[Audit]:
    """Return audits in the order of their places, with progress as they are finished.

    Raises `PartialAuditsError` where some are finished when this is interrupted or a worker is lost.
    """
    finished: dict[int, Audit] = {}
    try:
        with progress(what, total) as step:
            for place, each in audits:
                finished[place] = each
                step(len(finished), total)
    except (KeyboardInterrupt, WorkerLostError) as error:
        if not finished:
            raise
        raise PartialAuditsError([finished[place] for place in sorted(finished)], total) from error
    return [finished[place] for place in sorted(finished)]


# --- the audits ------------------------------------------------------------------------------------------------------


def named(target: str) -> tuple[str, str]:
    """Return the file and the name of FILE.py:NAME. Raises `click.UsageError`."""
    file, separator, name = target.rpartition(":")
    if not file or not separator or not name.isidentifier():
        raise click.UsageError(f"{target!r}: give FILE.py:NAME, the name of a function or class")
    if not Path(file).is_file():
        raise click.UsageError(f"no file {file}")
    return file, name


def planned(chosen: Options, mechanism: str) -> str:
    """Return what an audit of code will ask, in one line, and how many seconds each part may take."""
    assert chosen.timeout is not None
    users = f", estimates of {', '.join(map(str, chosen.users))} users if it makes any" if chosen.users else ""
    return (
        f"plan: the law of {mechanism} on every input, by enumeration ({chosen.seconds:g} s){users}; the code as it is "
        f"({UNMODIFIED_SECONDS:g} s, twice); samples, if the law stays open ({SECONDS:g} s). "
        f"No process takes more than {chosen.timeout:g} s"
    )


@audit.command(
    epilog=EXAMPLES
    + "  dp-refimpl audit python client.py:randomize --oracle GRR --param d=4 --param epsilon=1\n"
    + "  dp-refimpl audit python adapter.py:Client --oracle OUE --param d=3 --param 'epsilon=ln(3)' --users 1,2 \\\n"
    + "      --python other-env/bin/python --sarif audit.sarif --html audit.html"
)
@click.argument("target", metavar="FILE.py:NAME")
@options.ORACLE
@options.PARAM
@click.option(
    "--handed",
    multiple=True,
    metavar="NAME=VALUE",
    callback=options.handed,
    help="Further arguments of the code, as JSON or text; repeatable.",
)
@click.option("--python", "interpreter", default=sys.executable, metavar="PATH", help="Runs the file; needs numpy.")
@click.option("--users", callback=options.users, metavar="N,N", help="Sizes of data sets for estimates; default: 1,2.")
@click.option("--unit", type=click.Choice(("frequencies", "counts")), default="frequencies", show_default=True)
@options.INPUTS
@options.OUTSIDE
@click.option(
    "--conditioned",
    callback=options.users,
    metavar="K,K",
    help="Outcomes of draws that select a hash function.",
)
@click.option("--hash", "function", metavar="NAME", help="The hash function of local hashing, in the same file.")
@click.option("--paths", type=int, default=100_000, show_default=True, help="Most random paths of one report.")
@click.option(
    "--unexplored",
    type=int,
    default=60,
    show_default=True,
    help="2^-BITS of a law may stay so: loops have no last path.",
)
@click.option("--seconds", type=float, default=40.0, show_default=True, help="Of enumeration; then samples decide.")
@options.TIMEOUT
@shown
def python(
    target: str,
    mechanism: str,
    parameters: Mapping[str, object],
    handed: Mapping[str, object],
    interpreter: str,
    users: tuple[int, ...] | None,
    unit: Any,
    inputs: tuple[Any, ...] | None,
    outside: tuple[Any, ...],
    conditioned: tuple[int, ...] | None,
    function: str | None,
    paths: int,
    unexplored: int,
    seconds: float,
    timeout: float,
) -> list[Audit]:
    """Audit a Python function (item -> report) or adapter class exactly: all its random draws are enumerated."""
    file, name = named(target)
    chosen = Options(
        users=(1, 2) if users is None else users,
        unit=unit,
        names=inputs,
        outside=outside,
        conditioned=conditioned or (SEED if function is not None else ()),
        hash=function,
        limits={"paths": paths, "unexplored": unexplored},
        seconds=seconds,
        handed=handed,
        python=interpreter,
        timeout=timeout,
    )
    with progress(f"{target} as {mechanism}", plan=planned(chosen, mechanism)):
        return [audit_adapter(file, name, mechanism, parameters, chosen)]


@audit.command(epilog=EXAMPLES + "  dp-refimpl audit table law.json --oracle GRR --param d=4 --param epsilon=1")
@click.argument("file", type=click.Path(path_type=Path))
@options.ORACLE
@options.PARAM
@options.INPUTS
@click.option(
    "--tolerance",
    default=str(TOLERANCE),
    callback=options.number,
    help="How far a printed probability may be off; 2^-40.",
)
@shown
def table(
    file: Path, mechanism: str, parameters: Mapping[str, object], inputs: tuple[Any, ...] | None, tolerance: fmpq
) -> list[Audit]:
    """Audit a table of probabilities (JSON or CSV) exactly."""
    return [audit_table(file, mechanism, parameters, tolerance=tolerance, names=inputs)]


@audit.command(epilog=EXAMPLES + "  dp-refimpl audit reports reports.csv --oracle GRR --param d=4 --param epsilon=1")
@click.argument("file", type=click.Path(path_type=Path))
@options.ORACLE
@options.PARAM
@options.INPUTS
@options.LEVEL
@options.FAULT
@click.option("--input", "input_column", default=COLUMNS[0], show_default=True, help="Column of the inputs.")
@click.option("--report", "report_column", default=COLUMNS[1], show_default=True, help="Column of the reports.")
@shown
def reports(
    file: Path,
    mechanism: str,
    parameters: Mapping[str, object],
    inputs: tuple[Any, ...] | None,
    level: fmpq,
    fault: fmpq | None,
    input_column: str,
    report_column: str,
) -> list[Audit]:
    """Test a file of (input, report) pairs (CSV or Parquet) against the mechanism, statistically."""
    columns = (input_column, report_column)
    with progress(f"{file} as {mechanism}"):
        sampling = Sampling(level, FAULT if fault is None else fault, promised=fault is not None, names=inputs)
        return [audit_reports(file, mechanism, parameters, sampling, columns=columns)]


@audit.command(
    epilog=EXAMPLES + "  dp-refimpl audit process --oracle GRR --param d=4 --param epsilon=1 -- node client.js --d 4",
)
@options.ORACLE
@options.PARAM
@options.INPUTS
@options.LEVEL
@options.FAULT
@options.OUTSIDE
@click.option("--limit", type=int, default=10**6, show_default=True, help="Most reports on one input.")
@options.TIMEOUT
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND [ARGUMENT ...]")
@shown
def process(
    mechanism: str,
    parameters: Mapping[str, object],
    inputs: tuple[Any, ...] | None,
    level: fmpq,
    fault: fmpq | None,
    outside: tuple[Any, ...],
    limit: int,
    timeout: float,
    command: tuple[str, ...],
) -> list[Audit]:
    """Test a program in any language that answers requests in JSON lines, statistically."""
    with progress(f"{command[0]} as {mechanism}") as step:
        chosen = Options(names=inputs, outside=outside, bounds=Bounds(timeout=timeout))
        sampling = Sampling(level, FAULT if fault is None else fault, promised=fault is not None, limit=limit)
        report = audit_process(command, mechanism, parameters, chosen, sampling, progress=step)
    source = next((argument for argument in command if Path(argument).is_file()), "")
    return [replace(report, location=source)]


# --- what is known ---------------------------------------------------------------------------------------------------


@audit.command()
@click.argument("name", required=False, type=Name(KINDS))
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def oracles(name: str | None, as_json: bool) -> None:
    """List the mechanisms that audits know by what they report, with their parameters and what they rest on.

    `certified`: the ids of the ledger at the default parameters (--json lists them); other oracles are stated from the
    literature. With a NAME: its law, the canonical form of its reports, its parameters, a command, and the ids.
    """
    if name is not None:
        click.echo(explained(name))
        click.echo(certification(KINDS[name].certified({})))
        return
    if as_json:
        described = {
            known_as: {
                "required": [p for p in kind.parameters if p not in kind.optional],
                "optional": sorted(kind.optional),
                "means": {p: kind.described(p)[0] for p in kind.parameters},
                "example": example(kind),
                "law": kind.law,
                "report": kind.report,
                "certified": list(kind.certified({})),
            }
            for known_as, kind in KINDS.items()
        }
        click.echo(json.dumps(described, indent=1))
        return
    grid = Grid("oracle", "parameters", "optional", "certified")
    for group, kinds in GROUPS.items():
        grid.add_section()
        grid.add_row(f"[bold]{group}[/]")
        for cells, names in _alike(kinds).items():
            grid.add_row(", ".join(names), *cells)
    print_table(Console(), grid)


def _alike(kinds: Mapping[str, OracleKind]) -> dict[tuple[str, str, str], list[str]]:
    """Names of oracles by what is shown of them: parameters, those that may be left out, whether they are certified."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for name, kind in kinds.items():
        required = [p for p in kind.parameters if p not in kind.optional]
        cells = ", ".join(required), ", ".join(sorted(kind.optional)), "yes" if kind.certified({}) else ""
        alike.setdefault(cells, []).append(name)
    return alike


@audit.command()
@click.argument("names", nargs=-1, type=Name(NAMES))
@click.option(
    "--directory", type=click.Path(path_type=Path), help=f"Instead of .audit-env; audits find it by ${VARIABLE}."
)
def environment(names: tuple[str, ...], directory: Path | None) -> None:
    """Make the environments of the released libraries, pinned and hashed (default: of those audited, in .audit-env)."""
    for name in names or AUDITED:
        with progress(f"installing the audited libraries: {name}"):
            made = create(name, directory)
        click.echo(printable(f"audited libraries ready: {made.python}"))
