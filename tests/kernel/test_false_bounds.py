"""Planted false statements about all data sets that the brute force of the attack cannot judge: another one, that
shares no line with the kernel either, says that they are false, or about nothing."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise

import mpmath
import pytest

from corpus.certificates import rejected
from dp_kernel import Rejected
from dp_kernel.certificate.check import check

F = Fraction


def sets_exist(m: int, k: int, others: int) -> bool:
    return any(True for _ in combinations(range(k + others), m))


def data_sets(m: int, k: int, n: int) -> Iterator[Fraction]:
    """The frequency of item 0 in every data set of m-sets of k items."""
    for users in combinations_with_replacement(list(combinations(range(k), m)), n):
        yield F(sum(0 in s for s in users), n)


def grows(quotient: Callable[[int], float]) -> bool:
    """Whether a quotient of positive numbers grows without bound, as far as its values tell."""
    values = [quotient(2**i) for i in range(4, 14)]
    return all(b > 1.5 * a for a, b in pairwise(values))


def shrinks_to_nothing(quotient: Callable[[int], float]) -> bool:
    return grows(lambda m: 1 / quotient(m))


def e(x: float) -> float:
    return float(mpmath.exp(x))


def sampled(m: int, eps: float, k: int, f: float) -> float:
    """The error of suGRR-Sample for one user, from its table alone."""
    w = e(eps)
    p, q = w / (w + k - 1), 1 / (w + k - 1)
    held, other = (p + (m - 1) * q) / m, q
    slope = (p - q) / m
    return (f * held * (1 - held) + (1 - f) * other * (1 - other)) / slope**2


def split(m: int, eps: float, k: int, f: float) -> float:
    """That of suGRR: m slots, each with epsilon / m."""
    p, q = (float(x) for x in _table(mpmath.mpf(eps) / m, k))
    return (f * p * (1 - p) + (m - f) * q * (1 - q)) / (p - q) ** 2


def _table(eps: mpmath.mpf, k: int) -> tuple[mpmath.mpf, mpmath.mpf]:
    w = mpmath.exp(eps)
    return w / (w + k - 1), 1 / (w + k - 1)


ONE = 1.0
TRUTH: Mapping[str, Callable[[], bool]] = {
    # of smaller order in m than a constant: m times it grows
    "smaller_as_it_stands": lambda: grows(lambda m: m * m**2 * e(ONE) / (e(ONE) - 1) ** 2 / 2),
    # at any epsilon there are finitely many m: nothing grows
    "smaller_where_epsilon_bounds_m": lambda: all(
        len([m for m in range(1, 1000) if m <= eps]) < 10 for eps in (1, 2, 9)
    ),
    "smaller_where_a_number_bounds_m": lambda: len([m for m in range(1, 1000) if m <= 9]) < 10,
    "smaller_where_sets_are_bounded_by_the_items": lambda: not any(sets_exist(m, 3, 2) for m in range(6, 12)),
    "vanishing_on_a_bounded_domain": lambda: min(F(1, k) for k in range(1, 6)) > F(1, 10),
    # with K = 1 both errors have the same order in m, with K = 2 they have not
    "order_for_one_sensitive_item": lambda: (
        not shrinks_to_nothing(lambda m: sampled(m, ONE, 1, 0) / split(m, ONE, 1, 0))
    ),
    "order_with_a_constant_that_shrinks": lambda: shrinks_to_nothing(
        lambda m: sampled(m, ONE, 2, 0) / split(m, ONE, 2, 0)
    ),
    # no set of K + 1 of K items
    "comparison_of_no_sets_at_all": lambda: not any(list(data_sets(k + 1, k, 1)) for k in range(1, 6)),
    "an_exponent_above_one": lambda: e(2) > 1 + 2 + 3,
    "a_bound_with_one_m_less": lambda: grows(
        lambda m: e(0.5 / m) / (e(0.5 / m) - 1) ** 2 / m  # eps = 1, n = 1
    ),
    "a_bound_without_epsilon": lambda: grows(lambda i: e(0.5 / i) / (e(0.5 / i) - 1) ** 2),  # eps = 1 / i, m = 1
}
"""Names of planted certificates, and what makes them false (or about nothing)."""


@pytest.mark.parametrize("name", TRUTH)
def test_what_is_rejected_is_false(name: str) -> None:
    assert TRUTH[name]()
    certificate = rejected()[name].certificate()
    with pytest.raises((Rejected, LookupError, ValueError)) as refusal:
        check(certificate["statement"], certificate["verdict"], certificate["evidence"])
    assert rejected()[name].reason in f"malformed: {type(refusal.value).__name__}: {refusal.value}"
