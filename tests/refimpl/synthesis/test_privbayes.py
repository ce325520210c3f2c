"""PrivBayes: degree, law of the network, scales, and the law of a whole tiny run, against naive fractions."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.faults import mutant_test
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.network import ParentScore
from dp_refimpl.synthesis.noisy_tables import NoCellNoise, RangeGeometric
from dp_refimpl.synthesis.privbayes import (
    SCORES,
    DomainBound,
    FixedDegree,
    GreedyBayes,
    PrivBayes,
    degree_and_budgets,
    joint_alphas,
    joint_scale,
    useful_degree,
    useful_domain,
)
from dp_refimpl.synthesis.scores import f_score, f_sensitivity
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum
from dp_refimpl.synthesis.tables import CountTable, neighbor_pairs
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON
from dp_spec.vocabulary.scalar import at_most
from independent.brute_force_synthesis import network_law, rows_law
from independent.numbers import exact

Records = list[tuple[int, ...]]
ONE = fmpq(1)


def table(records: Records) -> CountTable:
    return CountTable.of_records((2,) * len(records[0]), records)


# --- degree and scales ------------------------------------------------------------------------------------------------

SMALL = st.fractions(Fraction(1, 8), Fraction(8), max_denominator=8)


@given(st.integers(1, 500), st.integers(1, 9), SMALL, SMALL)
def test_the_degree_is_the_last_useful_one(n: int, d: int, epsilon: Fraction, theta: Fraction) -> None:
    """Average probability 2^-(k+1) over the scale 2 (d - k) / (n epsilon)."""
    useful = [k for k in range(1, d) if Fraction(1, 2 ** (k + 1)) / (2 * (d - k) / (n * epsilon)) >= theta]
    assert useful_degree(n, d, exact(epsilon), exact(theta)) == max(useful, default=0)


@given(st.integers(1, 500), st.integers(1, 9), SMALL, SMALL, st.integers(1, 200))
def test_the_bound_of_domains_is_that_of_usefulness(n: int, d: int, eps: Fraction, theta: Fraction, size: int) -> None:
    """|dom| <= n epsilon / (2 d theta) exactly if 1 / |dom| over the scale 2 d / (n epsilon) is >= theta."""
    is_useful = Fraction(1, size) / (2 * d / (n * eps)) >= theta
    assert at_most(size, useful_domain(n, d, exact(eps), exact(theta))) is is_useful


def test_degree_of_the_experiments() -> None:
    """Adult in 52 binary attributes at epsilon = 0.2, and no degree at small n: then all budget is for the tables."""
    assert degree_and_budgets(45222, 52, fmpq(1, 5), fmpq(3, 10), fmpq(4)) == (3, fmpq(3, 50), fmpq(7, 50))
    assert degree_and_budgets(100, 52, fmpq(1, 5), fmpq(3, 10), fmpq(4)) == (0, fmpq(0), fmpq(1, 5))


def test_scales() -> None:
    assert joint_scale(10, 3, fmpq(1, 2)) == fmpq(6, 5)
    assert joint_alphas(Budget.of_root(fmpq(2), 6), 3) == (fmpq(1, 2),) * 3


@pytest.mark.parametrize(
    ("bound", "placed", "wanted"),
    [
        (6, (1, 2, 3), [(1,), (2,), (3,)]),
        (12, (1, 2, 3), [(3,), (1, 2)]),
        (100, (1, 2, 3), [(1, 2, 3)]),
        (3, (1, 2), [()]),
        (1, (1, 2), [()]),
        (7, (), [()]),
    ],
)
def test_maximal_parent_sets(bound: int, placed: tuple[int, ...], wanted: Any) -> None:
    """Sizes 2, 2, 3, 3 of attributes 0 to 3; X = 0."""
    parent_sets = DomainBound(fmpq(bound)).parent_sets((2, 2, 3, 3), 0, placed)
    assert sorted(parent_sets) == sorted(
        s
        for k in range(len(placed) + 1)
        for s in combinations(placed, k)
        if (_size(s) <= bound or not s) and not any(_size((*s, p)) <= bound for p in placed if p not in s)
    )
    assert len(wanted) == len(parent_sets) or bound == 12


def _size(parents: tuple[int, ...]) -> int:
    size = 2
    for p in parents:
        size *= (2, 2, 3, 3)[p]
    return size


# --- the network ------------------------------------------------------------------------------------------------------


def plain_f(records: Records, x: int, parents: tuple[int, ...]) -> Fraction:
    """F by all ways to assign cells, from the formula."""
    n = len(records)
    cells = Counter((r[x], tuple(r[p] for p in parents)) for r in records)
    best = Fraction(-1)
    for owners in product((0, 1), repeat=2 ** len(parents)):
        owner = dict(zip(product((0, 1), repeat=len(parents)), owners, strict=True))
        totals = [sum(c for (v, pi), c in cells.items() if v == w == owner[pi]) for w in (0, 1)]
        best = max(best, sum((min(Fraction(total, n), Fraction(1, 2)) for total in totals), Fraction(-1)))
    return best


def plain_network_law(records: Records, k: int, root: int) -> dict[Any, Fraction]:
    """Uniform roots, and pairs with weights root^(2 n F), root = e^(epsilon_1 / (4 (d - 1))): n F is in halves."""

    def weigh(records: Any, x: int, parents: tuple[int, ...] | None) -> Fraction:
        return Fraction(root) ** int(2 * len(records) * plain_f(records, x, parents)) if parents else Fraction(1)

    law = network_law(records, range(len(records[0])), k, "min-l", None, weigh)
    assert law is not None
    return law


DATA: list[Records] = [
    [(0, 0), (1, 1), (1, 0)],
    [(0, 0, 0), (1, 1, 0), (0, 1, 1)],
    [(0, 1, 1), (0, 1, 1), (1, 1, 0), (0, 0, 0)],
    [(0, 0, 0), (1, 1, 1), (0, 1, 0)],
    [(1,)],
    [(0, 0, 0)],
]


def greedy(d: int, k: int, root: int = 3) -> GreedyBayes[fmpq]:
    """With e^(epsilon_1) = root^(4 (d - 1))."""
    budget = Budget.of_root(fmpq(root), 4 * max(1, d - 1))
    return GreedyBayes(ExponentialMechanism(budget), FixedDegree(k), ONE, SCORES["F"])


def wrong_networks(program: Callable[[int, int], GreedyBayes[fmpq]]) -> bool:
    return any(
        output_law(partial(program(len(records[0]), k).build, table(records)), ONE)
        != {network: exact(p) for network, p in plain_network_law(records, k, 3).items()}
        for records in DATA
        for k in range(len(records[0]))
    )


def test_networks_have_their_law() -> None:
    assert not wrong_networks(greedy)


def greedy_of(**changes: Any) -> Callable[[int, int], GreedyBayes[fmpq]]:
    def program(d: int, k: int) -> GreedyBayes[fmpq]:
        original = greedy(d, k)
        parts = {"selection": original.selection, "rule": original.rule, "one": ONE, "score": original.score}
        return GreedyBayes(**{**parts, **{name: value(d, k) for name, value in changes.items()}})

    return program


test_planted_faults = mutant_test(
    wrong_networks,
    {
        "twice the budget": greedy_of(
            selection=lambda d, k: ExponentialMechanism(Budget.of_root(fmpq(3), 8 * max(1, d - 1)))
        ),
        "the maximum": greedy_of(selection=lambda d, k: Maximum()),
        "one parent more": greedy_of(rule=lambda d, k: FixedDegree(k + 1)),
        "scores of the other cap": greedy_of(
            score=lambda d, k: ParentScore(lambda t, x, parents: f_score(t, x, parents, "ceil"), f_sensitivity)
        ),
        "the negative score": greedy_of(
            score=lambda d, k: ParentScore(lambda t, x, parents: -f_score(t, x, parents), f_sensitivity)
        ),
    },
)


@pytest.mark.parametrize("records", DATA[:3])
def test_probability_is_that_of_the_program(records: Records) -> None:
    for k in range(len(records[0])):
        program = greedy(len(records[0]), k)
        law = output_law(partial(program.build, table(records)), ONE)
        assert all(program.probability(table(records), network) == chance for network, chance in law.items())
        assert program.probability(table(records), (((0, ()),))) == 0


@pytest.mark.parametrize("k", [1, 2])
def test_the_network_is_private_for_all_neighbors(k: int) -> None:
    """Score F, n = 2, three binary attributes: at most e^(epsilon_1) for every epsilon_1, in rational functions."""
    t = EVERY_EPSILON.variable("t")
    program = GreedyBayes(ExponentialMechanism(Budget.of_root(t, 8)), FixedDegree(k), t / t, SCORES["F"])
    laws: dict[CountTable, Any] = {}
    for data, other in list(neighbor_pairs((2,) * 3, 2, "ro"))[::20]:
        for x in (data, other):
            laws.setdefault(x, output_law(partial(program.build, x), t / t))
        assert all(at_most(p, laws[other][network] * t**8) for network, p in laws[data].items())


# --- joint tables and rows --------------------------------------------------------------------------------------------


def plain_run(records: Records, k: int, alpha: Fraction, rows: int) -> dict[Any, Fraction]:
    """The law of D' by its definition: networks, noisy tables, conditional distributions, rows."""
    d, law = len(records[0]), dict[Any, Fraction]()
    for (_, drawn), p in rows_law(records, (2,) * d, plain_network_law(records, k, 3), [alpha] * (d - k), rows).items():
        law[tuple(sorted(drawn))] = law.get(tuple(sorted(drawn)), Fraction(0)) + p
    return {key: p for key, p in law.items() if p}


