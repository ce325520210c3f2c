"""Card *noise*. The privacy loss of independent Laplace noise on a vector of queries is the sum of their differences,
each divided by its scale; the variance of Laplace noise is 2 scale^2.

**Premises.** The law is additive: to a query q with values of any size (laplace), or with integers (discrete), noise of
density e^(-|x| / scale) / (2 scale), or of probability proportional to e^(-|x| / scale) on the integers, is added,
independently for every query. Neighbors differ by 1 in one count (`addremove`); or by 1 in two, one up, one down
(`replace`). Every two counts that the domain has belong to neighbors. (Or the values of listed queries are given.)

**Proof.** `docs/cards/noise.txt`, SHA-256 997362cc1eeb4fe9e0e4ee33e34bd5129c2e12a058db8de56ab0d02a4f9f16b4.

**Source.** Source 001, Section 2 (Laplace mechanism); integers: Ghosh, Roughgarden, Sundararajan 2009. **Refuter.**
`tests/kernel/test_noise.py` lists neighbors, and integrates.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dp_kernel.meter import applied, require


def norm(law: Any, neighbors: str, at: Any, scaled: bool) -> Any:
    """The largest L1 distance of neighbors, a tree; rows divided by their scales if `scaled`."""
    applied("noise")
    total: Any = 0
    for kind, first, last, weight, scale in law["rows"]:
        each, end = ["div", weight, scale] if scaled else weight, last
        if neighbors == "replace":
            each = ["mul", 2, each]
            if kind == "sums" and not at.shows(last, ["sub", "h", 1]):
                require(at.shows("h", last), "the root may have a row, or not")
                end = ["sub", "h", 1]
        total = ["add", total, ["sum", "s", first, end, each]]
    return total


def times_variance(law: Any, scale: Any, factor: Any) -> Any:
    """The factor times the variance of noise of a scale."""
    applied("noise")
    require(law["noise"] == "laplace", "the variance of Laplace noise")
    return ["mul", factor, ["mul", 2, ["pow", scale, 2]]]


def loss(distances: Sequence[Any], scales: Sequence[Any]) -> Any:
    """The loss where the values of listed queries have these distances, and their noise these scales."""
    applied("noise")
    exact = [Fraction(x) if isinstance(x, int) else x for x in distances]  # an integer by an integer is a float
    return sum((x / scale for x, scale in zip(exact, scales, strict=True)), Fraction(0))
