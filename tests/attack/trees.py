"""Whether statements about noise on trees and about limits hold: from explicit matrices, and far along."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from attack.worlds import MeaninglessError, UndecidedError, value
from independent import plain_matrices, plain_trees
from independent.plain_trees import Level, Query

MOST = 16
"""Counts that are looked at."""


def quantity(spec: Any, outside: Mapping[str, Fraction]) -> Fraction:
    """A quantity of an additive law. Raises `MeaninglessError` where it is none, `UndecidedError` for a large tree."""
    at = {**outside, **{name: value(tree, outside) for name, tree in spec["at"].items()}}
    what, which = spec["of"]
    return _of(what, which, queries(spec["law"], at), int(value(spec["law"]["branching"], at)), at)


def queries(law: Any, at: Mapping[str, Fraction]) -> list[Query]:
    """The queries of a law at numbers. Raises as `quantity`."""
    if "h" not in at:
        raise MeaninglessError("no height")
    b, h = value(law["branching"], at), at["h"]
    if b.denominator != 1 or h.denominator != 1 or b < 2 or h < 0:
        raise MeaninglessError("no tree")
    if b**h > MOST:
        raise UndecidedError("too large")
    found = [query for level in _levels(law, at) for query in plain_trees.tree(int(b), int(h), [level])]
    if not found:
        raise UndecidedError("no queries")
    discrete = law["noise"] == "discrete"
    if any(q.scale <= 0 for q in found) or (discrete and any(w.denominator != 1 for q in found for w in q.weights)):
        raise MeaninglessError("no noise")
    return found


def _levels(law: Any, at: Mapping[str, Fraction]) -> list[Level]:
    found = []
    for number, (kind, first, last, weight, scale) in enumerate(law["rows"]):
        low, high = value(first, at), value(last, at)
        differ = kind == "differences"
        if low.denominator != 1 or high.denominator != 1 or low < differ or high > at["h"]:
            raise MeaninglessError("no heights")
        if differ and value(law["branching"], at) != 2:
            raise MeaninglessError("no left and right")
        back = law["restored"][number] if "restored" in law else 0

        def of(tree: Any) -> Any:
            return lambda s, h: value(tree, {**at, "s": Fraction(s)})

        found.append(Level(kind, int(low), int(high), of(weight), of(scale), of(back)))
    return found


def _of(what: str, which: str, queries: list[Query], b: int, at: Mapping[str, Fraction]) -> Fraction:
    if what in ("loss", "sensitivity"):
        found = list(plain_trees.distances(queries, which, what == "loss"))
        if not found:
            raise MeaninglessError("no neighbors")
        return max(found)
    gram = plain_trees.product("gram" if what == "least squares" else what, queries)
    try:
        matrix = plain_matrices.inverse(gram) if what == "least squares" else gram
    except ZeroDivisionError as error:
        raise MeaninglessError("a singular matrix") from error
    if which == "ranges":
        return plain_matrices.over_ranges(matrix)
    k = Fraction(0) if which == "diagonal" else at["k"]
    if which == "pair" and (k.denominator != 1 or not 1 <= k <= at["h"]):
        raise MeaninglessError("no pair")
    other = 0 if which == "diagonal" else b ** int(k - 1)
    return matrix[0][other]


def limit(statement: Any, verdict: str) -> tuple[str, bool]:
    """Why an accepted verdict on a limit is wrong, and whether anything is known: at the integers 3000 and 6000."""
    near, known = [], False
    for n in (3000, 6000):
        at = {statement["grows"]: Fraction(n)}
        try:
            at |= {name: quantity(spec, at) for name, spec in (statement.get("quantities") or {}).items()}
            term = value(statement["term"], at)
        except UndecidedError:
            return "", False
        except MeaninglessError as error:
            return f"undefined at {n}: {error}", True
        if statement["value"] is None:
            near.append(Fraction(30) - term)
        else:
            near.append(abs(term - value(statement["value"], {})))
        known = True
    if verdict == "proved" and all(gap > Fraction(1, 2) for gap in near):
        return "far from the limit", known
    if verdict == "refuted" and all(gap < Fraction(1, 200) for gap in near):
        return "near the limit", known
    return "", known
