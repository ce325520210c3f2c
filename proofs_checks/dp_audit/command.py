"""The command `dp-refimpl audit`: does the code of others, or one's own, do what its mechanism says?"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any

import click
from flint import fmpq
from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from dp_audit.audits import TOLERANCE, Audit, Verdict, accepted, certification
from dp_audit.environment import AUDITED, NAMES, create
from dp_audit.exact.python import Checks, audit_adapter
from dp_audit.exact.table import audit_table
from dp_audit.formats import FORMATS, formatted, write
from dp_audit.formats.terminal import show_audit
from dp_audit.formats.words import conclusion
from dp_audit.libraries import LIBRARIES
from dp_audit.library import audit_protocols
from dp_audit.oracles import KINDS
from dp_audit.reading import is_json
from dp_audit.samples.files import COLUMNS, audit_reports
from dp_audit.samples.process import audit_process
from dp_audit.samples.sampler import Bounds
from dp_audit.values import freeze, rational
from dp_checks.boundary import EXAMPLES, Commands, Name
from dp_checks.outputs import require_unlinked
from dp_checks.parallel import Workers, spreading
from dp_checks.terminal import Bar, print_table

_EXITS = "Exit status: 0 no fault, 1 a fault, 2 bad usage or input, 3 no fault found but not all could be decided, "
_EXITS += "4 an error of this program."
Step = Callable[[int, int], None]


@click.group(cls=Commands, epilog=_EXITS)
def audit() -> None:
    """Compare an implementation with the exact law of its mechanism.

    `python`, `library` and `table` are exact; `process` and `reports` are statistical, at a stated error level.
    """


# --- options that all audits have ------------------------------------------------------------------------------------


def _pairs(ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, object]:
    """NAME=VALUE, every name once; a value that begins with a bracket is a JSON list."""
    found: dict[str, object] = {}
    for text in given:
        name, separator, value = text.partition("=")
        if not separator or not name or name in found:
            raise click.BadParameter(f"{text!r}: give NAME=VALUE, each name once", ctx, option)
        try:
            found[name] = json.loads(value, parse_float=_no_float) if value.startswith("[") else value
        except ValueError as error:
            raise click.BadParameter(
                f"{text!r}: not a JSON list of integers and texts ({error})", ctx, option
            ) from error
    return found


def _no_float(text: str) -> object:
    raise ValueError(f"{text}: write a number with a fraction as text")


def _users(ctx: click.Context, option: click.Parameter, given: str | None) -> tuple[int, ...] | None:
    if given is None:
        return None
    try:
        return tuple(int(text) for text in given.split(",")) if given else ()
    except ValueError as error:
        raise click.BadParameter(f"{given!r}: give numbers of users, as 1,2", ctx, option) from error


def _values(ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[Any, ...]:
    """Inputs: JSON where it is JSON, otherwise text; NaN and infinities are written in JSON."""
    found: list[Any] = []
    for text in given:
        value = json.loads(text) if is_json(text) else text
        try:
            found.append(value if isinstance(value, float) else freeze(value))
        except (ValueError, TypeError) as error:
            raise click.BadParameter(f"{text!r}: {error}", ctx, option) from error
    return tuple(found)


def _names(ctx: click.Context, option: click.Parameter, given: str | None) -> tuple[Any, ...] | None:
    """The names of all items: a JSON list, or texts between commas."""
    if given is None:
        return None
    if not given.lstrip().startswith("["):
        return _values(ctx, option, tuple(part.strip() for part in given.split(",")))
    value = json.loads(given) if is_json(given) else None
    if not isinstance(value, list):
        raise click.BadParameter(f"{given!r}: give a JSON list, or names between commas", ctx, option)
    return _values(ctx, option, tuple(json.dumps(part) for part in value))


_NUMBER = re.compile(r"[0-9]+/[0-9]+|[0-9]*\.?[0-9]+(?:[eE]-?[0-9]{1,3})?")


def _number(ctx: click.Context, option: click.Parameter, given: str | None) -> fmpq | None:
    """An exact rational number from a decimal as 0.05 or 1e-6, or a fraction as 1/20."""
    if given is None:
        return None
    try:
        if not _NUMBER.fullmatch(given):
            raise ValueError(given)
        return rational(str(Fraction(given)))
    except (ValueError, ZeroDivisionError) as error:
        raise click.BadParameter(f"{given!r}: give a number, as 1e-6 or 1/20", ctx, option) from error


_PARAM = click.option(
    "--param", "parameters", multiple=True, metavar="NAME=VALUE", callback=_pairs, help="Of the mechanism; repeatable."
)
_ORACLE = click.option(
    "--oracle",
    "mechanism",
    required=True,
    metavar="NAME",
    type=Name(KINDS),
    help="The mechanism (`dp-refimpl audit oracles`).",
)
_TIMEOUT = click.option("--timeout", type=float, default=120.0, show_default=True, help="Seconds.")
_OUTSIDE = click.option(
    "--outside", multiple=True, metavar="INPUT", callback=_values, help="Should be refused (JSON, or text); repeatable."
)
_LEVEL = click.option(
    "--level", default="1e-6", show_default=True, callback=_number, help="Probability of a false alarm, at most."
)
_FAULT = click.option(
    "--fault",
    callback=_number,
    help="Relative fault that must be found, else `undecided`; default: 0.05 is looked for.",
)
FAULT = fmpq(1, 20)
SEED = (3,)
"""Of the hash function, if nothing else is said."""


def _shown(command: Callable[..., list[Audit]]) -> Callable[..., None]:
    """The common options: a command that returns audits shows them, writes them, and exits with their status."""

    @wraps(command)
    def run(
        *, files: dict[str, str | None], strict: bool, quiet: bool, accept: tuple[str, ...], **options: Any
    ) -> None:
        if sum(path == "-" for path in files.values()) > 1:
            raise click.UsageError("only one format can go to the standard output")
        for path in files.values():
            require_unlinked(Path(path or "-"))  # before the work
        audits = command(**options)
        checks = {row.check for each in audits for row in each.rows}
        if not checks >= set(accept):
            unknown = ", ".join(sorted(set(accept) - checks))
            raise click.UsageError(
                f"--accept: {unknown}: no checks of this audit, which has {', '.join(sorted(checks))}"
            )
        audits = [accepted(each, accept) for each in audits]
        to_stdout = False
        for form, path in files.items():
            if path == "-":
                click.echo(formatted(form, audits, strict), nl=False)
                to_stdout = True
            elif path is not None:
                write(form, audits, Path(path), strict)
        if not quiet and not to_stdout:
            console = Console()
            for each in audits:
                show_audit(each, console)
            if len(audits) > 1:
                click.echo(f"{len(audits)} audits: {conclusion(audits)}")
        sys.exit(exit_status(audits, strict))

    @wraps(run)
    def collected(**options: Any) -> None:
        files = {form: options.pop(f"{form}_file") for form in FORMATS}
        run(files=files, **options)

    decorated: Callable[..., None] = collected
    for form in reversed(FORMATS):
        named = {"json": "JSON", "junit": "JUnit XML", "sarif": "SARIF 2.1.0", "html": "an HTML page"}[form]
        decorated = click.option(f"--{form}", f"{form}_file", metavar="FILE", help=f"Write {named} (-: print it).")(
            decorated
        )
    decorated = click.option(
        "--accept",
        multiple=True,
        metavar="CHECK",
        help="A check whose deviation is known: shown, no fault; repeatable.",
    )(decorated)
    strict = click.option("--strict", is_flag=True, help="Warnings count as faults.")
    return strict(click.option("--quiet", "-q", is_flag=True, help="Print no table.")(decorated))


def exit_status(audits: list[Audit], strict: bool = False) -> int:
    """0: no fault; 1: a fault (`strict`: or a warning); 3: no fault, but something undecided."""
    found = {row.verdict for each in audits for row in each.rows}
    if Verdict.FAULT in found or (strict and Verdict.WARNING in found):
        return 1
    return 3 if Verdict.UNDECIDED in found else 0


@contextmanager
def _progress(what: str, total: int | None = None) -> Iterator[Step]:
    """Progress on the standard error, as `step(done, total)`; nothing where that is no terminal."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Bar(*columns) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, total: bar.update(task, completed=done, total=total)


