"""Oracle of subset selection, SS: a subset of k items that contains the item held more often (PrivSet with m = 1).

Ye and Barg 2018 ("Optimal schemes for discrete distribution estimation under locally differential privacy"), Wang et
al. 2016 ("Mutual information optimally local private discrete distribution estimation"). The law is the core's program;
the default k is the core's search for the smallest variance (rounding d / (e^epsilon + 1), as libraries do, is not
always the same).
"""

from collections.abc import Hashable
from dataclasses import dataclass

from flint import fmpq

from dp_audit.oracles.additive import ProgramOracle, SupportOracle, both
from dp_audit.oracles.base import Epsilon, Event, Number, OracleKind, epsilon, integer
from dp_refimpl.frequency import subset_selection as refimpl
from dp_refimpl.frequency.privset import best_k, inclusion
from dp_refimpl.mechanisms import RECORDS
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain


@dataclass(frozen=True)
class SubsetSelection(ProgramOracle, SupportOracle):
    """A report is a k-subset; those with the item held are e^epsilon times as likely as those without.

    p = k e^eps / (k e^eps + d - k); q = p (k-1) / (d-1) + (1-p) k / (d-1). The bound e^epsilon is attained. Raises
    `DomainError` for k outside 1..d-1.
    """

    k: int

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or not 1 <= self.k < self.d:
            raise DomainError("k", self.k, f"an integer in 1..{self.d - 1} (d - 1)")

    @property
    def p(self) -> Number:
        """Probability that the item held is in the report."""
        return self._inclusion()[0]

    @property
    def q(self) -> Number:
        """Probability that a given other item is in the report."""
        return self._inclusion()[1]

    def supports(self, report: Hashable, item: int) -> bool:
        """Whether the item is in the report."""
        return isinstance(report, frozenset) and len(report) == self.k and item in report

    def possible(self, output: Hashable) -> bool:
        """Every set of k items is."""
        return isinstance(output, frozenset) and len(output) == self.k and all(x in range(self.d) for x in output)

    def events(self, item: Item) -> tuple[Event, ...]:
        """That an item is in the report, and (if k > 1) that two neighboring ones are."""
        held, p, q = self.require_item(item), self.p, self.q
        single = [Event(f"item {x}", self.supporting(x), p if x == held else q) for x in range(self.d)]
        pairs = [
            Event(f"items {x}, {x + 1}", both(self.supporting(x), self.supporting(x + 1)), self._together(held, x, p))
            for x in range(self.d - 1)
            if self.k > 1
        ]
        return (*single, *pairs)

    def _together(self, held: int, x: int, p: Number) -> Number:
        """Probability that x and x + 1 are in the report: given whether the held item is, the rest is uniform."""
        k, others = self.k, self.d - 1
        if held in (x, x + 1):
            return p * fmpq(k - 1, others)
        return p * fmpq((k - 1) * (k - 2), others * (others - 1)) + (1 - p) * fmpq(k * (k - 1), others * (others - 1))

    def _inclusion(self) -> tuple[Number, Number]:
        return inclusion(self.d, 1, self.k, self.epsilon.numbers())

    def program(self) -> refimpl.SubsetSelection[Number]:
        """The core's mechanism."""
        return refimpl.SubsetSelection(ItemDomain.of_sizes(self.d), self.epsilon.numbers(), self.k)


def _make(d: int, epsilon: Epsilon, k: int | None = None) -> SubsetSelection:
    return SubsetSelection(d, epsilon, best_k(ItemDomain.of_sizes(d), epsilon.budget, 1) if k is None else k)


_PARAMETERS = {"d": integer(2), "epsilon": epsilon, "k": integer(1)}
KINDS = {"SS": OracleKind.of(RECORDS["SubsetSelection"], _make, _PARAMETERS, optional=frozenset({"k"}))}
