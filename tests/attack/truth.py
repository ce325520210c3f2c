"""Whether a statement about laws holds at an exact instance, by enumeration (see `worlds`)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import prod
from typing import Any

from attack import arcs
from attack.laws import adds, collected, completed, counted, independent, mean_of, outcomes, outputs, pushed, shows
from attack.sentence_truth import sentence
from attack.worlds import Distribution, Held, MeaninglessError, UndecidedError, World

# --- what is compared -----------------------------------------------------------------------------------------------


def all_sensitive(term: Any) -> bool:
    """Whether there are no non-sensitive items."""
    match term:
        case ["row", kinds]:
            return all(kind in ("sen", "sen1", "sen0", "*") for kind in kinds)
        case ["dummies", "non", _] | ["push", "emit", _]:
            return False
        case ["mix" | "hashed" | "subset", *_]:
            return True
    return all(all_sensitive(part) for part in term[1:] if isinstance(part, list))


def is_single(term: Any) -> bool:
    """Whether sets have one item."""
    match term:
        case ["row" | "mix", *_]:
            return True
        case ["push" | "copies" | "thinned", _, of]:
            return is_single(of)
        case ["pair", one, other]:
            return is_single(one) or is_single(other)
    return False


def draws(term: Any) -> bool:
    return bool(term[0] == "drawn" or (term[0] == "push" and draws(term[2])))


def held_sets(statement: Any, world: World) -> list[Held]:
    """The sets that users may hold; one that is completed may be empty."""
    least = 0 if statement["law"]["term"][0] in ("dummies", "sampled", "filled") else 1
    sizes = {"exactm": [world.m], "atmost": range(least, world.m + 1), "all": range(world.k + world.n + 1)}
    sets = [frozenset(c) for size in sizes[statement["sizes"]] for c in combinations(world.items, size)]
    return [s for s in sets if s or not draws(statement["law"]["term"])]


def related(relation: str, s: Held, other: Held, k: int) -> bool:
    lost, gained = s - other, other - s
    if relation == "deniability":
        return len(lost) == 1 == len(gained) and min(lost) < k
    if relation == "samenon":
        return {x for x in s if x >= k} == {x for x in other if x >= k}
    return True


def looked_at(law: Distribution, statement: Any, s: Held, other: Held) -> Distribution:
    """The part of a law that the reading compares."""
    counts = statement["counted"] == "all"
    some = {y: p for y, p in law.items() if counts or not is_blank(y[0])}
    if statement["relation"] == "marginal":
        return collected((y[0], p) for y, p in some.items())
    if statement["relation"] == "joint":
        return {y: p for y, p in some.items() if set(y[1]) <= s & other}
    return some


def is_blank(y0: Any) -> bool:
    return y0 is None or (isinstance(y0, tuple) and all(z is None for z in y0))


def largest(statement: Any, world: World) -> Fraction | None:
    """The largest compared ratio: 0 if nothing is compared, None if one is infinite."""
    term, worst = statement["law"]["term"], Fraction(0)
    sets = held_sets(statement, world)
    laws = {s: outputs(term, s, world) for s in sets}
    for s, other in permutations(sets, 2):
        inner, a, b = world, s, other
        if term[0] == "dummies":
            (inner, a), (_, b) = completed(term, s, world), completed(term, other, world)
        if not related(statement["relation"], a, b, inner.k):
            continue
        top, bottom = (looked_at(laws[x], statement, a, b) for x in (s, other))
        for y, p in top.items():
            if y not in bottom:
                return None
            worst = max(worst, p / bottom[y])
    return worst


def largest_in_any_order(statement: Any, world: World) -> Fraction | None:
    """The largest ratio over the orders of processing that the statement speaks of."""
    if not statement["any_order"] or world.order:
        return largest(statement, world)
    ratios = [largest(statement, replace(world, order=order)) for order in permutations(world.items)]
    numbers = [x for x in ratios if x is not None]
    return max(numbers) if len(numbers) == len(ratios) else None


# --- statements at one instance -------------------------------------------------------------------------------------


def budget(statement: Any, world: World) -> Fraction:
    law = statement["law"]
    return world.number(["pow", law["base"], law["power"]])


def ratio(statement: Any, world: World) -> bool:
    worst = largest_in_any_order(statement, world)
    return worst is not None and worst <= budget(statement, world)


def smallest(statement: Any, world: World) -> bool:
    worst = largest_in_any_order(statement, world)
    return worst is not None and worst > 0 and worst == world.number(statement["constant"])


def frequencies(statement: Any, world: World) -> bool:
    """For two users."""
    sets = [*combinations(world.items, world.m)]
    return all(sum(Fraction((x in s) + (x in t), 2) for x in world.items) == world.m for s in sets for t in sets)


def exceeds(statement: Any, world: World) -> bool:
    worst = largest_in_any_order(statement, world)
    return worst is None or worst > budget(statement, world)


def unbounded(statement: Any, world: World) -> bool:
    return largest_in_any_order(statement, world) is None


def computable(statement: Any, world: World) -> bool:
    name, of = statement["law"]["term"][1:]
    counts: dict[Any, Any] = {}
    for s in held_sets({**statement, "sizes": "exactm"}, world):
        for z in outcomes(of, s, world):
            times = [counted(of, z, x, world) for x in range(world.k)]
            if counts.setdefault(pushed(name, z, world.k), times) != times:
                return False
    return True


def product_form(statement: Any, world: World) -> bool:
    """Ratios without invertible data are products of the table's ratios."""
    term, sets = statement["law"]["term"], held_sets(statement, world)
    if term[2][1] == "items":
        return True  # independent bits
    entry = {x: outcomes(term[2][2], frozenset([x]), world) for x in world.items}
    for s, other in permutations(sets, 2):
        a, b = (outputs(term, x, world) for x in (s, other))
        for y, p in a.items():
            if y[1] or None in y[0] or len(y[0]) != world.m:
                continue
            if y not in b:
                continue
            tops, bottoms = (
                {
                    prod((entry[x].get(z, Fraction(0)) for z, x in zip(v, sorted(c), strict=True)), start=Fraction(1))
                    for v in permutations(y[0])
                }
                for c in (s, other)
            )
            if not any(p * bottom == b[y] * top and bottom for top in tops for bottom in bottoms):
                return False
    return True


