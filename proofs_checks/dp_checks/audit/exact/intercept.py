"""Exact output laws of foreign Python code: its randomness is replaced by coins, replayed until every path is taken.

One file that imports only the standard library and numpy and is valid for Python 3.8, so that it runs as a child
process (`python intercept.py`, a job on stdin, JSON lines on stdout) inside the environment of the audited library.
Probabilities are `fractions.Fraction`. What each replaced primitive is modelled as:

* a uniform double (`random.random`, `SystemRandom().random`, `numpy.random.random`, `.rand`, `.uniform`, ...):
  k / 2^53, k uniform on 0 .. 2^53 - 1, which is what the libraries return given perfect random bits. It is lazy:
  undetermined until it is compared with a constant or rounded to an integer. Arithmetic with constants is the float
  arithmetic of the target, so that every comparison is decided on the very doubles, by bisection for the k at which
  its outcome changes. Equality with a constant, signs and absolute values are comparisons.
* `log`, `log1p`, `log2`, `log10`, `exp`, `expm1`, `sqrt` of `math` and numpy, of a lazy draw: the function of this
  machine on the very doubles; bisection takes it to be monotone on them (known for sqrt, so in practice otherwise).
* `laplace`, `gumbel`, `logistic` of `RandomState` and `Generator`, `exponential` of `RandomState`,
  `Generator.standard_exponential(method="inv")`: lazy; numpy's C formula of one uniform double, with this machine's
  log, which is monotone in the same sense. numpy redraws a uniform 0 for the first three: k is on 1 .. 2^53 - 1.
  `random.expovariate` and the like are the standard library's own code on a lazy uniform double.
* `Generator.exponential` is a ziggurat in numpy. Idealised: -scale log(1 - u) for a uniform double u (a
  probability of this law differs from that of the exponential law by about 2^-53).
* `geometric(p)`: for p >= 1/3 numpy's search on one uniform double, given that it ends; for p < 1/3
  ceil(log1p(-u) / log1p(-p)), which is numpy's formula for `RandomState`, and idealised for `Generator` (a ziggurat).
* `choice(p=...)`: numpy's own rule on the doubles: cdf = cumsum(p) / last, index = number of cdf entries <= uniform;
  without replacement, numpy's rounds of it.
* integers, permutations, shuffles, samples, `choice` without p, `random.SystemRandom` (also one made before the
  interception), `secrets`, `os.urandom`: exactly uniform.
* `binomial(n, p)`: the binomial law at the exact rational value of the double p. (numpy computes its thresholds with
  `exp` and `log`, so that its law differs from this in the last bits: idealised.)
* an integer draw with too many outcomes to enumerate has an outcome that the job gives, if it gives any
  (`Limits.conditioned`), and so has one outside the audited call. The law is that given these outcomes. A generator
  that is seeded with such an outcome (outside the audited call: with any integer) is the real one.

`Law.models` names what was used. Everything else raises `UnmodelledRandomness`: other distributions, two lazy draws
compared with each other, a lazy draw that is used as a number, a draw from a generator that was not replaced, a draw in
another thread, the start of a thread or a process, devices of randomness, `random` or `numpy.random` imported afresh or
patched by the target. A seed of the target's own raises `Seeded`. Every path is run twice on the same coins, and a
difference raises too. This finds what is unmodelled by mistake; it is no fence against code that means to deceive it,
and C code that draws on its own account (through cffi, or inside an extension module) is seen only if two runs differ.
"""

from __future__ import annotations

import _thread
import collections.abc
import contextlib
import copy
import datetime
import functools
import gc
import importlib
import importlib.util
import inspect
import io
import itertools
import json
import math
import operator
import os
import pickle
import platform
import random
import re
import secrets
import sys
import tempfile
import threading
import time
import traceback
import types
import uuid
import warnings
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

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


class Seeded(Refusal):
    """The target seeds a generator itself, so that what it draws from it is deterministic."""

    kind = "seeded"


class UnreadableOutput(Refusal):
    """An output that is too large or of a type without a canonical form."""

    kind = "output"


@dataclass(frozen=True)
class Limits:
    """Bounds of one enumeration: paths, random decisions on one path, scalars in one output.

    With `conditioned`, an integer draw with more than `paths` outcomes (or at least `condition_from`, if given) is not
    enumerated: the k-th one of a run has the outcome `conditioned[k % len(conditioned)]`, counted from 0.
    """

    paths: int = 100_000
    draws: int = 2_000
    output_items: int = 20_000
    conditioned: Tuple[int, ...] = ()
    condition_from: Optional[int] = None


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

_RANDOM = random.Random


class Coins:
    """One path: replays `script`, extends it by first branches (random ones when probing), remembers the branches."""

    def __init__(self, script: Sequence[int], limits: Limits, expected: Sequence[int] = (), probe: Any = None) -> None:
        self.trace: List[Tuple[int, int]] = []
        self.probability = Fraction(1)
        self.refusal: Optional[Refusal] = None
        self.models: Dict[str, int] = {}
        self.clock_reads = 0
        self.limits = limits
        self.own: List[Any] = [probe]
        self.questions = 0
        self._script = script
        self._expected = expected
        self._probe = probe
        self._thread = threading.get_ident()
        self._model = ""
        self._conditioned = 0

    def use(self, model: str) -> None:
        """Note the primitive that is about to be drawn from."""
        if threading.get_ident() != self._thread:
            self.refuse(UnmodelledRandomness("randomness drawn in another thread: " + model))
        self._model = model
        self.note(model)

    def note(self, model: str) -> None:
        """Count a use of a model."""
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

    def integer(self, size: int) -> int:
        """An integer draw: uniform, unless it is so large that it is conditioned on."""
        values, least = self.limits.conditioned, self.limits.condition_from
        if not values or size < (self.limits.paths + 1 if least is None else least):
            return self.uniform(size)
        value = values[self._conditioned % len(values)]
        self._conditioned += 1
        if not 0 <= value < size:
            self.refuse(UnmodelledRandomness(f"the conditioned value {value} is no outcome of a draw among {size}"))
        listed = ", ".join(map(str, values[:8])) + (", ..." if len(values) > 8 else "")
        self.note(f"given {listed} in turn as the outcomes of draws among {size}: {self._model}")
        return value

    def may_seed(self, seed: Any) -> bool:
        """Whether a generator with this seed is determined by what is conditioned on."""
        return _is_integer(seed) and int(seed) in self.limits.conditioned

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
        if depth >= self.limits.draws:
            digits = sum(math.log10(other_ways) for _, other_ways in self.trace)
            self.refuse(TooManyPaths(f"more than {depth} random decisions on one path; about 10^{digits:.0f} paths"))
        if ways > self.limits.paths:
            estimate = ways * math.prod(other_ways for _, other_ways in self.trace)
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


