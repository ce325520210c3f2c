"""Plausible bugs of mechanisms on tables (source 003), as programs made of the right ones with one part replaced.

An item is the number of a data set of `PARAMETERS`. With two records at most, and an e^epsilon that is a power of 2,
all probabilities are rational.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from flint import fmpq

from dp_audit.oracles.synthesis import cells, rows, synthetic_rows
from dp_audit.vectors.bugs import ONE, Bug
from dp_refimpl.coins import Coins, uniform
from dp_refimpl.matrix.geometric import DiscreteLaplace
from dp_refimpl.synthesis.conditionals import Conditional, JointTable
from dp_refimpl.synthesis.information import Information, entropy, entropy_sensitivity
from dp_refimpl.synthesis.network import INFORMATION, IBayes, Network, ParentScore, attribute_filter
from dp_refimpl.synthesis.noisy_tables import HnoisyConditionals, RangeGeometric
from dp_refimpl.synthesis.privbayes import FixedDegree, GreedyBayes
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum, Selection
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.budget import Budget

Program = Callable[[CountTable, Coins], Hashable]
BOTH = (((0, 0), (1, 1)), ((0, 0), (0, 0)))
ONE_OF_TWO = (((0, 0), (1, 1)), ((0, 0), (1, 0)))
"""Data sets of two binary attributes, of which both change, or one."""
CHAIN: Network = ((0, ()), (1, (0,)))
FORK: Network = (*CHAIN, (2, (0,)))
APART: Network = ((0, ()), (1, ()))
_TWO: Mapping[str, object] = {"sizes": (2, 2), "tables": BOTH, "epsilon": "8*ln(2)"}
_CHAIN: Mapping[str, object] = {**_TWO, "tables": ONE_OF_TWO, "network": CHAIN, "degree": 1}
_APART: Mapping[str, object] = {**_TWO, "network": APART, "degree": 0}
_CLUSTER: Mapping[str, object] = {**_TWO, "tables": ONE_OF_TWO, "epsilon": "16*ln(2)", "degree": 1}
_COLUMN: Mapping[str, object] = {
    "sizes": (2,),
    "tables": (((0,), (1,)), ((0,), (0,))),
    "epsilon": "8*ln(2)",
    "network": ((0, ()),),
    "degree": 0,
}
LARGE_IN_ONE_ROW = ((0, 4, 1), (4, 0, 1), (1, 1, 0))
"""A matrix whose entries 1 are large in the last row alone."""
PARAMETERS: Mapping[str, Mapping[str, object]] = {
    "TableSelection": {
        "sizes": (2, 2, 2, 2),
        "tables": (((0, 0, 0, 0), (1, 1, 0, 0)), ((0, 0, 0, 0), (1, 0, 1, 1))),
        "epsilon": "8*ln(2)",
        "candidates": ((1, (0,)), (2, (0,)), (3, (0,))),
    },
    "NoisyJoints": {**_APART, "weights": (1, 3)},
    "NoisyJoints-seed-reused": {**_APART, "tables": ONE_OF_TWO},
    "NoisyJoints-clamp-before-noise": _COLUMN,
    "NoisyJoints-parents-first": _CHAIN,
    "NoisyJoints-normalized-by-rows": {**_CHAIN, "release": "conditionals"},
    "NoisyJoints-prefix-from-the-last-joint": {
        "sizes": (2, 1, 2),
        "tables": (((0, 0, 0),), ((1, 0, 1),)),
        "epsilon": "8*ln(2)",
        "network": FORK,
        "degree": 1,
        "release": "conditionals",
    },
    "PrivBayes": {**_TWO, "degree": 1, "score": "I", "beta": "1/4"},
    "TableSelection-factor-2-dropped-as-if-monotone": {
        "sizes": (2, 2),
        "tables": (((0, 0), (0, 0), (1, 0)), ((0, 0), (0, 0))),
        "epsilon": "8*ln(2)",
        "candidates": ((0, ()), (1, ())),
        "score": "H",
    },
    "NoisyJoints-one-row-repeated": {**_COLUMN, "release": "data"},
    "CalibratedHMPrivBayes": {**_CLUSTER, "partition": ((0, 1),)},
    "CalibratedHMPrivBayes-filter-of-one-row": {
        "sizes": (2, 2, 2),
        "tables": (((0, 0, 0), (1, 1, 1)), ((0, 0, 0), (1, 1, 0))),
        "epsilon": "24*ln(2)",
        "partition": ((0, 1, 2),),
        "degree": 1,
        "release": "networks",
        "matrix": LARGE_IN_ONE_ROW,
        "eta": "1/2",
    },
    "CalibratedHMPrivBayes-whole-budget-for-every-cluster": {
        **_CLUSTER,
        "tables": BOTH,
        "partition": ((0,), (1,)),
        "beta": "1/4",
    },
}
"""By mechanism, or by mechanism and bug."""


def _halved(*times: int) -> RangeGeometric[fmpq]:
    """Return the noise of joint tables: probabilities are halved so often for every step away from the count."""
    return RangeGeometric(tuple(fmpq(1, 2**each) for each in times))


def _selection(halvings: int) -> ExponentialMechanism[fmpq]:
    """Return the exponential mechanism of a budget of so many times ln(2)."""
    return ExponentialMechanism(Budget.of_root(fmpq(2), halvings))


def _selected(score: ParentScore, selection: Selection[fmpq]) -> Program:
    """Return a candidate of a selection."""

    def run(table: CountTable, coins: Coins) -> int:
        scores = [score.value(table, x, (0,)) for x in (1, 2, 3)]
        return selection.choose(scores, score.sensitivity(table.n), coins)

    return run


def _published(network: Network, degree: int, noise: RangeGeometric[fmpq]) -> Program:
    """Return the cells of the noisy joint tables of a network."""
    return lambda table, coins: cells(HnoisyConditionals(noise, degree).noisy_joints(table, network, coins))


def _one_noise(table: CountTable, coins: Coins) -> Hashable:
    """Return the counts with noise drawn for the first joint table, and added to both."""
    n, noise = table.n, DiscreteLaplace(fmpq(1, 4))
    law = (noise.at_least(n), *(noise.prob(z) for z in range(1 - n, n)), noise.at_least(n))
    drawn = coins.choose_each([law, law])
    tables = [[table.marginal((x,)).count((value,)) for value in (0, 1)] for x in (0, 1)]
    return tuple(tuple(min(max(c + z - n, 0), n) for c, z in zip(counts, drawn, strict=True)) for counts in tables)


def _not_clamped(table: CountTable, coins: Coins) -> Hashable:
    """Return cells with noise that is clamped to -1 .. n + 1 instead of 0 .. n."""
    shifted = RangeGeometric((fmpq(1, 16),))
    counts = [table.count((value,)) + 1 for value in (0, 1)]
    return (tuple(int(cell.p) - 1 for cell in shifted.cells(0, counts, table.n + 2, coins)),)


def _transposed(table: CountTable, coins: Coins) -> Hashable:
    ((a, b, c, d),) = cells(_joints(table, CHAIN, 4)(coins))
    return ((a, c, b, d),)


def _joints(table: CountTable, network: Network, *times: int) -> Callable[[Coins], Sequence[JointTable]]:
    return lambda coins: HnoisyConditionals(_halved(*times), 1).noisy_joints(table, network, coins)


def _rows(table: CountTable, coins: Coins) -> Hashable:
    """Return the law of the parent given the attribute instead of that of the attribute given the parent."""
    (joint,) = _joints(table, CHAIN, 4)(coins)
    return rows((Conditional.of_joint(joint, 0, ()), Conditional.of_joint(joint, 0, (1,))))


def _last(table: CountTable, coins: Coins) -> Hashable:
    """Return the law of the root from the last joint table instead of the first."""
    first, last = _joints(table, FORK, 2, 2)(coins)
    return rows(
        tuple(Conditional.of_joint(joint, *pair) for joint, pair in zip((last, first, last), FORK, strict=True))
    )


def _privbayes(networks: int, noise: int) -> Program:
    """Return PrivBayes with these multiples of ln(2) for the network and, halved, for its joint table."""

    def run(table: CountTable, coins: Coins) -> Hashable:
        network = GreedyBayes(_selection(networks), FixedDegree(1), ONE, INFORMATION).build(table, coins)
        return network, _published(network, 1, _halved(noise))(table, coins)

    return run


def _hmprivbayes(clusters: Sequence[Sequence[int]], networks: int, noise: int, chosen: bool = True) -> Program:
    """Return HMPrivBayes with these multiples of ln(2) in every cluster; the root is drawn uniformly unless it is
    chosen."""

    def run(table: CountTable, coins: Coins) -> Hashable:
        parts = []
        for cluster in clusters:
            step = IBayes(_selection(networks), 1)
            first = None if chosen else uniform(coins, cluster, ONE)
            network = step.build(table, cluster, coins) if first is None else step.grow(table, cluster, first, coins)
            parts.append((network, _published(network, 1, _halved(noise))(table, coins)))
        return tuple(parts)

    return run


def _rooted(table: CountTable, coins: Coins) -> int:
    """Return an attribute by its entropy, which a record more may move up and down."""
    scores = [entropy(table, (x,)) for x in (0, 1)]
    return _selection(16).choose(scores, entropy_sensitivity(table.n), coins)


def _row(table: CountTable, coins: Coins) -> Hashable:
    noise = HnoisyConditionals(_halved(4), 0)
    return synthetic_rows(noise.publish(table, ((0, ()),), coins), 1, coins) * table.n


def _filtered(table: CountTable, coins: Coins) -> Hashable:
    matrix = tuple(tuple(map(fmpq, row)) for row in LARGE_IN_ONE_ROW)
    kept = attribute_filter(matrix, fmpq(1, 2), "and")
    return (IBayes(_selection(12), 1, kept=kept).build(table, (0, 1, 2), coins),)


_FIRST_TERM = ParentScore(INFORMATION.value, lambda n: Information(fmpq(n), n))
"""ln(n) / n instead of ln(n) / n + (n - 1) / n ln(n / (n - 1))."""


def _bug(mechanism: str, name: str, says: str, flag: str, program: Program) -> Bug:
    parameters: Any = PARAMETERS.get(f"{mechanism}-{name}", PARAMETERS[mechanism])

    def randomize(item: int, d: int, e: fmpq, coins: Coins) -> Hashable:
        return program(CountTable.of_records(parameters["sizes"], parameters["tables"][item]), coins)

    return Bug(name, mechanism, says, (flag,), randomize)


BUGS = (
    _bug(
        "TableSelection",
        "sensitivity-without-second-term",
        "the sensitivity is ln(n) / n",
        "sensitivity",
        _selected(_FIRST_TERM, _selection(8)),
    ),
    _bug(
        "TableSelection",
        "factor-2-dropped",
        "a weight is e^(eps u / s) instead of e^(eps u / (2 s))",
        "budget",
        _selected(INFORMATION, _selection(16)),
    ),
    _bug(
        "TableSelection",
        "largest-score",
        "the candidate of the largest score is taken",
        "leak",
        _selected(INFORMATION, Maximum()),
    ),
    _bug(
        "TableSelection",
        "factor-2-dropped-as-if-monotone",
        "a weight is e^(eps u / s), as if a record more could not make a score smaller",
        "budget",
        _rooted,
    ),
    _bug(
        "NoisyJoints",
        "one-row-repeated",
        "all synthetic rows are the first one: their draws have one seed",
        "correlation",
        _row,
    ),
    _bug(
        "CalibratedHMPrivBayes",
        "filter-of-one-row",
        "a pair is kept if its entry is large in one of its two rows",
        "sampling",
        _filtered,
    ),
    _bug(
        "NoisyJoints",
        "frequency-noise-on-counts",
        "counts get the noise of frequencies, of scale 2 / (n eps_j)",
        "budget",
        _published(APART, 0, _halved(2, 6)),
    ),
    _bug(
        "NoisyJoints",
        "weights-inverted",
        "a joint table gets a share by the inverse of its weight: private, and another law",
        "budget",
        _published(APART, 0, _halved(3, 1)),
    ),
    _bug(
        "NoisyJoints",
        "whole-budget-for-every-table",
        "every joint table gets the whole budget",
        "budget",
        _published(APART, 0, _halved(4, 4)),
    ),
    _bug("NoisyJoints", "seed-reused", "all joint tables get the same noise", "correlation", _one_noise),
    _bug(
        "NoisyJoints",
        "clamp-before-noise",
        "counts are clamped and noisy counts are not (shown as -1 or n + 1 if outside)",
        "post-processing",
        _not_clamped,
    ),
    _bug("NoisyJoints", "parents-first", "cells are in the order of parents and attribute", "permutation", _transposed),
    _bug(
        "NoisyJoints",
        "normalized-by-rows",
        "the law of the parent given the attribute is published as that of the attribute",
        "permutation",
        _rows,
    ),
    _bug(
        "NoisyJoints",
        "prefix-from-the-last-joint",
        "the law of the root is derived from the last joint table",
        "permutation",
        _last,
    ),
    _bug(
        "PrivBayes",
        "one-cell-moves",
        "the scale is (d - k) / eps_2, as if a replaced record changed one cell",
        "sensitivity",
        _privbayes(2, 6),
    ),
    _bug(
        "CalibratedHMPrivBayes",
        "whole-budget-for-every-choice",
        "eps_2 is not divided by the number of attributes of the cluster",
        "budget",
        _hmprivbayes(((0, 1),), 16, 4),
    ),
    _bug(
        "CalibratedHMPrivBayes",
        "uniform-root",
        "the root is drawn uniformly instead of by its entropy",
        "sampling",
        _hmprivbayes(((0, 1),), 8, 4, chosen=False),
    ),
    _bug(
        "CalibratedHMPrivBayes",
        "whole-budget-for-every-cluster",
        "every cluster gets the whole of eps_2 and eps_3, as in print",
        "budget",
        _hmprivbayes(((0,), (1,)), 4, 6),
    ),
)
