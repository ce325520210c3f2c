"""The vectorized Wheel and suWheel: the sampler's law is the program's, the server counts what Algorithm 2 counts."""

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.faults import nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.frequency.hash_arrays import MERSENNE, PolynomialHashes, draw_hashes
from dp_refimpl.fast.frequency.item_arrays import BLANK
from dp_refimpl.fast.frequency.wheel import (
    PointReports,
    estimate_suwheel,
    estimate_wheel,
    hit_counts,
    sample_suwheel,
    sample_wheel,
)
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import Wheel
from dp_spec.vocabulary.budget import Budget, every_budget, real_budget
from dp_spec.vocabulary.exceptions import DomainError, NotStochasticError
from dp_spec.vocabulary.items import ItemDomain, Report
from independent import brute_force as brute
from independent import brute_force_wheel as plain
from independent.enumerated_arrays import EnumeratedArrayCoins, ExactArrayCoins, law_of
from independent.numbers import exact, fraction
from mutants.rewriting import planted_test, read_faults


def hashes_of(rows: list[list[int]], prime: int) -> PolynomialHashes:
    return PolynomialHashes(np.array(rows, np.int64), prime)


F = Fraction
SAMPLED: tuple[tuple[int, int, int, Fraction, int, list[int], int], ...] = (
    (1, 1, 1, F(1), 2, [1, 1], 1),
    (1, 1, 1, F(2), 3, [0, 2], 2),
    (2, 0, 1, F(4), 2, [1], 3),
    (1, 1, 2, F(1), 3, [2, 2], 2),
    (1, 2, 2, F(2), 3, [1, 1], 1),
    (2, 1, 2, F(7, 2), 3, [2, 0], 1),
    (1, 2, 2, F(7, 2), 3, [0, 1, 2], 1),
    (1, 2, 3, F(1), 3, [1, 1], 2),
)
"""(K, N, m, w, G, coefficients, refinement): apart, overlapping, coinciding, wrapping arcs; m = d; epsilon = 0."""


def wrong_samples(sampled: Any = SAMPLED) -> Iterator[str]:
    """Where the exact law of (z0, z1), one user, is not the density of the brute force."""
    for sensitive, others, m, w, prime, coefficients, refinement in sampled:
        domain, hashes = ItemDomain.of_sizes(sensitive, others), hashes_of([coefficients], prime)
        values = tuple([fraction(v) for v in hashes.functions(domain)[0].values])
        mechanism = SuWheel(domain, Budget.of_root(exact(w)), m, True)
        for s in domain.subsets(range(m + 1)):
            rows = np.array([sorted(s, key=str)], np.int64).reshape(1, len(s))
            grids: set[int] = set()

            def program(coins: Any, rows: Any = rows, grids: Any = grids) -> Any:
                reports = sample_suwheel(mechanism, rows, hashes, coins, refinement)  # noqa: B023
                grids.add(reports.grid)
                return int(reports.points[0]), shown(reports.invertible[0])

            try:
                law = law_of(program, ExactArrayCoins)
            except (DomainError, IndexError) as error:
                yield f"{(sensitive, others, m, w, prime)} {set(s)}: {error}"
                continue
            (grid,) = grids
            items = frozenset(int(str(x)) for x in s)
            if law != plain.law(items, values, sensitive, m, w, grid):
                yield f"{(sensitive, others, m, w, prime, coefficients)}: law of {set(s)}"


def shown(row: Any) -> frozenset[int]:
    listed = [int(x) for x in row if x != BLANK]
    assert row.tolist() == [*listed, *[BLANK] * (len(row) - len(listed))]
    return frozenset(listed)


test_sampler_has_exactly_the_law_of_the_mechanism = pytest.mark.slow(nothing_wrong_test(wrong_samples))


