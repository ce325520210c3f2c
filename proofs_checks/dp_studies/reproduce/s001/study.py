"""The study of source 001: the points of two tables, the precision of all ranges, and the command's options."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, cast

import click
from flint import arb, fmpq

from dp_checks.runtime.boundary import Name
from dp_checks.runtime.parallel import Workers
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.reproduce.command import Request, integers, listed, option
from dp_studies.reproduce.numbers import BITS, decimal
from dp_studies.reproduce.s001.error_laws import Extreme, extremes
from dp_studies.reproduce.s001.noise import Noise
from dp_studies.reproduce.s001.points import result
from dp_studies.reproduce.s001.settings import EPSILONS, KINDS, RANGES, RUNS, SEED, SIZE, SIZES, Kind, Plan, Point
from dp_studies.reproduce.study import Family, Study, agreement
from dp_studies.schemas import (
    BOOLEAN,
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
)

TABLES = ("table1", "table2")
THRESHOLDS = {"pct1": Fraction(1, 100), "pct5": Fraction(5, 100), "pct25": Fraction(25, 100)}
"""Readings of claim 001.exp.table1.power."""

GENERATOR = (
    "numpy PCG64; releases seeded with (seed, key of the point), ranges with (seed, 'ranges:N=' and N), keys being the "
    "first 16 bytes of their SHA-256. Laplace noise is drawn as integer multiples of 2^-30 of its scale, discrete "
    "noise as it is; integers alone decide."
)
STATEMENT = (
    "If the generator's words are independent and uniform, then with probability at least 1 - family_level all "
    "intervals of a table contain their expected squared errors; that a draw is not the nearest multiple of a Laplace "
    "variable (2^-63 each) and the distance to that variable are included. 'inside' says whether the exact formula's "
    "value is in the interval; nothing forces it to be."
)
NOTES = (
    "Table 1: the exact error is 2 (Delta / epsilon)^2 times the coefficient of Algorithm 3; Table 2: times (16), and "
    "'approximate' times (17). For discrete noise its variance replaces 2 (Delta / epsilon)^2.",
    "How the source draws its ranges is not in our text: here each is uniform on all ranges of the size. A range has "
    "releases of its own, and so has a size.",
    "The error of an answer does not depend on the data, which are not drawn.",
    "relative_standard_error: of a mean over the runs, exactly; power: the smallest and largest of all ranges.",
    "runs, Table 1: N times the error, in multiples of the noise's unit, which is 2^-30 Delta / epsilon, or 1 for "
    "discrete noise. Table 2: the sum of their squares over all ranges.",
)


def families(plan: Plan) -> dict[str, Family]:
    """Two ends for every point, by table; a draw that is off is lost.

    Raises `DomainError` for so many draws that the bound on those that are off leaves no level.
    """
    by_table = {}
    for table, points in tables(plan).items():
        missed = sum((plan.runs * p.size * Noise(p).missed for p in points), Fraction(0))
        by_table[table] = Family(2 * len(points), missed)
        if by_table[table].level <= 0:
            raise DomainError("runs", plan.runs, "fewer runs")
    return by_table


def tables(plan: Plan) -> dict[str, list[Point]]:
    """The points by table."""
    return dict(zip(TABLES, (list(plan.first_table()), list(plan.second_table())), strict=True))


def tasks(plan: Plan) -> dict[str, tuple[Point, Fraction]]:
    """All points, and the levels of their bounds."""
    levels = {table: family.level for table, family in families(plan).items()}
    return {point.key: (point, levels[table]) for table, points in tables(plan).items() for point in points}


def computed(runs: int, seed: int, task: tuple[Point, Fraction]) -> dict[str, Any]:
    """The JSON of a point."""
    point, level = task
    return result(point, runs, seed, level)


def stamp(plan: Plan) -> str:
    """What a result depends on."""
    return f"runs={plan.runs} levels={','.join(str(family.level) for family in families(plan).values())}"


def content(plan: Plan, results: Mapping[str, Any], by: Workers) -> dict[str, Any]:
    """The document's own fields."""
    document: dict[str, Any] = {"power": [power(plan, kind, epsilon) for kind, epsilon in plan.noises()]}
    return document | {
        table: {point.key: results[point.key] for point in points} for table, points in tables(plan).items()
    }


def power(plan: Plan, kind: Kind, epsilon: str) -> dict[str, Any]:
    """The relative standard errors of all ranges of Table 1's size, and the thresholds that none of them is above."""
    noise = Noise(Point(kind, epsilon, plan.size))
    least, most = extremes(plan.size)
    with precision(BITS):
        largest = _square(most, noise, plan.runs)
        return {
            "noise": kind,
            "epsilon": epsilon,
            "size": plan.size,
            "smallest": _extreme(least, noise, plan.runs),
            "largest": _extreme(most, noise, plan.runs),
            "at_most": {
                name: compare(largest, fmpq(p.numerator, p.denominator) ** 2) is not Ordering.GREATER
                for name, p in THRESHOLDS.items()
            },
        }


def _square(extreme: Extreme, noise: Noise, runs: int) -> arb | fmpq:
    ratio = fmpq(extreme.ratio.numerator, extreme.ratio.denominator)
    return (2 + noise.excess * ratio) / runs


def _extreme(extreme: Extreme, noise: Noise, runs: int) -> dict[str, Any]:
    return {
        "relative_standard_error": decimal(arb(_square(extreme, noise, runs)).sqrt()),
        "ranges": [list(ends) for ends in extreme.ranges],
    }


