"""Subset selection: PrivSet for one item, and the best size of a subset."""

from typing import Any

import pytest

from cases.refusals import refusal_test, refuses
from dp_audit.oracles import oracle
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.privset import PrivSet
from dp_refimpl.frequency.subset_selection import SubsetSelection
from dp_spec.frequency import subset_selection as spec
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from independent.item_mechanisms import SUBSET_SIZES

W = RationalFunctionField({"w": 1}).variable("w")


@pytest.mark.parametrize(("d", "k"), SUBSET_SIZES)
def test_the_law_is_that_of_sets_of_one_item(d: int, k: int) -> None:
    mechanism: SubsetSelection[Any] = SubsetSelection(ItemDomain.of_sizes(d), Budget.of_root(W), k)
    sets = exact_channel(PrivSet(ItemDomain.of_sizes(d), Budget.of_root(W), 1, k)).rows
    assert exact_channel(mechanism).rows == {x: sets[frozenset([x])] for x in range(d)}
    at = {"w": W, "D": W.field.lift(d), "k": W.field.lift(k)}
    assert (mechanism.p, mechanism.q) == (spec.P.evaluate(at), spec.Q.evaluate(at))


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
