"""Journals lose nothing that was finished and believe nothing that was damaged; files are whole or not there."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_checks.runtime.journal import Journal
from dp_checks.runtime.outputs import IrregularFileError, write_file

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
ENTRIES = st.dictionaries(st.text(max_size=12), VALUES, min_size=1, max_size=6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("journals")


@given(ENTRIES, ENTRIES)
def test_what_was_added_is_read(folder: Path, first: dict[str, object], second: dict[str, object]) -> None:
    journal = Journal(folder / "journal.jsonl", "certify")
    journal.clear()
    assert journal.read() == ({}, ())
    journal.add(first)
    journal.add(second)
    assert journal.read() == (first | second, ())
    journal.keep(set(first))
    assert journal.read() == ({key: value for key, value in (first | second).items() if key in first}, ())


@given(ENTRIES, st.data())
def test_one_changed_bit_loses_its_line_only_and_is_named(
    folder: Path, entries: dict[str, object], data: st.DataObject
) -> None:
    path = folder / "flipped.jsonl"
    journal = Journal(path, "certify")
    journal.clear()
    journal.add(entries)
    text = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(text) - 1))
    text[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(text)
    results, damaged = journal.read()
    assert all(entries[key] == value for key, value in results.items())
    assert len(results) >= len(entries) - 2  # a line feed that is gone joins two lines
    whole = len(results) == len(entries)
    assert bool(damaged) != whole or text.count(b"\n") > len(entries) or place == len(text) - 1


@given(ENTRIES, ENTRIES, st.data())
def test_after_a_line_that_was_cut_off_another_one_counts(
    folder: Path, first: dict[str, object], second: dict[str, object], data: st.DataObject
) -> None:
    path = folder / "cut.jsonl"
    journal = Journal(path, "certify")
    journal.clear()
    journal.add(first)
    text = path.read_bytes()
    path.write_bytes(text[: data.draw(st.integers(0, len(text) - 1))])
    before, _ = journal.read()
    journal.add(second)
    assert journal.read()[0] == before | second


@given(ENTRIES, ENTRIES)
def test_commands_that_share_a_file_leave_each_others_work_alone(
    folder: Path, first: dict[str, object], second: dict[str, object]
) -> None:
    path = folder / "shared.jsonl"
    path.unlink(missing_ok=True)
    one, other = Journal(path, "certify"), Journal(path, "reproduce")
    one.add(first)
    other.add(second)
    assert (one.read(), other.read()) == ((first, ()), (second, ()))
    one.clear()
    assert (one.read(), other.read()) == (({}, ()), (second, ()))
    other.keep(())
    assert not path.exists()


def test_what_cannot_be_written_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_file(path, "old")

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_file(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_devices_are_written_to() -> None:
    write_file(Path(os.devnull), "text")
    with pytest.raises(OSError, match="No space"):
        write_file(Path("/dev/full"), "text")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_what_is_no_regular_file_is_refused_and_not_waited_for(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path = Path(os.devnull)
    journal = Journal(path, "certify")
    for use in (journal.read, journal.clear, lambda: journal.add({"key": 1}), lambda: journal.keep(["key"])):
        with pytest.raises(IrregularFileError, match="no regular file"):
            use()
