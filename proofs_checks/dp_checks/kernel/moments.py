"""Judgements about counts: mean and variance of F_x over independent users, for every data set; errors of estimators.

A user's contribution to F_x is a sum of independent Bernoulli variables, read off the law by `contributions`; its mean
and variance are affine in h = [x in s] and v = |s_non|, so averages over users replace h by f (the frequency of x) and
v by g (= f(X_non)).
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dp_checks.kernel import fields, interval
from dp_checks.kernel.cards import counting
from dp_checks.kernel.exact import integer, items, rational
from dp_checks.kernel.fields import Kind
from dp_checks.kernel.instances import row_of, sizes_of
from dp_checks.kernel.laws import Items, World, completed, count, is_of_one_item, is_plain, sets_of, shape, valued
from dp_checks.kernel.polynomial import Bound, Ratio, lift, substituted, variable
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.sizes import ONE, ZERO, fits, numbers, point_values, ranges_of, variables
from dp_checks.kernel.stochastic import require_law
from dp_checks.kernel.supports import shown_if_held
from dp_checks.kernel.terms import evaluate, is_nonzero, require_defined

NAMES = ("m", "K", "N", "n", "f", "g")
OTHERS = "|s_non|"
"""A name that no expression tree of a statement can bind (it is none)."""

Groups = list[tuple[str, Ratio]]
"""A user's items by relation to the counted item (own; other sensitive ones, other non-sensitive ones), how many."""
Parts = list[tuple[Ratio, Ratio]]
"""How many independent Bernoulli variables, with which success."""


def contributions(term: Any, item: str, groups: Groups, values: Mapping[str, Any], premises: Any) -> Parts:
    """What a user adds to the count of a `sensitive` or `nonsensitive` item.

    row: an entry. each, copies, pair: side by side. drawn: one variable, of mean success. mix: another item shares the
    label with the collision probability of the family. push by `set`: one variable, 1 - prod(1 - success); other
    functions keep counts. The term's expressions are numbers.
    """
    match term:
        case ["row", kinds]:
            return [(lift(1), _entry(kinds, item, groups, values))]
        case ["each", "held", of]:
            return [
                (number * n, success)
                for group, number in groups
                for n, success in contributions(of, item, [(group, lift(1))], values, premises)
            ]
        case ["each", "items", ["row", kinds]]:
            own = sum((number for group, number in groups if group == "own"), lift(0))
            one, none = (kinds[f"{item[:3]}{bit}"].get("1", 0) for bit in (1, 0))
            require(own == 0 or own == 1, "an item is held or not")
            return [(lift(1), lift(one if own == 1 else none))]
        case ["copies", number, of]:
            return [(n * number, success) for n, success in contributions(of, item, groups, values, premises)]
        case ["pair", first, second]:
            return [part for of in (first, second) for part in contributions(of, item, groups, values, premises)]
        case ["drawn", of]:
            means = [(n, contributions(of, item, [(group, lift(1))], values, premises)) for group, n in groups]
            require(all(len(parts) == 1 and parts[0][0] == 1 for _, parts in means), "more than one variable")
            return [(lift(1), sum((n * parts[0][1] for n, parts in means), lift(0)) / values["m"])]
        case ["mix", family, labels, of]:
            return _shared(family, labels, of, item, groups, premises)
        case ["hashed", family, arcs]:
            held = any(group == "own" for group, _ in groups)
            return [(lift(1), interval.hit_chance(arcs, family, values, held=held))]
        case ["subset", *table]:
            held, other = counting.chances(table, values)
            return [(lift(1), held if any(group == "own" for group, _ in groups) else other)]
        case ["dummies", kind, of]:
            name = "K" if kind == "sen" else "N"
            return contributions(of, item, groups, {**values, name: values[name] + values["m"]}, premises)
        case ["push", "emit", ["hashed", _, _]] if item == "nonsensitive":
            held = any(group == "own" for group, _ in groups)
            return [(lift(1), lift(shown_if_held(term, values)) if held else lift(0))]
        case ["push", "set", of] if item == "sensitive":
            missed = lift(1)
            for number, success in _merged(contributions(of, item, groups, values, premises)):
                missed = missed * evaluate(["pow", "miss", "n"], {"miss": 1 - success, "n": number})
            return [(lift(1), 1 - missed)]
        case ["push", _, of]:
            return contributions(of, item, groups, values, premises)
    raise Rejected(f"no counts of {term[0]}")


def groups_size(groups: Groups) -> Ratio:
    """How many items a user holds."""
    return sum((number for _, number in groups), lift(0))


