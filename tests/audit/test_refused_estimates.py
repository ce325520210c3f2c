"""Servers that raise, or answer what is no number, for some reports: a fault, with its probability."""

import math
import random
from collections.abc import Callable, Sequence

import pytest
from flint import fmpq

from dp_audit.audit import audit_callable
from dp_audit.options import Options
from dp_audit.outcome import Row, Verdict

Bits = tuple[int, ...]
D = 2
BOUND = 3.0


def oue(item: int) -> Bits:
    """OUE on two items at e^epsilon = 3: the bit of the item with probability 1/2, the other with 1/4."""
    return tuple(int(random.random() < (0.5 if x == item else 0.25)) for x in range(D))


def unbiased(reports: Sequence[Bits]) -> list[float]:
    return [sum((report[x] - 0.25) / 0.25 for report in reports) / len(reports) for x in range(D)]


def normalized(reports: Sequence[Bits]) -> list[float]:
    """Clipped and divided by the sum: 0/0 if no item has a positive estimate."""
    clipped = [max(estimate, 0.0) for estimate in unbiased(reports)]
    return [estimate / sum(clipped) if sum(clipped) else math.nan for estimate in clipped]


def infinite(reports: Sequence[Bits]) -> list[float]:
    return [math.inf] * D if not any(map(any, reports)) else unbiased(reports)


def raising(reports: Sequence[Bits]) -> list[float]:
    if not any(map(any, reports)):
        raise ZeroDivisionError("nobody")
    return unbiased(reports)


def text(reports: Sequence[Bits]) -> list[object]:
    return ["none"] * D if not any(map(any, reports)) else list(unbiased(reports))


def rows(estimate: Callable[[Sequence[Bits]], Sequence[object]], users: tuple[int, ...]) -> dict[str, Row]:
    report = audit_callable(
        oue,
        "OUE",
        {"d": D, "epsilon": "ln(3)"},
        estimate=estimate,
        options=Options(users=users, reuse=False, unmodified=False),
    )
    return {row.check: row for row in report.rows}


def test_estimates_that_are_all_numbers_have_no_such_row() -> None:
    checks = rows(unbiased, (1, 2))
    assert "estimates" not in checks
    assert checks["expectation, n = 2"].verdict in (Verdict.CONFORMS, Verdict.ROUNDING)


@pytest.mark.parametrize("estimate", [normalized, infinite, raising, text])
def test_probability_of_the_reports_without_estimates(estimate: Callable[[Sequence[Bits]], Sequence[object]]) -> None:
    checks = rows(estimate, (1,))
    row = checks["estimates"]
    assert row.verdict is Verdict.FAULT
    assert "1 of 4 lists of reports" in row.detail
    # The report (0, 0): 1/2 times 3/4.
    assert fmpq(*map(int, row.witness["probability"].split("/"))) == fmpq(3, 8)
    assert row.witness["reports"] == "((0, 0),)"
    assert any("[(0, 0)]" in line for line in row.reproduction)
    # Where a list of reports of one user has no estimate, the expectation does not exist; other sizes are judged.
    assert "expectation, n = 1" not in checks


@pytest.mark.slow
def test_other_estimates_and_other_sizes_are_judged() -> None:
    checks = rows(lambda reports: unbiased(reports) if len(reports) > 1 else [math.nan] * D, (1, 2))
    assert "4 of 20 lists of reports" in checks["estimates"].detail
    assert checks["estimates"].witness["probability"] == "1"
    assert checks["estimator"].verdict in (Verdict.CONFORMS, Verdict.ROUNDING)
    assert checks["expectation, n = 2"].verdict in (Verdict.CONFORMS, Verdict.ROUNDING)
    wrong = rows(lambda reports: [2.0] * D if any(map(any, reports)) else [math.nan] * D, (1,))
    assert wrong["estimates"].verdict is wrong["estimator"].verdict is Verdict.FAULT


def test_a_server_without_any_estimate() -> None:
    checks = rows(lambda reports: [math.nan] * D, (1, 2))
    assert checks["estimates"].verdict is Verdict.FAULT
    assert not {"estimator", "expectation, n = 1", "server state"} & set(checks)


def test_randomness_in_the_server_stays_undecided() -> None:
    checks = rows(lambda reports: [random.random() < 0.5 for _ in range(D)], (1,))
    assert checks["estimates"].verdict is Verdict.UNDECIDED
