"""`dp-refimpl reproduce 004`."""

import sys
from pathlib import Path
from typing import cast

import click

from dp_checks.runtime.boundary import EXAMPLES, Name
from dp_checks.runtime.parallel import Workers
from dp_studies.reproduce.command import carry_out, integers, listed, reproducing
from dp_studies.reproduce.s004.settings import (
    DATA,
    EPSILONS,
    KS,
    MS,
    READINGS,
    RECORDS,
    RUNS,
    SEED,
    TOP,
    WORDS,
    Plan,
    Reading,
)

OUT = Path("build/reproduce-004")
SECONDS = 0.8
"""Of one repetition of a sketch, on average, on one process of a plain machine; for the estimate that is shown only."""
CHOICES = (*READINGS, "both")


@click.command(
    "004",
    epilog=EXAMPLES + "  dp-refimpl reproduce 004 --jobs 2\n"
    "  dp-refimpl reproduce 004 --functions fixed --k 256 --epsilon 4\n"
    "  dp-refimpl reproduce 004 --k 256 --m 32 --runs 1000 --out many-runs",
)
@click.option("--data", default=listed(DATA), show_default=True, help="Of harmonic, exponential, even, with commas.")
@click.option("--k", "ks", default=listed(KS), show_default=True, help="Numbers of functions, with commas.")
@click.option("--m", "ms", default=listed(MS), show_default=True, help="Numbers of columns, with commas.")
@click.option("--epsilon", default=listed(EPSILONS), show_default=True, help="Budgets, with commas.")
@click.option(
    "--functions",
    type=Name(CHOICES),
    default="random",
    show_default=True,
    help="Drawn anew in every repetition, the same in all repetitions (fixed), or both.",
)
@click.option("--records", type=click.IntRange(1), default=RECORDS, show_default=True, help="Size of a data set.")
@click.option("--words", type=click.IntRange(1), default=WORDS, show_default=True, help="Size of the vocabulary.")
@click.option("--top", type=click.IntRange(1), default=TOP, show_default=True, help="Words that are evaluated.")
@reproducing(OUT, RUNS, SEED)
def reproduce(
    data: str,
    ks: str,
    ms: str,
    epsilon: str,
    functions: str,
    records: int,
    words: int,
    top: int,
    out: Path,
    runs: int,
    seed: int,
    jobs: int,
    scheduler: str | None,
) -> None:
    """Draw the parameter study of source 004: rank deviation, expected deviation, variance, and what settings cost."""
    # the command line is listed without loading matplotlib
    from dp_studies.reproduce.s004 import run
    from dp_studies.reproduce.s004.draw import write
    from dp_studies.reproduce.s004.summary import misses, summary

    readings = READINGS if functions == "both" else (cast(Reading, functions),)
    plan = Plan(
        tuple(data.split(",")),
        integers("k", ks),
        integers("m", ms),
        tuple(epsilon.split(",")),
        readings,
        runs,
        seed,
        records,
        words,
        top,
    )
    by = Workers(jobs, scheduler)
    repetitions = len(list(plan.sketches())) * runs
    document = carry_out(
        run.reproduce,
        write,
        summary,
        plan,
        out,
        f"{len(list(plan.points()))} points, {runs} repetitions each",
        repetitions * SECONDS * records / RECORDS,
        by,
        "repetitions",
    )
    sys.exit(1 if misses(document) else 0)
