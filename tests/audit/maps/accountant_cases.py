"""Accountants with the number that is right, by floats and other formulas, and with one that is wrong: a line each."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

DELTA, UP = 1e-5, 1 + 1e-9


def normal(x: float) -> float:
    """The normal distribution function."""
    return math.erfc(-x / math.sqrt(2)) / 2


@dataclass(frozen=True)
class Accountant:
    """A target as `audit_accountant` takes it."""

    name: str
    mechanism: str
    number: str
    function: Callable[..., Any]
    calls: tuple[dict[str, Any], ...]
    tight: bool = True


def gaussian_delta(sigma: float, epsilon: float, sensitivity: float = 1, times: int = 1) -> float:
    shift = sensitivity * math.sqrt(times) / sigma
    return normal(shift / 2 - epsilon / shift) - math.exp(epsilon) * normal(-shift / 2 - epsilon / shift)


def smallest(delta_of: Callable[[float], float], delta: float) -> float:
    """The epsilon at which a delta is reached, by halving an interval."""
    low, high = 0.0, 1.0
    while delta_of(high) > delta:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(middle) > delta else (low, middle)
    return high


def gaussian_epsilon(sigma: float, delta: float, sensitivity: float = 1, times: int = 1) -> float:
    return smallest(lambda epsilon: gaussian_delta(sigma, epsilon, sensitivity, times), delta) * UP


def classical_epsilon(sigma: float, delta: float) -> float:
    """The formula of Dwork and Roth, which holds up to epsilon = 1 only."""
    return math.sqrt(2 * math.log(1.25 / delta)) / sigma


def from_orders(renyi: Callable[[float], float], delta: float) -> float:
    """The epsilon of Renyi divergences, as Canonne, Kamath and Steinke convert them."""
    orders = [1 + k / 20 for k in range(1, 4000)]
    return min(
        renyi(a) + math.log((a - 1) / a) - (math.log(delta) + math.log(a)) / (a - 1)
        for a in orders
        if math.isfinite(renyi(a))
    )


def from_orders_of_gaussian(sigma: float, delta: float, times: int = 1) -> float:
    return from_orders(lambda a: times * a / (2 * sigma**2), delta)


def wrongly_from_orders(sigma: float, delta: float) -> float:
    """log(1 / delta) is divided by the order."""
    return min(a / (2 * sigma**2) + math.log(1 / delta) / (2 * a) for a in (1 + k / 20 for k in range(1, 4000)))


def laplace_delta(scale: float, epsilon: float) -> float:
    return max(1 - math.exp((epsilon - 1 / scale) / 2), 0)


def response_delta(truth: float, epsilon: float) -> float:
    return max(truth - math.exp(epsilon) * (1 - truth), 0) * UP


def sampled_delta(sigma: float, rate: float, epsilon: float, relation: str = "add-or-remove") -> float:
    """Of one answer."""
    removed = 0.0
    place = sigma**2 * math.log((math.exp(epsilon) - 1 + rate) / rate) + 0.5
    tail = normal(-place / sigma)
    removed = (1 - rate) * tail + rate * normal((1 - place) / sigma) - math.exp(epsilon) * tail
    added = 0.0
    if math.exp(-epsilon) > 1 - rate:
        place = sigma**2 * math.log((math.exp(-epsilon) - 1 + rate) / rate) + 0.5
        below = normal(place / sigma)
        added = below - math.exp(epsilon) * ((1 - rate) * below + rate * normal((place - 1) / sigma))
    return {"add-or-remove": max(removed, added), "remove": removed, "add": added}[relation] * UP


def sampled_renyi(sigma: float, rate: float, order: int, times: int = 1) -> float:
    moment = sum(
        math.comb(order, k) * rate**k * (1 - rate) ** (order - k) * math.exp((k * k - k) / (2 * sigma**2))
        for k in range(order + 1)
    )
    return times * math.log(moment) / (order - 1) * UP


def sampled_epsilon(sigma: float, rate: float, times: int, delta: float) -> float:
    """By Renyi divergences of integer orders."""
    return min(
        sampled_renyi(sigma, rate, a, times) + math.log((a - 1) / a) - (math.log(delta) + math.log(a)) / (a - 1)
        for a in range(2, 30)
    )


def concentrated_epsilon(rho: float, delta: float) -> float:
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


SIGMAS = tuple({"sigma": sigma, "delta": DELTA} for sigma in (0.5, 1.0, 3.7, 20.0))
POINTS = tuple({"sigma": sigma, "epsilon": epsilon} for sigma in (0.5, 1.0, 5.0) for epsilon in (0, 0.5, 2.0))
RATES = tuple({"sigma": 1.0, "rate": rate, "epsilon": epsilon} for rate in (0.01, 0.5) for epsilon in (0.1, 1.0))
SUMMED = tuple({"sigma": 1.0, "rate": 0.01, "times": times, "delta": DELTA} for times in (1, 12))
LAPLACE = tuple({"scale": scale, "epsilon": epsilon} for scale in (0.5, 2.0) for epsilon in (0, 0.25, 4.0))
RESPONSES = tuple({"truth": truth, "epsilon": epsilon} for truth in (0.75, 0.9) for epsilon in (0, 0.5, 2.5))


def _right() -> Iterator[Accountant]:
    yield Accountant("Gaussian epsilon", "Gaussian", "epsilon", gaussian_epsilon, SIGMAS)
    yield Accountant(
        "Gaussian epsilon, 30 times",
        "Gaussian",
        "epsilon",
        gaussian_epsilon,
        ({"sigma": 9.0, "delta": 1e-6, "times": 30},),
    )
    yield Accountant("Gaussian delta", "Gaussian", "delta", lambda **p: gaussian_delta(**p) * UP, POINTS)
    yield Accountant(
        "Gaussian delta, sensitivity 3",
        "Gaussian",
        "delta",
        lambda **p: gaussian_delta(**p) * UP,
        ({"sigma": 2.0, "sensitivity": 3, "epsilon": 1.0},),
    )
    yield Accountant("Gaussian by orders", "Gaussian", "epsilon", from_orders_of_gaussian, SIGMAS, tight=False)
    yield Accountant(
        "Gaussian by the classical formula, small",
        "Gaussian",
        "epsilon",
        classical_epsilon,
        ({"sigma": 20.0, "delta": DELTA},),
        tight=False,
    )
    yield Accountant(
        "Gaussian Renyi",
        "Gaussian",
        "Renyi",
        lambda sigma, order: order / (2 * sigma**2),
        ({"sigma": 2, "order": 3}, {"sigma": 0.5, "order": 1.5}),
    )
    yield Accountant("Laplace delta", "Laplace", "delta", laplace_delta, LAPLACE)
    yield Accountant(
        "Laplace epsilon",
        "Laplace",
        "epsilon",
        lambda scale, delta, times: times / scale,
        ({"scale": 2.0, "delta": 1e-9, "times": 4},),
        tight=False,
    )
    yield Accountant("response delta", "randomized-response", "delta", response_delta, RESPONSES)
    yield Accountant(
        "response epsilon",
        "randomized-response",
        "epsilon",
        lambda truth, delta, times: times * math.log(truth / (1 - truth)) * UP,
        ({"truth": 0.75, "delta": 1e-12, "times": 3},),
    )
    yield Accountant("sampled delta", "sampled-Gaussian", "delta", sampled_delta, RATES)
    for relation in ("remove", "add"):
        calls = tuple({**call, "relation": relation} for call in RATES)
        yield Accountant(f"sampled delta, {relation}", "sampled-Gaussian", "delta", sampled_delta, calls)
    yield Accountant(
        "sampled Renyi",
        "sampled-Gaussian",
        "Renyi",
        sampled_renyi,
        ({"sigma": 1.5, "rate": 0.1, "order": 4, "times": 7},),
    )
    yield Accountant("sampled by orders", "sampled-Gaussian", "epsilon", sampled_epsilon, SUMMED, tight=False)
    yield Accountant(
        "sampled, all records",
        "sampled-Gaussian",
        "delta",
        lambda sigma, rate, epsilon: gaussian_delta(sigma, epsilon) * UP,
        ({"sigma": 1.0, "rate": 1, "epsilon": 1.0},),
    )
    yield Accountant(
        "zero-concentrated",
        "zero-concentrated",
        "epsilon",
        concentrated_epsilon,
        ({"rho": 0.1, "delta": DELTA}, {"rho": 2, "delta": DELTA}),
        tight=False,
    )
    yield Accountant("no bound", "Gaussian", "epsilon", lambda **_: math.inf, SIGMAS, tight=False)


def _wrong() -> Iterator[Accountant]:
    yield Accountant(
        "classical formula, large epsilon", "Gaussian", "epsilon", classical_epsilon, ({"sigma": 0.1, "delta": 0.1},)
    )
    yield Accountant("a millionth less", "Gaussian", "epsilon", lambda **p: gaussian_epsilon(**p) * (1 - 1e-6), SIGMAS)
    yield Accountant(
        "variance for deviation",
        "Gaussian",
        "delta",
        lambda sigma, epsilon: gaussian_delta(sigma**2, epsilon),
        ({"sigma": 3.0, "epsilon": 0.1},),
    )
    yield Accountant(
        "one side only", "Gaussian", "delta", lambda sigma, epsilon: gaussian_delta(sigma, epsilon) / 2, POINTS
    )
    yield Accountant(
        "sensitivity forgotten",
        "Gaussian",
        "delta",
        lambda sigma, sensitivity, epsilon: gaussian_delta(sigma, epsilon),
        ({"sigma": 2.0, "sensitivity": 3, "epsilon": 1.0},),
    )
    yield Accountant(
        "compositions forgotten",
        "Gaussian",
        "epsilon",
        lambda sigma, delta, times: gaussian_epsilon(sigma, delta),
        ({"sigma": 9.0, "delta": 1e-6, "times": 30},),
    )
    yield Accountant("wrong conversion", "Gaussian", "epsilon", wrongly_from_orders, SIGMAS)
    yield Accountant(
        "order forgotten", "Gaussian", "Renyi", lambda sigma, order: 1 / (2 * sigma**2), ({"sigma": 2, "order": 3},)
    )
    yield Accountant(
        "scale for epsilon", "Laplace", "epsilon", lambda scale, delta: scale / 4, ({"scale": 0.5, "delta": 1e-9},)
    )
    yield Accountant(
        "2^-36 less",
        "Gaussian",
        "Renyi",
        lambda sigma, order: order / 2 * (1 - 2**-36),
        ({"sigma": 1, "order": 3},),
    )
    yield Accountant(
        "a delta far below the last place of 1",
        "Gaussian",
        "delta",
        lambda sigma, epsilon: 1e-30,
        ({"sigma": 1.0, "epsilon": 9.0},),
    )
    yield Accountant("0 beyond half of epsilon", "Laplace", "delta", lambda scale, epsilon: 0, LAPLACE)
    yield Accountant(
        "root of the number",
        "Laplace",
        "epsilon",
        lambda scale, delta, times: math.sqrt(times) / scale,
        ({"scale": 2.0, "delta": 1e-9, "times": 16},),
    )
    yield Accountant(
        "categories forgotten",
        "randomized-response",
        "epsilon",
        lambda truth, categories, delta: math.log(truth / (1 - truth)),
        ({"truth": 0.75, "categories": 5, "delta": 1e-12},),
    )
    yield Accountant(
        "rate times delta",
        "sampled-Gaussian",
        "delta",
        lambda sigma, rate, epsilon: rate * gaussian_delta(sigma, epsilon * 2),
        RATES,
    )
    yield Accountant(
        "the smaller direction", "sampled-Gaussian", "delta", lambda **p: sampled_delta(**p, relation="add"), RATES
    )
    yield Accountant(
        "rate squared",
        "sampled-Gaussian",
        "Renyi",
        lambda sigma, rate, order: rate**2 * order / (2 * sigma**2),
        ({"sigma": 1.5, "rate": 0.1, "order": 40},),
    )
    yield Accountant("sampled: an eighth", "sampled-Gaussian", "epsilon", lambda **p: sampled_epsilon(**p) / 8, SUMMED)
    yield Accountant(
        "rho alone", "zero-concentrated", "epsilon", lambda rho, delta: rho, ({"rho": 0.1, "delta": DELTA},)
    )
    yield Accountant("not a number", "Gaussian", "epsilon", lambda **_: math.nan, SIGMAS)
    yield Accountant("a negative number", "Gaussian", "epsilon", lambda **_: Fraction(-1, 3), SIGMAS)


RIGHT, WRONG = tuple(_right()), tuple(_wrong())
