"""Sections 4 and 5 of source 001 decided again: average errors of trees of any height by counting with plain integers
(as by matrices where these are small), limits along trees that get twice as high; against the verdicts of the ledger
and their witnesses."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, count, pairwise

import mpmath
import pytest

from dp_checks.verdict import combined
from dp_spec.matrix.claims.comparison import FORMAL
from dp_spec.vocabulary.claim import Unchecked
from independent import brute_force_matrices as plain
from independent import brute_force_privelet as privelet
from independent.brute_force_matrices import Matrix
from independent.brute_force_privelet import doublings, errors, relative, stays, tends
from independent.verdicts import LEDGER, Fails, agreement_test, fails, heights, once

SMALL = [(2, h) for h in range(5)] + [(3, 1), (3, 2), (4, 1), (4, 2), (5, 1)]
TREES = [(b, h, root) for b, h in SMALL for root in (True, False) if root or h]
BOOST = {True: partial(privelet.boost_average, 2, root=True), False: partial(privelet.boost_average, 2, root=False)}
NAIVE = {True: partial(privelet.naive_average, root=True), False: partial(privelet.naive_average, root=False)}


def from_matrix(sigma: Matrix) -> Fraction:
    """The average over all ranges."""
    return plain.over_ranges(sigma) / privelet.number(len(sigma))


@pytest.mark.parametrize(("b", "h", "root"), TREES)
def test_averages_by_counting_are_those_of_matrices(b: int, h: int, root: bool) -> None:
    n = b**h
    a = plain.tree(n, b, root)
    by_inverse = plain.inverse(plain.product(plain.transposed(a), a))
    assert privelet.boost_average(b, h, root) == from_matrix(by_inverse)
    if b == 2:
        used = sum(plain.fewest_nodes(n, 2, root, *at) for at in plain.ranges(n))
        assert NAIVE[root](h) == Fraction(used, privelet.number(n))
        assert privelet.privelet_average(h) == from_matrix(privelet.SIGMA[h])
        assert errors(h)["identity"] == from_matrix(plain.identity(n))


def index(average: Callable[[int], Fraction], levels: Callable[[int], int]) -> Callable[[int], Fraction]:
    return lambda h: h**3 / (levels(h) ** 2 * average(h))


def plus(h: int) -> int:
    return h + 1


def same(h: int) -> int:
    return h


INDEX: dict[str, Callable[[int], Fraction]] = {
    "privelet": index(privelet.privelet_average, plus),
    "boost": index(BOOST[True], plus),
    "boost noroot": index(BOOST[False], same),
    "naive": index(NAIVE[True], plus),
    "naive noroot": index(NAIVE[False], same),
    "identity": lambda h: h**3 / errors(h)["identity"],
    "full": lambda h: INDEX["privelet"](h) / 2,
    "coef-only": index(privelet.privelet_average, lambda h: 1),
    "replace-delta": index(privelet.privelet_average, lambda h: 2 * h),
}


def is_index(name: str, value: int) -> Callable[[], Fails]:
    return once(lambda: tends(INDEX[name], value))


def has_limit(name: str) -> Callable[[], Fails]:
    """The steps between trees that get twice as high shrink."""

    def holds() -> bool:
        values = [INDEX[name](h) for h in doublings()]
        steps = [abs(b - a) for a, b in pairwise(values)]
        return all(3 * b <= 2 * a for a, b in pairwise(steps))

    return once(holds)


def cubes(name: str) -> bool:
    """h^3 = O(err)."""
    return stays(INDEX[name], 8)


@cache
def bary_slope(b: int) -> bool:
    return tends(index(partial(privelet.boost_average, b, root=True), plus), Fraction(3 * b, (b - 1) ** 2))


def bary_index(b: int) -> mpmath.mpf:
    return mpmath.mpf(3 * b) / (b - 1) ** 2 * mpmath.log(b, 2) ** 3


def passes(b: int, h: int) -> bool:
    """The two passes, of a unit answer of every node, as by least squares."""
    nodes = [(t, x) for t in range(h, -1, -1) for x in range(b ** (h - t))]
    columns = [privelet.two_pass(b, h, {m: Fraction(int(m == n)) for m in nodes}) for n in nodes]
    return plain.transposed(columns) == plain.least_squares(plain.tree(b**h, b, True))


def unbiased(b: int, h: int, root: bool) -> bool:
    a = plain.tree(b**h, b, root)
    return plain.product(plain.least_squares(a), a) == plain.identity(b**h)


def tree_sensitivity(root: bool) -> Callable[[], Fails]:
    def holds(b: int, h: int, released: bool) -> bool:
        columns = plain.changes(plain.tree(b**h, b, released), False)
        return max(sum(abs(x) for x in column) for column in columns) == h + released

    return fails(holds, lambda: [at for at in TREES if at[2] == root])


def lower(pairs: list[tuple[str, str]]) -> Callable[[int], bool]:
    """The first one has the lower index."""
    return lambda h: all(errors(h)[a] > errors(h)[b] for a, b in pairs)


DIFFERENT = [("naive", "privelet"), ("naive", "boost")]
DIFFERENT += [("identity", b) for b in ("naive", "privelet", "boost")]


def eventually(holds: Callable[[int], bool]) -> bool:
    """From some height up to twice as far."""
    first = next(h for h in count(1) if holds(h))
    return all(holds(h) for h in range(first, 2 * first + 8)) and all(holds(h) for h in doublings(6))


def near(h: int) -> bool:
    """Within a tenth."""
    ratio = errors(h)["boost"] / errors(h)["privelet"]
    return abs(ratio - 1) <= Fraction(1, 10)


def fluctuation(h: int, first: int, last: int) -> Fraction:
    """The relative variance of one squared error, from E L^2 = 2 and E L^4 = 24 of independent Lap(1)."""
    weights = privelet.range_weights(h, first, last)
    q2, q4 = (sum((w**p for w in weights), Fraction(0)) for p in (2, 4))
    fourth = 24 * q4 + 3 * 4 * (q2**2 - q4)
    return fourth / (2 * q2) ** 2 - 1


def within(percent: int) -> Callable[[], Fails]:
    """Ranges of 1024 data from the largest on, with every 31st end; 100 repetitions."""

    def holds() -> bool:
        fluctuations = (fluctuation(10, 1 + a, 1024 - b) for a in range(0, 512, 31) for b in range(0, 512, 31))
        return all(f / 100 <= Fraction(percent, 100) ** 2 for f in fluctuations)

    return once(holds)


LISTED = {"privelet": 6, "boost": 6, "naive": 1}
TRUTH: dict[str, Callable[[], Fails]] = {
    "001.sec4.bestorder@pure": once(
        lambda: (
            all(map(cubes, ("privelet", "boost", "boost noroot", "naive", "naive noroot", "identity")))
            and stays(lambda h: 1 / INDEX["privelet"](h))
        )
    ),
    # h + 1 for the squared Euclidean sensitivity, in place of (h + 1)^2
    "001.sec4.bestorder@approx": once(lambda: stays(lambda h: h**3 / ((h + 1) * privelet.privelet_average(h)))),
    "001.def3@with-delta": has_limit("privelet"),
    "001.def3@full": has_limit("full"),
    "001.def3@coef-only": has_limit("coef-only"),
    "001.def3@replace-delta": has_limit("replace-delta"),
    "001.def3.privelet@with-delta": is_index("privelet", 6),
    "001.def3.privelet@full": is_index("full", 6),
    "001.def3.privelet@coef-only": is_index("coef-only", 6),
    "001.def3.privelet@replace-delta": is_index("replace-delta", 6),
    "001.def3.naive@root": is_index("naive", 1),
    "001.def3.naive@noroot": is_index("naive noroot", 1),
    "001.def3.boost@root": is_index("boost", 6),
    "001.def3.boost@noroot": is_index("boost noroot", 6),
    "001.base.naive.sens@root": tree_sensitivity(True),
    "001.base.naive.sens@noroot": tree_sensitivity(False),
    "001.base.boost.ols": fails(passes, lambda: SMALL),
    "001.base.boost.unbiased": fails(unbiased, lambda: TREES),
    "001.sec4.same@limit": once(lambda: tends(lambda h: errors(h)["boost"] / errors(h)["privelet"], 1)),
    "001.sec4.same@finite": heights(near, range(4, 13)),
    "001.sec4.lower@limit": once(lambda: eventually(lower(DIFFERENT))),
    "001.sec4.lower@finite": heights(lower(DIFFERENT), range(4, 13)),
    "001.sec4.reflects@limit": fails(
        lambda a, b: tends(lambda h: errors(h)[a] / errors(h)[b], Fraction(LISTED[b], LISTED[a])),
        lambda: combinations(LISTED, 2),
    ),
    "001.sec4.reflects@finite": heights(
        lambda h: all(
            abs(errors(h)[a] / errors(h)["privelet"] * LISTED[a] / 6 - 1) <= Fraction(1, 10) for a in ("naive", "boost")
        ),
        range(4, 13),
    ),
    "001.sec4.reflects@finite.corrected": heights(
        lambda h: all(
            Fraction(low, 10) < errors(h)[a] / errors(h)["privelet"] < Fraction(high, 10)
            for a, low, high in (("naive", 32, 50), ("boost", 11, 13))
        ),
        range(4, 13),
    ),
    "001.sec4.positive@listed": once(lambda: all(tends(INDEX[a], k) and k > 0 for a, k in LISTED.items())),
    "001.sec4.positive@identity": once(lambda: not tends(INDEX["identity"], 0)),
    "001.sec4.positive@bary": once(lambda: all(bary_slope(b) and bary_index(b) > 0 for b in range(3, 8))),
    "001.sec4.max@listed": once(lambda: all(tends(INDEX[a], k) and k <= 6 for a, k in LISTED.items())),
    "001.sec4.max@bary": fails(
        lambda b: bary_slope(b) and bary_index(b) <= 6, lambda: ((b,) for b in range(2, 6)), "b"
    ),
    "001.supp.bary.best": once(lambda: max(range(2, 2000), key=bary_index) == 13),
    "001.exp.table1.power@pct1": within(1),
    "001.exp.table1.power@pct5": within(5),
    "001.exp.table1.power@pct25": within(25),
    # the variance of a mean of independent errors is one over their number
    "001.exp.table1.reps": once(lambda: len({fluctuation(10, *at) for at in ((1, 1), (1, 1024), (3, 700))}) == 3),
    "001.exp.table2.groups": once(lambda: len({2**m for m in range(11)}) == 10),
    "001.exp.table2.groups.corrected": once(lambda: len({2**m for m in range(11)}) == 11),
    "001.exp.table2.eq17@all": heights(lambda h: relative(h) < Fraction(1, 100), range(11)),
    "001.exp.table2.validates": heights(lambda h: relative(h) < Fraction(1, 2), range(11)),
    "001.exp.table2.eq17@top": once(lambda: relative(10) < Fraction(1, 100)),
}
test_plain_counting_agrees_with_the_ledger = agreement_test(TRUTH)


def test_every_claim_is_decided() -> None:
    assert set(TRUTH) == {i for i, formal in FORMAL.items() if not isinstance(formal, Unchecked)}


def test_rows_follow_from_their_readings() -> None:
    rows = {i: entry.data for i, entry in LEDGER.items() if i.startswith("001.") and "readings" in entry.data}
    for row in rows.values():
        assert row["verdict"] == combined({i: LEDGER[i].verdict for i in row["readings"]}, row["combine"])
