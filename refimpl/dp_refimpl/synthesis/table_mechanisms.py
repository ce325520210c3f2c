"""Programs of a curator on all tables of a domain: what `exact_channel` takes, and which tables are neighbors."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from dp_refimpl.coins import Coins
from dp_refimpl.requirements import require_integer, require_word
from dp_refimpl.synthesis.tables import CountTable, Relation, neighbors, require_sizes, tables
from dp_spec.vocabulary.scalar import S

Y = TypeVar("Y", bound=Hashable)


@dataclass(frozen=True)
class TableMechanism(Generic[Y, S]):
    """A program on all tables of n records over a domain; for `ar` on those of n - 1 records, too.

    `one` is the 1 of its number field. Raises `DomainError` for sizes that are none, for an unknown relation, and
    unless n >= 1, for `ar` n >= 2: without records there are no frequencies.
    """

    sizes: tuple[int, ...]
    n: int
    program: Callable[[CountTable, Coins], Y]
    one: S
    relation: Relation = "ro"

    def __post_init__(self) -> None:
        require_sizes(self.sizes)
        require_word("relation", self.relation, Relation)
        least = 1 if self.relation == "ro" else 2
        require_integer("n", self.n, least, note=", the number of records")

    @cached_property
    def inputs(self) -> tuple[CountTable, ...]:
        """All tables, those of fewer records first."""
        fewer = tables(self.sizes, self.n - 1) if self.relation == "ar" else ()
        return (*fewer, *tables(self.sizes, self.n))

    @property
    def pairs(self) -> tuple[tuple[CountTable, CountTable], ...]:
        """All ordered pairs of neighbors among the inputs."""
        inputs = set(self.inputs)
        listed = ((table, other) for table in self.inputs for other in neighbors(table, self.relation))
        return tuple(pair for pair in listed if pair[1] in inputs)

    def randomize(self, table: CountTable, coins: Coins) -> Y:
        """What the program releases of a table."""
        return self.program(table, coins)
