"""Judgement "moment = term": of the count F_x over independent users, and of the estimate of f_x, for every data set.

A user's contribution to F_x is a sum of independent Bernoulli variables, read off the law by `contributions`; its mean
and variance are affine in h = [x in s] and v = |s_non|, so averages over users replace h by f (the frequency of x) and
v by g (= f(X_non)). What varies beside the reports (users that are drawn; one draw of functions that serves all users,
as the rows of a sketch) adds the variance of the mean over it.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dp_kernel import schema
from dp_kernel.cards import counting
from dp_kernel.formulas.domains import Region, affine
from dp_kernel.formulas.terms import evaluate, is_nonzero, symbols
from dp_kernel.judgements import arcs
from dp_kernel.judgements.stochastic import natural
from dp_kernel.laws.arc_instances import chance_at
from dp_kernel.laws.families import averages, unnamed
from dp_kernel.laws.grammar import all_sensitive, completed, inside, is_of_one_item, is_seen, nodes, sets_of, valued
from dp_kernel.laws.instances import sizes_of, world_of
from dp_kernel.laws.sizes import DATA, Instance, fits, numbers, point_values, ranges_of, variables
from dp_kernel.meter import Rejected, paid, require
from dp_kernel.numbers.json_numbers import integer, items, rational
from dp_kernel.numbers.polynomial import Ratio, is_nonnegative, lift, substituted, variable, variables_of

NAMES = ("m", "K", "N", "n", "f", "g")
PRIMES = (2, 3, 5, 7)
OTHERS, SHARED, HIT = "|s_non|", "[kappa]", "[hit]"
"""Names that no expression tree of a statement can bind (they are none). The last one, the chance that another item's
arc is hit, has a value at a witness only."""

Groups = list[tuple[str, Ratio]]
"""A user's items by relation to the counted item (own; other sensitive ones, other non-sensitive ones), how many."""
Parts = list[tuple[Ratio, Ratio]]
"""How many independent Bernoulli variables, with which success."""


def contributions(term: Any, item: str, groups: Groups, values: Mapping[str, Any]) -> Parts:
    """What a user adds to the count of a `sensitive` or `nonsensitive` item.

    row: an entry. each, copies, pair: side by side. drawn: one variable, of mean success. mix: the count of the item's
    label; another item has the same one with the collision probability of the family, on which at most one of the
    variables depends (kappa of the two items, where nothing is assumed). thinned: one variable, or nothing. push by
    `set`: one variable, 1 - prod(1 - success); other functions keep counts.
    """
    held = any(group == "own" for group, _ in groups)

    def inner(of: Any, group: str = "") -> Parts:
        return contributions(of, item, [(group, lift(1))] if group else groups, inside(term, values))

    match term:
        case ["row", kinds]:
            [(group, _)] = groups
            return [(lift(1), _entry(kinds, item, group, values))]
        case ["each", "held", of]:
            return [(number * n, success) for group, number in groups for n, success in inner(of, group)]
        case ["each", "items", ["row", kinds]]:
            return [(lift(1), lift(evaluate(kinds[f"{item[:3]}{held:d}"].get("1", 0), values)))]
        case ["copies", number, of]:
            return [(n * evaluate(number, values), success) for n, success in inner(of)]
        case ["pair", first, second]:
            return [*inner(first), *inner(second)]
        case ["drawn", of]:
            means = [(number, inner(of, group)) for group, number in groups]
            require(all(len(parts) == 1 and parts[0][0] == 1 for _, parts in means), "more than one variable")
            return [(lift(1), sum((number * parts[0][1] for number, parts in means), lift(0)) / values["m"])]
        case ["mix", family, _, of]:
            own, other, shared = inner(of, "own"), inner(of, "sensitive"), values[f"[{family}]"]
            differ = [n for (n, a), (_, b) in zip(own, other, strict=True) if a != b]
            require(differ in ([], [1]), "a shared label makes the variables dependent")
            mean = [(n, b + shared * (a - b)) for (n, a), (_, b) in zip(own, other, strict=True)]
            return own if held else mean
        case ["thinned", chance, of]:
            [(number, success)] = inner(of)
            require(number == 1, "the variables of one report are dependent")
            return [(number, success * evaluate(chance, values))]
        case ["hashed", family, interval]:
            if HIT in values and not held:
                return [(lift(1), values[HIT])]
            return [(lift(1), lift(arcs.hit_chance(valued(interval, values), family, values, held=held)))]
        case ["subset", *table]:
            chances = counting.chances([evaluate(tree, values) for tree in table], values)
            return [(lift(1), chances[not held])]
        case ["push", "emit", of] if item == "nonsensitive":
            return [(n, 1 - hit) for n, hit in inner(of)] if held else [(lift(1), lift(0))]
        case ["push", "set", of] if item == "sensitive":
            return [(lift(1), 1 - none(inner(of)))]
        case ["dummies" | "push", _, of]:
            return inner(of)
    raise Rejected(f"no counts of {term[0]}")


