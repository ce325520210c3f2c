"""The programs on arrays are the programs: exactly, on objects; planted faults, integers, refusals."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.faults import nothing_wrong_test
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.matrix import releases
from dp_refimpl.fast.matrix.releases import (
    DiscreteLaplaceArray,
    LaplaceArray,
    compress_array,
    release_array,
    restore_array,
)
from dp_refimpl.fast.matrix.transforms import consistent_leaves, haar_forward, haar_inverse, tree_sums
from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.haar import Haar, Normalization
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.linear_forms import LinearForm
from dp_refimpl.matrix.mechanism import MatrixMechanism, restoration, strategy
from dp_refimpl.matrix.noise import Listed
from dp_refimpl.matrix.parameters import Neighbors, Root, pad
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.weighted_privelet import WeightedPrivelet
from dp_refimpl.matrix.workloads import identity_workload
from mutants.rewriting import planted_test, read_faults

MECHANISMS: list[Mechanism] = [
    Identity(3),
    *(cls(size, b) for cls in (Tree, Boost) for size, b in ((1, 2), (2, 2), (16, 2), (27, 3))),
    *(cls(size, b, Root.OMITTED) for cls in (Tree, Boost) for size, b in ((2, 2), (16, 2), (9, 3))),
    *(cls(size) for cls in (Privelet, WeightedPrivelet) for size in (1, 2, 16)),
    *(Haar(size, kind) for size in (1, 8) for kind in Normalization),
]


def objects(count: int, seed: int) -> Any:
    """Exact numbers of no pattern."""
    numbers = np.empty(count, object)
    numbers[:] = [fmpq((seed + 3) * i * i - 5 * i + 7, i + seed + 1) for i in range(count)]
    return numbers


def product(matrix: Any, vector: Any) -> list[fmpq]:
    return [sum((a * v for a, v in zip(row, vector, strict=True)), fmpq(0)) for row in matrix.tolist()]


def wrong() -> Iterator[str]:
    """Where an array program is not the product with the matrix of the program."""
    for mechanism in MECHANISMS:
        for seed in (1, 2):
            data, noisy = objects(mechanism.size, seed), objects(mechanism.answers, seed)
            if list(releases.compress_array(mechanism, data)) != product(strategy(mechanism), data):
                yield f"{mechanism}: compressed"
            if list(releases.restore_array(mechanism, noisy)) != product(restoration(mechanism), noisy):
                yield f"{mechanism}: restored"


test_array_programs_are_the_exact_matrices = nothing_wrong_test(wrong)


test_planted_faults_are_found = planted_test(read_faults("transforms.toml"), {"arrays": wrong})


class _Listed:
    """Noise that counts up, in the order of the draws."""

    def __init__(self) -> None:
        self.scales: list[Any] = []

    def draws(self, scale: Any, count: int) -> Any:
        start = len(self.scales)
        self.scales += [scale] * count
        return np.array([fmpq(i * i + 1) for i in range(start, start + count)], object)

    def lift(self, values: Any) -> Any:
        return values


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
@pytest.mark.parametrize("neighbors", Neighbors)
def test_noise_has_its_place_and_its_scale(mechanism: Mechanism, neighbors: Neighbors) -> None:
    noise = _Listed()
    data = objects(mechanism.size, 1)
    release = release_array(mechanism, data, noise, neighbors)
    listed = Listed([fmpq(i * i + 1) for i in range(mechanism.answers)])
    assert list(release) == mechanism.release(list(data), listed, neighbors)
    assert noise.scales == mechanism.scales(neighbors)


@given(st.integers(0, 6), st.data())
def test_integers_stay_integers_and_come_back(h: int, data: st.DataObject) -> None:
    """Halves of integers below 2^53 are exact floats."""
    counts = data.draw(st.lists(st.integers(-(2**30), 2**30), min_size=2**h, max_size=2**h))
    values = np.array(counts, np.int64)
    for mechanism in (Privelet(2**h), Boost(2**h), Tree(2**h)):
        image = compress_array(mechanism, values)
        assert image.dtype == np.int64
        assert image.tolist() == [int(v.p) for v in mechanism.compress([fmpq(c) for c in counts])]
    assert haar_inverse(haar_forward(values)).tolist() == counts


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_floats_run_through(mechanism: Mechanism) -> None:
    noise = LaplaceArray(np.random.default_rng(1), 1)
    data = np.arange(mechanism.size)
    answers = restore_array(mechanism, release_array(mechanism, data, noise))
    assert answers.dtype == np.float64
    assert answers.shape == data.shape
    assert np.isfinite(answers).all()
    assert data.tolist() == list(range(mechanism.size))  # nothing is changed in place


def test_laplace_draws_are_the_generators() -> None:
    right = np.random.default_rng(3).laplace(0.0, 8.0, 5)
    assert LaplaceArray(np.random.default_rng(3), "1/2").draws(fmpq(4), 5).tolist() == right.tolist()
    assert LaplaceArray(np.random.default_rng(3), 1).draws(fmpq(0), 2).tolist() == [0, 0]


# --- refusals ---------------------------------------------------------------------------------------------------------

BAD: list[Any] = [
    *(None, [1, 2, 3, 4], np.zeros((2, 2)), np.zeros(0), np.array([1.0, np.nan, 0, 0]), np.array([1.0, np.inf, 0, 0])),
    *(np.array([True, False, True, True]), np.array(["1"] * 4), np.array([2**61, 0, 0, 0]), np.array([1, 2, 3])),
]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(2, 5))
def test_padding(data: list[int], b: int) -> None:
    padded = pad(data, 0, b)
    assert padded[: len(data)] == data
    assert not any(padded[len(data) :])
    assert len(padded) < b * len(data) or len(data) == 1
    Tree(len(padded), b)


RNG = np.random.default_rng(1)
DISCRETE = DiscreteLaplaceArray(ArrayCoins(RNG), 1)
GENERAL = MatrixMechanism(identity_workload(2))
IRRATIONAL = Haar(2, Normalization.ORTHONORMAL).scale(Neighbors.ADD_REMOVE)
OF_ARRAY: tuple[Any, ...] = (
    *(haar_forward, haar_inverse, tree_sums),
    lambda data: release_array(Privelet(4), data, LaplaceArray(RNG, 1)),
    lambda data: restore_array(Privelet(4), data),
)
NO_SIZES = (0, -1, 3, 6, 2.0, True, None, "4", float("nan"))
PROGRAMS = (Privelet(4), WeightedPrivelet(4), Boost(4), Tree(4), Identity(4))
NO_DATA: tuple[Any, ...] = (
    *([], [1, 2, 3], [1, 2, 3, 4, 5], [1, 2, 3, float("nan")], [1, 2, 3, float("inf")], [1, 2, 3, True]),
    *([1, 2, 3, "4"], [1, 2, 3, None], "1234", None, {1, 2, 3, 4}, [1, 2.0, fmpq(3), 4], [LinearForm(), 0, 0, 0]),
)


def restored(mechanism: Any, data: Any) -> Any:
    """Too few answers, or one that is none."""
    return mechanism.restore([*list(data or ())[:1] * (mechanism.answers - 1), None])


test_refusals = refusal_test(
    *(refuses("values|size|coefficients|data|noisy", call, *BAD) for call in OF_ARRAY),
    refuses("noisy", consistent_leaves, *BAD[:-1]),  # three nodes are those of two leaves
    refuses("noisy", lambda: consistent_leaves(np.zeros(4)), says="nodes"),
    refuses("top", lambda: tree_sums(np.zeros(4), 2, 3), says="top"),
    refuses_each(
        "data",
        lambda mechanism, data: release_array(mechanism, data, DISCRETE),
        *((Privelet(4), np.ones(4)), (WeightedPrivelet(4), np.ones(4, np.int64))),
        says="integers",
    ),
    refuses(
        "data",
        lambda data: release_array(Privelet(2), data, LaplaceArray(RNG, 1)),
        np.array([fmpq(1), fmpq(2)], object),
        says="floats",
    ),
    refuses("mechanism", lambda: compress_array(GENERAL, np.ones(2))),
    refuses("mechanism", lambda: restore_array(GENERAL, np.ones(2))),
    refuses("neighbors", lambda kind: release_array(Privelet(2), np.ones(2), LaplaceArray(RNG, 1), kind), "replace"),
    refuses("epsilon", lambda: DiscreteLaplaceArray(ArrayCoins(RNG), "ln(3)"), says="rational"),
    refuses("epsilon / scale", lambda: DISCRETE.draws(fmpq(1, 2**31), 1), says="2^31"),
    refuses("scale", lambda: DISCRETE.draws(IRRATIONAL, 1), says="rational scale"),
    refuses("coins", lambda coins: DiscreteLaplaceArray(coins, 1), None, RNG),
    refuses("generator", lambda generator: LaplaceArray(generator, 1), None),
    *(refuses("size", cls, *NO_SIZES) for cls in (Privelet, WeightedPrivelet, Haar, Tree, Boost)),
    refuses("size", Identity, *(size for size in NO_SIZES if size not in (3, 6))),
    refuses("size", lambda: Tree(10, 3), says="a power of 3, for example 9 or 27 (pad"),
    refuses("size", lambda: Boost(1, 2, Root.OMITTED), says="at least 2 leaves"),
    refuses("branching", lambda b: Tree(4, b), 1, 0, 2.0, None),
    refuses("root", lambda root: Tree(4, 2, root), "root"),
    refuses("normalization", lambda normalization: Haar(4, normalization), "averaged"),
    refuses("size", lambda: pad([], 0)),
    *(refuses("data", lambda data, m=m: m.release(data, Listed([0] * 7)), *NO_DATA) for m in PROGRAMS),
    *(refuses("noisy", lambda data, m=m: restored(m, data), *NO_DATA) for m in PROGRAMS),
)
