"""What may stand in the fields of statements and evidence: words, numbers, trees, laws, domains; kinds."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from dp_kernel.laws.grammar import NODES
from dp_kernel.meter import pay, require
from dp_kernel.numbers.binomials import LEAST
from dp_kernel.numbers.json_numbers import integer

Shape = Any
"""What may stand in a field: a tuple of words; {name: shape}, an object with these fields (a name with ? may be
missing, * is any); [shape, ...], a list of any length; [a, b], just these; or a check, a function that rejects."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
RESERVED = {"m", "K", "N", "n", "f", "g", "r", "size", "held", "kappa1", "kappa2", "squared", "separating"}
"""Names with a fixed meaning, which no law may give another one."""
ARITY = {
    **dict.fromkeys(("add", "sub", "mul", "div", "pow", "binom", "exptrunc"), 2),
    **dict.fromkeys(("neg", "floor", "exp", "log"), 1),
    "sum": 4,
}
APART = ("law", "law?", "domain", "values", "quantities?", "at", "strategy", "other")
VERDICTS = ("proved", "verified", "refuted", "ill_posed")


def canonical(value: Any) -> str:
    """The one text of a JSON value: names sorted, no spaces, ASCII."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    pay(len(text) >> 4)
    return text


def require_shape(shape: Shape, value: Any) -> list[Any]:
    """Raise `Rejected` unless the value may stand there; all trees in it, but those of domains."""
    trees: list[Any] = []
    match shape:
        case tuple():
            require(isinstance(value, str) and value in shape, f"{value!r} is none of {shape}")
        case dict():
            require(isinstance(value, dict), "an object is missing")
            fields = {name.removesuffix("?"): inner for name, inner in shape.items()}
            missing = [name for name in shape if name[-1] not in "?*" and name not in value]
            require(not missing, f"fields missing: {missing}")
            for name, content in value.items():
                require(name in fields or "*" in fields, f"field not known: {name}")
                trees += require_shape(fields.get(name, fields.get("*")), content)
        case list():
            require(isinstance(value, list), "a list is missing")
            each = shape[:1] * len(value) if shape[-1] is ... else shape
            require(len(value) == len(each), f"a list of {len(each)} is missing")
            for inner, content in zip(each, value, strict=True):
                trees += require_shape(inner, content)
        case _:
            inside = shape(value)
            trees = [value] if shape is tree else inside if isinstance(inside, list) else []
    return trees


def some(shape: Shape) -> Shape:
    """Something, of that shape."""

    def filled(value: Any) -> list[Any]:
        require(bool(value), "nothing is listed")
        return require_shape(shape, value)

    return filled


Evidence = Sequence[Sequence[str]]
"""The fields of evidence, of every alternative: names, with ? if they may be missing, with = and the one word there."""


class Kind(NamedTuple):
    """A type of statement: the rule that decides it, its fields, its evidence by verdict, what else must hold."""

    rule: Callable[[Any, str, Any], None]
    fields: Mapping[str, Shape]
    proved: Evidence = ()
    verified: Evidence = ()
    refuted: Evidence = ()
    ill_posed: Evidence = ()
    also: Callable[[Any], object] = bool

    def trees(self, statement: Any) -> list[Any]:
        """What a statement states: its trees, without those of its law and domain, and of what it is taken at."""
        shapes = {name.removesuffix("?"): shape for name, shape in self.fields.items() if name not in APART}
        return [tree for name in shapes.keys() & statement for tree in require_shape(shapes[name], statement[name])]

    def shapes(self, verdict: str) -> list[dict[str, str]]:
        """The alternatives: the fields of the evidence, each with its word, if there is only one."""
        return [{x[0]: x[2] for x in (field.partition("=") for field in names)} for names in getattr(self, verdict)]


def require_evidence(kind: Kind, verdict: Any, evidence: Any) -> None:
    """Raise `Rejected` unless the verdict exists for this kind of statement and the evidence has its fields."""
    shapes = kind.shapes(verdict) if verdict in VERDICTS else []
    require(isinstance(evidence, dict), "evidence has fields")
    fits = (
        {*evidence, *(name[:-1] for name in x if name[-1] == "?")} == {name.removesuffix("?") for name in x}
        and all(evidence[name] == word for name, word in x.items() if word)
        for x in shapes
    )
    require(any(fits), f"no evidence makes this type of statement {verdict!r}, or it has other fields")


def flag(value: Any) -> None:
    require(isinstance(value, bool), f"{value!r} is neither true nor false")


def identifier(value: Any) -> None:
    require(isinstance(value, str) and NAME.fullmatch(value) is not None, f"{value!r} is no name")


def tree(value: Any) -> None:
    if isinstance(value, list):
        require(bool(value) and isinstance(value[0], str), "not an expression")
        fits = len(value) > 1 if value[0] == "min" else ARITY.get(value[0]) == len(value) - 1
        require(fits, f"not an operator, or not with so many arguments: {value[0]!r}")
        if value[0] == "sum":
            identifier(value[1])
            require(value[1] not in RESERVED, f"{value[1]} means something else")
        for argument in value[1:]:
            tree(argument)
    elif isinstance(value, str):
        identifier(value)
    else:
        integer(value)


def law_term(value: Any) -> list[Any]:
    """A term of the grammar: its nodes have their arguments, its expressions, which are returned, are trees."""
    require(isinstance(value, list) and bool(value) and value[0] in NODES, f"not a law: {str(value)[:60]}")
    return require_shape([(value[0],), *(PARTS[sort] for sort in NODES[value[0]])], value)


def law(value: Any) -> list[Any]:
    """A law; its trees."""
    trees = require_shape(LAW, value)
    own = [value["base"], *value["parameters"], *value.get("integers", {})]
    require_shape([identifier, ...], own)
    require(len(set(own)) == len(own) and not set(own) & RESERVED, f"the names {own} mean something else")
    numbers = {value["base"]: 0, **dict.fromkeys(value["parameters"], 0), **value.get("integers", {})}
    require(all(least >= LEAST.get(name, least) for name, least in numbers.items()), "k is an integer >= 1")
    return trees


def variable_range(value: Any) -> None:
    require_shape({"min": integer, "strict": flag, "integer": flag, "unit": flag}, value)
    require(not value["unit"] or (value["min"] == 0 and not value["integer"]), "no range strictly between 0 and 1")


def domain(value: Any) -> None:
    require_shape({"variables": {"*": variable_range}, "constraints": [tree, ...]}, value)
    for name, spec in value["variables"].items():
        identifier(name)
        counts = spec["integer"] and spec["min"] >= LEAST.get(name, 0)
        require(name not in LEAST or counts, f"{name} is an integer >= {LEAST.get(name)}")


pair, relation = [tree, tree], [("eq", "le", "lt"), tree, tree]
relations = some([relation, ...])
estimator = {"slope": tree, "offset": tree, "per_invertible?": tree}
PARTS = {"entries": some({"*": some({"*": tree})}), "word": identifier, "number": tree, "law": law_term}
LAW = {
    "mechanism": lambda value: require(isinstance(value, str), "a mechanism has a name"),
    "base": identifier,
    "power": tree,
    "parameters": [identifier, ...],
    "integers?": {"*": lambda value: integer(value, 0)},
    "families?": some({"*": tree}),
    "term": law_term,
}

SEEN: dict[str, Shape] = {"law": law}
EXACT: dict[str, Shape] = SEEN | {"sizes": ("exactm",), "where": [tree, ...]}
COMPLETED: dict[str, Shape] = EXACT | {"sizes": ("exactm", "atmost")}
ITEM = ("sensitive", "nonsensitive")
COMPARED: dict[str, Shape] = EXACT | {
    "relation": ("ldp", "marginal", "joint", "deniability", "samenon"),
    "counted": ("all", "nonempty"),
    "sizes": ("exactm", "atmost", "all"),
    "any_order": flag,
}


def compared(statement: Any) -> None:
    """Which reports are counted, and whether orders matter, is said of the readings for which it has a meaning; laws
    of sets of some sizes (`sampled`, `filled`) are not compared."""
    open_to = ("marginal", "joint")
    require(statement["counted"] == "all" or statement["relation"] in open_to, f"nonempty: of {open_to} only")
    term = statement["law"]["term"]
    in_place = not statement["any_order"] or (statement["type"] == "ratio" and term[:2] == ["push", "position"])
    require(in_place, "orders are seen by position, and bounds hold in all of them")
    require(term[0] not in ("sampled", "filled"), "the law is one of sets of other sizes")