OfUser = Callable[[Held, int], tuple[Fraction, Fraction]]
"""Mean and variance of what a user who holds a set adds to the count of an item."""


def of_users(statement: Any, world: World) -> OfUser:
    """For every set and item enumerated once."""
    term = statement["law"]["term"]
    share = world.number(statement["estimator"].get("per_invertible", 0))

    @cache
    def moments(s: Held, x: int) -> tuple[Fraction, Fraction]:
        scores: Distribution = {}
        for y, p in outcomes(term, s, world).items():
            hits = len(y[1]) if shows(term) else int(term[0] == "thinned" and y != ())
            times = counted(term, y, x, world) if x < world.k or shows(term) or term[0] == "subset" else 0
            scores[times - share * hits] = scores.get(times - share * hits, Fraction(0)) + p
        first = mean_of(scores)
        return first, sum((c * c * p for c, p in scores.items()), Fraction(0)) - first * first

    return moments


def estimates(
    statement: Any, users: list[Held], x: int, world: World, of_user: OfUser | None = None
) -> tuple[Fraction, Fraction, dict[str, Fraction]]:
    """Mean and variance of the estimate of f_x, and the values of n, f, g."""
    estimator = statement["estimator"]
    slope, offset = world.number(estimator["slope"]), world.number(estimator["offset"])
    if slope == 0:
        raise MeaninglessError("a slope of 0")
    added = [(of_user or of_users(statement, world))(s, x) for s in users]
    n, mean, spread = len(users), sum((a for a, _ in added), Fraction(0)) / len(users), sum(b for _, b in added)
    f, g = Fraction(sum(x in s for s in users), n), Fraction(sum(y >= world.k for s in users for y in s), n)
    data = {"n": Fraction(n), "f": f, "g": g, **kappas(statement["law"], users, x, world)}
    return (mean - offset) / slope, spread / (n * n * slope * slope), data


def kappas(law: Any, users: list[Held], x: int, world: World) -> dict[str, Fraction]:
    """Sums over the users' items other than x of how often they have x's label, and of the square, by users."""
    first = next(iter(choices(law["term"])), None)
    if first is None or first in law.get("families", {}) or any(len(s) != 1 for s in users):
        return {}
    averages = {"kappa1": Fraction(0), "kappa2": Fraction(0)}
    for [y] in (s for s in users if x not in s):
        alike = sum((p for image, p in world.listed[first] if image[x] == image[y]), Fraction(0))
        averages["kappa1"] += alike / len(users)
        averages["kappa2"] += alike * alike / len(users)
    return averages


