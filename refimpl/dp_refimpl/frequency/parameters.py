"""What all mechanisms on sets of items share: validated parameters and the affine estimator."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypedDict, TypeVar, Unpack

from dp_spec.vocabulary.budget import Budget, Epsilon
from dp_spec.vocabulary.exceptions import DomainError, MissingError
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S, is_zero

H = TypeVar("H", bound=Hashable)


class Given(TypedDict, total=False):
    """The domain and the budget of a mechanism in the words of a user: `GRR(d=4, epsilon=1)`.

    Items: `d` of them, 0..d-1, all sensitive; or `items`, all sensitive; or those that are `sensitive` and those that
    are `nonsensitive`. Budget: an `epsilon` (see `Budget`).
    """

    d: int
    items: Iterable[Item]
    sensitive: Iterable[Item]
    nonsensitive: Iterable[Item]
    epsilon: Epsilon


@dataclass(frozen=True, init=False)
class ItemParameters(Generic[S]):
    """Parameters of a mechanism on one item: the item domain and the budget of a report, or what is `Given`.

    Raises `DomainError` for what is no domain (see `ItemDomain`) or no budget (see `Budget`), or for both at once.
    """

    domain: ItemDomain
    budget: Budget[S]

    def __init__(
        self, domain: ItemDomain | None = None, budget: Budget[S] | None = None, **given: Unpack[Given]
    ) -> None:
        self._assign(domain, budget, given)

    def _assign(self, domain: ItemDomain | None, budget: Budget[S] | None, given: Given, **own: Any) -> None:
        """Set all fields of a new object, and check them."""
        if unknown := sorted(given.keys() - Given.__annotations__.keys()):
            raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument {unknown[0]!r}")
        if budget is None and "epsilon" not in given:
            raise MissingError("epsilon", "give epsilon=1, or a budget")
        if budget is not None and "epsilon" in given:
            raise DomainError("epsilon", given["epsilon"], "none beside a budget")
        own |= {
            "domain": _domain(domain, given),
            "budget": Budget.of(given["epsilon"]) if budget is None else budget,
        }
        for name, value in own.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def __post_init__(self) -> None:
        if not isinstance(self.domain, ItemDomain):
            raise DomainError("domain", self.domain, "an ItemDomain")
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


@dataclass(frozen=True, init=False)
class SetParameters(ItemParameters[S]):
    """Parameters of a mechanism on sets: every user holds exactly m items, 1 <= m <= d.

    `any_size=True` runs the same program on sets of other sizes (non-empty where one item is drawn), which is what
    source 002, Definition 3 quantifies over. Raises `DomainError` for m outside 1..d.
    """

    m: int
    any_size: bool = False

    def __init__(
        self,
        domain: ItemDomain | None = None,
        budget: Budget[S] | None = None,
        m: int = 0,
        any_size: bool = False,
        **given: Unpack[Given],
    ) -> None:
        self._assign(domain, budget, given, m=m, any_size=any_size)

    def __post_init__(self) -> None:
        super().__post_init__()
        d = len(self.domain.items)
        if isinstance(self.m, bool) or not isinstance(self.m, int) or not 1 <= self.m <= d:
            raise DomainError("m", self.m, f"an integer in 1..{d} (the size of the item domain)")
        if not isinstance(self.any_size, bool):
            raise DomainError("any_size", self.any_size, "True or False")

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


def _domain(domain: ItemDomain | None, given: Given) -> ItemDomain:
    """The items, said in one way."""
    said = [name for name in ("d", "items", "sensitive") if name in given]
    if domain is None and not said:
        raise MissingError("items", "give d=4, or items=[...], or sensitive=[...] and nonsensitive=[...]")
    if (domain is not None) + len(said) > 1 or ("nonsensitive" in given and said != ["sensitive"]):
        raise DomainError("items", sorted(given), "one of d, items, or sensitive and nonsensitive, or a domain")
    if domain is not None:
        return domain
    if "d" in given:
        return ItemDomain.of_sizes(given["d"])
    sensitive, others = given.get("sensitive", given.get("items", ())), given.get("nonsensitive", ())
    for name, listed in (("items" if "items" in given else "sensitive", sensitive), ("nonsensitive", others)):
        if isinstance(listed, str) or not isinstance(listed, Iterable):
            raise DomainError(name, listed, "a list of items")
    return ItemDomain(tuple(sensitive), tuple(others))


def require_view(view: str, views: tuple[str, ...]) -> None:
    """Raise `DomainError` for a reading of the report that is not one of `views`."""
    if view not in views:
        raise DomainError("view", view, f"one of {', '.join(views)}")


def require_bits(bits: object, length: int) -> None:
    """Raise `DomainError` unless this is a sequence of `length` integers 0 or 1 (no booleans, no floats)."""
    if not isinstance(bits, Sequence) or len(bits) != length:
        raise DomainError("reports", bits, f"vectors of {length} bits")
    if any(isinstance(bit, bool) or not isinstance(bit, int) or bit not in (0, 1) for bit in bits):
        raise DomainError("reports", bits, "bits 0 and 1")


def ordered(values: Iterable[H], order: Sequence[H]) -> tuple[H, ...]:
    """Values with repetitions as a canonical multiset: a tuple in the given order."""
    counts = Counter(values)
    return tuple(x for x in order for _ in range(counts[x]))


def affine_estimate(count: int, users: int, offset: S, slope: S, scale: int = 1) -> S:
    """scale * (count / users - offset) / slope. Raises `DomainError` without users or for slope 0 (epsilon = 0)."""
    if users < 1:
        raise DomainError("reports", users, "at least one report")
    if is_zero(slope):
        raise DomainError("budget", slope, "epsilon > 0: at epsilon = 0 the reports carry no information")
    return (scale * (slope * 0 + count) / users - scale * offset) / slope
