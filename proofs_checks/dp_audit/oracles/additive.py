"""What most frequency oracles share: the estimate is the average of one score per report and item.

Then expectation and variance of an estimate are sums over the users of the moments of one score; nothing else is to be
stated per mechanism. Reports are compared by equality, as in the dictionaries of laws.
"""

import json
import math
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import Any

from flint import arb, ctx, fmpq

from dp_audit.oracles.base import Epsilon, Event, Number, Ones, Oracle, exact_sum
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.rappor import perturb_bits
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.items import Item, ItemDomain

_NUMBER = re.compile(r"[+-]?[0-9]+(?:/[0-9]+|(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?)")
LISTED = 256
"""Events are all single outputs up to this many; beyond, they are marginals."""
USUAL_BITS = 64
"""The precision at which it is chosen which numbers of set bits are usual."""


@dataclass(frozen=True)
class AdditiveOracle(Oracle):
    """A frequency oracle on the items 0 .. d-1 whose estimate is the average of the scores of the reports."""

    d: int

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The items 0 .. d-1."""
        return tuple(range(self.d))

    @abstractmethod
    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """The score of every item for one (possible) report."""

    @abstractmethod
    def moments(self, held: Any, item: int) -> tuple[Number, Number]:
        """Expectation and variance of the score of `item` for the report of a user who holds `held`, an input."""

    def all_moments(self, held: Any) -> Sequence[tuple[Number, Number]]:
        """The moments of the scores of all items."""
        return [self.moments(held, x) for x in range(self.d)]

    def estimate(self, reports: Sequence[Hashable]) -> tuple[Number, ...]:
        """The average score of every item. Raises `DomainError` without reports or for an impossible one."""
        if not reports:
            raise DomainError("reports", reports, "at least one report")
        sums: list[Number] = [fmpq(0)] * self.d
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
        """Expectation of the estimates. Raises `DomainError` without data or for an unknown item."""
        return tuple(total / len(data) for total in self._totals(data, 0))

    def variance(self, data: Sequence[Item]) -> tuple[Number, ...]:
        """Variance of the estimates: users are independent. Raises `DomainError` as `expected_estimate`."""
        return tuple(total / len(data) ** 2 for total in self._totals(data, 1))

    def require_item(self, item: Item) -> int:
        """The item, an integer. Raises `DomainError` for an unknown one."""
        if isinstance(item, bool) or not isinstance(item, int) or not 0 <= item < self.d:
            raise DomainError("item", item, f"an integer in 0..{self.d - 1}")
        return item

    def require_input(self, item: Item) -> Item:
        """What a user holds. Raises `DomainError` for what is no input."""
        return self.require_item(item)

    def _totals(self, data: Sequence[Item], moment: int) -> list[Number]:
        if not data:
            raise DomainError("data", data, "at least one item")
        held = Counter(map(self.require_input, data))
        totals: list[Number] = [fmpq(0)] * self.d
        for owned, users in held.items():
            both = zip(totals, self.all_moments(owned), strict=True)
            totals = [total + each[moment] * users for total, each in both]
        return totals


@dataclass(frozen=True)
class ProgramOracle(AdditiveOracle):
    """A program of `dp_refimpl` for one item, enumerated."""

    epsilon: Epsilon

    @abstractmethod
    def program(self) -> Any:
        """The mechanism, in numbers of the current precision."""

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the report: the program, path by path."""
        held, program = self.require_item(item), self.program()
        law: Mapping[Hashable, Number] = output_law(lambda coins: program.randomize(held, coins), program.one)
        return law


class MarginalOracle(AdditiveOracle):
    """A frequency oracle of which all reports are watched if they are few, else some sets of them."""

    @property
    @abstractmethod
    def reports(self) -> int:
        """How many reports are possible."""

    @abstractmethod
    def marginals(self, held: int) -> tuple[Event, ...]:
        """What is watched where the reports are many."""

    def events(self, item: Item) -> tuple[Event, ...]:
        """All reports if they are few; else the marginals."""
        return super().events(item) if self.reports <= LISTED else self.marginals(self.require_item(item))


