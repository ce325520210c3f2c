"""Families of hash functions to labels: laws, collisions and independence are computed."""

from fractions import Fraction
from itertools import combinations, product
from math import perm
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.hash_families import (
    AffineLabels,
    AllFunctions,
    CarterWegman,
    ExplicitFamily,
    LabelFamily,
    LabelFunction,
    PublicFunctions,
    SeededFunctions,
    distinct_rows,
)
from dp_refimpl.frequency.hash_properties import (
    collision_probability,
    independence,
    separates,
)
from dp_spec.vocabulary.exceptions import DomainError, NotStochasticError
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON
from independent.brute_force import collected
from independent.numbers import exact, fraction

ONE, HALF = fmpq(1), fmpq(1, 2)
PRIMES = (2, 3, 5, 7)
primes, ranges = st.sampled_from(PRIMES), st.integers(1, 9)


def tables(law: dict[LabelFunction, fmpq]) -> dict[tuple[int, ...], Fraction]:
    return {h.values: fraction(w) for h, w in law.items()}


def brute_carter_wegman(items: int, prime: int, labels: int, first: int) -> dict[tuple[int, ...], Fraction]:
    """The law of the values at 0..items - 1, by going through a and b with plain integers."""

    def value(a: int, b: int, x: int) -> int:
        inner = a * x + b
        inner -= inner // prime * prime
        return inner - inner // labels * labels

    functions = list(product(range(first, prime), range(prime)))
    return collected((tuple(value(a, b, x) for x in range(items)), Fraction(1, len(functions))) for a, b in functions)


def closed_form(prime: int, labels: int, zero: bool) -> Fraction:
    """P = q m + r: r labels have q + 1 preimages modulo P, the others q; two items have independent images modulo P if
    a may be 0, and uniform different ones if not."""
    q, r = divmod(prime, labels)
    if zero:
        return Fraction(r * (q + 1) ** 2 + (labels - r) * q**2, prime**2)
    return Fraction(r * (q + 1) * q + (labels - r) * q * (q - 1), prime * (prime - 1))


# --- the Carter-Wegman functions ---------------------------------------------------------------------------------


def carter_wegman(items: int, prime: int, labels: int, zero: bool) -> CarterWegman:
    return CarterWegman(tuple(range(items)), prime, labels, zero)


@given(primes, ranges, st.booleans())
def test_the_law_and_the_collisions_of_carter_wegman(prime: int, labels: int, zero: bool) -> None:
    items = min(prime, 3)
    family = carter_wegman(items, prime, labels, zero)
    assert (family.items, family.labels) == (tuple(range(items)), labels)
    assert tables(family.law()) == brute_carter_wegman(items, prime, labels, 0 if zero else 1)
    assert output_law(lambda coins: family.draw(coins, ONE), ONE) == family.law()
    expected = closed_form(prime, labels, zero)
    for x, y in combinations(range(items), 2):
        assert collision_probability(family, x, y) == exact(expected)


@given(primes, ranges, st.booleans())
def test_carter_wegman_is_independent_only_where_it_is_affine(prime: int, labels: int, zero: bool) -> None:
    """The labels are uniform for m = P only, and then two of them are independent only if a may be 0."""
    items = min(prime, 3)
    expected = items if labels == 1 else (2 if zero else 1) if labels == prime else 0
    assert independence(carter_wegman(items, prime, labels, zero)) == expected


# --- affine functions and all functions --------------------------------------------------------------------------


@given(primes, st.integers(2, 4))
def test_affine_labels(prime: int, items: int) -> None:
    family = AffineLabels(tuple(range(min(items, prime))), prime)
    assert independence(family) == 2
    assert tables(family.law()) == brute_carter_wegman(len(family.items), prime, prime, 0)
    assert family.law() == CarterWegman(family.items, prime, prime, True).law()
    without = CarterWegman(family.items, prime, prime, False)
    assert independence(without) == 1


