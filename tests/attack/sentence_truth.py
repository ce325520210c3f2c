"""What a sentence says of a law at numbers, read again from its constructors: lists, sums and comparisons of fractions.

Written from the words of `dp_kernel.finite.sentences`, without its code.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from attack.laws import outcomes, outputs, pushed
from attack.worlds import MeaninglessError, UndecidedError, World, value

Json = dict[str, Any]
ARITHMETIC = ("add", "sub", "mul", "div", "pow", "binom", "exptrunc", "neg", "min")


def sentence(statement: Json, world: World) -> bool:
    """Whether it is true; with a `case`, of these values of the variables that it begins with."""
    of, at = statement["sentence"], {name: tupled(x) for name, x in statement.get("case", {}).items()}
    while "case" in statement and of[0] == "all":
        if at[of[1]] not in listed(of[2], statement, world, at):
            raise MeaninglessError("a case that is none")
        of = of[3]
    return is_true(of, statement, world, at)


def tupled(x: Any) -> Any:
    """Lists as tuples."""
    return tuple(map(tupled, x)) if isinstance(x, list) else x


def is_true(of: Any, statement: Json, world: World, at: Mapping[str, Any]) -> bool:
    match of:
        case ["not", inner]:
            return not is_true(inner, statement, world, at)
        case ["and", one, other]:
            return is_true(one, statement, world, at) and is_true(other, statement, world, at)
        case ["or", one, other]:
            return is_true(one, statement, world, at) or is_true(other, statement, world, at)
        case ["all" | "some", name, things, inner]:
            truths = [is_true(inner, statement, world, {**at, name: x}) for x in listed(things, statement, world, at)]
            return all(truths) if of[0] == "all" else any(truths)
        case ["empty", datum]:
            y = meant(datum, statement, world, at)
            return y is None or (isinstance(y, tuple) and set(y) <= {None})
        case ["le" | "eq" | "in", left, right]:
            a = meant(left, statement, world, at)
            if of[0] == "in":
                return a in listed(right, statement, world, at)
            b = meant(right, statement, world, at)
            return bool(a == b if of[0] == "eq" else a <= b)
    raise UndecidedError(f"no truth of {of[0]}")


def listed(of: Any, statement: Json, world: World, at: Mapping[str, Any]) -> list[Any]:
    """The elements of a collection."""
    match of:
        case ["sets", *ends]:
            low, high = (int(meant(end, statement, world, at)) for end in ends)
            return [s for size in range(low, high + 1) for s in combinations(world.items, size)]
        case ["from", *ends]:
            return [*range(*(int(meant(end, statement, world, at)) for end in ends))]
        case ["support", law, s]:
            return [*reports(law, meant(s, statement, world, at), statement, world)]
        case ["behind", s, y]:
            name = statement["law"]["term"][1]
            inputs, report = meant(s, statement, world, at), meant(y, statement, world, at)
            return [z for z in reports("outcomes", inputs, statement, world) if pushed(name, z, world.k) == report]
        case ["events", things]:
            inside = listed(things, statement, world, at)
            return [event for size in range(len(inside) + 1) for event in combinations(inside, size)]
        case ["those", name, things, test]:
            inside = listed(things, statement, world, at)
            return [x for x in inside if is_true(test, statement, world, {**at, name: x})]
        case ["union", name, things, inner]:
            parts = [listed(inner, statement, world, {**at, name: x}) for x in listed(things, statement, world, at)]
            return [*dict.fromkeys(x for part in parts for x in part)]
    meaning = meant(of, statement, world, at)
    return [*meaning] if isinstance(meaning, tuple) else []


def meant(of: Any, statement: Json, world: World, at: Mapping[str, Any]) -> Any:
    """A number, or a datum."""
    match of:
        case str() if of in at:
            return at[of]
        case str() | int():
            return world.number(of)
        case ["chance", law, s, y]:
            law_of_s = reports(law, meant(s, statement, world, at), statement, world)
            return law_of_s.get(meant(y, statement, world, at), Fraction(0))
        case ["size", things]:
            return Fraction(len(listed(things, statement, world, at)))
        case ["at", data, place]:
            return meant(data, statement, world, at)[int(meant(place, statement, world, at))]
        case ["count", data, x]:
            return Fraction(meant(data, statement, world, at).count(meant(x, statement, world, at)))
        case ["number", test]:
            return Fraction(is_true(test, statement, world, at))
        case ["total", name, things, inner]:
            inside = listed(things, statement, world, at)
            return sum((meant(inner, statement, world, {**at, name: x}) for x in inside), Fraction(0))
        case [name, *arguments] if name in ARITHMETIC:
            numbers = {f"x{i}": Fraction(meant(x, statement, world, at)) for i, x in enumerate(arguments)}
            return value([name, *numbers], numbers)
    return tuple(listed(of, statement, world, at))


def reports(law: str, s: Any, statement: Json, world: World) -> dict[Any, Fraction]:
    """The possible reports of a user who holds a set (or the outcomes that they are functions of), with their
    chances."""
    if law == "outcomes":
        probabilities = outcomes(statement["law"]["term"][2], frozenset(s), world)
    else:
        probabilities = outputs(statement[law]["term"], frozenset(s), world)
    return {y: p for y, p in probabilities.items() if p != 0}
