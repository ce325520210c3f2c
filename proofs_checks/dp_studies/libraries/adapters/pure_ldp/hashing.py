"""Local hashing, and fast local hashing with k hash functions."""

from __future__ import annotations

from typing import Any

from pure_ldp.frequency_oracles.local_hashing import (  # type: ignore[import-not-found]
    FastLHClient,
    FastLHServer,
    LHClient,
    LHServer,
)

from .common import Protocol, cells


class BLH(Protocol):
    """LHClient and LHServer with their defaults (g = 2), given the seed; the mechanism's report is the cell."""

    optimized = False

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        arguments = f"({epsilon}, {d}, use_olh={self.optimized})"
        self.client_code, self.server_code = "LHClient" + arguments, "LHServer" + arguments

    def client(self) -> Any:
        """A fresh client."""
        return LHClient(self._epsilon, self._d, use_olh=self.optimized)

    def server(self) -> Any:
        """A fresh server."""
        return LHServer(self._epsilon, self._d, use_olh=self.optimized)

    def canonical(self, report: Any) -> Any:
        """The cell."""
        return int(report[0])

    def conditions(self, report: Any) -> Any:
        """The seed."""
        return [int(report[1])]

    def facts(self, conditioned: Any) -> Any:
        """The cells of all items under the hash function that the seed selects."""
        return {"hash": cells(self._d, conditioned[0], self.client().g)}


class OLH(BLH):
    """LHClient and LHServer with use_olh=True: g = round(e^epsilon) + 1."""

    optimized = True


class FLH(Protocol):
    """FastLHClient and FastLHServer with k hash functions and use_olh=True on both sides."""

    optimized = True

    def __init__(self, d: int, epsilon: float, k: int) -> None:
        super().__init__(d, epsilon)
        self._k = k
        arguments = f"({epsilon}, {d}, {k}, use_olh={self.optimized})"
        self.client_code, self.server_code = "FastLHClient" + arguments, "FastLHServer" + arguments

    def client(self) -> Any:
        """A fresh client."""
        return FastLHClient(self._epsilon, self._d, self._k, use_olh=self.optimized)

    def server(self) -> Any:
        """A fresh server."""
        return FastLHServer(self._epsilon, self._d, self._k, use_olh=self.optimized)

    def facts(self, conditioned: Any) -> Any:
        """The tables of the k hash functions."""
        return {"hashes": [cells(self._d, seed, self.client().g) for seed in range(self._k)]}


class FLH_defaults(FLH):
    """FastLHClient and FastLHServer with the defaults of both."""

    def __init__(self, d: int, epsilon: float, k: int) -> None:
        super().__init__(d, epsilon, k)
        arguments = f"({epsilon}, {d}, {k})"
        self.client_code, self.server_code = "FastLHClient" + arguments, "FastLHServer" + arguments

    def client(self) -> Any:
        """A fresh client: its default is use_olh=False."""
        return FastLHClient(self._epsilon, self._d, self._k)

    def server(self) -> Any:
        """A fresh server: its default is use_olh=True."""
        return FastLHServer(self._epsilon, self._d, self._k)


class FLH_defaults_repaired(FLH_defaults):
    """With the client's default on both sides."""

    def server(self) -> Any:
        """A fresh server."""
        return FastLHServer(self._epsilon, self._d, self._k, use_olh=False)
