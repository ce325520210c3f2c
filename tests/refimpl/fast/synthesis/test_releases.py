"""Joint tables, conditional distributions and rows on arrays follow the exact programs; whole releases run."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from math import isclose
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.fast.synthesis import row_laws
from dp_refimpl.fast.synthesis.joint_tables import NoJointNoise, WeightedNoise
from dp_refimpl.fast.synthesis.network import ArrayGreedyBayes, ArrayIBayes
from dp_refimpl.fast.synthesis.record_arrays import MOST_CELLS, ArrayTable
from dp_refimpl.fast.synthesis.releases import (
    ArrayHMPrivBayes,
    ArrayPrivBayes,
    ArrayRelease,
    hmprivbayes,
    privbayes,
)
from dp_refimpl.fast.synthesis.row_laws import ArrayConditional, conditionals, draw_records
from dp_refimpl.fast.synthesis.selection import ExponentialArray, MaximumArray
from dp_refimpl.matrix.geometric import DiscreteLaplace
from dp_refimpl.synthesis.conditionals import (
    Conditional,
    JointTable,
    UndefinedConditionalError,
    UnderivableError,
    draw_row,
)
from dp_refimpl.synthesis.hmprivbayes import NotComputedError
from dp_refimpl.synthesis.network import Network
from dp_refimpl.synthesis.noisy_tables import (
    HnoisyConditionals,
    NoCellNoise,
    entropy_weights,
    noise_scales,
)
from dp_refimpl.synthesis.privbayes import (
    SCORES,
    DomainBound,
    FixedDegree,
    GreedyBayes,
    PrivBayes,
    joint_scale,
    useful_domain,
)
from dp_refimpl.synthesis.selection import RealExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable, domain_records

RELATIVE = 2.0**-40
"""What a handful of operations on 53 bits can change, with room to spare."""
SIZES = (2, 3, 2)
RECORDS = [(0, 1, 0), (0, 1, 1), (1, 2, 0), (1, 0, 0), (1, 2, 1)]
TABLE = CountTable.of_records(SIZES, RECORDS)
ARRAY = ArrayTable.of_counts(TABLE)
NETWORK: Network = ((1, ()), (0, (1,)), (2, (0, 1)))
CELLS = st.lists(st.integers(-3, 9), min_size=12, max_size=12)


def laws(conditional: ArrayConditional) -> list[Any]:
    return [None if np.isnan(row[0]) else row for row in conditional.laws.tolist()]


def exact_laws(conditional: Conditional) -> list[Any]:
    return [None if law is None else [int(p.p) / int(p.q) for p in law] for _, law in conditional.rows]


@given(
    CELLS, st.sampled_from([(0, ()), (1, (0,)), (0, (2, 1)), (2, (0, 1))]), st.sampled_from(["uniform", "undefined"])
)
def test_conditionals_are_the_exact_ones(cells: list[int], pair: Any, empty: Any) -> None:
    """Of whole numbers of records they are the nearest floats."""
    joint = JointTable((2, 0, 1), (2, 2, 3), tuple(map(fmpq, cells)))
    x, parents = pair
    conditional = ArrayConditional.of_joint(np.array(cells, np.float64).reshape(2, 2, 3), (2, 0, 1), x, parents, empty)
    assert laws(conditional) == exact_laws(Conditional.of_joint(joint, x, parents, empty))
    assert (conditional.attribute, conditional.parents) == pair


class Columns:
    """A generator whose k-th array of uniform numbers is the k-th column of a matrix."""

    def __init__(self, uniform: Any) -> None:
        self.uniform, self.used = uniform, count()

    def random(self, size: int) -> Any:
        return self.uniform[:size, next(self.used)]


class Row:
    """Coins that decide by the numbers of a row, one after the other, where a probability law has its edges."""

    def __init__(self, uniform: Sequence[float]) -> None:
        self.uniform = iter(uniform)

    def choose(self, probabilities: Sequence[Any]) -> int:
        edges, uniform = np.cumsum([float(p) for p in probabilities]), next(self.uniform)
        return next(i for i, edge in enumerate(edges.tolist()) if uniform < edge or i + 1 == len(edges))

    def choose_each(self, laws: Sequence[Sequence[Any]]) -> tuple[int, ...]:
        return tuple(map(self.choose, laws))


def test_rows_follow_the_same_decisions() -> None:
    program = HnoisyConditionals(NoCellNoise(), 2)
    exact = program.publish(TABLE, NETWORK, SamplingCoins(np.random.default_rng(0)))
    joints = program.noisy_joints(TABLE, NETWORK, SamplingCoins(np.random.default_rng(0)))
    arrays = [np.array([float(c) for c in joint.cells]).reshape(joint.sizes) for joint in joints]
    uniform = np.random.default_rng(5).random((200, 3))
    generator: Any = Columns(uniform)
    table = draw_records([conditionals(NETWORK, arrays)], SIZES, 200, generator)
    assert [tuple(row) for row in table.records.tolist()] == [draw_row(exact, Row(row)) for row in uniform.tolist()]
    assert len(set(map(tuple, table.records.tolist()))) > 4


def test_rows_come_in_blocks_and_clusters_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_laws, "_BLOCK", 3)
    one = [ArrayConditional(1, (), np.array([[0.0, 1.0]]))]
    other = [
        ArrayConditional(2, (), np.array([[0.5, 0.5]])),
        ArrayConditional(0, (2,), np.array([[0.0, 1.0], [1.0, 0.0]])),
    ]
    records = draw_records([one, other], (2, 2, 2), 50, np.random.default_rng(1)).records
    assert records[:, 1].all()
    assert (records[:, 0] + records[:, 2] == 1).all()
    assert 0 < records[:, 0].sum() < 50


@pytest.mark.parametrize("base", ["values", "records"])
def test_scales_are_those_of_the_print(base: Any) -> None:
    """n times the scales of frequencies."""
    weights: Any = entropy_weights(TABLE, [x for x, _ in NETWORK], base)
    exact = noise_scales(TABLE.n, arb("0.75"), [arb(w) if isinstance(w, fmpq) else w for w in weights])
    scales = WeightedNoise("3/4", base).scales(ARRAY, NETWORK)
    assert all(isclose(s, TABLE.n * float(b), rel_tol=RELATIVE) for s, b in zip(scales.tolist(), exact, strict=True))
    given_weights = WeightedNoise("3/4", {0: 1.0, 1: 2.0, 2: 1.0}).scales(ARRAY, NETWORK)
    assert given_weights.tolist() == pytest.approx([16 / 3, 32 / 3, 32 / 3], rel=RELATIVE)
    scale = TABLE.n * joint_scale(TABLE.n, 3, fmpq(3, 4))
    assert WeightedNoise("3/4", "equal").scales(ARRAY, NETWORK).tolist() == pytest.approx([float(scale)] * 3)


class Shifts:
    """A generator whose draws are their scale, or what is handed to it."""

    def laplace(self, center: float, scale: float, shape: Any) -> Any:
        return np.full(shape, center + scale)

    def exponential(self, scale: float, shape: Any) -> Any:
        return scale * np.arange(np.prod(shape)).reshape(shape)


def test_noise_is_added_to_counts() -> None:
    generator: Any = Shifts()
    noise = WeightedNoise(2, "equal")
    tables = noise.noisy(ARRAY, NETWORK, generator)
    for cells, (x, parents) in zip(tables, NETWORK, strict=True):
        assert (cells == ARRAY.joint((x, *parents)) + 3).all()
    clamped = WeightedNoise(2, "equal", "geometric").noisy(ARRAY, NETWORK, generator)
    assert all(
        (cells == ARRAY.joint((x, *parents))).all() for cells, (x, parents) in zip(clamped, NETWORK, strict=True)
    )


def test_geometric_noise_has_its_law() -> None:
    """alpha = e^(-omega epsilon / 2), ends included: no frequency of 39,999 draws is 5 standard deviations away."""
    table = ArrayTable((200, 200), np.zeros((5, 2), np.int64))
    noise = WeightedNoise(1, "equal", "geometric")
    cells = noise.noisy(table, ((0, ()), (1, (0,))), np.random.default_rng(2))[1].ravel()[1:]
    law = DiscreteLaplace((-arb(1) / 4).exp())
    chances = [law.at_least(0), *(law.prob(z) for z in range(1, 5)), law.at_least(5)]
    for value, chance in enumerate(map(float, chances)):
        assert abs(int((cells == value).sum()) - len(cells) * chance) < 5 * (len(cells) * chance) ** 0.5


def test_privbayes_by_theta_has_all_joint_tables() -> None:
    """Without noise its conditional distributions are those of the exact program."""
    rule = DomainBound(useful_domain(TABLE.n, 3, fmpq(24), fmpq(10, 3)))
    assert rule.bound == 6
    program = ArrayPrivBayes(ArrayGreedyBayes(ExponentialArray(1), rule, "I-general"), NoJointNoise())
    release = program.run(ARRAY, np.random.default_rng(3), 4)
    assert [len(parents) for _, parents in release.networks[0]] == [0, 1, 1]
    assert len(release.joints[0]) == 3
    exact = PrivBayes(GreedyBayes(RealExponentialMechanism(1), rule, arb(1), SCORES["I-general"]), NoCellNoise())
    wanted = exact.conditionals(TABLE, release.networks[0], SamplingCoins(np.random.default_rng(0)))
    assert [laws(one) for one in release.conditionals[0]] == [exact_laws(one) for one in wanted]


def test_private_releases_run() -> None:
    """Also at huge noise, and the same for the same seed."""
    for epsilon in ("1/1000000", 1, 10**5):
        runs: list[Any] = [
            lambda g, e=epsilon: hmprivbayes(ARRAY, ((1, 2), (0,)), (e, e), 2, g),
            lambda g, e=epsilon: privbayes(ARRAY, (e, e), 1, g, 9, score="I"),
            lambda g: EXACT.run(ARRAY, ((0, 1, 2),), g, 0).data,
        ]
        for run, rows in zip(runs, (5, 9, 0), strict=True):
            records, again = (run(np.random.default_rng(4)).records for _ in range(2))
            assert records.shape == (rows, 3)
            assert (records == again).all()


def test_one_attribute_one_cluster_and_no_parents() -> None:
    column = ArrayTable((2,), np.array([[0], [1], [1]]))
    assert hmprivbayes(column, ((0,),), (1, 1), 1, np.random.default_rng(1)).n == 3
    assert privbayes(column, (1, 1), 0, np.random.default_rng(1)).n == 3
    constant = ArrayTable((1, 2), np.array([[0, 1], [0, 1]]))
    program = ArrayHMPrivBayes(ArrayIBayes(ExponentialArray(1), 1), WeightedNoise(1, "equal"))
    release: ArrayRelease = program.run(constant, ((0, 1),), np.random.default_rng(1))
    assert not release.data.records[:, 0].any()


# --- refusals ---------------------------------------------------------------------------------------------------------

RNG = np.random.default_rng(1)
NONE = ArrayTable((2, 2), np.zeros((0, 2), np.int64))
HALVES = ArrayConditional(0, (), np.array([[0.5, 0.5]]))
UNDEFINED = ArrayConditional(1, (0,), np.array([[0.5, 0.5], [np.nan, np.nan]]))
EXACT = ArrayHMPrivBayes(ArrayIBayes(MaximumArray(), 1), NoJointNoise())
ONES = ArrayConditional(0, (), np.array([[0.0, 1.0]]))

test_bad_input_is_refused = refusal_test(
    refuses("epsilon", WeightedNoise, 0, -1, float("inf"), float("nan")),
    refuses("weights", lambda weights: WeightedNoise(1, weights), "data", ""),
    refuses("law", lambda law: WeightedNoise(1, "equal", law), "gauss"),
    refuses("weights", lambda w: WeightedNoise(1, w).scales(ARRAY, NETWORK), {}, {0: 1, 1: 0.0, 2: 1}, {1: np.nan}),
    refuses("weights", lambda w: WeightedNoise(1, w).scales(ARRAY, ((0, ()),)), {0: "1"}, {0: None}),
    refuses("weights", lambda: WeightedNoise(1).scales(ArrayTable((1,), np.array([[0]])), ((0, ()),))),
    refuses("n", lambda: WeightedNoise(1).scales(NONE, ((0, ()),))),
    refuses("attributes", lambda: ArrayConditional.of_joint(np.ones((2, 2)), (0, 1), 0, (2,)), kind=UnderivableError),
    refuses_each("joints", conditionals, (NETWORK, []), (NETWORK, [np.ones(3)] * 4)),
    refuses("rows", lambda rows: draw_records([[HALVES]], (2,), rows, RNG), -1, True, 1.0, MOST_CELLS + 1),
    refuses("parents", lambda: draw_records([[ONES, UNDEFINED]], (2, 2), 1, RNG), kind=UndefinedConditionalError),
    refuses("partition", lambda p: hmprivbayes(ARRAY, p, (1, 1), 1, RNG), ((0, 1),), ((0, 1), (1, 2)), ((0, 1, 2), ())),
    refuses("order", lambda order: replace(EXACT, order=order), "lines", None),
    refuses(
        "conditionals", lambda: replace(EXACT, order="listing").run(ARRAY, ((0, 1, 2),), RNG), kind=NotComputedError
    ),
    refuses("joint", lambda: privbayes(ARRAY, (1, 1), 1, RNG), says="two values of X"),
    refuses("n", lambda: hmprivbayes(NONE, ((0, 1),), (1, 1), 1, RNG)),
    refuses("n", lambda: privbayes(NONE, (1, 1), 1, RNG)),
    refuses("table", lambda table: hmprivbayes(table, ((0,),), (1, 1), 1, RNG), None, ARRAY.records, ARRAY.counts),
    refuses("table", lambda table: privbayes(table, (1, 1), 1, RNG), None, ARRAY.records),
    refuses("epsilons", lambda parts: hmprivbayes(ARRAY, ((0, 1, 2),), parts, 1, RNG), (1,), (1, 1, 1), 1, None),
    refuses("epsilons", lambda parts: privbayes(ARRAY, parts, 1, RNG), (1,), (1, 1, 1), 1, None),
    refuses("degree", lambda degree: privbayes(ARRAY, (1, 1), degree, RNG), 3, -1, None),
    refuses("degree", lambda degree: hmprivbayes(ARRAY, ((0, 1, 2),), (1, 1), degree, RNG), 3, 9, -1, float("nan")),
    refuses("sizes", lambda: EXACT.run(ArrayTable((2**20,) * 2, np.zeros((2, 2), np.int64)), ((0, 1),), RNG)),
    refuses("generator", lambda g: EXACT.run(ARRAY, ((0, 1, 2),), g), None, 1, np.random),
    refuses(
        "generator",
        lambda g: ArrayPrivBayes(ArrayGreedyBayes(MaximumArray(), FixedDegree(1)), NoJointNoise()).run(ARRAY, g),
        1,
    ),
)


def test_a_law_that_is_not_needed_may_be_missing() -> None:
    zeros = ArrayConditional(0, (), np.array([[1.0, 0.0]]))
    assert draw_records([[zeros, UNDEFINED]], (2, 2), 20, RNG).n == 20


def test_records_of_the_domain() -> None:
    """Drawn values are in their domains, whatever rounding does at the last edge."""
    thirds = ArrayConditional(0, (), np.full((1, 3), 1 / 3))
    generator: Any = Columns(np.full((4, 1), 1 - 2.0**-53))
    assert draw_records([[thirds]], (3,), 4, generator).records.ravel().tolist() == [2] * 4
    assert len(list(domain_records(SIZES))) == 12