def choices(term: Any) -> list[str]:
    """The families of a term, the outermost one first."""
    inner = [name for part in term[1:] if isinstance(part, list) for name in choices(part)]
    return [term[1], *inner] if term[0] == "mix" else inner


def shared(statement: Any, world: World) -> bool:
    """The variance over the draw of the functions and the reports."""
    family, rows = choices(statement["law"]["term"])[0], world.natural(statement["rows"], 1)
    if len(statement["functions"]) ** rows > 300:
        raise UndecidedError("too many draws")
    for users, x in _data(statement, world):
        draws = [list(draw) for draw in product(statement["functions"], repeat=rows)]
        if statement["independence"] == "distinct":
            draws = [draw for draw in draws if len({image for image, _ in draw}) == rows]
        first = second = total = Fraction(0)
        for draw in draws:
            chance = prod((p for _, p in draw), start=Fraction(1))
            listed = {family: [(image, Fraction(1, rows)) for image, _ in draw]}
            mean, variance, data = estimates(statement, users, x, replace(world, listed=listed))
            total, first = total + chance, first + chance * mean
            second += chance * (variance + mean * mean)
        if not draws:
            raise MeaninglessError("not so many functions")
        first, second, n = first / total, second / total, len(users)
        others = [s for s in users if x not in s]
        data["squared"] = sum((Fraction(others.count(s), n) ** 2 for s in set(others)), Fraction(0))
        named = {name: number for name, number in data.items() if not name.startswith("kappa")}
        if second - first**2 != replace(world, values={**world.values, **named}).number(statement["formula"]):
            return False
    return True


