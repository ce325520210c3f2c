"""Oracles of longitudinal protocols: two rounds of randomization (Arcolezi et al., arXiv:2111.04636); ADP.

The first round, with eps_perm, is drawn once for a value and kept (memoized); every report is a second round on what is
kept, so that a single report is eps_1-private and all reports on one value together are eps_perm-private. Unary
protocols are named by their rounds: L-SUE (SUE, SUE), L-OUE (OUE, OUE), L-OSUE (OUE, SUE), L-SOUE (SUE, OUE).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from flint import arb, fmpq

from dp_audit.oracles.base import Number, OracleKind, double, epsilon, exponential, integer
from dp_audit.oracles.forms import Items, Vector
from dp_audit.oracles.frequency import FrequencyOracle, grr, optimized, symmetric
from dp_audit.oracles.hashing import FixedHashing, HashTable, require_tables
from dp_audit.oracles.memoization import Chain, Memoized
from dp_audit.oracles.readers import integers
from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.grr import perturb
from dp_refimpl.frequency.rappor import perturb_bits
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare

Round = Literal["SUE", "OUE"]


@dataclass(frozen=True)
class Rounds:
    """The program of a client at its first report, on items: GRR twice.

    p1, q1, p2, q2 are the probabilities of telling the truth and of a given lie in the kept round 1 and in round 2.
    """

    domain: ItemDomain
    p1: Number
    q1: Number
    p2: Number
    q2: Number

    @property
    def p(self) -> Number:
        """Probability that the first report supports the true item."""
        return self.p1 * self.p2 + (1 - self.p1) * self.q2

    @property
    def q(self) -> Number:
        """Probability that the first report supports a given other item."""
        return self.q1 * self.p2 + (1 - self.q1) * self.q2

    @property
    def one(self) -> Number:
        """The 1 of the numbers."""
        return self.p * 0 + 1

    def keep(self, item: Any, coins: Coins) -> Any:
        """Return what is kept for an item."""
        return self.perturbed(item, self.p1, self.q1, coins)

    def report(self, kept: Any, coins: Coins) -> Any:
        """Return a report on what is kept."""
        return self.perturbed(kept, self.p2, self.q2, coins)

    def randomize(self, item: Any, coins: Coins) -> Any:
        """Return the first report."""
        return self.report(self.keep(item, coins), coins)

    def perturbed(self, held: Any, p: Number, q: Number, coins: Coins) -> Any:
        """Return what a round makes of what is held."""
        return perturb(held, self.domain, p, q, coins)


class BitRounds(Rounds):
    """The same on the bits of a one-hot vector: unary encoding twice."""

    def perturbed(self, held: Any, p: Number, q: Number, coins: Coins) -> Any:
        """Return what a round makes of an item, or of its bits."""
        bits = held if isinstance(held, tuple) else [x == held for x in self.domain.items]
        ones = frozenset(x for x, bit in zip(self.domain.items, bits, strict=True) if bit)
        return perturb_bits(ones, self.domain, p, q, coins)


@dataclass(frozen=True)
class Longitudinal(Memoized, FrequencyOracle):
    """Two rounds. `epsilon` is eps_1, the budget of one report; `permanent` is eps_perm > eps_1.

    The estimator is that of a frequency oracle with the probabilities p, q of the first report. Raises `DomainError`
    for other budgets, and where there is no such round 2.
    """

    permanent: Budget[Real]

    def __post_init__(self) -> None:
        if compare(exponential(self.epsilon), exponential(self.permanent)) is not Ordering.LESS:
            raise DomainError("eps_1", double(self.epsilon), f"an epsilon below eps_perm = {double(self.permanent)}")
        rounds = self.program()
        for name in ("p2", "q2"):
            if compare(getattr(rounds, name), 0) is Ordering.LESS:
                allowed = f"one with {name} >= 0 at eps_perm = {double(self.permanent)}"
                raise DomainError("eps_1", double(self.epsilon), allowed)

    def lasting_privacy(self) -> Number:
        """Return e^eps_perm."""
        return exponential(self.permanent)

    def kept_law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of round 1."""
        held, rounds = self.require_item(item), self.program()
        return output_law(lambda coins: rounds.keep(held, coins), rounds.one)

    def report_law(self, kept: Hashable) -> Mapping[Hashable, Number]:
        """Return the law of round 2."""
        rounds = self.program()
        return output_law(lambda coins: rounds.report(kept, coins), rounds.one)

    def chain(self, item: Any) -> Chain:
        """Return the chain of whether what is kept, and a report, support the item."""
        held, r = self.require_item(item), self.program()
        emissions = (1 - r.q2, r.q2), (1 - r.p2, r.p2)
        return Chain(lambda report: int(self.supports(report, held)), (1 - r.p1, r.p1), emissions)


