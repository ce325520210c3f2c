"""The study of source 002: exact curves, simulated points, the document of both, and the command's options."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from dp_checks.runtime.boundary import Name
from dp_checks.runtime.parallel import Workers
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_studies.reproduce.command import Request, integers, option
from dp_studies.reproduce.numbers import BITS, decimal
from dp_studies.reproduce.s002.formulas import KINDS, MECHANISMS, items, verdict
from dp_studies.reproduce.s002.points import CALIBRATIONS, Absent, Calibration, Point, exact_errors, result, spent
from dp_studies.reproduce.s002.settings import Figure, Place, figure
from dp_studies.reproduce.study import Family, Study, agreement, require_integers
from dp_studies.schemas import (
    BOOLEAN,
    COUNT,
    DECIMAL,
    TEXT,
    by_name,
    confidence,
    lists,
    objects,
    one_of,
    optional,
)

SEED = 20220809
"""The default random state."""
GENERATOR = (
    "numpy PCG64; data sets seeded with (seed, n, d, m), runs with (seed, run, first 16 bytes of SHA-256 of key)"
)
STATEMENT = (
    "If the generator's words are independent and uniform, then with probability at least 1 - family_level all "
    "intervals of all points contain the expected sums of squared errors (over X_sen and over X_non) of their "
    "mechanisms, given the data sets. 'inside' says whether the exact formula's value is in the interval; nothing "
    "forces it to be."
)
NOTES = (
    "Exact errors are the formulas of the named claims; 'printed' are the source's own where those are refuted.",
    "Every user holds m items drawn uniformly without replacement; curves take f_x = m / d, points the counts of their "
    "data set. The source's three real data sets are not used, only their sizes (Table 4).",
    "The range of epsilon in Figure 1 and the proportions in Figure 2 are not in our text; they are chosen here. The "
    "data being symmetric, the first K items are the sensitive ones.",
    "Counts F_x are drawn from their joint law without drawing every report; suWheel's hash function is ideal.",
    "A calibration other than 'paper' runs each mechanism at the nominal budget whose smallest constant in this "
    "reading of (11) is e^epsilon, or less by rounding.",
)


@dataclass(frozen=True)
class Plan:
    """What to reproduce. Raises `DomainError` for bad numbers, for unknown or repeated figures and calibrations."""

    figures: tuple[int, ...] = (1, 2, 3, 4)
    calibrations: tuple[Calibration, ...] = CALIBRATIONS
    runs: int = 10
    seed: int = SEED

    def __post_init__(self) -> None:
        for name, allowed in (("figures", (1, 2, 3, 4)), ("calibrations", CALIBRATIONS)):
            values = getattr(self, name)
            valid = isinstance(values, tuple) and all(value in allowed for value in values)
            if not valid or not values or len(set(values)) != len(values):
                raise DomainError(name, values, f"some of {', '.join(map(str, allowed))}, each once")
        require_integers({"runs": 1, "seed": 0}, self)

    def points(self) -> tuple[Point, ...]:
        """The simulated points, each once, those with the same data set together."""
        by_key: dict[str, Point] = {}
        for number in self.figures:
            for place in figure(number).places():
                for mechanism in MECHANISMS if place.simulated else ():
                    for calibration in self.calibrations:
                        point = _point(mechanism, place, calibration)
                        if isinstance(point, Point):
                            by_key[point.key] = point
        return tuple(sorted(by_key.values(), key=lambda p: (p.shape, p.key)))


def family(plan: Plan) -> Family:
    """Two ends for each kind of items at every point."""
    return Family(2 * sum(bool(items(point.setting, kind)) for point in plan.points() for kind in KINDS))


def content(plan: Plan, results: Mapping[str, Any], by: Workers) -> dict[str, Any]:
    """The document's own fields."""
    figures = [curves(figure(number), calibration) for calibration in plan.calibrations for number in plan.figures]
    return {"figures": figures, "points": dict(results)}


def curves(picture: Figure, calibration: Calibration) -> dict[str, Any]:
    """The exact curves of a figure, as JSON."""
    panels = []
    for panel in picture.panels:
        listed = []
        for mechanism in MECHANISMS.values():
            formulas = {
                kind: {"claim": mechanism.errors[kind].claim, "verdict": verdict(mechanism.errors[kind].claim)}
                for kind in KINDS
            }
            listed.append(
                {
                    "mechanism": mechanism.name,
                    "reading": mechanism.reading,
                    "formulas": formulas,
                    "places": [_place(mechanism.name, place, calibration) for place in panel.places],
                }
            )
        panels.append({"title": panel.title, "curves": listed})
    return {"number": picture.number, "calibration": calibration, "axis": picture.axis, "panels": panels}


