"""Oracles of longitudinal protocols: two rounds of randomization (Arcolezi et al., arXiv:2111.04636); ADP.

The first round, with eps_perm, is drawn once for a value and kept (memoized); every report is a second round on what is
kept, so that a single report is eps_1-private and all reports on one value together are eps_perm-private. Unary
protocols are named by their rounds: L-SUE (SUE, SUE), L-OUE (OUE, OUE), L-OSUE (OUE, SUE), L-SOUE (SUE, OUE).
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from flint import arb, fmpq

from dp_audit.oracles.additive import integers
from dp_audit.oracles.base import Epsilon, Number, OracleKind, epsilon, exact_sum, integer, multiplied
from dp_audit.oracles.frequency import KINDS as FREQUENCY
from dp_audit.oracles.frequency import FrequencyOracle, UnaryEncoding
from dp_audit.oracles.hashing import FixedHashing
from dp_audit.oracles.memoization import Chain, Memoized
from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.grr import GRR, perturb
from dp_refimpl.frequency.rappor import RAPPOR, Bits, perturb_bits
from dp_refimpl.frequency.unary import OUE
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import Ordering, compare

Round = Literal["SUE", "OUE"]


@dataclass(frozen=True)
class Rounds:
    """The probabilities of telling the truth (p) and of a given lie (q) in the kept round 1 and in round 2."""

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


@dataclass(frozen=True)
class _Chain:
    """The program of a longitudinal client at its first report."""

    domain: ItemDomain
    rounds: Rounds

    @property
    def p(self) -> Number:
        return self.rounds.p

    @property
    def q(self) -> Number:
        return self.rounds.q

    @property
    def one(self) -> Number:
        return self.rounds.p * 0 + 1


class _ItemChain(_Chain):
    def keep(self, item: Item, coins: Coins) -> Item:
        return perturb(item, self.domain, self.rounds.p1, self.rounds.q1, coins)

    def report(self, kept: Item, coins: Coins) -> Item:
        return perturb(kept, self.domain, self.rounds.p2, self.rounds.q2, coins)

    def randomize(self, item: Item, coins: Coins) -> Item:
        return self.report(self.keep(item, coins), coins)


class _BitChain(_Chain):
    def keep(self, item: Item, coins: Coins) -> Bits:
        return perturb_bits(frozenset([item]), self.domain, self.rounds.p1, self.rounds.q1, coins)

    def report(self, kept: Bits, coins: Coins) -> Bits:
        ones = frozenset(x for x, bit in zip(self.domain.items, kept, strict=True) if bit)
        return perturb_bits(ones, self.domain, self.rounds.p2, self.rounds.q2, coins)

    def randomize(self, item: Item, coins: Coins) -> Bits:
        return self.report(self.keep(item, coins), coins)


class TwoRounds(Memoized):
    """A mechanism of two rounds, on an item or its cell. `epsilon` is eps_1, the budget of one report; `permanent` is
    eps_perm > eps_1."""

    permanent: Epsilon

    @abstractmethod
    def client(self) -> Any:
        """The program of the client, in numbers of the current precision."""

    def held(self, item: Item) -> Item:
        """What the client randomizes. Raises `DomainError` for what is no input."""
        return self.require_input(item)  # type: ignore[no-any-return]

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the first report: both rounds."""
        held, client = self.held(item), self.client()
        return output_law(lambda coins: client.randomize(held, coins), client.one)

    def lasting_privacy(self) -> Number:
        """e^eps_perm."""
        return self.permanent.exp()

    def kept_law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of round 1."""
        held, client = self.held(item), self.client()
        return output_law(lambda coins: client.keep(held, coins), client.one)

    def report_law(self, kept: Hashable) -> Mapping[Hashable, Number]:
        """Law of round 2."""
        client = self.client()
        return output_law(lambda coins: client.report(kept, coins), client.one)

    def chain(self, item: Any) -> Chain:
        """Whether what is kept, and a report, support the item."""
        self.require_input(item)
        r = self.client().rounds
        given = (1 - r.q2, r.q2), (1 - r.p2, r.p2)
        return Chain(lambda report: int(self.supports(report, item)), (1 - r.p1, r.p1), given)

    @abstractmethod
    def supports(self, report: Hashable, item: int) -> bool:
        """Whether a report counts for the item."""


@dataclass(frozen=True)
class Longitudinal(TwoRounds, FrequencyOracle):
    """Two rounds on one item. `mechanism` makes the client from the budgets and d; the estimator is that of a frequency
    oracle with the probabilities p, q of the first report."""

    permanent: Epsilon

    def __post_init__(self) -> None:
        if compare(self.epsilon.exp(), self.permanent.exp()) is not Ordering.LESS:
            raise DomainError("eps_1", self.epsilon.text, f"an epsilon below eps_perm = {self.permanent.text}")
        rounds = self.program().rounds
        for name in ("p2", "q2"):
            if compare(getattr(rounds, name), 0) is Ordering.LESS:
                raise DomainError("eps_1", self.epsilon.text, f"one with {name} >= 0 at eps_perm = {self.permanent}")

    supports = FrequencyOracle.supports

    def made(self) -> Any:
        """The client, made anew."""
        return self.mechanism(self.epsilon, self.permanent, self.d)

    def client(self) -> Any:
        """The client."""
        return self.program()


@dataclass(frozen=True)
class LongitudinalUnary(Longitudinal, UnaryEncoding):
    """Two rounds on the bits of a one-hot vector."""

    supports = UnaryEncoding.supports

    def joint(self, items: Sequence[Item]) -> Callable[[Sequence[Hashable]], Number]:
        """As `Memoized`, bit by bit: these are independent."""
        r = self.client().rounds
        first, second = ((r.q1, r.p1), (r.q2, r.p2))  # by the bit before, the chance of a 1

        def chance(reports: Sequence[Any]) -> Number:
            total: Number = fmpq(1)
            for x in dict.fromkeys(items):
                for j in range(self.d):
                    bits = [y[j] for item, y in zip(items, reports, strict=True) if item == x]
                    total = total * exact_sum(
                        _bits([kept], first[x == j]) * _bits(bits, second[kept]) for kept in (0, 1)
                    )
            return total

        return chance


def _bits(bits: Sequence[int], one: Number) -> Number:
    """The probability of independent bits, each of which is 1 with the same probability."""
    return multiplied([one if bit else 1 - one for bit in bits])


def grr_rounds(first: Epsilon, permanent: Epsilon, d: int) -> Rounds:
    """L-GRR: GRR twice, the second with the source's p2.

    The source equates e^eps_1 with (p1 p2 + q1 q2) / (p1 q2 + q1 p2). For d >= 3 this leaves out the ways through a
    third item, so that the report is more private than eps_1 and the bound e^eps_1 is not attained.
    """
    e1 = first.exp()
    first_round = GRR(ItemDomain.of_sizes(d), permanent.numbers())
    p1, q1 = first_round.p, first_round.q
    p2 = (q1 - e1 * p1) / (-p1 * e1 + d * q1 * e1 - q1 * e1 - p1 * (d - 1) + q1)
    return Rounds(p1, q1, p2, (1 - p2) / (d - 1))


def unary_rounds(round1: Round, round2: Round, first: Epsilon, permanent: Epsilon) -> Rounds:
    """Two rounds of unary encoding: round 2 is the one of its kind for which a single report is exactly eps_1-private.

    That is: e^eps_1 = p (1 - q) / ((1 - p) q) for the probabilities p, q of the first report.
    """
    p1, q1 = _unary_round1(round1, permanent)
    return Rounds(p1, q1, *(_symmetric if round2 == "SUE" else _optimized)(p1, q1, first))


def _unary_round1(kind: Round, permanent: Epsilon) -> tuple[Number, Number]:
    one = ItemDomain.of_sizes(1)
    if kind == "OUE":
        optimized = OUE(one, permanent.numbers())
        return optimized.p, optimized.q
    symmetric = RAPPOR(one, permanent.numbers(2))
    return symmetric.p, symmetric.q


def _symmetric(p1: Number, q1: Number, first: Epsilon) -> tuple[Number, Number]:
    """p2 with q2 = 1 - p2. Round 1 OUE (p1 = 1/2): p = 1/2, so q = 1/(e^eps_1 + 1); SUE: p = 1 - q as in SUE."""
    e = first.exp() if compare(p1, fmpq(1, 2)) is Ordering.EQUAL else first.exp(Fraction(1, 2))
    q = 1 / (e + 1)
    p2 = (1 - q1 - q) / (1 - 2 * q1)
    return p2, 1 - p2


def _optimized(p1: Number, q1: Number, first: Epsilon) -> tuple[Number, Number]:
    """q2 with p2 = 1/2: with p = a + b t, q = c + g t at t = q2, the root of e q (1 - p) = p (1 - q) in [0, 1/2]."""
    e = first.exp()
    a, b, c, g = p1 / 2, 1 - p1, q1 / 2, 1 - q1
    square = b * g * (1 - e)
    linear = e * (g * (1 - a) - b * c) - b * (1 - c) + a * g
    constant = e * c * (1 - a) - a * (1 - c)
    root = arb(linear * linear - 4 * square * constant).sqrt()
    return fmpq(1, 2), (root - linear) / (2 * square)


def _item_program(first: Epsilon, permanent: Epsilon, d: int) -> _ItemChain:
    return _ItemChain(ItemDomain.of_sizes(d), grr_rounds(first, permanent, d))


def _bit_program(round1: Round, round2: Round, first: Epsilon, permanent: Epsilon, d: int) -> _BitChain:
    return _BitChain(ItemDomain.of_sizes(d), unary_rounds(round1, round2, first, permanent))


def l_grr(d: int, eps_perm: Epsilon, eps_1: Epsilon) -> Longitudinal:
    """L-GRR on d items."""
    return Longitudinal(d, eps_1, _item_program, eps_perm)  # type: ignore[arg-type]


def l_unary(round1: Round, round2: Round, d: int, eps_perm: Epsilon, eps_1: Epsilon) -> Longitudinal:
    """Longitudinal unary encoding on d items with the given rounds."""
    return LongitudinalUnary(d, eps_1, partial(_bit_program, round1, round2), eps_perm)  # type: ignore[arg-type]


def l_adp(d: int, eps_perm: Epsilon, eps_1: Epsilon) -> Longitudinal:
    """L-ADP (ALLOMFREE): L-GRR or L-OSUE, whichever has the smaller variance at frequency 0; L-GRR if equal."""
    grr, osue = l_grr(d, eps_perm, eps_1), l_unary("OUE", "SUE", d, eps_perm, eps_1)
    return grr if _not_larger(grr, osue) else osue


def adp(d: int, epsilon: Epsilon) -> FrequencyOracle:
    """ADP: GRR or OUE, whichever has the smaller variance at frequency 0; GRR if equal."""
    grr, oue = (FREQUENCY[name].make(d=d, epsilon=epsilon) for name in ("GRR", "OUE"))
    assert isinstance(grr, FrequencyOracle)
    assert isinstance(oue, FrequencyOracle)
    return grr if _not_larger(grr, oue) else oue


def _not_larger(one: FrequencyOracle, other: FrequencyOracle) -> bool:
    order = compare(one.variance([0])[1], other.variance([0])[1])  # of item 1, which nobody holds
    if order is Ordering.UNDECIDED:
        raise DomainError("epsilon", one.epsilon.text, "one at which the two variances can be told apart")
    return order is not Ordering.GREATER


@dataclass(frozen=True)
class LongitudinalHashing(TwoRounds, FixedHashing):
    """L-LH (Arcolezi et al., EDBT 2023) given the hash function: L-GRR on the cell of the item. `epsilon` is eps_1.

    Clients may keep round 1 for an item or for its cell.
    """

    permanent: Epsilon
    values_apart = False
    supports = FixedHashing.supports

    def client(self) -> _ItemChain:
        """L-GRR on the cells."""
        return _item_program(self.epsilon, self.permanent, self.g)

    def held(self, item: Item) -> Item:
        """The item's cell."""
        return self.table[self.require_item(item)]

    def _cells(self) -> Any:
        return self.client()


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
        lambda d, g, eps_perm, eps_1, hash: LongitudinalHashing(d, g, eps_1, hash, eps_perm),
        {"d": integer(2), "g": integer(2), "eps_perm": epsilon, "eps_1": epsilon, "hash": integers},
        "two rounds, as L-GRR, on the g cells, of the cell that the hash function gives the item",
        "the cell, given the hash function",
    ),
}
