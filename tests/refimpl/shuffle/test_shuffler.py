"""Arrangements are uniform; Heap's indices are its visits; shufflers that lose or double messages are refused."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, permutations
from math import factorial
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import Coins, SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.dump import PureDUMP
from dp_refimpl.shuffle.protocol_parts import elements, multiset
from dp_refimpl.shuffle.shuffler import (
    DoubledMessagesError,
    LostMessagesError,
    Permuting,
    Pipeline,
    ToMultiset,
    ToSet,
    estimates,
    heap_arrangement,
    listed,
)
from independent.shuffle_cases import TWO

ONE = fmpq(1)
PURE = PureDUMP(TWO, Constant(1))


def published(shuffler: Any, **options: Any) -> Pipeline[Any, Any]:
    return Pipeline(PURE, shuffler, estimates(PURE), **options)


def coins() -> SamplingCoins:
    return SamplingCoins(default_rng(3))


def is_uniform(shuffler: Any, size: int) -> bool:
    law = output_law(lambda coins: shuffler.shuffle(tuple(range(size)), coins, ONE), ONE)
    return law == dict.fromkeys(permutations(range(size)), fmpq(1, factorial(size)))


@pytest.mark.parametrize("technique", ["fisheryates", "heap"])
@pytest.mark.parametrize("size", range(6))
def test_arrangements_are_uniform(technique: Any, size: int) -> None:
    assert is_uniform(Permuting(technique), size)


def heap_visits(size: int) -> list[tuple[int, ...]]:
    """All arrangements in the order in which the recursion of Heap (1963) visits them."""
    places, visits = list(range(size)), list[tuple[int, ...]]()

    def generate(k: int) -> None:
        if k <= 1:
            visits.append(tuple(places))
            return
        generate(k - 1)
        for i in range(k - 1):
            other = i if k % 2 == 0 else 0
            places[other], places[k - 1] = places[k - 1], places[other]
            generate(k - 1)

    generate(size)
    return visits


@pytest.mark.parametrize("size", range(7))
def test_an_index_is_the_visit_of_heaps_algorithm(size: int) -> None:
    visits = heap_visits(size)
    assert [heap_arrangement(size, k) for k in range(factorial(size))] == visits
    assert sorted(visits) == list(permutations(range(size)))
    for before, after in pairwise(visits):
        assert sum(a != b for a, b in zip(before, after, strict=True)) == 2


def test_the_visits_of_three() -> None:
    """As published, of the places 1, 2, 3: 123, 213, 312, 132, 231, 321."""
    assert ["".join(str(i + 1) for i in visit) for visit in heap_visits(3)] == [
        "123",
        "213",
        "312",
        "132",
        "231",
        "321",
    ]


def test_an_index_of_many() -> None:
    size = 60
    last = heap_arrangement(size, factorial(size) - 1)
    assert sorted(last) == list(range(size))
    assert last != tuple(range(size))


@given(st.lists(st.sampled_from("abc"), max_size=6))
def test_multisets_forget_the_order_and_nothing_else(messages: list[str]) -> None:
    bag = multiset(messages)
    assert all(multiset(order) == bag for order in (messages[::-1], sorted(messages)))
    assert Counter(elements(bag)) == Counter(messages) == Counter(listed(bag))
    assert listed(tuple(messages)) == tuple(messages)


@pytest.mark.parametrize("shuffler", [ToMultiset(), Permuting(), Permuting("heap")])
def test_a_run_publishes_the_estimates_of_what_was_sent(shuffler: Any) -> None:
    histogram = published(shuffler).run((0, 0, 1), coins())
    assert sum(histogram.values()) == 1


class Wrong:
    def __init__(self, change: Any) -> None:
        self.change = change

    def shuffle(self, messages: Sequence[Any], coins: Coins, one: Any) -> Any:
        return self.change(messages)


def test_unions_of_sets_lose_messages() -> None:
    """Algorithm 1, lines 4 and 7, with unions of sets: the collector does not get n (m + 1) messages."""
    with pytest.raises(LostMessagesError):
        published(ToSet()).run((0, 0), ScriptedCoins((0, 0)))
    assert ToSet().shuffle((0, 0, 1), coins(), ONE) == multiset((0, 1))


def test_messages_of_all_users_are_counted() -> None:
    """n (m + 1) with a constant number of dummies; bundles are n, whatever is in them."""
    assert len(listed(published(ToMultiset()).shuffled((0, 1, 1), coins()))) == 6
    assert len(listed(published(ToMultiset(), unit="bundle").shuffled((0, 1, 1), coins()))) == 3
    assert len(listed(published(ToMultiset(), fakes=lambda coins: (0, 0)).shuffled((0, 1, 1), coins()))) == 8


def test_a_scripted_run() -> None:
    """One user, one dummy; Fisher-Yates exchanges the two."""
    pipeline = Pipeline(PURE, Permuting(), lambda handed, users: handed)
    assert pipeline.run((0,), ScriptedCoins((1, 0))) == (1, 0)
    assert pipeline.run((0,), ScriptedCoins((1, 1))) == (0, 1)


def wrongly(change: Any) -> Any:
    return published(Wrong(change)).run((0, 1), coins())


test_refusals = refusal_test(
    refuses(
        "shuffled messages",
        wrongly,
        lambda messages: messages[1:],
        lambda messages: multiset(messages[:-1]),
        lambda messages: (),
        lambda messages: (messages[0],) * len(messages),
        kind=LostMessagesError,
    ),
    refuses(
        "shuffled messages",
        wrongly,
        lambda messages: (*messages, messages[0]),
        lambda messages: multiset([*messages, "new"]),
        kind=DoubledMessagesError,
    ),
    refuses("technique", Permuting, "riffle"),
    refuses("unit", lambda unit: published(ToMultiset(), unit=unit), "user"),
    refuses("items", lambda items: published(ToMultiset()).run(items, coins()), (), "01", 3, None),
    refuses("item", lambda: published(ToMultiset()).run((0, 7), coins())),
    refuses_each("index|size", heap_arrangement, (3, 6), (3, -1), (-1, 0), (True, 0), (2, 1.0)),
)