def run(d: int, k: int, alpha: fmpq, **changes: Any) -> PrivBayes[fmpq]:
    return PrivBayes(greedy(d, k), RangeGeometric((alpha,) * (d - k)), **changes)


RUNS: list[tuple[Records, int, int]] = [
    ([(0, 1)], 1, 1),
    ([(0, 1), (1, 1)], 1, 1),
    ([(0, 1)], 0, 2),
    ([(1,)], 0, 2),
]


def run_law(program: Any, records: Records, k: int, rows: int) -> dict[CountTable, fmpq]:
    made = program(len(records[0]), k, fmpq(1, 2))
    return output_law(lambda coins: made.publish(table(records), rows, coins), ONE)


def wrong_runs(program: Callable[[int, int, fmpq], PrivBayes[fmpq]]) -> bool:
    return any(
        run_law(program, records, k, rows)
        != {table(list(key)): exact(p) for key, p in plain_run(records, k, Fraction(1, 2), rows).items()}
        for records, k, rows in RUNS
    )


def test_whole_runs_have_their_law() -> None:
    assert not wrong_runs(run)


test_planted_faults_of_runs = mutant_test(
    wrong_runs,
    {
        "another alpha": lambda d, k, a: run(d, k, fmpq(1, 3)),
        "no noise": lambda d, k, a: PrivBayes(greedy(d, k), NoCellNoise()),
        "no parents": lambda d, k, a: PrivBayes(greedy(d, 0), RangeGeometric((a,) * d)),
        "all tables noisy": lambda d, k, a: PrivBayes(
            GreedyBayes(greedy(d, k).selection, DomainBound(fmpq(4)), ONE, SCORES["F"]), RangeGeometric((a,) * d)
        ),
        "noise of the first table for all": lambda d, k, a: PrivBayes(
            greedy(d, k), RangeGeometric((a, *(fmpq(1, 5),) * (d - k - 1)))
        ),
    },
)


