"""Oracles for a trusted curator: laws against brute force, bounds, bad parameters, and planted faults."""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from typing import Any

import pytest
from flint import ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from audit.oracles.test_oracle_mutants import EVERYWHERE, pulled
from dp_audit.oracles import KINDS, Number, Oracle, oracle
from dp_audit.oracles.noise import Clipped, Folded, GeometricNoise, LaplaceNoise, Noise, Windowed
from dp_audit.oracles.selection import Exponential, PermuteAndFlip, Selection
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare
from independent.oracle_cases import BITS, Case, all_faults, mutant, same, total

pytestmark = pytest.mark.usefixtures("precise")

Plain = dict[Hashable, Fraction]
REACH = 60
"""Noise is summed up to here by brute force."""


# --- brute force ------------------------------------------------------------------------------------------------------


def normalized(weights: Sequence[Fraction]) -> Plain:
    return {y: weight / sum(weights) for y, weight in enumerate(weights)}


def weights(utilities: Sequence[int], root: int) -> list[Fraction]:
    """root^u, root = e^(epsilon / (2 sensitivity)) or without the 2."""
    return [Fraction(root) ** (u - max(utilities)) for u in utilities]


def permute_and_flip(accepted: Sequence[Fraction]) -> Plain:
    """Every order of the candidates, every coin."""
    law: Plain = dict.fromkeys(range(len(accepted)), Fraction(0))
    orders = list(permutations(range(len(accepted))))
    for order in orders:
        left = Fraction(1, len(orders))
        for candidate in order:
            law[candidate] += left * accepted[candidate]
            left *= 1 - accepted[candidate]
    return law


def noisy(value: int, a: Fraction, view: Callable[[int], Hashable]) -> Plain:
    """Two-sided geometric noise up to REACH, as it is seen; what is missing is at most 2 a^(REACH + 1)."""
    law: Plain = {}
    for noise in range(-REACH, REACH + 1):
        y = view(value + noise)
        law[y] = law.get(y, Fraction(0)) + (1 - a) / (1 + a) * a ** abs(noise)
    return law


def window(low: int, high: int) -> Callable[[int], Hashable]:
    return lambda y: "below" if y < low else "above" if y > high else y


def fold(low: Fraction, high: Fraction) -> Callable[[int], Hashable]:
    def folded(y: int) -> int:
        while not low <= y <= high:
            y = int(2 * low - y) if y < low else int(2 * high - y)
        return y

    return folded


def rounded_laplace(x: int, low: int, high: int, root: int) -> Plain:
    """Laplace noise above h halves has probability root^-h / 2; root^(2 (high - low)) = e^epsilon."""

    def above(halves: int) -> Fraction:
        return Fraction(1, 2 * root**halves) if halves >= 0 else 1 - Fraction(1, 2 * root**-halves)

    edges = {y: above(2 * (y - x) - 1) for y in range(low + 1, high + 1)}
    return {y: edges.get(y, Fraction(1)) - edges.get(y + 1, Fraction(0)) for y in range(low, high + 1)}


def seen_laplace(x: int, low: int, high: int, root: int) -> Plain:
    """The same noise on a longer range, merged outside low .. high: Laplace noise above h halves is root^-h / 2."""
    wide: Plain = {}
    for y, p in rounded_laplace(x, low - 1, high + 1, root).items():
        cell = window(low, high)(y) if isinstance(y, int) else y
        wide[cell] = wide.get(cell, Fraction(0)) + p
    return wide


SMALL = Fraction(2, 2**REACH)
"""For a <= 1/2."""

# --- the oracles ------------------------------------------------------------------------------------------------------

UTILITIES = ((3, 1, 0), (2, 2, 1), (2, 2, 0))
SCORES = ((3, 2, 0), (2, 4, "1/2"), (2, 4, 0))
"""`UTILITIES`, each in units of a sensitivity of its own."""
PATH = ((0, 1, 2), (1, 0, 1), (2, 1, 0))
CYCLE = ((0, 1, 2, 1), (1, 0, 1, 2), (2, 1, 0, 1), (1, 2, 1, 0))


