"""Rational scores of an attribute and its parents: F and R of PrivBayes, and the Jaccard distance of PrivSCBN.

Source 003 compares itself with both ([13] and [20]). All are exact rationals; their sensitivities are as printed.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from typing import Literal

from flint import fmpq

from dp_refimpl.requirements import require_word
from dp_refimpl.synthesis.information import require_records
from dp_refimpl.synthesis.tables import CountTable, domain_records
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import at_most

Cap = Literal["half", "ceil"]
"""What K_0 and K_1 are capped at: n/2, or n/2 rounded up as in the public code of PrivBayes."""


def f_score(table: CountTable, x: int, parents: Sequence[int], cap: Cap = "half") -> fmpq:
    """F(X, Pi) = max (min(K_0, 1/2) + min(K_1, 1/2)) - 1 over all ways to assign the cells of Pi to the values of X.

    The pairs (n K_0, n K_1) that can be reached are built cell by cell, so that time is |dom(Pi)| n^2 at most. Raises
    `DomainError` unless X has two values, for a table without records, and for what are no different attributes.
    """
    require_word("cap", cap, Cap)
    n = require_records(table.n)
    limit = fmpq(n, 2) if cap == "half" else fmpq((n + 1) // 2)
    reached = {(0, 0)}
    for zeros, ones in _cells(table, x, parents):
        reached = {total for k, m in reached for total in ((k + zeros, m), (k, m + ones))}
    return _largest([_least(fmpq(k), limit) + _least(fmpq(m), limit) for k, m in reached]) / n - 1


def f_distance(table: CountTable, x: int, parents: Sequence[int]) -> fmpq:
    """F(X, Pi) by its definition: minus half the least L1 distance to a joint law in which X is uniform and Pi tells X.

    The least distance is attained at a law whose cells are multiples of 1/(2n) (a transport problem with integer
    supplies), and all of these are tried: for domains of a few cells. Raises `DomainError` as `f_score`, and unless Pi
    has at least two values (Pi cannot tell a uniform X otherwise).
    """
    n, cells = require_records(table.n), list(_cells(table, x, parents))
    if len(cells) < 2:
        raise DomainError("parents", parents, "parents with at least two values")
    return -_least_of(
        fmpq(sum(abs(2 * zeros - p) + abs(2 * ones - q) for (zeros, ones), (p, q) in zip(cells, law, strict=True)))
        for law in _laws_that_tell(n, len(cells))
    ) / (4 * n)


def r_score(table: CountTable, x: int, parents: Sequence[int]) -> fmpq:
    """R(X, Pi): half the L1 distance between the joint frequencies and the product of the marginal ones.

    Raises `DomainError` for a table without records, and for what are no different attributes of it.
    """
    n, joint = require_records(table.n), table.marginal((x, *parents))
    first, rest = table.marginal((x,)), table.marginal(parents)
    distance = sum(
        abs(n * joint.count((value, *record)) - count * times)
        for (value,), count in first.counts
        for record, times in rest.counts
    )
    return fmpq(distance, 2 * n * n)


def jaccard(table: CountTable, x: int, y: int) -> fmpq:
    """1 - n_11 / (n_11 + n_10 + n_01) of two attributes with two values, 0 where the denominator is 0.

    Raises `DomainError` for other attributes.
    """
    for attribute in (x, y):
        _require_binary(table, attribute)
    joint = table.marginal((x, y))
    some = joint.n - joint.count((0, 0))
    return 1 - fmpq(joint.count((1, 1)), some) if some else fmpq(0)


def f_sensitivity(n: int) -> fmpq:
    """S(F) = 1/n as printed. Raises `DomainError` unless n >= 1."""
    return fmpq(1, require_records(n))


def r_sensitivity(n: int) -> fmpq:
    """S(R) = 3/n + 2/n^2 as printed. Raises `DomainError` unless n >= 1."""
    return fmpq(3, require_records(n)) + fmpq(2, n * n)


def jaccard_sensitivity() -> fmpq:
    """Delta J = 1 (our reconstruction of PrivSCBN)."""
    return fmpq(1)


def _cells(table: CountTable, x: int, parents: Sequence[int]) -> Iterator[tuple[int, int]]:
    """How often every combination of values of the parents occurs with X = 0 and with X = 1."""
    _require_binary(table, x)
    joint = table.marginal((x, *parents))
    return ((joint.count((0, *record)), joint.count((1, *record))) for record in domain_records(joint.sizes[1:]))


def _laws_that_tell(n: int, cells: int) -> Iterator[list[tuple[int, int]]]:
    """All joint laws in units of 1/(2n) with X uniform, and one value of X in every cell of Pi."""
    for owners in product((0, 1), repeat=cells):
        mine = [i for i, owner in enumerate(owners) if owner == 0]
        others = [i for i, owner in enumerate(owners) if owner == 1]
        for zeros, ones in product(_parts(n, len(mine)), _parts(n, len(others))):
            law = [(0, 0)] * cells
            for i, p in zip(mine, zeros, strict=True):
                law[i] = (p, 0)
            for i, q in zip(others, ones, strict=True):
                law[i] = (0, q)
            yield law


def _parts(total: int, places: int) -> Iterator[tuple[int, ...]]:
    """All ways to write the total as an ordered sum of so many integers >= 0."""
    if places == 0:
        yield from [()] if total == 0 else []
    else:
        for first in range(total + 1) if places > 1 else [total]:
            yield from ((first, *rest) for rest in _parts(total - first, places - 1))


def _require_binary(table: CountTable, attribute: int) -> None:
    if table.marginal((attribute,)).sizes != (2,):
        raise DomainError("attribute", attribute, "an attribute with two values")


def _least(a: fmpq, b: fmpq) -> fmpq:
    return a if at_most(a, b) else b


def _least_of(numbers: Iterator[fmpq]) -> fmpq:
    return reduce(_least, numbers)


def _largest(numbers: Sequence[fmpq]) -> fmpq:
    return -_least_of(-number for number in numbers)