_NOISE: Mapping[str, Any] = {"noise": one_of(KINDS), "epsilon": TEXT, "size": NATURAL}
_SEEN: Mapping[str, Any] = {
    "error": beside(DECIMAL),
    "relative_standard_error": DECIMAL,
    "runs": lists({"type": "string", "pattern": "^(0|-?[1-9][0-9]*)$"}),
}
_APPROXIMATE = {"value": DECIMAL, "relative_difference": SIGNED, "inside": BOOLEAN}
_RANGE = {**_NOISE, "number": NATURAL, "first": NATURAL, "last": NATURAL, **_SEEN}
_RANGES = lists(lists(NATURAL, minItems=2, maxItems=2), minItems=1)
_EXTREME = objects({"relative_standard_error": DECIMAL, "ranges": _RANGES})
_THRESHOLDS = objects(dict.fromkeys(THRESHOLDS, BOOLEAN))
FIELDS: Mapping[str, Any] = {
    "confidence": confidence(*TABLES),
    "power": lists(objects({**_NOISE, "smallest": _EXTREME, "largest": _EXTREME, "at_most": _THRESHOLDS})),
    "table1": by_name(objects(_RANGE)),
    "table2": by_name(objects({**_NOISE, **_SEEN, "approximate": objects(_APPROXIMATE)})),
}
"""The schema of the document's fields."""


def inside(document: Mapping[str, Any], names: Iterable[str] = TABLES) -> dict[str, bool]:
    """Whether the exact error of a point is in its interval."""
    return {f"{table}, {key}": point["error"]["inside"] for table in names for key, point in document[table].items()}


def lines(document: Mapping[str, Any]) -> Iterator[str]:
    """How precise the simulated errors are, and what they say of (17)."""
    yield f"source 001, {document['runs']} releases of every point, seed {document['seed']}"
    for table in TABLES:
        agreements = inside(document, [table]).values()
        yield agreement(f"{table}: exact errors", agreements, document["confidence"][table])
    for one in document["power"]:
        yield from _precision(document, one)
    for one in document["table2"].values():
        yield (
            f"all ranges, {_noise(one)}, N={one['size']}: simulated {_short(one['error']['simulated'])}, "
            f"exact {_short(one['error']['exact'])}, (17) {_short(one['approximate']['value'])} "
            f"({100 * float(one['approximate']['relative_difference']):+.2f} %)"
            + ("" if one["approximate"]["inside"] else ", outside the interval")
        )


def _precision(document: Mapping[str, Any], power: Mapping[str, Any]) -> Iterator[str]:
    """How far simulated errors are from exact ones, and what may be expected of them."""
    points = [p for p in document["table1"].values() if _noise(p) == _noise(power)]
    off = [
        abs(float(p["error"]["simulated"]) / float(p["error"]["exact"]) - 1) / float(p["relative_standard_error"])
        for p in points
    ]
    least, most = (power[name] for name in ("smallest", "largest"))
    (first, last), *more = most["ranges"]
    others = f" and {len(more)} more" if more else ""
    yield (
        f"{_noise(power)}: {sum(x <= 1 for x in off)} of {len(off)} ranges within one standard error, "
        f"{sum(x <= 2 for x in off)} within two"
    )
    yield (
        f"relative standard error, all ranges of N={power['size']}: {_percent(least)} to {_percent(most)} "
        f"({first}..{last}{others})"
    )


def _noise(point: Mapping[str, Any]) -> str:
    return f"{point['noise']} noise, epsilon {point['epsilon']}"


def _percent(extreme: Mapping[str, Any]) -> str:
    return f"{100 * float(extreme['relative_standard_error']):.2f} %"


def _short(number: str) -> str:
    return f"{float(number):.5g}"


STUDY: Study[Plan, tuple[Point, Fraction]] = Study(
    source="001",
    form="dp-refimpl reproduction of 001 1",
    generator=GENERATOR,
    statement=STATEMENT,
    notes=NOTES,
    fields=FIELDS,
    tasks=tasks,
    stamp=stamp,
    compute=lambda plan: partial(computed, plan.runs, plan.seed),
    confidence=lambda plan: {table: family.json for table, family in families(plan).items()},
    content=content,
    inside=inside,
    lines=lines,
)

# --- the command ------------------------------------------------------------------------------------------------------

SECONDS = 1e-6
"""Of one draw."""
OPTIONS = (
    option(
        "--noise",
        "laplace",
        "Laplace noise, discrete Laplace noise (two-sided geometric), or both.",
        Name((*KINDS, "both")),
    ),
    option("--epsilon", listed(EPSILONS), "Rational budgets, with commas."),
    option("--size", SIZE, "N of the random ranges.", click.IntRange(1)),
    option("--ranges", RANGES, "Number of random ranges.", click.IntRange(1)),
    option("--sizes", listed(SIZES), "N of all ranges, with commas."),
)


def asked(noise: str, epsilon: str, sizes: str, **more: Any) -> Plan:
    """The plan of the options."""
    kinds = KINDS if noise == "both" else (cast(Kind, noise),)
    return Plan(kinds, tuple(epsilon.split(",")), sizes=integers("sizes", sizes), **more)


REQUEST = Request(
    study=STUDY,
    out=Path("build/reproduce-001"),
    runs=RUNS,
    seed=SEED,
    help="Draw Tables 1 and 2 (Figures 4 and 5) of source 001: exact errors of ranges, and simulated releases.",
    examples=(
        "--jobs 2",
        "--noise discrete --epsilon 1/10,1",
        "--sizes 1024 --runs 1000 --out many-runs",
    ),
    options=OPTIONS,
    plan=asked,
    work="releases each",
    seconds=lambda plan: sum(point.size for point in plan.points()) * plan.runs * SECONDS,
)
