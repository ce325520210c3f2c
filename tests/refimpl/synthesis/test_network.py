"""The law of IBayes against a plain recursion over ordered lists, the filter and the numbers of candidates."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.faults import mutant_test
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import Coins, SamplingCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.information import entropy, entropy_sensitivity, mutual_information
from dp_refimpl.synthesis.network import (
    IBayes,
    Join,
    Network,
    NoCandidateError,
    ParentScore,
    attribute_filter,
    candidate_count,
    cell_count,
    network_count,
    require_network,
)
from dp_refimpl.synthesis.scores import f_score, f_sensitivity
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum, RealExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable, Record
from dp_spec.vocabulary.budget import Budget
from independent.brute_force_synthesis import network_law
from independent.numbers import exact, plain_law

SETS: Any = ("exact-l", "min-l", "upto-l")


CASES: list[tuple[tuple[Record, ...], tuple[int, ...], Any]] = [
    (((0, 0, 0), (0, 1, 1), (1, 1, 0)), (0, 1, 2), None),
    (((0, 0, 0), (0, 1, 1), (1, 1, 0)), (0, 2), None),
    (((0, 0, 0), (0, 1, 1), (1, 1, 0)), (1,), None),
    (((0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 0, 0)), (2, 0, 1), None),
    (((0, 0, 0), (1, 1, 1)), (0, 1, 2), frozenset({(0, 1), (1, 0), (2, 1), (1, 2)})),
    (((0, 0, 0), (1, 1, 0), (1, 1, 2)), (0, 1, 2), frozenset({(1, 0), (2, 0), (2, 1)})),
    (((1, 1, 0), (1, 1, 0)), (0, 1), frozenset()),
]


def wrong_networks(make: Callable[..., Any]) -> Iterator[str]:
    """Cases whose law differs from the plain one, or whose `probability` differs from the law."""
    for (records, cluster, kept), degree, sets in product(CASES, range(4), SETS):
        table = CountTable.of_records((2, 2, 3), records)
        budget = Budget.of_root(entropy_sensitivity(table.n).power, 2 * len(cluster))
        program = make(ExponentialMechanism(budget), degree, sets, kept)
        expected = network_law(records, tuple(sorted(cluster)), degree, sets, kept)
        try:
            law = plain_law(program.build, table, cluster)
        except NoCandidateError:
            if expected is not None:
                yield f"{records} {cluster} {degree} {sets}: refused"
            continue
        if law != expected:
            yield f"{records} {cluster} {degree} {sets}"
        elif any(program.probability(table, network) != exact(p) for network, p in law.items()):
            yield f"{records} {cluster} {degree} {sets}: probability"


def test_networks_have_the_law_of_the_print() -> None:
    assert list(wrong_networks(IBayes)) == []


class UniformRoot(IBayes[Any]):
    def build(self, table: CountTable, cluster: Any, coins: Coins) -> Network:
        roots = sorted(cluster)
        return self.grow(table, cluster, roots[coins.choose([fmpq(1, len(roots))] * len(roots))], coins)


class AnyParents(IBayes[Any]):
    def candidates(self, attributes: Any, placed: Any) -> Any:
        return replace(IBayes(self.selection, self.degree, self.sets)).candidates(attributes, placed)


class ReversedFilter(IBayes[Any]):
    def candidates(self, attributes: Any, placed: Any) -> Any:
        kept = None if self.kept is None else frozenset((c, s) for s, c in self.kept)
        return IBayes(self.selection, self.degree, self.sets, kept).candidates(attributes, placed)


class FirstLeft(IBayes[Any]):
    def candidates(self, attributes: Any, placed: Any) -> Any:
        pairs = super().candidates(attributes, placed)
        return [pair for pair in pairs if pair[0] == pairs[0][0]]


def double(mechanism: Any) -> Any:
    return ExponentialMechanism(Budget.of_root(mechanism.budget.root, 2 * mechanism.budget.power))


FIRST_PARENT = ParentScore(lambda t, x, p: mutual_information(t, x, p[:1]), entropy_sensitivity)
JOINT = ParentScore(lambda t, x, p: entropy(t, (x, *p)), entropy_sensitivity)
OTHER = {"exact-l": "min-l", "min-l": "upto-l", "upto-l": "exact-l"}
FAULTS: dict[str, Callable[..., Any]] = {
    "root drawn uniformly": UniformRoot,
    "no filter": AnyParents,
    "filter reversed": ReversedFilter,
    "first attribute that is left": FirstLeft,
    "one more parent": lambda m, degree, sets, kept: IBayes(m, degree + 1, sets, kept),
    "another reading": lambda m, degree, sets, kept: IBayes(m, degree, OTHER[sets], kept),  # type: ignore[arg-type]
    "twice the budget": lambda m, degree, sets, kept: IBayes(double(m), degree, sets, kept),
    "first parent alone": lambda m, degree, sets, kept: IBayes(m, degree, sets, kept, FIRST_PARENT),
    "joint entropy": lambda m, degree, sets, kept: IBayes(m, degree, sets, kept, JOINT),
    "without noise": lambda m, degree, sets, kept: IBayes(Maximum(), degree, sets, kept),
}
test_planted_fault_is_caught = mutant_test(lambda make: any(wrong_networks(make)), FAULTS)


def test_another_score_takes_its_own_sensitivity() -> None:
    """n F = 0 for the second attribute, which is the first, and -1 for the third: weights 1 and 1 / B_3."""
    table = CountTable.of_records((2, 2, 2), [(0, 0, 0), (0, 0, 1), (1, 1, 0)])
    score = ParentScore(lambda t, x, p: f_score(t, x, p, "ceil"), f_sensitivity)
    program = IBayes(ExponentialMechanism(Budget.of_root(fmpq(27, 4), 6)), 1, score=score)
    assert program.probability(table, ((0, ()), (1, (0,)), (2, (0,)))) == fmpq(1, 3) * fmpq(27, 31) * fmpq(1, 2)


def test_without_noise_the_tree_has_the_largest_total() -> None:
    table = CountTable.of_records((2, 2, 2), [(0, 0, 0), (0, 0, 1), (1, 1, 1), (1, 1, 1)])
    law = output_law(lambda coins: IBayes(Maximum("first"), 1).build(table, (0, 1, 2), coins), fmpq(1))
    assert law == {((0, ()), (1, (0,)), (2, (0,))): 1}
    given_root = output_law(lambda coins: IBayes(Maximum(), 1).grow(table, (0, 1, 2), 2, coins), fmpq(1))
    assert set(given_root.values()) == {fmpq(1, 2)}


def test_the_mechanism_runs_at_any_epsilon() -> None:
    table = CountTable.of_records((2, 3, 2, 1), [(0, 0, 1, 0), (1, 2, 0, 0), (1, 1, 1, 0), (0, 0, 0, 0)] * 50)
    for epsilon in ("0", "0.1", 1000):
        program = IBayes(RealExponentialMechanism(epsilon), 2)
        network = program.build(table, (3, 1, 0, 2), SamplingCoins(default_rng(5)))
        assert sorted(x for x, _ in require_network(network)) == [0, 1, 2, 3]


def test_what_cannot_occur_has_probability_zero() -> None:
    table = CountTable.of_records((2, 2, 2), [(0, 0, 0), (1, 1, 1)])
    program = IBayes(ExponentialMechanism(Budget.of_root(fmpq(4), 6)), 1)
    assert program.probability(table, ((0, ()), (1, ()), (2, (0,)))) == 0
    assert program.probability(table, ((0, ()), (1, (0,)), (2, (0, 1)))) == 0


@given(st.integers(1, 6), st.integers(0, 4), st.sampled_from(SETS))
def test_numbers_of_candidates(c: int, degree: int, sets: Any) -> None:
    program, candidates, cells, networks = IBayes(Maximum(), degree, sets), 0, 0, 1
    for v in range(1, c):
        try:
            pairs = program.candidates(range(c), range(v))
        except NoCandidateError:
            pairs = []
        candidates, cells = candidates + len(pairs), cells + sum(2 ** (1 + len(parents)) for _, parents in pairs)
        networks *= len(pairs)
    assert (candidate_count(c, degree, sets), cell_count(c, degree, sets)) == (candidates, cells)
    assert network_count(c, degree, sets) == c * networks


MATRICES: list[list[list[int]]] = [
    [[0]],
    [[0, 2, 4], [2, 0, 1], [4, 1, 0]],
    [[0, -2, -4], [-2, 0, -1], [-4, -1, 0]],
    [[0, -1, 3], [-1, 0, -2], [3, -2, 0]],
    [[0, 1, 2], [3, 0, 4], [0, 5, 0]],
    [[0, 0], [0, 0]],
]
ETAS = [Fraction(0), Fraction(1, 2), Fraction(1)]


@pytest.mark.parametrize("join", ["or", "and"])
def test_the_filter_keeps_what_it_says(join: Join) -> None:
    """The pairs that are kept are those of (9), read off row by row."""
    for rows, eta, diagonal in product(MATRICES, ETAS, (True, False)):
        d, expected = len(rows), set()
        for s, c in product(range(d), repeat=2):
            if s != c:
                small = [
                    rows[a][b] <= eta * max(rows[a][i] for i in range(d) if diagonal or i != a)
                    for a, b in ((s, c), (c, s))
                ]
                if not (any(small) if join == "or" else all(small)):
                    expected.add((s, c))
        exact = [[fmpq(entry) for entry in row] for row in rows]
        assert attribute_filter(exact, fmpq(eta.numerator, eta.denominator), join, diagonal=diagonal) == expected


ROWS = st.lists(st.lists(st.integers(-4, 4), min_size=4, max_size=4), min_size=4, max_size=4)


@given(ROWS, st.fractions(0, 1))
def test_the_diagonal_makes_no_difference_up_to_one(rows: list[list[int]], eta: Fraction) -> None:
    exact = [[fmpq(0 if i == j else entry) for j, entry in enumerate(row)] for i, row in enumerate(rows)]
    at = fmpq(eta.numerator, eta.denominator)
    for join in ("or", "and"):
        assert attribute_filter(exact, at, join, diagonal=True) == attribute_filter(exact, at, join, diagonal=False)


@pytest.mark.parametrize("degree", [2, 3])
def test_exactly_l_parents_are_never_there_at_first(degree: int) -> None:
    with pytest.raises(NoCandidateError, match="exact-l"):
        IBayes(Maximum(), degree, "exact-l").candidates((0, 1, 2, 3), (0,))


HELD = CountTable.of_records((2, 2, 2), [(0, 1, 1), (1, 1, 0)])
COINS = SamplingCoins(default_rng(0))
ANY: Any = IBayes(Maximum(), 1)
SQUARE: Any = [[fmpq(0), fmpq(1)], [fmpq(1), fmpq(0)]]
test_refusals = refusal_test(
    refuses("degree", lambda degree: IBayes(Maximum(), degree), -1, True, 1.0, None),
    refuses("sets", lambda sets: IBayes(Maximum(), 1, sets), "degree", None),
    refuses("cluster", lambda cluster: ANY.build(HELD, cluster, COINS), ()),
    refuses("attributes", lambda cluster: ANY.build(HELD, cluster, COINS), (3,), (0, 0)),
    refuses("root", lambda root: ANY.grow(HELD, (0, 1), root, COINS), 2, None),
    refuses("n", lambda: ANY.build(CountTable((2,), ()), (0,), COINS)),
    refuses("network", require_network, (), [], ((0, (1,)), (1, ())), ((0, ()), (0, ())), ((0, ()), (1, [0])), (0,)),
    refuses("network", require_network, ((0, ()), (1, (0,)), (2, (1, 0))), ((0, ()), (1, (0, 0)))),
    refuses("c", lambda c: candidate_count(c, 1), 0, True, 1.0),
    refuses("c", lambda c: network_count(c, 1), 0),
    refuses("join", lambda join: attribute_filter(SQUARE, fmpq(1), join), "xor"),
    refuses_each("matrix", attribute_filter, ([[fmpq(0)], []], fmpq(1)), ([[fmpq(0), fmpq(1)]], fmpq(1))),
    refuses("eta", lambda eta: attribute_filter(SQUARE, eta), fmpq(7), fmpq(-1)),
    refuses("diagonal", lambda diagonal: attribute_filter(SQUARE, fmpq(1), diagonal=diagonal), 1, None),
    refuses(
        "sensitivity",
        lambda: IBayes(ExponentialMechanism(Budget(1)), 1).build(CountTable.of_records((2,), [(0,)]), (0,), COINS),
    ),
)
