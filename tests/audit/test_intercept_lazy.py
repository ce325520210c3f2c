"""Lazy draws of the interceptor against laws computed by hand and against numpy itself, seeded alike."""

import ast
import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dp_audit.run.child.interceptor import numpy_laws
from dp_audit.run.child.interceptor.intervals import GRID
from independent.intercepting import at_most, law, of_grid, walked, without_zeros


def legacy_laplace(u: float, loc: float, scale: float) -> float:
    return loc - scale * math.log(2.0 - u - u) if u >= 0.5 else loc + scale * math.log(u + u)


LAZY: dict[str, tuple[Callable[..., float], int]] = {
    "laplace": (legacy_laplace, 1),
    "gumbel": (lambda u, loc, scale: loc - scale * math.log(-math.log(1.0 - u)), 1),
    "logistic": (lambda u, loc, scale: loc + scale * math.log(u / (1.0 - u)), 1),
    "exponential": (lambda u, scale: scale * -math.log(1.0 - u), 0),
}


@pytest.mark.parametrize("name", LAZY)
@given(st.floats(-3, 3), st.floats(0.01, 3), st.floats(-20, 20))
@settings(max_examples=15)
def test_lazy_distributions_have_the_law_of_numpys_formula(name: str, loc: float, scale: float, c: float) -> None:
    formula, low = LAZY[name]
    given_ = (scale,) if name == "exponential" else (loc, scale)
    expected = of_grid(lambda u: formula(u, *given_) < c, low)
    laws = [
        law(lambda: getattr(np.random, name)(*given_) < c),
        law(lambda: getattr(np.random.default_rng(), name)(*given_, size=1)[0] < c),
    ]
    assert laws == [without_zeros({"true": expected, "false": 1 - expected})] * 2


@pytest.mark.parametrize("name", LAZY)
def test_numpys_formulas_are_those_of_the_installed_numpy(name: str) -> None:
    formula, _ = LAZY[name]
    given_ = (1.7,) if name == "exponential" else (0.3, 1.7)
    uniforms = np.random.RandomState(1).random_sample(2000).tolist()
    real = getattr(np.random.RandomState(1), name)(*given_, size=2000).tolist()
    assert real == [formula(u, *given_) for u in uniforms]
    if name != "exponential":
        uniforms = np.random.default_rng(1).random(2000).tolist()
        real = getattr(np.random.default_rng(1), name)(*given_, size=2000).tolist()
        assert real == [formula(u, *given_) for u in uniforms]


def test_the_generators_other_exponentials() -> None:
    uniforms = np.random.default_rng(1).random(2000).tolist()
    assert np.random.default_rng(1).standard_exponential(2000, method="inv").tolist() == [
        -math.log1p(-u) for u in uniforms
    ]
    expected = of_grid(lambda u: -math.log1p(-u) < 1.5)
    inverse = law(lambda: np.random.default_rng().standard_exponential(method="inv") < 1.5)
    assert inverse == {"true": expected, "false": 1 - expected}
    ziggurat = walked(lambda: np.random.default_rng().exponential(2.0) < 3)
    assert abs(float(ziggurat.entries["true", "bool"]) - (1 - math.exp(-1.5))) < 1e-15
    assert any("idealized" in model for model in ziggurat.models)


@given(st.floats(0.01, 5), st.floats(0, 9))
@settings(max_examples=15)
def test_expovariate_is_pythons_own_code_on_the_doubles(rate: float, c: float) -> None:
    expected = of_grid(lambda u: -math.log(1.0 - u) / rate < c)
    assert law(lambda: random.expovariate(rate) < c) == without_zeros({"true": expected, "false": 1 - expected})


def test_thresholded_laplace_noise_on_a_vector() -> None:
    report = law(lambda: (np.array([0, 1]) + np.random.laplace(0.0, 2.0, size=2) > 0.5).astype(int))
    ones = [of_grid(lambda u, x=x: x + legacy_laplace(u, 0.0, 2.0) > 0.5, 1) for x in (0, 1)]  # type: ignore[misc]
    for a, b in np.ndindex(2, 2):
        expected = (ones[0] if a else 1 - ones[0]) * (ones[1] if b else 1 - ones[1])
        assert report[f"[{a},{b}]"] == expected


