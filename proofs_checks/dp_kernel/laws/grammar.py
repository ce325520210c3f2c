"""Law terms: their grammar, and the law itself at given sizes over any numbers (the grammar's meaning).

Items are 0..K-1 (sensitive) and K..K+N-1; a user holds a set of them. See `dp_spec.vocabulary.law` for the words::

    ["row", {kind: {class: probability}}]   one item, one output
    ["each", "held" | "items", T]           independently for every held item, or (a row of bits) for every item
    ["drawn", T]                            one held item, uniformly
    ["pair", T, T], ["copies", number, T]   independent laws side by side
    ["mix", family, labels, T]              a published choice maps the item to a label of a world of its own
    ["thinned", chance, T]                  the outcome with this chance, else nothing
    ["subset", size, hit, miss]             a subset of the items, by whether it meets the held set
    ["hashed", family, ["interval", length, weight]]    a point of the circle, and the hash function (see `interval`):
                                            which function, and the items whose arcs hold the point
    ["dummies", "sen" | "non", T]           the set is completed to m by the first of m dummy items
    ["sampled", T], ["filled", T]           a larger set loses items drawn uniformly, a smaller one gains other items
    ["push", f, T]                          a function of the outcome
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from dp_kernel.formulas.terms import evaluate
from dp_kernel.laws.arc_instances import point_law
from dp_kernel.meter import Rejected, paid, pay, require
from dp_kernel.numbers.json_numbers import integer

Items = tuple[int, ...]
Output = tuple[Any, Items]
Distribution = dict[Any, Any]

NODES: Mapping[str, tuple[str, ...]] = {
    "row": ("entries",),
    "pair": ("law", "law"),
    "copies": ("number", "law"),
    "mix": ("word", "number", "law"),
    "thinned": ("number", "law"),
    "subset": ("number", "number", "number"),
    "interval": ("number", "number"),
    **dict.fromkeys(("each", "hashed", "dummies", "push"), ("word", "law")),
    **dict.fromkeys(("drawn", "sampled", "filled"), ("law",)),
}
"""What the nodes of a term are made of; numbers and entries are expressions."""
SEPARATING = "separating"
"""A premise of a family: some two items have different labels under some choice. Others are the chance that any two
share one."""
BROUGHT = ("dummies", "sampled", "filled")
"""Nodes that bring sets of other sizes to m items."""


class World(NamedTuple):
    """K and N, in which order the items of a set are processed, and the listed families of `mix` and `hashed`:
    [(weight, image of every item)]."""

    k: int
    n: int
    order: Items = ()
    families: Mapping[str, list[tuple[Any, tuple[Any, ...]]]] = {}


def parts(term: Any) -> list[Any]:
    """The laws that a law is made of."""
    return [part for sort, part in zip(NODES[term[0]], term[1:], strict=True) if sort == "law"]


def inside(term: Any, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The sizes in the world of these laws: `mix` has one of its labels, in `dummies` m items have joined."""
    match term:
        case ["mix", _, labels, _]:
            return {**values, "K": evaluate(labels, values), "N": Fraction(0), "m": Fraction(1)}
        case ["dummies", kind, _]:
            name = "K" if kind == "sen" else "N"
            return {**values, name: values[name] + values["m"]}
    return values


def nodes(term: Any, values: Mapping[str, Any]) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """Every node of a term, with the sizes of its world."""
    yield term, values
    for part in parts(term):
        yield from nodes(part, inside(term, values))


def valued(term: Any, values: Mapping[str, Any]) -> Any:
    """The term with numbers for its expressions."""
    read: Mapping[str, Callable[[Any], Any]] = {
        "entries": lambda kinds: {x: {y: evaluate(z, values) for y, z in cells.items()} for x, cells in kinds.items()},
        "word": str,
        "number": lambda tree: evaluate(tree, values),
        "law": lambda of: valued(of, inside(term, values)),
    }
    return [term[0], *(read[sort](part) for sort, part in zip(NODES[term[0]], term[1:], strict=True))]


