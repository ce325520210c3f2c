"""What the frequency oracles of pure-ldp share: a client object, a server object, and their code in reproductions."""

from __future__ import annotations

from typing import Any

import xxhash  # type: ignore[import-not-found]


class Protocol:
    """A client object, a server object. `client_code` and `server_code` make them, for reproductions."""

    client_code: str
    server_code: str

    def __init__(self, d: int, epsilon: float) -> None:
        self._d, self._epsilon = d, epsilon

    def privatize(self, client: Any, item: Any) -> Any:
        """The report on one item."""
        return client.privatise(item + 1)

    def aggregate(self, server: Any, report: Any) -> None:
        """Hand one report to the server."""
        server.aggregate(report)

    def estimate(self, server: Any) -> Any:
        """Estimated counts of all items, without the optional normalization."""
        return server.estimate_all(range(1, self._d + 1), suppress_warnings=True)

    @property
    def reproduce(self) -> list[str]:
        """How often each report on an item comes out, in the library's own terms."""
        return [
            "from collections import Counter; from pure_ldp.frequency_oracles import *; from pure_ldp.core import *",
            f"client = {self.client_code}",
            "print(Counter(repr(client.privatise({input} + 1)) for _ in range(10000)))",
        ]

    @property
    def reproduce_estimate(self) -> list[str]:
        """The estimates from given reports."""
        return [
            "import numpy as np; from pure_ldp.frequency_oracles import *; from pure_ldp.core import *",
            f"server = {self.server_code}; [server.aggregate({self.report_code}) for report in {{reports}}]",
            f"print(server.estimate_all(range(1, {self._d + 1}), suppress_warnings=True))",
        ]

    report_code = "report"


class Checked(Protocol):
    """With items that are made integers, and refused unless they are 0 .. d-1."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The report on one item."""
        if not 0 <= item < self._d:
            raise ValueError("no item")
        return super().privatize(client, int(item))


def cells(d: int, seed: int, g: int) -> list[int]:
    """The cells of the items under the hash function of a seed."""
    return [xxhash.xxh32(str(item), seed=seed).intdigest() % g for item in range(d)]
