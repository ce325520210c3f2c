"""What a definition of privacy compares where reports may show items: the readings of (11) of source 002."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from dp_audit.oracles.base import Comparison
from dp_spec.vocabulary.definitions import RELATIONS, Held, Relation, compares_report, compares_sets
from dp_spec.vocabulary.items import Item, ItemDomain

READINGS = tuple(relation for relation in RELATIONS if relation != "ldp")


@dataclass(frozen=True)
class Reading(Comparison):
    """What a reading of (11) compares (source 002, Definition 3); on single items, `joint` is (4) of Definition 2.

    `items`: reports are items, of which the non-sensitive ones are invertible data; else they are pairs (y0, I). What
    else is reported, and what is sensitive in I, is compared like y0: nothing but a non-sensitive item may be shown.
    """

    domain: ItemDomain
    relation: Relation
    items: bool

    def __str__(self) -> str:
        return "(4) of Definition 2" if self.items else f"(11), reading {self.relation}"

    def observed(self, output: Hashable) -> Hashable:
        """Return what is compared of a report: for `marginal` y0 and what is sensitive in I, otherwise the whole
        report."""
        if self.relation != "marginal":
            return output
        items = self._invertible_data(output)
        if self.items:
            return output if not items else None
        if not isinstance(output, tuple) or len(output) != 2 or not isinstance(output[1], frozenset):
            return output
        return output[0] if output[1] == items else (output[0], output[1] - items)

    def compares(self, item: Item, other: Item, observed: Hashable) -> bool:
        """Return whether the reading compares these two inputs, and (`joint`) both hold all invertible data of the
        report."""
        s, t = _as_set(item), _as_set(other)
        if not compares_sets(self.relation, self.domain, s, t):
            return False
        return self.relation != "joint" or compares_report(s, t, self._invertible_data(observed))

    @property
    def of_outputs(self) -> Comparison:
        """This reading; for `marginal`, which does not look at I, `samenon`: there users hold the same non-sensitive
        items."""
        return replace(self, relation="samenon") if self.relation == "marginal" else self

    def _invertible_data(self, output: Hashable) -> Held:
        """Return the invertible data of a report: the non-sensitive items it shows."""
        others = frozenset(self.domain.nonsensitive)
        if self.items:
            return frozenset([output]) & others
        pair = isinstance(output, tuple) and len(output) == 2 and isinstance(output[1], frozenset)
        return output[1] & others if pair else frozenset()  # type: ignore[index]


def _as_set(item: Item) -> Held:
    return item if isinstance(item, frozenset) else frozenset([item])
