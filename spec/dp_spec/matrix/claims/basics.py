"""Formal statements of source 001, Sections 2 and 3.1: definitions, noise, Algorithm 1 and the original Privelet."""

from dataclasses import replace
from itertools import product

from dp_spec.matrix import laws, privelet
from dp_spec.matrix.laws import PRIVELET
from dp_spec.matrix.privelet import EPS, H, S, two
from dp_spec.vocabulary.additive import Additive, Quantity, Row
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Bounded, Formula
from dp_spec.vocabulary.statement import All, Domain, Not, Range, Relation
from dp_spec.vocabulary.term import Term, summed, term, var

NATURAL, WHOLE, POSITIVE, ANY = Range(integer=True), Range(1, integer=True), Range(strict=True), Range()
J, U = var("j"), var("u")
ONE_TREE = Domain({"h": NATURAL, "eps": POSITIVE})
TWO_LEAVES = Domain({"h": WHOLE, "eps": POSITIVE})
"""Neighbors that exchange a record need two counts."""
PAIRS = Domain({"j": WHOLE, "u": NATURAL, "eps": POSITIVE})
"""Pairs of counts: the height of their lowest common ancestor, and of the tree above it."""
ABOVE = {"h": J + U, "k": J}


def trees(*relations: Relation, domain: Domain = ONE_TREE, **quantities: Quantity) -> Formula:
    """For every tree (and every epsilon > 0)."""
    return Formula(domain, relations, quantities=quantities)


def pairs(*relations: Relation, **quantities: Quantity) -> Formula:
    """For every pair of counts of every tree."""
    return trees(*relations, domain=PAIRS, **quantities)


def loss(law: Additive, neighbors: str = "addremove", **at: Term) -> Quantity:
    """The privacy loss of a law."""
    return Quantity(law, ("loss", neighbors), at)  # type: ignore[arg-type]


def sensitivity(law: Additive, neighbors: str = "addremove") -> Quantity:
    """The L1 sensitivity of its queries."""
    return Quantity(law, ("sensitivity", neighbors))  # type: ignore[arg-type]


def entry(law: Additive, what: str) -> Quantity:
    """An entry of a matrix for a pair of counts."""
    return Quantity(law, (what, "pair"), ABOVE)  # type: ignore[arg-type]


def own(law: Additive, what: str) -> Quantity:
    """An entry of a matrix on the diagonal."""
    return Quantity(law, (what, "diagonal"))  # type: ignore[arg-type]


def matrix(law: Additive, what: str, diagonal: Term, pair: Term) -> All:
    """All entries of a matrix: a term in h on the diagonal, in h and k beside it."""
    beside = pair.substitute(ABOVE)
    return All(
        (
            trees(("eq", var("own"), diagonal), own=own(law, what)),
            pairs(("eq", var("pair"), beside), pair=entry(law, what)),
        )
    )


def same_matrix(law: Additive, what: str, other: Additive, other_what: str, factor: Term | int = 1) -> All:
    """All entries of one matrix are those of another, times a term in h."""
    above = term(factor).substitute(ABOVE)
    return All(
        (
            trees(
                ("eq", var("own"), factor * var("other")),
                own=own(law, what),
                other=own(other, other_what),
            ),
            pairs(
                ("eq", var("pair"), above * var("other")),
                pair=entry(law, what),
                other=entry(other, other_what),
            ),
        )
    )


LOSS, OTHER, DELTA = var("loss"), var("other"), var("delta")
RETURNED = matrix(PRIVELET, "returned", term(1), term(0))
"""B A is the identity."""

# --- definitions and the Laplace mechanism ------------------------------------------------------------------------

X, Y, Z = var("x"), var("y"), var("z")
_ANY_TREE = Domain({"b": Range(2, integer=True), "h": NATURAL, "eps": POSITIVE})
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
    events = Domain({"a": ANY, "b": ANY, "c": ANY, "d": ANY, "w": Range(1)}, (w * b - a, w * d - c))
    return All(
        (
            trees(("eq", LOSS, EPS), domain=domain, loss=loss(law, neighbors)),
            Not(trees(("le", LOSS, EPS), domain=domain, loss=loss(law, neighbors, eps=2 * EPS))),
            Formula(events, (("le", a + c, w * (b + d)),)),
        )
    )


_MEANS = Domain(dict.fromkeys(("a", "b", "c", "d", "e", "f", "x", "y"), ANY))
_MU1, _MU2, _CROSS = var("a") - var("b"), var("c") - var("d"), var("e") - var("f")
_VARIANCES = Domain({"x": ANY, "y": ANY, "c": ANY, "d": ANY}, (X * Y - var("c") ** 2, X * Y - var("d") ** 2))


