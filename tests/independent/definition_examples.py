"""Small channels that show data, and the definitions on them taken word by word."""

import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

from flint import fmpq

from dp_kernel.finite.channels import channels, holds
from dp_kernel.finite.sentences import Model
from dp_spec.vocabulary import definitions, sentences
from dp_spec.vocabulary.definitions import (
    Held,
    Relation,
)
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.table import Channel
from independent.numbers import fraction

Rows = Mapping[frozenset[int], Mapping[Report, fmpq]]
RELATIONS: tuple[Relation, ...] = ("marginal", "joint", "deniability", "samenon")
FEW = 8
"""Outputs of which all events are looked at."""
CONSTANTS = (fmpq(1), fmpq(3, 2), fmpq(2), fmpq(4))


class Example:
    """A channel on all m-sets of K + N items."""

    def __init__(
        self, k: int, n: int, m: int, weights: Callable[[Any, Any], int], shown_from: int | None = None
    ) -> None:
        self.domain = ItemDomain.of_sizes(k, n)
        first = k if shown_from is None else shown_from
        shown = [frozenset(c) for r in range(k + n + 1 - first) for c in combinations(range(first, k + n), r)]
        self.outputs = [Report(y0, kept) for y0 in ((0,), (1,), None) for kept in shown]
        rows = {}
        for s in self.domain.subsets([m]):
            drawn = [weights(y.invertible, s) for y in self.outputs]
            drawn[0] += not any(drawn)
            rows[s] = {y: fmpq(w, sum(drawn)) for y, w in zip(self.outputs, drawn, strict=True) if w}
        self.channel: Channel[Held, Report, fmpq] = Channel(rows)

    def items(self) -> Channel[Any, Report, fmpq]:
        """The same channel with the items themselves as inputs, where sets are singletons."""
        return Channel({next(iter(s)): row for s, row in self.channel.rows.items()})

    @property
    def is_of_items(self) -> bool:
        """Whether the sets are singletons."""
        return len(next(iter(self.channel.rows))) == 1

    def json(self, e_eps: fmpq) -> dict[str, Any]:
        rows = self.channel.rows
        return {
            "K": len(self.domain.sensitive),
            "N": len(self.domain.nonsensitive),
            "m": len(next(iter(rows))),
            "e_eps": str(e_eps),
            "outputs": [[y.protected, sorted(y.invertible)] for y in self.outputs],
            "rows": [[str(row.get(y, 0)) for y in self.outputs] for row in rows.values()],
        }


def finite(data: Any) -> Model:
    """The channel as the kernel reads it, for eps = 0, too."""
    (c,) = channels({**data, "e_eps": "2"})
    return c._replace(numbers={**c.numbers, "e_eps": Fraction(data["e_eps"])})


def has(name: str, c: Model) -> bool:
    """Whether the kernel finds that a channel has a property."""
    return holds(sentences.PREDICATES[name], c)


SIZES = ((2, 0, 1), (1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 1, 2), (1, 2, 2), (3, 1, 2))


