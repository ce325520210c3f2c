"""Exact output laws of foreign Python code: its randomness is replaced by coins, replayed until every path is taken.

One file that imports only the standard library and numpy and is valid for Python 3.8, so that it runs as a child
process (`python intercept.py`, a job on stdin, JSON lines on stdout) inside the environment of the audited library.
Probabilities are `fractions.Fraction`. What each replaced primitive is modelled as:

* a uniform double (`random.random`, `numpy.random.random`, `.rand`, `.uniform`, ...): k / 2^53, k uniform on
  0 .. 2^53 - 1, which is what both libraries return given perfect random bits. It stays undetermined until it is
  compared or rounded to an integer; arithmetic with constants is the float arithmetic of the target, so that every
  comparison is decided on the very doubles.
* `choice(p=...)`: numpy's own rule on the doubles: cdf = cumsum(p) / last, index = number of cdf entries <= uniform.
* integers, permutations, shuffles, samples, `choice` without p: exactly uniform.
* `binomial(n, p)`: the binomial law at the exact rational value of the double p. (numpy computes its thresholds with
  `exp` and `log`, so that its law differs from this in the last bits. The one idealisation; `Law.models` names it.)

Everything else raises `UnmodelledRandomness`: other distributions, seeded generators, the operating system's entropy,
a uniform draw that is used as a number, a draw from a generator that was not replaced. Every path is run twice on the
same coins, and a difference raises too. This finds what is unmodelled by mistake; it is no fence against code that
means to deceive it.
"""

from __future__ import annotations

import contextlib
import copy
import datetime
import gc
import importlib
import importlib.util
import io
import itertools
import json
import math
import operator
import os
import pickle
import platform
import random
import secrets
import sys
import tempfile
import threading
import time
import traceback
import uuid
import warnings
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

import numpy as np

GRID = 1 << 53
"""A uniform double is a multiple of 1 / GRID."""
MAX_INTEGER_CELLS = 4096
PROBES = 12
_TEXT_LIMIT = 2000


class Refusal(BaseException):
    """The law cannot be computed. Not an `Exception`, so that a target cannot swallow it."""

    kind = "refused"


class UnmodelledRandomness(Refusal):
    """Randomness that this interceptor does not model, or a run that its coins do not determine."""

    kind = "unmodelled"


class TooManyPaths(Refusal):
    """More paths or draws than the limits allow; raised before they are walked wherever that can be foreseen."""

    kind = "paths"


class UnreadableOutput(Refusal):
    """An output that is too large or of a type without a canonical form."""

    kind = "output"


@dataclass(frozen=True)
class Limits:
    """Bounds of one enumeration: paths, random decisions on one path, scalars in one output."""

    paths: int = 100_000
    draws: int = 2_000
    output_items: int = 20_000


Key = Tuple[str, str]
"""An output: its canonical JSON text, and its raw description (types, dtypes, iteration order)."""


@dataclass
class Law:
    """Exact law of one callable."""

    entries: Dict[Key, Fraction] = field(default_factory=dict)
    values: Dict[Key, Any] = field(default_factory=dict)
    raised: Dict[Key, str] = field(default_factory=dict)
    models: Dict[str, int] = field(default_factory=dict)
    paths: int = 0
    clock_reads: int = 0


# --- coins ----------------------------------------------------------------------------------------------------------

_PROBE_GENERATOR = random.Random


class Coins:
    """One path: replays `script`, extends it by first branches (random ones when probing), remembers the branches."""

    def __init__(self, script: Sequence[int], limits: Limits, expected: Sequence[int] = (), probe: Any = None) -> None:
        self.trace: List[Tuple[int, int]] = []
        self.probability = Fraction(1)
        self.refusal: Optional[Refusal] = None
        self.models: Dict[str, int] = {}
        self.clock_reads = 0
        self.limits = limits
        self._script = script
        self._expected = expected
        self._probe = probe
        self._thread = threading.get_ident()

    def use(self, model: str) -> None:
        """Note the primitive that is about to be drawn from."""
        if threading.get_ident() != self._thread:
            self.refuse(UnmodelledRandomness("randomness drawn in another thread: " + model))
        self.models[model] = self.models.get(model, 0) + 1

    def refuse(self, refusal: Refusal) -> Any:
        """Raise, and remember, in case the target catches everything."""
        self.refusal = self.refusal or refusal
        raise refusal

    def choose(self, weights: Sequence[int]) -> int:
        """An index drawn with probability weight / sum of weights."""
        live = [i for i, weight in enumerate(weights) if weight]
        if len(live) == 1:
            return live[0]
        branch = self._branch(len(live))
        self.probability *= Fraction(weights[live[branch]], sum(weights))
        return live[branch]

    def uniform(self, size: int) -> int:
        """An index drawn uniformly from 0 .. size - 1."""
        if size == 1:
            return 0
        branch = self._branch(size)
        self.probability /= size
        return branch

    def arrangement(self, size: int, length: int) -> List[int]:
        """`length` different indices below `size`, uniformly, in order of drawing."""
        left = list(range(size))
        return [left.pop(self.uniform(len(left))) for _ in range(length)]

    def _branch(self, ways: int) -> int:
        depth = len(self.trace)
        estimate = ways
        for _, other_ways in self.trace:
            estimate *= other_ways
        if depth >= self.limits.draws:
            self.refuse(TooManyPaths(f"more than {depth} random decisions on one path; at least {estimate:.3e} paths"))
        if ways > self.limits.paths:
            self.refuse(
                TooManyPaths(f"about {estimate} paths (one draw has {ways} outcomes), limit {self.limits.paths}")
            )
        if depth < len(self._expected) and self._expected[depth] != ways:
            self.refuse(UnmodelledRandomness("the same coins led to another question: hidden randomness or kept state"))
        if depth < len(self._script):
            branch = self._script[depth]
        else:
            branch = self._probe.randrange(ways) if self._probe is not None else 0
        self.trace.append((branch, ways))
        return branch


