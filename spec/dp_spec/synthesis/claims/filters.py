"""Formal statements of source 003, Section 3.3: the filter (9), and what the clusters of attributes are.

The largest entry of a row times eta >= 0 is at least a number where some entry times eta is.
"""

from collections.abc import Callable

from dp_spec.synthesis.claims.definitions import A, B, P, Q, W, Z
from dp_spec.synthesis.claims.networks import ALLOWED, PLACED, REMOVED
from dp_spec.synthesis.networks import attributes, candidates, parent_sets
from dp_spec.synthesis.tables import ONE, OTHER, columns, information, neighbors, records, tables
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Arithmetic,
    Tree,
    both,
    every,
    implies,
    less,
    listed,
    number_of,
    some,
    those,
)
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.ranges import ANY_SIZE, FROM_ONE, NATURAL, SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain
from dp_spec.vocabulary.term import var

Entry = Callable[[Tree, Tree], Tree]
ALL, ETA = attributes("d"), ["div", "p", "q"]
FACTOR = {"p": NATURAL, "q": SOME}
_UP_TO_ONE, _BELOW_ONE = var("q") - var("p"), var("q") - var("p") - 1
"""eta = p / q is at most 1, or less."""


def _small(entry: Entry, x: Tree, y: Tree, diagonal: bool) -> Tree:
    """S(x, y) <= eta max S(x), with or without the diagonal zero."""
    bounds = [["le", entry(x, y), ["mul", ETA, entry(x, "at_most")]]]
    apart = ["not", ["eq", "at_most", x]]
    small = some(both(apart, *bounds), at_most=ALL)
    return ["or", small, ["le", entry(x, y), 0]] if diagonal else small


def _kept(entry: Entry, joined: str, x: Tree, y: Tree, diagonal: bool = True) -> Tree:
    """S_i(x, y) = 1: the conditions, joined by `or` or `and`, do not hold."""
    return ["not", [joined, _small(entry, x, y, diagonal), _small(entry, y, x, diagonal)]]


def _noisy(x: Tree, y: Tree) -> Tree:
    return ["at", ["at", "S", x], y]


_ENTRIES = listed("e", ["from", 0, "h"], ["sub", "e", 1])
"""-1, 0, ..., h - 2."""
_MATRICES = those("S", ["lists", ["lists", _ENTRIES, "d"], "d"], every(["eq", _noisy("i", "i"), 0], i=ALL))
_SYMMETRIC = those("S", _MATRICES, every(["eq", _noisy("i", "j"), _noisy("j", "i")], i=ALL, j=ALL))


def _alike(joined: str) -> Arithmetic:
    """Of any matrix with zero diagonal."""
    equal = ["eq", *(["number", _kept(_noisy, joined, *pair)] for pair in (("x", "y"), ("y", "x")))]
    apart = those("y", ALL, ["not", ["eq", "x", "y"]])
    sizes = {"d": SEVERAL, "h": SEVERAL, **FACTOR}
    return Arithmetic(Domain(sizes, (_UP_TO_ONE,)), every(equal, S=_MATRICES, x=ALL, y=apart))


def _strongest(entry: Entry, joined: str, diagonal: bool = True) -> Tree:
    """The pairs of x with the largest entry of its row, off the diagonal, are kept."""
    apart = those("y", ALL, ["not", ["eq", "x", "y"]])
    largest = every(implies(["not", ["eq", "x", "z"]], ["le", entry("x", "z"), entry("x", "y")]), z=ALL)
    return every(_kept(entry, joined, "x", "y", diagonal), x=ALL, y=those("y", apart, largest))


def _exact(x: Tree, y: Tree) -> Tree:
    """n MIC = n I of two binary attributes, up to the base of the logarithm."""
    return information("data", x, y, BOTH, BOTH)


