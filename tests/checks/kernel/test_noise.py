"""The cards *noise* and *spectra* against explicit matrices of small trees: all neighbors, all pairs, all ranges; the
ratio of densities, the chances of integers, and the integral of Laplace noise."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import acb, arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_checks.kernel import Rejected
from dp_checks.kernel.additive import derived, queries
from dp_checks.kernel.cards import noise, spectra
from dp_checks.kernel.domains import Region
from dp_checks.kernel.terms import evaluate
from dp_checks.kernel.work import limited
from independent import plain_trees
from independent.plain_trees import Level

F = Fraction
Json = dict[str, Any]


def one(s: int, h: int) -> Fraction:
    return F(1)


def row(kind: str, first: Any, last: Any, weight: Any, scale: Any) -> list[Any]:
    return [kind, first, last, weight, scale]


DOWN, STEP = ["pow", 2, ["neg", "s"]], ["add", "s", 1]
WHOLE = row("sums", 0, "h", 1, ["add", "h", 1])
WITHOUT_ROOT = row("sums", 0, ["sub", "h", 1], STEP, ["div", 1, STEP])
ROOT = row("sums", "h", "h", ["pow", 2, ["neg", "h"]], ["div", "h", 3])
DIFFERENCES = row("differences", 1, "h", DOWN, ["mul", 2, DOWN])
LEAVES = row("sums", 0, 0, 2, 5)
INNER = row("sums", 1, "h", 3, 1)
BACK = ["sub", "s", 2]


def level(of: list[Any], h: int) -> Level:
    """The same row by functions."""
    if of is WHOLE:
        return Level("sums", 0, h, one, lambda s, h: F(h + 1), lambda s, h: F(s - 2))
    if of is WITHOUT_ROOT:
        return Level("sums", 0, h - 1, lambda s, h: F(s + 1), lambda s, h: F(1, s + 1), lambda s, h: F(s - 2))
    if of is ROOT:
        return Level("sums", h, h, lambda s, h: F(1, 2**h), lambda s, h: F(h, 3), lambda s, h: F(s - 2))
    if of is DIFFERENCES:
        return Level("differences", 1, h, lambda s, h: F(1, 2**s), lambda s, h: F(2, 2**s), lambda s, h: F(s - 2))
    if of is LEAVES:
        return Level("sums", 0, 0, lambda s, h: F(2), lambda s, h: F(5), lambda s, h: F(s - 2))
    assert of is INNER
    return Level("sums", 1, h, lambda s, h: F(3), one, lambda s, h: F(s - 2))


TREES = [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)]
ROWS = [
    [WHOLE],
    [WITHOUT_ROOT],
    [ROOT, DIFFERENCES],
    [LEAVES, INNER],
    [WITHOUT_ROOT, ROOT],
    [DIFFERENCES, WHOLE, WHOLE],
]
CASES = [
    pytest.param(b, h, rows, id=f"{b}^{h}-{number}")
    for (b, h), (number, rows) in product(TREES, enumerate(ROWS))
    if b == 2 or DIFFERENCES not in rows
]


def law(b: int, rows: list[Any], **more: Any) -> Json:
    return {"mechanism": "", "noise": "laplace", "branching": b, "rows": rows, "restored": [BACK] * len(rows), **more}


def quantity(of: Json, what: str, which: str, **values: int) -> Fraction:
    """A quantity of a law at numbers, as the kernel derives it."""
    at = Region({name: F(x) for name, x in values.items()}, {}, bits=64)
    found = evaluate(derived({"law": of, "of": [what, which]}, at), at.values, 64)
    assert isinstance(found, Fraction)
    return found


@pytest.mark.parametrize(("b", "h", "rows"), CASES)
def test_queries_are_those_that_are_written_out(b: int, h: int, rows: list[Any]) -> None:
    found = [plain_trees.Query(*query) for query in queries(law(b, rows), {"h": F(h)})]
    assert found == plain_trees.tree(b, h, [level(x, h) for x in rows])


@pytest.mark.parametrize(("b", "h", "rows"), CASES)
def test_the_distance_of_neighbors_is_the_largest_of_all(b: int, h: int, rows: list[Any]) -> None:
    written = plain_trees.tree(b, h, [level(x, h) for x in rows])
    for neighbors, scaled in product(("addremove", "replace"), (False, True)):
        found = quantity(law(b, rows), "loss" if scaled else "sensitivity", neighbors, h=h)
        assert found == max(plain_trees.distances(written, neighbors, scaled))


@pytest.mark.parametrize(("b", "h", "rows"), CASES)
def test_products_have_the_entries_of_the_matrices(b: int, h: int, rows: list[Any]) -> None:
    written = plain_trees.tree(b, h, [level(x, h) for x in rows])
    for what in ("gram", "returned", "coefficient", "covariance"):
        compare(law(b, rows), what, plain_trees.product(what, written), b, h)


def compare(of: Json, what: str, matrix: plain_trees.Matrix, b: int, h: int) -> None:
    by_height = {k: quantity(of, what, "pair", h=h, k=k) for k in range(1, h + 1)}
    by_height[0] = quantity(of, what, "diagonal", h=h)
    for i, j in product(range(b**h), repeat=2):
        assert matrix[i][j] == by_height[plain_trees.common(i, j, b)], (what, i, j)
    assert quantity(of, what, "ranges", h=h) == plain_trees.over_ranges(matrix)


@pytest.mark.parametrize(("b", "h", "rows"), CASES)
def test_least_squares_invert_the_matrix(b: int, h: int, rows: list[Any]) -> None:
    gram = plain_trees.product("gram", plain_trees.tree(b, h, [level(x, h) for x in rows]))
    if LEAVES in rows and h > 1:
        with pytest.raises(Rejected, match="a gap"):
            quantity(law(b, rows), "least squares", "diagonal", h=h)
    else:
        compare(law(b, rows), "least squares", plain_trees.inverse(gram), b, h)


@pytest.mark.parametrize("rows", [[DIFFERENCES], [INNER]])
def test_singular_queries_have_no_least_squares(rows: list[Any]) -> None:
    with pytest.raises(ZeroDivisionError):
        plain_trees.inverse(plain_trees.product("gram", plain_trees.tree(2, 2, [level(x, 2) for x in rows])))
    with pytest.raises(ZeroDivisionError):
        quantity(law(2, rows), "least squares", "diagonal", h=2)


@pytest.mark.parametrize(("b", "h"), TREES)
def test_blocks_are_summed_over_all_ranges(b: int, h: int) -> None:
    for s in range(h + 1):
        found = evaluate(spectra.in_ranges(b, s), {"h": F(h)})
        assert found == plain_trees.over_ranges(plain_trees.together(b, h, s))


@pytest.mark.parametrize("h", [0, 1])
def test_a_tree_of_one_count(h: int) -> None:
    """h = 0: the root is the leaf."""
    of = law(2, [WHOLE])
    for what, value in (("sensitivity", h + 1), ("loss", 1)):
        assert quantity(of, what, "addremove", h=h) == value
    assert quantity(of, "gram", "ranges", h=h) == [1, 10][h]
    if h == 0:
        assert quantity(of, "least squares", "diagonal", h=0) == 1
        with pytest.raises(Rejected, match="one count exchanges nothing"):
            quantity(of, "loss", "replace", h=0)


# --- noise ------------------------------------------------------------------------------------------------------------

numbers = st.fractions(-5, 5, max_denominator=6)
scales = st.fractions(F(1, 5), 4, max_denominator=6)


@given(numbers, numbers, scales, st.lists(numbers, max_size=8))
def test_no_answer_tells_neighbors_apart_better_than_the_answer_itself(
    a: Fraction, other: Fraction, scale: Fraction, answers: list[Fraction]
) -> None:
    """The logarithm of the ratio of two Laplace densities."""

    def logarithm(y: Fraction) -> Fraction:
        return (abs(y - other) - abs(y - a)) / scale

    largest = abs(a - other) / scale
    assert all(logarithm(y) <= largest for y in answers)
    assert logarithm(a) == largest
    beyond = a + (a - other)
    assert logarithm(beyond) == largest  # and at all answers on that side of a


@given(st.integers(-4, 4), st.integers(-4, 4), st.fractions(F(1, 9), F(8, 9), max_denominator=9))
def test_discrete_noise_has_the_same_loss_on_the_integers(a: int, other: int, q: Fraction) -> None:
    """Chances proportional to q^|x|, q = e^(-1/scale): of any number of integers, less what lies beyond."""
    window = range(-20, 21)
    chance = {x: (1 - q) / (1 + q) * q ** abs(x) for x in range(-25, 26)}
    assert sum(chance.values()) == 1 - 2 * q**26 / (1 + q)
    ratios = [chance[y - a] / chance[y - other] for y in window]
    assert max(ratios) == (1 / q) ** abs(a - other)


@pytest.mark.parametrize("scale", [fmpq(1, 2), fmpq(1), fmpq(3)])
def test_the_variance_of_laplace_noise(scale: fmpq) -> None:
    """Enclosures of the integral of x^2 e^(-x/c) / c up to 60 c: 2 c^2, but for what is beyond, which is tiny."""
    c, end = acb(scale), acb(60 * scale)
    found = acb.integral(lambda x, _: x * x * (-x / c).exp() / c, acb(0), end).real
    beyond = (-arb(60)).exp() * arb(60 * scale + 60 * scale + scale) ** 2  # >= (X^2 + 2 c X + 2 c^2) e^(-X / c)
    assert found.rad() < arb(2) ** -30
    assert beyond < arb(2) ** -60
    assert abs(found - arb(2 * scale**2)) < beyond + 2 * found.rad()
    stated = evaluate(noise.times_variance(law(2, []), "c", 1), {"c": F(int(scale.p), int(scale.q))})
    assert stated == F(int((2 * scale**2).p), int((2 * scale**2).q))


def test_the_variance_of_discrete_noise_is_not_that_of_laplace_noise() -> None:
    """q = 1/2, scale 1 / log 2: the variance is 2 q / (1 - q)^2 = 4, and 2 scale^2 < 5."""
    q = F(1, 2)
    partial = sum(((1 - q) / (1 + q) * q ** abs(x) * x * x for x in range(-60, 61)), F(0))
    assert 4 - F(1, 2**40) < partial < 4
    with pytest.raises(Rejected, match="the variance of Laplace noise"):
        noise.times_variance(law(2, [], noise="discrete"), "c", 1)


# --- cards ------------------------------------------------------------------------------------------------------------


def used(what: str, which: str) -> Iterator[str]:
    with limited() as meter:
        quantity(law(2, [WHOLE]), what, which, h=2, k=1)
    yield from sorted(meter.cards)


def test_cards_are_noted_where_they_are_used() -> None:
    assert list(used("loss", "replace")) == ["noise"]
    assert list(used("sensitivity", "addremove")) == ["noise"]
    assert list(used("covariance", "pair")) == ["noise"]
    assert list(used("coefficient", "ranges")) == ["spectra"]
    assert list(used("covariance", "ranges")) == ["noise", "spectra"]
    assert list(used("least squares", "pair")) == ["spectra"]
    assert list(used("returned", "pair")) == []
