"""The pictures of source 003 on the documentation's page on reproductions: means, attackers, losses, costs of a search.

What is simulated, measured or takes long is that of a whole run of `dp-refimpl reproduce 003`;
`python -m dp_studies.pages.synthetic_tables` copies it from its files to docs/data, from the root of the checkout.
Counts, and what is spent by stage, are those of today.
"""

from collections.abc import Mapping
from typing import Any

from dp_studies.pages.published_run import PublishedRun
from dp_studies.reproduce.s003.data import named
from dp_studies.reproduce.s003.draw import drawings
from dp_studies.reproduce.s003.draw_exposure import has_tables
from dp_studies.reproduce.s003.settings import Plan, small
from dp_studies.reproduce.s003.study import REQUEST, counted, spending

PLAN = Plan(data=(small(), named("adult"), named("big5")))
"""What is shown of source 003."""
_KEPT = ("format", "seed", "runs", "cost", "attackers", "program", "crowds", "bound", "absent")
_MEANS = ("simulated", "interval", "median")


def studied(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the pictures show: exact values of today, and what is committed."""
    return {**document, "searches": counted(), "spending": [*spending(PLAN)]}


def published(document: Mapping[str, Any], times: Mapping[str, Any]) -> dict[str, Any]:
    """What is committed of a reproduction: means with their intervals, attackers, losses, small networks, and times."""
    points = {}
    for key, point in document["points"].items():
        points[key] = {**point, **{what: _means(point[what]) for what in ("distances", "errors")}}
        del points[key]["clusters"]
    data = {name: {**table, "baseline": _means(table["baseline"])} for name, table in document["data"].items()}
    exposed = [{**one, "networks": one["networks"] if has_tables(one) else []} for one in document["exposed"]]
    kept = {name: document[name] for name in _KEPT}
    return {**kept, "data": data, "exposed": exposed, "times": times["times"], "points": points}


def _means(by_kind: Mapping[str, Any]) -> dict[str, Any]:
    """Without the values of the runs."""
    return {kind: {name: one[name] for name in _MEANS} for kind, one in by_kind.items()}


RUN = PublishedRun(REQUEST, drawings, studied, published, files=("reproduce", "times"))

if __name__ == "__main__":
    RUN.copy()
