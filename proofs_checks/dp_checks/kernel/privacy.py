"""Statements about ratios of report probabilities (readings of (1), (4), (11)), and their exact instances."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

from dp_checks.kernel.exact import items, label, rational
from dp_checks.kernel.laws import Items, observed, related, report_law, sets_of
from dp_checks.kernel.polynomial import is_nonnegative, lift
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.slotwise import Instance, fits, point_values, ranges_of, slotwise_bound, table, variables
from dp_checks.kernel.terms import evaluate


def ratio(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: every compared ratio is at most e^eps, for all eps > 0 and all sizes of the stated domain."""
    if verdict == "refuted":
        require(is_violation(statement, evidence["instance"], evidence), "the witness does not violate the bound")
    elif verdict == "verified":
        found = [
            require_bounded(statement, at, lambda values: e_eps(statement, values)) for at in evidence["instances"]
        ]
        require(any(compared for compared, _ in found), "a scope in which nothing is compared")
    else:
        require(verdict == "proved", f"unknown verdict {verdict}")
        bound = slotwise_bound(statement, evidence)
        law = statement["law"]
        goal = evaluate(["pow", law["base"], law["power"]], variables(law))
        require(bound == goal, "the bound of the lemma is not e^eps")


def exceeds(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for all sizes of the domain some compared ratio is larger than e^eps. Refuted by an instance where
    none is.
    """
    require(verdict == "refuted", "only refutations are known")
    at = evidence["instance"]
    numbers_of(statement, at)
    require(fits(statement, at), "the instance lies outside the domain")
    worst = maximum(statement, at)
    require(
        worst is not None and worst <= e_eps(statement, point_values(statement, at)),
        "a ratio is larger than e^eps there",
    )


# --- exact instances ----------------------------------------------------------------------------------------------


def is_violation(statement: Any, at: Instance, witness: Any) -> bool:
    """Whether the witness (s, other, output) is compared by the statement and exceeds e^eps, in the recomputed law."""
    require(fits(statement, at), "the instance lies outside the domain")
    s, other = items(witness["s"]), items(witness["other"])
    admissible = sets_of(sizes_of(statement, at), at["K"], at["N"])
    require(s in admissible and other in admissible, "inputs outside the domain")
    require(
        s != other and related(statement["relation"], s, other, at["K"]), "the pair is not compared by this reading"
    )
    a, b = (_observed(statement, at, x, s, other, numbers_of(statement, at)) for x in (s, other))
    y = label(witness["output"])
    require(
        (a.get(y, 0), b.get(y, 0)) == (rational(witness["probability"]), rational(witness["other_probability"])),
        "the probabilities of the witness are not those of the law",
    )
    return bool(a.get(y, 0) > e_eps(statement, point_values(statement, at)) * b.get(y, 0))


def maximum(statement: Any, at: Instance) -> Fraction | None:
    """The largest compared ratio at an instance with rational e^eps; None if it is unbounded. `Rejected` if there is
    none.
    """
    numbers, worst = numbers_of(statement, at), Fraction(0)
    for a, b in _compared(statement, at, numbers):
        for y, probability in a.items():
            if probability:
                if not b.get(y, 0):
                    return None
                worst = max(worst, probability / b[y])
    require(worst > 0, "nothing is compared there")
    return worst


def require_bounded(statement: Any, at: Instance, bound_of: Any) -> tuple[bool, bool]:
    """Check every compared ratio against a bound for all eps > 0 at one size; whether there is one, whether one
    equals the bound.
    """
    require(set(at) <= {"m", "K", "N", "order"} and fits(statement, at), "the instance lies outside the domain")
    law, d = statement["law"], at["K"] + at["N"]
    values = variables(law) | {name: Fraction(at[name]) for name in ("m", "K", "N")}
    bound, ranges, compared, attained = bound_of(values), ranges_of(law), False, False
    orders = permutations(range(d)) if statement["any_order"] and "order" not in at else [at.get("order", range(d))]
    for order in orders:
        for a, b in _compared(statement, {**at, "order": order}, table(law, values)):
            for y, probability in a.items():
                gap = bound * b.get(y, 0) - probability
                possible = probability != 0
                compared, attained = compared or possible, attained or bool(possible and gap == 0)
                require(is_nonnegative(lift(gap), ranges), f"output {y} may exceed the bound at {at}")
    return compared, attained


def _compared(statement: Any, at: Instance, numbers: Any) -> Iterator[tuple[dict[Any, Any], dict[Any, Any]]]:
    sets = sets_of(sizes_of(statement, at), at["K"], at["N"])
    law, order = statement["law"], tuple(at.get("order", range(at["K"] + at["N"])))
    rows = {s: report_law(law, statement["view"], s, at["K"], at["N"], order, numbers) for s in sets}
    for s in sets:
        for other in sets:
            if s != other and related(statement["relation"], s, other, at["K"]):
                yield tuple(  # type: ignore[misc]
                    observed(rows[x], statement["relation"], s, other, statement["counted"]) for x in (s, other)
                )


def _observed(statement: Any, at: Instance, x: Items, s: Items, other: Items, numbers: Any) -> dict[Any, Any]:
    order = tuple(at.get("order", range(at["K"] + at["N"])))
    law = report_law(statement["law"], statement["view"], x, at["K"], at["N"], order, numbers)
    return observed(law, statement["relation"], s, other, statement["counted"])


def numbers_of(statement: Any, at: Instance) -> tuple[Any, Any, Any]:
    """p, q, r at an instance."""
    return table(statement["law"], point_values(statement, at))


def e_eps(statement: Any, values: Any) -> Any:
    """e^eps as the law writes it."""
    law = statement["law"]
    return evaluate(["pow", law["base"], law["power"]], values)


def sizes_of(statement: Any, at: Instance) -> range:
    """The admissible set sizes of a statement at an instance."""
    d = at["K"] + at["N"]
    match statement["sizes"]:
        case "exactm":
            return range(at["m"], at["m"] + 1)
        case "atmost":
            return range(1, at["m"] + 1)
        case "all":
            return range(1 if statement["law"]["draw"] == "one" else 0, d + 1)
    raise Rejected(f"unknown sizes {statement['sizes']}")
