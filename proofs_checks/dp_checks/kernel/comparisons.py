"""Statements that compare mean squared errors: smaller everywhere on a domain, of smaller order in m."""

from fractions import Fraction
from typing import Any

from dp_checks.kernel.domains import free_of, inside, is_possible, point, require_inhabited, speaks_of_data, symbolic
from dp_checks.kernel.exact import rational
from dp_checks.kernel.formulas import prove
from dp_checks.kernel.moments import NAMES, exact_mse, ranges_for, renamed
from dp_checks.kernel.polynomial import Ratio, lift, variable
from dp_checks.kernel.rejected import require
from dp_checks.kernel.terms import evaluate, symbols


def compare(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: MSE of `left` < MSE of `right` (op lt), for all parameters of the domain, both as printed for fixed
    data.
    """
    left, right = statement["left"], statement["right"]
    values = {name: variable(name) for name in (*NAMES, left["law"]["base"])}
    domain = statement["domain"]
    require(left["law"]["base"] == right["law"]["base"], "both laws use the same root of e^eps")
    budgets = [lift(evaluate(["pow", side["law"]["base"], side["law"]["power"]], values)) for side in (left, right)]
    require(budgets[0] == budgets[1], "the sides spend different budgets")
    require_inhabited(domain)
    require(speaks_of_data(domain), "ranges that no data set has")
    sides = [exact_mse(side, ranges_for(side, domain)) for side in (left, right)]
    if verdict == "refuted":
        at = point(domain, evidence["values"])
        require(is_possible(at), "no data set has these frequencies")
        a, b = (_substitute(side, at) for side in sides)
        require(not a < b, "the comparison holds at the witness")
        return
    require(verdict == "proved" and set(domain["variables"]) <= set(values), "unknown evidence")
    prove("lt", sides[0], sides[1], domain, evidence["step"])


def smaller_order(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: at fixed eps and f, MSE of `left` / MSE of `right` tends to 0 as m grows (K fixed).

    Proved by a constant C with m * left <= C * right; refuted by a K and f of the domain and a constant c > 0 with
    left >= c * right for every m. Both constants are free of m and of v, which the domain's lemma ties to m at fixed
    e^eps = w = (1 + v)^m: w is the root of `left`, v that of `right` (whose e^(eps/m) is 1 + v).
    """
    domain, laws = statement["domain"], [statement[side]["law"] for side in ("left", "right")]
    w, v = (law["base"] for law in laws)
    require(domain["lemmas"] == [{"name": "bernoulli", "v": v, "m": "m", "w": w}], "the lemma does not tie the roots")
    require((laws[0]["power"], laws[1]["power"]) == (1, "m"), "e^eps = w on the left, e^(eps/m) = 1 + v on the right")
    require(free_of(domain, {"m", v, w}) and speaks_of_data(domain), "m is bounded, or ranges that no data set has")
    require_inhabited(domain)
    left, right = (exact_mse(statement[side], ranges_for(statement[side], domain)) for side in ("left", "right"))
    require(not symbols(evidence["constant"]) & {"m", v}, "the constant depends on m")
    constant = lift(evaluate(evidence["constant"], symbolic(domain)))
    if verdict == "proved":
        prove("le", left * variable("m"), constant * right, domain, evidence["step"])
        return
    require(verdict == "refuted", f"unknown verdict {verdict}")
    fixed = {name: rational(value) for name, value in evidence["values"].items()}
    require(set(fixed) <= {"K", "f"} & set(domain["variables"]), "K and f are fixed, nothing else")
    for name, x in fixed.items():
        require(inside(domain, name, x) and (name != "f" or x <= 1), f"{name} = {x} leaves the domain")
    for tree in domain["constraints"]:
        require(
            not symbols(tree) & set(fixed) or (symbols(tree) <= set(fixed) and evaluate(tree, fixed) >= 0),
            "a constraint fails",
        )
    prove("lt", lift(0), constant, domain, {})
    sides = [_partial(side, fixed) for side in (left, right)]
    prove("le", constant * sides[1], sides[0], domain, evidence["step"])


def _partial(value: Ratio, fixed: dict[str, Fraction]) -> Ratio:
    return renamed(value, {name: lift(x) for name, x in fixed.items()})


def _substitute(value: Ratio, at: dict[str, Fraction]) -> Fraction:
    fixed = _partial(value, at)
    require(set(fixed.num) <= {()} and set(fixed.den) == {()}, "the witness leaves a variable open")
    return fixed.num.get((), Fraction(0)) / fixed.den[()]
