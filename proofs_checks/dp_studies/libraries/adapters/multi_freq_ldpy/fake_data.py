"""Several attributes: one is sampled, the others are fake data (RS+FD)."""

from __future__ import annotations

from typing import Any

import numpy as np
from multi_freq_ldpy.mdim_freq_est import RSpFD_solution, Variance_RSpFD  # type: ignore[import-not-found]

from .common import bits, pure, stated
from .several import Many


def amplified(d: int, epsilon: float) -> float:
    """The budget of the attribute that is sampled among d."""
    return float(np.log(d * (np.exp(epsilon) - 1) + 1))


class RSpFD_GRR(Many):
    """RS+FD, GRR and uniform fakes."""

    numbered = True

    def facts(self, conditioned: Any) -> Any:
        """What VAR_RSpFD_GRR states of the first attribute."""
        sizes, d, epsilon = self.client_arguments
        return stated(Variance_RSpFD.VAR_RSpFD_GRR, *pure(sizes[0], amplified(d, epsilon)), sizes[0], d)


class RSpFD_OUE_zero(Many):
    """RS+FD, OUE (the default) and fakes from zero vectors."""

    name = "RSpFD_UE_zero"

    def facts(self, conditioned: Any) -> Any:
        """What VAR_RSpFD_UE_zero states of the first attribute."""
        _, d, epsilon = self.client_arguments[:3]
        return stated(Variance_RSpFD.VAR_RSpFD_UE_zero, *bits(amplified(d, epsilon), not self.options), d)


class RSpFD_SUE_zero(RSpFD_OUE_zero):
    """RS+FD, SUE and fakes from zero vectors."""

    name = "RSpFD_UE_zero"
    options = (False,)


class RSpFD_OUE_random(Many):
    """RS+FD, OUE (the default) and fakes from random vectors."""

    name = "RSpFD_UE_rnd"

    def facts(self, conditioned: Any) -> Any:
        """What VAR_RSpFD_UE_rnd states of the first attribute."""
        sizes, d, epsilon = self.client_arguments[:3]
        chances = bits(amplified(d, epsilon), not self.options)
        return stated(Variance_RSpFD.VAR_RSpFD_UE_rnd, *chances, sizes[0], d)


class RSpFD_SUE_random(RSpFD_OUE_random):
    """RS+FD, SUE and fakes from random vectors."""

    name = "RSpFD_UE_rnd"
    options = (False,)


class _Defined(Many):
    """With estimates that stay 0 where none of an attribute is positive: they are not divided by their sum."""

    def __init__(self, sizes: list[int], epsilon: float) -> None:
        super().__init__(sizes, epsilon)
        RSpFD_solution.sum = lambda values: 1 if np.ndim(values[0]) == 0 and not sum(values) > 0 else sum(values)


class RSpFD_OUE_zero_repaired(_Defined, RSpFD_OUE_zero):
    """RSpFD_OUE_zero, as repaired."""

    name = "RSpFD_UE_zero"


class RSpFD_SUE_zero_repaired(_Defined, RSpFD_SUE_zero):
    """RSpFD_SUE_zero, as repaired."""

    name = "RSpFD_UE_zero"


class RSpFD_OUE_random_repaired(_Defined, RSpFD_OUE_random):
    """RSpFD_OUE_random, as repaired."""

    name = "RSpFD_UE_rnd"


class RSpFD_SUE_random_repaired(_Defined, RSpFD_SUE_random):
    """RSpFD_SUE_random, as repaired."""

    name = "RSpFD_UE_rnd"


class RSpFD_ADP(Many):
    """RS+FD, GRR or OUE-zero."""
