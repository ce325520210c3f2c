"""A point of a figure: its budget, its exact errors, its simulated runs, and whether the two agree."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal

import numpy as np
from flint import arb, fmpq

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.array_counts import Draws
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_refimpl.frequency.surap import SuRAP, SuRAPSample
from dp_refimpl.frequency.suwheel import SuWheel
from dp_spec.vocabulary.budget import Budget, real_budget
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.precision import precision
from dp_studies.comparisons.budget.constants import NoConstantError, Sizes, calibrated, constant_of
from dp_studies.comparisons.budget.equal_privacy import Kind
from dp_studies.reproduce.numbers import BITS, ball, contains, decimal, outwards
from dp_studies.reproduce.s002.bounds import count_law, spread
from dp_studies.reproduce.s002.counts import DataSet, arc_results, bit_results, data_set, drawn_items, item_results
from dp_studies.reproduce.s002.formulas import KINDS, MECHANISMS, evaluate, items, total
from dp_studies.reproduce.s002.settings import Setting
from dp_studies.reproduce.streams import draws, number_of

Calibration = Literal["paper", "marginal", "marginal-nonempty", "joint", "deniability", "samenon"]
CALIBRATIONS: tuple[Calibration, ...] = ("paper", "marginal", "marginal-nonempty", "joint", "deniability", "samenon")
"""As the paper calibrates, or at the nominal budget whose smallest constant in a reading of (11) is e^epsilon."""


@dataclass(frozen=True)
class Spent:
    """The nominal budget of a mechanism: epsilon as text, or an exact root of e^epsilon, its power and its claim."""

    nominal: str | Fraction
    power: int = 1
    claim: str | None = None

    @property
    def budget(self) -> Budget[arb]:
        """The budget in balls."""
        if isinstance(self.nominal, str):
            return real_budget(self.nominal, 2 * BITS)
        with precision(2 * BITS):
            return Budget.of_root(ball(self.nominal), self.power)

    @property
    def name(self) -> str:
        """The budget in one word."""
        return f"epsilon={self.nominal}" if isinstance(self.nominal, str) else f"{self.nominal}^{self.power}"


@dataclass(frozen=True)
class Absent:
    """Why a mechanism has no budget in a calibration."""

    reason: str


@cache
def spent(mechanism: str, setting: Setting, calibration: Calibration) -> Spent | Absent:
    """The nominal budget at which a mechanism is run."""
    if calibration == "paper":
        return Spent(setting.epsilon)
    sizes = Sizes(setting.m, setting.K, setting.N)
    try:
        exact = calibrated(mechanism, calibration, sizes, setting.epsilon)
    except NoConstantError as error:
        return Absent("no finite constant exists" if error.unbounded else "no smallest constant is stated")
    constant = constant_of(mechanism, calibration, sizes)
    return Spent(Fraction(int(exact.root.p), int(exact.root.q)), exact.power, constant.claim if constant else None)


@dataclass(frozen=True)
class Point:
    """A mechanism at a setting (whose epsilon says nothing here) and a nominal budget."""

    mechanism: str
    setting: Setting
    spent: Spent

    @property
    def key(self) -> str:
        """Everything that determines the point's law, in one word."""
        s = self.setting
        return f"{self.mechanism}:n={s.n},d={s.d},K={s.K},m={s.m}:{self.spent.name}"

    @property
    def shape(self) -> tuple[int, int, int]:
        """What the data set depends on."""
        return self.setting.n, self.setting.d, self.setting.m


def exact_errors(point: Point, counts: Indices | None = None, printed: bool = False) -> dict[str, str | None] | None:
    """Sums of the exact errors over X_sen, X_non and X, and their mean over X, as certified decimals.

    For f_x = m / d, or for the data set with these n f_x; by the printed formulas on request (None where the exact ones
    are those).
    """
    mechanism, setting = MECHANISMS[point.mechanism], point.setting
    values = mechanism.values(setting, point.spent.budget)
    sums: dict[Kind, arb] = {}
    for kind in KINDS:
        error = mechanism.errors[kind]
        formula = error.printed if printed else error.formula
        if formula is None:
            return None
        held = None if counts is None else int(_of(counts, kind, setting).sum())
        if items(setting, kind):
            sums[kind] = total(formula, kind, setting, values, held)
    with precision(BITS):
        whole = sum(sums.values(), arb(0))
        return {
            **{kind: decimal(sums[kind]) if kind in sums else None for kind in KINDS},
            "sum": decimal(whole),
            "mean": decimal(whole / setting.d),
        }


def counted(point: Point, data: DataSet, coins: Draws) -> Indices:
    """F_x for every item in one run, with the probabilities of the programs."""
    setting, budget = point.setting, point.spent.budget
    domain, k = ItemDomain.of_sizes(setting.K, setting.N), setting.K
    with precision(BITS):
        match point.mechanism:
            case "SuGRR":
                return item_results(data.counts, k, SuGRR(domain, budget, setting.m).r, coins)
            case "SuGRRSample":
                kernel = SuGRRSample(domain, budget, setting.m).item_randomizer
                return item_results(drawn_items(data, coins), k, kernel.c3, coins)
            case "SuRAP":
                return bit_results(data.counts, data.n, k, SuRAP(domain, budget, setting.m), coins)
            case "SuRAPSample":
                one = SuRAPSample(domain, budget, setting.m)
                return bit_results(drawn_items(data, coins), data.n, k, one, coins)
            case "SuWheel":
                arcs = SuWheel(domain, budget, setting.m)
                return arc_results(data, k, arcs.p_true, arcs.p_false, coins)
    raise KeyError(point.mechanism)


