"""Sections 3.2 and 3.3 of source 001 decided again: all ranges of small trees, all pairs of their leaves; against the
verdicts of the ledger and their witnesses."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product

import pytest

from dp_spec.matrix.claims import all_ranges, covariance, fixed_ranges
from independent import brute_force_matrices as plain
from independent import brute_force_privelet as privelet
from independent.brute_force_privelet import SIGMA, relative, stays, tends
from independent.verdicts import Fails, agreement_test, agrees, fails, heights, once

HIGH = range(1, 5)
LOW = range(3)
"""Heights at which all outcomes of the noise are looked at."""
Points = Iterator[tuple[int, ...]]


def ranges(of: range = range(5)) -> Points:
    return ((h, first, last) for h in of for first, last in plain.ranges(2**h))


def at_heights(of: range = range(5)) -> Points:
    return ((h, first, last, k) for h, first, last in ranges(of) for k in range(1, h + 1))


def pairs(of: range = range(6), first: int = 1) -> Points:
    return ((h, i, j) for h in of for i, j in combinations(range(first, 2**h + first), 2))


def numbered(
    points: Callable[[], Points], names: str, part: int = 0
) -> Callable[[Callable[..., bool]], Callable[[], Fails]]:
    """Failures of a statement that has a part for every height."""

    def of(holds: Callable[..., bool]) -> Callable[[], Fails]:
        return lambda: (
            {"part": at[0] - part, **dict(zip(names.split(), at[1:], strict=False))}
            for at in points()
            if not holds(*at)
        )

    return of


def phi(h: int, k: int) -> Fraction:
    return Fraction(2, 3) * (Fraction(1, 4**h) - Fraction(1, 4**k))


def powers(first: int, last: int) -> Fraction:
    """4^-first + .. + 4^-last."""
    return sum((Fraction(1, 4**t) for t in range(first, last + 1)), Fraction(0))


def of_pairs(holds: Callable[[int, int, Fraction], bool], points: Callable[[], Points]) -> Callable[[], Fails]:
    """Of h, the height k of the lowest common ancestor, and the entry."""
    return fails(lambda h, i, j: holds(h, privelet.lca(h, i, j), SIGMA[h][i - 1][j - 1]), points)


def rows(h: int) -> bool:
    for leaf, row in enumerate(privelet.restoration(h), 1):
        inner = plain.intervals(2**h, 2)[: 2**h - 1]
        entries = sorted((b - a + 1, abs(x)) for (a, b), x in zip(inner, row[1:], strict=True) if x and a <= leaf <= b)
        stated = [(2**t, Fraction(1, 2**t)) for t in range(1, h + 1)]
        if row[0] != Fraction(1, 2**h) or entries != stated or sum(x != 0 for x in row) != h + 1:
            return False
    return True


def only_b(h: int) -> bool:
    """What other strategies add to the answers is no noise: B (A v + noise) at two data sets."""
    b = privelet.restoration(h)
    r = privelet.output_covariance(b)
    for a in (plain.haar(2**h), plain.identity(2**h)):
        shift = plain.product(b, plain.product(a, [[Fraction(i * i)] for i in range(2**h)]))
        shifted = [[*row, *x] for row, x in zip(b, shift, strict=True)]
        if privelet.output_covariance(shifted, fixed=1) != r:
            return False
    return r == SIGMA[h]


def variance(h: int, first: int, last: int) -> Fraction:
    """Of the answer to a range, of all outcomes of a noise of variance 1."""
    b = privelet.restoration(h)
    return privelet.output_covariance([[sum(x) for x in zip(*b[first - 1 : last], strict=True)]])[0][0]


def pairs_under(h: int, a: int, b: int, first: int, last: int) -> int:
    """Pairs of leaves of the range that have the node as lowest common ancestor."""
    k = (b - a + 1).bit_length() - 1
    inside = range(max(a, first), min(b, last) + 1)
    return sum(privelet.lca(h, i, j) == k for i, j in combinations(inside, 2))


def border_pairs(h: int, first: int, last: int, k: int) -> bool:
    for a, b in privelet.border(h, k, first, last):
        middle = a + 2 ** (k - 1) - 1
        p = max(0, min(last, middle) - max(first, a) + 1)
        r = max(0, min(last, b) - max(first, middle + 1) + 1)
        if pairs_under(h, a, b, first, last) != p * r:
            return False
    return True


def ends(h: int, first: int, last: int, k: int) -> list[tuple[int, int]]:
    """One node for l, one for r, not contained."""
    nodes = [next(n for n in privelet.nodes(h, k) if n[0] <= x <= n[1]) for x in (first, last)]
    return [(a, b) for a, b in nodes if not (first <= a and b <= last)]


def distinct(h: int, first: int, last: int, k: int) -> bool:
    met = privelet.border(h, k, first, last)
    return len(met) <= 2 and set(met) == set(ends(h, first, last, k))


def using(h: int, i: int, j: int) -> int:
    return sum(first <= min(i, j) and max(i, j) <= last for first, last in plain.ranges(2**h))


def orders(h: int) -> Iterator[tuple[int, int, int]]:
    return ((h, i, j) for i, j in product(range(1, 2**h + 1), repeat=2))


def of_height(h: int, k: int, times: int) -> Fraction:
    entries = (
        SIGMA[h][i - 1][j - 1] * using(h, i, j) for _, i, j in pairs(range(h, h + 1)) if privelet.lca(h, i, j) == k
    )
    return times * sum(entries, Fraction(0))


def eq13(h: int, k: int) -> Fraction:
    n, c = 2**h, 2**k
    return -Fraction((n**2 - c**2) * (7 * c**2 - 12 * n * c - 12 * c + 8 * n**2 + 24 * n + 12), 144 * n * c)


def by_height(times: int) -> Callable[[], Fails]:
    def fails() -> Fails:
        for h in HIGH:
            for k in range(1, h + 1):
                if of_height(h, k, times) != eq13(h, k):
                    yield {"v": k - 1, "u": h - k}

    return fails


def diagonal_part(h: int) -> bool:
    n = 2**h
    diagonal = SIGMA[h][0][0] * sum(using(h, i, i) for i in range(1, n + 1))
    return diagonal == Fraction((n + 1) * (n + 2) * (n * n + 2), 18 * n)


def eq15(h: int) -> Fraction:
    n = 2**h
    return Fraction(6 * h * n**3 + 6 * h * n**2 + n**3 + 37 * n**2 + 26 * n + 8, 72 * n)


def eq16(h: int) -> Fraction:
    n = 2**h
    return Fraction(h, 6) + Fraction(1, 36) + Fraction(1, 2 * n) + Fraction(1, 2 * (n + 1)) + Fraction(2, 9 * n * n)


def eq17(h: int) -> Fraction:
    return Fraction(6 * h + 1, 36)


A4 = [[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, 0, 0], [0, 0, 1, -1]]
B4 = [[1, 1, 2, 0], [1, 1, -2, 0], [1, -1, 0, 2], [1, -1, 0, -2]]
NODE = dict(enumerate(plain.intervals(8, 2), 1))

RANGES: dict[str, Callable[[], Fails]] = {
    "001.sec3.a4b4": once(
        lambda: plain.haar(4) == A4 and [[4 * x for x in row] for row in privelet.restoration(2)] == B4
    ),
    "001.alg2.inverse": heights(
        lambda h: (
            privelet.algorithm2(h) == privelet.restoration(h)
            and plain.product(privelet.algorithm2(h), plain.haar(2**h)) == plain.identity(2**h)
        )
    ),
    "001.alg2.rows": heights(rows),
    "001.sec3.onlyb": heights(only_b, LOW),
    "001.eq5": heights(lambda h: privelet.output_covariance(privelet.restoration(h)) == SIGMA[h], LOW),
    "001.thm2.lca": heights(
        lambda h: all(
            len({SIGMA[h][i - 1][j - 1] for _, i, j in pairs(range(h, h + 1)) if privelet.lca(h, i, j) == k}) == 1
            for k in range(1, h + 1)
        ),
        HIGH,
    ),
    "001.thm2.eq6.diag": heights(lambda h: {SIGMA[h][i][i] for i in range(2**h)} == {Fraction(1, 4**h) + powers(1, h)}),
    "001.thm2.eq6.off": of_pairs(
        lambda h, k, x: x == Fraction(1, 4**h) + powers(k + 1, h) - Fraction(1, 4**k), lambda: pairs(range(5))
    ),
    "001.thm2.k@labels1": lambda: (
        {"part": h - 1, "x": i - 1, "y": j - 1} for h, i, j in pairs() if privelet.lca(h, i, j) != (i ^ j).bit_length()
    ),
    "001.thm2.k@labels0": fails(
        lambda h, i, j: privelet.lca(h, i + 1, j + 1) == (i ^ j).bit_length(), lambda: pairs(range(5), 0)
    ),
    "001.eq7": of_pairs(
        lambda h, k, x: x == phi(h, k) and SIGMA[h][0][0] == Fraction(1, 3) + Fraction(2, 3) / 4**h,
        lambda: pairs(range(5)),
    ),
    "001.eq8": heights(
        lambda h: (
            SIGMA[h][0][-1] == 0
            and all(SIGMA[h][0][2 ** (k - 2)] == SIGMA[h][0][2 ** (k - 1)] - Fraction(2, 4**k) for k in range(2, h + 1))
            and all(SIGMA[h][0][2 ** (k - 1)] == phi(h, k) for k in range(1, h + 1))
        ),
        HIGH,
    ),
    "001.eq9": fails(lambda h, a, b: variance(h, a, b) == plain.submatrix(SIGMA[h], a, b), lambda: ranges(LOW)),
    "001.fig3.c3.interval": once(lambda: NODE[3] == (4, 8)),
    "001.fig3.c3.interval.corrected": once(lambda: NODE[3] == (5, 8)),
    "001.fig3.c3.partial": once(lambda: NODE[3] in privelet.border(3, 2, 3, 7)),
    "001.fig3.c5.full": once(lambda: privelet.inside(NODE[5], 3, 7)),
    "001.sec3.fullpairs@unordered": lambda: (
        {"v": h - 1} for h in HIGH if pairs_under(h, 1, 2**h, 1, 2**h) != 4 ** (h - 1)
    ),
    "001.sec3.fullpairs@ordered": lambda: (
        {"v": h - 1} for h in HIGH if 2 * pairs_under(h, 1, 2**h, 1, 2**h) != 4 ** (h - 1)
    ),
    "001.eq10.sk@floor": numbered(at_heights, "first last", 1)(
        lambda h, a, b, k: privelet.printed_sk(k, a, b) == privelet.covered(h, k, a, b)
    ),
    "001.eq10.sk@floorclamp": fails(
        lambda h, a, b, k: max(0, privelet.printed_sk(k, a, b)) == privelet.covered(h, k, a, b), at_heights
    ),
    "001.sec3.border@distinct": fails(distinct, at_heights),
    "001.sec3.border@ends": numbered(at_heights, "first last", 1)(
        lambda h, a, b, k: len(ends(h, a, b, k)) == len(privelet.border(h, k, a, b))
    ),
    "001.sec3.borderpairs": fails(border_pairs, at_heights),
    "001.sec3.diagpart": fails(
        lambda h, a, b: sum(SIGMA[h][i][i] for i in range(a - 1, b)) == (b - a + 1) * SIGMA[h][0][0], ranges
    ),
    "001.alg3.value@double": fails(
        lambda h, a, b: privelet.algorithm3(h, a, b, 2) == plain.submatrix(SIGMA[h], a, b), ranges
    ),
    "001.alg3.value@single": numbered(ranges, "first last")(
        lambda h, a, b: privelet.algorithm3(h, a, b, 1) == plain.submatrix(SIGMA[h], a, b)
    ),
    "001.eq11.mse": fails(lambda h, a, b: variance(h, a, b) == privelet.algorithm3(h, a, b, 2), lambda: ranges(LOW)),
    "001.alg3.complexity@operations": once(lambda: stays(privelet.cost("operations"))),
    "001.alg3.complexity@bits": once(lambda: stays(privelet.cost("bits"))),
    "001.sec3.coefonly": heights(
        lambda h: (
            privelet.output_covariance([[3 * x for x in row] for row in privelet.restoration(h)])
            == [[9 * x for x in row] for row in SIGMA[h]]
        ),
        LOW,
    ),
    "001.sec3.submatrix": fails(
        lambda h, a, b: privelet.squares(privelet.restoration(h), a, b) == plain.submatrix(SIGMA[h], a, b),
        lambda: ranges(range(4)),
    ),
    "001.eq12.cnt": lambda: (
        {} for h in HIGH for _, i, j in orders(h) if using(h, i, j) != min(i, j) * (2**h - max(i, j) + 1)
    ),
    "001.eq12.upper": lambda: (
        {}
        for h in HIGH
        for _, i, j in orders(h)
        if using(h, i, j) != (i * (2**h - j + 1) if i <= j else using(h, j, i))
    ),
    "001.eq13@ordered": by_height(2),
    "001.eq13@unordered": by_height(1),
    "001.eq14": heights(diagonal_part, range(5)),
    "001.eq15": heights(
        lambda h: (
            plain.over_ranges(SIGMA[h])
            == eq15(h)
            == SIGMA[h][0][0] * sum(using(h, i, i) for i in range(1, 2**h + 1))
            + sum(of_height(h, k, 2) for k in range(1, h + 1))
        ),
        range(5),
    ),
    "001.eq16": heights(
        lambda h: plain.over_ranges(SIGMA[h]) / privelet.number(2**h) == eq16(h) == privelet.privelet_average(h)
    ),
    "001.eq17@difference": once(lambda: tends(lambda h: privelet.privelet_average(h) - eq17(h), 0)),
    "001.eq17@ratio": once(lambda: tends(lambda h: privelet.privelet_average(h) / eq17(h), 1)),
    "001.eq17.h10": heights(lambda h: relative(h) < Fraction(1, 1000), range(11, 100)),
    "001.eq18": heights(
        lambda h: sum(variance(h, *at) for at in plain.ranges(2**h)) / privelet.number(2**h) == eq16(h), LOW
    ),
}
test_all_ranges_agree_with_the_ledger = agreement_test(RANGES)


@pytest.mark.parametrize(("claim", "other"), [("001.eq13@ordered", "unordered"), ("001.eq10.sk@floor", "floorclamp")])
def test_a_wrong_verdict_is_noticed(claim: str, other: str) -> None:
    with pytest.raises(AssertionError):
        agrees(claim, RANGES[f"{claim.split('@')[0]}@{other}"]())


def test_every_claim_is_decided() -> None:
    assert set(RANGES) == set(covariance.FORMAL | fixed_ranges.FORMAL | all_ranges.FORMAL)
