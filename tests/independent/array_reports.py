"""Reports in arrays as the programs write them."""

from typing import Any

import numpy as np

from dp_refimpl.fast.frequency.count_sketch_reports import SketchReports
from dp_refimpl.fast.frequency.hadamard import CoordinateReports, SignReports
from dp_refimpl.fast.frequency.local_hashing import HashedReports, ListedReports


def bits_written(mechanism: Any, reports: Any) -> list[Any]:
    return [tuple(map(int, row)) for row in reports]


def hashed_written(mechanism: Any, reports: HashedReports) -> list[Any]:
    return list(zip(reports.hashes.functions(mechanism.family), map(int, reports.labels), strict=True))


def listed_written(mechanism: Any, reports: ListedReports) -> list[Any]:
    chosen = [mechanism.family.functions[j] for j in reports.functions]
    return list(zip(chosen, map(int, reports.labels), strict=True))


def sketch_written(mechanism: Any, chunks: Any) -> list[Any]:
    return [
        (tuple(2 * int(b) - 1 for b in row), int(j))
        for part in chunks
        for row, j in zip(unpacked(part, mechanism.m), part.rows, strict=True)
    ]


def unpacked(part: SketchReports, m: int) -> Any:
    return np.unpackbits(part.bits, axis=1, count=m) if part.packed else part.bits


def coordinates_written(mechanism: Any, reports: CoordinateReports) -> list[Any]:
    return list(zip(map(int, reports.coordinates), map(int, reports.signs), strict=True))


def signs_written(mechanism: Any, reports: SignReports) -> list[Any]:
    columns = (reports.signs, reports.rows, reports.coordinates)
    return [tuple(map(int, row)) for row in zip(*columns, strict=True)]
