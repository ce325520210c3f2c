"""Declared maps of opendp, read off its objects: a file that `audit map` runs in the environment of the library.

`NAMES` are the instances of `opendp.toml` beside this file; each is an attribute of this module by its name. Of a
measurement the law is assumed, not observed: its row says so. Noise is stated at scales where its ratios are rational;
the library takes a double that is a little smaller, where laws are no harder to tell apart.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np

METRICS = {
    "SymmetricDistance": "symmetric",
    "InsertDeleteDistance": "insert-delete",
    "ChangeOneDistance": "change-one",
    "HammingDistance": "Hamming",
    "DiscreteDistance": "discrete",
    "AbsoluteDistance": "absolute",
    "L1Distance": "L1",
    "L2Distance": "L2",
    "LInfDistance": "Linf",
    "MaxDivergence": "max-divergence",
    "ZeroConcentratedDivergence": "zero-concentrated",
    "SmoothedMaxDivergence": "hockey-stick EPSILON",
    "Approximate(MaxDivergence)": "hockey-stick EPSILON",
}
"""What the names of opendp's metrics and measures are called here."""


def metric(described: object) -> str:
    """The name of a metric or measure that an object of the library says."""
    words = str(described)
    name = re.match(r"Approximate\(\w+\)|\w*", words)
    return METRICS.get(name[0], words) if name is not None else words


def above(distance: Any, kind: str = "f64") -> Any:
    """A distance as the library takes it: one that is no integer at the next number of this type above."""
    if isinstance(distance, int) and kind == "f64":
        return distance
    nearest = getattr(np, {"f32": "float32", "f64": "float64"}[kind])(float(distance))
    return float(
        nearest if Fraction(float(nearest)) >= distance else np.nextafter(nearest, nearest.dtype.type(math.inf))
    )


def whole(distance: Any) -> int:
    """A distance as a metric of integers takes it: at the next integer above."""
    ceiling: int = math.ceil(distance)
    return ceiling


def bound(made: Any, distance: Any, *epsilon: float) -> Any:
    """What an object declares at a distance, of a curve or a pair (epsilon, delta) the delta at an epsilon.

    A number that would overflow it refuses, and so bounds nothing.
    """
    try:
        declared = made.map(distance)
    except Exception as error:
        if "Overflow" in str(error):
            return math.inf
        raise
    if not epsilon:
        return declared
    if isinstance(declared, tuple):
        return declared[1] if declared[0] <= epsilon[0] else 1
    return declared.delta(*epsilon)


def ends(kind: str) -> list[int]:
    """Integers of a type: small ones, its ends, and one that no double has."""
    bits = int(kind[1:])
    return [0, 1, 2 ** (bits - 1) - 1, -(2 ** (bits - 1)), -1, *([2**53 + 1] if bits == 64 else [])]


def frame(rows: Sequence[tuple[int, bool]]) -> Any:
    """A frame of these records, columns a and b."""
    import polars  # type: ignore[import-not-found]

    columns = {"a": polars.Int32, "b": polars.Boolean}
    return polars.LazyFrame(rows, schema=columns, orient="row")


Law = Mapping[Any, Fraction]
ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


def response(categories: Sequence[Any], prob: float) -> Callable[[Any], Law]:
    """The law of randomized response: the truth with this probability, else another category, uniformly."""
    truth = Fraction(prob)
    lie = (1 - truth) / (len(categories) - 1)
    return lambda item: {y: truth if y == item else lie for y in categories}


def bits(f: float) -> Callable[[bytes], Law]:
    """The law of RAPPOR on one byte: each bit is another one with probability f / 2."""
    other = Fraction(f) / 2

    def law(member: bytes) -> Law:
        flips = [bin(member[0] ^ y).count("1") for y in range(256)]
        return {y: other ** flips[y] * (1 - other) ** (8 - flips[y]) for y in range(256)}

    return law


def both(*laws: Callable[[Any], Law]) -> Callable[[Any], Law]:
    """The law of independent answers to one question."""

    def law(member: Any) -> Law:
        parts = [one(member).items() for one in laws]
        return {tuple(y for y, _ in each): math.prod((p for _, p in each), start=ONE) for each in product(*parts)}

    return law


# --- noise ------------------------------------------------------------------------------------------------------------


def scale(base: int) -> float:
    """A scale of Laplace noise a little below the one at which e^(1 / scale) is the base: a logarithm of the machine is
    off by less than a unit in the last place. Noise of a larger scale is that of a smaller one and other noise."""
    return float(np.nextafter(np.nextafter(1 / math.log(base), 0), 0))


def deviation(base: int) -> float:
    """A scale of Gaussian noise a little below the one at which mass at k is proportional to base^-k^2: rho falls with
    the scale."""
    return float(np.nextafter(np.nextafter(math.sqrt(1 / (2 * math.log(base))), 0), 0))


def geometric(base: int, ends: int = 8) -> Callable[[int], Law]:
    """The law of discrete Laplace noise, mass proportional to base^-|k|.

    An end stands for all that is beyond: there two values between the ends have one ratio, and no divergence changes.
    """
    ratio = Fraction(1, base)

    def law(value: int) -> Law:
        inside = {y: (1 - ratio) / (1 + ratio) * ratio ** abs(y - value) for y in range(-ends + 1, ends)}
        return {**inside, ends: ratio ** (ends - value) / (1 + ratio), -ends: ratio ** (ends + value) / (1 + ratio)}

    return law


