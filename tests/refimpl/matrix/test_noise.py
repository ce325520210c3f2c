"""Laplace and discrete Laplace: exact laws, exact samplers (their own law, by enumeration), and the noise protocol."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import SamplingCoins, as_fraction
from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.matrix.noise import DiscreteLaplaceArray
from dp_refimpl.matrix.geometric import DiscreteLaplace, bernoulli_exp, discrete_laplace
from dp_refimpl.matrix.haar import Haar, Normalization
from dp_refimpl.matrix.laplace import Laplace
from dp_refimpl.matrix.linear_forms import LinearForm, Symbol, data_symbols, noise_symbols
from dp_refimpl.matrix.noise import DiscreteLaplaceNoise, LaplaceNoise, Listed, Noise, NoNoise, Symbols
from dp_refimpl.matrix.parameters import Neighbors
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.weighted_privelet import WeightedPrivelet
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON
from dp_spec.vocabulary.real import Real
from independent.cut_paths import PathCoins, below, walked
from independent.numbers import exact
from mutants.rewriting import planted_test, read_faults

ALPHAS = st.fractions(min_value=Fraction(1, 20), max_value=Fraction(19, 20), max_denominator=20)
HALF = DiscreteLaplace(fmpq(1, 2))


# --- laws -------------------------------------------------------------------------------------------------------------


@given(ALPHAS, st.integers(-8, 8))
def test_tails_of_the_discrete_law_are_sums(alpha: Fraction, k: int) -> None:
    """P[Z >= k] falls by P[Z = k] at every k, and the two halves and zero make 1."""
    law = DiscreteLaplace(exact(alpha))
    assert law.at_least(k) - law.at_least(k + 1) == law.prob(k)
    assert law.at_least(k) + law.at_least(1 - k) == 1
    assert law.prob(0) + 2 * law.at_least(1) == 1
    assert law.tail(k) == (1 if k <= 0 else 2 * law.at_least(k))


@given(ALPHAS, st.integers(1, 30))
def test_neighboring_probabilities_differ_by_alpha(alpha: Fraction, z: int) -> None:
    law = DiscreteLaplace(exact(alpha))
    assert law.prob(z) == law.prob(-z) == law.prob(z - 1) * exact(alpha)


@given(ALPHAS, st.integers(1, 60))
def test_the_variance_is_the_sum_of_squares(alpha: Fraction, n: int) -> None:
    """Sum of z^2 P[z] over |z| < n plus the rest, (n^2 + 2 n a/(1-a) + a(1+a)/(1-a)^2) of P[|Z| >= n]."""
    law, a = DiscreteLaplace(exact(alpha)), exact(alpha)
    inner = sum((2 * z * z * law.prob(z) for z in range(1, n)), fmpq(0))
    rest = law.tail(n) * (n * n + 2 * n * a / (1 - a) + a * (1 + a) / (1 - a) ** 2)
    assert inner + rest == law.variance


def test_the_discrete_law_in_other_fields() -> None:
    t = EVERY_EPSILON.variable("t")
    symbolic = DiscreteLaplace(1 / t)
    assert symbolic.prob(0) == (t - 1) / (t + 1)
    real = DiscreteLaplace(Real.power(None, Fraction(-1, 3)))
    assert real.prob(0) / real.prob(2) == Real.power(None, Fraction(2, 3))


@given(st.fractions(-9, 9, max_denominator=7), st.fractions(-9, 9, max_denominator=7), st.fractions(1, 9))
def test_laplace_laws(x: Fraction, y: Fraction, b: Fraction) -> None:
    law = Laplace(exact(b))
    assert law.at_most(x) + law.at_most(-x) == 1
    assert law.tail(abs(x)) == 2 * (1 - law.at_most(abs(x)))
    assert law.density(x) <= law.density_ratio(y) * law.density(x + y)
    assert law.density(0) == law.density_ratio(y) * law.density(y)
    assert (law.at_most(x) <= law.at_most(y)) or x > y
    inside = law.cdf(x, 200)
    assert inside.overlaps(law.cdf(x, 60))
    assert law.variance == 2 * exact(b) ** 2


def test_numbers_of_the_laplace_law() -> None:
    law = Laplace(fmpq(2))
    assert str(law.density_ratio(2)).startswith("2.71828182845905 (exactly e")
    assert law.at_most(0) == Real.lift(fmpq(1, 2))
    assert abs(law.cdf(-2) - arb(1) / (2 * arb(1).exp())) < arb("1e-15")


# --- samplers: their own law, by enumeration --------------------------------------------------------------------------


class ScriptedArrays(ArrayCoins):
    """Array coins for one draw at a time: `below` waits for what its number is compared with."""

    def __init__(self, coins: PathCoins) -> None:
        self.coins = coins

    def below(self, bounds: Any, shape: Any) -> Any:
        assert shape == 1
        return self._number(bounds) if bounds <= 2 else _Below(self, bounds)

    def _number(self, bound: int) -> Any:
        return np.array([self.coins.choose([Fraction(1, bound)] * bound)])


class _Below:
    """A number that is uniform below a bound, of which only one comparison is ever asked."""

    def __init__(self, arrays: ScriptedArrays, bound: int) -> None:
        self.arrays, self.bound = arrays, bound

    def __lt__(self, top: Any) -> Any:
        p = Fraction(int(top[0]), self.bound)
        return np.array([self.arrays.coins.choose([1 - p, p]) == 1])


def wrong_law(program: Callable[[Any], int], rate: Fraction, least: Fraction) -> Iterator[str]:
    """Every outcome's probability is at least what was enumerated, and at most that and what is left."""
    law = DiscreteLaplace(Real.power(None, -rate))
    probabilities, left = walked(program, below(least))
    assert left < Fraction(1, 2)
    for z in {*probabilities, *range(-3, 4)}:
        low = probabilities.get(z, Fraction(0))
        if not low <= law.prob(z) <= low + left:
            yield f"{z}: between {float(low)} and {float(low + left)}, not {law.prob(z)}"


