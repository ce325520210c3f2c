"""The pictures of source 001 on the documentation's page on reproductions: exact errors, and simulated ones.

The simulated ones are those of a whole run of `dp-refimpl reproduce 001`; `python -m dp_studies.pages.range_errors`
copies them from its `reproduce.json` to docs/data, from the root of the checkout.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dp_studies.pages.published_run import PublishedRun
from dp_studies.reproduce.s001.draw import drawings
from dp_studies.reproduce.s001.points import Evaluation
from dp_studies.reproduce.s001.settings import Plan
from dp_studies.reproduce.s001.study import REQUEST, TABLES

PLAN = Plan()
"""What is shown of source 001."""
_SIMULATED = ("simulated", "interval", "inside")


def studied(committed: Mapping[str, Any]) -> dict[str, Any]:
    """What the pictures show: exact values of today, and what is committed."""
    runs, tables = committed["runs"], (PLAN.first_table(), PLAN.second_table())
    document: dict[str, Any] = {"runs": runs}
    for table, points in zip(TABLES, tables, strict=True):
        document[table] = {}
        for point in points:
            exact = Evaluation(point, (), Fraction(1)).exact(runs)
            exact["error"] |= committed[table][point.key]
            document[table][point.key] = exact
    return document


def published(document: Mapping[str, Any]) -> dict[str, Any]:
    """What is committed of a reproduction: means and their intervals."""
    return {
        **{name: document[name] for name in ("format", "seed", "runs")},
        **{
            table: {key: {name: point["error"][name] for name in _SIMULATED} for key, point in document[table].items()}
            for table in TABLES
        },
    }


RUN = PublishedRun(REQUEST, drawings, studied, published)

if __name__ == "__main__":
    RUN.copy()