def gaussian(base: int, ends: int = 9) -> Callable[[int], Law]:
    """The law of discrete Gaussian noise, mass proportional to base^-k^2, of which some is erased (None): all beyond
    the ends, and a small share of the rest, the same for every value, with which it is rational.

    Who erases looks at the answer only, so no divergence is larger than without.
    """
    ratio = Fraction(1, base)
    beyond = 2 * ratio ** (ends + 1) ** 2 / (1 - ratio)
    total = sum((ratio**k**2 for k in range(-ends, ends + 1)), beyond)

    def law(value: int) -> Law:
        kept = {y: ratio ** (y - value) ** 2 / total for y in range(-ends, ends + 1)}
        return {**kept, None: 1 - sum(kept.values(), ZERO)}

    return law


def canonical(base: int, delta: Fraction) -> Callable[[Fraction], Law]:
    """The law of canonical noise of epsilon = log(base) and delta > 0, by intervals in which every density is constant
    if values are multiples of 1/2.

    With the trade-off f and c = f(c) its distribution F is a line from c to 1 - c on -1/2 ... 1/2, and 1 - f(F(x - 1))
    above (Awan, Vadhan 2023).
    """
    c = (1 - delta) / (1 + base)

    def below(x: Fraction) -> Fraction:
        if x < -HALF:
            return 1 - below(-x)
        if x <= HALF:
            return c * (HALF - x) + (1 - c) * (x + HALF)
        alpha = below(x - 1)
        return 1 - max(ZERO, 1 - delta - base * alpha, (1 - delta - alpha) / base)

    last = next(n - HALF for n in range(1, 99) if below(n + HALF) == 1)
    end = last + base * (1 - below(last)) / (below(last) - below(last - 1))
    corners = sorted({sign * x + Fraction(half, 2) for x in (HALF, end) for sign in (1, -1) for half in range(-20, 21)})

    def law(value: Fraction) -> Law:
        levels = [below(corner - value) for corner in corners]
        return {str(x): high - low for x, low, high in zip(corners[1:], levels, levels[1:], strict=False)}

    return law


# --- what is made of noise, and of laws -------------------------------------------------------------------------------


def gumbel(base: int, sign: int = 1) -> Callable[[Sequence[int]], Law]:
    """The law of the place of the largest score (`sign` -1: smallest) with Gumbel noise: it weighs base^score."""

    def law(scores: Sequence[int]) -> Law:
        weights = [Fraction(base) ** (sign * score) for score in scores]
        return {place: weight / sum(weights) for place, weight in enumerate(weights)}

    return law


def flips(base: int, sign: int = 1) -> Callable[[Sequence[int]], Law]:
    """The same with exponential noise, which is permute-and-flip: of places in random order the first one that is kept,
    each with probability base^(score - largest).

    Places come at random times in 0 ... 1. At time t none of the others is kept before with probability
    prod(1 - t p); of its powers of t this is the integral.
    """

    def law(scores: Sequence[int]) -> Law:
        most = max(sign * score for score in scores)
        kept = [Fraction(base) ** (sign * score - most) for score in scores]
        chances = {}
        for place, chance in enumerate(kept):
            others = [*kept[:place], *kept[place + 1 :]]
            parts = [part for size in range(len(kept)) for part in combinations(others, size)]
            integrals = (math.prod((-p for p in part), start=ONE) / (len(part) + 1) for part in parts)
            chances[place] = chance * sum(integrals, ZERO)
        return chances

    return law


def best(of: Callable[[Sequence[int]], Law], count: int) -> Callable[[Sequence[int]], Law]:
    """The law of the first so many places: the best one, and then the best of the others."""

    def law(scores: Sequence[int]) -> Law:
        if count == 0:
            return {(): ONE}
        made = {}
        for first, chance in of(scores).items():
            rest = [place for place in range(len(scores)) if place != first]
            more = best(of, count - 1)([scores[place] for place in rest])
            made.update({(first, *(rest[k] for k in places)): chance * p for places, p in more.items()})
        return made

    return law


def released(noise: Callable[[int], Law], threshold: int) -> Callable[[Mapping[str, int]], Sequence[Law]]:
    """The laws of the counts of two keys: of one that is there the noisy count if it is at least the threshold, else
    nothing (None). A scale that is a little smaller makes a release as much less probable."""

    def one(noisy: Law) -> Law:
        kept = {y: p for y, p in noisy.items() if y is not None and y >= threshold}
        return {**kept, None: 1 - sum(kept.values(), ZERO)}

    return lambda counts: [one(noise(counts[key]) if key in counts else {}) for key in ("a", "b")]


def sampled(law: Callable[[Sequence[int]], Law], size: int) -> Callable[[Sequence[int]], Law]:
    """The law of what is made of so many records, drawn without replacement from a population."""

    def mixed(population: Sequence[int]) -> Law:
        laws = [law(sample) for sample in combinations(population, size)]
        return {y: sum((one[y] for one in laws), ZERO) / len(laws) for y in laws[0]}

    return mixed


def answered(asked: Callable[[Any], Any], queries: Iterable[Any]) -> int:
    """How many queries are answered before one is refused."""
    count = 0
    for query in queries:
        try:
            asked(query)
        except Exception:
            break
        count += 1
    return count


TEXTS = (metric, above, whole, bound, ends, frame)
LAWS = (response, bits, both, scale, deviation, geometric, gaussian, canonical)
MADE = (gumbel, flips, best, released, sampled, answered)
INSTANCES: Mapping[str, Any] = run_path(str(Path(__file__).with_name("instances.py")))["instances"](
    __file__, {each.__name__: each for each in (*TEXTS, *LAWS, *MADE)} | {"Fraction": Fraction}
)
NAMES = tuple(INSTANCES)
globals().update(INSTANCES)