class Source:
    """Where the replaced functions find the coins of the current run."""

    def __init__(self) -> None:
        self.coins: Optional[Coins] = None

    def use(self, model: str) -> Coins:
        """The current coins; outside a run there are none."""
        if self.coins is None:
            raise UnmodelledRandomness("randomness drawn outside the audited call: " + model)
        self.coins.use(model)
        return self.coins

    def refuse(self, message: str) -> Any:
        """Raise `UnmodelledRandomness`."""
        refusal = UnmodelledRandomness(message)
        if self.coins is None:
            raise refusal
        return self.coins.refuse(refusal)


# --- lazily determined uniform doubles ------------------------------------------------------------------------------


class _Cell:
    """The integers k that a draw k / 2^53 can still be: low <= k < high."""

    def __init__(self, source: Source, coins: Coins) -> None:
        self.source, self.coins = source, coins
        self.low, self.high = 0, GRID

    def restrict(self, cuts: List[int]) -> int:
        """Choose one of the consecutive pieces low..cuts[0]..cuts[1]..high with its exact conditional probability."""
        if self.source.coins is not self.coins:
            self.source.refuse("a uniform draw of an earlier run was kept and used again")
        edges = [self.low, *cuts, self.high]
        piece = self.coins.choose([edges[i + 1] - edges[i] for i in range(len(edges) - 1)])
        self.low, self.high = edges[piece], edges[piece + 1]
        return piece


def _first_change(low: int, high: int, value: Callable[[int], Any]) -> int:
    """Smallest k in (low, high) with value(k) != value(low), for a monotone `value` that does change."""
    start, left, right = value(low), low, high - 1
    while right - left > 1:
        middle = (left + right) // 2
        if value(middle) == start:
            left = middle
        else:
            right = middle
    return right


class LazyUniform:
    """A uniform double under monotone float operations with constants, undetermined until compared or rounded."""

    __slots__ = ("_cell", "_steps")
    __array_priority__ = 1000.0
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, cell: _Cell, steps: Tuple[Tuple[Any, Any, bool], ...] = ()) -> None:
        self._cell, self._steps = cell, steps

    def _value(self, k: int) -> float:
        value: Any = k / GRID
        for function, constant, reflected in self._steps:
            value = function(constant, value) if reflected else function(value, constant)
        return float(value)

    def _refuse(self, use: str) -> Any:
        return self._cell.source.refuse("a uniform draw is used as a number: " + use)

    def _constant(self, other: Any, use: str) -> Any:
        if isinstance(other, LazyUniform):
            return self._refuse(use + " with another draw")
        if isinstance(other, np.floating) and not isinstance(other, np.float64):
            return self._refuse(use + " with a " + type(other).__name__)
        if isinstance(other, np.ndarray) and other.ndim == 0:
            other = other.item()
        if isinstance(other, (np.integer, np.bool_)):
            other = int(other)
        if isinstance(other, (int, float, Fraction)):
            return float(other) if isinstance(other, np.float64) else other
        return self._refuse(use + " with a " + type(other).__name__)

    def _affine(self, function: Any, other: Any, reflected: bool = False) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return _elementwise(lambda x: self._affine(function, x, reflected), other)
        constant = self._constant(other, function.__name__)
        if isinstance(constant, Fraction) or not math.isfinite(constant):
            return self._refuse(function.__name__ + " with " + repr(constant))
        return LazyUniform(self._cell, (*self._steps, (function, constant, reflected)))

    def _compare(self, function: Any, other: Any) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return _elementwise(lambda x: self._compare(function, x), other).astype(bool)
        constant = self._constant(other, "comparison")
        return bool(self._decide(lambda k: function(self._value(k), constant)))

    def _decide(self, value: Callable[[int], Any]) -> Any:
        cell = self._cell
        cuts: List[int] = []
        low = cell.low
        while value(low) != value(cell.high - 1):
            if len(cuts) >= MAX_INTEGER_CELLS:
                cell.coins.refuse(TooManyPaths(f"a uniform draw is rounded to more than {MAX_INTEGER_CELLS} integers"))
            low = _first_change(low, cell.high, value)
            cuts.append(low)
        if cuts or cell.source.coins is not cell.coins:
            cell.restrict(cuts)
        return value(cell.low)

    def _round(self, function: Any) -> int:
        return int(self._decide(lambda k: function(self._value(k))))

    def __lt__(self, other: Any) -> Any:
        return self._compare(operator.lt, other)

    def __le__(self, other: Any) -> Any:
        return self._compare(operator.le, other)

    def __gt__(self, other: Any) -> Any:
        return self._compare(operator.gt, other)

    def __ge__(self, other: Any) -> Any:
        return self._compare(operator.ge, other)

    def __eq__(self, other: Any) -> Any:
        return self._refuse("test for equality")

    def __ne__(self, other: Any) -> Any:
        return self._refuse("test for equality")

    def __add__(self, other: Any) -> Any:
        return self._affine(operator.add, other)

    def __radd__(self, other: Any) -> Any:
        return self._affine(operator.add, other, True)

    def __sub__(self, other: Any) -> Any:
        return self._affine(operator.sub, other)

    def __rsub__(self, other: Any) -> Any:
        return self._affine(operator.sub, other, True)

    def __mul__(self, other: Any) -> Any:
        return self._affine(operator.mul, other)

    def __rmul__(self, other: Any) -> Any:
        return self._affine(operator.mul, other, True)

    def __truediv__(self, other: Any) -> Any:
        return self._affine(operator.truediv, other)

    def __floordiv__(self, other: Any) -> Any:
        return self._affine(operator.floordiv, other)

    def __neg__(self) -> Any:
        return self._affine(operator.mul, -1)

    def __pos__(self) -> Any:
        return self

    def __int__(self) -> int:
        return self._round(int)

    __trunc__ = __int__

    def __floor__(self) -> int:
        return self._round(math.floor)

    def __ceil__(self) -> int:
        return self._round(math.ceil)

    def __round__(self, digits: Any = None) -> Any:
        return self._refuse("round to digits") if digits is not None else self._round(round)

    def floor(self) -> float:
        """What `numpy.floor` calls on an array of draws."""
        return float(self._round(math.floor))

    def ceil(self) -> float:
        """What `numpy.ceil` calls on an array of draws."""
        return float(self._round(math.ceil))

    def rint(self) -> float:
        """What `numpy.rint` calls on an array of draws."""
        return float(self._round(round))

    def __float__(self) -> float:
        return float(self._refuse("conversion to float"))

    def __bool__(self) -> bool:
        return bool(self._refuse("truth value"))

    def __index__(self) -> int:
        return int(self._refuse("index"))

    def __repr__(self) -> str:
        return str(self._refuse("text"))

    def __format__(self, specification: str) -> str:
        return str(self._refuse("text"))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._refuse("copy")

    def __rtruediv__(self, other: Any) -> Any:
        return self._refuse("division by it")

    def __pow__(self, other: Any) -> Any:
        return self._refuse("power")

    def __rpow__(self, other: Any) -> Any:
        return self._refuse("power")

    def __mod__(self, other: Any) -> Any:
        return self._refuse("remainder")

    def __rmod__(self, other: Any) -> Any:
        return self._refuse("remainder")

    def __rfloordiv__(self, other: Any) -> Any:
        return self._refuse("division by it")

    def __abs__(self) -> Any:
        return self._refuse("absolute value")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._refuse("." + name)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        function = _UFUNCS.get(ufunc.__name__)
        if function is None or method != "__call__" or options:
            return self._refuse("numpy." + ufunc.__name__)
        if len(inputs) == 2 and isinstance(inputs[0], (np.generic, np.ndarray)):
            return getattr(self, _REFLECTED[ufunc.__name__])(inputs[0])
        return function(*inputs)


