"""Matrix mechanisms as programs behind additive laws: their matrices, read off linear forms, are the law's."""

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from flint import fmpq, fmpq_mat

from dp_checks.kernel.additive import queries
from dp_checks.kernel.digest import digest
from dp_checks.verdict import InternalDisagreementError
from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.haar import Haar, Normalization
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.mechanism import MatrixMechanism, pseudoinverse, restoration, strategy
from dp_refimpl.matrix.parameters import Neighbors, Root
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.weighted import WeightedPrivelet
from dp_spec.vocabulary.exceptions import DomainError

Json = Any
MOST = 27
"""Leaves of the largest tree."""


def mechanism(name: str, size: int, branching: int) -> Mechanism:
    """The mechanism of `dp_refimpl` behind a law. Raises `DomainError` for a law that no program is known for."""
    match name:
        case "identity":
            return Identity(size)
        case "privelet" | "privelet-replace":
            return Privelet(size)
        case "weighted" | "weighted-replace":
            return WeightedPrivelet(size)
        case "haar-averaged":
            return Haar(size, Normalization.AVERAGED)
        case "tree-root" | "tree-noroot":
            return Tree(size, branching, Root(name.removeprefix("tree-")))
        case "consistency-root" | "consistency-noroot":
            return Boost(size, branching, Root(name.removeprefix("consistency-")))
    raise DomainError("mechanism", name, "the name of a program")


def instances(law: Json) -> Iterator[dict[str, int]]:
    """Trees of at most 27 leaves."""
    branchings: tuple[int, ...] = (2, 3) if law["branching"] == "b" else (int(law["branching"]),)
    least = 1 if law["mechanism"] in ("tree-noroot", "consistency-noroot", "privelet-replace") else 0
    for b in branchings:
        yield from ({"h": h, "b": b} for h in range(least, 6) if b**h <= MOST)


@cache
def tie(written: str) -> tuple[tuple[dict[str, int], str], ...]:
    """Where program and term were found to have the same queries, noise scales and restoration, with the digests of
    the program's matrices; `written`: the law as JSON.

    Raises `InternalDisagreementError` at the first difference.
    """
    law, found = json.loads(written), []
    for at in instances(law):
        values = {"h": Fraction(at["h"]), "b": Fraction(at["b"]), "eps": Fraction(1), **_parameters(law, at["h"])}
        target = (
            _listed(law, values)
            if law["mechanism"] == "laplace-vector"
            else mechanism(law["mechanism"], at["b"] ** at["h"], at["b"])
        )
        table = _table(target, law)
        restored = "restored" in law
        stated = sorted(_row(a, scale, back if restored else []) for a, scale, back in queries(law, values))
        if sorted(table) != stated:
            raise InternalDisagreementError(f"{law['mechanism']} ({at}): the program has other matrices than the law")
        found.append((at, digest(sorted(table))))
    return tuple(found)


def _parameters(law: Json, height: int) -> dict[str, Fraction]:
    """Values for the weights of `laplace-vector`, and their sum."""
    if law["mechanism"] != "laplace-vector":
        return {}
    x, y, z = Fraction(2), Fraction(3), Fraction(1, 2)
    return {"x": x, "y": y, "z": z, "delta": x + y + (height + 1) * z}


def _listed(law: Json, values: dict[str, Fraction]) -> Mechanism:
    """The Laplace mechanism on the queries of a law, as the general matrix mechanism."""
    rows = [query for query, *_ in queries(law, values)]
    entries = [fmpq(x.numerator, x.denominator) for row in rows for x in row]
    return MatrixMechanism(fmpq_mat(len(rows), len(rows[0]), entries))


def _table(target: Mechanism, law: Json) -> list[list[str]]:
    """Of every noisy answer the query, the noise scale at epsilon = 1, and its part in the estimates."""
    neighbors = Neighbors.REPLACE if law["mechanism"].endswith("-replace") else Neighbors.ADD_REMOVE
    a, b = strategy(target), restoration(target)
    if isinstance(target, Boost) and b != pseudoinverse(a):
        raise InternalDisagreementError(f"{law['mechanism']} ({target.size}): consistency is no least squares")
    restored = "restored" in law
    return [
        _row(
            [a[i, j] for j in range(target.size)],
            scale,
            [b[j, i] for j in range(target.size)] if restored else [],
        )
        for i, scale in enumerate(target.scales(neighbors))
    ]


def _row(query: list[Any], scale: Any, back: list[Any]) -> list[str]:
    return [",".join(map(str, query)), str(scale), ",".join(map(str, back))]
