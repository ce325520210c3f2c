"""Formal statements of source 001, Section 2: definitions, noise, Theorem 1."""

from itertools import product

from dp_spec.matrix import mechanisms, privelet
from dp_spec.matrix.claims.trees import (
    ABOVE,
    DELTA,
    LOSS,
    ONE_TREE,
    RETURNED,
    TWO_LEAVES,
    J,
    U,
    entry,
    loss,
    pairs,
    same_matrix,
    sensitivity,
    trees,
)
from dp_spec.matrix.mechanisms import PRIVELET
from dp_spec.matrix.privelet import EPS, H
from dp_spec.vocabulary.additive import Additive, Quantity, Row
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.ranges import ANY_SIZE, FROM_ONE, NATURAL, POSITIVE, SEVERAL
from dp_spec.vocabulary.statement import All, Domain, Not, Range, Relation, conjunction, instances
from dp_spec.vocabulary.term import Term, term, var

X, Y, Z = var("x"), var("y"), var("z")
_ANY_TREE = Domain({"b": SEVERAL, "h": NATURAL, "eps": POSITIVE})
_QUERIES = Additive(
    "laplace-vector",
    (
        Row("sums", term(0), term(0), X, DELTA / EPS),
        Row("sums", H, H, Y, DELTA / EPS),
        Row("sums", term(0), H, Z, DELTA / EPS),
    ),
)
"""Queries of any weights: of the counts, of their total, and of all sums in the tree."""


def _definition(law: Additive, neighbors: str) -> All:
    """A mechanism satisfies it, with the loss epsilon; run with 2 epsilon it does not; and what holds of two outputs
    holds of the event that one of them occurs."""
    domain = ONE_TREE if neighbors == "addremove" else TWO_LEAVES
    a, b, c, d, w = (var(x) for x in "abcdw")
    events = Domain({"a": ANY_SIZE, "b": ANY_SIZE, "c": ANY_SIZE, "d": ANY_SIZE, "w": FROM_ONE}, (w * b - a, w * d - c))
    return conjunction(
        trees(("eq", LOSS, EPS), domain=domain, loss=loss(law, neighbors)),
        Not(trees(("le", LOSS, EPS), domain=domain, loss=loss(law, neighbors, eps=2 * EPS))),
        formula(events, ("le", a + c, w * (b + d))),
    )


_MEANS = Domain(dict.fromkeys(("a", "b", "c", "d", "e", "f", "x", "y"), ANY_SIZE))
_MU1, _MU2, _CROSS = var("a") - var("b"), var("c") - var("d"), var("e") - var("f")
_VARIANCES = Domain(
    {"x": ANY_SIZE, "y": ANY_SIZE, "c": ANY_SIZE, "d": ANY_SIZE},
    (X * Y - var("c") ** 2, X * Y - var("d") ** 2),
)


def _entries(name: str, rows: int, columns: int) -> list[list[Term]]:
    """Numbers of any sign, as differences."""
    return [[var(f"{name}{i}{j}") - var(f"{name}n{i}{j}") for j in range(columns)] for i in range(rows)]


def _names(*tables: list[list[Term]]) -> dict[str, Range]:
    return {name: ANY_SIZE for table in tables for row in table for x in row for name in x.variables()}


def _sum(terms: list[Term]) -> Term:
    return sum(terms[1:], terms[0])


def _theorem1(rows: int, columns: int) -> Formula:
    """The covariance of two entries of A X, from the means of X and of its products, is that of A R A^T."""
    a, [mean], second = _entries("a", rows, columns), _entries("m", 1, columns), _entries("q", columns, columns)
    symmetric = [[second[min(i, j)][max(i, j)] for j in range(columns)] for i in range(columns)]
    both = list(product(range(columns), repeat=2))
    relations: list[Relation] = []
    for p, q in product(range(rows), repeat=2):
        mixed = _sum([a[p][i] * a[q][j] * symmetric[i][j] for i, j in both])
        means = _sum([a[p][i] * mean[i] for i in range(columns)]) * _sum([a[q][j] * mean[j] for j in range(columns)])
        stated = _sum([a[p][i] * (symmetric[i][j] - mean[i] * mean[j]) * a[q][j] for i, j in both])
        relations.append(("eq", mixed - means, stated))
    return formula(_names(a, [mean], second), *relations)


def _one_more_column() -> Formula:
    """The covariances of Z_p + a X and Z_q + c X, and of another variable Y with the latter: an entry of X more."""
    zp, zq, y, x, a, c = (row[0] for row in (_entries(name, 1, 1)[0] for name in ("zp", "zq", "y", "x", "a", "c")))
    pq, px, qx, yq, yx, xx = _entries("e", 1, 6)[0]
    names = _names([[zp, zq, y, x, a, c], [pq, px, qx, yq, yx, xx]])
    mixed = pq + c * px + a * qx + a * c * xx - (zp + a * x) * (zq + c * x)
    split = (pq - zp * zq) + c * (px - zp * x) + a * (qx - zq * x) + a * c * (xx - x**2)
    other: Relation = ("eq", yq + c * yx - y * (zq + c * x), (yq - y * zq) + c * (yx - y * x))
    return formula(names, ("eq", mixed, split), other)


