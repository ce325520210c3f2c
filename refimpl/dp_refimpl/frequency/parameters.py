"""What all mechanisms on sets of items share: validated parameters and the affine estimator."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass
from typing import Any, Generic, TypeVar

from dp_refimpl.requirements import is_integer, require_bool, require_integer
from dp_spec.vocabulary.budget import Budget, Epsilon
from dp_spec.vocabulary.exceptions import DomainError, MissingError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S, is_zero

H = TypeVar("H", bound=Hashable)
NOT_GIVEN: Any = None
"""What a field is that is left out: the check of the fields fills it in, or refuses it."""


@dataclass(frozen=True)
class ItemParameters(Generic[S]):
    """Parameters of a mechanism on one item: the item domain and the budget of a report.

    Or both in the words of a user, `GRR(d=4, epsilon=1)`. Items: `d` of them, 0..d-1, all sensitive; or `items`, all
    sensitive; or those that are `sensitive` and those that are `nonsensitive`. Budget: an `epsilon` (see `Budget`).
    Raises `DomainError` for what is no domain (see `ItemDomain`) or no budget (see `Budget`), or for both at once.
    """

    domain: ItemDomain = NOT_GIVEN
    budget: Budget[S] = NOT_GIVEN
    _: KW_ONLY
    d: InitVar[int | None] = None
    items: InitVar[Iterable[Item] | None] = None
    sensitive: InitVar[Iterable[Item] | None] = None
    nonsensitive: InitVar[Iterable[Item] | None] = None
    epsilon: InitVar[Epsilon | None] = None

    def __post_init__(
        self,
        d: int | None,
        items: Iterable[Item] | None,
        sensitive: Iterable[Item] | None,
        nonsensitive: Iterable[Item] | None,
        epsilon: Epsilon | None,
    ) -> None:
        if self.budget is NOT_GIVEN and epsilon is None:
            raise MissingError("epsilon", "give epsilon=1, or a budget")
        if self.budget is not NOT_GIVEN and epsilon is not None:
            raise DomainError("epsilon", epsilon, "none beside a budget")
        words = {"d": d, "items": items, "sensitive": sensitive, "nonsensitive": nonsensitive}
        object.__setattr__(self, "domain", _domain(self.domain, words))
        if epsilon is not None:
            object.__setattr__(self, "budget", Budget.of(epsilon))
        self._require_fields()

    def _require_fields(self) -> None:
        """Fill in the fields that are not given, and raise `DomainError` for those that are wrong."""
        if not isinstance(self.domain, ItemDomain):
            raise DomainError("domain", self.domain, "an ItemDomain; or by name: d=4, epsilon=1")
        if not isinstance(self.budget, Budget):
            raise DomainError("budget", self.budget, "a Budget")
        if not self.domain.sensitive:
            raise DomainError("domain.sensitive", self.domain.sensitive, "at least one sensitive item")

    @property
    def one(self) -> S:
        """The number 1 of the field of the budget."""
        return self.budget.root * 0 + 1

    @property
    def inputs(self) -> tuple[Any, ...]:
        """What a user can hold."""
        return self.domain.items

    def require_item(self, item: Item) -> None:
        """Raise `DomainError` unless the item is in the domain."""
        if item not in self.domain.items:
            raise DomainError("item", item, f"an item of {self.domain.items}")


@dataclass(frozen=True)
class SetParameters(ItemParameters[S]):
    """Parameters of a mechanism on sets: every user holds exactly m items, 1 <= m <= d.

    `any_size=True` runs the same program on sets of other sizes (non-empty where one item is drawn), which is what
    source 002, Definition 3 quantifies over. Raises `DomainError` for m outside 1..d.
    """

    m: int = 0
    any_size: bool = False

    def _require_fields(self) -> None:
        super()._require_fields()
        d = len(self.domain.items)
        require_integer("m", self.m, 1, d, note=" (the size of the item domain)")
        require_bool("any_size", self.any_size)

    @property
    def inputs(self) -> tuple[frozenset[Item], ...]:
        """What a user can hold: the sets of m items; with `any_size` all that are not empty."""
        return self.domain.subsets(range(1, len(self.domain.items) + 1) if self.any_size else [self.m])

    def require_accepted(self, items: frozenset[Item]) -> None:
        """Raise `DomainError` unless this is a set the mechanism accepts."""
        self.domain.require_subset(items)
        if not self.any_size and len(items) != self.m:
            raise DomainError("items", items, f"a set of exactly m = {self.m} items")

    def require_set(self, items: frozenset[Item]) -> tuple[Item, ...]:
        """The items of a user's set in domain order; raises `DomainError` unless the mechanism accepts the set."""
        self.require_accepted(items)
        return tuple([x for x in self.domain.items if x in items])


def _domain(domain: ItemDomain | None, words: Mapping[str, Any]) -> ItemDomain:
    """The items, said in one way."""
    options = {name: value for name, value in words.items() if value is not None}
    ways = [name for name in options if name != "nonsensitive"]
    if domain is None and not ways:
        raise MissingError("items", "give d=4, or items=[...], or sensitive=[...] and nonsensitive=[...]")
    if (domain is not None) + len(ways) > 1 or ("nonsensitive" in options and ways != ["sensitive"]):
        raise DomainError("items", sorted(options), "one of d, items, or sensitive and nonsensitive, or a domain")
    if domain is not None:
        return domain
    if "d" in options:
        require_integer("d", options["d"], 0)
        return ItemDomain.of_sizes(options["d"])
    for name, listed in options.items():
        if isinstance(listed, str) or not isinstance(listed, Iterable):
            raise DomainError(name, listed, "a list of items")
    return ItemDomain(tuple(options[ways[0]]), tuple(options.get("nonsensitive", ())))


def require_bits(bits: object, length: int) -> None:
    """Raise `DomainError` unless this is a sequence of `length` integers 0 or 1 (no booleans, no floats)."""
    if not isinstance(bits, Sequence) or len(bits) != length:
        raise DomainError("reports", bits, f"vectors of {length} bits")
    if any(not is_integer(bit, 0, 1) for bit in bits):
        raise DomainError("reports", bits, "bits 0 and 1")


def ordered(values: Iterable[H], order: Sequence[H]) -> tuple[H, ...]:
    """Values with repetitions as a canonical multiset: a tuple in the given order."""
    counts = Counter(values)
    return tuple(x for x in order for _ in range(counts[x]))


def protected_estimates(
    domain: ItemDomain, count: Callable[[Item], int], users: int, sensitive: tuple[S, S], kept: S, scale: int = 1
) -> dict[Item, S]:
    """scale (F_x / n - q) / (p - q) for the sensitive items, scale F_x / (n `kept`) for the others.

    `count`: F_x; `sensitive`: q and p - q. Raises `DomainError` as `affine_estimate`.
    """
    others = (kept * 0, kept)
    return {
        x: affine_estimate(count(x), users, *(sensitive if x in domain.sensitive else others), scale)
        for x in domain.items
    }


def affine_estimate(count: int, users: int, offset: S, slope: S, scale: int = 1) -> S:
    """scale * (count / users - offset) / slope. Raises `DomainError` without users or for slope 0 (epsilon = 0)."""
    if users < 1:
        raise DomainError("reports", users, "at least one report")
    if is_zero(slope):
        raise DomainError("budget", slope, "epsilon > 0: at epsilon = 0 the reports carry no information")
    return (scale * (slope * 0 + count) / users - scale * offset) / slope
