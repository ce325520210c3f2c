"""Files of reports, as tests write them."""

import csv
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dp_audit.observation.samples import Chunk, Pair

HEADER = ("input", "report")


def write_csv(path: Path, rows: Iterable[Sequence[object]], header: Sequence[str] = HEADER) -> Path:
    """A file with a header and these rows."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def write_parquet(path: Path, rows: Sequence[Sequence[Any]], header: Sequence[str] = HEADER) -> Path:
    """The same as columns."""
    import pyarrow
    from pyarrow import parquet

    columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
    parquet.write_table(pyarrow.table(columns), path)
    return path


def responses(count: int, keep: float, d: int = 3, seed: int = 0) -> list[tuple[int, int]]:
    """Reports of randomized response, which is true with probability `keep`, on all items in turn."""
    coins = random.Random(seed)
    lies = [[y for y in range(d) if y != x] for x in range(d)]
    return [(i % d, i % d if coins.random() < keep else coins.choice(lies[i % d])) for i in range(count)]


def chunk(rows: Sequence[Pair]) -> Chunk:
    """Rows as they are read from a file."""
    codes: dict[Pair, int] = {}
    numbers = np.array([codes.setdefault(row, len(codes)) for row in rows], np.int64)
    return Chunk(tuple(codes), numbers)
