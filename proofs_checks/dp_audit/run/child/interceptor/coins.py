"""One path of an enumeration: the random decisions of a run, replayed and extended, with their exact probability."""

from __future__ import annotations

import functools
import math
import random
import threading
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ..refusals import Abandoned, Refusal, Seeded, TooManyPaths, UnmodeledRandomness
from ..targets import TARGET


@dataclass(frozen=True)
class Limits:
    """Bounds of an enumeration: paths, random decisions on a path, scalars in an output, `seconds` of work (None: any).

    Paths are walked from the most probable on, until what is not walked has a probability of at most 2^-`unexplored`.
    `lazy`: integers are undetermined until something depends on them.
    `partial`: a law that the bounds cut off is what was walked until then; else it is refused.
    `short`: paths of so many decisions end of their own accord, and are walked to their end however improbable.
    `twice`: so many paths of a law are walked twice, then every 16th (none, if it is 0): with hidden randomness runs
    on the same coins differ.

    With `conditioned`, an integer draw with more than `paths` outcomes (or at least `condition_from`, if given) is not
    enumerated: the k-th one of a run has the outcome `conditioned[k % len(conditioned)]`, counted from 0.

    `condition_only`: of these draws, only the one at this place of a report.

    `window`: (low, high), if an undetermined number in an output is only seen as the nearest integer, from low - 1 to
    high + 1; else it has to be determined.
    """

    paths: int = 100_000
    draws: int = 2_000
    output_items: int = 20_000
    unexplored: int = 60
    seconds: Optional[float] = None
    partial: bool = False
    lazy: bool = True
    short: int = 64
    twice: int = 500
    conditioned: Tuple[int, ...] = ()
    condition_from: Optional[int] = None
    condition_only: Optional[int] = None
    window: Optional[Tuple[int, int]] = None


RANDOM = random.Random
EXECUTING: List[str] = []
"""The modules that are being imported now; what they draw and seed meanwhile is not the target's."""
MARGIN = 20
"""A path is abandoned when it is less probable than 2^-`MARGIN` times what may stay unexplored, and not short."""


class Fork(NamedTuple):
    """A decision of a path: the branches in falling order of their weights (None: all are alike, in their order)."""

    chance: float
    order: Optional[List[int]]
    weights: Optional[List[float]]


class Coins:
    """One path: replays `script`, extends it by the most probable branches (random ones when probing).

    `trace` are the branches taken, each with the number of those there were; `forks` the decisions after the script. A
    path whose probability falls below `floor` is put off before its last decision.
    """

    def __init__(
        self,
        script: Sequence[int],
        limits: Limits,
        expected: Sequence[int] = (),
        probe: Any = None,
        floor: float = 0.0,
    ) -> None:
        self.trace: List[Tuple[int, int]] = []
        self.forks: List[Fork] = []
        self._numerator = self._denominator = 1  # a Fraction reduces itself at every step
        self.chance = 1.0
        self.refusal: Optional[Refusal] = None
        self.models: Dict[str, int] = {}
        self.clock_reads = 0
        self.limits = limits
        self.own: List[Any] = [probe]
        self.questions = 0
        self.put_off = False
        self._floor = floor
        self._script = script
        self._expected = expected
        self._probe = probe
        self._thread = threading.get_ident()
        self._model = ""
        self._least = 2.0 ** -(limits.unexplored + MARGIN)
        self._conditioned = 0

    @property
    def probability(self) -> Fraction:
        """Of the path, as far as it is taken."""
        return Fraction(self._numerator, self._denominator)

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
        """Return an index drawn with probability weight / sum of weights."""
        live: Sequence[int] = range(len(weights))
        if 0 in weights:
            live = [i for i, weight in enumerate(weights) if weight]
            weights = [weights[i] for i in live]
        if len(live) == 1:
            return live[0]
        total = sum(weights)
        branch = self._branch(len(live), weights, total)
        self._numerator *= weights[branch]
        self._denominator *= total
        return live[branch]

    def integer(self, size: int) -> int:
        """Return an integer draw: uniform, unless it is so large that it is conditioned on."""
        outcome = self.given(size)
        return self.uniform(size) if outcome is None else outcome

    def given(self, size: int) -> Optional[int]:
        """Return the outcome of an integer draw that is conditioned on; None for any other."""
        values, least = self.limits.conditioned, self.limits.condition_from
        if not values or size < (self.limits.paths + 1 if least is None else least):
            return None
        place, only = self._conditioned, self.limits.condition_only
        self._conditioned += 1
        if only is not None and place != only:
            return None
        value = values[place % len(values)] if only is None else values[0]
        if not 0 <= value < size:
            self.refuse(UnmodeledRandomness(f"the conditioned value {value} is no outcome of a draw among {size}"))
        if place > self.limits.draws:
            self.refuse(UnmodeledRandomness(f"the conditioned value {value} is drawn again and again: it is refused"))
        listed = ", ".join(map(str, values[:8])) + (", ..." if len(values) > 8 else "")
        said = f"{listed} in turn as the outcomes of draws" if len(values) > 1 else f"{listed} as the outcome of a draw"
        self.note(f"given {said} among {size}: {self._model}")
        return value

    def begin_report(self) -> None:
        """Count draws anew, if a single draw of each report is conditioned on."""
        if self.limits.condition_only is not None:
            self._conditioned = 0

    def may_seed(self, seed: Any) -> bool:
        """Return whether a generator with this seed is determined by what is conditioned on."""
        return _is_integer(seed) and int(seed) in self.limits.conditioned

    def uniform(self, size: int) -> int:
        """Return an index drawn uniformly from 0 .. size - 1."""
        if size == 1:
            return 0
        branch = self._branch(size)
        self._denominator *= size
        return branch

    def arrangement(self, size: int, length: int) -> List[int]:
        """Return `length` different indices below `size`, uniformly, in order of drawing."""
        left = list(range(size))
        return [left.pop(self.uniform(len(left))) for _ in range(length)]

    def refuse_many(self, outcomes: int) -> Any:
        """Refuse a draw with too many outcomes."""
        estimate = outcomes * math.prod(ways for _, ways in self.trace)
        return self.refuse(
            TooManyPaths(f"about {estimate} paths (one draw has {outcomes} outcomes), limit {self.limits.paths}")
        )

    def _branch(self, ways: int, weights: Sequence[int] = (), total: int = 0) -> int:
        """Take one of so many branches: uniformly, or with these weights, whose sum is `total`."""
        depth = len(self.trace)
        if ways > self.limits.paths:
            self.refuse_many(ways)
        if depth < len(self._expected) and self._expected[depth] != ways:
            self.refuse(UnmodeledRandomness("the same coins led to another question: hidden randomness or kept state"))
        if depth < len(self._script):
            branch = self._script[depth]
        elif self._probe is not None:
            branch = self._probe.randrange(ways)
        else:
            shares = [weight / total for weight in weights] if weights else None
            order = None if shares is None else _falling(shares)
            self.forks.append(Fork(self.chance, order, shares))
            branch = 0 if order is None else order[0]
            self.put_off = self.chance * (weights[branch] / total if weights else 1 / ways) < self._floor
        self.trace.append((branch, ways))
        if self.put_off:
            self.refuse(Abandoned("a path that is far less probable than others"))
        self.chance *= weights[branch] / total if weights else 1 / ways
        if depth + 1 >= self.limits.draws or (depth >= self.limits.short and self.chance < self._least):
            self.refuse(Abandoned(f"more than {depth} random decisions on one path"))
        return branch


