"""Statements about estimators: unbiasedness, mean squared errors and their comparison.

For all sizes: the contribution of a user's report to F_x is a sum of independent Bernoulli variables (one per item of
the set) or one Bernoulli variable (a set-valued y0, a bit, one drawn item), read off the table; its mean and variance
are affine in h = [x in s] and v = |s_non|, so averages over users replace h by f (the frequency of x) and v by g (=
f(X_non)).
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from dp_checks.kernel.arcs_lemmas import hit_chances
from dp_checks.kernel.defined import is_nonzero, require_defined
from dp_checks.kernel.domains import bounds_of
from dp_checks.kernel.exact import integer, items, rational
from dp_checks.kernel.laws import Items, count, report_law
from dp_checks.kernel.polynomial import Bound, Ratio, lift, substituted, variable
from dp_checks.kernel.privacy import numbers_of, sizes_of
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.slotwise import fits, point_values, ranges_of, require_law, table, variables
from dp_checks.kernel.terms import evaluate

NAMES = ("m", "K", "N", "n", "f", "g")
HELD, OTHERS = "[x in s]", "|s_non|"
"""Names that no expression tree of a statement can bind (they are none)."""


def unbiased(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: E[estimate of f_x] = f_x for every data set, every size and every eps > 0."""
    if verdict == "refuted":
        mean, _, _ = _at_witness(statement, evidence)
        f = _frequency(evidence)
        require(mean != f, "the estimator is unbiased at the witness")
        _require_shown(evidence, mean, f)
        return
    require(verdict == "proved" and evidence["lemma"] == "contributions", "unknown evidence")
    expectation, _ = _symbolic(statement, ranges_of(statement["law"]))
    require(expectation == variable("f"), "the expectation is not f_x")