class _NoCoins(Coins):
    """Outside the audited call, when a protocol is made: only draws that are conditioned on have an outcome."""

    def __init__(self, limits: Limits) -> None:
        super().__init__((), limits)

    def may_seed(self, seed: Any) -> bool:
        return _is_integer(seed) and bool(self.limits.conditioned)

    def _branch(self, ways: int) -> int:
        return int(self.refuse(UnmodelledRandomness("randomness drawn outside the audited call: " + self._model)))


def _is_integer(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


class Source:
    """Where the replaced functions find the coins of the current run."""

    def __init__(self, limits: Optional[Limits] = None) -> None:
        self.outside = _NoCoins(limits or Limits())
        self.coins: Coins = self.outside
        self.watched: List[Any] = []
        self.guesses: Dict[Tuple[int, int, int], List[int]] = {}

    def use(self, model: str) -> Coins:
        """The current coins."""
        self.coins.use(model)
        return self.coins

    def refuse(self, message: str) -> Any:
        """Raise `UnmodelledRandomness`."""
        return self.coins.refuse(UnmodelledRandomness(message))

    def seeded(self, name: str, seed: Any, make: Callable[[Any], Any]) -> Any:
        """A real generator, if its seed is determined by what is conditioned on."""
        if not self.coins.may_seed(seed):
            self.refuse_seed(name, seed)
        self.coins.note("a real generator seeded with a given value: " + name)
        # numpy makes some generators unseeded first, and then seeds them: that draw is nobody's.
        coins, self.coins = self.coins, _NoCoins(Limits(conditioned=(0,)))
        try:
            generator = make(int(seed))
        finally:
            self.coins = coins
        coins.own.append(generator)
        if not isinstance(generator, _RANDOM):
            self.watched.append(generator)
        return generator

    def refuse_seed(self, name: str, seed: Any) -> Any:
        """Raise `Seeded`."""
        return self.coins.refuse(Seeded("a generator is seeded by the target: " + name + " with " + repr(seed)[:40]))


# --- lazily determined uniform doubles ------------------------------------------------------------------------------


class _Cell:
    """The integers k that a draw k / 2^53 can still be: low <= k < high."""

    def __init__(self, source: Source, coins: Coins, low: int = 0) -> None:
        self.source, self.coins = source, coins
        self.low, self.high = low, GRID

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


def _changes(coins: Coins, low: int, high: int, value: Callable[[int], Any]) -> List[int]:
    """All k in low < k < high with value(k) != value(k - 1), for a monotone `value`."""
    cuts: List[int] = []
    while value(low) != value(high - 1):
        if len(cuts) >= MAX_INTEGER_CELLS:
            coins.refuse(TooManyPaths(f"a lazy draw is rounded to more than {MAX_INTEGER_CELLS} integers"))
        low = _first_change(low, high, value)
        cuts.append(low)
    return cuts


def _are_changes(cuts: List[int], low: int, high: int, value: Callable[[int], Any]) -> bool:
    """Whether these are all of them: `value` is monotone, so the ends of the pieces decide."""
    ends = [(value(a), value(b - 1)) for a, b in zip([low, *cuts], [*cuts, high])]
    return all(a == b for a, b in ends) and all(ends[i][1] != ends[i + 1][0] for i in range(len(cuts)))


class LazyUniform:
    """A monotone function of a uniform double, undetermined until it is compared with a constant or rounded.

    Every step is the very float operation that the target (or the C code of numpy) applies, so that a comparison is
    decided on the very doubles: by bisection for the k at which its outcome changes.
    """

    __slots__ = ("_cell", "_steps")
    __array_priority__ = 1000.0
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, cell: _Cell, *steps: Callable[[Any], Any]) -> None:
        self._cell, self._steps = cell, steps

    def _value(self, k: int) -> float:
        value: Any = k / GRID
        for step in self._steps:
            value = step(value)
        return float(value)

    def _refuse(self, use: str) -> Any:
        return self._cell.source.refuse("a lazy draw is used as a number: " + use)

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
        if function in (operator.truediv, operator.floordiv) and constant == 0:
            return self._refuse("division by zero")
        step = (lambda x: function(constant, x)) if reflected else (lambda x: function(x, constant))
        return LazyUniform(self._cell, *self._steps, step)

    def apply(self, name: str, function: Callable[[Any], Any]) -> Any:
        """A monotone function of the draw: where it raises or is not a number, that is what comes out."""

        def fails(k: int) -> bool:
            try:
                return math.isnan(function(self._value(k)))
            except (ValueError, OverflowError):
                return True

        self._cell.coins.note(name + " of a lazy draw: this machine's own, taken to be monotone on the doubles")
        if self._decide(fails):
            return function(self._value(self._cell.low))
        return LazyUniform(self._cell, *self._steps, function)

    def _compare(self, function: Any, other: Any) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return _elementwise(lambda x: self._compare(function, x), other).astype(bool)
        constant = self._constant(other, "comparison")
        return bool(self._decide(lambda k: function(self._value(k), constant)))

    def _equal(self, other: Any) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return _elementwise(self._equal, other).astype(bool)
        constant = self._constant(other, "test for equality")
        return self._decide(lambda k: (self._value(k) > constant) - (self._value(k) < constant)) == 0

    def _decide(self, value: Callable[[int], Any]) -> Any:
        cell = self._cell
        cell.coins.questions += 1
        guesses, question = cell.source.guesses, (cell.coins.questions, cell.low, cell.high)
        with np.errstate(all="ignore"):
            cuts = guesses.get(question, [])
            if not _are_changes(cuts, cell.low, cell.high, value):
                cuts = guesses[question] = _changes(cell.coins, cell.low, cell.high, value)
            if cuts or cell.source.coins is not cell.coins:
                cell.restrict(cuts)
            return value(cell.low)

    def _round(self, function: Any) -> int:
        """Python's rounding to an integer; infinity raises, as it does there."""

        def rounded(k: int) -> Any:
            value = self._value(k)
            return function(value) if math.isfinite(value) else value

        return int(function(self._decide(rounded)))

    def _rounded(self, function: Any) -> Any:
        """numpy's rounding, to a float: zero keeps its sign."""
        return np.float64(self._decide(lambda k: repr(float(function(self._value(k))))))

    def __lt__(self, other: Any) -> Any:
        return self._compare(operator.lt, other)

    def __le__(self, other: Any) -> Any:
        return self._compare(operator.le, other)

    def __gt__(self, other: Any) -> Any:
        return self._compare(operator.gt, other)

    def __ge__(self, other: Any) -> Any:
        return self._compare(operator.ge, other)

    def __eq__(self, other: Any) -> Any:
        return self._equal(other)

    def __ne__(self, other: Any) -> Any:
        equal = self._equal(other)
        return ~equal if isinstance(equal, np.ndarray) else not equal

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

    def round(self, decimals: int = 0, out: Any = None) -> Any:
        """What `numpy.round` calls."""
        return self._refuse("round to digits") if decimals or out is not None else self.rint()

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
        return -self if self < 0 else self

    def __getattr__(self, name: str) -> Any:
        """numpy calls the method `log` of every element for the logarithm of an array of draws, and so on."""
        if name.startswith("__"):
            raise AttributeError(name)
        if name in _ROUNDINGS:
            return lambda: self._rounded(getattr(np, name))
        if name in _MONOTONE:
            return lambda: self.apply("numpy." + name, getattr(np, name))
        return self._refuse("." + name)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        name = ufunc.__name__
        if method != "__call__" or options:
            return self._refuse("numpy." + name)
        if name in _ROUNDINGS + _MONOTONE:
            return getattr(self, name)()
        function = _UFUNCS.get(name)
        if function is None:
            return self._refuse("numpy." + name)
        if len(inputs) == 2 and isinstance(inputs[0], (np.generic, np.ndarray)):
            return getattr(self, _REFLECTED[name])(inputs[0])
        return function(*inputs)