RATES = [Fraction(1), Fraction(1, 2), Fraction(2), Fraction(3, 2)]


@pytest.mark.parametrize("rate", RATES)
def test_the_law_of_the_exact_sampler(rate: Fraction) -> None:
    assert list(wrong_law(lambda coins: discrete_laplace(rate, coins), rate, Fraction(1, 2_000))) == []


@pytest.mark.parametrize("gamma", [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(5, 2)])
def test_the_law_of_an_exponential_coin(gamma: Fraction) -> None:
    law, left = walked(lambda coins: bernoulli_exp(gamma, coins), below(Fraction(1, 10**6)))
    p = Real.power(None, -gamma)
    assert law.get(True, 0) <= p <= law.get(True, 0) + left
    assert left < Fraction(1, 10**4)


def test_the_law_of_the_geometric_difference() -> None:
    law, left = walked(HALF.sample, below(Fraction(1, 10**6)))
    assert left < Fraction(1, 10**4)
    assert all(p <= as_fraction(HALF.prob(z)) <= p + left for z, p in law.items())


def array_program(cls: type[Any], rate: Fraction) -> Callable[[PathCoins], int]:
    return lambda coins: int(cls(ScriptedArrays(coins), rate).draws(fmpq(1), 1)[0])


def wrong_arrays(cls: type[Any]) -> Iterator[str]:
    for rate in RATES:
        yield from wrong_law(array_program(cls, rate), rate, Fraction(1, 1_000))


def test_the_law_of_the_sampler_for_arrays() -> None:
    assert list(wrong_arrays(DiscreteLaplaceArray)) == []


test_planted_faults_in_the_sampler_are_found = planted_test(
    read_faults("noise_arrays.toml"), {"noise": lambda: wrong_arrays(DiscreteLaplaceArray)}
)


