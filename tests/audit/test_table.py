"""Printed tables: read exactly, compared two-sidedly, never normalized."""

import json
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_audit.audit import audit_table
from dp_audit.judge.law import ratio_bounds
from dp_audit.observation.exact_json import number
from dp_audit.observation.values import text, thaw
from dp_audit.oracles import oracle
from dp_audit.outcome import TOLERANCE, Audit, Verdict
from dp_audit.run.table_files import read_table
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_spec.vocabulary.export import to_csv, to_json
from dp_spec.vocabulary.table import Channel, Table
from running.files import write_csv

LN3 = {"d": 3, "epsilon": "ln(3)"}
CONFORMS = dict.fromkeys(("domain", "entries", "normalization", "law", "privacy", "tightness"), Verdict.CONFORMS)
Rows = Mapping[Any, Mapping[Any, Any]]
GRR: dict[Any, dict[Any, Any]] = {x: {y: "3/5" if x == y else "1/5" for y in range(3)} for x in range(3)}


def write_json(directory: Path, rows: Rows) -> Path:
    path = directory / "table.json"
    content = [{"input": thaw(x), "law": [[thaw(y), p] for y, p in row.items()]} for x, row in rows.items()]
    path.write_text(json.dumps({"rows": content}), encoding="utf-8")
    return path


def write_table(directory: Path, rows: Rows) -> Path:
    entries = [
        (text(thaw(x)), *entry)
        for x, row in rows.items()
        for entry in [(text(thaw(y)), p) for y, p in row.items()] or [("", "")]
    ]
    return write_csv(directory / "table.csv", entries, ("input", "output", "probability"))


@pytest.fixture(params=[write_json, write_table])
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return lambda rows: request.param(tmp_path, rows)


def verdicts(report: Audit) -> dict[str, Verdict]:
    return {row.check: row.verdict for row in report.rows}


def changed(*changes: tuple[Any, Any, Any]) -> dict[Any, dict[Any, Any]]:
    rows = {x: dict(row) for x, row in GRR.items()}
    for x, y, p in changes:
        rows[x][y] = p
    return rows


# --- verdicts ---------------------------------------------------------------------------------------------------------


def test_items_may_have_names(written: Any) -> None:
    colors = ("red", "green", "blue")
    rows = {colors[x]: {colors[y]: p for y, p in row.items()} for x, row in GRR.items()}
    assert verdicts(audit_table(written(rows), "GRR", LN3, names=colors)) == CONFORMS
    assert audit_table(written(rows), "GRR", LN3).row("domain").verdict is Verdict.FAULT


def test_the_exact_table_conforms(written: Any) -> None:
    report = audit_table(written(GRR), "GRR", LN3)
    assert verdicts(report) == CONFORMS
    assert report.method == "table"
    assert report.laws["target"]["0"]["0"] == "3/5"


def test_outputs_may_be_tuples_and_sets(written: Any) -> None:
    for name, parameters in (("SUE", {"d": 2, "epsilon": "ln(9)"}), ("SS", {"d": 4, "epsilon": "ln(3)", "k": 2})):
        reference = oracle(name, parameters)
        rows = {x: {y: str(p) for y, p in reference.law(x).items()} for x in reference.inputs}
        assert audit_table(written(rows), name, parameters).verdict is Verdict.CONFORMS


def test_rounded_decimals_are_rounding_within_half_a_unit_and_faults_beyond(written: Any) -> None:
    reference = oracle("GRR", {"d": 4, "epsilon": 1.0})
    rows = {x: {y: f"{float(p):.3f}" for y, p in reference.law(x).items()} for x in reference.inputs}
    path = written(rows)
    report = audit_table(path, "GRR", {"d": 4, "epsilon": 1.0}, tolerance=fmpq(1, 2000))
    assert report.verdict is Verdict.ROUNDING
    assert report.tolerance == "1/2000"
    assert report.row("law").verdict is Verdict.ROUNDING
    default = audit_table(path, "GRR", {"d": 4, "epsilon": 1.0})
    assert default.row("law").verdict is Verdict.FAULT


def test_doubles_are_taken_at_their_binary_value(tmp_path: Path) -> None:
    rows = {x: {y: 0.9 if x == y else 0.1 for y in range(2)} for x in range(2)}
    path = write_json(tmp_path, rows)
    assert read_table(path).laws[0][0] == fmpq(*(0.9).as_integer_ratio())
    ln9 = {"d": 2, "epsilon": "ln(9)"}
    report = audit_table(path, "GRR", ln9)
    assert report.verdict is Verdict.ROUNDING
    assert report.row("normalization").verdict is Verdict.ROUNDING
    exact = audit_table(path, "GRR", ln9, tolerance=fmpq(0))
    assert {row.check for row in exact.faults} >= {"law", "normalization"}


