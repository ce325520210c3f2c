"""Changes after which a real certificate about sketches is no longer true, or no longer shown."""

from typing import Any

from tampered.changes import Change, E, S, more, put

law, at = (S, "law"), (E, "instance")
labels, of = put(*law, "term", 2), put(*law, "term", 3)


def families(premises: Any) -> Change:
    return put(*law)(lambda old: {**old, "families": premises})


def bits(*path: Any) -> list[Change]:
    """Another row of bits."""
    row = (*law, "term", *path, 2, 1)
    return [
        put(*row, "sen0")(lambda cells: {"0": cells["1"], "1": cells["0"]}),
        put(*row)(lambda kinds: {**kinds, "sen1": kinds["sen0"]}),
        put(*row, "sen1", "1")(1),
    ]


LAW: list[Change] = [
    *bits(3),
    labels(more),
    of(lambda each: ["mix", "rows", "b", each]),
    of(lambda each: ["mix", "columns", "b", each]),
    put(*law, "term")(lambda old: ["copies", 2, old]),
    put(*law, "term")(lambda old: ["push", "sorted", old]),
    families({"rows": ["div", 1, "b"]}),
    families({"rows": "separating"}),
    families({"columns": ["div", 1, "b"]}),
    put(*law, "integers", "b")(1),
    put(*law, "parameters")(["kappa1"]),
]
"""A choice of which nothing is assumed."""
SPREAD: list[Change] = [
    put(S, "estimator", "slope")(more),
    put(S, "estimator", "slope")(0),
    put(S, "estimator")(lambda old: {**old, "per_invertible": 1}),
    put(S, "item")("nonsensitive"),
    put(S, "sizes")("atmost"),
]
"""What is estimated has another variance, or none."""
ESTIMATED = [*SPREAD, put(S, "estimator", "offset")(more)]
WITNESS: list[Change] = [
    put(*at, "b")(1),
    put(*at, "K")(1),
    put(*at, "N")(1),
    put(*at, "m")(2),
    put(*at, "n")(3),
    put(*at, "t")("1"),
    put(E, "users")([]),
    put(E, "users", 0)([]),
    put(E, "item")(7),
    put(E, "exact")("0"),
    put(E, "stated")("7"),
]
LISTED: list[Change] = [
    put(E, "hashes")({}),
    put(E, "hashes")([]),
    put(E, "hashes", "rows")([]),
    put(E, "hashes")({"columns": [["1", [0, 0]]]}),
    put(E, "hashes", "rows", 0, 0)("1/3"),
    put(E, "hashes", "rows", 0, 1)([0]),
    put(E, "hashes", "rows", 0, 1)([0, 0, 0, 0]),
    put(E, "hashes", "rows", 0, 1)(lambda image: [9, *image[1:]]),
]
SHARED: list[Change] = [
    *SPREAD,
    put(S, "labels")(2),
    put(S, "labels")("k"),
    put(S, "rows")(["mul", 2, "k"]),
    put(S, "rows")(["div", "k", 2]),
    put(S, "formula")(lambda old: ["add", old, "kappa1"]),
    put(*law, "integers", "k")(0),
]

