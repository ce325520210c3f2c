"""Formal statements about laws on arcs (Wheel, suWheel): densities, covers."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Mse, Statement, View
from dp_spec.vocabulary.term import Term

Membership = Literal["mod1", "printed-open", "printed-closed", "server"]
"""Which points belong to the arc of a hash value: readings of the print (source 002, (8) and Algorithm 1, line 2), and
the server's test (Algorithm 2, line 5)."""
Case = Literal["inout", "inin", "outin", "outout"]


@dataclass(frozen=True)
class Density(Statement):
    """Q of (8) is a probability density, for every hash function and every set of at most `items` items (None: all)."""

    type: ClassVar[str] = "density"
    law: Law
    view: View
    items: Term | None = None


@dataclass(frozen=True)
class Cover(Statement):
    """A membership reading gives the half-open arc [v, v + q) on the circle, for every hash value v in [0, 1].

    `same`: at every point; or almost everywhere (all but finitely many points; the set then has length q).
    """

    type: ClassVar[str] = "cover"
    law: Law
    view: View
    reading: Membership
    same: Literal["everywhere", "almost"] = "everywhere"
    values: Literal["closed", "halfopen"] = "closed"


@dataclass(frozen=True)
class CoverLength(Statement):
    """The arcs of a set of m items cover at most `bound`, for every hash function."""

    type: ClassVar[str] = "cover-length"
    law: Law
    view: View
    bound: Term


@dataclass(frozen=True)
class DensityRatio(Statement):
    """Q(y0 | s) / Q(y0 | s') is `ratio` (in m, the root, l and k) for every hash function and all s != s' of 1 to m
    items.

    l, k: the lengths of the covers of s' and of s. `case`: whether y0 lies in the cover of s, and of s'.
    """

    type: ClassVar[str] = "density-ratio"
    law: Law
    view: View
    case: Case
    ratio: Term


@dataclass(frozen=True)
class Variance(Mse):
    """The variance of the estimate is `formula`, whether or not the estimate is unbiased."""

    type: ClassVar[str] = "variance"
