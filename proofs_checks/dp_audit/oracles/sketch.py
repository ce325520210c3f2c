"""Oracles of sketches: an item is hashed by one of k given functions, drawn uniformly, and a vector perturbed.

All laws and moments are conditional on the functions: tables of the cells of all items, facts of the audited library.
Where items collide an estimate is biased; it is unbiased on average over functions whose values are pairwise
independent and uniform. The report contains the number of the function.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from flint import fmpq

from dp_audit.oracles.additive import MarginalOracle, ProgramOracle, SignOracle, is_tuple, tables
from dp_audit.oracles.base import Epsilon, Event, Number, OracleKind, epsilon, integer
from dp_audit.oracles.bloom import is_vector_report, vector_events
from dp_audit.oracles.hashing import HashTable, as_functions, require_tables
from dp_refimpl.frequency.count_sketch import ClientCMS, server_constant
from dp_refimpl.frequency.hadamard import HCMS, hadamard_entry, is_power_of_two
from dp_refimpl.mechanisms import RECORDS
from dp_spec.frequency import count_sketch, hadamard
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain


@dataclass(frozen=True)
class Sketch(MarginalOracle):
    """Cells 0 .. m-1, k hash functions; a score is W, or for count means (m W - 1) / (m - 1), W an entry debiased.

    Raises `DomainError` for tables that are not d cells.
    """

    epsilon: Epsilon
    m: int
    hashes: tuple[HashTable, ...]

    def __post_init__(self) -> None:
        require_tables("hashes", self.hashes, self.d, self.m)

    def scale(self) -> Number:
        """c, which makes a perturbed sign unbiased."""
        return server_constant(self.epsilon.exp())

    def collisions(self, held: int, item: int) -> fmpq:
        """The share of the functions that map both items to one cell."""
        return fmpq(sum(table[held] == table[item] for table in self.hashes), len(self.hashes))

    @property
    def reports(self) -> int:
        """m signs and a function."""
        return int(len(self.hashes) * 2**self.m)

    def possible(self, output: Hashable) -> bool:
        """Every vector of m signs with every number of a function is."""
        return is_vector_report(output, self.m, len(self.hashes), (-1, 1))


@dataclass(frozen=True)
class CountMeanSketch(ProgramOracle, Sketch):
    """CMS (Apple 2017): (v, j), v the vector of m signs, 1 in the item's cell and -1 elsewhere, every sign flipped with
    probability 1 / (e^(eps/2) + 1).

    W = c/2 v[h_j(x)] + 1/2 with c = (e^(eps/2) + 1) / (e^(eps/2) - 1), whose expectation given j is 1 if x collides
    with the item held, else 0.
    """

    def scale(self) -> Number:
        """(e^(eps/2) + 1) / (e^(eps/2) - 1)."""
        return server_constant(self.epsilon.numbers(2).exp(Fraction(1, 2)))

    def program(self, tables: tuple[HashTable, ...] | None = None) -> ClientCMS[Number]:
        """The core's client and server, with these functions or all of them."""
        functions = as_functions(self.hashes if tables is None else tables, self.d, self.m)
        return ClientCMS(ItemDomain.of_sizes(self.d), self.epsilon.numbers(2), functions)

    def scores(self, report: Any) -> tuple[Number, ...]:
        """(m W - 1) / (m - 1): the server's estimate from the row of the report alone, on which it depends."""
        vector, j = report
        return tuple(self.program((self.hashes[j],)).estimate([(vector, 0)]).values())

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Given the functions: with r the share of collisions, E W = r and E W^2 = (c^2 - 1) / 4 + r."""
        c: Any = self.scale()
        records: Any = [(1, self.collisions(held, item))]
        return count_sketch.fixed_mean(self.m, records, fmpq(0)), count_sketch.fixed_variance(c, self.m, records)

    def marginals(self, held: int) -> tuple[Event, ...]:
        """Single entries, neighboring pairs, digits of the function's number."""
        flip = self.program(self.hashes[:1]).flip
        ones = [frozenset([table[held]]) for table in self.hashes]
        return vector_events(ones, self.m, 1 - flip, flip, self.possible)


