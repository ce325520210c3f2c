"""Noise compared with noise: orders of Laplace and shifted exponential variables against independent computations."""

import itertools
import math
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.targets import noisy_max
from dp_audit.options import Options
from dp_audit.outcome import Verdict
from dp_audit.run.child.interceptor import noise_order, numpy_laws
from dp_audit.run.child.interceptor.intervals import GRID
from dp_audit.run.child.interceptor.noise_order import Noise, in_order
from dp_audit.run.child.refusals import UnmodeledRandomness
from independent.intercepting import walked
from running.kept import audit_adapter
from running.known import known

NOISES = st.builds(
    Noise,
    sign=st.sampled_from([-1, 0, 1]),
    scale=st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3), Fraction(7, 5)]),
    shift=st.integers(-6, 6).map(lambda k: Fraction(k, 2)),
)
STATED = Fraction(1, 1 << 40)


def of_distribution(noise: Noise, x: float) -> float:
    """P(noise <= x)."""
    t = (x - float(noise.shift)) / float(noise.scale)
    if noise.sign == 0:
        return 0.5 * math.exp(t) if t < 0 else 1 - 0.5 * math.exp(-t)
    if noise.sign > 0:
        return 0.0 if t < 0 else 1 - math.exp(-t)
    return math.exp(t) if t < 0 else 1.0


def by_quadrature(drawn: tuple[Noise, ...], above: tuple[int, ...]) -> float:
    """The probability that each is below the next above it, by Stieltjes sums on a fine grid of the line."""
    shifts = [float(n.shift) for n in drawn]
    width = 30 * max(float(n.scale) for n in drawn)
    grid = np.union1d(np.linspace(min(shifts) - width, max(shifts) + width, 100_001), shifts)

    def below(v: int) -> Any:
        own = np.array([of_distribution(drawn[v], x) for x in grid])
        product = np.ones_like(grid)
        for c, parent in enumerate(above):
            if parent == v != c:
                product *= below(c)
        return np.concatenate(([own[0] * product[0]], np.diff(own) * (product[1:] + product[:-1]) / 2)).cumsum()

    return float(below(next(v for v, w in enumerate(above) if v == w))[-1])


