"""The card *projection*, and the rules for explicit matrices, against null spaces, inverses, all principal minors."""

from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import assume, given
from hypothesis import strategies as st

from attack import noise, prover
from attack.campaign import attempts, printed
from attack.matrices import judged
from dp_checks.check import matrices
from dp_kernel import Rejected
from dp_kernel.cards.projection import require_semidefinite
from dp_kernel.certificate.check import check
from dp_kernel.finite.matrices import columns
from dp_kernel.meter import limited
from dp_kernel.numbers.json_numbers import dot, products
from independent import plain_matrices, plain_trees
from independent.noise_cases import CASES, DIFFERENCES, INNER, LEAVES, ROOT, WHOLE, law, level
from independent.plain_estimates import information, is_best, is_semidefinite, minors, null_space

F = Fraction
Matrix = list[list[Fraction]]
entries = st.fractions(-3, 3, max_denominator=4)
sizes = st.integers(1, 4)


def squares(n: int) -> st.SearchStrategy[Matrix]:
    return st.lists(st.lists(entries, min_size=n, max_size=n), min_size=n, max_size=n)


symmetric = sizes.flatmap(squares).map(
    lambda m: [[m[max(i, j)][min(i, j)] for j in range(len(m))] for i in range(len(m))]
)


def flint(of: Matrix) -> fmpq_mat:
    return fmpq_mat(len(of), len(of[0]), [fmpq(x.numerator, x.denominator) for row in of for x in row])


def plain(row: Any) -> list[Fraction]:
    return [F(int(x.p), int(x.q)) for x in row]


def accepted(matrix: Matrix, lower: Matrix, pivots: list[Fraction]) -> bool:
    try:
        require_semidefinite(matrix, lower, pivots)
    except Rejected:
        return False
    return True


# --- L D L^T ----------------------------------------------------------------------------------------------------------


@given(symmetric)
def test_a_form_is_a_sum_of_squares_or_negative_somewhere(matrix: Matrix) -> None:
    """What elimination finds is accepted if and only if no principal minor is negative; else there is a vector."""
    lower, pivots = matrices.factors(flint(matrix))
    found, vector = accepted(matrix, [*map(plain, lower)], plain(pivots)), matrices.negative(flint(matrix))
    assert found == is_semidefinite(matrix) == (vector is None)
    if vector is not None:
        v = plain(vector)
        assert dot(v, [dot(v, row) for row in matrix]) < 0


@given(sizes.flatmap(lambda n: st.tuples(squares(n), squares(n), st.lists(entries, min_size=n, max_size=n))))
def test_whatever_is_accepted_is_semidefinite(drawn: tuple[Matrix, Matrix, list[Fraction]]) -> None:
    """Any L and D, for the matrix that they make, and for another one."""
    noise, triangle, pivots = drawn
    lower = [row[:i] for i, row in enumerate(triangle)]
    full = [[*row, F(1), *[F(0)] * (len(pivots) - i - 1)] for i, row in enumerate(lower)]
    made = [[sum((a * d * b for a, d, b in zip(x, pivots, y, strict=True)), F(0)) for y in full] for x in full]
    assert accepted(made, lower, pivots) == all(d >= 0 for d in pivots)
    if accepted(made, lower, pivots):
        assert is_semidefinite(made)
    other = [[made[i][j] + noise[max(i, j)][min(i, j)] for j in range(len(made))] for i in range(len(made))]
    assert accepted(other, lower, pivots) == (other == made and all(d >= 0 for d in pivots))


def test_minors_see_what_leading_ones_do_not() -> None:
    """0 and -1 on the diagonal: no leading minor is negative."""
    form = [[F(0), F(0)], [F(0), F(-1)]]
    assert [*minors(form)] == [0, -1, 0]
    assert not accepted(form, [[], [F(0)]], [F(0), F(-1)])


# --- estimates --------------------------------------------------------------------------------------------------------


@given(st.data())
def test_weights_in_the_row_space_have_the_least_variance(data: st.DataObject) -> None:
    """The least-squares weights by an inverse, and any other unbiased weights: only those are accepted as the best."""
    n = data.draw(sizes)
    rows = data.draw(st.lists(st.lists(entries, min_size=n, max_size=n), min_size=n, max_size=n + 2))
    variances = data.draw(st.lists(st.fractions(F(1, 4), 4, max_denominator=4), min_size=len(rows), max_size=len(rows)))
    gram = information(rows, variances)
    assume(flint(gram).det() != 0)
    asked = data.draw(st.lists(entries, min_size=n, max_size=n))
    x = [dot(asked, column) for column in plain_matrices.inverse(gram)]
    weights = [dot(x, row) / d for row, d in zip(rows, variances, strict=True)]
    assert is_best(rows, variances, asked, weights)
    other = data.draw(st.lists(entries, min_size=len(rows), max_size=len(rows)))
    biased = [dot(other, column) for column in zip(*rows, strict=True)] != asked
    least, spread = (dot(products(w, w), variances) for w in (weights, other))
    assert is_best(rows, variances, asked, other) == (not biased and spread == least)
    assert biased or spread >= least


