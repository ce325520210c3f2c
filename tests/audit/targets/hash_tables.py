"""Local hashing with a table of random cells (d = 3, g = 3, epsilon = 1): the report holds one draw at two levels."""

import math
import random

KEPT: list[int] = []


def chosen(cell: int, g: int, epsilon: float) -> int:
    e = math.exp(epsilon)
    if random.random() >= e / (e + g - 1):
        return (cell + random.randrange(1, g)) % g
    return cell


def ideal(item: int, d: int, g: int, epsilon: float) -> tuple[int, tuple[int, ...]]:
    """Correct."""
    table = [random.randrange(g) for _ in range(d)]
    return chosen(table[item], g, epsilon), tuple(table)


def one_cell(item: int, d: int, g: int, epsilon: float) -> tuple[int, tuple[int, ...]]:
    """All items have the same random cell."""
    table = [random.randrange(g)] * d
    return chosen(table[item], g, epsilon), tuple(table)


def cell_of_its_own(item: int, d: int, g: int, epsilon: float) -> tuple[int, tuple[int, ...]]:
    """What is reported is not the cell of the table."""
    return chosen(random.randrange(g), g, epsilon), tuple(random.randrange(g) for _ in range(d))


def kept(item: int) -> tuple[int, list[int]]:
    """The first draw, again and again."""
    if not KEPT:
        KEPT.append(random.randrange(2))
    return KEPT[0], [item]
