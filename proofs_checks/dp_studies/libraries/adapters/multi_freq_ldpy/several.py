"""Several attributes: split budgets (SPL), one sampled attribute (SMP), or one beside fake data (RS+FD)."""

from __future__ import annotations

from typing import Any

import numpy as np
from multi_freq_ldpy.mdim_freq_est import RSpFD_solution, Variance_RSpFD  # type: ignore[import-not-found]

from .common import Functions, bits, cells, named, pure, stated


class _Many(Functions):
    """One report."""

    def __init__(self, sizes: list[int], epsilon: float) -> None:
        self.client_arguments = (list(sizes), len(sizes), epsilon, *self.options)

    def estimate(self, server: list[Any]) -> Any:
        """Estimated frequencies of all items of all attributes."""
        return [number for attribute in super().estimate(server) for number in attribute]


class _Long(_Many):
    """Two rounds."""

    def __init__(self, sizes: list[int], eps_perm: float, eps_1: float) -> None:
        self.client_arguments = (list(sizes), len(sizes), eps_perm, eps_1)


class _Buckets(_Many):
    """Microsoft's bits of buckets."""

    sized = False

    def __init__(self, sizes: list[int], buckets: list[int], bits: int, epsilon: float) -> None:
        self.client_arguments = (list(sizes), list(buckets), bits, len(sizes), epsilon)


# split budget and one sampled attribute: GRR, unary encodings (OUE is the default), ADP, two rounds of them, buckets
for _kind in ("SPL", "SMP"):
    globals().update(
        **named(_Many, f"{_kind}_GRR", numbered=True),
        **named(_Many, f"{_kind}_SUE", name=f"{_kind}_UE", sized=False, options=(False,)),
        **named(_Many, f"{_kind}_OUE", name=f"{_kind}_UE", sized=False),
        **named(_Many, f"{_kind}_ADP"),
        **named(_Long, f"{_kind}_L_GRR", numbered=True),
        **named(_Long, *(f"{_kind}_L_{each}" for each in ("SUE", "OUE", "OSUE", "SOUE")), sized=False),
        **named(_Long, f"{_kind}_L_ADP"),
        **named(_Buckets, f"{_kind}_dBitFlipPM"),
    )


class SPL_SS(_Many):
    """Split budget, subset selection; the mechanism's report is a tuple of sets."""

    def canonical(self, report: Any) -> Any:
        """The sets."""
        return [{int(x) for x in part} for part in report]


class SPL_OLH(_Many):
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


class SMP_SS(_Many):
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


class SMP_OLH(_Many):
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


class _Fake(_Many):
    """RS+FD: what is stated of the first attribute."""

    def amplified(self) -> float:
        """The budget of the attribute that is sampled."""
        _, d, epsilon = self.client_arguments[:3]
        return float(np.log(d * (np.exp(epsilon) - 1) + 1))

    def bits(self) -> tuple[float, float]:
        """The probabilities of its unary encoding: OUE (the default) or SUE."""
        return bits(self.amplified(), not self.options)


class RSpFD_GRR(_Fake):
    """RS+FD, GRR and uniform fakes."""

    numbered = True

    def facts(self, conditioned: Any) -> Any:
        """What VAR_RSpFD_GRR states of the first attribute."""
        sizes, d, _ = self.client_arguments
        return stated(Variance_RSpFD.VAR_RSpFD_GRR, *pure(sizes[0], self.amplified()), sizes[0], d)


class _Zero(_Fake):
    """RS+FD, unary encoding and fakes from zero vectors."""

    def facts(self, conditioned: Any) -> Any:
        """What VAR_RSpFD_UE_zero states of the first attribute."""
        return stated(Variance_RSpFD.VAR_RSpFD_UE_zero, *self.bits(), self.client_arguments[1])


class _Random(_Fake):
    """RS+FD, unary encoding and fakes from random vectors."""

    def facts(self, conditioned: Any) -> Any:
        """What VAR_RSpFD_UE_rnd states of the first attribute."""
        sizes, d = self.client_arguments[:2]
        return stated(Variance_RSpFD.VAR_RSpFD_UE_rnd, *self.bits(), sizes[0], d)


class _Defined(_Many):
    """With estimates that stay 0 where none of an attribute is positive: they are not divided by their sum."""

    def __init__(self, sizes: list[int], epsilon: float) -> None:
        super().__init__(sizes, epsilon)
        RSpFD_solution.sum = lambda values: 1 if np.ndim(values[0]) == 0 and not sum(values) > 0 else sum(values)


# GRR or OUE-zero; then unary encodings with fakes from zero and from random vectors, as they are and repaired
globals().update(named(_Many, "RSpFD_ADP"))
for _fake, _base, _name in (("zero", _Zero, "RSpFD_UE_zero"), ("random", _Random, "RSpFD_UE_rnd")):
    _repaired = type(f"_{_fake}", (_Defined, _base), {})
    for _kind, _options in (("SUE", (False,)), ("OUE", ())):
        globals().update(
            **named(_base, f"RSpFD_{_kind}_{_fake}", name=_name, options=_options),
            **named(_repaired, f"RSpFD_{_kind}_{_fake}_repaired", name=_name, options=_options),
        )
