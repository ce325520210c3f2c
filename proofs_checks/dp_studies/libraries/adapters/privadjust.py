"""privadjust 1.0.13: count mean sketches on the values 0 .. d-1.

The object draws its hash functions when it is made, from polynomials modulo a prime: here they are two tables.
Estimates are computed by an object for so many values, as its commands do.
"""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
from privadjust.count_mean import private_cms_client as cms  # type: ignore[import-not-found]
from privadjust.hadamard_count_mean import private_hcms_client as hcms  # type: ignore[import-not-found]
from privadjust.hadamard_count_mean import private_hcms_server as hcms_server

privateCMSClient, privateHCMSClient = cms.privateCMSClient, hcms.privateHCMSClient


def _table(j: int, m: int) -> Any:
    """Function j: the items in the order 0, 1, ..., then in steps of 2 from 1 on, modulo m."""
    return lambda item: (int(item) * (j + 1) + j) % m


for _module in (cms, hcms):
    _module.primerange = lambda *bounds: [1000003]
    _module.generate_hash_functions = lambda k, p, c, m: [_table(j, m) for j in range(k)]


def frame(d: int, values: int) -> Any:
    """So many values, at least one; all of them are there as far as that goes."""
    return pd.DataFrame({"value": [x % d for x in range(max(values, d))][: max(values, 1)]})


def added(counter: Any, reports: list[Any]) -> Any:
    """What counts the reports, with these, and back from Hadamard coefficients where it has them."""
    for report in reports:
        counter.update_sketch_matrix(*report)
    if hasattr(counter, "traspose_M"):
        counter.traspose_M()
    return counter


def tables(d: int, k: int, m: int) -> Any:
    """The values of the hash functions."""
    return [[_table(j, m)(item) for item in range(d)] for j in range(k)]


def server_of(made: Any) -> Any:
    """A server for the object of a client."""
    return hcms_server.privateHCMSServer(made.epsilon, made.k, made.m, made.df, made.hashes)


# --- proposed: the constant is that of the probability that the client uses, for epsilon ------------------------------


def doubled(made: Any) -> Any:
    """An object that counts with epsilon, not epsilon / 2."""
    made.epsilon = 2 * made.epsilon
    return made


class _Server(hcms_server.privateHCMSServer):  # type: ignore[misc, unused-ignore]
    """With the data frame kept before it is used."""

    def __init__(self, epsilon: float, k: int, m: int, df: Any, hashes: Any) -> None:
        self.df = df
        super().__init__(epsilon, k, m, df, hashes)


def repaired_server(made: Any) -> Any:
    """A server that can be made, and counts with epsilon."""
    return _Server(2 * made.epsilon, made.k, made.m, made.df, made.hashes)


Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
