"""Claims of the ledger before the brute force: at the witness of a refutation, at small points of what is said to hold.

Nothing of a proof is read: what is proved or verified has to be true at these points, whatever shows it.
"""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import chain, islice, product
from random import Random
from typing import Any

from attack import trees
from attack.points import is_in, points
from attack.referee import contradiction
from attack.worlds import MeaninglessError, UndecidedError

Json = dict[str, Any]
FEW = 2
"""Points of a statement that is enumerated at each of them."""
ABOVE = 4
"""How far above their least values integers of sentences are tried."""
PROVEN = ("bounded", "definition", "implies", "completions", "not")
"""Kinds of which only the evidence says where to look: constants, channels, the witness of a denial."""


def opinion(statement: Json, verdict: str, witness: Json) -> tuple[str, bool]:
    """Why the verdict is wrong ("" if it is not seen to be), and whether the brute force knows what is true."""
    choose = Random(3).randrange
    try:
        evidence = witness if verdict == "refuted" else _evidence(statement)
    except UndecidedError:
        return "", False
    return contradiction(statement, "refuted" if verdict == "refuted" else "proved", evidence, choose)


def _evidence(statement: Json) -> Json:
    """Where the brute force is to look. Raises `UndecidedError` where only a proof says it."""
    match statement["type"]:
        case "all" | "instances":
            return {"parts": [["proved", _evidence(part)] for part in statement["parts"]]}
        case "divergence":
            return {"instances": [{"values": at, "by": ""} for at in _few(statement["domain"])]}
        case "arithmetic":
            numbers = _few(statement["domain"])
            integers = {name for name, spec in statement["domain"]["variables"].items() if spec["integer"]}
            if not numbers:
                raise UndecidedError("no small point")
            return {"instances": [{name: int(at[name]) for name in integers} for at in numbers]}
        case "bounded" if trees.stated_limit(statement) is not None:
            return {}
        case kind if kind in PROVEN:
            raise UndecidedError(f"nothing but a proof of {kind}")
    return {}


def _few(domain: Json) -> list[dict[str, Fraction]]:
    """Points of a domain: the smallest ones, or any."""
    return [*islice(chain(_smallest(domain), points(domain, Random(3).randrange, 4 * FEW)), FEW)]


def _smallest(domain: Json) -> Iterator[dict[str, Fraction]]:
    """Points of a domain by the sum of their integers; other variables are a little above the end of their range."""
    ranges = {name: spec for name, spec in domain["variables"].items() if spec["integer"]}
    others = {name: Fraction(spec["min"]) + Fraction(1, 2) for name, spec in domain["variables"].items()}
    listed = product(*(range(spec["min"], spec["min"] + ABOVE) for spec in ranges.values()))
    for values in sorted(listed, key=sum):
        at = others | {name: Fraction(x) for name, x in zip(ranges, values, strict=True)}
        with suppress(MeaninglessError, ZeroDivisionError):
            if is_in(domain, at):
                yield at
