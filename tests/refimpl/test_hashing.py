"""Hash families: independence is computed, drawing follows the law that is written out, planted faults are seen."""

from collections.abc import Callable
from itertools import product
from math import comb
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.hashing import (
    AffineFamily,
    FiniteFamily,
    FixedFunction,
    HashFamily,
    HashFunction,
    KeyedHashes,
    PolynomialFamily,
    RandomFunctions,
    independence,
)
from dp_spec.vocabulary.exceptions import NotStochasticError
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON

ONE = fmpq(1)
PRIMES = (2, 3, 5, 7)


def family_of(rule: Callable[..., int], cells: int, items: int, *coefficients: range) -> FiniteFamily:
    """The functions x -> rule(x, c_0, c_1, ...) mod cells with equally likely coefficients."""
    names, law = tuple(range(items)), dict[HashFunction, fmpq]()
    choices = list(product(*coefficients))
    for c in choices:
        h = HashFunction(names, tuple([fmpq(rule(x, *c) % cells, cells) for x in names]))
        law[h] = law.get(h, fmpq(0)) + fmpq(1, len(choices))
    return FiniteFamily(tuple(law), tuple(law.values()), cells)


@st.composite
def polynomials(draw: st.DrawFn) -> PolynomialFamily:
    prime, degree = draw(st.sampled_from(PRIMES)), draw(st.integers(0, 3))
    return PolynomialFamily(
        tuple(range(draw(st.integers(1, min(prime, 4))))), prime, min(degree, 2 if prime > 3 else 3)
    )


@given(polynomials())
def test_polynomials_of_degree_k_minus_1_are_k_wise_independent_and_no_more(family: PolynomialFamily) -> None:
    assert independence(family) == min(family.degree + 1, len(family.items))


@given(st.integers(1, 3), st.integers(2, 4))
def test_random_functions_are_independent(items: int, cells: int) -> None:
    family = RandomFunctions(tuple(range(items)), cells)
    assert independence(family) == items
    assert set(family.law().values()) == {fmpq(1, cells**items)}


@pytest.mark.parametrize("prime", PRIMES)
def test_affine_functions_are_pairwise_independent(prime: int) -> None:
    family = AffineFamily(tuple(range(min(prime, 4))), prime)
    assert independence(family) == 2
    assert family.law() == PolynomialFamily(family.items, prime, 1).law()


@given(st.lists(st.fractions(0, 1, max_denominator=9), min_size=1, max_size=3))
def test_a_fixed_function_is_not_random(values: Any) -> None:
    h = HashFunction(tuple(range(len(values))), tuple([fmpq(v.numerator, v.denominator) for v in values]))
    family = FixedFunction(h)
    assert independence(family) == 0
    assert family.law() == {h: 1}
    assert all((v * family.cells).denominator == 1 for v in values)


def test_independence_between_two_and_all() -> None:
    """Three bits of even parity: every two are independent, the three are not."""
    parity = family_of(lambda x, a, b: (a, b, a + b)[x], 2, 3, range(2), range(2))
    assert independence(parity) == 2
    assert independence(family_of(lambda x, a: a, 3, 2, range(3))) == 1


