"""Largest changes of source 003 without lists, against lists, with equal results.

- The sensitivity of mutual information by types of moves, against all pairs of neighboring tables one by one.
- The largest ratio of IBayes for two tables of 6 attributes, l = 2, by sets of placed attributes, against all 129,600
  ordered networks, each choice of which shares its law with all that begin alike.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from flint import fmpq

from benchmarks.table import Line, line, seconds
from dp_refimpl.synthesis.information import (
    Information,
    entropy,
    entropy_sensitivity,
    information_sensitivity,
    mutual_information,
)
from dp_refimpl.synthesis.information_moves import information_change
from dp_refimpl.synthesis.network import IBayes, network_count
from dp_refimpl.synthesis.network_ratios import largest_ratio
from dp_refimpl.synthesis.selection import ExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable, neighbors, tables
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.scalar import Ordering, at_most

BY_TABLES = "all tables one by one"
MOVES = {
    ((2, 8), 3): line("sensitivity of I, 2 x 8 values, n = 3", BY_TABLES, required=50),
    ((3, 3), 6): line("sensitivity of I, 3 x 3 values, n = 6", BY_TABLES, required=50),
}
RATIO = line("largest ratio of IBayes, 6 attributes, l = 2", "all 129,600 ordered networks", required=20)
C, DEGREE = 6, 2
ONE = CountTable.of_records((2,) * C, [(0, 0, 0, 1, 0, 1), (0, 1, 1, 1, 0, 0), (1, 1, 0, 0, 1, 0)])
OTHER = CountTable.of_records((2,) * C, [(0, 0, 0, 1, 0, 1), (0, 1, 1, 1, 0, 0), (1, 0, 1, 0, 1, 1)])


def by_tables(sizes: tuple[int, int], n: int) -> Information:
    largest = Information(fmpq(1), n)
    for table in tables(sizes, n):
        own = mutual_information(table, 0, (1,))
        for other in neighbors(table, "ro"):
            change = (own - mutual_information(other, 0, (1,))).magnitude()
            largest = change if largest.compare(change) is Ordering.LESS else largest
    return largest


@pytest.mark.parametrize("case", MOVES, ids=str)
def test_moves(case: tuple[tuple[int, int], int]) -> None:
    sizes, n = case
    results: list[Information] = []
    theirs = seconds(lambda: results.append(by_tables(sizes, n)), rounds=1)
    assert results == [information_change(sizes, n)]
    assert at_most(results[0].power, information_sensitivity(n).power)
    measured: Line = MOVES[case]
    measured.record(seconds(lambda: information_change(sizes, n)), theirs)


def listed(program: IBayes[fmpq]) -> Iterator[fmpq]:
    """The ratios of all ordered networks."""
    selection, attributes = program.selection.split(C), range(C)
    both = (ONE, OTHER)

    def ratios(scores: Any) -> list[fmpq]:
        one, other = (selection.law(scores(t), entropy_sensitivity(t.n)) for t in both)
        return [p / q for p, q in zip(one, other, strict=True)]

    def grown(placed: tuple[int, ...], before: fmpq) -> Iterator[fmpq]:
        if len(placed) == C:
            yield before
            return
        pairs = program.candidates(attributes, placed)
        steps = ratios(lambda t: [mutual_information(t, *pair) for pair in pairs])
        for (x, _), ratio in zip(pairs, steps, strict=True):
            yield from grown((*placed, x), before * ratio)

    for root, ratio in enumerate(ratios(lambda t: [entropy(t, (x,)) for x in attributes])):
        yield from grown((root,), ratio)


def test_ratio() -> None:
    program: Any = IBayes(ExponentialMechanism(Budget.of_root(entropy_sensitivity(ONE.n).power, 2 * C)), DEGREE)
    results: list[list[fmpq]] = []
    theirs = seconds(lambda: results.append(list(listed(program))), rounds=1)
    largest = largest_ratio(program, ONE, OTHER, range(C))
    assert len(results[0]) == network_count(C, DEGREE) == 129_600
    assert largest in results[0]
    assert all(at_most(ratio, largest) for ratio in results[0])
    RATIO.record(seconds(lambda: largest_ratio(program, ONE, OTHER, range(C))), theirs)
