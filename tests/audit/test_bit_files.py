"""Files of reports that are lists of bits: read and counted at once, they say what they say row by row."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from flint import fmpq
from pyarrow import parquet

from dp_audit.judge.bets.bit_counts import BitCounts
from dp_audit.judge.bets.evidence import Evidence
from dp_audit.judge.bets.output_events import Outputs
from dp_audit.judge.bets.sequential import StreamMonitor
from dp_audit.judge.bets.watches import family
from dp_audit.observation.samples import BitChunk
from dp_audit.oracles import Oracle, oracle
from dp_audit.oracles.base import Event
from dp_audit.run import bit_lines
from dp_audit.run.report_codes import read_chunks
from dp_audit.run.report_files import LINE_BYTES
from dp_spec.vocabulary.exceptions import FormatError
from running.files import chunk

ORACLES: dict[str, dict[str, Any]] = {
    "OUE": {"d": 3, "epsilon": "ln(3)"},
    "SUE": {"d": 4, "epsilon": 1},
    "UE": {"d": 2, "p": "3/4", "q": "1/3"},
    "THE": {"d": 3, "epsilon": 1, "theta": "3/4"},
    "L-OSUE": {"d": 3, "eps_perm": 2, "eps_1": 1},
}
Row = tuple[int, tuple[int, ...]]


def drawn(
    count: int, d: int, seed: int, held: float = 0.5, others: float = 0.25, inputs: int | None = None
) -> list[Row]:
    """Inputs and bits, independent."""
    source = np.random.default_rng(seed)
    items = source.integers(0, inputs or d, count)
    chances = np.where(np.arange(d) == items[:, None], held, others)
    return [
        (int(x), tuple(row))
        for x, row in zip(items, (source.random((count, d)) < chances).astype(int).tolist(), strict=True)
    ]


def as_csv(path: Path, rows: Sequence[Row], form: Callable[[Row], str] | None = None, end: str = "\n") -> Path:
    lines = [form(row) if form else f'{row[0]},"{json.dumps(row[1])}"' for row in rows]
    path.write_bytes((f"input,report{end}" + "".join(line + end for line in lines)).encode())
    return path


def as_parquet(path: Path, rows: Sequence[Row], kind: Any = None) -> Path:
    reports: Any = [list(bits) for _, bits in rows]
    kind = kind or pa.list_(pa.int64())
    if kind in (pa.string(), pa.large_string()):
        reports = [json.dumps(bits) for bits in reports]
    parquet.write_table(pa.table({"input": [x for x, _ in rows], "report": pa.array(reports, kind)}), path)
    return path


def rows_of(path: Path, inputs: Sequence[Any], width: int) -> tuple[list[Any], str, int]:
    """All rows, the error that ends them, and how many rows were read as bits."""
    rows: list[Any] = []
    at_once = 0
    try:
        for chunk in read_chunks(path, inputs, width=width):
            if isinstance(chunk, BitChunk):
                at_once += len(chunk)
                rows += [
                    (inputs[x], tuple(y)) for x, y in zip(chunk.inputs.tolist(), chunk.bits.T.tolist(), strict=True)
                ]
            else:
                rows += [chunk.pairs[code] for code in chunk.codes.tolist()]
    except FormatError as error:
        return rows, str(error), at_once
    return rows, "", at_once


def said(reference: Oracle, add: Callable[[StreamMonitor], object]) -> tuple[Any, ...]:
    """All that an audit says: every row with its figures, and how far it read."""
    monitor = StreamMonitor(reference)
    add(monitor)
    return monitor.rows(), monitor.reports, monitor.alarmed


# --- reading ----------------------------------------------------------------------------------------------------------

FORMS: dict[str, Callable[[Row], str]] = {
    "no spaces": lambda row: f'{row[0]},"[{",".join(map(str, row[1]))}]"',
    "spaces": lambda row: f'{row[0]},"{json.dumps(row[1])}"',
    "spaces around": lambda row: f'"{row[0]}","[ {" , ".join(map(str, row[1]))} ] "',
    "both in turn": lambda row: f'{row[0]},"[{(", " if row[1][0] else ",").join(map(str, row[1]))}]"',
}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("form", FORMS)
def test_lines_are_read_as_they_are_row_by_row(form: str, end: str, tmp_path: Path) -> None:
    rows = drawn(40_000, 12, 1)
    path = as_csv(tmp_path / "r.csv", rows, FORMS[form], end)
    assert path.stat().st_size > LINE_BYTES
    assert rows_of(path, range(12), 12)[:2] == (rows, "")
    assert rows_of(path, range(12), 12)[2] == len(rows)
    assert rows_of(path, range(12), 0) == (rows, "", 0)


def test_a_last_line_without_its_end_and_other_columns(tmp_path: Path) -> None:
    rows = drawn(3000, 5, 2)
    path = as_csv(tmp_path / "r.csv", rows)
    path.write_bytes(path.read_bytes()[:-1])
    assert rows_of(path, range(5), 5) == (rows, "", 3000)
    lines = [f'"{json.dumps(bits)}",{i % 10},"a ""b""",{x}\n' for i, (x, bits) in enumerate(rows)]
    path.write_text("report,day,note,input\n" + "".join(lines), encoding="utf-8")
    assert rows_of(path, range(5), 5) == (rows, "", 3000)


