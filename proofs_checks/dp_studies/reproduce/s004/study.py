"""The study of source 004: repetitions, evaluated points, the document of all, and the command's options."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, cast

import click

from dp_checks.runtime.boundary import Name
from dp_checks.runtime.parallel import Workers, spread
from dp_studies.reproduce.command import Request, integers, listed, option
from dp_studies.reproduce.s004 import settings
from dp_studies.reproduce.s004.costs import bests, costs
from dp_studies.reproduce.s004.data import WEIGHTS
from dp_studies.reproduce.s004.points import Evaluation, repetition, repetitions_of, task_key
from dp_studies.reproduce.s004.ranks import TIES
from dp_studies.reproduce.s004.settings import READINGS, Plan, Reading, Sketch
from dp_studies.reproduce.study import Family, Study, agreement
from dp_studies.schemas import (
    BOOLEAN,
    COUNT,
    DECIMAL,
    ENDS,
    NATURAL,
    SIGNED,
    TEXT,
    beside,
    by_name,
    confidence,
    lists,
    objects,
    one_of,
)

TESTED = ("estimate", "variance", "meanfirst", "absfirst")
"""What is said of a word: one bound for its mean, two for its mean square, one for its mean absolute error."""
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


def tested(plan: Plan) -> Family:
    """Four bounds for every word at every point."""
    return Family(4 * plan.top * len(list(plan.points())))


def ranked(plan: Plan) -> Family:
    """Two ends by every rule for ties, for every word and group at every point."""
    number = (plan.top + len(plan.groups())) * len(list(plan.points()))
    return Family(2 * len(TIES) * number, chance=Fraction(1, 10**3))


def tasks(plan: Plan) -> dict[str, tuple[Sketch, int]]:
    """All repetitions of all sketches."""
    return {task_key(sketch, number): (sketch, number) for sketch in plan.sketches() for number in range(plan.runs)}


def stamp(plan: Plan) -> str:
    """What a repetition depends on."""
    sizes = f"records={plan.records} words={plan.words} top={plan.top}"
    return f"{sizes} data={','.join(plan.data)} epsilons={','.join(plan.epsilons)}"


def computed(plan: Plan, task: tuple[Sketch, int]) -> dict[str, Any]:
    """What a repetition shows."""
    return repetition(plan, *task)


def content(plan: Plan, results: Mapping[str, Any], by: Workers) -> dict[str, Any]:
    """The document's own fields."""
    points = list(plan.points())
    levels = tested(plan).level, ranked(plan).level
    evaluations = [Evaluation(plan, point, repetitions_of(results, plan, point), *levels) for point in points]
    evaluated = dict(spread(_evaluated, evaluations, by))
    by_key = {point.key: evaluated[point.key] for point in points}
    return {
        "data": {name: list(plan.counts(name)) for name in plan.data},
        "claims": stated(by_key),
        "costs": costs(plan),
        "best": bests(plan),
        "points": by_key,
    }


def _evaluated(task: Evaluation) -> tuple[str, dict[str, Any]]:
    return task.point.key, task.result()


