"""What the tests of the interceptor share: laws of functions, and probabilities of a uniform double by hand."""

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from dp_audit.run.child.interceptor.coins import Limits
from dp_audit.run.child.interceptor.intervals import GRID
from dp_audit.run.child.interceptor.laws import Law
from dp_audit.run.child.interceptor.path_walk import exact_law
from dp_audit.run.child.interceptor.replacements import Interceptor

SOURCES = {"random", "secrets", "os", "math", "uuid", "tempfile", "numpy", "struct"}
PREFIXES = ("numpy.random", "audit.targets", "tests.audit.test_intercept", "tests.audit.test_large_domains")
"""The modules in which the functions of these tests draw, and how the names of others begin: there are thousands in
this process."""


@contextmanager
def walking(**limits: Any) -> Iterator[Callable[[Callable[[], Any]], Law]]:
    """What gives the laws of functions, without the slow scans of all objects and of all modules."""
    modules = [module for name, module in list(sys.modules.items()) if name in SOURCES or name.startswith(PREFIXES)]
    interceptor = Interceptor(watch_generators=False, limits=Limits(**limits), modules=modules)
    with interceptor:
        yield lambda function: exact_law(function, Limits(**limits), interceptor)


def walked(function: Callable[[], Any], **limits: Any) -> Law:
    """The law of a function."""
    with walking(**limits) as law_of:
        return law_of(function)


def law(function: Callable[[], Any], **limits: Any) -> dict[str, Fraction]:
    """Law of the canonical outputs."""
    probabilities: dict[str, Fraction] = {}
    for (text, _), p in walked(function, **limits).entries.items():
        probabilities[text] = probabilities.get(text, Fraction(0)) + p
    return probabilities


def below(c: float) -> Fraction:
    """P(u < c) for u uniform on the multiples of 2^-53 in [0, 1)."""
    return Fraction(min(GRID, max(0, math.ceil(Fraction(c) * GRID))), GRID)


def at_most(c: float) -> Fraction:
    """P(u <= c)."""
    return Fraction(min(GRID, max(0, math.floor(Fraction(c) * GRID) + 1)), GRID)


def without_zeros(probabilities: dict[str, Fraction]) -> dict[str, Fraction]:
    return {text: p for text, p in probabilities.items() if p}


def of_grid(holds: Callable[[float], bool], low: int = 0) -> Fraction:
    """P(holds(k / 2^53)) for k uniform on low .. 2^53 - 1, by bisection; `holds` is monotone."""
    first, last = holds(low / GRID), holds((GRID - 1) / GRID)
    if first == last:
        return Fraction(int(first))
    left, width = low, GRID - low
    while width > 1:
        half = width // 2
        if holds((left + half) / GRID) == first:
            left += half
            width -= half
        else:
            width = half
    count = left + 1 - low
    return Fraction(count if first else GRID - low - count, GRID - low)