def _elementwise(function: Callable[[Any], Any], array: Any) -> Any:
    result = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        result[index] = function(array[index])
    return result


_UFUNCS: Dict[str, Any] = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "true_divide": operator.truediv,
    "negative": operator.neg,
    "floor": LazyUniform.floor,
    "ceil": LazyUniform.ceil,
    "rint": LazyUniform.rint,
}
_REFLECTED = {
    "less": "__gt__",
    "less_equal": "__ge__",
    "greater": "__lt__",
    "greater_equal": "__le__",
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "divide": "__rtruediv__",
    "true_divide": "__rtruediv__",
}


# --- replacements ---------------------------------------------------------------------------------------------------


def _python_random(source: Source) -> Any:
    """A subclass of `random.Random`: the standard library's own algorithms on lazy uniforms and enumerated integers."""

    class Random(random.Random):
        def __init__(self, x: Any = None) -> None:
            self.gauss_next = None
            self.seed(x)

        def random(self) -> Any:
            coins = source.use("random.random: uniform on multiples of 2^-53")
            return LazyUniform(_Cell(source, coins))

        def seed(self, a: Any = None, version: int = 2) -> None:
            if a is not None:
                source.refuse("a seeded generator: random.Random(" + repr(a)[:40] + ")")

        def getrandbits(self, k: int) -> int:
            return source.use("random.getrandbits: uniform").uniform(1 << k)

        def _randbelow(self, n: int) -> int:
            if n <= 0:
                raise ValueError("empty range for randrange()")
            return source.use("random integers: uniform").uniform(n)

        def sample(self, population: Any, k: int, **options: Any) -> List[Any]:
            if options:
                source.refuse("random.sample(" + ", ".join(options) + ")")
            items = list(population)
            if not 0 <= k <= len(items):
                raise ValueError("Sample larger than population or is negative")
            coins = source.use("random.sample: uniform ordered sample")
            return [items[i] for i in coins.arrangement(len(items), k)]

        def randbytes(self, n: int) -> bytes:
            return self.getrandbits(n * 8).to_bytes(n, "little")

        def getstate(self) -> Any:
            return source.refuse("random.getstate")

        def setstate(self, state: Any) -> None:
            source.refuse("random.setstate")

    Random.__qualname__ = "Random"
    return Random


def _binomial_weights(n: int, p: float) -> List[int]:
    top, bottom = Fraction(p).numerator, Fraction(p).denominator
    return [math.comb(n, j) * top**j * (bottom - top) ** (n - j) for j in range(n + 1)]


