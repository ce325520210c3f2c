"""privadjust 1.0.13: its count mean sketches, on the values 0 .. d-1.

The object draws its hash functions when it is made, from polynomials modulo a prime: here they are two tables.
Estimates are computed by an object for so many values, as its commands do.
"""

from __future__ import annotations

from typing import Any

import pandas as pd  # type: ignore[import-untyped]
from privadjust.count_mean import private_cms_client as cms  # type: ignore[import-not-found]
from privadjust.hadamard_count_mean import private_hcms_client as hcms  # type: ignore[import-not-found]
from privadjust.hadamard_count_mean import private_hcms_server as hcms_server


def _table(j: int, m: int) -> Any:
    """Function j: the items in the order 0, 1, ..., then in steps of 2 from 1 on, modulo m."""
    return lambda item: (int(item) * (j + 1) + j) % m


class CMS:
    """privateCMSClient, and its own simulation of the server."""

    module = cms
    name = "privateCMSClient"

    def __init__(self, d: int, epsilon: float, k: int, m: int) -> None:
        self._d, self._epsilon, self._k, self._m = d, epsilon, k, m
        self.module.primerange = lambda *bounds: [1000003]
        self.module.generate_hash_functions = lambda k, p, c, m: [_table(j, m) for j in range(k)]

    def _made(self, values: int) -> Any:
        frame = pd.DataFrame({"value": [x % self._d for x in range(max(values, self._d))][: max(values, 1)]})
        return getattr(self.module, self.name)(self._epsilon, self._k, self._m, frame)

    def client(self) -> Any:
        """A fresh object."""
        return self._made(self._d)

    def privatize(self, client: Any, item: Any) -> Any:
        """The report on one value."""
        return client.client(item)

    def server(self) -> Any:
        """No reports."""
        return []

    def aggregate(self, server: Any, report: Any) -> None:
        """Keep one report: the size of the data set is an argument of the object."""
        server.append(report)

    def estimate(self, server: Any) -> Any:
        """Estimated counts of all values."""
        made = self.counter(self._made(len(server)))
        for report in server:
            made.update_sketch_matrix(*report)
        self.finish(made)
        return [getattr(made, self.estimator)(item) for item in range(self._d)]

    estimator = "estimate_client"

    def counter(self, made: Any) -> Any:
        """What counts the reports: the object itself, or a server for it."""
        return made

    def finish(self, made: Any) -> None:
        """What is done with the matrix before estimates."""

    def facts(self, conditioned: Any) -> Any:
        """The tables of the hash functions."""
        return {"hashes": [[_table(j, self._m)(item) for item in range(self._d)] for j in range(self._k)]}

    @property
    def reproduce(self) -> list[str]:
        """Reports on an item, in the library's own terms."""
        module = self.module.__name__
        return [
            f"import pandas as pd; from {module} import {self.name}",
            f"data = pd.DataFrame({{'value': range({self._d})}})",
            f"print({self.name}({self._epsilon}, {self._k}, {self._m}, data).client({{input}}))",
        ]

    @property
    def reproduce_estimate(self) -> list[str]:
        """How the estimates of many equal values turn out: their mean is the number of values, if they are unbiased."""
        module = self.module.__name__
        return [
            f"import pandas as pd; from {module} import {self.name}; data = pd.DataFrame({{'value': [0] * 20000}})",
            f"made = {self.name}({self._epsilon}, {self._k}, {self._m}, data)",
            "print(made.server_simulator([made.client(0) for _ in range(20000)])[0])",
        ]


class HCMS(CMS):
    """privateHCMSClient, and its own simulation of the server."""

    module = hcms
    name = "privateHCMSClient"

    def finish(self, made: Any) -> None:
        """Back from Hadamard coefficients."""
        made.traspose_M()


class HCMS_server(HCMS):
    """privateHCMSClient and privateHCMSServer."""

    estimator = "estimate_server"

    def counter(self, made: Any) -> Any:
        """The server."""
        return hcms_server.privateHCMSServer(self._epsilon, self._k, self._m, made.df, made.hashes)

    @property
    def reproduce_estimate(self) -> list[str]:
        """The server, made as its command makes it."""
        return [
            "import pandas as pd; from privadjust.hadamard_count_mean.private_hcms_server import privateHCMSServer",
            "data = pd.DataFrame({'value': [0, 1]})",
            f"privateHCMSServer({self._epsilon}, 2, 4, data, [])",
        ]


class HCMS_repaired(HCMS):
    """With the constant of the probability that the client uses: that of epsilon instead of epsilon / 2."""

    def counter(self, made: Any) -> Any:
        """The object, which halves its epsilon when it counts."""
        made.epsilon = 2 * self._epsilon
        return made


class _Server(hcms_server.privateHCMSServer):  # type: ignore[misc, unused-ignore]
    """With the data frame kept before it is used."""

    def __init__(self, epsilon: float, k: int, m: int, df: Any, hashes: Any) -> None:
        self.df = df
        super().__init__(epsilon, k, m, df, hashes)


class HCMS_server_repaired(HCMS_server):
    """A server that can be made, with the constant of the client's probability."""

    def counter(self, made: Any) -> Any:
        """The server, which halves its epsilon."""
        return _Server(2 * self._epsilon, self._k, self._m, made.df, made.hashes)
