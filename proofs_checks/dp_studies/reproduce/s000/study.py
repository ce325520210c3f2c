"""The study of source 000: what is simulated, the document of all points, who wins, and the command's options."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import click

from dp_checks.runtime.boundary import Name
from dp_checks.runtime.parallel import Workers
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.command import Request, integers, listed, option
from dp_studies.reproduce.s000.data import SIZES, DataSet, named, of_file, synthetic
from dp_studies.reproduce.s000.measurements import measured, time_lines
from dp_studies.reproduce.s000.points import result
from dp_studies.reproduce.s000.settings import (
    ALGORITHMS,
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
    Point,
)
from dp_studies.reproduce.streams import draws, number_of
from dp_studies.reproduce.study import Family, Study, agreement
from dp_studies.schemas import (
    COUNT,
    DECIMAL,
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
    "numpy PCG64; runs seeded with (seed, run, key of the point and the algorithm), EM with (seed, 'em:' and the key "
    "of the point), keys being the first 16 bytes of their SHA-256."
)
STATEMENT = (
    "If the generator's words are independent and uniform, then with probability at least 1 - family_level all "
    "intervals contain the expected mean squared errors of their settings. 'inside' says whether the exact formula's "
    "value is in the interval; nothing forces it to be. What POP and EM leave is measured in floats: no interval."
)
NOTES = (
    "error: the mean of (f~_v - f_v)^2 over the items, before POP and EM, exactly; it does not depend on the "
    "histogram. The same for OD-HP whether dummies carry functions of their own or the report's.",
    "printed: MURS by M_c, d' = floor((M_c + 2) / 3); HP-SDP by the blanket's gamma with g = d'; dummies of mixDUMP by "
    "its bound and of OD-HP by (7). These are what the sources say; claims 000.base.* and 000.thm1.* say what holds.",
    "certified: the largest local budget of local hashing, and the fewest dummies, for which the kernel accepts the "
    "privacy blanket's bound for every data set. For OD-HP this is the model 'fresh': with the printed 'shared' "
    "functions dummies do not hide in the crowd (000.thm1.eq7@shared-range), and no calibration is known.",
    "MURS and HP-SDP, certified: with the printed number of labels, and with the best one if e^epsilon_l + h - 1 "
    "stays as it was found to be.",
    "Dummies are counted in all: users send numbers that differ by at most one.",
    "simulated: of each algorithm the setting with the smallest error. The counts C_v of all items are drawn "
    "independently: with own functions out of all of them that is their law, for mixDUMP that of each alone.",
    "pop: means over the runs; it belongs to HP-SDP, and could be done after all four.",
    "em: one run with all messages, each with an affine function of its own (a x + b mod P mod h), likelihood 'mix', "
    "start 'vector', a fixed number of steps; before and after are of the same messages.",
)


def family(plan: Plan) -> Family:
    """Two ends for every algorithm at every point."""
    return Family(2 * len(ALGORITHMS) * len(list(plan.points())))


def stamp(plan: Plan) -> str:
    """What a result depends on."""
    settings = (plan.delta, plan.labels, plan.budgets, plan.steps)
    data = ",".join(data.digest for data in plan.data)
    return f"runs={plan.runs} level={family(plan).level} {settings} {data}"


def content(plan: Plan, results: Mapping[str, Any], by: Workers) -> dict[str, Any]:
    """The document's own fields."""
    return {
        "delta": plan.delta,
        "labels": list(plan.labels),
        "budgets": list(plan.budgets),
        "steps": plan.steps,
        "data": {
            data.name: {"users": data.users, "items": data.items, "largest": max(data.held), "sha256": data.digest}
            for data in plan.data
        },
        "winners": winners(results.values()),
        "points": dict(results),
    }


