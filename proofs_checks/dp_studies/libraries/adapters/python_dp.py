"""python-dp 1.1.5: noise on integers. It is compiled, apart from its `ml` mechanisms, which draw in compiled code."""

from __future__ import annotations

from math import exp
from typing import Any

from pydp.algorithms.laplacian import BoundedSum, Count  # type: ignore[import-not-found]
from pydp.algorithms.numerical_mechanisms import LaplaceMechanism  # type: ignore[import-not-found]
from pydp.ml.mechanisms.geometric import Geometric  # type: ignore[import-not-found]
from pydp.ml.mechanisms.laplace import Laplace, LaplaceDistribution  # type: ignore[import-not-found]


class add_noise:
    """LaplaceMechanism.add_noise of an integer; noisy values outside the window low .. high are merged."""

    def __init__(self, values: Any, sensitivity: int, epsilon: float, low: int, high: int) -> None:
        self._sensitivity, self._epsilon, self._low, self._high = sensitivity, epsilon, low, high

    def client(self) -> Any:
        """A fresh mechanism."""
        return LaplaceMechanism(self._epsilon, self._sensitivity)

    def privatize(self, client: Any, item: Any) -> Any:
        """The noisy value, if it is in the window."""
        noisy = round(self.noisy(client, item))
        return "below" if noisy < self._low else "above" if noisy > self._high else noisy

    def noisy(self, client: Any, item: Any) -> Any:
        """The noisy value."""
        return client.add_noise(item)


class add_noise_float(add_noise):
    """LaplaceMechanism.add_noise of the same number as a float."""

    def noisy(self, client: Any, item: Any) -> Any:
        """The noisy value."""
        return client.add_noise(float(item))


class count(add_noise):
    """Count of so many entries."""

    def client(self) -> Any:
        """A fresh count."""
        return Count(epsilon=self._epsilon, dtype="int")

    def noisy(self, client: Any, item: Any) -> Any:
        """The noisy count."""
        return client.quick_result([1] * item)


class bounded_sum(add_noise):
    """BoundedSum, between 0 and the sensitivity, of entries that add up to the input."""

    def client(self) -> Any:
        """A fresh sum."""
        return BoundedSum(epsilon=self._epsilon, lower_bound=0, upper_bound=self._sensitivity, dtype="int")

    def noisy(self, client: Any, item: Any) -> Any:
        """The noisy sum."""
        return client.quick_result([1] * item)


class geometric(add_noise):
    """pydp.ml's Geometric, with the probability that belongs to epsilon."""

    def client(self) -> Any:
        """A fresh mechanism."""
        made = Geometric().set_epsilon(self._epsilon).set_sensitivity(self._sensitivity)
        return made.set_probability(1 - exp(-self._epsilon / self._sensitivity))

    def noisy(self, client: Any, item: Any) -> Any:
        """The noisy value."""
        return client.randomise(item)


class geometric_repaired(geometric):
    """With noise on both sides: the difference of two draws."""

    def noisy(self, client: Any, item: Any) -> Any:
        """The noisy value."""
        return item + client.randomise(0) - client.randomise(0)


class laplace(geometric):
    """pydp.ml's Laplace."""

    def client(self) -> Any:
        """A fresh mechanism."""
        return Laplace().set_epsilon(self._epsilon).set_sensitivity(self._sensitivity)


class _Sampled(Laplace):  # type: ignore[misc, unused-ignore]
    """With the arguments that the distribution has."""

    def randomise(self, value: Any) -> Any:
        """The noisy value."""
        self.check_inputs(value)
        return value - LaplaceDistribution(epsilon=self._epsilon, sensitivity=self._sensitivity).sample()


class laplace_repaired(laplace):
    """pydp.ml's Laplace, as repaired."""

    def client(self) -> Any:
        """A fresh mechanism."""
        return _Sampled().set_epsilon(self._epsilon).set_sensitivity(self._sensitivity)