def _categorical_weights(p: Any) -> List[int]:
    """How many of the 2^53 uniform doubles numpy's cdf search sends to each index."""
    cdf = np.asarray(p, dtype=np.float64).cumsum()
    cdf /= cdf[-1]
    edges = [0] + [min(GRID, math.ceil(Fraction(float(c)) * GRID)) for c in cdf]
    return [max(0, edges[i + 1] - edges[i]) for i in range(len(edges) - 1)]


def _fill(template: Any, draw: Callable[[Tuple[int, ...]], Any]) -> Any:
    """Values drawn into the shape and type that the real function returned for the same arguments."""
    if not isinstance(template, np.ndarray):
        value = draw(())
        return value if isinstance(value, LazyUniform) else type(template)(value)
    result = np.empty_like(template)
    for index in np.ndindex(template.shape):
        result[index] = draw(index)
    return result


class _NumpyDraws:
    """What `RandomState` and `Generator` share. `_real`, a private generator, validates arguments and gives types."""

    _source: Source
    _real: Any
    _name = "numpy.random"

    def _uniforms(self, shape: Any, scale: Callable[[Any, Tuple[int, ...]], Any]) -> Any:
        coins = self._source.use(self._name + " uniform doubles: uniform on multiples of 2^-53")
        if shape is None:
            return scale(LazyUniform(_Cell(self._source, coins)), ())
        result = np.empty(shape, dtype=object)
        for index in np.ndindex(result.shape):
            result[index] = scale(LazyUniform(_Cell(self._source, coins)), index)
        return result

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        template = self._real.uniform(low, high, size)
        shape = template.shape if isinstance(template, np.ndarray) else None
        lows, highs = (np.broadcast_to(np.asarray(x, dtype=np.float64), shape or ()) for x in (low, high))
        return self._uniforms(shape, lambda u, i: float(lows[i]) + float(highs[i] - lows[i]) * u)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        template = self._real.binomial(n, p, size)
        coins = self._source.use(
            self._name + ".binomial: binomial law at the rational value of p (idealised in the last bits)"
        )
        shape = template.shape if isinstance(template, np.ndarray) else ()
        ns, ps = np.broadcast_to(n, shape), np.broadcast_to(p, shape)
        return _fill(template, lambda i: coins.choose(_binomial_weights(int(ns[i]), float(ps[i]))))

    def _choice(self, template: Any, a: Any, size: Any, replace: bool, p: Any, axis: int = 0) -> Any:
        if axis != 0:
            self._source.refuse("choice with axis=" + repr(axis))
        population = None if isinstance(a, (int, np.integer)) or np.ndim(a) == 0 else np.asarray(a)
        count = int(a) if population is None else population.shape[0]
        shape = () if size is None else tuple(np.atleast_1d(size).tolist())
        total = int(np.prod(shape)) if shape else 1
        if not replace and total > 1:
            if p is not None:
                self._source.refuse("choice without replacement with p")
            drawn = self._source.use(self._name + ".choice without replacement: uniform").arrangement(count, total)
        elif p is not None:
            weights = _categorical_weights(p)
            coins = self._source.use(self._name + ".choice(p): numpy's cdf search on the doubles")
            drawn = [coins.choose(weights) for _ in range(total)]
        else:
            coins = self._source.use(self._name + ".choice: uniform")
            drawn = [coins.uniform(count) for _ in range(total)]
        if size is None:
            return type(template)(drawn[0]) if population is None else population[drawn[0]]
        indices = np.array(drawn, dtype=np.int64).reshape(shape)
        return indices.astype(template.dtype) if population is None else population[indices]

    def shuffle(self, x: Any, axis: int = 0) -> None:
        if axis != 0:
            self._source.refuse("shuffle with axis=" + repr(axis))
        self._real.shuffle(copy.copy(x))
        coins = self._source.use(self._name + ".shuffle: uniform permutation")
        order = coins.arrangement(len(x), len(x))
        old = x.copy() if isinstance(x, np.ndarray) else list(x)
        for i, j in enumerate(order):
            x[i] = old[j]

    def permutation(self, x: Any, axis: int = 0) -> Any:
        if axis != 0:
            self._source.refuse("permutation with axis=" + repr(axis))
        template = self._real.permutation(x)
        coins = self._source.use(self._name + ".permutation: uniform permutation")
        items = np.arange(x) if np.ndim(x) == 0 else np.asarray(x)
        return items[coins.arrangement(len(items), len(items))].astype(template.dtype)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if not hasattr(self._real, name):
            raise AttributeError(name)
        return lambda *args, **options: self._source.refuse(self._name + "." + name)

    def __reduce__(self) -> Any:
        return self._source.refuse("a copy of a generator")


def _random_state(source: Source) -> Any:
    class RandomState(_NumpyDraws):
        _source = source
        _real = _REAL["RandomState"](0)

        def __init__(self, seed: Any = None) -> None:
            self.seed(seed)

        def seed(self, seed: Any = None) -> None:
            if seed is not None and not isinstance(seed, _BitGenerator):
                source.refuse("a seeded generator: numpy.random seed " + repr(seed)[:40])

        def random_sample(self, size: Any = None) -> Any:
            return self._uniforms(size, lambda u, i: u)

        random = ranf = sample = random_sample

        def rand(self, *shape: int) -> Any:
            return self._uniforms(shape or None, lambda u, i: u)

        def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
            template = self._real.randint(low, high, size, dtype)
            return _integers(self, template, low, high, 0)

        def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
            return self._choice(self._real.choice(a, size, replace, p), a, size, replace, p)

    return RandomState