def columns(single: int) -> Callable[[Any], Plain]:
    """The true value is twice as likely as each of so many others, in both rows."""
    return lambda column: {
        (y, z): Fraction(1 + (y == column[0]), single) * Fraction(1 + (z == column[1]), single)
        for y, z in product(range(single - 1), repeat=2)
    }


def apart(root: int, distances: Sequence[Sequence[int]]) -> Callable[[Any], Plain]:
    return lambda x: normalized([Fraction(1, root**d) for d in distances[x]])


def counted(x: int) -> Plain:
    first, second = seen_laplace(1 - x, 0, 1, 2), seen_laplace(x, 0, 1, 2)
    return {(y, z): p * q for y, p in first.items() for z, q in second.items()}


HALVING: dict[str, object] = {"values": [0, 1], "sensitivity": 1, "epsilon": "ln(2)"}
HALF = Fraction(1, 2)
TABLE: dict[str, tuple[Any, ...]] = {
    "RR": ({"epsilon": "ln(3)"}, lambda x: {x: Fraction(3, 4), 1 - x: Fraction(1, 4)}, 3),
    "Exponential": (
        {"utilities": UTILITIES, "sensitivity": 1, "epsilon": "2*ln(3)"},
        lambda x: normalized(weights(UTILITIES[x], 3)),
        9,
    ),
    "Exponential, sensitivity 2": (
        {"utilities": UTILITIES, "sensitivity": 2, "epsilon": "4*ln(2)"},
        lambda x: normalized(weights(UTILITIES[x], 2)),
        16,
    ),
    "Exponential, monotonic": (
        {"utilities": UTILITIES[1:], "sensitivity": 1, "epsilon": "ln(3)", "monotonic": "true"},
        lambda x: normalized(weights(UTILITIES[1:][x], 3)),
        3,
    ),
    "PermuteAndFlip": (
        {"utilities": UTILITIES, "sensitivity": 1, "epsilon": "2*ln(3)"},
        lambda x: permute_and_flip(weights(UTILITIES[x], 3)),
        9,
    ),
    "PermuteAndFlip, monotonic": (
        {"utilities": UTILITIES[1:], "sensitivity": 1, "epsilon": "ln(2)", "monotonic": True},
        lambda x: permute_and_flip(weights(UTILITIES[1:][x], 2)),
        2,
    ),
    "ExponentialScores": (
        {"scores": SCORES, "sensitivities": "1, 2, 1/2", "epsilon": "2*ln(3)"},
        lambda x: normalized(weights(UTILITIES[x], 3)),
        9,
    ),
    "ExponentialScores, monotonic": (
        {"scores": SCORES[1:], "sensitivities": [1, 2, 0.5], "epsilon": "ln(2)", "monotonic": True},
        lambda x: normalized(weights(UTILITIES[1:][x], 2)),
        2,
    ),
    "ExponentialCategorical": ({"distances": PATH, "epsilon": "4*ln(3)"}, apart(3, PATH), 81),
    "ExponentialCategorical, balanced": ({"distances": CYCLE, "epsilon": "2*ln(3)"}, apart(3, CYCLE), 9),
    "ExponentialHierarchical": (
        {"hierarchy": [[0], [1, 2]], "epsilon": "4*ln(2)"},
        apart(2, ((0, 2, 2), (2, 0, 1), (2, 1, 0))),
        16,
    ),
    "ExponentialHierarchical, balanced": (
        {"hierarchy": "[[2, 0], [1, 3]]", "epsilon": "2*ln(2)"},
        apart(2, ((0, 2, 1, 2), (2, 0, 2, 1), (1, 2, 0, 2), (2, 1, 2, 0))),
        4,
    ),
    "Geometric": ({**HALVING, "low": -2, "high": 4}, lambda x: noisy(x, HALF, window(-2, 4)), 2, SMALL),
    "Geometric, sensitivity 2": (
        {"values": [3, 1, 2], "sensitivity": 2, "epsilon": "2*ln(3)", "low": 1, "high": 3},
        lambda x: noisy(x, Fraction(1, 3), window(1, 3)),
        9,
        SMALL,
    ),
    "GeometricTruncated": (
        {**HALVING, "lower": -1, "upper": 2},
        lambda x: noisy(x, HALF, lambda y: min(max(y, -1), 2)),
        2,
        SMALL,
    ),
    "GeometricTruncated, at its bounds": (
        {"values": [0, 2], "sensitivity": 2, "epsilon": "2*ln(2)", "lower": 0, "upper": 2},
        lambda x: noisy(x, HALF, lambda y: min(max(y, 0), 2)),
        4,
        SMALL,
    ),
    **{
        f"GeometricFolded{name}": (
            {**HALVING, "lower": lower, "upper": upper},
            partial(noisy, a=HALF, view=fold(Fraction(lower), Fraction(upper))),
            2,
            SMALL,
        )
        for name, lower, upper in (("", -1, 2), (", half-integers", -0.5, 2), (", two half-integers", "-1/2", "3/2"))
    },
    "RoundedLaplace": ({"lower": -1, "upper": 1, "epsilon": "4*ln(2)"}, lambda x: rounded_laplace(x, -1, 1, 2), 16),
    "Laplace": (
        {"values": [0, 1], "sensitivity": 1, "epsilon": "2*ln(2)", "low": -1, "high": 3},
        lambda x: seen_laplace(x, -1, 3, 2),
        4,
    ),
    "Laplace, sensitivity 2": (
        {"values": [2, 0], "sensitivity": 2, "epsilon": "4*ln(3)", "low": 0, "high": 2},
        lambda x: seen_laplace(x, 0, 2, 3),
        81,
    ),
    "LaplaceCounts": (
        {"counts": [[1, 0], [0, 1]], "sensitivity": 2, "epsilon": "4*ln(2)", "low": 0, "high": 1},
        counted,
        16,
    ),
    "GRR-column": ({"d": 3, "epsilon": "ln(2)", "columns": [[0, 1], [0, 2], [0, 0]]}, columns(4), 2),
    "Exponential-column": (
        {"utilities": [[1, 0], [0, 1]], "sensitivity": 1, "epsilon": "2*ln(2)", "columns": [[0, 1], [0, 0]]},
        columns(3),
        4,
    ),
}
"""Parameters of an oracle, its law by brute force, e^epsilon, and what the law leaves out."""
CASES = {
    name: Case(name.partition(",")[0], parameters, Fraction(bound), law, None, None, *within)
    for name, (parameters, law, bound, *within) in TABLE.items()
}
MADE = {name: case.oracle() for name, case in CASES.items()}


