"""Exact errors of one item, and their sum over X, as functions of the root of e^eps, m, K, N, n, f and g."""

import json
from functools import lru_cache
from typing import Any

from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.moments import NAMES, exact_mse, ranges_for, renamed
from dp_checks.kernel.polynomial import Ratio, lift, variable
from dp_checks.kernel.rejected import require
from dp_checks.kernel.slotwise import ranges_of, require_law, variables
from dp_checks.kernel.terms import evaluate


def law_of(value: Any) -> Any:
    """The law of the mechanism that an error or a total is of."""
    return value["law"] if "type" in value else next(iter(value.values()))["law"]


def error(value: Any) -> tuple[Any, Ratio]:
    """The law of the mechanism and its error: of one item, or summed over X (or over one of its two parts)."""
    require(not law_of(value)["parameters"], "parameters of a law have no range here")
    if "type" in value:
        return value["law"], _item_error(json.dumps(value, sort_keys=True))
    # the order of the parts decides how large the unreduced fraction is: not that of a file
    parts = [value[name] for name in ("sensitive", "nonsensitive") if name in value]
    total = lift(0)
    for part in parts:
        of_one = _item_error(json.dumps(part, sort_keys=True))
        require(all(name != "g" for mono in of_one.num for name, _ in mono), "the error of an item varies with g")
        affine(of_one, "f")
        absent, held = (renamed(of_one, {"f": lift(x)}) for x in (0, 1))
        items, frequency = (
            (variable("K"), variable("m") - variable("g"))
            if part["item"] == "sensitive"
            else (variable("N"), variable("g"))
        )
        total = total + items * absent + frequency * (held - absent)
    return parts[0]["law"], total


def affine(value: Ratio, name: str) -> None:
    """Raise `Rejected` unless the value is affine in the variable."""
    degrees = [sum(e for x, e in mono if x == name) for mono in value.num]
    require(all(degree <= 1 for degree in degrees), f"not affine in {name}")
    require(not any(x == name for mono in value.den for x, _ in mono), f"not affine in {name}")


@lru_cache(maxsize=64)
def _item_error(text: str) -> Ratio:
    """The MSE in the form of the statement's formula, shown to be the one derived from the table."""
    spec = json.loads(text)
    require_law(spec["law"], ranges_of(spec["law"]))
    ranges = ranges_for(spec, {"variables": {}})
    values: dict[str, Any] = variables(spec["law"]) | {name: variable(name) for name in NAMES}
    require_defined(spec["formula"], values, ranges)
    stated = lift(evaluate(spec["formula"], values))
    require(exact_mse(spec, ranges) == stated, "the formula is not the MSE")
    return stated
