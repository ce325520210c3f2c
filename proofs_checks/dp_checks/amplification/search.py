"""Where monotone functions are 0, in floats: what is found is then rounded until the kernel accepts it."""

from collections.abc import Callable
from math import isfinite, sqrt
from typing import NamedTuple

STEPS = 80
"""Evaluations after which a search ends; about ten are enough."""
APART = 1e-6
"""Relative distance of two points that tell a slope."""


class Near(NamedTuple):
    """About where a decreasing function is 0, and another point of it: or of one that differs by about a constant, and
    is 0 there."""

    root: float
    point: tuple[float, float]
    of_another: bool = True


def crossing(excess: Callable[[float], float], near: Near, most: float, precision: float) -> Near:
    """Where up to `most` a decreasing function is 0 that is about linear in the square: by secants in it, through
    the last two points, or by halving where these leave the interval in which it changes sign."""
    low, high, x, before = 0.0, most, min(near.root, 0.9 * most), near.point
    for step in range(STEPS):
        y = excess(x)
        low, high = (x, high) if y > 0 else (low, x)
        (a, f), before = before, (x, y)
        if near.of_another and not step:
            f += y
        root = x * x - y * (x * x - a * a) / (y - f) if isfinite(y) and y != f else -1.0
        new = sqrt(root) if root > 0 else -1.0
        if not low < new < high:
            new = (low + high) / 2
        # what is left after a secant is about the product of the distances to both points
        close = abs(y) < 0.1 and abs(new - x) * abs(x - a) <= 0.1 * precision * x * x
        if close or abs(new - x) <= precision * x:
            return Near(new, (x, y) if abs(new - x) > APART * x else (a, f))
        x = new
    return Near(high, before)


def change(excess: Callable[[float], float], low: float, high: float, precision: float) -> tuple[float, float]:
    """An interval, so much shorter than its upper end, in which an increasing function changes from <= 0 to > 0: false
    position on the logarithm of the argument, and halving in between."""
    f, g = excess(low), excess(high)
    if f > 0 or g <= 0:
        return (low, low) if f > 0 else (high, high)
    for step in range(STEPS):
        if high - low <= precision * high:
            break
        weight = f / (f - g) if isfinite(f) and isfinite(g) and step % 2 else 0.5
        middle = low * (high / low) ** min(max(weight, 0.02), 0.98)
        value = excess(middle)
        low, high, f, g = (middle, high, value, g) if value <= 0 else (low, middle, f, value)
    return low, high
