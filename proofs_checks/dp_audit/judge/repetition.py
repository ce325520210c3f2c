"""Is randomness used again? Stretches of calls that tell their items alike, one by one, wherever they are.

A pool of random numbers, or a stream that wraps around, comes back after a number of calls that nobody knows. Whether
the telling event holds (`Observation.tells`) then shows it, also on other items: of two calls it is the same with
probability at most r, the largest p p' + (1 - p) (1 - p') of its probabilities on two items. So two given stretches of
w calls that do not overlap are alike with probability at most r^w, and any two among n calls with at most n^2 r^w / 2.
"""

from math import ceil

import numpy as np
from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS
from dp_audit.judge.events import Observation
from dp_audit.judge.rare_counts import Integers
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

LONGEST = 512
"""Longer stretches are not looked for: the mechanism tells the item nearly always, or nearly never."""


def needed(observation: Observation, calls: int, level: fmpq) -> int:
    """Return the length from which on two stretches that are alike refute independence; 0 if that is too long."""
    with precision(PRECISIONS[0]):
        chances = [arb(p) for p in observation.told]
        alike = max((p * q + (1 - p) * (1 - q) for p in chances for q in chances), key=lambda r: float(r.upper()))
        per_call = -alike.upper().log()
        if not calls or compare(per_call, 0) is not Ordering.GREATER:
            return 0
        length = ceil(float(((arb(calls) ** 2 / 2 / level).log() / per_call).upper()))
    return length if length <= min(LONGEST, calls // 2) else 0


def repeated(observation: Observation, items: Integers, codes: Integers, level: fmpq) -> tuple[int, int, int] | None:
    """Return (place, place, length) of two stretches of successive calls that are alike, if that refutes
    independence."""
    length = needed(observation, len(codes), level)
    if not length:
        return None
    stretches = np.lib.stride_tricks.sliding_window_view(observation.tells(items, codes), length)
    packed = np.ascontiguousarray(np.packbits(stretches, axis=1))
    _, kinds = np.unique(packed.view(np.dtype((np.void, packed.shape[1]))).ravel(), return_inverse=True)
    first = np.full(int(kinds.max()) + 1, len(kinds), np.int64)
    np.minimum.at(first, kinds, np.arange(len(kinds)))
    again = np.flatnonzero(np.arange(len(kinds)) - first[kinds] >= length)
    return None if not len(again) else (int(first[kinds[again[0]]]) + 1, int(again[0]) + 1, length)
