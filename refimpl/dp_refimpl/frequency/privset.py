"""PrivSet: a random subset of k outputs, more likely if it meets the user's set (source 002, reference [23])."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Generic, Literal

from dp_refimpl.coins import Coins, bernoulli, uniform_subset
from dp_refimpl.frequency.parameters import ItemParameters, affine_estimate
from dp_refimpl.requirements import require_bool, require_integer, require_word
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S, at_most

Objective = Literal["set-weights", "single-weights"]


@dataclass(frozen=True)
class Dummy:
    """An output that is no item: what shorter sets are filled up with."""

    number: int


@dataclass(frozen=True)
class PrivSet(ItemParameters[S], Generic[S]):
    """PrivSet with subsets of k outputs.

    Plain: the D = d outputs are the items, every user holds exactly m of them, 1 <= m < d. `padded`: D = d + m, m dummy
    outputs follow the items; a user holds 0 to m items (1 <= m <= d) and fills up with the first dummies. Always
    1 <= k <= D - m. Raises `DomainError` for other m and k.
    """

    m: int = 0
    k: int = 0
    padded: bool = False

    def _require_fields(self) -> None:
        super()._require_fields()
        size = output_number(self.domain, self.m, self.padded)
        require_integer("k", self.k, 1, size - self.m, note=" (D - m)")
        if any(isinstance(x, Dummy) for x in self.domain.items):
            raise DomainError("domain", self.domain, "items that are no dummies")

    @property
    def inputs(self) -> tuple[frozenset[Item], ...]:
        """What a user can hold: the sets of m items; `padded` all of at most m."""
        return self.domain.subsets(range(self.m + 1) if self.padded else [self.m])

    @cached_property
    def outputs(self) -> tuple[Item, ...]:
        """The D outputs: the items, then the dummies."""
        return self.domain.items + (tuple(map(Dummy, range(self.m))) if self.padded else ())

    @cached_property
    def hit(self) -> S:
        """Probability that the report meets the (completed) set."""
        return hit_probability(len(self.outputs), self.m, self.k, self.budget)

    @cached_property
    def p(self) -> S:
        """Probability that an item of the set is in the report."""
        return inclusion(len(self.outputs), self.m, self.k, self.budget)[0]

    @cached_property
    def q(self) -> S:
        """Probability that an item outside the set is in the report."""
        return inclusion(len(self.outputs), self.m, self.k, self.budget)[1]

    def completed(self, items: frozenset[Item]) -> tuple[Item, ...]:
        """A user's m outputs in order, dummies last. Raises `DomainError` for a set the mechanism does not accept."""
        self.domain.require_subset(items)
        if len(items) > self.m or (len(items) < self.m and not self.padded):
            raise DomainError("items", items, f"a set of {'at most' if self.padded else 'exactly'} m = {self.m} items")
        return tuple(x for x in self.domain.items if x in items) + tuple(map(Dummy, range(self.m - len(items))))

    def randomize(self, items: frozenset[Item], coins: Coins) -> frozenset[Item]:
        """A report: k outputs. Raises `DomainError` for a set the mechanism does not accept.

        First whether it meets the set, then how many outputs it shares with it, then which: uniform in either class.
        """
        held = self.completed(items)
        rest = [x for x in self.outputs if x not in held]
        one = self.one
        shared = 0
        if bernoulli(coins, self.hit):
            ways = [comb(self.m, j) * comb(len(rest), self.k - j) for j in range(1, self.k + 1)]
            shared = 1 + coins.choose([one * w / sum(ways) for w in ways])
        inside = uniform_subset(coins, held, shared, one)
        return frozenset(inside + uniform_subset(coins, rest, self.k - shared, one))

    def estimate(self, reports: Sequence[frozenset[Item]]) -> dict[Item, S]:
        """Estimated frequency of every item (not of dummies): (F_x / n - q) / (p - q).

        Raises `DomainError` for reports that are not sets of k outputs.
        """
        for report in reports:
            if not isinstance(report, frozenset) or len(report) != self.k or not report <= set(self.outputs):
                raise DomainError("reports", report, f"sets of k = {self.k} of the outputs {self.outputs}")
        return {
            x: affine_estimate(sum(x in r for r in reports), len(reports), self.q, self.p - self.q)
            for x in self.domain.items
        }


def best_k(
    domain: ItemDomain, budget: Budget[S], m: int, *, padded: bool = False, objective: Objective = "set-weights"
) -> int:
    """The k with the smallest error, by sequential search over all of 1..D-m; the smallest such k.

    Raises `DomainError` for bad m or objective and at epsilon = 0, `UndecidedError` where balls cannot order two
    errors.
    """
    require_word("objective", objective, Objective)
    size = output_number(domain, m, padded)
    best, least = 1, error(size, m, 1, budget, objective)
    for k in range(2, size - m + 1):
        value = error(size, m, k, budget, objective)
        if not at_most(least, value):
            best, least = k, value
    return best


def error(outputs: int, m: int, k: int, budget: Budget[S], objective: Objective = "set-weights") -> S:
    """n times the variance of the estimate, summed over m held and D - m other outputs (`set-weights`) or over one held
    and D - 1 others (`single-weights`).

    Raises `DomainError` at epsilon = 0.
    """
    p, q = inclusion(outputs, m, k, budget)
    if at_most(p - q, 0):
        raise DomainError("budget", budget, "epsilon > 0: at epsilon = 0 the reports carry no information")
    held = m if objective == "set-weights" else 1
    return (held * p * (1 - p) + (outputs - held) * q * (1 - q)) / ((p - q) * (p - q))


def miss_share(outputs: int, m: int, k: int, one: S) -> S:
    """The share of the k-subsets of the outputs that miss a set of m: all m are among the outputs not chosen."""
    share = one
    for i in range(m):
        share = share * (outputs - k - i) / (outputs - i)
    return share


def hit_probability(outputs: int, m: int, k: int, budget: Budget[S]) -> S:
    """Probability that a report meets the set: subsets that do are e^eps times as likely as those that do not."""
    w = budget.exp()
    share = miss_share(outputs, m, k, w * 0 + 1)
    return w * (1 - share) / (share + w * (1 - share))


def inclusion(outputs: int, m: int, k: int, budget: Budget[S]) -> tuple[S, S]:
    """Probability that a given output is in the report, if it is one of the set's, and if it is not.

    By symmetry a report that misses the set has k of the D - m others; a uniform subset has every output with k / D.
    """
    w = budget.exp()
    one = w * 0 + 1
    share = miss_share(outputs, m, k, one)
    total = share + w * (1 - share)
    overall, missing = one * k / outputs, share * k / (outputs - m)
    return w * overall / total, (missing + w * (overall - missing)) / total


def output_number(domain: ItemDomain, m: int, padded: bool) -> int:
    """D. Raises `DomainError` for m outside 1..d-1 (plain) or 1..d (padded), and for a `padded` that is no bool."""
    if not isinstance(domain, ItemDomain):
        raise DomainError("domain", domain, "an ItemDomain")
    require_bool("padded", padded)
    d = len(domain.items)
    most = d if padded else d - 1
    require_integer("m", m, 1, most, note="" if most else ", that is none: a plain domain needs two items")
    return d + m if padded else d