@given(st.integers(2, 4), st.integers(1, 4))
def test_all_functions(items: int, labels: int) -> None:
    family = AllFunctions(tuple(range(items)), labels)
    assert {h.values for h in family.law()} == set(product(range(labels), repeat=items))
    assert set(family.law().values()) == {fmpq(1, labels**items)}
    assert independence(family) == items
    assert collision_probability(family, 0, 0) == 1


def test_independence_between_two_and_all() -> None:
    """Three bits of even parity: every two are independent, the three are not."""
    even = tuple([LabelFunction((0, 1, 2), (a, b, (a + b) % 2), 2) for a in range(2) for b in range(2)])
    family = ExplicitFamily(even, (fmpq(1, 4),) * 4)
    assert independence(family) == 2
    skewed = ExplicitFamily(even, (fmpq(1, 8), fmpq(3, 8), fmpq(3, 8), fmpq(1, 8)))
    assert independence(skewed) == 0
    assert [collision_probability(skewed, *xy) for xy in ((0, 1), (0, 2), (1, 2))] == [fmpq(1, 4), HALF, HALF]


def test_one_label_is_independent_of_everything() -> None:
    assert independence(AllFunctions(tuple(range(100)), 1)) == 100


# --- published functions -----------------------------------------------------------------------------------------


@st.composite
def published(draw: st.DrawFn) -> tuple[LabelFunction, ...]:
    labels, items = draw(st.integers(1, 3)), tuple("abc"[: draw(st.integers(1, 3))])
    rows = draw(st.lists(st.tuples(*[st.integers(0, labels - 1)] * len(items)), min_size=1, max_size=4))
    return tuple([LabelFunction(items, row, labels) for row in rows])


@given(published())
def test_published_functions(functions: tuple[LabelFunction, ...]) -> None:
    family = PublicFunctions(functions)
    assert family.law() == {h: fmpq(functions.count(h), len(functions)) for h in functions}
    assert output_law(lambda coins: family.draw_row(coins, ONE), ONE) == {
        j: fmpq(1, len(functions)) for j in range(len(functions))
    }
    for x, y in product(family.items, repeat=2):
        shared = [j for j, h in enumerate(functions) if h.values["abc".index(str(x))] == h.values["abc".index(str(y))]]
        assert collision_probability(family, x, y) == fmpq(len(shared), len(functions))
    rows = [h.values for h in functions]
    assert separates(functions) == any(row[i] != row[0] for row in rows for i in range(len(row)))


G, H, J = (LabelFunction(("a", "b", "c"), row, 2) for row in ((0, 0, 1), (1, 1, 1), (0, 1, 1)))
ROWS = (G, G, H, J)


# --- different functions, drawn without replacement --------------------------------------------------------------


@given(st.integers(1, 2), st.integers(1, 3), st.integers(1, 3))
def test_distinct_rows(items: int, labels: int, k: int) -> None:
    names, number = tuple(range(items)), labels**items
    if k > number:
        with pytest.raises(DomainError, match="k = "):
            distinct_rows(names, labels, k)
        return
    law = distinct_rows(names, labels, k)
    assert all(len(set(rows)) == k for rows in law)
    assert len(law) == perm(number, k)
    assert set(law.values()) == {fmpq(1, perm(number, k))}
    for j in range(k):
        row: dict[LabelFunction, fmpq] = {}
        for rows, weight in law.items():
            row[rows[j]] = row.get(rows[j], fmpq(0)) + weight
        assert row == AllFunctions(names, labels).law()


def test_different_rows_are_not_independent() -> None:
    """Two items collide in both of two different rows less often than in independent ones: 2 functions of 4 do."""
    law = distinct_rows((0, 1), 2, 2)
    both = sum((w for rows, w in law.items() if all(h(0) == h(1) for h in rows)), fmpq(0))
    assert both == fmpq(1, 6) != collision_probability(AllFunctions((0, 1), 2), 0, 1) ** 2


# --- drawing -----------------------------------------------------------------------------------------------------


