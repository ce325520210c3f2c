"""Members of tables, weighted ones, remainders and bytes that stay undetermined: their laws are those of all values."""

import importlib.util
import os
import random
import struct
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dp_audit.run.child.interceptor.laws import Law, Outcome
from dp_audit.run.child.interceptor.rewrite import Loader
from dp_audit.run.child.refusals import TooManyPaths, UnmodeledRandomness
from independent.intercepting import law, walked

ITEMS = [7, 3, 9, 3, 0]
SHARES = [0.25, 0.125, 0.0, 0.5, 0.125]
RISING = [1, 2, 4, 8, 16]


def compared_weighted() -> list[Any]:
    x = random.choices(ITEMS, SHARES)[0]
    return [x < 4, x == 3, x]


def placed() -> list[Any]:
    x: Any = np.random.choice(5, p=SHARES)
    return [x.item() + 1, x > 2]


FUNCTIONS: list[Callable[[], Any]] = [
    lambda: random.choices(ITEMS, SHARES)[0],
    lambda: random.choices(ITEMS, SHARES)[0] % 4,
    lambda: random.choices(ITEMS, SHARES)[0] // 4,
    lambda: random.choices(ITEMS, SHARES)[0] * 2 + 1,
    lambda: random.choices(ITEMS, SHARES, k=2),
    lambda: random.choices(["a", "b"], [0.25, 0.75])[0],
    lambda: random.choices([4, 5], [0, 1])[0],
    lambda: np.random.choice(5, p=SHARES),
    lambda: np.random.default_rng().choice(5, p=SHARES),
    lambda: np.random.default_rng().choice(np.array(ITEMS), p=SHARES),
    lambda: random.choice(ITEMS),
    lambda: random.choice(ITEMS) < 4,
    compared_weighted,
    placed,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_undetermined_members_have_the_law_of_determined_ones(function: Callable[[], Any]) -> None:
    lazy, eager = walked(function), walked(function, lazy=False)
    assert lazy.entries == eager.entries
    assert lazy.paths <= eager.paths


def test_one_path_is_enough_where_nothing_is_asked() -> None:
    assert walked(lambda: random.choices(range(100), [1] * 100)[0]).paths == 1
    assert walked(lambda: np.random.choice(100, p=[0.01] * 100)).paths == 1


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 4), st.integers(1, 5)), min_size=1, max_size=6))
def test_runs_of_integers_are_added_as_if_one_by_one(runs: list[tuple[int, int, int]]) -> None:
    """Runs (first, how many, share), one path each."""
    fast, slow = Law(), Law()
    for first, count, share in runs:
        fast.add([Outcome((str(first), "int"), first, None, 1, count)], Fraction(share, 7))
        slow.add([Outcome((str(first + i), "int"), first + i) for i in range(count)], Fraction(share, 7))
    fast.close()
    assert fast.entries == slow.entries
    assert fast.values == slow.values


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.integers(1, 9), st.integers(1, 60), st.integers(0, 60))
def test_remainders_of_many_values_have_their_law(bits: int, modulus: int, bound: int) -> None:
    """With more remainders than paths are allowed, and with fewer."""
    expected = Fraction(sum(k % modulus < bound for k in range(2**bits)), 2**bits)
    for paths in (4, 1000):
        probabilities = law(lambda: bool(random.getrandbits(bits) % modulus < bound), paths=paths)
        assert probabilities.get("true", Fraction(0)) == expected


def test_what_a_remainder_was_taken_of_is_not_used_again() -> None:
    def both() -> bool:
        x = random.getrandbits(40)
        return bool(x % 10**6 < 5) and bool(x < 9)

    with pytest.raises(UnmodeledRandomness, match="used again"):
        law(both)
    with pytest.raises(TooManyPaths):
        law(lambda: random.getrandbits(40) % 10**6)


def unpacked(form: str, size: int) -> Callable[[], Any]:
    return lambda: bool(struct.unpack(form, os.urandom(size))[0] < 2 ** (8 * size - 2))


@pytest.mark.parametrize(("form", "size"), [("<H", 2), (">I", 4), ("Q", 8), ("B", 1), ("=L", 4)])
def test_bytes_that_are_unpacked_are_a_uniform_integer(form: str, size: int) -> None:
    assert law(unpacked(form, size)) == {"true": Fraction(1, 4), "false": Fraction(3, 4)}


