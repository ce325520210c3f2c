"""The exact law of a function: the paths of its random decisions, from the most probable on."""

from __future__ import annotations

import contextlib
import errno
import gc
import math
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any, Callable, Iterator, List, Optional

from ..refusals import TEXT_LIMIT, Abandoned, ExceedsLimits, TooManyPaths, UnmodeledRandomness
from .coins import RANDOM, Coins, Limits
from .frontier import Frontier, Pace, Start, Watch
from .hooks import DRAWING, watching
from .intervals import MAX_INTEGER_CELLS
from .joint_outcomes import settled
from .laws import Law, Outcome
from .output_json import canonical_text, described
from .replacements import Interceptor

PROBES = 12
FAR = 2.0**-10
"""A path this much less probable than the most probable beginning waits for its turn."""
LOOPS = 2
"""A function with more than so many times the paths that were estimated has loops."""
MANY, SELDOM = 500, 16
"""A law with so many paths has loops that are judged by their pace; every 16th path is always walked twice."""
Canonical = Callable[[Any], Any]
"""The oracle's form of an output."""


def exact_law(
    function: Callable[[], Any],
    limits: Optional[Limits] = None,
    interceptor: Optional[Interceptor] = None,
    canonical: Optional[Canonical] = None,
    draws: bool = True,
) -> Law:
    """Return the exact law of `function()`. An `Exception` is an outcome; what cannot be enumerated raises `Refusal`.

    Loops that end with probability 1 only are walked until at most 2^-`limits.unexplored` is left.

    With `canonical`, outputs are equal if `canonical(output)` is; the raw description then also has the whole output.
    Not `draws`: the function is expected to have one path, and its number of paths is not estimated before.
    """
    limits = limits or Limits()
    if interceptor is not None:
        return _enumerate(function, limits, interceptor, canonical, draws)
    interceptor = Interceptor(limits=limits)
    with interceptor:
        return _enumerate(function, limits, interceptor, canonical, draws)


def _enumerate(
    function: Callable[[], Any], limits: Limits, interceptor: Interceptor, canonical: Optional[Canonical], draws: bool
) -> Law:
    before = interceptor.states()
    try:
        law = _walk(function, limits, interceptor, canonical, draws)
        if limits.lazy and _complains(law, "TypeError", "Lazy"):
            law = _walk(function, replace(limits, lazy=False), interceptor, canonical, draws)
        if _complains(law, "Lazy"):
            raise UnmodeledRandomness("a lazy draw is used where only a number can be")
        if interceptor.tampering() is not None:
            raise UnmodeledRandomness(f"replaced by the target: {interceptor.tampering()}")
        return law
    finally:  # once, not at every path: there can be many generators, and a draw leaves its mark
        interceptor.require(before)


def _complains(law: Law, *about: str) -> bool:
    """Return whether an exception may be about the type of a draw of ours: compiled code may take real integers
    only."""
    return any(name in text for text in law.raised.values() for name in about)


def _walk(
    function: Callable[[], Any], limits: Limits, interceptor: Interceptor, canonical: Optional[Canonical], draws: bool
) -> Law:
    """Walk all paths, or the most probable ones."""
    law, watch = Law(), Watch()
    if limits.seconds is not None and limits.seconds <= 0:
        raise TooManyPaths("no time left: the laws of other inputs took it")
    pace = Pace(max(MANY, LOOPS * _probe(function, limits, interceptor, canonical) if draws else 0))
    left = Frontier()
    start: Optional[Start] = Start((), (), 1.0)
    while start is not None:
        if len(interceptor.source.guesses) > MAX_INTEGER_CELLS:
            interceptor.source.guesses.clear()
        coins = Coins(start.script, limits, start.ways, floor=start.chance * FAR)
        try:
            outcomes = _run(function, coins, interceptor, canonical)
        except Abandoned:
            pass
        else:
            if limits.twice and (law.paths < limits.twice or law.paths % SELDOM == 0):
                _again(function, coins, outcomes, interceptor, canonical)
            probability = coins.probability
            law.add(outcomes, probability)
            law.unexplored -= probability
        for model, count in coins.models.items():
            law.models[model] = max(count, law.models.get(model, 0))
        law.clock_reads = max(law.clock_reads, coins.clock_reads)
        law.paths += 1
        left.open(coins, len(start.script))
        if left.heaviest and _finished(law, left.depth, limits, watch.seconds()):
            break
        if not limits.partial and pace.is_hopeless(law, limits):
            break
        start = left.next()
    law.close()
    if law.unexplored < 0:
        raise UnmodeledRandomness("the probabilities of the paths add up to more than 1: state kept between calls")
    if law.unexplored > Fraction(1, 1 << limits.unexplored) and not limits.partial:
        raise TooManyPaths(f"a probability of {float(law.unexplored):.3g} is unexplored after {law.paths} paths")
    return law


