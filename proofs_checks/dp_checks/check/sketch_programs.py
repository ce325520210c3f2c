"""Sketches as programs behind laws with a published choice, under listed hash functions."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.hash_families import LabelFunction
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.table import Channel

MOST_ITEMS, MOST_LABELS, MOST_ROWS = 3, 2, 2
Rows = Channel[int, tuple[int, tuple[int, ...]], Any]


def instances(law: Law) -> Iterator[dict[str, Any]]:
    """Up to 3 items, 2 columns, 2 rows: all functions, in the declared order."""
    if law.mechanism != "count_sketch-cms":
        raise DomainError("mechanism", law.mechanism, "the name of a program")
    for d, labels in product(range(1, MOST_ITEMS + 1), range(1, MOST_LABELS + 1)):
        for rows in range(1, MOST_ROWS + 1):
            for functions in combinations_with_replacement(product(range(labels), repeat=d), rows):
                listed = [list(values) for values in functions]
                yield {"m": 1, "K": d, "N": 0, "b": labels, "functions": listed}


def program(law: Law, at: dict[str, Any], root: Any) -> Rows:
    """The exact channel of the client; a report as the row, and a 1 for every sign that is +."""
    items = tuple(range(at["K"]))
    functions = tuple(LabelFunction(items, tuple(values), at["b"]) for values in at["functions"])
    client = ClientCMS(ItemDomain(items, ()), Budget.of_root(root, int(law.power.evaluate({}))), functions)
    channel = exact_channel(client.randomize, items, client.one)
    rows = {
        x: {(row, tuple(int(sign == 1) for sign in signs)): chance for (signs, row), chance in law_of_x.items()}
        for x, law_of_x in channel.rows.items()
    }
    return Channel(rows)
