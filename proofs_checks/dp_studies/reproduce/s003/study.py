"""The study of source 003: distances and misclassification of synthetic tables, attackers, losses by attribute, costs,
and the command's options."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
from flint import fmpq

from dp_checks.runtime.boundary import Name
from dp_checks.runtime.parallel import Workers
from dp_refimpl.synthesis.accountant import Plan as Budgets
from dp_refimpl.synthesis.accountant import hmprivbayes_plan, privbayes_plan
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.command import Request, integers, listed, option
from dp_studies.reproduce.numbers import signed
from dp_studies.reproduce.s003 import attackers, settings
from dp_studies.reproduce.s003.crowds import ATTACKERS, TABLES
from dp_studies.reproduce.s003.data import SIZES, Table, columns, less_frequent, named, of_file
from dp_studies.reproduce.s003.exposure import STAGES, losses
from dp_studies.reproduce.s003.measurements import measured, searches, time_lines
from dp_studies.reproduce.s003.points import (
    CROWD_RUNS,
    TESTS,
    WAYS,
    Levels,
    Task,
    computed,
    crowds_of,
    mean_errors,
    refusal,
    summary,
    tasks,
)
from dp_studies.reproduce.s003.settings import CALIBRATIONS, NAMES, Plan, Point, segmentations, small
from dp_studies.reproduce.s003.support_vectors import require_machines
from dp_studies.reproduce.study import Family, Study, agreement
from dp_studies.schemas import (
    COUNT,
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
    optional,
)

GENERATOR = (
    "numpy PCG64; runs seeded with (seed, run, key of the point), generated tables with their names and sizes, keys "
    "being the first 16 bytes of their SHA-256. Laplace noise, scores and selections are floats: they decide nothing "
    "but the draws."
)
STATEMENT = (
    "If the generator's words are independent and uniform, then with probability at least 1 - family_level all "
    "intervals of the family contain the expectations (medians: all medians) of what the program computes, a rate of a "
    "run that is refused being 1. program: 'inside' says whether the "
    "exact chance of the matching attacker is in the interval; nothing forces it to be."
)
NOTES = (
    "No curve of Figures 4 to 6 survived, nor sigma, k_1, eta, the grid of epsilon, the degrees of Figure 6 and the "
    "numbers of runs: they are chosen here, and only sentences can be compared with. adult and big5 are generated "
    "tables of the sizes of the source's data, without any real record.",
    "distances: the average of (13) over all marginals of 2 or 3 attributes, binary or original ones; a pattern of "
    "bits that codes no value is counted as a value of its own. As many synthetic rows as records.",
    "errors: the share of test records whose label a linear support vector machine gets wrong (scikit-learn LinearSVC, "
    "squared hinge loss, a cost that the source does not print). It is trained on 8 of 10 synthetic rows, chosen at "
    "random, and tested on the others (synthetic) and on the original table (original). baseline: the same, trained on "
    "8 of 10 original records and tested on the other ones (synthetic) and on all (original); majority: of always "
    "guessing the more frequent label. Labels are the salary for adult, age >= 50 for big5, else the last attribute.",
    "printed: HMPrivBayes divides epsilon as in 4.1, with weights of the data, from which nothing is certified. "
    "certified: with equal public weights and the nominal epsilon at which its transcript is certified to lose "
    "epsilon where a record is replaced. What PrivBayes claims is certified; it has the score I and 3/10 of its "
    "budget for the network.",
    "eta=none: no filter (9). With it the first conditional distributions cannot be derived as printed "
    "(003.alg5.step3@filter), and all joint tables get noise. Grids of MIC: mine, alpha = 0.6; noise once; k-means++ "
    "by squared distances.",
    "PrivSCBN is a reconstruction of which only the abstract is known. Jtree has uniform rows where its noisy tables "
    "leave no record possible, and is absent where the graph of some run has a clique of more than 16 attributes. "
    "absent says what is not shown, and why.",
    "Tables of at most 8 binary attributes have more runs, those of more than 100 have one. An expectation of numbers "
    "from 0 to 1 of which nothing else is known has a wide interval; median is the interval of the medians, null where "
    "there are too few runs.",
    "searches: the counts f and g of Figure 6, clusters of equal sizes. spending: multiples of epsilon by stage, fixed "
    "weights, one record replaced.",
    "attackers: chances at epsilon = 0.2 over all tables of n records of two binary attributes, exactly; program: the "
    "matching attacker against 100 runs on one of these tables. crowds: larger tables of two binary attributes, "
    "copied and adult as in dp_studies.reproduce.s003.crowds, 12 times as many runs; the matching attacker's mean "
    "chance over all records, and the differencing one's for the last record.",
    "exposed: of the first run at the middle epsilon the networks, shares of epsilon_3 of the tables that get noise, "
    "these tables if there are few attributes, and for every binary attribute what is lost at most by each stage, in "
    "multiples of epsilon, if it changes in one record; shares of the data are regarded as given.",
)


def families(plan: Plan) -> dict[str, Family]:
    """Two ends for every chance of a simulated attacker, and for every distance and misclassification rate."""
    chances = len(plan.records) + len(crowds_of(plan)) * len(ATTACKERS)
    tests = 0 if plan.cost == settings.NO_MACHINE else len(TESTS)
    means = {table.name: tests for table in plan.data}
    for point in plan.points():
        means[point.table.name] += len(WAYS) + tests
    repeated = [table.name for table in plan.data if plan.runs_of(table) > 1]
    return {
        "attackers": Family(2 * chances),
        "points": Family(2 * sum(means.values()), chance=Fraction(1, 1000)),
        "medians": Family(2 * max(1, sum(means[name] for name in repeated)), chance=Fraction(1, 1000)),
    }


def stamp(plan: Plan) -> str:
    """What a result depends on."""
    data = ",".join(f"{table.digest}/{table.target}" for table in plan.data)
    return f"level={families(plan)['attackers'].level} cost={plan.cost} {data}"


def content(plan: Plan, results: Mapping[str, Any], by: Workers) -> dict[str, Any]:
    """The document's own fields."""
    levels = Levels(*(families(plan)[name].level for name in ("points", "medians")))
    runs_of_point = {
        point.key: [results[f"{point.key}:run={run}"] for run in range(plan.runs_of(point.table))]
        for point in plan.points()
    }
    refused = {point.key: words for point in plan.all_points() if (words := point.refused(plan.most))}
    refused |= {key: words for key, runs in runs_of_point.items() if (words := refusal(runs))}
    return {
        "data": {
            table.name: {
                "records": table.n,
                "runs": plan.runs_of(table),
                "dropped": table.dropped,
                "attributes": len(table.sizes),
                "bits": table.d,
                "sha256": table.digest,
                "columns": [{"name": name, "bits": bits} for name, bits in columns(table)],
                "majority": signed(fmpq(less_frequent(table), table.n)),
                "baseline": mean_errors(
                    [results[f"{table.name}:run={run}"] for run in range(plan.runs_of(table))], levels
                )
                if plan.cost != settings.NO_MACHINE
                else {},
            }
            for table in plan.data
        },
        "points": {
            point.key: summary(point, runs_of_point[point.key], levels)
            for point in plan.points()
            if point.key not in refused
        },
        "cost": plan.cost,
        "exposed": [exposed(point, runs_of_point[point.key][0]) for point in plan.points() if plan.is_shown(point)],
        "absent": [
            {"point": point.key, "words": refused[point.key]} for point in plan.all_points() if point.key in refused
        ],
        "searches": counted(),
        "spending": [*spending(plan)],
        "attackers": [results[f"attackers:{method}:n={n}"] for method in attackers.LAWS for n in plan.records],
        "program": [results[f"attackers:simulated:n={n}"] for n in plan.records],
        "crowds": [results[f"crowd:{name}:{method}:n={n}"] for name, method, n in crowds_of(plan)],
        "bound": signed(attackers.bound(attackers.EPSILON)),
    }


