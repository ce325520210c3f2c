"""Statements `for all x in the domain: left op right`, op one of eq, le, lt; several are a conjunction."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dp_checks.kernel import enclosure
from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.domains import bounds_of, constraints_of, free_of, point, require_inhabited, symbolic
from dp_checks.kernel.exact import integer, rational
from dp_checks.kernel.polynomial import Bound, Ratio, constant, is_nonnegative, lift
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.roots import roots_above
from dp_checks.kernel.terms import evaluate, symbols


def formula(statement: Any, verdict: str, evidence: Any) -> None:
    """Proved by an identity or positivity certificate for every relation, refuted by a point of the domain.

    With `bits`, expressions may contain exp, log and sqrt: a witness, every listed point ("verified"), or relations
    between numbers ("proved") are decided by rational enclosures of that precision.
    """
    domain, relations = statement["domain"], statement["relations"]
    require_inhabited(domain)
    if verdict == "refuted":
        at = point(domain, evidence["values"])
        op, left, right = relations[integer(evidence["relation"], 0)]
        if "bits" in evidence:
            require(
                enclosed(op, left, right, at, evidence["bits"]) is False,
                "the relation is not shown to fail at the witness",
            )
        else:
            require(not holds(op, evaluate(left, at), evaluate(right, at)), "the relation holds at the witness")
        return
    if verdict == "verified":
        require(bool(evidence["points"]), "an empty scope")
        for values_at in evidence["points"]:
            at = point(domain, values_at)
            for op, left, right in relations:
                require(enclosed(op, left, right, at, evidence["bits"]) is True, f"not shown at {values_at}")
        return
    if "bits" in evidence:
        require(verdict == "proved" and not domain["variables"], "enclosures prove relations between numbers only")
        for op, left, right in relations:
            require(enclosed(op, left, right, {}, evidence["bits"]) is True, "not shown")
        return
    require(verdict == "proved" and len(evidence["steps"]) == len(relations), "one proof step for every relation")
    values, bounds = symbolic(domain), bounds_of(domain)
    for (op, left, right), step in zip(relations, evidence["steps"], strict=True):
        for side in (left, right):
            require_defined(side, values, bounds)
        prove(op, lift(evaluate(left, values)), lift(evaluate(right, values)), domain, step)


def prove(op: str, left: Ratio, right: Ratio, domain: Any, step: Any) -> None:
    """Check one step: scale * (right - left) = sum of multiplier * constraint + rest, all of them >= 0 on the
    domain.
    """
    require(isinstance(step, dict) and set(step) <= {"scale", "multipliers", "roots"}, "a step with unknown fields")
    if op == "eq":
        require(left == right, "not an identity")
        require(integer(step.get("scale", 1)) == 1 and not step.get("multipliers"), "an identity needs no multipliers")
        return
    require(op in ("le", "lt"), f"unknown relation {op}")
    values, bounds = symbolic(domain), bounds_of(domain)
    if "roots" in step:
        _prove_by_roots(op, right - left, step["roots"], bounds)
        return
    scale = lift(evaluate(step.get("scale", 1), values))
    require(is_nonnegative(scale, bounds, strictly=True), "the scale is not shown to be positive")
    rest = (right - left) * scale
    constraints = constraints_of(domain)
    for index, tree in step.get("multipliers", {}).items():
        multiplier = lift(evaluate(tree, values))
        require(is_nonnegative(multiplier, bounds), "a multiplier is not shown to be >= 0")
        rest = rest - multiplier * constraints[int(rational(index))]
    require(is_nonnegative(rest, bounds, strictly=op == "lt"), "positivity is not shown")


def _prove_by_roots(op: str, goal: Ratio, name: str, bounds: Mapping[str, Bound]) -> None:
    """goal > 0 on the ray above a variable's bound: positive denominator, no root of the numerator, positive at one
    point.
    """
    bound = bounds[name]
    require(
        not bound.unit and is_nonnegative(Ratio(constant(1), goal.den), bounds), "the denominator is not shown positive"
    )
    require(roots_above(goal.num, name, bound.low) == 0, "the numerator has a root on the ray")

    def value(x: Fraction) -> Fraction:
        return sum((c * x ** (mono[0][1] if mono else 0) for mono, c in goal.num.items()), Fraction(0))

    require(value(bound.low + 1) > 0, "negative on the ray")
    require(op == "le" or bound.strict or value(bound.low) > 0, "0 at the bound")


def enclosed(op: str, left: Any, right: Any, at: Mapping[str, Fraction], bits: int) -> bool | None:
    """Decide a relation by enclosures; None where they overlap (an equality can only be denied)."""
    require(op in ("eq", "le", "lt") and integer(bits, 1, 4096) > 0, "a relation and a precision of 1 to 4096 bits")
    (low, high), (floor, ceiling) = (enclosure.evaluate(tree, at, bits) for tree in (left, right))
    if low == high and floor == ceiling:
        return holds(op, low, floor)
    if high < floor or (op == "le" and high == floor):
        return op != "eq"
    return False if ceiling < low else None


def holds(op: str, left: Fraction, right: Fraction) -> bool:
    """Decide one relation between rationals."""
    match op:
        case "eq":
            return left == right
        case "le":
            return left <= right
        case "lt":
            return left < right
    raise Rejected(f"unknown relation {op}")


def vanishing(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: every term tends to 0 when `variable` (an integer) grows.

    Proved by constants C free of it with 0 <= term <= C / variable; refuted by a term free of it that is positive at
    a point.
    """
    domain, grows = statement["domain"], statement["variable"]
    require(not domain["lemmas"] and free_of(domain, {grows}), "the variable is tied to others")
    require(not domain["variables"].get(grows, {"unit": False})["unit"], "the variable does not grow")
    require_inhabited(domain)
    values = symbolic(domain)
    if verdict == "refuted":
        tree = statement["terms"][integer(evidence["term"], 0)]
        require(grows not in symbols(tree), "the term depends on the variable")
        require(evaluate(tree, point(domain, evidence["values"])) > 0, "the term is 0 there")
        return
    require(
        verdict == "proved" and len(evidence["constants"]) == len(statement["terms"]), "one constant for every term"
    )
    for tree, factor in zip(statement["terms"], evidence["constants"], strict=True):
        require(grows not in symbols(factor), "the constant depends on the variable")
        require_defined(tree, values, bounds_of(domain))
        value, bound = lift(evaluate(tree, values)), lift(evaluate(factor, values)) / values[grows]
        prove("le", lift(0), value, domain, {})
        prove("le", value, bound, domain, {})


def independent(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: no term depends on any of the variables. Proved when none of them occurs."""
    require(verdict == "proved" and evidence == {"kind": "free of the variables"}, "unknown evidence")
    for tree in statement["terms"]:
        require(not symbols(tree) & set(statement["variables"]), f"{tree} depends on one of the variables")
