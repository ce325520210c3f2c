"""Oracles of continuous Laplace noise as far as it is seen on integers: on one number, on several, and in a maximum.

Dwork, McSherry, Nissim and Smith 2006. A noisy number is rounded to the nearest integer, which is post-processing, so
that the law is finite and the bound e^epsilon stays. Report-noisy-max is Dwork and Roth 2014, Section 3.3. The inputs
are data sets, every two of them neighbors.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from flint import arb, fmpq

from dp_audit.oracles.additive import as_fraction, listed, rational
from dp_audit.oracles.base import Epsilon, Number, Oracle, OracleKind, epsilon, integer, joint_law
from dp_audit.oracles.exponential import CHOSEN, TWICE, Selection, flag, matrix
from dp_audit.oracles.geometric import Windowed, require_range, rounded, signed, signed_list, windowed
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare

MAX_OUTPUTS = 1 << 16
"""Laws on several numbers are listed: an oracle with more outputs is refused."""


def nearest(output: Hashable) -> Hashable:
    """The nearest integer of a rational number (halves, of probability 0, upwards); anything else as it is."""
    return int((output + fmpq(1, 2)).floor()) if isinstance(output, fmpq) else output


@dataclass(frozen=True)
class Laplace(Windowed):
    """An integer with noise of scale sensitivity / epsilon, rounded; outside low .. high it is "below" or "above"."""

    @property
    def window(self) -> tuple[int, int] | None:
        """Noisy numbers need not be rounded yet."""
        return self.low, self.high

    def seen(self, output: Hashable) -> Hashable:
        """The nearest integer; "below" or "above" outside the window."""
        return windowed(nearest(output), self.low, self.high)

    def _law(self, value: int) -> Mapping[Hashable, Number]:
        return rounded(value, self.low, self.high, self.epsilon, Fraction(self.sensitivity))


@dataclass(frozen=True)
class LaplaceCounts(Oracle):
    """Several counts with independent noise of scale sensitivity / epsilon each, all of them seen as by `Laplace`.

    An input is the number of a data set, whose counts are a row of `counts`; the sensitivity is that of the sum of
    absolute differences. Raises `DomainError` unless every two data sets are neighbors, low < high, the counts are
    between them, and the law has at most `MAX_OUTPUTS` outputs.
    """

    counts: tuple[tuple[int, ...], ...]
    sensitivity: fmpq
    epsilon: Epsilon
    low: int
    high: int

    def __post_init__(self) -> None:
        if len(self.counts) < 2 or len({len(row) for row in self.counts}) != 1 or not self.counts[0]:
            raise DomainError("counts", self.counts, "two or more rows of equally many integers")
        require_range("high", tuple(x for row in self.counts for x in row), fmpq(self.low), fmpq(self.high))
        for one, other in combinations(self.counts, 2):
            distance = fmpq(sum(abs(a - b) for a, b in zip(one, other, strict=True)))
            if compare(distance, self.sensitivity) is Ordering.GREATER or not distance:
                raise DomainError("counts", self.counts, f"different rows at most {self.sensitivity} apart, in sum")
        if (self.high - self.low + 3) ** len(self.counts[0]) > MAX_OUTPUTS:
            raise DomainError("high", self.high, f"a window with at most {MAX_OUTPUTS} outputs")

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The numbers of the data sets."""
        return tuple(range(len(self.counts)))

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """The product of the laws of the counts."""
        counts = self.counts[self.require_input(item)]
        scale = as_fraction(self.sensitivity)
        single = {x: rounded(x, self.low, self.high, self.epsilon, scale) for x in set(counts)}
        return joint_law([single[x] for x in counts])

    @property
    def window(self) -> tuple[int, int] | None:
        """Noisy numbers need not be rounded yet."""
        return self.low, self.high

    def seen(self, output: Hashable) -> Hashable:
        """Every number as `Laplace` sees it."""
        if not isinstance(output, tuple):
            return output
        return tuple(windowed(nearest(y), self.low, self.high) for y in output)

    def possible(self, output: Hashable) -> bool:
        """Every row of so many integers of the window, "below" or "above", is."""
        return isinstance(output, tuple) and len(output) == len(self.counts[0]) and all(map(self._shown, output))

    def _shown(self, y: object) -> bool:
        inside = isinstance(y, int) and not isinstance(y, bool) and self.low <= y <= self.high
        return inside or (isinstance(y, str) and y in ("below", "above"))


