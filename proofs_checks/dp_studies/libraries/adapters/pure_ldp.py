"""pure-ldp 1.2.0. Hash functions that a server draws when it is made are drawn once, with fixed seeds: they are public.

Servers of sketches have no d, and their base class makes zeros(d): with current numpy they cannot be made at all.
"""

from __future__ import annotations

import random
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import xxhash  # type: ignore[import-not-found]
from pure_ldp.core import *  # type: ignore[import-not-found]
from pure_ldp.core import _freq_oracle_server
from pure_ldp.frequency_oracles import *  # type: ignore[import-not-found]
from pure_ldp.frequency_oracles import (
    HadamardMechClient,
    HadamardMechServer,
    HadamardResponseServer,
    RAPPORClient,
)
from pure_ldp.frequency_oracles.hadamard_response.internal import k2k_hadamard  # type: ignore[import-not-found]


class _OlderNumpy:
    """numpy, but with zeros(None) answered as numpy did when the library was released."""

    def zeros(self, shape: Any, *arguments: Any, **options: Any) -> Any:
        """An array; None is the shape ()."""
        return np.zeros(() if shape is None else shape, *arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


_freq_oracle_server.np = _OlderNumpy()
k2k_hadamard.Random_Permutation = lambda size: (np.arange(size), np.arange(size))


def cells(d: int, seed: int, g: int) -> list[int]:
    """The cells of the items under the hash function of a seed."""
    return [xxhash.xxh32(str(item), seed=seed).intdigest() % g for item in range(d)]


def tables(functions: Any, d: int) -> list[list[int]]:
    """The values of functions at all items."""
    return [[h(str(item + 1)) for item in range(d)] for h in functions]


def updated(make: Any, epsilon: float) -> Any:
    """What is made for half of epsilon, then updated to it."""
    made = make(epsilon / 2)
    made.update_params(epsilon=epsilon)
    return made


def typed(report: Any) -> Any:
    """The type of a report, and its pairs (index, sign)."""
    return type(report).__name__, [(int(index), int(sign)) for index, sign in report]


# --- the changes that are proposed ------------------------------------------------------------------------------------


def checked(item: Any, d: int) -> int:
    """An item that is made an integer, and refused unless it is 0 .. d-1."""
    if not 0 <= item < d:
        raise ValueError("no item")
    return int(item)


def recounted(server: Any) -> Any:
    """A server with a matrix of counts for the new g."""
    server.hash_counts = np.zeros((server.k, server.g))
    return server


def _size(d: int) -> int:
    """Of the Hadamard matrix: the next power of two."""
    return 1 << (d - 1).bit_length()


class WholeMatrixClient(HadamardMechClient):  # type: ignore[misc, unused-ignore]
    """With a coefficient of the whole matrix, and a list in both cases."""

    d: int

    def _perturb(self, data: Any) -> Any:
        d, self.d = self.d, _size(self.d)
        try:
            return super()._perturb(data)
        finally:
            self.d = d

    def privatise(self, data: Any) -> Any:
        return list(super().privatise(data))


class WholeMatrixServer(HadamardMechServer):  # type: ignore[misc, unused-ignore]
    """With a sum for every coefficient."""

    def __init__(self, epsilon: float, d: int, t: int) -> None:
        super().__init__(epsilon, d, t)
        self.reset()

    def reset(self) -> None:
        super().reset()
        self.aggregated_data = np.zeros(_size(self.d))


class NewSchemeServer(HadamardResponseServer):  # type: ignore[misc, unused-ignore]
    """With the scheme of the new budget, which is another one above 1."""

    epsilon: float
    d: int

    def update_params(self, epsilon: Any = None, d: Any = None, index_mapper: Any = None) -> None:
        crosses = epsilon is not None and (epsilon <= 1) != (self.epsilon <= 1)
        super().update_params(epsilon, self.d if crosses and d is None else d, index_mapper)


class ClearingClient(RAPPORClient):  # type: ignore[misc, unused-ignore]
    """With every bit written, whether it is 1 or 0, and hash functions that are kept."""

    def _perturb(self, data: Any) -> Any:
        for i, bit in enumerate(data):
            data[i] = 1 if random.random() < (1 - 0.5 * self.f if bit else 0.5 * self.f) else 0
        return data

    def update_params(self, *arguments: Any, hash_funcs: Any = None, **named: Any) -> None:
        """With the hash functions kept."""
        super().update_params(*arguments, hash_funcs=hash_funcs or self.hash_family, **named)


Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