FAULTS = {
    "G = 4 is no prime": family_of(lambda x, a, b: a * x + b, 4, 4, range(4), range(4)),
    "a is never 0": family_of(lambda x, a, b: a * x + b, 5, 3, range(1, 5), range(5)),
    "b is always 0": family_of(lambda x, a: a * x, 5, 3, range(5)),
    "a is always 1": family_of(lambda x, b: x + b, 5, 3, range(5)),
    "items one apart modulo G coincide": family_of(lambda x, a, b: a * x + b, 3, 4, range(3), range(3)),
    "one function is left out": family_of(lambda x, i: i // 5 * x + i % 5, 5, 3, range(24)),
    "modulo bias": family_of(lambda x, a, b: a * x + b, 5, 3, range(6), range(6)),
    "a smaller range": family_of(lambda x, a, b: (a * x + b) % 5, 7, 3, range(5), range(5)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faulty_affine_families_are_not_pairwise_independent(fault: str) -> None:
    assert independence(FAULTS[fault]) < 2


def test_values_off_the_grid_are_not_uniform_on_it() -> None:
    halves = HashFunction((0,), (fmpq(1, 2),)), HashFunction((0,), (fmpq(0),))
    assert independence(FiniteFamily(halves, (fmpq(1, 2), fmpq(1, 2)), 2)) == 1
    assert independence(FiniteFamily(halves, (fmpq(1, 3), fmpq(2, 3)), 2)) == 0
    assert independence(FiniteFamily(halves, (fmpq(1, 2), fmpq(1, 2)), 4)) == 0
    ends = HashFunction((0,), (fmpq(1),)), HashFunction((0,), (fmpq(1, 2),))
    assert independence(FiniteFamily(ends, (fmpq(1, 2), fmpq(1, 2)), 2)) == 0


FAMILIES: list[HashFamily] = [
    RandomFunctions((0, 1), 3),
    AffineFamily(("a", "b", "c"), 5),
    PolynomialFamily((0, 1), 3, 2),
    FAULTS["modulo bias"],
    FixedFunction(HashFunction((0,), (fmpq(1, 3),))),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: type(f).__name__)
def test_drawing_follows_the_law(family: HashFamily) -> None:
    assert output_law(lambda coins: family.draw(coins, ONE), ONE) == family.law()
    one = EVERY_EPSILON.lift(1)
    symbolic = output_law(lambda coins: family.draw(coins, one), one)
    assert {h: EVERY_EPSILON.lift(p) for h, p in family.law().items()} == symbolic


@given(st.lists(st.integers(0, 6), min_size=3, max_size=3))
def test_members_of_the_polynomial_family(coefficients: list[int]) -> None:
    """Newton's form of the same polynomial gives the same values."""
    h = PolynomialFamily(("a", "b", "c", "d"), 7, 2).member(coefficients)
    c0, c1, c2 = coefficients
    newton = [(c0 + (c1 + c2) * comb(x, 1) + 2 * c2 * comb(x, 2)) % 7 for x in range(4)]
    assert [h(x) for x in "abcd"] == [fmpq(j, 7) for j in newton]


def test_keyed_hashes() -> None:
    family = KeyedHashes(("a", "b", "c"))
    h = family.member(bytes(range(16)))
    assert h == family.member(bytes(range(16)))
    assert h != family.member(bytes(range(1, 17)))
    assert len(set(h.values)) == 3
    assert all((v * 2**64).q == 1 for v in h.values)
    drawn = [family.draw(SamplingCoins(default_rng(seed)), ONE) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_hash_function_is_a_table() -> None:
    h = HashFunction.of({"a": fmpq(1, 3), "b": fmpq(1)})
    assert (h("a"), h("b")) == (fmpq(1, 3), fmpq(1))


@pytest.mark.parametrize("prime", [2, 3, 46337, 46349, 2**31 - 1])
def test_prime_moduli(prime: int) -> None:
    assert AffineFamily((0, 1), prime).cells == prime


# --- refusals ---------------------------------------------------------------------------------------------------------

H, G, NAN = HashFunction((0,), (fmpq(0),)), HashFunction((1,), (fmpq(0),)), float("nan")
HALF = fmpq(1, 2)
NO_NUMBERS = [fmpq(-1, 7), fmpq(8, 7), 0.5, True, NAN, 0]
KINDS: tuple[Any, ...] = (lambda items: RandomFunctions(items, 2), lambda items: AffineFamily(items, 5), KeyedHashes)
test_refusals = refusal_test(
    refuses(
        "coefficients", AffineFamily((0, 1), 5).member, (1,), (1, 1, 1), (5, 0), (0, -1), (True, 0), (1, 1.0), None
    ),
    refuses("key", KeyedHashes((0,)).member, b"", bytes(15), bytes(17), "0" * 16, 5, None),
    refuses("family", independence, KeyedHashes(("a", "b", "c"))),
    refuses("item", HashFunction(("a",), (fmpq(1, 3),)), "c"),
    refuses_each("items", HashFunction, ((), ()), ([0], (fmpq(0),)), ((0, 0), (fmpq(0), fmpq(0))), (({},), (fmpq(0),))),
    refuses_each("values", HashFunction, ((0, 1), (fmpq(0),)), ((0,), [fmpq(0)])),
    refuses("values", lambda value: HashFunction((0,), (value,)), *NO_NUMBERS),
    refuses(
        "cells",
        lambda prime: AffineFamily((0,), prime),
        *(0, 1, 4, 9, 49, 561, -7, 2**31, 46337**2, True, 7.0, NAN, None, "7"),
    ),
    refuses("cells", lambda cells: RandomFunctions((0,), cells), 0, 1, -3, True, 2.0, float("inf"), None),
    refuses("cells", lambda cells: FiniteFamily((H,), (ONE,), cells), 0, 1, -3, True, 2.0, float("inf"), None),
    refuses_each("functions", FiniteFamily, ((H, H), (HALF, HALF), 2), ((H, G), (HALF, HALF), 2), ((), (), 2)),
    refuses_each("functions", FiniteFamily, ([H], (ONE,), 2), ((None,), (ONE,), 2)),
    refuses_each("weights", FiniteFamily, ((H,), (1,), 2), ((H,), [ONE], 2), ((H,), (HALF, HALF), 2)),
    refuses("sum of probabilities", lambda: FiniteFamily((H,), (HALF,), 2), kind=NotStochasticError),
    refuses("degree", lambda degree: PolynomialFamily((0,), 3, degree), -1, True, 1.0),
    refuses("items", lambda: AffineFamily((0, 1, 2, 3), 3), says="at most G = 3"),
    refuses("function", FixedFunction, None),
    *(refuses("items", kind, (), (0, 0), [0]) for kind in KINDS),
    refuses("family", lambda: independence(AffineFamily((0, 1), 1009)), says="at most"),
)
