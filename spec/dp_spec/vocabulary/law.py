"""The tables of the papers as symbolic laws on sets of items: what every claim about a mechanism refers to.

A law names the table of one item (`items`: own p, other sensitive q, kept r) or one bit (`bits`: held p, not held q,
kept r) and whether it is applied to all of the set in one report (`all`), to one uniformly drawn item (`one`), or to
every item in a report of its own (`each`). A law of `arcs` reports a point of the circle [0, 1): every item of the
set covers an arc of length q, the point lies in a held item's arc with probability p, in another item's arc with
probability q if hash values are independent, and r is the probability that it avoids a held item's arc. The kernel
enumerates a law by itself; the checker ties it to the randomised program of `dp_refimpl`.
"""

from dataclasses import dataclass
from typing import Literal

from dp_spec.vocabulary.term import Term, term, var

K, M, N, USERS = var("K"), var("m"), var("N"), var("n")
F, G = var("f"), var("g")
"""|X_sen|, set size, |X_non|, number of users, frequency of the item in question, total frequency of X_non."""


@dataclass(frozen=True)
class Law:
    """A symbolic law: e^epsilon = base^power, table entries p, q, r (r None without non-sensitive items).

    `parameters` are further variables strictly between 0 and 1.
    """

    mechanism: str
    unit: Literal["items", "bits", "arcs"]
    draw: Literal["all", "one", "each"]
    base: str
    power: Term
    p: Term
    q: Term
    r: Term | None = None
    parameters: tuple[str, ...] = ()

    @property
    def root(self) -> Term:
        """The variable whose power is e^epsilon."""
        return var(self.base)

    @property
    def e_eps(self) -> Term:
        """e^epsilon."""
        return self.root**self.power

    def rebased(self, base: str, exponent: int) -> "Law":
        """The same law written in a finer root: old base = new base ** exponent."""
        values = {self.base: var(base) ** exponent}
        return Law(
            self.mechanism,
            self.unit,
            self.draw,
            base,
            term(exponent) * self.power,
            self.p.substitute(values),
            self.q.substitute(values),
            self.r.substitute(values) if self.r is not None else None,
            self.parameters,
        )


@dataclass(frozen=True)
class Estimator:
    """f_x estimated by (F_x / n - offset - per_invertible * T / n) / slope, T the number of invertible data sent."""

    slope: Term
    offset: Term
    per_invertible: Term | None = None
