"""Subset selection: PrivSet for one item, and the best size of a subset."""

import pytest

from cases.refusals import refusal_test, refuses
from dp_audit.oracles import oracle
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.subset_selection import SubsetSelection


@pytest.mark.parametrize(("d", "epsilon"), [(2, "1"), (5, "1/10"), (12, "1"), (12, "3"), (30, "ln(4)")])
def test_the_size_that_is_left_out_is_the_best_one(d: int, epsilon: str) -> None:
    """For an item nobody holds and one that one of d users holds: the sum over the items."""
    chosen = SubsetSelection(d=d, epsilon=epsilon).k
    errors = {}
    for k in range(1, d):
        tried = SubsetSelection(d=d, epsilon=epsilon, k=k)
        p, q = tried.p, tried.q
        errors[k] = (p * (1 - p) + (d - 1) * q * (1 - q)) / (p - q) ** 2
    assert chosen == min(errors, key=lambda k: (errors[k], k))


def test_audits_leave_the_same_size_out() -> None:
    left_out = oracle("SS", {"d": 5, "epsilon": "1/10"})
    assert left_out.law(0).keys() == exact_channel(SubsetSelection(d=5, epsilon="1/10")).rows[0].keys()


test_refusals = refusal_test(
    refuses("k", lambda k: SubsetSelection(d=3, epsilon=1, k=k), 0, 3, -1, True, 1.0, "1"),
    refuses("domain", lambda k: SubsetSelection(d=1, epsilon=1, k=k), None, 1),
    refuses("budget", lambda: SubsetSelection(d=3, epsilon=0)),
    refuses("budget", lambda: SubsetSelection(d=3, epsilon=0, k=1).estimate([frozenset([0])])),
)
