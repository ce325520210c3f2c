"""Planted faults of the interceptor: what is drawn has another law then, or a path is refused that was none before."""

import math
import os
import random
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dp_audit.run.child.interceptor import (
    entropy,
    integer_intervals,
    intervals,
    laws,
    lazy_float,
    lazy_integer,
    numpy_laws,
)
from dp_audit.run.child.interceptor.intervals import GRID
from dp_audit.run.child.refusals import UnmodeledRandomness
from independent.intercepting import law

CELL = integer_intervals.IntegerCell
LAPLACE = numpy_laws.laplace
RISING = [1, 2, 4, 8, 16]


def wrong_laplace(u: float, loc: float, scale: float) -> float:
    return loc - scale * math.log(1.0 - u) if u >= 0.5 else loc + scale * math.log(u + u)


def unpacked() -> bool:
    return bool(struct.unpack("<I", os.urandom(4))[0] < 2**30)


def by_inversion() -> Any:
    return np.random.default_rng().standard_exponential(2, "d", "inv")[0] < 1


MUTANTS: list[tuple[Any, str, Any, Callable[[], Any]]] = [
    # --- numpy's formulas
    (numpy_laws, "laplace", wrong_laplace, lambda: np.random.laplace() < 1),
    (numpy_laws, "laplace", lambda u, a, b: LAPLACE(u, a, b / 2), lambda: np.random.laplace(0, 2) < 1),
    (numpy_laws, "gumbel", lambda u, a, b: a + b * math.log(-math.log(1.0 - u)), lambda: np.random.gumbel() < 1),
    (numpy_laws, "logistic", lambda u, a, b: a + b * math.log(u / (2.0 - u)), lambda: np.random.logistic() < 1),
    (numpy_laws, "exponential", lambda u, b: -math.log(1.0 - u) / b, lambda: np.random.exponential(2) < 1),
    (numpy_laws, "inverse_exponential", lambda u: math.log1p(u), by_inversion),
    (numpy_laws, "_geometric_by_search", lambda p: (range(9), [GRID // 9] * 9), lambda: np.random.geometric(0.5)),
    (numpy_laws, "categorical_weights", lambda p: [1] * len(p), lambda: np.random.choice(3, 2, False, [0.2, 0.3, 0.5])),
    # --- uniform doubles
    (intervals, "GRID", GRID - 1, lambda: random.random() < 0.3),
    (lazy_float, "MONOTONE", (), lambda: np.log(random.random()) < -1),
    (intervals.Cell, "below", lambda self, cut: bool(self.low < cut - 1), lambda: random.randrange(5) < 3),
    (intervals.Cell, "only", lambda self, k: False, lambda: random.randrange(5) == 3),
    # --- integers
    (CELL, "residue", lambda self, modulus: None, lambda: random.getrandbits(53) % 3),
    (CELL, "block", lambda self, width: None, lambda: (random.randrange(6) // 2 + 1) % 3),
    (CELL, "bits", lambda self, width, modulus: True, lambda: random.randrange(8) >> 1 & 1),
    (CELL, "block", lambda self, width: setattr(self, "high", self.low + 1), lambda: [random.randrange(3)][0] ** 2),
    (CELL, "pieces", lambda self: [self.low, self.high], lambda: random.choices(RISING, RISING)),
    (
        integer_intervals._Residues,
        "__getitem__",
        lambda self, i: (i + 1) * self._each,
        lambda: random.getrandbits(20) % 3000 < 9,
    ),
    (lazy_integer.LazyInteger, "runs", lambda self, whole=True: [(3, 2, 1)], lambda: random.randrange(5)),
    (laws.Law, "close", lambda self: None, lambda: random.randrange(5)),
    (entropy.LazyBytes, "number", lambda self, order: self._integer >> 1, unpacked),
]


@pytest.mark.parametrize(("owner", "name", "wrong", "function"), MUTANTS)
def test_mutants_have_another_law(
    owner: Any, name: str, wrong: Any, function: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = law(function, paths=100)
    monkeypatch.setattr(owner, name, wrong)
    monkeypatch.setattr(numpy_laws, "_GEOMETRIC", {})
    try:
        assert law(function, paths=100) != right
    except UnmodeledRandomness:  # nothing is known of the function, or the second run of a path differs
        assert name in ("MONOTONE", "number", "runs", "pieces", "__getitem__", "close")
