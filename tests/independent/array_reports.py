"""Reports in arrays as the programs write them."""

from typing import Any

import numpy as np

from dp_refimpl.fast.frequency.count_sketch_reports import SketchReports
from dp_refimpl.fast.frequency.hadamard import CoordinateReports, SignReports
from dp_refimpl.fast.frequency.local_hashing import HashedReports, ListedReports


def written(mechanism: Any, reports: Any) -> list[Any]:
    """One by one; reports may come in chunks."""
    match reports:
        case HashedReports():
            return list(zip(reports.hashes.functions(mechanism.family), map(int, reports.labels), strict=True))
        case ListedReports():
            chosen = [mechanism.family.functions[j] for j in reports.functions]
            return list(zip(chosen, map(int, reports.labels), strict=True))
        case CoordinateReports():
            return list(zip(map(int, reports.coordinates), map(int, reports.signs), strict=True))
        case SignReports():
            columns = (reports.signs, reports.rows, reports.coordinates)
            return [tuple(map(int, row)) for row in zip(*columns, strict=True)]
        case SketchReports():
            rows = zip(unpacked(reports, mechanism.m), reports.rows, strict=True)
            return [(tuple(2 * int(b) - 1 for b in bits), int(j)) for bits, j in rows]
        case np.ndarray():
            return [tuple(map(int, row)) for row in reports]
    return [report for chunk in reports for report in written(mechanism, chunk)]


def unpacked(part: SketchReports, m: int) -> Any:
    return np.unpackbits(part.bits, axis=1, count=m) if part.packed else part.bits
