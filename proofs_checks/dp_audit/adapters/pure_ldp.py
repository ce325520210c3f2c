"""pure-ldp 1.2.0: clients and servers of its frequency oracles. Its items are 1 .. d, its estimates counts.

Parameters and defaults as in its documentation and example.py. Hash functions that a server draws when it is made (they
are public and shared with the clients) are drawn once, with fixed seeds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import xxhash  # type: ignore[import-not-found]
from pure_ldp.core import _freq_oracle_server, generate_hash  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.apple_cms import CMSClient, CMSServer  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.hadamard_mechanism import (  # type: ignore[import-not-found]
    HadamardMechClient,
    HadamardMechServer,
)
from pure_ldp.frequency_oracles.hadamard_response import (  # type: ignore[import-not-found]
    HadamardResponseClient,
    HadamardResponseServer,
)
from pure_ldp.frequency_oracles.hadamard_response.internal import k2k_hadamard  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.histogram_encoding import HEClient, HEServer  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.local_hashing import (  # type: ignore[import-not-found]
    FastLHClient,
    FastLHServer,
    LHClient,
    LHServer,
)
from pure_ldp.frequency_oracles.priv_count_sketch import PCSClient, PCSServer  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.rappor import RAPPORClient  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer  # type: ignore[import-not-found]


class _Protocol:
    """A client object, a server object. `client_code` and `server_code` make them, for reproductions."""

    client_code: str
    server_code: str

    def __init__(self, d: int, epsilon: float) -> None:
        self._d, self._epsilon = d, epsilon

    def privatize(self, client: Any, item: Any) -> Any:
        """The report on one item."""
        return client.privatise(item + 1)

    def aggregate(self, server: Any, report: Any) -> None:
        """Hand one report to the server."""
        server.aggregate(report)

    def estimate(self, server: Any) -> Any:
        """Estimated counts of all items, without the optional normalization."""
        return server.estimate_all(range(1, self._d + 1), suppress_warnings=True)

    @property
    def reproduce(self) -> list[str]:
        """How often each report on an item comes out, in the library's own terms."""
        return [
            "from collections import Counter; from pure_ldp.frequency_oracles import *; from pure_ldp.core import *",
            f"client = {self.client_code}",
            "print(Counter(repr(client.privatise({input} + 1)) for _ in range(10000)))",
        ]

    @property
    def reproduce_estimate(self) -> list[str]:
        """The estimates from given reports."""
        return [
            "import numpy as np; from pure_ldp.frequency_oracles import *; from pure_ldp.core import *",
            f"server = {self.server_code}; [server.aggregate({self.report_code}) for report in {{reports}}]",
            f"print(server.estimate_all(range(1, {self._d + 1}), suppress_warnings=True))",
        ]

    report_code = "report"


class GRR(_Protocol):
    """DEClient and DEServer."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.client_code, self.server_code = f"DEClient({epsilon}, {d})", f"DEServer({epsilon}, {d})"

    def client(self) -> Any:
        """A fresh client."""
        return DEClient(self._epsilon, self._d)

    def server(self) -> Any:
        """A fresh server."""
        return DEServer(self._epsilon, self._d)


class SUE(_Protocol):
    """UEClient and UEServer with their defaults: symmetric unary encoding, basic RAPPOR."""

    optimized = False
    report_code = "np.array(report)"

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        arguments = f"({epsilon}, {d}, use_oue={self.optimized})"
        self.client_code, self.server_code = "UEClient" + arguments, "UEServer" + arguments

    def client(self) -> Any:
        """A fresh client."""
        return UEClient(self._epsilon, self._d, use_oue=self.optimized)

    def server(self) -> Any:
        """A fresh server."""
        return UEServer(self._epsilon, self._d, use_oue=self.optimized)


class OUE(SUE):
    """UEClient and UEServer with use_oue=True."""

    optimized = True


class THE(_Protocol):
    """HEClient and HEServer(use_the=True): a report is what the server's thresholding makes of the client's vector."""

    report_code = "np.array(report, dtype=float)"

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        self.client_code = f"HEClient({epsilon}, {d})"
        self.server_code = f"HEServer({epsilon}, {d}, use_the=True)"

    @property
    def theta(self) -> float:
        """The server's threshold."""
        return float(self.server().theta)

    def client(self) -> Any:
        """A fresh client."""
        return HEClient(self._epsilon, self._d)

    def privatize(self, client: Any, item: Any) -> Any:
        """The thresholded bits: the server overwrites the vector that it is given."""
        report = super().privatize(client, item)
        return [int(entry > self.theta) for entry in report]

    def server(self) -> Any:
        """A fresh server."""
        return HEServer(self._epsilon, self._d, use_the=True)

    def aggregate(self, server: Any, report: Any) -> None:
        """Bits are on the same side of the threshold as the numbers that they come from."""
        server.aggregate(np.array(report, dtype=float))


