"""Formal statements of source 003, Sections 2.2 and 3.2: spectral clustering, its partitions, k-means++."""

from dp_spec.synthesis.spectra import (
    ALL_ONES,
    FIRST_TWO,
    LAST_TWO,
    TWO_AND_TWO,
    Embedding,
    bound,
    entry,
    numbers,
    partitions,
    sequence,
    square,
)
from dp_spec.synthesis.tables import information, pair, records, tables, values
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Arithmetic,
    Tree,
    added,
    both,
    distance,
    every,
    implies,
    less,
    listed,
    only,
    some,
    those,
    total,
)
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.ranges import ANY_SIZE, POSITIVE, SEVERAL, SOME, UNIT
from dp_spec.vocabulary.statement import Domain, conjunction
from dp_spec.vocabulary.term import Term, exp, term, var

A, B, R, S, T, U, V, W, X, Y, Z = (var(name) for name in "abrstuvwxyz")


# Weights: s and s + t are distances, z = 2 sigma^2

_FALLS = formula(
    {"w": POSITIVE, "y": POSITIVE}, ("lt", 1 / exp(Y), term(1)), ("lt", term(0), W / exp(Y)), ("lt", W / exp(Y), W)
)
"""exp(-0) = 1; an exponent that is larger by y > 0 divides a weight w > 0 by e^y: it stays above 0, and falls."""


def _exponents(nearer: Term, farther: Term) -> Formula:
    """The exponent of two points at the distance s, and that of points that are farther from each other."""
    return formula(
        {"s": ANY_SIZE, "t": POSITIVE, "z": POSITIVE}, ("le", term(0), nearer / Z), ("lt", nearer / Z, farther / Z)
    )


_SYMMETRIC = formula(dict.fromkeys("abuv", ANY_SIZE), ("eq", (A - B) ** 2 + (U - V) ** 2, (B - A) ** 2 + (V - U) ** 2))
"""The squared distance of two points, in any two coordinates, the same from either point."""


# The Laplacian: w is the weight of two points, of which y has the values u - v and a - b, so any two real numbers

_ONE, _OTHER = U - V, A - B


def _form(one: Term, other: Term) -> Term:
    """What two points contribute to y^T (B - W) y: to w_ij (y_i^2 - y_i y_j) + w_ji (y_j^2 - y_j y_i)."""
    return W * (one**2 - one * other) + W * (other**2 - other * one)


def _twice(one: Term, other: Term) -> Term:
    """And to 2 y^T B y."""
    return 2 * (W * one**2 + W * other**2)


LAPLACIAN = formula(
    {"w": POSITIVE, **dict.fromkeys("abuv", ANY_SIZE)},
    ("le", term(0), _form(_ONE, _OTHER)),
    ("le", _form(_ONE, _OTHER), _twice(_ONE, _OTHER)),
    # a point alone contributes w_ii y_i^2 - w_ii y_i y_i, and twice w_ii y_i^2
    ("eq", W * _ONE**2 - W * _ONE * _ONE, term(0)),
    ("le", term(0), 2 * (W * _ONE**2)),
)
_KERNEL = formula({"x": ANY_SIZE, "y": ANY_SIZE, "z": ANY_SIZE}, ("eq", (X + Y + Z - X) + (0 - Y) + (0 - Z), term(0)))
"""A row of (B - W) 1: the weight x of a point to itself, y to another one, z to all others together."""
DEFINED = conjunction(
    # the degree of a point with weight 1 to itself and x to the others
    formula({"x": ANY_SIZE}, ("lt", term(0), 1 + X)),
    _KERNEL,
    # two points where y differs contribute more than 0, so that B^(1/2) 1 alone has the eigenvalue 0
    formula({"w": POSITIVE, "b": ANY_SIZE, "x": POSITIVE}, ("lt", term(0), _form(B + X, B))),
)


def _laplacian_of(columns: Tree) -> Tree:
    """Of n points on a line, with b_ii the sum of so many columns of W: the forms, and (B - W) 1, for vectors of 0, 1
    and 2."""
    points = values("n")

    def weight(i: Tree, j: Tree) -> Tree:
        return ["pow", "t", distance(["at", "places", i], ["at", "places", j])]

    degree = total("k", values(columns), weight("i", "k"))
    row = ["sub", degree, total("j", points, weight("i", "j"))]
    inner = total("j", points, ["mul", weight("i", "j"), ["at", "y", "j"]])
    form = total("i", points, ["mul", ["at", "y", "i"], ["sub", ["mul", degree, ["at", "y", "i"]], inner]])
    vectors = ["lists", values(3), "n"]
    said = both(every(["eq", row, 0], i=points), every(["le", 0, form], y=vectors))
    return every(said, places=["lists", values("n"), "n"])


