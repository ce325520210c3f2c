"""Oracle of dBitFlipPM (Ding, Kulkarni, Yekhanin 2017, "Collecting telemetry data privately")."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from flint import fmpq

from dp_audit.oracles.additive import AdditiveOracle
from dp_audit.oracles.base import Event, Number, OracleKind, epsilon, integer, joint_law
from dp_audit.oracles.frequency import FrequencyOracle, symmetric
from dp_audit.oracles.memoization import Chain, Permanent, unchanging
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.real import Real


@dataclass(frozen=True)
class DBitFlip(Permanent, AdditiveOracle):
    """dBitFlipPM: `bits` of the `buckets` are drawn without replacement, the SUE bit of each is sent.

    A report has one entry per bucket: 0, 1, or -1 where the bucket was not drawn. It is itself what is kept. The
    estimates are those of the buckets, (buckets / bits) (bit - q) / (p - q) for a bit that is sent. With one bit sent
    two inputs differ in one coin only, so that the report is eps/2-private.
    """

    buckets: int
    bits: int
    epsilon: Budget[Real]

    def __post_init__(self) -> None:
        if self.buckets > self.d:
            raise DomainError("buckets", self.buckets, f"an integer in 2..{self.d} (the number of items)")
        if self.bits > self.buckets:
            raise DomainError("bits", self.bits, f"an integer in 1..{self.buckets} (the number of buckets)")

    @property
    def estimands(self) -> int:
        """The number of buckets."""
        return self.buckets

    @property
    def each(self) -> FrequencyOracle:
        """SUE on the buckets."""
        return symmetric(self.buckets, self.epsilon)

    def bucket(self, item: Item) -> int:
        """Return the bucket of an item: consecutive items, as equal in number as possible."""
        assert isinstance(item, int)
        return item * self.buckets // self.d

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the report: every draw of buckets with every value of their bits."""
        chances, law = self._ones(self.require_item(item)), dict[Hashable, Number]()
        drawn = list(combinations(range(self.buckets), self.bits))
        for chosen in drawn:
            entries = [{0: 1 - one, 1: one} if b in chosen else {-1: fmpq(1)} for b, one in enumerate(chances)]
            law |= {report: p / len(drawn) for report, p in joint_law(entries).items()}
        return law

    def events(self, item: Item) -> tuple[Event, ...]:
        """Return for every bucket the events that it is drawn with bit 1, and that it is not drawn."""
        share = fmpq(self.bits, self.buckets)
        ones = [
            Event(f"bucket {b} is 1", partial(_entry, b, 1), share * p)
            for b, p in enumerate(self._ones(self.require_item(item)))
        ]
        others = [Event(f"bucket {b} is not drawn", partial(_entry, b, -1), 1 - share) for b in range(self.buckets)]
        return (*ones, *others)

    def apart(self, items: Sequence[Item]) -> bool:
        """Return whether they have buckets of their own: clients may keep a report for an item or for its bucket."""
        return len({self.bucket(item) for item in items}) == len({*items})

    @property
    def shares(self) -> bool:
        """A client may draw its buckets once."""
        return True

    def common(self, report: Any) -> Hashable:
        """Return the buckets that were drawn."""
        return tuple(b for b, bit in enumerate(report) if bit != -1)

    def chain(self, item: Item) -> Chain:
        """Return the chain of the entry of the item's own bucket: 0, 1, or -1 (as 2)."""
        own, share, p = self.bucket(item), fmpq(self.bits, self.buckets), self.each.p

        def entry(report: Any) -> int:
            return int(report[own]) % 3

        return unchanging(entry, (share * (1 - p), share * p, 1 - share))

    def scores(self, report: Any) -> tuple[Number, ...]:
        """Return the score of every bucket: 0 for one that was not drawn."""
        p, q, scale = self.each.p, self.each.q, fmpq(self.buckets, self.bits)
        return tuple(fmpq(0) if bit == -1 else scale * (bit - q) / (p - q) for bit in report)

    def moments(self, held: Item, item: int) -> tuple[Number, Number]:
        """Return expectation and variance of a score: it is unbiased, and its second moment less the squared mean
        remains. (In closed form: sums over the law in exact numbers take 3 s for 3 of 8 buckets.)"""
        p, q, own = self.each.p, self.each.q, self.bucket(held) == item
        one = p if own else q
        second = (one * (1 - q) ** 2 + (1 - one) * q**2) / (p - q) ** 2
        return fmpq(own), fmpq(self.buckets, self.bits) * second - int(own)

    def all_moments(self, held: Item) -> list[tuple[Number, Number]]:
        """Return the moments for all buckets; those of all but the user's own are alike."""
        own = self.bucket(held)
        mine, others = self.moments(held, own), self.moments(held, (own + 1) % self.buckets)
        return [mine if b == own else others for b in range(self.buckets)]

    def _ones(self, item: int) -> list[Number]:
        """Return the chance of a 1 in every bucket, if it is drawn."""
        p, q, own = self.each.p, self.each.q, self.bucket(item)
        return [p if b == own else q for b in range(self.buckets)]


def _entry(position: int, value: int, report: Hashable) -> bool:
    return isinstance(report, tuple) and bool(report[position] == value)


KINDS = {
    "dBitFlipPM": OracleKind(
        DBitFlip,
        {"d": integer(2), "buckets": integer(2), "bits": integer(1), "epsilon": epsilon},
        "`bits` of the buckets are drawn without replacement, and the SUE bit of each is sent; item x has bucket "
        "x buckets // d",
        "one entry for every bucket: 0, 1, or -1 where it was not drawn",
    ),
}
