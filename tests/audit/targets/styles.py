"""Correct randomizers in the styles that people write them in: d = 4 items, epsilon = 1, one function or class each.

`STYLES` names the oracle and the parameters of each. A file of its own, as a user's: standard library and numpy only.
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
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

GENERATOR = np.random.default_rng()
LEGACY = np.random.RandomState()
TWISTER = random.Random()
SYSTEM = random.SystemRandom()
TABLE = np.random.default_rng(7).permutation(8)  # public, and drawn once

STYLES: dict[str, tuple[str, dict[str, Any]]] = {}


def style(oracle: str, **parameters: Any) -> Callable[[Any], Any]:
    """Enter a randomizer in the table."""

    def enter(made: Any) -> Any:
        STYLES[made.__name__] = oracle, parameters
        return made

    return enter


grr = style("GRR", d=4, epsilon=1.0)
oue = style("OUE", d=4, epsilon=1.0)
sue = style("SUE", d=4, epsilon=1.0)


def keep(d: int, epsilon: float) -> float:
    return math.exp(epsilon) / (math.exp(epsilon) + d - 1)


def require(item: Any, d: int) -> None:
    if item not in range(d):
        raise ValueError(f"unknown item {item}")


# --- generalized randomized response ----------------------------------------------------------------------------------


@grr
def grr_random(item: int, d: int, epsilon: float) -> int:
    require(item, d)
    if random.random() < keep(d, epsilon):
        return item
    return random.choice([x for x in range(d) if x != item])


@grr
def grr_rejection(item: int, d: int, epsilon: float) -> int:
    if random.random() < keep(d, epsilon):
        return item
    lie = item
    while lie == item:
        lie = random.randrange(d)
    return lie


@grr
def grr_secrets(item: int, d: int, epsilon: float) -> int:
    if secrets.randbelow(2**53) / 2**53 < keep(d, epsilon):
        return item
    lie = secrets.randbelow(d - 1)
    return lie if lie < item else lie + 1


@grr
def grr_random_bits(item: int, d: int, epsilon: float) -> int:
    if random.getrandbits(53) * 2.0**-53 < keep(d, epsilon):
        return item
    return (item + 1 + SYSTEM.randrange(d - 1)) % d


@grr
def grr_urandom(item: int, d: int, epsilon: float) -> int:
    threshold = int(keep(d, epsilon) * 2**64)
    if int.from_bytes(os.urandom(8), "big") < threshold:
        return item
    lie = os.urandom(1)[0]
    while lie >= 255:  # 255 is a multiple of d - 1
        lie = os.urandom(1)[0]
    return (item + 1 + lie % (d - 1)) % d


@grr
def grr_unpacked(item: int, d: int, epsilon: float) -> int:
    (bits,) = struct.unpack("<Q", os.urandom(8))
    if (bits >> 11) * 2.0**-53 < keep(d, epsilon):
        return item
    return [x for x in range(d) if x != item][secrets.randbelow(d - 1)]


@grr
def grr_numpy_choice(item: int, d: int, epsilon: float) -> int:
    weights = np.ones(d)
    weights[item] = math.exp(epsilon)
    return int(np.random.choice(d, p=weights / weights.sum()))


@grr
def grr_generator(item: int, d: int, epsilon: float) -> int:
    if GENERATOR.random() < keep(d, epsilon):
        return item
    lie = int(GENERATOR.integers(d - 1))
    return lie + (lie >= item)


@grr
def grr_legacy(item: int, d: int, epsilon: float) -> int:
    if LEGACY.uniform() < keep(d, epsilon):
        return item
    return int(LEGACY.choice(np.delete(np.arange(d), item)))


@grr
def grr_twister(item: int, d: int, epsilon: float) -> int:
    return item if TWISTER.random() < keep(d, epsilon) else (item + TWISTER.randint(1, d - 1)) % d


@grr
def grr_searchsorted(item: int, d: int, epsilon: float) -> int:
    weights = np.where(np.arange(d) == item, math.exp(epsilon), 1.0)
    edges = np.cumsum(weights / weights.sum())
    edges[-1] = 1.0
    return int(np.searchsorted(edges, np.random.rand(), side="right"))


@grr
def grr_bisect(item: int, d: int, epsilon: float) -> int:
    edges = list(itertools.accumulate(math.exp(epsilon * (x == item)) for x in range(d)))
    return bisect.bisect_right(edges, random.random() * edges[-1], 0, d - 1)


@grr
def grr_choices(item: int, d: int, epsilon: float) -> int:
    return random.choices(range(d), weights=[math.exp(epsilon * (x == item)) for x in range(d)])[0]


@grr
def grr_gumbel(item: int, d: int, epsilon: float) -> int:
    scores = np.zeros(d)
    scores[item] = epsilon
    return int(np.argmax(scores + np.random.gumbel(size=d)))


@grr
def grr_exponential_race(item: int, d: int, epsilon: float) -> int:
    rates = [math.exp(epsilon) if x == item else 1.0 for x in range(d)]
    times = [random.expovariate(rate) for rate in rates]
    return times.index(min(times))


@grr
def grr_multinomial(item: int, d: int, epsilon: float) -> int:
    p = keep(d, epsilon)
    weights = np.full(d, (1 - p) / (d - 1))
    weights[item] = p
    return int(np.random.default_rng().multinomial(1, weights).argmax())


@grr
def grr_bernoulli_exp(item: int, d: int, epsilon: float) -> int:
    """Canonne, Kamath, Steinke: a coin of probability exp(-epsilon) out of rational ones."""
    while True:
        candidate = random.randrange(d)
        if candidate == item or bernoulli_exp(Fraction(epsilon)):
            return candidate


def bernoulli_exp(gamma: Fraction) -> bool:
    """exp(-gamma) for 0 <= gamma <= 1."""
    k = 1
    while secrets.randbelow(gamma.denominator * k) < gamma.numerator:
        k += 1
    return k % 2 == 1


@grr
def grr_tempfile(item: int, d: int, epsilon: float) -> int:
    import tempfile  # seeds a generator of its own
    import uuid  # noqa: F401

    assert tempfile
    return item if random.random() < keep(d, epsilon) else (item + random.randint(1, d - 1)) % d


def _made(d: int, epsilon: float) -> Callable[[int], int]:
    own = np.random.default_rng()
    p = keep(d, epsilon)

    def randomize(item: int) -> int:
        return item if own.random() < p else int(own.choice([x for x in range(d) if x != item]))

    return randomize


@grr
def grr_closure(item: int, d: int, epsilon: float) -> int:
    return _cached(d, epsilon)(item)


_cached = functools.lru_cache(None)(_made)


@grr
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


@grr
class GRRSeededByEntropy:
    """Adapter with a generator seeded with bits of the operating system."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d, self.p = d, keep(d, epsilon)
        self.rng = np.random.default_rng(secrets.randbits(128))

    def client(self) -> random.Random:
        return random.Random(secrets.randbits(64))

    def privatize(self, client: random.Random, item: int) -> int:
        require(item, self.d)
        if self.rng.random() < self.p:
            return item
        return (item + client.randint(1, self.d - 1)) % self.d