def test_users_are_independent() -> None:
    domain, hashes = ItemDomain.of_sizes(1, 1), hashes_of([[1, 1], [0, 1]], 2)
    mechanism = SuWheel(domain, Budget.of_root(fmpq(2)), 1)

    def program(coins: Any) -> Any:
        reports = sample_suwheel(mechanism, np.array([[0], [1]]), hashes, coins, 1)
        return tuple((int(z0), shown(z1)) for z0, z1 in zip(reports.points, reports.invertible, strict=True))

    functions = [tuple([fraction(v) for v in h.values]) for h in hashes.functions(domain)]
    laws = [brute.collected(plain.law(frozenset([x]), functions[x], 1, 1, F(2), 6).items()) for x in (0, 1)]
    assert law_of(program, ExactArrayCoins) == brute.collected(brute.independent(laws))


def test_a_program_that_uses_words_has_the_same_law() -> None:
    """The same without the short cut of `ExactArrayCoins`."""
    mechanism = Wheel(ItemDomain.of_sizes(2), Budget.of_root(fmpq(1)), 1)
    words = type("Words", (EnumeratedArrayCoins,), {"index_word": 3})
    law = law_of(lambda c: int(sample_wheel(mechanism, np.array([[1]]), hashes_of([[0, 1]], 2), c, 1).points[0]), words)
    assert law == dict.fromkeys(range(4), F(1, 4))


def test_drawn_hash_functions_are_uniform() -> None:
    law = law_of(lambda c: tuple(map(tuple, draw_hashes(2, 2, c, 3).coefficients.tolist())), ExactArrayCoins)
    assert len(law) == 81
    assert set(law.values()) == {F(1, 81)}


# The server


@st.composite
def collected(draw: st.DrawFn) -> tuple[SuWheel[fmpq], PointReports, PolynomialHashes]:
    """Any points on a grid that fits (many of them ends of arcs), any hash functions, any items sent."""
    prime = draw(st.sampled_from([7, 13, MERSENNE]))
    sensitive, others = draw(st.integers(1, 5)), draw(st.integers(0, 2))
    m = draw(st.integers(1, sensitive + others))
    w = draw(st.sampled_from([F(2), F(3), F(3, 2), F(19, 7)]))
    mechanism = SuWheel(ItemDomain.of_sizes(sensitive, others), Budget.of_root(exact(w)), m)
    users, order = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    coefficient = st.one_of(st.integers(0, prime - 1), st.sampled_from([0, 1, prime - 1]))
    rows = draw(st.lists(st.lists(coefficient, min_size=order, max_size=order), min_size=users, max_size=users))
    hashes = hashes_of(rows, prime)
    p = plain.arc_length(m, w)
    grid = p.denominator * prime * draw(st.integers(1, 3))
    step = grid // prime
    point = st.one_of(
        st.integers(0, grid - 1),
        st.integers(0, prime - 1).map(lambda j: j * step),
        st.integers(0, prime - 1).map(lambda j: (j * step + int(p * grid)) % grid),
        st.integers(0, prime - 1).map(lambda j: (j * step + int(p * grid) - 1) % grid),
    )
    points = draw(st.lists(point, min_size=users, max_size=users))
    sent = [
        draw(st.lists(st.integers(sensitive, sensitive + others - 1), unique=True, max_size=others)) if others else []
        for _ in range(users)
    ]
    invertible = [[*row, *[BLANK] * (others - len(row))] for row in sent]
    reports = PointReports(np.array(points, np.int64), grid, np.array(invertible, np.int64).reshape(users, others))
    return mechanism, reports, hashes


def literal_counts(mechanism: Any, reports: PointReports, hashes: PolynomialHashes) -> list[int]:
    """F_x by Algorithm 2 as printed, and by the brute force's arcs."""
    w, functions = fraction(mechanism.budget.exp()), hashes.functions(mechanism.domain)
    counts = []
    for x in mechanism.domain.items:
        pairs = [(fmpq(int(j), reports.grid), h) for j, h in zip(reports.points, functions, strict=True)]
        printed = [mechanism.hit(x, h, z0) for z0, h in pairs]
        assert printed == [plain.in_arc(fraction(z0), fraction(h(x)), mechanism.m, w) for z0, h in pairs]
        counts.append(sum(printed))
    return counts


@given(collected(), st.integers(1, 7))
def test_server_counts_what_algorithm_2_counts(drawn: Any, block: int) -> None:
    mechanism, reports, hashes = drawn
    expected = literal_counts(mechanism, reports, hashes)
    for items in {1, len(expected)}:
        assert hit_counts(mechanism, reports, hashes, items, block).tolist() == expected[:items]


