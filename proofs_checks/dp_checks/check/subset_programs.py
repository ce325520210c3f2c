"""PrivSet as programs behind laws on subsets."""

from collections.abc import Iterator
from typing import Any

from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.privset import Dummy, PrivSet
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.table import Channel

Rows = Channel[tuple[int, ...], tuple[int, ...], Any]


def sizes(law: Law) -> Iterator[dict[str, int]]:
    """Sizes of at most 4 items (3 and dummies) in the declared order."""
    for d in range(1, 4 if law.brought else 5):
        for m in range(1, d + bool(law.brought)):
            for k in range(1, (d if law.brought else d - m) + 1):
                yield {"m": m, "K": d, "N": 0, "k": k}


instances = sizes


def record(place: dict[str, int]) -> dict[str, int]:
    """The instance as ties record it."""
    return place


def families(law: Law, place: dict[str, int]) -> dict[str, Any]:
    """No functions are chosen."""
    return {}


def program(law: Law, at: dict[str, int], w: Any) -> Rows:
    """The exact channel of the mechanism at one size; reports are sorted, dummies numbered after the items."""
    if law.mechanism != "privset":
        raise DomainError("mechanism", law.mechanism, "the name of a program")
    d, m = at["K"], at["m"]
    mechanism = PrivSet(ItemDomain.of_sizes(d), Budget.of_root(w), m, at["k"], bool(law.brought))
    inputs = mechanism.domain.subsets(range(0 if law.brought else m, m + 1))
    channel = exact_channel(mechanism.randomize, inputs, w * 0 + 1)

    def numbers(items: Any) -> tuple[int, ...]:
        return tuple(sorted(d + x.number if isinstance(x, Dummy) else int(x) for x in items))

    return Channel({numbers(s): {numbers(o): p for o, p in row.items()} for s, row in channel.rows.items()})
