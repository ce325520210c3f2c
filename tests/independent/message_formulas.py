"""Orders and comparisons of source 000 that the brute force of the attack does not know, decided at large sizes."""

from collections.abc import Callable, Iterator
from itertools import pairwise, product
from math import ceil, log2
from typing import Any

from mpmath import exp, log, mpf, sqrt

from independent.message_estimates import DECIDED as ESTIMATES

Holds = Callable[[], bool]


def over(holds: Callable[..., bool], *axes: Any) -> Holds:
    return lambda: all(holds(*at) for at in product(*axes))


def asked(h: int, n: int, gamma: Any, eps: Any, delta: Any) -> Any:
    """n m by (7)."""
    x = gamma * (n - 1)
    return 14 * h * log(4 / delta) / eps**2 + 1 + sqrt(2 * x * log(2 / delta)) - x


def beyond(h: int, n: int, gamma: Any, eps: Any, delta: Any) -> Any:
    """n times m less what is stated."""
    root = sqrt(2 * log(2 / delta) / (gamma * n))
    return asked(h, n, gamma, eps, delta) - (14 * h * log(4 / delta) / eps**2 - n * gamma * (1 - root))


def stays(values: Callable[[int], Any]) -> bool:
    """Bounded as the size grows, as far as it is looked at."""
    ratios = [values(10**k) for k in range(1, 13)]
    return bool(max(ratios[6:]) <= 2 * max(ratios[0], *ratios[:6], 1))


def with_some() -> bool:
    """At epsilons for which some dummies are asked for."""

    def at(n: int) -> Any:
        eps, gamma, delta = 1 / sqrt(n), mpf(1) / 2, mpf(1) / 1000
        assert asked(4, n, gamma, eps, delta) > 0
        return beyond(4, n, gamma, eps, delta)

    return stays(at)


def error(root: bool) -> bool:
    """The square of the error of dummies by the square of what is stated, over parameters."""

    def at(n: int, h: int, gamma: Any, eps: Any, delta: Any) -> Any:
        variance = max(0, asked(h, n, gamma, eps, delta) / n) / (n * (h - 1) * (1 - gamma) ** 2)
        square = log(1 / delta) if root else log(1 / delta) ** 2
        return variance / (square / (n * eps * (1 - gamma)) ** 2)

    deltas = (mpf(1) / 2, mpf(1) / 100, mpf(10) ** -12) if root else (exp(-1), mpf(10) ** -12)
    grid = product((2, 10**4, 10**9), (2, 50), (mpf(1) / 10**6, 1 - mpf(1) / 10**3), (mpf(1) / 100, mpf(1)), deltas)
    return all(bool(at(*x) < 256) for x in grid)


def spread(w: Any, h: int, n: int, m: Any) -> Any:
    p, c = w / (w + h - 1), mpf(h - 1) / h**2
    return (1 + m) * c / (n * (p - mpf(1) / h) ** 2)


def accurate() -> bool:
    for h, n, eps in product((2, 16, 1000), (100, 10**6), (mpf(1) / 10, mpf(1))):
        variances = []
        for w in [1 + mpf(k) ** 3 / 50 for k in range(1, 60)]:
            m = max(0, asked(h, n, h / (w + h - 1), eps, mpf(10) ** -6) / n)
            variances.append(spread(w, h, n, m))
        if any(x <= y for x, y in pairwise(variances)):
            return False
    return True


def counters(n: int, m: int, h: int) -> bool:
    """Counters of 0..n (m + 1), against h log2(n (m + 1))."""
    total = n * (m + 1)
    return total < 2 or h * (total).bit_length() <= 4 * h * log2(total)


def heap(order: list[int], k: int) -> Iterator[tuple[int, ...]]:
    """Heap's algorithm on the first k places."""
    if k <= 1:
        yield tuple(order)
        return
    for i in range(k):
        yield from heap(order, k - 1)
        if i < k - 1:
            j = i if k % 2 == 0 else 0
            order[j], order[k - 1] = order[k - 1], order[j]


DECIDED: dict[str, Holds] = {
    "000.alg1.est-random@unbiased": lambda: ESTIMATES["000.alg1.est@allmsg-each"](),
    "000.sec24.messages@bits-y": over(lambda h: h <= 1 << ceil(log2(h)), range(2, 40)),
    "000.sec24.usertime": lambda: stays(lambda m: mpf(3 + 2 * m) / (m + 1)),
    "000.sec24.mmax@root": with_some,
    "000.sec24.mlimit": lambda: stays(
        lambda x: asked(4, 1000, mpf(1) / 3, mpf(1) / x, mpf(1) / 100) / (14 * 4 * log(mpf(400)) * x**2)
    ),
    "000.sec24.space@nohash": over(counters, (1, 2, 10**6), (0, 1, 9), (2, 64)),
    "000.sec24.error@dummies-noroot": lambda: error(root=False),
    "000.sec24.error@dummies-root": lambda: error(root=True),
    "000.sec24.accuracy@fixedcentral": accurate,
}
"""By claim, whether it holds there."""
