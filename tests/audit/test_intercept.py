"""The interceptor against laws computed by hand: every replaced primitive, and everything it must refuse."""

import ast
import asyncio
import gc
import io
import logging
import math
import os
import random
import secrets
import sys
import time
import uuid
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_audit.run import child
from dp_audit.run.child.interceptor.coins import Limits, Source
from dp_audit.run.child.interceptor.intervals import GRID
from dp_audit.run.child.interceptor.output_json import described
from dp_audit.run.child.interceptor.path_walk import PROBES, exact_law
from dp_audit.run.child.refusals import Seeded, TooManyPaths, UnmodeledRandomness, UnreadableOutput
from independent.intercepting import at_most, below, law, without_zeros

PROBABILITIES = st.floats(0, 1, allow_nan=False)
SYSTEM_RANDOM = random.SystemRandom()


@pytest.mark.slow
@given(PROBABILITIES)
def test_comparison_of_a_uniform_double_has_its_exact_probability(c: float) -> None:
    assert law(lambda: random.random() < c) == without_zeros({"true": below(c), "false": 1 - below(c)})
    assert law(lambda: np.random.random() <= c) == without_zeros({"true": at_most(c), "false": 1 - at_most(c)})
    assert law(lambda: c < np.random.rand()) == without_zeros({"true": 1 - at_most(c), "false": at_most(c)})
    assert law(lambda: np.float64(c) > random.random()) == without_zeros({"true": below(c), "false": 1 - below(c)})


@pytest.mark.slow
@given(PROBABILITIES, PROBABILITIES)
def test_second_comparison_is_conditional_on_the_first(a: float, b: float) -> None:
    def compared() -> list[bool]:
        u = random.random()
        return [u < a, u < b]

    both, first, second = below(min(a, b)), below(a), below(b)
    expected = {
        "[true,true]": both,
        "[true,false]": first - both,
        "[false,true]": second - both,
        "[false,false]": 1 - max(first, second),
    }
    assert law(compared) == without_zeros(expected)


@pytest.mark.slow
@given(st.floats(-4, 4), st.floats(-4, 4), st.floats(-4, 4))
def test_affine_use_is_decided_on_the_doubles_of_the_target(a: float, b: float, c: float) -> None:
    def real(k: int) -> bool:
        return a * (k / GRID) + b < c

    probability = law(lambda: a * random.random() + b < c).get("true", Fraction(0))
    count = int(probability * GRID)
    assert Fraction(count, GRID) == probability
    # The comparison holds on an initial or a final run of the grid, of exactly this length.
    low_side = real(0) if real(0) != real(GRID - 1) else True
    if 0 < count < GRID:
        edge = count if low_side else GRID - count
        assert (real(edge - 1), real(edge)) == ((True, False) if low_side else (False, True))
    else:
        assert real(0) == real(GRID - 1) == (count == GRID)


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=1, max_size=3), PROBABILITIES)
def test_array_of_uniforms_is_independent(cs: list[float], c: float) -> None:
    probabilities = law(lambda: (np.random.random(len(cs)) < np.array(cs)).astype(int))
    for bits in np.ndindex(*(2,) * len(cs)):
        expected = Fraction(1)
        for x, bit in zip(cs, bits, strict=True):
            expected *= below(x) if bit else 1 - below(x)
        assert probabilities.get(str(list(bits)).replace(" ", ""), Fraction(0)) == expected
    assert law(lambda: np.where(np.random.rand(2) < c, 1, 0).sum()).get("2", Fraction(0)) == below(c) ** 2


def test_rounding_to_integers_enumerates_the_cells() -> None:
    expected = {str(i): below((i + 1) / 4) - below(i / 4) for i in range(4)}
    assert law(lambda: int(random.random() * 4)) == expected
    assert law(lambda: math.floor(4 * random.random())) == expected
    assert law(lambda: np.floor(np.random.random() * 4)) == expected
    assert law(lambda: np.floor(np.random.random(1) * 4)[0]) == expected
    assert law(lambda: math.ceil(random.random())) == {"0": Fraction(1, GRID), "1": Fraction(GRID - 1, GRID)}


