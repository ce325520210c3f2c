"""Statements that are false, or say nothing, with evidence that a kernel accepted before it was attacked."""

from typing import Any

from attack.terms import DEN, HALF, Json, K, M, N, Tree, W, add, div, mul, sub

T = "t"
P, Q = div(W, DEN), div(1, DEN)
ROW = ["row", {"sen": {"own": P, "other": Q}}]
SPLIT = ["row", {"sen": {"own": P, "other": Q}, "non": {"own": div(sub(W, 1), DEN), "other": Q}}]
ANY = {"own": div(W, mul(2, DEN)), "other": div(1, mul(2, DEN)), "any": div(1, mul(2, K))}
UP, DOWN = div(T, add(T, 1)), div(1, add(T, 1))
FLIP = {"sen1": {"1": UP, "0": DOWN}, "sen0": {"1": DOWN, "0": UP}}
PADDED = {"sen": {"own": P, "other": Q}, "non": {"own": HALF, "pad": div(HALF, K)}}
SURE = {
    "sen1": {"1": div(W, add(W, 1)), "0": div(1, add(W, 1))},
    "sen0": {"1": div(1, add(W, 1)), "0": div(W, add(W, 1))},
    "non1": {"1": 1},
    "non0": {"0": 1},
}
SHOWN = {"non1": {"1": div(sub(T, 1), T), "0": div(1, T)}, "non0": {"0": 1}}
LEAK = {
    "sen1": {"1": HALF, "0": HALF},
    "sen0": {"1": div(1, add(W, 1)), "0": div(W, add(W, 1))},
    "non1": {"1": div(1, 3), "0": div(2, 3)},
    "non0": {"1": HALF, "0": HALF},
}
REAL = {"min": 1, "strict": False, "integer": False, "unit": False}
ALL = {"ss": 2, "sn": 2, "ns": 2, "nn": 2}
ONE = {"ss": 1, "sn": 1, "ns": 1, "nn": 1}
Stated = tuple[Json, str, Json]
"""A statement, its verdict and the evidence."""


def held(of: Tree) -> Tree:
    return ["each", "held", of]


def law(term: Tree, power: Tree = 1, base: str = W, **more: Any) -> Json:
    return {"mechanism": "attack", "base": base, "power": power, "parameters": [], "term": term, **more}


def formula(variables: Json, *relations: Tree, where: Any = ()) -> Json:
    domain = {"variables": variables, "constraints": list(where)}
    return {"type": "formula", "domain": domain, "values": {}, "of_data": False, "relations": list(relations)}


def unbiased(of: Json, item: str, slope: Tree, sizes: str = "exactm") -> Json:
    estimator = {"slope": slope, "offset": 0}
    return {"type": "unbiased", "law": of, "item": item, "estimator": estimator, "where": [], "sizes": sizes}


def ratio(of: Json, relation: str = "ldp", sizes: str = "exactm", where: Any = ()) -> Json:
    found = {"type": "ratio", "law": of, "relation": relation, "counted": "all", "sizes": sizes}
    return {**found, "where": list(where), "any_order": False}


def smallest(of: Json, constant: Tree, relation: str = "ldp", sizes: str = "exactm", where: Any = ()) -> Json:
    return {**ratio(of, relation, sizes, where), "type": "smallest", "constant": constant}


def chance(term: Tree, event: str, probability: Tree, item: str = "sensitive", **more: Any) -> Json:
    found = {"type": "chance", "law": law(term, **more), "item": item, "event": event, "probability": probability}
    return {**found, "where": [], "sizes": "exactm"}


def product(powers: Json, cases: Any = None) -> Json:
    return {"rule": "product", "powers": powers} | ({} if cases is None else {"cases": cases})


def linear(cases: Json) -> Json:
    return {"rule": "linear", "cases": cases, "multipliers": {}}


def variance(of: Json, formula: Tree, slope: Tree, offset: Tree = 0, **shown: Tree) -> Json:
    """Of the number of reports that count for a sensitive item."""
    estimator = {"slope": slope, "offset": offset, **shown}
    found = {"type": "variance", "law": of, "item": "sensitive", "estimator": estimator, "formula": formula}
    return {**found, "where": [], "sizes": "exactm", "data": "fixed"}


def shown(push: str, of: Tree, probability: Tree) -> Json:
    """The chance that a report shows a non-sensitive item that is held."""
    return chance(["push", push, held(of)], "held", probability, "nonsensitive")


