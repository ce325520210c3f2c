"""How precisely flint computes: the only module that reads or sets it.

Operations on balls take no precision; flint has one for all that follow. Here a block of code says it as an argument:
what is computed in that block, and in what it calls, has so many bits, and nothing that is computed after it.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

from flint import ctx

P = ParamSpec("P")
T = TypeVar("T")


def precision(bits: int) -> AbstractContextManager[object]:
    """Return the context in which balls are computed with so many bits."""
    context: AbstractContextManager[object] = ctx.workprec(bits)
    return context


def current_bits() -> int:
    """Return the bits of the block that is computed: for what becomes a ball there."""
    return int(ctx.prec)


def kept_by_precision(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator of functions of hashable arguments, whose last `most` results are kept, by precision."""

    def keeping(compute: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(maxsize=most)
        def computed(bits: int, *args: P.args, **kwargs: P.kwargs) -> T:
            return compute(*args, **kwargs)

        @wraps(compute)
        def kept(*args: P.args, **kwargs: P.kwargs) -> T:
            return computed(current_bits(), *args, **kwargs)  # type: ignore[arg-type]  # they are hashable

        return kept

    return keeping


def allow_series(length: int) -> int:
    """Return a length of power series, to which flint, which cuts them at a length of its own, does not cut them."""
    ctx.cap = max(ctx.cap, length)
    return length
