"""HP-SDP: SRR at the user, MRS at the shuffler (`shuffler.Permuting`), POP at the collector (source 000, M7)."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.coins import Coins, bernoulli, uniform
from dp_refimpl.enumeration import MAX_PATHS
from dp_refimpl.frequency.hash_families import LabelFamily
from dp_refimpl.shuffle.channel import multinomial_law
from dp_refimpl.shuffle.hashed_messages import HashedMessages, collision
from dp_refimpl.shuffle.murs import report_law
from dp_refimpl.shuffle.protocol_parts import (
    Affine,
    Message,
    Moments,
    Multiset,
    in_field,
    require_chance,
    require_domain,
)
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S, at_most, compare

X = TypeVar("X", bound=Hashable)


@dataclass(frozen=True)
class SRR(HashedMessages[S], Generic[S]):
    """One message (H, y): the item's label, or with probability gamma a uniform one.

    Raises `DomainError` for what is no domain, a family that is not on its items or has fewer than two labels, and
    unless gamma is a number in (0, 1].
    """

    domain: ItemDomain
    family: LabelFamily
    gamma: S

    def __post_init__(self) -> None:
        require_domain(self.domain)
        require_family(self.family, self.domain)
        require_chance("gamma", self.gamma, positive=True)

    @property
    def one(self) -> S:
        """The number 1 of the field of gamma."""
        return self.gamma * 0 + 1

    @property
    def p(self) -> S:
        """Probability of sending the item's own label: 1 - gamma + gamma / g."""
        return 1 - self.gamma + self.q

    @property
    def q(self) -> S:
        """Probability of sending a given other label: gamma / g."""
        return self.gamma / self.family.labels

    @property
    def budget(self) -> Budget[S]:
        """The local budget: e^eps = p / q = 1 + g (1 - gamma) / gamma."""
        return Budget.of_root(self.p / self.q)

    def messages(self, item: Item, coins: Coins) -> tuple[Message, ...]:
        """One report."""
        self.require_item(item)
        h = self.family.draw(coins, self.one)
        if bernoulli(coins, self.gamma):
            return ((h, uniform(coins, range(self.family.labels), self.one)),)
        return ((h, h(item)),)

    def bundle_law(self, item: Item, max_paths: int = MAX_PATHS) -> dict[Multiset, S]:
        """The exact law of the one message."""
        self.require_item(item)
        return multinomial_law(1, report_law(self.family, item, self.p, self.q, self.one))

    @property
    def estimator(self) -> Affine[S]:
        """(C_v / n - 1/g) / (p - 1/g), before POP."""
        cell = self.one / self.family.labels
        return Affine(cell, self.one * 0, self.p - cell)

    def contribution(self, held: Item, item: Item) -> Moments[S]:
        """A bit that supports the item with probability p kappa + q (1 - kappa), less 1/g."""
        kappa: Any = in_field(collision(self.family, held, item), self.one)
        chance = self.q + (self.p - self.q) * kappa
        return Moments(chance - self.estimator.per_user, chance * (1 - chance))


def pop(estimates: Mapping[X, S]) -> dict[X, S]:
    """POP: the nearest histogram, argmin of the sum of squares over f >= 0 with sum 1, exactly.

    f_v = max(0, e_v - tau): with the estimates in falling order and u_1..u_j the j largest ones, tau is that of the
    largest j with u_j > (u_1 + .. + u_j - 1) / j. Raises `DomainError` for no estimates and numbers without an order.
    """
    if not isinstance(estimates, Mapping) or not estimates:
        raise DomainError("estimates", estimates, "a mapping of one or more items to numbers")
    falling = sorted(estimates.values(), key=cmp_to_key(lambda a, b: compare(b, a).value))
    total, tau = falling[0] * 0, falling[0] - 1
    for j, value in enumerate(falling, 1):
        total = total + value
        if at_most(value, (total - 1) / j):
            break
        tau = (total - 1) / j
    return {x: value * 0 if at_most(value, tau) else value - tau for x, value in estimates.items()}


def pop_array(estimates: NDArray[np.float64]) -> NDArray[np.float64]:
    """`pop` in floats, O(d log d). Raises `DomainError` unless this is a vector of one or more finite floats."""
    require_floats("estimates", estimates)
    falling = np.sort(estimates)[::-1]
    tau = (np.cumsum(falling) - 1) / np.arange(1, falling.size + 1)
    projection: NDArray[np.float64] = np.maximum(estimates - tau[np.flatnonzero(falling > tau)[-1]], 0)
    return projection


def require_family(family: object, domain: ItemDomain) -> None:
    """Raise `DomainError` unless this is a family of functions on the domain's items with two labels or more."""
    if not isinstance(family, LabelFamily) or not set(domain.items) <= set(family.items):
        raise DomainError("family", family, f"a family of functions on the items {domain.items}")
    if family.labels < 2:
        raise DomainError("family", family, "a family of functions to two or more labels")


def require_floats(name: str, numbers: object) -> None:
    """Raise `DomainError` unless this is a vector of one or more finite floats."""
    if not isinstance(numbers, np.ndarray) or numbers.dtype.kind != "f" or numbers.ndim != 1 or not numbers.size:
        raise DomainError(name, numbers, "a vector of floats")
    if not np.isfinite(numbers).all():
        raise DomainError(name, numbers, "finite numbers")
