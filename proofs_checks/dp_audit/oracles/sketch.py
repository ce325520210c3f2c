"""Oracles of sketches: an item is hashed by one of k given functions, drawn uniformly, and a vector perturbed.

All laws and moments are conditional on the functions: tables of the cells of all items, facts of the audited library.
Where items collide an estimate is biased; it is unbiased on average over functions whose values are pairwise
independent and uniform. The report contains the number of the function.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from flint import fmpq

from dp_audit.oracles.additive import LISTED, AdditiveOracle, digit, tables
from dp_audit.oracles.base import Epsilon, Event, Number, OracleKind, epsilon, halved, integer
from dp_audit.oracles.bloom import is_vector_report, vector_events
from dp_audit.oracles.hashing import HashTable, require_tables
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.count_sketch import ClientCMS, server_constant
from dp_refimpl.frequency.hadamard import HCMS, hadamard_entry, is_power_of_two
from dp_refimpl.frequency.hash_families import LabelFunction
from dp_refimpl.mechanisms import RECORDS
from dp_spec.frequency import count_sketch, hadamard
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain

Vector = tuple[int, ...]


@dataclass(frozen=True)
class Sketch(AdditiveOracle):
    """Cells 0 .. m-1, k hash functions; a score is W, or for count means (m W - 1) / (m - 1), W an entry debiased.

    Raises `DomainError` for tables that are not d cells.
    """

    epsilon: Epsilon
    m: int
    hashes: tuple[HashTable, ...]

    def __post_init__(self) -> None:
        require_tables("hashes", self.hashes, self.d, self.m)

    @abstractmethod
    def scale(self) -> Number:
        """c, which makes a perturbed sign unbiased."""

    def functions(self, *tables: HashTable) -> tuple[LabelFunction, ...]:
        """Tables as the core has them."""
        return tuple(LabelFunction(tuple(range(self.d)), table, self.m) for table in tables)

    def privacy(self) -> Number:
        """The nominal bound e^epsilon; attained if some function separates two items."""
        return self.epsilon.exp()

    def collisions(self, held: int, item: int) -> fmpq:
        """The share of the functions that map both items to one cell."""
        return fmpq(sum(table[held] == table[item] for table in self.hashes), len(self.hashes))

    def possible(self, output: Hashable) -> bool:
        """Every vector of m signs with every number of a function is."""
        return is_vector_report(output, self.m, len(self.hashes), (-1, 1))


@dataclass(frozen=True)
class CountMeanSketch(Sketch):
    """CMS (Apple 2017): (v, j), v the vector of m signs, 1 in the item's cell and -1 elsewhere, every sign flipped with
    probability 1 / (e^(eps/2) + 1).

    W = c/2 v[h_j(x)] + 1/2 with c = (e^(eps/2) + 1) / (e^(eps/2) - 1), whose expectation given j is 1 if x collides
    with the item held, else 0.
    """

    def scale(self) -> Number:
        """(e^(eps/2) + 1) / (e^(eps/2) - 1)."""
        return server_constant(halved(self.epsilon).exp(Fraction(1, 2)))

    def program(self, *tables: HashTable) -> ClientCMS[Number]:
        """The core's client and server with these functions."""
        return ClientCMS(ItemDomain.of_sizes(self.d), halved(self.epsilon), self.functions(*tables))

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of (v, j), the program, enumerated: k 2^m reports."""
        held, target = self.require_item(item), self.program(*self.hashes)
        law: Mapping[Hashable, Number] = output_law(lambda coins: target.randomize(held, coins), target.one)
        return law

    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """(m W - 1) / (m - 1): the server's estimate from the row of the report alone, on which it depends."""
        vector, table = _read(report, self.hashes)
        return tuple(self.program(table).estimate([(vector, 0)]).values())

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Given the functions: with r the share of collisions, E W = r and E W^2 = (c^2 - 1) / 4 + r."""
        c: Any = self.scale()
        records: Any = [(1, self.collisions(held, item))]
        return count_sketch.fixed_mean(self.m, records, fmpq(0)), count_sketch.fixed_variance(c, self.m, records)

    def events(self, item: Item) -> tuple[Event, ...]:
        """All reports if they are few; else single entries, neighboring pairs, digits of the function's number."""
        if len(self.hashes) * 2**self.m <= LISTED:
            return super().events(item)
        return vector_events(self._ones(item), self.m, *self._chances(), self.possible)

    def _chances(self) -> tuple[Number, Number]:
        flip = self.program(*self.hashes[:1]).flip
        return 1 - flip, flip

    def _ones(self, item: Item) -> list[frozenset[int]]:
        held = self.require_item(item)
        return [frozenset([table[held]]) for table in self.hashes]


