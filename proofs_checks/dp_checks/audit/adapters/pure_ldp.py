"""pure-ldp 1.2.0: direct encoding (GRR) and unary encoding (SUE, OUE). Its items are 1 .. d, its estimates counts."""

from __future__ import annotations

from typing import Any

from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer  # type: ignore[import-not-found]


class GRR:
    """DEClient and DEServer as their README uses them."""

    def __init__(self, d: int, epsilon: float) -> None:
        self._d, self._epsilon = d, epsilon

    def client(self) -> Any:
        """A fresh client."""
        return DEClient(self._epsilon, self._d)

    def privatise(self, client: Any, item: Any) -> Any:
        """The report on one item."""
        return client.privatise(item + 1)

    def server(self) -> Any:
        """A fresh server."""
        return DEServer(self._epsilon, self._d)

    def aggregate(self, server: Any, report: Any) -> None:
        """Hand one report to the server."""
        server.aggregate(report)

    def estimate(self, server: Any) -> Any:
        """Estimated counts of all items, without the optional normalisation."""
        return server.estimate_all(range(1, self._d + 1), suppress_warnings=True)


class SUE(GRR):
    """UEClient and UEServer with their defaults: symmetric unary encoding, basic RAPPOR."""

    optimised = False

    def client(self) -> Any:
        """A fresh client."""
        return UEClient(self._epsilon, self._d, use_oue=self.optimised)

    def server(self) -> Any:
        """A fresh server."""
        return UEServer(self._epsilon, self._d, use_oue=self.optimised)


class OUE(SUE):
    """UEClient and UEServer with use_oue=True."""

    optimised = True
