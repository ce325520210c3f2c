"""Laws that are known in part only accuse nobody; parameters are handed as they were written, to whoever takes them."""

from collections import Counter, UserDict
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from audit.targets import known_in_part as targets
from audit.targets import memories
from dp_audit.audit import audit_callable
from dp_audit.options import Options
from dp_audit.outcome import Audit, Verdict
from dp_audit.run.child.targets import by_item, taken
from running.kept import audit_adapter

FILE, MEMORIES = Path(targets.__file__), Path(memories.__file__)
BRIEF = Options(users=(), unmodified=False)
LONG: dict[str, Any] = {"d": 3, "eps_perm": 2.0, "eps_1": 1.0}


def audit(name: str, oracle: str, parameters: dict[str, Any], checks: Options = BRIEF) -> Audit:
    file = MEMORIES if hasattr(memories, name) else FILE
    return audit_adapter(file, name, oracle, parameters, options=checks)


@pytest.mark.slow
def test_a_loop_without_a_budget_has_the_same_law_at_all_budgets() -> None:
    checks = Options(users=(), unmodified=False, reuse=False, seconds=None)
    found = audit("fixed_with_a_loop", "GRR", {"d": 4, "epsilon": "ln(3)"}, checks)
    assert found.row("law").verdict is Verdict.ROUNDING, found.text()
    assert not [row for row in found.rows if row.check.startswith("other epsilon")]
    assert found.verdict is not Verdict.FAULT


@pytest.mark.slow
def test_joint_laws_of_memoized_reports_may_be_cut_off() -> None:
    large = {**LONG, "d": 4}  # 2^16 paths of two reports on different items
    kept = audit("LSUE", "L-SUE", large, Options(users=(), unmodified=False, seconds=6.0)).row("reused client")
    assert kept.verdict is Verdict.CONSISTENT
    assert "as far as they were explored" in kept.detail


@pytest.mark.slow
def test_what_memoizes_too_much_or_nothing_is_seen_where_the_law_is_known() -> None:
    small = {**LONG, "d": 2}
    whole = Options(users=(), unmodified=False, seconds=None)
    assert audit("LSUE", "L-SUE", small, whole).row("reused client").verdict is Verdict.ROUNDING
    assert audit("KeepsAll", "L-SUE", small).row("reused client").verdict is Verdict.FAULT
    forgets = audit("Changed", "L-SUE", small).row("reused client")
    assert forgets.verdict is Verdict.FAULT
    assert forgets.witness["inputs"] == "(0, 1, 0)"
    nothing = audit("LSUE", "L-SUE", small, Options(users=(), unmodified=False, handed={"keeps": False}))
    assert nothing.row("reused client").verdict is Verdict.FAULT


@pytest.mark.slow
def test_the_order_of_a_set_in_a_copy_is_no_change_by_the_server() -> None:
    checks = Options(users=(1,), unmodified=False, reuse=False)
    found = audit("Subset", "SS", {"d": 11, "k": 4, "epsilon": 1.0}, checks)
    assert found.row("estimator").verdict is Verdict.ROUNDING
    assert not [row for row in found.rows if row.check == "TargetMutatedInput"]


@pytest.mark.slow
@pytest.mark.parametrize("function", [targets.any_parameters, targets.decorated])
def test_parameters_are_handed_to_what_takes_them(function: Any) -> None:
    given = {"d": 4, "epsilon": 1.0}
    for found in (
        audit(function.__name__, "GRR", given),
        audit_callable(function, "GRR", given, options=Options(users=(), unmodified=False, reuse=False)),
    ):
        assert found.row("law").verdict is Verdict.ROUNDING


def test_what_is_taken_is_what_the_wrapper_takes() -> None:
    given = {"d": 4, "epsilon": 1.0, "other": 2}
    assert taken(targets.decorated, given) == {}
    assert taken(targets.any_parameters, given) == given
    assert taken(memories.LSUE, given) == {"d": 4}
    assert taken(targets.with_fixed, given) == {}


@pytest.mark.parametrize("kind", [dict, MappingProxyType, Counter, UserDict])
def test_estimates_that_are_told_by_item_are_put_in_order(kind: Callable[..., Any]) -> None:
    """Of any mapping; an item that is not told was not seen; other keys are left as they come."""
    assert by_item(kind({2: 3, 0: 1}), [0, 1, 2]) == [1, 0, 3]
    assert by_item(kind({1: 5}), [{"set": [0, 1]}, {"set": [1, 2]}]) == [0, 5, 0]
    assert by_item(kind({"b": 3, "a": 1}), [0, 1]) == [3, 1]
    assert by_item([3, 1], [0, 1]) == [3, 1]


@pytest.mark.slow
def test_integers_are_handed_where_integers_were_written() -> None:
    """The literal types show: 2 * upper - x is a float if the bound is."""
    text = {"values": "2,3", "sensitivity": "1", "epsilon": "ln(2)", "lower": "0", "upper": "5"}
    assert audit("of_integers", "GeometricFolded", text).row("raw output").verdict is Verdict.CONFORMS
    real = audit("of_integers", "GeometricFolded", {**text, "upper": "5.0"}).row("raw output")
    assert real.verdict is Verdict.FAULT


def test_an_estimator_is_handed_the_parameters_that_it_takes() -> None:
    def estimate(reports: list[int], d: int, epsilon: float) -> list[float]:
        e = 2.718281828459045**epsilon
        p, q = e / (e + d - 1), 1 / (e + d - 1)
        return [(reports.count(x) / len(reports) - q) / (p - q) for x in range(d)]

    checks = Options(users=(1, 2), unmodified=False, reuse=False)
    found = audit_callable(targets.any_parameters, "GRR", {"d": 3, "epsilon": 1.0}, estimate=estimate, options=checks)
    assert found.row("estimator").verdict is Verdict.ROUNDING
