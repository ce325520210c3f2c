"""Oracle of RAPPOR on Bloom filters, and the laws of what it shares with sketches: a vector and a uniform number."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from dp_audit.oracles.additive import LISTED, is_tuple, listed, rational, tables
from dp_audit.oracles.base import Event, Number, OracleKind, exact_sum, integer, multiplied
from dp_audit.oracles.hashing import lower_half
from dp_audit.oracles.memoization import Chain, Permanent, unchanging
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.rappor import perturb_bits
from dp_spec.vocabulary.exceptions import DomainError
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
        """h."""
        return max(len(positions) for cohort in self.filters for positions in cohort)

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The items 0 .. d-1."""
        return tuple(range(self.d))

    def privacy(self) -> Number:
        """((1 - f/2) / (f/2))^(2h)."""
        return ((2 - self.f) / self.f) ** (2 * self.hash_number)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of (bits, cohort)."""
        return vector_law(self._ones(item), self.m, 1 - self.f / 2, self.f / 2, low=0)

    def possible(self, output: Hashable) -> bool:
        """Every m bits with every cohort are."""
        return is_vector_report(output, self.m, len(self.filters), (0, 1))

    def events(self, item: Item) -> tuple[Event, ...]:
        """All reports if they are few; else single bits, neighboring pairs, digits of the cohort."""
        if len(self.filters) * 2**self.m <= LISTED:
            return super().events(item)
        return vector_events(self._ones(item), self.m, 1 - self.f / 2, self.f / 2, self.possible)

    def chain(self, item: Item) -> Chain:
        """The first bit: it is set in the filters of some cohorts."""
        share = fmpq(sum(0 in ones for ones in self._ones(item)), len(self.filters))
        one = share * (1 - self.f / 2) + (1 - share) * self.f / 2

        def bit(report: Hashable) -> int:
            assert isinstance(report, tuple)
            return int(report[0][0])

        return unchanging(bit, (1 - one, one))

    def _ones(self, item: Item) -> list[frozenset[int]]:
        if isinstance(item, bool) or not isinstance(item, int) or not 0 <= item < self.d:
            raise DomainError("item", item, f"an integer in 0..{self.d - 1}")
        return [frozenset(cohort[item]) for cohort in self.filters]


# --- a vector of m independent entries, and the number of what it was made with --------------------------------------


def vector_law(ones: Sequence[frozenset[int]], m: int, p: Number, q: Number, low: int) -> dict[Hashable, Number]:
    """Law of (vector, j), j uniform: entries are 1 with probability p in ones[j], with q elsewhere, else `low`."""
    domain, law = ItemDomain.of_sizes(m), dict[Hashable, Number]()
    for j, held in enumerate(ones):
        cells: frozenset[Item] = frozenset(held)
        bits = output_law(lambda coins, cells=cells: perturb_bits(cells, domain, p, q, coins), p * 0 + 1)  # type: ignore[misc]
        law.update(((tuple(bit or low for bit in v), j), chance / len(ones)) for v, chance in bits.items())
    return law


def vector_events(
    ones: Sequence[frozenset[int]], m: int, p: Number, q: Number, possible: Callable[[Hashable], bool]
) -> tuple[Event, ...]:
    """That an entry is 1, that two neighboring ones are, that the number is in the lower half."""

    def chance(*cells: int) -> Number:
        together = (multiplied(p if cell in held else q for cell in cells) for held in ones)
        return exact_sum(together) / len(ones)

    def set_at(*cells: int) -> Callable[[Hashable], bool]:
        def holds(report: Hashable) -> bool:
            vector = report[0] if isinstance(report, tuple) and report else None
            return isinstance(vector, tuple) and len(vector) == m and all(vector[cell] == 1 for cell in cells)

        return holds

    entries = [Event(f"entry {i}", set_at(i), chance(i)) for i in range(m)]
    pairs = [Event(f"entries {i}, {i + 1}", set_at(i, i + 1), chance(i, i + 1)) for i in range(m - 1)]
    return (*entries, *pairs, lower_half(possible, len(ones)))


def is_vector_report(output: Hashable, m: int, functions: int, symbols: tuple[int, int]) -> bool:
    """Whether an output is (m of the symbols, a number below `functions`)."""
    pair = isinstance(output, tuple) and len(output) == 2 and output[1] in range(functions)
    return pair and is_tuple(output[0], *[symbols] * m)  # type: ignore[index]


def _filters(name: str, value: object) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The reader of filters: for every cohort and item one or more positions; or JSON text. Raises `DomainError`."""
    cohorts = tuple(tables(name, cohort) for cohort in listed(name, value, "lists of lists of positions >= 0"))
    if not cohorts or not all(positions for cohort in cohorts for positions in cohort):
        raise DomainError(name, value, "one or more cohorts, and one or more positions for every item")
    return cohorts


KINDS = {
    "RAPPOR": OracleKind(
        BloomRAPPOR,
        {"d": integer(2), "f": rational, "m": integer(1), "filters": _filters},
        "the item's Bloom filter in a uniform cohort; every bit is replaced by a fair coin with probability f (the "
        "permanent response)",
        "[m bits, cohort]",
        words={"m": ("number of bits of a filter", "2")},
    )
}
