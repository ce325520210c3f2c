"""EM by the words of its formula; monotone, in the simplex; in floats the same; POP is the nearest histogram."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import log
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.frequency.affine_sums import AffineSums
from dp_refimpl.fast.frequency.hash_arrays import PolynomialHashes
from dp_refimpl.fast.frequency.label_arrays import LabelHashes, draw_label_hashes
from dp_refimpl.fast.shuffle import em as fast
from dp_refimpl.fast.shuffle.em import OwnFunctions, em_array, starting_array
from dp_refimpl.frequency.hash_families import CarterWegman
from dp_refimpl.shuffle import em as exact
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.em import Likelihood, em, em_step, grouped, likelihood, log_gain, starting_point
from dp_refimpl.shuffle.hpsdp import pop, pop_array
from dp_refimpl.shuffle.odhp import ODHP
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.scalar import at_most
from independent.array_reports import label_functions
from independent.numbers import fraction
from independent.shuffle_cases import BUDGET, RANDOMIZERS, THREE
from strategies.exact import laws, rationals

NAN = float("nan")
GIVEN = Likelihood(fmpq(1, 2), fmpq(1, 6))
Groups = dict[tuple[bool, ...], int]

groups = st.dictionaries(st.tuples(*[st.booleans()] * 3), st.integers(1, 9), min_size=1, max_size=5)
interior = laws(3).filter(lambda f: min(f) > 0)


def plainly(f: tuple[fmpq, ...], grouping: Groups, inside: fmpq, outside: fmpq) -> list[Fraction]:
    """The step message by message."""
    shares = [fraction(x) for x in f]
    messages = [hits for hits, times in grouping.items() for _ in range(times)]
    likely = [[fraction(inside if hit else outside) for hit in hits] for hits in messages]
    chances = [sum(x * y for x, y in zip(shares, row, strict=True)) for row in likely]
    return [
        sum((shares[v] * row[v] / c for row, c in zip(likely, chances, strict=True)), Fraction(0)) / len(messages)
        for v in range(3)
    ]


def wrong_step(f: tuple[fmpq, ...], grouping: Groups) -> bool:
    return [fraction(x) for x in em_step(f, grouping, GIVEN)] != plainly(f, grouping, GIVEN.inside, GIVEN.outside)


@given(interior, groups)
def test_a_step_is_the_formula(f: tuple[fmpq, ...], grouping: Groups) -> None:
    assert not wrong_step(f, grouping)


@given(interior, groups)
def test_steps_stay_in_the_simplex_and_gain(f: tuple[fmpq, ...], grouping: Groups) -> None:
    after = em_step(f, grouping, GIVEN)
    assert sum(after, fmpq(0)) == 1
    assert all(x > 0 for x in after)
    assert after == f or at_most(0, log_gain(f, after, grouping, GIVEN))


@given(interior, st.integers(0, 99), st.integers(1, 4))
def test_floats_follow_the_exact_steps(f: tuple[fmpq, ...], seed: int, steps: int) -> None:
    family, coins = CarterWegman((0, 1, 2), 5, 3, True), ArrayCoins(default_rng(seed))
    hashes, sent = draw_label_hashes(family, 4, coins), coins.below(3, (4, 2))
    grouping: Groups = Counter()
    for h, labels in zip(label_functions(hashes, family), sent.tolist(), strict=True):
        grouping.update(tuple(value == y for value in h.values) for y in labels)
    histogram = em(f, grouping, GIVEN, steps).histogram
    start = np.array([float(fraction(x)) for x in f])
    close = em_array(OwnFunctions(hashes, sent, 3), start, 1 / 2, 1 / 6, steps)
    assert close.steps == steps
    assert np.allclose(close.histogram, [float(fraction(x)) for x in histogram], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("cells", "quick"), [(1, False), (7, False), (1 << 22, False), (1 << 22, True)])
def test_shares_are_sums_over_the_messages(cells: int, quick: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In blocks of any size, or by residues."""
    family, coins = CarterWegman(tuple(range(5)), 7, 3, True), ArrayCoins(default_rng(4))
    hashes, sent = draw_label_hashes(family, 6, coins), coins.below(3, (6, 2))
    rows = np.array([h.values for h in label_functions(hashes, family)])
    f = np.array([0.1, 0.2, 0.3, 0.15, 0.25])
    likely = [np.where(rows[i] == y, 0.6, 0.2) for i in range(6) for y in sent[i]]
    weights, level = sum(row / (row @ f) for row in likely), sum(log(row @ f) for row in likely)
    monkeypatch.setattr(fast, "CELLS", cells)
    monkeypatch.setattr(AffineSums, "quick", quick)
    own = OwnFunctions(hashes, sent, 5)
    assert own.messages == 12
    share = own.share(f, 0.6, 0.2)
    assert np.allclose(share.weights, weights)
    assert share.log_likelihood == pytest.approx(level)


