"""Item domains and reports: what a user holds and what the server sees."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import is_integer, require_integer

Item = Hashable
MAX_ITEMS = 1_000_000
"""Items of a domain of given sizes, and sets that are listed; the tuple of more is not made."""


@dataclass(frozen=True)
class ItemDomain:
    """X = X_sen + X_non in a fixed order (source 002, Table 1). LDP mechanisms without the distinction use X_sen only.

    Raises `DomainError` for duplicate items or an empty domain.
    """

    sensitive: tuple[Item, ...]
    nonsensitive: tuple[Item, ...] = ()

    def __post_init__(self) -> None:
        for name in ("sensitive", "nonsensitive"):
            if not isinstance(getattr(self, name), tuple):
                raise DomainError(name, getattr(self, name), "a tuple of items")
        if not self.items:
            raise DomainError("items", self.items, "at least one item")
        try:
            different = len(set(self.items))
        except TypeError:
            raise DomainError("items", self.items, "hashable items") from None
        if different != len(self.items):
            raise DomainError("items", self.items, "pairwise different items")

    @classmethod
    def of_sizes(cls, sensitive: int, nonsensitive: int = 0) -> "ItemDomain":
        """Items 0..K-1 sensitive, K..K+N-1 not. Raises `DomainError` for more than `MAX_ITEMS`."""
        for name, size in (("sensitive", sensitive), ("nonsensitive", nonsensitive)):
            require_integer(name, size, 0, MAX_ITEMS)
        return cls(tuple(range(sensitive)), tuple(range(sensitive, sensitive + nonsensitive)))

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """All items, sensitive ones first."""
        return self.sensitive + self.nonsensitive

    def subsets(self, sizes: Iterable[int]) -> tuple[frozenset[Item], ...]:
        """Every set of items of the given sizes, lexicographically.

        Raises `DomainError` for a size outside 0..d, and for more than `MAX_ITEMS` sets.
        """
        listed = tuple(sizes)
        for size in listed:
            if not is_integer(size, 0, len(self.items)):
                raise DomainError("sizes", size, f"integers in 0..{len(self.items)}")
            if number_of_sets(len(self.items), size, MAX_ITEMS) > MAX_ITEMS:
                raise DomainError("sizes", size, f"sizes with at most {MAX_ITEMS} sets of {len(self.items)} items")
        return tuple(frozenset(c) for size in listed for c in combinations(self.items, size))

    def require_subset(self, items: frozenset[Item]) -> None:
        """Raise `DomainError` unless `items` is a frozenset of items of this domain."""
        if not isinstance(items, frozenset):
            raise DomainError("items", items, "a frozenset of items of the domain")
        if not items <= self._known:
            raise DomainError("items", set(items - self._known), f"items of the domain {self.items}")

    @cached_property
    def _known(self) -> frozenset[Item]:
        return frozenset(self.items)


def number_of_sets(items: int, size: int, enough: int) -> int:
    """How many sets of a size there are; where they are more than `enough`, a number between that and theirs."""
    number = 1
    for chosen in range(1, min(size, items - size) + 1):  # the binomials (items - k + chosen, chosen) grow
        if number > enough:
            break
        number = number * (items - chosen + 1) // chosen
    return number


@dataclass(frozen=True, slots=True)
class Report:
    """M(s) = (y0, y1, ..., yt) of source 002, Definition 3: the protected datum and the set of invertible data."""

    protected: Hashable
    invertible: frozenset[Item] = frozenset()
