"""Judgement "moment = term": of the count F_x over independent users, and of the estimate of f_x, for every data set.

A user's contribution to F_x is a sum of independent Bernoulli variables, read off the law by `contributions`; its mean
and variance are affine in h = [x in s] and v = |s_non|, so averages over users replace h by f (the frequency of x) and
v by g (= f(X_non)). What varies beside the reports (users that are drawn; one draw of functions that serves all users,
as the rows of a sketch) adds the variance of the mean over it.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations, product
from math import perm
from typing import Any

from dp_kernel.cards import counting
from dp_kernel.certificate import schema
from dp_kernel.certificate.schema import Kind
from dp_kernel.finite.instances import sizes_of, world_of
from dp_kernel.formulas.domains import Region, affine
from dp_kernel.formulas.terms import evaluate, is_nonzero, symbols
from dp_kernel.laws import arcs, grammar
from dp_kernel.laws.arc_instances import require_independent
from dp_kernel.laws.families import Image, averages, families_at, to_labels, unnamed
from dp_kernel.laws.grammar import inside, is_of_one_item, is_plain, is_seen, mixed, nodes, valued
from dp_kernel.laws.sizes import DATA, fits, numbers, point_values, ranges_of, variables
from dp_kernel.laws.stochastic import natural
from dp_kernel.meter import Rejected, pay, require
from dp_kernel.numbers.json_numbers import MAX_FUNCTIONS, integer, items, rational
from dp_kernel.numbers.polynomial import Ratio, is_nonnegative, lift, substituted, variable, variables_of

NAMES = ("m", "K", "N", "n", "f", "g")
OTHERS, SHARED = "|s_non|", "[kappa]"
"""Names that no expression tree of a statement can bind (they are none)."""

Groups = list[tuple[str, Ratio]]
"""A user's items by relation to the counted item (own; other sensitive ones, other non-sensitive ones), how many."""
Parts = list[tuple[Ratio, Ratio]]
"""How many independent Bernoulli variables, with which success."""
Draws = list[tuple[Fraction, tuple[Image, ...]]]
"""A law on lists of functions, one for every row."""
INDEPENDENT = {"pairwise": 2, "threewise": 3}
"""How many values of a function are independent and uniform, where the rows are; `distinct`: different rows, drawn from
all functions."""


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


def shown_if_held(term: Any, values: Mapping[str, Any]) -> Ratio:
    """The chance that a held non-sensitive item is shown; no item that is not held ever is."""
    own, *others = (contributions(term, "nonsensitive", [(x, lift(1))], values) for x in ("own", "sensitive", "non"))
    require(all(success == 0 for parts in others for _, success in parts), "an item is shown that is not held")
    [(number, chance)] = own
    require(number == 1, "an item is shown several times")
    return chance


def of_user(spec: Any, held: int) -> Parts:
    """The contributions of a user who holds the item or not; v is a variable."""
    term, values, sensitive = spec["law"]["term"], sizes_in(spec), spec["item"] == "sensitive"
    smaller, plain = term[0] == "dummies", is_plain(term)
    require(smaller == (spec.get("sizes", "exactm") != "exactm"), "sets of m items, or completed to m")
    require(sensitive or (not plain and is_seen(term)), "the law shows no non-sensitive items")
    rows = [node[1] for node, _ in nodes(term, values) if node[0] == "row"]
    beside = any("pad" in cells for kinds in rows for cells in kinds.values())
    require(is_seen(term) or not beside, "no count of a label beside an item")
    v = lift(0) if plain else variable(OTHERS)
    rest = [("sensitive", values["m"] - v - (held if sensitive else 0)), ("non", v - (0 if sensitive else held))]
    require(plain or not is_of_one_item(term), "the item that is held instead may be of either class")
    groups = [("own", lift(1))] * held + [(name, n) for name, n in rest if n != 0]
    return contributions(term, spec["item"], groups, values)


def per_user(spec: Any, held: int) -> tuple[Ratio, Ratio]:
    """Their mean and variance."""
    parts = of_user(spec, held)
    mean = sum((n * success for n, success in parts), lift(0))
    spread = sum((n * success * (1 - success) for n, success in parts), lift(0))
    # non-sensitive dummies would be counted in |s_non|
    alike = all(substituted(x, {OTHERS: 0}) == x for x in (mean, spread))
    require(spec["law"]["term"][:2] != ["dummies", "non"] or alike, "the number of dummies matters")
    return mean, spread