def _elementwise(function: Callable[[Any], Any], array: Any) -> Any:
    result = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        result[index] = function(array[index])
    return result


_ROUNDINGS = ("floor", "ceil", "rint", "trunc")
_MONOTONE = ("log", "log1p", "log2", "log10", "exp", "expm1", "sqrt")
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
    "absolute": abs,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "sign": lambda x: np.float64(-1 if x < 0 else 1 if x > 0 else 0),
}
_REFLECTED = {
    "less": "__gt__",
    "less_equal": "__ge__",
    "greater": "__lt__",
    "greater_equal": "__le__",
    "equal": "__eq__",
    "not_equal": "__ne__",
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "divide": "__rtruediv__",
    "true_divide": "__rtruediv__",
}


# --- replacements ---------------------------------------------------------------------------------------------------


def _python_random(source: Source) -> Any:
    """(Random, SystemRandom): the standard library's own algorithms on lazy uniforms and enumerated integers."""

    class Random(random.Random):
        def __new__(cls, x: Any = None) -> Any:
            if cls is Random and x is not None:
                return source.seeded("random.Random", x, _RANDOM)
            return super().__new__(cls)

        def __init__(self, x: Any = None) -> None:
            self.gauss_next = None
            self.seed(x)

        def random(self) -> Any:
            coins = source.use("random.random: uniform on multiples of 2^-53")
            return LazyUniform(_Cell(source, coins))

        def seed(self, a: Any = None, version: int = 2) -> None:
            if a is not None:
                source.refuse_seed("random.seed", a)

        def getrandbits(self, k: int) -> int:
            return source.use("random.getrandbits: uniform").integer(1 << k)

        def _randbelow(self, n: int) -> int:
            if n <= 0:
                raise ValueError("empty range for randrange()")
            return source.use("random integers: uniform").integer(n)

        def sample(self, population: Any, k: int, **options: Any) -> List[Any]:
            if options:
                source.refuse("random.sample(" + ", ".join(options) + ")")
            if not isinstance(population, _POPULATIONS):
                raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
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

    class SystemRandom(Random, random.SystemRandom):
        def __new__(cls, x: Any = None) -> Any:
            return super().__new__(cls)

        def seed(self, *args: Any, **options: Any) -> None:
            """The operating system's generator has no seed: like the original, nothing."""

        def getstate(self, *args: Any, **options: Any) -> Any:
            raise NotImplementedError("System entropy source does not have state.")

        setstate = getstate

    Random.__qualname__, SystemRandom.__qualname__ = "Random", "SystemRandom"
    return Random, SystemRandom


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

    def _lazy(self, shape: Any, model: str, step: Callable[..., Any], *parameters: Any, least: int = 0) -> Any:
        """Draws step(u, *parameters) of the shape (None: one draw), for uniform doubles u >= least / 2^53."""
        coins = self._source.use(self._name + model)
        result = np.empty(() if shape is None else shape, dtype=object)
        arrays = [np.broadcast_to(np.asarray(p, dtype=np.float64), result.shape) for p in parameters]
        for index in np.ndindex(result.shape):
            given = [float(array[index]) for array in arrays]
            result[index] = LazyUniform(_Cell(self._source, coins, least), functools.partial(_step, step, given))
        return result[()] if shape is None else result

    def _uniforms(self, shape: Any) -> Any:
        return self._lazy(shape, " uniform doubles: uniform on multiples of 2^-53", _identity)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        shape = _shape(self._real.uniform(low, high, size))
        model = ".uniform: low + (high - low) u for a uniform double u"
        return self._lazy(shape, model, lambda u, a, b: a + (b - a) * u, low, high)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        shape = _shape(self._real.laplace(loc, scale, size))
        return self._lazy(shape, _INVERSE.format(".laplace"), _laplace, loc, scale, least=1)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        shape = _shape(self._real.gumbel(loc, scale, size))
        return self._lazy(shape, _INVERSE.format(".gumbel"), _gumbel, loc, scale, least=1)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        shape = _shape(self._real.logistic(loc, scale, size))
        return self._lazy(shape, _INVERSE.format(".logistic"), _logistic, loc, scale, least=1)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        shape = _shape(self._real.exponential(scale, size))
        return self._lazy(shape, self._exponential, _exponential, scale)

    def geometric(self, p: Any, size: Any = None) -> Any:
        template = self._real.geometric(p, size)
        coins = self._source.use(
            self._name + ".geometric: " + self._geometric + " for p < 1/3, else numpy's search on the doubles, given"
            " that it ends (rounding can keep it from ending, with a probability of a few 2^-53)"
        )
        ps = np.broadcast_to(p, _shape(template) or ())

        def draw(index: Tuple[int, ...]) -> int:
            values, weights = _geometric(coins, float(ps[index]))
            return values[coins.choose(weights)]

        return _fill(template, draw)

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
        if not replace and p is not None:
            coins = self._source.use(self._name + ".choice(p) without replacement: numpy's rounds on the doubles")
            drawn = _without_replacement(coins, p, total)
        elif not replace and total > 1:
            drawn = self._source.use(self._name + ".choice without replacement: uniform").arrangement(count, total)
        elif p is not None:
            weights = _categorical_weights(p)
            coins = self._source.use(self._name + ".choice(p): numpy's cdf search on the doubles")
            drawn = [coins.choose(weights) for _ in range(total)]
        else:
            coins = self._source.use(self._name + ".choice: uniform")
            drawn = [coins.integer(count) for _ in range(total)]
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


