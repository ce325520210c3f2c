"""Statements about the order of an error for 0 < eps <= 1, uniformly over sizes and frequencies."""

from collections.abc import Mapping
from typing import Any

from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.domains import bounds_of, symbolic
from dp_checks.kernel.exact import rational
from dp_checks.kernel.formulas import prove
from dp_checks.kernel.moments import NAMES, renamed
from dp_checks.kernel.polynomial import Ratio, lift, variable
from dp_checks.kernel.proving import (
    data_constraints,
    exponential,
    for_small_epsilon,
    prove_affinely,
    require_data,
    require_sizes,
)
from dp_checks.kernel.rejected import require
from dp_checks.kernel.terms import evaluate
from dp_checks.kernel.totals import error

L = "L"
FROM_ONE = {"min": 1, "strict": False, "integer": True, "unit": False}


def order(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: error <= C entry ("upper"), and also >= c entry ("theta"), for constants and all 0 < eps <= 1.

    Proved by the constants, with e^eps as in `proving.exponential`; refuted by a family with one parameter L >= 1
    along which error >= c L entry (side "upper") or entry >= c L error (side "lower"), the left one positive.
    """
    domain = statement["domain"]
    ranges = domain["variables"]
    require(L not in ranges and not domain["lemmas"], "L is the parameter of families")
    require(all(ranges[x]["integer"] and ranges[x]["min"] >= 1 for x in ("m", "K", "n") if x in ranges), "sizes >= 1")
    require(all(ranges[x]["min"] >= 0 for x in ("N", "f", "g") if x in ranges), "numbers and frequencies >= 0")
    require_data([statement], for_small_epsilon(domain))
    if verdict == "refuted":
        _refuted(statement, evidence)
        return
    left, right, small = sides_for_all(statement)
    prove("lt", lift(0), right, small, {})
    signs = (1,) if statement["bound"] == "upper" else (1, -1)
    require(len(evidence["constants"]) == len(evidence["steps"]) == len(signs), "a constant for every side")
    for constant, step, sign in zip(evidence["constants"], evidence["steps"], signs, strict=True):
        require(rational(constant) > 0, "constants are positive")
        prove_affinely("le", (right * rational(constant) - left) * sign, small, step)


def sides_for_all(statement: Any) -> tuple[Ratio, Ratio, Any]:
    """Error and entry for all 0 < eps <= 1, and the domain of their variables."""
    small = for_small_epsilon(statement["domain"])
    return _sides(statement, symbolic(small), small)


def _refuted(statement: Any, evidence: Any) -> None:
    domain, family = statement["domain"], evidence["family"]
    require(evidence["side"] == "upper" or statement["bound"] == "theta", "the statement has no such side")
    require(set(family) == set(domain["variables"]), "a family gives every variable a value")
    along: dict[str, Any] = {"variables": {L: FROM_ONE}, "constraints": [], "lemmas": []}
    index = {L: variable(L)}
    for tree in family.values():
        require_defined(tree, index, bounds_of(along))
    at = {name: lift(evaluate(tree, index)) for name, tree in family.items()}
    for name, spec in domain["variables"].items():
        prove("lt" if spec["strict"] else "le", lift(spec["min"]), at[name], along, {})
        require(not spec["unit"], "families have no values between 0 and 1")
    for tree in (*domain["constraints"], *data_constraints(statement, domain)):
        prove("le", lift(0), lift(evaluate(tree, at)), along, {})
    # one user holds the item or not, and a whole number of non-sensitive items: there are such data sets
    whole = [x for x, spec in domain["variables"].items() if spec["integer"] or x in ("f", "g")]
    for name in whole:
        require_sizes({"N": at[name]}, along)
    left, right, along = _sides(statement, at, along)
    factor = rational(evidence["constant"])
    require(factor > 0, "constants are positive")
    less, more = (right, left) if evidence["side"] == "upper" else (left, right)
    prove("lt", lift(0), more, along, {})
    prove("le", less * variable(L) * factor, more, along, {})


def _sides(statement: Any, values: Mapping[str, Any], domain: Any) -> tuple[Ratio, Ratio, Any]:
    """The error and the entry as functions of the domain's variables, and the domain with e^eps in it."""
    law, general = error(statement["error"])
    at = {name: lift(evaluate(tree, values)) for name, tree in statement["at"].items()}
    require_sizes(at, domain)
    inner = {**values, **at}
    power = lift(evaluate(law["power"], inner))
    prove("le", lift(1), power, domain, {})
    root, domain = exponential(values["eps"] / power, 0, domain)
    require(law["base"] not in values, "the root of e^eps is no variable")
    named = {**values, law["base"]: root}
    require_defined(statement["entry"], named, bounds_of(domain))
    put = {name: value for name, value in inner.items() if name in NAMES}
    return renamed(general, {law["base"]: root, **put}), lift(evaluate(statement["entry"], named)), domain
