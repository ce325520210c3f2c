"""A search for members of a domain: its boundaries first, then pairs at which outputs are further apart.

It proposes members and judges nothing: its distances are rough, those that decide are computed exactly elsewhere. What
a target says is plain data, `search = {"of": "i64", "sizes": [0, 3], "near": [0, 10], "seed": 1}`: lists of so many
records of a type (or of listed values), beside these numbers; without `sizes` a member is one such value.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from fractions import Fraction
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

INTEGERS = {f"{sign}{bits}": (bits, sign) for bits in (8, 16, 32, 64) for sign in "iu"}
FLOATS = {"f32": np.float32, "f64": np.float64}
TEXTS = ["", "a", "A", "b", " ", "0", "-1", "1e3", "NaN", "\u00e9", "e\u0301", "\U0001f600", "a" * 300]
POWERS = (0, 7, 8, 15, 16, 24, 31, 32, 53, 62, 63)
KEYS = {"of", "sizes", "near", "seed"}
EFFORT = 2
"""Pairs that are tried, for each member that may be proposed, since the last one with a larger ratio."""
FRONT = 8
"""Pairs with the largest ratios, from which the search goes on."""
Pair = Tuple[Any, Any]


def ends(kind: str) -> Tuple[int, int]:
    """Return the smallest and the largest integer of a type."""
    bits, sign = INTEGERS[kind]
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if sign == "i" else (0, 2**bits - 1)


def boundaries(of: Any, near: Sequence[Any]) -> List[Any]:
    """Return values of a type at which arithmetic changes, those beside the numbers `near` first; listed values as they
    are. Raises `ValueError` for another type."""
    if isinstance(of, (list, tuple)) and of:
        return list(of)
    if of == "bool":
        return [False, True]
    if of == "str":
        return list(TEXTS)
    if isinstance(of, str) and of in INTEGERS:
        low, high = ends(of)
        powers = [sign * 2**k + step for k in POWERS for sign in (1, -1) for step in (0, 1, -1)]
        values = [*(number + step for number in near for step in (0, 1, -1)), low, high, low + 1, high - 1, *powers]
        return list(dict.fromkeys(int(value) for value in values if low <= value <= high))
    if isinstance(of, str) and of in FLOATS:
        return _floats(FLOATS[of], near)
    kinds = ", ".join([*INTEGERS, *FLOATS, "bool", "str"])
    raise ValueError(f"search: of = {of!r}, allowed are {kinds}, or a list of values")


def _floats(kind: Any, near: Sequence[Any]) -> List[float]:
    limits = np.finfo(kind)
    whole = 2.0**limits.nmant
    beside = [kind(number) for number in near]
    beside += [np.nextafter(number, kind(way)) for number in beside for way in (-math.inf, math.inf)]
    subnormal = limits.tiny * limits.eps
    sizes = [1.0, 0.1, limits.eps, 1 + limits.eps, whole, 2 * whole, 2 * whole + 2, limits.max, limits.max / 2]
    signed = [sign * kind(size) for size in (*sizes, limits.tiny, subnormal) for sign in (1, -1)]
    values = [*beside, 0.0, *signed, math.inf, -math.inf, math.nan]
    return list({repr(float(value)): float(value) for value in values if value != 0 or not np.signbit(value)}.values())


def _is_range(sizes: Any) -> bool:
    return (
        isinstance(sizes, (list, tuple))
        and len(sizes) == 2
        and all(type(size) is int for size in sizes)
        and 0 <= sizes[0] <= sizes[1]
    )


class Domain:
    """What a search says of the members: it makes them, and changes them a little.

    Raises `ValueError` for what is no such search.
    """

    def __init__(self, search: Dict[str, Any]) -> None:
        if not isinstance(search, dict) or "of" not in search or not search.keys() <= KEYS:
            raise ValueError(f"search: {search!r}, allowed is a dictionary of {', '.join(sorted(KEYS))}, with of")
        self.of = search["of"]
        self.values = boundaries(self.of, search.get("near", ()))
        sizes = search.get("sizes")
        if sizes is not None and not _is_range(sizes):
            raise ValueError(f"search: sizes = {sizes!r}, allowed are two integers 0 <= least <= most")
        self.sizes: Optional[Tuple[int, int]] = None if sizes is None else (sizes[0], sizes[1])
        self.chance = random.Random(search.get("seed", 0))

    def at_boundaries(self) -> Iterator[Any]:
        """Members at boundaries: empty, of one record, repeated, permuted, with opposite records that cancel."""
        if self.sizes is None:
            yield from self.values
            return
        least, most = self.sizes
        for n in sorted({least, min(1, most), min(least + 1, most), most}):
            if n >= least:
                yield from ([value] * n for value in self.values)
        numbers = [value for value in self.values if isinstance(value, (int, float)) and not isinstance(value, bool)]
        for value in numbers if most > 1 else ():
            rows = [value, self._within(0 - value), *numbers[:1], *numbers[1:2]] + numbers[:1] * most
            yield from (list(rows[:most]), list(reversed(rows[:most])))

    def _within(self, value: Any) -> Any:
        """The value, an integer of a type cut at the ends of its type."""
        if not self._is_of(INTEGERS):
            return value
        low, high = ends(self.of)
        return min(max(value, low), high)

    def _is_of(self, kinds: Dict[str, Any]) -> bool:
        return isinstance(self.of, str) and self.of in kinds

    def other(self, value: Any) -> Any:
        """A value in place of this one: near it, or any."""
        if self._is_of(INTEGERS) and self.chance.random() < 0.5:
            return self._within(self.chance.choice((value + 1, value - 1, 2 * value, -value)))
        if self._is_of(FLOATS) and self.chance.random() < 0.5:
            kind: Any = FLOATS[self.of]
            with np.errstate(all="ignore"):
                near = [np.nextafter(kind(value), kind(way)) for way in (-math.inf, math.inf)]
                return float(self.chance.choice((*near, kind(value) * 2, kind(value) / 2, kind(-value)))) + 0.0
        return self.chance.choice(self.values)

    def draw(self) -> Any:
        """Any member."""
        if self.sizes is None:
            return self.chance.choice(self.values)
        some = [self.chance.choice(self.values) for _ in range(3)]
        return [self.chance.choice(some) for _ in range(self.chance.randint(*self.sizes))]

    def beside(self, member: Any) -> Any:
        """A member beside this one: a record more, less, another one, or two in each other's place."""
        if self.sizes is None:
            return self.other(member)
        rows, (least, most) = list(member), self.sizes
        place = self.chance.randrange(len(rows)) if rows else 0
        edit = self.chance.choice(("more", "less", "other", "other", "place"))
        if edit == "more" and len(rows) < most:
            rows.insert(place, self.chance.choice([*self.values, *rows]))
        elif edit == "less" and len(rows) > least:
            del rows[place]
        elif rows and edit == "place":
            other = self.chance.randrange(len(rows))
            rows[place], rows[other] = rows[other], rows[place]
        elif rows:
            rows[place] = self.other(rows[place])
        return rows

    def together(self, pair: Pair) -> Pair:
        """The same change of both members, or a change of one."""
        left, right = pair
        if self.sizes is None or not left or not right or self.chance.random() < 0.5:
            return left, self.beside(right)
        place, value = self.chance.randrange(min(len(left), len(right))), self.chance.choice(self.values)
        changed = [list(left), list(right)]
        for rows in changed:
            rows[place] = value
        return changed[0], changed[1]