def _place(mechanism: str, place: Place, calibration: Calibration) -> dict[str, Any]:
    setting = place.setting
    point = _point(mechanism, place, calibration)
    with precision(BITS):
        budget = None if isinstance(point, Absent) else point.spent.budget
        nominal = None if budget is None else decimal(budget.root.log() * budget.power)
    return {
        "x": place.x,
        "epsilon": setting.epsilon,
        **{name: getattr(setting, name) for name in ("n", "d", "K", "m")},
        "nominal_epsilon": nominal,
        "constant": point.spent.claim if isinstance(point, Point) else None,
        "absent": point.reason if isinstance(point, Absent) else None,
        "exact": exact_errors(point) if isinstance(point, Point) else None,
        "printed": exact_errors(point, printed=True) if isinstance(point, Point) else None,
        "point": point.key if isinstance(point, Point) and place.simulated else None,
    }


def _point(mechanism: str, place: Place, calibration: Calibration) -> Point | Absent:
    budget = spent(mechanism, place.setting, calibration)
    return budget if isinstance(budget, Absent) else Point(mechanism, place.setting, budget)


_MAYBE = optional(DECIMAL)
_SIZES: Mapping[str, Any] = {"n": COUNT, "d": COUNT, "K": COUNT, "m": COUNT}


def _kinds(value: Any, **more: Any) -> dict[str, Any]:
    """Something for X_sen and, if it is not empty, for X_non."""
    return objects(dict.fromkeys(KINDS, value), missing=["nonsensitive"], **more)


_TOTALS: Mapping[str, Any] = {"sensitive": _MAYBE, "nonsensitive": _MAYBE, "sum": DECIMAL, "mean": DECIMAL}
_ENDS = lists(_MAYBE, minItems=2, maxItems=2)
_FORMULA = objects({"claim": TEXT, "verdict": TEXT})
_PLACE = objects(
    {
        "x": TEXT,
        "epsilon": TEXT,
        **_SIZES,
        "nominal_epsilon": _MAYBE,
        "constant": {"type": ["string", "null"], "description": "claim that gives the smallest constant"},
        "absent": {"type": ["string", "null"], "description": "why the mechanism has no budget here"},
        "exact": {**optional(objects(_TOTALS)), "description": "f_x = m / d for every item"},
        "printed": {**optional(objects(_TOTALS)), "description": "the source's formulas, if others"},
        "point": {"type": ["string", "null"], "description": "key of the simulated point"},
    }
)
_CURVE = objects(
    {
        "mechanism": one_of(MECHANISMS),
        "reading": TEXT,
        "formulas": _kinds(_FORMULA),
        "places": lists(_PLACE),
    }
)
_POINT = objects(
    {
        "mechanism": one_of(MECHANISMS),
        "setting": objects(_SIZES),
        "exact": objects(_TOTALS, description="for the data set of the runs"),
        "simulated": objects({**_TOTALS, "runs": lists(DECIMAL)}, description="means over the runs; each run's sum"),
        "interval": objects({**_kinds(optional(_ENDS))["properties"], "sum": _ENDS}),
        "inside": _kinds(BOOLEAN),
        "printed_inside": optional(_kinds(BOOLEAN)),
        "data": _kinds(lists(COUNT, minItems=2, maxItems=2), description="sums of n f_x and (n f_x)^2"),
        "counts": _kinds(
            lists(lists(COUNT, minItems=3, maxItems=3)), description="by run: sums of F_x, F_x^2 and F_x n f_x"
        ),
    }
)
_FIGURE = {
    "number": one_of([1, 2, 3, 4]),
    "calibration": one_of(CALIBRATIONS),
    "axis": one_of(["epsilon", "proportion", "d", "m"]),
    "panels": lists(objects({"title": TEXT, "curves": lists(_CURVE)})),
}
FIELDS: Mapping[str, Any] = {
    "confidence": confidence(),
    "figures": lists(objects(_FIGURE)),
    "points": by_name(_POINT),
}
"""The schema of the document's fields."""


def inside(document: Mapping[str, Any]) -> dict[str, bool]:
    """Whether the exact formula for a kind of items is in its interval at a point."""
    return {
        f"{key} ({kind})": agrees
        for key, point in document["points"].items()
        for kind, agrees in point["inside"].items()
    }