@grr
def grr_shuffle(item: int, d: int, epsilon: float) -> int:
    if random.uniform(0, 1) <= keep(d, epsilon):
        return item
    others = [x for x in range(d) if x != item]
    random.shuffle(others)
    return others[0]


# --- unary encodings --------------------------------------------------------------------------------------------------


@oue
def oue_vectorized(item: int, d: int, epsilon: float) -> Any:
    ps = np.full(d, 1 / (math.exp(epsilon) + 1))
    ps[item] = 0.5
    return (np.random.random(d) < ps).astype(int)


@oue
def oue_generator(item: int, d: int, epsilon: float) -> Any:
    bits = (GENERATOR.random(d) < 1 / (math.exp(epsilon) + 1)).astype(np.uint8)
    bits[item] = GENERATOR.integers(0, 2)
    return bits.tolist()


@oue
def oue_binomial(item: int, d: int, epsilon: float) -> Any:
    ps = np.where(np.arange(d) == item, 0.5, 1 / (math.exp(epsilon) + 1))
    return [int(b) for b in np.random.binomial(1, ps)]


@oue
def oue_loop(item: int, d: int, epsilon: float) -> Any:
    q = 1 / (math.exp(epsilon) + 1)
    return [int(SYSTEM.random() < (0.5 if x == item else q)) for x in range(d)]


