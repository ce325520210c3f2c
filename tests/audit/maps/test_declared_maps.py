"""Declared numbers: right ones are never accused, wrong ones are found, with a pair of members that shows it."""

import json
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from audit.maps import law_cases
from audit.maps.map_cases import BITS, RIGHT, WRONG, Map, tables
from dp_audit import Audit, Environment, Verdict, audit_map, audit_map_file, judge_number
from dp_audit.oracles.metrics import METRICS, metric
from dp_audit.report.words import sentence
from dp_audit.run.child_program import CAN_FORK, Children
from dp_audit.run.declared_maps import MapFile
from dp_command import main
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real

ALL_RIGHT, ALL_WRONG = (*RIGHT, *law_cases.RIGHT), (*WRONG, *law_cases.WRONG)


def test_there_are_enough() -> None:
    assert len(RIGHT) >= 100
    assert len(law_cases.RIGHT) >= 60
    assert min(len(WRONG), len(law_cases.WRONG)) >= 30
    assert len({case.name for case in (*ALL_RIGHT, *ALL_WRONG)}) == len(ALL_RIGHT) + len(ALL_WRONG)


@pytest.mark.parametrize("case", ALL_RIGHT, ids=lambda case: case.name)
def test_a_right_number_conforms(case: Map) -> None:
    audit = audit_map(case)
    row = audit.row("declared map")
    assert (row.verdict, "attained" in row.detail) == (Verdict.CONFORMS, case.attained), audit.text()
    assert audit.faults == ()


@pytest.mark.parametrize("case", law_cases.RIGHT_CURVES, ids=lambda case: case.name)
def test_a_right_curve_is_consistent(case: Map) -> None:
    audit = audit_map(case)
    row = audit.row("declared map")
    assert (row.verdict, audit.faults) == (Verdict.CONSISTENT, ()), audit.text()
    assert "between them, if the declared curve never" in row.detail


@pytest.mark.parametrize("case", ALL_WRONG, ids=lambda case: case.name)
def test_a_wrong_number_is_a_fault(case: Map) -> None:
    audit = audit_map(case)
    assert [row.check for row in audit.faults] == ["declared map"], audit.text()
    witness = audit.row("declared map").witness
    assert {"left", "right", "true"} <= witness.keys() or "no distance" in audit.row("declared map").detail


def test_a_domain_that_is_not_exhausted_is_consistent() -> None:
    assert audit_map(replace(RIGHT[0], exhaustive=False)).verdict is Verdict.CONSISTENT
    cut = audit_map(RIGHT[0], limit=10)
    assert (cut.verdict, "10 members" in cut.row("declared map").detail) == (Verdict.CONSISTENT, True)


def test_an_irrational_number_may_be_rounded() -> None:
    """The square root of 3 is larger than the double that is nearest to it."""
    audit = audit_map(Map("", lambda x: [x] * 3, 3**0.5, tuple(range(4)), "absolute", "L2"))
    assert audit.row("declared map").verdict is Verdict.ROUNDING
    assert "no declared number is too small, beyond rounding" in sentence(audit)


def test_rounding_is_told_of_the_members_that_were_looked_at() -> None:
    audit = audit_map(Map("", float, 1 - 2**-45, tuple(range(4)), "absolute", "absolute"))
    assert audit.row("declared map").verdict is Verdict.ROUNDING
    assert sentence(audit).endswith("on the members that were looked at.")


def test_the_witness_is_the_first_pair_at_the_smallest_distance() -> None:
    case = Map("", sum, 1, tables((0, 3, 1, 2), 2), "symmetric", "absolute")
    witness = audit_map(case).row("declared map").witness
    assert (witness["left"], witness["right"], witness["true"]) == ("()", "(3,)", "3")


# --- what is no number ------------------------------------------------------------------------------------------------


def raising(rows: Any) -> int:
    return len(rows) // (3 - len(rows))


def never(rows: Any) -> int:
    raise ValueError("never")


class Unbounded(Map):
    """What declares no bound."""

    def declared(self, distance: Any) -> Any:
        return float("inf")


class Undeclared(Map):
    """What declares nothing."""

    def declared(self, distance: Any) -> Any:
        raise ArithmeticError("none")


CALLS: Counter[str] = Counter()


def random(rows: Any) -> int:
    CALLS["random"] += 1
    return CALLS["random"]


def emptying(rows: list[Any]) -> int:
    rows.clear()
    return 0


