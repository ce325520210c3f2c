"""`dp-refimpl reproduce 002`."""

import sys
from pathlib import Path
from typing import cast

import click

from dp_checks.runtime.boundary import EXAMPLES, Name
from dp_checks.runtime.parallel import Workers
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.command import carry_out, reproducing
from dp_studies.reproduce.s002.points import CALIBRATIONS, Calibration

OUT = Path("build/reproduce")
SECONDS = 0.1
"""Of one run of a point, on average, on one process of a plain machine; for the estimate that is shown only."""
SEED, RUNS = 20220809, 3
CHOICES = ("both", "all", "certified", *CALIBRATIONS)
BOTH: tuple[Calibration, ...] = ("paper", "joint")


@click.command(
    "002",
    epilog=EXAMPLES + "  dp-refimpl reproduce 002 --jobs 2\n"
    "  dp-refimpl reproduce 002 --figures 3,4 --calibration paper --runs 100 --out more-runs\n"
    "  dp-refimpl reproduce 002 --calibration joint --seed 1",
)
@click.option("--figures", default="1,2,3,4", show_default=True, help="Numbers of figures, with commas.")
@click.option(
    "--calibration",
    type=Name(CHOICES),
    default="both",
    show_default=True,
    help="The budget as in the paper, at equal certified privacy (in all readings, or one), both (joint), or all.",
)
@reproducing(OUT, RUNS, SEED)
def reproduce(
    figures: str, calibration: str, out: Path, runs: int, seed: int, jobs: int, scheduler: str | None
) -> None:
    """Draw Figures 1 to 4 of source 002: exact errors, and simulated runs with rigorous intervals."""
    # the command line is listed without loading matplotlib
    from dp_studies.reproduce.s002 import run
    from dp_studies.reproduce.s002.draw import write
    from dp_studies.reproduce.s002.summary import misses, summary

    plan = run.Plan(_numbers(figures), _calibrations(calibration), runs, seed)
    by = Workers(jobs, scheduler)
    number = len(plan.points())
    document = carry_out(
        run.reproduce,
        write,
        summary,
        plan,
        out,
        f"{number} points, {runs} runs each",
        number * runs * SECONDS,
        by,
    )
    sys.exit(1 if misses(document) else 0)


def _numbers(figures: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in figures.split(","))
    except ValueError:
        raise DomainError("figures", figures, "numbers of 1, 2, 3, 4 with commas between them") from None


def _calibrations(choice: str) -> tuple[Calibration, ...]:
    several = {"both": BOTH, "all": CALIBRATIONS, "certified": CALIBRATIONS[1:]}
    return several.get(choice, (cast(Calibration, choice),))
