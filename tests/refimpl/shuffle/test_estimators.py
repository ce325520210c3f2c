"""Mean and variance of every estimator by enumeration of all users' paths; where printed forms are right; faults."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import SamplingCoins, uniform
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.hash_families import AllFunctions, CarterWegman
from dp_refimpl.shuffle.aue import AUE
from dp_refimpl.shuffle.blanket import DDPS, SH
from dp_refimpl.shuffle.channel import bundle_channel, data_sets
from dp_refimpl.shuffle.dummies import Binomial, Constant, DummyCount, Listed, NegativeBinomial
from dp_refimpl.shuffle.dump import MixDUMP
from dp_refimpl.shuffle.hpsdp import SRR
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP
from dp_refimpl.shuffle.protocol_parts import Affine, elements, multiset
from dp_spec.vocabulary.budget import Budget, every_budget
from dp_spec.vocabulary.exceptions import NotStochasticError
from independent.numbers import fraction
from independent.shuffle_cases import BUDGET, IDEAL, RANDOM, RANDOMIZERS, THREE, TWO, WIDE

USERS = 2
SLOW = ("shared domain", "shared uneven", "puredump", "fresh domain")
"""Whose messages have too many laws for all data sets of two users; one user says the same."""


def enumerated(randomizer: Any, data: tuple[Any, ...], laws: Any) -> dict[Any, tuple[Fraction, Fraction]]:
    """Mean and variance of `estimate` over all messages of all users."""
    first, second = defaultdict[Any, Fraction](Fraction), defaultdict[Any, Fraction](Fraction)
    for bundles in product(*(laws[x].items() for x in data)):
        chance = prod((fraction(p) for _, p in bundles), start=Fraction(1))
        sent = [y for bundle, _ in bundles for y in elements(bundle)]
        for x, f in randomizer.estimate(sent, len(data)).items():
            first[x] += chance * fraction(f)
            second[x] += chance * fraction(f) ** 2
    return {x: (first[x], second[x] - first[x] ** 2) for x in randomizer.inputs}


def wrong_moments(randomizer: Any, users: int = USERS) -> list[Any]:
    laws = exact_channel(randomizer.messages, randomizer.inputs, randomizer.one).push_forward(multiset).rows
    faults = []
    for data in data_sets(randomizer.inputs, users):
        exact = enumerated(randomizer, data, laws)
        for x in randomizer.inputs:
            stated = randomizer.moments(Counter(data), x)
            if (fraction(stated.mean), fraction(stated.variance)) != exact[x]:
                faults.append((data, x))
    return faults


@pytest.mark.parametrize("name", RANDOMIZERS)
def test_mean_and_variance_by_enumeration(name: str) -> None:
    assert wrong_moments(RANDOMIZERS[name](), 1 if name in SLOW else USERS) == []


UNBIASED = {"sh", "ddps", "puredump", "puredump random", "mixdump", "mixdump random", "mixdump expected", "aue", "solh"}
UNBIASED |= {"nohash", "nohash domain", "fresh"}
"""T2b of `nohash domain` is right for two items, where p + q = 1, and for no other number."""
BIASED = {"shared", "shared random", "sharedsmall", "sharedsmall domain", "solh uneven"}


@pytest.mark.parametrize("name", sorted(UNBIASED | BIASED))
def test_which_estimators_are_unbiased(name: str) -> None:
    randomizer = RANDOMIZERS[name]()
    right = all(
        randomizer.moments(Counter(data), x).mean == fmpq(data.count(x), USERS)
        for data in data_sets(randomizer.inputs, USERS)
        for x in randomizer.inputs
    )
    assert right == (name in UNBIASED)


@given(st.integers(1, 5), st.sampled_from([Listed((fmpq(1, 3), fmpq(2, 3))), Binomial(3, fmpq(2, 5)), Constant(2)]))
def test_totals_of_dummies_are_convolutions(users: int, count: DummyCount) -> None:
    total, law = count.total(users), count.law()
    probabilities: dict[int, fmpq] = {}
    for numbers in product(law, repeat=users):
        key = sum(numbers)
        probabilities[key] = probabilities.get(key, fmpq(0)) + prod((law[m] for m in numbers), start=fmpq(1))
    assert total.law() == probabilities
    assert (total.mean, total.variance) == (users * count.mean, users * count.variance)
    assert sum((k * p for k, p in law.items()), fmpq(0)) == count.mean
    assert sum((k * k * p for k, p in law.items()), fmpq(0)) - count.mean**2 == count.variance
    assert all(count.chance(k) == law.get(k, 0) for k in range(6))


@given(st.integers(1, 4), st.integers(1, 7), st.integers(0, 12))
def test_negative_binomials(r: int, top: int, most: int) -> None:
    """By the words of (6): of m + r trials the last one succeeds, and r - 1 of the others."""
    p = fmpq(top, 8)
    law = NegativeBinomial(r, p)
    for m in range(most + 1):
        ways = comb(m + r - 1, m)
        assert law.chance(m) == ways * p**r * (1 - p) ** m
    assert 0 <= law.tail(most) < 1
    listed = law.conditioned(most)
    assert all(listed.chance(m) * (1 - law.tail(most)) == law.chance(m) for m in range(most + 1))
    assert law.total(3) == NegativeBinomial(3 * r, p)


def test_moments_of_negative_binomials_in_the_limit() -> None:
    law = NegativeBinomial(2, fmpq(3, 4))
    listed = law.conditioned(60)
    assert abs(listed.mean - law.mean) + abs(listed.variance - law.variance) < fmpq(1, 10**30)
    generator = default_rng(7)
    drawn = [law.draw(SamplingCoins(generator), fmpq(1)) for _ in range(2000)]
    assert abs(fmpq(sum(drawn), 2000) - law.mean) < fmpq(1, 10)  # more than five standard deviations


def test_the_blanket_for_every_budget_is_randomized_response() -> None:
    """gamma = k / (t + k - 1) as a rational function: p and q of GRR, and the budget again."""
    t = every_budget(1)
    sh = SH.of_budget(THREE, t)
    assert (sh.p, sh.q) == (GRR(THREE, t).p, GRR(THREE, t).q)
    assert sh.budget.exp() == t.exp()
    walked = exact_channel(sh.messages, sh.inputs, sh.one)
    assert walked.rows == {x: {(y,): sh.p if x == y else sh.q for y in range(3)} for x in range(3)}
    srr = SRR(THREE, WIDE, 2 / (t.exp() + 1))
    assert srr.budget.exp() == t.exp()
    laws = exact_channel(srr.messages, srr.inputs, srr.one)
    assert laws.push_forward(multiset).rows == bundle_channel(srr).rows


def test_ddps_counts_ones() -> None:
    ddps = DDPS(4, fmpq(1))
    for bits in product((0, 1), repeat=4):
        assert ddps.estimate(bits) == 4 * ddps.randomizer.estimate(bits, 4)[1]


def test_aue_decodes_small_counts_to_zero() -> None:
    aue = AUE(TWO, fmpq(1, 2))
    assert aue.estimate([0, 0, 0, 1, 1], 2) == {0: 1, 1: fmpq(1, 2)}
    assert aue.truncated([0, 0, 0, 1, 1], 2) == {0: 1, 1: 0}


FAULTS: dict[str, tuple[str, Any, str]] = {
    "a dummy less": (
        "dp_refimpl.shuffle.dump.uniform_dummies",
        lambda domain, count, coins, one: (
            uniform(coins, domain.items, one) for _ in range(max(0, count.draw(coins, one) - 1))
        ),
        "mixdump",
    ),
    "a dummy more": (
        "dp_refimpl.shuffle.dump.uniform_dummies",
        lambda domain, count, coins, one: (
            uniform(coins, domain.items, one) for _ in range(count.draw(coins, one) + 1)
        ),
        "mixdump expected",
    ),
    "dummies are not subtracted": (
        "dp_refimpl.shuffle.dump.dummies_subtracted",
        lambda offset, cell, slope, count, word: Affine(offset, slope * 0, slope),
        "puredump random",
    ),
    "reports are dummies, too": (
        "dp_refimpl.shuffle.dump.dummies_subtracted",
        lambda offset, cell, slope, count, word: Affine(offset, cell, slope),
        "mixdump",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, wrong, name = FAULTS[fault]
    monkeypatch.setattr(place, wrong)
    randomizer = RANDOMIZERS[name]()
    data = Counter({randomizer.inputs[0]: 2})
    biased = randomizer.moments(data, randomizer.inputs[0]).mean != 1
    assert wrong_moments(randomizer) or biased


def test_a_variance_without_that_of_the_number_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Binomial, "variance", property(lambda self: fmpq(0)))
    assert wrong_moments(RANDOMIZERS["mixdump expected"]())


NAN = float("nan")

NO_NUMBERS = (-1, True, 1.0, NAN, "1", None)
NO_CHANCES = (fmpq(-1, 2), fmpq(3, 2), 0.5, NAN, True, "1/2", None)
NUMBERED: tuple[Any, ...] = (Constant, lambda m: Binomial(m, fmpq(1, 2)), lambda m: NegativeBinomial(m, fmpq(1, 2)))
CHANCES = (Constant(1).chance, Binomial(1, fmpq(1)).chance, RANDOM.chance, NegativeBinomial(1, fmpq(1)).tail)
OF_CHANCE: tuple[Any, ...] = (
    *(lambda p: Binomial(1, p), lambda p: NegativeBinomial(1, p), lambda p: SH(TWO, p)),
    *(lambda p: SRR(THREE, WIDE, p), lambda p: AUE(TWO, p), lambda p: DDPS(1, p)),
)
MIXED, FRESH = RANDOMIZERS["mixdump"](), RANDOMIZERS["fresh"]()
BLIND = MixDUMP(TWO, Budget.of_root(fmpq(1)), Constant(1))
OTHER_OPTIONS: list[dict[str, Any]] = [
    *({"hashes": "none"}, {"value": "zero"}, {"form": "t4"}, {"family": None}, {"users": 0}, {"hashes": "nohash"}),
    {"hashes": "sharedsmall", "family": AllFunctions((0, 1), 3)},
    {"family": AllFunctions((0, 1), 1)},
    {"family": CarterWegman((0,), 5, 2, True)},
]
test_refusals = refusal_test(
    *(refuses("m|r", build, *NO_NUMBERS) for build in NUMBERED),
    *(refuses("number|most", method, *NO_NUMBERS) for method in CHANCES),
    *(refuses("p|gamma|number|r|rate", build, *NO_CHANCES) for build in OF_CHANCE),
    refuses("gamma", lambda: SH(TWO, fmpq(0))),
    refuses("domain", lambda domain: SH(domain, fmpq(1, 2)), (0, 1)),
    refuses("r", lambda: NegativeBinomial(0, fmpq(1, 2))),
    refuses("sum of probabilities", Listed, (fmpq(1, 2),), kind=NotStochasticError),
    refuses("weights", Listed, (0.5, 0.5)),
    refuses("dummies", lambda number: MixDUMP(TWO, BUDGET, number), 3),
    refuses("subtracted", lambda subtracted: MixDUMP(TWO, BUDGET, Constant(1), subtracted), "all"),
    refuses("fakes", lambda: SOLH(TWO, BUDGET, IDEAL, -1)),
    refuses("rate", lambda: DDPS(2, fmpq(3))),
    refuses("bits", lambda: DDPS(2, fmpq(1)).estimate((0, 2))),
    refuses("rate", lambda: DDPS(2, fmpq(2)).estimate((0, 1))),
    refuses(
        "hashes|value|form|family|users",
        lambda options: ODHP(TWO, BUDGET, Constant(1), **({"family": IDEAL} | options)),
        *OTHER_OPTIONS,
    ),
    refuses("domain", lambda: ODHP(THREE, BUDGET, Constant(1), hashes="sharedsmall"), says="two items"),
    refuses("users", lambda: ODHP(TWO, BUDGET, Constant(1), IDEAL, form="t2a-inner-g1").estimator),
    refuses("item", lambda: MIXED.messages(9, SamplingCoins(default_rng(1)))),
    refuses("users|data", lambda data: MIXED.moments(data, 0), {}, {0: -1}, {9: 1}, {0: 1.0}, {0: True}, 3),
    refuses("users", lambda users: MIXED.estimate([0, 1], users), 0, -1, True, 1.5),
    refuses("messages", lambda: MIXED.estimate([0, 7], 1)),
    refuses(
        "messages",
        lambda message: FRESH.estimate([message], 1),
        *(0, (IDEAL.member((0, 1)), 2), (WIDE.member((0, 0, 1)), 1), (IDEAL.member((0, 1)), True)),
    ),
    refuses("slope", lambda: BLIND.estimate([0, 1], 1)),
    refuses("slope", lambda: BLIND.moments({0: 1}, 0)),
)