def _entry(kinds: Any, item: str, groups: Groups, values: Mapping[str, Any]) -> Ratio:
    """The chance that the result of one item is (shows) the counted one."""
    if "*" in kinds:
        require(item == "sensitive", "the law shows no items")
        return lift(kinds["*"].get("any", 0))
    [(group, _)] = groups
    sensitive = group == "sensitive" or (group == "own" and item == "sensitive")
    cells = kinds["sen" if sensitive else "non"]
    if item == "nonsensitive":
        return lift(shown_if_held(["row", kinds], values)) if group == "own" else lift(0)
    third = cells.get("other", 0) + cells.get("any", 0) + cells.get("pad", 0)
    return lift(cells.get("own", 0) + cells.get("any", 0) if group == "own" else third)


def _shared(family: str, labels: Any, of: Any, item: str, groups: Groups, premises: Any) -> Parts:
    """The count of the item's label: another item has the same one with the family's collision probability, on which
    at most one of the variables depends."""
    require(item == "sensitive" and groups_size(groups) == 1, "one item, mapped to a label")
    inner = {"K": lift(labels), "N": lift(0), "m": lift(1)}
    own, other = (contributions(of, "sensitive", [(group, lift(1))], inner, premises) for group in ("own", "sensitive"))
    if groups[0][0] == "own":
        return own
    shared = premises[family]
    differ = sum(a != b for (_, a), (_, b) in zip(own, other, strict=True))
    require(differ <= 1, "a shared label makes the variables dependent")
    return [(n, a if a == b else shared * a + (1 - shared) * b) for (n, a), (_, b) in zip(own, other, strict=True)]


def _merged(parts: Parts) -> Parts:
    """Variables of the same success together."""
    total: Parts = []
    for number, success in parts:
        for i, (n, known) in enumerate(total):
            if known == success:
                total[i] = (n + number, known)
                break
        else:
            total.append((number, success))
    return total


# --- all data sets --------------------------------------------------------------------------------------------------


def per_user(spec: Any, held: int) -> tuple[Ratio, Ratio]:
    """Mean and variance of the contribution of a user who holds the item or not; v is a variable."""
    law, values, sensitive = spec["law"], _sizes(spec), spec["item"] == "sensitive"
    smaller = spec.get("sizes", "exactm") != "exactm"
    require(shape(law["term"]) != "" and smaller == (law["term"][0] == "dummies"), "sets of m items, or completed to m")
    interval.require_exists(spec)
    plain, v = is_plain(law["term"]), variable(OTHERS)
    shown = law["term"][-1] if smaller else law["term"]
    require(sensitive or (not plain and shown[0] == "push"), "the law shows no non-sensitive items")
    v = lift(0) if plain else v
    rest = [("sensitive", values["m"] - v - (held if sensitive else 0)), ("non", v - (0 if sensitive else held))]
    if is_of_one_item(law["term"]):
        require(plain, "the item that is held instead may be of either class")
        rest = [] if held else [("sensitive", lift(1))]
    groups = [("own", lift(1))] * held + [(name, n) for name, n in rest if n != 0]
    premises = {name: lift(evaluate(tree, values)) for name, tree in law.get("families", {}).items()}
    parts = contributions(valued(law["term"], values), spec["item"], groups, values, premises)
    mean = sum((n * success for n, success in parts), lift(0))
    spread = sum((n * success * (1 - success) for n, success in parts), lift(0))
    # non-sensitive dummies would be counted in |s_non|
    alike = all(renamed(x, {OTHERS: lift(0)}) == x for x in (mean, spread))
    require(law["term"][:2] != ["dummies", "non"] or alike, "the number of dummies matters")
    return mean, spread


def _averages(spec: Any) -> tuple[Ratio, Ratio]:
    """Mean of F_x / n, and variance of F_x divided by n, for frequencies f and g."""
    f, g, found = variable("f"), variable("g"), []
    for held, other in zip(per_user(spec, 1), per_user(spec, 0), strict=True):
        total = f * held + (1 - f) * other
        _require_affine(total)
        found.append(renamed(total, {OTHERS: g}))
    return found[0], found[1]


def _require_affine(total: Ratio) -> None:
    """v occurs in the same way for users with and without the item, and linearly: averages replace it by g."""
    require(not any(name == OTHERS for mono in total.den for name, _ in mono), "not affine in |s_non|")
    for monomial in total.num:
        powers = dict(monomial)
        require(powers.get(OTHERS, 0) <= (powers.get("f", 0) == 0), "not affine in h and |s_non|")


def ranges_for(spec: Any) -> dict[str, Bound]:
    """Ranges of everything that occurs in an error."""
    return ranges_of(spec["law"]) | {"n": ONE, "f": ZERO, "g": ZERO}


