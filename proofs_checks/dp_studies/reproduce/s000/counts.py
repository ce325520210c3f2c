"""C_v, how many messages support each item, drawn without drawing messages, and what is estimated from it.

C_v = Binomial(n_v, p) + Binomial(n - n_v, other) + Binomial(|M|, cell): n_v users hold v, a report supports its user's
item with probability p, another one with `other` (1/h with functions, q without), a dummy with `cell` (1/h or 1/k).
With an own uniform function for every message, from all functions, the C_v of all items together are independent: the
labels of other items are independent of the report's. In mixDUMP they are not, as a message supports one item; expected
squared errors depend on the law of each alone, which is all that is drawn.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict

import numpy as np
from flint import arb, arb_series

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.array_counts import Draws
from dp_refimpl.fast.shuffle.messages import exact_chance
from dp_refimpl.frequency.hash_families import AllFunctions
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.dump import MixDUMP
from dp_refimpl.shuffle.hpsdp import SRR
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP
from dp_refimpl.shuffle.protocol_parts import Affine
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.precision import precision
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.s000.data import DataSet
from dp_studies.reproduce.s000.parameter_choices import Choice
from dp_studies.reproduce.squared_errors import bit_cumulants, to_all_moments


class Sums(TypedDict):
    """Of the counts C_v of a run: sum C_v, sum C_v^2, sum C_v n_v."""

    counts: int
    squares: int
    products: int


@dataclass(frozen=True, eq=False)
class Counted:
    """The law of the counts of a setting on a data set, read off the program."""

    data: DataSet
    choice: Choice

    @cached_property
    def program(self) -> SOLH[arb] | SRR[arb] | MixDUMP[arb] | ODHP[arb]:
        """The mechanism, dummies left out: they are drawn for all users together. Two items are enough for its laws,
        as messages with functions do not depend on the number of items."""
        choice, users = self.choice, Constant(0)
        with precision(BITS):
            if choice.algorithm == "mixDUMP":
                return MixDUMP(ItemDomain.of_sizes(choice.labels), Budget.of_root(choice.root), users)
            domain = ItemDomain.of_sizes(2)
            family = AllFunctions(domain.items, choice.labels)
            if choice.algorithm == "HP-SDP":
                return SRR(domain, family, choice.labels / (choice.root + choice.labels - 1))
            if choice.algorithm == "MURS":
                return SOLH(domain, Budget.of_root(choice.root), family)
            return ODHP(domain, Budget.of_root(choice.root), users, family, "fresh")

    @property
    def own(self) -> arb:
        """p."""
        with precision(BITS):
            return self.program.p

    @property
    def changed(self) -> arb:
        """q."""
        with precision(BITS):
            return self.program.q

    @property
    def other(self) -> arb:
        """1/h, or q."""
        return self.cell if self.choice.hashed else self.changed

    @property
    def cell(self) -> arb:
        """1/h, or 1/k."""
        with precision(BITS):
            return arb(1) / self.choice.labels

    @property
    def messages(self) -> int:
        """n + |M|."""
        return self.data.users + self.choice.dummies

    @property
    def estimator(self) -> Affine[arb]:
        """What the program publishes."""
        with precision(BITS):
            return self.program.estimator

    @cached_property
    def line(self) -> tuple[arb, arb]:
        """(a, b): the estimate of an item of n_v users is right where C_v = a + b n_v."""
        made = self.estimator
        with precision(BITS):
            return self.data.users * made.per_user + self.messages * made.per_message, made.slope

    def draw(self, coins: Draws) -> Indices:
        """C_v of every item. Items are drawn together whose n_v have the same length in bits."""
        held, users = self.data.array, self.data.users
        counts = np.zeros(len(held), np.int64)
        for part in _alike(held):
            counts[part] = coins.binomials(held[part], exact_chance(self.own))
            counts[part] += coins.binomials(users - held[part], exact_chance(self.other))
        dummies = np.full(len(held), self.choice.dummies, np.int64)
        return counts + coins.binomials(dummies, exact_chance(self.cell))

    def sums(self, counts: Indices) -> Sums:
        """What errors are computed from."""
        each: list[int] = counts.tolist()
        return {
            "counts": sum(each),
            "squares": sum(c * c for c in each),
            "products": sum(c * n for c, n in zip(each, self.data.held, strict=True)),
        }

    def square(self, sums: Sums) -> arb:
        """The sum of (C_v - a - b n_v)^2."""
        a, b = self.line
        held = self.data.held
        with precision(2 * BITS):
            rest = len(held) * a**2 + 2 * a * b * sum(held) + b**2 * sum(n * n for n in held)
            return sums["squares"] - 2 * a * sums["counts"] - 2 * b * sums["products"] + rest

    @property
    def unit(self) -> arb:
        """The square of an estimate's change with C_v: 1 / (n slope)^2."""
        with precision(BITS):
            return 1 / (self.data.users * self.estimator.slope) ** 2

    def cumulants(self) -> Iterator[tuple[int, int, arb_series]]:
        """(n_v, number of such items, power series of log E exp(t (C_v - a - b n_v))) for all different n_v."""
        own, other, dummy = (bit_cumulants(p) for p in (self.own, self.other, self.cell))
        a, b = self.line
        length = to_all_moments()
        fixed = self.data.users * other + self.choice.dummies * dummy - arb_series([0, a], prec=length)
        each = own - other - arb_series([0, b], prec=length)
        for held, times in zip(*(x.tolist() for x in np.unique(self.data.array, return_counts=True)), strict=True):
            yield held, times, fixed + held * each


def _alike(held: Indices) -> Iterator[Indices]:
    """Positions of items whose numbers have the same length: what they do not share is drawn bit by bit."""
    lengths = np.frexp(held.astype(np.float64))[1]
    for length in np.unique(lengths):
        yield np.flatnonzero(lengths == length)
