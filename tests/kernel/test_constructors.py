"""Every constructor of laws, and every function of outcomes, means what a second enumeration says, in general position;
a difference is seen.

Laws are built from constructors, so that a mechanism whose program is tied to its term at small sizes has its term's
law at all sizes as soon as every constructor means what the kernel enumerates. The entries are in general position
(numbers without relations but those that make rows laws), so that no coincidence hides a difference.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from attack import laws
from attack.worlds import World
from dp_kernel.laws import grammar

SHOWN_CHANCE = Fraction(5, 11)


def rows(k: int) -> dict[str, Any]:
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
    """A term for every constructor and every function of outcomes."""
    r, smaller, larger = SHOWN_CHANCE, rows(k), rows(k + m)
    bit = {f"sen{z}": {"1": Fraction(z + 2, 17), "0": Fraction(15 - z, 17)} for z in (0, 1)}
    bits = ["each", "items", ["row", bit | {"non1": {"1": r, "0": 1 - r}, "non0": {"0": Fraction(1)}}]]
    for name in ("other", "any"):
        slots = ["each", "held", smaller[name]]
        yield from (["push", by, slots] for by in ("multiset", "set", "position"))
        yield from ([brought, ["push", "multiset", slots]] for brought in ("sampled", "filled"))
        yield ["push", "one", ["drawn", smaller[name]]]
        yield ["dummies", "non", ["push", "multiset", slots]]
        yield ["dummies", "sen", ["push", "multiset", ["each", "held", larger[name]]]]
    yield ["push", "padded", ["each", "held", smaller["beside"]]]
    yield from (["push", by, of] for by in ("bits", "whole") for of in (bits, ["drawn", bits]))
    yield from (["push", "vectors", ["each", "held", bits]], ["dummies", "sen", ["push", "bits", bits]])
    if n == 0:
        noise = ["copies", Fraction(2), ["row", {"*": {"any": Fraction(1, k)}}]]
        for of in (smaller["plain"], ["push", "sorted", ["pair", smaller["plain"], noise]]):
            yield ["mix", "maps", Fraction(k), of]
        chosen = ["mix", "maps", Fraction(k), smaller["plain"]]
        yield from (["mix", "maps", Fraction(k), chosen], ["thinned", Fraction(4, 9), chosen], ["each", "held", chosen])
        for size in range(1, k - m + 1):
            listed = list(combinations(range(k), size))
            met = sum(bool(set(o) & set(range(m))) for o in listed)
            yield ["subset", Fraction(size), Fraction(3, 4) / met, Fraction(1, 4) / (len(listed) - met)]


def numbered(term: Any, y: Any, maps: list[Any]) -> Any:
    """An outcome with the number of a map in the place of the map."""
    match term:
        case ["mix", _, _, of]:
            return maps.index(y[0]), numbered(of, y[1], maps)
        case ["thinned", _, of] | ["each", "held", of]:
            return tuple(numbered(of, part, maps) for part in y)
    return y


def differences() -> Iterator[str]:
    """Where the kernel's laws of users at small sizes are not those of the second enumeration."""
    for k, n, m in product(range(1, 4), range(3), range(1, 4)):
        maps = [(0,) * k, (*range(1, k), 0)]
        listed = [(maps[0], Fraction(1, 3)), (maps[1], Fraction(2, 3))] if k > 1 else [(maps[0], Fraction(1))]
        for term in examples(k, n, m) if k + n <= 4 else ():
            world = grammar.World(k, n, families={"maps": [(p, image) for image, p in listed]})
            second = World(m, k, n, {}, listed={"maps": listed})
            for s in inputs(term, k, n, m):
                law = laws.outputs(term, frozenset(s), second)
                expected = {y if laws.shows(term) else (numbered(term, y[0], maps), ()): p for y, p in law.items()}
                if {y: p for y, p in grammar.output_law(term, s, m, world).items() if p} != expected:
                    yield f"{term} at K = {k}, N = {n}, m = {m}, s = {s}"


def inputs(term: Any, k: int, n: int, m: int) -> list[tuple[int, ...]]:
    """The sets that a user may hold."""
    sizes = {"sampled": range(m + 1, k + n + 1), "filled": range(m), "dummies": range(min(m, k + n) + 1)}
    one = grammar.is_of_one_item(term)
    if term[0] == "filled" and m > k + n:
        return []
    return grammar.sets_of(sizes.get(term[0], range(1, 2) if one else range(min(m, k + n), min(m, k + n) + 1)), k, n)


def nodes(term: Any) -> Iterator[tuple[Any, Any]]:
    """The names of a term's nodes, with the function that a push applies."""
    if isinstance(term, list):
        yield term[0], term[1] if term[0] == "push" else None
        for part in term[1:]:
            yield from nodes(part)


@pytest.mark.slow
def test_both_enumerations_agree_on_every_constructor_and_function() -> None:
    assert list(differences()) == []
    pairs = {pair for n in (0, 1) for term in examples(3, n, 2) for pair in nodes(term)}
    assert {name for name, _ in pairs} == grammar.NODES.keys() - {"hashed", "interval"}
    assert {by for name, by in pairs if name == "push"} == grammar.PUSHES.keys() - {"emit"}


@pytest.mark.parametrize("name", sorted(grammar.PUSHES.keys() - {"emit"}))
def test_another_function_of_the_outcome_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    push = grammar.PUSHES[name]
    other = push._replace(of=lambda y, k: (push.of(y, k)[0], (99,)))
    monkeypatch.setattr(grammar, "PUSHES", {**grammar.PUSHES, name: other})
    assert next(differences(), None) is not None


def test_another_share_of_a_drawn_item_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = grammar.outcome_law
    monkeypatch.setattr(
        grammar, "outcome_law", lambda term, s, *at: outcome(term, s[-1:] if term[0] == "drawn" else s, *at)
    )
    assert next(differences(), None) is not None
