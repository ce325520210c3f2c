"""The pictures of the documentation's page on reproductions: exact curves, and simulated ranks, which have no formula.

The ranks are those of a whole run of `dp-refimpl reproduce 004`; `python -m dp_studies.pages.reproduction` copies them
from its `reproduce.json` to docs/data, from the root of the checkout.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flint import ctx

from dp_checks.runtime.outputs import write_file
from dp_studies.pages import range_errors, shuffle_errors
from dp_studies.reproduce.numbers import BITS, outwards, signed
from dp_studies.reproduce.s002.draw import pictures
from dp_studies.reproduce.s002.points import Calibration
from dp_studies.reproduce.s002.run import curves
from dp_studies.reproduce.s002.settings import figure
from dp_studies.reproduce.s004 import draw
from dp_studies.reproduce.s004.command import OUT
from dp_studies.reproduce.s004.cost_figure import bests, costs
from dp_studies.reproduce.s004.points import Evaluation
from dp_studies.reproduce.s004.settings import Plan

SHOWN: tuple[Calibration, ...] = ("paper", "joint")
STUDY = Plan(data=("harmonic",))
"""What is shown of source 004."""
COMMITTED = Path("docs") / "data" / "reproduce-004.json"


def figures(root: Path) -> dict[str, bytes]:
    """SVG files by name, for the checkout at `root`."""
    shown = [curves(figure(number), calibration) for calibration in SHOWN for number in (1, 2, 3, 4)]
    drawn = pictures({"figures": shown, "points": {}}, kinds=("svg",))
    ranks = json.loads((root / COMMITTED).read_text(encoding="utf-8"))
    study = draw.pictures(studied(ranks["points"]), kinds=("svg",))
    found = {f"reproduce-{name}": content for name, content in drawn.items()}
    found |= {f"reproduce-004-{name}": content for name, content in study.items()}
    return found | range_errors.figures(root) | shuffle_errors.figures(root)


def studied(ranks: Mapping[str, Any]) -> dict[str, Any]:
    """What the pictures of source 004 show: exact values of today, and simulated ranks by point."""
    points = {}
    for point in STUDY.points():
        evaluation = Evaluation.without_runs(STUDY, point)
        words = []
        for word, own in enumerate(evaluation.counts[: STUDY.top]):
            with ctx.workprec(BITS):
                square = evaluation.exact(word)[1]
                most = square.sqrt() / own
            words.append(
                {
                    "position": word + 1,
                    "variance": {"exact": signed(square)},
                    "absfirst": {"exact": outwards((None, most))},
                    "rank": {"ordinal": ranks[point.key][word]},
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
        "records": STUDY.records,
        "vocabulary": STUDY.words,
        "data": {name: list(STUDY.counts(name)) for name in STUDY.data},
        "costs": costs(STUDY),
        "best": bests(STUDY),
        "points": points,
    }


def published(document: Mapping[str, Any]) -> dict[str, Any]:
    """What is committed of a reproduction: rank deviations, ties by the order of words."""
    return {
        **{name: document[name] for name in ("format", "seed", "runs", "records", "vocabulary")},
        "points": {
            point.key: [word["rank"]["ordinal"] for word in document["points"][point.key]["words"]]
            for point in STUDY.points()
        },
    }


if __name__ == "__main__":
    whole = json.loads((OUT / "reproduce.json").read_text(encoding="utf-8"))
    write_file(COMMITTED, json.dumps(published(whole), indent=0) + "\n")
