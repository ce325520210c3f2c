"""The Hadamard mechanism and Hadamard response."""

from __future__ import annotations

from typing import Any

import numpy as np
from pure_ldp.frequency_oracles.hadamard_mechanism import (  # type: ignore[import-not-found]
    HadamardMechClient,
    HadamardMechServer,
)
from pure_ldp.frequency_oracles.hadamard_response import (  # type: ignore[import-not-found]
    HadamardResponseClient,
    HadamardResponseServer,
)
from pure_ldp.frequency_oracles.hadamard_response.internal import k2k_hadamard  # type: ignore[import-not-found]

from .common import Checked, Protocol


class HM(Protocol):
    """HadamardMechClient and HadamardMechServer with t coefficients (t has no default)."""

    def __init__(self, d: int, epsilon: float, t: int) -> None:
        super().__init__(d, epsilon)
        self._t = t
        self.client_code, self.server_code = (f"HadamardMech{x}({epsilon}, {d}, {t})" for x in ("Client", "Server"))
        self.report_code = "[report]" if t == 1 else "report"

    def client(self) -> Any:
        """A fresh client."""
        return HadamardMechClient(self._epsilon, self._d, self._t)

    def server(self) -> Any:
        """A fresh server."""
        return HadamardMechServer(self._epsilon, self._d, self._t)

    def privatize(self, client: Any, item: Any) -> Any:
        """The type of the report, and its t pairs (index, sign)."""
        report = super().privatize(client, item)
        return type(report).__name__, [(int(index), int(sign)) for index, sign in report]

    def canonical(self, report: Any) -> Any:
        """The pairs; the pair for t = 1."""
        return report[1][0] if self._t == 1 else report[1]

    def aggregate(self, server: Any, report: Any) -> None:
        """The server takes the pairs."""
        server.aggregate(report[1])


class HR(Protocol):
    """HadamardResponseClient and HadamardResponseServer; the public permutation of the items is the identity."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        k2k_hadamard.Random_Permutation = lambda size: (np.arange(size), np.arange(size))
        self.client_code = f"HadamardResponseClient({epsilon}, {d}, range({d}))"
        self.server_code = f"HadamardResponseServer({epsilon}, {d})"

    def client(self) -> Any:
        """A fresh client with a server's permutation."""
        return HadamardResponseClient(self._epsilon, self._d, self.server().get_hash_funcs())

    def server(self) -> Any:
        """A fresh server."""
        return HadamardResponseServer(self._epsilon, self._d)


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


class HM_repaired(Checked, HM):
    """With a list in both cases, and coefficients of a matrix whose size is a power of two."""

    def client(self) -> Any:
        """A fresh client."""
        return _Client(self._epsilon, self._d, self._t)

    def server(self) -> Any:
        """A fresh server."""
        return _Server(self._epsilon, self._d, self._t)


class _Response(HadamardResponseServer):  # type: ignore[misc, unused-ignore]
    """With the scheme of the new budget, which is another one above 1."""

    epsilon: float
    d: int

    def update_params(self, epsilon: Any = None, d: Any = None, index_mapper: Any = None) -> None:
        crosses = epsilon is not None and (epsilon <= 1) != (self.epsilon <= 1)
        super().update_params(epsilon, self.d if crosses and d is None else d, index_mapper)


class HR_repaired(Checked, HR):
    """With items that are checked, and a server that can be updated."""

    def server(self) -> Any:
        """A fresh server."""
        return _Response(self._epsilon, self._d)