def _falling(weights: List[float]) -> List[int]:
    if len(weights) == 2:
        return [0, 1] if weights[0] >= weights[1] else [1, 0]
    return sorted(range(len(weights)), key=weights.__getitem__, reverse=True)


class _NoCoins(Coins):
    """Outside the audited call, when a protocol is made: only draws that are conditioned on have an outcome."""

    def __init__(self, limits: Limits) -> None:
        super().__init__((), limits)

    def may_seed(self, seed: Any) -> bool:
        return _is_integer(seed) and bool(self.limits.conditioned)

    def _branch(self, ways: int, weights: Sequence[int] = (), total: int = 0) -> int:
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
        self.seeds: List[Tuple[Any, Seeded]] = []
        self.import_seeds: Dict[int, Tuple[Any, str]] = {}

    def use(self, model: str, drawer: Any = None) -> Coins:
        """Return the current coins, for a draw from a generator (None: of entropy)."""
        if id(drawer) in self.import_seeds and not EXECUTING:
            self.coins.refuse(
                Seeded("a generator that the import seeds is drawn from: " + self.import_seeds[id(drawer)][1])
            )
        self.coins.use(model)
        return self.coins

    def refuse(self, message: str) -> Any:
        """Raise `UnmodeledRandomness`."""
        return self.coins.refuse(UnmodeledRandomness(message))

    def loud(self, message: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that refuses to be called, but while a module is imported."""

        def refuse(*args: Any, **options: Any) -> Any:
            return real(*args, **options) if EXECUTING else self.refuse(message)

        return refuse

    def seeded(self, name: str, seed: Any, make: Callable[[Any], Any]) -> Any:
        """Return a real generator if its seed is given (conditioned on) or a module makes it while it is imported.

        Generators that the target's own file makes then are remembered: they must not be drawn from.
        """
        if EXECUTING:
            generator = self._real(make, seed)
            self.watched += [] if isinstance(generator, RANDOM) else [generator]
            if EXECUTING[-1] == TARGET:
                self.seeds.append((generator, _seeded(name, seed)))
            return generator
        if not self.coins.may_seed(seed):
            self.coins.refuse(_seeded(name, seed))
        self.coins.note("a real generator seeded with a given value: " + name)
        generator = self._real(make, int(seed))
        self.coins.own.append(generator)
        if not isinstance(generator, RANDOM):
            self.watched.append(generator)
        return generator

    def _real(self, make: Callable[[Any], Any], seed: Any) -> Any:
        # numpy makes some generators unseeded first, and then seeds them: that draw is nobody's.
        coins, self.coins = self.coins, _NoCoins(Limits(conditioned=(0,)))
        try:
            return make(seed)
        finally:
            self.coins = coins

    def seed_of(self, generator: Any) -> Optional[Seeded]:
        """Return the refusal for a generator that the target's file seeds; None for any other generator."""
        return next((seeded for made, seeded in self.seeds if made is generator), None)

    def seed(self, name: str, seed: Any, generator: Any) -> None:
        """Raise `Seeded` unless the seed is None (entropy). An import may seed a generator that is never drawn from."""
        self.import_seeds.pop(id(generator), None)
        if seed is not None and EXECUTING:
            self.import_seeds[id(generator)] = generator, name  # kept, so that no other object gets this id
        elif seed is not None:
            self.coins.refuse(_seeded(name, seed))


def _seeded(name: str, seed: Any) -> Seeded:
    return Seeded("a generator is seeded by the target: " + name + " with " + repr(seed)[:40])


def unless_imported(cls: Any, names: Iterable[str]) -> None:
    """Let methods of a replacement draw from the private generator `_real` while a module is imported."""

    def either(name: str, modeled: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(modeled)
        def method(self: Any, *args: Any, **options: Any) -> Any:
            return (getattr(self._real, name) if EXECUTING else functools.partial(modeled, self))(*args, **options)

        return method

    for name in names:
        setattr(cls, name, either(name, getattr(cls, name)))
