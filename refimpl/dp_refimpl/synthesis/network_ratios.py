"""The largest ratio of the probabilities that IBayes gives an ordered network from two tables, without a list of these.

The law of a step depends on the set of the attributes that are placed, not on their order or their parents: the largest
ratio is the largest product along a chain of sets, found set by set (2^c of them, where there are c! orders alone).
"""

from collections.abc import Sequence
from typing import Any

from flint import arb

from dp_refimpl.synthesis.information import entropy, entropy_sensitivity
from dp_refimpl.synthesis.network import IBayes
from dp_refimpl.synthesis.selection import ExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable, require_attributes
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S, at_most


def largest_ratio(program: IBayes[S], table: CountTable, other: CountTable, cluster: Sequence[int]) -> S:
    """max P[N | table] / P[N | other] over all ordered networks N of a cluster; in balls, a ball around it.

    Raises `DomainError` unless the selection is the exponential mechanism (others have probabilities 0), for a cluster
    that is empty or not of both tables, and as `IBayes.build`.
    """
    if not isinstance(program.selection, ExponentialMechanism):
        raise DomainError("selection", program.selection, "the exponential mechanism")
    attributes = tuple(sorted(require_attributes(table.sizes, cluster)))
    if not attributes or other.sizes != table.sizes:
        raise DomainError("cluster", cluster, "at least one attribute of two tables of one domain")
    selection, score, tables = program.selection.split(len(attributes)), program.score, (table, other)
    roots = [selection.law([entropy(t, (x,)) for x in attributes], entropy_sensitivity(t.n)) for t in tables]
    ratios: dict[tuple[int, ...], S] = {(x,): p / q for x, p, q in zip(attributes, *roots, strict=True)}
    for _ in attributes[1:]:
        grown: dict[tuple[int, ...], S] = {}
        for placed, before in ratios.items():
            pairs = program.candidates(attributes, placed)
            laws = [selection.law([score.value(t, *pair) for pair in pairs], score.sensitivity(t.n)) for t in tables]
            for (x, _parents), p, q in zip(pairs, *laws, strict=True):
                union, ratio = tuple(sorted((*placed, x))), before * (p / q)
                grown[union] = _larger(grown[union], ratio) if union in grown else ratio
        ratios = grown
    return ratios[attributes]


def _larger(one: Any, another: Any) -> Any:
    """The larger number; of balls, a ball around it, also if they overlap."""
    if isinstance(one, arb):
        return one.max(another)
    return another if at_most(one, another) else one
