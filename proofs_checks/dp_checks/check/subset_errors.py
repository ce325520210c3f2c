"""Checkers for errors of mechanisms on subsets (PrivSet): which k is best, and how good it is."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks.check.candidate import EVERY, ROOTS, Candidate, text
from dp_checks.check.moments import step_json
from dp_refimpl.frequency.privset import inclusion
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.statement import Domain, Statement
from dp_spec.vocabulary.subset_statements import (
    SubsetBest,
    SubsetBetter,
    SubsetConvex,
    SubsetErrorAbove,
    SubsetNoFormula,
    SubsetSameChoice,
    SubsetTable,
)
from dp_spec.vocabulary.term import Term, term, var

ITEMS, BEST_ITEMS = 9, 12
"""Domains up to which errors, and best subset sizes of single items, are compared."""

K, D, W, T = var("k"), var("D"), var("w"), var("t")
CONDITION = W**2 * K * (K + 1) - (D - K) * (D - K - 1)
"""For m = 1 the sign of the error at k + 1 minus that at k: FACTOR times this."""
FACTOR = (D - 1) ** 2 / ((W - 1) ** 2 * K * (K + 1) * (D - K) * (D - K - 1))
RADICAND, SHIFT, SCALE = (W**2 - 1) ** 2 + 4 * W**2 * D**2, W**2 + 2 * D - 1, 2 * (W**2 - 1)
"""The positive root of CONDITION is (sqrt(RADICAND) - SHIFT) / SCALE."""
_STEP: dict[str, Any] = {"condition": CONDITION.json(), "factor": FACTOR.json()}
_ROOT: dict[str, Any] = {"radicand": RADICAND.json(), "shift": SHIFT.json(), "scale": SCALE.json()}

SQUARE = (D - 1) * (T**2 - 1) ** 2 + D * T * (T + 1) ** 2
QUADRATIC = {
    "multiple": K * (D - K) * (T**2 - 1) ** 2,
    "square": SQUARE,
    "slope": (D - 1) ** 2 * (T**4 - 1) - SQUARE * D,
    "constant": (D - 1) ** 2 * D,
}
"""For m = 1: the multiple of the error minus d t / (t - 1)^2 that is quadratic in k, and its coefficients."""


def candidates(statement: Statement) -> tuple[SubsetTable, Iterator[Candidate]] | None:
    """The statement's table and proposals; None for other statements."""
    match statement:
        case SubsetSameChoice():
            return statement.table, _same_choice(statement)
        case SubsetBest():
            return statement.table, _best(statement)
        case SubsetNoFormula():
            return statement.table, iter([Candidate("refuted", "formula", f"m = 1, {EVERY}, all d", _STEP | _ROOT)])
        case SubsetConvex():
            return statement.table, _convex(statement)
        case SubsetBetter():
            return statement.table, _better(statement)
        case SubsetErrorAbove():
            return statement.table, _error_above(statement)
    return None


def _same_choice(statement: SubsetSameChoice) -> Iterator[Candidate]:
    """A first instance at which the objectives have no best k in common; the same expression."""
    for (d, m), w in product(_sizes(statement.table, statement.constraints), ROOTS):
        best = [_minimisers(_values(statement.table, tree, d, m, w)) for tree in statement.objectives]
        if not set(best[0]) & set(best[1]):
            at = {"d": d, "m": m, "w": text(w)}
            scope = f"d = {d}, m = {m}, w = {w}: best k = {best[0]} and {best[1]}"
            yield Candidate("refuted", "witness", scope, {"instance": at, "best": best})
            return
    yield Candidate("proved", "same expression", f"{EVERY}, all sizes", {"lemma": "same expression"})


def _best(statement: SubsetBest) -> Iterator[Candidate]:
    """A first instance with another smallest best k; the first difference and its root."""
    for (d, m), w in product(_sizes(statement.table, (1 - var("m"),), BEST_ITEMS), ROOTS):
        outputs = _outputs(statement.table, d, m)
        point = {"D": outputs, "w": w}
        radicand, shift, scale = (t.evaluate(point) for t in (statement.radicand, statement.shift, statement.scale))
        sides = [scale * k + shift for k in range(1, outputs)]
        stated = next((k for k, side in enumerate(sides, 1) if side >= 0 and side**2 >= radicand), None)
        if scale <= 0 or stated != _minimisers(_values(statement.table, statement.objective, d, m, w))[0]:
            at = {"d": d, "m": m, "w": text(w)}
            yield Candidate("refuted", "witness", f"d = {d}, w = {w}: not k = {stated}", {"instance": at})
            return
    yield Candidate("proved", "first difference", f"m = 1, {EVERY}, all d", dict(_STEP))


