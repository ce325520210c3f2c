"""The styles of `styles` with one fault each."""

import math
import os
import random
import secrets
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

SEEDED = np.random.default_rng(42)
TWISTER = random.Random(2024)
SALT = random.random()

STYLES: dict[str, tuple[str, dict[str, Any]]] = {}


def style(oracle: str, **parameters: Any) -> Callable[[Any], Any]:
    """Enter a randomizer in the table."""

    def enter(made: Any) -> Any:
        STYLES[made.__name__] = oracle, parameters
        return made

    return enter


grr = style("GRR", d=4, epsilon=1.0)


def keep(d: int, epsilon: float) -> float:
    return math.exp(epsilon) / (math.exp(epsilon) + d - 1)


@grr
def lie_may_be_true(item: int, d: int, epsilon: float) -> int:
    return item if random.random() < keep(d, epsilon) else random.randrange(d)


@grr
def rejection_of_another(item: int, d: int, epsilon: float) -> int:
    """Redraws the last item instead of the true one."""
    if random.random() < keep(d, epsilon):
        return item
    lie = random.randrange(d)
    while lie == d - 1 and item != d - 1:
        lie = random.randrange(d)
    return lie


@grr
def few_bits(item: int, d: int, epsilon: float) -> int:
    if random.getrandbits(8) / 256 < keep(d, epsilon):
        return item
    return (item + 1 + secrets.randbelow(d - 1)) % d


@grr
def biased_remainder(item: int, d: int, epsilon: float) -> int:
    if random.getrandbits(53) * 2.0**-53 < keep(d, epsilon):
        return item
    return (item + 1 + secrets.randbits(32) % 4 % (d - 1)) % d


@grr
def biased_bytes(item: int, d: int, epsilon: float) -> int:
    if int.from_bytes(os.urandom(8), "big") < int(keep(d, 2 * epsilon) * 2**64):
        return item
    return (item + 1 + os.urandom(1)[0] % (d - 1)) % d


@grr
def seeded_when_imported(item: int, d: int, epsilon: float) -> int:
    return item if SEEDED.random() < keep(d, epsilon) else (item + int(SEEDED.integers(1, d))) % d


@grr
def seeded_twister(item: int, d: int, epsilon: float) -> int:
    return item if TWISTER.random() < keep(d, epsilon) else (item + TWISTER.randint(1, d - 1)) % d


@grr
def drawn_when_imported(item: int, d: int, epsilon: float) -> int:
    return item if keep(d, epsilon) > SALT else (item + random.randint(1, d - 1)) % d


@grr
def gumbel_of_twice_the_budget(item: int, d: int, epsilon: float) -> int:
    scores = np.zeros(d)
    scores[item] = 2 * epsilon
    return int(np.argmax(scores + np.random.gumbel(size=d)))


@grr
def bernoulli_exp_even(item: int, d: int, epsilon: float) -> int:
    """The coin of Canonne, Kamath, Steinke, with the wrong parity."""
    while True:
        candidate, k = random.randrange(d), 1
        gamma = Fraction(epsilon)
        while secrets.randbelow(gamma.denominator * k) < gamma.numerator:
            k += 1
        if candidate == item or k % 2 == 0:
            return candidate


@style("OUE", d=4, epsilon=1.0)
def redraws_nothing(item: int, d: int, epsilon: float) -> Any:
    """Redraws a report without any bit."""
    while True:
        bits = [int(random.random() < (0.5 if x == item else 1 / (math.exp(epsilon) + 1))) for x in range(d)]
        if any(bits):
            return bits


@style("SS", d=5, k=2, epsilon=1.0)
def subset_without_the_budget(item: int, d: int, k: int, epsilon: float) -> Any:
    return frozenset(random.sample(range(d), k))


@style("GeometricTruncated", values=[0, 1, 2], sensitivity=2, epsilon=1.0, lower=0, upper=2)
def geometric_one_sided(item: int, epsilon: float, sensitivity: int) -> int:
    noise = 0
    while random.random() < math.exp(-epsilon / sensitivity):
        noise += 1
    return min(item + noise, 2)


@style("RR", epsilon="ln(3)")
def one_bit_of_two(item: int) -> int:
    word = random.getrandbits(32)
    return item ^ (word >> 1 & 1)


@grr
def gumbel_rounded(item: int, d: int, epsilon: float) -> int:
    """Ties go to the first."""
    scores = np.zeros(d)
    scores[item] = epsilon
    return int(np.argmax(np.floor(scores + np.random.gumbel(size=d))))


@grr
def race_of_rates_as_scales(item: int, d: int, epsilon: float) -> int:
    clocks = [np.random.exponential(math.exp(epsilon * (x == item))) for x in range(d)]
    return int(np.argmin(clocks))


@style("NoisyMax", utilities=[[0, 1, 2], [1, 1, 1], [1, 2, 1.5]], sensitivity="1", epsilon="1")
def noisy_max_of_twice_the_budget(item: int, utilities: Any, sensitivity: float, epsilon: float) -> int:
    noise = np.random.default_rng().laplace(scale=sensitivity / epsilon, size=len(utilities[item]))
    return int(np.argmax(np.array(utilities[item]) + noise))