@pytest.mark.parametrize(("b", "h", "rows"), [case for case in CASES if case[0] ** case[1] <= 8])
def test_the_kernel_reads_the_queries_of_small_trees(b: int, h: int, rows: list[Any]) -> None:
    queries = plain_trees.tree(b, h, [level(row, h) for row in rows])
    found, scales = columns(law(b, rows), {"h": h})
    assert [*scales] == [q.scale for q in queries]
    assert [*zip(*found, strict=True)] == [tuple(x / q.scale for x in q.weights) for q in queries]


PAIRS = [
    (one, other) for one in ([WHOLE], [ROOT, DIFFERENCES], [LEAVES]) for other in ([WHOLE], [LEAVES], [DIFFERENCES])
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
@pytest.mark.parametrize("factor", [F(1, 20), F(1, 2), F(1), F(7, 3), F(40)])
def test_dominated_strategies_are_so_for_every_query(one: Any, other: Any, factor: Fraction) -> None:
    """By all principal minors, and by the least variances of some queries, from inverses."""
    h = 2
    forms = []
    for rows in (one, other):
        queries = plain_trees.tree(2, h, [level(row, h) for row in rows])
        forms.append(information([q.weights for q in queries], [2 * q.scale**2 for q in queries]))
    less, more = forms
    gap = [[factor * x - y for x, y in zip(u, v, strict=True)] for u, v in zip(less, more, strict=True)]
    body: Any = {"type": "dominates", "strategy": law(2, one), "other": law(2, other), "at": {"h": h}}
    body["factor"] = ["div", factor.numerator, factor.denominator]
    lower, pivots = matrices.factors(flint([[2 * x for x in row] for row in gap]))
    evidence = {"lower": [[str(x) for x in row] for row in lower], "pivots": [str(x) for x in pivots]}
    vector = matrices.negative(flint(gap))
    if is_semidefinite(gap):
        assert vector is None
        check(body, "proved", evidence)
        if other != [DIFFERENCES]:
            ours, theirs = map(plain_matrices.inverse, forms)
            for asked in plain_matrices.identity(2**h) + plain_matrices.haar(2**h) + [[F(3), F(-1), F(0), F(2)]]:
                e, e_other = (dot(asked, [dot(asked, row) for row in of]) for of in (ours, theirs))
                assert e <= factor * e_other
    else:
        with pytest.raises(Rejected):
            check(body, "proved", evidence)
        assert vector is not None
        check(body, "refuted", {"vector": [str(x) for x in vector]})
        asked = [dot(plain(vector), row) for row in more]
        best, least = (matrices.solved(flint(of), [fmpq(x.numerator, x.denominator) for x in asked]) for of in forms)
        assert least is not None
        assert best is None or dot(plain(best), asked) > factor * dot(plain(least), asked)


def test_a_strategy_that_leaves_the_total_open_dominates_none() -> None:
    """Differences alone: the variance of the total is infinite."""
    body = {"type": "dominates", "strategy": law(2, [DIFFERENCES]), "other": law(2, [ROOT, DIFFERENCES])}
    check({**body, "factor": 10**9, "at": {"h": 1}}, "refuted", {"vector": [1, 1]})
    check({**body, "factor": 10**9, "at": {"h": 2}}, "refuted", {"vector": [1, 1, 1, 1]})


def written(rows: Any) -> Any:
    return [[str(x) for x in row] for row in rows]


@pytest.mark.parametrize("rows", [[WHOLE], [ROOT, DIFFERENCES], [LEAVES, INNER], [DIFFERENCES, WHOLE, WHOLE], [INNER]])
@pytest.mark.parametrize("h", [1, 2])
def test_best_estimates_are_accepted_and_no_others(rows: Any, h: int) -> None:
    """Of all estimates that differ along an answer that says nothing of the counts, if there is one."""
    found = plain_trees.tree(2, h, [level(row, h) for row in rows])
    queries, variances = [q.weights for q in found], [2 * q.scale**2 for q in found]
    size = 2**h if rows != [INNER] else 2 ** (h - 1)
    asked = [row for row in queries if sum(map(abs, row)) > 0][:size]
    gram = information(queries, variances)
    xs = [matrices.solved(flint(gram), [fmpq(x.numerator, x.denominator) for x in row]) for row in asked]
    weights = [[dot(plain(x), q) / d for q, d in zip(queries, variances, strict=True)] for x in xs]
    assert all(is_best(queries, variances, row, w) for row, w in zip(asked, weights, strict=True))
    body = {"type": "best-linear", "strategy": law(2, rows), "at": {"h": h}, "workload": written(asked)}
    stated = {**body, "estimates": written(weights)}
    # the rule divides by scales: variances are 2 there
    evidence = {"multipliers": [[str(x / 2) for x in plain(row)] for row in xs]}
    check(stated, "proved", evidence)
    for number, silent in enumerate(null_space([*zip(*queries, strict=True)], len(queries))):
        chosen = number % len(weights)
        worse = [[*w] for w in weights]
        worse[chosen] = [w + z / 7 for w, z in zip(worse[chosen], silent, strict=True)]
        with pytest.raises(Rejected, match="not in the row space"):
            check({**body, "estimates": written(worse)}, "proved", evidence)
        better = {"query": chosen, "better": written(weights)[chosen]}
        check({**body, "estimates": written(worse)}, "refuted", better)
        with pytest.raises(Rejected, match="it is no better"):
            check(stated, "refuted", {"query": chosen, "better": written(worse)[chosen]})


# --- attack -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_no_random_statement_is_accepted_and_false() -> None:
    with attempts() as made:
        for index in range(150):
            rng = Random(f"matrices/{index}")
            with suppress(*prover.ERRORS):
                for attempt in noise.explicit(rng):
                    made.one(*attempt, rng)
    report = made.report()
    assert not report.false, printed(report)
    kinds = {(name, verdict) for name in ("best-linear", "dominates") for verdict in ("proved", "refuted")}
    assert {*report.kinds} == kinds
    assert min(report.number("true", kind) for kind in kinds) > 15
    assert report.number("undecided") == 0


def test_the_brute_force_knows_what_is_false() -> None:
    leaves = {"type": "best-linear", "strategy": law(2, [WHOLE]), "at": {"h": 1}, "workload": [[1, 0]]}
    flat, best = {**leaves, "estimates": [[1, 0, 0]]}, {**leaves, "estimates": [["2/3", "-1/3", "1/3"]]}
    body = {"type": "dominates", "strategy": law(2, [WHOLE]), "other": law(2, [WHOLE]), "at": {"h": 1}}
    equal, less = {**body, "factor": 1}, {**body, "factor": ["div", 9, 10]}
    scales = law(2, [["sums", 0, "h", 1, ["add", "s", 1]]])
    for statement, verdict, holds in (
        (flat, "proved", False),
        (flat, "refuted", True),
        (best, "proved", True),
        (best, "refuted", False),
        ({**best, "strategy": scales}, "proved", False),
        (equal, "proved", True),
        (equal, "refuted", False),
        (less, "proved", False),
        (less, "refuted", True),
    ):
        assert (judged(statement, verdict)[0] == "") == holds
    for nonsense in ({**best, "workload": []}, {**best, "workload": [[1]]}, {**less, "factor": 0}):
        assert "nothing is stated" in judged(nonsense, "proved")[0]


# --- work -------------------------------------------------------------------------------------------------------------


def test_work_grows_with_the_matrices() -> None:
    """Of both matrices: about n^2 products of columns."""
    spent = []
    for h in (1, 2, 3, 4):
        size = 2**h
        body = {
            "type": "dominates",
            "strategy": law(2, [LEAVES]),
            "other": law(2, [LEAVES]),
            "factor": 1,
            "at": {"h": h},
        }
        evidence = {"lower": [[0] * i for i in range(size)], "pivots": [0] * size}
        with limited() as meter:
            check(body, "proved", evidence)
        spent.append(meter.spent)
        assert meter.cards == {"noise", "projection"}
    assert all(4 * a < b < 16 * a for a, b in pairwise(spent[1:]))


def test_large_factors_are_paid_for() -> None:
    body = {"type": "dominates", "strategy": law(2, [LEAVES]), "other": law(2, [LEAVES]), "at": {"h": 5}}
    with limited(1_000_000), pytest.raises(Rejected, match="units of work"):
        check({**body, "factor": ["pow", 3, 60_000]}, "refuted", {"vector": [1] * 32})