def stream(point: Point, run: int, seed: int) -> Draws:
    """The random numbers of one run: they depend on the seed, the point and the run, on nothing else."""
    return draws(seed, run, number_of(point.key))


def simulate(point: Point, runs: int, seed: int) -> dict[Kind, list[list[int]]]:
    """For every run the sums over X_sen, or X_non, of F_x, of F_x^2 and of F_x n f_x."""
    data = data_set(*point.shape, seed)
    rows_of: dict[Kind, list[list[int]]] = {kind: [] for kind in KINDS if items(point.setting, kind)}
    for run in range(runs):
        counts = counted(point, data, stream(point, run, seed))
        for kind, rows in rows_of.items():
            results, held = (_of(c, kind, point.setting) for c in (counts, data.counts))
            rows.append([int(results.sum()), int(np.dot(results, results)), int(np.dot(results, held))])
    return rows_of


def squared_errors(point: Point, kind: Kind, row: list[int], held: Indices) -> arb:
    """The sum of (estimate - f_x)^2 over the items of a kind with n f_x = held, from the three sums of a run."""
    mechanism, n = MECHANISMS[point.mechanism], point.setting.n
    values, estimator = mechanism.values(point.setting, point.spent.budget), mechanism.errors[kind].estimator
    slope, offset = evaluate(estimator.slope, values), evaluate(estimator.offset, values)
    first, second, mixed = row
    with precision(BITS):
        # sum of (F - n offset - slope c)^2, multiplied out
        squares = second - 2 * slope * mixed + slope**2 * int(np.dot(held, held))
        linear = first - slope * int(held.sum())
        return (squares - 2 * n * offset * linear + len(held) * (n * offset) ** 2) / (n * slope) ** 2


def result(point: Point, runs: int, seed: int, level: Fraction) -> dict[str, Any]:
    """The point's runs and the comparison of their mean with the exact errors, as JSON.

    The interval contains the expected sum of squared errors, given the data set, with probability >= 1 - 2 level for
    X_sen and for X_non, hence both, and their sum, with probability >= 1 - 4 level.
    """
    data = data_set(*point.shape, seed)
    rows = simulate(point, runs, seed)
    means, intervals, per_run = {}, {}, [arb(0)] * runs
    for kind in rows:
        held = _of(data.counts, kind, point.setting)
        errors = [squared_errors(point, kind, row, held) for row in rows[kind]]
        with precision(BITS):
            per_run = [a + b for a, b in zip(per_run, errors, strict=True)]
            means[kind] = sum(errors, arb(0)) / runs
        intervals[kind] = interval(point, kind, means[kind], held, runs, level)
    exact = {kind: _exact(point, kind, data.counts) for kind in rows}
    with precision(BITS):
        whole = sum(means.values(), arb(0))
        mean = whole / point.setting.d
        ends = [_sum(ends) for ends in zip(*intervals.values(), strict=True)]
    return {
        "mechanism": point.mechanism,
        "setting": {name: getattr(point.setting, name) for name in ("n", "d", "K", "m")},
        "exact": exact_errors(point, data.counts),
        "simulated": {
            **{kind: decimal(means[kind]) if kind in means else None for kind in KINDS},
            "sum": decimal(whole),
            "mean": decimal(mean),
            "runs": [decimal(x) for x in per_run],
        },
        "interval": {
            **{kind: outwards(intervals[kind]) if kind in intervals else None for kind in KINDS},
            "sum": outwards((ends[0], ends[1])),
        },
        "inside": {kind: contains(intervals[kind], exact[kind]) for kind in rows},
        "printed_inside": _printed_inside(point, intervals, data.counts),
        "data": {kind: _data_sums(_of(data.counts, kind, point.setting)) for kind in rows},
        "counts": rows,
    }


def interval(point: Point, kind: Kind, mean: arb, held: Indices, runs: int, level: Fraction) -> tuple[arb, arb | None]:
    """Where the expected sum of squared errors is, given the simulated mean (None: no upper end)."""
    law = count_law(MECHANISMS[point.mechanism], kind, point.setting, point.spent.budget)
    bounds = spread(law, [int(c) for c in held], runs, fmpq(level.numerator, level.denominator))
    with precision(BITS):
        return bounds.expectation(mean)


def _exact(point: Point, kind: Kind, counts: Indices, printed: bool = False) -> arb:
    mechanism = MECHANISMS[point.mechanism]
    values = mechanism.values(point.setting, point.spent.budget)
    error = mechanism.errors[kind]
    formula = error.printed if printed and error.printed is not None else error.formula
    return total(formula, kind, point.setting, values, int(_of(counts, kind, point.setting).sum()))


def _printed_inside(
    point: Point, intervals: Mapping[Kind, tuple[arb, arb | None]], counts: Indices
) -> dict[Kind, bool] | None:
    """The same test of the printed formulas, where they differ from the exact ones."""
    if any(MECHANISMS[point.mechanism].errors[kind].printed is None for kind in KINDS):
        return None
    return {kind: contains(ends, _exact(point, kind, counts, printed=True)) for kind, ends in intervals.items()}


def _of(counts: Indices, kind: Kind, setting: Setting) -> Indices:
    return counts[: setting.K] if kind == "sensitive" else counts[setting.K :]


def _sum(ends: tuple[arb | None, ...]) -> arb | None:
    finite = [end for end in ends if end is not None]
    return sum(finite, arb(0)) if len(finite) == len(ends) else None


def _data_sums(held: Indices) -> list[int]:
    """Sums of n f_x and of (n f_x)^2."""
    return [int(held.sum()), int(np.dot(held, held))]