def _generator(source: Source) -> Any:
    class Generator(_NumpyDraws):
        _source = source
        _real = _REAL["default_rng"](0)
        _name = "numpy Generator"

        def __init__(self, bit_generator: Any) -> None:
            if not isinstance(bit_generator, _BitGenerator):
                source.refuse("numpy.random.Generator(" + type(bit_generator).__name__ + ")")
            self._bits = bit_generator

        @property
        def bit_generator(self) -> Any:
            return self._bits

        def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
            if out is not None or np.dtype(dtype) != np.float64:
                source.refuse("Generator.random with dtype or out")
            return self._uniforms(size, lambda u, i: u)

        def integers(
            self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
        ) -> Any:
            template = self._real.integers(low, high, size, dtype, endpoint)
            return _integers(self, template, low, high, int(endpoint))

        def choice(
            self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
        ) -> Any:
            if not shuffle and not replace:
                source.refuse("Generator.choice(shuffle=False)")
            return self._choice(self._real.choice(a, size, replace, p, axis), a, size, replace, p, axis)

    return Generator


def _integers(self: _NumpyDraws, template: Any, low: Any, high: Any, closed: int) -> Any:
    if high is None:
        low, high = 0, low
    coins = self._source.use(self._name + " integers: uniform")
    shape = template.shape if isinstance(template, np.ndarray) else ()
    lows, highs = np.broadcast_to(low, shape), np.broadcast_to(high, shape)
    return _fill(template, lambda i: int(lows[i]) + coins.uniform(int(highs[i]) + closed - int(lows[i])))


class _BitGenerator:
    """Stands for an unseeded bit generator."""


_REAL: Dict[str, Any] = {name: getattr(np.random, name) for name in ("RandomState", "default_rng", "Generator")}
_SYSTEM: Tuple[Tuple[Any, str], ...] = (
    *((os, name) for name in ("urandom", "getrandom")),
    *((secrets, name) for name in ("choice", "randbelow", "randbits", "token_bytes", "token_hex", "token_urlsafe")),
    *((uuid, name) for name in ("uuid1", "uuid4")),
    (random, "SystemRandom"),
)
_CLOCKS = {
    id(getattr(time, name))
    for name in (
        *("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns"),
        *("process_time", "process_time_ns", "thread_time", "thread_time_ns"),
    )
}
_PROCESSES = {
    id(f) for f in (getattr(os, n, None) for n in ("urandom", "getrandom", "fork", "forkpty")) if f is not None
}


class Interceptor:
    """Context manager: puts the replacements wherever the originals are found by identity, and takes them out again.

    `watch_generators` also watches the state of every numpy generator that exists already (a scan of all objects).
    """

    def __init__(self, watch_generators: bool = True) -> None:
        self.source = Source()
        self._undo: List[Tuple[Any, str, Any]] = []
        self._watched: List[Any] = []
        self._fakes: Tuple[Any, ...] = ()
        self._watch_generators = watch_generators

    def __enter__(self) -> Source:
        table = self._replacements()
        generators = (np.random.RandomState, np.random.Generator)
        self._watched = [getattr(np.random.mtrand, "_rand")]  # noqa: B009 - private, and absent from the stubs
        if self._watch_generators:
            private = {id(replacement._real) for replacement in self._fakes}
            self._watched += [g for g in gc.get_objects() if isinstance(g, generators) and id(g) not in private]
        for module in list(sys.modules.values()):
            names = getattr(module, "__dict__", None)
            if not isinstance(names, dict) or names is globals():
                continue
            numpy_inside = str(names.get("__name__")).startswith("numpy.random.")
            for name, value in list(names.items()):
                entry = table.get(id(value))
                if entry is not None and entry[0] is value and not (numpy_inside and isinstance(value, type)):
                    names[name] = entry[1]
                    self._undo.append((names, name, value))
        return self.source

    def __exit__(self, *exception: object) -> None:
        while self._undo:
            names, name, value = self._undo.pop()
            names[name] = value

    def states(self) -> List[bytes]:
        """The states of the generators that are watched; a run must leave them alone."""
        return [pickle.dumps(_state(generator)) for generator in self._watched]

    def _replacements(self) -> Dict[int, Tuple[Any, Any]]:
        source = self.source
        table: Dict[int, Tuple[Any, Any]] = {}

        def put(original: Any, replacement: Any) -> None:
            table[id(original)] = (original, replacement)

        fake_random = _python_random(source)
        python = fake_random()
        hidden = getattr(random, "_inst")  # noqa: B009 - private, and absent from the stubs
        for name in dir(hidden):
            value = getattr(random, name, None)
            if getattr(value, "__self__", None) is hidden:
                put(value, getattr(python, name))
        put(hidden, python)
        put(random.Random, fake_random)

        state_class, generator_class = _random_state(source), _generator(source)
        self._fakes = (state_class, generator_class)
        state = state_class()
        put(getattr(np.random.mtrand, "_rand"), state)  # noqa: B009 - private, and absent from the stubs
        put(np.random.RandomState, state_class)
        put(np.random.Generator, generator_class)
        for name in dir(np.random):
            value = getattr(np.random, name)
            if (
                name.startswith("_")
                or name in ("default_rng", "test")
                or not callable(value)
                or isinstance(value, type)
            ):
                continue
            put(value, getattr(state, name, _loud(source, "numpy.random." + name)))

        class BitGenerator(_BitGenerator):
            def __init__(self, seed: Any = None) -> None:
                if seed is not None and not isinstance(seed, _BitGenerator):
                    source.refuse("a seeded generator: numpy.random seed " + repr(seed)[:40])

        def default_rng(seed: Any = None) -> Any:
            return seed if isinstance(seed, generator_class) else generator_class(BitGenerator(seed))

        put(np.random.default_rng, default_rng)
        for name in ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence"):
            if hasattr(np.random, name):
                put(getattr(np.random, name), type(name, (BitGenerator,), {}))
        for module, name in _SYSTEM:
            if hasattr(module, name):
                put(
                    getattr(module, name),
                    _loud(source, "entropy of the operating system: " + module.__name__ + "." + name),
                )
        return table


