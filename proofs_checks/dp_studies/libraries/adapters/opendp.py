"""opendp 0.16.0: measurements on finite sets and integers. It is compiled: the adapter is asked for samples.

The noise scale, or the probability of a true answer, is the one that spends the given epsilon by the library's own
privacy map.
"""

from __future__ import annotations

from math import exp
from typing import Any

import opendp.prelude as dp  # type: ignore[import-not-found]

dp.enable_features("contrib")


class _Measurement:
    """A measurement, made once. `code` makes it, for reproductions."""

    code: str

    def __init__(self) -> None:
        self._measurement: Any = eval(self.code, {"dp": dp})

    @property
    def reproduce(self) -> list[str]:
        """How often each output comes out, in the library's own terms."""
        return [
            'import opendp.prelude as dp; from collections import Counter; dp.enable_features("contrib")',
            f"measurement = {self.code}",
            f"print(Counter(measurement({self.input_code}) for _ in range(10000)))",
        ]

    input_code = "{input}"

    def client(self) -> Any:
        """The measurement: it has no state."""
        return self._measurement

    def privatize(self, client: Any, item: Any) -> Any:
        """The output."""
        return client(item)


class randomized_response_bool(_Measurement):
    """make_randomized_response_bool."""

    input_code = "bool({input})"

    def __init__(self, epsilon: float) -> None:
        self.code = f"dp.m.make_randomized_response_bool(prob={exp(epsilon) / (exp(epsilon) + 1)})"
        super().__init__()

    def privatize(self, client: Any, item: Any) -> Any:
        """The answer; the library refuses what is no bool."""
        return client(bool(item) if item in (0, 1) else item)

    def canonical(self, report: Any) -> Any:
        """The answer as 0 or 1."""
        return int(report)


class randomized_response(_Measurement):
    """make_randomized_response on the categories 0 .. d-1."""

    def __init__(self, d: int, epsilon: float) -> None:
        prob = exp(epsilon) / (exp(epsilon) + d - 1)
        self.code = f"dp.m.make_randomized_response(categories={list(range(d))}, prob={prob})"
        super().__init__()


class randomized_response_bitvec(_Measurement):
    """make_randomized_response_bitvec on vectors of d bits of which one is set; every bit flips with probability q."""

    def __init__(self, d: int, p: float, q: float) -> None:
        domain = "dp.bitvector_domain(max_weight=1), dp.discrete_distance()"
        self.code = f"dp.m.make_randomized_response_bitvec({domain}, f={2 * q})"
        self._d, self._bytes = d, (d + 7) // 8
        self.input_code = f"(1 << {8 * self._bytes - 1} - {{input}}).to_bytes({self._bytes}, 'big')"
        super().__init__()

    def privatize(self, client: Any, item: Any) -> Any:
        """The perturbed vector, as bytes."""
        return client((1 << 8 * self._bytes - 1 - item).to_bytes(self._bytes, "big"))

    def canonical(self, report: Any) -> Any:
        """Its first d bits; the rest fills the last byte."""
        return [int.from_bytes(report, "big") >> 8 * self._bytes - 1 - x & 1 for x in range(self._d)]


class laplace(_Measurement):
    """make_laplace on integers; outputs outside the window low .. high are merged, which is post-processing."""

    name = "make_laplace"
    more = ""

    def __init__(self, values: Any, sensitivity: int, epsilon: float, low: int, high: int) -> None:
        domain = "dp.atom_domain(T=int), dp.absolute_distance(T=int)"
        self.code = f"dp.m.{self.name}({domain}, scale={sensitivity / epsilon}{self.more})"
        self._low, self._high = low, high
        super().__init__()

    def privatize(self, client: Any, item: Any) -> Any:
        """The noisy value, if it is in the window."""
        noisy = client(item)
        return "below" if noisy < self._low else "above" if noisy > self._high else noisy


class geometric(laplace):
    """make_geometric on integers, without bounds."""

    name = "make_geometric"


class geometric_bounded(geometric):
    """make_geometric with bounds (its constant-time sampler)."""

    def __init__(self, values: Any, sensitivity: int, epsilon: float, lower: int, upper: int) -> None:
        self.more = f", bounds=({lower}, {upper})"
        super().__init__(values, sensitivity, epsilon, lower, upper)


class gaussian(laplace):
    """make_gaussian on integers; outputs outside the window low .. high are merged, which is post-processing."""

    name = "make_gaussian"

    def __init__(self, values: Any, sigma: float, low: int, high: int) -> None:
        super().__init__(values, 1, 1 / sigma, low, high)


class noisy_max(_Measurement):
    """make_noisy_max for pure differential privacy (exponential noise): the law is that of permute-and-flip."""

    measure = "max_divergence"

    def __init__(self, utilities: Any, sensitivity: float, epsilon: float, monotonic: bool = False) -> None:
        space = (
            f"dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float, monotonic={monotonic})"
        )
        scale = (1 if monotonic else 2) * sensitivity / epsilon
        self._utilities = utilities
        self.input_code = f"{utilities}[{{input}}]"
        self.code = f"dp.m.make_noisy_max({space}, dp.{self.measure}(), scale={scale})"
        super().__init__()

    def privatize(self, client: Any, item: Any) -> Any:
        """The candidate selected on a data set."""
        return client(self._utilities[item])


class noisy_max_gumbel(noisy_max):
    """make_noisy_max for zero-concentrated privacy (Gumbel noise): the law is that of the exponential mechanism."""

    measure = "zero_concentrated_divergence"
