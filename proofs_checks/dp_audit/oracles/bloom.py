"""Oracle of RAPPOR on Bloom filters: the permanent response."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from flint import fmpq

from dp_audit.oracles.additive import LISTED
from dp_audit.oracles.base import Event, Number, OracleKind, exact_sum, integer
from dp_audit.oracles.forms import Vector
from dp_audit.oracles.hashing import lower_half
from dp_audit.oracles.memoization import Chain, Permanent, unchanging
from dp_audit.oracles.readers import rational, several
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.rappor import perturb_bits
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import require_integer
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import Ordering, compare


@dataclass(frozen=True)
class BloomRAPPOR(Permanent):
    """RAPPOR's permanent response (Erlingsson, Pihur, Korolova 2014): (bits, cohort), the cohort uniform.

    The Bloom filter of the item has h bits set (fewer where hash values coincide); every bit is replaced by a fair coin
    with probability f: a 1 stays with 1 - f/2, a 0 becomes 1 with f/2. `filters` are, for every cohort and item, the
    positions: h is the largest number of them, repeated ones counted. The nominal bound is
    ((1 - f/2) / (f/2))^(2h), attained if two filters of a cohort are disjoint and of h bits. The decoder is a
    regression: no estimator is specified here. Raises `DomainError` for f outside (0, 1), and for filters that are not
    positions in 0 .. m-1 for d items.
    """

    d: int
    f: fmpq
    m: int
    filters: tuple[tuple[tuple[int, ...], ...], ...]

    def __post_init__(self) -> None:
        if compare(0, self.f) is not Ordering.LESS or compare(self.f, 1) is not Ordering.LESS:
            raise DomainError("f", self.f, "a number with 0 < f < 1")
        for cohort in self.filters:
            if len(cohort) != self.d:
                raise DomainError("filters", cohort, f"for every cohort {self.d} lists, one for each item")
            for positions in cohort:
                if any(bit not in range(self.m) for bit in positions):
                    raise DomainError("filters", positions, f"positions in 0..{self.m - 1}")

    @property
    def hash_number(self) -> int:
        """The number h of hash functions."""
        return max(len(positions) for cohort in self.filters for positions in cohort)

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The items 0 .. d-1."""
        return tuple(range(self.d))

    def privacy(self) -> Number:
        """Return ((1 - f/2) / (f/2))^(2h)."""
        return ((2 - self.f) / self.f) ** (2 * self.hash_number)

    @property
    def form(self) -> Vector:
        """The form of the bits of a filter."""
        return Vector(self.m)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of (bits, cohort)."""
        domain, (p, q), law = ItemDomain.of_sizes(self.m), self._chances(), dict[Hashable, Number]()
        for j, ones in enumerate(self._ones(item)):
            bits = output_law(partial(perturb_bits, ones, domain, p, q), fmpq(1))
            law |= {(y, j): chance / len(self.filters) for y, chance in bits.items()}
        return law

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is a pair of m bits and the number of a cohort."""
        pair = isinstance(output, tuple) and len(output) == 2 and output[1] in range(len(self.filters))
        return pair and self.form.possible(output[0])  # type: ignore[index]

    def events(self, item: Item) -> tuple[Event, ...]:
        """Return all reports if they are few; else single bits, neighboring pairs, and the half of the cohorts."""
        if len(self.filters) * 2**self.m <= LISTED:
            return super().events(item)
        cohorts = zip(*map(self._bit_events, self._ones(item)), strict=True)
        return (*map(self._averaged, cohorts), lower_half(self.possible, len(self.filters)))

    def _bit_events(self, ones: frozenset[int]) -> list[Event]:
        """Return the events of the bits, given the positions set in one filter."""
        p, q = self._chances()
        single = [Event(f"bit {x}", self.form.supporting(x), p if x in ones else q) for x in range(self.m)]
        return [*single, *self.form.pairs(ones, p, q)]

    def _averaged(self, events: tuple[Event, ...]) -> Event:
        """Return an event of the bits alone, from those of all cohorts."""

        def holds(report: Hashable) -> bool:
            return isinstance(report, tuple) and len(report) == 2 and events[0].holds(report[0])

        return Event(events[0].name, holds, exact_sum(event.probability for event in events) / len(events))

    def apart(self, items: Sequence[Item]) -> bool:
        """Return whether their filters differ in every cohort: clients may keep a response for an item or a filter."""
        filters = zip(*map(self._ones, dict.fromkeys(items)), strict=True)
        return all(len({*cohort}) == len(cohort) for cohort in filters)

    @property
    def shares(self) -> bool:
        """A client may have one cohort for all values."""
        return True

    def common(self, report: Any) -> Hashable:
        """Return the cohort."""
        _, cohort = report
        return int(cohort)

    def chain(self, item: Item) -> Chain:
        """Return the chain of the first bit, which is set in the filters of some cohorts."""
        share = fmpq(sum(0 in ones for ones in self._ones(item)), len(self.filters))
        one = share * (1 - self.f / 2) + (1 - share) * self.f / 2

        def bit(report: Hashable) -> int:
            assert isinstance(report, tuple)
            return int(report[0][0])

        return unchanging(bit, (1 - one, one))

    def _chances(self) -> tuple[fmpq, fmpq]:
        """Return the probabilities of a 1 where one is, and elsewhere."""
        return 1 - self.f / 2, self.f / 2

    def _ones(self, item: Item) -> list[frozenset[int]]:
        index = require_integer("item", item, 0, self.d - 1)
        return [frozenset(cohort[index]) for cohort in self.filters]


KINDS = {
    "RAPPOR": OracleKind(
        BloomRAPPOR,
        {"d": integer(2), "f": rational, "m": integer(1), "filters": several(several(several(integer(0), 1), 1), 1)},
        "the item's Bloom filter in a uniform cohort; every bit is replaced by a fair coin with probability f (the "
        "permanent response)",
        "[m bits, cohort]",
        words={"m": ("number of bits of a filter", "2")},
    )
}
