"""`dp-refimpl reproduce 000`."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import click

from dp_checks.runtime.boundary import EXAMPLES, Name
from dp_checks.runtime.outputs import write_file
from dp_checks.runtime.parallel import Workers
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.command import carry_out, integers, listed, reproducing
from dp_studies.reproduce.s000.data import SIZES, DataSet, named, of_file, synthetic
from dp_studies.reproduce.s000.settings import (
    BUDGETS,
    CALIBRATIONS,
    DELTA,
    EPSILONS,
    LABELS,
    RUNS,
    SEED,
    STEPS,
    Calibration,
    Plan,
)
from dp_studies.reproduce.streams import draws, number_of

OUT = Path("build/reproduce-000")
SECONDS = {"printed": 4.0, "certified": 25.0}
"""Of a point, on average, on one process of a plain machine; for the estimate that is shown only."""
CHOICES = (*CALIBRATIONS, "both")


@click.command(
    "000",
    epilog=EXAMPLES + "  dp-refimpl reproduce 000 --jobs 2\n"
    "  dp-refimpl reproduce 000 --calibration printed --epsilon 0.1,0.5,1\n"
    "  dp-refimpl reproduce 000 --data cities.csv --column city\n"
    "  dp-refimpl reproduce 000 --users 10000 --items 100 --out small",
)
@click.option(
    "--data",
    default=listed(SIZES),
    show_default=True,
    help="Synthetic data of these sizes, with commas; or a file: CSV, Parquet, or transactions, one line each.",
)
@click.option("--column", help="Of a CSV or Parquet file.")
@click.option("--users", type=click.IntRange(2), help="With --items: synthetic data of another size.")
@click.option("--items", type=click.IntRange(2), help="With --users: synthetic data of another size.")
@click.option(
    "--calibration",
    type=Name(CHOICES),
    default="both",
    show_default=True,
    help="Parameters by the sources' theorems (printed), by certified bounds, or both.",
)
@click.option("--epsilon", default=listed(EPSILONS), show_default=True, help="Central budgets, with commas.")
@click.option("--delta", default=DELTA, show_default=True, help="As 1e-6 or 1/1000.")
@click.option("--labels", default=listed(LABELS), show_default=True, help="h of OD-HP, with commas.")
@click.option("--local", default=listed(BUDGETS), show_default=True, help="epsilon_l of mixDUMP and OD-HP.")
@click.option("--steps", type=click.IntRange(1), default=STEPS, show_default=True, help="Of EM.")
@click.option("--times/--no-times", default=True, show_default=True, help="Measure Figure 5, too.")
@reproducing(OUT, RUNS, SEED)
def reproduce(
    data: str,
    column: str | None,
    users: int | None,
    items: int | None,
    calibration: str,
    epsilon: str,
    delta: str,
    labels: str,
    local: str,
    steps: int,
    times: bool,
    out: Path,
    runs: int,
    seed: int,
    jobs: int,
    scheduler: str | None,
) -> None:
    """Draw Figures 3 to 5 of source 000: errors of MURS, HP-SDP, mixDUMP and OD-HP, who wins, and what they take."""
    # the command line is listed without loading matplotlib
    from dp_studies.reproduce.s000 import draw, run
    from dp_studies.reproduce.s000.summary import misses, summary
    from dp_studies.reproduce.s000.times import lines, measured

    calibrations = CALIBRATIONS if calibration == "both" else (cast(Calibration, calibration),)
    plan = Plan(
        data_sets(data, column, users, items, seed),
        calibrations,
        tuple(epsilon.split(",")),
        delta,
        integers("labels", labels),
        tuple(local.split(",")),
        steps,
        runs,
        seed,
    )
    clock: dict[str, Any] = {}

    def write(document: Mapping[str, Any], folder: Path, by: Workers) -> list[Path]:
        if times:
            clock.update(measured(plan))
            write_file(folder / "times.json", json.dumps(clock, indent=1) + "\n")
        return draw.write(document, clock, folder)

    points = list(plan.points())
    document = carry_out(
        run.reproduce,
        write,
        summary,
        plan,
        out,
        f"{len(points)} points, {runs} runs of every best setting",
        sum(SECONDS[point.calibration] for point in points),
        Workers(jobs, scheduler),
    )
    if times:
        for line in lines(clock):
            click.echo(line)
    sys.exit(1 if misses(document) else 0)


def data_sets(data: str, column: str | None, users: int | None, items: int | None, seed: int) -> tuple[DataSet, ...]:
    """What the options say. Raises `DomainError` where they contradict each other, and as `of_file`."""
    if (users is None) != (items is None):
        raise DomainError("--users, --items", (users, items), "both, or none")
    if users is not None and items is not None:
        if data != listed(SIZES) or column is not None:
            raise DomainError("--data", data, "none, with --users and --items")
        return (synthetic("synthetic", users, items),)
    names = data.split(",")
    if all(name in SIZES for name in names):
        if column is not None:
            raise DomainError("--column", column, "none, without a file")
        return tuple(map(named, names))
    path = Path(data)
    if not path.is_file():
        raise DomainError("--data", data, f"{', '.join(SIZES)}, with commas, or a file")
    return (of_file(path, column, draws(seed, number_of("transactions"))),)