@pytest.mark.parametrize(
    ("rows", "faults"),
    [
        (changed((0, 0, "61/100"), (0, 1, "19/100")), {"law", "privacy"}),
        (changed((0, 0, "3/5"), (0, 1, "1/4")), {"normalization", "law"}),
        (changed((0, 0, "1"), (0, 1, "0"), (0, 2, "0")), {"law", "privacy"}),
        (changed((0, 1, "-1/5"), (0, 2, "3/5")), {"entries", "law"}),
        (changed((0, 1, "6/5"), (0, 2, "-4/5")), {"entries", "law"}),
        (changed((0, 3, "1/10"), (0, 0, "1/2")), {"entries", "law", "privacy"}),
        ({x: GRR[x] for x in (0, 1)}, {"domain"}),
        ({**GRR, 0: {}}, {"normalization", "law", "privacy"}),
        ({x: dict.fromkeys(range(3), "0") for x in range(3)}, {"normalization", "law"}),
        ({x: dict.fromkeys(range(3), "1/3") for x in range(3)}, {"law"}),
    ],
)
def test_faults(rows: Rows, faults: set[str], written: Any) -> None:
    report = audit_table(written(rows), "GRR", LN3)
    assert {row.check for row in report.faults} == faults


def test_too_much_noise_is_a_warning_of_its_own(written: Any) -> None:
    report = audit_table(written({x: dict.fromkeys(range(3), "1/3") for x in range(3)}), "GRR", LN3)
    assert report.row("tightness").verdict is Verdict.WARNING
    assert report.row("privacy").verdict is Verdict.CONFORMS


def test_an_unknown_input_is_a_warning_and_entries_of_probability_0_are_harmless(written: Any) -> None:
    report = audit_table(written({**GRR, 9: GRR[0]}), "GRR", LN3)
    assert verdicts(report) == {**CONFORMS, "domain": Verdict.WARNING}
    assert verdicts(audit_table(written(changed((0, "x", "0"))), "GRR", LN3)) == CONFORMS


def test_only_unknown_inputs(written: Any) -> None:
    report = audit_table(written({9: GRR[0]}), "GRR", LN3)
    assert set(verdicts(report)) == {"domain", "entries"}
    assert report.verdict is Verdict.FAULT


def test_an_output_that_stands_twice(tmp_path: Path) -> None:
    path = write_table(tmp_path, GRR)
    path.write_text(path.read_text(encoding="utf-8") + "2,2,3/5\n", encoding="utf-8")
    report = audit_table(path, "GRR", LN3)
    assert "stands twice, once as 3/5" in report.row("entries").detail
    assert report.row("law").verdict is Verdict.UNDECIDED


def test_an_input_that_stands_twice(tmp_path: Path) -> None:
    path = write_json(tmp_path, GRR)
    document = json.loads(path.read_text(encoding="utf-8"))
    document["rows"].append({"input": 0, "law": []})
    path.write_text(json.dumps(document), encoding="utf-8")
    report = audit_table(path, "GRR", LN3)
    assert report.row("domain").detail == "input 0 has several rows"
    assert report.row("law").verdict is Verdict.UNDECIDED


def test_what_rounding_can_do_to_the_ratio_is_no_fault(written: Any) -> None:
    """(3/5, 1/5) printed as 0.61 and 0.19, with a tolerance of a hundredth, may well be private."""
    rows = {x: {y: "0.61" if x == y else "0.195" for y in range(3)} for x in range(3)}
    path = written(rows)
    assert audit_table(path, "GRR", LN3, tolerance=fmpq(1, 100)).row("privacy").verdict is Verdict.ROUNDING
    assert audit_table(path, "GRR", LN3, tolerance=fmpq(1, 1000)).row("privacy").verdict is Verdict.FAULT
    less = written({x: {y: "0.59" if x == y else "0.205" for y in range(3)} for x in range(3)})
    assert audit_table(less, "GRR", LN3, tolerance=fmpq(1, 100)).row("tightness").verdict is Verdict.ROUNDING
    assert audit_table(less, "GRR", LN3, tolerance=fmpq(1, 1000)).row("tightness").verdict is Verdict.WARNING


ENTRIES = st.lists(st.lists(st.integers(0, 20), min_size=2, max_size=2), min_size=2, max_size=3)


@given(ENTRIES, st.integers(0, 3), st.data())
def test_ratio_bounds_contain_the_ratio_of_every_table_within_the_tolerance(
    entries: list[list[int]], units: int, data: st.DataObject
) -> None:
    printed: dict[Hashable, dict[Hashable, fmpq]] = {
        x: {y: fmpq(k, 20) for y, k in enumerate(row)} for x, row in enumerate(entries)
    }
    moves = st.integers(-units, units)
    near = {x: {y: max(fmpq(0), p + fmpq(data.draw(moves), 20)) for y, p in r.items()} for x, r in printed.items()}
    ratios = [(max(column), min(column)) for y in (0, 1) if max(column := [near[x][y] for x in near]) > 0]
    least, most = ratio_bounds(printed, fmpq(units, 20))
    for top, low in ratios:
        if low == 0:
            assert most is None
        else:
            assert most is None or top / low <= most
    if ratios and all(low > 0 for _, low in ratios):
        assert least <= max(top / low for top, low in ratios)


