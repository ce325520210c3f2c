"""What frequency oracles share: the estimate is the average of one score per report and item.

Then expectation and variance of an estimate are sums over the users of the moments of one score. For nearly all of them
a score has two values, as the report supports the item or not: `SupportOracle`. Reports are compared by equality, as in
the dictionaries of laws.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from flint import fmpq

from dp_audit.oracles.base import Event, Number, Ones, Oracle
from dp_refimpl.enumeration import output_law
from dp_spec.frequency import local_hashing as stated
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.integers import require_integer
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision

LISTED = 256
"""Events are all single outputs up to this many; beyond, they are marginals."""


@dataclass(frozen=True)
class AdditiveOracle(Oracle):
    """A frequency oracle on the items 0 .. d-1 whose estimate is the average of the scores of the reports."""

    d: int

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The items 0 .. d-1."""
        return tuple(range(self.d))

    @property
    def estimands(self) -> int:
        """The number of estimates, d."""
        return self.d

    @abstractmethod
    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """Return the score of every estimand for one (possible) report."""

    @abstractmethod
    def moments(self, held: Any, item: int) -> tuple[Number, Number]:
        """Return expectation and variance of the score of `item` for the report of a user who holds `held`, an
        input."""

    def all_moments(self, held: Any) -> Sequence[tuple[Number, Number]]:
        """Return the moments of the scores of all estimands."""
        return [self.moments(held, x) for x in range(self.estimands)]

    def estimate(self, reports: Sequence[Hashable]) -> tuple[Number, ...]:
        """Return the average score of every estimand. Raises `DomainError` without reports or for an impossible one."""
        if not reports:
            raise DomainError("reports", reports, "at least one report")
        sums: list[Number] = [fmpq(0)] * self.estimands
        try:
            counts = Counter(reports)
        except TypeError:
            raise DomainError("reports", reports, "hashable reports in canonical form") from None
        for report, times in counts.items():
            if not self.possible(report):
                raise DomainError("report", report, "a possible report in canonical form")
            sums = [total + score * times for total, score in zip(sums, self.scores(report), strict=True)]
        return tuple(total / len(reports) for total in sums)

    def expected_estimate(self, data: Sequence[Item]) -> tuple[Number, ...]:
        """Return the expectation of the estimates. Raises `DomainError` without data or for an unknown item."""
        return tuple(total / len(data) for total in self._totals(data, 0))

    def variance(self, data: Sequence[Item]) -> tuple[Number, ...]:
        """Return the variance of the estimates: users are independent. Raises `DomainError` as `expected_estimate`."""
        return tuple(total / len(data) ** 2 for total in self._totals(data, 1))

    def require_item(self, item: Item) -> int:
        """Return the item, an integer. Raises `DomainError` for an unknown one."""
        return require_integer("item", item, 0, self.d - 1)

    def require_input(self, item: Item) -> Item:
        """Return what a user holds. Raises `DomainError` for what is no input."""
        return self.require_item(item)

    def _totals(self, data: Sequence[Item], moment: int) -> list[Number]:
        if not data:
            raise DomainError("data", data, "at least one item")
        held = Counter(map(self.require_input, data))
        totals: list[Number] = [fmpq(0)] * self.estimands
        for owned, users in held.items():
            both = zip(totals, self.all_moments(owned), strict=True)
            totals = [total + each[moment] * users for total, each in both]
        return totals


