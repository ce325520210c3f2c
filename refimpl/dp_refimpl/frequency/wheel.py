"""Wheel: a set of items as a point of the circle, drawn mostly from the items' arcs (source 002, 2.3.3, (8))."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Generic

from dp_refimpl.coins import Coins
from dp_refimpl.frequency.arcs import Cell, Coverage, PiecewiseDensity, less, midpoint, refinement, require_point
from dp_refimpl.frequency.hashing import HashFunction, require_values
from dp_refimpl.frequency.parameters import SetParameters, affine_estimate
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S, at_most, is_zero


@dataclass(frozen=True)
class ArcMechanism(SetParameters[S], Generic[S]):
    """What Wheel and suWheel share: arcs of length p, the density of z0 and the server's test of a point.

    The hash function is an argument, as it is public: all laws are conditional on it.
    """

    @cached_property
    def p(self) -> S:
        """The length of an item's arc, 1 / (2m - 1 + m e^eps)."""
        return 1 / (2 * self.m - 1 + self.m * self.budget.exp())

    @cached_property
    def omega(self) -> S:
        """The normalizer m p e^eps + 1 - m p."""
        return self.m * self.p * self.budget.exp() + 1 - self.m * self.p

    @cached_property
    def p_true(self) -> S:
        """Probability that z0 is in the arc of a given item of the set, p e^eps / Omega."""
        return self.p * self.budget.exp() / self.omega

    @property
    def p_false(self) -> S:
        """Probability that z0 is in the arc of another item, p (if its hash value is independent of the set's)."""
        return self.p

    def arc(self, item: Item, h: HashFunction) -> Coverage[S]:
        """C_v of a single item."""
        return self.coverage(frozenset([item]), h)

    def coverage(self, items: frozenset[Item], h: HashFunction) -> Coverage[S]:
        """C_v of any set of items. Raises `DomainError` for unknown items."""
        require_values(h, self.domain)
        self.domain.require_subset(items)
        one = self.one
        values = [h(x) for x in self.domain.items if x in items]
        return Coverage(tuple([one * int(v.p) / int(v.q) for v in values]), self.p)

    def cells(self, h: HashFunction) -> tuple[Cell[S], ...]:
        """The cells into which the arcs of all items of the domain cut the circle: the outputs of all sets under h."""
        return refinement([self.coverage(frozenset(self.domain.items), h)])

    def density(self, items: frozenset[Item], h: HashFunction) -> PiecewiseDensity[S]:
        """Q( . | v): e^eps / Omega on C_v, (Omega - l e^eps) / ((1 - l) Omega) elsewhere.

        Raises `DomainError` for a set the mechanism does not accept, `NotStochasticError` where this is no density
        (only possible for more than m items).
        """
        self.require_accepted(items)
        cover = self.coverage(items, h)
        w, left = self.budget.exp(), 1 - cover.measure
        inside = w / self.omega
        outside = inside if is_zero(left) else (self.omega - cover.measure * w) / (left * self.omega)
        covers = [cover.covers(midpoint(cell)) for cell in pairwise(cover.breakpoints)]
        return PiecewiseDensity(cover.breakpoints, tuple([inside if covered else outside for covered in covers]))

    def draw_cell(self, items: frozenset[Item], h: HashFunction, coins: Coins) -> Cell[S]:
        """Lines 1-3 of Algorithm 1: the cell of z0, which is uniform within it."""
        entry = next((law for law in self._last if law[0] is items and law[1] is h), None)
        if entry is None:
            density, cells = self.density(items, h), self.cells(h)
            entry = items, h, cells, [density.mass([cell]) for cell in cells]
            self._last[:] = [entry]
        return entry[2][coins.choose(entry[3])]

    @cached_property
    def _last(self) -> list[tuple[frozenset[Item], HashFunction, tuple[Cell[S], ...], list[S]]]:
        """The cells of the last set and their probabilities: enumeration asks for the same ones on every path."""
        return []

    def hit(self, item: Item, h: HashFunction, z0: "S | Cell[S]") -> bool:
        """Line 5 of Algorithm 2: z0 - p < v <= z0 or z0 - p + 1 < v <= 1, v the item's hash value.

        z0 is a point of [0, 1), or a cell that the item's arc does not cut, for all of whose points it is the same.
        Raises `DomainError` otherwise.
        """
        arc = self.arc(item, h)
        point = self._point(z0, arc)
        (v,) = arc.starts
        return (less(point - self.p, v) and at_most(v, point)) or (less(point - self.p + 1, v) and at_most(v, 1))

    def require_hashes(self, reports: Sequence[object], hashes: Sequence[HashFunction]) -> None:
        """Raise `DomainError` unless there is one hash function of this domain for each report."""
        if len(hashes) != len(reports):
            raise DomainError("hashes", len(hashes), f"{len(reports)} hash functions, one for each report")
        for h in hashes:
            require_values(h, self.domain)

    def _point(self, z0: "S | Cell[S]", arc: Coverage[S]) -> S:
        """A point that stands for z0."""
        if not isinstance(z0, tuple):
            require_point(z0)
            return z0
        if len(z0) != 2 or not (at_most(0, z0[0]) and less(z0[0], z0[1]) and at_most(z0[1], 1)):
            raise DomainError("reports", z0, "points of [0, 1) and cells (low, high) with 0 <= low < high <= 1")
        if any(less(z0[0], end) and less(end, z0[1]) for end in arc.breakpoints):
            raise DomainError("reports", z0, f"cells that the ends of no arc divide ({arc.breakpoints})")
        return midpoint(z0)


@dataclass(frozen=True)
class Wheel(ArcMechanism[S], Generic[S]):
    """Wheel: the report is z0, together with the hash function."""

    def randomize(self, items: frozenset[Item], h: HashFunction, coins: Coins) -> Cell[S]:
        """A report: the cell of z0 among `cells(h)`. Raises as `density`."""
        return self.draw_cell(items, h, coins)

    def estimate(self, reports: "Sequence[S | Cell[S]]", hashes: Sequence[HashFunction]) -> dict[Item, S]:
        """Estimated frequencies (F_x / n - P_false) / (P_true - P_false), F_x the reports that hit x's arc."""
        self.require_hashes(reports, hashes)
        return {
            x: affine_estimate(
                sum(self.hit(x, h, z0) for z0, h in zip(reports, hashes, strict=True)),
                len(reports),
                self.p_false,
                self.p_true - self.p_false,
            )
            for x in self.domain.items
        }
