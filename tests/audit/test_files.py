"""Files of (input, report) pairs: CSV and Parquet say the same, and what cannot be read says where and why."""

import builtins
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from dp_audit.audit import audit_reports
from dp_audit.judge.bets.sequential import Sampling
from dp_audit.observation.samples import Chunk
from dp_audit.observation.values import text, thaw
from dp_audit.outcome import Verdict
from dp_audit.run.report_codes import read_chunks
from dp_audit.run.report_files import LINE_BYTES, MissingExtraError, cell
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from running.files import write_csv, write_parquet

GRR = {"d": 2, "epsilon": "ln(3)"}
Pairs = list[tuple[int, int]]


def pairs(count: int, keep: float = 0.75, seed: int = 1) -> Pairs:
    """Reports of binary randomized response on both inputs in turn."""
    coins = random.Random(seed)
    return [(i % 2, i % 2 if coins.random() < keep else 1 - i % 2) for i in range(count)]


@pytest.fixture(params=[write_csv, write_parquet])
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    suffix = "csv" if request.param is write_csv else "parquet"
    return lambda rows, *header: request.param(tmp_path / f"reports.{suffix}", rows, *header)


# --- verdicts ---------------------------------------------------------------------------------------------------------


def test_correct_reports_are_consistent(written: Any) -> None:
    report = audit_reports(written(pairs(20_000)), "GRR", GRR)
    assert {row.check: row.verdict for row in report.rows} == dict.fromkeys(
        ("law", "independence", "privacy", "alphabet"), Verdict.CONSISTENT
    )
    assert report.method == "reports"
    assert report.notes == ()
    assert report.row("law").figures["reports"] == "20000"


def test_faulty_reports_are_a_fault_and_the_rest_is_not_read(written: Any) -> None:
    report = audit_reports(written([*pairs(20_000, 0.9), (9, 9)]), "GRR", GRR)
    assert report.row("law").verdict is Verdict.FAULT
    assert "where the alarm was raised" in report.notes[0]


def test_reports_outside_the_alphabet_are_a_fault_row(written: Any) -> None:
    report = audit_reports(written([*pairs(10), (0, 2)]), "GRR", GRR)
    assert report.row("alphabet").verdict is Verdict.FAULT
    assert report.row("alphabet").witness["output"] == "2"


def test_items_may_have_names(written: Any) -> None:
    """Of the inputs that occur, and in both columns."""
    named = written([("no", "yes" if y else "no") for x, y in pairs(4000) if x == 0] + [("no", "maybe")])
    report = audit_reports(named, "GRR", GRR, Sampling(inputs=(0,), names=("no", "yes")))
    assert report.row("law").verdict is Verdict.CONSISTENT
    assert report.row("alphabet").witness["output"] == "maybe"
    with pytest.raises(FormatError, match="'no'"):
        audit_reports(named, "GRR", GRR)
    with pytest.raises(DomainError, match="2 different names"):
        audit_reports(named, "GRR", GRR, Sampling(names=("no",)))


def test_the_order_of_the_file_is_kept(written: Any) -> None:
    """Every report stands twice in a row: only the order can show it."""
    drawn = [(i, y) for x, y in pairs(8000) for i in (x,) for _ in range(2)]
    report = audit_reports(written(drawn), "GRR", GRR)
    assert report.row("independence").verdict is Verdict.FAULT


def test_inputs_that_do_not_occur(written: Any) -> None:
    only = [(x, y) for x, y in pairs(20_000) if x == 0]
    assert audit_reports(written(only), "GRR", GRR).row("law").verdict is Verdict.UNDECIDED
    assert (
        audit_reports(written(only), "GRR", GRR, sampling=Sampling(inputs=(0,))).row("law").verdict
        is Verdict.CONSISTENT
    )


