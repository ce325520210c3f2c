"""Oracles on Hadamard matrices: the Hadamard mechanism HM (coefficients) and Hadamard response HR (subsets).

H is the matrix of Sylvester, of size a power of two: H[i, j] = -1 to the number of ones that i and j have in common in
binary. Its columns are orthogonal, and all but the first have as many 1 as -1.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from flint import fmpq

from dp_audit.oracles.additive import MarginalOracle, ProgramOracle, SignOracle, floor, integers, is_tuple
from dp_audit.oracles.base import Epsilon, Event, Number, OracleKind, epsilon, integer
from dp_refimpl.frequency import hadamard as refimpl
from dp_refimpl.frequency.hadamard import hadamard_entry
from dp_refimpl.mechanisms import RECORDS
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain

Coefficients = tuple[tuple[int, int], ...]
"""(index, sign) pairs."""


def power_of_two(least: int) -> int:
    """The smallest power of two >= least (>= 1)."""
    return 1 << (least - 1).bit_length()


@dataclass(frozen=True)
class HadamardMechanism(ProgramOracle, SignOracle):
    """HM: t uniformly drawn coefficients of the item's column of H, their signs perturbed together.

    Cormode, Maddock, Maple 2021; t = 1 is Hadamard randomized response (Nguyen et al. 2016; Bassily et al. 2017). The t
    indices are independent. The tuple of the t signs is kept with probability e^eps / (e^eps + 2^t - 1), any other one
    reported with 1 / (e^eps + 2^t - 1): for t = 1 the sign is flipped with 1 / (e^eps + 1). Item x has the column
    first + x (`first` 0, or 1 to leave out the constant one), and D is the smallest power of two >= d + first. The
    report is (index, sign) for t = 1, else the tuple of t such pairs. The bound e^epsilon is attained.
    """

    t: int = 1
    first: int = 0

    @property
    def indices(self) -> int:
        """D."""
        return power_of_two(self.d + self.first)

    @property
    def reports(self) -> int:
        """(2D)^t."""
        return int((2 * self.indices) ** self.t)

    def scale(self) -> Number:
        """c = (e^eps + 2^t - 1) / (e^eps - 1), by which s = sign * true sign, and a product of two s, are unbiased."""
        e = self.epsilon.exp()
        return (e + int(2**self.t - 1)) / (e - 1)

    def program(self) -> refimpl.HadamardResponse[Number]:
        """The core's mechanism, of one coefficient."""
        return refimpl.HadamardResponse(ItemDomain.of_sizes(self.d), self.epsilon.numbers(), self.first)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the report, (2D)^t reports: of one coefficient the core's program, enumerated."""
        if self.t == 1:
            return super().law(item)
        column, e = self.first + self.require_item(item), self.epsilon.exp()
        other = 1 / ((e + int(2**self.t - 1)) * self.indices**self.t)
        law: dict[Hashable, Number] = {}
        for drawn in product(range(self.indices), repeat=self.t):
            true = tuple(hadamard_entry(i, column) for i in drawn)
            for signs in product((1, -1), repeat=self.t):
                law[tuple(zip(drawn, signs, strict=True))] = e * other if signs == true else other
        return law

    def possible(self, output: Hashable) -> bool:
        """Every t indices with every t signs are."""
        pairs = (output,) if self.t == 1 else output
        return (
            isinstance(pairs, tuple)
            and len(pairs) == self.t
            and all(is_tuple(pair, range(self.indices), (-1, 1)) for pair in pairs)
        )

    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """The average of c * sign * H[index, column of x] over the t coefficients."""
        pairs, scale = self.coefficients(report), self.scale()
        sums = [sum(sign * hadamard_entry(index, self.first + x) for index, sign in pairs) for x in range(self.d)]
        return tuple(fmpq(total, self.t) * scale for total in sums)

    def agreement(self, held: int, item: int) -> fmpq:
        """Columns are orthogonal."""
        return fmpq(held == item)

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Unbiased; the variance is (c^2 + (t-1) c) / t - 1 for the item held, and c^2 / t for the others.

        The terms are +-1; for the item held they are the s of `scale`, for others s times an independent fair sign.
        """
        c = self.scale()
        if held == item:
            return fmpq(1), (c**2 + (self.t - 1) * c) / self.t - 1
        return fmpq(0), c**2 / self.t

    def coefficients(self, report: Any) -> Coefficients:
        """The t pairs of a (possible) report."""
        return (report,) if self.t == 1 else report

    def index(self, report: Any) -> int:
        """The first one."""
        return self.coefficients(report)[0][0]

    def sign(self, report: Any, item: int) -> int:
        """That of the first coefficient, times the entry of the item's column."""
        index, sign = self.coefficients(report)[0]
        return sign * hadamard_entry(index, self.first + item)


