"""Random laws: terms of the grammar, most of them sensible, some of them wrong in a way that once was accepted."""

from itertools import product
from random import Random
from typing import Any

from attack.worlds import names

Tree = Any
Json = dict[str, Any]

W, K, M, N = "w", "K", "m", "N"


def add(*trees: Tree) -> Tree:
    total, *rest = trees
    for tree in rest:
        total = ["add", total, tree]
    return total


def sub(a: Tree, b: Tree) -> Tree:
    return ["sub", a, b]


def mul(a: Tree, b: Tree) -> Tree:
    return ["mul", a, b]


def div(a: Tree, b: Tree) -> Tree:
    return ["div", a, b]


HALF = div(1, 2)
DEN = sub(add(W, K), 1)
CHANCES = (div(W, add(W, 1)), div(1, add(W, 1)), HALF, 0, 1, "theta", sub(1, "theta"), div(sub(W, 1), W), div(1, W))
"""Entries of rows of bits."""


def sensitive(rng: Random) -> Json:
    """A row of an item that is randomized: stochastic, or nearly."""
    more = rng.choice([W, W, W, ["pow", W, 2], 2, add(W, 1), 1, 0, add(W, M), div(W, M)])
    total = sub(add(more, K), 1)
    own, other = div(more, total), div(1, total)
    match rng.randrange(12):
        case 0:
            share = rng.choice([HALF, "theta", div(1, K)])
            rest = sub(1, share)
            return {"own": mul(share, own), "other": mul(share, other), "any": div(rest, K)}
        case 1:
            return {"any": div(1, K)}
        case 2:
            return {"own": rng.choice([1, "theta", HALF])} | rng.choice([{}, {"any": div(HALF, K)}])
        case 3:
            return rng.choice([{"own": HALF, "1": HALF}, {"0": HALF, "any": div(HALF, K)}, {"pad": div(1, K)}])
        case 4:
            return {"own": mul(HALF, own), "other": mul(HALF, other), "pad": div(HALF, K)}
    return {"own": own, "other": other}


def nonsensitive(rng: Random) -> Json:
    """A row of an item that may be shown."""
    each = rng.choice([div(1, DEN), div(1, DEN), div(1, mul(2, K)), 0, div("theta", K), div(1, add(K, N))])
    share = sub(1, mul(K, each))
    match rng.randrange(8):
        case 0:
            return {"pad": div(share, K), "other": each}
        case 1:
            return {"own": 1}
        case 2:
            return {"other": div(1, K)}
        case 3:
            return {"own": share, "any": each}
        case 4:
            return {"own": mul(HALF, share), "pad": div(mul(HALF, share), K), "other": each}
    return {"own": share, "other": each}


def item_row(rng: Random, *, all_sensitive: bool) -> Tree:
    kinds = {"sen": sensitive(rng)} | ({} if all_sensitive else {"non": nonsensitive(rng)})
    if not all_sensitive and rng.random() < 0.5 and {"own", "other"} == set(kinds["sen"]):
        each = kinds["sen"]["other"]
        kinds["non"] = {"own": sub(1, mul(K, each)), "other": each}
    return ["row", kinds]


def bit_rows(rng: Random, *, all_sensitive: bool) -> Tree:
    def bit(chance: Tree) -> Json:
        return {"1": chance, "0": sub(1, chance)} if rng.random() < 0.9 or chance != 1 else {"1": 1}

    p, q = rng.sample(CHANCES, 2)
    if rng.random() < 0.5:
        p, q = CHANCES[0], CHANCES[1]
    kinds = {"sen1": bit(p), "sen0": bit(q)}
    if not all_sensitive:
        leak = rng.choice(CHANCES) if rng.random() < 0.2 else 0
        kinds |= {"non1": bit(rng.choice(CHANCES)), "non0": {"0": 1} if leak == 0 else bit(leak)}
    return ["each", "items", ["row", kinds]]


def dummy_labels(rng: Random) -> Tree:
    number = rng.choice([0, 1, 1, 2, "c", div(1, 2), -1])
    cells = rng.choice([{"any": div(1, K)}] * 5 + [{"own": 1}, {"own": HALF, "other": div(HALF, K)}])
    return ["copies", number, ["row", {"*": cells}]]


def any_term(rng: Random, depth: int, *, all_sensitive: bool) -> Tree:
    """Anything the grammar can spell."""
    if depth == 0:
        return rng.choice([item_row, item_row, bit_rows])(rng, all_sensitive=all_sensitive)
    inner = any_term(rng, depth - 1, all_sensitive=all_sensitive)
    match rng.randrange(9):
        case 0 | 1:
            return ["each", "held", inner]
        case 2:
            return ["drawn", inner]
        case 3:
            return [
                "pair",
                inner,
                rng.choice([dummy_labels(rng), any_term(rng, depth - 1, all_sensitive=all_sensitive)]),
            ]
        case 4:
            return ["copies", rng.choice([1, 2, 3, "c", HALF, -1]), inner]
        case 5:
            return ["mix", "h", rng.choice([2, "b", 1, 3, div(3, 2)]), any_term(rng, depth - 1, all_sensitive=True)]
        case 6:
            return [rng.choice(["sampled", "filled"]), inner]
        case 7:
            return ["dummies", rng.choice(["sen", "non"]), inner]
    return ["push", rng.choice(FUNCTIONS), inner]


