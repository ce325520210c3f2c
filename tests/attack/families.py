"""Families of functions to judge statements about sketches by: random ones, all functions, those of a witness."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from attack.worlds import MeaninglessError, UndecidedError, World

Json = dict[str, Any]
Choose = Callable[[int], int]
Family = list[tuple[tuple[int, ...], Fraction]]
"""Labels of all items, with their chances."""
MOST = 100
"""Functions, and draws of several, that are looked at."""


def functions(items: int, labels: int, choose: Choose) -> Family:
    """A few functions with random chances."""
    images = [tuple(choose(labels) for _ in range(items)) for _ in range(1 + choose(3))]
    weights = [1 + choose(3) for _ in images]
    return [(image, Fraction(weight, sum(weights))) for image, weight in zip(images, weights, strict=True)]


def worlds(term: Any, world: World) -> Iterator[tuple[str, int, int]]:
    """Every choice of a term, with the numbers of its items and its labels."""
    if term[0] == "mix":
        labels = world.natural(term[2], 1)
        yield term[1], world.k + world.n, labels
        world = World(1, labels, 0, world.values, (), world.families)
    for part in term[1:]:
        if isinstance(part, list) and isinstance(part[0], str):
            yield from worlds(part, world)


def has_premise(family: Family, premise: Any, world: World) -> bool:
    chances = {
        sum((p for image, p in family if image[x] == image[y]), Fraction(0))
        for x, y in combinations(range(len(family[0][0])), 2)
    }
    if premise == "separating":
        return any(chance < 1 for chance in chances)
    return premise is None or chances <= {world.number(premise)}


class NoFamilyError(MeaninglessError):
    """No family of functions has the premises."""


def families(law: Json, world: World, choose: Choose) -> Mapping[str, Family]:
    """Families of which no number is assumed (others are made up from it). Raises `NoFamilyError`."""
    by_name = {}
    for name, items, labels in worlds(law["term"], world):
        premise = law.get("families", {}).get(name)
        if premise == "separating" and min(items, labels) < 2:
            raise NoFamilyError("one item, or one label: nothing is separated")
        while premise in (None, "separating") and name not in by_name:
            some = functions(items, labels, choose)
            if has_premise(some, premise, world):
                by_name[name] = some
    return by_name


def read(law: Json, hashes: Any, world: World) -> Mapping[str, Family]:
    """The families of a witness. Raises `MeaninglessError` unless they are some, with the premises of the law."""
    by_name: dict[str, Family] = {}
    for name, items, labels in worlds(law["term"], world):
        by_name[name] = [(tuple(image), Fraction(p)) for p, image in hashes[name]]
        right = all(len(image) == items and set(image) <= set(range(labels)) for image, _ in by_name[name])
        if not right or sum(p for _, p in by_name[name]) != 1 or min(p for _, p in by_name[name]) <= 0:
            raise MeaninglessError("no family")
        if not has_premise(by_name[name], law.get("families", {}).get(name), world):
            raise MeaninglessError("a family without its premise")
    return by_name


def draws(statement: Json, world: World, choose: Choose, witness: bool = False) -> Family:
    """Functions of which any two or three values are independent and uniform: all of them, or, where any two are, a y +
    c modulo the number of labels (those of a witness)."""
    items, labels = world.k, world.natural(statement["labels"], 1)
    if labels**items > MOST:
        raise UndecidedError("too many functions")
    every = [(image, Fraction(1, labels**items)) for image in product(range(labels), repeat=items)]
    if statement["independence"] == "distinct":
        return every
    lines = [tuple((a * y + c) % labels for y in range(items)) for a in range(labels) for c in range(labels)]
    affine = statement["independence"] == "pairwise" and (
        witness or (labels in (2, 3, 5) and items <= labels and choose(2))
    )
    law = [(image, Fraction(1, labels**2)) for image in lines] if affine else every
    if not witness and items == 4 and labels == 2 and choose(2):
        law = [(image, 2 * p) for image, p in every if sum(image) % 2 == 0]
    number = min(items, {"pairwise": 2, "threewise": 3}[statement["independence"]])
    for chosen in combinations(range(items), number):
        for values in product(range(labels), repeat=number):
            chance = sum(p for image, p in law if tuple(image[x] for x in chosen) == values)
            if chance != Fraction(1, labels**number):
                raise MeaninglessError("values that are dependent")
    return law
