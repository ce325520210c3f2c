"""Correct randomizers in the styles that people write them in: d = 4 items, epsilon = 1.

`STYLES` names the oracle and the parameters of each, by what its name begins with. Most are one of three programs -
randomized response, bits, subsets - and a way to draw. A file of its own, as a user's: standard library and numpy only.
"""

import bisect
import collections
import functools
import itertools
import math
import os
import random
import secrets
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

GENERATOR = np.random.default_rng()
LEGACY = np.random.RandomState()
TWISTER = random.Random()
SYSTEM = random.SystemRandom()
PUBLIC = np.random.default_rng(7).permutation(8)  # drawn once


def keep(d: int, epsilon: float) -> float:
    return math.exp(epsilon) / (math.exp(epsilon) + d - 1)


# --- generalized randomized response: a coin, and a lie ---------------------------------------------------------------

Coin = Callable[[float], Any]
"""Whether it is heads, which it is with this probability."""
Lie = Callable[[int, int], int]
"""Any of so many items but this one."""


def response(coin: Coin, lie: Lie) -> Any:
    """Randomized response."""

    def randomize(item: int, d: int, epsilon: float) -> int:
        return item if coin(keep(d, epsilon)) else lie(item, d)

    return randomize


def skipping(below: Callable[[int], Any]) -> Lie:
    """By an integer below a bound, which is one more from the item on."""

    def lie(item: int, d: int) -> int:
        other = int(below(d - 1))
        return other + (other >= item)

    return lie


def turning(below: Callable[[int], Any]) -> Lie:
    """By an integer below a bound, which is added."""
    return lambda item, d: int((item + 1 + below(d - 1)) % d)


def one_of(choose: Callable[[Any], Any]) -> Lie:
    """By a choice from all others."""
    return lambda item, d: int(choose([x for x in range(d) if x != item]))


def weighted(draw: Callable[[Sequence[float]], Any]) -> Any:
    """One draw of a place by weights: the truth has e^epsilon times the weight of a lie."""
    return lambda item, d, epsilon: int(draw([math.exp(epsilon) if x == item else 1.0 for x in range(d)]))


def again(item: int, d: int) -> int:
    lie = item
    while lie == item:
        lie = random.randrange(d)
    return lie


def bytes_again(bound: int) -> int:
    lie = os.urandom(1)[0]
    while lie >= 255:  # 255 is a multiple of d - 1
        lie = os.urandom(1)[0]
    return lie % bound


def shuffled(others: list[int]) -> int:
    random.shuffle(others)
    return others[0]


def searched(weights: Sequence[float]) -> Any:
    edges = np.cumsum(np.array(weights) / sum(weights))
    edges[-1] = 1.0
    return np.searchsorted(edges, np.random.rand(), side="right")


def bisected(weights: Sequence[float]) -> int:
    edges = list(itertools.accumulate(weights))
    return bisect.bisect_right(edges, random.random() * edges[-1], 0, len(weights) - 1)


def fastest(rates: Sequence[float]) -> int:
    times = [random.expovariate(rate) for rate in rates]
    return times.index(min(times))


def imports_late(p: float) -> bool:
    import tempfile  # seeds a generator of its own
    import uuid

    assert tempfile
    assert uuid
    return random.random() < p


def bernoulli_exp(gamma: Fraction) -> bool:
    """Canonne, Kamath, Steinke: a coin of probability exp(-gamma), 0 <= gamma <= 1, out of rational ones."""
    k = 1
    while secrets.randbelow(gamma.denominator * k) < gamma.numerator:
        k += 1
    return k % 2 == 1


