"""Array programs on coins: their choices are those of coins, so that enumeration gives their law, to rounding."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from flint import arb, fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.fast.synthesis.selection import ArraySelection

ROUNDING = 2.0**-30
"""Scores differ by 2^-40 at most, times at most epsilon / (2 Delta) < 2^6; a handful of factors each."""


def noise(scale: float, shape: tuple[int, ...]) -> Any:
    """Noise that is no draw: some numbers of both signs times the scale."""
    numbers = np.arange(1, np.prod(shape) + 1, dtype=np.float64).reshape(shape)
    return scale * np.sin(7 * numbers)


@dataclass(frozen=True)
class Branches:
    """A selection and a generator in one; Laplace noise is `noise`."""

    coins: Coins
    selection: ArraySelection

    def integers(self, bound: int) -> int:
        return self.coins.choose([fmpq(1, bound)] * bound)

    def laplace(self, center: float, scale: float, shape: Any) -> Any:
        return center + noise(scale, shape)

    def split(self, parts: int) -> "Branches":
        return replace(self, selection=self.selection.split(parts))

    def choose(self, scores: Any, sensitivity: float, generator: Any) -> int:
        law = self.selection.law(scores, sensitivity).tolist()
        return self.coins.choose([arb(p, ROUNDING) if p else arb(0) for p in law])


def unequal(law: dict[Any, Any], other: dict[Any, Any]) -> list[Any]:
    """Outcomes whose probabilities differ by more than rounding."""
    outcomes = law.keys() | other.keys()
    return [x for x in outcomes if abs(float(law.get(x, arb(0)).mid()) - float(other.get(x, arb(0)).mid())) > ROUNDING]
