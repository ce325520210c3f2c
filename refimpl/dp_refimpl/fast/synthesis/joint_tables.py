"""Noisy joint tables of a network on arrays (source 003, Algorithm 5 and (12); PrivBayes' NoisyConditionals).

A table has an axis for the attribute and one for each parent, in their order. Counts get noise of scale
2 / (epsilon_3 omega_j): n times the one of (12), which is that of frequencies.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np
from flint import arb

from dp_refimpl.fast.synthesis.record_arrays import ArrayTable, Floats
from dp_refimpl.fast.synthesis.score_arrays import entropies
from dp_refimpl.matrix.noise import require_epsilon
from dp_refimpl.requirements import require_word
from dp_refimpl.synthesis.information import require_records
from dp_refimpl.synthesis.network import Network
from dp_refimpl.synthesis.noisy_tables import Base, noise_scales
from dp_spec.vocabulary.budget import Epsilon
from dp_spec.vocabulary.exceptions import DomainError

Law = Literal["laplace", "geometric"]
"""Laplace noise as printed, or the two-sided geometric one of `noisy_tables.RangeGeometric`, clamped to 0..n."""
Weights = Base | Literal["equal"] | Mapping[int, float]
"""e^(-OE) of the data with log n of the values or the records (11), equal weights, or given ones of the attributes."""


class ArrayJointNoise(Protocol):
    """Noise that is added to the counts of joint tables."""

    def noisy(self, table: ArrayTable, pairs: Network, generator: np.random.Generator) -> tuple[Floats, ...]:
        """The noisy joint tables of the pairs of a network that get noise."""
        ...


@dataclass(frozen=True)
class WeightedNoise:
    """Noise of the whole epsilon_3 in shares of the weights; the last bits of a float show where it comes from.

    Raises `DomainError` unless epsilon > 0, and for unknown weights or laws.
    """

    epsilon: Epsilon
    weights: Weights = "values"
    law: Law = "laplace"

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)
        if not isinstance(self.weights, Mapping) and self.weights not in (*get_args(Base), "equal"):
            raise DomainError("weights", self.weights, "values, records, equal, or a weight for each attribute")
        require_word("law", self.law, Law)

    def scales(self, table: ArrayTable, pairs: Network) -> Floats:
        """n b_j, the scales of the noise of counts. Raises `DomainError` for an attribute without a weight > 0."""
        n, weights = require_records(table.n), [arb(self._weight(table, x)) for x, _ in pairs]
        return np.array([n * float(b) for b in noise_scales(n, arb(require_epsilon(self.epsilon)), weights)])

    def noisy(self, table: ArrayTable, pairs: Network, generator: np.random.Generator) -> tuple[Floats, ...]:
        """The noisy joint tables. Raises as `scales`."""
        scales = self.scales(table, pairs).tolist()
        counts = [table.joint((x, *parents)) for x, parents in pairs]
        if self.law == "laplace":
            return tuple(c + generator.laplace(0.0, b, c.shape) for c, b in zip(counts, scales, strict=True))
        noisy = (c + _two_sided(b, c.shape, generator) for c, b in zip(counts, scales, strict=True))
        return tuple(np.clip(cells, 0.0, table.n) for cells in noisy)

    def _weight(self, table: ArrayTable, x: int) -> float:
        if self.weights == "equal":
            return 1.0
        if isinstance(self.weights, Mapping):
            weight = self.weights.get(x)
            if not isinstance(weight, float | int) or not 0 < weight < np.inf:
                raise DomainError("weights", weight, f"a weight > 0 for attribute {x}, finite")
            return float(weight)
        m = table.sizes[x] if self.weights == "values" else table.n
        if m == 1:
            raise DomainError("weights", self.weights, "at least 2: the logarithm of 1 is no divisor")
        return float(np.exp(-entropies(table.joint((x,))) / np.log(m)))


@dataclass(frozen=True)
class NoJointNoise:
    """No noise, as in NoPrivacy."""

    def noisy(self, table: ArrayTable, pairs: Network, generator: np.random.Generator) -> tuple[Floats, ...]:
        """The counts."""
        return tuple(table.joint((x, *parents)).astype(np.float64) for x, parents in pairs)


def _two_sided(scale: float, shape: tuple[int, ...], generator: np.random.Generator) -> Floats:
    """P[z] = (1 - alpha) / (1 + alpha) alpha^|z| with alpha = e^(-1 / scale): a difference of two geometric numbers.

    These are the integer parts of exponential variables.
    """
    up, down = (np.floor(generator.exponential(scale, shape)) for _ in range(2))
    return up - down