@pytest.mark.slow
@given(st.lists(st.integers(0, 20), min_size=2, max_size=5).filter(any))
def test_choice_with_p_follows_numpys_search_of_the_cdf(weights: list[int]) -> None:
    p = np.array(weights, dtype=float) / sum(weights)
    cdf = p.cumsum()
    cdf /= cdf[-1]
    edges = [Fraction(0), *(below(float(c)) for c in cdf)]
    expected = {str(10 + i): edges[i + 1] - edges[i] for i in range(len(weights))}
    items = [10 + i for i in range(len(weights))]
    assert law(lambda: np.random.choice(items, p=p)) == without_zeros(expected)
    assert law(lambda: np.random.default_rng().choice(items, p=p)) == without_zeros(expected)
    for probability, weight in zip(expected.values(), weights, strict=True):
        assert abs(probability - Fraction(weight, sum(weights))) < Fraction(1, 2**50)


def test_choice_with_p_that_does_not_sum_to_one_is_rejected_as_numpy_does() -> None:
    (outcome,) = law(lambda: np.random.choice(2, p=[0.5, 0.4]))
    assert "ValueError" in outcome


def test_weights_of_a_sum_that_rounds_are_those_of_the_doubles() -> None:
    p = [0.1] * 10
    probabilities = law(lambda: np.random.choice(10, p=p))
    assert np.cumsum(p)[-1] != 1
    assert sum(probabilities.values()) == 1
    assert len(set(probabilities.values())) > 1


@pytest.mark.slow
@given(st.integers(0, 4), st.floats(0, 1))
def test_binomial_is_the_binomial_law_at_the_double(n: int, p: float) -> None:
    q = Fraction(p)
    expected = {str(j): math.comb(n, j) * q**j * (1 - q) ** (n - j) for j in range(n + 1)}
    assert law(lambda: np.random.binomial(n, p)) == without_zeros(expected)


def test_the_binomial_law_is_named_as_idealized() -> None:
    assert any("idealized" in model for model in exact_law(lambda: np.random.binomial(1, 0.5)).models)