class SupportOracle(AdditiveOracle):
    """A report supports some items: with chance p the one held, with chance q an unrelated one.

    Two items agree by a number from -1 to 1, and the chance of supporting one of them on the other is linear in it: 1
    for an item with itself, 0 for unrelated ones, the chance of a collision for hashed ones. The score is
    (1[support] - base) / (p - base), unbiased if agreement is `shared` on all other items. The "pure" protocols of
    Wang, Blocki, Li, Jha 2017 have base q; a perturbed sign that agrees with an item supports it, with base 1/2.
    """

    @property
    @abstractmethod
    def p(self) -> Number:
        """Probability that a report supports the item held."""

    @property
    @abstractmethod
    def q(self) -> Number:
        """Probability that a report supports an unrelated item."""

    @abstractmethod
    def supports(self, report: Hashable, item: int) -> bool:
        """Return whether the report counts for the item; an impossible one does not."""

    @property
    @abstractmethod
    def reports(self) -> int:
        """The number of possible reports."""

    def agreement(self, held: int, item: int) -> int | fmpq:
        """Return by how much a report on `held` is one on `item`: 1 or 0."""
        return int(held == item)

    @property
    def shared(self) -> fmpq:
        """The average agreement of two items, which the estimator takes off: 0."""
        return fmpq(0)

    @property
    def base(self) -> Number:
        """The chance that the estimator takes off: that of `shared`."""
        return support_chance(self.p, self.q, self.shared)

    def support(self, held: int, item: int) -> Number:
        """Return the probability that the report of a user who holds `held` supports `item`."""
        return support_chance(self.p, self.q, self.agreement(held, item))

    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """Return (1[the report supports x] - base) / (p - base) for every item x."""
        base = self.base
        slope = self.p - base
        supported, other = (1 - base) / slope, -base / slope
        return tuple(supported if self.supports(report, x) else other for x in range(self.d))

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Return the moments of a 0-1 variable, the support, scaled; the expectation is rational."""
        agreement, chance = self.agreement(held, item), self.support(held, item)
        mean = (agreement - self.shared) / (1 - self.shared)
        return mean, chance * (1 - chance) / (self.p - self.base) ** 2

    def all_moments(self, held: int) -> Sequence[tuple[Number, Number]]:
        """Return the moments for all items, computed once for all items of one agreement."""
        moments_of: dict[int | fmpq, tuple[Number, Number]] = {}
        shares = [self.agreement(held, x) for x in range(self.d)]
        for x, share in enumerate(shares):
            if share not in moments_of:
                moments_of[share] = self.moments(held, x)
        return [moments_of[share] for share in shares]

    @property
    def listed(self) -> bool:
        """Whether all single reports are watched, as they are few."""
        return self.reports <= LISTED

    def events(self, item: Item) -> tuple[Event, ...]:
        """Return all single outputs if they are `listed`, else `marginals`."""
        held = self.require_item(item)
        return super().events(item) if self.listed else self.marginals(held)

    def marginals(self, held: int) -> tuple[Event, ...]:
        """Return the events that an item is supported, for every item, and what is `watched` beside."""
        p, q = self.p, self.q
        chances = [support_chance(p, q, self.agreement(held, x)) for x in range(self.d)]
        supported = [
            Event(f"{self.word} {x}", partial(self._holds, x), chance, ones=self.ones(x))
            for x, chance in enumerate(chances)
        ]
        return (*supported, *self.watched(held))

    @property
    def word(self) -> str:
        """What is said of an item that is supported."""
        return "supports"

    def ones(self, item: int) -> Ones | None:
        """Return which rows of bits support an item, if reports are rows of bits."""
        return None

    def watched(self, held: int) -> tuple[Event, ...]:
        """Return the events watched beside the support of every item: none."""
        return ()

    def _holds(self, item: int, report: Hashable) -> bool:
        return self.supports(report, item)


def support_chance(p: Number, q: Number, agreement: int | fmpq) -> Number:
    """Return the chance of supporting an item: p or q themselves (they may be of two kinds of numbers), or between
    them."""
    if agreement in (0, 1):
        return p if agreement else q
    return stated.support(p, q, cast(Number, agreement))


def program_law(program: Any, held: Any) -> Mapping[Hashable, Number]:
    """Return the law of the report of a program of `dp_refimpl` on what a user holds, path by path."""
    law: Mapping[Hashable, Number] = output_law(lambda coins: program.randomize(held, coins), program.one)
    return law


def both(first: Callable[[Hashable], bool], second: Callable[[Hashable], bool]) -> Callable[[Hashable], bool]:
    """Return the test of two events together."""
    return lambda report: first(report) and second(report)


def is_tuple(output: Hashable, *parts: Container[Any]) -> bool:
    """Return whether an output is a tuple of one member of each part."""
    return (
        isinstance(output, tuple)
        and len(output) == len(parts)
        and all(value in part for value, part in zip(output, parts, strict=True))
    )


def digits(index: Callable[[Any], int], size: int, possible: Callable[[Hashable], bool]) -> tuple[Event, ...]:
    """Return the events that a binary digit of an index of reports is 1; it is uniform below `size`, a power of two."""

    def is_one(place: int) -> Event:
        digit = lambda y: possible(y) and bool(index(y) >> place & 1)  # noqa: E731
        return Event(f"index digit {place}", digit, fmpq(1, 2))

    return tuple(map(is_one, range(size.bit_length() - 1)))


def floor(number: Callable[[], Number]) -> int:
    """Return the floor of a number, computed with rising precision. Raises `UndecidedError` where 4096 bits are not
    enough."""
    for bits in (128, 512, 4096):
        with precision(bits):
            value = number()
            integer = value.floor() if isinstance(value, fmpq) else value.floor().unique_fmpz()
        if integer is not None:
            return int(integer)
    raise UndecidedError("a number is an integer to 4096 bits")