@pytest.mark.parametrize(
    "kind",
    [
        *(pa.list_(number) for number in (pa.int64(), pa.uint8(), pa.int8(), pa.uint64())),
        pa.large_list(pa.int32()),
        pa.list_(pa.int64(), 6),
        pa.string(),
        pa.large_string(),
    ],
    ids=str,
)
def test_columns_are_read_as_they_are_row_by_row(kind: Any, tmp_path: Path) -> None:
    rows = drawn(70_000 if kind == pa.large_string() else 3000, 6, 3)
    path = as_parquet(tmp_path / "r.parquet", rows, kind)
    assert rows_of(path, range(6), 6) == (rows, "", len(rows))
    assert rows_of(path, range(6), 0) == (rows, "", 0)


def test_slices_of_columns() -> None:
    """Arrays that begin within their buffers."""
    values = [[1, 0], [0, 1], [1, 1], [0, 0]]
    for kind in (pa.list_(pa.int8()), pa.large_list(pa.int8()), pa.list_(pa.int8(), 2)):
        bits = bit_lines.bits_of_column(pa.array(values, kind).slice(1, 2), 2)
        assert bits is not None
        assert bits.T.tolist() == values[1:3]
    bits = bit_lines.bits_of_column(pa.array([json.dumps(v) for v in values]).slice(2), 2)
    assert bits is not None
    assert bits.T.tolist() == values[2:]


ODD_CELLS = (
    *("[0,1]", "[0,1,2]", "[0,1,-0]", "[0,1,01]", "[0,1,1.0]", "[0,1,true]", "[0,1,null]", "[]", "1", "[0,1,[1]]"),
    *("011", '{"set":[0,1]}', "", "x", "[0,1,1", "[0,1,1]]", "[0,1,10]", "[0 1 1]", "[0,,1]", "[0,1, 1]"),
)
ODD_LINES = (
    *(f'2,"{cell.replace(chr(34), 2 * chr(34))}"' for cell in ODD_CELLS),
    *('3,"[0,1,1]"', '01,"[0,1,1]"', '"[0,1,1]","[0,1,1]"', '0,"[0,1,1]",2', "", '"0"x,"[0,1,1]"', "\xff"),
)
INTEGERS, BOOLEANS, DOUBLES, TEXTS = [1, 0, 1], [True] * 3, [1.0] * 3, ["1"] * 3
ODD_VALUES: list[tuple[Any, Any, list[Any]]] = [
    *((row, pa.int64(), INTEGERS) for row in ([0, 1], [0, 2, 1], [0, -1, 1], [0, 256, 1], [0, None, 1], None)),
    ([True, False, True], pa.bool_(), BOOLEANS),
    ([1.0, 0.0, 1.0], pa.float64(), DOUBLES),
    (["1", "0", "1"], pa.string(), TEXTS),
]


