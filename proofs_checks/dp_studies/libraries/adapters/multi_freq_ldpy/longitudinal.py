"""One attribute, two rounds."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from multi_freq_ldpy.long_freq_est.Variance_LONG_PURE import VAR_Long_Pure  # type: ignore[import-not-found]

from .common import Functions, Hashed, bits, pure, stated


class L_GRR(Functions):
    """GRR twice."""

    numbered = True

    def __init__(self, d: int, eps_perm: float, eps_1: float) -> None:
        self.client_arguments = self.server_arguments = (d, eps_perm, eps_1, *self.options)

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Long_Pure states, with the probabilities that the client computes."""
        if self.name != "L_GRR":
            return {}
        k, eps_perm, eps_1 = self.client_arguments
        p1, q1 = pure(k, eps_perm)
        e = np.exp(eps_1)
        p2 = (q1 - e * p1) / ((-p1 * e) + k * q1 * e - q1 * e - p1 * (k - 1) + q1)
        return stated(self.variance, p1, q1, p2, (1 - p2) / (k - 1))

    variance = staticmethod(VAR_Long_Pure)


class _LongUnary(Functions):
    def __init__(self, d: int, eps_perm: float, eps_1: float) -> None:
        self.client_arguments, self.server_arguments = (d, eps_perm, eps_1), (eps_perm, eps_1)


class L_SUE(_LongUnary):
    """SUE, SUE: basic RAPPOR."""


class L_OUE(_LongUnary):
    """OUE, OUE."""


class L_OSUE(_LongUnary):
    """OUE, SUE."""

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Long_Pure states, with the probabilities that the client computes."""
        e, e1 = (np.exp(epsilon) for epsilon in self.server_arguments)
        p2 = (1 - e1 * e) / (e1 - e - e1 * e + 1)
        return stated(VAR_Long_Pure, *bits(self.server_arguments[0], True), p2, 1 - p2)


class L_SOUE(_LongUnary):
    """SUE, OUE."""


class L_ADP(L_GRR):
    """L-GRR or L-OSUE."""

    numbered = False


class L_BLH(Hashed, L_GRR):
    """Longitudinal local hashing with g = 2."""

    name = "L_LH"
    options: ClassVar[tuple[Any, ...]] = (False,)
    g = 2


class L_OLH(Hashed, L_GRR):
    """Longitudinal local hashing with its default, an optimized g; the audit states which g that is."""

    name = "L_LH"

    def __init__(self, d: int, eps_perm: float, eps_1: float, g: int) -> None:
        super().__init__(d, eps_perm, eps_1)
        self.g = g


class dBitFlipPM(Functions):
    """Microsoft's bits of buckets."""

    def __init__(self, d: int, buckets: int, bits: int, epsilon: float) -> None:
        self.client_arguments, self.server_arguments = (d, buckets, bits, epsilon), (buckets, bits, epsilon)


class L_GRR_repaired(L_GRR):
    """With the variance of a report that is 1 with probability q + f (p1 - q1) (p2 - q2)."""

    name = "L_GRR"

    @staticmethod
    def variance(p1: float, q1: float, p2: float, q2: float, f: float) -> float:
        """As VAR_Long_Pure for one user."""
        sig = f * (p1 - q1) * (p2 - q2) + p2 * q1 + q2 * (1 - q1)
        return sig * (1 - sig) / ((p1 - q1) ** 2 * (p2 - q2) ** 2)