def seeded(seed: int) -> Example:
    generator = random.Random(seed)
    k, n, m = SIZES[seed % len(SIZES)]
    # data that are not held are shown by every third channel only, no data at all by every fifth; by some channels
    # those of sensitive items, too; the weights of the others often hardly differ
    forbidden, silent, low = seed % 3 > 0, seed % 5 == 0, generator.choice([0, 2, 6])

    def weight(kept: Any, s: Any) -> int:
        return 0 if (kept - s and forbidden) or (kept and silent) else generator.randint(low, 8)

    return Example(k, n, m, weight, 0 if seed // 7 % 4 == 3 else None)


EXAMPLES = [seeded(seed) for seed in range(105)]


# --- the definitions, word by word --------------------------------------------------------------------------------


def literal(example: Example, relation: Relation, e_eps: fmpq, counted: bool) -> bool:
    """A reading of (11) from its definition, over all pairs of sets and all possible data."""
    rows, sensitive = example.channel.rows, set(example.domain.sensitive)
    shown = {y.invertible for y in example.outputs}
    for s, other in product(rows, repeat=2):
        if s == other:
            continue
        alike = s & set(example.domain.nonsensitive) == other & set(example.domain.nonsensitive)
        exchange = len(s) == len(other) and len(s & other) == len(s) - 1 and (s - other) <= sensitive
        if (relation == "samenon" and not alike) or (relation == "deniability" and not exchange):
            continue
        for y0 in ((0,), (1,), None):

            def chance(held: Held, kept: frozenset[Any], y0: Any = y0) -> Fraction:
                return fraction(rows[held].get(Report(y0, kept), 0))

            if relation == "marginal":
                pairs = [tuple(sum((chance(x, kept) for kept in shown), Fraction(0)) for x in (s, other))]
            else:
                usual = [kept for kept in shown if relation != "joint" or (kept <= s and kept <= other)]
                pairs = [(chance(s, kept), chance(other, kept)) for kept in usual]
            if not (y0 is None and not counted) and any(p > fraction(e_eps) * q for p, q in pairs):
                return False
    return True


PLAIN = [Fraction(0), Fraction(1, 3), Fraction(2, 3), Fraction(1)]


def split_disagreements() -> Iterator[str]:
    """Where a channel of one bit on three items, run on each of two, is not judged as its products are."""
    for ones in product(PLAIN, repeat=3):
        for e_eps in (Fraction(1), Fraction(3, 2), Fraction(2)):
            rows = [[1 - one, one] for one in ones]
            data = {"K": 3, "N": 0, "m": 1, "e_eps": str(e_eps), "outputs": [[0, []], [1, []]]}
            c = finite({**data, "rows": [[str(p) for p in row] for row in rows]})
            expected = all(
                rows[a][i] * rows[b][j] <= e_eps**2 * rows[x][i] * rows[y][j]
                for a, b in combinations(range(3), 2)
                for x, y in combinations(range(3), 2)
                for i, j in product(range(2), repeat=2)
            )
            if has("split-2", c) != expected:
                yield f"two items of {ones} at {e_eps}"


READINGS: tuple[tuple[Relation, bool], ...] = (
    *((relation, True) for relation in RELATIONS),
    ("marginal", False),
    ("joint", False),
)


@cache
def expected(number: int, relation: Relation, e_eps: fmpq, counted: bool) -> bool:
    return literal(EXAMPLES[number], relation, e_eps, counted)


def is_ldp(example: Example, e_eps: fmpq) -> bool:
    rows = example.channel.rows.values()
    return all(a.get(y, 0) <= e_eps * b.get(y, 0) for a in rows for b in rows for y in a)


def emits(example: Example) -> bool:
    """(9) and (10)."""
    return all(
        (x in s) == any(p > 0 and x in y.invertible for y, p in row.items())
        for s, row in example.channel.rows.items()
        for x in example.domain.nonsensitive
    )


def disagreements() -> Iterator[str]:
    """Where a predicate of the library and its definition differ."""
    for number, example in enumerate(EXAMPLES):
        channel, domain = example.channel, example.domain
        for (relation, counted), e_eps in product(READINGS, CONSTANTS):
            found = definitions.suldp_violation(channel, domain, relation, e_eps, count_empty=counted)
            if (found is None) != expected(number, relation, e_eps, counted):
                yield f"{relation} of example {number} at {e_eps}"
        if (definitions.emission_violation(channel, domain) is None) != emits(example):
            yield f"(9), (10) of example {number}"
        for e_eps in CONSTANTS:
            if (definitions.ldp_violation(channel, e_eps) is None) != is_ldp(example, e_eps):
                yield f"(1) of example {number} at {e_eps}"
        if example.is_of_items:
            items = example.items()
            if (definitions.uldp_inversion_violation(items, domain) is None) != inverts(example):
                yield f"(2) of example {number}"
            for e_eps in CONSTANTS:
                if (definitions.uldp_protection_violation(items, e_eps) is None) != protects(example, e_eps):
                    yield f"(4) of example {number} at {e_eps}"


def kernel_disagreements() -> Iterator[str]:
    """Where the kernel's reading of a definition, or another form of it, differs from the definition."""
    for number, example in list(enumerate(EXAMPLES))[::2]:
        few = max(map(len, example.channel.rows.values())) <= FEW
        yield from support_disagreements(number, example)
        for e_eps in CONSTANTS:
            data = finite(example.json(e_eps))
            for relation, counted in READINGS:
                name, right = f"eq11-{relation}", expected(number, relation, e_eps, counted)
                listed = ["", *["-events"] * few] if counted else ["-nonempty"] * (relation == "marginal")
                found = {has(f"{name}{form}", data) for form in listed}
                if found | {holds(sentences.bounded(relation, "all" if counted else "nonempty"), data)} != {right}:
                    yield f"{name} of example {number} at {e_eps}"
            if {has(form, data) for form in ("ldp", *["ldp-events"] * few)} != {is_ldp(example, e_eps)}:
                yield f"(1) of example {number} at {e_eps}"
            if example.is_of_items:
                yield from item_disagreements(number, example, e_eps, data)


def support_disagreements(number: int, example: Example) -> Iterator[str]:
    """Forms of (9) and (10), each from what y_1, ..., y_t can be."""
    data = finite(example.json(fmpq(2)))
    lists: dict[Any, list[list[Any]]] = {
        s: [sorted(y.invertible, key=str) for y in row] for s, row in example.channel.rows.items()
    }
    others = example.domain.nonsensitive
    images = {x for shown in lists.values() for kept in shown for x in kept}
    held = [(shown, x) for s, shown in lists.items() for x in s if x in others and x in images]
    lengths = {s: max(map(len, shown)) for s, shown in lists.items()}
    some = all(any(x in kept for kept in shown) for shown, x in held)
    every = all(
        any(len(kept) > i and kept[i] == x for kept in shown)
        for s, shown in lists.items()
        for x in s
        if x in others and x in images
        for i in range(lengths[s])
    )
    only = not any(x not in s or x not in others for s, shown in lists.items() for kept in shown for x in kept)
    expected = {
        **dict.fromkeys(("eq9-membership", "eq9-sets", "eq9-coordinate-some"), some),
        "eq9-coordinate-every": every,
        **dict.fromkeys(("eq10-membership", "eq10-sets", "eq10-coordinate"), only),
    }
    yield from (f"{form} of example {number}" for form, truth in expected.items() if has(form, data) != truth)


def inverts(example: Example) -> bool:
    rows = example.items().rows
    owners = {y: [x for x, row in rows.items() if y in row] for y in example.items().outputs if y.invertible}
    return all(set(y.invertible) == set(x) and x[0] in example.domain.nonsensitive for y, x in owners.items())


def protects(example: Example, e_eps: fmpq) -> bool:
    rows = example.items().rows.values()
    return all(a.get(y, 0) <= e_eps * b.get(y, 0) for a in rows for b in rows for y in a if not y.invertible)


def item_disagreements(number: int, example: Example, e_eps: fmpq, data: Model) -> Iterator[str]:
    few = len(example.items().outputs) <= FEW
    found = {
        (has(f"uldp-inversion{rows}", data), has(f"uldp-protection{columns}", data))
        for rows, columns in (("", ""), ("-rows", "-events" if few else ""))
    }
    if found != {(inverts(example), protects(example, e_eps))}:
        yield f"Definition 2 of example {number} at {e_eps}"
