"""OD-HP (Cao, Li 2024), Algorithm 1: a report of local hashing among dummies, in every reading of the source.

Source 000: M4, the hash models and dummy values of its notation, and the estimators that it prints (M5). EM, line 14,
is `em`; the privacy quantities are those of `channel`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal

from flint import fmpq

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.enumeration import MAX_PATHS
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFamily, LabelFunction
from dp_refimpl.frequency.parameters import NOT_GIVEN, ItemParameters
from dp_refimpl.requirements import require_integer, require_word
from dp_refimpl.shuffle.dummies import DummyCount
from dp_refimpl.shuffle.dump import Subtracted, dummies_subtracted, one_report, require_dummies, with_dummies
from dp_refimpl.shuffle.hashed_messages import collision, require_hashed
from dp_refimpl.shuffle.hpsdp import require_family
from dp_refimpl.shuffle.murs import report_law, uniform_messages
from dp_refimpl.shuffle.protocol_parts import Affine, Message, Moments, Multiset, Randomizer, in_field
from dp_refimpl.shuffle.shuffler import Unit
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S, Scalar

HashModel = Literal["nohash", "fresh", "shared", "sharedsmall"]
DummyValue = Literal["unif", "domain"]
Form = Literal["s2", "s2-n", "t2a-outer-g1", "t2a-outer-g2", "t2a-inner-g1", "t2a-inner-g2", "t2b", "t3"]


@dataclass(frozen=True)
class ODHP(ItemParameters[S], Randomizer[S], Generic[S]):
    """The messages of one user and the collector's estimate of Algorithm 1, before EM.

    `hashes`: `nohash` messages are items; `fresh` every message has a function of its own; `shared` the messages of a
    user have one function, and the family is so large that no two users have the same (the collector sees bundles,
    `unit`); `sharedsmall` the same with the four functions from two items to two labels, so that users may agree.
    `value` of a dummy: `unif` a uniform label, `domain` the label of a uniform item. `form`: the printed estimator;
    `s2` takes 1/h off for each message, `s2-n` n/h in all; `t2a` subtracts its constant once (`outer`) or for each
    message (`inner`, which needs `users`), with gamma = h q / (h - 1) (`g1`) or h q (`g2`). `subtracted`: for the
    dummies that were received, or for the expected ones. Raises `DomainError` for a family where there is no hash, none
    where there is one, another family than that of `sharedsmall`, and for words that are none of these.
    """

    dummies: DummyCount = NOT_GIVEN
    family: LabelFamily | None = None
    hashes: HashModel = "shared"
    value: DummyValue = "unif"
    form: Form = "s2"
    subtracted: Subtracted = "realised"
    users: int | None = None

    def _require_fields(self) -> None:
        super()._require_fields()
        require_dummies(self.dummies, self.subtracted)
        for name, words in (("hashes", HashModel), ("value", DummyValue), ("form", Form)):
            require_word(name, getattr(self, name), words)
        if self.users is not None:
            require_integer("users", self.users, 1)
        if self.hashes == "nohash":
            if self.family is not None:
                raise DomainError("family", self.family, "none where there is no hash")
        elif self.hashes == "sharedsmall":
            self._require_small()
        else:
            require_family(self.family, self.domain)

    def _require_small(self) -> None:
        if len(self.domain.items) != 2:
            raise DomainError("domain", self.domain, "two items, for the four functions of `sharedsmall`")
        four = AllFunctions(self.domain.items, 2)
        if self.family is None:
            object.__setattr__(self, "family", four)
        if self.family != four:
            raise DomainError("family", self.family, f"{four}, or None")

    @property
    def h(self) -> int:
        """How many values y has."""
        return len(self.domain.items) if self.family is None else self.family.labels

    @property
    def unit(self) -> Unit:
        """What is permuted, as far as the collector can tell: messages of one user can be told by their function."""
        return "bundle" if self.hashes == "shared" else "message"

    @cached_property
    def p(self) -> S:
        """Probability that the report is the own value: E / (E + h - 1)."""
        return self._labels.p

    @cached_property
    def q(self) -> S:
        """Probability that the report is a given other value: 1 / (E + h - 1)."""
        return self._labels.q

    @property
    def gamma(self) -> S:
        """The chance to randomize of M2: h q."""
        return self.h * self.q

    def messages(self, item: Item, coins: Coins) -> tuple[Message, ...]:
        """The report, then the dummies: lines 2 to 4."""
        self.require_item(item)
        if self.family is None:
            report = self.domain.items[self._perturbed(self.domain.items.index(item), coins)]
            return (report, *[self._value(coins) for _ in range(self.dummies.draw(coins, self.one))])
        h = self.family.draw(coins, self.one)
        sent = [(h, self._perturbed(h(item), coins))]
        for _ in range(self.dummies.draw(coins, self.one)):
            carried = h if self.hashes != "fresh" else self.family.draw(coins, self.one)
            sent.append((carried, self._label(carried, coins)))
        return tuple(sent)

    def supports(self, message: Message, item: Item) -> bool:
        """I{x = y}: H(item) = y, or the message is the item."""
        if self.family is None:
            return message == item
        assert isinstance(message, tuple)
        return bool(message[0](item) == message[1])

    def require_message(self, message: Message) -> None:
        """Raise `DomainError` for what is no message of this randomizer."""
        if self.family is None:
            super().require_message(message)
        else:
            require_hashed(message, self.family)

    def bundle_law(self, item: Item, max_paths: int = MAX_PATHS) -> dict[Multiset, S]:
        """The exact law of a user's messages, by compositions. Raises `DomainError` for infinitely many dummies."""
        self.require_item(item)
        if self.family is None:
            report: dict[Message, S] = {x: self.p if x == item else self.q for x in self.domain.items}
            cells: dict[Message, S] = dict.fromkeys(self.domain.items, self.one / self.h)
            return with_dummies(report, cells, self.dummies, self.one)
        if self.hashes == "fresh":
            drawn = report_law(self.family, item, self.p, self.q, self.one)
            return with_dummies(drawn, self._dummy_law(self.family), self.dummies, self.one)
        law: dict[Multiset, S] = {}
        for h, weight in self.family.law().items():
            share: Any = in_field(weight, self.one)
            own: dict[Message, S] = {(h, y): self.p if y == h(item) else self.q for y in range(self.h)}
            other: dict[Message, S] = {(h, y): c for y, c in enumerate(self._cells(h))}
            for bundle, chance in with_dummies(own, other, self.dummies, self.one).items():
                law[bundle] = law[bundle] + share * chance if bundle in law else share * chance
        return law

    @property
    def estimator(self) -> Affine[S]:
        """The printed estimator `form`. Raises `DomainError` for an inner constant without `users`."""
        cell = self.one / self.h
        if self.form == "s2-n":
            return Affine(cell, self.one * 0, self.p - cell)
        offset, slope = {
            "s2": lambda: (cell, self.p - cell),
            "t2b": lambda: (self.q, 1 - 2 * self.q),
            "t3": lambda: (self.q, self.p - self.q),
        }.get(self.form, self._first_form)()
        if self.form.startswith("t2a-inner"):
            return self._inner(offset, cell, slope)
        return dummies_subtracted(offset, cell, slope, self.dummies, self.subtracted)

    def contribution(self, held: Item, item: Item) -> Moments[S]:
        """Exact moments of one user's part, over the draw of functions, too.

        For dummies `domain` with one function for all messages of a user these are computed from the law of the family.
        """
        if self.family is None:
            return one_report(self.p if held == item else self.q, self.one / self.h, self.estimator, self.dummies)
        kappa: Any = in_field(collision(self.family, held, item), self.one)
        chance = self.q + (self.p - self.q) * kappa
        if self.value == "unif":
            return one_report(chance, self.one / self.h, self.estimator, self.dummies)
        if self.hashes == "fresh":
            shared = sum((collision(self.family, x, item) for x in self.domain.items), fmpq(0))
            cell: Any = in_field(shared / len(self.domain.items), self.one)
            return one_report(chance, cell, self.estimator, self.dummies)
        return self._mixed(self.family, held, item)

    @cached_property
    def _labels(self) -> GRR[S]:
        return GRR(ItemDomain.of_sizes(self.h), self.budget)

    def _perturbed(self, label: int, coins: Coins) -> int:
        return self._labels.randomize(label, coins)  # type: ignore[return-value]

    def _value(self, coins: Coins) -> Item:
        """A dummy without a hash: a uniform label is a uniform item."""
        return uniform(coins, self.domain.items, self.one)

    def _label(self, h: LabelFunction, coins: Coins) -> int:
        if self.value == "domain":
            return h(uniform(coins, self.domain.items, self.one))
        return uniform(coins, range(self.h), self.one)

    def _cells(self, h: LabelFunction) -> list[S]:
        """The law of a dummy's label under a function."""
        if self.value == "unif":
            return [self.one / self.h] * self.h
        held = [h(x) for x in self.domain.items]
        return [self.one * held.count(y) / len(held) for y in range(self.h)]

    def _dummy_law(self, family: LabelFamily) -> dict[Message, S]:
        if self.value == "unif":
            return uniform_messages(family, self.one)
        law: dict[Message, S] = {}
        for h, weight in family.law().items():
            share: Any = in_field(weight, self.one)
            law |= {(h, y): share * c for y, c in enumerate(self._cells(h))}
        return law

    def _mixed(self, family: LabelFamily, held: Item, item: Item) -> Moments[S]:
        """Given the function all messages are independent; mean and variance over its draw."""
        mean, square, inner = self.one * 0, self.one * 0, self.one * 0
        for h, weight in family.law().items():
            share: Any = in_field(weight, self.one)
            chance = self.p if h(held) == h(item) else self.q
            moments = one_report(chance, self._cells(h)[h(item)], self.estimator, self.dummies)
            mean, square = mean + share * moments.mean, square + share * moments.mean**2
            inner = inner + share * moments.variance
        return Moments(mean, inner + square - mean**2)

    def _first_form(self) -> tuple[S, S]:
        """The constant gamma (1 - 1/h) for each user of T2a, and its slope 1 - 2 gamma (1 - 1/h)."""
        if self.form.endswith("g1") and self.h < 2:
            raise DomainError("h", self.h, "at least 2: gamma = h q / (h - 1)")
        gamma = self.h * self.q / (self.h - 1) if self.form.endswith("g1") else self.gamma
        constant = gamma * (self.h - 1) / self.h
        return constant, 1 - 2 * constant

    def _inner(self, constant: S, cell: S, slope: S) -> Affine[S]:
        """n gamma (1 - 1/h) taken off for every message, and n m / h once (with the expected m)."""
        if self.users is None:
            raise DomainError("users", None, "the number of users, which the inner constant n gamma (1 - 1/h) contains")
        mean: Any = in_field(self.dummies.mean, self.one)
        return Affine(mean * cell, self.users * constant, slope)


def unit(number: S) -> Scalar:
    """The 1 of a number's field."""
    return number * 0 + 1


@dataclass(frozen=True)
class Revealed:
    """OD-HP without its randomized response: reports that are the hash values themselves, among dummies; every message
    has a function of its own."""

    family: Any
    dummies: int
    one: Any

    def messages(self, item: int, coins: Coins) -> tuple[Any, ...]:
        """The report, then the dummies."""
        functions = [self.family.draw(coins, self.one) for _ in range(self.dummies + 1)]
        first, *others = functions
        return (first, first(item)), *((h, uniform(coins, range(h.labels), self.one)) for h in others)
