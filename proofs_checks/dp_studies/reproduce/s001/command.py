"""`dp-refimpl reproduce 001`."""

import sys
from pathlib import Path
from typing import cast

import click

from dp_checks.runtime.boundary import EXAMPLES, Name
from dp_checks.runtime.parallel import Workers
from dp_studies.reproduce.command import carry_out, integers, listed, reproducing
from dp_studies.reproduce.s001.settings import EPSILONS, KINDS, RANGES, RUNS, SEED, SIZE, SIZES, Kind, Plan

OUT = Path("build/reproduce-001")
SECONDS = 1e-6
"""Of one draw, on average, on one process of a plain machine; for the estimate that is shown only."""
CHOICES = (*KINDS, "both")


@click.command(
    "001",
    epilog=EXAMPLES + "  dp-refimpl reproduce 001 --jobs 2\n"
    "  dp-refimpl reproduce 001 --noise discrete --epsilon 1/10,1\n"
    "  dp-refimpl reproduce 001 --sizes 1024 --runs 1000 --out many-runs",
)
@click.option(
    "--noise",
    type=Name(CHOICES),
    default="laplace",
    show_default=True,
    help="Laplace noise, discrete Laplace noise (two-sided geometric), or both.",
)
@click.option("--epsilon", default=listed(EPSILONS), show_default=True, help="Rational budgets, with commas.")
@click.option("--size", type=click.IntRange(1), default=SIZE, show_default=True, help="N of the random ranges.")
@click.option("--ranges", type=click.IntRange(1), default=RANGES, show_default=True, help="Number of random ranges.")
@click.option("--sizes", default=listed(SIZES), show_default=True, help="N of all ranges, with commas.")
@reproducing(OUT, RUNS, SEED)
def reproduce(
    noise: str,
    epsilon: str,
    size: int,
    ranges: int,
    sizes: str,
    out: Path,
    runs: int,
    seed: int,
    jobs: int,
    scheduler: str | None,
) -> None:
    """Draw Tables 1 and 2 (Figures 4 and 5) of source 001: exact errors of ranges, and simulated releases."""
    # the command line is listed without loading matplotlib
    from dp_studies.reproduce.s001 import run
    from dp_studies.reproduce.s001.draw import write
    from dp_studies.reproduce.s001.summary import misses, summary

    kinds = KINDS if noise == "both" else (cast(Kind, noise),)
    plan = Plan(kinds, tuple(epsilon.split(",")), size, ranges, integers("sizes", sizes), runs, seed)
    by = Workers(jobs, scheduler)
    points = [*plan.first_table(), *plan.second_table()]
    document = carry_out(
        run.reproduce,
        write,
        summary,
        plan,
        out,
        f"{len(points)} points, {runs} releases each",
        sum(point.size for point in points) * runs * SECONDS,
        by,
    )
    sys.exit(1 if misses(document) else 0)