FUNCTIONS = {"log": (0, 1), "log1p": (0, 1), "exp": (0, 3), "expm1": (0, 3), "sqrt": (0, 1), "log2": (0, 1)}


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@given(st.floats(0.1, 2), st.floats(-3, 3))
@settings(max_examples=15)
def test_transforms_of_a_lazy_uniform_are_decided_on_the_doubles(name: str, a: float, c: float) -> None:
    for module in (np, math):
        function = getattr(module, name)

        def compared(u: float, function: Callable[[float], float] = function) -> bool:
            return bool(function(a * u + 0.5) < c)

        expected = of_grid(compared)
        probabilities = law(lambda module=module: getattr(module, name)(a * random.random() + 0.5) < c)  # type: ignore[misc]
        assert probabilities == without_zeros({"true": expected, "false": 1 - expected})
    arrays = law(lambda: getattr(np, name)(np.random.random(1) * a + 0.5)[0] < c)
    expected = of_grid(lambda u: bool(getattr(np, name)(u * a + 0.5) < c))
    assert arrays == without_zeros({"true": expected, "false": 1 - expected})


def test_edges_of_the_domain_of_a_transform_have_their_probability() -> None:
    assert law(lambda: math.log(random.random()) < 1) == {
        "true": 1 - Fraction(1, GRID),
        json_raised(ValueError, math.log, 0.0): Fraction(1, GRID),
    }
    assert law(lambda: np.log(random.random()) == -math.inf) == {
        "true": Fraction(1, GRID),
        "false": 1 - Fraction(1, GRID),
    }

    def rooted() -> Any:
        with np.errstate(invalid="ignore"):
            return np.sqrt(random.random() - 0.5) > 0 or 2

    assert law(rooted) == {"2": Fraction(1, 2) + Fraction(1, GRID), "true": Fraction(1, 2) - Fraction(1, GRID)}


def json_raised(kind: type[Exception], function: Callable[..., Any], *given_: Any) -> str:
    with pytest.raises(kind) as caught:
        function(*given_)
    return f'{{"raised":"{kind.__name__}: {caught.value}"}}'


def geometric_noise(u: Any, scale: float) -> int:
    """The sampler of diffprivlib's geometric mechanism."""
    u = u - 0.5
    u *= 1 + np.exp(scale)
    sign = -1 if u < 0 else 1
    return int(np.round(sign * np.floor(np.log(sign * u) / scale)))


@given(st.floats(0.5, 4))
@settings(max_examples=4)
def test_geometric_noise_made_of_a_logarithm_is_exact_on_the_doubles(epsilon: float) -> None:
    probabilities = law(lambda: geometric_noise(random.SystemRandom().random(), -epsilon))
    (overflow,) = [text for text in probabilities if "raised" in text]
    assert "OverflowError" in overflow
    assert probabilities.pop(overflow) == Fraction(1, GRID)
    ratio = math.exp(-epsilon)
    for noise in range(-3, 4):
        ideal = (1 - ratio) / (1 + ratio) * ratio ** abs(noise)
        assert abs(float(probabilities[str(noise)]) - ideal) < 1e-15
    half = GRID // 2 + 1
    for noise in range(1, 6):  # above u = 1/2 the noise falls from infinity to 0
        up_to = [of_grid(lambda u, k=k: geometric_noise(u, -epsilon) <= k, half) for k in (noise - 1, noise)]  # type: ignore[misc]
        assert probabilities[str(noise)] == (up_to[1] - up_to[0]) * Fraction(GRID - half, GRID)


def test_roundings_keep_the_sign_of_zero_and_infinities() -> None:
    entries = walked(lambda: np.ceil(random.random() - 0.75)).entries
    assert entries == {
        ("0", "numpy.float64 -0"): Fraction(3, 4),
        ("1", "numpy.float64"): Fraction(1, 4) - Fraction(1, GRID),
        ("0", "numpy.float64"): Fraction(1, GRID),
    }
    assert law(lambda: np.round(random.random())) == {"0": at_most(0.5), "1": 1 - at_most(0.5)}
    assert law(lambda: np.trunc(2 * random.random())) == {"0": Fraction(1, 2), "1": Fraction(1, 2)}


