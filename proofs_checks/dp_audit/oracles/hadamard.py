"""Oracles on Hadamard matrices: the Hadamard mechanism HM (t coefficients) and Hadamard response HR (subsets).

H is the matrix of Sylvester, of size a power of two: H[i, j] = -1 to the number of ones that i and j have in common in
binary. Its columns are orthogonal, and all but the first have as many 1 as -1.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from flint import fmpq

from dp_audit.oracles.additive import LISTED, AdditiveOracle, digits, floor
from dp_audit.oracles.base import Event, Number, OracleKind, epsilon, exponential, integer
from dp_audit.oracles.forms import Coefficients, power_of_two
from dp_audit.oracles.frequency import FrequencyOracle, coefficient, grr
from dp_audit.oracles.readers import integers
from dp_refimpl.frequency.hadamard import hadamard_entry
from dp_refimpl.mechanisms import RECORDS
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.real import Real


@dataclass(frozen=True)
class HadamardTuple(AdditiveOracle):
    """HM of Cormode, Maddock, Maple 2021: t > 1 independent coefficients of `one`, their signs perturbed together.

    The tuple of the t signs is kept with probability e^eps / (e^eps + 2^t - 1), any other one reported with
    1 / (e^eps + 2^t - 1): generalized randomized response on 2^t tuples. The report is the tuple of t pairs. The bound
    e^epsilon is attained.
    """

    epsilon: Budget[Real]
    one: FrequencyOracle
    t: int

    @property
    def column(self) -> Coefficients:
        """The form of one coefficient."""
        assert isinstance(self.one.form, Coefficients)
        return self.one.form

    @property
    def tuples(self) -> FrequencyOracle:
        """Randomized response on the tuples of signs."""
        return grr(2**self.t, self.epsilon)

    @property
    def signs(self) -> list[tuple[int, ...]]:
        """All tuples of t signs."""
        return list(product((1, -1), repeat=self.t))

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the report: (2D)^t outputs."""
        column, signs, law = self.column.first + self.require_item(item), self.signs, dict[Hashable, Number]()
        for drawn in product(range(self.column.indices), repeat=self.t):
            true = signs.index(tuple(hadamard_entry(i, column) for i in drawn))
            for code, chance in self.tuples.law(true).items():
                law[tuple(zip(drawn, signs[code], strict=True))] = chance / self.column.indices**self.t  # type: ignore[call-overload]
        return law

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is a tuple of t pairs, each a possible report of one coefficient."""
        return isinstance(output, tuple) and len(output) == self.t and all(map(self.one.possible, output))

    def scale(self) -> Number:
        """Return c = (e^eps + 2^t - 1) / (e^eps - 1), by which s = sign * true sign, and a product of two s, are
        unbiased."""
        return 1 / (self.tuples.p - self.tuples.q)

    def scores(self, report: Any) -> tuple[Number, ...]:
        """Return for every item x the average of c * sign * H[index, column of x] over the t coefficients."""
        agreeing = [sum(self.one.supports(pair, x) for pair in report) for x in range(self.d)]
        scale = self.scale()
        return tuple(fmpq(2 * count - self.t, self.t) * scale for count in agreeing)

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Return the moments of a score: it is unbiased with variance (c^2 + (t-1) c) / t - 1 for the item held, else
        c^2 / t. (In closed form: sums over the law in exact numbers take a second at d = 8, 14 at d = 16, for t = 2.)

        The terms are +-1; for the item held they are the s of `scale`, for others s times an independent fair sign.
        """
        c = self.scale()
        if held == item:
            return fmpq(1), (c**2 + (self.t - 1) * c) / self.t - 1
        return fmpq(0), c**2 / self.t

    def events(self, item: Item) -> tuple[Event, ...]:
        """Return all reports if they are few; else those of the first coefficient, whose sign is kept with (1 + 1/c) /
        2."""
        if self.one.reports**self.t <= LISTED:
            return super().events(item)
        held, kept = self.require_item(item), (1 + 1 / self.scale()) / 2

        def supported(x: int) -> Event:
            holds = lambda report: self.possible(report) and self.one.supports(report[0], x)  # noqa: E731
            return Event(f"agrees with {x}", holds, kept if x == held else fmpq(1, 2))

        index = digits(lambda report: report[0][0], self.column.indices, self.possible)
        return (*map(supported, range(self.d)), *index)


