"""Coins: sampling is exact, scripts replay, and nothing is normalized."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import Coins, SamplingCoins, ScriptedCoins, as_fraction, bernoulli, uniform, uniform_subset
from dp_refimpl.enumeration import exact_channel, output_law
from dp_refimpl.frequency.surap import SuRAP
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, NotStochasticError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON
from strategies.exact import laws


class ScriptedGenerator(np.random.Generator):
    """A generator whose 32-bit words are given; running out of them is an error of the test."""

    def __init__(self, words: list[int]) -> None:
        super().__init__(np.random.PCG64(0))
        self.left = list(words)

    def integers(self, low: Any, *_: Any, **__: Any) -> Any:
        assert low == 2**32
        return self.left.pop(0)


def cell(law: tuple[fmpq, ...], point: Fraction) -> int:
    """The index whose cell of [0, 1) contains the point."""
    edge = Fraction(0)
    for index, p in enumerate(law):
        edge += as_fraction(p)
        if point < edge:
            return index
    raise AssertionError("beyond 1")


@given(laws(4), st.lists(st.integers(0, 2**32 - 1), min_size=3, max_size=3))
def test_sampling_coins_invert_the_distribution_function(law: tuple[fmpq, ...], words: list[int]) -> None:
    """The words are the digits of a uniform U; what is drawn is the cell of every U that begins with the words used.

    Cells have exactly the probabilities as lengths, so with uniform words the law is exact.
    """
    generator = ScriptedGenerator([*words, *[0] * 20])
    index = SamplingCoins(generator).choose(law)
    used = [*words, *[0] * 20][: 23 - len(generator.left)]
    low = sum((Fraction(w, 2 ** (32 * (i + 1))) for i, w in enumerate(used)), Fraction(0))
    just_below = low + Fraction(1, 2 ** (32 * len(used))) - Fraction(1, 10**300)
    assert cell(law, low) == index == cell(law, just_below)


@given(laws(5))
def test_sampling_coins_on_the_edges(law: tuple[fmpq, ...]) -> None:
    """A word whose interval straddles an edge does not decide: the next word is asked for."""
    edge = Fraction(0)
    for p in law[:-1]:
        edge += as_fraction(p)
        word = edge * 2**32
        if word.denominator != 1:
            lower = SamplingCoins(ScriptedGenerator([int(word), 0, 0])).choose(law)
            upper = SamplingCoins(ScriptedGenerator([int(word), 2**32 - 1, 2**32 - 1, 2**32 - 1])).choose(law)
            assert lower < upper


def test_a_sure_outcome_needs_no_randomness() -> None:
    assert SamplingCoins(ScriptedGenerator([])).choose((fmpq(0), fmpq(1), fmpq(0))) == 1


@given(st.integers(0, 2**32))
def test_sampling_coins_are_reproducible(seed: int) -> None:
    mechanism = SuRAP(ItemDomain.of_sizes(2, 2), Budget.of_root(fmpq(2), 4), m=2)
    first, second = (SamplingCoins(np.random.default_rng(seed)) for _ in range(2))
    items = frozenset({0, 3})
    assert [mechanism.randomize(items, first) for _ in range(5)] == [
        mechanism.randomize(items, second) for _ in range(5)
    ]


def paths(mechanism: SuRAP[fmpq], items: frozenset[Any]) -> Iterator[tuple[Any, fmpq]]:
    """Every script of d bits, with the weight that the laws of the positions give it."""
    d = len(mechanism.domain.items)
    for script in product((0, 1), repeat=d):
        coins = ScriptedCoins(script)
        weight = fmpq(1)
        for x, bit in zip(mechanism.domain.items, script, strict=True):
            one = mechanism.r if x in items else fmpq(0)
            if x in mechanism.domain.sensitive:
                one = mechanism.p if x in items else mechanism.q
            weight *= one if bit else 1 - one
        if weight == 0:
            with pytest.raises(DomainError, match="positive probability"):
                mechanism.randomize(items, coins)
            continue
        yield mechanism.randomize(items, coins), weight
        coins.require_finished()


@given(st.sets(st.integers(0, 3), min_size=2, max_size=2).map(frozenset))
def test_scripts_replay_every_path_of_the_enumeration(items: frozenset[Any]) -> None:
    mechanism = SuRAP(ItemDomain.of_sizes(2, 2), Budget.of_root(fmpq(2), 4), m=2)
    law = exact_channel(mechanism.randomize, [items], fmpq(1)).rows[items]
    replayed: Counter[Any] = Counter()
    total: dict[Any, fmpq] = {}
    for report, weight in paths(mechanism, items):
        replayed[report] += 1
        total[report] = total.get(report, fmpq(0)) + weight
    assert total == law
    assert set(replayed.values()) == {1}


def test_a_script_that_is_too_long() -> None:
    coins = ScriptedCoins([1, 1])
    assert coins.choose((fmpq(1, 2), fmpq(1, 2))) == 1
    with pytest.raises(DomainError, match="too long"):
        coins.require_finished()


@given(st.integers(1, 5))
def test_uniform_is_uniform(size: int) -> None:
    law = output_law(lambda coins: uniform(coins, range(size), fmpq(1)), fmpq(1))
    assert law == dict.fromkeys(range(size), fmpq(1, size))


@given(st.integers(0, 5), st.integers(0, 5))
def test_subsets_are_uniform_and_without_repetition(size: int, drawn: int) -> None:
    def program(coins: Coins) -> tuple[int, ...]:
        return uniform_subset(coins, range(size), drawn, fmpq(1))

    if drawn > size:
        with pytest.raises(DomainError, match="size"):
            output_law(program, fmpq(1))
        return
    law = output_law(program, fmpq(1))
    assert len(set(law.values())) == 1
    assert all(len(set(y)) == drawn for y in law)
    assert sum(law.values(), fmpq(0)) == 1


@given(laws(2))
def test_bernoulli(law: tuple[fmpq, fmpq]) -> None:
    expected = {bit: p for bit, p in zip((False, True), law, strict=True) if p != 0}
    assert output_law(lambda coins: bernoulli(coins, law[1]), fmpq(1)) == expected


COINS: tuple[Coins, ...] = (SamplingCoins(np.random.default_rng(0)), ScriptedCoins([0]))
CHOICES: tuple[Any, ...] = (
    *(coins.choose for coins in COINS),
    lambda law: output_law(lambda coins: coins.choose(law), fmpq(1)),
)
NO_LAWS = ((), (fmpq(1, 2),), (fmpq(1, 2), fmpq(1, 3)), (fmpq(3, 2), fmpq(-1, 2)), (fmpq(1), fmpq(1)))
NO_NUMBERS = ((0.5, 0.5), (float("nan"),), (float("inf"),), (True,), ("1",))
test_refusals = refusal_test(
    # nothing is normalized, and only exact numbers are taken
    *(refuses("", choose, *NO_LAWS, kind=NotStochasticError) for choose in CHOICES),
    *(refuses("probability|number", choose, *NO_NUMBERS) for choose in CHOICES),
    refuses("generator", SamplingCoins, None, 0, np.random.RandomState(0), np.random.PCG64(0)),
    refuses("probability", as_fraction, arb(1) / 3, EVERY_EPSILON.variable("t"), 0.5, True, None),
    # too short, out of range, or an index of probability 0
    refuses(
        "script",
        lambda script: ScriptedCoins(script).choose((fmpq(0), fmpq(1))),
        *([], [2], [-1], [True], [0], ["0"], [1.5]),
    ),
    refuses("outcomes", lambda outcomes: uniform(ScriptedCoins([0]), outcomes, fmpq(1)), []),
)
