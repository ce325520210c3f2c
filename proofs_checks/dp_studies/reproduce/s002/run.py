"""The whole reproduction: exact curves, simulated points with a journal, one JSON document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from flint import ctx

from dp_checks.dependencies import code
from dp_checks.runtime.parallel import HERE, Workers
from dp_refimpl.fast.array_counts import ROUNDING
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce import run
from dp_studies.reproduce.numbers import BITS, decimal
from dp_studies.reproduce.run import Document, Finish, Progress, Run, Work, nothing, require_integers
from dp_studies.reproduce.s002.formulas import KINDS, MECHANISMS, items, verdict
from dp_studies.reproduce.s002.points import CALIBRATIONS, Absent, Calibration, Point, exact_errors, result, spent
from dp_studies.reproduce.s002.schema import FORMAT, SCHEMA
from dp_studies.reproduce.s002.settings import Figure, Place, figure

SEED = 20220809
"""The default random state."""
FAMILY_LEVEL = Fraction(1, 10**6)

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
            known = isinstance(values, tuple) and all(value in allowed for value in values)
            if not known or not values or len(set(values)) != len(values):
                raise DomainError(name, values, f"some of {', '.join(map(str, allowed))}, each once")
        require_integers({"runs": 1, "seed": 0}, self)

    def points(self) -> tuple[Point, ...]:
        """The simulated points, each once, those with the same data set together."""
        found: dict[str, Point] = {}
        for number in self.figures:
            for place in figure(number).places():
                for mechanism in MECHANISMS if place.simulated else ():
                    for calibration in self.calibrations:
                        point = _point(mechanism, place, calibration)
                        if isinstance(point, Point):
                            found[point.key] = point
        return tuple(sorted(found.values(), key=lambda p: (p.shape, p.key)))

    @staticmethod
    def bounds(points: Sequence[Point]) -> int:
        """How many one-sided bounds are stated about the points: two for each kind of items."""
        return 2 * sum(bool(items(point.setting, kind)) for point in points for kind in KINDS)


def reproduce(
    plan: Plan, out: Path, by: Workers = HERE, progress: Progress | None = None, finish: Finish = nothing
) -> Run:
    """Compute everything, write `reproduce.json`. See `dp_studies.reproduce.run`."""
    points = plan.points()
    bounds = plan.bounds(points)
    level = (FAMILY_LEVEL - ROUNDING) / bounds
    work = Work(
        "reproduce",
        f"{code(['dp_studies.reproduce.s002.points'])} seed={plan.seed} runs={plan.runs} level={level} ",
        {p.key: p for p in points},
        partial(_result, plan.runs, plan.seed, level),
        partial(_document, plan, bounds, level),
        SCHEMA,
    )
    return run.reproduce(work, out, by, progress, finish)


def _result(runs: int, seed: int, level: Fraction, point: Point) -> dict[str, Any]:
    return result(point, runs, seed, level)


def _document(plan: Plan, bounds: int, level: Fraction, results: Mapping[str, Any]) -> Document:
    return {
        "format": FORMAT,
        "source": "002",
        "seed": plan.seed,
        "generator": GENERATOR,
        "runs": plan.runs,
        "confidence": {
            "family_level": str(FAMILY_LEVEL),
            "bounds": bounds,
            "level": str(level),
            "statement": STATEMENT,
        },
        "notes": list(NOTES),
        "figures": [
            curves(figure(number), calibration) for calibration in plan.calibrations for number in plan.figures
        ],
        "points": dict(results),
    }


def curves(shown: Figure, calibration: Calibration) -> dict[str, Any]:
    """The exact curves of a figure, as JSON."""
    panels = []
    for panel in shown.panels:
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
    return {"number": shown.number, "calibration": calibration, "axis": shown.axis, "panels": panels}


def _place(mechanism: str, place: Place, calibration: Calibration) -> dict[str, Any]:
    setting = place.setting
    point = _point(mechanism, place, calibration)
    with ctx.workprec(BITS):
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
    found = spent(mechanism, place.setting, calibration)
    return found if isinstance(found, Absent) else Point(mechanism, place.setting, found)
