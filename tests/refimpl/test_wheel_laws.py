"""Wheel and suWheel: their laws for every hash and on average over the hash; planted faults break one of them."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import Refusal, refusal_test, refuses
from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.frequency.hashing import HashFunction, independence
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import Wheel
from dp_spec.vocabulary.budget import Budget, every_budget, real_budget
from dp_spec.vocabulary.exceptions import NotStochasticError, UndecidedError
from dp_spec.vocabulary.items import ItemDomain, Report
from independent import brute_force_wheel as plain
from independent.numbers import exact, fraction
from independent.wheel_laws import (
    FAMILIES,
    SETTINGS,
    Setting,
    rows_of,
    wrong_given_hash,
    wrong_hits,
    wrong_laws,
)
from mutants.rewriting import planted_test, read_faults

MECHANISMS = (Wheel, SuWheel)


@st.composite
def settings(draw: st.DrawFn, most: int = 4) -> Setting:
    """Parameters, and hash values many of which are ends of arcs, coincide, or are 1."""
    d = draw(st.integers(1, most))
    sensitive, m = draw(st.integers(1, d)), draw(st.integers(1, d))
    w = draw(st.sampled_from([Fraction(1), Fraction(2), Fraction(3), Fraction(3, 2), Fraction(5, 3), Fraction(9)]))
    p = plain.arc_length(m, w)
    steps = st.integers(0, int(2 / p)).map(lambda j: j * p / 2)
    anywhere = st.one_of(steps, st.fractions(0, 1, max_denominator=12), st.just(Fraction(1)))
    values = draw(st.lists(anywhere, min_size=d, max_size=d))
    return Setting(sensitive, d - sensitive, m, w, tuple(values))


@pytest.mark.slow
@pytest.mark.parametrize("cls", MECHANISMS)
def test_laws(cls: Any) -> None:
    assert list(wrong_laws(cls)) == []


@given(settings())
def test_laws_given_any_hash(setting: Setting) -> None:
    for cls in MECHANISMS:
        assert list(wrong_given_hash(setting, cls)) == []
        assert list(wrong_hits(setting, cls)) == []


def on_grid(setting: Setting, items: frozenset[int], any_size: bool = False) -> plain.Law:
    """The law of suWheel's program, its cells cut into those of the coarsest grid."""
    grid = plain.coarsest_grid(setting.values, setting.m, setting.w)
    law: plain.Law = {}
    for ((low, high), sent), p in rows_of(setting, SuWheel, items, any_size).items():
        for j in range(int(low * grid), int(high * grid)):
            law[j, frozenset(int(str(x)) for x in sent)] = p / (high - low) / grid
    return law


@given(settings(), st.data())
def test_exact_law_is_the_law_by_brute_force(setting: Setting, data: st.DataObject) -> None:
    """For sets of at most m items."""
    d = setting.sensitive + setting.nonsensitive
    items = data.draw(st.sets(st.integers(0, d - 1), max_size=setting.m).map(frozenset))
    grid = plain.coarsest_grid(setting.values, setting.m, setting.w)
    expected = plain.law(items, setting.values, setting.sensitive, setting.m, setting.w, grid)
    assert on_grid(setting, items, any_size=True) == expected


@given(settings())
def test_densities_integrate_to_one_and_differ_by_e_eps_at_most(setting: Setting) -> None:
    """For every hash and all sets of at most m items."""
    mechanism = setting.build(SuWheel, any_size=True)
    densities = [mechanism.density(s, setting.h) for s in setting.domain.subsets(range(setting.m + 1))]
    points = [fraction((low + high) / 2) for low, high in mechanism.cells(setting.h)]
    for density in densities:
        assert density.mass(density.cells) == 1
    for z in points:
        heights = [fraction(density.at(exact(z))) for density in densities]
        assert max(heights) <= setting.w * min(heights)


@pytest.mark.parametrize("family", FAMILIES, ids=str)
def test_families_of_the_laws_are_independent_enough(family: Any) -> None:
    """Where all items are held, no other item's hash value has to be independent."""
    sensitive, others, m, w, hashes = family
    assert independence(hashes) >= m + 1 or m == sensitive + others
    assert (hashes.cells * plain.arc_length(m, w)).denominator == 1


test_planted_faults_are_found = planted_test(
    read_faults("wheel.toml"), {f"laws {cls.__name__}": partial(wrong_laws, cls) for cls in MECHANISMS}
)


def test_settings_reach_the_corners() -> None:
    assert {s.w == 1 for s in SETTINGS} == {s.apart for s in SETTINGS} == {True, False}
    assert any(s.m == s.sensitive + s.nonsensitive for s in SETTINGS)
    assert any(s.sensitive == 1 for s in SETTINGS)
    assert any(len(set(s.values)) < len(s.values) for s in SETTINGS)
    assert any(1 in s.values for s in SETTINGS)
    assert any(v + plain.arc_length(s.m, s.w) == 1 for s in SETTINGS for v in s.values)
    assert any(v + plain.arc_length(s.m, s.w) > 1 and v < 1 for s in SETTINGS for v in s.values)


# What is no law, and other numbers


DOMAIN = ItemDomain.of_sizes(2, 2)
SPREAD = HashFunction(DOMAIN.items, (fmpq(0), fmpq(1, 4), fmpq(1, 2), fmpq(3, 4)))


