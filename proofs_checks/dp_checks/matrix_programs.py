"""Matrix mechanisms as programs behind additive laws: their matrices, read off linear forms, are the law's.

Ties are of queries, noise scales and restorations; of which kind the noise is, Laplace or discrete, they do not show.
"""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, cast

from flint import fmpq, fmpq_mat

from dp_checks.verdict import InternalDisagreementError
from dp_kernel.certificate.digest import digest
from dp_kernel.formulas.terms import evaluate
from dp_refimpl.coins import Coins
from dp_refimpl.frequency.histogram import SHE
from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.haar import Haar, Normalization
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.mechanism import MatrixMechanism, pseudoinverse, restoration, strategy
from dp_refimpl.matrix.parameters import Neighbors, Root
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.weighted_privelet import WeightedPrivelet
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain

Json = Any
MOST = 27
"""Leaves of the largest tree."""
OTHERS: Mapping[str, type] = {"laplace-vector": MatrixMechanism, "histogram-she": SHE}
"""Programs that are no mechanism of source 001. The queries of `laplace-vector` are an argument: its program is given
those of the law, so that its tie shows the noise scale alone."""


def program_class(name: str) -> type:
    """The class of the program behind a law. Raises `DomainError` for a law that no program is known for."""
    return OTHERS.get(name) or type(mechanism(name, 2, 2))


def mechanism(name: str, size: int, branching: int) -> Mechanism:
    """The mechanism of source 001 behind a law. Raises `DomainError` for a law that no program is known for."""
    match name:
        case "identity":
            return Identity(size)
        case "privelet" | "privelet-replace" | "privelet-discrete" | "privelet-discrete-replace":
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
    if OTHERS.get(law["mechanism"]) is SHE:
        yield from ({"h": 1, "b": d} for d in (2, 3, 4))
        return
    branchings: tuple[int, ...] = (2, 3) if law["branching"] == "b" else (int(law["branching"]),)
    least = int(
        law["mechanism"].endswith("-noroot") or law["mechanism"] in ("privelet-replace", "privelet-discrete-replace")
    )
    for b in branchings:
        yield from ({"h": h, "b": b} for h in range(least, 6) if b**h <= MOST)


def queries(law: Any, values: Mapping[str, Any]) -> Iterator[tuple[list[Fraction], Fraction, list[Fraction]]]:
    """The law's meaning at numbers: for every node of every row the weights of the counts in its query, the scale of
    its noise, and the weights of its noisy answer in the estimates of the counts."""
    b = int(evaluate(law["branching"], values))
    size = int(evaluate(["pow", law["branching"], "h"], values))
    for (kind, first, last, weight, scale), v in zip(law["rows"], law.get("restored", law["rows"]), strict=True):
        for s in range(int(evaluate(first, values)), int(evaluate(last, values)) + 1):
            here = {**values, "s": Fraction(s)}
            w, b_s = evaluate(weight, here), b**s
            back = evaluate(v, here) if "restored" in law else Fraction(0)
            for node in range(size // b_s):
                signs = [0] * (node * b_s) + [1] * b_s + [0] * (size - (node + 1) * b_s)
                if kind == "differences":
                    signs[node * b_s + b_s // 2 : (node + 1) * b_s] = [-1] * (b_s // 2)
                yield [w * x for x in signs], evaluate(scale, here), [back * x for x in signs]


@cache
def tie(written: str) -> tuple[tuple[dict[str, int], str], ...]:
    """Where program and term were found to have the same queries, noise scales and restoration, with the digests of
    the program's matrices; `written`: the law as JSON.

    Raises `InternalDisagreementError` at the first difference.
    """
    law, ties = json.loads(written), []
    for at in instances(law):
        values = {
            "h": Fraction(at["h"]),
            "b": Fraction(at["b"]),
            "d": Fraction(at["b"]),
            "eps": Fraction(1),
            **_parameters(law, at["h"]),
        }
        table, restored = sorted(_program(law, at, values)), "restored" in law
        stated = sorted(_row(a, scale, back if restored else []) for a, scale, back in queries(law, values))
        if table != stated:
            raise InternalDisagreementError(f"{law['mechanism']} ({at}): the program has other matrices than the law")
        ties.append((at, digest(table)))
    return tuple(ties)


def _program(law: Json, at: dict[str, int], values: dict[str, Fraction]) -> list[list[str]]:
    """What the program behind a law does on a tree."""
    other = OTHERS.get(law["mechanism"])
    if other is SHE:
        return _one_hot(at["b"])
    if other is MatrixMechanism:
        return _table(_listed(law, values), law)
    return _table(mechanism(law["mechanism"], at["b"] ** at["h"], at["b"]), law)


class _NumberedNoise(SHE[Any]):
    """SHE whose noise is numbered: 10, 100, ..., so that entries show which noise they have."""

    def noise(self, coins: Any) -> fmpq:
        return fmpq(next(coins))


def _one_hot(size: int) -> list[list[str]]:
    """SHE: the query behind every noisy entry, from what the items' reports are without the noise; its scale, from the
    chance e^(-1/scale) that noise passes a further unit; and its part in the estimates of one report, by linearity."""
    program = _NumberedNoise(ItemDomain.of_sizes(size), Budget.of_root(fmpq(2), 2))
    scale = "2" if program.unit**2 * 4 == 1 else "none"  # e^epsilon = 4, and e^(-epsilon / scale) is the chance
    draws = [10 ** (x + 1) for x in range(size)]
    entries = [
        [y - z for y, z in zip(program.randomize(x, cast(Coins, iter(draws))), draws, strict=True)] for x in range(size)
    ]
    units = [[int(i == j) for i in range(size)] for j in range(size)]
    estimates = [program.estimate([unit]) for unit in units]
    return [
        _row([entries[x][j] for x in range(size)], scale, [estimates[j][x] for x in range(size)]) for j in range(size)
    ]


def _parameters(law: Json, height: int) -> dict[str, Fraction]:
    """Values for the weights of queries that are an argument, and their sum."""
    if OTHERS.get(law["mechanism"]) is not MatrixMechanism:
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
