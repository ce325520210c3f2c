"""Formal statements about laws on arcs (Wheel, suWheel): which points belong to an arc."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Statement, View

Membership = Literal["mod1", "printed-open", "printed-closed", "server"]
"""Which points belong to the arc of a hash value: readings of the print (source 002, (8) and Algorithm 1, line 2), and
the server's test (Algorithm 2, line 5)."""


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
