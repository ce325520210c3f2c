"""The cards *noise* and *spectra* against explicit matrices of small trees: all neighbors, all pairs, all ranges; the
ratio of densities, the chances of integers, and the integral of Laplace noise."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import acb, arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_kernel import Rejected
from dp_kernel.cards import noise, spectra
from dp_kernel.finite.sentences import Model, evaluated
from dp_kernel.formulas.terms import evaluate
from dp_kernel.meter import limited
from independent import brute_force_matrices, brute_force_trees
from independent.noise_cases import CASES, DIFFERENCES, INNER, ROOT, TREES, WHOLE, law, level, misderived, quantity

F = Fraction


@pytest.mark.parametrize(("b", "h", "rows"), CASES)
def test_what_is_derived_is_what_the_matrices_say(b: int, h: int, rows: list[Any]) -> None:
    """The queries; the largest distance of all neighbors; products, least squares, sums over all ranges."""
    assert list(misderived(b, h, rows)) == []


@pytest.mark.parametrize("b", [2, 3])
def test_least_squares_are_of_all_heights(b: int) -> None:
    with pytest.raises(Rejected, match="a gap"):
        quantity(law(b, [["sums", 0, 1, 1, 1], ROOT]), "least squares", "diagonal", h=3)


@pytest.mark.parametrize("rows", [[DIFFERENCES], [INNER]])
def test_singular_queries_have_no_least_squares(rows: list[Any]) -> None:
    with pytest.raises(ZeroDivisionError):
        brute_force_matrices.inverse(
            brute_force_trees.product("gram", brute_force_trees.tree(2, 2, [level(x, 2) for x in rows]))
        )
    with pytest.raises(ZeroDivisionError):
        quantity(law(2, rows), "least squares", "diagonal", h=2)


@pytest.mark.parametrize(("b", "h"), TREES)
def test_blocks_are_summed_over_all_ranges(b: int, h: int) -> None:
    for s in range(h + 1):
        total = evaluate(spectra.in_ranges(b, s), {"h": F(h)})
        assert total == brute_force_matrices.over_ranges(brute_force_trees.together(b, h, s))


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
    variance = acb.integral(lambda x, _: x * x * (-x / c).exp() / c, acb(0), end).real
    beyond = (-arb(60)).exp() * arb(60 * scale + 60 * scale + scale) ** 2  # >= (X^2 + 2 c X + 2 c^2) e^(-X / c)
    assert variance.rad() < arb(2) ** -30
    assert beyond < arb(2) ** -60
    assert abs(variance - arb(2 * scale**2)) < beyond + 2 * variance.rad()
    stated = evaluate(noise.times_variance(law(2, []), "c", 1), {"c": F(int(scale.p), int(scale.q))})
    assert stated == F(int((2 * scale**2).p), int((2 * scale**2).q))


def test_the_variance_of_discrete_noise_is_not_that_of_laplace_noise() -> None:
    """q = 1/2, scale 1 / log 2: the variance is 2 q / (1 - q)^2 = 4, and 2 scale^2 < 5."""
    q = F(1, 2)
    partial = sum(((1 - q) / (1 + q) * q ** abs(x) * x * x for x in range(-60, 61)), F(0))
    assert 4 - F(1, 2**40) < partial < 4
    with pytest.raises(Rejected, match="the variance of Laplace noise"):
        noise.times_variance(law(2, [], noise="discrete"), "c", 1)


@pytest.mark.parametrize("thirds", [0, 1, 2])
def test_the_loss_between_listed_integers_is_no_float(thirds: int) -> None:
    vectors = [["from", x, x + 1] for x in (0, thirds, 3)]
    loss = evaluated(["laplace", *vectors], Model((), {}, {}, lambda word, s: {}, tuple, {}), {})
    assert (loss, type(loss)) == (F(thirds, 3), F)


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
