"""Outputs that hold undetermined integers, as all that they can be: what one draw decides is counted jointly."""

from __future__ import annotations

import itertools
import math
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

import numpy as np

from ..refusals import Abandoned, UnreadableOutput
from .coins import Coins, Source
from .lazy_integer import LazyInteger, joint_outcomes
from .output_json import described

JOINT = 1 << 12
"""A run of a partial law with more outcomes is not walked."""
_SCALARS = frozenset([int, bool, float, str, bytes, type(None), np.bool_, np.int64, np.float64])
"""Types of what holds no draw."""


class Settled(NamedTuple):
    """A possible output, the number of remaining draws that lead to it, and how many consecutive integers, starting at
    `value`, have as many."""

    value: Any
    draws: int
    alike: int = 1


def settled(value: Any, coins: Coins, source: Source, whole: bool) -> List[Settled]:
    """Return the possible values of an output (if not `whole`: one of them).

    There are several if it is an undetermined integer, or lists and tuples that hold some at any depth. Everything else
    is determined first, by enumeration. Given that, the draws are independent and uniform, so that the values of
    integers made of one draw are counted jointly, and those of different draws are multiplied.
    """
    if type(value) is LazyInteger:
        return [Settled(first, draws, alike) for first, alike, draws in value.runs(whole)]
    integers: List[LazyInteger] = []
    others: List[Any] = []
    try:
        _collect(value, integers, others)
        if not integers:
            return [Settled(value, 1)]
        for other in others:
            described(source, other, coins.limits.output_items)
        return [Settled(_rebuilt(value, iter(each)), draws) for each, draws in _outcomes(integers, coins, whole)]
    except RecursionError:
        raise UnreadableOutput("an output that is nested too deeply") from None


def _collect(value: Any, integers: List[LazyInteger], others: List[Any]) -> None:
    """Collect the undetermined integers of an output from the left, and parts of other types, which may hold some."""
    if type(value) is LazyInteger:
        integers.append(value)
    elif type(value) in (list, tuple):
        if not _SCALARS.issuperset(map(type, value)):
            for part in value:
                _collect(part, integers, others)
    elif type(value) not in _SCALARS:
        others.append(value)


def _outcomes(integers: List[LazyInteger], coins: Coins, whole: bool) -> Iterator[Tuple[List[Any], int]]:
    """Yield the joint values of these integers, each with the number of draws that lead to it."""
    places: Dict[int, List[int]] = {}
    for place, integer in enumerate(integers):
        places.setdefault(id(integer.draw), []).append(place)
    ways = [joint_outcomes([integers[i] for i in same], whole) for same in places.values()]
    total = math.prod(map(len, ways))
    if coins.limits.partial and total > JOINT:
        coins.refuse(Abandoned(f"an output with {total} values"))
    if total > coins.limits.paths:
        coins.refuse_many(total)
    for chosen in itertools.product(*ways):
        values: List[Any] = [None] * len(integers)
        for same, (numbers, _) in zip(places.values(), chosen):
            for i, number in zip(same, numbers):
                values[i] = number
        yield values, math.prod(draws for _, draws in chosen)


def _rebuilt(value: Any, values: Iterator[Any]) -> Any:
    """Return the output with its undetermined integers, from the left, replaced by these values."""
    if type(value) is LazyInteger:
        return next(values)
    if type(value) in (list, tuple) and not _SCALARS.issuperset(map(type, value)):
        return type(value)([_rebuilt(part, values) for part in value])
    return value
