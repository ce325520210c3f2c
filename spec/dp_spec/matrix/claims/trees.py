"""What the formal statements of source 001 are made of: trees, quantities of laws, matrices, sums over ranges."""

from dp_spec.matrix import privelet
from dp_spec.matrix.mechanisms import PRIVELET
from dp_spec.vocabulary.additive import Additive, Quantity
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.ranges import NATURAL, POSITIVE, SOME
from dp_spec.vocabulary.statement import All, Domain, Relation, conjunction
from dp_spec.vocabulary.term import Term, summed, term, var

J, U = var("j"), var("u")
ONE_TREE = Domain({"h": NATURAL, "eps": POSITIVE})
TWO_LEAVES = Domain({"h": SOME, "eps": POSITIVE})
"""Neighbors that exchange a record need two counts."""
PAIRS = Domain({"j": SOME, "u": NATURAL, "eps": POSITIVE})
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
    return conjunction(
        trees(("eq", var("own"), diagonal), own=own(law, what)),
        pairs(("eq", var("pair"), beside), pair=entry(law, what)),
    )


def same_matrix(law: Additive, what: str, other: Additive, other_what: str, factor: Term | int = 1) -> All:
    """All entries of one matrix are those of another, times a term in h."""
    above = term(factor).substitute(ABOVE)
    return conjunction(
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


LOSS, OTHER, DELTA = var("loss"), var("other"), var("delta")
OWN, PAIR, TOTAL, HEIGHTS = var("own"), var("pair"), var("total"), Domain({"h": NATURAL})
RETURNED = matrix(PRIVELET, "returned", term(1), term(0))
"""B A is the identity."""


def over_ranges(of: Term, height: int) -> Term:
    """The sum over all ranges l..r."""
    return summed("first", 1, 2**height, summed("last", privelet.L, 2**height, of))


def has(leaf: Term | int) -> Term:
    """1 if [l, r] has the leaf, else 0."""
    return privelet.common_leaves(term(leaf), term(leaf))
