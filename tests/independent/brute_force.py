"""The laws of the mechanisms a second time: plain fractions and itertools, nothing imported from the project.

Items are 0..K-1 (sensitive) and K..K+N-1. t is e^(eps/2m), so that e^(eps/m) = t^2, e^(eps/2) = t^m, e^eps = t^2m.
A law is a dictionary from outputs to probabilities, without zeros. Reports with two parts are pairs.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial, prod
from typing import TypeVar

Y = TypeVar("Y", bound=Hashable)
N = TypeVar("N", int, Fraction)
Law = dict[Hashable, Fraction]
Items = frozenset[int]


def collected(weighted: Iterable[tuple[Y, Fraction]]) -> dict[Y, Fraction]:
    law: dict[Y, Fraction] = {}
    for y, p in weighted:
        if p:
            law[y] = law.get(y, Fraction(0)) + p
    return law


def binomial(trials: int, p: Fraction) -> dict[int, Fraction]:
    """The law of the number of ones."""
    return {k: comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(trials + 1)}


def added(one: Mapping[N, Fraction], other: Mapping[N, Fraction]) -> dict[N, Fraction]:
    """The law of the sum of independent numbers."""
    return collected((x + y, p * q) for (x, p), (y, q) in product(one.items(), other.items()))


def independent(laws: Sequence[Mapping[Y, Fraction]]) -> Iterator[tuple[tuple[Y, ...], Fraction]]:
    for choice in product(*(law.items() for law in laws)):
        yield tuple(y for y, _ in choice), prod((p for _, p in choice), start=Fraction(1))


def averaged(items: Items, law: Callable[[int], Law]) -> Law:
    return collected((y, p / len(items)) for x in items for y, p in law(x).items())


def bits(ones: list[Fraction]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    for b in product((0, 1), repeat=len(ones)):
        yield b, prod((one if bit else 1 - one for bit, one in zip(b, ones, strict=True)), start=Fraction(1))


def grr(x: int, d: int, w: Fraction) -> Law:
    return collected((y, (w if y == x else Fraction(1)) / (w + d - 1)) for y in range(d))


def grr_split(s: Items, d: int, t: Fraction, view: str) -> Law:
    reports = independent([grr(x, d, t**2) for x in sorted(s)])
    return collected((y if view == "vector" else tuple(sorted(y, key=str)), p) for y, p in reports)


def grr_sample(s: Items, d: int, t: Fraction, m: int) -> Law:
    return averaged(s, lambda x: grr(x, d, t ** (2 * m)))


def rappor_set(s: Items, d: int, root: Fraction) -> Law:
    return collected(bits([(root if x in s else 1) / (root + 1) for x in range(d)]))


def rappor_sample(s: Items, d: int, t: Fraction, m: int) -> Law:
    return averaged(s, lambda x: rappor_set(frozenset([x]), d, t**m))


def protected_item(x: int, sensitive: int, w: Fraction) -> Law:
    """(13): uRR, and one item of suGRR."""
    if x < sensitive:
        return collected((z, (w if z == x else Fraction(1)) / (w + sensitive - 1)) for z in range(sensitive))
    return collected([*((z, 1 / (w + sensitive - 1)) for z in range(sensitive)), (x, (w - 1) / (w + sensitive - 1))])


def sugrr(s: Items, sensitive: int, t: Fraction, view: str) -> Law:
    weighted: list[tuple[Hashable, Fraction]] = []
    for z, p in independent([protected_item(x, sensitive, t**2) for x in sorted(s)]):
        numbers = [int(str(x)) for x in z]
        nonsensitive = frozenset(x for x in numbers if x >= sensitive)
        own = [x for x in numbers if x < sensitive]
        if view == "set":
            weighted.append(((frozenset(own), nonsensitive), p))
        elif view == "multiset":
            weighted.append(((tuple(sorted(own)), nonsensitive), p))
        elif view == "position":
            weighted.append(((tuple(x if x < sensitive else None for x in numbers), nonsensitive), p))
        else:
            missing = len(numbers) - len(own)
            for extra in product(range(sensitive), repeat=missing):
                weighted.append(((tuple(sorted([*own, *extra])), nonsensitive), p / sensitive**missing))
    return collected(weighted)


def sugrr_sample(s: Items, sensitive: int, t: Fraction, m: int) -> Law:
    law = averaged(s, lambda x: protected_item(x, sensitive, t ** (2 * m)))
    pairs: list[tuple[Hashable, Fraction]] = []
    for z, p in law.items():
        item = int(str(z))
        pairs.append(((item, frozenset()) if item < sensitive else (None, frozenset([item])), p))
    return collected(pairs)


def protected_bits(s: Items, sensitive: int, d: int, p: Fraction, q: Fraction, r: Fraction) -> Law:
    ones = [(p if x in s else q) if x < sensitive else (r if x in s else Fraction(0)) for x in range(d)]
    return collected(
        ((b[:sensitive], frozenset(x for x in range(sensitive, d) if b[x])), weight) for b, weight in bits(ones)
    )


def surap(s: Items, sensitive: int, d: int, t: Fraction) -> Law:
    return protected_bits(s, sensitive, d, t / (t + 1), 1 / (t + 1), (t - 1) / t)


def surap_sample(s: Items, sensitive: int, d: int, t: Fraction, m: int) -> Law:
    return averaged(s, lambda x: surap(frozenset([x]), sensitive, d, t**m))


def urap(x: int, sensitive: int, d: int, w: Fraction, theta: Fraction) -> Law:
    divisor = (1 - theta) * w + theta
    return protected_bits(frozenset([x]), sensitive, d, theta, theta / divisor, 1 - divisor / w)


def padded(s: Items, m: int, d: int, fakes: list[Hashable]) -> Law:
    """Exactly m items: m of them drawn (every order equally likely), or filled up with fakes or with items not held."""
    if len(s) >= m:
        return collected((frozenset(c), Fraction(1, comb(len(s), m))) for c in combinations(sorted(s), m))
    missing = m - len(s)
    if fakes:
        return {s | frozenset(fakes[:missing]): Fraction(1)}
    rest = [x for x in range(d) if x not in s]
    orders = factorial(len(rest)) // factorial(len(rest) - missing)
    return collected((s | frozenset(o), Fraction(1, orders)) for o in permutations(rest, missing))
