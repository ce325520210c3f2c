"""Sections 2 and 3 of source 001 decided again: explicit matrices of plain fractions, all ranges of small trees, all
outcomes of small noise; against the verdicts of the ledger and their witnesses."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import mpmath

from dp_spec.matrix.claims import algorithm1, basics
from independent import brute_force_matrices as plain
from independent import brute_force_privelet as privelet
from independent.brute_force_matrices import Matrix, Row
from independent.brute_force_privelet import SIGMA
from independent.verdicts import Fails, agreement_test, heights, once

TREES = range(1, 6)
LOW = range(3)
"""Heights at which all outcomes of the noise are looked at."""
ONE, ZERO = Fraction(1), Fraction(0)


def ranges(heights: range = range(5)) -> Iterator[tuple[int, int, int]]:
    return ((h, first, last) for h in heights for first, last in plain.ranges(2**h))


# --- definitions and noise ----------------------------------------------------------------------------------------


def sensitivity(queries: Matrix, replace: bool = False) -> Fraction:
    """From two data sets, of 0 or 1 record of every kind."""
    size, largest = len(queries[0]), ZERO
    answers = {
        v: [row[0] for row in plain.product(queries, [[Fraction(x)] for x in v])] for v in product((0, 1), repeat=size)
    }
    for v, w in combinations(answers, 2):
        change = [b - a for a, b in zip(v, w, strict=True)]
        if sorted(x for x in change if x) in ([[-1, 1]] if replace else [[1], [-1]]):
            distance = sum((abs(a - b) for a, b in zip(answers[v], answers[w], strict=True)), ZERO)
            largest = max(largest, distance)
    return largest


def loss(h: int, scale: Fraction, replace: bool = False) -> Fraction:
    return privelet.loss(plain.haar(2**h), [scale] * 2**h, replace)


def weighted(h: int) -> tuple[Matrix, Row]:
    """The Haar coefficients g, by averages; their weights."""
    rows, weights = [[Fraction(1, 2**h)] * 2**h], [Fraction(2**h)]
    for t in range(h, 0, -1):
        for first, last in privelet.nodes(h, t):
            half = (last - first + 1) // 2
            left, right = (plain.ones(2**h, a, a + half - 1) for a in (first, first + half))
            rows.append([(a - b) / half / 2 for a, b in zip(left, right, strict=True)])
            weights.append(Fraction(2**t))
    return rows, weights


def weighted_loss(h: int, scale: Fraction, replace: bool = False) -> Fraction:
    queries, weights = weighted(h)
    return privelet.loss(queries, [scale / w for w in weights], replace)


JOINT = [((0, 3, 1), (1, 1, 2), (5, 0, 1)), ((-1, 2, 4), (2, 2, 2), (0, 0, -3), (1, 5, 0))]
"""Laws of three variables: equally likely outcomes."""


def moments(outcomes: Sequence[tuple[int, ...]]) -> Matrix:
    n, every = len(outcomes), range(len(outcomes[0]))
    means = [Fraction(sum(x[i] for x in outcomes), n) for i in every]
    return [[sum(((x[i] - means[i]) * (x[j] - means[j]) for x in outcomes), ZERO) / n for j in every] for i in every]


def theorem1() -> bool:
    for outcomes, rows, columns in product(JOINT, (1, 2, 3), (1, 2, 3)):
        a = [[Fraction((3 * i + 2 * j) % 5 - 2) for j in range(columns)] for i in range(rows)]
        x = [o[:columns] for o in outcomes]
        z = [tuple(int(sum(c * y for c, y in zip(row, o, strict=True))) for row in a) for o in x]
        if moments(z) != plain.product(plain.product(a, moments(x)), plain.transposed(a)):
            return False
    return True


def sums() -> bool:
    """Of the first two variables of every law."""
    for outcomes in JOINT:
        r, [[of_sum]] = moments(outcomes), moments([(x + y,) for x, y, _ in outcomes])
        if of_sum != r[0][0] + r[1][1] + 2 * r[0][1]:
            return False
    return True


def determined() -> bool:
    """Equal variances, equal variances of the sum."""
    equal, opposite = [(0, 0), (1, 1)], [(0, 1), (1, 0)]
    same = [moments(x)[i][i] for x in (equal, opposite) for i in (0, 1)]
    assert len(set(same)) == 1
    return moments([(x + y,) for x, y in equal]) == moments([(x + y,) for x, y in opposite])


def laplace(power: int) -> int:
    """A moment of Lap(1)."""
    with mpmath.workdps(40):
        half = mpmath.quad(lambda x: x**power * mpmath.exp(-x) / 2, [0, 10, 100])
        return int(mpmath.nint(half + (-1) ** power * half)) if abs(mpmath.frac(half * 2 + 0.5) - 0.5) < 1e-20 else -1


def general() -> bool:
    """Strategies, their least squares: all outcomes of a noise of variance 1; a workload."""
    for strategy in (plain.identity(2), plain.haar(2), plain.haar(4), plain.tree(4, 2, True), weighted(2)[0]):
        b = plain.least_squares(strategy)
        r = privelet.output_covariance(b)
        w = [[Fraction(i + 2 * j) for j in range(len(b))] for i in range(3)]
        wb = plain.product(w, b)
        total = sum(row[i] for i, row in enumerate(privelet.output_covariance(wb)))
        if r != plain.product(b, plain.transposed(b)) or total != sum(x * x for row in wb for x in row):
            return False
        if plain.product(b, strategy) != plain.identity(len(b)):
            return False
    return True


def returned(h: int) -> bool:
    """Of the data 0 .. N - 1, cubed, and every unit vector."""
    for v in ([Fraction(i**3) for i in range(2**h)], *plain.identity(2**h)):
        coefficients = privelet.compressed(v)
        if privelet.restored([coefficients[x] for x in range(2**h)]) != v:
            return False
    return True


def internal_only() -> Fails:
    """Two counts each of two data sets."""
    for v, w, x, y in product((0, 1), repeat=4):
        if v - w == x - y and (v, w) != (x, y):
            yield {"v": v, "w": w, "x": x, "y": y}


def with_weights(h: int) -> bool:
    """The covariance of what is restored from the weighted coefficients, lambda = 1."""
    queries, weights = weighted(h)
    b = plain.inverse(queries)
    scaled = [[x / w for x, w in zip(row, weights, strict=True)] for row in b]
    return plain.product(scaled, plain.transposed(scaled)) == SIGMA[h]


@cache
def worst(h: int) -> Fraction:
    b = privelet.restoration(h)
    return max(privelet.squares(b, *at) for at in plain.ranges(2**h))


def average_error(h: int) -> Fraction:
    return 2 * (h + 1) ** 2 * privelet.privelet_average(h) / h**3


def averaged(h: int) -> Fraction:
    delta = Fraction(1, 2**h) + sum(Fraction(1, 2**t) for t in range(1, h + 1))
    return Fraction(2 * delta**2 * privelet.haar_average(h, lambda t: Fraction(1, 2 ** (t or h)))) / h**3


def orthonormal(h: int) -> mpmath.mpf:
    delta = mpmath.mpf(2) ** (-mpmath.mpf(h) / 2) + sum(mpmath.mpf(2) ** (-mpmath.mpf(t) / 2) for t in range(1, h + 1))
    return 2 * delta**2 * privelet.haar_average(h, lambda t: mpmath.mpf(2) ** (-mpmath.mpf(t or h) / 2)) / h**3


def geometric_loss(h: int, delta: int, replace: bool) -> Fraction:
    """With r = e^(-eps / delta): the largest power of 1 / r between probabilities, of all outputs near, times delta."""
    powers = []
    for change in plain.changes(plain.haar(2**h), replace):
        near = ([abs(z - int(d)) - abs(z) for z in range(-3, 4)] for d in change)
        powers.append(sum(max(x) for x in near))
    return Fraction(max(powers), delta)


BASIC: dict[str, Callable[[], Fails]] = {
    "001.def1.eq1@addremove": heights(lambda h: loss(h, Fraction(h + 1)) == 1 < loss(h, Fraction(h + 1) / 2)),
    "001.def1.eq1@replace": heights(lambda h: loss(h, Fraction(2 * h), True) == 1 < loss(h, Fraction(h), True), TREES),
    "001.def2.eq2": heights(
        lambda h: (
            sensitivity(plain.haar(2**h)) == h + 1
            and sensitivity(plain.identity(2**h)) == 1
            and sensitivity(plain.tree(2**h, 2, True)) == h + 1
            and sensitivity(plain.haar(2**h), True) == 2 * h
        ),
        LOW,
    ),
    "001.base.laplace": heights(
        lambda h: all(
            privelet.loss(q, [sensitivity(q)] * len(q), False) <= 1
            for q in (plain.haar(2**h), plain.tree(2**h, 2, True), weighted(h)[0], [[Fraction(3)] * 2**h])
        ),
        LOW,
    ),
    "001.sec2.sum": once(sums),
    "001.sec2.notdetermined": once(lambda: not determined()),
    "001.sec2.lapvar": once(lambda: laplace(2) - laplace(1) ** 2 == 2),
    "001.sec2.lapcov": once(lambda: (laplace(2), laplace(1) * laplace(1)) == (2, 0)),
    "001.thm1": once(theorem1),
    "001.sec2.trace": once(
        lambda: any(plain.submatrix(SIGMA[h], a, b) != (b - a + 1) * SIGMA[h][0][0] for h, a, b in ranges())
    ),
    "001.sec1.general": once(general),
    "001.alg1.tree": heights(
        lambda h: (
            [list(row) for row in zip(*([*privelet.compressed(v).values()] for v in plain.identity(2**h)), strict=True)]
            == [plain.haar(2**h)[x] for x in privelet.compressed([ONE] * 2**h)]
        )
    ),
    "001.alg1.coeffs@with-total": heights(returned),
    "001.alg1.coeffs@internal-only": internal_only,
    "001.alg1.eq4": heights(returned),
    "001.alg1.unbiased": heights(
        lambda h: plain.product(privelet.restoration(h), plain.haar(2**h)) == plain.identity(2**h) and laplace(1) == 0
    ),
    "001.alg1.sens@addremove": heights(lambda h: loss(h, ONE) == h + 1),
    "001.alg1.sens@replace": heights(lambda h: loss(h, ONE, True) == h + 1, TREES),
    "001.alg1.sens@replace.corrected": heights(lambda h: loss(h, ONE, True) == 2 * h, TREES),
    "001.alg1.privacy@addremove": heights(lambda h: loss(h, Fraction(h + 1)) <= 1),
    "001.alg1.privacy@replace": heights(lambda h: loss(h, Fraction(h + 1), True) <= 1, TREES),
    "001.alg1.privacy@replace.corrected": heights(
        lambda h: loss(h, Fraction(h + 1), True) == Fraction(2 * h, h + 1) and loss(h, Fraction(2 * h), True) == 1,
        TREES,
    ),
    "001.alg1.order@average": once(lambda: privelet.stays(average_error)),
    "001.alg1.order@worst": heights(lambda h: worst(h) <= 1 + Fraction(h, 2)),
    "001.alg1.order.norm@averaged": once(lambda: privelet.stays(averaged, 6)),
    "001.alg1.order.norm@orthonormal": once(lambda: privelet.stays(orthonormal, 6)),
    "001.alg1.equiv@coefficients": heights(
        lambda h: [[w * x for x in row] for row, w in zip(*weighted(h), strict=True)] == plain.haar(2**h)
    ),
    "001.alg1.equiv@covariance": heights(with_weights),
    "001.alg1.equiv@scale": heights(lambda h: 2 * (1 + h) == h + 1),
    "001.base.weighted.rho": heights(lambda h: weighted_loss(h, ONE) == 1 + h),
    "001.base.weighted.privacy@addremove": heights(lambda h: weighted_loss(h, Fraction(1 + h)) <= 1),
    "001.base.weighted.privacy@replace": heights(lambda h: weighted_loss(h, Fraction(2 + 2 * h), True) <= 1, TREES),
    "001.base.weighted.bound": heights(lambda h: 2 * (2 + 2 * h) ** 2 * worst(h) <= (2 + h) * (2 + 2 * h) ** 2),
    "001.alg1.consistent@consistency": heights(
        lambda h: plain.product(plain.haar(2**h), privelet.restoration(h)) == plain.identity(2**h)
    ),
    "001.alg1.consistent@leastsquares": heights(
        lambda h: plain.least_squares(plain.haar(2**h)) == privelet.restoration(h), range(5)
    ),
    "001.supp.discrete@addremove": heights(lambda h: geometric_loss(h, h + 1, False) == 1),
    "001.supp.discrete@replace": heights(lambda h: geometric_loss(h, 2 * h, True) == 1, TREES),
}
test_plain_matrices_agree_with_the_ledger = agreement_test(BASIC)


def test_every_claim_is_decided() -> None:
    assert set(BASIC) == set(basics.FORMAL | algorithm1.FORMAL)
