"""The pictures of the documentation's page on reproductions: exact curves, and simulated ranks, which have no formula.

The ranks are those of a whole run of `dp-refimpl reproduce 004`; `python -m dp_studies.pages.reproduction` copies them
from its `reproduce.json` to docs/data, from the root of the checkout.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dp_spec.vocabulary.precision import precision
from dp_studies.pages import range_errors, shuffle_errors, synthetic_tables
from dp_studies.pages.published_run import PublishedRun
from dp_studies.reproduce.numbers import BITS, outwards, signed
from dp_studies.reproduce.pictures import pictures
from dp_studies.reproduce.s002 import draw as draw_002
from dp_studies.reproduce.s002.points import Calibration
from dp_studies.reproduce.s002.settings import figure
from dp_studies.reproduce.s002.study import curves
from dp_studies.reproduce.s004 import draw as draw_004
from dp_studies.reproduce.s004.costs import bests, costs
from dp_studies.reproduce.s004.points import Evaluation
from dp_studies.reproduce.s004.settings import Plan
from dp_studies.reproduce.s004.study import REQUEST

SHOWN: tuple[Calibration, ...] = ("paper", "joint")
PLAN = Plan(data=("harmonic",))
"""What is shown of source 004."""


def figures(root: Path) -> dict[str, bytes]:
    """SVG files by name, for the checkout at `root`."""
    documents = [curves(figure(number), calibration) for calibration in SHOWN for number in (1, 2, 3, 4)]
    drawn = pictures(draw_002.drawings({"figures": documents, "points": {}}), kinds=("svg",))
    images = {f"reproduce-{name}": content for name, content in drawn.items()}
    for run in (RUN, range_errors.RUN, shuffle_errors.RUN, synthetic_tables.RUN):
        images |= run.figures(root)
    return images


def studied(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the pictures of source 004 show: exact values of today, and simulated ranks by point."""
    points = {}
    for point in PLAN.points():
        evaluation = Evaluation.without_runs(PLAN, point)
        words = []
        for word, own in enumerate(evaluation.counts[: PLAN.top]):
            with precision(BITS):
                square = evaluation.exact(word)[1]
                most = square.sqrt() / own
            words.append(
                {
                    "position": word + 1,
                    "variance": {"exact": signed(square)},
                    "absfirst": {"exact": outwards((None, most))},
                    "rank": {"ordinal": document["points"][point.key][word]},
                }
            )
        points[point.key] = {
            "data": point.data,
            "k": point.sketch.k,
            "m": point.sketch.m,
            "functions": point.sketch.reading,
            "epsilon": point.epsilon,
            "words": words,
        }
    return {
        "records": PLAN.records,
        "vocabulary": PLAN.words,
        "data": {name: list(PLAN.counts(name)) for name in PLAN.data},
        "costs": costs(PLAN),
        "best": bests(PLAN),
        "points": points,
    }


def published(document: Mapping[str, Any]) -> dict[str, Any]:
    """What is committed of a reproduction: rank deviations, ties by the order of words."""
    return {
        **{name: document[name] for name in ("format", "seed", "runs", "records", "vocabulary")},
        "points": {
            point.key: [word["rank"]["ordinal"] for word in document["points"][point.key]["words"]]
            for point in PLAN.points()
        },
    }


RUN = PublishedRun(REQUEST, draw_004.drawings, studied, published)

if __name__ == "__main__":
    RUN.copy()
