"""Checkers for laws on subsets (PrivSet): their privacy, chances and estimators."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks.check.proposals import EVERY, ROOTS, Candidate, Finder, finders, text
from dp_checks.check.subset_programs import Rows, program, sizes
from dp_checks.registry import Key
from dp_spec.vocabulary.statement import Chance, Mse, Ratio, Smallest, Unbiased
from dp_spec.vocabulary.table import ratio_maximum
from dp_spec.vocabulary.term import Term


def _at_sizes(statement: Ratio | Unbiased | Chance) -> Iterator[Candidate]:
    """A first instance at which the statement fails in the enumerated program; the card."""
    for at, w in product(sizes(statement.law), ROOTS):
        values = {**at, "w": w}
        channel = program(statement.law, at, w)
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


def _listed(point: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in point.items())


FINDERS: dict[Key, Finder] = finders(dict.fromkeys((Chance, Mse, Ratio, Smallest, Unbiased), _at_sizes), unit="subsets")
