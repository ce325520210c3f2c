"""What the frequency oracles of pure-ldp share: a client and a server, made of the text that reproductions show."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

import xxhash  # type: ignore[import-not-found]

NAMES = {**vars(import_module("pure_ldp.core")), **vars(import_module("pure_ldp.frequency_oracles"))}
"""What the texts are read with: what the library exports."""


class Reports:
    """A client object. `client_code` makes it, with the parameters filled in."""

    client_code: ClassVar[str]
    names: ClassVar[dict[str, Any]] = NAMES

    def __init__(self, d: int, epsilon: float) -> None:
        self._d, self._epsilon = d, epsilon

    def client(self) -> Any:
        """A fresh client."""
        return self.made(self.client_code)

    def privatize(self, client: Any, item: Any) -> Any:
        """The report on one item."""
        return client.privatise(item + 1)

    def text(self, code: str) -> str:
        """A text with the parameters filled in."""
        return code.format(**{name[1:]: value for name, value in vars(self).items()})

    def made(self, code: str) -> Any:
        """What a text makes."""
        return eval(self.text(code), dict(self.names))

    @property
    def reproduce(self) -> list[str]:
        """How often each report on an item comes out, in the library's own terms."""
        return [
            "from collections import Counter; from pure_ldp.frequency_oracles import *; from pure_ldp.core import *",
            f"client = {self.text(self.client_code)}",
            "print(Counter(repr(client.privatise({input} + 1)) for _ in range(10000)))",
        ]


class Protocol(Reports):
    """And a server object, which `server_code` makes; it is given `report_code`."""

    server_code: ClassVar[str]
    report_code = "report"

    def server(self) -> Any:
        """A fresh server."""
        return self.made(self.server_code)

    def aggregate(self, server: Any, report: Any) -> None:
        """Hand one report to the server."""
        server.aggregate(report)

    def estimate(self, server: Any) -> Any:
        """Estimated counts of all items, without the optional normalization."""
        return server.estimate_all(range(1, self._d + 1), suppress_warnings=True)

    @property
    def reproduce_estimate(self) -> list[str]:
        """The estimates from given reports."""
        aggregated = f"[server.aggregate({self.report_code}) for report in {{reports}}]"
        return [
            "import numpy as np; from pure_ldp.frequency_oracles import *; from pure_ldp.core import *",
            f"server = {self.text(self.server_code)}; {aggregated}",
            f"print(server.estimate_all(range(1, {self._d + 1}), suppress_warnings=True))",
        ]


def cells(d: int, seed: int, g: int) -> list[int]:
    """The cells of the items under the hash function of a seed."""
    return [xxhash.xxh32(str(item), seed=seed).intdigest() % g for item in range(d)]
