"""The programs of all matrix mechanisms: their matrices, scales and errors are the defined ones; planted faults."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.consistency import Boost, least_squares
from dp_refimpl.matrix.haar import Haar, Normalization
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.linear_forms import LinearForm, noise_symbols
from dp_refimpl.matrix.mechanism import MatrixMechanism, coefficients, restoration, strategy
from dp_refimpl.matrix.noise import Listed, NoNoise, Symbols
from dp_refimpl.matrix.parameters import Neighbors, Root, pad, total
from dp_refimpl.matrix.privelet import Privelet, algorithm2
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.weighted_privelet import WeightedPrivelet
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from independent import brute_force_matrices as plain
from independent.numbers import fraction
from mutants.matrix import MUTANTS
from mutants.mechanisms import Members, mutant

ROWS = ((1, 0, 0), (1, 1, 0), (1, 1, 1), (0, -2, 1))
FRACTIONS = (("1/2", "1/3"), ("-1", "2"))


class Expected(NamedTuple):
    """The strategy, the restoration, the squared scale of every answer relative to the common one; which is tight."""

    strategy: plain.Matrix
    restoration: plain.Matrix
    spreads: list[Fraction]
    tight: tuple[Neighbors, ...] = tuple(Neighbors)


def matrix_of(rows: Any) -> fmpq_mat:
    return fmpq_mat([[fmpq(Fraction(e).numerator, Fraction(e).denominator) for e in row] for row in rows])


def instances(cls: type[Any]) -> Iterator[Mechanism]:
    """Small mechanisms of a class, or of a faulty one of it."""
    if issubclass(cls, Tree):
        yield from (cls(size, b) for size, b in ((1, 2), (2, 2), (8, 2), (1, 3), (9, 3), (16, 4)))
        yield from (cls(size, b, Root.OMITTED) for size, b in ((2, 2), (4, 2), (8, 2), (9, 3)))
    elif issubclass(cls, Haar):
        yield from (cls(size, kind) for size in (1, 2, 4, 8, 16) for kind in Normalization)
    elif issubclass(cls, MatrixMechanism):
        yield from (cls(matrix_of(rows)) for rows in (ROWS, FRACTIONS, plain.haar(4), plain.tree(4, 2, True)))
    else:
        yield from (cls(size) for size in ((1, 2, 5) if issubclass(cls, Identity) else (1, 2, 4, 8, 16)))


def expected(mechanism: Any) -> Expected:
    """By the definitions, with Gaussian elimination."""
    size = mechanism.size
    if isinstance(mechanism, Identity):
        rows = plain.identity(size)
    elif isinstance(mechanism, Tree):
        rows = plain.tree(size, mechanism.branching, mechanism.root is Root.RELEASED)
    elif isinstance(mechanism, MatrixMechanism):
        rows = [[fraction(mechanism.matrix[i, j]) for j in range(size)] for i in range(mechanism.matrix.nrows())]
    else:
        rows = plain.haar(size)
    if isinstance(mechanism, Tree) and not isinstance(mechanism, Boost):
        return Expected(
            rows,
            [[Fraction(int(k == len(rows) - size + i)) for k in range(len(rows))] for i in range(size)],
            [Fraction(1)] * len(rows),
        )
    spreads, tight = [Fraction(1)] * len(rows), tuple(Neighbors)
    lengths = plain.leaves_met(rows)
    if isinstance(mechanism, WeightedPrivelet):
        spreads, tight = [Fraction(1, length**2) for length in lengths], (Neighbors.ADD_REMOVE,)
    elif isinstance(mechanism, Haar) and mechanism.normalization is Normalization.ORTHONORMAL:
        spreads = [Fraction(length) for length in lengths]
    if isinstance(mechanism, WeightedPrivelet) or (
        isinstance(mechanism, Haar) and mechanism.normalization is Normalization.AVERAGED
    ):
        rows = [[entry / length for entry in row] for row, length in zip(rows, lengths, strict=True)]
    return Expected(rows, plain.least_squares(rows), spreads, tight)


def entries(matrix: fmpq_mat) -> plain.Matrix:
    return [[fraction(e) for e in row] for row in matrix.tolist()]


def costs(mechanism: Mechanism, matrix: plain.Matrix, neighbors: Neighbors) -> list[Real]:
    """What neighboring data sets cost, in epsilons: the change of every answer divided by its noise scale, summed."""
    scales = [Real.lift(scale) for scale in mechanism.scales(neighbors)]
    return [
        total([abs(change) / scale if change else Real.lift(0) for change, scale in zip(row, scales, strict=True)])
        for row in plain.changes(matrix, neighbors is Neighbors.REPLACE)
    ]


def wrong_scales(mechanism: Mechanism, right: Expected) -> Iterator[str]:
    """The dearest change costs exactly epsilon ([4] takes more noise than that for `replace`)."""
    for neighbors in Neighbors:
        scales, common = mechanism.scales(neighbors), Real.lift(mechanism.scale(neighbors))
        squares = [Real.lift(scale) * scale for scale in scales]
        if squares != [common * common * spread for spread in right.spreads]:
            yield f"{neighbors}: scales {scales}"
            continue
        if common == 0:
            if any(any(row) for row in plain.changes(right.strategy, neighbors is Neighbors.REPLACE)):
                yield f"{neighbors}: no noise"
            continue
        dearest = max(costs(mechanism, right.strategy, neighbors), default=Real.lift(0))
        if dearest != 1 if neighbors in right.tight else dearest > 1:
            yield f"{neighbors}: costs {dearest}"
        if neighbors not in right.tight and common != 2 * (Real.lift(mechanism.scale(Neighbors.ADD_REMOVE))):
            yield f"{neighbors}: not as in the source"


def wrong_ranges(mechanism: Mechanism, right: Expected) -> Iterator[str]:
    """Every range is estimated without bias, and its error is the quadratic form of its own answer."""
    for first, last in plain.ranges(mechanism.size):
        form = mechanism.answer(noise_symbols(mechanism.answers), first, last)
        row = [fraction(c) for c in form.row("z", mechanism.answers)]
        if plain.product([row], right.strategy) != [plain.ones(mechanism.size, first, last)]:
            yield f"{first}..{last}: answered by {row}"
        if isinstance(mechanism, Tree) and not isinstance(mechanism, Boost):
            root = mechanism.root is Root.RELEASED
            error = Fraction(plain.fewest_nodes(mechanism.size, mechanism.branching, root, first, last))
        else:
            best = [total(list(column)) for column in zip(*right.restoration[first - 1 : last], strict=True)]
            error = total([b * b * spread for b, spread in zip(best, right.spreads, strict=True)])
        if fraction(mechanism.range_coefficient(first, last)) != error:
            yield f"{first}..{last}: error {mechanism.range_coefficient(first, last)}"
        if total([c * c * spread for c, spread in zip(row, right.spreads, strict=True)]) != error:
            yield f"{first}..{last}: error of the form"


def wrong(mechanism: Mechanism) -> Iterator[str]:
    right = expected(mechanism)
    if entries(strategy(mechanism)) != right.strategy:
        yield "strategy"
    if entries(restoration(mechanism)) != right.restoration:
        yield "restoration"
    if [fraction(spread) for spread in mechanism.spreads()] != right.spreads:
        yield "spreads"
    yield from wrong_scales(mechanism, right)
    yield from wrong_ranges(mechanism, right)


INSTANCES = [mechanism for cls in MUTANTS for mechanism in instances(cls)]


@pytest.mark.parametrize("mechanism", INSTANCES, ids=str)
def test_a_program_has_the_matrices_scales_and_errors_of_its_definition(mechanism: Mechanism) -> None:
    assert list(wrong(mechanism)) == []


@pytest.mark.parametrize(
    ("cls", "members"),
    [
        pytest.param(cls, faults[name], id=f"{cls.__name__}-{name}")
        for cls, faults in MUTANTS.items()
        for name in faults
    ],
)
def test_planted_faults_are_caught(cls: type[Any], members: Members) -> None:
    """By the first of the instances, in order, in which the fault shows."""
    assert any(fault for mechanism in instances(mutant(cls, members)) for fault in wrong(mechanism))


@given(st.sampled_from(INSTANCES), st.data())
def test_without_noise_the_data_come_back(mechanism: Mechanism, data: st.DataObject) -> None:
    """Integers, rationals and floats (small dyadic sums are exact) agree."""
    counts = data.draw(st.lists(st.integers(-9, 99), min_size=mechanism.size, max_size=mechanism.size))
    exact = [fmpq(count) for count in counts]
    released = mechanism.release(counts, NoNoise(0))
    assert released == mechanism.release(exact, NoNoise(fmpq(0)))
    assert mechanism.restore(released) == exact
    first = data.draw(st.integers(1, mechanism.size))
    last = data.draw(st.integers(first, mechanism.size))
    assert mechanism.answer(released, first, last) == sum(counts[first - 1 : last])
    assert all(isinstance(value, fmpq) for value in mechanism.restore(released))
    if isinstance(mechanism, Privelet | WeightedPrivelet):
        assert mechanism.restore(mechanism.release([float(c) for c in counts], NoNoise(0.0))) == counts


@given(st.sampled_from([m for m in INSTANCES if isinstance(m, Boost)]), st.data())
def test_two_passes_are_least_squares(mechanism: Boost, data: st.DataObject) -> None:
    size = mechanism.answers
    noisy = data.draw(st.lists(st.integers(-99, 99), min_size=size, max_size=size))
    assert mechanism.restore(noisy) == least_squares(mechanism, noisy)
    assert mechanism.restore(noisy) == MatrixMechanism(strategy(mechanism)).restore(noisy)


@given(st.sampled_from(INSTANCES), st.sampled_from(Neighbors), st.data())
def test_noise_is_added_in_the_order_in_which_it_is_drawn(
    mechanism: Mechanism, neighbors: Neighbors, data: st.DataObject
) -> None:
    numbers = st.fractions(-9, 9, max_denominator=9).map(lambda f: fmpq(f.numerator, f.denominator))
    counts = data.draw(st.lists(numbers, min_size=mechanism.size, max_size=mechanism.size))
    drawn = data.draw(st.lists(numbers, min_size=mechanism.answers, max_size=mechanism.answers))
    noise = Listed(drawn)
    released = mechanism.release(counts, noise, neighbors)
    noise.require_finished()
    exact = mechanism.release(counts, NoNoise(fmpq(0)))
    assert released == [c + z for c, z in zip(exact, drawn, strict=True)]
    errors = [a - b for a, b in zip(mechanism.restore(released), counts, strict=True)]
    assert errors == mechanism.restore(drawn)


@pytest.mark.parametrize("h", range(7))
def test_algorithm_2_is_the_restoration_of_algorithm_1(h: int) -> None:
    assert algorithm2(h) == restoration(Privelet(2**h))


def test_the_matrices_that_are_printed() -> None:
    assert strategy(Privelet(4)) == fmpq_mat([[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, 0, 0], [0, 0, 1, -1]])
    rows = [["1/4", "1/4", "1/2", 0], ["1/4", "1/4", "-1/2", 0], ["1/4", "-1/4", 0, "1/2"], ["1/4", "-1/4", 0, "-1/2"]]
    assert algorithm2(2) == matrix_of(rows)


def test_formal_noise_records_the_scales() -> None:
    noise = Symbols()
    WeightedPrivelet(4).release(noise_symbols(4), noise, Neighbors.REPLACE)
    assert noise.scales == [fmpq(6, 4), fmpq(6, 4), fmpq(3), fmpq(3)]


@pytest.mark.parametrize("h", range(1, 6))
def test_weighted_privelet_is_privelet(h: int) -> None:
    """W(g) g is the coefficient of (3), and the estimates have the same covariance."""
    weighted, plain_form = WeightedPrivelet(2**h), Privelet(2**h)
    rows = [[w * e for e in row] for w, row in zip(weighted.weights, entries(strategy(weighted)), strict=True)]
    assert rows == entries(strategy(plain_form))
    assert coefficients(weighted) == coefficients(plain_form)
    assert weighted.scale(Neighbors.ADD_REMOVE) == plain_form.scale(Neighbors.ADD_REMOVE)


class _Twice(Identity):
    """Adds the noise of the neighbor, too."""

    def release(self, data: Any, noise: Any, neighbors: Neighbors = Neighbors.ADD_REMOVE) -> Any:
        answers = super().release(data, noise, neighbors)
        return [answers[0] + answers[1], *answers[1:]]


def test_a_strategy_has_independent_noise() -> None:
    with pytest.raises(DomainError, match="one noise variable, z_1"):
        strategy(_Twice(2))


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(2, 5))
def test_padding(data: list[int], b: int) -> None:
    padded = pad(data, 0, b)
    assert padded[: len(data)] == data
    assert not any(padded[len(data) :])
    assert len(padded) < b * len(data) or len(data) == 1
    Tree(len(padded), b)


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
    *(refuses("neighbors", m.scale, "addremove", None, True) for m in (*PROGRAMS, Haar(4))),
    refuses("neighbors", MatrixMechanism(matrix_of(ROWS)).scale, "addremove", None, True),
)
