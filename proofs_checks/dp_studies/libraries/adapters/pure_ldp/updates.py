"""Clients and servers that are made for half of epsilon, then updated to it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .protocols import BLH, CMS, FLH, GRR, HCMS, HM, HR, OLH, OUE, PCS, SUE, THE
from .repairs import HM_repaired, PCS_repaired


class _Updated:
    """Client and server made for half of epsilon, then updated to it."""

    _epsilon: float

    def client(self) -> Any:
        """A client whose budget was changed."""
        return self._changed("client")

    def server(self) -> Any:
        """A server whose budget was changed."""
        return self._changed("server")

    def _changed(self, kind: str) -> Any:
        epsilon = self._epsilon
        self._epsilon = epsilon / 2
        try:
            made = getattr(super(), kind)()
        finally:
            self._epsilon = epsilon
        made.update_params(epsilon=epsilon)
        return made

    @property
    def reproduce(self) -> list[str]:
        """How often each report on an item comes out."""
        first, made, last = super().reproduce  # type: ignore[misc]
        return [first, _halved(made, self._epsilon) + f"; client.update_params(epsilon={self._epsilon})", last]

    @property
    def reproduce_estimate(self) -> list[str]:
        """The estimates from given reports."""
        first, made, last = super().reproduce_estimate  # type: ignore[misc]
        made, _, rest = made.partition("; ")
        return [first, _halved(made, self._epsilon) + f"; server.update_params(epsilon={self._epsilon}); {rest}", last]


def _halved(code: str, epsilon: float) -> str:
    return code.replace(f"({epsilon}", f"({epsilon / 2}", 1)


globals().update(
    {
        f"{made.__name__}_updated": type(f"{made.__name__}_updated", (_Updated, made), {})
        for made in (GRR, SUE, OUE, THE, BLH, OLH, FLH, HM, HR, CMS, HCMS, PCS)
    }
)


class FLH_updated_repaired(_Updated, FLH):
    """With a matrix of counts for the new g."""

    def server(self) -> Any:
        """A server whose budget was changed."""
        made = super().server()
        made.hash_counts = np.zeros((made.k, made.g))
        return made


class HM_updated_repaired(_Updated, HM_repaired):
    """HM as repaired, updated."""


class PCS_updated_repaired(_Updated, PCS_repaired):
    """PCS as repaired, updated."""