def test_columns_by_name_and_format_by_name(tmp_path: Path) -> None:
    rows = [(7, x, "note", y) for x, y in pairs(2000)]
    header = ("id", "true", "comment", "sent")
    for write, form in ((write_csv, "csv"), (write_parquet, "parquet")):
        path = write(tmp_path / "log", rows, header)
        report = audit_reports(path, "GRR", GRR, columns=("true", "sent"), form=form)  # type: ignore[arg-type]
        assert report.row("law").figures["reports"] == "2000"


# --- values -----------------------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.integers() | st.text(max_size=3).filter(lambda s: "\0" not in s),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
    max_leaves=6,
)


def coded(
    path: Path, inputs: Sequence[Any] = tuple(range(20)), columns: tuple[str, str] = ("input", "report")
) -> list[tuple[Any, Any]]:
    chunks = [chunk for chunk in read_chunks(path, inputs, columns) if isinstance(chunk, Chunk)]
    return [chunk.pairs[code] for chunk in chunks for code in chunk.codes.tolist()]


@pytest.mark.slow
@given(VALUES)
def test_every_canonical_value_survives_a_cell(value: Any) -> None:
    assert cell(text(thaw(value))) == value


def test_both_formats_give_the_same_values(tmp_path: Path) -> None:
    cells = [
        *("1", "[0,1,1]", '{"set":[1,2]}', '{"fraction":"1/2"}', "plain text", '"quoted"'),
        *("(0, 1)", "null", "True", "-0"),
    ]
    rows = [(str(i), c) for i, c in enumerate(cells)]
    expected = [1, (0, 1, 1), frozenset({1, 2}), fmpq(1, 2), "plain text", "quoted", "(0, 1)", None, "True"]
    for path in (write_csv(tmp_path / "a.csv", rows[:-1]), write_parquet(tmp_path / "a.pq", rows[:-1])):
        assert coded(path) == list(enumerate(expected))


def test_parquet_types(tmp_path: Path) -> None:
    table = pa.table(
        {
            "input": pa.array([0, 1], pa.int8()),
            "report": pa.array([[0, 1], [1, 1]], pa.list_(pa.uint8())),
            "dictionary": pa.array(["a", "b"]).dictionary_encode(),
        }
    )
    path = tmp_path / "typed.parquet"
    parquet.write_table(table, path)
    assert coded(path) == [(0, (0, 1)), (1, (1, 1))]
    assert coded(path, columns=("input", "dictionary")) == [(0, "a"), (1, "b")]


def test_a_byte_order_mark_and_other_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'\xef\xbb\xbfinput,report\r\n0,1\r\n1,"[1,\r\n2]"\r\n')
    assert coded(path) == [(0, 1), (1, (1, 2))]


def test_many_rows_do_not_pile_up(tmp_path: Path) -> None:
    """A fault in the last row does not stop the first ones from being seen."""
    path = write_csv(tmp_path / "a.csv", [*pairs(1000), ("0",)])
    chunks = read_chunks(path, (0, 1))
    assert len(next(chunks)) == 1000
    with pytest.raises(FormatError, match="line 1002 = '1 cells'"):
        next(chunks)


# --- many rows at a time ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_rows_by_codes_are_the_rows(suffix: str, tmp_path: Path) -> None:
    """Texts, lists and records of several lines among rows that repeat, with another column that never does."""
    source = random.Random(5)
    cells = ["1", "2", "[0,1]", "[1, 0]", "[1,\n0]", "a\r\nb", '"1"', "x"]
    rows = [(source.randrange(3), f"{i}", source.choice(cells)) for i in range(3000)]
    write = write_csv if suffix == "csv" else write_parquet
    path = write(tmp_path / f"r.{suffix}", rows, ("input", "number", "report"))
    assert coded(path) == [(item, cell(text)) for item, _, text in rows]


def test_lines_and_records_go_over_the_ends_of_blocks(tmp_path: Path) -> None:
    """Blocks are read a mebibyte at a time: lines of 7 and of 100,003 bytes, quoted and over two lines."""
    long = "x" * 100_000
    rows = [(i % 2, long if i % 9 == 0 else "[1,\n2]" if i % 7 == 0 else 12) for i in range(300)]
    path = write_csv(tmp_path / "r.csv", rows)
    assert path.stat().st_size > 3 * LINE_BYTES
    assert coded(path) == [(item, cell(str(report))) for item, report in rows]
    assert coded(path)[9] == (1, long)