_ALGORITHM = one_of(ALGORITHMS)
_FLOAT: Mapping[str, Any] = {"type": "string", "pattern": r"^[0-9]\.[0-9]{5}e[+-][0-9]+$"}
_WHERE: Mapping[str, Any] = {"data": TEXT, "calibration": one_of(CALIBRATIONS), "epsilon": TEXT}
_CHOICE: Mapping[str, Any] = {"algorithm": _ALGORITHM, "labels": NATURAL, "local": SIGNED, "dummies": COUNT}
_REFUSED = {"algorithm": _ALGORITHM, "labels": optional(NATURAL), "budget": optional(TEXT), "words": TEXT}
_MEASURED = objects({"before": _FLOAT, "after": _FLOAT})
_SUMS = objects(dict.fromkeys(("counts", "squares", "products"), COUNT))
_BEST: Mapping[str, Any] = {**_CHOICE, "error": beside(DECIMAL), "runs": lists(_SUMS), "pop": _MEASURED}
_SIMULATED: Mapping[str, Any] = {
    **dict.fromkeys(ALGORITHMS, objects(_BEST)),
    "OD-HP": objects({**_BEST, "em": _MEASURED}),
}
_POINT = {
    **_WHERE,
    "settings": lists(objects({**_CHOICE, "error": DECIMAL})),
    "refused": lists(objects(_REFUSED)),
    "simulated": objects(_SIMULATED, missing=ALGORITHMS),
}
_WINNER = {
    **_WHERE,
    "winner": lists(_ALGORITHM),
    "errors": by_name(DECIMAL, propertyNames=_ALGORITHM),
    **dict.fromkeys(("settings", "below_mixdump", "below_murs", "below_all"), COUNT),
}
FIELDS: Mapping[str, Any] = {
    "confidence": confidence(),
    "delta": TEXT,
    "labels": lists(NATURAL),
    "budgets": lists(TEXT),
    "steps": NATURAL,
    "data": by_name(objects({"users": NATURAL, "items": NATURAL, "largest": NATURAL, "sha256": TEXT})),
    "winners": lists(objects(_WINNER)),
    "points": by_name(objects(_POINT)),
}
"""The schema of the document's fields."""

SAID = {"printed": "with the published parameters", "certified": "with certified parameters"}


