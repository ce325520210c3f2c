"""multi-freq-ldpy 0.2.5: GRR and unary encoding (SUE, OUE). Its items are 0 .. d-1, its estimates frequencies.

Its aggregators take the list of all reports; here the list is the server.
"""

from __future__ import annotations

from typing import Any

from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client  # type: ignore[import-not-found]
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client  # type: ignore[import-not-found]


class GRR:
    """GRR_Client and GRR_Aggregator_MI."""

    def __init__(self, d: int, epsilon: float) -> None:
        self._d, self._epsilon = d, epsilon

    def client(self) -> None:
        """The clients are functions."""

    def privatise(self, client: None, item: Any) -> Any:
        """The report on one item."""
        return GRR_Client(item, self._d, self._epsilon)

    def server(self) -> list[Any]:
        """An empty list of reports."""
        return []

    def aggregate(self, server: list[Any], report: Any) -> None:
        """Hand one report to the server."""
        server.append(report)

    def estimate(self, server: list[Any]) -> Any:
        """Estimated frequencies of all items."""
        return GRR_Aggregator_MI(server, self._d, self._epsilon)


class SUE(GRR):
    """UE_Client and UE_Aggregator_MI with optimal=False: symmetric unary encoding, basic RAPPOR."""

    optimal = False

    def privatise(self, client: None, item: Any) -> Any:
        """The report on one item."""
        return UE_Client(item, self._d, self._epsilon, self.optimal)

    def estimate(self, server: list[Any]) -> Any:
        """Estimated frequencies of all items."""
        return UE_Aggregator_MI(server, self._epsilon, self.optimal)


class OUE(SUE):
    """UE_Client and UE_Aggregator_MI with optimal=True."""

    optimal = True