_LOG, _LOG1P = math.log, math.log1p
_INVERSE = "{}: numpy's C formula of one uniform double, with this machine's log"


def _identity(u: float) -> float:
    return u


def _step(function: Callable[..., Any], parameters: Sequence[float], u: float) -> Any:
    return function(u, *parameters)


def _shape(template: Any) -> Any:
    return template.shape if isinstance(template, np.ndarray) else None


def _laplace(u: float, loc: float, scale: float) -> float:
    return loc - scale * _LOG(2.0 - u - u) if u >= 0.5 else loc + scale * _LOG(u + u)


def _gumbel(u: float, loc: float, scale: float) -> float:
    return loc - scale * _LOG(-_LOG(1.0 - u))


def _logistic(u: float, loc: float, scale: float) -> float:
    return loc + scale * _LOG(u / (1.0 - u))


def _exponential(u: float, scale: float) -> float:
    return scale * -_LOG(1.0 - u)


def _inverse_exponential(u: float) -> float:
    return -_LOG1P(-u)


_GEOMETRIC: Dict[float, Tuple[Sequence[int], List[int]]] = {}


def _geometric(coins: Coins, p: float) -> Tuple[Sequence[int], List[int]]:
    """(outcomes, how many of the uniform doubles numpy sends to each)."""
    if p not in _GEOMETRIC:
        _GEOMETRIC[p] = _geometric_by_search(p) if p >= 1 / 3 else _geometric_by_inversion(coins, p)
    return _GEOMETRIC[p]


def _geometric_by_search(p: float) -> Tuple[Sequence[int], List[int]]:
    """numpy adds the terms p (1 - p)^k until the sum is >= u."""
    total = term = p
    edges = [0]
    while True:
        edges.append(min(GRID, math.floor(Fraction(total) * GRID) + 1))
        term *= 1.0 - p
        if edges[-1] == GRID or total + term == total:
            break
        total += term
    return range(1, len(edges)), [edges[i + 1] - edges[i] for i in range(len(edges) - 1)]


def _geometric_by_inversion(coins: Coins, p: float) -> Tuple[Sequence[int], List[int]]:
    def value(k: int) -> int:
        return math.ceil(_LOG1P(-k / GRID) / _LOG1P(-p))

    edges = [0, *_changes(coins, 0, GRID, value), GRID]
    return [value(k) for k in edges[:-1]], [edges[i + 1] - edges[i] for i in range(len(edges) - 1)]


def _without_replacement(coins: Coins, p: Any, size: int) -> List[int]:
    """numpy's rounds: draw what is missing with replacement, keep the new ones in order, drop their probabilities."""
    left = np.array(p, dtype=np.float64)
    found: List[int] = []
    while len(found) < size:
        weights = _categorical_weights(left)
        drawn = [coins.choose(weights) for _ in range(size - len(found))]
        found += list(dict.fromkeys(drawn))
        left[found] = 0
    return found


def _random_state(source: Source) -> Any:
    class RandomState(_NumpyDraws, metaclass=_OrReal):
        _source = source
        _exponential = _INVERSE.format(".exponential")
        _geometric = "ceil(log1p(-u) / log1p(-p)) with this machine's log1p"
        _real = _REAL["RandomState"](0)

        def __new__(cls, seed: Any = None) -> Any:
            if seed is None or isinstance(seed, _BitGenerator):
                return super().__new__(cls)
            return source.seeded("numpy.random.RandomState", seed, _REAL["RandomState"])

        def __init__(self, seed: Any = None) -> None:
            pass

        def seed(self, seed: Any = None) -> None:
            if seed is not None:
                source.refuse_seed("numpy.random.seed", seed)

        def random_sample(self, size: Any = None) -> Any:
            return self._uniforms(size)

        random = ranf = sample = random_sample

        def rand(self, *shape: int) -> Any:
            return self._uniforms(shape or None)

        def standard_exponential(self, size: Any = None) -> Any:
            return self.exponential(1.0, size)

        def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
            template = self._real.randint(low, high, size, dtype)
            return _integers(self, template, low, high, 0)

        def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
            return self._choice(self._real.choice(a, size, replace, p), a, size, replace, p)

    return RandomState


