"""Item domains and reports."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses, refuses_each
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain, Report


@given(st.integers(0, 4), st.integers(0, 4))
def test_sizes(sensitive: int, nonsensitive: int) -> None:
    if sensitive + nonsensitive == 0:
        with pytest.raises(DomainError, match="at least one item"):
            ItemDomain.of_sizes(sensitive, nonsensitive)
        return
    domain = ItemDomain.of_sizes(sensitive, nonsensitive)
    assert domain.items == tuple(range(sensitive + nonsensitive))
    assert (len(domain.sensitive), len(domain.nonsensitive)) == (sensitive, nonsensitive)


@given(st.integers(1, 6), st.data())
def test_subsets_are_all_different_ones(d: int, data: st.DataObject) -> None:
    domain = ItemDomain.of_sizes(d)
    size = data.draw(st.integers(0, d))
    subsets = domain.subsets([size])
    assert len(set(subsets)) == len(subsets) == comb(d, size)
    for s in subsets:
        assert len(s) == size
        domain.require_subset(s)
    assert len(domain.subsets(range(d + 1))) == 2**d


def test_reports_are_values() -> None:
    assert Report((0, 1)) == Report((0, 1), frozenset())
    assert len({Report(1), Report(1), Report(None, frozenset({1}))}) == 2


NO_SUBSETS = ({0}, [0], (0,), 0, None, frozenset({5}), frozenset({0, "0"}), frozenset({float("nan")}))
test_refusals = refusal_test(
    refuses("sizes", lambda size: ItemDomain.of_sizes(3).subsets([size]), -1, True, 1.0, 4, None),
    refuses_each("sensitive", ItemDomain, ([1], ()), ("ab", ())),
    refuses_each("nonsensitive", ItemDomain, ((1,), [2])),
    refuses_each("items", ItemDomain, ((), ()), ((1, 1), ()), ((1,), (1,)), ((1, True), ()), (([1],), ())),
    refuses("sensitive", lambda size: ItemDomain.of_sizes(size, 1), -1, True, 1.5, "2", None),
    refuses("nonsensitive", lambda size: ItemDomain.of_sizes(1, size), -1, True, 1.5, "2", None),
    refuses("items", ItemDomain.of_sizes(3).require_subset, *NO_SUBSETS),
)