def require_alike(path: Path) -> None:
    """Read at once and row by row, a file has the same rows and the same error."""
    assert rows_of(path, range(3), 3)[:2] == rows_of(path, range(3), 0)[:2]


@pytest.mark.parametrize("line", ODD_LINES)
@pytest.mark.parametrize("at", [0, 1, 299])
def test_other_lines_among_them_are_read_or_refused_as_before(line: str, at: int, tmp_path: Path) -> None:
    lines = [f'{x},"{json.dumps(bits, separators=(",", ":"))}"' for x, bits in drawn(300, 3, 4)]
    lines[at] = line
    (tmp_path / "r.csv").write_bytes(("input,report\n" + "\n".join(lines) + "\n").encode("latin-1"))
    require_alike(tmp_path / "r.csv")


@pytest.mark.parametrize(("value", "kind", "usual"), ODD_VALUES)
@pytest.mark.parametrize("at", [0, 50])
def test_other_values_in_columns_are_read_or_refused_as_before(
    value: Any, kind: Any, usual: list[Any], at: int, tmp_path: Path
) -> None:
    reports: list[Any] = [usual] * (at + 3)
    reports[at] = value
    table = pa.table({"input": [i % 3 for i in range(len(reports))], "report": pa.array(reports, pa.list_(kind))})
    parquet.write_table(table, tmp_path / "r.parquet")
    require_alike(tmp_path / "r.parquet")


def test_unknown_inputs_are_refused_as_before(tmp_path: Path) -> None:
    rows = drawn(500, 4, 6)
    for path in (as_csv(tmp_path / "r.csv", rows), as_parquet(tmp_path / "r.parquet", rows)):
        assert rows_of(path, (0, 1, 3), 4)[:2] == rows_of(path, (0, 1, 3), 0)[:2]
        assert "column input = 2" in rows_of(path, (0, 1, 3), 4)[1]


def test_changed_bytes_are_read_or_refused_as_before(tmp_path: Path) -> None:
    """Files with one byte, or a few, that are different."""
    chance = random.Random(7)
    original = as_csv(tmp_path / "r.csv", drawn(60, 3, 7)).read_bytes()
    refused = 0
    for _ in range(150):
        content = bytearray(original)
        for _ in range(chance.choice((1, 1, 3))):
            content[chance.randrange(13, len(content))] = chance.choice(b'01, []"\n29-.e\t\r')
        (tmp_path / "r.csv").write_bytes(content)
        expected = rows_of(tmp_path / "r.csv", range(3), 0)
        assert rows_of(tmp_path / "r.csv", range(3), 3)[:2] == expected[:2], content
        refused += bool(expected[1])
    assert 30 < refused < 150


# --- counting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ORACLES)
def test_the_stated_ones_are_the_events(name: str) -> None:
    """On every row of bits."""
    reference = oracle(name, ORACLES[name])
    rows = [tuple(code >> i & 1 for i in range(reference.row_width)) for code in range(1 << reference.row_width)]
    assert reference.row_width == ORACLES[name]["d"]
    for item in reference.inputs:
        watched = family(reference, (item,))
        held = BitCounts(watched, Outputs(watched).places).held(np.array(rows, np.uint8).T.copy())
        assert held.T.tolist() == [[event.holds(row) for event in reference.events(item)] for row in rows]
        assert all(reference.possible_on(item, row) and reference.view_of(row) == row for row in rows)