def output_law(term: Any, s: Items, m: int, world: World) -> dict[Output, Any]:
    """The exact law of the output (y0, I) of a user who holds s; the term's expressions are numbers."""
    law = outcome_law(term, s, m, world)
    return law if is_seen(term) else {(y, ()): chance for y, chance in law.items()}


def is_seen(term: Any) -> bool:
    """Whether a function of the outcome says what is seen."""
    return bool(term[0] == "push" or (term[0] in BROUGHT and is_seen(term[-1])))


def outcome_law(term: Any, s: Items, m: int, world: World) -> Distribution:
    """The exact law of the outcome."""
    k, n = world.k, world.n
    pay(k + n)
    match term:
        case ["row", kinds]:
            require(len(s) == 1, "a law of one item")
            return _cells(kinds, "sen" if s[0] < k else "non", s[0], k)
        case ["each", "held", of]:
            return _independent([outcome_law(of, (x,), m, world) for x in world.order or range(k + n) if x in s])
        case ["each", "items", ["row", kinds]]:
            named = [("sen" if x < k else "non") + str(int(x in s)) for x in range(k + n)]
            return _independent([_cells(kinds, kind, x, k) for x, kind in enumerate(named)])
        case ["drawn", of]:
            require(bool(s), "nothing to draw from")
            return mixed((Fraction(1, len(s)), outcome_law(of, (x,), m, world)) for x in s)
        case ["pair", first, second]:
            return _independent([outcome_law(first, s, m, world), outcome_law(second, s, m, world)])
        case ["copies", number, of]:
            return _independent([outcome_law(of, s, m, world)] * integer(int(number), 0, 8))
        case ["mix", family, labels, of]:
            require(len(s) == 1, "a law of one item")
            inner = World(int(labels), 0, (), world.families)
            return _published(world, family, lambda image: outcome_law(of, (image[s[0]],), 1, inner))
        case ["thinned", chance, of]:
            sent = {(y,): p for y, p in outcome_law(of, s, m, world).items()}
            return mixed([(chance, sent), (1 - chance, {(): Fraction(1)})])
        case ["hashed", family, ["interval", length, weight]]:
            return _published(world, family, lambda h: point_law(s, h, m, Fraction(length), Fraction(weight)))
        case ["subset", size, hit, miss]:
            subsets = paid(combinations(range(k + n), integer(int(size), 1, k + n)), hit, miss)
            return {y: miss if set(y).isdisjoint(s) else hit for y in subsets}
        case ["dummies", _, of]:
            inner, held = completed(term, s, m, world)
            return outcome_law(of, held, m, inner)
        case ["sampled" | "filled", of]:
            sets = [set(c) for c in paid(combinations(range(k + n), m))]
            drawn = [c for c in sets if (c < set(s) if term[0] == "sampled" else c >= set(s))]
            require(bool(drawn), "a set of another size")
            return mixed((Fraction(1, len(drawn)), outcome_law(of, tuple(sorted(c)), m, world)) for c in drawn)
        case ["push", "emit", of]:
            points = outcome_law(of, s, m, world)
            return {(y, tuple(x for x in s if x >= k and x not in y[1])): chance for y, chance in points.items()}
        case ["push", name, of]:
            law = outcome_law(of, s, m, world)
            return mixed((chance, {PUSHES[name].of(y, k): Fraction(1)}) for y, chance in law.items())
    raise Rejected(f"no enumeration of {term[0]}")


def _cells(kinds: Any, kind: str, x: int, k: int) -> Distribution:
    labels: Mapping[str, list[Any]] = {
        "own": [x],
        "other": [z for z in range(k) if z != x],
        "any": [*range(k)],
        "pad": [(x, z) for z in range(k)],
        "0": [0],
        "1": [1],
    }
    cells = kinds[kind if kind in kinds else "*"]
    return mixed((chance, {y: Fraction(1)}) for name, chance in cells.items() for y in labels[name])


