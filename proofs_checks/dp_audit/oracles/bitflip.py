"""Oracle of dBitFlipPM (Ding, Kulkarni, Yekhanin 2017, "Collecting telemetry data privately")."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from flint import fmpq

from dp_audit.oracles.base import Epsilon, Event, Number, OracleKind, epsilon, exact_sum, integer, joint_law
from dp_audit.oracles.memoization import Chain, Permanent, unchanging
from dp_refimpl.frequency.rappor import RAPPOR
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain


@dataclass(frozen=True)
class DBitFlip(Permanent):
    """dBitFlipPM: `bits` of the `buckets` are drawn without replacement, the SUE bit of each is sent.

    A report has one entry per bucket: 0, 1, or -1 where the bucket was not drawn. It is itself what is kept. With one
    bit sent two inputs differ in one coin only, so that the report is eps/2-private.
    """

    d: int
    buckets: int
    bits: int
    epsilon: Epsilon

    def __post_init__(self) -> None:
        if self.buckets > self.d:
            raise DomainError("buckets", self.buckets, f"an integer in 2..{self.d} (the number of items)")
        if self.bits > self.buckets:
            raise DomainError("bits", self.bits, f"an integer in 1..{self.buckets} (the number of buckets)")

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The items 0 .. d-1."""
        return tuple(range(self.d))

    def bucket(self, item: Item) -> int:
        """The bucket of an item: consecutive items, as equal in number as possible."""
        assert isinstance(item, int)
        return item * self.buckets // self.d

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """All draws of buckets, all bits."""
        own, drawn, law = (
            self.bucket(item),
            list(combinations(range(self.buckets), self.bits)),
            dict[Hashable, Number](),
        )
        chances = [self._p if b == own else self._q for b in range(self.buckets)]
        for chosen in drawn:
            entries = [{0: 1 - one, 1: one} if b in chosen else {-1: fmpq(1)} for b, one in enumerate(chances)]
            law |= {report: p / len(drawn) for report, p in joint_law(entries).items()}
        return law

    def events(self, item: Item) -> tuple[Event, ...]:
        """That a bucket is drawn with bit 1, and that it is not drawn."""
        own, p, q, share = self.bucket(item), self._p, self._q, fmpq(self.bits, self.buckets)
        ones = [share * (p if b == own else q) for b in range(self.buckets)]
        named = [Event(f"bucket {b} is 1", _entry(b, 1), p) for b, p in enumerate(ones)]
        return (*named, *(Event(f"bucket {b} is not drawn", _entry(b, -1), 1 - share) for b in range(self.buckets)))

    def chain(self, item: Item) -> Chain:
        """The entry of the item's own bucket: 0, 1, or -1 (as 2)."""
        own, share = self.bucket(item), fmpq(self.bits, self.buckets)

        def entry(report: Hashable) -> int:
            assert isinstance(report, tuple)
            return int(report[own]) % 3

        return unchanging(entry, (share * (1 - self._p), share * self._p, 1 - share))

    def estimate(self, reports: Sequence[Hashable]) -> tuple[Number, ...]:
        """For every bucket (buckets / (n bits)) times the sum of (bit - q) / (p - q) over the bits sent about it."""
        totals, p, q = [], self._p, self._q
        for b in range(self.buckets):
            sent = [report[b] for report in reports if isinstance(report, tuple) and report[b] != -1]
            total = exact_sum([(bit - q) / (p - q) for bit in sent])
            totals.append(total * self.buckets / (len(reports) * self.bits))
        return tuple(totals)

    def expected_estimate(self, data: Sequence[Item]) -> tuple[Number, ...]:
        """The true frequencies of the buckets."""
        held = [self.bucket(x) for x in data]
        return tuple(fmpq(held.count(b), len(data)) for b in range(self.buckets))

    def variance(self, data: Sequence[Item]) -> tuple[Number, ...]:
        """A user's term is 0 or (buckets / bits) (bit - q) / (p - q): its second moment less the squared mean."""
        n, scale = len(data), fmpq(self.buckets, self.bits)
        held = [self.bucket(x) for x in data]
        p, q = self._p, self._q

        def of_user(own: bool) -> Number:
            one = p if own else q
            second = (one * (1 - q) ** 2 + (1 - one) * q**2) / (p - q) ** 2
            return scale * second - int(own)

        counts = [held.count(b) for b in range(self.buckets)]
        return tuple((k * of_user(True) + (n - k) * of_user(False)) / (n * n) for k in counts)

    @property
    def _p(self) -> Number:
        return self._bits().p

    @property
    def _q(self) -> Number:
        return self._bits().q

    def _bits(self) -> RAPPOR[Number]:
        """SUE on the buckets: its chances."""
        return RAPPOR(ItemDomain.of_sizes(self.buckets), self.epsilon.numbers(2))


def _entry(position: int, value: int) -> Callable[[Hashable], bool]:
    return lambda report: isinstance(report, tuple) and report[position] == value


KINDS = {
    "dBitFlipPM": OracleKind(
        DBitFlip,
        {"d": integer(2), "buckets": integer(2), "bits": integer(1), "epsilon": epsilon},
        "`bits` of the buckets are drawn without replacement, and the SUE bit of each is sent; item x has bucket "
        "x buckets // d",
        "one entry for every bucket: 0, 1, or -1 where it was not drawn",
    ),
}