def counted(statement: Json) -> Stated:
    """Proved by what a report adds to the count."""
    return statement, "proved", {"rule": "contributions"}


MORE, LESS = div(W, add(W, 1)), div(1, add(W, 1))
TWO_LABELS = ["mix", "h", 2, ["row", {"sen": {"own": MORE, "other": LESS}}]]
SINGLE = {"ss": 1, "o": sub(K, 2), "u": N}
RESULTS = ["push", "sorted", held(SPLIT)]
HALF_K = div(K, 2)
FALSE: dict[str, Stated] = {
    "minus one copies": counted(chance(["copies", -1, ROW], "held", ["neg", P])),
    "half a copy": counted(chance(["copies", HALF, ROW], "held", div(P, 2))),
    "copies of all items": counted(chance(["push", "sorted", ["copies", 2, held(ROW)]], "held", mul(2, P))),
    "labels that are no integer": counted(
        chance(["mix", "h", div(3, 2), ["row", {"sen": {"own": HALF, "other": 1}}]], "held", HALF, families={"h": 1})
    ),
    "a chance above 1": counted(chance(TWO_LABELS, "held", div(W, add(W, 1)), families={"h": 2})),
    "fewer collisions than there can be": counted(chance(TWO_LABELS, "held", div(W, add(W, 1)), families={"h": 0})),
    # of two labels, not of the K items outside
    "labels of another world": counted(
        chance(
            ["mix", "h", 2, ["mix", "g", K, TWO_LABELS[-1]]],
            "other",
            add(mul(HALF, MORE), mul(HALF, add(div(MORE, K), mul(sub(1, div(1, K)), LESS)))),
            families={"h": HALF, "g": div(1, K)},
        )
    ),
    # whether it is the item's own makes them dependent
    "copies of one label": counted(
        variance(
            law(["mix", "h", 2, ["push", "sorted", ["copies", 2, TWO_LABELS[-1]]]], 2, families={"h": HALF}),
            div(
                mul(2, add(mul("f", mul(MORE, LESS)), mul(sub(1, "f"), div(1, 4)))),
                mul("n", ["pow", sub(mul(2, MORE), 1), 2]),
            ),
            sub(mul(2, MORE), 1),
            1,
        )
    ),
    "a family that separates nothing": (
        smallest(law(["mix", "h", 2, ROW], families={"h": 1}), W, where=[sub(K, 2)]),
        "proved",
        product({"ss": 1}, SINGLE),
    ),
    "an item is drawn from each item": counted(
        chance(["push", "multiset", held(["drawn", ROW])], "held", div(add(P, mul(Q, sub(M, 1))), M))
    ),
    "sensitive items are shown": counted(shown("padded", ["row", {"sen": {"pad": div(1, K)}, "non": {"own": 1}}], 1)),
    "a label beside its own": counted(shown("padded", ["row", PADDED], 1)),
    "a literal is another item": counted(
        chance(
            ["push", "multiset", held(["row", {"sen": {"own": HALF, "1": HALF}, "non": {"own": 1}}])],
            "other",
            0,
            "nonsensitive",
        )
    ),
    "two classes with one label": (
        smallest(law(["drawn", ["row", {"sen": ANY}]]), div(sub(add(W, M), 1), M), where=[sub(K, mul(2, M))]),
        "proved",
        linear({"ss": M, "o": sub(K, mul(2, M))}),
    ),
    "sorted results show nothing": counted(shown("sorted", SPLIT, div(sub(W, 1), DEN))),
    "sorted results are compared": (ratio(law(RESULTS, M), "joint"), "proved", product(ONE)),
    "nothing is shown without a function": counted(chance(held(SPLIT), "held", div(sub(W, 1), DEN), "nonsensitive")),
    "sizes of another world": (
        ratio(law(["dummies", "sen", ["push", "multiset", held(ROW)]], div(add(K, 1), 2)), sizes="atmost"),
        "proved",
        product({"ss": 1}),
    ),
    "a row for any input": counted(chance(["row", {"*": {"own": HALF, "other": div(1, mul(2, K))}}], "held", 0)),
    "dummies inside": counted(
        chance(
            ["push", "multiset", ["dummies", "sen", held(SPLIT)]],
            "held",
            div(sub(W, 1), sub(add(W, K, M), 1)),
            "nonsensitive",
        )
    ),
    "an item of another class instead": counted(
        chance(["row", {"sen": {"own": P, "other": Q}, "non": {"other": div(1, K)}}], "other", Q)
    ),
    "several items for a law of one": (
        smallest(law(["copies", 1, ROW]), W, sizes="all", where=[sub(K, 2)]),
        "proved",
        product({"ss": 1, "sb": 0, "bs": 1}, SINGLE),
    ),
    "a case between two integers": (
        smallest(
            law(["push", "bits", ["each", "items", ["row", FLIP]]], mul(2, M), T),
            ["pow", T, mul(2, M)],
            where=[sub(M, 2), sub(2, M), sub(K, 3)],
        ),
        "proved",
        product({"ss": 2}, ["if", div(sub(K, 4), 2), {"ss": M, "o": sub(K, mul(2, M))}, {}]),
    ),
    "half an item": (
        smallest(
            law(["push", "bits", ["each", "items", ["row", {**FLIP, **SHOWN}]]], mul(2, M), T),
            ["pow", T, K],
            "samenon",
            where=[sub(M, K), sub(N, M), sub(HALF_K, 1)],
        ),
        "proved",
        product(ALL, {"ss": HALF_K, "h": sub(M, HALF_K), "u": sub(N, sub(M, HALF_K))}),
    ),
    "items that are not held are shown": (
        smallest(
            law(["push", "bits", ["drawn", ["each", "items", ["row", LEAK]]]], 2),
            div(div(add(mul(HALF, W), HALF), 1), div(add(mul(HALF, W), HALF), W)),
            "deniability",
            where=[sub(1, M), sub(K, 2)],
        ),
        "proved",
        linear({"ss": 1, "o": sub(K, 2), "u": N}),
    ),
    "a product of other entries": (
        {
            "type": "product-form",
            "law": law(["push", "multiset", held(["row", {"sen": ANY}])]),
            "where": [sub(1, M)],
            "sizes": "exactm",
        },
        "refuted",
        {"instance": {"m": 1, "K": 2, "N": 0, "w": "2"}, "s": [0], "other": [1], "output": [0]},
    ),
    "a sum of other variables": (
        {
            "type": "bernoulli-sum",
            "law": law(["push", "multiset", held(["row", {"sen": ANY}])]),
            "where": [],
            "sizes": "exactm",
        },
        "refuted",
        {"instance": {"m": 1, "K": 2, "N": 0, "w": "2"}, "users": [[0]], "item": 0},
    ),
    # it cannot know n; the statement says nothing
    "an estimator of the data": (
        unbiased(law(["push", "multiset", held(SPLIT)]), "sensitive", div(1, "n")),
        "refuted",
        {
            "instance": {"m": 1, "K": 2, "N": 0, "w": "2", "n": 1},
            "users": [[0]],
            "item": 0,
            "exact": "2/3",
            "stated": "1",
        },
    ),
    "an item of the completed world": (
        unbiased(
            law(["dummies", "sen", ["push", "multiset", held(SPLIT)]], M),
            "nonsensitive",
            div(sub(W, 1), sub(add(W, K, M), 1)),
            "atmost",
        ),
        "refuted",
        {
            "instance": {"m": 1, "K": 1, "N": 2, "w": "101/100", "n": 1},
            "users": [[1]],
            "item": 1,
            "exact": "0",
            "stated": "1",
        },
    ),
    "a real power of a negative number": (
        formula({"x": REAL}, ["eq", ["pow", -2, ["add", "x", 1]], ["mul", ["pow", -2, "x"], -2]]),
        "proved",
        {"values": {"x": "0"}, "steps": [{}]},
    ),
    "a quotient of nothing beside what fails": (
        formula({"x": REAL}, ["eq", ["div", 0, 0], 1], ["le", "x", 4]),
        "refuted",
        {"relation": 1, "values": {"x": "10"}},
    ),
    "a domain bounded by a power": (
        formula({"x": REAL}, ["lt", "x", ["exp", 1]], where=[["sub", add(["pow", "x", "x"], 30), ["mul", 20, "x"]]]),
        "proved",
        {"values": {"x": "3/2"}, "cover": ["1", "2"], "steps": [{"multipliers": {"0": 1}}] * 2},
    ),
    "a variance without a covariance": counted(
        variance(
            law(["push", "whole", ["drawn", ["each", "items", ["row", SURE]]]], M),
            div(
                add(mul(mul("f", sub(M, 1)), ["pow", sub(W, 1), 2]), mul(["pow", M, 2], W)),
                mul(mul(["pow", M, 2], "n"), ["pow", add(W, 1), 2]),
            ),
            1,
            per_invertible=div(1, add(W, K)),
        )
    ),
}
"""By what is wrong."""
