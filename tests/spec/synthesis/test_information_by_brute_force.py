"""Sensitivities and informations of source 003 decided again with integers: e^(n I) is a rational number, and so are
the bounds that it is compared with."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independent.brute_force_grids import coefficient
from independent.brute_force_synthesis import dependence, entropy_power, neighbors, tables
from independent.verdicts import verdict

Pair = tuple[int, int]
Table = tuple[Pair, ...]
SLACK = 1e-9
"""Of floating-point numbers, where quotients of logarithms are compared."""


def cells(v: int, w: int) -> list[Pair]:
    return [*product(range(v), range(w))]


def information_power(table: Table) -> Fraction:
    """e^(n I)."""
    return dependence(table, 0, (1,))


def printed(n: int) -> Fraction:
    """e^(n Delta) of (8)."""
    return Fraction(n**n, int((n - 1) ** (n - 1)))


def second(n: int) -> Fraction:
    """e^(n S) of PrivBayes where no attribute is binary."""
    return Fraction((n + 1) ** (n + 1), 4 * int((n - 1) ** (n - 1)))


def largest_change(v: int, w: int, n: int, power: Callable[[Table], Fraction]) -> Fraction:
    """Of e^(...), as a factor."""
    return max(power(one) / power(other) for one, other in neighbors(cells(v, w), n))


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
    for table, i in product(tables(cells(v, w), n), range(n)):
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


def mic(table: Table, v: int, w: int, most: int) -> float:
    """With grids of at most so many cells."""
    sizes = {(a, b) for a, b in product(range(2, v + 1), range(2, w + 1)) if a * b <= most}
    maximum = coefficient(table, range(v), range(w), sizes)
    assert maximum is not None
    return float(maximum)


def most_cells(n: int, exponent: int = 12) -> int:
    """The largest integer that is at most max(N^alpha, 4), alpha in twentieths."""
    return max(c for c in range(1, n + 4) if c <= 4 or c**20 <= n**exponent)


def independent(table: Table) -> bool:
    one, other = (Counter(x[i] for x in table) for i in (0, 1))
    joint = Counter(table)
    return all(len(table) * joint[x, y] == one[x] * other[y] for x in one for y in other)


@pytest.mark.parametrize(("v", "w", "n"), [(2, 2, 6), (2, 3, 4), (3, 3, 3), (3, 3, 4)])
def test_mic_is_normalized_symmetric_and_zero_where_attributes_are_independent(v: int, w: int, n: int) -> None:
    for table, most in product(tables(cells(v, w), n), (4, 9)):
        information = mic(table, v, w, most)
        swapped = tuple((y, x) for x, y in table)
        assert abs(information - mic(swapped, w, v, most)) < SLACK
        assert -SLACK <= information <= 1 + SLACK
        assert (information < SLACK) == independent(table)
    assert verdict("def5.range@log2") == verdict("def5.sym") == "verified"
    assert verdict("sec22.mic-detects@zero") == "verified"


def test_mic_of_nine_points_that_are_independent_in_threes() -> None:
    assert mic(tuple(product(range(3), range(3))), 3, 3, 9) < SLACK
    assert mic(tuple((i, i) for i in range(3)), 3, 3, 9) > 1 - SLACK


def test_mic_is_one_for_even_numbers_only_below_three_groups() -> None:
    best = {n: max(mic(table, 2, 2, 4) for table in tables(cells(2, 2), n)) for n in range(2, 8)}
    assert all((best[n] > 1 - SLACK) == (n % 2 == 0) for n in best)
    assert all(best[n] * log(2) <= log(2) < 1 for n in best)
    assert verdict("def5.range@ln") == "refuted"
    assert verdict("def5.range@ln.corrected") == "verified"


def test_mic_differs_where_attributes_are_equal() -> None:
    one, other = (tuple((x, x) for x in column) for column in ((0, 0, 0, 1), (0, 0, 1, 1)))
    assert {most_cells(4, exponent) for exponent in (11, 12)} == {4}
    assert mic(one, 2, 2, 4) < mic(other, 2, 2, 4)
    assert mic(((0, 0), (0, 0), (1, 1)), 2, 2, 4) < 1 - SLACK
    assert abs(mic(((0, 0),) * 5 + ((1, 1),), 2, 2, most_cells(6)) - 0.65) < 0.001
    assert verdict("sec22.mi-compare") == verdict("sec22.mic-detects@function") == "refuted"
    for name in ("mi-compare", "mic-detects@function"):
        assert verdict(f"sec22.{name}.corrected") == "verified"


def test_where_mic_is_defined() -> None:
    def sizes(n: int, exponent: int, least: int) -> list[Pair]:
        ends = range(least, n + 1)
        return [(a, b) for a, b in product(ends, ends) if (a * b) ** 20 < n**exponent]

    first = {e: min(n for n in range(2, 30) if sizes(n, e, 2)) for e in (11, 12)}
    assert first == {11: 13, 12: 11}
    assert all((1, 1) in sizes(n, e, 1) for n in range(2, 30) for e in (11, 12))
    assert verdict("def5.defined@strict.a1") == verdict("def5.defined@strict.a2") == "refuted"
    assert verdict("def5.defined@mine") == "verified"


@pytest.mark.parametrize(("v", "w", "n", "most"), [(2, 2, 6, 4), (2, 3, 4, 6), (3, 3, 2, 9), (3, 3, 3, 9)])
def test_mic_moves_by_no_more_than_an_information(v: int, w: int, n: int, most: int) -> None:
    coefficients = {table: mic(table, v, w, most) for table in tables(cells(v, w), n)}
    bound = log(printed(n)) / n / log(2) + SLACK
    for one, other in neighbors(cells(v, w), n):
        assert coefficients[tuple(sorted(one))] - coefficients[tuple(sorted(other))] <= bound
    assert verdict("sec32.delta-m@binary.ro") == verdict("sec32.delta-m@ordinal.ro") == "verified"


@pytest.mark.parametrize(("exponent", "n"), [(12, 20), (11, 26)])
def test_mic_jumps_where_another_record_allows_another_grid(exponent: int, n: int) -> None:
    assert [most_cells(size, exponent) for size in (n - 1, n)] == [5, 6]
    quarter = n // 4
    table = ((0, 0),) * quarter + ((0, 2),) * (n // 2 - quarter) + ((1, 1),) * (n - n // 2)
    jump = mic(table, 2, 3, most_cells(n, exponent)) - mic(table[1:], 2, 3, most_cells(n - 1, exponent))
    assert jump > 2 * log(printed(n)) / n / log(2)
    assert verdict("sec32.delta-m@ar") == "refuted"


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
    for table in tables(cells(v, w), n):
        information = information_power(table)
        one, other = ([x[i] for x in table] for i in (0, 1))
        assert 1 <= information <= min(entropy_power(one), entropy_power(other))
        assert information * entropy_power(table) == entropy_power(one) * entropy_power(other)
        assert (information == 1) == independent(table)
        joint = Counter(table)
        terms = [Fraction(n * c, one.count(x) * other.count(y)) ** c for (x, y), c in joint.items()]
        assert prod(terms) == information
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


# --- the scores of PrivBayes -----------------------------------------------------------------------------------------


def f_score(table: Table, w: int, cap: Fraction) -> Fraction:
    """n F."""
    kept = []
    for zeros in product((True, False), repeat=w):
        sides = (sum(x == value and zeros[y] == (value == 0) for x, y in table) for value in (0, 1))
        kept.append(sum((min(Fraction(side), cap) for side in sides), Fraction(0)))
    return max(kept) - len(table)


@pytest.mark.parametrize(("w", "n"), [(2, 2), (2, 3), (2, 5), (3, 4)])
def test_f_moves_by_one_record(w: int, n: int) -> None:
    for name, cap in (("half", Fraction(n, 2)), ("ceil", Fraction(-(-n // 2)))):
        assert max(f_score(one, w, cap) - f_score(other, w, cap) for one, other in neighbors(cells(2, w), n)) == 1
        assert verdict(f"base.privbayes.sens-f@{name}") == "verified"


def laws(w: int, parts: int) -> Iterator[dict[Pair, Fraction]]:
    """X uniform and determined by the parents, with chances of so many parts of a half."""
    for owners in product((0, 1), repeat=w):
        for amounts in product(range(parts + 1), repeat=w):
            if all(sum(a for a, x in zip(amounts, owners, strict=True) if x == value) == parts for value in (0, 1)):
                yield {(x, y): Fraction(a, 2 * parts) for y, (x, a) in enumerate(zip(owners, amounts, strict=True))}


@pytest.mark.parametrize(("w", "n"), [(2, 3), (2, 4), (3, 2), (3, 3)])
def test_the_closed_form_of_f_is_a_distance_and_finer_laws_are_not_nearer(w: int, n: int) -> None:
    for parts in (n, 2 * n, 3):
        distributions = [*laws(w, parts)]
        for table in tables(cells(2, w), n):
            joint = Counter(table)
            least = min(
                sum(abs(Fraction(joint[c], n) - law.get(c, Fraction(0))) for c in product((0, 1), range(w)))
                for law in distributions
            )
            closed = f_score(table, w, Fraction(n, 2)) / n
            assert -least / 2 == closed if parts != 3 else -least / 2 <= closed
    assert verdict("base.privbayes.f-closed") == "verified"


def r_score(table: Table) -> Fraction:
    n, joint = len(table), Counter(table)
    one, other = (Counter(x[i] for x in table) for i in (0, 1))
    gaps = (abs(Fraction(joint[x, y], n) - Fraction(one[x] * other[y], n * n)) for x in one for y in other)
    return sum(gaps, Fraction(0)) / 2


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_r_of_binary_attributes_moves_by_less_than_what_is_printed(n: int) -> None:
    most = max(r_score(one) - r_score(other) for one, other in neighbors(cells(2, 2), n))
    assert most == Fraction(2 * (n - 1), n * n) < Fraction(3, n) + Fraction(2, n * n)
    assert verdict("base.privbayes.sens-r") == "proved"
    assert verdict("base.privbayes.dp") == "verified"
    assert verdict("base.privbayes.sens-r.tight") == "refuted"
    assert verdict("base.privbayes.sens-r.tight.corrected") == "verified"


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=9), st.data())
def test_r_moves_by_at_most_what_the_pairs_of_a_record_have(rest: list[Pair], data: st.DataObject) -> None:
    one, other = ((*rest, data.draw(st.tuples(st.integers(0, 3), st.integers(0, 3)))) for _ in range(2))
    n = len(one)
    assert r_score(one) - r_score(other) <= Fraction(3, n) - Fraction(1, n * n)


def test_r_of_ternary_attributes_moves_by_seven_sixteenths() -> None:
    assert max(r_score(one) - r_score(other) for one, other in neighbors(cells(3, 3), 4)) == Fraction(7, 16)
