"""Rules about arcs attacked: laws with all kinds of lengths and weights, judged by sums over cells that share no code
with the kernel. What a rule accepts must hold at every instance that is tried."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import lcm
from random import Random
from typing import Any

import pytest

from dp_kernel.certificate.check import check
from dp_kernel.meter import Rejected

F = Fraction
Values = tuple[Fraction, ...]

LENGTHS: dict[str, Any] = {
    "printed": ["div", 1, ["add", ["sub", ["mul", 2, "m"], 1], ["mul", "m", "w"]]],
    "1/(m+1)": ["div", 1, ["add", "m", 1]],
    "1/(m+w)": ["div", 1, ["add", "m", "w"]],
    "1/m": ["div", 1, "m"],
    "1/(mw)": ["div", 1, ["mul", "m", "w"]],
    "1/(3m)": ["div", 1, ["mul", 3, "m"]],
    "(w-1)/(2mw)": ["div", ["sub", "w", 1], ["mul", ["mul", 2, "m"], "w"]],
    "1/(m(K+N)w)": ["div", 1, ["mul", ["mul", "m", ["add", "K", "N"]], "w"]],
    "0": 0,
    "-1/m": ["div", -1, "m"],
    "1/2": ["div", 1, 2],
}
WEIGHTS: dict[str, Any] = {
    "w": "w",
    "1": 1,
    "0": 0,
    "2w": ["mul", 2, "w"],
    "w^2": ["pow", "w", 2],
    "(w+1)/2": ["div", ["add", "w", 1], 2],
    "1/w": ["div", 1, "w"],
    "w-1": ["sub", "w", 1],
    "w-2": ["sub", "w", 2],
}
TWO_SETS = ["sub", ["sub", ["add", "K", "N"], "m"], 1]
WHERES: tuple[list[Any], ...] = (
    [],
    [TWO_SETS],
    [["neg", "N"]],
    [TWO_SETS, ["sub", "N", 1]],
    [["sub", 1, "m"]],
    [["sub", ["sub", ["mul", 3, "m"], 1], ["add", "K", "N"]]],
    [["sub", ["add", "m", 1], ["add", "K", "N"]]],
    [TWO_SETS, ["sub", "K", 2]],
)
FAMILIES = ("hash", "fixed", "disjoint", "pairwise", "kwise", "ideal", "universal")


NUMBER = 1500
"""So many statements about densities are tried."""


# --- brute force --------------------------------------------------------------------------------------------------


def value(tree: Any, at: dict[str, Fraction]) -> Fraction:
    if isinstance(tree, list):
        first, *rest = (value(x, at) for x in tree[1:])
        match tree[0]:
            case "add":
                return first + rest[0]
            case "sub":
                return first - rest[0]
            case "mul":
                return first * rest[0]
            case "div":
                return first / rest[0]
            case "pow":
                return first ** int(rest[0])
            case "neg":
                return -first
    return at[tree] if isinstance(tree, str) else F(tree)


def masses(s: tuple[int, ...], h: Values, m: int, length: Fraction, weight: Fraction) -> list[Fraction]:
    """Of the cells of a grid on which all arcs begin and end: the density times the length of a cell."""
    grid = lcm(length.denominator, *(v.denominator for v in h))
    arcs = [{(int(h[x] * grid) + j) % grid for j in range(int(length * grid))} for x in s]
    cover = set().union(*arcs)
    omega = m * length * weight + 1 - m * length
    if len(cover) == grid:
        return [weight / omega / grid] * grid
    off = (omega - F(len(cover), grid) * weight) / ((1 - F(len(cover), grid)) * omega)
    return [(weight / omega if j in cover else off) / grid for j in range(grid)]


def sends(s: tuple[int, ...], h: Values, j: int, k: int, length: Fraction, grid: int) -> frozenset[int]:
    return frozenset(x for x in s if x >= k and (F(j, grid) - h[x]) % 1 >= length)


def instances(where: list[Any], d_max: int = 4) -> Iterator[tuple[int, int, int]]:
    for k, n, m in product(range(1, d_max + 1), range(d_max), range(1, d_max + 1)):
        if m <= k + n <= d_max and all(value(t, {"m": F(m), "K": F(k), "N": F(n)}) >= 0 for t in where):
            yield m, k, n


def functions(random: Random, d: int, length: Fraction, count: int) -> Iterator[Values]:
    """Next to each other, all equal, and at random ends of arcs."""
    yield tuple((i * length) % 1 for i in range(d))
    yield tuple((F(1) - length / 2 + i * length) % 1 for i in range(d))
    yield (F(0),) * d
    for _ in range(count):
        yield tuple((random.randrange(12) * length / 2 + F(random.randrange(3), 4)) % 1 for _ in range(d))


def settings(random: Random, statement: Any, *, plain: bool, count: int = 3) -> Iterator[Any]:
    """(m, K, N, L, w, all values) at some sizes of the statement."""
    law = statement["law"]["term"]
    arcs = (law[2] if law[0] == "push" else law)[2]
    found = [at for at in instances(statement.get("where", [])) if not (plain and at[2])]
    for m, k, n in random.sample(found, min(count, len(found))):
        at = {"m": F(m), "K": F(k), "N": F(n), "w": random.choice([F(2), F(3, 2), F(5), F(10, 9)])}
        yield m, k, n, value(arcs[1], at), value(arcs[2], at), at


# --- what must hold -------------------------------------------------------------------------------------------------


def wrong(statement: Any, random: Random) -> str | None:
    """Where an accepted statement fails."""
    kind, term = statement["type"], statement["law"]["term"]
    plain = term[0] != "push"
    for m, k, n, length, weight, at in settings(random, statement, plain=plain):
        d = k + n
        if not (length > 0 and m * length < 1 and weight >= 0):
            return f"no law at {at}"
        for h in functions(random, d, length, 3):
            sets = [c for size in range(1, m + 1) for c in combinations(range(d), size)]
            if statement.get("sizes") == "exactm":
                sets = [c for c in sets if len(c) == m]
            rows = {s: masses(s, h, m, length, weight) for s in (*sets, ())}
            if any(min(row) < 0 or sum(row) != 1 for row in rows.values()):
                return f"no density at {at}, {h}"
            if kind in ("ratio", "smallest"):
                limit = at["w"] if kind == "ratio" else value(statement["constant"], at)
                found = worst(statement, sets, h, m, k, length, rows)
                if found is None or found > limit:
                    return f"a ratio {found} at {at}, {h}"
        if kind == "smallest":
            h = tuple((i * length) % 1 for i in range(d))
            sets = list(combinations(range(d), m))
            if worst(statement, sets, h, m, k, length, {s: masses(s, h, m, length, weight) for s in sets}) != limit:
                return f"not reached at {at}"
        if kind == "unbounded":
            h = next(iter(functions(random, d, length, 0)))
            sets = list(combinations(range(d), m))
            if worst(statement, sets, h, m, k, length, {s: masses(s, h, m, length, weight) for s in sets}) is not None:
                return f"bounded at {at}"
    return None


def worst(statement: Any, sets: Any, h: Values, m: int, k: int, length: Fraction, rows: Any) -> Fraction | None:
    """The largest compared ratio; None if there is none."""
    relation, top = statement["relation"], F(0)
    shown = statement["law"]["term"][0] == "push" and relation != "marginal"
    for s, other in product(sets, repeat=2):
        a, b = set(s), set(other)
        if relation == "deniability" and not (len(a - b) == 1 == len(b - a) and min(a - b) < k):
            continue
        if s == other or (relation == "samenon" and {x for x in a if x >= k} != {x for x in b if x >= k}):
            continue
        grid = lcm(len(rows[s]), len(rows[other]), length.denominator, *(v.denominator for v in h))
        first, second = rows[s], rows[other]
        for j in range(grid):
            p, q = (row[j * len(row) // grid] * len(row) for row in (first, second))
            if shown:
                sent = sends(s, h, j, k, length, grid)
                if relation == "joint" and not sent <= a & b:
                    continue
                q *= sent == sends(other, h, j, k, length, grid)
            if p:
                if not q:
                    return None
                top = max(top, p / q)
    return top


def statements(random: Random) -> Iterator[tuple[Any, Any]]:
    while True:
        family = random.choice(("hash", "hash", "hash", *FAMILIES))
        length, weight = random.choice(list(LENGTHS.values())), random.choice(list(WEIGHTS.values()))
        if random.random() < 0.6:
            length = LENGTHS[random.choice(["printed", "printed", "1/(m+1)", "1/(m+w)"])]
            weight = WEIGHTS[random.choice(["w", "w", "(w+1)/2", "1"])]
        term: Any = ["hashed", family, ["interval", length, weight]]
        term = ["push", "emit", term] if random.random() < 0.6 else term
        law = {"mechanism": "x", "base": "w", "power": 1, "parameters": [], "term": term}
        where = random.choice(WHERES)
        pairs = {
            "relation": random.choice(["ldp", "marginal", "joint", "deniability", "samenon"]),
            "counted": random.choice(["all", "all", "nonempty"]),
            "sizes": random.choice(["exactm", "atmost", "all"]),
            "where": where,
            "any_order": False,
        }
        kind = random.choice(["ratio", "smallest", "unbounded"])
        body: Any = {"type": kind, "law": law}
        match kind:
            case "unbounded":
                yield body | pairs, {"rule": "emitted"}
            case "smallest":
                constant = random.choice([weight, weight, "w", ["add", "w", 1], ["div", ["add", "w", 1], 2]])
                yield body | pairs | {"constant": constant}, {"rule": "cover"}
            case _:
                yield body | pairs, {"rule": "cover"}


@pytest.mark.slow
def test_no_false_statement_about_densities_is_accepted() -> None:
    random, accepted = Random(2), dict.fromkeys(("ratio", "smallest", "unbounded"), 0)
    for _, (statement, evidence) in zip(range(NUMBER), statements(random), strict=False):
        try:
            check(statement, "proved", evidence)
        except (Rejected, ArithmeticError, LookupError, TypeError, ValueError):
            continue
        accepted[statement["type"]] += 1
        assert wrong(statement, random) is None, (statement, wrong(statement, random))
    assert all(number > 2 for number in accepted.values()), accepted


# --- witnesses ------------------------------------------------------------------------------------------------------


def drawn(statement: Any, s: Any, h: Values, m: int, k: int, length: Fraction, weight: Fraction) -> dict[Any, Fraction]:
    """The law of (hits, what is sent), summed over the cells of a grid; empty where there is none."""
    row = masses(s, h, m, length, weight)
    found: dict[Any, Fraction] = {}
    for j, mass in enumerate(row):
        hits = tuple(x for x in range(len(h)) if (F(j, len(row)) - h[x]) % 1 < length)
        sent = sends(s, h, j, k, length, len(row)) if statement["law"]["term"][0] == "push" else frozenset()
        y = hits if statement["relation"] == "marginal" else (hits, sent)
        found[y] = found.get(y, F(0)) + mass
    return found if min(row) >= 0 and sum(row) == 1 else {}


@pytest.mark.slow
def test_a_witness_is_accepted_if_it_is_one() -> None:
    """Of outcomes of two sets under one hash function, with the right numbers."""
    random, accepted, rejected = Random(5), 0, 0
    for _ in range(2 * NUMBER):
        m, k, n = random.randrange(1, 3), random.randrange(1, 4), random.randrange(3)
        if m > k + n:
            continue
        arcs = ["interval", LENGTHS[random.choice(["printed", "1/(m+1)", "1/(m+w)"])], "w"]
        term: Any = ["hashed", "hash", arcs] if n == 0 else ["push", "emit", ["hashed", "hash", arcs]]
        relation, sizes = random.choice(["ldp", "marginal", "joint", "samenon"]), random.choice(["exactm", "all"])
        law = {"mechanism": "x", "base": "w", "power": 1, "parameters": [], "term": term}
        body = {"type": "ratio", "law": law, "relation": relation, "counted": "all", "sizes": sizes}
        statement = body | {"where": [], "any_order": False}
        w = random.choice([F(2), F(3, 2), F(5)])
        length = value(arcs[1], {"m": F(m), "w": w})
        h = random.choice(list(functions(random, k + n, length, 2)))
        s, other = (tuple(sorted(random.sample(range(k + n), random.randrange(k + n + 1)))) for _ in range(2))
        first, second = (drawn(statement, x, h, m, k, length, w) for x in (s, other))
        y = random.choice([*first, *second]) if first and second else ()
        p, q = first.get(y, F(0)), second.get(y, F(0))
        non = [set(range(k, k + n)) & set(x) for x in (s, other)]
        expected = bool(first and second) and p > w * q and (sizes == "all" or len(s) == m == len(other))
        expected &= relation != "samenon" or non[0] == non[1]
        if relation != "marginal" and y:
            expected &= relation != "joint" or y[1] <= set(s) & set(other)
        hits, sent = (y, ()) if relation == "marginal" or not y else y
        evidence = {
            "instance": {"m": m, "K": k, "N": n, "w": str(w)},
            "hashes": [[[str(v) for v in h], "1"]],
            "s": list(s),
            "other": list(other),
            "output": [0, list(hits)] if relation == "marginal" else [[0, list(hits)], sorted(sent)],
            "probability": str(p),
            "other_probability": str(q),
        }
        try:
            check(statement, "refuted", evidence)
        except Rejected:
            assert not expected, (statement, evidence)
            rejected += 1
            continue
        assert expected, (statement, evidence)
        accepted += 1
        with pytest.raises(Rejected):
            check(statement, "refuted", evidence | {"probability": str(p + F(1, 7))})
    assert accepted > 50, (accepted, rejected)
    assert rejected > 50, (accepted, rejected)


# --- chances --------------------------------------------------------------------------------------------------------


def uniform(g: int, d: int, k: int) -> Iterator[Values]:
    """All polynomials of degree < k modulo the prime g at 0..d-1 (k = d: all functions): k independent values."""
    for c in product(range(g), repeat=k):
        yield tuple(F(sum(a * x**i for i, a in enumerate(c)) % g, g) for x in range(d))


@cache
def chance(
    shown: bool, family: str, m: int, d: int, length: Fraction, weight: Fraction, s: Any, x: int, h: Values | None
) -> Fraction | None:
    """The chance that x is counted; None where no grid of the family is small enough to list."""
    if h is not None:
        listed = [h]
    else:
        degree, g = {"pairwise": 2, "kwise": m + 1, "ideal": d}[family], (1 / length)
        if g.denominator != 1 or g.numerator not in (2, 3, 5, 7) or g.numerator < d or g.numerator**degree > 400:
            return None
        listed = list(uniform(int(g), d, degree))
    total = F(0)
    for one in listed:
        row = masses(s, one, m, length, weight)
        for j, mass in enumerate(row):
            inside = (F(j, len(row)) - one[x]) % 1 < length
            total += mass * ((not inside and x in s) if shown else inside)
    return total / len(listed)


@pytest.mark.parametrize("length", ["printed", "1/(m+1)", "1/(m+w)", "1/(mw)"])
@pytest.mark.parametrize("family", FAMILIES)
def test_no_false_chance_is_accepted(family: str, length: str) -> None:
    random, tried, accepted = Random(f"{family} {length}"), 0, 0
    tree: Any = LENGTHS[length]
    covered = ["mul", "m", tree]
    omega = ["add", ["mul", covered, "w"], ["sub", 1, covered]]
    hit = ["div", ["mul", tree, "w"], omega]
    guesses = [tree, hit, ["sub", 1, hit], ["div", tree, omega], 0, 1, ["div", 1, 3]]
    for emits, item, event, guess, where in product(
        (True, False), ("sensitive", "nonsensitive"), ("held", "other"), guesses, WHERES
    ):
        term: Any = ["hashed", family, ["interval", tree, "w"]]
        term = ["push", "emit", term] if emits else term
        law = {"mechanism": "x", "base": "w", "power": 1, "parameters": [], "term": term}
        statement = {
            "type": "chance",
            "law": law,
            "item": item,
            "event": event,
            "probability": guess,
            "sizes": "exactm",
            "where": where,
        }
        try:
            check(statement, "proved", {"rule": "contributions"})
        except (Rejected, ArithmeticError, LookupError, TypeError, ValueError):
            continue
        accepted += 1
        assert family != "universal"
        for m, k, n in instances(where, 3):
            if n and not emits:
                continue
            for w in (F(2), random.choice([F(3), F(3, 2), F(5)])):
                at = {"m": F(m), "K": F(k), "N": F(n), "w": w}
                one = value(tree, at)
                hashes: list[Values | None] = [None]
                if family in ("hash", "fixed"):
                    hashes = list(functions(random, k + n, one, 1))
                elif family == "disjoint":
                    assert (k + n) * one <= 1, (statement, at)
                    hashes = [tuple((F(1, 7) + i * one) % 1 for i in range(k + n))]
                items = range(k) if item == "sensitive" else range(k, k + n)
                for s, x, h in product(combinations(range(k + n), m), items, hashes):
                    if (x in s) == (event == "held"):
                        shown = emits and x >= k
                        found = chance(shown, family, m, k + n, one, at["w"], s, x, h)
                        tried += found is not None
                        assert found is None or found == value(guess, at), (statement, at, s, x, h)
    assert accepted > 0 or family == "universal" or (family, length) == ("disjoint", "1/(mw)")
    assert tried > 0 or accepted == 0 or family in ("pairwise", "kwise", "ideal")