class SignOracle(MarginalOracle):
    """A report agrees with an item or not: it has a sign for it, whose expectation is `agreement` / `scale`."""

    @abstractmethod
    def scale(self) -> Number:
        """c, which makes a perturbed sign unbiased."""

    @abstractmethod
    def sign(self, report: Any, item: int) -> int:
        """1 if a (possible) report agrees with the item, else -1."""

    @abstractmethod
    def agreement(self, held: int, item: int) -> fmpq:
        """The expectation of an item's sign for the report of a user who holds `held`, times c."""

    @property
    def indices(self) -> int:
        """A report has an index 0 .. D-1, uniform, D a power of two; 1 if it has none."""
        return 1

    def index(self, report: Any) -> int:
        """The index of a (possible) report."""
        return 0

    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """c times the signs."""
        c = self.scale()
        return tuple(c * self.sign(report, x) for x in range(self.d))

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """The square of a score is c^2."""
        mean = self.agreement(held, item)
        return mean, self.scale() ** 2 - mean * mean

    def marginals(self, held: int) -> tuple[Event, ...]:
        """The agreement with every item, and the digits of the index."""
        slope = 1 / self.scale()

        def agrees(x: int) -> Event:
            mean = self.agreement(held, x)
            chance = (1 + slope * mean) / 2 if mean else fmpq(1, 2)
            return Event(f"agrees with {x}", lambda y: self.possible(y) and self.sign(y, x) == 1, chance)

        def is_one(place: int) -> Event:
            digit = lambda y: self.possible(y) and bool(self.index(y) >> place & 1)  # noqa: E731
            return Event(f"index digit {place}", digit, fmpq(1, 2))

        digits = range(self.indices.bit_length() - 1)
        return (*map(agrees, range(self.d)), *map(is_one, digits))


@dataclass(frozen=True)
class SupportOracle(AdditiveOracle):
    """A report supports the item held with probability p, any other with q; the score is (1[support] - q) / (p - q).

    "Pure" protocols of Wang, Blocki, Li, Jha 2017; local hashing has another `base` than q.
    """

    @property
    @abstractmethod
    def p(self) -> Number:
        """Probability that a report supports the item held."""

    @property
    @abstractmethod
    def q(self) -> Number:
        """Probability that a report supports a given other item."""

    @abstractmethod
    def supports(self, report: Hashable, item: int) -> bool:
        """Whether the report counts for the item (no, if it is impossible)."""

    @property
    def base(self) -> Number:
        """The chance that the estimator takes off: q."""
        return self.q

    def support(self, held: int, item: int) -> Number:
        """Probability that the report of a user who holds `held` supports `item`."""
        return self.p if held == item else self.q

    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """(1[the report supports x] - base) / (p - base)."""
        base = self.base
        slope = self.p - base
        supported, other = (1 - base) / slope, -base / slope
        return tuple(supported if self.supports(report, x) else other for x in range(self.d))

    def moments(self, held: int, item: int) -> tuple[Number, Number]:
        """Unbiased; the variance is that of a 0-1 variable, p or q, over (p - q)^2."""
        return fmpq(held == item), self.spread(held, item)

    def spread(self, held: int, item: int) -> Number:
        """The variance of a 0-1 variable, scaled."""
        chance = self.support(held, item)
        return chance * (1 - chance) / (self.p - self.base) ** 2

    def all_moments(self, held: int) -> Sequence[tuple[Number, Number]]:
        """Those of all other items are alike."""
        own, others = self.moments(held, held), self.moments(held, (held + 1) % self.d)
        return [own if x == held else others for x in range(self.d)]

    def supporting(self, item: int) -> Callable[[Hashable], bool]:
        """The test of the event that a report supports the item."""
        return lambda report: self.supports(report, item)


@dataclass(frozen=True)
class BitOracle(SupportOracle):
    """A report is d independent bits: 1 with probability p for the item held, q for the others."""

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the report: the core's program for independent bits, enumerated."""
        held, p, q = frozenset([self.require_item(item)]), self.p, self.q
        domain = ItemDomain.of_sizes(self.d)
        law: Mapping[Hashable, Number] = output_law(lambda coins: perturb_bits(held, domain, p, q, coins), p * 0 + 1)
        return law

    def supports(self, report: Hashable, item: int) -> bool:
        """Whether the bit of the item is set."""
        return isinstance(report, tuple) and len(report) == self.d and bool(report[item] == 1)

    def possible(self, output: Hashable) -> bool:
        """Every d bits are."""
        return isinstance(output, tuple) and len(output) == self.d and all(bit in (0, 1) for bit in output)

    def events(self, item: Item) -> tuple[Event, ...]:
        """The d bits; that two neighboring ones are both set, and that about the mean number of them is set (a coin
        that some bits share would change one of these)."""
        held, p, q = self.require_item(item), self.p, self.q
        chance = [p if x == held else q for x in range(self.d)]
        tests = [self.supporting(x) for x in range(self.d)]
        single = [Event(f"bit {x}", tests[x], chance[x], ones=Ones((x,), 1, 1)) for x in range(self.d)]
        pairs = [
            Event(f"bits {x}, {y}", both(tests[x], tests[y]), chance[x] * chance[y], ones=Ones((x, y), 2, 2))
            for x, y in pairwise(range(self.d))
        ]
        return (*single, *pairs, self._usual())

    @property
    def row_width(self) -> int:
        """All rows of d bits are possible."""
        return self.d

    @property
    def independent(self) -> int:
        """All bits."""
        return self.d

    def _usual(self) -> Event:
        """The number of set bits is at most a standard deviation from its mean; some number is, and some is not."""
        with ctx.workprec(USUAL_BITS):  # the same event at any precision
            p, q = float(arb(self.p)), float(arb(self.q))
        mean, deviation = p + (self.d - 1) * q, math.sqrt(p * (1 - p) + (self.d - 1) * q * (1 - q))
        low = max(min(math.ceil(mean - deviation), round(mean)), 0)
        high = max(min(math.floor(mean + deviation), self.d), low)
        low += (low, high) == (0, self.d)
        chance = exact_sum([self._set(k) for k in range(low, high + 1)])

        def usual(report: Hashable) -> bool:
            return self.possible(report) and low <= ones(report) <= high

        return Event(f"{low} to {high} bits", usual, chance, ones=Ones(tuple(range(self.d)), low, high))

    def _set(self, k: int) -> Number:
        """Probability that k bits are set: with or without the one of the item held."""
        p, q, others = self.p, self.q, self.d - 1
        found: Number = fmpq(0)
        if k:
            found = found + p * math.comb(others, k - 1) * q ** (k - 1) * (1 - q) ** (others - k + 1)
        if k <= others:
            found = found + (1 - p) * math.comb(others, k) * q**k * (1 - q) ** (others - k)
        return found


