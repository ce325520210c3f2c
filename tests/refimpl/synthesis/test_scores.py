"""F, R and the Jaccard distance: closed forms against definitions over all small tables."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import ceil

from flint import fmpq

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.synthesis.scores import (
    Cap,
    f_distance,
    f_score,
    f_sensitivity,
    jaccard,
    jaccard_sensitivity,
    r_score,
    r_sensitivity,
)
from dp_refimpl.synthesis.tables import CountTable, Record, neighbor_pairs, tables
from independent.numbers import fraction

SIZES = [(2, 2), (2, 3), (2, 2, 2), (2, 1)]
PARENTS: list[tuple[int, ...]] = [(), (1,), (1, 2), (2, 1)]


def cases(most: int) -> Iterator[tuple[CountTable, tuple[int, ...]]]:
    for sizes, n in product(SIZES, range(1, most + 1)):
        for table in tables(sizes, n):
            yield from ((table, parents) for parents in PARENTS if all(a < len(sizes) for a in parents))


def naive_f(records: tuple[Record, ...], domain: list[Record], parents: tuple[int, ...], cap: Cap) -> Fraction:
    """Over all assignments of the combinations of parents: the capped numbers of records that agree, less n."""
    n = len(records)
    limit = Fraction(n, 2) if cap == "half" else Fraction(ceil(Fraction(n, 2)))
    cells = sorted({tuple(x[a] for a in parents) for x in domain})
    best = Fraction(-n)
    for owners in product((0, 1), repeat=len(cells)):
        owner = dict(zip(cells, owners, strict=True))
        agreeing = [sum(1 for x in records if x[0] == value == owner[tuple(x[a] for a in parents)]) for value in (0, 1)]
        best = max(best, sum((min(Fraction(k), limit) for k in agreeing), Fraction(0)) - n)
    return best / n


def test_f_is_the_best_assignment() -> None:
    for table, parents in cases(3):
        domain = list(product(*map(range, table.sizes)))
        for cap in ("half", "ceil"):
            assert fraction(f_score(table, 0, parents, cap)) == naive_f(table.records, domain, parents, cap)


def test_r_is_a_distance_from_independence() -> None:
    """R is half the sum over all cells of |p(x, pi) - p(x) p(pi)|, with frequencies counted in the list."""
    for table, parents in cases(3):
        records, n = table.records, table.n
        distance = Fraction(0)
        rows = [(record[0], tuple(record[a] for a in parents)) for record in records]
        for value in range(table.sizes[0]):
            for cell in product(*(range(table.sizes[a]) for a in parents)):
                joint = Fraction(rows.count((value, cell)), n)
                apart = Fraction(sum(v == value for v, _ in rows), n) * Fraction(sum(c == cell for _, c in rows), n)
                distance += abs(joint - apart) / 2
        assert fraction(r_score(table, 0, parents)) == distance


def test_jaccard_counts_the_records() -> None:
    for n in range(5):
        for table in tables((2, 2), n):
            either = [record for record in table.records if record != (0, 0)]
            both = either.count((1, 1))
            assert fraction(jaccard(table, 0, 1)) == (1 - Fraction(both, len(either)) if either else 0)


def test_f_is_a_distance() -> None:
    for table, parents in cases(3):
        if sum(table.sizes[a] - 1 for a in parents):
            assert f_score(table, 0, parents, "half") == f_distance(table, 0, parents)


def largest_change(sizes: tuple[int, ...], n: int, score: Callable[[CountTable], fmpq]) -> Fraction:
    return max(abs(fraction(score(a)) - fraction(score(b))) for a, b in neighbor_pairs(sizes, n, "ro"))


def test_the_printed_sensitivities_bound_the_changes() -> None:
    for n in range(2, 6):
        for cap in ("half", "ceil"):
            assert largest_change((2, 2), n, lambda t, cap=cap: f_score(t, 0, (1,), cap)) == fraction(f_sensitivity(n))  # type: ignore[misc]
        assert largest_change((2, 2), n, lambda t: r_score(t, 0, (1,))) == Fraction(2 * n - 2, n * n)
        assert Fraction(2 * n - 2, n * n) < fraction(r_sensitivity(n))
        assert largest_change((2, 2), n, lambda t: jaccard(t, 0, 1)) <= fraction(jaccard_sensitivity())


def test_half_the_cap_makes_half_integers() -> None:
    odd = CountTable.of_records((2, 2), [(0, 0), (0, 0), (1, 1)])
    assert 3 * f_score(odd, 0, (1,), "half") == fmpq(-1, 2)
    assert 3 * f_score(odd, 0, (1,), "ceil") == 0


EMPTY, HELD = CountTable((2, 2), ()), CountTable.of_records((2, 3), [(0, 1)])
test_refusals = refusal_test(
    refuses("cap", lambda cap: f_score(HELD, 0, (1,), cap), "floor", None),
    refuses("attribute", lambda x: f_score(HELD, x, ()), 1),
    refuses("attribute", lambda: jaccard(HELD, 0, 1)),
    refuses("parents", lambda parents: f_distance(HELD, 0, parents), ()),
    refuses_each("attributes", r_score, (HELD, 0, (0,)), (HELD, 2, ()), (HELD, 0, (-1,))),
    refuses_each("n", r_score, (EMPTY, 0, (1,))),
    refuses_each("n", f_score, (EMPTY, 0, (1,))),
    refuses("n", f_sensitivity, 0, True, 1.0),
    refuses("n", r_sensitivity, 0, True, 1.0),
)