@pytest.mark.parametrize("name", CASES)
def test_a_law_is_that_of_brute_force_and_within_its_bound(name: str) -> None:
    assert all_faults(CASES[name], MADE[name]) == set()
    assert all_faults(CASES[name], mutant(MADE[name])) == set()


def test_all_central_oracles_are_registered_and_have_cases() -> None:
    ours = {
        *("RR", "GRR-column", "Exponential-column", "Exponential", "PermuteAndFlip", "ExponentialCategorical"),
        *("ExponentialHierarchical", "Geometric", "GeometricTruncated", "GeometricFolded", "RoundedLaplace"),
        *("ExponentialScores", "Laplace", "LaplaceCounts"),
    }
    assert ours <= set(KINDS)
    assert {name.split(",")[0] for name in CASES} == ours


@pytest.mark.parametrize("name", CASES)
def test_inputs_outside_are_refused_and_no_report_is_anything_else(name: str) -> None:
    subject = MADE[name]
    for item in (True, -77, 99, "0", None, 0.5, (9, 9), ()):
        with pytest.raises(DomainError):
            subject.law(item)
    outputs: tuple[Hashable, ...] = (None, -77, 99, "x", 0.5, (), (9, 9), ("below",), frozenset())
    for output in outputs:
        assert not subject.possible(output)


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=6), st.integers(2, 5))
def test_permute_and_flip_is_never_worse_than_the_exponential_mechanism(utilities: list[int], root: int) -> None:
    """McKenna and Sheldon 2020, Theorem 2: its expected utility is at least as large."""
    rows = (utilities, utilities)
    parameters = {"utilities": rows, "sensitivity": 1, "epsilon": f"2*ln({root})"}
    with ctx.workprec(BITS):
        expected = [
            total([p * utilities[y] for y, p in oracle(name, parameters).law(0).items() if isinstance(y, int)])
            for name in ("PermuteAndFlip", "Exponential")
        ]
        assert compare(expected[0] - expected[1], -fmpq(1, 2**100)) is Ordering.GREATER


