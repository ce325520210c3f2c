"""What a region is extended by, in order: values of e^x and of sums whose ends are symbolic, closed by telescoping or
enclosed by it, and what is shown to be >= 0. Induction on an integer."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dp_kernel.formulas.domains import Region, prove, require_integer
from dp_kernel.formulas.terms import DEFINED, written
from dp_kernel.meter import pay, require
from dp_kernel.numbers.polynomial import Bound, is_nonnegative, lift, variable, variables_of

Forms = Sequence[Any]
NATURAL = Bound(Fraction(0), False, whole=True)
ABOVE_ONE, UNIT = Bound(Fraction(1), True), Bound(Fraction(0), True, unit=True)


def with_definitions(place: Region, trees: Iterable[Any], forms: Forms = (), of: str = "") -> Region:
    """The region with a value for every e^x in the trees, and for every sum that has forms [sum, low, high], trees in
    what it runs over. A variable for what is enclosed has a name of its own, and of what the tree is a part of."""
    for tree in (part for top in trees for part in _outermost(top)):
        name = written(tree)
        pay((1 + (len(name) >> 4)) * len(forms) + len(place.values) + len(place.ranges))
        listed = [ends for summed, *ends in forms if summed == tree and written(summed) == name]  # not True for 1
        if name not in place.values and tree[0] == "exp":
            place = _with_exponential(place, name, tree[1])
        elif name not in place.values and listed:
            place = _with_sum(place, tree, listed[0], forms, f"[above {of} {name}]")
    return place


def _outermost(tree: Any) -> Iterator[Any]:
    """The parts of a tree that have values of their own."""
    pay(1)
    if isinstance(tree, list) and tree[0] in DEFINED:
        yield tree
    elif isinstance(tree, list):
        for argument in tree[1:]:
            yield from _outermost(argument)


def _with_exponential(place: Region, name: str, exponent: Any) -> Region:
    """The region with a value for e^x, x > 0.

    For x <= 1: 1 + x + x^2 (1/2 + u/4) for some u strictly between 0 and 1, a variable more: (e^x - 1 - x) / x^2 =
    1/2! + x/3! + ... is larger than 1/2 and at most e - 2 < 3/4. Else a variable above 1.
    """
    x = place.value(exponent)
    prove("lt", 0, x, place, {})
    small, fresh = is_nonnegative(1 - x, place.ranges), f"[u {x.num}/{x.den}]"
    u = variable(fresh)
    value, bound = (1 + x + x * x * (u + 2) / 4, UNIT) if small else (u, ABOVE_ONE)
    return replace(place, values={**place.values, name: value}, ranges={**place.ranges, fresh: bound})


def _with_sum(place: Region, tree: Any, ends: Any, forms: Forms, above: str) -> Region:
    """The region with a value for a sum.

    From the first x on low(x) - low(x - 1) <= term(x) <= high(x) - high(x - 1): the sum lies between low(last) -
    low(first - 1) and the same of high; it is this where they are one tree (last = first - 1: no terms). What it is
    `above` the first is a variable.
    """
    (_, index, first, last, term), (low, high), name = tree, ends, written(tree)
    require(index not in place.values, f"{index} means something else")
    fresh = f"[{index}]"
    at = _along(place, index, fresh)
    start, end = place.value(first), place.value(last)
    for whole in (start, end):
        require_integer(whole, place)
    require(is_nonnegative(end - start + 1, place.ranges), "a sum that may end before it begins")
    here, before = with_definitions(at(start + variable(fresh)), [term], forms), at(start - 1 + variable(fresh))
    differences = [here.value(form) - before.value(form) for form in (low, high)]
    least, most = (at(end).value(form) - at(start - 1).value(form) for form in (low, high))
    if low == high:
        prove("eq", differences[0], here.value(term), here, {})
        return replace(place, values={**place.values, name: least})
    prove("le", differences[0], here.value(term), here, {})
    prove("le", here.value(term), differences[1], here, {})
    return Region(
        {**place.values, name: least + variable(above)},
        {**place.ranges, above: Bound(Fraction(0), False)},
        (*place.constraints, most - least - variable(above)),
    )


def _along(place: Region, index: str, fresh: str) -> Callable[[Any], Region]:
    """The region where the index has a value, which may depend on one more natural number."""
    ranges = {**place.ranges, fresh: NATURAL}
    return lambda value: replace(place, values={**place.values, index: lift(value)}, ranges=ranges)


def by_induction(place: Region, relation: Any, step: Any, prepared: Callable[[Region], Region]) -> None:
    """Raise `Rejected` unless the step shows the relation for every value of the integer that it names.

    It holds at the first value; and right - left at x + 1 is at least `factor` > 0 times (of an equation: is) what it
    is at x. What is stated of the integer itself is not used: it may hold at x + 1 and not at x.
    """
    (op, left, right), name = relation, step["induct"]
    require(step.keys() == {"induct", "factor", "first", "next"}, "no induction")
    require(place.ranges[name].whole, "induction is on an integer")
    pay(len(place.values) + len(place.constraints))
    # nor are values of sums, quantities and e^x, which were found for x
    place = replace(
        place,
        values={y: value for y, value in place.values.items() if y in place.ranges},
        constraints=tuple(c for c in place.constraints if not any(name in v for v in variables_of(c))),
    )
    x = variable(name)
    starts = (lift(place.ranges[name].low + int(place.ranges[name].strict)), x, x + 1)
    first, here, above = (prepared(replace(place, values={**place.values, name: start})) for start in starts)
    require(all(at.ranges == place.ranges for at in (first, here, above)), "what is enclosed is another at x + 1")
    gaps = [at.value(right) - at.value(left) for at in (first, here, above)]
    factor = here.value(step["factor"])
    prove("lt", 0, factor, here, {})
    prove(op, 0, gaps[0], first, step["first"])
    prove("eq" if op == "eq" else "le", factor * gaps[1], gaps[2], here, step["next"])


def with_lemmas(place: Region, lemmas: Iterable[Any]) -> Region:
    """The region with trees >= 0 among what is stated, each shown by its step."""
    stated = [*place.constraints]
    place = replace(place, constraints=stated)
    for tree, step in lemmas:
        if "induct" in step:
            by_induction(place, ("le", 0, tree), step, lambda at: at)
        else:
            prove("le", 0, place.value(tree), place, step)
        stated.append(place.value(tree))
    return place
