"""A point of a figure: all settings with their exact errors, and simulated runs of the best one of each algorithm."""

from fractions import Fraction
from typing import Any

from dp_studies.reproduce.s000.counts import Counted
from dp_studies.reproduce.s000.errors import compared
from dp_studies.reproduce.s000.parameter_choices import Choice, Refusal, best, choices
from dp_studies.reproduce.s000.post_processing import popped, refined, shown
from dp_studies.reproduce.s000.settings import Algorithm, Plan, Point
from dp_studies.reproduce.streams import draws, number_of


def result(plan: Plan, level: Fraction, point: Point) -> dict[str, Any]:
    """The JSON of a point."""
    found = list(choices(plan, point))
    return {
        "data": point.data.name,
        "calibration": point.calibration,
        "epsilon": point.epsilon,
        "settings": [one.json(point.data) for one in found if isinstance(one, Choice)],
        "refused": [one.json() for one in found if isinstance(one, Refusal)],
        "simulated": {
            name: simulated(plan, level, point, Counted(point.data, choice))
            for name, choice in best(found, point.data).items()
        },
    }


def simulated(plan: Plan, level: Fraction, point: Point, law: Counted) -> dict[str, Any]:
    """The runs of a setting, compared with its exact error; POP of all, EM of OD-HP."""
    counts = [law.draw(draws(plan.seed, run, _number(point, law.choice.algorithm))) for run in range(plan.runs)]
    seen = [law.sums(one) for one in counts]
    found = {**law.choice.json(point.data), "error": compared(law, seen, level), "runs": seen}
    pairs = [popped(law, one) for one in counts]
    before, after = (sum(column) / len(pairs) for column in zip(*pairs, strict=True))
    found["pop"] = {"before": shown(before), "after": shown(after)}
    if law.choice.algorithm == "OD-HP":
        coins = draws(plan.seed, number_of(f"em:{point.key}"))
        found["em"] = refined(law, plan.steps, coins)
    return found


def _number(point: Point, algorithm: Algorithm) -> int:
    return number_of(f"{point.key}:{algorithm}")
