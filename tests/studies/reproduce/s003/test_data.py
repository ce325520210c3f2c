"""Source 003: files in the form of Adult are read whole or refused, attributes have as many bits as the source says."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_spec.vocabulary.exceptions import DomainError, FormatError
from dp_studies.reproduce.s003 import data
from dp_studies.reproduce.s003.attributes import Category, Number
from dp_studies.reproduce.s003.data import ADULT, SIZES, Table, generated, named, of_file
from dp_studies.reproduce.s003.settings import Segmentation

SCHEMA = (Number("age", 0, 31), Category("sex", ("Female", "Male")), Category("salary", ("<=50K", ">50K")))
HEADER = "age,sex,income\n"


def read(folder: Path, text: str) -> Table:
    path = folder / "people.csv"
    path.write_text(text, encoding="utf-8")
    return of_file(path, SCHEMA)


def test_a_file_is_read_without_missing_values(tmp_path: Path) -> None:
    people = read(tmp_path, HEADER + "31, Male, >50K.\n\n?,Male,<=50K\n0,Female,<=50K\n5,,<=50K\n5,Male,<=50K\n")
    assert people.codes.tolist() == [[15, 1, 1], [0, 0, 0], [2, 1, 0]]
    assert (people.name, people.sizes, people.dropped) == ("people.csv", (16, 2, 2), 2)
    assert people.bits.tolist() == [[1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 1, 0]]


ROW = "5,Male,<=50K\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1"),
        ("age,income,sex\n" + ROW, "line 1"),
        ("age,sex\n5,Male\n", "line 1"),
        (HEADER + ROW + "5,Male\n", "line 3"),
        (HEADER + "5,Male,<=50K,1\n", "line 2"),
        (HEADER + ROW + ROW + "5,male,<=50K\n", "line 4, sex = 'male'"),
        (HEADER + "5.5,Male,<=50K\n", "line 2, age"),
        (HEADER + "nan,Male,<=50K\n", "line 2, age"),
        (HEADER + "32,Male,<=50K\n", "line 2, age = 32: allowed is an integer from 0 to 31"),
        (HEADER + "-1,Male,<=50K\n", "line 2, age"),
        (HEADER + '"5,Male,<=50K\n', "CSV"),
        (HEADER, "0 of 0"),
        (HEADER + "?,Male,>50K\n", "0 of 1"),
        (HEADER + ROW + "9,Female,<=50K\n", "salary"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(DomainError, match=says.replace("?", ".")):
        read(tmp_path, text)


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "LARGEST", 6)
    assert read(tmp_path, HEADER + ROW + "9,Female,>50K\n").n == 2
    with pytest.raises(DomainError, match=r"records = 'more than 2 in people\.csv': allowed is at most 6 cells"):
        read(tmp_path, HEADER + ROW + "9,Female,>50K\n" + ROW + "5,no sex\n")


def test_what_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(HEADER.encode() + b"\xff\xfe\n")
    with pytest.raises(FormatError, match="UTF-8"):
        of_file(path, SCHEMA)


@pytest.mark.parametrize(("name", "attributes", "bits"), [("adult", 15, 52), ("big5", 57, 175)])
def test_the_sizes_are_those_of_the_source(name: str, attributes: int, bits: int) -> None:
    records, sizes = SIZES[name]
    people = named(name)
    assert (people.n, people.codes.shape, people.bits.shape) == (records, (records, attributes), (records, bits))
    assert sizes == people.sizes
    assert np.array_equal(people.code.patterns(ArrayTable(people.code.binary, people.bits)).records, people.codes)
    # one letter of the code book changed would be another table
    assert len({generated(name, 20, (*sizes[:2], 2)).digest, generated(name, 21, (*sizes[:2], 2)).digest}) == 2


def test_bins_have_the_same_width() -> None:
    assert [Number("x", 0, 31).code(str(x)) for x in range(32)] == [x // 2 for x in range(32)]
    assert [attribute.size for attribute in ADULT].count(16) == 7


def table(*rows: Any) -> Table:
    return Table("x", (2, 3), np.array(rows, np.int64))


test_refusals = refusal_test(
    refuses("", lambda rows: table(*rows), ((0, 0), (0, 1)), ((0, 0), (1, 3)), ((0, 0), (1, -1)), (), ((0,), (1,))),
    refuses("data", named, "iris"),
    refuses("sizes", lambda sizes: Table("x", sizes, np.zeros((2, 1), np.int64)), (1,), (2, 0)),
    refuses_each("high", lambda high: Number("x", 0, high), (14,)),
    refuses("values", lambda values: Category("x", values), ("a",), ("a", "a")),
    refuses("sigma", Segmentation, "0", "1e101", "1e-101", "nan", 1.0),
)
