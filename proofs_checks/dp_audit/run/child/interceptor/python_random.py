"""What replaces the randomness of the standard library: `random`, `os.urandom`, `uuid`; `math` of lazy draws."""

from __future__ import annotations

import collections.abc
import functools
import itertools
import math
import operator
import os
import random
import struct
import sys
import uuid
from typing import Any, Callable, List, Sequence, Tuple

from ..refusals import TEXT_LIMIT, TooManyPaths
from .coins import EXECUTING, RANDOM, Source, unless_imported
from .entropy import lazy_bytes, unpacking
from .intervals import GRID, Cell, LazyDraw, uniform_double
from .lazy_float import LazyUniform
from .lazy_integer import is_entropy, lazy_integer, lazy_member, weighted_member
from .ufuncs import MONOTONE


def _random_classes(source: Source) -> Any:
    """Return (Random, SystemRandom): the standard library's own algorithms on lazy uniforms and enumerated integers."""

    class Random(random.Random):
        _real = RANDOM(0)

        def __new__(cls, x: Any = None) -> Any:
            if cls is Random and x is not None and not is_entropy(source, x):
                return source.seeded("random.Random", x, RANDOM)
            return super().__new__(cls)

        def __init__(self, x: Any = None) -> None:
            self.gauss_next = None
            if not isinstance(x, LazyDraw):
                self.seed(x)

        def random(self) -> Any:
            coins = source.use(_UNIFORM, self)
            return LazyUniform(Cell(source, coins), uniform_double)

        def seed(self, a: Any = None, version: int = 2) -> None:
            source.seed("random.seed", None if a is None or is_entropy(source, a) else a, self)

        def getrandbits(self, k: int) -> int:
            if k < 0:
                raise ValueError("number of bits must be non-negative")
            coins = source.use("random.getrandbits: uniform", self)
            return lazy_integer(source, coins, 1 << k)  # type: ignore[no-any-return]

        def _randbelow(self, n: int) -> int:
            if n <= 0:
                raise ValueError("empty range for randrange()")
            return lazy_integer(source, source.use("random integers: uniform", self), n)  # type: ignore[no-any-return]

        def choice(self, seq: Any) -> Any:
            if not len(seq):
                return super().choice(seq)
            coins = source.use("random integers: uniform", self)
            if type(seq) in (list, tuple):
                return lazy_member(source, coins, seq)
            return seq[coins.integer(len(seq))]  # what another type does with a place, only that type knows

        def choices(self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> List[Any]:
            masses = weights if cum_weights is None else cum_weights
            sums = tuple(masses) if type(masses) in (list, tuple) else ()
            sums = sums if masses is cum_weights else tuple(itertools.accumulate(sums))
            if (masses is cum_weights and weights is not None) or len(sums) != len(population) or not _are_sums(sums):
                return super().choices(population, weights, cum_weights=cum_weights, k=k)
            coins = source.use(_UNIFORM, self)
            return [weighted_member(source, coins, population, _bisection_counts(sums)) for _ in range(k)]

        def sample(self, population: Any, k: int, **options: Any) -> List[Any]:
            if options:
                source.refuse("random.sample(" + ", ".join(options) + ")")
            if not isinstance(population, _POPULATIONS):
                raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
            items = list(population)
            if not 0 <= k <= len(items):
                raise ValueError("Sample larger than population or is negative")
            coins = source.use("random.sample: uniform ordered sample", self)
            return [items[i] for i in coins.arrangement(len(items), k)]

        def randbytes(self, n: int) -> bytes:
            return lazy_bytes(source, source.use("random.getrandbits: uniform", self), n, "little")  # type: ignore[no-any-return]

        def getstate(self) -> Any:
            return source.refuse("random.getstate")

        def setstate(self, state: Any) -> None:
            source.refuse("random.setstate")

    class SystemRandom(Random, random.SystemRandom):
        def __new__(cls, x: Any = None) -> Any:
            return super().__new__(cls)

        def seed(self, *args: Any, **options: Any) -> None:
            """Do nothing, like the original: the operating system's generator has no seed."""

        def getstate(self, *args: Any, **options: Any) -> Any:
            raise NotImplementedError("System entropy source does not have state.")

        setstate = getstate

    unless_imported(
        Random,
        ("random", "getrandbits", "_randbelow", "choice", "choices", "sample", "randbytes", "getstate", "setstate"),
    )
    Random.__qualname__, SystemRandom.__qualname__ = "Random", "SystemRandom"
    return Random, SystemRandom


_UNIFORM = "random.random: uniform on multiples of 2^-53"


def _are_sums(sums: Sequence[Any]) -> bool:
    """Return whether these are numbers that bisection works on, with a sum that is one: the standard library judges
    others."""
    finite = bool(sums) and all(isinstance(x, (int, float)) for x in sums) and sums[0] >= 0
    return finite and all(map(operator.le, sums, sums[1:])) and 0 < sums[-1] < MOST


MOST = 1e300


@functools.lru_cache(maxsize=64)
def _bisection_counts(sums: Tuple[Any, ...]) -> List[int]:
    """Return how many of the 2^53 uniform doubles u the bisection of `random.choices` sends to each index, by u *
    total."""
    total, edges = sums[-1] + 0.0, [0]
    for bound in sums[:-1]:
        low, high = edges[-1], GRID
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if bound <= uniform_double(middle) * total else (middle + 1, high)
        edges.append(low)
    return [b - a for a, b in zip(edges, [*edges[1:], GRID])]


_POPULATIONS = (
    (collections.abc.Sequence,) if sys.version_info >= (3, 11) else (collections.abc.Sequence, set, frozenset)
)
"""What this Python's `random.sample` accepts."""


def _of_lazy_too(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of `math` that takes lazy draws, too; the original would ask these for their values."""

    @functools.wraps(function)
    def apply(x: Any, *base: Any) -> Any:
        if isinstance(x, LazyUniform):
            return x.apply("math." + name, lambda value: function(value, *base))
        return function(x, *base)

    return apply


def python_replacements(source: Source) -> Tuple[List[Tuple[Any, Any]], Any]:
    """Return (original, replacement) of all that draws in the standard library; the class that replaces
    `SystemRandom`."""
    fake_random, fake_system = _random_classes(source)
    python = fake_random()
    real_urandom = os.urandom
    hidden = getattr(random, "_inst")  # noqa: B009 - private, and absent from the stubs

    def urandom(size: int, flags: int = 0) -> bytes:
        if EXECUTING:
            return real_urandom(size)
        if size > TEXT_LIMIT:
            source.coins.refuse(TooManyPaths(f"{size} bytes of os.urandom"))
        return lazy_bytes(source, source.use("os.urandom: uniform bytes"), size)  # type: ignore[no-any-return]

    replaced = [(hidden, python), (random.Random, fake_random), (random.SystemRandom, fake_system)]
    for name, value in vars(random).items():
        if getattr(value, "__self__", None) is hidden:
            replaced.append((value, getattr(python, name)))
    for name in MONOTONE:
        if hasattr(math, name):
            replaced.append((getattr(math, name), _of_lazy_too(name, getattr(math, name))))
    replaced.append((struct.unpack, unpacking(struct.unpack)))
    for name in ("urandom", "getrandom"):
        if hasattr(os, name):
            replaced.append((getattr(os, name), urandom))
    for name in ("uuid1", "uuid4"):
        replaced.append((getattr(uuid, name), source.loud("uuid." + name, getattr(uuid, name))))
    return replaced, fake_system