def _state(generator: Any) -> Any:
    return generator.bit_generator.state if isinstance(generator, _REAL["Generator"]) else generator.get_state()


def _loud(source: Source, message: str) -> Callable[..., Any]:
    def refuse(*args: Any, **options: Any) -> Any:
        return source.refuse(message)

    return refuse


def _watch(coins: Coins) -> Callable[[Any, str, Any], None]:
    """A profile function that sees calls of C functions: entropy, real generators, clocks reached by other names."""

    def profile(frame: Any, event: str, function: Any) -> None:
        if event != "c_call":
            return
        owner = getattr(function, "__self__", None)
        if isinstance(owner, _PROBE_GENERATOR) and function.__name__ in ("random", "getrandbits"):
            if owner is not getattr(coins, "_probe", None):
                coins.refuse(UnmodelledRandomness("a random.Random that was not replaced draws " + function.__name__))
        elif id(function) in _PROCESSES:
            coins.refuse(UnmodelledRandomness("call of os." + function.__name__))
        elif id(function) in _CLOCKS or (
            isinstance(owner, type)
            and issubclass(owner, datetime.date)
            and function.__name__ in ("now", "today", "utcnow")
        ):
            coins.clock_reads += 1

    return profile


# --- outputs --------------------------------------------------------------------------------------------------------


class _Reader:
    """Canonical JSON value and raw description of an output."""

    def __init__(self, source: Source, limit: int) -> None:
        self._source, self._left = source, limit

    def read(self, value: Any) -> Tuple[Any, str]:
        """(canonical, raw): equal numbers have equal canonical forms whatever their type; raw keeps type and order."""
        self._left -= 1
        if self._left < 0:
            raise UnreadableOutput("an output with too many parts")
        name = type(value).__name__ if type(value).__module__ != "numpy" else "numpy." + type(value).__name__
        if isinstance(value, LazyUniform):
            self._source.refuse("a uniform draw is part of the output")
        if value is None or isinstance(value, (bool, np.bool_)):
            return (None if value is None else bool(value)), name
        if isinstance(value, (int, np.integer)):
            if int(value).bit_length() > 4096:
                raise UnreadableOutput("an integer of more than 4096 bits")
            return int(value), name
        if isinstance(value, (float, np.floating)):
            return _number(float(value)), name + (" -0" if value == 0 and math.copysign(1, float(value)) < 0 else "")
        if isinstance(value, (str, bytes, bytearray)):
            self._left -= len(value)
            if self._left < 0:
                raise UnreadableOutput(f"a {name} of length {len(value)}")
            return (str(value) if isinstance(value, str) else {"bytes": bytes(value).hex()}), name
        if isinstance(value, np.ndarray):
            if value.size > self._left:
                raise UnreadableOutput(f"an array of {value.size} numbers")
            if value.dtype != object:
                numbers, _ = self.read(value.tolist())
                return numbers, f"numpy.ndarray {value.dtype.str} {value.shape}"
            canonical, raw = self.read(value.tolist())
            return canonical, f"numpy.ndarray object {value.shape} of {raw}"
        if isinstance(value, (list, tuple)):
            parts = [self.read(part) for part in value]
            return [c for c, _ in parts], name + "[" + _runs([r for _, r in parts]) + "]"
        if isinstance(value, (set, frozenset)):
            parts = [self.read(part) for part in value]
            canonical = sorted((c for c, _ in parts), key=_text)
            return {"set": canonical}, f"{name} in order [{', '.join(_text(c) for c, _ in parts)}]"
        if isinstance(value, dict):
            pairs = [(self.read(k), self.read(v)) for k, v in value.items()]
            canonical = sorted(([k[0], v[0]] for k, v in pairs), key=_text)
            order = ", ".join(_text(k[0]) + ": " + v[1] for k, v in pairs)
            return {"dict": canonical}, f"{name} in order [{order}]"
        raise UnreadableOutput("no canonical form for an output of type " + name)


def _number(value: float) -> Any:
    if not math.isfinite(value):
        return {"float": repr(value)}
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else {"fraction": str(exact)}


def _runs(names: List[str]) -> str:
    groups = [(name, len(list(group))) for name, group in itertools.groupby(names)]
    return ", ".join(f"{name}*{count}" if count > 1 else name for name, count in groups)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


# --- enumeration ----------------------------------------------------------------------------------------------------


