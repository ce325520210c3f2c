"""The multiset channel is the brute force over all orders; delta and profiles are those of the definition; faults."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import factorial, prod
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.faults import fault_test
from cases.refusals import refusal_test, refuses
from dp_refimpl.enumeration import exact_channel, output_law
from dp_refimpl.shuffle import channel, dump
from dp_refimpl.shuffle.blanket import SH
from dp_refimpl.shuffle.channel import (
    Pair,
    ShuffledLaws,
    bundle_channel,
    compositions,
    data_sets,
    multinomial_law,
    positive_part,
    shuffled_laws,
)
from dp_refimpl.shuffle.dummies import Listed, NegativeBinomial
from dp_refimpl.shuffle.dump import PureDUMP
from dp_refimpl.shuffle.profile import Profile, profile_of, upper_envelope
from dp_refimpl.shuffle.protocol_parts import multiset
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.real import Real
from independent.numbers import fraction
from independent.shuffle_cases import RANDOMIZERS, TWO
from strategies.exact import laws

ONE = fmpq(1)


def brute(randomizer: Any, data: tuple[Any, ...]) -> dict[Any, Fraction]:
    """Every user's paths, every order of all messages with the same chance, and only then the counts."""
    own = [output_law(partial(randomizer.messages, x), ONE) for x in data]
    distribution: Counter[Any] = Counter()
    for paths in product(*(law.items() for law in own)):
        sent = [y for messages, _ in paths for y in messages]
        chance = prod((fraction(p) for _, p in paths), start=Fraction(1))
        for order in permutations(range(len(sent))):
            arranged = tuple(sent[i] for i in order)
            distribution[frozenset(Counter(arranged).items())] += chance / factorial(len(sent))  # type: ignore[assignment]
    return dict(distribution)


@pytest.mark.parametrize("name", ["sh", "puredump", "mixdump", "aue", "solh", "nohash", "sharedsmall"])
def test_the_channel_is_brute_force_over_users_and_orders(name: str) -> None:
    randomizer = RANDOMIZERS[name]()
    laws_ = shuffled_laws(randomizer, 2)
    for data in data_sets(randomizer.inputs[:2], 2):
        law = {y: fraction(p) for y, p in laws_.law(data).items()}
        assert law == brute(randomizer, data)
        assert law == {y: fraction(p) for y, p in laws_.law(tuple(reversed(data))).items()}


@pytest.mark.parametrize("name", RANDOMIZERS)
def test_bundle_laws_are_those_of_the_programs(name: str) -> None:
    randomizer = RANDOMIZERS[name]()
    walked = exact_channel(randomizer.messages, randomizer.inputs, randomizer.one).push_forward(multiset)
    assert bundle_channel(randomizer).rows == walked.rows


def subsets_delta(first: dict[Any, fmpq], second: dict[Any, fmpq], e: fmpq) -> fmpq:
    """The definition: the largest P(T) - e Q(T) over all sets T of outcomes."""
    outcomes = list({**first, **second})
    best = fmpq(0)
    for mask in range(2 ** len(outcomes)):
        chosen = [y for j, y in enumerate(outcomes) if mask >> j & 1]
        p, q = (sum((law.get(y, fmpq(0)) for y in chosen), fmpq(0)) for law in (first, second))
        best = max(best, p - e * q)
    return best


POINTS = [fmpq(1), fmpq(5, 4), fmpq(3, 2), fmpq(2), fmpq(3), fmpq(7), fmpq(50)]


@given(laws(5), laws(5), st.fractions(1, 30, max_denominator=40))
def test_a_profile_is_the_largest_gain_over_all_events(p: tuple[fmpq, ...], q: tuple[fmpq, ...], at: Fraction) -> None:
    first, second, e = dict(enumerate(p)), dict(enumerate(q)), fmpq(at.numerator, at.denominator)
    profile = profile_of(first, second)
    for point in (e, *POINTS, *profile.breakpoints):
        assert profile.delta(point) == positive_part(first, second, point) == subsets_delta(first, second, point)
    assert profile.limit == subsets_delta(first, second, fmpq(10**9))


@given(st.lists(st.tuples(laws(4), laws(4)), min_size=1, max_size=4), st.fractions(1, 30, max_denominator=40))
def test_an_envelope_is_the_largest_of_the_profiles(pairs: Any, at: Fraction) -> None:
    profiles = [profile_of(dict(enumerate(p)), dict(enumerate(q)), j) for j, (p, q) in enumerate(pairs)]
    envelope, e = upper_envelope(profiles), fmpq(at.numerator, at.denominator)
    middles = [(a + b) / 2 for a, b in zip(envelope.breakpoints, envelope.breakpoints[1:], strict=False)]
    for point in (e, *POINTS, *envelope.breakpoints, *middles):
        value, attained = envelope.witness(point)
        assert value == max(profile.delta(point) for profile in profiles)
        assert value == profiles[attained].delta(point)