def none(parts: Parts) -> Ratio:
    """The chance that none of the variables is 1."""
    missed = lift(1)
    for number, success in parts:
        missed = missed * evaluate(["pow", "miss", "n"], {"miss": 1 - success, "n": number})
    return missed


def _entry(kinds: Any, item: str, group: str, values: Mapping[str, Any]) -> Ratio:
    """The chance that the result of one item is (shows) the counted one."""
    sensitive = group == "sensitive" or (group == "own" and item == "sensitive")
    cells = kinds["*" if "*" in kinds else "sen" if sensitive else "non"]
    own, other, any_, pad = (lift(evaluate(cells.get(name, 0), values)) for name in ("own", "other", "any", "pad"))
    if item == "nonsensitive":
        return own + pad * values["K"] if group == "own" else lift(0)
    return own + any_ if group == "own" else other + any_ + pad


def of_user(spec: Any, held: int, values: Mapping[str, Any]) -> Parts:
    """The contributions of a user who holds the item or not."""
    term, sensitive = spec["law"]["term"], spec["item"] == "sensitive"
    smaller, alone = term[0] == "dummies", all_sensitive(term)
    require(smaller == (spec.get("sizes", "exactm") != "exactm"), "sets of m items, or completed to m")
    require(sensitive or (not alone and is_seen(term)), "the law shows no non-sensitive items")
    rows = [node[1] for node, _ in nodes(term, values) if node[0] == "row"]
    beside = any("pad" in cells for kinds in rows for cells in kinds.values())
    require(is_seen(term) or not beside, "no count of a label beside an item")
    v = lift(0) if alone else values[OTHERS]
    rest = [("sensitive", values["m"] - v - (held if sensitive else 0)), ("non", v - (0 if sensitive else held))]
    require(alone or not is_of_one_item(term), "the item that is held instead may be of either class")
    groups = [("own", lift(1))] * held + [(name, n) for name, n in rest if n != 0]
    return contributions(term, spec["item"], groups, values)


def per_user(spec: Any, held: int, values: Mapping[str, Any]) -> tuple[Ratio, Ratio]:
    """Their mean and variance."""
    parts = of_user(spec, held, values)
    mean = sum((n * success for n, success in parts), lift(0))
    spread = sum((n * success * (1 - success) for n, success in parts), lift(0))
    # non-sensitive dummies would be counted in |s_non|
    alike = all(substituted(x, {OTHERS: 0}) == x for x in (mean, spread))
    require(spec["law"]["term"][:2] != ["dummies", "non"] or alike, "the number of dummies matters")
    return mean, spread


def mean_and_variance(spec: Any, place: Region) -> tuple[Ratio, Ratio]:
    """Mean and variance of the estimate of f_x for a data set with frequencies f and g, n users: v occurs linearly and
    in the same way for users with and without the item, so that averages replace it by g; kappa and kappa^2 by their
    sums over users without the item."""
    estimator = spec["estimator"]
    slope, offset = (place.value(estimator[name]) for name in ("slope", "offset"))
    require(is_nonzero(estimator["slope"], place.values, place.ranges), "the slope is not shown to differ from 0")
    f, averages = variable("f"), []
    for held, other in zip(per_user(spec, 1, place.values), per_user(spec, 0, place.values), strict=True):
        affine(other, OTHERS)
        require(substituted(held - other, {OTHERS: 0}) == held - other, "not affine in h and |s_non|")
        absent = (1 - f) * other if SHARED not in variables_of(other) else _averaged(other)
        averages.append(substituted(f * held + absent, {OTHERS: variable("g")}))
    mean, variance = averages
    if "per_invertible" in estimator:
        share = sent(spec, place.values)
        offset = offset + place.value(estimator["per_invertible"]) * share
    return (mean - offset) / slope, variance / (variable("n") * slope * slope)


def _averaged(other: Ratio) -> Ratio:
    """The sum over users without the item, by n, of c0 + c1 kappa + c2 kappa^2."""
    at = [substituted(other, {SHARED: kappa}) for kappa in (0, 1, -1)]
    none, one, two = at[0], (at[1] - at[2]) / 2, (at[1] + at[2]) / 2 - at[0]
    kappa = variable(SHARED)
    require(other == none + one * kappa + two * kappa * kappa, "a moment of a higher power of kappa")
    return (1 - variable("f")) * none + one * variable("kappa1") + two * variable("kappa2")


