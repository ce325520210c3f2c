"""Changes after which a real certificate about PrivSet is no longer true, or no longer shown."""

from tampered import Change, E, S, more, put

reading, hit, miss = (put(S, "table", name) for name in ("reading", "hit", "miss"))
lemma, instance = put(E, "lemma"), put(E, "instance")
TABLE: list[Change] = [reading("other"), hit(more), miss(more), hit(lambda old: ["mul", 2, old]), hit("w"), miss(0)]
SIZE: list[Change] = [
    put(E, "instance", "d")(0),
    put(E, "instance", "d")(10**6),
    put(E, "instance", "m")(0),
    put(E, "instance", "m")(40),
]

FALSIFIED_ON_SUBSETS: dict[str, list[Change]] = {
    "subsets-law proved": [*TABLE, lemma("two probabilities"), put(S, "held")(more), put(S, "other")(more)],
    "subsets-law refuted": [
        *SIZE,
        put(E, "instance", "k")(2),
        put(E, "instance", "w")("1"),
    ],
    "subsets-ratio proved": [*TABLE, lemma("counting")],
    "subsets-smallest proved": [*TABLE, lemma("counting"), put(S, "constant")(more), put(S, "constant")(1)],
    "subsets-smallest refuted": [*SIZE, put(S, "constant")("w"), put(E, "instance", "w")("1")],
    "subsets-unbiased proved": [
        *TABLE,
        lemma("contributions"),
        put(S, "estimator", "slope")(more),
        put(S, "estimator", "offset")(more),
        put(S, "estimator", "offset")(0),
    ],
    "subsets-unbiased refuted": [
        *SIZE,
        put(S, "estimator", "slope")(lambda old: ["sub", old, ["div", 1, ["add", 1, "w"]]]),
    ],
    "subsets-same-choice proved": [
        *TABLE,
        put(S, "constraints")([]),
        put(S, "constraints")([["sub", 2, "m"]]),
        put(S, "objectives", 0)(more),
        put(S, "objectives")(lambda both: both[:1]),
        lemma("counting"),
    ],
    "subsets-same-choice refuted": [
        *SIZE,
        put(S, "constraints")([["sub", 1, "m"]]),
        put(S, "objectives")(lambda both: [both[0], both[0]]),
        put(E, "best")([[1], [2]]),
        put(E, "best")([[2]]),
        put(E, "instance", "m")(1),
        put(E, "instance", "w")("20"),
    ],
    "subsets-best proved": [
        *TABLE,
        *(put(S, name)(more) for name in ("radicand", "shift", "scale")),
        put(S, "objective")(lambda old: ["neg", old]),
        *(put(E, name)(more) for name in ("condition", "factor")),
    ],
    "subsets-best refuted": [*SIZE, put(E, "instance", "m")(2), put(E, "instance", "w")("2")],
    "subsets-no-formula refuted": [
        *TABLE,
        *(put(E, name)(more) for name in ("condition", "factor", "radicand", "shift", "scale")),
        put(S, "objective")(lambda old: ["mul", old, "D"]),
    ],
    "subsets-convex proved": [
        *TABLE,
        put(S, "objective")(lambda old: ["mul", old, "k"]),
        put(S, "objective")(more),
        lemma("counting"),
    ],
    "subsets-convex refuted": [
        *SIZE,
        put(S, "objective")(lambda old: ["neg", old]),
        put(E, "instance", "k")(1),
        put(E, "instance", "k")(3),
    ],
    "subsets-better proved": [
        *TABLE,
        reading("padded"),
        put(S, "constraints")([]),
        put(S, "rival")(0),
        put(S, "rival")(lambda old: ["mul", old, "d"]),
        *(put(E, name)(more) for name in ("multiple", "square", "slope", "constant")),
    ],
    "subsets-better refuted": [
        *SIZE,
        put(S, "constraints")([["sub", 1, "m"]]),
        put(S, "rival")(more),
        put(E, "errors")([]),
        put(E, "errors")(lambda old: [*old, *old]),
        put(E, "rival")("0"),
        put(E, "instance", "t")("2"),
    ],
    "subsets-error-above proved": [
        *TABLE,
        put(S, "bound")(more),
        put(S, "domain", "constraints")([]),
        put(S, "domain", "variables", "t", "min")(0),
        put(E, "step")({}),
        lemma("counting"),
    ],
    "subsets-error-above refuted": [
        *SIZE,
        put(S, "bound")(["mul", "m", ["sub", "m", 1]]),
        put(S, "domain", "variables", "m", "min")(3),
        put(E, "instance", "t")("1"),
        put(E, "instance", "k")(2),
    ],
}
