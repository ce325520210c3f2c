"""Privelet in its original, weighted form (source 001, [4]: Xiao, Wang, Gehrke 2010)."""

from dataclasses import dataclass

from flint import fmpq

from dp_refimpl.matrix.haar import HaarTree
from dp_refimpl.matrix.parameters import Neighbors, Scale, require_kind


@dataclass(frozen=True)
class WeightedPrivelet(HaarTree):
    """Base coefficient g_0 (the mean) and g_x (half the difference of the averages), with weights N and 2^t.

    A coefficient g has noise of scale lambda / W(g). It is restored by adding and subtracting them.
    """

    @property
    def divided(self) -> bool:
        """True: g = c / 2^t."""
        return True

    @property
    def weights(self) -> list[int]:
        """W(g_0) = N, W(g_x) = 2^t for a node of height t."""
        return [2**t for t in self.heights]

    def scale(self, neighbors: Neighbors) -> fmpq:
        """lambda, of weight 1: rho = 1 + h (`addremove`), and 2 rho (`replace`), as [4] has it."""
        require_kind("neighbors", neighbors, Neighbors)
        return fmpq((1 if neighbors is Neighbors.ADD_REMOVE else 2) * (self.height + 1))

    def scale_runs(self, neighbors: Neighbors) -> list[tuple[int, Scale]]:
        """lambda / W(g)."""
        return [(count, self.scale(neighbors) / 2**t) for count, t in self.height_runs]

    def spreads(self) -> list[fmpq]:
        """1 / W(g)^2."""
        return [fmpq(1, weight**2) for weight in self.weights]

    def height_spread(self, height: int) -> fmpq:
        """1: W(g) g is the left-minus-right sum, with noise of scale lambda."""
        return fmpq(1)
