"""Evidence of certificates as terms of Coq. This translation is not trusted: what it gets wrong is refused."""

from fractions import Fraction
from typing import Any

from dp_coq.statements import Names, Outside, expression, listed, numbered, rational

LONGEST = 500
"""Terms of a sum that Coq is asked to add: exact fractions of thousands of digits take it minutes."""


def require_short(tree: Any) -> None:
    """Raise `Outside` where a sum between two numbers is long."""
    match tree:
        case ["sum", _, int() as low, int() as high, _] if high - low >= LONGEST:
            raise Outside("long sums")
        case [_, *arguments]:
            for argument in arguments:
                require_short(argument)


def point(values: Any, names: Names) -> str:
    return listed([rational(Fraction(values[name])) for name in names])


def step(step: Any, names: Names) -> str:
    """One step: scale, multipliers of what is stated, squares, ends."""
    if step.keys() - {"scale", "multipliers", "squares", "ends"}:
        raise Outside("induction")
    multipliers = [f"({number}%nat, {expression(tree, names)})" for number, tree in step.get("multipliers", {}).items()]
    squares = [f"({expression(tree, names)}, {expression(root, names)})" for tree, root in step.get("squares", [])]
    ends = "None"
    if "ends" in step:
        name, high = step["ends"]
        ends = f"(Some ({names[name]}%positive, {expression(high, names)}))"
    return f"Step {expression(step.get('scale', 1), names)} {listed(multipliers)} {listed(squares)} {ends}"


def derivation(statement: Any, evidence: Any) -> str:
    """For a statement: a point of its domain, a step for every relation; of a bound, the constants."""
    for relation in statement["relations"]:
        require_short(relation)
    names = numbered(statement["domain"])
    if "cover" in evidence:
        raise Outside("boxes")
    if evidence.get("sums"):
        raise Outside("sums with symbolic ends")
    if evidence.get("lemmas"):
        raise Outside("lemmas")
    steps = listed([step(each, names) for each in evidence["steps"]])
    at = point(evidence["values"], names)
    if statement["type"] == "bounded":
        return f"(Constants {at} {listed([expression(tree, names) for tree in evidence['constants']])} {steps})"
    return f"(Derivation {at} {steps})"


def counterexample(statement: Any, evidence: Any) -> str:
    """Against a statement: a point of its domain, and which relation fails there."""
    if statement["type"] == "bounded":
        raise Outside("families of points")
    require_short(statement["relations"][evidence["relation"]])
    return f"(At {point(evidence['values'], numbered(statement['domain']))} {evidence['relation']}%nat)"
