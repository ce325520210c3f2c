"""Rows of source 003 about definitions, composition, budgets and scales of noise, decided again on listed points."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from math import prod
from typing import Any

import pytest

from independent.brute_force_synthesis import Records, binary, frequencies, neighbors, tables
from independent.verdicts import LEDGER, agrees, fails

Law = tuple[Fraction, ...]
Point = tuple[Any, ...]
NUMBERS = (Fraction(1, 3), Fraction(1), Fraction(5, 2))


def laws(outputs: int, parts: int) -> list[Law]:
    """All laws on so many outputs, each a multiple of 1 / parts and above 0."""
    cut = product(range(1, parts), repeat=outputs)
    return [tuple(Fraction(x, parts) for x in counts) for counts in cut if sum(counts) == parts]


def events(outputs: int) -> Iterator[tuple[int, ...]]:
    """All that are not empty."""
    return chain.from_iterable(combinations(range(outputs), size) for size in range(1, outputs + 1))


def chances(p: Law, q: Law) -> Iterator[tuple[Fraction, Fraction]]:
    """Of every event."""
    return ((sum(p[i] for i in event), sum(q[i] for i in event)) for event in events(len(p)))  # type: ignore[misc]


def loss(p: Law, q: Law) -> Fraction:
    """The smallest factor between the chances of all outputs, both ways."""
    return max(max(x / y, y / x) for x, y in zip(p, q, strict=True))


def bounded(p: Law, q: Law, factor: Fraction) -> bool:
    return all(x <= factor * y and y <= factor * x for x, y in chances(p, q))


# Definitions 1 and 4, composition

THREE, PAIR = laws(3, 5), laws(2, 4)


def odds_move_by_the_loss(p: Law, q: Law, prior: Fraction) -> bool:
    """By Bayes' rule, after every event."""
    for x, y in chances(p, q):
        one = prior * x / (prior * x + (1 - prior) * y)
        moved = (one / (1 - one)) / (prior / (1 - prior))
        if not 1 / loss(p, q) <= moved <= loss(p, q):
            return False
    return True


def selection(scores: Sequence[int], base: Fraction) -> Law:
    """base^score over the sum of all, where e^(epsilon / (2 sensitivity)) is the base."""
    weights = [base**score for score in scores]
    return tuple(weight / sum(weights) for weight in weights)


def is_ordered(scores: Sequence[int], base: Fraction) -> bool:
    law = selection(scores, base)
    return all((u > v) == (p > q) for (u, p), (v, q) in product(zip(scores, law, strict=True), repeat=2))


def adds_up(first: tuple[Law, Law], seconds: Sequence[tuple[Law, Law]]) -> bool:
    """The outputs of a mechanism and of another one, which may be chosen by the first output."""
    p, q = (tuple(chance * x for chance, pair in zip(first[i], seconds, strict=True) for x in pair[i]) for i in (0, 1))
    return bounded(p, q, loss(*first) * max(loss(*pair) for pair in seconds))


def linear(queries: int, sensitivity: Fraction, epsilon: Fraction) -> bool:
    """Each with its share, and all together lose epsilon."""
    scale = queries * sensitivity / epsilon
    return scale == sensitivity / (epsilon / queries) and sum([sensitivity / scale] * queries) == epsilon


# Attributes and budgets


def code(value: int, bits: int) -> tuple[int, ...]:
    return tuple(value >> i & 1 for i in range(bits))


def all_patterns_are_values(v: int, b: int) -> bool:
    return {code(value, b) for value in range(v)} == {*product((0, 1), repeat=b)}


def drawn_again(weights: Sequence[int], v: int) -> bool:
    """Patterns of 2 bits with these weights, the first v of which are values: a geometric series of rejected draws."""
    pattern = [Fraction(weight, sum(weights)) for weight in weights]
    kept = [p / (1 - sum(pattern[v:])) for p in pattern[:v]]
    return sum(kept) == 1 and min(kept) >= 0