def sent(spec: Any, values: Mapping[str, Any]) -> Ratio:
    """The mean of T / n: of all reports that may be sent, or of invertible data."""
    term = spec["law"]["term"]
    if term[0] == "thinned":
        return lift(evaluate(term[1], values))
    require(term[0] == "push", "dummies may be shown")
    own, other = (per_user({**spec, "item": "nonsensitive"}, held, values)[0] for held in (1, 0))
    require(other == 0, "an item is shown that is not held")
    return variable("g") * own


def derived(spec: Any, place: Region) -> Ratio:
    """The moment that a statement is about, as a function of the place's variables, n and what DATA names."""
    name, f = spec["type"], variable("f")
    if name == "chance":
        return 1 - none(of_user(spec, int(spec["event"] == "held"), place.values))
    mean, variance = mean_and_variance(spec, place)
    if name in ("unbiased", "mean"):
        return mean
    require("per_invertible" not in spec["estimator"], "the variance needs the covariance of F_x and T")
    if name == "shared":
        return _over_draws(spec, place, mean, variance)
    if spec["data"] == "iid":
        require(not {"g", "kappa1"} & variables_of(mean), "varies with g or kappa")
        variance = variance + over(mean, "f", f * (1 - f) / variable("n"))
    return variance if name == "variance" else variance + (mean - f) ** 2


def _over_draws(spec: Any, place: Region, mean: Ratio, variance: Ratio) -> Ratio:
    """The law of total variance, over one draw of functions of which kappa is not known.

    kappa(x, y) is the mean of k indicators, each of chance 1/b, which are independent, or (`distinct`) drawn without
    replacement from those of all b^K functions, which reduces variances and covariances by (b^K - k) / (b^K - 1). The
    indicators of two items y are independent where any three values of a function are. `pairwise`, at a witness with K
    <= b, b prime: a y + c modulo b, a and c uniform, where all indicators are 1 (a = 0) or none is.
    """
    law, (labels, rows) = spec["law"], (place.value(spec[name]) for name in ("labels", "rows"))
    choices = [node[1:3] for node, _ in nodes(law["term"], place.values)]
    require([unnamed(law), spec["labels"]] in choices, "not the labels of the functions that are drawn")
    natural(spec["rows"], place, 1)
    require(not symbols(spec["formula"]) & {"kappa1", "kappa2"}, "kappa is drawn")
    f, chance, share, squared = variable("f"), 1 / labels, 1 / rows, variable("squared")
    every = place.value(["pow", spec["labels"], "K"])
    if spec["independence"] == "distinct":
        exist = all(is_nonnegative(every - least, place.ranges) for least in (2, rows))
        require(exist, "not so many different functions")
        share = share * (every - rows) / (every - 1)
    elif spec["independence"] == "pairwise":
        exist = not variables_of(every) and labels in PRIMES
        exist = exist and is_nonnegative(labels - place.values["K"], place.ranges)
        require(exist, "the variance needs three independent values, or functions a y + c modulo a prime number")
        squared = (1 - f) ** 2
    spread = chance * (1 - chance) * share
    within = {"kappa1": (1 - f) * chance, "kappa2": (1 - f) * (chance * chance + spread)}
    return substituted(variance, within) + over(mean, "kappa1", squared * spread)


def over(mean: Ratio, name: str, spread: Ratio) -> Ratio:
    """The variance of a mean over a number that varies so much."""
    affine(mean, name)
    gain = substituted(mean, {name: 1}) - substituted(mean, {name: 0})
    return gain * gain * spread


def place_of(spec: Any, at: Instance | None = None) -> Region:
    """What a law and an estimator may depend on, at all sizes or at an instance: never on the data. And the families'
    chances of a shared label."""
    law, values = spec["law"], dict[str, Any](variables(spec["law"]) if at is None else point_values(spec["law"], at))
    values |= {f"[{name}]": lift(evaluate(tree, values)) for name, tree in law.get("families", {}).items()}
    values |= {f"[{unnamed(law)}]": variable(SHARED), OTHERS: variable(OTHERS)}
    single = ["sub", 1, "m"] in spec["where"] or is_of_one_item(law["term"])
    return Region(values | {"m": lift(1)} if single else values, ranges_of(law))


