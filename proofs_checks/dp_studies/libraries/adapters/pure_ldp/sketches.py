"""Sketches and Bloom filters: count mean sketches, the private count sketch, RAPPOR."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from pure_ldp.core import _freq_oracle_server, generate_hash  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.apple_cms import CMSClient, CMSServer  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.priv_count_sketch import PCSClient, PCSServer  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles.rappor import RAPPORClient  # type: ignore[import-not-found]

from .common import Protocol


class RAPPOR(Protocol):
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


class _Clearing(RAPPORClient):  # type: ignore[misc, unused-ignore]
    """With every bit written, whether it is 1 or 0, and hash functions that are kept."""

    def _perturb(self, data: Any) -> Any:
        for i, bit in enumerate(data):
            data[i] = 1 if random.random() < (1 - 0.5 * self.f if bit else 0.5 * self.f) else 0
        return data

    def update_params(self, *given: Any, hash_funcs: Any = None, **named: Any) -> None:
        """With the hash functions kept."""
        super().update_params(*given, hash_funcs=hash_funcs or self.hash_family, **named)


class RAPPOR_repaired(RAPPOR):
    """With bits that are cleared."""

    def client(self) -> Any:
        """A fresh client."""
        return _Clearing(self._f, self._m, self._family, self._cohorts)


class RAPPOR_epsilon(RAPPOR):
    """RAPPOR whose f is what its convert_eps_to_f makes of epsilon."""

    def __init__(self, d: int, epsilon: float, m: int, k: int, cohorts: int) -> None:
        super().__init__(d, RAPPORClient(0.5, m, []).convert_eps_to_f(epsilon), m, k, cohorts)


class CMS(Protocol):
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


class PCS(Protocol):
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


class PCS_repaired(PCS):
    """With every entry debiased."""

    def estimate(self, server: Any) -> Any:
        """Estimates are linear in the entries."""
        power = np.exp(self._epsilon)
        return [value * (power + 1) / (power - 1) for value in super().estimate(server)]


class PCS_mean_repaired(PCS_repaired):
    """With use_median=False."""

    median = False


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
