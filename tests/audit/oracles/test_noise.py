"""Oracles of noise whose laws are irrational: against numbers to 60 digits, integrals, and planted faults."""

from collections.abc import Callable, Hashable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from flint import acb, arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from dp_audit.judge.law import oracle_ratio
from dp_audit.oracles import KINDS, Oracle, oracle
from dp_audit.oracles.noise import GaussianNoise, Windowed
from dp_audit.oracles.selection import NoisyMax
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare
from independent.oracle_cases import Case, law_faults, mutant, same

pytestmark = pytest.mark.usefixtures("precise")

REACH = 60


def exp(number: Fraction) -> Fraction:
    with localcontext() as context:
        context.prec = 70
        return Fraction((Decimal(number.numerator) / Decimal(number.denominator)).exp())


def noisy(value: int, low: int, high: int, weight: Callable[[int], Fraction]) -> dict[Hashable, Fraction]:
    """Noise with these weights on -REACH .. REACH, merged outside low .. high."""
    law: dict[Hashable, Fraction] = {}
    total = sum(weight(z) for z in range(-REACH, REACH + 1))
    for z in range(-REACH, REACH + 1):
        y = value + z
        report = "below" if y < low else "above" if y > high else y
        law[report] = law.get(report, Fraction(0)) + weight(z) / total
    return law


def gaussian(sigma: Fraction) -> Callable[[int], Fraction]:
    return lambda z: exp(-Fraction(z**2) / (2 * sigma**2))


WINDOW = {"low": -3, "high": 4}
GAUSSIAN = oracle("DiscreteGaussian", {"values": [0, 1], "sigma": "3/2", **WINDOW})
LAPLACE = oracle("DiscreteLaplace", {"values": [0, 2], "scale": "3/2", "low": -2, "high": 4})
CLOSE = Fraction(1, 2**55)
"""For what is beyond `REACH` of discrete Laplace noise."""


def gaussian_law(x: int) -> dict[Hashable, Fraction]:
    return noisy(x, -3, 4, gaussian(Fraction(3, 2)))


def bound() -> Fraction:
    laws = [gaussian_law(x) for x in (0, 1)]
    return max(max(laws[0][y] / laws[1][y], laws[1][y] / laws[0][y]) for y in laws[0])


OF_GAUSSIAN = Case("DiscreteGaussian", {}, bound(), gaussian_law, tight=None)


def test_discrete_gaussian_noise_is_that_of_the_definition() -> None:
    assert law_faults(OF_GAUSSIAN, GAUSSIAN) == set()


def test_discrete_laplace_noise_is_that_of_the_definition() -> None:
    def law(x: int) -> dict[Hashable, Fraction]:
        return noisy(x, -2, 4, lambda z: exp(-Fraction(2 * abs(z), 3)))

    case = Case("DiscreteLaplace", {}, exp(Fraction(4, 3)), law, tight=None, within=CLOSE)
    assert law_faults(case, LAPLACE) == set()


@settings(max_examples=25)
@given(st.integers(1, 12), st.integers(1, 4), st.integers(0, 4), st.integers(0, 4))
def test_the_bound_of_discrete_gaussian_noise_is_the_ratio_of_its_law(a: int, b: int, left: int, right: int) -> None:
    with ctx.workprec(200):
        subject = oracle(
            "DiscreteGaussian", {"values": [0, 3, 1], "sigma": f"{a}/{b}", "low": -left, "high": 3 + right}
        )
        ratio = oracle_ratio(subject)
        assert ratio is not None
        assert same(ratio / subject.privacy(), fmpq(1))


class WiderNoise(GaussianNoise):
    """Weights e^(-z^2 / sigma^2)."""

    def _weight(self, noise: int) -> arb:
        return arb(-fmpq(noise**2) / self.sigma**2).exp()


class CutNoise(GaussianNoise):
    """Tails of one weight."""

    def beyond(self, distance: int) -> arb:
        return self._weight(distance)


