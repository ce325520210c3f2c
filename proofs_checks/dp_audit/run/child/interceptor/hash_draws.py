"""Which draw of a report selects the hash function: that one is conditioned on, all others are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, List, Optional

from ..refusals import Refusal
from .coins import RANDOM, Coins, Limits
from .lazy_integer import LazyInteger
from .path_walk import drawing
from .replacements import Interceptor

PLACES = 6
"""Among so many first draws of a report it is looked for."""


def conditioned_place(protocol: Any, limits: Limits, interceptor: Interceptor) -> Optional[Limits]:
    """Return the limits that condition only on the draw of which the seed of the hash function is made; None: none is.

    `protocol.call_seeds` lists the seeds that the hash function was called with. Given this draw, two random runs have
    the same seed. Wide draws are tried first, then all.
    """
    for least in (limits.condition_from, 2):
        for place in range(PLACES):
            tried = replace(limits, condition_from=least, condition_only=place)
            seeds = [_seeds(protocol, Coins((), tried, probe=RANDOM(number)), interceptor) for number in (1, 2, 3)]
            if seeds[0] and seeds[0] == seeds[1] == seeds[2]:
                return tried
    return None


def _seeds(protocol: Any, coins: Coins, interceptor: Interceptor) -> List[Any]:
    """Return the seeds of the hash function in one report on the item 0."""
    del protocol.call_seeds[:]
    try:
        with drawing(coins, interceptor):
            protocol.privatize(protocol.client(), 0)
    except (Exception, Refusal):  # not this draw: others have too many outcomes, or none
        return []
    return [] if any(type(seed) is LazyInteger for seed in protocol.call_seeds) else list(protocol.call_seeds)
