"""The frequency oracles as the library has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from pure_ldp.core import _freq_oracle_server  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.hadamard_response.internal import k2k_hadamard  # type: ignore[import-not-found]

from .common import Protocol, Reports, cells


class GRR(Protocol):
    """DEClient and DEServer."""

    client_code, server_code = "DEClient({epsilon}, {d})", "DEServer({epsilon}, {d})"


class SUE(Protocol):
    """UEClient and UEServer with their defaults: symmetric unary encoding, basic RAPPOR."""

    client_code, server_code = (f"UE{kind}({{epsilon}}, {{d}}, use_oue=False)" for kind in ("Client", "Server"))
    report_code = "np.array(report)"


class OUE(SUE):
    """UEClient and UEServer with use_oue=True."""

    client_code, server_code = (f"UE{kind}({{epsilon}}, {{d}}, use_oue=True)" for kind in ("Client", "Server"))


class THE(Protocol):
    """HEClient and HEServer(use_the=True): a report is what the server's thresholding makes of the client's vector."""

    client_code, server_code = "HEClient({epsilon}, {d})", "HEServer({epsilon}, {d}, use_the=True)"
    report_code = "np.array(report, dtype=float)"

    @property
    def theta(self) -> float:
        """The server's threshold."""
        return float(self.server().theta)

    def privatize(self, client: Any, item: Any) -> Any:
        """The thresholded bits: the server overwrites the vector that it is given."""
        report = super().privatize(client, item)
        return [int(entry > self.theta) for entry in report]

    def aggregate(self, server: Any, report: Any) -> None:
        """Bits are on the same side of the threshold as the numbers that they come from."""
        server.aggregate(np.array(report, dtype=float))


class BLH(Protocol):
    """LHClient and LHServer with their defaults (g = 2), given the seed; the mechanism's report is the cell."""

    client_code, server_code = (f"LH{kind}({{epsilon}}, {{d}}, use_olh=False)" for kind in ("Client", "Server"))

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

    client_code, server_code = (f"LH{kind}({{epsilon}}, {{d}}, use_olh=True)" for kind in ("Client", "Server"))


class FLH(Protocol):
    """FastLHClient and FastLHServer with k hash functions and use_olh=True on both sides."""

    client_code, server_code = (f"FastLH{x}({{epsilon}}, {{d}}, {{k}}, use_olh=True)" for x in ("Client", "Server"))

    def __init__(self, d: int, epsilon: float, k: int) -> None:
        super().__init__(d, epsilon)
        self._k = k

    def facts(self, conditioned: Any) -> Any:
        """The tables of the k hash functions."""
        return {"hashes": [cells(self._d, seed, self.client().g) for seed in range(self._k)]}


class FLH_defaults(FLH):
    """FastLHClient and FastLHServer with the defaults of both, which are use_olh=False and use_olh=True."""

    client_code, server_code = "FastLHClient({epsilon}, {d}, {k})", "FastLHServer({epsilon}, {d}, {k})"


class HM(Protocol):
    """HadamardMechClient and HadamardMechServer with t coefficients (t has no default)."""

    client_code, server_code = (f"HadamardMech{x}({{epsilon}}, {{d}}, {{t}})" for x in ("Client", "Server"))

    def __init__(self, d: int, epsilon: float, t: int) -> None:
        super().__init__(d, epsilon)
        self._t = t
        self.report_code = "[report]" if t == 1 else "report"

    def privatize(self, client: Any, item: Any) -> Any:
        """The type of the report, and its t pairs (index, sign)."""
        report = super().privatize(client, item)
        return type(report).__name__, [(int(index), int(sign)) for index, sign in report]

    def canonical(self, report: Any) -> Any:
        """The pairs; the pair for t = 1."""
        return report[1][0] if self._t == 1 else report[1]

    def aggregate(self, server: Any, report: Any) -> None:
        """The server takes the pairs."""
        server.aggregate(report[1])


