"""Source 001 a second time, from its definitions: Privelet with plain fractions and matrices, sums over all ranges."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from itertools import product as words
from typing import Any

from independent import brute_force_matrices as plain
from independent.brute_force_matrices import Matrix, Row

ONE = Fraction(1)


def nodes(h: int, k: int) -> list[tuple[int, int]]:
    """(first, last) leaf of every node of height k."""
    return [node for node in plain.intervals(2**h, 2) if node[1] - node[0] + 1 == 2**k]


def lca(h: int, i: int, j: int) -> int:
    """The smallest height at which one node has both leaves."""
    return next(k for k in range(h + 1) if any(a <= min(i, j) and max(i, j) <= b for a, b in nodes(h, k)))


def restored(c: Sequence[Fraction]) -> Row:
    """(4): the total and left minus right of every node x = 1, 2, .. give back the leaves."""
    size, values = len(c), []
    for leaf in range(1, size + 1):
        value = c[0] / size
        for x, (first, last) in enumerate(plain.intervals(size, 2)[: size - 1], 1):
            if first <= leaf <= last:
                left = leaf <= (first + last) // 2
                value += (1 if left else -1) * c[x] / (last - first + 1)
        values.append(value)
    return values


def restoration(h: int) -> Matrix:
    """B: column x is what (4) makes of coefficient x."""
    return plain.transposed([restored(unit) for unit in plain.identity(2**h)])


def compressed(v: Sequence[Fraction]) -> dict[int, Fraction]:
    """(3) by descending from the root: the values of the nodes that are no leaf, and of c_0 at 0."""
    coefficients = {0: sum(v, Fraction(0))}

    def descend(x: int, part: Sequence[Fraction]) -> None:
        if len(part) > 1:
            half = len(part) // 2
            coefficients[x] = sum(part[:half], Fraction(0)) - sum(part[half:], Fraction(0))
            descend(2 * x, part[:half])
            descend(2 * x + 1, part[half:])

    descend(1, v)
    return coefficients


def algorithm2(h: int) -> Matrix:
    """Line by line."""
    rows = []
    for leaf in range(2**h):
        row, x = [Fraction(0)] * 2**h, 1
        row[0] = Fraction(1, 2**h)
        for t in range(h, 0, -1):
            beta = leaf // 2 ** (t - 1) % 2
            row[x] = Fraction((-1) ** beta, 2**t)
            x = 2 * x + beta
        rows.append(row)
    return rows


def sigma(h: int) -> Matrix:
    b = restoration(h)
    return plain.product(b, plain.transposed(b))


SIGMA = [sigma(h) for h in range(6)]


def squares(weights: Matrix, first: int, last: int, power: int = 2) -> Fraction:
    """The powers of what every coefficient adds to the answer, summed."""
    return sum((sum(column[first - 1 : last]) ** power for column in plain.transposed(weights)), Fraction(0))


def output_covariance(b: Matrix, fixed: int = 0) -> Matrix:
    """Of B times independent fair signs (variance 1), from all of them; the last `fixed` columns are no noise."""
    signs = ((*sign, *[1] * fixed) for sign in words((-1, 1), repeat=len(b[0]) - fixed))
    outcomes = [[sum(x * s for x, s in zip(row, sign, strict=True)) for row in b] for sign in signs]
    means = [sum(column) / len(outcomes) for column in zip(*outcomes, strict=True)]
    every = range(len(b))
    return [
        [sum((z[i] - means[i]) * (z[j] - means[j]) for z in outcomes) / Fraction(len(outcomes)) for j in every]
        for i in every
    ]


def loss(queries: Matrix, scales: Sequence[Fraction], replace: bool) -> Fraction:
    """The largest log ratio of the densities of all outputs between neighbors; the corners attain it."""
    largest = Fraction(0)
    for change in plain.changes(queries, replace):
        ratio = sum(
            (max((abs(y - d) - abs(y)) / b for y in (Fraction(0), d)) for d, b in zip(change, scales, strict=True)),
            Fraction(0),
        )
        largest = max(largest, ratio)
    return largest


class Number:
    """A number that counts the operations on it and the bits of their results."""

    operations = 0
    bits = 0

    def __init__(self, value: Fraction | int) -> None:
        self.value = value

    def _of(self, value: Any) -> "Number":
        Number.operations += 1
        Number.bits += (value.numerator.bit_length() or 1) + value.denominator.bit_length()
        return Number(value)

    def __add__(self, other: "Number") -> "Number":
        return self._of(self.value + other.value)

    def __sub__(self, other: "Number") -> "Number":
        return self._of(self.value - other.value)

    def __mul__(self, other: "Number") -> "Number":
        return self._of(self.value * other.value)

    def __floordiv__(self, other: "Number") -> "Number":
        return self._of(self.value // other.value)

    def largest(self, other: "Number") -> "Number":
        return self._of(max(self.value, other.value))

    def smallest(self, other: "Number") -> "Number":
        return self._of(min(self.value, other.value))


def algorithm3(h: int, first: int, last: int, times: int) -> Fraction:
    """Line by line on counted numbers; a node is known by its number on its height."""
    of, one, zero = Number, Number(1), Number(0)
    left, right, before = of(first), of(last), of(first) - of(1)
    diagonal = of(Fraction(1, 3) + Fraction(2, 3) / 4**h)
    total = (right - before) * diagonal
    width, quarter, top = of(1), of(ONE), of(Fraction(1, 4**h))
    for _ in range(h):
        half, width, quarter = width, width + width, quarter * of(Fraction(1, 4))
        phi = (top - quarter) * of(Fraction(2, 3))
        begin = zero - (zero - before) // width
        pairs = ((right // width) - begin).largest(zero) * half * half
        border = {before.value // width.value: before // width, (last - 1) // width.value: (right - one) // width}
        for x in border.values():
            start = x * width + one
            middle, end = start + half - one, start + width - one
            p = (right.smallest(middle) - left.largest(start) + one).largest(zero)
            r = (right.smallest(end) - left.largest(middle + one) + one).largest(zero)
            pairs = pairs if first <= start.value and end.value <= last else pairs + p * r
        total = total + of(times) * pairs * phi
    return Fraction(total.value)


def operations(h: int, first: int, last: int) -> int:
    before = Number.operations
    algorithm3(h, first, last, 2)
    return Number.operations - before


def cost(what: str) -> Callable[[int], Fraction]:
    """Of Algorithm 3 per height, for a range that cuts every node."""

    def of(h: int) -> Fraction:
        before = getattr(Number, what)
        algorithm3(h, 2**h // 3 + 1, 2 * 2**h // 3 + 1, 2)
        return Fraction(getattr(Number, what) - before, h)

    return of


def inside(node: tuple[int, int], first: int, last: int) -> bool:
    return first <= node[0] and node[1] <= last


def covered(h: int, k: int, first: int, last: int) -> int:
    return sum(inside(node, first, last) for node in nodes(h, k))


def border(h: int, k: int, first: int, last: int) -> list[tuple[int, int]]:
    """Met, but not covered."""
    met = (node for node in nodes(h, k) if any(first <= i <= last for i in range(node[0], node[1] + 1)))
    return [node for node in met if not inside(node, first, last)]


def printed_sk(k: int, first: int, last: int) -> int:
    width = int(2**k)
    return last // width - -(-(first - 1) // width)


# --- sums over all ranges, for trees of any height ----------------------------------------------------------------


def shared(n: int, width: int) -> Fraction:
    """Over all ranges: the squares of the numbers of leaves that they have in every block of `width` leaves.

    Of a block with L leaves on its left and R on its right: both ends within, one within (L + R), none (L R).
    """
    blocks = n // width
    within = width * (width + 1) ** 2 * (width + 2) // 12
    one_end = width * (width + 1) * (2 * width + 1) // 6
    outside = width**2 * blocks * (blocks - 1) * (blocks - 2) // 6
    return Fraction(blocks * within + (n - width) * blocks * one_end + outside * width**2)


def number(n: int) -> int:
    return n * (n + 1) // 2


def haar_average(h: int, weight: Callable[[int], Any]) -> Any:
    """The average coefficient of rows (3) times weight(t), and the total times weight(0): A^-1 has 2^-t / weight."""
    n = 2**h
    total = shared(n, n) / (n * weight(0)) ** 2
    for t in range(1, h + 1):
        total += (2 * shared(n, 2 ** (t - 1)) - shared(n, 2**t)) / (2**t * weight(t)) ** 2
    return total / number(n)


@cache
def privelet_average(h: int) -> Fraction:
    average = haar_average(h, lambda t: 1)
    assert isinstance(average, Fraction)
    return average


def relative(h: int) -> Fraction:
    """How far (17) is from the exact average, relative to that."""
    average = privelet_average(h)
    return abs(average - Fraction(6 * h + 1, 36)) / average


@cache
def boost_average(b: int, h: int, root: bool) -> Fraction:
    """A^T A is a sum of block matrices: on what is constant on blocks of b^(t-1) leaves and has mean 0 on those of b^t
    it is 1 + b + .. + b^(t-1)."""
    n = b**h
    blocks: Row = [shared(n, b**s) / b**s for s in range(h + 1)]
    levels = [(b**t - 1) // (b - 1) for t in range(h + 2)]
    total: Fraction = blocks[h] / (levels[h + 1] if root else levels[h])
    return sum(((blocks[t - 1] - blocks[t]) / levels[t] for t in range(1, h + 1)), total) / number(n)


@cache
def naive_average(h: int, root: bool) -> Fraction:
    """A range uses a node if it has it and not its parent: it begins or ends in its sibling or at the border."""
    n, total = 2**h, 1 if root else 2
    for s in range(h):
        width, pairs = 2**s, 2 ** (h - s - 1)
        total += 2 * width * (2 * width * (pairs * (pairs - 1) // 2) + pairs)
    return Fraction(total, number(n))


@cache
def errors(h: int) -> dict[str, Fraction]:
    """Delta^2 times the average coefficient, root included."""
    return {
        "privelet": (h + 1) ** 2 * privelet_average(h),
        "boost": (h + 1) ** 2 * boost_average(2, h, True),
        "naive": (h + 1) ** 2 * naive_average(h, True),
        "identity": shared(2**h, 1) / number(2**h),
    }


def two_pass(b: int, h: int, y: dict[tuple[int, int], Fraction]) -> Row:
    """The consistency step; y by height and position."""
    z: dict[tuple[int, int], Fraction] = {}
    for t in range(h + 1):
        for x in range(b ** (h - t)):
            level = t + 1
            children = sum((z[t - 1, b * x + c] for c in range(b)), Fraction(0)) if t else Fraction(0)
            own = Fraction(b**level - b ** (level - 1), b**level - 1)
            z[t, x] = own * y[t, x] + Fraction(b ** (level - 1) - 1, b**level - 1) * children
    down = {(h, 0): z[h, 0]}
    for t in range(h - 1, -1, -1):
        for x in range(b ** (h - t)):
            siblings = sum((z[t, x - x % b + c] for c in range(b)), Fraction(0))
            down[t, x] = z[t, x] + (down[t + 1, x // b] - siblings) / b
    return [down[0, x] for x in range(b**h)]


def doublings(first: int = 4, most: int = 9) -> Iterator[int]:
    return (2**k for k in range(first, most + 1))


def tends(value: Callable[[int], Any], limit: Any) -> bool:
    """What is left shrinks, whenever the tree is twice as high."""
    gaps = [abs(value(h) - limit) for h in doublings()]
    return all(3 * b <= 2 * a for a, b in pairwise(gaps))


def stays(value: Callable[[int], Any], most: int = 9) -> bool:
    """It does not grow like a power of the height."""
    numbers = [value(h) for h in doublings(most=most)]
    return all(4 * b <= 5 * a for a, b in pairwise(numbers))


def range_weights(h: int, first: int, last: int) -> Row:
    """What every coefficient adds to the answer, of the nodes that the range cuts."""

    def leaves(a: int, b: int) -> int:
        return max(0, min(b, last) - max(a, first) + 1)

    weights = [Fraction(leaves(1, 2**h), 2**h)]
    for t in range(1, h + 1):
        half = 2 ** (t - 1)
        for x in {(first - 1) // 2**t, (last - 1) // 2**t}:
            start = x * 2**t + 1
            left, right = leaves(start, start + half - 1), leaves(start + half, start + 2 * half - 1)
            weights.append(Fraction(left - right, 2**t))
    return weights