def _published(world: World, family: str, law: Callable[[Any], Distribution]) -> Distribution:
    """The number of the choice, and what comes of its images of the items."""
    require(family in world.families, "the families and hash functions of an instance are listed")
    choices = enumerate(world.families[family])
    return mixed((weight, {(i, y): chance for y, chance in law(h).items()}) for i, (weight, h) in choices)


def _independent(laws: list[Distribution]) -> Distribution:
    total: Distribution = {(): Fraction(1)}
    for law in laws:
        pay(len(total) * len(law) * (1 + len(laws)))
        total = mixed((p, {(*y, z): q for z, q in law.items()}) for y, p in total.items())
    return total


def mixed(laws: Iterable[tuple[Any, Distribution]]) -> Distribution:
    """One of the laws, each with its weight."""
    total: Distribution = {}
    for weight, law in laws:
        pay(1, weight, *law.values())
        for y, chance in law.items():
            total[y] = total.get(y, 0) + chance * weight
    return total


def completed(term: Any, s: Items, m: int, world: World) -> tuple[World, Items]:
    """The world and the set that a law sees: m dummies join the items of a kind, and the first of them complete the
    set. Sensitive dummies are numbered K..K+m-1, the non-sensitive items move up."""
    if term[0] != "dummies":
        return world, s
    require(len(s) <= m, "a set of more than m items")
    sensitive, d = term[1] == "sen", world.k + world.n
    first = world.k if sensitive else d
    held = sorted([*(x if x < first else x + m for x in s), *range(first, first + m - len(s))])
    return World(world.k + m * sensitive, world.n + m * (not sensitive)), tuple(held)


def sets_of(sizes: Iterable[int], k: int, n: int) -> list[Items]:
    """All sets of the given sizes in lexicographic order."""
    return [c for size in sizes for c in paid(combinations(range(k + n), size))]


class Push(NamedTuple):
    """A function of outcomes of these shapes; whether it ignores the order of slots; the shape of what it shows."""

    of: Callable[[Any, int], Output]
    shapes: tuple[str, ...]
    symmetric: bool
    shown: str


def _sorted(y: Any, k: int) -> tuple[Items, Items]:
    return tuple(sorted(z for z in y if z < k)), tuple(sorted(z for z in y if z >= k))


def _padded(y: Any, k: int) -> Output:
    labels = tuple(sorted(z if isinstance(z, int) else z[1] for z in y))
    return labels, tuple(sorted(z[0] for z in y if isinstance(z, tuple)))


def _split(y: Any, k: int) -> tuple[Any, Items]:
    return y[:k], tuple(k + j for j, bit in enumerate(y[k:]) if bit)


def _vectors(y: Any, k: int) -> Output:
    parts = [_split(bits, k) for bits in y]
    return tuple(bits for bits, _ in parts), tuple(sorted(x for _, kept in parts for x in kept))


def _flat(y: Any) -> list[int]:
    return [z for part in y for z in (_flat(part) if isinstance(part, tuple) else [part])]


PUSHES: Mapping[str, Push] = {
    "multiset": Push(_sorted, ("slots",), True, "results"),
    "set": Push(lambda y, k: _sorted(set(y), k), ("slots",), True, "set"),
    "position": Push(
        lambda y, k: (tuple(z if z < k else None for z in y), _sorted(y, k)[1]), ("slots",), False, "results"
    ),
    "padded": Push(_padded, ("padded slots",), True, "results"),
    "one": Push(lambda y, k: (y, ()) if y < k else (None, (y,)), ("label", "drawn label"), False, "one"),
    "bits": Push(_split, ("bits", "drawn bits"), False, "bits"),
    "vectors": Push(_vectors, ("vectors",), False, "vectors"),
    "whole": Push(lambda y, k: (_split(y, k), _split(y, k)[1]), ("bits", "drawn bits"), False, "whole"),
    "sorted": Push(lambda y, k: (tuple(sorted(_flat(y))), ()), ("labels",), True, "results"),
    "emit": Push(lambda y, k: y, ("point",), False, "point"),  # with the held items whose arcs avoid the point
}


