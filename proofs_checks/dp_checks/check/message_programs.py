"""Users who send several messages, as programs behind laws of a report and dummies.

A user's messages are written as the kernel writes them: sorted labels; (function, sorted labels) where one public
function serves all of them; the report and the dummies, each a (function, label), where every message has its own; the
item and the bits of all items.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from flint import fmpq

from dp_refimpl.coins import Coins, bernoulli, uniform
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.hash_families import LabelFunction, PublicFunctions
from dp_refimpl.frequency.local_hashing import LocalHashing
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
    dummies = range(place["c"])

    def labels(first: int, number: int, coins: Coins) -> tuple[int, ...]:
        return tuple(sorted([first, *(uniform(coins, range(number), one) for _ in dummies)]))

    def report(held: tuple[int, ...], coins: Coins) -> Any:
        (x,) = held
        match law.mechanism:
            case "messages-grr":
                return labels(int(GRR(domain, budget).randomize(x, coins)), len(items), coins)  # type: ignore[call-overload]
            case "messages-plain":
                return labels(x, len(items), coins)
            case "messages-aue":
                return x, tuple(int(bernoulli(coins, parameters["rho"])) for _ in items)
            case "messages-shared" | "messages-fresh" | "messages-revealed":
                family = PublicFunctions(listed)
                if law.mechanism == "messages-revealed":
                    h = family.draw(coins, one)
                    label = h(x)
                else:
                    h, label = LocalHashing(domain, budget, family, fmpq(1, place["b"])).randomize(x, coins)
                if law.mechanism == "messages-shared":
                    return listed.index(h), (labels(label, place["b"], coins), ())
                drawn = [(family.draw(coins, one), uniform(coins, range(place["b"]), one)) for _ in dummies]
                return (listed.index(h), label), tuple((listed.index(of), z) for of, z in drawn)
        raise DomainError("mechanism", law.mechanism, "the name of a program")

    return exact_channel(report, tuple((x,) for x in items), one)


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
