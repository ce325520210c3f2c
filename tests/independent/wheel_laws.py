"""What must hold for Wheel and suWheel, whatever the hash: each check yields where it does not."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import Any

from flint import fmpq

from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.hashing import FixedFunction, HashFamily, HashFunction, PolynomialFamily, RandomFunctions
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain, Report
from independent import brute_force_wheel as plain
from independent.numbers import exact, fraction

ONE = fmpq(1)
Rows = dict[tuple[tuple[Fraction, Fraction], frozenset[Item]], Fraction]
"""The law of a report: the cell of z0, and z1."""


@dataclass(frozen=True)
class Setting:
    """A mechanism's parameters and the hash values of all items of the domain."""

    sensitive: int
    nonsensitive: int
    m: int
    w: Fraction
    values: plain.Values

    @property
    def domain(self) -> ItemDomain:
        return ItemDomain.of_sizes(self.sensitive, self.nonsensitive)

    @property
    def h(self) -> HashFunction:
        return HashFunction(self.domain.items, tuple([exact(v) for v in self.values]))

    def build(self, cls: type[Any], any_size: bool = False) -> Any:
        return cls(self.domain, Budget.of_root(exact(self.w)), self.m, any_size)

    @property
    def apart(self) -> bool:
        """Whether there are more than m items, none of whose arcs meet."""
        p, starts = plain.arc_length(self.m, self.w), sorted(v % 1 for v in self.values)
        gaps = [b - a for a, b in pairwise([*starts, starts[0] + 1])]
        return len(starts) > self.m and min(gaps) >= p

    def sets(self) -> tuple[frozenset[int], ...]:
        d = self.sensitive + self.nonsensitive
        return tuple(frozenset(c) for c in combinations(range(d), self.m))


F = Fraction
SETTINGS = (
    Setting(2, 0, 1, F(1), (F(0), F(1, 2))),
    Setting(1, 1, 1, F(2), (F(0), F(1, 3))),
    Setting(1, 1, 1, F(2), (F(1), F(3, 4))),
    Setting(2, 1, 2, F(2), (F(1, 7), F(3, 7), F(6, 7))),
    Setting(1, 2, 2, F(2), (F(13, 14), F(0), F(1))),
    Setting(1, 3, 2, F(7, 2), (F(1, 20), F(1, 10), F(19, 20), F(19, 20))),
    Setting(2, 2, 3, F(5, 3), (F(1, 2), F(1, 3), F(1, 4), F(9, 10))),
    Setting(2, 0, 2, F(3), (F(0), F(1, 9))),
    Setting(1, 2, 3, F(2), (F(0), F(5, 11), F(10, 11))),
)
"""One item; m = d; K = 0, 1 and more others; arcs that are apart, touch, overlap, coincide, wrap; the hash value 1."""


def rows_of(setting: Setting, cls: type[Any], items: frozenset[int], any_size: bool = False) -> Rows:
    """The exact law of the program on a set, zeros left out."""
    mechanism, h = setting.build(cls, any_size), setting.h
    law: dict[Any, fmpq] = output_law(lambda coins: mechanism.randomize(items, h, coins), ONE)
    rows: Rows = {}
    for y, p in law.items():
        cell: Any = y.protected if isinstance(y, Report) else y
        sent = y.invertible if isinstance(y, Report) else frozenset()
        rows[(fraction(cell[0]), fraction(cell[1])), sent] = fraction(p)
    return rows


def middle(cell: tuple[Fraction, Fraction]) -> Fraction:
    return (cell[0] + cell[1]) / 2


def hit_mass(rows: Rows, value: Fraction, setting: Setting) -> Fraction:
    """The probability that z0 is in the arc of an item with the given hash value."""
    return sum(
        (p for (cell, _), p in rows.items() if plain.in_arc(middle(cell), value, setting.m, setting.w)), Fraction(0)
    )


