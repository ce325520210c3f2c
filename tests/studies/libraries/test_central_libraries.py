"""The audits of the released, unmodified libraries for a trusted curator; skipped if they cannot be installed."""

from typing import Any

import pytest
from flint import fmpq

from dp_audit import Audit, Environment, Verdict
from dp_studies.libraries import LIBRARIES
from running.child_processes import audit_library, environment

pytestmark = pytest.mark.slow
EXACT = {Verdict.CONFORMS, Verdict.ROUNDING}
LARGE = 2**53

FAULTS: dict[tuple[str, str, int], set[str]] = {
    ("trasgodp", "dp_randomized_response_kary_array, whole columns", 0): {"law", "privacy"},
    ("trasgodp", "dp_exponential_array, whole columns", 0): {"law", "privacy"},
    ("trasgodp", "dp_randomized_response_binary_array after metric_privacy", 0): {"TargetSeeds"},
    ("diffprivlib", "ExponentialHierarchical", 2): {"law", "privacy"},
    ("diffprivlib", "ExponentialHierarchical", 3): {"law", "privacy"},
    ("diffprivlib", "Geometric, tails", 0): {"privacy"},
    ("diffprivlib", "Geometric, large values", 0): {"law", "privacy"},
    ("diffprivlib", "histogram with weights", 0): {"law", "privacy"},
}
"""Of every published audit that has any (its place among the protocol's): the rows that deviate."""
CONFORM = ("Binary", "Exponential", "dp_randomized_response_kary_array")
"""Of those that deviate in nothing: the ones that are looked at here."""
RARE = ("PermuteAndFlip", "Geometric", "count_nonzero", "histogram")
"""What raises an exception with a probability of about 2^-53."""


@pytest.fixture(scope="session")
def libraries() -> Environment:
    return environment("central")


def published(name: str) -> list[Any]:
    return [
        pytest.param(name, protocol, i, id=f"{name} {protocol} {i}")
        for protocol, audited in LIBRARIES[name].protocols.items()
        for i in range(len(audited.parameters))
        if (name, protocol, i) in FAULTS or (protocol in CONFORM and i == 0)
    ]


@pytest.mark.parametrize(("name", "protocol", "place"), [*published("trasgodp"), *published("diffprivlib")])
def test_an_exact_audit_finds_what_is_known(libraries: Environment, name: str, protocol: str, place: int) -> None:
    parameters = LIBRARIES[name].protocols[protocol].parameters[place]
    report = audit_library(name, protocol, parameters, environment=libraries)
    expected = FAULTS.get((name, protocol, place), set())
    assert {row.check for row in report.faults} == expected, report.text()
    if not expected:
        assert {report.row(check).verdict for check in ("law", "privacy", "raw output")} <= EXACT, report.text()
    rare = name == "diffprivlib" and protocol.startswith(RARE)
    assert any(row.check == "exceptions" for row in report.rows) is rare


def test_a_statistical_audit_finds_nothing(libraries: Environment) -> None:
    report = audit_library("opendp", "make_randomized_response_bool", environment=libraries)
    assert report.method == "process"
    assert report.faults == (), report.text()
    assert report.row("law").verdict is Verdict.CONSISTENT


def ratio(report: Audit) -> fmpq:
    top, bottom = report.row("privacy").figures["largest ratio"].split("/")
    return fmpq(int(top), int(bottom))


def test_the_size_of_the_excess_of_an_unbalanced_hierarchy(libraries: Environment) -> None:
    """e^epsilon = 64, the ratio of the normalizing constants is 14/13."""
    hierarchy = {"hierarchy": [[[0, 1]], [[2], [3], [4], [5]]], "epsilon": "6*ln(2)"}
    report = audit_library("diffprivlib", "ExponentialHierarchical", hierarchy, environment=libraries)
    assert abs(ratio(report) / fmpq(64 * 14, 13) - 1) < fmpq(1, 2**40)


def test_a_unit_step_above_2_to_the_53_costs_twice_the_budget(libraries: Environment) -> None:
    report = audit_library("diffprivlib", "Geometric, large values", environment=libraries)
    assert abs(ratio(report) / 9 - 1) < fmpq(1, 2**8)


def test_a_record_of_weight_3_costs_3_times_the_budget(libraries: Environment) -> None:
    report = audit_library("diffprivlib", "histogram with weights", environment=libraries)
    assert abs(ratio(report) / 27 - 1) < fmpq(1, 2**30)