class BLH(_Protocol):
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
        return {"hash": _cells(self._d, conditioned[0], self.client().g)}


class OLH(BLH):
    """LHClient and LHServer with use_olh=True: g = round(e^epsilon) + 1."""

    optimized = True


class FLH(_Protocol):
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
        return {"hashes": [_cells(self._d, seed, self.client().g) for seed in range(self._k)]}


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


class HM(_Protocol):
    """HadamardMechClient and HadamardMechServer with t coefficients (t has no default)."""

    def __init__(self, d: int, epsilon: float, t: int) -> None:
        super().__init__(d, epsilon)
        self._t = t
        self.client_code, self.server_code = (f"HadamardMech{x}({epsilon}, {d}, {t})" for x in ("Client", "Server"))
        self.report_code = "[report]" if t == 1 else "report"

    def client(self) -> Any:
        """A fresh client."""
        return HadamardMechClient(self._epsilon, self._d, self._t)

    def server(self) -> Any:
        """A fresh server."""
        return HadamardMechServer(self._epsilon, self._d, self._t)

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


class HR(_Protocol):
    """HadamardResponseClient and HadamardResponseServer; the public permutation of the items is the identity."""

    def __init__(self, d: int, epsilon: float) -> None:
        super().__init__(d, epsilon)
        k2k_hadamard.Random_Permutation = lambda size: (np.arange(size), np.arange(size))
        self.client_code = f"HadamardResponseClient({epsilon}, {d}, range({d}))"
        self.server_code = f"HadamardResponseServer({epsilon}, {d})"

    def client(self) -> Any:
        """A fresh client with a server's permutation."""
        return HadamardResponseClient(self._epsilon, self._d, self.server().get_hash_funcs())

    def server(self) -> Any:
        """A fresh server."""
        return HadamardResponseServer(self._epsilon, self._d)


class RAPPOR(_Protocol):
    """RAPPORClient with f and cohorts of k hash functions each. The server fits a regression: no exact estimator."""

    def __init__(self, d: int, f: float, m: int, k: int, cohorts: int) -> None:
        super().__init__(d, 0.0)
        self._f, self._m, self._cohorts = f, m, cohorts
        self._family = [[generate_hash(m, cohort * k + j) for j in range(k)] for cohort in range(cohorts)]
        family = f"[[generate_hash({m}, c * {k} + j) for j in range({k})] for c in range({cohorts})]"
        self.client_code = f"RAPPORClient({f}, {m}, {family}, {cohorts})"

    def client(self) -> Any:
        """A fresh client."""
        return RAPPORClient(self._f, self._m, self._family, self._cohorts)

    def facts(self, conditioned: Any) -> Any:
        """For every cohort and item the positions in the Bloom filter."""
        filters = [[[h(str(item)) for h in hashes] for item in range(self._d)] for hashes in self._family]
        return {"filters": filters}


class RAPPOR_epsilon(RAPPOR):
    """RAPPOR whose f is what its convert_eps_to_f makes of epsilon."""

    def __init__(self, d: int, epsilon: float, m: int, k: int, cohorts: int) -> None:
        super().__init__(d, RAPPORClient(0.5, m, []).convert_eps_to_f(epsilon), m, k, cohorts)


class CMS(_Protocol):
    """CMSServer(k, m) and a client with its hash functions. The items are text: the library hashes str(item)."""

    hadamard = False
    report_code = "(np.array(report[0]), *report[1:])"

    def __init__(self, d: int, epsilon: float, k: int, m: int) -> None:
        super().__init__(d, epsilon)
        _accept_shape_none()
        self._k, self._m = k, m
        self.client_code = f"CMSClient({epsilon}, generate_hash_funcs({k}, {m}), {m}, {self.hadamard})"
        self.server_code = f"CMSServer({epsilon}, {k}, {m}, {self.hadamard})"

    def client(self) -> Any:
        """A fresh client with the server's hash functions."""
        return CMSClient(self._epsilon, self.server().get_hash_funcs(), self._m, self.hadamard)

    def server(self) -> Any:
        """A fresh server."""
        return CMSServer(self._epsilon, self._k, self._m, self.hadamard)

    def facts(self, conditioned: Any) -> Any:
        """The tables of the k hash functions."""
        functions = self.server().get_hash_funcs()
        return {"hashes": [[h(str(item + 1)) for item in range(self._d)] for h in functions]}


