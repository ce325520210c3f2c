"""The pictures of source 000: exact errors of today, and committed means of today's format; what the page says."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from dp_checks.pages.shuffle_errors import COMMITTED, STUDY, published, studied
from dp_checks.reproduce.s000.schema import FORMAT
from dp_checks.reproduce.s000.settings import ALGORITHMS
from dp_checks.reproduce.s000.summary import misses
from structure.tree import ROOT


@pytest.fixture(scope="module")
def committed() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / COMMITTED).read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def document(committed: dict[str, Any]) -> dict[str, Any]:
    return studied(committed)


def test_the_committed_numbers_are_of_a_whole_run(committed: dict[str, Any], document: dict[str, Any]) -> None:
    assert (committed["format"], committed["seed"], committed["runs"]) == (FORMAT, STUDY.seed, STUDY.runs)
    assert list(committed["points"]) == [point.key for point in STUDY.points()]
    for point in document["points"].values():
        assert set(point["simulated"]) == set(ALGORITHMS)
        own = [one for one in point["settings"] if one["algorithm"] == "OD-HP"]
        assert len(own) == len(STUDY.labels) * len(STUDY.budgets)
    assert misses(document) == []
    seen = {name: committed[name] for name in ("format", "seed", "runs")}
    assert published({**document, **seen}, committed["times"]) == committed


def test_what_is_inside_is_inside_today(document: dict[str, Any]) -> None:
    for point in document["points"].values():
        for name, one in point["simulated"].items():
            low, high = one["error"]["interval"]
            assert float(low) <= float(one["error"]["exact"]) <= float(high)
            least = min(float(s["error"]) for s in point["settings"] if s["algorithm"] == name)
            assert float(one["error"]["exact"]) == least


def test_certified_errors_are_smaller(document: dict[str, Any]) -> None:
    """Of every algorithm's best setting, at every budget and for both data sets."""
    by_place: dict[tuple[str, str], Mapping[str, Any]] = {}
    for one in document["winners"]:
        by_place[one["data"] + one["epsilon"], one["calibration"]] = one["errors"]
    for (place, calibration), errors in by_place.items():
        if calibration == "certified":
            assert all(float(errors[name]) < float(by_place[place, "printed"][name]) for name in ALGORITHMS)


def test_what_the_page_says_of_the_winners(document: dict[str, Any]) -> None:
    """mixDUMP, but for OD-HP with published parameters, more items and a small epsilon."""
    won = {(one["data"], one["calibration"], one["epsilon"]): one["winner"] for one in document["winners"]}
    exceptions = {where for where, names in won.items() if names != ["mixDUMP"]}
    assert exceptions == EXCEPTIONS
    assert all(won[where] == ["OD-HP"] for where in exceptions)


EXCEPTIONS = {("kosarak", "printed", epsilon) for epsilon in ("0.1", "0.2", "0.3")}
