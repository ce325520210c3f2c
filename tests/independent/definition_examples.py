"""Small channels that show data, and where the library or the kernel does not read a definition as the brute force of
`attack.definitions` does, which imports nothing of the project."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

from flint import fmpq

from attack import definitions as judge
from attack import truth, worlds
from dp_kernel.finite.channels import channels
from dp_kernel.finite.sentences import Model
from dp_kernel.finite.sentences import truth as kernel_truth
from dp_spec.vocabulary import definitions, sentences
from dp_spec.vocabulary.definitions import (
    Held,
    Relation,
)
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.table import Channel
from independent.numbers import fraction

RELATIONS: tuple[Relation, ...] = ("marginal", "joint", "deniability", "samenon")
CONSTANTS = (fmpq(1), fmpq(3, 2), fmpq(2), fmpq(4))
FEW, SOME = 8, CONSTANTS[1:3]
"""Outputs of which all events are looked at, for some of the constants; channels with more outputs are for one."""


class Example:
    """A channel on all m-sets of K + N items."""

    def __init__(
        self, k: int, n: int, m: int, weights: Callable[[Any, Any], int], shown_from: int | None = None
    ) -> None:
        self.domain = ItemDomain.of_sizes(k, n)
        first = k if shown_from is None else shown_from
        sets = [frozenset(c) for r in range(k + n + 1 - first) for c in combinations(range(first, k + n), r)]
        self.outputs = [Report(y0, kept) for y0 in ((0,), (1,), None) for kept in sets]
        rows = {}
        for s in self.domain.subsets([m]):
            drawn = [weights(y.invertible, s) for y in self.outputs]
            drawn[0] += not any(drawn)
            rows[s] = {y: fmpq(w, sum(drawn)) for y, w in zip(self.outputs, drawn, strict=True) if w}
        self.channel: Channel[Held, Report, fmpq] = Channel(rows)

    def items(self) -> Channel[Any, Report, fmpq]:
        """The same channel with the items themselves as inputs, where sets are singletons."""
        return Channel({next(iter(s)): row for s, row in self.channel.rows.items()})

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

    def plain(self, e_eps: fmpq) -> judge.Channel:
        """The channel as the brute force has it."""
        rows: dict[Any, Any] = {
            s: {(y.protected, tuple(sorted(y.invertible, key=str))): fraction(p) for y, p in row.items()}
            for s, row in self.channel.rows.items()
        }
        return judge.Channel(rows, len(self.domain.sensitive), len(self.domain.items), fraction(e_eps))


def finite(data: Any) -> Model:
    """The channel as the kernel reads it, for eps = 0, too."""
    (c,) = channels({**data, "e_eps": "2"})
    return c._replace(numbers={**c.numbers, "e_eps": Fraction(data["e_eps"])})


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


# --- disagreements ------------------------------------------------------------------------------------------------


def split_disagreements() -> Iterator[str]:
    """Where a channel of one bit on three items, run on each of two, is not judged as its products are."""
    chances = [Fraction(0), Fraction(1, 3), Fraction(2, 3), Fraction(1)]
    for ones, e_eps in product(product(chances, repeat=3), (Fraction(1), Fraction(3, 2), Fraction(2))):
        data = {"K": 3, "N": 0, "m": 1, "e_eps": str(e_eps), "outputs": [[0, []], [1, []]]}
        laws: list[dict[judge.Report, Fraction]] = [{(0, ()): 1 - one, (1, ()): one} for one in ones]
        c = judge.Channel({frozenset([x]): law for x, law in enumerate(laws)}, 3, 3, e_eps)
        rows = [[str(p) for p in law.values()] for law in laws]
        kernel = kernel_truth(sentences.PREDICATES["split-2"], finite({**data, "rows": rows}), {})
        if kernel is not judge.holds("split-2", c):
            yield f"two items of {ones} at {e_eps}"


def has_few_outputs(c: Any) -> bool:
    return max(map(len, c.rows.values())) <= FEW


@cache
def said(number: int, e_eps: fmpq) -> dict[str, bool]:
    """What the definitions say of an example, by predicate."""
    c = EXAMPLES[number].plain(e_eps)
    names = [name for name in PREDICATES if "-events" not in name or (has_few_outputs(c) and e_eps in SOME)]
    names = names if len(next(iter(c.rows))) == 1 else [name for name in names if not name.startswith("uldp")]
    return {name: judge.holds(name, c) for name in names} | {NONEMPTY: judge.bounded(c, joint_nonempty)}


def disagreements() -> Iterator[str]:
    """Where the kernel does not read a predicate as the definition says."""
    for (number, example), e_eps in product(enumerate(EXAMPLES), CONSTANTS):
        if not has_few_outputs(example.channel) and e_eps not in SOME[:1]:
            continue
        data = finite(example.json(e_eps))
        for name, held in said(number, e_eps).items():
            form = sentences.bounded("joint", "nonempty") if name == NONEMPTY else sentences.PREDICATES[name]
            if kernel_truth(form, data, {}) is not held:
                yield f"{name} of example {number} at {e_eps}"


def library_disagreements() -> Iterator[str]:
    """Where a predicate of the library is not what the definition says."""
    for number, example in enumerate(EXAMPLES):
        for e_eps in CONSTANTS:
            for name, held in library(example, e_eps).items():
                if held != said(number, e_eps)[name]:
                    yield f"{name} of example {number} at {e_eps}"
        c = example.plain(CONSTANTS[0])
        exact = all(judge.kept(c, s) == {x for x in judge.emitted(c, s) if x >= c.k} for s in c.rows)
        if (definitions.emission_violation(example.channel, example.domain) is None) != exact:
            yield f"(9), (10) of example {number}"


PREDICATES = [
    *(f"eq11-{relation}{form}" for relation in RELATIONS for form in ("", "-events")),
    *("eq11-marginal-nonempty", "ldp", "ldp-events", "uldp-inversion", "uldp-inversion-rows"),
    *("uldp-protection", "uldp-protection-events", "eq9-membership", "eq9-sets", "eq9-coordinate-some"),
    *("eq9-coordinate-every", "eq10-membership", "eq10-sets", "eq10-coordinate"),
]


NONEMPTY = "eq11-joint-nonempty"
"""A reading that no predicate has."""


def joint_nonempty(y: judge.Report, s: worlds.Held, other: worlds.Held) -> Any:
    return None if truth.is_blank(y[0]) else judge.LOOKS["joint"](y, s, other)


def library(example: Example, e_eps: fmpq) -> dict[str, bool]:
    """What the library finds, by predicate."""
    channel, domain = example.channel, example.domain
    violations: dict[str, Any] = {"ldp": definitions.ldp_violation(channel, e_eps)}
    for relation in RELATIONS:
        violations[f"eq11-{relation}"] = definitions.suldp_violation(channel, domain, relation, e_eps)
        if relation in ("marginal", "joint"):
            nonempty = definitions.suldp_violation(channel, domain, relation, e_eps, count_empty=False)
            violations[f"eq11-{relation}-nonempty"] = nonempty
    if all(len(s) == 1 for s in channel.rows):
        violations["uldp-inversion"] = definitions.uldp_inversion_violation(example.items(), domain)
        violations["uldp-protection"] = definitions.uldp_protection_violation(example.items(), e_eps)
    return {name: violation is None for name, violation in violations.items()}