# --- reading ----------------------------------------------------------------------------------------------------------


def test_tables_that_this_project_writes_are_read(tmp_path: Path) -> None:
    exact: dict[Hashable, dict[Hashable, fmpq]] = {
        x: {y: fmpq(3, 5) if x == y else fmpq(1, 5) for y in range(3)} for x in range(3)
    }
    (tmp_path / "a.json").write_text(to_json(Channel(exact)), encoding="utf-8")
    (tmp_path / "a.csv").write_text(to_csv(Table(exact)), encoding="utf-8")
    for name in ("a.json", "a.csv"):
        assert verdicts(audit_table(tmp_path / name, "GRR", LN3)) == CONFORMS


@given(st.fractions(0, 1), st.decimals(0, 1, allow_nan=False, places=7), st.floats(0, 1))
def test_probabilities_are_read_exactly(fraction: Any, decimal: Any, double: float) -> None:
    assert number("p", str(fraction)) == fmpq(fraction.numerator, fraction.denominator)
    assert number("p", str(decimal)) == fmpq(*decimal.as_integer_ratio())
    assert number("p", json.loads(json.dumps(double))) == fmpq(*double.as_integer_ratio())


ROW = '{"input": 0, "law": [[0, "1"]]}'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "JSON text"),
        ("[]", r'allowed is \{"rows"'),
        ('{"rows": []}', "no rows"),
        ('{"rows": {}}', r'allowed is \{"rows"'),
        (f'{{"rows": [{ROW}], "note": 1}}', r'allowed is \{"rows"'),
        ('{"rows": [{"input": 0}]}', r"rows\[0\].*allowed is"),
        ('{"rows": [{"input": 0, "law": {"0": "1"}}]}', r"rows\[0\]"),
        (f'{{"rows": [{ROW}, {{"input": 1, "law": [[0]]}}]}}', r"rows\[1\].law\[0\]"),
        ('{"rows": [{"input": 0, "law": [[0, "half"]]}]}', r"rows\[0\].law\[0\]\[1\] = 'half'"),
        ('{"rows": [{"input": 0, "law": [[0, true]]}]}', r"law\[0\]\[1\] = 'True'"),
        ('{"rows": [{"input": 0, "law": [[0, NaN]]}]}', "finite numbers"),
        ('{"rows": [{"input": 0, "law": [[0, 1e999]]}]}', "finite numbers"),
        ('{"rows": [{"input": 0, "law": [[0, "1/0"]]}]}', "'1/0'"),
        ('{"rows": [{"input": 0, "law": [[0.5, "1"]]}]}', r"law\[0\]\[0\]"),
        ('{"rows": [{"input": true, "law": []}]}', r"rows\[0\].input"),
        ('{"rows": [{"input": 0, "input": 1, "law": []}]}', "without repeated keys"),
        ('{"rows": ' + "[" * 100_000 + "]" * 100_000 + "}", "JSON text"),
        ('{"format": "dp-refimpl table 1"}', "dp-refimpl table 1"),
    ],
)
def test_unreadable_json(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        audit_table(path, "GRR", LN3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "an empty file"),
        (b"input,output,probability\n", "no rows"),
        (b"input,output,p\n0,0,1\n", "'input, output, p': allowed is a header in which 'probability' is one column"),
        (b"input,output,probability\n0,0\n", "line 2 = '2 cells'"),
        (b"input,output,probability\n0,0,\n", "line 2, column probability = ''"),
        (b"input,output,probability\n0,,1\n", "line 2, column output = 'an empty cell'"),
        (b"input,output,probability\n0,0,nan\n", "line 2, column probability = 'nan'"),
        (b"input,output,probability\n0,NaN,1\n", "line 2, column output = 'NaN'"),
        (b"input,output,probability\n0,0,\xff\n", "line 2 = .*UTF-8"),
    ],
)
def test_unreadable_csv(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=f"{path}.*{message}"):
        audit_table(path, "GRR", LN3)


def test_json_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(f'{{"rows": [{ROW}]}}'.encode("utf-16"))
    with pytest.raises(FormatError, match="UTF-8 text"):
        audit_table(path, "GRR", LN3)


def test_bad_calls(tmp_path: Path) -> None:
    path = write_json(tmp_path, GRR)
    for tolerance in (fmpq(-1, 2), fmpq(1), 1e-6, True):
        with pytest.raises(DomainError, match="tolerance"):
            audit_table(path, "GRR", LN3, tolerance=tolerance)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="csv or json"):
        audit_table(path.with_suffix(".txt"), "GRR", LN3)
    with pytest.raises(FileNotFoundError):
        audit_table(path.with_suffix(".csv"), "GRR", LN3)
    assert audit_table(path, "GRR", LN3).tolerance == str(TOLERANCE)