@given(collected(), st.integers(1, 7))
def test_server_estimates_what_algorithm_2_estimates(drawn: Any, block: int) -> None:
    mechanism, reports, hashes = drawn
    functions = hashes.functions(mechanism.domain)
    points = [fmpq(int(j), reports.grid) for j in reports.points]
    literal = [Report(z0, shown(row)) for z0, row in zip(points, reports.invertible, strict=True)]
    assert estimate_suwheel(mechanism, reports, hashes, block) == mechanism.estimate(literal, functions)
    wheel = Wheel(mechanism.domain, mechanism.budget, mechanism.m)
    assert estimate_wheel(wheel, reports, hashes, block) == wheel.estimate(points, functions)


@given(collected())
def test_hash_arrays_are_the_functions_of_the_family(drawn: Any) -> None:
    mechanism, _, hashes = drawn
    d = len(mechanism.domain.items)
    values = hashes.values(np.broadcast_to(np.arange(d), (len(hashes), d)))
    for row, h in zip(values, hashes.functions(mechanism.domain), strict=True):
        assert [fmpq(int(j), hashes.prime) for j in row] == list(h.values)


def example() -> tuple[SuWheel[fmpq], PointReports, PolynomialHashes]:
    """Forty reports with all the trouble there is: a large and a small prime would both do."""
    mechanism = SuWheel(ItemDomain.of_sizes(9, 2), Budget.of_root(fmpq(3, 2)), 3)
    coins = ArrayCoins(default_rng(4))
    hashes = draw_hashes(40, 4, coins, 13)
    sets = default_rng(5).permuted(np.tile(np.arange(11), (40, 1)), axis=1)[:, :3]
    return mechanism, sample_suwheel(mechanism, sets, hashes, coins), hashes


def wrong_hits() -> Iterator[int]:
    """Items whose hits are not those of the program that goes through all users."""
    mechanism, reports, hashes = example()
    counts = hit_counts(mechanism, reports, hashes, 11, 16).tolist()
    literal = literal_counts(mechanism, reports, hashes)
    yield from (x for x, (count, right) in enumerate(zip(counts, literal, strict=True)) if count != right)


test_hits_of_an_example_are_counted = nothing_wrong_test(wrong_hits)
test_planted_faults_are_found = planted_test(
    read_faults("wheel_arrays.toml"), {"samples": wrong_samples, "hits": wrong_hits}
)


@pytest.mark.slow
def test_memory_does_not_grow_with_users_times_items() -> None:
    """20 000 users and 2000 items: a bit per pair would be 5 MB, a byte per pair 40 MB."""
    mechanism = Wheel(ItemDomain.of_sizes(2000), Budget.of_root(fmpq(3)), 2)
    coins = ArrayCoins(default_rng(0))
    hashes = draw_hashes(20_000, 3, coins)
    sets = default_rng(1).integers(1000, size=(20_000, 2)) + np.array([0, 1000])
    reports = sample_wheel(mechanism, sets, hashes, coins)
    tracemalloc.start()
    counts = hit_counts(mechanism, reports, hashes, 2000, 1024)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counts.shape == (2000,)
    assert peak < 2_000_000


def test_samplers_are_reproducible_and_count_their_users() -> None:
    _mechanism, first, _ = example()
    _, second, _ = example()
    assert (first.points == second.points).all()
    assert (first.invertible == second.invertible).all()
    assert first.points.shape == (40,)
    assert first.invertible.shape == (40, 3)
    assert first.grid >= 2**53
    assert len(set(first.points.tolist())) == 40


def test_few_items_are_laws_and_too_many_are_none() -> None:
    mechanism = Wheel(ItemDomain.of_sizes(3), Budget.of_root(fmpq(2)), 1, True)
    coins, hashes = ArrayCoins(default_rng(0)), hashes_of([[0, 1]], 3)
    assert sample_wheel(mechanism, np.empty((1, 0), np.int64), hashes, coins).points.shape == (1,)
    with pytest.raises(NotStochasticError, match="sets"):
        sample_wheel(mechanism, np.array([[0, 1, 2]]), hashes, coins)
    zero = Wheel(ItemDomain.of_sizes(2), Budget.of_root(fmpq(1)), 1, True)
    law = law_of(
        lambda c: int(sample_wheel(zero, np.array([[0, 1]]), hashes_of([[0, 1]], 2), c, 1).points[0]), ExactArrayCoins
    )
    assert law == dict.fromkeys(range(4), F(1, 4))


