"""Changes after which a real certificate about PrivSet is no longer true, or no longer shown."""

from tampered.changes import Change, E, S, more, put

term, padded = put(S, "law", "term"), ("law", "term", 2)
COMPLETED: list[Change] = [
    term(lambda old: old[2]),
    put(S, *padded, 2)(more),
    put(S, *padded, 3)(0),
    put(S, *padded, 3)(lambda old: ["mul", 2, old]),
    put(S, *padded, 1)(1),
    put(S, "law", "integers")({"k": 0}),
    put(S, "law", "integers")({}),
    put(S, "law", "power")(2),
    put(S, "sizes")("exactm"),
]
EXACT: list[Change] = [
    term(lambda old: ["dummies", "sen", old]),
    term(lambda old: ["drawn", old]),
    term(lambda old: ["each", "held", old]),
    term(lambda old: ["push", "sorted", old]),
    put(S, "sizes")("atmost"),
]
NUMBERS: list[Change] = [
    put(E, "instance", "k")(0),
    put(E, "instance", "k")(9),
    put(E, "instance", "K")(1),
    put(E, "instance", "w")("1"),
    put(E, "exact")("0"),
]

FALSIFIED_ON_SUBSETS: dict[str, list[Change]] = {
    "chance proved on subsets": [
        *COMPLETED[:-2],
        put(S, "event")("other"),
        put(S, "probability")(more),
        put(S, "item")("nonsensitive"),
    ],
    "chance refuted on subsets": [*NUMBERS, put(S, "event")("held")],
    "ratio proved on subsets": [*COMPLETED, put(S, "relation")("samenon"), put(E, "rule")("product")],
    "smallest proved on subsets": [*EXACT, put(S, "constant")(more), put(S, "constant")(1), put(E, "rule")("linear")],
    "smallest refuted on subsets": [*NUMBERS, put(S, "constant")("w")],
    "unbiased proved on subsets": [
        *COMPLETED[1:-2],
        put(S, "estimator", "slope")(more),
        put(S, "estimator", "offset")(more),
        put(S, "estimator", "offset")(0),
    ],
    "unbiased refuted on subsets": NUMBERS,
    "mse proved on subsets": [*COMPLETED[1:-2], put(S, "formula")(more), put(S, "data")("iid")],
    "mse refuted on subsets": [*NUMBERS[:2], put(E, "instance", "K")(9), *NUMBERS[3:]],
    "not refuted": [
        put(S)(lambda old: old["of"]),
        put(E, "evidence", "parts")([]),
        put(S, "of", "parts", 2, "relations", 0, 1)("w"),
    ],
}