def winners(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For every point the smallest error of each algorithm and whose is the least (all of equal ones), as JSON.

    `settings` are those of OD-HP. `below_murs` says how many of them are below MURS, `below_mixdump` below mixDUMP
    with the same local budget (000.exp.best), `below_all` below the best of all others. Decimals are compared.
    """
    rows = []
    for point in points:
        settings = point["settings"]
        errors = {name: _least(one["error"] for one in settings if one["algorithm"] == name) for name in ALGORITHMS}
        finite = {name: error for name, error in errors.items() if error is not None}
        least = min(finite.values(), key=Decimal)
        own = [one for one in settings if one["algorithm"] == "OD-HP"]
        mixed = {one["local"]: one["error"] for one in settings if one["algorithm"] == "mixDUMP"}
        others = _least(error for name, error in finite.items() if name != "OD-HP")
        rows.append(
            {
                **{name: point[name] for name in ("data", "calibration", "epsilon")},
                "winner": [name for name, error in finite.items() if error == least],
                "errors": finite,
                "settings": len(own),
                "below_mixdump": sum(_below(one, mixed.get(one["local"])) for one in own),
                "below_murs": sum(_below(one, finite.get("MURS")) for one in own),
                "below_all": sum(_below(one, others) for one in own),
            }
        )
    return rows


def _least(errors: Iterable[str]) -> str | None:
    return min(errors, key=Decimal, default=None)


def _below(one: Mapping[str, Any], error: str | None) -> bool:
    return error is not None and Decimal(one["error"]) < Decimal(error)


def inside(document: Mapping[str, Any]) -> dict[str, bool]:
    """Whether the exact error of a simulated setting is in its interval."""
    return {
        f"{key}, {name}": one["error"]["inside"]
        for key, point in document["points"].items()
        for name, one in point["simulated"].items()
    }


def lines(document: Mapping[str, Any]) -> Iterator[str]:
    """Who has the smallest error, and with which settings."""
    yield f"source 000, {document['runs']} runs of every simulated setting, seed {document['seed']}"
    yield agreement("exact errors", inside(document).values(), document["confidence"])
    yield from paragraph(document)
    refused = {
        (one["algorithm"], one["words"]): None for point in document["points"].values() for one in point["refused"]
    }
    yield from (f"{algorithm} has no setting somewhere: {words}" for algorithm, words in refused)


def paragraph(document: Mapping[str, Any]) -> Iterator[str]:
    """Who wins: a sentence for every data set and calibration, and the settings of the best OD-HP."""
    ordered = sorted(document["winners"], key=lambda one: (str(one["data"]), str(one["calibration"])))
    for (data, calibration), group in groupby(ordered, lambda one: (one["data"], one["calibration"])):
        points = list(group)
        won: dict[str, list[str]] = {}
        for one in points:
            won.setdefault(" = ".join(one["winner"]), []).append(one["epsilon"])
        who = "; ".join(f"{name} at epsilon {', '.join(where)}" for name, where in won.items())
        yield f"{data}, {SAID[calibration]}: smallest error: {who}"
        for one in points:
            key = f"{data}:{calibration}:epsilon={one['epsilon']}"
            yield f"  epsilon {one['epsilon']}: {_errors(one, document['points'][key]['simulated'])}"
            yield (
                f"    of {one['settings']} settings of OD-HP {one['below_mixdump']} are below mixDUMP with the same "
                f"local budget, {one['below_murs']} below MURS, {one['below_all']} below all others"
            )


def _errors(winner: Mapping[str, Any], simulated: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {float(error):.3g} ({_setting(simulated[name])})" for name, error in winner["errors"].items()
    )


def _setting(one: Mapping[str, Any]) -> str:
    words = f"h={one['labels']}, epsilon_l={float(one['local']):.4g}"
    return f"{words}, {one['dummies']} dummies" if one["dummies"] else words


STUDY: Study[Plan, Point] = Study(
    source="000",
    form="dp-refimpl reproduction of 000 2",
    generator=GENERATOR,
    statement=STATEMENT,
    notes=NOTES,
    fields=FIELDS,
    tasks=lambda plan: {point.key: point for point in plan.points()},
    stamp=stamp,
    compute=lambda plan: partial(result, plan, family(plan).level),
    confidence=lambda plan: family(plan).json,
    content=content,
    inside=inside,
    lines=lines,
)

# --- the command ------------------------------------------------------------------------------------------------------

SECONDS = {"printed": 4.0, "certified": 25.0}
"""Of a point."""
OPTIONS = (
    option(
        "--data",
        listed(SIZES),
        "Synthetic data of these sizes, with commas; or a file: CSV, Parquet, or transactions, one line each.",
    ),
    option("--column", None, "Of a CSV or Parquet file."),
    option("--users", None, "With --items: synthetic data of another size.", click.IntRange(2)),
    option("--items", None, "With --users: synthetic data of another size.", click.IntRange(2)),
    option(
        "--calibration",
        "both",
        "Parameters by the sources' theorems (printed), by certified bounds, or both.",
        Name((*CALIBRATIONS, "both")),
    ),
    option("--epsilon", listed(EPSILONS), "Central budgets, with commas."),
    option("--delta", DELTA, "As 1e-6 or 1/1000."),
    option("--labels", listed(LABELS), "h of OD-HP, with commas."),
    option("--local", listed(BUDGETS), "epsilon_l of mixDUMP and OD-HP."),
    option("--steps", STEPS, "Of EM.", click.IntRange(1)),
    option("--times/--no-times", True, "Measure Figure 5, too."),
)


def asked(calibration: str, epsilon: str, delta: str, labels: str, local: str, **more: Any) -> Plan:
    """The plan of the options."""
    chosen = {name: more.pop(name) for name in ("data", "column", "users", "items")}
    data = data_sets(**chosen, seed=more["seed"])
    calibrations = CALIBRATIONS if calibration == "both" else (cast(Calibration, calibration),)
    budgets = tuple(epsilon.split(","))
    return Plan(data, calibrations, budgets, delta, integers("labels", labels), tuple(local.split(",")), **more)


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


REQUEST = Request(
    study=STUDY,
    out=Path("build/reproduce-000"),
    runs=RUNS,
    seed=SEED,
    help="Draw Figures 3 to 5 of source 000: errors of MURS, HP-SDP, mixDUMP and OD-HP, who wins, and what they take.",
    examples=(
        "--jobs 2",
        "--calibration printed --epsilon 0.1,0.5,1",
        "--data cities.csv --column city",
        "--users 10000 --items 100 --out small",
    ),
    options=OPTIONS,
    plan=asked,
    work="runs of every best setting",
    seconds=lambda plan: sum(SECONDS[point.calibration] for point in plan.points()),
    measured=measured,
    said=time_lines,
)
