"""Count tables: a data set of records with finitely many attributes, its marginals, and its neighbors.

An attribute is its index; `sizes` are the numbers of values of the attributes, whose values are 0..size-1. A record is
a tuple of values, a data set a multiset of records. Only records that occur are stored: 52 attributes cost nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Literal

from dp_refimpl.requirements import is_integer, require_word
from dp_spec.vocabulary.exceptions import DomainError

Record = tuple[int, ...]
MOST_RECORDS = 2**24
"""Records of a domain, and tables, that are listed."""
Relation = Literal["ro", "ar"]
"""Neighbors: one record is replaced by another one, or one record is added or removed (source 003, Definition 1)."""


@dataclass(frozen=True)
class CountTable:
    """A multiset of records: every record that occurs, with how often, in lexicographic order.

    Without attributes there is one record, (). Raises `DomainError` for sizes below 1, for records outside the domain,
    repeated or out of order, and for counts below 1.
    """

    sizes: tuple[int, ...]
    counts: tuple[tuple[Record, int], ...]

    def __post_init__(self) -> None:
        require_sizes(self.sizes)
        if not isinstance(self.counts, tuple):
            raise DomainError("counts", self.counts, "a tuple of pairs of a record and how often it occurs")
        previous: Record | None = None
        for pair in self.counts:
            if not isinstance(pair, tuple) or len(pair) != 2 or not is_integer(pair[1], 1):
                raise DomainError("counts", pair, "pairs of a record and an integer >= 1")
            record = require_record(self.sizes, pair[0])
            if previous is not None and not previous < record:
                raise DomainError("counts", self.counts, "different records in lexicographic order")
            previous = record

    def __str__(self) -> str:
        return ", ".join(f"{count} {record}" for record, count in self.counts) or "no records"

    @classmethod
    def of_records(cls, sizes: Sequence[int], records: Iterable[Sequence[int]]) -> "CountTable":
        """The table of some records, in any order. Raises `DomainError` for records outside the domain."""
        domain = require_sizes(sizes)
        if not isinstance(records, Iterable):
            raise DomainError("records", records, "records of the domain")
        counts = Counter(require_record(domain, record) for record in records)
        return cls(domain, tuple(sorted(counts.items())))

    @classmethod
    def of_vector(cls, sizes: Sequence[int], vector: Sequence[int]) -> "CountTable":
        """The table in which the i-th record of the domain occurs vector[i] times (source 003: count vectors).

        Raises `DomainError` unless there is an integer >= 0 for each of them.
        """
        domain = require_sizes(sizes)
        if (
            not isinstance(vector, Sequence)
            or len(vector) != prod(domain)
            or not all(is_integer(count, 0) for count in vector)
        ):
            raise DomainError("vector", vector, f"{prod(domain)} integers >= 0")
        listed = zip(domain_records(domain), vector, strict=True)
        return cls(domain, tuple((record, int(count)) for record, count in listed if count))

    @cached_property
    def n(self) -> int:
        """The number of records."""
        return sum(count for _, count in self.counts)

    @property
    def vector(self) -> tuple[int, ...]:
        """How often every record of the domain occurs, in lexicographic order."""
        return tuple(self.count(record) for record in domain_records(self.sizes))

    def count(self, record: Record) -> int:
        """How often a record occurs. Raises `DomainError` for one outside the domain."""
        return self._counts[require_record(self.sizes, record)]

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """All n records in lexicographic order."""
        return tuple(record for record, count in self.counts for _ in range(count))

    def marginal(self, attributes: Sequence[int]) -> "CountTable":
        """The same records restricted to some attributes, in the order in which these are given.

        Raises `DomainError` unless they are different attributes of the table.
        """
        chosen = require_attributes(self.sizes, attributes)
        counts: Counter[Record] = Counter()
        for record, count in self.counts:
            counts[tuple(record[a] for a in chosen)] += count
        return CountTable(tuple(self.sizes[a] for a in chosen), tuple(sorted(counts.items())))

    def plus(self, record: Record) -> "CountTable":
        """The table with one more record. Raises `DomainError` for one outside the domain."""
        added = Counter([require_record(self.sizes, record)])
        return CountTable(self.sizes, tuple(sorted((self._counts + added).items())))

    def minus(self, record: Record) -> "CountTable":
        """The table with one record less. Raises `DomainError` for a record that does not occur."""
        if not self.count(record):
            raise DomainError("record", record, "a record that occurs")
        return CountTable(self.sizes, tuple(sorted((self._counts - Counter([record])).items())))

    @cached_property
    def _counts(self) -> Counter[Record]:
        return Counter(dict(self.counts))


def domain_records(sizes: Sequence[int]) -> Iterator[Record]:
    """All records of a domain in lexicographic order. Raises `DomainError` for more than 2^24, too many to list."""
    if prod(require_sizes(sizes)) > MOST_RECORDS:
        raise DomainError("sizes", sizes, f"at most {MOST_RECORDS} records, which are listed")
    return product(*map(range, sizes))


def tables(sizes: Sequence[int], n: int) -> Iterator[CountTable]:
    """All data sets of n records, in a fixed order. Raises `DomainError` unless n is an integer >= 0, and for more than
    2^24 of them."""
    if not is_integer(n, 0):
        raise DomainError("n", n, "an integer >= 0")
    if comb(prod(require_sizes(sizes)) + n - 1, n) > MOST_RECORDS:
        raise DomainError("n", n, f"at most {MOST_RECORDS} tables of sizes {tuple(sizes)}, which are listed")
    chosen = combinations_with_replacement(domain_records(sizes), n)
    return (CountTable.of_records(sizes, records) for records in chosen)


def neighbors(table: CountTable, relation: Relation) -> Iterator[CountTable]:
    """All neighbors of a data set, each once, in a fixed order: removed records in order, then added ones.

    Raises `DomainError` for an unknown relation.
    """
    require_word("relation", relation, Relation)
    without = {record: table.minus(record) for record, _ in table.counts}
    if relation == "ar":
        return iter([*without.values(), *(table.plus(record) for record in domain_records(table.sizes))])
    return (
        smaller.plus(record)
        for removed, smaller in without.items()
        for record in domain_records(table.sizes)
        if record != removed
    )


def neighbor_pairs(sizes: Sequence[int], n: int, relation: Relation) -> Iterator[tuple[CountTable, CountTable]]:
    """All ordered pairs of a data set of n records and a neighbor of it."""
    return ((table, other) for table in tables(sizes, n) for other in neighbors(table, relation))


def require_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """The numbers of values; raises `DomainError` unless they are integers >= 1."""
    if not isinstance(sizes, Sequence) or not all(is_integer(size, 1) for size in sizes):
        raise DomainError("sizes", sizes, "a tuple of integers >= 1, the numbers of values of the attributes")
    return tuple(sizes)


def require_attributes(sizes: Sequence[int], attributes: Sequence[int]) -> tuple[int, ...]:
    """The attributes; raises `DomainError` unless they are different indices below the number of attributes."""
    indices = range(len(sizes))
    if not isinstance(attributes, Sequence) or not all(is_integer(a, 0) and a in indices for a in attributes):
        raise DomainError("attributes", attributes, f"indices of attributes, 0..{len(sizes) - 1}")
    if len(set(attributes)) != len(attributes):
        raise DomainError("attributes", attributes, "different attributes")
    return tuple(attributes)


def require_record(sizes: Sequence[int], record: Sequence[int]) -> Record:
    """The record; raises `DomainError` unless it has a value below its size for every attribute."""
    if not isinstance(record, Sequence) or len(record) != len(sizes):
        raise DomainError("record", record, f"{len(sizes)} values")
    if not all(is_integer(value, 0, size - 1) for value, size in zip(record, sizes, strict=True)):
        raise DomainError("record", record, f"values from 0, each below its size in {tuple(sizes)}")
    return tuple(record)