grr_random = response(lambda p: random.random() < p, one_of(lambda others: random.choice(others)))
grr_rejection = response(lambda p: random.random() < p, again)
grr_secrets = response(lambda p: secrets.randbelow(2**53) / 2**53 < p, skipping(lambda n: secrets.randbelow(n)))
grr_random_bits = response(lambda p: random.getrandbits(53) * 2.0**-53 < p, turning(lambda n: SYSTEM.randrange(n)))
grr_urandom = response(lambda p: int.from_bytes(os.urandom(8), "big") < int(p * 2**64), turning(bytes_again))
grr_unpacked = response(
    lambda p: (struct.unpack("<Q", os.urandom(8))[0] >> 11) * 2.0**-53 < p,
    one_of(lambda others: others[secrets.randbelow(len(others))]),
)
grr_generator = response(lambda p: GENERATOR.random() < p, skipping(lambda n: GENERATOR.integers(n)))
grr_legacy = response(lambda p: LEGACY.uniform() < p, one_of(lambda others: LEGACY.choice(np.array(others))))
grr_twister = response(lambda p: TWISTER.random() < p, turning(lambda n: TWISTER.randint(0, n - 1)))
grr_tempfile = response(imports_late, turning(lambda n: random.randint(0, n - 1)))
grr_shuffle = response(lambda p: random.uniform(0, 1) <= p, one_of(shuffled))
grr_numpy_choice = weighted(lambda weights: np.random.choice(len(weights), p=np.array(weights) / sum(weights)))
grr_multinomial = weighted(
    lambda weights: np.random.default_rng().multinomial(1, np.array(weights) / sum(weights)).argmax()
)
grr_choices = weighted(lambda weights: random.choices(range(len(weights)), weights=weights)[0])
grr_searchsorted = weighted(searched)
grr_bisect = weighted(bisected)
grr_gumbel = weighted(lambda weights: np.argmax(np.log(weights) + np.random.gumbel(size=len(weights))))
grr_exponential_race = weighted(fastest)


def grr_bernoulli_exp(item: int, d: int, epsilon: float) -> int:
    while True:
        candidate = random.randrange(d)
        if candidate == item or bernoulli_exp(Fraction(epsilon)):
            return candidate


@functools.lru_cache(None)
def made(d: int, epsilon: float) -> Callable[[int], int]:
    own = np.random.default_rng()
    p = keep(d, epsilon)

    def randomize(item: int) -> int:
        return item if own.random() < p else int(own.choice([x for x in range(d) if x != item]))

    return randomize


def grr_closure(item: int, d: int, epsilon: float) -> int:
    return made(d, epsilon)(item)


class GRRClass:
    """Adapter with a generator of its own."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.p = d, keep(d, epsilon)
        self.rng = np.random.Generator(np.random.PCG64())

    def client(self) -> None:
        return None

    def privatize(self, client: None, item: int) -> int:
        others = np.setdiff1d(np.arange(self.d), [item])
        return item if self.rng.random() <= self.p else int(self.rng.choice(others))


class GRRSeededByEntropy:
    """Adapter with a generator seeded with bits of the operating system."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.p = d, keep(d, epsilon)
        self.rng = np.random.default_rng(secrets.randbits(128))

    def client(self) -> random.Random:
        return random.Random(secrets.randbits(64))

    def privatize(self, client: random.Random, item: int) -> int:
        if item not in range(self.d):
            raise ValueError(f"unknown item {item}")
        if self.rng.random() < self.p:
            return item
        return (item + client.randint(1, self.d - 1)) % self.d


# --- unary encodings: bits by their probabilities, or the true bits and the probability of each -----------------------


def optimized(draw: Callable[[Any], Any]) -> Any:
    """OUE: 1 with these probabilities."""
    return lambda item, d, epsilon: draw(np.where(np.arange(d) == item, 0.5, 1 / (math.exp(epsilon) + 1)))


def symmetric(draw: Callable[[Any, float], Any]) -> Any:
    """SUE: the true bits, each with this probability."""
    return lambda item, d, epsilon: draw(np.arange(d) == item, math.exp(epsilon / 2) / (math.exp(epsilon / 2) + 1))


oue_vectorized = optimized(lambda ps: (np.random.random(len(ps)) < ps).astype(int))
oue_binomial = optimized(lambda ps: [int(b) for b in np.random.binomial(1, ps)])
oue_loop = optimized(lambda ps: [int(SYSTEM.random() < p) for p in ps.tolist()])
oue_bits = optimized(
    lambda ps: [secrets.randbits(1) if p == 0.5 else int(secrets.randbits(60) / 2**60 < p) for p in ps.tolist()]
)
sue_flips = symmetric(lambda truth, p: truth.astype(int) ^ (np.random.rand(len(truth)) > p))
sue_where = symmetric(
    lambda truth, p: np.where(np.random.default_rng().uniform(size=len(truth)) < p, truth, ~truth).astype(int)
)
sue_choice = symmetric(
    lambda truth, p: tuple(int(np.random.choice([bit, not bit], p=[p, 1 - p])) for bit in truth.tolist())
)