@pytest.mark.parametrize("kind", ["mix", "reports"])
@pytest.mark.parametrize("name", ["nohash", "fresh", "shared", "mixdump"])
def test_likelihoods_are_the_chances_of_a_message(kind: Any, name: str) -> None:
    """`mix`: of a message drawn uniformly from the user's bundle, up to the factor of the function's own law."""
    randomizer = RANDOMIZERS[name]()
    m, labels = randomizer.dummies.m, getattr(randomizer, "h", len(randomizer.inputs))
    law = likelihood(kind, randomizer.p, randomizer.q, labels, m)
    if kind == "reports":
        assert (law.inside, law.outside) == (randomizer.p, randomizer.q)
        return
    for x in randomizer.inputs:
        chances: Counter[Any] = Counter()
        for bundle, p in randomizer.bundle_law(x).items():
            for y, times in bundle:
                chances[y] += fraction(p) * Fraction(times, m + 1)  # type: ignore[assignment]
        functions = len({y[0] for y in chances}) if isinstance(next(iter(chances)), tuple) else 1
        for y, p in chances.items():
            stated = law.inside if randomizer.supports(y, x) else law.outside
            assert p * functions == fraction(stated)


SEPARATING = LabelHashes(PolynomialHashes(np.array([[0, 1]] * 4), 3), 2)
FOUR = OwnFunctions(SEPARATING, np.array([[0], [0], [0], [1]]), 2)
"""Three messages that support the first item only, and one that supports the second only."""


def test_the_stopping_rule() -> None:
    grouping: Groups = {(True, False): 3, (False, True): 1}
    start, given_ = (fmpq(1, 2), fmpq(1, 2)), Likelihood(fmpq(3, 4), fmpq(1, 4))
    assert em(start, grouping, given_, 0) == (start, 0)
    all_ = em(start, grouping, given_, 9)
    assert all_.steps == 9
    few = em(start, grouping, given_, 9, fmpq(1, 100))
    assert few.steps < 9
    path = [em(start, grouping, given_, k).histogram for k in range(few.steps + 1)]
    gains = [log_gain(a, b, grouping, given_) for a, b in pairwise(path)]
    assert all(not at_most(gain, fmpq(1, 100)) for gain in gains[:-1])
    assert at_most(gains[-1], fmpq(1, 100))
    assert few.histogram == path[-1]
    fixed: Groups = {(True, False): 1, (False, True): 1}
    assert em(start, fixed, given_, 9, fmpq(0)) == (start, 1)
    floats = em_array(FOUR, np.array([0.5, 0.5]), 0.75, 0.25, 9, 0.01)
    assert floats.steps == few.steps


def test_starts() -> None:
    estimates = {0: fmpq(-1, 2), 1: fmpq(1), 2: fmpq(1, 2)}
    assert starting_point("uniform", (0, 1, 2), estimates, fmpq(1)) == (fmpq(1, 3),) * 3
    assert starting_point("vector", (0, 1, 2), estimates, fmpq(1)) == (fmpq(0), fmpq(2, 3), fmpq(1, 3))
    assert np.allclose(starting_array(np.array([-0.5, 1, 0.5])), [0, 2 / 3, 1 / 3])


def test_grouping_counts_every_message() -> None:
    randomizer = ODHP(THREE, BUDGET, Constant(1), hashes="nohash")
    assert grouped([0, 0, 2], randomizer) == {(True, False, False): 2, (False, False, True): 1}
    hashed = RANDOMIZERS["fresh"]()
    h = hashed.family.member((0, 0))
    assert grouped([(h, 0), (h, 1), (h, 0)], hashed) == {(True, True): 2, (False, False): 1}


