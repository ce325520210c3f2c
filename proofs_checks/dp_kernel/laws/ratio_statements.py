"""Statements about ratios of report probabilities: readings of (1), (4) and (11), and smallest constants."""

from collections.abc import Callable
from typing import Any

from dp_kernel.cards import counting
from dp_kernel.cards.matching import matching
from dp_kernel.certificate import schema
from dp_kernel.certificate.schema import Kind
from dp_kernel.finite.instances import is_violation, maximum, require_bounded
from dp_kernel.formulas.terms import evaluate, symbols
from dp_kernel.laws import arcs
from dp_kernel.laws.ratios import linear, product
from dp_kernel.laws.sizes import point_values
from dp_kernel.meter import require
from dp_kernel.numbers.json_numbers import rational

RULES: dict[str, Callable[[Any, Any], None]] = {
    "product": lambda statement, evidence: product(statement, evidence["powers"], evidence.get("cases")),
    "linear": lambda statement, evidence: linear(statement, evidence.get("multipliers", {}), evidence.get("cases")),
    "matching": lambda statement, evidence: matching(statement, evidence["cases"]),
    "cover": lambda statement, evidence: arcs.require_ratio(statement),
    "counting": lambda statement, evidence: counting.require_ratio(statement),
}
"""How a bound, and that a stated constant is the smallest one, is derived."""


def ratio(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: every compared ratio is at most e^eps, for all eps > 0 and all sizes of the stated domain."""
    if verdict == "refuted":
        if isinstance(evidence.get("hashes"), list):
            arcs.symbols(statement["law"])  # given the published function: an average is another statement
        found = is_violation(statement, evidence["instance"], evidence)
        require(found, "the witness does not violate the bound")
    elif verdict == "verified":
        scope = [require_bounded(statement, at) for at in evidence["instances"]]
        require(any(compared for compared, _ in scope), "a scope in which nothing is compared")
    else:
        RULES[evidence["rule"]](completed(statement), evidence)


def completed(statement: Any) -> Any:
    """The statement about the sets that dummies complete: sets of m items of a larger domain, and all its pairs."""
    law = statement["law"]
    if law["term"][0] != "dummies":
        return statement
    require(statement["sizes"] == "atmost" and not statement["where"], "sets of at most m items")
    require(not symbols(law["power"]) & {"K", "N"}, "a bound in the sizes of the smaller domain")
    return {**statement, "law": {**law, "term": law["term"][2]}, "sizes": "exactm"}


def smallest(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the smallest constant that bounds every compared ratio is `constant`, for all eps > 0 and all sizes.

    Refuted by an instance with another one.
    """
    if verdict == "refuted":
        at = evidence["instance"]
        require(not isinstance(evidence.get("hashes"), list), "the constant is the smallest one over all functions")
        worst = maximum(statement, at, evidence.get("hashes"))
        claimed = evaluate(statement["constant"], point_values(statement["law"], at))
        require(worst is None or worst != claimed, "the constant is right at the witness")
        stated = evidence["exact"] if worst is None else rational(evidence["exact"])
        shown = "unbounded" if worst is None else worst
        require((stated, rational(evidence["stated"])) == (shown, claimed), "the witness shows other numbers")
    elif verdict == "verified":
        for instance in evidence["instances"]:
            _, reached = require_bounded(statement, instance)
            require(reached, f"the constant is not attained at {instance}")
    else:
        RULES[evidence["rule"]](statement, evidence)


KINDS = {
    "ratio": Kind(
        ratio,
        schema.COMPARED,
        proved="rule=product powers | rule=linear | rule=cover | rule=counting",
        verified="instances",
        refuted="instance s other output probability other_probability | "
        "instance s other output probability other_probability hashes",
        also=schema.compared,
    ),
    "smallest": Kind(
        smallest,
        schema.COMPARED | {"constant": schema.tree},
        proved="rule=product powers cases | rule=linear cases multipliers | rule=matching cases | rule=cover | "
        "rule=counting",
        verified="instances",
        refuted="instance exact stated | instance exact stated hashes",
        also=schema.compared,
    ),
}