# Bad input

MECHANISM, REPORTS, HASHES = example()
SETS = np.tile(np.arange(3), (40, 1))

NAN, COINS = float("nan"), ArrayCoins(default_rng(0))
POINTS, SENT = REPORTS.points, REPORTS.invertible


def sampled(mechanism: Any = MECHANISM, sets: Any = SETS, hashes: Any = HASHES, refinement: int = 2) -> Any:
    return sample_suwheel(mechanism, sets, hashes, COINS, refinement)


def estimated(**changed: Any) -> Any:
    return estimate_suwheel(MECHANISM, replace(REPORTS, **changed), HASHES)


def estimated_at_zero() -> Any:
    mechanism = SuWheel(MECHANISM.domain, Budget.of_root(fmpq(1)), 3)
    return estimate_suwheel(mechanism, sampled(mechanism), HASHES)


test_refusals = refusal_test(
    refuses(
        "coefficients",
        lambda coefficients: PolynomialHashes(coefficients, 7),
        *([[0, 1]], np.empty((0, 2), np.int64), np.empty((2, 0), np.int64)),
        *map(np.array, ([0, 1], [[0.0, 1.0]], [[True, False]], [[0, 7]], [[0, -1]])),
    ),
    refuses("prime", lambda prime: PolynomialHashes(np.array([[0, 1]]), prime), 8, 2**61 - 1, True),
    refuses("users", lambda users: draw_hashes(users, 1, COINS, 7), 0, True),
    refuses("independent", lambda order: draw_hashes(1, order, COINS, 7), 0, 2.0),
    refuses("prime", lambda prime: draw_hashes(1, 1, COINS, prime), 9),
    refuses("refinement", lambda refinement: sampled(refinement=refinement), 0, -1, True, 1.5, 2**62, NAN),
    refuses(
        "sets", lambda sets: sampled(sets=sets), SETS[:, :2], SETS.astype(float), SETS + 9, SETS * 0, SETS.tolist()
    ),
    refuses(
        "hashes",
        lambda hashes: sampled(hashes=hashes),
        *(HASHES.part(slice(39)), PolynomialHashes(HASHES.coefficients % 7, 7)),
    ),
    refuses(
        "probability|budget",
        lambda budget: sampled(SuWheel(MECHANISM.domain, budget, 3)),
        *(real_budget("1/2"), every_budget(1), Budget.of_root(fmpq(10**12 + 1, 10**12))),
    ),
    refuses(
        "points",
        lambda points: estimated(points=points),
        *(POINTS.astype(float), POINTS.astype(np.uint64), POINTS > 0, POINTS[:, None], POINTS.tolist()),
        *(POINTS * 0 - 1, POINTS * 0 + REPORTS.grid),
    ),
    refuses("hashes", lambda: estimated(points=POINTS[:-1])),
    refuses("grid", lambda grid: estimated(grid=grid), 2**53),
    refuses("grid", lambda grid: estimated(grid=grid), REPORTS.grid * 4 + 1, float(REPORTS.grid), True, 2**64),
    refuses(
        "invertible",
        lambda sent: estimated(invertible=sent),
        *(SENT.astype(float), SENT[:, 0], SENT[:-1], SENT * 0, SENT * 0 + 9, SENT * 0 + 11, SENT * 0 - 2),
    ),
    refuses("items", lambda items: hit_counts(MECHANISM, REPORTS, HASHES, items, 1), 0, 12, True),
    refuses("block", lambda block: hit_counts(MECHANISM, REPORTS, HASHES, 1, block), 0, 2.0, True),
    refuses("hashes", lambda: estimated(points=POINTS[:0], invertible=SENT[:0])),
    refuses("budget", estimated_at_zero),
)