def oue_generator(item: int, d: int, epsilon: float) -> Any:
    bits = (GENERATOR.random(d) < 1 / (math.exp(epsilon) + 1)).astype(np.uint8)
    bits[item] = GENERATOR.integers(0, 2)
    return bits.tolist()


# --- subsets ----------------------------------------------------------------------------------------------------------


def holds(d: int, k: int, epsilon: float) -> bool:
    """Whether the item is a member."""
    return random.random() < k * math.exp(epsilon) / (k * math.exp(epsilon) + d - k)


def selection(choose: Callable[[Any, int], Any]) -> Any:
    """Subset selection: so many of the other items are chosen."""

    def randomize(item: int, d: int, k: int, epsilon: float) -> Any:
        others = [x for x in range(d) if x != item]
        return frozenset([item, *choose(others, k - 1)] if holds(d, k, epsilon) else choose(others, k))

    return randomize


subset_sample = selection(lambda others, k: random.sample(others, k))
subset_numpy = selection(lambda others, k: np.random.default_rng().choice(others, k, replace=False).tolist())
subset_permutation = selection(lambda others, k: np.random.default_rng().permutation(others)[:k].tolist())
subset_argsort = selection(lambda others, k: np.array(others)[np.argsort(np.random.rand(len(others)))][:k].tolist())


def subset_rejection(item: int, d: int, k: int, epsilon: float) -> Any:
    chosen = {item} if holds(d, k, epsilon) else set()
    while len(chosen) < k:
        candidate = random.randrange(d)
        if candidate != item:
            chosen.add(candidate)
    return frozenset(chosen)


# --- integers with geometric noise, and selection ---------------------------------------------------------------------


def clipped(value: int) -> int:
    return min(max(value, 0), 2)


def geometric_difference(item: int, epsilon: float, sensitivity: int) -> int:
    p = 1 - math.exp(-epsilon / sensitivity)
    return clipped(item + int(np.random.geometric(p)) - int(np.random.geometric(p)))


def geometric_loop(item: int, epsilon: float, sensitivity: int) -> int:
    a = math.exp(-epsilon / sensitivity)
    noise = 0
    while random.random() < a:
        noise += 1
    while random.random() < a:
        noise -= 1
    return clipped(item + noise)


def geometric_of_coins(item: int, epsilon: float, sensitivity: int) -> int:
    """Canonne, Kamath, Steinke 2020, Algorithm 2, for the scale t / s."""
    rate = Fraction(epsilon) / sensitivity
    s, t = rate.numerator, rate.denominator
    while True:
        u = secrets.randbelow(t)
        if not bernoulli_exp(Fraction(u, t)):
            continue
        v = 0
        while bernoulli_exp(Fraction(1)):
            v += 1
        y = (u + t * v) // s
        negative = secrets.randbits(1)
        if not (negative and y == 0):
            return clipped(item - y if negative else item + y)


def geometric_inverse(item: int, epsilon: float, sensitivity: int) -> int:
    a = math.exp(-epsilon / sensitivity)
    if random.random() < (1 - a) / (1 + a):
        return clipped(item)
    size = 1 + math.floor(math.log(1 - random.random()) / math.log(a))
    return clipped(item + size if random.random() < 0.5 else item - size)


def rounding(noise: Callable[[float], Any]) -> Any:
    """A value from 0 to 2 with this noise, rounded to the nearest one."""

    def randomize(item: int, lower: int, upper: int, epsilon: float) -> int:
        if not lower <= item <= upper:
            raise ValueError(item)
        return int(np.clip(math.floor(item + noise((upper - lower) / epsilon) + 0.5), lower, upper))

    return randomize


