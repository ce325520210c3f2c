"""Formal statements beyond source 001: whose estimates are the best ones, and which strategy is never much worse than
another. By the card *spectra* the least variances of all linear queries are those of least squares, and are ordered as
those of the queries that are constant, or contrasts of one height, are."""

from dataclasses import replace
from typing import Literal

from dp_spec.matrix.claims.comparison import FULL_RANK, both_passes
from dp_spec.matrix.claims.trees import (
    ABOVE,
    ONE_TREE,
    OTHER,
    OWN,
    PAIRS,
    RETURNED,
    TWO_LEAVES,
    same_matrix,
    trees,
)
from dp_spec.matrix.mechanisms import BOOST_ROOT, IDENTITY, NAIVE_ROOT, PRIVELET, H, sums
from dp_spec.vocabulary.additive import Additive, Quantity
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.statement import Domain, conjunction
from dp_spec.vocabulary.term import Term, term

Laws = tuple[Additive, Additive]
Sign = Literal["le", "lt"]
CLOSE = term(1) / 1000
"""How far below a constant the one is that is too small."""
LOW = (1, 2, 3)
SCALE = NAIVE_ROOT.rows[0].scale
LEAVES = replace(NAIVE_ROOT, rows=(sums(term(0), term(0), SCALE), sums(term(1), H, SCALE)), restored=(term(1), term(0)))
"""The naive tree, which estimates a range of one count by the answer for it alone."""


def least(law: Additive, which: str, at: dict[str, Term]) -> Quantity:
    """The least variance of a query of length 1 in the unit of an answer's: constant, or a contrast (b = 2)."""
    names = {"b": term(2)} if "b" in law.variables() else {}
    return Quantity(law, ("least squares", which), {**names, **at})  # type: ignore[arg-type]


def compared(laws: Laws, which: str, domain: Domain, at: dict[str, Term], of: tuple[Sign, Term]) -> Formula:
    """The least variance of a query by the one law is at most a factor times that by the other ("le"), or above it."""
    quantities = {name: least(law, which, at) for name, law in zip(("own", "other"), laws, strict=True)}
    op, factor = of
    own, other = (2 * law.rows[0].scale ** 2 * x for law, x in zip(laws, (OWN, OTHER), strict=True))
    left, right = own.substitute(at), (factor * other).substitute(at)
    return trees((op, left, right) if op == "le" else (op, right, left), domain=domain, **quantities)


def dominates(laws: Laws, factor: Term, domain: Domain = TWO_LEAVES) -> tuple[Formula, Formula]:
    """For no linear query a law is worse than this factor times another one."""
    return (
        compared(laws, "constant", domain, {}, ("le", factor)),
        compared(laws, "contrast", PAIRS, ABOVE, ("le", factor)),
    )


def total(laws: Laws, factor: Term) -> Formula:
    """For the sum of all counts a law is worse than a factor times another one."""
    return compared(laws, "constant", ONE_TREE, {}, ("lt", factor))


def neighbors(laws: Laws, factor: Term) -> Formula:
    """For the difference of two counts with one parent it is."""
    return compared(laws, "contrast", TWO_LEAVES, {"k": term(1)}, ("lt", factor))


SHORTER = (H + 1) ** 2 / 2
LONGER = term(2) ** H / (H + 1) ** 2
_SCALES = Domain({"eps": ONE_TREE.variables["eps"]})
FORMAL: dict[str, Formal] = {
    "001.supp.best@privelet": conjunction(RETURNED, same_matrix(PRIVELET, "coefficient", PRIVELET, "least squares")),
    # the normal equations, and that they have one solution
    "001.supp.best@boost": conjunction(FULL_RANK, *(both_passes(2, h) for h in LOW)),
    "001.supp.best@naive": trees(
        ("lt", OTHER, OWN),
        domain=TWO_LEAVES,
        own=Quantity(LEAVES, ("coefficient", "diagonal"), {"b": term(2)}),
        other=Quantity(LEAVES, ("least squares", "diagonal"), {"b": term(2)}),
    ),
    # the numbers are 2^-k for a contrast and 1/N for a constant of Privelet, 1 / (2^k - 1) and 1 / (2 N - 1) of Boost
    "001.supp.dominates@boost": conjunction(
        *dominates((PRIVELET, BOOST_ROOT), 2 - 1 / term(2) ** H),
        total((PRIVELET, BOOST_ROOT), 2 - 1 / term(2) ** H - CLOSE),
    ),
    "001.supp.dominates@privelet": conjunction(
        *dominates((BOOST_ROOT, PRIVELET), term(2)), neighbors((BOOST_ROOT, PRIVELET), term(2) - CLOSE)
    ),
    # 2^h / (h + 1)^2 is above 1 from h = 6 on
    "001.supp.dominates@identity": conjunction(
        *dominates((IDENTITY, PRIVELET), LONGER, ONE_TREE),
        total((IDENTITY, PRIVELET), LONGER - CLOSE),
        *dominates((PRIVELET, IDENTITY), SHORTER),
        neighbors((PRIVELET, IDENTITY), SHORTER - CLOSE),
        formula({}, *(("le", LONGER.substitute({"h": h}), term(1)) for h in range(6))),
        compared((IDENTITY, PRIVELET), "constant", _SCALES, {"h": term(6)}, ("lt", term(1))),
    ),
}