def accesses(d: int, delta: Fraction, epsilon: Fraction) -> bool:
    """All pairs, [d / 2] at a time, each time with noise for its share."""
    times = Fraction(len([*combinations(range(d), 2)]), d // 2)
    return delta * d * (d - 1) / (epsilon * 2 * (d // 2)) == delta / (epsilon / times)


def choices(c: int) -> int:
    """Of IBayes: a root, then one attribute after the other."""
    placed = [0]
    while len(placed) < c:
        placed.append(len(placed))
    return len(placed)


def splits(d: int) -> set[int]:
    """How many choices there are in all clusters together, over all ways to cut d attributes into clusters."""
    cuts = chain.from_iterable(combinations(range(1, d), k) for k in range(d))
    sizes = ([b - a for a, b in zip((0, *cut), (*cut, d), strict=True)] for cut in cuts)
    return {sum(map(choices, clusters)) for clusters in sizes}


def parts(n: int, d: int, k: int) -> list[Fraction]:
    return [Fraction(d - 1, n), Fraction(2 * d, n * k), Fraction(2 * d, n * k)]


def adds_up_to_all(n: int, d: int, k: int, epsilon: Fraction) -> bool:
    return sum(part / sum(parts(n, d, k)) * epsilon for part in parts(n, d, k)) == epsilon


def is_split_as_said(n: int, d: int, k: int, epsilon: Fraction) -> bool:
    first, second, third = (part / sum(parts(n, d, k)) for part in parts(n, d, k))
    alike = [part / sum(parts(1, d, k)) for part in parts(1, d, k)] == [first, second, third]
    return adds_up_to_all(n, d, k, epsilon) and alike and first * 2 * d == second * k * (d - 1) and second == third


# Joint tables


def shares(weights: Sequence[Fraction]) -> list[Fraction]:
    return [weight / sum(weights) for weight in weights]


def scales(weights: Sequence[Fraction], n: int, epsilon: Fraction) -> list[Fraction]:
    return [Fraction(2, n) / epsilon * sum(weights) / weight for weight in weights]


def one_scale(weights: Sequence[Fraction], n: int, epsilon: Fraction) -> bool:
    """(12), the sensitivity 2 / n over the budget of a joint table, and that of all tables over the share."""
    own = [(Fraction(2, n) / (share * epsilon), Fraction(2, n) / epsilon / share) for share in shares(weights)]
    return [{scale} for scale in scales(weights, n, epsilon)] == [{*both} for both in own]


def falls(heights: Sequence[int], base: Fraction, n: int, epsilon: Fraction) -> bool:
    """Of two normalized entropies, where e is the base."""
    weights = [base**-height for height in heights]
    listed = [*zip(heights, shares(weights), scales(weights, n, epsilon), strict=True)]
    return all((a > b) == (x < y) == (s > t) for (a, x, s), (b, y, t) in product(listed, repeat=2))


def cells_moved(one: Records, other: Records, clique: Sequence[int]) -> int:
    p, q = (Counter(tuple(record[a] for a in clique) for record in table) for table in (one, other))
    return sum(abs(p[cell] - q[cell]) for cell in {*p, *q})


def clique_loss(one: Records, other: Records, cliques: Sequence[Sequence[int]], epsilon: Fraction) -> bool:
    """Noise of scale 2 q / epsilon on every count of q tables."""
    scale = 2 * len(cliques) / epsilon
    return bool(sum(cells_moved(one, other, clique) / scale for clique in cliques) <= epsilon)


def usefulness(records: Records, attributes: Sequence[int], sizes: Sequence[int], scale: Fraction) -> Fraction:
    """The mean frequency of a cell over E|Z|, the scale of its noise."""
    law = frequencies([tuple(record[a] for a in attributes) for record in records])
    cells = [*product(*(range(sizes[a]) for a in attributes))]
    return sum((law.get(cell, Fraction(0)) for cell in cells), Fraction(0)) / len(cells) / scale


def useful_binary(n: int, d: int, k: int, epsilon: Fraction) -> bool:
    scale = 2 * (d - k) / (n * epsilon)
    parts: int = (d - k) * 2 ** (k + 2)
    return usefulness([(0,) * d] * n, range(k + 1), [2] * d, scale) == n * epsilon / parts


def useful_general(sizes: tuple[int, ...], n: int, epsilon: Fraction, theta: Fraction) -> bool:
    d = len(sizes)
    least = usefulness([(0,) * d] * n, range(d), sizes, 2 * d / (n * epsilon)) >= theta
    return least == (prod(sizes) <= n * epsilon / (2 * d * theta))


def equal_shares(n: int, d: int, k: int, epsilon: Fraction) -> bool:
    """A replaced record moves every joint table by 2 / n."""
    losses = [Fraction(2, n) / (2 * (d - k) / (n * epsilon))] * len(range(k, d))
    return set(losses) == {epsilon / (d - k)} and sum(losses) == epsilon


def mean_in_range(one: Records, other: Records, way: int) -> bool:
    chosen = [*combinations(range(len(one[0])), way)]
    distances = [Fraction(cells_moved(one, other, of), 2 * len(one)) for of in chosen]
    return 0 <= sum(distances) / len(distances) <= 1


def one_sensitivity(d: int, n: int) -> bool:
    pairs = ((frequencies(one), frequencies(other)) for one, other in neighbors(binary(d), n))
    moved = (sum(abs(p.get(x, Fraction(0)) - q.get(x, Fraction(0))) for x in {*p, *q}) for p, q in pairs)
    return max(moved) == Fraction(2, n)


# Points

WEIGHTS = [*product(NUMBERS, repeat=1), *product(NUMBERS, repeat=2), *product(NUMBERS, repeat=3)]
SCORES = [scores for size in (1, 2, 3) for scores in product(range(3), repeat=size)]
BASES = (Fraction(3, 2), Fraction(2))
PAIRS = [*product(PAIR, repeat=2)]
CLIQUES = [[(0, 1)], [(0, 1), (1, 2)], [(0,), (1,), (2,)]]
SPLITS = [(n, d, k, e) for n, d, e in product((1, 3), range(1, 6), NUMBERS) for k in range(1, d + 1)]
DEGREES = [(n, d, k, e) for n, d, e in product((1, 3), range(1, 5), NUMBERS) for k in range(d)]
TABLES = [*tables(binary(2), 2)]
REPLACED = [pair for n in (1, 2) for pair in neighbors(binary(3), n)]
REMOVED = [(table, table[1:]) for n in (1, 2, 3) for table in tables(binary(3), n)]


def cases(*ranges: Iterable[Any]) -> list[Point]:
    return [*product(*ranges)]


CASES: dict[str, tuple[Callable[..., bool], Iterable[Point], tuple[str, ...]]] = {
    "sec1.odds": (odds_move_by_the_loss, cases(THREE, THREE, (Fraction(1, 9), Fraction(1, 2))), ()),
    "sec1.direct@sensitivity.corrected": (one_sensitivity, cases((1, 2), (1, 2, 3)), ()),
    "def1.monotone": (lambda p, q, more: bounded(p, q, loss(p, q) + more), cases(THREE, THREE, (0, *NUMBERS)), ()),
    "def4.norm": (lambda scores, base: sum(selection(scores, base)) == 1, cases(SCORES, BASES), ()),
    "def4.order": (is_ordered, cases(SCORES, BASES), ()),
    "prop1.seq@independent": (lambda one, two: adds_up(one, [two, two]), cases(PAIRS, PAIRS), ()),
    "prop1.seq@adaptive": (lambda one, *seconds: adds_up(one, seconds), cases(PAIRS, PAIRS, PAIRS), ()),
    "prop1.linear": (linear, cases(range(1, 6), NUMBERS, NUMBERS), ()),
    "sec31.inverse@all": (all_patterns_are_values, [(v, (v - 1).bit_length()) for v in range(2, 10)], ("v", "b")),
    "sec31.inverse@reject": (drawn_again, [c for c in cases(product(range(3), repeat=4), (3, 4)) if any(c[0][:3])], ()),
    "alg3.scale": (accesses, cases(range(2, 12), NUMBERS, NUMBERS), ()),
    "sec33.count": (
        lambda c, e: choices(c) == 1 + (c - 1) and sum([e / c] * choices(c)) == e,
        cases(range(1, 7), NUMBERS),
        (),
    ),
    "eq12.forms": (one_scale, cases(WEIGHTS, (1, 3), NUMBERS), ()),
    "eq12.shares": (
        lambda w, e: sum(shares(w)) == 1 and sum(x * e for x in shares(w)) == e,
        cases(WEIGHTS, NUMBERS),
        (),
    ),
    "eq12.monotone": (falls, cases(SCORES, BASES, (1, 3), NUMBERS), ()),
    "prose.splits@total": (lambda d: max(splits(d)) <= d - 1, cases(range(1, 7)), ("d",)),
    "prose.splits@total.corrected": (lambda d: splits(d) == {(d - 1) + 1}, cases(range(1, 7)), ()),
    "thm1.sum": (adds_up_to_all, SPLITS, ()),
    "sec41.split": (is_split_as_said, SPLITS, ()),
    "sec42.avd@averaged": (mean_in_range, cases(TABLES, TABLES, (1, 2)), ()),
    "sec43.total": (lambda records, drawn, total: records + drawn == total, [(45222, 54778, 100_000)], ()),
    "base.privbayes.useful.binary": (useful_binary, DEGREES, ()),
    "base.privbayes.useful.general": (
        useful_general,
        cases(((2,), (3, 2), (2, 2, 3)), (1, 5, 24), NUMBERS, (Fraction(1, 4), Fraction(1))),
        (),
    ),
    "base.privbayes.equal": (equal_shares, DEGREES, ()),
    "base.jtree.cliques@ro": (
        clique_loss,
        [(*pair, *more) for pair in REPLACED for more in cases(CLIQUES, NUMBERS)],
        (),
    ),
    "base.jtree.cliques@ar": (
        clique_loss,
        [(*pair, *more) for pair in REMOVED for more in cases(CLIQUES, NUMBERS)],
        (),
    ),
}
"""What has to hold, the points, and the names that the statement has for them where it is refuted at the first one."""


@pytest.mark.parametrize("name", CASES)
def test_the_verdict_is_that_of_the_listed_points(name: str) -> None:
    holds, points, names = CASES[name]
    assert points
    agrees(LEDGER[f"003.{name}"], fails(holds, lambda: points, *names)())