# --- the audits ------------------------------------------------------------------------------------------------------


@audit.command(
    epilog=EXAMPLES
    + "  dp-refimpl audit python client.py:randomize --oracle GRR --param d=4 --param epsilon=1\n"
    + "  dp-refimpl audit python adapter.py:Client --oracle OUE --param d=3 --param 'epsilon=ln(3)' --users 1,2 \\\n"
    + "      --python other-env/bin/python --sarif audit.sarif --html audit.html"
)
@click.argument("target", metavar="FILE.py:NAME")
@_ORACLE
@_PARAM
@click.option("--handed", multiple=True, metavar="NAME=VALUE", callback=_pairs, help="Further arguments of the code.")
@click.option("--python", "interpreter", default=sys.executable, metavar="PATH", help="Runs the file; needs numpy.")
@click.option("--users", callback=_users, metavar="N,N", help="Sizes of data sets for estimates; default: 1,2.")
@click.option("--unit", type=click.Choice(("frequencies", "counts")), default="frequencies", show_default=True)
@click.option("--inputs", callback=_names, metavar="A,B,...", help="Names of the items 0, 1, ... that the code knows.")
@_OUTSIDE
@click.option("--conditioned", callback=_users, metavar="K,K", help="Outcomes of draws that select a hash function.")
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
@_TIMEOUT
@_shown
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
    file, separator, name = target.rpartition(":")
    if not file or not separator or not name.isidentifier():
        raise click.UsageError(f"{target!r}: give FILE.py:NAME, the name of a function or class")
    checks = Checks(
        users=(1, 2) if users is None else users,
        unit=unit,
        inputs=inputs,
        outside=outside,
        conditioned=conditioned or (SEED if function is not None else ()),
        hash=function,
        limits={"paths": paths, "unexplored": unexplored},
        seconds=seconds,
        handed=handed,
    )
    with _progress(f"{target} as {mechanism}"):
        return [audit_adapter(file, name, mechanism, parameters, python=interpreter, timeout=timeout, checks=checks)]