FAMILIES: list[LabelFamily] = [
    AllFunctions(("a", "b"), 3),
    AffineLabels((0, 1, 2), 5),
    CarterWegman((0, 1, 2), 5, 2, False),
    CarterWegman((0, 1), 3, 5, True),
    PublicFunctions(ROWS),
    ExplicitFamily((G, H, J), (HALF, fmpq(1, 3), fmpq(1, 6))),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: type(f).__name__)
def test_drawing_follows_the_law(family: LabelFamily) -> None:
    assert isinstance(family, LabelFamily)
    assert hash(family) == hash(family)
    assert sum(family.law().values(), fmpq(0)) == 1
    assert output_law(lambda coins: family.draw(coins, ONE), ONE) == family.law()
    one = EVERY_EPSILON.lift(1)
    symbolic = output_law(lambda coins: family.draw(coins, one), one)
    assert {h: EVERY_EPSILON.lift(p) for h, p in family.law().items()} == symbolic


@pytest.mark.parametrize("labels", [1023, 1024, 1025])
def test_a_label_of_a_large_range_is_drawn_in_steps_and_uniform(labels: int) -> None:
    law = output_law(lambda coins: AllFunctions((0,), labels).draw(coins, ONE).values[0], ONE)
    assert len(law) == labels
    assert set(law) == set(range(labels))
    assert set(law.values()) == {fmpq(1, labels)}


def test_large_families_are_drawn_from() -> None:
    coins = SamplingCoins(default_rng(1))
    mersenne = 2**31 - 1
    h = CarterWegman((0, 1, 2), mersenne, mersenne, False).draw(coins, ONE)
    assert (h(2) - 2 * h(1) + h(0)) % mersenne == 0
    assert h(0) != h(1)
    assert AllFunctions((0, 1), 2**70).draw(coins, ONE).labels == 2**70
    assert CarterWegman((0, 1), 2, 2, False).draw(ScriptedCoins((0, 1)), ONE).values == (1, 0)


