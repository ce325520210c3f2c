"""Additive laws as terms: independent noise on answers to queries of counts, the leaves of a complete tree; quantities
of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from dp_spec.vocabulary.term import Term, term

Noise = Literal["laplace", "discrete"]
Of = Literal["loss", "sensitivity", "gram", "returned", "coefficient", "covariance", "least squares"]


@dataclass(frozen=True)
class Row:
    """A query for every node of the heights first..last: `weight` times the sum of the counts under the node ("sums"),
    or of those under its left child minus those under its right child ("differences", in a binary tree).

    Noise of `scale` is added to the answer. All are terms in s (the node's height), h and the law's variables.
    """

    kind: Literal["sums", "differences"]
    first: Term
    last: Term
    weight: Term
    scale: Term


@dataclass(frozen=True)
class Additive:
    """The law of a mechanism on N = b^h counts; `restored`: the estimate of a count is the sum, over the nodes above
    it, of a term of the row times the noisy answer, with the sign that the count has in the query."""

    mechanism: str
    rows: tuple[Row, ...]
    restored: tuple[Term, ...] | None = None
    branching: Term = field(default_factory=lambda: term(2))
    noise: Noise = "laplace"

    def json(self) -> dict[str, Any]:
        """As certificates carry it."""
        rows = [[r.kind, *(t.json() for t in (r.first, r.last, r.weight, r.scale))] for r in self.rows]
        data = {"mechanism": self.mechanism, "noise": self.noise, "branching": self.branching.json(), "rows": rows}
        return data if self.restored is None else {**data, "restored": [t.json() for t in self.restored]}

    def variables(self) -> tuple[str, ...]:
        """The names of its variables but the heights s and h, in the order of their first use."""
        terms = [self.branching, *(t for r in self.rows for t in (r.first, r.last, r.weight, r.scale))]
        names = [name for t in (*terms, *(self.restored or ())) for name in t.variables()]
        return tuple(dict.fromkeys(name for name in names if name not in ("h", "s")))


@dataclass(frozen=True)
class Quantity:
    """An exact quantity of an additive law.

    Between neighbors the L1 `sensitivity` of its queries, or the privacy `loss`, the smallest epsilon that it
    satisfies; or an entry, for a `pair` of counts whose lowest common ancestor has height k or on the `diagonal`, of
    A^T A ("gram"), B A ("returned"), B B^T ("coefficient"), the "covariance" of the estimates, or (A^T A)^-1 ("least
    squares"); or the sum of such entries over all `ranges` and pairs of counts in them. Of least squares, of all linear
    queries, too: what (A^T A)^-1 is on the `constant` ones, and on a `contrast`, which is constant under every node of
    height k - 1 and adds up to 0 under every one of height k. `at` says what is put for the law's variables, h and k
    (else the statement's variables of these names).
    """

    law: Additive
    of: tuple[Of, Literal["addremove", "replace", "pair", "diagonal", "ranges", "constant", "contrast"]]
    at: Mapping[str, Term] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """As certificates carry it."""
        return {"law": self.law.json(), "of": list(self.of), "at": {name: t.json() for name, t in self.at.items()}}