def lines(document: Mapping[str, Any]) -> Iterator[str]:
    """What is inside, which printed formulas are not, what is absent and what is not proved."""
    yield f"source 002, figures {', '.join(str(n) for n in sorted({f['number'] for f in document['figures']}))}"
    yield f"{len(document['points'])} simulated points of {document['runs']} runs, seed {document['seed']}"
    yield agreement("exact sums of squared errors", inside(document).values(), document["confidence"])
    for claim, out, of in printed(document):
        yield f"as printed, {claim}: outside its interval at {out} of {of} points"
    for name, reasons in absent(document).items():
        yield f"absent, {name}: {reasons}"
    for claim, grade in unproved(document):
        yield f"note: the formula {claim} is {grade}"


def printed(document: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Printed formulas that differ from the exact ones: claim, points at which the runs exclude them, points."""
    for mechanism in MECHANISMS.values():
        for kind in KINDS:
            error = mechanism.errors[kind]
            tested = [
                p["printed_inside"][kind]
                for p in document["points"].values()
                if p["mechanism"] == mechanism.name and p["printed_inside"] is not None and kind in p["printed_inside"]
            ]
            if error.printed is not None and tested:
                yield error.printed_claim, tested.count(False), len(tested)


def absent(document: Mapping[str, Any]) -> dict[str, str]:
    """By calibration and mechanism: why there is no curve, or only a part of one."""
    reasons_of: dict[str, dict[str, None]] = {}
    for calibration, curve in _curves(document):
        for reason in filter(None, (place["absent"] for place in curve["places"])):
            reasons_of.setdefault(f"{calibration}, {curve['mechanism']}", {})[reason] = None
    return {name: "; ".join(reasons) for name, reasons in reasons_of.items()}


def unproved(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Claims behind exact curves whose committed verdict is not `proved`."""
    formulas = (formula for _, curve in _curves(document) for formula in curve["formulas"].values())
    verdicts = {formula["claim"]: formula["verdict"] for formula in formulas}
    return [(claim, verdict) for claim, verdict in verdicts.items() if verdict != "proved"]


def _curves(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All curves, each with its calibration."""
    for picture in document["figures"]:
        for panel in picture["panels"]:
            yield from ((picture["calibration"], curve) for curve in panel["curves"])


STUDY: Study[Plan, Point] = Study(
    source="002",
    form="dp-refimpl reproduction 2",
    generator=GENERATOR,
    statement=STATEMENT,
    notes=NOTES,
    fields=FIELDS,
    tasks=lambda plan: {point.key: point for point in plan.points()},
    stamp=lambda plan: f"runs={plan.runs} level={family(plan).level}",
    compute=lambda plan: partial(result, runs=plan.runs, seed=plan.seed, level=family(plan).level),
    confidence=lambda plan: family(plan).json,
    content=content,
    inside=inside,
    lines=lines,
)

# --- the command ------------------------------------------------------------------------------------------------------

SECONDS = 0.1
"""Of one run of a point."""
RUNS = 3
BOTH: tuple[Calibration, ...] = ("paper", "joint")
SEVERAL: Mapping[str, tuple[Calibration, ...]] = {"both": BOTH, "all": CALIBRATIONS, "certified": CALIBRATIONS[1:]}
OPTIONS = (
    option("--figures", "1,2,3,4", "Numbers of figures, with commas."),
    option(
        "--calibration",
        "both",
        "The budget as in the paper, at equal certified privacy (in all readings, or one), both (joint), or all.",
        Name((*SEVERAL, *CALIBRATIONS)),
    ),
)


def asked(figures: str, calibration: str, **more: Any) -> Plan:
    """The plan of the options."""
    numbers = integers("figures", figures, "numbers of 1, 2, 3, 4 with commas between them")
    return Plan(numbers, SEVERAL.get(calibration, (cast(Calibration, calibration),)), **more)


REQUEST = Request(
    study=STUDY,
    out=Path("build/reproduce"),
    runs=RUNS,
    seed=SEED,
    help="Draw Figures 1 to 4 of source 002: exact errors, and simulated runs with rigorous intervals.",
    examples=(
        "--jobs 2",
        "--figures 3,4 --calibration paper --runs 100 --out more-runs",
        "--calibration joint --seed 1",
    ),
    options=OPTIONS,
    plan=asked,
    work="runs each",
    seconds=lambda plan: len(plan.points()) * plan.runs * SECONDS,
)