def exact_law(
    function: Callable[[], Any], limits: Optional[Limits] = None, interceptor: Optional[Interceptor] = None
) -> Law:
    """The exact law of `function()`. An `Exception` is an outcome; what cannot be enumerated raises `Refusal`."""
    limits = limits or Limits()
    if interceptor is not None:
        return _enumerate(function, limits, interceptor)
    interceptor = Interceptor()
    with interceptor:
        return _enumerate(function, limits, interceptor)


def _enumerate(function: Callable[[], Any], limits: Limits, interceptor: Interceptor) -> Law:
    law = Law()
    probe, total = _PROBE_GENERATOR(0), 0
    for _ in range(PROBES):
        coins = Coins((), limits, probe=probe)
        _run(function, coins, interceptor)
        if not coins.trace:
            break
        total += math.prod(ways for _, ways in coins.trace)
    if total // PROBES > limits.paths:
        raise TooManyPaths(f"an estimated {total // PROBES} paths, limit {limits.paths}")
    script: List[int] = []
    expected: List[int] = []
    while True:
        coins = Coins(script, limits, expected)
        key, value, raised = _run(function, coins, interceptor)
        ways = [w for _, w in coins.trace]
        again = Coins([b for b, _ in coins.trace], limits, ways)
        if _run(function, again, interceptor)[0] != key or again.trace != coins.trace:
            raise UnmodelledRandomness(
                "two runs on the same coins differ: hidden randomness, or state kept between calls"
            )
        law.entries[key] = law.entries.get(key, Fraction(0)) + coins.probability
        law.values.setdefault(key, value)
        if raised is not None:
            law.raised[key] = raised
        for model, count in coins.models.items():
            law.models[model] = max(count, law.models.get(model, 0))
        law.clock_reads = max(law.clock_reads, coins.clock_reads)
        law.paths += 1
        if law.paths > limits.paths:
            raise TooManyPaths(
                f"more than {limits.paths} paths; an estimate from {PROBES} random paths said {total // PROBES}"
            )
        path = list(coins.trace)
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            break
        script = [b for b, _ in path[:-1]] + [path[-1][0] + 1]
        expected = [w for _, w in path]
    assert sum(law.entries.values()) == 1
    return law


def _run(function: Callable[[], Any], coins: Coins, interceptor: Interceptor) -> Tuple[Key, Any, Optional[str]]:
    """One run: (key of the outcome, the raw output, what was raised)."""
    source, raised, value = interceptor.source, None, None
    before = interceptor.states()
    source.coins = coins
    previous = sys.getprofile()
    sys.setprofile(_watch(coins))
    try:
        value = function()
    except Refusal:
        raise
    except (Exception, SystemExit) as error:
        raised = (type(error).__name__ + ": " + str(error))[:_TEXT_LIMIT]
    finally:
        sys.setprofile(previous)
        source.coins = None
    if coins.refusal is not None:
        raise coins.refusal
    if interceptor.states() != before:
        raise UnmodelledRandomness("a numpy generator that was not replaced was drawn from")
    if raised is not None:
        return (_text({"raised": raised}), "raised"), None, raised
    canonical, raw = _Reader(source, coins.limits.output_items).read(value)
    return (_text(canonical), raw), value, None


# --- the child process ----------------------------------------------------------------------------------------------


