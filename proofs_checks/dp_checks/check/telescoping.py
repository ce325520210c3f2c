"""Closed forms of sums with symbolic ends: antidifferences of polynomials times powers b^(e x)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import comb
from typing import Any

from dp_kernel.formulas.definitions import NATURAL, with_definitions
from dp_kernel.formulas.domains import Region
from dp_kernel.judgements.additive import derived, with_quantities, within
from dp_kernel.judgements.error_terms import with_errors
from dp_kernel.meter import Rejected
from dp_kernel.numbers.polynomial import POWER, Polynomial, Ratio, is_nonnegative, lift, variable, variables_of

Forms = list[Any]
Enclosures = Sequence[tuple[Any, Any]]
"""Trees that enclose the terms of a sum, in what it runs over."""
Json = Any


def forms(statement: Json, place: Region, trees: list[Json], enclosures: Enclosures = ()) -> Forms:
    """A form for every sum in a statement's quantities and in the trees that has an antidifference of this kind, or is
    enclosed by two terms that have one. (The kernel checks all of them.)"""
    entries: Forms = []
    for quantity in statement.get("quantities", {}).values():
        inner = within(statement, quantity, place)
        _find(inner, [derived(quantity, inner)], entries, enclosures)
    place = with_definitions(with_quantities(statement, with_errors(statement, place), entries), trees)
    _find(place, trees, entries, enclosures)
    return entries


def _find(place: Region, trees: list[Json], entries: Forms, enclosures: Enclosures) -> None:
    for tree in (part for top in trees for part in _outermost(top)):
        _, index, first, last, term = tree
        if any(form[0] == tree for form in entries) or all(isinstance(end, int) for end in (first, last)):
            continue
        fresh = f"[{index}]"
        values = {**place.values, index: place.value(first) + variable(fresh)}
        here = replace(place, values=values, ranges={**place.ranges, fresh: NATURAL})
        _find(here, [term], entries, enclosures)
        value = with_definitions(here, [term], entries).value(term)
        try:
            form = _form(value, index, first, place)
            entries.append([tree, form, form])
        except ValueError:
            pairs = [(low, high) for low, high in enclosures if _encloses(here, low, value, high)]
            if not pairs:
                raise
            entries.append([tree, *(_form(here.value(end), index, first, place) for end in pairs[0])])


def _encloses(here: Region, low: Json, value: Ratio, high: Json) -> bool:
    try:
        least, most = here.value(low), here.value(high)
    except (Rejected, ValueError):
        return False
    return all(is_nonnegative(gap, here.ranges) for gap in (value - least, most - value))


def _form(value: Ratio, index: str, first: Json, place: Region) -> Json:
    """The antidifference of a value as a tree in the index."""
    steps: Json = ["sub", index, first]
    form: Json = 0
    if value == 0:  # whatever its denominator is
        return form
    for powers, coefficients in _antidifference(value, f"[{index}]").items():
        for n, c in enumerate(coefficients):
            if c == 0:
                continue
            part = _tree(c, place)
            for base, e in powers:
                part = ["mul", part, ["pow", _base(base), ["mul", e, steps]]]
            form = ["add", form, ["mul", part, ["pow", steps, n]]]
    return form


def _outermost(tree: Json) -> Iterator[Json]:
    if isinstance(tree, list):
        if tree[0] == "sum":
            yield tree
        else:
            for part in tree[1:]:
                yield from _outermost(part)


Powers = tuple[tuple[str, int], ...]


def _antidifference(value: Ratio, x: str) -> Mapping[Powers, list[Ratio]]:
    """G with G(x) - G(x - 1) = value: by powers of bases to x, the coefficients of a polynomial in x.

    Raises `ValueError` for a value whose denominator is more than such powers times what is free of x.
    """
    below = {_split(monomial, x)[:2] for monomial in value.den}
    if len(below) != 1 or (degree := next(iter(below)))[0] != 0:
        raise ValueError("no closed form of this kind")
    shift, rest = dict(degree[1]), {_split(monomial, x)[2]: c for monomial, c in value.den.items()}
    grouped: dict[Powers, dict[int, Polynomial]] = {}
    for monomial, c in value.num.items():
        n, powers, free = _split(monomial, x)
        exponents = {base: dict(powers).get(base, 0) - shift.get(base, 0) for base in {*dict(powers), *shift}}
        key = tuple(sorted((base, e) for base, e in exponents.items() if e))
        grouped.setdefault(key, {}).setdefault(n, {})[free] = c
    return {
        key: _solved([Ratio(by.get(n, {}), rest) for n in range(max(by) + 1)], _product(key))
        for key, by in grouped.items()
    }


def _split(monomial: Any, x: str) -> tuple[int, Powers, Any]:
    """The exponent of x, the bases to the power of x with their exponents, and what is free of x."""
    n, powers, free = 0, [], []
    for name, e in monomial:
        power = POWER.fullmatch(name)
        if name == x:
            n = e
        elif power and power[2] == x:
            powers.append((power[1], e))
        elif x in name:
            raise ValueError("no closed form of this kind")
        else:
            free.append((name, e))
    return n, tuple(powers), tuple(free)


def _product(powers: Powers) -> Ratio:
    product = lift(1)
    for base, e in powers:
        product = product * (lift(int(base)) if base.isdigit() else variable(base)) ** e
    return product


def _solved(q: list[Ratio], base: Ratio) -> list[Ratio]:
    """P with P(x) - P(x - 1) / base = q(x), from the highest power on; without a constant where the base is 1."""
    one = base == 1
    p = [lift(0)] * (len(q) + one)
    for m in range(len(q) - 1, -1, -1):
        coefficient = q[m]
        for n in range(m + 1 + one, len(p)):
            coefficient = coefficient + p[n] * comb(n, m) * (-1) ** (n - m) / base
        if one:
            p[m + 1] = coefficient / (m + 1)
        else:
            p[m] = coefficient / (1 - 1 / base)
    return p


def _tree(value: Ratio, place: Region) -> Json:
    """The value as a tree: powers by their names, natural numbers [i] by what i is beyond them."""

    def of(polynomial: Polynomial) -> Json:
        total: Json = 0
        for monomial, c in polynomial.items():
            part: Json = c
            for name, e in monomial:
                part = ["mul", part, ["pow", _named(name, place), e]]
            total = ["add", total, part]
        return total

    return ["div", of(value.num), of(value.den)]


def _named(name: str, place: Region) -> Json:
    if power := POWER.fullmatch(name):
        return ["pow", _base(power[1]), _named(power[2], place)]
    if not name.startswith("["):
        beyond = ((x, value - variable(name)) for x, value in place.values.items())
        return next((["sub", x, _tree(c, place)] for x, c in beyond if not variables_of(c)), name)
    index = name[1:-1]
    return ["sub", index, _tree(place.values[index] - variable(name), place)]


def _base(text: str) -> Json:
    return int(text) if text.isdigit() else text
