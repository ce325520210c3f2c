"""Servers of local hashing on reports with many hash functions, and how these functions are drawn."""

from dataclasses import replace
from typing import Any

import pytest
from flint import arb, fmpq

from audit.targets import served_hashes as targets
from dp_audit.judge import plan
from dp_audit.judge.estimates_over_hashes import CHECK as FEW
from dp_audit.judge.estimates_over_hashes import Mixed, mixed
from dp_audit.judge.examination import Examination
from dp_audit.judge.hash_collisions import CHECK as DRAWS
from dp_audit.judge.hash_collisions import draw_rows
from dp_audit.judge.long_lists import many_rows
from dp_audit.observation.unmodified_run import Draws, ListEstimates, UnmodifiedRun
from dp_audit.oracles import Oracle, oracle
from dp_audit.oracles.post_processing import Normalized
from dp_audit.outcome import Row, Verdict
from running.observations import observed_rows

SIZES = {"d": 4, "g": 3, "epsilon": 1.0}
MANY = "many reports"
GOOD = (Verdict.INFO, Verdict.ROUNDING, Verdict.CONFORMS)


@pytest.fixture(autouse=True)
def few_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as the questions here need: raw reports are looked at in `test_raw_output.py`."""
    amounts = {"CLIENTS": (4, 4), "REPORTS": 40, "TYPED": 40, "RAW_REPORTS": 256, "GIVEN_SIZES": (130, 300)}
    for name, value in amounts.items():
        monkeypatch.setattr(plan, name, value)


def rows(name: str, normalized: bool = False, unit: Any = "frequencies", **parameters: object) -> dict[str, Row]:
    sizes = {**SIZES, **parameters}

    def reference(facts: Any) -> Oracle:
        hashing = oracle("LH", {**sizes, **facts})
        return Normalized.of(hashing) if normalized else hashing

    return observed_rows(
        targets, name, sizes, reference({"hash": [0] * int(str(sizes["d"]))}), oracle_of=reference, unit=unit
    )


# --- servers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("Served", {}),
        ("Served", {"d": 2, "g": 2}),
        ("Served", {"d": 12, "g": 4, "epsilon": 3.0}),
        ("Wide", {}),
        ("Bytes", {}),
        ("Numpy", {}),
        ("Remembers", {}),
        ("Counting", {}),
        ("Normalizes", {"normalized": True}),
        ("Normalizes", {"normalized": True, "g": 2, "epsilon": 0.3}),
    ],
)
def test_correct_servers_are_not_accused(name: str, parameters: dict[str, Any]) -> None:
    checks = rows(name, **parameters)
    assert {checks[check].verdict for check in (DRAWS, FEW, MANY)} <= set(GOOD)
    assert not [row for row in checks.values() if row.verdict is Verdict.FAULT]
    assert checks[FEW].detail.endswith("12 reports")


@pytest.mark.parametrize(
    "name", ["FirstSeed", "CachedByItem", "ShortSeeds", "SignedSeeds", "SignedWideSeeds", "EverySecond"]
)
def test_servers_that_take_another_function_are_found_and_shown(name: str) -> None:
    checks = rows(name)
    assert checks[FEW].verdict is Verdict.FAULT
    assert checks[FEW].witness["reports"].startswith("[(")
    assert checks[MANY].verdict is Verdict.FAULT
    assert checks[DRAWS].verdict is Verdict.INFO


@pytest.mark.parametrize("name", ["SmallCounts", "RefusesMany"])
def test_what_is_wrong_for_many_reports_only(name: str) -> None:
    checks = rows(name)
    assert checks[FEW].verdict in GOOD
    assert checks[MANY].verdict is Verdict.FAULT


def test_counts_are_counts() -> None:
    assert rows("Counts", unit="counts")[FEW].verdict in GOOD
    assert rows("Counts")[FEW].verdict is Verdict.FAULT
    assert rows("Served", unit="counts")[MANY].verdict is Verdict.FAULT


def test_a_server_that_is_slow_is_asked_for_fewer_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "GIVEN_SIZES", (130, 1000, 10**9))
    row = rows("Served")[MANY]
    assert row.verdict in GOOD
    assert row.detail.endswith("for 24, 130, 1000 reports")


def test_the_estimate_of_reports_with_their_own_functions_is_the_average() -> None:
    """At e^epsilon = 3, g = 3: p = 3/5, a report that supports an item scores (1 - 1/3) / (3/5 - 1/3) = 5/2, any other
    one -5/4."""
    parameters = {"d": 2, "g": 3, "epsilon": "ln(3)"}
    mixture = mixed(oracle("LH", {**parameters, "hash": [0, 0]}), lambda facts: oracle("LH", {**parameters, **facts}))
    assert isinstance(mixture, Mixed)
    one, other = ((("hash", (0, 1)),), 0), ((("hash", (2, 2)),), 2)
    assert mixture.estimate([one]) == (fmpq(5, 2), fmpq(-5, 4))
    assert mixture.estimate([one, other, other]) == (fmpq(5, 2), fmpq(5, 4))
    assert mixture.possible(one)
    assert not mixture.possible((one[0], 3))
    assert not mixture.possible(("raised", "ValueError"))


@pytest.mark.parametrize("estimates", [["0", "0"], ["1", "0"], ["nan", "nan"]])
def test_estimates_that_rounding_decides_are_not_compared(estimates: list[str]) -> None:
    """Half of the reports support both items, at g = 2: both estimates are 0, as balls, and divided by their sum."""
    parameters = {"d": 2, "g": 2, "epsilon": 1.0}

    def reference(facts: Any) -> Oracle:
        return Normalized.of(oracle("LH", {**parameters, **facts}))

    both, none, one = ((("hash", (0, 0)),), 0), ((("hash", (1, 1)),), 0), ((("hash", (0, 1)),), 0)
    lists = (ListEstimates(2, (0, 1), tuple(estimates)), ListEstimates(3, (2,), ("1", "0")))
    run = UnmodifiedRun((0, 1), (both, none, one), many=lists)
    mixture = mixed(reference({"hash": [0, 0]}), reference)
    assert mixture is not None
    (row,) = many_rows(Examination(run, mixture))
    assert row.verdict in GOOD
    assert row.detail.endswith("for 3 reports")
    assert list(many_rows(Examination(replace(run, many=lists[:1]), mixture))) == []


def test_an_estimator_that_is_no_average_is_not_compared() -> None:
    parameters = {"sizes": [2, 2], "g": 3, "epsilon": 1.0}
    sampled = oracle("SMP-LH", {**parameters, "hashes": [[0, 1], [0, 1]]})
    split = oracle("SPL-LH", {**parameters, "hashes": [[0, 1], [0, 1]]})
    assert mixed(sampled, lambda facts: sampled) is None
    assert mixed(split, lambda facts: split) is not None
    assert mixed(Normalized.of(sampled), lambda facts: sampled) is None


# --- hash functions ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("Affine", {}),
        ("Affine", {"d": 20, "g": 5}),
        ("SmallAffine", {"d": 5, "g": 4}),
        ("SmallAffine", {"d": 5, "g": 5}),
        ("Exact", {"d": 3}),
        ("Exact", {"d": 3, "g": 2}),
        ("Slope", {}),
        ("Slope", {"d": 12, "g": 10}),
        ("FourBits", {"d": 4, "g": 12}),
        ("Served", {"d": 40, "g": 2}),
        ("Served", {"d": 3, "g": 20}),
    ],
)
def test_families_in_use_are_not_accused(name: str, parameters: dict[str, Any]) -> None:
    row = rows(name, **parameters)[DRAWS]
    assert row.verdict is Verdict.INFO
    assert "different functions in " in row.detail


@pytest.mark.parametrize(
    ("name", "parameters", "functions"),
    [
        ("Constant", {}, 1),
        ("Constant", {"d": 2, "g": 40}, 1),
        ("OfTheProcess", {}, 1),
        ("OfTheProtocol", {}, 1),
        ("IgnoresTheSeed", {}, 1),
        ("LowBits", {}, 15),
        ("Linear", {}, 3),
        ("Neighbors", {}, 9),
    ],
)
def test_functions_that_are_not_drawn_are_found(name: str, parameters: dict[str, Any], functions: int) -> None:
    row = rows(name, **parameters)[DRAWS]
    assert row.verdict is Verdict.FAULT
    assert row.figures["functions"] == str(functions)
    assert ("not drawn" in row.detail) == (functions == 1)


def test_the_items_are_those_that_collide_and_the_bias_is_stated() -> None:
    row = rows("Neighbors")[DRAWS]
    assert row.witness["items"] in ("0 and 1", "2 and 3")
    assert row.witness["bias of an estimate"] == "1"  # (1 - 1/3) 3/2: who holds 0 is counted for 1, too
    assert row.witness["share a cell"] == "4160 of 4160 times"


def test_too_few_collisions_are_a_warning() -> None:
    row = rows("Linear", d=3)[DRAWS]
    assert row.verdict is Verdict.WARNING
    assert arb(row.witness["bias of an estimate"]).overlaps(arb(-0.5))


@pytest.mark.slow
def test_one_function_into_very_many_cells_is_a_surprise() -> None:
    row = rows("Constant", d=2, g=1000)[DRAWS]
    assert row.verdict is Verdict.WARNING
    assert "not drawn" in row.detail


def drawn(number: int, again: tuple[int, ...] | None = None) -> Row:
    """Of so many reports with one function; another process has another one."""

    def run(table: tuple[int, ...], number: int) -> UnmodifiedRun:
        return UnmodifiedRun((0,), reports=(((("hash", table),), 0),), draws=(Draws("first", 0, 0, (0,) * number),))

    def reference(facts: Any) -> Oracle:
        return oracle("LH", {**SIZES, **facts})

    other = None if again is None else run(again, 64)
    (row,) = draw_rows(Examination(run((0, 1, 2, 0), number), reference({"hash": [0] * 4}), again=other), reference)
    return row


def test_few_reports_prove_nothing() -> None:
    assert [drawn(number).verdict for number in (1, 63)] == [Verdict.INFO, Verdict.FAULT]
    assert "not drawn" not in drawn(40).detail
    reference = oracle("LH", {**SIZES, "hash": [0] * 4})
    assert list(draw_rows(Examination(UnmodifiedRun(()), reference), lambda facts: reference)) == []


def test_another_process_is_looked_at() -> None:
    assert "in another process" not in drawn(2048).witness
    assert drawn(2048, (0, 1, 2, 0)).witness["in another process"] == "the same one"
    assert drawn(2048, (0, 1, 2, 1)).witness["in another process"] == "also one only, (0, 1, 2, 1)"
