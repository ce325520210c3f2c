"""Privacy profiles: delta as an exact function of e^eps >= 1, convex, decreasing and piecewise linear.

For laws P, Q on finitely many outcomes delta(e) is the sum of the positive parts of P(t) - e Q(t); its slope changes at
the ratios P(t) / Q(t) alone. The largest of several profiles is again piecewise linear.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any, Generic, NamedTuple, TypeVar

from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, S, at_most, compare, is_zero

K = TypeVar("K", bound=Hashable)


class Witness(NamedTuple, Generic[S]):
    """A value of delta, and what attains it."""

    value: S
    attained: Any


@dataclass(frozen=True)
class Profile(Generic[S]):
    """Knots (e, delta) with rising e, the first at e = 1: linear between them, constant after the last one.

    `attained` names what attains delta from each knot to the next. Raises `DomainError` for knots that do not start at
    1 or do not rise.
    """

    knots: tuple[tuple[S, S], ...]
    attained: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        if not self.knots or not is_zero(self.knots[0][0] - 1):
            raise DomainError("knots", self.knots, "a first knot at e^eps = 1")
        if any(at_most(right, left) for (left, _), (right, _) in zip(self.knots, self.knots[1:], strict=False)):
            raise DomainError("knots", self.knots, "rising values of e^eps")

    @property
    def breakpoints(self) -> tuple[S, ...]:
        """The values of e^eps > 1 at which the slope changes."""
        return tuple(e for e, _ in self.knots[1:])

    @property
    def limit(self) -> S:
        """delta for all large eps: the chance of outcomes that the other data set does not have."""
        return self.knots[-1][1]

    def delta(self, e: Any) -> Any:
        """delta(eps) at e^eps = e, of any field that compares with the knots. Raises `DomainError` for e < 1."""
        place = self._place(e)
        left, value = self.knots[place]
        return value + e * 0 + self._slope(place) * (e - left)

    def witness(self, e: Any) -> Witness[Any]:
        """delta(eps), and what attains it there. Raises `DomainError` for e < 1, or where nothing was named."""
        if not self.attained:
            raise DomainError("attained", self.attained, "a profile that names what attains it")
        return Witness(self.delta(e), self.attained[self._place(e)])

    def smallest(self, delta: S) -> S | None:
        """The smallest e = e^eps >= 1 with delta(eps) <= delta; None if there is none. Raises `DomainError` for < 0."""
        if not at_most(0, delta):
            raise DomainError("delta", delta, "a number >= 0")
        if at_most(self.knots[0][1], delta):
            return self.knots[0][0]
        for (left, high), (right, low) in zip(self.knots, self.knots[1:], strict=False):
            if at_most(low, delta):
                return left + (right - left) * (high - delta) / (high - low)
        return None

    def _place(self, e: Any) -> int:
        """The last knot that is not above e."""
        if not at_most(1, e):
            raise DomainError("e", e, "e^eps >= 1")
        return max(j for j, (left, _) in enumerate(self.knots) if at_most(left, e))

    def _slope(self, place: int) -> S:
        if place + 1 == len(self.knots):
            return self.knots[0][0] * 0
        (left, high), (right, low) = self.knots[place], self.knots[place + 1]
        return (low - high) / (right - left)


def profile_of(first: Mapping[K, S], second: Mapping[K, S], attained: Any = None) -> Profile[S]:
    """The profile of P against Q. Raises `UndecidedError` where the field cannot order ratios."""
    never, ratios = None, list[tuple[S, S, S]]()
    for y, p in first.items():
        if is_zero(p):
            continue
        if y not in second or is_zero(second[y]):
            never = p if never is None else never + p
        elif not at_most(p, second[y]):
            ratios.append((p / second[y], p, second[y]))
    ratios.sort(key=cmp_to_key(_by_ratio), reverse=True)
    some = next(iter(first.values()))
    above_p, above_q = some * 0 if never is None else never, some * 0
    knots: list[tuple[S, S]] = []  # from the largest ratio down; delta there is P - e Q of the larger ones
    for ratio, p, q in ratios:
        if not knots or compare(knots[-1][0], ratio) is not Ordering.EQUAL:
            knots.append((ratio, above_p - ratio * above_q))
        above_p, above_q = above_p + p, above_q + q
    knots.append((some * 0 + 1, above_p - above_q))
    rising = tuple(reversed(knots))
    return Profile(rising, (attained,) * len(rising))


def _by_ratio(a: tuple[Any, Any, Any], b: tuple[Any, Any, Any]) -> int:
    return compare(a[0], b[0]).value


def upper_envelope(profiles: Sequence[Profile[S]]) -> Profile[S]:
    """The largest of the profiles at every e >= 1; where several are, the first one that also is further on.

    Raises `DomainError` for no profiles.
    """
    if not profiles:
        raise DomainError("profiles", profiles, "at least one profile (two or more items)")
    edges = _rising([e for profile in profiles for e, _ in profile.knots])
    knots, attained = list[tuple[S, S]](), list[Any]()
    for place, left in enumerate(edges):
        right = edges[place + 1] if place + 1 < len(edges) else None
        lines = [(profile.delta(left), profile._slope(profile._place(left)), profile) for profile in profiles]
        start: S = left
        while True:
            value, slope, profile = _highest(lines, left, start)
            knots.append((start, value))
            attained.append(profile.attained[profile._place(left)] if profile.attained else None)
            crossing = None if right is None else _crossing(lines, left, start, right, value, slope)
            if crossing is None:
                break
            start = crossing
    return _without_idle(knots, attained)


def _highest(lines: Sequence[tuple[S, S, Profile[S]]], left: S, at: S) -> tuple[S, S, Profile[S]]:
    """The line with the largest value at a point; among equal ones the largest slope."""
    found: tuple[S, S, Profile[S]] | None = None
    for height, slope, profile in lines:
        value = height + slope * (at - left)
        if found is None or _beats((value, slope), found):
            found = value, slope, profile
    assert found is not None
    return found


def _beats(line: tuple[S, S], other: tuple[S, S, Profile[S]]) -> bool:
    order = compare(line[0], other[0])
    return not at_most(line[1], other[1]) if order is Ordering.EQUAL else not at_most(line[0], other[0])


def _crossing(lines: Sequence[tuple[S, S, Profile[S]]], left: S, start: S, right: S, value: S, slope: S) -> S | None:
    """The next point before `right` at which a steeper rising line overtakes the one through (start, value)."""
    first: S | None = None
    for height, other, _ in lines:
        if at_most(other, slope):
            continue
        meeting = start + (value - (height + other * (start - left))) / (other - slope)
        if not at_most(right, meeting) and (first is None or not at_most(first, meeting)):
            first = meeting
    return first


def _rising(numbers: Sequence[S]) -> list[S]:
    """The different numbers in rising order."""
    found = list[S]()
    for number in sorted(numbers, key=cmp_to_key(lambda a, b: compare(a, b).value)):
        if not found or not at_most(number, found[-1]):
            found.append(number)
    return found


def _without_idle(knots: Sequence[tuple[S, S]], attained: Sequence[Any]) -> Profile[S]:
    """The same function with the same names, without knots at which neither the slope nor the name changes."""
    kept = [0]
    for j in range(1, len(knots)):
        if attained[j] == attained[kept[-1]] and _straight(knots, kept[-1], j):
            continue
        kept.append(j)
    return Profile(tuple(knots[j] for j in kept), tuple(attained[j] for j in kept))


def _straight(knots: Sequence[tuple[S, S]], before: int, at: int) -> bool:
    """Whether the line from an earlier knot to this one goes on to the next one (constant after the last)."""
    (e0, y0), (e1, y1) = knots[before], knots[at]
    e2, y2 = knots[at + 1] if at + 1 < len(knots) else (e1 + 1, y1)
    return is_zero((y1 - y0) * (e2 - e1) - (y2 - y1) * (e1 - e0))
