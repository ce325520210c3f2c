"""One attribute, one report."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.Variance_PURE import VAR_Pure  # type: ignore[import-not-found]
from scipy.optimize import minimize_scalar  # type: ignore[import-untyped]

from .common import Functions, Hashed, bits, pure, stated


class GRR(Functions):
    """Generalized randomized response."""

    numbered = True

    def __init__(self, d: int, epsilon: float) -> None:
        self.client_arguments = self.server_arguments = (d, epsilon, *self.options)

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Pure states."""
        return stated(VAR_Pure, *pure(*self.client_arguments[:2])) if self.name == "GRR" else {}


class _Unary(Functions):
    """Protocols whose aggregator is not told the number of items."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.client_arguments, self.server_arguments = (d, epsilon, *self.options), (epsilon, *self.options)

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Pure states."""
        return stated(VAR_Pure, *bits(self.server_arguments[0], not self.options))


class SUE(_Unary):
    """Symmetric unary encoding, basic RAPPOR."""

    name = "UE"
    options = (False,)


class OUE(_Unary):
    """Optimized unary encoding, the default."""

    name = "UE"


class ADP(GRR):
    """GRR or OUE (the default), whichever has the smaller variance."""

    numbered = False


class SS(GRR):
    """Subset selection. A report is an array; the mechanism's is the set of its entries."""

    numbered = False

    def canonical(self, report: Any) -> Any:
        """The set."""
        return {int(x) for x in report}


class SS_repaired(SS):
    """With a sorted array."""

    name = "SS"

    def privatize(self, client: None, item: Any) -> Any:
        """The report on one item."""
        return np.sort(super().privatize(client, item))


class OLH(Hashed, GRR):
    """Local hashing with its default g = round(e^epsilon) + 1."""

    name = "LH"

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.g = int(round(np.exp(epsilon))) + 1  # noqa: RUF046


class BLH(Hashed, GRR):
    """Local hashing with g = 2."""

    name = "LH"
    options = (False,)
    g = 2


class THE(GRR):
    """Histogram encoding with the aggregator's threshold, the default: a report is what the aggregator makes of it."""

    name = "HE"
    numbered = False

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