LISTS = tuple([value] for value in (0, 1))
ODD: tuple[tuple[Map, str, Verdict, str], ...] = (
    (Map("", random, 1, BITS, "symmetric", "absolute"), "members", Verdict.UNDECIDED, "different values"),
    (Map("", never, 1, BITS, "symmetric", "absolute"), "members", Verdict.UNDECIDED, "on none of 31 members"),
    (Map("", len, 1, (), "symmetric", "absolute"), "members", Verdict.UNDECIDED, "no member"),
    (Map("", raising, 3, BITS, "symmetric", "absolute"), "members", Verdict.WARNING, "raises on 8 of 31 members"),
    (Map("", emptying, 3, LISTS, "symmetric", "absolute"), "members", Verdict.WARNING, "changes its input"),
    (Map("", len, 1, ((0,), (1, 1)), "change-one", "absolute"), "declared map", Verdict.UNDECIDED, "no two members"),
    (Undeclared("", len, 1, BITS, "symmetric", "absolute"), "declared map", Verdict.UNDECIDED, "ArithmeticError: none"),
    (
        Map("", lambda rows: {0: 0.5}, 1, BITS, "symmetric", "max-divergence"),
        "normalization",
        Verdict.FAULT,
        "sum to 1",
    ),
    (Unbounded("", len, 1, BITS, "symmetric", "absolute"), "declared map", Verdict.CONFORMS, "it is larger"),
)


@pytest.mark.parametrize(("case", "check", "verdict", "words"), ODD, ids=lambda part: str(part)[:30])
def test_what_is_no_map_is_said(case: Map, check: str, verdict: Verdict, words: str) -> None:
    row = audit_map(case).row(check)
    assert (row.verdict, words in row.detail) == (verdict, True), row


def test_outputs_outside_their_domain_are_a_fault() -> None:
    class Outside(Map):
        def contains(self, output: int) -> bool:
            return output < 4

    audit = audit_map(Outside("", len, 1, BITS, "symmetric", "absolute"))
    assert [row.check for row in audit.faults] == ["output domain"]
    assert audit_map(Outside("", len, 1, BITS[:10], "symmetric", "absolute")).row("output domain").verdict == "conforms"


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (Map("", len, 1, BITS, "symetric", "absolute"), "did you mean symmetric"),
        (Map("", len, 1, BITS, "symmetric", "hockey-stick -1"), "rational epsilon >= 0"),
        (Map("", len, 1, BITS, "symmetric", "hockey-stick e"), "rational epsilon >= 0"),
        (Map("", len, 1, BITS, "symmetric", "max-divergence 2"), "delta in 0 ... 1"),
        (Map("", len, 1, BITS, "symmetric", "Renyi 1/2"), "order in 1 ... 10\\^9, or Renyi ORDER"),
        (Map("", len, 1, BITS, "symmetric", "Renyi 1e400"), "order in 1 ... 10\\^9"),
        (Map("", len, 1, BITS, "symmetric", "hockey-stick 1e99999999"), "rational epsilon >= 0"),
        (Map("", len, 1, BITS, "L1 of symmetric within 1e99999999", "absolute"), "rational bound >= 0"),
        (Map("", len, 1, BITS, "max-divergence", "absolute"), "not of laws"),
        (Map("", len, 1, BITS, "Linf of Gaussian", "absolute"), "not of laws"),
        (Map("", len, 1, BITS, "symmetric", "L1 of max-divergence"), "L0 or Linf"),
        (Map("", len, 1, BITS, "L0 of symmetric within -1", "absolute"), "bound >= 0"),
        (Map("", len, 1, BITS, "L0 of simmetric", "absolute"), "did you mean symmetric"),
        (Map("", len, 1, BITS, "L1 of symmetric", "absolute"), "every partition once"),
        (Map("", lambda rows: {len(rows): {0: 1}}, 1, BITS, "symmetric", "Linf of Renyi 2"), "the same of both"),
        (Map("", len, 1, BITS, "absolute", "absolute"), "a number"),
        (Map("", len, 1, BITS, "symmetric", "L1"), "a list"),
        (Map("", len, 1, BITS, "symmetric", "max-divergence"), "a list"),
        (Map("", lambda rows: [[0, 2], [0, -1]], 1, BITS, "symmetric", "max-divergence"), "probability >= 0"),
    ],
    ids=lambda part: str(part)[:30],
)
def test_metrics_that_are_not_for_the_values_are_refused(case: Map, words: str) -> None:
    with pytest.raises(DomainError, match=words):
        audit_map(case)


@pytest.mark.parametrize("limit", [0, 1, -3, 2.5, True, None])
def test_a_limit_is_an_integer(limit: Any) -> None:
    with pytest.raises(DomainError, match="limit"):
        audit_map(RIGHT[0], limit=limit)


def test_a_target_says_all_that_is_needed() -> None:
    with pytest.raises(DomainError, match="it lacks function, declared, d_in, d_out, members or search"):
        audit_map(len)


