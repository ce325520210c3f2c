"""Padding and sampling: sets of other sizes brought to exactly m items (source 002, 3.3; reference [29])."""

from collections.abc import Sequence
from typing import Literal

from dp_refimpl.coins import Coins, uniform_subset
from dp_refimpl.requirements import require_word
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import is_integer
from dp_spec.vocabulary.items import Item, ItemDomain
from dp_spec.vocabulary.scalar import S

Fake = Literal["sensitive", "nonsensitive", "existing"]


def padded_domain(domain: ItemDomain, fakes: Sequence[Item], kind: Fake) -> ItemDomain:
    """The domain on which the set mechanism runs after padding: fakes join X_sen or X_non; `existing` adds none.

    Raises `DomainError` for another kind, if a fake is already in the domain, or if fakes are given for `existing`.
    """
    require_word("kind", kind, Fake)
    if kind == "existing":
        if fakes:
            raise DomainError("fakes", fakes, "no new items for kind 'existing'")
        return domain
    if kind == "sensitive":
        return ItemDomain(domain.sensitive + tuple(fakes), domain.nonsensitive)
    return ItemDomain(domain.sensitive, domain.nonsensitive + tuple(fakes))


def pad_and_sample(
    items: frozenset[Item], m: int, domain: ItemDomain, fakes: Sequence[Item], coins: Coins, one: S
) -> frozenset[Item]:
    """A set of exactly m items: longer sets lose items drawn uniformly without replacement, shorter ones gain fakes.

    Fakes are taken in order from `fakes`; without any (kind `existing`) they are drawn uniformly from X minus the set.
    Raises `DomainError` for unknown items, too few fakes, or fakes that are items of the domain or repeated.
    """
    domain.require_subset(items)
    if not is_integer(m, 1, None if fakes else len(domain.items)):
        raise DomainError("m", m, "an integer >= 1 (without fakes: at most d)")
    if len({*domain.items, *fakes}) != len(domain.items) + len(fakes):
        raise DomainError("fakes", fakes, "different items outside the domain")
    held = tuple(x for x in domain.items if x in items)
    if len(held) >= m:
        return frozenset(uniform_subset(coins, held, m, one)) if len(held) > m else items
    missing = m - len(held)
    if fakes:
        if len(fakes) < missing:
            raise DomainError("fakes", fakes, f"at least {missing} fake items")
        return items | frozenset(fakes[:missing])
    rest = [x for x in domain.items if x not in items]
    return items | frozenset(uniform_subset(coins, rest, missing, one))