def test_seeded_functions() -> None:
    family = SeededFunctions(("a", "b", "c"), 1000)
    assert isinstance(family, LabelFamily)
    h = family.member(bytes(range(16)))
    assert (h, h.labels) == (family.member(bytes(range(16))), 1000)
    assert h != family.member(bytes(range(1, 17)))
    drawn = [family.draw(SamplingCoins(default_rng(seed)), ONE) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    many = SeededFunctions(tuple(range(300)), 3).member(bytes(16))
    assert {many.values.count(label) // 50 for label in range(3)} <= {1, 2}


def test_a_function_is_a_table() -> None:
    h = LabelFunction.of({"a": 2, "b": 0}, 3)
    assert (h("a"), h("b"), h.labels) == (2, 0, 3)
    assert h == LabelFunction(("a", "b"), (2, 0), 3) != LabelFunction(("a", "b"), (2, 0), 4)


# --- refusals ---------------------------------------------------------------------------------------------------------

NO_INTEGERS: list[Any] = [True, 2.0, float("nan"), None, "2", fmpq(2)]
OTHER_ITEMS, OTHER_LABELS = LabelFunction(("a", "b"), (0, 0), 2), LabelFunction(("a", "b", "c"), (0, 0, 1), 3)
SLOPES = CarterWegman((0, 1), 3, 2, False)


class Overwritten(CarterWegman):
    """The weights of equal members are not added."""

    def law(self) -> dict[LabelFunction, fmpq]:
        law = super().law()
        return dict.fromkeys(law, min(law.values()))


NO_LAW = Overwritten((0, 1), 3, 2, True)
SEEDED = SeededFunctions(("a", "b", "c"), 1000)
OF_ITEMS: tuple[Any, ...] = (
    lambda items: AllFunctions(items, 2),
    lambda items: SeededFunctions(items, 2),
    lambda items: AffineLabels(items, 5),
    lambda items: CarterWegman(items, 5, 2, False),
    lambda items: distinct_rows(items, 2, 1),
)
OF_PRIMES: tuple[Any, ...] = (lambda p: AffineLabels((0,), p), lambda p: CarterWegman((0,), p, 2, True))
OF_LABELS: tuple[Any, ...] = (
    lambda labels: AllFunctions((0, 1), labels),
    lambda labels: SeededFunctions((0, 1), labels),
    lambda labels: CarterWegman((0, 1), 3, labels, True),
)
OF_ROWS: tuple[Any, ...] = (
    PublicFunctions,
    separates,
    lambda rows: ExplicitFamily(rows, (HALF, HALF)),
)
TOO_LONG = (AffineLabels((0, 1), 1009), AllFunctions(tuple(range(20)), 2), AllFunctions(tuple(range(5000)), 1000))
AT_LEAST_FOUR = "prime = 3: allowed is a prime of at least 4"
test_refusals = refusal_test(
    refuses_each("items", LabelFunction, ((), (), 2), ([0], (0,), 2), ((0, 0), (0, 0), 2), (({},), (0,), 2)),
    refuses_each("values", LabelFunction, ((0, 1), (0,), 2), ((0,), [0], 2), ((0,), (-1,), 2), ((0,), (2,), 2)),
    refuses("values", lambda value: LabelFunction((0,), (value,), 3), *NO_INTEGERS),
    refuses("labels", lambda labels: LabelFunction((0,), (0,), labels), 0, -1, *NO_INTEGERS),
    refuses("item", G, "d", None, {}),
    refuses("values", lambda pairs: LabelFunction.of(pairs, 3), [("a", 2)]),
    *(refuses("prime", make, 0, 1, 4, 9, 49, 561, -7, 2**31, 46337**2, 7.0, *NO_INTEGERS) for make in OF_PRIMES),
    *(refuses("labels", make, 0, -1, *NO_INTEGERS) for make in OF_LABELS),
    refuses("k", lambda k: distinct_rows((0, 1), 2, k), 0, -1, *NO_INTEGERS),
    *(refuses("items", make, (), (0, 0), [0], ({},), None) for make in OF_ITEMS),
    refuses("prime", lambda: AffineLabels((0, 1, 2, 3), 3), says=AT_LEAST_FOUR),
    refuses("prime", lambda: CarterWegman((0, 1, 2, 3), 3, 2, True), says=AT_LEAST_FOUR),
    refuses("zero", lambda zero: CarterWegman((0,), 3, 2, zero), 0, 1, None, "yes"),
    refuses("coefficients", SLOPES.member, (0, 0), (3, 0), (1, 3), (1, -1), (1,), (1, 1, 1), (True, 1), (1, 1.0)),
    refuses("coefficients", SLOPES.member, 5, iter((1, 1))),
    refuses("key", SEEDED.member, b"", bytes(15), "0" * 16, None),
    *(
        refuses("functions", make, (), [G], (None,), (G, OTHER_ITEMS), (G, OTHER_LABELS), None, G, (G, (0, 0, 1)))
        for make in OF_ROWS
    ),
    refuses_each("functions", ExplicitFamily, ((G, G), (HALF, HALF))),
    refuses_each("weights", ExplicitFamily, ((G,), (1,)), ((G,), [ONE]), ((G,), (HALF, HALF)), ((G, H), (0.5, 0.5))),
    refuses("sum of probabilities", lambda: ExplicitFamily((G, H), (HALF, fmpq(1, 3))), kind=NotStochasticError),
    refuses("probability", lambda: ExplicitFamily((G, H), (fmpq(3, 2), -HALF)), kind=NotStochasticError),
    refuses("sum of probabilities", independence, NO_LAW, kind=NotStochasticError),
    refuses("family", independence, ROWS),
    refuses("family", independence, SEEDED, says="written out"),
    refuses("item", lambda: collision_probability(AllFunctions((0, 1), 2), 0, 2)),
    refuses("family", independence, *TOO_LONG, says="at most 1000000 functions"),
    refuses("k", lambda: distinct_rows((0, 1, 2), 10, 3), says="at most 1000000 functions"),
)
