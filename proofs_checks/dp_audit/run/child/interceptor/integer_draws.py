"""Integers as they are drawn: undetermined, unless they are conditioned on or have to be integers at once."""

from __future__ import annotations

import itertools
from typing import Any, Optional, Sequence

from .coins import Coins, Source
from .integer_intervals import IntegerCell
from .intervals import Drawn
from .lazy_integer import LazyInteger
from .lazy_integer_state import SEED_OUTCOMES


def lazy_integer(source: Source, coins: Coins, size: int, cast: Optional[type] = None, low: int = 0) -> Any:
    """A uniform integer low .. low + size - 1 that nothing is known of yet, unless it is conditioned on."""
    given = coins.given(size)
    if given is None and (size == 1 or not coins.limits.lazy):
        given = coins.uniform(size)
    if given is not None:
        value = low + given
        return value if cast is None else cast(value)
    return LazyInteger(IntegerCell(source, coins, size), cast, shift=low)


def lazy_member(source: Source, coins: Coins, members: Sequence[Any], cast: Optional[type] = None) -> Any:
    """One of the members, uniformly; of integers one that nothing is known of yet. Its type is then `cast`."""
    if _may_be_lazy(coins, members):
        return LazyInteger(IntegerCell(source, coins, len(members), sorted(members)), cast)
    member = members[coins.integer(len(members))]
    return member if cast is None else cast(member)


def weighted_member(
    source: Source, coins: Coins, members: Sequence[Any], weights: Sequence[int], cast: Optional[type] = None
) -> Any:
    """One of the members, with probability weight / sum of weights; else as `lazy_member`."""
    if _may_be_lazy(coins, members) and sum(map(bool, weights)) > 1:
        pairs = sorted((member, weight) for member, weight in zip(members, weights) if weight)
        ends = list(itertools.accumulate(weight for _, weight in pairs))
        return LazyInteger(IntegerCell(source, coins, ends[-1], [member for member, _ in pairs], ends), cast)
    member = members[coins.choose(weights)]
    return member if cast is None else cast(member)


def _may_be_lazy(coins: Coins, members: Sequence[Any]) -> bool:
    """Whether these are several integers, and a draw of one may be undetermined."""
    return coins.limits.lazy and len(members) > 1 and not coins.limits.conditioned and set(map(type, members)) == {int}


def is_entropy(source: Source, seed: Any) -> bool:
    """Whether a seed is a draw that nothing else depends on: its generator is then as good as an unseeded one."""
    if not isinstance(seed, Drawn) or not seed.spent():
        return False
    source.coins.note(
        f"a generator seeded with a draw among at least 2^{SEED_OUTCOMES.bit_length() - 1}: as an unseeded one"
    )
    return True
