"""Whether statements about noise on trees and about limits hold: from explicit matrices, and far along."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from attack.points import points
from attack.worlds import MeaninglessError, UndecidedError, names, value
from independent import brute_force_matrices, brute_force_trees
from independent.brute_force_trees import Level, Query

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
    matrix = [query for level in _levels(law, at) for query in brute_force_trees.tree(int(b), int(h), [level])]
    if not matrix:
        raise UndecidedError("no queries")
    discrete = law["noise"] == "discrete"
    if any(q.scale <= 0 for q in matrix) or (discrete and any(w.denominator != 1 for q in matrix for w in q.weights)):
        raise MeaninglessError("no noise")
    return matrix


def _levels(law: Any, at: Mapping[str, Fraction]) -> list[Level]:
    levels = []
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

        levels.append(Level(kind, int(low), int(high), of(weight), of(scale), of(back)))
    return levels


def _of(what: str, which: str, queries: list[Query], b: int, at: Mapping[str, Fraction]) -> Fraction:
    if what in ("loss", "sensitivity"):
        distances = list(brute_force_trees.distances(queries, which, what == "loss"))
        if not distances:
            raise MeaninglessError("no neighbors")
        return max(distances)
    gram = brute_force_trees.product("gram" if what == "least squares" else what, queries)
    try:
        matrix = brute_force_matrices.inverse(gram) if what == "least squares" else gram
    except ZeroDivisionError as error:
        raise MeaninglessError("a singular matrix") from error
    if which == "ranges":
        return brute_force_matrices.over_ranges(matrix)
    if which == "constant":
        return sum(matrix[0], Fraction(0))
    k = Fraction(0) if which == "diagonal" else at["k"]
    if which != "diagonal" and (k.denominator != 1 or not 1 <= k <= at["h"]):
        raise MeaninglessError("no pair")
    child = 0 if which == "diagonal" else b ** int(k - 1)
    if which == "contrast":  # of the first child and the second one of a node
        return sum(matrix[0][:child], Fraction(0)) - sum(matrix[0][child : 2 * child], Fraction(0))
    return matrix[0][child]


def limit(statement: Any, verdict: str, choose: Callable[[int], int]) -> tuple[str, bool]:
    """Why an accepted verdict on a stated limit is wrong, and whether anything is known: at points of the other
    variables, by what remains of the gap to the limit when a large integer becomes ten times as large."""
    decided = False
    for point in points(_others(statement), choose, 12):
        try:
            here, further = (_gap(statement, point, n) for n in _integers(statement))
        except UndecidedError:
            continue
        except MeaninglessError as error:
            return f"undefined at {point}: {error}", True
        holds = further <= here / 2 and further < Fraction(1, 50)
        fails = further > here * Fraction(9, 10) and further > Fraction(1, 10**4)
        decided = decided or holds or fails
        if fails and verdict == "proved":
            return f"it does not hold at {point}", True
        if holds and verdict == "refuted":
            return f"it holds at {point}", True
    return "", decided


def stated_limit(bounded: Any) -> Any:
    """The limit that bounds on grows (R |term - value| - 1), or one to infinity on grows (R - term), state, if any."""
    match bounded["relations"]:
        case [[["mul", grows, ["sub", "R", term]], 1]]:
            limit, gaps = None, [["sub", "R", term]]
        case [[["mul", grows, ["sub", ["mul", "R", ["sub", term, limit]], 1]], 1], _]:
            gaps = [["sub", ["mul", "R", gap], 1] for gap in (["sub", term, limit], ["sub", limit, term])]
        case _:
            return None
    is_limit = bounded["relations"] == [[["mul", grows, gap], 1] for gap in gaps] and bounded["grows"] == [grows]
    if not is_limit or "R" not in bounded["fixed"]:
        return None
    variables = {x: spec for x, spec in bounded["domain"]["variables"].items() if x != "R"}
    kept = {"grows": grows, "domain": {**bounded["domain"], "variables": variables}}
    return {**kept, "term": term, "value": limit, "quantities": bounded.get("quantities")}


def _others(statement: Any) -> Any:
    """The domain of all variables but the one that grows; without constraints, which do not name that one."""
    variables = {x: spec for x, spec in statement["domain"]["variables"].items() if x != statement["grows"]}
    return {"variables": variables, "constraints": statement["domain"]["constraints"]}


def _integers(statement: Any) -> tuple[int, int]:
    """Two large integers: sums and powers are computed term by term."""
    used = names([statement["term"], statement["quantities"]])
    return (300, 3000) if used & {"sum", "pow", "law"} else (10**6, 10**7)


def _gap(statement: Any, point: Mapping[str, Fraction], n: int) -> Fraction:
    """How far the term is from the limit at an integer: of infinity the reciprocal of the term."""
    at = {**point, statement["grows"]: Fraction(n)}
    at |= {name: quantity(spec, at) for name, spec in (statement["quantities"] or {}).items()}
    term = value(statement["term"], at)
    if statement["value"] is None:
        return 1 / term if term > 0 else Fraction(1)
    return abs(term - value(statement["value"], at))
