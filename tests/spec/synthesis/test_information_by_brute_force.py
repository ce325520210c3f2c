"""Sensitivities and informations of source 003 decided again with integers: e^(n I) is a rational number, and so are
the bounds that it is compared with."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independent.verdicts import verdict

Pair = tuple[int, int]
Table = tuple[Pair, ...]
SLACK = 1e-9
"""Of floating-point numbers, where quotients of logarithms are compared."""


def own_power(c: int) -> int:
    """c^c."""
    power: int = c**c
    return power


def powers(values: Sequence[Hashable]) -> int:
    """The product of c^c over the counts c."""
    return prod(map(own_power, Counter(values).values()))


def entropy_power(values: Sequence[Hashable]) -> Fraction:
    """e^(n H)."""
    return Fraction(own_power(len(values)), powers(values))


def information_power(table: Table) -> Fraction:
    """e^(n I)."""
    one, other = ([x[i] for x in table] for i in (0, 1))
    return Fraction(own_power(len(table)) * powers(table), powers(one) * powers(other))


def printed(n: int) -> Fraction:
    """e^(n Delta) of (8)."""
    return Fraction(n**n, own_power(n - 1))


def second(n: int) -> Fraction:
    """e^(n S) of PrivBayes where no attribute is binary."""
    return Fraction((n + 1) ** (n + 1), 4 * own_power(n - 1))


def tables(v: int, w: int, n: int) -> Iterator[Table]:
    return combinations_with_replacement([*product(range(v), range(w))], n)


def replaced(v: int, w: int, n: int) -> Iterator[tuple[Table, Table]]:
    """All neighbors."""
    cells = [*product(range(v), range(w))]
    for rest in combinations_with_replacement(cells, n - 1):
        yield from (((*rest, one), (*rest, other)) for one in cells for other in cells)


def largest_change(v: int, w: int, n: int, power: Callable[[Table], Fraction]) -> Fraction:
    """Of e^(...), as a factor."""
    return max(power(one) / power(other) for one, other in replaced(v, w, n))


@pytest.mark.parametrize(("v", "w", "n"), [(2, 2, 1), (2, 2, 2), (2, 2, 5), (2, 3, 3), (2, 4, 3), (3, 2, 3)])
def test_information_moves_by_what_is_printed_where_one_attribute_is_binary(v: int, w: int, n: int) -> None:
    assert largest_change(v, w, n, information_power) == printed(n)
    for name in ("delta-i@pair.ro", "delta-i@parents.ro", "delta-i.tight"):
        assert verdict(f"sec32.{name}") == "verified"
    assert verdict("base.privbayes.sens-i@binary") == verdict("base.privbayes.sens-i.tight@binary") == "verified"
    assert verdict("sec33.deltau@binary") == "verified"


def test_information_moves_by_more_where_none_is_binary() -> None:
    changes = {n: largest_change(3, 3, n, information_power) for n in (1, 2, 3)}
    assert [changes[n] for n in (1, 2, 3)] == [1, 4, 16]
    assert changes[3] > printed(3) == Fraction(27, 4)
    assert changes[3] == second(3)
    assert changes[2] < second(2)
    assert verdict("sec32.delta-i@general.ro") == verdict("sec33.deltau@general") == "refuted"
    assert verdict("base.privbayes.sens-i@general") == "verified"
    assert verdict("base.privbayes.sens-i.tight@general") == "refuted"


@given(st.integers(1, 60))
def test_the_second_formula_is_attained_for_odd_numbers_of_records(m: int) -> None:
    one, other = (((x, x), *[(0, 1)] * m, *[(1, 0)] * m) for x in (2, 0))
    assert information_power(one) / information_power(other) == second(2 * m + 1)
    assert verdict("base.privbayes.sens-i.tight@general.corrected") == "verified"


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=9), st.data())
def test_the_second_formula_bounds_the_change_in_larger_tables(rest: list[Pair], data: st.DataObject) -> None:
    one, other = ((*rest, data.draw(st.tuples(st.integers(0, 2), st.integers(0, 2)))) for _ in range(2))
    assert information_power(one) <= second(len(one)) * information_power(other)


@pytest.mark.parametrize(("v", "n"), [(2, 1), (2, 5), (3, 4), (4, 4), (5, 3)])
def test_entropy_moves_by_what_is_printed(v: int, n: int) -> None:
    columns = [
        ((*rest, x), (*rest, y))
        for rest in combinations_with_replacement(range(v), n - 1)
        for x, y in product(range(v), repeat=2)
    ]
    assert max(entropy_power(one) / entropy_power(other) for one, other in columns) == printed(n)
    assert verdict("eq8.delta-h@ro") == verdict("eq8.tight") == "verified"


def apart(one: Fraction, other: Fraction, n: int) -> bool:
    """Whether x / n and y / (n - 1) are no more than Delta apart, of e^x and e^y."""
    x, y, most = one ** (n - 1), other**n, printed(n) ** (n - 1)
    return x <= most * y and y <= most * x


@pytest.mark.parametrize(("v", "w", "n"), [(2, 2, 2), (2, 2, 6), (2, 3, 4), (2, 4, 3), (4, 2, 3)])
def test_both_move_by_no_more_if_a_record_goes(v: int, w: int, n: int) -> None:
    for table, i in product(tables(v, w, n), range(n)):
        rest = table[:i] + table[i + 1 :]
        assert apart(information_power(table), information_power(rest), n)
        assert apart(entropy_power(table), entropy_power(rest), n)
    assert verdict("sec32.delta-i@ar") == verdict("eq8.delta-h@ar") == "verified"


def test_the_printed_number_is_another_one_after_a_removal() -> None:
    assert printed(2) ** 1 != printed(1) ** 2
    assert verdict("def2.function@ro") == "verified"
    assert verdict("def2.function@ar") == "refuted"


def test_bases_of_logarithms_matter() -> None:
    """I in one unit, its sensitivity in another one: times n, in nats and bits."""
    changes = {n: log(largest_change(2, 2, n, information_power)) for n in range(1, 6)}
    scales = {"base2": (2, 2), "mi-bits.sens-nats": (2, 0), "mi-nats.sens-bits": (0, 2), "same-e": (0, 0)}
    for name, (of_change, of_most) in scales.items():
        held = [
            change / (log(of_change) if of_change else 1) <= log(printed(n)) / (log(of_most) if of_most else 1) + SLACK
            for n, change in changes.items()
        ]
        assert (verdict(f"log.base@{name}") == "verified") == all(held)
        assert verdict(f"log.base@{name}") in ("verified", "refuted")


# --- MIC -------------------------------------------------------------------------------------------------------------


def independent(table: Table) -> bool:
    one, other = (Counter(x[i] for x in table) for i in (0, 1))
    joint = Counter(table)
    return all(len(table) * joint[x, y] == one[x] * other[y] for x in one for y in other)


# --- entropies -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("v", "n"), [(2, 5), (2, 4), (3, 3), (3, 6), (4, 4)])
def test_entropy_is_largest_for_equal_frequencies(v: int, n: int) -> None:
    columns = [*combinations_with_replacement(range(v), n)]
    assert max(map(entropy_power, columns)) <= v**n
    even = [column for column in columns if {column.count(x) for x in range(v)} == {n // v}] if n % v == 0 else []
    assert all(entropy_power(column) == v**n for column in even)
    for column in columns:
        shares = [Fraction(column.count(x), n) for x in column]
        assert prod((1 / p for p in shares), start=Fraction(1)) == entropy_power(column)
    assert verdict("sec33.hmax@values") == verdict("eq7.entropy@values") == "verified"
    assert verdict("eq11.range@values") == "verified"


def test_entropy_of_two_values_among_four_records() -> None:
    assert entropy_power((0, 0, 1, 1)) == 2**4 != 4**4
    assert all(entropy_power(column) < 4**4 for column in combinations_with_replacement((0, 1), 4))
    assert verdict("sec33.hmax@records") == verdict("eq11.range@records") == "refuted"
    terms = [Fraction(2, 3), Fraction(2, 3), Fraction(1, 3)]
    over_records = prod((1 / p) ** (3 * p.numerator // p.denominator) for p in terms)
    assert over_records != entropy_power((0, 0, 1))
    assert verdict("eq7.entropy@records") == "refuted"


@given(st.integers(2, 40))
def test_entropy_of_the_distributions_of_figure_3(n: int) -> None:
    assert entropy_power((0,) * n) == 1
    assert entropy_power((1, *(0,) * (n - 1))) == printed(n)
    assert verdict("fig3.values") == "verified"


def test_the_base_of_normalized_entropies_cancels() -> None:
    for base, counts in product((2, 3, 10), ((1, 1), (2, 1), (3, 1, 4))):
        n = sum(counts)
        nats = sum(-c / n * log(c / n) for c in counts) / log(len(counts))
        based = sum(-c / n * log(c / n, base) for c in counts) / log(len(counts), base)
        assert abs(nats - based) < SLACK
    assert verdict("eq11.base") == "proved"


def test_two_values_have_less_entropy_than_the_most_of_three_and_not_always_less() -> None:
    for n in range(1, 7):
        assert max(entropy_power(column) for column in combinations_with_replacement((0, 1), n)) <= 2**n < 3**n
    assert entropy_power((0, 1)) > entropy_power((0, 0))
    assert verdict("prose.gender@max") == "verified"
    assert verdict("prose.gender@empirical") == "refuted"


@pytest.mark.parametrize(("v", "w", "n"), [(2, 2, 5), (2, 3, 4), (3, 3, 3)])
def test_information_is_that_of_both_less_that_of_the_pair(v: int, w: int, n: int) -> None:
    for table in tables(v, w, n):
        found = information_power(table)
        one, other = ([x[i] for x in table] for i in (0, 1))
        assert 1 <= found <= min(entropy_power(one), entropy_power(other))
        assert found * entropy_power(table) == entropy_power(one) * entropy_power(other)
        assert (found == 1) == independent(table)
        joint = Counter(table)
        terms = [Fraction(n * c, one.count(x) * other.count(y)) ** c for (x, y), c in joint.items()]
        assert prod(terms) == found
    assert verdict("eq6.mi") == "verified"


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40))
def test_chi_squared_is_near_twice_an_information(table: list[Pair]) -> None:
    n, joint = len(table), Counter(table)
    one, other = (Counter(x[i] for x in table) for i in (0, 1))
    chances = {(x, y): Fraction(one[x] * other[y], n) for x in one for y in other}
    chi = float(sum((joint[cell] - e) ** 2 / e for cell, e in chances.items()))
    tau = float(max(abs(joint[cell] / e - 1) for cell, e in chances.items()))
    assert abs(log(information_power(tuple(table))) - chi / 2) <= tau * chi / 2 + SLACK
    assert verdict("base.jtree.cv") == "verified"
