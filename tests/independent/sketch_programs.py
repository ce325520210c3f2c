"""What the server of the count-mean sketch counts in the reports of the program, as exact laws."""

from collections.abc import Sequence
from functools import cache, partial
from itertools import product
from typing import Any

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFunction
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from independent.brute_force import collected
from independent.server_counts import Vector, Vectors, one_user, together

BUDGET, EPSILON = Budget.of_root(fmpq(3), 2), "2*ln(3)"
"""s = 3."""
Data = tuple[int, ...]
"""Numbers of records by word."""


def functions(words: int, m: int, *values: tuple[int, ...]) -> tuple[LabelFunction, ...]:
    return tuple(LabelFunction(tuple(range(words)), row, m) for row in values)


def ones(report: Any, rows: Sequence[LabelFunction]) -> Vector:
    """Whether the sign in the column of a word is +1, by word."""
    signs, row = report
    return tuple(int(signs[rows[row](x)] == 1) for x in rows[0].items)


@cache
def program(data: Data, rows: tuple[LabelFunction, ...]) -> Vectors:
    """The law of F_d of all words in the reports of the program, with given functions."""
    client = ClientCMS(ItemDomain.of_sizes(len(data)), BUDGET, rows)

    def report(word: int, coins: Coins) -> Vector:
        return ones(client.randomize(word, coins), rows)

    return together([one_user(partial(report, word)) for word, count in enumerate(data) for _ in range(count)])


def program_on_random_functions(data: Data, k: int, m: int) -> Vectors:
    family = list(AllFunctions(tuple(range(len(data))), m).law())
    drawn = product(family, repeat=k)
    return collected((y, p / len(family) ** k) for rows in drawn for y, p in program(data, rows).items())
