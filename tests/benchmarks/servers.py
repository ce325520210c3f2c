"""Seconds of pure-ldp's servers; runs in the environment of the audited libraries, without anything of ours.

    python servers.py REQUEST

REQUEST is a JSON object: `epsilon`; `sketch` (k, m, and lists of `users` and of `items` to estimate); `coordinates`,
the same for the Hadamard sketch; `hashing` (`items`, and a list of `users`). Prints a JSON object: name -> lists of
[size, seconds].

With numpy 2.4 sketch servers cannot be made, as their base class asks for zeros(None): answered as older numpy did.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import cycle, islice
from typing import Any

POOL = 2048


class OlderNumpy:
    """numpy, but with zeros(None) answered as numpy did when the library was released."""

    def __init__(self, numpy: Any) -> None:
        self._numpy = numpy

    def zeros(self, shape: Any) -> Any:
        return self._numpy.zeros(() if shape is None else shape)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._numpy, name)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def aggregating(server: Any, reports: Iterable[Any]) -> float:
    return timed(lambda: server.aggregate_all(reports))


def sketch(epsilon: float, k: int, m: int, users: list[int], items: list[int], hadamard: bool) -> dict[str, Any]:
    """Reports are those of items that nobody holds: uniform signs take a server as long as any."""
    numpy, base = import_module("numpy"), import_module("pure_ldp.core._freq_oracle_server")
    setattr(base, "np", OlderNumpy(numpy))  # noqa: B010 - a module has no such attribute for mypy
    server = import_module("pure_ldp.frequency_oracles.apple_cms").CMSServer(epsilon, k, m, is_hadamard=hadamard)
    generator, choose = numpy.random.default_rng(0), random.Random(0).randrange
    if hadamard:
        pool: list[Any] = [(2 * choose(2) - 1, choose(k), choose(m)) for _ in range(POOL)]
    else:
        pool = [(2 * generator.integers(2, size=m) - 1, choose(k)) for _ in range(POOL)]
    timings = {"aggregation": [[n, aggregating(server, list(islice(cycle(pool), n)))] for n in users]}

    def estimating(d: int) -> float:
        server.last_estimated = 0  # nothing is remembered of the last estimates
        return timed(lambda: server.estimate_all(range(d), suppress_warnings=True))

    return timings | {"estimation": [[d, estimating(d)] for d in items]}


def hashing(epsilon: float, items: int, users: list[int]) -> list[list[float]]:
    server = import_module("pure_ldp.frequency_oracles.local_hashing").LHServer(epsilon, items, use_olh=True)
    choose = random.Random(0).randrange
    aggregating(server, [(0, 1)] * 20)
    return [[n, aggregating(server, [(choose(server.g), choose(2**32)) for _ in range(n)])] for n in users]


def main() -> None:
    request = json.loads(sys.argv[1])
    epsilon = request["epsilon"]
    print(
        json.dumps(
            {
                "sketch": sketch(epsilon, **request["sketch"], hadamard=False),
                "coordinates": sketch(epsilon, **request["coordinates"], hadamard=True),
                "hashing": hashing(epsilon, **request["hashing"]),
            }
        )
    )


if __name__ == "__main__":
    main()
