"""Several attributes: split budgets (SPL), or one sampled attribute (SMP)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .common import Functions, cells


class Many(Functions):
    """The aggregator is told the sizes of the attributes."""

    def __init__(self, sizes: list[int], epsilon: float) -> None:
        self.client_arguments = self.server_arguments = (list(sizes), len(sizes), epsilon, *self.options)

    def estimate(self, server: list[Any]) -> Any:
        """Estimated frequencies of all items of all attributes."""
        return [number for attribute in super().estimate(server) for number in attribute]


class ManyUnary(Many):
    """The aggregator is told their number only."""

    def __init__(self, sizes: list[int], epsilon: float) -> None:
        super().__init__(sizes, epsilon)
        self.server_arguments = (len(sizes), epsilon, *self.options)


class SPL_GRR(Many):
    """Split budget, GRR."""

    numbered = True


class SPL_SUE(ManyUnary):
    """Split budget, SUE."""

    name = "SPL_UE"
    options = (False,)


class SPL_OUE(ManyUnary):
    """Split budget, OUE (the default)."""

    name = "SPL_UE"


class SPL_ADP(Many):
    """Split budget, ADP."""


class SPL_SS(Many):
    """Split budget, subset selection; the mechanism's report is a tuple of sets."""

    def canonical(self, report: Any) -> Any:
        """The sets."""
        return [{int(x) for x in part} for part in report]


class SPL_OLH(Many):
    """Split budget, local hashing with g = round(e^(epsilon/d)) + 1, given the seeds."""

    name = "SPL_LH"

    def canonical(self, report: Any) -> Any:
        """The cells."""
        return [int(part[0]) for part in report]

    def conditions(self, report: Any) -> Any:
        """The seeds."""
        return [int(part[1]) for part in report]

    def facts(self, conditioned: Any) -> Any:
        """The cells of all items of all attributes; attribute j has the j-th seed."""
        sizes, d, epsilon = self.client_arguments
        g = round(np.exp(epsilon / d)) + 1
        return {"hashes": [cells(k, conditioned[j % len(conditioned)], g) for j, k in enumerate(sizes)]}


class SMP_GRR(SPL_GRR):
    """One sampled attribute, GRR."""


class SMP_SUE(SPL_SUE):
    """One sampled attribute, SUE."""

    name = "SMP_UE"


class SMP_OUE(SPL_OUE):
    """One sampled attribute, OUE (the default)."""

    name = "SMP_UE"


class SMP_ADP(SPL_ADP):
    """One sampled attribute, ADP."""


class SMP_SS(SPL_SS):
    """One sampled attribute, subset selection."""

    def canonical(self, report: Any) -> Any:
        """The attribute and the set."""
        return [int(report[0]), {int(x) for x in report[1]}]


class SMP_SS_repaired(SMP_SS):
    """With a sorted array."""

    name = "SMP_SS"

    def privatize(self, client: None, item: Any) -> Any:
        """The attribute and the array."""
        attribute, subset = super().privatize(client, item)
        return attribute, np.sort(subset)


class SMP_OLH(SPL_OLH):
    """One sampled attribute, local hashing with g = round(e^epsilon) + 1, given the seed."""

    name = "SMP_LH"

    def canonical(self, report: Any) -> Any:
        """The attribute and the cell."""
        return [int(report[0]), int(report[1][0])]

    def conditions(self, report: Any) -> Any:
        """The seed."""
        return [int(report[1][1])]

    def facts(self, conditioned: Any) -> Any:
        """The cells of all items of all attributes; there is one seed, for the sampled one."""
        sizes, _, epsilon = self.client_arguments
        g = round(np.exp(epsilon)) + 1
        return {"hashes": [cells(k, conditioned[0], g) for k in sizes]}
