"""One path of an enumeration: the random decisions of a run, replayed and extended, with their exact probability."""

from __future__ import annotations

import math
import random
import threading
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from .refusals import Refusal, Seeded, TooManyPaths, UnmodeledRandomness


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


RANDOM = random.Random


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
            self.refuse(UnmodeledRandomness("randomness drawn in another thread: " + model))
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
            self.refuse(UnmodeledRandomness(f"the conditioned value {value} is no outcome of a draw among {size}"))
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
            self.refuse(UnmodeledRandomness("the same coins led to another question: hidden randomness or kept state"))
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
        return int(self.refuse(UnmodeledRandomness("randomness drawn outside the audited call: " + self._model)))


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
        """Raise `UnmodeledRandomness`."""
        return self.coins.refuse(UnmodeledRandomness(message))

    def loud(self, message: str) -> Callable[..., Any]:
        """A function that refuses to be called."""

        def refuse(*args: Any, **options: Any) -> Any:
            return self.refuse(message)

        return refuse

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
        if not isinstance(generator, RANDOM):
            self.watched.append(generator)
        return generator

    def refuse_seed(self, name: str, seed: Any) -> Any:
        """Raise `Seeded`."""
        return self.coins.refuse(Seeded("a generator is seeded by the target: " + name + " with " + repr(seed)[:40]))