def mean_and_variance(spec: Any) -> tuple[Ratio, Ratio]:
    """Mean and variance of the estimate of f_x for a data set with frequencies f and g, n users: v occurs linearly and
    in the same way for users with and without the item, so that averages replace it by g; kappa and kappa^2 by their
    sums over users without the item."""
    estimator, place = spec["estimator"], Region(sizes_in(spec), ranges_of(spec["law"]))
    slope, offset = (place.value(estimator[name]) for name in ("slope", "offset"))
    require(is_nonzero(estimator["slope"], place.values, place.ranges), "the slope is not shown to differ from 0")
    f, averages = variable("f"), []
    for held, other in zip(per_user(spec, 1), per_user(spec, 0), strict=True):
        affine(other, OTHERS)
        require(substituted(held - other, {OTHERS: 0}) == held - other, "not affine in h and |s_non|")
        absent = (1 - f) * other if SHARED not in variables_of(other) else _averaged(other)
        averages.append(substituted(f * held + absent, {OTHERS: variable("g")}))
    mean, variance = averages
    if "per_invertible" in estimator:
        shown = sent(spec["law"]["term"], place.values)
        offset = offset + place.value(estimator["per_invertible"]) * shown
    return (mean - offset) / slope, variance / (variable("n") * slope * slope)


def _averaged(other: Ratio) -> Ratio:
    """The sum over users without the item, by n, of c0 + c1 kappa + c2 kappa^2."""
    at = [substituted(other, {SHARED: kappa}) for kappa in (0, 1, -1)]
    none, one, two = at[0], (at[1] - at[2]) / 2, (at[1] + at[2]) / 2 - at[0]
    kappa = variable(SHARED)
    require(other == none + one * kappa + two * kappa * kappa, "a moment of a higher power of kappa")
    return (1 - variable("f")) * none + one * variable("kappa1") + two * variable("kappa2")


def sent(term: Any, values: Mapping[str, Any]) -> Ratio:
    """T / n: of all reports that may be sent, or of invertible data."""
    if term[0] == "thinned":
        return lift(evaluate(term[1], values))
    require(term[0] == "push", "dummies may be shown")
    return variable("g") * shown_if_held(term, values)


def derived(spec: Any) -> Ratio:
    """The moment that a statement is about, as a function of the root of e^eps, m, K, N, n and what DATA names.

    `shared` is by the law of total variance: kappa(x, y) is the mean of k independent indicators of chance 1/b; those
    of two items y are independent where any three values are.
    """
    name, place, f = spec["type"], Region(sizes_in(spec), ranges_of(spec["law"])), variable("f")
    if name == "chance":
        return 1 - none(of_user(spec, int(spec["event"] == "held")))
    mean, variance = mean_and_variance(spec)
    if name in ("unbiased", "mean"):
        return mean
    require("per_invertible" not in spec["estimator"], "the variance needs the covariance of F_x and T")
    if name == "shared":
        require(spec["independence"] == "threewise", "the variance needs three independent values")
        chance = 1 / place.value(spec["labels"])
        spread = chance * (1 - chance) / place.value(spec["rows"])
        within = {"kappa1": (1 - f) * chance, "kappa2": (1 - f) * (chance * chance + spread)}
        return substituted(variance, within) + over(mean, "kappa1", variable("squared") * spread)
    if spec["data"] == "iid":
        require(not {"g", "kappa1"} & variables_of(mean), "varies with g or kappa")
        variance = variance + over(mean, "f", f * (1 - f) / variable("n"))
    return variance if name == "variance" else variance + (mean - f) ** 2


def over(mean: Ratio, name: str, spread: Ratio) -> Ratio:
    """The variance of a mean over a number that varies so much."""
    affine(mean, name)
    gain = substituted(mean, {name: 1}) - substituted(mean, {name: 0})
    return gain * gain * spread


def sizes_in(spec: Any) -> dict[str, Any]:
    """What a law and an estimator may depend on: never on the data. And the families' chances of a shared label."""
    law, values = spec["law"], dict(variables(spec["law"]))
    values |= {f"[{name}]": lift(evaluate(tree, values)) for name, tree in law.get("families", {}).items()}
    values |= {f"[{unnamed(law)}]": variable(SHARED)}
    single = ["sub", 1, "m"] in spec["where"] or is_of_one_item(law["term"])
    return values | {"m": lift(1)} if single else values