@oue
def oue_bits(item: int, d: int, epsilon: float) -> Any:
    q = 1 / (math.exp(epsilon) + 1)
    return [secrets.randbits(1) if x == item else int(secrets.randbits(60) / 2**60 < q) for x in range(d)]


@sue
def sue_flips(item: int, d: int, epsilon: float) -> Any:
    flip = 1 / (math.exp(epsilon / 2) + 1)
    truth = np.eye(d, dtype=int)[item]
    return truth ^ (np.random.rand(d) < flip)


@sue
def sue_where(item: int, d: int, epsilon: float) -> Any:
    p = math.exp(epsilon / 2) / (math.exp(epsilon / 2) + 1)
    truth = np.zeros(d, dtype=bool)
    truth[item] = True
    return np.where(np.random.default_rng().uniform(size=d) < p, truth, ~truth).astype(int)


@sue
def sue_choice(item: int, d: int, epsilon: float) -> Any:
    p = math.exp(epsilon / 2) / (math.exp(epsilon / 2) + 1)
    return tuple(int(np.random.choice([x == item, x != item], p=[p, 1 - p])) for x in range(d))


# --- subsets ----------------------------------------------------------------------------------------------------------

subset = style("SS", d=5, k=2, epsilon=1.0)


def holds(d: int, k: int, epsilon: float) -> float:
    return k * math.exp(epsilon) / (k * math.exp(epsilon) + d - k)


@subset
def subset_sample(item: int, d: int, k: int, epsilon: float) -> Any:
    others = [x for x in range(d) if x != item]
    if random.random() < holds(d, k, epsilon):
        return frozenset([item, *random.sample(others, k - 1)])
    return frozenset(random.sample(others, k))


@subset
def subset_rejection(item: int, d: int, k: int, epsilon: float) -> Any:
    chosen = {item} if random.random() < holds(d, k, epsilon) else set()
    while len(chosen) < k:
        candidate = random.randrange(d)
        if candidate != item:
            chosen.add(candidate)
    return frozenset(chosen)


@subset
def subset_numpy(item: int, d: int, k: int, epsilon: float) -> Any:
    rng = np.random.default_rng()
    others = np.delete(np.arange(d), item)
    if rng.random() < holds(d, k, epsilon):
        return frozenset([item, *rng.choice(others, k - 1, replace=False).tolist()])
    return frozenset(rng.permutation(others)[:k].tolist())


@subset
def subset_argsort(item: int, d: int, k: int, epsilon: float) -> Any:
    others = np.delete(np.arange(d), item)
    mixed = others[np.argsort(np.random.rand(d - 1))]
    if random.random() < holds(d, k, epsilon):
        return frozenset([item, *mixed[: k - 1].tolist()])
    return frozenset(mixed[:k].tolist())


# --- integers with geometric noise, and selection ---------------------------------------------------------------------

geometric = style("GeometricTruncated", values=[0, 1, 2], sensitivity=2, epsilon=4.0, lower=0, upper=2)


def clipped(value: int) -> int:
    return min(max(value, 0), 2)


@geometric
def geometric_difference(item: int, epsilon: float, sensitivity: int) -> int:
    p = 1 - math.exp(-epsilon / sensitivity)
    return clipped(item + int(np.random.geometric(p)) - int(np.random.geometric(p)))


@geometric
def geometric_loop(item: int, epsilon: float, sensitivity: int) -> int:
    a = math.exp(-epsilon / sensitivity)
    noise = 0
    while random.random() < a:
        noise += 1
    while random.random() < a:
        noise -= 1
    return clipped(item + noise)


@geometric
def discrete_laplace(item: int, epsilon: float, sensitivity: int) -> int:
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


