"""Faults that an adversary found unseen, and correct code that was accused: each stays as it is judged now."""

import math
import random
import ssl
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from dp_audit import Audit, Verdict, audit_callable
from dp_audit.exact_numbers import short
from dp_audit.observation.exact_json import canonical
from dp_audit.options import Options
from dp_spec.vocabulary.exceptions import FormatError

BRIEF = Options(unmodified=False)


def audit(randomize: Callable[..., Any], oracle: str, **parameters: object) -> Audit:
    return audit_callable(randomize, oracle, parameters, options=BRIEF)


def keep(d: int, epsilon: float) -> float:
    return math.exp(epsilon) / (math.exp(epsilon) + d - 1)


def subset(item: int, d: int, epsilon: float, k: int) -> Any:
    """Subset selection; the item is an int, the others are numpy integers."""
    others = [x for x in range(d) if x != item]
    if random.random() < k * math.exp(epsilon) / (k * math.exp(epsilon) + d - k):
        return {item} | set(np.random.choice(others, k - 1, replace=False))
    return set(np.random.choice(others, k, replace=False))


def bits(item: int, d: int, epsilon: float) -> Any:
    """OUE whose zero at the true item is a negative one."""
    thresholds = np.where(np.arange(d) == item, 0.5, 1 / (math.exp(epsilon) + 1))
    report = np.where(np.random.random(d) < thresholds, 1.0, 0.0)
    report[item] = report[item] or -0.0
    return report


def sampled_set(item: int, d: int, epsilon: float, k: int) -> Any:
    """Raises where this Python's `random.sample` refuses a set."""
    return {item, *random.sample({x for x in range(d) if x != item}, k - 1)}  # type: ignore[arg-type]


def hidden(item: int, d: int, epsilon: float) -> int:
    """Correct, with a source of randomness that cannot be replaced."""
    u = int.from_bytes(ssl.RAND_bytes(7), "big") / 2**56
    return item if u < keep(d, epsilon) else (item + 1 + int(u * 2**40) % (d - 1)) % d


def grr(item: int, d: int, epsilon: float) -> int:
    lie = random.randrange(d - 1)
    return item if random.random() < keep(d, epsilon) else lie + (lie >= item)


def test_types_of_members_of_a_set_are_seen() -> None:
    report = audit(subset, "SS", d=4, epsilon=1.0, k=2)
    assert report.row("law").verdict is Verdict.ROUNDING
    assert report.row("raw output").verdict is Verdict.FAULT


def test_signs_of_zeros_in_arrays_are_seen() -> None:
    report = audit(bits, "OUE", d=3, epsilon=1.0)
    assert report.row("law").verdict in (Verdict.CONFORMS, Verdict.ROUNDING)
    assert report.row("raw output").verdict is Verdict.FAULT


def test_a_set_is_no_population() -> None:
    report = audit(sampled_set, "SS", d=4, epsilon=1.0, k=2)
    assert "TypeError" in report.row("law").witness["raised"]


def test_randomness_that_cannot_be_seen_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dp_audit.audit.SECONDS", 0.2)
    report = audit(hidden, "GRR", d=3, epsilon=1.0)
    assert (report.method, report.row("law").verdict) == ("process", Verdict.CONSISTENT)
    assert "hidden randomness" in report.notes[-1]


@pytest.mark.parametrize("epsilon", [11.0, 14.0])
def test_large_budgets_are_judged_on_the_grid_of_the_doubles(epsilon: float) -> None:
    report = audit(grr, "GRR", d=3, epsilon=epsilon)
    assert {report.row(name).verdict for name in ("law", "privacy", "tightness")} <= {
        Verdict.CONFORMS,
        Verdict.ROUNDING,
    }


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.01, 1.0])
def test_large_estimates_have_large_roundings(epsilon: float) -> None:
    def estimate(reports: list[int]) -> list[float]:
        p, q = keep(3, epsilon), 1 / (math.exp(epsilon) + 2)
        return [(reports.count(x) / len(reports) - q) / (p - q) for x in range(3)]

    report = audit_callable(grr, "GRR", {"d": 3, "epsilon": epsilon}, estimate=estimate, options=BRIEF)
    rows = [row for row in report.rows if row.check.startswith(("estimator", "expectation", "variance"))]
    assert {row.verdict for row in rows} <= {Verdict.CONFORMS, Verdict.ROUNDING}, report.text()
    slightly: Callable[[list[int]], list[float]] = lambda reports: [1.000001 * x for x in estimate(reports)]  # noqa: E731
    wrong = audit_callable(grr, "GRR", {"d": 3, "epsilon": epsilon}, estimate=slightly, options=BRIEF)
    assert wrong.row("estimator").verdict is Verdict.FAULT


def test_numbers_beyond_doubles_are_shown() -> None:
    large: Callable[[list[int]], list[float]] = lambda reports: [1e200 * reports.count(x) for x in range(3)]  # noqa: E731
    report = audit_callable(grr, "GRR", {"d": 3, "epsilon": 1.0}, estimate=large, options=BRIEF)
    assert report.row("variance, n = 1").verdict is Verdict.FAULT
    assert "e+" in report.row("variance, n = 1").detail
    assert short(fmpq(10) ** 400) == "1.00000e+400"


def test_deep_reports_are_refused() -> None:
    deep: Any = 0
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(FormatError):
        canonical("report", deep)
