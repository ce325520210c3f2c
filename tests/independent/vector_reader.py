"""A reader of the conformance vectors that shares no code with what writes them: JSON, Fraction and integers only."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

Law = dict[Any, dict[Any, Fraction]]


def key(value: Any) -> Any:
    """Canonical values as hashable ones."""
    if isinstance(value, list):
        return tuple(key(part) for part in value)
    if isinstance(value, dict):
        ((kind, content),) = value.items()
        return Fraction(content) if kind == "fraction" else frozenset(key(part) for part in content)
    return value


def number(value: dict[str, str]) -> Fraction:
    """The rational where there is one, else the decimal."""
    return Fraction(value.get("rational", value["decimal"]))


def law(vector: dict[str, Any]) -> Law:
    """Probabilities by input and output."""
    return {
        key(row["input"]): {key(cell["output"]): number(cell["probability"]) for cell in row["outputs"]}
        for row in vector["law"]
    }


def largest_ratio(table: Law) -> Fraction | None:
    """Largest P(y|x) / P(y|x'); None if some output is impossible for one input only."""
    outputs = {y for row in table.values() for y in row}
    columns = [[row.get(y, Fraction(0)) for row in table.values()] for y in outputs]
    return None if any(min(c) == 0 for c in columns) else max(Fraction(max(c)) / min(c) for c in columns)


def moments(table: Law, estimates: Mapping[Any, Sequence[Fraction]], data: Sequence[Any]) -> tuple[list[Fraction], ...]:
    """Exact expectation and variance of the mean of one-report estimates, reports of different users independent."""
    first: list[Fraction] = []
    second: list[Fraction] = []
    for j in range(len(next(iter(estimates.values())))):
        means = [sum(p * estimates[y][j] for y, p in table[x].items()) for x in data]
        squares = [sum(p * estimates[y][j] ** 2 for y, p in table[x].items()) for x in data]
        n = len(data)
        first.append(Fraction(sum(means)) / n)
        second.append(Fraction(sum(s - m * m for s, m in zip(squares, means, strict=True))) / n**2)
    return first, second


def grr(d: int, e: Fraction) -> Law:
    """Generalized randomized response."""
    return {x: {y: (e if x == y else Fraction(1)) / (e + d - 1) for y in range(d)} for x in range(d)}


def unary(d: int, p: Fraction, q: Fraction, words: Iterable[tuple[int, ...]]) -> Law:
    """Independent bits."""

    def one(x: int, i: int, bit: int) -> Fraction:
        share = p if i == x else q
        return share if bit else 1 - share

    return {x: {w: prod((one(x, i, b) for i, b in enumerate(w)), start=Fraction(1)) for w in words} for x in range(d)}