@dataclass(frozen=True)
class GRRRounds:
    """Makes L-GRR: GRR twice, the second with the source's p2.

    The source equates e^eps_1 with (p1 p2 + q1 q2) / (p1 q2 + q1 p2). For d >= 3 this leaves out the ways through a
    third item, so that the report is more private than eps_1 and the bound e^eps_1 is not attained.
    """

    permanent: Budget[Real]

    def __call__(self, domain: ItemDomain, first: Budget[Real]) -> Rounds:
        """Return the rounds of a budget eps_1."""
        d, e1, round1 = len(domain.items), exponential(first), grr(len(domain.items), self.permanent)
        p1, q1 = round1.p, round1.q
        p2 = (q1 - e1 * p1) / (-p1 * e1 + d * q1 * e1 - q1 * e1 - p1 * (d - 1) + q1)
        return Rounds(domain, p1, q1, p2, (1 - p2) / (d - 1))


@dataclass(frozen=True)
class UnaryRounds:
    """Makes two rounds of unary encoding: round 2 is the one of its kind for which one report is exactly eps_1-private.

    That is: e^eps_1 = p (1 - q) / ((1 - p) q) for the probabilities p, q of the first report.
    """

    round1: Round
    round2: Round
    permanent: Budget[Real]

    def __call__(self, domain: ItemDomain, first: Budget[Real]) -> BitRounds:
        """Return the rounds of a budget eps_1."""
        round1 = (optimized if self.round1 == "OUE" else symmetric)(len(domain.items), self.permanent)
        second = _symmetric if self.round2 == "SUE" else _optimized
        return BitRounds(domain, round1.p, round1.q, *second(round1.p, round1.q, first))


def _symmetric(p1: Number, q1: Number, first: Budget[Real]) -> tuple[Number, Number]:
    """Return p2 and q2 = 1 - p2. Round 1 OUE (p1 = 1/2): p = 1/2, so q = 1/(e^eps_1 + 1); SUE: p = 1 - q as in SUE."""
    e = exponential(first) if compare(p1, fmpq(1, 2)) is Ordering.EQUAL else exponential(first, Fraction(1, 2))
    q = 1 / (e + 1)
    p2 = (1 - q1 - q) / (1 - 2 * q1)
    return p2, 1 - p2


def _optimized(p1: Number, q1: Number, first: Budget[Real]) -> tuple[Number, Number]:
    """Return p2 = 1/2 and q2: with p = a + b t, q = c + g t at t = q2, the root of e q (1 - p) = p (1 - q) in [0,
    1/2]."""
    e = exponential(first)
    a, b, c, g = p1 / 2, 1 - p1, q1 / 2, 1 - q1
    square = b * g * (1 - e)
    linear = e * (g * (1 - a) - b * c) - b * (1 - c) + a * g
    constant = e * c * (1 - a) - a * (1 - c)
    root = arb(linear * linear - 4 * square * constant).sqrt()
    return fmpq(1, 2), (root - linear) / (2 * square)


class LongitudinalHashing(Memoized, FixedHashing):
    """L-LH (Arcolezi et al., EDBT 2023) given the hash function: L-GRR on the cell of the item.

    Clients may keep round 1 for an item or for its cell.
    """

    cells: Longitudinal

    def apart(self, items: Sequence[Item]) -> bool:
        """Return whether they have cells of their own."""
        return len({self.table[self.require_item(item)] for item in items}) == len({*items})

    def lasting_privacy(self) -> Number:
        """Return the bound e^eps_perm of the cells."""
        return self.cells.lasting_privacy()

    def kept_law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of what is kept for the cell of the item."""
        return self.cells.kept_law(self.table[self.require_item(item)])

    def report_law(self, kept: Hashable) -> Mapping[Hashable, Number]:
        """Return the law of a report on the kept cell."""
        return self.cells.report_law(kept)

    def chain(self, item: Item) -> Chain:
        """Return the chain of the item's cell."""
        return self.cells.chain(self.table[self.require_item(item)])