@pytest.mark.parametrize(
    ("function", "outcomes"),
    [
        (lambda: random.randint(2, 4), ["2", "3", "4"]),
        (lambda: random.randrange(0, 6, 3), ["0", "3"]),
        (lambda: random.choice("ab"), ['"a"', '"b"']),
        (lambda: random.getrandbits(1), ["0", "1"]),
        (lambda: random.sample(range(3), 2), ["[0,1]", "[0,2]", "[1,0]", "[1,2]", "[2,0]", "[2,1]"]),
        (lambda: random.Random().randint(0, 1), ["0", "1"]),
        (lambda: np.random.randint(3), ["0", "1", "2"]),
        (lambda: np.random.randint(1, 3, size=1), ["[1]", "[2]"]),
        (lambda: np.random.randint([0, 5], [1, 7]), ["[0,5]", "[0,6]"]),
        (lambda: np.random.default_rng().integers(0, 1, endpoint=True), ["0", "1"]),
        (lambda: np.random.Generator(np.random.PCG64()).integers(2), ["0", "1"]),
        (lambda: np.random.RandomState().randint(2), ["0", "1"]),
        (lambda: np.random.choice(2), ["0", "1"]),
        (lambda: np.random.choice(["x", "y"]), ['"x"', '"y"']),
        (lambda: np.random.choice(3, 2, replace=False), ["[0,1]", "[0,2]", "[1,0]", "[1,2]", "[2,0]", "[2,1]"]),
        (lambda: np.random.permutation(2), ["[0,1]", "[1,0]"]),
        (lambda: np.random.default_rng().permutation([5, 7]), ["[5,7]", "[7,5]"]),
        (lambda: shuffled(random.shuffle, [1, 2]), ["[1,2]", "[2,1]"]),
        (lambda: shuffled(np.random.shuffle, np.array([1, 2])), ["[1,2]", "[2,1]"]),
        (lambda: np.random.uniform(0, 2) < 1, ["true", "false"]),
        (lambda: random.uniform(0, 2) < 1, ["true", "false"]),
        (lambda: random.choices([0, 1], [1, 1]), ["[0]", "[1]"]),
        (lambda: os.urandom(1)[0] % 2, ["0", "1"]),
        (lambda: os.getrandom(1)[0] % 4, ["0", "1", "2", "3"]),
        (lambda: secrets.randbelow(3), ["0", "1", "2"]),
        (lambda: secrets.randbits(1), ["0", "1"]),
        (lambda: secrets.choice([0, 1]), ["0", "1"]),
        (lambda: secrets.token_bytes(1)[0] // 128, ["0", "1"]),
        (lambda: secrets.token_hex(1)[1:] < "8", ["true", "false"]),
        (lambda: random.SystemRandom().random() < 0.5, ["true", "false"]),
        (lambda: secrets.SystemRandom(5).randint(0, 1), ["0", "1"]),
        (lambda: random.SystemRandom().sample([1, 2], 2), ["[1,2]", "[2,1]"]),
        (lambda: shuffled(random.SystemRandom().shuffle, [1, 2]), ["[1,2]", "[2,1]"]),
        (lambda: random.SystemRandom().getrandbits(1), ["0", "1"]),
    ],
)
def test_uniform_primitives(function: Callable[[], Any], outcomes: list[str]) -> None:
    assert law(function) == dict.fromkeys(outcomes, Fraction(1, len(outcomes)))


def shuffled(shuffle: Callable[[Any], None], items: Any) -> Any:
    shuffle(items)
    return items


def held_in_a_closure() -> Callable[[], Any]:
    generator = random.SystemRandom()
    return lambda: (isinstance(generator, random.SystemRandom), generator.choice([0, 1]))


HELD = held_in_a_closure()
CHOICE = SYSTEM_RANDOM.choice


@pytest.mark.slow
def test_system_generators_made_before_draw_from_the_coins_and_are_restored() -> None:
    gc.unfreeze()  # those of this module were made at collection
    for function in (HELD, lambda: (True, SYSTEM_RANDOM.choice([0, 1])), lambda: (True, CHOICE([0, 1]))):
        entries = exact_law(function).entries
        assert {text: p for (text, _), p in entries.items()} == {"[true,0]": Fraction(1, 2), "[true,1]": Fraction(1, 2)}
    assert type(SYSTEM_RANDOM) is random.SystemRandom
    assert type(SYSTEM_RANDOM.random()) is float


def test_system_generator_keeps_no_state() -> None:
    (outcome,) = law(lambda: random.SystemRandom().getstate())
    assert "NotImplementedError" in outcome

    def seeded() -> int:
        generator = random.SystemRandom(3)
        generator.seed(3)
        return generator.randint(0, 1)

    assert law(seeded) == {"0": Fraction(1, 2), "1": Fraction(1, 2)}


@pytest.mark.slow
def test_types_are_those_of_the_real_functions() -> None:
    functions: list[Callable[[], Any]] = [
        lambda: np.random.randint(2),
        lambda: np.random.randint(2, size=2),
        lambda: np.random.randint(2, size=2, dtype=np.int8),
        lambda: np.random.default_rng().integers(2),
        lambda: np.random.binomial(1, 0.5),
        lambda: np.random.choice(2),
        lambda: np.random.choice([1, 0], size=2, p=[0.5, 0.5]),
        lambda: np.random.choice(["a"]),
        lambda: random.randint(0, 1),
    ]
    for function in functions:
        real = described(Source(), function(), 100)[1]
        assert {raw for _, raw in exact_law(function).entries} == {real}


def test_names_imported_before_are_replaced_and_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[__name__]
    monkeypatch.setattr(module, "imported_uniform", random.random, raising=False)
    monkeypatch.setattr(module, "imported_choice", np.random.choice, raising=False)
    names = vars(module)
    before = random.random, np.random.choice, os.urandom, random.Random, np.random.default_rng
    assert law(lambda: names["imported_uniform"]() < 0.5) == {"true": Fraction(1, 2), "false": Fraction(1, 2)}
    assert law(lambda: names["imported_choice"](2)) == {"0": Fraction(1, 2), "1": Fraction(1, 2)}
    assert (random.random, np.random.choice, os.urandom, random.Random, np.random.default_rng) == before
    assert names["imported_uniform"] is random.random


SEEDED = random.Random(3)
GENERATOR = np.random.default_rng(4)
LEGACY = np.random.RandomState(5)


def held_in_a_default(generator: np.random.Generator = GENERATOR, other: random.Random = SEEDED) -> tuple[Any, Any]:
    return generator, other


@pytest.mark.parametrize(
    "function",
    [
        lambda: uuid.uuid4().int % 2,
        lambda: SEEDED.random() < 0.5,
        lambda: held_in_a_default()[1].randint(0, 1),
        lambda: held_in_a_default()[0].random() < 0.5,
        lambda: GENERATOR.integers(2),
        lambda: LEGACY.rand() < 0.5,
        lambda: random.gauss(0, 1),
        lambda: np.random.normal(),
        lambda: np.random.laplace(),
        lambda: np.random.laplace() < np.random.logistic(),
        lambda: np.random.default_rng().exponential(),
        lambda: np.random.default_rng().standard_exponential(dtype=np.float32) < 1,
        lambda: np.random.default_rng().choice(3, 2, replace=False, shuffle=False),
        lambda: random.random() / 0 < 1,
        lambda: 1 / random.random() < 2,
        lambda: math.cos(random.random()) < 1,
        lambda: np.cos(random.random()) < 1,
        lambda: np.round(random.random(), 1),
        lambda: np.random.default_rng().random(2, dtype=np.float32) < 0.5,
        lambda: np.random.default_rng().random(dtype=np.float32) + 1,
        lambda: random.random() < random.random(),
        lambda: np.random.get_state(),
        lambda: random.random(),
        lambda: np.random.random(2),
        lambda: np.random.random(2).sum() < 1,
        lambda: random.random() < np.float32(0.5),
        lambda: np.random.random(2).astype(float),
        lambda: "yes" if random.random() else "no",
        lambda: f"{random.random()}",
        lambda: sorted(np.random.random(3)),
    ],
)
def test_what_is_not_modeled_is_refused(function: Callable[[], Any]) -> None:
    with pytest.raises(UnmodeledRandomness):
        exact_law(function)


def test_refusal_cannot_be_swallowed_by_the_target() -> None:
    def swallow() -> int:
        try:
            uuid.uuid4()
        except BaseException:
            return 1
        return 2

    with pytest.raises(UnmodeledRandomness, match="uuid4"):
        exact_law(swallow)


@pytest.mark.parametrize(
    "function",
    [
        lambda: random.Random(time.time()).random() < 0.5,
        lambda: random.Random(7).random() < 0.5,
        lambda: np.random.default_rng(7).random() < 0.5,
        lambda: np.random.RandomState(7).rand() < 0.5,
        lambda: np.random.Generator(np.random.PCG64(3)),
        lambda: np.random.SeedSequence(3),
        lambda: np.random.seed(1),
        lambda: random.seed(1),
    ],
)
def test_a_seed_of_the_target_is_refused_by_name(function: Callable[[], Any]) -> None:
    with pytest.raises(Seeded):
        exact_law(function)


def test_hidden_state_is_found_by_running_every_path_twice() -> None:
    calls = []

    def parity() -> int:
        calls.append(0)
        return len(calls) % 2

    with pytest.raises(UnmodeledRandomness, match="differ"):
        exact_law(parity)

    kept: list[Any] = []

    def keep() -> bool:
        kept.append(random.random())
        return bool(kept[0] < 0.5)

    with pytest.raises(UnmodeledRandomness, match="earlier run"):
        exact_law(keep)


def test_clock_reads_are_counted() -> None:
    assert exact_law(lambda: time.time() > 0).clock_reads == 1
    assert exact_law(lambda: random.randint(0, 1)).clock_reads == 0


@pytest.mark.slow
def test_the_time_of_a_record_that_is_logged_is_not_a_clock_that_the_target_reads() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log = logging.getLogger("audited")
    log.addHandler(handler)

    def logs(message: str) -> int:
        log.warning(message)
        return random.randint(0, 1)

    try:
        assert exact_law(lambda: logs("drawn")).clock_reads == 0
        assert exact_law(lambda: logs(str(time.time()))).clock_reads == 1
    finally:
        log.removeHandler(handler)
    assert "drawn" in stream.getvalue()
    made = (
        lambda: logging.makeLogRecord({}).created > 0,
        lambda: logging.LogRecord("", 1, "", 1, "", (), None).created > 0,
    )
    assert all(exact_law(function).clock_reads for function in made)


def test_the_turn_of_an_event_loop_is_not_a_clock_that_the_target_reads() -> None:
    async def drawn() -> int:
        await asyncio.sleep(0)
        return random.randint(0, 1)

    async def timed() -> bool:
        return asyncio.get_running_loop().time() > 0

    async def waited() -> int:
        await asyncio.sleep(1e-9)
        return random.randint(0, 1)

    assert exact_law(lambda: asyncio.run(drawn())).clock_reads == 0
    assert exact_law(lambda: asyncio.run(timed())).clock_reads > 0
    assert exact_law(lambda: asyncio.run(waited())).clock_reads > 0


@pytest.mark.slow
def test_path_guard_fails_early_with_an_estimate() -> None:
    runs = []

    def bits() -> list[bool]:
        runs.append(0)
        return [random.random() < 0.5 for _ in range(30)]

    with pytest.raises(TooManyPaths, match=str(2**30)):
        exact_law(bits)
    assert len(runs) <= PROBES
    with pytest.raises(TooManyPaths, match="1000000007"):
        exact_law(lambda: random.randrange(1_000_000_007))
    with pytest.raises(TooManyPaths):
        exact_law(lambda: [random.random() < 0.5 for _ in range(4)], Limits(paths=15))
    assert exact_law(lambda: [random.random() < 0.5 for _ in range(4)], Limits(paths=16)).paths == 16

    def forever() -> None:
        while random.random() < 0.5:
            pass

    with pytest.raises(TooManyPaths):
        exact_law(forever, Limits(draws=50, paths=1000))


def test_exceptions_are_outcomes_with_their_probability() -> None:
    def sometimes() -> int:
        if random.random() < 0.25:
            raise ValueError("no")
        return 1

    distribution = exact_law(sometimes)
    assert {distribution.raised.get(key): p for key, p in distribution.entries.items()} == {
        "ValueError: no": Fraction(1, 4),
        None: Fraction(3, 4),
    }


def test_outputs_keep_type_and_order_beside_the_value() -> None:
    def leaky(x: int) -> Any:
        return x if random.random() < 0.5 else np.int64(x)

    entries = exact_law(lambda: leaky(3)).entries
    assert entries == {("3", "int"): Fraction(1, 2), ("3", "numpy.int64"): Fraction(1, 2)}
    dicts = exact_law(lambda: {1: 2, 0: 1} if random.random() < 0.5 else {0: 1, 1: 2}).entries
    assert len({text for text, _ in dicts}) == 1
    assert len(dicts) == 2
    assert set(law(lambda: [0.5, -0.0, float("nan"), {1, 0}, b"\x01", None, "s"])) == {
        '[{"fraction":"1/2"},0,{"float":"nan"},{"set":[0,1]},{"bytes":"01"},null,"s"]'
    }


@pytest.mark.parametrize("output", [list(range(30_000)), "x" * 30_000, np.zeros(10**6), 1 << 5000, object(), lambda: 0])
def test_outputs_without_canonical_form_are_refused(output: Any) -> None:
    with pytest.raises(UnreadableOutput):
        exact_law(lambda: output)


def test_what_is_copied_needs_only_the_standard_library_and_numpy_and_is_valid_python_3_8() -> None:
    assert child.__file__ is not None
    folder = Path(child.__file__).parent
    files = {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in folder.rglob("*.py")}
    trees = {name: ast.parse(text, feature_version=(3, 8)) for name, text in files.items()}
    nodes = [(name, node) for name, tree in trees.items() for node in ast.walk(tree)]
    roots = {(name, alias.name) for name, node in nodes if isinstance(node, ast.Import) for alias in node.names}
    froms = [(name, node) for name, node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    roots |= {(name, str(node.module)) for name, node in froms if not node.level}
    foreign = {(name, root) for name, root in roots if root.split(".")[0] not in sys.stdlib_module_names}
    assert {root for _, root in foreign} == {"numpy"}
    assert not [name for name, _ in foreign if name.startswith("unmodified/")]
    enumerating = [name for name, node in froms if node.level and "interceptor" in str(node.module)]
    assert enumerating == ["jobs.py"], "only the mode that enumerates imports the interceptor"
    stems = {part.name.removesuffix(".py") for part in (folder, *folder.rglob("*"))}
    assert not stems & {*sys.stdlib_module_names, "numpy"}
