"""Functions that change the ground the interceptor stands on, or find randomness elsewhere: refused, never modeled."""

import ctypes
import gc
import importlib
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dp_audit.run.child.interceptor.path_walk import exact_law
from dp_audit.run.child.refusals import TooManyPaths, UnmodeledRandomness, UnreadableOutput
from independent.intercepting import law


@pytest.mark.slow
def test_replaced_functions_and_fresh_modules_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def patch() -> bool:
        setattr(random, "random", lambda: 0.5)  # noqa: B010 - a module of the standard library
        return random.random() < 0.6

    with pytest.raises(UnmodeledRandomness, match=r"by the target: random\.random"):
        exact_law(patch)

    def fresh() -> int:
        monkeypatch.delitem(sys.modules, "random")
        return int(importlib.import_module("random").randint(0, 1))

    with pytest.raises(UnmodeledRandomness, match="not replaced draws"):
        exact_law(fresh)
    monkeypatch.undo()

    def fresh_and_silent() -> int:
        monkeypatch.delitem(sys.modules, "random")
        return 0

    with pytest.raises(UnmodeledRandomness, match="replaced by the target: random"):
        exact_law(fresh_and_silent)
    monkeypatch.undo()

    def unwatched() -> int:
        sys.setprofile(None)
        return 0

    with pytest.raises(UnmodeledRandomness, match="profile"):
        exact_law(unwatched)


def test_a_module_patched_before_the_audit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np.random, "rand", lambda *shape: 0.5)
    with pytest.raises(UnmodeledRandomness, match=r"numpy\.random\.rand was replaced"):
        exact_law(lambda: 0)


SAVED: dict[str, Callable[..., Any]] = {
    "random": random.random,
    "urandom": os.urandom,
    "rand": np.random.rand,
    "rng": np.random.default_rng,
}


@pytest.mark.parametrize(
    "function",
    [
        lambda: SAVED["random"]() < 0.5,
        lambda: SAVED["urandom"](1)[0] < 7,
        lambda: SAVED["rand"]() < 0.5,
        lambda: SAVED["rng"]().random() < 0.5,
        lambda: os.fork(),
        lambda: subprocess.run(["true"], check=True),
        lambda: os.system("true"),
        lambda: in_a_thread(random.random),
        lambda: in_a_thread(lambda: 0),
        lambda: Path("/dev/urandom").read_bytes()[0] < 7,
        lambda: ctypes.CDLL(None).rand() % 2,
    ],
)
def test_other_ways_to_randomness_are_refused(function: Callable[[], Any]) -> None:
    with pytest.raises((UnmodeledRandomness, TooManyPaths)):
        exact_law(function)


def in_a_thread(function: Callable[[], Any]) -> list[Any]:
    values: list[Any] = []
    thread = threading.Thread(target=lambda: values.append(function()))
    thread.start()
    thread.join()
    return [len(values)]


def test_a_c_function_that_is_at_hand_is_refused() -> None:
    held = ctypes.CDLL(None).drand48
    try:
        with pytest.raises(UnmodeledRandomness, match="drand48"):
            exact_law(lambda: 0)
    finally:
        del held
        gc.collect()  # later tests in this process


def test_imports_inside_the_function_find_the_replacements() -> None:
    def imported() -> bool:
        from random import random as uniform

        return uniform() < 0.25

    assert law(imported) == {"true": Fraction(1, 4), "false": Fraction(3, 4)}


@pytest.mark.slow
def test_endless_recursion_and_endless_draws_end() -> None:
    def recurse(n: int) -> int:
        return recurse(n + 1)

    (outcome,) = law(lambda: recurse(0))
    assert "RecursionError" in outcome
    nested: list[Any] = []
    nested.append(nested)
    with pytest.raises(UnreadableOutput):
        exact_law(lambda: nested)

    def endless() -> int:
        while random.random() <= 0.9:
            pass
        return 0

    distribution = exact_law(endless)
    assert 0 < distribution.unexplored <= Fraction(1, 2**60)
    assert sum(distribution.entries.values()) == 1 - distribution.unexplored
