"""The pictures of source 003: committed means of today's format, counts of today, and what the page says."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from dp_studies.pages.synthetic_tables import PLAN, RUN
from dp_studies.reproduce.s003.attackers import LAWS
from dp_studies.reproduce.s003.crowds import TABLES
from dp_studies.reproduce.s003.points import TESTS, WAYS
from dp_studies.reproduce.s003.releases import certified_epsilon, nominal_epsilon
from dp_studies.reproduce.s003.study import STUDY, certified, family, nearest, printed


def test_the_committed_numbers_are_of_a_whole_run(committed: dict[str, Any], document: dict[str, Any]) -> None:
    assert (committed["format"], committed["seed"], committed["runs"]) == (STUDY.form, PLAN.seed, PLAN.runs)
    assert {name: data["sha256"] for name, data in committed["data"].items()} == {t.name: t.digest for t in PLAN.data}
    assert {name: data["runs"] for name, data in committed["data"].items()} == {
        table.name: PLAN.runs_of(table) for table in PLAN.data
    }
    points = {point.key: point for point in PLAN.points()}
    absent = {one["point"] for one in committed["absent"]}
    assert list(committed["points"]) == [key for key in points if key not in absent]
    for key, record in committed["points"].items():
        assert (set(record["distances"]), set(record["errors"])) == (set(WAYS), set(TESTS))
        least = certified_epsilon(points[key])
        repeated = committed["data"][record["data"]]["runs"] > 1
        assert all(
            (None not in one["median"]) is repeated for what in ("distances", "errors") for one in record[what].values()
        )
        assert (record["nominal"], record["certified"]) == (str(nominal_epsilon(points[key])), least and str(least))
    assert STUDY.misses(document) == []
    whole = {key: {**point, "clusters": []} for key, point in document["points"].items()}
    assert RUN.published({**document, "points": whole}, document) == committed


BOTH, ALL = ("HMPrivBayes", "PrivBayes"), ("HMPrivBayes", "PrivBayes", "PrivSCBN", "Jtree")


@pytest.mark.parametrize(
    ("data", "selection", "families", "expected"),
    [
        ("adult", printed, BOTH, {"HMPrivBayes": (11, 0), "PrivBayes": (9, 0)}),
        ("adult", printed, ALL, {"Jtree": (11, 4), "PrivSCBN": (7, 1), "PrivBayes": (2, 0)}),
        ("adult", certified, BOTH, {"PrivBayes": (20, 20)}),
        ("small", printed, ALL, {"HMPrivBayes": (10, 9), "PrivBayes": (8, 4), "Jtree": (2, 0)}),
        ("small", certified, ALL, {"PrivBayes": (20, 19)}),
    ],
)
def test_what_the_page_says_of_the_best_method(
    document: dict[str, Any], data: str, selection: Any, families: tuple[str, ...], expected: dict[str, tuple[int, int]]
) -> None:
    """How often a mean distance is the smallest one, and how often the median is known to be, too."""
    some = [one for one in document["points"].values() if one["data"] == data and family(one) in families]
    best = nearest(selection([point for point in some if point["epsilon"]])).values()
    assert len(best) == len(WAYS) * len(PLAN.epsilons)
    places, apart = Counter(family(one.point) for one in best), Counter(family(one.point) for one in best if one.apart)
    assert {name: (number, apart[name]) for name, number in places.items()} == expected


@pytest.mark.parametrize(("data", "nearest_at"), [("adult", ["original 2", "original 3"]), ("small", [])])
def test_what_the_page_says_of_noprivacy(document: dict[str, Any], data: str, nearest_at: list[str]) -> None:
    points = [point for point in document["points"].values() if point["data"] == data]
    least = {
        way: [
            min(float(p["distances"][way]["simulated"]) for p in points if (p["epsilon"] is None) is alone)
            for alone in (True, False)
        ]
        for way in WAYS
    }
    assert [way for way, (alone, others) in least.items() if alone < others] == nearest_at


def test_what_the_page_says_of_attackers(document: dict[str, Any]) -> None:
    chances = {(one["method"], one["n"]): one for one in document["attackers"]}
    assert set(chances) == {(method, n) for method in LAWS for n in PLAN.records}
    for method in LAWS:
        for attacker, falling in (("informed", ("NoPrivacy", "HMPrivBayes, k = 2")), ("matching", ("NoPrivacy",))):
            means = [float(chances[method, n][attacker]["mean"]) for n in PLAN.records]
            assert means == sorted(means, reverse=method in falling)
    for n in PLAN.records:
        other = chances["PrivBayes, l = 1", n]
        for safer in (chances[f"HMPrivBayes, k = {k}", n] for k in (1, 2)):
            assert all(float(safer[a]["mean"]) < float(other[a]["mean"]) for a in ("informed", "matching"))


def test_what_the_page_says_of_machines(document: dict[str, Any]) -> None:
    points = [point for point in document["points"].values() if point["data"] == "adult"]
    private = [point for point in points if point["epsilon"]]
    (alone,) = (point for point in points if not point["epsilon"])
    for selection, families in ((printed, ["PrivSCBN"] * 2 + ["Jtree"] * 3), (certified, ["PrivBayes"] * 5)):
        best = []
        for epsilon in PLAN.epsilons:
            there = [point for point in selection(private) if point["epsilon"] == epsilon]
            best.append(family(min(there, key=lambda point: float(point["errors"]["original"]["simulated"]))))
        assert best == families
    (easy,) = (p for p in certified(private) if (p["method"], p["k"], p["epsilon"]) == ("HMPrivBayes", 1, "0.1"))
    rates = [easy["errors"][test]["simulated"] for test in TESTS]
    about = document["data"]["adult"]
    assert [round(float(rate), 2) for rate in (*rates, about["majority"])] == [0.13, 0.44, 0.33]
    originals = (alone["errors"]["original"], about["baseline"]["original"])
    assert [round(float(one["simulated"]), 3) for one in originals] == [0.219, 0.219]


def test_what_the_page_says_of_crowds(document: dict[str, Any]) -> None:
    crowds = {(one["table"], one["method"], one["n"]): one for one in document["crowds"]}
    assert set(crowds) == {(table, method, n) for table in TABLES for method in LAWS for n in PLAN.crowds}
    rates = {key: round(float(one["matching"]["simulated"]), 3) for key, one in crowds.items()}
    cut = "HMPrivBayes, k = 2"
    for method in set(LAWS) - {cut}:
        assert rates["copied", method, 10_000] == 1
        assert [rates["adult", method, n] for n in (10_000, 100_000)] == [0.78, 0.627]
    assert rates["adult", cut, 10_000] == 0.671
    for method in LAWS:
        falling = [rates["adult", method, n] for n in PLAN.crowds[1:]]
        assert falling == sorted(falling, reverse=True)
    for one in crowds.values():
        assert 0.44 < float(one["differencing"]["simulated"]) < float(document["bound"])
        low, high = (float(end) for end in one["differencing"]["interval"])
        assert low < 0.5 < high


def test_what_the_page_says_of_costs(document: dict[str, Any]) -> None:
    spent = {
        (s["method"], s["d"], s["k"]): sum(Fraction(x["certified"]) for x in s["stages"]) for s in document["spending"]
    }
    assert [round(float(spent["HMPrivBayes", 52, k]), 1) for k in PLAN.clusters] == [5.9, 12.7, 16.6]
    assert spent["PrivBayes", 52, 1] == 1
    assert {one["k"] for one in document["searches"]} == {1, 3}
