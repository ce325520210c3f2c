"""Conditional distributions of a network on arrays, and rows drawn from them (source 003, 3.4 and M11).

The rows of the clusters are joined one beside the other; `synthesis.conditionals` is the exact program.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.fast.synthesis.record_arrays import ArrayTable, Floats, combination_indices, require_values, value_type
from dp_refimpl.requirements import require_integer
from dp_refimpl.synthesis.conditionals import EmptyMass, UndefinedConditionalError, UnderivableError
from dp_refimpl.synthesis.network import Network
from dp_spec.vocabulary.exceptions import DomainError

_BLOCK = 1 << 16
"""Rows drawn at once."""


@dataclass(frozen=True, eq=False)
class ArrayConditional:
    """Pr*(X | Pi): a row of probabilities for each combination of values of the parents, NaN where there is no law."""

    attribute: int
    parents: tuple[int, ...]
    laws: Floats

    @classmethod
    def of_joint(
        cls, joint: Floats, attributes: Sequence[int], x: int, parents: Sequence[int], empty: EmptyMass = "uniform"
    ) -> "ArrayConditional":
        """What a noisy joint table of some attributes implies: negative cells are 0, and rows are normalized.

        Raises `UnderivableError` for attributes that the table does not have.
        """
        if not {x, *parents} <= set(attributes):
            raise UnderivableError("attributes", (x, *parents), f"attributes among {tuple(attributes)}")
        axes = [list(attributes).index(a) for a in (*parents, x)]
        other = tuple(i for i in range(len(attributes)) if i not in axes)
        masses = np.maximum(joint, 0.0).transpose(*axes, *other).reshape(-1, joint.shape[axes[-1]], _size(joint, other))
        cells = masses.sum(axis=2)
        size = cells.shape[1]
        totals: Floats = cells.sum(axis=1, keepdims=True)
        laws = np.full(cells.shape, 1 / size if empty == "uniform" else np.nan)
        np.divide(cells, totals, out=laws, where=totals > 0)
        return cls(x, tuple(parents), laws)


def conditionals(
    network: Network, joints: Sequence[Floats], empty: EmptyMass = "uniform"
) -> tuple[ArrayConditional, ...]:
    """P* of a network from the joint tables of its last pairs; those before are derived from the first table.

    Raises `UnderivableError` where it does not have their attributes, `DomainError` for no tables or too many.
    """
    first = len(network) - len(joints)
    if not joints or first < 0:
        raise DomainError("joints", len(joints), f"from 1 to {len(network)} joint tables")
    laws = []
    for i, (x, parents) in enumerate(network):
        source = max(i, first)
        origin, others = network[source]
        laws.append(ArrayConditional.of_joint(joints[source - first], (origin, *others), x, parents, empty))
    return tuple(laws)


def draw_records(
    clusters: Sequence[Sequence[ArrayConditional]], sizes: Sequence[int], rows: int, generator: np.random.Generator
) -> ArrayTable:
    """So many independent rows, each attribute by its law given its parents; clusters side by side.

    Raises `DomainError` unless rows >= 0 is an integer and for a table of more than 2^31 values, and
    `UndefinedConditionalError` when a law is needed that there is not.
    """
    require_integer("rows", rows, 0)
    require_values("rows", rows, max(len(sizes), 1))
    drawn = np.zeros((rows, len(sizes)), value_type(sizes), order="F")
    for start in range(0, rows, _BLOCK):
        block = drawn[start : start + _BLOCK]
        for conditional in (one for cluster in clusters for one in cluster):
            block[:, conditional.attribute] = _drawn(conditional, block, sizes, generator)
    return ArrayTable(tuple(sizes), drawn)


def _drawn(
    conditional: ArrayConditional, block: NDArray[Any], sizes: Sequence[int], generator: np.random.Generator
) -> NDArray[Any]:
    """The values of an attribute: the part of [0, 1) in which a uniform number falls."""
    places = combination_indices(block, conditional.parents, [sizes[p] for p in conditional.parents])
    if np.isnan(conditional.laws[:, 0]).any() and np.isnan(conditional.laws[places, 0]).any():
        allowed = f"values of {conditional.parents} with noisy mass above 0"
        raise UndefinedConditionalError("parents", conditional.parents, allowed)
    edges = np.cumsum(conditional.laws, axis=1)[:, :-1]
    uniform, values = generator.random(len(block)), np.zeros(len(block), np.int64)
    for edge in edges.T:
        values += np.less_equal(edge[places], uniform)
    return values


def _size(joint: Floats, axes: Sequence[int]) -> int:
    return int(np.prod([joint.shape[i] for i in axes], dtype=np.int64))
