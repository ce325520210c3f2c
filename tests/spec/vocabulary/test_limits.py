"""Budgets and domains that are too large to write out are refused before anything is computed."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl import GRR
from dp_spec.vocabulary.budget import MAX_BITS, MAX_POWER_BITS, MAX_TEXT, Budget, read_epsilon
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import MAX_ITEMS, ItemDomain, number_of_sets

TOO_LONG = [
    "1e3000000",
    "1e-9999999",
    "1E+1000",
    "1e-1000",
    "1000000000*ln(2)",
    f"{MAX_POWER_BITS}*ln(2)",
    f"ln({'7' * 5000})",
    "7" * 5000,
    f"0.{'7' * 3000}",
    f"1/{'7' * 3000}",
    " " * MAX_TEXT + "1",
    "1/10**20",
    1e308,
    10**5000,
    Fraction(1, 10**5000),
    fmpq(1, fmpz(10) ** 5000),
    fmpq(fmpz(10) ** 5000 + 1, fmpz(10) ** 5000),
]


@pytest.mark.parametrize(
    "epsilon", TOO_LONG, ids=[f"{type(epsilon).__name__}{i}" for i, epsilon in enumerate(TOO_LONG)]
)
def test_a_budget_that_is_too_long_is_refused(epsilon: Any) -> None:
    with pytest.raises(DomainError) as error:
        read_epsilon(epsilon)
    assert error.value.parameter == "epsilon"
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    "epsilon", ["1e-400", "1e-999", 5e-324, "1e6", "1/" + "7" * 190, f"{MAX_POWER_BITS // 2}*ln(2)"]
)
def test_a_budget_within_the_limits_has_an_exact_law(epsilon: Any) -> None:
    mechanism = GRR(d=3, epsilon=epsilon)
    assert mechanism.p + 2 * mechanism.q == 1
    assert mechanism.p > mechanism.q > 0


def test_the_limit_of_bits_is_the_one_that_is_stated() -> None:
    assert read_epsilon(Fraction(1, 2**MAX_BITS - 1))[1] == Fraction(1, 2**MAX_BITS - 1)


@given(st.text(st.sampled_from("0123456789./*ln()eE+- "), max_size=40))
def test_any_text_is_a_budget_or_is_refused(text: str) -> None:
    try:
        assert Budget(text).exp() >= 1
    except DomainError as error:
        named = error.parameter
    else:
        named = "epsilon"
    assert named in ("epsilon", "numbers")


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 10**6))
def test_sets_are_counted_as_far_as_it_matters(items: int, size: int, enough: int) -> None:
    size = min(size, items)
    count, exact = number_of_sets(items, size, enough), comb(items, size)
    assert count == exact if exact <= enough else enough < count <= exact


TOO_MANY = (MAX_ITEMS + 1, 10**9, 10**30)
test_refusals = refusal_test(
    refuses("", read_epsilon, Fraction(1, 2**MAX_BITS), says=f"{MAX_BITS} bits"),
    refuses("sensitive", lambda size: ItemDomain.of_sizes(size), *TOO_MANY, says=f"{MAX_ITEMS}"),
    refuses("nonsensitive", lambda size: ItemDomain.of_sizes(1, size), *TOO_MANY, says=f"{MAX_ITEMS}"),
    refuses("sizes", lambda: ItemDomain.of_sizes(100_000).subsets((50_000,)), says="sets of 100000 items"),
    refuses(
        "numbers",
        lambda epsilon: GRR(d=3, epsilon=epsilon).p.sign(),
        *("ln(2)/99999999999", "ln(1000001/1000000)/1000000", "1/4096*ln(12345678901234567890)"),
        says="root",
    ),
)