def test_many_draws_are_independent_of_blocks() -> None:
    """Half a million draws, by Hoeffding: a fair sampler misses with probability below 10^-20."""
    draws = DiscreteLaplaceArray(ArrayCoins(np.random.default_rng(7)), 1).draws(fmpq(2), 2**19)
    law = DiscreteLaplace(Real.power(None, Fraction(-1, 2)))
    for z in range(-4, 5):
        share = Fraction(int((draws == z).sum()), 2**19)
        assert share - Fraction(1, 140) <= law.prob(z) <= share + Fraction(1, 140)


# --- the protocol -----------------------------------------------------------------------------------------------------


def test_floats_are_the_generators() -> None:
    right = np.random.default_rng(3).laplace(0.0, 8.0)
    assert LaplaceNoise(np.random.default_rng(3), "1/2").draw(fmpq(4)) == right


@pytest.mark.parametrize("epsilon", [1, "1/3", "ln(3)", "ln(2)/2"])
def test_discrete_noise_keeps_counts_integers(epsilon: Any) -> None:
    noise = DiscreteLaplaceNoise(SamplingCoins(np.random.default_rng(5)), epsilon)
    released = Privelet(4).release([3, 0, 1, 5], noise)
    assert all(type(value) is int for value in released)
    assert all(isinstance(value, fmpq) for value in Privelet(4).restore(released))


@pytest.mark.parametrize(
    "noise",
    [
        LaplaceNoise(np.random.default_rng(1), 1),
        DiscreteLaplaceNoise(SamplingCoins(np.random.default_rng(1)), 1),
        NoNoise(0),
    ],
)
def test_scale_0_is_no_noise(noise: Noise[Any]) -> None:
    """One count whose total everybody knows."""
    assert noise.draw(fmpq(0)) == 0
    assert Privelet(1).release([7], noise, Neighbors.REPLACE) == [7]


@pytest.mark.parametrize("value", [1.5, fmpq(1), True, None, "1", 10**400, LinearForm()])
def test_what_noise_is_added_to(value: Any) -> None:
    """Discrete noise: integers. Floats: finite numbers. Formal noise: forms."""
    accepted: list[tuple[Noise[Any], bool]] = [
        (DiscreteLaplaceNoise(SamplingCoins(np.random.default_rng(1)), 1), type(value) is int),
        (LaplaceNoise(np.random.default_rng(1), 1), value in (1.5, 1) and value is not True),
        (Symbols(), isinstance(value, LinearForm)),
    ]
    for noise, good in accepted:
        if good:
            assert noise.lift(value) == (1.0 if isinstance(value, fmpq) else value)
        else:
            with pytest.raises(DomainError, match="data"):
                noise.lift(value)


def test_discrete_noise_is_for_strategies_of_integers() -> None:
    noise = DiscreteLaplaceNoise(SamplingCoins(np.random.default_rng(1)), 1)
    assert len(Privelet(2).release([0, 0], noise, Neighbors.REPLACE)) == 2


def test_listed_noise_fits_the_program() -> None:
    noise = Listed([1, 2])
    noise.draw(fmpq(1))
    with pytest.raises(DomainError, match="too long"):
        noise.require_finished()
    noise.draw(fmpq(1))
    with pytest.raises(DomainError, match="too short"):
        noise.draw(fmpq(1))


# --- linear forms -----------------------------------------------------------------------------------------------------

FORMS = st.dictionaries(
    st.builds(Symbol, st.sampled_from("xz"), st.integers(1, 4)),
    st.fractions(-5, 5, max_denominator=6).map(exact),
    max_size=4,
).map(LinearForm)
FACTORS = st.fractions(-5, 5, max_denominator=6).map(exact)


@given(FORMS, FORMS, FORMS, FACTORS, FACTORS)
def test_forms_are_a_vector_space(a: LinearForm, b: LinearForm, c: LinearForm, s: fmpq, t: fmpq) -> None:
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert hash(a + b) == hash(b + a)
    assert a - a == LinearForm()
    assert a + (-b) == a - b
    assert s * (a + b) == a * s + b * s
    assert a * (s + t) == a * s + a * t
    assert s == 0 or (a * s) / s == a
    assert all((a + b).coefficient(*x) == a.coefficient(*x) + b.coefficient(*x) for x in {**a.terms, **b.terms})


