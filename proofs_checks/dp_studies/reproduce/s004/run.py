"""The whole reproduction of source 004: repetitions with a journal, evaluated points, one JSON document."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from dp_checks.dependencies import code
from dp_checks.runtime.parallel import HERE, Workers, spread
from dp_refimpl.fast.array_counts import ROUNDING
from dp_studies.reproduce import run
from dp_studies.reproduce.run import Document, Finish, Progress, Run, Work, nothing
from dp_studies.reproduce.s004.cost_figure import bests, costs
from dp_studies.reproduce.s004.points import Evaluation, repetition, seen_of, task_key
from dp_studies.reproduce.s004.ranks import TIES
from dp_studies.reproduce.s004.schema import FORMAT, SCHEMA
from dp_studies.reproduce.s004.settings import Plan, Sketch

FAMILY_LEVEL = Fraction(1, 10**6)
RANK_LEVEL = Fraction(1, 10**3)
TESTED = 4
"""Bounds of a word: one for its mean, two for its mean square, one for its mean absolute error."""

GENERATOR = (
    "numpy PCG64; repetitions seeded with (seed, run, key of the sketch), fixed functions with (seed, 'functions:' and "
    "key), keys being the first 16 bytes of their SHA-256. All data sets and budgets of a repetition use the same "
    "words of the generator."
)
STATEMENT = (
    "If the generator's words are independent and uniform, then with probability at least 1 - tested.family_level all "
    "intervals of all estimates, variances and expected deviations contain their expectations (for meanfirst: the "
    "limit for many runs), and with probability at least 1 - ranks.family_level all intervals of rank deviations "
    "contain theirs. 'inside' says whether the exact formula's value is in the interval (for absfirst: whether the "
    "interval meets the exact bounds); nothing forces it to be. Rank deviations have no formula."
)
NOTES = (
    "Exact values: E f'(d) and E D(d) of 004.agg.unbiased, 004.supp.var.random, 004.supp.var.fixed and "
    "004.eval.d.decomp; meanfirst is the deviation of the mean of the estimates, absfirst the mean of the deviations, "
    "between Hoelder's and Jensen's bounds.",
    "Functions 'random': independent and uniform on the columns, drawn anew in every repetition; 'fixed': drawn once.",
    "Epsilon, the rounding of the data and the rule for ties are not in the source: here four budgets, largest "
    "remainders, and all three rules.",
    "Only how many signs are +1 in every cell is drawn; the law is that of the program.",
    "error: the root of the mean of E D(d) over the evaluated words, functions random. best: of the settings that are "
    "simulated, the one with the smallest error^2 * operations.",
)


def reproduce(
    plan: Plan, out: Path, by: Workers = HERE, progress: Progress | None = None, finish: Finish = nothing
) -> Run:
    """Compute everything, write `reproduce.json`. See `dp_studies.reproduce.run`."""
    sizes = f"records={plan.records} words={plan.words} top={plan.top}"
    what = f"data={','.join(plan.data)} epsilons={','.join(plan.epsilons)}"
    work = Work(
        "reproduce 004",
        f"{code(['dp_studies.reproduce.s004.points'])} seed={plan.seed} {sizes} {what} ",
        {task_key(sketch, number): (sketch, number) for sketch in plan.sketches() for number in range(plan.runs)},
        partial(_repetition, plan),
        partial(document, plan, by),
        SCHEMA,
    )
    return run.reproduce(work, out, by, progress, finish)


def _repetition(plan: Plan, task: tuple[Sketch, int]) -> dict[str, Any]:
    return repetition(plan, *task)


def document(plan: Plan, by: Workers, results: Mapping[str, Any]) -> Document:
    """The document of all repetitions by key."""
    points = list(plan.points())
    tested = TESTED * plan.top * len(points)
    ranked = 2 * len(TIES) * (plan.top + len(plan.groups())) * len(points)
    level, rank_level = (FAMILY_LEVEL - ROUNDING) / tested, (RANK_LEVEL - ROUNDING) / ranked
    tasks = [Evaluation(plan, point, seen_of(results, plan, point), level, rank_level) for point in points]
    evaluated = dict(spread(_evaluated, tasks, by))
    found = {point.key: evaluated[point.key] for point in points}
    return {
        "format": FORMAT,
        "source": "004",
        "seed": plan.seed,
        "generator": GENERATOR,
        "runs": plan.runs,
        "records": plan.records,
        "vocabulary": plan.words,
        "confidence": {
            "tested": {"family_level": str(FAMILY_LEVEL), "bounds": tested, "level": str(level)},
            "ranks": {"family_level": str(RANK_LEVEL), "bounds": ranked, "level": str(rank_level)},
            "statement": STATEMENT,
        },
        "notes": list(NOTES),
        "data": {name: list(plan.counts(name)) for name in plan.data},
        "claims": stated(found),
        "costs": costs(plan),
        "best": bests(plan),
        "points": found,
    }


def _evaluated(task: Evaluation) -> tuple[str, dict[str, Any]]:
    return task.point.key, task.result()


def stated(points: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the simulation says of the claims about rank deviations (ties by the order of words): means and intervals.

    The claims are about random functions; which points a claim names is in the claim.
    """
    found = []
    for key, point in points.items():
        if point["functions"] != "random":
            continue
        for group in point["groups"]:
            for claim in claims_about(point, group["ranks"]):
                found.append({"claim": claim, "point": key, "ranks": group["ranks"], **group["deviation"]["ordinal"]})
    return sorted(found, key=lambda one: str(one["claim"]))


def claims_about(point: Mapping[str, Any], ranks: Sequence[int]) -> list[str]:
    """The claims that a mean rank deviation is about."""
    sketch, named = (point["k"], point["m"]), point["data"] in ("harmonic", "exponential")
    found = []
    if named and point["epsilon"] in ("2", "4") and sketch in ((256, 32), (256, 1024), (65535, 32)):
        found.append("004.exp.rank-trend@groups")
        if ranks == [16, 20]:
            found.append("004.exp.km-rank@simulated")
    if named and point["epsilon"] in ("2", "4", "8") and sketch == (65535, 32) and ranks == [16, 20]:
        found.append(f"004.exp.line1@{point['data']}-eps{point['epsilon']}")
    return found