@dataclass(frozen=True)
class HadamardCountMeanSketch(Sketch):
    """HCMS (Apple 2017): (sign, j, l), the entry H[l, cell] for a uniform l, flipped with probability 1 / (e^eps + 1).

    m is a power of two. W = c sign H[l, h_j(x)] with c = (e^eps + 1) / (e^eps - 1). Raises `DomainError` for other m.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_power_of_two(self.m):
            raise DomainError("m", self.m, "a power of two")

    def scale(self) -> Number:
        """(e^eps + 1) / (e^eps - 1)."""
        return server_constant(self.epsilon.exp())

    def program(self, *tables: HashTable) -> HCMS[Number]:
        """The core's client and server with these functions."""
        budget: Budget[Number] = Budget.of_root(self.epsilon.exp())
        return HCMS(ItemDomain.of_sizes(self.d), budget, self.functions(*tables))

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of (sign, j, l), the program, enumerated: 2 k m reports."""
        held, target = self.require_item(item), self.program(*self.hashes)
        law: Mapping[Hashable, Number] = output_law(lambda coins: target.randomize(held, coins), target.one)
        return law

    def possible(self, output: Hashable) -> bool:
        """Every sign with every number of a function and every index is."""
        return (
            isinstance(output, tuple)
            and len(output) == 3
            and output[0] in (-1, 1)
            and output[1] in range(len(self.hashes))
            and output[2] in range(self.m)
        )

    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """(m W - 1) / (m - 1): the server's estimate from the row of the report alone, on which it depends."""
        assert isinstance(report, tuple)
        sign, j, index = report
        return tuple(self.program(self.hashes[j]).estimate([(sign, 0, index)]).values())

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Given the functions: with r the share of collisions, E W = r and W^2 = c^2."""
        c: Any = self.scale()
        records: Any = [(1, self.collisions(held, item))]
        return count_sketch.fixed_mean(self.m, records, fmpq(0)), hadamard.fixed_variance(c, self.m, records)

    def events(self, item: Item) -> tuple[Event, ...]:
        """All reports if they are few; else the agreement with every item, and the digits of the index."""
        if 2 * len(self.hashes) * self.m <= LISTED:
            return super().events(item)
        held, slope = self.require_item(item), 1 / self.scale()
        agree = [
            Event(f"agrees with {x}", self._agrees(x), (1 + slope * self.collisions(held, x)) / 2)
            for x in range(self.d)
        ]

        def index(report: Hashable) -> int | None:
            return report[2] if self.possible(report) and isinstance(report, tuple) else None

        digits = range(self.m.bit_length() - 1)
        return (*agree, *(Event(f"index digit {i}", digit(index, i), fmpq(1, 2)) for i in digits))

    def _agrees(self, x: int) -> Callable[[Hashable], bool]:
        def holds(report: Hashable) -> bool:
            if not self.possible(report) or not isinstance(report, tuple):
                return False
            return bool(report[0] == hadamard_entry(report[2], self.hashes[report[1]][x]))

        return holds


@dataclass(frozen=True)
class PrivateCountSketch(Sketch):
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

    def scale(self) -> Number:
        """(e^eps + 1) / (e^eps - 1)."""
        return server_constant(self.epsilon.exp())

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of (y, j): k 2^m reports."""
        held, kept = self.require_item(item), (1 + 1 / self.scale()) / 2
        uniform = fmpq(1, len(self.hashes) * 2 ** (self.m - 1))
        return {
            (y, j): uniform * (kept if y[table[held]] == self._sign(j, held) else 1 - kept)
            for j, table in enumerate(self.hashes)
            for y in product((-1, 1), repeat=self.m)
        }

    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """W."""
        (y, table), c = _read(report, self.hashes), self.scale()
        assert isinstance(report, tuple)
        return tuple(c * (self._sign(report[1], x) * y[table[x]]) for x in range(self.d))

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Given the functions: with r the average over j of 1[collision] g_j(held) g_j(x), E W = r and W^2 = c^2."""
        r = self.agreement(held, item)
        return r, self.scale() ** 2 - r * r

    def agreement(self, held: int, item: int) -> fmpq:
        """The average of the products of the two items' signs, 0 where they do not collide."""
        products = [
            self._sign(j, held) * self._sign(j, item)
            for j, table in enumerate(self.hashes)
            if table[held] == table[item]
        ]
        return fmpq(sum(products), len(self.hashes))

    def events(self, item: Item) -> tuple[Event, ...]:
        """All reports if they are few; else, for every x, that the sign in its cell is its own."""
        if len(self.hashes) * 2**self.m <= LISTED:
            return super().events(item)
        held, slope = self.require_item(item), 1 / self.scale()
        return tuple(
            Event(f"agrees with {x}", self._agrees(x), (1 + slope * self.agreement(held, x)) / 2) for x in range(self.d)
        )

    def _agrees(self, x: int) -> Callable[[Hashable], bool]:
        def holds(report: Hashable) -> bool:
            if not self.possible(report) or not isinstance(report, tuple):
                return False
            y, table = _read(report, self.hashes)
            return y[table[x]] == self._sign(report[1], x)

        return holds

    def _sign(self, j: int, x: int) -> int:
        return 1 if self.signs[j][x] else -1


def _read(report: Hashable, hashes: tuple[HashTable, ...]) -> tuple[Vector, HashTable]:
    """The vector and the hash table of a (possible) report."""
    assert isinstance(report, tuple)
    return report[0], hashes[report[1]]


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
