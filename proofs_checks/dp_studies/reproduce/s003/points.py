"""One run of a point, and what all runs of it say: average distances (13) of marginals, and misclassification rates of
support vector machines, with rigorous intervals of their expectations and of their medians.

Of numbers from 0 to 1 of which nothing else is known, n equal ones leave an expectation that is about 16 / n larger; of
the median, n values in order say much more.

Marginals are those of binary attributes, and of original ones, whose values are patterns of bits: a pattern that is no
value's is counted as a value of its own, with no record in the original table. Machines predict the first bit of the
table's target from the bits of the other attributes; they are trained on 8 of 10 rows, chosen at random.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq

from dp_refimpl.fast.array_coins import Bits
from dp_refimpl.fast.synthesis.marginal_distances import average_variation_distance
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_studies.reproduce.intervals import median_interval
from dp_studies.reproduce.numbers import outwards
from dp_studies.reproduce.s003 import attackers, crowds, exposure
from dp_studies.reproduce.s003.data import Table
from dp_studies.reproduce.s003.releases import WideCliqueError, certified_epsilon, nominal_epsilon, release
from dp_studies.reproduce.s003.settings import NO_MACHINE, Plan, Point
from dp_studies.reproduce.s003.support_vectors import misclassified
from dp_studies.reproduce.streams import generator, number_of

WAYS = {"binary 2": 2, "binary 3": 3, "original 2": 2, "original 3": 3}
"""The distances of Figure 5 (a) to (d): of which attributes, and of how many together."""
TESTS = ("synthetic", "original")
"""The test sets of Figure 5 (e) and (f): the other 2 of 10 rows, and the original table."""
TRAINED = 8
"""Of 10 rows."""


class Levels(NamedTuple):
    """Of each end of an interval of an expectation, and of a median."""

    mean: Fraction
    median: Fraction


@dataclass(frozen=True)
class Run:
    """One run of a point; machines have this cost. `exposed`: its networks are kept."""

    point: Point
    number: int
    cost: str
    exposed: bool = False


@dataclass(frozen=True)
class Original:
    """A machine that is trained and tested on the original table."""

    table: Table
    number: int
    cost: str


@dataclass(frozen=True)
class Attack:
    """Both attackers against a method of `attackers`, all tables of n records."""

    method: str
    n: int


@dataclass(frozen=True)
class Simulation:
    """The matching attacker against runs of the program, n records."""

    n: int


@dataclass(frozen=True)
class Crowd:
    """The attackers of `crowds` against so many runs of a method on a table of n records."""

    table: str
    method: str
    n: int
    runs: int


Task = Run | Original | Attack | Simulation | Crowd
CROWD_RUNS = 12
"""Runs of a crowd, for every run of a point."""


def tasks(plan: Plan) -> dict[str, Task]:
    """All tasks by key."""
    by_key: dict[str, Task] = {}
    for n in plan.records:
        by_key[f"attackers:simulated:n={n}"] = Simulation(n)
        by_key |= {f"attackers:{method}:n={n}": Attack(method, n) for method in attackers.LAWS}
    for name, method, n in crowds_of(plan):
        by_key[f"crowd:{name}:{method}:n={n}"] = Crowd(name, method, n, CROWD_RUNS * plan.runs)
    if plan.cost != NO_MACHINE:
        for table in plan.data:
            by_key |= {f"{table.name}:run={run}": Original(table, run, plan.cost) for run in range(plan.runs_of(table))}
    points = list(plan.points())
    return by_key | {
        f"{point.key}:run={run}": Run(point, run, plan.cost, run == 0 and plan.is_shown(point))
        for run in range(max(map(plan.runs_of, plan.data)))
        for point in points
        if run < plan.runs_of(point.table)
    }


def crowds_of(plan: Plan) -> list[tuple[str, str, int]]:
    """Tables, methods and records of all crowds."""
    return [(name, method, n) for name in crowds.TABLES for method in crowds.PROGRAMS for n in plan.crowds]


def computed(seed: int, level: Fraction, task: Task) -> dict[str, Any]:
    """The JSON of a task; each bound of a simulated attacker has the level."""
    if isinstance(task, Attack):
        return attackers.result(task.method, task.n)
    if isinstance(task, Simulation):
        return attackers.simulated(task.n, seed, level)
    if isinstance(task, Crowd):
        return crowds.simulated(task.table, task.method, task.n, seed, task.runs, level)
    if isinstance(task, Original):
        coins = generator(seed, task.number, number_of(f"machine:{task.table.name}"))
        return {"errors": errors(task.table, task.table.bits, task.cost, coins)}
    return _run(seed, task)


def _run(seed: int, task: Run) -> dict[str, Any]:
    point = task.point
    try:
        made = release(point, generator(seed, task.number, number_of(point.key)))
    except WideCliqueError as error:
        return {"refused": str(error)}
    coins = generator(seed, task.number, number_of(f"machine:{point.key}"))
    return {
        "distances": distances(point.table, made.data),
        "errors": errors(point.table, made.data, task.cost, coins),
        "clusters": [len(cluster) for cluster in made.partition],
        **({"networks": exposure.networks(point, made)} if task.exposed else {}),
    }


def errors(table: Table, rows: Bits, cost: str, coins: np.random.Generator) -> dict[str, str]:
    """The shares of both test sets that a machine trained on rows gets wrong, exactly; nothing for the cost "none"."""
    if cost == NO_MACHINE:
        return {}
    train, test = np.split(rows[coins.permutation(len(rows))], [len(rows) * TRAINED // 10])
    labeled = [(part[:, table.features], part[:, table.labels]) for part in (train, test, table.bits)]
    return dict(zip(TESTS, map(str, misclassified(labeled[0], labeled[1:], Fraction(cost))), strict=True))


def distances(table: Table, synthetic: Bits) -> dict[str, str]:
    """The average distances of a synthetic table, exactly."""
    code = table.code
    data, rows = (ArrayTable(code.binary, bits) for bits in (table.bits, synthetic))
    pairs = {"binary": (data, rows), "original": (code.patterns(data), code.patterns(rows))}
    return {
        name: str(average_variation_distance(*pairs[name.split()[0]], way))
        for name, way in WAYS.items()
        if way <= len(pairs[name.split()[0]][0].sizes)
    }


def refusal(runs: Sequence[Mapping[str, Any]]) -> str:
    """Why a point with these runs is absent, or nothing if all of them have published rows."""
    words = [run["refused"] for run in runs if "refused" in run]
    return f"{words[0]} in {len(words)} of {len(runs)} runs" if words else ""


def summary(point: Point, runs: Sequence[Mapping[str, Any]], levels: Levels) -> dict[str, Any]:
    """A point with the means of its runs and the intervals of their laws, as JSON."""
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
        "distances": {name: _mean([run["distances"][name] for run in runs], levels) for name in runs[0]["distances"]},
        "errors": mean_errors(runs, levels),
        "clusters": [run["clusters"] for run in runs],
    }


def mean_errors(runs: Sequence[Mapping[str, Any]], levels: Levels) -> dict[str, Any]:
    """The means of misclassification rates over runs, as JSON."""
    return {name: _mean([run["errors"][name] for run in runs], levels) for name in runs[0]["errors"]}


def _mean(values: Sequence[str], levels: Levels) -> dict[str, Any]:
    """Of numbers from 0 to 1."""
    numbers = [Fraction(value) for value in values]
    ends = median_interval(numbers, levels.median)
    low, high = (None if end is None else fmpq(end.numerator, end.denominator) for end in ends)
    return {**crowds.mean(numbers, levels.mean), "median": outwards((low, high)), "runs": list(values)}
