"""The pictures of source 001: exact errors of today, and committed means of today's format; what the page says."""

from typing import Any

from dp_studies.pages.range_errors import PLAN, RUN
from dp_studies.reproduce.s001.error_laws import extremes
from dp_studies.reproduce.s001.study import STUDY, TABLES


def test_the_committed_means_are_of_a_whole_run(committed: dict[str, Any], document: dict[str, Any]) -> None:
    assert (committed["format"], committed["seed"], committed["runs"]) == (STUDY.form, PLAN.seed, PLAN.runs)
    for table, points in zip(TABLES, (PLAN.first_table(), PLAN.second_table()), strict=True):
        assert list(committed[table]) == [point.key for point in points]
        for point in committed[table].values():
            low, high = (float(end) for end in point["interval"])
            assert 0 < low < float(point["simulated"]) < high
    assert STUDY.misses(document) == []
    assert RUN.published({**committed, **document}) == committed


def test_what_is_inside_is_inside_today(document: dict[str, Any]) -> None:
    for table in TABLES:
        for point in document[table].values():
            low, high = (float(end) for end in point["error"]["interval"])
            assert (low <= float(point["error"]["exact"]) <= high) == point["error"]["inside"]


def test_what_the_page_says_of_the_approximation(document: dict[str, Any]) -> None:
    points = {point["size"]: point for point in document["table2"].values()}
    difference = {size: -100 * float(point["approximate"]["relative_difference"]) for size, point in points.items()}
    said = {1: 97, 16: 8, 64: 1.5, 1024: 0.06}
    assert {size: round(difference[size], 0 if size < 64 else 1 if size == 64 else 2) for size in said} == said
    assert [size for size, gap in difference.items() if gap < 1] == [128, 256, 512, 1024]
    outside = {
        size
        for size, point in points.items()
        if not float(point["error"]["interval"][0]) <= float(point["approximate"]["value"])
    }
    assert outside == {1, 2}
    assert len(points) == 11


def test_what_the_page_says_of_the_precision() -> None:
    least, most = extremes(1024)
    assert (least.ranges, most.ranges) == (((172, 597), (428, 853)), ((1, 1024),))
    percentages = [f"{100 * ((2 + 3 * float(end.ratio)) / 100) ** 0.5:.2f}" for end in (least, most)]
    assert percentages == ["14.77", "22.36"]