@given(st.integers(2, 9), st.integers(1, 5), st.integers(-3, 3))
def test_a_wide_window_has_the_moments_of_the_noise(w: int, width: int, value: int) -> None:
    """Tails merged to their edge: mean and variance 2a / (1-a)^2 up to what the tails hide."""
    low, high = value - 40 * width, value + 40 * width
    subject = oracle(
        "Geometric", {"values": [value, value + 1], "sensitivity": 1, "epsilon": f"ln({w})", "low": low, "high": high}
    )
    law = {y: p for y, p in subject.law(value).items() if isinstance(y, int)}
    a = fmpq(1, w)
    assert same(total([p * (y - value) for y, p in law.items()]), fmpq(0))
    hidden = Fraction(4 * (41 * width + 1) ** 2, w ** (40 * width))
    assert same(total([p * (y - value) ** 2 for y, p in law.items()]), 2 * a / (1 - a) ** 2, hidden)


@given(st.permutations(range(4)), st.integers(2, 5))
def test_a_flat_hierarchy_is_randomized_response(order: list[int], w: int) -> None:
    flat = oracle("ExponentialHierarchical", {"hierarchy": order, "epsilon": f"ln({w})"})
    response = oracle("GRR", {"d": 4, "epsilon": f"ln({w})"})
    assert all(dict(flat.law(x)) == dict(response.law(x)) for x in range(4))


def test_equal_constants_at_one_epsilon_are_not_balanced() -> None:
    """At e^(epsilon/6) = 2 all leaves have the same normalizing constant for epsilon/2, not for epsilon."""
    subject = oracle("ExponentialHierarchical", {"hierarchy": [[[0, 1]], [[2], [3], [4], [5]]], "epsilon": "6*ln(2)"})
    assert isinstance(subject, Exponential)
    assert subject.scale == 6
    half, full = ([sum(Fraction(1, root ** int(-u.p)) for u in row) for row in subject.utilities] for root in (2, 4))
    assert len(set(half)) == 1
    assert max(full) / min(full) == Fraction(14, 13)


# --- planted faults ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_faults_that_every_oracle_could_have_are_caught(name: str) -> None:
    assert [fault for fault, plant in EVERYWHERE.items() if not all_faults(CASES[name], plant(MADE[name]))] == []


def field(name: str, **values: object) -> tuple[str, Callable[[Oracle], Oracle]]:
    return name, lambda correct: mutant(correct, **values)


def method(name: str, member: str, change: Callable[[Any, Any], Any]) -> tuple[str, Callable[[Oracle], Oracle]]:
    return name, pulled(member, change)


def flips(self: Selection, places: Sequence[Fraction]) -> list[Number]:
    """Report-noisy-max taken for the exponential mechanism."""
    return PermuteAndFlip.chances(self, places)  # type: ignore[arg-type]


def shares(self: Selection, places: Sequence[Fraction]) -> list[Number]:
    return Exponential.chances(self, places)  # type: ignore[arg-type]


def noise(name: str, changed: Callable[[Any], Noise]) -> tuple[str, Callable[[Oracle], Oracle]]:
    """Another noise, from the one of an oracle."""
    subject: Any = MADE[name]
    return field(name, noise=changed(subject.noise))


class HeavyTail(GeometricNoise):
    """A tail is a step too far."""

    def tail(self, distance: int) -> Number:
        return super().tail(distance) * self.power(1)


class TwiceAsLikely(GeometricNoise):
    """Noise in the window is twice as likely."""

    def chance(self, noise: int) -> Number:
        return super().chance(noise) * 2


class SmallTail(GeometricNoise):
    """The chance of the bound alone."""

    def through(self, value: int, low: int, high: int) -> dict[Hashable, Number]:
        law = super().through(value, low, high)
        return {**law, "below": self.chance(value - low + 1), "above": self.chance(high + 1 - value)}


def scaled(factor: Fraction) -> Callable[[Any], Noise]:
    return lambda noise: type(noise)(noise.epsilon, noise.sensitivity * factor)