class _Session:
    """Runs the parts of one job and emits each as soon as it is known: a failing or hanging one loses nothing."""

    def __init__(self, job: Dict[str, Any], emit: Callable[..., None], printed: Callable[[], str]) -> None:
        self._job, self._emit, self._printed = job, emit, printed
        self._limits = Limits(**job.get("limits", {}))
        self._interceptor = Interceptor()
        self._found: List[Tuple[str, str]] = []
        self._models: Dict[str, int] = {}
        self._protocol: Any = None

    def find(self, kind: str, message: str) -> None:
        """Emit a finding, once."""
        if (kind, message) not in self._found:
            self._found.append((kind, message))
            self._emit("finding", kind=kind, message=message[:_TEXT_LIMIT])

    def run(self) -> None:
        """All parts of the job."""
        job = self._job
        self._emit("begin", where="import")
        self._protocol = _load(job["adapter"], job["protocol"])(**job["parameters"])
        self._note_prints("import")
        self._emit("versions", versions=_versions(job.get("distributions", [])))
        reports: Dict[Key, Any] = {}
        with self._interceptor:
            for input_type in job["input_types"]:
                for item in job["inputs"]:
                    law = self._law("law", [item], input_type)
                    if law is not None and input_type == job["input_types"][0]:
                        reports.update({key: law.values[key] for key in law.entries if key not in law.raised})
            for item in job.get("outside", []):
                self._law("outside", [item], job["input_types"][0])
            for items in job.get("reuse", []):
                self._law("reuse", items, job["input_types"][0])
            self._emit("reports", reports=[{"output": json.loads(text), "raw": raw} for text, raw in reports])
            values = list(reports.values())
            for users in job.get("users", []):
                if len(values) ** users > self._limits.paths:
                    self.find("paths", f"{len(values)}^{users} lists of reports, limit {self._limits.paths}")
                    continue
                for chosen in itertools.product(range(len(values)), repeat=users):
                    self._estimate(chosen, [values[i] for i in chosen])
        self._emit("done", models=self._models)

    def _law(self, part: str, items: List[Any], input_type: str) -> Optional[Law]:
        """Law of the report of a fresh client; for several items, of the list of reports of one client."""

        def privatise() -> Any:
            client = self._protocol.client()
            outputs = []
            for item in items:
                given = _decode(item, input_type)
                outputs.append(self._protocol.privatise(client, given))
                if self._description(given) != self._description(_decode(item, input_type)):
                    self.find("mutated", f"the input {item!r} ({input_type}) was changed by privatise")
            return outputs[0] if len(items) == 1 else outputs

        answer: Dict[str, Any] = {"inputs": items, "input_type": input_type}
        law = self._exact(privatise, f"privatise({', '.join(map(repr, items))}) with {input_type}", answer)
        if law is not None:
            answer["paths"] = law.paths
            answer["entries"] = [
                {"output": json.loads(key[0]), "raw": key[1], "probability": str(p), "raised": law.raised.get(key)}
                for key, p in law.entries.items()
            ]
        self._emit(part, **answer)
        return law

    def _estimate(self, chosen: Sequence[int], values: List[Any]) -> None:
        def estimate() -> Any:
            given = copy.deepcopy(values)
            server = self._protocol.server()
            for report in given:
                self._protocol.aggregate(server, report)
            result = list(self._protocol.estimate(server))
            if self._description(given) != self._description(values):
                self.find("mutated", f"the reports {values!r} were changed by the server")
            return result

        def stepwise() -> Any:
            server = self._protocol.server()
            result: List[Any] = []
            for report in copy.deepcopy(values):
                self._protocol.aggregate(server, report)
                self._protocol.estimate(server)
                result = list(self._protocol.estimate(server))
            return result

        answer: Dict[str, Any] = {"reports": list(chosen)}
        for name, function in (("estimates", estimate), ("stepwise", stepwise)):
            law = self._exact(function, f"{name} of the reports {values!r}", answer)
            key = None if law is None else next(iter(law.entries))
            if law is not None and law.paths != 1:
                answer["refused"] = {"kind": "unmodelled", "message": "the server draws randomness"}
            elif law is not None and key in law.raised:
                answer["refused"] = {"kind": "raised", "message": law.raised[key]}
            if "refused" in answer or key is None:
                break
            answer[name] = json.loads(key[0])
        self._emit("estimate", **answer)

    def _exact(self, function: Callable[[], Any], where: str, answer: Dict[str, Any]) -> Optional[Law]:
        self._emit("begin", where=where)
        law = None
        try:
            law = exact_law(function, self._limits, self._interceptor)
        except Refusal as refusal:
            answer["refused"] = {"kind": refusal.kind, "message": str(refusal)[:_TEXT_LIMIT]}
        self._note_prints(where)
        if law is not None:
            for model, count in law.models.items():
                self._models[model] = max(count, self._models.get(model, 0))
            if law.clock_reads:
                self.find("clock", "a clock is read by " + where)
        return law

    def _note_prints(self, where: str) -> None:
        text = self._printed()
        if text:
            self.find("printed", f"{where}: {text}")

    def _description(self, value: Any) -> Any:
        return _Reader(self._interceptor.source, self._limits.output_items).read(value)


def _decode(item: Any, input_type: str) -> Any:
    if input_type == "int":
        return item
    if input_type.startswith("numpy."):
        return getattr(np, input_type[len("numpy.") :])(item)
    if input_type == "list":
        return list(item)
    raise ValueError("unknown input type " + repr(input_type))


def _load(adapter: str, protocol: str) -> Any:
    if not adapter.endswith(".py"):
        return getattr(importlib.import_module(adapter), protocol)
    specification = importlib.util.spec_from_file_location("audited_adapter", adapter)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["audited_adapter"] = module
    specification.loader.exec_module(module)
    return getattr(module, protocol)


def _versions(distributions: Iterable[str]) -> Dict[str, str]:
    from importlib import metadata

    found = {"python": platform.python_version()}
    for name in (*distributions, "numpy"):
        found[name] = metadata.version(name)
    return found


def _bound_resources(megabytes: int) -> None:
    """Limit memory and the size of written files where the platform can."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 20, 16 << 20))


def main() -> int:
    """Read one job from stdin, write JSON lines. The target's prints go to a file, out of the way of the answers."""
    if sys.path and sys.path[0] == os.path.dirname(os.path.abspath(__file__)):  # noqa: PTH100, PTH120
        del sys.path[0]  # or the audited library would be found under the name of its adapter
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    job = json.loads(sys.stdin.readline())
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # a probability may have more digits
    _bound_resources(int(job.get("megabytes", 4096)))
    warnings.simplefilter("ignore")

    def emit(part: str, **content: Any) -> None:
        answers.write(json.dumps({"part": part, **content}) + "\n")
        answers.flush()

    with tempfile.TemporaryFile() as capture:
        os.dup2(capture.fileno(), 1)
        sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False), write_through=True)

        def printed() -> str:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
            size = os.fstat(1).st_size
            if not size:
                return ""
            text = os.pread(1, _TEXT_LIMIT // 4, 0).decode("utf-8", "replace")
            os.ftruncate(1, 0)
            os.lseek(1, 0, os.SEEK_SET)
            return f"{size} bytes: {text!r}"

        try:
            _Session(job, emit, printed).run()
        except BaseException as error:
            kind = error.kind if isinstance(error, Refusal) else "raised"
            emit("failed", kind=kind, message=f"{type(error).__name__}: {error}"[:_TEXT_LIMIT], trace=_trace())
    return 0


def _trace() -> str:
    return traceback.format_exc()[-_TEXT_LIMIT:]


if __name__ == "__main__":
    sys.exit(main())
