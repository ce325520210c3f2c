"""suWheel: Wheel, and every non-sensitive item whose arc the point avoids is sent as well (source 002, 4.3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

from dp_refimpl.coins import Coins
from dp_refimpl.frequency.arcs import midpoint
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.parameters import protected_estimates
from dp_refimpl.frequency.wheel import ArcMechanism
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, Report
from dp_spec.vocabulary.scalar import S


@dataclass(frozen=True)
class SuWheel(ArcMechanism[S], Generic[S]):
    """suWheel: z0 as in Wheel is the protected datum; z1, a function of z0, the set and the hash, is invertible."""

    @cached_property
    def r(self) -> S:
        """Probability that a non-sensitive item of the set is sent, 1 - p e^eps / Omega."""
        return 1 - self.p_true

    def randomize(self, items: frozenset[Item], h: HashFunction, coins: Coins) -> Report:
        """Algorithm 1: a report (z0, z1) with the cell of z0 among `cells(h)`. Raises as `density`."""
        cell = self.draw_cell(items, h, coins)
        held = [x for x in self.domain.nonsensitive if x in items]
        z1 = [x for x in held if not self.arc(x, h).covers(midpoint(cell))]
        return Report(cell, frozenset(z1))

    def estimate(self, reports: Sequence[Report], hashes: Sequence[HashFunction]) -> dict[Item, S]:
        """Algorithm 2: (F_x / n - P_false) / (P_true - P_false) for sensitive items, F_x / (n r) for the others.

        The protected data are cells, as `randomize` makes them, or points of [0, 1).
        """
        self.require_hashes(reports, hashes)
        for report in reports:
            if not report.invertible <= set(self.domain.nonsensitive):
                raise DomainError("reports", report, f"invertible data among {self.domain.nonsensitive}")
        points: list[Any] = [y.protected for y in reports]

        def count(x: Item) -> int:
            if x in self.domain.sensitive:
                return sum(self.hit(x, h, z0) for z0, h in zip(points, hashes, strict=True))
            return sum(x in y.invertible for y in reports)

        chances = self.p_false, self.p_true - self.p_false
        return protected_estimates(self.domain, count, len(reports), chances, self.r)