@audit.command(
    epilog=EXAMPLES + "  dp-refimpl audit library pure-ldp GRR --param d=4 --param epsilon=1\n"
    "  dp-refimpl audit library multi-freq-ldpy --html audit.html"
)
@click.argument("library_name", metavar="LIBRARY", type=Name(LIBRARIES))
@click.argument("protocol", required=False)
@_PARAM
@click.option("--users", callback=_users, metavar="N,N", help="Sizes of data sets for estimates.")
@click.option("--timeout", type=float, default=300.0, show_default=True, help="Seconds.")
@spreading
@_shown
def library(
    library_name: str,
    protocol: str | None,
    parameters: Mapping[str, object],
    users: tuple[int, ...] | None,
    timeout: float,
    jobs: int,
    scheduler: str | None,
) -> list[Audit]:
    """Audit a released library: one PROTOCOL of it, or all of them at the parameters of the published audits.

    The libraries live in environments of their own, which `dp-refimpl audit environment` makes.
    """
    known = LIBRARIES[library_name].protocols
    if protocol is None and parameters:
        raise click.UsageError("--param needs a PROTOCOL")
    if protocol is not None:
        planned = [(protocol, parameters)]
    else:
        planned = [(name, given) for name, audited in known.items() for given in audited.parameters]
    audits: dict[int, Audit] = {}
    with _progress(library_name, len(planned)) as step:
        by = Workers(jobs, scheduler)
        for place, found in audit_protocols(library_name, planned, users=users, timeout=timeout, by=by):
            audits[place] = found
            step(len(audits), len(planned))
    return [audits[place] for place in sorted(audits)]


@audit.command(epilog=EXAMPLES + "  dp-refimpl audit table law.json --oracle GRR --param d=4 --param epsilon=1")
@click.argument("file", type=click.Path(path_type=Path))
@_ORACLE
@_PARAM
@click.option(
    "--tolerance", default=str(TOLERANCE), callback=_number, help="How far a printed probability may be off; 2^-40."
)
@_shown
def table(file: Path, mechanism: str, parameters: Mapping[str, object], tolerance: fmpq) -> list[Audit]:
    """Audit a table of probabilities (JSON or CSV) exactly."""
    return [audit_table(file, mechanism, parameters, tolerance=tolerance)]