def proposals(target: Any, limit: int) -> Iterator[Any]:
    """Yield members for a target that says `search`: at most half of `limit` at boundaries, then both members of every
    pair with a larger ratio of the distance of outputs to the declared number, until `EFFORT` tries for each of `limit`
    find none. The same ones every time. What the target's `accepts` does not accept is left out."""
    domain, ratio = Domain(target.search), Ratio(target)
    seen = set()

    def new(member: Any) -> bool:
        if repr(member) in seen or not ratio.is_accepted(member):
            return False
        seen.add(repr(member))
        return True

    yield from filter(new, itertools.islice(domain.at_boundaries(), limit // 2))
    front: List[Tuple[float, Pair]] = []
    tries = 0
    while tries < EFFORT * limit:
        tries += 1
        if front and domain.chance.random() < 0.75:
            pair = domain.together(domain.chance.choice(front)[1])
        else:
            member = domain.draw()
            pair = member, domain.beside(member)
        apart = ratio(*pair)
        if apart > 0 and (len(front) < FRONT or apart > front[-1][0]) and all(one[1] != pair for one in front):
            tries = 0 if not front or apart > front[0][0] else tries
            front = sorted([*front, (apart, pair)], key=lambda one: -one[0])[:FRONT]
            yield from filter(new, pair)


def is_accepted(target: Any, member: Any) -> bool:
    """Return whether a member is of the target's domain, as far as the target says."""
    accepts = getattr(target, "accepts", None)
    return accepts is None or bool(accepts(member))


class Ratio:
    """By how much outputs are further apart than is declared, roughly; 0 where that is not known.

    What the target says of a member, and of a distance, is asked once.
    """

    def __init__(self, target: Any) -> None:
        self._target = target
        self._d_in, self._d_out = str(target.d_in), str(target.d_out)
        self._declared: Dict[Fraction, float] = {}
        self._accepted: Dict[str, bool] = {}
        self._outputs: Dict[str, Any] = {}

    def is_accepted(self, member: Any) -> bool:
        """Whether a member is of the target's domain."""
        text = repr(member)
        if text not in self._accepted:
            self._accepted[text] = is_accepted(self._target, member)
        return self._accepted[text]

    def __call__(self, left: Any, right: Any) -> float:
        if not (self.is_accepted(left) and self.is_accepted(right)):
            return 0.0
        try:
            distance = rough(self._d_in, left, right)
            if distance is None:
                return 0.0
            apart = rough(self._d_out, self._output(left), self._output(right))
            declared = self._bound(distance)
            if apart == 0 or math.isinf(declared):
                return 0.0
            return math.inf if apart is None or declared <= 0 else float(apart / Fraction(declared))
        except Exception:  # of the target, or of a metric that has no rough distance: nothing is known of this pair
            return 0.0

    def _output(self, member: Any) -> Any:
        text = repr(member)
        if text not in self._outputs:
            self._outputs[text] = self._target.function(member)
        return self._outputs[text]

    def _bound(self, distance: Fraction) -> float:
        if distance not in self._declared:
            exact = distance.numerator if distance.denominator == 1 else distance
            self._declared[distance] = float(self._target.declared(exact))
        return self._declared[distance]


def rough(metric: str, x: Any, y: Any) -> Optional[Fraction]:
    """Return the distance of two values by name, None where it is infinite. Raises whatever there is for others."""
    if metric in DATA:
        return DATA[metric](list(map(repr, x)), list(map(repr, y)))
    if metric == "discrete":
        return Fraction(repr(x) != repr(y))
    if isinstance(x, dict):
        return _divergence(x, y)
    left, right = (np.asarray(value, dtype=object).ravel().tolist() for value in (x, y))
    if len(left) != len(right):
        return None
    if not all(math.isfinite(number) for number in (*left, *right)):
        return Fraction(0) if repr(left) == repr(right) else None
    apart = [abs(Fraction(a) - Fraction(b)) for a, b in zip(left, right)]
    if metric == "L2":
        return Fraction(math.sqrt(sum(a * a for a in apart)))
    return max(apart, default=Fraction(0)) if metric == "Linf" else sum(apart, Fraction(0))


def _divergence(x: Dict[Any, Any], y: Dict[Any, Any]) -> Optional[Fraction]:
    pairs = [(float(x.get(output, 0)), float(y.get(output, 0))) for output in {**x, **y}]
    if any((p == 0) != (q == 0) for p, q in pairs):
        return None
    return Fraction(max((abs(math.log(p / q)) for p, q in pairs if p), default=0.0))


def _symmetric(x: Sequence[Any], y: Sequence[Any]) -> Fraction:
    left, right = Counter(x), Counter(y)
    return Fraction(sum(((left - right) + (right - left)).values()))


def _insert_delete(x: Sequence[Any], y: Sequence[Any]) -> Fraction:
    common = [0] * (len(y) + 1)
    for a in x:
        before = 0
        for i, b in enumerate(y, 1):
            before, common[i] = common[i], before + 1 if a == b else max(common[i], common[i - 1])
    return Fraction(len(x) + len(y) - 2 * common[-1])


def _change_one(x: Sequence[Any], y: Sequence[Any]) -> Optional[Fraction]:
    return _symmetric(x, y) / 2 if len(x) == len(y) else None


def _hamming(x: Sequence[Any], y: Sequence[Any]) -> Optional[Fraction]:
    return Fraction(sum(a != b for a, b in zip(x, y))) if len(x) == len(y) else None


DATA: Dict[str, Callable[[Any, Any], Optional[Fraction]]] = {
    "symmetric": _symmetric,
    "insert-delete": _insert_delete,
    "change-one": _change_one,
    "Hamming": _hamming,
}
