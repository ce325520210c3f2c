"""Law terms: their grammar, and the law itself at given sizes over any numbers (the grammar's meaning).

Items are 0..K-1 (sensitive) and K..K+N-1; a user holds a set of them. See `dp_spec.vocabulary.law` for the words.

    ["row", {kind: {class: probability}}]   one item, one output
    ["each", "held" | "items", T]           independently for every held item, or (a row of bits) for every item
    ["drawn", T]                            one held item, uniformly
    ["pair", T, T], ["copies", number, T]   independent laws side by side
    ["mix", family, labels, T]              a published choice maps the item to a label of a world of its own
    ["subset", size, hit, miss]             a subset of the items, by whether it meets the held set
    ["hashed", family, ["interval", length, weight]]    a point of the circle, and the hash function (see `interval`):
                                            which function, and the items whose arcs hold the point
    ["dummies", "sen" | "non", T]           the set is completed to m by the first of m dummy items
    ["sampled", T], ["filled", T]           a larger set loses items drawn uniformly, a smaller one gains other items
    ["push", f, T]                          a function of the outcome
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from dp_checks.kernel.exact import integer
from dp_checks.kernel.interval_points import point_law
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.terms import evaluate
from dp_checks.kernel.work import charge, counted, spend

Items = tuple[int, ...]
Output = tuple[Any, Items]
Distribution = dict[Any, Any]

NODES = frozenset(
    {"row", "each", "drawn", "pair", "copies", "mix", "subset", "hashed", "interval", "dummies", "sampled", "filled"}
    | {"push"}
)


class World(NamedTuple):
    """K and N, in which order the items of a set are processed, and the listed families of `mix` and `hashed`:
    [(weight, image of every item)]."""

    k: int
    n: int
    order: Items = ()
    families: Mapping[str, list[tuple[Any, tuple[Any, ...]]]] = {}


def valued(term: Any, values: Mapping[str, Any]) -> Any:
    """The term with numbers for its expressions; inside `mix` and `dummies` K and N are those of the inner world."""
    match term:
        case ["row", kinds]:
            return ["row", {x: {y: evaluate(tree, values) for y, tree in cells.items()} for x, cells in kinds.items()}]
        case ["copies", number, of]:
            return ["copies", evaluate(number, values), valued(of, values)]
        case ["mix", family, labels, of]:
            inner = evaluate(labels, values)
            return ["mix", family, inner, valued(of, {**values, "K": inner, "N": inner * 0, "m": inner * 0 + 1})]
        case ["subset", *trees]:
            return ["subset", *(evaluate(tree, values) for tree in trees)]
        case ["hashed", family, ["interval", *trees]]:
            return ["hashed", family, ["interval", *(evaluate(tree, values) for tree in trees)]]
        case ["dummies", kind, of]:
            name = "K" if kind == "sen" else "N"
            return ["dummies", kind, valued(of, {**values, name: values[name] + values["m"]})]
        case ["pair", first, second]:
            return ["pair", valued(first, values), valued(second, values)]
        case ["each" | "push", name, of]:
            return [term[0], name, valued(of, values)]
        case ["drawn" | "sampled" | "filled", of]:
            return [term[0], valued(of, values)]
    raise Rejected(f"not a law: {str(term)[:60]}")


def output_law(term: Any, s: Items, m: int, world: World) -> dict[Output, Any]:
    """The exact law of the output (y0, I) of a user who holds s; the term's expressions are numbers."""
    found = outcome_law(term, s, m, world)
    return found if is_seen(term) else {(y, ()): chance for y, chance in found.items()}


def is_seen(term: Any) -> bool:
    """Whether a function of the outcome says what is seen."""
    return bool(term[0] == "push" or (term[0] in ("dummies", "sampled", "filled") and is_seen(term[-1])))


