"""Rows of sources 002 and 004 decided again in plain fractions: sketches by their records, laws on grids, arcs by their
ends."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import NamedTuple

Holds = Callable[[], bool]
Functions = Sequence[Sequence[int]]
ROOT = Fraction(2)
"""e^(epsilon/2)."""
COLUMNS = 2
EVERY = list(product(range(COLUMNS), repeat=2))
"""All functions of two items to two columns."""


class Moments(NamedTuple):
    """Of the estimate of item 0: mean, mean square, mean squared error."""

    first: Fraction
    second: Fraction
    error: Fraction


def _estimates(records: Sequence[int], functions: Functions) -> list[tuple[Fraction, Fraction]]:
    """(chance, estimate) of item 0 for all rows and signs of all records."""
    c, flipped, n = (ROOT + 1) / (ROOT - 1), 1 / (ROOT + 1), len(records)
    outcomes = [(Fraction(1), Fraction(0))]
    for item in records:
        after = []
        for row, sign in product(functions, (1, -1)):
            sent = 1 if row[item] == row[0] else -1
            chance = (1 - flipped if sign == sent else flipped) / len(functions)
            after += [(p * chance, total + c / 2 * sign + Fraction(1, 2)) for p, total in outcomes]
        outcomes = after
    return [(p, Fraction(COLUMNS, COLUMNS - 1) * (total - Fraction(n, COLUMNS))) for p, total in outcomes]


def _moments(records: Sequence[int], draws: Sequence[Functions]) -> Moments:
    """All records under one of some lists of functions."""
    truth = records.count(0)
    outcomes = [(p / len(draws), x) for functions in draws for p, x in _estimates(records, functions)]
    first, second = (sum((p * x**power for p, x in outcomes), Fraction(0)) for power in (1, 2))
    return Moments(first, second, sum((p * (x - truth) ** 2 for p, x in outcomes), Fraction(0)))


def _error_is_variance(draws: Sequence[Functions]) -> bool:
    data = ([0], [1], [0, 1], [1, 1], [0, 0])
    return all(error == second - first**2 for first, second, error in (_moments(records, draws) for records in data))


def _least_counter() -> bool:
    """Three items, two rows: every counter of an item has its records and those of the items beside it."""
    for rows in product(product(range(2), repeat=3), repeat=2):
        for f in product(range(3), repeat=3):
            for x in range(3):
                counters = [sum(f[y] for y in range(3) if row[y] == row[x]) for row in rows]
                if min(counters) < f[x] or any(
                    counter != f[x] + sum(f[y] for y in range(3) if y != x and row[y] == row[x])
                    for counter, row in zip(counters, rows, strict=True)
                ):
                    return False
    return True


def _bits(number: int) -> int:
    """The least b with 2^b >= number."""
    return (number - 1).bit_length()


def _codes() -> bool:
    for k, m in product(range(1, 6), range(1, 6)):
        hadamard = list(product(range(k), range(m), (1, -1)))
        vectors = list(product(range(k), product((1, -1), repeat=m)))
        if len(hadamard) > 2 ** (1 + _bits(k) + _bits(m)) or len(vectors) > 2 ** (m + _bits(k)):
            return False
    return True


def _run(records: int, k: int, m: int, items: int) -> int:
    """The steps of clients, server, initialization and queries, one by one."""
    steps = sum(1 for _ in range(k) for _ in range(m))
    for _ in range(records):
        steps += sum(1 for _ in range(m)) + sum(1 for _ in range(m))
    return steps + sum(1 for _ in range(items) for _ in range(k))


def _record_without_rows() -> bool:
    return all(
        len({_run(n + 1, k, m, 3) - _run(n, k, m, 3) for k in (1, 2, 7)}) == 1 for n, m in product((1, 4), (1, 3))
    )


def _monotone() -> bool:
    grid = [tuple(Fraction(x, 4) for x in c) for c in product(range(5), repeat=3) if sum(c) == 4]
    budgets = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4))

    def private(p: Sequence[Fraction], q: Sequence[Fraction], w: Fraction) -> bool:
        return all(x <= w * y and y <= w * x for x, y in zip(p, q, strict=True))

    for p, q in product(grid, repeat=2):
        verdicts = [private(p, q, w) for w in budgets]
        if verdicts != sorted(verdicts) or verdicts[0] != (p == q):
            return False
    return True


def _union(starts: Sequence[Fraction], length: Fraction) -> Fraction:
    """The length of what arcs cover of the circle [0, 1)."""
    ends = sorted({Fraction(0), Fraction(1), *starts, *((v + length) % 1 for v in starts)})
    covered = Fraction(0)
    for low, high in pairwise(ends):
        middle = (low + high) / 2
        covered += (high - low) * any((middle - v) % 1 < length for v in starts)
    return covered


def _covered() -> bool:
    grid = [Fraction(x, 12) for x in range(12)]
    return all(
        _union(starts, length) <= m * length
        for m, length in ((1, Fraction(1, 5)), (2, Fraction(1, 5)), (2, Fraction(1, 3)), (3, Fraction(1, 7)))
        for starts in product(grid, repeat=m)
    )


def _bit_chances(sensitive: int, others: int, m: int) -> set[tuple[str, Fraction]]:
    """suRAP: the chance that a bit of a report is 1, from all reports; by the kind of item, held or not."""
    p, q, r = ROOT / (ROOT + 1), 1 / (ROOT + 1), (ROOT - 1) / ROOT
    d, chances = sensitive + others, set()
    for held in combinations(range(d), m):
        ones = [(p if x in held else q) if x < sensitive else (r if x in held else Fraction(0)) for x in range(d)]
        for x in range(d):
            chance = Fraction(0)
            for bits in product((0, 1), repeat=d):
                weight = Fraction(1)
                for bit, one in zip(bits, ones, strict=True):
                    weight *= one if bit else 1 - one
                chance += weight * bits[x]
            chances.add((f"{'sensitive' if x < sensitive else 'other'} {x in held}", chance))
    return chances


def _same_bits() -> bool:
    everywhere = set[tuple[str, Fraction]]()
    for k, n, m in ((1, 1, 1), (2, 1, 1), (1, 2, 1), (3, 1, 2), (2, 3, 2)):
        everywhere |= _bit_chances(k, n, m)
    return len(everywhere) == len({kind for kind, _ in everywhere})


DECIDED: dict[str, Holds] = {
    "004.eval.d.var@random": lambda: _error_is_variance(list(product(EVERY, repeat=2))),
    "004.eval.d.var@fixed": lambda: all(_error_is_variance([[h]]) for h in EVERY),
    "004.agg.plainmin": _least_counter,
    "004.base.hcms.bits": _codes,
    "004.exp.time@m": lambda: 65535 * 32 - 256 * 32 + (65535 - 256) * 2000 < 2 * 10**6 * 992 + 256 * 992,
    "004.exp.time@k": _record_without_rows,
    "004.def.monotone": _monotone,
    "002.thm7.l": _covered,
    "002.prose.rapunaffected": _same_bits,
}
"""By claim, whether it holds there."""
