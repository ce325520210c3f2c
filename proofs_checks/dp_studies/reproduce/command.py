"""`dp-refimpl reproduce`: a command for every source, with the options that make sense for it."""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from dp_checks.runtime.boundary import EXAMPLES, OutputFolder
from dp_checks.runtime.escapes import printable
from dp_checks.runtime.parallel import Workers, spreading
from dp_checks.runtime.processes import resumable
from dp_checks.runtime.terminal import Bar
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.run import Document, Finish, Progress, Run

SOURCES = {
    "000": "Figures 3 to 5 of section 3: mean squared errors, and times.",
    "001": "Tables 1 and 2, Figures 4 and 5: mean squared errors of ranges.",
    "002": "Figures 1 to 4 of section 5: mean squared errors.",
    "004": "The parameter study: rank deviation, expected deviation, variance.",
}
"""The command of a source is `reproduce` in the module `command` of its folder."""
C = TypeVar("C", bound=Callable[..., Any])
P = TypeVar("P")


def integers(name: str, text: str) -> tuple[int, ...]:
    """Integers with commas between them. Raises `DomainError` for other texts."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise DomainError(name, text, "integers with commas between them") from None


def listed(values: Iterable[object]) -> str:
    """Values with commas between them."""
    return ",".join(map(str, values))


class Sources(click.Group):
    """One command for each source, imported when it is asked for."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            raise click.UsageError(f"Missing argument 'SOURCE': one of {', '.join(SOURCES)}", ctx)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SOURCES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SOURCES:
            return None
        command = import_module(f"dp_studies.reproduce.s{cmd_name}.command").reproduce
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None:
            raise DomainError("SOURCE", args[0], ", ".join(SOURCES))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Sources"):
            formatter.write_dl(list(SOURCES.items()))


@click.command(
    cls=Sources,
    options_metavar="",
    subcommand_metavar="SOURCE [OPTIONS]",
    epilog=EXAMPLES + "  dp-refimpl reproduce 002 --jobs 2\n  dp-refimpl reproduce 004 --help",
)
def reproduce() -> None:
    """Draw the figures of a source again: exact values, and simulated runs with rigorous intervals.

    The same seed gives the same reproduce.json. Exit 1 when an exact value is outside the interval of its simulated
    point. After an interruption the same command goes on where it stopped.
    """


def reproducing(out: Path, runs: int, seed: int) -> Callable[[C], C]:
    """The options that every source has: its arguments `out`, `runs`, `seed`, `jobs` and `scheduler`."""
    options: tuple[Callable[[Any], Any], ...] = (
        click.option(
            "--out", type=OutputFolder(), default=out, show_default=True, help="Pictures, reproduce.json, journal."
        ),
        click.option(
            "--runs", type=click.IntRange(1), default=runs, show_default=True, help="Runs of every simulated point."
        ),
        click.option("--seed", type=click.IntRange(0), default=seed, show_default=True, help="Random state."),
    )

    def add(command: C) -> C:
        command = spreading(command)
        for option in reversed(options):
            command = option(command)
        return command

    return add


def carry_out(
    run: Callable[[P, Path, Workers, Progress, Finish], Run],
    write: Callable[[Document, Path, Workers], Iterable[Path]],
    summary: Callable[[Document], Iterable[str]],
    plan: P,
    out: Path,
    work: str,
    seconds: float,
    by: Workers,
    units: str = "points",
) -> Document:
    """Run a reproduction of a plan that takes so many seconds on one process, with a progress bar, pictures and its
    summary at the end.

    `units` are what is finished one by one.
    """
    written: list[Path] = []
    minutes = max(1, round(seconds / by.jobs / 60))
    of_all = "" if by.scheduler is None else " in all"
    click.echo(f"{work}, {by}: about {minutes} minutes{of_all}", err=True)
    columns = (
        TextColumn("{task.description:44}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns) as bar:
        task = bar.add_task("budgets", total=None)

        def step(done: int, total: int, key: str) -> None:
            bar.update(task, completed=done, total=total, description=key[:44])
            if not bar.console.is_terminal and (done % 100 == 0 or done == total):
                bar.console.print(f"{done}/{total} {units}", highlight=False)

        def pictures(document: Document) -> None:
            bar.update(task, description="pictures")
            written.extend(write(document, out, by))

        with resumable(f"finished points are kept in {out}: run the same command again to go on"):
            found = run(plan, out, by, step, pictures)
    if found.taken:
        click.echo(printable(f"{found.taken} {units} were taken from the interrupted run in {out}"))
    if found.damaged:
        lines = ", ".join(map(str, found.damaged))
        click.echo(printable(f"journal in {out}: damaged lines {lines} ignored, simulated again"))
    for line in summary(found.document):
        click.echo(printable(line))
    click.echo(printable(f"wrote {out / 'reproduce.json'} and {len(written)} pictures"))
    return found.document
