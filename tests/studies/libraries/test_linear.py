"""What released libraries answered about trees and noise agrees with exact values; what would not is found."""

import copy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dp_audit.environment import AUDITED, AuditEnvironmentError, create, locate
from dp_studies.libraries import linear

TREE = Path(__file__).parents[3]
ANSWERS = linear.committed(TREE)


def test_the_committed_answers_agree_with_exact_values() -> None:
    comparisons = linear.compared(ANSWERS)
    verdicts = [
        "equal",
        "equal",
        "rounding",
        "rounding",
        "rounding",
        "equal",
        "rounding",
        "deviates",
        *["rounding"] * 2,
    ]
    assert [one.verdict for one in comparisons] == verdicts
    assert all(one.cases for one in comparisons)
    assert sum(one.cases for one in comparisons[2:4]) == len(linear.SHAPES)


def test_the_committed_answers_are_about_what_is_asked_today() -> None:
    asked = linear.request()
    for name in ("consistent", "trees", "noise", "totals", "low", "laws"):
        assert [{key: one[key] for key in line} for one, line in zip(ANSWERS[name], asked[name], strict=True)] == asked[
            name
        ]
    assert [one["size"] for one in ANSWERS["choices"]] == asked["choices"]
    assert ANSWERS["format"] == linear.FORMAT


def test_the_bound_for_a_person_who_moves_is_twice_the_other() -> None:
    assert all(moved == 2 * one for one, moved in (line["bounds"] for line in ANSWERS["trees"]))


def test_totals_of_mbi_are_raised_to_1() -> None:
    assert {one["found"] for one in ANSWERS["low"]} == {1.0}


def changed(work: Callable[[dict[str, Any]], None]) -> list[str]:
    """What deviates after one answer has been changed, and did not before."""
    answers = copy.deepcopy(dict(ANSWERS))
    work(answers)
    return [one.what for one in linear.compared(answers) if one.verdict == "deviates" and one.what not in deviations()]


@cache
def deviations() -> list[str]:
    return [one.what for one in linear.compared(ANSWERS) if one.verdict == "deviates"]


def _add(name: str, key: str, place: int, amount: float) -> Callable[[dict[str, Any]], None]:
    def work(answers: dict[str, Any]) -> None:
        one = answers[name][place]
        if isinstance(one[key], list):
            one[key][0] += amount
        else:
            one[key] += amount

    return work


@pytest.mark.parametrize(
    ("work", "what"),
    [
        (_add("trees", "found", 3, 1), "make_b_ary_tree: sums"),
        (_add("trees", "bounds", 3, 1), "make_b_ary_tree: bound for one person more or less"),
        (_add("consistent", "found", 0, 1e-9), "make_consistent_b_ary_tree: complete trees"),
        (_add("consistent", "found", 1, 1e-9), "make_consistent_b_ary_tree: missing leaves"),
        (_add("noise", "geometric", 5, 1e-6), "Geometric.variance"),
        (_add("noise", "laplace", 5, 1e-6), "Laplace.variance"),
        (_add("totals", "found", 5, 1e-6), "minimum_variance_unbiased_total: levels of complete trees"),
        (_add("laws", "mass", 2, 1e-9), "double_sided_geometric_pmf"),
        (_add("laws", "below", 2, 1e-9), "double_sided_geometric_cmf"),
        (lambda answers: answers["trees"][0]["found"].pop(), "make_b_ary_tree: sums"),
    ],
)
def test_what_deviates_is_found(work: Callable[[dict[str, Any]], None], what: str) -> None:
    assert changed(work) == [what]


def test_the_page_shows_all_of_it() -> None:
    page = linear.pages(ANSWERS)["linear.md"]
    for one in linear.compared(ANSWERS):
        assert f"| {one.package} | {one.what} | {one.cases} |" in page
    for n, theirs, best, times in linear.choices(ANSWERS):
        assert f"| {n} | {theirs} | {best} |" in page
        assert times >= 1
    assert "://" not in page


@pytest.mark.campaign
@pytest.mark.parametrize("name", linear.ASKED)
def test_the_libraries_answer_the_same_again(name: str) -> None:
    """The environments that nothing else needs are not made for this."""
    try:
        environment = create(name) if name in AUDITED else locate(name)
    except AuditEnvironmentError as error:
        pytest.skip(f"the environment of the libraries is missing: {error}")
    answers = linear.ask(name, environment)
    assert answers.pop("versions").items() <= ANSWERS["versions"].items()
    assert answers.items() <= ANSWERS.items()
