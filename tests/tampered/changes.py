"""Changes after which a real certificate is no longer true, or no longer shown, by the name of the certificate."""

from collections.abc import Callable
from typing import Any

from dp_checks.check import cases
from tampered.certificates import Json

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
relation, power = put(S, "relation"), put(S, "law", "power")
constant, formula = put(S, "constant"), put(S, "formula")
instance, output = put(E, "instance"), put(E, "output")


def more(x: Any) -> Any:
    return ["add", x, 1]


KINDS = (S, "law", "term", 2, 2, 1)
"""The row in ["push", name, ["each", ..., ["row", kinds]]]."""
seen, of, kinds = put(S, "law", "term", 1), put(S, "law", "term", 2), put(*KINDS)
sen, non, held, other = (put(*KINDS, kind) for kind in ("sen", "non", "non1", "sen0"))
never, plain = {"0": 1}, kinds(lambda rows: {x: rows[x] for x in rows if x.startswith("sen")})
drawn, one_drawn = of(lambda each: ["drawn", each]), of(lambda each: ["drawn", each[2]])
powers = put(E, "powers")
"""Of one item at random: all of its bits; its result."""


def both(*changes: Change) -> Change:
    def change(certificate: Json) -> None:
        for one in changes:
            one(certificate)

    return change


padded = both(seen("padded"), non(lambda cells: {"pad": ["div", cells["own"], "K"], "other": cells["other"]}))
unlisted = (
    put(E, "instances")([]),
    put(E, "instances", 0, "K")(0),
    put(E, "instances", 0, "m")(9),
    put(E, "instances", 0)(lambda at: {**at, "e0": "2"}),
)
"""Scopes that are none."""
same_bits = kinds(lambda rows: rows | {"sen0": rows["sen1"]})