def _generator(source: Source) -> Any:
    class Generator(_NumpyDraws, metaclass=_OrReal):
        _source = source
        _real = _REAL["default_rng"](0)
        _name = "numpy Generator"
        _exponential = ".exponential (a ziggurat): idealised as -scale log(1 - u) for a uniform double u"
        _geometric = "idealised as ceil(log1p(-u) / log1p(-p))"

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
            return self._uniforms(size)

        def standard_exponential(
            self, size: Any = None, dtype: Any = np.float64, method: str = "zig", out: Any = None
        ) -> Any:
            if out is not None or np.dtype(dtype) != np.float64:
                source.refuse("Generator.standard_exponential with dtype or out")
            shape = _shape(self._real.standard_exponential(size, dtype, method))
            if method == "inv":
                return self._lazy(shape, _INVERSE.format(".standard_exponential(inv)"), _inverse_exponential)
            return self.exponential(1.0, size)

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
    return _fill(template, lambda i: int(lows[i]) + coins.integer(int(highs[i]) + closed - int(lows[i])))


class _OrReal(type):
    """Real generators, which exist where a given value seeds one, count as instances of the replacement."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or isinstance(instance, type(cls._real))  # type: ignore[attr-defined]


class _BitGenerator:
    """Stands for an unseeded bit generator."""


_POPULATIONS = (
    (collections.abc.Sequence,) if sys.version_info >= (3, 11) else (collections.abc.Sequence, set, frozenset)
)
"""What this Python's `random.sample` accepts."""
_REAL: Dict[str, Any] = {name: getattr(np.random, name) for name in ("RandomState", "default_rng", "Generator")}
_GLOBAL_STATE = getattr(np.random.mtrand, "_rand")  # noqa: B009 - private, and absent from the stubs
_SYSTEM_RANDOM = random.SystemRandom
_CLOCKS = {
    id(getattr(time, name))
    for name in (
        *("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns"),
        *("process_time", "process_time_ns", "thread_time", "thread_time_ns"),
        *("localtime", "gmtime", "ctime", "asctime", "strftime", "clock_gettime", "clock_gettime_ns"),
    )
    if hasattr(time, name)
}
_PROCESSES = {
    id(getattr(module, name))
    for module, name in (
        *((os, name) for name in ("urandom", "getrandom", "fork", "forkpty")),
        *((_thread, name) for name in ("start_new_thread", "start_joinable_thread", "start_new")),
    )
    if hasattr(module, name)
}


_MODULES = (random, secrets, os, math, np.random, np.random.mtrand)
_ORIGINALS = [
    (module, name, value)
    for module in _MODULES
    for name, value in vars(module).items()
    if callable(value) and (module not in (os, math) or name in ("urandom", "getrandom", *_MONOTONE))
]
"""The functions and classes as they were before the target was imported."""


class Interceptor:
    """Context manager: puts the replacements wherever the originals are found by identity, and takes them out again.

    `watch_generators` also watches the state of every numpy generator that exists already (a scan of all objects).
    """

    def __init__(self, watch_generators: bool = True, limits: Optional[Limits] = None) -> None:
        self.source = Source(limits)
        self._undo: List[Tuple[Any, str, Any]] = []
        self._placed: List[Tuple[Any, str, Any]] = []
        self._system: List[Any] = []
        self._fakes: Tuple[Any, ...] = ()
        self._watch_generators = watch_generators

    def __enter__(self) -> Source:
        for original, name, value in _ORIGINALS:
            if getattr(original, name, None) is not value:
                raise UnmodelledRandomness(f"{original.__name__}.{name} was replaced before the audit")
        table = self._replacements()
        generators = (np.random.RandomState, np.random.Generator)
        watched = self.source.watched = [_GLOBAL_STATE]
        self._system = [getattr(secrets, "_sysrand")]  # noqa: B009 - private, and absent from the stubs
        if self._watch_generators:
            private = {id(replacement._real) for replacement in self._fakes}
            everything = gc.get_objects()
            watched += [g for g in everything if isinstance(g, generators) and id(g) not in private]
            self._system = [g for g in everything if type(g) is _SYSTEM_RANDOM]
            _refuse_c_functions(everything)
        for generator in self._system:  # wherever it is kept, it draws from the coins now
            generator.__class__ = self._system_class
        method = types.MethodType
        for module in list(sys.modules.values()):
            names = getattr(module, "__dict__", None)
            if not isinstance(names, dict) or names is globals():
                continue
            numpy_inside = str(names.get("__name__")).startswith("numpy.random.")
            for name, value in list(names.items()):
                entry = table.get(id(value))
                if entry is None and type(value) is method and type(value.__self__) is self._system_class:
                    entry = (value, getattr(value.__self__, value.__name__))
                if entry is not None and entry[0] is value and not (numpy_inside and isinstance(value, type)):
                    names[name] = entry[1]
                    self._undo.append((names, name, value))
                    if module in _MODULES:
                        self._placed.append((names, name, entry[1]))
        _install_hook()
        return self.source

    def __exit__(self, *exception: object) -> None:
        while self._system:
            self._system.pop().__class__ = _SYSTEM_RANDOM
        self._placed.clear()
        while self._undo:
            names, name, value = self._undo.pop()
            names[name] = value

    def tampering(self) -> Optional[str]:
        """A replacement that is no longer in its place, or a module of them that was imported afresh."""
        for module in _MODULES:
            if sys.modules.get(module.__name__) is not module:
                return module.__name__
        for names, name, replacement in self._placed:
            if names.get(name) is not replacement:
                return f"{names['__name__']}.{name}"
        return None

    def states(self) -> List[bytes]:
        """The states of the generators that are watched; a run must leave them alone."""
        return [pickle.dumps(_state(generator)) for generator in self.source.watched]

    def _replacements(self) -> Dict[int, Tuple[Any, Any]]:
        source = self.source
        table: Dict[int, Tuple[Any, Any]] = {}

        def put(original: Any, replacement: Any) -> None:
            table[id(original)] = (original, replacement)

        fake_random, self._system_class = _python_random(source)
        python = fake_random()
        hidden = getattr(random, "_inst")  # noqa: B009 - private, and absent from the stubs
        for name, value in vars(random).items():
            if getattr(value, "__self__", None) is hidden:
                put(value, getattr(python, name))
        put(hidden, python)
        put(random.Random, fake_random)
        put(random.SystemRandom, self._system_class)
        for name in _MONOTONE:
            if hasattr(math, name):
                put(getattr(math, name), _of_lazy_too(name, getattr(math, name)))

        def urandom(size: int, flags: int = 0) -> bytes:
            if size > _TEXT_LIMIT:
                source.coins.refuse(TooManyPaths(f"{size} bytes of os.urandom"))
            drawn = source.use("os.urandom: uniform bytes").integer(1 << 8 * size)
            return drawn.to_bytes(size, "big")

        put(os.urandom, urandom)
        if hasattr(os, "getrandom"):
            put(os.getrandom, urandom)

        state_class, generator_class = _random_state(source), _generator(source)
        self._fakes = (state_class, generator_class)
        state = state_class()
        put(_GLOBAL_STATE, state)
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
                    source.refuse_seed("numpy.random." + type(self).__name__, seed)

        def default_rng(seed: Any = None) -> Any:
            if isinstance(seed, generator_class):
                return seed
            if seed is None or isinstance(seed, _BitGenerator):
                return generator_class(BitGenerator(seed))
            return source.seeded("numpy.random.default_rng", seed, _REAL["default_rng"])

        put(np.random.default_rng, default_rng)
        for name in ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence"):
            if hasattr(np.random, name):
                put(getattr(np.random, name), type(name, (BitGenerator,), {}))
        for name in ("uuid1", "uuid4"):
            put(getattr(uuid, name), _loud(source, "uuid." + name))
        return table


