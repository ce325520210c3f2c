"""Laws of noise on small trees, as the kernel reads them and by functions; what it derives of them, beside matrices."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from dp_checks import matrix_programs
from dp_kernel.formulas.domains import Region
from dp_kernel.formulas.terms import evaluate
from dp_kernel.judgements import additive
from independent import brute_force_matrices, brute_force_trees
from independent.brute_force_trees import Level

F = Fraction
Json = dict[str, Any]


def one(s: int, h: int) -> Fraction:
    return F(1)


def row(kind: str, first: Any, last: Any, weight: Any, scale: Any) -> list[Any]:
    return [kind, first, last, weight, scale]


DOWN, STEP = ["pow", 2, ["neg", "s"]], ["add", "s", 1]
WHOLE = row("sums", 0, "h", 1, ["add", "h", 1])
WITHOUT_ROOT = row("sums", 0, ["sub", "h", 1], STEP, ["div", 1, STEP])
ROOT = row("sums", "h", "h", ["pow", 2, ["neg", "h"]], ["div", "h", 3])
DIFFERENCES = row("differences", 1, "h", DOWN, ["mul", 2, DOWN])
LEAVES = row("sums", 0, 0, 2, 5)
INNER = row("sums", 1, "h", 3, 1)
BACK = ["sub", "s", 2]


def level(of: list[Any], h: int) -> Level:
    """The same row by functions."""
    if of is WHOLE:
        return Level("sums", 0, h, one, lambda s, h: F(h + 1), lambda s, h: F(s - 2))
    if of is WITHOUT_ROOT:
        return Level("sums", 0, h - 1, lambda s, h: F(s + 1), lambda s, h: F(1, s + 1), lambda s, h: F(s - 2))
    if of is ROOT:
        return Level("sums", h, h, lambda s, h: F(1, 2**h), lambda s, h: F(h, 3), lambda s, h: F(s - 2))
    if of is DIFFERENCES:
        return Level("differences", 1, h, lambda s, h: F(1, 2**s), lambda s, h: F(2, 2**s), lambda s, h: F(s - 2))
    if of is LEAVES:
        return Level("sums", 0, 0, lambda s, h: F(2), lambda s, h: F(5), lambda s, h: F(s - 2))
    assert of is INNER
    return Level("sums", 1, h, lambda s, h: F(3), one, lambda s, h: F(s - 2))


TREES = [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)]
ROWS = [
    [WHOLE],
    [WITHOUT_ROOT],
    [ROOT, DIFFERENCES],
    [LEAVES, INNER],
    [WITHOUT_ROOT, ROOT],
    [DIFFERENCES, WHOLE, WHOLE],
]
CASES = [(b, h, rows) for (b, h), rows in product(TREES, ROWS) if b == 2 or DIFFERENCES not in rows]


def law(b: int, rows: list[Any], **more: Any) -> Json:
    return {"mechanism": "", "noise": "laplace", "branching": b, "rows": rows, "restored": [BACK] * len(rows), **more}


def quantity(of: Json, what: str, which: str, **values: int) -> Fraction:
    """A quantity of a law at numbers, as the kernel derives it."""
    at = Region({name: F(x) for name, x in values.items()}, {}, bits=64)
    number = evaluate(additive.derived({"law": of, "of": [what, which]}, at), at.values, 64)
    assert isinstance(number, Fraction)
    return number


def misderived(b: int, h: int, rows: list[Any]) -> Iterator[str]:
    """What the kernel derives of a law that is not what its matrices say."""
    of, written = law(b, rows), brute_force_trees.tree(b, h, [level(x, h) for x in rows])
    if [brute_force_trees.Query(*query) for query in matrix_programs.queries(of, {"h": F(h)})] != written:
        yield "queries"
    for neighbors, scaled in product(("addremove", "replace"), (False, True)):
        sensitivity = quantity(of, "loss" if scaled else "sensitivity", neighbors, h=h)
        if sensitivity != max(brute_force_trees.distances(written, neighbors, scaled)):
            yield f"{neighbors} {scaled}"
    for what in ("gram", "returned", "coefficient", "covariance"):
        yield from _differing(of, what, brute_force_trees.product(what, written), h)
    yield from _differing(
        of, "least squares", brute_force_matrices.inverse(brute_force_trees.product("gram", written)), h
    )


def _differing(of: Json, what: str, matrix: brute_force_matrices.Matrix, h: int) -> Iterator[str]:
    b = of["branching"]
    entries = {k: quantity(of, what, "pair", h=h, k=k) for k in range(1, h + 1)}
    entries[0] = quantity(of, what, "diagonal", h=h)
    for i, j in product(range(b**h), repeat=2):
        if matrix[i][j] != entries[brute_force_trees.common(i, j, b)]:
            yield f"{what} of {i} and {j}"
    if quantity(of, what, "ranges", h=h) != brute_force_matrices.over_ranges(matrix):
        yield f"{what} of ranges"
    # what it makes of a vector of ones, and of ones under a first child less those under the second
    if quantity(of, what, "constant", h=h) != sum(matrix[0]):
        yield f"{what} of constants"
    for k in range(1, h + 1):
        child = b ** (k - 1)
        if quantity(of, what, "contrast", h=h, k=k) != sum(matrix[0][:child]) - sum(matrix[0][child : 2 * child]):
            yield f"{what} of contrasts"