def outcome_law(term: Any, s: Items, m: int, world: World) -> Distribution:
    """The exact law of the outcome."""
    k, n = world.k, world.n
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
            return _mixed([(1, lambda y: y, outcome_law(of, (x,), m, world)) for x in s], len(s))
        case ["pair", first, second]:
            return _independent([outcome_law(first, s, m, world), outcome_law(second, s, m, world)])
        case ["copies", number, of]:
            return _independent([outcome_law(of, s, m, world)] * integer(int(number), 0, 8))
        case ["mix", family, labels, of]:
            require(len(s) == 1 and family in world.families, "the families of an instance are listed")
            inner = World(int(labels), 0)
            return _mixed(
                [
                    (weight, lambda y, choice=choice: (choice, y), outcome_law(of, (image[s[0]],), 1, inner))  # type: ignore[misc]
                    for choice, (weight, image) in enumerate(world.families[family])
                ]
            )
        case ["hashed", family, ["interval", length, weight]]:
            require(family in world.families, "the hash functions of an instance are listed")
            return {
                (choice, hits): share * chance
                for choice, (share, h) in enumerate(world.families[family])
                for hits, chance in point_law(s, h, m, Fraction(length), Fraction(weight)).items()
            }
        case ["subset", size, hit, miss]:
            found = counted(combinations(range(k + n), integer(int(size), 1, k + n)), hit, miss)
            return {y: miss if set(y).isdisjoint(s) else hit for y in found}
        case ["dummies", _, of]:
            inner, held = completed(term, s, m, world)
            return outcome_law(of, held, m, inner)
        case ["sampled" | "filled", of]:
            rest = [x for x in range(k + n) if x not in s]
            sets = (
                combinations(s, m)
                if term[0] == "sampled"
                else (tuple(sorted([*s, *extra])) for extra in combinations(rest, max(m - len(s), 0)))
            )
            drawn = list(counted(sets))
            require((len(s) > m) == (term[0] == "sampled") and bool(drawn), "a set of another size")
            return _mixed([(1, lambda y: y, outcome_law(of, held, m, world)) for held in drawn], len(drawn))
        case ["push", "emit", of]:
            points = outcome_law(of, s, m, world)
            return {(y, tuple(x for x in s if x >= k and x not in y[1])): chance for y, chance in points.items()}
        case ["push", name, of]:
            return _mixed([(1, lambda y: PUSHES[name].of(y, k), outcome_law(of, s, m, world))])
    raise Rejected(f"no enumeration of {term[0]}")


def _cells(kinds: Any, kind: str, x: int, k: int) -> Distribution:
    total: Distribution = {}
    for name, chance in kinds[kind if kind in kinds else "*"].items():
        labels: dict[str, Iterable[Any]] = {
            "own": [x],
            "other": (z for z in range(k) if z != x),
            "any": range(k),
            "pad": ((x, z) for z in range(k)),
        }
        for y in labels[name] if name in labels else [int(name)]:
            total[y] = total.get(y, 0) + chance
    return total


def _independent(parts: list[Distribution]) -> Distribution:
    total: Distribution = {(): Fraction(1)}
    for part in parts:
        spend(len(total) * len(part) * (1 + len(parts)))
        charge(*total.values(), *part.values())
        total = {(*y, z): weight * chance for y, weight in total.items() for z, chance in part.items()}
    return total


def _mixed(parts: list[tuple[Any, Callable[[Any], Any], Distribution]], share: int = 1) -> Distribution:
    total: Distribution = {}
    for weight, renamed, part in parts:
        charge(weight, *part.values())
        for y, chance in part.items():
            total[renamed(y)] = total.get(renamed(y), 0) + chance * weight / share
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


# --- functions of the outcome ---------------------------------------------------------------------------------------


class Push(NamedTuple):
    """A function of outcomes of these shapes; whether it ignores the order of slots; the shape of what it shows."""

    of: Callable[[Any, int], Output]
    shapes: tuple[str, ...]
    symmetric: bool
    shown: str