def test_a_domain_is_whole_only_where_the_code_has_a_value_everywhere() -> None:
    class Stated(Map):
        assumed = True

    members = (len, 1, BITS, "symmetric", "absolute")
    assert audit_map(Map("", *members)).row("declared map").verdict is Verdict.CONFORMS
    assert audit_map(Stated("", *members)).row("declared map").verdict is Verdict.CONSISTENT
    part = Map("", raising, 3, tables((0,), 3), "symmetric", "absolute")
    assert audit_map(part).row("declared map").verdict is Verdict.CONSISTENT


def test_a_law_has_no_order() -> None:
    def law(item: int) -> dict[str, Fraction]:
        CALLS["law"] += 1
        pairs = [("a", Fraction(1, 3)), ("b", Fraction(2, 3))]
        return dict(pairs if CALLS["law"] % 2 else pairs[::-1])

    assert audit_map(Map("", law, 0, (0, 1), "discrete", "max-divergence")).verdict is Verdict.CONFORMS


# --- distances --------------------------------------------------------------------------------------------------------

ROWS = st.lists(st.integers(0, 2), max_size=5).map(tuple)


def steps(x: tuple[int, ...], y: tuple[int, ...]) -> int:
    """Insertions and deletions, by trying both at every place."""
    if not x or not y:
        return len(x) + len(y)
    if x[0] == y[0]:
        return steps(x[1:], y[1:])
    return 1 + min(steps(x[1:], y), steps(x, y[1:]))


@given(ROWS, ROWS)
def test_distances_of_data_sets_are_those_of_counting(x: tuple[int, ...], y: tuple[int, ...]) -> None:
    apart = sum(abs(x.count(value) - y.count(value)) for value in range(3))
    assert METRICS["symmetric"].scaled(x, y) == apart
    assert METRICS["insert-delete"].scaled(x, y) == steps(x, y)
    changed: Any = METRICS["change-one"].scaled(x, y)
    assert changed == (fmpq(apart, 2) if len(x) == len(y) else None)
    places: Any = METRICS["Hamming"].scaled(x, y)
    assert places == (sum(a != b for a, b in zip(x, y, strict=True)) if len(x) == len(y) else None)
    assert places is None or (changed is not None and changed <= places)


LAWS = st.lists(st.integers(1, 5), min_size=3, max_size=3)


@given(LAWS, LAWS, st.fractions(0, 2, max_denominator=7))
def test_divergences_are_those_of_all_events(p: list[int], q: list[int], epsilon: Fraction) -> None:
    laws = [[(y, fmpq(w, sum(weights))) for y, w in enumerate(weights)] for weights in (p, q)]
    left, right = (tuple(map(tuple, law)) for law in laws)
    events = [[y for y in range(3) if mask >> y & 1] for mask in range(1, 8)]
    chances = [[sum((dict(law)[y] for y in event), fmpq(0)) for event in events] for law in laws]
    ratios = [ratio for a, b in zip(*chances, strict=True) for ratio in (a / b, b / a)]
    assert METRICS["max-divergence"].scaled(left, right) == max(ratios)
    factor = Real.power(None, epsilon)
    deltas = [d for a, b in zip(*chances, strict=True) for d in (a - factor * b, b - factor * a)]
    assert metric("d_out", f"hockey-stick {epsilon}").scaled(left, right) == max([Real.lift(0), *deltas])


# --- one number -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("true", "declared", "kind"),
    [
        (fmpq(1), fmpq(1), "equal"),
        (fmpq(1), fmpq(2), "loose"),
        (fmpq(0), fmpq(1), "loose"),
        (fmpq(1), 1 - fmpq(1, 2**41), "rounding"),
        (fmpq(1), 1 - fmpq(1, 2**39), "fault"),
        (Real.power(None, Fraction(1)), fmpq(2718281828459045, 10**15), "rounding"),
        (Real.power(None, Fraction(1)), fmpq(2718, 1000), "fault"),
    ],
)
def test_a_number_is_judged(true: Any, declared: fmpq, kind: str) -> None:
    assert judge_number(true, declared).kind == kind


@pytest.mark.parametrize(("true", "declared"), [(fmpq(1), fmpq(-1)), (fmpq(1), 0.5), (0.5, fmpq(1)), (None, fmpq(1))])
def test_a_number_is_exact(true: Any, declared: Any) -> None:
    with pytest.raises(DomainError):
        judge_number(true, declared)


# --- files ------------------------------------------------------------------------------------------------------------

