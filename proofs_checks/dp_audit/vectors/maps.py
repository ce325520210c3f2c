"""Vectors of declared maps: functions, members of a domain, and the largest distance of what comes of neighbors.

For whoever tests declared sensitivities in another language. Nothing but members and outputs is needed to compute what
stands there; `invalid` are numbers that a library could declare by a mistake, each under its name.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

from flint import arb, fmpq

from dp_audit.observation.values import freeze
from dp_audit.oracles.distances import Metric
from dp_audit.oracles.input_metrics import root_above
from dp_audit.oracles.metrics import metric
from dp_audit.vectors.numbers import number
from dp_spec.vocabulary.scalar import Ordering, compare

MAP_SCHEMA = Path(__file__).with_name("maps.schema.json")
FORMAT = "dp-refimpl-maps-1"


@dataclass(frozen=True)
class Case:
    """A function in words and in Python, its members, both metrics, and wrong numbers per unit of distance."""

    id: str
    says: str
    function: Callable[[Any], Any]
    members: Sequence[Any]
    d_in: str
    d_out: str
    wrong: dict[str, Fraction]


def _tables(values: Sequence[Any], most: int, least: int = 0) -> list[list[Any]]:
    return [list(rows) for n in range(least, most + 1) for rows in product(values, repeat=n)]


def _clamped(rows: Sequence[int], low: int, high: int) -> int:
    return sum(min(max(value, low), high) for value in rows)


def _tree(leaves: Sequence[int]) -> list[int]:
    """Counts of the nodes of a tree whose inner nodes have three children: the root, then the leaves."""
    return [sum(leaves), *leaves]


def _wrapped(rows: Sequence[int]) -> int:
    return (sum(rows) + 128) % 256 - 128


ONE, HALF = Fraction(1), Fraction(1, 2)
CASES = (
    Case(
        "sum-symmetric",
        "the sum of records clamped to -5 ... 3",
        lambda rows: _clamped(rows, -5, 3),
        _tables((0, -9, 3, 7), 3),
        "symmetric",
        "absolute",
        {"upper bound in place of the larger modulus": Fraction(3)},
    ),
    Case(
        "sum-change-one",
        "the sum of records clamped to -5 ... 3",
        lambda rows: _clamped(rows, -5, 3),
        _tables((0, -9, 3, 7), 3),
        "change-one",
        "absolute",
        {"larger modulus in place of the width": Fraction(5), "half of the width": Fraction(4)},
    ),
    Case(
        "sum-wraps",
        "the sum of records as a signed integer of eight bits, which wraps around",
        _wrapped,
        _tables((0, 127, 1, -128), 2),
        "symmetric",
        "absolute",
        {"largest record, as if sums did not wrap": Fraction(128)},
    ),
    Case(
        "mean-of-three",
        "the mean of three records clamped to 0 ... 10",
        lambda rows: Fraction(_clamped(rows, 0, 10), 3),
        _tables((0, 10, 13), 3, 3),
        "change-one",
        "absolute",
        {"divided by one record more": Fraction(10, 4)},
    ),
    Case(
        "histogram-L1",
        "how many records are 0, 1, 2",
        lambda rows: [rows.count(value) for value in (0, 1, 2)],
        _tables((0, 1, 2), 3),
        "change-one",
        "L1",
        {"one bin changes": ONE},
    ),
    Case(
        "histogram-L2",
        "how many records are 0, 1, 2",
        lambda rows: [rows.count(value) for value in (0, 1, 2)],
        _tables((0, 1, 2), 3),
        "change-one",
        "L2",
        {"one bin changes": ONE},
    ),
    Case(
        "tree-L2",
        "the total, then each of nine counts",
        _tree,
        [[0] * 9, [1] + [0] * 8, [1, 1] + [0] * 7, [1] * 4 + [0] * 5, [1] * 9],
        "L2",
        "L2",
        {"number of levels": Fraction(2), "root of the number of levels, above": Fraction(3, 2)},
    ),
    Case(
        "distinct",
        "how many different records there are",
        lambda rows: len(set(rows)),
        _tables((0, 1, 2), 3),
        "symmetric",
        "absolute",
        {"a replacement counted once": HALF},
    ),
    Case(
        "first-of-a-list",
        "the first record, -1 if there is none: another one if records are permuted",
        lambda rows: rows[0] if rows else -1,
        _tables((0, 5), 2),
        "symmetric",
        "absolute",
        {"lists that are one multiset taken for equal": Fraction(6)},
    ),
    Case(
        "response",
        "the truth with probability 3/4, else the other bit: probabilities of 0 and 1",
        lambda bit: [[value, Fraction(3, 4) if value == bit else Fraction(1, 4)] for value in (0, 1)],
        [0, 1],
        "discrete",
        "max-divergence",
        {"ln 2": Fraction(69314718056, 10**11)},
    ),
)
"""Exact functions; of each the members are listed, smallest first."""


def _exact(value: Any) -> Any:
    """A value of Python as a distance takes it."""
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator)
    return tuple(map(_exact, value)) if isinstance(value, list) else freeze(value)


def _written(value: Any) -> Any:
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else {"fraction": str(value)}
    return [_written(part) for part in value] if isinstance(value, list) else value


def _number(of: Metric, scaled: Any) -> dict[str, str]:
    """Return a distance that stands in the scale of its metric: a square, a ratio of probabilities, or itself."""
    if of.name == "L2":
        root = root_above(scaled)
        return number(lambda: root if root**2 == scaled else arb(scaled).sqrt())
    return number(lambda: arb(scaled).log() if of.of_laws else scaled)


def _exceeds(scaled: fmpq, d_in: Metric, distance: fmpq, d_out: Metric, unit: Fraction) -> bool:
    """Return whether a distance of outputs is more than this unit for each of inputs."""
    exact = fmpq(unit.numerator, unit.denominator)
    bound = distance * exact**2 if d_in.name == "L2" else d_out.raised(distance * exact)
    return compare(scaled, bound) is Ordering.GREATER


def vector(case: Case) -> dict[str, Any]:
    """Return a case as plain data: for each distance up to which members are apart the largest distance of outputs, the
    first pair that attains it, and which of the wrong numbers it refutes."""
    d_in, d_out = metric("d_in", case.d_in), metric("d_out", case.d_out)
    outputs = [case.function(member) for member in case.members]
    members, values = ([_exact(one) for one in each] for each in (case.members, outputs))
    at: dict[fmpq, list[tuple[int, int]]] = {}
    for i, j in combinations(range(len(members)), 2):
        distance = d_in.scaled(members[i], members[j])
        if isinstance(distance, fmpq):
            at.setdefault(distance, []).append((i, j))
    scaled, pair = fmpq(-1), (0, 0)
    rows = []
    for distance in sorted(at):
        for one in at[distance]:
            apart = d_out.scaled(values[one[0]], values[one[1]])
            if isinstance(apart, fmpq) and compare(apart, scaled) is Ordering.GREATER:
                scaled, pair = apart, one
        refuted = [bug for bug, unit in case.wrong.items() if _exceeds(scaled, d_in, distance, d_out, unit)]
        true = {"distance": _number(d_in, distance), "true": _number(d_out, scaled)}
        rows.append({**true, "pair": list(pair), "refutes": refuted})
    return {
        "id": case.id,
        "says": case.says,
        "d_in": case.d_in,
        "d_out": case.d_out,
        "members": [_written(member) for member in case.members],
        "outputs": [_written(output) for output in outputs],
        "distances": rows,
        "invalid": {bug: _written(unit) for bug, unit in case.wrong.items()},
    }


def map_files() -> dict[str, bytes]:
    """Return the vectors of declared maps, a line each, by the name of their file, and their schema."""
    lines = ",\n".join(json.dumps(vector(case), separators=(",", ":")) for case in CASES)
    text = f'{{\n "format": "{FORMAT}",\n "vectors": [\n{lines}\n ]\n}}\n'
    return {"maps.json": text.encode(), MAP_SCHEMA.name: MAP_SCHEMA.read_bytes()}