@geometric
def geometric_inverse(item: int, epsilon: float, sensitivity: int) -> int:
    a = math.exp(-epsilon / sensitivity)
    if random.random() < (1 - a) / (1 + a):
        return clipped(item)
    size = 1 + math.floor(math.log(1 - random.random()) / math.log(a))
    return clipped(item + size if random.random() < 0.5 else item - size)


rounded = style("RoundedLaplace", lower=0, upper=2, epsilon=1.0)


@rounded
def laplace_rounded(item: int, lower: int, upper: int, epsilon: float) -> int:
    if not lower <= item <= upper:
        raise ValueError(item)
    noisy = item + np.random.laplace(0, (upper - lower) / epsilon)
    return int(np.clip(math.floor(noisy + 0.5), lower, upper))


@rounded
def laplace_of_two(item: int, lower: int, upper: int, epsilon: float) -> int:
    if not lower <= item <= upper:
        raise ValueError(item)
    scale = (upper - lower) / epsilon
    noisy = item + scale * (random.expovariate(1) - random.expovariate(1))
    return min(max(round(noisy), lower), upper)


UTILITIES = [[0, 1, 2], [1, 1, 1], [1, 2, 1.5]]


@style("NoisyMax", utilities=UTILITIES, sensitivity="1", epsilon="1")
def noisy_max(item: int, utilities: Any, sensitivity: float, epsilon: float) -> int:
    noise = np.random.default_rng().laplace(scale=2 * sensitivity / epsilon, size=len(utilities[item]))
    return int(np.argmax(np.array(utilities[item]) + noise))


@style("PermuteAndFlip", utilities=UTILITIES, sensitivity="1", epsilon="1")
def permute_and_flip(item: int, utilities: Any, sensitivity: float, epsilon: float) -> int:
    """Its report is that of exponential noise (Ding et al. 2021)."""
    noisy = [utility + random.expovariate(epsilon / (2 * sensitivity)) for utility in utilities[item]]
    return noisy.index(max(noisy))


# --- hashing and Hadamard ---------------------------------------------------------------------------------------------


@style("HR", d=3, epsilon=1.0, blocks=1)
def hadamard_response(item: int, d: int, epsilon: float) -> int:
    inside = [y for y in range(4) if bin((item + 1) & y).count("1") % 2 == 0]
    outside = [y for y in range(4) if y not in inside]
    p = math.exp(epsilon) / (math.exp(epsilon) + 1)
    return secrets.choice(inside if random.random() < p else outside)


@style("LH", d=4, g=2, epsilon=1.0, hash=[0, 1, 1, 0])
def local_hashing(item: int, g: int, epsilon: float) -> int:
    cell = [0, 1, 1, 0][item]
    if np.random.random_sample() < keep(g, epsilon):
        return cell
    return (cell + int(np.random.randint(1, g))) % g


@style("LH", d=4, g=3, epsilon=1.0, hash=[0, 1, 2, 0])
def local_hashing_bits(item: int, g: int, epsilon: float) -> int:
    cell = [0, 1, 2, 0][item]
    if random.getrandbits(60) >> 7 < keep(g, epsilon) * 2**53:
        return cell
    other = random.getrandbits(2)
    while other >= g or other == cell:
        other = random.getrandbits(2)
    return other


# --- randomized response and columns ----------------------------------------------------------------------------------

response = style("RR", epsilon="ln(3)")


@response
def two_coins(item: int) -> int:
    return item if random.getrandbits(1) else secrets.randbits(1)


@response
def four_sides(item: int) -> int:
    return item ^ (secrets.randbits(64) % 4 == 0)


@response
def bits_of_a_word(item: int) -> int:
    word = random.getrandbits(32)
    return item ^ (word >> 7 & 1 and word >> 8 & 1)


@response
def votes(item: int) -> int:
    """The most frequent of what nobody can tell apart."""
    counts = collections.Counter([item] * 3 + [1 - item])
    return random.choice(list(counts.elements()))


@response
def lenient(item: int) -> int:
    """Asks for no more than it needs."""
    return item if random.random() < 0.75 else 1 - item
