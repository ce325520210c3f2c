"""What the protocols of multi-freq-ldpy share: a pair of functions, and the formulas of what is stated about them."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

import numba  # type: ignore[import-not-found]
import numpy as np
import xxhash  # type: ignore[import-not-found]

FOLDERS = {
    "pure_frequency_oracles": ("GRR", "UE", "ADP", "SS", "LH", "HE"),
    "long_freq_est": ("L_GRR", "L_SUE", "L_OUE", "L_OSUE", "L_SOUE", "L_ADP", "L_LH", "dBitFlipPM"),
    "mdim_freq_est": ("SPL_solution", "SMP_solution", "RSpFD_solution"),
    "long_mdim_freq_est": ("L_SPL_Solution", "L_SMP_Solution"),
}
MODULES = [import_module(f"multi_freq_ldpy.{folder}.{name}") for folder, names in FOLDERS.items() for name in names]


class Functions:
    """A pair of functions and the arguments that follow the item (client) and the list of reports (aggregator)."""

    name: ClassVar[str]  # of the functions; by default that of the class
    options: ClassVar[tuple[Any, ...]] = ()
    numbered: ClassVar[bool] = False  # whether reports are numbers, not vectors
    sized: ClassVar[bool] = True  # whether the aggregator gets the first argument, too: how many items there are
    client_arguments: tuple[Any, ...]

    def __init_subclass__(cls) -> None:
        cls.name = cls.__dict__.get("name", cls.__name__)

    @property
    def server_arguments(self) -> tuple[Any, ...]:
        """What the aggregator gets after the reports."""
        return self.client_arguments if self.sized else self.client_arguments[1:]

    def client(self) -> None:
        """The clients are functions."""

    def privatize(self, client: None, item: Any) -> Any:
        """The report on one item."""
        return self._function("Client")(item, *self.client_arguments)

    def server(self) -> list[Any]:
        """An empty list of reports."""
        return []

    def aggregate(self, server: list[Any], report: Any) -> None:
        """Hand one report to the server."""
        server.append(report)

    def estimate(self, server: list[Any]) -> Any:
        """Estimated frequencies of all items."""
        return self._function("Aggregator_MI")(server, *self.server_arguments)

    @property
    def reproduce(self) -> list[str]:
        """How often each report on an item comes out, in the library's own terms."""
        arguments = ", ".join(map(repr, self.client_arguments))
        return [
            "from collections import Counter",
            f"from {self._function('Client').__module__} import {self.name}_Client",
            f"print(Counter(repr({self.name}_Client({{input}}, {arguments})) for _ in range(10000)))",
        ]

    @property
    def reproduce_estimate(self) -> list[str]:
        """The estimates from given reports."""
        arguments = ", ".join(map(repr, self.server_arguments))
        reports = "{reports}" if self.numbered else "[np.array(report) for report in {reports}]"
        return [
            "import numpy as np",
            f"from {self._function('Aggregator_MI').__module__} import {self.name}_Aggregator_MI",
            f"print({self.name}_Aggregator_MI({reports}, {arguments}))",
        ]

    def _function(self, kind: str) -> Any:
        name = self.name + "_" + kind
        return next(
            getattr(module, name) for module in reversed(MODULES) if name in vars(module) and _made_in(module, name)
        )


class Hashed(Functions):
    """Local hashing into `g` cells, given the seed: a report is (cell, seed), the mechanism's is the cell."""

    g: int

    def canonical(self, report: Any) -> Any:
        """The cell."""
        return int(report[0])

    def conditions(self, report: Any) -> Any:
        """The seed."""
        return [int(report[1])]

    def facts(self, conditioned: Any) -> Any:
        """The cells of all items under the hash function that the seed selects."""
        return {"hash": cells(self.client_arguments[0], conditioned[0], self.g)}


def named(base: type[Functions], *names: str, **more: Any) -> dict[str, type[Functions]]:
    """Protocols that differ from `base` in the names of their functions, and in what more is stated."""
    return {name: type(name, (base,), dict(more)) for name in names}


def prepare() -> None:
    """Compile what numba has for all clients, which takes seconds: nothing of the library, and nothing is drawn."""
    for code, signature in (
        (lambda p: np.random.binomial(1, p), "int64(float64)"),
        (lambda items: np.random.choice(items), "int64(int64[:])"),
    ):
        numba.njit(signature)(code)


def stated(function: Any, *arguments: Any) -> dict[str, float]:
    """What a function for the variance states for one report, of a value that nobody holds and of one that all do."""
    return {"stated variance": function(*arguments, f=0), "stated variance, held by all": function(*arguments, f=1)}


def pure(d: int, epsilon: float) -> tuple[float, float]:
    """The probabilities of GRR, as the library has them."""
    p = np.exp(epsilon) / (np.exp(epsilon) + d - 1)
    return p, (1 - p) / (d - 1)


def bits(epsilon: float, optimal: bool) -> tuple[float, float]:
    """The probabilities of unary encoding, as the library has them."""
    if optimal:
        return 1 / 2, 1 / (np.exp(epsilon) + 1)
    p = np.exp(epsilon / 2) / (np.exp(epsilon / 2) + 1)
    return p, 1 - p


def _made_in(module: Any, name: str) -> bool:
    return bool(getattr(module, name).__module__ == module.__name__)


def cells(d: int, seed: int, g: int) -> list[int]:
    """The cells of the items under the hash function of a seed."""
    return [xxhash.xxh32(str(item), seed=seed).intdigest() % g for item in range(d)]
