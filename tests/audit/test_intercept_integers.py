"""Lazy integers against the enumeration of all their values, wide ones against arithmetic; loops; imports; seeds."""

import math
import operator
import random
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dp_audit.run.child.interceptor.coins import Limits
from dp_audit.run.child.interceptor.lazy_integer import LazyInteger
from dp_audit.run.child.interceptor.output_json import canonical_text
from dp_audit.run.child.interceptor.path_walk import exact_law
from dp_audit.run.child.interceptor.replacements import Interceptor
from dp_audit.run.child.refusals import TooManyPaths, UnmodeledRandomness
from independent.intercepting import law, walked

SIZES = st.integers(2, 40)
SMALL = st.integers(1, 12)
FUNCTIONS: dict[str, Callable[[Any, int, int], Any]] = {
    "itself": lambda x, a, b: x,
    "affine": lambda x, a, b: a * x - b,
    "reflected": lambda x, a, b: b - x,
    "less a comparison": lambda x, a, b: [x - (x > a), x + (x >= b), (x > a) - x],
    "negative": lambda x, a, b: -x,
    "compared": lambda x, a, b: [x < a, x <= b, x == a, x != b, x < 3],
    "compared with floats": lambda x, a, b: [x < a + 0.5, x >= Fraction(b, 2)],
    "remainder": lambda x, a, b: [x % a, x % b],
    "remainder of a quotient": lambda x, a, b: [(x // a) % b],
    "remainder of an affine function": lambda x, a, b: (a * x + b) % 7,
    "quotient": lambda x, a, b: x // a,
    "quotient of a multiple": lambda x, a, b: (a * b * x + a) // a,
    "bits": lambda x, a, b: [x >> i & 1 for i in range(6)],
    "bits out of order": lambda x, a, b: [x >> 2 & 1, x >> 3 & 1, x < a, x >> 1 & 1],
    "one bit, then its value": lambda x, a, b: [x >> 1 & 1, x % 4, x],
    "bits from the top": lambda x, a, b: [x >> i & 1 for i in reversed(range(6))],
    "one bit": lambda x, a, b: bool(x & 4),
    "masked": lambda x, a, b: [x & 6, x & a],
    "shifted": lambda x, a, b: [x << 1, x >> a],
    "divided": lambda x, a, b: [x / a < b, x * 0.25 < a, 1.5 + x > b],
    "divmod": lambda x, a, b: divmod(x, a),
    "rejected": lambda x, a, b: "again" if x >= a else x % b,
    "index": lambda x, a, b: list(range(100))[x],
    "hashed": lambda x, a, b: x in {a, b},
    "listed": lambda x, a, b: x in [a, b],
    "text": lambda x, a, b: f"{x}",
    "powers": lambda x, a, b: [x**2, 2**x, x ^ a, a ^ x, x | b, a % (x + 1), abs(x - b), round(x), float(x)],
    "pair of parts": lambda x, a, b: (x, x + 1),
    "truth": lambda x, a, b: 1 if x else 0,
    "bytes": lambda x, a, b: x.to_bytes(2, "big"),
    "bit length": lambda x, a, b: x.bit_length(),
    "type": lambda x, a, b: isinstance(x, int),
    "array": lambda x, a, b: (np.arange(3) + x).tolist(),
    "minimum": lambda x, a, b: min(max(x, a), 2 * b),
}


MEMBERS = [0, 1, 3, 7, 11, 16, 23, 30, 38, 48, 58, 69]
DRAWS: dict[str, tuple[Callable[[int], Any], Callable[[int], Sequence[int]]]] = {
    "randrange": (lambda n: random.randrange(n), range),
    "randbelow": (lambda n: secrets.randbelow(n), range),
    "choice of a list": (lambda n: random.choice(MEMBERS[:n]), lambda n: MEMBERS[:n]),
    "choice of a tuple": (lambda n: random.choice(tuple(MEMBERS[:n])), lambda n: MEMBERS[:n]),
    "choice of the system": (lambda n: random.SystemRandom().choice(MEMBERS[:n]), lambda n: MEMBERS[:n]),
}
"""A draw by a size, and its values, each as likely."""
SOME = ("itself", "compared", "remainder", "bits out of order", "index")
"""Functions of draws that are made as another one is, of which there are all functions."""
OF_NUMPY: dict[str, Callable[[int], Any]] = {
    "integers": lambda n: np.random.default_rng().integers(n),
    "choice of a generator": lambda n: np.random.default_rng().choice(MEMBERS[:n]),
    "choice of an array": lambda n: np.random.choice(np.array(MEMBERS[:n])),
}
NOT_OF_NUMPY = ("bytes", "bit length", "type")
"""Functions of Python's integers alone."""


@pytest.mark.parametrize(
    ("draw", "name"),
    [(draw, name) for draw in DRAWS for name in (FUNCTIONS if draw in ("randrange", "choice of a list") else SOME)],
)
@given(SIZES, SMALL, SMALL)
@settings(max_examples=3)
def test_functions_of_an_integer_draw_have_the_law_of_all_its_values(
    draw: str, name: str, size: int, a: int, b: int
) -> None:
    function, (drawn, values) = FUNCTIONS[name], DRAWS[draw]
    texts = Counter(_text(function(x, a, b)) for x in values(size))
    expected = {text: Fraction(times, texts.total()) for text, times in texts.items()}
    assert law(lambda: function(drawn(size), a, b)) == expected


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        value = {"bytes": value.hex()}
    if isinstance(value, list):
        return canonical_text([int(x) if isinstance(x, float) else x for x in value])
    return canonical_text(value)


@pytest.mark.parametrize(
    ("draw", "name"),
    [
        *product(("integers", "choice of a generator"), (name for name in FUNCTIONS if name not in NOT_OF_NUMPY)),
        *product(("choice of an array",), SOME),
    ],
)
@given(SIZES, SMALL, SMALL)
@settings(max_examples=2)
def test_numpy_integers_keep_their_type(draw: str, name: str, size: int, a: int, b: int) -> None:
    function, drawn = FUNCTIONS[name], OF_NUMPY[draw]
    lazy = walked(lambda: function(drawn(size), a, b)).entries
    eager = walked(lambda: function(drawn(size), a, b), lazy=False).entries
    if name in ("compared with floats", "divided"):  # a comparison of a lazy float is a bool
        lazy, eager = ({(text, ""): p for (text, _), p in entries.items()} for entries in (lazy, eager))
    assert lazy == eager


WIDE = 1 << 53


@pytest.mark.slow
@given(st.floats(0, 1), st.integers(2, 9))
def test_wide_draws_are_compared_and_reduced_exactly(p: float, d: int) -> None:
    below = Fraction(math.ceil(Fraction(p) * WIDE), WIDE)
    assert law(lambda: random.getrandbits(53) / 2**53 < p).get("true", 0) == below
    assert law(lambda: secrets.randbelow(2**53) * 2.0**-53 < p).get("true", 0) == below
    assert law(lambda: random.getrandbits(64) >> 11 < int(p * WIDE)).get("true", 0) == Fraction(int(p * WIDE), WIDE)
    assert law(lambda: np.random.default_rng().integers(WIDE) % 2) == {"0": Fraction(1, 2), "1": Fraction(1, 2)}
    probabilities = law(lambda: random.getrandbits(53) % d)
    assert probabilities == {str(r): Fraction((WIDE - 1 - r) // d + 1, WIDE) for r in range(d)}


def test_scattered_bits_of_a_wide_draw_are_independent() -> None:
    every = product((0, 1), repeat=3)
    expected = {str(a << 3 | b << 17 | c << 60): Fraction(1, 8) for a, b, c in every}
    assert law(lambda: secrets.randbits(64) & (1 << 3 | 1 << 17 | 1 << 60)) == expected
    with pytest.raises(TooManyPaths):
        law(lambda: secrets.randbelow(10**20) & (1 << 3 | 1 << 60))

    def asked_again() -> Any:
        word = random.getrandbits(64)
        return [word & 5, word & 10]

    with pytest.raises(UnmodeledRandomness, match="used again"):
        law(asked_again)


@pytest.mark.parametrize("asked_again", [False, True])
def test_a_nonce_beside_what_is_canonical_stays_open(asked_again: bool) -> None:
    def report() -> tuple[int, int]:
        nonce = secrets.randbits(64)
        return random.randrange(3) + (asked_again and nonce < 1 << 63), nonce

    interceptor = Interceptor(watch_generators=False)
    with interceptor:
        if asked_again:
            with pytest.raises(TooManyPaths):
                exact_law(report, Limits(), interceptor, canonical=lambda pair: pair[0])
            return
        distribution = exact_law(report, Limits(), interceptor, canonical=lambda pair: pair[0])
    assert {text: p for (text, _), p in distribution.entries.items()} == {str(y): Fraction(1, 3) for y in range(3)}
    assert all("undetermined nonce" in raw for _, raw in distribution.entries)


@pytest.mark.parametrize("other", [0.3, 0.7, np.float32(0.7), np.float64(0.7), 1, 0])
def test_single_precision_is_compared_as_numpy_compares_it(other: Any) -> None:
    """Against the number of all 2^24 values, in each of the ways to ask."""
    values = (np.arange(1 << 24) / (1 << 24)).astype(np.float32)
    reverse = {operator.lt: operator.gt, operator.ge: operator.le}
    for ask, asked in reverse.items():
        change = int(np.searchsorted(values, other))
        kept = sum(bool(ask(values[k], other)) for k in range(max(0, change - 9), min(1 << 24, change + 9)))
        kept += max(0, change - 9) if ask is operator.lt else max(0, (1 << 24) - change - 9)
        for function in (
            lambda ask=ask: ask(np.random.default_rng().random(dtype=np.float32), other),
            lambda asked=asked: asked(other, np.random.default_rng().random(dtype=np.float32)),
        ):
            distribution = walked(function)
            assert {raw.rstrip("_") for _, raw in distribution.entries} == {"numpy.bool"}
            assert law(function).get("true", 0) == Fraction(kept, 1 << 24)


def test_bits_of_a_wide_draw_are_independent() -> None:
    def bits() -> list[int]:
        word = random.getrandbits(128)
        return [word & 1, word >> 1 & 1, word >> 2 & 3]

    def apart() -> list[int]:
        word = random.getrandbits(64)
        return [word >> 7 & 1, word >> 8 & 3, int(word < 1 << 62)]

    def low_then_high() -> list[int]:
        word = random.getrandbits(64)
        return [word & 1, word >> 7 & 1, word >> 8 & 1, word >> 63]

    assert set(law(bits).values()) == {Fraction(1, 16)}
    assert {text: p for text, p in law(apart).items() if text[-2] == "1"} == {
        f"[{a},{b},1]": Fraction(1, 32) for a in range(2) for b in range(4)
    }
    assert set(law(low_then_high).values()) == {Fraction(1, 16)}
    with pytest.raises(TooManyPaths):
        exact_law(lambda: random.getrandbits(64))
    with pytest.raises(TooManyPaths):
        exact_law(lambda: str(random.getrandbits(64))[0])


def test_compiled_code_that_takes_real_integers_only_is_given_them() -> None:
    import json

    distribution = exact_law(lambda: json.dumps(random.randrange(3)))
    assert {text for text, _ in distribution.entries} == {'"0"', '"1"', '"2"'}
    assert not distribution.raised


def test_a_generator_seeded_with_entropy_is_as_good_as_unseeded() -> None:
    fair = {"true": Fraction(1, 2), "false": Fraction(1, 2)}
    assert law(lambda: np.random.default_rng(secrets.randbits(128)).random() < 0.5) == fair
    assert law(lambda: random.Random(secrets.randbits(64)).random() < 0.5) == fair
    with pytest.raises(UnmodeledRandomness, match="seeds a generator"):
        exact_law(used_twice)


def used_twice() -> bool:
    seed = secrets.randbits(64)
    generator = random.Random(seed)
    return seed % 2 == 0 and generator.random() < 0.5


@pytest.mark.slow
@given(st.floats(0.01, 0.6), st.integers(5, 60))
@settings(max_examples=10)
def test_a_loop_is_walked_until_its_unexplored_mass_is_below_the_bound(p: float, bits: int) -> None:
    def failures() -> int:
        count = 0
        while random.random() < p:
            count += 1
        return count

    distribution = exact_law(failures, Limits(unexplored=bits))
    q = Fraction(math.ceil(Fraction(p) * WIDE), WIDE)
    assert 0 < distribution.unexplored <= Fraction(1, 2**bits)
    assert sum(distribution.entries.values()) + distribution.unexplored == 1
    for (text, _), probability in distribution.entries.items():
        assert probability == (1 - q) * q ** int(text)


@pytest.mark.slow
def test_loops_in_loops_are_refused_with_what_is_unexplored() -> None:
    def chosen() -> frozenset[int]:
        faces: set[int] = set()
        while len(faces) < 3:
            faces.add(random.randrange(6))
        return frozenset(faces)

    with pytest.raises(TooManyPaths, match="is unexplored after"):
        exact_law(chosen, Limits(paths=2000))
    part = exact_law(chosen, Limits(paths=2000, partial=True))
    assert 0 < part.unexplored < Fraction(1, 10)
    assert all(0 <= Fraction(1, 20) - p <= part.unexplored for p in part.entries.values())


def test_many_outcomes_that_are_left_take_one_path() -> None:
    distribution = exact_law(lambda: (random.randrange(50), np.random.default_rng().integers(60)))
    assert (distribution.paths, len(distribution.entries)) == (1, 3000)
    assert set(distribution.entries.values()) == {Fraction(1, 3000)}


def test_a_module_that_is_imported_meanwhile_draws_and_seeds_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "draws_and_seeds.py").write_text(
        "import random, time, numpy as np\n"
        "np.random.seed(3)\nSALT = random.random() + random.gauss(0, 1) + np.random.normal() + time.time() * 0\n"
        "OWN = np.random.RandomState(5)\nTABLE = OWN.permutation(3)\nassert isinstance(SALT, float)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))

    def imports() -> bool:
        import draws_and_seeds  # type: ignore[import-not-found]

        assert draws_and_seeds
        return random.random() < 0.25

    before = np.random.get_state(legacy=True)[1].tolist()  # type: ignore[index]
    distribution = exact_law(imports)
    assert np.random.get_state(legacy=True)[1].tolist() == before  # type: ignore[index]
    assert {text: p for (text, _), p in distribution.entries.items()} == {
        "true": Fraction(1, 4),
        "false": Fraction(3, 4),
    }
    assert distribution.clock_reads == 0


def test_the_class_that_is_shown_is_not_the_type() -> None:
    kinds: list[Any] = []
    exact_law(lambda: [kinds.append(type(random.randrange(2)))])  # type: ignore[func-returns-value]
    assert set(kinds) == {LazyInteger}
