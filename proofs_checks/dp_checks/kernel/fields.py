"""What may stand in the fields of statements and evidence: names, numbers, trees, laws, domains."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from dp_checks.kernel.exact import integer
from dp_checks.kernel.rejected import require

Check = Callable[[Any], None]

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
SIZES = frozenset({"m", "K", "N"})
RESERVED = SIZES | {"n", "f", "g", "size", "held"}
"""Names with a fixed meaning, which no law may give another one."""

ARITY = {
    **dict.fromkeys(("add", "sub", "mul", "div", "pow", "binom", "exptrunc"), 2),
    **dict.fromkeys(("neg", "floor", "exp", "log", "sqrt"), 1),
}
VIEWS = {
    ("items", "all"): ("set", "multiset", "position", "padded", "vector"),
    ("items", "one"): ("one",),
    ("bits", "all"): ("sen", "whole"),
    ("bits", "one"): ("sen", "whole"),
    ("bits", "each"): ("sen",),
    ("arcs", "all"): ("ideal", "kwise", "pairwise", "fixed", "disjoint", "hash"),
}
"""What can be seen of a report, by unit and draw of its law."""


def require_fields(value: Any, checks: Mapping[str, Check], optional: frozenset[str] = frozenset()) -> None:
    """An object with exactly these fields, each passing its check."""
    require(isinstance(value, dict), "an object is missing")
    missing, unknown = checks.keys() - optional - value.keys(), value.keys() - checks.keys()
    require(not missing and not unknown, f"fields missing: {sorted(missing)}; not known: {sorted(unknown)}")
    for name, content in value.items():
        checks[name](content)


def one_of(*allowed: Any) -> Check:
    return lambda value: require(isinstance(value, str) and value in allowed, f"{value!r} is none of {allowed}")


def whole(value: Any) -> None:
    integer(value)


def flag(value: Any) -> None:
    require(isinstance(value, bool), f"{value!r} is neither true nor false")


def text(value: Any) -> None:
    require(isinstance(value, str), f"{value!r} is no string")


def identifier(value: Any) -> None:
    require(isinstance(value, str) and NAME.fullmatch(value) is not None, f"{value!r} is no name")


def list_of(check: Check, least: int = 0) -> Check:
    def listed(value: Any) -> None:
        require(isinstance(value, list) and len(value) >= least, f"a list of at least {least} is missing")
        for item in value:
            check(item)

    return listed


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


def maybe_tree(value: Any) -> None:
    if value is not None:
        tree(value)


def law(value: Any) -> None:
    require_fields(value, LAW)
    require((value["unit"], value["draw"]) in VIEWS, "a law that nothing is known of")
    own = [value["base"], *value["parameters"]]
    require(len(set(own)) == len(own) and not set(own) & RESERVED, f"the names {own} mean something else")


def estimator(value: Any) -> None:
    require_fields(value, {"slope": tree, "offset": tree, "per_invertible": tree}, frozenset({"per_invertible"}))


def estimators(value: Any) -> None:
    list_of(estimator)(value)
    require(len(value) == 2, "an estimator for sensitive and one for non-sensitive items")


def relation(value: Any) -> None:
    require(isinstance(value, list) and len(value) == 3, "a relation has an operator and two sides")
    one_of("eq", "le", "lt")(value[0])
    tree(value[1])
    tree(value[2])


def range(value: Any) -> None:
    require_fields(value, {"min": whole, "strict": flag, "integer": flag, "unit": flag})
    require(not (value["unit"] and value["integer"]), "no integer lies strictly between 0 and 1")


def domain(value: Any) -> None:
    lemma = {"name": one_of("bernoulli"), "v": identifier, "m": identifier, "w": identifier}
    require_fields(
        value,
        {
            "variables": lambda ranges: require(isinstance(ranges, dict), "ranges are missing"),
            "constraints": list_of(tree),
            "lemmas": list_of(lambda found: require_fields(found, lemma)),
        },
    )
    for name, spec in value["variables"].items():
        identifier(name)
        range(spec)


def completions(value: Any) -> None:
    require(isinstance(value, dict) and len(value) == 2, "two completions of the print")


def side(value: Any) -> None:
    require(isinstance(value, dict), "a side is a statement")


LAW: dict[str, Check] = {
    "mechanism": text,
    "unit": one_of("items", "bits", "arcs"),
    "draw": one_of("all", "one", "each"),
    "base": identifier,
    "power": tree,
    "p": tree,
    "q": tree,
    "r": maybe_tree,
    "parameters": list_of(identifier),
}
