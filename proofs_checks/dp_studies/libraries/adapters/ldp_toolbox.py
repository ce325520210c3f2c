"""ldp-toolbox 0.1.3: its frequency oracles. Its items are 0 .. d-1, its estimates frequencies.

One object is both client and server, made as its dashboard makes it. Local hashing estimates in processes (joblib's
Parallel): here the same calls are made one after the other.
"""

from __future__ import annotations

from typing import Any, Iterable  # noqa: UP035 - Python 3.8

import numpy as np
import xxhash  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency import lh  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency.grr import GeneralizedRandomizedResponse  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency.he import HistogramEncoding  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency.lh import LocalHashing  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency.ss import SubsetSelection  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency.ue import UnaryEncoding  # type: ignore[import-not-found]


class _Protocol:
    """`make` is the class of the library, `options` its arguments after k and epsilon."""

    make: Any
    options: dict[str, Any] = {}  # noqa: RUF012 - never written

    def __init__(self, d: int, epsilon: float) -> None:
        self._d, self._epsilon = d, epsilon

    def client(self) -> Any:
        """A fresh object."""
        return self.make(self._d, self._epsilon, **self.options)

    def privatize(self, client: Any, item: Any) -> Any:
        """The report on one item."""
        return client.obfuscate(item)

    def server(self) -> tuple[Any, list[Any]]:
        """A fresh object and no reports."""
        return self.client(), []

    def aggregate(self, server: tuple[Any, list[Any]], report: Any) -> None:
        """Keep one report: the library wants all of them at once."""
        server[1].append(report)

    def estimate(self, server: tuple[Any, list[Any]]) -> Any:
        """Estimated frequencies of all items."""
        return server[0].estimate(server[1])

    def facts(self, conditioned: Any) -> dict[str, Any]:
        """What the library states: the variance of an estimate from one report, the success of its attack."""
        protocol = self.client()
        return {"stated variance": protocol.get_mse(), "stated attack success": protocol.get_asr()}

    @property
    def _made(self) -> list[str]:
        name, module = self.make.__name__, self.make.__module__
        options = "".join(f", {option}={value}" for option, value in self.options.items())
        return [
            f"from {module} import {name}; import numpy as np; from math import nan",
            f"protocol = {name}({self._d}, {self._epsilon!r}{options})",
        ]

    @property
    def reproduce(self) -> list[str]:
        """Reports on an item, in the library's own terms."""
        return [*self._made, "print([protocol.obfuscate({input}) for _ in range(10)])"]

    report_code = "report"

    @property
    def reproduce_estimate(self) -> list[str]:
        """The estimates from given reports."""
        return [*self._made, f"print(protocol.estimate([{self.report_code} for report in {{reports}}]))"]


class GRR(_Protocol):
    """GeneralizedRandomizedResponse."""

    make = GeneralizedRandomizedResponse


class OUE(_Protocol):
    """UnaryEncoding with its default optimal=True."""

    make = UnaryEncoding
    report_code = "np.array(report)"


class SUE(OUE):
    """UnaryEncoding with optimal=False: symmetric unary encoding, basic RAPPOR."""

    options = {"optimal": False}  # noqa: RUF012


class SS(_Protocol):
    """SubsetSelection; a report is an array, whose order means nothing."""

    make = SubsetSelection
    report_code = "np.array(sorted(report))"

    def facts(self, conditioned: Any) -> dict[str, Any]:
        """And the number of items in a report."""
        return {**super().facts(conditioned), "k": int(self.client().omega)}

    def canonical(self, report: Any) -> Any:
        """The set of the items; a list where an item occurs twice."""
        items = [int(item) for item in report]
        return frozenset(items) if len(set(items)) == len(items) else items


class OLH(_Protocol):
    """LocalHashing with its default optimal=True, given the seed: the mechanism's report is the cell."""

    make = LocalHashing

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        lh.Parallel = _OneByOne

    def canonical(self, report: Any) -> Any:
        """The cell."""
        return int(report[0])

    def conditions(self, report: Any) -> Any:
        """The seed."""
        return [int(report[1])]

    def facts(self, conditioned: Any) -> dict[str, Any]:
        """And the cells of all items under the hash function that the seed selects."""
        seed, g = conditioned[0], self.client().g
        cells = [xxhash.xxh32(str(item), seed=seed).intdigest() % g for item in range(self._d)]
        return {**super().facts(conditioned), "g": g, "hash": cells}

    @property
    def reproduce_estimate(self) -> list[str]:
        """The estimates from cells that are reported with the same seed, 3."""
        return [*self._made, "print(protocol.estimate([(cell, 3) for cell in {reports}]))"]


class BLH(OLH):
    """LocalHashing with optimal=False: g = 2."""

    options = {"optimal": False}  # noqa: RUF012


class THE(_Protocol):
    """HistogramEncoding with its default thresholding=True; a report is the array of the items above the threshold."""

    make = HistogramEncoding
    report_code = "np.flatnonzero(report)"

    def canonical(self, report: Any) -> Any:
        """The bits that say which items are above the threshold."""
        bits = np.zeros(self._d, dtype=int)
        bits[report] = 1
        return [int(bit) for bit in bits]

    def facts(self, conditioned: Any) -> dict[str, Any]:
        """And the threshold."""
        return {**super().facts(conditioned), "theta": float(self.client().threshold)}


class SHE(_Protocol):
    """HistogramEncoding with thresholding=False, whose d noisy numbers are seen through a threshold theta of ours."""

    make = HistogramEncoding
    options = {"thresholding": False}  # noqa: RUF012

    def __init__(self, d: int, epsilon: float, theta: float) -> None:
        super().__init__(d, epsilon)
        self._theta = theta

    def privatize(self, client: Any, item: Any) -> Any:
        """Which numbers are above theta."""
        return [int(number > self._theta) for number in client.obfuscate(item)]

    def facts(self, conditioned: Any) -> dict[str, Any]:
        """None: what the library states is about the numbers."""
        return {}


class _Whole(_Protocol):
    """With inputs that have to be integers."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The report on one item."""
        if not isinstance(item, (int, np.integer)):
            raise TypeError("no integer")
        return super().privatize(client, item)


class GRR_repaired(_Whole, GRR):
    """GRR on integers."""


class SS_repaired(_Whole, SS):
    """SS on integers."""


class _Defined(_Protocol):
    """With estimates that stay 0 where no item has a positive one: they are not divided by their sum."""

    def estimate(self, server: tuple[Any, list[Any]]) -> Any:
        """Estimated frequencies of all items."""
        return np.nan_to_num(super().estimate(server))


class SUE_repaired(_Defined, SUE):
    """SUE with estimates that are numbers."""


class OUE_repaired(_Defined, OUE):
    """OUE with estimates that are numbers."""


class THE_repaired(_Defined, THE):
    """THE with estimates that are numbers."""


class OLH_repaired(_Defined, OLH):
    """OLH on whole numbers, with a cell of one type, and estimates that are numbers."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The cell and the seed."""
        if item is None or item != int(item):
            raise TypeError("no integer")
        cell, *rest = super().privatize(client, int(item))
        return (int(cell), *rest)


class BLH_repaired(OLH_repaired, BLH):
    """BLH on integers, with a cell of one type."""


class _OneByOne:
    """joblib.Parallel without processes."""

    def __init__(self, n_jobs: int) -> None:
        """The number of processes is ignored."""

    def __call__(self, calls: Iterable[Any]) -> list[Any]:
        """The results of the calls."""
        return [function(*given, **named) for function, given, named in calls]
