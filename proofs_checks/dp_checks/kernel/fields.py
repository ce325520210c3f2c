"""What may stand in the fields of statements and evidence: words, numbers, trees, laws, domains; kinds."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from dp_checks.kernel.binomials import LEAST
from dp_checks.kernel.exact import integer
from dp_checks.kernel.laws import NODES
from dp_checks.kernel.rejected import require

Check = Callable[[Any], object] | tuple[str, ...]
"""Of the value of a field: a function that rejects it, or the words that are allowed."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
SIZES = frozenset({"m", "K", "N"})
RESERVED = SIZES | {"n", "f", "g", "r", "size", "held"}
"""Names with a fixed meaning, which no law may give another one."""

ARITY = {
    **dict.fromkeys(("add", "sub", "mul", "div", "pow", "binom", "exptrunc"), 2),
    **dict.fromkeys(("neg", "floor", "exp", "log"), 1),
}


VERDICTS = ("proved", "verified", "refuted", "ill_posed")


class Kind(NamedTuple):
    """A type of statement: the rule that decides it, its fields (a name with ? may be missing), the fields of its
    evidence by verdict (names, or name=word; alternatives are separated by |), and what else makes it well-formed."""

    rule: Callable[[Any, str, Any], None]
    fields: Mapping[str, Check]
    proved: str | None = None
    verified: str | None = None
    refuted: str | None = None
    ill_posed: str | None = None
    also: Callable[[Any], object] = bool

    def shapes(self, verdict: str) -> list[dict[str, str]]:
        """The alternatives: the fields of the evidence, each with its word, if there is only one."""
        written: str | None = getattr(self, verdict)
        listed = [] if written is None else written.split("|")
        return [dict(part.partition("=")[::2] for part in shape.split()) for shape in listed]


def require_evidence(kind: Kind, verdict: Any, evidence: Any) -> None:
    """Raise `Rejected` unless the verdict exists for this kind of statement and the evidence has its fields."""
    shapes = kind.shapes(verdict) if verdict in VERDICTS else []
    require(bool(shapes), f"no evidence makes this type of statement {verdict!r}")
    require(isinstance(evidence, dict), "evidence has fields")
    fits = (evidence.keys() == x.keys() and all(evidence[y] == word for y, word in x.items() if word) for x in shapes)
    require(any(fits), "other fields than this evidence has")


# --- combinations of checks -----------------------------------------------------------------------------------------


def require_field(check: Check, value: Any) -> None:
    """Raise `Rejected` unless the value may stand there."""
    if isinstance(check, tuple):
        require(isinstance(value, str) and value in check, f"{value!r} is none of {check}")
    else:
        check(value)


def require_fields(value: Any, checks: Mapping[str, Check]) -> None:
    """An object with exactly these fields, each passing its check."""
    require(isinstance(value, dict), "an object is missing")
    known = {name.removesuffix("?"): check for name, check in checks.items()}
    missing, unknown = {x for x in checks if x[-1] != "?"} - value.keys(), value.keys() - known.keys()
    require(not missing and not unknown, f"fields missing: {sorted(missing)}; not known: {sorted(unknown)}")
    for name, content in value.items():
        require_field(known[name], content)


def object_of(checks: Mapping[str, Check]) -> Check:
    return lambda value: require_fields(value, checks)


def row_of(*checks: Check) -> Check:
    """A list of so many values, each with its own check."""

    def listed(value: Any) -> None:
        require(isinstance(value, list) and len(value) == len(checks), f"a list of {len(checks)} is missing")
        for check, content in zip(checks, value, strict=True):
            require_field(check, content)

    return listed


def list_of(check: Check, least: int = 0) -> Check:
    def listed(value: Any) -> None:
        require(isinstance(value, list) and len(value) >= least, f"a list of at least {least} is missing")
        for content in value:
            require_field(check, content)

    return listed


def map_of(check: Check, least: int = 0, names: Check = bool) -> Check:
    """An object with any fields, all of them alike."""

    def mapped(value: Any) -> None:
        require(isinstance(value, dict) and len(value) >= least, f"an object of at least {least} is missing")
        for name, content in value.items():
            require_field(names, name)
            require_field(check, content)

    return mapped


# --- values ---------------------------------------------------------------------------------------------------------


def flag(value: Any) -> None:
    require(isinstance(value, bool), f"{value!r} is neither true nor false")


def identifier(value: Any) -> None:
    require(isinstance(value, str) and NAME.fullmatch(value) is not None, f"{value!r} is no name")


def tree(value: Any) -> None:
    if isinstance(value, list):
        require(bool(value) and isinstance(value[0], str), "not an expression")
        known = len(value) > 1 if value[0] == "min" else ARITY.get(value[0]) == len(value) - 1
        require(known, f"not an operator, or not with so many arguments: {value[0]!r}")
        for argument in value[1:]:
            tree(argument)
    elif isinstance(value, str):
        identifier(value)
    else:
        integer(value)


def law_term(value: Any) -> None:
    """A term of the grammar: its nodes have their arguments, its expressions are trees."""
    require(isinstance(value, list) and bool(value) and value[0] in NODES, f"not a law: {str(value)[:60]}")
    require_field(row_of((value[0],), *(PARTS[sort] for sort in NODES[value[0]])), value)


def law(value: Any) -> None:
    require_fields(value, LAW)
    own = [value["base"], *value["parameters"], *value.get("integers", {})]
    require(len(set(own)) == len(own) and not set(own) & RESERVED, f"the names {own} mean something else")
    numbers = {value["base"]: 0, **dict.fromkeys(value["parameters"], 0), **value.get("integers", {})}
    require(all(least >= LEAST.get(name, least) for name, least in numbers.items()), "k is an integer >= 1")


def range(value: Any) -> None:
    require_fields(value, {"min": integer, "strict": flag, "integer": flag, "unit": flag})
    require(not (value["unit"] and value["integer"]), "no integer lies strictly between 0 and 1")


def domain(value: Any) -> None:
    require_fields(value, {"variables": map_of(range, names=identifier), "constraints": trees})
    for name, spec in value["variables"].items():
        natural = spec["integer"] and spec["min"] >= LEAST.get(name, 0)
        require(name not in LEAST or natural, f"{name} is an integer >= {LEAST.get(name)}")


trees, pair, relation = list_of(tree), row_of(tree, tree), row_of(("eq", "le", "lt"), tree, tree)
estimator = object_of({"slope": tree, "offset": tree, "per_invertible?": tree})
PARTS: Mapping[str, Check] = {
    "entries": map_of(map_of(tree, 1), 1),
    "word": identifier,
    "number": tree,
    "law": law_term,
}
LAW: dict[str, Check] = {
    "mechanism": lambda value: require(isinstance(value, str), "a mechanism has a name"),
    "base": identifier,
    "power": tree,
    "parameters": list_of(identifier),
    "integers?": map_of(lambda value: integer(value, 0)),
    "families?": map_of(tree, 1),
    "term": law_term,
}

# --- fields of several kinds ----------------------------------------------------------------------------------------

SEEN: dict[str, Check] = {"law": law}
EXACT: dict[str, Check] = SEEN | {"sizes": ("exactm",), "where": trees}
COMPLETED: dict[str, Check] = EXACT | {"sizes": ("exactm", "atmost")}
ITEM = ("sensitive", "nonsensitive")
COMPARED: dict[str, Check] = EXACT | {
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