def moment(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the estimate of f_x has this moment for every data set, every size and every eps > 0. `unbiased`: the
    mean f_x; `mean`, `variance` and `mse`: `formula`, the last over fixed data sets or i.i.d. users; `shared`: the
    variance, where one draw of k functions, `independence` of their values, serves all users, in which `squared` is the
    sum over items y other than the counted one of f_y^2. `chance`: `probability` is the chance that a user's report
    counts for an item of the class that is held (`held`), or not (`other`), once or more often, for every set.
    """
    if statement["type"] == "shared":
        _require_drawn(statement)
    if verdict == "refuted":
        exact, values = at_witness(statement, evidence)
        stated = evaluate(stated_moment(statement), values)
        require(exact != stated, "the statement is right at the witness")
        shown = rational(evidence["exact"]), rational(evidence["stated"])
        require(shown == (exact, stated), "other numbers are shown")
    else:
        established(statement)


def stated_moment(statement: Any) -> Any:
    """The tree that a moment is said to be."""
    return statement.get("formula", statement.get("probability", "f"))


def established(statement: Any) -> Ratio:
    """The moment, shown to be what is stated."""
    values, found = sizes_in(statement) | {x: variable(x) for x in (*DATA, "n")}, derived(statement)
    claimed = Region(values, ranges_of(statement["law"])).value(stated_moment(statement))
    require(found == claimed, "the moment is another one")
    return found


def _require_drawn(statement: Any) -> None:
    """The family that is drawn is the law's, and the formula does not speak of what is known after the draw."""
    law, place = statement["law"], Region(sizes_in(statement), ranges_of(statement["law"]))
    choices = [node[1:3] for node, _ in nodes(law["term"], place.values)]
    require([unnamed(law), statement["labels"]] in choices, "not the labels of the functions that are drawn")
    natural(statement["rows"], place, 1)
    require(not symbols(statement["formula"]) & {"kappa1", "kappa2"}, "kappa is drawn")


def invertible(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: (9) and (10): x in X_non is emitted with probability > 0 if x in s, never otherwise."""
    law = statement["law"]
    place = Region(variables(law), ranges_of(law))
    require(not is_plain(law["term"]) and law["term"][0] == "push", "the law shows no items")
    found = shown_if_held(law["term"], place.values)
    require(is_nonnegative(found, place.ranges, strictly=True), "an item is not shown with positive probability")
    stated = place.value(statement["probability"]) if "probability" in statement else found
    require(found == stated, "x is emitted with another probability")


def at_witness(statement: Any, evidence: Any) -> tuple[Fraction, dict[str, Fraction]]:
    """The exact moment at a witness, and the values of a formula's variables there."""
    name, at = statement["type"], evidence["instance"]
    if name == "chance":
        x, s = evidence["item"], items(evidence["s"])
        require((x in s) == (statement["event"] == "held"), "the item is held, or it is not")
        law = contribution_law(statement, at, s, x, evidence)
        return sum((p for count, p in law.items() if count > 0), Fraction(0)), point_values(statement["law"], at)
    mean, variance, values = (of_draws if name == "shared" else of_data)(statement, evidence)
    if name in ("unbiased", "mean"):
        return mean, values
    return variance + (mean - values["f"]) ** 2 * (name == "mse"), values


def of_draws(statement: Any, evidence: Any) -> tuple[Fraction, Fraction, dict[str, Fraction]]:
    """The same as `of_data`, over draws of functions, too."""
    at, values = evidence["instance"], point_values(statement["law"], evidence["instance"])
    first = second = Fraction(0)
    require(fits(statement, at), "the instance lies outside the domain")
    rows, labels = (int(evaluate(statement[name], values)) for name in ("rows", "labels"))
    draws = draws_at(statement["independence"], evidence.get("functions"), at["K"], labels, integer(rows, 1, 8))
    for weight, functions in draws:
        listed = {unnamed(statement["law"]): [[f"1/{rows}", list(image)] for image in functions]}
        mean, variance, data = of_data(statement, {**evidence, "hashes": listed})
        first, second = first + weight * mean, second + weight * (variance + mean * mean)
    return first, second - first * first, data


def draws_at(independence: str, listed: Any, items: int, labels: int, rows: int) -> Draws:
    """The law on lists of functions: independent rows, each from the listed family, whose values are independent and
    uniform; or (`distinct`, nothing is listed) all lists of different functions."""
    if independence == "distinct":
        many = listed is not None or labels**items > 16 or perm(labels**items, rows) > MAX_FUNCTIONS
        require(not many, "too many functions")
        lists = [*permutations(product(range(labels), repeat=items), rows)]
        require(bool(lists), "not so many different functions")
        return [(Fraction(1, len(lists)), chosen) for chosen in lists]
    functions = to_labels(listed, items, labels)
    require_independent(functions, min(INDEPENDENT[independence], items), labels)
    require(len(functions) ** rows <= MAX_FUNCTIONS, "too many draws")
    found: Draws = [(Fraction(1), ())]
    for _ in range(rows):
        found = [(weight * p, (*chosen, image)) for weight, chosen in found for p, image in functions]
    return found


def of_data(statement: Any, evidence: Any) -> tuple[Fraction, Fraction, dict[str, Fraction]]:
    """Mean and variance of the estimate (or of F_x / n) for the witness's data: `users` (sets), or n users drawn from a
    `population` ([set, probability]); and the values of a formula's variables there."""
    at, x, estimator = evidence["instance"], evidence["item"], statement.get("estimator", {"slope": 1, "offset": 0})
    thinned = statement["law"]["term"][0] == "thinned"
    require(thinned or "per_invertible" not in estimator, "no instances for this estimator")
    iid, n = statement.get("data") == "iid", integer(at["n"], 1, 8)
    require(iid == ("population" in evidence), "a population for i.i.d. users, and only for them")
    listed = [evidence["population"]] * n if iid else [[[s, "1"]] for s in evidence["users"]]
    users = [[(items(s), rational(weight)) for s, weight in user] for user in listed]
    shares = [(s, weight / n) for user in users for s, weight in user]
    require(n == len(users), "n is not the number of users")
    require(all(w > 0 for _, w in shares) and sum(w for _, w in shares) == 1, "not a law on sets")
    known = {s: contribution_law(statement, at, s, x, evidence) for s, _ in shares}
    counts = [mixed((weight, known[s]) for s, weight in user) for user in users]
    means = [sum((p * c for c, p in law.items()), Fraction(0)) for law in counts]
    spread = sum(p * (c - mean) ** 2 for law, mean in zip(counts, means, strict=True) for c, p in law.items())
    values = point_values(statement["law"], at)
    slope, offset = (evaluate(estimator[name], values) for name in ("slope", "offset"))
    f = sum((w for s, w in shares if x in s), Fraction(0))
    g = sum((w for s, w in shares for y in s if y >= at["K"]), Fraction(0))
    data = {"n": Fraction(n), "f": f, "g": g}
    if unnamed(statement["law"]) and not iid:
        functions = families_at(evidence["hashes"], statement["law"], at)[unnamed(statement["law"])]
        data |= averages(functions, x, [s for [([s], _)] in users])
    return (sum(means) / n - offset) / slope, spread / (n * slope) ** 2, values | data


def contribution_law(
    statement: Any, at: dict[str, Any], s: grammar.Items, x: int, evidence: Any
) -> dict[Any, Fraction]:
    """The law of what a user who holds s adds to F_x (less what is subtracted for a report that is sent), enumerated
    (over listed functions, where there are some)."""
    d = at["K"] + at["N"]
    pay(1000)
    require(fits(statement, at), "the instance lies outside the domain")
    require((x < at["K"]) == (statement["item"] == "sensitive"), "the item is not of the stated class")
    require(s in grammar.sets_of(sizes_of(statement, at), at["K"], at["N"]) and integer(x, 0) < d, "unknown items")
    term, less = numbers(statement, at), statement.get("estimator", {}).get("per_invertible", 0)
    world = world_of(statement, at, term, evidence.get("hashes"))
    inner, _ = grammar.completed(term, s, at["m"], world)
    x += inner.k - at["K"] if x >= at["K"] else 0
    each = evaluate(less, point_values(statement["law"], at))
    found = grammar.output_law(term, s, at["m"], world)
    counts = ((p, grammar.added(term, y, x, inner) - each * bool(less and y[0])) for y, p in found.items())
    return mixed((p, {count: Fraction(1)}) for p, count in counts)


_COUNTED = schema.COMPLETED | {"item": schema.ITEM}
_CHANCE = _COUNTED | {"event": ("held", "other"), "probability": schema.tree}
_ESTIMATED = _COUNTED | {"estimator": schema.estimator}
_MSE = _ESTIMATED | {"data": ("fixed", "iid"), "formula": schema.tree}
FIXED = _MSE | {"data": ("fixed",)}
_SHARED = {"rows": schema.tree, "labels": schema.tree, "independence": (*INDEPENDENT, "distinct")}
_PROOF, _SHOWN = {"contributions": ()}, ("instance", "item", "exact", "stated")
_USERS, _DRAWN, _SET = ([[*_SHOWN, data], [*_SHOWN, data, "hashes"]] for data in ("users", "population", "s"))
_DRAWS = [[*_SHOWN, "users"], [*_SHOWN, "users", "functions"]]
KINDS = {
    "chance": Kind(moment, _CHANCE, proved=_PROOF, refuted=_SET),
    "invertible": Kind(invertible, schema.EXACT | {"probability?": schema.tree}, proved={"support": ()}),
    "mean": Kind(moment, FIXED, proved=_PROOF, refuted=_USERS),
    "mse": Kind(moment, _MSE, proved=_PROOF, refuted=[*_USERS, *_DRAWN]),
    "shared": Kind(moment, FIXED | _SHARED, proved={"total": ()}, refuted=_DRAWS),
    "unbiased": Kind(moment, _ESTIMATED, proved=_PROOF, refuted=_USERS),
    "variance": Kind(moment, FIXED, proved=_PROOF, refuted=_USERS),
}
