"""Statements about hit probabilities and estimates of laws on arcs.

A witness lists its hash functions with their probabilities; every user's function is drawn from them afresh, or, for
one public function, is that one. Given the data users are independent, and a user contributes 0 or 1 to F_x.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dp_checks.kernel import moments
from dp_checks.kernel.arcs_law import Family, Numbers, chance, family, item_of, numbers, set_of
from dp_checks.kernel.arcs_lemmas import hit_chances, symbols
from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.exact import integer, rational
from dp_checks.kernel.laws import Items
from dp_checks.kernel.polynomial import lift
from dp_checks.kernel.rejected import require
from dp_checks.kernel.slotwise import point_values, ranges_of, table, variables
from dp_checks.kernel.terms import evaluate


def hit(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the chance of an event is `probability`, for every set of m items and every x, on average over the
    view's hash functions: `held` (`other`): the point lies in the arc of x in s (not in s); `emitted`: x in s, not
    sensitive, is emitted.
    """
    event, law = statement["event"], statement["law"]
    require(event != "emitted" or law["r"] is not None, "the law has no invertible data")
    if verdict == "refuted":
        at = evidence["instance"]
        n = numbers(statement, at)
        s, x = set_of(evidence["s"], n, n.m, n.m), item_of(evidence["item"], n)
        require((x in s) == (event != "other"), "the event is about items of s, or about other items")
        require(event != "emitted" or x >= n.k, "sensitive items are not emitted")
        exact = _mean(family(evidence["hashes"], statement["view"], n), event, s, x, n)
        stated = evaluate(statement["probability"], point_values(statement, at))
        require(exact != stated, "the probability is right at the witness")
        _require_shown(evidence, exact, stated)
        return
    require(verdict == "proved" and evidence == {"lemma": "arcs"}, "unknown evidence")
    single = ["sub", 1, "m"] in statement["where"]
    values = variables(law) | ({"m": lift(1)} if single else {})
    require_defined(statement["probability"], values, ranges_of(law))
    symbols(law, m=values["m"])
    p, _, r = table(law, values)
    # whatever the hash function is, a held item's arc lies inside the cover (see `hit_chances`)
    exact = {"held": lambda: p, "emitted": lambda: r, "other": lambda: hit_chances(statement)[1]}[event]()
    require(lift(evaluate(statement["probability"], values)) == lift(exact), "the probability is another one")


def unbiased(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: E[estimate of f_x] = f_x for every data set, every size and every eps > 0."""
    if verdict == "refuted":
        mean, _, f, _ = _at_witness(statement, evidence)
        require(mean != f, "the estimator is unbiased at the witness")
        _require_shown(evidence, mean, f)
        return
    symbols(statement["law"])
    moments.unbiased(statement, verdict, evidence)


def mse(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the MSE of the estimate of f_x equals `formula`, over fixed data sets or i.i.d. users."""
    if verdict == "refuted":
        mean, variance, f, claimed = _at_witness(statement, evidence)
        exact = variance + (mean - f) ** 2
        require(exact != claimed, "the formula is right at the witness")
        _require_shown(evidence, exact, claimed)
        return
    symbols(statement["law"])
    moments.mse(statement, verdict, evidence)


def variance_of(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the variance of the estimate of f_x equals `formula` for every fixed data set, biased or not."""
    require(statement["data"] == "fixed", "the variance is over the mechanism's randomness")
    if verdict == "refuted":
        _, exact, _, claimed = _at_witness(statement, evidence)
        require(exact != claimed, "the formula is right at the witness")
        _require_shown(evidence, exact, claimed)
        return
    require(verdict == "proved" and evidence == {"lemma": "contributions"}, "unknown evidence")
    symbols(statement["law"])
    moments.variance(statement)


CHECKS: dict[str, Callable[[Any, str, Any], None]] = {
    "arcs-hit": hit,
    "arcs-unbiased": unbiased,
    "arcs-mse": mse,
    "arcs-variance": variance_of,
}


# --- exact instances ----------------------------------------------------------------------------------------------


def _mean(functions: Family, event: str, s: Items, x: int, n: Numbers) -> Fraction:
    return sum((weight * chance(event, s, x, h, n) for h, weight in functions), Fraction(0))


def _at_witness(statement: Any, evidence: Any) -> tuple[Fraction, Fraction, Fraction, Any]:
    """Mean and variance of the estimate, f_x, and the value of `formula` (None without one)."""
    at = evidence["instance"]
    n, users = numbers(statement, at), integer(at["n"], 1, 8)
    x, sensitive = item_of(evidence["item"], n), statement["item"] == "sensitive"
    require((x < n.k) == sensitive, "the item is not of the stated class")
    functions = family(evidence["hashes"], statement["view"], n)
    shares = _population(evidence, n)
    require(statement.get("data", "fixed") == ("iid" if "population" in evidence else "fixed"), "data of another kind")
    require("population" in evidence or users == len(evidence["users"]), "n is not the number of users")

    def success(s: Items) -> Fraction:
        if not sensitive:
            return _mean(functions, "emitted", s, x, n) if x in s else Fraction(0)
        return _mean(functions, "held" if x in s else "other", s, x, n)

    chances = {s: success(s) for s, _ in shares}
    count = sum((weight * chances[s] for s, weight in shares), Fraction(0))
    if "population" in evidence:
        spread = count * (1 - count)
    else:
        spread = sum((weight * chances[s] * (1 - chances[s]) for s, weight in shares), Fraction(0))
    values = point_values(statement, at)
    require("per_invertible" not in statement["estimator"], "no instances for this estimator")
    slope, offset = (evaluate(statement["estimator"][part], values) for part in ("slope", "offset"))
    f = sum((weight for s, weight in shares if x in s), Fraction(0))
    g = sum((weight * sum(y >= n.k for y in s) for s, weight in shares), Fraction(0))
    values = values | {"n": Fraction(users), "f": f, "g": g}
    claimed = evaluate(statement["formula"], values) if "formula" in statement else None
    return (count - offset) / slope, spread / (users * slope**2), f, claimed


def _population(evidence: Any, n: Numbers) -> list[tuple[Items, Fraction]]:
    """The sets of the users, with their shares; or of the population, with their probabilities."""
    if "population" in evidence:
        listed = [(set_of(s, n, n.m, n.m), rational(weight)) for s, weight in evidence["population"]]
        require(all(weight > 0 for _, weight in listed), "a set with probability 0")
        require(sum(weight for _, weight in listed) == 1, "not a law on sets")
        return listed
    require(bool(evidence["users"]), "a witness needs users")
    return [(set_of(s, n, n.m, n.m), Fraction(1, len(evidence["users"]))) for s in evidence["users"]]


def _require_shown(evidence: Any, exact: Fraction, stated: Any) -> None:
    shown = rational(evidence["exact"]), rational(evidence["stated"])
    require(shown == (exact, stated), "the witness shows other numbers")
