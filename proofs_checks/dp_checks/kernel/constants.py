"""Statements about the smallest constant that bounds every compared ratio."""

from fractions import Fraction
from typing import Any

from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.exact import rational
from dp_checks.kernel.polynomial import Bound, Ratio, is_nonnegative, lift, variable
from dp_checks.kernel.privacy import maximum, require_bounded
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.slotwise import fits, point_values, ranges_of, slotwise_bound, table, variables
from dp_checks.kernel.terms import evaluate


def smallest(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the smallest constant that bounds every compared ratio is `constant`, for all eps > 0 and all
    sizes.
    """
    if verdict == "refuted":
        at = evidence["instance"]
        require(fits(statement, at), "the instance lies outside the domain")
        claimed = evaluate(statement["constant"], point_values(statement, at))
        worst = maximum(statement, at)
        require(worst is None or worst != claimed, "the constant is right at the witness")
        shown = "unbounded" if worst is None else worst
        stated = evidence["exact"] if worst is None else rational(evidence["exact"])
        require((stated, rational(evidence["stated"])) == (shown, claimed), "the witness shows other numbers")
    elif verdict == "verified":
        require(bool(evidence["instances"]), "an empty scope")
        for instance in evidence["instances"]:
            _, attained = require_bounded(statement, instance, lambda values: evaluate(statement["constant"], values))
            require(attained, f"the constant is not attained at {instance}")
    else:
        require(verdict == "proved", f"unknown verdict {verdict}")
        lemma = LEMMAS.get(evidence["lemma"])
        if lemma is None:
            raise Rejected(f"unknown lemma {evidence['lemma']!r}")
        require_defined(statement["constant"], variables(statement["law"]), ranges_of(statement["law"]))
        lemma(statement, evidence)


def _slotwise(statement: Any, evidence: Any) -> None:
    """The slotwise bound, reached by a pair of sets that exists on the whole stated domain."""
    bound = slotwise_bound(statement, evidence)
    require(bound == evaluate(statement["constant"], variables(statement["law"])), "the lemma bounds something else")
    _require_attained(statement, evidence)


def _own_entry(statement: Any, evidence: Any) -> None:
    """One drawn item of an m-set: P(z|s) = (own + (m - 1) other) / m if z in s, else other; z in s, z not in s' needs
    d > m.

    An invertible datum of both sets has probability r / m under both.
    """
    law, values = statement["law"], variables(statement["law"])
    p, q, _ = table(law, values)
    require(
        (law["unit"], law["draw"], statement["view"]) == ("items", "one", "one")
        and statement["relation"] in ("ldp", "joint")
        and statement["sizes"] == "exactm",
        "no such lemma",
    )
    require(statement["relation"] == "joint" or law["r"] is None, "epsilon-LDP lemma: no non-sensitive items")
    require(is_nonnegative(lift(p - q), ranges_of(law)), "own is not shown to be at least other")
    reached = (p + (values["m"] - 1) * q) / (values["m"] * q)
    require(
        lift(evaluate(statement["constant"], values)) == reached, "the constant is not (own + (m-1) other) / (m other)"
    )
    require(implied(TWO_SETS, statement["where"]), "d > m is not stated")


TWO_SETS = ["sub", ["add", "K", "N"], ["add", "m", 1]]
"""d > m: there are two m-sets to compare."""
EXCHANGED = ["min", "m", "K", ["sub", ["add", "K", "N"], "m"]]
"""The largest number of sensitive items in s but not in s', for two m-sets."""


def _exchanged(statement: Any, evidence: Any) -> None:
    """Bit tables with own / other = (1 - other) / (1 - own) = x and, where non-sensitive bits are compared, 1 - r = 1
    / x.

    "all": s and s' differ in a, b sensitive and c, e non-sensitive items (held by s only, by s' only), a + c = b + e.
    The largest ratio is x^(a + b - c + e) = x^(2a), or x^(a + b) for the marginal law of the sensitive bits.
    "one": with a ones on items of s only and k on common items the ratio is ((a+k) X + m-a-k) / (k X + m-k), X = x^2,
    largest for k = 0: (m + a (X - 1)) / m. The largest a is EXCHANGED, the largest a + b is min(2m, K, 2(d - m)). For
    the marginal law items weigh x, 1/x or (non-sensitive) 1: with j ones among K bits, m <= N, the ratio is at most
    (m + j (x - 1)) / (m - (K - j)(1 - 1/x)), which grows with j where K <= m and falls where K >= m: largest for j = K,
    (m + K (x - 1)) / m, and (m <= K <= 2m) for j = K - m, when s' has m zeros: x (m + (K - m)(x - 1)) / m.
    """
    law, values = statement["law"], variables(statement["law"])
    p, q, r = table(law, values)
    relation, x = statement["relation"], values[law["base"]]
    require(law["unit"] == "bits" and statement["view"] == "sen" and statement["sizes"] == "exactm", "no such lemma")
    require(statement["counted"] == "all" and relation in ("ldp", "joint", "marginal"), "no such lemma")
    require(relation != "ldp" or r is None, "epsilon-LDP lemma: no non-sensitive bits")
    require(implied(TWO_SETS, statement["where"]), "d > m is not stated")
    require(lift(p / q) == x and lift((1 - q) / (1 - p)) == x, "the bits do not have likelihood ratios x and 1/x")
    require(relation != "joint" or r is None or lift((1 - r) * x) == 1, "1 - r is not 1/x")
    if law["draw"] == "all":
        spread: Any = ["min", ["mul", 2, "m"], "K", ["mul", 2, ["sub", ["add", "K", "N"], "m"]]]
        expected: Any = ["pow", law["base"], spread if relation == "marginal" else ["mul", 2, EXCHANGED]]
    elif relation == "marginal":
        require(law["draw"] == "one" and implied(["sub", "N", "m"], statement["where"]), "m <= N is not stated")
        step = ["sub", law["base"], 1]
        if implied(["sub", "m", "K"], statement["where"]):
            expected = ["div", ["add", "m", ["mul", "K", step]], "m"]
        else:
            between = (["sub", "K", "m"], ["sub", ["mul", 2, "m"], "K"])
            require(all(implied(needed, statement["where"]) for needed in between), "m <= K <= 2m is not stated")
            expected = ["div", ["mul", law["base"], ["add", "m", ["mul", ["sub", "K", "m"], step]]], "m"]
    else:
        require(law["draw"] == "one", "no such lemma")
        expected = ["div", ["add", "m", ["mul", EXCHANGED, ["sub", ["pow", law["base"], 2], 1]]], "m"]
    require(statement["constant"] == expected, f"the lemma's constant is {expected}")


def _matched_results(statement: Any, evidence: Any) -> None:
    """Unordered reports of m results (own entry p, other q, p / q = x): the smallest constant is sum_{i <= m} (x -
    1)^i / i!.

    P(y|s) is a sum over the assignments z of y's elements to the slots of s of q^m x^(matches of z with s), so its
    ratio to P(y|s') >= (number of z) q^m is at most the mean of x^matches = sum over sets A of slots of (x - 1)^|A|
    Pr[A matches]. Slots hold different items. Multiset with multiplicities mu: the A of size i sum up to at most
    e_i(mu) / (m)_i <= 1 / i! (e_i elementary symmetric, largest for mu = 1 by Maclaurin). Set of j elements, z a
    surjection: A of size i matches with probability at most 1 / (j)_i (labels are exchangeable), and at most binom(j,
    i) of them can: again 1 / i!. Slots of invertible data lower m. Reached by y0 = s, m different sensitive items,
    against s' disjoint from s.
    """
    law, values = statement["law"], variables(statement["law"])
    p, q, _ = table(law, values)
    require(
        (law["unit"], law["draw"], statement["sizes"]) == ("items", "all", "exactm")
        and statement["view"] in ("set", "multiset")
        and statement["relation"] in ("ldp", "joint")
        and statement["counted"] == "all",
        "no such lemma",
    )
    require(statement["relation"] == "joint" or law["r"] is None, "epsilon-LDP lemma: no non-sensitive items")
    require(lift(p / q) == values[law["base"]], "own / other is not the root of e^eps")
    require(statement["constant"] == ["exptrunc", "m", ["sub", law["base"], 1]], "the lemma's constant is another one")
    require(implied(["sub", "K", "m"], statement["where"]), "m sensitive items are not stated")
    require(implied(["sub", ["add", "K", "N"], ["mul", 2, "m"]], statement["where"]), "disjoint sets are not stated")


LEMMAS = {
    "matched results": _matched_results,
    "slotwise": _slotwise,
    "own entry": _own_entry,
    "exchanged items": _exchanged,
}


def _require_attained(statement: Any, evidence: Any) -> None:
    """The lemma's bound is reached: all slots extreme at once, by a pair of sets that exists on the whole stated
    domain.
    """
    law = statement["law"]
    p, q, _ = table(law, variables(law))
    require(statement["sizes"] == "exactm" and law["draw"] in ("all", "one"), "no attainment lemma")
    allowed = ("ldp", "joint", "marginal") if law["unit"] == "bits" else ("ldp", "joint")
    require(statement["relation"] in allowed, "no attainment lemma")
    if law["unit"] == "bits":
        # bits 1 on s, 0 elsewhere, for s and s' disjoint sets of m sensitive items
        rise, fall = p / q, (1 - q) / (1 - p)
        reached = lift(rise * fall)
        require(reached == _per_slot(statement, evidence), "the extreme bits do not reach the bound")
        needed: Any = ["sub", "K", ["mul", 2, "m"]]
    else:
        require(lift(p / q) == _per_slot(statement, evidence), "p / q is not the bound of a slot")
        if law["draw"] == "one":
            require(["sub", 1, "m"] in statement["where"], "attained by one item only")
            needed = ["sub", ["add", "K", "N"], 2]  # a sensitive item against any other one
        else:
            require(statement["view"] == "vector", "attained by ordered reports only")
            needed = ["sub", "K", ["add", "m", 1]]  # {1..m} against {2..m+1}: different at every position
    require(implied(needed, statement["where"]), "the attaining sets need not exist on the stated domain")


def _per_slot(statement: Any, evidence: Any) -> Ratio:
    law = statement["law"]
    values = variables(law)
    if law["unit"] == "bits" and law["draw"] == "all":
        return lift(evaluate(["mul", evidence["up"], evidence["down"]], values))
    return lift(evaluate(evidence["factor"], values))


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