def _entries(name: str, rows: int, columns: int) -> list[list[Term]]:
    """Numbers of any sign, as differences."""
    return [[var(f"{name}{i}{j}") - var(f"{name}n{i}{j}") for j in range(columns)] for i in range(rows)]


def _names(*tables: list[list[Term]]) -> dict[str, Range]:
    return {name: ANY for table in tables for row in table for x in row for name in x.variables()}


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
    return Formula(Domain(_names(a, [mean], second)), tuple(relations))


def _one_more_column() -> Formula:
    """The covariances of Z_p + a X and Z_q + c X, and of another variable Y with the latter: an entry of X more."""
    zp, zq, y, x, a, c = (row[0] for row in (_entries(name, 1, 1)[0] for name in ("zp", "zq", "y", "x", "a", "c")))
    pq, px, qx, yq, yx, xx = _entries("e", 1, 6)[0]
    names = _names([[zp, zq, y, x, a, c], [pq, px, qx, yq, yx, xx]])
    mixed = pq + c * px + a * qx + a * c * xx - (zp + a * x) * (zq + c * x)
    split = (pq - zp * zq) + c * (px - zp * x) + a * (qx - zq * x) + a * c * (xx - x**2)
    other: Relation = ("eq", yq + c * yx - y * (zq + c * x), (yq - y * zq) + c * (yx - y * x))
    return Formula(Domain(names), (("eq", mixed, split), other))


_THEOREM1 = (*(_theorem1(rows, columns) for rows, columns in ((1, 1), (2, 1), (1, 2), (2, 2))), _one_more_column())
"""An entry of R_Z takes two rows of A: of one and two columns; and from n columns to n + 1, for every n."""


def _workload(size: int) -> Formula:
    """tr(W B B^T W^T) is the sum of the squares of W B."""
    w, b = _entries("w", size, size), _entries("b", size, size)
    every = range(size)
    sigma = [[_sum([b[i][k] * b[j][k] for k in every]) for j in every] for i in every]
    trace = _sum([w[p][i] * sigma[i][j] * w[p][j] for p in every for i in every for j in every])
    squares = _sum([_sum([w[p][i] * b[i][k] for i in every]) ** 2 for p in every for k in every])
    return Formula(Domain(_names(w, b)), (("eq", trace, squares),))


BASICS: dict[str, Formal] = {
    "001.def1.eq1@addremove": _definition(PRIVELET, "addremove"),
    "001.def1.eq1@replace": _definition(laws.PRIVELET_REPLACE, "replace"),
    # the queries of Algorithm 1, the counts, the sums under all nodes; the two kinds of neighbors
    "001.def2.eq2": All(
        (
            trees(("eq", DELTA, H + 1), delta=sensitivity(PRIVELET)),
            trees(("eq", DELTA, term(1)), delta=sensitivity(laws.IDENTITY)),
            trees(("eq", DELTA, H + 1), domain=_ANY_TREE, delta=sensitivity(laws.NAIVE_ROOT)),
            trees(("eq", DELTA, 2 * H), domain=TWO_LEAVES, delta=sensitivity(PRIVELET, "replace")),
        )
    ),
    "001.base.laplace": All(
        (
            Formula(
                Domain(
                    {"h": NATURAL, "eps": POSITIVE, "x": ANY, "y": ANY, "z": ANY, "delta": POSITIVE},
                    (DELTA - X - Y - (H + 1) * Z,),
                ),
                (("le", LOSS, EPS),),
                quantities={"loss": loss(_QUERIES)},
            ),
            Formula(
                Domain({"h": NATURAL, "eps": POSITIVE, "delta": POSITIVE, "more": POSITIVE}),
                (("lt", var("less"), var("larger")),),
                quantities={
                    "less": Quantity(_noise := laws.IDENTITY, ("covariance", "diagonal"), {"eps": EPS / DELTA}),
                    "larger": Quantity(_noise, ("covariance", "diagonal"), {"eps": EPS / (DELTA + var("more"))}),
                },
            ),
        )
    ),
    # means a - b and c - d, E x1^2 = x, E x2^2 = y, E x1 x2 = e - f
    "001.sec2.sum": Formula(
        _MEANS,
        (
            (
                "eq",
                X + Y + 2 * _CROSS - (_MU1 + _MU2) ** 2,
                (X - _MU1**2) + (Y - _MU2**2) + 2 * (_CROSS - _MU1 * _MU2),
            ),
        ),
    ),
    # variances x and y, covariances c or d that random variables with these variances may have
    "001.sec2.notdetermined": Not(
        Formula(_VARIANCES, (("eq", X + Y + 2 * var("c"), X + Y + 2 * var("d")),)),
    ),
    "001.sec2.lapvar": trees(
        ("eq", var("own"), term(2)),
        own=Quantity(laws.IDENTITY, ("covariance", "diagonal"), {"eps": term(1)}),
    ),
    "001.sec2.lapcov": All(
        (
            trees(
                ("eq", var("own"), term(2)), own=Quantity(laws.IDENTITY, ("covariance", "diagonal"), {"eps": term(1)})
            ),
            pairs(
                ("eq", var("pair"), term(0)),
                pair=Quantity(laws.IDENTITY, ("covariance", "pair"), {**ABOVE, "eps": term(1)}),
            ),
        )
    ),
    "001.thm1": All(_THEOREM1),
    # of two counts
    "001.sec2.trace": Not(
        pairs(
            ("eq", 2 * var("own") + 2 * var("pair"), 2 * var("own")),
            own=Quantity(PRIVELET, ("covariance", "diagonal"), {"h": J + U}),
            pair=entry(PRIVELET, "covariance"),
        )
    ),
    # Theorem 1, for independent noise of one scale; W is another matrix in it
    "001.sec1.general": All(
        (
            *_THEOREM1,
            same_matrix(PRIVELET, "covariance", PRIVELET, "coefficient", 2 * privelet.SCALE**2),
            same_matrix(laws.IDENTITY, "covariance", laws.IDENTITY, "coefficient", 2 / EPS**2),
            same_matrix(laws.AVERAGED, "covariance", laws.AVERAGED, "coefficient", 2 / EPS**2),
            _workload(2),
            RETURNED,
        )
    ),
}