@dataclass(frozen=True)
class HadamardResponse(MarginalOracle):
    """HR: an index y, e^eps times as likely inside the item's set C_x as outside (Acharya, Sun, Zhang 2019).

    B blocks of b indices, K = B b, b the smallest power of two >= d / B + 1. Item x (after the permutation, if there
    is one) has the block j = x // (b-1) and the row i = x % (b-1) + 1 of the b x b matrix H; C_x are the b/2 indices
    j b + y with H[i, y] = 1. P(y | x) = e^eps / (2B - 1 + e^eps) * 2/b inside, 2/b / (2B - 1 + e^eps) outside. B = 1 is
    the scheme for high privacy. The bound e^epsilon is attained. Raises `DomainError` for B that is no power of two or
    larger than 2d, and for what is no permutation of 0 .. d-1.
    """

    epsilon: Epsilon
    blocks: int
    permutation: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.blocks != power_of_two(self.blocks) or self.blocks > 2 * self.d:
            raise DomainError("blocks", self.blocks, f"a power of two in 1..{2 * self.d} (2 d)")
        if self.permutation is not None and sorted(self.permutation) != list(range(self.d)):
            raise DomainError("permutation", self.permutation, f"a permutation of 0..{self.d - 1}")

    @property
    def width(self) -> int:
        """b, the smallest power of two >= d / B + 1."""
        return power_of_two(-(-self.d // self.blocks) + 1)

    @property
    def norm(self) -> Number:
        """2B - 1 + e^eps."""
        return self.epsilon.exp() + (2 * self.blocks - 1)

    def place(self, item: int) -> tuple[int, int]:
        """Block and row of an item."""
        position = item if self.permutation is None else self.permutation[item]
        return position // (self.width - 1), position % (self.width - 1) + 1

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the index: K outputs."""
        place, outside = self.place(self.require_item(item)), 2 / (self.norm * self.width)
        inside = outside * self.epsilon.exp()
        return {y: inside if self._sign(place, y) == 1 else outside for y in range(self.blocks * self.width)}

    def possible(self, output: Hashable) -> bool:
        """Every index 0 .. K-1 is."""
        return output in range(self.blocks * self.width)

    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """2 (2B - 1 + e^eps) / (e^eps - 1) * (1[y in C_x] - 1[y in the block of x] / 2)."""
        assert isinstance(report, int)
        scale = self.norm / (self.epsilon.exp() - 1)
        return tuple(self._sign(self.place(x), report) * scale for x in range(self.d))

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Unbiased. The score is 0 outside the item's block, else +-`scale`; its mean square follows from the block."""
        scale, same_block = self.norm / (self.epsilon.exp() - 1), self.place(held)[0] == self.place(item)[0]
        return fmpq(held == item), scale**2 * self._block(same_block) - int(held == item)

    @property
    def reports(self) -> int:
        """K."""
        return self.blocks * self.width

    def marginals(self, held: int) -> tuple[Event, ...]:
        """The sets C_x and the blocks."""
        sets = [Event(f"in C_{x}", partial(self._inside, x), self._chance(held, x)) for x in range(self.d)]
        numbers = range(self.blocks) if self.blocks > 1 else ()
        own = self.place(held)[0]
        return (*sets, *(Event(f"in block {j}", partial(self._in_block, j), self._block(j == own)) for j in numbers))

    def _block(self, own: bool) -> Number:
        """Probability of a block: of that of the item held, or of another one."""
        e = self.epsilon.exp()
        return (e + 1 if own else e * 0 + 2) / self.norm

    def _chance(self, held: int, x: int) -> Number:
        """Probability of C_x: C_held has e^eps / norm; half of every other set of its block is in it."""
        e, same_block = self.epsilon.exp(), self.place(held)[0] == self.place(x)[0]
        if held == x:
            return e / self.norm
        return (e + 1) / (2 * self.norm) if same_block else 1 / self.norm

    def _inside(self, x: int, y: Any) -> bool:
        return self.possible(y) and self._sign(self.place(x), y) == 1

    def _in_block(self, j: int, y: Any) -> bool:
        return self.possible(y) and bool(y // self.width == j)

    def _sign(self, place: tuple[int, int], y: int) -> int:
        """1 in C_x, -1 elsewhere in its block, 0 in other blocks."""
        block, within = divmod(y, self.width)
        return hadamard_entry(place[1], within) if block == place[0] else 0


def best_blocks(d: int, epsilon: Epsilon) -> int:
    """B of the general scheme: the largest power of two <= min(e^eps, 2d)."""
    return 1 << (min(floor(epsilon.exp), 2 * d).bit_length() - 1)


def _response(
    d: int, epsilon: Epsilon, blocks: int | None = None, permutation: tuple[int, ...] | None = None
) -> HadamardResponse:
    return HadamardResponse(d, epsilon, best_blocks(d, epsilon) if blocks is None else blocks, permutation)


KINDS = {
    "HM": OracleKind.of(
        RECORDS["HadamardResponse"],
        HadamardMechanism,
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