def stated(points: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the simulation says of the claims about rank deviations (ties by the order of words): means and intervals.

    The claims are about random functions; which points a claim names is in the claim.
    """
    claims = []
    for key, point in points.items():
        if point["functions"] != "random":
            continue
        for group in point["groups"]:
            for claim in claims_about(point, group["ranks"]):
                claims.append({"claim": claim, "point": key, "ranks": group["ranks"], **group["deviation"]["ordinal"]})
    return sorted(claims, key=lambda one: str(one["claim"]))


def claims_about(point: Mapping[str, Any], ranks: Sequence[int]) -> list[str]:
    """The claims that a mean rank deviation is about."""
    sketch, named = (point["k"], point["m"]), point["data"] in ("harmonic", "exponential")
    claims = []
    if named and point["epsilon"] in ("2", "4") and sketch in ((256, 32), (256, 1024), (65535, 32)):
        claims.append("004.exp.rank-trend@groups")
        if ranks == [16, 20]:
            claims.append("004.exp.km-rank@simulated")
    if named and point["epsilon"] in ("2", "4", "8") and sketch == (65535, 32) and ranks == [16, 20]:
        claims.append(f"004.exp.line1@{point['data']}-eps{point['epsilon']}")
    return claims


_PAIR = lists(COUNT, minItems=2, maxItems=2)
_MEAN = objects({"simulated": SIGNED, "interval": ENDS})
_BY_TIES = objects(dict.fromkeys(TIES, _MEAN))
_WORD = objects(
    {
        "position": NATURAL,
        "count": COUNT,
        "estimate": beside(SIGNED),
        "variance": beside(SIGNED),
        "meanfirst": beside(SIGNED),
        "absfirst": beside(ENDS),
        "rank": _BY_TIES,
    }
)
_SKETCH: Mapping[str, Any] = {"k": NATURAL, "m": {"type": "integer", "minimum": 2}}
_POINT = objects(
    {
        "data": one_of(WEIGHTS),
        **_SKETCH,
        "functions": one_of(READINGS),
        "epsilon": TEXT,
        "words": lists(_WORD),
        "groups": lists(objects({"ranks": _PAIR, "deviation": _BY_TIES})),
        "runs": objects({name: lists(lists(COUNT)) for name in ("ones", "above", "equal", "before")}),
    }
)
_COST = objects(
    {
        **_SKETCH,
        **dict.fromkeys(("counters", "bits", "client", "server", "initialization", "queries", "operations"), COUNT),
        "simulated": BOOLEAN,
        "error": by_name(by_name(DECIMAL)),
    }
)
_BEST = objects({"data": one_of(WEIGHTS), "epsilon": TEXT, **_SKETCH})
_STATED = objects({"claim": TEXT, "point": TEXT, "ranks": _PAIR, "simulated": SIGNED, "interval": ENDS})
FIELDS: Mapping[str, Any] = {
    "records": NATURAL,
    "vocabulary": NATURAL,
    "confidence": confidence("tested", "ranks"),
    "data": by_name(lists(COUNT)),
    "claims": lists(_STATED),
    "costs": lists(_COST),
    "best": lists(_BEST),
    "points": by_name(_POINT),
}
"""The schema of the document's fields."""


def inside(document: Mapping[str, Any]) -> dict[str, bool]:
    """Whether what is exact of a word is in its interval at a point."""
    return {
        f"{key}, word {word['position']} ({name})": word[name]["inside"]
        for key, point in document["points"].items()
        for word in point["words"]
        for name in TESTED
    }


def lines(document: Mapping[str, Any]) -> Iterator[str]:
    """What is inside, what the claims are about, and the best settings."""
    yield f"source 004, {document['records']} records of {document['vocabulary']} words"
    yield f"{len(document['points'])} points of {document['runs']} repetitions, seed {document['seed']}"
    yield agreement("exact values", inside(document).values(), document["confidence"]["tested"])
    for one in document["claims"]:
        first, last = one["ranks"]
        low, high = (float(end) for end in one["interval"])
        yield (
            f"{one['claim']}: {one['point']}, ranks {first}-{last}: mean {float(one['simulated']):.3g}, "
            f"expected in [{low:.3g}, {high:.3g}]"
        )
    for one in document["best"]:
        yield f"smallest error^2 * operations, {one['data']}, epsilon {one['epsilon']}: k={one['k']}, m={one['m']}"


STUDY: Study[Plan, tuple[Sketch, int]] = Study(
    source="004",
    form="dp-refimpl reproduction of 004 1",
    generator=GENERATOR,
    statement=STATEMENT,
    notes=NOTES,
    fields=FIELDS,
    tasks=tasks,
    stamp=stamp,
    compute=lambda plan: partial(computed, plan),
    sizes=lambda plan: {"records": plan.records, "vocabulary": plan.words},
    confidence=lambda plan: {"tested": tested(plan).json, "ranks": ranked(plan).json},
    content=content,
    inside=inside,
    lines=lines,
)

# --- the command ------------------------------------------------------------------------------------------------------

SECONDS = 0.8
"""Of one repetition of a sketch."""
OPTIONS = (
    option("--data", listed(settings.DATA), "Of harmonic, exponential, even, with commas."),
    option("--k ks", listed(settings.KS), "Numbers of functions, with commas."),
    option("--m ms", listed(settings.MS), "Numbers of columns, with commas."),
    option("--epsilon", listed(settings.EPSILONS), "Budgets, with commas."),
    option(
        "--functions",
        "random",
        "Drawn anew in every repetition, the same in all repetitions (fixed), or both.",
        Name((*READINGS, "both")),
    ),
    option("--records", settings.RECORDS, "Size of a data set.", click.IntRange(1)),
    option("--words", settings.WORDS, "Size of the vocabulary.", click.IntRange(1)),
    option("--top", settings.TOP, "Words that are evaluated.", click.IntRange(1)),
)


def asked(data: str, ks: str, ms: str, epsilon: str, functions: str, **more: Any) -> Plan:
    """The plan of the options."""
    readings = READINGS if functions == "both" else (cast(Reading, functions),)
    budgets = tuple(epsilon.split(","))
    return Plan(tuple(data.split(",")), integers("k", ks), integers("m", ms), budgets, readings, **more)


REQUEST = Request(
    study=STUDY,
    out=Path("build/reproduce-004"),
    runs=settings.RUNS,
    seed=settings.SEED,
    help="Draw the parameter study of source 004: rank deviation, expected deviation, variance, and "
    "what settings cost.",
    examples=(
        "--jobs 2",
        "--functions fixed --k 256 --epsilon 4",
        "--k 256 --m 32 --runs 1000 --out many-runs",
    ),
    options=OPTIONS,
    plan=asked,
    work="repetitions each",
    seconds=lambda plan: len(tasks(plan)) * SECONDS * plan.records / settings.RECORDS,
    units="repetitions",
)
