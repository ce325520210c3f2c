"""Which sizes and frequencies a data set has: the kernel's criterion against all data sets of small sizes."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import pytest

from dp_checks.check.inhabitants import inhabitant
from dp_kernel import Rejected
from dp_kernel.formulas.domains import Region
from dp_kernel.judgements import error_terms
from dp_kernel.numbers.polynomial import Bound, variable
from dp_spec.frequency.claims.comparison import FORMAL, data
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.law import G, M
from dp_spec.vocabulary.statement import Domain, Range

F = Fraction
USERS, ITEMS = 3, 4


def enumerated(k: int, others: int, m: int, n: int, item: int | None) -> set[tuple[Fraction, Fraction]]:
    """(f of the item, g) of every data set of n users with m-sets."""
    sets = [set(s) for s in combinations(range(k + others), m)]
    points = set()
    for users in combinations_with_replacement(sets, n):
        f = F(sum(item in s for s in users), n) if item is not None else F(0)
        points.add((f, F(sum(x >= k for s in users for x in s), n)))
    return points


def possible(at: dict[str, Any], item: str | None, others: bool, single: bool = False) -> bool:
    """The kernel's criterion at a point."""
    least, whole = error_terms.limits(at, item, others, single)
    return all(x >= 0 for x in least) and all(F(x).denominator == 1 for x in whole)


def sizes() -> Iterator[tuple[int, int, int, int]]:
    for k, others, m, n in product(range(4), range(4), range(5), range(1, USERS + 1)):
        if k + others <= ITEMS:
            yield k, others, m, n


@pytest.mark.slow
@pytest.mark.parametrize("item", [None, "sensitive", "nonsensitive"])
def test_possible_is_that_some_data_set_has_them(item: str | None) -> None:
    compared = accepted = 0
    for k, others, m, n in sizes():
        chosen = None if item is None else 0 if item == "sensitive" else k
        exists = k >= 1 and m >= 1 and (chosen is None or chosen < k + others)
        real = enumerated(k, others, m, n, chosen) if exists else set()
        for above, below in product(range(-1, 2 * n + 3), range(-1, 2 * (m + 1) * n + 1)):
            f, g = F(above, 2 * n), F(below, 2 * n)
            at = {"n": F(n), "m": F(m), "K": F(k), "N": F(others), "g": g} | ({} if item is None else {"f": f})
            said = possible(at, item, True)
            assert said == (((f if item else F(0)), g) in real), at
            compared, accepted = compared + 1, accepted + said
    assert compared > 5_000
    assert accepted > 100


def test_without_other_items() -> None:
    """X = X_sen: no set has more than K items, nobody holds others."""
    for k, m, n, holders in product(range(1, 5), range(1, 5), range(1, 4), range(4)):
        real = enumerated(k, 0, m, n, 0)
        at = {"n": F(n), "m": F(m), "K": F(k), "f": F(holders, n)}
        assert possible(at, "sensitive", False) == ((F(holders, n), F(0)) in real)
        assert not possible({**at, "g": F(1, n)}, "sensitive", False)


@pytest.mark.parametrize("item", [None, "sensitive", "nonsensitive"])
def test_what_is_left_open_can_be_chosen(item: str | None) -> None:
    """With some sizes unnamed: whatever is called possible is had by a data set of larger sizes."""
    always = ("n", "m") if item is None else ("n", "m", "f")
    real = [
        {"n": F(n), "m": F(m), "K": F(k), "N": F(others), "f": f, "g": g}
        for k, others, m, n in product(range(1, 5), range(5), range(1, 4), range(1, 3))
        if item != "nonsensitive" or others
        for f, g in enumerated(k, others, m, n, None if item is None else 0 if item == "sensitive" else k)
    ]
    for named in ((*always, *c) for size in range(3) for c in combinations(("K", "N", "g"), size)):
        points = {tuple(at[x] for x in named) for at in real}
        grid = product(*([F(x, 2) for x in range(5)] if x in "fg" else [F(x) for x in range(3)] for x in named))
        for values in grid:
            at = dict(zip(named, values, strict=True))
            if possible(at, item, True) and at.get("f", 0) in (0, 1, F(1, 2)):
                assert tuple(values) in points, at


def test_families_are_those_of_points() -> None:
    """Along m = a L + b, ..: what is shown symbolically holds at every L, integers included."""
    bounds = {"L": Bound(F(1), False, whole=True)}
    cases = 0
    statement = Formula(data(), (), of_data=True).json()
    for a, b, c, d, e in product((0, 1), (0, 1, 2), (0, 1), (1, 2), (0, 1)):
        trees = {"m": (a, b), "K": (c, d), "N": (1, 0), "g": (e, 0), "n": (0, 1)}
        along = Region({x: variable("L") * s + t for x, (s, t) in trees.items()}, bounds)
        try:
            error_terms.require_possible(statement, along)
        except Rejected:
            continue
        cases += 1
        for number in range(1, 8):
            at = {x: F(s * number + t) for x, (s, t) in trees.items()}
            assert possible(at, None, True), at
    assert cases >= 5


def test_the_domain_of_all_data_sets_has_them() -> None:
    """The constraints that claims state (g <= m, g <= N, m - g <= K) hold for every data set."""
    stated = data()
    for k, others, m, n in sizes():
        if k and m:
            for _, g in enumerated(k, others, m, n, None):
                at = {"m": F(m), "K": F(k), "N": F(others), "n": F(n), "g": g}
                assert all(F(c.evaluate(at)) >= 0 for c in stated.constraints)


def test_a_domain_without_data_sets_is_rejected() -> None:
    """m > K + N, and half a user."""
    for constraint, ranges in (
        (
            M - G - 9,
            {"g": Range(), "m": Range(1, integer=True), "n": Range(1, integer=True), "K": Range(1, integer=True)},
        ),
    ):
        body = Formula(Domain(ranges, (constraint,)), (("le", M, M),), of_data=True).json()
        body["domain"]["constraints"] += [["sub", 2, "K"], ["sub", 1, "g"]]
        with pytest.raises(Rejected, match="a statement about nothing"):
            inhabitant(body)
        with pytest.raises(Rejected, match="no data set has these sizes"):
            error_terms.opened(body, {"g": "1", "m": "10", "n": "1", "K": "2"})


def test_every_claim_is_about_some_data_set() -> None:
    checked = 0
    for statement in FORMAL.values():
        if isinstance(statement, Formula):
            _, at = error_terms.opened(statement.json(), inhabitant(statement.json()))
            error_terms.require_possible(statement.json(), Region(at, {}))
            checked += 1
    assert checked > 5


def test_a_law_of_one_item_is_about_sets_of_one() -> None:
    for m in (1, 2):
        at = {"n": F(1), "m": F(m), "K": F(3), "f": F(1)}
        assert possible(at, "sensitive", False)
        assert possible(at, "sensitive", False, True) == (m == 1)
