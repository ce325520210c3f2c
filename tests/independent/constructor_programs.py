"""The grammar of laws as small randomized programs, a constructor each, and what the kernel says their laws are.

Laws are built from constructors, so that a mechanism whose program is tied to its term at small sizes has its term's
law at all sizes as soon as every constructor means what the kernel enumerates. The entries are in general position
(numbers without relations but those that make rows laws), so that no coincidence hides a difference.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any

from flint import fmpq

from dp_kernel.laws import grammar
from dp_refimpl.coins import Coins, uniform
from dp_refimpl.enumeration import output_law as enumerated
from dp_refimpl.frequency.padding import pad_and_sample
from dp_spec.vocabulary.items import ItemDomain

ONE = fmpq(1)
Items = tuple[int, ...]


def run(term: Any, s: Items, m: int, world: grammar.World, coins: Coins) -> Any:
    """The outcome of a user who holds s: the term read as a program."""
    k, d = world.k, world.k + world.n
    match term:
        case ["row", kinds]:
            return _drawn_from(kinds, "sen" if s[0] < k else "non", s[0], k, coins)
        case ["each", "held", of]:
            return tuple(run(of, (x,), m, world, coins) for x in range(d) if x in s)
        case ["each", "items", ["row", kinds]]:
            kind = [("sen" if x < k else "non") + ("1" if x in s else "0") for x in range(d)]
            return tuple(_drawn_from(kinds, kind[x], x, k, coins) for x in range(d))
        case ["drawn", of]:
            return run(of, (uniform(coins, s, ONE),), m, world, coins)
        case ["pair", first, second]:
            return (run(first, s, m, world, coins), run(second, s, m, world, coins))
        case ["copies", number, of]:
            return tuple(run(of, s, m, world, coins) for _ in range(int(number)))
        case ["mix", family, labels, of]:
            chosen = _choose(coins, [weight for weight, _ in world.families[family]])
            label = world.families[family][chosen][1][s[0]]
            return chosen, run(of, (label,), 1, grammar.World(int(labels), 0, (), world.families), coins)
        case ["thinned", chance, of]:
            outcome = run(of, s, m, world, coins)
            return (outcome,) if _choose(coins, [chance, 1 - chance]) == 0 else ()
        case ["subset", size, hit, miss]:
            listed = list(combinations(range(d), int(size)))
            return listed[_choose(coins, [hit if set(o) & set(s) else miss for o in listed])]
        case ["dummies" | "sampled" | "filled", *_]:
            return _brought(term, s, m, world, coins)
        case ["push", name, of]:
            return SHOWN[name](run(of, s, m, world, coins), k)
    raise KeyError(term[0])


def _choose(coins: Coins, chances: Sequence[Fraction]) -> int:
    return coins.choose([fmpq(chance.numerator, chance.denominator) for chance in chances])


def _drawn_from(kinds: Any, kind: str, x: int, k: int, coins: Coins) -> Any:
    others = [z for z in range(k) if z != x]
    labels = {"own": [x], "0": [0], "1": [1], "any": range(k), "other": others, "pad": [(x, z) for z in range(k)]}
    cells = kinds[kind if kind in kinds else "*"].items()
    listed = [(label, chance) for name, chance in cells for label in labels[name]]
    return listed[_choose(coins, [chance for _, chance in listed])][0]


def _brought(term: Any, s: Items, m: int, world: grammar.World, coins: Coins) -> Any:
    k, n = world.k, world.n
    sensitive, first = term[:2] == ["dummies", "sen"], k if term[:2] == ["dummies", "sen"] else k + n
    fakes = tuple(range(first, first + m)) if term[0] == "dummies" else ()
    moved = {x: x + m if sensitive and x >= k else x for x in range(k + n)}
    domain = ItemDomain(tuple(range(k)), tuple(moved[x] for x in range(k, k + n)))
    held = pad_and_sample(frozenset(moved[x] for x in s), m, domain, fakes, coins, ONE)
    larger = grammar.World(k + len(fakes) * sensitive, n + len(fakes) * (not sensitive))
    return run(term[-1], tuple(x for x in range(larger.k + larger.n) if x in held), m, larger, coins)


def _parts(y: Any, k: int) -> tuple[Items, Items]:
    return tuple(sorted(z for z in y if z < k)), tuple(sorted(z for z in y if z >= k))


def _bits(y: Any, k: int) -> tuple[Any, Items]:
    return tuple(y[x] for x in range(k)), tuple(x for x in range(k, len(y)) if y[x])


def _vectors(y: Any, k: int) -> tuple[Any, Items]:
    return tuple(_bits(z, k)[0] for z in y), tuple(sorted(x for z in y for x in _bits(z, k)[1]))


def _padded(y: Any, k: int) -> tuple[Any, Items]:
    own = [z[0] for z in y if isinstance(z, tuple)]
    return tuple(sorted(z[1] if isinstance(z, tuple) else z for z in y)), tuple(sorted(own))


def _flat(y: Any) -> list[int]:
    return [y] if isinstance(y, int) else [z for part in y for z in _flat(part)]


SHOWN: Mapping[str, Callable[[Any, int], Any]] = {
    "multiset": _parts,
    "set": lambda y, k: _parts(set(y), k),
    "position": lambda y, k: (tuple(None if z >= k else z for z in y), _parts(y, k)[1]),
    "padded": _padded,
    "one": lambda y, k: (None, (y,)) if y >= k else (y, ()),
    "bits": _bits,
    "vectors": _vectors,
    "whole": lambda y, k: (_bits(y, k), _bits(y, k)[1]),
    "sorted": lambda y, k: (tuple(sorted(_flat(y))), ()),
}
"""What is seen of an outcome; `emit` is compared with the programs on arcs."""


SHOWN_CHANCE = Fraction(5, 11)


def _rows(k: int) -> dict[str, Any]:
    """Rows of items among k sensitive labels: own and other ones; own and any; an item beside a label; no items."""
    q, r = Fraction(2, 7 * k), SHOWN_CHANCE
    own = {"own": 1 - (k - 1) * q, "other": q}
    some = {"own": Fraction(3, 13), "any": Fraction(10, 13) / k}
    return {
        "other": ["row", {"sen": own, "non": {"own": r, "other": (1 - r) / k}}],
        "any": ["row", {"sen": some, "non": {"own": r, "any": (1 - r) / k}}],
        "beside": ["row", {"sen": own, "non": {"pad": r / k, "other": (1 - r) / k}}],
        "plain": ["row", {"sen": own}],
    }


def examples(k: int, n: int, m: int) -> Iterator[Any]:
    """A term for every constructor and every function of outcomes, entries in general position."""
    r, rows, larger = SHOWN_CHANCE, _rows(k), _rows(k + m)
    bit = {f"sen{z}": {"1": Fraction(z + 2, 17), "0": Fraction(15 - z, 17)} for z in (0, 1)}
    bits = ["each", "items", ["row", bit | {"non1": {"1": r, "0": 1 - r}, "non0": {"0": Fraction(1)}}]]
    for name in ("other", "any"):
        slots = ["each", "held", rows[name]]
        yield from (["push", by, slots] for by in ("multiset", "set", "position"))
        yield from ([brought, ["push", "multiset", slots]] for brought in ("sampled", "filled"))
        yield ["push", "one", ["drawn", rows[name]]]
        yield ["dummies", "non", ["push", "multiset", slots]]
        yield ["dummies", "sen", ["push", "multiset", ["each", "held", larger[name]]]]
    yield ["push", "padded", ["each", "held", rows["beside"]]]
    yield from (["push", by, of] for by in ("bits", "whole") for of in (bits, ["drawn", bits]))
    yield from (["push", "vectors", ["each", "held", bits]], ["dummies", "sen", ["push", "bits", bits]])
    if n == 0:
        noise = ["copies", Fraction(2), ["row", {"*": {"any": Fraction(1, k)}}]]
        for of in (rows["plain"], ["push", "sorted", ["pair", rows["plain"], noise]]):
            yield ["mix", "maps", Fraction(k), of]
        chosen = ["mix", "maps", Fraction(k), rows["plain"]]
        yield from (["mix", "maps", Fraction(k), chosen], ["thinned", Fraction(4, 9), chosen], ["each", "held", chosen])
        for size in range(1, k - m + 1):
            listed = list(combinations(range(k), size))
            met = sum(bool(set(o) & set(range(m))) for o in listed)
            yield ["subset", Fraction(size), Fraction(3, 4) / met, Fraction(1, 4) / (len(listed) - met)]


def compare() -> int:
    """How many laws of users at small sizes were found equal. Raises `AssertionError` at a difference."""
    compared = 0
    for k, n, m in product(range(1, 4), range(3), range(1, 4)):
        for term in examples(k, n, m) if k + n <= 4 else ():
            for s in _inputs(term, k, n, m):
                maps = [(Fraction(1, 3), (0,) * k), (Fraction(2, 3), tuple(range(k)))]
                world = grammar.World(k, n, families={"maps": maps})
                stated = grammar.output_law(term, s, m, world)
                program = enumerated(partial(run, term, s, m, world), ONE)
                seen = {y if grammar.is_seen(term) else (y, ()): str(p) for y, p in program.items() if p != 0}
                where = f"{term} at K = {k}, N = {n}, m = {m}, s = {s}"
                assert seen == {y: str(p) for y, p in stated.items() if p != 0}, where
                compared += 1
    return compared


def _inputs(term: Any, k: int, n: int, m: int) -> list[Items]:
    sizes = {"sampled": range(m + 1, k + n + 1), "filled": range(m), "dummies": range(min(m, k + n) + 1)}
    one = grammar.is_of_one_item(term)
    if term[0] == "filled" and m > k + n:
        return []
    return grammar.sets_of(sizes.get(term[0], range(1, 2) if one else range(min(m, k + n), min(m, k + n) + 1)), k, n)