def _convex(statement: SubsetConvex) -> Iterator[Candidate]:
    """A first instance with a second difference that is not positive; the lemma on Taylor coefficients."""
    for (d, m), w in product(_sizes(statement.table), ROOTS):
        values = _values(statement.table, statement.objective, d, m, w)
        for k in range(2, len(values)):
            if values[k - 2] + values[k] <= 2 * values[k - 1]:
                at = {"d": d, "m": m, "k": k, "w": text(w)}
                yield Candidate("refuted", "witness", f"d = {d}, m = {m}, k = {k}, w = {w}", {"instance": at})
                return
    lemma = {"lemma": "Taylor coefficients"}
    yield Candidate("proved", "Taylor-coefficients lemma", f"{EVERY}, all sizes", lemma)


def _better(statement: SubsetBetter) -> Iterator[Candidate]:
    """A first instance at which no k is better than the rival; the quadratic for m = 1."""
    for (d, m), t in product(_sizes(statement.table, statement.constraints), ROOTS):
        errors = [_summed(statement.table, d, m, k, t) for k in range(1, _outputs(statement.table, d, m) - m + 1)]
        rival = fmpq(1) * statement.rival.evaluate({"d": d, "m": m, "t": t})
        if min(errors) >= rival:
            at = {"d": d, "m": m, "t": text(t)}
            data = {"instance": at, "errors": [text(e) for e in errors], "rival": text(rival)}
            yield Candidate("refuted", "witness", f"d = {d}, m = {m}, t = {t}", data)
            return
    quadratic: dict[str, Any] = {name: part.json() for name, part in QUADRATIC.items()}
    yield Candidate("proved", "integer between two roots", f"m = 1, {EVERY}, all d", quadratic)


def _error_above(statement: SubsetErrorAbove) -> Iterator[Candidate]:
    """A first instance with an error up to the bound; the positive limit, directly or times the bound's denominator by
    the first constraint."""
    bound = statement.bound
    for (d, m), t in product(_sizes(statement.table), ROOTS):
        point = {"d": d, "m": m, "t": t}
        if not _inside(statement.domain, point):
            continue
        for k in range(1, _outputs(statement.table, d, m) - m + 1):
            if _summed(statement.table, d, m, k, t) <= bound.evaluate(point):
                at = {"d": d, "m": m, "k": k, "t": text(t)}
                yield Candidate("refuted", "witness", f"d = {d}, m = {m}, k = {k}, t = {t}", {"instance": at})
                return
    steps: list[dict[str, Any]] = [step_json(1, {})]
    if bound.head == "div" and statement.domain.constraints:
        steps.append(step_json(bound.arguments[1], {0: term(1)}))
    for step in steps:
        data = {"lemma": "positive limit", "step": step}
        yield Candidate("proved", "positive-limit lemma", f"{EVERY}, all sizes", data)


def _inside(domain: Domain, point: dict[str, Any]) -> bool:
    ranges = {name: (spec.min, spec.strict) for name, spec in domain.variables.items()}
    within = all(point[n] > least or (point[n] == least and not strict) for n, (least, strict) in ranges.items())
    return within and all(constraint.evaluate(point) >= 0 for constraint in domain.constraints)


def _outputs(table: SubsetTable, d: int, m: int) -> int:
    return d + m if table.reading == "padded" else d


def _sizes(table: SubsetTable, constraints: tuple[Term, ...] = (), largest: int = ITEMS) -> Iterator[tuple[int, int]]:
    """(d, m) in the declared order."""
    for d in range(1, largest + 1):
        for m in range(1, d + (table.reading == "padded")):
            if all(constraint.evaluate({"d": d, "m": m}) >= 0 for constraint in constraints):
                yield d, m


def _values(table: SubsetTable, objective: Term, d: int, m: int, w: fmpq) -> list[fmpq]:
    """The objective at k = 1, 2, .., D - m, with the program's P and Q."""
    outputs = _outputs(table, d, m)
    found = []
    for k in range(1, outputs - m + 1):
        p, q = inclusion(outputs, m, k, Budget(w))
        found.append(fmpq(1) * objective.evaluate({"P": p, "Q": q, "D": outputs, "m": m}))
    return found


def _minimisers(values: list[fmpq]) -> list[int]:
    least = min(values)
    return [k for k, value in enumerate(values, 1) if value == least]


def _summed(table: SubsetTable, d: int, m: int, k: int, t: fmpq) -> fmpq:
    """n times the sum of the MSEs over the d items, if everybody holds m of them."""
    p, q = inclusion(_outputs(table, d, m), m, k, Budget(t, 2 * m))
    return (m * p * (1 - p) + (d - m) * q * (1 - q)) / (p - q) ** 2