def _state(generator: Any) -> Any:
    return generator.bit_generator.state if isinstance(generator, _REAL["Generator"]) else generator.get_state()


def _of_lazy_too(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `math`, which would ask a lazy draw for its value."""

    @functools.wraps(function)
    def apply(x: Any, *base: Any) -> Any:
        if isinstance(x, LazyUniform):
            return x.apply("math." + name, lambda value: function(value, *base))
        return function(x, *base)

    return apply


def _loud(source: Source, message: str) -> Callable[..., Any]:
    def refuse(*args: Any, **options: Any) -> Any:
        return source.refuse(message)

    return refuse


def _watch(coins: Coins) -> Callable[[Any, str, Any], None]:
    """A profile function that sees calls of C functions: entropy, real generators, clocks reached by other names."""

    def profile(frame: Any, event: str, function: Any) -> None:
        if event != "c_call":
            return
        owner, name = getattr(function, "__self__", None), function.__name__
        if name in ("random", "getrandbits") and any(c.__module__ == "_random" for c in type(owner).__mro__):
            if not any(owner is generator for generator in coins.own):
                coins.refuse(UnmodelledRandomness("a random.Random that was not replaced draws " + name))
        elif id(function) in _PROCESSES:
            coins.refuse(UnmodelledRandomness(f"call of {function.__module__}.{name}"))
        elif id(function) in _CLOCKS or (
            isinstance(owner, type) and issubclass(owner, datetime.date) and name in ("now", "today", "utcnow")
        ):
            coins.clock_reads += 1

    return profile


_DRAWING: List[Coins] = []
"""The coins of the current run."""
_HOOKED: List[bool] = []
_DEVICES = ("/dev/random", "/dev/urandom", "/dev/hwrng")
_FOREIGN = re.compile("(?<!ope)rand|entropy", re.IGNORECASE)
"""Names of C functions that return random numbers (operands do not)."""
_EVENTS = (
    *("os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec", "os.spawn", "subprocess.Popen"),
    *("_thread.start_new_thread", "_thread.start_joinable_thread", "socket.connect"),
)


def _install_hook() -> None:
    """Watch what the interpreter reports about itself, in every thread: an audit hook stays for good, so only once."""

    def hook(event: str, arguments: Tuple[Any, ...]) -> None:
        if not _DRAWING:
            return
        if (
            event in _EVENTS
            or (event == "open" and arguments[0] in _DEVICES)
            or (event == "ctypes.dlsym" and _FOREIGN.search(str(arguments[1])))
        ):
            _DRAWING[-1].refuse(UnmodelledRandomness(f"the target does {event} {arguments!r}"[:200]))

    if not _HOOKED:
        _HOOKED.append(True)
        sys.addaudithook(hook)


def _refuse_c_functions(objects: Iterable[Any]) -> None:
    """A call of a C function through ctypes cannot be seen; that the target has one can."""
    pointer: Any = getattr(sys.modules.get("ctypes"), "_CFuncPtr", None)
    for held in objects if pointer is not None else ():
        if isinstance(held, pointer) and _FOREIGN.search(str(getattr(held, "__name__", ""))):
            raise UnmodelledRandomness(f"the target has the C function {held.__name__}")


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
                kind = "numpy.ndarray" if type(value) is np.ndarray else name
                negative = (value == 0) & np.signbit(value) if value.dtype.kind == "f" else np.zeros(1, bool)
                where = np.flatnonzero(negative).tolist()
                return numbers, f"{kind} {value.dtype.str} {value.shape}" + (f" -0 at {where}" if where else "")
            canonical, raw = self.read(value.tolist())
            return canonical, f"numpy.ndarray object {value.shape} of {raw}"
        if isinstance(value, (list, tuple)):
            parts = [self.read(part) for part in value]
            return [c for c, _ in parts], name + "[" + _runs([r for _, r in parts]) + "]"
        if isinstance(value, (set, frozenset)):
            parts = [self.read(part) for part in value]
            canonical = sorted((c for c, _ in parts), key=_text)
            return {"set": canonical}, f"{name} in order [{', '.join(_text(c) + ': ' + r for c, r in parts)}]"
        if isinstance(value, dict):
            pairs = [(self.read(k), self.read(v)) for k, v in value.items()]
            canonical = sorted(([k[0], v[0]] for k, v in pairs), key=_text)
            order = ", ".join(f"{_text(k[0])} ({k[1]}): {v[1]}" for k, v in pairs)
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


def _read(source: Source, value: Any, limit: int) -> Key:
    try:
        canonical, raw = _Reader(source, limit).read(value)
        return _text(canonical), raw
    except RecursionError:
        raise UnreadableOutput("an output that is nested too deeply") from None


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


# --- enumeration ----------------------------------------------------------------------------------------------------


Canonical = Callable[[Any], Any]
"""The oracle's form of an output."""


def exact_law(
    function: Callable[[], Any],
    limits: Optional[Limits] = None,
    interceptor: Optional[Interceptor] = None,
    canonical: Optional[Canonical] = None,
) -> Law:
    """The exact law of `function()`. An `Exception` is an outcome; what cannot be enumerated raises `Refusal`.

    With `canonical`, outputs are equal if `canonical(output)` is; the raw description then also has the whole output.
    """
    limits = limits or Limits()
    if interceptor is not None:
        return _enumerate(function, limits, interceptor, canonical)
    interceptor = Interceptor(limits=limits)
    with interceptor:
        return _enumerate(function, limits, interceptor, canonical)


def _enumerate(
    function: Callable[[], Any], limits: Limits, interceptor: Interceptor, canonical: Optional[Canonical]
) -> Law:
    before = interceptor.states()
    try:
        return _walk(function, limits, interceptor, canonical)
    finally:  # once, not at every path: there can be many generators, and a draw leaves its mark
        if interceptor.states()[: len(before)] != before:
            raise UnmodelledRandomness("a numpy generator that was not replaced was drawn from")


def _walk(function: Callable[[], Any], limits: Limits, interceptor: Interceptor, canonical: Optional[Canonical]) -> Law:
    """Every path, twice."""
    law = Law()
    probe, total = _RANDOM(0), 0
    undrawn = set()
    for _ in range(PROBES):
        coins = Coins((), limits, probe=probe)
        key = _run(function, coins, interceptor, canonical)[0]
        if coins.trace:
            total += math.prod(ways for _, ways in coins.trace)
        else:
            undrawn.add(key)
    if len(undrawn) > 1 and not total:
        raise UnmodelledRandomness("runs without any draw differ: hidden randomness, or state kept between calls")
    if total // PROBES > limits.paths:
        raise TooManyPaths(f"an estimated {total // PROBES} paths, limit {limits.paths}")
    script: List[int] = []
    expected: List[int] = []
    while True:
        if len(interceptor.source.guesses) > MAX_INTEGER_CELLS:
            interceptor.source.guesses.clear()
        coins = Coins(script, limits, expected)
        key, value, raised = _run(function, coins, interceptor, canonical)
        ways = [w for _, w in coins.trace]
        again = Coins([b for b, _ in coins.trace], limits, ways)
        if _run(function, again, interceptor, canonical)[0] != key or again.trace != coins.trace:
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


def _run(
    function: Callable[[], Any], coins: Coins, interceptor: Interceptor, canonical: Optional[Canonical] = None
) -> Tuple[Key, Any, Optional[str]]:
    """One run: (key of the outcome, the raw output, what was raised)."""
    limit = coins.limits.output_items
    with _drawing(coins, interceptor):
        try:
            value = function()
            text, raw = _read(interceptor.source, value, limit)
            if canonical is not None:
                text, raw = _read(interceptor.source, canonical(value), limit)[0], raw + " = " + text
            outcome: Tuple[Key, Any, Optional[str]] = (text, raw), value, None
        except (Exception, SystemExit) as error:
            raised = (type(error).__name__ + ": " + str(error))[:_TEXT_LIMIT]
            outcome = (_text({"raised": raised}), "raised"), None, raised
    return outcome


@contextlib.contextmanager
def _drawing(coins: Coins, interceptor: Interceptor) -> Iterator[None]:
    """What runs inside draws from these coins; a refusal is raised at the end even if it was caught inside."""
    source, previous = interceptor.source, sys.getprofile()
    profile = _watch(coins)
    source.coins = coins
    _DRAWING.append(coins)
    sys.setprofile(profile)
    try:
        yield
        tampered = interceptor.tampering()
        if sys.getprofile() is not profile:
            tampered = "the profile function"
        if tampered is not None:
            coins.refuse(UnmodelledRandomness("replaced by the target: " + tampered))
    finally:
        sys.setprofile(previous)
        _DRAWING.pop()
        source.coins = source.outside
    refusal = coins.refusal or source.outside.refusal
    if refusal is not None:
        raise refusal


# --- the child process ----------------------------------------------------------------------------------------------


def _global_states() -> List[Tuple[str, Any, int]]:
    """(module, words, position) of the Mersenne twisters that the module-level functions draw from."""
    python, (_, words, position) = random.getstate()[1], _GLOBAL_STATE.get_state(legacy=True)[:3]
    return [("random", python[:-1], python[-1]), ("numpy.random", words.tobytes(), position)]


class _Function:
    """The protocol of a plain function of the item. Parameters that it has arguments for are handed to it."""

    def __init__(self, function: Callable[..., Any], parameters: Dict[str, Any]) -> None:
        known = inspect.signature(function).parameters
        self._function = function
        self._parameters = {name: value for name, value in parameters.items() if name in known}

    def client(self) -> None:
        """A function has no state."""

    def privatise(self, client: None, item: Any) -> Any:
        """What the function returns for the item."""
        return self._function(item, **self._parameters)


class _Session:
    """Runs the parts of one job and emits each as soon as it is known: a failing or hanging one loses nothing."""

    def __init__(self, job: Dict[str, Any], emit: Callable[..., None], printed: Callable[[], str]) -> None:
        self._job, self._emit, self._printed = job, emit, printed
        conditioned, least = tuple(job.get("conditioned", ())), job.get("condition_from")
        self._limits = Limits(**job.get("limits", {}), conditioned=conditioned, condition_from=least)
        self._interceptor = Interceptor(limits=self._limits)
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
        random.random()
        _GLOBAL_STATE.random_sample()  # now a draw of the import leaves the words of the state as they are
        before = _global_states()
        made = _load(job["adapter"], job["protocol"])
        for (name, words, position), (_, words_after, position_after) in zip(before, _global_states()):
            if words != words_after:
                self.find("seeded", f"the import seeds the global generator of {name}, or draws from it at length")
            elif position != position_after:
                self.find("unmodelled", f"the import draws from the global generator of {name}")
        self._note_prints("import")
        self.run_made(made)

    def run_made(self, made: Any) -> None:
        """All parts after the import of the protocol, which is a class or a function of the item."""
        self._emit("versions", versions=_versions(self._job.get("distributions", [])))
        with self._interceptor:
            self._make(made)
            self._laws()
        self._emit("done", models=self._models)

    def _make(self, made: Any) -> None:
        """Make the protocol, and emit what it says about itself."""
        self._emit("begin", where="making the protocol")
        outside = self._interceptor.source.outside
        with _drawing(outside, self._interceptor):
            parameters = self._job["parameters"]
            self._protocol = made(**parameters) if isinstance(made, type) else _Function(made, parameters)
            facts = getattr(self._protocol, "facts", None)
            if facts is not None:
                self._emit("begin", where="facts")
                stated = {str(name): self._canonical(fact) for name, fact in facts(self._limits.conditioned).items()}
                self._emit("facts", facts=stated)
            lines = [_lines(getattr(self._protocol, name, ())) for name in ("reproduce", "reproduce_estimate")]
        self._emit("reproduce", reports=lines[0], estimates=lines[1])
        self._count(outside.models)
        self._note_prints("making the protocol")

    def _laws(self) -> None:
        job, first = self._job, self._job["input_types"][0]
        reports: Dict[Key, Any] = {}
        for input_type in job["input_types"]:
            for item in job["inputs"]:
                law = self._law("law", [item], input_type)
                if law is not None and input_type == first:
                    reports.update({key: law.values[key] for key in law.entries if key not in law.raised})
        for item in job.get("outside", []):
            self._law("outside", [item], first)
        for items in job.get("reuse", []):
            self._law("reuse", items, first)
        self._emit("reports", reports=[{"output": json.loads(text), "raw": raw} for text, raw in reports])
        values = list(reports.values())
        for users in job.get("users", []) if hasattr(self._protocol, "server") else []:
            if len(values) ** users > self._limits.paths:
                self.find("paths", f"{len(values)}^{users} lists of reports, limit {self._limits.paths}")
                continue
            for chosen in itertools.product(range(len(values)), repeat=users):
                self._estimate(chosen, [values[i] for i in chosen])

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

        canonical = one = getattr(self._protocol, "canonical", None)
        if one is not None and len(items) > 1:
            canonical = lambda outputs: [one(output) for output in outputs]  # noqa: E731
        answer: Dict[str, Any] = {"inputs": items, "input_type": input_type}
        try:
            for item in items:
                _decode(item, input_type)
        except Exception as error:
            answer["refused"] = {"kind": "input", "message": f"{item!r} is not made a {input_type}: {error}"}
            self._emit(part, **answer)
            return None
        where = f"privatise({', '.join(map(repr, items))}) with {input_type}"
        law = self._exact(privatise, where, answer, canonical)
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

    def _exact(
        self,
        function: Callable[[], Any],
        where: str,
        answer: Dict[str, Any],
        canonical: Optional[Canonical] = None,
    ) -> Optional[Law]:
        self._emit("begin", where=where)
        law = None
        try:
            law = exact_law(function, self._limits, self._interceptor, canonical)
        except Refusal as refusal:
            answer["refused"] = {"kind": refusal.kind, "message": str(refusal)[:_TEXT_LIMIT]}
            if isinstance(refusal, Seeded):
                self.find(refusal.kind, str(refusal))
        self._note_prints(where)
        if law is not None:
            self._count(law.models)
            if law.clock_reads:
                self.find("clock", "a clock is read by " + where)
        return law

    def _count(self, models: Dict[str, int]) -> None:
        for model, count in models.items():
            self._models[model] = max(count, self._models.get(model, 0))

    def _note_prints(self, where: str) -> None:
        text = self._printed()
        if text:
            self.find("printed", f"{where}: {text}")

    def _description(self, value: Any) -> Key:
        return _read(self._interceptor.source, value, self._limits.output_items)

    def _canonical(self, value: Any) -> Any:
        return json.loads(self._description(value)[0])


def _lines(text: Any) -> List[str]:
    return [str(line) for line in (text.splitlines() if isinstance(text, str) else text)]


def _decode(item: Any, input_type: str) -> Any:
    """An input as the library gets it; `int` is the input as it stands.

    `{"float": "nan"}` is a float, `{"set": [0, 1]}` a frozenset (in other types: its members in order).
    """
    if isinstance(item, dict):
        if "set" in item:
            item = [_decode(part, "int") for part in item["set"]]
            return frozenset(item) if input_type == "int" else _INPUT_TYPES[input_type](item)
        item = float(item["float"])
    elif isinstance(item, list):
        item = [_decode(part, "int") for part in item]
    if input_type.startswith("numpy."):
        return getattr(np, input_type[len("numpy.") :])(item)
    return _INPUT_TYPES[input_type](item)


_INPUT_TYPES: Dict[str, Callable[[Any], Any]] = {
    "int": lambda item: item,
    "list": list,
    "tuple": tuple,
    "bool": bool,
    "str": str,
    "float": float,
}


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


def main() -> None:
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
    os._exit(0)  # and no waiting for threads of the target


def run_here(job: Dict[str, Any], made: Any, emit: Callable[..., None]) -> None:
    """A job in this process, for a class or function that is at hand: no limits of memory or time, same answers."""
    digits = getattr(sys, "get_int_max_str_digits", int)()
    stdout = io.StringIO()

    def printed() -> str:
        text = stdout.getvalue()
        stdout.seek(0)
        stdout.truncate()
        return f"{len(text)} characters: {text[: _TEXT_LIMIT // 4]!r}" if text else ""

    with warnings.catch_warnings(), contextlib.redirect_stdout(stdout):
        warnings.simplefilter("ignore")
        try:
            if digits:
                sys.set_int_max_str_digits(0)  # a probability may have more digits
            _Session(job, emit, printed).run_made(made)
        except (Exception, Refusal) as error:
            kind = error.kind if isinstance(error, Refusal) else "raised"
            emit("failed", kind=kind, message=f"{type(error).__name__}: {error}"[:_TEXT_LIMIT], trace=_trace())
        finally:
            if digits:
                sys.set_int_max_str_digits(digits)


def _trace() -> str:
    return traceback.format_exc()[-_TEXT_LIMIT:]


if __name__ == "__main__":
    main()