SQUARE, COINS = CountTable.of_records((2, 2), [(0, 0), (1, 1)]), SamplingCoins(default_rng(0))
test_bad_input = refusal_test(
    refuses("k", FixedDegree, -1, 1.0, True),
    refuses("epsilon_1", lambda epsilon: PrivBayes.of_budgets(epsilon, 1, 2), 0),
    refuses("epsilon_2", lambda epsilon: PrivBayes.of_budgets(1, epsilon, 2), 0),
    refuses_each(
        "n|d|theta", useful_degree, (0, 1, ONE, ONE), (1, 0, ONE, ONE), (1, 1, ONE, fmpq(0)), (1.0, 1, ONE, ONE)
    ),
    refuses_each("epsilon_2", useful_degree, (1, 1, fmpq(0), ONE), (1, 1, fmpq(-1), ONE)),
    refuses_each("epsilon_2", useful_domain, (1, 1, fmpq(0), ONE), (1, 1, None, ONE)),
    refuses("degree", lambda k: greedy(2, k).build(SQUARE, COINS), 2, 9),
    refuses("sizes", lambda size: greedy(2, 1).build(CountTable((size, 2), ()), COINS), 1, 3),
    refuses("sizes", lambda d: PrivBayes.of_budgets(1, 1, d).publish(SQUARE, 1, COINS), 3, 4),
    refuses("sizes", lambda d: PrivBayes.of_budgets(1, 1, d).on_tables((2, 2), 1), 3, 4),
    refuses("rows", lambda rows: PrivBayes.of_budgets(1, 1, 2).publish(SQUARE, rows, COINS), -1, True, 0.5),
    refuses_each(
        "epsilon|beta",
        lambda epsilon, beta: degree_and_budgets(1, 1, epsilon, beta, fmpq(4)),
        (fmpq(0), fmpq(1, 2)),
        (0.2, fmpq(1, 2)),
        (ONE, fmpq(0)),
        (ONE, ONE),
    ),
    refuses_each("noisy|epsilon_2|n", joint_scale, (1, 0, ONE), (1, 1, fmpq(0)), (0, 1, ONE)),
    refuses("table", lambda sizes: greedy(1, 1).candidates(CountTable(sizes, (((), 1),)), []), ()),
)