def test_lists_in_parquet_and_dictionaries_with_unused_values(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    items = pa.DictionaryArray.from_arrays(pa.array([1, 0, 1], pa.int8()), pa.array(["1.5", "3"]))
    parquet.write_table(pa.table({"input": items.take(pa.array([0, 2])), "report": [[0, 1], [0, 1]]}), path)
    assert coded(path) == [(3, (0, 1)), (3, (0, 1))]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_first_wrong_row_is_named_after_the_rows_before_it(suffix: str, tmp_path: Path) -> None:
    rows: list[tuple[Any, Any]] = [
        *[(str(x), str(y)) for x, y in pairs(70_000)],
        ("1", "1.5"),
        ("0", "0.5"),
        ("9", "1"),
    ]
    write = write_csv if suffix == "csv" else write_parquet
    path = write(tmp_path / f"r.{suffix}", rows)
    place = "line 70002" if suffix == "csv" else "row 70001"
    rest, before = read_chunks(path, (0, 1)), 0
    while before < 70_000:
        before += len(next(rest))
    assert before == 70_000
    with pytest.raises(FormatError, match=f"{place}, column report = '1.5'"):
        next(rest)


# --- what cannot be read ----------------------------------------------------------------------------------------------

HEADER = b"input,report\n0,1\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "an empty file.*a header with the columns input, report"),
        (b"input,report\n", "no rows.*at least one row"),
        (b"input,answer\n0,1\n", "line 1 = 'input, answer': allowed is a header in which 'report' is one column"),
        (
            b"input,report,report\n0,1,1\n",
            "line 1 = 'input, report, report': allowed is a header in which 'report' is one",
        ),
        (b"0,1\n1,1\n", "line 1 = '0, 1': allowed is a header in which 'input' is one column, and only one"),
        (b"input;report\n0;1\n", "line 1 = 'input;report': allowed is cells separated by commas, not by semicolons"),
        (HEADER + b"0\n", "line 3 = '1 cells'.*2 cells, as in the header"),
        (HEADER + b"0,1,1\n", "line 3 = '3 cells'"),
        (HEADER + b"\n", "line 3 = '0 cells'"),
        (HEADER + b"0,\n", "line 3, column report = 'an empty cell'"),
        (HEADER + b"5,1\n", r"line 3, column input = 5: allowed is an input of the audit: \(0, 1\)"),
        (HEADER + b"a,1\n", "line 3, column input = 'a'"),
        (HEADER + b"0,NaN\n", "line 3, column report = 'NaN': allowed is finite numbers"),
        (HEADER + b"0,-Infinity\n", "line 3, column report = '-Infinity'"),
        (HEADER + b"0,1.0\n", "line 3, column report = '1.0': allowed is no floating-point number: write 1"),
        (HEADER + b"0,true\n", "line 3, column report = 'True': allowed is a report without true and false"),
        (HEADER + b'0,"{""set"":[1,0]}"\n', r"column report.*the canonical form \{\"set\":\[0,1\]\}"),
        (HEADER + b'0,"{""set"":[0],""set"":[1]}"\n', "without repeated keys"),
        (HEADER + b'0,"1\n', "unexpected end of data"),
        (HEADER + b'0,"1"2\n', "line 3 = .*CSV text"),
        (HEADER + b"0,\xff\n", "line 3 = .*UTF-8 text"),
        ("input,report\n0,1\n".encode("utf-16"), "line 1 = .*UTF-8 text"),
        (HEADER + b"0," + b"1" * LINE_BYTES, f"line 3 = .*at most {LINE_BYTES} bytes"),
        (HEADER + b"0," + b"1" * (1 << 18) + b"\n", "field larger than field limit"),
    ],
)
def test_unreadable_csv(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=f"(?s){path}.*{message}"):
        audit_reports(path, "GRR", GRR)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"input": [0], "answer": [1]}, "0 columns 'report' of input, answer"),
        ({"input": [], "report": []}, "no rows"),
        ({"input": [0, 5], "report": [1, 1]}, "row 2, column input = 5"),
        ({"input": [0, 0], "report": [1, None]}, "row 2, column report = 'an empty cell'"),
        ({"input": [0, 0], "report": [1.0, 0.0]}, "row 1, column report = '1.0'"),
        ({"input": [0, 0], "report": [float("nan"), 0.0]}, "row 1, column report = 'nan'"),
        ({"input": [0, 0], "report": [True, False]}, "row 1, column report = 'True'"),
        ({"input": [0], "report": [{"set": [1, 0]}]}, "row 1, column report.*canonical form"),
        ({"input": [0], "report": [pa.scalar(0, pa.timestamp("s"))]}, "row 1, column report.*not JSON serializable"),
    ],
)
def test_unreadable_parquet(columns: dict[str, list[Any]], message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    parquet.write_table(pa.table(columns), path)
    with pytest.raises(FormatError, match=f"{path}.*{message}"):
        audit_reports(path, "GRR", GRR)


@pytest.mark.parametrize(
    "damage", [lambda b: b"", lambda b: b"input,report\n0,1\n", lambda b: b[:-20], lambda b: b[40:]]
)
def test_damaged_parquet(damage: Any, tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "bad.parquet", pairs(100))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(FormatError, match="a Parquet file"):
        audit_reports(path, "GRR", GRR)


ODD_COLUMNS = [
    pa.array([2**62] * 4, pa.timestamp("ns")),
    pa.array([2**62] * 4, pa.timestamp("us")),
    pa.array([1] * 4, pa.duration("ns")),
    pa.array([2**30] * 4, pa.date32()),
    pa.array(["1.50"] * 4).cast(pa.decimal128(5, 2)),
    pa.nulls(4, pa.int64()),
    pa.array([[("a", 1)]] * 4, pa.map_(pa.string(), pa.int64())),
    pa.array([{"a": 1, "b": [2]}] * 4),
    pa.array([b"\xff\x00"] * 4),
    pa.array(["[" * 100_000] * 4),
    pa.array(["1" * 5000] * 4),
    pa.StringArray.from_buffers(
        4, pa.py_buffer(bytes(pa.array(range(5), pa.int32()).buffers()[1])), pa.py_buffer(b"\xff" * 4)
    ),
]


@pytest.mark.parametrize("column", ODD_COLUMNS, ids=lambda column: str(column.type))
@pytest.mark.parametrize("first", [True, False])
def test_odd_columns_are_refused_or_read(column: Any, first: bool, tmp_path: Path) -> None:
    names = ["input", "report"] if first else ["report", "input"]
    parquet.write_table(pa.table([column, pa.array([0, 1, 0, 1])], names=names), tmp_path / "odd.parquet")
    try:
        said = str(audit_reports(tmp_path / "odd.parquet", "GRR", GRR).verdict)
    except FormatError as error:
        said = str(error)
    assert said == Verdict.FAULT or (said.startswith(str(tmp_path)) and len(said) < 1500)


def test_without_pyarrow_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_parquet(tmp_path / "a.parquet", pairs(10))
    usual = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.split(".")[0] == "pyarrow":
            raise ImportError(name)
        return usual(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"pip install 'dp-refimpl\[parquet\]'"):
        audit_reports(path, "GRR", GRR)


def test_bad_calls(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", pairs(10))
    for columns in (("input", "input"), ("input",), ("", "report")):
        with pytest.raises(DomainError, match="columns"):
            audit_reports(path, "GRR", GRR, columns=columns)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="csv or parquet"):
        audit_reports(path.with_suffix(".txt"), "GRR", GRR)
    with pytest.raises(FileNotFoundError):
        audit_reports(path.with_name("b.csv"), "GRR", GRR)
    with pytest.raises(DomainError, match="level"):
        audit_reports(path, "GRR", GRR, sampling=Sampling(level=fmpq(2)))
