"""Encodings of the item itself: direct, unary, histogram."""

from __future__ import annotations

from typing import Any

import numpy as np
from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.histogram_encoding import HEClient, HEServer  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer  # type: ignore[import-not-found]

from .common import Checked, Protocol


class GRR(Protocol):
    """DEClient and DEServer."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.client_code, self.server_code = f"DEClient({epsilon}, {d})", f"DEServer({epsilon}, {d})"

    def client(self) -> Any:
        """A fresh client."""
        return DEClient(self._epsilon, self._d)

    def server(self) -> Any:
        """A fresh server."""
        return DEServer(self._epsilon, self._d)


class SUE(Protocol):
    """UEClient and UEServer with their defaults: symmetric unary encoding, basic RAPPOR."""

    optimized = False
    report_code = "np.array(report)"

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        arguments = f"({epsilon}, {d}, use_oue={self.optimized})"
        self.client_code, self.server_code = "UEClient" + arguments, "UEServer" + arguments

    def client(self) -> Any:
        """A fresh client."""
        return UEClient(self._epsilon, self._d, use_oue=self.optimized)

    def server(self) -> Any:
        """A fresh server."""
        return UEServer(self._epsilon, self._d, use_oue=self.optimized)


class OUE(SUE):
    """UEClient and UEServer with use_oue=True."""

    optimized = True


class THE(Protocol):
    """HEClient and HEServer(use_the=True): a report is what the server's thresholding makes of the client's vector."""

    report_code = "np.array(report, dtype=float)"

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.client_code = f"HEClient({epsilon}, {d})"
        self.server_code = f"HEServer({epsilon}, {d}, use_the=True)"

    @property
    def theta(self) -> float:
        """The server's threshold."""
        return float(self.server().theta)

    def client(self) -> Any:
        """A fresh client."""
        return HEClient(self._epsilon, self._d)

    def privatize(self, client: Any, item: Any) -> Any:
        """The thresholded bits: the server overwrites the vector that it is given."""
        report = super().privatize(client, item)
        return [int(entry > self.theta) for entry in report]

    def server(self) -> Any:
        """A fresh server."""
        return HEServer(self._epsilon, self._d, use_the=True)

    def aggregate(self, server: Any, report: Any) -> None:
        """Bits are on the same side of the threshold as the numbers that they come from."""
        server.aggregate(np.array(report, dtype=float))


class GRR_repaired(Checked, GRR):
    """With items that are checked."""


class SUE_repaired(Checked, SUE):
    """With items that are checked."""