def ones(report: Hashable) -> int:
    """How many bits of a report of bits are set."""
    return sum(report) if isinstance(report, tuple) else 0


def both(first: Callable[[Hashable], bool], second: Callable[[Hashable], bool]) -> Callable[[Hashable], bool]:
    """The test of two events together."""
    return lambda report: first(report) and second(report)


def is_tuple(output: Hashable, *parts: Container[Any]) -> bool:
    """Whether an output is a tuple of one member of each part."""
    return (
        isinstance(output, tuple)
        and len(output) == len(parts)
        and all(value in part for value, part in zip(output, parts, strict=True))
    )


def floor(number: Callable[[], Number]) -> int:
    """The floor of a number, computed with rising precision; `UndecidedError` where 4096 bits are not enough."""
    for bits in (128, 512, 4096):
        with ctx.workprec(bits):
            value = number()
            found = value.floor() if isinstance(value, fmpq) else value.floor().unique_fmpz()
        if found is not None:
            return int(found)
    raise UndecidedError("a number is an integer to 4096 bits")


# --- readers of parameters ------------------------------------------------------------------------------------------


def rational(name: str, value: object) -> fmpq:
    """The reader of rational numbers: exact numbers, doubles (their exact value), text as "0.7" or "2/3".

    Raises `DomainError` for anything else, NaN and infinities among them.
    """
    allowed = 'a finite number, or text as "0.7" or "2/3"'
    if isinstance(value, fmpq):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | str):
        raise DomainError(name, value, allowed)
    if isinstance(value, float) and not isfinite(value):
        raise DomainError(name, value, allowed)
    if isinstance(value, str) and not _NUMBER.fullmatch(
        value.strip()
    ):  # Fraction reads more: 1e9999999 exhausts memory
        raise DomainError(name, value, allowed)
    try:
        exact = Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise DomainError(name, value, allowed) from None
    return fmpq(exact.numerator, exact.denominator)


def integers(name: str, value: object) -> tuple[int, ...]:
    """The reader of a list of integers >= 0: a sequence, or text as "[0, 1, 1]" or "0, 1, 1". Raises `DomainError`."""
    allowed = 'integers >= 0, or text as "0, 1, 1"'
    numbers: list[int] = []
    for number in listed(name, value, allowed):
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise DomainError(name, value, allowed)
        numbers.append(number)
    return tuple(numbers)


def tables(name: str, value: object) -> tuple[tuple[int, ...], ...]:
    """The reader of one or more lists of integers >= 0, or text as "[[0, 1], [1, 1]]". Raises `DomainError`."""
    rows = listed(name, value, 'lists of integers >= 0, or text as "[[0, 1], [1, 1]]"')
    if not rows:
        raise DomainError(name, value, "at least one list")
    return tuple(integers(name, row) for row in rows)


def listed(name: str, value: object, allowed: str) -> tuple[object, ...]:
    """A list or tuple, or text as "[0, [1, 2]]" or "0, 1", as a tuple. Raises `DomainError` for anything else."""
    if isinstance(value, str):
        try:
            value = json.loads(value if value.lstrip().startswith("[") else f"[{value}]")
        except ValueError:
            raise DomainError(name, value, allowed) from None
    if not isinstance(value, list | tuple):
        raise DomainError(name, value, allowed)
    return tuple(value)


def as_fraction(number: fmpq) -> Fraction:
    """A rational number as a share of a budget."""
    return Fraction(int(number.p), int(number.q))
