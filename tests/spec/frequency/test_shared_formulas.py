"""A formula that stands for claims as a term, and for audits and simulations as a function of data, is one formula."""

from collections.abc import Sequence
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_spec.frequency import count_sketch, hadamard, local_hashing
from dp_spec.vocabulary.term import Term
from independent.numbers import exact

NUMBERS = st.lists(st.integers(0, 5), min_size=1, max_size=4)
SHARES = st.lists(st.fractions(0, 1, max_denominator=6), min_size=4, max_size=4)
ROOTS = st.fractions(1, 9, max_denominator=5).filter(lambda x: x > 1)


def said(own: int, others: Sequence[int], kappas: Sequence[fmpq], **values: Any) -> dict[str, Any]:
    """What terms say of data: an item's records, the others' with their shares of collisions."""
    n = own + sum(others)
    sums = {j: sum((number * kappa**j for number, kappa in zip(others, kappas, strict=False)), fmpq(0)) for j in (1, 2)}
    squares = sum(number**2 for number in others)
    return {
        "n": n,
        "f": fmpq(own, n),
        "kappa1": sums[1] / n,
        "kappa2": sums[2] / n,
        "squared": fmpq(squares, n**2),
        **values,
    }


def value(formula: Term, values: dict[str, Any]) -> fmpq:
    number: fmpq = fmpq(1) * formula.evaluate(values)
    return number


@given(ROOTS, st.integers(2, 5), st.integers(1, 4), st.integers(1, 5), NUMBERS, SHARES)
def test_sketches(root: Any, m: int, k: int, own: int, others: list[int], shares: list[Any]) -> None:
    x, kappas = exact(root), [exact(share) for share in shares]
    records = [(own, fmpq(1)), *zip(others, kappas, strict=False)]
    c = (x + 1) / (x - 1)
    at = said(own, others, kappas, t=x, w=x, b=m, k=k)
    pairs = [
        (count_sketch.MEAN, count_sketch.fixed_mean(m, records, fmpq(0))),
        (count_sketch.FIXED_VARIANCE, count_sketch.fixed_variance(c, m, records)),
        (count_sketch.DRAWN_VARIANCE, count_sketch.drawn_variance(c, m, k, own, others)),
        (hadamard.FIXED_VARIANCE, hadamard.fixed_variance(c, m, records)),
    ]
    for formula, number in pairs:
        assert value(formula, at) == number


@given(ROOTS, st.integers(2, 5), st.integers(1, 4), st.integers(1, 5), NUMBERS, SHARES)
def test_local_hashing(root: Any, g: int, k: int, own: int, others: list[int], shares: list[Any]) -> None:
    w, kappas = exact(root), [exact(share) for share in shares]
    p, q, chance = w / (w + g - 1), 1 / (w + g - 1), fmpq(1, g)
    records = [(own, fmpq(1)), *zip(others, kappas, strict=False)]
    at = said(own, others, kappas, w=w, b=g, k=k)
    assert value(local_hashing.MEAN, at) == local_hashing.fixed_mean(p, q, chance, records)
    assert value(local_hashing.FIXED_VARIANCE, at) == local_hashing.fixed_variance(p, q, chance, records)
    assert value(local_hashing.DRAWN_VARIANCE, at) == local_hashing.drawn_variance(p, q, g, k, own, others)
