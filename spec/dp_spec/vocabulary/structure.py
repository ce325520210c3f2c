"""Product form: independent coordinates, so that ratio maxima are found without enumerating outputs or inputs."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Generic

from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S, at_most
from dp_spec.vocabulary.table import Channel, RatioMaximum, ratio_maximum

Word = tuple[int, ...]
"""One letter (an integer >= 0) for each coordinate; an m-hot vector is a word of zeros and m ones."""


@dataclass(frozen=True)
class ProductChannel(Generic[S]):
    """M(y|x) = product of M_j(y_j|x_j): every coordinate of a word goes through a channel of its own.

    Raises `DomainError` without coordinates, or for a coordinate whose inputs are not integers >= 0.
    """

    coordinates: tuple[Channel[int, Any, S], ...]

    def __post_init__(self) -> None:
        if not isinstance(self.coordinates, tuple) or not self.coordinates:
            raise DomainError("coordinates", self.coordinates, "a tuple of at least one channel")
        for j, coordinate in enumerate(self.coordinates):
            if not isinstance(coordinate, Channel) or any(type(a) is not int or a < 0 for a in coordinate.inputs):
                raise DomainError(f"coordinates[{j}]", coordinate, "a channel whose inputs are integers >= 0")

    def prob(self, y: tuple[Any, ...], x: Word) -> S | int:
        """M(y|x). Raises `DomainError` for words of another length or unknown letters."""
        self._require(x)
        if len(y) != len(self.coordinates):
            raise DomainError("y", y, f"{len(self.coordinates)} letters")
        factors: list[Any] = [c.prob(b, a) for c, b, a in zip(self.coordinates, y, x, strict=True)]
        product_of_all: S | int = prod(factors[1:], start=factors[0])
        return product_of_all

    def channel(self, inputs: Iterable[Word]) -> Channel[Word, tuple[Any, ...], S]:
        """The same channel written out: exponentially many outputs, for small d. Raises `DomainError` as `prob`."""
        rows: dict[Word, dict[tuple[Any, ...], Any]] = {}
        for x in inputs:
            self._require(x)
            laws = [c.rows[a] for c, a in zip(self.coordinates, x, strict=True)]
            rows[x] = {y: self.prob(y, x) for y in product(*laws)}
        return Channel(rows)

    def ratio_maximum(self, x: Word, other: Word) -> RatioMaximum[Word, tuple[Any, ...], S]:
        """The largest M(y|x) / M(y|other) over all outputs: the product of the coordinates' ratio maxima."""
        self._require(x, other)
        best = [_best_letter(c, a, b) for c, a, b in zip(self.coordinates, x, other, strict=True)]
        factors: list[Any] = [ratio for ratio, _ in best]
        y = tuple(letter for _, letter in best)
        ratio = None if any(f is None for f in factors) else prod(factors[1:], start=factors[0])
        return RatioMaximum(ratio, x, other, y, self.prob(y, x), self.prob(y, other))

    def ratio_maximum_over(self, sums: Iterable[int]) -> RatioMaximum[Word, tuple[Any, ...], S] | None:
        """The ratio maximum over all ordered pairs of different words whose letters add up to one of `sums`.

        With letters 0 and 1: over all m-hot vectors, m in `sums`. Walks the coordinates once and keeps, for every pair
        of partial sums, only the best pair of beginnings: a pair's ratio is a product over the coordinates, so a worse
        beginning never becomes part of a better pair. None if there is no such pair; raises `UndecidedError` where the
        field cannot order two ratios.
        """
        wanted = frozenset(sums)
        if any(type(m) is not int or m < 0 for m in wanted):
            raise DomainError("sums", sorted(wanted, key=str), "integers >= 0")
        least, limit = min(wanted, default=0), max(wanted, default=0)
        rest = sum(max(coordinate.inputs) for coordinate in self.coordinates)  # what later letters can still add
        beginnings: dict[tuple[int, int, bool], _Beginning] = {(0, 0, False): _Beginning(1, (), ())}
        for coordinate in self.coordinates:
            rest -= max(coordinate.inputs)
            letters = [(a, b) for a, b in product(coordinate.inputs, repeat=2) if a <= limit and b <= limit]
            factors: dict[tuple[int, int], Any] = {(a, b): _best_letter(coordinate, a, b)[0] for a, b in letters}
            longer: dict[tuple[int, int, bool], _Beginning] = {}
            for (k, n, differ), beginning in beginnings.items():
                for a, b in letters:
                    if max(k + a, n + b) > limit or min(k + a, n + b) + rest < least:
                        continue
                    key = (k + a, n + b, differ or a != b)
                    previous = longer.get(key)
                    extended = beginning.extended(a, b, factors[a, b])
                    if previous is None or previous.is_below(extended):
                        longer[key] = extended
            beginnings = longer
        best: _Beginning | None = None
        for (k, n, differ), whole in beginnings.items():
            if differ and k in wanted and n in wanted and (best is None or best.is_below(whole)):
                best = whole
        return None if best is None else self.ratio_maximum(best.x, best.other)

    def _require(self, *words: Word) -> None:
        for word in words:
            if len(word) != len(self.coordinates):
                raise DomainError("word", word, f"{len(self.coordinates)} letters")
            if any(a not in c.rows for c, a in zip(self.coordinates, word, strict=True)):
                raise DomainError("word", word, "letters that are inputs of their coordinates")


@dataclass(frozen=True, slots=True)
class _Beginning:
    """Beginnings of two words and the ratio so far (None: unbounded)."""

    ratio: Any
    x: Word
    other: Word

    def extended(self, a: int, b: int, factor: Any) -> "_Beginning":
        ratio = None if self.ratio is None or factor is None else self.ratio * factor
        return _Beginning(ratio, (*self.x, a), (*self.other, b))

    def is_below(self, other: "_Beginning") -> bool:
        if self.ratio is None or other.ratio is None:
            return self.ratio is not None
        return not at_most(other.ratio, self.ratio)


def bit_channel(p: S, q: S) -> Channel[int, int, S]:
    """One bit of a unary encoding: a 1 stays 1 with probability p, a 0 becomes 1 with probability q."""
    return Channel({0: {0: 1 - q, 1: q}, 1: {0: 1 - p, 1: p}})


def _best_letter(coordinate: Channel[int, Any, S], a: int, b: int) -> tuple[S | int | None, Any]:
    """The largest M_j(y|a) / M_j(y|b) (None: unbounded) and a y attaining it."""
    if a == b:
        return 1, next(y for y, p in coordinate.rows[a].items() if not at_most(p, 0))
    best = ratio_maximum(coordinate, [(a, b)])
    assert best is not None  # a law has a positive entry
    return best.ratio, best.y