@dataclass(frozen=True)
class NoisyMax(Selection):
    """The candidate with the largest utility + Laplace noise of scale 2 sensitivity / epsilon (without the 2, if
    `monotonic`). Its probability is an integral of exponential polynomials, in closed form with logarithms."""

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the candidate, balls of the current precision."""
        super().law(item)
        assert isinstance(item, int)
        scale = as_fraction(self.sensitivity if self.monotonic else 2 * self.sensitivity)
        places = [as_fraction(u) / scale for u in self.utilities[item]]
        places = [place - max(places) for place in places]
        return {y: self._wins(y, places) for y in range(len(places))}

    def _chances(self, weights: Sequence[Number]) -> list[Number]:
        return list(weights)

    def _wins(self, candidate: int, places: Sequence[Fraction]) -> Number:
        """With v = e^(epsilon x) and w = e^(epsilon place) the density of noise is v / 2w below w and w / 2v above it,
        its distribution function v / 2w and 1 - w / 2v: Laurent polynomials between two neighboring w."""
        ends = {place: self.epsilon.exp(place) for place in places}
        found: Number = fmpq(0)
        for left, right in _neighbors(sorted(set(places))):
            integrand: dict[int, Number] = {0: fmpq(1)}
            for j, place in enumerate(places):
                w = ends[place]
                if right is not None and right <= place:
                    factor: dict[int, Number] = {1: 1 / (2 * w)}
                else:
                    factor = {-1: w / 2} if j == candidate else {0: fmpq(1), -1: -w / 2}
                integrand = _times(integrand, factor)
            for power, coefficient in integrand.items():
                found = found + coefficient * _integral(power, left, right, ends)
        return found


def _neighbors(ends: Sequence[Fraction]) -> list[tuple[Fraction | None, Fraction | None]]:
    """The intervals between neighboring ends, with the two unbounded ones."""
    return list(zip([None, *ends], [*ends, None], strict=True))


def _times(one: Mapping[int, Number], other: Mapping[int, Number]) -> dict[int, Number]:
    found: dict[int, Number] = {}
    for a, x in one.items():
        for b, y in other.items():
            found[a + b] = found.get(a + b, fmpq(0)) + x * y
    return found


def _integral(power: int, left: Fraction | None, right: Fraction | None, ends: Mapping[Fraction, Number]) -> Number:
    """The integral of v^power dv / v from e^left to e^right; powers are > 0 at 0 and < 0 at infinity."""
    if power == 0:
        assert left is not None
        assert right is not None
        return (arb(ends[right]) / arb(ends[left])).log()
    upper = fmpq(0) if right is None else ends[right] ** power
    lower = fmpq(0) if left is None else ends[left] ** power
    return (upper - lower) / power


# --- parameters -------------------------------------------------------------------------------------------------------


def signed_rows(name: str, value: object) -> tuple[tuple[int, ...], ...]:
    """The reader of rows of integers of either sign. Raises `DomainError`."""
    return tuple(
        signed_list(name, row) for row in listed(name, value, 'rows of integers, or text as "[[1, 0], [0, 1]]"')
    )


_WINDOW = {"low": signed, "high": signed}
KINDS = {
    "Laplace": OracleKind(
        Laplace,
        {"values": signed_list, "sensitivity": integer(1, 2**63), "epsilon": epsilon, **_WINDOW},
        "the true value + Laplace noise of scale sensitivity / epsilon",
        "a number, seen as the nearest integer, an input one of the true values; all that is below low is one report, "
        "all above high another",
    ),
    "LaplaceCounts": OracleKind(
        LaplaceCounts,
        {"counts": signed_rows, "sensitivity": rational, "epsilon": epsilon, **_WINDOW},
        "every count + independent Laplace noise of scale sensitivity / epsilon",
        "a list of numbers, each seen as by Laplace; an input is the number of a row of counts",
        words={"sensitivity": ("by how much one user changes the counts, in the sum of absolute values", "2")},
    ),
    "NoisyMax": OracleKind(
        NoisyMax,
        {"utilities": matrix, "sensitivity": rational, "epsilon": epsilon, "monotonic": flag},
        "the candidate with the largest utility + Laplace noise of scale 2 sensitivity / epsilon" + TWICE,
        CHOSEN,
        frozenset({"monotonic"}),
    ),
}