rounded_laplace = rounding(lambda scale: np.random.laplace(0, scale))
rounded_of_two = rounding(lambda scale: scale * (random.expovariate(1) - random.expovariate(1)))


def noisy_max(item: int, utilities: Any, sensitivity: float, epsilon: float) -> int:
    noise = np.random.default_rng().laplace(scale=2 * sensitivity / epsilon, size=len(utilities[item]))
    return int(np.argmax(np.array(utilities[item]) + noise))


def permute_and_flip(item: int, utilities: Any, sensitivity: float, epsilon: float) -> int:
    """Its report is that of exponential noise (Ding et al. 2021)."""
    noisy = [utility + random.expovariate(epsilon / (2 * sensitivity)) for utility in utilities[item]]
    return noisy.index(max(noisy))


# --- hashing and Hadamard ---------------------------------------------------------------------------------------------


def hadamard_response(item: int, d: int, epsilon: float) -> int:
    inside = [y for y in range(4) if bin((item + 1) & y).count("1") % 2 == 0]
    outside = [y for y in range(4) if y not in inside]
    p = math.exp(epsilon) / (math.exp(epsilon) + 1)
    return secrets.choice(inside if random.random() < p else outside)


def hashing_two(item: int, g: int, epsilon: float) -> int:
    cell = [0, 1, 1, 0][item]
    return cell if np.random.random_sample() < keep(g, epsilon) else (cell + int(np.random.randint(1, g))) % g


def hashing_three(item: int, g: int, epsilon: float) -> int:
    cell = [0, 1, 2, 0][item]
    if random.getrandbits(60) >> 7 < keep(g, epsilon) * 2**53:
        return cell
    other = random.getrandbits(2)
    while other >= g or other == cell:
        other = random.getrandbits(2)
    return other


# --- randomized response of a bit -------------------------------------------------------------------------------------


def bit_of_two_coins(item: int) -> int:
    return item if random.getrandbits(1) else secrets.randbits(1)


def bit_of_four_sides(item: int) -> int:
    return item ^ (secrets.randbits(64) % 4 == 0)


def bit_of_a_word(item: int) -> int:
    word = random.getrandbits(32)
    return item ^ (word >> 7 & 1 and word >> 8 & 1)


def bit_of_votes(item: int) -> int:
    """The most frequent of what nobody can tell apart."""
    counts = collections.Counter([item] * 3 + [1 - item])
    return random.choice(list(counts.elements()))


def bit_lenient(item: int) -> int:
    """Asks for no more than it needs."""
    return item if random.random() < 0.75 else 1 - item


UTILITIES = [[0, 1, 2], [1, 1, 1], [1, 2, 1.5]]
FOUR = {"d": 4, "epsilon": 1.0}
ENDS = {"lower": 0, "upper": 2}
ORACLES: dict[str, tuple[str, dict[str, Any]]] = {
    "grr": ("GRR", FOUR),
    "oue": ("OUE", FOUR),
    "sue": ("SUE", FOUR),
    "subset": ("SS", {"d": 5, "k": 2, "epsilon": 1.0}),
    "geometric": (
        "GeometricTruncated",
        {"values": [0, 1, 2], "sensitivity": 2, "epsilon": 4.0, "lower": 0, "upper": 2},
    ),
    "rounded": ("RoundedLaplace", {**ENDS, "epsilon": 1.0}),
    "noisy": ("NoisyMax", {"utilities": UTILITIES, "sensitivity": "1", "epsilon": "1"}),
    "permute": ("PermuteAndFlip", {"utilities": UTILITIES, "sensitivity": "1", "epsilon": "1"}),
    "hadamard": ("HR", {"d": 3, "epsilon": 1.0, "blocks": 1}),
    "hashing_two": ("LH", {"d": 4, "g": 2, "epsilon": 1.0, "hash": [0, 1, 1, 0]}),
    "hashing_three": ("LH", {"d": 4, "g": 3, "epsilon": 1.0, "hash": [0, 1, 2, 0]}),
    "bit": ("RR", {"epsilon": "ln(3)"}),
}
STYLES = {name: ORACLES[kind] for name in list(vars()) for kind in ORACLES if name.lower().startswith(kind)}
