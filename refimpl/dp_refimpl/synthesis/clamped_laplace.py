"""Laplace noise on counts after cells below 0 are set to 0: exact chances, and enclosures of what is drawn afterwards.

A count is moved by 1 at the price alpha = e^(-1 / b), b the scale of the noise on counts. What the noisy conditional
distributions show of a cell, whether it is above 0, has an exact law. The chance of rows that are drawn from two noisy
cells is an integral: it is enclosed between two sums over steps, exact ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.matrix.geometric import DiscreteLaplace
from dp_refimpl.requirements import require_integer
from dp_refimpl.synthesis.information import require_records
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S


def at_most_step(alpha: S, distance: int) -> S:
    """P[Z <= distance] for Laplace noise whose densities fall by alpha a step: alpha^|distance| / 2 below 0.

    Raises `DomainError` unless the distance is an integer.
    """
    tail = alpha ** abs(require_integer("distance", distance)) / 2
    return tail if distance <= 0 else 1 - tail


@dataclass(frozen=True)
class PositiveCells(Generic[S]):
    """Noise of Algorithm 5 as printed, of which only is kept which cells are above 0: 1 for these, else 0.

    Joint i has alpha_i = e^(-omega_i epsilon_3 / 2). Raises `DomainError` unless 0 < alpha < 1.
    """

    alphas: tuple[S, ...]

    def __post_init__(self) -> None:
        for alpha in self.alphas:
            DiscreteLaplace(alpha)

    def law(self, joint: int, count: int) -> tuple[S, S]:
        """The probabilities of 0 and of 1. Raises `DomainError` unless count >= 0, and for a joint without alpha."""
        require_integer("joint", joint, 0, len(self.alphas) - 1)
        zero = at_most_step(self.alphas[joint], -require_integer("count", count, 0))
        return zero, 1 - zero

    def cells(self, joint: int, counts: Sequence[int], n: int, coins: Coins) -> tuple[fmpq, ...]:
        """For every cell whether it is above 0."""
        return tuple(map(fmpq, coins.choose_each([self.law(joint, count) for count in counts])))


def equal_rows(counts: tuple[int, int], rows: int, alpha: fmpq, steps: int) -> tuple[fmpq, fmpq]:
    """Bounds of the chance that so many rows, drawn from two noisy cells, all have the value of the first one.

    alpha = e^(-1 / (b steps)): noisy counts are rounded to steps of 1 / steps, down and up, those above the number of
    records plus 1 to that and to infinity. Where both cells are at most 0 a row is uniform. Raises `DomainError` unless
    alpha is a rational number (fmpq) above 0 and below 1, and for integers that are too small.
    """
    if not isinstance(alpha, fmpq):
        raise DomainError("alpha", alpha, "a rational number (fmpq) above 0 and below 1")
    DiscreteLaplace(alpha)
    require_integer("rows", rows, 1)
    top = require_integer("steps", steps, 1) * (require_records(sum(counts)) + 1)
    held, lost = (_interval_chances(count * steps, alpha, top) for count in counts)
    least = most = held[0] * lost[0] / fmpq(2) ** rows
    for j, chance in enumerate(held[1:], 1):
        for i, other in enumerate(lost):
            both = chance * other
            least += both * _share(j - 1, i, top) ** rows
            most += both * (fmpq(1) if j > top else fmpq(j, j + max(i - 1, 0))) ** rows
    return least, most


def _share(begins: int, ends: int, top: int) -> fmpq:
    """The least share of a cell in a later interval beside another one: none beside one above the top, all beside one
    at most 0."""
    if ends == 0:
        return fmpq(1)
    return fmpq(0) if ends > top else fmpq(begins, begins + ends)


def _interval_chances(center: int, alpha: fmpq, top: int) -> list[fmpq]:
    """The chances that a noisy count is at most 0, in each of the intervals (j - 1, j] of steps to the top, above it.

    Raises `DomainError` for a count below 0.
    """
    require_integer("count", center, 0)
    bounds = [fmpq(0), *(at_most_step(alpha, j - center) for j in range(top + 1)), fmpq(1)]
    return [after - before for before, after in pairwise(bounds)]