def trees(size: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Rooted trees: the parent of each node comes before it."""
    return st.tuples(*(st.integers(0, max(0, v - 1)) for v in range(size)))


@pytest.mark.slow
@given(st.integers(1, 4).flatmap(lambda n: st.tuples(st.tuples(*[NOISES] * n), trees(n))))
@settings(max_examples=40)
def test_orders_have_the_probability_that_quadrature_finds(case: tuple[tuple[Noise, ...], tuple[int, ...]]) -> None:
    drawn, above = case
    assert abs(float(known(in_order(drawn, above))) - by_quadrature(drawn, above)) < 1e-6


@given(st.lists(NOISES, min_size=1, max_size=4))
@settings(max_examples=60)
def test_orders_add_up_to_one(drawn: list[Noise]) -> None:
    """Whichever is the largest, and in whichever order they are (a chain is a tree)."""
    places = range(len(drawn))
    largest = [in_order(tuple(drawn), (i,) * len(drawn)) for i in places]
    chains = []
    for order in itertools.permutations(places):
        above = [next(iter(order[order.index(v) + 1 :]), v) for v in places]
        chains.append(in_order(tuple(drawn), tuple(above)))
    for chances in (largest, chains):
        assert abs(sum((p for p in chances if p is not None), Fraction(0)) - 1) < Fraction(1, 10**30)


@given(NOISES, NOISES, st.integers(-3, 3), st.sampled_from([Fraction(1, 3), Fraction(2)]))
def test_orders_do_not_depend_on_origin_unit_and_direction(a: Noise, b: Noise, moved: int, unit: Fraction) -> None:
    first, second = ((x.moved(1, Fraction(moved)) or x).moved(unit, Fraction(0)) or x for x in (a, b))
    pairs = ((a, b), (first, second), (b.mirrored(), a.mirrored()))
    plain, other, mirrored = (known(in_order(pair, (1, 1))) for pair in pairs)
    assert max(abs(plain - other), abs(plain - mirrored)) < Fraction(1, 10**30)


def test_two_laplace_variables() -> None:
    """P(L + s < L') = e^-s (2 + s) / 4, to 30 digits."""
    with mpmath.workdps(40):
        found = known(in_order((Noise(0, Fraction(2), Fraction(3)), Noise(0, Fraction(2))), (1, 1)))
        expected = mpmath.exp(mpmath.mpf(-3) / 2) * (2 + mpmath.mpf(3) / 2) / 4
        assert abs(mpmath.mpf(found.numerator) / found.denominator - expected) < mpmath.mpf(10) ** -30


SCORES = [0.0, 1.0, 0.5]


def laplace_argmax() -> int:
    return int(np.argmax(np.array(SCORES) + np.random.laplace(0, 2.0, 3)))


def laplace_argmin() -> int:
    return int((np.random.default_rng().laplace(scale=2.0, size=3) - SCORES).argmin())


def laplace_loop() -> int:
    best, place = float("-inf"), -1
    for i, score in enumerate(SCORES):
        noisy = score + 2.0 * np.random.default_rng().laplace()
        if noisy > best:
            best, place = noisy, i
    return place


def laplace_sorted() -> int:
    noisy = [(np.random.laplace(score, 2.0), i) for i, score in enumerate(SCORES)]
    return sorted(noisy, key=lambda pair: pair[0])[-1][1]


def exponential_argmax() -> int:
    return max(range(3), key=lambda i: SCORES[i] + random.expovariate(0.5))


def exponential_loop() -> int:
    """The first two have the same score: they begin as a race."""
    best, place = float("-inf"), -1
    for i in (0, 3, 1, 2):
        noisy = [*SCORES, 0.0][i] + random.expovariate(0.5)
        if noisy >= best:
            best, place = noisy, i
    return place


def by_sign() -> int:
    noisy = [score + random.choice([-1, 1]) * random.expovariate(0.5) for score in SCORES]
    return noisy.index(max(noisy))


LAPLACE = [Noise(0, Fraction(2), Fraction(score)) for score in SCORES]
EXPONENTIAL = [Noise(1, Fraction(2), Fraction(score)) for score in SCORES]


@pytest.mark.parametrize(
    ("draw", "drawn"),
    [
        (laplace_argmax, LAPLACE),
        (laplace_argmin, LAPLACE),
        (laplace_loop, LAPLACE),
        (laplace_sorted, LAPLACE),
        (by_sign, LAPLACE),
        (exponential_argmax, EXPONENTIAL),
        (exponential_loop, [*EXPONENTIAL, EXPONENTIAL[0]]),
    ],
)
def test_common_ways_to_report_a_noisy_maximum(draw: Callable[[], int], drawn: list[Noise]) -> None:
    found = walked(draw)
    within = sum(found.blurs.values())
    assert 0 < within < STATED
    chances = {int(text): p for (text, raw), p in found.entries.items() if raw != "raised"}
    for i in range(len(drawn)):
        assert abs(chances[i] - known(in_order(tuple(drawn), (i,) * len(drawn)))) <= within


def sorts_two_below() -> bool:
    """Two below one, and then in their own order: no tree in either direction."""
    a, b, c, d = (np.random.laplace() for _ in range(4))
    return bool(a < c and b < c and b > d and a > d and a < b)


def with_a_number() -> bool:
    first, second = np.random.laplace(), np.random.laplace()
    return bool(first < second and first > 0.5)


def two_shifts() -> bool:
    first, second = np.random.laplace(), np.random.laplace()
    return bool(first < second and first + 1 < second)


def with_a_uniform() -> bool:
    return bool(np.random.laplace() < np.random.random())


def of_itself() -> bool:
    draw = np.random.laplace()
    return bool(draw < 2 * draw)


@pytest.mark.parametrize("function", [sorts_two_below, with_a_number, two_shifts, with_a_uniform, of_itself])
def test_what_has_no_closed_form_here_is_refused(function: Callable[[], Any]) -> None:
    with pytest.raises(UnmodeledRandomness):
        walked(function)


def mean_error(form: Noise, double: Callable[[float], float]) -> arb:
    """Of the double that stands for loc + scale * L, over uniform numbers: in each shell nearer to 0 or 1 some."""
    total = arb(0)
    drawn = random.Random(0)
    for shell in range(1, 52):
        errors = arb(0)
        for _ in range(16):
            k = drawn.randrange(GRID >> shell + 1, GRID >> shell)
            for place in (k, GRID - k):
                u = arb(place) / GRID
                standard = (2 * u).log() if 2 * place < GRID else -(2 - 2 * u).log()
                exact = number(form.shift) + number(form.scale) * standard
                errors += abs(arb(double(place / GRID)) - exact)
        total += errors / 32 / 2**shell
    return total


def number(x: Fraction) -> arb:
    return arb(x.numerator) / x.denominator


@given(st.floats(-50, 50), st.floats(1e-3, 1e3), st.floats(-20, 20))
@settings(max_examples=20)
def test_the_doubles_of_numpys_formula_are_as_near_as_stated(loc: float, scale: float, score: float) -> None:
    shifted = known(known(noise_order.laplace(loc, scale)).moved(1, Fraction(score)))
    with ctx.workprec(200):
        found = mean_error(shifted, lambda u: numpy_laws.laplace(u, loc, scale) + score)
        assert found < number(shifted.error)
        assert found > number(shifted.error) / 1000


@pytest.mark.parametrize("left_out", ["NEAR_ONE", "UNIT"])
def test_errors_that_are_left_out_are_seen(left_out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loc, scale = (0.0, 1.0) if left_out == "NEAR_ONE" else (1e6, 0.1)
    monkeypatch.setattr(noise_order, left_out, Fraction(0))
    form = known(noise_order.laplace.__wrapped__(loc, scale))
    with ctx.workprec(200):
        assert mean_error(form, lambda u: numpy_laws.laplace(u, loc, scale)) > number(form.error)


UTILITIES = {"utilities": [[0, 1, 2], [1, 1, 1], [1, 2, 1.5]], "sensitivity": "1", "epsilon": "1"}


@pytest.mark.parametrize(
    ("name", "mechanism", "verdict"),
    [
        ("laplace", "NoisyMax", Verdict.ROUNDING),
        ("exponential", "PermuteAndFlip", Verdict.ROUNDING),
        ("a_millionth_more", "NoisyMax", Verdict.FAULT),
        ("one_noise_smaller", "NoisyMax", Verdict.FAULT),
        ("laplace", "PermuteAndFlip", Verdict.FAULT),
    ],
)
def test_noisy_maxima_are_decided_exactly(name: str, mechanism: str, verdict: Verdict) -> None:
    checks = Options(users=(), reuse=False, unmodified=False)
    found = audit_adapter(Path(noisy_max.__file__), name, mechanism, UTILITIES, options=checks)
    assert found.method == "exact"
    assert found.row("law").verdict is verdict