class HCMS(CMS):
    """CMS with is_hadamard=True."""

    hadamard = True


class PCS(_Protocol):
    """PCSServer(k, m) and a client with its hash functions, with the default use_median=True."""

    median = True
    report_code = "(np.array(report[0]), report[1])"

    def __init__(self, d: int, epsilon: float, k: int, m: int) -> None:
        super().__init__(d, epsilon)
        _accept_shape_none()
        self._k, self._m = k, m
        functions = f"list(zip(generate_hash_funcs({k}, {m}), generate_hash_funcs({k}, 2)))"
        self.client_code = f"PCSClient({epsilon}, {k}, {m}, {functions})"
        self.server_code = f"PCSServer({epsilon}, {k}, {m}, {self.median})"

    def client(self) -> Any:
        """A fresh client with the server's hash functions."""
        return PCSClient(self._epsilon, self._k, self._m, self.server().get_hash_funcs())

    def server(self) -> Any:
        """A fresh server."""
        return PCSServer(self._epsilon, self._k, self._m, self.median)

    def facts(self, conditioned: Any) -> Any:
        """The tables of the k hash functions and of the k functions of signs."""
        places, signs = zip(*self.server().get_hash_funcs())  # noqa: B905 - Python 3.8 has no strict
        items = [str(item + 1) for item in range(self._d)]
        return {"hashes": [[h(x) for x in items] for h in places], "signs": [[g(x) for x in items] for g in signs]}

    @property
    def reproduce_estimate(self) -> list[str]:
        """The estimates from given reports."""
        *first, last = super().reproduce_estimate
        return [*first, f"{last}  # with a numpy before 2.4: later ones refuse the zeros(None) of its server"]


class PCS_mean(PCS):
    """PCS with use_median=False."""

    median = False


class GRR_repaired(GRR):
    """With items that are checked and made integers."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The report on one item."""
        if not 0 <= item < self._d:
            raise ValueError("no item")
        return super().privatize(client, int(item))


class HM_repaired(HM):
    """With a list in both cases."""

    def privatize(self, client: Any, item: Any) -> Any:
        """As above, but for the type."""
        return "list", super().privatize(client, item)[1]


class PCS_repaired(PCS):
    """With every entry debiased."""

    def estimate(self, server: Any) -> Any:
        """Estimates are linear in the entries."""
        power = np.exp(self._epsilon)
        return [value * (power + 1) / (power - 1) for value in super().estimate(server)]


class PCS_mean_repaired(PCS_repaired):
    """With use_median=False."""

    median = False


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


class GRR_updated(_Updated, GRR):
    """GRR, updated."""


class SUE_updated(_Updated, SUE):
    """SUE, updated."""


class OUE_updated(_Updated, OUE):
    """OUE, updated."""


class THE_updated(_Updated, THE):
    """THE, updated."""


class BLH_updated(_Updated, BLH):
    """BLH, updated."""


class OLH_updated(_Updated, OLH):
    """OLH, updated."""


class FLH_updated(_Updated, FLH):
    """FLH, updated."""


class HM_updated(_Updated, HM):
    """HM, updated."""


class HR_updated(_Updated, HR):
    """HR, updated."""


class CMS_updated(_Updated, CMS):
    """CMS, updated."""


class HCMS_updated(_Updated, HCMS):
    """HCMS, updated."""


class PCS_updated(_Updated, PCS):
    """PCS, updated."""


class _OlderNumpy:
    """numpy, but with zeros(None) answered as numpy did when the library was released."""

    def zeros(self, shape: Any, *arguments: Any, **options: Any) -> Any:
        """An array; None is the shape ()."""
        return np.zeros(() if shape is None else shape, *arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


def _accept_shape_none() -> None:
    """Sketch servers have no d, and their base class makes zeros(d): with current numpy they cannot be made at all."""
    _freq_oracle_server.np = _OlderNumpy()


def _cells(d: int, seed: int, g: int) -> list[int]:
    return [xxhash.xxh32(str(item), seed=seed).intdigest() % g for item in range(d)]
