"""PrivSet a second time: plain fractions and itertools, nothing imported from the project. Dummy j is d + j."""

from fractions import Fraction
from itertools import combinations

from independent.brute_force import Items, Law


def outputs(d: int, m: int, padded: bool) -> int:
    return d + m if padded else d


def privset(s: Items, d: int, m: int, k: int, w: Fraction, padded: bool) -> Law:
    own = set(s) | set(range(d, d + m - len(s)))
    weights = {frozenset(o): w if own & set(o) else Fraction(1) for o in combinations(range(outputs(d, m, padded)), k)}
    total = sum(weights.values())
    return {o: weight / total for o, weight in weights.items()}


def chances(d: int, m: int, k: int, w: Fraction, padded: bool) -> tuple[Fraction, Fraction]:
    """P and Q: the first m items are held, the last output is not."""
    law = privset(frozenset(range(m)), d, m, k, w, padded)
    last = outputs(d, m, padded) - 1
    return tuple(sum((p for o, p in law.items() if x in o), Fraction(0)) for x in (0, last))  # type: ignore[return-value,operator]


def errors(d: int, m: int, w: Fraction, padded: bool, first: int) -> list[Fraction]:
    """For k = 1, 2, ..: `first` times the variance of a held output, and that of the D - `first` others."""
    size = outputs(d, m, padded)
    variances = []
    for k in range(1, size - m + 1):
        p, q = chances(d, m, k, w, padded)
        variances.append((first * p * (1 - p) + (size - first) * q * (1 - q)) / (p - q) ** 2)
    return variances
