"""smartnoise-sql 1.0.10: the Laplace mechanism of its queries. It is compiled (opendp): the adapter draws samples."""

from __future__ import annotations

from typing import Any

from snsql.sql._mechanisms import Laplace  # type: ignore[import-not-found]


class laplace:
    """Laplace for a count; noisy values outside the window low .. high are merged."""

    def __init__(self, values: Any, sensitivity: int, epsilon: float, low: int, high: int) -> None:
        self._low, self._high = low, high
        self._made = self.make(epsilon, sensitivity)

    def make(self, epsilon: float, sensitivity: int) -> Any:
        """The mechanism: it has no state."""
        return Laplace(epsilon, sensitivity=sensitivity)

    def client(self) -> Any:
        """The mechanism."""
        return self._made

    def privatize(self, client: Any, item: Any) -> Any:
        """The noisy value, rounded, if it is in the window."""
        noisy = round(client.release([item])[0])
        return "below" if noisy < self._low else "above" if noisy > self._high else noisy


class laplace_bounds(laplace):
    """With bounds instead of a sensitivity."""

    def make(self, epsilon: float, sensitivity: int) -> Any:
        """The mechanism."""
        return Laplace(epsilon, lower=0, upper=sensitivity)


class laplace_contributions(laplace):
    """A person has as many records as the sensitivity, each of which counts 1."""

    def make(self, epsilon: float, sensitivity: int) -> Any:
        """The mechanism."""
        return Laplace(epsilon, sensitivity=1, max_contrib=sensitivity)