@pytest.mark.parametrize(
    "members",
    [
        {"noise": GaussianNoise(fmpq(7, 4))},
        {"noise": WiderNoise(fmpq(3, 2))},
        {"noise": CutNoise(fmpq(3, 2))},
        {"low": -4},
    ],
)
def test_planted_faults_of_discrete_gaussian_noise_are_seen(members: dict[str, Any]) -> None:
    assert law_faults(OF_GAUSSIAN, mutant(GAUSSIAN, **members))


# --- the noisy maximum ------------------------------------------------------------------------------------------------


def wins(candidate: int, places: list[fmpq]) -> arb:
    """The integral of the density of one noisy utility times the others' distribution functions, by quadrature."""
    ends = sorted({fmpq(-90), *places, fmpq(90)})
    probability = arb(0)
    for left, right in pairwise(ends):

        def integrand(x: acb, _: bool, left: fmpq = left) -> acb:
            product = acb(1)
            for j, place in enumerate(places):
                below = left < place
                tail = (x - place).exp() / 2 if below else (place - x).exp() / 2
                product = product * (tail if j == candidate or below else 1 - tail)
            return product

        probability += acb.integral(integrand, acb(left), acb(right)).real
    return probability


UTILITIES = [["1", "0", "1/2"], ["0", "1/2", "1/2"]]


@pytest.mark.parametrize("monotonic", [False, True])
@pytest.mark.parametrize("epsilon", [1, 3])
def test_the_noisy_maximum_is_the_integral(epsilon: int, monotonic: bool) -> None:
    utilities = UTILITIES if not monotonic else [["1", "1/2", "1/2"], ["0", "1/2", "1/2"]]
    parameters = {"utilities": utilities, "sensitivity": 1, "epsilon": epsilon, "monotonic": monotonic}
    subject = oracle("NoisyMax", parameters)
    for x in subject.inputs:
        places = [fmpq(*map(int, u.split("/"))) * epsilon / (1 if monotonic else 2) for u in utilities[int(x)]]  # type: ignore[call-overload]
        for y, p in subject.law(x).items():
            assert isinstance(y, int)
            assert compare(abs(p - wins(y, places)), arb(2) ** -60) is not Ordering.GREATER


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(-3, 3), min_size=2, max_size=5), st.lists(st.integers(-1, 1), min_size=5, max_size=5))
def test_the_noisy_maximum_keeps_its_bound_and_is_a_law(utilities: list[int], steps: list[int]) -> None:
    with ctx.workprec(200):
        rows = [utilities, [u + s for u, s in zip(utilities, steps, strict=False)]]
        subject = oracle("NoisyMax", {"utilities": rows, "sensitivity": 1, "epsilon": "ln(4)"})
        for x in subject.inputs:
            total = sum(subject.law(x).values(), arb(0))
            assert same(total, fmpq(1))
        ratio = oracle_ratio(subject)
        assert ratio is not None
        assert compare(ratio, subject.privacy()) is not Ordering.GREATER


def test_two_candidates_have_the_closed_form() -> None:
    """The difference of two Laplace variables of scale 1 is above -d with probability 1 - e^-d (2 + d) / 4."""
    subject = oracle("NoisyMax", {"utilities": [[1, 0], [0, 1]], "sensitivity": 1, "epsilon": 2})
    assert same(subject.law(0)[0], 1 - arb(-1).exp() * 3 / 4)


def test_the_exponential_mechanism_is_another_law() -> None:
    parameters = {"utilities": [[1, 0], [0, 1]], "sensitivity": 1, "epsilon": "ln(9)"}
    noisy_max, exponential = (oracle(name, parameters).law(0)[0] for name in ("NoisyMax", "Exponential"))
    assert compare(noisy_max, exponential) is not Ordering.EQUAL
    assert isinstance(oracle("NoisyMax", parameters), NoisyMax)


@pytest.mark.parametrize("subject", [GAUSSIAN, LAPLACE])
def test_inputs_outside_are_refused(subject: Oracle) -> None:
    for item in (True, 5, "0", None):
        with pytest.raises(DomainError):
            subject.law(item)


def test_all_are_registered() -> None:
    assert {"DiscreteGaussian", "DiscreteLaplace", "NoisyMax", "LaplaceCounts"} <= set(KINDS)
    assert isinstance(GAUSSIAN, Windowed)
