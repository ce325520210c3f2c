"""`dp-refimpl reproduce`."""

import sys
from pathlib import Path
from typing import Any, cast

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from dp_checks.boundary import EXAMPLES, Name, OutputFolder
from dp_checks.parallel import Workers, spreading
from dp_checks.processes import resumable
from dp_checks.reproduce.points import CALIBRATIONS, Calibration
from dp_checks.terminal import Bar
from dp_spec.vocabulary.exceptions import DomainError

OUT = Path("build/reproduce")
SECONDS = 0.1
"""Of one run of a point, on average, on one process of a plain machine; for the estimate that is shown only."""
SEED, RUNS = 20220809, 3
CHOICES = ("both", "all", "certified", *CALIBRATIONS)
BOTH: tuple[Calibration, ...] = ("paper", "joint")


@click.command(
    epilog=EXAMPLES + "  dp-refimpl reproduce 002 --jobs 2\n"
    "  dp-refimpl reproduce 002 --figures 3,4 --calibration paper --runs 100 --out more-runs\n"
    "  dp-refimpl reproduce 002 --calibration joint --seed 1"
)
@click.argument("source", metavar="SOURCE")
@click.option("--out", type=OutputFolder(), default=OUT, show_default=True, help="Pictures, reproduce.json, journal.")
@click.option("--figures", default="1,2,3,4", show_default=True, help="Numbers of figures, with commas.")
@click.option("--runs", type=click.IntRange(1), default=RUNS, show_default=True, help="Runs of every simulated point.")
@click.option("--seed", type=click.IntRange(0), default=SEED, show_default=True, help="Random state.")
@click.option(
    "--calibration",
    type=Name(CHOICES),
    default="both",
    show_default=True,
    help="The budget as in the paper, at equal certified privacy (in all readings, or one), both (joint), or all.",
)
@spreading
def reproduce(
    source: str,
    out: Path,
    figures: str,
    runs: int,
    seed: int,
    calibration: str,
    jobs: int,
    scheduler: str | None,
) -> None:
    """Draw the figures of a source again: exact errors, and simulated runs with rigorous intervals.

    The same seed gives the same reproduce.json. Exit 1 when an exact value is outside the interval of its simulated
    point. After an interruption the same command goes on where it stopped.
    """
    # the command line is listed without loading matplotlib
    from dp_checks.reproduce.draw import write
    from dp_checks.reproduce.run import Plan
    from dp_checks.reproduce.run import reproduce as run_reproduce
    from dp_checks.reproduce.summary import misses, summary

    if source != "002":
        raise DomainError("SOURCE", source, "002")
    plan = Plan(_numbers(figures), _calibrations(calibration), runs, seed)
    written: list[Path] = []
    number = len(plan.points())
    by = Workers(jobs, scheduler)
    minutes = max(1, round(number * runs * SECONDS / jobs / 60))
    of_all = "" if scheduler is None else " in all"
    click.echo(f"{number} points, {runs} runs each, {by}: about {minutes} minutes{of_all}", err=True)
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
                bar.console.print(f"{done}/{total} points", highlight=False)

        def pictures(document: dict[str, Any]) -> None:
            bar.update(task, description="pictures")
            written.extend(write(document, out, by))

        with resumable(f"finished points are kept in {out}: run the same command again to go on"):
            run = run_reproduce(plan, out, by, step, pictures)
    if run.taken:
        click.echo(f"{run.taken} points were taken from the interrupted run in {out}")
    if run.damaged:
        click.echo(f"journal in {out}: damaged lines {', '.join(map(str, run.damaged))} ignored, simulated again")
    for line in summary(run.document):
        click.echo(line)
    click.echo(f"wrote {out / 'reproduce.json'} and {len(written)} pictures")
    sys.exit(1 if misses(run.document) else 0)


def _numbers(figures: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in figures.split(","))
    except ValueError:
        raise DomainError("figures", figures, "numbers of 1, 2, 3, 4 with commas between them") from None


def _calibrations(choice: str) -> tuple[Calibration, ...]:
    several = {"both": BOTH, "all": CALIBRATIONS, "certified": CALIBRATIONS[1:]}
    return several.get(choice, (cast(Calibration, choice),))