def mse(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the MSE of the estimate of f_x equals `formula`, over fixed data sets or i.i.d. users."""
    if verdict == "refuted":
        mean, variance, at = _at_witness(statement, evidence)
        f = _frequency(evidence)
        values = point_values(statement, at) | {"n": Fraction(at["n"]), "f": f, "g": _nonsensitive(evidence, at)}
        claimed = evaluate(statement["formula"], values)
        exact = variance + (mean - f) ** 2
        require(exact != claimed, "the formula is right at the witness")
        _require_shown(evidence, exact, claimed)
        return
    require(verdict == "proved" and evidence["lemma"] == "contributions", "unknown evidence")
    ranges, parameters = ranges_for(statement, {"variables": {}}), _parameters(statement)
    require_defined(statement["formula"], parameters, ranges)
    require(exact_mse(statement, ranges) == evaluate(statement["formula"], parameters), "the formula is not the MSE")


def variance(statement: Any) -> None:
    """Raise `Rejected` unless the variance of the estimate, for every fixed data set, is `formula`."""
    ranges, parameters = ranges_for(statement, {"variables": {}}), _parameters(statement)
    require_defined(statement["formula"], parameters, ranges)
    _, exact = _symbolic(statement, ranges)
    require(exact == evaluate(statement["formula"], parameters), "the formula is not the variance")


def bernoulli_sum(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for x in X_sen, F_x is a sum of n f_x Bernoulli(p) and n (m - f_x) Bernoulli(q) variables, all
    independent.

    Users are independent, so it is about one user: [x in s] variables with p and m - [x in s] with q. Proved for
    views in which F_x counts slots (a slot shows x with p if it is its own item, else with q); refuted by a user
    whose count has another law.
    """
    if verdict == "refuted":
        at, s, x = evidence["instance"], items(evidence["users"][0]), integer(evidence["item"], 0)
        require(fits(statement, at) and x < at["K"] and len(evidence["users"]) == 1, "one user, a sensitive item")
        p, q, _ = numbers_of(statement, at)
        stated = {0: Fraction(1)}
        for success in [p] * (x in s) + [q] * (at["m"] - (x in s)):
            stated = {
                c: stated.get(c, Fraction(0)) * (1 - success) + stated.get(c - 1, Fraction(0)) * success
                for c in range(max(stated) + 2)
            }
        actual: dict[int, Fraction] = {}
        for c, chance in _contribution_law(statement, at, s, x):
            actual[c] = actual.get(c, Fraction(0)) + chance
        require(any(actual.get(c, 0) != stated.get(c, 0) for c in {*actual, *stated}), "the count has the stated law")
        return
    require(verdict == "proved" and evidence == {"lemma": "slotwise count"}, "unknown evidence")
    law = statement["law"]
    require(
        (law["unit"], law["draw"]) == ("items", "all") and statement["view"] in ("multiset", "position"),
        "no such lemma",
    )


# --- all sizes ----------------------------------------------------------------------------------------------------


def ranges_for(spec: Any, domain: Any) -> dict[str, Bound]:
    """Ranges of everything that occurs in an error: those of the domain, wherever it has them."""
    zero = Bound(Fraction(0), False)
    return ranges_of(spec["law"]) | {"n": Bound(Fraction(1), False), "f": zero, "g": zero} | bounds_of(domain)


def exact_mse(spec: Any, ranges: Mapping[str, Bound]) -> Ratio:
    """The MSE derived from the table, as a function of the root of e^eps, m, K, n, f and g."""
    require("per_invertible" not in spec["estimator"], "no variance lemma for this estimator")
    require_law(spec["law"], ranges)
    mean, variance = _symbolic(spec, ranges)
    bias = mean - variable("f")
    total = variance + bias * bias
    if spec["data"] == "iid":
        contribution = _contributions(spec)[0]
        require(all(name != OTHERS for mono in contribution.num for name, _ in mono), "the mean varies with |s_non|")
        gain = (_at(contribution, 1) - _at(contribution, 0)) / _slope(spec)
        total = total + gain * gain * variable("f") * (1 - variable("f")) / variable("n")
    return total


def _symbolic(spec: Any, ranges: Mapping[str, Bound]) -> tuple[Ratio, Ratio]:
    """Mean and variance of the estimate for a data set with frequencies f and g, n users."""
    values, estimator, law = _sizes(spec), spec["estimator"], spec["law"]
    for tree in estimator.values():
        require_defined(tree, values, ranges)
    require(is_nonzero(estimator["slope"], values, ranges), "the slope is not shown to differ from 0")
    mean, variance = (_average(part) for part in _contributions(spec))
    slope, offset = _slope(spec), evaluate(estimator["offset"], values)
    if "per_invertible" in estimator:
        require(law["draw"] == "all", "the number of invertible data has mean g r if every item is reported")
        r = table(law, values)[2]
        require(r is not None, "the law has no invertible data")
        offset = offset + evaluate(estimator["per_invertible"], values) * variable("g") * r
    return (mean - offset) / slope, variance / (variable("n") * slope * slope)


def _contributions(spec: Any) -> tuple[Ratio, Ratio]:
    """Mean and variance of one user's contribution to F_x, affine in h and v."""
    law, view, sensitive = spec["law"], spec["view"], spec["item"] == "sensitive"
    values = _sizes(spec)
    p, q, r = table(law, values)
    h, v, m = variable(HELD), variable(OTHERS), values["m"]
    require(sensitive or r is not None, "the law has no non-sensitive items")
    if law["unit"] == "arcs":
        # whether the point avoids a held item's arc does not depend on the other arcs
        return _bernoulli(*hit_chances(spec)) if sensitive else _bernoulli(r, lift(0))
    if law["draw"] == "one":
        held, other = ((p + (m - 1) * q) / m, q) if sensitive else (r / m, lift(0))
        return _bernoulli(held, other)
    if law["draw"] == "each" and sensitive:
        view = "multiset"  # one bit of each of the m vectors: p for the held item's own vector, q for the others
    elif law["unit"] == "bits" or not sensitive:
        return _bernoulli(p, q) if sensitive else _bernoulli(r, lift(0))
    if view == "set":
        stays = lift(evaluate(["pow", ["sub", 1, law["q"]], ["sub", "m", 1]], values))
        return _bernoulli(1 - (1 - p) * stays, 1 - (1 - q) * stays)
    require(view in ("multiset", "position", "vector", "padded"), f"no contribution lemma for view {view}")
    groups = [(h, p), (m - h, q)]
    if view == "padded":
        groups = [(h, p), (m - v - h, q), (v, q + r / values["K"])]
    mean, variance = lift(0), lift(0)
    for number, success in groups:
        mean, variance = mean + number * success, variance + number * success * (1 - success)
    return mean, variance


def _bernoulli(held: Any, other: Any) -> tuple[Ratio, Ratio]:
    h = variable(HELD)
    return h * held + (1 - h) * other, h * held * (1 - held) + (1 - h) * other * (1 - other)


def _average(affine: Ratio) -> Ratio:
    for monomial in affine.num:
        require(sum(e for name, e in monomial if name in (HELD, OTHERS)) <= 1, "not affine in h and v")
    require(not any(name in (HELD, OTHERS) for mono in affine.den for name, _ in mono), "not affine in h and v")
    return renamed(affine, {HELD: variable("f"), OTHERS: variable("g")})


def _at(affine: Ratio, h: int) -> Ratio:
    return renamed(affine, {HELD: lift(h)})


def _slope(spec: Any) -> Ratio:
    return lift(evaluate(spec["estimator"]["slope"], _sizes(spec)))


def _parameters(spec: Any) -> dict[str, Any]:
    """What an error formula may depend on."""
    return _sizes(spec) | {name: variable(name) for name in ("n", "f", "g")}


def _sizes(spec: Any) -> dict[str, Any]:
    """What a law and an estimator may depend on: never on the data."""
    values = dict(variables(spec["law"]))
    return values | {"m": lift(1)} if ["sub", 1, "m"] in spec["where"] else values


def renamed(value: Ratio, names: dict[str, Any]) -> Ratio:
    """The value with other values for some variables."""
    return substituted(value, {name: lift(x) for name, x in names.items()})


# --- exact instances ----------------------------------------------------------------------------------------------


def _at_witness(statement: Any, evidence: Any) -> tuple[Fraction, Fraction, dict[str, Any]]:
    """Mean and variance of the estimate for the witness's data: `users` (sets), or `population` ([set,
    probability]).
    """
    at = evidence["instance"]
    require(fits(statement, at), "the instance lies outside the domain")
    integer(at["n"], 1, 8)
    values = point_values(statement, at)
    users = _laws_of_users(statement, evidence, at)
    mean, variance = Fraction(0), Fraction(0)
    for law in users:
        one = sum((c * p for c, p in law), Fraction(0))
        mean += one / len(users)
        variance += (sum((c * c * p for c, p in law), Fraction(0)) - one * one) / len(users) ** 2
    slope = evaluate(statement["estimator"]["slope"], values)
    offset = evaluate(statement["estimator"]["offset"], values)
    require("per_invertible" not in statement["estimator"], "no instances for this estimator")
    return (mean - offset) / slope, variance / slope**2, at


def _laws_of_users(statement: Any, evidence: Any, at: dict[str, Any]) -> list[list[tuple[int, Fraction]]]:
    x, k = integer(evidence["item"], 0), at["K"]
    require((x < k) == (statement["item"] == "sensitive") and x < k + at["N"], "the item is not of the stated class")
    contributions = {s: _contribution_law(statement, at, s, x) for s, _ in _population(evidence)}
    require(
        ("population" in evidence) == (statement.get("data") == "iid"),
        "a population for i.i.d. users, and only for them",
    )
    if "population" not in evidence:
        require(at["n"] == len(evidence["users"]), "n is not the number of users")
        return [contributions[s] for s, _ in _population(evidence)]
    mixed = [(c, p * weight) for s, weight in _population(evidence) for c, p in contributions[s]]
    weights = [weight for _, weight in _population(evidence)]
    require(all(weight > 0 for weight in weights) and sum(weights) == 1, "not a law on sets")
    return [mixed] * at["n"]


def _contribution_law(statement: Any, at: dict[str, Any], s: Items, x: int) -> list[tuple[int, Fraction]]:
    require(len(s) in sizes_of(statement, at) and len(set(s)) == len(s), f"{s} is no admissible set")
    require(all(y < at["K"] + at["N"] for y in s), f"{s} holds unknown items")
    order = tuple(at.get("order", range(at["K"] + at["N"])))
    law = report_law(statement["law"], statement["view"], s, at["K"], at["N"], order, numbers_of(statement, at))
    return [(count(statement["law"], statement["view"], y, x, at["K"]), p) for y, p in law.items()]


def _population(evidence: Any) -> list[tuple[Items, Fraction]]:
    if "population" in evidence:
        return [(items(s), rational(weight)) for s, weight in evidence["population"]]
    if not evidence.get("users"):
        raise Rejected("a witness needs users or a population")
    return [(items(s), Fraction(1, len(evidence["users"]))) for s in evidence["users"]]


def _require_shown(evidence: Any, exact: Fraction, stated: Fraction) -> None:
    """The numbers a witness shows its readers are the right ones."""
    shown = rational(evidence["exact"]), rational(evidence["stated"])
    require(shown == (exact, stated), "the witness shows other numbers")


def _frequency(evidence: Any) -> Fraction:
    return _sum(weight for s, weight in _population(evidence) if evidence["item"] in s)


def _nonsensitive(evidence: Any, at: dict[str, Any]) -> Fraction:
    return _sum(weight * sum(y >= at["K"] for y in s) for s, weight in _population(evidence))


def _sum(numbers: Iterable[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0))
