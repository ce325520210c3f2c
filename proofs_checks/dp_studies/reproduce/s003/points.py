"""One run of a point, and what all runs of it say: average distances (13) of marginals with rigorous intervals.

Marginals are those of binary attributes, and of original ones, whose values are patterns of bits: a pattern that is no
value's is counted as a value of its own, with no record in the original table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import ctx

from dp_refimpl.fast.array_coins import Bits
from dp_refimpl.fast.synthesis.marginal_distances import average_variation_distance
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.synthesis.binary_codes import BinaryCode
from dp_studies.reproduce import intervals
from dp_studies.reproduce.numbers import BITS, ball, outwards, signed
from dp_studies.reproduce.s003 import attackers
from dp_studies.reproduce.s003.attributes import codes_of
from dp_studies.reproduce.s003.data import Table
from dp_studies.reproduce.s003.releases import certified_epsilon, nominal_epsilon, release
from dp_studies.reproduce.s003.settings import Plan, Point
from dp_studies.reproduce.streams import generator, number_of

WAYS = {"binary 2": 2, "binary 3": 3, "original 2": 2, "original 3": 3}
"""The distances of Figure 5 (a) to (d): of which attributes, and of how many together."""


@dataclass(frozen=True)
class Run:
    """One run of a point."""

    point: Point
    number: int


@dataclass(frozen=True)
class Attack:
    """Both attackers against a method of `attackers`, all tables of n records."""

    method: str
    n: int


@dataclass(frozen=True)
class Simulation:
    """The matching attacker against runs of the program, n records."""

    n: int


Task = Run | Attack | Simulation


def tasks(plan: Plan) -> dict[str, Task]:
    """All tasks by key."""
    found: dict[str, Task] = {}
    for n in plan.records:
        found[f"attackers:simulated:n={n}"] = Simulation(n)
        found |= {f"attackers:{method}:n={n}": Attack(method, n) for method in attackers.LAWS}
    return found | {
        f"{point.key}:run={number}": Run(point, number) for point in plan.points() for number in range(plan.runs)
    }


def computed(seed: int, level: Fraction, task: Task) -> dict[str, Any]:
    """The JSON of a task; each bound of a simulated attacker has the level."""
    if isinstance(task, Attack):
        return attackers.result(task.method, task.n)
    if isinstance(task, Simulation):
        return attackers.simulated(task.n, seed, level)
    synthetic, partition = release(task.point, generator(seed, task.number, number_of(task.point.key)))
    clusters = [len(cluster) for cluster in partition]
    return {"distances": distances(task.point.table, synthetic), "clusters": clusters}


def distances(table: Table, synthetic: Bits) -> dict[str, str]:
    """The average distances of a synthetic table, exactly."""
    binary, patterns = (2,) * table.d, tuple(2**count for count in BinaryCode(table.sizes).bits)
    pairs = {
        "binary": (ArrayTable(binary, table.bits), ArrayTable(binary, synthetic)),
        "original": (
            ArrayTable(patterns, table.codes.astype(np.uint32)),
            ArrayTable(patterns, codes_of(synthetic, table.sizes)),
        ),
    }
    return {
        name: str(average_variation_distance(*pairs[name.split()[0]], way))
        for name, way in WAYS.items()
        if way <= len(pairs[name.split()[0]][0].sizes)
    }


def summary(point: Point, runs: Sequence[Mapping[str, Any]], level: Fraction) -> dict[str, Any]:
    """A point with the means of its runs and the intervals of their expectations, each end with the level, as JSON."""
    method, nominal, certified = point.method, nominal_epsilon(point), certified_epsilon(point)
    segmentation = method.segmentation
    return {
        "data": point.table.name,
        "method": method.name,
        "calibration": method.calibration,
        "k": None if segmentation is None else method.k,
        "degree": point.degree,
        "segmentation": None if segmentation is None else segmentation.key,
        "epsilon": point.epsilon,
        "nominal": str(nominal),
        "certified": None if certified is None else str(certified),
        "distances": {
            name: _mean([Fraction(run["distances"][name]) for run in runs], level) for name in runs[0]["distances"]
        },
        "clusters": [run["clusters"] for run in runs],
    }


def _mean(values: Sequence[Fraction], level: Fraction) -> dict[str, Any]:
    """Distances are numbers from 0 to 1."""
    low, high = intervals.lower_mean(values, level), intervals.upper_mean(values, Fraction(1), level)
    with ctx.workprec(BITS):
        return {
            "simulated": signed(ball(sum(values, Fraction(0)) / len(values))),
            "interval": outwards((ball(low), ball(high))),
            "runs": [str(value) for value in values],
        }
