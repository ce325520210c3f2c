"""Small statements about additive laws, sums with symbolic ends, and limits."""

from dataclasses import replace
from typing import Literal

from dp_spec.matrix.mechanisms import IDENTITY, PRIVELET, WEIGHTED_REPLACE
from dp_spec.vocabulary.additive import Additive, Quantity, Row
from dp_spec.vocabulary.error_statements import Bounded, Formula, Limit
from dp_spec.vocabulary.statement import Domain, Range, Statement
from dp_spec.vocabulary.term import summed, term, var

H, EPS, N, S, Q, A, B, J, U = (var(x) for x in ("h", "eps", "n", "s", "q", "a", "b", "j", "u"))
_POSITIVE = Range(1, integer=True)
_TREE = Domain({"h": _POSITIVE, "eps": Range(strict=True)})
_PAIRS = Domain({"j": _POSITIVE, "u": Range(integer=True), "eps": Range(strict=True)})
_ONE = Domain({"n": _POSITIVE})
NAIVE = Additive("tree-root", (Row("sums", term(0), H, term(1), (H + 1) / EPS),))
CONSISTENT = replace(NAIVE, mechanism="consistency-root")
"""Binary trees."""


def _least(law: Additive, which: Literal["constant", "contrast"]) -> Quantity:
    """The least variances of a space of queries."""
    return Quantity(law, ("least squares", which), {"h": J + U} | ({"k": J} if which == "contrast" else {}))


STATEMENTS: dict[str, Statement] = {
    "test.noise.loss": Formula(
        _TREE,
        (("eq", A, EPS), ("lt", B, EPS)),
        quantities={
            "a": Quantity(PRIVELET, ("loss", "addremove")),
            "b": Quantity(WEIGHTED_REPLACE, ("loss", "replace")),
        },
    ),
    "test.noise.pair": Formula(
        _PAIRS, (("eq", A, term(0)),), quantities={"a": Quantity(PRIVELET, ("returned", "pair"), {"h": J + U, "k": J})}
    ),
    "test.noise.doubled": Formula(_TREE, (("le", A, EPS),), quantities={"a": Quantity(PRIVELET, ("loss", "replace"))}),
    "test.noise.bounded": Bounded(
        _TREE, ((A, 1 / EPS**2),), ("eps",), ("h",), quantities={"a": Quantity(IDENTITY, ("covariance", "diagonal"))}
    ),
    "test.sums.nested": Formula(_ONE, (("eq", summed("s", 1, N, summed("q", 1, S, Q)), N * (N + 1) * (N + 2) / 6),)),
    "test.limits.zero": Limit(_ONE, "n", N / (N + 1), term(1)),
    "test.limits.infinity": Limit(_ONE, "n", summed("s", 0, N, S), None),
    "test.limits.another": Limit(_ONE, "n", 1 / N, term(1)),
    "test.least.contrasts": Formula(
        _PAIRS, (("le", A, 2 * B),), quantities={"a": _least(CONSISTENT, "contrast"), "b": _least(PRIVELET, "contrast")}
    ),
    "test.least.constants": Formula(
        _PAIRS,
        (("le", A, 7 * B / 5),),
        quantities={"a": _least(PRIVELET, "constant"), "b": _least(CONSISTENT, "constant")},
    ),
}
"""By an id of their own."""
