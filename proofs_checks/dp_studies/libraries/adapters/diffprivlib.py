"""diffprivlib 0.6.6: mechanisms on finite sets and on integers, and two tools, with their defaults."""

from __future__ import annotations

import secrets
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
from diffprivlib import mechanisms, tools  # type: ignore[import-not-found]
from diffprivlib.mechanisms import *  # type: ignore[import-not-found]

DRAWS = 18
"""Most uniform draws of a run that is followed; see `permuted`."""


def pairs(distances: Any) -> Any:
    """The utilities of ExponentialCategorical: the distances of letters."""
    n = range(len(distances))
    return [(chr(97 + x), chr(97 + y), distances[x][y]) for x in n for y in n if x < y]


def letters(node: Any) -> Any:
    """Nested lists of letters."""
    return [letters(child) for child in node] if isinstance(node, list) else chr(97 + node)


def whole(number: Any) -> Any:
    """An integer where it is one."""
    return int(number) if number == int(number) else number


class _EnoughError(Exception):
    """More draws than are followed."""


class _Bounded(secrets.SystemRandom):
    """The generator that the library uses by default, for so many draws."""

    left = DRAWS

    def random(self) -> Any:
        """A uniform draw. Raises `_EnoughError`."""
        self.left -= 1
        if self.left < 0:
            raise _EnoughError
        return super().random()


def permuted(utilities: list[Any], **options: Any) -> Any:
    """The candidate that PermuteAndFlip selects.

    Its loops have no last round, so that a run is followed for at most `DRAWS` uniform draws; one that needs more, with
    a probability below 10^-13 for the published parameters, counts as the best candidate.
    """
    try:
        return mechanisms.PermuteAndFlip(utility=list(utilities), random_state=_Bounded(), **options).randomise()
    except _EnoughError:
        return utilities.index(max(utilities))


def counted(item: int, size: int, epsilon: float) -> Any:
    """count_nonzero on so many records, of which `item` are not zero."""
    return tools.count_nonzero(np.array([1] * item + [0] * (size - item)), epsilon=epsilon)


def binned(item: int, weight: int, epsilon: float) -> int:
    """histogram with one bin of records of that weight, which sum to the item."""
    size = item // weight
    options = {} if weight == 1 else {"weights": np.full(size, weight)}
    counts, _ = tools.histogram(np.full(size, 0.5), epsilon=epsilon, bins=1, range=(0, 1), **options)
    return int(counts[0])


class Balanced(mechanisms.ExponentialHierarchical):  # type: ignore[misc, unused-ignore]
    """Proposed: balanced only if the rows of distances are permutations of each other."""

    def _build_normalising_constant(self, re_eval: bool = False) -> Any:
        values = self._domain_values
        rows = {tuple(sorted(self._get_utility(x, y) for y in values)) for x in values}
        self._balanced_tree = len(rows) == 1
        return super()._build_normalising_constant(re_eval=True)


Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