class HR(Protocol):
    """HadamardResponseClient and HadamardResponseServer; the public permutation of the items is the identity."""

    client_code = "HadamardResponseClient({epsilon}, {d}, range({d}))"
    server_code = "HadamardResponseServer({epsilon}, {d})"

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        k2k_hadamard.Random_Permutation = lambda size: (np.arange(size), np.arange(size))

    def client(self) -> Any:
        """A fresh client with a server's permutation."""
        permutation = self.server().get_hash_funcs()
        return self.names["HadamardResponseClient"](self._epsilon, self._d, permutation)


class RAPPOR(Reports):
    """RAPPORClient with f and cohorts of k hash functions each. The server fits a regression: no exact estimator."""

    family = "[[generate_hash({m}, c * {k} + j) for j in range({k})] for c in range({cohorts})]"
    client_code = f"RAPPORClient({{f}}, {{m}}, {family}, {{cohorts}})"

    def __init__(self, d: int, f: float, m: int, k: int, cohorts: int) -> None:
        super().__init__(d, 0.0)
        self._f, self._m, self._k, self._cohorts = f, m, k, cohorts

    def facts(self, conditioned: Any) -> Any:
        """For every cohort and item the positions in the Bloom filter."""
        items = [str(item) for item in range(self._d)]
        return {"filters": [[[h(item) for h in hashes] for item in items] for hashes in self.made(self.family)]}


class Sketch(Protocol):
    """A server and a client with k hash functions into m columns. Items are text: the library hashes str(item).

    Servers of sketches have no d, and their base class makes zeros(d): with current numpy they cannot be made at all.
    """

    def __init__(self, d: int, epsilon: float, k: int, m: int) -> None:
        super().__init__(d, epsilon)
        _freq_oracle_server.np = _OlderNumpy()
        self._k, self._m = k, m

    def tables(self, functions: Any) -> list[list[int]]:
        """The values of functions at all items."""
        return [[h(str(item + 1)) for item in range(self._d)] for h in functions]


class CMS(Sketch):
    """CMSServer(k, m) and a client with its hash functions."""

    client_code = "CMSClient({epsilon}, generate_hash_funcs({k}, {m}), {m}, False)"
    server_code = "CMSServer({epsilon}, {k}, {m}, False)"
    report_code = "(np.array(report[0]), *report[1:])"

    def facts(self, conditioned: Any) -> Any:
        """The tables of the k hash functions."""
        return {"hashes": self.tables(self.server().get_hash_funcs())}


class HCMS(CMS):
    """CMS with is_hadamard=True."""

    client_code = "CMSClient({epsilon}, generate_hash_funcs({k}, {m}), {m}, True)"
    server_code = "CMSServer({epsilon}, {k}, {m}, True)"


class PCS(Sketch):
    """PCSServer(k, m) and a client with its hash functions, with the default use_median=True."""

    client_code = (
        "PCSClient({epsilon}, {k}, {m}, list(zip(generate_hash_funcs({k}, {m}), generate_hash_funcs({k}, 2))))"
    )
    server_code = "PCSServer({epsilon}, {k}, {m}, True)"
    report_code = "(np.array(report[0]), report[1])"

    def facts(self, conditioned: Any) -> Any:
        """The tables of the k hash functions and of the k functions of signs."""
        places, signs = zip(*self.server().get_hash_funcs())  # noqa: B905 - Python 3.8 has no strict
        return {"hashes": self.tables(places), "signs": self.tables(signs)}

    @property
    def reproduce_estimate(self) -> list[str]:
        """The estimates from given reports."""
        *first, last = super().reproduce_estimate
        return [*first, f"{last}  # with a numpy before 2.4: later ones refuse the zeros(None) of its server"]


class PCS_mean(PCS):
    """PCS with use_median=False."""

    server_code = "PCSServer({epsilon}, {k}, {m}, False)"


class _OlderNumpy:
    """numpy, but with zeros(None) answered as numpy did when the library was released."""

    def zeros(self, shape: Any, *arguments: Any, **options: Any) -> Any:
        """An array; None is the shape ()."""
        return np.zeros(() if shape is None else shape, *arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)