def _finished(law: Law, depth: int, limits: Limits, seconds: float) -> bool:
    """Return whether what is left may stay so (a loop: what ends of its own accord is walked to its end), or must."""
    if law.paths >= limits.paths or (limits.seconds is not None and seconds > limits.seconds):
        return True
    return (depth >= limits.short or law.paths >= MANY) and law.unexplored <= Fraction(1, 1 << limits.unexplored)


def _probe(
    function: Callable[[], Any], limits: Limits, interceptor: Interceptor, canonical: Optional[Canonical]
) -> int:
    """Return about the number of paths, from a few random ones. Raises `TooManyPaths`, or `UnmodeledRandomness` where
    there is no law at all."""
    probe, total, ended = RANDOM(0), 0, 0
    undrawn = set()
    watch = Watch()
    for _ in range(PROBES):
        coins = Coins((), limits, probe=probe)
        try:
            outcomes = _run(function, coins, interceptor, canonical, whole=False)
        except Abandoned:
            continue
        ended += 1
        if coins.trace:
            total += math.prod(ways for _, ways in coins.trace)
        else:
            undrawn.add(outcomes[0].key)
    if not ended:
        raise TooManyPaths(f"no end within {limits.draws} random decisions on a path")
    if len(undrawn) > 1 and not total:
        raise UnmodeledRandomness("runs without any draw differ: hidden randomness, or state kept between calls")
    paths, each = total // ended, watch.seconds() / PROBES
    if limits.partial:
        return paths
    if paths > limits.paths:
        raise TooManyPaths(f"an estimated {paths} paths, limit {limits.paths}")
    if limits.seconds is not None and paths * each > limits.seconds:
        raise TooManyPaths(f"an estimated {paths} paths and {paths * each:.0f} seconds, limit {limits.seconds:.0f}")
    return paths


def _again(
    function: Callable[[], Any],
    coins: Coins,
    outcomes: List[Outcome],
    interceptor: Interceptor,
    canonical: Optional[Canonical],
) -> None:
    """Walk the same path once more, which must end alike."""
    again = Coins([b for b, _ in coins.trace], coins.limits, [w for _, w in coins.trace])
    repeated = _run(function, again, interceptor, canonical, whole=False)
    if repeated[0].key != outcomes[0].key or again.trace != coins.trace:
        raise UnmodeledRandomness("two runs on the same coins differ: hidden randomness, or state kept between calls")


def _run(
    function: Callable[[], Any],
    coins: Coins,
    interceptor: Interceptor,
    canonical: Optional[Canonical] = None,
    whole: bool = True,
) -> List[Outcome]:
    """Run the function once. It has several outcomes, if its output holds integers that are still undetermined (not
    `whole`: one of them is enough)."""
    limit = coins.limits.output_items
    with drawing(coins, interceptor):
        try:
            value = function()
            if canonical is None:
                return [
                    Outcome(described(interceptor.source, each.value, limit), each.value, None, each.draws, each.alike)
                    for each in settled(value, coins, interceptor.source, whole)
                ]
            text, raw = described(interceptor.source, value, limit, opaque=True)
            text, raw = described(interceptor.source, canonical(value), limit)[0], raw + " = " + text
            return [Outcome((text, raw), value)]
        except (Exception, SystemExit) as error:
            if isinstance(error, MemoryError):
                raise ExceedsLimits("the target asks for more memory than it may have (MemoryError)") from error
            if isinstance(error, OSError) and error.errno == errno.EFBIG:
                raise ExceedsLimits(f"the target writes a longer file than it may ({error})") from error
            raised = (type(error).__name__ + ": " + str(error))[:TEXT_LIMIT]
            return [Outcome((canonical_text({"raised": raised}), "raised"), None, raised)]


@contextlib.contextmanager
def drawing(coins: Coins, interceptor: Interceptor) -> Iterator[None]:
    """Let what runs inside draw from these coins; a refusal is raised at the end even if it was caught inside.

    Nothing is collected meanwhile: callbacks that others have for that (test tools, schedulers) read clocks.
    """
    source, previous = interceptor.source, sys.getprofile()
    profile, collects = watching(coins, source), gc.isenabled()
    source.coins = coins
    DRAWING.append(coins)
    gc.disable()
    sys.setprofile(profile)
    try:
        yield
        kept = sys.getprofile() is profile
        sys.setprofile(None)  # it would see every step of the search
        tampered = interceptor.tampering(SELDOM) if kept else "the profile function"
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
