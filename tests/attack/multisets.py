"""Whether statements about shuffled reports hold, by enumeration of the multisets of messages (see `worlds`)."""

import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from attack import families
from attack.laws import collected, outcomes
from attack.points import is_in
from attack.truth import all_sensitive
from attack.worlds import Distribution, MeaninglessError, UndecidedError, World, names, value

Choose = Callable[[int], int]
RELATED = {"le": operator.le, "lt": operator.lt, "eq": operator.eq}
MOST = 1_000
"""Multisets that are looked at."""


def messages(term: Any, outcome: Any) -> list[Any]:
    """What is sent."""
    match term:
        case ["row", _]:
            return [outcome]
        case ["drawn", of]:
            return messages(of, outcome)
        case ["pair", *parts]:
            return [z for of, y in zip(parts, outcome, strict=True) for z in messages(of, y)]
        case ["copies", _, of]:
            return [z for y in outcome for z in messages(of, y)]
        case ["mix", _, _, of]:
            return [(outcome[0], z) for z in messages(of, outcome[1])]
        case ["thinned", _, of]:
            return [z for y in outcome for z in messages(of, y)]
        case ["push", "sorted", _]:
            return list(outcome[0])
        case ["each", "items", _]:
            return [x for x, bit in enumerate(outcome) if bit]
    raise MeaninglessError(f"no messages of {term[0]}")


def uniform(term: Any, k: Any) -> Any:
    """A uniform message."""
    match term:
        case ["row", _] | ["drawn", ["row", _]]:
            return ["row", {"*": {"any": ["div", 1, k]}}]
        case ["mix", family, labels, of]:
            return ["mix", family, labels, uniform(of, "K")]
        case ["push", "sorted", ["pair", of, ["copies", _, ["row", _]]]]:  # beside others that are uniform, too
            return uniform(of, k)
    raise MeaninglessError("no uniform message")


def both(first: Distribution, second: Distribution) -> Distribution:
    """The union of independent multisets."""
    if len(first) * len(second) > MOST * 40 or len(first) > MOST:
        raise UndecidedError("too many multisets")
    return collected((tuple(sorted((*x, *y), key=repr)), p * q) for x, p in first.items() for y, q in second.items())


def sent(term: Any, x: int, world: World) -> Distribution:
    return collected((tuple(messages(term, y)), p) for y, p in outcomes(term, frozenset([x]), world).items())


Found = dict[tuple[int, int, tuple[int, ...]], Fraction]


def divergences(rows: list[Distribution], noise: Distribution, users: int, extra: int, a: Fraction) -> Found:
    """delta of all neighboring data sets."""
    if len(rows) > 4 or users > 4:
        raise UndecidedError("too many data sets")
    deltas: Found = {}
    for others in combinations_with_replacement(range(len(rows)), users - 1):
        beside: Distribution = {(): Fraction(1)}
        for law in [*(rows[x] for x in others), *[noise] * extra]:
            beside = both(beside, law)
        laws = [both(beside, row) for row in rows]
        for x0, x1 in permutations(range(len(rows)), 2):
            excess = (p - a * laws[x1].get(y, 0) for y, p in laws[x0].items())
            deltas[x0, x1, others] = sum((max(Fraction(0), gap) for gap in excess), Fraction(0))
    return deltas


def numbers(statement: Any, values: Mapping[str, Any]) -> dict[str, Fraction]:
    """The values of all names at a point. Raises `MeaninglessError` outside of the domain and of the laws' ranges."""
    unread = set(statement["at"]) - _read(statement)
    if unread:
        raise MeaninglessError(f"names that nothing reads: {sorted(unread)}")
    point = {name: Fraction(x) for name, x in values.items()}
    variables = statement["domain"]["variables"]
    if point.keys() != variables.keys() or not is_in(statement["domain"], point):
        raise MeaninglessError("the point lies outside the domain")
    for name, tree in statement["at"].items():
        if name in point or name in ("m", "N"):
            raise MeaninglessError("a name with two values")
        point[name] = value(tree, point)
    for spec in (statement, statement.get("than", {})):
        if law := spec.get("law"):
            whole = all(
                point[name] >= least and point[name] % 1 == 0 for name, least in law.get("integers", {}).items()
            )
            shares = all(0 < point[name] < 1 for name in law["parameters"])
            if not (whole and shares and point[law["base"]] > 1 and all_sensitive(law["term"])):
                raise MeaninglessError("outside of the ranges of a law")
    return point


def _read(statement: Any) -> set[str]:
    """The names that a statement means something by: K labels or items, what its laws and its numbers name; without a
    law x."""
    laws = [spec["law"] for spec in (statement, statement.get("than", {})) if "law" in spec]
    numbers = [statement[name] for name in ("users", "dummies", "e_eps", "delta")]
    numbers += [statement.get("than", {}).get("dummies", 0), *statement["at"].values()]
    read = names(numbers) | ({"x"} if "law" not in statement else {"K"})
    return read.union(*({law["base"], *law["parameters"], *law.get("integers", {})} for law in laws))


def natural(x: Fraction, least: int) -> int:
    if x.denominator != 1 or x < least:
        raise MeaninglessError("a number of no integer")
    return int(x)


