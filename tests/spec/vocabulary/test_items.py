"""Item domains and reports."""

from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@pytest.mark.parametrize("size", [-1, True, 1.0, 4, None])
def test_sizes_of_subsets(size: Any) -> None:
    with pytest.raises(DomainError, match="sizes"):
        ItemDomain.of_sizes(3).subsets([size])


@pytest.mark.parametrize(
    ("sensitive", "nonsensitive", "parameter"),
    [
        ([1], (), "sensitive"),
        ("ab", (), "sensitive"),
        ((1,), [2], "nonsensitive"),
        ((), (), "items"),
        ((1, 1), (), "items"),
        ((1,), (1,), "items"),
        ((1, True), (), "items"),
        (([1],), (), "items"),
    ],
)
def test_bad_domains(sensitive: Any, nonsensitive: Any, parameter: str) -> None:
    with pytest.raises(DomainError) as error:
        ItemDomain(sensitive, nonsensitive)
    assert error.value.parameter == parameter


@pytest.mark.parametrize("size", [-1, True, 1.5, "2", None])
def test_bad_numbers_of_items(size: Any) -> None:
    with pytest.raises(DomainError, match="sensitive"):
        ItemDomain.of_sizes(size, 1)
    with pytest.raises(DomainError, match="nonsensitive"):
        ItemDomain.of_sizes(1, size)


@pytest.mark.parametrize(
    "items", [{0}, [0], (0,), 0, None, frozenset({5}), frozenset({0, "0"}), frozenset({float("nan")})]
)
def test_what_is_no_subset(items: Any) -> None:
    with pytest.raises(DomainError, match="items"):
        ItemDomain.of_sizes(3).require_subset(items)


def test_reports_are_values() -> None:
    assert Report((0, 1)) == Report((0, 1), frozenset())
    assert len({Report(1), Report(1), Report(None, frozenset({1}))}) == 2