FALSIFIED_SKETCHES: dict[str, list[Change]] = {
    "shared proved": [
        labels(2),
        put(S, "rows")(1),
        *LAW,
        *SHARED,
        put(S, "independence")("pairwise"),
        put(S, "independence")("distinct"),
        put(S, "formula")(more),
        put(S, "formula")(lambda old: ["add", old, "squared"]),
        put(E, "rule")("contributions"),
    ],
    "shared refuted": [
        *WITNESS,
        *SHARED,
        put(S, "independence")("threewise"),
        put(S, "independence")("distinct"),
        put(*at, "k")(2),
        put(E, "functions")([]),
        put(E, "functions")(lambda listed: listed[1:]),
        put(E, "functions", 0, 1)([0, 0, 1]),
        put(E, "functions", 0, 0)("2/9"),
        put(E, "users")([[1], [1]]),
    ],
    "shared refuted for different functions": [
        *WITNESS,
        *SHARED,
        put(S, "independence")("pairwise"),
        put(S, "independence")("threewise"),
        put(*at, "k")(1),
        put(*at, "k")(5),
        put(*at, "K")(10**30),
    ],
    "mean proved": [*LAW, *ESTIMATED, put(S, "formula")("f"), put(S, "formula")(more), put(S, "data")("iid")],
    "mean refuted": [*WITNESS, *LISTED, put(E, "hashes", "rows")([["1", [0, 1]]]), put(S, "formula")("kappa1")],
    "unbiased proved for colliding labels": [
        *LAW[:8],
        *LAW[9:],
        *ESTIMATED,
        families({"rows": 1}),
        families({"rows": ["div", 1, ["add", "b", 1]]}),
        families({"rows": ["div", 1, "b"], "None": 1}),
    ],
    "unbiased refuted for colliding labels": [
        *WITNESS,
        *LISTED,
        put(E, "hashes", "rows")([["1", [0, 1]]]),
        families({"rows": ["div", 1, "b"]}),
        families({"rows": "separating"}),
    ],
    "unbiased proved for thinned reports": [
        *bits(2, 3),
        *ESTIMATED[:2],
        *ESTIMATED[3:],
        put(*law, "term")(lambda old: old[2]),
        put(*law, "term", 1)(1),
        put(*law, "term", 1)(2),
        put(*law, "term", 1)(["sub", "rho", 1]),
        families({"rows": 1}),
        put(S, "estimator", "per_invertible")(more),
        put(S, "estimator", "slope")(lambda slope: slope[2]),
    ],
    "unbiased refuted for thinned reports": [
        *WITNESS[2:6],
        *WITNESS[7:],
        put(*at, "rho")("1"),
        put(*at, "rho")("0"),
        put(E, "hashes", "rows", 0, 0)("1"),
        put(S, "estimator", "slope")(lambda slope: ["mul", "rho", slope]),
    ],
    "variance proved for one coordinate": [
        *LAW[3:-3],
        *SPREAD,
        put(*law, "families", "coordinates")(1),
        put(*law, "families", "coordinates")(["div", 1, 3]),
        put(*law, "families", "coordinates")("separating"),
        put(*law, "term", 3, 2)(3),
        put(*law, "term", 3, 3)(lambda row: ["copies", 2, row]),
        put(S, "formula")(more),
        put(S, "data")("iid"),
    ],
    "mse proved under fixed functions": [*LAW, *ESTIMATED, put(S, "formula")(more), put(S, "data")("iid")],
    "mse refuted under fixed functions": [*WITNESS, *LISTED, put(S, "formula")(9)],
    "smallest proved for separated items": [
        *bits(3),
        labels(1),
        labels("K"),
        of(lambda each: ["mix", "rows", "b", each]),
        families({"columns": "separating"}),
        put(*law, "families", "rows")(1),
        put(*law, "integers", "b")(1),
        put(*law, "term")(lambda old: ["each", "held", old]),
        put(*law, "term")(lambda old: ["thinned", ["div", 1, 2], old]),
        put(S, "constant")(more),
        put(S, "constant")("t"),
        put(S, "where")([]),
        put(E, "powers", "ss")(1),
        put(E, "powers", "ss")(3),
        put(E, "cases", "ss")(0),
        put(E, "cases", "o")("K"),
    ],
    "smallest refuted for any functions": [
        put(*at, "b")(0),
        put(*at, "K")(3),
        put(*at, "t")("1"),
        put(*at, "t")("3"),
        put(E, "exact")("2"),
        put(E, "stated")("1"),
        *LISTED[:5],
        put(E, "hashes")([[["0", "0"], "1"]]),
        families({"rows": "separating"}),
        put(S, "constant")(1),
    ],
    "ratio refuted for several reports": [
        put(*at, "b")(1),
        put(*at, "m")(1),
        put(*at, "K")(2),
        put(E, "hashes", "rows", 0, 1)([0, 0, 0]),
        put(E, "hashes", "rows", 0, 1)([0, 1]),
        put(E, "hashes", "rows", 0, 0)("1/2"),
        put(*law, "power")(["mul", 2, "m"]),
        families({"rows": ["div", 1, "b"]}),
        put(E, "output")([[[0, [1, 0]], [0, [1, 0]]], []]),
        put(E, "other")([0, 1]),
        put(E, "other")([1]),
        put(E, "probability")("1"),
    ],
    "formula proved for sums": [
        put(S, "relations", 0, 2, 2, 3)(10),
        put(S, "relations", 0, 2, 2, 2)(0),
        put(S, "relations", 0, 2, 2, 1)("y"),
        put(S, "relations", 0, 2, 2, 1)("K"),
        put(S, "relations", 0, 2, 2, 1)(1),
        put(S, "relations", 0, 2, 2, 3)("y"),
        put(S, "relations", 0, 2, 2, 3)(["div", 1, 2]),
        put(S, "relations", 0, 2, 2, 3)(10**9),
        put(E, "cover")(["0", "1"]),
    ],
    "formula refuted for sums": [
        put(S, "relations", 0, 2)(1203),
        put(S, "relations", 0, 1, 3)(["neg", 1]),
        put(E, "relation")(1),
        put(E, "values")({"x": 1}),
    ],
}
