"""Distances of what is kept by partition: tables by group, answers by query, laws by the script that asks for them."""

from collections.abc import Hashable, Mapping
from typing import Any

from flint import fmpq

from dp_audit.oracles.distances import Metric, Scaled, farther, root
from dp_audit.oracles.values import rows_of
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare

NORMS: Mapping[str, str] = {
    "L0": "number of the partitions that differ",
    "L1": "sum of the distances of the partitions",
    "L2": "Euclidean norm of the distances of the partitions",
    "Linf": "largest distance of a partition",
}


def partitioned(norm: str, inner: Metric, most: fmpq | None = None) -> Metric:
    """Return the distance of two mappings of partitions: a norm of the distances `inner` of their values.

    `most`: no partition may differ by more, else the distance is infinite. A partition that only one mapping has is
    empty in the other. Raises `DomainError` for norms other than L0 and Linf of distances that have a scale.
    """
    if norm in ("L1", "L2") and (inner.of_laws or compare(inner.raised(fmpq(2)), 2) is not Ordering.EQUAL):
        raise DomainError("metric", f"{norm} of {inner.name}", "L0 or Linf of such a distance")

    def scaled(x: Hashable, y: Hashable) -> Scaled | None:
        distances = _distances(inner, x, y)
        if most is not None and any(_exceeds(distance, inner.raised(most)) for distance in distances):
            return None
        if norm == "L0":
            return fmpq(sum(_exceeds(distance, inner.raised(fmpq(0))) for distance in distances))
        finite = [distance for distance in distances if distance is not None]
        return None if len(finite) < len(distances) else _norm(norm, finite, inner)

    within = "" if most is None else f", none of which differs by more than {most}"
    scale: dict[str, Any] = {"raised": inner.raised, "lowered": inner.lowered} if norm == "Linf" else {}
    if norm == "L2":
        scale = {"raised": lambda distance: distance**2, "lowered": root}
    return Metric(
        f"{norm} of {inner.name}" + ("" if most is None else f" within {most}"),
        f"{NORMS[norm]} ({inner.words}){within}",
        scaled,
        size=lambda value: fmpq(0) if norm == "L0" else _size(inner, value),
        class_of=lambda value: _class_of(inner, value),
        totals=lambda value: [total for part in parts_of(value).values() for total in inner.totals(part)],
        of_laws=inner.of_laws,
        **scale,
    )


def parts_of(value: Hashable) -> Mapping[Hashable, Hashable]:
    """Return a mapping, as pairs (partition, value). Raises `DomainError` for anything else."""
    parts: dict[Hashable, Hashable] = {}
    for pair in rows_of(value):
        if not isinstance(pair, tuple) or len(pair) != 2 or pair[0] in parts:
            raise DomainError("partitions", value, "a mapping, every partition once")
        parts[pair[0]] = pair[1]
    return parts


def _distances(inner: Metric, x: Hashable, y: Hashable) -> list[Scaled | None]:
    left, right = parts_of(x), parts_of(y)
    if inner.empty is None and left.keys() != right.keys():
        raise DomainError("partitions", sorted(map(str, left.keys() ^ right.keys())), "the same of both values")
    return [inner.scaled(left.get(name, inner.empty), right.get(name, inner.empty)) for name in {**left, **right}]


def _exceeds(distance: Scaled | None, bound: Scaled) -> bool:
    return distance is None or compare(distance, bound) is Ordering.GREATER


def _norm(norm: str, distances: list[Any], inner: Metric) -> Scaled:
    if norm == "Linf":
        largest: Scaled = inner.raised(fmpq(0))
        for distance in distances:
            largest = distance if farther(distance, largest) else largest
        return largest
    return sum((distance**2 if norm == "L2" else distance for distance in distances), fmpq(0))


def _size(inner: Metric, value: Hashable) -> fmpq:
    return max(map(inner.size, parts_of(value).values()), default=fmpq(0))


def _class_of(inner: Metric, value: Hashable) -> Hashable:
    parts = {name: inner.class_of(part) for name, part in parts_of(value).items()}
    nothing = None if inner.empty is None else inner.class_of(inner.empty)
    return frozenset((name, part) for name, part in parts.items() if inner.empty is None or part != nothing)
