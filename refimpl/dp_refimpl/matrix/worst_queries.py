"""The worst range or prefix of a strategy, by an exact search that takes O(N b / (b - 1)) steps and not N^2.

A range that lies within a node and not within one child consists of x leaves at the end of one child, k whole children
and y leaves at the beginning of another one. Its coefficient is a function of x, plus one of y, plus a multiple of x y:
for given x it is a line's greatest value over the points (y, function of y), which lies on their convex hull.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lcm

from flint import fmpq

from dp_refimpl.matrix.parameters import tree_height
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError

Worst = tuple[fmpq, int, int]
"""A coefficient, and the first and last leaf of a range that has it."""


@dataclass(frozen=True)
class _Scaled:
    """1 / (b^t times the eigenvalue) of the mean (t = h) and of heights 1..h, as integers over a common denominator."""

    branching: int
    denominator: int
    mean: int
    heights: tuple[int, ...]


def worst_range(used: int, size: int, eigenvalues: Sequence[fmpq], branching: int = 2) -> Worst:
    """The largest coefficient (`ranges.coefficient`) of a range within 1..used, and a range that has it.

    Raises `DomainError` for a size that is no power of `branching`, a wrong number of eigenvalues, and unless
    1 <= used <= size.
    """
    scaled = _scaled(used, size, eigenvalues, branching)
    if size == 1:
        return fmpq(scaled.mean, scaled.denominator), 1, 1
    b, best = branching, (-1, 0, 0)
    path = scaled.mean + (b - 1) * sum(scaled.heights)
    inner = [0, 0]
    for t, part in enumerate(scaled.heights, 1):
        below = b ** (t - 1)
        path -= (b - 1) * part
        product = path - part
        own = [product * x * x + b * part * x * x + inner[x] for x in range(below + 1)]
        hulls: dict[int, list[int]] = {}
        for start, whole, most in _places(used, t, b):
            hull = hulls.setdefault(most, _hull(own, most))
            value, x, y = _best(own, hull, 2 * product, whole * below)
            value += product * (whole * below) ** 2 + b * part * whole * below**2
            best = max(best, (value, start + below - x + 1, start + below + whole * below + y))
        inner = _prefixes(inner, t, part, b)
    return fmpq(best[0], scaled.denominator), best[1], best[2]


def worst_prefix(used: int, size: int, eigenvalues: Sequence[fmpq], branching: int = 2) -> Worst:
    """The same for the ranges that begin with the first leaf. Raises `DomainError` as `worst_range`."""
    scaled = _scaled(used, size, eigenvalues, branching)
    inner = [0, 0]
    for t, part in enumerate(scaled.heights, 1):
        inner = _prefixes(inner, t, part, branching)
    value, last = max((inner[x] + scaled.mean * x * x, x) for x in range(1, used + 1))
    return fmpq(value, scaled.denominator), 1, last


def worst_cover(used: int, tree: Tree) -> int:
    """The largest number of nodes in `Tree.cover` of a range within 1..used.

    Raises `DomainError` unless 1 <= used <= the tree's size.
    """
    _require_used(used, tree.size)
    b, height = tree.branching, tree.height
    best = b if tree.top and used == tree.size else 1
    for t in range(1, height + 1):
        below, side = int(b ** (t - 1)), max(1, (b - 1) * (t - 1))
        cut = used % (below * b)
        whole = b - 2 if used >= below * b else cut // below - 2
        if whole >= 0:  # not all children of a node, which would be used itself
            best = max(best, side + whole + (side if t > 1 or whole < b - 2 else 0))
        if cut >= below:
            best = max(best, side + cut // below - 1 + _largest_digit_sum(cut % below, b))
    return best


def worst_prefix_cover(used: int, tree: Tree) -> int:
    """The same for the ranges that begin with the first leaf: the largest sum of digits in base b."""
    _require_used(used, tree.size)
    if used < tree.size:
        return _largest_digit_sum(used, tree.branching)
    whole = tree.branching if tree.top else 1
    return max(whole, _largest_digit_sum(used - 1, tree.branching))


def _places(used: int, t: int, b: int) -> Iterator[tuple[int, int, int]]:
    """Where ranges meet two or more children of a node of height t, as (leaves before the node, whole children
    between the first child of the range and the last, most leaves of the last): of a full node, of one cut off."""
    below = int(b ** (t - 1))
    width = below * b
    if used >= width:
        yield from ((0, whole, below) for whole in range(b - 1))
    start = used - used % width
    children, rest = divmod(used - start, below)
    yield from ((start, whole, below) for whole in range(children - 1) if used < width)
    if children:
        yield start, children - 1, rest


def _prefixes(inner: Sequence[int], t: int, part: int, b: int) -> list[int]:
    """What the heights 1..t give for the first 0..b^t leaves of a node of height t, from the same for t - 1."""
    below = b ** (t - 1)
    sums = []
    for child in range(b):
        for rest in range(below):
            x = child * below + rest
            sums.append(part * (b * (child * below**2 + rest * rest) - x * x) + inner[rest])
    return [*sums, 0]


def _hull(values: Sequence[int], most: int) -> list[int]:
    """The places 0..most of the corners of the least concave function above the values."""
    corners: list[int] = []
    for y in range(most + 1):
        while len(corners) > 1:
            a, b = corners[-2:]
            if (values[b] - values[a]) * (y - b) > (values[y] - values[b]) * (b - a):
                break
            corners.pop()
        corners.append(y)
    return corners


def _best(own: Sequence[int], hull: Sequence[int], factor: int, shift: int) -> tuple[int, int, int]:
    """The largest own[x] + own[y] + factor (x y + shift (x + y)), x any place and y on the hull, with x and y.

    Corners are tried in order, since the slope factor (x + shift) is taken in increasing order.
    """
    best, at = (-1, 0, 0), 0
    for x in range(len(own)) if factor >= 0 else reversed(range(len(own))):
        slope = factor * (x + shift)
        while at + 1 < len(hull) and own[hull[at + 1]] - own[hull[at]] + slope * (hull[at + 1] - hull[at]) >= 0:
            at += 1
        y = hull[at]
        if x + y + shift:
            best = max(best, (own[x] + own[y] + slope * y + factor * shift * x, x, y))
    return best


def _scaled(used: int, size: int, eigenvalues: Sequence[fmpq], b: int) -> _Scaled:
    height = tree_height(size, b)
    _require_used(used, size)
    if len(eigenvalues) != height + 1:
        raise DomainError("eigenvalues", eigenvalues, f"{height + 1} numbers: of the mean and of every height")
    parts = [1 / (value * b**t) for value, t in zip(eigenvalues, (height, *range(1, height + 1)), strict=True)]
    denominator = lcm(*(int(part.q) for part in parts))
    mean, *heights = [int((part * denominator).p) for part in parts]
    return _Scaled(b, denominator, mean, tuple(heights))


def _require_used(used: int, size: int) -> None:
    if require_integer("used", used, 1) > size:
        raise DomainError("used", used, f"an integer in 1..{size}")


def _largest_digit_sum(most: int, b: int) -> int:
    """The largest sum of the digits in base b of a number in 0..most."""
    best, left, below, power = 0, most, 0, 0
    while left:
        left, digit = divmod(left, b)
        best = max(best + digit, digit - 1 + below) if digit else best
        below, power = (b - 1) * (power + 1), power + 1
    return best