def mean_and_variance(spec: Any, ranges: Mapping[str, Bound]) -> tuple[Ratio, Ratio]:
    """Mean and variance of the estimate of f_x for a data set with frequencies f and g, n users."""
    law, values, estimator = spec["law"], _sizes(spec), spec["estimator"]
    require_law(law, ranges)
    for tree in estimator.values():
        require_defined(tree, values, ranges)
    require(is_nonzero(estimator["slope"], values, ranges), "the slope is not shown to differ from 0")
    mean, variance = _averages(spec)
    slope, offset = (lift(evaluate(estimator[name], values)) for name in ("slope", "offset"))
    if "per_invertible" in estimator:
        chance = lift(shown_if_held(valued(law["term"], values), values))
        offset = offset + lift(evaluate(estimator["per_invertible"], values)) * variable("g") * chance
    return (mean - offset) / slope, variance / (variable("n") * slope * slope)


def exact_mse(spec: Any, ranges: Mapping[str, Bound]) -> Ratio:
    """The MSE derived from the law, as a function of the root of e^eps, m, K, N, n, f and g."""
    require("per_invertible" not in spec["estimator"], "the variance needs the covariance of F_x and T")
    mean, variance = mean_and_variance(spec, ranges)
    bias = mean - variable("f")
    total = variance + bias * bias
    if spec["data"] == "iid":
        gain = renamed(mean, {"f": lift(1)}) - renamed(mean, {"f": lift(0)})
        require(all(name != "g" for part in (mean.num, mean.den) for mono in part for name, _ in mono), "varies with g")
        total = total + gain * gain * variable("f") * (1 - variable("f")) / variable("n")
    return total


def renamed(value: Ratio, names: dict[str, Any]) -> Ratio:
    """The value with other values for some variables."""
    return substituted(value, {name: lift(x) for name, x in names.items()})


def _sizes(spec: Any) -> dict[str, Any]:
    """What a law and an estimator may depend on: never on the data."""
    values = dict(variables(spec["law"]))
    single = ["sub", 1, "m"] in spec["where"] or is_of_one_item(spec["law"]["term"])
    return values | {"m": lift(1)} if single else values


def _parameters(spec: Any) -> dict[str, Any]:
    """What an error formula may depend on."""
    return _sizes(spec) | {name: variable(name) for name in ("n", "f", "g")}


# --- statements -----------------------------------------------------------------------------------------------------


