"""Where expressions have a value: every divisor of a tree is shown not to be 0 on a whole domain.

Identities of rational functions say nothing at poles that cancel; a statement about a whole domain does.
"""

from collections.abc import Mapping
from typing import Any

from dp_checks.kernel.binomials import LEAST
from dp_checks.kernel.polynomial import Bound, is_nonnegative, lift
from dp_checks.kernel.rejected import require
from dp_checks.kernel.terms import evaluate


def require_defined(tree: Any, values: Mapping[str, Any], bounds: Mapping[str, Bound]) -> None:
    """Raise `Rejected` unless no divisor, and no base of a power with a symbolic or negative exponent, is 0
    anywhere, and real exponents have bases > 0.
    """
    if not isinstance(tree, list):
        return
    for argument in tree[1:]:
        require_defined(argument, values, bounds)
    divides = tree[0] == "div" or (tree[0] == "pow" and not (isinstance(tree[2], int) and tree[2] >= 0))
    if divides:
        divisor = tree[2] if tree[0] == "div" else tree[1]
        require(is_nonzero(divisor, values, bounds), f"{divisor} is not shown to differ from 0")
    if tree[0] == "pow":
        powers = {name for monomial in lift(evaluate(tree[2], values)).num for name, _ in monomial}
        whole = all(name in LEAST or (name in bounds and bounds[name].whole) for name in powers)
        base = lift(evaluate(tree[1], values))
        require(whole or is_nonnegative(base, bounds, strictly=True), f"{tree[1]} is not shown to be > 0")


def is_nonzero(tree: Any, values: Mapping[str, Any], bounds: Mapping[str, Bound]) -> bool:
    """Whether a tree is shown to have one strict sign, factor by factor."""
    if isinstance(tree, list) and tree[0] in ("mul", "div", "neg"):
        return all(is_nonzero(argument, values, bounds) for argument in tree[1:])
    if isinstance(tree, list) and tree[0] == "pow":
        return is_nonzero(tree[1], values, bounds)
    value = lift(evaluate(tree, values))
    return is_nonnegative(value, bounds, strictly=True) or is_nonnegative(-value, bounds, strictly=True)
