"""The pictures of source 000 on the documentation's page on reproductions: exact errors, simulated ones, and times.

What took long is that of a whole run of `dp-refimpl reproduce 000`: certified parameters, simulated errors, POP, EM and
times. `python -m dp_studies.pages.shuffle_errors` copies it from its files to docs/data, from the root of the checkout.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dp_studies.pages.published_run import PublishedRun
from dp_studies.reproduce.s000.draw import drawings
from dp_studies.reproduce.s000.parameter_choices import Choice, choices, e_to
from dp_studies.reproduce.s000.settings import Plan, Point
from dp_studies.reproduce.s000.study import REQUEST, winners

PLAN = Plan()
"""What is shown of source 000."""
_SIMULATED = ("simulated", "interval", "inside")
_CHOSEN = ("algorithm", "labels", "local", "dummies")


def studied(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the pictures show: exact values of today, and what is committed."""
    points = {point.key: _studied(point, document["points"][point.key]) for point in PLAN.points()}
    data = {data.name: {"users": data.users, "items": data.items} for data in PLAN.data}
    return {
        "runs": document["runs"],
        "delta": PLAN.delta,
        "data": data,
        "winners": winners(points.values()),
        "points": points,
        **document["times"],
    }


def _studied(point: Point, committed: Mapping[str, Any]) -> dict[str, Any]:
    settings = _settings(point, committed)
    simulated = {}
    for name, one in committed["simulated"].items():
        (setting,) = [s for s in settings if all(s[key] == one[key] for key in ("algorithm", "labels", "local"))]
        error = {"exact": setting["error"], **one["error"]}
        simulated[name] = {**setting, **{key: one[key] for key in ("pop", "em") if key in one}, "error": error}
    return {
        "data": point.data.name,
        "calibration": point.calibration,
        "epsilon": point.epsilon,
        "settings": settings,
        "simulated": simulated,
    }


def _settings(point: Point, committed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Published parameters are computed again, certified ones are not: local budgets are decimals."""
    if point.calibration == "printed":
        options = choices(PLAN, point)
    else:
        options = iter(
            Choice(one["algorithm"], one["labels"], e_to(Fraction(one["local"])), one["dummies"])
            for one in committed["settings"]
        )
    return [one.json(point.data) for one in options if isinstance(one, Choice)]


def published(document: Mapping[str, Any], times: Mapping[str, Any]) -> dict[str, Any]:
    """What is committed of a reproduction: certified settings, and means of the runs with their intervals."""
    points: dict[str, dict[str, Any]] = {}
    for key, point in document["points"].items():
        simulated = {}
        for name, one in point["simulated"].items():
            kept = {key: one[key] for key in ("algorithm", "labels", "local", "pop", "em") if key in one}
            simulated[name] = {**kept, "error": {word: one["error"][word] for word in _SIMULATED}}
        points[key] = {"simulated": simulated}
        if point["calibration"] == "certified":
            points[key]["settings"] = [{name: one[name] for name in _CHOSEN} for one in point["settings"]]
    return {**{name: document[name] for name in ("format", "seed", "runs")}, "times": dict(times), "points": points}


RUN = PublishedRun(REQUEST, drawings, studied, published, files=("reproduce", "times"))

if __name__ == "__main__":
    RUN.copy()
