"""Changes after which a real certificate is no longer true, or no longer shown, by the name of the certificate."""

from collections.abc import Callable
from typing import Any

from certificates import Json

Change = Callable[[Json], None]


def at(node: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        node = node[name]
    return node


def put(*path: Any) -> Callable[[Any], Change]:
    """A change that puts a value at a path of the certificate."""

    def to(value: Any) -> Change:
        def change(certificate: Json) -> None:
            old = at(certificate, path)
            at(certificate, path[:-1])[path[-1]] = value(old) if callable(value) else value

        return change

    return to


S, E = "statement", "evidence"
view, relation, power = put(S, "view"), put(S, "relation"), put(S, "law", "power")
constant, formula = put(S, "constant"), put(S, "formula")
instance, output = put(E, "instance"), put(E, "output")


def more(x: Any) -> Any:
    return ["add", x, 1]


def both(*changes: Change) -> Change:
    def change(certificate: Json) -> None:
        for one in changes:
            one(certificate)

    return change


FALSIFIED: dict[str, list[Change]] = {
    "all proved": [
        put(S, "parts", 0, "law", "r")(0),
        put(S, "parts", 1, "relation")("marginal"),
        put(S, "parts", 1, "law", "p")(lambda p: ["div", p, 2]),
        put(E, "parts")(lambda parts: parts[:1]),
        put(E, "parts")(lambda parts: parts[::-1]),
    ],
    "bernoulli-sum proved": [view("set"), view("padded"), put(S, "law", "q")(more)],
    "bernoulli-sum refuted": [view("multiset"), view("position"), put(E, "users", 0)([0]), put(E, "item")(2)],
    "compare proved": [
        put(S, "domain", "variables", "m", "min")(1),
        put(S, "domain", "variables", "t", "strict")(False),
        put(S, "left", "estimator", "slope")(lambda x: ["div", x, 2]),
        lambda c: c[S].update(left=c[S]["right"], right=c[S]["left"]),
        put(S, "left", "data")("iid"),
    ],
    "compare refuted": [
        put(S, "domain", "variables", "m", "min")(2),
        put(E, "values", "m")("2"),
        put(E, "values", "f")("2"),
        put(E, "values", "f")("1/2"),
        put(E, "values", "t")("1"),
        put(E, "values", "n")("0"),
        put(S, "left", "law", "power")(["mul", 4, "m"]),
    ],
    "completions ill_posed": [
        put(S, "completions")(lambda both: dict.fromkeys(both, next(iter(both.values())))),
        put(E, "completions")({}),
    ],
    "computable proved": [view("set"), view("padded"), put(S, "law", "draw")("one"), put(E, "lemma")("slotwise")],
    "computable refuted": [
        view("multiset"),
        view("position"),
        put(E, "results")(lambda z: [z[0], z[0]]),
        put(E, "item")(lambda x: x + 4),
        put(E, "N")(0),
    ],
    "definition verified": [
        put(S, "forms")(["uldp-inversion"]),
        put(S, "forms")(["uldp-protection", "eq10-membership"]),
        lambda c: c[E].update(satisfied=c[E]["violated"], violated=c[E]["satisfied"]),
        put(E, "satisfied", "e_eps")("1/2"),
        put(E, "satisfied", "rows")(lambda rows: [["2" for _ in row] for row in rows]),
    ],
    "exceeds refuted": [
        put(S, "where")(lambda where: [*where, ["sub", "K", 2]]),
        put(E, "instance", "w")("1"),
        put(E, "instance", "K")(2),
        relation("marginal"),
    ],
    "formula proved": [
        put(S, "relations", 0, 2)(2),
        put(S, "relations", 0, 0)("lt"),
        put(S, "relations", 1, 0)("eq"),
        put(S, "relations", 1)(lambda r: [r[0], r[2], r[1]]),
        put(S, "domain", "variables", "w", "min")(-5),
        put(S, "domain", "variables", "K", "min")(-1),
        put(E, "steps")([]),
        put(E, "steps")(lambda steps: [*steps, {}]),
    ],
    "implies proved": [
        lambda c: c[S].update(premises=[c[S]["premises"][0], *c[S]["conclusions"]], conclusions=c[S]["premises"][1:]),
        put(S, "premises")(["eq11-joint"]),
        put(S, "premises")(["eq10-membership", "eq11-deniability"]),
        put(S, "conclusions")(["eq11-marginal"]),
        put(S, "conclusions")(["ldp"]),
        put(E, "lemma")("inclusion"),
    ],
    "implies refuted": [
        put(S, "conclusions")(["eq11-samenon"]),
        put(S, "premises")(["eq11-joint"]),
        put(E, "channel", "e_eps")("1"),
        put(E, "channel", "inputs")(lambda i: i[:-1]),
        put(E, "channel", "rows")(lambda rows: [rows[0]] * len(rows)),
    ],
    "independent proved": [
        put(S, "variables")(["t"]),
        put(S, "terms", 0)(["mul", "K", 0]),
        put(E, "kind")("free"),
    ],
    "invertible proved": [
        put(S, "epsilon")("zero"),
        put(S, "probability")(1),
        put(S, "law", "r")(0),
        put(S, "law", "r")(["sub", 1, "t"]),
        put(S, "law", "r")(None),
    ],
    "invertible refuted": [
        put(S, "epsilon")("positive"),
        put(E, "instance", "h")("2"),
        put(E, "item")(0),
        put(E, "instance", "N")(0),
    ],
    "invertible-within proved": [put(S, "law", "r")(None), view("set"), put(E, "lemma")("slotwise")],
    "mse proved": [
        formula(more),
        formula(lambda x: ["mul", x, "n"]),
        formula(lambda x: ["add", x, ["sub", "g", "f"]]),
        put(S, "data")("iid"),
        put(S, "item")("nonsensitive"),
        put(S, "estimator", "offset")(0),
        put(S, "estimator", "slope")(lambda x: ["mul", 2, x]),
        put(S, "law", "draw")("one"),
        put(S, "law", "q")("p"),
    ],
    "mse refuted": [
        formula(lambda x: ["add", x, ["div", ["mul", "f", ["sub", 1, "f"]], "n"]]),
        put(S, "data")("fixed"),
        put(E, "exact")("1"),
        put(E, "stated")("1"),
        put(E, "item")(0),
        put(E, "population")(lambda p: [[p[0][0], "1"]]),
        put(E, "population")([]),
        put(E, "instance", "n")(0),
        put(E, "instance", "t")("1"),
    ],
    "no-channel refuted": [
        put(S, "predicates")(lambda p: [*p, "mixed-input", "uldp-inversion"]),
        put(S, "predicates")([]),
        put(E, "channel", "outputs")(lambda y: [[y0, []] for y0, _ in y]),
    ],
    "padding proved": [
        put(S, "mean")("held"),
        put(S, "mode")("existing"),
        put(S, "estimator")(lambda e: e[::-1]),
        put(S, "estimator", 0, "offset")(0),
    ],
    "padding refuted": [
        put(S, "mean")(["mul", ["div", "m", "size"], "held"]),
        put(S, "mode")("existing"),
        put(E, "item")(7),
        put(E, "s")([]),
    ],
    "product-form proved": [view("set"), view("multiset"), power(1), put(E, "factor")(1), put(S, "law", "draw")("one")],
    "product-form refuted": [view("position"), put(E, "output")([]), put(E, "other")(lambda _: [0, 9])],
    "ratio proved": [
        power(1),
        relation("marginal"),
        relation("ldp"),
        put(S, "sizes")("atmost"),
        put(S, "law", "p")(lambda p: ["mul", "e0", p]),
        both(view("position"), put(S, "any_order")(True)),
        put(E, "factor")(1),
        put(E, "factor")("K"),
        put(E, "low")(0),
        put(E, "low")(-1),
        put(E, "lemma")("own entry"),
    ],
    "ratio proved for bits": [
        power("m"),
        both(relation("marginal"), view("whole")),
        relation("ldp"),
        put(S, "sizes")("all"),
        put(S, "law", "draw")("each"),
        put(E, "up")(1),
        put(E, "down")(0),
        lambda c: c[E].update(up=["mul", "t", "t"], down=1),
    ],
    "ratio refuted": [
        view("sen"),
        relation("joint"),
        relation("samenon"),
        put(E, "probability")("1/2"),
        put(E, "other_probability")("1/7"),
        lambda c: c[E].update(s=c[E]["other"], other=c[E]["s"]),
        lambda c: c[E].update(other=c[E]["s"], other_probability=c[E]["probability"]),
        put(E, "instance", "t")("1"),
        put(E, "instance", "t")("1/2"),
        put(E, "instance", "m")(0),
        put(E, "instance", "K")(0),
        put(E, "instance", "N")(0),
        put(E, "instance", "m")(5),
        put(S, "where")([["sub", "K", 50]]),
        output([[9, 9], []]),
    ],
    "ratio verified": [
        power("m"),
        relation("ldp"),
        put(E, "instances")([]),
        put(E, "instances")([{"m": 1, "K": 1, "N": 0}]),
        put(E, "instances")([{"m": 1, "K": 2, "N": 0, "t": 1}]),
        put(E, "instances")([{"m": 2, "K": 1, "N": 0}]),
        put(E, "instances")([{"m": 1, "K": 2, "N": 0, "order": [1, 0]}]),
        put(E, "instances")([{"m": "1", "K": 2, "N": 0}]),
        both(view("whole"), relation("marginal")),
    ],
    "smaller-order refuted": [
        put(S, "domain", "variables", "K", "min")(2),
        put(S, "domain", "lemmas")([]),
        put(S, "domain", "variables", "m", "integer")(False),
        put(E, "constant")(0),
        put(E, "constant")(1),
        put(E, "constant")("v"),
        put(E, "values", "K")("1/2"),
        put(E, "values", "f")("3"),
        lambda c: c[S].update(left=c[S]["right"], right=c[S]["left"]),
    ],
    "smallest proved": [
        constant(more),
        constant(1),
        put(S, "where")([]),
        put(S, "where")(lambda w: w[:1]),
        put(S, "sizes")("atmost"),
        relation("deniability"),
        put(E, "lemma")("own entry"),
    ],
    "smallest proved for matched results": [
        constant(more),
        constant(["exptrunc", "m", ["sub", "e0", 1]]),
        put(S, "where")(lambda w: w[:1]),
        put(S, "where")(lambda w: w[1:]),
        put(S, "sizes")("atmost"),
        put(S, "counted")("nonempty"),
        view("position"),
        relation("marginal"),
        relation("samenon"),
        relation("deniability"),
        relation("ldp"),
        put(S, "law", "draw")("one"),
        put(E, "lemma")("exchanged items"),
        put(E, "lemma")("own entry"),
    ],
    "smallest proved for shown sets": [
        constant(more),
        constant("e0"),
        put(S, "where")([]),
        put(S, "where")(lambda w: w[:1]),
        put(S, "where")(lambda w: w[1:]),
        put(S, "counted")("all"),
        view("multiset"),
        view("padded"),
        relation("joint"),
        put(E, "factor")(["mul", "e0", "e0"]),
        put(E, "lemma")("matched results"),
    ],
    "smallest proved for exchanged bits": [
        constant(more),
        constant(["pow", "t", ["mul", 2, "m"]]),
        put(S, "where")(lambda w: w[:1]),
        put(S, "where")(lambda w: w[1:]),
        relation("joint"),
        relation("deniability"),
        relation("marginal"),
        view("whole"),
        put(S, "law", "draw")("one"),
        put(E, "lemma")("matched results"),
    ],
    "smallest proved for one draw": [
        constant(more),
        constant("w"),
        put(S, "where")([]),
        put(S, "counted")("all"),
        relation("ldp"),
        put(S, "sizes")("atmost"),
        put(E, "lemma")("matched results"),
    ],
    "smallest refuted": [
        constant(["div", ["sub", ["add", "w", "m"], 1], "m"]),
        put(E, "exact")("1"),
        put(E, "exact")("unbounded"),
        put(E, "stated")("1"),
        put(E, "instance", "m")(9),
        put(E, "instance", "w")("1"),
    ],
    "smallest verified": [
        constant(["pow", "t", ["add", "K", 1]]),
        constant(1),
        relation("joint"),
        put(E, "instances")([]),
        put(E, "instances")([{"m": 1, "K": 1, "N": 1, "t": 2}]),
    ],
    "unbiased proved": [
        put(S, "estimator", "offset")(0),
        put(S, "estimator", "slope")(lambda x: ["mul", 2, x]),
        put(S, "item")("nonsensitive"),
        put(S, "law", "q")("p"),
        put(E, "lemma")("kept"),
    ],
    "unbiased refuted": [
        view("multiset"),
        view("position"),
        put(E, "exact")("1"),
        put(E, "stated")("1/2"),
        put(E, "users")([]),
        put(E, "users")([[0]]),
        put(E, "users")([[0, 0]]),
        put(E, "users")([[0, 9]]),
        put(E, "instance", "n")(2),
        put(E, "item")(-1),
    ],
    "unbounded proved": [
        put(S, "where")([]),
        put(S, "where")(lambda w: w[:1]),
        put(S, "where")(lambda w: w[1:]),
        view("sen"),
        relation("joint"),
        relation("samenon"),
        put(S, "law", "r")(0),
        put(S, "law", "r")(None),
        put(S, "sizes")("all"),
        put(E, "lemma")("kept"),
    ],
    "unique proved": [put(E, "patterns")(15), put(E, "kind")("")],
    "vanishing proved": [
        put(S, "terms")(lambda terms: [1, *terms[1:]]),
        put(S, "variable")("w"),
        put(E, "constants", 0)("K"),
        put(E, "constants", 0)(0),
        put(E, "constants", 0)(-1),
        put(E, "constants")([]),
    ],
    "vanishing refuted": [
        put(S, "variable")("K"),
        put(E, "values", "w")("1"),
        put(E, "values", "K")("3/2"),
        put(E, "term")(99),
        put(S, "terms")(lambda terms: [0 for _ in terms]),
    ],
}
