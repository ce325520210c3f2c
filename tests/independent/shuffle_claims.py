"""Claims of source 000 on privacy and Algorithm 1 that the brute force of the attack does not know: outcomes listed."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, lgamma, log
from typing import Any

from mpmath import exp, mpf, sqrt
from mpmath import log as ln

from independent.brute_force_shuffle import divergence as delta
from independent.message_outcomes import (
    ONE,
    Law,
    deltas,
    events,
    fresh,
    functions,
    gathered,
    one_hot,
    plain,
    ratio,
    response,
    shared,
    together,
)

Holds = Callable[[], bool]
HALF, THIRD, TWO, THREE = Fraction(1, 2), Fraction(1, 3), Fraction(2), Fraction(3)
BUDGETS = (Fraction(3, 2), TWO)


def _laws(outputs: int, parts: int) -> list[Law]:
    counts = [c for c in product(range(parts + 1), repeat=outputs) if sum(c) == parts]
    return [gathered((y, Fraction(x, parts)) for y, x in enumerate(c)) for c in counts]


PAIRS = [(p, q, a) for p, q in product(_laws(3, 4), repeat=2) for a in BUDGETS]


# --- Algorithm 1 ----------------------------------------------------------------------------------------------------


def _without_senders(law: Callable[..., Law]) -> bool:
    """Whether two users' messages look like two reports and two dummies of nobody."""
    family = functions(2, 2)
    nobody = gathered((((h, y),), ONE / len(family) / 2) for h in family for y in range(2))
    return all(
        together([law(TWO, 2, 2, 1, x), law(TWO, 2, 2, 1, z)])
        == together([law(TWO, 2, 2, 0, x), law(TWO, 2, 2, 0, z), nobody, nobody])
        for x, z in product(range(2), repeat=2)
    )


def _as_blanket(law: Callable[..., Law]) -> bool:
    """Whether two users' messages, a dummy each, are two labels, kept or (with chance gamma) uniform, and two uniform
    messages; of two items, each label beside a function."""
    gamma, family = 2 / (TWO + 1), functions(2, 2)

    def kept(x: int) -> Law:
        return gathered([(x, 1 - gamma), *((y, gamma / 2) for y in range(2))])

    def beside(of: Callable[[Any], Law]) -> Law:
        return gathered((((h, y),), p / len(family)) for h in family for y, p in of(h).items())

    nobody = beside(lambda h: dict.fromkeys(range(2), ONE / 2))
    sent = [law(TWO, 2, 2, 1, x) for x in range(2)]
    split = [beside(lambda h, x=x: kept(h[x])) for x in range(2)]  # type: ignore[misc]
    return all(
        together([sent[x], sent[z]]) == together([split[x], split[z], nobody, nobody])
        for x, z in product(range(2), repeat=2)
    )


# --- few users --------------------------------------------------------------------------------------------------------


def _weights(n: int, chance: float) -> list[float]:
    logs = [lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) for i in range(n + 1)]
    return [math.exp(x + i * log(chance) + (n - i) * log(1 - chance)) for i, x in enumerate(logs)]


def _two_counts(n: int, rho: float, a: float) -> float:
    """delta of AUE: 1 + B and B' against B and 1 + B', both of n bits."""
    bits = [*_weights(n, rho), 0.0]
    return sum(
        max(0.0, bits[i] * bits[j] - a * bits[i + 1] * (bits[j - 1] if j else 0.0))
        for i in range(n + 1)
        if bits[i] > 1e-12
        for j in range(n + 1)
    )


def _of_all_bits(points: list[tuple[int, float, float]], square: Callable[[int, float, float], float]) -> Holds:
    """At numbers of users in the stated range, by the exact sum; which is that of listed outcomes for few users."""

    def holds() -> bool:
        for n, a in product((1, 2, 3), (1.0, 1.5)):
            listed = deltas(partial(one_hot, 2, THIRD), 2, n, [], Fraction(a))
            assert all(abs(float(x) - _two_counts(n, 1 / 3, a)) < 1e-9 for x in listed)
        for n, rho, most in points:
            assert square(n, rho, most) <= 1
            if _two_counts(n, rho, math.exp(math.sqrt(square(n, rho, most)))) > most:
                return False
        return True

    return holds


def _binomial_number() -> bool:
    """Each dummy is sent with chance 1/2, at (7) with its mean: the mean over their number of delta beside so many; and
    a report hidden by nothing else."""
    for labels, users, w, dummies, most in ((2, 10, 10**6, 12, 0.58), (3, 10, 10**6, 18, 0.58), (2, 21, 3, 5, 0.58)):
        mean = labels / (w + labels - 1) * (users - 1)
        hidden = users * dummies / 2 + mean - math.sqrt(2 * mean * log(2 / most)) - 1
        square = 14 * labels * log(4 / most) / hidden
        a, total = math.exp(math.sqrt(square)), 0.0
        assert square <= 1
        for number, weight in enumerate(_weights(users * dummies, 0.5)):
            total += weight * (_beside(number, labels, a) if weight > 1e-9 else 1.0)
        if total > most:
            return False
    return all(
        abs(float(delta(plain({0: ONE}, k, c), plain({1: ONE}, k, c), Fraction(2))) - _beside(c, k, 2.0)) < 1e-9
        for k, c in product((2, 3), (0, 1, 4))
    )