def exposed(point: Point, result: Mapping[str, Any]) -> dict[str, Any]:
    """The networks of a run and what they lose by attribute, as JSON."""
    clusters = result["networks"]
    return {"point": point.key, "networks": clusters, "losses": losses(point, clusters)}


def counted() -> list[dict[str, Any]]:
    """What Figure 6 counts, as JSON."""
    names = ("d", "k", "degree", "candidates", "cells", "coefficients")
    return [
        {"data": data, "method": method, **{name: getattr(search, name) for name in names}}
        for data, method, search in searches()
    ]


def spending(plan: Plan) -> Iterator[dict[str, Any]]:
    """Nominal and certified multiples of epsilon by stage, for every number of attributes and clusters."""
    for d in sorted({table.d for table in plan.data}):
        for k in plan.clusters:
            yield _spent(d, k, hmprivbayes_plan(d, k))
        yield _spent(d, 1, privbayes_plan(d, plan.degrees[0]))


def _spent(d: int, k: int, budgets: Budgets) -> dict[str, Any]:
    stages = [
        {"stage": stage.name, "nominal": str(stage.nominal), "certified": str(stage.certified)}
        for stage in budgets.account(1).stages
    ]
    return {"method": budgets.method, "d": d, "k": k, "stages": stages}


_MEAN = {"simulated": SIGNED, "interval": ENDS}
_DISTANCE = objects({**_MEAN, "median": ENDS, "runs": lists(TEXT)})
_ERRORS = by_name(_DISTANCE, propertyNames=one_of(TESTS))
_DATA = objects(
    {
        "records": NATURAL,
        "runs": NATURAL,
        "dropped": COUNT,
        "attributes": NATURAL,
        "bits": NATURAL,
        "sha256": TEXT,
        "columns": lists(objects({"name": TEXT, "bits": NATURAL})),
        "majority": SIGNED,
        "baseline": _ERRORS,
    }
)
_POINT = {
    "data": TEXT,
    "method": one_of(NAMES),
    "calibration": one_of(CALIBRATIONS),
    "k": optional(NATURAL),
    "degree": optional(COUNT),
    "segmentation": optional(TEXT),
    "epsilon": optional(TEXT),
    "nominal": TEXT,
    "certified": optional(TEXT),
    "distances": by_name(_DISTANCE, propertyNames=one_of(WAYS)),
    "errors": _ERRORS,
    "clusters": lists(lists(NATURAL)),
}
_PAIR = objects(
    {"attribute": COUNT, "parents": lists(COUNT), "share": SIGNED, "exact": lists(COUNT), "noisy": lists(SIGNED)}
)
_EXPOSED = objects(
    {"point": TEXT, "networks": lists(lists(_PAIR)), "losses": lists(objects(dict.fromkeys(STAGES, SIGNED)))}
)
_SEARCH = {"data": TEXT, "method": one_of(NAMES), "d": NATURAL, "k": NATURAL, "degree": COUNT}
_STAGES = lists(objects(dict.fromkeys(("stage", "nominal", "certified"), TEXT)))
_CHANCES = objects(dict.fromkeys(("mean", "largest"), SIGNED))
_ATTACK = {"method": one_of(attackers.LAWS), "n": NATURAL, "epsilon": TEXT}
_CROWD = {"table": one_of(TABLES), **_ATTACK, **dict.fromkeys(ATTACKERS, objects(_MEAN))}
FIELDS: Mapping[str, Any] = {
    "confidence": confidence("attackers", "points", "medians"),
    "data": by_name(_DATA),
    "points": by_name(objects(_POINT)),
    "cost": TEXT,
    "exposed": lists(_EXPOSED),
    "absent": lists(objects({"point": TEXT, "words": TEXT})),
    "searches": lists(objects({**_SEARCH, **dict.fromkeys(("candidates", "cells", "coefficients"), COUNT)})),
    "spending": lists(objects({"method": one_of(NAMES), "d": NATURAL, "k": NATURAL, "stages": _STAGES})),
    "attackers": lists(objects({**_ATTACK, "informed": _CHANCES, "matching": _CHANCES})),
    "program": lists(objects({**_ATTACK, "matching": beside(SIGNED)})),
    "crowds": lists(objects(_CROWD)),
    "bound": SIGNED,
}
"""The schema of the document's fields."""


