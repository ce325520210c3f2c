"""A point of a figure: all settings with their exact errors, and simulated runs of the best one of each algorithm.

Where the expected error of a setting is, given the runs, is from the moments of the counts, not from formulas. The
counts are drawn independently, so that the premise of `dp_studies.reproduce.squared_errors` holds with h = 1. Moments
are computed for every different number of users of an item, and neighbors are put together with the least and the
largest of their moments.
"""

from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from flint import arb

from dp_spec.vocabulary.precision import precision
from dp_studies.reproduce.numbers import BITS, ball, ball_order, beside
from dp_studies.reproduce.s000.counts import Counted, Sums
from dp_studies.reproduce.s000.measurements import popped, refined, shown
from dp_studies.reproduce.s000.parameter_choices import Choice, Refusal, best, choices
from dp_studies.reproduce.s000.settings import Algorithm, Plan, Point
from dp_studies.reproduce.squared_errors import MOMENTS, PRECISION, Group, Spread, even_moments
from dp_studies.reproduce.squared_errors import Sums as Squares
from dp_studies.reproduce.streams import draws, number_of


def result(plan: Plan, level: Fraction, point: Point) -> dict[str, Any]:
    """The JSON of a point."""
    options = list(choices(plan, point))
    return {
        "data": point.data.name,
        "calibration": point.calibration,
        "epsilon": point.epsilon,
        "settings": [one.json(point.data) for one in options if isinstance(one, Choice)],
        "refused": [asdict(one) for one in options if isinstance(one, Refusal)],
        "simulated": {
            name: simulated(plan, level, point, Counted(point.data, choice))
            for name, choice in best(options, point.data).items()
        },
    }


def simulated(plan: Plan, level: Fraction, point: Point, law: Counted) -> dict[str, Any]:
    """The runs of a setting, compared with its exact error; POP of all, EM of OD-HP."""
    counts = [law.draw(draws(plan.seed, run, _number(point, law.choice.algorithm))) for run in range(plan.runs)]
    sums = [law.sums(one) for one in counts]
    entry = {**law.choice.json(point.data), "error": compared(law, sums, level), "runs": sums}
    pairs = [popped(law, one) for one in counts]
    before, after = (sum(column) / len(pairs) for column in zip(*pairs, strict=True))
    entry["pop"] = {"before": shown(before), "after": shown(after)}
    if law.choice.algorithm == "OD-HP":
        coins = draws(plan.seed, number_of(f"em:{point.key}"))
        entry["em"] = refined(law, plan.steps, coins)
    return entry


def _number(point: Point, algorithm: Algorithm) -> int:
    return number_of(f"{point.key}:{algorithm}")


# --- where the expected error is --------------------------------------------------------------------------------------

GROUPS = 48
"""Groups of items with similar numbers of users, at most."""


def compared(law: Counted, sums: Sequence[Sums], level: Fraction) -> dict[str, Any]:
    """The exact error, the mean error of the runs, and the interval of its expectation, each end with the level."""
    with precision(BITS):
        simulated = sum((law.square(one) for one in sums), arb(0)) * law.unit / (len(sums) * law.data.items)
        ends = spread(law, len(sums), level).expectation(simulated)
        return beside(law.choice.error(law.data), simulated, ends)


def spread(law: Counted, runs: int, level: Fraction) -> Spread:
    """Bounds of the mean error of so many runs, in units of its expectation."""
    with precision(PRECISION):
        listed = [(times, series) for _, times, series in law.cumulants()]
        # not a power: flint has none of a ball around 0
        second = sum((times * (2 * s[2] + s[1] * s[1]) for times, s in listed), arb(0)) / law.data.items
        exact = [(times, even_moments(series, second)) for times, series in listed]
        step = -(-len(exact) // GROUPS)
        groups = [_group(exact[start : start + step]) for start in range(0, len(exact), step)]
        return Squares(groups, 1, runs, arb(runs * law.data.items), ball(level)).spread()


def _group(part: Sequence[tuple[int, tuple[arb, ...]]]) -> Group:
    moments = [[powers[j] for _, powers in part] for j in range(MOMENTS + 1)]
    low = tuple([min((x.lower() for x in row), key=ball_order) for row in moments])
    high = tuple([max((x.upper() for x in row), key=ball_order) for row in moments])
    return Group(sum(times for times, _ in part), low, high)
