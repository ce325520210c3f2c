"""`dp-refimpl reproduce`: a command for every source, with the options that make sense for it."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Generic

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from dp_checks.runtime.boundary import EXAMPLES, OutputFolder
from dp_checks.runtime.escapes import printable
from dp_checks.runtime.outputs import write_file
from dp_checks.runtime.parallel import Workers, spreading
from dp_checks.runtime.processes import resumable
from dp_checks.runtime.terminal import Bar
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce import study as studies
from dp_studies.reproduce.study import Document, P, Study, no_fields

SOURCES = {
    "000": "Figures 3 to 5 of section 3: mean squared errors, and times.",
    "001": "Tables 1 and 2, Figures 4 and 5: mean squared errors of ranges.",
    "002": "Figures 1 to 4 of section 5: mean squared errors.",
    "003": "Figures 4 to 6 of section 4: distances of synthetic tables, attackers, times.",
    "004": "The parameter study: rank deviation, expected deviation, variance.",
}
"""The command of a source is that of `REQUEST` in the module `study` of its folder."""


def integers(name: str, text: str, words: str = "integers with commas between them") -> tuple[int, ...]:
    """Integers with commas between them. Raises `DomainError` with the words for other texts."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise DomainError(name, text, words) from None


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
        command = import_module(f"dp_studies.reproduce.s{cmd_name}.study").REQUEST.command
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


@dataclass(frozen=True)
class Request(Generic[P]):
    """How a study is asked for: its folder, its words, its options, the plan that they make with `runs` and `seed`.

    `work` is done at every point, and `seconds` of a plan is what that takes on one process of a plain machine, on
    average; `units` are what is finished one by one. `measured` of a plan is shown in pictures, and written beside the
    document, as no two runs give the same; `said` are its lines.
    """

    study: Study[P, Any]
    out: Path
    runs: int
    seed: int
    help: str
    examples: tuple[str, ...]
    options: tuple[click.Option, ...]
    plan: Callable[..., P]
    work: str
    seconds: Callable[[P], float]
    units: str = "points"
    measured: Callable[[P], Mapping[str, Any]] = no_fields
    said: Callable[[Mapping[str, Any]], Iterable[str]] = tuple

    @property
    def command(self) -> click.Command:
        """The command of the source, with the options that every source has."""

        def callback(out: Path, jobs: int, scheduler: str | None, **options: Any) -> None:
            plan = self.plan(**options)
            document = carry_out(self, plan, out, Workers(jobs, scheduler))
            sys.exit(1 if self.study.misses(document) else 0)

        common = (
            option("--out", self.out, "Pictures, reproduce.json, journal.", OutputFolder()),
            option("--runs", self.runs, "Runs of every simulated point.", click.IntRange(1)),
            option("--seed", self.seed, "Random state.", click.IntRange(0)),
        )
        examples = "\n".join(f"  dp-refimpl reproduce {self.study.source} {example}" for example in self.examples)
        made = click.command(
            self.study.source, params=[*self.options, *common], help=self.help, epilog=EXAMPLES + examples
        )
        return made(spreading(callback))


def option(names: str, default: object, words: str, kind: click.ParamType[Any] | None = None) -> click.Option:
    """An option of a source, as `--name` or `--name parameter`; its default is shown if there is one."""
    more: dict[str, Any] = {} if default is None else {"default": default, "show_default": True}
    return click.Option(names.split(), type=kind, help=words, **more)


def carry_out(request: Request[P], plan: P, out: Path, by: Workers) -> Document:
    """Run a reproduction of a plan, with a progress bar, pictures and its summary at the end."""
    study, units = request.study, request.units
    written: list[Path] = []
    clock: dict[str, Any] = {}
    number = len(list(plan.points()))
    minutes = max(1, round(request.seconds(plan) / by.jobs / 60))
    of_all = "" if by.scheduler is None else " in all"
    click.echo(f"{number} points, {plan.runs} {request.work}, {by}: about {minutes} minutes{of_all}", err=True)
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

        def draw(document: Document) -> None:
            bar.update(task, description="pictures")
            clock.update(request.measured(plan))
            if clock:
                write_file(out / "times.json", json.dumps(clock, indent=1) + "\n")
            written.extend(_drawn(study.source, {**document, **clock}, out, by))

        with resumable(f"finished points are kept in {out}: run the same command again to go on"):
            run = studies.reproduce(study, plan, out, by, step, draw)
    if run.taken:
        click.echo(printable(f"{run.taken} {units} were taken from the interrupted run in {out}"))
    if run.damaged:
        lines = ", ".join(map(str, run.damaged))
        click.echo(printable(f"journal in {out}: damaged lines {lines} ignored, simulated again"))
    for line in study.summary(run.document):
        click.echo(printable(line))
    click.echo(printable(f"wrote {out / 'reproduce.json'} and {len(written)} pictures"))
    for line in request.said(clock):
        click.echo(line)
    return run.document


def _drawn(source: str, document: Mapping[str, Any], out: Path, by: Workers) -> list[Path]:
    """The pictures of a document, written. The command line is listed without loading matplotlib."""
    from dp_studies.reproduce.pictures import write

    return write(import_module(f"dp_studies.reproduce.s{source}.draw").drawings(document), out, by)
