"""One attribute: one report, or a lasting answer and reports about it (two rounds)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from multi_freq_ldpy.long_freq_est.Variance_LONG_PURE import VAR_Long_Pure  # type: ignore[import-not-found]
from multi_freq_ldpy.pure_frequency_oracles.Variance_PURE import VAR_Pure  # type: ignore[import-not-found]
from scipy.optimize import minimize_scalar  # type: ignore[import-untyped]

from .common import Functions, Hashed, bits, named, pure, stated


class _One(Functions):
    """One report."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.client_arguments = (d, epsilon, *self.options)


class GRR(_One):
    """Generalized randomized response."""

    numbered = True

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Pure states."""
        return stated(VAR_Pure, *pure(*self.client_arguments))


class OUE(_One):
    """Optimized unary encoding, the default."""

    name = "UE"
    sized = False

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Pure states."""
        return stated(VAR_Pure, *bits(self.client_arguments[1], not self.options))


class SUE(OUE):
    """Symmetric unary encoding, basic RAPPOR."""

    name = "UE"
    options = (False,)


class ADP(_One):
    """GRR or OUE (the default), whichever has the smaller variance."""


class SS(_One):
    """Subset selection. A report is an array; the mechanism's is the set of its entries."""

    def canonical(self, report: Any) -> Any:
        """The set."""
        return {int(x) for x in report}


class SS_repaired(SS):
    """With a sorted array."""

    name = "SS"

    def privatize(self, client: None, item: Any) -> Any:
        """The report on one item."""
        return np.sort(super().privatize(client, item))


class OLH(Hashed, _One):
    """Local hashing with its default g = round(e^epsilon) + 1."""

    name = "LH"

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.g = int(round(np.exp(epsilon))) + 1  # noqa: RUF046


class BLH(Hashed, _One):
    """Local hashing with g = 2."""

    name = "LH"
    options = (False,)
    g = 2


class THE(_One):
    """Histogram encoding with the aggregator's threshold, the default: a report is what the aggregator makes of it."""

    name = "HE"

    def privatize(self, client: None, item: Any) -> Any:
        """The thresholded bits."""
        report = super().privatize(client, item)
        return [int(entry > self.theta) for entry in report]

    def aggregate(self, server: list[Any], report: Any) -> None:
        """The aggregator compares with its threshold, which is between 0 and 1."""
        server.append(np.array(report, dtype=float))

    @property
    def theta(self) -> float:
        """The threshold, computed as the aggregator does."""
        target = import_module("multi_freq_ldpy.pure_frequency_oracles.HE").find_tresh
        return float(minimize_scalar(target, bounds=[0.5, 1], method="bounded", args=self.client_arguments[1]).x)


class _Long(Functions):
    """Two rounds."""

    def __init__(self, d: int, eps_perm: float, eps_1: float) -> None:
        self.client_arguments = (d, eps_perm, eps_1, *self.options)


class L_GRR(_Long):
    """GRR twice."""

    numbered = True

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Long_Pure states, with the probabilities that the client computes."""
        k, eps_perm, eps_1 = self.client_arguments
        p1, q1 = pure(k, eps_perm)
        e = np.exp(eps_1)
        p2 = (q1 - e * p1) / ((-p1 * e) + k * q1 * e - q1 * e - p1 * (k - 1) + q1)
        return stated(self.variance, p1, q1, p2, (1 - p2) / (k - 1))

    variance = staticmethod(VAR_Long_Pure)


class L_GRR_repaired(L_GRR):
    """With the variance of a report that is 1 with probability q + f (p1 - q1) (p2 - q2)."""

    name = "L_GRR"

    @staticmethod
    def variance(p1: float, q1: float, p2: float, q2: float, f: float) -> float:
        """As VAR_Long_Pure for one user."""
        sig = f * (p1 - q1) * (p2 - q2) + p2 * q1 + q2 * (1 - q1)
        return sig * (1 - sig) / ((p1 - q1) ** 2 * (p2 - q2) ** 2)


class L_OSUE(_Long):
    """OUE, SUE."""

    sized = False

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Long_Pure states, with the probabilities that the client computes."""
        e, e1 = (np.exp(epsilon) for epsilon in self.server_arguments)
        p2 = (1 - e1 * e) / (e1 - e - e1 * e + 1)
        return stated(VAR_Long_Pure, *bits(self.server_arguments[0], True), p2, 1 - p2)


class L_BLH(Hashed, _Long):
    """Longitudinal local hashing with g = 2."""

    name = "L_LH"
    options = (False,)
    g = 2


class L_OLH(Hashed, _Long):
    """Longitudinal local hashing with its default, an optimized g; the audit states which g that is."""

    name = "L_LH"

    def __init__(self, d: int, eps_perm: float, eps_1: float, g: int) -> None:
        super().__init__(d, eps_perm, eps_1)
        self.g = g


class dBitFlipPM(Functions):
    """Microsoft's bits of buckets."""

    sized = False

    def __init__(self, d: int, buckets: int, bits: int, epsilon: float) -> None:
        self.client_arguments = (d, buckets, bits, epsilon)


# L-GRR or L-OSUE; SUE twice (basic RAPPOR), OUE twice, SUE then OUE
globals().update({**named(_Long, "L_ADP"), **named(_Long, "L_SUE", "L_OUE", "L_SOUE", sized=False)})