# Partitions


def _cut() -> Tree:
    """Four points in space, 0 and 1 as far from 2 as from 3: weights in 28ths."""
    weights = [(28, 4, 8, 8), (4, 28, 8, 8), (8, 8, 28, 7), (8, 8, 7, 28)]
    of = Embedding(lambda i, j: entry("weights", i, j), "kept", "left", numbers(7, 7, 4, 4))

    def length(i: int, j: int) -> Tree:
        """The distance of two points, for 2 sigma^2 = 1."""
        return ["log", ["div", 28, entry("weights", i, j)]]

    exist = ["le", ["add", square(length(0, 1)), square(length(2, 3))], ["mul", 4, square(length(0, 2))]]
    best = every(["le", of.cut("labels"), of.cut("others")], others=partitions(4))
    said = bound(
        of.returned(implies(exist, best)),
        kept=sequence(ALL_ONES, FIRST_TWO),
        left=sequence(LAST_TWO, numbers(17, 17, -16, -16)),
    )
    return every(said, weights=only(sequence(*(numbers(*row) for row in weights))), labels=partitions(4))


def _within() -> Tree:
    """The corners of a rectangle of sides 3 and 4."""
    corners, lengths = [(0, 0), (3, 0), (0, 4), (3, 4)], [(0, 3, 4, 5), (3, 0, 5, 4), (4, 5, 0, 3), (5, 4, 3, 0)]
    of = Embedding(lambda i, j: ["pow", "t", entry("lengths", i, j)], "kept", "left", ALL_ONES)
    sides = [square(["sub", entry("points", "i", axis), entry("points", "j", axis)]) for axis in (0, 1)]
    pythagoras = every(["eq", square(entry("lengths", "i", "j")), added(*sides)], i=of.points, j=of.points)
    best = every(["le", of.inside("others"), of.inside("labels")], others=partitions(4))
    said = bound(
        of.returned(implies(pythagoras, best)),
        kept=sequence(ALL_ONES, TWO_AND_TWO),
        left=sequence(numbers(1, -1, 1, -1), numbers(1, -1, -1, 1)),
        lengths=sequence(*(numbers(*row) for row in lengths)),
    )
    return every(said, points=only(sequence(*(numbers(*row) for row in corners))), labels=partitions(4))


def _grouping(exponents: str, kept: Tree, left: Tree) -> Tree:
    """Of tables with columns x, x, y, y, where all coefficients are 0 or 1: clusters keep columns together whose
    coefficient is 1. Weights are t to the `coefficients`, or to 1 less them, the `distances`."""
    attributes, bit = values(4), ["mul", "n", ["log", 2]]
    of = Embedding(lambda i, j: ["pow", "t", entry(exponents, i, j)], "kept", "left", ALL_ONES)
    shared, apart = information("data", "i", "j", BOTH, BOTH), ["not", ["eq", "i", "j"]]
    binary = ["or", ["not", apart], ["or", ["eq", shared, 0], ["eq", shared, bit]]]

    def matrix(each: Tree) -> Tree:
        return listed("i", attributes, listed("j", attributes, each))

    full = ["eq", entry("coefficients", "i", "j"), 1]
    joined = every(implies(full, ["eq", ["at", "labels", "i"], ["at", "labels", "j"]]), i=attributes, j=attributes)
    together = bound(
        of.returned(joined),
        coefficients=matrix(["number", both(apart, ["eq", shared, bit])]),
        distances=matrix(["sub", ["number", apart], entry("coefficients", "i", "j")]),
        kept=kept,
        left=left,
    )
    said = implies(every(binary, i=attributes, j=attributes), together)
    twice = listed("two", "pairs", ["joined", *(pair(["at", "two", a], ["at", "two", a]) for a in (0, 1))])
    return every(bound(said, data=twice), pairs=tables(records(2), "n"), labels=partitions(4))


# k-means++ on n points of a line, at places 0, ..., n - 1


def _gap(one: Tree, other: Tree) -> Tree:
    return distance(["at", "places", one], ["at", "places", other])


