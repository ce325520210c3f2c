"""The maps of published bounds: what is committed is certified again where that is quick, and shown as it is."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from dp_studies.comparisons.amplification import solve
from dp_studies.comparisons.amplification.query import Setting
from dp_studies.pages import published_bounds as maps
from structure.tree import ROOT


@pytest.fixture(scope="module")
def committed() -> Any:
    return maps.committed(ROOT)


@pytest.fixture(scope="module")
def points(committed: Any) -> maps.Points:
    return maps.points(committed)


def test_every_point_of_every_map_is_committed(committed: Any) -> None:
    assert committed["delta"] == maps.DELTA
    for mechanism, listed in committed["points"].items():
        assert [(users, budget) for users, budget, _, _ in listed] == [
            (s.users, s.epsilon0) for s in maps.settings(mechanism)
        ]
        assert all(Decimal(lower) <= Decimal(upper) for _, _, lower, upper in listed)
    assert set(committed["points"]) == set(maps.LABELS)


@pytest.mark.parametrize(("mechanism", "users", "budget"), [("krr", 100, "1/4"), ("olh", 1000, "2"), ("ldp", 100, "1")])
def test_committed_ends_are_found_again(committed: Any, mechanism: Any, users: int, budget: str) -> None:
    setting = Setting(mechanism, users, budget, maps.LABELS[mechanism])
    enclosure = solve.epsilon(setting, Fraction(maps.DELTA), maps.DIGITS, maps.WORK)
    (ends,) = ([a, b] for n, e0, a, b in committed["points"][mechanism] if (n, e0) == (users, budget))
    assert [f"{end.value:f}" for end in enclosure[:2]] == ends


@pytest.mark.slow
def test_a_bound_is_wrong_where_it_is_less_than_a_data_set_shows(points: maps.Points) -> None:
    wrong = {
        (name, bound["stated"])
        for rows in points.values()
        for row in rows
        for name, bound in row["bounds"].items()
        if bound["below"]
    }
    for row in (row for rows in points.values() for row in rows):
        for bound in row["bounds"].values():
            defined = bound["epsilon"] is not None
            assert bound["below"] == (defined and Decimal(bound["epsilon"]) < Decimal(row["lower"]))
            assert defined or (bound["times"], bound["stated"]) == (None, False)
    assert wrong
    assert not any(stated for _, stated in wrong)  # at these points; the ledger has others


@pytest.mark.slow
def test_the_page_shows_every_row(points: maps.Points) -> None:
    (page,) = maps.pages(points).values()
    for rows in points.values():
        for name in rows[0]["bounds"]:
            assert f"| {name} |" in page
    for mechanism in maps.LABELS:
        assert f"published-bounds-{mechanism}.svg" in page


def test_a_map_has_a_cell_for_every_point(committed: Any) -> None:
    """Of every fifth point: each number of users and each budget is there."""
    fifth = {mechanism: listed[::5] for mechanism, listed in committed["points"].items()}
    rows = maps.points({**committed, "points": fifth})["olh"]
    assert {row["users"] for row in rows} == {*maps.USERS}
    assert {row["epsilon0"] for row in rows} == {*maps.BUDGETS}
    figure = maps.maps(rows)
    cells = [len(axes.patches) for axes in figure.axes if axes.get_visible() and axes.get_title()]
    assert cells == [len(rows)] * len(rows[0]["bounds"])
