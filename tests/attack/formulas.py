"""Whether formulas hold: computed at points of their domain, errors of mechanisms from enumerated data sets."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from mpmath import mp

from attack import trees
from attack.truth import estimates, held_sets, is_plain
from attack.worlds import MeaninglessError, UndecidedError, World, value

Point = dict[str, Fraction]
Choose = Callable[[int], int]
SIZES = ("m", "K", "N", "n", "f", "g")
STEPS = (Fraction(0), Fraction(1), Fraction(2), Fraction(5), Fraction(1, 3), Fraction(40), Fraction(1, 100))
INSIDE = (Fraction(1, 2), Fraction(1, 9), Fraction(8, 9), Fraction(1, 100), Fraction(99, 100))


def is_in(domain: Any, at: Mapping[str, Fraction]) -> bool:
    """Whether a point lies in a domain."""
    for name, spec in domain["variables"].items():
        x, low = at[name], Fraction(spec["min"])
        within = 0 < x < 1 if spec["unit"] else low < x if spec["strict"] else low <= x
        if not within or (spec["integer"] and x.denominator != 1):
            return False
    try:
        return all(compared("le", 0, tree, at) for tree in domain["constraints"])
    except (MeaninglessError, UndecidedError):
        return False


def points(domain: Any, choose: Choose, number: int = 60) -> Iterator[Point]:
    """Points of a domain, small and large ones, on its edge and inside."""
    for _ in range(number):
        at = {}
        for name, spec in domain["variables"].items():
            steps = [x for x in STEPS if not spec["integer"] or x.denominator == 1]
            at[name] = INSIDE[choose(len(INSIDE))] if spec["unit"] else spec["min"] + steps[choose(len(steps))]
            if {"m", "K", "n"} & {name}:
                at[name] = Fraction(1 + choose(3))
            elif name in ("f", "g"):
                at[name] = Fraction(choose(4), 1 + choose(2))
            elif name == "N":
                at[name] = Fraction(choose(3))
            elif not (spec["unit"] or spec["integer"]) and choose(2):
                at[name] = spec["min"] + Fraction(choose(120), 12)
        if is_in(domain, at):
            yield at


def error_at(error: Any, root: Fraction, at: Mapping[str, Fraction]) -> Fraction | None:
    """The error of a mechanism at sizes and frequencies; None if no data set has them."""
    parts = [error] if "type" in error else list(error.values())
    law = parts[0]["law"]
    m, k, n = (int(at.get(name, default)) for name, default in (("m", 1), ("K", 2), ("n", 1)))
    others = 0 if is_plain(law["term"]) else int(at.get("N", 1))
    if k + others > 5 or m > 3 or n > 2:
        raise UndecidedError("too large")
    world = World(m, k, others, {law["base"]: root}, (), law.get("families", {}))
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
    found = dict(at)
    for name, spec in statement["values"].items():
        root = value(spec["root"], at)
        sizes = {x: at[x] for x in SIZES if x in at} | {x: value(tree, at) for x, tree in spec["at"].items()}
        if any(sizes.get(x, Fraction(1)).denominator != 1 for x in ("m", "K", "N", "n")) or root <= 1:
            return None
        exact = error_at(spec["error"], root, sizes)
        if exact is None:
            return None
        found[name] = exact
    return found | {name: trees.quantity(spec, at) for name, spec in (statement.get("quantities") or {}).items()}


def holds(op: str, left: Any, right: Any) -> bool:
    return bool({"eq": left == right, "le": left <= right, "lt": left < right}[op])


def compared(op: str, left: Any, right: Any, at: Mapping[str, Fraction]) -> bool:
    """Whether a relation holds at a point. Raises `UndecidedError` for real numbers that are nearly equal."""
    try:
        return holds(op, value(left, at), value(right, at))
    except UndecidedError:
        with mp.workdps(60):
            a, b = (approximate(tree, at) for tree in (left, right))
            if not mp.isfinite(a - b) or abs(a - b) < mp.mpf(10) ** -40 * (1 + abs(a) + abs(b)):
                raise
            return holds(op, a, b)


def approximate(tree: Any, at: Mapping[str, Fraction]) -> Any:
    """The value of an expression with exponentials and roots, rounded to the working precision."""
    try:
        exact = value(tree, at)
        return mp.mpf(exact.numerator) / exact.denominator
    except UndecidedError:
        if tree[0] == "sum":
            low, high = (int(value(end, at)) for end in tree[2:4])
            terms = (approximate(tree[4], {**at, tree[1]: Fraction(x)}) for x in range(low, high + 1))
            return sum(terms, mp.mpf(0))
        a = [approximate(argument, at) for argument in tree[1:]]
    match tree[0]:
        case "exp" if abs(a[0]) < 1000:
            return mp.exp(a[0])
        case "pow" if a[0] > 0 or (a[0] < 0 and mp.isint(a[1])):
            return mp.power(a[0], a[1])
        case "pow" if a[0] < 0:
            raise MeaninglessError("a root of a negative number")
        case "add" | "sub" | "mul":
            return {"add": a[0] + a[-1], "sub": a[0] - a[-1], "mul": a[0] * a[-1]}[tree[0]]
        case "neg":
            return -a[0]
        case "div" if a[1] != 0:
            return a[0] / a[1]
    raise UndecidedError(f"no value of {tree[0]}")


def formula(statement: Any, verdict: str, evidence: Any, choose: Choose) -> tuple[str, bool]:
    """Why an accepted verdict on a formula is wrong, and whether anything is known."""
    known = False
    if verdict == "refuted":
        listed: Any = [{name: Fraction(x) for name, x in evidence["values"].items()}]
    elif "instances" in evidence:
        listed = [
            {**at, **{name: Fraction(x) for name, x in named.items()}}
            for named in evidence["instances"]
            for at in points(statement["domain"], choose, 8)
        ]
        listed = [at for at in listed if is_in(statement["domain"], at)]
    elif verdict == "verified":
        listed = [{name: Fraction(x) for name, x in point.items()} for point in evidence["points"]]
    else:
        listed = points(statement["domain"], choose)
    for at in listed:
        try:
            if not is_in(statement["domain"], at):
                return f"{at} is no point of the domain", True
            here = with_values(statement, at)
            if here is None:
                if verdict != "proved":
                    return f"no data set is like {at}", True
                continue
            stated = statement["relations"]
            truths = [compared(op, a, b, here) for op, a, b in stated]
        except UndecidedError:
            continue
        except MeaninglessError as error:
            return f"undefined at {at}: {error}", True
        known = True
        wrong = all(truths) if verdict == "refuted" else not all(truths)
        if wrong:
            return f"it {'holds' if all(truths) else 'does not hold'} at {at}", True
    return "", known


def bounded(statement: Any, verdict: str, evidence: Any, choose: Choose) -> tuple[str, bool]:
    """The stated constants are tried at points; the stated family is looked at."""
    known = False
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
                    known = True
                    less = ["mul", ["mul", evidence["constant"], scale], right]
                    if not (compared("lt", 0, left, here) and compared("le", less, left, here)):
                        return f"not unbounded at {at}", True
            except UndecidedError:
                continue
        return "", known
    for at in points(domain, choose):
        try:
            here = with_values(statement, at)
            if here is None:
                continue
            for (left, right), tree in zip(statement["relations"], evidence["constants"], strict=True):
                constant = value(tree, {name: at[name] for name in fixed})
                if constant <= 0 or not compared("le", left, ["mul", tree, right], here):
                    return f"the constant is too small at {at}", True
            known = True
        except UndecidedError:
            continue
        except MeaninglessError as error:
            return f"undefined at {at}: {error}", True
    return "", known
