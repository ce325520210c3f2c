"""Clients and servers that are made for half of epsilon, then updated to it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .encodings import GRR, OUE, SUE, THE
from .hadamard import HM, HR, HM_repaired
from .hashing import BLH, FLH, OLH
from .sketches import CMS, HCMS, PCS, PCS_repaired


class Updated:
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


class GRR_updated(Updated, GRR):
    """GRR, updated."""


class SUE_updated(Updated, SUE):
    """SUE, updated."""


class OUE_updated(Updated, OUE):
    """OUE, updated."""


class THE_updated(Updated, THE):
    """THE, updated."""


class BLH_updated(Updated, BLH):
    """BLH, updated."""


class OLH_updated(Updated, OLH):
    """OLH, updated."""


class FLH_updated(Updated, FLH):
    """FLH, updated."""


class HM_updated(Updated, HM):
    """HM, updated."""


class HR_updated(Updated, HR):
    """HR, updated."""


class CMS_updated(Updated, CMS):
    """CMS, updated."""


class HCMS_updated(Updated, HCMS):
    """HCMS, updated."""


class PCS_updated(Updated, PCS):
    """PCS, updated."""


class FLH_updated_repaired(FLH_updated):
    """With a matrix of counts for the new g."""

    def server(self) -> Any:
        """A server whose budget was changed."""
        made = super().server()
        made.hash_counts = np.zeros((made.k, made.g))
        return made


class HM_updated_repaired(Updated, HM_repaired):
    """HM as repaired, updated."""


class PCS_updated_repaired(Updated, PCS_repaired):
    """PCS as repaired, updated."""
