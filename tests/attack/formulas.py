"""Whether formulas hold: computed at points of their domain, errors of mechanisms from enumerated data sets."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from attack import arcs, trees
from attack.points import Choose, Point, compared, is_in, points
from attack.truth import all_sensitive, estimates, held_sets
from attack.worlds import MeaninglessError, UndecidedError, World, names, value

SIZES = ("m", "K", "N", "n", "f", "g")


def tries(statement: Any) -> int:
    """How many points are tried: fewer, where errors and matrices are enumerated at each of them, or long sums."""
    slow = statement["values"] or statement.get("quantities") or "sum" in names(statement["relations"])
    return 10 if slow else max(6, min(60, 40_000 // len(str(statement["relations"]))))


def error_at(error: Any, root: Fraction, at: Mapping[str, Fraction]) -> Fraction | None:
    """The error of a mechanism at sizes and frequencies; None if no data set has them."""
    parts = [error] if "type" in error else list(error.values())
    law = parts[0]["law"]
    m, k, n = (int(at.get(name, default)) for name, default in (("m", 1), ("K", 2), ("n", 1)))
    others = 0 if all_sensitive(law["term"]) else int(at.get("N", 1))
    if k + others > 5 or m > 3 or n > 2:
        raise UndecidedError("too large")
    world = World(m, k, others, {law["base"]: root}, (), law.get("families", {}))
    if arcs.part(law["term"]):
        world = replace(world, listed=arcs.families({"law": law, "type": "mse"}, world, lambda n: 0))
    if len(parts) == 1:
        users = data_set(world, n, at, parts[0]["item"] if "type" in error else None)
        if users is None:
            return None
    else:
        users = data_set(world, n, at, None)
        if users is None:
            return None
    total = Fraction(0)
    for part in parts:
        items = range(k) if part["item"] == "sensitive" else range(k, k + others)
        for x in [items[0]] if "type" in error else items:
            mean, variance, data = estimates(part, users, x, world)
            if part["data"] == "iid":
                means = [estimates(part, [s], x, world)[0] for s in users]
                variance += (sum((a * a for a in means), Fraction(0)) / n - mean * mean) / n
            total += variance + (mean - data["f"]) ** 2
    return total


def data_set(world: World, n: int, at: Mapping[str, Fraction], item: str | None) -> list[frozenset[int]] | None:
    """Users with the frequencies of the point; the counted item is the first of its class."""
    sets = held_sets({"sizes": "exactm", "law": {"term": ["none"]}}, world)
    x = world.k if item == "nonsensitive" else 0
    for users in product(sets, repeat=n):
        f, g = Fraction(sum(x in s for s in users), n), Fraction(sum(y >= world.k for s in users for y in s), n)
        if (item is None or at.get("f", f) == f) and at.get("g", g) == g and x < world.k + world.n:
            return list(users)
    return None


def with_values(statement: Any, at: Point) -> Point | None:
    """The point with the errors that the statement names; None where there is no such data set."""
    values = dict(at)
    for name, spec in statement["values"].items():
        root = value(spec["root"], at)
        sizes = {x: at[x] for x in SIZES if x in at} | {x: value(tree, at) for x, tree in spec["at"].items()}
        if any(sizes.get(x, Fraction(1)).denominator != 1 for x in ("m", "K", "N", "n")) or root <= 1:
            return None
        exact = error_at(spec["error"], root, sizes)
        if exact is None:
            return None
        values[name] = exact
    return values | {name: trees.quantity(spec, at) for name, spec in (statement.get("quantities") or {}).items()}


def formula(statement: Any, verdict: str, evidence: Any, choose: Choose) -> tuple[str, bool]:
    """Why an accepted verdict on a formula is wrong, and whether anything is known."""
    decided = False
    if verdict == "refuted":
        listed: Any = [{name: Fraction(x) for name, x in evidence["values"].items()}]
    else:
        listed = points(statement["domain"], choose, tries(statement))
    for at in listed:
        try:
            if not is_in(statement["domain"], at):
                return f"{at} is no point of the domain", True
            here = with_values(statement, at)
            if here is None:
                if verdict == "refuted":
                    return f"no data set is like {at}", True
                continue
            stated = statement["relations"]
            truths = [compared(op, a, b, here) for op, a, b in stated]
        except UndecidedError:
            continue
        except MeaninglessError as error:
            return f"undefined at {at}: {error}", True
        decided = True
        wrong = all(truths) if verdict == "refuted" else not all(truths)
        if wrong:
            return f"it {'holds' if all(truths) else 'does not hold'} at {at}", True
    return "", decided


def bounded(statement: Any, verdict: str, evidence: Any, choose: Choose) -> tuple[str, bool]:
    """The stated constants are tried at points; the stated family is looked at."""
    decided = False
    domain, fixed = statement["domain"], set(statement["fixed"])
    if verdict == "refuted":
        left, right = statement["relations"][evidence["relation"]]
        for scale in (1, 2, 3, 50, 10**6):
            number = {"L": Fraction(scale)}
            at = {name: value(tree, number) for name, tree in evidence["family"].items()}
            if not is_in(domain, at):
                return f"{at} is no point of the domain", True
            first = {name: value(tree, {"L": Fraction(1)}) for name, tree in evidence["family"].items()}
            if any(at[name] != first[name] for name in fixed):
                return "what is fixed moves", True
            try:
                here = with_values(statement, at)
                if here is not None:
                    decided = True
                    less = ["mul", ["mul", evidence["constant"], scale], right]
                    if not (compared("lt", 0, left, here) and compared("le", less, left, here)):
                        return f"not unbounded at {at}", True
            except UndecidedError:
                continue
        return "", decided
    for at in points(domain, choose, tries(statement)):
        try:
            here = with_values(statement, at)
            if here is None:
                continue
            for (left, right), tree in zip(statement["relations"], evidence["constants"], strict=True):
                constant = value(tree, {name: at[name] for name in fixed})
                if constant <= 0 or not compared("le", left, ["mul", tree, right], here):
                    return f"the constant is too small at {at}", True
            decided = True
        except UndecidedError:
            continue
        except MeaninglessError as error:
            return f"undefined at {at}: {error}", True
    return "", decided