@pytest.mark.parametrize("cls", MECHANISMS)
def test_more_than_m_items_may_leave_no_density(cls: Any) -> None:
    """m = 1, w = 2, p = 1/3: two separate arcs leave a density of 0; what is negative is not clamped."""
    mechanism = cls(DOMAIN, Budget.of_root(fmpq(2)), 1, True)
    assert mechanism.density(frozenset([0]), SPREAD).densities == (fmpq(3, 2), fmpq(3, 4))
    for items in ([0, 2, 1], [0, 1, 2, 3]):
        with pytest.raises(NotStochasticError):
            mechanism.randomize(frozenset(items), SPREAD, ScriptedCoins([0]))


def test_a_circle_that_is_covered_whole_is_a_law_at_epsilon_zero_only() -> None:
    h = HashFunction(DOMAIN.items, (fmpq(0), fmpq(1, 2), fmpq(0), fmpq(0)))
    assert Wheel(DOMAIN, Budget.of_root(fmpq(1)), 1, True).density(frozenset([0, 1]), h).densities == (fmpq(1), fmpq(1))
    everywhere = HashFunction(DOMAIN.items, (fmpq(0), fmpq(1, 3), fmpq(2, 3), fmpq(0)))
    with pytest.raises(NotStochasticError):
        Wheel(DOMAIN, Budget.of_root(fmpq(2)), 1, True).density(frozenset([0, 1, 2]), everywhere)


def test_the_law_for_every_epsilon_where_arcs_keep_their_order() -> None:
    """m = 1, arcs from 0 and 1/2: p < 1/2 for all epsilon > 0."""
    mechanism = SuWheel(DOMAIN, every_budget(1), 1)
    t = mechanism.budget.exp()
    h = HashFunction(DOMAIN.items, (fmpq(0), fmpq(1, 2), fmpq(1), fmpq(1, 2)))
    density = mechanism.density(frozenset([1]), h)
    assert mechanism.p == 1 / (1 + t)
    assert density.mass(mechanism.arc(1, h).cells) == mechanism.p_true == t / (t * 2)
    assert density.at(t * 0) / density.at((t * 0 + 1) / 2) == 1 / t
    with pytest.raises(UndecidedError):
        mechanism.density(frozenset([1]), HashFunction(DOMAIN.items, (fmpq(0), fmpq(2, 3), fmpq(1), fmpq(1))))


def test_the_law_at_a_real_epsilon() -> None:
    mechanism = Wheel(DOMAIN, real_budget("1"), 2)
    density = mechanism.density(frozenset([0, 3]), SPREAD)
    assert all(isinstance(q, arb) for q in density.densities)
    total = sum((q * (high - low) for q, (low, high) in zip(density.densities, density.cells, strict=True)), arb(0))
    assert total.contains(1)
    assert total.rad() < arb(2) ** -20


# --- refusals ---------------------------------------------------------------------------------------------------------

TWO = Budget.of_root(fmpq(2))
HELD, COINS = frozenset([0, 3]), SamplingCoins(default_rng(1))
OTHER = HashFunction((0, 1), (fmpq(0), fmpq(0)))
NO_CELLS = [(fmpq(0),), (fmpq(1, 2), fmpq(1, 2)), (fmpq(1, 2), fmpq(3, 2)), (fmpq(0), fmpq(1))]
"""The last one is divided by the end of an arc."""


def refused_by(cls: Any) -> Iterator[Refusal]:
    mechanism, at_zero = cls(DOMAIN, TWO, 2), cls(DOMAIN, Budget.of_root(fmpq(1)), 2)
    report = at_zero.randomize(HELD, SPREAD, COINS)
    yield refuses("items", lambda: cls(DOMAIN, TWO, 1).density(frozenset([0, 2]), SPREAD), says="exactly m = 1")
    yield refuses("budget", lambda: at_zero.estimate([report], [SPREAD]))
    yield refuses("reports", lambda: mechanism.estimate([], []))
    yield refuses("m", lambda m: cls(DOMAIN, TWO, m), 0, 5, True, 2.0, None)
    sets = [0, 1], frozenset([0, 9]), frozenset([0])
    yield refuses("items", lambda items: mechanism.randomize(items, SPREAD, COINS), *sets)
    yield refuses("h", lambda h: mechanism.randomize(frozenset([0, 1]), h, COINS), None, {0: fmpq(0)}, OTHER)


THIRD = Report(fmpq(1, 3))
OF_SHOWN = SuWheel(DOMAIN, TWO, 2).estimate
OF_POINT: tuple[Callable[[Any], Any], ...] = (
    lambda z0: Wheel(DOMAIN, TWO, 2).estimate([z0], [SPREAD]),
    lambda z0: OF_SHOWN([Report(z0)], [SPREAD]),
)
test_refusals = refusal_test(
    *(refusal for cls in MECHANISMS for refusal in refused_by(cls)),
    *(refuses("point", estimate, fmpq(1), fmpq(-1, 2)) for estimate in OF_POINT),
    *(refuses("reports", estimate, *NO_CELLS) for estimate in OF_POINT),
    *(refuses("number", estimate, 0.5, float("nan"), None, True) for estimate in OF_POINT),
    refuses("h", lambda hashes: OF_SHOWN([THIRD], hashes), [OTHER], [None], [{}]),
    refuses("hashes", lambda hashes: OF_SHOWN([THIRD], hashes), [], [SPREAD, SPREAD]),
    refuses("reports", lambda: OF_SHOWN([Report(fmpq(1, 3), frozenset([0]))], [SPREAD]), says="invertible data"),
)
