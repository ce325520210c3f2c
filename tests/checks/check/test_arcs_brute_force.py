"""The verdicts on Wheel and suWheel attacked by brute force on grids, with plain fractions and no code of the project.

The only thing taken from the project is what is claimed: verdicts come from the ledger, numbers from nowhere.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import pytest

from dp_checks.ledger import load_ledger
from independent import brute_force_wheel as plain

F = Fraction
ORIGIN = F(0)
BUDGETS = (F(2), F(3, 2), F(5))
LEDGER = load_ledger()
Functions = dict[plain.Values, Fraction]


def verdict(claim: str) -> str:
    return LEDGER[claim].verdict


def every_function(d: int, cells: int, turn: Fraction = ORIGIN) -> Iterator[plain.Values]:
    """All functions to a grid, up to rotation: the first item has the value `turn`."""
    for values in product(range(cells), repeat=d - 1):
        yield turn, *((F(j, cells) + turn) % 1 for j in values)


def polynomials(d: int, g: int, degree: int) -> Functions:
    """Uniform polynomials modulo g: every degree + 1 values are independent and uniform for g prime."""
    functions: Functions = {}
    for c in product(range(g), repeat=degree + 1):
        values = tuple(F(sum(a * x**i for i, a in enumerate(c)) % g, g) for x in range(d))
        functions[values] = functions.get(values, F(0)) + F(1, g ** (degree + 1))
    return functions


def sets(d: int, sizes: tuple[int, ...]) -> list[frozenset[int]]:
    return [frozenset(s) for size in sizes for s in combinations(range(d), size)]


def densities(s: frozenset[int], values: plain.Values, k: int, m: int, w: Fraction) -> dict[int, Fraction]:
    """Of the cells of the coarsest grid, whatever is emitted."""
    grid = plain.coarsest_grid(values, m, w)
    return {j: mass * grid for (j, _), mass in plain.law(s, values, k, m, w, grid).items()}


def hit(s: frozenset[int], x: int, values: plain.Values, m: int, w: Fraction) -> Fraction:
    """The probability that z0 lies in the arc of x."""
    grid = plain.coarsest_grid(values, m, w)
    law = plain.law(s, values, 0, m, w, grid)
    return sum((p for (j, _), p in law.items() if plain.in_arc(F(j, grid), values[x], m, w)), F(0))


def mean_hit(functions: Functions, s: frozenset[int], x: int, m: int, w: Fraction) -> Fraction:
    return sum((weight * hit(s, x, values, m, w) for values, weight in functions.items()), F(0))


# --- densities ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("m", "w"), [(1, F(2)), (1, F(3, 2)), (2, F(2)), (2, F(3, 2))])
def test_covers_of_up_to_2m_items_leave_a_density_and_ratios_of_m_items_are_bounded(m: int, w: Fraction) -> None:
    assert verdict("002.alg1.line3.norm@all.corrected") == verdict("002.base.wheel.privacy") == "proved"
    d, reached = 2 * m, F(0)
    for values in every_function(d, 4 if m == 2 else 9, F(7, 8)):
        rows = {s: densities(s, values, d, m, w) for s in sets(d, tuple(range(1, d + 1)))}
        for row in rows.values():
            assert min(row.values()) >= 0
            assert sum(row.values()) == len(row)
        small = [row for s, row in rows.items() if len(s) <= m]
        reached = max(reached, *(a[j] / b[j] for a in small for b in small for j in a))
    assert reached <= w
    assert reached > 1 + (w - 1) / 2


def test_a_set_of_2m_and_one_items_need_not_have_a_density() -> None:
    assert verdict("002.alg1.line3.norm@all") == "refuted"
    w, m = F(9, 5), 1  # arcs of length 5/14: three of them overlap, and cover more than Omega / w
    values = (F(0), F(4, 14), F(8, 14))
    assert min(densities(frozenset({0, 1, 2}), values, 3, m, w).values()) < 0


@pytest.mark.parametrize("w", BUDGETS)
@pytest.mark.parametrize("m", [1, 2, 3])
def test_disjoint_arcs_reach_the_bound(m: int, w: Fraction) -> None:
    assert verdict("002.base.wheel.tight") == verdict("002.thm7.tight") == "proved"
    p = plain.arc_length(m, w)
    values = tuple(i * p for i in range(m + 1))
    first = densities(frozenset(range(m)), values, m + 1, m, w)
    second = densities(frozenset(range(1, m + 1)), values, m + 1, m, w)
    assert max(first[j] / second[j] for j in first) == w


@pytest.mark.parametrize("values", [(F(0), F(1, 3)), (F(0), F(0)), (F(5, 6), F(0)), (F(1, 7), F(5, 7))])
def test_a_point_outside_an_emitted_items_arc_tells_who_cannot_have_sent_it(values: plain.Values) -> None:
    assert {verdict(f"002.thm7.eq11@{r}") for r in ("joint", "deniability")} == {"refuted"}
    grid = plain.coarsest_grid(values, 1, F(2))
    sensitive, other = (plain.law(frozenset({x}), values, 1, 1, F(2), grid) for x in (0, 1))
    impossible = [y for y, p in sensitive.items() if p and not other.get(y, 0)]
    assert impossible
    assert all(not sent for _, sent in impossible)


@pytest.mark.parametrize("w", BUDGETS)
def test_given_the_same_nonsensitive_items_the_emitted_ones_tell_nothing_more(w: Fraction) -> None:
    assert verdict("002.thm7.eq11@samenon") == "proved"
    for values in every_function(4, 3, F(5, 6)):
        grid = plain.coarsest_grid(values, 2, w)
        rows = {s: plain.law(s, values, 2, 2, w, grid) for s in sets(4, (1, 2))}
        for s, other in product(rows, repeat=2):
            if {x for x in s if x >= 2} == {x for x in other if x >= 2}:
                assert all(p <= w * rows[other].get(y, 0) for y, p in rows[s].items())


# --- hits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("w", BUDGETS)
@pytest.mark.parametrize(("m", "d"), [(1, 2), (2, 2), (2, 3), (3, 3)])
def test_a_held_items_arc_is_hit_with_the_stated_probability_by_every_function(m: int, d: int, w: Fraction) -> None:
    assert verdict("002.alg1.ptrue@fixed") == verdict("002.alg1.line7@fixed") == "proved"
    for values in every_function(d, 4):
        for s in sets(d, (m,)):
            for x in s:
                assert hit(s, x, values, m, w) == w / (2 * m * w + m - 1)


def test_another_items_arc_needs_independent_values() -> None:
    two = frozenset({0, 1})
    assert verdict("002.alg1.pfalse@ideal") == verdict("002.alg1.pfalse@pairwise.corrected") == "proved"
    assert mean_hit(polynomials(3, 7, 2), two, 2, 2, F(2)) == F(1, 7)
    for d in (2, 3):
        assert mean_hit(polynomials(d, 3, 1), frozenset({0}), 1, 1, F(2)) == F(1, 3)
    assert verdict("002.alg1.pfalse@pairwise") == "refuted"
    assert mean_hit(polynomials(3, 7, 1), two, 2, 2, F(2)) == F(8, 63)


def test_pairwise_values_of_three_items_shifted_by_less_than_a_cell_are_no_better() -> None:
    """The refutation does not rest on the grid: independent shifts make every two values uniform on all of [0, 1)."""
    g, steps, two = 7, 2, frozenset({0, 1})
    functions: Functions = {}
    for values, weight in polynomials(3, g, 1).items():
        for shifts in product(range(steps), repeat=3):
            moved = tuple(v + F(j, g * steps) for v, j in zip(values, shifts, strict=True))
            functions[moved] = functions.get(moved, F(0)) + weight / steps**3
    assert mean_hit(functions, two, 2, 2, F(2)) != F(1, 7)


@pytest.mark.parametrize("w", BUDGETS)
@pytest.mark.parametrize("m", [1, 2])
def test_disjoint_arcs_are_hit_less(m: int, w: Fraction) -> None:
    assert verdict("002.alg1.pfalse@fixed") == "refuted"
    assert verdict("002.alg1.pfalse@fixed.corrected") == "proved"
    p = plain.arc_length(m, w)
    values = tuple(F(1) - p / 2 + i * p if i == 0 else i * p - p / 2 for i in range(m + 1))
    assert hit(frozenset(range(m)), m, values, m, w) == p / plain.omega(m, w) < p


# --- estimates ----------------------------------------------------------------------------------------------------


def test_the_witnesses_against_the_variance() -> None:
    """(27/4, 8) for one public function; 88/5 and 486/25 for affine functions modulo 7; 3/4 and 1/2 for random data."""
    claims = ("002.thm9.proof.var@fixed", "002.thm9.proof.var@pairwise", "002.thm9.eq25.non@iid")
    assert {verdict(claim) for claim in claims} == {"refuted"}

    def variance(chance: Fraction, m: int, w: Fraction) -> Fraction:
        return chance * (1 - chance) / (plain.p_true(m, w) - plain.arc_length(m, w)) ** 2

    chance = hit(frozenset({1}), 0, (F(0), F(1, 3)), 1, F(2))
    assert (variance(chance, 1, F(2)), variance(F(1, 3), 1, F(2))) == (F(27, 4), F(8))
    chance = mean_hit(polynomials(3, 7, 1), frozenset({1, 2}), 0, 2, F(2))
    assert (variance(chance, 2, F(2)), variance(F(1, 7), 2, F(2))) == (F(88, 5), F(486, 25))
    kept = 1 - plain.p_true(1, F(2))
    estimates = {1 / kept: kept / 2, F(0): 1 - kept / 2}  # one user, who holds the item with probability 1/2
    assert sum(p * (e - F(1, 2)) ** 2 for e, p in estimates.items()) == F(3, 4)


def test_the_error_of_a_nonsensitive_item_by_summing_over_everything() -> None:
    assert verdict("002.thm9.eq25.non@fixed-data") == "proved"
    for w, values in product(BUDGETS, every_function(3, 3, F(1, 7))):
        m, s, x = 2, frozenset({0, 2}), 2
        grid = plain.coarsest_grid(values, m, w)
        kept = 1 - plain.p_true(m, w)
        law = plain.law(s, values, 1, m, w, grid)
        mse = sum(p * (F(x in sent) / kept - 1) ** 2 for (_, sent), p in law.items())
        assert mse == w / (2 * m * w + m - w - 1)


# --- arcs ---------------------------------------------------------------------------------------------------------


def test_membership_on_a_fine_grid() -> None:
    readings = ("mod1", "printed-open", "printed-closed")
    verdicts = {r: verdict(f"002.alg1.line2@{r}") for r in readings} | {"server": verdict("002.alg2.line5@closed")}
    n = 12
    for p, v, z in product(range(1, n), range(n + 1), range(n)):
        arc = {(v + step) % n for step in range(p)}  # p cells from v on; z is the low end of a cell
        members = {
            "mod1": (z - v) % n < p,
            "printed-open": v <= z < v + p or 0 <= z < v + p - n,
            "printed-closed": v <= z < v + p or 0 <= z <= v + p - n,
            "server": z - p < v <= z or z - p + n < v <= n,
        }
        wrong = {reading for reading, member in members.items() if member != (z in arc)}
        assert wrong <= {"printed-closed"}
        assert not wrong or z == v + p - n
    assert verdicts == dict.fromkeys(verdicts, "verified") | {"printed-closed": "refuted"}


def error(p: Fraction, m: int, w: Fraction, present: bool) -> Fraction:
    """n times the variance of the estimate of an item that nobody (everybody) holds, with arcs of length p."""
    normalizer = m * p * w + 1 - m * p
    true = p * w / normalizer
    chance = true if present else p
    return chance * (1 - chance) / (true - p) ** 2


@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_the_best_length_of_an_arc(m: int) -> None:
    """The printed one is best for m = 1 and absent items only; 1/p = m + a with the stated a is best elsewhere."""
    for a in (m + F(1, 3), F(2 * m + 1), F(5 * m)):
        absent = a**2 / (m * (2 * m - 2 + a))
        others = a * (a + m) / (2 * m)  # (m - 1) w
        cases = [(absent, a, False)] + ([(others / (m - 1), m + a, True)] if m > 1 else [(F(3), F(1), True)])
        for w, best, present in cases:
            if w <= 1:
                continue
            least = error(1 / (m + best), m, w, present)
            lengths = {1 / (m + best * F(j, 24)) for j in range(1, 120)}
            assert all(error(p, m, w, present) > least for p in lengths - {1 / (m + best)})
            printed = error(1 / (2 * m - 1 + m * w), m, w, present)
            assert (printed == least) == (m == 1 and not present)
    readings = ("002.alg1.popt@f0", "002.alg1.popt@f1")
    assert {verdict(r) for r in readings} == {"refuted"}
    assert {verdict(f"{r}.corrected{n}") for r in readings for n in ("", "2")} == {"proved"}
