"""Statements about the smallest constant that bounds every compared ratio."""

from typing import Any

from dp_checks.kernel.constants_exchanged import exchanged_items, matched_results, own_entry
from dp_checks.kernel.constants_sizes import implied
from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.exact import rational
from dp_checks.kernel.polynomial import Ratio, lift
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


LEMMAS = {
    "matched results": matched_results,
    "slotwise": _slotwise,
    "own entry": own_entry,
    "exchanged items": exchanged_items,
}


def _require_attained(statement: Any, evidence: Any) -> None:
    """The lemma's bound is reached: all slots extreme at once, by a pair of sets that exists on the whole stated
    domain.
    """
    law = statement["law"]
    p, q, r = table(law, variables(law))
    require(statement["sizes"] == "exactm" and law["draw"] in ("all", "one"), "no attainment lemma")
    if (law["unit"], law["draw"], statement["view"], statement["relation"]) == ("items", "all", "set", "marginal"):
        # y0 = {a}: a and m - 1 non-sensitive items, p (q + r)^(m-1), against m other sensitive items, q^m
        require(statement["counted"] == "nonempty" and r is not None, "no attainment lemma")
        for factor in (p / q, (q + r) / q):
            require(lift(factor) == _per_slot(statement, evidence), "the extreme entries do not reach the bound")
        for tree in (["sub", "K", ["add", "m", 1]], ["sub", "N", ["sub", "m", 1]]):
            require(implied(tree, statement["where"]), "the attaining sets need not exist on the stated domain")
        return
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