def _data(statement: Any, world: World) -> Iterator[tuple[list[Held], int]]:
    """Data sets of one and two users, with an item of the class; only those of a witness, if there is one."""
    if "witness" in statement:
        yield statement["witness"]
        return
    sets = held_sets({"sizes": "exactm", **statement}, world)
    item = 0 if statement["item"] == "sensitive" else world.k
    if item < world.k + world.n:
        for s in sets:
            yield [s], item
        for pair in list(product(sets, repeat=2))[:: max(1, len(sets) ** 2 // 12)]:
            yield list(pair), item


def unbiased(statement: Any, world: World) -> bool:
    of_user = of_users(statement, world)
    for users, x in _data(statement, world):
        mean, _, data = estimates(statement, users, x, world, of_user)
        if mean != data["f"]:
            return False
    return True


def error(statement: Any, world: World) -> bool:
    """`mse`, `mean` and `variance`, over fixed data sets or i.i.d. users of a population."""
    of_user = of_users(statement, world)
    for users, x in _data(statement, world):
        iid = statement["data"] == "iid"
        mean, variance, data = estimates(statement, users, x, world, of_user)
        if iid:
            n = statement.get("n", Fraction(3))
            means = [estimates(statement, [s], x, world, of_user)[0] for s in users]
            between = sum((a * a for a in means), Fraction(0)) / len(users) - mean * mean
            variance = (variance * len(users) + between) / n
            data["n"] = n
        exact = {"variance": variance, "mean": mean}.get(statement["type"], variance + (mean - data["f"]) ** 2)
        if exact != replace(world, values={**world.values, **data}).number(statement["formula"]):
            return False
    return True


def chance(statement: Any, world: World) -> bool:
    """The chance that a report counts for the item, once or more often."""
    claimed = world.number(statement["probability"])
    for [s, *more], x in _data(statement, world):
        asked = not more and (x in s) == (statement["event"] == "held")
        counts = adds(statement["law"]["term"], s, x, world) if asked else {}
        if asked and sum((p for count, p in counts.items() if count > 0), Fraction(0)) != claimed:
            return False
    return True


def bernoulli_sum(statement: Any, world: World) -> bool:
    term = statement["law"]["term"]
    cells = term[2][2][1]["sen"]
    p, q = (world.number(cells.get(name, 0)) + world.number(cells.get("any", 0)) for name in ("own", "other"))
    for s in held_sets(statement, world):
        chances = [p] * (0 in s) + [q] * (world.m - (0 in s))
        stated = independent([{1: c, 0: 1 - c} for c in chances])
        if collected((sum(y), w) for y, w in stated.items()) != adds(term, s, 0, world):
            return False
    return True


def padding(statement: Any, world: World) -> bool:
    term = statement["law"]["term"]
    d = world.k + world.n
    for size in range(world.m + 1, d + 1) if term[0] == "sampled" else range(world.m):
        for s in map(frozenset, combinations(world.items, size)):
            for x in world.items:
                if statement.get("witness", ([s], x)) != ([s], x):
                    continue
                spec = {**statement, "estimator": statement["estimator"][x >= world.k]}
                if world.number(spec["estimator"]["slope"]) == 0:  # the sentence says that it is not
                    return False
                user = {"size": Fraction(size), "held": Fraction(x in s)}
                stated = replace(world, values={**world.values, **user}).number(statement["mean"])
                if estimates(spec, [s], x, world)[0] != stated:
                    return False
    return True


def same_law(statement: Any, world: World) -> bool:
    laws = statement["law"], statement["other"]
    listed = dict(world.listed)
    if all(arcs.part(law["term"]) for law in laws):  # under the same hash functions
        listed |= {arcs.part(law["term"])[1]: of for law in laws for of in world.listed.values()}
    worlds = [replace(world, families=law.get("families", {}), listed=listed) for law in laws]
    if len({budget({"law": law}, one) for law, one in zip(laws, worlds, strict=True)}) > 1:
        return False
    return all(
        outputs(laws[0]["term"], s, worlds[0]) == outputs(laws[1]["term"], s, worlds[1])
        for s in map(frozenset, combinations(world.items, world.m))
    )


def cost(statement: Any, world: World) -> bool:
    term = statement["law"]["term"]
    if arcs.part(term):
        return False  # a continuum of points
    sets = map(frozenset, combinations(world.items, world.m))
    return len({y for s in sets for y, p in outputs(term, s, world).items() if p}) <= world.number(statement["most"])


JUDGES: dict[str, Callable[[Any, World], bool]] = {
    "ratio": ratio,
    "smallest": smallest,
    "exceeds": exceeds,
    "unbounded": unbounded,
    "computable": computable,
    "product-form": product_form,
    "unbiased": unbiased,
    "mse": error,
    "variance": error,
    "mean": error,
    "shared": shared,
    "chance": chance,
    "bernoulli-sum": bernoulli_sum,
    "padding": padding,
    "same-law": same_law,
    "cost": cost,
    "sentence": sentence,
    "ratio-cases": ratio,
    "smallest-cases": smallest,
    "frequencies": frequencies,
}


def world_of(statement: Any, at: Mapping[str, Any]) -> World:
    """The world of an instance as certificates write it."""
    law = statement["law"]
    names = [law["base"], *law["parameters"], *law.get("integers", {})]
    values = {name: Fraction(at[name]) for name in names}
    return World(at["m"], at["K"], at["N"], values, tuple(at.get("order", ())), law.get("families", {}))


def is_inside(statement: Any, world: World) -> bool:
    """Whether an instance has sizes that the statement speaks of."""
    term = statement["law"]["term"]
    m, k, n = world.m, world.k, world.n
    possible = m >= 1 and k >= 1 and (n == 0 or not all_sensitive(term)) and (m == 1 or not is_single(term))
    fitting = m <= k + n or term[0] == "dummies"
    if reported := _subset(term):  # so many reported items are not held, whatever the set
        outside = k + n if term[0] == "dummies" else k + n - m
        possible = possible and 1 <= world.number(reported) <= outside
    return possible and fitting and all(world.number(tree) >= 0 for tree in statement.get("where", ()))


def _subset(term: Any) -> Any:
    """The size of reported subsets."""
    return term[1] if term[0] == "subset" else _subset(term[-1]) if isinstance(term[-1], list) else None


def judge(statement: Any, at: Mapping[str, Any], witness: Any = None, families: Any = None) -> bool:
    """Whether a statement holds at an instance (`witness`: for the users and the item it names). Raises
    `UndecidedError`; `MeaninglessError` if nothing is stated there. `families`: those that were chosen."""
    body = dict(statement)
    if (
        witness is not None
        and "item" in witness
        and statement["type"] in ("unbiased", "mse", "mean", "variance", "shared", "chance", "padding")
    ):
        listed = witness.get("users", [s for s, _ in witness.get("population", [])] or [witness.get("s", [])])
        body["witness"] = ([frozenset(s) for s in listed], witness["item"])
        body["n"] = Fraction(at.get("n", 1))
    if witness is not None and "case" in witness and statement["type"] == "sentence":
        body["case"] = witness["case"]
    body["functions"] = (families or {}).get("functions", [])
    return JUDGES[statement["type"]](body, replace(world_of(statement, at), listed=families or {}))
