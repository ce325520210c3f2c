"""The pictures of the page on reproductions: exact values of today, and committed ranks of today's format."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from matplotlib.figure import Figure

from dp_studies.pages import published_run, reproduction
from dp_studies.pages.reproduction import PLAN, RUN, figures
from dp_studies.reproduce.pictures import Drawing
from dp_studies.reproduce.s004.settings import Plan
from dp_studies.reproduce.s004.study import STUDY
from structure.tree import ROOT


def test_the_committed_ranks_are_of_a_whole_run(committed: dict[str, Any]) -> None:
    plan = Plan()
    assert (committed["format"], committed["seed"], committed["runs"]) == (STUDY.form, plan.seed, plan.runs)
    assert (committed["records"], committed["vocabulary"]) == (plan.records, plan.words)
    assert set(committed["points"]) == {point.key for point in PLAN.points()}
    for words in committed["points"].values():
        assert len(words) == PLAN.top
        for word in words:
            low, high = (float(end) for end in word["interval"])
            assert 0 <= low <= min(float(word["simulated"]), high)
            assert high < PLAN.words


def test_what_the_page_says_of_the_line_at_1(committed: dict[str, Any]) -> None:
    """Ranks 16 to 20, k = 65535, m = 32: means above the line at epsilon 2, intervals below it at epsilon 8."""
    above, below = (committed["points"][f"harmonic:k=65535,m=32,functions=random:epsilon={e}"][15:] for e in "28")
    assert all(float(word["simulated"]) > 1 for word in above)
    assert all(float(word["simulated"]) < 1 for word in below)


@pytest.mark.slow
def test_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are drawn, not written: files of all kinds of them are tested where they are drawn of whole documents."""

    def drawn(drawings: Iterable[Drawing], kinds: Sequence[str]) -> dict[str, Figure]:
        return {f"{one.name}.svg": one.function(*one.arguments) for one in drawings}

    monkeypatch.setattr(reproduction, "SHOWN", ())
    monkeypatch.setattr(published_run, "pictures", drawn)
    pictures: dict[str, Any] = dict(figures(ROOT))
    assert set(pictures) == {
        f"reproduce-{name}.svg"
        for name in (
            "000-error-ipums",
            "000-error-kosarak",
            "000-times",
            "001-figure4-laplace-1",
            "001-figure5-laplace-1",
            "003-attackers",
            "003-crowds",
            *(
                f"003-{what}-{data}-{kind}"
                for what in ("distances", "errors")
                for data in ("adult", "big5", "small")
                for kind in ("certified", "printed")
            ),
            *(f"003-losses-{data}" for data in ("adult", "big5", "small")),
            "003-network-small",
            "003-searches",
            "003-spending",
            "004-cost-harmonic",
            "004-rank-harmonic-random",
            "004-deviation-harmonic-random",
            "004-variance-harmonic-random",
        )
    }
    assert all(isinstance(one, Figure) for one in pictures.values())


def test_published_ranks_are_those_of_the_document(committed: dict[str, Any], document: dict[str, Any]) -> None:
    words = ("format", "seed", "runs")
    assert RUN.published({**document, **{name: committed[name] for name in words}}) == committed
