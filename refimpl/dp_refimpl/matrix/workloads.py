"""Workloads: matrices whose rows are linear queries on N counts."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from flint import fmpq, fmpq_mat

from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError, FormatError

_NUMBER = re.compile(r"[+-]?[0-9]{1,100}(?:/[0-9]{1,100}|\.[0-9]{0,100})?|[+-]?\.[0-9]{1,100}")


def all_ranges(size: int) -> Iterator[tuple[int, int]]:
    """The N (N + 1) / 2 ranges (first, last), by first and then by last. Raises `DomainError` for sizes below 1."""
    require_integer("size", size, 1)
    return ((first, last) for first in range(1, size + 1) for last in range(first, size + 1))


def range_workload(size: int, ranges: Iterable[tuple[int, int]] | None = None) -> fmpq_mat:
    """A row for each of the ranges (all of them, unless they are given)."""
    listed = list(all_ranges(size)) if ranges is None else list(ranges)
    for first, last in listed:
        if not 1 <= first <= last <= size:
            raise DomainError("ranges", (first, last), f"ranges in 1..{size}")
    return _matrix([[int(first <= i <= last) for i in range(1, size + 1)] for first, last in listed])


def prefix_workload(size: int) -> fmpq_mat:
    """The sums of the first 1..N counts."""
    require_integer("size", size, 1)
    return range_workload(size, [(1, last) for last in range(1, size + 1)])


def identity_workload(size: int) -> fmpq_mat:
    """Every count by itself."""
    require_integer("size", size, 1)
    return range_workload(size, [(i, i) for i in range(1, size + 1)])


def parse_workload(lines: Iterable[str], size: int, name: str = "workload") -> fmpq_mat:
    """One query per line: N integers, fractions or decimals between blanks or commas; blank lines and # are skipped.

    Raises `FormatError`, about what is called `name`, for other lines and where there is no query.
    """
    require_integer("size", size, 1)
    rows = []
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].replace(",", " ").split()
        if not words:
            continue
        try:
            row = [_number(word) for word in words]
        except (ValueError, ZeroDivisionError):
            raise FormatError(name, line, f"numbers (line {number})") from None
        if len(row) != size:
            raise FormatError(name, f"{len(row)} numbers", f"{size} numbers in line {number}")
        rows.append([fmpq(x.numerator, x.denominator) for x in row])
    if not rows:
        raise FormatError(name, "no lines", "one or more queries")
    return _matrix(rows)


def _number(word: str) -> Fraction:
    """A number of at most a hundred digits; raises `ValueError` for other words."""
    if not _NUMBER.fullmatch(word):
        raise ValueError(word)
    return Fraction(word)


def _matrix(rows: list[list[int]] | list[list[fmpq]]) -> fmpq_mat:
    if not rows:
        raise DomainError("workload", rows, "one or more queries")
    return fmpq_mat(len(rows), len(rows[0]), [entry for row in rows for entry in row])