def test_forms_as_rows() -> None:
    x, z = data_symbols(3), noise_symbols(2)
    form = x[0] * 2 - x[2] / 3 + z[1]
    assert form.row("x", 3) == [2, 0, fmpq(-1, 3)]
    assert form.row("z", 2) == [0, 1]
    assert str(form) == "2 x_1 + -1/3 x_3 + 1 z_2"


RNG, COINS = np.random.default_rng(1), SamplingCoins(np.random.default_rng(1))
DISCRETE, FORM = DiscreteLaplaceNoise(COINS, 1), data_symbols(1)[0]
ARRAYS = DiscreteLaplaceArray(ArrayCoins(RNG), 1)
IRRATIONAL = Haar(2, Normalization.ORTHONORMAL).scale(Neighbors.ADD_REMOVE)
NO_EPSILONS = (0, -1, float("nan"), float("inf"), "ln(1)", "x", None, True)
OF_EPSILON: tuple[Any, ...] = (
    lambda epsilon: LaplaceNoise(RNG, epsilon),
    lambda epsilon: DiscreteLaplaceNoise(COINS, epsilon),
    lambda epsilon: DiscreteLaplaceArray(ArrayCoins(RNG), epsilon),
)
NOISES: tuple[Any, ...] = (Symbols(), NoNoise(0), Listed([1]), LaplaceNoise(RNG, 1))
test_refusals = refusal_test(
    *(refuses("scale", noise.draw, fmpq(-1), 1.0, float("nan"), True, None, "1") for noise in NOISES),
    *(refuses("epsilon", make, *NO_EPSILONS) for make in OF_EPSILON),
    refuses("alpha", DiscreteLaplace, fmpq(0), fmpq(1), fmpq(-1, 2), fmpq(3, 2)),
    refuses("rate", lambda rate: discrete_laplace(rate, PathCoins()), Fraction(0), Fraction(-1), 0.5, True, None),
    refuses("scale", Laplace, fmpq(0), fmpq(-1), 1, 1.0, None),
    *(refuses("z|k", call, 1.0, True, None, fmpq(1)) for call in (HALF.prob, HALF.tail, HALF.at_least)),
    refuses("x", Laplace(fmpq(1)).density, 1.0, True, None),
    # discrete noise is for strategies of integers: whether a program divides is what decides, not the data
    refuses(
        "data",
        lambda mechanism: mechanism.release([0, 0], DISCRETE),
        *(WeightedPrivelet(2), Haar(2, Normalization.AVERAGED)),
        says="an integer",
    ),
    refuses("scale", lambda: Haar(4, Normalization.ORTHONORMAL).release([0] * 4, DISCRETE), says="rational scale"),
    refuses("generator", lambda generator: LaplaceNoise(generator, 1), None),
    refuses("epsilon", lambda: DiscreteLaplaceArray(ArrayCoins(RNG), "ln(3)"), says="rational"),
    refuses("epsilon / scale", lambda: ARRAYS.draws(fmpq(1, 2**31), 1), says="2^31"),
    refuses("scale", lambda: ARRAYS.draws(IRRATIONAL, 1), says="rational scale"),
    refuses("coins", lambda coins: DiscreteLaplaceArray(coins, 1), None, RNG),
    refuses("gamma", lambda: bernoulli_exp(Fraction(-1), PathCoins())),
    refuses("form", lambda: (data_symbols(3)[2] / 3).row("x", 2), says="x_3"),
    refuses("factor", lambda factor: FORM * factor, 1.0, True, None, "1"),
    refuses("factor", lambda factor: FORM / factor, 1.0, True, None, "1"),
)


def test_a_number_is_not_added_to_a_form() -> None:
    with pytest.raises(TypeError):
        FORM + 1  # type: ignore[operator]