def inside(document: Mapping[str, Any]) -> dict[str, bool]:
    """Whether the exact chance of the matching attacker is in the interval of the program's."""
    return {f"matching attacker, {one['n']} records": one["matching"]["inside"] for one in document["program"]}


def lines(document: Mapping[str, Any]) -> Iterator[str]:
    """Whose synthetic tables are nearest, as printed and at equal certified epsilon, and what is not run."""
    number = len(document["points"])
    yield f"source 003, {number} points, seed {document['seed']}"
    yield agreement("exact chances of attackers", inside(document).values(), document["confidence"]["attackers"])
    for name, data in document["data"].items():
        yield (
            f"{name}: {data['records']} records ({data['dropped']} with missing values dropped), {data['bits']} bits, "
            f"runs of every point: {data['runs']}"
        )
        points = [point for point in document["points"].values() if point["data"] == name and point["epsilon"]]
        for words, group in (("as printed", printed(points)), ("at equal certified epsilon", certified(points))):
            yield from (f"  {line}" for line in _distances(words, group, common(document["points"].values())))
        yield from (f"  {line}" for line in _machines(data, points, common(document["points"].values())))
    for words in dict.fromkeys(one["words"] for one in document["absent"]):
        number = sum(one["words"] == words for one in document["absent"])
        yield f"absent, {number} point{'s' * (number > 1)}: {words}"