def of_law(spec: Any, at: Mapping[str, Fraction], users: int, a: Fraction, listed: Any) -> Found:
    """The divergences of a law (`dummies`: beside so many messages), with these functions."""
    law, k = spec["law"], natural(at["K"], 2)
    world = World(1, k, 0, {x: y for x, y in at.items() if x != "K"}, (), law.get("families", {}), listed)
    extra = natural(value(spec["dummies"], at), 0)
    noise = sent(uniform(law["term"], k), 0, world) if extra else {}
    rows = [sent(law["term"], x, world) for x in range(k)]
    if any(sum(row.values()) != 1 for row in rows):
        raise MeaninglessError("no law")
    return divergences(rows, noise, users, extra, a)


def chosen(statement: Any, law: Any, at: Mapping[str, Fraction], evidence: Any, choose: Choose) -> Iterator[Any]:
    """Families of functions: those of the evidence, or some, with constant, injective and all functions."""
    world = World(1, int(at["K"]), 0, {x: y for x, y in at.items() if x != "K"}, (), law.get("families", {}))
    needed = list(families.worlds(law["term"], world))
    everything = {name: _every(items, labels) for name, items, labels in needed if labels**items <= MOST_FUNCTIONS}
    if "functions" in statement:
        if len(everything) < len(needed):
            raise UndecidedError("too many functions")
        yield everything
        return
    if "hashes" in evidence:
        yield families.read(law, evidence["hashes"], world)
        return
    if not needed:
        yield {}
        return
    for _ in "12":
        yield families.families(law, world, choose)
    if len(needed) > 1:
        return
    [(name, items, labels)] = needed
    apart = [(tuple(x % labels for x in range(items)), Fraction(1))]
    for family in (apart, *everything.values()):
        if families.has_premise(family, law.get("families", {}).get(name), world):
            yield {name: family}


MOST_FUNCTIONS = 30


def _every(items: int, labels: int) -> list[tuple[tuple[int, ...], Fraction]]:
    return [(image, Fraction(1, labels**items)) for image in product(range(labels), repeat=items)]


def randomizers(x: Fraction, choose: Choose, labels: int) -> Iterator[list[Distribution]]:
    """Laws of messages whose ratios are at most x."""
    for k in {2, 3, labels}:
        other = 1 / (x + k - 1)
        yield [{(y,): x * other if y == z else other for y in range(k)} for z in range(k)]
    weights = [choose(4) + 1 for _ in range(3)]
    total, low = sum(weights), 1 - 1 / x
    base = {(y,): Fraction(w, total) for y, w in enumerate(weights)}
    yield [{y: (1 - low) * p + (low if y == (z,) else 0) for y, p in base.items()} for z in range(2)]
    flip = 1 / (x + 1)
    yield [{(0,): 1 - flip, (1,): flip}, {(0,): flip, (1,): 1 - flip}]


def ratio(rows: list[Distribution]) -> Fraction:
    return max(p / other[y] for row, other in permutations(rows, 2) for y, p in row.items())


def contradiction(statement: Any, verdict: str, evidence: Any, choose: Choose) -> tuple[str, bool]:
    """Why an accepted verdict is wrong ("" if it is not seen to be), and whether the truth was known."""
    decided = False
    for instance in [evidence] if verdict == "refuted" else evidence["instances"]:
        try:
            judged = list(_judged(statement, verdict, instance, choose))
        except UndecidedError:
            continue
        except (MeaninglessError, ZeroDivisionError) as error:
            return f"nothing is stated at {instance['values']}: {error}", True
        decided = decided or bool(judged)
        if verdict == "refuted" and judged and all(judged):
            return f"it holds at {instance['values']}", True
        if verdict != "refuted" and not all(judged):
            return f"it does not hold at {instance['values']}", True
    return "", decided


def _judged(statement: Any, verdict: str, instance: Any, choose: Choose) -> Iterator[bool]:
    """Whether it holds, for every choice of functions or randomizers that is looked at."""
    at = numbers(statement, instance["values"])
    users, a, delta = (value(statement[name], at) for name in ("users", "e_eps", "delta"))
    related, n = RELATED[statement["relation"]], natural(users, 1)
    if a < 1 or delta < 0:
        raise MeaninglessError("eps < 0 or delta < 0")
    if "law" not in statement:
        labels = instance.get("data", [2])[0] if verdict == "refuted" and instance["by"] == "third" else 2
        if value(statement["dummies"], at) or labels > 4 or n > 3:
            raise UndecidedError("other randomizers")
        for rows in randomizers(at["x"], choose, labels):
            if ratio(rows) <= at["x"]:
                yield related(max(divergences(rows, {}, n, 0, a).values()), delta)
        return
    for listed in chosen(statement, statement["law"], at, instance, choose):
        deltas = of_law(statement, at, n, a, listed)
        if "than" not in statement:
            yield related(max(deltas.values()), delta)
            continue
        than = statement["than"]
        if listed and than["law"]["term"] != statement["law"]["term"]:
            raise UndecidedError("other functions")
        beside = of_law({**statement, **than}, at, n, a, listed)
        yield all(related(x, beside[data]) for data, x in deltas.items())