@dataclass(frozen=True)
class HadamardCountMeanSketch(ProgramOracle, Sketch, SignOracle):
    """HCMS (Apple 2017): (sign, j, l), the entry H[l, cell] for a uniform l, flipped with probability 1 / (e^eps + 1).

    m is a power of two. W = c sign H[l, h_j(x)] with c = (e^eps + 1) / (e^eps - 1). Raises `DomainError` for other m.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_power_of_two(self.m):
            raise DomainError("m", self.m, "a power of two")

    def program(self, tables: tuple[HashTable, ...] | None = None) -> HCMS[Number]:
        """The core's client and server, with these functions or all of them."""
        functions = as_functions(self.hashes if tables is None else tables, self.d, self.m)
        return HCMS(ItemDomain.of_sizes(self.d), self.epsilon.numbers(), functions)

    @property
    def reports(self) -> int:
        """A sign, an index and a function."""
        return 2 * self.m * len(self.hashes)

    @property
    def indices(self) -> int:
        """m."""
        return self.m

    def possible(self, output: Hashable) -> bool:
        """Every sign with every number of a function and every index is."""
        return is_tuple(output, (-1, 1), range(len(self.hashes)), range(self.m))

    def scores(self, report: Any) -> tuple[Number, ...]:
        """(m W - 1) / (m - 1): the server's estimate from the row of the report alone, on which it depends."""
        sign, j, index = report
        return tuple(self.program((self.hashes[j],)).estimate([(sign, 0, index)]).values())

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Given the functions: with r the share of collisions, E W = r and W^2 = c^2."""
        c: Any = self.scale()
        records: Any = [(1, self.collisions(held, item))]
        return count_sketch.fixed_mean(self.m, records, fmpq(0)), hadamard.fixed_variance(c, self.m, records)

    def agreement(self, held: int, item: int) -> fmpq:
        """Columns of other cells are orthogonal."""
        return self.collisions(held, item)

    def index(self, report: Any) -> int:
        """The last entry."""
        return int(report[2])

    def sign(self, report: Any, item: int) -> int:
        """The sign times the entry of the item's cell."""
        sign, j, index = report
        return sign * hadamard_entry(index, self.hashes[j][item])  # type: ignore[no-any-return]


@dataclass(frozen=True)
class PrivateCountSketch(Sketch, SignOracle):
    """PCS: the count sketch of Charikar, Chen, Farach-Colton 2004 with the randomizer of Bassily and Smith 2015.

    (y, j): y are m uniform signs, except that y[h_j(item)] is the item's sign g_j(item) with probability
    e^eps / (e^eps + 1). W = c g_j(x) y[h_j(x)] with c = (e^eps + 1) / (e^eps - 1); the estimate is the mean of W (the
    median of the k rows is another, non-linear one). `signs` are tables of 1 (for +1) and 0 (for -1).
    """

    signs: tuple[HashTable, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        require_tables("signs", self.signs, self.d, 2)
        if len(self.signs) != len(self.hashes):
            raise DomainError("signs", self.signs, f"{len(self.hashes)} tables, one for each hash function")

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of (y, j): k 2^m reports."""
        held, kept = self.require_item(item), (1 + 1 / self.scale()) / 2
        uniform = fmpq(1, len(self.hashes) * 2 ** (self.m - 1))
        return {
            (y, j): uniform * (kept if y[table[held]] == self._sign(j, held) else 1 - kept)
            for j, table in enumerate(self.hashes)
            for y in product((-1, 1), repeat=self.m)
        }

    def agreement(self, held: int, item: int) -> fmpq:
        """The average of the products of the two items' signs, 0 where they do not collide."""
        products = [
            self._sign(j, held) * self._sign(j, item)
            for j, table in enumerate(self.hashes)
            if table[held] == table[item]
        ]
        return fmpq(sum(products), len(self.hashes))

    def sign(self, report: Any, item: int) -> int:
        """The sign in the item's cell times its own."""
        vector, j = report
        return vector[self.hashes[j][item]] * self._sign(j, item)  # type: ignore[no-any-return]

    def _sign(self, j: int, x: int) -> int:
        return 1 if self.signs[j][x] else -1


_SIZES = {"d": integer(2), "epsilon": epsilon, "m": integer(2), "hashes": tables}
_CELLS = {"m": ("number of cells", "2")}
KINDS = {
    "CMS": OracleKind.of(RECORDS["ClientCMS"], CountMeanSketch, _SIZES, words=_CELLS),
    "HCMS": OracleKind.of(RECORDS["HCMS"], HadamardCountMeanSketch, _SIZES, words=_CELLS),
    "PCS": OracleKind(
        PrivateCountSketch,
        {**_SIZES, "signs": tables},
        "m uniform signs, but that in the item's cell is the item's sign with probability e^epsilon / (e^epsilon + "
        "1); the number of the function is uniform",
        RECORDS["ClientCMS"].report,
        words=_CELLS,
    ),
}