@dataclass(frozen=True)
class HadamardResponse(AdditiveOracle):
    """HR: an index y, e^eps times as likely inside the item's set C_x as outside (Acharya, Sun, Zhang 2019).

    B blocks of b indices, K = B b, b the smallest power of two >= d / B + 1. Item x (after the permutation, if there
    is one) has the block j = x // (b-1) and the row i = x % (b-1) + 1 of the b x b matrix H; C_x are the b/2 indices
    j b + y with H[i, y] = 1. P(y | x) = e^eps / (2B - 1 + e^eps) * 2/b inside, 2/b / (2B - 1 + e^eps) outside. B = 1 is
    the scheme for high privacy. The bound e^epsilon is attained. Raises `DomainError` for B that is no power of two or
    larger than 2d, and for what is no permutation of 0 .. d-1.
    """

    epsilon: Budget[Real]
    blocks: int
    permutation: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.blocks != power_of_two(self.blocks) or self.blocks > 2 * self.d:
            raise DomainError("blocks", self.blocks, f"a power of two in 1..{2 * self.d} (2 d)")
        if self.permutation is not None and sorted(self.permutation) != list(range(self.d)):
            raise DomainError("permutation", self.permutation, f"a permutation of 0..{self.d - 1}")

    @property
    def width(self) -> int:
        """The number b of indices of a block, the smallest power of two >= d / B + 1."""
        return power_of_two(-(-self.d // self.blocks) + 1)

    @property
    def norm(self) -> Number:
        """The norm 2B - 1 + e^eps of the probabilities."""
        return exponential(self.epsilon) + (2 * self.blocks - 1)

    def place(self, item: int) -> tuple[int, int]:
        """Return block and row of an item."""
        position = item if self.permutation is None else self.permutation[item]
        return position // (self.width - 1), position % (self.width - 1) + 1

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the index: K outputs."""
        place, outside = self.place(self.require_item(item)), 2 / (self.norm * self.width)
        inside = outside * exponential(self.epsilon)
        return {y: inside if self._sign(place, y) == 1 else outside for y in range(self.blocks * self.width)}

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is an index 0 .. K-1."""
        return output in range(self.blocks * self.width)

    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """Return 2 (2B - 1 + e^eps) / (e^eps - 1) * (1[y in C_x] - 1[y in the block of x] / 2) for every item x."""
        assert isinstance(report, int)
        scale = self.norm / (exponential(self.epsilon) - 1)
        return tuple(self._sign(self.place(x), report) * scale for x in range(self.d))

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Return the moments of a score. It is unbiased, and 0 outside the item's block, else +-`scale`; its mean
        square follows from the block. (In closed form: there may be a thousand items, and as many reports.)"""
        scale, same_block = self.norm / (exponential(self.epsilon) - 1), self.place(held)[0] == self.place(item)[0]
        return fmpq(held == item), scale**2 * self._block(same_block) - int(held == item)

    def events(self, item: Item) -> tuple[Event, ...]:
        """Return all reports if they are few; else the sets C_x and the blocks."""
        held = self.require_item(item)
        if self.blocks * self.width <= LISTED:
            return super().events(item)
        sets = [Event(f"in C_{x}", partial(self._inside, x), self._chance(held, x)) for x in range(self.d)]
        numbers = range(self.blocks) if self.blocks > 1 else ()
        own = self.place(held)[0]
        return (*sets, *(Event(f"in block {j}", partial(self._in_block, j), self._block(j == own)) for j in numbers))

    def _block(self, own: bool) -> Number:
        """Return the probability of a block: of that of the item held, or of another one."""
        e = exponential(self.epsilon)
        return (e + 1 if own else e * 0 + 2) / self.norm

    def _chance(self, held: int, x: int) -> Number:
        """Return the probability of C_x: C_held has e^eps / norm; half of every other set of its block is in it."""
        e, same_block = exponential(self.epsilon), self.place(held)[0] == self.place(x)[0]
        if held == x:
            return e / self.norm
        return (e + 1) / (2 * self.norm) if same_block else 1 / self.norm

    def _inside(self, x: int, y: Any) -> bool:
        return self.possible(y) and self._sign(self.place(x), y) == 1

    def _in_block(self, j: int, y: Any) -> bool:
        return self.possible(y) and bool(y // self.width == j)

    def _sign(self, place: tuple[int, int], y: int) -> int:
        """Return 1 in C_x, -1 elsewhere in its block, 0 in other blocks."""
        block, within = divmod(y, self.width)
        return hadamard_entry(place[1], within) if block == place[0] else 0


def best_blocks(d: int, epsilon: Budget[Real]) -> int:
    """Return B of the general scheme: the largest power of two <= min(e^eps, 2d)."""
    return 1 << (min(floor(partial(exponential, epsilon)), 2 * d).bit_length() - 1)


def _response(
    d: int, epsilon: Budget[Real], blocks: int | None = None, permutation: tuple[int, ...] | None = None
) -> HadamardResponse:
    return HadamardResponse(d, epsilon, best_blocks(d, epsilon) if blocks is None else blocks, permutation)


def _coefficients(d: int, epsilon: Budget[Real], t: int = 1, first: int = 0) -> AdditiveOracle:
    one = coefficient(d, epsilon, first)
    return one if t == 1 else HadamardTuple(d, epsilon, one, t)


KINDS = {
    "HM": OracleKind.of(
        RECORDS["HadamardResponse"],
        _coefficients,
        {"d": integer(2), "epsilon": epsilon, "t": integer(1), "first": integer(0, 1)},
        optional=frozenset({"t", "first"}),
        certified=lambda given: RECORDS["HadamardResponse"].claims(given) if given.get("t", 1) == 1 else (),
    ),
    "HR": OracleKind(
        _response,
        {"d": integer(2), "epsilon": epsilon, "blocks": integer(1), "permutation": integers},
        "B blocks of b indices, b the smallest power of two >= d / B + 1: item x has block x // (b - 1) and the b/2 "
        "indices y in it with (-1)^popcount(y & (x % (b - 1) + 1)) = 1 (y counted in the block), each with probability "
        "e^epsilon / (2B - 1 + e^epsilon) * 2/b; all K = B b others with 1 / (2B - 1 + e^epsilon) * 2/b",
        "an index 0 .. K-1; blocks is the largest power of two <= min(e^epsilon, 2d) if it is not given, 1 in the "
        "scheme for high privacy",
        optional=frozenset({"blocks", "permutation"}),
        vectors=RECORDS["HadamardResponse"].vectors,
    ),
}