FALSIFIED: dict[str, list[Change]] = {
    "all proved": [
        put(S, "parts", 0, "law", "term", 2, 1, 1, "non")({"other": ["div", 1, "K"]}),
        put(S, "parts", 1, "relation")("marginal"),
        put(S, "parts", 1, "law", "term", 2, 1, 1, "sen", "own")(lambda p: ["div", p, 2]),
        put(S, "parts", 1, "law", "power")(["div", 1, 2]),
        put(E, "parts")(lambda parts: parts[:1]),
        put(E, "parts")(lambda parts: parts[::-1]),
    ],
    "bernoulli-sum verified": [
        seen("set"),
        padded,
        put(*KINDS, "sen", "other")(more),
        *unlisted,
    ],
    "bernoulli-sum refuted": [seen("multiset"), seen("position"), put(E, "users", 0)([0]), put(E, "item")(2)],
    "completions ill_posed": [
        put(S, "readings")(lambda both: dict.fromkeys(both, next(iter(both.values())))),
        put(S, "readings", "joint reading of (11)")("eq10-sets"),
        put(S, "premises")(lambda premises: [*premises, "eq11-marginal"]),
        put(S, "inputs")("m-sets"),
        put(E, "channel", "e_eps")("1"),
    ],
    "completions ill_posed on sets": [
        put(S, "readings")(lambda both: dict.fromkeys(both, next(iter(both.values())))),
        put(S, "readings", "some coordinate")("eq10-coordinate"),
        put(S, "readings", "some coordinate")("ldp"),
        put(S, "inputs")("singletons"),
        put(E, "channel", "e_eps")("1"),
        put(E, "channel", "rows")(lambda rows: rows[:-1]),
        put(E, "channel", "outputs", 3, 1)([1]),
    ],
    "computable verified": [seen("set"), padded, one_drawn, of(lambda each: each[2]), *unlisted],
    "computable refuted": [
        seen("multiset"),
        seen("position"),
        put(E, "outcomes")(lambda z: [z[0], z[0]]),
        put(E, "outcomes", 1)([1, [2, 1]]),
        put(E, "item")(lambda x: x + 4),
        put(E, "instance", "N")(0),
    ],
    "definition verified": [
        put(S, "forms")(["uldp-inversion"]),
        put(S, "forms")(lambda forms: forms[:1]),
        put(S, "forms")(lambda forms: forms[:1] * 2),
        put(S, "forms")(["uldp-protection", "eq10-membership"]),
        put(S, "forms")(lambda forms: [*forms, "ldp"]),
        put(E, "families")([]),
        put(E, "families", 0, "outputs")([[0, []]]),
        put(E, "families", 0, "parts")(0),
        put(E, "families", 0, "parts")(9),
        put(E, "families", 0, "K")(0),
        put(E, "families", 0, "m")(2),
        put(E, "families", 0, "e_eps")("1/2"),
        put(E, "families", 0, "e_eps")("1"),
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
    "frequencies verified": [
        put(E, "users")(0),
        put(E, "users")("3"),
        put(E, "users")(4),
        put(E, "items")(0),
        put(E, "items")(9),
    ],
    "implies verified for readings": [
        lambda c: c[S].update(premises=[c[S]["premises"][0], *c[S]["conclusions"]], conclusions=c[S]["premises"][1:]),
        put(S, "premises")(["eq10-membership", "eq11-marginal"]),
        put(S, "conclusions")(["eq11-marginal"]),
        put(S, "conclusions")(["ldp"]),
        put(E, "families")([]),
    ],
    "implies refuted": [
        put(S, "conclusions")(["eq11-samenon"]),
        put(S, "premises")(["eq11-joint"]),
        put(E, "channel", "e_eps")("1"),
        put(E, "channel", "rows")(lambda rows: rows[:-1]),
        put(E, "channel", "rows")(lambda rows: [rows[0]] * len(rows)),
        put(E, "channel", "rows")(lambda rows: [["2" for _ in row] for row in rows]),
    ],
    "implies verified": [
        put(S, "premises")(["fixed-t"]),
        put(S, "premises")(["eq10-membership"]),
        put(E, "families")([]),
        put(E, "families", 0, "m")(2),
        put(E, "families", 0, "K")(1),
        put(E, "families", 0, "parts")(9),
    ],
    "implies verified for images": [
        put(S, "premises")(["eq9-membership"]),
        put(S, "conclusions")(["ldp"]),
        put(E, "families")([]),
        put(E, "families", 0, "m")(2),
        put(E, "families", 0, "outputs")([[0, [1]]]),
        put(E, "families", 0, "parts")(9),
    ],
    "invertible proved": [
        put(S, "probability")(1),
        held(never),
        held({"1": ["sub", 1, "t"], "0": "t"}),
        plain,
    ],
    "mse proved": [
        formula(more),
        formula(lambda x: ["mul", x, "n"]),
        formula(lambda x: ["add", x, ["sub", "g", "f"]]),
        put(S, "data")("iid"),
        put(S, "item")("nonsensitive"),
        put(S, "estimator", "offset")(0),
        put(S, "estimator", "slope")(lambda x: ["mul", 2, x]),
        drawn,
        same_bits,
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
    "implies refuted for a number of items": [
        put(S, "premises")(lambda p: [*p, "uldp-inversion"]),
        put(S, "premises")(lambda p: [*p, "fixed-t"]),
        put(S, "conclusions")([]),
        put(E, "channel", "outputs")(lambda y: [[y0, []] for y0, _ in y]),
    ],
    "padding verified": [
        *unlisted,
        put(E, "instances", 0)({"m": 2, "K": 1, "N": 1}),
        put(S, "mean")("held"),
        put(S, "law", "term", 0)("filled"),
        put(S, "estimator")(lambda e: e[::-1]),
        put(S, "estimator", 0, "offset")(0),
    ],
    "padding refuted": [
        put(S, "mean")(["mul", ["div", "m", "size"], "held"]),
        put(S, "law", "term", 0)("filled"),
        put(E, "item")(7),
        put(E, "s")([]),
    ],
    "product-form verified": [
        seen("set"),
        seen("multiset"),
        one_drawn,
        *unlisted,
        put(E, "instances", 0)({"m": 2, "K": 1, "N": 1}),
    ],
    "product-form refuted": [seen("position"), put(E, "output")([]), put(E, "other")(lambda _: [0, 9])],
    "ratio proved": [
        power(1),
        relation("marginal"),
        relation("ldp"),
        put(S, "sizes")("atmost"),
        put(*KINDS, "sen", "own")(lambda p: ["mul", "e0", p]),
        both(seen("position"), put(S, "any_order")(True)),
        put(E, "powers", "ss")(0),
        put(E, "powers", "sn")(0),
        put(E, "powers", "ss")("K"),
        put(E, "powers", "ss")(2),
        put(E, "powers", "ns")(-1),
        put(E)(lambda old: {"rule": "cover"}),
        put(E)(lambda old: {"rule": "counting"}),
    ],
    "ratio proved for bits": [
        power("m"),
        both(relation("marginal"), seen("whole")),
        relation("ldp"),
        both(put(S, "sizes")("all"), powers(lambda old: {**old, **dict.fromkeys(("sb", "bs", "nb", "bn"), 1)})),
        put(E, "powers", "ss")(1),
        put(E, "powers", "sn")(1),
        put(E, "powers", "ss")(3),
        powers(lambda old: {**old, "ss": 4, "sn": 0}),
    ],
    "ratio refuted": [
        seen("bits"),
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
        both(seen("whole"), relation("marginal")),
    ],
    "smallest proved": [
        constant(more),
        constant(1),
        put(S, "where")([]),
        put(S, "where")(lambda w: w[:1]),
        put(S, "sizes")("atmost"),
        both(relation("deniability"), put(S, "where")(lambda w: w[1:])),
        put(E, "cases")({}),
        put(E, "cases")({"ss": 1, "o": ["sub", "K", 1], "u": "N"}),
        put(E)(lambda old: {"rule": "matching", "cases": old["cases"]}),
    ],
    "smallest proved for matched results": [
        constant(more),
        constant(["exptrunc", "m", ["sub", "e0", 1]]),
        put(S, "where")(lambda w: w[:1]),
        put(S, "where")([]),
        put(S, "sizes")("atmost"),
        seen("position"),
        relation("marginal"),
        relation("samenon"),
        relation("deniability"),
        relation("ldp"),
        one_drawn,
        put(E, "cases")(cases.JOINT),
        put(E, "cases")(cases.SAMENON_SHOWN),
        put(E)(lambda old: {"rule": "linear", "cases": old["cases"], "multipliers": {}}),
    ],
    "smallest verified for shown sets": [
        constant(more),
        constant("e0"),
        constant(["pow", "e0", "K"]),
        put(S, "where")(lambda w: [*w, ["sub", "K", 50]]),
        put(S, "counted")("all"),
        seen("multiset"),
        padded,
        relation("joint"),
        put(E, "instances")([]),
        put(E, "instances", 0, "K")(1),
        put(E, "instances", 6, "N")(0),
        put(E, "instances", 6, "K")(2),
    ],
    "smallest proved for exchanged bits": [
        constant(more),
        constant(["pow", "t", ["mul", 2, "m"]]),
        put(S, "where")(lambda w: w[:1]),
        put(S, "where")(lambda w: w[1:]),
        relation("joint"),
        relation("deniability"),
        relation("marginal"),
        both(seen("whole"), relation("marginal")),
        drawn,
        put(E)(lambda old: {"rule": "matching", "cases": old["cases"]}),
        put(E, "cases")(cases.JOINT),
    ],
    "smallest proved for exchanges of one draw": [
        constant(more),
        constant(["pow", "h", 2]),
        put(S, "where")([]),
        put(S, "sizes")("atmost"),
        relation("deniability"),
        relation("marginal"),
        put(E, "cases")({}),
        put(E, "cases")({"ss": 1, "o": ["sub", "K", 1], "u": "N"}),
        put(E)(lambda old: {"rule": "matching", "cases": old["cases"]}),
    ],
    "smallest proved for one draw": [
        constant(more),
        constant("w"),
        put(S, "where")([]),
        put(S, "counted")("all"),
        relation("ldp"),
        put(S, "sizes")("atmost"),
        put(E)(lambda old: {"rule": "matching", "cases": old["cases"]}),
        put(E, "cases")(cases.ONE),
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
        same_bits,
    ],
    "unbiased refuted": [
        seen("multiset"),
        seen("position"),
        put(E, "exact")("1"),
        put(E, "stated")("1/2"),
        put(E, "users")([]),
        put(E, "users")([[0]]),
        put(E, "users")([[0, 0]]),
        put(E, "users")([[0, 9]]),
        put(E, "instance", "n")(2),
        put(E, "item")(-1),
    ],
    "unbounded verified": [
        put(S, "where")(lambda w: [*w, ["sub", "K", 2]]),
        seen("bits"),
        relation("joint"),
        relation("samenon"),
        held(never),
        plain,
        put(E, "instances")([]),
        put(E, "instances", 0, "N")(0),
        put(E, "instances", 0, "m")(2),
    ],
}
