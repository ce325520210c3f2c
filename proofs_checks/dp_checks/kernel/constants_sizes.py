"""Which sets exist at the sizes a statement speaks of, and how many sensitive items two compared sets can exchange."""

from fractions import Fraction
from typing import Any

from dp_checks.kernel.polynomial import Bound, is_nonnegative, lift, variable
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.terms import evaluate

TWO_SETS = ["sub", ["add", "K", "N"], ["add", "m", 1]]
"""d > m: there are two m-sets to compare."""
TWO_SENSITIVE = ["sub", "K", 2]
"""K >= 2: with d > m there are two m-sets with the same non-sensitive items."""
EXCHANGED = ["min", "m", "K", ["sub", ["add", "K", "N"], "m"]]
"""The largest number of sensitive items in s but not in s', for two m-sets."""
EXCHANGED_SAMENON = ["min", "m", ["floor", ["div", "K", 2]], ["sub", ["add", "K", "N"], "m"]]
"""The same for two m-sets with the same non-sensitive items."""


def exchanged(statement: Any) -> list[Any]:
    """Expressions for the largest number a of sensitive items in s but not in s', over all compared pairs of m-sets.

    joint, ldp: a <= m, a <= K, and s' has m of the d - a other items; all such a occur. deniability: 1, as a sensitive
    item and d > m are there. samenon: s and s' have l sensitive items each, a <= l <= m, a <= K - l, hence 2 a <= K,
    and l >= m - N, hence a <= K - l <= d - m. With a the minimum of the three bounds, l = max(a, m - N) reaches it: l
    <= m and l <= K; for l = a, K - l >= a by 2 a <= K; for l = m - N > a, K - l = d - m >= a. It is at least 1 where
    K >= 2 and d > m. Where the first bound is the smallest on the stated domain, a is m.
    """
    relation, where = statement["relation"], statement["where"]
    require(implied(TWO_SETS, where), "d > m is not stated")
    if relation == "deniability":
        return [1]
    if relation == "samenon":
        require(implied(TWO_SENSITIVE, where), "K >= 2 is not stated")
        disjoint = implied(["sub", "K", ["mul", 2, "m"]], where)
        return [EXCHANGED_SAMENON, "m"] if disjoint else [EXCHANGED_SAMENON]
    if relation not in ("ldp", "joint"):
        raise Rejected("no lemma about exchanged items in this reading")
    many = implied(["sub", "K", "m"], where) and implied(["sub", ["add", "K", "N"], ["mul", 2, "m"]], where)
    return [EXCHANGED, "m"] if many else [EXCHANGED]


def implied(needed: Any, where: list[Any]) -> bool:
    """Whether needed >= 0 follows from m >= 1, K >= 1, N >= 0 and the constraints, by adding some of them up (each at
    most twice).
    """
    values = {name: variable(name) for name in ("m", "K", "N")}
    ranges = {"m": Bound(Fraction(1), False), "K": Bound(Fraction(1), False), "N": Bound(Fraction(0), False)}
    goals = [lift(evaluate(needed, values))]
    require(len(where) <= 5, "too many constraints to try their sums")
    for tree in where * 2:
        goals += [goal - evaluate(tree, values) for goal in goals]
    return any(is_nonnegative(goal, ranges) for goal in goals)
