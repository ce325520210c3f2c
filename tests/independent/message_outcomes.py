"""What is seen of shuffled messages, by listing all outcomes in plain fractions."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from independent.brute_force import collected
from independent.brute_force_shuffle import divergence as delta
from independent.brute_force_shuffle import response as randomized_response

Law = dict[Any, Fraction]
ONE = Fraction(1)


def gathered(outcomes: Iterable[tuple[Any, Fraction]]) -> Law:
    law = collected(outcomes)
    assert sum(law.values()) == 1
    return law


def events(first: Law, second: Law, a: Fraction) -> list[Fraction]:
    """P(event) - a Q(event) for every event."""
    outputs = sorted({*first, *second})
    chosen = [ys for size in range(len(outputs) + 1) for ys in combinations(outputs, size)]
    return [sum((first.get(y, 0) - a * second.get(y, 0) for y in ys), Fraction(0)) for ys in chosen]


def ratio(first: Law, second: Law) -> Fraction | None:
    """The largest ratio; None if some output is impossible for the second law alone."""
    if not set(first) <= set(second):
        return None
    return max(p / second[y] for y, p in first.items())


def together(laws: Iterable[Law]) -> Law:
    """The multiset of the messages of independent senders; each law is on tuples of messages."""
    joint: Law = {(): ONE}
    for law in laws:
        joint = gathered((tuple(sorted(x + y)), p * q) for x, p in joint.items() for y, q in law.items())
    return joint


def response(w: Fraction, labels: int, x: int) -> Law:
    """Randomized response."""
    return randomized_response(labels, 1 / (w + labels - 1))[x]


def functions(items: int, labels: int) -> list[tuple[int, ...]]:
    return list(product(range(labels), repeat=items))


def plain(report: Law, labels: int, dummies: int) -> Law:
    """A report and uniform labels."""
    return gathered(
        (tuple(sorted((y, *more))), p / labels**dummies)
        for y, p in report.items()
        for more in product(range(labels), repeat=dummies)
    )


def fresh(w: Fraction, items: int, labels: int, dummies: int, x: int) -> Law:
    """Every message is beside a function of its own."""
    family = functions(items, labels)
    messages = [(h, y) for h in family for y in range(labels)]
    return gathered(
        (tuple(sorted(((h, y), *more))), p / len(family) / len(messages) ** dummies)
        for h in family
        for y, p in response(w, labels, h[x]).items()
        for more in product(messages, repeat=dummies)
    )


def shared(w: Fraction, items: int, labels: int, dummies: int, x: int) -> Law:
    """All messages of a user are beside one function."""
    family = functions(items, labels)
    return gathered(
        (tuple(sorted((h, z) for z in (y, *more))), p / len(family) / labels**dummies)
        for h in family
        for y, p in response(w, labels, h[x]).items()
        for more in product(range(labels), repeat=dummies)
    )


def one_hot(items: int, chance: Fraction, x: int) -> Law:
    """AUE: the item, and every item once more with the chance."""
    bits = product((0, 1), repeat=items)
    return gathered(
        (tuple(sorted((x, *(y for y in range(items) if b[y])))), chance ** sum(b) * (1 - chance) ** (items - sum(b)))
        for b in bits
    )


def neighbors(items: int, users: int) -> list[tuple[int, int, tuple[int, ...]]]:
    others = list(product(range(items), repeat=users - 1))
    return [(x, y, rest) for x, y in product(range(items), repeat=2) if x != y for rest in others]


def deltas(law: Callable[[int], Law], items: int, users: int, extra: Iterable[Law], a: Fraction) -> list[Fraction]:
    """delta for all neighboring data sets, in one order."""
    noise, sent = list(extra), [law(x) for x in range(items)]
    pairs = ((x, y, [*(sent[z] for z in rest), *noise]) for x, y, rest in neighbors(items, users))
    return [delta(together([sent[x], *more]), together([sent[y], *more]), a) for x, y, more in pairs]


def steps(counts: Mapping[Any, int], likelihood: Callable[[Any, int], Any], items: int, number: int) -> list[Any]:
    """EM from the uniform start: messages by how often they were seen."""
    histogram: list[Any] = [Fraction(1, items)] * items
    total = sum(counts.values())
    for _ in range(number):
        new: list[Any] = [0] * items
        for t, count in counts.items():
            weights = [histogram[v] * likelihood(t, v) for v in range(items)]
            whole = sum(weights)
            new = [f + count * w / (whole * total) for f, w in zip(new, weights, strict=True)]
        histogram = new
    return histogram


def seen(messages: Iterable[Any]) -> Counter[Any]:
    return Counter(messages)