def wrong_given_hash(setting: Setting, cls: type[Any]) -> Iterator[str]:
    """Laws conditional on the hash: normalization, ratio, P_true, z1, r."""
    m, w = setting.m, setting.w
    densities: dict[tuple[Fraction, Fraction], list[Fraction]] = {}
    sent_items = hasattr(cls, "r")
    for s in setting.sets():
        rows = rows_of(setting, cls, s)
        if sum(rows.values()) != 1 or sum((high - low for (low, high), _ in rows), Fraction(0)) != 1:
            yield f"{setting}: the cells of {s} are no partition, or their masses no law"
        for (cell, sent), p in rows.items():
            densities.setdefault(cell, []).append(p / (cell[1] - cell[0]))
            held = [x for x in s if x >= setting.sensitive] if sent_items else []
            if sent != {x for x in held if not plain.in_arc(middle(cell), setting.values[x], m, w)}:
                yield f"{setting}: {s} sends {set(sent)} at {cell}"
        for x in s:
            if hit_mass(rows, setting.values[x], setting) != plain.p_true(m, w):
                yield f"{setting}: P_true of {x} in {s}"
            kept = sum((p for (_, sent), p in rows.items() if x in sent), Fraction(0))
            if sent_items and x >= setting.sensitive and kept != 1 - plain.p_true(m, w):
                yield f"{setting}: r of {x} in {s}"
    if any(len(row) != len(setting.sets()) for row in densities.values()):
        yield f"{setting}: two sets have different cells"
    ratio = max(max(row) / min(row) for row in densities.values())
    if ratio > w or (ratio != w and setting.apart):
        yield f"{setting}: the densities of two sets differ by up to {ratio}"


def wrong_hits(setting: Setting, cls: type[Any]) -> Iterator[str]:
    """Line 5 of the server for points, at all ends of arcs and between them: true iff z0 is in the item's arc."""
    mechanism, h = setting.build(cls), setting.h
    grid = 2 * plain.coarsest_grid(setting.values, setting.m, setting.w)
    for j, (x, v) in product(range(grid), enumerate(setting.values)):
        z0 = Fraction(j, grid)
        if mechanism.hit(x, h, exact(z0)) != plain.in_arc(z0, v, setting.m, setting.w):
            yield f"{setting}: line 5 of {x} at {z0}"


@lru_cache
def hashes_of(family: HashFamily) -> tuple[tuple[plain.Values, Fraction], ...]:
    return tuple((tuple([fraction(v) for v in h.values]), fraction(p)) for h, p in family.law().items())


FAMILIES: tuple[tuple[int, int, int, Fraction, HashFamily], ...] = (
    (1, 1, 1, F(2), RandomFunctions((0, 1), 3)),
    (2, 0, 1, F(2), RandomFunctions((0, 1), 6)),
    (1, 2, 1, F(4), PolynomialFamily((0, 1, 2), 5, 1)),
    (1, 1, 2, F(2), FixedFunction(HashFunction((0, 1), (fmpq(0), fmpq(1, 14))))),
    (2, 1, 2, F(2), PolynomialFamily((0, 1, 2), 7, 2)),
)
"""(K, N, m, w, family): every m + 1 values are independent and uniform on a grid of which p is a multiple, or m = d."""


def wrong_on_average(sensitive: int, nonsensitive: int, m: int, w: Fraction, family: HashFamily, cls: type[Any]) -> Any:
    """Laws on average over the hash: P_false of sensitive and other items, and the estimator's expectation."""
    sets = Setting(sensitive, nonsensitive, m, w, ()).sets()
    false: dict[tuple[frozenset[int], int], Fraction] = {}
    expected: dict[tuple[frozenset[int], Item], Fraction] = {}
    for values, weight in hashes_of(family):
        setting = Setting(sensitive, nonsensitive, m, w, values)
        mechanism, h = setting.build(cls), setting.h
        for s in sets:
            rows = rows_of(setting, cls, s)
            for x in set(range(len(values))) - s:
                false[s, x] = false.get((s, x), Fraction(0)) + weight * hit_mass(rows, values[x], setting)
            for ((low, high), sent), p in rows.items():
                cell = exact(low), exact(high)
                report = Report(cell, sent) if hasattr(cls, "r") else cell
                for x, estimate in mechanism.estimate([report], [h]).items():
                    expected[s, x] = expected.get((s, x), Fraction(0)) + weight * p * fraction(estimate)
    for (s, x), probability in false.items():
        if probability != plain.arc_length(m, w):
            yield f"{family}: P_false of {x} for {s} is {probability}"
    for (s, item), value in expected.items():
        if value != (item in s):
            yield f"{family}: expected estimate of {item} for {s} is {value}"


def wrong_laws(cls: type[Any]) -> Iterator[str]:
    """All of the above; what raises a `DomainError` is wrong as well."""
    try:
        for setting in SETTINGS:
            yield from wrong_given_hash(setting, cls)
            yield from wrong_hits(setting, cls)
        for family in FAMILIES:
            yield from wrong_on_average(*family, cls)
    except DomainError as error:
        yield str(error)