@audit.command(epilog=EXAMPLES + "  dp-refimpl audit reports reports.csv --oracle GRR --param d=4 --param epsilon=1")
@click.argument("file", type=click.Path(path_type=Path))
@_ORACLE
@_PARAM
@_LEVEL
@_FAULT
@click.option("--input", "input_column", default=COLUMNS[0], show_default=True, help="Column of the inputs.")
@click.option("--report", "report_column", default=COLUMNS[1], show_default=True, help="Column of the reports.")
@_shown
def reports(
    file: Path,
    mechanism: str,
    parameters: Mapping[str, object],
    level: fmpq,
    fault: fmpq | None,
    input_column: str,
    report_column: str,
) -> list[Audit]:
    """Test a file of (input, report) pairs (CSV or Parquet) against the mechanism, statistically."""
    columns = (input_column, report_column)
    with _progress(f"{file} as {mechanism}"):
        looked_for, promised = FAULT if fault is None else fault, fault is not None
        return [
            audit_reports(
                file, mechanism, parameters, columns=columns, level=level, fault=looked_for, promised=promised
            )
        ]


@audit.command(
    epilog=EXAMPLES + "  dp-refimpl audit process --oracle GRR --param d=4 --param epsilon=1 -- node client.js --d 4",
)
@_ORACLE
@_PARAM
@_LEVEL
@_FAULT
@_OUTSIDE
@click.option("--limit", type=int, default=10**6, show_default=True, help="Most reports on one input.")
@_TIMEOUT
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND [ARGUMENT ...]")
@_shown
def process(
    mechanism: str,
    parameters: Mapping[str, object],
    level: fmpq,
    fault: fmpq | None,
    outside: tuple[Any, ...],
    limit: int,
    timeout: float,
    command: tuple[str, ...],
) -> list[Audit]:
    """Test a program in any language that answers requests in JSON lines, statistically."""
    with _progress(f"{command[0]} as {mechanism}") as step:
        found = audit_process(
            command,
            mechanism,
            parameters,
            level=level,
            fault=FAULT if fault is None else fault,
            promised=fault is not None,
            outside=outside,
            limit=limit,
            bounds=Bounds(timeout=timeout),
            progress=step,
        )
    source = next((argument for argument in command if Path(argument).is_file()), "")
    return [replace(found, location=source)]


# --- what is known ---------------------------------------------------------------------------------------------------


@audit.command()
@click.argument("name", required=False, type=Name(KINDS))
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def oracles(name: str | None, as_json: bool) -> None:
    """List the mechanisms that audits know, with their parameters and what they rest on.

    `certified`: the ids of the ledger at the default parameters (--json lists them); other oracles are stated from the
    literature. With a NAME: its parameters, the canonical form of its reports, and the ids.
    """
    if name is not None:
        described = KINDS[name].reports or "see the documentation of dp_audit.oracles"
        parameters = [f"{p} (optional)" if p in KINDS[name].optional else p for p in KINDS[name].parameters]
        click.echo(f"{name}: {', '.join(parameters)}\nreport: {described}\n{certification(KINDS[name].certified({}))}")
        return
    if as_json:
        known = {
            known_as: {
                "required": [p for p in kind.parameters if p not in kind.optional],
                "optional": sorted(kind.optional),
                "report": kind.reports,
                "certified": list(kind.certified({})),
            }
            for known_as, kind in KINDS.items()
        }
        click.echo(json.dumps(known, indent=1))
        return
    grid = Grid("oracle", "parameters", "optional", "certified")
    for known_as, kind in KINDS.items():
        required = [p for p in kind.parameters if p not in kind.optional]
        yes = "yes" if kind.certified({}) else ""
        grid.add_row(known_as, ", ".join(required), ", ".join(sorted(kind.optional)), yes)
    print_table(Console(), grid)


@audit.command()
@click.argument("names", nargs=-1, type=Name(NAMES))
@click.option("--directory", type=click.Path(path_type=Path), help="Instead of .audit-env.")
def environment(names: tuple[str, ...], directory: Path | None) -> None:
    """Make the environments of the released libraries, pinned and hashed (default: of those audited, in .audit-env)."""
    for name in names or AUDITED:
        with _progress(f"installing the audited libraries: {name}"):
            made = create(name, directory)
        click.echo(f"audited libraries ready: {made.python}")
