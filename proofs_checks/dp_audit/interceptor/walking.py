"""The exact law of a function: every path of its random decisions, each walked twice."""

from __future__ import annotations

import contextlib
import errno
import gc
import math
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from .coins import RANDOM, Coins, Limits
from .hooks import DRAWING, watch
from .lazy import MAX_INTEGER_CELLS
from .reading import Key, canonical_text, described
from .refusals import TEXT_LIMIT, ExceedsLimits, TooManyPaths, UnmodeledRandomness
from .replacements import Interceptor

PROBES = 12
Canonical = Callable[[Any], Any]
"""The oracle's form of an output."""


@dataclass
class Law:
    """Exact law of one callable."""

    entries: Dict[Key, Fraction] = field(default_factory=dict)
    values: Dict[Key, Any] = field(default_factory=dict)
    raised: Dict[Key, str] = field(default_factory=dict)
    models: Dict[str, int] = field(default_factory=dict)
    paths: int = 0
    clock_reads: int = 0


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
            raise UnmodeledRandomness("a numpy generator that was not replaced was drawn from")


def _walk(function: Callable[[], Any], limits: Limits, interceptor: Interceptor, canonical: Optional[Canonical]) -> Law:
    """Every path, twice."""
    law = Law()
    probe, total = RANDOM(0), 0
    undrawn = set()
    for _ in range(PROBES):
        coins = Coins((), limits, probe=probe)
        key = _run(function, coins, interceptor, canonical)[0]
        if coins.trace:
            total += math.prod(ways for _, ways in coins.trace)
        else:
            undrawn.add(key)
    if len(undrawn) > 1 and not total:
        raise UnmodeledRandomness("runs without any draw differ: hidden randomness, or state kept between calls")
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
            raise UnmodeledRandomness(
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
    with drawing(coins, interceptor):
        try:
            value = function()
            text, raw = described(interceptor.source, value, limit)
            if canonical is not None:
                text, raw = described(interceptor.source, canonical(value), limit)[0], raw + " = " + text
            outcome: Tuple[Key, Any, Optional[str]] = (text, raw), value, None
        except (Exception, SystemExit) as error:
            if isinstance(error, MemoryError):
                raise ExceedsLimits("the target asks for more memory than it may have (MemoryError)") from error
            if isinstance(error, OSError) and error.errno == errno.EFBIG:
                raise ExceedsLimits(f"the target writes a longer file than it may ({error})") from error
            raised = (type(error).__name__ + ": " + str(error))[:TEXT_LIMIT]
            outcome = (canonical_text({"raised": raised}), "raised"), None, raised
    return outcome


@contextlib.contextmanager
def drawing(coins: Coins, interceptor: Interceptor) -> Iterator[None]:
    """What runs inside draws from these coins; a refusal is raised at the end even if it was caught inside.

    Nothing is collected meanwhile: callbacks that others have for that (test tools, schedulers) read clocks.
    """
    source, previous = interceptor.source, sys.getprofile()
    profile, collects = watch(coins), gc.isenabled()
    source.coins = coins
    DRAWING.append(coins)
    gc.disable()
    sys.setprofile(profile)
    try:
        yield
        kept = sys.getprofile() is profile
        sys.setprofile(None)  # it would see every step of the search
        tampered = interceptor.tampering() if kept else "the profile function"
        if tampered is not None:
            coins.refuse(UnmodeledRandomness("replaced by the target: " + tampered))
    finally:
        sys.setprofile(previous)
        if collects:
            gc.enable()
        DRAWING.pop()
        source.coins = source.outside
    refusal = coins.refusal or source.outside.refusal
    if refusal is not None:
        raise refusal
