"""The frequency oracles with the changes that are proposed."""

from __future__ import annotations

import random
from typing import Any, ClassVar

import numpy as np
from pure_ldp.frequency_oracles import (  # type: ignore[import-not-found]
    HadamardMechClient,
    HadamardMechServer,
    HadamardResponseServer,
    RAPPORClient,
)

from .common import NAMES, Protocol
from .protocols import GRR, HM, HR, PCS, RAPPOR, SUE, FLH_defaults


class _Checked(Protocol):
    """With items that are made integers, and refused unless they are 0 .. d-1."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The report on one item."""
        if not 0 <= item < self._d:
            raise ValueError("no item")
        return super().privatize(client, int(item))


class GRR_repaired(_Checked, GRR):
    """With items that are checked."""


class SUE_repaired(_Checked, SUE):
    """With items that are checked."""


class FLH_defaults_repaired(FLH_defaults):
    """With the client's default on both sides."""

    def server(self) -> Any:
        """A fresh server."""
        return self.made("FastLHServer({epsilon}, {d}, {k}, use_olh=False)")


def _size(d: int) -> int:
    """Of the Hadamard matrix: the next power of two."""
    return 1 << (d - 1).bit_length()


class _Client(HadamardMechClient):  # type: ignore[misc, unused-ignore]
    """With a coefficient of the whole matrix, and a list in both cases."""

    d: int

    def _perturb(self, data: Any) -> Any:
        d, self.d = self.d, _size(self.d)
        try:
            return super()._perturb(data)
        finally:
            self.d = d

    def privatise(self, data: Any) -> Any:
        return list(super().privatise(data))


class _Server(HadamardMechServer):  # type: ignore[misc, unused-ignore]
    """With a sum for every coefficient."""

    def __init__(self, epsilon: float, d: int, t: int) -> None:
        super().__init__(epsilon, d, t)
        self.reset()

    def reset(self) -> None:
        super().reset()
        self.aggregated_data = np.zeros(_size(self.d))


class HM_repaired(_Checked, HM):
    """With a list in both cases, and coefficients of a matrix whose size is a power of two."""

    names: ClassVar[dict[str, Any]] = {**NAMES, "HadamardMechClient": _Client, "HadamardMechServer": _Server}


class _Response(HadamardResponseServer):  # type: ignore[misc, unused-ignore]
    """With the scheme of the new budget, which is another one above 1."""

    epsilon: float
    d: int

    def update_params(self, epsilon: Any = None, d: Any = None, index_mapper: Any = None) -> None:
        crosses = epsilon is not None and (epsilon <= 1) != (self.epsilon <= 1)
        super().update_params(epsilon, self.d if crosses and d is None else d, index_mapper)


class HR_repaired(_Checked, HR):
    """With items that are checked, and a server that can be updated."""

    names: ClassVar[dict[str, Any]] = {**NAMES, "HadamardResponseServer": _Response}


class _Clearing(RAPPORClient):  # type: ignore[misc, unused-ignore]
    """With every bit written, whether it is 1 or 0, and hash functions that are kept."""

    def _perturb(self, data: Any) -> Any:
        for i, bit in enumerate(data):
            data[i] = 1 if random.random() < (1 - 0.5 * self.f if bit else 0.5 * self.f) else 0
        return data

    def update_params(self, *given: Any, hash_funcs: Any = None, **named: Any) -> None:
        """With the hash functions kept."""
        super().update_params(*given, hash_funcs=hash_funcs or self.hash_family, **named)


class RAPPOR_repaired(RAPPOR):
    """With bits that are cleared."""

    names: ClassVar[dict[str, Any]] = {**NAMES, "RAPPORClient": _Clearing}


class PCS_repaired(PCS):
    """With every entry debiased."""

    def estimate(self, server: Any) -> Any:
        """Estimates are linear in the entries."""
        power = np.exp(self._epsilon)
        return [value * (power + 1) / (power - 1) for value in super().estimate(server)]


class PCS_mean_repaired(PCS_repaired):
    """With use_median=False."""

    server_code = "PCSServer({epsilon}, {k}, {m}, False)"