def printed(points: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """All methods with the budgets of their sources."""
    return [point for point in points if point["calibration"] == "printed"]


def certified(points: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The methods whose transcript is certified to lose the point's epsilon."""
    return [p for p in points if p["certified"] is not None and Fraction(p["certified"]) == Fraction(p["epsilon"])]


def common(points: Iterable[Mapping[str, Any]]) -> str:
    """The segmentation that is not named: the first one of all points."""
    return next((point["segmentation"] for point in points if point["segmentation"] is not None), "")


def label(point: Mapping[str, Any], segmentation: str) -> str:
    """A method with its settings, and what differs from a segmentation, for people."""
    words = [f"{name} = {point[key]}" for name, key in (("k", "k"), ("l", "degree")) if point[key] is not None]
    others = [part for part in (point["segmentation"] or "").split(",") if part not in segmentation.split(",")]
    return ", ".join([point["method"], *words, *filter(None, others)])


def family(point: Mapping[str, Any]) -> str:
    """The name of its method, without what is said of it in brackets."""
    return str(point["method"]).split(" (")[0]


class Nearest(NamedTuple):
    """Of several points the one with the smallest mean distance, and whether the interval of its median is below those
    of all methods of another family."""

    point: Mapping[str, Any]
    apart: bool


def nearest(points: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], Nearest]:
    """The nearest points by kind of marginals and epsilon."""
    by_place: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for point in points:
        for way in point["distances"]:
            by_place.setdefault((way, point["epsilon"]), []).append(point)
    return {place: _nearest(there, place[0]) for place, there in by_place.items()}


def _nearest(points: list[Mapping[str, Any]], way: str) -> Nearest:
    least = min(points, key=lambda point: Decimal(point["distances"][way]["simulated"]))
    _, end = least["distances"][way]["median"]
    others = [point["distances"][way]["median"][0] for point in points if family(point) != family(least)]
    apart = end is not None and all(start is not None and Decimal(end) < Decimal(start) for start in others)
    return Nearest(least, apart)


def _distances(words: str, points: list[Mapping[str, Any]], segmentation: str) -> Iterator[str]:
    """The smallest mean distances; a star where the interval of the median is below those of all other methods."""
    by_place = nearest(points)
    for way in dict.fromkeys(way for way, _ in by_place):
        best = [
            f"{epsilon}: {label(least, segmentation)} ({float(least['distances'][way]['simulated']):.3g}{'*' * apart})"
            for (kind, epsilon), (least, apart) in by_place.items()
            if kind == way
        ]
        yield f"{way}-way, {words}, smallest mean distance at epsilon {'; '.join(best)}"


def _machines(data: Mapping[str, Any], points: list[Mapping[str, Any]], segmentation: str) -> Iterator[str]:
    """The smallest misclassification rates, beside that of the original table and of the majority."""
    for test, original in data["baseline"].items():
        errors = [(Decimal(point["errors"][test]["simulated"]), point) for point in points]
        least, point = min(errors, key=lambda one: one[0])
        yield (
            f"misclassified, {test} test set: {least:.3g} at least, {label(point, segmentation)} at epsilon "
            f"{point['epsilon']}; of the original table {float(original['simulated']):.3g}, majority "
            f"{float(data['majority']):.3g}"
        )


STUDY: Study[Plan, Task] = Study(
    source="003",
    form="dp-refimpl reproduction of 003 2",
    generator=GENERATOR,
    statement=STATEMENT,
    notes=NOTES,
    fields=FIELDS,
    tasks=tasks,
    stamp=stamp,
    compute=lambda plan: partial(computed, plan.seed, families(plan)["attackers"].level),
    confidence=lambda plan: {name: family.json for name, family in families(plan).items()},
    content=content,
    inside=inside,
    lines=lines,
)

# --- the command ------------------------------------------------------------------------------------------------------

OPTIONS = (
    option(
        "--data", listed(("small", *SIZES)), "Generated tables of these sizes, with commas; or a file like Adult: CSV."
    ),
    option("--epsilon", listed(settings.EPSILONS), "Budgets, with commas."),
    option(
        "--calibration",
        "both",
        "HMPrivBayes and Jtree as printed, at equal certified epsilon, or both.",
        Name((*CALIBRATIONS, "both")),
    ),
    option("--k clusters", listed(settings.CLUSTERS), "Numbers of clusters, with commas."),
    option("--l degree", settings.DEGREE, "In-degree of HMPrivBayes.", click.IntRange(0)),
    option("--degrees", listed(settings.DEGREES), "In-degrees of PrivBayes, with commas."),
    option(
        "--sigma", listed(settings.SIGMAS), "Of the weights; all but the first are tried at the middle k and budget."
    ),
    option("--k1", listed(settings.KEPT), "Eigenvectors kept; as --sigma."),
    option("--eta", listed(settings.ETAS), "Threshold of the filter (9), or none; as --sigma."),
    option("--most", settings.MOST, "Candidate pairs of a network search that is run.", click.IntRange(1)),
    option("--more", settings.MORE, "Times as many runs of small tables; wide ones have one run.", click.IntRange(1)),
    option("--records", listed(settings.RECORDS), "Records of the tiny tables of Figure 4, with commas."),
    option("--crowds", listed(settings.CROWDS), "Records of larger tables of Figure 4, with commas."),
    option("--cost", settings.COST, "Of the support vector machines of Figure 5 (e) and (f), or none: no machines."),
    option("--times/--no-times", True, "Measure Figure 6, too."),
)


def asked(data: str, epsilon: str, calibration: str, clusters: str, degrees: str, **more: Any) -> Plan:
    """The plan of the options."""
    sigma, k1, eta = (more.pop(name) for name in ("sigma", "k1", "eta"))
    plan = Plan(
        data=tables(data),
        epsilons=tuple(epsilon.split(",")),
        calibrations=CALIBRATIONS if calibration == "both" else (calibration,),  # type: ignore[arg-type]
        clusters=integers("k", clusters),
        degrees=integers("degrees", degrees),
        segmentations=segmentations(sigma.split(","), integers("k1", k1), eta.split(",")),
        records=integers("records", more.pop("records")),
        crowds=integers("crowds", more.pop("crowds")),
        **more,
    )
    if plan.cost != settings.NO_MACHINE:
        require_machines()
    return plan


def tables(data: str) -> tuple[Table, ...]:
    """The tables of the option. Raises `DomainError` for what is no name and no file, and as `of_file`."""
    built_in = ("small", *SIZES)
    names = data.split(",")
    if all(name in built_in for name in names):
        return tuple(small() if name == "small" else named(name) for name in names)
    path = Path(data)
    if not path.is_file():
        raise DomainError("--data", data, f"{', '.join(built_in)}, with commas, or a file")
    return (of_file(path),)


def seconds(plan: Plan) -> float:
    """Of everything, one process: releases by their candidate pairs, distances by their marginals, attackers."""
    releases = sum(_seconds(point) * plan.runs_of(point.table) for point in plan.points())
    crowds = plan.runs * CROWD_RUNS * sum(0.001 + 6e-8 * n for _, _, n in crowds_of(plan))
    return releases + sum([8.0**n / 100 for n in plan.records]) + crowds


def _seconds(point: Point) -> float:
    n, d, search = point.table.n, point.table.d, point.search
    pairs = 0 if search is None else search.candidates
    return 0.02 + float(pairs) * 4e-7 + float(n * d**3) * 1.5e-10


REQUEST = Request(
    study=STUDY,
    out=Path("build/reproduce-003"),
    runs=settings.RUNS,
    seed=settings.SEED,
    help="Draw Figures 4 to 6 of source 003: distances of synthetic tables as printed and at equal certified epsilon, "
    "attackers, and what a search costs.",
    examples=(
        "--jobs 2",
        "--data small,adult --epsilon 0.1,0.8",
        "--data adult.csv --sigma 1,1/2 --eta none,1/2 --out adult",
    ),
    options=OPTIONS,
    plan=asked,
    work="synthetic tables each",
    seconds=seconds,
    units="synthetic tables and attacks",
    measured=measured,
    said=time_lines,
)