# --- Algorithm 1 --------------------------------------------------------------------------------------------------

_TWO_COUNTS = Domain(dict.fromkeys("vwxy", NATURAL), ((var("v") - var("w")) - (X - Y), (X - Y) - (var("v") - var("w"))))
_UNWEIGHTED = replace(
    laws.WEIGHTED,
    mechanism="privelet",
    rows=tuple(
        replace(row, weight=weight * row.weight, scale=weight * row.scale)
        for row, weight in zip(laws.WEIGHTED.rows, (two(H), two(S)), strict=True)
    ),
    restored=(1 / two(H), 1 / two(S)),
)
"""The weighted Haar coefficients W(g) g, with W(g) times their noise: a law of the program of Algorithm 1."""

_PART = Domain({"p": NATURAL, "rest": NATURAL, "q": NATURAL}, (var("p") + var("rest") - var("q"),))
_FROM_BELOW = Formula(_PART, (("le", (var("p") - var("q")) ** 2, (var("p") + var("rest")) ** 2),))
"""A node with 2 M leaves, p <= M of them in the left half of a range, q <= M in the right one (M = p + rest). Nodes
that lie inside the range add nothing, at most two others at every height (`001.sec3.border`) at most M^2 4^-t = 1/4
each to I^T B B^T I; the total adds at most (N 2^-h)^2 = 1."""
T = var("t")
WORST = 1 + summed("t", 1, H, 2 * two(T - 1) ** 2 / two(T) ** 2)
"""What no coefficient of a range exceeds."""