def other(kind: type[Any]) -> Callable[[Any], Noise]:
    return lambda noise: kind(noise.epsilon, noise.sensitivity)


SPECIAL: list[tuple[str, Callable[[Oracle], Oracle]]] = [
    field("Exponential", chances=flips),
    field("Exponential, sensitivity 2", scale=fmpq(6)),
    field("Exponential, monotonic", scale=fmpq(2)),
    field("Exponential", utilities=tuple(tuple(-u for u in row) for row in MADE["Exponential"].utilities)),  # type: ignore[attr-defined]
    field("Exponential", scale=fmpq(1)),
    method("Exponential", "chances", lambda _, p: p[::-1]),
    field("PermuteAndFlip", chances=shares),
    field("PermuteAndFlip, monotonic", scale=fmpq(2)),
    field("PermuteAndFlip", scale=fmpq(4)),
    field("PermuteAndFlip", scale=fmpq(1)),
    field("ExponentialCategorical", scale=fmpq(2)),
    field("ExponentialCategorical, balanced", scale=fmpq(4)),
    field("ExponentialHierarchical", scale=fmpq(2)),
    field("ExponentialHierarchical, balanced", scale=fmpq(4)),
    field("ExponentialHierarchical", utilities=MADE["ExponentialCategorical"].utilities),  # type: ignore[attr-defined]
    field("Geometric", high=5),
    field("Geometric", low=-1),
    noise("Geometric, sensitivity 2", scaled(Fraction(2))),
    noise("Geometric", other(HeavyTail)),
    noise("Geometric", other(TwiceAsLikely)),
    noise("Geometric", other(LaplaceNoise)),
    noise("Geometric, sensitivity 2", scaled(HALF)),
    method("Geometric", "viewed", lambda _, f: {**f, "below": f["above"], "above": f["below"]}),
    noise("GeometricTruncated", other(HeavyTail)),
    noise("GeometricTruncated", other(SmallTail)),
    field("GeometricTruncated", high=3),
    field("GeometricTruncated", low=0),
    field("GeometricTruncated", viewed=lambda self, x: Windowed.viewed(self, x)),
    noise("GeometricTruncated, at its bounds", other(HeavyTail)),
    field("GeometricFolded", viewed=lambda self, x: Clipped.viewed(self, x)),
    field("GeometricFolded", high=fmpq(5, 2)),
    field("GeometricFolded, half-integers", low=fmpq(0)),
    field("GeometricFolded", _twice=staticmethod(lambda number: 2 * Folded._twice(number))),
    method("GeometricFolded, half-integers", "_series", lambda o, s: s * (1 - o.noise.power(5))),
    field("GeometricFolded, two half-integers", _classes=lambda self, y, x: self._series((y - x) % 4, 4)),
    field("RoundedLaplace", high=2),
    field("RoundedLaplace", low=-2),
    noise("RoundedLaplace", scaled(HALF)),
    noise("RoundedLaplace", scaled(Fraction(2))),
    noise("Laplace", other(GeometricNoise)),
    method("RoundedLaplace", "law", lambda _, f: dict(list(f.items())[1:])),
    field("GRR-column", single=oracle("GRR", {"d": 3, "epsilon": "ln(3)"})),
    field("GRR-column", single=oracle("GRR", {"d": 4, "epsilon": "ln(2)"})),
    method("GRR-column", "law", lambda _, f: {y: f[y[0], y[0]] * 5 / 2 if y[0] == y[1] else f[y] for y in f}),
    method("GRR-column", "law", lambda _, f: {y[::-1]: p for y, p in f.items()}),
    method("GRR-column", "privacy", lambda _, bound: bound * bound),
    field("Exponential-column", single=oracle("GRR", {"d": 2, "epsilon": "2*ln(2)"})),
]


@pytest.mark.parametrize(("name", "plant"), SPECIAL, ids=[f"{n}-{i}" for i, (n, _) in enumerate(SPECIAL)])
def test_a_fault_of_one_mechanism_is_caught(name: str, plant: Callable[[Oracle], Oracle]) -> None:
    assert all_faults(CASES[name], plant(MADE[name])) != set()
