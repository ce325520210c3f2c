"""Points of domains, and relations at them: of fractions exactly, of real numbers by enclosures."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from mpmath import iv

from attack.worlds import MeaninglessError, UndecidedError, value

Point = dict[str, Fraction]
Choose = Callable[[int], int]
STEPS = (Fraction(0), Fraction(1), Fraction(2), Fraction(5), Fraction(1, 3), Fraction(40), Fraction(1, 100))
INSIDE = (Fraction(1, 2), Fraction(1, 9), Fraction(8, 9), Fraction(1, 100), Fraction(99, 100))


def is_in(domain: Any, at: Mapping[str, Fraction]) -> bool:
    """Whether a point lies in a domain. Raises `MeaninglessError` where a constraint says nothing, `UndecidedError`."""
    for name, spec in domain["variables"].items():
        x, low = at[name], Fraction(spec["min"])
        within = 0 < x < 1 if spec["unit"] else low < x if spec["strict"] else low <= x
        if not within or (spec["integer"] and x.denominator != 1):
            return False
    held = [compared("le", 0, tree, at) for tree in domain["constraints"]]  # all of them have a value
    return all(held)


def _first(number: int) -> int:
    return 0


def points(domain: Any, choose: Choose, number: int = 60) -> Iterator[Point]:
    """Different points of a domain, small and large ones, on its edge and inside; the first one is at the ends of all
    ranges."""
    tried: list[Point] = []
    for draw in [_first, *[choose] * (number - 1)]:
        at = {}
        for name, spec in domain["variables"].items():
            steps = [x for x in STEPS if not spec["integer"] or x.denominator == 1]
            at[name] = INSIDE[draw(len(INSIDE))] if spec["unit"] else spec["min"] + steps[draw(len(steps))]
            if {"m", "K", "n"} & {name}:
                at[name] = Fraction(1 + draw(3))
            elif name in ("f", "g"):
                at[name] = Fraction(draw(4), 1 + draw(2))
            elif name == "N":
                at[name] = Fraction(draw(3))
            elif not (spec["unit"] or spec["integer"]) and draw(2):
                at[name] = spec["min"] + Fraction(draw(120), 12)
        if at in tried:
            continue
        tried.append(at)
        with suppress(MeaninglessError, UndecidedError):
            if is_in(domain, at):
                yield at


def holds(op: str, left: Any, right: Any) -> bool:
    return bool({"eq": left == right, "le": left <= right, "lt": left < right}[op])


def compared(op: str, left: Any, right: Any, at: Mapping[str, Fraction]) -> bool:
    """Whether a relation holds at a point: of real numbers by enclosures. Raises `UndecidedError` where these meet."""
    try:
        return holds(op, value(left, at), value(right, at))
    except UndecidedError:
        before, iv.dps = iv.dps, 80
        try:
            gap = enclosed(right, at) - enclosed(left, at)
        finally:
            iv.dps = before
        if gap.a > 0 or gap.b < 0:
            return op != "eq" and bool(gap.a > 0)
        raise


def enclosed(tree: Any, at: Mapping[str, Fraction]) -> Any:
    """An interval that holds the value of an expression, which may have exponentials, logarithms and roots."""
    number = _number(tree, at)
    return iv.mpf(number.numerator) / number.denominator if isinstance(number, Fraction) else number


def _number(tree: Any, at: Mapping[str, Fraction]) -> Any:
    """The value of an expression, or an interval that holds it."""
    if not isinstance(tree, list):
        return value(tree, at)
    if tree[0] == "sum":
        low, high = (value(end, at) for end in tree[2:4])
        if low.denominator != 1 or high.denominator != 1 or min(low, high) < 0:
            raise MeaninglessError("a sum over no natural numbers")
        if high > 1000:
            raise UndecidedError("a sum of too many terms")
        terms = (enclosed(tree[4], {**at, tree[1]: Fraction(x)}) for x in range(int(low), int(high) + 1))
        return sum(terms, iv.mpf(0))
    a = [_number(argument, at) for argument in tree[1:]]
    if all(isinstance(x, Fraction) for x in a):
        named = {f"a{i}": x for i, x in enumerate(a)}
        with suppress(UndecidedError):
            return value([tree[0], *named], named)
        if tree[0] == "pow" and a[0] < 0:
            raise MeaninglessError("a root of a negative number")
    a = [iv.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x for x in a]
    match tree[0]:
        case "exp" if max(abs(a[0].a), abs(a[0].b)) < 10**5:
            return iv.exp(a[0])
        case "log":
            if a[0].b <= 0:
                raise MeaninglessError("a logarithm of no positive number")
            if a[0].a > 0:
                return iv.log(a[0])
        case "pow" if a[0].a > 0:
            return iv.exp(a[1] * iv.log(a[0]))
        case "add" | "sub" | "mul":
            return {"add": a[0] + a[-1], "sub": a[0] - a[-1], "mul": a[0] * a[-1]}[tree[0]]
        case "neg":
            return -a[0]
        case "min":
            return iv.mpf([min(x.a for x in a), min(x.b for x in a)])
        case "div":
            if a[1].a == 0 == a[1].b:
                raise MeaninglessError("division by 0")
            if a[1].a > 0 or a[1].b < 0:
                return a[0] / a[1]
    raise UndecidedError(f"no value of {tree[0]}")