def moment(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the estimate of f_x has this moment for every data set, every size and every eps > 0. `unbiased`: the
    mean f_x; `mean`, `variance` and `mse`: `formula`, the last over fixed data sets or i.i.d. users; `shared`: the
    variance, where one draw of k functions, `independence` of their values, serves all users, in which `squared` is the
    sum over items y other than the counted one of f_y^2. `chance`: `probability` is the chance that a user's report
    counts for an item of the class that is held (`held`), or not (`other`), once or more often, for every set. Refuted
    by the numbers at a data set.
    """
    if verdict == "refuted":
        exact, stated = compared_at(statement, evidence)
        require(exact != stated, "the statement is right at the witness")
        pair = [lift(rational(evidence[name])) for name in ("exact", "stated")]
        require(pair == [exact, stated], "other numbers are shown")
    else:
        established(statement)


def compared_at(statement: Any, evidence: Any) -> tuple[Ratio, Ratio]:
    """The moment and what is stated, at a witness."""
    place, data = at_witness(statement, evidence)
    return substituted(derived(statement, place), data), _stated(statement, place, data)


def _stated(statement: Any, place: Region, data: Mapping[str, Any]) -> Ratio:
    """What the moment is said to be."""
    tree = statement.get("formula", statement.get("probability", "f"))
    value: Ratio = Region({**place.values, **data}, place.ranges).value(tree)
    return value


def established(statement: Any) -> Ratio:
    """The moment, shown to be what is stated."""
    place = place_of(statement)
    exact = derived(statement, place)
    require(exact == _stated(statement, place, {x: variable(x) for x in (*DATA, "n")}), "the moment is another one")
    return exact


def at_witness(statement: Any, evidence: Any) -> tuple[Region, dict[str, Fraction]]:
    """The place of an instance, and what a formula may say of the data there: `users` (sets), n users drawn from a
    `population` ([set, probability]), or a set s. What a law or a rule leaves open has a value where all users have the
    same: |s_non|, and the chance under listed hash functions that another item's arc is hit."""
    law, at, x = statement["law"], evidence["instance"], integer(evidence["item"], 0)
    iid, n = statement.get("data") == "iid", 1 if "s" in evidence else integer(at["n"], 1, 8)
    require(fits(statement, at), "the instance lies outside the domain")
    require(iid == ("population" in evidence), "a population for i.i.d. users, and only for them")
    users = [[s, f"1/{n}"] for s in evidence.get("users", [evidence.get("s")])]
    shares = [(items(s), rational(weight)) for s, weight in paid(evidence["population"] if iid else users)]
    require(all(w > 0 for _, w in shares) and sum(w for _, w in shares) == 1, "not a law on sets, or not of n users")
    require((x < at["K"]) == (statement["item"] == "sensitive"), "the item is not of the stated class")
    sets = {*sets_of(sizes_of(statement, at), at["K"], at["N"])}
    require(x < at["K"] + at["N"] and sets.issuperset(s for s, _ in shares), "unknown items")
    term = numbers(statement, at)
    world, place = world_of(statement, at, term, evidence.get("hashes")), place_of(statement, at)
    if "s" in evidence:
        require((x in shares[0][0]) == (statement["event"] == "held"), "the item is held, or it is not")
    values = dict(place.values)
    held = (completed(term, s, at["m"], world) for s, _ in shares)
    others = {sum(y >= inner.k for y in s) for inner, s in held}
    if len(others) == 1:
        values[OTHERS] = lift(others.pop())
    absent = {s for s, _ in shares if x not in s}
    if isinstance(evidence.get("hashes"), list) and absent:
        require(len(absent) == 1, "several sets without the item")
        values[HIT] = lift(chance_at(x, absent.pop(), term, at["m"], world.families))
    f = sum((w for s, w in shares if x in s), Fraction(0))
    g = sum((w for s, w in shares for y in s if y >= at["K"]), Fraction(0))
    data = {"n": Fraction(n), "f": f, "g": g}
    if (free := unnamed(law)) and not iid:
        functions = [] if statement["type"] == "shared" else world.families[free]
        data |= averages(functions, x, [y for (y,), _ in shares])
    return replace(place, values=values), data


_COUNTED = schema.COMPLETED | {"item": schema.ITEM}
_CHANCE = _COUNTED | {"event": ("held", "other"), "probability": schema.tree}
_ESTIMATED = _COUNTED | {"estimator": schema.estimator}
_MSE = _ESTIMATED | {"data": ("fixed", "iid"), "formula": schema.tree}
FIXED = _MSE | {"data": ("fixed",)}
_SHARED = {"rows": schema.tree, "labels": schema.tree, "independence": ("pairwise", "threewise", "distinct")}
_PROOF, _SHOWN = [["rule=contributions"]], ("instance", "item", "exact", "stated")
_USERS, _DRAWN, _SET = ([[*_SHOWN, data], [*_SHOWN, data, "hashes"]] for data in ("users", "population", "s"))
KINDS = {
    "chance": schema.Kind(moment, _CHANCE, proved=_PROOF, refuted=_SET),
    "mean": schema.Kind(moment, FIXED, proved=_PROOF, refuted=_USERS),
    "mse": schema.Kind(moment, _MSE, proved=_PROOF, refuted=[*_USERS, *_DRAWN]),
    "shared": schema.Kind(moment, FIXED | _SHARED, proved=[["rule=total"]], refuted=_USERS[:1]),
    "unbiased": schema.Kind(moment, _ESTIMATED, proved=_PROOF, refuted=_USERS),
    "variance": schema.Kind(moment, FIXED, proved=_PROOF, refuted=_USERS),
}