def faults(d: int) -> Iterator[tuple[str, list[Row]]]:
    """Reports of OUE at ln(3), and of wrong ones: other probabilities, bits and reports that depend on each other."""
    right = drawn(4000, d, 8)
    yield "correct", right
    yield "too few", right[:20]
    yield "p", drawn(4000, d, 9, held=0.75)
    yield "q", drawn(4000, d, 10, others=0.2)
    yield "an input that does not occur", [row for row in right if row[0]]
    yield "one input", [(0, y) for x, y in right if x == 0]
    yield "the same twice", [row for row in right for _ in range(2)]
    yield "bits that share a coin", [(x, (y[0], *y[:-1])) for x, y in right]


@pytest.mark.parametrize("kind", [case for case, _ in faults(3)])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_audits_say_the_same_as_row_by_row(kind: str, suffix: str, tmp_path: Path) -> None:
    reference, rows = oracle("OUE", ORACLES["OUE"]), dict(faults(3))[kind]
    path = (as_csv if suffix == "csv" else as_parquet)(tmp_path / f"r.{suffix}", rows)
    one_by_one = said(reference, lambda monitor: monitor.add_chunks([chunk(rows)]))
    at_once = said(
        reference, lambda monitor: monitor.add_chunks(read_chunks(path, reference.inputs, width=monitor.row_width))
    )
    in_codes = said(reference, lambda monitor: monitor.add_chunks(read_chunks(path, reference.inputs)))
    assert one_by_one == at_once == in_codes
    assert at_once[2] is (kind not in ("correct", "too few", "an input that does not occur", "one input"))


@pytest.mark.parametrize("name", ORACLES)
def test_counts_of_many_rows_are_those_of_single_rows(name: str) -> None:
    """Of batches of many sizes, so that pairs of reports go over their ends, and with inputs that do not occur."""
    reference = oracle(name, ORACLES[name])
    d, chance = reference.row_width, random.Random(20)
    for inputs in range(1, d + 1):
        watched = family(reference)
        at_once, one_by_one, rows = Evidence(watched), Evidence(watched), drawn(3000, d, inputs, inputs=inputs)
        while rows:
            size = chance.choice((1, 1, 2, 3, 7, 40, 900))
            batch, rows = rows[:size], rows[size:]
            at_once.add_bits(np.array([x for x, _ in batch]), np.array([y for _, y in batch], np.uint8).T.copy())
            for row in batch:
                one_by_one.add_coded([row], np.zeros(1, np.int64))
        assert at_once.counts == one_by_one.counts
        assert at_once.reports == one_by_one.reports


@pytest.mark.slow
def test_bits_and_other_reports_in_one_file(tmp_path: Path) -> None:
    """A block of bits, then one with a list that is too long: a fault, named as before."""
    reference = oracle("OUE", ORACLES["OUE"])
    rows = [*drawn(100_000, 3, 11), (1, (0, 0, 0, 1)), *drawn(10, 3, 12)]
    path = as_csv(tmp_path / "r.csv", rows)
    read = rows_of(path, reference.inputs, 3)
    assert read[:2] == (rows, "")
    assert 0 < read[2] < len(rows)
    at_once = said(reference, lambda monitor: monitor.add_chunks(read_chunks(path, reference.inputs, width=3)))
    assert at_once == said(reference, lambda monitor: monitor.add_chunks(read_chunks(path, reference.inputs)))
    assert at_once[0][-1].witness["output"] == "(0, 0, 0, 1)"


def test_other_events_are_asked_report_by_report(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = oracle("OUE", ORACLES["OUE"])
    assert StreamMonitor(reference).row_width == 3
    assert StreamMonitor(oracle("GRR", {"d": 3, "epsilon": 1})).row_width == 0
    events = type(reference).events
    for change in (
        lambda self, x: (*events(self, x), Event("another", lambda y: y == (1, 1, 1), fmpq(1, 8))),
        lambda self, x: events(self, x)[:: 1 if x else -1],
    ):
        monkeypatch.setattr(type(reference), "events", change)
        assert StreamMonitor(reference).row_width == 0
