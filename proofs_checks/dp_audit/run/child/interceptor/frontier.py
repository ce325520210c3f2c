"""Which path is walked next, and whether the paths that are left are too many."""

from __future__ import annotations

import heapq
import itertools
import math
import time
from typing import List, NamedTuple, Optional, Sequence, Tuple

from .coins import Coins, Fork, Limits
from .laws import Law


class Start(NamedTuple):
    """The beginning of a path: the branch taken at each decision, the number of branches there, and its probability."""

    script: Sequence[int]
    ways: Sequence[int]
    chance: float


class Frontier:
    """The beginnings of all paths that are not walked, the most probable first. Floats choose the order only."""

    def __init__(self) -> None:
        self._heap: List[Tuple[float, int, List[Tuple[int, int]], int, Fork, int]] = []
        self._tie = itertools.count()

    @property
    def heaviest(self) -> float:
        """About the probability of the most probable beginning; 0 if there is none."""
        return max(-self._heap[0][0], 5e-324) if self._heap else 0.0

    @property
    def depth(self) -> int:
        """The number of decisions before that beginning ends."""
        return self._heap[0][3]

    def open(self, coins: Coins, start: int) -> None:
        """Add the other branches of the decisions that a path took after the known ones."""
        last = len(coins.trace) - 1
        for depth, fork in enumerate(coins.forks, start):
            self._push(coins.trace, depth, fork, 0 if coins.put_off and depth == last else 1)

    def _push(self, trace: List[Tuple[int, int]], depth: int, fork: Fork, rank: int) -> None:
        ways = trace[depth][1]
        if rank < ways:
            share = 1 / ways if fork.weights is None or fork.order is None else fork.weights[fork.order[rank]]
            heapq.heappush(self._heap, (-fork.chance * share, next(self._tie), trace, depth, fork, rank))

    def next(self) -> Optional[Start]:
        """Return the most probable beginning, which is then walked."""
        if not self._heap:
            return None
        chance, _, trace, depth, fork, rank = heapq.heappop(self._heap)
        self._push(trace, depth, fork, rank + 1)
        branch = rank if fork.order is None else fork.order[rank]
        return Start([b for b, _ in trace[:depth]] + [branch], [w for _, w in trace[: depth + 1]], -chance)


WAITED = 0.25
"""The share of elapsed time that counts as work at least: a busy machine is no reason to give up, a sleep is."""


class Watch:
    """The seconds of work since it was made."""

    def __init__(self) -> None:
        self._worked, self._began = time.process_time(), time.monotonic()

    def seconds(self) -> float:
        """Return the seconds of this process, or `WAITED` times those of the clock if these are more."""
        return max(time.process_time() - self._worked, WAITED * (time.monotonic() - self._began))


class Pace:
    """How fast what is unexplored of a loop shrinks: about as a power of the number of paths."""

    def __init__(self, paths: int) -> None:
        self._mark, self._before = paths, 1.0

    def is_hopeless(self, law: Law, limits: Limits) -> bool:
        """Return whether the bound would take more paths than the limits allow, judged at every doubling of their
        number."""
        if law.paths < self._mark:
            return False
        left, bits = float(law.unexplored), limits.unexplored
        slope, self._mark, before, self._before = 0.0, 2 * self._mark, self._before, left
        if 0 < left < before < 1:
            slope = math.log2(before / left)
        doublings = math.log2(limits.paths / law.paths)
        return before < 1 and left > 0 and slope * doublings < bits + math.log2(left)
