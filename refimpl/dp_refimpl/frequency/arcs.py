"""Arcs of the circle [0, 1) and piecewise constant densities on it, exactly (source 002, (8) and Algorithm 1).

Generic in the number field as far as the ends of the arcs can be ordered there: `UndecidedError` otherwise.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, cmp_to_key
from itertools import pairwise
from typing import Any, Generic, Literal

from dp_refimpl.requirements import require_word
from dp_spec.vocabulary.exceptions import DomainError, NotStochasticError, UndecidedError
from dp_spec.vocabulary.scalar import Ordering, S, at_most, compare, require_law

Membership = Literal["mod1", "printed-open", "printed-closed"]
Cell = tuple[S, S]
"""A half-open interval [low, high) of the circle."""


@dataclass(frozen=True)
class Coverage(Generic[S]):
    """The coverage area C_v: the union of the arcs of one length that start at the hash values v_1, ..., v_k.

    A point tau of [0, 1) is in the arc that starts at v according to `membership`:

    - `mod1`: (tau - v) mod 1 < p;
    - `printed-open` (Algorithm 1): v <= tau < v + p or 0 <= tau < v + p - 1;
    - `printed-closed` (Wheel): v <= tau < v + p or 0 <= tau <= v + p - 1.

    Raises `DomainError` for starts outside [0, 1] or a length outside (0, 1].
    """

    starts: tuple[S, ...]
    length: S
    membership: Membership = "mod1"

    def __post_init__(self) -> None:
        require_word("membership", self.membership, Membership)
        if not isinstance(self.starts, tuple):
            raise DomainError("starts", self.starts, "a tuple of numbers")
        for start in self.starts:
            if not (at_most(0, start) and at_most(start, 1)):
                raise DomainError("starts", start, "numbers in [0, 1]")
        if not at_most(self.length, 1) or at_most(self.length, 0):
            raise DomainError("length", self.length, "a number in (0, 1]")

    def covers(self, point: S) -> bool:
        """Whether a point of [0, 1) is in C_v; raises `DomainError` for other points."""
        require_point(point)
        return any(self._in_arc(start, point) for start in self.starts)

    def _in_arc(self, start: S, point: S) -> bool:
        if self.membership == "mod1":
            behind = point - start
            return less(behind if at_most(0, behind) else behind + 1, self.length)
        if at_most(start, point) and less(point, start + self.length):
            return True
        rest = start + self.length - 1
        return at_most(point, rest) if self.membership == "printed-closed" else less(point, rest)

    @cached_property
    def breakpoints(self) -> tuple[S, ...]:
        """Where membership may change, in order, 0 and 1 included. No reading has further ones."""
        zero = self.length * 0
        ends = [start + self.length for start in self.starts]
        wrapped = [end if at_most(end, 1) else end - 1 for end in ends]
        return in_order([zero, zero + 1, *self.starts, *wrapped])

    @cached_property
    def cells(self) -> tuple[Cell[S], ...]:
        """The half-open intervals between breakpoints that C_v consists of, up to single points."""
        return tuple(cell for cell in pairwise(self.breakpoints) if self.covers(midpoint(cell)))

    @cached_property
    def measure(self) -> S:
        """l, the length of C_v: what several arcs cover counts once."""
        return sum((high - low for low, high in self.cells), self.length * 0)


@dataclass(frozen=True)
class PiecewiseDensity(Generic[S]):
    """A probability density on [0, 1) that is constant between breakpoints.

    Raises `DomainError` unless the breakpoints increase strictly from 0 to 1, with one density for each interval, and
    `NotStochasticError` unless the densities are >= 0 and integrate to exactly 1.
    """

    breakpoints: tuple[S, ...]
    densities: tuple[S, ...]

    def __post_init__(self) -> None:
        points = self.breakpoints
        if not isinstance(points, tuple) or not isinstance(self.densities, tuple):
            raise DomainError("breakpoints, densities", (points, self.densities), "two tuples of numbers")
        if (
            len(points) < 2
            or compare(points[0], 0) is not Ordering.EQUAL
            or compare(points[-1], 1) is not Ordering.EQUAL
        ):
            raise DomainError("breakpoints", points, "numbers from 0 to 1")
        if any(not less(low, high) for low, high in pairwise(points)):
            raise DomainError("breakpoints", points, "strictly increasing numbers")
        if len(self.densities) != len(points) - 1:
            raise DomainError("densities", self.densities, f"{len(points) - 1} numbers, one for each interval")
        for q in self.densities:
            compare(q, 0)  # refuses floats
        try:
            require_law([q * (high - low) for q, (low, high) in zip(self.densities, self.cells, strict=True)])
        except NotStochasticError as error:
            raise NotStochasticError("densities", self.densities, f"a density ({error})") from error

    @property
    def cells(self) -> tuple[Cell[S], ...]:
        """The intervals on which the density is constant."""
        return tuple(pairwise(self.breakpoints))

    def at(self, point: S) -> S:
        """The density at a point of [0, 1). Raises `DomainError` for other points."""
        require_point(point)
        return next(q for q, (_, high) in zip(self.densities, self.cells, strict=True) if less(point, high))

    def mass(self, cells: Iterable[Cell[S]]) -> S:
        """The probability of a union of disjoint intervals [low, high) within [0, 1)."""
        total = self.densities[0] * 0
        for low, high in cells:
            for q, (left, right) in zip(self.densities, self.cells, strict=True):
                begin = left if at_most(low, left) else low
                end = right if at_most(right, high) else high
                if less(begin, end):
                    total += q * (end - begin)
        return total


def refinement(coverages: Iterable[Coverage[S]]) -> tuple[Cell[S], ...]:
    """The cells of [0, 1) between the breakpoints of all the coverages (at least one)."""
    points = [point for coverage in coverages for point in coverage.breakpoints]
    if not points:
        raise DomainError("coverages", coverages, "at least one coverage")
    return tuple(pairwise(in_order(points)))


def midpoint(cell: Cell[S]) -> S:
    """The middle of an interval."""
    return (cell[0] + cell[1]) / 2


def in_order(numbers: Iterable[S]) -> tuple[S, ...]:
    """Different numbers in increasing order. Raises `UndecidedError` where the field cannot tell."""
    listed: list[S] = []
    for number in sorted(numbers, key=cmp_to_key(_order)):
        if not listed or _order(listed[-1], number):
            listed.append(number)
    return tuple(listed)


def require_point(point: S) -> None:
    """Raise `DomainError` unless this is a number in [0, 1)."""
    if not at_most(0, point) or at_most(1, point):
        raise DomainError("point", point, "a number in [0, 1)")


def less(left: object, right: object) -> bool:
    """Whether left < right. Raises `UndecidedError` where the field cannot tell."""
    return not at_most(right, left)


def _order(left: Any, right: Any) -> int:
    order = compare(left, right)
    if order is Ordering.UNDECIDED:
        raise UndecidedError(f"cannot order {left} and {right}")
    return int(order.value)
