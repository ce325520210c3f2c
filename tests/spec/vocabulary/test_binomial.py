"""Binomial coefficients in terms: the same number in both evaluators, refused where there is none."""

from math import comb

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_kernel.formulas.terms import evaluate
from dp_kernel.meter import Rejected, limited
from dp_spec.vocabulary.term import binomial, read, var

CHOICES = binomial(var("n"), var("k") - 1)


@given(st.integers(0, 40), st.integers(1, 41))
def test_the_number_of_subsets(n: int, k: int) -> None:
    assert CHOICES.evaluate({"n": n, "k": k}) == comb(n, k - 1) == evaluate(CHOICES.json(), {"n": n, "k": k})


def test_written_read_and_printed() -> None:
    assert read(CHOICES.json()) == CHOICES
    assert CHOICES.latex() == r"\binom{n}{k - 1}"
    assert ((1 + CHOICES) ** 2).latex() == r"\left(1 + \binom{n}{k - 1}\right)^{2}"
    assert list(CHOICES.variables()) == ["n", "k"]


def test_the_kernel_pays_for_large_ones() -> None:
    with pytest.raises(Rejected, match="units of work"), limited(10**6):
        evaluate(["binom", 10**9, 10**8], {})


NO_NUMBERS = (-1, True, fmpq(1, 2), "2", None, 2.0)
test_refusals = refusal_test(
    refuses(
        "",
        lambda tree: evaluate(tree, {}),
        *(["binom", -1, 0], ["binom", 2, -1], ["binom", ["div", 5, 2], 1]),
        says="not a natural number",
        kind=ValueError,
    ),
    refuses("n of a binomial coefficient", lambda n: CHOICES.evaluate({"n": n, "k": 2}), *NO_NUMBERS),
    refuses("k of a binomial coefficient", lambda k: binomial(4, var("k")).evaluate({"k": k}), *NO_NUMBERS),
    refuses("json", read, ["binom", 2], ["binom", 2, 1, 1], ["binom"]),
)