# --- from parameters --------------------------------------------------------------------------------------------------


def l_grr(d: int, eps_perm: Budget[Real], eps_1: Budget[Real]) -> Longitudinal:
    """Return L-GRR on d items."""
    return Longitudinal(d, eps_1, GRRRounds(eps_perm), Items(d), eps_perm)


def l_unary(round1: Round, round2: Round, d: int, eps_perm: Budget[Real], eps_1: Budget[Real]) -> Longitudinal:
    """Return longitudinal unary encoding on d items with the given rounds."""
    return Longitudinal(d, eps_1, UnaryRounds(round1, round2, eps_perm), Vector(d), eps_perm)


def l_hashing(d: int, g: int, eps_perm: Budget[Real], eps_1: Budget[Real], hash: HashTable) -> LongitudinalHashing:
    """Return L-LH on d items."""
    return LongitudinalHashing(d, l_grr(g, eps_perm, eps_1), require_tables("hash", (hash,), d, g))


def l_adp(d: int, eps_perm: Budget[Real], eps_1: Budget[Real]) -> FrequencyOracle:
    """Return L-ADP (ALLOMFREE): L-GRR or L-OSUE, whichever has the smaller variance at frequency 0; L-GRR if equal."""
    return adaptive(l_grr(d, eps_perm, eps_1), l_unary("OUE", "SUE", d, eps_perm, eps_1), "eps_1")


def adp(d: int, epsilon: Budget[Real]) -> FrequencyOracle:
    """Return ADP: GRR or OUE, whichever has the smaller variance at frequency 0; GRR if equal."""
    return adaptive(grr(d, epsilon), optimized(d, epsilon))


def adaptive(one: FrequencyOracle, other: FrequencyOracle, name: str = "epsilon") -> FrequencyOracle:
    """Return the one with the smaller variance of an item that nobody holds; the first if equal.

    Raises `DomainError`, about the budget of this name, where that cannot be told at the current precision.
    """
    order = compare(one.variance([0])[1], other.variance([0])[1])
    if order is Ordering.UNDECIDED:
        raise DomainError(name, double(one.epsilon), "one at which the two variances can be told apart")
    return other if order is Ordering.GREATER else one


_TWO = {"d": integer(2), "eps_perm": epsilon, "eps_1": epsilon}
_UNARY: dict[str, tuple[Round, Round]] = {
    "L-SUE": ("SUE", "SUE"),
    "L-OUE": ("OUE", "OUE"),
    "L-OSUE": ("OUE", "SUE"),
    "L-SOUE": ("SUE", "OUE"),
}
_KEPT = "two rounds: {}, kept for a value, with eps_perm, then {} on it for every report, so that one report spends "
_KEPT += "eps_1 exactly"
KINDS = {
    "ADP": OracleKind(
        adp,
        {"d": integer(2), "epsilon": epsilon},
        "GRR or OUE, whichever has the smaller variance at frequency 0 (GRR if equal)",
        "an item or d bits, as GRR or OUE has the smaller variance",
    ),
    "L-GRR": OracleKind(
        l_grr,
        _TWO,
        "two rounds of GRR: the first (eps_perm) is kept for a value, every report is a second one on it, with the "
        "budget ln((e^(eps_perm + eps_1) - 1) / (e^eps_perm - e^eps_1)); for d > 2 one report spends less than eps_1",
        "an item",
    ),
    **{
        name: OracleKind(partial(l_unary, *rounds), _TWO, _KEPT.format(*rounds), "d bits")
        for name, rounds in _UNARY.items()
    },
    "L-ADP": OracleKind(
        l_adp,
        _TWO,
        "L-GRR or L-OSUE, whichever has the smaller variance at frequency 0 (L-GRR if equal)",
        "an item or d bits, whichever has the smaller variance",
    ),
    "L-LH": OracleKind(
        l_hashing,
        {"d": integer(2), "g": integer(2), "eps_perm": epsilon, "eps_1": epsilon, "hash": integers},
        "two rounds, as L-GRR, on the g cells, of the cell that the hash function gives the item",
        "the cell, given the hash function",
    ),
}