def _of_tables(joined: str) -> Arithmetic:
    """Every attribute has a positive entry in its row."""
    positive = every(some(both(["not", ["eq", "u", "v"]], less(0, _exact("u", "v"))), v=ALL), u=ALL)
    sizes = {"n": SEVERAL, "d": SEVERAL, "p": SOME, "q": SOME}
    data = those("data", tables(records("d"), "n"), positive)
    sentence = _strongest(_exact, joined)
    return Arithmetic(Domain(sizes, (_BELOW_ONE,)), every(sentence, data=data))


def _of_matrices(diagonal: bool) -> Arithmetic:
    sizes = {"d": SEVERAL, "h": SEVERAL, "p": SOME, "q": SOME}
    return Arithmetic(Domain(sizes, (_BELOW_ONE,)), every(_strongest(_noisy, "or", diagonal), S=_SYMMETRIC))


def _cluster(i: Tree) -> Tree:
    """The attributes with a label."""
    return those("member", ALL, ["eq", ["at", "labels", "member"], i])


_LABELS = {"labels": ["lists", ["from", 0, "k"], "d"]}
_PARTS = Domain({"d": SOME, "k": SOME})


def _disjoint() -> Tree:
    """Two clusters have no attribute in common, and every attribute is in one."""
    apart = every(
        implies(["not", ["eq", "i", "j"]], every(["not", ["in", "x", _cluster("j")]], x=_cluster("i"))),
        i=["from", 0, "k"],
        j=["from", 0, "k"],
    )
    covered = every(some(["in", "x", _cluster("i")], i=["from", 0, "k"]), x=ALL)
    return every(both(apart, covered), **_LABELS)


def _one_changes() -> Tree:
    """Where a record is replaced, at most one of the D_i changes."""
    changed = ["not", ["eq", columns(ONE, _cluster("i")), columns(OTHER, _cluster("i"))]]
    few = ["le", number_of("i", ["from", 0, "k"], changed), 1]
    return every(neighbors(few, records("d"), "n"), **_LABELS)


def _no_information() -> Tree:
    """Attributes with different labels are independent in the table."""
    apart = implies(
        ["not", ["eq", ["at", "labels", "x"], ["at", "labels", "y"]]],
        ["eq", information("data", "x", "y", BOTH, BOTH), 0],
    )
    return every(apart, **_LABELS, data=tables(records("d"), "n"), x=ALL, y=ALL)


FORMAL: dict[str, Formal] = {
    "003.eq9.symmetric@or": _alike("or"),
    "003.eq9.symmetric@and": _alike("and"),
    "003.eq9.reduces": Arithmetic(
        Domain({"c": SEVERAL, "l": SOME}),
        every(
            [
                "le",
                ["size", candidates("placed", "c", parent_sets(ALLOWED, "l"))],
                ["size", candidates("placed", "c", parent_sets("placed", "l"))],
            ],
            removed=REMOVED,
            placed=PLACED,
        ),
    ),
    # two matrices S have the chances p and a, or q and b for the neighbor; z is the chance of a network with the filter
    "003.eq9.post": formula(
        {**dict.fromkeys("abpqz", ANY_SIZE), "w": FROM_ONE},
        ("le", A + P, W * (B + Q)),
        ("le", Z * A, W * (Z * B)),
        where=(W * B - A, W * Q - P),
    ),
    "003.eq9.strongest@exact.and": _of_tables("and"),
    "003.eq9.strongest@exact.or": _of_tables("or"),
    "003.eq9.strongest@noisy.diagonal": _of_matrices(diagonal=True),
    "003.eq9.strongest@noisy.off": _of_matrices(diagonal=False),
    "003.sec33.independent@attributes": Arithmetic(_PARTS, _disjoint()),
    "003.sec33.independent@records": Arithmetic(Domain({**_PARTS.variables, "n": SOME}), _one_changes()),
    "003.sec33.independent@statistical": Arithmetic(Domain({**_PARTS.variables, "n": SOME}), _no_information()),
}