_SIZES = ((1, 1), (2, 1), (1, 2), (2, 2))
THEOREM1 = (instances(*(_theorem1(rows, columns) for rows, columns in _SIZES)), _one_more_column())
"""An entry of R_Z takes two rows of A: of one and two columns; and what a column adds to any number of them."""


def _workload(size: int) -> Formula:
    """tr(W B B^T W^T) is the sum of the squares of W B, of so many queries, counts and noisy answers."""
    w, b = _entries("w", size, size), _entries("b", size, size)
    every = range(size)
    sigma = [[_sum([b[i][k] * b[j][k] for k in every]) for j in every] for i in every]
    trace = _sum([w[p][i] * sigma[i][j] * w[p][j] for p in every for i in every for j in every])
    squares = _sum([_sum([w[p][i] * b[i][k] for i in every]) ** 2 for p in every for k in every])
    return formula(_names(w, b), ("eq", trace, squares))


FORMAL: dict[str, Formal] = {
    "001.def1.eq1@addremove": _definition(PRIVELET, "addremove"),
    "001.def1.eq1@replace": _definition(mechanisms.PRIVELET_REPLACE, "replace"),
    # the queries of Algorithm 1, the counts, the sums under all nodes; the two kinds of neighbors
    "001.def2.eq2": conjunction(
        trees(("eq", DELTA, H + 1), delta=sensitivity(PRIVELET)),
        trees(("eq", DELTA, term(1)), delta=sensitivity(mechanisms.IDENTITY)),
        trees(("eq", DELTA, H + 1), domain=_ANY_TREE, delta=sensitivity(mechanisms.NAIVE_ROOT)),
        trees(("eq", DELTA, 2 * H), domain=TWO_LEAVES, delta=sensitivity(PRIVELET, "replace")),
    ),
    "001.base.laplace": conjunction(
        formula(
            {"h": NATURAL, "eps": POSITIVE, "x": ANY_SIZE, "y": ANY_SIZE, "z": ANY_SIZE, "delta": POSITIVE},
            ("le", LOSS, EPS),
            where=(DELTA - X - Y - (H + 1) * Z,),
            quantities={"loss": loss(_QUERIES)},
        ),
        formula(
            {"h": NATURAL, "eps": POSITIVE, "delta": POSITIVE, "more": POSITIVE},
            ("lt", var("less"), var("larger")),
            quantities={
                "less": Quantity(_noise := mechanisms.IDENTITY, ("covariance", "diagonal"), {"eps": EPS / DELTA}),
                "larger": Quantity(_noise, ("covariance", "diagonal"), {"eps": EPS / (DELTA + var("more"))}),
            },
        ),
    ),
    # means a - b and c - d, E x1^2 = x, E x2^2 = y, E x1 x2 = e - f
    "001.sec2.sum": formula(
        _MEANS,
        ("eq", X + Y + 2 * _CROSS - (_MU1 + _MU2) ** 2, (X - _MU1**2) + (Y - _MU2**2) + 2 * (_CROSS - _MU1 * _MU2)),
    ),
    # variances x and y, covariances c or d that random variables with these variances may have
    "001.sec2.notdetermined": Not(
        formula(_VARIANCES, ("eq", X + Y + 2 * var("c"), X + Y + 2 * var("d"))),
    ),
    # by the card `noise`, whose proof integrates
    "001.sec2.lapvar": trees(
        ("eq", var("own"), term(2)),
        own=Quantity(mechanisms.IDENTITY, ("covariance", "diagonal"), {"eps": term(1)}),
    ),
    "001.sec2.lapcov": conjunction(
        trees(
            ("eq", var("own"), term(2)),
            own=Quantity(mechanisms.IDENTITY, ("covariance", "diagonal"), {"eps": term(1)}),
        ),
        pairs(
            ("eq", var("pair"), term(0)),
            pair=Quantity(mechanisms.IDENTITY, ("covariance", "pair"), {**ABOVE, "eps": term(1)}),
        ),
    ),
    "001.thm1": conjunction(*THEOREM1),
    # of two counts
    "001.sec2.trace": Not(
        pairs(
            ("eq", 2 * var("own") + 2 * var("pair"), 2 * var("own")),
            own=Quantity(PRIVELET, ("covariance", "diagonal"), {"h": J + U}),
            pair=entry(PRIVELET, "covariance"),
        )
    ),
    # Theorem 1, for independent noise of one scale; W is another matrix in it. Of three mechanisms for every N
    "001.sec1.general": conjunction(
        *THEOREM1,
        same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * privelet.SCALE**2),
        same_matrix(mechanisms.IDENTITY, "covariance", mechanisms.IDENTITY, "coefficient", 2 / EPS**2),
        same_matrix(mechanisms.AVERAGED, "covariance", mechanisms.AVERAGED, "coefficient", 2 / EPS**2),
        instances(*(_workload(size) for size in (1, 2))),
        RETURNED,
    ),
}