ROWS = {
    "sen": ("own", "other", "any"),
    "non": ("own", "other", "any", "pad"),
    "*": ("any",),
    **dict.fromkeys(("sen1", "sen0", "non1", "non0"), ("0", "1")),
}
"""The classes of outputs of a row, by its kinds of inputs."""
OF_AN_ITEM = ("label", "labels", "padded label", "bits", "tuple")
BESIDE = {**dict.fromkeys(OF_AN_ITEM, "tuple"), "label": "labels", "labels": "labels"}
SHAPES: Mapping[str, Mapping[str, str]] = {
    "each items": {"bit": "bits"},
    "each held": {
        "label": "slots",
        "padded label": "padded slots",
        "bits": "vectors",
        "labels": "tuples",
        "tuple": "tuples",
    },
    "drawn": {"label": "drawn label", "bits": "drawn bits"},
    "pair": BESIDE,
    "copies": BESIDE,
    "mix": dict.fromkeys((*OF_AN_ITEM, "results"), "tuple"),
    "thinned": dict.fromkeys(OF_AN_ITEM, "tuple"),
    "hashed": {"arcs": "point"},
    **{f"push {name}": dict.fromkeys(push.shapes, push.shown) for name, push in PUSHES.items()},
}
"""What outcomes look like, by what those of the law inside look like."""


def shape(term: Any) -> str:
    """What an outcome looks like. Raises `Rejected` for a term without a meaning: sets are brought to m items first, a
    function of the outcome is the last thing that happens (but what a `mix` shows), items come one by one before."""
    for part in parts(term):
        last = term[0] in BROUGHT or (term[0] == "mix" and part[:2] == ["push", "sorted"])
        require(part[0] not in BROUGHT and (last or part[0] != "push"), f"{part[0]} inside {term[0]}")
    match term:
        case ["row", kinds]:
            bits, padded = "sen1" in kinds, "pad" in kinds.get("non", ())
            rows = ({"sen1", "sen0"}, {"sen1", "sen0", "non1", "non0"}) if bits else ({"sen"}, {"sen", "non"}, {"*"})
            require(set(kinds) in rows, "kinds of inputs that no row has")
            require(all(set(cells) <= set(ROWS[kind]) for kind, cells in kinds.items()), "classes that no row has")
            require(not padded or "own" not in kinds["non"], "a shown item beside a label, or alone")
            return "bit" if bits else "padded label" if padded else "label"
        case ["interval" | "subset", *_]:
            return "arcs" if term[0] == "interval" else "subset"
        case ["dummies" | "sampled" | "filled", *kind, of]:
            require(kind in ([], ["sen"], ["non"]) and not is_of_one_item(of), "a law of one item, or other dummies")
            require(kind != ["non"] or not all_sensitive(of), "dummies of a kind that the law does not have")
            return shape(of)
    op = " ".join(term[:2]) if term[0] in ("each", "push") else term[0]
    require(op not in ("mix", "push sorted") or all_sensitive(term), "a report that does not say which items are shown")
    shapes = {SHAPES.get(op, {}).get(shape(part), "") for part in parts(term)}
    require("" not in shapes, f"{op} of such outcomes")
    return shapes.pop() if len(shapes) == 1 else "tuple"


def is_of_one_item(term: Any) -> bool:
    """Whether a law is about one item (and sets of one)."""
    return term[0] in ("row", "mix") or (
        term[0] in ("push", "copies", "pair", "thinned") and any(map(is_of_one_item, parts(term)))
    )


def all_sensitive(term: Any) -> bool:
    """Whether a law has no non-sensitive items."""
    shows = term[:2] in (["push", "emit"], ["dummies", "non"])
    kinds = term[1] if term[0] == "row" else ()
    return not shows and not any(kind.startswith("non") for kind in kinds) and all(map(all_sensitive, parts(term)))
