"""Where a function is at most 0, in floats: what is found is then rounded until the kernel accepts it.

The functions are bounds of something monotone and need not be monotone themselves: a search begins where nothing is
known yet, takes the first place at which a bound is good enough, and narrows the last step alone.
"""

from collections.abc import Callable
from math import exp, inf, isfinite, log

Excess = Callable[[float], float]
"""At most 0 where what is wanted is shown."""
STEPS = 60
"""Evaluations after which a search ends; about ten are enough."""
FIRST, LONGER = 1e-5, 30.0
"""Relative length of the first step away from a good guess, and how many times longer each is than the one before."""


def bracket(
    excess: Excess, start: float, outermost: float, innermost: float, first: float = FIRST, longest: float = inf
) -> tuple[float, float]:
    """Two places, one step apart, with excess <= 0 at the second alone: from `start` outwards as long as it is good,
    else inwards until it is. Both are the outermost or the innermost place, if all that are tried are good, or none.

    All numbers are positive, steps are relative: `first`, then each `LONGER` times as long, up to `longest`: what is
    good may end again.
    """
    good = excess(start) <= 0
    end = outermost if good else innermost
    x, length, sign = start, first, 1 if end > start else -1
    while x != end:
        new = x * exp(sign * length)
        new = end if (new >= end if sign > 0 else new <= end) else new
        if (excess(new) <= 0) != good:
            return (new, x) if good else (x, new)
        x, length = new, max(length, min(length * LONGER, longest))
    return x, x


def narrowed(excess: Excess, bad: float, good: float, apart: Callable[[float], float]) -> tuple[float, float]:
    """Two places no farther apart than wanted, with excess <= 0 at the second and > 0 at the first: by inverse
    quadratic interpolation in logarithms where it is to be trusted, else by halving (Chandrupatla 1997)."""
    a, b = log(good), log(bad)
    numbers = {a: good, b: bad}
    fa, fb = excess(good), excess(bad)
    if fa > 0 or fb <= 0:
        return (good, good) if fa > 0 else (bad, bad)
    before = (b, fb)
    share = fa / (fa - fb) if isfinite(fa) and isfinite(fb) else 0.5
    for _ in range(STEPS):
        near, wide = exp(min(a, b)), abs(b - a)
        tolerance = apart(near) / near
        if wide <= tolerance or (fa <= 0 and isfinite(fb) and share * wide <= tolerance):
            break
        least = min(0.5, tolerance / wide / 2)
        share += least if fa > 0 else -least  # rather good
        x = a + min(max(share, least), 1 - least) * (b - a)
        y = excess(numbers.setdefault(x, exp(x)))
        if (y <= 0) == (fa <= 0):
            before = (a, fa)
        else:
            before, b, fb = (b, fb), a, fa
        a, fa = x, y
        share = _share((a, fa), (b, fb), before)
    return (numbers[b], numbers[a]) if fa <= 0 else (numbers[a], numbers[b])


def _share(near: tuple[float, float], beside: tuple[float, float], before: tuple[float, float]) -> float:
    """Where between two places a third one tells that 0 is, as a share of the way; one half where it does not."""
    (a, fa), (b, fb), (c, fc) = near, beside, before
    if not all(map(isfinite, (fa, fb, fc))) or c == b or fb in (fa, fc) or fc == fa:
        return 0.5
    xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
    if not (0 < xi < 1 and 1 - (1 - xi) ** 0.5 < phi < xi**0.5):
        return 0.5
    return fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
