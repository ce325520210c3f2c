"""Jtree: junction trees of small graphs, sampling rate, law of the graph, consistency, the final distribution."""

from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import exp, inf, log
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
from dp_refimpl.synthesis.conditionals import JointTable
from dp_refimpl.synthesis.jtree import (
    DependencyGraph,
    Jtree,
    amplified,
    averaged,
    best_rate,
    clamped,
    clique_alpha,
    clique_tables,
    consistent,
    junction_weights,
    noise_scale,
    sample,
    scaled,
)
from dp_refimpl.synthesis.junction_trees import JunctionTree, junction_tree, maximal_cliques, triangulation
from dp_refimpl.synthesis.noisy_tables import NoCellNoise, RangeGeometric
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.budget import Budget
from independent.numbers import fraction

ONE, HALF = fmpq(1), fmpq(1, 2)
ALL_EDGES = {size: list(combinations(range(size), 2)) for size in range(1, 6)}
GRAPHS = st.integers(1, 5).flatmap(lambda size: st.tuples(st.just(size), st.sets(st.sampled_from(ALL_EDGES[5]))))


def table(*records: str) -> CountTable:
    return CountTable.of_records((2,) * len(records[0]), [[int(x) for x in record] for record in records])


# --- junction trees ---------------------------------------------------------------------------------------------------


def has_chordless_cycle(size: int, edges: Any) -> bool:
    """Whether some induced subgraph is a cycle of four or more: all degrees 2, and connected."""
    for k in range(4, size + 1):
        for nodes in combinations(range(size), k):
            inside = [e for e in edges if set(e) <= set(nodes)]
            reached = {nodes[0]}
            for _ in nodes:
                reached |= {x for e in inside if set(e) & reached for x in e}
            if reached == set(nodes) and all(sum(x in e for e in inside) == 2 for x in nodes):
                return True
    return False


@given(GRAPHS)
def test_junction_trees_of_small_graphs(graph: Any) -> None:
    """Edges are kept, no chordless cycle is left, cliques are the maximal ones, and intersections run along paths."""
    size, edges = graph[0], [edge for edge in graph[1] if edge[1] < graph[0]]
    filled, order = triangulation(size, edges)
    assert set(edges) <= filled
    assert sorted(order) == list(range(size))
    assert not has_chordless_cycle(size, filled)
    if not has_chordless_cycle(size, edges):
        assert filled == set(edges)
    subsets = [s for k in range(1, size + 1) for s in combinations(range(size), k)]
    complete = [s for s in subsets if all(pair in filled for pair in combinations(s, 2))]
    wanted = [s for s in complete if not any(set(s) < set(other) for other in complete)]
    assert list(maximal_cliques(size, edges)) == sorted(wanted)
    tree = junction_tree(size, edges)
    assert sorted(tree.cliques) == sorted(wanted)
    assert tree.parents[0] is None
    for i, parent in enumerate(tree.parents[1:], 1):
        assert parent is not None
        assert parent < i
        earlier = {x for clique in tree.cliques[:i] for x in clique}
        assert set(tree.cliques[i]) & earlier <= set(tree.cliques[parent])
    for nodes in tree.intersections:
        assert sum(set(nodes) <= set(clique) for clique in tree.cliques) >= 2