def _seeds(allowed: Tree, factor: int) -> Tree:
    """The k centers that a rule allows are, up to a factor, as far apart as any k points: the nearest two of them.
    The rule is about center `seed`, the `place`-th, and those `before` it."""
    points, order = values("n"), values("k")
    ruled = every(
        bound(allowed, seed=["at", "seeds", "place"], before=listed("b", values("place"), ["at", "seeds", "b"])),
        place=["from", 1, "k"],
    )

    def pairs(of: str) -> Tree:
        return those("two", ["lists", order, 2], less(["at", "two", 0], ["at", "two", 1]))

    chosen = _gap(["at", "seeds", ["at", "p", 0]], ["at", "seeds", ["at", "p", 1]])
    other = _gap(["at", "rest", ["at", "q", 0]], ["at", "rest", ["at", "q", 1]])
    nearer = some(["le", other, ["mul", factor, chosen]], q=pairs("q"))
    best = every(every(nearer, p=pairs("p")), rest=["multisets", points, "k"])
    return every(implies(ruled, best), places=["multisets", points, "n"], seeds=["lists", points, "k"])


_POSITIVE = every(less(0, _gap("seed", "b")), b="before")
_ALL_TAKEN = every(some(["eq", _gap("i", "b"), 0], b="before"), i=values("n"))
_BY_SQUARES: Tree = ["or", _POSITIVE, _ALL_TAKEN]
"""A point can be drawn: its squared distance to the nearest center is not 0, or all are."""
_FARTHEST = every(some(every(["le", _gap("i", "b"), _gap("seed", "c")], c="before"), b="before"), i=values("n"))
"""No point is farther from the nearest center."""


# Algorithm 3


def _matrix(draws: Tree, place: Tree) -> Tree:
    """S of d attributes: a symmetric matrix, 0 on the diagonal, and a draw added at every other place: it is determined
    by d (d - 1) / 2 values. Entries are 0 and 1, `place` says which draw is added for i and j."""
    attributes = values("d")
    number = ["div", ["mul", "d", ["sub", "d", 1]], 2]
    coefficient = _taken("exact", number, _unordered("i", "j"))
    noisy = ["mul", ["number", ["not", ["eq", "i", "j"]]], ["add", coefficient, _taken("draws", draws, place)]]
    row = listed("j", attributes, noisy)
    above = those("two", ["lists", attributes, 2], less(["at", "two", 0], ["at", "two", 1]))
    alike = both(
        ["eq", entry("S", "r", "c"), entry("S", "c", "r")],
        ["eq", entry("S", "r", "r"), 0],
        ["eq", ["size", above], number],
    )
    said = bound(alike, S=listed("i", attributes, row))
    return every(said, exact=["lists", BOTH, number], draws=["lists", BOTH, draws], r=attributes, c=attributes)


def _taken(numbers_: Tree, size: Tree, place: Tree) -> Tree:
    """The number at a place, 0 if there is none."""
    return total("p", values(size), ["mul", ["number", ["eq", "p", place]], ["at", numbers_, "p"]])


def _unordered(i: Tree, j: Tree) -> Tree:
    """The place of the pair {i, j}, i other than j, among all: j (j - 1) / 2 + i for i < j."""
    low = ["min", i, j]
    high = ["sub", ["add", i, j], low]
    return ["add", ["div", ["mul", high, ["sub", high, 1]], 2], low]


def _rounds() -> Tree:
    """d = 2 h + e attributes in m = 2 h - 1 + 2 e accesses: pairs i < j with i + j = r or r + m; of an even number the
    last one with the attribute i that has 2 i = r or r + m."""
    m = added(["sub", ["mul", 2, "h"], 1], ["mul", 2, "e"])
    d = ["add", ["mul", 2, "h"], "e"]
    pairs = those("two", ["lists", values(d), 2], less(["at", "two", 0], ["at", "two", 1]))
    first, second = ["at", "p", 0], ["at", "p", 1]
    last = both(["eq", "e", 0], ["eq", second, ["sub", d, 1]])
    met = ["add", first, ["add", second, ["mul", ["number", last], ["sub", first, second]]]]
    meets = ["or", ["eq", met, "r"], ["eq", met, ["add", "r", m]]]
    access = those("p", pairs, meets)
    use = those("p", access, ["or", ["eq", first, "x"], ["eq", second, "x"]])
    return every(
        both(
            every(
                both(["eq", ["size", access], "h"], every(["le", ["size", use], 1], x=values(d))),
                r=values(m),
            ),
            every(["eq", ["size", those("r", values(m), meets)], 1], p=pairs),
            ["eq", ["mul", m, "h"], ["div", ["mul", d, ["sub", d, 1]], 2]],
        ),
        e=BOTH,
    )


