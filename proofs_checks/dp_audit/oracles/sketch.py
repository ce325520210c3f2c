"""Oracles of sketches: an item is hashed by one of k given functions, drawn uniformly, and a vector perturbed.

All laws and moments are conditional on the functions: tables of the cells of all items, facts of the audited library.
Where items collide an estimate is biased; it is unbiased on average over functions whose values are pairwise
independent and uniform: the share 1/m of collisions is taken off. The report contains the number of the function.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from flint import fmpq

from dp_audit.oracles.base import OracleKind, epsilon, exponential, integer, numbers, part
from dp_audit.oracles.forms import SignedCells, Vector
from dp_audit.oracles.frequency import FrequencyOracle, IndependentBits, coefficient
from dp_audit.oracles.hashing import HashedOracle, HashTable, require_tables
from dp_audit.oracles.readers import tables
from dp_refimpl.coins import Coins
from dp_refimpl.frequency.hadamard import is_power_of_two
from dp_refimpl.frequency.rappor import RAPPOR
from dp_refimpl.mechanisms import RECORDS
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.real import Real


@dataclass(frozen=True)
class Signs:
    """The program of a vector of bits that are reported as signs."""

    bits: Any
    p: ClassVar[Any] = part("bits", "p")
    q: ClassVar[Any] = part("bits", "q")
    one: ClassVar[Any] = part("bits", "one")

    def randomize(self, item: int, coins: Coins) -> tuple[int, ...]:
        """Return the vector of signs: 1 for a bit 1, -1 for 0."""
        return tuple(2 * bit - 1 for bit in self.bits.randomize(item, coins))


class CellSigns(Signs):
    """The same on cells with signs: the vector is multiplied by the item's sign, and fair entries stay fair."""

    def randomize(self, item: int, coins: Coins) -> tuple[int, ...]:
        """Return the signs of the cell, multiplied by the item's."""
        sign = 1 if item % 2 else -1
        return tuple(sign * entry for entry in super().randomize(item // 2, coins))


def _column(domain: ItemDomain, epsilon: Budget[Real]) -> Signs:
    return Signs(RAPPOR(domain, numbers(epsilon, 2)))


def _signed(domain: ItemDomain, epsilon: Budget[Real]) -> CellSigns:
    kept = exponential(epsilon) / (exponential(epsilon) + 1)
    return CellSigns(IndependentBits(ItemDomain.of_sizes(len(domain.items) // 2), kept, fmpq(1, 2)))


class HadamardSketch(HashedOracle):
    """A coefficient (index, sign) and the number j of the function are reported as (sign, j, index)."""

    def joined(self, report: Any, function: int) -> Hashable:
        """Return the report with the number of the function between the two."""
        index, sign = report
        return sign, function, index

    def read(self, report: Any) -> tuple[Hashable, HashTable] | None:
        """Return a coefficient and its function; None for what has another form."""
        valid = isinstance(report, tuple) and len(report) == 3 and report[1] in range(len(self.functions))
        return ((report[2], report[0]), self.functions[report[1]]) if valid else None


# --- from parameters --------------------------------------------------------------------------------------------------


def count_mean(d: int, epsilon: Budget[Real], m: int, hashes: tuple[HashTable, ...]) -> HashedOracle:
    """Return CMS (Apple 2017): (v, j), v the vector of m signs, 1 in the item's cell and -1 elsewhere, every sign
    flipped with probability 1 / (e^(eps/2) + 1)."""
    cells = FrequencyOracle(m, epsilon, _column, Vector(m, low=-1))
    return HashedOracle(d, cells, require_tables("hashes", hashes, d, m))


def hadamard_count_mean(d: int, epsilon: Budget[Real], m: int, hashes: tuple[HashTable, ...]) -> HadamardSketch:
    """Return HCMS (Apple 2017): HM on the column of the item's cell. Raises `DomainError` for m that is no power of
    two."""
    if not is_power_of_two(m):
        raise DomainError("m", m, "a power of two")
    return HadamardSketch(d, coefficient(m, epsilon), require_tables("hashes", hashes, d, m))


def count_sketch(
    d: int, epsilon: Budget[Real], m: int, hashes: tuple[HashTable, ...], signs: tuple[HashTable, ...]
) -> HashedOracle:
    """Return PCS: the count sketch of Charikar, Chen, Farach-Colton 2004 with the randomizer of Bassily and Smith 2015.

    A report is m uniform signs, but that in the item's cell is the item's with probability e^eps / (e^eps + 1); and the
    number of the function. `signs` are tables of 1 (for +1) and 0 (for -1). Items that collide agree by the product of
    their signs; the estimate is the mean of the rows (the median is another, non-linear one).
    """
    require_tables("hashes", hashes, d, m)
    if len(require_tables("signs", signs, d, 2)) != len(hashes):
        raise DomainError("signs", signs, f"{len(hashes)} tables, one for each hash function")
    pairs = [zip(table, own, strict=True) for table, own in zip(hashes, signs, strict=True)]
    functions = tuple(tuple(2 * cell + sign for cell, sign in pair) for pair in pairs)
    return HashedOracle(d, FrequencyOracle(2 * m, epsilon, _signed, SignedCells(2 * m)), functions)


_SIZES = {"d": integer(2), "epsilon": epsilon, "m": integer(2), "hashes": tables}
_CELLS = {"m": ("number of cells", "2")}
KINDS = {
    "CMS": OracleKind.of(RECORDS["ClientCMS"], count_mean, _SIZES, words=_CELLS),
    "HCMS": OracleKind.of(RECORDS["HCMS"], hadamard_count_mean, _SIZES, words=_CELLS),
    "PCS": OracleKind(
        count_sketch,
        {**_SIZES, "signs": tables},
        "m uniform signs, but that in the item's cell is the item's sign with probability e^epsilon / (e^epsilon + "
        "1); the number of the function is uniform",
        RECORDS["ClientCMS"].report,
        words=_CELLS,
    ),
}
