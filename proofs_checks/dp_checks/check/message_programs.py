"""Users who send several messages, as programs behind laws of a report and dummies.

A user's messages are written as the kernel writes them: sorted labels; (function, sorted labels) where one public
function serves all of them; the report and the dummies, each a (function, label), where every message has its own; the
item and the bits of all items.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.hash_families import LabelFunction, PublicFunctions
from dp_refimpl.shuffle.aue import AUE
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.dump import MixDUMP, PureDUMP
from dp_refimpl.shuffle.odhp import ODHP
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.table import Channel

MOST_ITEMS, MOST_LABELS, MOST_DUMMIES = 3, 2, 2
At = dict[str, Any]
"""Sizes: items K, labels b, dummies c; `functions`: the labels of all items, function by function."""
Rows = Channel[tuple[int, ...], Any, Any]
HASHED: Mapping[str, tuple[str, ...]] = {
    "messages-shared": ("hash",),
    "messages-fresh": ("hash", "dummies"),
    "messages-revealed": ("hash", "dummies"),
}
"""The public choices of laws that have some."""


CLASSES: Mapping[str, type] = {
    "messages-grr": MixDUMP,
    "messages-plain": PureDUMP,
    "messages-aue": AUE,
    **dict.fromkeys(("messages-shared", "messages-fresh", "messages-revealed"), ODHP),
}
"""The randomizers behind the laws (the last one without its randomized response)."""


def instances(law: Law) -> Iterator[At]:
    """Up to 3 items, 2 labels, 2 dummies, in the declared order, under all lists of one or two different functions; 3
    labels, so that labels that no item has are told apart; a dummy less where every message has its own function."""
    if law.mechanism not in HASHED:
        numbers = range(MOST_DUMMIES + 1) if "c" in law.integers else [0]
        yield from (at(d, dummies=c) for d, c in product(range(1, MOST_ITEMS + 1), numbers))
        return
    most = MOST_DUMMIES if law.mechanism == "messages-shared" else 1
    for d, number, c in product(range(1, MOST_ITEMS + 1), (1, 2), range(most + 1)):
        for functions in combinations(product(range(MOST_LABELS), repeat=d), number):
            yield at(d, MOST_LABELS, [list(values) for values in functions], c)
    yield from (at(2, MOST_LABELS + 1, [[0, label]], most) for label in range(2))


def with_premise(law: Law) -> Iterator[At]:
    """Instances in which any two items share a label with chance 1/b: under all functions."""
    if law.mechanism not in HASHED:
        yield from instances(law)
        return
    for b, d, c in product((2, 3), (1, 2), range(MOST_DUMMIES if law.mechanism == "messages-shared" else 2)):
        yield at(d, b, [list(values) for values in product(range(b), repeat=d)], c)


def at(items: int, labels: int = 0, functions: list[list[int]] | None = None, dummies: int = 0) -> At:
    """An instance."""
    hashed = {} if functions is None else {"b": labels, "functions": functions}
    return {"m": 1, "K": items, "N": 0, **hashed, "c": dummies}


def record(place: At) -> dict[str, Any]:
    """The instance as ties record it: k copies of a uniform message."""
    return {("k" if name == "c" else name): x for name, x in place.items()}


def program(law: Law, place: At, root: Any, **parameters: Any) -> Rows:
    """The exact channel on single items. Raises `DomainError` for a law that no program is known for."""
    items, one = tuple(range(place["K"])), root * 0 + 1
    domain, budget = ItemDomain(items, ()), Budget.of_root(root, 1)
    listed = tuple(LabelFunction(items, tuple(values), place["b"]) for values in place.get("functions", ()))
    randomizer = _randomizer(law, domain, budget, Constant(place["c"]), listed, one, parameters)

    def report(held: tuple[int, ...], coins: Coins) -> Any:
        return _written(law, randomizer.messages(held[0], coins), items, listed)

    rows = exact_channel(report, tuple((x,) for x in items), randomizer.one).rows
    return Channel({x: {y: p * one for y, p in row.items()} for x, row in rows.items()})


def _randomizer(
    law: Law, domain: ItemDomain, budget: Any, dummies: Constant, listed: Any, one: Any, parameters: Any
) -> Any:
    """The randomizer whose messages a law is about. Raises `DomainError` for a law that no program is known for."""
    family = PublicFunctions(listed) if listed else None
    match law.mechanism:
        case "messages-grr":
            return MixDUMP(domain, budget, dummies)
        case "messages-plain":
            return PureDUMP(domain, dummies)
        case "messages-aue":
            return AUE(domain, parameters["rho"])
        case "messages-shared":
            return ODHP(domain, budget, dummies, family, hashes="shared")
        case "messages-fresh":
            return ODHP(domain, budget, dummies, family, hashes="fresh")
        case "messages-revealed":
            return Revealed(family, dummies, one)
    raise DomainError("mechanism", law.mechanism, "the name of a program")


@dataclass(frozen=True)
class Revealed:
    """Reports that are the hash values themselves, among dummies; every message has a function of its own."""

    family: Any
    dummies: Constant
    one: Any

    def messages(self, item: int, coins: Coins) -> tuple[Any, ...]:
        """The report, then the dummies."""
        functions = [self.family.draw(coins, self.one) for _ in range(self.dummies.m + 1)]
        first, *others = functions
        return (first, first(item)), *((h, uniform(coins, range(h.labels), self.one)) for h in others)


def _written(law: Law, sent: tuple[Any, ...], items: tuple[int, ...], listed: tuple[Any, ...]) -> Any:
    """A user's messages as the kernel writes them."""
    match law.mechanism:
        case "messages-aue":
            return sent[0], tuple(int(x in sent[1:]) for x in items)
        case "messages-shared":
            return listed.index(sent[0][0]), (tuple(sorted(label for _, label in sent)), ())
        case "messages-fresh" | "messages-revealed":
            first, *others = ((listed.index(h), label) for h, label in sent)
            return first, tuple(others)
    return tuple(sorted(sent))


def supports(law: Law, place: At, report: Any, x: int) -> int:
    """The number of messages that support an item."""
    functions = place.get("functions")
    match law.mechanism:
        case "messages-aue":
            item, more = report
            return int(item == x) + int(more[x])
        case "messages-shared":
            h, (labels, _) = report
            return int(labels.count(functions[h][x]))  # type: ignore[index]
        case "messages-fresh" | "messages-revealed":
            return sum(functions[h][x] == label for h, label in (report[0], *report[1]))  # type: ignore[index]
    return int(report.count(x))


def families(law: Law, place: At) -> dict[str, list[list[Any]]]:
    """The choices as certificates list them."""
    listed = place.get("functions", ())
    chosen = [[str(Fraction(1, len(listed))), list(values)] for values in listed]
    return dict.fromkeys(HASHED.get(law.mechanism, ()), chosen)