@pytest.mark.slow
def test_bytes_are_what_they_are_for_everything_else() -> None:
    def asked() -> list[Any]:
        data = os.urandom(1)
        return [isinstance(data, bytes), len(data), data[0] == int.from_bytes(data, "big"), list(data) == [data[0]]]

    assert law(asked) == {"[true,1,true,true]": Fraction(1)}
    assert law(lambda: ord(os.urandom(1)) < 64) == {"true": Fraction(1, 4), "false": Fraction(3, 4)}
    assert law(lambda: struct.unpack("b", os.urandom(1))[0] < 0) == {"true": Fraction(1, 2), "false": Fraction(1, 2)}


def test_bytes_that_seed_a_generator_are_its_entropy() -> None:
    assert law(lambda: random.Random(os.urandom(16)).random() < 0.25)["true"] == Fraction(1, 4)


SOURCE = """
import os, random
import numpy as np
from typing import List

OTHERS = [1, 2, 4, 8, 16]

def whole(): return int(np.random.choice(5, p=[0.5, 0.125, 0.125, 0.125, 0.125]))
def listed(): return OTHERS[random.randrange(5)]
def ranged(): return range(10, 20)[random.randrange(5) + 1]
def numpy(): return int(np.array(OTHERS)[np.random.randint(5)])
def falling(): return OTHERS[::-1][random.randrange(5)] > 3
def unordered(): return [3, 1, 2][random.randrange(3)]
def negative(): return OTHERS[random.randrange(3) - 2]
def text(): return "abcde"[random.randrange(5)]
def looked_up(): return {0: "a", 1: "b"}[random.randrange(2)]
def parsed(): return int("7") + int(2.5) + int("11", 2) + int()
def rounded(): return int(random.random() * 3)
def floating(): return [float("7"), float(True), float(), float(random.randrange(3)), float(x="1") if False else 0]
def share(): return int.from_bytes(os.urandom(4), "big") / 2**32 < 0.25
def little(): return int.from_bytes(os.urandom(4), byteorder="little") % 10**7 < 10**6
def signed(): return int.from_bytes(b"\\xff", "big", signed=True)
def annotated():
    x: List[int] = [random.randrange(2)]
    return x[0]
class Client:
    def report(self): return int(OTHERS[random.randrange(5)] + 1)
def method(): return Client().report()
def outside(): return OTHERS[random.randrange(6)]
def stored():
    x = [0, 0]
    x[random.randrange(2)] += 1
    return x
"""
NAMES = [line[4 : line.index("(")] for line in SOURCE.splitlines() if line.startswith("def ")]


def loaded(path: Path, name: str, loader: Any = None) -> Any:
    specification = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """The source as it is, and rewritten."""
    path = tmp_path_factory.mktemp("written") / "target.py"
    path.write_text(SOURCE)
    return loaded(path, "as_it_is"), loaded(path, "rewritten", Loader("rewritten", str(path)))


@pytest.mark.parametrize("name", NAMES)
def test_a_rewritten_function_has_the_law_of_the_function(name: str, modules: tuple[Any, Any]) -> None:
    own, rewritten = (getattr(module, name) for module in modules)
    if name in ("share", "little"):
        probability = law(rewritten)["true"]
        assert probability == (Fraction(1, 4) if name == "share" else Fraction(10**6 * 430, 2**32))
        return
    assert walked(rewritten).entries == walked(own).entries


@pytest.mark.parametrize("name", ["whole", "listed", "ranged", "numpy"])
def test_a_rewritten_function_takes_one_path(name: str, modules: tuple[Any, Any]) -> None:
    assert walked(getattr(modules[1], name)).paths == 1
    assert walked(getattr(modules[0], name)).paths == 5


def test_float_of_an_undetermined_double_stays_undetermined(tmp_path: Path) -> None:
    path = tmp_path / "doubles.py"
    path.write_text("import random\n\ndef f(): return float(1 - random.random()) <= 0.25\n")
    assert law(loaded(path, "doubles", Loader("doubles", str(path))).f) == {
        "true": Fraction(1, 4),
        "false": Fraction(3, 4),
    }
    path.write_text("import random\n\nfloat = lambda x: 'own'\n\ndef f(): return float(random.random())\n")
    assert loaded(path, "doubles", Loader("doubles", str(path))).f() == "own"


@pytest.mark.parametrize("first", ["def int(x): return 'own'", "int = lambda x: 'own'", "from other_ints import *"])
def test_a_file_with_an_int_of_its_own_keeps_it(first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own.py"
    (tmp_path / "other_ints.py").write_text("int = lambda x: 'own'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    path.write_text(first + "\ndef f(): return int(3)\n")
    assert loaded(path, "own", Loader("own", str(path))).f() == "own"
