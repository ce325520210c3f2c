"""Sums whose ends are symbolic: closed by telescoping, or enclosed by it. Induction on an integer."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dp_checks.kernel.domains import Region, prove, require_integer
from dp_checks.kernel.polynomial import Bound, is_nonnegative, lift, variable
from dp_checks.kernel.terms import symbols
from dp_checks.kernel.work import require, spend

Forms = Sequence[Any]
NATURAL = Bound(Fraction(0), False, whole=True)


def with_sums(place: Region, trees: Iterable[Any], forms: Forms) -> Region:
    """The region with a value for every sum in the trees that has forms [sum, low, high], trees in what it runs over.

    From the first x on low(x) - low(x - 1) <= term(x) <= high(x) - high(x - 1): the sum lies between low(last) -
    low(first - 1) and the same of high; it is this where they are one tree (last = first - 1: no terms).
    """
    for tree in (found for top in trees for found in _sums(top)):
        name, (_, index, first, last, term) = json.dumps(tree), tree
        spend((1 + (len(name) >> 4)) * len(forms))
        listed = [trees for of, *trees in forms if of == tree]
        if name in place.values or not listed:
            continue
        require(index not in place.values, f"{index} means something else")
        fresh = f"[{index}]"
        at = _along(place, index, fresh)
        start, end = place.value(first), place.value(last)
        for whole in (start, end):
            require_integer(whole, place)
        require(is_nonnegative(end - start + 1, place.ranges), "a sum that may end before it begins")
        here, before = with_sums(at(start + variable(fresh)), [term], forms), at(start - 1 + variable(fresh))
        low, high = listed[0]
        differences = [here.value(form) - before.value(form) for form in (low, high)]
        least, most = (at(end).value(form) - at(start - 1).value(form) for form in (low, high))
        if low == high:
            prove("eq", differences[0], here.value(term), here, {})
            place = replace(place, values={**place.values, name: least})
            continue
        prove("le", differences[0], here.value(term), here, {})
        prove("le", here.value(term), differences[1], here, {})
        above = variable(f"[above {name}]")  # >= 0, and no more than most - least
        place = Region(
            {**place.values, name: least + above},
            {**place.ranges, f"[above {name}]": Bound(Fraction(0), False)},
            (*place.constraints, most - least - above),
        )
    return place


def _along(place: Region, index: str, fresh: str) -> Callable[[Any], Region]:
    """The region where the index has a value, which may depend on one more natural number."""
    ranges = {**place.ranges, fresh: NATURAL}
    return lambda value: replace(place, values={**place.values, index: lift(value)}, ranges=ranges)


def _sums(tree: Any) -> Iterator[Any]:
    """The outermost sums of a tree."""
    if isinstance(tree, list) and tree[0] == "sum":
        yield tree
    elif isinstance(tree, list):
        for argument in tree[1:]:
            yield from _sums(argument)


def by_induction(domain: Any, place: Region, relation: Any, step: Any, prepared: Callable[[Region], Region]) -> None:
    """Raise `Rejected` unless the step shows the relation for every value of the variable that it names.

    It holds at the first value; and right - left at x + 1 is at least `factor` > 0 times (of an equation: is) what it
    is at x. No constraint may hold at x + 1 and not at x: none names the variable.
    """
    op, left, right = relation
    name = step["induct"]
    require(step.keys() == {"induct", "factor", "first", "next"}, "no induction")
    require(domain["variables"][name]["integer"], "induction is on an integer")
    require(not any(name in symbols(tree) for tree in domain["constraints"]), "a constraint names the integer")
    x = variable(name)
    starts = (lift(place.ranges[name].low + int(place.ranges[name].strict)), x, x + 1)
    first, here, above = (prepared(replace(place, values={**place.values, name: start})) for start in starts)
    closed = all(at.constraints == place.constraints for at in (first, here, above))
    require(closed, "a sum that is enclosed is another one at x + 1")
    gaps = [at.value(right) - at.value(left) for at in (first, here, above)]
    factor = here.value(step["factor"])
    prove("lt", 0, factor, here, {})
    prove(op, 0, gaps[0], first, step["first"])
    prove("eq" if op == "eq" else "le", factor * gaps[1], gaps[2], here, step["next"])