FAULTS: dict[str, Any] = {
    "the chance is that of the first item": lambda f, hits, likelihood: (
        likelihood.inside if hits[0] else likelihood.outside
    ),
    "the chance is not mixed": lambda f, hits, likelihood: likelihood.inside,
    "the likelihoods are exchanged": lambda f, hits, likelihood: sum(
        (x * (likelihood.outside if hit else likelihood.inside) for x, hit in zip(f, hits, strict=True)), fmpq(0)
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "mixture_chance", FAULTS[fault])
    f = (fmpq(1, 4), fmpq(1, 2), fmpq(1, 4))
    assert wrong_step(f, {(True, False, False): 1, (False, True, True): 2})


def nearest(estimates: list[fmpq]) -> list[fmpq]:
    """Over all supports: the projection on the plane sum = 1 within the support; the nearest one that is >= 0."""
    best: tuple[fmpq, list[fmpq]] | None = None
    for kept in product((False, True), repeat=len(estimates)):
        if not any(kept):
            continue
        tau = (sum((e for e, k in zip(estimates, kept, strict=True) if k), fmpq(0)) - 1) / sum(kept)
        histogram = [e - tau if k else fmpq(0) for e, k in zip(estimates, kept, strict=True)]
        distance = sum(((a - b) ** 2 for a, b in zip(histogram, estimates, strict=True)), fmpq(0))
        if min(histogram) >= 0 and (best is None or distance < best[0]):
            best = distance, histogram
    assert best is not None
    return best[1]


@given(st.lists(rationals(-3, 3), min_size=1, max_size=5))
def test_pop_is_the_nearest_histogram(estimates: list[fmpq]) -> None:
    histogram = pop(dict(enumerate(estimates)))
    assert [histogram[j] for j in range(len(estimates))] == nearest(estimates)
    assert np.allclose(
        pop_array(np.array([float(fraction(e)) for e in estimates])),
        [float(fraction(e)) for e in histogram.values()],
    )


@given(st.lists(rationals(-3, 3), min_size=4, max_size=4), laws(4))
def test_pop_never_moves_away_from_a_histogram(estimates: list[fmpq], truth: tuple[fmpq, ...]) -> None:
    histogram = pop(dict(enumerate(estimates)))

    def distance(values: Any) -> fmpq:
        return sum(((a - b) ** 2 for a, b in zip(values, truth, strict=True)), fmpq(0))

    assert distance(histogram.values()) <= distance(estimates)
    assert pop(histogram) == histogram


def test_pop_of_real_numbers() -> None:
    e = Budget("0.1").exp()
    histogram = pop({0: e, 1: e * 0, 2: -e})
    assert list(histogram.values()) == [1, 0, 0]


HALVES = (fmpq(1, 2),) * 2
GROUPS: Groups = {(True, False): 1}


def from_start(start: Any, inside: Any, outside: Any, steps: Any) -> Any:
    return em_array(FOUR, np.array(start), inside, outside, steps)


NO_ARRAYS = [np.array([]), np.array([NAN, 1]), np.array([np.inf, 0]), np.array([1, 2]), np.ones((2, 2)), [1.0]]
HASHES = draw_label_hashes(CarterWegman((0, 1), 3, 2, True), 2, ArrayCoins(default_rng(1)))
test_refusals = refusal_test(
    refuses("estimates", pop, {}),
    refuses("number", pop, {0: NAN, 1: 0.5}),
    refuses("estimates", pop_array, *NO_ARRAYS),
    refuses("estimates", starting_array, *NO_ARRAYS),
    refuses("start", lambda start: em(start, GROUPS, GIVEN, 1), (), (fmpq(1, 2),), (fmpq(-1), fmpq(2))),
    refuses("steps", lambda steps: em(HALVES, GROUPS, GIVEN, steps), -1, 1.0, True, NAN),
    refuses("least_gain", lambda gain: em(HALVES, GROUPS, GIVEN, 1, gain), fmpq(-1), 0.1, NAN),
    refuses(
        "groups",
        lambda groups: em_step(HALVES, groups, GIVEN),
        *({}, {(True,): 1}, {(True, False): 0}, {(True, False): -1}),
    ),
    refuses("f", lambda: em_step((fmpq(0), fmpq(1)), GROUPS, Likelihood(fmpq(1), fmpq(0))), says="possible"),
    refuses("inside", lambda: Likelihood(fmpq(-1), fmpq(0))),
    refuses_each(
        "kind|labels|m",
        lambda kind, labels, m: likelihood(kind, fmpq(1, 2), fmpq(1, 2), labels, m),
        *(("both", 2, 1), ("mix", 0, 1), ("mix", 2, -1), ("mix", 2, 0.5)),
    ),
    refuses("start", lambda start: starting_point(start, (0,), {0: fmpq(1)}, fmpq(1)), "best"),
    refuses("estimates", lambda: starting_point("vector", (0,), {0: fmpq(-1)}, fmpq(1)), says="positive"),
    refuses("estimates", lambda: starting_array(np.array([-1.0])), says="positive"),
    refuses("items", lambda: starting_point("uniform", (), {}, fmpq(1))),
    refuses_each(
        "start|inside|outside|steps",
        from_start,
        *(([0.5, 0.6], 0.7, 0.3, 1), ([1.5, -0.5], 0.7, 0.3, 1), ([1.0], 0.7, 0.3, 1), ([0.5, 0.5], NAN, 0.3, 1)),
        *(([0.5, 0.5], 0.7, -0.3, 1), ([0.5, 0.5], 0.7, 0.3, 0), ([1.0, 0.0], 1.0, 0.0, 1)),
    ),
    refuses_each(
        "sent|hashes",
        lambda sent, items: OwnFunctions(HASHES, sent, items),
        *((np.array([0, 1]), 2), (np.array([[0], [2]]), 2), (np.array([[0], [1]]), 4), (np.ones((2, 1)), 2)),
    ),
)