def _kept(y: Any, k: int) -> Items:
    return tuple(sorted(z for z in y if z >= k))


def _sensitive(y: Any, k: int) -> Items:
    return tuple(sorted(z for z in y if z < k))


def _split(y: Any, k: int) -> tuple[Any, Items]:
    return y[:k], tuple(k + j for j, bit in enumerate(y[k:]) if bit)


def _vectors(y: Any, k: int) -> Output:
    parts = [_split(bits, k) for bits in y]
    return tuple(bits for bits, _ in parts), tuple(sorted(x for _, kept in parts for x in kept))


def _flat(y: Any) -> list[int]:
    return [z for part in y for z in (_flat(part) if isinstance(part, tuple) else [part])]


PUSHES: Mapping[str, Push] = {
    "multiset": Push(lambda y, k: (_sensitive(y, k), _kept(y, k)), ("slots",), True, "results"),
    "set": Push(lambda y, k: (tuple(sorted(set(_sensitive(y, k)))), _kept(y, k)), ("slots",), True, "set"),
    "position": Push(lambda y, k: (tuple(z if z < k else None for z in y), _kept(y, k)), ("slots",), False, "results"),
    "padded": Push(
        lambda y, k: (
            tuple(sorted(z if isinstance(z, int) else z[1] for z in y)),
            tuple(sorted(z[0] for z in y if isinstance(z, tuple))),
        ),
        ("padded slots",),
        True,
        "results",
    ),
    "one": Push(lambda y, k: (y, ()) if y < k else (None, (y,)), ("label",), False, "one"),
    "bits": Push(_split, ("bits",), False, "bits"),
    "vectors": Push(_vectors, ("vectors",), False, "vectors"),
    "whole": Push(lambda y, k: (_split(y, k), _split(y, k)[1]), ("bits",), False, "whole"),
    "sorted": Push(lambda y, k: (tuple(sorted(_flat(y))), ()), ("slots", "tuple", "label"), True, "results"),
    "emit": Push(lambda y, k: y, ("point",), False, "point"),  # with the held items whose arcs avoid the point
}


def shape(term: Any) -> str:
    """What an outcome looks like. Raises `Rejected` for a term without a meaning: sets are brought to m items first, a
    function of the outcome is the last thing that happens (but what a `mix` shows), items come one by one before."""
    brought = term[0] in ("dummies", "sampled", "filled")
    require(term[:2] != ["dummies", "non"] or not is_plain(term[2]), "dummies of a kind that the law does not have")
    require(not brought or not is_of_one_item(term[-1]), "a law of one item needs no sets of m items")
    return _seen(term[-1] if brought else term)


def _seen(term: Any) -> str:
    match term:
        case ["push", name, of]:
            require(name in PUSHES and _body(of) in PUSHES[name].shapes, f"{name} of such outcomes")
            require(name != "sorted" or is_plain(of), "a report that does not say which items are shown")
            return PUSHES[name].shown
    return _body(term)


def _body(term: Any) -> str:
    match term:
        case ["each", "held", of]:
            shapes = {"label": "slots", "padded label": "padded slots", "bits": "vectors"}
            return shapes.get(_of_item(of), "tuple")
        case ["drawn", of]:
            require(_of_item(of) in ("label", "bits"), "a drawn item")
            return _of_item(of)
        case ["hashed", _, ["interval", _, _]]:
            return "point"
        case ["subset", _, _, _]:
            return "subset"
    return _of_item(term)