def unbiased(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: E[estimate of f_x] = f_x for every data set, every size and every eps > 0."""
    if verdict == "refuted":
        found, _, values = at_witness(statement, evidence)
        require(found != values["f"], "the estimator is unbiased at the witness")
        _require_shown(evidence, found, values["f"])
        return
    mean, _ = mean_and_variance(statement, ranges_for(statement))
    require(mean == variable("f"), "the expectation is not f_x")


def mse(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the MSE (type `variance`: the variance) of the estimate of f_x equals `formula`, over fixed data sets
    or i.i.d. users."""
    only_variance = statement["type"] == "variance"
    require(not only_variance or statement["data"] == "fixed", "the variance is over the mechanism's randomness")
    if verdict == "refuted":
        mean, variance, values = at_witness(statement, evidence)
        exact = variance if only_variance else variance + (mean - values["f"]) ** 2
        claimed = evaluate(statement["formula"], values)
        require(exact != claimed, "the formula is right at the witness")
        _require_shown(evidence, exact, claimed)
        return
    ranges, parameters = ranges_for(statement), _parameters(statement)
    require_defined(statement["formula"], parameters, ranges)
    derived = mean_and_variance(statement, ranges)[1] if only_variance else exact_mse(statement, ranges)
    require(derived == evaluate(statement["formula"], parameters), "the formula is another one")


def chance(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: `probability` is the chance that a user's report counts for an item of the class that is held
    (`held`), or not (`other`), for every set of m items."""
    held = statement["event"] == "held"
    if verdict == "refuted":
        at, s, x = evidence["instance"], items(evidence["s"]), integer(evidence["item"], 0)
        require((x in s) == held, "the item is held, or it is not")
        require((x < at["K"]) == (statement["item"] == "sensitive"), "the item is not of the stated class")
        found = sum((c * p for c, p in contribution_law(statement, at, s, x, evidence)), Fraction(0))
        claimed = evaluate(statement["probability"], point_values(statement["law"], at))
        require(found != claimed, "the probability is right at the witness")
        _require_shown(evidence, found, claimed)
        return
    values, ranges = _sizes(statement), ranges_of(statement["law"])
    require_law(statement["law"], ranges)
    require_defined(statement["probability"], values, ranges)
    mean, _ = per_user(statement, int(held))
    require(mean == lift(evaluate(statement["probability"], values)), "the probability is another one")


# --- exact instances ------------------------------------------------------------------------------------------------


def at_witness(statement: Any, evidence: Any) -> tuple[Fraction, Fraction, dict[str, Fraction]]:
    """Mean and variance of the estimate for the witness's data: `users` (sets), or `population` ([set, probability]);
    and the values of a formula's variables there."""
    at, x = evidence["instance"], integer(evidence["item"], 0)
    require("per_invertible" not in statement["estimator"], "no instances for this estimator")
    require((x < at["K"]) == (statement["item"] == "sensitive"), "the item is not of the stated class")
    iid, n = "population" in evidence, integer(at["n"], 1, 8)
    require(iid == (statement.get("data") == "iid"), "a population for i.i.d. users, and only for them")
    shares = _shares(evidence)
    require(iid or n == len(evidence["users"]), "n is not the number of users")
    moments = {s: _moments(contribution_law(statement, at, s, x, evidence)) for s, _ in shares}
    first = sum((weight * moments[s][0] for s, weight in shares), Fraction(0))
    second = sum((weight * moments[s][1] for s, weight in shares), Fraction(0))
    spread = second - (first**2 if iid else sum((weight * moments[s][0] ** 2 for s, weight in shares), Fraction(0)))
    values = point_values(statement["law"], at)
    slope, offset = (evaluate(statement["estimator"][name], values) for name in ("slope", "offset"))
    f = sum((weight for s, weight in shares if x in s), Fraction(0))
    g = sum((weight * sum(y >= at["K"] for y in s) for s, weight in shares), Fraction(0))
    return (first - offset) / slope, spread / (n * slope**2), values | {"n": Fraction(n), "f": f, "g": g}


def _moments(law: list[tuple[int, Fraction]]) -> tuple[Fraction, Fraction]:
    return sum((c * p for c, p in law), Fraction(0)), sum((c * c * p for c, p in law), Fraction(0))


def _shares(evidence: Any) -> list[tuple[Items, Fraction]]:
    """The sets of the users with their shares, or of the population with their probabilities."""
    if "population" in evidence:
        listed = [(items(s), rational(weight)) for s, weight in evidence["population"]]
        require(all(w > 0 for _, w in listed) and sum(w for _, w in listed) == 1, "not a law on sets")
        return listed
    require(bool(evidence["users"]), "a witness needs users")
    return [(items(s), Fraction(1, len(evidence["users"]))) for s in evidence["users"]]


def contribution_law(statement: Any, at: dict[str, Any], s: Items, x: int, evidence: Any) -> list[tuple[int, Fraction]]:
    """The law of what a user who holds s adds to F_x, enumerated (on arcs: over the listed hash functions)."""
    spec = {"sizes": "exactm", **statement}
    require(fits(spec, at), "the instance lies outside the domain")
    require(s in sets_of(sizes_of(spec, at), at["K"], at["N"]) and x < at["K"] + at["N"], "unknown items")
    term, seen = numbers(statement, at), shape(statement["law"]["term"])
    world, _ = completed(term, s, at["m"], World(at["K"], at["N"]))
    x += world.k - at["K"] if x >= at["K"] else 0
    return [(count(seen, y, x, world.k), p) for y, p in row_of(spec, at, s, term, evidence.get("hashes")).items()]


def _require_shown(evidence: Any, exact: Fraction, stated: Any) -> None:
    """The numbers a witness shows its readers are the right ones."""
    require((rational(evidence["exact"]), rational(evidence["stated"])) == (exact, stated), "other numbers are shown")


_ESTIMATED = fields.COMPLETED | {"item": fields.ITEM, "estimator": fields.estimator}
_PROOF, _WITNESS = "rule=contributions", "instance item exact stated"
_USERS = f"{_WITNESS} users | {_WITNESS} users hashes"
KINDS = {
    "chance": Kind(
        chance,
        fields.COMPLETED | {"item": fields.ITEM, "event": ("held", "other"), "probability": fields.tree},
        proved=_PROOF,
        refuted=f"{_WITNESS} s | {_WITNESS} s hashes",
    ),
    "mse": Kind(
        mse,
        _ESTIMATED | {"data": ("fixed", "iid"), "formula": fields.tree},
        proved=_PROOF,
        refuted=f"{_USERS} | {_WITNESS} population | {_WITNESS} population hashes",
    ),
    "unbiased": Kind(unbiased, _ESTIMATED, proved=_PROOF, refuted=_USERS),
    "variance": Kind(mse, _ESTIMATED | {"data": ("fixed",), "formula": fields.tree}, proved=_PROOF, refuted=_USERS),
}