FILE = """
from itertools import product

class clamped_sum:
    members = [rows for n in range(3) for rows in product((-1, 0, 5), repeat=n)]
    d_in, d_out, exhaustive = "symmetric", "absolute", True
    def function(self, rows): return sum(min(max(value, 0), 4) for value in rows)
    def declared(self, distance): return {number} * distance

import os
class other_process(clamped_sum):
    def function(self, rows): return len(rows) * (os.getpid() % 1000 + 9)

class hanging(clamped_sum):
    def function(self, rows):
        while rows: pass

class ending(clamped_sum):
    def function(self, rows): os._exit(3)

CALLS = []
class counting(clamped_sum):
    members = [(), (0,)]
    def function(self, rows):
        CALLS.append(rows)
        return [os.getpid(), len(CALLS)]
"""


def run(tmp_path: Path, name: str, number: int = 4, *options: str) -> tuple[int, Any]:
    file, out = tmp_path / "sums.py", tmp_path / "audit.json"
    file.write_text(FILE.replace("{number}", str(number)))
    result = CliRunner().invoke(main, ["audit", "map", f"{file}:{name}", "--json", str(out), *options])
    return result.exit_code, json.loads(out.read_text())["audits"][0] if out.exists() else result.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number", "options", "status", "words"),
    [
        ("clamped_sum", 4, (), 0, "never too small, on the whole domain"),
        ("clamped_sum", 3, (), 1, "at most 3 is declared"),
        ("other_process", 4, (), 3, "another process does not repeat it"),
        ("hanging", 4, ("--timeout", "2"), 3, "killed after 2 s"),
        ("ending", 4, (), 3, "exit status 3"),
        ("missing", 4, (), 3, "missing"),
    ],
)
def test_a_file_is_audited(
    tmp_path: Path, name: str, number: int, options: tuple[str, ...], status: int, words: str
) -> None:
    code, audit = run(tmp_path, name, number, *options)
    assert (code, words in json.dumps(audit)) == (status, True), audit


def test_maps_of_a_file_share_a_process_and_nothing_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "sums.py"
    file.write_text(FILE.replace("{number}", "4"))
    with Children() as children:
        code = MapFile(file, "counting", Environment(Path(sys.executable)), 30.0, start=children.run)
        first, again, other = (each.evaluate(2, None, ()) for each in (code, code, code.alone))
    outputs: Any = [[member.output for member in each.members.values()] for each in (first, again, other)]
    assert outputs[0] == outputs[1]
    assert [[calls for _, calls in each] for each in outputs] == [[1, 3]] * 3
    assert len({pid for each in outputs for pid, _ in each}) == (2 if CAN_FORK else 3)


@pytest.mark.slow
def test_what_ends_a_shared_process_is_told_of_one_map(tmp_path: Path) -> None:
    file = tmp_path / "sums.py"
    file.write_text(FILE.replace("{number}", "3"))
    with Children() as children:

        def said(name: str) -> str:
            return json.dumps(audit_map_file(file, name, timeout=2, start=children.run).as_json())

        right = said("clamped_sum")
        assert "at most 3 is declared" in right
        for name, words in (
            ("hanging", "killed after 2 s"),
            ("ending", "exit status 3"),
            ("other_process", "another process does not repeat it"),
            ("missing", "missing"),
        ):
            assert words in said(name)
            assert said("clamped_sum") == right


def test_three_lines_repeat_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = next(row for row in run(tmp_path, "clamped_sum", 3)[1]["rows"] if row["verdict"] == "fault")
    exec("\n".join(row["reproduction"]), {})
    left, right, declared = capsys.readouterr().out.split()
    assert abs(int(left) - int(right)) == 4 > int(declared) == 3


CURVE = """
class response:
    members, d_in, d_out, exhaustive = [0, 1], "discrete", "hockey-stick EPSILON", True
    def function(self, item): return {y: 0.75 if y == item else 0.25 for y in (0, 1)}
    def declared(self, distance, epsilon): return max(0.5 - {slope} * epsilon, 0) if distance else 0
"""


@pytest.mark.parametrize(("slope", "status"), [("0.25", 0), ("0.5", 1)])
def test_a_curve_of_a_file_is_audited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], slope: str, status: int
) -> None:
    file, out = tmp_path / "curves.py", tmp_path / "audit.json"
    file.write_text(CURVE.replace("{slope}", slope))
    result = CliRunner().invoke(main, ["audit", "map", f"{file}:response", "--json", str(out)])
    assert result.exit_code == status, result.output
    row = next(row for row in json.loads(out.read_text())["audits"][0]["rows"] if row["check"] == "declared map")
    assert ("at 5 places of the curve" in row["detail"]) == (status == 0)
    if status:
        exec("\n".join(row["reproduction"]), {})
        assert capsys.readouterr().out.startswith("{0: 0.75, 1: 0.25} {0: 0.25, 1: 0.75} 0.")


def test_an_audit_in_words() -> None:
    audit: Audit = audit_map(RIGHT[0])
    assert "computed here from the values" in audit.text()