def _of_item(term: Any) -> str:
    match term:
        case ["row", kinds]:
            require(set(kinds) in ({"sen"}, {"sen", "non"}, {"*"}), "kinds of inputs that no row has")
            classes = {"sen": {"own", "other", "any"}, "non": {"own", "other", "any", "pad"}, "*": {"any"}}
            require(all(set(cells) <= classes[kind] for kind, cells in kinds.items()), "classes that no row has")
            padded = "pad" in kinds.get("non", ())
            require(not padded or "own" not in kinds["non"], "a shown item beside a label, or alone")
            return "padded label" if padded else "label"
        case ["each", "items", ["row", kinds]]:
            require(set(kinds) in ({"sen1", "sen0"}, {"sen1", "sen0", "non1", "non0"}), "kinds that no bits have")
            require(all(set(cells) <= {"0", "1"} for cells in kinds.values()), "a row of bits")
            return "bits"
        case ["pair", first, second]:
            return "tuple" if _of_item(first) and _of_item(second) else ""
        case ["copies", _, of]:
            return "tuple" if _of_item(of) else ""
        case ["mix", _, _, of]:
            return "tuple" if _of_item(of[2] if of[:2] == ["push", "sorted"] else of) and is_plain(of) else ""
    raise Rejected(f"not a law: {str(term)[:60]}")


def is_of_one_item(term: Any) -> bool:
    """Whether a law is about one item (and sets of one)."""
    match term:
        case ["row" | "mix", *_]:
            return True
        case ["push" | "copies", _, of]:
            return is_of_one_item(of)
        case ["pair", first, second]:
            return is_of_one_item(first) or is_of_one_item(second)
    return False


def is_plain(term: Any) -> bool:
    """Whether a law has no non-sensitive items."""
    match term:
        case ["row", kinds]:
            return not any(kind.startswith("non") for kind in kinds)
        case ["push", "emit", _] | ["dummies", "non", _]:
            return False
        case ["hashed" | "subset", *_]:
            return True
    return all(is_plain(part) for part in term[1:] if isinstance(part, list) and part[0] in NODES)


def count(seen: str, y: Output, x: int, k: int) -> int:
    """What a report adds to F_x, by the shape of what is seen."""
    y0, kept = y
    if x >= k and seen != "subset":
        return kept.count(x)
    match seen:
        case "bits":
            return int(y0[x])
        case "whole":
            return int(y0[0][x])
        case "vectors":
            return sum(int(bits[x]) for bits in y0)
        case "one" | "label":
            return int(y0 == x)
        case "point":
            return int(x in y0[1])
        case "results" | "set" | "slots" | "subset":
            return int(y0.count(x))
    raise Rejected(f"no count of {seen}")


# --- what readings of the definitions compare -----------------------------------------------------------------------


def sets_of(sizes: Iterable[int], k: int, n: int) -> list[Items]:
    """All sets of the given sizes in lexicographic order."""
    return [c for size in sizes for c in counted(combinations(range(k + n), size))]


def related(relation: str, s: Items, other: Items, k: int) -> bool:
    """Whether the ordered pair (s, other) is compared by a reading of (11)."""
    a, b = set(s), set(other)
    match relation:
        case "marginal" | "joint" | "ldp":
            return True
        case "deniability":
            return len(a - b) == 1 == len(b - a) and min(a - b) < k
        case "samenon":
            return {x for x in a if x >= k} == {x for x in b if x >= k}
    raise ValueError(f"unknown relation {relation}")


def observed(law: dict[Output, Any], relation: str, s: Items, other: Items, counted: str) -> dict[Any, Any]:
    """What the relation compares: the marginal law of y0, or the joint law on the outputs it speaks of.

    With `counted` "nonempty" outputs whose y0 carries no sensitive element are not subject to it.
    """
    charge(*law.values())
    subject = {y: pr for y, pr in law.items() if counted == "all" or not is_empty(y[0])}
    if relation != "marginal":
        return {y: pr for y, pr in subject.items() if relation != "joint" or set(y[1]) <= set(s) & set(other)}
    total: dict[Any, Any] = {}
    for (y0, _), pr in subject.items():
        total[y0] = total.get(y0, 0) + pr
    return total


def is_empty(y0: Any) -> bool:
    """Whether y0 carries no sensitive element."""
    return y0 is None or (isinstance(y0, tuple) and all(z is None for z in y0))
