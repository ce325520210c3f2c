"""numpy's own formulas of one uniform double, and the weights of its searches on the doubles."""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any, Callable, Dict, List, Sequence, Tuple

import numpy as np

from .coins import Coins
from .intervals import GRID, changes


def binomial_weights(n: int, p: float) -> List[int]:
    top, bottom = Fraction(p).numerator, Fraction(p).denominator
    return [math.comb(n, j) * top**j * (bottom - top) ** (n - j) for j in range(n + 1)]


def multinomial_weights(p: Any) -> List[int]:
    """Return the weights of one draw: numpy takes the last probability to be what the others leave."""
    exact = [Fraction(float(x)) for x in p[:-1]]
    exact.append(max(Fraction(0), 1 - sum(exact, Fraction(0))))
    bottom = max(x.denominator for x in exact)  # powers of two
    return [int(x * bottom) for x in exact]


def categorical_weights(p: Any) -> Sequence[int]:
    """Return how many of the 2^53 uniform doubles numpy's cdf search sends to each index."""
    return _categorical_weights(np.asarray(p, dtype=np.float64).tobytes())


@functools.lru_cache(maxsize=64)
def _categorical_weights(p: bytes) -> Tuple[int, ...]:
    cdf = np.frombuffer(p, dtype=np.float64).cumsum()
    cdf /= cdf[-1]
    edges = np.minimum(np.ceil(np.maximum(cdf, 0.0) * float(GRID)), float(GRID)).astype(
        np.int64
    )  # exact: a power of two
    return tuple(np.maximum(np.diff(edges, prepend=0), 0).tolist())


_LOG, _LOG1P = math.log, math.log1p
INVERSE = "{}: numpy's C formula of one uniform double, with this machine's log"


def identity(u: float) -> float:
    return u


def step(function: Callable[..., Any], parameters: Sequence[float], u: float) -> Any:
    return function(u, *parameters)


def laplace(u: float, loc: float, scale: float) -> float:
    return loc - scale * _LOG(2.0 - u - u) if u >= 0.5 else loc + scale * _LOG(u + u)


def gumbel(u: float, loc: float, scale: float) -> float:
    return loc - scale * _LOG(-_LOG(1.0 - u))


def logistic(u: float, loc: float, scale: float) -> float:
    return loc + scale * _LOG(u / (1.0 - u))


def exponential(u: float, scale: float) -> float:
    return scale * -_LOG(1.0 - u)


def inverse_exponential(u: float) -> float:
    return -_LOG1P(-u)


_GEOMETRIC: Dict[float, Tuple[Sequence[int], List[int]]] = {}


def geometric(coins: Coins, p: float) -> Tuple[Sequence[int], List[int]]:
    """Return (outcomes, how many of the uniform doubles numpy sends to each)."""
    if p not in _GEOMETRIC:
        _GEOMETRIC[p] = _geometric_by_search(p) if p >= 1 / 3 else _geometric_by_inversion(coins, p)
    return _GEOMETRIC[p]


def _geometric_by_search(p: float) -> Tuple[Sequence[int], List[int]]:
    """Return the law by search: numpy adds the terms p (1 - p)^k until the sum is >= u."""
    total = term = p
    edges = [0]
    while True:
        edges.append(min(GRID, math.floor(Fraction(total) * GRID) + 1))
        term *= 1.0 - p
        if edges[-1] == GRID or total + term == total:
            break
        total += term
    return range(1, len(edges)), [edges[i + 1] - edges[i] for i in range(len(edges) - 1)]


def _geometric_by_inversion(coins: Coins, p: float) -> Tuple[Sequence[int], List[int]]:
    def value(k: int) -> int:
        return math.ceil(_LOG1P(-k / GRID) / _LOG1P(-p))

    edges = [0, *changes(coins, 0, GRID, value), GRID]
    return [value(k) for k in edges[:-1]], [edges[i + 1] - edges[i] for i in range(len(edges) - 1)]


def without_replacement(coins: Coins, p: Any, size: int) -> List[int]:
    """Return what numpy's rounds choose: draw what is missing with replacement, keep the new ones in order, drop their
    probabilities."""
    left = np.array(p, dtype=np.float64)
    sample: List[int] = []
    while len(sample) < size:
        weights = categorical_weights(left)
        drawn = [coins.choose(weights) for _ in range(size - len(sample))]
        sample += list(dict.fromkeys(drawn))
        left[sample] = 0
    return sample
