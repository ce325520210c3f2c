"""The sensitivity of I by types of moves is the one over all pairs of tables, and that of IBayes the one over lists."""

from functools import partial
from itertools import product
from typing import Any

import pytest
from flint import arb, fmpq

from cases.faults import fault_test
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis import information_moves
from dp_refimpl.synthesis.information import entropy_sensitivity, mutual_information
from dp_refimpl.synthesis.information_moves import information_change, information_factors
from dp_refimpl.synthesis.network import IBayes
from dp_refimpl.synthesis.network_ratios import largest_ratio
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum
from dp_refimpl.synthesis.tables import CountTable, neighbor_pairs
from dp_spec.vocabulary.budget import Budget, real_budget
from dp_spec.vocabulary.scalar import at_most

CASES = [(1, 1, 3), (1, 3, 2), (2, 2, 1), (2, 2, 4), (3, 2, 2), (3, 3, 3)]


def by_tables(sizes: tuple[int, int], n: int) -> set[fmpq]:
    """The quotients e^(n I(D')) / e^(n I(D)) of all pairs of neighbors, one by one."""
    pairs = neighbor_pairs(sizes, n, "ro")
    return {mutual_information(other, 0, (1,)).power / mutual_information(one, 0, (1,)).power for one, other in pairs}


def wrong() -> list[tuple[int, int, int]]:
    return [(a, b, n) for a, b, n in CASES if information_factors((a, b), n) != by_tables((a, b), n)]


def test_types_of_moves_stand_for_all_tables() -> None:
    assert wrong() == []
    assert information_change((2, 9), 20) == entropy_sensitivity(20)  # attained, and no more
    assert information_change((3, 3), 3).power == 16


test_planted_faults_are_caught = fault_test(
    wrong,
    {
        "values need not be used up": (
            information_moves,
            "_margins",
            lambda values, n: [(k, m) for k in range(1, n + 1) for m in range(n - k + 1)],
        ),
        "moves in a line only": (information_moves, "_across", lambda rows, columns, n: []),
        "moves to both others only": (information_moves, "_along", lambda rows, columns, n: []),
    },
)


ONE = CountTable.of_records((2, 2, 2, 2), [(0, 0, 0, 1), (0, 1, 1, 1), (1, 1, 0, 0)])
OTHER = CountTable.of_records((2, 2, 2, 2), [(0, 0, 0, 1), (0, 1, 1, 1), (1, 0, 1, 1)])
RATIONAL: Any = ExponentialMechanism(Budget.of_root(entropy_sensitivity(3).power, 24))
BALLS: Any = ExponentialMechanism(real_budget(2))


@pytest.mark.parametrize("cluster", [(0, 1, 2), (3,), (2, 0, 3)])
def test_the_largest_ratio_is_that_of_a_listed_network(cluster: tuple[int, ...]) -> None:
    """Also with a filter, and in balls around the same number."""
    every_pair = frozenset(product(range(4), repeat=2))
    for sets, kept in product(("min-l", "upto-l"), (None, every_pair - {(0, 2)})):
        program: Any = IBayes(RATIONAL.split(4 - len(cluster)), 2, sets, kept)  # type: ignore[arg-type]
        networks = output_law(partial(program.build, ONE, cluster), fmpq(1))
        ratios = [program.probability(ONE, network) / program.probability(OTHER, network) for network in networks]
        largest = largest_ratio(program, ONE, OTHER, cluster)
        assert largest in ratios
        assert all(at_most(ratio, largest) for ratio in ratios)


def test_balls_around_the_largest_ratio() -> None:
    largest = largest_ratio(IBayes(BALLS, 2), ONE, OTHER, (0, 1, 2, 3))
    assert isinstance(largest, arb)
    assert at_most(largest, arb(2).exp())
    assert at_most(1, largest)


test_bad_input_is_refused = refusal_test(
    refuses_each("n", information_change, ((2, 2), 0), ((2, 2), True)),
    refuses_each("sizes", information_change, ((0, 2), 1), ((2, 2.0), 1)),
    refuses("selection", lambda: largest_ratio(IBayes(Maximum(), 1), ONE, OTHER, (0, 1))),
    refuses("cluster", lambda: largest_ratio(IBayes(BALLS, 1), ONE, OTHER, ())),
    refuses("cluster", lambda: largest_ratio(IBayes(BALLS, 1), ONE, ONE.marginal((0, 1)), (0, 1))),
    refuses("attributes", lambda: largest_ratio(IBayes(BALLS, 1), ONE, OTHER, (0, 4))),
)