def subset(rng: Random) -> Tree:
    """A subset of the items, weighted by whether it meets the held set."""
    size = rng.choice(["k", "k", "k", 1, 2, M])
    missing = ["binom", sub(K, M), size]
    meeting = sub(["binom", K, size], missing)
    weight = rng.choice([W, W, ["pow", W, 2], 1, div(1, W)])
    total = add(missing, mul(weight, meeting))
    tree = ["subset", size, div(weight, total), div(1, total)]
    return ["dummies", rng.choice(["sen", "sen", "non"]), tree] if rng.random() < 0.3 else tree


FUNCTIONS = ("multiset", "set", "position", "padded", "one", "bits", "whole", "vectors", "sorted", "emit")


def term(rng: Random) -> Tree:
    """A term, mostly of a shape that has a meaning."""
    all_sensitive = rng.random() < 0.35
    kind = rng.randrange(15)
    if kind == 14:
        return subset(rng)
    if kind == 0:
        return any_term(rng, rng.randrange(1, 4), all_sensitive=all_sensitive)
    if kind < 5:
        slots = ["each", "held", item_row(rng, all_sensitive=all_sensitive)]
        if rng.random() < 0.1:
            slots = ["each", "held", ["drawn", slots[2]]]
        tree = ["push", rng.choice(["multiset", "set", "position", "multiset", "padded", "sorted"]), slots]
        tree = slots if rng.random() < 0.1 else tree
    elif kind < 7:
        one = ["drawn", item_row(rng, all_sensitive=all_sensitive)]
        tree = one if rng.random() < 0.2 else ["push", "one", one]
    elif kind < 10:
        of = bit_rows(rng, all_sensitive=all_sensitive)
        match rng.randrange(5):
            case 0:
                tree = ["push", "vectors", ["each", "held", of]]
            case 1:
                tree = ["push", rng.choice(["bits", "bits", "whole"]), ["drawn", of]]
            case 2:
                tree = of
            case _:
                tree = ["push", rng.choice(["bits", "bits", "whole"]), of]
    elif kind < 12:
        labels: Tree = rng.choice((2, 3, "b", "b", 1))
        of = rng.choice([item_row, bit_rows])(rng, all_sensitive=True)
        if rng.random() < 0.3:
            of = ["push", "sorted", ["pair", item_row(rng, all_sensitive=True), dummy_labels(rng)]]
        mixed: Tree = ["mix", "h", labels, of]
        tree = ["each", "held", mixed] if rng.random() < 0.25 else mixed
    else:
        one = item_row(rng, all_sensitive=True)
        side_by_side: list[Tree] = [
            ["push", "sorted", ["pair", one, dummy_labels(rng)]],
            ["copies", rng.choice([1, 2, "c"]), one],
            ["push", "sorted", ["copies", 2, ["each", "held", one]]],
            ["push", "sorted", ["copies", 2, ["drawn", one]]],
        ]
        tree = rng.choice(side_by_side)
    match rng.randrange(12):
        case 0 | 1:
            return ["dummies", rng.choice(["sen", "non"]), tree]
        case 2:
            return [rng.choice(["sampled", "filled"]), tree]
        case 3:
            return ["push", "multiset", ["dummies", "sen", tree[-1]]] if tree[0] == "push" else tree
    return tree


POWERS = (1, 1, 1, M, M, 2, mul(2, M), K, add(K, N), div(add(K, 1), 2))
COLLISIONS = (HALF, HALF, div(1, 3), div(1, "b"), 1, 0, 2, -1, div(3, 4))


def law(rng: Random) -> Json:
    """A law with what its term needs."""
    definition: Json = {"mechanism": "attack", "base": W, "power": rng.choice(POWERS), "term": term(rng)}
    used = names(definition["term"])
    definition["parameters"] = ["theta"] if "theta" in used else []
    if "h" in used:
        definition["families"] = {"h": rng.choice(COLLISIONS)}
    needed = {"b", "c", "k"} & (used | names(definition.get("families", {})))
    if needed:
        definition["integers"] = {name: rng.choice([0, 1] if name == "c" else [1, 2]) for name in sorted(needed)}
    return definition


def outermost(tree: Any) -> Any:
    """The tree with min(...) outside: what it makes of each of its arguments."""
    choices = _choices(tree)
    return choices[0] if len(choices) == 1 else ["min", *choices]


def _choices(tree: Any) -> list[Any]:
    if not isinstance(tree, list):
        return [tree]
    parts = [_choices(part) for part in tree[1:]]
    return [x for part in parts for x in part] if tree[0] == "min" else [[tree[0], *x] for x in product(*parts)]
