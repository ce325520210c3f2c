"""Shuffled mechanisms on a few users, for `dp-refimpl profile`: exact laws, and what writing them out takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial
from typing import Any, Literal, get_args

from flint import fmpq

from dp_refimpl.frequency.hash_families import AllFunctions
from dp_refimpl.requirements import fraction_of
from dp_refimpl.shuffle.aue import AUE
from dp_refimpl.shuffle.blanket import SH
from dp_refimpl.shuffle.channel import ShuffledLaws, multinomial_law, shuffled_laws
from dp_refimpl.shuffle.dummies import Binomial, Constant, DummyCount
from dp_refimpl.shuffle.dump import MixDUMP, PureDUMP
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP, HashModel
from dp_spec.vocabulary.budget import rational_budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain

Mechanism = Literal["krr", "olh", "dump", "mixdump", "odhp", "aue"]
MECHANISMS: tuple[Mechanism, ...] = get_args(Mechanism)
OF_BUDGET = ("krr", "olh", "mixdump", "odhp")
WITH_DUMMIES = ("dump", "mixdump", "odhp")
"""Those of whose users each may send dummies."""
HASHES: tuple[HashModel, ...] = get_args(HashModel)
MOST = 50_000_000
"""Users times histograms of pairs of neighboring data sets (numbers grow with the users): about a minute."""
MOST_FUNCTIONS = 10_000


@dataclass(frozen=True)
class FewUsers:
    """A mechanism, items, users; what it needs of a budget, labels, a chance; dummies of all and of each user.

    `each` dummies of a user, or, with `sent`, the number of so many that are sent with this probability each; `hashes`
    of OD-HP (None: fresh); `labels` of local hashing (None: 2). Raises `DomainError` for numbers out of range, options
    that are missing or of another mechanism, irrational chances, and where the pairs of neighboring data sets are too
    many; `NotExactError` for an irrational e^epsilon0.
    """

    mechanism: Mechanism
    items: int
    users: int
    epsilon0: str | None = None
    labels: int | None = None
    chance: str | None = None
    dummies: int = 0
    each: int = 0
    sent: str | None = None
    hashes: HashModel | None = None

    def __post_init__(self) -> None:
        numbers = (("k", 2), ("n", 1), ("labels", 2), ("dummies", 0), ("each", 0))
        if self.labels is not None and self.mechanism not in ("olh", "odhp"):
            raise DomainError("--labels", self.labels, "nothing: it is of olh and odhp alone")
        for (name, least), number in zip(numbers, self._numbers, strict=True):
            if not least <= number <= 1000:
                raise DomainError(f"--{name}", number, f"an integer from {least} to 1000")
        for name, value, of in (("epsilon0", self.epsilon0, OF_BUDGET), ("chance", self.chance, ("aue",))):
            if value is None and self.mechanism in of:
                raise DomainError(f"--{name}", value, f"a number, which {self.mechanism} needs")
            if value is not None and self.mechanism not in of:
                raise DomainError(f"--{name}", value, f"nothing: it is of {', '.join(of)} alone")
        if self.each and self.mechanism not in WITH_DUMMIES:
            raise DomainError("--each", self.each, f"0, but for {', '.join(WITH_DUMMIES)}")
        if self.sent is not None and not self.each:
            raise DomainError("--sent", self.sent, "given with --each alone")
        if self.hashes is not None and self.mechanism != "odhp":
            raise DomainError("--hashes", self.hashes, "given for odhp alone")
        if self.mechanism == "odhp" and self.dummies:
            raise DomainError("--dummies", self.dummies, "0 for odhp, whose users send them (--each)")
        if self.hashes == "nohash" and self.labels is not None:
            raise DomainError("--labels", self.labels, "nothing: with --hashes nohash messages are items")
        for name, number in (("k", self.items), ("labels", self._labels)):
            if self.hashes == "sharedsmall" and number != 2:
                raise DomainError(f"--{name}", number, "2: the four functions are from two items to two labels")
        self._require_feasible()

    @property
    def laws(self) -> ShuffledLaws[fmpq]:
        """The laws of all data sets."""
        domain = ItemDomain(tuple(range(self.items)))
        made = self._randomizer(domain)
        cells: Mapping[Any, fmpq] = {x: fmpq(1, self.items) for x in domain.items}
        if self.mechanism == "olh":
            drawn = made.family.law().items()
            cells = {(h, y): weight / self._labels for h, weight in drawn for y in range(self._labels)}
        unit = made.unit if isinstance(made, ODHP) else "message"
        return shuffled_laws(made, self.users, unit, multinomial_law(self.dummies, cells))

    def _randomizer(self, domain: ItemDomain) -> Any:
        each = self._each
        if self.mechanism == "dump":
            return PureDUMP(domain, each)
        if self.mechanism == "aue":
            return AUE(domain, _chance("--chance", self.chance))
        budget = rational_budget(self.epsilon0 or "0")
        if self.mechanism == "krr":
            return SH.of_budget(domain, budget)
        if self.mechanism == "mixdump":
            return MixDUMP(domain, budget, each)
        family = AllFunctions(domain.items, self._labels)
        if self.mechanism == "olh":
            return SOLH(domain, budget, family)
        hashes = self.hashes or "fresh"
        return ODHP(domain, budget, each, None if hashes == "nohash" else family, hashes)

    @cached_property
    def _each(self) -> DummyCount:
        return Constant(self.each) if self.sent is None else Binomial(self.each, _chance("--sent", self.sent))

    @property
    def _numbers(self) -> tuple[int, ...]:
        return self.items, self.users, self._labels, self.dummies, self.each

    @property
    def _labels(self) -> int:
        return 2 if self.labels is None else self.labels

    @property
    def _hashed(self) -> bool:
        return self.mechanism == "olh" or (self.mechanism == "odhp" and self.hashes != "nohash")

    def cost(self, users: int) -> int:
        """Users times histograms of pairs of data sets: compositions, of items that may change names unless functions
        are drawn."""
        k, labels = self.items, self._labels
        varies = self.each > 0 and self.sent is not None
        kinds, messages = (labels ** (k + 1) if self._hashed else k) + varies, users * (self.each + 1) + self.dummies
        if self._hashed and self.hashes == "shared":  # what a user sends: a function, and how often each label
            kinds, messages = labels**k * comb(self.each + labels + varies, labels - 1 + varies), users
        histograms = comb(messages + kinds - 1, kinds - 1) if self.mechanism != "aue" or self.dummies else 1
        if self.mechanism == "aue":
            histograms *= (users + 1) ** k
        pairs = comb(users + k - 2, k - 1) * k * (k - 1)
        return users * histograms * (pairs if self._hashed else -(-pairs // factorial(k)))

    def _require_feasible(self) -> None:
        """Raise `DomainError` that names the largest n, where there are too many pairs."""
        if self.items > 64 or (self._hashed and self._labels**self.items > MOST_FUNCTIONS):
            raise DomainError("--k", self.items, "fewer items: there are too many messages")
        if self.cost(self.users) > MOST:
            few = next(i for i in range(self.users - 1, -1, -1) if not i or self.cost(i) <= MOST)
            allowed = f"at most {few} users: all neighboring data sets are looked at" if few else "none"
            raise DomainError("--n", self.users, allowed)


def _chance(name: str, text: str | None) -> fmpq:
    number = fraction_of(text)
    if number is None or not 0 <= number <= 1:
        raise DomainError(name, text, "a number in [0, 1], as 1/4")
    return fmpq(number.numerator, number.denominator)
