"""Least variances by the card *spectra* against explicit matrices: inverses, null spaces, all principal minors."""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from independent import brute_force_matrices, brute_force_trees
from independent.brute_force_estimates import information, is_best, is_semidefinite, minors, null_space
from independent.noise_cases import CASES, DIFFERENCES, INNER, LEAVES, ROOT, WHOLE, WITHOUT_ROOT, law, level, quantity

F = Fraction
Matrix = list[list[Fraction]]
SMALL = [case for case in CASES if case[0] ** case[1] <= 4]
COMPLETE = [[WHOLE], [WITHOUT_ROOT], [LEAVES], [LEAVES, INNER], [ROOT, DIFFERENCES], [DIFFERENCES, WHOLE, WHOLE]]
"""Rows of strategies whose answers determine all counts of binary trees."""


def queries(b: int, h: int, rows: list[Any]) -> Matrix:
    return [[*q.weights] for q in brute_force_trees.tree(b, h, [level(row, h) for row in rows])]


def dot(row: Any, column: Any) -> Fraction:
    return sum((x * y for x, y in zip(row, column, strict=True)), F(0))


def inverse(b: int, h: int, rows: list[Any]) -> Matrix:
    """(A^T A)^-1, of the entries that the kernel derives."""
    of = law(b, rows)
    entries = {k: quantity(of, "least squares", "pair", h=h, k=k) for k in range(1, h + 1)}
    entries[0] = quantity(of, "least squares", "diagonal", h=h)
    return [[entries[brute_force_trees.common(i, j, b)] for j in range(b**h)] for i in range(b**h)]


@pytest.mark.parametrize(("b", "h", "rows"), SMALL)
def test_no_unbiased_estimate_has_less_variance(b: int, h: int, rows: list[Any]) -> None:
    """Weights w (A^T A)^-1 A^T, and all that differ from them by answers that say nothing of the counts."""
    rng = Random(f"{b} {h} {rows}")
    a, x = queries(b, h, rows), inverse(b, h, rows)
    asked = [F(rng.randint(-3, 3)) for _ in range(b**h)]
    weights = [dot([dot(asked, column) for column in x], row) for row in a]
    assert is_best(a, [F(1)] * len(a), asked, weights)
    least = dot(asked, [dot(asked, row) for row in x])
    assert dot(weights, weights) == least
    for silent in null_space([*zip(*a, strict=True)], len(a)):
        along = F(rng.randint(-3, 3), 7)
        other = [w + along * z for w, z in zip(weights, silent, strict=True)]
        assert [dot(other, column) for column in zip(*a, strict=True)] == asked
        assert (dot(other, other) == least) == (other == weights)
        assert dot(other, other) >= least


@pytest.mark.parametrize(("one", "other"), [*product(COMPLETE, COMPLETE)])
@pytest.mark.parametrize("factor", [F(1, 20), F(1), F(7, 3)])
def test_variances_are_ordered_as_on_constants_and_contrasts(one: Any, other: Any, factor: Fraction) -> None:
    """By all principal minors of c A^T A - B^T B, and by the variances of some queries, from inverses."""
    h = 2
    forms = [information(a, [F(1)] * len(a)) for a in (queries(2, h, rows) for rows in (one, other))]
    gap = [[factor * x - y for x, y in zip(u, v, strict=True)] for u, v in zip(*forms, strict=True)]
    spaces = [("constant", 0), *(("contrast", k) for k in range(1, h + 1))]
    pairs = [[quantity(law(2, rows), "least squares", which, h=h, k=k) for rows in (one, other)] for which, k in spaces]
    dominated = all(e <= factor * e_other for e, e_other in pairs)
    assert dominated == is_semidefinite(gap)
    ours, theirs = map(brute_force_matrices.inverse, forms)
    asked = brute_force_matrices.identity(2**h) + brute_force_matrices.haar(2**h) + [[F(3), F(-1), F(0), F(2)]]
    errors = [[dot(w, [dot(w, row) for row in of]) for of in (ours, theirs)] for w in asked]
    assert dominated == all(e <= factor * e_other for e, e_other in errors)


def test_minors_see_what_leading_ones_do_not() -> None:
    """0 and -1 on the diagonal: no leading minor is negative."""
    assert [*minors([[F(0), F(0)], [F(0), F(-1)]])] == [0, -1, 0]