@given(laws(4), laws(4), st.fractions(0, 1, max_denominator=30))
def test_the_smallest_e_of_a_delta(p: tuple[fmpq, ...], q: tuple[fmpq, ...], at: Fraction) -> None:
    profile, delta = profile_of(dict(enumerate(p)), dict(enumerate(q))), fmpq(at.numerator, at.denominator)
    e = profile.smallest(delta)
    if e is None:
        assert profile.limit > delta
    else:
        assert profile.delta(e) <= delta
        assert e == 1 or profile.delta(e) == delta
        assert e == 1 or profile.delta((1 + e) / 2) > delta


def wrong_worst(family: ShuffledLaws[Any]) -> Iterator[Any]:
    """Neighbors as the definition has them: tuples of items that differ in one place."""
    worst = family.worst_profile()
    for e in POINTS[::2]:
        value = max(
            positive_part(family.law(a), family.law(b), e)
            for a, b in product(product(family.items, repeat=family.users), repeat=2)
            if sum(x != y for x, y in zip(a, b, strict=True)) == 1
        )
        witness = family.delta(e)
        if not witness.value == value == worst.delta(e) == family.profile(witness.attained).delta(e):
            yield e, value, witness


@pytest.mark.parametrize("name", ["sh", "mixdump", "nohash", "fresh", "shared", "sharedsmall", "aue", "solh uneven"])
def test_the_worst_pair_is_the_worst_of_all_data_sets(name: str) -> None:
    randomizer = RANDOMIZERS[name]()
    assert list(wrong_worst(shuffled_laws(randomizer, 2, getattr(randomizer, "unit", "message")))) == []


def lopsided(users: int, order: tuple[int, ...] = (0, 1, 2)) -> ShuffledLaws[fmpq]:
    """Messages of which nobody can say which items matter most."""
    rows = {
        0: {"a": ONE},
        1: {"a": fmpq(1, 2), "b": fmpq(1, 2)},
        2: {"a": fmpq(1, 6), "b": fmpq(1, 6), "c": fmpq(2, 3)},
    }
    return ShuffledLaws(
        {x: {multiset([y]): p for y, p in row.items()} for x, row in zip(order, rows.values(), strict=True)}, users
    )


@pytest.mark.parametrize("users", [1, 2, 3])
def test_the_worst_pair_without_symmetry(users: int) -> None:
    assert list(wrong_worst(lopsided(users))) == []


def test_pairs_that_differ_in_names_alone_are_looked_at_once() -> None:
    family = ShuffledLaws({x: {multiset([y]): fmpq(1 + (x == y), 5) for y in range(4)} for x in range(4)}, 3)
    pairs, everything = list(family.representatives()), list(family.pairs())
    assert len(everything) == 12 * len(list(compositions(2, 4)))
    assert len(pairs) < len(everything) / 12
    for pair in everything:  # the same profile as that of a pair that is looked at
        x, y = (family.items.index(z) for z in (pair.item, pair.replaced))
        rest = sorted(c for i, c in enumerate(pair.others) if i not in (x, y))
        renamed = Pair((pair.others[x], pair.others[y], *rest), 0, 1)
        assert renamed in pairs
        assert family.profile(renamed).knots == family.profile(pair).knots


def test_items_that_are_not_alike_are_all_looked_at() -> None:
    """One chance differs, or what is added is not of all items alike."""
    rows: dict[Any, Any] = {x: {multiset([y]): fmpq(1 + (x == y), 4) for y in range(3)} for x in range(3)}
    uneven = {**rows, 2: {multiset([0]): fmpq(1, 8), multiset([1]): fmpq(3, 8), multiset([2]): fmpq(1, 2)}}
    for family in (ShuffledLaws(uneven, 2), ShuffledLaws(rows, 2, {multiset([0]): ONE})):
        assert list(family.representatives()) == list(family.pairs())
        assert list(wrong_worst(family)) == []


def test_profiles_hold_for_irrational_budgets() -> None:
    worst = shuffled_laws(RANDOMIZERS["sh"](), 2).worst_profile()
    e = Budget("0.1").exp()
    assert isinstance(worst.delta(e), Real)
    assert worst.witness(e).attained in list(shuffled_laws(RANDOMIZERS["sh"](), 2).pairs())