@pytest.mark.slow
@given(st.floats(-1, 1), st.floats(-1, 1))
@settings(max_examples=15)
def test_equality_sign_and_absolute_value_are_comparisons(shift: float, c: float) -> None:
    below_, at = of_grid(lambda u: u - 0.5 < 0), of_grid(lambda u: u - 0.5 <= 0)
    signs = {"-1": below_, "0": at - below_, "1": 1 - at}
    assert law(lambda: np.sign(random.random() - 0.5)) == signs
    assert law(lambda: random.random() == 0.25) == {"true": Fraction(1, GRID), "false": 1 - Fraction(1, GRID)}
    assert law(lambda: random.random() != 2) == {"true": Fraction(1)}
    magnitude = law(lambda: abs(random.random() + shift) < c).get("true", Fraction(0))
    expected = of_grid(lambda u: u + shift < c) - of_grid(lambda u: u + shift <= -c) if c > 0 else Fraction(0)
    assert magnitude == expected
    assert magnitude == law(lambda: np.abs(np.random.random(1) + shift)[0] < c).get("true", Fraction(0))


@pytest.mark.parametrize("p", [0.3, 1 / 3, 0.7, 1.0])
def test_geometric_draws_follow_numpys_algorithms(p: float) -> None:
    uniforms = np.random.RandomState(3).random_sample(2000)
    real = np.random.RandomState(3).geometric(p, size=2000)
    probabilities = law(lambda: np.random.geometric(p))
    assert sum(probabilities.values()) == 1
    edges = np.cumsum([float(probabilities.get(str(k), 0)) for k in range(max(map(int, probabilities)) + 1)])
    assert (np.searchsorted(edges, uniforms, side="right") == real).mean() == 1
    for k in range(1, 6):
        assert abs(float(probabilities.get(str(k), 0)) - p * (1 - p) ** (k - 1)) < 1e-14
    generator = walked(lambda: np.random.default_rng().geometric(p))
    assert {text: q for (text, _), q in generator.entries.items()} == probabilities


@given(st.lists(st.integers(1, 20), min_size=2, max_size=3), st.data())
@settings(max_examples=8)
def test_choice_without_replacement_is_successive_sampling(weights: list[int], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(weights)))
    p = np.array(weights) / sum(weights)
    probabilities = law(lambda: np.random.choice(len(weights), size, replace=False, p=p).tolist())
    assert probabilities == law(lambda: np.random.default_rng().choice(len(weights), size, replace=False, p=p).tolist())
    for text, probability in probabilities.items():
        left, ideal = Fraction(1), Fraction(1)
        for item in ast.literal_eval(text):
            ideal *= Fraction(weights[item], sum(weights)) / left
            left -= Fraction(weights[item], sum(weights))
        assert abs(probability - ideal) < Fraction(1, 2**40)


def test_choice_without_replacement_gives_what_numpy_gives_for_the_same_uniforms() -> None:
    p = np.array([0.1, 0.2, 0.3, 0.4])
    for real, uniform in ((np.random.RandomState(2), np.random.RandomState(2).random_sample),):
        for _ in range(300):
            coins = FromUniforms(uniform)
            assert numpy_laws.without_replacement(coins, p, 3) == real.choice(4, 3, False, p).tolist()  # type: ignore[arg-type]


class FromUniforms:
    """Coins that take their uniform doubles from a function."""

    def __init__(self, uniform: Callable[[], float]) -> None:
        self._uniform = uniform

    def choose(self, weights: list[int]) -> int:
        k = int(self._uniform() * GRID)
        return next(i for i in range(len(weights)) if k < sum(weights[: i + 1]))


def test_a_laplace_draw_is_never_made_of_the_uniform_zero() -> None:
    smallest = legacy_laplace(1 / GRID, 0.0, 1.0)
    assert law(lambda: np.random.laplace() <= smallest)["true"] == Fraction(1, GRID - 1)
