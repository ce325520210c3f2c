"""The grammar of laws enumerated a second time (see `worlds`; `dp_spec.vocabulary.law` says what its words mean)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

from attack import arcs
from attack.worlds import Distribution, Held, MeaninglessError, UndecidedError, World


def collected(weighted: Iterator[tuple[Any, Fraction]]) -> Distribution:
    """Outcomes with their total weights, without zeros."""
    total: Distribution = {}
    for y, p in weighted:
        if p:
            total[y] = total.get(y, Fraction(0)) + p
    return total


def independent(laws: list[Distribution]) -> Distribution:
    """The joint law."""
    return collected(
        (tuple(y for y, _ in choice), prod((p for _, p in choice), start=Fraction(1)))
        for choice in product(*(law.items() for law in laws))
    )


def outcomes(term: Any, s: Held, world: World) -> Distribution:
    """The law of the outcome of a user who holds s."""
    return _remembered("outcomes", _enumerated, term, s, world)


def _remembered(
    what: str, of: Callable[[Any, Held, World], Distribution], term: Any, s: Held, world: World
) -> Distribution:
    """A law, which is enumerated once in a world. It must not be changed."""
    key = what, id(term), s
    if key not in world.known:
        world.known[key] = term, of(term, s, world)
    return world.known[key][1]


def _enumerated(term: Any, s: Held, world: World) -> Distribution:
    match term:
        case ["hashed", *_] | ["push", "emit", ["hashed", *_]]:
            return arcs.law(term, s, world)
        case ["row", kinds]:
            if len(s) != 1:
                raise MeaninglessError("a row is a law of one item")
            [x] = s
            return row(kinds, "sen" if x < world.k else "non", x, world)
        case ["each", "held", of]:
            ordered = [x for x in world.order or world.items if x in s]
            return independent([outcomes(of, frozenset([x]), world) for x in ordered])
        case ["each", "items", ["row", kinds]]:
            return independent(
                [row(kinds, ("sen" if x < world.k else "non") + str(int(x in s)), x, world) for x in world.items]
            )
        case ["drawn", of]:
            if not s:
                raise MeaninglessError("nothing to draw from")
            return collected((y, p / len(s)) for x in sorted(s) for y, p in outcomes(of, frozenset([x]), world).items())
        case ["pair", one, other]:
            return independent([outcomes(one, s, world), outcomes(other, s, world)])
        case ["copies", number, of]:
            return independent([outcomes(of, s, world)] * world.natural(number, 0))
        case ["mix", family, labels, of]:
            if len(s) != 1:
                raise MeaninglessError("one item is mapped to a label")
            [x] = s
            inner = labeled(world, labels)
            return collected(
                ((image, y), weight * p)
                for image, weight in maps(world, family, inner.k)
                for y, p in outcomes(of, frozenset([image[x]]), inner).items()
            )
        case ["thinned", number, of]:
            sent = world.number(number)
            if not 0 <= sent <= 1:
                raise MeaninglessError("no chance")
            some = [((y,), sent * p) for y, p in outcomes(of, s, world).items()]
            return collected(iter([*some, ((), 1 - sent)]))
        case ["subset", size, hit, miss]:
            listed = combinations(world.items, world.natural(size, 1))
            chances = {y: world.number(hit if s & set(y) else miss) for y in listed}
            return law(chances)
        case ["dummies", _, of]:
            inner, held = completed(term, s, world)
            return outcomes(of, held, inner)
        case ["sampled" | "filled", of]:
            sets = brought(term[0], s, world)
            return collected((y, p / len(sets)) for held in sets for y, p in outcomes(of, held, world).items())
        case ["push", name, of]:
            return collected((pushed(name, y, world.k), p) for y, p in outcomes(of, s, world).items())
    raise UndecidedError(f"no enumeration of {term[0]}")


def row(kinds: Any, kind: str, x: int, world: World) -> Distribution:
    """One row of a table."""
    cells = kinds.get(kind, kinds.get("*"))
    if cells is None:
        raise MeaninglessError(f"no row for {kind}")
    sensitive = range(world.k)
    entries: list[tuple[Any, Fraction]] = []
    for name, tree in cells.items():
        classes: dict[str, list[Any]] = {
            "own": [x],
            "other": [z for z in sensitive if z != x],
            "any": list(sensitive),
            "pad": [(x, z) for z in sensitive],
        }
        labels = classes.get(name, [])
        if name in ("0", "1"):
            labels = [int(name)]
        elif name not in ("own", "other", "any", "pad"):
            raise MeaninglessError(f"no class {name}")
        p = world.number(tree)
        if p < 0 and labels:
            raise MeaninglessError("a negative probability")
        entries += [(y, p) for y in labels]
    return law(collected(iter(entries)))


def law(chances: Distribution) -> Distribution:
    """The distribution, if it is one."""
    if sum(chances.values()) != 1 or min(chances.values()) < 0:
        raise MeaninglessError("no probability law")
    return {y: p for y, p in chances.items() if p}


def labeled(world: World, labels: Any) -> World:
    """The world of a `mix`: its labels are the items, one is held."""
    return replace(world, m=1, k=world.natural(labels, 1), n=0, order=())


def maps(world: World, family: str, labels: int) -> list[tuple[tuple[int, ...], Fraction]]:
    """Maps of all items to labels with weights, such that any two items share a label with the stated chance."""
    if family in world.listed:
        return list(world.listed[family])
    premises = world.families.get(family)
    if premises is None:
        raise UndecidedError("nothing is assumed of the family")
    wanted = world.number(premises)
    d = world.k + world.n
    every = list(product(range(labels), repeat=d))
    low: list[Any] = every
    if wanted < Fraction(1, labels):  # fewer collisions than independent labels have: as even as can be
        spread = [sorted(map(f.count, range(labels))) for f in every]
        low = [f for f, counts in zip(every, spread, strict=True) if counts[-1] - counts[0] <= 1]
    high = [f for f in every if len(set(f)) == 1] if wanted >= Fraction(1, labels) else every
    if d < 2:
        return [(f, Fraction(1, len(every))) for f in every]
    least, most = (Fraction(sum(f[0] == f[1] for f in fs), len(fs)) for fs in (low, high))
    if not least <= wanted <= most:
        raise MeaninglessError("no family of maps is like that")
    share = (wanted - least) / (most - least) if most > least else Fraction(0)
    functions = [(f, (1 - share) / len(low)) for f in low] + [(f, share / len(high)) for f in high]
    return list(collected(iter(functions)).items())


def completed(term: Any, s: Held, world: World) -> tuple[World, Held]:
    """The world with m dummies, and the set with the first of them."""
    if len(s) > world.m:
        raise MeaninglessError("more than m items")
    sensitive = term[1] == "sen"
    first = world.k if sensitive else world.k + world.n
    moved = {x if x < first else x + world.m for x in s}
    held = frozenset(moved | set(range(first, first + world.m - len(s))))
    more = {"k": world.k + world.m} if sensitive else {"n": world.n + world.m}
    return replace(world, order=(), **more), held  # type: ignore[arg-type]


def brought(name: str, s: Held, world: World) -> list[Held]:
    """The sets of m items that a larger or smaller set may become."""
    if (len(s) > world.m) != (name == "sampled"):
        raise MeaninglessError("a set of another size")
    if name == "sampled":
        return [frozenset(c) for c in combinations(sorted(s), world.m)]
    rest = sorted(set(world.items) - s)
    return [s | set(c) for c in combinations(rest, world.m - len(s))]


def pushed(name: str, y: Any, k: int) -> tuple[Any, tuple[int, ...]]:
    """What a function of the outcome shows: (y0, I)."""
    try:
        match name:
            case "multiset":
                return tuple(sorted(z for z in y if z < k)), tuple(sorted(z for z in y if z >= k))
            case "set":
                return tuple(sorted({z for z in y if z < k})), tuple(sorted(z for z in y if z >= k))
            case "position":
                return tuple(z if z < k else None for z in y), tuple(sorted(z for z in y if z >= k))
            case "padded":
                pairs = [z if isinstance(z, tuple) else (None, z) for z in y]
                return tuple(sorted(z for _, z in pairs)), tuple(sorted(x for x, _ in pairs if x is not None))
            case "one":
                return (y, ()) if y < k else (None, (y,))
            case "bits" | "whole":
                invertible = tuple(k + j for j, bit in enumerate(y[k:]) if bit)
                return (y[:k], invertible) if name == "bits" else ((y[:k], invertible), invertible)
            case "vectors":
                invertible = tuple(sorted(k + j for bits in y for j, bit in enumerate(bits[k:]) if bit))
                return tuple(bits[:k] for bits in y), invertible
            case "sorted":
                return tuple(sorted(flat(y))), ()
    except TypeError as error:
        raise MeaninglessError(f"{name} of {y}") from error
    raise UndecidedError(f"no function {name}")


def flat(y: Any) -> list[Any]:
    return [z for part in y for z in flat(part)] if isinstance(y, tuple) else [y]


def shows(term: Any) -> bool:
    """Whether outcomes are outputs (y0, I)."""
    return bool(term[0] == "push" or (term[0] in ("dummies", "sampled", "filled") and shows(term[-1])))


def outputs(term: Any, s: Held, world: World) -> Distribution:
    """The law of the output (y0, I)."""
    return outcomes(term, s, world) if shows(term) else _remembered("outputs", _without_set, term, s, world)


def _without_set(term: Any, s: Held, world: World) -> Distribution:
    return {(y, ()): p for y, p in outcomes(term, s, world).items()}


def counted(term: Any, y: Any, x: int, world: World) -> int:
    """What an outcome adds to the count of item x."""
    match term:
        case ["hashed", *_] | ["push", "emit", ["hashed", *_]]:
            return arcs.counted(term, y, x, world)
        case ["row", _]:
            return int(y == x)
        case ["each", "held", of]:
            return sum(counted(of, part, x, world) for part in y)
        case ["each", "items", _]:
            return int(y[x])
        case ["drawn" | "sampled" | "filled", of]:
            return counted(of, y, x, world)
        case ["pair", one, other]:
            return counted(one, y[0], x, world) + counted(other, y[1], x, world)
        case ["copies", _, of]:
            return sum(counted(of, part, x, world) for part in y)
        case ["mix", _, labels, of]:
            image, part = y
            return counted(of, part, image[x], labeled(world, labels))
        case ["thinned", _, of]:
            return counted(of, y[0], x, world) if y else 0
        case ["subset", *_]:
            return int(x in y)
        case ["dummies", kind, of]:
            inner, _ = completed(term, frozenset(), world)
            return counted(of, y, x + world.m if kind == "sen" and x >= world.k else x, inner)
        case ["push", name, _]:
            y0, invertible = y
            if x >= world.k:
                return int(invertible.count(x))
            return _count_of(name, y0, x)
    raise UndecidedError(f"no count of {term[0]}")


def _count_of(name: str, y0: Any, x: int) -> int:
    match name:
        case "bits":
            return int(y0[x])
        case "whole":
            return int(y0[0][x])
        case "vectors":
            return sum(int(bits[x]) for bits in y0)
        case "one":
            return int(y0 == x)
    return int(y0.count(x))


def adds(term: Any, s: Held, x: int, world: World) -> Distribution:
    """The law of what a user who holds s adds to the count of x."""
    if x >= world.k and not shows(term) and term[0] != "subset":
        return {0: Fraction(1)}  # without a function of the outcome nothing is shown
    return collected((counted(term, y, x, world), p) for y, p in outcomes(term, s, world).items())


def mean_of(distribution: Distribution) -> Fraction:
    return sum((y * p for y, p in distribution.items()), Fraction(0))
