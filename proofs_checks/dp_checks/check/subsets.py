"""Checkers for laws on subsets (PrivSet): their privacy, chances and estimators; for statements about some integer."""

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from flint import fmpq

from dp_checks.check.candidate import EVERY, ROOTS, Candidate, Finder, finders, text
from dp_checks.check.subset_programs import Rows, program, sizes
from dp_checks.registry import Key
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.statement import Chance, Exists, Mse, Range, Ratio, Smallest, Unbiased
from dp_spec.vocabulary.table import ratio_maximum
from dp_spec.vocabulary.term import Term, term, var

MAX_POINTS = 4000
D, T = var("d"), var("t")
SQUARE = (D - 1) * (T**2 - 1) ** 2 + D * T * (T + 1) ** 2
SLOPE = (D - 1) ** 2 * (T**4 - 1) - SQUARE * D
STARTS = (-SLOPE / (2 * SQUARE) - term(1) / 2,)
"""Numbers above which the first integer may do. PrivSet, m = 1: a multiple of the error minus RAPPOR's is SQUARE k^2 +
SLOPE k + (D - 1)^2 D; the integers within 1/2 of where this is smallest."""


def _at_sizes(statement: Ratio | Unbiased | Chance) -> Iterator[Candidate]:
    """A first instance at which the statement fails in the enumerated program; the card."""
    for at, w in product(sizes(statement.law), ROOTS):
        values = {**at, "w": w}
        _, channel = program(statement.law, at, w)
        found = _failure(statement, channel, values)
        if found is not None:
            at_w = {**at, "w": text(w)} | ({"n": 1} if isinstance(statement, Unbiased) else {})
            yield Candidate("refuted", "witness", _listed(at_w), {"instance": at_w} | found)
            return
    rule = {"rule": "counting" if isinstance(statement, Ratio) else "contributions"}
    yield Candidate("proved", "card counting", f"{EVERY}, all sizes", rule)


def _failure(statement: Ratio | Unbiased | Chance, channel: Rows, values: dict[str, Any]) -> dict[str, Any] | None:
    """What a witness shows beside its instance, if the statement fails there."""

    def number(entry: Term) -> fmpq:
        value: fmpq = fmpq(1) * entry.evaluate(values)
        return value

    if isinstance(statement, Ratio):
        largest = ratio_maximum(channel)
        if largest is None:
            return None
        exact = "unbounded" if largest.ratio is None else text(largest.ratio)
        if isinstance(statement, Smallest):
            stated = number(statement.constant)
            return None if largest.ratio == stated else {"exact": exact, "stated": text(stated)}
        if largest.ratio is not None and largest.ratio <= values["w"]:
            return None
        return _violation(channel, values["w"])
    for s, row in channel.rows.items():
        for x in range(values["K"]):
            held, chance = int(x in s), sum((p for o, p in row.items() if x in o), fmpq(0))
            if isinstance(statement, Chance):
                stated = number(statement.probability)
                if held == (statement.event == "held") and chance != stated:
                    return {"s": list(s), "item": x, "exact": text(chance), "stated": text(stated)}
                continue
            slope, offset = number(statement.estimator.slope), number(statement.estimator.offset)
            found, stated = (chance - offset) / slope, fmpq(held)
            if isinstance(statement, Mse):
                assert statement.formula is not None
                stated = fmpq(1) * statement.formula.evaluate({**values, "f": held, "n": 1})
                found = chance * (1 - chance) / slope**2 + (found - held) ** 2
            if found != stated:
                return {"users": [list(s)], "item": x, "exact": text(found), "stated": text(stated)}
    return None


def _violation(channel: Rows, w: fmpq) -> dict[str, Any]:
    s, other, o = next(
        (s, other, o)
        for (s, row), (other, beside) in product(channel.rows.items(), repeat=2)
        for o, p in row.items()
        if s != other and p > w * beside[o]
    )
    shown = {"probability": text(channel.rows[s][o]), "other_probability": text(channel.rows[other][o])}
    return {"s": list(s), "other": list(other), "output": [list(o), []], **shown}


# --- some integer ---------------------------------------------------------------------------------------------------


def _exists(statement: Exists) -> Iterator[Candidate]:
    """A first point of a small grid at which no integer will do; the first integer above a term."""
    ranges = statement.domain.variables
    grid = product(*(_grid(spec) for spec in ranges.values()))
    for values in islice(grid, MAX_POINTS):
        point = dict(zip(ranges, values, strict=True))
        if all(constraint.evaluate(point) >= 0 for constraint in statement.domain.constraints) and not _some(
            statement, point
        ):
            shown = {name: text(x) for name, x in point.items()}
            yield Candidate("refuted", "witness", _listed(shown), {"values": shown})
            return
    for start in STARTS:
        data: dict[str, Any] = {"start": start.json(), "steps": [{}] * (2 + len(statement.relations))}
        yield Candidate("proved", "first integer above a term", "the whole domain", data)


def _grid(spec: Range) -> tuple[Any, ...]:
    return tuple(range(spec.min, spec.min + 8)) if spec.integer else ROOTS


def _some(statement: Exists, point: dict[str, Any]) -> bool:
    low, high = (fmpq(1) * side.evaluate(point) for side in statement.between)
    tried = range(int(low.floor()) + 1, int(high.ceil()))
    name, other = statement.variable, statement.against
    return any(
        all(
            _holds(op, *(side.evaluate({**point, **({other: j} if other else {}), name: k}) for side in sides))
            for j in (tried if other else [k])
            for op, *sides in statement.relations
        )
        for k in tried
    )


def _holds(op: str, left: Any, right: Any) -> bool:
    found = compare(fmpq(1) * left, fmpq(1) * right)
    return found in {"eq": (Ordering.EQUAL,), "le": (Ordering.LESS, Ordering.EQUAL), "lt": (Ordering.LESS,)}[op]


def _listed(point: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in point.items())


FINDERS: dict[Key, Finder] = {
    **finders({Exists: _exists}),
    **finders(dict.fromkeys((Chance, Mse, Ratio, Smallest, Unbiased), _at_sizes), unit="subsets"),
}
