"""The whole reproduction of source 001: points with a journal, the precision of all ranges, one JSON document."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from flint import arb, ctx, fmpq

from dp_checks.dependencies import code
from dp_checks.runtime.parallel import HERE, Workers
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.reproduce import run
from dp_studies.reproduce.numbers import BITS, decimal
from dp_studies.reproduce.run import Document, Finish, Progress, Run, Work, nothing
from dp_studies.reproduce.s001.noise import Noise
from dp_studies.reproduce.s001.points import result
from dp_studies.reproduce.s001.schema import FORMAT, SCHEMA
from dp_studies.reproduce.s001.settings import Kind, Plan, Point
from dp_studies.reproduce.s001.standard_errors import Extreme, extremes

FAMILY_LEVEL = Fraction(1, 10**6)
"""Of each table."""
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


def reproduce(
    plan: Plan, out: Path, by: Workers = HERE, progress: Progress | None = None, finish: Finish = nothing
) -> Run:
    """Compute everything, write `reproduce.json`. See `dp_studies.reproduce.run`.

    Raises `DomainError` for so many draws that the bound on those that are off leaves no level.
    """
    first, second = Table(list(plan.first_table()), plan.runs), Table(list(plan.second_table()), plan.runs)
    levels = {point.key: table.level for table in (first, second) for point in table.points}
    settings = f"seed={plan.seed} runs={plan.runs} levels={first.level},{second.level}"
    work = Work(
        "reproduce 001",
        f"{code(['dp_studies.reproduce.s001.points'])} {settings} ",
        {point.key: point for table in (first, second) for point in table.points},
        partial(_result, plan.runs, plan.seed, levels),
        partial(document, plan, first, second),
        SCHEMA,
    )
    return run.reproduce(work, out, by, progress, finish)


class Table:
    """The points of a table, and the level of each of their bounds."""

    def __init__(self, points: list[Point], runs: int) -> None:
        self.points, self.bounds = points, 2 * len(points)
        missed = sum((runs * p.size * Noise(p).missed for p in points), Fraction(0))
        self.level = (FAMILY_LEVEL - missed) / self.bounds
        if self.level <= 0:
            raise DomainError("runs", runs, "fewer runs")

    def confidence(self) -> dict[str, Any]:
        """As JSON."""
        return {"family_level": str(FAMILY_LEVEL), "bounds": self.bounds, "level": str(self.level)}


def _result(runs: int, seed: int, levels: Mapping[str, Fraction], point: Point) -> dict[str, Any]:
    return result(point, runs, seed, levels[point.key])


def document(plan: Plan, first: Table, second: Table, results: Mapping[str, Any]) -> Document:
    """The document of all points by key."""
    return {
        "format": FORMAT,
        "source": "001",
        "seed": plan.seed,
        "generator": GENERATOR,
        "runs": plan.runs,
        "confidence": {"table1": first.confidence(), "table2": second.confidence(), "statement": STATEMENT},
        "notes": list(NOTES),
        "power": [power(plan, kind, epsilon) for kind, epsilon in plan.noises()],
        "table1": {point.key: results[point.key] for point in first.points},
        "table2": {point.key: results[point.key] for point in second.points},
    }


def power(plan: Plan, kind: Kind, epsilon: str) -> dict[str, Any]:
    """The relative standard errors of all ranges of Table 1's size, and the thresholds that none of them is above."""
    noise = Noise(Point(kind, epsilon, plan.size))
    least, most = extremes(plan.size)
    with ctx.workprec(BITS):
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


def _square(found: Extreme, noise: Noise, runs: int) -> arb | fmpq:
    ratio = fmpq(found.ratio.numerator, found.ratio.denominator)
    return (2 + noise.excess * ratio) / runs


def _extreme(found: Extreme, noise: Noise, runs: int) -> dict[str, Any]:
    return {
        "relative_standard_error": decimal(arb(_square(found, noise, runs)).sqrt()),
        "ranges": [list(ends) for ends in found.ranges],
    }
