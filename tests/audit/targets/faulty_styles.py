"""Randomizers in the styles of `styles`, with one fault each. `STYLES` names the oracle and the parameters of each."""

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


def keep(d: int, epsilon: float) -> float:
    return math.exp(epsilon) / (math.exp(epsilon) + d - 1)


# --- randomized response: a coin, and a lie ---------------------------------------------------------------------------


def response(coin: Callable[[float], Any], lie: Callable[[int, int], Any]) -> Any:
    """The item if the coin, which gets the probability of the truth, says so; else what is made of item and d."""
    return lambda item, d, epsilon: item if coin(keep(d, epsilon)) else int(lie(item, d))


def fair(p: float) -> bool:
    """The right coin."""
    return random.random() < p


def turned(item: int, d: int) -> int:
    """The right lie."""
    return (item + random.randint(1, d - 1)) % d


def never_the_last(item: int, d: int) -> int:
    """Draws the last item again instead of the true one."""
    lie = random.randrange(d)
    while lie == d - 1 and item != d - 1:
        lie = random.randrange(d)
    return lie


lie_may_be_true = response(fair, lambda item, d: random.randrange(d))
rejection_of_another = response(fair, never_the_last)
few_bits = response(lambda p: random.getrandbits(8) / 256 < p, turned)
biased_remainder = response(fair, lambda item, d: (item + 1 + secrets.randbits(32) % 4 % (d - 1)) % d)
biased_bytes = response(fair, lambda item, d: (item + 1 + os.urandom(1)[0] % (d - 1)) % d)
more_bytes_are_true = response(lambda p: int.from_bytes(os.urandom(8), "big") < int((1 + p) * 2**63), turned)
seeded_when_imported = response(lambda p: SEEDED.random() < p, lambda item, d: (item + SEEDED.integers(1, d)) % d)
seeded_twister = response(lambda p: TWISTER.random() < p, lambda item, d: (item + TWISTER.randint(1, d - 1)) % d)
drawn_when_imported = response(lambda p: p > SALT, turned)


def ordered(draw: Callable[[Any], Any]) -> Any:
    """The place that comes first, by what is made of the logarithms of e^epsilon times the chance of each item."""
    return lambda item, d, epsilon: int(draw(np.where(np.arange(d) == item, epsilon, 0.0)))


gumbel_of_twice_the_budget = ordered(lambda scores: np.argmax(2 * scores + np.random.gumbel(size=len(scores))))
gumbel_rounded = ordered(lambda scores: np.argmax(np.floor(scores + np.random.gumbel(size=len(scores)))))
"""Ties go to the first."""
race_of_rates_as_scales = ordered(lambda scores: np.argmin([np.random.exponential(math.exp(s)) for s in scores]))


def bernoulli_exp_even(item: int, d: int, epsilon: float) -> int:
    """The coin of Canonne, Kamath, Steinke, with the wrong parity."""
    while True:
        candidate, k = random.randrange(d), 1
        gamma = Fraction(epsilon)
        while secrets.randbelow(gamma.denominator * k) < gamma.numerator:
            k += 1
        if candidate == item or k % 2 == 0:
            return candidate


# --- other mechanisms -------------------------------------------------------------------------------------------------


def redraws_nothing(item: int, d: int, epsilon: float) -> Any:
    """OUE that draws a report without any bit again."""
    while True:
        bits = [int(random.random() < (0.5 if x == item else 1 / (math.exp(epsilon) + 1))) for x in range(d)]
        if any(bits):
            return bits


def subset_without_the_budget(item: int, d: int, k: int, epsilon: float) -> Any:
    return frozenset(random.sample(range(d), k))


def geometric_one_sided(item: int, epsilon: float, sensitivity: int) -> int:
    noise = 0
    while random.random() < math.exp(-epsilon / sensitivity):
        noise += 1
    return min(item + noise, 2)


def one_bit_of_two(item: int) -> int:
    word = random.getrandbits(32)
    return item ^ (word >> 1 & 1)


def noisy_max_of_twice_the_budget(item: int, utilities: Any, sensitivity: float, epsilon: float) -> int:
    noise = np.random.default_rng().laplace(scale=sensitivity / epsilon, size=len(utilities[item]))
    return int(np.argmax(np.array(utilities[item]) + noise))


FOUR = {"d": 4, "epsilon": 1.0}
RESPONSES = (
    *("lie_may_be_true", "rejection_of_another", "few_bits", "biased_remainder", "biased_bytes"),
    *("more_bytes_are_true", "seeded_when_imported", "seeded_twister", "drawn_when_imported"),
    *("gumbel_of_twice_the_budget", "gumbel_rounded", "race_of_rates_as_scales", "bernoulli_exp_even"),
)
STYLES: dict[str, tuple[str, dict[str, Any]]] = {
    **dict.fromkeys(RESPONSES, ("GRR", FOUR)),
    "redraws_nothing": ("OUE", FOUR),
    "subset_without_the_budget": ("SS", {"d": 5, "k": 2, "epsilon": 1.0}),
    "geometric_one_sided": (
        "GeometricTruncated",
        {"values": [0, 1, 2], "sensitivity": 2, "epsilon": 1.0, "lower": 0, "upper": 2},
    ),
    "one_bit_of_two": ("RR", {"epsilon": "ln(3)"}),
    "noisy_max_of_twice_the_budget": (
        "NoisyMax",
        {"utilities": [[0, 1, 2], [1, 1, 1], [1, 2, 1.5]], "sensitivity": "1", "epsilon": "1"},
    ),
}
