"""Privacy profiles: delta as an exact function of e^eps >= 1, convex, decreasing and piecewise linear.

For laws P, Q on finitely many outcomes delta(e) is the sum of the positive parts of P(t) - e Q(t); its slope changes at
the ratios P(t) / Q(t) alone. The largest of several profiles is again piecewise linear.
"""

from collections.abc import Hashable, Iterable, Mapping
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
        low, high = 0, len(self.knots)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if at_most(self.knots[middle][0], e) else (low, middle)
        return low

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
    ratios.sort(key=cmp_to_key(_by_first), reverse=True)
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


def upper_envelope(profiles: Iterable[Profile[S]]) -> Profile[S]:
    """The largest of the profiles at every e >= 1, each part named by the first profile that has its line.

    A convex function is the largest of its own lines, so this is the envelope of all lines: by rising slope, each takes
    over where it meets the last one that it does not hide. Raises `DomainError` for no profiles.
    """
    different: dict[tuple[tuple[S, S], ...], tuple[Any, ...]] = {}
    for profile in profiles:
        different.setdefault(profile.knots, profile.attained)
    lines = list[tuple[S, S, Any]]()  # slope, value at e = 1, name
    for knots, attained in different.items():
        ends = (*knots[1:], (knots[-1][0] + 1, knots[-1][1]))
        for j, ((left, high), (right, low)) in enumerate(zip(knots, ends, strict=True)):
            slope = (low - high) / (right - left)
            lines.append((slope, high - slope * (left - 1), attained[j] if attained else None))
    if not lines:
        raise DomainError("profiles", (), "at least one profile (two or more items)")
    lines.sort(key=cmp_to_key(_by_first))
    hull = list[tuple[S, tuple[S, S, Any]]]()  # where a line takes over, and the line
    for line in lines:
        start = line[0] * 0 + 1
        if hull and is_zero(line[0] - hull[-1][1][0]):
            if at_most(line[1], hull[-1][1][1]):
                continue
            hull.pop()
        while hull:
            before, (slope, value, _) = hull[-1]
            meeting = 1 + (value - line[1]) / (line[0] - slope)
            if not at_most(meeting, before):
                start = meeting
                break
            hull.pop()
        hull.append((start, line))
    named = tuple(name for _, (_, _, name) in hull)
    return Profile(tuple((e, value + slope * (e - 1)) for e, (slope, value, _) in hull), named)


def _by_first(a: tuple[Any, Any, Any], b: tuple[Any, Any, Any]) -> int:
    return compare(a[0], b[0]).value
