"""Identities, orders and comparisons of source 000 decided again: plain fractions on small grids, mpmath at large
sizes."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import ceil, comb, factorial, log2
from typing import Any

from mpmath import exp, log, mpf, nsum, sqrt, workdps

from independent.brute_force_messages import Case, cases, moments
from independent.message_estimates import DECIDED as ESTIMATES
from independent.message_estimates import coin, line1, line2, printed, right, t2, t2a, theorem3

Holds = Callable[[], bool]
HALF, THIRD, TWO = Fraction(1, 2), Fraction(1, 3), Fraction(2)
ROOTS = (TWO, Fraction(3, 2), Fraction(7))
IPUMS, KOSARAK = (602_325, 915), (1_000_000, 42_178)
DELTA = Fraction(1, 10**6)


def over(holds: Callable[..., bool], *axes: Any) -> Holds:
    return lambda: all(holds(*at) for at in product(*axes))


def on_labels(holds: Callable[[Fraction, int, Fraction, Fraction], bool], least: int = 2) -> Holds:
    """For w, h, p, q."""
    return lambda: all(
        holds(w, h, w / (w + h - 1), 1 / (w + h - 1)) for w in (*ROOTS, Fraction(1)) for h in range(least, 6) if w > 1
    )


def decomposed(h: int, p: Fraction, q: Fraction, gamma: Fraction) -> bool:
    return p == 1 - gamma + gamma / h and q == gamma / h


def simplified(inner: bool) -> bool:
    """(9), with the sum over messages or not, is what it is simplified to."""
    return all(
        t2a(1, inner)(case, n) == t2(case, n)
        for n, m, h, w in product((1, 2), (0, 1), (2, 3), ROOTS)
        for case in [Case("grr", h, h, w, m)]
    )


def algebra(q: Fraction, n: int, m: int, h: int, f: Fraction) -> bool:
    mean = n * f * (1 - q) + n * (1 - f) * q + Fraction(n * m, h)
    return (mean - n * q - Fraction(n * m, h)) / (n * (1 - 2 * q)) == f


def negative_binomial(r: int, p: Fraction) -> tuple[Any, Any, Any]:
    """Sum, mean and variance of (6), by numerical summation."""
    with workdps(30):
        share = real(p)

        def chance(m: Any) -> Any:
            return comb(int(m) + r - 1, r - 1) * (1 - share) ** m * share**r

        total, mean, square = (nsum(lambda m, k=k: m**k * chance(m), [0, 400], method="direct") for k in range(3))
        return total, mean, square - mean**2


def close(x: Any, y: Any) -> bool:
    with workdps(30):
        return bool(abs(mpf(x) - y) < mpf(10) ** -12)


def real(x: Fraction) -> Any:
    return mpf(x.numerator) / x.denominator


def negative_binomial_moments(r: int, p: Fraction) -> bool:
    with workdps(30):
        total, mean, variance = negative_binomial(r, p)
        return close(total, 1) and close(mean, real(r * (1 - p) / p)) and close(variance, real(r * (1 - p) / p**2))


# --- (11) -----------------------------------------------------------------------------------------------------------


def line3(case: Case, n: int) -> Fraction:
    w, h = case.w, case.labels
    inner = n * (w + h - 2) / (w + h - 1) ** 2 + n * case.dummies * coin(h)
    return ((w + h - 1) / (w - 1)) ** 2 * inner / n**2


LINES = ((1, 2), [Case("grr", h, h, w, m) for m, h, w in product((0, 1, 2), (2, 3), ROOTS)])

# --- bounds ---------------------------------------------------------------------------------------------------------


def asked(h: int, n: int, gamma: Any, eps: Any, delta: Any) -> Any:
    """n m by (7)."""
    x = gamma * (n - 1)
    return 14 * h * log(4 / delta) / eps**2 + 1 + sqrt(2 * x * log(2 / delta)) - x


def beyond(root: bool, h: int, n: int, gamma: Any, eps: Any, delta: Any) -> Any:
    """n times m less what is stated."""
    square = 2 * log(2 / delta) / (gamma * n)
    return asked(h, n, gamma, eps, delta) - (
        14 * h * log(4 / delta) / eps**2 - n * gamma * (1 - (sqrt(square) if root else square))
    )


def stays(values: Callable[[int], Any]) -> bool:
    """Bounded as the size grows, as far as it is looked at."""
    ratios = [values(10**k) for k in range(1, 13)]
    return bool(max(ratios[6:]) <= 2 * max(ratios[0], *ratios[:6], 1))


def with_some(root: bool) -> bool:
    """At epsilons for which some dummies are asked for."""

    def at(n: int) -> Any:
        eps, gamma, delta = 1 / sqrt(n), mpf(1) / 2, mpf(1) / 1000
        assert asked(4, n, gamma, eps, delta) > 0
        return beyond(root, 4, n, gamma, eps, delta)

    return stays(at)


def error(part: str, root: bool) -> bool:
    """The square of an error by the square of what is stated, as n grows, and over parameters."""

    def at(n: int, h: int, gamma: Any, eps: Any, delta: Any) -> Any:
        m = max(0, asked(h, n, gamma, eps, delta) / n)
        variance = (m if part == "dummies" else m + 1) / (n * (h - 1) * (1 - gamma) ** 2)
        square = log(1 / delta) if root else log(1 / delta) ** 2
        return variance / (square / (n * eps * (1 - gamma)) ** 2)

    if part == "sd":
        return stays(lambda n: at(n, 4, mpf(1) / 3, mpf(1) / 2, mpf(1) / 100))
    deltas = (mpf(1) / 2, mpf(1) / 100, mpf(10) ** -12) if root else (exp(-1), mpf(10) ** -12)
    grid = product((2, 10**4, 10**9), (2, 50), (mpf(1) / 10**6, 1 - mpf(1) / 10**3), (mpf(1) / 100, mpf(1)), deltas)
    return all(bool(at(*x) < 256) for x in grid)


def spread(w: Any, h: int, n: int, m: Any) -> Any:
    p, c = w / (w + h - 1), mpf(h - 1) / h**2
    return (1 + m) * c / (n * (p - mpf(1) / h) ** 2)


def accurate(fixed: bool) -> bool:
    for h, n, eps in product((2, 16, 1000), (100, 10**6), (mpf(1) / 10, mpf(1))):
        roots = [1 + mpf(k) ** 3 / 50 for k in range(1, 60)]
        variances = []
        for w in roots:
            m = 3 if fixed else max(0, asked(h, n, h / (w + h - 1), eps, mpf(10) ** -6) / n)
            variances.append(spread(w, h, n, m))
        if any(x <= y for x, y in pairwise(variances)):
            return False
    return True


def numbers(r: int, p: Fraction) -> list[Fraction]:
    """The chances of 0, 1, 2 and 3 dummies by (6)."""
    return [comb(x + r - 1, r - 1) * (1 - p) ** x * p**r for x in range(4)]


def spreads(model: str) -> dict[int, Fraction]:
    """By number of items, the variance of the count of item 0, where one user holds item 1."""
    return {case.items: moments(case, [1], 0)[1] for case in cases(model, (1,)) if case.w == TWO}


def perturbed(model: str) -> bool:
    """Whether the value that is sent adds to the variance that dummies have."""
    return all(
        moments(case, [x], 0)[1] > case.dummies * Fraction(case.labels - 1, case.labels**2)
        for case in cases(model)
        for x in (0, 1)
    )


def bits(pair: bool, h: int, functions: int) -> bool:
    codes = functions * h if pair else h
    return codes <= 1 << ceil(log2(h))


def counters(n: int, m: int, h: int) -> bool:
    """Counters of 0..n (m + 1), against h log2(n (m + 1))."""
    total = n * (m + 1)
    return total < 2 or h * (total).bit_length() <= 4 * h * log2(total)


def supports(d: int) -> int:
    """How many vectors of counts one message of a function to two labels can make."""
    return len({tuple(int(h[v] == y) for v in range(d)) for h in product((0, 1), repeat=d) for y in (0, 1)})


# --- comparisons ----------------------------------------------------------------------------------------------------


def sh(k: int, share: Fraction, n: int) -> Fraction:
    p, q = 1 - k * share + share, share
    return q * (1 - q) / (n * (p - q) ** 2)


def mixdump(k: int, n: int, budget: int, eps: Any, f: Any = 0) -> Any:
    w, delta = exp(mpf(budget)), real(DELTA)
    p, q = w / (w + k - 1), 1 / (w + k - 1)
    m = max(0, asked(k, n, k * q, eps, delta) / n)
    return (f * p * (1 - p) + (1 - f) * q * (1 - q) + m * (k - 1) / mpf(k) ** 2) / (n * (p - q) ** 2)


def odhp(h: int, n: int, budget: int, eps: Any, f: Any) -> Any:
    w, delta, c = exp(mpf(budget)), real(DELTA), mpf(h - 1) / h**2
    p, q = w / (w + h - 1), 1 / (w + h - 1)
    m = max(0, asked(h, n, h * q, eps, delta) / n)
    return (f * p * (1 - p) + (1 - f + m) * c) / (n * (p - mpf(1) / h) ** 2)


def murs(n: int, eps: Any, f: Any) -> Any:
    m = eps**2 * (n - 1) / (14 * log(2 / real(DELTA)))
    d = (m + 2) / 3
    p, c = (m - d + 1) / m, (d - 1) / d**2
    return (f * p * (1 - p) + (1 - f) * c) / (n * (p - 1 / d) ** 2)


def growing(pairs: list[tuple[int, int]]) -> bool:
    return all(
        mixdump(a, n, budget, eps) < mixdump(b, n, budget, eps)
        for (n, _), budget, eps in product((IPUMS, KOSARAK), (1, 4, 8, 12), (mpf(1) / 10, mpf(1) / 2, mpf(1)))
        for a, b in pairs
    )


SIZES = [2, 16, 64, 915, 42_178]
GRID = [mpf(k) / 20 for k in range(2, 21)]


def below(other: Callable[[int, int, int, Any, Any], Any], cases: list[tuple[tuple[int, int], int, int]]) -> bool:
    return all(
        odhp(h, n, budget, mpf(1) / 10, mpf(1) / d) < other(d, n, budget, mpf(1) / 10, mpf(1) / d)
        for (n, d), h, budget in cases
    )


CASES = list(product((IPUMS, KOSARAK), (2, 16, 64, 1024), (1, 4, 8, 12)))


def falling(values: list[Any], strict: bool) -> bool:
    return all(a > b if strict else a >= b for a, b in pairwise(values))


def numbers_of_dummies(h: int, budget: int, n: int) -> list[Any]:
    gamma = h / (exp(mpf(budget)) + h - 1)
    return [asked(h, n, gamma, eps, real(DELTA)) for eps in GRID]


# --- permutations, projections --------------------------------------------------------------------------------------


def fisher_yates(n: int) -> dict[tuple[int, ...], int]:
    counts: dict[tuple[int, ...], int] = {}
    for indices in product(*(range(i + 1) for i in range(n))):
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = indices[i]
            order[i], order[j] = order[j], order[i]
        counts[tuple(order)] = counts.get(tuple(order), 0) + 1
    return counts


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


def projection(t: Sequence[Fraction]) -> list[Fraction]:
    """Onto the histograms, by the sizes of the support."""
    top = sorted(t, reverse=True)
    shifts = [(sum(top[:k], Fraction(0)) - 1) / k for k in range(1, len(t) + 1)]
    shift = next(shifts[k] for k in reversed(range(len(t))) if top[k] > shifts[k])
    return [max(x - shift, Fraction(0)) for x in t]


def distance(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0))


def closer() -> bool:
    values = [Fraction(k, 4) for k in range(-4, 7, 2)]
    true = [[Fraction(x, 12) for x in f] for f in ((12, 0, 0), (6, 6, 0), (4, 4, 4), (0, 3, 9))]
    for t in product(values, repeat=3):
        b = projection(t)
        assert (sum(b), min(b) >= 0) == (1, True)
        if any(distance(b, f) > distance(t, f) for f in true):
            return False
    return True


def projected_mean() -> bool:
    """Of two estimates whose mean is (1, 0)."""
    both = [[1 + HALF, -HALF], [1 - HALF, HALF]]
    return [sum(projection(t)[i] for t in both) / 2 for i in (0, 1)] == [1, 0]


DECIDED: dict[str, Holds] = {
    "000.def3.eq3.norm": on_labels(lambda w, h, p, q: p + (h - 1) * q == 1 and min(p, q) >= 0, 1),
    "000.sec15.raw": over(lambda n, h: Fraction(n, h) == 1, (1, 2), (1, 2, 3)),
    "000.sec15.raw.corrected": over(lambda n: Fraction(n, n) == 1, (1, 2)),
    "000.eq5.mse@hashdomain": over(lambda x, y, h: y <= h * (Fraction(x) / h), (0, 1), (0, 1), (1, 2)),
    "000.eq5.mse@datadomain": over(lambda x, y, d: max(x, y) <= d * (Fraction(x + y) / d), (0, 1), (0, 1), (2, 3)),
    "000.sec15.count@const": over(lambda n, m: sum(1 + m for _ in range(n)) == n * (m + 1), (1, 2, 3), (0, 1, 5)),
    "000.sec15.count@bin": over(lambda r, x: 1 + x == 1 + r * THIRD, (1, 2), (0, 1)),
    "000.sec15.count@nbin": over(lambda r, x: 1 + x == 1 + r * (1 - THIRD) / THIRD, (1, 2), (0, 1)),
    "000.sec2.decomp": on_labels(lambda w, h, p, q: decomposed(h, p, q, h * q) and h * q == h / (w + h - 1), 1),
    "000.sec2.gamma": on_labels(lambda w, h, p, q: 0 < h * q <= 1, 1),
    "000.sec2.pq@each": on_labels(lambda w, h, p, q: (1 - p) / (h - 1) == q),
    "000.sec2.pq@total": on_labels(lambda w, h, p, q: p + q == 1),
    "000.sec2.pq@total.corrected": on_labels(lambda w, h, p, q: 1 - p == (h - 1) * q),
    # r and p with mean 1
    "000.sec2.mrule": lambda: len({tuple(numbers(r, Fraction(r, r + 1))) for r in (1, 2, 3)}) == 1,
    "000.alg1.est-random@unbiased": lambda: ESTIMATES["000.alg1.est@allmsg-each"](),
    "000.thm2.gamma": on_labels(lambda w, h, p, q: decomposed(h, p, q, Fraction(h, h - 1) * q)),
    "000.thm2.simplify@outer": lambda: simplified(False),
    "000.thm2.simplify@inner": lambda: simplified(True),
    "000.thm2.keepprob": on_labels(lambda w, h, p, q: p == 1 - q),
    "000.thm2.keepprob.corrected": on_labels(lambda w, h, p, q: p == 1 - (h - 1) * q),
    "000.eq10.algebra": over(algebra, (THIRD, Fraction(3, 4), TWO), (1, 3), (0, 2), (1, 4), (Fraction(0), HALF)),
    "000.thm3.gamma": on_labels(lambda w, h, p, q: decomposed(h, p, q, h * q)),
    "000.thm3.sameest": on_labels(lambda w, h, p, q: 1 - 2 * q == p - q),
    "000.sec24.gamma": on_labels(lambda w, h, p, q: 1 / (1 - h * q) == 1 + h / (w - 1)),
    "000.prose.ddps": over(lambda w: w / (w + 1) == 1 - 2 / (w + 1) + HALF * 2 / (w + 1), (Fraction(1), *ROOTS)),
    "000.prose.dump@pure": lambda: perturbed("plain"),
    "000.prose.dump@mix": lambda: perturbed("grr"),
    "000.eq6.norm@rpos": over(lambda r, p: close(negative_binomial(r, p)[0], 1), (1, 2, 5), (HALF, Fraction(3, 10))),
    "000.eq6.norm@rzero": over(lambda p: sum(0 * p**m for m in range(50)) == 1, (HALF,)),
    "000.supp.nbin.mean": over(negative_binomial_moments, (1, 2, 5), (HALF, Fraction(3, 10))),
    "000.eq11.line12@equal": over(lambda n, case, f: line1(case, n, f) == line2(case, n), *LINES, (Fraction(0), HALF)),
    "000.eq11.line12@limit": over(lambda n, case: line1(case, n, Fraction(0)) == line2(case, n), *LINES),
    "000.eq11.line23": over(lambda n, case: line2(case, n) == line3(case, n), *LINES),
    "000.eq11.line34": over(lambda n, case: line3(case, n) == theorem3(printed)(case, n, Fraction(0)), *LINES),
    "000.eq11.line34.corrected": over(lambda n, case: line3(case, n) == theorem3(right)(case, n, Fraction(0)), *LINES),
    "000.eq12.decomp": over(
        lambda x, y, f: (x**2 + y**2) / 2 - f * (x + y) + f**2 == ((x - y) / 2) ** 2 + ((x + y) / 2 - f) ** 2,
        (THIRD, TWO),
        (HALF, -TWO),
        (Fraction(0), HALF),
    ),
    "000.sec24.messages@count": over(lambda m: 1 + sum(1 for _ in range(m)) <= m + 1, range(5)),
    "000.sec24.messages@bits-y": over(lambda h: bits(False, h, 1), range(2, 40)),
    "000.sec24.messages@bits-pair": over(lambda h: bits(True, h, 4), range(2, 40)),
    "000.sec24.messages@bits-pair.corrected": over(
        lambda h, k: k * h <= 2 ** (ceil(log2(h)) + ceil(log2(k))), range(2, 40), range(2, 40)
    ),
    "000.sec24.usertime": lambda: stays(lambda m: mpf(3 + 2 * m) / (m + 1)),
    "000.sec24.mmax@root": lambda: with_some(True),
    "000.sec24.mmax@noroot": lambda: with_some(False),
    "000.sec24.mlimit": lambda: stays(
        lambda x: asked(4, 1000, mpf(1) / 3, mpf(1) / x, mpf(1) / 100) / (14 * 4 * log(mpf(400)) * x**2)
    ),
    "000.sec24.space@nohash": over(counters, (1, 2, 10**6), (0, 1, 9), (2, 64)),
    "000.sec24.space@olh": lambda: stays(lambda d: mpf(log2(supports(min(d, 10))) * d) / min(d, 10)),
    "000.sec24.error@sd-noroot": lambda: error("sd", False),
    "000.sec24.error@sd-root": lambda: error("sd", True),
    "000.sec24.error@dummies-noroot": lambda: error("dummies", False),
    "000.sec24.error@dummies-root": lambda: error("dummies", True),
    "000.sec24.accuracy@fixedm": lambda: accurate(True),
    "000.sec24.accuracy@fixedcentral": lambda: accurate(False),
    "000.base.sh.table": over(
        lambda k, g: (
            decomposed(k, 1 - g + g / k, g / k, g)
            and 1 - g + g / k + (k - 1) * (g / k) == 1
            and (1 - g + g / k) / (g / k) == 1 + k * (1 - g) / g
        ),
        (1, 2, 5),
        (HALF, THIRD, Fraction(1)),
    ),
    "000.base.hpsdp.srr": over(
        lambda k, g: (1 - g + g / k) / (g / k) == 1 + k * (1 - g) / g, (1, 2, 5), (HALF, THIRD, Fraction(1))
    ),
    "000.base.hpsdp.mrs@fisheryates": over(lambda n: list(fisher_yates(n).values()) == [1] * factorial(n), range(1, 7)),
    "000.base.hpsdp.mrs@heapindex": over(
        lambda n: sorted(heap(list(range(n)), n)) == sorted(permutations(range(n))), range(1, 7)
    ),
    "000.base.hpsdp.pop@l2": closer,
    "000.base.hpsdp.pop@unbiased": projected_mean,
    "000.base.murs.inverse": over(
        lambda eps, n, d, l2: 14 * l2 * ((eps**2 * (n - 1) / (14 * l2) - d + 1) + d - 1) / (n - 1) == eps**2,
        (HALF, TWO),
        (2, 100),
        (2, 7),
        (Fraction(15), Fraction(3)),
    ),
    "000.base.puredump.inverse": over(
        lambda k, l2, eps: 14 * k * l2 / ((14 * k * l2 / eps**2 + 1) - 1) == eps**2, (1, 5), (THIRD, TWO), (HALF, TWO)
    ),
    "000.base.mixdump.inverse": over(
        lambda k, eps: close(
            14
            * k
            * log(400)
            / (asked(k, 500, mpf(1) / 5, eps, mpf(1) / 100) + mpf(499) / 5 - sqrt(mpf(998) / 5 * log(200)) - 1),
            eps**2,
        ),
        (2, 9),
        (mpf(1) / 2, mpf(1)),
    ),
    "000.base.aue.messages": over(lambda k, r: 1 + sum(r for _ in range(k)) == 1 + k * r, (1, 5), (HALF, THIRD)),
    "000.prose.sh-aue@sh": over(
        lambda k, n: sh(k, Fraction(1, 40), n) < sh(k + 1, Fraction(1, 40), n), range(2, 39), (1, 100)
    ),
    "000.prose.sh-aue@aue": lambda: all(a < b for a, b in pairwise(spreads("aue").values())),
    "000.prose.mixdump-domain@monotone": lambda: growing(list(pairwise(SIZES))),
    "000.prose.mixdump-domain@large": lambda: growing([(k, SIZES[-1]) for k in SIZES[:-1]]),
    "000.prose.mixdump-domain@monotone.corrected": lambda: growing(list(pairwise(SIZES[2:]))),
    "000.exp.monotone@murs-formula": lambda: all(
        falling([murs(n, eps, 0) for eps in GRID], True) for n, _ in (IPUMS, KOSARAK)
    ),
    "000.exp.monotone@odhp-formula-weak": lambda: all(
        falling([odhp(h, n, budget, eps, 0) for eps in GRID], False) for (n, _), h, budget in CASES
    ),
    "000.exp.monotone@odhp-formula-strict": lambda: falling([odhp(16, IPUMS[0], 4, eps, 0) for eps in GRID], True),
    "000.exp.monotone@odhp-formula-strict.corrected": lambda: (
        falling(counts := numbers_of_dummies(16, 4, IPUMS[0]), True) and counts[0] > 0 > counts[8]
    ),
    "000.exp.reason": lambda: all(falling(numbers_of_dummies(h, budget, n), True) for (n, _), h, budget in CASES),
    "000.exp.best@formula-mixdump": lambda: below(mixdump, CASES),
    "000.exp.best@formula-murs": lambda: below(lambda d, n, budget, eps, f: murs(n, eps, f), CASES),
    "000.exp.best@formula-some": lambda: (
        below(mixdump, [(KOSARAK, 16, 4)]) and below(lambda d, n, budget, eps, f: murs(n, eps, f), [(KOSARAK, 16, 4)])
    ),
}

"""By claim, whether it holds there."""