def _beside(number: int, labels: int, a: float) -> float:
    """delta of one message beside uniform ones, of which i are at x0 and j at x1."""
    gain = 0.0
    for i in range(number + 1):
        for j in range(number - i + 1):
            rest = number - i - j
            if labels == 2 and rest:
                continue
            ways = lgamma(number + 1) - lgamma(i + 1) - lgamma(j + 1) - lgamma(rest + 1)
            chance = math.exp(ways + (i + j) * log(1 / labels) + (rest * log(1 - 2 / labels) if rest else 0))
            gain += chance * max(0.0, 1 - a * j / (i + 1))
    return gain


# --- bundles --------------------------------------------------------------------------------------------------------


def _less(first: list[Fraction], second: list[Fraction], *, strictly: bool = False) -> bool:
    return all(x < y if strictly else x <= y for x, y in zip(first, second, strict=True))


def _more_shared() -> bool:
    return all(
        _less(*(deltas(partial(shared, THREE, 2, 2, number), 2, n, [], a) for number in (c + 1, c)))
        for n, c, a in product((1, 2), (0, 1), (ONE, *BUDGETS))
    )


def _hidden() -> bool:
    return all(
        _less(
            *(deltas(partial(shared, w, 2, labels, number), 2, 1, [], a) for number in (m, 0)),
            strictly=True,
        )
        for w, labels, m in product((THREE, Fraction(8)), (2, 3), (1, 2))
        for a in (ONE, TWO, w - Fraction(1, 50))
    )


def _as_in_7() -> bool:
    """w = 3, two labels, 10000 users with a dummy each, delta = 1/10."""
    n, most, gamma = 10_000, 0.1, 0.5
    square = 28 * log(4 / most) / (n + gamma * (n - 1) - (2 * gamma * (n - 1) * log(2 / most)) ** 0.5 - 1)
    assert square < 1
    a = Fraction(float(exp(sqrt(square)))) + Fraction(1, 1000)
    return delta(plain(response(THREE, 2, 0), 2, 1), plain(response(THREE, 2, 1), 2, 1), a) <= Fraction(1, 10)


def _among_two_labels(w: Any, dummies: int, a: Any) -> Any:
    """delta of one user of randomized response on two labels: by the number of ones."""
    p = mpf(w) / (w + 1) if w else mpf(1)
    half = [mpf(comb(dummies, x)) / mpf(2) ** dummies if 0 <= x <= dummies else mpf(0) for x in range(-1, dummies + 2)]
    first = [p * half[x + 1] + (1 - p) * half[x] for x in range(dummies + 2)]
    second = [(1 - p) * half[x + 1] + p * half[x] for x in range(dummies + 2)]
    return sum(max(mpf(0), x - a * y) for x, y in zip(first, second, strict=True))


def _alone(parts: int, *, w: Any = 3, equal: bool = False) -> bool:
    for c, d in product((60, 100, 500, 1500), (mpf(1) / 2, mpf(1) / 10, mpf(1) / 10**6)):
        square = 28 * ln(4 / d) / (c - 1)
        if square <= 1:
            gap = _among_two_labels(w, c, exp(sqrt(square)))
            if gap > d / parts or (equal and abs(gap - d) > d / 10**6):
                return False
    return True


def _coins(n: int, a: Any) -> Fraction:
    return max(deltas(partial(one_hot, 2, HALF), 2, n, [], a))


DECIDED: dict[str, Holds] = {
    "000.def2.eq2": lambda: all(
        (max(events(p, q, a)) <= 0) == ((largest := ratio(p, q)) is not None and largest <= a) for p, q, a in PAIRS
    ),
    "000.alg1.shuffle@message-fresh": lambda: _without_senders(fresh),
    "000.alg1.shuffle@message-shared": lambda: _without_senders(shared),
    "000.thm1.step.uniform@fresh": lambda: _as_blanket(fresh),
    "000.thm1.step.uniform@shared": lambda: _as_blanket(shared),
    "000.prose.dummies-mono@shared": _more_shared,
    "000.prose.collude-sc@approx": _hidden,
    "000.prose.collude-sc@thm1level": _as_in_7,
    "000.prose.collude-su@approx": _hidden,
    "000.prose.collude-su@thm1level": _as_in_7,
    "000.prose.hpsdp-privacy@approx": _hidden,
    # r = 1/2, delta = 1/5, two users: epsilon is 10.7 or 24.5
    "000.thm1.count@bin-mean": _binomial_number,
    "000.base.aue.privacy@r50-range": _of_all_bits(
        [(71, 0.5, 0.99), (139, 0.5, 0.5), (280, 0.75, 0.5), (700, 0.9, 0.5)],
        lambda n, rho, most: 50 * log(2 / most) / ((1 - rho) * n),
    ),
    "000.base.aue.privacy@r200-range": _of_all_bits(
        [(559, 0.5, 0.99), (832, 0.5, 0.5)], lambda n, rho, most: 200 * log(4 / most) / (rho * n)
    ),
    "000.base.aue.privacy@r50-any": lambda: _coins(2, Fraction(float(exp(sqrt(50 * ln(10)))))) <= Fraction(1, 5),
    "000.base.aue.privacy@r200-any": lambda: _coins(2, Fraction(float(exp(sqrt(200 * ln(20)))))) <= Fraction(1, 5),
    "000.thm1.eq7@shared-range.corrected": lambda: _alone(1),
    "000.thm1.step.cond@shared-range.corrected": lambda: _alone(2),
    "000.supp.thm1.attained.corrected": lambda: _alone(1, w=None),
    "000.supp.thm1.attained": lambda: _alone(1, w=None, equal=True),
}
"""By claim, whether it holds there."""
