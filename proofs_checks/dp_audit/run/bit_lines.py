"""Rows whose reports are lists of bits, read many at a time: into one array of bytes 0 and 1 for each bit.

Hardly any two of such reports are alike, so it does not help to remember them. But the lines of a file differ in few
bytes beside the bits: one line of each kind is read like any other line, and what it says holds for all lines that are
the same everywhere else. Where not all rows of a block are of that form, none is read here.
"""

import csv
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dp_audit.observation.samples import Bytes, Indices
from dp_spec.vocabulary.exceptions import FormatError

_LIST = re.compile(r"[ \t]*\[[ \t]*[01][ \t]*(?:,[ \t]*[01][ \t]*)*\][ \t]*")
_LENGTHS, _LONGEST = 16, 1 << 20
"""Different lengths of the lines of a block, and bytes of a line."""
_VARYING = 7
"""Bytes of a line, beside the bits, in which the lines of a block may differ."""
_REMEMBERED = 1 << 16


class BitLines:
    """Reads lines that are records of their own.

    `cells` gives the cells (input, report) of such a line, or None, and raises as Python does; `number` is that of an
    input, or raises `FormatError`; `width`: of the reports.
    """

    def __init__(self, cells: Callable[[bytes], Sequence[str] | None], number: Callable[[str], int], width: int):
        self._cells, self._number, self._width = cells, number, width
        self._known: dict[bytes, int] = {}
        self._places: dict[int, Indices] = {}

    def read(self, block: bytes) -> tuple[Indices, Bytes] | None:
        """Return the inputs of whole lines, by number, and every bit of all of them. None for lines that are
        different."""
        data = np.frombuffer(block, np.uint8)
        first = block.find(b"\n") + 1 or len(block)
        if self._kind(block[:first]) is None:
            return None
        stops = np.flatnonzero(data == ord("\n")) + 1
        if not len(stops) or stops[-1] < len(data):
            stops = np.append(stops, len(data))
        starts = np.concatenate(([0], stops[:-1]))
        lengths = stops - starts
        kinds = np.flatnonzero(np.bincount(np.minimum(lengths, _LONGEST))).tolist()
        if len(kinds) > _LENGTHS or kinds[-1] == _LONGEST:
            return None
        inputs, bits = np.empty(len(starts), np.int64), np.empty((self._width, len(starts)), np.uint8)
        for length in kinds:
            mine = np.flatnonzero(lengths == length)
            part = self._alike(_matrix(data, starts[mine], length))
            if part is None:
                return None
            inputs[mine], bits[:, mine] = part
        return inputs, bits

    def _alike(self, lines: Bytes) -> tuple[Indices, Bytes] | None:
        """Return what `read` does, for lines of the same length."""
        kind = self._kind(lines[0].tobytes())
        if kind is None:
            return None
        places, _ = kind
        bits = _bits(lines, places)
        if bits is None:
            return None
        varying = (lines != lines[0]).any(axis=0)
        varying[places] = False
        where = np.flatnonzero(varying)
        if len(where) > _VARYING:
            return None
        keys = np.zeros(len(lines), np.int64)
        for place in where:
            keys = (keys << 8) | lines[:, place]
        _, firsts, codes = np.unique(keys, return_index=True, return_inverse=True)
        numbers = np.empty(len(firsts), np.int64)
        for i, row in enumerate(firsts.tolist()):
            kind = self._kind(lines[row].tobytes())
            if kind is None or len(kind[0]) != len(places) or (kind[0] != places).any():
                return None
            numbers[i] = kind[1]
        return numbers[codes], bits

    def _kind(self, line: bytes) -> tuple[Indices, int] | None:
        """Return where the bits of a line are, and the number of its input."""
        places = self._places.get(len(line))
        if places is not None:
            masked = np.frombuffer(line, np.uint8).copy()
            digits = masked[places] & 0xFE
            masked[places] = 0
            number = self._known.get(masked.tobytes())
            if number is not None and (digits == ord("0")).all():
                return places, number
        return self._read(line)

    def _read(self, line: bytes) -> tuple[Indices, int] | None:
        try:
            cells = self._cells(line)
            if cells is None or not _LIST.fullmatch(cells[1]) or line.count(cells[1].encode()) != 1:
                return None
            number = self._number(cells[0])
        except (FormatError, csv.Error, UnicodeDecodeError):
            return None
        places = places_of(cells[1]) + line.find(cells[1].encode())
        if len(places) != self._width:
            return None
        masked = np.frombuffer(line, np.uint8).copy()
        masked[places] = 0
        if len(self._known) < _REMEMBERED:
            self._known[masked.tobytes()] = number
            self._places[len(line)] = places
        return places, number


def places_of(text: str) -> Indices:
    """Return where the bits of the JSON text of a list of bits are; none for any other text."""
    return np.array([i for i, c in enumerate(text) if c in "01"] if _LIST.fullmatch(text) else [], np.int64)


def _matrix(data: Bytes, starts: Indices, length: int) -> Bytes:
    """Return texts of the same length as a matrix, one in each row."""
    return np.lib.stride_tricks.sliding_window_view(data, length)[starts]


def _bits(texts: Bytes, places: Indices) -> Bytes | None:
    """Return the bits at these places, one in each row, if all of them are bits."""
    bits = np.ascontiguousarray(texts.T[places]) ^ np.uint8(ord("0"))
    return bits if bits.max(initial=0) <= 1 else None


def bits_of_column(column: Any, width: int) -> Bytes | None:
    """Return every bit of a pyarrow array of lists of so many bits: numbers, or their JSON text. None for other
    values."""
    import pyarrow

    kind = column.type
    if not len(column) or column.null_count:
        return None
    if pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind):
        return _bits_of_texts(column, width)
    lists = pyarrow.types.is_list(kind) or pyarrow.types.is_large_list(kind) or pyarrow.types.is_fixed_size_list(kind)
    if not lists or not pyarrow.types.is_integer(kind.value_type):
        return None
    values = column.flatten()
    if values.null_count or (column.value_lengths().to_numpy(zero_copy_only=False) != width).any():
        return None
    rows = values.to_numpy(zero_copy_only=False).reshape(len(column), width)
    return np.ascontiguousarray(rows.T.astype(np.uint8)) if rows.min() >= 0 and rows.max() <= 1 else None


def _bits_of_texts(column: Any, width: int) -> Bytes | None:
    places = places_of(column[0].as_py())
    _, offsets, data = column.buffers()
    kind = np.int64 if "large" in str(column.type) else np.int32
    ends = np.frombuffer(offsets, kind)[column.offset : column.offset + len(column) + 1].astype(np.int64)
    length = int(ends[1] - ends[0])
    if len(places) != width or (np.diff(ends) != length).any():
        return None
    texts = _matrix(np.frombuffer(data, np.uint8), ends[:-1], length)
    bits = _bits(texts, places)
    same = texts == texts[0]
    same[:, places] = True
    return bits if bits is not None and bool(same.all()) else None
