"""Jtree on arrays: edges, scales and consistent tables are those of the exact program, and so is the law of a row."""

from itertools import combinations, product
from math import isclose, prod
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from cases.refusals import refusal_test, refuses
from dp_refimpl.fast.synthesis import jtree as arrays
from dp_refimpl.fast.synthesis.jtree import ArrayJtree, CliqueArray, NoRecordError, consistent, tree_conditionals
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.synthesis import jtree as exact
from dp_refimpl.synthesis.conditionals import JointTable
from dp_refimpl.synthesis.junction_trees import JunctionTree, junction_tree
from dp_refimpl.synthesis.tables import CountTable

ROUNDING = 2.0**-36
TABLE = CountTable.of_records((2, 3, 2), [(0, 1, 0), (0, 2, 0), (1, 1, 0), (1, 1, 1), (0, 0, 1)])
ARRAY = ArrayTable.of_counts(TABLE)
SIZES = (2, 2, 3, 2, 2)
TREE = junction_tree(5, [(0, 1), (1, 2), (2, 3), (1, 3)])
"""Cliques 01, 123, 4: two hang on the first, one of them by no attribute."""


class Steps:
    """A generator whose noise is so many eighths: for every pair, and for the threshold."""

    def __init__(self, pairs: list[int], common: int) -> None:
        self.pairs, self.common = pairs, common

    def laplace(self, center: float, scale: float, size: int | None = None) -> Any:
        return np.array(self.pairs if size else self.common) / 8


def test_edges_are_those_of_the_same_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the fewest steps that make an edge on, and not before."""
    monkeypatch.setattr(arrays, "require_generator", lambda generator: generator)
    graph, pairs = exact.DependencyGraph(exact.CV, fmpq(1, 8), fmpq(1, 2), 1), list(combinations(range(3), 2))
    least = [graph.missing_steps(TABLE, k, m) for k, m in pairs]
    for common, moves in product((-3, 0, 2), product((-1, 0, 1), repeat=3)):
        noise: Any = Steps([z + common + move for z, move in zip(least, moves, strict=True)], common)
        wanted = {pair for pair, move in zip(pairs, moves, strict=True) if move >= 0}
        assert ArrayJtree((1, 1)).edges(ARRAY, noise) == wanted


@pytest.mark.parametrize("rate", [fmpq(1), fmpq(1, 2)])
@pytest.mark.parametrize("sizes", [(2, 3, 2), (3, 3)])
def test_scales_are_those_of_the_print(rate: fmpq, sizes: Any) -> None:
    table = ArrayTable(sizes, np.zeros((9, len(sizes)), np.int64))
    wanted = exact.noise_scale(9, rate, fmpq(3), binary=sizes != (3, 3))
    assert isclose(ArrayJtree(("ln(3)", 1), rate=rate).scale(table), float(wanted), rel_tol=ROUNDING)


def rational(tables: Any) -> list[JointTable]:
    """The same numbers, exactly."""
    cells = [tuple(fmpq(*float(x).as_integer_ratio()) for x in table.cells.ravel()) for table in tables]
    return [JointTable(t.attributes, t.cells.shape, own) for t, own in zip(tables, cells, strict=True)]


@pytest.mark.parametrize("seed", range(20))
def test_consistent_tables_and_the_law_of_a_row_are_the_exact_ones(seed: int) -> None:
    """Of tables with noise; also where clamping has left a clique impossible with some values of its separator."""
    generator, shapes = np.random.default_rng(seed), [tuple(SIZES[a] for a in clique) for clique in TREE.cliques]
    noisy = [CliqueArray(c, generator.normal(6 / prod(s), 1.5, s)) for c, s in zip(TREE.cliques, shapes, strict=True)]
    tables, wanted = consistent(noisy, TREE, 6), exact.consistent(rational(noisy), TREE, 6)
    for table, other in zip(tables, wanted, strict=True):
        assert np.allclose(table.cells.ravel(), [int(x.p) / int(x.q) for x in other.cells], rtol=0, atol=ROUNDING)
    weights, made = exact.junction_weights(rational(tables), TREE, SIZES), tree_conditionals(tables, TREE)
    total = sum(weights.values(), fmpq(0))
    for record, weight in weights.items():
        share, chance = weight / total, 1.0
        for one in made:
            row = 0
            for p in one.parents:
                row = row * SIZES[p] + record[p]
            chance *= float(one.laws[row, record[one.attribute]])
        assert abs(chance - int(share.p) / int(share.q)) <= ROUNDING


def test_releases_run() -> None:
    """Also at huge noise and of a sample, and the same for the same seed."""
    for rate, rows in product((fmpq(1), fmpq(1, 2)), (None, 0, 7)):
        for program in (ArrayJtree((epsilon, epsilon), rate=rate) for epsilon in ("1/1000000", 1, 10**5)):
            release, again = (program.run(ARRAY, np.random.default_rng(3), rows) for _ in range(2))
            assert (release.data.records == again.data.records).all()
            assert (release.data.n, release.data.sizes) == (5 if rows is None else rows, TABLE.sizes)


RNG = np.random.default_rng(1)
LINE = ArrayTable((2, 2), np.array([[0, 1]]))
EMPTY = CliqueArray((0,), np.zeros(2))
test_bad_input_is_refused = refusal_test(
    refuses("epsilon", lambda e: ArrayJtree((e, 1)), 0, -1, float("inf"), "x"),
    refuses("epsilon", lambda e: ArrayJtree((1, e)), 0, -1),
    refuses("epsilons", ArrayJtree, (1,), (1, 1, 1), 1, None),
    refuses("cv", lambda cv: ArrayJtree((1, 1), cv), fmpq(0), fmpq(1), 0.2),
    refuses("rate", lambda rate: ArrayJtree((1, 1), rate=rate), fmpq(0), fmpq(2), 0.5),
    refuses("n", lambda: ArrayJtree((1, 1)).run(LINE, RNG)),
    refuses("n", lambda: ArrayJtree((1, 1), rate=fmpq(1, 5)).run(ARRAY, RNG)),
    refuses("generator", lambda g: ArrayJtree((1, 1)).run(ARRAY, g), None, 3),
    refuses("rows", lambda rows: ArrayJtree((1, 1)).run(ARRAY, RNG, rows), -1, 1.5),
    refuses("n", lambda n: consistent([EMPTY], JunctionTree(((0,),), (None,)), n), 0, True),
    refuses(
        "cliques",
        lambda: tree_conditionals([EMPTY], JunctionTree(((0,),), (None,))),
        says="((0,),)",
        kind=NoRecordError,
    ),
)