ALGORITHM1: dict[str, Formal] = {
    # for every leaf one node at each height; the signs of two leaves differ at their lowest common ancestor alone
    "001.alg1.tree": All(
        (
            matrix(PRIVELET, "gram", H + 1, H - var("k")),
            Formula(Domain({"h": NATURAL}), (("eq", summed("t", 1, H, two(H) / two(T)), two(H) - 1),)),
        )
    ),
    "001.alg1.coeffs@with-total": RETURNED,
    # two counts each of two data sets, with the same difference
    "001.alg1.coeffs@internal-only": Formula(_TWO_COUNTS, (("eq", var("v"), X),)),
    "001.alg1.eq4": RETURNED,
    # the noise has mean 0: E B (A v + noise) = B A v
    "001.alg1.unbiased": RETURNED,
    "001.alg1.sens@addremove": trees(("eq", DELTA, H + 1), delta=sensitivity(PRIVELET)),
    "001.alg1.sens@replace": trees(("eq", DELTA, H + 1), domain=TWO_LEAVES, delta=sensitivity(PRIVELET, "replace")),
    "001.alg1.sens@replace.corrected": trees(
        ("eq", DELTA, 2 * H), domain=TWO_LEAVES, delta=sensitivity(PRIVELET, "replace")
    ),
    "001.alg1.privacy@addremove": trees(("le", LOSS, EPS), loss=loss(PRIVELET)),
    "001.alg1.privacy@replace": trees(("le", LOSS, EPS), domain=TWO_LEAVES, loss=loss(PRIVELET, "replace")),
    "001.alg1.privacy@replace.corrected": All(
        (
            trees(("eq", LOSS, 2 * H / (H + 1) * EPS), domain=TWO_LEAVES, loss=loss(PRIVELET, "replace")),
            trees(("eq", LOSS, EPS), domain=TWO_LEAVES, loss=loss(laws.PRIVELET_REPLACE, "replace")),
        )
    ),
    "001.alg1.order@average": Bounded(
        TWO_LEAVES,
        ((var("total") / privelet.ranges(two(H)), H**3),),
        ("eps",),
        ("h",),
        quantities={"total": Quantity(PRIVELET, ("covariance", "ranges"))},
    ),
    "001.alg1.order@worst": All(
        (_FROM_BELOW, Bounded(TWO_LEAVES, ((2 * privelet.SCALE**2 * WORST, H**3),), ("eps",), ("h",)))
    ),
    "001.alg1.order.norm@averaged": Bounded(
        TWO_LEAVES,
        ((var("total") / privelet.ranges(two(H)), H**3),),
        ("eps",),
        ("h",),
        quantities={"total": Quantity(laws.AVERAGED, ("covariance", "ranges"))},
    ),
    # B = A^T has orthonormal rows: B B^T = B A; its sensitivity is at least the weight 2^(-1/2) of height 1
    "001.alg1.order.norm@orthonormal": Bounded(
        Domain({"h": WHOLE, "eps": POSITIVE, "delta": POSITIVE}, (2 * DELTA**2 - 1,)),
        ((2 * (DELTA / EPS) ** 2 * var("total") / privelet.ranges(two(H)), H**3),),
        ("eps", "delta"),
        ("h",),
        quantities={"total": Quantity(PRIVELET, ("returned", "ranges"))},
    ),
    "001.alg1.equiv@coefficients": All(
        (
            same_matrix(_UNWEIGHTED, "gram", PRIVELET, "gram"),
            Formula(Domain({"h": NATURAL}), (("eq", two(H) * (1 / two(H)), term(1)),)),
        )
    ),
    "001.alg1.equiv@covariance": same_matrix(laws.WEIGHTED, "covariance", PRIVELET, "covariance"),
    # the scales of W(g) g
    "001.alg1.equiv@scale": Formula(ONE_TREE, (("eq", 2 * (H + 1) / EPS, privelet.SCALE),)),
    "001.base.weighted.rho": trees(("eq", DELTA, H + 1), delta=sensitivity(_UNWEIGHTED)),
    "001.base.weighted.privacy@addremove": trees(("le", LOSS, EPS), loss=loss(laws.WEIGHTED)),
    "001.base.weighted.privacy@replace": trees(
        ("le", LOSS, EPS), domain=TWO_LEAVES, loss=loss(laws.WEIGHTED_REPLACE, "replace")
    ),
    "001.base.weighted.bound": All(
        (
            same_matrix(laws.WEIGHTED_REPLACE, "covariance", PRIVELET, "coefficient", 2 * (2 * privelet.SCALE) ** 2),
            _FROM_BELOW,
            Formula(ONE_TREE, (("le", 2 * (2 * privelet.SCALE) ** 2 * WORST, (2 + H) * (2 + 2 * H) ** 2 / EPS**2),)),
        )
    ),
    # as many coefficients as counts, so that B A = 1 makes A B = 1
    "001.alg1.consistent@consistency": All(
        (
            RETURNED,
            Formula(Domain({"h": NATURAL}), (("eq", 1 + summed("t", 1, H, two(H) / two(T)), two(H)),)),
        )
    ),
    # L L^T = (A^T A)^-1 for the least squares L, L A = B A = 1: (B - L)(B - L)^T = B B^T - (A^T A)^-1
    "001.alg1.consistent@leastsquares": All(
        (same_matrix(PRIVELET, "least squares", PRIVELET, "coefficient"), RETURNED)
    ),
}

SUPPLEMENT: dict[str, Formal] = {
    "001.supp.discrete@addremove": trees(("eq", LOSS, EPS), loss=loss(laws.DISCRETE)),
    "001.supp.discrete@replace": trees(
        ("eq", LOSS, EPS), domain=TWO_LEAVES, loss=loss(laws.DISCRETE_REPLACE, "replace")
    ),
}

FORMAL: dict[str, Formal] = BASICS | ALGORITHM1 | SUPPLEMENT