def _clustered(points: Tree) -> Tree:
    """There is a clustering of the points into k clusters, and each gives every attribute exactly one."""
    labels = those(
        "given", ["lists", values("k"), ["size", points]], every(["in", "cluster", "given"], cluster=values("k"))
    )
    one = every(["eq", ["size", those("p", values(["size", "given"]), ["eq", "p", "a"])], 1], a=values("d"))
    return every(
        both(["not", ["empty", labels]], every(one, given=labels)),
        U=["lists", ["lists", BOTH, "kept"], "d"],
    )


LINE = Domain({"n": SOME, "t": UNIT})
_ROWS = Domain({"d": SOME, "kept": SOME, "k": SOME}, (var("d") - var("kept"), var("d") - var("k")))
_MEANS = Domain({"n": SEVERAL, "k": SEVERAL}, (var("n") - var("k"),))
_ORDERED: Tree = ["add", ["mul", "d", "i"], "j"]
_HALVES: Tree = ["div", ["mul", "d", ["sub", "d", 1]], 2]

FORMAL: dict[str, Formal] = {
    "003.alg1.w@printed": conjunction(_SYMMETRIC, _exponents(S, S + T), _FALLS),
    "003.alg1.w@njw": conjunction(_SYMMETRIC, _exponents(S**2, (S + T) ** 2), _FALLS),
    "003.alg1.laplacian@upto-n": conjunction(LAPLACIAN, _KERNEL),
    "003.alg1.laplacian@upto-d": Arithmetic(LINE, _laplacian_of(1)),
    "003.alg1.cut@ncut": Arithmetic(Domain({}), _cut()),
    "003.alg1.cut@within": Arithmetic(Domain({"t": UNIT}), _within()),
    # cut x, sums of degrees a and b: the vector that is b on one side and -a on the other
    "003.alg1.cut@ncut.corrected": formula(
        {"x": ANY_SIZE, "a": POSITIVE, "b": POSITIVE}, ("eq", X / A + X / B, X * (B + A) ** 2 / (A * B**2 + B * A**2))
    ),
    "003.alg1.welldef@printed": DEFINED,
    "003.alg1.welldef@njw": Arithmetic(
        LINE,
        every(
            every(
                less(
                    0,
                    total(
                        "j",
                        those("o", values("n"), ["not", ["eq", "o", "i"]]),
                        ["pow", "t", square(distance(["at", "places", "i"], ["at", "places", "j"]))],
                    ),
                ),
                i=values("n"),
            ),
            places=["lists", values("n"), "n"],
        ),
    ),
    # the smallest weight of n >= 2 points is w
    "003.alg1.welldef@njw.corrected": conjunction(
        formula({"n": SEVERAL, "w": POSITIVE}, ("lt", term(0), (var("n") - 1) * W)),
        *DEFINED.parts[1:],
    ),
    # an entry of either sign: exp(u) and exp(-u)
    "003.alg3.welldef": conjunction(
        formula({"u": POSITIVE}, ("lt", term(0), exp(U)), ("lt", term(0), 1 / exp(U))),
        *DEFINED.parts,
    ),
    "003.alg3.rows@rows": Arithmetic(_ROWS, _clustered("U")),
    "003.alg3.rows@columns": Arithmetic(
        _ROWS, _clustered(listed("v", values("kept"), listed("row", "U", ["at", "row", "v"])))
    ),
    "003.alg3.grouping": Arithmetic(
        LINE, _grouping("coefficients", sequence(ALL_ONES, FIRST_TWO, LAST_TWO), sequence(TWO_AND_TWO))
    ),
    "003.alg3.grouping.corrected": Arithmetic(
        LINE, _grouping("distances", sequence(ALL_ONES, TWO_AND_TWO), sequence(FIRST_TWO, LAST_TWO))
    ),
    "003.sec32.kmeanspp@d2": Arithmetic(_MEANS, _seeds(_BY_SQUARES, 1)),
    "003.sec32.kmeanspp@farthest": Arithmetic(_MEANS, _seeds(_FARTHEST, 1)),
    "003.sec32.kmeanspp@farthest.corrected": Arithmetic(_MEANS, _seeds(_FARTHEST, 2)),
    "003.sec32.pairs@once": Arithmetic(Domain({"d": SOME}), _matrix(_HALVES, _unordered("i", "j"))),
    "003.sec32.pairs@twice": Arithmetic(Domain({"d": SOME}), _matrix(["mul", "d", "d"], _ORDERED)),
    "003.sec32.rounds": Arithmetic(Domain({"h": SOME}), _rounds()),
}