def test_a_cycle_is_filled() -> None:
    tree = junction_tree(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    assert tree == JunctionTree(((0, 1, 3), (1, 2, 3)), (None, 0))
    assert tree.separators == tree.intersections == ((1, 3),)
    assert junction_tree(2, []).separators == ((),)


# --- the sampling rate ------------------------------------------------------------------------------------------------


def plain_scale(n: int, rate: Fraction, exp_epsilon: float, binary: bool) -> float:
    m = int(rate * n)
    if m < 2:
        return inf
    delta = log(m) / m + (m - 1) / m * log(m / (m - 1))
    if not binary:
        delta = 2 / m * log((m + 1) / 2) + (m - 1) / m * log((m + 1) / (m - 1))
    return 2 * delta / log((exp_epsilon - 1 + float(rate)) / float(rate))


@pytest.mark.parametrize("n", [2, 10, 100, 1000, 45222])
@pytest.mark.parametrize("exp_epsilon", [fmpq(11, 10), fmpq(2), fmpq(5)])
@pytest.mark.parametrize("binary", [True, False])
def test_the_best_rate_has_the_least_scale(n: int, exp_epsilon: fmpq, binary: bool) -> None:
    e = int(exp_epsilon.p) / int(exp_epsilon.q)
    scales = {i: plain_scale(n, Fraction(i, 1000), e, binary) for i in range(1, 1001)}
    rate = best_rate(n, exp_epsilon, binary)
    assert scales[int(rate * 1000)] <= min(scales.values()) * (1 + 1e-9)
    assert abs(float(noise_scale(n, rate, exp_epsilon, binary).mid()) / scales[int(rate * 1000)] - 1) < 1e-9


def test_amplified_budgets() -> None:
    """With rate 1 there is no amplification; (e^eps - 1 + beta) / beta otherwise."""
    assert amplified(fmpq(3), ONE) == 3
    assert amplified(fmpq(3), HALF) == 5
    assert clique_alpha(Budget.of_root(fmpq(3), 4), 2) == fmpq(1, 3)


def test_samples_are_uniform_subsets() -> None:
    law = output_law(lambda coins: sample(table("0", "1", "1", "1"), HALF, coins), ONE)
    assert law == {table("0", "1"): HALF, table("1", "1"): HALF}


# --- the dependency graph ---------------------------------------------------------------------------------------------

PLAIN_DATA = [table("000", "111"), table("000", "011", "101"), table("00", "00"), table("0", "1")]


def plain_graph_law(data: CountTable, cv: float, step: float, alpha: float, reach: int) -> dict[Any, float]:
    """For every value of Z_0, independent edges; the sum over Z of the geometric law, term by term."""
    d, n = len(data.sizes), data.n
    law: dict[Any, float] = {}
    for z0 in range(-reach, reach + 1):
        ends = sum((1 - alpha) / (1 + alpha) * alpha**z for z in range(reach, 400))
        common = ends if abs(z0) == reach and reach else (1 - alpha) / (1 + alpha) * alpha ** abs(z0) if reach else 1.0
        chances = {}
        for k, m in combinations(range(d), 2):
            info = 0.0
            for a, b in product((0, 1), repeat=2):
                both = sum(r[k] == a and r[m] == b for r in data.records) / n
                one, two = (sum(r[c] == v for r in data.records) / n for c, v in ((k, a), (m, b)))
                info += both * log(both / (one * two)) if both else 0
            chances[k, m] = sum(
                (1 - alpha) / (1 + alpha) * alpha ** abs(z)
                for z in range(-400, 401)
                if info + z * step >= cv**2 / 2 + z0 * step - 1e-12
            )
        for kept in product((True, False), repeat=len(chances)):
            p, edges = common, frozenset(e for e, keep in zip(chances, kept, strict=True) if keep)
            for e, keep in zip(chances, kept, strict=True):
                p *= chances[e] if keep else 1 - chances[e]
            law[edges] = law.get(edges, 0.0) + p
    return law


GRAPH = DependencyGraph(fmpq(1, 5), fmpq(1, 4), fmpq(1, 3), 2)


def wrong_graph(program: Any) -> bool:
    for data in PLAIN_DATA:
        law = output_law(partial(program, data), ONE)
        wanted = plain_graph_law(data, 0.2, 0.25, 1 / 3, 2)
        if sum(law.values()) != 1 or any(
            abs(wanted[e] - int(p.p) / int(p.q)) > 1e-9 for e, p in {**dict.fromkeys(wanted, fmpq(0)), **law}.items()
        ):
            return True
    return False


def test_graphs_have_their_law() -> None:
    assert not wrong_graph(GRAPH.edges)


def test_the_chance_of_edges_is_that_of_the_graph() -> None:
    for data in PLAIN_DATA:
        pairs = list(combinations(range(len(data.sizes)), 2))
        for edges, chance in output_law(partial(GRAPH.edges, data), ONE).items():
            assert GRAPH.probability(data, sorted(edges), [pair for pair in pairs if pair not in edges]) == chance
        assert GRAPH.probability(data, ()) == 1


def own_threshold(data: CountTable, coins: Any) -> Any:
    """A noisy threshold for each pair."""
    d = len(data.sizes)
    drawn = {pair: GRAPH.edges(data.marginal(pair), coins) for pair in combinations(range(d), 2)}
    return frozenset(pair for pair, edges in drawn.items() if edges)


test_planted_faults_of_graphs = mutant_test(
    wrong_graph,
    {
        "another CV": DependencyGraph(fmpq(4, 5), fmpq(1, 4), fmpq(1, 3), 2).edges,
        "another step": DependencyGraph(fmpq(1, 5), fmpq(1, 2), fmpq(1, 3), 2).edges,
        "another alpha": DependencyGraph(fmpq(1, 5), fmpq(1, 4), fmpq(1, 2), 2).edges,
        "no noise of the threshold": DependencyGraph(fmpq(1, 5), fmpq(1, 4), fmpq(1, 3), 0).edges,
        "a threshold for each pair": own_threshold,
        "all edges": lambda data, coins: frozenset(combinations(range(len(data.sizes)), 2)),
    },
)

# --- clique tables ----------------------------------------------------------------------------------------------------

CELLS = st.builds(fmpq, st.integers(-6, 9), st.integers(1, 3))
TREE = JunctionTree(((0, 1), (1, 2), (1, 3)), (None, 0, 0))
TABLES = st.lists(st.tuples(*[CELLS] * 4), min_size=3, max_size=3).map(
    lambda rows: tuple(JointTable(clique, (2, 2), row) for clique, row in zip(TREE.cliques, rows, strict=True))
)


@given(TABLES, st.integers(1, 5))
def test_averaging_makes_marginals_equal_and_keeps_totals(tables: Any, n: int) -> None:
    """The common marginal is the weighted mean, and the change of every table is constant in the cells of a margin."""
    level = tuple(scaled(t, n) for t in tables)
    means = averaged(level, (1,))
    assert len({t.marginal((1,)).cells for t in means}) == 1
    assert all(sum(t.cells) == n for t in level + means)
    assert means[0].marginal((1,)).cells[0] == sum(t.marginal((1,)).cells[0] for t in level) / 3
    for before, after in zip(level, means, strict=True):
        changes = [b - a for a, b in zip(before.cells, after.cells, strict=True)]
        place = after.attributes.index(1)
        assert len({c for c, r in zip(changes, product((0, 1), repeat=2), strict=True) if r[place] == 0}) == 1
    assert averaged(means, (1,)) == means


def test_weights_are_cells_per_cell_of_the_marginal() -> None:
    """Marginals 4 (one cell per cell) and 1 (two cells per cell): (4 + 1 / 2) / (1 + 1 / 2) = 3."""
    wide = JointTable((0, 1), (2, 2), (fmpq(1), fmpq(0), fmpq(0), fmpq(0)))
    narrow = JointTable((0,), (2,), (fmpq(4), fmpq(0)))
    tables = averaged((wide, narrow), (0,))
    assert tables[1].cells == (fmpq(3), fmpq(0))
    assert tables[0].cells == (fmpq(2), fmpq(1), fmpq(0), fmpq(0))


@given(st.lists(CELLS, min_size=4, max_size=4), st.integers(1, 9))
def test_clamping_keeps_the_prefix_nearest_to_n(cells: Any, n: int) -> None:
    """Of all numbers of largest positive cells, one with the sum nearest to n."""
    entries = clamped(JointTable((0, 1), (2, 2), tuple(cells)), n).cells
    positive = sorted((fraction(c) for c in cells if c > 0), reverse=True)
    if not positive:
        assert entries == (fmpq(n, 4),) * 4
        return
    sums = [sum(positive[: k + 1], Fraction(0)) for k in range(len(positive))]
    total = sum(entries, fmpq(0))
    nearest: Any = min(abs(s - n) for s in sums)
    assert abs(fraction(total) - n) == nearest
    assert all(a in (b, 0) and a >= 0 for a, b in zip(entries, cells, strict=True))


def test_no_positive_cell_and_no_positive_total() -> None:
    flat = (fmpq(3, 4),) * 4
    for cells in ((0, 0, 0, 0), (-1, -2, 0, -1)):
        start = JointTable((0, 1), (2, 2), tuple(map(fmpq, cells)))
        assert scaled(start, 3).cells == clamped(start, 3).cells == flat


@pytest.mark.parametrize(
    ("data", "edges"),
    [
        (table("000", "011", "110"), [(0, 1), (1, 2)]),
        (table("000", "011", "110", "111"), []),
        (table("0000", "0110", "1011"), [(0, 1), (1, 2), (2, 3), (0, 3)]),
        (table("1"), []),
    ],
)
def test_the_distribution_of_exact_tables_has_their_marginals(data: CountTable, edges: Any) -> None:
    """Consistency changes nothing, the weights sum to 1, and every clique has the marginal of the data."""
    tree = junction_tree(len(data.sizes), edges)
    tables = clique_tables(data, tree, NoCellNoise(), None)  # type: ignore[arg-type]
    assert consistent(tables, tree, data.n) == tables
    weights = junction_weights(tables, tree, data.sizes)
    assert sum(weights.values()) == 1
    for clique in tree.cliques:
        for cell in product((0, 1), repeat=len(clique)):
            mass = sum(w for r, w in weights.items() if tuple(r[a] for a in clique) == cell)
            assert mass == fmpq(data.marginal(clique).count(cell), data.n)


def test_clamped_tables_need_not_have_a_distribution() -> None:
    """Clamping after averaging: the separator is impossible in one table and not in the other, and the sum is 1/4."""
    tree = JunctionTree(((0, 1), (1, 2)), (None, 0))
    noisy = (
        JointTable((0, 1), (2, 2), (HALF,) * 4),
        JointTable((1, 2), (2, 2), (fmpq(-1), fmpq(1), fmpq(0), fmpq(1))),
    )
    tables = consistent(noisy, tree, 2)
    assert tables[1].cells == (fmpq(0), fmpq(9, 4), fmpq(0), fmpq(0))
    assert sum(junction_weights(tables, tree, (2, 2, 2)).values()) == fmpq(1, 4)


def test_a_whole_run() -> None:
    """Two attributes, two records: all tables of one row, a law."""
    program = Jtree(ONE, DependencyGraph(fmpq(1, 5), HALF, fmpq(1, 3), 1))
    law = output_law(lambda coins: program.publish(table("00", "11"), RangeGeometric((fmpq(1, 4),) * 2), 1, coins), ONE)
    assert sum(law.values()) == 1
    assert set(law) == {table("00"), table("01"), table("10"), table("11")}
    assert law[table("00")] == law[table("11")] > law[table("01")] == law[table("10")]


def changed(step: Any) -> Any:
    """Consistency with another operation in the place of averaging."""

    def program(tables: Any, tree: JunctionTree, n: int) -> Any:
        marginals = tuple(scaled(t, n) for t in tables)
        for nodes in tree.intersections:
            marginals = step(marginals, nodes)
        return tuple(t if all(c >= 0 for c in t.cells) else clamped(t, n) for t in marginals)

    return program


def first_marginal(tables: Any, nodes: Any) -> Any:
    """All get the marginal of the first."""
    return tuple(averaged((tables[0], tables[0], t), nodes)[2] if i else t for i, t in enumerate(tables))


def wrong_consistency(program: Any) -> bool:
    noisy = (
        JointTable((0, 1), (2, 2), (fmpq(3), fmpq(1), fmpq(2), fmpq(0))),
        JointTable((1, 2), (2, 2), (fmpq(4), fmpq(1), fmpq(1), fmpq(2))),
        JointTable((1, 3), (2, 2), (fmpq(1), fmpq(1), fmpq(1), fmpq(-1))),
    )
    rows = ((71, 25, 47, 1), (86, 32, 4, 22), (59, 0, 85, 0))
    return [t.cells for t in program(noisy, TREE, 6)] != [tuple(fmpq(k, 24) for k in row) for row in rows]


def test_consistency_by_hand() -> None:
    assert not wrong_consistency(consistent)


test_planted_faults_of_consistency = mutant_test(
    wrong_consistency,
    {
        "not averaged": changed(lambda tables, nodes: tables),
        "the first marginal": changed(first_marginal),
        "not scaled": lambda tables, tree, n: averaged(tables, (1,)),
        "not clamped": lambda tables, tree, n: averaged([scaled(t, n) for t in tables], (1,)),
        "clamped before": lambda tables, tree, n: averaged([clamped(scaled(t, n), n) for t in tables], (1,)),
    },
)

SINGLE = JunctionTree(((0,),), (None,))
EDGES, COINS = DependencyGraph(HALF, HALF, HALF, 1), SamplingCoins(default_rng(0))
PAIR = CountTable.of_records((2,), [(0,), (1,)])
test_bad_input = refusal_test(
    refuses("edges", lambda edges: triangulation(2, edges), [(1, 0)], [(0, 2)], [(-1, 0)]),
    refuses("size", lambda size: junction_tree(size, []), 0, True, 1.0),
    refuses("rate", lambda rate: amplified(fmpq(2), rate), fmpq(0), fmpq(2), 1, 0.5),
    refuses("rate", lambda rate: noise_scale(10, rate, fmpq(2), True), fmpq(1, 10)),
    refuses("exp_epsilon", lambda e: noise_scale(10, ONE, e, True), fmpq(1), 2.0, exp(1)),
    refuses("n", lambda n: best_rate(n, fmpq(2)), 0, 1, 1.5),
    refuses("rate", lambda rate: Jtree(rate, EDGES), fmpq(0), fmpq(2), 0.5, None),
    refuses("rows", lambda rows: Jtree(ONE, EDGES).publish(PAIR, NoCellNoise(), rows, COINS), -1, True, 0.5),
    refuses(
        "budget|epsilon", lambda budget: Jtree(ONE, EDGES).on_tables((2,), 1, budget), Budget.of_root(ONE), "x", -1
    ),
    refuses("budget|epsilon", lambda budget: DependencyGraph.of_budget(budget, 2, (2, 2)), Budget.of_root(ONE), "x"),
    refuses("sizes", lambda sizes: DependencyGraph.of_budget(Budget.of_root(fmpq(2)), 2, sizes), (0, 2), (2.0,)),
    refuses_each("cv", lambda cv: DependencyGraph(cv, HALF, HALF, 1), (fmpq(0),), (ONE,), (0.2,)),
    refuses_each("step", lambda step: DependencyGraph(HALF, step, HALF, 1), (fmpq(0),), (1,)),
    refuses_each("alpha", lambda alpha: DependencyGraph(HALF, HALF, alpha, 1), (fmpq(0),), (ONE,)),
    refuses_each("reach", lambda reach: DependencyGraph(HALF, HALF, HALF, reach), (-1,), (True,), (1.0,)),
    refuses(
        "tables", lambda cell: junction_weights([JointTable((0,), (1,), (cell,))], SINGLE, (1,)), fmpq(0), fmpq(-1)
    ),
)