@given(st.integers(0, 5), laws(3))
def test_multinomials_are_sums_of_single_draws(number: int, weights: tuple[fmpq, ...]) -> None:
    chances = dict(enumerate(weights))
    law: dict[Any, fmpq] = {}
    for draws in product([y for y, p in chances.items() if p != 0], repeat=number):
        key = multiset(draws)
        law[key] = law.get(key, fmpq(0)) + prod((chances[y] for y in draws), start=ONE)
    assert multinomial_law(number, chances) == law


@given(st.integers(0, 6), st.integers(1, 4))
def test_compositions(total: int, parts: int) -> None:
    vectors = list(compositions(total, parts))
    assert sorted(vectors) == sorted(c for c in product(range(total + 1), repeat=parts) if sum(c) == total)


test_faults_in_the_sum_are_caught = fault_test(
    lambda: test_the_channel_is_brute_force_over_users_and_orders("sh"),
    {
        "users are added twice": (channel, "_plus", lambda a, b: a + 2 * b),
        "the last user replaces the others": (channel, "_plus", lambda a, b: b),
    },
    (AssertionError, ValueError),
)
test_a_dropped_dummy_is_caught = fault_test(
    lambda: test_bundle_laws_are_those_of_the_programs("mixdump"),
    {"a dummy less": (dump, "multinomial_law", lambda n, law: multinomial_law(max(0, n - 1), law))},
    (AssertionError,),
)


FEW: dict[str, Any] = {
    "one direction alone": lambda pair, users: pair.item < pair.replaced,
    "the other direction alone": lambda pair, users: pair.item > pair.replaced,
    "all others hold the last item": lambda pair, users: pair.others[-1] == users - 1,
    "the first two items alone": lambda pair, users: {pair.item, pair.replaced} == {0, 1},
}


@pytest.mark.parametrize("fault", FEW)
def test_forgotten_neighbors_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs, kept = ShuffledLaws.pairs, FEW[fault]
    monkeypatch.setattr(ShuffledLaws, "pairs", lambda self: (x for x in pairs(self) if kept(x, self.users)))
    assert list(wrong_worst(lopsided(2))) or list(wrong_worst(lopsided(2, (2, 1, 0))))


def test_laws_that_are_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "MAX_HISTOGRAMS", 3)
    with pytest.raises(DomainError, match="histograms"):
        shuffled_laws(RANDOMIZERS["sh"](), 3).law((0, 1, 2))


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 3), laws(3))
def test_a_random_number_of_dummies_is_the_mixture(users: int, weights: tuple[fmpq, ...]) -> None:
    """delta of the mixture is at most the mean of the deltas given the total; equal at users = 1 (the total shows)."""
    mixed = shuffled_laws(PureDUMP(TWO, Listed(weights)), users).delta(fmpq(3, 2)).value
    total = Listed(weights).total(users).law()
    parts = sum((w * one_total(users, number) for number, w in total.items()), fmpq(0))
    assert mixed == parts


def one_total(users: int, number: int) -> fmpq:
    """delta with exactly so many dummies in all."""
    own = {x: multinomial_law(1, {x: ONE}) for x in TWO.items}
    added = multinomial_law(number, dict.fromkeys(TWO.items, fmpq(1, 2)))
    delta: fmpq = ShuffledLaws(own, users, added).delta(fmpq(3, 2)).value
    return delta


SHUFFLED = RANDOMIZERS["sh"]()
OF_ONE, OF_TWO = shuffled_laws(SH(ItemDomain((0,)), fmpq(1, 2)), 1), shuffled_laws(SHUFFLED, 2)
test_refusals = refusal_test(
    refuses("users", lambda users: shuffled_laws(SHUFFLED, users), 0, -1, True, 1.0, float("nan")),
    refuses("data", OF_TWO.law, (0,), (0, 9), (0, 0, 0), ()),
    refuses("e", OF_TWO.delta, fmpq(1, 2)),
    refuses("e", lambda: OF_TWO.worst_profile().delta(fmpq(1, 2))),
    refuses("number", lambda: OF_TWO.worst_profile().delta(float("nan"))),
    refuses("delta", lambda: OF_TWO.worst_profile().smallest(fmpq(-1, 2))),
    refuses("unit", lambda unit: shuffled_laws(SHUFFLED, 2, unit), "user"),
    refuses("laws", lambda: ShuffledLaws({}, 1)),
    refuses("profiles", upper_envelope, []),
    refuses("items", lambda: OF_ONE.delta(fmpq(2)), says="two or more items"),
    refuses("knots", Profile, ((fmpq(2), fmpq(0)),)),
    refuses("number", lambda: multinomial_law(-1, {0: ONE})),
    refuses("count", lambda: bundle_channel(PureDUMP(TWO, NegativeBinomial(1, fmpq(1, 2))))),
)
